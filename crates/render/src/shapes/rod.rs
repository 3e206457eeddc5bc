//! Silhouettes of spheres and of shapes with an axis, for outlines.

use super::{Passed, Silhouette};
use crate::lanes::{along_and_across, dot, norm, point_at, sub};

/// A cylinder, a cone or a sphere: an axis with a radius that may change from end to end.
pub(super) struct Rod {
    pub start: [f32; 3],
    pub end: [f32; 3],
    pub radii: [f32; 2],
    /// Which ends are discs; the others are spheres, or a point.
    pub is_flat: [bool; 2],
}

impl Rod {
    fn axis(&self) -> [f32; 3] {
        sub(self.end, self.start)
    }

    fn passed_side(&self, place: f32, origin: [f32; 3], direction: [f32; 3]) -> Passed {
        let axis = self.axis();
        let to: [f32; 3] = std::array::from_fn(|i| (self.start[i] - origin[i]) + axis[i] * place);
        let (along, across) = along_and_across(to, direction);
        Passed { along, gap: norm(across) - self.radius(place), across }
    }

    /// Axis parameter of the point nearest to a ray: 0 at the start, 1 at the end, not clamped.
    fn place(&self, origin: [f32; 3], direction: [f32; 3]) -> f32 {
        let (first, axis) = (sub(self.start, origin), self.axis());
        let slope = dot(axis, direction);
        let flat = dot(axis, axis) - slope * slope;
        if flat > 0.0 { (slope * dot(first, direction) - dot(first, axis)) / flat } else { 0.0 }
    }

    fn radius(&self, place: f32) -> f32 {
        self.radii[0] + (self.radii[1] - self.radii[0]) * place
    }

    /// The flat end that an axis parameter lies beyond.
    fn flat_end(&self, place: f32) -> Option<usize> {
        let end = match place {
            place if place < 0.0 => 0,
            place if place > 1.0 => 1,
            _ => return None,
        };
        self.is_flat[end].then_some(end)
    }

    /// How a ray passes the disc at an end, to first order, and the nearest point of its rim: across the ray the disc
    /// is an ellipse.
    fn rim(&self, end: usize, origin: [f32; 3], direction: [f32; 3]) -> (Passed, [f32; 3]) {
        /// The least ratio of an ellipse's width to its length.
        const FLATTEST: f32 = 1e-4;
        let (center, radius) = ([self.start, self.end][end], self.radii[end]);
        let axis = self.axis();
        let length = norm(axis);
        let normal = axis.map(|along| along / length);
        let to = sub(center, origin);
        let (along, across) = along_and_across(to, direction);
        // the short side of the ellipse, and the long one at right angles
        let (slope, short) = along_and_across(normal, direction);
        let sine = norm(short);
        if sine < FLATTEST {
            // seen from the front
            let distance = norm(across);
            let point = point_at(center, across, -(radius / distance));
            return (Passed { along, gap: distance - radius, across }, point);
        }
        let short = short.map(|along| along / sine);
        let long: [f32; 3] = std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            short[j] * direction[k] - short[k] * direction[j]
        });
        let radii = [radius, radius * slope.abs().max(FLATTEST)];
        let place = [-dot(across, long), -dot(across, short)];
        let mapped = [place[0] / radii[0], place[1] / radii[1]];
        let size = (mapped[0] * mapped[0] + mapped[1] * mapped[1]).sqrt();
        let growth = [mapped[0] / radii[0], mapped[1] / radii[1]];
        let steepness = (growth[0] * growth[0] + growth[1] * growth[1]).sqrt();
        let gap = (size - 1.0) * (size / steepness);
        let outward = std::array::from_fn(|i| long[i] * growth[0] + short[i] * growth[1]);
        // the same point on the disc, which is tilted by the sine
        let tilted = radius * (mapped[1] / size) * if slope < 0.0 { -1.0 } else { 1.0 };
        let aside = place[0] / size;
        let point =
            std::array::from_fn(|i| (center[i] + long[i] * aside) + (short[i] * slope - direction[i] * sine) * tilted);
        (Passed { along: along - sine * tilted, gap, across: outward }, point)
    }
}

impl Silhouette for Rod {
    /// Decided by the point of the axis nearest to the ray; beyond a flat end, by the rim of its disc.
    fn passed(&self, origin: [f32; 3], direction: [f32; 3]) -> Passed {
        let place = self.place(origin, direction);
        let side = self.passed_side(place.clamp(0.0, 1.0), origin, direction);
        let Some(end) = self.flat_end(place) else { return side };
        let (rim, _) = self.rim(end, origin, direction);
        // to first order a disc seen from its edge has no corners; they are no nearer than the sphere around it
        Passed { gap: rim.gap.max(side.gap), ..rim }
    }

    fn nearest_point(&self, origin: [f32; 3], direction: [f32; 3]) -> [f32; 3] {
        let place = self.place(origin, direction);
        if let Some(end) = self.flat_end(place) {
            return self.rim(end, origin, direction).1;
        }
        let place = place.clamp(0.0, 1.0);
        let (axis, Passed { across, .. }) = (self.axis(), self.passed_side(place, origin, direction));
        let reach = self.radius(place) / norm(across);
        std::array::from_fn(|i| (self.start[i] + axis[i] * place) - across[i] * reach)
    }

    fn distance(&self, point: [f32; 3]) -> (f32, [f32; 3]) {
        let (from, axis) = (sub(point, self.start), self.axis());
        let length_squared = dot(axis, axis);
        let place = if length_squared > 0.0 { dot(from, axis) / length_squared } else { 0.0 };
        let from_axis = |place: f32, radius: f32| {
            let away = point_at(from, axis, -place);
            let length = norm(away);
            (length - radius, away.map(|along| along / length))
        };
        let inside = place.clamp(0.0, 1.0);
        let side = from_axis(inside, self.radius(inside));
        let length = length_squared.sqrt();
        // beyond each end, along the axis
        let beyond = [-place * length, (place - 1.0) * length];
        let end = usize::from(beyond[1] > beyond[0]);
        if !self.is_flat[end] || length <= 0.0 {
            return side;
        }
        let sign = if end == 0 { -1.0 } else { 1.0 };
        let outward = axis.map(|along| sign * (along / length));
        let (gap, radial) = if beyond[end] > 0.0 { from_axis(place, self.radii[end]) } else { side };
        if beyond[end] <= 0.0 || gap <= 0.0 {
            return if beyond[end] > gap { (beyond[end], outward) } else { (gap, radial) };
        }
        let corner = (gap * gap + beyond[end] * beyond[end]).sqrt();
        (corner, std::array::from_fn(|i| (radial[i] * gap + outward[i] * beyond[end]) / corner))
    }
}
