//! Spheres that round off where cylinders meet: between the cylinders they block no light of their own.

use std::borrow::Cow;

use super::cylinders::PaintedCylinder;
use super::spheres::{PaintedSphere, ShapeGroup, SphereGroup};

/// An end of a cylinder: the bits of its place, the radius and the alpha.
type End = ([u32; 3], f32, u8);

/// A group of spheres without those in which two cylinders of at least their radius and opacity end. `companion` is the
/// group's number.
pub fn without_joints<'a>(
    group: &'a SphereGroup<'_>,
    companion: usize,
    cylinders: &[ShapeGroup<'_, PaintedCylinder>],
) -> SphereGroup<'a> {
    let own = cylinders.iter().filter(|tubes| tubes.companion == companion && tubes.poses == group.poses);
    let mut ends: Vec<End> = own.flat_map(|tubes| tubes.shapes.iter().flat_map(ends)).collect();
    ends.sort_unstable_by_key(|end| end.0);
    let is_joint = |sphere: &PaintedSphere| {
        let place = bits(sphere.center);
        let first = ends.partition_point(|end| end.0 < place);
        let here = ends[first..].iter().take_while(|end| end.0 == place);
        here.filter(|(_, radius, alpha)| *radius >= sphere.radius && *alpha >= sphere.color.a).count() > 1
    };
    if ends.is_empty() || !group.spheres.iter().any(|sphere| is_joint(&sphere)) {
        return group.borrowed();
    }
    let spheres: Vec<PaintedSphere> = group.spheres.iter().filter(|sphere| !is_joint(sphere)).collect();
    SphereGroup::new(spheres, Cow::Borrowed(&group.poses[..]))
}

fn ends(cylinder: &PaintedCylinder) -> [End; 2] {
    let PaintedCylinder { start, end, radius, colors, .. } = cylinder;
    [(bits(*start), *radius, colors[0].a), (bits(*end), *radius, colors[1].a)]
}

/// The bits of a place; those of −0 are those of 0.
fn bits(place: [f32; 3]) -> [u32; 3] {
    place.map(|along| (along + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;
    use crate::scene::spheres::Pose;

    #[test]
    fn spheres_between_two_cylinders_are_joints() {
        let rod = |x: f32| PaintedCylinder::new([x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], 0.2, Srgba8::BLACK);
        let ball = |x: f32, radius: f32| PaintedSphere::new([x, -0.0, 0.0], radius, Srgba8::BLACK);
        // an end, a joint, a joint that bulges, an end, and a sphere without a rod
        let balls = vec![ball(0.0, 0.2), ball(1.0, 0.2), ball(2.0, 0.3), ball(3.0, 0.2), ball(9.0, 0.2)];
        let group = SphereGroup::new(balls, vec![Pose::IDENTITY]);
        let rods = ShapeGroup::new(vec![rod(0.0), rod(1.0), rod(2.0)], vec![Pose::IDENTITY]);
        let left = without_joints(&group, 0, std::slice::from_ref(&rods));
        let places: Vec<f32> = left.spheres.iter().map(|sphere| sphere.center[0]).collect();
        assert_eq!(places, [0.0, 2.0, 3.0, 9.0]);
        assert_eq!(without_joints(&group, 1, std::slice::from_ref(&rods)).spheres.len(), 5, "of another group");
        let faint = vec![PaintedCylinder { colors: [Srgba8::rgba(0, 0, 0, 99); 2], ..rod(1.0) }];
        let faint = ShapeGroup::new(faint, vec![Pose::IDENTITY]);
        assert_eq!(without_joints(&group, 0, &[faint]).spheres.len(), 5);
    }
}
