//! Coverage of circles and ellipses from what stands at the edges between pixels.
//!
//! A(x, y), the area of the unit disc inside the rectangle from 0 to (x, y), is x·y while the corner lies in the disc and
//! π/4 − u(x) − u(y) beyond it (for x, y from 0 to 1; odd in both), where u(x) = ∫ √(1 − t²) dt from x to 1 is the area past x
//! of a quarter disc. A pixel's part of the disc is the mixed difference of A over its corners. So a shape needs u at
//! the edges of its columns and of its rows, and a pixel costs a dozen operations with no case beyond "is this corner inside".
//! A is continuous where the cases meet: a corner that rounding puts on the wrong side changes nothing.
//!
//! The area comes in units of the radii's product, and so does its error: below 2⁻²¹ of it in `f32`, 2⁻⁴⁸ in `f64`.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16, f64x8};

/// `f32` for small shapes, `f64` for very large ones.
pub(super) trait Real: SimdFloatElement + Default + 'static {
    const QUARTER_CIRCLE: Self;
    /// u(x) / (1 − x)^(3/2), which is analytic on [0, 1], as a polynomial in x, the highest power first.
    const TERMS: &'static [Self];
    /// The edge itself; exact.
    fn edge(edge: i32) -> Self;
    /// The nearest.
    fn from_f64(value: f64) -> Self;
    /// The same.
    fn from_f32(value: f32) -> Self;
    /// Columns of a shape, looked at together.
    type Columns<S: Simd>: Columns<S, Self>;
    /// As many edges as are worked out together.
    type Lanes<S: Simd>: SimdFloat<S, Element = Self>;
}

/// Chebyshev fits on [0, 1]: off by at most 6·10⁻⁸ and 3·10⁻¹⁵, rounding and all (tested).
impl Real for f32 {
    const QUARTER_CIRCLE: Self = std::f32::consts::FRAC_PI_4;
    #[expect(clippy::approx_constant, reason = "a fitted coefficient, not π/4")]
    const TERMS: &'static [Self] =
        &[-0.000_267_620_05, 0.001_421_922_2, -0.004_008_634, 0.009_515_734, -0.027_345_83, 0.178_095_28, 0.785_398_2];
    type Columns<S: Simd> = Group<f32x8<S>>;
    type Lanes<S: Simd> = f32x16<S>;

    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "exact: the callers keep to 2²⁴")]
    fn edge(edge: i32) -> Self {
        edge as Self
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    fn from_f64(value: f64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        value
    }
}

impl Real for f64 {
    const QUARTER_CIRCLE: Self = std::f64::consts::FRAC_PI_4;
    const TERMS: &'static [Self] = &[
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
    ];
    type Columns<S: Simd> = Group<f64x8<S>>;
    type Lanes<S: Simd> = f64x8<S>;

    #[inline(always)]
    fn edge(edge: i32) -> Self {
        Self::from(edge)
    }

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        Self::from(value)
    }
}

/// u, and what else both axes need, at edges that stand at `at`: distance from the centre over the radius.
#[derive(Clone, Copy)]
struct Arc<V> {
    /// From −1 to 1: what is beyond the shape stands at its end.
    at: V,
    size: V,
    square: V,
    past: V,
    /// Which side of the centre, −1 or 1.
    sign: V,
}

impl<V> Arc<V> {
    #[inline(always)]
    fn new<S: Simd, T: Real>(simd: S, at: V) -> Self
    where
        V: SimdFloat<S, Element = T>,
    {
        let one = V::splat(simd, T::from(1u8));
        let at = at.max(T::from(-1i8)).min(one);
        let size = at.abs();
        let beyond = one - size;
        let mut series = V::splat(simd, T::TERMS[0]);
        for &term in &T::TERMS[1..] {
            series = series * size + term;
        }
        Self { at, size, square: at * at, past: beyond * beyond.sqrt() * series, sign: one.copysign(at) }
    }
}

/// What stands at an edge between columns.
#[derive(Clone, Copy)]
pub(super) struct Column<V> {
    at: V,
    /// The largest y² for which the corner is still inside.
    room: V,
    /// π/4 − u, with the side's sign.
    near: V,
    sign: V,
}

impl<V> Column<V> {
    /// The edges at a distance of `at` radii right of the centre.
    #[inline(always)]
    pub(super) fn new<S: Simd, T: Real>(simd: S, at: V) -> Self
    where
        V: SimdFloat<S, Element = T>,
    {
        Self::of(simd, Arc::new(simd, at))
    }

    #[inline(always)]
    fn of<S: Simd, T: Real>(simd: S, Arc { at, square, past, sign, .. }: Arc<V>) -> Self
    where
        V: SimdFloat<S, Element = T>,
    {
        Self { at, room: V::splat(simd, T::from(1u8)) - square, near: sign * T::QUARTER_CIRCLE - sign * past, sign }
    }

    #[inline(always)]
    fn numbers(self) -> [V; 4] {
        [self.at, self.room, self.near, self.sign]
    }

    /// A at the corner with a row's edge, but for the sign of its side.
    #[inline(always)]
    pub(super) fn corner<S: Simd, T: Real>(&self, row: &Row<V>) -> V
    where
        V: SimdFloat<S, Element = T>,
    {
        row.square.simd_le(self.room).select(self.at * row.size, self.near - self.sign * row.past)
    }
}

/// What stands at an edge between rows.
#[derive(Clone, Copy)]
pub(super) struct Row<V> {
    size: V,
    square: V,
    past: V,
    /// Which side of the centre, −1 or 1.
    pub(super) sign: V,
}

impl<V> Row<V> {
    /// The edges at a distance of `at` radii below the centre.
    #[inline(always)]
    pub(super) fn new<S: Simd, T: Real>(simd: S, at: V) -> Self
    where
        V: SimdFloat<S, Element = T>,
    {
        Self::of(Arc::new(simd, at))
    }

    #[inline(always)]
    fn of(Arc { size, square, past, sign, .. }: Arc<V>) -> Self {
        Self { size, square, past, sign }
    }

    #[inline(always)]
    fn numbers(self) -> [V; 4] {
        [self.size, self.square, self.past, self.sign]
    }
}

/// Which edges: those between columns, along x, or those between rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
}

/// Four numbers for each edge of a run along one axis: those of [`Column`] or those of [`Row`].
#[derive(Debug)]
pub(super) struct Edges<T, const N: usize>([[T; N]; 4]);

impl<T: Real, const N: usize> Default for Edges<T, N> {
    fn default() -> Self {
        Self([[T::default(); N]; 4])
    }
}

impl<T: Real, const N: usize> Edges<T, N> {
    /// Fills in `count` edges at least, the first of them at `start`: those between columns or those between rows.
    #[inline(always)]
    pub(super) fn fill<S: Simd, V: SimdFloat<S, Element = T>>(
        &mut self,
        simd: S,
        axis: Axis,
        [start, count]: [i32; 2],
        center: T,
        radius: T,
    ) {
        let inverse = inverse::<S, T, V>(simd, radius);
        for first in (0..count).step_by(V::LEN) {
            let at = stands::<S, T, V>(simd, start + first, center, inverse);
            let numbers = match axis {
                Axis::X => Column::new(simd, at).numbers(),
                Axis::Y => Row::new(simd, at).numbers(),
            };
            self.put(simd, first, numbers);
        }
    }

    #[inline(always)]
    #[expect(clippy::cast_sign_loss, reason = "counted from 0")]
    fn put<S: Simd, V: SimdFloat<S, Element = T>>(&mut self, _: S, first: i32, values: [V; 4]) {
        let first = first as usize;
        for (run, values) in self.0.iter_mut().zip(values) {
            values.store_slice(&mut run[first..first + V::LEN]);
        }
    }

    /// As many edges between columns as there are lanes.
    #[inline(always)]
    fn columns<S: Simd, V: SimdFloat<S, Element = T>>(&self, simd: S, first: usize) -> Column<V> {
        let [at, room, near, sign] = &self.0;
        let lanes = first..first + V::LEN;
        Column {
            at: V::from_slice(simd, &at[lanes.clone()]),
            room: V::from_slice(simd, &room[lanes.clone()]),
            near: V::from_slice(simd, &near[lanes.clone()]),
            sign: V::from_slice(simd, &sign[lanes]),
        }
    }

    /// Which side of the centre an edge between rows lies on, −1 or 1.
    #[inline(always)]
    pub(super) fn side(&self, index: usize) -> T {
        let [.., sign] = &self.0;
        sign[index]
    }

    /// One edge between rows, in every lane.
    #[inline(always)]
    fn row<S: Simd, V: SimdFloat<S, Element = T>>(&self, simd: S, index: usize) -> Row<V> {
        let [size, square, past, sign] = &self.0;
        Row {
            size: V::splat(simd, size[index]),
            square: V::splat(simd, square[index]),
            past: V::splat(simd, past[index]),
            sign: V::splat(simd, sign[index]),
        }
    }
}

/// Where an edge and those after it stand, a lane each.
#[inline(always)]
pub(super) fn stands<S: Simd, T: Real, V: SimdFloat<S, Element = T>>(simd: S, edge: i32, center: T, inverse: V) -> V {
    let mut steps = V::splat(simd, T::from(0u8));
    for (lane, step) in (0u8..).zip(steps.as_mut_slice()) {
        *step = T::from(lane);
    }
    (steps + T::edge(edge) - center) * inverse
}

#[inline(always)]
fn inverse<S: Simd, T: Real, V: SimdFloat<S, Element = T>>(simd: S, radius: T) -> V {
    V::splat(simd, T::from(1u8)) / radius
}

/// Edges of the rows of a shape of at most fifteen.
pub(super) type FewEdges = Edges<f32, 16>;

impl FewEdges {
    /// Fills in the edges of at most seven rows, and gives those of at most seven columns.
    #[inline(always)]
    pub(super) fn fill_seven<S: Simd>(
        &mut self,
        simd: S,
        [x, y]: [i32; 2],
        center: [f32; 2],
        radii: [f32; 2],
    ) -> Fence<f32x8<S>> {
        // as in `fill`, to the bit: which of them runs depends on the tile
        let rows: f32x8<S> = stands(simd, y, center[1], inverse(simd, radii[1]));
        let columns: f32x8<S> = stands(simd, x, center[0], inverse(simd, radii[0]));
        let Arc { at, size, square, past, sign } = Arc::new(simd, rows.combine(columns));
        let split = |lanes: f32x16<S>| lanes.split();
        let (at, size, square, past, sign) = (split(at), split(size), split(square), split(past), split(sign));
        let rows = Arc { at: at.0, size: size.0, square: square.0, past: past.0, sign: sign.0 };
        let columns = Arc { at: at.1, size: size.1, square: square.1, past: past.1, sign: sign.1 };
        self.put(simd, 0, Row::of(rows).numbers());
        Fence(Column::of(simd, columns))
    }

    /// Fills in the edges of at most fifteen rows, and gives those of at most fifteen columns.
    #[inline(always)]
    pub(super) fn fill_fifteen<S: Simd>(
        &mut self,
        simd: S,
        [x, y]: [i32; 2],
        center: [f32; 2],
        radii: [f32; 2],
    ) -> Fence<f32x16<S>> {
        self.put(simd, 0, Row::<f32x16<S>>::new(simd, stands(simd, y, center[1], inverse(simd, radii[1]))).numbers());
        Fence(Column::new(simd, stands(simd, x, center[0], inverse(simd, radii[0]))))
    }
}

/// The edges of a few columns, one lane each: one more than there are columns.
#[derive(Clone, Copy)]
pub(super) struct Fence<V>(Column<V>);

impl<V> Fence<V> {
    /// The area of the unit disc between each edge and the next, as [`Group::area_to`] has it; the last lane is void.
    #[inline(always)]
    pub(super) fn area_to<S: Simd, const N: usize>(&self, simd: S, rows: &Edges<f32, N>, row: usize) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        let row = rows.row(simd, row);
        let corner = self.0.corner(&row);
        (corner.slide::<1>(corner) - corner) * row.sign
    }
}

/// A group of columns: what stands at their left and right edges.
#[derive(Clone, Copy)]
pub(super) struct Group<V> {
    left: Column<V>,
    right: Column<V>,
}

impl<V> Group<V> {
    #[inline(always)]
    pub(super) fn new<S: Simd, T: Real, const N: usize>(simd: S, edges: &Edges<T, N>, first: usize) -> Self
    where
        V: SimdFloat<S, Element = T>,
    {
        Self { left: edges.columns(simd, first), right: edges.columns(simd, first + 1) }
    }

    /// Area of the unit disc between the left and the right edge, from the centre's height to a row's edge, but for the sign of
    /// its side.
    #[inline(always)]
    pub(super) fn area_to<S: Simd, T: Real, const N: usize>(&self, simd: S, rows: &Edges<T, N>, row: usize) -> V
    where
        V: SimdFloat<S, Element = T>,
    {
        let row = rows.row(simd, row);
        self.right.corner(&row) - self.left.corner(&row)
    }
}

/// As many columns as there are lanes.
pub(super) trait Columns<S: Simd, T: Real>: Copy {
    /// Area as [`Group::area_to`] has it.
    type Area: SimdFloat<S, Element = T>;
    fn at<const N: usize>(simd: S, edges: &Edges<T, N>, index: usize) -> Self;
    fn area_to<const N: usize>(&self, simd: S, rows: &Edges<T, N>, row: usize) -> Self::Area;
    /// The area between two rows' edges, times `scale`.
    fn between(below: Self::Area, above: Self::Area, scale: T) -> f32x8<S>;
}

impl<S: Simd> Columns<S, f32> for Group<f32x8<S>> {
    type Area = f32x8<S>;

    #[inline(always)]
    fn at<const N: usize>(simd: S, edges: &Edges<f32, N>, index: usize) -> Self {
        Self::new(simd, edges, index)
    }

    #[inline(always)]
    fn area_to<const N: usize>(&self, simd: S, rows: &Edges<f32, N>, row: usize) -> Self::Area {
        self.area_to(simd, rows, row)
    }

    #[inline(always)]
    fn between(below: Self::Area, above: Self::Area, scale: f32) -> f32x8<S> {
        (below - above) * scale
    }
}

impl<S: Simd> Columns<S, f64> for Group<f64x8<S>> {
    type Area = f64x8<S>;

    #[inline(always)]
    fn at<const N: usize>(simd: S, edges: &Edges<f64, N>, index: usize) -> Self {
        Self::new(simd, edges, index)
    }

    #[inline(always)]
    fn area_to<const N: usize>(&self, simd: S, rows: &Edges<f64, N>, row: usize) -> Self::Area {
        self.area_to(simd, rows, row)
    }

    #[inline(always)]
    fn between(below: Self::Area, above: Self::Area, scale: f64) -> f32x8<S> {
        let area = (below - above) * scale;
        area.narrow(area).split().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::dispatch;

    /// u from its definition, by `libm`.
    fn past(x: f64) -> f64 {
        std::f64::consts::FRAC_PI_4 - 0.5 * (x * (1.0 - x * x).sqrt() + libm::asin(x))
    }

    fn worst<T: Real>(whole: impl Fn(f64) -> T, back: impl Fn(T) -> f64) -> f64 {
        let at = |x: f64| {
            let x = back(whole(x));
            let series = T::TERMS.iter().fold(0.0, |sum, &term| sum * x + back(term));
            (series * (1.0 - x) * (1.0 - x).sqrt() - past(x)).abs()
        };
        (0..=100_000).map(|i| at(f64::from(i) / 100_000.0)).fold(0.0, f64::max)
    }

    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    fn series_keep_their_bounds() {
        let single = worst::<f32>(|x| x as f32, f64::from);
        assert!(single < 6e-8, "f32: {single:e}");
        let double = worst::<f64>(|x| x, |x| x);
        assert!(double < 3e-15, "f64: {double:e}");
    }

    #[test]
    fn few_edges_are_the_same_as_any() {
        fn compare<S: Simd>(simd: S) {
            let (mut any, mut few) = (Edges::<f32, 32>::default(), FewEdges::default());
            any.fill::<S, f32x16<S>>(simd, Axis::Y, [-4, 16], -1.5, 1.75);
            few.fill_seven(simd, [3, -4], [5.25, -1.5], [2.0, 1.75]);
            assert_eq!(few.0[2][..8], any.0[2][..8]);
            few.fill_fifteen(simd, [3, -4], [5.25, -1.5], [2.0, 1.75]);
            assert_eq!(few.0[2][..16], any.0[2][..16]);
        }
        for level in crate::simd::levels() {
            dispatch!(level, simd => compare(simd));
        }
    }
}
