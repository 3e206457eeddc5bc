//! Cylinders in space: bonds, rods, the shafts of arrows.

use super::placed_list::{NO_BOUNDS, Placeable, SolidExtent, around_segment, bounds_of_segment, from_eye};
use super::spheres::{PaintedSphere, Pose};
use crate::color::Srgba8;
pub use crate::geom::Caps;
use crate::geom::{Cylinder, Sphere};
use crate::lanes::{dot, norm, point_at, sub};

/// A cylinder in one or two colours.
///
/// A cylinder with a negative radius, or a NaN or infinite number, is not drawn; neither is a flat one without length.
/// A round one without length is a sphere.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PaintedCylinder {
    /// One end of the axis, in world units.
    pub start: [f32; 3],
    /// The other end.
    pub end: [f32; 3],
    /// World units.
    pub radius: f32,
    /// How it ends; flat by default.
    #[serde(default)]
    pub caps: Caps,
    /// The colours and opacities of the half at `start` and of the half at `end`.
    pub colors: [Srgba8; 2],
}

impl PaintedCylinder {
    /// A flat cylinder in one colour.
    #[must_use]
    pub fn new(start: impl Into<[f32; 3]>, end: impl Into<[f32; 3]>, radius: f32, color: Srgba8) -> Self {
        Self { start: start.into(), end: end.into(), radius, caps: Caps::Flat, colors: [color; 2] }
    }

    /// The same cylinder with another colour for the half at `end`.
    #[must_use]
    pub fn with_end_color(self, color: Srgba8) -> Self {
        Self { colors: [self.colors[0], color], ..self }
    }

    /// The same cylinder with other caps.
    #[must_use]
    pub fn with_caps(self, caps: Caps) -> Self {
        Self { caps, ..self }
    }
}

impl Placeable for PaintedCylinder {
    type Solid = Cylinder;

    const INDICES: u32 = 2;

    #[inline(always)]
    fn solid(&self) -> Cylinder {
        let Self { start, end, radius, caps, .. } = *self;
        Cylinder { start, end, radius, caps }
    }

    #[inline(always)]
    fn moved(solid: Cylinder, pose: Option<&Pose>, eye: [f32; 3]) -> Cylinder {
        Cylinder { start: from_eye(solid.start, pose, eye), end: from_eye(solid.end, pose, eye), ..solid }
    }

    #[inline(always)]
    fn colors(&self) -> &[Srgba8] {
        &self.colors
    }

    fn colors_mut(&mut self) -> &mut [Srgba8] {
        &mut self.colors
    }

    fn alpha_at(&self, point: [f32; 3]) -> u8 {
        let [to_start, to_end] = [self.start, self.end].map(|end| sub(point, end));
        self.colors[usize::from(dot(to_end, to_end) < dot(to_start, to_start))].a
    }

    fn hull(&self) -> [PaintedSphere; 2] {
        let radius = if self.solid().is_empty() { -1.0 } else { self.radius };
        [self.start, self.end].map(|center| PaintedSphere { center, radius, color: self.colors[0] })
    }
}

impl SolidExtent for Cylinder {
    #[inline]
    fn around(&self) -> Sphere<3> {
        around_segment([self.start, self.end], self.radius)
    }

    #[inline]
    fn bounds(&self) -> [[f32; 3]; 2] {
        if self.is_empty() { NO_BOUNDS } else { bounds_of_segment([self.start, self.end], [self.radius; 2]) }
    }

    /// A chain of spheres along the axis, inside the cylinder, without its round ends. Spheres that touch have the area of
    /// the cylinder's outline, over all directions.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a few")]
    #[inline]
    fn stand_ins(&self, spheres: &mut Vec<Sphere<3>>) {
        /// The most spheres.
        const MOST: f32 = 64.0;
        if self.is_empty() {
            return;
        }
        let Self { start, end, radius, caps } = *self;
        let axis = sub(end, start);
        let length = norm(axis);
        // the place of the first centre, as a share of the length
        let (radius, count, first) = match caps {
            Caps::Round => {
                let count = (length / (2.0 * radius)).round().min(MOST);
                (radius, count, 0.5 / count)
            }
            Caps::Flat => {
                let radius = radius.min(0.5 * length);
                (radius, (length / (2.0 * radius)).ceil().min(MOST), radius / length)
            }
        };
        for step in 0..count as u32 {
            let place = first + (1.0 - 2.0 * first) * (step as f32 / (count - 1.0).max(1.0));
            spheres.push(Sphere { center: point_at(start, axis, place), radius: radius * 0.98 });
        }
    }

    #[inline]
    fn radius_across(&self) -> f32 {
        self.radius
    }
}
