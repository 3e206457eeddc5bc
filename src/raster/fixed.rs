//! Coverage of circles and ellipses in fixed point that may overflow.
//!
//! As in [`super::arc`] a pixel's part of a disc is the mixed difference of A over its corners, here in square pixels. A may be
//! large, its differences are not: whatever overflows drops out of them, and 32 bits hold A to 2⁻³⁰. They add up without rounding,
//! and in half the lanes' width of `f64`.
//!
//! Let a corner be at (x, y) from the centre and at (X, Y), whole numbers, from the pixel that the centre lies in, at (f, g) in
//! it: x = X − f, y = Y − g. Inside the disc A is x·y = x·Y − x·g; x·g is the same in all rows of a column and drops out too, so
//! a corner takes one product with a whole number, for the hole the same as for the whole. Beyond the arc A is the sum of
//! a number of its column and one of its row.
//!
//! The error is below 2⁻²⁷ of a pixel, and 2⁻⁴⁰ of the radii's product.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "pixels of a block, and whole numbers of less than 2³¹"
)]

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f64x8, i32x8, i32x16};

use super::arc::{Axis, Real, stands};
use super::paint::{Ink, SLACK_BITS};
use super::rim::{EDGES, Half, Rim, Rims, Span, Sweep};
use super::shape::Shape;

/// What 1 is in fixed point.
const ONE: i32 = 1 << 30;

/// What a square pixel is: more than [`ONE`], by as much as coverage is stretched.
const UNIT: i32 = ONE + (ONE >> (SLACK_BITS - 1));

/// 1.5 · 2²²: added to a number of less than 2²¹, it leaves that number in fixed point in the lower half of the sum's bits.
const SHIFT: f64 = 6_291_456.0;

/// u(x) / (1 − x)^(3/2) as in [`super::arc`], the highest power first: the minimax fit of u, off by at most 1.3·10⁻¹³ (tested).
const TERMS: [f64; 12] = [
    1.347_735_249_789_086_7e-05,
    -8.913_262_499_379_105e-05,
    0.000_284_163_674_525_979_7,
    -0.000_607_233_547_845_419_7,
    0.001_041_767_869_516_477_6,
    -0.001_646_238_551_494_322_8,
    0.002_653_525_816_315_576_7,
    -0.004_683_334_163_582_76,
    0.009_725_078_119_570_229,
    -0.027_378_440_661_715_336,
    0.178_097_245_048_009_42,
    0.785_398_163_397_576,
];

/// What stands at the edges of columns and rows, for both ellipses of a shape.
#[derive(Debug, Default)]
pub(super) struct FixedRims {
    rims: [FixedEdges; 2],
    /// The first edges, counted from the pixel of the centre.
    first: [i32; 2],
    /// Where the centre lies in its pixel, f and g.
    place: [i32; 2],
    /// f·g.
    product: i32,
}

/// Edges of an ellipse.
#[derive(Debug)]
struct FixedEdges {
    /// Between columns: the square of y, of the radius's square, below which the corner is inside; 0 where none is.
    room: [i32; EDGES],
    /// Between columns: π/4 − u.
    near: [i32; EDGES],
    /// Between rows: the square of y, of the radius's square, and u.
    rows: [[i32; EDGES]; 2],
}

impl Default for FixedEdges {
    fn default() -> Self {
        Self { room: [0; EDGES], near: [0; EDGES], rows: [[0; EDGES]; 2] }
    }
}

impl FixedEdges {
    /// Fills in the edges between columns or those between rows, `count` at least, the first of them at `start`.
    ///
    /// The area is the radii's product.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, axis: Axis, [start, count]: [i32; 2], center: f64, radius: f64, area: f64) {
        let one = f64x8::splat(simd, 1.0);
        let inverse = one / radius;
        for first in (0..count).step_by(f64x8::<S>::LEN) {
            let at: f64x8<S> = stands(simd, start + first, center, inverse);
            let size = at.abs().min(one);
            let square = size * size;
            let past = past(simd, size, square) * area;
            let quarter = f64x8::splat(simd, f64::QUARTER_CIRCLE * area);
            let (numbers, runs) = match axis {
                Axis::X => ([one - square, quarter - past], [&mut self.room, &mut self.near]),
                Axis::Y => ([square, past], self.rows.each_mut()),
            };
            let lanes = first as usize..first as usize + f64x8::<S>::LEN;
            for (numbers, run) in fixed(numbers).into_iter().zip(runs) {
                numbers.store_slice(&mut run[lanes.clone()]);
            }
        }
    }
}

/// Numbers of less than 2²¹ in fixed point, modulo four.
#[inline(always)]
fn fixed<S: Simd>([a, b]: [f64x8<S>; 2]) -> [i32x8<S>; 2] {
    let both: i32x16<S> = (a + SHIFT).to_bits().narrow((b + SHIFT).to_bits()).bitcast();
    both.split().into()
}

/// u at distances from 0 to 1, which come with their squares. Four sums side by side, by powers of x⁴: one would be waited for.
#[inline(always)]
fn past<S: Simd>(simd: S, size: f64x8<S>, square: f64x8<S>) -> f64x8<S> {
    let beyond = f64x8::splat(simd, 1.0) - size;
    let root = beyond * beyond.sqrt();
    let fourth = square * square;
    let (highest, others) = TERMS.split_at(4);
    let mut sums = [f64x8::splat(simd, 0.0); 4];
    for (sum, &term) in sums.iter_mut().zip(highest) {
        *sum = f64x8::splat(simd, term);
    }
    for terms in others.chunks_exact(4) {
        for (sum, &term) in sums.iter_mut().zip(terms) {
            *sum = *sum * fourth + term;
        }
    }
    let [third, second, first, constant] = sums;
    ((third * size + second) * square + (first * size + constant)) * root
}

impl Rims for FixedRims {
    type Bound = f32;
    type Sweep<'a, S: Simd> = FixedSweep<'a, S>;

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, shape: &Shape, Span { first, count }: Span) {
        let unit = f64::from(UNIT);
        let pixel = shape.center.map(|along| f64::from(along).floor());
        for axis in [0, 1] {
            self.place[axis] = ((f64::from(shape.center[axis]) - pixel[axis]) * unit).round_ties_even() as i32;
            self.first[axis] = first[axis] - pixel[axis] as i32;
        }
        // where the centre is in fixed point, so that all numbers are of the same disc
        let [f, g] = self.place.map(|place| f64::from(place) / unit);
        self.product = (f * g * unit).round_ties_even() as i32;
        let radii = [Some(shape.outer), shape.inner];
        // columns first: what is looked up soonest has long been stored by then
        for (axis, center) in [(Axis::X, pixel[0] + f), (Axis::Y, pixel[1] + g)] {
            for (edges, radii) in self.rims.iter_mut().zip(radii.into_iter().flatten()) {
                let radii = radii.map(f64::from);
                let area = radii[0] * radii[1] * (unit / f64::from(ONE));
                let span = [first[axis as usize], count[axis as usize]];
                edges.fill(simd, axis, span, center, radii[axis as usize], area);
            }
        }
    }

    #[inline(always)]
    fn sweep<S: Simd>(&self, simd: S, rim: Rim, half: Half, column: usize, row: usize) -> FixedSweep<'_, S> {
        let edges = &self.rims[rim as usize];
        let number = i32x8::simd_from(simd, [0, 1, 2, 3, 4, 5, 6, 7]) + (self.first[0] + column as i32);
        let left = Column::new(simd, self, edges, number, column);
        let right = Column::new(simd, self, edges, number + 1, column + 1);
        // all edges but the first lie on the half's side of the centre
        let first = if self.first[1] + row as i32 > 0 { Half::Lower } else { Half::Upper };
        let corners = [left.corners(first), right.corners(first)];
        let zero = i32x8::splat(simd, 0);
        let mut sweep = FixedSweep { corners, rows: &edges.rows, first: self.first[1], area: zero };
        sweep.area = sweep.area_to(simd, row);
        sweep.corners = [left.corners(half), right.corners(half)];
        sweep
    }
}

/// What stands at an edge between columns.
#[derive(Clone, Copy)]
struct Column<S: Simd> {
    /// x.
    along: i32x8<S>,
    /// x·g.
    part: i32x8<S>,
    room: i32x8<S>,
    near: i32x8<S>,
    /// All bits set when it is left of the centre.
    left: i32x8<S>,
}

impl<S: Simd> Column<S> {
    /// The edge is number X, and those after it.
    #[inline(always)]
    fn new(simd: S, rims: &FixedRims, edges: &FixedEdges, number: i32x8<S>, column: usize) -> Self {
        let lanes = column..column + i32x8::<S>::LEN;
        Self {
            along: number * UNIT - rims.place[0],
            part: number * rims.place[1] - rims.product,
            room: i32x8::from_slice(simd, &edges.room[lanes.clone()]),
            near: i32x8::from_slice(simd, &edges.near[lanes]),
            left: (number - 1) >> 31,
        }
    }

    #[inline(always)]
    fn corners(self, half: Half) -> Corners<S> {
        let negative = match half {
            Half::Upper => !self.left,
            Half::Lower => self.left,
        };
        // ¬a is −a − 1: the column's number is turned about where A is negative, the row's elsewhere, and 1 makes up for it
        Corners { along: self.along, room: self.room, base: self.part + (self.near ^ negative) + 1, flip: !negative }
    }
}

/// Corners of a column's edge with rows' edges on one side of the centre.
#[derive(Clone, Copy)]
struct Corners<S: Simd> {
    along: i32x8<S>,
    room: i32x8<S>,
    /// The column's number beyond the arc, and x·g.
    base: i32x8<S>,
    /// All bits set when the row's number is taken away from it, none when it is added.
    flip: i32x8<S>,
}

impl<S: Simd> Corners<S> {
    /// A + x·g at the corner with edge Y between rows.
    #[inline(always)]
    fn at(&self, simd: S, number: i32, square: i32, past: i32) -> i32x8<S> {
        let beyond = self.base + (i32x8::splat(simd, past) ^ self.flip);
        i32x8::splat(simd, square).simd_lt(self.room).select(self.along * number, beyond)
    }
}

/// The coverage of row after row of a group of columns.
pub(super) struct FixedSweep<'a, S: Simd> {
    /// Of the left and the right edges.
    corners: [Corners<S>; 2],
    rows: &'a [[i32; EDGES]; 2],
    /// The first of the rows' edges, counted from the pixel of the centre.
    first: i32,
    /// The area down to the last row's edge.
    area: i32x8<S>,
}

impl<S: Simd> FixedSweep<'_, S> {
    /// Area between the left and the right edges, from the centre's height to a row's edge.
    #[inline(always)]
    fn area_to(&self, simd: S, edge: usize) -> i32x8<S> {
        let [squares, pasts] = self.rows;
        let (number, square, past) = (self.first + edge as i32, squares[edge], pasts[edge]);
        let [left, right] = &self.corners;
        right.at(simd, number, square, past) - left.at(simd, number, square, past)
    }
}

impl<S: Simd> Sweep<S> for FixedSweep<'_, S> {
    #[inline(always)]
    fn next(&mut self, simd: S, edge: usize, ink: &Ink<f32x8<S>>) -> f32x8<S> {
        let below = self.area_to(simd, edge);
        let coverage = below - std::mem::replace(&mut self.area, below) - (ONE >> SLACK_BITS);
        coverage.max(0).min(ONE).to_float::<f32x8<S>>() * (ink.full * (1.0 / ONE as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;
    use crate::geom::{Circle, pixel_coverage};
    use crate::raster::paint::{SLACK, stretch};
    use crate::raster::shape::Space;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn series_keeps_its_bound() {
        let lanes = |x: [f64; 8]| {
            dispatch!(Level::new(), simd => {
                let x = f64x8::simd_from(simd, x);
                past(simd, x, x * x).to_array()
            })
        };
        let mut worst: f64 = 0.0;
        for first in 0..12_500 {
            let x = std::array::from_fn(|lane| f64::from(8 * first + lane as i32) / 99_999.0);
            for (x, past) in x.into_iter().zip(lanes(x)) {
                let exact = std::f64::consts::FRAC_PI_4 - 0.5 * (x * (1.0 - x * x).sqrt() + libm::asin(x));
                worst = worst.max((past - exact).abs());
            }
        }
        assert!(worst < 1.3e-13, "{worst:e}");
    }

    /// Weights of a circle's pixels in 16 × 16 from a corner on, and what they should be.
    fn weights<S: Simd>(simd: S, circle: &Circle, corner: [i32; 2]) -> Vec<[f32; 2]> {
        let shape = Shape { center: circle.center, outer: [circle.radius; 2], alpha: 1.0, ..Shape::NONE };
        let ink =
            Ink::new(simd, &Shape { color: Srgba8::BLACK, ..shape }, &Space { channels: [0.0; 256], finished: 0.0 });
        let mut rims = FixedRims::default();
        rims.fill(simd, &shape, Span { first: corner, count: [17, 17] });
        let middle = (circle.center[1].floor() as i32 - corner[1]).clamp(0, 16) as usize;
        let mut pairs = Vec::new();
        for column in [0, 8] {
            for (half, rows) in [(Half::Upper, 0..middle), (Half::Lower, middle..16)] {
                let mut sweep = rims.sweep(simd, Rim::Outer, half, column, rows.start);
                for row in rows {
                    let weights = sweep.next(simd, row + 1, &ink).to_array();
                    for (lane, weight) in weights.into_iter().enumerate() {
                        let exact = pixel_coverage(circle, corner[0] + (column + lane) as i32, corner[1] + row as i32);
                        let exact = exact * stretch([1.0; 2], 1.0) - f64::from(SLACK);
                        pairs.push([weight, exact.clamp(0.0, 1.0) as f32]);
                    }
                }
            }
        }
        pairs
    }

    #[test]
    fn weights_are_those_of_exact_coverage() {
        for center in [[0.0, 0.0], [-0.25, 7.5], [1e-9, -1e-9], [1919.3, -4.7], [200.5, 50.99], [4_194_303.5, 1e6]] {
            for radius in [3.0, 22.5, 40.75, 311.25, 1024.0] {
                for direction in 0..24 {
                    let angle = f64::from(direction) * std::f64::consts::TAU / 24.0;
                    let rim = |axis: usize, along: f64| {
                        (f64::from(center[axis]) + f64::from(radius) * along).floor() as i32 - 8
                    };
                    let corner = [rim(0, libm::cos(angle)), rim(1, libm::sin(angle))];
                    let circle = Circle { center, radius };
                    let bound = 1.0 / (1u64 << 27) as f32 + radius * radius / (1u64 << 40) as f32;
                    for level in crate::simd::levels() {
                        for [weight, exact] in dispatch!(level, simd => weights(simd, &circle, corner)) {
                            assert!(
                                (weight - exact).abs() < bound + f32::EPSILON / 2.0,
                                "{weight} for {exact}: {circle:?} at {corner:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
