//! Several files in one picture, and all models of a file.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::arrow_scale::ArrowScale;
use super::bare_data::{self, Drawing, Said, SphereKind, unit};
use super::camera::Stance;
use super::data_file::{Built, Depth};
use super::describe::DataSource;
use super::figure::{FigureFacts, FigureOptions, FileKey, LegendChoice};
use super::legend_source::LegendSource;
use super::molecule_style::MoleculeStyle;
use super::option_requests;
use super::options::LoadOptions;
use super::picture_settings;
use super::scene_table;
use super::window;
use crate::color::maps::ColorMap;
use crate::color::{Category, ColorKey, ColorRange};
use crate::error::{Error, Result};
use crate::figure::{CellEdges, Label, LegendPart};
use crate::io::formats::{Format, FormatKind, format_wanted};
use crate::io::memory_quota::Quota;
use crate::io::source::input::Input;
use crate::io::source::memory_files::{FileSystem, MemoryFiles};
use crate::scene::Scene;
use crate::scene::spheres::{PaintedSphere, Pose, Shapes, SphereGroup, UpAxis};

/// The most parts of a picture.
const MOST_PARTS: usize = 1024;

/// Entries of a legend that is drawn without being asked for, at most.
const FEW: usize = 24;

/// The frames of each file that are drawn.
///
/// ```
/// use roundel::io::FrameChoice;
///
/// assert_eq!("0..10:4".parse(), Ok(FrameChoice::List(vec![0, 4, 8])));
/// assert_eq!("0,5,-1".parse(), Ok(FrameChoice::List(vec![0, 5, -1])));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameChoice {
    /// The one that the options name, or the first.
    One,
    /// All, together.
    All,
    /// These, from 0; -1 is the last one.
    List(Vec<i64>),
}

impl std::str::FromStr for FrameChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rule =
            || format!("must be all, numbers such as 0,5,-1, or a range such as 0..50:10, of {MOST_PARTS} at most");
        if text == "all" {
            return Ok(Self::All);
        }
        let Some((first, rest)) = text.split_once("..") else {
            let list: Option<Vec<i64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
            return list.filter(|list| list.len() <= MOST_PARTS).map(Self::List).ok_or_else(rule);
        };
        let (end, step) = rest.split_once(':').unwrap_or((rest, "1"));
        let range = (first.parse::<i64>(), end.parse::<i64>(), step.parse::<usize>());
        let (Ok(first), Ok(end), Ok(step)) = range else { return Err(rule()) };
        let most = step.checked_mul(MOST_PARTS).and_then(|most| i64::try_from(most).ok());
        if first < 0 || end <= first || step == 0 || most.is_none_or(|most| end - first > most) {
            return Err(rule());
        }
        Ok(Self::List((first..end).step_by(step).collect()))
    }
}

/// A part of a picture that may be a panel.
pub(in crate::io) struct PanelPart {
    pub(in crate::io) name: String,
    /// The indices of its sphere groups in the scene.
    pub(in crate::io) groups: Range<usize>,
    pub(in crate::io) cell: Option<CellEdges>,
    pub(in crate::io) labels: Vec<Label>,
}

/// How parts are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrangement {
    /// By colours, in one picture.
    Together,
    /// Side by side.
    Panels,
}

/// A file, or a model of one, and its name in the legend.
struct PictureFile {
    path: PathBuf,
    frame: Option<i64>,
    name: String,
}

/// Reads files into one scene of spheres. Each part has a colour of its own, unless the options say a colour; a ramp has one range in
/// all parts.
pub(in crate::io) fn read(
    paths: &[PathBuf],
    frames: &FrameChoice,
    options: &LoadOptions,
    depth: Depth,
) -> Result<(Format, Drawing)> {
    let (format, drawing, _) =
        arranged((&PartFiles::default(), paths), frames, options, (depth, Arrangement::Together))?;
    Ok((format, drawing))
}

/// Reads files into one scene of spheres, and returns the part of each file. Files keep their own colours; a ramp has one range in all
/// parts.
pub(in crate::io) fn read_panels(
    paths: &[PathBuf],
    frames: &FrameChoice,
    options: &LoadOptions,
) -> Result<(Format, Drawing, Vec<PanelPart>)> {
    arranged((&PartFiles::default(), paths), frames, options, (Depth::Draw, Arrangement::Panels))
}

/// The files of a picture. Several parts may come from one file: pipes and standard input are read once, and kept in memory.
#[derive(Default)]
struct PartFiles {
    once: Arc<Mutex<MemoryFiles>>,
}

impl PartFiles {
    fn open(&self, path: &Path, quota: Quota) -> Result<Input> {
        let files = match FileSystem::Disk.reads_once(path) {
            true => FileSystem::Copied(Arc::clone(&self.once)),
            false => FileSystem::Disk,
        };
        files.open(path, quota)
    }
}

/// Refuses options that several files cannot share.
pub(in crate::io) fn refuse_options(options: &LoadOptions) -> Result<()> {
    let message = || "is for one file; a scene file has several, each with its own".to_owned();
    picture_settings::refuse_given(["assembly", "replicate"], options, message)?;
    let message = || "is for circles; several files are drawn as spheres".to_owned();
    picture_settings::refuse_given(["view_box"], options, message)
}

fn arranged(
    (files, paths): (&PartFiles, &[PathBuf]),
    frames: &FrameChoice,
    options: &LoadOptions,
    (depth, arrangement): (Depth, Arrangement),
) -> Result<(Format, Drawing, Vec<PanelPart>)> {
    let has_panels = arrangement == Arrangement::Panels;
    let mut quota = Quota::new(options.budget);
    let parts = parts((files, paths), frames, options, quota)?;
    refuse_options(options)?;
    let is_colored = options.color_by.is_some() || options.color.is_some() || has_panels;
    let (mut panels, mut range): (Vec<PanelPart>, Option<[f64; 2]>) = (Vec::new(), None);
    let mut suited: Option<String> = None;
    let mut arrows = ArrowScale::of(options);
    let palette = if parts.len() <= 7 { ColorMap::OKABE_ITO } else { ColorMap::DISTINCT };
    let (mut groups, mut items) = (Vec::new(), Vec::new());
    let mut shapes = Shapes::default();
    let (mut sources, mut notes, mut tables) = (Vec::new(), Vec::new(), Vec::new());
    let mut stance: Option<Stance> = None;
    let (mut kind, mut cell, mut fills_cell, mut first_format) = (SphereKind::Particles, None, false, None);
    let (mut lengths, mut other_boxes) = ("", 0);
    let legend = (!is_colored && parts.len() <= FEW).then_some(LegendChoice::On);
    let has_legend = options.figure.over(&FigureOptions { legend, ..FigureOptions::default() }).has_legend();
    let (mut legends, mut labels, mut window) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_ensemble = *frames != FrameChoice::One && !has_panels && parts.len() > 1 && says_no_shape(options);
    for (index, PictureFile { path, frame, name }) in parts.iter().enumerate() {
        let input = files.open(path, quota)?;
        let format = format_wanted(&input, options.format, options.raw.as_ref())?;
        option_requests::refuse_options(&input.name, format, options)?;
        let file = input.name.clone();
        let color = palette.category(index);
        let own = (!is_colored).then(|| color.to_string());
        let mut part_options =
            LoadOptions { frame: *frame, color_by: own.or_else(|| options.color_by.clone()), ..options.clone() };
        part_options.radius = part_options.radius.or_else(|| suited.clone());
        let alpha = match &part_options.opacity[..] {
            [.., (None, opacity)] => picture_settings::alpha(*opacity)?,
            _ => u8::MAX,
        };
        let mut data = if is_ensemble {
            let as_sticks = sticks(&part_options);
            let data = bare_data::table(input, format, &as_sticks, depth)?;
            is_ensemble = data.source.bonds > 0;
            if is_ensemble {
                part_options = as_sticks;
                data
            } else {
                bare_data::table(files.open(path, quota)?, format, &part_options, depth)?
            }
        } else {
            bare_data::table(input, format, &part_options, depth)?
        };
        if !data.plan.is_solid() {
            let message = "is drawn as circles; several tables are drawn by a scene with [[points]]";
            return Err(Error::input(&file, None, message));
        }
        if depth == Depth::Describe {
            tables.push(Value::from(scene_table::spheres(&data, &part_options)));
        }
        let source = data.source.clone();
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
                Stance { focus: known.focus.or(of_part.focus), along: known.along.or(of_part.along), ..side }
            }
        });
        fills_cell |= data.fills_cell;
        if let (true, (Some(ColorKey::Numbers { least, most, shown, .. }), _)) = (is_colored, data.meanings(None)) {
            let [least, most] = shown.unwrap_or([least, most]);
            let [low, high] = range.unwrap_or([least, most]);
            range = Some([low.min(least), high.max(most)]);
        }
        if has_panels || *frames != FrameChoice::One {
            // radii that suit the first part suit all
            suited = suited.or_else(|| data.suited_radius().map(|radius| radius.to_string()));
        }
        let own_cell = data.facts.cell.filter(|_| options.figure.cell.unwrap_or(data.fills_cell));
        if let (Some(known), Some(own), false) = (cell, own_cell, has_panels) {
            other_boxes += usize::from(known != own);
        }
        // that of a macromolecule's crystal is no box of the others
        cell = cell.or(own_cell);
        first_format.get_or_insert(format);
        lengths = unit(format);
        let Built { groups: built, shapes: attached, colors, rings } =
            data.make_groups(None, option_requests::images(&part_options), &quota, || file.clone())?;
        sources.push(DataSource { rings, ..source });
        shapes.append(attached, groups.len());
        if let Some(arrows) = &mut arrows {
            arrows.add(data.arrow_legend());
        }
        let count = built.iter().map(|group| group.spheres.len() as u64).sum();
        hold(&mut quota, &built);
        let own_labels = data.figure_labels(&built, None);
        if has_panels {
            let cell = own_cell.map(|cell| CellEdges {
                origin: cell.origin,
                edges: [cell.edges.x_axis, cell.edges.y_axis, cell.edges.z_axis],
            });
            let of_part = groups.len()..groups.len() + built.len();
            panels.push(PanelPart { name: name.clone(), groups: of_part, cell, labels: own_labels.clone() });
        }
        labels.extend(own_labels);
        window.extend(data.focus_rows(groups.len()));
        // highlighted rows have entries of their own
        let highlighted = data.highlighted_rows();
        if has_legend {
            legends.push(LegendSource::new(data, groups.len(), None, colors));
        }
        groups.extend(built);
        if highlighted == 0 || highlighted < count {
            items.push(Category::new(name.clone(), color.with_alpha(alpha), count.saturating_sub(highlighted)));
        }
    }
    let mut shared = options.clone();
    let is_open = !matches!(options.color_range, Some(ColorRange::Numbers(_)));
    if let Some(ends) = range.filter(|_| is_open) {
        shared.color_range = Some(ColorRange::Numbers(ends));
    }
    if let Some(arrows) = &arrows {
        arrows.fix(&mut shared);
    }
    let has_scale = options.vector_scale.is_some() || shared.vector_scale.is_none();
    let is_stated = has_scale && shared.vector_color == options.vector_color && !(range.is_some() && is_open);
    if parts.len() > 1 && !is_stated {
        return arranged((files, paths), frames, &shared, (depth, arrangement));
    }
    if options.radius_range.is_some() && parts.len() > 1 {
        notes.push(
            "--radius-range spreads the numbers of each part by themselves: radii of parts do not compare".to_owned(),
        );
    }
    if other_boxes > 0 {
        let differ =
            if other_boxes == 1 { "1 other differs".to_owned() } else { format!("{other_boxes} others differ") };
        notes.push(format!("the edges are those of the first periodic box; {differ} from it"));
    }
    let mut keys = Vec::new();
    if !is_colored {
        let name = if *frames != FrameChoice::One { "model" } else { "file" }.to_owned();
        let file = String::new();
        keys.push(FileKey { file, key: LegendPart::Colors(ColorKey::Categories { name, items }) });
    }
    let wanted = FigureOptions { cell: Some(fills_cell), legend, ..FigureOptions::default() };
    let wanted = options.figure.over(&wanted);
    let file = paths.first().map(|path| path.display().to_string()).unwrap_or_default();
    let facts = FigureFacts { keys: Vec::new(), cell, times: None, is_solid: true, unit: lengths, pixels: 1.0 };
    let figure = wanted.without_legend().figure(&file, &facts)?;
    let stance = stance.expect("there is at least one part");
    let mut scene = bare_data::spheres(&file, (groups, shapes), kind, stance, &figure, options)?;
    let left_out = window::open(&mut scene, &window);
    notes.extend(window::note(&file, left_out));
    keys.extend(legends.iter().flat_map(|legend| legend.keys(&scene)));
    let mut figure = wanted.figure(&file, &FigureFacts { keys, ..facts })?;
    figure.labels = labels;
    let scene = Scene::Spheres(scene);
    let said = (depth == Depth::Describe).then(|| Said {
        tables: vec![("spheres".to_owned(), tables.into())],
        figure: wanted,
        ..Said::default()
    });
    let format = first_format.unwrap_or(Format::Pdb);
    Ok((format, Drawing { scene, sources, notes, figure, said, data: None }, panels))
}

/// Radius of the sticks of an ensemble, in ångström: thin, as many lie over each other.
const ENSEMBLE_STICK: f32 = 0.12;

/// Whether nothing is said about the shapes of atoms.
fn says_no_shape(options: &LoadOptions) -> bool {
    let LoadOptions { style, radius, r, radius_of, ellipsoids, bonds, .. } = options;
    let has_no_radii = radius.is_none() && r.is_none() && radius_of.is_empty();
    style.is_empty() && has_no_radii && ellipsoids.is_none() && bonds.is_none()
}

/// The options with sticks for all atoms.
fn sticks(options: &LoadOptions) -> LoadOptions {
    let bond_radius = options.bond_radius.or(Some(ENSEMBLE_STICK));
    LoadOptions { style: vec![(None, MoleculeStyle::Sticks)], bond_radius, ..options.clone() }
}

/// The files, or all their models.
fn parts(
    (files, paths): (&PartFiles, &[PathBuf]),
    frames: &FrameChoice,
    options: &LoadOptions,
    quota: Quota,
) -> Result<Vec<PictureFile>> {
    let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let mut parts = Vec::new();
    for path in paths {
        let input = files.open(path, quota)?;
        let format = format_wanted(&input, options.format, options.raw.as_ref())?;
        if format.kind() == FormatKind::Scene {
            let message = "is a scene, which is drawn alone: a scene draws several files, each in a table [[spheres]]";
            return Err(Error::input(&input.name, None, message));
        }
        if *frames == FrameChoice::One {
            parts.push(PictureFile { path: path.clone(), frame: options.frame, name: name(path) });
            continue;
        }
        if format.kind() == FormatKind::Table {
            return Err(Error::setting("frames", format!("is for molecules; {} is a table", input.name)));
        }
        if let FrameChoice::List(list) = frames {
            let part = |frame: &i64| {
                let own = format!("frame {frame}");
                let own = if paths.len() > 1 { format!("{}, {own}", name(path)) } else { own };
                PictureFile { path: path.clone(), frame: Some(*frame), name: own }
            };
            parts.extend(list.iter().map(part));
            if parts.len() > MOST_PARTS {
                let message = format!("draws at most {MOST_PARTS} in one picture, got {}", parts.len());
                return Err(Error::setting("frames", message));
            }
            continue;
        }
        let plain = LoadOptions {
            frame: None,
            only: None,
            hide: None,
            highlight: Vec::new(),
            opacity: Vec::new(),
            focus: None,
            radius_of: Vec::new(),
            figure: FigureOptions { label: Vec::new(), ..options.figure.clone() },
            ..options.clone()
        };
        let count = bare_data::table(input, format, &plain, Depth::Describe)?.facts.frames;
        for frame in 0..i64::try_from(count).unwrap_or(i64::MAX) {
            let number =
                if paths.len() > 1 { format!("{} {}", name(path), frame + 1) } else { (frame + 1).to_string() };
            parts.push(PictureFile { path: path.clone(), frame: Some(frame), name: number });
            if parts.len() > MOST_PARTS {
                let message = format!("draws at most {MOST_PARTS} in one picture; {} has {count}", path.display());
                return Err(Error::setting("frames", message));
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
