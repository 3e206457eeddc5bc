//! Scenes and data in memory, for programs without a file system.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use super::loaded_scene::LoadedScene;
use super::read::load_from;
use crate::error::Result;
use crate::source::memory_files::{FileMap, FileSystem};
use roundel_load::dataset::describe::Description;
use roundel_load::films::view::{DataFrame, FilmFrames, FilmView, film_view};
use roundel_load::options::camera_keys::CameraKeys;
use roundel_load::options::load_options::LoadOptions;
use roundel_load::pictures::record;
use roundel_load::read::{CountedFrames, count_frames, describe_from};

/// Files in memory, by name: data, or a scene and the files that it names. Nothing else is read.
///
/// A name is a path such as `points/places.csv`; a scene finds its files relative to its own name. Clones share the
/// bytes.
///
/// ```
/// use roundel::io::{LoadOptions, MemoryFiles};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let scene = "
///     canvas = { width = 64, height = 48 }
///     [[points]]
///     file = \"places.csv\"
///     radius = 8
///     color = \"#000000\"
/// ";
/// let files = MemoryFiles::new().with("map.toml", scene).with("places.csv", "x,y\n32,24\n");
/// let loaded = files.load("map.toml", &LoadOptions::default())?;
///
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// loaded.draw(&mut Renderer::new(&RenderSettings::default())?, &mut frame)?;
/// assert_eq!(frame.pixel(32, 24), Some(Srgba8::BLACK));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(FileMap);

impl MemoryFiles {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same files and one more, which takes the place of one with the same name.
    #[must_use]
    pub fn with(mut self, name: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.insert(name.as_ref(), bytes.into());
        self
    }

    /// The names of the files, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.0.names()
    }

    /// The name of a file without detours, as [`MemoryFiles::names`] has it.
    #[must_use]
    pub fn name_of(&self, path: impl AsRef<Path>) -> Option<&Path> {
        self.0.get(path.as_ref()).map(|(name, _)| name)
    }

    /// The content of a file.
    #[must_use]
    pub fn get(&self, name: impl AsRef<Path>) -> Option<&[u8]> {
        self.0.get(name.as_ref()).map(|(_, bytes)| bytes)
    }

    /// The same files for builds without the feature `all-formats`: zstd and bzip2 are replaced by gzip.
    #[must_use]
    pub fn for_basic_builds(mut self) -> Self {
        self.0.compress_for_basic_builds();
        self
    }

    /// Reads a scene or data as [`load`](super::load) reads a file.
    ///
    /// # Errors
    /// As [`load`](super::load); when there is no file of this name, or the scene names one that there is not.
    pub fn load(&self, name: impl AsRef<Path>, options: &LoadOptions) -> Result<LoadedScene<'static>> {
        load_from(&FileSystem::Memory(self.0.clone()), name.as_ref(), options)
    }

    /// Reads a scene or data as [`load`](super::load) does, and returns all files that it read, in memory, by their paths.
    ///
    /// # Errors
    /// As [`load`](super::load); when the files take more memory than the budget has.
    ///
    /// ```
    /// use roundel::io::{LoadOptions, MemoryFiles};
    ///
    /// let (files, _) = MemoryFiles::copy_of("golden/raster/points-map.toml", &LoadOptions::default())?;
    /// let names: Vec<_> = files.names().collect();
    /// assert_eq!(names, ["golden/raster/places.csv", "golden/raster/points-map.toml"].map(std::path::Path::new));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn copy_of(path: impl AsRef<Path>, options: &LoadOptions) -> Result<(Self, LoadedScene<'static>)> {
        let files = Arc::default();
        let loaded = load_from(&FileSystem::Copied(Arc::clone(&files)), path.as_ref(), options)?;
        let files = files.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok((Self(files), loaded))
    }

    /// Describes a scene or data as [`describe`](super::describe) does with a file.
    ///
    /// # Errors
    /// As [`MemoryFiles::load`].
    pub fn describe(&self, name: impl AsRef<Path>, options: &LoadOptions) -> Result<Description> {
        describe_from(&FileSystem::Memory(self.0.clone()), name.as_ref(), options)
    }

    /// Finds the frames of a trajectory, or of the longest one of a scene, and the camera, size, radius and range of
    /// colours that all of them share, as [`film`](crate::film) does. `None` for a file with one frame.
    ///
    /// # Errors
    /// As [`MemoryFiles::load`], for any frame.
    ///
    /// ```
    /// use roundel::io::{LoadOptions, MemoryFiles};
    ///
    /// let run = "1\n\nAr 0 0 0\n1\n\nAr 9 0 0\n";
    /// let files = MemoryFiles::new().with("run.xyz", run);
    /// let frames = files.frames("run.xyz", &LoadOptions::default())?.expect("a trajectory");
    /// assert_eq!(frames.len(), 2);
    /// let last = files.load("run.xyz", &frames.options(1))?;
    /// assert_eq!(last.scene.size(), files.load("run.xyz", &frames.options(0))?.scene.size());
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn frames(&self, name: impl AsRef<Path>, options: &LoadOptions) -> Result<Option<FrameSeries>> {
        let (files, path) = (FileSystem::Memory(self.0.clone()), name.as_ref());
        let CountedFrames { frames: count, notes: counted } = count_frames(&files, path, options)?;
        if count < 2 {
            return Ok(None);
        }
        let first = record::frame_index(&files, path, options)?;
        let numbers = (0..count).map(|number| (number, i64::try_from(number).ok()));
        let frames = numbers.map(|(number, frame)| DataFrame { path: path.to_owned(), frame, number, part: 0 });
        let frames: Vec<DataFrame> = frames.collect();
        let options = LoadOptions { frame: None, ..options.clone() };
        let frames = FilmFrames { files: &files, frames: &frames };
        let film = film_view(frames, &options, None, &CameraKeys::default(), &mut |_| Ok(()))?;
        let FilmView { options, mut notes, .. } = film;
        notes.extend(counted);
        Ok(Some(FrameSeries { count, first, options, notes }))
    }

    /// Reads the row of a shape as [`read_record`](super::read_record) does.
    ///
    /// # Errors
    /// As [`MemoryFiles::load`].
    pub fn read_record(
        &self,
        name: impl AsRef<Path>,
        options: &LoadOptions,
        index: u64,
    ) -> Result<Vec<(String, String)>> {
        record::read_from(&FileSystem::Memory(self.0.clone()), name.as_ref(), options, index)
    }
}

/// The frames of a trajectory in memory, and what their pictures share; see [`MemoryFiles::frames`].
#[derive(Clone, Debug)]
pub struct FrameSeries {
    count: u64,
    first: u64,
    options: LoadOptions,
    notes: Vec<String>,
}

impl FrameSeries {
    /// The size in bytes above which pages show one frame of a trajectory: each of their workers reads all of it.
    #[doc(hidden)]
    pub const LARGEST_OF_PAGES: usize = 50_000_000;

    /// The number of frames, two or more.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// The frame that the options ask for, 0 if they ask for none.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The options with which [`MemoryFiles::load`] makes the picture of a frame.
    #[must_use]
    pub fn options(&self, frame: u64) -> LoadOptions {
        LoadOptions { frame: i64::try_from(frame).ok(), ..self.options.clone() }
    }

    /// Notes about the data, one sentence each.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}
