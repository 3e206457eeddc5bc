//! Several files in one picture, and all models of a file.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::bare_data::{self, Drawing, Said, SphereKind, unit};
use super::camera::Stance;
use super::data_file::{Built, Depth};
use super::figure::{FigureFacts, FigureOptions, FileKey, LegendChoice};
use super::legend_source::LegendSource;
use super::options::LoadOptions;
use super::picture_settings;
use super::scene_table;
use crate::color::maps::ColorMap;
use crate::color::{Category, ColorKey};
use crate::error::{Error, Result};
use crate::io::formats::{Format, FormatKind, format_wanted};
use crate::io::memory_quota::Quota;
use crate::io::source::input::Input;
use crate::scene::Scene;
use crate::scene::spheres::{PaintedSphere, Pose, Shapes, SphereGroup, UpAxis};

/// The most parts of a picture.
const MOST_PARTS: usize = 1024;

/// Entries of a legend that is drawn without being asked for, at most.
const FEW: usize = 24;

/// The frames of each file that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameChoice {
    /// The one that the options name, or the first.
    One,
    /// All, together.
    All,
}

/// A file, or a model of one, and its name in the legend.
struct PictureFile {
    path: PathBuf,
    frame: Option<i64>,
    name: String,
}

/// Reads files into one scene of spheres. Each part has a colour of its own, unless the options say a colour.
pub(in crate::io) fn read(
    paths: &[PathBuf],
    frames: FrameChoice,
    overrides: &LoadOptions,
    depth: Depth,
) -> Result<(Format, Drawing)> {
    let mut quota = Quota::new(overrides.budget);
    let parts = parts(paths, frames, overrides, quota)?;
    let refused = [("assembly", overrides.assembly.is_some()), ("replicate", overrides.replicate.is_some())];
    picture_settings::refuse(&refused, || "is for one file; a scene file has several, each with its own".to_owned())?;
    let is_colored = overrides.color_by.is_some() || overrides.color.is_some();
    let palette = if parts.len() <= 7 { ColorMap::OKABE_ITO } else { ColorMap::DISTINCT };
    let (mut groups, mut items) = (Vec::new(), Vec::new());
    let mut shapes = Shapes::default();
    let (mut sources, mut notes, mut tables) = (Vec::new(), Vec::new(), Vec::new());
    let mut stance: Option<Stance> = None;
    let (mut kind, mut cell, mut fills_cell, mut first_format) = (SphereKind::Particles, None, false, None);
    let mut lengths = "";
    let legend = (!is_colored && parts.len() <= FEW).then_some(LegendChoice::On);
    let has_legend = overrides.figure.over(&FigureOptions { legend, ..FigureOptions::default() }).has_legend();
    let mut legends = Vec::new();
    for (index, PictureFile { path, frame, name }) in parts.iter().enumerate() {
        let input = Input::open(path, quota)?;
        let format = format_wanted(&input, overrides.format, overrides.raw.as_ref())?;
        bare_data::refuse_overrides(&input.name, format, overrides)?;
        let file = input.name.clone();
        let color = palette.category(index);
        let own = (!is_colored).then(|| color.to_string());
        let options =
            LoadOptions { frame: *frame, color_by: own.or_else(|| overrides.color_by.clone()), ..overrides.clone() };
        let mut data = bare_data::table(input, format, &options, depth)?;
        if !data.plan.is_solid() {
            let message = "is drawn as circles; several tables are drawn by a scene with [[points]]";
            return Err(Error::input(&file, None, message));
        }
        if depth == Depth::Describe {
            tables.push(Value::from(scene_table::spheres(&data, &options)));
        }
        sources.push(data.source.clone());
        for note in &data.notes {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        if data.plan.is_molecule() {
            kind = SphereKind::Atoms;
        }
        let of_part = data.stance();
        // molecules decide which way is up; the first part that has a focus, where to look
        stance = Some(match stance {
            None => of_part,
            Some(known) => {
                let side = if known.up == UpAxis::Y { known } else { of_part };
                Stance { focus: known.focus.or(of_part.focus), ..side }
            }
        });
        fills_cell |= data.fills_cell;
        cell = cell.or(data.facts.cell);
        first_format.get_or_insert(format);
        lengths = unit(format);
        let Built { groups: built, shapes: attached, colors } =
            data.make_groups(None, bare_data::images(&options), &quota, || file.clone())?;
        shapes.append(attached, groups.len());
        let count = built.iter().map(|group| group.spheres.len() as u64).sum();
        hold(&mut quota, &built);
        if has_legend {
            legends.push(LegendSource::new(data, groups.len(), None, colors));
        }
        groups.extend(built);
        items.push(Category::new(name.clone(), color, count));
    }
    let mut keys = Vec::new();
    if !is_colored {
        let name = if frames == FrameChoice::All { "model" } else { "file" }.to_owned();
        let file = String::new();
        keys.push(FileKey { file, key: ColorKey::Categories { name, items } });
    }
    let wanted = FigureOptions { cell: Some(fills_cell), legend, ..FigureOptions::default() };
    let wanted = overrides.figure.over(&wanted);
    let file = paths.first().map(|path| path.display().to_string()).unwrap_or_default();
    let facts = FigureFacts { keys: Vec::new(), cell, is_solid: true, unit: lengths, pixels: 1.0 };
    let figure = wanted.without_legend().figure(&file, &facts)?;
    let stance = stance.expect("there is at least one part");
    let scene = bare_data::spheres(&file, (groups, shapes), kind, stance, &figure, overrides)?;
    keys.extend(legends.iter().flat_map(|legend| legend.keys(&scene)));
    let figure = wanted.figure(&file, &FigureFacts { keys, ..facts })?;
    let scene = Scene::Spheres(scene);
    let said = (depth == Depth::Describe).then(|| Said {
        tables: vec![("spheres".to_owned(), tables.into())],
        figure: wanted,
        ..Said::default()
    });
    let format = first_format.unwrap_or(Format::Pdb);
    Ok((format, Drawing { scene, sources, notes, figure, said, data: None }))
}

/// The files, or all their models.
fn parts(paths: &[PathBuf], frames: FrameChoice, overrides: &LoadOptions, quota: Quota) -> Result<Vec<PictureFile>> {
    let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let mut parts = Vec::new();
    for path in paths {
        let input = Input::open(path, quota)?;
        let format = format_wanted(&input, overrides.format, overrides.raw.as_ref())?;
        if format.kind() == FormatKind::Scene {
            let message = "is a scene, which is drawn alone: a scene draws several files, each in a table [[spheres]]";
            return Err(Error::input(&input.name, None, message));
        }
        if frames == FrameChoice::One {
            parts.push(PictureFile { path: path.clone(), frame: overrides.frame, name: name(path) });
            continue;
        }
        if format.kind() == FormatKind::Table {
            let message = format!("is for molecules; {} is a table", input.name);
            return Err(Error::Setting { name: "frames", message });
        }
        let plain = LoadOptions {
            frame: None,
            only: None,
            hide: None,
            highlight: Vec::new(),
            opacity: Vec::new(),
            focus: None,
            radius_of: Vec::new(),
            ..overrides.clone()
        };
        let count = bare_data::table(input, format, &plain, Depth::Describe)?.facts.frames;
        for frame in 0..i64::try_from(count).unwrap_or(i64::MAX) {
            let number =
                if paths.len() > 1 { format!("{} {}", name(path), frame + 1) } else { (frame + 1).to_string() };
            parts.push(PictureFile { path: path.clone(), frame: Some(frame), name: number });
            if parts.len() > MOST_PARTS {
                let message = format!("draws at most {MOST_PARTS} in one picture; {} has {count}", path.display());
                return Err(Error::Setting { name: "frames", message });
            }
        }
    }
    Ok(parts)
}

/// Notes spheres that are read.
fn hold(quota: &mut Quota, groups: &[SphereGroup<'_>]) {
    for group in groups {
        let (spheres, poses) = (group.spheres.len() as u64, group.poses.len() as u64);
        let memory = spheres * size_of::<PaintedSphere>() as u64 + poses * size_of::<Pose>() as u64;
        quota.hold(spheres.saturating_mul(poses), memory);
    }
}
