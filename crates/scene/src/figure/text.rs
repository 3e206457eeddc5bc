//! Text in a figure, drawn from the outlines of the bundled font.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::paint::{GlyphOutline, Point, fill_outline};
use super::paper::{CurveStep, Paper, VectorPath, VectorShape, VectorText};
use crate::color::Srgba8;
use crate::frame::Frame;

/// Inter; see `Inter-LICENSE.txt`.
const FONT: &[u8] = include_bytes!("Inter-Regular.otf");

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
    face: Face<'static>,
    /// Pixels per em.
    pub(super) size: f64,
}

impl TextLine {
    /// Text of `size` pixels per em.
    #[must_use]
    pub fn new(size: f64) -> Self {
        Self { face: Face::parse(FONT, 0).expect("the bundled font is whole"), size }
    }

    /// Pixels per font unit.
    fn scale(&self) -> f64 {
        self.size / f64::from(self.face.units_per_em())
    }

    /// The height of capitals in pixels.
    #[must_use]
    pub fn cap_height(&self) -> f64 {
        f64::from(self.face.capital_height().unwrap_or_default()) * self.scale()
    }

    /// Whether the font has a letter; control characters are not drawn.
    pub(super) fn has(&self, letter: char) -> bool {
        letter.is_control() || self.face.glyph_index(letter).is_some()
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
        self.draw_glyphs(along, paper, start, text, color);
        paper.record(color, || self.as_shape(along, start, text, None));
    }

    /// Draws a halo around a text.
    pub(super) fn draw_halo(&self, paper: &mut Paper<'_>, start: Point, text: &str, halo: Halo<'_>) {
        let Halo { reach, directions, color } = halo;
        for [x, y] in directions {
            let moved = [start[0] + x * reach, start[1] + y * reach];
            self.draw_glyphs([1.0, 0.0], paper, moved, text, color);
        }
        paper.record(color, || self.as_shape([1.0, 0.0], start, text, Some(2.0 * reach)));
    }

    fn draw_glyphs(&self, along: Point, paper: &mut Paper<'_>, start: Point, text: &str, color: Srgba8) {
        for (glyph, pen) in self.glyphs(text) {
            let pen = self.pen(along, start, pen);
            fill_outline(paper.frame, &pen.drawn(&self.face, glyph).outline, color);
        }
    }

    /// A text with its outlines as curves.
    fn as_shape(&self, along: Point, start: Point, text: &str, pen: Option<f64>) -> VectorShape {
        let pens = self.glyphs(text).map(|(glyph, pen)| self.pen(along, start, pen).drawn(&self.face, glyph));
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

    fn advance(&self, glyph: GlyphId) -> f64 {
        f64::from(self.face.glyph_hor_advance(glyph).unwrap_or_default()) * self.scale()
    }

    /// The glyphs of a text and their positions in pixels; control characters have none.
    fn glyphs(&self, text: &str) -> impl Iterator<Item = (GlyphId, f64)> {
        let glyph = |character| self.face.glyph_index(character).unwrap_or(GlyphId(0));
        let mut pen = 0.0;
        let mut before = None;
        text.chars().filter(|character| !character.is_control()).map(glyph).map(move |glyph| {
            if let Some(before) = before {
                pen += self.advance(before) + self.kerning(before, glyph);
            }
            before = Some(glyph);
            (glyph, pen)
        })
    }

    /// The kerning of a pair of glyphs in pixels.
    fn kerning(&self, left: GlyphId, right: GlyphId) -> f64 {
        let tables = self.face.tables().kern.into_iter().flat_map(|kern| kern.subtables);
        let units = tables.filter_map(|table| table.glyphs_kerning(left, right)).next();
        f64::from(units.unwrap_or_default()) * self.scale()
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
    fn drawn(mut self, face: &Face<'_>, glyph: GlyphId) -> Self {
        // a glyph without an outline is a space
        let _ = face.outline_glyph(glyph, &mut self);
        self
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

    fn step(&mut self, step: CurveStep) {
        self.path.0.push(step);
    }

    /// Adds a curve, given as a function of a parameter from 0 to 1.
    fn curve(&mut self, place: impl Fn(f64) -> Point) {
        (1..=PIECES).for_each(|piece| self.line(place(f64::from(piece) / f64::from(PIECES))));
    }
}

fn point(x: f32, y: f32) -> Point {
    [f64::from(x), f64::from(y)]
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = point(x, y);
        self.first = self.at;
        self.step(CurveStep::Move(self.pixel(self.at)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.line(point(x, y));
        self.step(CurveStep::Line(self.pixel(self.at)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (a, b, c) = (self.at, point(x1, y1), point(x, y));
        let control = |end: Point| [0, 1].map(|axis| (end[axis] + 2.0 * b[axis]) / 3.0);
        self.step(CurveStep::Curve([control(a), control(c), c].map(|at| self.pixel(at))));
        self.curve(|t| {
            let s = 1.0 - t;
            [0, 1].map(|axis| s * s * a[axis] + 2.0 * s * t * b[axis] + t * t * c[axis])
        });
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, c, d) = (self.at, point(x1, y1), point(x2, y2), point(x, y));
        self.step(CurveStep::Curve([b, c, d].map(|at| self.pixel(at))));
        self.curve(|t| {
            let s = 1.0 - t;
            let inner = |axis: usize| 3.0 * s * t * (s * b[axis] + t * c[axis]);
            [0, 1].map(|axis| s * s * s * a[axis] + inner(axis) + t * t * t * d[axis])
        });
    }

    fn close(&mut self) {
        self.line(self.first);
        self.step(CurveStep::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_figures_are_in_the_font() {
        let face = Face::parse(FONT, 0).expect("whole");
        for character in "AZaz09 −–—×·±°µÅÖßé²³⁰⁴⁹⁻₂αβγσω≤≥≈∞".chars() {
            assert!(face.glyph_index(character).is_some(), "{character}");
        }
    }

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
