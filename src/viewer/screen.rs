//! What a window shows: a frame, enlarged to the window where it is coarser, and what is written and drawn over it.

use super::font::{GLYPH, row};
use crate::color::Srgba8;
use crate::frame::Frame;

/// Side of the squares that shine through translucent pictures, pixels.
const CHECKER: usize = 8;

/// Opaque pixels, `0x00RRGGBB`, row by row from the top: what `minifb` shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Screen {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
    /// Side of a dot of text, pixels.
    dot: usize,
}

/// Whole pixels from the top-left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

pub(super) const WHITE: u32 = 0xff_ff_ff;

impl Screen {
    /// Shows a frame whose pixels are squares of `divisor` by `divisor` pixels, centred on the window.
    pub(super) fn show(&mut self, frame: &Frame, divisor: u32, (width, height): (u32, u32)) {
        let [width, height, side, columns] = [width, height, divisor, frame.width()].map(|side| side as usize);
        (self.width, self.height) = (width, height);
        self.dot = if width >= 900 && height >= 600 { 2 } else { 1 };
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

    /// The pixels, row by row from the top.
    pub(super) fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Size of a character with the space around it.
    pub(super) fn letter(&self) -> (usize, usize) {
        (GLYPH * self.dot, (GLYPH + 2) * self.dot)
    }

    /// Darkens an area, so that text on it can be read.
    pub(super) fn darken(&mut self, area: Area) {
        self.each(area, |pixel| *pixel = *pixel >> 2 & 0x3f_3f_3f);
    }

    /// Mixes so many 256ths of a colour into an area.
    pub(super) fn tint(&mut self, area: Area, color: u32, share: u32) {
        self.each(area, |pixel| {
            let mixed = |shift: u32| {
                let (old, new) = (*pixel >> shift & 0xff, color >> shift & 0xff);
                ((old * (256 - share) + new * share) >> 8) << shift
            };
            *pixel = mixed(16) | mixed(8) | mixed(0);
        });
    }

    /// Fills an area.
    pub(super) fn fill(&mut self, area: Area, color: u32) {
        self.each(area, |pixel| *pixel = color);
    }

    fn each(&mut self, area: Area, mut change: impl FnMut(&mut u32)) {
        let (right, bottom) = ((area.x + area.width).min(self.width), (area.y + area.height).min(self.height));
        for y in area.y..bottom {
            let row = &mut self.pixels[y * self.width..][..self.width];
            row[area.x.min(right)..right].iter_mut().for_each(&mut change);
        }
    }

    /// Writes a line with its top-left corner there; what does not fit is cut off.
    pub(super) fn write(&mut self, x: usize, y: usize, color: u32, text: &str) {
        let dot = self.dot;
        for (column, character) in text.chars().enumerate() {
            for line in 0..GLYPH {
                let bits = row(character, line);
                for bit in (0..GLYPH).filter(|bit| bits >> bit & 1 == 1) {
                    let (x, y) = (x + (column * GLYPH + bit) * dot, y + line * dot);
                    self.fill(Area { x, y, width: dot, height: dot }, color);
                }
            }
        }
    }

    /// Lines on a dark panel with its top-left corner there; returns the panel.
    pub(super) fn panel(&mut self, x: usize, y: usize, lines: &[String]) -> Area {
        let area = Area { x, y, ..self.panel_size(lines) };
        let (_, line) = self.letter();
        let margin = 2 * self.dot;
        self.darken(area);
        for (index, text) in lines.iter().enumerate() {
            self.write(x + 2 * margin, y + margin + index * line + self.dot, WHITE, text);
        }
        area
    }

    /// The size of a panel with these lines.
    pub(super) fn panel_size(&self, lines: &[String]) -> Area {
        let (letter, line) = self.letter();
        let margin = 2 * self.dot;
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        Area { x: 0, y: 0, width: longest * letter + 4 * margin, height: lines.len() * line + 2 * margin }
    }
}

/// A pixel as a screen shows it: translucent colours lie on a grey checkerboard.
fn opaque(color: Srgba8, x: usize, y: usize) -> u32 {
    let [r, g, b, a] = [color.r, color.g, color.b, color.a].map(u32::from);
    if a == 255 {
        return r << 16 | g << 8 | b;
    }
    let under = if (x / CHECKER + y / CHECKER).is_multiple_of(2) { 0x99 } else { 0x66 };
    let mixed = |part: u32| (part * a + under * (255 - a) + 127) / 255;
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
    fn frames_of_the_window_size_are_shown_as_they_are() {
        let mut screen = Screen::default();
        screen.show(&frame(5, 3), 1, (5, 3));
        assert_eq!(screen.pixels(), (0..15).map(|index| index << 16).collect::<Vec<_>>());
    }

    #[test]
    fn coarse_frames_are_enlarged_around_the_middle() {
        let mut screen = Screen::default();
        // 2 by 2 squares of 4 cover 8 by 8; a window of 6 by 5 shows their middle
        screen.show(&frame(2, 2), 4, (6, 5));
        let reds: Vec<_> = screen.pixels().iter().map(|pixel| pixel >> 16).collect();
        assert_eq!(reds[..6], [0, 0, 0, 1, 1, 1], "a column is lost on either side");
        assert_eq!(reds.chunks(6).map(|row| row[0]).collect::<Vec<_>>(), [0, 0, 0, 2, 2], "and a row at the top");
    }

    #[test]
    fn translucent_pixels_lie_on_a_checkerboard() {
        assert_eq!(opaque(Srgba8::TRANSPARENT, 0, 0), 0x99_99_99);
        assert_eq!(opaque(Srgba8::TRANSPARENT, 8, 0), 0x66_66_66);
        assert_eq!(opaque(Srgba8 { r: 1, g: 2, b: 3, a: 255 }, 8, 0), 0x01_02_03);
    }

    #[test]
    fn text_is_cut_at_the_edges() {
        let mut screen = Screen::default();
        screen.show(&frame(9, 9), 1, (9, 9));
        screen.panel(5, 5, &["wide and tall".to_owned(), "second".to_owned()]);
        screen.write(100, 100, WHITE, "outside");
        assert_eq!(screen.size(), (9, 9));
        assert_eq!(screen.pixels()[0], 0, "the corner is as it was");
    }
}
