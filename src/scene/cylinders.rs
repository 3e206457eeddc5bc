//! Cylinders in space: bonds, rods, the shafts of arrows.
//!
//! ```
//! use roundel::cylinders::{Caps, PaintedCylinder};
//! use roundel::spheres::{Camera, SphereScene};
//! use roundel::{RenderSettings, Srgba8, render};
//!
//! // a bond, half grey and half red
//! let bond = PaintedCylinder::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.3, Srgba8::rgb(0x90, 0x90, 0x90))
//!     .with_end_color(Srgba8::rgb(0xff, 0x0d, 0x0d))
//!     .with_caps(Caps::Round);
//! let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48).with_cylinders(vec![bond]);
//! let frame = render(&scene.into(), &RenderSettings::default())?;
//! assert_ne!(frame.pixel(32, 24), Some(Srgba8::WHITE));
//! # Ok::<(), roundel::Error>(())
//! ```

use super::spheres::PaintedSphere;
use crate::color::Srgba8;
pub use crate::geom::Caps;
use crate::geom::Cylinder;

/// A cylinder in one or two colours.
///
/// A cylinder with a negative, NaN or infinite number is not drawn; neither is a flat one without length. A round one
/// without length is a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PaintedCylinder {
    /// One end of the axis, in world units.
    pub start: [f32; 3],
    /// The other end.
    pub end: [f32; 3],
    /// World units.
    pub radius: f32,
    /// How it ends; flat unless another way is named.
    #[cfg_attr(feature = "serde", serde(default))]
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

    /// The same cylinder that ends in another way.
    #[must_use]
    pub fn with_caps(self, caps: Caps) -> Self {
        Self { caps, ..self }
    }

    #[inline(always)]
    pub(crate) fn body(&self) -> Cylinder {
        let Self { start, end, radius, caps, .. } = *self;
        Cylinder { start, end, radius, caps }
    }

    /// Two spheres whose hull contains the cylinder; of a negative radius if there is none.
    pub(crate) fn hull(&self) -> [PaintedSphere; 2] {
        let radius = if self.body().is_empty() { -1.0 } else { self.radius };
        [self.start, self.end].map(|center| PaintedSphere { center, radius, color: self.colors[0] })
    }
}
