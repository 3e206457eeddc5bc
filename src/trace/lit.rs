//! Hits that lights alone shine on, eight neighbouring pixels at a time.
//!
//! The arithmetic is that of one hit, [`crate::trace::shade`], lane by lane: the same pixels. Eyes inside a sphere and
//! numbers whose squares leave the range of `f32` are left to it.

use std::ops::Range;

use fearless_simd::{f32x8, prelude::*};

use crate::scene::{Roster, Seen};
use crate::tiles::spheres::LANES;
use crate::trace::linear;
use crate::trace::visibility::{Layer, Paths};

/// Spheres that eight neighbouring pixels show; a place holder where there is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spheres {
    /// A bit for each pixel that shows one.
    pub hits: u64,
    center: [[f32; LANES]; 3],
    radius: [f32; LANES],
    /// Linear light.
    color: [[f32; LANES]; 3],
}

/// The sphere that was looked up last: most neighbours show the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    index: u32,
    seen: Seen,
    color: [f32; 3],
}

/// Points of eight spheres and the normals there, which face the eye.
pub(super) struct Surfaces<S: Simd> {
    pub point: [f32x8<S>; 3],
    pub normal: [f32x8<S>; 3],
    pub color: [f32x8<S>; 3],
    /// A bit for each sphere that is seen from inside.
    pub inside: u64,
    pub spheres: Spheres,
}

impl Last {
    pub(super) const NONE: Self = Self { index: u32::MAX, seen: Seen::NOWHERE, color: [0.0; 3] };
}

impl Spheres {
    const NONE: Self = Self { hits: 0, center: [[1.0; LANES]; 3], radius: [1.0; LANES], color: [[0.0; LANES]; 3] };

    /// Looks up what up to eight places of a layer show.
    #[inline(always)]
    pub(super) fn of(roster: &Roster<'_>, layer: &Layer, lanes: Range<usize>, last: &mut Last) -> Self {
        let mut spheres = Self::NONE;
        for (lane, (&distance, &index)) in layer.distance[lanes.clone()].iter().zip(&layer.index[lanes]).enumerate() {
            if distance < f32::INFINITY {
                if last.index != index {
                    let (seen, sphere) = roster.sphere(index);
                    *last = Last { index, seen, color: linear(sphere.color) };
                }
                spheres.hits |= 1 << lane;
                for axis in 0..3 {
                    spheres.center[axis][lane] = last.seen.center[axis];
                    spheres.color[axis][lane] = last.color[axis];
                }
                spheres.radius[lane] = last.seen.radius;
            }
        }
        spheres
    }

    #[inline(always)]
    pub(super) fn seen(&self, lane: usize) -> Seen {
        let [x, y, z] = &self.center;
        Seen { center: [x[lane], y[lane], z[lane]], radius: self.radius[lane] }
    }

    /// Where the rays of a layer meet the spheres; `None` where that takes more than plain `f32`.
    #[inline(always)]
    pub(super) fn surfaces<S: Simd>(self, simd: S, paths: &Paths, at: usize) -> Option<Surfaces<S>> {
        let load = |row: &[f32; LANES]| f32x8::load_array_ref(simd, row);
        let center = [load(&self.center[0]), load(&self.center[1]), load(&self.center[2])];
        let r = load(&self.radius);
        let size = center[0].abs().max(center[1].abs()).max(center[2].abs()).max(r);
        let plain = size.simd_gt(1e-12) & size.simd_lt(1e18) & dot(center, center).simd_gt(r * r * 1.001);
        if !plain.all_true() {
            return None;
        }
        let inverse_radius = f32x8::splat(simd, 1.0) / r.max(f32::MIN_POSITIVE);
        let [start, d] = paths.lanes(simd, at);
        let oc = [center[0] - start[0], center[1] - start[1], center[2] - start[2]];
        let b = dot(oc, d);
        let f = [oc[0] - b * d[0], oc[1] - b * d[1], oc[2] - b * d[2]];
        let depth = (r * r - dot(f, f)).max(0.0).sqrt();
        let starts = !(start[0].simd_eq(0.0) & start[1].simd_eq(0.0) & start[2].simd_eq(0.0));
        let inside = starts & b.simd_lt(depth);
        let radius = f32x8::splat(simd, 1.0) / inverse_radius;
        let side = inside.select(f32x8::splat(simd, -1.0), f32x8::splat(simd, 1.0));
        let across = |axis: usize| -(f[axis] * side + depth * d[axis]) * inverse_radius;
        let normal = [across(0), across(1), across(2)];
        let reach = radius * side;
        let point = [center[0] + normal[0] * reach, center[1] + normal[1] * reach, center[2] + normal[2] * reach];
        let color = [load(&self.color[0]), load(&self.color[1]), load(&self.color[2])];
        let inside = inside.to_bitmask() & self.hits;
        Some(Surfaces { point, normal, color, inside, spheres: self })
    }
}

#[inline(always)]
pub(super) fn dot<S: Simd>(a: [f32x8<S>; 3], b: [f32x8<S>; 3]) -> f32x8<S> {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}
