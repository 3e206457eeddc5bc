//! Circles and ellipses on a canvas: x to the right, y down, in pixels from the top-left corner.

use std::borrow::Cow;

use crate::color::Srgba8;

/// A filled circle in one colour, 16 bytes.
///
/// A circle with a negative radius, or a NaN or infinite number, draws nothing.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct PaintedCircle {
    /// Pixels from the canvas's top-left corner, x to the right, y down.
    pub center: [f32; 2],
    /// Pixels.
    pub radius: f32,
    /// The colour; its alpha is the circle's opacity.
    pub color: Srgba8,
}

impl PaintedCircle {
    /// A circle around `center`, in pixels.
    #[must_use]
    #[inline]
    pub fn new(center: impl Into<[f32; 2]>, radius: f32, color: Srgba8) -> Self {
        Self { center: center.into(), radius, color }
    }
}

/// An axis-aligned ellipse or circle, filled or stroked, in one colour.
///
/// An ellipse with a negative radius, or a NaN or infinite number, draws nothing.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::circles::{PaintedEllipse, Stroke, Style};
///
/// let ring = PaintedEllipse::ring([50.0, 50.0], [20.0, 10.0], Stroke::new(4.0), Srgba8::BLACK);
/// assert_eq!((ring.outer_radii(), ring.hole_radii()), ([22.0, 12.0], Some([18.0, 8.0])));
/// let filled = PaintedEllipse { style: Style::Fill, ..ring };
/// assert_eq!((filled.outer_radii(), filled.hole_radii()), ([20.0, 10.0], None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PaintedEllipse {
    /// Pixels from the canvas's top-left corner, x to the right, y down.
    pub center: [f32; 2],
    /// Pixels along x and along y; in `f64`, so that the rim of a circle of millions of pixels is where it should be.
    pub radii: [f64; 2],
    /// Filled, or only its outline.
    pub style: Style,
    /// The colour; its alpha is the ellipse's opacity.
    pub color: Srgba8,
}

/// Radius in pixels up to which `f32` has the rim of a circle to 2⁻¹⁰ of a pixel.
///
/// Bound: `rims_of_vast_circles_are_within_a_512th`.
#[doc(hidden)]
pub const VAST_RADIUS: f64 = 16_384.0;

impl PaintedEllipse {
    /// A filled ellipse around `center`, in pixels.
    #[must_use]
    #[inline]
    pub fn new(center: impl Into<[f32; 2]>, radii: impl Into<[f64; 2]>, color: Srgba8) -> Self {
        Self { center: center.into(), radii: radii.into(), style: Style::Fill, color }
    }

    /// The outline of an ellipse around `center`, in pixels.
    #[must_use]
    pub fn ring(center: impl Into<[f32; 2]>, radii: impl Into<[f64; 2]>, stroke: Stroke, color: Srgba8) -> Self {
        Self { center: center.into(), radii: radii.into(), style: Style::Stroke(stroke), color }
    }

    /// Radii of the outer edge, in pixels along x and y: half the stroke's width more than [`PaintedEllipse::radii`].
    #[must_use]
    #[inline]
    pub fn outer_radii(&self) -> [f64; 2] {
        match self.style {
            Style::Fill => self.radii,
            Style::Stroke(stroke) => self.radii.map(|radius| radius + 0.5 * f64::from(stroke.width)),
        }
    }

    /// Radii of the unpainted hole inside a stroke, in pixels along x and y; negative or zero where the stroke closes
    /// over the centre. `None` for a filled ellipse.
    #[must_use]
    #[inline]
    pub fn hole_radii(&self) -> Option<[f64; 2]> {
        match self.style {
            Style::Fill => None,
            Style::Stroke(stroke) => Some(self.radii.map(|radius| radius - 0.5 * f64::from(stroke.width))),
        }
    }
}

/// A straight line with round ends in one colour: an edge of a graph, a piece of a track.
///
/// A segment with a NaN or infinite number, or with a width that is not positive, draws nothing. A segment of length 0
/// is a disc.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::circles::{CircleScene, PaintedSegment};
///
/// let line = PaintedSegment::new([4.0, 4.0], [28.0, 4.0], 4.0, Srgba8::BLACK);
/// assert_eq!((line.start, line.end, line.width), ([4.0, 4.0], [28.0, 4.0], 4.0));
/// let scene = CircleScene::new(32, 8).with_layer(vec![line]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct PaintedSegment {
    /// One end, in pixels from the canvas's top-left corner, x to the right, y down.
    pub start: [f32; 2],
    /// The other end.
    pub end: [f32; 2],
    /// Pixels across.
    pub width: f32,
    /// The colour; its alpha is the segment's opacity.
    pub color: Srgba8,
}

impl PaintedSegment {
    /// A segment between two points, in pixels.
    #[must_use]
    #[inline]
    pub fn new(start: impl Into<[f32; 2]>, end: impl Into<[f32; 2]>, width: f32, color: Srgba8) -> Self {
        Self { start: start.into(), end: end.into(), width, color }
    }
}

/// How an ellipse is drawn.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Style {
    /// The whole inside.
    Fill,
    /// The ring between the radii − width/2 and the radii + width/2.
    Stroke(Stroke),
}

/// The line along an ellipse's edge.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Stroke {
    /// Pixels, half of it on either side of the edge.
    pub width: f32,
}

impl Stroke {
    /// A solid line of this width in pixels.
    #[must_use]
    #[inline]
    pub fn new(width: f32) -> Self {
        Self { width }
    }
}

/// Shapes of one kind. Within a layer, and from one layer to the next, later shapes lie on top.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::circles::{CircleScene, Layer, PaintedCircle};
///
/// let circles = [PaintedCircle::new([8.0, 8.0], 6.0, Srgba8::BLACK)];
/// // borrowed: the scene draws the caller's array without copying it
/// let scene = CircleScene::new(16, 16).with_layer(&circles[..]);
/// assert!(matches!(&scene.layers[0], Layer::Circles(layer) if layer.as_ptr() == circles.as_ptr()));
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer<'a> {
    /// Filled circles.
    Circles(Cow<'a, [PaintedCircle]>),
    /// Ellipses and outlines.
    Ellipses(Cow<'a, [PaintedEllipse]>),
    /// Straight lines with round ends.
    Segments(Cow<'a, [PaintedSegment]>),
}

impl Layer<'_> {
    /// Number of shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Circles(circles) => circles.len(),
            Self::Ellipses(ellipses) => ellipses.len(),
            Self::Segments(segments) => segments.len(),
        }
    }

    /// Whether there are no shapes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Layer<'static> {
    /// Adds a circle on top of layers.
    #[doc(hidden)]
    pub fn push_circle(layers: &mut Vec<Self>, circle: PaintedCircle) {
        match layers.last_mut() {
            Some(Self::Circles(circles)) => circles.to_mut().push(circle),
            _ => layers.push(Self::Circles(Cow::Owned(vec![circle]))),
        }
    }

    /// Adds an ellipse on top of layers.
    #[doc(hidden)]
    pub fn push_ellipse(layers: &mut Vec<Self>, ellipse: PaintedEllipse) {
        match layers.last_mut() {
            Some(Self::Ellipses(ellipses)) => ellipses.to_mut().push(ellipse),
            _ => layers.push(Self::Ellipses(Cow::Owned(vec![ellipse]))),
        }
    }

    /// Adds a segment on top of layers.
    #[doc(hidden)]
    pub fn push_segment(layers: &mut Vec<Self>, segment: PaintedSegment) {
        match layers.last_mut() {
            Some(Self::Segments(segments)) => segments.to_mut().push(segment),
            _ => layers.push(Self::Segments(Cow::Owned(vec![segment]))),
        }
    }
}

impl From<Vec<PaintedCircle>> for Layer<'_> {
    fn from(circles: Vec<PaintedCircle>) -> Self {
        Self::Circles(circles.into())
    }
}

impl<'a> From<&'a [PaintedCircle]> for Layer<'a> {
    fn from(circles: &'a [PaintedCircle]) -> Self {
        Self::Circles(circles.into())
    }
}

impl From<Vec<PaintedEllipse>> for Layer<'_> {
    fn from(ellipses: Vec<PaintedEllipse>) -> Self {
        Self::Ellipses(ellipses.into())
    }
}

impl<'a> From<&'a [PaintedEllipse]> for Layer<'a> {
    fn from(ellipses: &'a [PaintedEllipse]) -> Self {
        Self::Ellipses(ellipses.into())
    }
}

impl From<Vec<PaintedSegment>> for Layer<'_> {
    fn from(segments: Vec<PaintedSegment>) -> Self {
        Self::Segments(segments.into())
    }
}

impl<'a> From<&'a [PaintedSegment]> for Layer<'a> {
    fn from(segments: &'a [PaintedSegment]) -> Self {
        Self::Segments(segments.into())
    }
}

/// The space in which layers are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blend {
    /// sRGB-encoded values, as browsers and most drawing programs do.
    #[default]
    Srgb,
    /// Linear light.
    Linear,
}

/// The picture's size in pixels, its background, and how layers are blended over it.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::circles::{Blend, Canvas, CircleScene};
///
/// let canvas = Canvas::new(320, 240).with_background(Srgba8::BLACK).with_blend(Blend::Linear);
/// let scene = CircleScene::from(canvas);
/// assert_eq!(scene.canvas.background, Srgba8::BLACK);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Canvas {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// The colour under all layers; may be translucent.
    pub background: Srgba8,
    /// How layers are blended.
    pub blend: Blend,
}

impl Canvas {
    /// A white canvas, blended in sRGB.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, background: Srgba8::WHITE, blend: Blend::Srgb }
    }

    /// The same canvas with another background.
    #[must_use]
    pub fn with_background(self, background: Srgba8) -> Self {
        Self { background, ..self }
    }

    /// The same canvas, blended in another space.
    #[must_use]
    pub fn with_blend(self, blend: Blend) -> Self {
        Self { blend, ..self }
    }
}

impl Default for Canvas {
    /// 1280 by 960 pixels, white.
    fn default() -> Self {
        Self::new(1280, 960)
    }
}

/// A part of a circle scene; see [`CircleScene::in_view_box`].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ViewBox {
    /// The point at the picture's centre, in the scene's pixels, x to the right and y down.
    pub center: [f64; 2],
    /// From the top to the bottom edge, in the scene's pixels; the width follows from the shape of the canvas.
    pub height: f64,
}

/// Layers of circles on a canvas, the first at the bottom.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct CircleScene<'a> {
    /// Size and background.
    pub canvas: Canvas,
    /// Bottom to top.
    pub layers: Vec<Layer<'a>>,
}

impl<'a> CircleScene<'a> {
    /// A scene without layers on a white canvas of this size in pixels.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Canvas::new(width, height).into()
    }

    /// The same scene on another background.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::Srgba8;
    /// use roundel::circles::CircleScene;
    ///
    /// let scene = CircleScene::new(64, 48).with_background(Srgba8::BLACK);
    /// assert_eq!(scene.canvas.background, Srgba8::BLACK);
    /// ```
    #[must_use]
    pub fn with_background(mut self, background: Srgba8) -> Self {
        self.canvas.background = background;
        self
    }

    /// Adds a layer on top: a vector or a slice of circles or ellipses.
    pub fn push(&mut self, layer: impl Into<Layer<'a>>) {
        self.layers.push(layer.into());
    }

    /// The same scene with a layer added on top.
    #[must_use]
    pub fn with_layer(mut self, layer: impl Into<Layer<'a>>) -> Self {
        self.push(layer);
        self
    }
}

impl From<Canvas> for CircleScene<'_> {
    /// A scene without layers.
    fn from(canvas: Canvas) -> Self {
        Self { canvas, layers: Vec::new() }
    }
}
