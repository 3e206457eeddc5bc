//! Default pictures of data files without a scene.

use std::borrow::Cow;

use glam::{DVec3, Vec3};
use serde_json::Value;

use crate::color::{Scale, Srgba8};
use crate::dataset::copies;
use crate::dataset::data_file;
use crate::dataset::data_file::{DataFile, Depth, Painted, Refuse, Request};
use crate::dataset::describe::{DataSource, SceneData};
use crate::dataset::images::BadImages;
use crate::dataset::option_requests::{
    bond_request, check, column_request, density_colors, extent, glyph_request, hints, images, refuse, refuse_options,
    selections,
};
use crate::dataset::window;
use crate::error::{Error, Resource, Result};
use crate::figure::{CellEdges, DensityFrame, Figure};
use crate::formats::{Format, FormatKind};
use crate::geom::{Origin, Plane, single};
use crate::memory_quota::Quota;
use crate::options::camera::{CameraRequest, Stance};
use crate::options::figure::{FigureFacts, FigureOptions, LegendChoice, ScaleBarChoice};
use crate::options::load_options::{LoadOptions, ShownPart};
use crate::options::picture_settings;
use crate::options::picture_settings::LENGTH_RULE;
use crate::pictures::own_camera::OwnCamera;
use crate::pictures::picture_part::PicturePart;
use crate::pictures::scene_table;
use crate::pictures::scene_table::SceneTable;
use crate::rows::circle_outline;
use crate::rows::circle_outline::CircleOutline;
use crate::rows::column_plan::{CategoryNames, FoundColors};
use crate::rows::computed::ComputedColumn;
use crate::rows::density;
use crate::rows::density::DensityPart;
use crate::rows::row_shapes::CircleLook;
use crate::rows::selections::BadSelection;
use crate::scales::circle_map;
use crate::scales::map_shape;
use crate::scales::map_shape::{PlaneKind, axis_names, axis_numbers};
use crate::scene::circles::{Blend, Canvas, CircleScene};
use crate::scene::spheres::{
    AmbientOcclusion, Background, PaintedSphere, Shading, ShadingPreset, Shapes, SphereGroup, SphereScene,
    Transparency, View,
};
use crate::scene::{CanvasZoom, Scene, SphereInstances, framed};
use crate::source::input::Input;

/// Samples a pixel of bare data.
const SAMPLES: u32 = 4;

/// Ambient light of bare data under the headlight.
const HEADLIGHT_AMBIENT: f32 = 0.5;

/// Occlusion distance of atoms, in ångström, and of particles, in median radii.
const ATOMS_OCCLUDE: f32 = 32.0;
const PARTICLES_OCCLUDE: f32 = 16.0;

/// Occlusion distance with a focus, in ångström: pockets would be dark otherwise.
const FOCUS_OCCLUDES: f32 = 6.0;

/// Least opacity of circles that overlap: of one colour, and of colours that a legend explains.
const FAINTEST: f64 = 0.02;
const FAINTEST_MEANING: f64 = 0.3;

/// What spheres represent. Decides the look, unless one is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SphereKind {
    /// Atoms, whose lengths are in ångström: drawn in the look `illustrative`.
    Atoms,
    /// Anything else: drawn in the look `studio`.
    Particles,
}

/// A scene with its provenance and the notes for the caller.
#[derive(Debug)]
pub struct Drawing {
    pub scene: Scene<'static>,
    pub sources: Vec<DataSource>,
    pub notes: Vec<String>,
    pub figure: Figure,
    /// `None` of circles, and where something is cut away for the camera.
    pub camera: Option<OwnCamera>,
    pub categories: CategoryNames,
    /// The colours of each table of spheres in a scene file.
    pub tables: Vec<FoundColors>,
    /// For a description: the keys of a scene file that `scene` does not hold.
    pub scene_keys: Option<SceneKeys>,
    /// The scene file that draws the same, if it is described.
    pub data: Option<SceneData>,
}

/// The part of a scene file that its scene does not hold.
#[derive(Debug, Default)]
pub struct SceneKeys {
    /// The tables of shapes and lights, in their order.
    pub(crate) tables: Vec<(String, Value)>,
    /// The keys of the canvas besides its size and its background.
    pub(crate) canvas: SceneTable,
    pub(crate) figure: FigureOptions,
    /// Whether files are drawn as they are without a scene.
    pub(crate) is_auto: bool,
}

/// Reads data of any format into a scene: circles for 2D data, spheres for 3D data.
pub(crate) fn read(input: Input, format: Format, options: &LoadOptions, depth: Depth) -> Result<Drawing> {
    refuse_options(&input.name, format, options)?;
    let (file, quota) = (input.name.clone(), input.quota);
    let data = table(input, format, options, depth)?;
    if !data.plan.is_solid() {
        return circles(data, options, depth);
    }
    let categories = data.categories();
    let mut notes = data.notes.clone();
    if options.symmetry.is_some() && !data.fills_cell {
        notes.push(format!("--symmetry changes nothing: {file} is no crystal of small molecules in a cell"));
    }
    let is_described = depth == Depth::Describe;
    let table = is_described.then(|| ("spheres".to_owned(), Value::from(vec![scene_table::spheres(&data, options)])));
    let kind = if data.plan.is_molecule() { SphereKind::Atoms } else { SphereKind::Particles };
    let wanted = FigureOptions { cell: Some(data.fills_cell), ..FigureOptions::default() };
    let wanted = options.figure.over(&wanted);
    let (origin, stance) = (data.origin, data.stance());
    let times = (format.kind() == FormatKind::Atoms || format == Format::Npy).then_some(data.facts.times);
    let part = picture_part(data, options, 0, &quota)?;
    let PicturePart { source, groups, shapes, cell, labels, focus, .. } = part;
    notes.extend(part.notes);
    let legend = wanted.has_legend().then_some(part.legend);
    let facts = FigureFacts { cell, times, is_solid: true, unit: unit(format), pixels: 1.0, ..FigureFacts::default() };
    let figure = wanted.without_legend().figure(&file, &facts)?;
    let camera = own_camera(&stance, origin, &figure, options);
    let mut scene = spheres(&file, BareShapes { groups, shapes, origin }, kind, stance, &figure, options)?;
    let left_out = window::open(&mut scene, focus.as_slice());
    notes.extend(left_out.note(&file));
    let keys = legend.map(|legend| legend.keys(&scene, wanted.counting())).unwrap_or_default();
    let categories = CategoryNames::of_picture(categories, &keys);
    let mut figure = wanted.figure(&file, &FigureFacts { keys, ..facts })?;
    figure.labels = labels;
    left_out.remove_labels(&mut figure.labels);
    let scene = Scene::Spheres(scene);
    // scene files have no keys for these
    let is_said = options.radius_of.is_empty() && left_out.spheres == 0;
    let table = table.filter(|_| is_said);
    let scene_keys = table.map(|table| SceneKeys { tables: vec![table], figure: wanted, ..SceneKeys::default() });
    let (sources, tables) = (vec![source], Vec::new());
    Ok(Drawing { scene, sources, notes, figure, camera, categories, tables, scene_keys, data: None })
}

/// A file, or the assembly that the options name, as a part of a picture, with the groups of spheres after `first` others.
pub(crate) fn picture_part(data: DataFile, options: &LoadOptions, first: usize, quota: &Quota) -> Result<PicturePart> {
    let file = data.source.file.clone();
    let assembly = options.assembly.map(|number| {
        let (chains, assembly) = data.assembly(number).map_err(|message| Error::setting("assembly", message))?;
        copies::check(&chains, &assembly, quota, || format!("assembly {number} of {file}"))?;
        Ok((chains, assembly))
    });
    let assembly = assembly.transpose()?;
    PicturePart::make(data, assembly.as_ref(), images(options), &selections(options)?, first, quota, || file.clone())
}

/// The unit of the lengths in a file, if it is known.
pub fn unit(format: Format) -> &'static str {
    match (format.kind(), format) {
        (_, Format::LammpsDump | Format::LammpsData | Format::Gsd | Format::H5md) => "",
        (FormatKind::Atoms, _) => "Å",
        (FormatKind::Table | FormatKind::Scene | FormatKind::Topology, _) => "",
    }
}

pub(crate) fn table(input: Input, format: Format, options: &LoadOptions, depth: Depth) -> Result<DataFile> {
    let (column_request, selections) = (column_request(options)?, selections(options)?);
    let bonds = bond_request(options)?;
    let glyphs = glyph_request(options)?;
    let computed = ComputedColumn::parse_all(&options.compute)?;
    let request = Request {
        format,
        computed: &computed,
        hints: hints(&input, format, options)?,
        column_request: &column_request,
        selections: &selections,
        look_along: options.look_along.as_ref(),
        images: images(options),
        assembly: options.assembly,
        smooth: options.smooth,
        extent: extent(options, depth),
        origin: options.origin.map(Origin::at),
        bonds: &bonds,
        glyphs: &glyphs,
        scales: scales(options),
        has_legend: options.figure.has_legend(),
        depth,
    };
    let file = input.name.clone();
    let refuse = Refuse {
        column: &|refusal| refuse(&file, options, refusal),
        selection: &|BadSelection { key, rule, .. }| Error::setting(key, rule),
        images: &|BadImages { key, rule }| Error::setting(key, rule),
    };
    data_file::read(input, &request, &refuse, &|plan| check(&file, format, plan, options))
}

/// The scales of the axes of the plane.
fn scales(options: &LoadOptions) -> [Scale; 2] {
    [options.x_scale, options.y_scale].map(Option::unwrap_or_default)
}

/// A picture of the plane, y up, with a size and an opacity of circles that suit the number of rows. Coordinates have one
/// scale on both axes; two quantities fill the picture.
fn circles(mut data: DataFile, options: &LoadOptions, depth: Depth) -> Result<Drawing> {
    let outline = CircleOutline::of(options)?;
    let scales = scales(options);
    let extent = circle_map::extent(&data.table, &data.plan.size, scales);
    let kind = PlaneKind::of(&data, scales);
    let stretch = kind.stretch(extent);
    let aspect = stretch.map_or(picture_settings::ASPECT, |stretch| stretch * circle_map::aspect(extent));
    let (width, height) = picture_settings::size_filled(options, aspect)?;
    let radius = circle_map::suited_radius(data.table.rows(), (width, height));
    let mut look = CircleLook { radius, alpha: None };
    let largest = crate::rows::row_shapes::largest_pixels(&data.table, &data.radii, look.radius);
    let transform = circle_map::transform(extent, scales, stretch, largest, (width, height));
    if stretch.is_none() && options.figure.scale_bar.is_some_and(|bar| bar != ScaleBarChoice::Off) {
        let message =
            format!("is for lengths; the axes of {} are two quantities, which --axes explains", data.source.file);
        return Err(Error::setting("scale_bar", message));
    }
    let density = options.density.as_ref().map(|choice| {
        let colors = density_colors(options)?;
        let part = density_part(options, (width, height))?;
        let bytes = density::bytes(part.size, colors.scale);
        let (across, down) = part.size;
        let subject = || format!("the density of {across}x{down} pixels takes {}", Resource::Memory.amount(bytes));
        options.budget.check(Resource::Memory, bytes, subject)?;
        data.density(choice, &look, &transform, &part, &colors)
    });
    let density = density.transpose()?;
    if density.is_none() && options.density_bin.is_some() {
        return Err(Error::setting("density_bin", "is for a density, which is not given"));
    }
    let (density, density_key) = density.unzip();
    if let (Some(density), None, Depth::Draw) = (&density, options.density_bin, depth) {
        let part = density_part(options, (width, height))?.size;
        data.notes.extend(of_squares(&data.source.file, density, part));
    }
    if density.is_none() && options.opacity_by.is_none() && options.opacity.iter().all(|(rows, _)| rows.is_some()) {
        let faintest = if data.colors.have_meaning() { FAINTEST_MEANING } else { FAINTEST };
        look.alpha = data.overlap(&look, &transform, (width, height)).suited_alpha(faintest);
        // the legend shows it, too
        data.colors = data.colors.with_alpha(look.alpha);
    }
    // scenes say places by numbers, which logarithms round
    let is_said = depth == Depth::Describe && density.is_none() && scales == [Scale::Linear; 2];
    let has_axes = options.figure.axes.unwrap_or(kind.has_axes());
    let legend = density.is_some().then_some(LegendChoice::ON);
    let wanted = FigureOptions { axes: Some(has_axes).filter(|_| has_axes), legend, ..FigureOptions::default() };
    let wanted = options.figure.over(&wanted);
    let scene_keys = is_said.then(|| SceneKeys {
        tables: vec![("points".to_owned(), Value::from(vec![scene_table::points(&data, &look, options)]))],
        canvas: SceneTable::from_iter([("view".to_owned(), scene_table::view(&transform, height))]),
        figure: wanted.clone(),
        is_auto: false,
    });
    let is_in_degrees = kind == PlaneKind::Degrees;
    let unit = if is_in_degrees { "°" } else { "" };
    let latitude = is_in_degrees.then(|| transform.latitude()).flatten();
    let plane = map_shape::axes(&transform, (width, height), axis_names(&data), axis_numbers(&data), &options.figure);
    let background = options.background.unwrap_or(Srgba8::WHITE);
    let canvas = Canvas { width, height, background, blend: Blend::Srgb };
    let Painted { circles, vast, legend, outside, labels } = data.circles(&look, &transform, (width, height));
    let legend = density_key.map_or(legend, |key| vec![key]);
    let keys = if wanted.has_legend() { legend } else { Vec::new() };
    let categories = CategoryNames::of_picture(data.categories(), &keys);
    let facts = FigureFacts { keys, unit, latitude, stretch, plane: Some(plane), ..FigureFacts::default() };
    let DataFile { source, mut notes, .. } = data;
    if depth == Depth::Draw {
        notes.extend(data_file::cropped(&source.file, outside, circles.len()));
        notes.extend(look.alpha.map(|alpha| see_through(&source.file, alpha)));
    }
    let mut figure = wanted.figure(&source.file, &FigureFacts { pixels: transform.scale, ..facts })?;
    let layers = if density.is_none() { vec![circle_outline::layer(circles, &vast, outline)] } else { Vec::new() };
    figure.density = density;
    figure.labels = labels;
    let scene = Scene::Circles(CircleScene { canvas, layers });
    let (sources, tables) = (vec![source], Vec::new());
    Ok(Drawing { scene, sources, notes, figure, camera: None, categories, tables, scene_keys, data: None })
}

/// The part of a picture whose density is drawn; `own` is the size of the whole.
fn density_part(options: &LoadOptions, own: (u32, u32)) -> Result<DensityPart> {
    let Some(ShownPart { view_box, width, height }) = options.shown else {
        return Ok(DensityPart { size: own, zoom: None });
    };
    let size = picture_settings::checked_size(&LoadOptions { width, height, ..options.clone() }, own)?;
    Ok(DensityPart { size, zoom: Some(CanvasZoom::new(&view_box, size)) })
}

/// The note on a density whose numbers are those of squares of several pixels.
fn of_squares(file: &str, density: &DensityFrame, (width, _): (u32, u32)) -> Option<String> {
    let side = (width + density.width / 2) / density.width;
    let note = format!(
        "{file}: rows are few for so many pixels; --density takes squares of {side}, --density-bin 1 takes pixels"
    );
    (side > 1).then_some(note)
}

/// The note on circles that are drawn translucent because they overlap.
fn see_through(file: &str, alpha: u8) -> String {
    let opacity = (f64::from(alpha) / 2.55).round() / 100.0;
    format!(
        "{file}: circles overlap and are drawn at an opacity of {opacity}, so that all show; --opacity sets another"
    )
}

#[derive(Clone, Debug, Default)]
pub struct BareShapes<'a> {
    pub groups: Vec<SphereGroup<'a>>,
    pub shapes: Shapes<'a>,
    /// The origin that has been subtracted from their positions.
    pub origin: Origin,
}

fn shading(groups: &[SphereGroup<'_>], shapes: &Shapes<'_>, kind: SphereKind, look: Option<ShadingPreset>) -> Shading {
    let look = look.unwrap_or(match kind {
        SphereKind::Atoms => ShadingPreset::Illustrative,
        SphereKind::Particles => ShadingPreset::Studio,
    });
    let mut shading = Shading::preset(look).with_samples(SAMPLES);
    if kind == SphereKind::Atoms {
        // walls inside of a molecule, and its far side, are a murky heap
        shading.transparency = Transparency::Front;
    }
    match look {
        ShadingPreset::Headlight => {
            shading.with_ambient(HEADLIGHT_AMBIENT).with_ambient_occlusion(AmbientOcclusion::Smooth)
        }
        _ if kind == SphereKind::Atoms => shading.with_ao_distance(ATOMS_OCCLUDE),
        _ => {
            let radius = SphereInstances::new(groups, [0.0; 3]).with_shapes(shapes).median_radius();
            shading.with_ao_distance(if radius > 0.0 { PARTICLES_OCCLUDE * radius } else { f32::INFINITY })
        }
    }
}

/// A scene of spheres with a camera that shows them all, from `stance` unless the options say otherwise.
pub fn spheres<'a>(
    file: &str,
    bare: BareShapes<'a>,
    kind: SphereKind,
    stance: Stance,
    figure: &Figure,
    options: &LoadOptions,
) -> Result<SphereScene<'a>> {
    let BareShapes { mut groups, shapes, origin } = bare;
    let mut base = shading(&groups, &shapes, kind, options.look);
    if kind == SphereKind::Atoms && stance.focus.is_some() {
        base = base.with_ao_distance(FOCUS_OCCLUDES);
    }
    let shading = picture_settings::shading(options, base)?;
    let request = request(&stance, origin, figure, options).overridden(options)?;
    // the camera frames the corners of a cell, too
    let own = groups.len();
    groups.extend(figure.cell.map(|cell| SphereGroup::from(corners(&cell))));
    let seen = framed(&groups, &shapes);
    let request = request.along(stance.along).facing(&seen);
    let focus = focus(&stance, options)?;
    let ball = focus.map(|ball| [SphereGroup::from(vec![ball])]);
    let seen = ball.as_ref().map_or(seen, |ball| Cow::Borrowed(&ball[..]));
    let is_sized = options.width.is_some() && options.height.is_some();
    let aspect = if is_sized { None } else { request.aspect(&seen) };
    let (width, height) = picture_settings::size_filled(options, aspect.unwrap_or(picture_settings::ASPECT))?;
    let camera = request.camera(&seen, (width, height)).map_err(|message| Error::input(file, None, message))?;
    drop(seen);
    groups.truncate(own);
    let background = Background::Solid(options.background.unwrap_or(Srgba8::WHITE));
    let view = View::new(camera, width, height).with_background(background);
    let mut scene = SphereScene::from(view).with_groups(groups).with_shading(shading);
    scene.shapes = shapes;
    scene.origin = origin.point().to_array();
    let mut scene = picture_settings::cut(options, scene)?;
    if let (Some(PaintedSphere { center, radius, .. }), None) = (focus, options.slab_thickness) {
        let toward_eye = (camera.eye - camera.target).normalize_or_zero();
        let front = Vec3::from(center) + toward_eye * radius;
        scene.clip_planes.push(Plane::through(front, toward_eye).into());
    }
    Ok(scene)
}

/// The camera of data before the options.
fn request(stance: &Stance, origin: Origin, figure: &Figure, options: &LoadOptions) -> CameraRequest {
    let is_tall = options.width.zip(options.height).is_some_and(|(width, height)| height > width);
    // a scale bar needs lengths that are the same everywhere
    let ortho = figure.scale_bar.is_some() && options.fov.is_none();
    let (view, up_axis) = (Some(stance.view), stance.up);
    CameraRequest { origin, view, up_axis, is_tall, ortho, ..CameraRequest::default() }
}

/// The camera of [`spheres`] for other options; `None` where a focus or a slab cuts shapes away, and where rows decide on
/// the side.
pub fn own_camera(stance: &Stance, origin: Origin, figure: &Figure, options: &LoadOptions) -> Option<OwnCamera> {
    let needs_rows = stance.focus.is_some() || stance.along.is_some() || options.slab_thickness.is_some();
    let request = request(stance, origin, figure, options);
    (!needs_rows).then_some(OwnCamera { request, frames_cell: true })
}

/// The sphere around the focus, with its margin.
fn focus(stance: &Stance, options: &LoadOptions) -> Result<Option<PaintedSphere>> {
    let margin = options.focus_margin;
    if let Some(margin) = margin.filter(|margin| !(margin.is_finite() && *margin >= 0.0)) {
        return Err(Error::setting("focus_margin", format!("{LENGTH_RULE}, got {margin}")));
    }
    if margin.is_some() && options.focus.is_none() {
        return Err(Error::setting("focus_margin", "is for a focus, which is not given"));
    }
    let padded = |ball: PaintedSphere| {
        let radius = ball.radius + margin.unwrap_or(0.25 * ball.radius + 2.0);
        PaintedSphere { radius, ..ball }
    };
    Ok(stance.focus.map(padded))
}

/// Points at the corners of a cell.
pub(crate) fn corners(cell: &CellEdges) -> Vec<PaintedSphere> {
    let point = |corner: DVec3| PaintedSphere::new(corner.to_array().map(single), 0.0, Srgba8::BLACK);
    cell.corners().map(point).to_vec()
}
