//! Coverage of filled circles and ellipses of at most 4×4 pixels, sixteen of them at a time, a lane each.
//!
//! The kernels of [`super::paint`] look at a row of one shape's pixels at a time; of shapes this small most lanes would
//! stay empty, and what is worked out once a shape would cost more than its pixels. The steps are those of [`super::arc`],
//! in the same order, so that the bits are the same whichever kernel looks at a shape.

use fearless_simd::f32x16;
use fearless_simd::prelude::*;

use super::arc::{Column, Row};
use super::paint::SLACK;

/// Most columns and rows.
pub(super) const MOST: usize = 4;

/// Coverage times opacity of the pixels of sixteen shapes: row by row, and in a row shape by shape, four columns each.
#[derive(Debug)]
pub(super) struct Weights([[f32; 16 * MOST]; MOST]);

impl Default for Weights {
    fn default() -> Self {
        Self([[0.0; 16 * MOST]; MOST])
    }
}

/// Sixteen filled shapes, a lane each.
#[derive(Clone, Copy)]
pub(super) struct Lanes<S: Simd> {
    /// The canvas's pixel that is the first in x and y, a whole number.
    pub(super) corner: [f32x16<S>; 2],
    pub(super) center: [f32x16<S>; 2],
    pub(super) radii: [f32x16<S>; 2],
    /// Opacity.
    pub(super) alpha: f32x16<S>,
    /// What area is multiplied by: [`super::paint::stretch`].
    pub(super) scale: f32x16<S>,
}

impl Weights {
    /// Works out all pixels of all lanes. A call of its own, compiled once an instruction set.
    pub(super) fn fill<S: Simd>(&mut self, simd: S, lanes: &Lanes<S>) {
        simd.vectorize(
            #[inline(always)]
            || self.fill_lanes(simd, lanes),
        );
    }

    #[inline(always)]
    fn fill_lanes<S: Simd>(&mut self, simd: S, lanes: &Lanes<S>) {
        let end = f32x16::splat(simd, 1.0);
        let mut columns = [Column::new(simd, end); MOST + 1];
        let mut rows = [Row::new(simd, end); MOST + 1];
        let steps = [0.0, 1.0, 2.0, 3.0, 4.0];
        let inverse = [f32x16::splat(simd, 1.0) / lanes.radii[0], f32x16::splat(simd, 1.0) / lanes.radii[1]];
        for ((column, row), step) in columns.iter_mut().zip(&mut rows).zip(steps) {
            let at = |axis: usize| ((lanes.corner[axis] + step) - lanes.center[axis]) * inverse[axis];
            *column = Column::new(simd, at(0));
            *row = Row::new(simd, at(1));
        }
        let slack = f32x16::splat(simd, SLACK) * lanes.alpha;
        let mut above = [f32x16::splat(simd, 0.0); MOST];
        for (index, row) in rows.iter().enumerate() {
            // the area between each column's edges, from the centre's height to the row's edge
            let mut below = above;
            let mut left = columns[0].corner(row);
            for (area, column) in below.iter_mut().zip(&columns[1..]) {
                let right = column.corner(row);
                *area = (right - left) * row.sign;
                left = right;
            }
            if index > 0 {
                for (above, below) in above.iter_mut().zip(&below) {
                    *above = ((*below - *above) * lanes.scale - slack).max(0.0).min(lanes.alpha);
                }
                self.put(index - 1, above);
            }
            above = below;
        }
    }

    /// Puts down the weights of a row: four lanes' worth of columns become four columns of each lane.
    #[inline(always)]
    fn put<S: Simd>(&mut self, row: usize, [a, b, c, d]: [f32x16<S>; MOST]) {
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
    pub(super) fn row(&self, row: usize, lane: usize) -> &[f32] {
        &self.0[row][MOST * (lane & 15)..][..MOST]
    }
}
