//! Draws a film: the next data is read, and frames before it are encoded, while a frame is drawn.

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
use crate::io::{LoadedScene, load, stated_camera};
use crate::render::Renderer;
use crate::scene::Scene;

/// The drawing of a film into a file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Recording<'a> {
    /// The frames.
    pub film: &'a Film,
    /// The file, whose name says the format.
    pub output: &'a Path,
    /// Once it is set, the recording ends after the frame that is drawn; the file has the frames so far.
    pub stop: &'a AtomicBool,
    /// Threads that encode; `None` for as many as there are processors.
    pub threads: Option<usize>,
    /// Whether existing pictures of single frames are kept or replaced.
    pub finished: FinishedFrames,
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

/// How far a recording is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilmProgress {
    /// Frames that have been drawn.
    pub drawn: u64,
    /// Frames of the whole film.
    pub total: u64,
}

impl<'a> Recording<'a> {
    /// The drawing of all frames into a file.
    #[must_use]
    pub fn new(film: &'a Film, output: &'a Path, stop: &'a AtomicBool) -> Self {
        Self { film, output, stop, threads: None, finished: FinishedFrames::Redraw }
    }

    /// Draws the film and writes it; returns the number of frames that are in it.
    ///
    /// # Errors
    /// If a frame cannot be read or drawn, or the file cannot be written. The file is not there then, or as it was; pictures of single
    /// frames stay.
    pub fn run(&self, renderer: &mut Renderer, mut progress: impl FnMut(FilmProgress)) -> Result<u64> {
        let indices = self.indices()?;
        let total = self.film.len();
        let kept = total - indices.len() as u64;
        progress(FilmProgress { drawn: kept, total });
        std::thread::scope(|scope| {
            let (to_drawing, read) = sync_channel(1);
            let to_read = &indices[..];
            scope.spawn(move || self.read(to_read, &to_drawing));
            let mut stage = Stage { recording: self, renderer, loaded: None };
            let mut writer = None;
            for (drawn, &index) in (kept + 1..).zip(&indices) {
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(loaded) = read.recv() else { break };
                stage.loaded = loaded?.or(stage.loaded);
                let frame = stage.draw(index)?;
                if writer.is_none() {
                    writer = Some(self.begin(&frame, &indices, &mut stage)?);
                }
                if let Some(writer) = &mut writer {
                    writer.push(frame)?;
                }
                progress(FilmProgress { drawn, total });
            }
            // the reading thread ends when it finds nobody who takes what it reads
            drop(read);
            writer.map_or(Ok(0), FilmWriter::finish).map(|written| kept + written)
        })
    }

    /// The frames that are drawn.
    fn indices(&self) -> Result<Vec<u64>> {
        let all = 0..self.film.len();
        match (self.finished, FilmFormat::of(self.output)?) {
            (FinishedFrames::Redraw, _) => Ok(all.collect()),
            (FinishedFrames::Keep, FilmFormat::Pngs) => {
                let mut missing = Vec::new();
                for index in all {
                    if !frame_path(self.output, index)?.is_file() {
                        missing.push(index);
                    }
                }
                Ok(missing)
            }
            (FinishedFrames::Keep, _) => {
                let message = "is for PNGs by a name such as frame_{frame:04}.png, of which each is whole; other films are made in one go"
                    .to_owned();
                Err(Error::Setting { name: "resume", message })
            }
        }
    }

    /// Reads the data of all frames in order; `None` for a frame that shows the same as the one before.
    fn read(&self, indices: &[u64], to_drawing: &SyncSender<Result<Option<LoadedScene<'static>>>>) {
        let mut before = None;
        for &index in indices {
            let data = self.film.data_of(index);
            let loaded = if data == before { Ok(None) } else { self.load(index).map(Some) };
            before = data;
            let is_failed = loaded.is_err();
            if to_drawing.send(loaded).is_err() || is_failed || self.stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    fn load(&self, index: u64) -> Result<LoadedScene<'static>> {
        let (path, options) = self.film.frame(index).ok_or_else(no_frame)?;
        load(path, &options)
    }

    /// Begins the file with the first frame; the colours of a GIF are chosen from several.
    fn begin(&self, first: &Frame, indices: &[u64], stage: &mut Stage<'_, '_>) -> Result<FilmWriter> {
        let film = self.film;
        let mut sample = vec![first.clone()];
        if FilmFormat::of(self.output)? == FilmFormat::Gif {
            let count = film.len().min(SAMPLES);
            for index in (1..count).map(|index| index * film.len() / count) {
                let mut other =
                    Stage { recording: self, renderer: &mut *stage.renderer, loaded: Some(self.load(index)?) };
                sample.push(other.draw(index)?);
            }
        }
        let options = WriterOptions {
            rate: film.rate(),
            frames: film.len(),
            dpi: stage.dpi(),
            numbers: indices.to_vec(),
            threads: self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
            has_alpha: film.has_alpha(),
        };
        FilmWriter::with_options(self.output, options, &sample)
    }
}

fn no_frame() -> Error {
    Error::Setting { name: "frames", message: "must be in the film".to_owned() }
}

/// The renderer, and the data that it draws.
struct Stage<'a, 'b> {
    recording: &'a Recording<'a>,
    renderer: &'b mut Renderer,
    loaded: Option<LoadedScene<'static>>,
}

impl Stage<'_, '_> {
    /// Draws a frame of the data that was read for it or for a frame before.
    fn draw(&mut self, index: u64) -> Result<Frame> {
        let (_, options) = self.recording.film.frame(index).ok_or_else(no_frame)?;
        let loaded = self.loaded.as_mut().ok_or_else(no_frame)?;
        if let Scene::Spheres(scene) = &mut loaded.scene {
            scene.view.camera = stated_camera(&options, (scene.view.width, scene.view.height))?;
        }
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        loaded.draw(self.renderer, &mut frame)?;
        Ok(frame)
    }

    fn dpi(&self) -> Option<f32> {
        self.loaded.as_ref().and_then(|loaded| loaded.figure.dpi())
    }
}
