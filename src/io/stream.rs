//! Scenes of spheres that are drawn without being held in memory: files of any size, and any number of generated
//! shapes.

use std::path::PathBuf;
use std::sync::Arc;

use glam::DVec3;

use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::frame::Frame;
use crate::geom::Origin;
use crate::scene::generate::{self, Pattern};
use crate::scene::spheres::{AmbientOcclusion, PaintedSphere, SphereGroup, SphereScene, StandardView, UpAxis};
use crate::scene::{Rays, Scene, SphereSink, extents_of_rows};
use roundel_load::options::camera::{CameraRequest, Stance, ratio};
use roundel_load::options::figure::FigureFacts;
use roundel_load::options::idle;
use roundel_load::options::load_options::LoadOptions;
use roundel_load::options::picture_settings;
use roundel_load::options::routes::Route;
use roundel_load::options::same_view;
use roundel_load::pictures::bare_data;
use roundel_load::pictures::bare_data::{BareShapes, SphereKind};
use roundel_load::rows::counted_rows::CountedRows;
use roundel_load::streams::sphere_files::BlockFiles;
use roundel_load::streams::survey::Survey;
use roundel_render::SceneShard;
use roundel_render::{Renderer, Statistics, StreamStatistics};
use roundel_render::{SphereStream, VisibleScene};

/// A scene that reads or generates its spheres each time it is drawn, a block at a time.
///
/// It is seen from the front unless the caller says otherwise. In all else it is the scene that [`load`](super::load)
/// makes of the same file.
///
/// ```
/// use roundel::generate::Pattern;
/// use roundel::io::{LoadOptions, StreamedScene};
/// use roundel::spheres::{AmbientOcclusion, ShadingPreset};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let options = LoadOptions {
///     width: Some(64),
///     height: Some(64),
///     look: Some(ShadingPreset::Headlight),
///     ao: Some(AmbientOcclusion::Off),
///     ..LoadOptions::default()
/// };
/// let scene = StreamedScene::generated(Pattern::Uniform, 100_000, 1, &options)?;
/// let mut renderer = Renderer::new(&RenderSettings::default())?;
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// let (_, streamed) = scene.draw(&mut renderer, &mut frame)?;
/// assert_eq!(streamed.shapes, 100_000);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamedScene {
    /// The scene without its spheres.
    pub scene: SphereScene<'static>,
    /// Marks around the picture and on it.
    pub figure: Figure,
    source: StreamSource,
    options: LoadOptions,
    /// Whether the caller has chosen how spheres are lit.
    is_shading_chosen: bool,
    /// Azimuth, elevation and roll that a scene in memory would have.
    turn: Option<[f64; 3]>,
    /// Counts of the rows of files, once they are drawn.
    counted: Arc<CountedRows>,
}

#[derive(Clone, Debug)]
enum StreamSource {
    Files(Box<BlockFiles>),
    Generated { pattern: Pattern, count: u64, seed: u64 },
}

impl StreamedScene {
    /// A scene of the rows of one file or several, one after the other: tables, arrays, raw columns, XYZ files and
    /// files of LAMMPS.
    ///
    /// Each drawing reads the files again. Unless radius, picture size, eye and target are given, a pass before finds
    /// them and keeps them in a file beside the first one, `FILE.roundel-index`, which is safe to delete.
    ///
    /// # Errors
    /// As [`load`](super::load); when something is asked for that depends on all rows, such as a selection or a range
    /// of colours that is not given as numbers.
    ///
    /// # Panics
    /// Without files.
    pub fn files(paths: &[PathBuf], options: &LoadOptions) -> Result<Self> {
        picture_settings::check_sides(options)?;
        let files = BlockFiles::new(paths, options)?;
        let plan = files.plan()?;
        let (name, format) = (files.name(), files.format()?);
        let files = files.with_facts_for(&plan)?;
        let kind = if plan.is_molecule() { SphereKind::Atoms } else { SphereKind::Particles };
        let source = StreamSource::Files(Box::new(files));
        Self::new(&name, bare_data::unit(format), kind, source, options)
    }

    /// A scene of generated spheres, as [`generate::spheres`] makes them.
    ///
    /// # Errors
    /// When an override is out of range.
    pub fn generated(pattern: Pattern, count: u64, seed: u64, options: &LoadOptions) -> Result<Self> {
        Route::Pattern(pattern.name()).check(options)?;
        let source = StreamSource::Generated { pattern, count, seed };
        Self::new(pattern.name(), "", SphereKind::Particles, source, options)
    }

    fn new(
        name: &str,
        unit: &'static str,
        kind: SphereKind,
        mut source: StreamSource,
        options: &LoadOptions,
    ) -> Result<Self> {
        let options = &*same_view::applied(options)?;
        if options.view == Some(StandardView::Broadside) {
            let message = "must be a side where files are streamed: broadside depends on all rows".to_owned();
            return Err(Error::setting("view", message));
        }
        check_opacity(&source, options)?;
        Route::Stream.check(options)?;
        let facts = FigureFacts { is_solid: true, unit, pixels: 1.0, ..FigureFacts::default() };
        let figure = options.figure.figure(name, &facts)?;
        let ortho = figure.scale_bar.is_some() && options.fov.is_none();
        // both look along z
        let stance = match kind {
            SphereKind::Atoms => Stance { view: StandardView::Front, up: UpAxis::Y, focus: None, along: None },
            SphereKind::Particles => Stance { view: StandardView::Top, up: UpAxis::Z, focus: None, along: None },
        };
        let LoadOptions { look, ao, shadows, shading, .. } = options;
        let is_shading_chosen =
            look.is_some() || ao.is_some() || shadows.is_some() || shading.get("key_angle").is_some();
        let origin = source.origin();
        let request =
            CameraRequest { origin, view: Some(stance.view), up_axis: stance.up, ortho, ..CameraRequest::default() }
                .overridden(options)?;
        let (size, outer) = source.framed(&request, options)?;
        let turn = if let StreamSource::Files(files) = &source { files.turn() } else { None };
        let turn = turn.filter(|_| !is_view_chosen(options));
        let options = LoadOptions { width: Some(size.0), height: Some(size.1), ..options.clone() };
        let groups = vec![SphereGroup::from(outer)];
        let bare = BareShapes { groups, origin, ..BareShapes::default() };
        let mut scene = bare_data::spheres(name, bare, kind, stance, &figure, &options)?;
        scene.groups.clear();
        let rays = Rays::new(&scene.view);
        if rays.parallel && options.eye.is_some() {
            // parallel rays from far away start near the nearest sphere
            let nearest = source.farthest(&[-rays.frame[2]; 6], || None)?;
            scene.extents = Some(Box::new(extents_of_rows(&nearest, &rays)));
        }
        Ok(Self { scene, figure, source, options, is_shading_chosen, turn, counted: Arc::default() })
    }

    /// The same scene without ambient occlusion and with hard shadows, which need no hidden spheres; `None` if its look
    /// was chosen.
    #[must_use]
    pub fn without_hidden(&self) -> Option<Self> {
        let mut simpler = (!self.is_shading_chosen).then(|| self.clone())?;
        simpler.scene.shading.ambient_occlusion = AmbientOcclusion::Off;
        simpler.scene.shading.key_angle_radians = 0.0;
        simpler.is_shading_chosen = true;
        Some(simpler)
    }

    /// Notes for the caller on rows that lack something and on options that change nothing, once the visible spheres
    /// have been found; a sentence each, without a full stop.
    #[must_use]
    pub fn notes(&self, visible: &VisibleScene) -> Vec<String> {
        let mut notes =
            if let StreamSource::Files(files) = &self.source { files.notes(&self.counted) } else { Vec::new() };
        notes.extend(idle::notes_of_stream(&visible.scene, &self.figure, &self.options, visible.cutting));
        notes.extend(self.note_of_files());
        notes.extend(self.turn.map(|[azimuth, elevation, roll]| {
            format!(
                "a stream is seen from the front, not broadside; --azimuth {azimuth} --elevation {elevation} --roll {roll} \
                 turns the camera as for a file in memory"
            )
        }));
        notes.extend(self.figure.notes(&Scene::Spheres(visible.scene.view.into()), &[]));
        notes
    }

    /// A note on the colours, legend and lines that several files lose: a stream does not tell files apart.
    fn note_of_files(&self) -> Option<String> {
        let StreamSource::Files(files) = &self.source else { return None };
        let LoadOptions { color, color_by, .. } = &self.options;
        let has_lines = self.scene.shading.outline_width.is_none_or(|width| width > 0.0);
        let lacks = [
            (color.is_none() && color_by.is_none(), "no colours and no legend of files"),
            (has_lines, "no lines between files"),
        ];
        let lacks: Vec<&str> = lacks.into_iter().filter_map(|(lacks, what)| lacks.then_some(what)).collect();
        (files.paths.len() > 1 && !lacks.is_empty())
            .then(|| format!("a stream draws several files as one: {}", lacks.join(", ")))
    }

    /// Draws the scene and its figure.
    ///
    /// # Errors
    /// As [`StreamedScene::visible`] and [`StreamedScene::draw_visible`].
    pub fn draw(&self, renderer: &mut Renderer, frame: &mut Frame) -> Result<(Statistics, StreamStatistics)> {
        let visible = self.visible(renderer)?;
        let streamed = visible.statistics;
        Ok((self.draw_visible(visible, renderer, frame)?, streamed))
    }

    /// Finds the visible spheres, and the casters of shadows on them.
    ///
    /// # Errors
    /// As [`Renderer::stream`]; when a file cannot be read.
    pub fn visible(&self, renderer: &Renderer) -> Result<VisibleScene> {
        let mut visible = self.stream_part(renderer, 0, 1)?.finish()?;
        if let Some((casters, pass)) = self.casters_of_part(renderer, &visible, 0, 1)? {
            let statistics = visible.statistics.with_pass(pass);
            visible = visible.with_casters(&[casters]);
            visible.statistics = statistics;
        }
        Ok(visible)
    }

    /// Streams the part of the scene that process number `process` of `count` draws, from 0: a range of the generated
    /// spheres, or some of the files. The parts of all processes are the scene; see [`SceneShard`](crate::SceneShard).
    ///
    /// # Errors
    /// As [`Renderer::stream`]; when a file cannot be read.
    ///
    /// # Panics
    /// If there are fewer processes.
    pub fn stream_part<'a>(&self, renderer: &'a Renderer, process: usize, count: usize) -> Result<SphereStream<'a>> {
        let mut stream = renderer.stream(&self.scene)?;
        self.counted.clear();
        self.source.counting(&self.counted).feed_part(process, count, &mut stream)?;
        Ok(stream)
    }

    /// Returns the counts of the rows that this process has drawn, for [`StreamedScene::add_counts`] of the first one.
    #[cfg(feature = "mpi")]
    pub(crate) fn counts(&self) -> Vec<u8> {
        self.counted.to_bytes()
    }

    /// Adds the counts of the rows that another process has drawn.
    #[cfg(feature = "mpi")]
    pub(crate) fn add_counts(&self, counts: &[u8]) {
        self.counted.add_bytes(counts);
    }

    /// The shadow casters in this process's part of the scene, with statistics; `None` if the picture has no hard
    /// shadows. See [`Renderer::stream_shadows`].
    ///
    /// # Errors
    /// As [`StreamedScene::stream_part`].
    ///
    /// # Panics
    /// If there are fewer processes.
    pub fn casters_of_part(
        &self,
        renderer: &Renderer,
        visible: &VisibleScene,
        process: usize,
        count: usize,
    ) -> Result<Option<(SceneShard, StreamStatistics)>> {
        let Some(mut shadows) = renderer.stream_shadows(visible)? else { return Ok(None) };
        self.source.feed_part(process, count, &mut shadows)?;
        Ok(Some(shadows.finish()))
    }

    /// Draws the visible spheres and the figure.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn draw_visible(
        &self,
        visible: VisibleScene,
        renderer: &mut Renderer,
        frame: &mut Frame,
    ) -> Result<Statistics> {
        let scene = visible.scene.into();
        let statistics = renderer.render(&scene, frame)?;
        self.figure.draw(&|scene| renderer.depths(scene), renderer.budget(), &scene, frame)?;
        Ok(statistics)
    }
}

impl StreamSource {
    /// The same source, which adds the rows that it feeds to these counts.
    fn counting(&self, counted: &Arc<CountedRows>) -> Self {
        match self.clone() {
            Self::Files(files) => Self::Files(Box::new(files.counting(counted))),
            generated @ Self::Generated { .. } => generated,
        }
    }

    /// Adds the part of process number `process` of `count` to a stream.
    fn feed_part(&self, process: usize, count: usize, sink: &mut impl SphereSink) -> Result<()> {
        assert!(process < count, "processes are counted from 0");
        match *self {
            Self::Files(ref files) => files.part(process, count)?.feed(sink),
            Self::Generated { pattern, count: spheres, seed } => {
                let end = |process: usize| {
                    let end = u128::from(spheres) * process as u128 / count as u128;
                    u64::try_from(end).expect("a share of a number is no greater")
                };
                sink.add_by_rule(end(process)..end(process + 1), |numbers, made| {
                    generate::extend_spheres(pattern, numbers, spheres, seed, made);
                })
            }
        }
    }

    /// The size of the picture, and the outermost spheres, which decide its camera: if they are in view, all are.
    fn framed(&mut self, request: &CameraRequest, options: &LoadOptions) -> Result<((u32, u32), Vec<PaintedSphere>)> {
        let fills = (options.width.is_none() || options.height.is_none()) && request.aspect(&[]).is_some();
        let (mut aspect, mut survey) = (picture_settings::ASPECT, None);
        if fills {
            let name = format!("aspect {request:?}");
            if let Some([known, ..]) = self.recalled(&name).as_deref() {
                aspect = *known;
            } else {
                aspect = survey.insert(self.survey(Survey::of_any_picture(request))?).aspect(request);
                self.keep(&name, [aspect]);
            }
        }
        let size = picture_settings::size_filled(options, aspect)?;
        let outer = if request.depends_on_spheres() {
            let directions = request.directions_that_decide(ratio(size));
            self.farthest(&directions, || survey?.farthest(ratio(size), &directions))?
        } else {
            Vec::new()
        };
        if let Self::Files(files) = self {
            files.find_missing_facts()?;
        }
        Ok((size, outer))
    }

    /// The sphere that reaches farthest in each direction: from the index, from `known`, or from another pass.
    #[expect(clippy::cast_possible_truncation, reason = "written from f32")]
    fn farthest(
        &mut self,
        directions: &[DVec3; 6],
        known: impl FnOnce() -> Option<Vec<PaintedSphere>>,
    ) -> Result<Vec<PaintedSphere>> {
        let origin = self.origin();
        let of_origin = if origin.is_zero() { String::new() } else { format!(" from {}", origin.point()) };
        let name = format!("outer {directions:?}{of_origin}");
        if let Some(recalled) = self.recalled(&name) {
            let sphere = |numbers: &[f64; 4]| {
                let [x, y, z, radius] = numbers.map(|number| number as f32);
                PaintedSphere::new([x, y, z], radius, Srgba8::BLACK)
            };
            return Ok(recalled.as_chunks().0.iter().map(sphere).collect());
        }
        let found = match known() {
            Some(found) => found,
            None => self.survey(Survey::of_directions(directions))?.farthest_of_directions(directions),
        };
        let numbers = |sphere: &PaintedSphere| {
            let [x, y, z] = sphere.center;
            [x, y, z, sphere.radius].map(f64::from)
        };
        self.keep(&name, found.iter().flat_map(numbers));
        Ok(found)
    }

    /// Surveys all spheres; also finds the radius that suits them all, if it is needed and unknown.
    fn survey(&mut self, mut survey: Survey) -> Result<Survey> {
        self.feed_part(0, 1, &mut survey)?;
        if let Self::Files(files) = self {
            let turn = if files.has_cell() { None } else { survey.turn_to_broadside(files.is_tall()) };
            files.set_turn(turn);
            if let Some(radius) = files.suit_radius(&survey.spread) {
                survey.set_radius(radius);
            }
        }
        Ok(survey)
    }

    /// The origin to subtract from positions of files.
    fn origin(&self) -> Origin {
        if let Self::Files(files) = self { files.origin() } else { Origin::default() }
    }

    /// Numbers that an earlier pass kept under a name.
    fn recalled(&self, name: &str) -> Option<Vec<f64>> {
        if let Self::Files(files) = self { files.recalled(name) } else { None }
    }

    /// Keeps numbers under a name; generated scenes keep none.
    fn keep(&mut self, name: &str, numbers: impl IntoIterator<Item = f64>) {
        if let Self::Files(files) = self {
            files.keep(name, numbers);
        }
    }
}

/// Whether the options choose the view.
fn is_view_chosen(options: &LoadOptions) -> bool {
    let LoadOptions { view, eye, target, up, azimuth, elevation, roll, .. } = options;
    let has_points = eye.is_some() || target.is_some() || up.is_some();
    view.is_some() || has_points || azimuth.is_some() || elevation.is_some() || roll.is_some()
}

/// Refuses translucent spheres before any is read: a stream keeps only the nearest hits.
fn check_opacity(source: &StreamSource, options: &LoadOptions) -> Result<()> {
    let given = options.opacity.iter().any(|(rows, opacity)| rows.is_some() || *opacity != 1.0);
    let colors = [&options.color, &options.color_by].into_iter().flatten();
    let is_translucent = |text: &String| text.parse::<Srgba8>().is_ok_and(|color| color.a != u8::MAX);
    let name = if given {
        "opacity"
    } else if colors.into_iter().any(is_translucent) {
        "color_by"
    } else {
        return Ok(());
    };
    let message = match source {
        StreamSource::Files(_) => {
            "must be opaque where files are streamed, which keeps what is nearest alone".to_owned()
        }
        StreamSource::Generated { pattern, count, .. } => format!(
            "must be opaque where shapes are made as they are drawn; `roundel generate {pattern} -n {count} -o - | roundel render -` \
             keeps them in memory",
            pattern = pattern.name()
        ),
    };
    Err(Error::setting(name, message))
}
