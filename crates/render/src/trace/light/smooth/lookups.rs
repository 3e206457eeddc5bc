//! A lookup table of normals, in cells of about two degrees: the bins of the light map for the directions about a
//! normal.

use std::sync::LazyLock;

use fearless_simd::{Level, dispatch, i32x8, prelude::*};

use super::caps::{CAPS, DIRECTIONS};
use super::footprints::BINS_SIDE;
use super::octahedron::{cells8, middle, normalized, point};
use crate::lanes::{LANES, Rows3, load3};
use crate::trace::find::sampling::tangents;

/// tuned: benches/spheres.rs. Distant spheres are looked up from the middle of a sphere as if they were this many radii
/// away from it.
pub(super) const DISTANCE: f32 = 3.7;

/// Cells per side of a hemisphere of normals.
const SIDE: usize = 48;

/// The bin of each direction.
pub(super) type Bins = [[u8; LANES]; DIRECTIONS / LANES];

/// The bins of the directions about normals, for points on one side of a sphere.
#[derive(Debug)]
pub(super) struct LookupTable {
    /// The upper hemisphere of normals, then the lower one, where tangents turn over.
    bins: Vec<Bins>,
}

/// For points that are seen from outside: their normals point away from the middle.
pub(super) static NEAR_LOOKUPS: LazyLock<LookupTable> = LazyLock::new(|| LookupTable::new(DISTANCE));

/// For points that are seen from inside: their normals point to the middle.
pub(super) static FAR_LOOKUPS: LazyLock<LookupTable> = LazyLock::new(|| LookupTable::new(-DISTANCE));

impl LookupTable {
    #[expect(clippy::cast_possible_truncation, reason = "normals are rounded once from f64; bins are few")]
    fn new(distance: f32) -> Self {
        let level = Level::new();
        let bins = (0..2 * SIDE * SIDE).map(|cell| {
            let (hemisphere, cell) = (cell / (SIDE * SIDE), cell % (SIDE * SIDE));
            let [u, v] = [cell % SIDE, cell / SIDE].map(|at| middle(at, SIDE));
            // the square turned by an eighth, so that it lies on one side of the octahedron
            let [x, y, z] = normalized(point([(u + v) * 0.5, (u - v) * 0.5]));
            let z = if hemisphere == 0 { z } else { -z };
            let normal = [x as f32, y as f32, z as f32];
            dispatch!(level, simd => bins_about(simd, normal, distance))
        });
        Self { bins: bins.collect() }
    }

    /// The bins of the directions about a unit normal.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cells are few, and not negative")]
    pub(super) fn bins(&self, [x, y, z]: [f32; 3]) -> &Bins {
        let scale = (0.5 * SIDE as f32) / ((x.abs() + y.abs()) + z.abs());
        let cell = |along: f32| ((along * scale + 0.5 * SIDE as f32) as usize).min(SIDE - 1);
        let hemisphere = if z.is_sign_negative() { SIDE } else { 0 };
        &self.bins[(hemisphere + cell(x - y)) * SIDE + cell(x + y)]
    }
}

/// The bins of eight directions about a normal and two tangents; `shift` corrects for the distance from the middle of
/// the map.
#[inline(always)]
pub(super) fn cells_about<S: Simd>(
    simd: S,
    directions: &Rows3,
    [tangent, bitangent]: [[f32; 3]; 2],
    normal: [f32; 3],
    shift: [f32; 3],
) -> i32x8<S> {
    let [x, y, z] = load3(simd, directions);
    // a loop: a closure handed to `from_fn` is compiled without the instructions of the level
    let mut moved = [x; 3];
    for axis in 0..3 {
        moved[axis] = ((x * tangent[axis] + y * bitangent[axis]) + z * normal[axis]) + shift[axis];
    }
    cells8(moved, BINS_SIDE)
}

/// The bins of all directions about a normal, as seen from the middle of a sphere on which the point lies; `distance`
/// is the distance of the spheres around it in radii, negative if the normal points to the middle.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bins are few, and not negative")]
#[inline(always)]
fn bins_about<S: Simd>(simd: S, normal: [f32; 3], distance: f32) -> Bins {
    let shift = normal.map(|along| along / distance);
    let mut bins = [[0; LANES]; DIRECTIONS / LANES];
    for (bins, directions) in bins.iter_mut().zip(&CAPS.directions) {
        *bins = cells_about(simd, directions, tangents(normal), normal, shift).to_array().map(|bin| bin as u8);
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_find_the_bins_of_their_cell() {
        for (sign, table, distance) in [
            (1.0f32, &*NEAR_LOOKUPS, DISTANCE),
            (-1.0, &*NEAR_LOOKUPS, DISTANCE),
            (1.0, &*FAR_LOOKUPS, -DISTANCE),
            (-1.0, &*FAR_LOOKUPS, -DISTANCE),
        ] {
            for (x, y) in [(0.0f32, 0.0f32), (0.3, 0.2), (-0.5, 0.1), (0.05, -0.7), (-0.6, -0.6)] {
                let normal = [x, y, sign * (1.0 - x * x - y * y).sqrt()];
                let wanted = dispatch!(Level::new(), simd => bins_about(simd, normal, distance));
                let found = table.bins(normal);
                let same = wanted.as_flattened().iter().zip(found.as_flattened()).filter(|(a, b)| a == b).count();
                assert!(same > DIRECTIONS * 2 / 3, "{normal:?}: {same}");
            }
        }
    }
}
