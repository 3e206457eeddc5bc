//! Rims of large ellipses, in fixed point with wraparound.
//!
//! As in [`super::segment`] a pixel's share of a disc is the mixed difference of an area function A over its four
//! corners, here in square pixels. A may be large, but its differences are not: integers may wrap around, and 32 bits
//! hold A modulo 4 to 2⁻³⁰. Integer sums have no rounding, and 32-bit lanes are twice as many as `f64` lanes.
//!
//! Let a corner be at (x, y) from the centre and at (X, Y), whole numbers, from the pixel that the centre lies in, at
//! (f, g) in it: x = X − f, y = Y − g. Inside the disc A is x·y = x·Y − x·g; x·g is the same in all rows of a column
//! and drops out too, so a corner takes one product with a whole number, for the hole the same as for the outer
//! ellipse. Beyond the arc A is the sum of a column's term and a row's term.
//!
//! The error is below 2⁻²⁷ of a pixel and 2⁻⁴⁰ of the radii's product while that is at most 2²⁰, and below 2⁻¹³ of a
//! pixel beyond.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "pixels of a block, and whole numbers of less than 2³¹"
)]

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f64x8, i32x8, i32x16};

use super::rim::{EDGES, EdgeRange, EdgeTables, Half, Rim, RowSweep, Start};
use super::segment::positions;
use super::weight::SLACK_BITS;
use crate::raster::shape::RasterShape;

/// The largest product of the radii, 2³⁴.
///
/// Bound: `weights_of_large_circles_are_those_of_exact_coverage`.
pub(crate) const MAX_PRODUCT: f64 = 17_179_869_184.0;

/// The farthest centre and the largest radius, 2³⁰: edges are counted in `i32`.
pub(crate) const MAX_CENTER: f32 = 1_073_741_824.0;

/// 1 in fixed point.
pub(super) const ONE: i32 = 1 << 30;

/// A square pixel: more than [`ONE`], by as much as coverage is stretched.
pub(super) const UNIT: i32 = ONE + (ONE >> (SLACK_BITS - 1));

/// How areas of half segments become fixed-point numbers.
pub(super) struct FixedFormat<const N: usize> {
    /// u(x) / (1 − x)^(3/2) as in [`super::segment`], the highest power first.
    pub(super) series: [f64; N],
    /// The largest product of the radii, as a power of two.
    pub(super) product_bits: u32,
}

/// Minimax fit of u, off by at most 1.3·10⁻¹³.
///
/// Bound: `segment_series_keep_their_bounds`.
pub(super) const MEDIUM: FixedFormat<12> = FixedFormat {
    series: [
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
    ],
    product_bits: 20,
};

/// Chebyshev fit of degree 14, off by at most 3·10⁻¹⁵.
///
/// Bound: `segment_series_keep_their_bounds`.
pub(super) const LARGE: FixedFormat<16> = FixedFormat {
    series: [
        0.0,
        -1.607_770_376_059_029_7e-06,
        1.413_014_711_631_211_5e-05,
        -5.897_613_699_702_180_6e-05,
        0.000_158_382_657_978_096_94,
        -0.000_316_277_184_775_626_1,
        0.000_521_261_333_953_158_6,
        -0.000_775_741_331_439_458_2,
        0.001_123_846_520_154_292_4,
        -0.001_673_423_307_265_274_7,
        0.002_659_504_055_602_816,
        -0.004_684_169_027_021_575,
        0.009_725_146_681_690_472,
        -0.027_378_443_549_110_447,
        0.178_097_245_095_101_7,
        0.785_398_163_397_450_7,
    ],
    product_bits: 34,
};

impl<const N: usize> FixedFormat<N> {
    /// Low bits that areas drop, below 2⁻³⁰, so that the rest fits an `f64`.
    pub(super) const fn lost_bits(&self) -> u32 {
        self.product_bits - MEDIUM.product_bits
    }

    /// u at distances from 0 to 1, given with their squares.
    ///
    /// Four Horner chains in x⁴ side by side: a single chain would be bound by latency.
    #[inline(always)]
    fn segment<S: Simd>(&self, simd: S, distance: f64x8<S>, square: f64x8<S>) -> f64x8<S> {
        let beyond = f64x8::splat(simd, 1.0) - distance;
        let root = beyond * beyond.sqrt();
        let fourth = square * square;
        let (highest, others) = self.series.split_at(4);
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
        ((third * distance + second) * square + (first * distance + constant)) * root
    }
}

/// A number from 0 to 1 and an area for each lane, in fixed point, modulo four.
#[inline(always)]
fn to_fixed<S: Simd>(ratio: f64x8<S>, area: f64x8<S>, lost_bits: u32) -> [i32x8<S>; 2] {
    // adding 1.5 · 2²² to a number below 2²¹ leaves it in fixed point in the lower half of the sum's bits
    let shift = |lost: u32| f64::from(3u32) * (1u64 << (21 + lost)) as f64;
    let both: i32x16<S> = (ratio + shift(0)).to_bits().narrow((area + shift(lost_bits)).to_bits()).bitcast();
    let (ratio, area) = both.split();
    [ratio, area << lost_bits]
}

#[derive(Debug, Default)]
pub(crate) struct FixedTables {
    rims: [FixedRimTable; 2],
    /// The first edges, counted from the centre's pixel.
    first: [i32; 2],
    /// The centre's place in its pixel, f and g.
    place: [i32; 2],
    /// f·g.
    product: i32,
}

/// Edges of one ellipse, in whole cache lines.
#[derive(Debug)]
#[repr(align(64))]
struct FixedRimTable {
    /// Between columns: the corner is inside while (y / radius)² is less; 0 where none is.
    room: [i32; EDGES],
    /// Between columns: π/4 − u.
    column_area: [i32; EDGES],
    rows: FixedRowTable,
}

/// Edges between rows.
#[derive(Debug)]
struct FixedRowTable {
    /// (y / radius)².
    square: [i32; EDGES],
    /// u.
    area: [i32; EDGES],
}

impl Default for FixedRimTable {
    fn default() -> Self {
        let rows = FixedRowTable { square: [0; EDGES], area: [0; EDGES] };
        Self { room: [0; EDGES], column_area: [0; EDGES], rows }
    }
}

impl FixedTables {
    #[inline(always)]
    fn fill_format<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        format: &FixedFormat<N>,
        shape: &RasterShape,
        [columns, rows]: [EdgeRange; 2],
    ) {
        let unit = f64::from(UNIT);
        let pixel = shape.center.map(|along| f64::from(along).floor());
        for axis in [0, 1] {
            self.place[axis] = ((f64::from(shape.center[axis]) - pixel[axis]) * unit).round_ties_even() as i32;
        }
        self.first = [columns.first - pixel[0] as i32, rows.first - pixel[1] as i32];
        // the centre is rounded to fixed point once, so that all numbers describe the same disc
        let [f, g] = self.place.map(|place| f64::from(place) / unit);
        self.product = (f * g * unit).round_ties_even() as i32;
        let radii = [Some(shape.radii), shape.hole];
        let area = |[x, y]: [f64; 2]| x * y * (unit / f64::from(ONE));
        // columns first: sweeps load them first, and a load right after its store would stall
        for (rim, radii) in self.rims.iter_mut().zip(radii.into_iter().flatten()) {
            let radii = radii.map(f64::from);
            rim.fill_columns(simd, format, columns, pixel[0] + f, radii[0], area(radii));
        }
        for (rim, radii) in self.rims.iter_mut().zip(radii.into_iter().flatten()) {
            let radii = radii.map(f64::from);
            rim.rows.fill(simd, format, rows, pixel[1] + g, radii[1], area(radii));
        }
    }
}

impl FixedRimTable {
    /// Computes `edges.count` edges at least.
    #[inline(always)]
    fn fill_columns<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        format: &FixedFormat<N>,
        edges: EdgeRange,
        center: f64,
        radius: f64,
        area: f64,
    ) {
        let one = f64x8::splat(simd, 1.0);
        let quarter = f64x8::splat(simd, std::f64::consts::FRAC_PI_4 * area);
        for first in (0..edges.count).step_by(f64x8::<S>::LEN) {
            let (distance, square) = distances(simd, edges.first + first, center, one / radius);
            let segment = format.segment(simd, distance, square) * area;
            let [room, column_area] = to_fixed(one - square, quarter - segment, format.lost_bits());
            let lanes = first as usize..first as usize + i32x8::<S>::LEN;
            room.store_slice(&mut self.room[lanes.clone()]);
            column_area.store_slice(&mut self.column_area[lanes]);
        }
        let behind = (edges.count as usize).next_multiple_of(f64x8::<S>::LEN);
        self.room[behind] = self.room[behind - 1];
        self.column_area[behind] = self.column_area[behind - 1];
    }
}

impl FixedRowTable {
    /// Computes `edges.count` edges at least.
    #[inline(always)]
    fn fill<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        format: &FixedFormat<N>,
        edges: EdgeRange,
        center: f64,
        radius: f64,
        area: f64,
    ) {
        let inverse = f64x8::splat(simd, 1.0) / radius;
        for first in (0..edges.count).step_by(f64x8::<S>::LEN) {
            let (distance, square) = distances(simd, edges.first + first, center, inverse);
            let segment = format.segment(simd, distance, square) * area;
            let [square, area] = to_fixed(square, segment, format.lost_bits());
            let lanes = first as usize..first as usize + i32x8::<S>::LEN;
            square.store_slice(&mut self.square[lanes.clone()]);
            area.store_slice(&mut self.area[lanes]);
        }
    }
}

/// Distances of edges from the centre over the radius, at most 1, and their squares.
#[inline(always)]
fn distances<S: Simd>(simd: S, first: i32, center: f64, inverse_radius: f64x8<S>) -> (f64x8<S>, f64x8<S>) {
    let distance = positions(simd, f64::from(first), center, inverse_radius).abs().min(1.0);
    (distance, distance * distance)
}

impl EdgeTables for FixedTables {
    type Sweep<'a, S: Simd> = FixedSweep<'a, S>;
    // precise enough beyond a radius of 1024, too: the margin grows with the radius, to an eighth of a pixel for
    // circles
    type Spans = f32;

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, shape: &RasterShape, edges: [EdgeRange; 2]) {
        if shape.radii[0] * shape.radii[1] <= (1 << MEDIUM.product_bits) as f32 {
            self.fill_format(simd, &MEDIUM, shape, edges);
        } else {
            self.fill_format(simd, &LARGE, shape, edges);
        }
    }

    #[inline(always)]
    fn sweep<S: Simd>(&self, simd: S, rim: Rim, Start { half, column, row }: Start) -> FixedSweep<'_, S> {
        let rim = &self.rims[rim as usize];
        let number = i32x8::simd_from(simd, [0, 1, 2, 3, 4, 5, 6, 7]) + (self.first[0] + column as i32);
        let left = FixedColumnEdge::new(simd, self, rim, number, column);
        let right = FixedColumnEdge::new(simd, self, rim, number + 1, column + 1);
        // all edges but the first lie on the half's side of the centre
        let first = if self.first[1] + row as i32 > 0 { Half::Lower } else { Half::Upper };
        let corners = [left.corners(first), right.corners(first)];
        let zero = i32x8::splat(simd, 0);
        let mut sweep = FixedSweep { corners, rows: &rim.rows, first: self.first[1], above: zero };
        sweep.above = sweep.area_to(simd, row);
        sweep.corners = [left.corners(half), right.corners(half)];
        sweep
    }
}

/// Edges between columns.
#[derive(Clone, Copy)]
struct FixedColumnEdge<S: Simd> {
    /// x.
    x: i32x8<S>,
    /// x·g.
    dropped: i32x8<S>,
    room: i32x8<S>,
    area: i32x8<S>,
    /// All bits set if it is left of the centre.
    left: i32x8<S>,
}

impl<S: Simd> FixedColumnEdge<S> {
    /// Edge number X and the following edges.
    #[inline(always)]
    fn new(simd: S, tables: &FixedTables, rim: &FixedRimTable, number: i32x8<S>, column: usize) -> Self {
        let lanes = column..column + i32x8::<S>::LEN;
        Self {
            x: number * UNIT - tables.place[0],
            dropped: number * tables.place[1] - tables.product,
            room: i32x8::from_slice(simd, &rim.room[lanes.clone()]),
            area: i32x8::from_slice(simd, &rim.column_area[lanes]),
            left: (number - 1) >> 31,
        }
    }

    #[inline(always)]
    fn corners(self, half: Half) -> EdgeCorners<S> {
        let negative = match half {
            Half::Upper => !self.left,
            Half::Lower => self.left,
        };
        // ¬a is −a − 1: the column's number is negated where A is negative, the row's elsewhere, and 1 makes up for it
        let beyond = self.dropped + (self.area ^ negative) + 1;
        EdgeCorners { x: self.x, room: self.room, beyond, flip: !negative }
    }
}

/// Corners of columns' edges with rows' edges on one side of the centre.
#[derive(Clone, Copy)]
struct EdgeCorners<S: Simd> {
    x: i32x8<S>,
    room: i32x8<S>,
    /// The column's part of A beyond the arc, and x·g.
    beyond: i32x8<S>,
    /// All bits set where the row's part is subtracted, none where it is added.
    flip: i32x8<S>,
}

impl<S: Simd> EdgeCorners<S> {
    /// A + x·g at the corner with edge Y between rows.
    #[inline(always)]
    fn at(&self, simd: S, number: i32, square: i32, area: i32) -> i32x8<S> {
        let beyond = self.beyond + (i32x8::splat(simd, area) ^ self.flip);
        i32x8::splat(simd, square).simd_lt(self.room).select(self.x * number, beyond)
    }
}

pub(crate) struct FixedSweep<'a, S: Simd> {
    /// Of the left and the right edges.
    corners: [EdgeCorners<S>; 2],
    rows: &'a FixedRowTable,
    /// The first of the rows' edges, counted from the centre's pixel.
    first: i32,
    /// Area down to the upper edge of the next row.
    above: i32x8<S>,
}

impl<S: Simd> FixedSweep<'_, S> {
    /// Area between the left and the right edges, from the centre's height to a row's edge.
    #[inline(always)]
    fn area_to(&self, simd: S, edge: usize) -> i32x8<S> {
        let (number, square, area) = (self.first + edge as i32, self.rows.square[edge], self.rows.area[edge]);
        let [left, right] = &self.corners;
        right.at(simd, number, square, area) - left.at(simd, number, square, area)
    }
}

impl<S: Simd> RowSweep<S> for FixedSweep<'_, S> {
    #[inline(always)]
    fn next(&mut self, simd: S, edge: usize, opacity: f32x8<S>) -> f32x8<S> {
        let below = self.area_to(simd, edge);
        let coverage = below - std::mem::replace(&mut self.above, below) - (ONE >> SLACK_BITS);
        coverage.max(0).min(ONE).to_float::<f32x8<S>>() * (opacity * (1.0 / ONE as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{Circle, pixel_coverage};
    use crate::raster::coverage::weight::{SLACK, STRETCH};
    use fearless_simd::{Level, dispatch};

    #[test]
    fn segment_series_keep_their_bounds() {
        assert!(error_of(&MEDIUM) < 1.3e-13, "{:e}", error_of(&MEDIUM));
        assert!(error_of(&LARGE) < 3e-15, "{:e}", error_of(&LARGE));
    }

    fn error_of<const N: usize>(format: &FixedFormat<N>) -> f64 {
        let lanes = |x: [f64; 8]| {
            dispatch!(Level::new(), simd => {
                let x = f64x8::simd_from(simd, x);
                format.segment(simd, x, x * x).to_array()
            })
        };
        let mut most: f64 = 0.0;
        for first in 0..12_500 {
            let x = std::array::from_fn(|lane| f64::from(8 * first + lane as i32) / 99_999.0);
            for (x, segment) in x.into_iter().zip(lanes(x)) {
                let exact = std::f64::consts::FRAC_PI_4 - 0.5 * (x * (1.0 - x * x).sqrt() + libm::asin(x));
                most = most.max((segment - exact).abs());
            }
        }
        most
    }

    /// Weights of a circle's pixels in 16 × 16 from a corner on, and the exact ones.
    fn weights<S: Simd>(simd: S, circle: &Circle, corner: [i32; 2]) -> Vec<[f32; 2]> {
        let shape = RasterShape { center: circle.center, radii: [circle.radius; 2], alpha: 1.0, ..RasterShape::EMPTY };
        let mut tables = FixedTables::default();
        tables.fill(simd, &shape, corner.map(|first| EdgeRange { first, count: 17 }));
        let middle = (circle.center[1].floor() as i32 - corner[1]).clamp(0, 16) as usize;
        let mut pairs = Vec::new();
        for column in [0, 8] {
            for (half, rows) in [(Half::Upper, 0..middle), (Half::Lower, middle..16)] {
                let mut sweep = tables.sweep(simd, Rim::Outer, Start { half, column, row: rows.start });
                for row in rows {
                    let weights = sweep.next(simd, row + 1, f32x8::splat(simd, 1.0)).to_array();
                    for (lane, weight) in weights.into_iter().enumerate() {
                        let exact = pixel_coverage(circle, corner[0] + (column + lane) as i32, corner[1] + row as i32);
                        let exact = exact * f64::from(STRETCH) - f64::from(SLACK);
                        pairs.push([weight, exact.clamp(0.0, 1.0) as f32]);
                    }
                }
            }
        }
        pairs
    }

    /// Weights in all directions at every level are within the bound.
    fn check(center: [f32; 2], radius: f32, bound: f32) {
        for direction in 0..24 {
            let angle = f64::from(direction) * std::f64::consts::TAU / 24.0;
            let rim =
                |axis: usize, along: f64| (f64::from(center[axis]) + f64::from(radius) * along).floor() as i32 - 8;
            let corner = [rim(0, libm::cos(angle)), rim(1, libm::sin(angle))];
            let circle = Circle { center, radius };
            for level in crate::simd::levels() {
                for [weight, exact] in dispatch!(level, simd => weights(simd, &circle, corner)) {
                    assert!((weight - exact).abs() < bound, "{weight} for {exact}: {circle:?} at {corner:?}");
                }
            }
        }
    }

    #[test]
    fn weights_are_those_of_exact_coverage() {
        for center in [[0.0, 0.0], [-0.25, 7.5], [1e-9, -1e-9], [1919.3, -4.7], [200.5, 50.99], [4_194_303.5, 1e6]] {
            for radius in [3.0, 22.5, 40.75, 311.25, 1024.0] {
                let bound = 1.0 / (1u64 << 27) as f32 + radius * radius / (1u64 << 40) as f32;
                check(center, radius, bound + f32::EPSILON / 2.0);
            }
        }
    }

    #[test]
    fn weights_of_large_circles_are_those_of_exact_coverage() {
        for center in [[0.0, 0.0], [-0.25, 7.5], [1919.3, -4.7], [-30_000.75, 12.5], [131_071.98, 90_000.02]] {
            for radius in [1024.5, 3000.75, 30_030.5, 131_072.0] {
                check(center, radius, 1.0 / (1 << 13) as f32);
            }
        }
    }
}
