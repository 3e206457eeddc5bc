//! The shading formula: colour · g(ambient · (1 − strength · (1 − openness)) + Σ light · max(0, n·l) · visible).
//!
//! In linear light g is the identity. In display terms the sum L is at most 1, and g(L) = L² · (0.75 + 0.25·L), which
//! is within 0.025 of the sRGB transfer function and needs no powers. The specular lobe of glossy surfaces is added in
//! linear light: Σ light · visible · max(0, n·l) · π · GGX. Fog comes last.

use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::fog::Fog;
use super::material::{Material, SpecularLobe, linear, linear_from_display};
use super::occlusion::{
    OccluderLayer, Occlusion, OpennessScratch, SmoothShare, TranslucentOccluders, find_light_through, find_smooth_share,
};
use super::surface_batch::{GROUPS, SurfaceBatch};
use crate::geom::Sphere;
use crate::lanes::{LANES, norm};
use crate::scene::spheres::{AmbientOcclusion, Background, Gloss, Shading, ShadingPreset, SphereScene};
use crate::scene::{Cloud, PrimitiveId, Rays, SphereExtents, SphereInstances};
use crate::trace::find::clip::ClipRegion;
use crate::trace::find::sample_rays::SampleGrid;
use crate::trace::find::sampling::Directions;
use crate::trace::light::cloud::CloudLight;
use crate::trace::light::directional::{LightTerms, PreparedLight, Shadow, prepared_lights};
use crate::trace::light::shadows::Occluders;

/// Premultiplied linear light and opacity.
pub(crate) type Linear = [f32; 4];

/// Lights and options of a scene, prepared for shading.
#[derive(Debug)]
pub(crate) struct Studio {
    pub lights: Vec<PreparedLight>,
    ambient: f32,
    /// The share of the ambient light that occlusion can take away.
    strength: f32,
    /// Strength of the rim light, at the edges of shapes.
    rim: f32,
    /// The gloss of surfaces without their own, and whether any surface has highlights.
    gloss: Gloss,
    is_glossy: bool,
    pub occlusion: Occlusion,
    pub(super) background: Background,
    look: ShadingPreset,
    pub fog: Option<Fog>,
    /// Linear colour of outlines.
    pub line: [f32; 3],
}

/// The structures that shading queries.
pub(crate) struct ShadeContext<'a> {
    /// One for each light of the studio.
    pub occluders: Vec<Occluders<'a>>,
    /// The occluders of openness and soft shadows: the opaque shapes, then layers with translucent ones.
    pub layers: Vec<OccluderLayer<'a>>,
    /// Present if some spheres are lit as a cloud.
    pub cloud: Option<(&'a Cloud, &'a CloudLight)>,
    /// Present if translucent shapes attenuate lights with hard shadows.
    pub translucent: Option<TranslucentOccluders<'a>>,
    pub rays: &'a Rays,
    /// Present if planes cut spheres.
    pub clip: Option<&'a ClipRegion>,
    /// Set when the picture is no longer wanted.
    pub cancelled: &'a AtomicBool,
}

impl ShadeContext<'_> {
    /// Whether the picture is no longer wanted: a tile may take seconds with many rays.
    #[inline(always)]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The side of a pixel at a point relative to the eye.
    #[inline(always)]
    pub(super) fn pixel_at(&self, point: [f32; 3]) -> f32 {
        let Rays { step, parallel, .. } = self.rays;
        if *parallel { *step } else { step * norm(point) }
    }

    /// A primitive, relative to the eye, if it is a sphere that no plane cuts.
    pub(crate) fn whole_sphere(&self, instances: &SphereInstances<'_>, id: PrimitiveId) -> Option<Sphere<3>> {
        let sphere = (!instances.shapes.has(id)).then(|| instances.sphere(id.0).0)?;
        (!self.clip.is_some_and(|clip| clip.cuts(sphere))).then_some(sphere)
    }
}

impl Studio {
    /// `hard` is the method for hard shadows.
    pub(crate) fn new(scene: &SphereScene<'_>, extents: &SphereExtents, rays: &Rays, hard: Shadow) -> Self {
        let shading = &scene.shading;
        let lights = prepared_lights(&scene.lights, shading, rays, hard);
        let distance = shading.ao_distance;
        let occlusion = match shading.ambient_occlusion {
            AmbientOcclusion::Smooth => Occlusion::Smooth { distance },
            off_or_rays => match off_or_rays.rays() {
                0 => Occlusion::None,
                rays => Occlusion::Rays { directions: Directions::new(rays, shading.seed), distance },
            },
        };
        let Shading { look, ambient, ao_strength: strength, rim, outline_color, specular, roughness, .. } = *shading;
        let (gloss, is_glossy) = (Gloss::new(specular).with_roughness(roughness), scene.is_glossy());
        let fog = Fog::new(extents, shading, rays);
        let (background, line) = (scene.view.background, linear(outline_color));
        Self { lights, ambient, strength, rim, gloss, is_glossy, occlusion, background, look, fog, line }
    }

    /// The same lights without shadows and occlusion.
    pub(crate) fn open(&self) -> Self {
        let lights = self.lights.iter().map(|light| PreparedLight { shadow: Shadow::None, ..*light }).collect();
        Self { lights, occlusion: Occlusion::None, ..*self }
    }

    /// The specular lobe of a primitive, from its own gloss or the shading's; `None` if it has no highlights.
    #[inline(always)]
    pub(crate) fn lobe(&self, instances: &SphereInstances<'_>, index: u32) -> Option<SpecularLobe> {
        if !self.is_glossy {
            return None;
        }
        let Gloss { specular, roughness, .. } = instances.gloss(index).unwrap_or(self.gloss);
        SpecularLobe::new(specular, roughness.or(self.gloss.roughness).unwrap_or_default())
    }

    /// The light of surfaces as base + slope · cosine, if it depends on the cosine between normal and ray alone.
    pub(crate) fn light_by_cosine(&self) -> Option<[f32; 2]> {
        if !self.lights.is_empty() || self.is_occluded() || self.fog.is_some() || self.is_glossy || self.rim > 0.0 {
            return None;
        }
        Some(if self.look == ShadingPreset::Headlight {
            [self.ambient, 1.0 - self.ambient]
        } else {
            [linear_from_display(self.ambient.min(1.0)), 0.0]
        })
    }

    /// Whether the light of a hit depends on its normal other than through openness.
    pub(crate) fn depends_on_normals(&self) -> bool {
        self.look == ShadingPreset::Headlight || !self.lights.is_empty() || self.rim > 0.0 || self.is_glossy
    }

    /// Whether there is ambient occlusion.
    pub(crate) fn is_occluded(&self) -> bool {
        !matches!(self.occlusion, Occlusion::None)
    }

    /// Whether surfaces are lit by the headlight alone: light depends only on the cosine between normal and ray.
    pub(crate) fn is_headlight(&self) -> bool {
        let is_lit_evenly = !self.is_occluded() && self.fog.is_none() && self.rim == 0.0 && !self.is_glossy;
        self.look == ShadingPreset::Headlight && self.lights.is_empty() && is_lit_evenly
    }

    /// The light of a surface under the headlight alone.
    #[inline(always)]
    pub(crate) fn headlight(&self, cosine: f32) -> f32 {
        self.ambient + (1.0 - self.ambient) * cosine
    }

    /// Shades a batch of hits with known surfaces; returns the rays cast.
    #[inline(always)]
    pub(crate) fn shade<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        openness: &mut OpennessScratch,
        material: &Material,
        grid: SampleGrid,
        batch: &mut SurfaceBatch,
    ) -> u64 {
        openness.work.shaded += batch.count as u64;
        let mut rays = self.find_openness(simd, context, openness, grid, batch);
        let gloss = material.gloss.as_ref();
        self.begin_sums(simd, gloss, batch);
        for (index, light) in self.lights.iter().enumerate() {
            if let Shadow::Soft(soft) = &light.shadow {
                find_smooth_share(simd, context, openness, grid, SmoothShare::Light(soft), batch);
                add_share_of_light(simd, gloss, light, batch);
            } else {
                rays += self.add_hard_light(simd, context, openness, index, gloss, batch);
            }
        }
        if self.rim > 0.0 {
            self.add_rim(simd, batch);
        }
        if let Some((_, light)) = context.cloud
            && batch.own_share < 1.0
        {
            blend_with_cloud(simd, light, batch.own_share, grid, batch);
        }
        let (terms, groups) = (LightTerms::of(self.look), batch.groups());
        for (radiance, diffuse) in batch.radiance.iter_mut().zip(&batch.diffuse[..groups]) {
            for (radiance, reflected) in radiance.iter_mut().zip(material.reflect(simd, terms, diffuse)) {
                reflected.store_array(radiance);
            }
        }
        if gloss.is_some() {
            add_specular(simd, context.cloud.map_or(1.0, |_| batch.own_share), batch);
        }
        if let Some(fog) = self.fog {
            self.hide_in_fog(simd, &fog, batch);
        }
        rays
    }

    /// Begins a batch's sums with the ambient light, and with the headlight where there are no lights.
    #[inline(always)]
    fn begin_sums<S: Simd>(&self, simd: S, gloss: Option<&SpecularLobe>, batch: &mut SurfaceBatch) {
        let groups = batch.groups();
        batch.diffuse[..groups].fill([[self.ambient; LANES]; 3]);
        if self.is_occluded() {
            for (light, openness) in batch.diffuse[..groups].iter_mut().zip(&batch.openness) {
                let openness = f32x8::load_array_ref(simd, openness);
                // full strength is a case of its own, so that no rounding changes it
                let open = if self.strength == 1.0 {
                    openness
                } else {
                    f32x8::splat(simd, 1.0) - (f32x8::splat(simd, 1.0) - openness) * self.strength
                };
                *light = [(f32x8::splat(simd, self.ambient) * open).to_array(); 3];
            }
        }
        if gloss.is_some() {
            batch.specular[..groups].fill([[0.0; LANES]; 3]);
        }
        if self.look != ShadingPreset::Headlight || !self.lights.is_empty() {
            return;
        }
        for (light, cosines) in batch.diffuse[..groups].iter_mut().zip(&batch.cosines) {
            let ambient = f32x8::load_array_ref(simd, &light[0]);
            let headlight = f32x8::load_array_ref(simd, cosines) * (1.0 - self.ambient);
            *light = [(ambient + headlight).to_array(); 3];
        }
        if let Some(gloss) = gloss {
            self.add_headlight_gloss(simd, gloss, batch);
        }
    }

    /// Adds a light without soft shadows to a batch's sums; returns the rays cast.
    #[inline(always)]
    fn add_hard_light<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        openness: &mut OpennessScratch,
        index: usize,
        gloss: Option<&SpecularLobe>,
        batch: &mut SurfaceBatch,
    ) -> u64 {
        let light = &self.lights[index];
        let mut open = [0; GROUPS];
        let open = &mut open[..batch.groups()];
        let mut rays = find_lit(simd, context, index, light, batch, open);
        if let Some(translucent) = context.translucent.filter(|translucent| translucent.shadows.shade(index)) {
            rays += find_light_through(context, translucent, &mut openness.crossings, index, light, batch, open);
            add_share_of_light(simd, gloss, light, batch);
            return rays;
        }
        for (group, (diffuse, &mut open)) in batch.diffuse.iter_mut().zip(&mut *open).enumerate() {
            let arriving = light.arriving(simd, &batch.points[group]);
            Material::add(simd, diffuse, &batch.normals[group], &arriving, mask32x8::from_bitmask(simd, open));
        }
        if let Some(gloss) = gloss {
            let (none, all) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
            for (lit, &mut open) in batch.lit.iter_mut().zip(open) {
                mask32x8::from_bitmask(simd, open).select(all, none).store_array(lit);
            }
            add_gloss(simd, gloss, light, batch);
        }
        rays
    }

    /// Adds the highlight of the headlight, which shines along the rays.
    #[inline(always)]
    fn add_headlight_gloss<S: Simd>(&self, simd: S, gloss: &SpecularLobe, batch: &mut SurfaceBatch) {
        for group in 0..batch.groups() {
            let direction = batch.directions8(simd, group);
            let cosine = f32x8::load_array_ref(simd, &batch.cosines[group]);
            let reflected = gloss.reflected(simd, [direction.map(|along| -along), direction], [cosine; 2]);
            batch.specular[group] = [(reflected * (1.0 - self.ambient)).to_array(); 3];
        }
    }

    /// Adds rim · (1 − n·v)² to the light, as far as surfaces are open.
    #[inline(always)]
    fn add_rim<S: Simd>(&self, simd: S, batch: &mut SurfaceBatch) {
        for group in 0..batch.groups() {
            let edge = f32x8::splat(simd, 1.0) - f32x8::load_array_ref(simd, &batch.cosines[group]);
            let mut rim = edge * edge * self.rim;
            if self.is_occluded() {
                rim *= f32x8::load_array_ref(simd, &batch.openness[group]);
            }
            for sum in &mut batch.diffuse[group] {
                (f32x8::load_array_ref(simd, sum) + rim).store_array(sum);
            }
        }
    }

    /// Whether fog may hide surfaces: then they have an opacity.
    pub(crate) fn is_foggy(&self) -> bool {
        self.fog.is_some()
    }

    /// Whether openness or soft shadows come from the surroundings of surfaces.
    pub(crate) fn needs_surroundings(&self) -> bool {
        matches!(self.occlusion, Occlusion::Smooth { .. }) || self.lights.iter().any(PreparedLight::casts_soft_shadows)
    }

    /// The reach of occluders for smooth occlusion; infinite otherwise.
    pub(crate) fn smooth_distance(&self) -> f32 {
        if let Occlusion::Smooth { distance } = self.occlusion { distance } else { f32::INFINITY }
    }
}

/// Sets a bit in `open` for each sample of a batch that faces a light and sees it past all opaque shapes; returns the
/// rays cast.
#[inline(always)]
fn find_lit<S: Simd>(
    simd: S,
    context: &ShadeContext<'_>,
    index: usize,
    light: &PreparedLight,
    batch: &SurfaceBatch,
    open: &mut [u64],
) -> u64 {
    for (group, (open, normals)) in open.iter_mut().zip(&batch.normals).enumerate() {
        let cosine = light.arriving(simd, &batch.points[group]).cosine(simd, normals);
        *open = cosine.simd_gt(0.0).to_bitmask() & batch.lanes(group);
    }
    if context.clip.is_none() {
        return context.occluders[index].screen(simd, light, batch, open);
    }
    // a cap that is seen from outside sees the light: the plane removes everything in between
    let mut caps = [0; GROUPS];
    for (group, (caps, open)) in caps.iter_mut().zip(&mut *open).enumerate() {
        *caps = batch.caps[group] & !batch.inside[group] & *open;
        *open &= !*caps;
    }
    let rays = context.occluders[index].screen(simd, light, batch, open);
    for (open, caps) in open.iter_mut().zip(caps) {
        *open |= caps;
    }
    rays
}

/// Adds the diffuse and the specular reflection of a light, weighted by `batch.lit`, the share of it that each hit
/// sees.
#[inline(always)]
fn add_share_of_light<S: Simd>(simd: S, gloss: Option<&SpecularLobe>, light: &PreparedLight, batch: &mut SurfaceBatch) {
    let groups = batch.groups();
    for (group, diffuse) in batch.diffuse[..groups].iter_mut().enumerate() {
        let arriving = light.arriving(simd, &batch.points[group]);
        let share = f32x8::load_array_ref(simd, &batch.lit[group]);
        Material::add_share(simd, diffuse, &batch.normals[group], &arriving, share);
    }
    if let Some(gloss) = gloss {
        add_gloss(simd, gloss, light, batch);
    }
}

/// Adds the specular reflection of a light, weighted by `batch.lit`, the share of it that each hit sees.
#[inline(always)]
fn add_gloss<S: Simd>(simd: S, gloss: &SpecularLobe, light: &PreparedLight, batch: &mut SurfaceBatch) {
    for group in 0..batch.groups() {
        let arriving = light.arriving(simd, &batch.points[group]);
        let to_light = arriving.cosine(simd, &batch.normals[group]).max(0.0);
        let to_eye = f32x8::load_array_ref(simd, &batch.cosines[group]);
        let directions = [arriving.toward, batch.directions8(simd, group)];
        let reflected = gloss.reflected(simd, directions, [to_light, to_eye]);
        let share = reflected * f32x8::load_array_ref(simd, &batch.lit[group]);
        for (sum, channel) in batch.specular[group].iter_mut().zip(arriving.radiance) {
            (f32x8::load_array_ref(simd, sum) + share * channel).store_array(sum);
        }
    }
}

/// Adds the sum of the specular lobe to the radiance of a batch, weighted by `share`; caps have no highlights.
#[inline(always)]
fn add_specular<S: Simd>(simd: S, share: f32, batch: &mut SurfaceBatch) {
    for group in 0..batch.groups() {
        let is_cap = mask32x8::from_bitmask(simd, batch.caps[group]);
        for (radiance, sum) in batch.radiance[group].iter_mut().zip(&batch.specular[group]) {
            let light = f32x8::load_array_ref(simd, radiance);
            is_cap.select(light, light + f32x8::load_array_ref(simd, sum) * share).store_array(radiance);
        }
    }
}

/// Blends the lightness of a batch's hits with the cloud's; `share` is the weight of their own.
#[inline(always)]
fn blend_with_cloud<S: Simd>(simd: S, cloud: &CloudLight, share: f32, grid: SampleGrid, batch: &mut SurfaceBatch) {
    for group in 0..batch.groups() {
        let mut together = [0.0; LANES];
        for (index, together) in (group * LANES..batch.count).zip(&mut together) {
            let (_, offset) = grid.plane_and_offset(batch.samples[index]);
            *together = cloud.lightness(grid.pixel(offset));
        }
        let together = f32x8::load_array(simd, together) * (1.0 - share);
        for light in &mut batch.diffuse[group] {
            let own = f32x8::load_array_ref(simd, light).min(1.0) * share;
            (own + together).store_array(light);
        }
    }
}
