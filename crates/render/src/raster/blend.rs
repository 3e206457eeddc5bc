//! Front-to-back blending of premultiplied `f32` colours, in encoded or linear values: a shape takes its weight of a
//! pixel's transmittance, until the rest is too little to be seen.

use fearless_simd::prelude::*;

use super::block::PlaneRow;
use super::shape::RasterShape;
use crate::color::{Srgba8, linear_from_srgb8};
use crate::scene::circles::Blend;

/// The values that colours are blended in.
#[derive(Debug)]
pub(super) struct BlendSpace {
    /// The values of the 256 steps of a channel, 0 to 1.
    pub(super) channels: [f32; 256],
    /// The transmittance below which a pixel is finished.
    finished: f32,
}

impl BlendSpace {
    pub(super) fn new(blend: Blend) -> Self {
        let channels = std::array::from_fn(|value| {
            let value = u8::try_from(value).expect("256 values");
            match blend {
                Blend::Srgb => f32::from(value) / 255.0,
                Blend::Linear => linear_from_srgb8(value),
            }
        });
        Self { channels, finished: finished(blend) }
    }
}

/// The transmittance below which a pixel is finished: further layers weigh at most an eighth of an 8-bit step.
///
/// That is 255 · 2⁻¹¹ for encoded values. In linear light the transfer function is 12.92 times as steep in the dark:
/// 255 · 12.92 · 2⁻¹⁵.
///
/// Bound: `thousand_stacked_circles_do_not_drift`.
pub(super) fn finished(blend: Blend) -> f32 {
    match blend {
        Blend::Srgb => 1.0 / 2048.0,
        Blend::Linear => 1.0 / 32768.0,
    }
}

/// A shape's colour and opacity in every lane.
#[derive(Clone, Copy)]
pub(super) struct Ink<V> {
    color: [V; 3],
    /// The weight of a pixel that is wholly covered.
    pub(super) opacity: V,
    finished: V,
}

impl<V> Ink<V> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, shape: &RasterShape, space: &BlendSpace) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let Srgba8 { r, g, b, .. } = shape.color;
        let value = |channel: u8| V::splat(simd, space.channels[usize::from(channel)]);
        Self {
            color: [value(r), value(g), value(b)],
            opacity: V::splat(simd, shape.alpha),
            finished: V::splat(simd, space.finished),
        }
    }

    /// Blends the colour below the accumulated colour of a group of pixels. `weight` is coverage times opacity.
    #[inline(always)]
    pub(super) fn blend<S: Simd>(&self, simd: S, row: &mut PlaneRow, column: usize, weight: V)
    where
        V: SimdFloat<S, Element = f32>,
    {
        let lanes = column..column + V::LEN;
        let (red, green) = (&mut row.red[lanes.clone()], &mut row.green[lanes.clone()]);
        let (blue, transmittance) = (&mut row.blue[lanes.clone()], &mut row.transmittance[lanes]);
        let before = V::from_slice(simd, transmittance);
        let share = before * weight;
        let [r, g, b] = self.color;
        (V::from_slice(simd, red) + share * r).store_slice(red);
        (V::from_slice(simd, green) + share * g).store_slice(green);
        (V::from_slice(simd, blue) + share * b).store_slice(blue);
        let after = before - share;
        after.simd_ge(self.finished).select(after, V::splat(simd, 0.0)).store_slice(transmittance);
    }
}
