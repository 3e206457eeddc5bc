//! How far rays pass from the silhouettes of cylinders, ellipsoids and cones.

use super::outlines::Edge;
use crate::geom::{Caps, Cone, Cylinder, TurnedEllipsoid};
use crate::lanes::{along_and_across, dot, norm, point_at, sub};
use crate::scene::PlacedShape;
use crate::trace::find::clip::ClipRegion;

/// Where a ray passes the silhouette of a shape, as outlines measure it.
pub(super) fn edge(shape: &PlacedShape, origin: [f32; 3], direction: [f32; 3], forward: [f32; 3]) -> Edge {
    let Passed { along, gap, across } = match Silhouette::of(shape) {
        Silhouette::Rod(rod) => rod.passed(origin, direction),
        Silhouette::Ellipsoid(shape) => ellipsoid(shape, origin, direction),
    };
    // how fast the ray moves away from the shape along the picture
    let tilt = dot(across, forward) / norm(across);
    Edge { along, gap: gap / (1.0 - tilt * tilt).max(0.0).sqrt() }
}

/// Where a ray passes the rim of a shape's cap, where planes cut the shape's silhouette away; `None` elsewhere.
pub(super) fn cut_edge(clip: &ClipRegion, shape: &PlacedShape, origin: [f32; 3], direction: [f32; 3]) -> Option<Edge> {
    let (normal, offset) = clip.cutting_plane(silhouette_point(shape, origin, direction))?;
    let slope = dot(direction, normal);
    let along = (offset - dot(origin, normal)) / slope;
    let point = point_at(origin, direction, along);
    let (gap, outward) = distance(shape, point);
    // how fast the distance grows in the picture while the point stays in the plane
    let tilt = dot(outward, direction) / slope;
    let growth = point_at(outward, normal, -tilt);
    Some(Edge { along, gap: gap / norm(growth) })
}

/// The point of a shape's silhouette that is nearest to a ray.
fn silhouette_point(shape: &PlacedShape, origin: [f32; 3], direction: [f32; 3]) -> [f32; 3] {
    match Silhouette::of(shape) {
        Silhouette::Rod(rod) => rod.silhouette_point(origin, direction),
        Silhouette::Ellipsoid(shape) => ellipsoid_point(shape, origin, direction),
    }
}

/// The point of an ellipsoid's silhouette that is nearest to a ray, to first order.
fn ellipsoid_point(shape: &TurnedEllipsoid, origin: [f32; 3], direction: [f32; 3]) -> [f32; 3] {
    let (aside, _) = passed_in_unit_space(shape, origin, direction);
    let scale = unit_space(shape).map(|radius| radius / norm(aside));
    std::array::from_fn(|axis| {
        shape.center[axis]
            - ((aside[0] * scale[0] * shape.axes[0][axis] + aside[1] * scale[1] * shape.axes[1][axis])
                + aside[2] * scale[2] * shape.axes[2][axis])
    })
}

/// The distance of a point from a shape's surface, less than 0 inside and to first order for ellipsoids, and the
/// direction in which it grows.
fn distance(shape: &PlacedShape, point: [f32; 3]) -> (f32, [f32; 3]) {
    match Silhouette::of(shape) {
        Silhouette::Rod(rod) => rod.distance(point),
        Silhouette::Ellipsoid(shape) => {
            let (radii, from) = (unit_space(shape), sub(point, shape.center));
            let mapped: [f32; 3] = std::array::from_fn(|i| dot(from, shape.axes[i]) / radii[i]);
            let length = norm(mapped);
            let growth = gradient(shape, mapped, length);
            let steepness = norm(growth);
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

/// The two kinds of silhouettes.
enum Silhouette<'a> {
    Rod(Rod),
    Ellipsoid(&'a TurnedEllipsoid),
}

impl<'a> Silhouette<'a> {
    fn of(shape: &'a PlacedShape) -> Self {
        match shape {
            &PlacedShape::Cylinder(Cylinder { start, end, radius, caps }) => {
                Self::Rod(Rod { start, end, radii: [radius; 2], is_flat: [caps == Caps::Flat; 2] })
            }
            &PlacedShape::Cone(Cone { base, apex, radius }) => {
                Self::Rod(Rod { start: base, end: apex, radii: [radius, 0.0], is_flat: [true, false] })
            }
            PlacedShape::Ellipsoid(shape) => Self::Ellipsoid(shape),
        }
    }
}

/// A cylinder or a cone: an axis with a radius that may change from end to end.
struct Rod {
    start: [f32; 3],
    end: [f32; 3],
    radii: [f32; 2],
    /// Which ends are discs; the others are spheres, or a point.
    is_flat: [bool; 2],
}

impl Rod {
    fn axis(&self) -> [f32; 3] {
        sub(self.end, self.start)
    }

    /// The point of the axis that is nearest to the ray decides; beyond a flat end, the rim of its disc.
    fn passed(&self, origin: [f32; 3], direction: [f32; 3]) -> Passed {
        let place = self.place(origin, direction);
        let side = self.passed_side(place.clamp(0.0, 1.0), origin, direction);
        let Some(end) = self.flat_end(place) else { return side };
        let (rim, _) = self.rim(end, origin, direction);
        // to first order a disc seen from its edge has no corners; they are no nearer than the sphere around it
        Passed { gap: rim.gap.max(side.gap), ..rim }
    }

    fn passed_side(&self, place: f32, origin: [f32; 3], direction: [f32; 3]) -> Passed {
        let axis = self.axis();
        let to: [f32; 3] = std::array::from_fn(|i| (self.start[i] - origin[i]) + axis[i] * place);
        let (along, across) = along_and_across(to, direction);
        Passed { along, gap: norm(across) - self.radius(place), across }
    }

    fn silhouette_point(&self, origin: [f32; 3], direction: [f32; 3]) -> [f32; 3] {
        let place = self.place(origin, direction);
        if let Some(end) = self.flat_end(place) {
            return self.rim(end, origin, direction).1;
        }
        let place = place.clamp(0.0, 1.0);
        let (axis, Passed { across, .. }) = (self.axis(), self.passed_side(place, origin, direction));
        let reach = self.radius(place) / norm(across);
        std::array::from_fn(|i| (self.start[i] + axis[i] * place) - across[i] * reach)
    }

    /// How far along the axis the point nearest to a ray is: from 0 at its start to 1 at its end, and beyond.
    fn place(&self, origin: [f32; 3], direction: [f32; 3]) -> f32 {
        let (first, axis) = (sub(self.start, origin), self.axis());
        let slope = dot(axis, direction);
        let flat = dot(axis, axis) - slope * slope;
        if flat > 0.0 { (slope * dot(first, direction) - dot(first, axis)) / flat } else { 0.0 }
    }

    fn radius(&self, place: f32) -> f32 {
        self.radii[0] + (self.radii[1] - self.radii[0]) * place
    }

    /// The flat end beyond which a place is.
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
        /// The share of an ellipse's length that it is wide at least.
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

    /// The distance of a point from the surface, less than 0 inside, and the direction in which it grows.
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

/// An ellipsoid: the point of the ray that is nearest where the ellipsoid is the unit sphere decides, to first order.
fn ellipsoid(shape: &TurnedEllipsoid, origin: [f32; 3], direction: [f32; 3]) -> Passed {
    let (aside, along) = passed_in_unit_space(shape, origin, direction);
    let length = norm(aside);
    let across = gradient(shape, aside, length);
    Passed { along, gap: (length - 1.0) / norm(across), across }
}

/// From the ray to the centre where the ellipsoid is the unit sphere, at the ray's nearest point there, and that
/// point's distance along the ray.
fn passed_in_unit_space(shape: &TurnedEllipsoid, origin: [f32; 3], direction: [f32; 3]) -> ([f32; 3], f32) {
    let radii = unit_space(shape);
    let mapped = |v: [f32; 3]| -> [f32; 3] { std::array::from_fn(|i| dot(v, shape.axes[i]) / radii[i]) };
    let (center, ray) = (mapped(sub(shape.center, origin)), mapped(direction));
    let along = dot(center, ray) / dot(ray, ray);
    (point_at(center, ray, -along), along)
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
    use crate::geom::{Plane, Sphere};
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

    /// Whether a ray comes within a flat cylinder, tried at points along it.
    fn meets(start: Vec3, end: Vec3, radius: f32, direction: Vec3) -> bool {
        let axis = (end - start).normalize();
        (0..20_000_u16).any(|step| {
            let from = direction * (3.0 + f32::from(step) * 2e-4) - start;
            let along = from.dot(axis);
            (0.0..=(end - start).length()).contains(&along) && (from - axis * along).length() <= radius
        })
    }

    #[test]
    fn flat_ends_of_cylinders_are_the_rims_of_discs() {
        let radius = 0.5;
        for end in [Vec3::new(1.0, 0.3, -4.6), Vec3::new(0.9, 0.0, -5.0), Vec3::new(0.3, 0.4, -3.8)] {
            let start = Vec3::new(-0.6, -0.2, -5.0);
            let cylinder = Cylinder { start: start.to_array(), end: end.to_array(), radius, caps: Caps::Flat };
            let mut beside = 0;
            for step in 0..24 * 24_u16 {
                let at = |index: u16| f32::from(index) / 12.0 - 1.0;
                let direction = Vec3::new(at(step % 24) * 0.4, at(step / 24) * 0.3, -1.0).normalize();
                let Edge { gap, .. } =
                    edge(&PlacedShape::Cylinder(cylinder), [0.0; 3], direction.to_array(), [0.0, 0.0, -1.0]);
                // first order in perspective
                if gap.abs() > 0.03 {
                    assert_eq!(gap < 0.0, meets(start, end, radius, direction), "{end}, {direction}: {gap}");
                    beside += u32::from(gap > 0.0);
                }
            }
            assert!(beside > 100, "{beside}");
        }
        let cylinder = Cylinder { start: [0.0; 3], end: [2.0, 0.0, 0.0], radius, caps: Caps::Flat };
        for (point, expected, outward) in [
            ([1.0, 1.5, 0.0], 1.0, [0.0, 1.0, 0.0]),
            ([2.25, 0.25, 0.0], 0.25, [1.0, 0.0, 0.0]),
            ([1.9, 0.0, 0.25], -0.1, [1.0, 0.0, 0.0]),
            ([-0.3, 0.0, 0.9], 0.5, [-0.6, 0.0, 0.8]),
        ] {
            let (found, direction) = distance(&PlacedShape::Cylinder(cylinder), point);
            assert!((found - expected).abs() < 1e-6, "{point:?}: {found}");
            assert!((Vec3::from(direction) - Vec3::from(outward)).length() < 1e-5, "{point:?}: {direction:?}");
        }
    }
}
