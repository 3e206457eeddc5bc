//! Joints of cylinders: spheres and ends between cylinders block no light of their own.

use std::borrow::Cow;

use super::cylinders::{Caps, PaintedCylinder};
use super::placed_list::Placeable;
use super::spheres::{PaintedSphere, ShapeGroup, SphereGroup};
use crate::color::Srgba8;

/// The ends of cylinders, by their places.
#[derive(Debug)]
pub struct CylinderEnds(Vec<CylinderEnd>);

/// An end of a cylinder: its place, the cylinder's radius, and the alpha of its half.
#[derive(Clone, Copy, Debug)]
pub struct CylinderEnd {
    pub place: [f32; 3],
    pub radius: f32,
    pub alpha: u8,
}

impl CylinderEnds {
    pub fn new(ends: impl Iterator<Item = CylinderEnd>) -> Self {
        let mut ends: Vec<CylinderEnd> = ends.collect();
        ends.sort_unstable_by_key(CylinderEnd::bits);
        Self(ends)
    }

    /// Whether two cylinders of at least this radius and alpha end in this place.
    pub fn has_joint(&self, at: &CylinderEnd) -> bool {
        let first = self.0.partition_point(|end| end.bits() < at.bits());
        let here = self.0[first..].iter().take_while(|end| end.bits() == at.bits());
        here.filter(|end| end.radius >= at.radius && end.alpha >= at.alpha).count() > 1
    }
}

impl CylinderEnd {
    /// The bits of the place; −0 counts as 0.
    fn bits(&self) -> [u32; 3] {
        self.place.map(|along| (along + 0.0).to_bits())
    }
}

/// A group of spheres, except spheres in which two cylinders of at least their radius and opacity end. `companion` is the
/// group's number.
pub fn without_joints<'a>(
    group: &'a SphereGroup<'_>,
    companion: usize,
    cylinders: &[ShapeGroup<'_, PaintedCylinder>],
) -> SphereGroup<'a> {
    let own = cylinders.iter().filter(|tubes| tubes.companion == companion && tubes.poses == group.poses);
    let ends = CylinderEnds::new(own.flat_map(|tubes| tubes.shapes.iter().flat_map(ends)));
    let is_joint = |sphere: &PaintedSphere| {
        ends.has_joint(&CylinderEnd { place: sphere.center, radius: sphere.radius, alpha: sphere.color.a })
    };
    if !group.spheres.iter().any(|sphere| is_joint(&sphere)) {
        return group.borrowed();
    }
    let spheres: Vec<PaintedSphere> = group.spheres.iter().filter(|sphere| !is_joint(sphere)).collect();
    SphereGroup::new(spheres, Cow::Borrowed(&group.poses[..]))
}

/// The round ends of cylinders that block light of their own: half of the ball at an end that no other cylinder shares.
pub(super) fn round_ends<'a>(tubes: &'a ShapeGroup<'_, PaintedCylinder>) -> Option<SphereGroup<'a>> {
    let is_round = |cylinder: &&PaintedCylinder| cylinder.caps == Caps::Round && !cylinder.solid().is_empty();
    tubes.shapes.iter().any(|cylinder| is_round(&cylinder)).then(|| {
        let all = CylinderEnds::new(tubes.shapes.iter().flat_map(ends));
        let free = tubes.shapes.iter().filter(is_round).flat_map(ends).filter(|end| !all.has_joint(end));
        let half = |CylinderEnd { place, radius, alpha }: CylinderEnd| {
            PaintedSphere::new(place, radius * std::f32::consts::FRAC_1_SQRT_2, Srgba8::BLACK.with_alpha(alpha))
        };
        SphereGroup::new(free.map(half).collect::<Vec<_>>(), &tubes.poses[..])
    })
}

fn ends(cylinder: &PaintedCylinder) -> [CylinderEnd; 2] {
    let PaintedCylinder { start, end, radius, colors, .. } = *cylinder;
    let [first, last] = colors.map(|color| color.a);
    [CylinderEnd { place: start, radius, alpha: first }, CylinderEnd { place: end, radius, alpha: last }]
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn round_ends_that_cylinders_share_are_none_of_their_own() {
        let tube =
            |x: f32, caps| PaintedCylinder::new([x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], 0.2, Srgba8::BLACK).with_caps(caps);
        let round = ShapeGroup::new(vec![tube(0.0, Caps::Round), tube(1.0, Caps::Round)], vec![Pose::IDENTITY]);
        let found = round_ends(&round).expect("round ends");
        let places: Vec<f32> = found.spheres.iter().map(|sphere| sphere.center[0]).collect();
        assert_eq!(places, [0.0, 2.0]);
        assert!(round_ends(&ShapeGroup::new(vec![tube(0.0, Caps::Flat)], vec![Pose::IDENTITY])).is_none());
    }
}
