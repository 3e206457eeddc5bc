//! How far rays pass from the silhouettes of cylinders, ellipsoids and cones.

use super::outlines::Edge;
use crate::geom::{Cone, Cylinder, TurnedEllipsoid};
use crate::lanes::dot;
use crate::scene::PlacedShape;
use crate::trace::find::clip::ClipRegion;

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

/// Where a ray passes the rim of a shape's cap, where planes cut the shape's silhouette away; `None` elsewhere.
pub(super) fn cut_edge(clip: &ClipRegion, shape: &PlacedShape, origin: [f32; 3], direction: [f32; 3]) -> Option<Edge> {
    let (normal, offset) = clip.cutting_plane(silhouette_point(shape, origin, direction))?;
    let slope = dot(direction, normal);
    let along = (offset - dot(origin, normal)) / slope;
    let point: [f32; 3] = std::array::from_fn(|axis| origin[axis] + direction[axis] * along);
    let (gap, outward) = distance(shape, point);
    // how fast the distance grows in the picture while the point stays in the plane
    let tilt = dot(outward, direction) / slope;
    let growth: [f32; 3] = std::array::from_fn(|axis| outward[axis] - normal[axis] * tilt);
    Some(Edge { along, gap: gap / dot(growth, growth).sqrt() })
}

/// The point of a shape's silhouette that is nearest to a ray.
fn silhouette_point(shape: &PlacedShape, origin: [f32; 3], direction: [f32; 3]) -> [f32; 3] {
    let of_rod = |start: [f32; 3], end: [f32; 3], radii: [f32; 2]| -> [f32; 3] {
        let place = place_on_rod(minus(start, origin), minus(end, start), direction);
        let axis: [f32; 3] = std::array::from_fn(|i| start[i] + (end[i] - start[i]) * place);
        let Passed { across, .. } = rod(start, end, radii, origin, direction);
        let reach = (radii[0] + (radii[1] - radii[0]) * place) / dot(across, across).sqrt();
        std::array::from_fn(|i| axis[i] - across[i] * reach)
    };
    match shape {
        PlacedShape::Cylinder(Cylinder { start, end, radius, .. }) => of_rod(*start, *end, [*radius; 2]),
        PlacedShape::Cone(Cone { base, apex, radius }) => of_rod(*base, *apex, [*radius, 0.0]),
        PlacedShape::Ellipsoid(shape) => {
            let (aside, _) = passed_in_unit_space(shape, origin, direction);
            let scale = unit_space(shape).map(|radius| radius / dot(aside, aside).sqrt());
            std::array::from_fn(|axis| {
                shape.center[axis]
                    - ((aside[0] * scale[0] * shape.axes[0][axis] + aside[1] * scale[1] * shape.axes[1][axis])
                        + aside[2] * scale[2] * shape.axes[2][axis])
            })
        }
    }
}

/// The distance of a point from a shape's surface, less than 0 inside and to first order for ellipsoids, and the direction in which it grows.
fn distance(shape: &PlacedShape, point: [f32; 3]) -> (f32, [f32; 3]) {
    let from_rod = |start: [f32; 3], end: [f32; 3], radii: [f32; 2]| {
        let (from, axis) = (minus(point, start), minus(end, start));
        let length_squared = dot(axis, axis);
        let place = if length_squared > 0.0 { (dot(from, axis) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
        let away: [f32; 3] = std::array::from_fn(|i| from[i] - axis[i] * place);
        let length = dot(away, away).sqrt();
        (length - (radii[0] + (radii[1] - radii[0]) * place), away.map(|along| along / length))
    };
    match shape {
        PlacedShape::Cylinder(Cylinder { start, end, radius, .. }) => from_rod(*start, *end, [*radius; 2]),
        PlacedShape::Cone(Cone { base, apex, radius }) => from_rod(*base, *apex, [*radius, 0.0]),
        PlacedShape::Ellipsoid(shape) => {
            let (radii, from) = (unit_space(shape), minus(point, shape.center));
            let mapped: [f32; 3] = std::array::from_fn(|i| dot(from, shape.axes[i]) / radii[i]);
            let length = dot(mapped, mapped).sqrt();
            let growth = gradient(shape, mapped, length);
            let steepness = dot(growth, growth).sqrt();
            ((length - 1.0) / steepness, growth.map(|along| along / steepness))
        }
    }
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
    let place = place_on_rod(first, axis, direction);
    let to: [f32; 3] = std::array::from_fn(|i| first[i] + axis[i] * place);
    let along = dot(to, direction);
    let across: [f32; 3] = std::array::from_fn(|i| to[i] - direction[i] * along);
    let radius = radii[0] + (radii[1] - radii[0]) * place;
    Passed { along, gap: dot(across, across).sqrt() - radius, across }
}

/// How far along a rod the point nearest to a ray is, from 0 to 1.
fn place_on_rod(first: [f32; 3], axis: [f32; 3], direction: [f32; 3]) -> f32 {
    let (length_squared, slope) = (dot(axis, axis), dot(axis, direction));
    let flat = length_squared - slope * slope;
    let place = if flat > 0.0 { (slope * dot(first, direction) - dot(first, axis)) / flat } else { 0.0 };
    place.clamp(0.0, 1.0)
}

/// An ellipsoid: the point of the ray that is nearest where the ellipsoid is the unit sphere decides, to first order.
fn ellipsoid(shape: &TurnedEllipsoid, origin: [f32; 3], direction: [f32; 3]) -> Passed {
    let (aside, along) = passed_in_unit_space(shape, origin, direction);
    let length = dot(aside, aside).sqrt();
    let across = gradient(shape, aside, length);
    Passed { along, gap: (length - 1.0) / dot(across, across).sqrt(), across }
}

/// From the ray to the centre where the ellipsoid is the unit sphere, at the ray's nearest point there, and that point's distance along the ray.
fn passed_in_unit_space(shape: &TurnedEllipsoid, origin: [f32; 3], direction: [f32; 3]) -> ([f32; 3], f32) {
    let radii = unit_space(shape);
    let mapped = |v: [f32; 3]| -> [f32; 3] { std::array::from_fn(|i| dot(v, shape.axes[i]) / radii[i]) };
    let (center, ray) = (mapped(minus(shape.center, origin)), mapped(direction));
    let along = dot(center, ray) / dot(ray, ray);
    (std::array::from_fn(|i| center[i] - ray[i] * along), along)
}

/// The radii by which space is divided so that an ellipsoid becomes the unit sphere: a flat one has a little thickness.
fn unit_space(shape: &TurnedEllipsoid) -> [f32; 3] {
    let least = shape.longest() * 1e-3;
    shape.radii.map(|radius| radius.max(least))
}

/// The gradient in the world of the distance from the centre, at a point where the ellipsoid is the unit sphere.
fn gradient(shape: &TurnedEllipsoid, point: [f32; 3], length: f32) -> [f32; 3] {
    let radii = unit_space(shape);
    let slopes: [f32; 3] = std::array::from_fn(|i| point[i] / (length * radii[i]));
    std::array::from_fn(|axis| {
        (slopes[0] * shape.axes[0][axis] + slopes[1] * shape.axes[1][axis]) + slopes[2] * shape.axes[2][axis]
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::geom::{Caps, Plane, Sphere};
    use crate::scene::spheres::ClipPlane;
    use crate::trace::shade::outlines;

    #[test]
    fn rims_of_round_shapes_are_those_of_spheres() {
        let plane = Plane::through(Vec3::new(0.0, 0.0, -4.75), Vec3::new(0.2, 0.1, 1.0));
        let clip = ClipRegion::new(&[ClipPlane::from(plane)], [0.0; 3]).expect("it cuts");
        let (center, radius) = ([0.1, -0.2, -5.0], 1.0);
        let rod = PlacedShape::Cylinder(Cylinder { start: center, end: center, radius, caps: Caps::Round });
        let ball = PlacedShape::Ellipsoid(TurnedEllipsoid { center, ..TurnedEllipsoid::UNIT });
        let mut cut = 0;
        for step in 0..64_u8 {
            let angle = f32::from(step) * 0.1;
            let [x, y] = [1.02 * libm::cosf(angle) + 0.1, 1.02 * libm::sinf(angle) - 0.2];
            let direction = Vec3::new(x, y, -5.0).normalize().to_array();
            let wanted = outlines::cut_edge(&clip, Sphere { center, radius }, [0.0; 3], direction);
            for shape in [&rod, &ball] {
                let found = cut_edge(&clip, shape, [0.0; 3], direction);
                assert_eq!(found.is_some(), wanted.is_some(), "{step}");
                let (Some(found), Some(wanted)) = (found, wanted) else { continue };
                cut += 1;
                assert!((found.along - wanted.along).abs() < 1e-4, "{step}: {found:?} {wanted:?}");
                assert!((found.gap - wanted.gap).abs() < 1e-4, "{step}: {found:?} {wanted:?}");
            }
        }
        assert!(cut > 20, "{cut}");
    }
}
