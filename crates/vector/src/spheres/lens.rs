//! From the camera's coordinates to the picture, with derivatives.

use glam::DVec3;
use roundel_scene::scene::Rays;

use super::Ball;
use super::region::BallCap;
use crate::Point;

/// The projection of a picture.
pub(crate) struct PictureLens {
    /// In world coordinates.
    eye: DVec3,
    /// Right, up and forward.
    axes: [DVec3; 3],
    middle: Point,
    /// Pixels per unit of length, at depth 1 in perspective.
    scale: f64,
    pub(super) is_parallel: bool,
    size: [f64; 2],
}

impl PictureLens {
    pub(super) fn new(rays: &Rays, size: [u32; 2]) -> Self {
        Self {
            eye: DVec3::from(rays.eye.map(f64::from)),
            axes: rays.frame,
            middle: rays.middle.map(f64::from),
            scale: 1.0 / f64::from(rays.step),
            is_parallel: rays.parallel,
            size: size.map(f64::from),
        }
    }

    /// A point of the world in the camera's coordinates.
    pub(super) fn in_camera(&self, point: [f32; 3]) -> DVec3 {
        let toward = DVec3::from(point.map(f64::from)) - self.eye;
        DVec3::from(self.axes.map(|axis| axis.dot(toward)))
    }

    /// The power of the eye with respect to a sphere; with parallel rays the depth of its centre, which has the same order
    /// for an eye at infinity.
    pub(super) fn power(&self, center: DVec3, radius: f64) -> f64 {
        if self.is_parallel { center.z } else { center.length_squared() - radius * radius }
    }

    /// The least depth of the nearest point of a sphere.
    pub(super) fn nearest(&self, radius: f64) -> f64 {
        if self.is_parallel { 0.0 } else { 1e-3 * radius }
    }

    /// The part of a sphere's surface that is turned away from the eye.
    pub(super) fn hidden_cap(&self, ball: &Ball) -> BallCap {
        if self.is_parallel {
            return BallCap { normal: DVec3::Z, height: 0.0 };
        }
        let distance = ball.center.length();
        BallCap { normal: ball.center / distance, height: -ball.radius * ball.radius / distance }
    }

    /// The place of a point in the picture, and its motion for a motion of the point.
    pub(super) fn place(&self, point: DVec3, motion: DVec3) -> [Point; 2] {
        if self.is_parallel {
            let at = [self.middle[0] + self.scale * point.x, self.middle[1] - self.scale * point.y];
            return [at, [self.scale * motion.x, -self.scale * motion.y]];
        }
        let inverse = 1.0 / point.z;
        let slope = [point.x * inverse, point.y * inverse];
        let moved = [(motion.x - slope[0] * motion.z) * inverse, (motion.y - slope[1] * motion.z) * inverse];
        [
            [self.middle[0] + self.scale * slope[0], self.middle[1] - self.scale * slope[1]],
            [self.scale * moved[0], -self.scale * moved[1]],
        ]
    }

    /// The largest number of pixels per unit of length on a sphere.
    pub(super) fn pixels(&self, ball: &Ball) -> f64 {
        if self.is_parallel { self.scale } else { self.scale / (ball.center.z - ball.radius) }
    }

    /// The outline of a sphere if it is a circle: centre and radius in pixels.
    pub(super) fn disc(&self, ball: &Ball) -> Option<(Point, f64)> {
        self.is_parallel.then(|| (self.place(ball.center, DVec3::ZERO)[0], ball.radius * self.scale))
    }

    /// Whether a sphere in front of the eye may touch the picture.
    pub(super) fn may_show(&self, ball: &Ball) -> bool {
        let Ball { center, radius, .. } = *ball;
        if !self.is_parallel && center.z <= radius {
            return true;
        }
        (0..2).all(|axis| {
            let across = if axis == 0 { center.x } else { -center.y };
            let [least, most] = if self.is_parallel {
                [across - radius, across + radius]
            } else {
                // the slopes of tangents in the plane of this axis and the line of sight
                let squared = center.z * center.z - radius * radius;
                let root = radius * (across * across + squared).sqrt();
                [(across * center.z - root) / squared, (across * center.z + root) / squared]
            };
            self.middle[axis] + self.scale * least < self.size[axis] && self.middle[axis] + self.scale * most > 0.0
        })
    }
}
