//! Files to scenes, one file per format.
//!
//! A scene file becomes the scene it describes. Bare data, a table or atoms, becomes a scene with defaults made to be
//! looked at. Whatever is wrong with a file is said in one message with its line.

mod atoms;
mod bare;
mod bulk;
mod describe;
mod ledger;
mod lines;
mod nearest;
mod orientation;
mod overrides;
mod pdb;
mod picture;
mod points;
mod record;
mod scene_file;
mod source;
mod table;
mod xyz;

use std::path::Path;

pub use describe::{Bounds, Description, Source};
pub use overrides::Overrides;
pub use record::read_record;
pub use source::Format;

use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::scene::Scene;
use crate::scene::circles::ViewBox;
use ledger::Ledger;
use source::Input;

/// Reads a scene file, or bare data with defaults made to be looked at.
///
/// The format goes by the file's ending (`.toml`, `.json`, `.csv`, `.tsv`, `.xyz`, `.pdb`), and by its content where that
/// says nothing. `-` is standard input.
///
/// # Errors
/// When the file cannot be read, is not what it should be, or an override means nothing for what it holds. The
/// message names file, line or key, what was found and what is accepted.
pub fn read_scene(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Scene<'static>> {
    let path = path.as_ref();
    read(path, overrides, Depth::Draw).map(|(_, scene, _)| scene)
}

/// Reads a file as [`read_scene`] does, and says what is in it and what would be drawn.
///
/// # Errors
/// As [`read_scene`].
pub fn describe(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Description> {
    let path = path.as_ref();
    let (format, scene, sources) = read(path, overrides, Depth::Describe)?;
    Ok(Description::new(path, format, sources, &scene))
}

/// How far a picture may be from its golden, by its scene's `[tolerance]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tolerance {
    /// Largest difference of a channel.
    pub(crate) difference: u32,
    /// Most pixels that may differ.
    pub(crate) pixels: u64,
}

/// Reads what a scene file says of golden comparisons, if anything.
pub(crate) fn read_tolerance(path: &Path) -> Result<Option<Tolerance>> {
    let input = Input::open(path, Ledger::new(Budget::default()))?;
    match input.format()? {
        format @ (Format::Toml | Format::Json) => scene_file::tolerance(input, format),
        Format::Csv | Format::Xyz | Format::Pdb => Ok(None),
    }
}

/// Whether files are read as far as needed to draw, or to the end to count what they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Draw,
    Describe,
}

fn read(path: &Path, overrides: &Overrides, depth: Depth) -> Result<(Format, Scene<'static>, Vec<Source>)> {
    if let Some(view_box) = &overrides.view_box {
        return in_view_box(path, overrides, view_box, depth);
    }
    let input = Input::open(path, Ledger::new(overrides.budget))?;
    let format = input.format()?;
    if !matches!(format, Format::Toml | Format::Json) {
        // told before a long read; a scene file is short, and says its size itself
        picture::size(overrides, picture::SIZE)?;
    }
    let (scene, sources) = match format {
        Format::Csv => bare::table(input, overrides)?,
        Format::Xyz | Format::Pdb => bare::atoms(input, overrides, depth)?,
        Format::Toml | Format::Json => scene_file::read(input, format, overrides, depth)?,
    };
    Ok((format, scene, sources))
}

/// A part of a picture of circles. The picture is laid out in its own size, whatever that of the part is.
fn in_view_box(
    path: &Path,
    overrides: &Overrides,
    view_box: &ViewBox,
    depth: Depth,
) -> Result<(Format, Scene<'static>, Vec<Source>)> {
    let refuse = |message: String| Err(Error::Setting { name: "view-box", message });
    if !(view_box.center.iter().all(|place| place.is_finite()) && view_box.height > 0.0 && view_box.height.is_finite())
    {
        return refuse(format!("must be two finite numbers and a positive height, got {view_box:?}"));
    }
    // the whole is laid out, not drawn
    let budget = Budget { pixels: u64::MAX, ..overrides.budget };
    let whole = Overrides { view_box: None, width: None, height: None, budget, ..overrides.clone() };
    let (format, scene, sources) = read(path, &whole, depth)?;
    match scene {
        Scene::Circles(scene) => {
            let size = picture::size(overrides, (scene.canvas.width, scene.canvas.height))?;
            Ok((format, Scene::Circles(scene.in_view_box(view_box, size)), sources))
        }
        Scene::Spheres(_) => refuse(format!("is for circles; {} is drawn as spheres", path.display())),
    }
}
