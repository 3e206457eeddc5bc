//! Pairs of points within a distance, by a sorted list of cubes.

use rayon::prelude::*;

use crate::data::cubes::squared_distance;

/// A row's point in one periodic image of the box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) place: [f64; 3],
    pub(super) row: u32,
    pub(super) image: [i16; 3],
}

/// Most points in a cube, a few ångström wide. A cube with more is not matter: its points get no bonds.
pub(super) const MOST_IN_CUBE: usize = 512;

/// Sites of one parallel task.
const CHUNK: usize = 1 << 12;

/// Indices of cubes are clamped to ± this: coordinates beyond share the outermost cube.
const FARTHEST: f64 = (1_u64 << 40) as f64;

/// Whether a cube as wide as the reach has more than so many sites.
pub(super) fn is_crowded(sites: &[Site], reach: f64, most: usize) -> bool {
    let mut cubes: Vec<[i64; 3]> = sites.iter().map(|site| cube(site, reach)).collect();
    cubes.par_sort_unstable();
    cubes.chunk_by(|a, b| a == b).any(|cube| cube.len() > most)
}

#[expect(clippy::cast_possible_truncation, reason = "clamped")]
fn cube(site: &Site, reach: f64) -> [i64; 3] {
    site.place.map(|value| (value / reach).floor().clamp(-FARTHEST, FARTHEST) as i64)
}

/// Calls `keep` for every pair of sites at most `reach` apart, with the square of their distance, and collects what it
/// returns. Sites of a cube with more than `most` are left out. The order of results does not depend on the number of
/// threads.
pub(super) fn pairs<T: Send>(
    sites: &[Site],
    reach: f64,
    most: usize,
    keep: impl Fn(&Site, &Site, f64) -> Option<T> + Sync,
) -> Vec<T> {
    let cube = |site: &Site| cube(site, reach);
    let (mut least, mut greatest) = ([i64::MAX; 3], [i64::MIN; 3]);
    for site in sites {
        let cube = cube(site);
        for axis in 0..3 {
            (least[axis], greatest[axis]) = (least[axis].min(cube[axis]), greatest[axis].max(cube[axis]));
        }
    }
    if sites.len() < 2 || reach.is_nan() || reach <= 0.0 {
        return Vec::new();
    }
    // an empty cube on either side, so that a neighbour's key never runs into the next row of cubes
    let bits = [0, 1, 2].map(|axis| u128::BITS - (greatest[axis].abs_diff(least[axis]) as u128 + 3).leading_zeros());
    let [_, y_bits, z_bits] = bits;
    let key = |site: &Site| {
        let [x, y, z] = [0, 1, 2].map(|axis| cube(site)[axis].abs_diff(least[axis]) as u128 + 1);
        (x << (y_bits + z_bits)) | (y << z_bits) | z
    };
    let steps = [
        (1_u128 << z_bits),
        (1 << (y_bits + z_bits)) - (1 << z_bits),
        1 << (y_bits + z_bits),
        (1 << (y_bits + z_bits)) + (1 << z_bits),
    ];
    if bits.iter().sum::<u32>() <= u64::BITS {
        let narrow = |key: u128| u64::try_from(key).expect("64 bits at most");
        sorted_pairs(sites, reach, most, |site: &Site| narrow(key(site)), steps.map(narrow), keep)
    } else {
        sorted_pairs(sites, reach, most, key, steps, keep)
    }
}

/// Sort key of a cube: x, then y, then z.
trait CubeKey: Copy + Ord + Send + Sync + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> + From<u8> {}

impl CubeKey for u64 {}
impl CubeKey for u128 {}

fn sorted_pairs<K: CubeKey, T: Send>(
    sites: &[Site],
    reach: f64,
    most: usize,
    key: impl Fn(&Site) -> K + Sync,
    steps: [K; 4],
    keep: impl Fn(&Site, &Site, f64) -> Option<T> + Sync,
) -> Vec<T> {
    let mut listed: Vec<(K, u32)> = Vec::new();
    sites.par_iter().enumerate().map(|(index, site)| (key(site), index_of(index))).collect_into_vec(&mut listed);
    listed.par_sort_unstable();
    if listed.chunk_by(|a, b| a.0 == b.0).any(|cube| cube.len() > most) {
        let sparse = listed.chunk_by(|a, b| a.0 == b.0).filter(|cube| cube.len() <= most);
        listed = sparse.flatten().copied().collect();
    }
    let mut placed: Vec<Site> = Vec::new();
    listed.par_iter().map(|(_, index)| sites[*index as usize]).collect_into_vec(&mut placed);
    let (one, squared_reach) = (K::from(1), reach * reach);
    let of_chunk = |chunk: usize| {
        let range = chunk * CHUNK..listed.len().min((chunk + 1) * CHUNK);
        let mut found = Vec::new();
        let mut test = |site: &Site, other: &Site| {
            let square = squared_distance(site.place, other.place);
            if square <= squared_reach {
                found.extend(keep(site, other, square));
            }
        };
        let first = listed[range.start].0;
        let mut starts = steps.map(|step| listed.partition_point(|(key, _)| *key < first + step - one));
        for index in range {
            let (key, site) = (listed[index].0, &placed[index]);
            // the rest of this cube and the next one along z, then the rows of three cubes ahead
            for other in index + 1..listed.len() {
                if listed[other].0 > key + one {
                    break;
                }
                test(site, &placed[other]);
            }
            for (start, step) in starts.iter_mut().zip(steps) {
                while listed.get(*start).is_some_and(|(other, _)| *other < key + step - one) {
                    *start += 1;
                }
                for other in *start..listed.len() {
                    if listed[other].0 > key + step + one {
                        break;
                    }
                    test(site, &placed[other]);
                }
            }
        }
        found
    };
    (0..listed.len().div_ceil(CHUNK)).into_par_iter().flat_map_iter(of_chunk).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "callers have at most 2^32 sites")]
fn index_of(index: usize) -> u32 {
    index as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(row: u32, place: [f64; 3]) -> Site {
        Site { place, row, image: [0; 3] }
    }

    fn found(sites: &[Site], reach: f64) -> Vec<[u32; 2]> {
        let pair = |a: &Site, b: &Site, _: f64| Some([a.row.min(b.row), a.row.max(b.row)]);
        let mut found = pairs(sites, reach, MOST_IN_CUBE, pair);
        found.sort_unstable();
        found
    }

    #[test]
    fn grid_pairs_are_those_of_all_against_all() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        for (size, reach, far) in [(9.0, 1.3, 0.0), (4.0, 2.0, 1e30), (30.0, 2.5, 1e9), (1e-3, 1e-4, -1e12)] {
            let mut sites: Vec<Site> =
                (0..400).map(|row| site(row, [0, 1, 2].map(|_| (random() - 0.5) * size))).collect();
            // far sites widen the range of cubes until keys need 128 bits
            sites.extend([site(400, [far; 3]), site(401, [-far, 0.0, far])]);
            let mut expected = Vec::new();
            for (index, a) in sites.iter().enumerate() {
                for b in &sites[index + 1..] {
                    if squared_distance(a.place, b.place) <= reach * reach {
                        expected.push([a.row, b.row]);
                    }
                }
            }
            assert!(expected.len() > 50, "{size}");
            assert_eq!(found(&sites, reach), expected, "{size} {far}");
        }
    }

    #[test]
    fn grid_of_points_in_one_place_ends_soon() {
        let sites: Vec<Site> = (0..100_000).map(|row| site(row, [1.0; 3])).collect();
        assert!(found(&sites, 2.0).is_empty());
        assert!(found(&sites[..1], 2.0).is_empty());
    }
}
