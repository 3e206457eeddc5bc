//! The shapes of one kind under one running index, placed by their poses and relative to the eye.
#![expect(clippy::cast_possible_truncation, reason = "indices fit 32 bits; their number is checked first")]

use std::ops::Range;

use fearless_simd::Simd;
use rayon::prelude::*;

use super::instances::Opacity;
use super::shape_group::ShapeGroup;
use super::sphere_arrays::alpha_range;
use super::spheres::{Gloss, PaintedSphere, Pose};
use crate::color::Srgba8;
use crate::geom::Sphere;
use crate::lanes::LANES;

/// Shapes of one parallel task.
const CHUNK: usize = 1 << 14;

/// A shape that is placed by a pose.
pub trait Placeable: Clone + Sync {
    /// The shape without its colours.
    type Solid: SolidExtent + Copy + PartialEq + Sync;

    /// Indices per shape.
    const INDICES: u32;

    /// The shape in the coordinates of its group.
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

    /// One colour per index.
    fn colors(&self) -> &[Srgba8];

    fn colors_mut(&mut self) -> &mut [Srgba8];

    /// The least and the greatest alpha.
    #[inline(always)]
    fn alphas(&self) -> [u8; 2] {
        alpha_range(self.colors().iter().map(|color| color.a))
    }

    /// The alpha of the part of the shape around a point, in the coordinates of its group.
    fn alpha_at(&self, _: [f32; 3]) -> u8 {
        let [_, greatest] = self.alphas();
        greatest
    }

    /// Two spheres whose convex hull contains the shape. A negative radius stands for no sphere.
    fn hull(&self) -> [PaintedSphere; 2];
}

/// The world position of a point of a group, relative to an eye, with the same rounding as for spheres.
#[inline(always)]
pub(super) fn from_eye(point: [f32; 3], pose: Option<&Pose>, eye: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = pose.map_or(point, |pose| pose.apply(point));
    [x - eye[0], y - eye[1], z - eye[2]]
}

/// The extent of a shape.
pub trait SolidExtent {
    /// A bounding sphere.
    fn around(&self) -> Sphere<3>;

    /// A bounding box; from infinity to minus infinity for an empty shape.
    fn bounds(&self) -> [[f32; 3]; 2];

    /// The sphere that replaces a point of the shape in occlusion without rays.
    fn stand_in(&self) -> Sphere<3> {
        self.around()
    }

    /// Appends the spheres that replace the shape in occlusion without rays.
    fn stand_ins(&self, spheres: &mut Vec<Sphere<3>>) {
        spheres.push(self.stand_in());
    }

    /// The largest radius across the shape.
    fn radius_across(&self) -> f32;
}

/// A sphere around all points within `beyond` of a segment.
pub(super) fn around_segment([start, end]: [[f32; 3]; 2], beyond: f32) -> Sphere<3> {
    let half = [0, 1, 2].map(|axis| 0.5 * (end[axis] - start[axis]));
    let length = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt();
    Sphere { center: [0, 1, 2].map(|axis| start[axis] + half[axis]), radius: length + beyond }
}

/// The bounding box of two spheres with these radii at the ends of a segment.
pub(super) fn bounds_of_segment([start, end]: [[f32; 3]; 2], radii: [f32; 2]) -> [[f32; 3]; 2] {
    [
        [0, 1, 2].map(|axis| (start[axis] - radii[0]).min(end[axis] - radii[1])),
        [0, 1, 2].map(|axis| (start[axis] + radii[0]).max(end[axis] + radii[1])),
    ]
}

/// The bounds of an empty shape.
pub(super) const NO_BOUNDS: [[f32; 3]; 2] = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

/// All shapes of one kind. Numbers count through groups, then poses, then shapes.
#[derive(Debug)]
pub struct PlacedList<'a, T: Clone> {
    pub groups: &'a [ShapeGroup<'a, T>],
    pub eye: [f32; 3],
    /// The index of the first shape.
    pub first: u32,
    pub count: u32,
    /// Which shapes are visited.
    pub only: Opacity,
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
    pub(super) fn new(groups: &'a [ShapeGroup<'a, T>], eye: [f32; 3], first: u64) -> Self {
        let count: u64 = groups.iter().map(ShapeGroup::count).sum();
        Self { groups, eye, first: first as u32, count: count as u32, only: Opacity::Any }
    }

    /// The first index of the shape with this number.
    #[inline(always)]
    pub fn index(&self, number: u32) -> u32 {
        self.first + number * T::INDICES
    }

    /// The number of the shape with this index.
    #[inline(always)]
    pub fn number(&self, index: u32) -> u32 {
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

    /// The shape with this number in the coordinates of its group, and its pose.
    #[inline(always)]
    pub fn posed(&self, number: u32) -> (&'a T, &'a Pose) {
        let Found { group, shape, copy } = self.find(number);
        (&group.shapes[shape], &group.poses[copy])
    }

    /// The shape with this index, relative to the eye.
    #[inline(always)]
    pub(super) fn solid(&self, index: u32) -> T::Solid {
        let (shape, pose) = self.posed(self.number(index));
        shape.placed(pose, self.eye)
    }

    /// The solids of one to eight shapes, given with their poses, relative to the eye. Missing ones are copies of the
    /// last.
    #[inline(always)]
    pub fn solids<'b, S: Simd>(
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
        // most have the same pose as the one before
        let mut last = (shapes[0].1, shapes[0].1.unless_identity());
        for (solid, (_, pose)) in solids.iter_mut().zip(shapes) {
            if !std::ptr::eq(pose, last.0) {
                last = (pose, pose.unless_identity());
            }
            *solid = T::moved(*solid, last.1, self.eye);
        }
        solids
    }

    /// Visits the solids of a range of numbers in order, except shapes of another opacity.
    pub fn for_each(&self, range: Range<u32>, mut visit: impl FnMut(u32, T::Solid)) {
        self.for_each_posed(range, |number, shape, pose| visit(number, shape.placed(pose, self.eye)));
    }

    /// As [`PlacedList::for_each`], with each shape in the coordinates of its group, and its pose.
    #[inline(always)]
    pub fn for_each_posed(&self, range: Range<u32>, mut visit: impl FnMut(u32, &'a T, &'a Pose)) {
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

    /// The shape with this index in the coordinates of its group, and its pose.
    pub fn original(&self, index: u32) -> (&'a T, Pose) {
        let (shape, pose) = self.posed(self.number(index));
        (shape, *pose)
    }
}

/// A list of shapes of any kind.
pub(super) trait ShapeList {
    /// The index after the last one.
    fn end(&self) -> u64;

    fn count(&self) -> u64;

    /// Whether any shape would be visited.
    fn has_any(&self) -> bool;

    /// As [`ShapeList::has_any`], from a sample of about this many shapes per group.
    fn has_some(&self, sampled: usize) -> bool;

    /// Adds the number of shapes with each alpha; a cylinder of two counts for both, and copies count once.
    fn count_alphas(&self, counts: &mut [u64; 256]);

    /// Widens a box to contain the visited shapes.
    fn widen(&self, bounds: &mut [[f32; 3]; 2]);

    fn color(&self, index: u32) -> Srgba8;

    /// The shape's own highlights, if it has any.
    fn gloss(&self, index: u32) -> Option<Gloss>;

    /// The part of a shape: companion group of spheres, copy, and number of the part.
    fn part(&self, index: u32) -> (usize, usize, u32);
}

impl<T: Placeable> ShapeList for PlacedList<'_, T> {
    fn end(&self) -> u64 {
        u64::from(self.first) + u64::from(self.count) * u64::from(T::INDICES)
    }

    fn count(&self) -> u64 {
        u64::from(self.count)
    }

    fn has_any(&self) -> bool {
        let is_visited = |shape: &T| self.only.includes_shape(shape.alphas());
        let has_visited = |shapes: &[T]| shapes.iter().any(is_visited);
        self.groups.iter().any(|group| !group.poses.is_empty() && group.shapes.par_chunks(CHUNK).any(has_visited))
    }

    fn has_some(&self, sampled: usize) -> bool {
        self.groups.iter().any(|group| {
            let mut some = group.shapes.iter().step_by((group.shapes.len() / sampled).max(1));
            !group.poses.is_empty() && some.any(|shape| self.only.includes_shape(shape.alphas()))
        })
    }

    fn count_alphas(&self, counts: &mut [u64; 256]) {
        for shape in self.groups.iter().flat_map(|group| &group.shapes[..]) {
            let [least, greatest] = shape.alphas();
            counts[usize::from(greatest)] += 1;
            if least < greatest {
                counts[usize::from(least)] += 1;
            }
        }
    }

    fn widen(&self, [least, greatest]: &mut [[f32; 3]; 2]) {
        self.for_each(0..self.count, |_, solid| {
            let [min, max] = solid.bounds();
            for axis in 0..3 {
                least[axis] = least[axis].min(min[axis]);
                greatest[axis] = greatest[axis].max(max[axis]);
            }
        });
    }

    fn color(&self, index: u32) -> Srgba8 {
        let Found { group, shape, .. } = self.find(self.number(index));
        group.shapes[shape].colors()[((index - self.first) % T::INDICES) as usize]
    }

    fn gloss(&self, index: u32) -> Option<Gloss> {
        let Found { group, shape, .. } = self.find(self.number(index));
        group.gloss.get(shape).copied().flatten()
    }

    fn part(&self, index: u32) -> (usize, usize, u32) {
        let Found { group, shape, copy } = self.find(self.number(index));
        (group.companion, copy, group.parts.get(shape).copied().unwrap_or(0))
    }
}
