//! From a view to its rays: the camera's frame, and the origin and unit direction of the ray through any canvas position.
//!
//! The frame is worked out in `f64` and rounded once, so that an eye 10³⁰ away is no special case. Rays are
//! `f32` in a fixed order of operations: they are part of what a picture means.

use glam::DVec3;

use super::spheres::{Projection, View};

/// The rays of a view. All positions are relative to [`Rays::eye`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rays {
    /// World position of the eye.
    pub eye: [f32; 3],
    /// Right, up and forward in the picture, unit vectors in world space.
    pub right: [f32; 3],
    pub up: [f32; 3],
    pub forward: [f32; 3],
    /// Half the width and half the height in pixels: the canvas position of the picture's middle.
    pub middle: [f32; 2],
    /// Per pixel: slope against `forward` (perspective) or world units (orthographic).
    pub step: f32,
    /// Whether rays are parallel and start in the plane of the eye.
    pub parallel: bool,
}

/// Fields of view are taken into this range: beyond it a picture has no finite size, or no size at all.
const FOV_RANGE: [f32; 2] = [1e-6, 3.1415];

impl Rays {
    /// The rays of `view`.
    ///
    /// A camera that names no direction still has one: eye = target looks along −z, an `up` along the line of
    /// sight gives way to the axis farthest from it, and a field of view out of range is taken to its nearest end.
    #[expect(clippy::cast_possible_truncation, reason = "unit vectors and lengths, rounded once from f64 on purpose")]
    pub(crate) fn new(view: &View) -> Self {
        let camera = &view.camera;
        let unit = |v: DVec3| v.is_finite().then(|| scaled_down(v)).and_then(DVec3::try_normalize);
        let forward = unit(camera.target.as_dvec3() - camera.eye.as_dvec3()).unwrap_or(DVec3::NEG_Z);
        let across = |up: DVec3| {
            let right = forward.cross(up);
            (right.length_squared() > 1e-12).then(|| right.normalize())
        };
        let fallback = if forward.y.abs() < 0.9 { DVec3::Y } else { DVec3::NEG_Z };
        let right = unit(camera.up.as_dvec3())
            .and_then(across)
            .or_else(|| across(fallback))
            .expect("an axis that is not along the line of sight has a direction across it");
        let up = right.cross(forward);
        let rounded = |v: DVec3| [v.x as f32, v.y as f32, v.z as f32];
        let (extent, parallel) = match camera.projection {
            Projection::Perspective { fov_y_radians } => {
                let fov = fov_y_radians.max(FOV_RANGE[0]).min(FOV_RANGE[1]);
                (2.0 * libm::tan(f64::from(fov) * 0.5), false)
            }
            Projection::Orthographic { height } => (f64::from(height.max(f32::MIN_POSITIVE)), true),
        };
        Self {
            eye: camera.eye.to_array(),
            right: rounded(right),
            up: rounded(up),
            forward: rounded(forward),
            middle: [(f64::from(view.width) * 0.5) as f32, (f64::from(view.height) * 0.5) as f32],
            step: (extent / f64::from(view.height)) as f32,
            parallel,
        }
    }

    /// The point of the picture's plane under a canvas position, relative to the eye: the direction before it
    /// has unit length (perspective), or where a parallel ray starts, less `forward` (orthographic).
    #[inline(always)]
    fn across(&self, x: f32, y: f32) -> [f32; 2] {
        [(x - self.middle[0]) * self.step, (self.middle[1] - y) * self.step]
    }

    /// Unit direction of the ray through a canvas position.
    #[inline(always)]
    pub(crate) fn direction(&self, x: f32, y: f32) -> [f32; 3] {
        if self.parallel {
            return self.forward;
        }
        let [h, v] = self.across(x, y);
        let d: [f32; 3] = std::array::from_fn(|i| (self.forward[i] + self.right[i] * h) + self.up[i] * v);
        let inverse = 1.0 / ((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]).sqrt();
        d.map(|component| component * inverse)
    }

    /// Where the ray through a canvas position starts, relative to the eye.
    #[inline(always)]
    pub(crate) fn start(&self, x: f32, y: f32) -> [f32; 3] {
        if !self.parallel {
            return [0.0; 3];
        }
        let [h, v] = self.across(x, y);
        std::array::from_fn(|i| self.right[i] * h + self.up[i] * v)
    }
}

/// The vector divided by its largest component, so that its square neither overflows nor underflows.
fn scaled_down(v: DVec3) -> DVec3 {
    v / v.abs().max_element()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::color::Srgba8;
    use crate::scene::{Background, Camera};

    fn view(eye: Vec3, target: Vec3, up: Vec3) -> View {
        let projection = Projection::Perspective { fov_y_radians: 1.0 };
        let camera = Camera { eye, target, up, projection };
        View { width: 64, height: 48, background: Background::Solid(Srgba8::WHITE), camera }
    }

    #[test]
    fn camera_without_a_direction_still_has_a_frame() {
        let cases = [
            view(Vec3::ONE, Vec3::ONE, Vec3::Y),
            view(Vec3::ZERO, Vec3::Y, Vec3::Y),
            view(Vec3::ZERO, Vec3::Z, Vec3::ZERO),
            view(Vec3::ZERO, Vec3::Z, Vec3::NAN),
            view(Vec3::splat(-1e30), Vec3::splat(1e30), Vec3::splat(1e38)),
            view(Vec3::ZERO, Vec3::splat(1e-38), Vec3::Y),
        ];
        for case in cases {
            let rays = Rays::new(&case);
            for axis in [rays.right, rays.up, rays.forward] {
                let length = Vec3::from(axis).length();
                assert!((length - 1.0).abs() < 1e-6, "{case:?}: {axis:?}");
            }
            assert!(Vec3::from(rays.right).dot(Vec3::from(rays.forward)).abs() < 1e-6, "{case:?}");
        }
    }

    #[test]
    fn ray_through_the_middle_is_the_line_of_sight() {
        let rays = Rays::new(&view(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, Vec3::Y));
        assert_eq!(rays.direction(32.0, 24.0), [0.0, 0.0, -1.0]);
        assert!(rays.direction(33.0, 24.0)[0] > 0.0, "x grows to the right");
        assert!(rays.direction(32.0, 23.0)[1] > 0.0, "y grows downwards on the canvas");
    }
}
