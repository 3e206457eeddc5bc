//! Circles, ellipses and rings as the painters see them: one or two concentric ellipses in one colour.

use crate::color::Srgba8;
use crate::scene::circles::{PaintedCircle, PaintedEllipse, Style};
use crate::tiles::circles::Extent;

/// The area between two concentric axis-aligned ellipses, in one colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    /// Pixels.
    pub(super) center: [f32; 2],
    /// Radii of the outer ellipse, pixels.
    pub(super) outer: [f32; 2],
    /// Radii of the hole; `None` when there is none.
    pub(super) inner: Option<[f32; 2]>,
    pub(super) color: Srgba8,
    /// Opacity, 0 to 1.
    pub(super) alpha: f32,
}

/// Half the width of a body so thin that it covers less of any pixel than rounds to nothing.
const THIN: f32 = 1.0 / 16384.0;

impl Shape {
    /// A shape that paints nothing.
    pub(super) const NONE: Self =
        Self { center: [0.0; 2], outer: [0.0; 2], inner: None, color: Srgba8::TRANSPARENT, alpha: 0.0 };

    /// Nothing when a number is not finite, or a radius not worth painting.
    #[inline(always)]
    fn new(center: [f32; 2], outer: [f32; 2], inner: Option<[f32; 2]>, color: Srgba8) -> Self {
        let finite = |value: f32| value.abs() < f32::INFINITY;
        if center.into_iter().all(finite) && outer.into_iter().all(|radius| !thick(radius).is_nan()) {
            Self { center, outer, inner, color, alpha: f32::from(color.a) * (1.0 / 255.0) }
        } else {
            Self::NONE
        }
    }
}

/// What colours are mixed in.
#[derive(Debug)]
pub(super) struct Space {
    /// What the 256 values of a channel are there, 0 to 1.
    pub(super) channels: [f32; 256],
    /// The transmittance below which a pixel is finished.
    pub(super) finished: f32,
}

/// A kind of shape of a scene.
pub(super) trait Source: Copy + Sync {
    /// One that paints nothing.
    const NONE: Self;

    /// What binning looks at.
    fn extent(&self) -> Extent;

    /// What is painted.
    fn shape(&self) -> Shape;
}

/// The radius, if it is finite and worth painting.
#[inline(always)]
fn thick(radius: f32) -> f32 {
    if radius > THIN && radius < f32::INFINITY { radius } else { f32::NAN }
}

impl Source for PaintedCircle {
    const NONE: Self = Self { center: [0.0; 2], radius: 0.0, color: Srgba8::TRANSPARENT };

    #[inline(always)]
    fn extent(&self) -> Extent {
        Extent { center: self.center, outer: [thick(self.radius); 2], inner: None }
    }

    #[inline(always)]
    fn shape(&self) -> Shape {
        Shape::new(self.center, [self.radius; 2], None, self.color)
    }
}

impl Source for PaintedEllipse {
    const NONE: Self = Self { center: [0.0; 2], radii: [0.0; 2], style: Style::Fill, color: Srgba8::TRANSPARENT };

    #[inline(always)]
    fn extent(&self) -> Extent {
        let (outer, inner) = radii(self);
        Extent { center: self.center, outer: outer.map(thick), inner }
    }

    #[inline(always)]
    fn shape(&self) -> Shape {
        let (outer, inner) = radii(self);
        Shape::new(self.center, outer, inner, self.color)
    }
}

/// Outer radii and those of the hole, if there is one; NaN for an empty ellipse.
#[inline(always)]
fn radii(ellipse: &PaintedEllipse) -> ([f32; 2], Option<[f32; 2]>) {
    let is_drawn = ellipse.radii[0] >= 0.0
        && ellipse.radii[1] >= 0.0
        && match ellipse.style {
            Style::Fill => true,
            Style::Stroke(stroke) => stroke.width >= 0.0,
        };
    if !is_drawn {
        return ([f32::NAN; 2], None);
    }
    let hole = ellipse.hole_radii().filter(|&[x, y]| x > THIN && y > THIN);
    (ellipse.outer_radii(), hole)
}
