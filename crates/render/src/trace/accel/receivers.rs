//! Bounds of the surfaces that a light may shine on: boxes around small spheres, and around runs of hits on large ones.

use fearless_simd::{Level, dispatch, f32x8, mask32x8, prelude::*};

use super::light_space::{LightFrame, MARGIN};
use crate::geom::Sphere;
use crate::lanes::{LANES, dot, first_lanes};
use crate::trace::find::primary::{HitBuffer, HitLayer};
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};
use crate::trace::find::visible::VisibleSpheres;

/// A box around surface points, in the coordinates of a light.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReceiverBounds {
    /// Least coordinates.
    pub min: [f32; 3],
    /// Greatest coordinates across the light.
    pub max: [f32; 2],
    /// The largest magnitude among the coordinates from which the points were computed: it bounds their rounding error.
    pub extent: f32,
}

impl ReceiverBounds {
    /// A box around nothing.
    pub(crate) const EMPTY: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 2], extent: 0.0 };

    /// The box around two boxes.
    pub(crate) fn union(self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
            extent: self.extent.max(other.extent),
        }
    }

    /// Around the half of a sphere that faces the light.
    fn of_lit_half(sphere: Sphere<3>, frame: &LightFrame) -> Self {
        let [u, v, w] = frame.project(sphere.center);
        let r = sphere.radius;
        Self { min: [u - r, v - r, w], max: [u + r, v + r], extent: sphere.extent() }
    }
}

/// The visible surfaces of a tile.
pub(crate) struct TileSurfaces<'a> {
    pub level: Level,
    pub grid: SampleGrid,
    pub visible: &'a VisibleSpheres,
    pub hits: &'a HitBuffer,
    pub rays: &'a [SampleRays],
    /// The direction of view.
    pub forward: [f32; 3],
    /// Larger spheres are bounded by their hits, because little of them may be visible.
    pub small_radius: f32,
}

impl TileSurfaces<'_> {
    /// Bounds of all visible surfaces, seen from a light.
    pub(crate) fn receivers(&self, frame: &LightFrame) -> Vec<ReceiverBounds> {
        let mut receivers = Vec::with_capacity(self.visible.spheres.len());
        for visible in &self.visible.spheres {
            let sphere = visible.sphere;
            let half = ReceiverBounds::of_lit_half(sphere, frame);
            // rays start in the plane of the eye: a sphere seen from inside reaches it
            let depth = dot(sphere.center, self.forward).abs();
            if sphere.radius <= self.small_radius && depth > sphere.radius + half.extent * MARGIN {
                receivers.push(half);
                continue;
            }
            for run in self.visible.runs(visible) {
                let (plane, at) = self.grid.plane_and_offset(run.start);
                let hits = HitRun { layer: &self.hits.layers[plane], rays: &self.rays[plane], at, length: run.length };
                receivers.push(dispatch!(self.level, simd => hits.bounds(simd, frame)));
            }
        }
        receivers
    }
}

/// Neighbouring hits on one sphere.
struct HitRun<'a> {
    layer: &'a HitLayer,
    rays: &'a SampleRays,
    at: usize,
    length: u32,
}

impl HitRun<'_> {
    #[inline(always)]
    fn bounds<S: Simd>(&self, simd: S, frame: &LightFrame) -> ReceiverBounds {
        let mut min = [f32x8::splat(simd, f32::INFINITY); 3];
        let mut max = [f32x8::splat(simd, f32::NEG_INFINITY); 2];
        let mut extent = f32x8::splat(simd, 0.0);
        let length = self.length as usize;
        for step in (0..length).step_by(LANES) {
            let at = self.at + step;
            let distance = f32x8::from_slice(simd, &self.layer.distance[at..at + LANES]);
            let is_hit = mask32x8::from_bitmask(simd, first_lanes(length - step));
            let [ox, oy, oz] = self.rays.origins8(simd, at);
            let [dx, dy, dz] = self.rays.directions8(simd, at);
            let along = frame.project8([ox + dx * distance, oy + dy * distance, oz + dz * distance]);
            for axis in 0..3 {
                min[axis] = is_hit.select(min[axis].min(along[axis]), min[axis]);
                if axis < 2 {
                    max[axis] = is_hit.select(max[axis].max(along[axis]), max[axis]);
                }
            }
            let from = (ox.abs() + oy.abs()) + (oz.abs() + distance);
            extent = is_hit.select(extent.max(from), extent);
        }
        let ([u0, v0, w0], [u1, v1]) = (min, max);
        ReceiverBounds {
            min: [u0.reduce_min(), v0.reduce_min(), w0.reduce_min()],
            max: [u1.reduce_max(), v1.reduce_max()],
            extent: extent.reduce_max(),
        }
    }
}
