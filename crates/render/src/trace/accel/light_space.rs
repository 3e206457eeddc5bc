//! The coordinates of a directional light: two axes across it and one towards it.

use crate::lanes::{Vec3x8, dot, dot3_with};
use crate::trace::find::sampling::tangents;
use fearless_simd::prelude::*;

/// Unit vectors: two across a light, one towards it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LightFrame {
    pub axes: [[f32; 3]; 3],
}

/// bound: `answers_equal_those_of_the_bvh` in light_buffer.rs. Rounding displaces a crossing, and its position across
/// the light, by some dozens of `f32::EPSILON` times the scene's extent.
pub(crate) const MARGIN: f32 = 256.0 * f32::EPSILON;

impl LightFrame {
    pub(crate) fn new(toward: [f32; 3]) -> Self {
        let [u, v] = tangents(toward);
        Self { axes: [u, v, toward] }
    }

    /// The unit vector towards the light.
    #[inline(always)]
    pub(crate) fn toward(&self) -> [f32; 3] {
        self.axes[2]
    }

    /// A point's coordinates.
    #[inline(always)]
    pub(crate) fn project(&self, point: [f32; 3]) -> [f32; 3] {
        [dot(point, self.axes[0]), dot(point, self.axes[1]), dot(point, self.axes[2])]
    }

    /// The coordinates of eight points.
    #[inline(always)]
    pub(crate) fn project8<S: Simd>(&self, points: Vec3x8<S>) -> Vec3x8<S> {
        [dot3_with(points, self.axes[0]), dot3_with(points, self.axes[1]), dot3_with(points, self.axes[2])]
    }
}
