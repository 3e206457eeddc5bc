//! Fog: the farther a surface, the more of the background shows in its place.
//!
//! Depth is measured along the line of sight. Fog spans two depths of the whole scene, not of the visible part: crops and
//! the frames of a film agree.

use fearless_simd::{f32x8, prelude::*};

use crate::lanes::{Rows3, dot, dot3_with, load3};
use crate::scene::spheres::Shading;
use crate::scene::{Rays, SphereExtents};

/// Fog in a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fog {
    forward: [f32; 3],
    /// Start depth of the fog, and the reciprocal of its depth range.
    start: f32,
    inverse: f32,
    /// How much of a surface fog hides at the most.
    most: f32,
}

impl Fog {
    /// `None` without fog, and for a scene without depth.
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    pub(crate) fn new(extents: &SphereExtents, shading: &Shading, rays: &Rays) -> Option<Self> {
        let most = shading.fog.min(1.0);
        if most.is_nan() || most <= 0.0 {
            return None;
        }
        let [near, far] = extents.depths(rays)?;
        let start = near + (far - near) * f64::from(shading.fog_start.clamp(0.0, 1.0));
        let inverse = (1.0 / (far - start)).min(f64::from(f32::MAX));
        (far > near).then_some(Self { forward: rays.forward, start: start as f32, inverse: inverse as f32, most })
    }

    /// How much of a point, relative to the eye, fog hides.
    pub(crate) fn hides_at(&self, point: [f32; 3]) -> f32 {
        ((dot(point, self.forward) - self.start) * self.inverse).clamp(0.0, 1.0) * self.most
    }

    /// How much of eight surface points, relative to the eye, fog hides.
    #[inline(always)]
    pub(crate) fn hides<S: Simd>(&self, simd: S, points: &Rows3) -> f32x8<S> {
        let depth = dot3_with(load3(simd, points), self.forward);
        ((depth - self.start) * self.inverse).max(0.0).min(1.0) * self.most
    }
}
