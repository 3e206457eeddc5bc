//! Areas of the unit disc from its circular segments at the edges between pixels.
//!
//! A(x, y), the area of the unit disc inside the rectangle from 0 to (x, y), is x·y while the corner lies in the disc
//! and π/4 − u(x) − u(y) beyond it (for x, y from 0 to 1; odd in both), where u(x) = ∫ √(1 − t²) dt from x to 1 is the
//! area of half a circular segment. A pixel's part of the disc is the mixed difference of A over its corners. So a
//! shape needs u at the edges of its columns and of its rows, and a pixel takes a dozen operations and one comparison:
//! does the corner lie in the disc? A is continuous there, so a corner that rounding puts on the wrong side changes
//! nothing.
//!
//! Areas are in units of the radii's product, and so is the error: below 2⁻²¹ of it.

use fearless_simd::SimdFloatElement;
use fearless_simd::prelude::*;

/// u(x) / (1 − x)^(3/2), which is analytic on [0, 1], as a polynomial in x, the highest power first: a Chebyshev fit,
/// off by at most 6·10⁻⁸ with rounding.
///
/// Bound: `segment_series_keeps_its_bound`.
#[expect(clippy::approx_constant, reason = "a fitted coefficient, not π/4")]
pub(super) const SERIES: [f32; 7] =
    [-0.000_267_620_05, 0.001_421_922_2, -0.004_008_634, 0.009_515_734, -0.027_345_83, 0.178_095_28, 0.785_398_2];

/// Edges at `position`, the distance from the centre over the radius, and their half segments.
#[derive(Clone, Copy)]
pub(super) struct Segment<V> {
    /// From −1 to 1: edges beyond the shape move to its end.
    pub(super) position: V,
    /// |position|.
    pub(super) distance: V,
    pub(super) square: V,
    /// u(distance).
    pub(super) area: V,
    /// Side of the centre, −1 or 1.
    pub(super) sign: V,
}

impl<V> Segment<V> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, position: V) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let one = V::splat(simd, 1.0);
        let position = position.max(-1.0).min(one);
        let distance = position.abs();
        let beyond = one - distance;
        let mut series = V::splat(simd, SERIES[0]);
        for &term in &SERIES[1..] {
            series = series * distance + term;
        }
        let area = beyond * beyond.sqrt() * series;
        Self { position, distance, square: position * position, area, sign: one.copysign(position) }
    }
}

/// Edges between columns.
#[derive(Clone, Copy)]
pub(super) struct ColumnEdge<V> {
    position: V,
    /// The largest y² for which the corner is still inside.
    room: V,
    /// π/4 − u, with the side's sign.
    area: V,
    sign: V,
}

impl<V> ColumnEdge<V> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, segment: Segment<V>) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let Segment { position, square, area, sign, .. } = segment;
        let area = sign * std::f32::consts::FRAC_PI_4 - sign * area;
        Self { position, room: V::splat(simd, 1.0) - square, area, sign }
    }

    /// A at the corner with a row's edge, up to the sign of the row's side.
    #[inline(always)]
    pub(super) fn corner<S: Simd>(&self, row: &RowEdge<V>) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        row.square.simd_le(self.room).select(self.position * row.distance, self.area - self.sign * row.area)
    }
}

/// Edges between rows.
#[derive(Clone, Copy)]
pub(super) struct RowEdge<V> {
    distance: V,
    square: V,
    area: V,
    /// Side of the centre, −1 or 1.
    pub(super) sign: V,
}

impl<V> RowEdge<V> {
    #[inline(always)]
    pub(super) fn new(segment: Segment<V>) -> Self {
        let Segment { distance, square, area, sign, .. } = segment;
        Self { distance, square, area, sign }
    }
}

/// Runs of edges between columns.
#[derive(Debug)]
pub(super) struct ColumnTable<const N: usize> {
    position: [f32; N],
    room: [f32; N],
    area: [f32; N],
    sign: [f32; N],
}

impl<const N: usize> Default for ColumnTable<N> {
    fn default() -> Self {
        Self { position: [0.0; N], room: [0.0; N], area: [0.0; N], sign: [0.0; N] }
    }
}

impl<const N: usize> ColumnTable<N> {
    #[inline(always)]
    pub(super) fn store<S: Simd, V: SimdFloat<S, Element = f32>>(&mut self, _: S, first: usize, edges: &ColumnEdge<V>) {
        let lanes = first..first + V::LEN;
        edges.position.store_slice(&mut self.position[lanes.clone()]);
        edges.room.store_slice(&mut self.room[lanes.clone()]);
        edges.area.store_slice(&mut self.area[lanes.clone()]);
        edges.sign.store_slice(&mut self.sign[lanes]);
    }

    /// Copies an edge to the place behind it.
    #[inline(always)]
    pub(super) fn repeat(&mut self, edge: usize) {
        for values in [&mut self.position, &mut self.room, &mut self.area, &mut self.sign] {
            values[edge + 1] = values[edge];
        }
    }

    /// The edges from `first` on, a lane each.
    #[inline(always)]
    pub(super) fn load<S: Simd, V: SimdFloat<S, Element = f32>>(&self, simd: S, first: usize) -> ColumnEdge<V> {
        let lanes = first..first + V::LEN;
        ColumnEdge {
            position: V::from_slice(simd, &self.position[lanes.clone()]),
            room: V::from_slice(simd, &self.room[lanes.clone()]),
            area: V::from_slice(simd, &self.area[lanes.clone()]),
            sign: V::from_slice(simd, &self.sign[lanes]),
        }
    }
}

/// Runs of edges between rows.
#[derive(Debug)]
pub(super) struct RowTable<const N: usize> {
    distance: [f32; N],
    square: [f32; N],
    area: [f32; N],
    sign: [f32; N],
}

impl<const N: usize> Default for RowTable<N> {
    fn default() -> Self {
        Self { distance: [0.0; N], square: [0.0; N], area: [0.0; N], sign: [0.0; N] }
    }
}

impl<const N: usize> RowTable<N> {
    #[inline(always)]
    pub(super) fn store<S: Simd, V: SimdFloat<S, Element = f32>>(&mut self, _: S, first: usize, edges: &RowEdge<V>) {
        let lanes = first..first + V::LEN;
        edges.distance.store_slice(&mut self.distance[lanes.clone()]);
        edges.square.store_slice(&mut self.square[lanes.clone()]);
        edges.area.store_slice(&mut self.area[lanes.clone()]);
        edges.sign.store_slice(&mut self.sign[lanes]);
    }

    /// One edge, in every lane.
    #[inline(always)]
    pub(super) fn splat<S: Simd, V: SimdFloat<S, Element = f32>>(&self, simd: S, index: usize) -> RowEdge<V> {
        RowEdge {
            distance: V::splat(simd, self.distance[index]),
            square: V::splat(simd, self.square[index]),
            area: V::splat(simd, self.area[index]),
            sign: V::splat(simd, self.sign[index]),
        }
    }

    /// Side of the centre that an edge lies on, −1 or 1.
    #[inline(always)]
    pub(super) fn sign(&self, index: usize) -> f32 {
        self.sign[index]
    }
}

/// Positions of the edge at `first` and the following edges, one per lane: distance from the centre over the radius.
#[inline(always)]
pub(super) fn positions<S: Simd, T: SimdFloatElement + From<u8>, V: SimdFloat<S, Element = T>>(
    simd: S,
    first: T,
    center: T,
    inverse_radius: V,
) -> V {
    let mut steps = V::splat(simd, T::from(0u8));
    for (lane, step) in (0u8..).zip(steps.as_mut_slice()) {
        *step = T::from(lane);
    }
    (steps + first - center) * inverse_radius
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    fn segment_series_keeps_its_bound() {
        let off = |x: f64| {
            let x = f64::from(x as f32);
            let series = SERIES.iter().fold(0.0, |sum, &term| sum * x + f64::from(term));
            let exact = std::f64::consts::FRAC_PI_4 - 0.5 * (x * (1.0 - x * x).sqrt() + libm::asin(x));
            (series * (1.0 - x) * (1.0 - x).sqrt() - exact).abs()
        };
        let most = (0..=100_000).map(|i| off(f64::from(i) / 100_000.0)).fold(0.0, f64::max);
        assert!(most < 6e-8, "{most:e}");
    }
}
