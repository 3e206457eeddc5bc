//! How far rays pass from the silhouettes and cut rims of shapes other than spheres, for outlines.

use super::outlines::Edge;
use crate::lanes::{dot, norm, point_at};
use crate::shapes::{Passed, Primitive, ShapeVisitor, Silhouette};
use crate::trace::find::clip::ClipRegion;

/// Where a ray passes the silhouette of a shape, as outlines measure it.
pub(super) struct WholeEdge {
    pub origin: [f32; 3],
    pub direction: [f32; 3],
    /// The direction of view.
    pub forward: [f32; 3],
}

impl ShapeVisitor for WholeEdge {
    type Output = Edge;

    fn visit<P: Primitive>(self, shape: P) -> Edge {
        let Passed { along, gap, across } = shape.silhouette().passed(self.origin, self.direction);
        // how fast the ray moves away from the shape along the picture
        let tilt = dot(across, self.forward) / norm(across);
        Edge { along, gap: gap / (1.0 - tilt * tilt).max(0.0).sqrt() }
    }
}

/// Where a ray passes the rim of a shape's cap, where planes cut the shape's silhouette away; `None` elsewhere.
pub(super) struct CutEdge<'a> {
    pub clip: &'a ClipRegion,
    pub origin: [f32; 3],
    pub direction: [f32; 3],
}

impl ShapeVisitor for CutEdge<'_> {
    type Output = Option<Edge>;

    fn visit<P: Primitive>(self, shape: P) -> Option<Edge> {
        let Self { clip, origin, direction } = self;
        let silhouette = shape.silhouette();
        let (normal, offset) = clip.cutting_plane(silhouette.nearest_point(origin, direction))?;
        let slope = dot(direction, normal);
        let along = (offset - dot(origin, normal)) / slope;
        let (gap, outward) = silhouette.distance(point_at(origin, direction, along));
        // how fast the distance grows in the picture while the point stays in the plane
        let tilt = dot(outward, direction) / slope;
        let growth = point_at(outward, normal, -tilt);
        Some(Edge { along, gap: gap / norm(growth) })
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::geom::{Caps, Cylinder, Plane, Sphere, TurnedEllipsoid};
    use crate::scene::PlacedShape;
    use crate::scene::spheres::ClipPlane;
    use crate::shapes::visit_shape;
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
            for shape in [rod, ball] {
                let found = visit_shape(shape, CutEdge { clip: &clip, origin: [0.0; 3], direction });
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
                let (direction_of, forward) = (direction.to_array(), [0.0, 0.0, -1.0]);
                let Edge { gap, .. } = WholeEdge { origin: [0.0; 3], direction: direction_of, forward }.visit(cylinder);
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
            let (found, direction) = cylinder.silhouette().distance(point);
            assert!((found - expected).abs() < 1e-6, "{point:?}: {found}");
            assert!((Vec3::from(direction) - Vec3::from(outward)).length() < 1e-5, "{point:?}: {direction:?}");
        }
    }
}
