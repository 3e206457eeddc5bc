//! The files of a viewer: which one is open, and which of its frames.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::background::{BackgroundTask, FilmJob};
use super::command::RenderCommand;
use super::picture::PictureSpec;
use super::state::LoadRequest;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::film::{Film, FilmOptions};
use crate::geom::Origin;
use crate::io::{FrameList, LoadOptions, LoadedScene, load, read_record, read_scene};
use crate::scene::Scene;
use crate::scene::spheres::Shading;
use crate::source::memory_files::FileSystem;
use roundel_load::pictures::record::frame_index;
use roundel_load::read::{CountedFrames, count_frames};
use roundel_render::RenderSettings;

/// Records of a file that takes longer to read than this are looked up for clicks only, not while hovering.
const QUICK: Duration = Duration::from_millis(20);

#[derive(Debug, Default)]
pub(super) struct FileList {
    /// Empty for a scene in memory.
    paths: Vec<PathBuf>,
    current: usize,
    frame: u64,
    options: LoadOptions,
    loaded_shading: Shading,
    load_time: Duration,
    /// The figure of the current file, overridden by the flags.
    pub(super) figure: Figure,
    /// Notes about the files without repeats, and how many of them have been taken.
    notes: Vec<String>,
    taken_notes: usize,
    /// Whether the current file scales the number of pixels, which the window does not.
    is_scaled: bool,
    /// The number of frames in the current file.
    count: BackgroundTask<CountedFrames>,
    /// The current file's frames as a film, with one camera and one range of colours.
    film: BackgroundTask<Film>,
}

impl FileList {
    /// Reads the first file.
    pub(super) fn open(paths: &[PathBuf], options: &LoadOptions) -> Result<(Self, Scene<'static>)> {
        if paths.is_empty() {
            return Err(Error::setting("files", "must name at least one file"));
        }
        let mut files = Self {
            paths: paths.to_vec(),
            frame: frame_index(&FileSystem::Disk, &paths[0], options)?,
            options: options.clone(),
            ..Self::default()
        };
        // later files begin with the first frame
        files.options.frame = files.options.frame.map(|frame| frame.max(0));
        let scene = files.read()?;
        files.start_count();
        Ok((files, scene))
    }

    fn read(&mut self) -> Result<Scene<'static>> {
        let start = Instant::now();
        let options = self.frame_options();
        let path = &self.paths[self.current];
        let mut loaded = load(path, &options)?;
        self.is_scaled = loaded.figure.is_scaled();
        if self.is_scaled {
            // the size is the window's
            let mut options = options.clone();
            options.figure.scale = Some(1.0);
            loaded = load(path, &options)?;
        }
        let LoadedScene { mut scene, figure, notes, .. } = loaded;
        let new: Vec<String> = notes.into_iter().filter(|note| !self.notes.contains(note)).collect();
        self.notes.extend(new);
        // its ticks would stand still while the picture moves
        self.figure = figure.without_plane_axes();
        if let Scene::Circles(_) = scene
            && (options.width.is_some() || options.height.is_some())
        {
            // the size is the window's, which shows a part of the canvas; the canvas keeps its own
            let options = LoadOptions { width: None, height: None, ..options };
            scene = read_scene(&self.paths[self.current], &options)?;
        }
        if let Scene::Spheres(scene) = &scene {
            self.loaded_shading = scene.shading;
            // the next frames are seen through the same camera
            self.options.origin = Some(scene.origin);
        }
        self.load_time = start.elapsed();
        Ok(scene)
    }

    /// The options with which the current frame is drawn.
    fn frame_options(&self) -> LoadOptions {
        let LoadOptions { width, height, .. } = self.options;
        match self.film.value().and_then(|film| film.frame(self.frame)) {
            Some((_, options)) => LoadOptions { width, height, ..options },
            None => {
                let frame = self.chosen_frame().or(self.options.frame);
                LoadOptions { frame, ..self.options.clone() }
            }
        }
    }

    fn start_count(&mut self) {
        (self.count, self.film) = (BackgroundTask::Idle, BackgroundTask::Idle);
        if let Some(path) = self.current().filter(|path| path.is_file()).map(Path::to_owned) {
            let options = self.options.clone();
            self.count = BackgroundTask::start(move || count_frames(&FileSystem::Disk, &path, &options).ok());
        }
    }

    pub(super) fn plan_film(&mut self) {
        let Some(path) = self.current().filter(|path| path.is_file() && self.film.is_idle()).map(Path::to_owned) else {
            return;
        };
        let picture = LoadOptions { frame: None, ..self.options.clone() };
        let options = FilmOptions { frames: Some(FrameList::all()), ..FilmOptions::default() };
        self.film = BackgroundTask::start(move || Film::plan(&[path], &picture, &options, |_| Ok(())).ok());
    }

    /// Takes over the film if it has been planned; returns whether it has.
    pub(super) fn poll_film(&mut self) -> bool {
        self.film.poll() && self.film.value().is_some()
    }

    /// Waits for the film if it is being planned; returns whether it is new.
    pub(super) fn wait_for_film(&mut self) -> bool {
        self.film.wait() && self.film.value().is_some()
    }

    /// Whether a background task is running.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.count, BackgroundTask::Running(_)) || matches!(self.film, BackgroundTask::Running(_))
    }

    /// The number of frames, as far as it is known, and the current one.
    pub(super) fn frames(&self) -> (u64, u64) {
        let count = self.film.value().map(Film::len).or(self.count.value().map(|counted| counted.frames));
        (count.unwrap_or_default(), self.frame)
    }

    /// Takes over the number of frames if they have been counted; returns whether they have.
    pub(super) fn poll_count(&mut self) -> bool {
        let is_new = self.count.poll();
        self.note_count();
        is_new
    }

    /// Waits for the number of frames if they are being counted; returns whether it is new.
    pub(super) fn wait_for_count(&mut self) -> bool {
        let is_new = self.count.wait();
        self.note_count();
        is_new
    }

    /// Notes frames that do not count.
    fn note_count(&mut self) {
        let notes = self.count.value().map_or(&[][..], |counted| &counted.notes);
        let new: Vec<String> = notes.iter().filter(|note| !self.notes.contains(note)).cloned().collect();
        self.notes.extend(new);
    }

    /// The frame, if it is not the first.
    fn chosen_frame(&self) -> Option<i64> {
        i64::try_from(self.frame).ok().filter(|&frame| frame > 0)
    }

    /// Returns the initial size of the picture in the window.
    pub(super) fn picture_size(&self, scene: &Scene<'_>) -> (u32, u32) {
        let (width, height) = scene.size();
        (self.options.width.unwrap_or(width), self.options.height.unwrap_or(height))
    }

    /// Reads the requested scene; `None` if there is no other. After an error the current file and frame are unchanged.
    pub(super) fn load(&mut self, request: LoadRequest) -> Result<Option<Scene<'static>>> {
        let before = (self.current, self.frame);
        if matches!(request, LoadRequest::Reload | LoadRequest::StepFile(_)) {
            // the film is of another file, or of other content
            self.film = BackgroundTask::Idle;
        }
        match request {
            _ if self.paths.is_empty() => return Ok(None),
            LoadRequest::Reload => {}
            LoadRequest::StepFile(_) if self.paths.len() == 1 => return Ok(None),
            LoadRequest::StepFile(step) => {
                let count = i64::try_from(self.paths.len()).expect("a list in memory");
                let next = (i64::try_from(self.current).expect("less than the count") + step).rem_euclid(count);
                (self.current, self.frame) = (usize::try_from(next).expect("not negative"), 0);
                self.options.origin = None;
            }
            LoadRequest::StepFrame(step) => match (self.frame.checked_add_signed(step), self.frames().0) {
                (Some(frame), 2..) if frame >= self.frames().0 => self.frame = 0,
                (Some(frame), _) => self.frame = frame,
                (None, _) => return Ok(None),
            },
            LoadRequest::GoToFrame(frame) => self.frame = frame,
            LoadRequest::Film => {}
        }
        let read = match (self.read(), request) {
            // after the last frame follows the first
            (Err(Error::Setting { name: "frame", .. }), LoadRequest::StepFrame(1..)) if before.1 > 0 => {
                self.frame = 0;
                self.read()
            }
            // a file without frames
            (Err(Error::Setting { name: "frame", .. }), LoadRequest::StepFrame(_)) => {
                (self.current, self.frame) = before;
                return Ok(None);
            }
            (read, _) => read,
        };
        if read.is_err() {
            (self.current, self.frame) = before;
        } else if before.0 != self.current || request == LoadRequest::Reload {
            self.start_count();
        }
        read.map(Some)
    }

    /// The notes since the last call.
    pub(super) fn take_notes(&mut self) -> &[String] {
        let first = std::mem::replace(&mut self.taken_notes, self.notes.len());
        &self.notes[first..]
    }

    /// Returns the current file; `None` for a scene in memory.
    pub(super) fn current(&self) -> Option<&Path> {
        self.paths.get(self.current).map(PathBuf::as_path)
    }

    /// Describes the current file and frame; empty for the first frame of an only file.
    pub(super) fn position(&self) -> String {
        let mut parts = Vec::new();
        if let Some(path) = self.current().filter(|_| self.paths.len() > 1) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            parts.push(format!("{name} ({} of {})", self.current + 1, self.paths.len()));
        }
        if self.frame > 0 {
            parts.push(format!("frame {}", self.frame));
        }
        parts.join(", ")
    }

    /// Returns the current file's name with a number that no file in the working directory has.
    pub(super) fn unused_name(&self, ending: &str) -> PathBuf {
        let stem = self.current().and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
        let stem = stem.filter(|stem| stem != "-").unwrap_or("roundel".into());
        let mut names = (1_u64..).map(|number| PathBuf::from(format!("{stem}-{number}.{ending}")));
        names.find(|name| !name.exists()).expect("some number is unused")
    }

    /// Reads the names and values that the file holds for a shape; empty if it holds none or cannot be read.
    pub(super) fn record(&self, index: u64) -> Vec<(String, String)> {
        let Some(path) = self.current() else { return Vec::new() };
        let options = LoadOptions { frame: self.frame_options().frame, ..self.options.clone() };
        read_record(path, &options, index).unwrap_or_default()
    }

    /// Returns whether the file is read so quickly that records can be looked up while hovering.
    pub(super) fn is_quick(&self) -> bool {
        self.load_time <= QUICK
    }

    fn command<'a>(&'a self, picture: &'a PictureSpec, output: &'a Path) -> RenderCommand<'a> {
        RenderCommand {
            input: self.current().unwrap_or(Path::new("-")),
            output,
            film: None,
            frame: self.frame,
            options: &self.options,
            loaded_shading: &self.loaded_shading,
            is_scaled: self.is_scaled,
            picture,
            origin: self.options.origin.map_or_else(Origin::default, Origin::at),
        }
    }

    /// Returns the command line that draws this picture of the current file.
    pub(super) fn render_command(&self, picture: &PictureSpec, output: &Path) -> String {
        let options = self.frame_options();
        let frame = options.frame.and_then(|frame| u64::try_from(frame).ok()).unwrap_or_default();
        RenderCommand { frame, options: &options, ..self.command(picture, output) }.line()
    }

    /// The film of all frames of the current file, or around its only one, as this picture shows them; `None` for a
    /// scene in memory.
    pub(super) fn film_job(
        &self,
        picture: &PictureSpec,
        output: PathBuf,
        settings: &RenderSettings,
    ) -> Option<FilmJob> {
        let input = self.current().filter(|path| path.is_file())?;
        let mut options = FilmOptions::default();
        let motion = if self.frames().0 > 1 {
            options.frames = Some(FrameList::all());
            ""
        } else {
            options.turntable = Some(360.0);
            "--turntable 360"
        };
        let command = RenderCommand { film: Some(motion), ..self.command(picture, &output) };
        Some(FilmJob {
            input: input.to_owned(),
            picture: command.options(),
            command: command.line(),
            options,
            settings: *settings,
            output,
        })
    }
}
