//! The directions about a surface point that near spheres block, and the share of light that few of them leave.

use fearless_simd::{f32x8, i32x8, mask32x8, prelude::*};

use super::caps::{CAPS, CapTable, DIRECTIONS, NO_CAP};
use super::few_caps::{FEW, FEW_NEAR, FewCaps};
use super::near_planes::{NearSpheres, SeenSpheres};
use super::openness::SmoothOcclusion;
use super::shape_field::GRAZING;
use super::soft_shadows::SURFACE;
use crate::lanes::{LANES, Rows3, Sphere8, Vec3x8, dot, dot3, dot3_with, load3, next_lane, splat3};

impl SmoothOcclusion<'_> {
    /// The directions about a normal that near spheres block, seen from a point relative to the viewpoint: by the table
    /// of caps, or by the caps themselves.
    #[inline(always)]
    pub(super) fn blocked<S: Simd, const EXACT: bool>(
        &self,
        simd: S,
        near: NearSpheres<'_>,
        point: [f32; 3],
        frame: [[f32; 3]; 2],
        normal: [f32; 3],
    ) -> u64 {
        let (tangent, bitangent) = (splat3(simd, frame[0]), splat3(simd, frame[1]));
        let one = f32x8::splat(simd, 1.0);
        let caps = &*CAPS;
        let mut blocked = 0;
        for spheres in near.groups {
            let seen = NearGroup::new(simd, spheres, point, normal);
            let NearGroup { toward, radius, distance, height, .. } = seen;
            let is_cap = seen.is_cap(simd, self.reach);
            if is_cap.any_true() {
                let cosine = seen.cosine(simd, self.reach);
                let axis = [dot3(toward, tangent), dot3(toward, bitangent), height];
                let leaving = near.planes.leaving(simd, &seen.seen(), [frame[0], frame[1], normal]);
                if EXACT {
                    let rows = [axis[0].to_array(), axis[1].to_array(), axis[2].to_array()];
                    let least = (cosine * distance).to_array();
                    let mut lanes = is_cap.to_bitmask();
                    while blocked != u64::MAX
                        && let Some(lane) = next_lane(&mut lanes)
                    {
                        let axis = [rows[0][lane], rows[1][lane], rows[2][lane]];
                        blocked |= directions_in_cap(simd, &CAPS.directions, axis, least[lane]) & !leaving[lane];
                    }
                } else {
                    let positions = CapTable::positions(axis, cosine.min(one));
                    let positions = is_cap.select(positions, i32x8::splat(simd, NO_CAP)).to_array();
                    for (position, leaving) in positions.into_iter().zip(leaving) {
                        blocked |= caps.word(position) & !leaving;
                    }
                }
            }
            let mut around = seen.is_around(simd).to_bitmask();
            while let Some(lane) = next_lane(&mut around) {
                let [x, y, z] = [toward[0].to_array(), toward[1].to_array(), toward[2].to_array()];
                let sphere = [x[lane], y[lane], z[lane], radius.to_array()[lane]];
                blocked |= self.blocked_around(sphere, frame, normal);
            }
        }
        blocked
    }

    /// The share of the hemisphere about a normal that few near spheres leave open, seen from a point relative to the
    /// viewpoint; `None` if there are more, or one contains the point.
    pub(super) fn open_under_few<S: Simd>(
        &self,
        simd: S,
        near: NearSpheres<'_>,
        point: [f32; 3],
        normal: [f32; 3],
    ) -> Option<f32> {
        simd.vectorize(
            #[inline(always)]
            || {
                let most = if self.has_few { FEW } else { FEW_NEAR };
                if near.groups.len() > most / LANES {
                    return None;
                }
                let mut caps = FewCaps::NONE;
                for spheres in near.groups {
                    let group = NearGroup::new(simd, spheres, point, normal);
                    if group.is_around(simd).any_true() {
                        return None;
                    }
                    let (seen, is_cap) = (group.seen(), group.is_cap(simd, self.reach));
                    caps.push(
                        simd,
                        &seen,
                        group.cosine(simd, self.reach),
                        [is_cap, near.planes.cut(simd, &seen)],
                        normal,
                    );
                }
                let share = caps.open_share(
                    simd,
                    normal,
                    self.has_few,
                    #[inline(always)]
                    |number, frame| {
                        let group = NearGroup::new(simd, &near.groups[number], point, normal);
                        near.planes.leaving(simd, &group.seen(), frame)
                    },
                );
                Some(share)
            },
        )
    }

    /// The directions that leave another sphere within reach, for a point inside that sphere. If it may stand in for a
    /// shape that does not contain the point, the point counts as a surface point of the sphere: the directions toward
    /// its centre are blocked.
    #[inline(always)]
    fn blocked_around(
        &self,
        [x, y, z, radius]: [f32; 4],
        [tangent, bitangent]: [[f32; 3]; 2],
        normal: [f32; 3],
    ) -> u64 {
        let along = |axis: [f32; 3]| (x * axis[0] + y * axis[1]) + z * axis[2];
        let toward = [along(tangent), along(bitangent), along(normal)];
        if self.has_stand_ins {
            return directions_where(|direction| dot(toward, direction) > 0.0);
        }
        if self.reach == f32::INFINITY {
            return u64::MAX;
        }
        let power = ((x * x + y * y) + z * z) - radius * radius;
        let leaves = |direction: [f32; 3]| {
            let b = (toward[0] * direction[0] + toward[1] * direction[1]) + toward[2] * direction[2];
            b + (b * b - power).max(0.0).sqrt() <= self.reach
        };
        directions_where(leaves)
    }

    /// The directions in which rays leave a sphere of this diameter within reach, for a point on its inside.
    #[inline(always)]
    pub(super) fn blocked_by_own(&self, diameter: f32) -> u64 {
        directions_where(|[_, _, z]| z * diameter <= self.reach)
    }
}

/// Eight near spheres, seen from a surface point.
#[derive(Clone, Copy)]
pub(super) struct NearGroup<S: Simd> {
    pub toward: Vec3x8<S>,
    radius: f32x8<S>,
    squared: f32x8<S>,
    pub distance: f32x8<S>,
    /// Heights of the middles over the tangent plane.
    pub height: f32x8<S>,
}

impl<S: Simd> NearGroup<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, spheres: &Sphere8, point: [f32; 3], normal: [f32; 3]) -> Self {
        let (center, radius) = spheres.load(simd);
        let toward = [center[0] - point[0], center[1] - point[1], center[2] - point[2]];
        let squared = dot3(toward, toward);
        Self { toward, radius, squared, distance: squared.sqrt(), height: dot3_with(toward, normal) }
    }

    #[inline(always)]
    fn seen(&self) -> SeenSpheres<S> {
        SeenSpheres { toward: self.toward, radius: self.radius, distance: self.distance }
    }

    #[inline(always)]
    fn is_outside(&self) -> mask32x8<S> {
        self.squared.simd_gt(self.radius * self.radius * SURFACE)
    }

    /// Which of them cover a cap of the hemisphere.
    #[inline(always)]
    pub(super) fn is_cap(&self, simd: S, reach: f32) -> mask32x8<S> {
        let is_reached = (self.distance - self.radius).simd_lt(f32x8::splat(simd, reach));
        let is_above = (self.height + self.radius).simd_gt(self.radius * GRAZING);
        is_reached & is_above & self.is_outside()
    }

    /// Which of them contain the point.
    #[inline(always)]
    pub(super) fn is_around(&self, simd: S) -> mask32x8<S> {
        !self.is_outside() & self.squared.simd_ge(f32x8::splat(simd, 0.0))
    }

    /// The cosines of the caps' angular radii: of the tangent cones, or of the part of them that is in reach.
    #[inline(always)]
    pub(super) fn cosine(&self, simd: S, reach: f32) -> f32x8<S> {
        let Self { radius, squared, distance, .. } = *self;
        let power = squared - radius * radius;
        let cosine = (power / squared).max(0.0).sqrt();
        if reach == f32::INFINITY {
            return cosine;
        }
        let reach = f32x8::splat(simd, reach);
        let cut = (squared + (reach * reach - radius * radius)) / (distance * reach * 2.0);
        power.simd_gt(reach * reach).select(cut, cosine)
    }
}

/// A bit for each direction that has a dot product of at least `least` with `axis`, of any length.
#[inline(always)]
pub(super) fn directions_in_cap<S: Simd>(simd: S, directions: &[Rows3; 8], axis: [f32; 3], least: f32) -> u64 {
    let least = f32x8::splat(simd, least);
    let mut word = 0;
    for (group, directions) in directions.iter().enumerate() {
        let along = dot3_with(load3(simd, directions), axis);
        word |= along.simd_ge(least).to_bitmask() << (group * LANES);
    }
    word
}

/// One bit per direction of the table.
#[inline(always)]
fn directions_where(holds: impl Fn([f32; 3]) -> bool) -> u64 {
    let mut word = 0;
    for bit in 0..DIRECTIONS {
        let rows = &CAPS.directions[bit / LANES];
        let direction = [rows[0][bit % LANES], rows[1][bit % LANES], rows[2][bit % LANES]];
        word |= u64::from(holds(direction)) << bit;
    }
    word
}
