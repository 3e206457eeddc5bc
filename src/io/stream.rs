//! Scenes of spheres that are drawn without being in memory: files of any size, and generated shapes of any number.

use std::ops::Range;
use std::path::PathBuf;

use glam::DVec3;
use rayon::prelude::*;

use super::load::bare_data::{self, SphereKind};
use super::load::blocks::BlockFiles;
use super::load::camera::CameraWish;
use super::load::canvas::{CanvasTransform, Corners};
use super::load::figure::{FigureFacts, FigureOverrides};
use super::load::overrides::Overrides;
use super::load::picture;
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::frame::Frame;
use crate::render::shadow_stream::ShadowStream;
use crate::render::share::VisibleShare;
use crate::render::stream::{SphereStream, VisiblePart};
use crate::render::{Renderer, Statistics, StreamStatistics};
use crate::scene::circles::Canvas;
use crate::scene::generate::{self, Pattern};
use crate::scene::sample_step;
use crate::scene::spheres::{AmbientOcclusion, PaintedSphere, SphereGroup, SphereScene, StandardView};

/// A scene whose spheres are read, or generated, whenever it is drawn, a block at a time.
///
/// It is seen from the front unless the caller says otherwise; else it is the scene that [`load`](super::load) makes of the same file.
///
/// ```
/// use roundel::generate::Pattern;
/// use roundel::io::{Overrides, StreamedScene};
/// use roundel::spheres::{AmbientOcclusion, Look};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let overrides = Overrides {
///     width: Some(64),
///     height: Some(64),
///     look: Some(Look::Headlight),
///     ao: Some(AmbientOcclusion::Off),
///     ..Overrides::default()
/// };
/// let scene = StreamedScene::generated(Pattern::Uniform, 100_000, 1, &overrides)?;
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
    source: Source,
    /// Whether the caller has chosen how spheres are lit.
    is_shading_chosen: bool,
}

/// Where spheres come from.
#[derive(Clone, Debug)]
enum Source {
    Files(Box<BlockFiles>),
    Generated { pattern: Pattern, count: u64, seed: u64 },
}

/// Spheres that are generated together.
const BLOCK: usize = 1 << 20;

/// Spheres that a thread looks at together.
const CHUNK: usize = 1 << 14;

impl StreamedScene {
    /// A scene of the rows of one file or several, one after the other: tables, arrays, raw columns, XYZ files and those of
    /// LAMMPS.
    ///
    /// Files are read again for each drawing; and before, unless the radius, the picture's size, eye and target are given. What that finds
    /// is kept in a file beside the first one, `FILE.roundel-index`, which is safe to delete.
    ///
    /// # Errors
    /// As [`load`](super::load); when something is asked for that depends on all rows, such as a selection or a range of colours
    /// that is not given as numbers.
    ///
    /// # Panics
    /// Without files.
    pub fn files(paths: &[PathBuf], overrides: &Overrides) -> Result<Self> {
        picture::check_sides(overrides)?;
        let files = BlockFiles::new(paths, overrides)?;
        let plan = files.plan()?;
        let (name, format) = (files.name(), files.format()?);
        let files = files.with_facts_for(&plan)?;
        let kind = if plan.is_molecule() { SphereKind::Atoms } else { SphereKind::Particles };
        let source = Source::Files(Box::new(files));
        Self::new(&name, bare_data::unit(format), kind, source, overrides)
    }

    /// A scene of generated spheres, as [`generate::spheres`] makes them.
    ///
    /// # Errors
    /// When an override is out of range.
    pub fn generated(pattern: Pattern, count: u64, seed: u64, overrides: &Overrides) -> Result<Self> {
        let source = Source::Generated { pattern, count, seed };
        Self::new(pattern.name(), "", SphereKind::Particles, source, overrides)
    }

    fn new(
        name: &str,
        unit: &'static str,
        kind: SphereKind,
        mut source: Source,
        overrides: &Overrides,
    ) -> Result<Self> {
        if overrides.view == Some(StandardView::Broadside) {
            let message = "must be a side where files are streamed: broadside depends on all rows".to_owned();
            return Err(Error::Setting { name: "view", message });
        }
        let facts = FigureFacts { is_solid: true, unit, pixels: 1.0, ..FigureFacts::default() };
        let figure = overrides.figure.figure(name, &facts)?;
        if figure.scale != 0.0 && figure.scale != 1.0 {
            let message =
                "is for files that are in memory; width and height say how large a stream is drawn".to_owned();
            return Err(Error::Setting { name: "scale", message });
        }
        let ortho = figure.scale_bar.is_some() && overrides.fov.is_none();
        let view = StandardView::Front;
        let Overrides { look, ao, shadows, look_numbers, .. } = overrides;
        let is_shading_chosen = look.is_some() || ao.is_some() || shadows.is_some() || look_numbers.key_angle.is_some();
        let wish = CameraWish { view: Some(view), ortho, ..CameraWish::default() }.overridden(overrides)?;
        let (width, height) = match (overrides.width, overrides.height) {
            (Some(_), Some(_)) => picture::size_filled(overrides, picture::ASPECT)?,
            _ => {
                let aspect = if wish.aspect(&[]).is_some() { source.aspect(&wish)? } else { picture::ASPECT };
                picture::size_filled(overrides, aspect)?
            }
        };
        // the camera depends on the spheres that reach farthest, which are drawn from among all
        let outer = if wish.depends_on_spheres() {
            source.outer_remembered(&wish.directions_that_decide((width, height)))?
        } else {
            Vec::new()
        };
        let overrides = Overrides { width: Some(width), height: Some(height), ..overrides.clone() };
        let groups = vec![SphereGroup::from(outer)];
        let mut scene = bare_data::spheres(name, groups, kind, view, &figure, &overrides)?;
        scene.groups.clear();
        Ok(Self { scene, figure, source, is_shading_chosen })
    }

    /// The same scene without ambient occlusion and with hard shadows, which need no hidden spheres; `None` if its look was chosen.
    #[must_use]
    pub fn without_hidden(&self) -> Option<Self> {
        let mut simpler = (!self.is_shading_chosen).then(|| self.clone())?;
        simpler.scene.shading.ambient_occlusion = AmbientOcclusion::Off;
        simpler.scene.shading.key_angle_radians = 0.0;
        simpler.is_shading_chosen = true;
        Some(simpler)
    }

    /// Draws the scene and its figure.
    ///
    /// # Errors
    /// As [`Renderer::stream`] and [`Renderer::render`]; when a file cannot be read.
    pub fn draw(&self, renderer: &mut Renderer, frame: &mut Frame) -> Result<(Statistics, StreamStatistics)> {
        let mut visible = self.stream_part(renderer, 0, 1)?.finish()?;
        let mut streamed = visible.statistics;
        if let Some((casters, pass)) = self.casters_of_part(renderer, &visible, 0, 1)? {
            visible = visible.with_casters(&[casters]);
            streamed = streamed.with_pass(pass);
        }
        Ok((self.draw_visible(visible, renderer, frame)?, streamed))
    }

    /// Streams the part of the scene that process number `process` of `count` draws, from 0: a range of the generated spheres, or
    /// some of the files. The parts of all processes are the scene; see [`VisibleShare`](crate::VisibleShare).
    ///
    /// # Errors
    /// As [`Renderer::stream`]; when a file cannot be read.
    ///
    /// # Panics
    /// If there are fewer processes.
    pub fn stream_part<'a>(&self, renderer: &'a Renderer, process: usize, count: usize) -> Result<SphereStream<'a>> {
        let mut stream = renderer.stream(&self.scene)?;
        self.source.feed_part(process, count, &mut stream)?;
        Ok(stream)
    }

    /// The spheres of the part of a process that cast shadows on what shows of the whole scene, and what it took to find them; `None`
    /// if the picture needs none. See [`Renderer::stream_shadows`].
    ///
    /// # Errors
    /// As [`StreamedScene::stream_part`].
    ///
    /// # Panics
    /// If there are fewer processes.
    pub fn casters_of_part(
        &self,
        renderer: &Renderer,
        visible: &VisiblePart,
        process: usize,
        count: usize,
    ) -> Result<Option<(VisibleShare, StreamStatistics)>> {
        let Some(mut shadows) = renderer.stream_shadows(visible)? else { return Ok(None) };
        self.source.feed_part(process, count, &mut shadows)?;
        Ok(Some(shadows.finish()))
    }

    /// Draws what shows of the scene, and its figure.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn draw_visible(&self, visible: VisiblePart, renderer: &mut Renderer, frame: &mut Frame) -> Result<Statistics> {
        let scene = visible.scene.into();
        let statistics = renderer.render(&scene, frame)?;
        self.figure.draw(renderer, &scene, frame)?;
        Ok(statistics)
    }
}

/// A stream that spheres are added to.
trait Sink {
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()>;

    fn add_by_rule(
        &mut self,
        numbers: Range<u64>,
        fill: impl Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync,
    ) -> Result<()>;
}

impl Sink for SphereStream<'_> {
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
        self.add_at(first, spheres)
    }

    fn add_by_rule(
        &mut self,
        numbers: Range<u64>,
        fill: impl Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync,
    ) -> Result<()> {
        self.add_by_rule(numbers, fill)
    }
}

impl Sink for ShadowStream<'_> {
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
        self.add_at(first, spheres);
        Ok(())
    }

    fn add_by_rule(
        &mut self,
        numbers: Range<u64>,
        fill: impl Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync,
    ) -> Result<()> {
        self.add_by_rule(numbers, fill);
        Ok(())
    }
}

impl Source {
    /// Adds the part of process number `process` of `count` to a stream.
    fn feed_part(&self, process: usize, count: usize, sink: &mut impl Sink) -> Result<()> {
        assert!(process < count, "processes are counted from 0");
        match *self {
            Self::Files(ref files) => {
                files.part(process, count)?.for_each(|first, spheres| sink.add_at(first, spheres))
            }
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

    /// Hands over all spheres in order.
    fn for_each(&self, mut take: impl FnMut(&[PaintedSphere]) -> Result<()>) -> Result<()> {
        match self {
            Self::Files(files) => files.for_each(|_, spheres| take(spheres)),
            Self::Generated { pattern, count, seed } => {
                for first in (0..*count).step_by(BLOCK) {
                    let numbers: Vec<u64> = (first..(*count).min(first + BLOCK as u64)).collect();
                    let made = numbers.par_chunks(CHUNK).flat_map_iter(|chunk| {
                        let mut spheres = Vec::with_capacity(chunk.len());
                        let numbers = chunk[0]..chunk[0] + chunk.len() as u64;
                        generate::extend_spheres(*pattern, numbers, *count, *seed, &mut spheres);
                        spheres
                    });
                    take(&made.collect::<Vec<_>>())?;
                }
                Ok(())
            }
        }
    }

    /// Width over height of the picture that everything fills.
    fn aspect(&mut self, wish: &CameraWish) -> Result<f64> {
        let find = |source: &mut Self| {
            let aspect = wish.aspect(&[SphereGroup::from(source.sample()?)]);
            Ok(aspect.unwrap_or(picture::ASPECT))
        };
        let Self::Files(files) = self else { return find(self) };
        let found = files.remembered(&format!("aspect {wish:?}"), |files| {
            find(&mut Self::Files(Box::new(files.clone()))).map(|aspect| vec![aspect])
        })?;
        Ok(found.first().copied().unwrap_or(picture::ASPECT))
    }

    /// For each direction a sphere that reaches farthest in it.
    #[expect(clippy::cast_possible_truncation, reason = "written from f32")]
    fn outer_remembered(&mut self, directions: &[DVec3; 6]) -> Result<Vec<PaintedSphere>> {
        let Self::Files(files) = self else { return self.outer(directions) };
        let found = files.remembered(&format!("outer {directions:?}"), |files| {
            let outer = Self::Files(Box::new(files.clone())).outer(directions)?;
            let numbers = |sphere: &PaintedSphere| {
                let [x, y, z] = sphere.center;
                [x, y, z, sphere.radius].map(f64::from)
            };
            Ok(outer.iter().flat_map(numbers).collect())
        })?;
        let sphere = |numbers: &[f64; 4]| {
            let [x, y, z, radius] = numbers.map(|number| number as f32);
            PaintedSphere::new([x, y, z], radius, Srgba8::BLACK)
        };
        Ok(found.as_chunks().0.iter().map(sphere).collect())
    }

    /// The spheres that are looked at to choose the shape of the picture.
    fn sample(&mut self) -> Result<Vec<PaintedSphere>> {
        let count = match self {
            Self::Files(files) => files.count()?,
            Self::Generated { count, .. } => *count,
        };
        let step = sample_step(usize::try_from(count).unwrap_or(usize::MAX));
        if let Self::Generated { pattern, count, seed } = *self {
            return Ok((0..count).step_by(step).map(|number| pattern.sphere(number, count, seed)).collect());
        }
        let (mut sampled, mut skip) = (Vec::new(), 0);
        self.for_each(|spheres| {
            sampled.extend(spheres.iter().skip(skip).step_by(step));
            let taken = spheres.len().saturating_sub(skip).div_ceil(step);
            skip = skip + taken * step - spheres.len();
            Ok(())
        })?;
        Ok(sampled)
    }

    /// For each direction a sphere that reaches farthest in it.
    fn outer(&self, directions: &[DVec3; 6]) -> Result<Vec<PaintedSphere>> {
        let mut farthest = [f64::NEG_INFINITY; 6];
        let mut outer = [None; 6];
        self.for_each(|spheres| {
            let reach = |sphere: &PaintedSphere, direction: &DVec3| {
                direction.dot(DVec3::from(sphere.center.map(f64::from))) + f64::from(sphere.radius)
            };
            let of_chunk = |chunk: &[PaintedSphere]| {
                let mut most = [f64::NEG_INFINITY; 6];
                for sphere in chunk {
                    for (most, direction) in most.iter_mut().zip(directions) {
                        *most = most.max(reach(sphere, direction));
                    }
                }
                most
            };
            let chunks: Vec<[f64; 6]> = spheres.par_chunks(CHUNK).map(of_chunk).collect();
            for (chunk, most) in spheres.chunks(CHUNK).zip(chunks) {
                for axis in 0..6 {
                    if most[axis] > farthest[axis] {
                        farthest[axis] = most[axis];
                        outer[axis] =
                            chunk.iter().find(|sphere| reach(sphere, &directions[axis]) == most[axis]).copied();
                    }
                }
            }
            Ok(())
        })?;
        Ok(outer.into_iter().flatten().collect())
    }
}

/// Generated circles on a canvas that they fill, which are generated whenever they are drawn, a block at a time.
///
/// The scene of a file with these circles in `[[generate]]` and nothing else.
///
/// ```
/// use roundel::generate::Pattern;
/// use roundel::io::{Overrides, StreamedCircles};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let overrides = Overrides { width: Some(64), ..Overrides::default() };
/// let scene = StreamedCircles::generated(Pattern::Sunflower, 100_000, 1, &overrides)?;
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// let statistics = scene.draw(&mut Renderer::new(&RenderSettings::default())?, &mut frame)?;
/// assert_eq!((frame.width(), frame.height(), statistics.shapes), (64, 48, 100_000));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StreamedCircles {
    canvas: Canvas,
    transform: CanvasTransform,
    pattern: Pattern,
    count: u64,
    seed: u64,
}

impl StreamedCircles {
    /// Circles as [`generate::circles`] makes them.
    ///
    /// # Errors
    /// When an override is out of range, or means nothing for circles.
    pub fn generated(pattern: Pattern, count: u64, seed: u64, overrides: &Overrides) -> Result<Self> {
        picture::refuse_for_circles(pattern.name(), overrides)?;
        let given =
            [("view_box", overrides.view_box.is_some()), ("figure", overrides.figure != FigureOverrides::default())];
        picture::refuse(&given, || "is for circles that are in memory; these are streamed".to_owned())?;
        let (width, height) = picture::size(overrides, (None, None), picture::ASPECT)?;
        let mut corners = Corners::NONE;
        for first in (0..count).step_by(BLOCK) {
            let chunks: Vec<u64> = (first..count.min(first + BLOCK as u64)).step_by(CHUNK).collect();
            let of_chunk = |first: &u64| {
                let mut circles = Vec::with_capacity(CHUNK);
                generate::extend_circles(pattern, *first..count.min(first + CHUNK as u64), count, seed, &mut circles);
                Corners::of(&circles)
            };
            corners = corners.join(chunks.par_iter().map(of_chunk).reduce(|| Corners::NONE, Corners::join));
        }
        let transform = corners.filling((width, height), false);
        let background = overrides.background.unwrap_or(Srgba8::WHITE);
        let canvas = Canvas::new(width, height).with_background(background);
        Ok(Self { canvas, transform, pattern, count, seed })
    }

    /// Draws the circles.
    ///
    /// # Errors
    /// As [`Renderer::stream_circles`].
    pub fn draw(&self, renderer: &mut Renderer, frame: &mut Frame) -> Result<StreamStatistics> {
        let Self { transform, pattern, count, seed, .. } = self;
        let mut stream = renderer.stream_circles(&self.canvas)?;
        stream.add_below_by_rule(0..*count, |numbers, circles| {
            generate::extend_circles(*pattern, numbers, *count, *seed, circles);
            circles.iter_mut().for_each(|circle| transform.apply(circle));
        })?;
        // those below a finished picture were not looked at
        Ok(StreamStatistics { shapes: *count, ..stream.finish(frame)? })
    }
}
