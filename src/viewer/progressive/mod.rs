//! Progressive rendering: a frame at once, as fine as time allows, and the final picture once the view rests.
//!
//! While the view changes, [`AdaptiveQuality`] chooses the quality of each frame from the times of the last ones. At
//! rest a [`Refiner`] draws the final picture in the background, pass by pass.

mod adaptive_quality;
mod level_of_detail;
mod refine;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::camera::Viewpoint;
use super::pick::{PickedShape, PrimitiveMap, pick};
use super::picture::PictureSpec;
use crate::color::Srgba8;
use crate::error::Result;
use crate::figure::Figure;
use crate::frame::Frame;
use crate::scene::Scene;
use crate::scene::spheres::Shading;
use adaptive_quality::{AdaptiveQuality, Effects, FrameQuality};
use level_of_detail::LevelsOfDetail;
use refine::{RefineJob, RefinedFrame, Refiner, passes};
use roundel_render::inner::TileMap;
use roundel_render::{RenderSettings, Renderer, Statistics};

/// How long the view must rest before the picture is refined: longer than between two events of a drag.
const REST: Duration = Duration::from_millis(60);

/// Draws the current picture of a scene, coarser while it changes.
#[derive(Debug)]
pub(super) struct ProgressiveRenderer {
    scene: Arc<LevelsOfDetail>,
    renderer: Renderer,
    refiner: Refiner,
    quality: AdaptiveQuality,
    pub(super) frame: Frame,
    pub(super) info: FrameInfo,
    /// Whether the frame shows another view or scene.
    is_outdated: bool,
    /// The number of shapes that each tile keeps, once [`ProgressiveRenderer::update_tiles`] has counted them.
    pub(super) tiles: Option<TileMap>,
    /// The primitive at each pixel, once a shape has been picked.
    primitives: PrimitiveMap,
    last_change: Instant,
}

#[derive(Clone, Debug, Default)]
pub(super) struct FrameInfo {
    /// Time from scene to pixels.
    pub(super) time: Duration,
    pub(super) statistics: Statistics,
    pub(super) shading: Shading,
    /// Side in window pixels of the square that each pixel of the frame fills.
    pub(super) divisor: u32,
    /// The level of detail that the frame shows; 0 is the scene itself, the others are thinned.
    pub(super) level: usize,
    /// Whether the frame is the final picture.
    pub(super) is_final: bool,
}

impl ProgressiveRenderer {
    /// Starts with a frame of this size, which is drawn at the first [`ProgressiveRenderer::draw`].
    pub(super) fn new(scene: Scene<'static>, size: (u32, u32), settings: &RenderSettings) -> Result<Self> {
        let scene = LevelsOfDetail::new(scene);
        Ok(Self {
            quality: AdaptiveQuality::new(scene.count()),
            scene: Arc::new(scene),
            renderer: Renderer::new(settings)?,
            refiner: Refiner::new(settings)?,
            frame: Frame::new(size.0, size.1, Srgba8::TRANSPARENT)?,
            info: FrameInfo { divisor: 1, ..FrameInfo::default() },
            is_outdated: true,
            tiles: None,
            primitives: PrimitiveMap::default(),
            last_change: Instant::now(),
        })
    }

    pub(super) fn scene(&self) -> &Scene<'static> {
        &self.scene.scene
    }

    pub(super) fn set_scene(&mut self, scene: Scene<'static>) {
        let scene = LevelsOfDetail::new(scene);
        if self.quality.level_count != scene.count() {
            self.quality = AdaptiveQuality::new(scene.count());
        }
        self.scene = Arc::new(scene);
        self.invalidate();
    }

    pub(super) fn invalidate(&mut self) {
        self.refiner.cancel();
        self.is_outdated = true;
        self.tiles = None;
        self.primitives = PrimitiveMap::default();
        self.last_change = Instant::now();
    }

    /// Draws an outdated frame at once, takes over a refined one, or starts refining. Returns whether the frame has
    /// changed.
    pub(super) fn draw(&mut self, picture: &PictureSpec) -> Result<bool> {
        if self.is_outdated {
            self.draw_moving(picture)?;
            return Ok(true);
        }
        if let Some(pass) = self.refiner.poll() {
            self.show_pass(pass?);
            return Ok(true);
        }
        if !self.info.is_final && !self.refiner.is_busy && self.is_at_rest() {
            let job = self.refine_job(picture);
            self.refiner.start(job);
        }
        Ok(false)
    }

    /// Draws a frame within the budget.
    fn draw_moving(&mut self, picture: &PictureSpec) -> Result<()> {
        let start = Instant::now();
        let quality = self.quality.quality();
        let shading = quality.effects.reduce(picture.shading);
        let reduced = PictureSpec { shading, ..*picture }.reduced(quality.divisor);
        let scene = reduced.apply(self.scene.level(quality.level));
        let statistics = self.renderer.render(&scene, &mut self.frame)?;
        drop(scene);
        let time = start.elapsed();
        self.quality.adapt(picture.shading, statistics.prepare, time);
        let FrameQuality { effects, divisor, level } = quality;
        let has_all_effects = effects == Effects::All || shading == picture.shading;
        let is_final = divisor == 1 && level == 0 && has_all_effects;
        self.is_outdated = false;
        self.info = FrameInfo { time, statistics, shading, divisor, level, is_final };
        self.last_change = Instant::now();
        Ok(())
    }

    fn refine_job(&self, picture: &PictureSpec) -> RefineJob {
        let mut passes = match picture.viewpoint {
            Viewpoint::Camera(_) => passes(picture.shading),
            // circles have one quality
            Viewpoint::ViewBox(_) => vec![picture.shading],
        };
        if self.info.divisor == 1 && self.info.level == 0 && passes.len() > 1 {
            // the frame shows this pass already
            passes.retain(|pass| *pass != self.info.shading);
        }
        RefineJob { scene: Arc::clone(&self.scene), picture: *picture, passes }
    }

    fn show_pass(&mut self, pass: RefinedFrame) {
        let RefinedFrame { frame, shading, statistics, time, is_final } = pass;
        self.frame = frame;
        self.info = FrameInfo { time, statistics, shading, divisor: 1, level: 0, is_final };
    }

    /// Draws the final picture and waits for it. Returns whether the frame has changed.
    pub(super) fn finish(&mut self, picture: &PictureSpec) -> Result<bool> {
        if self.is_final() {
            return Ok(false);
        }
        self.refiner.cancel();
        let start = Instant::now();
        let scene = picture.apply(&self.scene.scene);
        let statistics = self.renderer.render(&scene, &mut self.frame)?;
        drop(scene);
        let (time, shading) = (start.elapsed(), picture.shading);
        self.is_outdated = false;
        self.info = FrameInfo { time, statistics, shading, divisor: 1, level: 0, is_final: true };
        Ok(true)
    }

    /// Returns the frame with the marks of a figure: as large as the picture and the marks beside it. The edges of a
    /// box are as coarse as the frame.
    pub(super) fn marked(&mut self, figure: &Figure, picture: &PictureSpec) -> Result<Frame> {
        let FrameInfo { divisor, level, shading, .. } = self.info;
        let coarse = PictureSpec { shading, ..*picture }.reduced(divisor);
        let mut marked = self.frame.clone();
        figure.draw_cell(
            &|scene| self.renderer.depths(scene),
            &coarse.apply(self.scene.level(level)),
            &mut marked,
            divisor,
        )?;
        if divisor == 1 && level == 0 {
            figure.draw_labels(&|scene| self.renderer.depths(scene), &picture.apply(&self.scene.scene), &mut marked)?;
        }
        if divisor > 1 {
            marked = marked.enlarged(divisor, picture.size)?;
        }
        figure.draw_beside(self.renderer.budget(), &picture.apply(&self.scene.scene), &mut marked)?;
        Ok(marked)
    }

    /// Counts the shapes that each tile of the picture keeps, unless they are known. Returns whether it has counted.
    pub(super) fn update_tiles(&mut self, picture: &PictureSpec) -> Result<bool> {
        if self.tiles.is_some() {
            return Ok(false);
        }
        // tiles keep the same shapes whatever the samples and effects
        let shading = Effects::None.reduce(picture.shading);
        let scene = PictureSpec { shading, ..*picture }.apply(&self.scene.scene);
        self.tiles = Some(self.renderer.map_tiles(&scene)?);
        Ok(true)
    }

    /// Returns the shape at this place of a picture.
    pub(super) fn pick(&mut self, picture: &PictureSpec, cursor: [f32; 2], least_alpha: u8) -> Option<PickedShape> {
        pick(&mut self.primitives, &self.renderer, &self.scene.scene, picture, cursor, least_alpha)
    }

    /// Returns whether the frame shows the current view, and has done so for a while.
    pub(super) fn is_at_rest(&self) -> bool {
        !self.is_outdated && self.last_change.elapsed() >= REST
    }

    pub(super) fn is_final(&self) -> bool {
        !self.is_outdated && self.info.is_final
    }
}
