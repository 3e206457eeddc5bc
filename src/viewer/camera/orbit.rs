//! The camera around spheres: a turntable around a target.
//!
//! Two angles give the eye's direction, so that a closed path of the mouse ends where it began and the horizon never
//! tilts; the second angle stops at the poles, so that nothing flips. An untouched camera is exactly the loaded one.
//! Lengths and angles are `f64`, rounded once in [`OrbitCamera::camera`].

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec2, DVec3};

use crate::geom::single;
use crate::scene::spheres::{Camera, Projection};

/// Field of view when a scene that was loaded with parallel rays switches to perspective: 30°.
const PERSPECTIVE_FOV: f64 = PI / 6.0;

/// Range of the distance from eye to target, in radii of the whole scene: close enough to fill the window with one atom
/// in 10⁸, far enough for the scene to shrink to a pixel, and well within the precision of `f32`.
const DISTANCE_RANGE: [f64; 2] = [1e-5, 1e4];

/// A sphere around everything that is drawn, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::viewer) struct BoundingSphere {
    pub(in crate::viewer) center: DVec3,
    pub(in crate::viewer) radius: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::viewer) enum AxisView {
    Front,
    Right,
    Top,
    /// The opposite of the current direction.
    Opposite,
}

/// A camera that orbits around a target.
#[derive(Clone, Debug)]
pub(in crate::viewer) struct OrbitCamera {
    home: Camera,
    /// Whether the camera is still at `home`.
    untouched: bool,
    bounds: BoundingSphere,
    /// The turntable's directions right, up and front; `yaw` counts from the front.
    axes: [DVec3; 3],
    pub(super) position: OrbitPosition,
    fov_y_radians: f64,
    orthographic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::viewer) struct OrbitPosition {
    target: DVec3,
    /// Radians around the up axis, 0 at the front.
    yaw: f64,
    /// Radians above the horizon, −π/2 to π/2.
    pitch: f64,
    /// From the target to the eye; with parallel rays, to where an eye in perspective would show the same height.
    distance: f64,
}

impl OrbitCamera {
    pub(super) fn new(home: Camera, bounds: BoundingSphere) -> Self {
        let up = home.up.as_dvec3().normalize_or(DVec3::Y);
        // the front of a scene with z up faces −y, of any other +z
        let front = if up.z.abs() > 0.9 { DVec3::NEG_Y } else { DVec3::Z };
        let front = (front - up * front.dot(up)).normalize();
        let mut camera = Self {
            home,
            untouched: true,
            bounds,
            axes: [up.cross(front), up, front],
            position: OrbitPosition { target: DVec3::ZERO, yaw: 0.0, pitch: 0.0, distance: 1.0 },
            fov_y_radians: PERSPECTIVE_FOV,
            orthographic: false,
        };
        camera.reset();
        camera
    }

    pub(super) fn reset(&mut self) {
        self.untouched = true;
        let target = self.home.target.as_dvec3();
        let toward_eye = self.home.eye.as_dvec3() - target;
        let [right, up, front] = self.axes.map(|axis| axis.dot(toward_eye.normalize_or(DVec3::Z)));
        let distance = match self.home.projection {
            Projection::Perspective { fov_y_radians } => {
                (self.fov_y_radians, self.orthographic) = (f64::from(fov_y_radians), false);
                toward_eye.length()
            }
            Projection::Orthographic { height } => {
                (self.fov_y_radians, self.orthographic) = (PERSPECTIVE_FOV, true);
                0.5 * f64::from(height) / libm::tan(0.5 * PERSPECTIVE_FOV)
            }
        };
        let yaw = if right == 0.0 && front == 0.0 { 0.0 } else { libm::atan2(right, front) };
        self.position = OrbitPosition { target, yaw, pitch: libm::asin(up.clamp(-1.0, 1.0)), distance };
    }

    /// Takes over the camera and bounds of another scene. A camera that the user has moved stays where it is.
    pub(super) fn set_home(&mut self, home: Camera, bounds: BoundingSphere) {
        if self.untouched {
            *self = Self::new(home, bounds);
        } else {
            (self.home, self.bounds) = (home, bounds);
        }
    }

    pub(super) fn camera(&self) -> Camera {
        if self.untouched {
            return self.home;
        }
        let [_, up, toward_eye] = self.view_axes();
        let OrbitPosition { target, distance, .. } = self.position;
        let (distance, projection) = if self.orthographic {
            // parallel rays start in the plane of the eye, which must not cut through the scene
            let clear = (self.bounds.center - target).dot(toward_eye) + 1.1 * self.bounds.radius;
            (distance.max(clear), Projection::Orthographic { height: single(self.height()) })
        } else {
            (distance, Projection::Perspective { fov_y_radians: single(self.fov_y_radians) })
        };
        let mut camera = Camera::look_at((target + distance * toward_eye).as_vec3(), target.as_vec3());
        (camera.up, camera.projection) = (up.as_vec3(), projection);
        camera
    }

    /// Returns the height of the picture at the target, in world units.
    pub(super) fn height(&self) -> f64 {
        2.0 * self.position.distance * libm::tan(0.5 * self.fov_y_radians)
    }

    /// Orbits by a drag since `start`, in window heights, x to the right and y down. A height is half a turn.
    pub(super) fn orbit(&mut self, start: &OrbitPosition, drag: DVec2) {
        self.untouched = false;
        self.position.yaw = (start.yaw - PI * drag.x) % (2.0 * PI);
        self.position.pitch = (start.pitch + PI * drag.y).clamp(-FRAC_PI_2, FRAC_PI_2);
    }

    /// Pans by a drag since `start`, in window heights. A point at the target's distance follows the mouse.
    pub(super) fn pan(&mut self, start: &OrbitPosition, drag: DVec2) {
        self.untouched = false;
        let [right, up, _] = self.view_axes();
        self.position.target = start.target + self.height() * (up * drag.y - right * drag.x);
    }

    /// Divides the distance by `factor`. The point at the target's distance under `cursor` stays in place; `cursor` is
    /// in window heights from the window's centre, x to the right and y down.
    pub(super) fn zoom(&mut self, factor: f64, cursor: DVec2) {
        self.untouched = false;
        let [right, up, _] = self.view_axes();
        let under = self.height() * (right * cursor.x - up * cursor.y);
        let before = self.position.distance;
        let [min, max] = DISTANCE_RANGE.map(|radii| radii * self.bounds.radius);
        self.position.distance = (before / factor).clamp(min.min(before), max.max(before));
        self.position.target += under * (1.0 - self.position.distance / before);
    }

    /// Looks at the same target from another direction.
    pub(in crate::viewer) fn look_from(&mut self, side: AxisView) {
        self.untouched = false;
        (self.position.yaw, self.position.pitch) = match side {
            AxisView::Front => (0.0, 0.0),
            AxisView::Right => (FRAC_PI_2, 0.0),
            AxisView::Top => (0.0, FRAC_PI_2),
            AxisView::Opposite => (self.position.yaw + PI, -self.position.pitch),
        };
    }

    /// Switches between perspective and parallel rays. Points at the target's distance keep their size.
    pub(in crate::viewer) fn toggle_orthographic(&mut self) {
        self.untouched = false;
        self.orthographic = !self.orthographic;
    }

    /// Moves the target to a point, and the eye with it.
    pub(in crate::viewer) fn center_on(&mut self, point: DVec3) {
        self.untouched = false;
        self.position.target = point;
    }

    /// Fits the whole scene into a window of this aspect ratio, seen from the current direction.
    pub(super) fn fit(&mut self, aspect: f64) {
        self.untouched = false;
        self.position.target = self.bounds.center;
        let half_y = 0.5 * self.fov_y_radians;
        let half = half_y.min(libm::atan(libm::tan(half_y) * aspect));
        self.position.distance = self.bounds.radius / libm::sin(half);
    }

    /// Returns the picture's directions: right, up and toward the eye.
    fn view_axes(&self) -> [DVec3; 3] {
        let [right, up, front] = self.axes;
        let (yaw_sin, yaw_cos) = libm::sincos(self.position.yaw);
        let (pitch_sin, pitch_cos) = libm::sincos(self.position.pitch);
        let level = yaw_cos * front + yaw_sin * right;
        [yaw_cos * right - yaw_sin * front, pitch_cos * up - pitch_sin * level, pitch_cos * level + pitch_sin * up]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn home() -> Camera {
        Camera::look_at(Vec3::new(3.0, 2.0, 9.0), Vec3::new(1.0, 0.5, -1.0))
            .with_projection(Projection::Perspective { fov_y_radians: 0.6 })
    }

    fn orbit_camera() -> OrbitCamera {
        OrbitCamera::new(home(), BoundingSphere { center: DVec3::ZERO, radius: 4.0 })
    }

    /// Projects a world point to picture heights from the centre, x to the right and y down.
    fn project(camera: &Camera, point: DVec3) -> DVec2 {
        let back = (camera.eye - camera.target).as_dvec3().normalize();
        let right = camera.up.as_dvec3().cross(back).normalize();
        let offset = point - camera.eye.as_dvec3();
        let height = match camera.projection {
            Projection::Perspective { fov_y_radians } => {
                2.0 * -offset.dot(back) * libm::tan(0.5 * f64::from(fov_y_radians))
            }
            Projection::Orthographic { height } => f64::from(height),
        };
        DVec2::new(offset.dot(right), -offset.dot(back.cross(right))) / height
    }

    #[test]
    fn untouched_camera_is_the_loaded_one() {
        let mut orbit = orbit_camera();
        assert_eq!(orbit.camera(), home());
        let start = orbit.position;
        orbit.orbit(&start, DVec2::new(0.3, 0.1));
        assert_ne!(orbit.camera(), home());
        orbit.reset();
        assert_eq!(orbit.camera(), home());
    }

    #[test]
    fn first_drag_starts_at_the_loaded_view() {
        let mut orbit = orbit_camera();
        let start = orbit.position;
        orbit.orbit(&start, DVec2::ZERO);
        let (moved, home) = (orbit.camera(), home());
        assert!(moved.eye.distance(home.eye) < 1e-5, "{moved:?}");
        assert!((moved.up.dot(home.eye - home.target)).abs() < 1e-5, "up is perpendicular now");
        assert!(moved.up.y > 0.9);
    }

    #[test]
    fn orbit_neither_drifts_nor_flips() {
        let mut orbit = orbit_camera();
        let start = orbit.position;
        // around several times and over both poles
        for step in 0..10_000 {
            let angle = f64::from(step) * 0.37;
            orbit.orbit(&start, DVec2::new(libm::sin(angle), 3.0 * libm::cos(angle)));
            let camera = orbit.camera();
            assert!(camera.up.y >= -1e-6, "upside down at step {step}: {camera:?}");
            assert!((camera.eye.distance(camera.target) - home().eye.distance(home().target)).abs() < 1e-4);
        }
        orbit.orbit(&start, DVec2::ZERO);
        assert_eq!(orbit.position, start);
    }

    #[test]
    fn dragged_point_follows_the_mouse() {
        let mut orbit = orbit_camera();
        let start = orbit.position;
        let point = start.target;
        orbit.pan(&start, DVec2::new(0.2, -0.1));
        let seen = project(&orbit.camera(), point);
        assert!((seen - DVec2::new(0.2, -0.1)).length() < 1e-6, "{seen}");
    }

    #[test]
    fn zoom_keeps_the_point_under_the_cursor() {
        for parallel in [false, true] {
            let mut orbit = orbit_camera();
            if parallel {
                orbit.toggle_orthographic();
            }
            let cursor = DVec2::new(-0.4, 0.25);
            let [right, up, _] = orbit.view_axes();
            let point = orbit.position.target + orbit.height() * (right * cursor.x - up * cursor.y);
            for _ in 0..20 {
                orbit.zoom(1.1, cursor);
            }
            let seen = project(&orbit.camera(), point);
            assert!((seen - cursor).length() < 1e-5, "parallel {parallel}: {seen}");
        }
    }

    #[test]
    fn zoom_stays_within_its_range() {
        let mut orbit = orbit_camera();
        for _ in 0..10_000 {
            orbit.zoom(1.5, DVec2::ZERO);
        }
        assert!((orbit.position.distance - 4e-5).abs() < 1e-9);
        for _ in 0..10_000 {
            orbit.zoom(0.5, DVec2::ZERO);
        }
        assert!((orbit.position.distance - 4e4).abs() < 1e-3);
    }

    #[test]
    fn axis_views_look_along_the_axes() {
        let mut orbit = orbit_camera();
        for (side, eye, up) in [
            (AxisView::Front, Vec3::Z, Vec3::Y),
            (AxisView::Right, Vec3::X, Vec3::Y),
            (AxisView::Opposite, Vec3::NEG_X, Vec3::Y),
            (AxisView::Top, Vec3::Y, Vec3::NEG_Z),
        ] {
            orbit.look_from(side);
            let camera = orbit.camera();
            assert!((camera.eye - camera.target).normalize().distance(eye) < 1e-6, "{side:?}: {camera:?}");
            assert!(camera.up.distance(up) < 1e-6, "{side:?}: {camera:?}");
        }
    }

    #[test]
    fn front_of_a_scene_with_z_up_faces_minus_y() {
        let home = home().with_up(Vec3::Z);
        let mut orbit = OrbitCamera::new(home, BoundingSphere { center: DVec3::ZERO, radius: 4.0 });
        orbit.look_from(AxisView::Front);
        let camera = orbit.camera();
        assert!((camera.eye - camera.target).normalize().distance(Vec3::NEG_Y) < 1e-6);
        assert!(camera.up.distance(Vec3::Z) < 1e-6);
    }

    #[test]
    fn parallel_rays_start_outside_the_scene() {
        let mut orbit = orbit_camera();
        orbit.toggle_orthographic();
        for _ in 0..40 {
            orbit.zoom(1.3, DVec2::ZERO);
        }
        let camera = orbit.camera();
        let back = (camera.eye - camera.target).normalize();
        assert!(back.dot(camera.eye) > 4.0, "the eye's plane misses the bounding sphere");
    }

    #[test]
    fn switching_projection_keeps_the_size_at_the_target() {
        let mut orbit = orbit_camera();
        let point = orbit.position.target + 0.3 * DVec3::Y;
        let start = orbit.position;
        orbit.orbit(&start, DVec2::ZERO);
        orbit.look_from(AxisView::Front);
        let before = project(&orbit.camera(), point);
        orbit.toggle_orthographic();
        let after = project(&orbit.camera(), point);
        assert!((before - after).length() < 1e-5, "{before} {after}");
    }

    #[test]
    fn fit_shows_the_whole_scene() {
        for aspect in [0.5, 1.0, 2.0] {
            let mut orbit = orbit_camera();
            orbit.fit(aspect);
            let [right, ..] = orbit.view_axes();
            let seen = project(&orbit.camera(), 3.9 * right);
            assert!(seen.x.abs() < 0.5 * aspect && seen.x.abs() > 0.5 * 0.7 * aspect.min(1.0), "{aspect}: {seen}");
        }
    }
}
