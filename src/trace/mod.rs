//! Spheres in front of a camera, tile by tile: the nearest sphere of every sample, its shading, finished pixels.
//!
//! [`PreparedSpheres::new`] lists the spheres by tile; [`PreparedSpheres::draw`] finishes all tiles. With shadows of many spheres, a batch of
//! tiles goes through three steps: find the visible surfaces, list the occluders between them and each light, shade. A stage
//! lives for one picture.

mod accel;
mod find;
mod gbuffer;
mod light;
mod shade;
mod translucent;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use fearless_simd::{Level, dispatch};
use rayon::prelude::*;

use crate::clock::Instant;
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::frame::TileMut;
use crate::scene::spheres::{Background, Shading, SphereScene, View};
use crate::scene::{Opacity, PlacedShapes, Rays, SphereExtents, SphereInstances, sphere_extents};
use crate::tiles::Culling;
use crate::tiles::sphere_bins::SphereBins;
use crate::tiles::sphere_projector::SphereProjector;
pub(crate) use accel::bvh::piece_limit;
use accel::bvh::{Bvh, Clusters, EyeBvh, ShapeBvh};
pub(crate) use accel::cache::StructureCache;
use accel::light_buffer::{FEWEST_SPHERES, LightBuffer};
use accel::receivers::{ReceiverBounds, TileSurfaces};
use accel::shadow_rays::RayRecorder;
pub(crate) use accel::shadow_rays::{SHADOW_RAY, ShadowRays};
use find::clip::ClipRegion;
pub(crate) use find::depth_map::DepthMap;
use find::primary::{HitBuffer, PrimaryScene, PrimarySearch};
use find::sample_rays::{SampleGrid, SampleRays};
use find::sampling::sub_pixel_positions;
use find::shape_lists::ShapeBins;
pub(crate) use find::visibility_buffer::{NumberedSphere, SAMPLE, SphereBlock, VisibilityBuffer, border};
use find::visible::VisibleSpheres;
pub use gbuffer::GBuffer;
pub(crate) use light::cloud::MARGIN as CLOUD_MARGIN;
use light::cloud::{Cloud, CloudLight, around};
use light::directional::Shadow;
use light::shadows::Occluders;
use light::smooth::SmoothOcclusion;
use shade::lighting::{Occlusion, ShadeContext, Studio};
use shade::outlines::{OutlineScratch, Outlines};
use shade::resolve::{Resolver, ShadeScratch};
pub(crate) use translucent::BYTES as TRANSLUCENT_BYTES;
use translucent::{OpaqueTile, TranslucentBins, TranslucentScratch, TranslucentShapes};

/// tuned: benches/spheres.rs S1. Default side of a tile.
pub(crate) const TILE: u32 = 64;

/// Samples whose visible spheres are kept until their shadows are known; at least a tile for each thread.
pub(crate) const SAMPLES_KEPT: usize = 1 << 23;

/// An index is 32 bits, and one value means "none".
const MAX_SPHERES: u64 = u32::MAX as u64 - 1;

/// tuned: benches/spheres.rs S2 with a floor. Receivers on spheres of up to this many median radii are bounded as a whole.
const SMALL_RADIUS: f32 = 4.0;

/// Pixels around each tile that are drawn with it.
pub(crate) fn margin(shading: &Shading, view: &View) -> u32 {
    Outlines::new(shading, view, &Rays::new(view)).map_or(0, |outlines| outlines.margin)
}

/// Whether all spheres of these extents are shaded as a cloud, which needs visible spheres only.
pub(crate) fn is_cloud(extents: &SphereExtents, shading: &Shading, view: &View) -> bool {
    Cloud::new(extents, shading, &Rays::new(view)).is_some_and(|cloud| cloud.is_all)
}

/// A scene prepared for its tiles.
#[derive(Debug)]
pub(crate) struct PreparedSpheres<'a> {
    level: Level,
    /// Side of a tile in pixels.
    tile: u32,
    instances: SphereInstances<'a>,
    rays: Rays,
    projector: SphereProjector,
    /// The opaque spheres by tile.
    bins: Arc<SphereBins>,
    /// The other opaque shapes by tile.
    shapes: Option<ShapeBins>,
    /// Present if some shapes are translucent.
    translucent: Option<TranslucentShapes>,
    /// Sub-pixel positions of the samples.
    positions: Vec<[f32; 2]>,
    studio: Studio,
    bvh: OnceLock<Arc<Bvh>>,
    clusters: Option<Arc<Clusters>>,
    /// Of primitives that are not spheres, if rays ask for them.
    shape_bvh: Option<ShapeBvh>,
    /// Spheres, and spheres that stand for other shapes, if occlusion is found without rays among both.
    surroundings: Option<Arc<Bvh>>,
    /// A solid background, which needs no shading.
    backdrop: Option<Srgba8>,
    outlines: Option<Outlines>,
    cloud: Option<Cloud>,
    clip: Option<ClipRegion>,
    cancelled: &'a AtomicBool,
}

/// Memory that a thread keeps from tile to tile.
#[derive(Debug, Default)]
struct Scratch {
    search: PrimarySearch,
    hits: HitBuffer,
    visible: VisibleSpheres,
    outlines: OutlineScratch,
    /// How much of each sample outlines cover; empty without outlines.
    coverage: Vec<f32>,
    shade: ShadeScratch,
    /// Of the tile's translucent shapes, from when they are composed until the tile is finished.
    translucent: Option<Box<TranslucentScratch>>,
    /// The first surfaces of a tile with translucent shapes, and how much of each sample their outlines cover.
    first: HitBuffer,
    first_coverage: Vec<f32>,
}

/// A tile's nearest hits and what outlines cover of it, kept until the picture's depths are known.
#[derive(Debug)]
struct FoundTile {
    hits: HitBuffer,
    coverage: Vec<f32>,
}

/// A tile of a picture, and its hits if they were found before.
struct Task<'a, 'b> {
    tile: &'a mut TileMut<'b>,
    found: Option<FoundTile>,
}

/// The visible surfaces of a tile, before shading.
#[derive(Debug, Default)]
struct TileVisibility {
    visible: VisibleSpheres,
    /// How much of each sample outlines cover; empty without outlines.
    coverage: Vec<f32>,
    /// Bounds of the visible surfaces, seen from each light.
    receivers: Vec<Vec<ReceiverBounds>>,
}

/// Counts taken while spheres were listed by tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census {
    /// Spheres that reach the picture.
    pub visible: u64,
    /// Entries in the tiles' lists.
    pub binned: u64,
}

/// Counts and times of drawing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DrawStatistics {
    /// Rays cast.
    pub rays: u64,
    /// Time spent building light buffers.
    pub building: Duration,
}

impl<'a> PreparedSpheres<'a> {
    /// Lists the spheres by tiles of that side. Without culling every tile tests every sphere. Structures of the same
    /// spheres are taken from the cache. Once `cancelled` is set, structures are left unfinished and nothing is drawn.
    ///
    /// # Errors
    /// When there are more spheres than indices.
    pub(crate) fn new(
        level: Level,
        scene: &'a SphereScene<'a>,
        tile: u32,
        culling: Culling,
        cache: &mut StructureCache,
        cancelled: &'a AtomicBool,
    ) -> Result<Self> {
        Self::with_solid(level, scene, tile, culling, cache, (cancelled, None))
    }

    /// The same for surfaces alone: spheres of at least this alpha count as opaque, and there are no others.
    ///
    /// # Errors
    /// As [`PreparedSpheres::new`].
    pub(crate) fn of_surfaces(
        level: Level,
        scene: &'a SphereScene<'a>,
        tile: u32,
        least_alpha: u8,
        cache: &mut StructureCache,
        cancelled: &'a AtomicBool,
    ) -> Result<Self> {
        Self::with_solid(level, scene, tile, Culling::On, cache, (cancelled, Some(least_alpha)))
    }

    fn with_solid(
        level: Level,
        scene: &'a SphereScene<'a>,
        tile: u32,
        culling: Culling,
        cache: &mut StructureCache,
        (cancelled, solid_from): (&'a AtomicBool, Option<u8>),
    ) -> Result<Self> {
        let view = &scene.view;
        let rays = Rays::new(view);
        let instances = SphereInstances::new(&scene.groups, rays.eye).with_shapes(&scene.shapes);
        if instances.shapes.end() > MAX_SPHERES {
            let message = format!("must be at most {MAX_SPHERES}, copies counted, got {}", instances.shapes.end());
            return Err(Error::Setting { name: "number of spheres", message });
        }
        let positions = sub_pixel_positions(scene.shading.samples.max(1));
        let range = positions.iter().flatten().fold([1.0f32, 0.0f32], |[a, b], &v| [a.min(v), b.max(v)]);
        let needs_extents = scene.shading.fog > 0.0 || scene.shading.splat_radius > 0.0;
        let extents = match &scene.extents {
            Some(extents) => **extents,
            None if needs_extents => sphere_extents(&scene.framed(), &rays),
            None => SphereExtents::NONE,
        };
        let cloud = Cloud::new(&extents, &scene.shading, &rays);
        let is_cloud = cloud.is_some_and(|cloud| cloud.is_all);
        let clip = ClipRegion::new(&scene.clip_planes, rays.eye);
        let outlines = Outlines::new(&scene.shading, view, &rays);
        let outlines = outlines.map(|outlines| outlines.clipped(clip.as_ref()).outer(is_cloud));
        let margin = outlines.as_ref().map_or(0, |outlines| outlines.margin);
        let size = [view.width, view.height];
        let around = if cloud.is_some() { CLOUD_MARGIN } else { 0 };
        let projector = SphereProjector::new(&rays, size, margin.max(around), range, culling == Culling::On);
        let fill = |instances: &SphereInstances<'_>, cache: &mut StructureCache| {
            cache.bins(|bins| bins.fill(level, instances, &projector, tile, [margin, around]))
        };
        let bins = fill(&instances, cache);
        let list_shapes =
            |only: Opacity| ShapeBins::new(level, &instances.shapes.only(only), &projector, tile, [margin, around]);
        let shapes = list_shapes(solid_from.map_or(Opacity::Opaque, Opacity::AtLeast));
        let translucent_shapes = if solid_from.is_none() { list_shapes(Opacity::Translucent) } else { None };
        let (mut bins, mut translucent_spheres) = (bins, None);
        let mut has_opaque = shapes.is_some() || (instances.count() > 0 && bins.is_opaque);
        if !bins.is_opaque {
            let [least, greatest] = instances.alphas();
            has_opaque |= greatest == u8::MAX;
            if let Some(alpha) = solid_from {
                bins = fill(&instances.only(Opacity::AtLeast(alpha)), cache);
            } else if least > 0 && greatest < u8::MAX {
                (bins, translucent_spheres) = (Arc::default(), Some(bins));
            } else {
                translucent_spheres = Some(fill(&instances.only(Opacity::Translucent), cache));
                bins = fill(&instances.only(Opacity::Opaque), cache);
            }
        }
        let is_translucent = translucent_spheres.is_some() || translucent_shapes.is_some();
        let translucent_bins = is_translucent
            .then(|| TranslucentBins { spheres: translucent_spheres.unwrap_or_default(), shapes: translucent_shapes });
        let shadow = if is_cloud {
            Shadow::None
        } else if instances.count() < FEWEST_SPHERES || clip.is_some() || translucent_bins.is_some() || shapes.is_some()
        {
            // buffers know no clip planes, no other shapes, and only the space before opaque surfaces
            Shadow::Bvh
        } else {
            Shadow::Buffer { median_radius: instances.median_radius() }
        };
        let studio = Studio::new(scene, &extents, &rays, shadow);
        let backdrop = match view.background {
            Background::Solid(color) => Some(color),
            Background::Gradient { .. } => None,
        };
        let bvh = OnceLock::new();
        let clusters = None;
        let is_open = is_cloud || !has_opaque;
        let model = scene.shading.transparency;
        let translucent = translucent_bins.map(|bins| {
            let open = is_open.then(|| studio.open());
            TranslucentShapes::new((level, bins), &instances, model, &studio, open)
        });
        let mut stage = Self {
            level,
            tile,
            instances,
            rays,
            projector,
            bins,
            shapes,
            translucent,
            positions,
            studio,
            bvh,
            clusters,
            shape_bvh: None,
            surroundings: None,
            backdrop,
            outlines,
            cloud,
            clip,
            cancelled,
        };
        let casters = if stage.translucent.is_some() { Opacity::Opaque } else { Opacity::Any };
        cache.retain(&scene.groups, casters);
        let needs_surroundings = stage.studio.needs_surroundings();
        let needs_rays = stage.studio.lights.iter().any(|light| matches!(light.shadow, Shadow::Bvh));
        if !is_cloud && (needs_surroundings || stage.studio.is_occluded() || needs_rays) {
            if stage.shapes.is_some() && needs_surroundings {
                let (bvh, clusters) = cache.surroundings(level, scene, casters, cancelled);
                (stage.surroundings, stage.clusters) = (Some(bvh), Some(clusters));
            }
            let casts_rays = needs_rays || matches!(stage.studio.occlusion, Occlusion::Rays { .. });
            if stage.shapes.is_none() || casts_rays {
                let bvh = cache.bvh(level, &scene.groups, &stage.instances.only(casters), cancelled);
                if stage.shapes.is_none() && needs_surroundings {
                    stage.clusters = Some(cache.clusters(&bvh, cancelled));
                }
                stage.bvh = OnceLock::from(bvh);
            }
            if stage.shapes.is_some() && casts_rays {
                let shapes = stage.instances.shapes.only(casters).seen_from([0.0; 3]);
                stage.shape_bvh = Some(ShapeBvh::new(&shapes));
            }
        }
        Ok(stage)
    }

    /// The hierarchy of all spheres, built when it is first needed.
    fn bvh(&self) -> EyeBvh<'_> {
        let casters = if self.translucent.is_some() { Opacity::Opaque } else { Opacity::Any };
        let instances = || self.instances.to_world().only(casters);
        let bvh = self.bvh.get_or_init(|| Arc::new(Bvh::new(self.level, &instances(), self.cancelled)));
        EyeBvh { bvh, eye: self.rays.eye, clip: self.clip.as_ref(), shapes: self.shape_bvh() }
    }

    /// The hierarchy if it was needed.
    fn built_bvh(&self) -> Option<EyeBvh<'_>> {
        let (clip, shapes) = (self.clip.as_ref(), self.shape_bvh());
        self.bvh.get().map(|bvh| EyeBvh { bvh, eye: self.rays.eye, clip, shapes })
    }

    /// The hierarchy of primitives that are not spheres.
    fn shape_bvh(&self) -> Option<(&ShapeBvh, &PlacedShapes<'_>)> {
        self.shape_bvh.as_ref().map(|bvh| (bvh, &self.instances.shapes))
    }

    pub(crate) fn census(&self) -> Census {
        let bins = self.translucent.as_ref().map(|translucent| &translucent.bins);
        let spheres = bins.map(|bins| &*bins.spheres).into_iter().chain([&*self.bins]);
        let shapes = bins.and_then(|bins| bins.shapes.as_ref()).into_iter().chain(&self.shapes);
        let counts = spheres.map(|bins| [bins.visible, bins.binned]);
        let counts = counts.chain(shapes.map(|shapes| [shapes.visible(), shapes.binned()]));
        let [visible, binned] = counts.fold([0; 2], |[a, b], [c, d]| [a + c, b + d]);
        Census { visible, binned }
    }

    /// Number of spheres that the tile around a pixel tests.
    #[cfg(feature = "viewer")]
    pub(crate) fn kept(&self, x: u32, y: u32) -> u64 {
        self.bins.lists(x.cast_signed(), y.cast_signed()).iter().map(|list| list.len() as u64).sum()
    }

    /// Draws the tiles; stops at the next one, or at the next batch of hits in one, once it is cancelled.
    pub(crate) fn draw(&self, tiles: &mut [TileMut<'_>]) -> DrawStatistics {
        if self.cancelled.load(Ordering::Relaxed) {
            return DrawStatistics::default();
        }
        let lights = &self.studio.lights;
        let radius = lights.iter().find_map(|light| match light.shadow {
            Shadow::Buffer { median_radius } => Some(median_radius),
            _ => None,
        });
        self.with_tasks(tiles, |tasks, cloud| {
            if let Some(median_radius) = radius {
                return self.draw_in_batches(tasks, cloud, median_radius);
            }
            let occluders = lights.iter().map(|light| match light.shadow {
                Shadow::Bvh => Occluders::Bvh(self.bvh()),
                _ => Occluders::None,
            });
            let rays = self.draw_tile_by_tile(tasks, &self.context(occluders.collect(), cloud));
            DrawStatistics { rays, building: Duration::ZERO }
        })
    }

    /// Finds the rays that drawing these tiles would cast to lights with hard shadows. The tiles show nothing in shadow.
    pub(crate) fn shadow_rays(&self, tiles: &mut [TileMut<'_>]) -> ShadowRays {
        let lights = &self.studio.lights;
        let recorders: Vec<RayRecorder<'_>> = lights.iter().map(|_| RayRecorder::new(self.clip.as_ref())).collect();
        let occluders = lights.iter().zip(&recorders).map(|(light, recorder)| {
            if light.casts_hard_shadows() { Occluders::Recorder(recorder) } else { Occluders::None }
        });
        self.with_tasks(tiles, |tasks, cloud| {
            self.draw_tile_by_tile(tasks, &self.context(occluders.collect(), cloud));
        });
        let frames = lights.iter().map(|light| light.frame);
        ShadowRays::new(self.level, self.rays.eye, frames.zip(recorders))
    }

    /// Hands over the tiles and the light of a cloud, which depends on what all tiles show.
    fn with_tasks<'b, R>(
        &self,
        tiles: &mut [TileMut<'b>],
        draw: impl FnOnce(&mut [Task<'_, 'b>], Option<(&Cloud, &CloudLight)>) -> R,
    ) -> R {
        let (light, mut found) = match &self.cloud {
            Some(_) => {
                let (depths, found) = self.find_depths(tiles, self.cancelled);
                (Some(depths.light(self.level, &self.rays)), found)
            }
            None => (None, Vec::new()),
        };
        found.resize_with(tiles.len(), || None);
        let mut tasks: Vec<_> = tiles.iter_mut().zip(found).map(|(tile, found)| Task { tile, found }).collect();
        draw(&mut tasks, self.cloud.as_ref().zip(light.as_ref()))
    }

    /// Finds the depths of a whole picture and of some pixels around it; also returns the hits of its tiles, unless they are too
    /// many to keep.
    fn find_depths(&self, tiles: &[TileMut<'_>], cancelled: &AtomicBool) -> (DepthMap, Vec<Option<FoundTile>>) {
        let [width, height] = self.projector.size();
        let samples: usize = tiles.iter().map(|tile| self.grid(tile).pixels() * self.positions.len()).sum();
        let find = |scratch: &mut Scratch, tile: &TileMut<'_>| {
            if cancelled.load(Ordering::Relaxed) {
                return (Vec::new(), None);
            }
            self.find_hits(scratch, tile);
            let depths = scratch.hits.depths(&scratch.search.rays, self.grid(tile), self.rays.forward);
            let Scratch { hits, coverage, .. } = scratch;
            let found = FoundTile { hits: std::mem::take(hits), coverage: std::mem::take(coverage) };
            (depths, (samples <= SAMPLES_KEPT).then_some(found))
        };
        let parts: Vec<_> = tiles.par_iter().map_init(Scratch::default, find).collect();
        let mut map = DepthMap::new([width, height], CLOUD_MARGIN, 1);
        let mut found = Vec::with_capacity(tiles.len());
        for (tile, (part, hits)) in tiles.iter().zip(parts) {
            let columns = tile.rows.first().map_or(1, |row| row.len());
            map.set([tile.x.cast_signed(), tile.y.cast_signed()], columns, &part);
            found.push(hits);
        }
        let around = around([width, height], self.tile);
        let find = |scratch: &mut Scratch, grid: &SampleGrid| {
            if cancelled.load(Ordering::Relaxed) {
                return Vec::new();
            }
            self.find_nearest(scratch, *grid);
            scratch.hits.depths(&scratch.search.rays, *grid, self.rays.forward)
        };
        let parts: Vec<_> = around.par_iter().map_init(Scratch::default, find).collect();
        for (grid, part) in around.iter().zip(parts) {
            map.set([grid.x, grid.y], grid.width as usize, &part);
        }
        (map, found)
    }

    /// Finds and shades the visible spheres of each tile in one go; returns the rays cast.
    fn draw_tile_by_tile(&self, tasks: &mut [Task<'_, '_>], context: &ShadeContext<'_>) -> u64 {
        let draw = |scratch: &mut Scratch, task: &mut Task<'_, '_>| {
            if context.is_cancelled() {
                return 0;
            }
            let grid = self.grid(task.tile);
            self.take_hits(scratch, task);
            let composed = self.compose_translucent(scratch, grid, context);
            let translucent = scratch.translucent.take();
            let Scratch { search, hits, visible, shade, coverage, first_coverage, .. } = scratch;
            let resolver = self.resolver(&search.rays);
            let mut primary = (grid.pixels() * self.positions.len()) as u64;
            let is_headlit =
                self.studio.is_headlight() && self.outlines.is_none() && context.cloud.is_none() && self.clip.is_none();
            if let (Some(rays), Some(spheres), Some(translucent)) = (composed, &self.translucent, translucent) {
                primary += rays;
                if is_headlit {
                    resolver.resolve_headlit_behind(shade, task.tile, hits, &translucent);
                } else {
                    visible.collect(&self.instances, hits, grid);
                    translucent.leave_lines(coverage, first_coverage);
                    let front = (&*translucent, &first_coverage[..]);
                    primary += resolver.resolve_behind(shade, task.tile, (visible, coverage), context, front);
                }
                spheres.keep_scratch(translucent);
                return primary;
            }
            if is_headlit {
                resolver.resolve_headlit(task.tile, hits);
                return primary;
            }
            visible.collect(&self.instances, hits, grid);
            primary + resolver.resolve(shade, task.tile, (visible, coverage), context)
        };
        tasks.par_iter_mut().map_init(Scratch::default, draw).sum()
    }

    /// Composes the translucent shapes of a tile whose hits are found; returns the rays cast, `None` if the tile has none.
    fn compose_translucent(&self, scratch: &mut Scratch, grid: SampleGrid, context: &ShadeContext<'_>) -> Option<u64> {
        let shapes = self.translucent.as_ref()?;
        let (mut lists, others) = shapes.lists(&self.instances, grid);
        if !others.is_empty() {
            lists.push(&others);
        }
        if lists.is_empty() {
            return None;
        }
        let mut translucent = shapes.take_scratch();
        let Scratch { search, hits, outlines, first, first_coverage, .. } = scratch;
        let tile = OpaqueTile { grid, rays: &search.rays, hits, has_first: self.outlines.is_some() };
        let scene = (self.primary_scene(), &self.studio);
        let rays = shapes.compose((self.level, &mut translucent), scene, (tile, &lists), context);
        first_coverage.clear();
        if let Some(lines) = &self.outlines {
            translucent.first_hits(hits, grid, first);
            let shown = (&*first, &search.rays[..]);
            dispatch!(self.level, simd => lines.cover(simd, outlines, &self.instances, grid, shown, first_coverage));
        }
        scratch.translucent = Some(translucent);
        Some(rays)
    }

    /// Finds the visible spheres of many tiles, then lists the occluders of those, then shades.
    fn draw_in_batches(
        &self,
        tasks: &mut [Task<'_, '_>],
        cloud: Option<(&Cloud, &CloudLight)>,
        median_radius: f32,
    ) -> DrawStatistics {
        let is_cancelled = || self.cancelled.load(Ordering::Relaxed);
        let samples = tasks.first().map_or(1, |task| self.grid(task.tile).pixels()) * self.positions.len();
        let mut statistics = DrawStatistics::default();
        for tasks in tasks.chunks_mut((SAMPLES_KEPT / samples).max(rayon::current_num_threads())) {
            let find = |scratch: &mut Scratch, task: &mut Task<'_, '_>| {
                if is_cancelled() {
                    return TileVisibility::default();
                }
                let grid = self.grid(task.tile);
                self.take_hits(scratch, task);
                scratch.visible.collect(&self.instances, &scratch.hits, grid);
                self.tile_visibility(scratch, grid, median_radius)
            };
            let views: Vec<TileVisibility> = tasks.par_iter_mut().map_init(Scratch::default, find).collect();
            if is_cancelled() {
                break;
            }
            let start = Instant::now();
            let context = self.shade_context(&views, cloud, median_radius);
            statistics.building += start.elapsed();
            let shade = |scratch: &mut Scratch, (task, view): (&mut Task<'_, '_>, &TileVisibility)| {
                if is_cancelled() {
                    return 0;
                }
                let Scratch { search, shade, .. } = scratch;
                let grid = self.grid(task.tile);
                search.fill_rays(self.level, &self.primary_scene(), grid);
                let primary = (grid.pixels() * self.positions.len()) as u64;
                let shown = (&view.visible, &view.coverage[..]);
                primary + self.resolver(&search.rays).resolve(shade, task.tile, shown, &context)
            };
            statistics.rays += tasks.par_iter_mut().zip(&views).map_init(Scratch::default, shade).sum::<u64>();
        }
        statistics
    }

    /// Finds a tile's visible surfaces and their bounds in the frame of each light.
    fn tile_visibility(&self, scratch: &Scratch, grid: SampleGrid, median_radius: f32) -> TileVisibility {
        let surfaces = TileSurfaces {
            level: self.level,
            grid,
            visible: &scratch.visible,
            hits: &scratch.hits,
            rays: &scratch.search.rays,
            forward: self.rays.forward,
            small_radius: SMALL_RADIUS * median_radius,
        };
        let receivers = self.studio.lights.iter().map(|light| match light.casts_hard_shadows() {
            true => surfaces.receivers(&light.frame),
            false => Vec::new(),
        });
        let receivers = receivers.collect();
        TileVisibility { visible: scratch.visible.compact(), coverage: scratch.coverage.clone(), receivers }
    }

    /// The occluders between the visible surfaces and each light.
    fn shade_context<'b>(
        &'b self,
        views: &[TileVisibility],
        cloud: Option<(&'b Cloud, &'b CloudLight)>,
        median_radius: f32,
    ) -> ShadeContext<'b> {
        let occluders = self.studio.lights.iter().enumerate().map(|(index, light)| {
            if views.iter().all(|view| view.receivers.get(index).is_none_or(Vec::is_empty)) {
                return Occluders::None;
            }
            let receivers = views.iter().map(|view| &view.receivers[index][..]);
            let receivers: Vec<_> = receivers.filter(|receivers| !receivers.is_empty()).collect();
            let buffer = LightBuffer::new(self.level, &self.instances, median_radius, light.frame, &receivers);
            buffer.map_or_else(|| Occluders::Bvh(self.bvh()), Occluders::Buffer)
        });
        self.context(occluders.collect(), cloud)
    }

    fn context<'b>(
        &'b self,
        occluders: Vec<Occluders<'b>>,
        cloud: Option<(&'b Cloud, &'b CloudLight)>,
    ) -> ShadeContext<'b> {
        let bvh = self.built_bvh();
        // the hierarchy of spheres alone where there is nothing else
        let around = self.surroundings.as_deref().or_else(|| bvh.as_ref().map(|EyeBvh { bvh, .. }| *bvh));
        let smooth = match (around, &self.clusters) {
            (Some(bvh), Some(clusters)) => {
                let median_radius = self.instances.median_radius();
                Some(SmoothOcclusion::new(bvh, clusters, self.studio.smooth_distance(), median_radius))
            }
            _ => None,
        };
        let Rays { step, parallel, .. } = self.rays;
        let (clip, cancelled) = (self.clip.as_ref(), self.cancelled);
        let translucent = self.translucent.as_ref().and_then(|spheres| spheres.shadows.as_ref());
        let translucent = translucent.map(|shadows| (shadows, &self.instances));
        ShadeContext { occluders, bvh, cloud, smooth, translucent, pixel: step, is_parallel: parallel, clip, cancelled }
    }

    /// The samples of a tile, with as much around it as outlines need.
    fn grid(&self, tile: &TileMut<'_>) -> SampleGrid {
        SampleGrid::of(tile, self.margin())
    }

    fn margin(&self) -> u32 {
        self.outlines.as_ref().map_or(0, |outlines| outlines.margin)
    }

    /// The hits of a tile and what outlines cover of it, which may have been found before.
    fn take_hits(&self, scratch: &mut Scratch, task: &mut Task<'_, '_>) {
        let Some(FoundTile { hits, coverage }) = task.found.take() else {
            return self.find_hits(scratch, task.tile);
        };
        (scratch.hits, scratch.coverage) = (hits, coverage);
        let grid = self.grid(task.tile);
        scratch.search.fill_rays(self.level, &self.primary_scene(), grid);
    }

    /// Finds the nearest hits of a tile, and what outlines cover of it.
    fn find_hits(&self, scratch: &mut Scratch, tile: &TileMut<'_>) {
        let grid = self.grid(tile);
        self.find_nearest(scratch, grid);
        if let Some(lines) = &self.outlines {
            let Scratch { search, hits, outlines, coverage, .. } = scratch;
            let shown = (&*hits, &search.rays[..]);
            dispatch!(self.level, simd => lines.cover(simd, outlines, &self.instances, grid, shown, coverage));
        }
    }

    /// Finds the rays of a tile and their nearest hits.
    fn find_nearest(&self, Scratch { search, hits, .. }: &mut Scratch, grid: SampleGrid) {
        let [x, y] = [grid.x, grid.y].map(|start| start.saturating_add_unsigned(grid.margin));
        let scene = self.primary_scene();
        search.find(self.level, &scene, grid, &self.bins.lists(x, y), hits);
        if let Some(shapes) = &self.shapes {
            search.find_shapes(self.level, &scene, grid, &shapes.lists(x, y), hits);
        }
    }

    fn primary_scene(&self) -> PrimaryScene<'_> {
        let Self { instances, rays, projector, positions, clip, .. } = self;
        PrimaryScene { instances, rays, projector, positions, clip: clip.as_ref() }
    }

    fn resolver<'b>(&'b self, rays: &'b [SampleRays]) -> Resolver<'b> {
        let Self { level, instances, studio, backdrop, .. } = self;
        Resolver { level: *level, instances, studio, backdrop: *backdrop, margin: self.margin(), rays }
    }
}
