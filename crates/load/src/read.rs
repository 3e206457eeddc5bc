//! Files to scenes: scene files state everything, bare data gets a default picture.

use std::path::{Path, PathBuf};

use crate::budget::Budget;
use crate::dataset::data_file::Depth;
use crate::dataset::describe::Description;
use crate::dataset::suggest;
use crate::error::{Error, Result};
use crate::formats::facts::Facts;
use crate::formats::read as read_format;
use crate::formats::reading::Reading;
use crate::formats::request::{ColumnChoice, FrameRequest};
use crate::formats::wanted::{Axes, Wanted};
use crate::formats::{Format, FormatKind, format_of, format_wanted};
use crate::memory_quota::Quota;
use crate::options::camera_keys::CameraKeys;
use crate::options::idle;
use crate::options::load_options::{LoadOptions, ShownPart};
use crate::options::picture_settings;
use crate::options::routes::Route;
use crate::options::same_view;
use crate::options::visible_share;
use crate::pictures::bare_data;
use crate::pictures::bare_data::Drawing;
use crate::pictures::plane::PlanePanels;
use crate::pictures::scaled::scaled;
use crate::pictures::several;
use crate::pictures::several::{Arranged, FrameChoice};
use crate::scene::circles::ViewBox;
use crate::scene::spheres::AmbientOcclusion;
use crate::scene::{MOST_EXACT_OCCLUDERS, Scene};
use crate::scene_file;
use crate::source::frame_places;
use crate::source::input::Input;
use crate::source::memory_files::FileSystem;
use crate::streams::trajectory_index;

/// Reads several files into one picture.
///
/// # Errors
/// When a file cannot be read, or an option does not apply.
pub fn read_several(paths: &[PathBuf], frames: &FrameChoice, options: &LoadOptions) -> Result<Drawing> {
    if let ([path], FrameChoice::List(list), None) = (paths, frames, options.frame)
        && let Some(frame) = list.single()
    {
        // a picture of one frame, as with --frame
        let options = LoadOptions { frame: Some(frame), ..options.clone() };
        let drawn = read(&FileSystem::Disk, path, &options, Depth::Draw);
        return drawn.map(|(_, drawing)| drawing).map_err(|error| frames.in_terms_of(error));
    }
    let same = same_view::applied(options)?;
    let options = &sized(&same)?;
    picture_settings::check_sides(options)?;
    let Arranged { format, drawing, .. } = several::read(paths, frames, options)?;
    Ok(finished(format, drawing, options)?.1)
}

/// Reads a table in the plane for panels by a column.
///
/// # Errors
/// As [`read`]; if there are more categories than panels.
pub fn read_plane_panels(path: &Path, options: &LoadOptions) -> Result<(Drawing, PlanePanels)> {
    Route::Panels.check(options)?;
    let rule =
        || "is for one picture; panels by a column take width and height, which are those of all panels".to_owned();
    picture_settings::refuse_given(["view_box", "figure_width", "stereo"], options, rule)?;
    picture_settings::check_sides(options)?;
    let input = Input::open(path, Quota::new(options.budget))?;
    let format = format_wanted(&input, options.format, options.raw.as_ref())?;
    if format.kind() == FormatKind::Scene {
        return Err(Route::Scene(&input.name).refusal("panel_by", ""));
    }
    bare_data::read_panels(input, format, options)
}

/// The options, with the figure's width turned into the picture's.
pub fn sized(options: &LoadOptions) -> Result<LoadOptions> {
    let mut sized = options.clone();
    if let Some(pixels) = options.figure.pixels()? {
        if options.width.is_some() {
            return Err(Error::setting("width", "and figure_width both say the width; give one"));
        }
        sized.width = Some(pixels);
    }
    Ok(sized)
}

/// Describes the content of a file and its picture.
///
/// # Errors
/// As [`read`].
pub fn describe_from(files: &FileSystem, path: &Path, options: &LoadOptions) -> Result<Description> {
    let (format, drawing) = read(files, path, options, Depth::Describe)?;
    let Drawing { scene, sources, notes, data, .. } = drawing;
    let suggestions = match &sources[..] {
        // a scene says itself how its files are drawn
        [source] if format.kind() != FormatKind::Scene && path.as_os_str() != "-" => {
            suggest::commands(path, source, matches!(scene, Scene::Spheres(_)), options)
        }
        _ => Vec::new(),
    };
    Ok(Description { notes, suggestions, scene: data, ..Description::new(path, format, sources, &scene) })
}

/// How far a picture may be from its golden, by its scene's `[tolerance]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// Largest difference of a channel.
    pub difference: u32,
    /// Most pixels that may differ.
    pub pixels: u64,
}

/// Reads the tolerance that a scene file allows its golden, if it states one.
pub fn read_tolerance(path: &Path) -> Result<Option<Tolerance>> {
    let input = Input::open(path, Quota::new(Budget::default()))?;
    let format = format_of(&input)?;
    if format.kind() != FormatKind::Scene {
        return Ok(None);
    }
    let tolerance = scene_file::tolerance(input, format)?;
    Ok(tolerance.map(|(difference, pixels)| Tolerance { difference, pixels }))
}

/// The camera keys of a scene; none for other files.
///
/// # Errors
/// If the file cannot be read.
pub fn camera_keys(path: &Path, options: &LoadOptions) -> Result<CameraKeys> {
    let input = Input::open(path, Quota::new(options.budget))?;
    let format = format_wanted(&input, options.format, options.raw.as_ref())?;
    if format.kind() != FormatKind::Scene {
        return Ok(CameraKeys::default());
    }
    Ok(scene_file::film(input, format)?.keys.without(options))
}

/// Counts the frames or models of a file of atoms, or of the longest trajectory of a scene; anything else has one.
///
/// # Errors
/// If the file cannot be read to its end.
pub fn count_frames(files: &FileSystem, path: &Path, options: &LoadOptions) -> Result<CountedFrames> {
    let quota = Quota::new(options.budget);
    let input = files.open(path, quota)?;
    let format = format_wanted(&input, options.format, options.raw.as_ref())?;
    if format.kind() == FormatKind::Scene {
        let mut most = CountedFrames::one();
        for (path, of_trajectory) in trajectories(input, format, options.budget)? {
            let CountedFrames { frames, notes } = count_frames(files, &path, &of_trajectory)?;
            most.frames = most.frames.max(frames);
            most.notes.extend(notes);
        }
        return Ok(most);
    }
    if format.kind() != FormatKind::Atoms {
        return Ok(CountedFrames::one());
    }
    let mut reading = passing(&input, FrameRequest { count_frames: true, ..FrameRequest::default() }, quota);
    let is_on_disk = files.is_disk();
    if is_on_disk
        && let Some((count, frames)) = trajectory_index::count(path)
        && let Some(notes) = verify_count(path, format, count, &frames, options.budget)?
    {
        return Ok(CountedFrames { frames: count, notes });
    }
    read_format(format, input, &mut reading)?;
    let Facts { frames, incomplete, .. } = reading.finish().facts;
    if is_on_disk {
        trajectory_index::keep(path, frames);
    }
    Ok(CountedFrames { frames, notes: incomplete.into_iter().collect() })
}

/// The number of frames of a trajectory, and notes on those that do not count.
#[derive(Clone, Debug)]
pub struct CountedFrames {
    pub frames: u64,
    pub notes: Vec<String>,
}

impl CountedFrames {
    fn one() -> Self {
        Self { frames: 1, notes: Vec::new() }
    }
}

/// The trajectories of a scene that leaves their frames open, with the options that read them.
fn trajectories(input: Input, format: Format, budget: Budget) -> Result<Vec<(PathBuf, LoadOptions)>> {
    let mut found = Vec::new();
    let files = input.files.clone();
    for (path, format) in scene_file::film(input, format)?.trajectories {
        // a scene that is named like data is refused when it is drawn
        let named = format_wanted(&files.file(&path, Quota::new(budget))?, format, None)?;
        if named.kind() != FormatKind::Scene {
            found.push((path, LoadOptions { format, budget, ..LoadOptions::default() }));
        }
    }
    Ok(found)
}

/// Whether a file has more than one frame; reads no further than its second.
pub fn has_several_frames(path: &Path, options: &LoadOptions) -> Result<bool> {
    let input = Input::open(path, Quota::new(options.budget))?;
    let format = format_wanted(&input, options.format, options.raw.as_ref())?;
    match format.kind() {
        FormatKind::Scene => {
            let trajectories = trajectories(input, format, options.budget)?;
            let has_several = |(path, options): &(PathBuf, LoadOptions)| has_several_frames(path, options);
            let found: Result<Vec<bool>> = trajectories.iter().map(has_several).collect();
            Ok(found?.contains(&true))
        }
        FormatKind::Atoms => Ok(pass_frame(path, format, 1, options.budget)),
        _ => Ok(false),
    }
}

/// Whether a file is a table, which is one frame.
pub fn is_table(path: &Path, options: &LoadOptions) -> Result<bool> {
    let input = Input::open(path, Quota::new(options.budget))?;
    Ok(format_wanted(&input, options.format, options.raw.as_ref())?.kind() == FormatKind::Table)
}

/// Reads frames without keeping any column.
fn passing(input: &Input, extent: FrameRequest, quota: Quota) -> Reading<'static> {
    Reading::table(&input.name.clone(), extent, quota, |_| {
        Ok(ColumnChoice { wanted: Wanted::only(Axes::None), painter: None, names: None })
    })
}

/// Passes over a frame, and reports whether there is one.
fn pass_frame(path: &Path, format: Format, frame: u64, budget: Budget) -> bool {
    let quota = Quota::new(budget);
    Input::open(path, quota).is_ok_and(|input| {
        let mut reading = passing(&input, FrameRequest { frame, ..FrameRequest::default() }, quota);
        read_format(format, input, &mut reading).is_ok()
    })
}

/// Checks the number of frames in the index of a trajectory: some frames and the last must be where it says, and
/// nothing may follow but an incomplete frame. Returns the notes on that, or `None` if the index is wrong.
fn verify_count(
    path: &Path,
    format: Format,
    count: u64,
    frames: &[u64],
    budget: Budget,
) -> Result<Option<Vec<String>>> {
    let mut notes = Vec::new();
    for frame in frames.iter().copied().chain([count / 2, count - 1]) {
        let is_last = frame == count - 1;
        let quota = Quota::new(budget);
        let input = Input::open(path, quota)?;
        let mut reading =
            passing(&input, FrameRequest { frame, count_frames: is_last, ..FrameRequest::default() }, quota);
        let is_read = read_format(format, input, &mut reading).is_ok();
        let facts = reading.finish().facts;
        if !is_read || trajectory_index::is_refuted(path) || (is_last && facts.frames != count) {
            frame_places::forget(path);
            return Ok(None);
        }
        notes.extend(facts.incomplete);
    }
    Ok(Some(notes))
}

pub fn read(files: &FileSystem, path: &Path, options: &LoadOptions, depth: Depth) -> Result<(Format, Drawing)> {
    let same = same_view::applied(options)?;
    let options = &sized(&same)?;
    let (format, drawing) = read_unscaled(files, path, options, depth)?;
    let (format, mut drawing) = finished(format, drawing, options)?;
    if depth == Depth::Draw {
        drawing.figure.lay_grid(&mut drawing.scene);
    }
    Ok((format, drawing))
}

/// Warns if so many shapes are not spheres that smooth occlusion takes spheres for them.
fn note_of_occlusion(scene: &Scene<'_>) -> Option<String> {
    let Scene::Spheres(scene) = scene else { return None };
    let (count, most) = (scene.shapes.count(), MOST_EXACT_OCCLUDERS);
    let is_smooth = scene.shading.ambient_occlusion == AmbientOcclusion::Smooth;
    let takes = format!("smooth occlusion takes spheres for {count} cylinders, ellipsoids and cones, more than {most}");
    (is_smooth && count > most).then(|| takes + "; --ao 64 finds theirs by rays")
}

/// Adds notes to a drawing, and scales it.
fn finished(format: Format, mut drawing: Drawing, options: &LoadOptions) -> Result<(Format, Drawing)> {
    Route::Single.check(options)?;
    if drawing.figure.density.is_none() {
        drawing.notes.extend(visible_share::note_for(&drawing.scene, options));
    }
    drawing.notes.extend(note_of_occlusion(&drawing.scene));
    drawing.scene = scaled(drawing.scene, &mut drawing.figure, options)?;
    drawing.notes.extend(idle::notes(&drawing.scene, &drawing.figure, options));
    drawing.notes.extend(drawing.figure.notes(&drawing.scene, &[]));
    Ok((format, drawing))
}

fn read_unscaled(files: &FileSystem, path: &Path, options: &LoadOptions, depth: Depth) -> Result<(Format, Drawing)> {
    if let Some(view_box) = &options.view_box {
        return in_view_box(files, path, options, view_box, depth);
    }
    let input = files.open(path, Quota::new(options.budget))?;
    let format = format_wanted(&input, options.format, options.raw.as_ref())?;
    let mut drawing = match format.kind() {
        FormatKind::Scene => scene_file::read(input, format, options, depth)?,
        _ => read_data(files, path, input, format, options, depth)?,
    };
    // a scene on standard input names no file
    drawing.data = if path.as_os_str() == "-" { None } else { scene_file::scene_data(&drawing) };
    Ok((format, drawing))
}

/// Reads bare data: a later frame of a file through the index of its frames.
fn read_data(
    files: &FileSystem,
    path: &Path,
    input: Input,
    format: Format,
    options: &LoadOptions,
    depth: Depth,
) -> Result<Drawing> {
    // checked before a long read; a scene file is short, and states its own size
    picture_settings::check_sides(options)?;
    let seeks = files.is_disk() && options.frame.is_some_and(|frame| frame != 0);
    if !seeks {
        return bare_data::read(input, format, options, depth);
    }
    let mut first = Some(input);
    let pass = |frame| pass_frame(path, format, frame, options.budget);
    let drawing = trajectory_index::read_with(path, pass, || {
        let input = first.take().map_or_else(|| files.open(path, Quota::new(options.budget)), Ok)?;
        bare_data::read(input, format, options, depth)
    })?;
    trajectory_index::keep_passed(path);
    Ok(drawing)
}

/// A part of a picture of circles. Its size does not change the layout of the whole.
fn in_view_box(
    files: &FileSystem,
    path: &Path,
    options: &LoadOptions,
    view_box: &ViewBox,
    depth: Depth,
) -> Result<(Format, Drawing)> {
    let refuse = |message: String| Err(Error::setting("view-box", message));
    if !(view_box.center.iter().all(|place| place.is_finite()) && view_box.height > 0.0 && view_box.height.is_finite())
    {
        return refuse(format!("must be two finite numbers and a positive height, got {view_box:?}"));
    }
    // the whole is laid out, not drawn
    let budget = Budget { pixels: u64::MAX, ..options.budget };
    let shown = Some(ShownPart { view_box: *view_box, width: options.width, height: options.height });
    let whole = LoadOptions { view_box: None, width: None, height: None, shown, budget, ..options.clone() };
    let (format, mut drawing) = read_unscaled(files, path, &whole, depth)?;
    match drawing.scene {
        Scene::Circles(scene) => {
            let own = (scene.canvas.width, scene.canvas.height);
            let size = picture_settings::checked_size(options, own)?;
            drawing.data = None;
            if drawing.figure.counts && !drawing.figure.legend.is_empty() {
                let note =
                    format!("{}: the legend counts all that the whole picture shows, not the part", path.display());
                drawing.notes.push(note);
            }
            drawing.scene = Scene::Circles(scene.in_view_box(view_box, size));
            drawing.figure.show_part(view_box, own, size);
            Ok((format, drawing))
        }
        Scene::Spheres(_) => Err(Route::Spheres(&path.to_string_lossy()).refusal("view_box", "")),
    }
}
