//! Draws the tiles of a prepared scene: finds the nearest hits, collects the visible shapes, shades and resolves them.
//!
//! Without light buffers each tile goes through all steps at once. A light buffer holds only spheres in front of
//! visible surfaces, so with one the tiles of a batch are found first, then its buffers are built, then the tiles are
//! shaded. A cloud's light depends on the depths of the whole picture, which are found before any tile is shaded.

use std::ops::Add;
use std::sync::atomic::Ordering;

use fearless_simd::dispatch;
use rayon::prelude::*;

use super::SAMPLES_KEPT;
use super::accel::light_buffer::LightBuffer;
use super::accel::receivers::{ReceiverBounds, TileSurfaces};
use super::accel::shadow_rays::{RayRecorder, ShadowRays};
use super::find::primary::{HitBuffer, PrimarySearch, PrimaryTile};
use super::find::sample_rays::{SampleGrid, SampleRays};
use super::find::visible::VisibleSpheres;
use super::light::cloud::{self, CloudLight, MARGIN as CLOUD_MARGIN, border_grids};
use super::light::directional::Shadow;
use super::light::shadows::Occluders;
use super::prepared::PreparedSpheres;
use super::shade::lighting::ShadeContext;
use super::shade::occlusion::TranslucentOccluders;
use super::shade::outlines::{OutlineScratch, OutlinedTile};
use super::shade::resolve::{ComposedTile, Resolver, ShadeScratch, ShownTile};
use super::translucent::{LayeredTile, TranslucentScratch};
use crate::clock::Instant;
use crate::frame::TileMut;
use crate::scene::{Cloud, DepthMap};
use crate::statistics::Statistics;

/// tuned: benches/spheres.rs S2 with a floor. Spheres of up to this many median radii have one receiver box, larger
/// ones a box per run of hits.
const SMALL_RADIUS: f32 = 4.0;

/// Memory that a thread keeps from tile to tile.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub search: PrimarySearch,
    pub hits: HitBuffer,
    visible: VisibleSpheres,
    outlines: OutlineScratch,
    /// Outline coverage of each sample; empty without outlines.
    coverage: Vec<f32>,
    shade: ShadeScratch,
    translucent: TranslucentScratch,
    /// The first surfaces of a tile with translucent shapes, and the coverage of each sample by their outlines.
    first: HitBuffer,
    first_coverage: Vec<f32>,
}

impl Scratch {
    /// Takes the counts of work since the last time.
    fn take_work(&mut self) -> Statistics {
        let outlines = Statistics { edges: self.outlines.take_edges(), ..Statistics::default() };
        outlines + self.shade.take_work() + self.translucent.take_work()
    }
}

/// A tile's nearest hits and outline coverage, kept until the picture's depths are known.
#[derive(Debug)]
struct FoundTile {
    hits: HitBuffer,
    coverage: Vec<f32>,
    work: Statistics,
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
    /// Outline coverage of each sample; empty without outlines.
    coverage: Vec<f32>,
    /// Bounds of the visible surfaces, seen from each light.
    receivers: Vec<Vec<ReceiverBounds>>,
    work: Statistics,
}

/// Maps tiles in parallel; results are in the tiles' order. Each thread takes the next tile when it finishes one,
/// because a few tiles may take most of the time.
fn map_tiles<T: Send, R: Send>(
    tiles: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut Scratch, T) -> R + Send + Sync,
) -> Vec<R> {
    let work = |scratch: &mut Scratch, (index, tile)| (index, work(scratch, tile));
    let mut done: Vec<(usize, R)> = tiles.enumerate().par_bridge().map_init(Scratch::default, work).collect();
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

impl PreparedSpheres<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Draws the tiles; of times, the result has that spent building light buffers, as `prepare`. Once cancelled, stops
    /// before the next tile or the next batch of hits in a tile.
    pub(crate) fn draw(&self, tiles: &mut [TileMut<'_>]) -> Statistics {
        if self.is_cancelled() {
            return Statistics::default();
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
            self.draw_tile_by_tile(tasks, &self.context(occluders.collect(), cloud))
        })
    }

    /// Records the rays that these tiles cast to lights with hard shadows; the tiles are drawn without shadows.
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

    /// Calls `draw` with the tiles and the light of a cloud, which depends on the depths of all tiles.
    fn with_tasks<'b, R>(
        &self,
        tiles: &mut [TileMut<'b>],
        draw: impl FnOnce(&mut [Task<'_, 'b>], Option<(&Cloud, &CloudLight)>) -> R,
    ) -> R {
        let (light, mut found) = match &self.cloud {
            Some(_) => {
                let (depths, found) = self.find_depths(tiles);
                (Some(cloud::light(&depths, self.level, &self.rays)), found)
            }
            None => (None, Vec::new()),
        };
        found.resize_with(tiles.len(), || None);
        let mut tasks: Vec<_> = tiles.iter_mut().zip(found).map(|(tile, found)| Task { tile, found }).collect();
        draw(&mut tasks, self.cloud.as_ref().zip(light.as_ref()))
    }

    /// Finds the depths of the whole picture and of a margin around it; also returns the hits of its tiles, unless they
    /// are too many to keep.
    fn find_depths(&self, tiles: &[TileMut<'_>]) -> (DepthMap, Vec<Option<FoundTile>>) {
        let [width, height] = self.projector.size();
        let samples: usize = tiles.iter().map(|tile| self.grid(tile).pixels() * self.positions.len()).sum();
        let find = |scratch: &mut Scratch, tile: &TileMut<'_>| {
            if self.is_cancelled() {
                return (Vec::new(), None);
            }
            self.find_hits(scratch, tile);
            let depths = scratch.hits.depths(&scratch.search.rays, self.grid(tile), self.rays.forward);
            let Scratch { hits, coverage, outlines, .. } = scratch;
            let work = Statistics { edges: outlines.take_edges(), ..Statistics::default() };
            let found = FoundTile { hits: std::mem::take(hits), coverage: std::mem::take(coverage), work };
            (depths, (samples <= SAMPLES_KEPT).then_some(found))
        };
        let parts = map_tiles(tiles.iter(), find);
        let mut map = DepthMap::new([width, height], CLOUD_MARGIN, 1);
        let mut found = Vec::with_capacity(tiles.len());
        for (tile, (part, hits)) in tiles.iter().zip(parts) {
            let columns = tile.rows.first().map_or(1, |row| row.len());
            map.set([tile.x.cast_signed(), tile.y.cast_signed()], columns, &part);
            found.push(hits);
        }
        let around = border_grids([width, height], self.tile);
        let find = |scratch: &mut Scratch, grid: &SampleGrid| {
            if self.is_cancelled() {
                return Vec::new();
            }
            self.find_nearest(scratch, *grid);
            scratch.hits.depths(&scratch.search.rays, *grid, self.rays.forward)
        };
        let parts = map_tiles(around.iter(), find);
        for (grid, part) in around.iter().zip(parts) {
            map.set([grid.x, grid.y], grid.width as usize, &part);
        }
        (map, found)
    }

    /// Finds, shades and resolves one tile after another.
    fn draw_tile_by_tile(&self, tasks: &mut [Task<'_, '_>], context: &ShadeContext<'_>) -> Statistics {
        let draw = |scratch: &mut Scratch, task: &mut Task<'_, '_>| {
            let found = task.found.as_ref().map(|found| found.work).unwrap_or_default();
            let rays = self.draw_tile(scratch, task, context);
            Statistics { rays, ..found + scratch.take_work() }
        };
        map_tiles(tasks.iter_mut(), draw).into_iter().fold(Statistics::default(), Statistics::add)
    }

    /// Finds, shades and resolves a tile; returns the rays cast.
    fn draw_tile(&self, scratch: &mut Scratch, task: &mut Task<'_, '_>, context: &ShadeContext<'_>) -> u64 {
        if context.is_cancelled() {
            return 0;
        }
        let grid = self.grid(task.tile);
        self.take_hits(scratch, task);
        let composed = self.compose_translucent(scratch, grid, context);
        let Scratch { search, hits, visible, shade, coverage, translucent, first_coverage, .. } = scratch;
        let resolver = self.resolver(&search.rays);
        let mut rays = (grid.pixels() * self.positions.len()) as u64 + composed.unwrap_or(0);
        let is_headlit =
            self.studio.is_headlight() && self.outlines.is_none() && context.cloud.is_none() && self.clip.is_none();
        let front = composed.map(|_| {
            translucent.join_lines(coverage, first_coverage);
            ComposedTile { translucent, coverage: first_coverage }
        });
        match front {
            None if is_headlit => resolver.resolve_headlit(task.tile, hits),
            Some(front) if is_headlit => resolver.resolve_headlit_behind(shade, task.tile, hits, front.translucent),
            front => {
                visible.collect(&self.instances, &hits.layers, grid);
                rays += resolver.resolve(shade, task.tile, ShownTile { visible, coverage }, context, front);
            }
        }
        rays
    }

    /// Composes the translucent shapes in front of a tile's hits; returns the rays cast, `None` without such shapes.
    fn compose_translucent(&self, scratch: &mut Scratch, grid: SampleGrid, context: &ShadeContext<'_>) -> Option<u64> {
        let shapes = self.translucent.as_ref()?;
        let (mut lists, others) = shapes.lists(&self.instances, grid);
        if !others.is_empty() {
            lists.push(&others);
        }
        if lists.is_empty() {
            return None;
        }
        let Scratch { search, hits, outlines, translucent, first, first_coverage, .. } = scratch;
        let has_first = self.outlines.is_some();
        let tile = LayeredTile { grid, rays: &search.rays, hits, lists: &lists, has_first };
        let rays = shapes.compose(self.level, translucent, self.primary_scene(), &self.studio, tile, context);
        first_coverage.clear();
        if let Some(lines) = &self.outlines {
            translucent.first_hits(hits, grid, first);
            let tile = OutlinedTile { grid, hits: first, rays: &search.rays };
            dispatch!(self.level, simd => lines.cover(simd, outlines, &self.instances, tile, first_coverage));
        }
        Some(rays)
    }

    /// Finds the visible spheres of many tiles, then builds their light buffers, then shades.
    fn draw_in_batches(
        &self,
        tasks: &mut [Task<'_, '_>],
        cloud: Option<(&Cloud, &CloudLight)>,
        median_radius: f32,
    ) -> Statistics {
        let samples = tasks.first().map_or(1, |task| self.grid(task.tile).pixels()) * self.positions.len();
        let mut statistics = Statistics::default();
        for tasks in tasks.chunks_mut((SAMPLES_KEPT / samples).max(rayon::current_num_threads())) {
            let find = |scratch: &mut Scratch, task: &mut Task<'_, '_>| {
                if self.is_cancelled() {
                    return TileVisibility::default();
                }
                let grid = self.grid(task.tile);
                let found = task.found.as_ref().map(|found| found.work).unwrap_or_default();
                self.take_hits(scratch, task);
                scratch.visible.collect(&self.instances, &scratch.hits.layers, grid);
                let work = found + scratch.take_work();
                TileVisibility { work, ..self.tile_visibility(scratch, grid, median_radius) }
            };
            let views = map_tiles(tasks.iter_mut(), find);
            if self.is_cancelled() {
                break;
            }
            let start = Instant::now();
            let context = self.shade_context(&views, cloud, median_radius);
            statistics.prepare += start.elapsed();
            let shade = |scratch: &mut Scratch, (task, view): (&mut Task<'_, '_>, &TileVisibility)| {
                if self.is_cancelled() {
                    return view.work;
                }
                let Scratch { search, shade, .. } = scratch;
                let grid = self.grid(task.tile);
                search.fill_rays(PrimaryTile { scene: &self.primary_scene(), grid });
                let primary = (grid.pixels() * self.positions.len()) as u64;
                let shown = ShownTile { visible: &view.visible, coverage: &view.coverage };
                let rays = self.resolver(&search.rays).resolve(shade, task.tile, shown, &context, None);
                Statistics { rays: primary + rays, ..view.work + scratch.take_work() }
            };
            statistics = map_tiles(tasks.iter_mut().zip(&views), shade).into_iter().fold(statistics, Statistics::add);
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
        let (visible, coverage) = (scratch.visible.compact(), scratch.coverage.clone());
        TileVisibility { visible, coverage, receivers, work: Statistics::default() }
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
        let (clip, cancelled) = (self.clip.as_ref(), self.cancelled);
        let translucent = self.translucent.as_ref().and_then(|spheres| spheres.shadows.as_ref());
        let translucent = translucent.map(|shadows| TranslucentOccluders { shadows, instances: &self.instances });
        let layers = self.occluder_layers();
        ShadeContext { occluders, layers, cloud, translucent, rays: &self.rays, clip, cancelled }
    }

    /// Takes the hits and the outline coverage of a tile if they were found before, or finds them.
    fn take_hits(&self, scratch: &mut Scratch, task: &mut Task<'_, '_>) {
        let Some(FoundTile { hits, coverage, .. }) = task.found.take() else {
            return self.find_hits(scratch, task.tile);
        };
        (scratch.hits, scratch.coverage) = (hits, coverage);
        let grid = self.grid(task.tile);
        scratch.search.fill_rays(PrimaryTile { scene: &self.primary_scene(), grid });
    }

    /// Finds the nearest hits and the outline coverage of a tile.
    fn find_hits(&self, scratch: &mut Scratch, tile: &TileMut<'_>) {
        let grid = self.grid(tile);
        self.find_nearest(scratch, grid);
        if let Some(lines) = &self.outlines {
            let Scratch { search, hits, outlines, coverage, .. } = scratch;
            let tile = OutlinedTile { grid, hits, rays: &search.rays };
            dispatch!(self.level, simd => lines.cover(simd, outlines, &self.instances, tile, coverage));
        }
    }

    /// Computes the rays of a tile and finds their nearest hits.
    pub(super) fn find_nearest(&self, Scratch { search, hits, .. }: &mut Scratch, grid: SampleGrid) {
        let [x, y] = [grid.x, grid.y].map(|start| start.saturating_add_unsigned(grid.margin));
        let tile = PrimaryTile { scene: &self.primary_scene(), grid };
        search.find(tile, &self.bins.lists(x, y), hits);
        if let Some(shapes) = &self.shapes {
            search.find_shapes(tile, &shapes.lists(x, y), hits);
        }
    }

    fn resolver<'b>(&'b self, rays: &'b [SampleRays]) -> Resolver<'b> {
        let Self { level, instances, studio, backdrop, .. } = self;
        Resolver { level: *level, instances, studio, backdrop: *backdrop, margin: self.margin(), rays }
    }
}
