//! Filled ellipses of at most 4×4 pixels, sixteen of them at a time, a lane each.
//!
//! The other kernels compute a row of one shape's pixels at a time: for shapes this small most lanes would be empty,
//! and the work for each shape would cost more than its pixels.

use fearless_simd::f32x16;
use fearless_simd::prelude::*;

use super::segment::{ColumnEdge, RowEdge, Segment};
use super::weight::{SLACK, weight};

/// Maximum number of columns, and of rows.
pub(crate) const MAX_PIXELS: usize = 4;

/// Coverage times opacity of the pixels of sixteen shapes: row by row, and in a row shape by shape, four columns each.
#[derive(Debug)]
pub(crate) struct TinyWeights([[f32; 16 * MAX_PIXELS]; MAX_PIXELS]);

impl Default for TinyWeights {
    fn default() -> Self {
        Self([[0.0; 16 * MAX_PIXELS]; MAX_PIXELS])
    }
}

/// Sixteen filled ellipses, a lane each.
#[derive(Clone, Copy)]
pub(crate) struct TinyShapes<S: Simd> {
    /// The top-left pixel on the canvas, whole numbers.
    pub(crate) corner: [f32x16<S>; 2],
    pub(crate) center: [f32x16<S>; 2],
    pub(crate) radii: [f32x16<S>; 2],
    /// Opacity.
    pub(crate) alpha: f32x16<S>,
    /// See [`super::weight::scale`].
    pub(crate) scale: f32x16<S>,
}

impl TinyWeights {
    /// Computes all pixels of all shapes. Not inlined, so that it is compiled once per instruction set.
    pub(crate) fn fill<S: Simd>(&mut self, simd: S, shapes: &TinyShapes<S>) {
        simd.vectorize(
            #[inline(always)]
            || self.fill_lanes(simd, shapes),
        );
    }

    #[inline(always)]
    fn fill_lanes<S: Simd>(&mut self, simd: S, shapes: &TinyShapes<S>) {
        let end = Segment::new(simd, f32x16::splat(simd, 1.0));
        let mut columns = [ColumnEdge::new(simd, end); MAX_PIXELS + 1];
        let mut rows = [RowEdge::new(end); MAX_PIXELS + 1];
        let steps = [0.0, 1.0, 2.0, 3.0, 4.0];
        let inverse = [f32x16::splat(simd, 1.0) / shapes.radii[0], f32x16::splat(simd, 1.0) / shapes.radii[1]];
        for ((column, row), step) in columns.iter_mut().zip(&mut rows).zip(steps) {
            let x = ((shapes.corner[0] + step) - shapes.center[0]) * inverse[0];
            let y = ((shapes.corner[1] + step) - shapes.center[1]) * inverse[1];
            *column = ColumnEdge::new(simd, Segment::new(simd, x));
            *row = RowEdge::new(Segment::new(simd, y));
        }
        let slack = f32x16::splat(simd, SLACK) * shapes.alpha;
        let mut above = [f32x16::splat(simd, 0.0); MAX_PIXELS];
        for (index, row) in rows.iter().enumerate() {
            // area between each column's edges, from the centre's height to the row's edge
            let mut below = above;
            let mut left = columns[0].corner(row);
            for (area, column) in below.iter_mut().zip(&columns[1..]) {
                let right = column.corner(row);
                *area = (right - left) * row.sign;
                left = right;
            }
            if index > 0 {
                for (above, below) in above.iter_mut().zip(&below) {
                    *above = weight((*below - *above) * shapes.scale, slack, shapes.alpha);
                }
                self.store(index - 1, above);
            }
            above = below;
        }
    }

    /// Stores a row, transposed: four columns of sixteen shapes become sixteen shapes of four columns.
    #[inline(always)]
    fn store<S: Simd>(&mut self, row: usize, [a, b, c, d]: [f32x16<S>; MAX_PIXELS]) {
        let (even, odd) = (a.interleave(c), b.interleave(d));
        let (low, high) = (even.0.interleave(odd.0), even.1.interleave(odd.1));
        let weights = &mut self.0[row];
        low.0.store_slice(&mut weights[..16]);
        low.1.store_slice(&mut weights[16..32]);
        high.0.store_slice(&mut weights[32..48]);
        high.1.store_slice(&mut weights[48..]);
    }

    /// The weights of a row of the shape in a lane.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize, lane: usize) -> &[f32] {
        &self.0[row][MAX_PIXELS * (lane & 15)..][..MAX_PIXELS]
    }
}
