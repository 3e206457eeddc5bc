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

#[doc(inline)]
pub use roundel_scene::color::{
    Category, ColorKey, ColorMap, ColorRange, ColorScale, Element, Scale, Srgba8, linear_from_srgb8, srgb8_from_linear,
};
