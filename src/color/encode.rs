//! From linear light to 8-bit sRGB: one channel, or the lanes of a colour at once.

use std::sync::LazyLock;

#[cfg(feature = "render")]
use fearless_simd::{f32x4, i32x4, prelude::*};

use super::decode::decode;
#[cfg(feature = "render")]
use super::srgba8::Srgba8;

/// The 8-bit sRGB value of linear light, rounded half up: 0 for light below 0 and for NaN, 255 for light above 1.
///
/// Exact: returns the number of rounding boundaries at or below `linear`.
///
/// Source: IEC 61966-2-1.
///
/// ```
/// use roundel::color::srgb8_from_linear;
///
/// assert_eq!([0.0, 0.5, 1.0, 7.0].map(srgb8_from_linear), [0, 188, 255, 255]);
/// ```
#[inline]
#[must_use]
pub fn srgb8_from_linear(linear: f32) -> u8 {
    ENCODER.encode(linear)
}

/// Encodes premultiplied linear light as sRGB with straight alpha, 16 bits a channel, rounded half up.
///
/// Uses `libm`, which gives the same bits on every platform.
#[cfg(feature = "render")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub(crate) fn encode16([r, g, b, a]: [f32; 4]) -> [u16; 4] {
    let rounded = |value: f64| (value * 65535.0 + 0.5) as u16;
    let opacity = f64::from(a);
    let channel = |light: f32| {
        let light = if opacity > 0.0 { (f64::from(light) / opacity).min(1.0) } else { 0.0 };
        rounded(if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 })
    };
    [channel(r), channel(g), channel(b), rounded(opacity)]
}

/// The encoder's tables. Loops over many colours borrow it once, because each access checks whether it is initialized.
pub(crate) static ENCODER: LazyLock<Encoder> = LazyLock::new(Encoder::new);

/// Steps of the first look-up. Bound: `encode_rounds_half_up_at_every_boundary`; no step contains more than one
/// rounding boundary.
const STEPS: usize = 4096;

/// Tables that encode linear light with one look-up and one comparison.
pub(crate) struct Encoder {
    /// The 8-bit value at the start of each step.
    first: [u8; STEPS],
    /// The least light that rounds to more than each 8-bit value.
    boundary: [f32; 256],
}

#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose, then corrected or clamped")]
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

    /// Encodes the first three lanes as [`Encoder::encode`] does and returns them as an opaque colour.
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
    use super::super::decode::linear_from_srgb8;
    use super::*;

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

    #[cfg(feature = "render")]
    #[test]
    fn lanes_encode_as_one_channel_does() {
        use fearless_simd::{Level, dispatch};

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
    fn encode_clamps_light_below_0_above_1_and_nan() {
        assert_eq!([-1.0, f32::NAN, 2.0, f32::INFINITY].map(srgb8_from_linear), [0, 0, 255, 255]);
    }
}
