//! Several files in one picture, and all models of a file.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::color::maps::ColorMap;
use crate::color::{Category, ColorKey, ColorRange, Srgba8};
use crate::data::Cell;
use crate::dataset::contacts::ContactLines;
use crate::dataset::data_file::{DataFile, Depth};
use crate::dataset::describe::DataSource;
use crate::dataset::option_requests;
use crate::dataset::window;
use crate::dataset::window::{FocusRows, LeftOut};
use crate::error::{Error, Result};
use crate::figure::{CellEdges, Label, LegendPart};
use crate::formats::facts::FrameTimes;
use crate::formats::{Format, FormatKind, format_wanted};
use crate::geom::Origin;
use crate::memory_quota::Quota;
use crate::options::camera::Stance;
use crate::options::figure::{FigureFacts, FigureOptions, FileKey, LegendChoice, cell_edges};
use crate::options::frame_list::FrameList;
use crate::options::load_options::LoadOptions;
use crate::options::molecule_style::MoleculeStyle;
use crate::options::picture_settings;
use crate::options::ranges::union;
use crate::options::routes::Route;
use crate::pictures::bare_data;
use crate::pictures::bare_data::{BareShapes, Drawing, SphereKind, unit};
use crate::pictures::picture_part::PicturePart;
use crate::rows::column_plan::CategoryNames;
use crate::scales::arrow_scale::ArrowScale;
use crate::scales::category_order::CategoryOrder;
use crate::scales::legend_source::LegendSource;
use crate::scene::Scene;
use crate::scene::spheres::{PaintedSphere, Pose, Shapes, SphereGroup, SphereScene, StandardView, UpAxis};
use crate::source::input::Input;
use crate::source::memory_files::{FileMap, FileSystem};

const MOST_PARTS: usize = 1024;

/// Precedes the number of a frame in its name.
const FRAME: &str = "frame ";

/// Most entries of a legend that nobody asked for.
const FEW: usize = 24;

/// The frames of each file that are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameChoice {
    /// The one that the options name, or the first.
    One,
    /// All, together.
    All,
    /// Some of them, together.
    List(FrameList),
    /// One of each file, in the order of the files: the one of this number, or the first.
    Each(Vec<Option<i64>>),
}

impl FrameChoice {
    /// The error about a frame that is not there, if several may have been asked for.
    pub(crate) fn in_terms_of(&self, error: Error) -> Error {
        match error {
            Error::Setting { name: "frame", message } if *self != Self::One => Error::setting("frames", message),
            other => other,
        }
    }

    /// Whether each file is a part of the picture, and not each of its frames.
    fn is_one_a_file(&self) -> bool {
        matches!(self, Self::One | Self::Each(_))
    }
}

impl From<FrameList> for FrameChoice {
    fn from(list: FrameList) -> Self {
        if list.is_all() { Self::All } else { Self::List(list) }
    }
}

struct PartEntry {
    part: usize,
    entry: Category,
}

/// The contacts of a part, and the file or frame that notes on them begin with.
struct PartContacts {
    subject: String,
    lines: ContactLines,
}

/// A part of a picture that may be a panel.
pub struct PanelPart {
    pub name: String,
    pub file: String,
    pub times: FrameTimes,
    /// The indices of its sphere groups in the scene.
    pub groups: Range<usize>,
    pub cell: Option<CellEdges>,
    /// Its labels, for each side.
    pub labels: Vec<Vec<Label>>,
}

/// A file, or a model of one, and its name in the legend.
struct PictureFile {
    path: PathBuf,
    frame: Option<i64>,
    name: String,
}

/// A picture of several parts, and what its panels show of it.
pub struct Arranged {
    pub format: Format,
    pub drawing: Drawing,
    pub parts: Vec<PanelPart>,
    /// The scene from the second side on, if the options name several.
    pub other_sides: Vec<SphereScene<'static>>,
}

/// Reads files into one scene of spheres. Each part has its own colour, unless the options name one; a ramp has one
/// range in all parts.
pub(crate) fn read(paths: &[PathBuf], frames: &FrameChoice, options: &LoadOptions) -> Result<Arranged> {
    let once = &Arc::default();
    Arrangement { once, paths, frames, options, has_panels: false, finds_range: false }.read()
}

/// Reads files into one scene of spheres, for panels of its parts. Files keep their own colours; a ramp has one range,
/// and a category one colour, in all parts.
pub fn read_panels(paths: &[PathBuf], frames: &FrameChoice, options: &LoadOptions) -> Result<Arranged> {
    let once = &Arc::default();
    Arrangement { once, paths, frames, options, has_panels: true, finds_range: false }.read()
}

/// The parts of a picture, and how they are arranged.
struct Arrangement<'a> {
    /// Pipes and standard input, which are read once and kept in memory: several parts may come from one file.
    once: &'a Arc<Mutex<FileMap>>,
    paths: &'a [PathBuf],
    frames: &'a FrameChoice,
    options: &'a LoadOptions,
    /// Whether parts are panels with the colours of their files; otherwise colours tell parts apart.
    has_panels: bool,
    /// Whether the range of colours is the common one of all parts, which leaves out outliers.
    finds_range: bool,
}

struct ReadPart {
    name: String,
    color: Srgba8,
    /// The input, as messages call it.
    file: String,
    /// The input or its frame, which begins notes on the part.
    subject: String,
    format: Format,
    options: LoadOptions,
    data: DataFile,
}

impl Arrangement<'_> {
    fn read(&self) -> Result<Arranged> {
        let Self { options, frames, has_panels, .. } = *self;
        let mut quota = Quota::new(options.budget);
        let (parts, incomplete) = self.parts(quota)?;
        let route = if has_panels { Route::Panels } else { Route::Several };
        route.check(options)?;
        let message =
            "is for one picture of one file, or for the panels of a table by a column, which --panel-by names";
        picture_settings::refuse_given(["density", "density_bin"], options, || message.to_owned())?;
        if let Some(frame) = options.frame.filter(|_| *frames != FrameChoice::One) {
            let message = format!("and frames both say which frames are drawn; give one, got {frame}");
            return Err(Error::setting("frame", message));
        }
        let palette = if parts.len() <= 7 { ColorMap::OKABE_ITO } else { ColorMap::DISTINCT };
        let legend = (!self.is_colored() && parts.len() <= FEW).then_some(LegendChoice::ON);
        let has_legend = options.figure.over(&FigureOptions { legend, ..FigureOptions::default() }).has_legend();
        let may_be_ensemble = !frames.is_one_a_file() && !has_panels && parts.len() > 1 && says_no_shape(options);
        let arrows = ArrowScale::of(options);
        let mut joined = JoinedParts {
            kind: PartsKind { may_be_ensemble, ..PartsKind::default() },
            scales: JoinedScales { arrows, ..JoinedScales::default() },
            notes: incomplete,
            ..JoinedParts::default()
        };
        if !self.is_colored() && !options.legend_categories.is_empty() {
            let why = "--legend-categories changes nothing: colours are those of the files; --color-by names a column";
            joined.notes.push(why.to_owned());
        }
        for (index, part) in parts.iter().enumerate() {
            let read = self.read_part(part, palette.category(index), quota, &mut joined);
            let read = read.map_err(|error| frames.in_terms_of(error))?;
            joined.add_facts(&read);
            // of frames of one file, the first stands for all
            if self.finds_range && (frames.is_one_a_file() || index == 0) {
                joined.notes.extend(read.data.note_of_common_range(&read.file));
            }
            if self.is_colored() {
                joined.scales.range = union(joined.scales.range, read.data.ramp_ends());
                joined.scales.categories.add(CategoryNames { order: read.data.categories(), listed: Vec::new() });
            }
            if has_panels || !frames.is_one_a_file() {
                // radii that suit the first part suit all
                joined.scales.suited_radius = joined.scales.suited_radius.or_else(|| read.data.suited_radius());
            }
            joined.add_shapes(read, has_legend, has_panels, &mut quota)?;
        }
        if parts.len() > 1 {
            if let Some(options) = &self.shared_options(&mut joined) {
                let finds_range = matches!(self.options.color_range, None | Some(ColorRange::Around(_)));
                return Arrangement { options, finds_range, ..*self }.read();
            }
            joined.note_differences(options);
        }
        self.drawing(joined, legend)
    }

    fn open(&self, path: &Path, quota: Quota) -> Result<Input> {
        let files = match FileSystem::Disk.reads_once(path) {
            true => FileSystem::Copied(Arc::clone(self.once)),
            false => FileSystem::Disk,
        };
        files.open(path, quota)
    }

    /// The options with the common range of colours, order of categories and scale of arrows; `None` if the options
    /// state all.
    fn shared_options(&self, joined: &mut JoinedParts) -> Option<LoadOptions> {
        let mut shared = self.options.clone();
        let is_open = !matches!(self.options.color_range, Some(ColorRange::Numbers(_)));
        let range = joined.scales.range.filter(|_| is_open);
        if let Some(ends) = range {
            shared.color_range = Some(ColorRange::Numbers(ends));
        }
        if let Some(arrows) = &joined.scales.arrows {
            arrows.fix(&mut shared);
        }
        let has_order = !joined.scales.categories.fix_order(&mut shared);
        let has_scale = self.options.vector_scale.is_some() || shared.vector_scale.is_none();
        let is_stated = has_order && has_scale && shared.vector_color == self.options.vector_color && range.is_none();
        (!is_stated).then_some(shared)
    }

    /// Whether colours mean something else than parts.
    fn is_colored(&self) -> bool {
        self.options.color_by.is_some() || self.options.color.is_some() || self.has_panels
    }

    /// The files, or the models of them that are drawn, and notes about last ones that are incomplete.
    fn parts(&self, quota: Quota) -> Result<(Vec<PictureFile>, Vec<String>)> {
        let Self { options, frames, .. } = *self;
        let (mut parts, mut incomplete) = (Vec::new(), Vec::new());
        for (index, path) in self.paths.iter().enumerate() {
            let input = self.open(path, quota)?;
            let format = format_wanted(&input, options.format, options.raw.as_ref())?;
            if format.kind() == FormatKind::Scene {
                let message =
                    "is a scene, which is drawn alone: a scene draws several files, each in a table [[spheres]]";
                return Err(Error::input(&input.name, None, message));
            }
            if !frames.is_one_a_file() && format.kind() == FormatKind::Table {
                return Err(Error::setting("frames", format!("is for molecules; {} is a table", input.name)));
            }
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            // frames of several files have the name of their file, too
            let numbered = |frame: i64| {
                let file = if self.paths.len() > 1 { format!("{name}, ") } else { String::new() };
                PictureFile { path: path.clone(), frame: Some(frame), name: format!("{file}{FRAME}{frame}") }
            };
            let too_many = |found: String| {
                Err(Error::setting("frames", format!("draws at most {MOST_PARTS} in one picture{found}")))
            };
            match frames {
                FrameChoice::One => parts.push(PictureFile { path: path.clone(), frame: options.frame, name }),
                FrameChoice::Each(frames) => {
                    let frame = frames.get(index).copied().flatten();
                    parts.push(PictureFile { path: path.clone(), frame, name });
                }
                FrameChoice::List(list) => {
                    let count =
                        if list.needs_count() { self.models(input, format, &mut incomplete)? } else { u64::MAX };
                    let frames = list.of(count, MOST_PARTS as u64)?.into_iter().map(u64::cast_signed);
                    parts.extend(frames.map(numbered));
                    if parts.len() > MOST_PARTS {
                        return too_many(format!(", got {}", parts.len()));
                    }
                }
                FrameChoice::All => {
                    let count = self.models(input, format, &mut incomplete)?;
                    if count > (MOST_PARTS - parts.len()) as u64 {
                        return too_many(format!("; {} has {count}", path.display()));
                    }
                    parts.extend((0..count.cast_signed()).map(numbered));
                }
            }
        }
        Ok((parts, incomplete))
    }

    /// Counts the models of a file; selections may find nothing in them. A last one that is incomplete does not count,
    /// and is noted.
    fn models(&self, input: Input, format: Format, incomplete: &mut Vec<String>) -> Result<u64> {
        let plain = LoadOptions {
            frame: None,
            only: None,
            hide: None,
            highlight: Vec::new(),
            opacity: Vec::new(),
            focus: None,
            radius_of: Vec::new(),
            figure: FigureOptions { label: Vec::new(), ..self.options.figure.clone() },
            ..self.options.clone()
        };
        let facts = bare_data::table(input, format, &plain, Depth::Describe)?.facts;
        incomplete.extend(facts.incomplete);
        Ok(facts.frames)
    }

    /// Reads a part: as sticks if it may belong to an ensemble and has bonds.
    fn read_part(&self, part: &PictureFile, color: Srgba8, quota: Quota, joined: &mut JoinedParts) -> Result<ReadPart> {
        let input = self.open(&part.path, quota)?;
        let format = format_wanted(&input, self.options.format, self.options.raw.as_ref())?;
        option_requests::refuse_options(&input.name, format, self.options)?;
        let file = input.name.clone();
        let origin = joined.origin.map(|origin| origin.point().to_array()).or(self.options.origin);
        let mut options = LoadOptions { frame: part.frame, origin, ..self.options.clone() };
        if !self.is_colored() {
            options.color_by = Some(color.to_string());
        }
        options.radius = options.radius.or_else(|| joined.scales.suited_radius.map(|radius| radius.to_string()));
        let alpha = match &options.opacity[..] {
            [.., (None, opacity)] => picture_settings::alpha(*opacity)?,
            _ => u8::MAX,
        };
        let mut as_sticks = None;
        if joined.kind.may_be_ensemble {
            let options = sticks(&options);
            let data = bare_data::table(self.open(&part.path, quota)?, format, &options, Depth::Draw)?;
            joined.kind.may_be_ensemble = data.source.bonds > 0;
            as_sticks = joined.kind.may_be_ensemble.then_some((options, data));
        }
        let (options, data) = match as_sticks {
            Some(sticks) => sticks,
            None => {
                let data = bare_data::table(input, format, &options, Depth::Draw)?;
                (options, data)
            }
        };
        if !data.plan.is_solid() {
            let message = "is drawn as circles; --panel-by COLUMN draws panels of one table, a scene with [[points]] several tables";
            return Err(Error::input(&file, None, message));
        }
        let subject = match part.frame {
            Some(frame) if !self.frames.is_one_a_file() => format!("{file}, {FRAME}{frame}"),
            _ => file.clone(),
        };
        Ok(ReadPart { name: part.name.clone(), color: color.with_alpha(alpha), file, subject, format, options, data })
    }

    fn drawing(&self, joined: JoinedParts, legend: Option<LegendChoice>) -> Result<Arranged> {
        let origin = joined.origin.unwrap_or_default();
        let JoinedParts { kind: shown, boxes, scales, groups, shapes, panels: mut parts, sources, mut notes, .. } =
            joined;
        let wanted = FigureOptions { cell: Some(boxes.are_filled), legend, ..FigureOptions::default() };
        let wanted = self.options.figure.over(&wanted);
        let file = self.paths.first().map(|path| path.display().to_string()).unwrap_or_default();
        let facts =
            FigureFacts { cell: boxes.first, is_solid: true, unit: shown.unit, pixels: 1.0, ..FigureFacts::default() };
        let figure = wanted.without_legend().figure(&file, &facts)?;
        let stance = joined.stance.expect("there is at least one part");
        let kind = if shown.has_molecules { SphereKind::Atoms } else { SphereKind::Particles };
        let seen_from = |view: Option<StandardView>, shapes: BareShapes<'static>| {
            let options = LoadOptions { view, ..self.options.clone() };
            let mut scene = bare_data::spheres(&file, shapes, kind, stance, &figure, &options)?;
            let left_out = window::open(&mut scene, &joined.focus);
            Ok::<_, Error>((scene, left_out))
        };
        let shapes = BareShapes { groups, shapes, origin };
        let views = &self.options.views;
        let others = views.iter().skip(1).map(|view| seen_from(Some(*view), shapes.clone()));
        let others = others.collect::<Result<Vec<_>>>()?;
        let (scene, left_out) = seen_from(views.first().copied().or(self.options.view), shapes)?;
        let (other_sides, left_out_there): (Vec<_>, Vec<_>) = others.into_iter().unzip();
        for PartContacts { subject, lines } in &joined.contacts {
            notes.extend(lines.notes(&left_out).iter().map(|note| format!("{subject}: {note}")));
        }
        notes.extend(left_out.note(&file).or_else(|| left_out_there.iter().find_map(|there| there.note(&file))));
        let counting = wanted.counting();
        let mut keys = Vec::new();
        if !self.is_colored() {
            // the title says that they are frames
            let (name, prefix) = if self.frames.is_one_a_file() { ("file", "") } else { ("frame", FRAME) };
            let shortened = |mut entry: Category| {
                entry.name = entry.name.strip_prefix(prefix).map(str::to_owned).unwrap_or(entry.name);
                entry
            };
            let items = joined.entries.into_iter().map(|PartEntry { part, entry }| match joined.legends.get(part) {
                Some(legend) => Category::new(entry.name, entry.color, legend.plain_spheres(&scene, counting)),
                None => entry,
            });
            let (name, items) = (name.to_owned(), items.map(shortened).collect());
            let key = LegendPart::Colors(ColorKey::Categories { name, items });
            keys.push(FileKey { file: String::new(), key });
        }
        keys.extend(joined.legends.iter().flat_map(|legend| legend.keys(&scene, counting, &left_out)));
        let mut figure = wanted.figure(&file, &FigureFacts { keys, ..facts })?;
        for part in &mut parts {
            let labels = std::mem::take(&mut part.labels).into_iter().next().unwrap_or_default();
            let seen = |left_out: &LeftOut| {
                let mut labels = labels.clone();
                left_out.remove_labels(&mut labels);
                labels
            };
            part.labels = std::iter::once(&left_out).chain(&left_out_there).map(seen).collect();
        }
        figure.labels = parts.iter().filter_map(|part| part.labels.first()).flatten().cloned().collect();
        let scene = Scene::Spheres(scene);
        let (categories, tables) = (CategoryNames::default(), Vec::new());
        let (camera, scene_keys, data) = (None, None, None);
        let suited_radius = scales.suited_radius;
        let drawing =
            Drawing { scene, sources, notes, figure, camera, categories, tables, suited_radius, scene_keys, data };
        let format = shown.first_format.unwrap_or(Format::Pdb);
        Ok(Arranged { format, drawing, parts, other_sides })
    }
}

#[derive(Default)]
struct JoinedParts {
    kind: PartsKind,
    /// The origin of the first part, which all parts share.
    origin: Option<Origin>,
    boxes: JoinedBoxes,
    stance: Option<Stance>,
    scales: JoinedScales,
    groups: Vec<SphereGroup<'static>>,
    shapes: Shapes<'static>,
    panels: Vec<PanelPart>,
    sources: Vec<DataSource>,
    notes: Vec<String>,
    /// The legends of the parts, and the entries of the legend of parts.
    legends: Vec<LegendSource>,
    entries: Vec<PartEntry>,
    focus: Vec<FocusRows>,
    contacts: Vec<PartContacts>,
}

/// The format, the unit and the kind of shapes that parts have in common.
#[derive(Default)]
struct PartsKind {
    first_format: Option<Format>,
    has_molecules: bool,
    /// Whether all parts so far are models with bonds, and no style is given.
    may_be_ensemble: bool,
    /// The unit of lengths, if the files have one in common.
    unit: &'static str,
}

/// The periodic boxes of parts.
#[derive(Default)]
struct JoinedBoxes {
    first: Option<Cell>,
    /// Whether the rows of a part fill its box.
    are_filled: bool,
    /// Boxes that differ from the first one.
    others: usize,
}

/// Scales of sizes and colours for all parts.
#[derive(Default)]
struct JoinedScales {
    /// The radius that suits the first part, where all have it.
    suited_radius: Option<f32>,
    /// The scale of arrows, where the options do not state it.
    arrows: Option<ArrowScale>,
    range: Option<[f64; 2]>,
    categories: CategoryOrder,
}

impl JoinedParts {
    fn add_facts(&mut self, ReadPart { format, data, .. }: &ReadPart) {
        let of_part = unit(*format);
        let is_common = self.kind.first_format.is_none() || self.kind.unit == of_part;
        self.kind.unit = if is_common { of_part } else { "" };
        self.kind.first_format.get_or_insert(*format);
        self.origin.get_or_insert(data.origin);
        for note in &data.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        self.kind.has_molecules |= data.plan.is_molecule();
        self.boxes.are_filled |= data.fills_cell();
        let of_part = data.stance();
        // molecules decide which way is up; the first part that has a focus, where to look
        self.stance = Some(match self.stance {
            None => of_part,
            Some(known) => {
                let side = if known.up == UpAxis::Y { known } else { of_part };
                Stance { focus: known.focus.or(of_part.focus), along: known.along.or(of_part.along), ..side }
            }
        });
    }

    fn add_shapes(&mut self, part: ReadPart, has_legend: bool, has_panels: bool, quota: &mut Quota) -> Result<()> {
        let ReadPart { name, color, file, subject, options, data, .. } = part;
        let (first, times, highlighted) = (self.groups.len(), data.facts.times, data.highlighted_rows());
        let has_cell = options.figure.cell.unwrap_or(data.fills_cell());
        let part = bare_data::picture_part(data, &options, first, quota)?;
        let PicturePart { groups, labels, .. } = part;
        let own_cell = part.cell.filter(|_| has_cell);
        if let (Some(known), Some(own), false) = (self.boxes.first, own_cell, has_panels) {
            self.boxes.others += usize::from(known != own);
        }
        // the cell of a macromolecule's crystal is not the box of other files
        self.boxes.first = self.boxes.first.or(own_cell);
        self.notes.extend(part.notes);
        self.sources.push(part.source);
        self.shapes.append(part.shapes, first);
        if let Some(arrows) = &mut self.scales.arrows {
            arrows.add(&part.arrow_legend);
        }
        let count = groups.iter().map(|group| group.spheres.len() as u64).sum();
        hold(quota, &groups);
        let cell = own_cell.as_ref().map(cell_edges);
        self.contacts.push(PartContacts { subject, lines: part.contacts });
        self.panels.push(PanelPart {
            name: name.clone(),
            file,
            times,
            groups: first..first + groups.len(),
            cell,
            labels: vec![labels],
        });
        self.focus.extend(part.focus);
        // highlighted rows have entries of their own
        if highlighted == 0 || highlighted < count {
            let entry = Category::new(name, color, count.saturating_sub(highlighted));
            self.entries.push(PartEntry { part: self.panels.len() - 1, entry });
        }
        if has_legend {
            self.legends.push(part.legend);
        }
        self.groups.extend(groups);
        Ok(())
    }

    /// Notes radii and boxes that differ between parts.
    fn note_differences(&mut self, options: &LoadOptions) {
        self.notes.extend(radii_note(options, "part"));
        if self.boxes.others > 0 {
            let differ = match self.boxes.others {
                1 => "1 other differs".to_owned(),
                count => format!("{count} others differ"),
            };
            self.notes.push(format!("the edges are those of the first periodic box; {differ} from it"));
        }
    }
}

/// The note that radii of frames or parts do not compare.
pub(crate) fn radii_note(options: &LoadOptions, of: &str) -> Option<String> {
    options.radius_range.map(|_| {
        format!("--radius-range spreads the numbers of each {of} by themselves: radii of {of}s do not compare")
    })
}

/// Radius of the sticks of an ensemble, in ångström: thin, since many overlap.
const ENSEMBLE_STICK: f32 = 0.12;

/// Whether the options leave the shapes of atoms open.
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

/// Charges the spheres of groups to the quota.
fn hold(quota: &mut Quota, groups: &[SphereGroup<'_>]) {
    for group in groups {
        let (spheres, poses) = (group.spheres.len() as u64, group.poses.len() as u64);
        let memory = spheres * size_of::<PaintedSphere>() as u64 + poses * size_of::<Pose>() as u64;
        quota.hold(spheres.saturating_mul(poses), memory);
    }
}
