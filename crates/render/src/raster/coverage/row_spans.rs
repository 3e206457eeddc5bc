//! The rows of a group of columns that an ellipse touches, and the rows that it covers: only rows in between need
//! coverage.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "pixels of a block"
)]

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{SimdFloatElement, f32x8, f32x16, f64x8, i32x16};

use crate::raster::block::{PixelBlock, PixelRect, SIDE};
use crate::raster::shape::RasterShape;

/// Columns of a group, which are filled together.
///
/// Tuned: benches/circles.rs W6.
pub(crate) const COLUMNS: usize = 8;

/// Groups with spans computed together.
pub(crate) const GROUPS: usize = 8;

/// The floating-point type that spans are computed in.
pub(crate) trait SpanFloat: SimdFloatElement {
    /// Assumed error of a rim's position, in units of the radius plus twice a block's side: at least 16 times the
    /// rounding.
    ///
    /// Bound: `spans_hold_the_pixels_an_ellipse_touches_and_covers`.
    const MARGIN: f64;
    /// A lane for each group.
    type Groups<S: Simd>: SimdFloat<S, Element = Self>;
    /// Rounds to the nearest.
    fn from_f64(value: f64) -> Self;
    /// Exact.
    fn from_pixel(pixel: i32) -> Self;
    /// The first rows of all groups, then their last; whole numbers.
    fn rows<S: Simd>(ends: [Self::Groups<S>; 2]) -> [i32; 2 * GROUPS];
}

impl SpanFloat for f32 {
    const MARGIN: f64 = 1.0 / (1u64 << 20) as f64;
    type Groups<S: Simd> = f32x8<S>;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn from_pixel(pixel: i32) -> Self {
        pixel as Self
    }

    #[inline(always)]
    fn rows<S: Simd>([first, last]: [f32x8<S>; 2]) -> [i32; 2 * GROUPS] {
        first.combine(last).to_int::<i32x16<S>>().to_array()
    }
}

impl SpanFloat for f64 {
    const MARGIN: f64 = 1.0 / (1u64 << 48) as f64;
    type Groups<S: Simd> = f64x8<S>;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn from_pixel(pixel: i32) -> Self {
        Self::from(pixel)
    }

    #[inline(always)]
    fn rows<S: Simd>([first, last]: [f64x8<S>; 2]) -> [i32; 2 * GROUPS] {
        let both: f32x16<S> = first.narrow(last);
        both.to_int::<i32x16<S>>().to_array()
    }
}

/// Half-open row ranges of a group of columns: `touched` meets the ellipse, `covered` lies inside it.
///
/// An empty `covered` is at the centre's row, or the rectangle's nearest, so that the ranges of concentric ellipses
/// nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowSpans {
    pub(crate) touched: Range<usize>,
    pub(crate) covered: Range<usize>,
}

impl RowSpans {
    /// The rows that both groups cover; both ranges hold the centre's row.
    #[inline(always)]
    pub(crate) fn covered_with(&self, other: &Self) -> Range<usize> {
        self.covered.start.max(other.covered.start)..self.covered.end.min(other.covered.end)
    }
}

/// The spans of [`GROUPS`] neighbouring groups.
#[derive(Clone, Copy, Debug)]
struct GroupSpans {
    /// The first rows of all groups, then the ends.
    touched: [i32; 2 * GROUPS],
    covered: [i32; 2 * GROUPS],
}

/// The spans of one ellipse in all groups of a block.
#[derive(Debug)]
pub(crate) struct EllipseSpans([GroupSpans; SIDE / (GROUPS * COLUMNS)]);

impl EllipseSpans {
    const EMPTY: Self =
        Self([GroupSpans { touched: [0; 2 * GROUPS], covered: [0; 2 * GROUPS] }; SIDE / (GROUPS * COLUMNS)]);

    /// The spans of a group, counted from the rectangle's left edge.
    #[inline(always)]
    pub(crate) fn group(&self, group: usize) -> RowSpans {
        let GroupSpans { touched, covered } = &self.0[group / GROUPS];
        let lane = group % GROUPS;
        let range = |rows: &[i32; 2 * GROUPS]| rows[lane] as usize..rows[lane + GROUPS] as usize;
        RowSpans { touched: range(touched), covered: range(covered) }
    }
}

/// The spans of both of a shape's ellipses.
#[derive(Debug)]
pub(crate) struct ShapeSpans {
    pub(crate) outer: EllipseSpans,
    pub(crate) hole: Option<EllipseSpans>,
}

impl ShapeSpans {
    /// The spans of all groups in `rect`; the first group starts at its left edge.
    #[inline(always)]
    pub(crate) fn new<S: Simd, T: SpanFloat>(
        simd: S,
        block: &PixelBlock,
        shape: &RasterShape,
        rect: PixelRect,
    ) -> Self {
        let [outer, inner] = shape.exact_radii();
        let outer = LocalEllipse::<T>::new(block, shape.center, outer).spans(simd, rect);
        let hole = shape.hole.map(|_| LocalEllipse::<T>::new(block, shape.center, inner));
        Self { outer, hole: hole.map(|hole| hole.spans(simd, rect)) }
    }
}

/// An ellipse, counted from a block's corner.
#[derive(Clone, Copy, Debug)]
struct LocalEllipse<T> {
    center: [T; 2],
    radii: [T; 2],
    margins: [T; 2],
    /// The radii's ratio, y over x.
    rise: T,
}

impl<T: SpanFloat> LocalEllipse<T> {
    #[inline(always)]
    fn new(block: &PixelBlock, center: [f32; 2], radii: [f64; 2]) -> Self {
        let [x, y] = center.map(f64::from);
        let margins = radii.map(|radius| (radius + (2 * SIDE) as f64) * T::MARGIN);
        Self {
            center: [x - f64::from(block.x), y - f64::from(block.y)].map(T::from_f64),
            radii: radii.map(T::from_f64),
            margins: margins.map(T::from_f64),
            rise: T::from_f64(radii[1] / radii[0]),
        }
    }

    #[inline(always)]
    fn spans<S: Simd>(&self, simd: S, rect: PixelRect) -> EllipseSpans {
        let mut spans = EllipseSpans::EMPTY;
        for (spans, first) in spans.0.iter_mut().zip((rect.left..rect.right).step_by(GROUPS * COLUMNS)) {
            *spans = self.group_spans(simd, first, rect);
        }
        spans
    }

    /// The spans of the groups from column `first` on.
    ///
    /// Rounding moves a rim by far less than the margin; rows within the margin of a rim are computed pixel by pixel.
    #[inline(always)]
    fn group_spans<S: Simd>(&self, simd: S, first: usize, rect: PixelRect) -> GroupSpans {
        let splat = |value: T| T::Groups::<S>::splat(simd, value);
        let edge = |edge: usize| T::from_pixel(edge as i32);
        let zero = edge(0);
        let mut starts = splat(zero);
        for (group, start) in starts.as_mut_slice().iter_mut().enumerate() {
            *start = edge(first + group * COLUMNS);
        }
        let before = starts - self.center[0];
        let behind = (starts + edge(COLUMNS)).min(edge(rect.right)) - self.center[0];
        let [across, down] = self.margins;
        let nearest = (before.max(-behind) - across).max(splat(zero));
        let farthest = before.abs().max(behind.abs()) + across;
        let touch = self.half_height(simd, nearest) + down;
        let cover = self.half_height(simd, farthest) - down;
        let [top, bottom] = [splat(edge(rect.top)), splat(edge(rect.bottom))];
        let y = splat(self.center[1]);
        let center_row = y.floor().max(top).min(bottom);
        let touched = [(y - touch).floor().max(top).min(bottom), (y + touch).ceil().max(top).min(bottom)];
        let (start, end) = ((y - cover).ceil().max(top).min(bottom), (y + cover).floor().max(top).min(bottom));
        let some = start.simd_lt(end);
        let covered = [some.select(start, center_row), some.select(end, center_row)];
        GroupSpans { touched: T::rows(touched), covered: T::rows(covered) }
    }

    /// Half the ellipse's height at an offset from the centre.
    #[inline(always)]
    fn half_height<S: Simd>(&self, simd: S, offset: T::Groups<S>) -> T::Groups<S> {
        let x = T::Groups::<S>::splat(simd, self.radii[0]);
        ((x - offset) * (x + offset)).max(T::from_pixel(0)).sqrt() * self.rise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::dispatch;

    #[test]
    fn spans_hold_the_pixels_an_ellipse_touches_and_covers() {
        for level in crate::simd::levels() {
            dispatch!(level, simd => check::<_, f32>(simd));
            dispatch!(level, simd => check::<_, f64>(simd));
        }
    }

    fn check<S: Simd, T: SpanFloat>(simd: S) {
        let rect = PixelRect { left: 8, right: 100, top: 2, bottom: 40 };
        let block = PixelBlock::default();
        for (center, radii) in [
            ([32.25, 20.5], [19.75, 19.75]),
            ([3.0, -4.0], [21.0, 21.0]),
            ([60.0, 20.0], [50.0, 50.0]),
            ([15.5, 10.5], [0.25, 0.25]),
            ([42.656, 11.95], [22.33, 1.0]),
            ([1000.0, 20.0], [990.0, 990.0]),
            ([15.0, 900.0], [1000.0, 893.5]),
            ([30_050.0, -40.0], [30_030.5, 30_030.5]),
            ([40.0, 131_000.0], [131_072.0, 130_980.0]),
            ([999_960.0, 21.0], [1e6, 15.0]),
        ] {
            let shape = RasterShape { center, radii: [1.0; 2], hole: Some(radii), ..RasterShape::EMPTY };
            let spans = ShapeSpans::new::<S, T>(simd, &block, &shape, rect).hole.expect("a hole");
            for (group, first) in (rect.left..rect.right).step_by(COLUMNS).enumerate() {
                let RowSpans { touched, covered } = spans.group(group);
                let columns = first..rect.right.min(first + COLUMNS);
                for (row, column) in (rect.top..rect.bottom).flat_map(|row| columns.clone().map(move |x| (row, x))) {
                    let distance = |far: bool| {
                        let along = |pixel: usize, axis: usize| {
                            let before = pixel as f64 - f64::from(center[axis]);
                            let (size, behind) = (before.abs(), before + 1.0);
                            let along = if far { size.max(behind.abs()) } else { before.max(-behind).max(0.0) };
                            along / f64::from(radii[axis])
                        };
                        let (x, y) = (along(column, 0), along(row, 1));
                        (x * x + y * y).sqrt()
                    };
                    assert!(distance(false) >= 1.0 || touched.contains(&row), "{center:?} misses {column}, {row}");
                    assert!(distance(true) <= 1.0 || !covered.contains(&row), "{center:?} covers {column}, {row}");
                }
            }
        }
    }
}
