//! Colours: 8-bit sRGB, linear light, names, colour maps.
//!
//! The transfer function follows IEC 61966-2-1. Both directions use tables computed with `libm`, so that no platform's
//! `pow` affects a pixel.

mod decode;
#[doc(hidden)]
pub mod elements;
mod encode;
#[doc(hidden)]
pub mod lightness;
mod map_tables;
#[doc(hidden)]
pub mod maps;
mod names;
#[doc(hidden)]
pub mod oklab;
mod ramp;
mod scale;
mod serialize;
mod srgba8;

pub use decode::linear_from_srgb8;
pub use elements::Element;
pub use encode::srgb8_from_linear;
pub use maps::ColorMap;
pub use scale::{ColorRange, ColorScale, Scale};
pub use srgba8::Srgba8;

#[doc(hidden)]
pub use {
    decode::decode,
    encode::{ENCODER, Encoder, encode16},
    srgba8::WRITTEN,
};
