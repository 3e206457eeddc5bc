//! Materials: how a surface turns the light that arrives into the light that leaves.
//!
//! Each lobe of a material has a sum of its own in the batch, which lights add to; a material combines them. There is
//! the diffuse lobe of Lambert and, on glossy surfaces, the specular lobe of GGX: microfacets of normals that are
//! distributed as B. Walter et al. have them ("Microfacet Models for Refraction through Rough Surfaces", 2007), masked
//! as in B. Karis ("Real Shading in Unreal Engine 4", 2013), with C. Schlick's Fresnel term (1994). It takes + − × ÷ √
//! alone.

use std::ops::{Add, Mul};

use fearless_simd::{f32x8, mask32x8, prelude::*};

use crate::color::{Srgba8, linear_from_srgb8};
use crate::lanes::{Rows3, Vec3x8, dot3, load3};
use crate::trace::light::directional::{Arriving, LightTerms};

/// A surface with a diffuse lobe and perhaps a specular one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    /// Linear.
    pub color: [f32; 3],
    /// `None` for a surface that looks equally bright from everywhere.
    pub gloss: Option<SpecularLobe>,
}

/// The specular lobe of a dielectric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpecularLobe {
    /// The share of light that is reflected at normal incidence.
    reflectance: f32,
    /// The square of α, which is the square of the roughness.
    alpha_squared: f32,
    /// How much of the light along a direction is masked.
    masking: f32,
}

impl SpecularLobe {
    /// Reflectance at normal incidence for a strength of 1, as in Disney's and Blender's materials: a strength of 0.5
    /// is that of plastic and glass.
    const REFLECTANCE: f32 = 0.08;

    /// The least roughness: on smoother surfaces the highlight of a lamp would be smaller than the lamp's mirror image.
    const LEAST_ROUGHNESS: f32 = 0.1;

    /// `None` for a strength of 0.
    pub(crate) fn new(strength: f32, roughness: f32) -> Option<Self> {
        let alpha = roughness.max(Self::LEAST_ROUGHNESS) * roughness.max(Self::LEAST_ROUGHNESS);
        let lobe =
            Self { reflectance: Self::REFLECTANCE * strength, alpha_squared: alpha * alpha, masking: 0.5 * alpha };
        (strength > 0.0).then_some(lobe)
    }

    /// Reflected light, in units of the arriving light, times the cosine to the light; π is in the unit of light, as in
    /// the diffuse lobe. `toward` points to the light, `direction` away from the eye, and `cosine` is that between them
    /// and the normal.
    #[inline(always)]
    pub(crate) fn reflected<S: Simd>(
        &self,
        simd: S,
        [toward, direction]: [Vec3x8<S>; 2],
        [to_light, to_eye]: [f32x8<S>; 2],
    ) -> f32x8<S> {
        let splat = |number| f32x8::splat(simd, number);
        let (one, least) = (splat(1.0), splat(1e-6));
        // of the half vector: its length, and its cosines to the normal and to either direction
        let length = (splat(2.0) - dot3(toward, direction) * 2.0).max(1e-6).sqrt();
        let (to_normal, half) = (((to_light + to_eye) / length).min(1.0), length * 0.5);
        let spread = to_normal * to_normal * (self.alpha_squared - 1.0) + one;
        let distribution = splat(self.alpha_squared) / (spread * spread).max(least * 1e-6);
        let seen = |cosine: f32x8<S>| cosine * (1.0 - self.masking) + self.masking;
        let masked = splat(0.25) / (seen(to_light) * seen(to_eye)).max(least);
        let beyond = (one - half).max(0.0);
        let squared = beyond * beyond;
        let fresnel = squared * squared * beyond * (1.0 - self.reflectance) + self.reflectance;
        to_light * distribution * masked * fresnel
    }
}

impl Material {
    pub(crate) fn new(color: Srgba8) -> Self {
        Self { color: linear(color), gloss: None }
    }

    /// The same material with a specular lobe.
    pub(crate) fn with_gloss(self, gloss: Option<SpecularLobe>) -> Self {
        Self { gloss, ..self }
    }

    /// Adds a light to the sum of the diffuse lobe where it is seen.
    #[inline(always)]
    pub(crate) fn add<S: Simd>(
        simd: S,
        diffuse: &mut Rows3,
        normals: &Rows3,
        light: &Arriving<S>,
        is_lit: mask32x8<S>,
    ) {
        let cosine = light.cosine(simd, normals);
        for (sum, channel) in diffuse.iter_mut().zip(light.radiance) {
            let unlit = f32x8::load_array_ref(simd, sum);
            is_lit.select(unlit + cosine * channel, unlit).store_array(sum);
        }
    }

    /// Adds a light of this visibility.
    #[inline(always)]
    pub(crate) fn add_share<S: Simd>(
        simd: S,
        diffuse: &mut Rows3,
        normals: &Rows3,
        light: &Arriving<S>,
        share: f32x8<S>,
    ) {
        let cosine = light.cosine(simd, normals).max(0.0) * share;
        for (sum, channel) in diffuse.iter_mut().zip(light.radiance) {
            (f32x8::load_array_ref(simd, sum) + cosine * channel).store_array(sum);
        }
    }

    /// The linear light that leaves a surface by its diffuse lobe.
    #[inline(always)]
    pub(crate) fn reflect<S: Simd>(&self, simd: S, terms: LightTerms, diffuse: &Rows3) -> Vec3x8<S> {
        let mut reflected = load3(simd, diffuse);
        // a loop: a closure handed to `map` is compiled without the instructions of the level
        for (channel, own) in reflected.iter_mut().zip(self.color) {
            let light = if terms == LightTerms::Display { linear_from_display(channel.min(1.0)) } else { *channel };
            *channel = light * own;
        }
        reflected
    }
}

impl<S: Simd> Arriving<S> {
    /// Cosines between eight normals and the direction of the light.
    #[inline(always)]
    pub(crate) fn cosine(&self, simd: S, normals: &Rows3) -> f32x8<S> {
        dot3(load3(simd, normals), self.toward)
    }
}

/// The three channels of a colour in linear light.
#[inline(always)]
pub(crate) fn linear(color: Srgba8) -> [f32; 3] {
    [linear_from_srgb8(color.r), linear_from_srgb8(color.g), linear_from_srgb8(color.b)]
}

/// Linear light of a lightness in display terms, which is at most 1: within 0.025 of the sRGB transfer function.
#[inline(always)]
pub(super) fn linear_from_display<T>(lightness: T) -> T
where
    T: Copy + Mul<Output = T> + Mul<f32, Output = T> + Add<f32, Output = T>,
{
    lightness * lightness * (lightness * 0.25 + 0.75)
}
