//! The interface of rim kernels: tables of the edges between a shape's pixels, and sweeps that read them down a group
//! of columns, row by row.

use fearless_simd::f32x8;
use fearless_simd::prelude::*;

use super::row_spans::{COLUMNS, SpanFloat};
use crate::raster::block::SIDE;
use crate::raster::shape::RasterShape;

/// Edges between columns or rows that a table holds: enough for a block and the last group of lanes, and one more, in
/// whole cache lines.
pub(super) const EDGES: usize = SIDE + 4 * COLUMNS;

/// The canvas edges of a rectangle of pixels along one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeRange {
    /// The first edge; on the canvas, edge 0 is left of or above pixel 0.
    pub(crate) first: i32,
    pub(crate) count: i32,
}

/// One of a shape's two ellipses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rim {
    Outer,
    Hole,
}

/// Rows on one side of an ellipse's centre. The first of them may hold the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Upper,
    Lower,
}

/// Where a sweep starts: edges are counted from the first in the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub(crate) half: Half,
    /// The left edge of the group of columns.
    pub(crate) column: usize,
    /// The upper edge of the first row.
    pub(crate) row: usize,
}

/// Tables of the edges of both of a shape's ellipses.
pub(crate) trait EdgeTables {
    type Sweep<'a, S: Simd>: RowSweep<S>
    where
        Self: 'a;
    /// Numbers precise enough for the shape's row spans.
    type Spans: SpanFloat;

    /// Computes the edges between columns, then the edges between rows.
    ///
    /// The last group of columns may extend beyond the requested edges. Its pixels there lie outside the shape or the
    /// block, so the edge after the last computed one may be a copy of it.
    fn fill<S: Simd>(&mut self, simd: S, shape: &RasterShape, edges: [EdgeRange; 2]);

    /// Starts a sweep down one of the ellipses.
    fn sweep<S: Simd>(&self, simd: S, rim: Rim, start: Start) -> Self::Sweep<'_, S>;
}

/// Computes the weights of a group of columns, one row after the other.
pub(crate) trait RowSweep<S: Simd> {
    /// Coverage times opacity of the pixels above `edge`, the next row's lower edge.
    fn next(&mut self, simd: S, edge: usize, opacity: f32x8<S>) -> f32x8<S>;
}
