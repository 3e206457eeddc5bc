//! Arrows and cones: forces, velocities, dipoles.

use std::slice;

use glam::DVec3;

use super::cylinders::PaintedCylinder;
use super::placed_list::{NO_BOUNDS, Placeable, SolidExtent, around_segment, bounds_of_segment, from_eye};
use super::spheres::{PaintedSphere, Pose};
use crate::color::Srgba8;
use crate::geom::{Cone, Sphere, single};

/// A cone in one colour, such as the head of an arrow.
///
/// A cone with a negative radius, a NaN or infinite number, or without height is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PaintedCone {
    /// The centre of the base, in world units.
    pub base: [f32; 3],
    /// The tip.
    pub apex: [f32; 3],
    /// The radius of the base.
    pub radius: f32,
    /// Surface colour and opacity.
    pub color: Srgba8,
}

impl PaintedCone {
    /// A cone from the centre of its base to its tip.
    #[must_use]
    pub fn new(base: impl Into<[f32; 3]>, apex: impl Into<[f32; 3]>, radius: f32, color: Srgba8) -> Self {
        Self { base: base.into(), apex: apex.into(), radius, color }
    }
}

impl Placeable for PaintedCone {
    type Solid = Cone;

    const INDICES: u32 = 1;

    #[inline(always)]
    fn solid(&self) -> Cone {
        let Self { base, apex, radius, .. } = *self;
        Cone { base, apex, radius }
    }

    #[inline(always)]
    fn moved(solid: Cone, pose: Option<&Pose>, eye: [f32; 3]) -> Cone {
        Cone { base: from_eye(solid.base, pose, eye), apex: from_eye(solid.apex, pose, eye), ..solid }
    }

    #[inline(always)]
    fn colors(&self) -> &[Srgba8] {
        slice::from_ref(&self.color)
    }

    fn colors_mut(&mut self) -> &mut [Srgba8] {
        slice::from_mut(&mut self.color)
    }

    fn hull(&self) -> [PaintedSphere; 2] {
        let is_empty = self.solid().is_empty();
        let sphere = |center, radius| PaintedSphere { center, radius, color: self.color };
        let [base, apex] = if is_empty { [-1.0; 2] } else { [self.radius, 0.0] };
        [sphere(self.base, base), sphere(self.apex, apex)]
    }
}

impl SolidExtent for Cone {
    #[inline]
    fn around(&self) -> Sphere<3> {
        around_segment([self.base, self.apex], self.radius)
    }

    #[inline]
    fn bounds(&self) -> [[f32; 3]; 2] {
        if self.is_empty() { NO_BOUNDS } else { bounds_of_segment([self.base, self.apex], [self.radius, 0.0]) }
    }

    #[inline]
    fn stand_in(&self) -> Sphere<3> {
        let center = [0, 1, 2].map(|i| self.base[i] + 0.25 * (self.apex[i] - self.base[i]));
        Sphere { center, radius: 0.6 * self.radius }
    }

    #[inline]
    fn radius_across(&self) -> f32 {
        self.radius
    }
}

/// An arrow: a shaft with flat ends, and a head of [`PaintedArrow::HEAD`] times its radius at the tip.
///
/// An arrow that is shorter than its head is drawn as a scaled-down head without a shaft. One without length, or with a
/// negative radius, or a NaN or infinite number, is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PaintedArrow {
    /// The start of the shaft, in world units.
    pub start: [f32; 3],
    /// The vector from the start to the tip.
    pub vector: [f32; 3],
    /// The radius of the shaft.
    pub radius: f32,
    /// Surface colour and opacity.
    pub color: Srgba8,
}

impl PaintedArrow {
    /// Radius of the head, in radii of the shaft.
    pub const HEAD: f32 = 2.0;

    /// Length of the head, in radii of the shaft.
    pub const HEAD_LENGTH: f32 = 5.0;

    /// How far the shaft extends into the head, as a share of the head's length. Coplanar ends would leave it to
    /// rounding which of the two a ray hits first.
    const OVERLAP: f64 = 1.0 / 128.0;

    /// An arrow from `start` to `start + vector`.
    #[must_use]
    pub fn new(start: impl Into<[f32; 3]>, vector: impl Into<[f32; 3]>, radius: f32, color: Srgba8) -> Self {
        Self { start: start.into(), vector: vector.into(), radius, color }
    }

    /// Length of the head as a share of the arrow's length; `None` for an arrow that is not drawn.
    fn head_share(&self) -> Option<f64> {
        let length = DVec3::from(self.vector.map(f64::from)).length();
        let is_drawn = length > 0.0 && length.is_finite() && self.radius > 0.0 && self.radius.is_finite();
        is_drawn.then(|| (f64::from(Self::HEAD_LENGTH * self.radius) / length).min(1.0))
    }

    /// The point at a share of the arrow's length.
    fn at(&self, share: f64) -> [f32; 3] {
        std::array::from_fn(|axis| single(f64::from(self.start[axis]) + f64::from(self.vector[axis]) * share))
    }

    /// The shaft, which ends slightly inside the head; `None` if the arrow is no longer than its head.
    #[must_use]
    pub fn shaft(&self) -> Option<PaintedCylinder> {
        let share = self.head_share().filter(|&share| share < 1.0)?;
        Some(PaintedCylinder::new(self.start, self.at(1.0 - share * (1.0 - Self::OVERLAP)), self.radius, self.color))
    }

    /// The head; `None` for an arrow that is not drawn.
    #[must_use]
    pub fn head(&self) -> Option<PaintedCone> {
        let share = self.head_share()?;
        let length = DVec3::from(self.vector.map(f64::from)).length() * share;
        let radius = single(length / f64::from(Self::HEAD_LENGTH)) * Self::HEAD;
        Some(PaintedCone::new(self.at(1.0 - share), self.at(1.0), radius, self.color))
    }
}
