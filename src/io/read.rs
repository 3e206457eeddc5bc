//! Files to scenes: scene files state everything, bare data gets a default picture.

use std::path::{Path, PathBuf};

use roundel_load::dataset::data_file::Depth;
use roundel_load::dataset::describe::Description;
use roundel_load::options::load_options::LoadOptions;
use roundel_load::pictures::several::FrameChoice;
use roundel_load::read;

use super::loaded_scene::LoadedScene;
use crate::error::Result;
use crate::scene::Scene;
use crate::source::memory_files::FileSystem;

/// Reads a scene file, or bare data with the defaults of its kind.
///
/// The format of data is known by a signature, then by the file's extension, then by a guess from the content. It may
/// be compressed with gzip, zstd or bzip2. `-` is standard input.
///
/// # Errors
/// When the file cannot be read or is invalid, or an option does not apply to it. The message names file, line or key,
/// the value found and the values accepted.
///
/// ```
/// use roundel::io::{LoadOptions, load};
///
/// # let folder = std::env::temp_dir().join(format!("roundel-load-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("places.csv");
/// std::fs::write(&path, "x,y\n1,2\n3,\n5,6\n").unwrap();
/// let loaded = load(&path, &LoadOptions::default())?;
/// assert!(loaded.notes[0].ends_with("places.csv: 1 row has no coordinates and is left out"));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<LoadedScene<'static>> {
    load_from(&FileSystem::Disk, path.as_ref(), options)
}

pub(super) fn load_from(files: &FileSystem, path: &Path, options: &LoadOptions) -> Result<LoadedScene<'static>> {
    read::read(files, path, options, Depth::Draw).map(|(_, drawing)| drawing.into())
}

/// Reads several files of atoms or particles into one picture, each in a colour of its own unless the options say the
/// colours, or all frames of files.
///
/// # Errors
/// As [`load`]; when a file is a scene or a map.
///
/// ```
/// use roundel::io::{FrameChoice, LoadOptions, load_several};
///
/// let files = ["docs/scenes/caffeine.xyz".into(), "docs/scenes/salt.dump".into()];
/// let loaded = load_several(&files, &FrameChoice::One, &LoadOptions::default())?;
/// assert!(loaded.notes.is_empty());
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn load_several(paths: &[PathBuf], frames: &FrameChoice, options: &LoadOptions) -> Result<LoadedScene<'static>> {
    read::read_several(paths, frames, options).map(Into::into)
}

/// Reads a scene file or bare data as [`load`] does, without the notes.
///
/// # Errors
/// As [`load`].
pub fn read_scene(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Scene<'static>> {
    load(path, options).map(|loaded| loaded.scene)
}

/// Reads a file as [`load`] does; describes its content and the picture.
///
/// # Errors
/// As [`load`].
///
/// ```
/// use roundel::io::{LoadOptions, describe};
///
/// let found = describe("docs/scenes/caffeine.xyz", &LoadOptions::default())?;
/// let text = found.scene.expect("a file").to_string();
/// assert!(text.contains("\"look\": \"illustrative\""));
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn describe(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Description> {
    read::describe_from(&FileSystem::Disk, path.as_ref(), options)
}

/// The JSON Schema (draft 7) of scene files, for editors that complete and check them.
///
/// docs/scene.md has the same as text.
///
/// ```
/// assert!(roundel::io::scene_schema().contains("\"roundel scene\""));
/// ```
#[must_use]
pub fn scene_schema() -> &'static str {
    include_str!("../../docs/scene.schema.json")
}
