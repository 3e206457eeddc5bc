//! A scene's shapes as the painter sees them: an ellipse in one colour, with or without a hole.

use crate::color::Srgba8;
use crate::geom::single;
use crate::scene::circles::{PaintedCircle, PaintedEllipse, PaintedSegment, Style, VAST_RADIUS};
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
    /// By how much the radii of a vast circle and of its hole exceed these rounded ones; 0 for other shapes.
    pub(super) beyond: [f32; 2],
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
    pub(super) const EMPTY: Self = Self {
        center: [0.0; 2],
        radii: [0.0; 2],
        hole: None,
        beyond: [0.0; 2],
        color: Srgba8::TRANSPARENT,
        alpha: 0.0,
    };

    /// The empty shape if a number is not finite or a radius too small to be painted.
    #[inline(always)]
    fn new(center: [f32; 2], radii: [f32; 2], hole: Option<[f32; 2]>, color: Srgba8) -> Self {
        let is_finite = |value: f32| value.abs() < f32::INFINITY;
        if center.into_iter().all(is_finite) && radii.into_iter().all(|radius| !paintable(radius).is_nan()) {
            Self { center, radii, hole, beyond: [0.0; 2], color, alpha: f32::from(color.a) * (1.0 / 255.0) }
        } else {
            Self::EMPTY
        }
    }
}

impl RasterShape {
    /// The radii of the ellipse and of its hole, before they were rounded; 0 without a hole.
    pub(super) fn exact_radii(&self) -> [[f64; 2]; 2] {
        let [outer, hole] = self.beyond.map(f64::from);
        let exact = |radii: [f32; 2], beyond: f64| radii.map(|radius| f64::from(radius) + beyond);
        [exact(self.radii, outer), exact(self.hole.unwrap_or_default(), hole)]
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
        let [outer, inner] = [radii, hole.unwrap_or_default()].map(Rounded::of);
        // rounding must not move the rim of a vast circle into a tile that does not list it
        let outer = if outer.beyond == 0.0 { outer.radii } else { outer.radii.map(f32::next_up) };
        Extent { center: self.center, radii: outer.map(paintable), hole: hole.map(|_| inner.radii) }
    }

    #[inline(always)]
    fn shape(&self) -> RasterShape {
        let (radii, hole) = radii(self);
        let [outer, inner] = [radii, hole.unwrap_or_default()].map(Rounded::of);
        let shape = RasterShape::new(self.center, outer.radii, hole.map(|_| inner.radii), self.color);
        RasterShape { beyond: [outer.beyond, inner.beyond], ..shape }
    }
}

/// Radii in `f32`, and by how much they exceed these, if they are the radii of a vast circle.
#[derive(Clone, Copy)]
struct Rounded {
    radii: [f32; 2],
    beyond: f32,
}

impl Rounded {
    #[inline(always)]
    fn of(radii: [f64; 2]) -> Self {
        let rounded = radii.map(single);
        let is_vast = radii[0] == radii[1] && radii[0] > VAST_RADIUS && rounded[0] < f32::INFINITY;
        Self { radii: rounded, beyond: if is_vast { single(radii[0] - f64::from(rounded[0])) } else { 0.0 } }
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
fn radii(ellipse: &PaintedEllipse) -> ([f64; 2], Option<[f64; 2]>) {
    let is_painted = ellipse.radii[0] >= 0.0
        && ellipse.radii[1] >= 0.0
        && if let Style::Stroke(stroke) = ellipse.style { stroke.width >= 0.0 } else { true };
    if !is_painted {
        return ([f64::NAN; 2], None);
    }
    let least = f64::from(LEAST_RADIUS);
    let hole = ellipse.hole_radii().filter(|&[x, y]| x > least && y > least);
    (ellipse.outer_radii(), hole)
}
