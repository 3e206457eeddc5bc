//! Points near a point, by a sorted list of cubes.

use rayon::slice::ParallelSliceMut;

/// Points in cubes as wide as the reach.
pub(super) struct PointCubes {
    /// Sorted by cube.
    listed: Vec<([i64; 3], [f64; 3])>,
    side: f64,
}

impl PointCubes {
    pub(super) fn new(points: impl Iterator<Item = [f64; 3]>, side: f64) -> Self {
        let mut listed: Vec<_> = points.map(|point| (cube(point, side), point)).collect();
        listed.par_sort_unstable_by_key(|(cube, _)| *cube);
        Self { listed, side }
    }

    /// The squared distances of all listed points in reach, and of some beyond.
    pub(super) fn near(&self, point: [f64; 3]) -> impl Iterator<Item = f64> {
        let [x, y, z] = cube(point, self.side);
        let columns = (-1..=1).flat_map(move |i| (-1..=1).map(move |j| [x + i, y + j]));
        columns.flat_map(move |[x, y]| {
            // three cubes in a row are side by side in the list
            let (first, last) = ([x, y, z - 1], [x, y, z + 1]);
            let start = self.listed.partition_point(|(cube, _)| *cube < first);
            let run = self.listed[start..].iter().take_while(move |(cube, _)| *cube <= last);
            run.map(move |(_, other)| squared_distance(point, *other))
        })
    }
}

/// The cube of a point; points far out share the outermost cube.
#[expect(clippy::cast_possible_truncation, reason = "clamped")]
fn cube(point: [f64; 3], side: f64) -> [i64; 3] {
    point.map(|value| (value / side).floor().clamp(-4e18, 4e18) as i64)
}

#[inline]
pub(super) fn squared_distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    x * x + y * y + z * z
}
