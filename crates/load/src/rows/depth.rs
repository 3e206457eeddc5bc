//! How far rows lie below the surface that encloses all of them.
//!
//! Space is divided into cubes. Cubes near a row are filled; a flood fill from the corner finds the cubes outside. A
//! row's depth is its distance to the nearest outside cube. Closed cavities do not count as outside.

use rayon::prelude::*;

use crate::rows::row_shapes::Spread;

/// Most cubes along the longest side: memory depends on this resolution, not on the number of rows.
const MOST_CUBES: f64 = 128.0;

/// Side of a cube, in distances between evenly spread rows: holes between neighbours are closed.
const SIDE: f64 = 0.75;

/// Cubes that a row fills to each side.
const FILL: usize = 1;

/// A box of cubes with a margin that nothing fills.
struct DepthCubes {
    origin: [f64; 3],
    side: f64,
    counts: [usize; 3],
}

impl DepthCubes {
    fn new(places: &[[f64; 3]]) -> Option<Self> {
        let [least, most] = Spread::of_places(places.iter().copied()).corners();
        let sides = [0, 1, 2].map(|axis| most[axis] - least[axis]);
        let longest = sides.into_iter().fold(0.0, f64::max);
        let volume: f64 = sides.map(|side| side.max(0.01 * longest)).iter().product();
        let spacing = libm::cbrt(volume / places.len().max(1) as f64);
        let side = (SIDE * spacing).max(longest / MOST_CUBES);
        let margin = FILL + 2;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 128, and a margin")]
        let counts = sides.map(|length| (length / side) as usize + 1 + 2 * margin);
        let origin = least.map(|value| value - margin as f64 * side);
        (side > 0.0 && side.is_finite()).then_some(Self { origin, side, counts })
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside of the box")]
    fn cube(&self, place: [f64; 3]) -> [usize; 3] {
        [0, 1, 2].map(|axis| ((place[axis] - self.origin[axis]) / self.side) as usize)
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (x * self.counts[1] + y) * self.counts[2] + z
    }

    fn at(&self, index: usize) -> [usize; 3] {
        let (row, z) = (index / self.counts[2], index % self.counts[2]);
        [row / self.counts[1], row % self.counts[1], z]
    }

    fn len(&self) -> usize {
        self.counts.iter().product()
    }

    fn middle(&self, cube: [usize; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.origin[axis] + (cube[axis] as f64 + 0.5) * self.side)
    }

    /// The cubes that share a face with one.
    fn neighbors(&self, cube: [usize; 3]) -> impl Iterator<Item = [usize; 3]> + '_ {
        (0..6).filter_map(move |face| {
            let (axis, is_up) = (face / 2, face % 2 == 1);
            let mut next = cube;
            next[axis] = if is_up { cube[axis] + 1 } else { cube[axis].checked_sub(1)? };
            (next[axis] < self.counts[axis]).then_some(next)
        })
    }
}

/// The depth of each place below the surface of all; 0 if they span no volume.
pub(crate) fn below_surface(places: &[[f64; 3]]) -> Vec<f64> {
    let Some(cubes) = DepthCubes::new(places) else { return vec![0.0; places.len()] };
    let mut is_filled = vec![false; cubes.len()];
    for place in places {
        let [x, y, z] = cubes.cube(*place);
        for i in x - FILL..=x + FILL {
            for j in y - FILL..=y + FILL {
                for k in z - FILL..=z + FILL {
                    is_filled[cubes.index([i, j, k])] = true;
                }
            }
        }
    }
    // flood fill of the outside; its cubes beside filled ones are the surface
    let mut is_around = vec![false; cubes.len()];
    is_around[0] = true;
    let (mut open, mut surface) = (vec![0], Vec::new());
    while let Some(index) = open.pop() {
        let cube = cubes.at(index);
        let mut is_beside = false;
        for next in cubes.neighbors(cube).map(|cube| cubes.index(cube)) {
            if is_filled[next] {
                is_beside = true;
            } else if !is_around[next] {
                is_around[next] = true;
                open.push(next);
            }
        }
        if is_beside {
            surface.push(index);
        }
    }
    let nearest = nearest_surface(&cubes, &surface);
    let depth = |place: &[f64; 3]| {
        let place_of = *place;
        let square = |index: usize| {
            let middle = cubes.middle(cubes.at(index));
            (0..3).map(|axis| (place_of[axis] - middle[axis]) * (place_of[axis] - middle[axis])).sum::<f64>()
        };
        let own = cubes.cube(*place);
        // a neighbour's nearest surface cube may be nearer than the own cube's
        let around = cubes.neighbors(own).chain([own]).filter_map(|cube| nearest[cubes.index(cube)]);
        let least = around.map(|index| square(index as usize)).fold(f64::INFINITY, f64::min).sqrt();
        // the outermost rows, which fill cubes up to this distance, are at the surface
        (least - (FILL as f64 + 0.5) * cubes.side).max(0.0)
    };
    places.par_iter().with_min_len(1 << 12).map(depth).collect()
}

/// The nearest surface cube of each cube, approximately: passed on from cube to cube, breadth first.
fn nearest_surface(cubes: &DepthCubes, surface: &[usize]) -> Vec<Option<u32>> {
    let mut nearest: Vec<Option<u32>> = vec![None; cubes.len()];
    let square = |a: usize, b: u32| -> u64 {
        let (a, b) = (cubes.at(a), cubes.at(b as usize));
        (0..3).map(|axis| (a[axis].abs_diff(b[axis]) as u64) * (a[axis].abs_diff(b[axis]) as u64)).sum()
    };
    let mut front: Vec<usize> = surface.to_vec();
    for index in surface {
        nearest[*index] = u32::try_from(*index).ok();
    }
    while !front.is_empty() {
        let mut next_front = Vec::new();
        for index in front {
            let Some(source) = nearest[index] else { continue };
            for next in cubes.neighbors(cubes.at(index)).map(|cube| cubes.index(cube)) {
                let is_nearer = nearest[next].is_none_or(|known| square(next, source) < square(next, known));
                if is_nearer {
                    nearest[next] = Some(source);
                    next_front.push(next);
                }
            }
        }
        front = next_front;
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_ball_is_as_deep_as_its_radius() {
        let mut places = Vec::new();
        for step in 0..21 * 21 * 21_u16 {
            let place = [step % 21, step / 21 % 21, step / 441].map(|at| f64::from(at) - 10.0);
            if place.iter().map(|value| value * value).sum::<f64>() <= 100.0 {
                places.push(place);
            }
        }
        let depths = below_surface(&places);
        for (place, depth) in places.iter().zip(&depths) {
            let expected = 10.0 - place.iter().map(|value| value * value).sum::<f64>().sqrt();
            assert!((depth - expected).abs() < 1.5, "{place:?}: {depth} and {expected}");
        }
        assert_eq!(below_surface(&[[1.0; 3]; 4]), [0.0; 4]);
        assert_eq!(below_surface(&[]), Vec::<f64>::new());
    }
}
