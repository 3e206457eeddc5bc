//! Marks in the space of the spheres: the edges of a periodic box, and the axes.

use glam::DVec3;

use super::paint::{Line, Point, draw_line, draw_visible_line};
use super::paper::Paper;
use super::text::TextLine;
use crate::color::Srgba8;
use crate::scene::DepthMap;
use crate::scene::Rays;
use crate::scene::spheres::View;

/// The edges of a parallelepiped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellEdges {
    /// A corner.
    #[doc(hidden)]
    pub origin: DVec3,
    /// The edges that start at that corner.
    #[doc(hidden)]
    pub edges: [DVec3; 3],
}

impl CellEdges {
    /// The eight corners.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|corner| {
            let part = |axis: usize| if corner >> axis & 1 == 1 { self.edges[axis] } else { DVec3::ZERO };
            self.origin + part(0) + part(1) + part(2)
        })
    }

    /// The twelve edges as pairs of corners.
    fn lines(&self) -> Vec<[DVec3; 2]> {
        let corners = self.corners();
        let from = |corner: usize| {
            (0..3).filter(move |axis| corner >> axis & 1 == 0).map(move |axis| [corner, corner | 1 << axis])
        };
        (0..8).flat_map(from).map(|ends| ends.map(|corner| corners[corner])).collect()
    }

    /// Draws the edges, hidden by nearer spheres.
    pub(super) fn draw(&self, paper: &mut Paper<'_>, view: &View, depths: &DepthMap, width: f64, color: Srgba8) {
        let lens = Lens::new(view);
        // a slack, so that spheres that touch an edge from behind do not hide it
        let slack = 1e-4 * (self.edges[0] + self.edges[1] + self.edges[2]).length();
        for ends in self.lines() {
            let Some([from, to]) = lens.clipped(ends) else { continue };
            let [near, far] = [from, to].map(|end| lens.depth(end));
            let line = Line { from: lens.place(from), to: lens.place(to), width };
            draw_visible_line(paper, &line, color, |pixel, along| {
                // along the line, depths are linear with parallel rays, and their reciprocals in perspective
                let depth = if lens.parallel {
                    near + (far - near) * along
                } else {
                    1.0 / (1.0 / near + (1.0 / far - 1.0 / near) * along)
                };
                depths.share_beyond(pixel, depth - slack)
            });
        }
    }
}

/// The camera in `f64`: projects points to the picture.
pub(super) struct Lens {
    eye: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    middle: Point,
    step: f64,
    parallel: bool,
}

impl Lens {
    pub(super) fn new(view: &View) -> Self {
        let Rays { eye, frame: [right, up, forward], middle, step, parallel, .. } = Rays::new(view);
        Self {
            eye: DVec3::from(eye.map(f64::from)),
            right,
            up,
            forward,
            middle: middle.map(f64::from),
            step: f64::from(step),
            parallel,
        }
    }

    pub(super) fn depth(&self, point: DVec3) -> f64 {
        (point - self.eye).dot(self.forward)
    }

    /// Pixels per unit of length at a depth.
    pub(super) fn pixels(&self, depth: f64) -> f64 {
        1.0 / (self.step * if self.parallel { 1.0 } else { depth })
    }

    /// The position of a point in the picture, in pixels from the top-left corner.
    pub(super) fn place(&self, point: DVec3) -> Point {
        let toward = point - self.eye;
        let scale = self.step * if self.parallel { 1.0 } else { self.depth(point) };
        [self.middle[0] + toward.dot(self.right) / scale, self.middle[1] - toward.dot(self.up) / scale]
    }

    /// The part of a line in front of the eye.
    fn clipped(&self, [from, to]: [DVec3; 2]) -> Option<[DVec3; 2]> {
        let nearest = if self.parallel { 0.0 } else { 1e-3 * (to - from).length() };
        let (a, b) = (self.depth(from) - nearest, self.depth(to) - nearest);
        let cut = || from + (to - from) * (a / (a - b));
        match (a > 0.0, b > 0.0) {
            (true, true) => Some([from, to]),
            (true, false) => Some([from, cut()]),
            (false, true) => Some([cut(), to]),
            (false, false) => None,
        }
    }
}

/// Length of the axes in points.
const ARM: f64 = 20.0;

/// Distance from the end of an axis to the centre of its letter, in points.
const LETTER: f64 = 6.0;

/// The axes x, y and z in an orthographic view.
#[derive(Debug)]
pub(super) struct Triad {
    /// The direction of each axis: right, down and towards the eye.
    arms: [[f64; 3]; 3],
    /// Pixels per point.
    point: f64,
}

impl Triad {
    /// The largest height of the axes from any side, with their letters, in points: the extent of two axes is greatest
    /// if each is at 45° to the vertical.
    pub(super) const MOST_HEIGHT: f64 = std::f64::consts::SQRT_2 * (ARM + LETTER) + 2.0 * LETTER;

    pub(super) fn new(view: &View, point: f64) -> Self {
        let lens = Lens::new(view);
        let arm = |axis: DVec3| [axis.dot(lens.right), -axis.dot(lens.up), -axis.dot(lens.forward)];
        Self { arms: [DVec3::X, DVec3::Y, DVec3::Z].map(arm), point }
    }

    /// The extent of axes and letters from the origin: left, up, right and down, in pixels.
    pub(super) fn reach(&self) -> [f64; 4] {
        let reach = |axis: usize, sign: f64| {
            let ends = self.arms.iter().map(|arm| sign * arm[axis] * (ARM + LETTER));
            (ends.fold(0.0, f64::max) + LETTER) * self.point
        };
        [reach(0, -1.0), reach(1, -1.0), reach(0, 1.0), reach(1, 1.0)]
    }

    /// Draws the x axis in red, y in green and z in blue, back to front.
    pub(super) fn draw(&self, paper: &mut Paper<'_>, origin: Point, text: &TextLine, ink: Srgba8) {
        const AXES: [(&str, Srgba8); 3] = [
            ("x", Srgba8::rgb(0xd5, 0x2b, 0x1e)),
            ("y", Srgba8::rgb(0x1a, 0x8f, 0x3c)),
            ("z", Srgba8::rgb(0x1f, 0x5f, 0xc4)),
        ];
        let mut order = [0, 1, 2];
        order.sort_by(|&a: &usize, &b| self.arms[a][2].total_cmp(&self.arms[b][2]));
        for axis in order {
            let [x, y, _] = self.arms[axis];
            let (name, color) = AXES[axis];
            let end = |length: f64| [origin[0] + x * length * self.point, origin[1] + y * length * self.point];
            let line = Line { from: origin, to: end(ARM), width: 1.75 * self.point };
            draw_line(paper, &line, color);
            let [x, y] = end(ARM + LETTER);
            let start = [x - 0.5 * text.width(name), y + 0.36 * text.cap_height()];
            text.draw(paper, start, name, ink);
        }
    }
}
