//! Every cylinder, ellipsoid and cone of a scene under one running index, placed by its pose and seen from the eye.
//!
//! Indices continue after the spheres: two for each cylinder, one a half, then one for each ellipsoid, then one for
//! each cone.
#![expect(clippy::cast_possible_truncation, reason = "indices fit 32 bits; their number is checked first")]

use std::ops::Range;

use fearless_simd::Simd;
use rayon::prelude::*;

use super::arrows::PaintedCone;
use super::cylinders::PaintedCylinder;
use super::ellipsoids::PaintedEllipsoid;
use super::instances::{Opacity, PrimitiveId};
use super::spheres::{Gloss, Pose, ShapeGroup, Shapes};
use crate::color::Srgba8;
use crate::geom::{Cone, Cylinder, Sphere, TurnedEllipsoid};
use crate::lanes::LANES;

/// Shapes that a thread looks through at a time.
const CHUNK: usize = 1 << 14;

/// A shape that is placed by a pose.
pub(crate) trait Placeable: Clone + Sync {
    /// The shape without its colours.
    type Solid: Copy + PartialEq + Sync;

    /// Indices of each shape.
    const INDICES: u32;

    /// The shape where its group has it.
    fn solid(&self) -> Self::Solid;

    /// The solids of eight shapes.
    #[inline(always)]
    fn solids<S: Simd>(_: S, shapes: [&Self; LANES]) -> [Self::Solid; LANES] {
        let mut solids = [shapes[0].solid(); LANES];
        for (solid, shape) in solids.iter_mut().zip(shapes).skip(1) {
            *solid = shape.solid();
        }
        solids
    }

    /// A solid in a pose, relative to an eye.
    fn moved(solid: Self::Solid, pose: Option<&Pose>, eye: [f32; 3]) -> Self::Solid;

    /// The shape in a pose, relative to an eye.
    #[inline(always)]
    fn placed(&self, pose: &Pose, eye: [f32; 3]) -> Self::Solid {
        Self::moved(self.solid(), pose.unless_identity(), eye)
    }

    /// The colour at one of its indices.
    fn color(&self, index: u32) -> Srgba8;

    #[inline(always)]
    fn alphas(&self) -> [u8; 2] {
        [self.color(0).a; 2]
    }
}

/// The position of a point of a group in the world, relative to an eye, rounded as that of spheres is.
#[inline(always)]
fn from_eye(point: [f32; 3], pose: Option<&Pose>, eye: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = pose.map_or(point, |pose| pose.apply(point));
    [x - eye[0], y - eye[1], z - eye[2]]
}

impl Placeable for PaintedCylinder {
    type Solid = Cylinder;

    const INDICES: u32 = 2;

    #[inline(always)]
    fn solid(&self) -> Cylinder {
        self.body()
    }

    #[inline(always)]
    fn moved(solid: Cylinder, pose: Option<&Pose>, eye: [f32; 3]) -> Cylinder {
        Cylinder { start: from_eye(solid.start, pose, eye), end: from_eye(solid.end, pose, eye), ..solid }
    }

    #[inline(always)]
    fn color(&self, index: u32) -> Srgba8 {
        self.colors[(index & 1) as usize]
    }

    #[inline(always)]
    fn alphas(&self) -> [u8; 2] {
        let [start, end] = self.colors.map(|color| color.a);
        [start.min(end), start.max(end)]
    }
}

impl Placeable for PaintedEllipsoid {
    type Solid = TurnedEllipsoid;

    const INDICES: u32 = 1;

    #[inline(always)]
    fn solid(&self) -> TurnedEllipsoid {
        self.body()
    }

    #[inline(always)]
    fn solids<S: Simd>(simd: S, shapes: [&Self; LANES]) -> [TurnedEllipsoid; LANES] {
        Self::bodies(simd, shapes)
    }

    #[inline(always)]
    fn moved(solid: TurnedEllipsoid, pose: Option<&Pose>, eye: [f32; 3]) -> TurnedEllipsoid {
        let turned = |pose: &Pose, axis: [f32; 3]| (pose.rotation * glam::Vec3::from(axis)).to_array();
        let axes = pose.map_or(solid.axes, |pose| solid.axes.map(|axis| turned(pose, axis)));
        TurnedEllipsoid { center: from_eye(solid.center, pose, eye), axes, ..solid }
    }

    #[inline(always)]
    fn color(&self, _: u32) -> Srgba8 {
        self.color
    }
}

impl Placeable for PaintedCone {
    type Solid = Cone;

    const INDICES: u32 = 1;

    #[inline(always)]
    fn solid(&self) -> Cone {
        self.body()
    }

    #[inline(always)]
    fn moved(solid: Cone, pose: Option<&Pose>, eye: [f32; 3]) -> Cone {
        Cone { base: from_eye(solid.base, pose, eye), apex: from_eye(solid.apex, pose, eye), ..solid }
    }

    #[inline(always)]
    fn color(&self, _: u32) -> Srgba8 {
        self.color
    }
}

/// A shape of a scene, relative to the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlacedShape {
    Cylinder(Cylinder),
    Ellipsoid(TurnedEllipsoid),
    Cone(Cone),
}

impl PlacedShape {
    pub(crate) fn around(&self) -> Sphere<3> {
        let ball = |a: [f32; 3], b: [f32; 3], beyond: f32| {
            let half = [0, 1, 2].map(|axis| 0.5 * (b[axis] - a[axis]));
            let length = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt();
            Sphere { center: [0, 1, 2].map(|axis| a[axis] + half[axis]), radius: length + beyond }
        };
        match self {
            Self::Cylinder(shape) => ball(shape.start, shape.end, shape.radius),
            Self::Ellipsoid(shape) => Sphere { center: shape.center, radius: shape.longest() },
            Self::Cone(shape) => ball(shape.base, shape.apex, shape.radius),
        }
    }

    pub(crate) fn bounds(&self) -> [[f32; 3]; 2] {
        let around = |a: [f32; 3], b: [f32; 3], [by_a, by_b]: [f32; 2]| {
            [[0, 1, 2].map(|i| (a[i] - by_a).min(b[i] - by_b)), [0, 1, 2].map(|i| (a[i] + by_a).max(b[i] + by_b))]
        };
        let nothing = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        match self {
            Self::Cylinder(shape) if shape.is_empty() => nothing,
            Self::Ellipsoid(shape) if shape.is_empty() => nothing,
            Self::Cone(shape) if shape.is_empty() => nothing,
            Self::Cylinder(shape) => around(shape.start, shape.end, [shape.radius; 2]),
            Self::Ellipsoid(TurnedEllipsoid { center, radii, axes }) => {
                let reach = [0, 1, 2].map(|i| {
                    let along = [0, 1, 2].map(|one| axes[one][i] * radii[one]);
                    ((along[0] * along[0] + along[1] * along[1]) + along[2] * along[2]).sqrt() * 1.000_01
                });
                [[0, 1, 2].map(|i| center[i] - reach[i]), [0, 1, 2].map(|i| center[i] + reach[i])]
            }
            Self::Cone(shape) => around(shape.base, shape.apex, [shape.radius, 0.0]),
        }
    }

    /// The sphere that stands for a part of the shape where occlusion is found without rays.
    pub(crate) fn stand_in(&self) -> Option<Sphere<3>> {
        match self {
            Self::Cylinder(_) => None,
            Self::Ellipsoid(shape) => {
                let [a, b, c] = shape.radii;
                Some(Sphere { center: shape.center, radius: libm::cbrtf(a * b * c) })
            }
            Self::Cone(Cone { base, apex, radius }) => {
                let center = [0, 1, 2].map(|i| base[i] + 0.25 * (apex[i] - base[i]));
                Some(Sphere { center, radius: 0.6 * radius })
            }
        }
    }

    /// The radius across the shape.
    pub(crate) fn thickness(&self) -> f32 {
        match self {
            Self::Cylinder(Cylinder { radius, .. }) | Self::Cone(Cone { radius, .. }) => *radius,
            Self::Ellipsoid(shape) => shape.longest(),
        }
    }
}

/// All shapes of one kind. Numbers count through groups, then poses, then shapes.
#[derive(Debug)]
pub(crate) struct PlacedList<'a, T: Clone> {
    groups: &'a [ShapeGroup<'a, T>],
    pub eye: [f32; 3],
    /// The index of the first shape.
    first: u32,
    pub count: u32,
    /// Which shapes are visited.
    only: Opacity,
}

impl<T: Clone> Clone for PlacedList<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Clone> Copy for PlacedList<'_, T> {}

/// A shape of a list before it is placed.
struct Found<'a, T: Clone> {
    group: &'a ShapeGroup<'a, T>,
    shape: usize,
    copy: usize,
}

impl<'a, T: Placeable> PlacedList<'a, T> {
    fn new(groups: &'a [ShapeGroup<'a, T>], eye: [f32; 3], first: u64) -> Self {
        let count: u64 = groups.iter().map(ShapeGroup::count).sum();
        Self { groups, eye, first: first as u32, count: count as u32, only: Opacity::Any }
    }

    /// Whether any shape would be visited.
    fn has_any(&self) -> bool {
        let is_visited = |shape: &T| self.only.includes_shape(shape.alphas());
        let has_visited = |shapes: &[T]| shapes.iter().any(is_visited);
        self.groups.iter().any(|group| !group.poses.is_empty() && group.shapes.par_chunks(CHUNK).any(has_visited))
    }

    /// The same if only so many shapes of each group are looked at.
    fn has_some(&self, looked_at: usize) -> bool {
        self.groups.iter().any(|group| {
            let mut some = group.shapes.iter().step_by((group.shapes.len() / looked_at).max(1));
            !group.poses.is_empty() && some.any(|shape| self.only.includes_shape(shape.alphas()))
        })
    }

    /// Adds the number of shapes with each alpha; the most opaque part of a shape decides, and copies count once.
    fn count_alphas(&self, counts: &mut [u64; 256]) {
        for shape in self.groups.iter().flat_map(|group| &group.shapes[..]) {
            let [_, alpha] = shape.alphas();
            counts[usize::from(alpha)] += 1;
        }
    }

    /// The index after the last one.
    fn end(&self) -> u64 {
        u64::from(self.first) + u64::from(self.count) * u64::from(T::INDICES)
    }

    /// The first index of the shape with this number.
    #[inline(always)]
    pub(crate) fn index(&self, number: u32) -> u32 {
        self.first + number * T::INDICES
    }

    /// The number of the shape with this index.
    #[inline(always)]
    pub(crate) fn number(&self, index: u32) -> u32 {
        (index - self.first) / T::INDICES
    }

    #[inline(always)]
    fn find(&self, number: u32) -> Found<'a, T> {
        let mut local = number as usize;
        for group in self.groups {
            let length = group.shapes.len();
            if local < length * group.poses.len() {
                return Found { group, shape: local % length, copy: local / length };
            }
            local -= length * group.poses.len();
        }
        unreachable!("numbers are below the count")
    }

    /// The shape with this number as its group has it, and its pose.
    #[inline(always)]
    pub(crate) fn posed(&self, number: u32) -> (&'a T, &'a Pose) {
        let Found { group, shape, copy } = self.find(number);
        (&group.shapes[shape], &group.poses[copy])
    }

    /// The shape with this number, relative to the eye.
    #[inline(always)]
    pub(crate) fn solid(&self, number: u32) -> T::Solid {
        let (shape, pose) = self.posed(number);
        shape.placed(pose, self.eye)
    }

    /// One to eight shapes, each given with its pose, relative to the eye; of fewer than eight, the rest are copies of
    /// the last.
    #[inline(always)]
    pub(crate) fn solids<'b, S: Simd>(
        &self,
        simd: S,
        count: usize,
        posed: impl Fn(usize) -> (&'b T, &'b Pose),
    ) -> [T::Solid; LANES]
    where
        T: 'b,
    {
        let mut shapes = [posed(0); LANES];
        for (at, shape) in shapes.iter_mut().enumerate().skip(1) {
            *shape = posed(at.min(count - 1));
        }
        let [(a, _), (b, _), (c, _), (d, _), (e, _), (f, _), (g, _), (h, _)] = shapes;
        let mut solids = T::solids(simd, [a, b, c, d, e, f, g, h]);
        // most have the pose of the one before
        let mut last = (shapes[0].1, shapes[0].1.unless_identity());
        for (solid, (_, pose)) in solids.iter_mut().zip(shapes) {
            if !std::ptr::eq(pose, last.0) {
                last = (pose, pose.unless_identity());
            }
            *solid = T::moved(*solid, last.1, self.eye);
        }
        solids
    }

    /// Calls back with the solids of a range of numbers, in order; leaves out shapes of another opacity.
    pub(crate) fn for_each(&self, range: Range<u32>, mut visit: impl FnMut(u32, T::Solid)) {
        self.for_each_posed(range, |number, shape, pose| visit(number, shape.placed(pose, self.eye)));
    }

    /// The same with each shape as its group has it, and its pose.
    #[inline(always)]
    pub(crate) fn for_each_posed(&self, range: Range<u32>, mut visit: impl FnMut(u32, &'a T, &'a Pose)) {
        let (mut start, wanted) = (0usize, range.start as usize..range.end as usize);
        for group in self.groups {
            let length = group.shapes.len();
            for pose in group.poses.iter() {
                let (first, end) = (wanted.start.max(start), wanted.end.min(start + length));
                for number in first..end {
                    let shape = &group.shapes[number - start];
                    if self.only.includes_shape(shape.alphas()) {
                        visit(number as u32, shape, pose);
                    }
                }
                start += length;
            }
        }
    }

    /// The shape with this index as its group has it, and its pose.
    #[cfg(feature = "viewer")]
    pub(crate) fn original(&self, index: u32) -> (&'a T, Pose) {
        let (shape, pose) = self.posed(self.number(index));
        (shape, *pose)
    }

    fn color(&self, index: u32) -> Srgba8 {
        let Found { group, shape, .. } = self.find(self.number(index));
        group.shapes[shape].color(index - self.first)
    }

    /// The highlights of a shape that has some of its own.
    fn gloss(&self, index: u32) -> Option<Gloss> {
        let Found { group, shape, .. } = self.find(self.number(index));
        group.gloss.get(shape).copied().flatten()
    }

    /// The part of a shape: the group of spheres that it is in, its copy there and its number.
    pub(crate) fn part(&self, index: u32) -> (usize, usize, u32) {
        let Found { group, shape, copy } = self.find(self.number(index));
        (group.companion, copy, group.parts.get(shape).copied().unwrap_or(0))
    }
}

/// All shapes of a scene, seen from an eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedShapes<'a> {
    pub cylinders: PlacedList<'a, PaintedCylinder>,
    pub ellipsoids: PlacedList<'a, PaintedEllipsoid>,
    pub cones: PlacedList<'a, PaintedCone>,
}

impl<'a> PlacedShapes<'a> {
    /// The shapes; their indices begin at `spheres`, after the spheres'.
    pub(crate) fn new(shapes: &'a Shapes<'a>, eye: [f32; 3], spheres: u64) -> Self {
        let cylinders = PlacedList::new(&shapes.cylinders, eye, spheres);
        let ellipsoids = PlacedList::new(&shapes.ellipsoids, eye, cylinders.end());
        let cones = PlacedList::new(&shapes.cones, eye, ellipsoids.end());
        Self { cylinders, ellipsoids, cones }
    }

    /// No shapes.
    pub(crate) fn none(spheres: u64) -> Self {
        fn no_list<'b, T: Placeable>(first: u64) -> PlacedList<'b, T> {
            PlacedList::new(&[], [0.0; 3], first)
        }
        Self { cylinders: no_list(spheres), ellipsoids: no_list(spheres), cones: no_list(spheres) }
    }

    /// The same shapes, seen from another eye.
    pub(crate) fn seen_from(self, eye: [f32; 3]) -> Self {
        let Self { cylinders, ellipsoids, cones } = self;
        Self {
            cylinders: PlacedList { eye, ..cylinders },
            ellipsoids: PlacedList { eye, ..ellipsoids },
            cones: PlacedList { eye, ..cones },
        }
    }

    /// The same shapes, of which those of an opacity are visited.
    pub(crate) fn only(self, only: Opacity) -> Self {
        let Self { cylinders, ellipsoids, cones } = self;
        Self {
            cylinders: PlacedList { only, ..cylinders },
            ellipsoids: PlacedList { only, ..ellipsoids },
            cones: PlacedList { only, ..cones },
        }
    }

    /// Whether any shape would be visited.
    pub(crate) fn has_any(&self) -> bool {
        self.cylinders.has_any() || self.ellipsoids.has_any() || self.cones.has_any()
    }

    /// The same if only so many shapes of each group are looked at.
    pub(crate) fn has_some(&self, looked_at: usize) -> bool {
        self.cylinders.has_some(looked_at) || self.ellipsoids.has_some(looked_at) || self.cones.has_some(looked_at)
    }

    /// Adds the number of shapes with each alpha; the most opaque part of a shape decides, and copies count once.
    pub(crate) fn count_alphas(&self, counts: &mut [u64; 256]) {
        self.cylinders.count_alphas(counts);
        self.ellipsoids.count_alphas(counts);
        self.cones.count_alphas(counts);
    }

    /// A box around the shapes that are visited; from infinity to minus infinity if there are none.
    pub(crate) fn bounds(&self) -> [[f32; 3]; 2] {
        fn join<T: Placeable>(
            list: &PlacedList<'_, T>,
            shape: impl Fn(T::Solid) -> PlacedShape,
            [least, greatest]: &mut [[f32; 3]; 2],
        ) {
            list.for_each(0..list.count, |_, solid| {
                let [min, max] = shape(solid).bounds();
                for axis in 0..3 {
                    least[axis] = least[axis].min(min[axis]);
                    greatest[axis] = greatest[axis].max(max[axis]);
                }
            });
        }
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        join(&self.cylinders, PlacedShape::Cylinder, &mut bounds);
        join(&self.ellipsoids, PlacedShape::Ellipsoid, &mut bounds);
        join(&self.cones, PlacedShape::Cone, &mut bounds);
        bounds
    }

    /// The index after the last one.
    pub(crate) fn end(&self) -> u64 {
        self.cones.end()
    }

    pub(crate) fn indices(&self) -> Range<u32> {
        self.cylinders.first..self.end() as u32
    }

    pub(crate) fn count(&self) -> u64 {
        u64::from(self.cylinders.count) + u64::from(self.ellipsoids.count) + u64::from(self.cones.count)
    }

    /// Whether an index is that of a shape, and not of a sphere.
    #[inline(always)]
    pub(crate) fn has(&self, PrimitiveId(index): PrimitiveId) -> bool {
        index >= self.cylinders.first
    }

    /// The shape with this index, relative to the eye.
    pub(crate) fn shape(&self, index: u32) -> PlacedShape {
        let Self { cylinders, ellipsoids, cones } = self;
        if index < ellipsoids.first {
            PlacedShape::Cylinder(cylinders.solid(cylinders.number(index)))
        } else if index < cones.first {
            PlacedShape::Ellipsoid(ellipsoids.solid(ellipsoids.number(index)))
        } else {
            PlacedShape::Cone(cones.solid(cones.number(index)))
        }
    }

    pub(crate) fn color(&self, index: u32) -> Srgba8 {
        let Self { cylinders, ellipsoids, cones } = self;
        if index < ellipsoids.first {
            cylinders.color(index)
        } else if index < cones.first {
            ellipsoids.color(index)
        } else {
            cones.color(index)
        }
    }

    /// The highlights of a shape that has some of its own.
    pub(crate) fn gloss(&self, index: u32) -> Option<Gloss> {
        let Self { cylinders, ellipsoids, cones } = self;
        if index < ellipsoids.first {
            cylinders.gloss(index)
        } else if index < cones.first {
            ellipsoids.gloss(index)
        } else {
            cones.gloss(index)
        }
    }

    /// The group of spheres that a shape is part of, its copy there, and the number of its part.
    pub(crate) fn part(&self, index: u32) -> (usize, usize, u32) {
        let Self { cylinders, ellipsoids, cones } = self;
        if index < ellipsoids.first {
            cylinders.part(index)
        } else if index < cones.first {
            ellipsoids.part(index)
        } else {
            cones.part(index)
        }
    }

    /// The index of the shape as a whole: halves of a cylinder have one.
    #[inline(always)]
    pub(crate) fn whole(&self, index: u32) -> u32 {
        let Self { cylinders, ellipsoids, .. } = self;
        let is_half = index >= cylinders.first && index < ellipsoids.first;
        if is_half { cylinders.first + ((index - cylinders.first) & !1) } else { index }
    }

    /// Whether two indices are those of one shape.
    pub(crate) fn is_same_shape(&self, one: u32, other: u32) -> bool {
        self.whole(one) == self.whole(other)
    }

    /// The place of a primitive among all of a scene: spheres first, then cylinders, then ellipsoids, then cones.
    pub(crate) fn number(&self, index: u32) -> u32 {
        let Self { cylinders, ellipsoids, .. } = self;
        if index < cylinders.first {
            index
        } else if index < ellipsoids.first {
            cylinders.first + cylinders.number(index)
        } else {
            index - cylinders.count
        }
    }
}
