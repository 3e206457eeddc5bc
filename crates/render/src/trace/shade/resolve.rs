//! Turns the hits of a tile into pixels: shades its primitives one after another, averages samples in linear light,
//! encodes the means.

use fearless_simd::{Level, dispatch, f32x4, prelude::*};

use super::encode::opaque;
use super::lighting::{Linear, ShadeContext, Studio};
use super::material::{Material, linear, linear_from_display};
use super::occlusion::OpennessScratch;
use super::surface_batch::SurfaceBatch;
use crate::color::{ENCODER, Encoder, Srgba8};
use crate::frame::TileMut;
use crate::lanes::LANES;
use crate::scene::{PrimitiveId, SphereInstances};
use crate::shapes::{Primitive, ShapeVisitor, VastSphere, visit_shape};
use crate::statistics::Statistics;
use crate::trace::find::clip::ClipRegion;
use crate::trace::find::primary::{HitBuffer, HitLayer};
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};
use crate::trace::find::visible::{SampleRun, VisibleSphere, VisibleSpheres};
use crate::trace::light::cloud::CloudLight;
use crate::trace::translucent::TranslucentScratch;

/// Memory for shading, kept by a thread.
#[derive(Debug, Default)]
pub(crate) struct ShadeScratch {
    batch: SurfaceBatch,
    openness: OpennessScratch,
    /// The materials of the tile's spheres.
    materials: Vec<Material>,
    /// The light of every sample, plane after plane; 0 where no sphere is hit.
    lights: Vec<Linear>,
}

impl ShadeScratch {
    /// Takes the counts of shading.
    pub(crate) fn take_work(&mut self) -> Statistics {
        self.openness.take_work()
    }
}

/// The opaque surfaces of a tile, and the outline coverage of each sample.
#[derive(Clone, Copy)]
pub(crate) struct ShownTile<'a> {
    pub visible: &'a VisibleSpheres,
    /// Empty without outlines.
    pub coverage: &'a [f32],
}

/// The composed translucent shapes of a tile, and the coverage of each sample by their outlines.
#[derive(Clone, Copy)]
pub(crate) struct ComposedTile<'a> {
    pub translucent: &'a TranslucentScratch,
    /// Empty without outlines.
    pub coverage: &'a [f32],
}

/// Turns the hits of a tile into pixels.
#[derive(Clone, Copy)]
pub(crate) struct Resolver<'a> {
    pub level: Level,
    pub instances: &'a SphereInstances<'a>,
    pub studio: &'a Studio,
    /// A solid background, which needs no shading.
    pub backdrop: Option<Srgba8>,
    /// Margin of the tile's rays, in pixels.
    pub margin: u32,
    /// Rays of the tile, one plane for each sample of a pixel.
    pub rays: &'a [SampleRays],
}

impl Resolver<'_> {
    /// Resolves a tile under the headlight alone.
    pub(crate) fn resolve_headlit(&self, tile: &mut TileMut<'_>, hits: &HitBuffer) {
        let encoder = &*ENCODER;
        let stride = SampleGrid::of(tile, 0).stride();
        for (colors, start) in tile.colors.iter_mut().zip((0..).step_by(stride)) {
            for (color, at) in colors.iter_mut().zip(start..) {
                let light = |layer: &HitLayer| self.headlight(layer, at);
                *color = self.mean_light(hits.layers.iter().map(light).zip(self.rays), at);
            }
        }
        dispatch!(self.level, simd => for (pixels, start) in tile.rows.iter_mut().zip((0..).step_by(stride)) {
            if let ([layer], Some(backdrop)) = (&hits.layers[..], self.backdrop) {
                self.resolve_plain_row(simd, layer, start, pixels, backdrop);
                continue;
            }
            for (pixel, at) in pixels.iter_mut().zip(start..) {
                let light = |layer: &HitLayer| self.headlight(layer, at);
                *pixel = self.mean(simd, encoder, hits.layers.iter().map(light).zip(self.rays), at);
            }
        });
    }

    /// The light of a sample under the headlight; 0 without a hit.
    #[inline(always)]
    fn headlight(&self, layer: &HitLayer, at: usize) -> Linear {
        if layer.distance[at] == f32::INFINITY {
            return [0.0; 4];
        }
        let light = self.studio.headlight(layer.cosine[at]);
        let [r, g, b] = linear(self.instances.color(layer.index[at]));
        [r * light, g * light, b * light, 1.0]
    }

    /// Resolves the most common kind of row: one sample per pixel, under the headlight, on one colour.
    #[inline(always)]
    fn resolve_plain_row<S: Simd>(
        &self,
        simd: S,
        layer: &HitLayer,
        start: usize,
        pixels: &mut [Srgba8],
        backdrop: Srgba8,
    ) {
        let range = start..start + pixels.len();
        let (distances, cosines) = (&layer.distance[range.clone()], &layer.cosine[range.clone()]);
        let encoder = &*ENCODER;
        let mut last = (u32::MAX, [0.0; 4]);
        for (((pixel, &distance), &cosine), &index) in
            pixels.iter_mut().zip(distances).zip(cosines).zip(&layer.index[range])
        {
            *pixel = backdrop;
            if distance < f32::INFINITY {
                if last.0 != index {
                    let [r, g, b] = linear(self.instances.color(index));
                    last = (index, [r, g, b, 1.0]);
                }
                *pixel = opaque(encoder, f32x4::load_array(simd, last.1) * self.studio.headlight(cosine));
            }
        }
    }

    /// Resolves a tile under the headlight alone, with composed translucent shapes in front.
    pub(crate) fn resolve_headlit_behind(
        &self,
        scratch: &mut ShadeScratch,
        tile: &mut TileMut<'_>,
        hits: &HitBuffer,
        translucent: &TranslucentScratch,
    ) {
        let grid = SampleGrid::of(tile, self.margin);
        scratch.lights.clear();
        for layer in &hits.layers {
            scratch.lights.extend((0..grid.plane()).map(|at| self.headlight(layer, at)));
        }
        translucent.cover(&mut scratch.lights, self.studio, grid, self.rays);
        dispatch!(self.level, simd => self.encode(simd, tile, &scratch.lights));
    }

    /// Finds the light of a tile's opaque samples and blends outlines over it; returns the rays cast.
    fn shade_tile(
        &self,
        scratch: &mut ShadeScratch,
        grid: SampleGrid,
        shown: ShownTile<'_>,
        context: &ShadeContext<'_>,
    ) -> u64 {
        let ShownTile { visible, coverage } = shown;
        scratch.lights.clear();
        scratch.lights.resize(grid.plane() * self.rays.len(), [0.0; 4]);
        scratch.openness.clear();
        // loaded in a loop of its own, so that cache misses overlap
        scratch.materials.clear();
        let material = |sphere: &VisibleSphere| {
            let gloss = self.studio.lobe(self.instances, sphere.index);
            Material::new(self.instances.color(sphere.index)).with_gloss(gloss)
        };
        scratch.materials.extend(visible.spheres.iter().map(material));
        dispatch!(self.level, simd => {
            let mut rays = 0;
            for (index, sphere) in visible.spheres.iter().enumerate() {
                if context.is_cancelled() {
                    break;
                }
                (scratch.batch.id, scratch.batch.material) = (PrimitiveId(sphere.index), index);
                rays += self.shade_sphere(simd, scratch, grid, visible, sphere, context);
            }
            self.draw_lines(&mut scratch.lights, coverage, grid);
            rays
        })
    }

    /// Resolves a tile with outlines, and with translucent shapes and their outlines in front, if there are any; returns
    /// the rays cast for its opaque shapes.
    pub(crate) fn resolve(
        &self,
        scratch: &mut ShadeScratch,
        tile: &mut TileMut<'_>,
        shown: ShownTile<'_>,
        context: &ShadeContext<'_>,
        front: Option<ComposedTile<'_>>,
    ) -> u64 {
        let grid = SampleGrid::of(tile, self.margin);
        let rays = self.shade_tile(scratch, grid, shown, context);
        if let Some(ComposedTile { translucent, coverage }) = front {
            translucent.cover(&mut scratch.lights, self.studio, grid, self.rays);
            self.draw_lines(&mut scratch.lights, coverage, grid);
        }
        dispatch!(self.level, simd => self.encode(simd, tile, &scratch.lights));
        rays
    }

    /// Blends outlines over the samples' light by coverage; does nothing without outlines.
    fn draw_lines(&self, lights: &mut [Linear], coverage: &[f32], grid: SampleGrid) {
        let [r, g, b] = self.studio.line;
        for (sample, (light, &share)) in lights.iter_mut().zip(coverage).enumerate() {
            if share > 0.0 {
                if light[3] == 0.0 {
                    let (plane, at) = (sample / grid.plane(), sample % grid.plane());
                    *light = self.studio.background(self.rays[plane].direction(at));
                }
                for (light, line) in light.iter_mut().zip([r, g, b, 1.0]) {
                    *light = *light * (1.0 - share) + line * share;
                }
            }
        }
    }

    /// Shades all hits on a sphere, batch by batch.
    #[inline(always)]
    fn shade_sphere<S: Simd>(
        &self,
        simd: S,
        scratch: &mut ShadeScratch,
        grid: SampleGrid,
        visible: &VisibleSpheres,
        sphere: &VisibleSphere,
        context: &ShadeContext<'_>,
    ) -> u64 {
        if let Some((cloud, light)) = context.cloud {
            let own_share = cloud.own_share(sphere.sphere);
            if own_share == 0.0 {
                let color = scratch.materials[scratch.batch.material].color;
                for run in visible.runs(sphere) {
                    self.light_in_cloud(light, sphere, color, grid, &run, &mut scratch.lights);
                }
                return 0;
            }
            scratch.batch.own_share = own_share;
        }
        let (openness, batch) = (&mut scratch.openness, &mut scratch.batch);
        self.studio.prepare_openness(simd, context, openness, batch, self.instances, PrimitiveId(sphere.index));
        let mut rays = 0;
        for run in visible.runs(sphere) {
            let (plane, mut at) = grid.plane_and_offset(run.start);
            let mut samples = run.start..run.start + run.length;
            while !samples.is_empty() {
                at += scratch.batch.take(simd, &self.rays[plane], at, &mut samples);
                if context.is_cancelled() {
                    scratch.batch.count = 0;
                    return rays;
                }
                if scratch.batch.is_full() {
                    rays += self.shade_batch(simd, scratch, grid, sphere, context);
                }
            }
        }
        rays + self.shade_batch(simd, scratch, grid, sphere, context)
    }

    /// Lights the samples of a run on a sphere that is shaded by the cloud alone. The sphere is treated as a point: all
    /// of it has the same fog.
    fn light_in_cloud(
        &self,
        cloud: &CloudLight,
        sphere: &VisibleSphere,
        color: [f32; 3],
        grid: SampleGrid,
        run: &SampleRun,
        lights: &mut [Linear],
    ) {
        let hidden = self.studio.fog.map_or(0.0, |fog| fog.hides_at(sphere.sphere.center));
        let (plane, first) = grid.plane_and_offset(run.start);
        let run = run.start as usize..(run.start + run.length) as usize;
        for (light, at) in lights[run].iter_mut().zip(first..) {
            let lightness = cloud.lightness(grid.pixel(at));
            let [r, g, b] = color.map(|channel| channel * linear_from_display(lightness));
            *light = [r, g, b, 1.0];
            if hidden > 0.0 {
                let behind = self.studio.background(self.rays[plane].direction(at));
                for (light, behind) in light.iter_mut().zip(behind) {
                    *light = self.studio.fogged(*light, behind, hidden);
                }
            }
        }
    }

    /// Shades a batch and empties it; not inlined, so that it is compiled once per instruction set.
    fn shade_batch<S: Simd>(
        &self,
        simd: S,
        scratch: &mut ShadeScratch,
        grid: SampleGrid,
        sphere: &VisibleSphere,
        context: &ShadeContext<'_>,
    ) -> u64 {
        simd.vectorize(
            #[inline(always)]
            || self.shade_batch_inline(simd, scratch, grid, sphere, context),
        )
    }

    #[inline(always)]
    fn shade_batch_inline<S: Simd>(
        &self,
        simd: S,
        scratch: &mut ShadeScratch,
        grid: SampleGrid,
        sphere: &VisibleSphere,
        context: &ShadeContext<'_>,
    ) -> u64 {
        let ShadeScratch { batch, openness, materials, lights } = scratch;
        if self.instances.shapes.has(batch.id) {
            self.find_surfaces_of_shape(simd, batch, context);
        } else {
            match VastSphere::of(sphere.sphere, context.rays, self.instances, batch.id.0) {
                Some(vast) => find_surfaces_of_vast(simd, batch, vast),
                None => batch.find_surfaces(simd, sphere.sphere),
            }
            if let Some(clip) = context.clip {
                batch.move_to_caps(simd, clip, sphere.sphere, context.rays.parallel);
            }
        }
        let material = materials[batch.material];
        let rays = self.studio.shade(simd, context, openness, &material, grid, batch);
        for ([r, g, b], samples) in batch.radiance.iter().zip(batch.samples[..batch.count].chunks(LANES)) {
            for (((&sample, &r), &g), &b) in samples.iter().zip(r).zip(g).zip(b) {
                lights[sample as usize] = [r, g, b, 1.0];
            }
        }
        if self.studio.is_foggy() {
            for (&sample, &opacity) in batch.samples[..batch.count].iter().zip(batch.opacity.as_flattened()) {
                lights[sample as usize][3] = opacity;
            }
        }
        batch.count = 0;
        rays
    }

    /// Finds the surfaces of a batch of a primitive other than a sphere; not inlined, so that spheres have the smaller
    /// kernel.
    fn find_surfaces_of_shape<S: Simd>(&self, simd: S, batch: &mut SurfaceBatch, context: &ShadeContext<'_>) {
        let (shape, clip) = (self.instances.shapes.shape(batch.id.0), context.clip);
        simd.vectorize(
            #[inline(always)]
            || visit_shape(shape, FindOnShape { simd, batch, clip, is_parallel: context.rays.parallel }),
        );
    }

    /// Turns the light of a tile's samples into pixels.
    #[inline(always)]
    fn encode<S: Simd>(&self, simd: S, tile: &mut TileMut<'_>, lights: &[Linear]) {
        let grid = SampleGrid::of(tile, self.margin);
        let encoder = &*ENCODER;
        for (colors, start) in tile.colors.iter_mut().zip(grid.rows()) {
            for (color, at) in colors.iter_mut().zip(start..) {
                let samples = lights[at..].iter().step_by(grid.plane()).copied().zip(self.rays);
                *color = self.mean_light(samples, at);
            }
        }
        for (pixels, start) in tile.rows.iter_mut().zip(grid.rows()) {
            for (pixel, at) in pixels.iter_mut().zip(start..) {
                *pixel = match lights[at] {
                    [r, g, b, 1.0] if self.rays.len() == 1 => opaque(encoder, f32x4::load_array(simd, [r, g, b, 1.0])),
                    _ => {
                        let samples = lights[at..].iter().step_by(grid.plane()).copied().zip(self.rays);
                        self.mean(simd, encoder, samples, at)
                    }
                };
            }
        }
    }

    /// The pixel of some samples.
    #[inline(always)]
    fn mean<'a, S: Simd>(
        &self,
        simd: S,
        encoder: &Encoder,
        samples: impl Iterator<Item = (Linear, &'a SampleRays)> + Clone,
        at: usize,
    ) -> Srgba8 {
        if let Some(color) = self.backdrop
            && samples.clone().all(|(light, _)| light[3] == 0.0)
        {
            return color;
        }
        encode_light(simd, encoder, self.mean_light(samples, at))
    }

    /// The mean light of some samples, which show the background where their light is 0.
    #[inline(always)]
    fn mean_light<'a>(&self, samples: impl Iterator<Item = (Linear, &'a SampleRays)>, at: usize) -> Linear {
        let mut sum: Linear = [0.0; 4];
        for (light, rays) in samples {
            let light = if light[3] == 0.0 { self.studio.background(rays.direction(at)) } else { light };
            for (sum, light) in sum.iter_mut().zip(light) {
                *sum += light;
            }
        }
        let weight = 1.0 / self.rays.len() as f32;
        sum.map(|channel| channel * weight)
    }
}

/// Finds the surfaces of a batch of a vast sphere; not inlined, so that other spheres have the smaller kernel.
#[cold]
fn find_surfaces_of_vast<S: Simd>(simd: S, batch: &mut SurfaceBatch, vast: VastSphere) {
    simd.vectorize(
        #[inline(always)]
        || batch.find_surfaces(simd, vast),
    );
}

/// Finds the surfaces of a batch on a shape and on its caps.
struct FindOnShape<'a, S> {
    simd: S,
    batch: &'a mut SurfaceBatch,
    clip: Option<&'a ClipRegion>,
    is_parallel: bool,
}

impl<S: Simd> ShapeVisitor for FindOnShape<'_, S> {
    type Output = ();

    #[inline(always)]
    fn visit<P: Primitive>(self, shape: P) {
        self.batch.find_on_shape(self.simd, shape, self.clip, self.is_parallel);
    }
}

/// The pixel of a mean of samples.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` clamps the rounded opacity to 0 … 255"
)]
fn encode_light<S: Simd>(simd: S, encoder: &Encoder, [r, g, b, a]: Linear) -> Srgba8 {
    if a <= 0.0 {
        return Srgba8::TRANSPARENT;
    }
    let [r, g, b] = if a < 1.0 { [r / a, g / a, b / a] } else { [r, g, b] };
    opaque(encoder, f32x4::load_array(simd, [r, g, b, a])).with_alpha((a * 255.0 + 0.5) as u8)
}
