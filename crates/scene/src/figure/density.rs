//! A picture of numbers, one for each pixel, in the place of circles.

use std::sync::Arc;

use crate::color::Srgba8;
use crate::frame::Frame;

/// Numbers of the pixels of a picture and their colours, the first row on top.
#[derive(Clone, Debug, PartialEq)]
pub struct DensityFrame {
    pub width: u32,
    pub height: u32,
    /// Transparent where there is no number.
    pub pixels: Arc<[Srgba8]>,
    /// 0 where no row is, NaN for means.
    pub numbers: Arc<[f64]>,
}

impl DensityFrame {
    /// Draws the colours on a frame, enlarged to its size.
    pub(super) fn draw(&self, frame: &mut Frame) {
        let (width, height) = (frame.width(), frame.height());
        #[expect(clippy::cast_possible_truncation, reason = "a place in the picture")]
        let from = |place: u32, own: u32, size: u32| (u64::from(place) * u64::from(own) / u64::from(size)) as usize;
        let columns: Vec<usize> = (0..width).map(|x| from(x, self.width, width)).collect();
        for (y, row) in (0..height).zip(frame.pixels_mut().chunks_mut(width as usize)) {
            let own = &self.pixels[from(y, self.height, height) * self.width as usize..][..self.width as usize];
            for (pixel, column) in row.iter_mut().zip(&columns) {
                if own[*column].a > 0 {
                    *pixel = own[*column];
                }
            }
        }
    }
}
