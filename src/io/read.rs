//! Files to scenes: a scene file says what it wants, bare data is drawn to be looked at.

use std::path::Path;

use super::formats::{Format, FormatKind, format_of, format_wanted};
use super::layers::with_marks;
use super::load::bare_data::{self, Drawing, SphereKind};
use super::load::data_file::Depth;
use super::load::describe::Description;
use super::load::figure::FigureOverrides;
use super::load::overrides::Overrides;
use super::load::paint;
use super::load::picture;
use super::load::sight;
use super::quota::Quota;
use super::scene_file;
use super::source::input::Input;
use crate::budget::Budget;
use crate::color::Srgba8;
use crate::compare::Picture;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::frame::Frame;
use crate::render::{Layers, Renderer, Statistics};
use crate::scene::Scene;
use crate::scene::circles::ViewBox;
use crate::scene::spheres::{SphereGroup, SphereScene, StandardView};

/// A scene that was read from a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The scene.
    pub scene: Scene<'static>,
    /// Marks around the picture and on it.
    pub figure: Figure,
    /// Notes for the caller: rows that were left out, and why; a sentence each, without a full stop.
    pub notes: Vec<String>,
}

impl Loaded {
    /// Draws the scene and its figure.
    ///
    /// # Errors
    /// As [`Renderer::render`]; when the figure asks for what the scene does not have.
    pub fn draw(&self, renderer: &mut Renderer, frame: &mut Frame) -> Result<Statistics> {
        let statistics = renderer.render(&self.scene, frame)?;
        self.figure.draw(renderer, &self.scene, frame)?;
        Ok(statistics)
    }

    /// Draws the scene and its figure with 16 bits a channel. Pixels that marks touch have the accuracy of 8.
    ///
    /// # Errors
    /// As [`Loaded::draw`].
    pub fn draw_16_bits(&self, renderer: &mut Renderer) -> Result<(Picture<'static>, Statistics)> {
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        let (layers, statistics) = renderer.render_with_layers(&self.scene, &mut frame)?;
        if self.figure.is_empty() {
            return Ok((layers.to_picture()?, statistics));
        }
        let plain = frame.clone();
        let corner = self.figure.draw(renderer, &self.scene, &mut frame)?;
        Ok((with_marks(&layers, &plain, &frame, corner)?, statistics))
    }

    /// Draws the scene in full precision, as OpenEXR files have it. The edges of a box are left out.
    ///
    /// # Errors
    /// As [`Loaded::draw`]; when the figure has marks beside the picture, for which layers have no room.
    pub fn draw_layers(&self, renderer: &mut Renderer) -> Result<(Layers, Statistics)> {
        if let Some(name) = self.figure.mark_beside() {
            let message = "is for PNG; an OpenEXR file holds the picture alone".to_owned();
            return Err(Error::Setting { name, message });
        }
        renderer.render_layers(&self.scene)
    }
}

/// Reads a scene file, or bare data with defaults made to be looked at.
///
/// Data is known by its content where that has a mark, then by the ending of the file's name, then by what it looks
/// like. It may be compressed with gzip, zstd or bzip2. `-` is standard input.
///
/// # Errors
/// When the file cannot be read, is not what it should be, or an override means nothing for what it holds. The
/// message names file, line or key, what was found and what is accepted.
///
/// ```
/// use roundel::io::{Overrides, load};
///
/// # let folder = std::env::temp_dir().join(format!("roundel-load-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("places.csv");
/// std::fs::write(&path, "x,y\n1,2\n3,\n5,6\n").unwrap();
/// let loaded = load(&path, &Overrides::default())?;
/// assert!(loaded.notes[0].ends_with("places.csv: 1 row has no coordinates and is left out"));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn load(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Loaded> {
    let (_, Drawing { scene, notes, figure, .. }) = read(path.as_ref(), overrides, Depth::Draw)?;
    Ok(Loaded { scene, figure, notes })
}

/// Reads a scene file or bare data as [`load`] does, without the notes.
///
/// # Errors
/// As [`load`].
pub fn read_scene(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Scene<'static>> {
    load(path, overrides).map(|loaded| loaded.scene)
}

/// A scene of spheres in memory, with the camera and the shading that a data file with these spheres would get.
///
/// # Errors
/// When an override is out of range or means nothing for spheres in memory, as a column's name does.
///
/// ```
/// use roundel::Srgba8;
/// use roundel::io::{Overrides, SphereKind, scene_of_spheres};
/// use roundel::spheres::PaintedSphere;
///
/// let spheres = vec![PaintedSphere::new([40.0, 0.0, 0.0], 5.0, Srgba8::BLACK)];
/// let overrides = Overrides { width: Some(64), height: Some(64), ..Overrides::default() };
/// let scene = scene_of_spheres(vec![spheres.into()], SphereKind::Particles, &overrides)?;
/// assert_eq!(scene.view.camera.target, roundel::glam::Vec3::new(40.0, 0.0, 0.0));
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn scene_of_spheres<'a>(
    groups: Vec<SphereGroup<'a>>,
    kind: SphereKind,
    overrides: &Overrides,
) -> Result<SphereScene<'a>> {
    let given = [
        ("format", overrides.format.is_some() || overrides.raw.is_some()),
        ("view_box", overrides.view_box.is_some()),
        ("color_by", overrides.color_by.is_some()),
        ("palette", overrides.palette.is_some()),
        ("colormap", overrides.colormap.is_some()),
        ("color_range", overrides.color_range.is_some()),
        ("color_scale", overrides.color_scale.is_some()),
        ("radius", overrides.radius.is_some()),
        ("x", overrides.x.is_some()),
        ("y", overrides.y.is_some()),
        ("r", overrides.r.is_some()),
        ("color", overrides.color.is_some()),
        ("assembly", overrides.assembly.is_some()),
        ("frame", overrides.frame.is_some()),
        ("wrap", overrides.wrap.is_some()),
        ("replicate", overrides.replicate.is_some()),
        ("only", overrides.only.is_some()),
        ("hide", overrides.hide.is_some()),
        ("highlight", !overrides.highlight.is_empty()),
        ("figure", overrides.figure != FigureOverrides::default()),
    ];
    picture::refuse(&given, || "is for files; these spheres are in memory".to_owned())?;
    bare_data::spheres("<memory>", groups, kind, StandardView::Broadside, &Figure::default(), overrides)
}

/// The radius of spheres of which a data file gives the centres alone: spread evenly over their box, they would just
/// touch.
///
/// ```
/// let corners: Vec<[f32; 3]> = (0..8_u8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f32::from)).collect();
/// assert_eq!(roundel::io::suited_radius(&corners), 0.25);
/// ```
#[must_use]
pub fn suited_radius(centers: &[[f32; 3]]) -> f32 {
    paint::spacing(centers.iter().copied())
}

/// Reads a file as [`load`] does, and says what is in it and what would be drawn.
///
/// # Errors
/// As [`load`].
pub fn describe(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Description> {
    let path = path.as_ref();
    let (format, drawing) = read(path, overrides, Depth::Describe)?;
    let Drawing { scene, sources, notes, data, .. } = drawing;
    Ok(Description::new(path, format, sources, &scene).with_notes(notes).with_scene(data))
}

/// How far a picture may be from its golden, by its scene's `[tolerance]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tolerance {
    /// Largest difference of a channel.
    pub(crate) difference: u32,
    /// Most pixels that may differ.
    pub(crate) pixels: u64,
}

/// Reads the tolerance that a scene file allows its golden, if it states one.
pub(crate) fn read_tolerance(path: &Path) -> Result<Option<Tolerance>> {
    let input = Input::open(path, Quota::new(Budget::default()))?;
    let format = format_of(&input)?;
    if format.kind() != FormatKind::Scene {
        return Ok(None);
    }
    let tolerance = scene_file::tolerance(input, format)?;
    Ok(tolerance.map(|(difference, pixels)| Tolerance { difference, pixels }))
}

fn read(path: &Path, overrides: &Overrides, depth: Depth) -> Result<(Format, Drawing)> {
    let (format, mut drawing) = read_unscaled(path, overrides, depth)?;
    // who asks for a part, or to be nearer, knows
    if overrides.view_box.is_none() && overrides.zoom.is_none() {
        drawing.notes.extend(sight::note(&drawing.scene));
    }
    Ok((format, scaled(drawing, overrides)?))
}

/// A drawing with more pixels, or fewer, as its figure has it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn scaled(mut drawing: Drawing, overrides: &Overrides) -> Result<Drawing> {
    let scale = drawing.figure.scale;
    if scale == 1.0 || scale == 0.0 {
        return Ok(drawing);
    }
    let side = |side: u32| ((f64::from(side) * scale + 0.5) as u32).max(1);
    let (width, height) = drawing.scene.size();
    let size = picture::checked(overrides, (side(width), side(height)))?;
    drawing.scene = match drawing.scene {
        Scene::Circles(scene) => {
            let whole =
                ViewBox { center: [width, height].map(|side| 0.5 * f64::from(side)), height: f64::from(height) };
            Scene::Circles(scene.in_view_box(&whole, size))
        }
        Scene::Spheres(mut scene) => {
            (scene.view.width, scene.view.height) = size;
            Scene::Spheres(scene)
        }
    };
    if let Some(bar) = &mut drawing.figure.scale_bar {
        bar.pixels *= f64::from(size.1) / f64::from(height);
    }
    Ok(drawing)
}

fn read_unscaled(path: &Path, overrides: &Overrides, depth: Depth) -> Result<(Format, Drawing)> {
    if let Some(view_box) = &overrides.view_box {
        return in_view_box(path, overrides, view_box, depth);
    }
    let input = Input::open(path, Quota::new(overrides.budget))?;
    let format = format_wanted(&input, overrides.format, overrides.raw.as_ref())?;
    let mut drawing = if format.kind() == FormatKind::Scene {
        scene_file::read(input, format, overrides, depth)?
    } else {
        // told before a long read; a scene file is short, and says its size itself
        picture::check_sides(overrides)?;
        bare_data::read(input, format, overrides, depth)?
    };
    // a scene on standard input names no file
    drawing.data = if path.as_os_str() == "-" { None } else { scene_file::scene_data(&drawing) };
    Ok((format, drawing))
}

/// A part of a picture of circles. The picture is laid out in its own size, whatever that of the part is.
fn in_view_box(path: &Path, overrides: &Overrides, view_box: &ViewBox, depth: Depth) -> Result<(Format, Drawing)> {
    let refuse = |message: String| Err(Error::Setting { name: "view-box", message });
    if !(view_box.center.iter().all(|place| place.is_finite()) && view_box.height > 0.0 && view_box.height.is_finite())
    {
        return refuse(format!("must be two finite numbers and a positive height, got {view_box:?}"));
    }
    // the whole is laid out, not drawn
    let budget = Budget { pixels: u64::MAX, ..overrides.budget };
    let whole = Overrides { view_box: None, width: None, height: None, budget, ..overrides.clone() };
    let (format, mut drawing) = read_unscaled(path, &whole, depth)?;
    match drawing.scene {
        Scene::Circles(scene) => {
            let own = (scene.canvas.width, scene.canvas.height);
            let size = picture::checked(overrides, picture::overridden(overrides, own))?;
            drawing.data = None;
            drawing.scene = Scene::Circles(scene.in_view_box(view_box, size));
            if let Some(bar) = &mut drawing.figure.scale_bar {
                bar.pixels *= f64::from(size.1) / view_box.height;
            }
            Ok((format, drawing))
        }
        Scene::Spheres(_) => refuse(format!("is for circles; {} is drawn as spheres", path.display())),
    }
}
