//! Translucent shapes: every surface, or every stretch of medium, that each sample sees in front of its opaque hit,
//! composed front to back in linear light.
//!
//! Opaque shapes are found and shaded as if there were no others. The translucent ones of a tile have lists of their
//! own. The rays of the tile pass through the shapes of the list, front to back ([`search`], [`candidate`]). The last
//! passage of each ray waits until no nearer one can follow ([`pending`]); passages that overlap are sorted by their
//! crossings ([`crossings`]). Complete passages are composed by one of three models ([`composition`], [`media`]), until
//! hardly anything passes. The fourth keeps the nearest entry of each group ([`fronts`]). Light that depends on more than the cosine to the ray is found for fragments, many at a time
//! ([`lighting`]), and of large, faint spheres once a block of pixels ([`block_rays`]).
//!
//! Order decides the result, so that it has a rule: distance along the ray, then the number of the shape. Nothing
//! depends on where tiles are cut.

mod block_rays;
mod candidate;
mod composition;
mod crossings;
mod fronts;
mod lighting;
mod media;
mod pending;
mod search;
mod twins;

use std::sync::Arc;

use fearless_simd::{Level, dispatch};

use self::block_rays::BlockRays;
use self::composition::Lighting;
use self::lighting::{FragmentLighting, FragmentScene};
use self::search::{TranslucentSearch, TranslucentTile};
use super::find::primary::{HitBuffer, PrimaryScene};
use super::find::sample_rays::{SampleGrid, SampleRays};
use super::find::shape_lists::ShapeBins;
use super::light::translucent_shadows::TranslucentShadows;
use super::shade::lighting::{Linear, ShadeContext, Studio};
use crate::scene::SphereInstances;
use crate::scene::spheres::Transparency;
use crate::statistics::Statistics;
use crate::tiles::sphere_bins::{SphereBins, SphereEntry};

/// The translucent shapes of a scene.
#[derive(Debug)]
pub(super) struct TranslucentShapes {
    pub bins: TranslucentBins,
    model: Transparency,
    /// −ln(1 − a) of every alpha.
    densities: Box<[f32; 256]>,
    /// The shadows that they cast; `None` without hard shadows.
    pub shadows: Option<TranslucentShadows>,
    /// The lights without shadows and occlusion, if the shapes are lit as a cloud.
    open_studio: Option<Studio>,
}

/// The translucent shapes of a scene by tile.
#[derive(Debug)]
pub(super) struct TranslucentBins {
    pub spheres: Arc<SphereBins>,
    /// Shapes that are not spheres.
    pub shapes: Option<ShapeBins>,
}

/// Bytes that a thread keeps: per sample of a tile, and for long lists of crossings.
pub(crate) const BYTES: [u64; 2] = {
    let [of_sample, long] = crossings::LIST_BYTES;
    [(of_sample + pending::BYTES + fronts::BYTES + composition::SAMPLE_BYTES + block_rays::BYTES) as u64, long as u64]
};

/// Memory that a thread keeps.
#[derive(Debug, Default)]
pub(super) struct TranslucentScratch {
    search: TranslucentSearch,
    lighting: FragmentLighting,
    blocks: BlockRays,
}

/// A tile with its opaque hits and its lists of translucent shapes.
#[derive(Clone, Copy)]
pub(super) struct LayeredTile<'a> {
    pub grid: SampleGrid,
    pub rays: &'a [SampleRays],
    pub hits: &'a HitBuffer,
    pub lists: &'a [&'a [SphereEntry]],
    /// Whether first surfaces are wanted.
    pub has_first: bool,
}

impl TranslucentShapes {
    /// `open_studio` is given for a cloud.
    pub(super) fn new(
        level: Level,
        bins: TranslucentBins,
        instances: &SphereInstances<'_>,
        model: Transparency,
        studio: &Studio,
        open_studio: Option<Studio>,
    ) -> Self {
        let densities = Box::new(densities());
        let shadows = TranslucentShadows::new(level, instances, &studio.lights, model, &densities);
        Self { bins, model, densities, shadows, open_studio }
    }

    /// The lists of a tile's spheres, and a list of its other shapes; both are empty without translucent shapes.
    pub(super) fn lists(
        &self,
        instances: &SphereInstances<'_>,
        grid: SampleGrid,
    ) -> (Vec<&[SphereEntry]>, Vec<SphereEntry>) {
        let [x, y] = [grid.x, grid.y].map(|start| start.saturating_add_unsigned(grid.margin));
        let shapes = self.bins.shapes.as_ref().map(|bins| bins.entries(&instances.shapes, x, y));
        (self.bins.spheres.lists(x, y), shapes.unwrap_or_default())
    }

    /// Composes the translucent shapes of a tile in front of the light of its opaque samples; returns the rays cast.
    pub(super) fn compose(
        &self,
        level: Level,
        scratch: &mut TranslucentScratch,
        scene: PrimaryScene<'_>,
        studio: &Studio,
        tile: LayeredTile<'_>,
        context: &ShadeContext<'_>,
    ) -> u64 {
        let LayeredTile { grid, rays, hits, lists, has_first } = tile;
        let studio = self.open_studio.as_ref().unwrap_or(studio);
        let lighting = match studio.light_by_cosine().filter(|_| context.clip.is_none()) {
            Some([base, slope]) => Lighting::Cosine { base, slope },
            None => Lighting::Deferred,
        };
        let (model, densities) = (self.model, &*self.densities);
        let has_shapes = self.bins.shapes.is_some();
        let tile =
            TranslucentTile { scene, grid, rays, hits, lists, has_shapes, model, densities, lighting, has_first };
        let TranslucentScratch { search, lighting, blocks } = scratch;
        let is_smooth = context.layers.iter().any(|layer| layer.smooth.is_some());
        // with one sample a pixel each is lit itself; shares of a medium are interpolated already
        let is_lit_in_blocks =
            is_smooth && rays.len() > 1 && self.model != Transparency::Solid && context.cloud.is_none();
        let mut count = 0;
        dispatch!(level, simd => {
            if is_lit_in_blocks {
                blocks.fill(simd, scene.rays, grid);
            }
            let blocks = is_lit_in_blocks.then_some(&*blocks);
            let fragments = FragmentScene { instances: scene.instances, studio, context, rays, grid, blocks };
            search.compose(simd, &tile, |composition, slots| {
                if !composition.fragments.is_empty() {
                    count += lighting.add(simd, &fragments, composition, slots);
                }
                !context.is_cancelled()
            });
        });
        count
    }
}

impl TranslucentScratch {
    /// Takes the counts of shading.
    pub(super) fn take_work(&mut self) -> Statistics {
        self.lighting.take_work()
    }

    /// The first surface of every sample, translucent or opaque.
    pub(super) fn first_hits(&self, hits: &HitBuffer, grid: SampleGrid, first: &mut HitBuffer) {
        first.clear(hits.layers.len(), grid);
        let Some(found) = &self.search.composition.first else { return };
        for (plane, (layer, opaque)) in first.layers.iter_mut().zip(&hits.layers).enumerate() {
            for at in 0..grid.plane() {
                let sample = plane * grid.plane() + at;
                let is_translucent = found.distance[sample] < f32::INFINITY;
                (layer.distance[at], layer.index[at], layer.cosine[at]) = if is_translucent {
                    (found.distance[sample], found.index[sample], found.cosine[sample])
                } else {
                    (opaque.distance[at], opaque.index[at], opaque.cosine[at])
                };
            }
        }
    }

    /// Where nothing translucent shows, joins the lines of opaque and of first surfaces: most are in both, but a faint
    /// shape may hide an opaque silhouette nearby from the latter.
    pub(super) fn join_lines(&self, opaque: &mut [f32], first: &mut [f32]) {
        for ((opaque, first), pass) in opaque.iter_mut().zip(first).zip(&self.search.composition.pass) {
            if *pass == 1.0 {
                *first = first.max(*opaque);
                *opaque = 0.0;
            }
        }
    }

    /// Composites the translucent shapes over the light of opaque samples.
    pub(super) fn cover(&self, lights: &mut [Linear], studio: &Studio, grid: SampleGrid, rays: &[SampleRays]) {
        let composition = &self.search.composition;
        for (sample, light) in lights.iter_mut().enumerate() {
            let pass = composition.pass[sample];
            if pass == 1.0 {
                continue;
            }
            if light[3] == 0.0 {
                let (plane, at) = (sample / grid.plane(), sample % grid.plane());
                *light = studio.background(rays[plane].direction(at));
            }
            let is_done = composition.limit[sample] < 0.0;
            for (light, composed) in light.iter_mut().zip(composition.light(sample)) {
                *light = if is_done { composed / (1.0 - pass) } else { composed + pass * *light };
            }
        }
    }
}

/// −ln(1 − a) of every alpha less than 255. For 255, which only a part of a shape may have, a value so large that even
/// a grazing ray is absorbed.
#[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
fn densities() -> [f32; 256] {
    std::array::from_fn(|alpha| if alpha < 255 { -libm::log1p(-(alpha as f64) / 255.0) as f32 } else { 1e9 })
}
