//! Clip planes around a surface point: a ray that leaves the drawn space before it reaches a sphere is not blocked by
//! it.

use fearless_simd::{f32x8, i32x8, mask32x8, prelude::*};

use super::caps::{CAPS, CapTable, NO_CAP};
use crate::lanes::{LANES, Sphere8, Vec3x8, dot, dot3_with, splat3};
use crate::trace::find::clip::ClipRegion;

/// The nearest clip planes of a surface point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearPlanes {
    planes: [NearPlane; MOST],
    count: usize,
}

/// A clip plane, relative to the point.
#[derive(Clone, Copy, Debug)]
struct NearPlane {
    /// Unit normal towards the removed side.
    normal: [f32; 3],
    /// Distance of the point from the plane; negative on the removed side.
    gap: f32,
}

/// Near spheres, relative to a viewpoint, and the planes that cut them.
#[derive(Clone, Copy)]
pub(super) struct NearSpheres<'a> {
    pub groups: &'a [Sphere8],
    pub planes: &'a NearPlanes,
}

/// Some spheres seen from the surface point.
#[derive(Clone, Copy)]
pub(super) struct SeenSpheres<S: Simd> {
    pub toward: Vec3x8<S>,
    pub radius: f32x8<S>,
    pub distance: f32x8<S>,
}

/// Maximum number of planes: the sides of a box. Farther ones are ignored.
const MOST: usize = 6;

/// tuned: the cut scenes of tests/pictures/smooth_occlusion.rs. The weight of a sphere's silhouette in its distance.
const SILHOUETTE: f32 = 0.15;

impl NearPlanes {
    pub(crate) const NONE: Self = Self { planes: [NearPlane { normal: [0.0; 3], gap: f32::INFINITY }; MOST], count: 0 };

    /// The planes around a point that is relative to the eye.
    #[inline(always)]
    pub(crate) fn new(clip: Option<&ClipRegion>, point: [f32; 3]) -> Self {
        let mut near = Self::NONE;
        for (normal, offset) in clip.into_iter().flat_map(ClipRegion::planes) {
            let plane = NearPlane { normal, gap: offset - dot(point, normal) };
            if near.count < MOST {
                near.planes[near.count] = plane;
                near.count += 1;
            } else if let Some(farthest) = near.planes.iter_mut().max_by(|a, b| a.gap.total_cmp(&b.gap))
                && plane.gap < farthest.gap
            {
                *farthest = plane;
            }
        }
        near
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Which of eight points, relative to this one, are removed.
    #[inline(always)]
    pub(super) fn removed<S: Simd>(&self, simd: S, toward: Vec3x8<S>) -> mask32x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        let mut removed = zero.simd_gt(zero);
        for plane in &self.planes[..self.count] {
            removed |= dot3_with(toward, plane.normal).simd_gt(f32x8::splat(simd, plane.gap));
        }
        removed
    }

    /// Whether a point, relative to this one, is removed.
    pub(super) fn removes(&self, toward: [f32; 3]) -> bool {
        self.planes[..self.count].iter().any(|plane| dot(toward, plane.normal) > plane.gap)
    }

    /// How far eight rays stay in the drawn space.
    #[inline(always)]
    pub(super) fn room<S: Simd>(&self, simd: S, direction: Vec3x8<S>) -> f32x8<S> {
        let mut room = f32x8::splat(simd, f32::INFINITY);
        for plane in &self.planes[..self.count] {
            let (slope, gap) = (dot3_with(direction, plane.normal), f32x8::splat(simd, plane.gap.max(0.0)));
            room = slope.simd_gt(0.0).select((gap / slope).min(room), room);
        }
        room
    }

    /// Which of eight spheres some plane cuts.
    #[inline(always)]
    pub(super) fn cut<S: Simd>(&self, simd: S, spheres: &SeenSpheres<S>) -> mask32x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        let mut cut = zero.simd_gt(zero);
        for plane in &self.planes[..self.count] {
            cut |= (dot3_with(spheres.toward, plane.normal) + spheres.radius).simd_gt(f32x8::splat(simd, plane.gap));
        }
        cut
    }

    /// For each of eight spheres, the directions about a normal in which rays leave the drawn space before they reach
    /// it.
    #[inline(always)]
    pub(super) fn leaving<S: Simd>(
        &self,
        simd: S,
        spheres: &SeenSpheres<S>,
        [tangent, bitangent, normal]: [[f32; 3]; 3],
    ) -> [u64; LANES] {
        let mut leaving = [0; LANES];
        if self.is_empty() {
            return leaving;
        }
        let (none, one) = (i32x8::splat(simd, NO_CAP), f32x8::splat(simd, 1.0));
        let reach = spheres.reach();
        for plane in &self.planes[..self.count] {
            let gap = f32x8::splat(simd, plane.gap.max(0.0));
            let is_cut = (dot3_with(spheres.toward, plane.normal) + spheres.radius).simd_gt(gap) & gap.simd_lt(reach);
            if is_cut.any_true() {
                let axis = [dot(plane.normal, tangent), dot(plane.normal, bitangent), dot(plane.normal, normal)];
                let positions = CapTable::positions(splat3(simd, axis), (gap / reach).min(one));
                let positions = is_cut.select(positions, none).to_array();
                for (leaving, position) in leaving.iter_mut().zip(positions) {
                    *leaving |= CAPS.word(position);
                }
            }
        }
        leaving
    }

    /// The spheres, of eight, that a ray does not reach because it leaves the drawn space first.
    #[inline(always)]
    pub(super) fn unreached<S: Simd>(&self, simd: S, spheres: &SeenSpheres<S>, direction: [f32; 3]) -> mask32x8<S> {
        let (reach, zero) = (spheres.reach(), f32x8::splat(simd, 0.0));
        let mut hidden = zero.simd_gt(zero);
        for plane in &self.planes[..self.count] {
            let slope = dot(direction, plane.normal).max(0.0);
            hidden |= (reach * slope).simd_gt(f32x8::splat(simd, plane.gap.max(0.0)));
        }
        hidden
    }
}

impl<S: Simd> SeenSpheres<S> {
    /// How far rays go before they meet a sphere: between its nearest point and the points of its silhouette.
    #[inline(always)]
    fn reach(&self) -> f32x8<S> {
        let power = self.distance * self.distance - self.radius * self.radius;
        (self.distance - self.radius) * (1.0 - SILHOUETTE) + power.max(0.0).sqrt() * SILHOUETTE
    }
}
