//! Ellipses and rings painted by tables of their edges: bounds tell rows that are missed or covered, the rim is worked out.

#![expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "pixels of a block")]

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16};

use super::bands::{Band, Bands, Bound, Bounds, GROUPS};
use super::block::{Block, Planes};
use super::paint::{Area, Ink};
use super::rim::{COLUMNS, Half, Rim, Rims, Span, Sweep};
use super::shape::{Shape, Space};

/// Fills in what stands at the shape's edges, and paints by that.
#[inline(always)]
pub(super) fn paint<S: Simd, T: Rims>(
    simd: S,
    rims: &mut T,
    block: &mut Block,
    shape: &Shape,
    area: Area,
    space: &Space,
) {
    // groups start at multiples of their width: each then lies in one line of the cache
    let area = Area { left: area.left - area.left % COLUMNS, ..area };
    let outline = Outline::<T::Bound>::new(block, shape);
    // before the edges: how long each loop runs is known by the time that these are worked out
    let bands = outline.bands(simd, area.left, area);
    let first = [block.x + area.left as i32, block.y + area.top as i32];
    let count = [area.width().next_multiple_of(COLUMNS) as i32 + 1, area.height() as i32 + 1];
    rims.fill(simd, shape, Span { first, count });
    let ink = Ink::new(simd, shape, space);
    Brush { simd, rims: &*rims, outline, ink, area }.paint(block, bands, &Ink::new(simd, shape, space));
}

/// Bounds of a shape's ellipses.
struct Outline<T> {
    outer: Bounds<T>,
    inner: Option<Bounds<T>>,
}

impl<T: Bound> Outline<T> {
    #[inline(always)]
    fn new(block: &Block, shape: &Shape) -> Self {
        let inner = shape.inner.map(|radii| Bounds::new(block, shape.center, radii));
        Self { outer: Bounds::new(block, shape.center, shape.outer), inner }
    }

    /// The bands of [`GROUPS`] groups of columns from `first` on, of both ellipses.
    #[inline(always)]
    fn bands<S: Simd>(&self, simd: S, first: usize, area: Area) -> (Bands, Option<Bands>) {
        let inner = self.inner.as_ref().map(|inner| inner.bands(simd, [first, COLUMNS], area));
        (self.outer.bands(simd, [first, COLUMNS], area), inner)
    }
}

/// An ellipse or ring, a block, and what one is painted into the other with.
struct Brush<'a, S: Simd, T: Rims> {
    simd: S,
    rims: &'a T,
    outline: Outline<T::Bound>,
    ink: Ink<f32x8<S>>,
    area: Area,
}

impl<S: Simd, T: Rims> Brush<'_, S, T> {
    /// Paints one group of columns after the other; without a hole, rows that two groups cover in one go. The bands are those
    /// of the first groups.
    #[inline(always)]
    fn paint(&self, block: &mut Block, mut bands: (Bands, Option<Bands>), wide: &Ink<f32x16<S>>) {
        let area = self.area;
        for first in (area.left..area.right).step_by(GROUPS * COLUMNS) {
            if first > area.left {
                bands = self.outline.bands(self.simd, first, area);
            }
            let (outer, inner) = &bands;
            let end = area.right.min(first + GROUPS * COLUMNS);
            for (group, column) in (first..end).step_by(COLUMNS).enumerate() {
                let whole = outer.group(group);
                // of an ellipse without one, what it leaves to be painted in one go takes the place of a hole
                let hole = if let Some(inner) = inner {
                    inner.group(group)
                } else if column + COLUMNS < end || group % 2 == 1 {
                    let pair = whole.covered_with(outer.group(group ^ 1));
                    if group % 2 == 0 {
                        self.paint_wide(block, wide, column, pair);
                    }
                    Band { reached: pair, covered: pair }
                } else {
                    whole.empty()
                };
                self.paint_group(block, column, whole, hole);
            }
        }
    }

    /// Paints a group of columns: its upper half, then its lower. Rows that the hole covers are left as they are.
    #[inline(always)]
    fn paint_group(&self, block: &mut Block, column: usize, whole: Band, hole: Band) {
        let (mut above, mut below) = (whole.reached.0, whole.reached.1);
        if self.outline.inner.is_none() || whole.covered.0 < hole.reached.0 {
            self.paint_rim(block, column, Half::Upper, whole.reached.0..whole.covered.0);
            self.paint_plain(block, column, whole.covered.0..hole.reached.0);
            above = hole.reached.0;
        }
        if self.outline.inner.is_none() || hole.reached.1 < whole.covered.1 {
            self.paint_plain(block, column, hole.reached.1..whole.covered.1);
            self.paint_rim(block, column, Half::Lower, whole.covered.1..whole.reached.1);
            below = hole.reached.1;
        }
        self.paint_rims(block, column, Half::Upper, above..hole.covered.0);
        self.paint_rims(block, column, Half::Lower, hole.covered.1..below);
    }

    /// Paints rows of two groups of columns that are covered wholly.
    #[inline(always)]
    fn paint_wide(&self, block: &mut Block, wide: &Ink<f32x16<S>>, column: usize, (start, end): (usize, usize)) {
        for row in start..end {
            let planes = &mut block.rows[row];
            if shows::<S, f32x16<S>>(self.simd, planes, column) {
                wide.blend(self.simd, planes, column, wide.full);
            }
        }
    }

    /// Paints rows that are covered wholly.
    #[inline(always)]
    fn paint_plain(&self, block: &mut Block, column: usize, rows: Range<usize>) {
        for row in rows {
            let planes = &mut block.rows[row];
            if shows::<S, f32x8<S>>(self.simd, planes, column) {
                self.ink.blend(self.simd, planes, column, self.ink.full);
            }
        }
    }

    /// Paints rows that the rim crosses.
    #[inline(always)]
    fn paint_rim(&self, block: &mut Block, column: usize, half: Half, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let Area { left, top, .. } = self.area;
        let mut sweep = self.rims.sweep(self.simd, Rim::Outer, half, column - left, rows.start - top);
        let first = rows.start + 1 - top;
        for (edge, planes) in (first..).zip(&mut block.rows[rows]) {
            self.ink.blend(self.simd, planes, column, sweep.next(self.simd, edge, &self.ink));
        }
    }

    /// Paints rows that the rims of both ellipses may cross.
    #[inline(always)]
    fn paint_rims(&self, block: &mut Block, column: usize, half: Half, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let Area { left, top, .. } = self.area;
        let mut outside = self.rims.sweep(self.simd, Rim::Outer, half, column - left, rows.start - top);
        let mut inside = self.rims.sweep(self.simd, Rim::Inner, half, column - left, rows.start - top);
        let first = rows.start + 1 - top;
        for (edge, planes) in (first..).zip(&mut block.rows[rows]) {
            let covered = outside.next(self.simd, edge, &self.ink);
            let hole = inside.next(self.simd, edge, &self.ink);
            self.ink.blend(self.simd, planes, column, covered - hole);
        }
    }
}

/// Whether any of a few pixels of a row shows something.
#[inline(always)]
fn shows<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, Planes([.., rest]): &Planes, column: usize) -> bool {
    V::from_slice(simd, &rest[column..column + V::LEN]).simd_gt(0.0).any_true()
}
