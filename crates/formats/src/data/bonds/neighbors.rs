//! Numbers of neighbours.

use rayon::prelude::*;

use super::distance::Atoms;
use crate::data::cell::Cell;
use crate::data::cubes::PointCubes;

/// Rows of one parallel task, at least.
const LEAST: usize = 1 << 10;

/// Number of rows, evenly spaced, that are sampled for the typical distance of neighbours.
const SAMPLE: usize = 1 << 12;

/// The neighbour, counted from the nearest, whose distance represents the first shell: atoms of most solids have four
/// or more, and motion brings the very nearest too near.
const TYPICAL: usize = 4;

/// Reach of neighbours as a multiple of the median typical distance: between the first and the second shell of
/// close-packed crystals, at 1 and 1.41.
const FIRST_SHELL: f64 = 1.3;

/// Counts the neighbours of each place within `reach`, periodic images included; without a reach, neighbours in the
/// first shell.
pub fn neighbor_counts(places: &[[f64; 3]], cell: Option<&Cell>, reach: Option<f64>) -> Vec<u32> {
    let reach = reach.unwrap_or_else(|| FIRST_SHELL * typical_distance(places, cell));
    if !(reach > 0.0 && reach.is_finite()) {
        return vec![0; places.len()];
    }
    let (own, cubes) = sites(places, cell, reach);
    // without itself
    let count = |place: &[f64; 3]| cubes.near(*place).map(|square| u32::from(square <= reach * reach)).sum::<u32>() - 1;
    own.par_iter().with_min_len(LEAST).map(count).collect()
}

/// The median distance to the typical neighbour, or to the farthest of fewer; 0 if there are no two places.
fn typical_distance(places: &[[f64; 3]], cell: Option<&Cell>) -> f64 {
    let corner =
        |axis: usize, of: fn(f64, f64) -> f64, start: f64| places.iter().map(|place| place[axis]).fold(start, of);
    let sides = [0, 1, 2].map(|axis| corner(axis, f64::max, f64::NEG_INFINITY) - corner(axis, f64::min, f64::INFINITY));
    let longest = sides.into_iter().fold(0.0, f64::max);
    // a plane of particles is a box as thick as a hundredth of its length
    let volume: f64 = sides.map(|side| side.max(0.01 * longest)).iter().product();
    let spacing = libm::cbrt(volume / places.len().max(1) as f64);
    if !(spacing > 0.0 && spacing.is_finite()) || places.len() < 2 {
        return 0.0;
    }
    let mut reach = 2.0 * spacing;
    loop {
        let mut found = typical_distances(places, cell, reach);
        let is_enough = 2 * found.len() >= places.len().min(SAMPLE);
        if is_enough || reach > longest {
            found.sort_unstable_by(f64::total_cmp);
            return found.get(found.len() / 2).copied().unwrap_or(reach);
        }
        // rows on a line or in clumps are spaced otherwise than their bounding box suggests
        reach *= 2.0;
    }
}

/// The distances of sampled places to their typical neighbours; places without a neighbour within reach are left out.
fn typical_distances(places: &[[f64; 3]], cell: Option<&Cell>, reach: f64) -> Vec<f64> {
    let (own, cubes) = sites(places, cell, reach);
    let typical = |place: &[f64; 3]| {
        // the place itself is the nearest of all
        let mut least = [f64::INFINITY; TYPICAL + 1];
        cubes.near(*place).for_each(|square| {
            if square < least[TYPICAL] && square <= reach * reach {
                least[TYPICAL] = square;
                least.sort_unstable_by(f64::total_cmp);
            }
        });
        least[1..].iter().copied().filter(|square| square.is_finite()).fold(f64::NAN, f64::max).sqrt()
    };
    let sample = own.iter().step_by(own.len() / SAMPLE + 1);
    sample.map(typical).filter(|distance| !distance.is_nan()).collect()
}

/// The places in their box, in order, and cubes that also hold the periodic images within reach.
fn sites(places: &[[f64; 3]], cell: Option<&Cell>, reach: f64) -> (Vec<[f64; 3]>, PointCubes) {
    let atoms = Atoms { places, elements: &[], cell };
    let (all, _) = atoms.sites(reach, &|_| true);
    let own: Vec<[f64; 3]> = all.iter().filter(|site| site.image == [0; 3]).map(|site| site.place).collect();
    (own, PointCubes::new(all.iter().map(|site| site.place), reach))
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};

    use super::*;

    /// A face-centred lattice of four cells a side.
    fn lattice() -> (Vec<[f64; 3]>, Cell) {
        let mut places = Vec::new();
        for cell in 0..64_u8 {
            let corner = [cell % 4, cell / 4 % 4, cell / 16].map(f64::from);
            for offset in [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]] {
                places.push([0, 1, 2].map(|axis| 2.0 * (corner[axis] + offset[axis])));
            }
        }
        (places, Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(8.0))).expect("a volume"))
    }

    #[test]
    fn atoms_of_a_close_packed_crystal_have_twelve_neighbors() {
        let (places, cell) = lattice();
        assert!(neighbor_counts(&places, Some(&cell), None).iter().all(|&count| count == 12));
        // six more in the second shell
        assert!(neighbor_counts(&places, Some(&cell), Some(2.1)).iter().all(|&count| count == 18));
        let free = neighbor_counts(&places, None, None);
        assert_eq!((free.iter().max(), free[0]), (Some(&12), 3), "a corner of the block has three");
    }

    #[test]
    fn neighbors_are_those_of_all_against_all() {
        let mut state = 3_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / 16_777_216.0
        };
        let places: Vec<[f64; 3]> = (0..300).map(|_| [random() * 9.0, random() * 4.0, random() * 6.0]).collect();
        let square = |a: &[f64; 3], b: &[f64; 3]| -> f64 {
            (0..3).map(|axis| a[axis] - b[axis]).map(|apart| apart * apart).sum()
        };
        let expected: Vec<u32> = places
            .iter()
            .map(|a| places.iter().filter(|b| square(a, b) <= 1.7 * 1.7).map(|_| 1).sum::<u32>() - 1)
            .collect();
        assert_eq!(neighbor_counts(&places, None, Some(1.7)), expected);
        assert_eq!(neighbor_counts(&places[..1], None, None), [0]);
        assert_eq!(neighbor_counts(&[[1.0; 3]; 5], None, None), [0; 5], "places that say no distance");
        // one that is too far away to be moved into the box
        let far = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 2.0, 1e8]];
        let cell = lattice().1;
        assert_eq!(neighbor_counts(&far, Some(&cell), Some(1.2)), [1, 1, 0]);
    }
}
