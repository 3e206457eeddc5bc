//! A page: layers of shapes and pictures over a background.

use roundel_image::{Frame, Srgba8};
use roundel_scene::figure::paper::VectorMark;

use crate::Point;

/// Shapes and pictures on a page, from the lowest to the topmost.
#[derive(Clone, Debug)]
pub struct VectorPicture {
    /// Width and height in pixels, the unit of all places.
    pub(crate) size: [f64; 2],
    /// Millimetres per pixel, if the size on paper is known.
    pub(crate) millimeters: Option<f64>,
    pub(crate) background: Srgba8,
    /// The font of texts that are written as text; otherwise they are outlines.
    pub(crate) font: Option<String>,
    pub(crate) layers: Vec<VectorLayer>,
}

#[derive(Clone, Debug)]
pub(crate) enum VectorLayer {
    /// Shapes, clipped to a rectangle if there is one.
    Marks { marks: Vec<VectorMark>, clip: Option<[Point; 2]> },
    /// Pixels, and the place of their top-left corner.
    Pixels { frame: Frame, corner: Point },
}

impl VectorPicture {
    /// An empty page of this size in pixels.
    #[must_use]
    pub fn new((width, height): (u32, u32), background: Srgba8) -> Self {
        Self { size: [width, height].map(f64::from), millimeters: None, background, font: None, layers: Vec::new() }
    }

    /// The same page, this many millimetres wide on paper. Otherwise a pixel is 1/96 of an inch.
    #[must_use]
    pub fn with_width(self, millimeters: f64) -> Self {
        Self { millimeters: Some(millimeters / self.size[0]), ..self }
    }

    /// The same page, with texts as text in this font, which the reader's machine must have. A PDF has text in
    /// [`PDF_FONT`](crate::PDF_FONT) alone.
    #[must_use]
    pub fn with_text_in(self, font: &str) -> Self {
        Self { font: Some(font.to_owned()), ..self }
    }

    /// Adds shapes on top; `clip` is the rectangle that shows them, as its least and its greatest corner.
    pub fn push_marks(&mut self, marks: Vec<VectorMark>, clip: Option<[[f64; 2]; 2]>) {
        self.layers.push(VectorLayer::Marks { marks, clip });
    }

    /// Adds a picture on top, with its top-left corner at a place.
    pub fn push_pixels(&mut self, frame: Frame, corner: [f64; 2]) {
        self.layers.push(VectorLayer::Pixels { frame, corner });
    }

    /// The number of shapes.
    #[must_use]
    pub fn shapes(&self) -> usize {
        let count = |layer: &VectorLayer| if let VectorLayer::Marks { marks, .. } = layer { marks.len() } else { 0 };
        self.layers.iter().map(count).sum()
    }
}
