//! Circles and ellipses on a canvas: x right, y down, in pixels from the top-left corner.

use std::borrow::Cow;

use crate::color::Srgba8;

/// A filled circle in one colour: 16 bytes, so that a hundred million fit a laptop.
///
/// A negative, NaN or infinite number makes the circle empty: it draws nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PaintedCircle {
    /// Pixels from the canvas's top-left corner, x right, y down.
    pub center: [f32; 2],
    /// Pixels.
    pub radius: f32,
    /// Its alpha is the circle's opacity.
    pub color: Srgba8,
}

/// An axis-aligned ellipse (or circle), filled or stroked, in one colour.
///
/// A negative, NaN or infinite number makes the ellipse empty: it draws nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaintedEllipse {
    /// Pixels from the canvas's top-left corner, x right, y down.
    pub center: [f32; 2],
    /// Pixels, along x and along y.
    pub radii: [f32; 2],
    /// Filled, or its outline alone.
    pub style: Style,
    /// Its alpha is the ellipse's opacity.
    pub color: Srgba8,
}

/// How an ellipse is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// The whole inside.
    Fill,
    /// The ring between the radii − width/2 and the radii + width/2.
    Stroke {
        /// Pixels.
        width: f32,
    },
}

/// A run of shapes of one kind; within it, and from layer to layer, later ones lie on top.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer<'a> {
    /// Filled circles.
    Circles(Cow<'a, [PaintedCircle]>),
    /// Ellipses and outlines.
    Ellipses(Cow<'a, [PaintedEllipse]>),
}

/// The space in which layers are mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blend {
    /// sRGB-encoded values, as browsers and most drawing programs do.
    #[default]
    Srgb,
    /// Linear light.
    Linear,
}

/// The paper: its size in pixels, its colour, and how layers mix on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// Below all layers; may be translucent.
    pub background: Srgba8,
    /// How layers mix.
    pub blend: Blend,
}

/// Layers of circles on a canvas, first at the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct CircleScene<'a> {
    /// The paper.
    pub canvas: Canvas,
    /// Bottom to top.
    pub layers: Vec<Layer<'a>>,
}
