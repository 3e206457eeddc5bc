//! Fills shapes: walks the pixels that a shape covers and blends its colour there. Only rows that a rim crosses ask a
//! kernel for weights; rows inside are filled with the shape's opacity.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f32x16};

use super::blend::{BlendSpace, Ink};
use super::block::{PixelBlock, PixelRect, SIDE};
use super::coverage::rim::{EdgeRange, EdgeTables, Half, Rim, RowSweep, Start};
use super::coverage::row_spans::{COLUMNS, RowSpans, ShapeSpans};
use super::coverage::small::SmallSweep;
use super::coverage::tiny::{MAX_PIXELS, TinyWeights};
use super::shape::RasterShape;

/// Fills a block that the shape covers wholly.
#[inline(always)]
pub(super) fn fill_block<S: Simd>(simd: S, block: &mut PixelBlock, shape: &RasterShape, space: &BlendSpace) {
    let ink = Ink::<f32x16<S>>::new(simd, shape, space);
    for row in &mut block.rows[..block.height] {
        for column in (0..block.width).step_by(16) {
            ink.blend(simd, row, column, ink.opacity);
        }
    }
}

/// Fills a shape of at most 4×4 pixels, its corner at (x, y); pixels beyond the shape weigh nothing.
#[inline(always)]
pub(super) fn fill_tiny<S: Simd>(
    simd: S,
    ink: &Ink<f32x4<S>>,
    block: &mut PixelBlock,
    [x, y]: [usize; 2],
    weights: &TinyWeights,
    lane: usize,
) {
    // bounds that the compiler can see: any place in the block, and its padding
    let (left, top) = (x % SIDE, y % SIDE);
    let rect = PixelRect { left, top, right: left + MAX_PIXELS, bottom: top + MAX_PIXELS };
    if block.shows_through::<S, f32x4<S>>(simd, rect) {
        for (index, row) in block.rows[rect.top..rect.bottom].iter_mut().enumerate() {
            ink.blend(simd, row, rect.left, f32x4::from_slice(simd, weights.row(index, lane)));
        }
    }
}

/// Fills a shape that is no wider than the lanes and has at most fifteen rows.
#[inline(always)]
pub(super) fn fill_small<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    ink: &Ink<V>,
    block: &mut PixelBlock,
    rect: PixelRect,
    mut sweep: SmallSweep<'_, V>,
) {
    for (row, edge) in block.rows[rect.top..rect.bottom].iter_mut().zip(1..16) {
        ink.blend(simd, row, rect.left, sweep.next(simd, edge, ink.opacity));
    }
}

/// Fills a shape by tables of its edges, in the pixels of `rect`.
#[inline(always)]
pub(super) fn fill_spans<S: Simd, T: EdgeTables>(
    simd: S,
    tables: &mut T,
    block: &mut PixelBlock,
    rect: PixelRect,
    shape: &RasterShape,
    space: &BlendSpace,
) {
    // groups start at multiples of their width, so that each is in one cache line
    let rect = PixelRect { left: rect.left - rect.left % COLUMNS, ..rect };
    // before the edges, so that the lengths of the loops are known while edges are computed
    let spans = ShapeSpans::new::<S, T::Spans>(simd, block, shape, rect);
    tables.fill(simd, shape, edges(block, rect));
    let (ink, wide) = (Ink::new(simd, shape, space), Ink::new(simd, shape, space));
    SpanFiller { simd, tables: &*tables, ink, wide, rect }.fill(block, &spans);
}

/// The edges of the pixels of `rect`.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "pixels of a block")]
fn edges(block: &PixelBlock, rect: PixelRect) -> [EdgeRange; 2] {
    [
        EdgeRange { first: block.x + rect.left as i32, count: rect.width() as i32 + 1 },
        EdgeRange { first: block.y + rect.top as i32, count: rect.height() as i32 + 1 },
    ]
}

/// Fills one shape in groups of columns.
struct SpanFiller<'a, S: Simd, T> {
    simd: S,
    tables: &'a T,
    ink: Ink<f32x8<S>>,
    wide: Ink<f32x16<S>>,
    /// Starts at the left edge of the first group.
    rect: PixelRect,
}

/// Row ranges in one half of a group of columns, by the rims that cross them.
struct HalfRows {
    /// Crossed by the outer rim alone.
    outer: Range<usize>,
    covered: Range<usize>,
    /// Crossed by either rim.
    both: Range<usize>,
}

impl HalfRows {
    /// Rows inside the hole are in none. `outer` and `covered` are split off only where the hole starts later.
    #[inline(always)]
    fn new(half: Half, outer: &RowSpans, hole: &RowSpans) -> Self {
        let (outer_touched, hole_touched) = (&outer.touched, &hole.touched);
        match half {
            Half::Upper if outer.covered.start <= hole_touched.start => Self {
                outer: outer_touched.start..outer.covered.start,
                covered: outer.covered.start..hole_touched.start,
                both: hole_touched.start..hole.covered.start,
            },
            Half::Lower if hole_touched.end <= outer.covered.end => Self {
                outer: outer.covered.end..outer_touched.end,
                covered: hole_touched.end..outer.covered.end,
                both: hole.covered.end..hole_touched.end,
            },
            Half::Upper => Self { outer: 0..0, covered: 0..0, both: outer_touched.start..hole.covered.start },
            Half::Lower => Self { outer: 0..0, covered: 0..0, both: hole.covered.end..outer_touched.end },
        }
    }
}

impl<S: Simd, T: EdgeTables> SpanFiller<'_, S, T> {
    #[inline(always)]
    fn fill(&self, block: &mut PixelBlock, spans: &ShapeSpans) {
        for (group, column) in (self.rect.left..self.rect.right).step_by(COLUMNS).enumerate() {
            let outer = spans.outer.group(group);
            let hole = if let Some(hole) = &spans.hole {
                hole.group(group)
            } else {
                // a filled ellipse has no hole: skip the rows that are filled together with the neighbouring group's
                let filled = self.fill_pair(block, column, &outer, || spans.outer.group(group ^ 1), group % 2 == 0);
                RowSpans { touched: filled.clone(), covered: filled }
            };
            self.fill_half(block, column, Half::Upper, &outer, &hole);
            self.fill_half(block, column, Half::Lower, &outer, &hole);
        }
    }

    /// Fills the rows on one side of the centre.
    #[inline(always)]
    fn fill_half(&self, block: &mut PixelBlock, column: usize, half: Half, outer: &RowSpans, hole: &RowSpans) {
        let rows = HalfRows::new(half, outer, hole);
        self.fill_outer(block, column, half, rows.outer);
        self.fill_covered(block, column, rows.covered);
        self.fill_both(block, column, half, rows.both);
    }

    /// Returns the rows that a group covers together with its neighbour; fills them in one go if the group is the left
    /// one.
    #[inline(always)]
    fn fill_pair(
        &self,
        block: &mut PixelBlock,
        column: usize,
        outer: &RowSpans,
        neighbor: impl Fn() -> RowSpans,
        is_left: bool,
    ) -> Range<usize> {
        if is_left && column + COLUMNS >= self.rect.right {
            return outer.covered.start..outer.covered.start;
        }
        let rows = outer.covered_with(&neighbor());
        if is_left {
            for row in &mut block.rows[rows.clone()] {
                if row.shows_through::<S, f32x16<S>>(self.simd, column) {
                    self.wide.blend(self.simd, row, column, self.wide.opacity);
                }
            }
        }
        rows
    }

    #[inline(always)]
    fn fill_covered(&self, block: &mut PixelBlock, column: usize, rows: Range<usize>) {
        for index in rows {
            let row = &mut block.rows[index];
            if row.shows_through::<S, f32x8<S>>(self.simd, column) {
                self.ink.blend(self.simd, row, column, self.ink.opacity);
            }
        }
    }

    /// Fills rows that the outer rim crosses.
    #[inline(always)]
    fn fill_outer(&self, block: &mut PixelBlock, column: usize, half: Half, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let start = self.start(column, half, &rows);
        let mut outer = self.tables.sweep(self.simd, Rim::Outer, start);
        for (edge, row) in (start.row + 1..).zip(&mut block.rows[rows]) {
            self.ink.blend(self.simd, row, column, outer.next(self.simd, edge, self.ink.opacity));
        }
    }

    /// Fills rows that the rims of both ellipses may cross.
    #[inline(always)]
    fn fill_both(&self, block: &mut PixelBlock, column: usize, half: Half, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let start = self.start(column, half, &rows);
        let mut outer = self.tables.sweep(self.simd, Rim::Outer, start);
        let mut hole = self.tables.sweep(self.simd, Rim::Hole, start);
        for (edge, row) in (start.row + 1..).zip(&mut block.rows[rows]) {
            let weight = outer.next(self.simd, edge, self.ink.opacity);
            let unpainted = hole.next(self.simd, edge, self.ink.opacity);
            self.ink.blend(self.simd, row, column, weight - unpainted);
        }
    }

    #[inline(always)]
    fn start(&self, column: usize, half: Half, rows: &Range<usize>) -> Start {
        Start { half, column: column - self.rect.left, row: rows.start - self.rect.top }
    }
}
