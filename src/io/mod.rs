//! Files to scenes, one file per format; the only place where the library opens files.
//!
//! A scene file becomes the scene it describes. Bare data, a table or atoms, becomes a scene with defaults made to be
//! looked at. Whatever is wrong with a file is said in one message with its line.

mod output;
mod png;

pub use png::{read_png, write_png};

#[cfg(feature = "scene-files")]
mod atoms;
#[cfg(feature = "scene-files")]
mod bare;
#[cfg(feature = "scene-files")]
mod describe;
#[cfg(feature = "scene-files")]
mod lines;
#[cfg(feature = "scene-files")]
mod nearest;
#[cfg(feature = "scene-files")]
mod orientation;
#[cfg(feature = "scene-files")]
mod overrides;
#[cfg(feature = "scene-files")]
mod pdb;
#[cfg(feature = "scene-files")]
mod picture;
#[cfg(feature = "scene-files")]
mod points;
#[cfg(feature = "scene-files")]
mod source;
#[cfg(feature = "scene-files")]
mod table;
#[cfg(feature = "scene-files")]
mod xyz;

#[cfg(feature = "scene-files")]
use std::path::Path;

#[cfg(feature = "scene-files")]
pub use describe::{Bounds, Description, Source};
#[cfg(feature = "scene-files")]
pub use overrides::Overrides;
#[cfg(feature = "scene-files")]
pub use source::Format;

#[cfg(feature = "scene-files")]
use crate::error::{Error, Result};
#[cfg(feature = "scene-files")]
use crate::scene::Scene;
#[cfg(feature = "scene-files")]
use source::Input;

/// Reads a scene file, or bare data with defaults made to be looked at.
///
/// The format goes by the file's ending (`.toml`, `.json`, `.csv`, `.tsv`, `.xyz`, `.pdb`), and by its content where that
/// says nothing. `-` is standard input.
///
/// # Errors
/// When the file cannot be read, is not what it should be, or an override means nothing for what it holds. The
/// message names file, line or key, what was found and what is accepted.
#[cfg(feature = "scene-files")]
pub fn read_scene(path: &Path, overrides: &Overrides) -> Result<Scene<'static>> {
    read(path, overrides, Depth::Draw).map(|(_, scene, _)| scene)
}

/// Reads a file as [`read_scene`] does, and says what is in it and what would be drawn.
///
/// # Errors
/// As [`read_scene`].
#[cfg(feature = "scene-files")]
pub fn describe(path: &Path, overrides: &Overrides) -> Result<Description> {
    let (format, scene, sources) = read(path, overrides, Depth::Describe)?;
    Ok(Description::new(path, format, sources, &scene))
}

/// Whether files are read as far as needed to draw, or to the end to count what they have.
#[cfg(feature = "scene-files")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Draw,
    Describe,
}

#[cfg(feature = "scene-files")]
fn read(path: &Path, overrides: &Overrides, depth: Depth) -> Result<(Format, Scene<'static>, Vec<Source>)> {
    let input = Input::open(path)?;
    let format = input.format()?;
    let (scene, sources) = match format {
        Format::Csv => bare::table(input, overrides)?,
        Format::Xyz | Format::Pdb => bare::atoms(input, overrides, depth)?,
        Format::Toml | Format::Json => {
            return Err(Error::input(&input.name, None, "this format is not read yet"));
        }
    };
    Ok((format, scene, sources))
}
