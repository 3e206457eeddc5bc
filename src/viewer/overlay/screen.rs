//! The window's pixels: the frame, scaled up if it is coarser than the window, with the overlay on top.

use std::collections::BTreeMap;

use crate::color::Srgba8;
use crate::figure::TextLine;
use crate::frame::Frame;

/// Side in pixels of the checkerboard's squares, which show through translucent pictures.
const CHECKER_SIZE: usize = 8;

/// Opaque pixels as `0x00RRGGBB`, row by row from the top.
#[derive(Clone, Debug, Default)]
pub(in crate::viewer) struct Screen {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
    /// Pixels per em of text.
    text_size: usize,
    /// Whether the picture's corners are light, so that ink is dark.
    is_light: bool,
    /// Lines of text that have been drawn at this size.
    masks: BTreeMap<String, TextMask>,
}

/// How much of each pixel a line of text covers, row by row from the top; 255 is all of it.
#[derive(Clone, Debug)]
struct TextMask {
    width: usize,
    coverage: Vec<u8>,
}

/// Most lines of text that are kept; all are forgotten then.
const MOST_MASKS: usize = 512;

/// A rectangle of pixels, from the screen's top-left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScreenRect {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl ScreenRect {
    pub(super) fn overlaps(self, other: Self) -> bool {
        let is_along = |a: usize, length: usize, b: usize, other: usize| a < b + other && b < a + length;
        is_along(self.x, self.width, other.x, other.width) && is_along(self.y, self.height, other.y, other.height)
    }
}

/// Ink on dark and on light pictures, and the veils below it.
const INKS: [u32; 2] = [0xf2_f2_f2, 0x22_26_2b];
const VEILS: [u32; 2] = [0x16_19_1d, 0xff_ff_ff];

/// The opacity of a veil, in 256ths.
const VEIL: u32 = 200;

impl Screen {
    /// Fills the screen with a frame whose pixels are squares of `divisor` by `divisor` pixels, centred on the window.
    pub(in crate::viewer) fn show(&mut self, frame: &Frame, divisor: u32, (width, height): (u32, u32)) {
        let [width, height, side, columns] = [width, height, divisor, frame.width()].map(|side| side as usize);
        (self.width, self.height) = (width, height);
        let text_size = (width.min(height) / 45).clamp(13, 32);
        if text_size != std::mem::replace(&mut self.text_size, text_size) || self.masks.len() > MOST_MASKS {
            self.masks.clear();
        }
        self.pixels.resize(width * height, 0);
        let left = (columns * side - width) / 2;
        let top = (frame.height() as usize * side - height) / 2;
        for (y, target) in self.pixels.chunks_exact_mut(width).enumerate() {
            let source = &frame.pixels()[(y + top) / side * columns..][..columns];
            if side == 1 {
                for (x, (target, &color)) in target.iter_mut().zip(source).enumerate() {
                    *target = opaque(color, x, y);
                }
                continue;
            }
            let mut x = 0;
            for (column, &color) in source.iter().enumerate() {
                let end = ((column + 1) * side).saturating_sub(left).min(width);
                for target in &mut target[x..end] {
                    *target = opaque(color, x, y);
                }
                x = end;
            }
        }
        let corners = [0, width - 1, (height - 1) * width, height * width - 1];
        let green = corners.map(|corner| self.pixels[corner] >> 8 & 0xff);
        self.is_light = green.iter().sum::<u32>() > 4 * 0x80;
    }

    /// The colour of text and lines.
    pub(super) fn ink(&self) -> u32 {
        INKS[usize::from(self.is_light)]
    }

    pub(in crate::viewer) fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// Returns columns and rows.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The height of a line of text in pixels.
    pub(super) fn line_height(&self) -> usize {
        self.text_size + self.text_size / 3
    }

    /// The width of a text in pixels.
    pub(super) fn text_width(&self, text: &str) -> usize {
        let width = TextLine::new(self.text_size as f64).width(text);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a line of text")]
        let whole = width.ceil() as usize;
        whole
    }

    /// Fades a rectangle towards the background, so that text on it is legible.
    pub(super) fn veil(&mut self, rect: ScreenRect) {
        self.tint(rect, VEILS[usize::from(self.is_light)], VEIL);
    }

    /// Blends a colour over a rectangle; `opacity` is in 256ths.
    pub(super) fn tint(&mut self, rect: ScreenRect, color: u32, opacity: u32) {
        self.for_each(rect, |pixel| *pixel = mixed(*pixel, color, opacity));
    }

    pub(super) fn fill(&mut self, rect: ScreenRect, color: u32) {
        self.for_each(rect, |pixel| *pixel = color);
    }

    fn for_each(&mut self, rect: ScreenRect, mut change: impl FnMut(&mut u32)) {
        let (right, bottom) = ((rect.x + rect.width).min(self.width), (rect.y + rect.height).min(self.height));
        for y in rect.y..bottom {
            let row = &mut self.pixels[y * self.width..][..self.width];
            row[rect.x.min(right)..right].iter_mut().for_each(&mut change);
        }
    }

    /// Draws a line of text from its top-left corner, clipped at the screen's edges.
    pub(super) fn draw_text(&mut self, x: usize, y: usize, text: &str) {
        let color = self.ink();
        let (line, size) = (self.line_height(), self.text_size);
        let room = self.text_width(text) + 2;
        let mask = self.masks.entry(text.to_owned()).or_insert_with(|| TextMask::new(text, size, [room, line]));
        for (row, coverage) in self.pixels.chunks_mut(self.width).skip(y).zip(mask.coverage.chunks(mask.width)) {
            for (pixel, &coverage) in row.iter_mut().skip(x).zip(coverage) {
                *pixel = mixed(*pixel, color, u32::from(coverage) + u32::from(coverage >> 7));
            }
        }
    }

    /// Draws lines of text on a veil, from its top-left corner. Text after a tab stands in a second column.
    pub(super) fn draw_panel(&mut self, x: usize, y: usize, lines: &[String]) {
        let (width, height) = self.panel_size(lines);
        let (line, margin) = (self.line_height(), self.margin());
        self.veil(ScreenRect { x, y, width, height });
        let second = x + 2 * margin + self.first_column(lines);
        for (index, text) in lines.iter().enumerate() {
            let y = y + margin + index * line;
            let (first, rest) =
                text.split_once('\t').map_or((text.as_str(), None), |(first, rest)| (first, Some(rest)));
            self.draw_text(x + 2 * margin, y, first);
            if let Some(rest) = rest {
                self.draw_text(second, y, rest);
            }
        }
    }

    pub(super) fn panel_size(&self, lines: &[String]) -> (usize, usize) {
        let (line, margin, first) = (self.line_height(), self.margin(), self.first_column(lines));
        let width = |text: &String| match text.split_once('\t') {
            Some((_, rest)) => first + self.text_width(rest),
            None => self.text_width(text),
        };
        let longest = lines.iter().map(width).max().unwrap_or(0);
        (longest + 4 * margin, lines.len() * line + 2 * margin)
    }

    /// Space between a panel's edge and its text in pixels; twice as much at the sides.
    fn margin(&self) -> usize {
        self.text_size / 4
    }

    /// The width in pixels of the column of texts before tabs, with the gap after it.
    fn first_column(&self, lines: &[String]) -> usize {
        let before = lines.iter().filter_map(|text| text.split_once('\t')).map(|(first, _)| self.text_width(first));
        before.max().map_or(0, |widest| widest + self.text_size)
    }
}

impl TextMask {
    /// Draws a text of `size` pixels per em into a mask of some pixels.
    fn new(text: &str, size: usize, [width, height]: [usize; 2]) -> Self {
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        let Ok(mut frame) = Frame::new(side(width), side(height), Srgba8::TRANSPARENT) else {
            return Self { width: 1, coverage: Vec::new() };
        };
        let line = TextLine::new(size as f64);
        line.draw_on(&mut frame, [1.0, (0.5 * (height as f64 + line.cap_height())).round()], text, Srgba8::WHITE);
        Self { width, coverage: frame.pixels().iter().map(|pixel| pixel.a).collect() }
    }
}

/// A colour with another one over it, whose opacity is in 256ths.
fn mixed(old: u32, new: u32, opacity: u32) -> u32 {
    let channel = |shift: u32| {
        let (old, new) = (old >> shift & 0xff, new >> shift & 0xff);
        ((old * (256 - opacity) + new * opacity) >> 8) << shift
    };
    channel(16) | channel(8) | channel(0)
}

/// Returns a pixel's colour over a grey checkerboard.
fn opaque(color: Srgba8, x: usize, y: usize) -> u32 {
    let [r, g, b, a] = [color.r, color.g, color.b, color.a].map(u32::from);
    if a == 255 {
        return r << 16 | g << 8 | b;
    }
    let below = if (x / CHECKER_SIZE + y / CHECKER_SIZE).is_multiple_of(2) { 0x99 } else { 0x66 };
    let mixed = |part: u32| (part * a + below * (255 - a) + 127) / 255;
    mixed(r) << 16 | mixed(g) << 8 | mixed(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(width: u32, height: u32) -> Frame {
        let mut frame = Frame::new(width, height, Srgba8::TRANSPARENT).expect("small");
        for (pixel, index) in frame.pixels_mut().iter_mut().zip(0_u8..) {
            *pixel = Srgba8 { r: index, g: 0, b: 0, a: 255 };
        }
        frame
    }

    #[test]
    fn frame_of_the_window_size_is_shown_unchanged() {
        let mut screen = Screen::default();
        screen.show(&frame(5, 3), 1, (5, 3));
        assert_eq!(screen.pixels(), (0..15).map(|index| index << 16).collect::<Vec<_>>());
    }

    #[test]
    fn coarse_frame_is_enlarged_around_the_centre() {
        let mut screen = Screen::default();
        // 2 by 2 squares of 4 cover 8 by 8 pixels; a window of 6 by 5 shows their centre
        screen.show(&frame(2, 2), 4, (6, 5));
        let reds: Vec<_> = screen.pixels().iter().map(|pixel| pixel >> 16).collect();
        assert_eq!(reds[..6], [0, 0, 0, 1, 1, 1], "a column is cut off on either side");
        assert_eq!(reds.chunks(6).map(|row| row[0]).collect::<Vec<_>>(), [0, 0, 0, 2, 2], "and a row at the top");
    }

    #[test]
    fn translucent_pixels_show_a_checkerboard() {
        assert_eq!(opaque(Srgba8::TRANSPARENT, 0, 0), 0x99_99_99);
        assert_eq!(opaque(Srgba8::TRANSPARENT, 8, 0), 0x66_66_66);
        assert_eq!(opaque(Srgba8 { r: 1, g: 2, b: 3, a: 255 }, 8, 0), 0x01_02_03);
    }

    #[test]
    fn text_is_clipped_at_the_edges() {
        let mut screen = Screen::default();
        screen.show(&frame(9, 9), 1, (9, 9));
        screen.draw_panel(5, 5, &["wide and tall".to_owned(), "second".to_owned()]);
        screen.draw_text(100, 100, "outside");
        assert_eq!(screen.size(), (9, 9));
        assert_eq!(screen.pixels()[0], 0, "the corner is unchanged");
    }
}
