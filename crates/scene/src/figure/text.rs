//! Text in a figure, drawn from the outlines of the bundled font.

use super::font::{FONT, Glyph};
use super::paint::{GlyphOutline, Point, fill_outline};
use super::paper::{CurveStep, Paper, VectorPath, VectorShape, VectorText};
use crate::color::Srgba8;
use crate::frame::Frame;

/// Straight pieces per curve: accurate to a tenth of a pixel at the size of a poster's title.
const PIECES: u32 = 12;

/// The outline around a text that sets it off from the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halo<'a> {
    /// Pixels.
    pub(super) reach: f64,
    /// Unit vectors: the text is moved by the reach in each of them.
    pub(super) directions: &'a [Point],
    pub(super) color: Srgba8,
}

/// Lines of text in the bundled font at one size.
pub struct TextLine {
    /// Pixels per em.
    pub(super) size: f64,
}

impl TextLine {
    /// Text of `size` pixels per em.
    #[must_use]
    pub fn new(size: f64) -> Self {
        Self { size }
    }

    /// Pixels per font unit.
    fn scale(&self) -> f64 {
        self.size / FONT.units_per_em
    }

    /// The height of capitals in pixels.
    #[must_use]
    pub fn cap_height(&self) -> f64 {
        FONT.cap_height * self.scale()
    }

    /// Whether the font has a letter; control characters are not drawn.
    pub(super) fn has(&self, letter: char) -> bool {
        letter.is_control() || FONT.glyph(letter).is_some()
    }

    /// The width of a text in pixels.
    #[must_use]
    pub fn width(&self, text: &str) -> f64 {
        self.glyphs(text).last().map_or(0.0, |(glyph, pen)| pen + self.advance(glyph))
    }

    /// The width of the widest of some texts in pixels; 0 without any.
    pub(super) fn widest(&self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> f64 {
        texts.into_iter().map(|text| self.width(text.as_ref())).fold(0.0, f64::max)
    }

    /// The same font, smaller if a text would be wider than this many pixels.
    pub(super) fn fitting(&self, text: &str, room: f64) -> Self {
        Self::new(self.size * (room / self.width(text)).clamp(0.0, 1.0))
    }

    /// Draws a text that starts at a point on its baseline.
    pub(super) fn draw(&self, paper: &mut Paper<'_>, start: Point, text: &str, color: Srgba8) {
        self.draw_along([1.0, 0.0], paper, start, text, color);
    }

    /// Draws a text that starts at a point on its baseline, on a frame alone.
    pub fn draw_on(&self, frame: &mut Frame, start: [f64; 2], text: &str, color: Srgba8) {
        self.draw(&mut Paper::new(frame), start, text, color);
    }

    /// Draws a text that runs upwards from a point on its baseline.
    pub(super) fn draw_upwards(&self, paper: &mut Paper<'_>, start: Point, text: &str, color: Srgba8) {
        self.draw_along([0.0, -1.0], paper, start, text, color);
    }

    /// Draws a text that runs in the direction `along`, a unit vector in pixels.
    fn draw_along(&self, along: Point, paper: &mut Paper<'_>, start: Point, text: &str, color: Srgba8) {
        for outline in self.outlines(along, start, text) {
            fill_outline(paper, &outline, color);
        }
        paper.record(color, || self.as_shape(along, start, text, None));
    }

    /// Draws a halo around a text.
    pub(super) fn draw_halo(&self, paper: &mut Paper<'_>, start: Point, text: &str, halo: Halo<'_>) {
        let Halo { reach, directions, color } = halo;
        let outlines: Vec<GlyphOutline> = self.outlines([1.0, 0.0], start, text).collect();
        for by in directions.iter().map(|along| along.map(|along| reach * along)) {
            outlines.iter().for_each(|outline| fill_outline(paper, &outline.moved(by), color));
        }
        paper.record(color, || self.as_shape([1.0, 0.0], start, text, Some(2.0 * reach)));
    }

    fn outlines(&self, along: Point, start: Point, text: &str) -> impl Iterator<Item = GlyphOutline> {
        self.glyphs(text).map(move |(glyph, pen)| self.pen(along, start, pen).drawn(glyph).outline)
    }

    /// A text with its outlines as curves.
    fn as_shape(&self, along: Point, start: Point, text: &str, pen: Option<f64>) -> VectorShape {
        let pens = self.glyphs(text).map(|(glyph, pen)| self.pen(along, start, pen).drawn(glyph));
        let path = VectorPath(pens.flat_map(|pen| pen.path.0).collect());
        let words = text.chars().filter(|letter| !letter.is_control()).collect();
        VectorShape::Text(VectorText { words, start, along, size: self.size, length: self.width(text), path, pen })
    }

    /// A pen at this many pixels from the start of a text.
    fn pen(&self, along: Point, start: Point, pen: f64) -> Pen {
        let start = [start[0] + pen * along[0], start[1] + pen * along[1]];
        let scale = self.scale();
        Pen {
            path: VectorPath::default(),
            outline: GlyphOutline::default(),
            start,
            along,
            scale,
            at: [0.0; 2],
            first: [0.0; 2],
        }
    }

    fn advance(&self, glyph: Glyph) -> f64 {
        FONT.advance(glyph) * self.scale()
    }

    /// The glyphs of a text and their positions in pixels; control characters have none.
    fn glyphs(&self, text: &str) -> impl Iterator<Item = (Glyph, f64)> {
        let glyph = |character| FONT.glyph(character).unwrap_or(0);
        let mut pen = 0.0;
        let mut before = None;
        text.chars().filter(|character| !character.is_control()).map(glyph).map(move |glyph| {
            if let Some(before) = before {
                pen += self.advance(before) + FONT.kerning([before, glyph]) * self.scale();
            }
            before = Some(glyph);
            (glyph, pen)
        })
    }
}

/// Draws a glyph, as curves and flattened to straight pieces, in pixels.
struct Pen {
    /// The curves themselves.
    path: VectorPath,
    outline: GlyphOutline,
    start: Point,
    /// The direction of the text.
    along: Point,
    scale: f64,
    /// Font units.
    at: Point,
    first: Point,
}

impl Pen {
    /// The pen after it has drawn a glyph.
    fn drawn(mut self, glyph: Glyph) -> Self {
        for step in FONT.outline(glyph) {
            self.step(step);
        }
        self
    }

    fn step(&mut self, step: &CurveStep) {
        match *step {
            CurveStep::Move(to) => (self.at, self.first) = (to, to),
            CurveStep::Line(to) => self.line(to),
            CurveStep::Curve(points) => self.curve(points),
            CurveStep::Close => self.line(self.first),
        }
        self.path.0.push(match *step {
            CurveStep::Move(to) => CurveStep::Move(self.pixel(to)),
            CurveStep::Line(to) => CurveStep::Line(self.pixel(to)),
            CurveStep::Curve(points) => CurveStep::Curve(points.map(|point| self.pixel(point))),
            CurveStep::Close => CurveStep::Close,
        });
    }

    /// The place of a point of the font in the picture.
    fn pixel(&self, [x, y]: Point) -> Point {
        let [across, down] = self.along;
        let [x, y] = [x * self.scale, y * self.scale];
        [self.start[0] + x * across + y * down, self.start[1] + x * down - y * across]
    }

    fn line(&mut self, to: Point) {
        self.outline.push(self.pixel(self.at), self.pixel(to));
        self.at = to;
    }

    /// Adds a cubic Bézier curve as straight pieces.
    fn curve(&mut self, [b, c, d]: [Point; 3]) {
        let a = self.at;
        for piece in 1..=PIECES {
            let t = f64::from(piece) / f64::from(PIECES);
            let s = 1.0 - t;
            let inner = |axis: usize| 3.0 * s * t * (s * b[axis] + t * c[axis]);
            self.line([0, 1].map(|axis| s * s * s * a[axis] + inner(axis) + t * t * t * d[axis]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_covers_the_area_of_its_glyphs() {
        let text = TextLine::new(40.0);
        let mut frame = Frame::new(60, 60, Srgba8::WHITE).expect("small");
        text.draw(&mut Paper::new(&mut frame), [10.0, 50.0], "I", Srgba8::BLACK);
        let covered: f64 = frame.pixels().iter().map(|pixel| 1.0 - f64::from(pixel.r) / 255.0).sum();
        // a stem as high as capitals; Inter's is about 0.0881 em wide
        let expected = text.cap_height() * 0.0881 * 40.0;
        assert!((covered / expected - 1.0).abs() < 0.05, "{covered} {expected}");
    }

    #[test]
    fn pairs_are_kerned_and_widths_add_up() {
        let text = TextLine::new(100.0);
        assert!(text.width("AV") < text.width("A") + text.width("V") - 4.0);
        assert_eq!(text.width(""), 0.0);
        assert_eq!(text.width("a\tb"), text.width("ab"), "control characters are not drawn");
        assert!((TextLine::new(50.0).width("kernel") * 2.0 - text.width("kernel")).abs() < 1e-9);
    }
}
