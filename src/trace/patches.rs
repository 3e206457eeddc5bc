//! Where what a tile shows lies as a light sees it: boxes around small spheres, and around some hits each of large ones.

use fearless_simd::{Level, dispatch, f32x8, mask32x8, prelude::*};

use crate::scene::{EyeSphere, Rays};
use crate::tiles::spheres::LANES;
use crate::trace::light_columns::MARGIN;
use crate::trace::lit::first_lanes;
use crate::trace::shade::dot;
use crate::trace::shown::{Run, Shown};
use crate::trace::visibility::{Area, Layer, Paths, Sight};

/// The directions in which boxes are measured: two unit vectors across a light, and the one towards it.
pub(crate) type Axes = [[f32; 3]; 3];

/// A box around points that a light may shine on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    /// Along each of the axes.
    pub min: [f32; 3],
    /// Along the two across the light.
    pub max: [f32; 2],
    /// No coordinate that the points were worked out from is larger.
    pub extent: f32,
}

impl Patch {
    pub(crate) const NONE: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 2], extent: 0.0 };

    pub(crate) fn with(self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
            extent: self.extent.max(other.extent),
        }
    }

    /// Around that half of a sphere which faces the light.
    fn half(EyeSphere { center, radius }: EyeSphere, axes: &Axes) -> Self {
        let [u, v, w] = axes.map(|axis| dot(center, axis));
        let extent = (center[0].abs() + center[1].abs()) + (center[2].abs() + radius);
        Self { min: [u - radius, v - radius, w], max: [u + radius, v + radius], extent }
    }
}

/// The patches of what a tile shows. Spheres of a radius over `small` may hide more than they show.
pub(super) fn patches(
    level: Level,
    (shown, rays, small): (&Shown, &Rays, f32),
    (area, sight, paths): (Area, &Sight, &[Paths]),
    axes: &Axes,
) -> Vec<Patch> {
    let mut patches = Vec::with_capacity(shown.spheres.len());
    for sphere in &shown.spheres {
        let seen = sphere.seen;
        let half = Patch::half(seen, axes);
        // rays start in the plane of the eye: what is seen from inside reaches it
        if seen.radius <= small && dot(seen.center, rays.forward).abs() > seen.radius + half.extent * MARGIN {
            patches.push(half);
            continue;
        }
        for run in shown.runs(sphere) {
            let (layer, at) = area.place(run.start);
            let of = (&sight.layers[layer], &paths[layer]);
            patches.push(dispatch!(level, simd => patch(simd, of, (at, run), axes)));
        }
    }
    patches
}

/// Around the hits of a run.
#[inline(always)]
fn patch<S: Simd>(simd: S, (layer, paths): (&Layer, &Paths), (first, run): (usize, Run), axes: &Axes) -> Patch {
    let mut min = [f32x8::splat(simd, f32::INFINITY); 3];
    let mut max = [f32x8::splat(simd, f32::NEG_INFINITY); 2];
    let mut extent = f32x8::splat(simd, 0.0);
    for step in (0..run.length as usize).step_by(LANES) {
        let at = first + step;
        let distance = f32x8::from_slice(simd, &layer.distance[at..at + LANES]);
        let hit = mask32x8::from_bitmask(simd, first_lanes(run.length as usize - step));
        let [[sx, sy, sz], [dx, dy, dz]] = paths.lanes(simd, at);
        let (x, y, z) = (sx + dx * distance, sy + dy * distance, sz + dz * distance);
        for axis in 0..3 {
            let [ax, ay, az] = axes[axis];
            let along = (x * ax + y * ay) + z * az;
            min[axis] = hit.select(min[axis].min(along), min[axis]);
            if axis < 2 {
                max[axis] = hit.select(max[axis].max(along), max[axis]);
            }
        }
        let from = (sx.abs() + sy.abs()) + (sz.abs() + distance);
        extent = hit.select(extent.max(from), extent);
    }
    let ([u0, v0, w0], [u1, v1]) = (min, max);
    Patch {
        min: [u0.reduce_min(), v0.reduce_min(), w0.reduce_min()],
        max: [u1.reduce_max(), v1.reduce_max()],
        extent: extent.reduce_max(),
    }
}
