//! How far rays pass from the silhouettes of cylinders, ellipsoids and cones.

use super::outlines::Edge;
use crate::geom::{Cone, Cylinder, TurnedEllipsoid};
use crate::lanes::dot;
use crate::scene::PlacedShape;

/// Where a ray passes the silhouette of a shape, as outlines measure it.
pub(super) fn edge(shape: &PlacedShape, origin: [f32; 3], direction: [f32; 3], forward: [f32; 3]) -> Edge {
    let passed = match shape {
        PlacedShape::Cylinder(Cylinder { start, end, radius, .. }) => {
            rod(*start, *end, [*radius; 2], origin, direction)
        }
        PlacedShape::Cone(Cone { base, apex, radius }) => rod(*base, *apex, [*radius, 0.0], origin, direction),
        PlacedShape::Ellipsoid(shape) => ellipsoid(shape, origin, direction),
    };
    let Passed { along, gap, across } = passed;
    // how fast the ray moves away from the shape along the picture
    let tilt = dot(across, forward) / dot(across, across).sqrt();
    Edge { along, gap: gap / (1.0 - tilt * tilt).max(0.0).sqrt() }
}

/// How a ray passes a shape.
struct Passed {
    along: f32,
    /// Distance to the surface, less than 0 inside.
    gap: f32,
    /// From the ray to the shape, of any length.
    across: [f32; 3],
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A rod of a radius that may change from end to end: the point of its axis that is nearest to the ray decides.
fn rod(start: [f32; 3], end: [f32; 3], radii: [f32; 2], origin: [f32; 3], direction: [f32; 3]) -> Passed {
    let (first, axis) = (minus(start, origin), minus(end, start));
    let (length_squared, slope) = (dot(axis, axis), dot(axis, direction));
    let flat = length_squared - slope * slope;
    let place = if flat > 0.0 { (slope * dot(first, direction) - dot(first, axis)) / flat } else { 0.0 };
    let place = place.clamp(0.0, 1.0);
    let to: [f32; 3] = std::array::from_fn(|i| first[i] + axis[i] * place);
    let along = dot(to, direction);
    let across: [f32; 3] = std::array::from_fn(|i| to[i] - direction[i] * along);
    let radius = radii[0] + (radii[1] - radii[0]) * place;
    Passed { along, gap: dot(across, across).sqrt() - radius, across }
}

/// An ellipsoid: the point of the ray that is nearest where the ellipsoid is the unit sphere decides, to first order.
fn ellipsoid(shape: &TurnedEllipsoid, origin: [f32; 3], direction: [f32; 3]) -> Passed {
    let least = shape.longest() * 1e-3;
    let mapped =
        |v: [f32; 3]| -> [f32; 3] { std::array::from_fn(|i| dot(v, shape.axes[i]) / shape.radii[i].max(least)) };
    let (center, ray) = (mapped(minus(shape.center, origin)), mapped(direction));
    let along = dot(center, ray) / dot(ray, ray);
    let aside: [f32; 3] = std::array::from_fn(|i| center[i] - ray[i] * along);
    let length = dot(aside, aside).sqrt();
    // the gradient of the distance from the centre there
    let slopes: [f32; 3] = std::array::from_fn(|i| aside[i] / (length * shape.radii[i].max(least)));
    let across: [f32; 3] = std::array::from_fn(|axis| {
        (slopes[0] * shape.axes[0][axis] + slopes[1] * shape.axes[1][axis]) + slopes[2] * shape.axes[2][axis]
    });
    Passed { along, gap: (length - 1.0) / dot(across, across).sqrt(), across }
}
