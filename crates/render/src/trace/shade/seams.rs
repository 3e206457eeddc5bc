//! Seams: where the surfaces of two spheres meet, for outlines between parts.

use super::outlines::FarSample;
use crate::geom::Sphere;
use crate::lanes::{dot, norm, point_at, sub};
use crate::trace::find::clip::ClipRegion;

/// A point of a sphere's surface or cap, near which the sphere may meet others.
#[derive(Clone, Copy)]
pub(super) struct Seam {
    pub sphere: Sphere<3>,
    point: [f32; 3],
    /// Power of the point to the sphere: 0 on the sphere's own surface.
    power: f32,
    normal: [f32; 3],
    direction: [f32; 3],
}

/// Least cosine between normal and ray for a surface to count: at a grazing angle any surface would seem near.
const LEAST_COSINE: f32 = 0.25;

impl Seam {
    /// The point that a sample shows; `cap` are the planes, if it lies on a cap.
    pub(super) fn new(cap: Option<&ClipRegion>, sphere: Sphere<3>, sample: &FarSample) -> Self {
        let &FarSample { origin, direction, distance, .. } = sample;
        let point = point_at(origin, direction, distance);
        let outward = sub(point, sphere.center);
        let of_cap = cap.and_then(|clip| clip.normal_at(point));
        let power = of_cap.map_or(0.0, |_| dot(outward, outward) - sphere.radius * sphere.radius);
        let normal = of_cap.unwrap_or_else(|| outward.map(|along| along / sphere.radius));
        Self { sphere, point, power, normal, direction }
    }

    /// Distance in the picture from the point to where the sphere meets another, in world units. Spheres meet in their
    /// radical plane: its points have the same power to both.
    pub(super) fn distance_to(&self, other: Sphere<3>) -> f32 {
        let outward = sub(self.point, other.center);
        let apart = (dot(outward, outward) - other.radius * other.radius) - self.power;
        // how fast that grows along the surface where the ray moves in the picture
        let growth: [f32; 3] = std::array::from_fn(|axis| 2.0 * (self.sphere.center[axis] - other.center[axis]));
        let cosine = dot(self.normal, self.direction).abs().max(LEAST_COSINE);
        let tilt = dot(growth, self.direction) / cosine;
        let along = point_at(growth, self.normal, tilt);
        apart.max(0.0) / norm(along)
    }
}
