//! Neighbours of spheres, by a grid for each size.

use glam::DVec3;

use super::Ball;

/// Spheres by cells of grids: one for spheres of similar radii, with cells about as large as they are.
pub(super) struct BallCells {
    grids: Vec<SizeGrid>,
    /// Centres and radii.
    bodies: Vec<(DVec3, f64)>,
}

/// The spheres with radii up to `reach`, and more than half of it.
struct SizeGrid {
    reach: f64,
    /// Cells and the spheres whose centres they contain, in order.
    entries: Vec<([i64; 3], usize)>,
}

impl SizeGrid {
    /// The side of a cell.
    fn side(&self) -> f64 {
        2.0 * self.reach
    }
}

impl BallCells {
    pub(super) fn new(balls: &[Ball]) -> Self {
        let mut by_size: std::collections::BTreeMap<i32, Vec<usize>> = std::collections::BTreeMap::new();
        for (index, ball) in balls.iter().enumerate() {
            by_size.entry(libm::ilogb(ball.radius)).or_default().push(index);
        }
        let grid = |(exponent, members): (i32, Vec<usize>)| {
            let mut grid = SizeGrid { reach: libm::scalbn(2.0, exponent), entries: Vec::new() };
            let side = grid.side();
            grid.entries = members.into_iter().map(|index| (cell(balls[index].center, side), index)).collect();
            grid.entries.sort_unstable();
            grid
        };
        let bodies = balls.iter().map(|ball| (ball.center, ball.radius)).collect();
        Self { grids: by_size.into_iter().map(grid).collect(), bodies }
    }

    /// Lists the spheres that overlap one, itself among them.
    pub(super) fn neighbors(&self, ball: &Ball, found: &mut Vec<usize>) {
        found.clear();
        for grid in &self.grids {
            let reach = DVec3::splat(ball.radius + grid.reach);
            let [first, last] = [ball.center - reach, ball.center + reach].map(|corner| cell(corner, grid.side()));
            let overlaps = |entry: &&([i64; 3], usize)| {
                let (center, radius) = self.bodies[entry.1];
                let sum = ball.radius + radius;
                center.distance_squared(ball.center) < sum * sum
            };
            let rows = (last[0] - first[0] + 1) as f64 * (last[1] - first[1] + 1) as f64;
            if rows > grid.entries.len() as f64 {
                found.extend(grid.entries.iter().filter(overlaps).map(|(_, index)| index));
                continue;
            }
            for x in first[0]..=last[0] {
                for y in first[1]..=last[1] {
                    let begin = grid.entries.partition_point(|(cell, _)| *cell < [x, y, first[2]]);
                    let row = grid.entries[begin..].iter().take_while(|(cell, _)| *cell <= [x, y, last[2]]);
                    found.extend(row.filter(overlaps).map(|(_, index)| index));
                }
            }
        }
        // in order of depth, so that the result does not depend on the grids
        found.sort_unstable();
    }
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
fn cell(point: DVec3, side: f64) -> [i64; 3] {
    const FAR: f64 = 1e15;
    [point.x, point.y, point.z].map(|place| libm::floor((place / side).clamp(-FAR, FAR)) as i64)
}
