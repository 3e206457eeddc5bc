//! The shading formula: colour · (ambient · openness + Σ light · max(0, n·l) · visible), in linear light.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::ambient_occlusion::Neighbors;
use super::bvh::EyeBvh;
use super::hit_batch::{GROUPS, HitBatch};
use super::sample_rays::SampleGrid;
use super::sampling::Directions;
use super::shadows::{Occluders, PreparedLight};
use super::smooth::{ShadedSphere, SmoothOcclusion, SmoothScratch};
use super::visible::VisibleSphere;
use crate::color::{Srgba8, linear_from_srgb8};
use crate::lanes::{LANES, Rows3, dot, dot3_with, load3};
use crate::scene::spheres::{AmbientOcclusion, Background, Light, Shading};
use crate::scene::{EyeSphere, SphereInstances};

/// Premultiplied linear light and opacity.
pub(super) type Linear = [f32; 4];

/// Lights and options of a scene, prepared for shading.
#[derive(Debug)]
pub(super) struct Studio {
    pub lights: Vec<PreparedLight>,
    ambient: f32,
    pub occlusion: Occlusion,
    background: Background,
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
    pub instances: &'a SphereInstances<'a>,
    /// One for each light of the studio.
    pub occluders: Vec<Occluders<'a>>,
    /// Present if openness is found by rays.
    pub bvh: Option<EyeBvh<'a>>,
    /// Present if openness is found without rays.
    pub smooth: Option<SmoothOcclusion<'a>>,
    /// The side of a pixel: at distance 1, or everywhere if rays are parallel.
    pub pixel: f32,
    pub is_parallel: bool,
}

impl ShadeContext<'_> {
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
}

impl Default for OpennessScratch {
    fn default() -> Self {
        let (neighbors, smooth) = (Neighbors::default(), SmoothScratch::default());
        Self { neighbors, smooth, own: EyeSphere::EMPTY, found: Vec::new() }
    }
}

impl OpennessScratch {
    /// Forgets what was found in another tile.
    pub(super) fn clear(&mut self) {
        self.found.clear();
    }
}

/// The three channels of a colour in linear light.
#[inline(always)]
pub(super) fn linear(color: Srgba8) -> [f32; 3] {
    [linear_from_srgb8(color.r), linear_from_srgb8(color.g), linear_from_srgb8(color.b)]
}

impl Studio {
    pub(super) fn new(lights: &[Light], shading: &Shading, background: Background) -> Self {
        let lights = lights.iter().filter_map(PreparedLight::new).collect();
        let distance = shading.ao_distance;
        let occlusion = match shading.ambient_occlusion {
            AmbientOcclusion::Off | AmbientOcclusion::Rays(0) => Occlusion::None,
            AmbientOcclusion::Smooth => Occlusion::Smooth { distance },
            AmbientOcclusion::Rays(rays) => {
                Occlusion::Rays { directions: Directions::new(rays, shading.seed), distance }
            }
        };
        Self { lights, ambient: shading.ambient, occlusion, background }
    }

    /// Whether there is ambient occlusion.
    pub(super) fn is_occluded(&self) -> bool {
        !matches!(self.occlusion, Occlusion::None)
    }

    /// Whether the cosine between normal and ray decides the light of a hit.
    pub(super) fn is_headlight(&self) -> bool {
        self.lights.is_empty() && !self.is_occluded()
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
                let ambient = f32x8::splat(simd, self.ambient) * f32x8::load_array_ref(simd, openness);
                *light = [ambient.to_array(); 3];
            }
        }
        if self.lights.is_empty() {
            for (light, cosines) in batch.light[..groups].iter_mut().zip(&batch.cosines) {
                let ambient = f32x8::load_array_ref(simd, &light[0]);
                let headlight = f32x8::load_array_ref(simd, cosines) * (1.0 - self.ambient);
                *light = [(ambient + headlight).to_array(); 3];
            }
        }
        for (light, occluders) in self.lights.iter().zip(&context.occluders) {
            let mut open = [0; GROUPS];
            let open = &mut open[..groups];
            for (group, (open, normals)) in open.iter_mut().zip(&batch.normals).enumerate() {
                *open = cosine(simd, normals, light).simd_gt(0.0).to_bitmask() & batch.lanes(group);
            }
            rays += occluders.screen(simd, light, visible.sphere, batch, open);
            for ((sum, normals), &mut open) in batch.light.iter_mut().zip(&batch.normals).zip(open) {
                let is_lit = mask32x8::from_bitmask(simd, open);
                let cosine = cosine(simd, normals, light);
                for (sum, channel) in sum.iter_mut().zip(light.color) {
                    let unlit = f32x8::load_array_ref(simd, sum);
                    is_lit.select(unlit + cosine * channel, unlit).store_array(sum);
                }
            }
        }
        let color = linear(context.instances.color(visible.index));
        for light in &mut batch.light[..groups] {
            for (light, channel) in light.iter_mut().zip(color) {
                (f32x8::splat(simd, channel) * f32x8::load_array_ref(simd, light)).store_array(light);
            }
        }
        rays
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
        match (&self.occlusion, context.bvh, &context.smooth) {
            (Occlusion::Rays { directions, distance }, Some(bvh), _) => {
                let mut rays = 0;
                for index in 0..batch.count {
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
                smooth.face(simd, &mut scratch.smooth, visible.sphere.radius, batch);
                for index in 0..batch.count {
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

/// Cosines between eight normals and the direction of a light.
#[inline(always)]
fn cosine<S: Simd>(simd: S, normals: &Rows3, light: &PreparedLight) -> f32x8<S> {
    dot3_with(load3(simd, normals), light.frame.toward())
}
