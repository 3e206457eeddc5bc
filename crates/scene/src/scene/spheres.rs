//! Spheres in front of a camera: a right-handed world with y up, in which the camera looks along −z of its own frame.

use std::borrow::Cow;

use glam::{Mat3, Vec3};

pub use super::camera::{Background, Camera, Framing, Projection, View};
pub use super::clip_plane::ClipPlane;
use super::extents::SphereExtents;
pub use super::gloss::Gloss;
pub use super::light::{Anchor, DirectionalLight, Light};
pub use super::look::ShadingPreset;
pub use super::shading::{AmbientOcclusion, Shading, Transparency};
pub use super::shading_numbers::{ShadingNumber, ShadingOverrides};
pub use super::shape_group::ShapeGroup;
pub use super::shape_kinds::Shapes;
pub use super::sphere_arrays::{SphereColors, SphereColumns, SphereRadii};
pub use super::sphere_list::{SphereIter, SphereStore};
pub use super::standard_view::StandardView;
#[doc(hidden)]
pub use super::standard_view::UpAxis;
use crate::color::Srgba8;
use crate::geom::Origin;

/// A sphere in one colour, 20 bytes.
///
/// A sphere with a negative radius, or a NaN or infinite number, is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct PaintedSphere {
    /// World units.
    pub center: [f32; 3],
    /// World units.
    pub radius: f32,
    /// Surface colour. Its alpha is the sphere's opacity: a sphere of alpha 0 is invisible.
    pub color: Srgba8,
}

impl PaintedSphere {
    /// A sphere around `center`, in world units.
    #[must_use]
    #[inline]
    pub fn new(center: impl Into<[f32; 3]>, radius: f32, color: Srgba8) -> Self {
        Self { center: center.into(), radius, color }
    }
}

/// Spheres that are drawn once per pose: one pose for plain spheres, many for an assembly.
///
/// Copies are placed while drawing and take no memory of their own.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::spheres::{Camera, PaintedSphere, Pose, SphereGroup, SphereScene};
///
/// // a pair of spheres, drawn three times
/// let pair = [-0.5, 0.5].map(|x| PaintedSphere::new([x, 0.0, 0.0], 0.6, Srgba8::rgb(0x44, 0x77, 0xaa)));
/// let poses: Vec<Pose> = [-3.0, 0.0, 3.0].map(|y| Pose::from_translation([0.0, y, 0.0])).into();
/// let group = SphereGroup::new(&pair[..], poses);
/// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 20.0], [0.0; 3]), 64, 64).with_spheres(group);
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SphereGroup<'a> {
    /// The spheres in the group's own coordinates.
    pub spheres: SphereStore<'a>,
    /// One pose per copy; only [`Pose::IDENTITY`] for plain spheres.
    pub poses: Cow<'a, [Pose]>,
    /// The part that each sphere belongs to, such as a chain, by number: outlines separate parts. If empty, all spheres
    /// are one part. Each copy has its own parts.
    #[serde(default)]
    pub parts: Cow<'a, [u32]>,
    /// Each sphere's own highlights, if they differ from the shading's. If empty, none differ.
    #[serde(default)]
    pub gloss: Cow<'a, [Option<Gloss>]>,
}

impl<'a> SphereGroup<'a> {
    /// A group drawn once per pose. The spheres are a vector or a slice of [`PaintedSphere`], or [`SphereColumns`].
    #[must_use]
    pub fn new(spheres: impl Into<SphereStore<'a>>, poses: impl Into<Cow<'a, [Pose]>>) -> Self {
        Self { spheres: spheres.into(), poses: poses.into(), parts: Cow::Borrowed(&[]), gloss: Cow::Borrowed(&[]) }
    }

    /// The same group with a part for each sphere.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::Srgba8;
    /// use roundel::spheres::{PaintedSphere, SphereGroup};
    ///
    /// let pair = [0.0, 1.0].map(|x| PaintedSphere::new([x, 0.0, 0.0], 0.5, Srgba8::WHITE));
    /// let group = SphereGroup::from(&pair[..]).with_parts(vec![0, 1]);
    /// assert_eq!(&*group.parts, [0, 1]);
    /// ```
    #[must_use]
    pub fn with_parts(self, parts: impl Into<Cow<'a, [u32]>>) -> Self {
        Self { parts: parts.into(), ..self }
    }

    /// The same group with own highlights for some spheres.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::Srgba8;
    /// use roundel::spheres::{Gloss, PaintedSphere, SphereGroup};
    ///
    /// let pair = [0.0, 1.0].map(|x| PaintedSphere::new([x, 0.0, 0.0], 0.5, Srgba8::WHITE));
    /// let group = SphereGroup::from(&pair[..]).with_gloss(vec![None, Some(Gloss::new(0.5))]);
    /// assert_eq!(group.gloss.len(), 2);
    /// ```
    #[must_use]
    pub fn with_gloss(self, gloss: impl Into<Cow<'a, [Option<Gloss>]>>) -> Self {
        Self { gloss: gloss.into(), ..self }
    }
}

impl SphereGroup<'_> {
    /// The same group, borrowed.
    #[doc(hidden)]
    pub fn borrowed(&self) -> SphereGroup<'_> {
        let (poses, parts) = (Cow::Borrowed(&self.poses[..]), Cow::Borrowed(&self.parts[..]));
        SphereGroup { spheres: self.spheres.borrowed(), poses, parts, gloss: Cow::Borrowed(&self.gloss[..]) }
    }
}

impl From<Vec<PaintedSphere>> for SphereGroup<'_> {
    /// Drawn once, in place.
    fn from(spheres: Vec<PaintedSphere>) -> Self {
        Self::new(spheres, &[Pose::IDENTITY][..])
    }
}

impl<'a> From<&'a [PaintedSphere]> for SphereGroup<'a> {
    /// Drawn once, in place.
    fn from(spheres: &'a [PaintedSphere]) -> Self {
        Self::new(spheres, &[Pose::IDENTITY][..])
    }
}

impl<'a> From<SphereColumns<'a>> for SphereGroup<'a> {
    /// Drawn once, in place.
    fn from(spheres: SphereColumns<'a>) -> Self {
        Self::new(spheres, &[Pose::IDENTITY][..])
    }
}

/// A rigid placement: `rotation * p + translation`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Pose {
    /// A rotation or reflection, which must preserve lengths.
    pub rotation: Mat3,
    /// World units.
    pub translation: Vec3,
}

impl Pose {
    /// The pose that changes nothing.
    pub const IDENTITY: Self = Self { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };

    /// A translation without rotation.
    #[must_use]
    pub fn from_translation(translation: impl Into<Vec3>) -> Self {
        Self { translation: translation.into(), ..Self::IDENTITY }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Spheres and other shapes, lights, shading and a view.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::spheres::{Camera, DirectionalLight, PaintedSphere, Shading, SphereScene};
///
/// let spheres = vec![PaintedSphere::new([0.0, 0.0, 0.0], 1.0, Srgba8::rgb(0x44, 0x77, 0xaa))];
/// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 640, 480)
///     .with_spheres(spheres)
///     .with_light(DirectionalLight::new([-1.0, -1.0, -1.0]))
///     .with_lights([DirectionalLight::new([1.0, 0.0, 0.0]).with_intensity(0.2).into()])
///     .with_shading(Shading::default().with_samples(4).with_shadows())
///     .with_background(Srgba8::BLACK);
/// assert_eq!((scene.groups.len(), scene.lights.len()), (1, 2));
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct SphereScene<'a> {
    /// The picture and its camera.
    pub view: View,
    /// The place of the data where the scene has its zero: places of shapes, of the camera and of clip planes are relative
    /// to it. Far from 0, `f32` alone would not tell neighbours apart.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub origin: [f64; 3],
    /// All spheres. Indices count through groups, then poses, then spheres.
    pub groups: Vec<SphereGroup<'a>>,
    /// Cylinders, ellipsoids and cones.
    #[serde(default, skip_serializing_if = "Shapes::is_empty")]
    pub shapes: Shapes<'a>,
    /// The lights. If empty, the look's own lights are used: a headlight of intensity 1 − ambient at the eye, or a key
    /// and a fill light.
    pub lights: Vec<Light>,
    /// The shading parameters.
    pub shading: Shading,
    /// Clip planes: only the inside of all planes is drawn. Cut spheres show a flat cap.
    ///
    /// Parts that are cut away cast no hard shadows and block no rays. For occlusion and soft shadows without rays, a
    /// partly cut sphere counts as a whole.
    #[serde(default)]
    pub clip_planes: Vec<ClipPlane>,
    /// Two more clip planes, perpendicular to the line of sight, as shares of the depth of all spheres: from 0 at the
    /// front of the nearest to 1 at the back of the farthest.
    #[serde(default, rename = "slab")]
    pub depth_range: Option<[f32; 2]>,
    /// The extents of all spheres if the groups hold only the visible ones: fog depends on all.
    #[serde(skip)]
    #[doc(hidden)]
    pub extents: Option<Box<SphereExtents>>,
}

impl<'a> SphereScene<'a> {
    /// An empty scene with a white picture of this size in pixels, seen through `camera`.
    #[must_use]
    pub fn new(camera: Camera, width: u32, height: u32) -> Self {
        View::new(camera, width, height).into()
    }

    /// The same scene with more spheres: a vector, a slice, [`SphereColumns`] or a [`SphereGroup`].
    #[must_use]
    pub fn with_spheres(mut self, spheres: impl Into<SphereGroup<'a>>) -> Self {
        self.groups.push(spheres.into());
        self
    }

    /// The same scene with more groups of spheres.
    #[must_use]
    pub fn with_groups(mut self, groups: impl IntoIterator<Item = SphereGroup<'a>>) -> Self {
        self.groups.extend(groups);
        self
    }

    /// Whether any surface has highlights.
    #[doc(hidden)]
    pub fn is_glossy(&self) -> bool {
        let has_own = self.shapes.has_gloss() || self.groups.iter().any(|group| !group.gloss.is_empty());
        self.shading.specular > 0.0 || has_own
    }

    /// A place of the scene in the coordinates of the data, in the fewest decimals that give the same place back.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::spheres::{Camera, SphereScene};
    ///
    /// let mut scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48);
    /// scene.origin = [652_300.0, 5_437_101.0, 0.0];
    /// assert_eq!(scene.in_data([0.0, 0.1, 5.0]), [652_300.0, 5_437_101.1, 5.0]);
    /// ```
    #[must_use]
    pub fn in_data(&self, place: impl Into<[f32; 3]>) -> [f64; 3] {
        Origin::at(self.origin).added_short(place.into())
    }

    /// The groups of spheres, and spheres whose convex hulls contain the other shapes, for cameras.
    #[doc(hidden)]
    pub fn framed(&self) -> Cow<'_, [SphereGroup<'_>]> {
        super::shape_kinds::framed(&self.groups, &self.shapes)
    }

    /// The same scene with one more light.
    #[must_use]
    pub fn with_light(mut self, light: impl Into<Light>) -> Self {
        self.lights.push(light.into());
        self
    }

    /// The same scene with more lights.
    #[must_use]
    pub fn with_lights(mut self, lights: impl IntoIterator<Item = Light>) -> Self {
        self.lights.extend(lights);
        self
    }

    /// The same scene with another shading.
    #[must_use]
    pub fn with_shading(self, shading: Shading) -> Self {
        Self { shading, ..self }
    }

    /// The same scene with one more clip plane.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::Srgba8;
    /// use roundel::geom::Plane;
    /// use roundel::glam::Vec3;
    /// use roundel::spheres::{Camera, PaintedSphere, SphereScene};
    ///
    /// let ball = vec![PaintedSphere::new([0.0; 3], 1.0, Srgba8::rgb(0x44, 0x77, 0xaa))];
    /// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 64).with_spheres(ball);
    /// // cuts away the right half
    /// let scene = scene.with_clip_plane(Plane::through(Vec3::ZERO, Vec3::X));
    /// assert_eq!(scene.clip_planes.len(), 1);
    /// ```
    #[must_use]
    pub fn with_clip_plane(mut self, plane: impl Into<ClipPlane>) -> Self {
        self.clip_planes.push(plane.into());
        self
    }

    /// The same scene clipped to a range of depths, as shares of the depth of all spheres: from 0 at the front of the
    /// nearest to 1 at the back of the farthest.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::spheres::{Camera, SphereScene};
    ///
    /// let back_half = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 64).with_depth_range(0.5, 1.0);
    /// assert_eq!(back_half.depth_range, Some([0.5, 1.0]));
    /// ```
    #[must_use]
    pub fn with_depth_range(self, near: f32, far: f32) -> Self {
        Self { depth_range: Some([near, far]), ..self }
    }

    /// The same scene with another background.
    #[must_use]
    pub fn with_background(mut self, background: impl Into<Background>) -> Self {
        self.view.background = background.into();
        self
    }

    /// Whether a light casts hard shadows: one of the scene's lights or, if it has none, the key light, with an angle
    /// of 0.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::spheres::{Camera, DirectionalLight, Shading, SphereScene};
    ///
    /// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 64);
    /// let scene = scene.with_shading(Shading::default().with_shadows());
    /// assert!(!scene.casts_hard_shadows());
    /// let sun = DirectionalLight::new([0.0, -1.0, 0.0]);
    /// assert!(scene.clone().with_light(sun).casts_hard_shadows());
    /// assert!(!scene.with_light(sun.with_angle_degrees(10.0)).casts_hard_shadows());
    /// ```
    #[must_use]
    pub fn casts_hard_shadows(&self) -> bool {
        self.shadow_angles().any(|angle| angle.is_nan() || angle <= 0.0)
    }

    /// Whether a light casts soft shadows: its angle is not 0.
    #[doc(hidden)]
    pub fn casts_soft_shadows(&self) -> bool {
        self.shadow_angles().any(|angle| angle > 0.0)
    }

    /// Angular diameters of the lights that cast shadows: the scene's lights or, if it has none, the key light.
    #[doc(hidden)]
    pub fn shadow_angles(&self) -> impl Iterator<Item = f32> {
        let Shading { shadows, key, key_angle_radians, .. } = self.shading;
        let has_key = self.lights.is_empty() && key > 0.0;
        let angles = self.lights.iter().map(Light::angle_radians);
        angles.chain(has_key.then_some(key_angle_radians)).filter(move |_| shadows)
    }
}

fn is_zero(origin: &[f64; 3]) -> bool {
    *origin == [0.0; 3]
}

impl From<View> for SphereScene<'_> {
    /// A scene without spheres or lights.
    fn from(view: View) -> Self {
        Self {
            view,
            origin: [0.0; 3],
            groups: Vec::new(),
            shapes: Shapes::default(),
            lights: Vec::new(),
            shading: Shading::default(),
            clip_planes: Vec::new(),
            depth_range: None,
            extents: None,
        }
    }
}
