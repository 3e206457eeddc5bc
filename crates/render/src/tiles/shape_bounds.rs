//! Screen-space bounds of shapes other than spheres.
//!
//! Bounds are conservative, as for spheres. The projection of the convex hull of two spheres is the hull of their
//! projections, so cylinders and cones get the union of the bounds of the spheres around their ends.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::sphere_projector::{ScreenBounds, SphereProjector};
use crate::lanes::{Vec3x8, dot3_with};

/// A shape with screen-space bounds.
pub(crate) trait Projected: Copy {
    /// Bounds of at most eight shapes; unused lanes are unspecified.
    fn bounds8<S: Simd>(simd: S, projector: &SphereProjector, shapes: &[Self]) -> ScreenBounds;
}

/// Products of supports of ellipsoids with these half axes: dot products of two directions, transformed as normals to
/// the space where the ellipsoids are unit spheres.
#[inline(always)]
pub(super) fn supports<S: Simd>(axes: &[Vec3x8<S>; 3], a: [f32; 3], b: [f32; 3]) -> f32x8<S> {
    let products = [
        dot3_with(axes[0], a) * dot3_with(axes[0], b),
        dot3_with(axes[1], a) * dot3_with(axes[1], b),
        dot3_with(axes[2], a) * dot3_with(axes[2], b),
    ];
    (products[0] + products[1]) + products[2]
}

/// An interval on the picture, in slopes or world units, and the slack that widens it.
#[derive(Clone, Copy)]
pub(super) struct PictureInterval<S: Simd> {
    pub low: f32x8<S>,
    pub high: f32x8<S>,
    pub slack: f32x8<S>,
}

impl<S: Simd> PictureInterval<S> {
    /// The least interval that holds both.
    #[inline(always)]
    fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), slack: self.slack.max(other.slack) }
    }
}

/// Bounds of shapes in view space.
#[derive(Clone, Copy)]
pub(super) struct InView<S: Simd> {
    pub across: PictureInterval<S>,
    pub down: PictureInterval<S>,
    pub near: f32x8<S>,
    pub is_regular: mask32x8<S>,
    pub is_drawn: mask32x8<S>,
    /// Entirely outside of the frustum's planes: behind, left, right, above, below.
    pub outside: [mask32x8<S>; 5],
}

impl<S: Simd> InView<S> {
    /// The projection of the hull of both.
    #[inline(always)]
    pub(super) fn hull(self, other: Self) -> Self {
        Self {
            across: self.across.hull(other.across),
            down: self.down.hull(other.down),
            near: self.near.min(other.near),
            is_regular: self.is_regular & other.is_regular,
            is_drawn: self.is_drawn & other.is_drawn,
            outside: [
                self.outside[0] & other.outside[0],
                self.outside[1] & other.outside[1],
                self.outside[2] & other.outside[2],
                self.outside[3] & other.outside[3],
                self.outside[4] & other.outside[4],
            ],
        }
    }
}
