//! The rays of a view: the camera's frame, and the origin and unit direction of the ray through any canvas position.
//!
//! The frame is computed in `f64` and rounded once, so that an eye 10³⁰ away is no special case. Rays are `f32` in a
//! fixed order of operations, because every pixel depends on them.

use fearless_simd::{Level, dispatch, f32x8, prelude::*};
use glam::DVec3;

use super::camera::{Projection, View};
use crate::geom::{Ray, single};

/// The rays of a view. All positions that they meet are relative to [`Rays::eye`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rays {
    /// World position of the eye, or of the point that takes its place ([`Rays::advanced`]).
    pub eye: [f32; 3],
    /// Right, up and forward in the picture, unit vectors in world space.
    pub right: [f32; 3],
    pub up: [f32; 3],
    pub forward: [f32; 3],
    /// The same three before they were rounded.
    pub frame: [DVec3; 3],
    /// Half the width and half the height in pixels: the canvas position of the picture's middle.
    pub middle: [f32; 2],
    /// Per pixel: slope against `forward` (perspective) or world units (orthographic).
    pub step: f32,
    /// Whether rays are parallel and start in the plane of the eye.
    pub parallel: bool,
    /// Depths from the eye less depths from [`Rays::eye`]: 0 unless parallel rays were advanced.
    pub advance: f32,
}

/// bound: `orthographic_eyes_may_be_far_away` in tests/pictures/vast_spheres.rs. Depth in pixels up to which `f32`
/// positions relative to the eye are within 2⁻⁷ of a pixel.
const FAR: f64 = 65_536.0;

/// Fields of view are clamped to this range; outside, a picture's size is infinite or 0.
const FOV_RANGE: [f32; 2] = [1e-6, std::f32::consts::PI - 1e-3];

impl Rays {
    /// The rays of `view`.
    ///
    /// Degenerate cameras get defaults: eye = target looks along −z, an `up` along the line of sight is replaced by an
    /// axis that is not, and a field of view out of range is clamped.
    pub fn new(view: &View) -> Self {
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
        let rounded = |v: DVec3| v.as_vec3().to_array();
        let (extent, parallel) = match camera.projection {
            Projection::Perspective { fov_y_radians } => {
                let fov =
                    if fov_y_radians.is_nan() { FOV_RANGE[0] } else { fov_y_radians.clamp(FOV_RANGE[0], FOV_RANGE[1]) };
                (2.0 * libm::tan(f64::from(fov) * 0.5), false)
            }
            Projection::Orthographic { height } => (f64::from(height.max(f32::MIN_POSITIVE)), true),
        };
        Self {
            eye: camera.eye.to_array(),
            right: rounded(right),
            up: rounded(up),
            forward: rounded(forward),
            frame: [right, up, forward],
            middle: [view.width, view.height].map(|side| single(f64::from(side) * 0.5)),
            step: single(extent / f64::from(view.height)),
            parallel,
            advance: 0.0,
        }
    }

    /// The depth of a point in world coordinates.
    #[doc(hidden)]
    pub fn depth(&self, point: [f32; 3]) -> f64 {
        let exact = |point: [f32; 3]| DVec3::from(point.map(f64::from));
        self.frame[2].dot(exact(point) - exact(self.eye))
    }

    /// Whether positions at this depth lose parts of a pixel that rays from another plane would keep.
    #[doc(hidden)]
    pub fn is_far(&self, depth: f64) -> bool {
        self.parallel && depth > FAR * f64::from(self.step)
    }

    /// The same parallel rays from a plane in front of all shapes, the nearest of which is at this depth. Rays are
    /// moved along themselves, before positions are rounded; nothing that they meet changes but its depth.
    #[doc(hidden)]
    pub fn advanced(self, nearest: f64) -> Self {
        if !(nearest.is_finite() && self.is_far(nearest)) {
            return self;
        }
        let height = f64::from(self.step) * 2.0 * f64::from(self.middle[1]);
        // depths are sums of rounded products
        let advance = nearest - height.max(nearest * f64::from(f32::EPSILON) * 8.0);
        let eye = DVec3::from(self.eye.map(f64::from)) + self.frame[2] * advance;
        Self { eye: eye.as_vec3().to_array(), advance: single(advance), ..self }
    }

    /// The same rays, addressed by the canvas positions of blocks of 2 × 2 pixels. Halving and doubling are exact.
    pub fn of_blocks(&self) -> Self {
        Self { middle: self.middle.map(|middle| middle * 0.5), step: self.step * 2.0, ..*self }
    }

    /// Unit directions of the rays through eight canvas positions.
    #[inline(always)]
    pub fn directions<S: Simd>(&self, x: f32x8<S>, y: f32x8<S>) -> [f32x8<S>; 3] {
        let simd = x.token();
        let [fx, fy, fz] = self.forward;
        if self.parallel {
            return [f32x8::splat(simd, fx), f32x8::splat(simd, fy), f32x8::splat(simd, fz)];
        }
        let [h, v] = self.across(x, y);
        let dx = (h * self.right[0] + fx) + v * self.up[0];
        let dy = (h * self.right[1] + fy) + v * self.up[1];
        let dz = (h * self.right[2] + fz) + v * self.up[2];
        let inverse = f32x8::splat(simd, 1.0) / ((dx * dx + dy * dy) + dz * dz).sqrt();
        [dx * inverse, dy * inverse, dz * inverse]
    }

    /// Origins of the rays through eight canvas positions, relative to the eye.
    #[inline(always)]
    pub fn starts<S: Simd>(&self, x: f32x8<S>, y: f32x8<S>) -> [f32x8<S>; 3] {
        if !self.parallel {
            return [f32x8::splat(x.token(), 0.0); 3];
        }
        let [h, v] = self.across(x, y);
        [h * self.right[0] + v * self.up[0], h * self.right[1] + v * self.up[1], h * self.right[2] + v * self.up[2]]
    }

    /// Canvas positions as coordinates in the picture's plane: slopes against `forward`, or world units for parallel
    /// rays.
    #[inline(always)]
    fn across<S: Simd>(&self, x: f32x8<S>, y: f32x8<S>) -> [f32x8<S>; 2] {
        [(x - self.middle[0]) * self.step, (-(y - self.middle[1])) * self.step]
    }

    /// The ray through one canvas position: origin relative to the eye, and unit direction.
    pub fn ray(&self, x: f32, y: f32) -> [[f32; 3]; 2] {
        // uses the lane kernels, so that the formulas exist only once
        dispatch!(Level::baseline(), simd => {
            let [x, y] = [f32x8::splat(simd, x), f32x8::splat(simd, y)];
            [self.starts(x, y), self.directions(x, y)].map(|axes| axes.map(|lanes| lanes.to_array()[0]))
        })
    }
}

impl View {
    /// The ray through a canvas position: pixel (i, j) has its centre at (i + ½, j + ½).
    ///
    /// This is the ray that the renderer traces, for picking and for tests. In an orthographic view it starts in the
    /// plane of the eye.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::spheres::{Camera, View};
    ///
    /// let view = View::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 640, 480);
    /// assert_eq!(view.ray(320.0, 240.0).direction, [0.0, 0.0, -1.0]);
    /// assert!(view.ray(320.0, 0.0).direction[1] > 0.0, "the canvas's top is up");
    /// ```
    #[must_use]
    pub fn ray(&self, x: f32, y: f32) -> Ray<3> {
        let rays = Rays::new(self);
        let [start, direction] = rays.ray(x, y);
        Ray { origin: std::array::from_fn(|axis| rays.eye[axis] + start[axis]), direction }
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
    use crate::scene::spheres::{Background, Camera};

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
        assert_eq!(rays.ray(32.0, 24.0)[1], [0.0, 0.0, -1.0]);
        assert!(rays.ray(33.0, 24.0)[1][0] > 0.0, "x grows to the right");
        assert!(rays.ray(32.0, 23.0)[1][1] > 0.0, "y grows downwards on the canvas");
    }
}
