//! Ellipsoids in any orientation: thermal ellipsoids, grains, galaxies.
//!
//! ```
//! use roundel::ellipsoids::PaintedEllipsoid;
//! use roundel::glam::Quat;
//! use roundel::spheres::{Camera, SphereScene};
//! use roundel::{RenderSettings, Srgba8, render};
//!
//! let grain = PaintedEllipsoid::new([0.0; 3], [1.0, 0.5, 0.3], Srgba8::rgb(0x44, 0x77, 0xaa))
//!     .with_rotation(Quat::from_xyzw(0.0, 0.0, 0.6, 0.8));
//! let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48).with_ellipsoids(vec![grain]);
//! let frame = render(&scene.into(), &RenderSettings::default())?;
//! assert_ne!(frame.pixel(32, 24), Some(Srgba8::WHITE));
//! # Ok::<(), roundel::Error>(())
//! ```

use super::spheres::PaintedSphere;
use crate::color::Srgba8;
use crate::geom::TurnedEllipsoid;

/// An ellipsoid in one colour, 48 bytes.
///
/// One radius of 0 makes a disc. An ellipsoid with a negative, NaN or infinite number is not drawn; neither is one with
/// two radii of 0, or with a rotation of length 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PaintedEllipsoid {
    /// World units.
    pub center: [f32; 3],
    /// Half the lengths of its axes, in world units.
    pub radii: [f32; 3],
    /// The rotation that turns its axes from x, y and z to where they are: a quaternion x, y, z, w of any length but 0.
    #[cfg_attr(feature = "serde", serde(default = "unturned"))]
    pub rotation: [f32; 4],
    /// Surface colour and opacity.
    pub color: Srgba8,
}

/// The quaternion of no rotation.
#[cfg(feature = "serde")]
fn unturned() -> [f32; 4] {
    PaintedEllipsoid::UNTURNED
}

impl PaintedEllipsoid {
    /// The quaternion of no rotation.
    pub const UNTURNED: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

    /// An ellipsoid along the axes of the world.
    #[must_use]
    pub fn new(center: impl Into<[f32; 3]>, radii: impl Into<[f32; 3]>, color: Srgba8) -> Self {
        Self { center: center.into(), radii: radii.into(), rotation: Self::UNTURNED, color }
    }

    /// The same ellipsoid turned from the axes of the world: a quaternion x, y, z, w.
    #[must_use]
    pub fn with_rotation(self, rotation: impl Into<[f32; 4]>) -> Self {
        Self { rotation: rotation.into(), ..self }
    }

    #[inline(always)]
    pub(crate) fn body(&self) -> TurnedEllipsoid {
        let axes = if self.rotation == Self::UNTURNED { TurnedEllipsoid::UNIT.axes } else { self.axes() };
        TurnedEllipsoid { center: self.center, radii: self.radii, axes }
    }

    /// The directions of the axes; NaN if the rotation has no direction.
    #[expect(clippy::cast_possible_truncation, reason = "unit vectors, rounded once from f64 on purpose")]
    fn axes(&self) -> [[f32; 3]; 3] {
        let [x, y, z, w] = self.rotation.map(f64::from);
        // of a quaternion of any length
        let twice = 2.0 / (x * x + y * y + (z * z + w * w));
        let [xx, yy, zz] = [x * x * twice, y * y * twice, z * z * twice];
        let [xy, yz, zx] = [x * y * twice, y * z * twice, z * x * twice];
        let [wx, wy, wz] = [w * x * twice, w * y * twice, w * z * twice];
        [
            [(1.0 - (yy + zz)) as f32, (xy + wz) as f32, (zx - wy) as f32],
            [(xy - wz) as f32, (1.0 - (zz + xx)) as f32, (yz + wx) as f32],
            [(zx + wy) as f32, (yz - wx) as f32, (1.0 - (xx + yy)) as f32],
        ]
    }

    /// A sphere that contains the ellipsoid; of a negative radius if there is none.
    pub(crate) fn hull(&self) -> [PaintedSphere; 1] {
        let body = self.body();
        let radius = if body.is_empty() { -1.0 } else { body.longest() };
        [PaintedSphere { center: self.center, radius, color: self.color }]
    }
}
