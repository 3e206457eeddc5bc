//! Filled ellipses of at most 15×15 pixels: each row of the shape is one group of lanes.

#![expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16};

use super::segment::{ColumnEdge, RowEdge, RowTable, Segment, positions};
use super::weight::{SLACK, scale, weight};
use crate::raster::shape::RasterShape;

/// The largest radius of shapes that may have so few pixels.
pub(crate) const MAX_RADIUS: f32 = 7.0;

/// Slack of eight edges. The last has no right neighbour: its slack exceeds the area of any pixel, so that it weighs 0.
const SLACK_OF_8: [f32; 8] = [SLACK, SLACK, SLACK, SLACK, SLACK, SLACK, SLACK, 64.0];
const SLACK_OF_16: [f32; 16] = {
    let mut slack = [SLACK; 16];
    slack[15] = 256.0;
    slack
};

/// Scratch memory for the edges between rows, reused from shape to shape.
#[derive(Debug, Default)]
pub(crate) struct SmallRows(RowTable<16>);

/// The edges of one shape: between columns a lane each, one more than columns; between rows in a table.
pub(crate) struct SmallEdges<'a, V> {
    columns: ColumnEdge<V>,
    rows: &'a RowTable<16>,
    scale: V,
    slack: V,
}

impl SmallRows {
    /// The edges of at most seven rows and seven columns from the canvas's pixel `corner` on.
    #[inline(always)]
    pub(crate) fn seven<S: Simd>(
        &mut self,
        simd: S,
        shape: &RasterShape,
        corner: [i32; 2],
    ) -> SmallEdges<'_, f32x8<S>> {
        let x: f32x8<S> = positions_along(simd, shape, corner, 0);
        let y: f32x8<S> = positions_along(simd, shape, corner, 1);
        // rows and columns side by side
        let Segment { position, distance, square, area, sign } = Segment::new(simd, y.combine(x));
        let split = |lanes: f32x16<S>| lanes.split();
        let (position, distance, square) = (split(position), split(distance), split(square));
        let (area, sign) = (split(area), split(sign));
        let rows = Segment { position: position.0, distance: distance.0, square: square.0, area: area.0, sign: sign.0 };
        let columns =
            Segment { position: position.1, distance: distance.1, square: square.1, area: area.1, sign: sign.1 };
        self.0.store(simd, 0, &RowEdge::new(rows));
        SmallEdges {
            columns: ColumnEdge::new(simd, columns),
            rows: &self.0,
            scale: f32x8::splat(simd, scale(shape.radii, shape.alpha) as f32),
            slack: f32x8::simd_from(simd, SLACK_OF_8) * shape.alpha,
        }
    }

    /// The edges of at most fifteen rows and fifteen columns from the canvas's pixel `corner` on.
    #[inline(always)]
    pub(crate) fn fifteen<S: Simd>(
        &mut self,
        simd: S,
        shape: &RasterShape,
        corner: [i32; 2],
    ) -> SmallEdges<'_, f32x16<S>> {
        let x: f32x16<S> = positions_along(simd, shape, corner, 0);
        let y: f32x16<S> = positions_along(simd, shape, corner, 1);
        self.0.store(simd, 0, &RowEdge::new(Segment::new(simd, y)));
        SmallEdges {
            columns: ColumnEdge::new(simd, Segment::new(simd, x)),
            rows: &self.0,
            scale: f32x16::splat(simd, scale(shape.radii, shape.alpha) as f32),
            slack: f32x16::simd_from(simd, SLACK_OF_16) * shape.alpha,
        }
    }
}

/// Positions of the edges from `corner` on along an axis.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "exact up to the farthest centre")]
fn positions_along<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    shape: &RasterShape,
    corner: [i32; 2],
    axis: usize,
) -> V {
    let inverse: V = V::splat(simd, 1.0) / shape.radii[axis];
    positions(simd, corner[axis] as f32, shape.center[axis], inverse)
}

impl<V> SmallEdges<'_, V> {
    /// Starts at the upper edge of the first row.
    #[inline(always)]
    pub(crate) fn sweep<S: Simd>(&self, simd: S) -> SmallSweep<'_, V>
    where
        V: SimdFloat<S, Element = f32>,
    {
        SmallSweep { edges: self, above: self.area_to(simd, 0) }
    }

    /// Area of the unit disc between each edge and the next, from the centre's height to a row's edge. The last lane is
    /// void.
    #[inline(always)]
    fn area_to<S: Simd>(&self, simd: S, edge: usize) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        let row = self.rows.splat(simd, edge);
        let corner = self.columns.corner(&row);
        (corner.slide::<1>(corner) - corner) * row.sign
    }
}

/// Computes the weights of a shape, one row after the other.
pub(crate) struct SmallSweep<'a, V> {
    edges: &'a SmallEdges<'a, V>,
    /// Area down to the upper edge of the next row.
    above: V,
}

impl<V> SmallSweep<'_, V> {
    /// Coverage times opacity of the pixels above `edge`, the next row's lower edge.
    #[inline(always)]
    pub(crate) fn next<S: Simd>(&mut self, simd: S, edge: usize, opacity: V) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        let below = self.edges.area_to(simd, edge);
        let above = std::mem::replace(&mut self.above, below);
        weight((below - above) * self.edges.scale, self.edges.slack, opacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::coverage::float::FloatTables;
    use crate::raster::coverage::rim::{EdgeRange, EdgeTables, Half, Rim, RowSweep, Start};
    use fearless_simd::dispatch;

    #[test]
    fn weights_of_small_shapes_are_those_of_edge_tables() {
        fn compare<S: Simd>(simd: S) {
            let shape = RasterShape { center: [5.25, -1.5], radii: [2.0, 1.75], alpha: 0.8, ..RasterShape::EMPTY };
            let corner = [3, -4];
            let mut tables = FloatTables::default();
            tables.fill(simd, &shape, corner.map(|first| EdgeRange { first, count: 16 }));
            let mut small = SmallRows::default();
            let opacity = f32x8::splat(simd, shape.alpha);
            let seven = small.seven(simd, &shape, corner);
            let mut sweep = seven.sweep(simd);
            let mut rows = Vec::new();
            for row in 0..7 {
                rows.push(sweep.next(simd, row + 1, opacity).to_array());
            }
            let fifteen = small.fifteen(simd, &shape, corner);
            let mut sweep = fifteen.sweep(simd);
            for (row, seven) in rows.iter().enumerate() {
                let half = if row < 2 { Half::Upper } else { Half::Lower };
                let start = Start { half, column: 0, row };
                let expected = tables.sweep(simd, Rim::Outer, start).next(simd, row + 1, opacity).to_array();
                assert_eq!(seven[..7], expected[..7], "seven, row {row}");
                assert_eq!(seven[7], 0.0, "seven, the last lane is void");
                let fifteen = sweep.next(simd, row + 1, f32x16::splat(simd, shape.alpha)).to_array();
                assert_eq!(fifteen[..8], expected, "fifteen, row {row}");
                assert_eq!(fifteen[8..], [0.0; 8], "fifteen, beyond the shape");
            }
            assert!(rows.iter().flatten().any(|weight| (0.1..0.7).contains(weight)), "{rows:?}");
        }
        for level in crate::simd::levels() {
            dispatch!(level, simd => compare(simd));
        }
    }
}
