//! Circles, ellipses and rings as the painters see them: one or two concentric ellipses in one colour.

use crate::color::Srgba8;
use crate::scene::{PaintedCircle, PaintedEllipse, Style};
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
    /// In the space layers are mixed in, 0 to 1.
    pub(super) color: [f32; 3],
    /// Opacity, 0 to 1.
    pub(super) alpha: f32,
}

/// Half the width of a body so thin that it covers less of any pixel than rounds to nothing.
pub(super) const THIN: f32 = 1.0 / 16384.0;

impl Shape {
    /// A shape that paints nothing.
    pub(super) const NONE: Self = Self { center: [0.0; 2], outer: [0.0; 2], inner: None, color: [0.0; 3], alpha: 0.0 };
}

/// A kind of shape of a scene.
pub(super) trait Source: Copy + Sync {
    /// One that paints nothing.
    const NONE: Self;

    /// What binning looks at.
    fn extent(&self) -> Extent;

    /// Centre, radii and opacity, if it is filled; radii that are not numbers otherwise.
    fn filled(&self) -> ([f32; 2], [f32; 2], f32);

    fn color(&self) -> Srgba8;

    /// What is painted, given what the values of a channel are in the space layers are mixed in.
    fn shape(&self, channels: &[f32; 256]) -> Shape;
}

/// The radius, if it is finite and worth painting.
#[inline(always)]
fn thick(radius: f32) -> f32 {
    if radius > THIN && radius < f32::INFINITY { radius } else { f32::NAN }
}

/// Whether the numbers are finite and the radii worth painting.
#[inline(always)]
fn shows(center: [f32; 2], radii: [f32; 2]) -> bool {
    let finite = |value: f32| value.abs() < f32::INFINITY;
    center.into_iter().all(finite) && radii.into_iter().all(|radius| !thick(radius).is_nan())
}

/// Opacity, 0 to 1.
#[inline(always)]
fn opacity(color: Srgba8) -> f32 {
    f32::from(color.a) * (1.0 / 255.0)
}

#[inline(always)]
fn paint(center: [f32; 2], outer: [f32; 2], inner: Option<[f32; 2]>, color: Srgba8, channels: &[f32; 256]) -> Shape {
    let color_of = |channel: u8| channels[usize::from(channel)];
    Shape {
        center,
        outer,
        inner,
        color: [color_of(color.r), color_of(color.g), color_of(color.b)],
        alpha: opacity(color),
    }
}

impl Source for PaintedCircle {
    const NONE: Self = Self { center: [0.0; 2], radius: 0.0, color: Srgba8::TRANSPARENT };

    #[inline(always)]
    fn extent(&self) -> Extent {
        Extent { center: self.center, outer: [thick(self.radius); 2], inner: None }
    }

    #[inline(always)]
    fn filled(&self) -> ([f32; 2], [f32; 2], f32) {
        (self.center, [self.radius; 2], opacity(self.color))
    }

    #[inline(always)]
    fn color(&self) -> Srgba8 {
        self.color
    }

    #[inline(always)]
    fn shape(&self, channels: &[f32; 256]) -> Shape {
        let outer = [self.radius; 2];
        if !shows(self.center, outer) {
            return Shape::NONE;
        }
        paint(self.center, outer, None, self.color, channels)
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
    fn filled(&self) -> ([f32; 2], [f32; 2], f32) {
        let (outer, inner) = radii(self);
        (self.center, if inner.is_none() { outer } else { [f32::NAN; 2] }, opacity(self.color))
    }

    #[inline(always)]
    fn color(&self) -> Srgba8 {
        self.color
    }

    #[inline(always)]
    fn shape(&self, channels: &[f32; 256]) -> Shape {
        let (outer, inner) = radii(self);
        if !shows(self.center, outer) {
            return Shape::NONE;
        }
        paint(self.center, outer, inner, self.color, channels)
    }
}

/// Outer and inner radii; not numbers when the ellipse is empty.
#[inline(always)]
fn radii(ellipse: &PaintedEllipse) -> ([f32; 2], Option<[f32; 2]>) {
    let radii = ellipse.radii.map(|radius| if radius >= 0.0 { radius } else { f32::NAN });
    match ellipse.style {
        Style::Fill => (radii, None),
        Style::Stroke { width } => {
            let half = if width >= 0.0 { 0.5 * width } else { f32::NAN };
            let inner = radii.map(|radius| radius - half);
            let open = inner[0] > THIN && inner[1] > THIN;
            (radii.map(|radius| radius + half), open.then_some(inner))
        }
    }
}
