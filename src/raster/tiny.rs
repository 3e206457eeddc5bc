//! Coverage of filled circles and ellipses of at most 4×4 pixels, sixteen of them at a time, a lane each.
//!
//! The kernels of [`super::paint`] look at a row of one shape's pixels at a time; of shapes this small most lanes would
//! stay empty, and what is worked out once a shape would cost more than its pixels. The steps are those of [`super::arc`],
//! in the same order, so that the bits are the same whichever kernel looks at a shape.

use fearless_simd::f32x16;
use fearless_simd::prelude::*;

use super::arc::{Edge, Stand};
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
    /// Works out all pixels of all lanes.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(&mut self, simd: S, lanes: &Lanes<S>) {
        let columns = lanes.edges(simd, 0);
        let columns = [
            Edge::new(simd, columns[0]),
            Edge::new(simd, columns[1]),
            Edge::new(simd, columns[2]),
            Edge::new(simd, columns[3]),
            Edge::new(simd, columns[4]),
        ];
        let rows = lanes.edges(simd, 1);
        let slack = f32x16::splat(simd, SLACK) * lanes.alpha;
        let mut above = areas(simd, &columns, &rows[0]);
        for (weights, row) in self.0.iter_mut().zip(&rows[1..]) {
            let below = areas(simd, &columns, row);
            let mut weight = below;
            for ((weight, below), above) in weight.iter_mut().zip(below).zip(above) {
                *weight = ((below - above) * lanes.scale - slack).max(0.0).min(lanes.alpha);
            }
            above = below;
            // four lanes' worth of columns become four columns of each lane
            let [a, b, c, d] = weight;
            let (even, odd) = (a.interleave(c), b.interleave(d));
            let (low, high) = (even.0.interleave(odd.0), even.1.interleave(odd.1));
            low.0.store_slice(&mut weights[..16]);
            low.1.store_slice(&mut weights[16..32]);
            high.0.store_slice(&mut weights[32..48]);
            high.1.store_slice(&mut weights[48..]);
        }
    }

    /// The weights of a row of the shape in a lane.
    #[inline(always)]
    pub(super) fn row(&self, row: usize, lane: usize) -> &[f32] {
        &self.0[row][MOST * (lane & 15)..][..MOST]
    }
}

impl<S: Simd> Lanes<S> {
    /// What stands at the five edges along an axis.
    #[inline(always)]
    fn edges(&self, simd: S, axis: usize) -> [Stand<f32x16<S>>; MOST + 1] {
        let (corner, center) = (self.corner[axis], self.center[axis]);
        let inverse = f32x16::splat(simd, 1.0) / self.radii[axis];
        let mut edges = [Stand::new(simd, (corner - center) * inverse); MOST + 1];
        for (edge, step) in edges.iter_mut().zip([0.0, 1.0, 2.0, 3.0, 4.0]).skip(1) {
            *edge = Stand::new(simd, ((corner + step) - center) * inverse);
        }
        edges
    }
}

/// The area between each column's edges, from the centre's height to a row's edge.
#[inline(always)]
fn areas<S: Simd>(simd: S, columns: &[Edge<f32x16<S>>; MOST + 1], row: &Stand<f32x16<S>>) -> [f32x16<S>; MOST] {
    let mut corner = columns[0].corner(row);
    let mut areas = [f32x16::splat(simd, 0.0); MOST];
    for (area, column) in areas.iter_mut().zip(&columns[1..]) {
        let right = column.corner(row);
        *area = right - corner;
        corner = right;
    }
    areas
}
