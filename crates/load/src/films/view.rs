//! One camera, size, range of colours and radius for all frames of a film, found in one pass over them.
//!
//! The result is a set of options, so that `render` draws any frame of the film alone.

use std::path::PathBuf;
use std::sync::mpsc::sync_channel;

use glam::{DVec3, Vec3};

use crate::dataset::data_file::Depth;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::films::colors::FrameColors;
use crate::formats::{Format, FormatKind};
use crate::geom::Origin;
use crate::options::camera::{CameraRequest, Turn, ratio};
use crate::options::camera_keys::CameraKeys;
use crate::options::figure::LegendChoice;
use crate::options::load_options::LoadOptions;
use crate::options::picture_settings;
use crate::options::routes::Route;
use crate::options::same_view;
use crate::pictures::bare_data;
use crate::pictures::bare_data::Drawing;
use crate::pictures::several;
use crate::read::read;
use crate::rows::column_plan::{CategoryNames, FoundColors};
use crate::scales::arrow_scale::ArrowScale;
use crate::scene::circles::Layer;
use crate::scene::spheres::{
    Background, Camera, PaintedSphere, Pose, Projection, SphereGroup, SphereScene, StandardView,
};
use crate::scene::{Scene, SphereSink, bounds, degrees};
use crate::source::memory_files::FileSystem;
use crate::streams::survey::Survey;

/// Spheres per block of the survey.
const BLOCK: usize = 1 << 16;

/// Threads that read frames; each holds one frame in memory.
const READERS: usize = 2;

/// Angle in degrees between the framed positions of a turning sphere.
const TURN_STEP: f64 = 5.0;

/// A frame of a film: a file, and the number of the frame if the file may have several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFrame {
    pub path: PathBuf,
    pub frame: Option<i64>,
    /// Its index among the frames of all files, or among the times of a table.
    pub number: u64,
}

/// The frames of a film, and the files that have them.
#[derive(Clone, Copy, Debug)]
pub struct FilmFrames<'a> {
    pub files: &'a FileSystem,
    pub frames: &'a [DataFrame],
}

impl FilmFrames<'_> {
    /// The frames after the first.
    fn rest(&self) -> Self {
        Self { frames: self.frames.get(1..).unwrap_or_default(), ..*self }
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
    let (rest, first) = (frames.rest(), measured(frames.files, first_frame, options, sweep)?);
    let mut fixed = LoadOptions { frame: None, ..options.clone() };
    let (width, height) = first.scene.size();
    let alpha = largest_alpha(&first.scene);
    let scene = match &first.scene {
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
    let is_scene = first.format.kind() == FormatKind::Scene;
    let is_framed = !first.has_camera(options) && (sweep.is_some() || !rest.frames.is_empty());
    if !is_scene {
        fix_radius(&mut fixed, scene);
    }
    let mut survey = FrameSurvey {
        colors: FrameColors::of(&first),
        arrows: ArrowScale::of(options),
        framing: is_framed.then(|| Framed::new(scene, options, sweep)),
    };
    let mut notes = survey.add_all(&first, rest, options, sweep, progress)?;
    notes.extend(survey.colors.fix(&mut fixed));
    if let Some(arrows) = survey.arrows {
        arrows.fix(&mut fixed);
    }
    let (camera, (width, height)) = match survey.framing {
        Some(framing) => framing.camera(options)?,
        None => (scene.view.camera, (width, height)),
    };
    fix_camera(&mut fixed, &camera, Origin::at(scene.origin));
    // the camera is zoomed already; 1 overrides the zoom of a scene file
    fixed.zoom = is_scene.then_some(1.0);
    (fixed.width, fixed.height) = (Some(width), Some(height));
    if sweep.is_none() {
        // a scene may have angles of its own, which the camera has already
        let none = is_scene.then_some(0.0);
        (fixed.azimuth, fixed.elevation, fixed.roll) = (none, none, none);
    }
    Ok(FilmView { options: fixed, notes, has_alpha, alpha })
}

/// The opacity of the most opaque circle or sphere.
fn largest_alpha(scene: &Scene<'_>) -> f32 {
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
    first: &Measured,
    rest: FilmFrames<'_>,
    options: &LoadOptions,
    progress: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<Vec<String>> {
    let mut notes = first.notes.clone();
    progress(1)?;
    if first.format.kind() != FormatKind::Table || rest.frames.is_empty() {
        return Ok(notes);
    }
    notes.push(
        "each table is laid out by itself: places and sizes of frames do not compare; with a column of zeros as --z all have one camera"
            .to_owned(),
    );
    let mut colors = FrameColors::of(first);
    if colors.are_open(options) {
        in_order(
            rest,
            |frame| measured(rest.files, frame, options, None),
            |index, measured| {
                colors.add(&measured);
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

/// The measures of all frames: the colours, the scale of arrows and the camera.
struct FrameSurvey {
    colors: FrameColors,
    /// `None` if there are no arrows or their scale is given.
    arrows: Option<ArrowScale>,
    /// `None` if the camera is given.
    framing: Option<Framed>,
}

impl FrameSurvey {
    /// Adds the frames of a film after `first`, which has been read; returns their notes.
    fn add_all(
        &mut self,
        first: &Measured,
        rest: FilmFrames<'_>,
        options: &LoadOptions,
        sweep: Option<[f64; 2]>,
        progress: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<Vec<String>> {
        self.add_shapes(first)?;
        progress(1)?;
        let mut notes = first.notes.clone();
        if !rest.frames.is_empty() {
            notes.extend(several::radii_note(options, "frame"));
        }
        if self.framing.is_some() && !rest.frames.is_empty() || self.colors.are_open(options) || self.arrows.is_some() {
            let read = |frame: &DataFrame| measured(rest.files, frame, options, sweep);
            in_order(rest, read, |index, measured| {
                // an option without effect in one frame may have one in another
                notes.retain(|note| !note.contains(" changes nothing: ") || measured.notes.contains(note));
                self.add(&measured)?;
                progress(index + 2)
            })?;
        }
        Ok(notes)
    }

    fn add(&mut self, frame: &Measured) -> Result<()> {
        if let Scene::Spheres(_) = &frame.scene {
            self.colors.add(frame);
        }
        self.add_shapes(frame)
    }

    fn add_shapes(&mut self, frame: &Measured) -> Result<()> {
        let Scene::Spheres(scene) = &frame.scene else { return Ok(()) };
        if let Some(arrows) = &mut self.arrows {
            arrows.add(&frame.figure.legend);
        }
        self.framing.as_mut().map_or(Ok(()), |framing| framing.add(scene, &frame.figure))
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
    scene: Scene<'static>,
    pub(crate) figure: Figure,
    pub(crate) categories: CategoryNames,
    pub(crate) tables: Vec<FoundColors>,
    notes: Vec<String>,
}

impl Measured {
    /// Whether the file or the options fix the camera.
    fn has_camera(&self, options: &LoadOptions) -> bool {
        self.format.kind() == FormatKind::Scene
            || options.eye.is_some()
            || options.target.is_some()
            || options.ortho_height.is_some()
    }
}

/// Reads a frame at its own size, with its legend; a turning camera is not turned yet.
fn measured(files: &FileSystem, frame: &DataFrame, options: &LoadOptions, sweep: Option<[f64; 2]>) -> Result<Measured> {
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
    let (format, Drawing { scene, figure, categories, tables, notes, .. }) = drawing?;
    Ok(Measured { format, scene, figure, categories, tables, notes })
}

/// Fixes the radius, if this program chose one for all spheres, and the occlusion distance.
fn fix_radius(options: &mut LoadOptions, scene: &SphereScene<'_>) {
    let mut radii = scene.groups.iter().flat_map(|group| group.spheres.iter()).map(|sphere| sphere.radius);
    if let (None, None, Some(first)) = (&options.radius, &options.r, radii.next())
        && radii.all(|radius| radius == first)
    {
        options.radius = Some(first.to_string());
    }
    let distance = scene.shading.ao_distance;
    if options.ao_distance.is_none() && distance.is_finite() {
        options.ao_distance = Some(distance);
    }
}

fn fix_camera(options: &mut LoadOptions, camera: &Camera, origin: Origin) {
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

/// Finds the camera that shows all frames.
struct Framed {
    request: CameraRequest,
    survey: Survey,
    swept: Option<Swept>,
    /// Spheres so far.
    count: u64,
    /// Directions towards the eye and up, before turns.
    directions: [Vec3; 2],
}

impl Framed {
    fn new(scene: &SphereScene<'_>, options: &LoadOptions, sweep: Option<[f64; 2]>) -> Self {
        let camera = &scene.view.camera;
        let directions = [camera.eye - camera.target, camera.up];
        let turn = match sweep {
            None => Turn::default(),
            Some(_) => Turn { azimuth: None, elevation: options.elevation, roll: options.roll },
        };
        let request = CameraRequest {
            view: Some(StandardView::Broadside),
            facing: Some(directions),
            ortho: matches!(camera.projection, Projection::Orthographic { .. }),
            fov: options.fov,
            zoom: options.zoom,
            turn,
            ..CameraRequest::default()
        };
        let survey = match options.width.zip(options.height) {
            Some(size) => Survey::of_directions(&request.directions_that_decide(ratio(size))),
            None => Survey::of_any_picture(&request),
        };
        let azimuth = f64::from(options.azimuth.unwrap_or(0.0));
        let swept = sweep.map(|angles| Swept::new(scene, directions, angles.map(|angle| angle + azimuth)));
        Self { request, survey, swept, count: 0, directions }
    }

    /// Adds the spheres of a frame and the corners of its box.
    fn add(&mut self, scene: &SphereScene<'_>, figure: &Figure) -> Result<()> {
        if let Some(cell) = &figure.cell {
            self.add_block(&bare_data::corners(cell))?;
        }
        let mut block = Vec::with_capacity(BLOCK);
        for group in &scene.groups {
            for pose in group.poses.iter() {
                for sphere in group.spheres.iter() {
                    let center = if *pose == Pose::IDENTITY { sphere.center } else { pose.apply(sphere.center) };
                    block.push(PaintedSphere { center, ..sphere });
                    if block.len() == BLOCK {
                        self.add_block(&block)?;
                        block.clear();
                    }
                }
            }
        }
        self.add_block(&block)
    }

    fn add_block(&mut self, spheres: &[PaintedSphere]) -> Result<()> {
        if let Some(swept) = &mut self.swept {
            spheres.iter().for_each(|sphere| swept.add(sphere));
            return Ok(());
        }
        self.survey.add_at(self.count, spheres)?;
        self.count += spheres.len() as u64;
        Ok(())
    }

    /// The camera and the size of the picture.
    fn camera(mut self, options: &LoadOptions) -> Result<(Camera, (u32, u32))> {
        if let Some(swept) = &self.swept {
            self.survey.add_at(0, &swept.places())?;
        }
        let refuse = |message| Error::setting("eye", message);
        let (size, farthest) = match options.width.zip(options.height) {
            Some(size) => {
                let directions = self.request.directions_that_decide(ratio(size));
                (size, self.survey.farthest_of_directions(&directions))
            }
            None => {
                let size = picture_settings::size_filled(options, self.survey.aspect(&self.request))?;
                let directions = self.request.directions_that_decide(ratio(size));
                let farthest = self.survey.farthest(ratio(size), &directions);
                let hard = || refuse("is hard to find for this shape; give width and height".to_owned());
                (size, farthest.ok_or_else(hard)?)
            }
        };
        let groups = [SphereGroup::from(&farthest[..])];
        let mut camera = self.request.camera(&groups, size).map_err(refuse)?;
        if let Some(Swept { pivot, axis, .. }) = self.swept {
            // the camera before it turns, aimed at the point of the axis nearest to its line of sight
            let (eye, target) = (camera.eye.as_dvec3(), camera.target.as_dvec3());
            let (along, from) = ((eye - target).normalize_or(DVec3::Z), eye - pivot);
            let cosine = along.dot(axis);
            let across = 1.0 - cosine * cosine;
            let height = if across > 1e-6 {
                (from.dot(axis) - from.dot(along) * cosine) / across
            } else {
                (target - pivot).dot(axis)
            };
            let middle = pivot + axis * height;
            let [toward_eye, up] = self.directions;
            camera.target = middle.as_vec3();
            camera.eye = (middle + toward_eye.as_dvec3().normalize_or(DVec3::Z) * eye.distance(middle)).as_vec3();
            camera.up = up;
        }
        Ok((camera, size))
    }
}

/// The volume that spheres sweep as they turn around an axis.
struct Swept {
    pivot: DVec3,
    /// Unit vectors: up, and two across.
    axis: DVec3,
    across: [DVec3; 2],
    angles: [f64; 2],
    /// Directions, and the sphere that reaches farthest in each. Their components: for whole turns out from the axis, 0
    /// and up, otherwise right, back and up.
    leaders: Vec<SweptLeader>,
}

/// The sphere that reaches farthest in a direction.
struct SweptLeader {
    direction: [f64; 3],
    reach: f64,
    sphere: Option<PaintedSphere>,
}

/// Number of directions in the half-plane beside the axis, and in space.
const PROFILE: u32 = 48;
const SPIRAL: u32 = 512;

impl Swept {
    fn new(scene: &SphereScene<'_>, [toward_eye, up]: [Vec3; 2], angles: [f64; 2]) -> Self {
        let back = toward_eye.as_dvec3().normalize_or(DVec3::Z);
        let right = up.as_dvec3().cross(back).normalize_or(DVec3::X);
        let axis = back.cross(right);
        let pivot = bounds(&scene.groups).map_or(DVec3::ZERO, |[least, most]| 0.5 * (least + most));
        let leader = |direction| SweptLeader { direction, reach: f64::NEG_INFINITY, sphere: None };
        let mut swept = Self { pivot, axis, across: [right, back], angles, leaders: Vec::new() };
        swept.leaders = if swept.is_whole_turn() {
            (0..PROFILE).map(|index| leader(half_circle(index))).collect()
        } else {
            (0..SPIRAL).map(|index| leader(spiral(index))).collect()
        };
        swept
    }

    fn is_whole_turn(&self) -> bool {
        self.angles[1] - self.angles[0] >= 359.0
    }

    fn add(&mut self, sphere: &PaintedSphere) {
        let from = Vec3::from(sphere.center).as_dvec3() - self.pivot;
        let height = from.dot(self.axis);
        let [x, y] = self.across.map(|across| from.dot(across));
        let (radius, is_whole) = (f64::from(sphere.radius), self.is_whole_turn());
        if !radius.is_finite() || radius < 0.0 {
            return;
        }
        let place = if is_whole { [(x * x + y * y).sqrt(), 0.0, height] } else { [x, y, height] };
        for leader in &mut self.leaders {
            let [a, b, c] = leader.direction;
            let reach = place[0] * a + place[1] * b + place[2] * c + radius;
            if reach > leader.reach {
                (leader.reach, leader.sphere) = (reach, Some(*sphere));
            }
        }
    }

    /// The farthest spheres, at several positions of their turn.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded to f32; some dozens of steps")]
    fn places(&self) -> Vec<PaintedSphere> {
        let [from, to] = if self.is_whole_turn() { [0.0, 360.0] } else { self.angles };
        let steps = libm::ceil((to - from) / TURN_STEP).max(1.0) as u32;
        // between two positions the arc lies outside of the chord
        let out = 1.0 / libm::cos((0.5 * (to - from) / f64::from(steps)).to_radians());
        let mut places = Vec::new();
        for sphere in self.leaders.iter().filter_map(|leader| leader.sphere.as_ref()) {
            let offset = Vec3::from(sphere.center).as_dvec3() - self.pivot;
            let height = offset.dot(self.axis);
            let [x, y] = self.across.map(|across| offset.dot(across) * out);
            for step in 0..=steps {
                // the spheres turn to the left as the eye goes to the right
                let angle = -(from + (to - from) * f64::from(step) / f64::from(steps)).to_radians();
                let (sine, cosine) = libm::sincos(angle);
                let [right, back] = self.across;
                // from the side towards the back of the picture: right × back = -axis
                let place =
                    self.pivot + self.axis * height + right * (x * cosine + y * sine) + back * (y * cosine - x * sine);
                places.push(PaintedSphere { center: place.as_vec3().to_array(), ..*sphere });
            }
        }
        places
    }
}

/// A unit vector of the half-plane beside the axis: out from the axis, 0, up.
fn half_circle(index: u32) -> [f64; 3] {
    let angle = std::f64::consts::PI * (f64::from(index) / f64::from(PROFILE - 1) - 0.5);
    let (sine, cosine) = libm::sincos(angle);
    [cosine, 0.0, sine]
}

/// A unit vector of an even spread over the sphere: the golden spiral.
fn spiral(index: u32) -> [f64; 3] {
    /// The golden angle.
    const ANGLE: f64 = 2.399_963_229_728_653;
    let z = 1.0 - 2.0 * (f64::from(index) + 0.5) / f64::from(SPIRAL);
    let (sine, cosine) = libm::sincos(ANGLE * f64::from(index));
    let around = (1.0 - z * z).sqrt();
    [around * cosine, around * sine, z]
}
