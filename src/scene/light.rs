//! Lights.

use glam::Vec3;

use crate::color::Srgba8;

/// A light.
///
/// ```
/// use roundel::spheres::{DirectionalLight, Light};
///
/// let sun = Light::from(DirectionalLight::new([-1.0, -1.0, -0.5]).with_intensity(0.8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Light {
    /// A light so far away that its rays are parallel.
    Directional(DirectionalLight),
}

/// A light so far away that its rays are parallel.
///
/// ```
/// use roundel::Srgba8;
/// use roundel::spheres::DirectionalLight;
///
/// let evening = DirectionalLight::new([1.0, -0.2, 0.0]).with_color(Srgba8::rgb(0xff, 0xa0, 0x60)).with_intensity(0.7);
/// assert_eq!(evening.intensity, 0.7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DirectionalLight {
    /// The way the light travels; any length but 0.
    pub direction: Vec3,
    /// sRGB colour, converted to linear light before use.
    pub color: Srgba8,
    /// Multiplies the linear colour.
    pub intensity: f32,
}

impl DirectionalLight {
    /// A white light of intensity 1 that travels in this direction.
    #[must_use]
    pub fn new(direction: impl Into<Vec3>) -> Self {
        Self { direction: direction.into(), color: Srgba8::WHITE, intensity: 1.0 }
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
}

impl From<DirectionalLight> for Light {
    fn from(light: DirectionalLight) -> Self {
        Self::Directional(light)
    }
}
