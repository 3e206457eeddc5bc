//! The files of a viewer: which one is open, and which of its frames.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::command::RenderCommand;
use super::picture::PictureSpec;
use super::state::LoadRequest;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::io::{LoadOptions, LoadedScene, frame_index, load, read_record, read_scene};
use crate::scene::Scene;
use crate::scene::spheres::Shading;

/// Records of a file that takes longer to read than this are looked up for clicks only, not while hovering.
const QUICK: Duration = Duration::from_millis(20);

/// The list of files, with the open one.
#[derive(Clone, Debug, Default)]
pub(super) struct FileList {
    /// Empty for a scene in memory.
    paths: Vec<PathBuf>,
    current: usize,
    frame: u64,
    overrides: LoadOptions,
    /// The shading of the scene as loaded.
    loaded_shading: Shading,
    load_time: Duration,
    /// The figure of the current file, overridden by the flags.
    figure: Figure,
    /// Whether the current file asks for more pixels than the window has, or fewer.
    is_scaled: bool,
}

impl FileList {
    /// Reads the first file.
    pub(super) fn open(paths: &[PathBuf], overrides: &LoadOptions) -> Result<(Self, Scene<'static>)> {
        if paths.is_empty() {
            return Err(Error::Setting { name: "files", message: "must name at least one file".to_owned() });
        }
        let mut files = Self {
            paths: paths.to_vec(),
            frame: frame_index(&paths[0], overrides)?,
            overrides: overrides.clone(),
            ..Self::default()
        };
        // later files begin with the first frame
        files.overrides.frame = files.overrides.frame.map(|frame| frame.max(0));
        let scene = files.read()?;
        Ok((files, scene))
    }

    fn read(&mut self) -> Result<Scene<'static>> {
        let start = Instant::now();
        let frame = self.chosen_frame().or(self.overrides.frame);
        let overrides = LoadOptions { frame, ..self.overrides.clone() };
        let path = &self.paths[self.current];
        let mut loaded = load(path, &overrides)?;
        self.is_scaled = loaded.figure.is_scaled();
        if self.is_scaled {
            // the size is the window's
            let mut overrides = overrides.clone();
            overrides.figure.scale = Some(1.0);
            loaded = load(path, &overrides)?;
        }
        let LoadedScene { mut scene, figure, .. } = loaded;
        self.figure = figure;
        if let Scene::Circles(_) = scene
            && (overrides.width.is_some() || overrides.height.is_some())
        {
            // the size is the window's, which shows a part of the canvas; the canvas keeps its own
            let overrides = LoadOptions { width: None, height: None, ..overrides };
            scene = read_scene(&self.paths[self.current], &overrides)?;
        }
        if let Scene::Spheres(scene) = &scene {
            self.loaded_shading = scene.shading;
        }
        self.load_time = start.elapsed();
        Ok(scene)
    }

    /// The frame, if it is not the first.
    fn chosen_frame(&self) -> Option<i64> {
        i64::try_from(self.frame).ok().filter(|&frame| frame > 0)
    }

    /// Returns the marks of the current file.
    pub(super) fn figure(&self) -> &Figure {
        &self.figure
    }

    /// Returns the initial size of the picture in the window.
    pub(super) fn picture_size(&self, scene: &Scene<'_>) -> (u32, u32) {
        let (width, height) = scene.size();
        (self.overrides.width.unwrap_or(width), self.overrides.height.unwrap_or(height))
    }

    /// Reads the requested scene; `None` if there is no other. After an error the current file and frame are unchanged.
    pub(super) fn load(&mut self, request: LoadRequest) -> Result<Option<Scene<'static>>> {
        let before = (self.current, self.frame);
        match request {
            _ if self.paths.is_empty() => return Ok(None),
            LoadRequest::Reload => {}
            LoadRequest::StepFile(_) if self.paths.len() == 1 => return Ok(None),
            LoadRequest::StepFile(step) => {
                let count = i64::try_from(self.paths.len()).expect("a list in memory");
                let next = (i64::try_from(self.current).expect("less than the count") + step).rem_euclid(count);
                (self.current, self.frame) = (usize::try_from(next).expect("not negative"), 0);
            }
            LoadRequest::StepFrame(step) => match self.frame.checked_add_signed(step) {
                Some(frame) => self.frame = frame,
                None => return Ok(None),
            },
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
        }
        read.map(Some)
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

    /// Returns a PNG's name that no file in the working directory has: the current file's, numbered.
    pub(super) fn unused_name(&self) -> PathBuf {
        let stem = self.current().and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
        let stem = stem.filter(|stem| stem != "-").unwrap_or("roundel".into());
        let mut names = (1_u64..).map(|number| PathBuf::from(format!("{stem}-{number}.png")));
        names.find(|name| !name.exists()).expect("some number is unused")
    }

    /// Reads the names and values that the file holds for a shape; empty if it holds none or cannot be read.
    pub(super) fn record(&self, index: u64) -> Vec<(String, String)> {
        let Some(path) = self.current() else { return Vec::new() };
        let overrides = LoadOptions { frame: self.chosen_frame(), ..self.overrides.clone() };
        read_record(path, &overrides, index).unwrap_or_default()
    }

    /// Returns whether the file is read so quickly that records can be looked up while hovering.
    pub(super) fn is_quick(&self) -> bool {
        self.load_time <= QUICK
    }

    /// Returns the command line that draws this picture of the current file.
    pub(super) fn render_command(&self, picture: &PictureSpec, output: &Path) -> String {
        let command = RenderCommand {
            input: self.current().unwrap_or(Path::new("-")),
            output,
            overrides: &self.overrides,
            frame: self.frame,
            loaded_shading: &self.loaded_shading,
            is_scaled: self.is_scaled,
            picture,
        };
        command.line()
    }
}
