//! Linear light in SIMD lanes to 8-bit sRGB.

use fearless_simd::{f32x4, i32x4, prelude::*};

use crate::color::{Encoder, Srgba8};

/// Encodes the first three lanes as [`srgb8_from_linear`](crate::color::srgb8_from_linear) does, into an opaque colour.
#[inline(always)]
pub(super) fn opaque<S: Simd>(encoder: &Encoder, linear: f32x4<S>) -> Srgba8 {
    let steps = (linear * Encoder::STEPS).max(0.0).min(Encoder::LAST_STEP).to_int::<i32x4<S>>().to_array();
    encoder.opaque(linear.to_array(), steps)
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;
    use crate::color::{ENCODER, srgb8_from_linear};

    /// The least light from 0 to 1 that is encoded as more than `value`.
    fn boundary(value: u8) -> f32 {
        let (mut low, mut high) = (0, 1f32.to_bits());
        while low < high {
            let middle = low.midpoint(high);
            if srgb8_from_linear(f32::from_bits(middle)) > value { high = middle } else { low = middle + 1 }
        }
        f32::from_bits(high)
    }

    #[test]
    fn lanes_encode_as_one_channel_does() {
        let boundaries = (0..u8::MAX).map(boundary).flat_map(|limit| [limit.next_down(), limit]);
        let lights: Vec<f32> = boundaries.chain([0.0, -0.0, -1.0, f32::NAN, 2.0, 1e30, f32::INFINITY]).collect();
        let compare = |level: Level| {
            for light in lights.windows(3) {
                let [r, g, b] = [light[0], light[1], light[2]].map(srgb8_from_linear);
                let lanes = [light[0], light[1], light[2], f32::NAN];
                let color = dispatch!(level, simd => opaque(&ENCODER, f32x4::load_array(simd, lanes)));
                assert_eq!(color, Srgba8::rgb(r, g, b), "{light:?}");
            }
        };
        crate::simd::levels().into_iter().for_each(compare);
    }
}
