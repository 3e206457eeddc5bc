//! Coverage of large circles and ellipses at their rim, from the points where the arc crosses pixel edges.
//!
//! A(x, y), the area of the disc inside the rectangle from its centre to (x, y), is the rectangle less what lies beyond the
//! arc: a right triangle between the corner and the arc's crossings with the two edges through it, less the circular segment
//! over the triangle's long side. Both are small and known from differences of near numbers, so `f32` suffices at any size;
//! the crossings come from `f64`, as whole pixels and a rest, so that no canvas is too large. A pixel's coverage is
//! the mixed difference of A over its corners, as for small circles.

#![expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32, and counts within a tile")]

use fearless_simd::f32x16;
use fearless_simd::prelude::*;

/// The least radius that the segment's series is good for: its next term is below 2·10⁻⁵ of a pixel.
pub(super) const SMALLEST: f32 = 16.0;

/// The largest radius whose legs `f32` still resolves to a thousandth of a pixel.
pub(super) const LARGEST: f32 = 131_072.0;

/// Edges of columns or rows that a table holds: those of the largest tile, and the overhang.
pub(super) const EDGES: usize = 1056;

/// Edges between pixels along one axis, and where the ellipse crosses them along the other.
///
/// Positions are whole pixels and a part of one, 0 to 1, so that differences of near ones are exact.
#[derive(Debug)]
pub(super) struct Edges {
    /// The edge itself, no farther from the centre than the ellipse reaches.
    at: [f32; EDGES],
    at_part: [f32; EDGES],
    /// −1 before the centre, 1 behind it.
    sign: [f32; EDGES],
    /// The crossing before the centre.
    before: [f32; EDGES],
    before_part: [f32; EDGES],
    /// The crossing behind the centre.
    behind: [f32; EDGES],
    behind_part: [f32; EDGES],
}

impl Default for Edges {
    fn default() -> Self {
        let zero = [0.0; EDGES];
        Self { at: zero, at_part: zero, sign: zero, before: zero, before_part: zero, behind: zero, behind_part: zero }
    }
}

impl Edges {
    /// The edges `start`, `start + 1`, … along the first axis of `center` and `radii`.
    #[inline(always)]
    pub(super) fn fill(&mut self, start: i32, count: usize, center: [f64; 2], radii: [f64; 2]) {
        let ratio = radii[1] / radii[0];
        let ends = [center[0] - radii[0], center[0] + radii[0]];
        for index in 0..count {
            let edge = f64::from(start + index as i32);
            let offset = (edge - center[0]).max(-radii[0]).min(radii[0]);
            let at = edge.max(ends[0]).min(ends[1]);
            let half = ((radii[0] - offset) * (radii[0] + offset)).sqrt() * ratio;
            let (before, behind) = (center[1] - half, center[1] + half);
            self.at[index] = at.floor() as f32;
            self.at_part[index] = (at - at.floor()) as f32;
            self.sign[index] = if offset < 0.0 { -1.0 } else { 1.0 };
            self.before[index] = before.floor() as f32;
            self.before_part[index] = (before - before.floor()) as f32;
            self.behind[index] = behind.floor() as f32;
            self.behind_part[index] = (behind - behind.floor()) as f32;
        }
    }

    /// The pixels between this edge and the next that the arc may cross, before and behind the centre: half-open ranges.
    #[inline(always)]
    pub(super) fn rims(&self, index: usize) -> [(f32, f32); 2] {
        let ends = |whole: &[f32; EDGES], part: &[f32; EDGES]| {
            let up = |i: usize| if part[i] > 0.0 { whole[i] + 1.0 } else { whole[i] };
            (whole[index].min(whole[index + 1]), up(index).max(up(index + 1)))
        };
        [ends(&self.before, &self.before_part), ends(&self.behind, &self.behind_part)]
    }
}

/// The constants of an ellipse's segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// How much longer the ellipse is along x than along y.
    stretch: f32,
    /// Segment area over chord³, and its dependence on chord² and chord⁴.
    segment: [f32; 3],
}

impl Arc {
    pub(super) fn new(radii: [f64; 2]) -> Self {
        let [x, y] = radii;
        let first = y / (12.0 * x * x);
        let square = 1.0 / (4.0 * x * x);
        // r² (asin h − h √(1 − h²)) = r² (2/3 h³ + 1/5 h⁵ + 3/28 h⁷ + …) with h = chord / 2r
        let segment = [first, first * square * 0.3, first * square * square * (9.0 / 56.0)];
        Self { stretch: (x / y) as f32, segment: segment.map(|term| term as f32) }
    }

    /// Area beyond the arc, within the rectangle from the centre to a corner that is `legs` past the arc along x and y.
    #[inline(always)]
    fn beyond<S: Simd>(&self, simd: S, x: f32x16<S>, y: f32x16<S>) -> f32x16<S> {
        let tall = y * self.stretch;
        let square = x * x + tall * tall;
        let [first, second, third] = self.segment.map(|term| f32x16::splat(simd, term));
        let segment = square * square.sqrt() * (first + square * (second + square * third));
        let area = x * y * 0.5 - segment;
        (x.simd_gt(0.0) & y.simd_gt(0.0)).select(area, f32x16::splat(simd, 0.0))
    }
}

/// Coverage of 16 pixels of row `row` from column `column` on, counted in the tables' edges.
#[inline(always)]
pub(super) fn coverage<S: Simd>(
    simd: S,
    arc: &Arc,
    columns: &Edges,
    rows: &Edges,
    column: usize,
    row: usize,
) -> f32x16<S> {
    let lanes = |table: &[f32; EDGES], index: usize| f32x16::from_slice(simd, &table[index..index + 16]);
    let splat = |value: f32| f32x16::splat(simd, value);
    let corner = |i: usize, j: usize| {
        let (at, part, sign) = (lanes(&columns.at, i), lanes(&columns.at_part, i), lanes(&columns.sign, i));
        let left = sign.simd_lt(0.0);
        let crossing = left.select(splat(rows.before[j]), splat(rows.behind[j]));
        let crossing_part = left.select(splat(rows.before_part[j]), splat(rows.behind_part[j]));
        let x = ((at - crossing) + (part - crossing_part)) * sign;
        let (whole, rest) = if rows.sign[j] < 0.0 {
            (lanes(&columns.before, i), lanes(&columns.before_part, i))
        } else {
            (lanes(&columns.behind, i), lanes(&columns.behind_part, i))
        };
        let y = ((splat(rows.at[j]) - whole) + (splat(rows.at_part[j]) - rest)) * rows.sign[j];
        arc.beyond(simd, x, y) * sign * rows.sign[j]
    };
    let width = (lanes(&columns.at, column + 1) - lanes(&columns.at, column))
        + (lanes(&columns.at_part, column + 1) - lanes(&columns.at_part, column));
    let height = (rows.at[row + 1] - rows.at[row]) + (rows.at_part[row + 1] - rows.at_part[row]);
    let beyond =
        (corner(column + 1, row + 1) - corner(column, row + 1)) - (corner(column + 1, row) - corner(column, row));
    width * height - beyond
}
