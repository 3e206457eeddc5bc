//! The size of a figure in print, and of its type in pixels.

use super::TYPE;

/// Dots per inch of a screen.
const SCREEN_DPI: f64 = 96.0;

/// The resolution of a figure, and the size of its text and lines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PrintSize {
    /// Dots per inch, if they are given.
    pub dpi: Option<f32>,
    /// Width on paper, if it is given; pixels are rounded.
    pub millimeters: Option<f64>,
    /// Dots per inch unless `dpi` is given: large pictures have larger text, because they are scaled down for print.
    pub suited_dpi: Option<f64>,
    /// The factor by which everything is enlarged; 0 counts as 1.
    pub scale: f64,
    /// The size of text in points, in proportion to which lines and gaps are drawn.
    pub font_size: Option<f32>,
}

impl PrintSize {
    /// The factor by which everything is enlarged.
    pub(super) fn factor(&self) -> f64 {
        if self.scale > 0.0 { self.scale } else { 1.0 }
    }

    /// Pixels per point of type of the usual size.
    pub(super) fn point(&self) -> f64 {
        let suited = self.suited_dpi.unwrap_or(SCREEN_DPI);
        let size = self.font_size.map_or(1.0, |size| f64::from(size) / TYPE);
        self.factor() * size * self.dpi.map_or(suited, f64::from) / 72.0
    }

    /// Sizes text for a picture of this size, unless a resolution is given.
    pub(super) fn suit(&mut self, (width, height): (u32, u32)) {
        /// The longer side in pixels up to which pictures have text at screen resolution.
        const LONG_SIDE: f64 = 640.0;
        let long = f64::from(width.max(height));
        self.suited_dpi = Some(SCREEN_DPI * (long / LONG_SIDE).max(1.0));
    }
}
