//! Ellipses and rings painted by tables of their edges: bounds tell rows that are missed or covered, the rim is worked out.

#![expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "pixels of a block")]

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16};

use super::arc::{Axis, Columns, Edges, Real};
use super::bands::{Band, Bounds, GROUPS};
use super::block::{Block, Planes, SIDE};
use super::paint::{Area, Ink, SLACK, stretch};
use super::shape::{Shape, Space};

/// Columns of a rim that are looked at together.
const COLUMNS: usize = 8;

/// Edges of columns or rows that a table holds: those of a block and of a last group of lanes.
const EDGES: usize = SIDE + 16;

/// Edges between columns and between rows, of the whole and of its hole.
pub(super) type Runs<T> = [[Edges<T, EDGES>; 2]; 2];

/// Fills in the tables of the shape, and of its hole if there is one, and paints by them.
#[inline(always)]
pub(super) fn paint<S: Simd, T: Real, V: SimdFloat<S, Element = T>>(
    simd: S,
    [columns, rows]: &mut Runs<T>,
    block: &mut Block,
    shape: &Shape,
    area: Area,
    space: &Space,
) {
    // groups start at multiples of their width: each then lies in one line of the cache
    let area = Area { left: area.left - area.left % COLUMNS, ..area };
    let [x, y] = shape.center.map(T::from_f32);
    let across = [block.x + area.left as i32, area.width().next_multiple_of(COLUMNS) as i32 + 1];
    let down = [block.y + area.top as i32, area.height() as i32 + 1];
    for (index, radii) in [Some(shape.outer), shape.inner].into_iter().flatten().enumerate() {
        columns[index].fill::<S, V>(simd, Axis::X, across, x, T::from_f32(radii[0]));
        rows[index].fill::<S, V>(simd, Axis::Y, down, y, T::from_f32(radii[1]));
    }
    let (outer, inner) = (Table::new(columns, rows, 0, block, shape, shape.outer), shape.inner);
    let inner = inner.map(|inner| Table::new(columns, rows, 1, block, shape, inner));
    let ink = Ink::new(simd, shape, space);
    let slack = ink.full * SLACK;
    Brush { simd, outer, inner, ink, slack, area }.paint(block, &Ink::new(simd, shape, space));
}

/// One ellipse's edges in a block.
struct Table<'a, T> {
    columns: &'a Edges<T, EDGES>,
    rows: &'a Edges<T, EDGES>,
    scale: T,
    bounds: Bounds,
}

impl<'a, T: Real> Table<'a, T> {
    #[inline(always)]
    fn new(
        columns: &'a [Edges<T, EDGES>; 2],
        rows: &'a [Edges<T, EDGES>; 2],
        index: usize,
        block: &Block,
        shape: &Shape,
        radii: [f32; 2],
    ) -> Self {
        let scale = T::from_f64(stretch(radii, shape.alpha));
        Self { columns: &columns[index], rows: &rows[index], scale, bounds: Bounds::new(block, shape.center, radii) }
    }
}

/// Rows of an area on one side of an ellipse's centre, or across it only in the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Upper,
    Lower,
}

/// The coverage of row after row of a group of columns.
struct Sweep<'a, S: Simd, T: Real> {
    columns: T::Columns<S>,
    rows: &'a Edges<T, EDGES>,
    scale: T,
    /// The area down to the last row's edge.
    area: <T::Columns<S> as Columns<S, T>>::Area,
}

impl<'a, S: Simd, T: Real> Sweep<'a, S, T> {
    /// From a row on; both count in the table's edges.
    #[inline(always)]
    fn new(simd: S, table: &Table<'a, T>, half: Half, column: usize, row: usize) -> Self {
        let columns = T::Columns::<S>::at(simd, table.columns, column);
        let side = match half {
            Half::Upper => T::from(-1i8),
            Half::Lower => T::from(1i8),
        };
        // all edges but the first lie on that side: their common sign goes into the scale
        let area = columns.area_to(simd, table.rows, row) * (side * table.rows.side(row));
        Self { columns, rows: table.rows, scale: side * table.scale, area }
    }

    /// Coverage times opacity down to the next edge, ready for [`Ink::weight`].
    #[inline(always)]
    fn next(&mut self, simd: S, edge: usize) -> f32x8<S> {
        let below = self.columns.area_to(simd, self.rows, edge);
        let above = std::mem::replace(&mut self.area, below);
        T::Columns::<S>::between(below, above, self.scale)
    }
}

/// An ellipse or ring, a block, and what one is painted into the other with.
struct Brush<'a, S: Simd, T: Real> {
    simd: S,
    outer: Table<'a, T>,
    inner: Option<Table<'a, T>>,
    ink: Ink<f32x8<S>>,
    slack: f32x8<S>,
    area: Area,
}

impl<S: Simd, T: Real> Brush<'_, S, T> {
    /// Paints one group of columns after the other; without a hole, rows that two groups cover in one go.
    #[inline(always)]
    fn paint(&self, block: &mut Block, wide: &Ink<f32x16<S>>) {
        let area = self.area;
        for first in (area.left..area.right).step_by(GROUPS * COLUMNS) {
            let end = area.right.min(first + GROUPS * COLUMNS);
            let outer = self.outer.bounds.bands(self.simd, [first, COLUMNS], area);
            let inner = self.inner.as_ref().map(|inner| inner.bounds.bands(self.simd, [first, COLUMNS], area));
            for (group, column) in (first..end).step_by(COLUMNS).enumerate() {
                let whole = outer.group(group);
                // of an ellipse without one, what it leaves to be painted in one go takes the place of a hole
                let hole = if let Some(inner) = &inner {
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
        if self.inner.is_none() || whole.covered.0 < hole.reached.0 {
            self.paint_rim(block, column, Half::Upper, whole.reached.0..whole.covered.0);
            self.paint_plain(block, column, whole.covered.0..hole.reached.0);
            above = hole.reached.0;
        }
        if self.inner.is_none() || hole.reached.1 < whole.covered.1 {
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
        let mut sweep = Sweep::new(self.simd, &self.outer, half, column - left, rows.start - top);
        for row in rows {
            let weight = self.ink.weight(sweep.next(self.simd, row + 1 - top), self.slack);
            self.ink.blend(self.simd, &mut block.rows[row], column, weight);
        }
    }

    /// Paints rows that the rims of both ellipses may cross.
    #[inline(always)]
    fn paint_rims(&self, block: &mut Block, column: usize, half: Half, rows: Range<usize>) {
        let Some(inner) = &self.inner else { return };
        if rows.is_empty() {
            return;
        }
        let Area { left, top, .. } = self.area;
        let mut outside = Sweep::new(self.simd, &self.outer, half, column - left, rows.start - top);
        let mut inside = Sweep::new(self.simd, inner, half, column - left, rows.start - top);
        for row in rows {
            let covered = self.ink.weight(outside.next(self.simd, row + 1 - top), self.slack);
            let hole = self.ink.weight(inside.next(self.simd, row + 1 - top), self.slack);
            self.ink.blend(self.simd, &mut block.rows[row], column, covered - hole);
        }
    }
}

/// Whether any of a few pixels of a row shows something.
#[inline(always)]
fn shows<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, Planes([.., rest]): &Planes, column: usize) -> bool {
    V::from_slice(simd, &rest[column..column + V::LEN]).simd_gt(0.0).any_true()
}
