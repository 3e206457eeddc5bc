//! Materials: how a surface turns the light that arrives into the light that leaves.
//!
//! Each lobe of a material has a sum of its own in the batch, which lights add to; a material combines them. There is the
//! diffuse lobe of Lambert alone.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use crate::color::{Srgba8, linear_from_srgb8};
use crate::lanes::{Rows3, Vec3x8, dot3, load3};
use crate::trace::light::directional::{Arriving, LightTerms};

/// An opaque surface that looks equally bright from everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    /// Linear.
    pub color: [f32; 3],
}

impl Material {
    pub(crate) fn new(color: Srgba8) -> Self {
        Self { color: linear(color) }
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

    /// The linear light that leaves a surface, from the sums of its lobes.
    #[inline(always)]
    pub(crate) fn reflect<S: Simd>(&self, simd: S, terms: LightTerms, diffuse: &Rows3) -> Vec3x8<S> {
        let diffuse = load3(simd, diffuse).map(
            #[inline(always)]
            |channel| if terms == LightTerms::Display { linear_from_display(channel) } else { channel },
        );
        let [r, g, b] = diffuse;
        [r * self.color[0], g * self.color[1], b * self.color[2]]
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
fn linear_from_display<S: Simd>(lightness: f32x8<S>) -> f32x8<S> {
    let lightness = lightness.min(1.0);
    lightness * lightness * (lightness * 0.25 + 0.75)
}
