//! Lights.

use glam::Vec3;

use crate::color::Srgba8;

/// A light.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::{DirectionalLight, Light};
///
/// let sun = Light::from(DirectionalLight::new([-1.0, -1.0, -0.5]).with_intensity(0.8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Light {
    /// A light so far away that its rays are parallel.
    Directional(DirectionalLight),
}

/// A light so far away that its rays are parallel.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::spheres::DirectionalLight;
///
/// let evening = DirectionalLight::new([1.0, -0.2, 0.0]).with_color(Srgba8::rgb(0xff, 0xa0, 0x60)).with_intensity(0.7);
/// assert_eq!(evening.intensity, 0.7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct DirectionalLight {
    /// The direction in which the light travels; any length but 0.
    pub direction: Vec3,
    /// sRGB colour; the look `Headlight` converts it to linear light before use.
    pub color: Srgba8,
    /// Multiplies the colour.
    pub intensity: f32,
    /// Angular diameter of the light: the larger, the softer its shadows; 0 for hard shadows.
    #[serde(default)]
    pub angle_radians: f32,
    /// The frame of reference of the direction.
    #[serde(default)]
    pub anchor: Anchor,
}

/// The frame of reference of a light's direction.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::{Anchor, DirectionalLight};
///
/// let lamp = DirectionalLight::new([1.0, -1.0, -1.0]).with_anchor(Anchor::Camera).with_angle_degrees(10.0);
/// assert_eq!(lamp.anchor, Anchor::Camera);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Anchor {
    /// Directions are in world coordinates.
    #[default]
    World,
    /// Directions are in the camera's frame: x right, y up, z towards the eye.
    Camera,
}

impl DirectionalLight {
    /// A white light of intensity 1 that travels in this direction.
    #[must_use]
    pub fn new(direction: impl Into<Vec3>) -> Self {
        let (direction, color) = (direction.into(), Srgba8::WHITE);
        Self { direction, color, intensity: 1.0, angle_radians: 0.0, anchor: Anchor::World }
    }

    /// The same light in another colour.
    #[must_use]
    pub fn with_color(self, color: Srgba8) -> Self {
        Self { color, ..self }
    }

    /// The same light with another intensity.
    #[must_use]
    pub fn with_intensity(self, intensity: f32) -> Self {
        Self { intensity, ..self }
    }

    /// The same light with this angular diameter.
    #[must_use]
    pub fn with_angle_degrees(self, angle: f32) -> Self {
        Self { angle_radians: angle.to_radians(), ..self }
    }

    /// The same light with its direction in another frame of reference.
    #[must_use]
    pub fn with_anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
}

impl Light {
    /// Its angular size; 0 for hard shadows.
    pub(super) fn angle_radians(&self) -> f32 {
        let Self::Directional(light) = self;
        light.angle_radians
    }
}

impl From<DirectionalLight> for Light {
    fn from(light: DirectionalLight) -> Self {
        Self::Directional(light)
    }
}
