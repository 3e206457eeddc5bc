//! Clip planes: the remaining interval of each ray, and the flat caps where it begins inside a sphere.
//!
//! The space between the planes is convex, so that one interval of a ray lies in it. A sphere is seen where that
//! interval meets it first: on its own surface, or on the cap where the interval begins inside it. Caps of several
//! spheres lie at the same distance; the sphere of least power |p − c|² − r² owns the point, so that borders between
//! caps continue the lines where the spheres meet.

use fearless_simd::{f32x8, mask32x8, prelude::*};
use glam::Vec3;

use crate::geom::Sphere;
use crate::lanes::{Vec3x8, dot, dot3_with};
use crate::scene::spheres::ClipPlane;
use crate::shapes::{OcclusionRay, Target};

/// The part of space that is drawn, seen from an eye.
#[derive(Clone, Debug)]
pub(crate) struct ClipRegion {
    planes: Vec<EyePlane>,
}

/// A plane relative to an eye.
#[derive(Clone, Copy, Debug)]
struct EyePlane {
    /// The unit normal towards the removed side.
    normal: [f32; 3],
    /// Dot product of the normal with any point of the plane.
    offset: f32,
}

/// Hits of eight rays with a clipped sphere.
#[derive(Clone, Copy)]
pub(crate) struct CutHits<S: Simd, A> {
    /// How the rays pass the primitive.
    pub approach: A,
    /// World units; unspecified where `is_hit` is false.
    pub distance: f32x8<S>,
    pub is_hit: mask32x8<S>,
    /// Whether the hit is on a cap.
    pub is_cap: mask32x8<S>,
    /// Where the hit is on a cap, its [depth](Target::depth_at); elsewhere unspecified.
    pub depth: f32x8<S>,
}

impl ClipRegion {
    /// `None` without planes that cut anything.
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    pub(crate) fn new(planes: &[ClipPlane], eye: [f32; 3]) -> Option<Self> {
        let eye = Vec3::from(eye).as_dvec3();
        let plane = |plane: &ClipPlane| {
            let normal = plane.boundary.normal.as_dvec3();
            let (unit, offset) = (normal.try_normalize()?, f64::from(plane.boundary.offset));
            let from_eye = ((offset - normal.dot(eye)) / normal.length()) as f32;
            from_eye.is_finite().then_some(EyePlane { normal: unit.as_vec3().to_array(), offset: from_eye })
        };
        let planes: Vec<EyePlane> = planes.iter().filter_map(plane).collect();
        (!planes.is_empty()).then_some(Self { planes })
    }

    /// Unit normals, towards the removed side, and offsets of the planes.
    pub(crate) fn planes(&self) -> impl Iterator<Item = ([f32; 3], f32)> {
        self.planes.iter().map(|plane| (plane.normal, plane.offset))
    }

    /// Start (at least 0) and end of the clipped intervals of eight rays. An interval that ends before it starts is
    /// empty.
    #[inline(always)]
    pub(crate) fn kept8<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> [f32x8<S>; 2] {
        let zero = f32x8::splat(simd, 0.0);
        let (mut begin, mut end) = (zero, f32x8::splat(simd, f32::INFINITY));
        for plane in &self.planes {
            let gap = f32x8::splat(simd, plane.offset) - dot3_with(origin, plane.normal);
            let slope = dot3_with(direction, plane.normal);
            let at = gap / slope;
            let (leaves, enters) = (slope.simd_gt(zero), slope.simd_lt(zero));
            end = (leaves & at.simd_lt(end)).select(at, end);
            begin = (enters & at.simd_gt(begin)).select(at, begin);
            let is_outside = gap.simd_lt(zero) & !leaves & !enters;
            end = is_outside.select(f32x8::splat(simd, -1.0), end);
        }
        [begin, end]
    }

    /// Distance along a ray from a drawn point to the boundary of the drawn space.
    #[inline(always)]
    fn end(&self, origin: [f32; 3], direction: [f32; 3]) -> f32 {
        let mut end = f32::INFINITY;
        for plane in &self.planes {
            let slope = dot(direction, plane.normal);
            let at = (plane.offset - dot(origin, plane.normal)) / slope;
            if slope > 0.0 && at < end {
                end = at;
            }
        }
        end
    }

    /// Whether a plane removes some of a sphere; its centre is relative to the eye.
    #[inline(always)]
    pub(crate) fn cuts(&self, Sphere { center, radius }: Sphere<3>) -> bool {
        self.planes.iter().any(|plane| dot(center, plane.normal) + radius > plane.offset)
    }

    /// A ray clipped to the drawn space.
    #[inline(always)]
    pub(crate) fn shortened(&self, ray: &OcclusionRay) -> OcclusionRay {
        OcclusionRay { length: ray.length.min(self.end(ray.origin, ray.direction)), ..*ray }
    }

    /// Normal, towards the rays' origins, of the plane through the points at these distances along eight rays.
    #[inline(always)]
    pub(crate) fn cap_normals<S: Simd>(
        &self,
        simd: S,
        origin: Vec3x8<S>,
        direction: Vec3x8<S>,
        distance: f32x8<S>,
    ) -> Vec3x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        let mut normals = [zero; 3];
        for plane in &self.planes {
            let gap = f32x8::splat(simd, plane.offset) - dot3_with(origin, plane.normal);
            let slope = dot3_with(direction, plane.normal);
            let is_own = (gap / slope).simd_eq(distance);
            let faces = slope.simd_lt(zero);
            for (normal, along) in normals.iter_mut().zip(plane.normal) {
                let along = f32x8::splat(simd, along);
                *normal = is_own.select(faces.select(along, zero - along), *normal);
            }
        }
        normals
    }

    /// The normal of the plane that a point lies in, as near as rounding leaves it.
    pub(crate) fn normal_at(&self, point: [f32; 3]) -> Option<[f32; 3]> {
        let distance = |plane: &EyePlane| (dot(point, plane.normal) - plane.offset).abs();
        let nearest = self.planes.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map(|plane| plane.normal)
    }

    /// The plane that removes a point by the greatest distance, relative to the eye: its normal and offset. `None` for
    /// a point that is drawn.
    pub(crate) fn cutting_plane(&self, point: [f32; 3]) -> Option<([f32; 3], f32)> {
        let outside = |plane: &&EyePlane| dot(point, plane.normal) - plane.offset;
        let cutting = self.planes.iter().filter(|plane| outside(plane) > 0.0);
        let farthest = cutting.max_by(|a, b| outside(a).total_cmp(&outside(b)))?;
        Some((farthest.normal, farthest.offset))
    }
}

/// Hits of eight clipped rays with a clipped sphere.
#[inline(always)]
pub(crate) fn cut_hits<S: Simd, T: Target>(
    simd: S,
    target: &T,
    direction: Vec3x8<S>,
    origins: Option<Vec3x8<S>>,
    [begin, end]: [f32x8<S>; 2],
) -> CutHits<S, T::Approach<S>> {
    let zero = f32x8::splat(simd, 0.0);
    let approach = target.approach(simd, direction, origins);
    let [enter, exit] = target.crossings(simd, approach, origins.is_some());
    let is_surface = enter.simd_ge(begin);
    let is_behind_plane = begin.simd_gt(zero);
    // an eye inside a sphere sees its far side, or the plane before that
    let from_inside = exit.simd_lt(end).select(exit, end);
    let distance = is_surface.select(enter, is_behind_plane.select(begin, from_inside));
    let is_met = is_surface | exit.simd_gt(begin);
    let is_hit = T::meets(approach) & is_met & distance.simd_le(end);
    let is_cap = is_hit & !is_surface & (is_behind_plane | exit.simd_gt(end));
    let depth = target.depth_at(simd, approach, distance);
    CutHits { approach, distance, is_hit, is_cap, depth }
}
