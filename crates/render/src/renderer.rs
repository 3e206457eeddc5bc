//! From a scene to a finished frame.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::Level;
use rayon::prelude::*;

use crate::aovs::{Aovs, premultiply};
use crate::budget::Budget;
use crate::clock::Instant;
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::estimate::MemoryEstimate;
use crate::frame::{Frame, TileMut};
use crate::pool::RenderPool;
use crate::raster;
use crate::scene::Scene;
use crate::scene::circles::CircleScene;
use crate::scene::spheres::SphereScene;
use crate::settings::RenderSettings;
use crate::statistics::Statistics;
use crate::tiles::Culling;
use crate::tiles::circles::CircleBins;
use crate::trace::{self, GBuffer, Preparation, PreparedSpheres, StructureCache};

/// Bytes per pixel in [`Aovs`]: colour, and G-buffer of spheres.
const COLORS: u64 = 16;
const GBUFFER: u64 = 20;

/// Pixels of a band, about.
const BAND: u32 = 1 << 22;

/// The least alpha of shapes that hide marks and can be picked; more translucent shapes are seen through.
pub const SOLID: u8 = 128;

/// The number of shapes in each tile of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMap {
    /// Side of a tile in pixels.
    pub side: u32,
    /// Tiles in a band.
    pub columns: usize,
    /// Counts, band by band from the top.
    pub kept: Vec<u64>,
}

/// Draws a scene into a new frame. Use a [`Renderer`] to draw many.
///
/// # Errors
/// If a setting is out of range, or the picture exceeds the size of a frame or the budget.
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::circles::{CircleScene, PaintedCircle};
/// use roundel::{RenderSettings, Srgba8, render};
///
/// let coin = vec![PaintedCircle::new([8.0, 8.0], 6.0, Srgba8::BLACK)];
/// let frame = render(&CircleScene::new(16, 16).with_layer(coin).into(), &RenderSettings::default())?;
/// assert_eq!(frame.pixel(8, 8), Some(Srgba8::BLACK));
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn render(scene: &Scene<'_>, settings: &RenderSettings) -> Result<Frame> {
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
    Renderer::new(settings)?.render(scene, &mut frame)?;
    Ok(frame)
}

/// Draws one scene after another with the same threads and buffers.
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::circles::CircleScene;
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let mut renderer = Renderer::new(&RenderSettings::default())?;
/// let mut frame = Frame::new(64, 48, Srgba8::WHITE)?;
/// for width in [64, 80, 96] {
///     let statistics = renderer.render(&CircleScene::new(width, 48).into(), &mut frame)?;
///     assert_eq!((frame.width(), statistics.shapes), (width, 0));
/// }
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Debug)]
pub struct Renderer {
    pub(crate) level: Level,
    pub(crate) circle_tile: u32,
    pub(crate) sphere_tile: u32,
    pub(crate) culling: Culling,
    pub(crate) budget: Budget,
    pub(crate) pool: RenderPool,
    bins: CircleBins,
    structures: StructureCache,
    /// One per thread, never contended.
    pub(crate) scratch: Vec<Mutex<raster::PaintScratch>>,
}

/// A scene that is ready to be painted.
struct Stage<'a> {
    /// Paints tiles; may be called several times, with other tiles.
    paint: &'a mut dyn FnMut(Vec<TileMut<'_>>),
    /// Whether tiles depend on the depths of the whole picture, so that all must be painted at once.
    needs_whole: bool,
}

impl Renderer {
    /// Checks the settings and starts the threads.
    ///
    /// # Errors
    /// If a setting is out of range or the threads cannot be started.
    pub fn new(settings: &RenderSettings) -> Result<Self> {
        if let Some(tile) = settings.tile_size
            && !(8..=1024).contains(&tile)
        {
            return Err(Error::setting("tile", format!("must be 8 to 1024 pixels, got {tile}")));
        }
        let pool = RenderPool::new(settings.threads).map_err(|error| Error::Threads(Box::new(error)))?;
        Ok(Self {
            level: settings.simd.token()?,
            circle_tile: settings.tile_size.unwrap_or(raster::TILE),
            sphere_tile: settings.tile_size.unwrap_or(trace::TILE),
            culling: settings.culling,
            budget: settings.budget,
            bins: CircleBins::default(),
            structures: StructureCache::default(),
            scratch: (0..pool.current_num_threads()).map(|_| Mutex::default()).collect(),
            pool,
        })
    }

    /// The limits that pictures must keep to.
    #[doc(hidden)]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Draws the scene into the frame, which takes the scene's size.
    ///
    /// # Errors
    /// If the picture exceeds the size of a frame or the budget.
    pub fn render(&mut self, scene: &Scene<'_>, frame: &mut Frame) -> Result<Statistics> {
        let statistics = self.render_unless_cancelled(scene, frame, &AtomicBool::new(false))?;
        Ok(statistics.expect("nothing cancels it"))
    }

    /// Draws as [`Renderer::render`] does, but stops at the next tile once `cancelled` is set.
    ///
    /// Returns `None` if it stopped. The frame's pixels are then unspecified.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use roundel::circles::CircleScene;
    /// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
    ///
    /// let mut renderer = Renderer::new(&RenderSettings::default())?;
    /// let mut frame = Frame::new(64, 48, Srgba8::WHITE)?;
    /// // a program sets this from another thread
    /// let cancelled = AtomicBool::new(true);
    /// let scene = CircleScene::new(64, 48).into();
    /// assert_eq!(renderer.render_unless_cancelled(&scene, &mut frame, &cancelled)?, None);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn render_unless_cancelled(
        &mut self,
        scene: &Scene<'_>,
        frame: &mut Frame,
        cancelled: &AtomicBool,
    ) -> Result<Option<Statistics>> {
        self.check(scene, 0)?;
        fit(frame, scene.size())?;
        let statistics = self.draw_tiles(scene, frame.tiles_mut(self.tile(scene)), cancelled)?;
        Ok((!cancelled.load(Ordering::Relaxed)).then_some(statistics))
    }

    /// Draws a share of the picture, for workers without shared memory that draw it together: the tiles whose first row
    /// of pixels is in `rows`. Returns the rows of these tiles. If the frame has the scene's size, all other pixels
    /// stay as they are or are drawn, too. Adjacent ranges, such as 0..100 and 100..240, share no tile and skip none.
    ///
    /// Only spheres that reach the share are binned. If small spheres are shaded as one surface, the hits of the whole
    /// picture are found, which takes most of the time.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use roundel::circles::{CircleScene, PaintedCircle};
    /// use roundel::{Frame, RenderSettings, Renderer, Srgba8, render};
    ///
    /// let settings = RenderSettings::default().with_tile_size(16);
    /// let coin = vec![PaintedCircle::new([32.0, 24.0], 20.0, Srgba8::BLACK)];
    /// let scene = CircleScene::new(64, 48).with_layer(coin).into();
    /// let mut renderer = Renderer::new(&settings)?;
    /// let mut frame = Frame::new(64, 48, Srgba8::TRANSPARENT)?;
    /// assert_eq!(renderer.render_share(&scene, &mut frame, 0..20)?, 0..32);
    /// assert_eq!(renderer.render_share(&scene, &mut frame, 20..48)?, 32..48);
    /// assert_eq!(frame.pixels(), render(&scene, &settings)?.pixels());
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn render_share(&mut self, scene: &Scene<'_>, frame: &mut Frame, rows: Range<u32>) -> Result<Range<u32>> {
        self.check(scene, 0)?;
        fit(frame, scene.size())?;
        let (side, (_, height)) = (self.tile(scene), scene.size());
        let [start, end] =
            [rows.start, rows.end].map(|row| row.checked_next_multiple_of(side).unwrap_or(height).min(height));
        let share = start..end.max(start);
        let mut tiles = frame.tiles_mut(side);
        // shading from the depth buffer needs the depths of the whole picture
        let is_whole = matches!(scene, Scene::Spheres(scene) if scene.shading.splat_radius > 0.0);
        if !is_whole {
            tiles.retain(|tile| share.contains(&tile.y));
        }
        self.draw_tiles(scene, tiles, &AtomicBool::new(false))?;
        Ok(share)
    }

    /// Draws the scene in bands of whole rows of pixels, from the top: `take` gets one after the other, so that pictures
    /// larger than memory can be written. [`Renderer::render`] draws the same pixels.
    ///
    /// A picture whose small spheres are shaded as one surface is one band.
    ///
    /// # Errors
    /// As [`Renderer::render`]; the errors of `take`.
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use roundel::circles::{CircleScene, PaintedCircle};
    /// use roundel::{RenderSettings, Renderer, Srgba8};
    ///
    /// let coin = vec![PaintedCircle::new([32.0, 24.0], 20.0, Srgba8::BLACK)];
    /// let scene = CircleScene::new(64, 48).with_layer(coin).into();
    /// let mut rows = 0;
    /// Renderer::new(&RenderSettings::default())?.render_bands(&scene, &mut |band| {
    ///     rows += band.height();
    ///     Ok(())
    /// })?;
    /// assert_eq!(rows, 48);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn render_bands(
        &mut self,
        scene: &Scene<'_>,
        take: &mut dyn FnMut(&Frame) -> Result<()>,
    ) -> Result<Statistics> {
        let ((width, height), side) = (scene.size(), self.tile(scene));
        let rows = (BAND / width.max(1) / side * side).max(side);
        self.check_rows(scene, 0, rows)?;
        let fits_whole = self.check(scene, 0);
        self.with_stage(scene, [0, height], &AtomicBool::new(false), |stage| {
            let rows = if stage.needs_whole { fits_whole.map(|()| height)? } else { rows };
            let mut band = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
            for top in (0..height).step_by(rows as usize) {
                fit(&mut band, (width, rows.min(height - top)))?;
                let mut tiles = band.tiles_mut(side);
                tiles.iter_mut().for_each(|tile| tile.y += top);
                (stage.paint)(tiles);
                take(&band)?;
            }
            Ok(())
        })
    }

    /// Draws the scene in full precision.
    ///
    /// Takes 16 bytes per pixel more than [`Renderer::render`], and 36 for spheres.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn render_aovs(&mut self, scene: &Scene<'_>) -> Result<(Aovs, Statistics)> {
        let (width, height) = scene.size();
        let gbuffer = if let Scene::Spheres(_) = scene { GBUFFER } else { 0 };
        self.check(scene, COLORS + gbuffer)?;
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        let drawn = self.draw_with_colors(scene, &mut frame, &AtomicBool::new(false))?;
        let (colors, statistics) = drawn.expect("nothing cancels it");
        let gbuffer = match scene {
            Scene::Circles(_) => None,
            Scene::Spheres(scene) => Some(self.find_gbuffer(scene)?),
        };
        Ok((Aovs { width, height, colors, gbuffer }, statistics))
    }

    /// Finds depth, normal and sphere at the centre of each pixel, without shading. `None` for circles.
    ///
    /// # Errors
    /// If the picture exceeds the size of a frame or the budget.
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use roundel::spheres::{Camera, PaintedSphere, SphereScene};
    /// use roundel::{RenderSettings, Renderer, Srgba8, GBuffer};
    ///
    /// let ball = vec![PaintedSphere::new([0.0; 3], 1.0, Srgba8::BLACK)];
    /// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 33, 33).with_spheres(ball);
    /// let gbuffer = Renderer::new(&RenderSettings::default())?.gbuffer(&scene.into())?.expect("spheres");
    /// assert_eq!((gbuffer.spheres[0], gbuffer.spheres[33 * 16 + 16]), (GBuffer::NONE, 0));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn gbuffer(&mut self, scene: &Scene<'_>) -> Result<Option<GBuffer>> {
        self.check(scene, GBUFFER)?;
        match scene {
            Scene::Circles(_) => Ok(None),
            Scene::Spheres(scene) => self.find_gbuffer(scene).map(Some),
        }
    }

    /// Draws the scene into the frame and returns its colours in full precision, as in [`Aovs::colors`]; `None` if it
    /// was cancelled.
    #[doc(hidden)]
    pub fn render_with_colors(
        &mut self,
        scene: &Scene<'_>,
        frame: &mut Frame,
        cancelled: &AtomicBool,
    ) -> Result<Option<(Vec<[f32; 4]>, Statistics)>> {
        self.check(scene, COLORS)?;
        self.draw_with_colors(scene, frame, cancelled)
    }

    fn draw_with_colors(
        &mut self,
        scene: &Scene<'_>,
        frame: &mut Frame,
        cancelled: &AtomicBool,
    ) -> Result<Option<(Vec<[f32; 4]>, Statistics)>> {
        let (width, height) = scene.size();
        *frame = Frame::new(width, height, Srgba8::TRANSPARENT)?;
        let mut colors = vec![[0.0; 4]; frame.pixels().len()];
        let tiles = frame.tiles_with_colors(self.tile(scene), &mut colors);
        let statistics = self.draw_tiles(scene, tiles, cancelled)?;
        if let Scene::Circles(scene) = scene {
            premultiply(&mut colors, &scene.canvas);
        }
        Ok((!cancelled.load(Ordering::Relaxed)).then_some((colors, statistics)))
    }

    /// Returns an error for a scene over the budget; `beside` is the number of bytes per pixel in addition to the
    /// frame.
    fn check(&self, scene: &Scene<'_>, beside: u64) -> Result<()> {
        self.check_rows(scene, beside, u32::MAX)
    }

    /// As [`Renderer::check`], with so many rows of the frame at a time.
    fn check_rows(&self, scene: &Scene<'_>, beside: u64, rows: u32) -> Result<()> {
        let (width, height) = scene.size();
        Frame::count(width, height.min(rows))?;
        let tile = self.tile(scene);
        let estimate = MemoryEstimate { tile, culling: self.culling, threads: self.scratch.len(), beside, rows };
        self.pool.install(|| estimate.check(scene, &self.budget))
    }

    /// Side in pixels of the tiles of a scene's picture.
    fn tile(&self, scene: &Scene<'_>) -> u32 {
        if let Scene::Circles(_) = scene { self.circle_tile } else { self.sphere_tile }
    }

    fn draw_tiles(&mut self, scene: &Scene<'_>, tiles: Vec<TileMut<'_>>, cancelled: &AtomicBool) -> Result<Statistics> {
        let [first, last] = [tiles.first(), tiles.last()].map(|tile| tile.map_or(0, |tile| tile.y));
        let rows = [first, last.saturating_add(self.tile(scene))];
        self.with_stage(scene, rows, cancelled, |stage| {
            (stage.paint)(tiles);
            Ok(())
        })
    }

    /// Prepares a scene for tiles in a range of rows of pixels, and lets `draw` paint tiles.
    fn with_stage(
        &mut self,
        scene: &Scene<'_>,
        rows: [u32; 2],
        cancelled: &AtomicBool,
        draw: impl FnOnce(Stage<'_>) -> Result<()>,
    ) -> Result<Statistics> {
        match scene {
            Scene::Circles(scene) => self.with_circles(scene, cancelled, draw),
            Scene::Spheres(scene) => self.with_spheres(scene, rows, cancelled, draw),
        }
    }

    /// Bins the scene as [`Renderer::render`] does and counts the shapes of each tile.
    #[doc(hidden)]
    pub fn map_tiles(&mut self, scene: &Scene<'_>) -> Result<TileMap> {
        let (width, height) = scene.size();
        let cancelled = AtomicBool::new(false);
        let preparation = Preparation { culling: Culling::On, ..self.preparation([0, height], &cancelled) };
        let side = self.tile(scene);
        let Self { level, pool, bins, structures, .. } = self;
        let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
        let kept: Result<Vec<u64>> = pool.install(|| match scene {
            Scene::Circles(scene) => {
                let stage = raster::PreparedCircles::new(*level, scene, side, Culling::On, bins);
                Ok((0..columns as usize * rows as usize).map(|tile| stage.kept(tile)).collect())
            }
            Scene::Spheres(scene) => {
                let scene = &*scene.cut();
                let stage = PreparedSpheres::new(scene, preparation, structures)?;
                let corners = (0..rows).flat_map(|row| (0..columns).map(move |column| (column * side, row * side)));
                Ok(corners.map(|(x, y)| stage.kept(x, y)).collect())
            }
        });
        Ok(TileMap { side, columns: columns as usize, kept: kept? })
    }

    fn with_circles(
        &mut self,
        scene: &CircleScene<'_>,
        cancelled: &AtomicBool,
        draw: impl FnOnce(Stage<'_>) -> Result<()>,
    ) -> Result<Statistics> {
        let start = Instant::now();
        let Self { level, circle_tile, culling, pool, bins, scratch, .. } = self;
        let stage = pool.install(|| raster::PreparedCircles::new(*level, scene, *circle_tile, *culling, bins));
        let prepared = Instant::now();
        let columns = scene.canvas.width.div_ceil(*circle_tile) as usize;
        let side = *circle_tile;
        let paint = |mut tile: TileMut<'_>| {
            if cancelled.load(Ordering::Relaxed) {
                return;
            }
            let scratch = &scratch[rayon::current_thread_index().expect("runs in the renderer's pool")];
            let mut scratch = scratch.lock().expect("a panic while painting ends the render");
            let index = (tile.y / side) as usize * columns + (tile.x / side) as usize;
            stage.paint(&mut scratch, index, &mut tile);
        };
        let mut count = 0;
        // one tile per task: with larger tasks, threads would idle at the end
        let mut paint_all = |tiles: Vec<TileMut<'_>>| {
            count += tiles.len() as u64;
            pool.install(|| tiles.into_par_iter().with_max_len(1).for_each(paint));
        };
        draw(Stage { paint: &mut paint_all, needs_whole: false })?;
        let census = stage.census(count);
        Ok(Statistics {
            shapes: census.shapes,
            visible: census.visible,
            culled: census.shapes - census.visible,
            binned: census.binned,
            tiles: count,
            prepare: prepared - start,
            draw: prepared.elapsed(),
            ..Statistics::default()
        })
    }

    /// The preparation of spheres by these settings, for tiles in a range of rows of pixels.
    pub(crate) fn preparation<'a>(&self, rows: [u32; 2], cancelled: &'a AtomicBool) -> Preparation<'a> {
        let Self { level, sphere_tile: tile, culling, .. } = *self;
        Preparation { level, tile, rows, culling, solid_from: None, cancelled }
    }

    fn with_spheres(
        &mut self,
        scene: &SphereScene<'_>,
        rows: [u32; 2],
        cancelled: &AtomicBool,
        draw: impl FnOnce(Stage<'_>) -> Result<()>,
    ) -> Result<Statistics> {
        let start = Instant::now();
        let preparation = self.preparation(rows, cancelled);
        let Self { pool, structures, .. } = self;
        let cut = scene.cut();
        let stage = pool.install(|| PreparedSpheres::new(&cut, preparation, structures))?;
        let prepared = Instant::now();
        let (mut drawn, mut count) = (Statistics::default(), 0);
        let mut paint = |mut tiles: Vec<TileMut<'_>>| {
            count += tiles.len() as u64;
            drawn = drawn + pool.install(|| stage.draw(&mut tiles));
        };
        draw(Stage { paint: &mut paint, needs_whole: stage.has_cloud() })?;
        let draw = prepared.elapsed() - drawn.prepare;
        let census = stage.census();
        let shapes = scene.count() + scene.shapes.count();
        Ok(Statistics {
            shapes,
            visible: census.visible,
            culled: shapes - census.visible,
            binned: census.binned,
            tiles: count,
            prepare: prepared - start + drawn.prepare,
            draw,
            ..drawn
        })
    }
}

/// Replaces a frame of another size.
fn fit(frame: &mut Frame, (width, height): (u32, u32)) -> Result<()> {
    if (frame.width(), frame.height()) != (width, height) {
        *frame = Frame::new(width, height, Srgba8::TRANSPARENT)?;
    }
    Ok(())
}
