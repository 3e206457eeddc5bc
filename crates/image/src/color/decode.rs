//! From sRGB-encoded values to linear light.

use std::sync::LazyLock;

/// The linear light, 0 to 1, of an 8-bit sRGB-encoded channel; exact to half an ulp.
///
/// Source: IEC 61966-2-1.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::color::linear_from_srgb8;
///
/// assert_eq!((linear_from_srgb8(0), linear_from_srgb8(255)), (0.0, 1.0));
/// assert!((linear_from_srgb8(188) - 0.5).abs() < 0.003, "half the light is encoded as 188");
/// ```
#[must_use]
pub fn linear_from_srgb8(encoded: u8) -> f32 {
    LINEAR[usize::from(encoded)]
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|i| decode(i as f64 / 255.0) as f32));

/// Converts an encoded channel to linear light, both from 0 to 1.
pub fn decode(encoded: f64) -> f64 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { libm::pow((encoded + 0.055) / 1.055, 2.4) }
}
