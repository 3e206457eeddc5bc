//! Paint one tile of circles: exact-area coverage, front to back, in `f32` planes that stay in the nearest cache.
//!
//! A pixel keeps the light it has gathered and its transmittance, the share of what lies below that still shows. A shape
//! takes `coverage × alpha` of the transmittance. Once less than [`Finish::transmittance`] is left the pixel is finished:
//! what lies below weighs too little to show. That rule looks at one pixel's own past alone, so the cut of the picture
//! into tiles changes nothing; that all pixels of a tile are finished only saves looking at the rest of its list.

mod buffer;
mod large;
mod paint;
mod precise;
mod shape;
mod small;

pub(crate) use buffer::TileBuffer;
pub(crate) use paint::{Finish, Tables, finish_tile, paint, paint_whole};
pub(crate) use shape::Shape;
