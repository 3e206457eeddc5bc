//! The share of a round light that is seen past the spheres around a point: soft shadows without rays.
//!
//! A sphere covers the light as far as its silhouette reaches into the light's disk; the shares that several spheres
//! leave are multiplied. A few are tested one by one; distant spheres of a crowd are looked up in the light map, in
//! directions about the light.

use fearless_simd::{f32x8, prelude::*};

use super::caps::CAPS;
use super::footprints::BINS_SIDE;
use super::near_planes::{NearSpheres, SeenSpheres};
use super::near_spheres::directions_in_cap;
use super::octahedron::cells8;
use super::surroundings::Surroundings;
use crate::lanes::{LANES, Rows3, dot, dot3, dot3_with, load3, next_lane, norm, splat3};
use crate::trace::find::sampling::tangents;

/// Points on the circle where two spheres intersect are on the surface of both, but rounding may put them inside one:
/// from this share of the squared radius on, a point counts as outside.
pub(super) const SURFACE: f32 = 1.0 - 1e-5;

/// A directional light with a size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoftLight {
    /// Its number among the lights of the scene.
    pub number: usize,
    /// Unit direction towards the light.
    pub toward: [f32; 3],
    /// The light's radius at distance 1.
    pub radius: f32,
    /// Lookup directions around the light: an inner and an outer ring.
    around: [Rows3; 2],
    /// Unit directions to points spread evenly over the light's disk.
    pub disk: [Rows3; 8],
}

/// Least radii of the rings of lookup directions at distance 1: as wide as the map's bins.
const LEAST_RINGS: [f32; 2] = [0.09, 0.22];

impl SoftLight {
    /// A light of this angle across, with the number 0.
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    pub(crate) fn new(toward: [f32; 3], angle_radians: f32) -> Self {
        let radius = libm::tan(f64::from(angle_radians) * 0.5) as f32;
        let [inner, outer] = LEAST_RINGS;
        let [tangent, bitangent] = tangents(toward);
        let ring = |ring: f32, turn: f64| -> Rows3 {
            std::array::from_fn(|axis| {
                std::array::from_fn(|lane| {
                    let (sin, cos) = libm::sincos(std::f64::consts::TAU * (lane as f64 + turn) / LANES as f64);
                    toward[axis] + ring * (tangent[axis] * cos as f32 + bitangent[axis] * sin as f32)
                })
            })
        };
        let around = [ring(inner.max(0.45 * radius), 0.0), ring(outer.max(0.85 * radius), 0.5)];
        let mut disk = CAPS.directions;
        for (rows, points) in disk.iter_mut().zip(&CAPS.directions) {
            for lane in 0..LANES {
                // a hemisphere's cosine-distributed directions are evenly spread from above
                let [x, y] = [points[0][lane] * radius, points[1][lane] * radius];
                let to: [f32; 3] = std::array::from_fn(|i| toward[i] + (tangent[i] * x + bitangent[i] * y));
                let length = norm(to);
                for (row, along) in rows.iter_mut().zip(to) {
                    row[lane] = along / length;
                }
            }
        }
        Self { number: 0, toward, radius, around, disk }
    }

    /// The share of the light that arrives at a point of a surface; `shift` turns directions from there into directions
    /// from the viewpoint.
    #[inline(always)]
    pub(super) fn arriving<S: Simd>(
        &self,
        simd: S,
        surroundings: &Surroundings,
        near: NearSpheres<'_>,
        point: [f32; 3],
        shift: [f32; 3],
    ) -> f32 {
        let blockers = surroundings.blockers(self);
        let share = self.past(simd, NearSpheres { groups: &blockers.spheres.groups, ..near }, point);
        if !blockers.are_crowd || share <= 0.0 {
            return share;
        }
        share.min(self.past(simd, near, point) * self.past_crowd(simd, surroundings, shift))
    }

    /// The share of the light that some spheres leave to a point; spheres and point are relative to a viewpoint.
    #[inline(always)]
    fn past<S: Simd>(&self, simd: S, near: NearSpheres<'_>, point: [f32; 3]) -> f32 {
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let mut through = one;
        for spheres in near.groups {
            let (center, radius) = spheres.load(simd);
            let toward = [center[0] - point[0], center[1] - point[1], center[2] - point[2]];
            let along = dot3_with(toward, self.toward);
            let squared = dot3(toward, toward);
            let across = (squared - along * along).max(0.0).sqrt();
            // the radius of the light at the distance of the sphere
            let width = along * self.radius;
            let covered = disk_overlap(across, radius, width);
            let is_in_front = along.simd_gt(zero);
            let is_around = squared.simd_lt(radius * radius * SURFACE);
            let mut covered = is_around.select(one, is_in_front.select(covered, zero));
            if !near.planes.is_empty() {
                let seen = SeenSpheres { toward, radius, distance: squared.sqrt() };
                covered = near.planes.unreached(simd, &seen, self.toward).select(zero, covered);
            }
            through *= one - covered;
        }
        let [a, b, c, d, e, f, g, h] = through.to_array();
        ((a * b) * (c * d)) * ((e * f) * (g * h))
    }

    /// The points of the light's disk that some spheres hide.
    #[inline(always)]
    pub(super) fn hidden<S: Simd>(&self, simd: S, near: NearSpheres<'_>, point: [f32; 3]) -> u64 {
        let mut hidden = 0;
        for spheres in near.groups {
            let (center, radius) = spheres.load(simd);
            let toward = [center[0] - point[0], center[1] - point[1], center[2] - point[2]];
            let squared = dot3(toward, toward);
            let seen = SeenSpheres { toward, radius, distance: squared.sqrt() };
            let reached = !near.planes.unreached(simd, &seen, self.toward);
            let mut lanes = (radius.simd_gt(0.0) & reached).to_bitmask();
            let rows = [toward[0].to_array(), toward[1].to_array(), toward[2].to_array()];
            let radius = radius.to_array();
            while let Some(lane) = next_lane(&mut lanes) {
                let axis = [rows[0][lane], rows[1][lane], rows[2][lane]];
                let squared = dot(axis, axis);
                let power = squared - radius[lane] * radius[lane];
                if squared < radius[lane] * radius[lane] * SURFACE {
                    return u64::MAX;
                }
                hidden |= directions_in_cap(simd, &self.disk, axis, power.max(f32::MIN_POSITIVE).sqrt());
            }
        }
        hidden
    }

    /// The share of the light that distant spheres let through, looked up in the light map for a point that is offset
    /// from the map's viewpoint.
    #[inline(always)]
    fn past_crowd<S: Simd>(&self, simd: S, surroundings: &Surroundings, shift: [f32; 3]) -> f32 {
        let shift = splat3(simd, shift);
        let mut sum = 0.0;
        for around in &self.around {
            let around = load3(simd, around);
            let direction = [around[0] + shift[0], around[1] + shift[1], around[2] + shift[2]];
            let bins = cells8(direction, BINS_SIDE).to_array();
            let [a, b, c, d, e, f, g, h] = bins.map(|bin| surroundings.far[bin.cast_unsigned() as usize]);
            sum += ((a + b) + (c + d)) + ((e + f) + (g + h));
        }
        sum * (0.5 / LANES as f32)
    }
}

/// The share of a disk of radius `of` that another disk covers, with its centre `apart` from the first's: a polynomial
/// for a straight edge across the smaller disk, corrected for the curvature of the larger one. Within 0.015 of the
/// area.
#[inline(always)]
fn disk_overlap<S: Simd>(apart: f32x8<S>, radius: f32x8<S>, of: f32x8<S>) -> f32x8<S> {
    let (smaller, larger) = (radius.min(of), radius.max(of));
    let ratio = (radius / of).min(1.0);
    // −1 where the smaller disk is about to leave the larger one, 1 where they part
    let edge = ((apart - larger) / smaller).max(-1.0).min(1.0);
    let squared = edge * edge;
    let outside = edge * ((squared * -0.1134 - 0.0232) * squared + std::f32::consts::FRAC_2_PI);
    let (left, inside) = (edge * 0.5 + 0.5, 0.5 - edge * 0.5);
    let bent = (smaller / larger) * left * (inside * inside) * 0.9;
    ((0.5 - outside) - bent).max(0.0).min(1.0) * (ratio * ratio)
}
