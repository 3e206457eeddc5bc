//! Groups of shapes other than spheres, with poses.

use std::borrow::Cow;

use super::spheres::{Gloss, Pose};

/// Shapes of one kind that are drawn once per pose, like a [`SphereGroup`](super::spheres::SphereGroup).
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::cylinders::PaintedCylinder;
/// use roundel::spheres::{Pose, ShapeGroup};
///
/// let rod = PaintedCylinder::new([0.0; 3], [0.0, 0.0, 2.0], 0.1, Srgba8::WHITE);
/// let copies = [0.0, 1.0].map(|x| Pose::from_translation([x, 0.0, 0.0])).to_vec();
/// assert_eq!(ShapeGroup::new(vec![rod], copies).count(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ShapeGroup<'a, T: Clone> {
    /// The shapes in the group's own coordinates.
    pub shapes: Cow<'a, [T]>,
    /// One pose per copy; only [`Pose::IDENTITY`] for plain shapes.
    pub poses: Cow<'a, [Pose]>,
    /// The part that each shape belongs to, such as a chain, by number: outlines separate parts. If empty, all shapes
    /// belong to part 0.
    #[serde(default)]
    pub parts: Cow<'a, [u32]>,
    /// The group of spheres that shares its parts with these shapes, by its index in
    /// [`SphereScene::groups`](super::spheres::SphereScene::groups): a bond and its atoms are of one part. Shapes with the
    /// index of no group that has spheres have parts of their own.
    #[serde(default)]
    pub companion: usize,
    /// Each shape's own highlights, if they differ from the shading's. If empty, none differ.
    #[serde(default)]
    pub gloss: Cow<'a, [Option<Gloss>]>,
}

impl<'a, T: Clone> ShapeGroup<'a, T> {
    /// A group drawn once per pose.
    #[must_use]
    pub fn new(shapes: impl Into<Cow<'a, [T]>>, poses: impl Into<Cow<'a, [Pose]>>) -> Self {
        let (parts, gloss) = (Cow::Borrowed(&[][..]), Cow::Borrowed(&[][..]));
        Self { shapes: shapes.into(), poses: poses.into(), parts, companion: 0, gloss }
    }

    /// The same group with a part for each shape, among the parts of the companion group of spheres.
    #[must_use]
    pub fn with_parts(self, parts: impl Into<Cow<'a, [u32]>>, companion: usize) -> Self {
        Self { parts: parts.into(), companion, ..self }
    }

    /// The same group with own highlights for some shapes.
    #[must_use]
    pub fn with_gloss(self, gloss: impl Into<Cow<'a, [Option<Gloss>]>>) -> Self {
        Self { gloss: gloss.into(), ..self }
    }

    /// Number of shapes, copies counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.shapes.len() as u64 * self.poses.len() as u64
    }

    /// The same group, borrowed.
    #[doc(hidden)]
    pub fn borrowed(&self) -> ShapeGroup<'_, T> {
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
