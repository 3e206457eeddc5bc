//! Shapes that go with the spheres of a group: sticks between them, ellipsoids in their place, arrows at them.

use crate::dataset::bonding;
use crate::dataset::sticks::Stick;
use crate::rows::glyphs::{RowArrow, RowCylinder, RowEllipsoid};
use crate::scene::arrows::{PaintedArrow, PaintedCone};
use crate::scene::cylinders::PaintedCylinder;
use crate::scene::ellipsoids::PaintedEllipsoid;
use crate::scene::spheres::{PaintedSphere, ShapeGroup, Shapes, SphereGroup};

/// Shapes with the numbers of their spheres, which give them colours and parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Attached {
    pub(crate) sticks: Vec<Stick>,
    pub(crate) cylinders: Vec<RowCylinder>,
    pub(crate) ellipsoids: Vec<RowEllipsoid>,
    pub(crate) arrows: Vec<RowArrow>,
    pub(crate) has_rings: bool,
}

impl Attached {
    /// The shapes of the kept spheres, renumbered.
    pub(crate) fn kept(&self, kept: &[bool]) -> Self {
        let places = bonding::places(kept);
        let place = |row: u32| kept[row as usize].then(|| places[row as usize]);
        let stick = |stick: &Stick| stick.renumbered(place);
        let cylinder = |of: &RowCylinder| Some(RowCylinder { row: place(of.row)?, ..*of });
        let ellipsoid = |of: &RowEllipsoid| Some(RowEllipsoid { row: place(of.row)?, ..*of });
        let arrow = |of: &RowArrow| Some(RowArrow { row: place(of.row)?, ..*of });
        Self {
            sticks: self.sticks.iter().filter_map(stick).collect(),
            cylinders: self.cylinders.iter().filter_map(cylinder).collect(),
            ellipsoids: self.ellipsoids.iter().filter_map(ellipsoid).collect(),
            arrows: self.arrows.iter().filter_map(arrow).collect(),
            has_rings: self.has_rings,
        }
    }

    /// Bytes of the shapes that are made from these.
    pub(crate) fn bytes(&self) -> u64 {
        const ARROW: usize = size_of::<PaintedCylinder>() + size_of::<PaintedCone>();
        let bytes = size_of::<PaintedCylinder>() * (self.sticks.len() + self.cylinders.len())
            + size_of::<PaintedEllipsoid>() * self.ellipsoids.len() * if self.has_rings { 4 } else { 1 }
            + ARROW * self.arrows.len();
        bytes as u64
    }

    /// The rings that these add to a group, copies counted.
    pub(crate) fn rings(&self, group: &SphereGroup<'_>) -> u64 {
        self.ringed(group).count() as u64 * 3 * group.poses.len() as u64
    }

    fn ringed(&self, group: &SphereGroup<'_>) -> impl Iterator<Item = &RowEllipsoid> {
        let is_opaque = |of: &&RowEllipsoid| group.spheres.at(of.row as usize).color.a == u8::MAX;
        self.ellipsoids.iter().filter(|_| self.has_rings).filter(is_opaque)
    }

    fn is_empty(&self) -> bool {
        self.sticks.is_empty() && self.cylinders.is_empty() && self.ellipsoids.is_empty() && self.arrows.is_empty()
    }

    /// Adds the shapes of a group of spheres; `place` is its index among all groups.
    fn add_to(&self, shapes: &mut Shapes<'static>, group: &SphereGroup<'_>, place: usize) {
        let sphere = |row: u32| group.spheres.at(row as usize);
        let part = |row: u32| group.parts.get(row as usize).copied().unwrap_or(0);
        let place_of = |row: u32| (row, part(row));
        let grouping = ShapeGrouping { group, place };
        let stick = |stick: &Stick| (stick.painted(|row| sphere(row).color), place_of(stick.first()));
        let cylinder = |of: &RowCylinder| (of.painted(&sphere(of.row)), place_of(of.row));
        let ellipsoid = |of: &RowEllipsoid| (of.painted(&sphere(of.row)), place_of(of.row));
        let arrows: Vec<(PaintedArrow, (u32, u32))> =
            self.arrows.iter().map(|of| (of.painted(&sphere(of.row)), place_of(of.row))).collect();
        let shafts = arrows.iter().filter_map(|(arrow, part)| Some((arrow.shaft()?, *part)));
        let rods = self.cylinders.iter().map(cylinder);
        let cylinders = self.sticks.iter().map(stick).chain(rods).chain(shafts).collect();
        let cones = arrows.iter().filter_map(|(arrow, part)| Some((arrow.head()?, *part))).collect();
        shapes.cylinders.extend(grouping.shapes(cylinders));
        let rings = self.ringed(group).flat_map(|of| of.rings(&sphere(of.row)).map(|ring| (ring, place_of(of.row))));
        shapes.ellipsoids.extend(grouping.shapes(self.ellipsoids.iter().map(ellipsoid).chain(rings).collect()));
        shapes.cones.extend(grouping.shapes(cones));
    }
}

/// Gives shapes the poses, the parts and the highlights of their spheres.
struct ShapeGrouping<'a> {
    group: &'a SphereGroup<'a>,
    /// The index of the group among all.
    place: usize,
}

impl ShapeGrouping<'_> {
    /// A group of shapes, each with its row and its part; `None` if there are none.
    fn shapes<T: Clone>(&self, shapes: Vec<(T, (u32, u32))>) -> Option<ShapeGroup<'static, T>> {
        let (shapes, places): (Vec<T>, Vec<(u32, u32)>) = shapes.into_iter().unzip();
        let parts: Vec<u32> = places.iter().map(|(_, part)| *part).collect();
        let gloss: Vec<_> = places.iter().filter_map(|(row, _)| self.group.gloss.get(*row as usize).copied()).collect();
        (!shapes.is_empty())
            .then(|| ShapeGroup::new(shapes, self.group.poses.to_vec()).with_parts(parts, self.place).with_gloss(gloss))
    }
}

/// The shapes of groups, with the same poses and parts.
pub(crate) fn shapes(groups: &[SphereGroup<'_>], attached: &[Attached]) -> Shapes<'static> {
    let mut shapes = Shapes::default();
    for (place, (group, attached)) in groups.iter().zip(attached).enumerate().filter(|(_, (_, of))| !of.is_empty()) {
        attached.add_to(&mut shapes, group, place);
    }
    shapes
}

/// The shapes of groups whose copies were painted in place. `before` are the groups before that: spheres once, and a
/// pose for each copy.
pub(crate) fn shapes_in_place(
    groups: &[SphereGroup<'_>],
    attached: &[Attached],
    before: &[SphereGroup<'_>],
) -> Shapes<'static> {
    let mut shapes = Shapes::default();
    let filled = groups.iter().zip(attached).enumerate().filter(|(_, (_, of))| !of.is_empty());
    for (place, (group, attached)) in filled {
        let (one, count) = (&before[place], before[place].spheres.len());
        for (copy, pose) in one.poses.iter().enumerate() {
            let color = |row: usize| group.spheres.at(copy * count + row).color;
            let own = one.spheres.iter().enumerate();
            let spheres: Vec<_> = own.map(|(row, sphere)| PaintedSphere { color: color(row), ..sphere }).collect();
            let parts: Vec<u32> = group.parts.iter().skip(copy * count).take(count).copied().collect();
            let own = SphereGroup::new(spheres, vec![*pose]).with_parts(parts).with_gloss(&one.gloss[..]);
            attached.add_to(&mut shapes, &own, place);
        }
    }
    shapes
}
