//! The window's pixels: the frame, scaled up if it is coarser than the window, with the overlay on top.

use super::font::{GLYPH_SIZE, glyph_row};
use crate::color::Srgba8;
use crate::frame::Frame;

/// Side in pixels of the checkerboard's squares, which show through translucent pictures.
const CHECKER_SIZE: usize = 8;

/// Opaque pixels as `0x00RRGGBB`, row by row from the top.
#[derive(Clone, Debug, Default)]
pub(in crate::viewer) struct Screen {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
    /// Side in pixels of the square that each pixel of a glyph fills.
    text_scale: usize,
}

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

pub(super) const WHITE: u32 = 0xff_ff_ff;

impl Screen {
    /// Fills the screen with a frame whose pixels are squares of `divisor` by `divisor` pixels, centred on the window.
    pub(in crate::viewer) fn show(&mut self, frame: &Frame, divisor: u32, (width, height): (u32, u32)) {
        let [width, height, side, columns] = [width, height, divisor, frame.width()].map(|side| side as usize);
        (self.width, self.height) = (width, height);
        self.text_scale = if width >= 900 && height >= 600 { 2 } else { 1 };
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
    }

    pub(in crate::viewer) fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// Returns columns and rows.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Returns the width of a character and the height of a line.
    pub(super) fn text_cell(&self) -> (usize, usize) {
        (GLYPH_SIZE * self.text_scale, (GLYPH_SIZE + 2) * self.text_scale)
    }

    /// Darkens a rectangle, so that text on it is legible.
    pub(super) fn darken(&mut self, rect: ScreenRect) {
        self.for_each(rect, |pixel| *pixel = *pixel >> 2 & 0x3f_3f_3f);
    }

    /// Blends a colour over a rectangle; `opacity` is in 256ths.
    pub(super) fn tint(&mut self, rect: ScreenRect, color: u32, opacity: u32) {
        self.for_each(rect, |pixel| {
            let mixed = |shift: u32| {
                let (old, new) = (*pixel >> shift & 0xff, color >> shift & 0xff);
                ((old * (256 - opacity) + new * opacity) >> 8) << shift
            };
            *pixel = mixed(16) | mixed(8) | mixed(0);
        });
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
    pub(super) fn draw_text(&mut self, x: usize, y: usize, color: u32, text: &str) {
        let scale = self.text_scale;
        for (column, character) in text.chars().enumerate() {
            for line in 0..GLYPH_SIZE {
                let bits = glyph_row(character, line);
                for bit in (0..GLYPH_SIZE).filter(|bit| bits >> bit & 1 == 1) {
                    let (x, y) = (x + (column * GLYPH_SIZE + bit) * scale, y + line * scale);
                    self.fill(ScreenRect { x, y, width: scale, height: scale }, color);
                }
            }
        }
    }

    /// Draws lines of text on a dark panel, from its top-left corner.
    pub(super) fn draw_panel(&mut self, x: usize, y: usize, lines: &[String]) {
        let (width, height) = self.panel_size(lines);
        let (_, line) = self.text_cell();
        let margin = 2 * self.text_scale;
        self.darken(ScreenRect { x, y, width, height });
        for (index, text) in lines.iter().enumerate() {
            self.draw_text(x + 2 * margin, y + margin + index * line + self.text_scale, WHITE, text);
        }
    }

    pub(super) fn panel_size(&self, lines: &[String]) -> (usize, usize) {
        let (letter, line) = self.text_cell();
        let margin = 2 * self.text_scale;
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        (longest * letter + 4 * margin, lines.len() * line + 2 * margin)
    }
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
        screen.draw_text(100, 100, WHITE, "outside");
        assert_eq!(screen.size(), (9, 9));
        assert_eq!(screen.pixels()[0], 0, "the corner is unchanged");
    }
}
