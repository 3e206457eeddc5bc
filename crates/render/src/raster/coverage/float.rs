//! Rims of small ellipses, in `f32`: tables of half segments at a shape's edges ([`super::segment`]), and sweeps that
//! take their differences row by row.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16};

use super::rim::{EDGES, EdgeRange, EdgeTables, Half, Rim, RowSweep, Start};
use super::segment::{ColumnEdge, ColumnTable, RowEdge, RowTable, Segment, positions};
use super::weight::{SLACK, scale, weight};
use crate::raster::shape::RasterShape;

/// The largest product of the radii: the error, 2⁻²¹ of the product, is then below [`SLACK`].
///
/// Bound: `coverage_is_within_a_512th_for_every_radius_and_level`.
pub(crate) const MAX_PRODUCT: f32 = 480.0;

/// The largest radius: edges are then off by at most 2⁻¹⁸ of a pixel.
///
/// Bound: `coverage_of_rings_and_ellipses_is_within_a_512th`.
pub(crate) const MAX_RADIUS: f32 = 64.0;

/// The farthest centre, 2²²: edges are whole numbers in `f32`, and well apart.
pub(crate) const MAX_CENTER: f32 = 4_194_304.0;

#[derive(Debug, Default)]
pub(crate) struct FloatTables {
    rims: [RimTable; 2],
}

/// Edges of one ellipse, in whole cache lines.
#[derive(Debug, Default)]
#[repr(align(64))]
struct RimTable {
    columns: ColumnTable<EDGES>,
    rows: RowTable<EDGES>,
    /// See [`scale`].
    scale: f32,
}

impl RimTable {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded to f32; counted from 0")]
    #[expect(clippy::cast_precision_loss, reason = "exact up to MAX_CENTER")]
    fn fill<S: Simd>(&mut self, simd: S, shape: &RasterShape, radii: [f32; 2], [columns, rows]: [EdgeRange; 2]) {
        let (x, y) = (f32x16::splat(simd, 1.0) / radii[0], f32x16::splat(simd, 1.0) / radii[1]);
        for first in (0..columns.count).step_by(f32x16::<S>::LEN) {
            let positions = positions(simd, (columns.first + first) as f32, shape.center[0], x);
            self.columns.store(simd, first as usize, &ColumnEdge::new(simd, Segment::new(simd, positions)));
        }
        self.columns.repeat((columns.count as usize).next_multiple_of(f32x16::<S>::LEN) - 1);
        for first in (0..rows.count).step_by(f32x16::<S>::LEN) {
            let positions = positions(simd, (rows.first + first) as f32, shape.center[1], y);
            self.rows.store(simd, first as usize, &RowEdge::new(Segment::new(simd, positions)));
        }
        self.scale = scale(radii, shape.alpha) as f32;
    }
}

impl EdgeTables for FloatTables {
    type Sweep<'a, S: Simd> = FloatSweep<'a, S>;
    type Spans = f32;

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, shape: &RasterShape, edges: [EdgeRange; 2]) {
        let radii = [Some(shape.radii), shape.hole].into_iter().flatten();
        for (rim, radii) in self.rims.iter_mut().zip(radii) {
            rim.fill(simd, shape, radii, edges);
        }
    }

    #[inline(always)]
    fn sweep<S: Simd>(&self, simd: S, rim: Rim, Start { half, column, row }: Start) -> FloatSweep<'_, S> {
        let RimTable { columns, rows, scale } = &self.rims[rim as usize];
        // all edges but the first lie on that side: their common sign goes into the scale
        let side = match half {
            Half::Upper => -1.0,
            Half::Lower => 1.0,
        };
        let [left, right] = [columns.load(simd, column), columns.load(simd, column + 1)];
        let mut sweep = FloatSweep { left, right, rows, scale: side * scale, above: f32x8::splat(simd, 0.0) };
        sweep.above = sweep.area_to(simd, row) * (side * rows.sign(row));
        sweep
    }
}

pub(crate) struct FloatSweep<'a, S: Simd> {
    left: ColumnEdge<f32x8<S>>,
    right: ColumnEdge<f32x8<S>>,
    rows: &'a RowTable<EDGES>,
    scale: f32,
    /// Area down to the upper edge of the next row.
    above: f32x8<S>,
}

impl<S: Simd> FloatSweep<'_, S> {
    /// Area of the unit disc between the left and the right edges, from the centre's height to a row's edge.
    #[inline(always)]
    fn area_to(&self, simd: S, edge: usize) -> f32x8<S> {
        let edge = self.rows.splat(simd, edge);
        self.right.corner(&edge) - self.left.corner(&edge)
    }
}

impl<S: Simd> RowSweep<S> for FloatSweep<'_, S> {
    #[inline(always)]
    fn next(&mut self, simd: S, edge: usize, opacity: f32x8<S>) -> f32x8<S> {
        let below = self.area_to(simd, edge);
        let above = std::mem::replace(&mut self.above, below);
        weight((below - above) * self.scale, opacity * SLACK, opacity)
    }
}
