//! The paper that marks are drawn on: a frame, and on request a record of the same marks as shapes.
//!
//! Marks always reach the frame, so that a figure has one layout, whatever its file format.

use std::ops::Range;

use super::paint::Point;
use crate::color::Srgba8;
use crate::frame::Frame;

/// A shape in one colour, in pixels from the top-left corner of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorMark {
    pub shape: VectorShape,
    /// Straight alpha.
    pub color: Srgba8,
}

/// The area that a mark covers. Places and lengths are in pixels, x to the right and y down.
#[derive(Clone, Debug, PartialEq)]
pub enum VectorShape {
    /// An ellipse along the axes.
    Ellipse {
        center: Point,
        radii: Point,
    },
    /// The part of a disc within half of `width` of its rim, which is wider than `width`.
    Ring {
        center: Point,
        radius: f64,
        width: f64,
    },
    Rectangle {
        min: Point,
        max: Point,
    },
    /// A line with round ends.
    Line {
        from: Point,
        to: Point,
        width: f64,
    },
    /// The inside of closed curves, by the nonzero rule.
    Inside(VectorPath),
    /// The area under a round pen that moves along curves.
    Along {
        path: VectorPath,
        width: f64,
    },
    Text(VectorText),
}

/// A line of text, with its outlines in the bundled font.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorText {
    pub words: String,
    /// Where it begins on its baseline.
    pub start: Point,
    /// Its direction: a unit vector.
    pub along: Point,
    /// Pixels per em.
    pub size: f64,
    /// Its length in the bundled font.
    pub length: f64,
    /// Its outlines in the bundled font.
    pub path: VectorPath,
    /// The width of a round pen that moves along its outlines; otherwise they are filled.
    pub pen: Option<f64>,
}

/// Curves, closed or open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorPath(pub Vec<CurveStep>);

/// A piece of a curve, from the end of the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveStep {
    /// Begins another curve.
    Move(Point),
    Line(Point),
    /// A cubic Bézier curve: two control points, and the end.
    Curve([Point; 3]),
    /// Back to the beginning of the curve.
    Close,
}

/// Distance of the control points of a quarter of a circle, as a share of its radius: 4/3 · (√2 − 1). The curve is within
/// 1/3000 of the radius.
pub(super) const QUARTER: f64 = 0.552_284_749_830_793_4;

impl VectorPath {
    /// The outline of an ellipse along the axes.
    pub fn ellipse([x, y]: Point, [across, down]: Point, is_clockwise: bool) -> Self {
        let down = if is_clockwise { down } else { -down };
        let at = |right: f64, below: f64| [x + right * across, y + below * down];
        let quarter = |[c, s]: Point| {
            let controls = [at(c - s * QUARTER, s + c * QUARTER), at(-s + c * QUARTER, c + s * QUARTER), at(-s, c)];
            CurveStep::Curve(controls)
        };
        let quarters = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]].map(quarter);
        Self([&[CurveStep::Move(at(1.0, 0.0))][..], &quarters, &[CurveStep::Close]].concat())
    }

    /// A closed polygon.
    pub(super) fn polygon(corners: &[Point]) -> Self {
        let steps = corners.iter().enumerate();
        let step = |(index, &corner)| if index == 0 { CurveStep::Move(corner) } else { CurveStep::Line(corner) };
        Self(steps.map(step).chain([CurveStep::Close]).collect())
    }

    /// Moves all points.
    fn shift(&mut self, by: Point) {
        for step in &mut self.0 {
            match step {
                CurveStep::Move(at) | CurveStep::Line(at) => shift(at, by),
                CurveStep::Curve(points) => points.iter_mut().for_each(|at| shift(at, by)),
                CurveStep::Close => {}
            }
        }
    }
}

fn shift(at: &mut Point, by: Point) {
    *at = [at[0] + by[0], at[1] + by[1]];
}

impl VectorMark {
    /// Moves the mark to the right and down.
    pub fn shift(&mut self, by: Point) {
        match &mut self.shape {
            VectorShape::Ellipse { center, .. } | VectorShape::Ring { center, .. } => shift(center, by),
            VectorShape::Rectangle { min: from, max: to } | VectorShape::Line { from, to, .. } => {
                shift(from, by);
                shift(to, by);
            }
            VectorShape::Inside(path) | VectorShape::Along { path, .. } => path.shift(by),
            VectorShape::Text(text) => {
                shift(&mut text.start, by);
                text.path.shift(by);
            }
        }
    }
}

/// A frame to draw marks on: a whole picture, or some rows of it.
pub(super) struct Paper<'a> {
    pub(super) frame: &'a mut Frame,
    /// The row of the picture that is the frame's first.
    pub(super) first_row: u32,
    record: Option<&'a mut Vec<VectorMark>>,
}

impl<'a> Paper<'a> {
    pub(super) fn new(frame: &'a mut Frame) -> Self {
        Self::recording(frame, None)
    }

    /// Paper that shows the rows of a picture from `first_row` on.
    pub(super) fn of_rows(frame: &'a mut Frame, first_row: u32) -> Self {
        Self { frame, first_row, record: None }
    }

    /// Paper that also writes its marks to a list, from the lowest to the topmost.
    pub(super) fn recording(frame: &'a mut Frame, record: Option<&'a mut Vec<VectorMark>>) -> Self {
        Self { frame, first_row: 0, record }
    }

    /// The rows of the picture that it shows.
    pub(super) fn rows(&self) -> Range<u32> {
        self.first_row..self.first_row.saturating_add(self.frame.height())
    }

    pub(super) fn is_recording(&self) -> bool {
        self.record.is_some()
    }

    /// Records a mark, if marks are recorded.
    pub(super) fn record(&mut self, color: Srgba8, shape: impl FnOnce() -> VectorShape) {
        if let Some(record) = &mut self.record {
            record.push(VectorMark { shape: shape(), color });
        }
    }

    /// The number of marks on record.
    pub(super) fn recorded(&self) -> usize {
        self.record.as_ref().map_or(0, |record| record.len())
    }

    /// Extends the rectangles that were recorded since `first` to `end` along an axis: without edges between them no
    /// background shows there, whatever the resolution. Neighbours of one colour become one.
    pub(super) fn stack(&mut self, first: usize, axis: usize, end: f64) {
        let Some(record) = &mut self.record else { return };
        for mark in &mut record[first..] {
            if let VectorShape::Rectangle { max, .. } = &mut mark.shape {
                max[axis] = end;
            }
        }
        let across = 1 - axis;
        for mark in record.split_off(first) {
            let is_same = |last: &VectorMark| match (&last.shape, &mark.shape) {
                (VectorShape::Rectangle { min, max }, VectorShape::Rectangle { min: from, max: to }) => {
                    last.color == mark.color && min[across] == from[across] && max[across] == to[across]
                }
                _ => false,
            };
            if !record[first..].last().is_some_and(is_same) {
                record.push(mark);
            }
        }
    }

    /// Replaces the frame by one in which the picture lies further to the right and down.
    pub(super) fn replace(&mut self, frame: Frame, by: Point) {
        *self.frame = frame;
        self.record.iter_mut().flat_map(|record| record.iter_mut()).for_each(|mark| mark.shift(by));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::paint::{FilledRectangle, fill_rectangle};

    fn row(top: f64) -> FilledRectangle {
        FilledRectangle { min: [1.0, top], max: [3.0, top + 1.0] }
    }

    #[test]
    fn stacked_rows_reach_the_bottom_and_merge() {
        let (mut frame, mut record) = (Frame::new(4, 4, Srgba8::WHITE).expect("small"), Vec::new());
        let mut paper = Paper::recording(&mut frame, Some(&mut record));
        let first = paper.recorded();
        for (top, color) in [(0.0, Srgba8::BLACK), (1.0, Srgba8::BLACK), (2.0, Srgba8::rgb(9, 9, 9))] {
            fill_rectangle(&mut paper, &row(top), color);
        }
        paper.stack(first, 1, 3.0);
        let rectangle = |top: f64| VectorShape::Rectangle { min: [1.0, top], max: [3.0, 3.0] };
        let expected = [(0.0, Srgba8::BLACK), (2.0, Srgba8::rgb(9, 9, 9))];
        assert_eq!(record, expected.map(|(top, color)| VectorMark { shape: rectangle(top), color }));
    }

    #[test]
    fn marks_move_with_the_picture() {
        let (mut frame, mut record) = (Frame::new(4, 4, Srgba8::WHITE).expect("small"), Vec::new());
        let mut paper = Paper::recording(&mut frame, Some(&mut record));
        fill_rectangle(&mut paper, &row(0.0), Srgba8::BLACK);
        paper.replace(Frame::new(9, 9, Srgba8::WHITE).expect("small"), [5.0, 2.0]);
        let moved = VectorShape::Rectangle { min: [6.0, 2.0], max: [8.0, 3.0] };
        assert_eq!(record, [VectorMark { shape: moved, color: Srgba8::BLACK }]);
        assert_eq!(frame.width(), 9);
    }
}
