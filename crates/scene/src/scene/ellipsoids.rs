//! Ellipsoids in any orientation: thermal ellipsoids, grains, galaxies.

use std::ops::{Add, Div, Mul, Sub};
use std::slice;

use fearless_simd::{f64x8, prelude::*};
use glam::Quat;

use super::placed_list::{NO_BOUNDS, Placeable, SolidExtent, from_eye};
use super::spheres::{PaintedSphere, Pose};
use crate::color::Srgba8;
use crate::geom::{Sphere, TurnedEllipsoid, single};
use crate::lanes::LANES;

/// An ellipsoid in one colour, 48 bytes.
///
/// One radius of 0 makes a disc. An ellipsoid with a negative radius, or a NaN or infinite number, is not drawn;
/// neither is one with two radii of 0, or with a rotation of length 0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PaintedEllipsoid {
    /// World units.
    pub center: [f32; 3],
    /// Half the lengths of its axes, in world units.
    pub radii: [f32; 3],
    /// The rotation from the x, y and z axes to the ellipsoid's own axes: a quaternion x, y, z, w of any length but 0.
    #[serde(default = "unturned")]
    pub rotation: [f32; 4],
    /// Surface colour and opacity.
    pub color: Srgba8,
}

/// The quaternion of no rotation.
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

    /// The same ellipsoid with another rotation: a quaternion x, y, z, w.
    #[must_use]
    pub fn with_rotation(self, rotation: impl Into<[f32; 4]>) -> Self {
        Self { rotation: rotation.into(), ..self }
    }

    /// The quaternion of the ellipsoid in a pose.
    #[doc(hidden)]
    pub fn rotation_in(&self, pose: &Pose) -> [f32; 4] {
        if *pose == Pose::IDENTITY {
            return self.rotation;
        }
        // an ellipsoid is its own mirror image through its centre
        let turn = if pose.rotation.determinant() < 0.0 { -pose.rotation } else { pose.rotation };
        (Quat::from_mat3(&turn) * Quat::from_array(self.rotation)).to_array()
    }

    /// The directions of the axes; NaN if the rotation has no direction.
    fn axes(&self) -> [[f32; 3]; 3] {
        axes_of(self.rotation.map(f64::from), 1.0).map(|axis| axis.map(single))
    }
}

impl Placeable for PaintedEllipsoid {
    type Solid = TurnedEllipsoid;

    const INDICES: u32 = 1;

    #[inline(always)]
    fn solid(&self) -> TurnedEllipsoid {
        let axes = if self.rotation == Self::UNTURNED { TurnedEllipsoid::UNIT.axes } else { self.axes() };
        TurnedEllipsoid { center: self.center, radii: self.radii, axes }
    }

    /// Eight quaternions in lanes.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "unit vectors, rounded once from f64 on purpose")]
    fn solids<S: Simd>(simd: S, shapes: [&Self; LANES]) -> [TurnedEllipsoid; LANES] {
        let mut rows = [[0.0; LANES]; 4];
        for (lane, shape) in shapes.iter().enumerate() {
            for (row, number) in rows.iter_mut().zip(shape.rotation) {
                row[lane] = f64::from(number);
            }
        }
        let [x, y, z, w] = &rows;
        let load = |row| f64x8::load_array_ref(simd, row);
        let axes = axes_of([load(x), load(y), load(z), load(w)], f64x8::splat(simd, 1.0));
        let mut along = [[[0.0; LANES]; 3]; 3];
        for (along, axis) in along.iter_mut().zip(axes) {
            for (along, lanes) in along.iter_mut().zip(axis) {
                lanes.store_array(along);
            }
        }
        let mut solids = [TurnedEllipsoid::UNIT; LANES];
        for (lane, (solid, shape)) in solids.iter_mut().zip(shapes).enumerate() {
            (solid.center, solid.radii) = (shape.center, shape.radii);
            for (axis, along) in solid.axes.iter_mut().zip(&along) {
                for (to, from) in axis.iter_mut().zip(along) {
                    *to = from[lane] as f32;
                }
            }
        }
        solids
    }

    #[inline(always)]
    fn moved(solid: TurnedEllipsoid, pose: Option<&Pose>, eye: [f32; 3]) -> TurnedEllipsoid {
        let turned = |pose: &Pose, axis: [f32; 3]| (pose.rotation * glam::Vec3::from(axis)).to_array();
        let axes = pose.map_or(solid.axes, |pose| solid.axes.map(|axis| turned(pose, axis)));
        TurnedEllipsoid { center: from_eye(solid.center, pose, eye), axes, ..solid }
    }

    #[inline(always)]
    fn colors(&self) -> &[Srgba8] {
        slice::from_ref(&self.color)
    }

    fn colors_mut(&mut self) -> &mut [Srgba8] {
        slice::from_mut(&mut self.color)
    }

    /// The bounding sphere, and a second one that is not drawn.
    fn hull(&self) -> [PaintedSphere; 2] {
        let solid = self.solid();
        let radius = if solid.is_empty() { -1.0 } else { solid.longest() };
        [radius, -1.0].map(|radius| PaintedSphere { center: self.center, radius, color: self.color })
    }
}

impl SolidExtent for TurnedEllipsoid {
    #[inline]
    fn around(&self) -> Sphere<3> {
        Sphere { center: self.center, radius: self.longest() }
    }

    #[inline]
    fn bounds(&self) -> [[f32; 3]; 2] {
        if self.is_empty() {
            return NO_BOUNDS;
        }
        let Self { center, radii, axes } = self;
        let reach = [0, 1, 2].map(|i| {
            let along = [0, 1, 2].map(|one| axes[one][i] * radii[one]);
            ((along[0] * along[0] + along[1] * along[1]) + along[2] * along[2]).sqrt() * 1.000_01
        });
        [[0, 1, 2].map(|i| center[i] - reach[i]), [0, 1, 2].map(|i| center[i] + reach[i])]
    }

    /// The sphere of the same volume.
    #[inline]
    fn stand_in(&self) -> Sphere<3> {
        let [a, b, c] = self.radii;
        Sphere { center: self.center, radius: libm::cbrtf(a * b * c) }
    }

    #[inline]
    fn radius_across(&self) -> f32 {
        self.longest()
    }
}

/// The x, y and z axes rotated by a quaternion of any length; NaN if its length is 0. `T` is a number, or a lane of
/// numbers for several quaternions.
#[inline(always)]
fn axes_of<T>([x, y, z, w]: [T; 4], one: T) -> [[T; 3]; 3]
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    let twice = (one + one) / (x * x + y * y + (z * z + w * w));
    let [xx, yy, zz] = [x * x * twice, y * y * twice, z * z * twice];
    let [xy, yz, zx] = [x * y * twice, y * z * twice, z * x * twice];
    let [wx, wy, wz] = [w * x * twice, w * y * twice, w * z * twice];
    [[one - (yy + zz), xy + wz, zx - wy], [xy - wz, one - (zz + xx), yz + wx], [zx + wy, yz - wx, one - (xx + yy)]]
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;

    #[test]
    fn solids_in_lanes_are_those_of_single_ellipsoids() {
        let rotations = [
            PaintedEllipsoid::UNTURNED,
            [0.0; 4],
            [f32::NAN, 0.0, 0.0, 1.0],
            [0.5, -0.5, 0.5, 0.5],
            [0.1, 0.7, -0.3, 0.2],
            [-3e19, 2e19, 1e19, 4e19],
            [1e-30, 2e-30, 0.0, -3e-30],
            [f32::INFINITY, 0.0, 0.0, 0.0],
        ];
        let shapes = rotations.map(|rotation| {
            PaintedEllipsoid::new([1.0, 2.0, 3.0], [0.5, 0.4, 0.3], Srgba8::WHITE).with_rotation(rotation)
        });
        let solids = dispatch!(Level::new(), simd => PaintedEllipsoid::solids(simd, shapes.each_ref()));
        let bits = |solid: &TurnedEllipsoid| solid.axes.as_flattened().iter().map(|along| along.to_bits()).collect();
        for (shape, solid) in shapes.iter().zip(&solids) {
            let alone = shape.solid();
            let [one, lane]: [Vec<u32>; 2] = [&alone, solid].map(bits);
            assert!(one == lane || alone.axes.as_flattened().iter().any(|along| along.is_nan()), "{shape:?}");
            assert_eq!((alone.center, alone.radii, alone.is_empty()), (solid.center, solid.radii, solid.is_empty()));
        }
    }
}
