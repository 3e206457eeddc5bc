//! The camera of spheres: a turntable around a target.
//!
//! The eye's direction is two angles, so that a closed path of the mouse ends where it began and the horizon never
//! tilts; the second stops at the poles, so that nothing flips. A camera that has not been touched is handed out as it
//! was loaded, bit for bit. Lengths and angles are `f64` and rounded once, in [`Orbit::camera`].

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec2, DVec3};

use crate::scene::spheres::{Camera, Projection};

/// Angle of view taken up when a scene that was loaded with parallel rays is seen in perspective: 30°.
const PERSPECTIVE_FOV: f64 = PI / 6.0;

/// The nearest and the farthest that the eye may come to its target, in radii of the whole scene: near enough to fill
/// the picture with one atom in 10⁸, far enough to lose the scene in a pixel, and well inside what `f32` tells apart.
const DISTANCES: [f64; 2] = [1e-5, 1e4];

/// The ball around everything that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

/// A direction to look from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Front,
    Right,
    Top,
    /// From the other side than now.
    Opposite,
}

/// Where the target, the eye and the scene are.
#[derive(Clone, Debug)]
pub(super) struct Orbit {
    home: Camera,
    untouched: bool,
    extent: Extent,
    /// Directions of the turntable: to the right, up, and to the front, from which `yaw` counts.
    axes: [DVec3; 3],
    place: Place,
    fov: f64,
    parallel: bool,
}

/// What dragging and zooming change; kept when a drag begins, which is then measured from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    target: DVec3,
    /// Radians, around the up axis, 0 at the front.
    yaw: f64,
    /// Radians over the horizon, −π/2 to π/2.
    pitch: f64,
    /// From the target to the perspective eye; with parallel rays, to where it would show as much.
    distance: f64,
}

impl Orbit {
    pub(super) fn new(home: Camera, extent: Extent) -> Self {
        let up = home.up.as_dvec3().normalize_or(DVec3::Y);
        // scenes with z up are looked at along +y, all others along −z
        let front = if up.z.abs() > 0.9 { DVec3::NEG_Y } else { DVec3::Z };
        let front = (front - up * front.dot(up)).normalize();
        let mut orbit = Self {
            home,
            untouched: true,
            extent,
            axes: [up.cross(front), up, front],
            place: Place { target: DVec3::ZERO, yaw: 0.0, pitch: 0.0, distance: 1.0 },
            fov: PERSPECTIVE_FOV,
            parallel: false,
        };
        orbit.reset();
        orbit
    }

    /// Back to the camera as loaded.
    pub(super) fn reset(&mut self) {
        self.untouched = true;
        let target = self.home.target.as_dvec3();
        let toward_eye = self.home.eye.as_dvec3() - target;
        let [right, up, front] = self.axes.map(|axis| axis.dot(toward_eye.normalize_or(DVec3::Z)));
        let distance = match self.home.projection {
            Projection::Perspective { fov_y_radians } => {
                (self.fov, self.parallel) = (f64::from(fov_y_radians), false);
                toward_eye.length()
            }
            Projection::Orthographic { height } => {
                (self.fov, self.parallel) = (PERSPECTIVE_FOV, true);
                0.5 * f64::from(height) / libm::tan(0.5 * PERSPECTIVE_FOV)
            }
        };
        let yaw = if right == 0.0 && front == 0.0 { 0.0 } else { libm::atan2(right, front) };
        self.place = Place { target, yaw, pitch: libm::asin(up.clamp(-1.0, 1.0)), distance };
    }

    /// Takes over another scene's extent and home; the camera stays where it is unless nobody has moved it.
    pub(super) fn rehome(&mut self, home: Camera, extent: Extent) {
        if self.untouched {
            *self = Self::new(home, extent);
        } else {
            (self.home, self.extent) = (home, extent);
        }
    }

    /// The camera for the renderer.
    pub(super) fn camera(&self) -> Camera {
        if self.untouched {
            return self.home;
        }
        let [_, up, toward_eye] = self.frame();
        let Place { target, distance, .. } = self.place;
        let (distance, projection) = if self.parallel {
            // parallel rays start in the plane of the eye: outside of everything, or it would cut through the scene
            let clear = (self.extent.center - target).dot(toward_eye) + 1.1 * self.extent.radius;
            (distance.max(clear), Projection::Orthographic { height: single(self.height()) })
        } else {
            (distance, Projection::Perspective { fov_y_radians: single(self.fov) })
        };
        Camera {
            eye: (target + distance * toward_eye).as_vec3(),
            target: target.as_vec3(),
            up: up.as_vec3(),
            projection,
        }
    }

    /// World units from the picture's bottom to its top edge, at the target.
    pub(super) fn height(&self) -> f64 {
        2.0 * self.place.distance * libm::tan(0.5 * self.fov)
    }

    /// Where things are now, to measure a drag from.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Turns by a drag since `start`, in heights of the window, x to the right and y down: half a turn a height.
    pub(super) fn turn(&mut self, start: &Place, drag: DVec2) {
        self.untouched = false;
        self.place.yaw = (start.yaw - PI * drag.x) % (2.0 * PI);
        self.place.pitch = (start.pitch + PI * drag.y).clamp(-FRAC_PI_2, FRAC_PI_2);
    }

    /// Moves the scene by a drag since `start`, in heights of the window: what is as far as the target keeps to the mouse.
    pub(super) fn pan(&mut self, start: &Place, drag: DVec2) {
        self.untouched = false;
        let [right, up, _] = self.frame();
        self.place.target = start.target + self.height() * (up * drag.y - right * drag.x);
    }

    /// Brings the eye `factor` times as near, keeping what is under `cursor` there: heights of the window from its
    /// middle, x to the right and y down.
    pub(super) fn zoom(&mut self, factor: f64, cursor: DVec2) {
        self.untouched = false;
        let [right, up, _] = self.frame();
        let under = self.height() * (right * cursor.x - up * cursor.y);
        let before = self.place.distance;
        let limits = DISTANCES.map(|radii| radii * self.extent.radius);
        self.place.distance = (before / factor).clamp(limits[0].min(before), limits[1].max(before));
        self.place.target += under * (1.0 - self.place.distance / before);
    }

    /// Looks from another side at the same target.
    pub(super) fn look_from(&mut self, side: Side) {
        self.untouched = false;
        (self.place.yaw, self.place.pitch) = match side {
            Side::Front => (0.0, 0.0),
            Side::Right => (FRAC_PI_2, 0.0),
            Side::Top => (0.0, FRAC_PI_2),
            Side::Opposite => (self.place.yaw + PI, -self.place.pitch),
        };
    }

    /// From perspective to parallel rays or back; what is as far as the target keeps its size.
    pub(super) fn toggle_parallel(&mut self) {
        self.untouched = false;
        self.parallel = !self.parallel;
    }

    /// Puts the centre of turning to a point, and moves the eye with it.
    pub(super) fn center_on(&mut self, point: DVec3) {
        self.untouched = false;
        self.place.target = point;
    }

    /// Shows the whole scene from where the eye looks now.
    pub(super) fn fit(&mut self, aspect: f64) {
        self.untouched = false;
        self.place.target = self.extent.center;
        let half = (0.5 * self.fov).min(libm::atan(libm::tan(0.5 * self.fov) * aspect));
        self.place.distance = self.extent.radius / libm::sin(half);
    }

    /// Directions of the picture: to the right, up, and towards the eye.
    fn frame(&self) -> [DVec3; 3] {
        let [right, up, front] = self.axes;
        let (yaw_sin, yaw_cos) = libm::sincos(self.place.yaw);
        let (pitch_sin, pitch_cos) = libm::sincos(self.place.pitch);
        let level = yaw_cos * front + yaw_sin * right;
        [yaw_cos * right - yaw_sin * front, pitch_cos * up - pitch_sin * level, pitch_cos * level + pitch_sin * up]
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn home() -> Camera {
        Camera {
            eye: Vec3::new(3.0, 2.0, 9.0),
            target: Vec3::new(1.0, 0.5, -1.0),
            up: Vec3::Y,
            projection: Projection::Perspective { fov_y_radians: 0.6 },
        }
    }

    fn orbit() -> Orbit {
        Orbit::new(home(), Extent { center: DVec3::ZERO, radius: 4.0 })
    }

    /// Where a world point stands in the picture: heights from the middle, x to the right and y down.
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
        let mut orbit = orbit();
        assert_eq!(orbit.camera(), home());
        let start = orbit.place();
        orbit.turn(&start, DVec2::new(0.3, 0.1));
        assert_ne!(orbit.camera(), home());
        orbit.reset();
        assert_eq!(orbit.camera(), home());
    }

    #[test]
    fn first_move_starts_from_the_loaded_view() {
        let mut orbit = orbit();
        let start = orbit.place();
        orbit.turn(&start, DVec2::ZERO);
        let (moved, home) = (orbit.camera(), home());
        assert!(moved.eye.distance(home.eye) < 1e-5, "{moved:?}");
        assert!((moved.up.dot(home.eye - home.target)).abs() < 1e-5, "up is perpendicular now");
        assert!(moved.up.y > 0.9);
    }

    #[test]
    fn orbit_neither_drifts_nor_flips() {
        let mut orbit = orbit();
        let start = orbit.place();
        // round and round, over both poles and back to the first place
        for step in 0..10_000 {
            let angle = f64::from(step) * 0.37;
            orbit.turn(&start, DVec2::new(libm::sin(angle), 3.0 * libm::cos(angle)));
            let camera = orbit.camera();
            assert!(camera.up.y >= -1e-6, "upside down at step {step}: {camera:?}");
            assert!((camera.eye.distance(camera.target) - home().eye.distance(home().target)).abs() < 1e-4);
        }
        orbit.turn(&start, DVec2::ZERO);
        assert_eq!(orbit.place(), start);
    }

    #[test]
    fn dragged_point_follows_the_mouse() {
        let mut orbit = orbit();
        let start = orbit.place();
        let point = start.target;
        orbit.pan(&start, DVec2::new(0.2, -0.1));
        let seen = project(&orbit.camera(), point);
        assert!((seen - DVec2::new(0.2, -0.1)).length() < 1e-6, "{seen}");
    }

    #[test]
    fn zoom_keeps_what_is_under_the_cursor() {
        for parallel in [false, true] {
            let mut orbit = orbit();
            if parallel {
                orbit.toggle_parallel();
            }
            let cursor = DVec2::new(-0.4, 0.25);
            let [right, up, _] = orbit.frame();
            let point = orbit.place.target + orbit.height() * (right * cursor.x - up * cursor.y);
            for _ in 0..20 {
                orbit.zoom(1.1, cursor);
            }
            let seen = project(&orbit.camera(), point);
            assert!((seen - cursor).length() < 1e-5, "parallel {parallel}: {seen}");
        }
    }

    #[test]
    fn zoom_stops_before_numbers_do() {
        let mut orbit = orbit();
        for _ in 0..10_000 {
            orbit.zoom(1.5, DVec2::ZERO);
        }
        assert!((orbit.place.distance - 4e-5).abs() < 1e-9);
        for _ in 0..10_000 {
            orbit.zoom(0.5, DVec2::ZERO);
        }
        assert!((orbit.place.distance - 4e4).abs() < 1e-3);
    }

    #[test]
    fn views_look_along_the_axes() {
        let mut orbit = orbit();
        for (side, eye, up) in [
            (Side::Front, Vec3::Z, Vec3::Y),
            (Side::Right, Vec3::X, Vec3::Y),
            (Side::Opposite, Vec3::NEG_X, Vec3::Y),
            (Side::Top, Vec3::Y, Vec3::NEG_Z),
        ] {
            orbit.look_from(side);
            let camera = orbit.camera();
            assert!((camera.eye - camera.target).normalize().distance(eye) < 1e-6, "{side:?}: {camera:?}");
            assert!(camera.up.distance(up) < 1e-6, "{side:?}: {camera:?}");
        }
    }

    #[test]
    fn scene_with_z_up_is_seen_from_its_front() {
        let home = Camera { up: Vec3::Z, ..home() };
        let mut orbit = Orbit::new(home, Extent { center: DVec3::ZERO, radius: 4.0 });
        orbit.look_from(Side::Front);
        let camera = orbit.camera();
        assert!((camera.eye - camera.target).normalize().distance(Vec3::NEG_Y) < 1e-6);
        assert!(camera.up.distance(Vec3::Z) < 1e-6);
    }

    #[test]
    fn parallel_rays_start_outside_of_everything() {
        let mut orbit = orbit();
        orbit.toggle_parallel();
        for _ in 0..40 {
            orbit.zoom(1.3, DVec2::ZERO);
        }
        let camera = orbit.camera();
        let back = (camera.eye - camera.target).normalize();
        assert!(back.dot(camera.eye) > 4.0, "the eye's plane misses the ball of radius 4 around the origin");
    }

    #[test]
    fn parallel_and_back_keeps_the_size_at_the_target() {
        let mut orbit = orbit();
        let point = orbit.place.target + 0.3 * DVec3::Y;
        let start = orbit.place();
        orbit.turn(&start, DVec2::ZERO);
        orbit.look_from(Side::Front);
        let before = project(&orbit.camera(), point);
        orbit.toggle_parallel();
        let after = project(&orbit.camera(), point);
        assert!((before - after).length() < 1e-5, "{before} {after}");
    }

    #[test]
    fn fit_shows_the_whole_ball() {
        for aspect in [0.5, 1.0, 2.0] {
            let mut orbit = orbit();
            orbit.fit(aspect);
            let [right, ..] = orbit.frame();
            let seen = project(&orbit.camera(), 3.9 * right);
            assert!(seen.x.abs() < 0.5 * aspect && seen.x.abs() > 0.5 * 0.7 * aspect.min(1.0), "{aspect}: {seen}");
        }
    }
}
