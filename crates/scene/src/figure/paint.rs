//! Draws rectangles, discs, lines and outlines on paper: on its frame by the covered area of each pixel.
//!
//! Colours are blended in sRGB, as is usual for text. All arithmetic is + − × ÷ √ in `f64`, so that the pixels are the
//! same on every machine.

use std::ops::Range;

use super::paper::{CurveStep, Paper, QUARTER, VectorPath, VectorShape};
use crate::color::Srgba8;
use crate::geom::{Circle, pixel_coverage};

/// A point in pixels, from the frame's top-left corner.
pub(super) type Point = [f64; 2];

/// A rectangle: least and greatest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FilledRectangle {
    pub(super) min: Point,
    pub(super) max: Point,
}

pub(super) fn fill_rectangle(paper: &mut Paper<'_>, rectangle: &FilledRectangle, color: Srgba8) {
    fill_rectangle_by(paper, rectangle, |_| color);
    paper.record(color, || rectangle.shape());
}

impl FilledRectangle {
    fn shape(&self) -> VectorShape {
        VectorShape::Rectangle { min: self.min, max: self.max }
    }
}

/// Fills a rectangle with a colour per pixel.
fn fill_rectangle_by(paper: &mut Paper<'_>, rectangle: &FilledRectangle, color: impl Fn([u32; 2]) -> Srgba8) {
    let overlap = |axis: usize, at: u32| {
        let at = f64::from(at);
        ((at + 1.0).min(rectangle.max[axis]) - at.max(rectangle.min[axis])).max(0.0)
    };
    let [columns, rows] = pixels(paper, rectangle);
    for y in rows {
        for x in columns.clone() {
            blend(paper, [x, y], color([x, y]), overlap(0, x) * overlap(1, y));
        }
    }
}

pub(super) fn fill_disc(paper: &mut Paper<'_>, center: Point, radius: f64, color: Srgba8) {
    fill_disc_by(paper, center, radius, |_| color);
    paper.record(color, || VectorShape::Ellipse { center, radii: [radius; 2] });
}

/// Draws a circle; the line lies inside of it.
pub(super) fn draw_circle(paper: &mut Paper<'_>, center: Point, radius: f64, width: f64, color: Srgba8) {
    if radius <= width {
        return fill_disc(paper, center, radius, color);
    }
    let hole = disc(center, radius - width);
    fill_disc_with(paper, center, radius, |pixel, covered| (color, covered - coverage(&hole, pixel)));
    paper.record(color, || VectorShape::Ring { center, radius: radius - 0.5 * width, width });
}

/// Fills a disc with a colour per pixel.
fn fill_disc_by(paper: &mut Paper<'_>, center: Point, radius: f64, color: impl Fn([u32; 2]) -> Srgba8) {
    fill_disc_with(paper, center, radius, |pixel, covered| (color(pixel), covered));
}

/// Fills a disc: `paint` returns the colour of a pixel and how much of it has it, from how much the disc covers.
fn fill_disc_with(paper: &mut Paper<'_>, center: Point, radius: f64, paint: impl Fn([u32; 2], f64) -> (Srgba8, f64)) {
    let (whole, reach) = (disc(center, radius), radius + 1.0);
    let around = FilledRectangle { min: center.map(|value| value - reach), max: center.map(|value| value + reach) };
    let [columns, rows] = pixels(paper, &around);
    for y in rows {
        for x in columns.clone() {
            let (color, covered) = paint([x, y], coverage(&whole, [x, y]));
            blend(paper, [x, y], color, covered);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "places within a frame")]
fn disc(center: Point, radius: f64) -> Circle {
    Circle { center: center.map(|value| value as f32), radius: radius as f32 }
}

#[expect(clippy::cast_possible_wrap, reason = "places within a frame")]
fn coverage(disc: &Circle, [x, y]: [u32; 2]) -> f64 {
    pixel_coverage(disc, x as i32, y as i32)
}

/// The checkerboard under translucent samples, which distinguishes them from pale ones: the background and a darker or
/// lighter tone of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Checkerboard {
    /// Where four squares meet.
    pub(super) corner: Point,
    /// Length of a square's sides, in pixels.
    pub(super) side: f64,
    /// The figure's background, and the colour that tones every second square.
    pub(super) background: Srgba8,
    pub(super) second: Srgba8,
}

impl Checkerboard {
    /// A colour blended over the two kinds of squares.
    fn tones(&self, color: Srgba8) -> [Srgba8; 2] {
        /// Share of the second colour in its squares.
        const TONE: f64 = 0.3;
        // on a transparent background assume white paper, as for the colour of text
        let background = if self.background.a == 0 { Srgba8::WHITE } else { self.background.with_alpha(u8::MAX) };
        [background, mixed(self.second, background, TONE)]
            .map(|square| mixed(color, square, f64::from(color.a) / 255.0))
    }

    /// Whether a square has the second tone.
    fn is_toned(&self, [x, y]: Point) -> bool {
        let column = libm::floor((x - self.corner[0]) / self.side);
        let row = libm::floor((y - self.corner[1]) / self.side);
        (column + row).rem_euclid(2.0) != 0.0
    }

    /// A colour blended over the square at the centre of a pixel.
    fn under(&self, tones: [Srgba8; 2], [x, y]: [u32; 2]) -> Srgba8 {
        tones[usize::from(self.is_toned([f64::from(x) + 0.5, f64::from(y) + 0.5]))]
    }

    /// Fills a disc with a colour over the checkerboard, whose squares meet at its centre and are not smaller than its
    /// radius.
    pub(super) fn fill_disc(&self, paper: &mut Paper<'_>, center: Point, radius: f64, color: Srgba8) {
        let tones = self.tones(color);
        fill_disc_by(paper, center, radius, |pixel| self.under(tones, pixel));
        paper.record(tones[0], || VectorShape::Ellipse { center, radii: [radius; 2] });
        paper.record(tones[1], || VectorShape::Inside(opposite_quarters(center, radius)));
    }

    /// Fills rows of a rectangle, each a pixel high, with colours over the checkerboard.
    pub(super) fn fill_row(&self, paper: &mut Paper<'_>, rectangle: &FilledRectangle, color: Srgba8) {
        let tones = self.tones(color);
        fill_rectangle_by(paper, rectangle, |pixel| self.under(tones, pixel));
        paper.record(tones[0], || rectangle.shape());
        let mut left = rectangle.min[0];
        while left < rectangle.max[0] {
            let next = self.corner[0] + self.side * (libm::floor((left - self.corner[0]) / self.side + 1e-6) + 1.0);
            let part =
                FilledRectangle { min: [left, rectangle.min[1]], max: [next.min(rectangle.max[0]), rectangle.max[1]] };
            if self.is_toned([0.5 * (part.min[0] + part.max[0]), rectangle.min[1] + 0.5]) {
                paper.record(tones[1], || part.shape());
            }
            left = next;
        }
    }
}

/// The lower left and the upper right quarter of a disc.
fn opposite_quarters([x, y]: Point, radius: f64) -> VectorPath {
    let quarter = |sign: f64| {
        let (reach, bend) = (sign * radius, sign * radius * QUARTER);
        let (from, to) = ([x + reach, y], [x, y - reach]);
        let curve = [[from[0], from[1] - bend], [to[0] + bend, to[1]], to];
        [CurveStep::Move([x, y]), CurveStep::Line(from), CurveStep::Curve(curve), CurveStep::Close]
    };
    VectorPath([quarter(1.0), quarter(-1.0)].concat())
}

/// The opaque mix of a share of one colour and the rest of another.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "means of bytes, rounded half up")]
fn mixed(color: Srgba8, other: Srgba8, share: f64) -> Srgba8 {
    let mix = |a: u8, b: u8| (f64::from(a) * share + f64::from(b) * (1.0 - share) + 0.5) as u8;
    Srgba8::rgb(mix(color.r, other.r), mix(color.g, other.g), mix(color.b, other.b))
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) from: Point,
    pub(super) to: Point,
    pub(super) width: f64,
}

/// Draws a line with round ends.
pub(super) fn draw_line(paper: &mut Paper<'_>, line: &Line, color: Srgba8) {
    draw_line_by(paper, line, color, |_, _| 1.0);
    let Line { from, to, width } = *line;
    paper.record(color, || VectorShape::Line { from, to, width });
}

/// Draws the visible parts of a line. `visible` returns the visible share at a pixel of the frame and a position along
/// the line from 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places within a frame; `as` saturates")]
pub(super) fn draw_visible_line(
    paper: &mut Paper<'_>,
    line: &Line,
    color: Srgba8,
    visible: impl Fn([u32; 2], f64) -> f64,
) {
    /// Steps per pixel in which the record tells visible parts from hidden ones, and the most steps of a line.
    const STEPS: f64 = 4.0;
    const MOST: f64 = 1e5;
    draw_line_by(paper, line, color, &visible);
    if !paper.is_recording() {
        return;
    }
    let Line { from, to, .. } = *line;
    let size = [paper.frame.width(), paper.frame.height()].map(f64::from);
    let place = |along: f64| [0, 1].map(|axis| from[axis] + along * (to[axis] - from[axis]));
    let steps = libm::ceil(STEPS * libm::hypot(to[0] - from[0], to[1] - from[1])).clamp(1.0, MOST) as u32;
    let shows = |step: u32| {
        let along = (f64::from(step) + 0.5) / f64::from(steps);
        let [x, y] = place(along);
        let is_inside = x >= 0.0 && y >= 0.0 && x < size[0] && y < size[1];
        is_inside && visible([x as u32, y as u32], along) >= 0.5
    };
    let mut first = None;
    for step in 0..=steps {
        match (step < steps && shows(step), first) {
            (true, None) => first = Some(step),
            (false, Some(begin)) => {
                record_part(paper, line, color, [begin, step].map(|end| f64::from(end) / f64::from(steps)));
                first = None;
            }
            _ => {}
        }
    }
}

/// Records a part of a line, from one share of its length to another. A cut end is straight, and does not reach into the
/// shape that hides the rest.
fn record_part(paper: &mut Paper<'_>, line: &Line, color: Srgba8, ends: [f64; 2]) {
    let Line { from, to, width } = *line;
    if ends == [0.0, 1.0] {
        return paper.record(color, || VectorShape::Line { from, to, width });
    }
    let along = [to[0] - from[0], to[1] - from[1]];
    let half = 0.5 * width / libm::hypot(along[0], along[1]);
    let side = |share: f64, side: f64| {
        let by = side * half;
        [from[0] + share * along[0] - by * along[1], from[1] + share * along[1] + by * along[0]]
    };
    let corners = [side(ends[0], -1.0), side(ends[1], -1.0), side(ends[1], 1.0), side(ends[0], 1.0)];
    paper.record(color, || VectorShape::Inside(VectorPath::polygon(&corners)));
    for (_, center) in [(0.0, from), (1.0, to)].into_iter().filter(|(end, _)| ends.contains(end)) {
        paper.record(color, || VectorShape::Ellipse { center, radii: [0.5 * width; 2] });
    }
}

fn draw_line_by(paper: &mut Paper<'_>, line: &Line, color: Srgba8, visible: impl Fn([u32; 2], f64) -> f64) {
    let Line { from, to, width } = *line;
    let along = [to[0] - from[0], to[1] - from[1]];
    let length_squared = along[0] * along[0] + along[1] * along[1];
    // a line thinner than a pixel is drawn one pixel wide and paler
    let (half, share) = if width >= 1.0 { (0.5 * width, 1.0) } else { (0.5, width) };
    let reach = half + 1.0;
    let around = FilledRectangle {
        min: [0, 1].map(|axis| from[axis].min(to[axis]) - reach),
        max: [0, 1].map(|axis| from[axis].max(to[axis]) + reach),
    };
    let [columns, rows] = pixels(paper, &around);
    for y in rows {
        // the columns that the line crosses in this row
        let [first, last] = if along[1].abs() > 1e-9 {
            let place = |edge: f64| ((edge - from[1]) / along[1]).clamp(0.0, 1.0) * along[0] + from[0];
            let steep = reach * (length_squared.sqrt() / along[1].abs());
            let (a, b) = (place(f64::from(y)), place(f64::from(y) + 1.0));
            [a.min(b) - steep, a.max(b) + steep]
        } else {
            [around.min[0], around.max[0]]
        };
        let part = FilledRectangle { min: [first, 0.0], max: [last, 1.0] };
        let [passed, _] = pixels(paper, &part);
        for x in columns.start.max(passed.start)..columns.end.min(passed.end) {
            let toward = [f64::from(x) + 0.5 - from[0], f64::from(y) + 0.5 - from[1]];
            let place = (toward[0] * along[0] + toward[1] * along[1]) / length_squared;
            let place = if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) };
            let off = [toward[0] - place * along[0], toward[1] - place * along[1]];
            let distance = (off[0] * off[0] + off[1] * off[1]).sqrt();
            let coverage = (half + 0.5 - distance).clamp(0.0, 1.0) * share;
            if coverage > 0.0 {
                blend(paper, [x, y], color, coverage * visible([x, y], place));
            }
        }
    }
}

/// Closed outlines of straight pieces, filled by the nonzero winding rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GlyphOutline {
    pieces: Vec<[Point; 2]>,
}

impl GlyphOutline {
    /// Adds a straight piece.
    pub(super) fn push(&mut self, from: Point, to: Point) {
        self.pieces.push([from, to]);
    }

    /// The outline moved by a vector.
    pub(super) fn moved(&self, [x, y]: Point) -> Self {
        Self { pieces: self.pieces.iter().map(|[a, b]| [[a[0] + x, a[1] + y], [b[0] + x, b[1] + y]]).collect() }
    }

    pub(super) fn polygon(corners: &[Point]) -> Self {
        let next = corners.iter().cycle().skip(1);
        Self { pieces: corners.iter().zip(next).map(|(&from, &to)| [from, to]).collect() }
    }
}

/// Fills a polygon.
pub(super) fn fill_polygon(paper: &mut Paper<'_>, corners: &[Point], color: Srgba8) {
    fill_outline(paper, &GlyphOutline::polygon(corners), color);
    paper.record(color, || VectorShape::Inside(VectorPath::polygon(corners)));
}

/// Fills outlines, without a record.
///
/// Each piece adds the signed area between itself and the right edge to the pixels it crosses; prefix sums along the
/// rows are then the covered areas. Source: R. Levien, font-rs, 2016.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places within a box of some pixels")]
pub(super) fn fill_outline(paper: &mut Paper<'_>, outline: &GlyphOutline, color: Srgba8) {
    let ends = || outline.pieces.iter().flatten();
    let least = |axis: usize| ends().map(|point| point[axis]).fold(f64::INFINITY, f64::min).floor();
    let greatest = |axis: usize| ends().map(|point| point[axis]).fold(f64::NEG_INFINITY, f64::max).floor();
    let (origin, end) = ([least(0), least(1)], [greatest(0) + 1.0, greatest(1) + 1.0]);
    // skips outlines that are far away, huge or not finite, where `f64` no longer resolves pixels
    let is_near = |axis: usize| origin[axis] > -1e9 && end[axis] < 1e9 && end[axis] - origin[axis] <= 8192.0;
    if !(is_near(0) && is_near(1)) {
        return;
    }
    let size = [0, 1].map(|axis| (end[axis] - origin[axis]) as usize);
    // one more column, so that every row's sum ends inside
    let stride = size[0] + 1;
    let mut areas = vec![0.0_f64; stride * size[1]];
    for piece in &outline.pieces {
        add_piece(&mut areas, size, piece.map(|[x, y]| [x - origin[0], y - origin[1]]));
    }
    let (width, rows) = (f64::from(paper.frame.width()), paper.rows());
    let [first, end] = [rows.start, rows.end].map(f64::from);
    for (row, cells) in areas.chunks(stride).enumerate() {
        let mut sum = 0.0;
        for (column, area) in cells.iter().enumerate().take(size[0]) {
            sum += area;
            let (x, y) = (origin[0] + column as f64, origin[1] + row as f64);
            if x >= 0.0 && x < width && y >= first && y < end {
                blend(paper, [x as u32, y as u32], color, sum.abs().min(1.0));
            }
        }
    }
}

/// Adds the signed area between a piece and the right edge to the pixels that it crosses. Rows of `areas` have one
/// column more than `size`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places within a box of some pixels")]
fn add_piece(areas: &mut [f64], size: [usize; 2], [from, to]: [Point; 2]) {
    let (sign, [[x0, y0], [x1, y1]]) = if from[1] < to[1] { (1.0, [from, to]) } else { (-1.0, [to, from]) };
    if y0 == y1 {
        return;
    }
    let (slope, stride) = ((x1 - x0) / (y1 - y0), size[0] + 1);
    for row in y0 as usize..size[1].min(y1.ceil() as usize) {
        let (from_y, to_y) = (y0.max(row as f64), y1.min(row as f64 + 1.0));
        let height = (to_y - from_y) * sign;
        let (a, b) = (x0 + (from_y - y0) * slope, x0 + (to_y - y0) * slope);
        let (left, right) = (a.min(b).max(0.0), a.max(b).min(size[0] as f64));
        let cells = &mut areas[row * stride..(row + 1) * stride];
        let (first, last) = (left as usize, (right as usize).min(size[0] - 1));
        if first == last {
            let covered = first as f64 + 1.0 - 0.5 * (left + right);
            cells[first] += height * covered;
            cells[first + 1] += height * (1.0 - covered);
            continue;
        }
        // the piece crosses columns: within each, the area to its right grows quadratically
        let per_column = height / (right - left);
        let mut before = 0.0;
        for (column, cell) in cells.iter_mut().enumerate().take(last + 1).skip(first) {
            let (enter, leave) = (left.max(column as f64), right.min(column as f64 + 1.0));
            let crossed = (leave - enter) * per_column;
            let covered = crossed * (column as f64 + 1.0 - 0.5 * (enter + leave));
            let whole = (enter - left) * per_column;
            *cell += whole + covered - before;
            before = whole + covered;
        }
        cells[last + 1] += height - before;
    }
}

/// The pixels of paper that a rectangle touches: columns and rows.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn pixels(paper: &Paper<'_>, rectangle: &FilledRectangle) -> [Range<u32>; 2] {
    let range = |axis: usize, all: Range<u32>| {
        let touched = rectangle.min[axis].floor() as u32..rectangle.max[axis].ceil() as u32;
        touched.start.max(all.start)..touched.end.min(all.end)
    };
    [range(0, 0..paper.frame.width()), range(1, paper.rows())]
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "means of bytes, rounded half up")]
fn blend(paper: &mut Paper<'_>, [x, y]: [u32; 2], color: Srgba8, coverage: f64) {
    let over = coverage * f64::from(color.a) / 255.0;
    if over <= 0.0 {
        return;
    }
    let (width, row) = (paper.frame.width() as usize, y - paper.first_row);
    let pixel = &mut paper.frame.pixels_mut()[row as usize * width + x as usize];
    let under = f64::from(pixel.a) / 255.0 * (1.0 - over);
    let alpha = over + under;
    let mix = |above: u8, below: u8| ((f64::from(above) * over + f64::from(below) * under) / alpha + 0.5) as u8;
    let (r, g, b) = (mix(color.r, pixel.r), mix(color.g, pixel.g), mix(color.b, pixel.b));
    *pixel = Srgba8 { r, g, b, a: (alpha * 255.0 + 0.5) as u8 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Frame;

    /// The covered area of each pixel of a frame after something was drawn in black on white.
    fn covered_by(size: [u32; 2], draw: impl FnOnce(&mut Frame)) -> Vec<f64> {
        let mut frame = Frame::new(size[0], size[1], Srgba8::WHITE).expect("small");
        draw(&mut frame);
        frame.pixels().iter().map(|pixel| 1.0 - f64::from(pixel.r) / 255.0).collect()
    }

    #[test]
    fn rectangles_cover_parts_of_pixels() {
        let rectangle = FilledRectangle { min: [0.25, 1.0], max: [2.0, 2.5] };
        let covered = covered_by([3, 4], |frame| fill_rectangle(&mut Paper::new(frame), &rectangle, Srgba8::BLACK));
        let expected = [0.0, 0.0, 0.0, 0.75, 1.0, 0.0, 0.375, 0.5, 0.0, 0.0, 0.0, 0.0];
        assert!(covered.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.003), "{covered:?}");
    }

    #[test]
    fn outlines_cover_what_many_points_inside_count() {
        let corners = [[1.3, 0.4], [7.1, 2.2], [5.0, 6.9], [0.2, 4.4]];
        let covered = covered_by([8, 8], |frame| {
            fill_outline(&mut Paper::new(frame), &GlyphOutline::polygon(&corners), Srgba8::BLACK)
        });
        let inside = |point: Point| {
            corners
                .iter()
                .zip(corners.iter().cycle().skip(1))
                .all(|(a, b)| (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0.0)
        };
        for (index, found) in covered.iter().enumerate() {
            let (x, y) = ((index % 8) as f64, (index / 8) as f64);
            let hits = (0..4096).filter(|i| {
                let (i, j) = (f64::from(i % 64) + 0.5, f64::from(i / 64) + 0.5);
                inside([x + i / 64.0, y + j / 64.0])
            });
            let expected = hits.count() as f64 / 4096.0;
            assert!((found - expected).abs() < 0.01, "{x} {y}: {found}, {expected}");
        }
        let turned: Vec<Point> = corners.iter().rev().copied().collect();
        let other = covered_by([8, 8], |frame| {
            fill_outline(&mut Paper::new(frame), &GlyphOutline::polygon(&turned), Srgba8::BLACK)
        });
        assert_eq!(covered, other, "either way round");
    }

    #[test]
    fn lines_cover_their_area_and_stay_inside_the_frame() {
        for (from, to) in [([3.0, 4.0], [17.0, 9.5]), ([5.5, 2.0], [5.5, 16.0]), ([2.0, 7.5], [18.0, 7.5])] {
            let line = Line { from, to, width: 2.0 };
            let covered: f64 =
                covered_by([20, 20], |frame| draw_line_by(&mut Paper::new(frame), &line, Srgba8::BLACK, |_, _| 1.0))
                    .iter()
                    .sum();
            let length = libm::hypot(to[0] - from[0], to[1] - from[1]);
            assert!((covered - (2.0 * length + std::f64::consts::PI)).abs() < 0.03 * covered, "{from:?}: {covered}");
        }
        let beyond = Line { from: [-1e6, -1e6], to: [1e6, 1e6], width: 1.0 };
        let covered =
            covered_by([10, 10], |frame| draw_line_by(&mut Paper::new(frame), &beyond, Srgba8::BLACK, |_, _| 0.5));
        assert!((covered[0] - 0.5).abs() < 0.01 && covered[9] == 0.0);
        let far = Line { from: [-50.0, 3.0], to: [-20.0, 3.0], width: 1.0 };
        assert!(
            covered_by([10, 10], |frame| draw_line_by(&mut Paper::new(frame), &far, Srgba8::BLACK, |_, _| 1.0))
                .iter()
                .all(|&c| c == 0.0)
        );
    }

    #[test]
    fn rows_of_a_picture_show_marks_as_the_whole_does() {
        let draw = |paper: &mut Paper<'_>| {
            fill_rectangle(paper, &FilledRectangle { min: [1.3, 2.2], max: [8.1, 17.7] }, Srgba8::rgb(9, 80, 200));
            fill_disc(paper, [12.2, 9.9], 5.3, Srgba8::rgb(200, 30, 30).with_alpha(180));
            draw_line(paper, &Line { from: [1.0, 19.0], to: [18.0, 1.0], width: 2.4 }, Srgba8::BLACK);
            fill_polygon(paper, &[[3.0, 3.3], [17.0, 8.8], [6.1, 18.6]], Srgba8::rgb(10, 200, 90));
        };
        let mut whole = Frame::new(20, 20, Srgba8::WHITE).expect("small");
        draw(&mut Paper::new(&mut whole));
        for rows in [0..7_u32, 7..8, 8..20] {
            let mut part = Frame::new(20, rows.end - rows.start, Srgba8::WHITE).expect("small");
            draw(&mut Paper::of_rows(&mut part, rows.start));
            let expected = &whole.pixels()[20 * rows.start as usize..20 * rows.end as usize];
            assert!(part.pixels() == expected, "{rows:?}");
        }
    }

    #[test]
    fn hidden_parts_of_lines_are_not_recorded() {
        let (mut frame, mut record) = (Frame::new(20, 9, Srgba8::WHITE).expect("small"), Vec::new());
        let mut paper = Paper::recording(&mut frame, Some(&mut record));
        let line = Line { from: [2.0, 4.0], to: [18.0, 4.0], width: 2.0 };
        draw_visible_line(&mut paper, &line, Srgba8::BLACK, |_, along| if along < 0.25 { 1.0 } else { 0.0 });
        let corners = [[2.0, 3.0], [6.0, 3.0], [6.0, 5.0], [2.0, 5.0]];
        let shapes: Vec<_> = record.into_iter().map(|mark| mark.shape).collect();
        let end = VectorShape::Ellipse { center: [2.0, 4.0], radii: [1.0; 2] };
        assert_eq!(shapes, [VectorShape::Inside(VectorPath::polygon(&corners)), end]);
    }

    #[test]
    fn marks_on_nothing_keep_their_color() {
        let mut frame = Frame::new(2, 1, Srgba8::TRANSPARENT).expect("small");
        let half = FilledRectangle { min: [0.0, 0.0], max: [0.5, 1.0] };
        fill_rectangle(&mut Paper::new(&mut frame), &half, Srgba8::rgb(200, 100, 50));
        assert_eq!(frame.pixels(), [Srgba8 { r: 200, g: 100, b: 50, a: 128 }, Srgba8::TRANSPARENT]);
    }
}
