//! All kinds of shapes other than spheres: their lists in a scene, and their indices, which follow the spheres'
//! indices.
//!
//! A cylinder has two indices, one per half; an ellipsoid and a cone have one each. A new kind of shape is added in
//! this file wherever these three are named, and nowhere else in `scene`.
#![expect(clippy::cast_possible_truncation, reason = "indices fit 32 bits; their number is checked first")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::arrows::{PaintedArrow, PaintedCone};
use super::cylinders::PaintedCylinder;
use super::ellipsoids::PaintedEllipsoid;
use super::instances::{Opacity, PrimitiveId};
use super::joints::round_ends;
use super::placed_list::{NO_BOUNDS, Placeable, PlacedList, ShapeList, SolidExtent};
use super::spheres::{Gloss, PaintedSphere, Pose, ShapeGroup, SphereGroup, SphereScene};
use crate::color::Srgba8;
use crate::geom::{Cone, Cylinder, Sphere, TurnedEllipsoid};

/// Up to this many shapes block smooth occlusion and soft shadows as themselves; spheres stand in for more.
pub const MOST_EXACT_OCCLUDERS: u64 = 2000;

/// All shapes of a scene that are not spheres.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::arrows::PaintedArrow;
/// use roundel::spheres::Shapes;
///
/// let force = PaintedArrow::new([0.0; 3], [0.0, 0.0, 2.0], 0.1, Srgba8::BLACK);
/// let shapes = Shapes::default().with_arrows(&[force]);
/// assert_eq!(shapes.count(), 2, "a shaft and a head");
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Shapes<'a> {
    /// Cylinders: bonds, rods, the shafts of arrows.
    pub cylinders: Vec<ShapeGroup<'a, PaintedCylinder>>,
    /// Ellipsoids.
    pub ellipsoids: Vec<ShapeGroup<'a, PaintedEllipsoid>>,
    /// Cones: the heads of arrows.
    pub cones: Vec<ShapeGroup<'a, PaintedCone>>,
}

impl<'a> Shapes<'a> {
    /// Adds the shapes of another scene whose groups of spheres follow `before` groups of this one.
    #[doc(hidden)]
    pub fn append(&mut self, more: Self, before: usize) {
        fn moved<T: Clone>(groups: Vec<ShapeGroup<'_, T>>, before: usize) -> impl Iterator<Item = ShapeGroup<'_, T>> {
            groups.into_iter().map(move |group| ShapeGroup { companion: group.companion + before, ..group })
        }
        self.cylinders.extend(moved(more.cylinders, before));
        self.ellipsoids.extend(moved(more.ellipsoids, before));
        self.cones.extend(moved(more.cones, before));
    }

    /// The shapes with companions in a range of groups of spheres, for a scene of only these groups.
    #[doc(hidden)]
    pub fn of_companions(&self, companions: &Range<usize>) -> Self {
        fn kept<'b, T: Clone>(groups: &[ShapeGroup<'b, T>], companions: &Range<usize>) -> Vec<ShapeGroup<'b, T>> {
            let kept = groups.iter().filter(|group| companions.contains(&group.companion)).cloned();
            kept.map(|group| ShapeGroup { companion: group.companion - companions.start, ..group }).collect()
        }
        Self {
            cylinders: kept(&self.cylinders, companions),
            ellipsoids: kept(&self.ellipsoids, companions),
            cones: kept(&self.cones, companions),
        }
    }

    /// The companions of the shapes in order, each with its number of parts and of copies.
    #[expect(clippy::cast_possible_truncation, reason = "copies are at most as many as indices")]
    pub(crate) fn part_counts(&self) -> BTreeMap<usize, (u32, u32)> {
        fn add<T: Clone>(counts: &mut BTreeMap<usize, (u32, u32)>, groups: &[ShapeGroup<'_, T>]) {
            for group in groups.iter().filter(|group| group.count() > 0) {
                let parts = group.parts.iter().max().map_or(1, |most| most.saturating_add(1));
                let of_companion = counts.entry(group.companion).or_default();
                of_companion.0 = of_companion.0.max(parts);
                of_companion.1 = of_companion.1.max(group.poses.len() as u32);
            }
        }
        let mut counts = BTreeMap::new();
        add(&mut counts, &self.cylinders);
        add(&mut counts, &self.ellipsoids);
        add(&mut counts, &self.cones);
        counts
    }

    /// Sets the alpha of all shapes.
    #[doc(hidden)]
    pub fn set_alpha(&mut self, alpha: u8) {
        fn set<T: Placeable>(groups: &mut [ShapeGroup<'_, T>], alpha: u8) {
            let shapes = groups.iter_mut().flat_map(|group| group.shapes.to_mut());
            shapes.flat_map(T::colors_mut).for_each(|color| color.a = alpha);
        }
        set(&mut self.cylinders, alpha);
        set(&mut self.ellipsoids, alpha);
        set(&mut self.cones, alpha);
    }

    /// Whether any group has highlights of its own.
    pub(crate) fn has_gloss(&self) -> bool {
        fn has_own<T: Clone>(groups: &[ShapeGroup<'_, T>]) -> bool {
            groups.iter().any(|group| !group.gloss.is_empty())
        }
        has_own(&self.cylinders) || has_own(&self.ellipsoids) || has_own(&self.cones)
    }

    /// The same shapes with more cylinders: a vector, a slice or a [`ShapeGroup`].
    #[must_use]
    pub fn with_cylinders(mut self, cylinders: impl Into<ShapeGroup<'a, PaintedCylinder>>) -> Self {
        self.cylinders.push(cylinders.into());
        self
    }

    /// The same shapes with more ellipsoids.
    #[must_use]
    pub fn with_ellipsoids(mut self, ellipsoids: impl Into<ShapeGroup<'a, PaintedEllipsoid>>) -> Self {
        self.ellipsoids.push(ellipsoids.into());
        self
    }

    /// The same shapes with more cones.
    #[must_use]
    pub fn with_cones(mut self, cones: impl Into<ShapeGroup<'a, PaintedCone>>) -> Self {
        self.cones.push(cones.into());
        self
    }

    /// The same shapes with the shafts and heads of arrows.
    #[must_use]
    pub fn with_arrows(self, arrows: &[PaintedArrow]) -> Self {
        let shafts: Vec<PaintedCylinder> = arrows.iter().filter_map(PaintedArrow::shaft).collect();
        let heads: Vec<PaintedCone> = arrows.iter().filter_map(PaintedArrow::head).collect();
        self.with_cylinders(shafts).with_cones(heads)
    }

    /// Number of cylinders, ellipsoids and cones, copies counted.
    #[must_use]
    pub fn counts(&self) -> [u64; 3] {
        [
            self.cylinders.iter().map(ShapeGroup::count).sum(),
            self.ellipsoids.iter().map(ShapeGroup::count).sum(),
            self.cones.iter().map(ShapeGroup::count).sum(),
        ]
    }

    /// Number of all shapes, copies counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Whether there are no shapes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The same shapes, borrowed.
    #[doc(hidden)]
    pub fn borrowed(&self) -> Shapes<'_> {
        Shapes {
            cylinders: self.cylinders.iter().map(ShapeGroup::borrowed).collect(),
            ellipsoids: self.ellipsoids.iter().map(ShapeGroup::borrowed).collect(),
            cones: self.cones.iter().map(ShapeGroup::borrowed).collect(),
        }
    }

    /// Groups of spheres that replace the shapes in occlusion without rays.
    #[doc(hidden)]
    pub fn stand_ins(&self) -> Vec<SphereGroup<'_>> {
        fn stand_ins<'b, T: Placeable>(groups: &'b [ShapeGroup<'_, T>]) -> impl Iterator<Item = SphereGroup<'b>> {
            /// Shapes of one parallel task.
            const CHUNK: usize = 1 << 12;
            let of_chunk = |shapes: &[T]| {
                let (mut spheres, mut bodies) = (Vec::new(), Vec::new());
                for shape in shapes {
                    shape.placed(&Pose::IDENTITY, [0.0; 3]).stand_ins(&mut bodies);
                    let painted = |body: Sphere<3>| {
                        let alpha = shape.alpha_at(body.center);
                        PaintedSphere::new(body.center, body.radius, Srgba8::BLACK.with_alpha(alpha))
                    };
                    spheres.extend(bodies.drain(..).map(painted));
                }
                spheres
            };
            groups.iter().map(move |group| {
                let chunks: Vec<Vec<PaintedSphere>> = group.shapes.par_chunks(CHUNK).map(of_chunk).collect();
                SphereGroup::new(chunks.concat(), &group.poses[..])
            })
        }
        let ends = self.cylinders.iter().filter_map(round_ends);
        let groups = stand_ins(&self.cylinders).chain(ends);
        groups.chain(stand_ins(&self.ellipsoids)).chain(stand_ins(&self.cones)).collect()
    }

    /// Groups of spheres whose convex hulls contain the shapes, for cameras and depths.
    #[doc(hidden)]
    pub fn hulls(&self) -> Vec<SphereGroup<'_>> {
        fn hulls<'b, T: Placeable>(groups: &'b [ShapeGroup<'_, T>]) -> impl Iterator<Item = SphereGroup<'b>> {
            groups.iter().map(|group| {
                let drawn = |sphere: &PaintedSphere| sphere.radius >= 0.0;
                let spheres: Vec<PaintedSphere> = group.shapes.iter().flat_map(T::hull).filter(drawn).collect();
                SphereGroup::new(spheres, &group.poses[..])
            })
        }
        hulls(&self.cylinders).chain(hulls(&self.ellipsoids)).chain(hulls(&self.cones)).collect()
    }
}

impl<'a> SphereScene<'a> {
    /// The same scene with more cylinders: a vector, a slice or a [`ShapeGroup`].
    #[must_use]
    pub fn with_cylinders(self, cylinders: impl Into<ShapeGroup<'a, PaintedCylinder>>) -> Self {
        Self { shapes: self.shapes.with_cylinders(cylinders), ..self }
    }

    /// The same scene with more ellipsoids.
    #[must_use]
    pub fn with_ellipsoids(self, ellipsoids: impl Into<ShapeGroup<'a, PaintedEllipsoid>>) -> Self {
        Self { shapes: self.shapes.with_ellipsoids(ellipsoids), ..self }
    }

    /// The same scene with more cones.
    #[must_use]
    pub fn with_cones(self, cones: impl Into<ShapeGroup<'a, PaintedCone>>) -> Self {
        Self { shapes: self.shapes.with_cones(cones), ..self }
    }

    /// The same scene with more arrows.
    #[must_use]
    pub fn with_arrows(self, arrows: &[PaintedArrow]) -> Self {
        Self { shapes: self.shapes.with_arrows(arrows), ..self }
    }
}

/// The groups of spheres, and spheres whose convex hulls contain the other shapes, for cameras.
pub fn framed<'b>(groups: &'b [SphereGroup<'_>], shapes: &'b Shapes<'_>) -> Cow<'b, [SphereGroup<'b>]> {
    if shapes.is_empty() {
        return Cow::Borrowed(groups);
    }
    Cow::Owned(groups.iter().map(SphereGroup::borrowed).chain(shapes.hulls()).collect())
}

/// A shape of a scene, relative to the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlacedShape {
    Cylinder(Cylinder),
    Ellipsoid(TurnedEllipsoid),
    Cone(Cone),
}

impl PlacedShape {
    #[inline]
    pub fn extent(&self) -> &dyn SolidExtent {
        match self {
            Self::Cylinder(shape) => shape,
            Self::Ellipsoid(shape) => shape,
            Self::Cone(shape) => shape,
        }
    }
}

/// All shapes of a scene, relative to an eye.
#[derive(Clone, Copy, Debug)]
pub struct PlacedShapes<'a> {
    pub cylinders: PlacedList<'a, PaintedCylinder>,
    pub ellipsoids: PlacedList<'a, PaintedEllipsoid>,
    pub cones: PlacedList<'a, PaintedCone>,
}

impl<'a> PlacedShapes<'a> {
    /// Places the shapes. Their indices begin at `spheres`, the number of spheres.
    pub fn new(shapes: &'a Shapes<'a>, eye: [f32; 3], spheres: u64) -> Self {
        let cylinders = PlacedList::new(&shapes.cylinders, eye, spheres);
        let ellipsoids = PlacedList::new(&shapes.ellipsoids, eye, cylinders.end());
        let cones = PlacedList::new(&shapes.cones, eye, ellipsoids.end());
        Self { cylinders, ellipsoids, cones }
    }

    /// No shapes.
    pub fn none(spheres: u64) -> Self {
        fn no_list<'b, T: Placeable>(first: u64) -> PlacedList<'b, T> {
            PlacedList::new(&[], [0.0; 3], first)
        }
        Self { cylinders: no_list(spheres), ellipsoids: no_list(spheres), cones: no_list(spheres) }
    }

    /// The same shapes, relative to another eye.
    pub fn seen_from(self, eye: [f32; 3]) -> Self {
        Self {
            cylinders: PlacedList { eye, ..self.cylinders },
            ellipsoids: PlacedList { eye, ..self.ellipsoids },
            cones: PlacedList { eye, ..self.cones },
        }
    }

    /// The same shapes, filtered by opacity when they are visited.
    pub fn only(self, only: Opacity) -> Self {
        Self {
            cylinders: PlacedList { only, ..self.cylinders },
            ellipsoids: PlacedList { only, ..self.ellipsoids },
            cones: PlacedList { only, ..self.cones },
        }
    }

    /// In the order of their indices.
    #[inline]
    fn lists(&self) -> [&dyn ShapeList; 3] {
        [&self.cylinders, &self.ellipsoids, &self.cones]
    }

    /// The list that holds an index.
    #[inline(always)]
    fn list(&self, index: u32) -> &dyn ShapeList {
        let Self { cylinders, ellipsoids, cones } = self;
        if index < ellipsoids.first {
            cylinders
        } else if index < cones.first {
            ellipsoids
        } else {
            cones
        }
    }

    /// The shape with this index, relative to the eye.
    #[inline]
    pub fn shape(&self, index: u32) -> PlacedShape {
        let Self { cylinders, ellipsoids, cones } = self;
        if index < ellipsoids.first {
            PlacedShape::Cylinder(cylinders.solid(index))
        } else if index < cones.first {
            PlacedShape::Ellipsoid(ellipsoids.solid(index))
        } else {
            PlacedShape::Cone(cones.solid(index))
        }
    }

    /// The eye that positions are relative to.
    #[inline]
    pub fn eye(&self) -> [f32; 3] {
        self.cylinders.eye
    }

    /// Whether any shape would be visited.
    pub fn has_any(&self) -> bool {
        self.lists().iter().any(|list| list.has_any())
    }

    /// As [`PlacedShapes::has_any`], from a sample of about this many shapes per group.
    pub fn has_some(&self, sampled: usize) -> bool {
        self.lists().iter().any(|list| list.has_some(sampled))
    }

    /// Adds the number of shapes with each alpha; a cylinder of two counts for both, and copies count once.
    pub(crate) fn count_alphas(&self, counts: &mut [u64; 256]) {
        self.lists().iter().for_each(|list| list.count_alphas(counts));
    }

    /// The bounding box of the visited shapes; from infinity to minus infinity without any.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        let mut bounds = NO_BOUNDS;
        self.lists().iter().for_each(|list| list.widen(&mut bounds));
        bounds
    }

    pub fn indices(&self) -> Range<u32> {
        self.cylinders.first..self.end() as u32
    }

    /// The index after the last one.
    #[inline]
    pub fn end(&self) -> u64 {
        self.lists().last().map_or(0, |list| list.end())
    }

    pub fn count(&self) -> u64 {
        self.lists().iter().map(|list| list.count()).sum()
    }

    /// Whether an index belongs to a shape that is not a sphere.
    #[inline(always)]
    pub fn has(&self, PrimitiveId(index): PrimitiveId) -> bool {
        index >= self.cylinders.first
    }

    #[inline]
    pub fn color(&self, index: u32) -> Srgba8 {
        self.list(index).color(index)
    }

    /// The shape's own highlights, if it has any.
    #[inline]
    pub fn gloss(&self, index: u32) -> Option<Gloss> {
        self.list(index).gloss(index)
    }

    /// The part of a shape: companion group of spheres, copy, and number of the part.
    #[inline]
    pub fn part(&self, index: u32) -> (usize, usize, u32) {
        self.list(index).part(index)
    }

    /// The index of the whole shape: the first index of a cylinder for both halves.
    #[inline(always)]
    pub fn whole(&self, index: u32) -> u32 {
        let Self { cylinders, ellipsoids, .. } = self;
        let is_half = index >= cylinders.first && index < ellipsoids.first;
        if is_half { cylinders.first + ((index - cylinders.first) & !1) } else { index }
    }

    /// The first index of the kind of a shape; 0 for spheres.
    #[inline]
    pub fn first_of_kind(&self, index: u32) -> u32 {
        let Self { cylinders, ellipsoids, cones, .. } = self;
        [cones.first, ellipsoids.first, cylinders.first].into_iter().find(|first| index >= *first).unwrap_or_default()
    }

    /// Whether an index belongs to a shape of two halves.
    pub fn has_halves(&self, index: u32) -> bool {
        (self.cylinders.first..self.ellipsoids.first).contains(&index)
    }

    /// Whether two indices belong to one shape.
    #[inline]
    pub fn is_same_shape(&self, one: u32, other: u32) -> bool {
        self.whole(one) == self.whole(other)
    }

    /// The number of a primitive among all of a scene, where a cylinder counts once: spheres, cylinders, ellipsoids,
    /// cones.
    #[inline]
    pub fn number(&self, index: u32) -> u32 {
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
