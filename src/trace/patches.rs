//! Where the hits of a tile lie as a light sees them: boxes around some neighbours each.

use fearless_simd::{f32x8, prelude::*};

use crate::tiles::spheres::LANES;
use crate::trace::visibility::{Layer, Paths};

/// The directions in which boxes are measured: two unit vectors across a light, and the one towards it.
pub(crate) type Axes = [[f32; 3]; 3];

/// A box around neighbouring hits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    /// Along each of the axes.
    pub min: [f32; 3],
    pub max: [f32; 3],
    /// No coordinate that the hits were worked out from is larger.
    pub extent: f32,
}

/// Rows of a patch, which is eight columns wide: fewer bind closer, and cost more.
const ROWS: usize = 4;

impl Patch {
    pub(crate) const NONE: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3], extent: 0.0 };

    pub(crate) fn with(self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
            extent: self.extent.max(other.extent),
        }
    }
}

/// Adds the patches of a layer.
#[inline(always)]
pub(super) fn patches<S: Simd>(
    simd: S,
    (layer, paths): (&Layer, &Paths),
    (stride, axes): (usize, &Axes),
    patches: &mut Vec<Patch>,
) {
    for (distances, first) in layer.distance.chunks(ROWS * stride).zip((0..).step_by(ROWS * stride)) {
        for column in (0..stride).step_by(LANES) {
            let mut min = [f32x8::splat(simd, f32::INFINITY); 3];
            let mut max = [f32x8::splat(simd, f32::NEG_INFINITY); 3];
            let mut extent = f32x8::splat(simd, 0.0);
            for row in (0..distances.len()).step_by(stride) {
                let at = row + column;
                let distance = f32x8::from_slice(simd, &distances[at..at + LANES]);
                let hit = distance.simd_lt(f32::INFINITY);
                if !hit.any_true() {
                    continue;
                }
                let [[sx, sy, sz], [dx, dy, dz]] = paths.lanes(simd, first + at);
                let (x, y, z) = (sx + dx * distance, sy + dy * distance, sz + dz * distance);
                for axis in 0..3 {
                    let [ax, ay, az] = axes[axis];
                    let along = (x * ax + y * ay) + z * az;
                    min[axis] = hit.select(min[axis].min(along), min[axis]);
                    max[axis] = hit.select(max[axis].max(along), max[axis]);
                }
                let from = (sx.abs() + sy.abs()) + (sz.abs() + distance);
                extent = hit.select(extent.max(from), extent);
            }
            let extent = extent.reduce_max();
            if extent > 0.0 {
                let [x, y, z] = min;
                let min = [x.reduce_min(), y.reduce_min(), z.reduce_min()];
                let [x, y, z] = max;
                patches.push(Patch { min, max: [x.reduce_max(), y.reduce_max(), z.reduce_max()], extent });
            }
        }
    }
}
