//! Outlines around the circles of a table.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::options::load_options::LoadOptions;
use crate::options::picture_settings::LENGTH_RULE;
use crate::rows::row_shapes::VastCircle;
use crate::scene::circles::{Layer, PaintedCircle, PaintedEllipse, Stroke};

/// Width of outlines in pixels, unless one is given.
const WIDTH: f32 = 1.0;

/// The outline of every circle: half of its width is inside, half outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CircleOutline {
    /// The colour; its alpha is the outline's own opacity.
    pub(crate) color: Srgba8,
    /// Pixels.
    pub(crate) width: f32,
}

impl CircleOutline {
    pub(crate) fn new(color: Srgba8, width: Option<f32>) -> Self {
        Self { color, width: width.unwrap_or(WIDTH) }
    }

    /// The outline that the caller asks for.
    pub(crate) fn of(options: &LoadOptions) -> Result<Option<Self>> {
        match (options.stroke, options.stroke_width) {
            (_, Some(width)) if !(width.is_finite() && width >= 0.0) => {
                Err(Error::setting("stroke_width", format!("{LENGTH_RULE}, got {width}")))
            }
            (None, Some(_)) => Err(Error::setting("stroke_width", "is for outlines, which stroke gives a colour")),
            (color, width) => Ok(color.map(|color| Self::new(color, width))),
        }
    }
}

/// Circles as a layer, each below its own outline and above the circles before it. `vast` has what some of them are drawn
/// as instead, by their indices.
pub(crate) fn layer(
    circles: Vec<PaintedCircle>,
    vast: &BTreeMap<usize, VastCircle>,
    outline: Option<CircleOutline>,
) -> Layer<'static> {
    let outline = outline.filter(|outline| outline.width > 0.0);
    if outline.is_none() && vast.is_empty() {
        return Layer::Circles(Cow::Owned(circles));
    }
    let filled = |(index, PaintedCircle { center, radius, color }): (usize, PaintedCircle)| match vast.get(&index) {
        Some(exact) => PaintedEllipse::new(exact.center, [exact.radius; 2], color),
        None => PaintedEllipse::new(center, [f64::from(radius); 2], color),
    };
    let filled = circles.into_iter().enumerate().map(filled);
    let Some(CircleOutline { color, width }) = outline else { return Layer::Ellipses(Cow::Owned(filled.collect())) };
    // a radius of 0 says that a row has none
    let drawn = filled.filter(|circle| circle.radii[0] > 0.0);
    let shapes =
        drawn.flat_map(|circle| [circle, PaintedEllipse::ring(circle.center, circle.radii, Stroke::new(width), color)]);
    Layer::Ellipses(Cow::Owned(shapes.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_lie_between_their_circle_and_the_next() {
        let circles = vec![
            PaintedCircle::new([1.0, 2.0], 3.0, Srgba8::WHITE),
            PaintedCircle::new([4.0, 2.0], 0.0, Srgba8::WHITE),
            PaintedCircle::new([5.0, 2.0], 2.0, Srgba8::WHITE),
        ];
        let Layer::Ellipses(shapes) =
            layer(circles.clone(), &BTreeMap::new(), Some(CircleOutline::new(Srgba8::BLACK, None)))
        else {
            panic!("rings are ellipses")
        };
        let order: Vec<_> = shapes.iter().map(|shape| (shape.center[0], shape.color, shape.outer_radii()[0])).collect();
        let (white, black) = (Srgba8::WHITE, Srgba8::BLACK);
        assert_eq!(order, [(1.0, white, 3.0), (1.0, black, 3.5), (5.0, white, 2.0), (5.0, black, 2.5)]);
        assert!(matches!(layer(circles, &BTreeMap::new(), None), Layer::Circles(circles) if circles.len() == 3));
    }
}
