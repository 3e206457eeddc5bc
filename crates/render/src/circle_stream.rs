//! Circles painted block by block from the topmost down, never all in memory.

use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;

use crate::clock::Instant;
use crate::color::Srgba8;
use crate::error::{Resource, Result};
use crate::frame::Frame;
use crate::raster::{PaintScratch, PreparedCircles, UnfinishedTile};
use crate::renderer::Renderer;
use crate::scene::circles::{Canvas, CircleScene, Layer, PaintedCircle};
use crate::statistics::StreamStatistics;
use crate::tiles::circles::CircleBins;

/// tuned: "Larger than memory" in docs/performance.md. Circles of a block, which are generated and painted together:
/// many per tile.
const BLOCK: u64 = 1 << 22;

/// Circles of one parallel task.
const CHUNK: usize = 1 << 14;

/// Paints any number of circles, which are added a block at a time, the topmost first, and not kept.
///
/// A pixel keeps its colour and transmittance as in [`Renderer::render`]: the picture equals that of a scene with all
/// blocks in memory, byte for byte. The last added block lies at the bottom.
///
/// Made by [`Renderer::stream_circles`].
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::circles::{Canvas, CircleScene};
/// use roundel::generate::{self, Pattern};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8, render};
///
/// let settings = RenderSettings::default();
/// let mut circles = generate::circles(Pattern::Uniform, 1000, 1);
/// circles.iter_mut().for_each(|circle| {
///     circle.center = circle.center.map(|place| 32.0 + 32.0 * place);
///     circle.radius *= 32.0;
/// });
///
/// let renderer = Renderer::new(&settings)?;
/// let mut stream = renderer.stream_circles(&Canvas::new(64, 64))?;
/// // later circles lie above earlier ones
/// for block in circles.rchunks(300) {
///     stream.add_below(block)?;
/// }
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// stream.finish(&mut frame)?;
/// assert!(frame == render(&CircleScene::new(64, 64).with_layer(circles).into(), &settings)?);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Debug)]
pub struct CircleStream<'a> {
    renderer: &'a Renderer,
    canvas: Canvas,
    bins: CircleBins,
    tiles: Vec<UnfinishedTile>,
    scratch: Vec<Mutex<PaintScratch>>,
    is_finished: bool,
    statistics: StreamStatistics,
    /// When the last circles were added.
    idle_since: Instant,
}

impl Renderer {
    /// Begins a picture of circles that are added a block at a time, the topmost first.
    ///
    /// The budget's limit on shapes does not apply.
    ///
    /// # Errors
    /// If the picture exceeds the budget.
    pub fn stream_circles(&self, canvas: &Canvas) -> Result<CircleStream<'_>> {
        let (width, height) = (canvas.width, canvas.height);
        Frame::count(width, height)?;
        self.budget.check_picture("", (width, height))?;
        let pixels = u64::from(width) * u64::from(height);
        let block = BLOCK * 3 * size_of::<PaintedCircle>() as u64;
        let memory = pixels.saturating_mul(UnfinishedTile::PIXEL + 4).saturating_add(block);
        self.budget.check(Resource::Memory, memory, || {
            format!("drawing a stream of circles on {width}x{height} pixels takes {}", Resource::Memory.amount(memory))
        })?;
        let mut frame = Frame::new(width, height, Srgba8::TRANSPARENT)?;
        let tiles = frame.tiles_mut(self.circle_tile);
        let tiles = tiles.iter().enumerate().map(|(index, tile)| UnfinishedTile::new(index, tile)).collect();
        Ok(CircleStream {
            renderer: self,
            canvas: *canvas,
            bins: CircleBins::default(),
            tiles,
            scratch: (0..self.scratch.len()).map(|_| Mutex::default()).collect(),
            is_finished: false,
            statistics: StreamStatistics::default(),
            idle_since: Instant::now(),
        })
    }
}

impl CircleStream<'_> {
    /// Paints circles below all circles added before. Within the block, later ones lie above earlier ones.
    ///
    /// # Errors
    /// None today.
    pub fn add_below(&mut self, circles: &[PaintedCircle]) -> Result<()> {
        self.statistics.read += self.idle_since.elapsed();
        let start = Instant::now();
        self.statistics.shapes += circles.len() as u64;
        if !self.is_finished {
            let Self { renderer, canvas, bins, tiles, scratch, .. } = self;
            let scene = CircleScene::from(*canvas).with_layer(Layer::from(circles));
            let stage = renderer
                .pool
                .install(|| PreparedCircles::new(renderer.level, &scene, renderer.circle_tile, renderer.culling, bins));
            let census = stage.census(tiles.len() as u64);
            self.statistics.reaching += census.visible;
            self.statistics.tested += census.visible;
            self.statistics.blocks += 1;
            self.statistics.cull += start.elapsed();
            let start = Instant::now();
            let paint = |tile: &mut UnfinishedTile| {
                let scratch = &scratch[rayon::current_thread_index().expect("runs in the renderer's pool")];
                let mut scratch = scratch.lock().expect("a panic while painting ends the render");
                stage.paint_below(&mut scratch, tile)
            };
            let finished = renderer.pool.install(|| {
                let tiles = tiles.par_iter_mut().with_max_len(1);
                tiles.map(paint).filter(|is_finished| *is_finished).count()
            });
            self.is_finished = finished == self.tiles.len();
            self.statistics.find += start.elapsed();
        }
        self.idle_since = Instant::now();
        Ok(())
    }

    /// Paints generated circles below everything added so far; greater numbers lie above. `fill` appends the circles of
    /// a range of numbers to an empty vector. Stops once every pixel is finished.
    ///
    /// # Errors
    /// None today.
    ///
    /// # Panics
    /// If `fill` appends more circles than a range has numbers, or fewer.
    pub fn add_below_by_rule(
        &mut self,
        numbers: Range<u64>,
        fill: impl Fn(Range<u64>, &mut Vec<PaintedCircle>) + Sync,
    ) -> Result<()> {
        let mut circles = Vec::new();
        let mut end = numbers.end;
        while end > numbers.start && !self.is_finished {
            let start = end.saturating_sub(BLOCK).max(numbers.start);
            let made = Instant::now();
            // all blocks reuse the same memory
            let length = usize::try_from(end - start).expect("a block is in memory");
            circles.resize(length, PaintedCircle::new([0.0; 2], 0.0, Srgba8::TRANSPARENT));
            self.renderer.pool.install(|| {
                let chunks = circles.par_chunks_mut(CHUNK).enumerate();
                chunks.for_each_init(Vec::new, |made, (index, chunk)| {
                    made.clear();
                    let first = start + (index * CHUNK) as u64;
                    fill(first..first + chunk.len() as u64, made);
                    chunk.copy_from_slice(made);
                });
            });
            self.statistics.cull += made.elapsed();
            self.idle_since = Instant::now();
            self.add_below(&circles)?;
            end = start;
        }
        Ok(())
    }

    /// Whether the picture is finished: circles added from now on would be invisible.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// Adds the background and writes the picture into the frame, which takes its size.
    ///
    /// # Errors
    /// None today.
    pub fn finish(self, frame: &mut Frame) -> Result<StreamStatistics> {
        *frame = Frame::new(self.canvas.width, self.canvas.height, Srgba8::TRANSPARENT)?;
        let Self { renderer, canvas, tiles, .. } = &self;
        let mut unresolved = frame.tiles_mut(renderer.circle_tile);
        renderer.pool.install(|| {
            let pairs = tiles.par_iter().zip(&mut unresolved);
            pairs.for_each(|(tile, pixels)| tile.resolve(renderer.level, canvas, pixels));
        });
        Ok(self.statistics)
    }
}
