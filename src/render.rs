//! Scene in, finished frame out: the only module that starts threads.

use std::ops::Add;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fearless_simd::Level;
use rayon::prelude::*;

use crate::budget::Budget;
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::frame::{Frame, TileMut};
use crate::raster;
use crate::scene::Scene;
use crate::scene::circles::CircleScene;
use crate::scene::spheres::SphereScene;
use crate::simd::SimdLevel;
use crate::tiles::Culling;
use crate::tiles::circles::Bins;
use crate::tiles::memory::Making;
use crate::trace::{self, Stage};

/// How a picture is made. None of this changes a pixel, only time and memory.
///
/// ```
/// use roundel::{RenderSettings, SimdLevel};
///
/// let settings = RenderSettings::default().with_threads(2).with_simd(SimdLevel::Auto);
/// assert_eq!(settings.threads, Some(2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderSettings {
    /// Worker threads; `None` starts one per processor.
    pub threads: Option<usize>,
    /// Side of the square viewport tiles in pixels, 8 to 1024; `None` chooses the side that measured fastest.
    pub tile_size: Option<u32>,
    /// The instruction set of the lane kernels.
    pub simd: SimdLevel,
    /// Whether tiles reject shapes before they are drawn.
    pub culling: Culling,
    /// The most a picture may take; checked before work begins.
    pub budget: Budget,
}

impl Default for RenderSettings {
    fn default() -> Self {
        let (simd, culling) = (SimdLevel::Auto, Culling::On);
        Self { threads: None, tile_size: None, simd, culling, budget: Budget::default() }
    }
}

impl RenderSettings {
    /// The same settings with this many worker threads; `None` for one per processor.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Option<usize>>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// The same settings with tiles of this side in pixels, 8 to 1024; `None` for the fastest.
    #[must_use]
    pub fn with_tile_size(self, tile_size: impl Into<Option<u32>>) -> Self {
        Self { tile_size: tile_size.into(), ..self }
    }

    /// The same settings with another instruction set.
    #[must_use]
    pub fn with_simd(self, simd: SimdLevel) -> Self {
        Self { simd, ..self }
    }

    /// The same settings with culling on or off.
    #[must_use]
    pub fn with_culling(self, culling: Culling) -> Self {
        Self { culling, ..self }
    }

    /// The same settings with another budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }
}

/// Counts and times of a render.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Shapes in the scene, copies counted.
    pub shapes: u64,
    /// Shapes that touch no pixel of the picture.
    pub culled: u64,
    /// Shapes that reach the picture.
    pub visible: u64,
    /// Pairs of a shape and a tile it reaches.
    pub binned: u64,
    /// Tiles of the picture.
    pub tiles: u64,
    /// Rays cast: primary, shadow and ambient occlusion.
    pub rays: u64,
    /// Time for culling, binning and acceleration structures.
    pub prepare: Duration,
    /// Time for painting or tracing, down to finished pixels.
    pub draw: Duration,
}

impl Add for Statistics {
    type Output = Self;

    /// The statistics of two renders together.
    fn add(self, other: Self) -> Self {
        Self {
            shapes: self.shapes + other.shapes,
            culled: self.culled + other.culled,
            visible: self.visible + other.visible,
            binned: self.binned + other.binned,
            tiles: self.tiles + other.tiles,
            rays: self.rays + other.rays,
            prepare: self.prepare + other.prepare,
            draw: self.draw + other.draw,
        }
    }
}

/// How many shapes each tile of the viewport keeps.
#[cfg(feature = "viewer")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TileMap {
    /// Side of a tile in pixels.
    pub(crate) side: u32,
    /// Tiles beside one another.
    pub(crate) columns: usize,
    /// Band by band from the top.
    pub(crate) kept: Vec<u64>,
}

/// Draws a scene into a new frame. Use a [`Renderer`] to draw many.
///
/// # Errors
/// When a setting is out of range, the picture is larger than a frame can be, or the budget is exceeded.
pub fn render(scene: &Scene<'_>, settings: &RenderSettings) -> Result<Frame> {
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
    Renderer::new(settings)?.render(scene, &mut frame)?;
    Ok(frame)
}

/// Draws scene after scene, keeping its threads and buffers.
#[derive(Debug)]
pub struct Renderer {
    level: Level,
    circle_tile: u32,
    sphere_tile: u32,
    culling: Culling,
    budget: Budget,
    pool: rayon::ThreadPool,
    bins: Bins,
    /// One for each thread, which alone ever takes it.
    desks: Vec<Mutex<raster::Desk>>,
}

impl Renderer {
    /// Checks the settings and starts the threads.
    ///
    /// # Errors
    /// When a setting is out of range or the threads cannot be started.
    pub fn new(settings: &RenderSettings) -> Result<Self> {
        if let Some(tile) = settings.tile_size
            && !(8..=1024).contains(&tile)
        {
            return Err(Error::Setting { name: "tile", message: format!("must be 8 to 1024 pixels, got {tile}") });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build();
        let pool = pool.map_err(|error| Error::Threads(Box::new(error)))?;
        Ok(Self {
            level: settings.simd.token()?,
            circle_tile: settings.tile_size.unwrap_or(raster::TILE),
            sphere_tile: settings.tile_size.unwrap_or(trace::TILE),
            culling: settings.culling,
            budget: settings.budget,
            bins: Bins::default(),
            desks: (0..pool.current_num_threads()).map(|_| Mutex::default()).collect(),
            pool,
        })
    }

    /// Draws the scene over the whole frame, which takes the scene's size.
    ///
    /// # Errors
    /// When the picture is larger than a frame can be, or the budget is exceeded.
    pub fn render(&mut self, scene: &Scene<'_>, frame: &mut Frame) -> Result<Statistics> {
        let statistics = self.render_unless_cancelled(scene, frame, &AtomicBool::new(false))?;
        Ok(statistics.expect("nothing cancels it"))
    }

    /// Draws as [`Renderer::render`] does, but stops at the next tile once `cancelled` is set.
    ///
    /// Returns `None` if it stopped; the frame's pixels are unspecified then.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn render_unless_cancelled(
        &mut self,
        scene: &Scene<'_>,
        frame: &mut Frame,
        cancelled: &AtomicBool,
    ) -> Result<Option<Statistics>> {
        let (width, height) = scene.size();
        self.check(scene)?;
        if (frame.width(), frame.height()) != (width, height) {
            *frame = Frame::new(width, height, Srgba8::TRANSPARENT)?;
        }
        let statistics = match scene {
            Scene::Circles(scene) => self.draw_circles(scene, frame, cancelled),
            Scene::Spheres(scene) => self.pool.install(|| self.draw_spheres(scene, frame, cancelled))?,
        };
        Ok((!cancelled.load(Ordering::Relaxed)).then_some(statistics))
    }

    /// Refuses a scene over the budget.
    fn check(&self, scene: &Scene<'_>) -> Result<()> {
        let (width, height) = scene.size();
        Frame::count(width, height)?;
        let tile = if let Scene::Circles(_) = scene { self.circle_tile } else { self.sphere_tile };
        let making = Making { tile, culling: self.culling, threads: self.desks.len() };
        self.pool.install(|| making.check(scene, &self.budget))
    }

    /// Bins the scene as [`Renderer::render`] does, and counts what each tile keeps.
    #[cfg(feature = "viewer")]
    pub(crate) fn map_tiles(&mut self, scene: &Scene<'_>) -> Result<TileMap> {
        let (width, height) = scene.size();
        let Self { level, circle_tile, sphere_tile, pool, bins, .. } = self;
        let side = if let Scene::Circles(_) = scene { *circle_tile } else { *sphere_tile };
        let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
        let kept: Result<Vec<u64>> = pool.install(|| match scene {
            Scene::Circles(scene) => {
                let stage = raster::Stage::new(*level, scene, side, Culling::On, bins);
                Ok((0..columns as usize * rows as usize).map(|tile| stage.kept(tile)).collect())
            }
            Scene::Spheres(scene) => {
                let stage = Stage::new(*level, scene, side, Culling::On)?;
                let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column * side, row * side)));
                Ok(places.map(|(x, y)| stage.kept(x, y)).collect())
            }
        });
        Ok(TileMap { side, columns: columns as usize, kept: kept? })
    }

    fn draw_circles(&mut self, scene: &CircleScene<'_>, frame: &mut Frame, cancelled: &AtomicBool) -> Statistics {
        let start = Instant::now();
        let Self { level, circle_tile, culling, pool, bins, desks, .. } = self;
        let stage = pool.install(|| raster::Stage::new(*level, scene, *circle_tile, *culling, bins));
        let prepared = Instant::now();
        let tiles = frame.tiles_mut(*circle_tile);
        let count = tiles.len() as u64;
        let paint = |(index, mut tile): (usize, TileMut<'_>)| {
            if cancelled.load(Ordering::Relaxed) {
                return;
            }
            let desk = &desks[rayon::current_thread_index().expect("runs in the renderer's own pool")];
            let mut desk = desk.lock().expect("a thread that panics while it paints ends the render");
            stage.paint(&mut desk, index, &mut tile);
        };
        // tile by tile: in larger lots one thread would wait for the other at the end
        pool.install(|| tiles.into_par_iter().enumerate().with_max_len(1).for_each(paint));
        let census = stage.census(count);
        Statistics {
            shapes: census.shapes,
            visible: census.visible,
            culled: census.shapes - census.visible,
            binned: census.binned,
            tiles: count,
            rays: 0,
            prepare: prepared - start,
            draw: prepared.elapsed(),
        }
    }

    fn draw_spheres(&self, scene: &SphereScene<'_>, frame: &mut Frame, cancelled: &AtomicBool) -> Result<Statistics> {
        let start = Instant::now();
        let stage = Stage::new(self.level, scene, self.sphere_tile, self.culling)?;
        let prepared = Instant::now();
        let mut tiles = frame.tiles_mut(self.sphere_tile);
        let (rays, listing) = stage.draw(&mut tiles, cancelled);
        let draw = prepared.elapsed() - listing;
        let census = stage.census();
        Ok(Statistics {
            shapes: census.spheres,
            visible: census.visible,
            culled: census.spheres - census.visible,
            binned: census.binned,
            tiles: tiles.len() as u64,
            rays,
            prepare: prepared - start + listing,
            draw,
        })
    }
}
