//! Shapes in memory as scenes: with the camera, the shading and the figure that a file with these shapes would get.

use glam::{DMat3, DVec3};

use super::loaded_scene::LoadedScene;
use crate::color::ColorKey;
use crate::data::Cell;
use crate::error::{Error, Result};
use crate::figure::{Figure, LegendPart};
use crate::scene::Scene;
use crate::scene::circles::CircleScene;
use crate::scene::spheres::{Shapes, SphereGroup, SphereScene, UpAxis};
use roundel_load::options::camera::Stance;
use roundel_load::options::figure::{FigureFacts, FigureOptions, FileKey};
use roundel_load::options::idle;
use roundel_load::options::load_options::LoadOptions;
use roundel_load::options::picture_settings::set_opacity;
use roundel_load::options::routes::Route;
use roundel_load::options::same_view;
use roundel_load::pictures::bare_data;
use roundel_load::pictures::bare_data::{BareShapes, SphereKind};
use roundel_load::pictures::scaled::scaled;
use roundel_load::rows::row_shapes;

/// The name of shapes in memory, in the place of a file name in messages.
const MEMORY: &str = "<memory>";

/// Facts about shapes in memory that a figure can show: the meaning of their colours, their periodic box, their unit.
///
/// ```
/// use roundel::color::{Category, ColorKey};
/// use roundel::io::{FigureOptions, LegendChoice, LoadOptions, FigureInfo, SphereKind, figure_of_spheres};
/// use roundel::spheres::PaintedSphere;
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let oxygen = Srgba8::rgb(0xff, 0x0d, 0x0d);
/// let items = vec![Category::new("O", oxygen, 1)];
/// let facts = FigureInfo::default().with_colors(ColorKey::Categories { name: "element".to_owned(), items });
/// let mut options = LoadOptions { width: Some(64), height: Some(64), ..LoadOptions::default() };
/// options.figure.legend = Some(LegendChoice::ON);
/// let spheres = vec![PaintedSphere::new([0.0; 3], 1.5, oxygen)];
/// let loaded = figure_of_spheres(vec![spheres.into()], SphereKind::Atoms, &facts, &options)?;
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// loaded.draw(&mut Renderer::new(&RenderSettings::default())?, &mut frame)?;
/// assert!(frame.width() > 64, "the legend is beside the picture");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FigureInfo {
    /// The meaning of the colours, for a legend.
    pub colors: Option<ColorKey>,
    /// A corner of a periodic box and its edges from there, in world units. Spheres are seen from the front then, and
    /// the box is drawn, unless options say otherwise.
    pub cell: Option<[[f64; 3]; 4]>,
    /// Pixels per unit of length, for the scale bar of circles.
    pub pixels_per_unit: f64,
}

impl Default for FigureInfo {
    fn default() -> Self {
        Self { colors: None, cell: None, pixels_per_unit: 1.0 }
    }
}

impl FigureInfo {
    /// The same facts with a meaning of the colours.
    #[must_use]
    pub fn with_colors(self, colors: impl Into<Option<ColorKey>>) -> Self {
        Self { colors: colors.into(), ..self }
    }

    /// The same facts with a periodic box: a corner, and its edges from there.
    #[must_use]
    pub fn with_cell(self, cell: impl Into<Option<[[f64; 3]; 4]>>) -> Self {
        Self { cell: cell.into(), ..self }
    }

    /// The same facts with this many pixels per unit of length.
    #[must_use]
    pub fn with_pixels_per_unit(self, pixels_per_unit: f64) -> Self {
        Self { pixels_per_unit, ..self }
    }

    fn of_figure(&self, kind: Option<SphereKind>) -> FigureFacts {
        let key = |key: &ColorKey| FileKey { file: String::new(), key: LegendPart::Colors(key.clone()) };
        FigureFacts {
            keys: self.colors.iter().map(key).collect(),
            cell: self.cell(),
            is_solid: kind.is_some(),
            unit: if kind == Some(SphereKind::Atoms) { "Å" } else { "" },
            pixels: self.pixels_per_unit,
            ..FigureFacts::default()
        }
    }

    fn cell(&self) -> Option<Cell> {
        let [origin, edges @ ..] = self.cell?.map(DVec3::from);
        Cell::new(origin, DMat3::from_cols(edges[0], edges[1], edges[2]))
    }
}

/// A scene of spheres in memory, with the camera and the shading that a data file with these spheres would get.
///
/// # Errors
/// When an override is out of range or means nothing for spheres in memory, as a column's name does.
///
/// ```
/// use roundel::Srgba8;
/// use roundel::io::{LoadOptions, SphereKind, scene_of_spheres};
/// use roundel::spheres::PaintedSphere;
///
/// let spheres = vec![PaintedSphere::new([40.0, 0.0, 0.0], 5.0, Srgba8::BLACK)];
/// let options = LoadOptions { width: Some(64), height: Some(64), ..LoadOptions::default() };
/// let scene = scene_of_spheres(vec![spheres.into()], SphereKind::Particles, &options)?;
/// assert_eq!(scene.view.camera.target, roundel::glam::Vec3::new(40.0, 0.0, 0.0));
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn scene_of_spheres<'a>(
    groups: Vec<SphereGroup<'a>>,
    kind: SphereKind,
    options: &LoadOptions,
) -> Result<SphereScene<'a>> {
    Route::Memory.check(options)?;
    let options = &*same_view::applied(options)?;
    if options.figure != FigureOptions::default() {
        return Err(Error::setting("figure", "is drawn by figure_of_spheres; a scene has no marks"));
    }
    let mut bare = BareShapes { groups, ..BareShapes::default() };
    set_opacity(options, &mut bare.groups, &mut bare.shapes)?;
    bare_data::spheres(MEMORY, bare, kind, stance(kind, false), &Figure::default(), options)
}

/// The radius that spheres get if a data file has only their centres: spread evenly over their box, they would just
/// touch.
///
/// ```
/// let corners: Vec<[f32; 3]> = (0..8_u8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f32::from)).collect();
/// assert_eq!(roundel::io::default_radius(&corners), 0.25);
/// ```
#[must_use]
pub fn default_radius(centers: &[[f32; 3]]) -> f32 {
    row_shapes::spacing(centers.iter().map(|center| center.map(f64::from)))
}

/// Spheres in memory as [`scene_of_spheres`] makes a scene of them, with the marks that `options.figure` asks for.
///
/// # Errors
/// As [`scene_of_spheres`]; when the figure asks for something that `facts` does not have.
pub fn figure_of_spheres<'a>(
    groups: Vec<SphereGroup<'a>>,
    kind: SphereKind,
    facts: &FigureInfo,
    options: &LoadOptions,
) -> Result<LoadedScene<'a>> {
    figure_of_shapes(groups, Shapes::default(), kind, facts, options)
}

/// Spheres and other shapes in memory as [`figure_of_spheres`] draws spheres alone.
///
/// # Errors
/// As [`figure_of_spheres`].
///
/// ```
/// use roundel::Srgba8;
/// use roundel::cylinders::PaintedCylinder;
/// use roundel::io::{FigureInfo, LoadOptions, SphereKind, figure_of_shapes};
/// use roundel::spheres::Shapes;
///
/// let rod = PaintedCylinder::new([0.0; 3], [0.0, 0.0, 4.0], 0.5, Srgba8::BLACK);
/// let shapes = Shapes::default().with_cylinders(vec![rod]);
/// let options = LoadOptions { width: Some(64), height: Some(64), ..LoadOptions::default() };
/// let loaded = figure_of_shapes(Vec::new(), shapes, SphereKind::Particles, &FigureInfo::default(), &options)?;
/// assert_eq!(loaded.scene.size(), (64, 64));
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn figure_of_shapes<'a>(
    mut groups: Vec<SphereGroup<'a>>,
    mut shapes: Shapes<'a>,
    kind: SphereKind,
    facts: &FigureInfo,
    options: &LoadOptions,
) -> Result<LoadedScene<'a>> {
    Route::Memory.check(options)?;
    let options = &*same_view::applied(options)?;
    set_opacity(options, &mut groups, &mut shapes)?;
    let has_cell = facts.cell().is_some();
    let mut wanted = FigureOptions::default();
    wanted.cell = Some(has_cell);
    let mut figure = options.figure.over(&wanted).figure(MEMORY, &facts.of_figure(Some(kind)))?;
    let bare = BareShapes { groups, shapes, ..BareShapes::default() };
    let stance = stance(kind, has_cell);
    let camera = bare_data::own_camera(&stance, bare.origin, &figure, options);
    let scene = bare_data::spheres(MEMORY, bare, kind, stance, &figure, options)?;
    let scene = scaled(Scene::Spheres(scene), &mut figure, options)?;
    let notes = idle::notes(&scene, &figure, options);
    Ok(LoadedScene { scene, figure, notes, camera })
}

/// Circles in memory with the marks that `options.figure` asks for.
///
/// # Errors
/// When another option but the budget is given; when the figure asks for something that `facts` does not have.
///
/// ```
/// use roundel::circles::{CircleScene, PaintedCircle};
/// use roundel::io::{LoadOptions, FigureInfo, figure_of_circles};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let coin = vec![PaintedCircle::new([16.0, 12.0], 8.0, Srgba8::BLACK)];
/// let mut options = LoadOptions::default();
/// options.figure.title = Some("coin".to_owned());
/// let scene = CircleScene::new(32, 24).with_layer(coin);
/// let loaded = figure_of_circles(scene, &FigureInfo::default(), &options)?;
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// loaded.draw(&mut Renderer::new(&RenderSettings::default())?, &mut frame)?;
/// assert!(frame.height() > 24, "the title is above the picture");
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn figure_of_circles<'a>(
    scene: CircleScene<'a>,
    facts: &FigureInfo,
    options: &LoadOptions,
) -> Result<LoadedScene<'a>> {
    Route::CirclesInMemory.check(options)?;
    let mut figure = options.figure.figure(MEMORY, &facts.of_figure(None))?;
    let scene = scaled(Scene::Circles(scene), &mut figure, options)?;
    let notes = idle::notes(&scene, &figure, options);
    Ok(LoadedScene { scene, figure, notes, camera: None })
}

/// The default view of spheres in memory, as of a file with such spheres.
fn stance(kind: SphereKind, has_cell: bool) -> Stance {
    let up = if has_cell || kind == SphereKind::Particles { UpAxis::Z } else { UpAxis::Y };
    Stance::of(up, has_cell, false)
}
