//! Colours, and their meaning.

mod key;

pub use key::{Category, ColorKey, MISSING_COLOR, MISSING_NAME, sort_categories};
pub use roundel_image::color::{
    ColorMap, ColorRange, ColorScale, Element, Scale, Srgba8, linear_from_srgb8, srgb8_from_linear,
};

pub use roundel_image::color::maps;
