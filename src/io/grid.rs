//! Several files, frames or sides, in panels: one camera, or one for each at one scale; one range of colours, one legend.

use std::iter;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::loaded_scene::{LoadedScene, RenderReport};
use crate::error::{Error, Result};
use crate::figure::{AxesPlace, Figure, PanelLayout};
use crate::frame::Frame;
use crate::scene::spheres::{Camera, Framing, Projection, SphereScene};
use crate::scene::{Scene, bounds, filled_aspect};
use roundel_formats::formats::facts::FrameTimes;
use roundel_load::films::panels::PanelCameras;
use roundel_load::options::idle;
use roundel_load::options::load_options::LoadOptions;
use roundel_load::options::panels::{FigureGrid, LONG_SIDE, PanelSide, PanelWords, panel_title};
use roundel_load::options::picture_settings;
use roundel_load::options::routes::Route;
use roundel_load::options::same_view;
use roundel_load::options::visible_share;
use roundel_load::pictures::panel_cameras::{
    common_aspect, diagonal, is_free, lie_apart, may_look_at_own, reach, reach_of_side, set_reach, share_scale,
};
use roundel_load::pictures::plane::{PlanePanel, PlanePanels};
use roundel_load::pictures::several;
use roundel_load::pictures::several::{Arranged, FrameChoice, PanelPart};
use roundel_load::read::{read_plane_panels, sized};
use roundel_render::{OcclusionError, Renderer};

/// Scenes of one size and one camera, side by side.
#[derive(Clone, Debug)]
pub struct SceneGrid {
    pub(super) panels: Vec<LoadedScene<'static>>,
    pub(super) captions: Vec<String>,
    pub(super) layout: PanelLayout,
    /// The marks around the whole.
    pub(super) figure: Figure,
    /// Notes for the caller: a sentence each, without a full stop.
    pub notes: Vec<String>,
}

/// Reads several files, or frames of files, of atoms or particles for a picture of as many panels as `grid` has, row by
/// row. All have one camera, which shows everything in all of them, and numbers have one range of colours. Files that
/// lie far apart are seen from one side and at one scale, each around its own middle. With several
/// [`views`](LoadOptions::views) each of them is shown from all of these sides, at one scale.
///
/// # Errors
/// As [`load_several`](super::load_several); when there are more files and frames than panels.
///
/// ```
/// use roundel::io::{FrameList, LoadOptions, load_grid};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let mut options = LoadOptions::default();
/// (options.width, options.figure.grid) = (Some(200), Some("2x1".parse()?));
/// let frames: FrameList = "0,1".parse()?;
/// let grid = load_grid(&["docs/scenes/argon.xyz.gz".into()], &frames.into(), &options)?;
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// grid.draw(&mut Renderer::new(&RenderSettings::default())?, &mut frame)?;
/// assert_eq!(frame.width(), 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_grid(paths: &[PathBuf], frames: &FrameChoice, options: &LoadOptions) -> Result<SceneGrid> {
    let options = same_view::applied(options)?;
    if options.figure.panel_by.is_some() {
        return plane_grid(paths, frames, &options);
    }
    let request = GridRequest::new(&options)?;
    let arranged = several::read_panels(paths, frames, &request.of_panels)?;
    request.arrange(arranged, paths.len(), None)
}

/// The panels that options ask for.
#[derive(Clone, Debug)]
pub(crate) struct GridRequest {
    /// The options of the whole.
    options: LoadOptions,
    /// Those of one panel.
    pub(crate) of_panels: LoadOptions,
    sides: Vec<PanelSide>,
    sizes: GridSizes,
}

impl GridRequest {
    /// Checks the options, and finds the options of one panel.
    pub(crate) fn new(options: &LoadOptions) -> Result<Self> {
        let Some(grid) = options.figure.panels() else {
            let message = "must say how many panels stand side by side and below each other, such as 2x3".to_owned();
            return Err(Error::setting("grid", message));
        };
        let figure = &options.figure;
        Route::Panels.check(options)?;
        // the width of the figure, until the legend's width is known
        let whole = sized(options)?;
        let sizes = GridSizes {
            grid,
            width: whole.width,
            height: whole.height,
            fits_legend: figure.figure_width.is_some(),
            natural: (1.0, 1.0),
        };
        let mut blank = Figure { print: figure.print_size(), ..Figure::default() };
        let [across, down] = sizes.layout(&mut blank, sizes.estimate()).beside();
        let mut of_panels = figure.clone();
        (of_panels.figure_width, of_panels.dpi) = (None, figure.resolution());
        let of_panels = LoadOptions {
            width: whole.width.filter(|_| whole.height.is_some()).map(|width| share(width, across, grid.columns)),
            height: whole.height.filter(|_| whole.width.is_some()).map(|height| share(height, down, grid.rows)),
            figure: of_panels,
            ..options.clone()
        };
        picture_settings::check_sides(&of_panels)?;
        Ok(Self { options: options.clone(), of_panels, sides: PanelSide::all(options)?, sizes })
    }

    /// The number of panels of so many parts; refuses more than there is room for, and other numbers of titles.
    pub(crate) fn count(&self, parts: usize) -> Result<usize> {
        let grid = self.sizes.grid;
        let (drawn, count) = (parts * self.sides.len(), grid.columns as usize * grid.rows as usize);
        if drawn > count {
            let message = format!("must have room for {drawn} panels, got {grid}, which has {count}");
            return Err(Error::setting("grid", message));
        }
        check_titles(&self.options.figure.panel_title, drawn)?;
        Ok(drawn)
    }

    /// Panels of parts of so many files, with the cameras of a film, if it has stated them, or their own.
    pub(crate) fn arrange(&self, arranged: Arranged, files: usize, stated: Option<&PanelCameras>) -> Result<SceneGrid> {
        let Self { options, of_panels, sides, .. } = self;
        let Arranged { drawing, parts, other_sides, .. } = arranged;
        let Scene::Spheres(all) = &drawing.scene else { unreachable!("several files are drawn as spheres") };
        let scenes: Vec<&SphereScene<'_>> = iter::once(all).chain(&other_sides).collect();
        let drawn = self.count(parts.len())?;
        let is_apart = files > 1 && lie_apart(all, &parts);
        let moves_cameras = is_apart && may_look_at_own(options, &parts);
        let own_size = (all.view.width, all.view.height);
        let natural = natural_size(&scenes, &parts, moves_cameras);
        let sizes = GridSizes { natural: stated.map_or(natural, |stated| stated.natural), ..self.sizes.clone() };
        let mut outer = Figure { cell: None, labels: Vec::new(), ..drawing.figure.clone() };
        outer.print.millimeters = options.figure.figure_width.and_then(|width| width.millimeters());
        // seen from several sides, each panel has axes of its own
        let own_axes = outer.axes.filter(|_| scenes.len() > 1).map(|_| AxesPlace::Inside);
        outer.axes = outer.axes.filter(|_| own_axes.is_none());
        let (layout, size) = sizes.fitted(&mut outer, own_size);
        of_panels.budget.check_picture("with all its panels ", layout.size(size))?;
        let mut notes = drawing.notes;
        notes.extend(is_apart.then(|| note_of_distance(moves_cameras)));
        notes.extend(empty_panels(sizes.grid, drawn));
        let eyes = sides.len() / scenes.len();
        let of_part = |part: &PanelPart| {
            let sides = scenes.iter().zip(&part.labels);
            let figure = Figure { axes: own_axes, ..outer.without_bands() };
            let shown = sides
                .map(|(scene, labels)| panel(scene, part, size, Figure { labels: labels.clone(), ..figure.clone() }));
            shown.flat_map(|panel| iter::repeat_n(panel, eyes)).collect::<Vec<_>>()
        };
        let shown = parts.iter().flat_map(of_part);
        let mut panels: Vec<LoadedScene<'static>> = shown.collect();
        match stated {
            Some(PanelCameras { cameras, .. }) => {
                let scenes = panels.iter_mut().filter_map(spheres);
                scenes.zip(cameras.iter().cycle()).for_each(|(scene, camera)| scene.view.camera = *camera);
            }
            None => {
                if moves_cameras {
                    frame_each(&mut panels);
                }
                if moves_cameras || scenes.len() > 1 {
                    share_scale(cameras(&mut panels));
                }
                if eyes > 1 {
                    part_eyes(&mut panels, sides, is_free(options));
                }
            }
        }
        let captions = captions(&parts, sides, &options.figure.panel_title)?;
        notes.extend(notes_of_panels(&panels, &captions, &outer, options));
        notes.extend(outer.notes(&drawing.scene, &captions));
        Ok(SceneGrid { panels, captions, layout, figure: outer, notes })
    }

    /// Panels of the same files in another frame of a film, with the layout, the marks and the cameras of `first`.
    pub(crate) fn arrange_as(&self, first: &SceneGrid, arranged: &Arranged) -> Result<SceneGrid> {
        let Arranged { drawing, parts, .. } = arranged;
        let Scene::Spheres(all) = &drawing.scene else { unreachable!("several files are drawn as spheres") };
        let repeated = parts.iter().flat_map(|part| iter::repeat_n(part, self.sides.len()));
        let same = |(part, like): (&PanelPart, &LoadedScene<'static>)| {
            let labels = part.labels.first().cloned().unwrap_or_default();
            let figure = Figure { labels, axes: like.figure.axes, ..first.figure.without_bands() };
            let mut panel = panel(all, part, like.scene.size(), figure);
            if let (Some(scene), Scene::Spheres(like)) = (spheres(&mut panel), &like.scene) {
                scene.view.camera = like.view.camera;
            }
            panel
        };
        let panels = repeated.zip(&first.panels).map(same).collect();
        let captions = captions(parts, &self.sides, &self.options.figure.panel_title)?;
        Ok(SceneGrid { panels, captions, layout: first.layout, figure: first.figure.clone(), notes: Vec::new() })
    }
}

/// The size of a panel that shows everything: its own size, or the size that the largest part or the widest side needs.
fn natural_size(scenes: &[&SphereScene<'_>], parts: &[PanelPart], moves_cameras: bool) -> (f64, f64) {
    let views: Vec<_> = scenes.iter().map(|scene| (scene.view.camera, (scene.view.width, scene.view.height))).collect();
    let (_, (width, height)) = views[0];
    let (width, height) = (f64::from(width), f64::from(height));
    match moves_cameras {
        true => (height * scenes.iter().map(|scene| aspect_of_largest(scene, parts)).fold(0.0, f64::max), height),
        false if scenes.len() > 1 => (height * common_aspect(&views), height),
        false => (width, height),
    }
}

/// The note that files lie far apart, and where the cameras of their panels look.
fn note_of_distance(moves_cameras: bool) -> String {
    let how = match moves_cameras {
        true => "each panel looks at its own, from one side and at one scale",
        false => "all panels have one camera; superposed files are larger",
    };
    format!("the files lie far apart: {how}")
}

/// Panels by a column of a table in the plane, with the same axes, sizes and colours.
fn plane_grid(paths: &[PathBuf], frames: &FrameChoice, options: &LoadOptions) -> Result<SceneGrid> {
    let ([path], FrameChoice::One) = (paths, frames) else {
        return Err(Error::setting("panel_by", "is for one table, and this picture has several files or frames"));
    };
    let (drawing, PlanePanels { panels, layout }) = read_plane_panels(path, options)?;
    let file = drawing.sources.first().map_or("", |source| source.file.as_str());
    let titles = &options.figure.panel_title;
    check_titles(titles, panels.len())?;
    let mut captions = Vec::new();
    for (index, PlanePanel { name, .. }) in panels.iter().enumerate() {
        let words = PanelWords { name, file, times: FrameTimes::default(), side: PanelSide::default() };
        captions.push(panel_title(given_title(titles, index).unwrap_or("{name}"), &words)?);
    }
    let panel = |PlanePanel { scene, figure, .. }| LoadedScene { scene, figure, notes: Vec::new(), camera: None };
    let panels: Vec<LoadedScene<'static>> = panels.into_iter().map(panel).collect();
    let mut notes = drawing.notes;
    if options.density.is_none() {
        notes.extend(notes_of_panels(&panels, &captions, &drawing.figure, options));
    }
    notes.extend(drawing.figure.notes(&drawing.scene, &captions));
    Ok(SceneGrid { panels, captions, layout, figure: drawing.figure, notes })
}

/// The title that is asked for of a panel, if there is one.
fn given_title(titles: &[String], index: usize) -> Option<&str> {
    titles.get(index).or(titles.first()).map(String::as_str)
}

/// Refuses titles that are neither one for all panels nor one for each.
fn check_titles(titles: &[String], count: usize) -> Result<()> {
    if titles.len() > 1 && titles.len() != count {
        let message = format!("must be given once, or for each of {count} panels, got {}", titles.len());
        return Err(Error::setting("panel_title", message));
    }
    Ok(())
}

/// The titles of panels: the names of their parts and sides, or those that are asked for.
fn captions(parts: &[PanelPart], sides: &[PanelSide], titles: &[String]) -> Result<Vec<String>> {
    let count = parts.len() * sides.len();
    let usual = match (parts, sides) {
        (_, [_]) => "{name}",
        ([_], _) => "{view}",
        _ => "{name}, {view}",
    };
    let title = |index: usize| {
        let PanelPart { name, file, times, .. } = &parts[index / sides.len()];
        let words = PanelWords { name, file, times: *times, side: sides[index % sides.len()] };
        panel_title(given_title(titles, index).unwrap_or(usual), &words)
    };
    (0..count).map(title).collect()
}

/// A note on empty panels, unless only the last row has room.
fn empty_panels(grid: FigureGrid, drawn: usize) -> Option<String> {
    let (columns, count) = (grid.columns as usize, grid.columns as usize * grid.rows as usize);
    let drawn_panels = if drawn == 1 { "1 is".to_owned() } else { format!("{drawn} are") };
    (drawn < columns || drawn <= count - columns).then(|| {
        format!(
            "--grid {grid} has room for {count} panels, of which {drawn_panels} drawn; panels are files, frames that \
             --frames names in a picture, and sides that --view names"
        )
    })
}

/// Notes on shapes out of sight in a panel, and on options that change no panel.
fn notes_of_panels(
    panels: &[LoadedScene<'_>],
    captions: &[String],
    marks: &Figure,
    options: &LoadOptions,
) -> Vec<String> {
    let of_sight = panels.iter().zip(captions).filter_map(|(panel, caption)| {
        let note = visible_share::note_for(&panel.scene, options)?;
        Some(format!("{caption}: {note}"))
    });
    // titles of panels are marks
    let marks = Figure { title: captions.first().cloned(), ..marks.clone() };
    let mut idle = panels.iter().map(|panel| idle::notes(&panel.scene, &marks, options));
    let first = idle.next().unwrap_or_default();
    let everywhere = idle.fold(first, |mut notes, others| {
        notes.retain(|note| others.contains(note));
        notes
    });
    of_sight.chain(everywhere).collect()
}

/// The side in pixels of one of `count` panels in a row, with `beside` pixels around them.
fn share(side: u32, beside: u32, count: u32) -> u32 {
    (side.saturating_sub(beside) / count).max(1)
}

/// The sizes of panels and of the whole.
#[derive(Clone, Debug)]
struct GridSizes {
    grid: FigureGrid,
    /// The given sides of the whole.
    width: Option<u32>,
    height: Option<u32>,
    /// Whether the width includes the legend.
    fits_legend: bool,
    /// Width and height of a panel that shows everything: its aspect ratio, unless both sides of the whole are given.
    natural: (f64, f64),
}

impl GridSizes {
    /// A size of the whole that suits type before panels are known.
    fn estimate(&self) -> (u32, u32) {
        (self.width.or(self.height).unwrap_or(LONG_SIDE), self.height.unwrap_or(1))
    }

    /// The layout around panels, with type for a whole of this size.
    fn layout(&self, figure: &mut Figure, size: (u32, u32)) -> PanelLayout {
        figure.suit_type(size);
        figure.panel_layout([self.grid.columns, self.grid.rows])
    }

    /// The layout around panels, and the size of a panel, which is `size` if both sides of the whole are given.
    fn fitted(&self, figure: &mut Figure, mut size: (u32, u32)) -> (PanelLayout, (u32, u32)) {
        let Self { grid, natural, .. } = *self;
        let mut layout = PanelLayout::default();
        // the type size depends on the size of the whole, and the other way round
        for _ in 0..3 {
            let whole = if layout.columns == 0 { self.estimate() } else { layout.size(size) };
            layout = self.layout(figure, whole);
            let [across, down] = layout.beside();
            size = match (self.width, self.height) {
                (Some(_), Some(_)) => size,
                (Some(width), None) => {
                    let legend = if self.fits_legend {
                        let (across, down) = layout.size(size);
                        figure.fit_legend(f64::from(width), f64::from(down) / f64::from(across.max(1)))
                    } else {
                        0
                    };
                    let width = share(width.saturating_sub(legend), across, grid.columns);
                    scaled(natural, f64::from(width) / natural.0)
                }
                (None, Some(height)) => scaled(natural, f64::from(share(height, down, grid.rows)) / natural.1),
                (None, None) => {
                    let long = (natural.0 * f64::from(grid.columns)).max(natural.1 * f64::from(grid.rows));
                    scaled(natural, f64::from(LONG_SIDE) / long)
                }
            };
        }
        match self.width {
            Some(width) if !self.fits_legend => (layout.filling(width, size), size),
            _ => (layout, size),
        }
    }
}

/// Width over height of the picture that the largest part fills.
fn aspect_of_largest(all: &SphereScene<'_>, parts: &[PanelPart]) -> f64 {
    /// As for single pictures, no side is more than three times the other.
    const LONGEST: f64 = 3.0;
    let reach = |part: &&PanelPart| bounds(&all.groups[part.groups.clone()]).map_or(0.0, diagonal);
    let largest = parts.iter().max_by(|a, b| reach(a).total_cmp(&reach(b)));
    let Camera { eye, target, up, projection, .. } = all.view.camera;
    let fov = match projection {
        Projection::Perspective { fov_y_radians } => Some(fov_y_radians),
        Projection::Orthographic { .. } => None,
    };
    let aspect = largest.map(|part| filled_aspect(&all.groups[part.groups.clone()], eye - target, up, fov));
    aspect.filter(|aspect| aspect.is_finite()).unwrap_or(1.0).clamp(1.0 / LONGEST, LONGEST)
}

/// Centres the camera of each panel on its content.
fn frame_each(panels: &mut [LoadedScene<'static>]) {
    for scene in panels.iter_mut().filter_map(spheres) {
        scene.view.camera = framed(scene);
    }
}

/// The camera that shows all of a scene from the side of its own.
fn framed(scene: &SphereScene<'_>) -> Camera {
    let Camera { eye, target, up, projection, .. } = scene.view.camera;
    let aspect = scene.view.width as f32 / scene.view.height as f32;
    let framing = Framing { toward_eye: eye - target, up, aspect };
    match projection {
        Projection::Perspective { fov_y_radians } => {
            Camera::framing_perspective(&scene.framed(), &framing, fov_y_radians)
        }
        Projection::Orthographic { .. } => Camera::framing_orthographic(&scene.framed(), &framing),
    }
}

/// Moves the cameras of panels to the places of eyes, and away if something would be cut off there.
fn part_eyes(panels: &mut [LoadedScene<'static>], sides: &[PanelSide], fits: bool) {
    for (scene, side) in panels.iter_mut().filter_map(spheres).zip(sides.iter().cycle()) {
        scene.view.camera = side.camera(scene.view.camera);
        if fits {
            let own = scene.view.camera;
            let framed = framed(scene);
            // the target stays where it is for both eyes
            let aside = (framed.target - own.target).length() * scene.view.height as f32 / scene.view.width as f32;
            let needed = reach(&framed) + aside * reach_of_side(&framed);
            set_reach(&mut scene.view.camera, needed.max(reach(&own)));
        }
    }
    if fits {
        share_scale(cameras(panels));
    }
}

/// The cameras of panels.
fn cameras<'a>(panels: &'a mut [LoadedScene<'static>]) -> impl Iterator<Item = &'a mut Camera> {
    panels.iter_mut().filter_map(spheres).map(|scene| &mut scene.view.camera)
}

/// The scene of a panel of spheres.
fn spheres<'a>(panel: &'a mut LoadedScene<'static>) -> Option<&'a mut SphereScene<'static>> {
    if let Scene::Spheres(scene) = &mut panel.scene { Some(scene) } else { None }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn scaled((width, height): (f64, f64), scale: f64) -> (u32, u32) {
    let side = |side: f64| ((side * scale + 0.5) as u32).max(1);
    (side(width), side(height))
}

/// The scene of one part, with the camera of all.
fn panel(all: &SphereScene<'static>, part: &PanelPart, size: (u32, u32), figure: Figure) -> LoadedScene<'static> {
    let mut scene = all.clone();
    scene.groups = all.groups[part.groups.clone()].to_vec();
    scene.shapes = all.shapes.of_companions(&part.groups);
    (scene.view.width, scene.view.height) = size;
    let figure = Figure { cell: part.cell, ..figure };
    LoadedScene { scene: Scene::Spheres(scene), figure, notes: Vec::new(), camera: None }
}

impl SceneGrid {
    /// The scenes of the panels.
    pub(crate) fn scenes(&mut self) -> impl Iterator<Item = &mut SphereScene<'static>> {
        self.panels.iter_mut().filter_map(spheres)
    }

    /// States the time of all panels.
    pub(crate) fn stamp(&mut self, stamp: Option<String>) {
        self.figure.stamp = stamp;
    }

    /// Draws all panels and the marks around them; returns the sums of their counts and times, and of omitted labels.
    ///
    /// # Errors
    /// As [`LoadedScene::draw`].
    pub fn draw(&self, renderer: &mut Renderer, frame: &mut Frame) -> Result<RenderReport> {
        let mut sums = RenderReport::default();
        let mut drawn = Vec::new();
        let never = AtomicBool::new(false);
        for (panel, caption) in self.panels.iter().zip(&self.captions) {
            let mut picture = Frame::new(1, 1, crate::color::Srgba8::TRANSPARENT)?;
            let report = panel.draw_unless_cancelled(renderer, &mut picture, &never)?.expect("nothing cancels it");
            sums.add(&report);
            drawn.push((picture, caption.as_str()));
        }
        let Some(first) = self.panels.first() else { return Ok(sums) };
        *frame = self.figure.composed(&first.scene, &self.layout, &drawn, None)?;
        sums.legend_covers = self.figure.draw_beside(renderer.budget(), &first.scene, frame)?.is_covered;
        Ok(sums)
    }

    /// Compares smooth occlusion with rays in each panel, and returns the panel's in which the means differ most; see
    /// [`Renderer::occlusion_error`].
    ///
    /// # Errors
    /// If a scene exceeds the budget.
    pub fn occlusion_error(&self, renderer: &mut Renderer) -> Result<Option<OcclusionError>> {
        let bias = |error: &OcclusionError| (error.smooth - error.rays).abs();
        let panels = self.panels.iter().map(|panel| renderer.occlusion_error(&panel.scene));
        let errors = panels.filter_map(Result::transpose).collect::<Result<Vec<_>>>()?;
        Ok(errors.into_iter().max_by(|one, other| bias(one).total_cmp(&bias(other))))
    }

    /// Dots per inch, if they are given.
    #[must_use]
    pub fn dpi(&self) -> Option<f32> {
        self.figure.dpi()
    }
}
