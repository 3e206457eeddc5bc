//! The shading formula: colour · g(ambient · (1 − strength · (1 − openness)) + Σ light · max(0, n·l) · visible).
//!
//! In linear light g is the identity. In display terms the sum L is at most 1, and g(L) = L² · (0.75 + 0.25·L), which is
//! within 0.025 of the sRGB transfer function and needs no powers. Fog comes last.

use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::ambient_occlusion::Neighbors;
use super::bvh::EyeBvh;
use super::clip::ClipRegion;
use super::cloud::{Cloud, CloudLight};
use super::fog::Fog;
use super::hit_batch::{GROUPS, HitBatch};
use super::sample_rays::SampleGrid;
use super::sampling::Directions;
use super::shadows::{Occluders, PreparedLight, Shadow, prepared_lights};
use super::smooth::{ShadedSphere, SmoothOcclusion, SmoothScratch, SoftLight};
use super::visible::VisibleSphere;
use crate::color::{Srgba8, linear_from_srgb8};
use crate::lanes::{LANES, Rows3, dot, dot3_with, load3};
use crate::scene::spheres::{AmbientOcclusion, Background, Look, Shading, SphereScene};
use crate::scene::{EyeSphere, Rays, SphereExtents};

/// Premultiplied linear light and opacity.
pub(super) type Linear = [f32; 4];

/// Lights and options of a scene, prepared for shading.
#[derive(Debug)]
pub(super) struct Studio {
    pub lights: Vec<PreparedLight>,
    ambient: f32,
    /// How much of the ambient light occlusion can take away.
    strength: f32,
    pub occlusion: Occlusion,
    background: Background,
    look: Look,
    pub fog: Option<Fog>,
    /// Linear colour of outlines.
    pub line: [f32; 3],
}

/// How openness is found.
#[derive(Debug)]
pub(super) enum Occlusion {
    None,
    Smooth { distance: f32 },
    Rays { directions: Directions, distance: f32 },
}

/// The structures that shading asks.
pub(super) struct ShadeContext<'a> {
    /// One for each light of the studio.
    pub occluders: Vec<Occluders<'a>>,
    /// Present if openness is found by rays.
    pub bvh: Option<EyeBvh<'a>>,
    /// Present if some spheres are lit as a cloud.
    pub cloud: Option<(&'a Cloud, &'a CloudLight)>,
    /// Present if openness or soft shadows are found without rays.
    pub smooth: Option<SmoothOcclusion<'a>>,
    /// The side of a pixel: at distance 1, or everywhere if rays are parallel.
    pub pixel: f32,
    pub is_parallel: bool,
    /// Present if planes cut spheres.
    pub clip: Option<&'a ClipRegion>,
    /// Set when the picture is no longer wanted.
    pub cancelled: &'a AtomicBool,
}

impl ShadeContext<'_> {
    /// Whether the picture is no longer wanted: a tile may take seconds with many rays.
    #[inline(always)]
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The side of a pixel at a point relative to the eye.
    #[inline(always)]
    fn pixel_at(&self, point: [f32; 3]) -> f32 {
        if self.is_parallel { self.pixel } else { self.pixel * dot(point, point).sqrt() }
    }
}

/// Memory for the openness of surfaces, kept by a thread.
#[derive(Debug)]
pub(super) struct OpennessScratch {
    neighbors: Neighbors,
    smooth: SmoothScratch,
    /// The sphere that `smooth` is prepared for, in world coordinates.
    own: EyeSphere,
    /// For each pixel of the tile the sphere whose openness was found there last, and the openness: samples of a pixel that
    /// show the same sphere share it.
    found: Vec<(u32, f32)>,
    /// The same for each light: the share of it that is seen.
    lit: Vec<Vec<(u32, f32)>>,
}

impl Default for OpennessScratch {
    fn default() -> Self {
        let (neighbors, smooth) = (Neighbors::default(), SmoothScratch::default());
        Self { neighbors, smooth, own: EyeSphere::EMPTY, found: Vec::new(), lit: Vec::new() }
    }
}

impl OpennessScratch {
    /// Forgets what was found in another tile.
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.lit.iter_mut().for_each(Vec::clear);
    }
}

/// The three channels of a colour in linear light.
#[inline(always)]
pub(super) fn linear(color: Srgba8) -> [f32; 3] {
    [linear_from_srgb8(color.r), linear_from_srgb8(color.g), linear_from_srgb8(color.b)]
}

impl Studio {
    pub(super) fn new(scene: &SphereScene<'_>, extents: &SphereExtents, rays: &Rays) -> Self {
        let shading = &scene.shading;
        let lights = prepared_lights(&scene.lights, shading, rays);
        let distance = shading.ao_distance;
        let occlusion = match shading.ambient_occlusion {
            AmbientOcclusion::Off | AmbientOcclusion::Rays(0) => Occlusion::None,
            AmbientOcclusion::Smooth => Occlusion::Smooth { distance },
            AmbientOcclusion::Rays(rays) => {
                Occlusion::Rays { directions: Directions::new(rays, shading.seed), distance }
            }
        };
        let Shading { look, ambient, ao_strength: strength, outline_color, .. } = *shading;
        let fog = Fog::new(extents, shading, rays);
        let (background, line) = (scene.view.background, linear(outline_color));
        Self { lights, ambient, strength, occlusion, background, look, fog, line }
    }

    /// The same lights where nothing takes any of their light away.
    pub(super) fn open(&self) -> Self {
        let lights = self.lights.iter().map(|light| PreparedLight { shadow: Shadow::None, ..*light }).collect();
        let Self { ambient, strength, background, look, fog, line, .. } = *self;
        Self { lights, ambient, strength, occlusion: Occlusion::None, background, look, fog, line }
    }

    /// The light of surfaces as base + slope · cosine, if it is that.
    pub(super) fn light_by_cosine(&self) -> Option<[f32; 2]> {
        if !self.lights.is_empty() || self.is_occluded() || self.fog.is_some() {
            return None;
        }
        Some(if self.look == Look::Headlight {
            [self.ambient, 1.0 - self.ambient]
        } else {
            let lightness = self.ambient.min(1.0);
            [lightness * lightness * (lightness * 0.25 + 0.75), 0.0]
        })
    }

    /// Whether there is ambient occlusion.
    pub(super) fn is_occluded(&self) -> bool {
        !matches!(self.occlusion, Occlusion::None)
    }

    /// Whether the cosine between normal and ray decides the light of a hit.
    pub(super) fn is_headlight(&self) -> bool {
        self.look == Look::Headlight && self.lights.is_empty() && !self.is_occluded() && self.fog.is_none()
    }

    /// The light of a surface under the headlight alone.
    #[inline(always)]
    pub(super) fn headlight(&self, cosine: f32) -> f32 {
        self.ambient + (1.0 - self.ambient) * cosine
    }

    /// Shades a batch of hits on a sphere, whose surfaces are known; returns the rays cast.
    #[inline(always)]
    pub(super) fn shade<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        openness: &mut OpennessScratch,
        visible: &VisibleSphere,
        grid: SampleGrid,
        batch: &mut HitBatch,
    ) -> u64 {
        let mut rays = self.find_openness(simd, context, openness, visible, grid, batch);
        let groups = batch.groups();
        batch.light[..groups].fill([[self.ambient; LANES]; 3]);
        if self.is_occluded() {
            for (light, openness) in batch.light[..groups].iter_mut().zip(&batch.openness) {
                let openness = f32x8::load_array_ref(simd, openness);
                // at full strength no rounding comes between
                let open = if self.strength == 1.0 {
                    openness
                } else {
                    f32x8::splat(simd, 1.0) - (f32x8::splat(simd, 1.0) - openness) * self.strength
                };
                *light = [(f32x8::splat(simd, self.ambient) * open).to_array(); 3];
            }
        }
        if self.look == Look::Headlight && self.lights.is_empty() {
            for (light, cosines) in batch.light[..groups].iter_mut().zip(&batch.cosines) {
                let ambient = f32x8::load_array_ref(simd, &light[0]);
                let headlight = f32x8::load_array_ref(simd, cosines) * (1.0 - self.ambient);
                *light = [(ambient + headlight).to_array(); 3];
            }
        }
        for (index, (light, occluders)) in self.lights.iter().zip(&context.occluders).enumerate() {
            if let (Shadow::Soft(soft), Some(smooth)) = (&light.shadow, &context.smooth) {
                openness.lit.resize_with(self.lights.len().max(openness.lit.len()), Vec::new);
                find_soft_light(simd, context, smooth, openness, (visible, grid), (index, soft), batch);
                for ((sum, normals), lit) in batch.light.iter_mut().zip(&batch.normals[..groups]).zip(&batch.lit) {
                    let cosine = cosine(simd, normals, light).max(0.0) * f32x8::load_array_ref(simd, lit);
                    for (sum, channel) in sum.iter_mut().zip(light.color) {
                        (f32x8::load_array_ref(simd, sum) + cosine * channel).store_array(sum);
                    }
                }
                continue;
            }
            let mut open = [0; GROUPS];
            let open = &mut open[..groups];
            for (group, (open, normals)) in open.iter_mut().zip(&batch.normals).enumerate() {
                *open = cosine(simd, normals, light).simd_gt(0.0).to_bitmask() & batch.lanes(group);
            }
            // nothing is left between a cap and a light
            let mut caps = [0; GROUPS];
            let caps = if context.clip.is_some() { &mut caps[..groups] } else { &mut [] };
            for (group, (caps, open)) in caps.iter_mut().zip(&mut *open).enumerate() {
                *caps = batch.caps[group] & !batch.inside[group] & *open;
                *open &= !*caps;
            }
            rays += occluders.screen(simd, light, visible.sphere, batch, open);
            for (open, caps) in open.iter_mut().zip(caps) {
                *open |= *caps;
            }
            for ((sum, normals), &mut open) in batch.light.iter_mut().zip(&batch.normals).zip(open) {
                let is_lit = mask32x8::from_bitmask(simd, open);
                let cosine = cosine(simd, normals, light);
                for (sum, channel) in sum.iter_mut().zip(light.color) {
                    let unlit = f32x8::load_array_ref(simd, sum);
                    is_lit.select(unlit + cosine * channel, unlit).store_array(sum);
                }
            }
        }
        if let Some((cloud, light)) = context.cloud
            && !batch.is_translucent
        {
            let share = cloud.own_share(visible.sphere);
            if share < 1.0 {
                blend_with_cloud(simd, light, share, grid, batch);
            }
        }
        let color = linear(batch.color);
        for light in &mut batch.light[..groups] {
            for (light, channel) in light.iter_mut().zip(color) {
                let mut lightness = f32x8::load_array_ref(simd, light);
                if self.look != Look::Headlight {
                    lightness = linear_from_display(lightness);
                }
                (f32x8::splat(simd, channel) * lightness).store_array(light);
            }
        }
        if let Some(fog) = self.fog {
            self.hide_in_fog(simd, &fog, batch);
        }
        rays
    }

    /// Lets the background show in the place of far surfaces.
    #[inline(always)]
    fn hide_in_fog<S: Simd>(&self, simd: S, fog: &Fog, batch: &mut HitBatch) {
        let one = f32x8::splat(simd, 1.0);
        for group in 0..batch.groups() {
            let mut hidden = fog.hides(simd, &batch.points[group]);
            if self.is_occluded() {
                hidden *= fog_light(f32x8::load_array_ref(simd, &batch.openness[group]));
            }
            let mut behind = [[0.0; LANES]; 4];
            for lane in 0..LANES {
                let background = self.background(batch.direction(group * LANES + lane));
                for (row, channel) in behind.iter_mut().zip(background) {
                    row[lane] = channel;
                }
            }
            let behind = behind.map(|row| f32x8::load_array(simd, row));
            for (light, behind) in batch.light[group].iter_mut().zip(behind) {
                let own = f32x8::load_array_ref(simd, light);
                let mixed = if self.has_opaque_background() {
                    let root = own.max(0.0).sqrt() * (one - hidden) + behind.sqrt() * hidden;
                    root * root
                } else {
                    own * (one - hidden) + behind * hidden
                };
                mixed.store_array(light);
            }
            (one - hidden + behind[3] * hidden).store_array(&mut batch.opacity[group]);
        }
    }

    /// Whether fog is mixed with in display terms, of which square roots are near enough; what is translucent is mixed with
    /// by opacity.
    pub(super) fn has_opaque_background(&self) -> bool {
        match self.background {
            Background::Solid(color) => color.a == u8::MAX,
            Background::Gradient { bottom, top } => bottom.a == u8::MAX && top.a == u8::MAX,
        }
    }

    /// Whether surfaces may be translucent.
    pub(super) fn is_foggy(&self) -> bool {
        self.fog.is_some()
    }

    /// Whether openness or a light's shadows are found without rays.
    pub(super) fn needs_surroundings(&self) -> bool {
        matches!(self.occlusion, Occlusion::Smooth { .. }) || self.lights.iter().any(PreparedLight::casts_soft_shadows)
    }

    /// How far away spheres take light away where it is found without rays.
    pub(super) fn smooth_distance(&self) -> f32 {
        if let Occlusion::Smooth { distance } = self.occlusion { distance } else { f32::INFINITY }
    }

    /// Prepares for the openness of hits on a sphere.
    pub(super) fn prepare_openness<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        scratch: &mut OpennessScratch,
        (sphere, world): (EyeSphere, EyeSphere),
    ) {
        if let (Occlusion::Rays { .. }, Some(bvh)) = (&self.occlusion, context.bvh) {
            scratch.neighbors.gather(simd, bvh, sphere);
        }
        if let Some(smooth) = &context.smooth {
            smooth.prepare(simd, &mut scratch.smooth, world);
            scratch.own = world;
        }
    }

    /// Finds the openness of a batch's hits; returns the rays cast.
    #[inline(always)]
    fn find_openness<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        scratch: &mut OpennessScratch,
        visible: &VisibleSphere,
        grid: SampleGrid,
        batch: &mut HitBatch,
    ) -> u64 {
        if let Some(smooth) = &context.smooth {
            smooth.face(simd, &mut scratch.smooth, visible.sphere.radius, batch);
        }
        match (&self.occlusion, context.bvh, &context.smooth) {
            (Occlusion::Rays { directions, distance }, Some(bvh), _) => {
                let mut rays = 0;
                for index in 0..batch.count {
                    if let Some(openness) = batch.openness_of_cap(index) {
                        batch.openness[index / LANES][index % LANES] = openness;
                        continue;
                    }
                    let surface = batch.surface(index);
                    let exclude = if surface.is_inside { EyeSphere::EMPTY } else { visible.sphere };
                    let (plane, offset) = grid.plane_and_offset(batch.samples[index]);
                    let [x, y] = grid.pixel(offset);
                    #[expect(clippy::cast_possible_truncation, reason = "samples of a pixel are at most 4096")]
                    let directions = directions.of([x, y, plane as u32]);
                    let open = scratch.neighbors.open_rays(simd, bvh, &surface, exclude, directions, *distance);
                    batch.openness[index / LANES][index % LANES] = open as f32 / directions.len() as f32;
                    rays += directions.len() as u64;
                }
                rays
            }
            (Occlusion::Smooth { .. }, _, Some(smooth)) => {
                scratch.found.resize(grid.plane(), (u32::MAX, 0.0));
                for index in 0..batch.count {
                    if let Some(openness) = batch.openness_of_cap(index) {
                        batch.openness[index / LANES][index % LANES] = openness;
                        continue;
                    }
                    let (_, offset) = grid.plane_and_offset(batch.samples[index]);
                    if scratch.found[offset].0 != visible.index {
                        let surface = batch.surface(index);
                        let (own, is_inside, pixel) = (scratch.own, surface.is_inside, context.pixel_at(surface.point));
                        let sphere = ShadedSphere { own, is_inside, pixel };
                        let openness = smooth.openness(simd, &mut scratch.smooth, surface.normal, &sphere);
                        scratch.found[offset] = (visible.index, openness);
                    }
                    batch.openness[index / LANES][index % LANES] = scratch.found[offset].1;
                }
                0
            }
            _ => 0,
        }
    }

    /// The light of a ray that meets nothing.
    #[inline(always)]
    pub(super) fn background(&self, direction: [f32; 3]) -> Linear {
        let premultiplied = |color: Srgba8| {
            let alpha = f32::from(color.a) / 255.0;
            let [r, g, b] = linear(color).map(|channel| channel * alpha);
            [r, g, b, alpha]
        };
        match self.background {
            Background::Solid(color) => premultiplied(color),
            Background::Gradient { bottom, top } => {
                let up = 0.5 * (direction[1] + 1.0);
                let (bottom, top) = (premultiplied(bottom), premultiplied(top));
                std::array::from_fn(|i| bottom[i] * (1.0 - up) + top[i] * up)
            }
        }
    }
}

/// The light that fog scatters where surfaces are this open: fog in deep folds is as dark as they are.
#[inline(always)]
fn fog_light<S: Simd>(openness: f32x8<S>) -> f32x8<S> {
    (openness * 2.0).min(1.0)
}

/// Finds how much of a light with soft shadows a batch's hits see.
#[inline(always)]
fn find_soft_light<S: Simd>(
    simd: S,
    context: &ShadeContext<'_>,
    smooth: &SmoothOcclusion<'_>,
    scratch: &mut OpennessScratch,
    (visible, grid): (&VisibleSphere, SampleGrid),
    (light, soft): (usize, &SoftLight),
    batch: &mut HitBatch,
) {
    let found = &mut scratch.lit[light];
    found.resize(grid.plane(), (u32::MAX, 0.0));
    for index in 0..batch.count {
        if let Some(lit) = batch.openness_of_cap(index) {
            batch.lit[index / LANES][index % LANES] = lit;
            continue;
        }
        let (_, offset) = grid.plane_and_offset(batch.samples[index]);
        if found[offset].0 != visible.index {
            let surface = batch.surface(index);
            let (own, is_inside, pixel) = (scratch.own, surface.is_inside, context.pixel_at(surface.point));
            let sphere = ShadedSphere { own, is_inside, pixel };
            found[offset] = (visible.index, smooth.light(simd, &mut scratch.smooth, surface.normal, &sphere, soft));
        }
        batch.lit[index / LANES][index % LANES] = found[offset].1;
    }
}

/// Blends the lightness of a batch's hits, of which this share is their own, with that of a cloud.
#[inline(always)]
fn blend_with_cloud<S: Simd>(simd: S, cloud: &CloudLight, share: f32, grid: SampleGrid, batch: &mut HitBatch) {
    for group in 0..batch.groups() {
        let mut together = [0.0; LANES];
        for (index, together) in (group * LANES..batch.count).zip(&mut together) {
            let (_, offset) = grid.plane_and_offset(batch.samples[index]);
            *together = cloud.lightness(grid.pixel(offset));
        }
        let together = f32x8::load_array(simd, together) * (1.0 - share);
        for light in &mut batch.light[group] {
            let own = f32x8::load_array_ref(simd, light).min(1.0) * share;
            (own + together).store_array(light);
        }
    }
}

/// Linear light of a lightness in display terms, which is at most 1: within 0.025 of the sRGB transfer function.
#[inline(always)]
fn linear_from_display<S: Simd>(lightness: f32x8<S>) -> f32x8<S> {
    let lightness = lightness.min(1.0);
    lightness * lightness * (lightness * 0.25 + 0.75)
}

/// Cosines between eight normals and the direction of a light.
#[inline(always)]
fn cosine<S: Simd>(simd: S, normals: &Rows3, light: &PreparedLight) -> f32x8<S> {
    dot3_with(load3(simd, normals), light.frame.toward())
}
