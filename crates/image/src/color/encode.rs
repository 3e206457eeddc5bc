//! From linear light to 8-bit sRGB: one channel, or the lanes of a colour at once.

use std::sync::LazyLock;

use super::decode::decode;
use super::srgba8::Srgba8;

/// The 8-bit sRGB value of linear light, rounded half up: 0 for light below 0 and for NaN, 255 for light above 1.
///
/// Exact: returns the number of rounding boundaries at or below `linear`.
///
/// Source: IEC 61966-2-1.
///
/// ```
/// # use roundel_image as roundel;
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
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub fn encode16([r, g, b, a]: [f32; 4]) -> [u16; 4] {
    let rounded = |value: f64| (value * 65535.0 + 0.5) as u16;
    let opacity = f64::from(a);
    let channel = |light: f32| {
        let light = if opacity > 0.0 { (f64::from(light) / opacity).min(1.0) } else { 0.0 };
        rounded(if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 })
    };
    [channel(r), channel(g), channel(b), rounded(opacity)]
}

/// The encoder's tables. Loops over many colours borrow it once, because each access checks whether it is initialized.
pub static ENCODER: LazyLock<Encoder> = LazyLock::new(Encoder::new);

/// Steps of the first look-up. Bound: `encode_rounds_half_up_at_every_boundary`; no step contains more than one
/// rounding boundary.
const STEPS: usize = 4096;

/// Tables that encode linear light with one look-up and one comparison.
pub struct Encoder {
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

    /// Steps of the first look-up per unit of light.
    pub const STEPS: f32 = STEPS as f32;

    /// The last step.
    pub const LAST_STEP: f32 = (STEPS - 1) as f32;

    /// Encodes three channels as [`Encoder::encode`] does and returns them as an opaque colour.
    ///
    /// `steps` holds `linear` × [`STEPS`](Self::STEPS), clamped to 0..=[`LAST_STEP`](Self::LAST_STEP) and rounded
    /// towards 0, which callers compute in SIMD lanes.
    #[inline(always)]
    pub fn opaque(&self, linear: [f32; 4], steps: [i32; 4]) -> Srgba8 {
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

    #[test]
    fn encode_clamps_light_below_0_above_1_and_nan() {
        assert_eq!([-1.0, f32::NAN, 2.0, f32::INFINITY].map(srgb8_from_linear), [0, 0, 255, 255]);
    }
}
