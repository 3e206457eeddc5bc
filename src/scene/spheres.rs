//! Spheres before a camera: right-handed world, y up, the camera looks along −z of its own frame.

use std::borrow::Cow;

use glam::{Mat3, Vec3};

use crate::color::Srgba8;

/// An opaque sphere in one colour: 20 bytes.
///
/// A negative, NaN or infinite number makes the sphere empty: it is not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PaintedSphere {
    /// World units.
    pub center: [f32; 3],
    /// World units.
    pub radius: f32,
    /// Surface colour; alpha is not used.
    pub color: Srgba8,
}

/// Spheres that stand in the world once per pose: one pose for plain spheres, many for an assembly.
///
/// Expanded pose by pose while drawing, never all at once.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereGroup<'a> {
    /// In the group's own coordinates.
    pub spheres: Cow<'a, [PaintedSphere]>,
    /// Where copies stand; [`Pose::IDENTITY`] alone for plain spheres.
    pub poses: Cow<'a, [Pose]>,
}

/// A rigid placement: `rotation * p + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// A rotation; lengths must be kept.
    pub rotation: Mat3,
    /// World units.
    pub translation: Vec3,
}

impl Pose {
    /// Where things stand already.
    pub const IDENTITY: Self = Self { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };
}

/// Where the eye is and which way it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World position of the eye.
    pub eye: Vec3,
    /// The point in the picture's middle.
    pub target: Vec3,
    /// The direction that is up in the picture; need not be perpendicular or of unit length.
    pub up: Vec3,
    /// Perspective or orthographic.
    pub projection: Projection,
}

/// How depth meets the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Rays from the eye.
    Perspective {
        /// Angle between the picture's top and bottom edge.
        fov_y_radians: f32,
    },
    /// Parallel rays, starting in the plane of the eye.
    Orthographic {
        /// World units from the picture's bottom to its top edge.
        height: f32,
    },
}

/// The picture: size, what is seen where there is no sphere, and the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// Seen where no sphere is hit.
    pub background: Background,
    /// Where the eye is.
    pub camera: Camera,
}

/// What is seen where no sphere is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// One colour; may be translucent.
    Solid(Srgba8),
    /// A sky: mixed in linear light by the ray direction's world y, −1 at the bottom to 1 at the top.
    Gradient {
        /// Straight down.
        bottom: Srgba8,
        /// Straight up.
        top: Srgba8,
    },
}

/// A light so far away that its rays are parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// The way the light travels; any length but 0.
    pub direction: Vec3,
    /// sRGB colour, linearised before use.
    pub color: Srgba8,
    /// Multiplies the linear colour.
    pub intensity: f32,
}

/// The options of studio shading that name the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples a pixel.
    pub samples: u32,
    /// Ambient-occlusion rays a sample; 0 is off.
    pub ao_rays: u32,
    /// How far ambient-occlusion rays look, world units.
    pub ao_distance: f32,
    /// Whether directional lights cast hard shadows.
    pub shadows: bool,
    /// Light that comes from everywhere, linear, 0 to 1.
    pub ambient: f32,
    /// Seeds every random number of the picture.
    pub seed: u64,
}

impl Default for Quality {
    fn default() -> Self {
        Self { samples: 1, ao_rays: 0, ao_distance: f32::INFINITY, shadows: false, ambient: 0.2, seed: 0 }
    }
}

/// Spheres, lights and the view on them.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereScene<'a> {
    /// The picture and its camera.
    pub view: View,
    /// Everything that is drawn; a sphere's index counts through groups, then poses, then spheres.
    pub groups: Vec<SphereGroup<'a>>,
    /// Directional lights; when there is none, one headlight of 1 − ambient shines from the eye.
    pub lights: Vec<Light>,
    /// Samples, shadows, ambient occlusion.
    pub quality: Quality,
}
