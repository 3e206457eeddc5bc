//! Draws a film: while a frame is drawn, the next data is read and earlier frames are encoded.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use super::container::frame_path;
use super::format::FilmFormat;
use super::plan::Film;
use super::writer::{FilmWriter, SAMPLES, WriterOptions};
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::io::{LoadedScene, Overwriting, SceneGrid, load};
use crate::scene::Scene;
use roundel_image::pictures::read_size;
use roundel_load::films::view::{DataFrame, stated_camera};
use roundel_render::{OcclusionError, Renderer};

/// Draws a film into a file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Recording<'a> {
    /// The file, whose name states the format.
    pub output: &'a Path,
    /// Once set, the recording ends after the current frame; the file has the frames so far.
    pub stop: &'a AtomicBool,
    /// Threads that encode; `None` for one per processor.
    pub threads: Option<usize>,
    /// Whether existing pictures of single frames are kept or replaced.
    pub finished: FinishedFrames,
    /// Which files the pictures of single frames may replace.
    pub overwriting: Overwriting,
}

/// Pictures of single frames that an earlier run has finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinishedFrames {
    /// They are drawn again.
    #[default]
    Redraw,
    /// They stay, and the others are drawn. For numbered PNGs alone.
    Keep,
}

/// The progress of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilmProgress {
    /// Frames that have been drawn.
    pub drawn: u64,
    /// Frames of the whole film.
    pub total: u64,
}

impl<'a> Recording<'a> {
    /// Draws all frames into a file.
    #[must_use]
    pub fn new(output: &'a Path, stop: &'a AtomicBool) -> Self {
        Self { output, stop, threads: None, finished: FinishedFrames::Redraw, overwriting: Overwriting::Own }
    }

    /// Draws and writes the painter's film; returns its number of frames.
    ///
    /// # Errors
    /// If a frame cannot be read or drawn, or the file cannot be written. The file is not there then, or as it was;
    /// pictures of single frames stay.
    pub fn run(&self, painter: &mut FilmPainter<'_>, mut progress: impl FnMut(FilmProgress)) -> Result<u64> {
        let film = painter.film;
        let indices = self.indices(film)?;
        let total = film.len();
        let kept = total - indices.len() as u64;
        progress(FilmProgress { drawn: kept, total });
        std::thread::scope(|scope| {
            let (to_drawing, read) = sync_channel(1);
            let to_read = &indices[..];
            scope.spawn(move || self.read(film, to_read, &to_drawing));
            painter.shown = None;
            let mut writer = None;
            for (drawn, &index) in (kept + 1..).zip(&indices) {
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(loaded) = read.recv() else { break };
                painter.loaded = loaded?.or(painter.loaded.take());
                let frame = painter.draw_loaded(index)?;
                if writer.is_none() {
                    self.check_finished(film, &indices, &frame)?;
                    writer = Some(self.begin_with(&frame, &indices, painter)?);
                }
                if let Some(writer) = &mut writer {
                    writer.push(frame)?;
                }
                progress(FilmProgress { drawn, total });
            }
            // the reading thread ends once its channel is closed
            drop(read);
            writer.map_or(Ok(0), FilmWriter::finish).map(|written| kept + written)
        })
    }

    /// The frames to draw.
    fn indices(&self, film: &Film) -> Result<Vec<u64>> {
        let all = 0..film.len();
        match (self.finished, FilmFormat::of(self.output)?) {
            (FinishedFrames::Redraw, _) => Ok(all.collect()),
            (FinishedFrames::Keep, FilmFormat::Pngs) => {
                let mut missing = Vec::new();
                for index in all {
                    if !is_finished(&frame_path(self.output, film.number(index))?) {
                        missing.push(index);
                    }
                }
                Ok(missing)
            }
            (FinishedFrames::Keep, _) => {
                let message = "is for PNGs by a name such as frame_{frame:04}.png, of which each is whole; other films are made in one go"
                    .to_owned();
                Err(Error::setting("resume", message))
            }
        }
    }

    /// Refuses to go on with a film whose finished frames have another size.
    fn check_finished(&self, film: &Film, missing: &[u64], frame: &Frame) -> Result<()> {
        let is_kept = |index: &u64| missing.binary_search(index).is_err();
        let Some(kept) = (0..film.len()).find(is_kept).filter(|_| self.finished == FinishedFrames::Keep) else {
            return Ok(());
        };
        let path = frame_path(self.output, film.number(kept))?;
        let [found, own] = [read_size(&path)?, (frame.width(), frame.height())];
        if found == own {
            return Ok(());
        }
        let (path, [a, b, c, d]) = (path.display(), [found.0, found.1, own.0, own.1]);
        let message = format!("is for the same command; {path} has {a}x{b} pixels, and its frames have {c}x{d}");
        Err(Error::setting("resume", message))
    }

    /// Reads the data of all frames in order; `None` for a frame that shows the same as the one before.
    fn read(&self, film: &Film, indices: &[u64], to_drawing: &SyncSender<Result<Option<FrameScenes>>>) {
        let mut before = None;
        for &index in indices {
            let data = film.data_of(index);
            let loaded = if data == before { Ok(None) } else { read(film, index).map(Some) };
            before = data;
            let is_failed = loaded.is_err();
            if to_drawing.send(loaded).is_err() || is_failed || self.stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Begins the file of the film, given its first frame, for callers that draw the frames themselves, such as several
    /// processes that share them.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(&self, first: &Frame, painter: &mut FilmPainter<'_>) -> Result<FilmWriter> {
        self.begin_with(first, &(0..painter.film.len()).collect::<Vec<_>>(), painter)
    }

    /// Begins the file with the first frame; the colours of a GIF are chosen from several.
    fn begin_with(&self, first: &Frame, indices: &[u64], painter: &mut FilmPainter<'_>) -> Result<FilmWriter> {
        let film = painter.film;
        let mut sample = vec![first.clone()];
        if FilmFormat::of(self.output)? == FilmFormat::Gif {
            let count = film.len().min(SAMPLES);
            for index in (1..count).map(|index| index * film.len() / count) {
                sample.push(FilmPainter::new(film, painter.renderer).draw(index)?);
            }
        }
        let options = WriterOptions {
            rate: film.rate(),
            frames: film.len(),
            dpi: painter.dpi(),
            numbers: indices.iter().map(|&index| film.number(index)).collect(),
            threads: self.threads,
            has_alpha: film.has_alpha(),
            overwriting: self.overwriting,
        };
        FilmWriter::with_options(self.output, options, &sample)
    }
}

/// Draws single frames of a film in any order, the same as [`Recording`] does.
///
/// ```
/// use roundel::film::{Film, FilmOptions, FilmPainter};
/// use roundel::io::LoadOptions;
/// use roundel::{RenderSettings, Renderer};
///
/// let (mut picture, mut options) = (LoadOptions::default(), FilmOptions::default());
/// (picture.width, options.turntable, options.seconds) = (Some(64), Some(360.0), Some(1.0));
/// let film = Film::plan(&["docs/scenes/caffeine.xyz"], &picture, &options, |_| Ok(()))?;
/// let mut renderer = Renderer::new(&RenderSettings::default())?;
/// let middle = FilmPainter::new(&film, &mut renderer).draw(film.len() / 2)?;
/// assert_eq!(middle.width(), 64);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Debug)]
pub struct FilmPainter<'a> {
    film: &'a Film,
    renderer: &'a mut Renderer,
    /// The scenes that were read last, and the data that they show.
    loaded: Option<FrameScenes>,
    shown: Option<&'a [DataFrame]>,
}

/// The scene of a frame of a film, or of each of its panels.
#[derive(Debug)]
enum FrameScenes {
    One(Box<LoadedScene<'static>>),
    Panels(Box<SceneGrid>),
}

impl<'a> FilmPainter<'a> {
    /// Draws frames of this film with a renderer, which reuses the structures that they share.
    #[must_use]
    pub fn new(film: &'a Film, renderer: &'a mut Renderer) -> Self {
        Self { film, renderer, loaded: None, shown: None }
    }

    /// Draws a frame; reads its data, unless the last frame had the same.
    ///
    /// # Errors
    /// If there is no such frame, or it cannot be read or drawn.
    pub fn draw(&mut self, index: u64) -> Result<Frame> {
        let data = self.film.data_of(index).ok_or_else(no_frame)?;
        if self.shown != Some(data) {
            (self.loaded, self.shown) = (Some(read(self.film, index)?), Some(data));
        }
        self.draw_loaded(index)
    }

    /// Draws a frame of the data that was read for it or for a frame before.
    fn draw_loaded(&mut self, index: u64) -> Result<Frame> {
        let options = self.film.options(index).ok_or_else(no_frame)?;
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        match (self.loaded.as_mut().ok_or_else(no_frame)?, self.film.grid()) {
            (FrameScenes::Panels(panels), grid) => {
                if let Some(grid) = grid.filter(|_| self.film.moves()) {
                    grid.turn(panels, &options)?;
                }
                panels.draw(self.renderer, &mut frame)?;
            }
            (FrameScenes::One(loaded), _) => {
                if let Scene::Spheres(scene) = &mut loaded.scene {
                    scene.view.camera = stated_camera(&options, scene.origin, (scene.view.width, scene.view.height))?;
                }
                loaded.draw(self.renderer, &mut frame)?;
            }
        }
        Ok(frame)
    }

    /// Compares smooth occlusion with rays in the frame that was drawn last; see [`Renderer::occlusion_error`].
    ///
    /// # Errors
    /// If the scene exceeds the budget.
    pub fn occlusion_error(&mut self) -> Result<Option<OcclusionError>> {
        match &self.loaded {
            None => Ok(None),
            Some(FrameScenes::One(loaded)) => self.renderer.occlusion_error(&loaded.scene),
            Some(FrameScenes::Panels(panels)) => panels.occlusion_error(self.renderer),
        }
    }

    fn dpi(&self) -> Option<f32> {
        match self.loaded.as_ref()? {
            FrameScenes::One(loaded) => loaded.figure.dpi(),
            FrameScenes::Panels(panels) => panels.dpi(),
        }
    }
}

/// Whether the picture of a frame exists: a regular file that is not empty, and no link.
fn is_finished(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0)
}

fn no_frame() -> Error {
    Error::setting("frames", "must be in the film")
}

fn read(film: &Film, index: u64) -> Result<FrameScenes> {
    let stamp = film.stamp(index);
    if let Some(grid) = film.grid() {
        let (parts, options) = film.data_of(index).zip(film.options(index)).ok_or_else(no_frame)?;
        let mut panels = grid.read(parts, &options)?;
        panels.stamp(stamp);
        return Ok(FrameScenes::Panels(Box::new(panels)));
    }
    let (path, options) = film.frame(index).ok_or_else(no_frame)?;
    let mut loaded = load(path, &options)?;
    loaded.figure.stamp = stamp.or(loaded.figure.stamp);
    Ok(FrameScenes::One(Box::new(loaded)))
}
