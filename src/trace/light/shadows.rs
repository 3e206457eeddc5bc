//! Lights prepared for shading, each with the structure that finds its shadows.

use fearless_simd::prelude::*;
use glam::DVec3;

use super::smooth::SoftLight;
use crate::color::linear_from_srgb8;
use crate::lanes::LANES;
use crate::scene::spheres::{Anchor, DirectionalLight, Light, Shading, ShadingPreset};
use crate::scene::{EyeSphere, Rays};
use crate::trace::accel::bvh::EyeBvh;
use crate::trace::accel::light_buffer::LightBuffer;
use crate::trace::accel::light_space::LightFrame;
use crate::trace::accel::shadow_rays::RayRecorder;
use crate::trace::find::intersect::OcclusionRay;
use crate::trace::shade::surface_batch::HitBatch;

/// A directional light.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PreparedLight {
    /// Colour times intensity, in the terms that light is added in.
    pub color: [f32; 3],
    pub frame: LightFrame,
    pub shadow: Shadow,
}

/// The shadows of a light.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a scene has few lights")]
pub(crate) enum Shadow {
    None,
    Hard,
    Soft(SoftLight),
}

impl PreparedLight {
    pub(crate) fn casts_hard_shadows(&self) -> bool {
        matches!(self.shadow, Shadow::Hard)
    }

    pub(crate) fn casts_soft_shadows(&self) -> bool {
        matches!(self.shadow, Shadow::Soft(_))
    }
}

/// The terms in which light is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LightTerms {
    /// Linear light.
    Linear,
    /// Light as displays encode it.
    Display,
}

impl LightTerms {
    fn channel(self, encoded: u8) -> f32 {
        match self {
            Self::Linear => linear_from_srgb8(encoded),
            Self::Display => f32::from(encoded) / 255.0,
        }
    }
}

/// Where the key and the fill light are, towards their sources in the camera's frame: over the left shoulder, and a little to
/// the right of the camera. As in ChimeraX.
pub(crate) const KEY: [f32; 3] = [-1.0, 1.0, 1.0];
const FILL: [f32; 3] = [0.2, 0.2, 0.959];

/// The lights of a scene; without any, those of its look that shine.
pub(crate) fn prepared_lights(lights: &[Light], shading: &Shading, rays: &Rays) -> Vec<PreparedLight> {
    let terms = if shading.look == ShadingPreset::Headlight { LightTerms::Linear } else { LightTerms::Display };
    if !lights.is_empty() {
        return lights.iter().filter_map(|light| PreparedLight::new(light, shading.shadows, terms, rays)).collect();
    }
    let lamp = |toward: [f32; 3], intensity: f32, casts_shadows: bool| {
        let light = DirectionalLight::new(toward.map(|along| -along)).with_intensity(intensity);
        let angle_radians = shading.key_angle_radians;
        let light = Light::from(DirectionalLight { angle_radians, anchor: Anchor::Camera, ..light });
        (intensity > 0.0).then(|| PreparedLight::new(&light, casts_shadows, terms, rays)).flatten()
    };
    [lamp(KEY, shading.key, shading.shadows), lamp(FILL, shading.fill, false)].into_iter().flatten().collect()
}

impl PreparedLight {
    /// `None` for a light without a direction.
    #[expect(clippy::cast_possible_truncation, reason = "a unit vector, rounded once from f64 on purpose")]
    fn new(light: &Light, casts_shadows: bool, terms: LightTerms, rays: &Rays) -> Option<Self> {
        let Light::Directional(light) = light;
        let mut direction = light.direction.as_dvec3();
        if light.anchor == Anchor::Camera {
            let axis = |axis: [f32; 3]| DVec3::from(axis.map(f64::from));
            direction = axis(rays.right) * direction.x + axis(rays.up) * direction.y - axis(rays.forward) * direction.z;
        }
        let toward = -(direction / direction.abs().max_element()).try_normalize()?;
        let color = [light.color.r, light.color.g, light.color.b];
        let color = color.map(|channel| terms.channel(channel) * light.intensity);
        let toward = [toward.x as f32, toward.y as f32, toward.z as f32];
        let shadow = match casts_shadows {
            true if light.angle_radians > 0.0 => Shadow::Soft(SoftLight::new(toward, light.angle_radians)),
            true => Shadow::Hard,
            false => Shadow::None,
        };
        Some(Self { color, frame: LightFrame::new(toward), shadow })
    }
}

/// A structure that finds the spheres between a surface and a light.
#[derive(Debug)]
pub(crate) enum Occluders<'a> {
    /// The light casts no shadows.
    None,
    Buffer(LightBuffer),
    Bvh(EyeBvh<'a>),
    /// None yet: rays are collected for spheres that come later.
    Recorder(&'a RayRecorder<'a>),
}

impl Occluders<'_> {
    /// Clears the bits of a batch's points that do not see the light; returns the number of rays cast.
    #[inline(always)]
    pub(crate) fn screen<S: Simd>(
        &self,
        simd: S,
        light: &PreparedLight,
        sphere: EyeSphere,
        batch: &HitBatch,
        open: &mut [u64],
    ) -> u64 {
        if let Self::None = self {
            return 0;
        }
        let mut rays = 0;
        for open in &*open {
            rays += u64::from(open.count_ones());
        }
        self.screen_out_of_line(simd, light, sphere, batch, open);
        rays
    }

    /// [`Occluders::screen`] as a function of its own, because the code around it is large enough.
    fn screen_out_of_line<S: Simd>(
        &self,
        simd: S,
        light: &PreparedLight,
        sphere: EyeSphere,
        batch: &HitBatch,
        open: &mut [u64],
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let points = &batch.points[..open.len()];
                let is_outside = batch.inside[..open.len()].iter().all(|&inside| inside == 0);
                if is_outside
                    && let Self::Buffer(buffer) = self
                    && buffer.screen(simd, sphere, points, open)
                {
                    return;
                }
                for ((points, open), &inside) in points.iter().zip(open).zip(&batch.inside) {
                    let mut rest = *open;
                    while rest != 0 {
                        let lane = rest.trailing_zeros() as usize % LANES;
                        rest &= rest - 1;
                        let exclude = if inside >> lane & 1 == 1 { EyeSphere::EMPTY } else { sphere };
                        let origin = [points[0][lane], points[1][lane], points[2][lane]];
                        let (direction, length) = (light.frame.toward(), f32::INFINITY);
                        let ray = OcclusionRay { origin, direction, begin: 0.0, length, exclude };
                        *open &= !(u64::from(self.blocks(simd, &ray)) << lane);
                    }
                }
            },
        );
    }

    #[inline(always)]
    fn blocks<S: Simd>(&self, simd: S, ray: &OcclusionRay) -> bool {
        match self {
            Self::None => false,
            Self::Buffer(buffer) => buffer.blocks(simd, ray),
            Self::Bvh(bvh) => bvh.blocks(simd, ray),
            Self::Recorder(recorder) => {
                recorder.record(ray);
                false
            }
        }
    }
}
