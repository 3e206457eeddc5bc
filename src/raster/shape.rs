//! Circles, ellipses and rings as the painters see them: one or two concentric ellipses in one colour.

use crate::color::{Srgba8, linear_from_srgb8};
use crate::scene::{Blend, PaintedCircle, PaintedEllipse, Style};

/// The area between two concentric axis-aligned ellipses, in one colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    /// Pixels.
    pub(crate) center: [f32; 2],
    /// Radii of the outer ellipse, pixels; positive and finite.
    pub(crate) outer: [f32; 2],
    /// Radii of the hole; `None` when there is none.
    pub(crate) inner: Option<[f32; 2]>,
    /// In the space layers are mixed in, 0 to 1.
    pub(crate) color: [f32; 3],
    /// Opacity, 0 to 1.
    pub(crate) alpha: f32,
}

impl Shape {
    /// The circle, or `None` when it is empty or has no area.
    #[inline(always)]
    pub(crate) fn from_circle(circle: &PaintedCircle, blend: Blend) -> Option<Self> {
        let [x, y] = circle.center;
        let solid =
            circle.radius > 0.0 && circle.radius < f32::INFINITY && x.abs() < f32::INFINITY && y.abs() < f32::INFINITY;
        solid.then(|| Self {
            center: circle.center,
            outer: [circle.radius; 2],
            inner: None,
            color: components(circle.color, blend),
            alpha: f32::from(circle.color.a) / 255.0,
        })
    }

    /// The ellipse or its outline, or `None` when it is empty or has no area.
    pub(crate) fn from_ellipse(ellipse: &PaintedEllipse, blend: Blend) -> Option<Self> {
        let finite = |value: &f32| value.is_finite();
        if !(ellipse.center.iter().all(finite) && ellipse.radii.iter().all(|radius| *radius >= 0.0 && finite(radius))) {
            return None;
        }
        let (outer, inner) = match ellipse.style {
            Style::Fill => (ellipse.radii, None),
            Style::Stroke { width } => {
                let half = 0.5 * width;
                let hole = ellipse.radii.map(|radius| radius - half);
                (ellipse.radii.map(|radius| radius + half), hole.iter().all(|&radius| radius > 0.0).then_some(hole))
            }
        };
        let solid = outer.iter().all(|radius| *radius > 0.0 && finite(radius));
        solid.then(|| Self {
            center: ellipse.center,
            outer,
            inner,
            color: components(ellipse.color, blend),
            alpha: f32::from(ellipse.color.a) / 255.0,
        })
    }
}

#[inline(always)]
fn components(color: Srgba8, blend: Blend) -> [f32; 3] {
    let channels = [color.r, color.g, color.b];
    match blend {
        Blend::Srgb => channels.map(|channel| f32::from(channel) / 255.0),
        Blend::Linear => channels.map(linear_from_srgb8),
    }
}
