//! Directional lights, prepared for shading: direction, colour and shadow method. A scene without lights gets the key
//! and fill lights of its look.

use fearless_simd::{f32x8, prelude::*};
use glam::Vec3;

use super::smooth::SoftLight;
use crate::color::linear_from_srgb8;
use crate::lanes::{Rows3, Vec3x8, splat3};
use crate::scene::Rays;
use crate::scene::spheres::{Anchor, DirectionalLight, Light, Shading, ShadingPreset};
use crate::trace::accel::light_space::LightFrame;

/// A light prepared for shading, queried point by point; a directional light is the same at all points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PreparedLight {
    /// Colour times intensity, in the colour space of [`LightTerms`].
    pub color: [f32; 3],
    pub frame: LightFrame,
    pub shadow: Shadow,
}

/// How the shadows of a light are found.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a scene has few lights")]
pub(crate) enum Shadow {
    None,
    /// By rays through the hierarchy.
    Bvh,
    /// By a light buffer, built for the visible surfaces.
    Buffer {
        median_radius: f32,
    },
    /// Soft shadows of a light with a size, from the surroundings of surfaces, without rays.
    Soft(SoftLight),
}

/// The light that arrives at eight points.
pub(crate) struct Arriving<S: Simd> {
    /// Unit vectors towards the light.
    pub toward: Vec3x8<S>,
    /// In the colour space of [`LightTerms`].
    pub radiance: [f32x8<S>; 3],
}

impl PreparedLight {
    pub(crate) fn casts_hard_shadows(&self) -> bool {
        matches!(self.shadow, Shadow::Bvh | Shadow::Buffer { .. })
    }

    pub(crate) fn casts_soft_shadows(&self) -> bool {
        matches!(self.shadow, Shadow::Soft(_))
    }

    /// The light that arrives at eight points if nothing is in the way.
    #[inline(always)]
    pub(crate) fn arriving<S: Simd>(&self, simd: S, _points: &Rows3) -> Arriving<S> {
        let [toward, radiance] = [self.frame.toward(), self.color].map(
            #[inline(always)]
            |vector| splat3(simd, vector),
        );
        Arriving { toward, radiance }
    }

    /// The unit vector from a point towards the light, and the distance.
    #[inline(always)]
    pub(crate) fn toward(&self, _point: [f32; 3]) -> ([f32; 3], f32) {
        (self.frame.toward(), f32::INFINITY)
    }
}

/// The colour space for adding light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LightTerms {
    Linear,
    /// Light as displays encode it.
    Display,
}

impl LightTerms {
    pub(crate) fn of(look: ShadingPreset) -> Self {
        if look == ShadingPreset::Headlight { Self::Linear } else { Self::Display }
    }

    fn channel(self, encoded: u8) -> f32 {
        match self {
            Self::Linear => linear_from_srgb8(encoded),
            Self::Display => f32::from(encoded) / 255.0,
        }
    }
}

/// Directions towards the key and the fill light in the camera's frame: over the left shoulder, and a little to the
/// right of the camera. As in ChimeraX.
pub(crate) const KEY: [f32; 3] = [-1.0, 1.0, 1.0];
const FILL: [f32; 3] = [0.2, 0.2, 0.959];

/// The lights of the scene; the key and fill lights of the look if the scene has none.
///
/// `hard` is the method for hard shadows.
pub(crate) fn prepared_lights(lights: &[Light], shading: &Shading, rays: &Rays, hard: Shadow) -> Vec<PreparedLight> {
    let mut prepared = unnumbered_lights(lights, shading, rays, hard);
    for (number, light) in prepared.iter_mut().enumerate() {
        if let Shadow::Soft(soft) = &mut light.shadow {
            soft.number = number;
        }
    }
    prepared
}

fn unnumbered_lights(lights: &[Light], shading: &Shading, rays: &Rays, hard: Shadow) -> Vec<PreparedLight> {
    let terms = LightTerms::of(shading.look);
    let shadow = shading.shadows.then_some(hard);
    if !lights.is_empty() {
        return lights.iter().filter_map(|light| PreparedLight::new(light, terms, rays, shadow)).collect();
    }
    let lamp = |toward: [f32; 3], intensity: f32, shadow: Option<Shadow>| {
        let mut light = DirectionalLight::new(toward.map(|along| -along)).with_intensity(intensity);
        (light.angle_radians, light.anchor) = (shading.key_angle_radians, Anchor::Camera);
        (intensity > 0.0).then(|| PreparedLight::new(&light.into(), terms, rays, shadow)).flatten()
    };
    [lamp(KEY, shading.key, shadow), lamp(FILL, shading.fill, None)].into_iter().flatten().collect()
}

impl PreparedLight {
    /// `None` for a light without a direction. `shadow` is the method for a light without a size; `None` if it casts no
    /// shadows.
    fn new(light: &Light, terms: LightTerms, rays: &Rays, shadow: Option<Shadow>) -> Option<Self> {
        let Light::Directional(light) = light else { return None };
        let mut direction = light.direction.as_dvec3();
        if light.anchor == Anchor::Camera {
            let axis = |axis: [f32; 3]| Vec3::from(axis).as_dvec3();
            direction = axis(rays.right) * direction.x + axis(rays.up) * direction.y - axis(rays.forward) * direction.z;
        }
        let toward = -(direction / direction.abs().max_element()).try_normalize()?;
        let color = [light.color.r, light.color.g, light.color.b];
        let color = color.map(|channel| terms.channel(channel) * light.intensity);
        let toward = toward.as_vec3().to_array();
        let shadow = match shadow {
            Some(_) if light.angle_radians > 0.0 => Shadow::Soft(SoftLight::new(toward, light.angle_radians)),
            hard => hard.unwrap_or(Shadow::None),
        };
        Some(Self { color, frame: LightFrame::new(toward), shadow })
    }
}
