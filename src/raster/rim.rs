//! Coverage at the rims of an ellipse and of its hole, by tables of what stands at the edges of columns and rows.

use fearless_simd::f32x8;
use fearless_simd::prelude::*;

use super::arc::{Axis, Columns, Edges, Real};
use super::bands::Bound;
use super::block::SIDE;
use super::paint::{Ink, SLACK, stretch};
use super::shape::Shape;

/// Columns of a rim that are looked at together.
pub(super) const COLUMNS: usize = 8;

/// Edges of columns or rows that a table holds: those of a block and of a last group of lanes.
pub(super) const EDGES: usize = SIDE + 16;

/// Edges of columns and of rows at which a shape is looked at: numbers of the first, and how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: [i32; 2],
    pub(super) count: [i32; 2],
}

/// Which of a shape's ellipses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rim {
    Outer,
    Inner,
}

/// Rows of an area on one side of an ellipse's centre, or across it only in the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Upper,
    Lower,
}

/// What stands at the edges of columns and rows, for both ellipses of a shape.
pub(super) trait Rims {
    /// The coverage of row after row of a group of columns.
    type Sweep<'a, S: Simd>: Sweep<S>
    where
        Self: 'a;
    /// Numbers that tell which rows are missed and which covered wholly.
    type Bound: Bound;

    /// Fills in the edges of the span, for the hole if there is one.
    fn fill<S: Simd>(&mut self, simd: S, shape: &Shape, span: Span);

    /// From a column's left and a row's upper edge on, both counted from the first in the tables.
    fn sweep<S: Simd>(&self, simd: S, rim: Rim, half: Half, column: usize, row: usize) -> Self::Sweep<'_, S>;
}

/// The coverage of row after row of a group of columns.
pub(super) trait Sweep<S: Simd> {
    /// Coverage times opacity of the pixels down to the next row's edge, which is counted from the first in the tables.
    fn next(&mut self, simd: S, edge: usize, ink: &Ink<f32x8<S>>) -> f32x8<S>;
}

/// Rims of floating-point numbers.
#[derive(Debug)]
pub(super) struct FloatRims<T> {
    columns: [Edges<T, EDGES>; 2],
    rows: [Edges<T, EDGES>; 2],
    scales: [T; 2],
}

impl<T: Real> Default for FloatRims<T> {
    fn default() -> Self {
        Self { columns: Default::default(), rows: Default::default(), scales: Default::default() }
    }
}

impl<T: Bound> Rims for FloatRims<T> {
    type Bound = T;
    type Sweep<'a, S: Simd> = FloatSweep<'a, S, T>;

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, shape: &Shape, Span { first, count }: Span) {
        let [x, y] = shape.center.map(T::from_f32);
        for (rim, radii) in [Some(shape.outer), shape.inner].into_iter().flatten().enumerate() {
            let [across, down] = radii.map(T::from_f32);
            self.columns[rim].fill::<S, T::Lanes<S>>(simd, Axis::X, [first[0], count[0]], x, across);
            self.rows[rim].fill::<S, T::Lanes<S>>(simd, Axis::Y, [first[1], count[1]], y, down);
            self.scales[rim] = T::from_f64(stretch(radii, shape.alpha));
        }
    }

    #[inline(always)]
    fn sweep<S: Simd>(&self, simd: S, rim: Rim, half: Half, column: usize, row: usize) -> FloatSweep<'_, S, T> {
        let columns = T::Columns::<S>::at(simd, &self.columns[rim as usize], column);
        let (rows, scale) = (&self.rows[rim as usize], self.scales[rim as usize]);
        let side = match half {
            Half::Upper => T::from(-1i8),
            Half::Lower => T::from(1i8),
        };
        // all edges but the first lie on that side: their common sign goes into the scale
        let area = columns.area_to(simd, rows, row) * (side * rows.side(row));
        FloatSweep { columns, rows, scale: side * scale, area }
    }
}

/// The coverage of row after row of a group of columns.
pub(super) struct FloatSweep<'a, S: Simd, T: Real> {
    columns: T::Columns<S>,
    rows: &'a Edges<T, EDGES>,
    scale: T,
    /// The area down to the last row's edge.
    area: <T::Columns<S> as Columns<S, T>>::Area,
}

impl<S: Simd, T: Real> Sweep<S> for FloatSweep<'_, S, T> {
    #[inline(always)]
    fn next(&mut self, simd: S, edge: usize, ink: &Ink<f32x8<S>>) -> f32x8<S> {
        let below = self.columns.area_to(simd, self.rows, edge);
        let above = std::mem::replace(&mut self.area, below);
        ink.weight(T::Columns::<S>::between(below, above, self.scale), ink.full * SLACK)
    }
}
