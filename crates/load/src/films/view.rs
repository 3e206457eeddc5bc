//! One camera, size, range of colours and radius for all frames of a film, found in one pass over them.
//!
//! The result is a set of options, so that `render` draws any frame of the film alone.

use std::path::PathBuf;
use std::sync::mpsc::sync_channel;

use crate::dataset::data_file::Depth;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::films::colors::FrameColors;
use crate::films::framing::Framed;
use crate::formats::{Format, FormatKind};
use crate::geom::Origin;
use crate::options::camera::CameraRequest;
use crate::options::camera_keys::CameraKeys;
use crate::options::figure::LegendChoice;
use crate::options::load_options::LoadOptions;
use crate::options::routes::Route;
use crate::options::same_view;
use crate::pictures::bare_data::Drawing;
use crate::pictures::several;
use crate::read::read;
use crate::rows::column_plan::{CategoryNames, FoundColors};
use crate::scales::arrow_scale::ArrowScale;
use crate::scene::circles::Layer;
use crate::scene::spheres::{Background, Camera, Projection, SphereScene};
use crate::scene::{Scene, degrees};
use crate::source::memory_files::FileSystem;

/// Threads that read frames; each holds one frame in memory.
const READERS: usize = 2;

/// The words of notes on options without effect.
pub const IDLE: &str = " changes nothing: ";

/// A frame of a film: a file, and the number of the frame if the file may have several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFrame {
    pub path: PathBuf,
    pub frame: Option<i64>,
    /// Its index among the frames of all files, or among the times of a table.
    pub number: u64,
    /// Its place among the files that a frame of the film shows together; 0 without panels.
    pub part: usize,
}

/// The frames of a film, and the files that have them.
#[derive(Clone, Copy, Debug)]
pub struct FilmFrames<'a> {
    pub files: &'a FileSystem,
    pub frames: &'a [DataFrame],
}

impl FilmFrames<'_> {
    /// The frames after so many.
    pub(crate) fn after(&self, count: usize) -> Self {
        Self { frames: self.frames.get(count..).unwrap_or_default(), ..*self }
    }
}

/// The options that all frames of a film share: everything except the frame and the turns.
#[derive(Debug)]
pub struct FilmView {
    pub options: LoadOptions,
    /// Notes on the first frame, and on the film.
    pub notes: Vec<String>,
    /// Whether the background is translucent.
    pub has_alpha: bool,
    /// The opacity of the most opaque shape of the first frame.
    pub alpha: f32,
}

/// Finds the options of a film, in one pass over its frames. The camera stays, or sweeps around its target between two
/// angles, in degrees to the right. `progress` gets the number of frames so far; its error ends the pass.
pub fn film_view(
    frames: FilmFrames<'_>,
    options: &LoadOptions,
    sweep: Option<[f64; 2]>,
    keys: &CameraKeys,
    progress: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<FilmView> {
    let options = &before_moves(options, keys)?;
    Route::Film.check(options)?;
    let Some(first_frame) = frames.frames.first() else {
        return Err(Error::setting("frames", "must be one at least"));
    };
    let (rest, first) = (frames.after(1), [measured(frames.files, first_frame, options, sweep)?]);
    let [Measured { scene, format, suited_radius, .. }] = &first;
    let mut fixed = LoadOptions { frame: None, ..options.clone() };
    let (width, height) = scene.size();
    let alpha = largest_alpha(scene);
    let scene = match scene {
        Scene::Circles(_) if sweep.is_some() => {
            let message = format!("is for spheres; {} is drawn as circles", first_frame.path.display());
            return Err(Error::setting("turntable", message));
        }
        Scene::Circles(scene) => {
            if options.view_box.is_none() {
                (fixed.width, fixed.height) = (Some(width), Some(height));
            }
            let has_alpha = scene.canvas.background.a < 255;
            let notes = fix_circles(&mut fixed, &first, rest, options, progress)?;
            return Ok(FilmView { options: fixed, notes, has_alpha, alpha });
        }
        Scene::Spheres(scene) => scene,
    };
    // all frames have the origin of the first, so that one camera shows them all
    fixed.origin = Some(scene.origin);
    let options = &LoadOptions { origin: fixed.origin, ..options.clone() };
    let has_alpha = matches!(scene.view.background, Background::Solid(color) if color.a < 255);
    let is_scene = format.kind() == FormatKind::Scene;
    let is_framed = !(is_scene || states_camera(options)) && (sweep.is_some() || !rest.frames.is_empty());
    if !is_scene {
        fix_sizes(&mut fixed, *suited_radius, scene);
    }
    let mut survey = FrameSurvey {
        colors: FrameColors::of(&first, options),
        arrows: ArrowScale::of(options),
        framings: is_framed.then(|| Framed::new(scene, options, sweep)).into_iter().collect(),
    };
    let notes = survey.add_all(&first, rest, options, sweep, progress)?;
    let (notes, framings) = survey.fix(notes, &mut fixed);
    let (camera, (width, height)) = match framings.into_iter().next() {
        Some(framing) => framing.camera(options)?,
        None => (scene.view.camera, (width, height)),
    };
    state_camera(&mut fixed, &camera, scene.origin, sweep);
    (fixed.width, fixed.height) = (Some(width), Some(height));
    if is_scene {
        // a scene may have a zoom and angles of its own, which the camera has already
        fixed.zoom = Some(1.0);
        if sweep.is_none() {
            (fixed.azimuth, fixed.elevation, fixed.roll) = (Some(0.0), Some(0.0), Some(0.0));
        }
    }
    Ok(FilmView { options: fixed, notes, has_alpha, alpha })
}

/// The opacity of the most opaque circle or sphere.
pub(crate) fn largest_alpha(scene: &Scene<'_>) -> f32 {
    let alpha = match scene {
        Scene::Circles(scene) => {
            let of_layer = |layer: &Layer<'_>| match layer {
                Layer::Circles(circles) => circles.iter().map(|circle| circle.color.a).max(),
                Layer::Ellipses(ellipses) => ellipses.iter().map(|ellipse| ellipse.color.a).max(),
                Layer::Segments(_) => None,
            };
            scene.layers.iter().filter_map(of_layer).max()
        }
        Scene::Spheres(scene) => {
            scene.groups.iter().flat_map(|group| group.spheres.iter()).map(|sphere| sphere.color.a).max()
        }
    };
    f32::from(alpha.unwrap_or(u8::MAX)) / f32::from(u8::MAX)
}

/// Fixes the colours of circles for all frames; returns notes.
fn fix_circles(
    fixed: &mut LoadOptions,
    first: &[Measured; 1],
    rest: FilmFrames<'_>,
    options: &LoadOptions,
    progress: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<Vec<String>> {
    let mut notes = first[0].notes.clone();
    progress(1)?;
    if first[0].format.kind() != FormatKind::Table || rest.frames.is_empty() {
        return Ok(notes);
    }
    notes.push(
        "each table is laid out by itself: places and sizes of frames do not compare; with a column of zeros as --z all have one camera"
            .to_owned(),
    );
    let mut colors = FrameColors::of(first, options);
    if colors.are_open(options) {
        in_order(
            rest,
            |frame| measured(rest.files, frame, options, None),
            |index, measured| {
                colors.add(0, &measured);
                progress(index + 2)
            },
        )?;
        notes.extend(colors.fix(fixed));
    }
    Ok(notes)
}

/// The options with the camera before its keys turn it and zoom.
fn before_moves(options: &LoadOptions, keys: &CameraKeys) -> Result<LoadOptions> {
    let mut still = same_view::applied(options)?.into_owned();
    if keys.has_turns() {
        (still.azimuth, still.elevation, still.roll) = (Some(0.0), Some(0.0), Some(0.0));
    }
    still.zoom = if keys.has_zoom() { Some(1.0) } else { still.zoom };
    Ok(still)
}

/// The measures of all frames: the colours, the scale of arrows and the cameras.
pub(crate) struct FrameSurvey {
    pub(crate) colors: FrameColors,
    /// `None` if there are no arrows or their scale is given.
    pub(crate) arrows: Option<ArrowScale>,
    /// Empty if the camera is given.
    pub(crate) framings: Vec<Framed>,
}

impl FrameSurvey {
    /// Adds the frames of a film after the parts of the first, which have been read; returns their notes.
    pub(crate) fn add_all(
        &mut self,
        first: &[Measured],
        rest: FilmFrames<'_>,
        options: &LoadOptions,
        sweep: Option<[f64; 2]>,
        progress: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<Vec<String>> {
        let mut notes: Vec<String> = Vec::new();
        for (part, measured) in first.iter().enumerate() {
            self.add_shapes(part, measured)?;
            let new: Vec<String> = measured.notes.iter().filter(|note| !notes.contains(note)).cloned().collect();
            notes.extend(new);
        }
        progress(first.len() as u64)?;
        if !rest.frames.is_empty() {
            notes.extend(several::radii_note(options, "frame"));
        }
        let is_framed = !self.framings.is_empty() && !rest.frames.is_empty();
        if is_framed || self.colors.are_open(options) || self.arrows.is_some() {
            let read = |frame: &DataFrame| measured(rest.files, frame, options, sweep);
            in_order(rest, read, |index, measured| {
                // an option without effect in one frame may have one in another
                notes.retain(|note| !note.contains(IDLE) || measured.notes.contains(note));
                let part = usize::try_from(index).ok().and_then(|index| rest.frames.get(index));
                self.add(part.map_or(0, |frame| frame.part), &measured)?;
                progress(index + 1 + first.len() as u64)
            })?;
        }
        Ok(notes)
    }

    fn add(&mut self, part: usize, frame: &Measured) -> Result<()> {
        if let Scene::Spheres(_) = &frame.scene {
            self.colors.add(part, frame);
        }
        self.add_shapes(part, frame)
    }

    fn add_shapes(&mut self, part: usize, frame: &Measured) -> Result<()> {
        let Scene::Spheres(scene) = &frame.scene else { return Ok(()) };
        if let Some(arrows) = &mut self.arrows {
            arrows.add(&frame.figure.legend);
        }
        let mut showing = self.framings.iter_mut().filter(|framing| framing.shows(part));
        showing.try_for_each(|framing| framing.add(scene, &frame.figure))
    }

    /// Writes the colours and the scale of arrows into the options; returns the notes with those on colours, and the
    /// cameras.
    pub(crate) fn fix(self, mut notes: Vec<String>, fixed: &mut LoadOptions) -> (Vec<String>, Vec<Framed>) {
        notes.extend(self.colors.fix(fixed));
        if let Some(arrows) = self.arrows {
            arrows.fix(fixed);
        }
        (notes, self.framings)
    }
}

/// Reads frames on other threads, ahead of the caller, which takes them in order. Files in memory are read by the caller:
/// programs without a file system may have no threads.
fn in_order<T: Send>(
    FilmFrames { files, frames }: FilmFrames<'_>,
    read: impl Fn(&DataFrame) -> Result<T> + Sync,
    mut take: impl FnMut(u64, T) -> Result<()>,
) -> Result<()> {
    if !files.is_disk() {
        return (0..).zip(frames).try_for_each(|(index, frame)| take(index, read(frame)?));
    }
    std::thread::scope(|scope| {
        let read = &read;
        let readers: Vec<_> = (0..READERS)
            .map(|reader| {
                let (to_taking, taken) = sync_channel(0);
                scope.spawn(move || {
                    for frame in frames.iter().skip(reader).step_by(READERS) {
                        let frame = read(frame);
                        let is_failed = frame.is_err();
                        if to_taking.send(frame).is_err() || is_failed {
                            return;
                        }
                    }
                });
                taken
            })
            .collect();
        for (index, reader) in (0..frames.len() as u64).zip(readers.iter().cycle()) {
            // a reader ends early only after an error, which has been taken
            let Ok(frame) = reader.recv() else { break };
            take(index, frame?)?;
        }
        Ok(())
    })
}

pub(crate) struct Measured {
    format: Format,
    pub(crate) scene: Scene<'static>,
    pub(crate) figure: Figure,
    pub(crate) categories: CategoryNames,
    pub(crate) tables: Vec<FoundColors>,
    pub(crate) notes: Vec<String>,
    suited_radius: Option<f32>,
}

/// Whether the options fix the camera.
pub(crate) fn states_camera(options: &LoadOptions) -> bool {
    options.eye.is_some() || options.target.is_some() || options.ortho_height.is_some()
}

/// Reads a frame at its own size, with its legend; a turning camera is not turned yet.
pub(crate) fn measured(
    files: &FileSystem,
    frame: &DataFrame,
    options: &LoadOptions,
    sweep: Option<[f64; 2]>,
) -> Result<Measured> {
    let mut options = LoadOptions { frame: frame.frame, ..options.clone() };
    options.figure.scale = Some(1.0);
    let has_keys = options.color_by.is_some() || options.color.is_some() || ArrowScale::of(&options).is_some();
    let has_legend = has_keys && !options.figure.legend.is_some_and(LegendChoice::counts);
    if has_legend && options.figure.legend.is_none_or(|legend| legend == LegendChoice::Off) {
        options.figure.legend = Some(LegendChoice::ON);
    }
    if sweep.is_some() {
        (options.azimuth, options.elevation, options.roll) = (None, None, None);
    }
    let mut drawing = read(files, &frame.path, &options, Depth::Draw);
    if let (Err(Error::Setting { name: "legend", .. }), true) = (&drawing, has_legend) {
        // one colour has no meaning, or nothing moves in this frame
        options.figure.legend = None;
        drawing = read(files, &frame.path, &options, Depth::Draw);
    }
    let (format, Drawing { scene, figure, categories, tables, notes, suited_radius, .. }) = drawing?;
    Ok(Measured { format, scene, figure, categories, tables, notes, suited_radius })
}

/// Fixes the radius that was chosen for all spheres, if there is one, and the occlusion distance.
pub(crate) fn fix_sizes(options: &mut LoadOptions, suited_radius: Option<f32>, scene: &SphereScene<'_>) {
    options.radius = options.radius.take().or(suited_radius.map(|radius| radius.to_string()));
    let distance = scene.shading.ao_distance;
    if options.ao_distance.is_none() && distance.is_finite() {
        options.ao_distance = Some(distance);
    }
}

/// States the camera that all frames share, which has the zoom of the options already, and their angles unless it sweeps.
pub fn state_camera(options: &mut LoadOptions, camera: &Camera, origin: [f64; 3], sweep: Option<[f64; 2]>) {
    fix_camera(options, camera, Origin::at(origin));
    options.zoom = None;
    if sweep.is_none() {
        (options.azimuth, options.elevation, options.roll) = (None, None, None);
    }
}

/// Replaces the camera that the options ask for.
fn fix_camera(options: &mut LoadOptions, camera: &Camera, origin: Origin) {
    options.views.clear();
    let Camera { eye, target, up, projection, .. } = camera;
    (options.view, options.ortho, options.fov, options.ortho_height) = (None, None, None, None);
    options.eye = Some(origin.added(eye.to_array()));
    options.target = Some(origin.added(target.to_array()));
    options.up = Some(up.to_array());
    match projection {
        Projection::Perspective { fov_y_radians } => options.fov = Some(degrees(*fov_y_radians)),
        Projection::Orthographic { height } => options.ortho_height = Some(*height),
    }
}

/// The camera of a frame whose options state one, relative to the origin of its scene.
pub fn stated_camera(options: &LoadOptions, origin: [f64; 3], size: (u32, u32)) -> Result<Camera> {
    let request = CameraRequest { origin: Origin::at(origin), ..CameraRequest::default() }.overridden(options)?;
    request.camera(&[], size).map_err(|message| Error::setting("eye", message))
}

/// Another camera, turned and zoomed as the options say.
pub fn turned_camera(options: &LoadOptions, camera: &Camera, origin: [f64; 3], size: (u32, u32)) -> Result<Camera> {
    let mut options = options.clone();
    fix_camera(&mut options, camera, Origin::at(origin));
    stated_camera(&options, origin, size)
}
