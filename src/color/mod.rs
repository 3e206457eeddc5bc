//! Colours: 8-bit straight-alpha sRGB in pictures and scenes, linear light inside the shading of spheres.
//!
//! The transfer function follows IEC 61966-2-1. Both directions use tables computed with `libm`, so that no platform's
//! `pow` affects a pixel.
//!
//! ```
//! use roundel::color::{linear_from_srgb8, srgb8_from_linear};
//!
//! // the mean of black and white in linear light
//! let gray = 0.5 * (linear_from_srgb8(0) + linear_from_srgb8(255));
//! assert_eq!(srgb8_from_linear(gray), 188);
//! ```

mod decode;
#[cfg(feature = "scene-files")]
pub(crate) mod elements;
mod encode;
#[cfg(feature = "scene-files")]
mod key;
#[cfg(feature = "scene-files")]
pub(crate) mod lightness;
#[cfg(feature = "scene-files")]
pub(crate) mod maps;
mod names;
pub(crate) mod oklab;
#[cfg(feature = "scene-files")]
mod scale;
#[cfg(feature = "serde")]
mod serialize;
mod srgba8;

pub(crate) use decode::decode;
pub use decode::linear_from_srgb8;
pub use encode::srgb8_from_linear;
#[cfg(feature = "render")]
pub(crate) use encode::{ENCODER, Encoder, encode16};
pub use srgba8::Srgba8;
#[cfg(feature = "scene-files")]
pub(crate) use srgba8::WRITTEN;

#[cfg(feature = "scene-files")]
pub use {
    elements::Element,
    key::{Category, ColorKey},
    maps::ColorMap,
    scale::{ColorRange, Scale},
};
