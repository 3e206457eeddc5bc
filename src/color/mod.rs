//! Colours: 8-bit straight-alpha sRGB in and out, linear light inside the 3D shading.
//!
//! The transfer function is IEC 61966-2-1. Both directions go through tables made once with `libm`,
//! so that no platform's `pow` reaches a pixel.

#[cfg(feature = "scene-files")]
pub(crate) mod elements;
#[cfg(feature = "scene-files")]
pub(crate) mod maps;

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use fearless_simd::{f32x4, i32x4, prelude::*};

use crate::error::Error;

/// A straight-alpha sRGB colour, 8 bits a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Srgba8 {
    /// Red, sRGB-encoded.
    pub r: u8,
    /// Green, sRGB-encoded.
    pub g: u8,
    /// Blue, sRGB-encoded.
    pub b: u8,
    /// Opacity; 255 hides what is below.
    pub a: u8,
}

impl Srgba8 {
    /// Opaque white.
    pub const WHITE: Self = Self::rgb(255, 255, 255);
    /// Opaque black.
    pub const BLACK: Self = Self::rgb(0, 0, 0);
    /// Nothing at all.
    pub const TRANSPARENT: Self = Self { r: 0, g: 0, b: 0, a: 0 };

    /// An opaque colour.
    #[must_use]
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    /// The opaque colour `0xrrggbb`.
    #[cfg(feature = "scene-files")]
    pub(crate) const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self::rgb(r, g, b)
    }

    /// The same colour with another opacity.
    #[must_use]
    pub const fn with_alpha(self, a: u8) -> Self {
        Self { a, ..self }
    }
}

impl From<[u8; 4]> for Srgba8 {
    /// Red, green, blue, alpha.
    fn from([r, g, b, a]: [u8; 4]) -> Self {
        Self { r, g, b, a }
    }
}

impl From<Srgba8> for [u8; 4] {
    /// Red, green, blue, alpha.
    fn from(color: Srgba8) -> Self {
        [color.r, color.g, color.b, color.a]
    }
}

impl FromStr for Srgba8 {
    type Err = Error;

    /// Reads `#rgb`, `#rrggbb` or `#rrggbbaa`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let digits: Option<Vec<u8>> = text.strip_prefix('#').and_then(|hex| {
            hex.chars().map(|digit| digit.to_digit(16).and_then(|value| value.try_into().ok())).collect()
        });
        match digits.as_deref() {
            Some(&[r, g, b]) => Ok(Self::rgb(r * 17, g * 17, b * 17)),
            Some(&[r1, r0, g1, g0, b1, b0]) => Ok(Self::rgb(r1 * 16 + r0, g1 * 16 + g0, b1 * 16 + b0)),
            Some(&[r1, r0, g1, g0, b1, b0, a1, a0]) => {
                Ok(Self { r: r1 * 16 + r0, g: g1 * 16 + g0, b: b1 * 16 + b0, a: a1 * 16 + a0 })
            }
            _ => {
                let message = format!("must be #rgb, #rrggbb or #rrggbbaa, got {text:?}");
                Err(Error::Setting { name: "color", message })
            }
        }
    }
}

impl fmt::Display for Srgba8 {
    /// Writes `#rrggbb`, and `#rrggbbaa` where the colour is not opaque.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { r, g, b, a } = self;
        write!(f, "#{r:02x}{g:02x}{b:02x}")?;
        if *a == 255 { Ok(()) } else { write!(f, "{a:02x}") }
    }
}

/// Linear light, 0 to 1, of an sRGB-encoded channel.
#[must_use]
pub fn linear_from_srgb8(encoded: u8) -> f32 {
    LINEAR[usize::from(encoded)]
}

/// Linear light of the 256 encoded values; exact to half an ulp of `f32`.
#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|i| decode(i as f64 / 255.0) as f32));

/// The decoding half of the transfer function, both ways 0 to 1.
fn decode(encoded: f64) -> f64 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { libm::pow((encoded + 0.055) / 1.055, 2.4) }
}

/// The 8-bit sRGB value of linear light, rounded half up; below 0 (and NaN) is 0, above 1 is 255.
///
/// Exact: the answer is the number of rounding boundaries at or below `linear`.
#[inline]
#[must_use]
pub fn srgb8_from_linear(linear: f32) -> u8 {
    ENCODER.encode(linear)
}

/// For many colours: [`srgb8_from_linear`] looks for the table each time.
pub(crate) static ENCODER: LazyLock<Encoder> = LazyLock::new(Encoder::new);

/// Steps of the first look-up: fine enough that no step holds more than one rounding boundary.
const STEPS: usize = 4096;

/// `first[s]` is the 8-bit value at the start of step `s`, `boundary[v]` the least light that rounds to more than `v`.
pub(crate) struct Encoder {
    first: [u8; STEPS],
    boundary: [f32; 256],
}

#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose, and put right or clamped right after")]
impl Encoder {
    fn new() -> Self {
        // nothing rounds past 255: a comparison with NaN is false
        let mut boundary = [f32::NAN; 256];
        for (value, limit) in boundary.iter_mut().enumerate().take(255) {
            let exact = decode((value as f64 + 0.5) / 255.0);
            // the least f32 that is not below the boundary
            let near = exact as f32;
            *limit = if f64::from(near) < exact { near.next_up() } else { near };
        }
        let first = std::array::from_fn(|step| {
            let start = step as f32 / STEPS as f32;
            u8::try_from(boundary.iter().take_while(|&&limit| limit <= start).count()).unwrap_or(255)
        });
        Self { first, boundary }
    }

    #[inline]
    fn encode(&self, linear: f32) -> u8 {
        // `as` saturates, and takes NaN to 0
        let step = ((linear * STEPS as f32) as usize).min(STEPS - 1);
        let value = self.first[step];
        value + u8::from(linear >= self.boundary[usize::from(value)])
    }

    /// As [`Encoder::encode`], of a colour's first three lanes.
    #[cfg(feature = "render")]
    #[inline(always)]
    pub(crate) fn opaque<S: Simd>(&self, linear: f32x4<S>) -> Srgba8 {
        let steps = (linear * STEPS as f32).max(0.0).min((STEPS - 1) as f32).to_int::<i32x4<S>>().to_array();
        let linear = linear.to_array();
        let channel = |lane: usize| {
            let value = self.first[steps[lane] as usize % STEPS];
            value + u8::from(linear[lane] >= self.boundary[usize::from(value)])
        };
        Srgba8::rgb(channel(0), channel(1), channel(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn color_text_round_trips() {
        for (text, shown) in
            [("#fff", "#ffffff"), ("#1F77b4", "#1f77b4"), ("#d62728cc", "#d62728cc"), ("#00000000", "#00000000")]
        {
            assert_eq!(text.parse::<Srgba8>().expect(text).to_string(), shown);
        }
    }

    #[test]
    fn color_text_refuses_what_is_none() {
        for text in
            ["", "#", "red", "#12", "#1234", "#12345", "#1234567", "#123456789", "#gggggg", "112233", "#+1+1+1", "#½½½"]
        {
            let error = text.parse::<Srgba8>().expect_err(text).to_string();
            assert_eq!(error, format!("color must be #rgb, #rrggbb or #rrggbbaa, got {text:?}"));
        }
    }

    #[test]
    fn transfer_round_trips_every_8_bit_value() {
        for value in 0..=255 {
            assert_eq!(srgb8_from_linear(linear_from_srgb8(value)), value);
        }
    }

    #[test]
    fn encode_rounds_half_up_at_every_boundary() {
        for value in 0..255u8 {
            let boundary = ENCODER.boundary[usize::from(value)];
            assert_eq!(srgb8_from_linear(boundary), value + 1);
            assert_eq!(srgb8_from_linear(boundary.next_down()), value);
        }
    }

    #[test]
    fn lanes_encode_as_one_channel_does() {
        let boundaries = ENCODER.boundary.iter().flat_map(|limit| [limit.next_down(), *limit]);
        let lights: Vec<f32> = boundaries.chain([0.0, -0.0, -1.0, f32::NAN, 2.0, 1e30, f32::INFINITY]).collect();
        let compare = |level: Level| {
            for light in lights.windows(3) {
                let [r, g, b] = [light[0], light[1], light[2]].map(srgb8_from_linear);
                let lanes = [light[0], light[1], light[2], f32::NAN];
                let color = dispatch!(level, simd => ENCODER.opaque(f32x4::load_array(simd, lanes)));
                assert_eq!(color, Srgba8::rgb(r, g, b), "{light:?}");
            }
        };
        crate::simd::levels().into_iter().for_each(compare);
    }

    #[test]
    fn encode_clamps_what_is_no_light() {
        assert_eq!([-1.0, f32::NAN, 2.0, f32::INFINITY].map(srgb8_from_linear), [0, 0, 255, 255]);
    }
}
