//! A scene's shapes as the painter sees them: an ellipse in one colour, with or without a hole.

use crate::color::Srgba8;
use crate::scene::circles::{PaintedCircle, PaintedEllipse, PaintedSegment, Style};
use crate::tiles::circles::Extent;
use crate::tiles::segments::SegmentExtent;

/// An axis-aligned ellipse in one colour; a stroke has a hole, a concentric ellipse that is left unpainted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RasterShape {
    /// Pixels.
    pub(super) center: [f32; 2],
    /// Radii of the ellipse, pixels.
    pub(super) radii: [f32; 2],
    /// Radii of the hole, pixels.
    pub(super) hole: Option<[f32; 2]>,
    pub(super) color: Srgba8,
    /// Opacity, 0 to 1.
    pub(super) alpha: f32,
}

/// Bodies with a smaller radius are left out, holes too: they cover at most 2⁻¹³ of a pixel, less than coverage may be
/// off.
///
/// Bound: `coverage_is_within_a_512th_for_every_radius_and_level`.
const LEAST_RADIUS: f32 = 1.0 / 16384.0;

impl RasterShape {
    /// A shape that paints nothing.
    pub(super) const EMPTY: Self =
        Self { center: [0.0; 2], radii: [0.0; 2], hole: None, color: Srgba8::TRANSPARENT, alpha: 0.0 };

    /// The empty shape if a number is not finite or a radius too small to be painted.
    #[inline(always)]
    fn new(center: [f32; 2], radii: [f32; 2], hole: Option<[f32; 2]>, color: Srgba8) -> Self {
        let is_finite = |value: f32| value.abs() < f32::INFINITY;
        if center.into_iter().all(is_finite) && radii.into_iter().all(|radius| !paintable(radius).is_nan()) {
            Self { center, radii, hole, color, alpha: f32::from(color.a) * (1.0 / 255.0) }
        } else {
            Self::EMPTY
        }
    }
}

/// A shape of a scene that can be listed by tile and painted.
pub(super) trait Paintable: Copy + Sync {
    /// Paints nothing.
    const EMPTY: Self;

    /// The area that the shape may paint, for the lists of tiles.
    fn extent(&self) -> Extent;

    /// The shape to paint.
    fn shape(&self) -> RasterShape;
}

/// The radius; NaN if it is not finite or too small to be painted.
#[inline(always)]
fn paintable(radius: f32) -> f32 {
    if radius > LEAST_RADIUS && radius < f32::INFINITY { radius } else { f32::NAN }
}

impl Paintable for PaintedCircle {
    const EMPTY: Self = Self { center: [0.0; 2], radius: 0.0, color: Srgba8::TRANSPARENT };

    #[inline(always)]
    fn extent(&self) -> Extent {
        Extent { center: self.center, radii: [paintable(self.radius); 2], hole: None }
    }

    #[inline(always)]
    fn shape(&self) -> RasterShape {
        RasterShape::new(self.center, [self.radius; 2], None, self.color)
    }
}

impl Paintable for PaintedEllipse {
    const EMPTY: Self = Self { center: [0.0; 2], radii: [0.0; 2], style: Style::Fill, color: Srgba8::TRANSPARENT };

    #[inline(always)]
    fn extent(&self) -> Extent {
        let (radii, hole) = radii(self);
        Extent { center: self.center, radii: radii.map(paintable), hole }
    }

    #[inline(always)]
    fn shape(&self) -> RasterShape {
        let (radii, hole) = radii(self);
        RasterShape::new(self.center, radii, hole, self.color)
    }
}

/// The area that the segment may paint, for the lists of tiles.
#[inline(always)]
pub(super) fn segment_extent(segment: &PaintedSegment) -> SegmentExtent {
    let is_painted = segment.start.into_iter().chain(segment.end).all(f32::is_finite);
    let half = if is_painted { paintable(0.5 * segment.width) } else { f32::NAN };
    SegmentExtent { ends: [segment.start, segment.end], half }
}

/// The outer radii, and the radii of a visible hole; NaN for an ellipse that paints nothing.
#[inline(always)]
fn radii(ellipse: &PaintedEllipse) -> ([f32; 2], Option<[f32; 2]>) {
    let is_painted = ellipse.radii[0] >= 0.0
        && ellipse.radii[1] >= 0.0
        && match ellipse.style {
            Style::Fill => true,
            Style::Stroke(stroke) => stroke.width >= 0.0,
        };
    if !is_painted {
        return ([f32::NAN; 2], None);
    }
    let hole = ellipse.hole_radii().filter(|&[x, y]| x > LEAST_RADIUS && y > LEAST_RADIUS);
    (ellipse.outer_radii(), hole)
}
