//! Shapes other than spheres: rows in groups with poses, as spheres have them.

use std::borrow::Cow;
#[cfg(feature = "scene-files")]
use std::ops::Range;

use rayon::prelude::*;

use super::arrows::{PaintedArrow, PaintedCone};
use super::cylinders::PaintedCylinder;
use super::ellipsoids::PaintedEllipsoid;
use super::placed_shapes::{Placeable, PlacedShape};
use super::spheres::{Gloss, PaintedSphere, Pose, SphereGroup};
use crate::color::Srgba8;
use crate::geom::{Caps, Cylinder};
use crate::lanes::{norm, point_at, sub};

/// Cylinders, ellipsoids or cones that are drawn once per pose, as a [`SphereGroup`] is.
///
/// ```
/// use roundel::Srgba8;
/// use roundel::cylinders::PaintedCylinder;
/// use roundel::spheres::{Pose, ShapeGroup};
///
/// let rod = PaintedCylinder::new([0.0; 3], [0.0, 0.0, 2.0], 0.1, Srgba8::WHITE);
/// let copies = [0.0, 1.0].map(|x| Pose::from_translation([x, 0.0, 0.0])).to_vec();
/// assert_eq!(ShapeGroup::new(vec![rod], copies).count(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeGroup<'a, T: Clone> {
    /// In the group's own coordinates.
    pub shapes: Cow<'a, [T]>,
    /// One for each copy; only [`Pose::IDENTITY`] for plain shapes.
    pub poses: Cow<'a, [Pose]>,
    /// The number of the part that each shape belongs to, such as a chain: outlines separate parts. Empty: all belong
    /// to part 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub parts: Cow<'a, [u32]>,
    /// The group of spheres whose parts are meant, by its place in
    /// [`SphereScene::groups`](super::spheres::SphereScene::groups): a bond and its atoms are of one part.
    #[cfg_attr(feature = "serde", serde(default))]
    pub companion: usize,
    /// The highlights of each shape that has other ones than those of the shading. Empty: none has.
    #[cfg_attr(feature = "serde", serde(default))]
    pub gloss: Cow<'a, [Option<Gloss>]>,
}

impl<'a, T: Clone> ShapeGroup<'a, T> {
    /// A group drawn once per pose.
    #[must_use]
    pub fn new(shapes: impl Into<Cow<'a, [T]>>, poses: impl Into<Cow<'a, [Pose]>>) -> Self {
        let (parts, gloss) = (Cow::Borrowed(&[][..]), Cow::Borrowed(&[][..]));
        Self { shapes: shapes.into(), poses: poses.into(), parts, companion: 0, gloss }
    }

    /// The same group with a number for the part that each shape belongs to, among the parts of a group of spheres.
    #[must_use]
    pub fn with_parts(self, parts: impl Into<Cow<'a, [u32]>>, companion: usize) -> Self {
        Self { parts: parts.into(), companion, ..self }
    }

    /// The same group with highlights of its own for each shape that has some.
    #[must_use]
    pub fn with_gloss(self, gloss: impl Into<Cow<'a, [Option<Gloss>]>>) -> Self {
        Self { gloss: gloss.into(), ..self }
    }

    /// Number of shapes, copies counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.shapes.len() as u64 * self.poses.len() as u64
    }

    /// The same group, which borrows from this one.
    pub(crate) fn borrowed(&self) -> ShapeGroup<'_, T> {
        let (shapes, poses, parts) = (&self.shapes[..], &self.poses[..], &self.parts[..]);
        let (shapes, poses, parts) = (Cow::Borrowed(shapes), Cow::Borrowed(poses), Cow::Borrowed(parts));
        ShapeGroup { shapes, poses, parts, companion: self.companion, gloss: Cow::Borrowed(&self.gloss[..]) }
    }
}

impl<T: Clone> From<Vec<T>> for ShapeGroup<'_, T> {
    /// Drawn once, in place.
    fn from(shapes: Vec<T>) -> Self {
        Self::new(shapes, &[Pose::IDENTITY][..])
    }
}

impl<'a, T: Clone> From<&'a [T]> for ShapeGroup<'a, T> {
    /// Drawn once, in place.
    fn from(shapes: &'a [T]) -> Self {
        Self::new(shapes, &[Pose::IDENTITY][..])
    }
}

/// All shapes of a scene that are not spheres.
///
/// ```
/// use roundel::Srgba8;
/// use roundel::arrows::PaintedArrow;
/// use roundel::spheres::Shapes;
///
/// let force = PaintedArrow::new([0.0; 3], [0.0, 0.0, 2.0], 0.1, Srgba8::BLACK);
/// let shapes = Shapes::default().with_arrows(&[force]);
/// assert_eq!(shapes.count(), 2, "a shaft and a head");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
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
    /// Adds the shapes of another scene, whose groups of spheres come behind `before` groups.
    #[cfg(feature = "scene-files")]
    pub(crate) fn append(&mut self, more: Self, before: usize) {
        fn moved<T: Clone>(groups: Vec<ShapeGroup<'_, T>>, before: usize) -> impl Iterator<Item = ShapeGroup<'_, T>> {
            groups.into_iter().map(move |group| ShapeGroup { companion: group.companion + before, ..group })
        }
        self.cylinders.extend(moved(more.cylinders, before));
        self.ellipsoids.extend(moved(more.ellipsoids, before));
        self.cones.extend(moved(more.cones, before));
    }

    /// The shapes whose companions are among some groups of spheres, in a scene of these groups alone.
    #[cfg(feature = "scene-files")]
    pub(crate) fn of_companions(&self, companions: &Range<usize>) -> Self {
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

    /// Gives all shapes this alpha.
    #[cfg(feature = "scene-files")]
    pub(crate) fn set_alpha(&mut self, alpha: u8) {
        let cylinders = self.cylinders.iter_mut().flat_map(|group| group.shapes.to_mut());
        cylinders.flat_map(|cylinder| &mut cylinder.colors).for_each(|color| color.a = alpha);
        let ellipsoids = self.ellipsoids.iter_mut().flat_map(|group| group.shapes.to_mut());
        ellipsoids.for_each(|ellipsoid| ellipsoid.color.a = alpha);
        self.cones.iter_mut().flat_map(|group| group.shapes.to_mut()).for_each(|cone| cone.color.a = alpha);
    }

    /// Whether some shapes have highlights of their own.
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

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The same shapes, which borrow from these.
    pub(crate) fn borrowed(&self) -> Shapes<'_> {
        Shapes {
            cylinders: self.cylinders.iter().map(ShapeGroup::borrowed).collect(),
            ellipsoids: self.ellipsoids.iter().map(ShapeGroup::borrowed).collect(),
            cones: self.cones.iter().map(ShapeGroup::borrowed).collect(),
        }
    }

    /// Groups of spheres that stand for the shapes where occlusion is found without rays: chains along the axes of
    /// cylinders, one for an ellipsoid, of its volume, and one for a cone.
    pub(crate) fn stand_ins(&self) -> Vec<SphereGroup<'_>> {
        fn stand_ins<'b, T: Placeable>(
            groups: &'b [ShapeGroup<'_, T>],
            append: impl Fn(T::Solid, &mut Vec<PaintedSphere>) + Copy + Sync + 'b,
        ) -> impl Iterator<Item = SphereGroup<'b>> {
            /// Shapes of a task.
            const CHUNK: usize = 1 << 12;
            groups.iter().map(move |group| {
                let of_chunk = |shapes: &[T]| {
                    let mut spheres = Vec::new();
                    for shape in shapes {
                        let first = spheres.len();
                        append(shape.placed(&Pose::IDENTITY, [0.0; 3]), &mut spheres);
                        let [alpha, _] = shape.alphas();
                        spheres[first..].iter_mut().for_each(|sphere: &mut PaintedSphere| sphere.color.a = alpha);
                    }
                    spheres
                };
                let chunks: Vec<Vec<PaintedSphere>> = group.shapes.par_chunks(CHUNK).map(of_chunk).collect();
                SphereGroup::new(chunks.concat(), &group.poses[..])
            })
        }
        let one = |shape: PlacedShape, spheres: &mut Vec<PaintedSphere>| {
            let sphere = shape.stand_in();
            spheres.extend(sphere.map(|sphere| PaintedSphere::new(sphere.center, sphere.radius, Srgba8::BLACK)));
        };
        let cylinders = stand_ins(&self.cylinders, chain);
        let ellipsoids = stand_ins(&self.ellipsoids, move |shape, to| one(PlacedShape::Ellipsoid(shape), to));
        cylinders
            .chain(ellipsoids)
            .chain(stand_ins(&self.cones, move |shape, to| one(PlacedShape::Cone(shape), to)))
            .collect()
    }

    /// Groups of spheres whose hulls contain the shapes, for cameras and depths.
    pub(crate) fn hulls(&self) -> Vec<SphereGroup<'_>> {
        fn hull<'b, T: Clone, const N: usize>(
            groups: &'b [ShapeGroup<'_, T>],
            hull: impl Fn(&T) -> [PaintedSphere; N] + Copy + 'b,
        ) -> impl Iterator<Item = SphereGroup<'b>> {
            groups.iter().map(move |group| {
                let drawn = |sphere: &PaintedSphere| sphere.radius >= 0.0;
                let spheres: Vec<PaintedSphere> = group.shapes.iter().flat_map(hull).filter(drawn).collect();
                SphereGroup::new(spheres, &group.poses[..])
            })
        }
        let cylinders = hull(&self.cylinders, PaintedCylinder::hull);
        let ellipsoids = hull(&self.ellipsoids, PaintedEllipsoid::hull);
        cylinders.chain(ellipsoids).chain(hull(&self.cones, PaintedCone::hull)).collect()
    }
}

/// Appends spheres inside a cylinder, along its axis: they touch or overlap, unless they would be very many.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a few")]
fn chain(cylinder: Cylinder, spheres: &mut Vec<PaintedSphere>) {
    /// Distance between neighbours, in radii, and the most spheres.
    const STEP: f32 = 1.5;
    const MOST: f32 = 64.0;
    if cylinder.is_empty() {
        return;
    }
    let Cylinder { start, end, radius, caps } = cylinder;
    let axis = sub(end, start);
    let length = norm(axis);
    let (inset, radius) = match caps {
        Caps::Round => (0.0, radius),
        Caps::Flat => (radius.min(0.5 * length) / length, radius.min(0.5 * length)),
    };
    let steps = ((length * (1.0 - 2.0 * inset)) / (STEP * radius)).ceil().clamp(0.0, MOST);
    for step in 0..=steps as u32 {
        let place = inset + (1.0 - 2.0 * inset) * (step as f32 / steps.max(1.0));
        let center = point_at(start, axis, place);
        spheres.push(PaintedSphere::new(center, radius * 0.98, Srgba8::BLACK));
    }
}

/// Groups of spheres, and spheres whose hulls contain other shapes: what cameras frame.
pub(crate) fn framed<'b>(groups: &'b [SphereGroup<'_>], shapes: &'b Shapes<'_>) -> Cow<'b, [SphereGroup<'b>]> {
    if shapes.is_empty() {
        return Cow::Borrowed(groups);
    }
    Cow::Owned(groups.iter().map(SphereGroup::borrowed).chain(shapes.hulls()).collect())
}
