//! A picture of numbers, one for each pixel, in the place of circles.

use std::sync::Arc;

use crate::color::Srgba8;
use crate::frame::Frame;

/// Numbers of squares of a picture and their colours, the first row on top.
#[derive(Clone, Debug, PartialEq)]
pub struct DensityFrame {
    pub width: u32,
    pub height: u32,
    /// The side of the squares in pixels of the picture; its edge may cut the last of a row, and the last row.
    pub side: u32,
    /// Transparent where there is no number.
    pub pixels: Arc<[Srgba8]>,
    /// 0 where no row is, NaN for means.
    pub numbers: Arc<[f64]>,
}

impl DensityFrame {
    /// Draws the colours on a frame.
    pub(super) fn draw(&self, frame: &mut Frame) {
        let width = frame.width() as usize;
        let (own_width, side) = (self.width as usize, self.side as usize);
        for (row, pixels) in frame.pixels_mut().chunks_mut(width).enumerate() {
            let Some(own) = self.pixels.chunks(own_width).nth(row / side) else { return };
            for (pixels, color) in pixels.chunks_mut(side).zip(own).filter(|(_, color)| color.a > 0) {
                pixels.fill(*color);
            }
        }
    }
}
