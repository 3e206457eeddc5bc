//! Generated circles that are drawn without being held in memory.

use rayon::prelude::*;

use crate::color::Srgba8;
use crate::error::Result;
use crate::frame::Frame;
use crate::scene::circles::Canvas;
use crate::scene::generate::{self, Pattern};
use roundel_load::options::load_options::LoadOptions;
use roundel_load::options::picture_settings;
use roundel_load::options::routes::Route;
use roundel_load::rows::canvas::{CanvasTransform, Corners};
use roundel_render::{Renderer, StreamStatistics};

/// Circles per round of all threads.
const BLOCK: usize = 1 << 20;

/// Circles per task of a thread.
const CHUNK: usize = 1 << 14;

/// Generated circles that fill a canvas. Each drawing generates them again, a block at a time.
///
/// The scene of a file with these circles in `[[generate]]` and nothing else.
///
/// ```
/// use roundel::generate::Pattern;
/// use roundel::io::{LoadOptions, StreamedCircles};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let options = LoadOptions { width: Some(64), ..LoadOptions::default() };
/// let scene = StreamedCircles::generated(Pattern::Sunflower, 100_000, 1, &options)?;
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// let statistics = scene.draw(&mut Renderer::new(&RenderSettings::default())?, &mut frame)?;
/// assert_eq!((frame.width(), frame.height(), statistics.shapes), (64, 48, 100_000));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StreamedCircles {
    canvas: Canvas,
    transform: CanvasTransform,
    pattern: Pattern,
    count: u64,
    seed: u64,
}

impl StreamedCircles {
    /// Circles as [`generate::circles`] makes them.
    ///
    /// # Errors
    /// When an override is out of range, or means nothing for circles.
    pub fn generated(pattern: Pattern, count: u64, seed: u64, options: &LoadOptions) -> Result<Self> {
        for route in [Route::Circles(pattern.name()), Route::Pattern(pattern.name()), Route::CircleStream] {
            route.check(options)?;
        }
        let (width, height) = picture_settings::size(options, (None, None), picture_settings::ASPECT)?;
        let mut corners = Corners::NONE;
        for first in (0..count).step_by(BLOCK) {
            let chunks: Vec<u64> = (first..count.min(first + BLOCK as u64)).step_by(CHUNK).collect();
            let of_chunk = |first: &u64| {
                let mut circles = Vec::with_capacity(CHUNK);
                generate::extend_circles(pattern, *first..count.min(first + CHUNK as u64), count, seed, &mut circles);
                Corners::of(&circles)
            };
            corners = corners.join(chunks.par_iter().map(of_chunk).reduce(|| Corners::NONE, Corners::join));
        }
        let transform = corners.filling((width, height));
        let background = options.background.unwrap_or(Srgba8::WHITE);
        let canvas = Canvas::new(width, height).with_background(background);
        Ok(Self { canvas, transform, pattern, count, seed })
    }

    /// Draws the circles.
    ///
    /// # Errors
    /// As [`Renderer::stream_circles`].
    pub fn draw(&self, renderer: &mut Renderer, frame: &mut Frame) -> Result<StreamStatistics> {
        let Self { transform, pattern, count, seed, .. } = self;
        let mut stream = renderer.stream_circles(&self.canvas)?;
        stream.add_below_by_rule(0..*count, |numbers, circles| {
            generate::extend_circles(*pattern, numbers, *count, *seed, circles);
            circles.iter_mut().for_each(|circle| transform.apply(circle));
        })?;
        // circles below a finished picture are never read
        let mut statistics = stream.finish(frame)?;
        statistics.shapes = *count;
        Ok(statistics)
    }
}
