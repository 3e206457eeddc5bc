//! Default pictures of data files without a scene.

use std::borrow::Cow;

use glam::{DVec3, Vec3};
use serde_json::Value;

use crate::color::{ColorKey, Srgba8};
use crate::dataset::copies;
use crate::dataset::data_file;
use crate::dataset::data_file::{DataFile, Depth, Refuse, Request};
use crate::dataset::describe::{DataSource, SceneData};
use crate::dataset::images::BadImages;
use crate::dataset::option_requests::{
    bond_request, check, column_request, density_colors, extent, glyph_request, hints, images, refuse, refuse_options,
    selections,
};
use crate::dataset::window;
use crate::error::{Error, Result};
use crate::figure::{CellEdges, DensityFrame, Figure, LegendPart};
use crate::formats::{Format, FormatKind};
use crate::geom::{Origin, Plane, single};
use crate::memory_quota::Quota;
use crate::options::camera::{CameraRequest, Stance};
use crate::options::density_choice::DensityChoice;
use crate::options::figure::{FigureFacts, FigureOptions, FileKey, LegendChoice};
use crate::options::load_options::LoadOptions;
use crate::options::picture_settings;
use crate::options::picture_settings::{LENGTH_RULE, refuse_given};
use crate::options::routes::Route;
use crate::options::visible_share;
use crate::pictures::own_camera::OwnCamera;
use crate::pictures::picture_part::PicturePart;
use crate::pictures::plane;
use crate::pictures::plane::PlanePanels;
use crate::pictures::scene_table;
use crate::pictures::scene_table::SceneTable;
use crate::rows::column_plan::{CategoryNames, FoundColors};
use crate::rows::computed::ComputedColumn;
use crate::rows::density;
use crate::rows::density::PointRows;
use crate::rows::overlap::Disc;
use crate::rows::selections::BadSelection;
use crate::scene::spheres::{
    AmbientOcclusion, Background, PaintedSphere, Shading, ShadingPreset, Shapes, SphereGroup, SphereScene,
    Transparency, View,
};
use crate::scene::{Scene, SphereInstances, framed};
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
    /// The radius that was chosen for all spheres of bare data, where nothing says theirs.
    pub suited_radius: Option<f32>,
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
        return Ok(plane::circles(data, options, depth)?.0);
    }
    let (categories, suited_radius) = (data.categories(), data.suited_radius());
    let mut notes = data.notes.clone();
    if options.symmetry.is_some() && !data.fills_cell() {
        notes.push(format!("--symmetry changes nothing: {file} is no crystal of small molecules in a cell"));
    }
    let is_described = depth == Depth::Describe;
    let table = is_described.then(|| ("spheres".to_owned(), Value::from(vec![scene_table::spheres(&data, options)])));
    let kind = if data.plan.is_molecule() { SphereKind::Atoms } else { SphereKind::Particles };
    let legend = options.density.is_some().then_some(LegendChoice::ON);
    let wanted = FigureOptions { cell: Some(data.fills_cell()), legend, ..FigureOptions::default() };
    let wanted = options.figure.over(&wanted);
    let (origin, stance, weights) = (data.origin, data.stance(), data.weights().map(<[f64]>::to_vec));
    let times = (format.kind() == FormatKind::Atoms || format == Format::Npy).then_some(data.facts.times);
    let part = picture_part(data, options, 0, &quota)?;
    let PicturePart { source, groups, shapes, cell, labels, focus, contacts, .. } = part;
    notes.extend(part.notes);
    let legend = wanted.has_legend().then_some(part.legend);
    let facts = FigureFacts { cell, times, is_solid: true, unit: unit(format), pixels: 1.0, ..FigureFacts::default() };
    let figure = wanted.without_legend().figure(&file, &facts)?;
    let camera = own_camera(&stance, origin, &figure, options);
    let mut scene = spheres(&file, BareShapes { groups, shapes, origin }, kind, stance, &figure, options)?;
    let left_out = window::open(&mut scene, focus.as_slice());
    notes.extend(contacts.notes(&left_out).iter().map(|note| format!("{file}: {note}")));
    notes.extend(left_out.note(&file));
    if options.density.is_none() && options.density_bin.is_some() {
        return Err(Error::setting("density_bin", "is for a density, which is not given"));
    }
    if let Some(choice) = &options.density {
        notes.extend(density::note_of_weights(&file, weights.as_deref()));
        let (density, key) = density_of_spheres(&file, choice, &scene, weights.as_deref(), options)?;
        notes.extend(density::note_off_scale(&file, &key));
        let keys = if wanted.has_legend() { vec![key] } else { Vec::new() };
        let mut figure = wanted.figure(&file, &FigureFacts { keys, ..facts })?;
        notes.extend(plane::of_squares(&file, &density).filter(|_| options.density_bin.is_none()));
        figure.density = Some(density);
        (scene.groups, scene.shapes) = (Vec::new(), Shapes::default());
        let (sources, scene) = (vec![source], Scene::Spheres(scene));
        let (tables, categories) = (Vec::new(), CategoryNames::default());
        return Ok(Drawing {
            scene,
            sources,
            notes,
            figure,
            camera: None,
            categories,
            tables,
            suited_radius,
            scene_keys: None,
            data: None,
        });
    }
    let keys = legend.map(|legend| legend.keys(&scene, wanted.counting(), &left_out)).unwrap_or_default();
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
    Ok(Drawing { scene, sources, notes, figure, camera, categories, tables, suited_radius, scene_keys, data: None })
}

/// The density of spheres in the picture of their camera, and its legend.
fn density_of_spheres(
    file: &str,
    choice: &DensityChoice,
    scene: &SphereScene<'_>,
    weights: Option<&[f64]>,
    options: &LoadOptions,
) -> Result<(DensityFrame, FileKey)> {
    let colors = density_colors(options)?;
    refuse_given(["label"], options, || "is for shapes; density draws numbers of pixels".to_owned())?;
    let size = (scene.view.width, scene.view.height);
    density::check_memory(size, 1, &colors, &options.budget)?;
    let discs: Vec<Disc> =
        scene.groups.iter().flat_map(|group| visible_share::discs_in_picture(scene, group)).collect();
    // copies have the weights of their rows, which come in the order of the table
    let weights = weights.map(|weights| match weights.len() {
        rows if rows > 0 && scene.groups.len() == 1 && discs.len().is_multiple_of(rows) => {
            Ok(Cow::Owned(weights.iter().copied().cycle().take(discs.len()).collect()))
        }
        _ => Err(Error::setting("density", "of a column is for rows without copies of an assembly")),
    });
    let parts = [PointRows { discs, weights: weights.transpose()? }];
    let (frames, mut key) = density::drawn(choice, &parts, size, &colors)?;
    if let (DensityChoice::Mass(None), ColorKey::Numbers { name, .. }) = (choice, &mut key) {
        *name = name.replace("circles", "spheres");
    }
    let frame = frames.into_iter().next().expect("one picture");
    Ok((frame, FileKey { file: file.to_owned(), key: LegendPart::Colors(key) }))
}

/// Reads a table in the plane into panels by a column.
pub(crate) fn read_panels(input: Input, format: Format, options: &LoadOptions) -> Result<(Drawing, PlanePanels)> {
    refuse_options(&input.name, format, options)?;
    let file = input.name.clone();
    let data = table(input, format, options, Depth::Draw)?;
    if data.plan.is_solid() {
        return Err(Route::Spheres(&file).refusal("panel_by", ""));
    }
    let (drawing, panels) = plane::circles(data, options, Depth::Draw)?;
    let panels = panels.ok_or_else(|| Error::setting("panel_by", format!("is for a column of {file}")))?;
    Ok((drawing, panels))
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
        scales: plane::scales(options),
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
