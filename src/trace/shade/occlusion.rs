//! The share of light that arrives at the hits of a batch: openness for the ambient light, visibility for lights with soft shadows
//! and for lights behind translucent shapes.
//!
//! Openness is the cosine-weighted share of the hemisphere over a point in which nothing is near. It comes from rays
//! ([`crate::trace::light::ao_rays`]) or, without rays, from the shapes around ([`crate::trace::light::smooth`]), once for each
//! primitive that a pixel shows. Hard shadows are bits of a batch's lanes: [`crate::trace::light::shadows`].

use fearless_simd::prelude::*;

use super::lighting::{ShadeContext, Studio};
use super::surface_batch::SurfaceBatch;
use crate::geom::Sphere;
use crate::lanes::LANES;
use crate::scene::{PrimitiveId, SphereInstances};
use crate::shapes::OcclusionRay;
use crate::trace::find::sample_rays::SampleGrid;
use crate::trace::find::sampling::Directions;
use crate::trace::light::ao_rays::Neighbors;
use crate::trace::light::directional::PreparedLight;
use crate::trace::light::smooth::{ShadedPoint, SmoothOcclusion, SmoothScratch, SoftLight};
use crate::trace::light::translucent_shadows::{LightCrossing, LitPoint, TranslucentShadows};

/// How openness is found.
#[derive(Debug)]
pub(crate) enum Occlusion {
    None,
    Smooth { distance: f32 },
    Rays { directions: Directions, distance: f32 },
}

/// Memory for the openness of surfaces, kept by a thread.
#[derive(Debug, Default)]
pub(crate) struct OpennessScratch {
    neighbors: Neighbors,
    smooth: SmoothScratch,
    /// For each pixel of the tile the primitive whose openness was found there last, and the openness: samples of a pixel that
    /// show the same primitive share it.
    found: Vec<(PrimitiveId, f32)>,
    /// The same for each light: the share of it that is seen.
    pub(super) lit: Vec<Vec<(PrimitiveId, f32)>>,
    /// Of one ray to a light.
    pub(super) crossings: Vec<LightCrossing>,
}

impl OpennessScratch {
    /// Clears the results of the previous tile.
    pub(crate) fn clear(&mut self) {
        self.found.clear();
        self.lit.iter_mut().for_each(Vec::clear);
    }
}

impl Studio {
    /// Prepares for the openness of hits on a sphere.
    pub(crate) fn prepare_openness<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        scratch: &mut OpennessScratch,
        (sphere, world): (Sphere<3>, Sphere<3>),
    ) {
        if let (Occlusion::Rays { .. }, Some(bvh)) = (&self.occlusion, context.bvh) {
            scratch.neighbors.gather(simd, bvh, sphere);
        }
        if let Some(smooth) = &context.smooth {
            smooth.prepare(simd, &mut scratch.smooth, world);
        }
    }

    /// Prepares the openness of hits on a primitive other than a sphere, from its bounding sphere and its stand-in.
    pub(crate) fn prepare_openness_of_shape<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        scratch: &mut OpennessScratch,
        (around, stand_in): (Sphere<3>, Sphere<3>),
    ) {
        if let (Occlusion::Rays { .. }, Some(bvh)) = (&self.occlusion, context.bvh) {
            scratch.neighbors.gather(simd, bvh, around);
        }
        if let Some(smooth) = &context.smooth {
            smooth.prepare_around(simd, &mut scratch.smooth, stand_in);
        }
    }

    /// Finds the openness of a batch's hits; returns the rays cast.
    #[inline(always)]
    pub(super) fn find_openness<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        scratch: &mut OpennessScratch,
        grid: SampleGrid,
        batch: &mut SurfaceBatch,
    ) -> u64 {
        if let Some(smooth) = &context.smooth {
            smooth.face(simd, &mut scratch.smooth, batch);
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
                    let exclude = batch.exclude(index);
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
                scratch.found.resize(grid.plane(), (PrimitiveId::NONE, 0.0));
                for index in 0..batch.count {
                    if let Some(openness) = batch.openness_of_cap(index) {
                        batch.openness[index / LANES][index % LANES] = openness;
                        continue;
                    }
                    let (_, offset) = grid.plane_and_offset(batch.samples[index]);
                    if scratch.found[offset].0 != batch.id {
                        let surface = batch.surface(index);
                        let (is_inside, pixel) = (surface.is_inside, context.pixel_at(surface.point));
                        let place = ShadedPoint { is_inside, pixel, point: batch.relative_to_viewpoint(index) };
                        let openness = smooth.openness(simd, &mut scratch.smooth, surface.normal, &place);
                        scratch.found[offset] = (batch.id, openness);
                    }
                    batch.openness[index / LANES][index % LANES] = scratch.found[offset].1;
                }
                0
            }
            _ => 0,
        }
    }
}

/// Finds how much of a light passes translucent spheres on its way to those hits of a batch that see it otherwise; returns the
/// rays cast.
pub(super) fn find_light_through(
    context: &ShadeContext<'_>,
    (shadows, instances): (&TranslucentShadows, &SphereInstances<'_>),
    crossings: &mut Vec<LightCrossing>,
    (index, light): (usize, &PreparedLight),
    batch: &mut SurfaceBatch,
    open: &[u64],
) -> u64 {
    let mut rays = 0;
    for sample in 0..batch.count {
        let (group, lane) = (sample / LANES, sample % LANES);
        batch.lit[group][lane] = 0.0;
        if open[group] >> lane & 1 == 0 {
            continue;
        }
        let point = batch.surface(sample).point;
        let (toward, length) = light.toward(point);
        let own = batch.exclude(sample);
        let ray = OcclusionRay { origin: point, direction: toward, begin: 0.0, length, exclude: own };
        let length = context.clip.map_or(length, |clip| clip.shortened(&ray).length);
        let lit = LitPoint { point, own, is_far: batch.is_far, toward, length };
        batch.lit[group][lane] = shadows.pass(instances, index, &lit, crossings);
        rays += 1;
    }
    rays
}

/// Finds how much of a light with soft shadows a batch's hits see.
#[inline(always)]
pub(super) fn find_soft_light<S: Simd>(
    simd: S,
    context: &ShadeContext<'_>,
    smooth: &SmoothOcclusion<'_>,
    scratch: &mut OpennessScratch,
    grid: SampleGrid,
    (light, soft): (usize, &SoftLight),
    batch: &mut SurfaceBatch,
) {
    let found = &mut scratch.lit[light];
    found.resize(grid.plane(), (PrimitiveId::NONE, 0.0));
    for index in 0..batch.count {
        if let Some(lit) = batch.openness_of_cap(index) {
            batch.lit[index / LANES][index % LANES] = lit;
            continue;
        }
        let (_, offset) = grid.plane_and_offset(batch.samples[index]);
        if found[offset].0 != batch.id {
            let surface = batch.surface(index);
            let (is_inside, pixel) = (surface.is_inside, context.pixel_at(surface.point));
            let place = ShadedPoint { is_inside, pixel, point: batch.relative_to_viewpoint(index) };
            found[offset] = (batch.id, smooth.light(simd, &mut scratch.smooth, surface.normal, &place, soft));
        }
        batch.lit[index / LANES][index % LANES] = found[offset].1;
    }
}
