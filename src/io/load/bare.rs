//! Bare data, drawn to be looked at: nothing said but the file's name.

use std::borrow::Cow;

use super::Depth;
use super::atoms::{self, Atoms, ColorBy, RadiusBy, Wanted};
use super::bulk::bulk;
use super::describe::Source;
use super::nearest::{self, shortened};
use super::orientation::broadside;
use super::overrides::Overrides;
use super::picture::{self, CameraWish};
use super::points::{self, CanvasTransform, ColorFrom, RadiusFrom, Rows, Scale};
use super::source::{Format, Input};
use super::table::Table;
use super::{pdb, xyz};
use crate::color::Srgba8;
use crate::color::maps::ColorMap;
use crate::error::{Error, Result};
use crate::scene::Scene;
use crate::scene::circles::{Blend, Canvas, CircleScene, Layer};
use crate::scene::spheres::{Background, Shading, SphereGroup, SphereScene, View};

/// The first of the usual ten colours.
const BLUE: Srgba8 = Srgba8::hex(0x1f_77_b4);

/// Margin around a map, as a share of the picture's shorter side.
const MARGIN: f64 = 0.03;

/// Radii in pixels over which `--r COLUMN` is spread.
const RADII: [f32; 2] = [1.0, 12.0];

/// Names of columns that are lengths in the units of the coordinates, not quantities.
const RADIUS_NAMES: [&str; 2] = ["r", "radius"];

/// Shading of bare data: smooth rims, soft light in the folds.
const QUALITY: Shading =
    Shading { samples: 4, ao_rays: 16, ao_distance: f32::INFINITY, shadows: false, ambient: 0.5, seed: 0 };

/// A table: circles, or spheres if it has columns x, y and z.
pub(super) fn table(input: Input, overrides: &Overrides) -> Result<(Scene<'static>, Vec<Source>)> {
    let table = Table::open(input)?;
    let axis = |name: &Option<String>, flag| {
        let find = |name: &String| table.find(name).map_err(|message| Error::Setting { name: flag, message });
        name.as_ref().map(find).transpose()
    };
    let (x, y) = (axis(&overrides.x, "x")?, axis(&overrides.y, "y")?);
    let mut source = Source::new(table.file.clone(), Format::Csv, 0);
    source.columns.clone_from(&table.columns);
    if let (None, None, Some(x), Some(y), Some(z)) = (x, y, table.column("x"), table.column("y"), table.column("z")) {
        return particles(table, [x, y, z], overrides, source);
    }
    picture::refuse_for_circles(&table.file, overrides)?;
    let axes = match (x, y) {
        (Some(x), Some(y)) => [x, y],
        (None, None) => points::usual_axes(&table)?,
        (Some(_), None) => {
            return Err(Error::Setting { name: "y", message: "must name a column too when x does".into() });
        }
        (None, Some(_)) => {
            return Err(Error::Setting { name: "x", message: "must name a column too when y does".into() });
        }
    };
    let radius = radius_from(&table, overrides)?;
    let color = color_from(&table, overrides)?;
    let (width, height) = picture::size(overrides, picture::SIZE)?;
    // read with any size and opacity first: those that suit depend on the number of rows
    let rows: Rows<2> = points::read(table, axes, radius.as_ref().unwrap_or(&RadiusFrom::Constant(0.0)), &color)?;
    source.records = rows.centers.len() as u64;
    let (radius, alpha) = suited(rows.centers.len(), width, height, radius.is_some());
    let rows = rows.with(radius, alpha);
    let transform = fit(&rows, width, height);
    let background = overrides.background.unwrap_or(Srgba8::WHITE);
    let canvas = Canvas { width, height, background, blend: Blend::Srgb };
    let layers = vec![Layer::Circles(Cow::Owned(rows.circles(&transform)))];
    Ok((Scene::Circles(CircleScene { canvas, layers }), vec![source]))
}

/// The rows in the picture, points without extents perhaps all but a few far ones: equal scale on both axes, north up.
fn fit(rows: &Rows<2>, width: u32, height: u32) -> CanvasTransform {
    let (width, height) = (f64::from(width), f64::from(height));
    let whole = rows.bounds();
    let [least, most] = if rows.has_extents() { whole } else { bulk(&rows.centers, whole, width / height) };
    let margin = MARGIN * width.min(height) + rows.largest_pixels().min(0.25 * width.min(height));
    let room = [width - 2.0 * margin, height - 2.0 * margin];
    let extent = [most[0] - least[0], most[1] - least[1]];
    let scale = (room[0] / extent[0]).min(room[1] / extent[1]);
    CanvasTransform {
        center: [least[0] + 0.5 * extent[0], least[1] + 0.5 * extent[1]],
        // a single point, or extents beyond all numbers
        scale: if scale.is_finite() && scale > 0.0 { scale } else { 1.0 },
        y_sign: -1.0,
        middle: [0.5 * width, 0.5 * height],
    }
}

/// Radius and opacity that suit a number of points, `None` where the caller has said it.
fn suited(count: usize, width: u32, height: u32, has_radius: bool) -> (Option<f32>, u8) {
    let room = f64::from(width) * f64::from(height) / count.max(1) as f64;
    // by eye: crowds of small points, a few large ones
    let radius = (0.42 * libm::pow(room, 0.35)).clamp(0.75, 8.0);
    // where points would cover the picture many times over, they are thin enough to add up
    let covered = std::f64::consts::PI * radius * radius / room;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let alpha = (255.0 * (0.25 / covered).clamp(0.02, 0.65)).round() as u8;
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    ((!has_radius).then_some(radius as f32), alpha)
}

/// The radius that the caller asks for, or that a column's name gives away.
fn radius_from(table: &Table, overrides: &Overrides) -> Result<Option<RadiusFrom>> {
    let column = match (&overrides.r, &overrides.radius) {
        (Some(_), Some(_)) => {
            return Err(Error::Setting { name: "r", message: "and radius both say the radius; give one".to_owned() });
        }
        (Some(name), None) => name,
        (None, Some(text)) => match radius_by(text)? {
            RadiusBy::Constant(radius) => return Ok(Some(RadiusFrom::Constant(radius))),
            RadiusBy::Vdw => {
                return Err(Error::Setting {
                    name: "radius",
                    message: "vdw is for atoms; a table has none".to_owned(),
                });
            }
            RadiusBy::Column(_) => text,
        },
        (None, None) => {
            let usual = RADIUS_NAMES.into_iter().find_map(|name| table.column(name));
            return Ok(usual.map(|column| RadiusFrom::DataUnits(table.columns[column].clone())));
        }
    };
    let found = table.find(column).map_err(|message| Error::Setting { name: "r", message })?;
    let column = table.columns[found].clone();
    Ok(Some(if RADIUS_NAMES.iter().any(|name| column.eq_ignore_ascii_case(name)) {
        RadiusFrom::DataUnits(column)
    } else {
        RadiusFrom::Scaled { column, range: RADII, scale: Scale::Sqrt }
    }))
}

/// The colour that the caller asks for, or that a column's name gives away.
fn color_from(table: &Table, overrides: &Overrides) -> Result<ColorFrom> {
    let (flag, name) = match (&overrides.color, &overrides.color_by) {
        (Some(_), Some(_)) => {
            let message = "and color_by both say the colour; give one".to_owned();
            return Err(Error::Setting { name: "color", message });
        }
        (Some(name), None) => ("color", name),
        (None, Some(name)) => ("color_by", name),
        (None, None) => {
            let usual = table.column("color").or_else(|| table.column("colour"));
            return Ok(usual.map_or(ColorFrom::Constant(BLUE), |column| points::color_column(table, column)));
        }
    };
    match table.column(name) {
        Some(column) => Ok(points::color_column(table, column)),
        None if name == "constant" => Ok(ColorFrom::Constant(BLUE)),
        None => name.parse().map(ColorFrom::Constant).map_err(|_| {
            let columns = table.columns.iter().map(String::as_str);
            let hint = nearest::hint(name, columns, "columns");
            let message = format!("must be a column of {} or a colour, got {:?}{hint}", table.file, shortened(name));
            Error::Setting { name: flag, message }
        }),
    }
}

/// A table with three coordinates: spheres.
fn particles(
    table: Table,
    axes: [usize; 3],
    overrides: &Overrides,
    mut source: Source,
) -> Result<(Scene<'static>, Vec<Source>)> {
    if overrides.assembly.is_some() {
        return Err(Error::Setting {
            name: "assembly",
            message: format!("is for molecules; {} is a table", table.file),
        });
    }
    let file = table.file.clone();
    let radius = match radius_from(&table, overrides)? {
        // a quantity is a length in space: there are no pixels to spread it over
        Some(RadiusFrom::Scaled { column, .. }) => Some(RadiusFrom::DataUnits(column)),
        other => other,
    };
    let color = color_from(&table, overrides)?;
    let rows: Rows<3> = points::read(table, axes, radius.as_ref().unwrap_or(&RadiusFrom::Constant(0.0)), &color)?;
    source.records = rows.centers.len() as u64;
    let rows = if radius.is_some() {
        rows
    } else {
        let radius = rows.spacing();
        rows.with(Some(radius), 255)
    };
    spheres(&file, vec![atoms::plain(rows.spheres())], overrides).map(|scene| (scene, vec![source]))
}

/// Atoms: space-filling, in the elements' colours.
pub(super) fn atoms(input: Input, overrides: &Overrides, depth: Depth) -> Result<(Scene<'static>, Vec<Source>)> {
    let given = [
        ("x", overrides.x.is_some()),
        ("y", overrides.y.is_some()),
        ("r", overrides.r.is_some()),
        ("color", overrides.color.is_some()),
    ];
    picture::refuse(&given, || format!("is for tables; {} holds atoms", input.name))?;
    let color = overrides.color_by.as_deref().map_or(Ok(ColorBy::Element), color_by)?;
    let radius = overrides.radius.as_deref().map_or(Ok(RadiusBy::Vdw), radius_by)?;
    let wanted = Wanted {
        color: color.column(),
        radius: radius.column(),
        count_models: depth == Depth::Describe,
        frame: overrides.frame.unwrap_or(0),
        note: None,
    };
    let ledger = input.ledger;
    let atoms = read_atoms(input, &wanted)?;
    let spheres = atoms::spheres(&atoms, &color, &radius)?;
    let groups = match overrides.assembly {
        None => vec![atoms::plain(spheres)],
        Some(number) => {
            let refuse = |message| Error::Setting { name: "assembly", message };
            let assembly = atoms::assembly(&atoms, number).map_err(refuse)?;
            atoms::check_copies(&atoms, assembly, &ledger, || format!("assembly {number} of {}", atoms.file))?;
            atoms::groups(&atoms, &spheres, assembly)
        }
    };
    let source = atoms::describe(&atoms);
    self::spheres(&atoms.file, groups, overrides).map(|scene| (scene, vec![source]))
}

/// Atoms in any of their formats.
pub(super) fn read_atoms(input: Input, wanted: &Wanted<'_>) -> Result<Atoms> {
    match input.format()? {
        Format::Xyz => xyz::read(input, wanted),
        Format::Pdb => pdb::read(input, wanted),
        other => Err(Error::input(&input.name, None, format!("must be a file of atoms, .xyz or .pdb, got a {other}"))),
    }
}

/// Spheres before a camera that sees them all.
fn spheres(file: &str, groups: Vec<SphereGroup<'static>>, overrides: &Overrides) -> Result<Scene<'static>> {
    let (width, height) = picture::size(overrides, picture::SIZE)?;
    let shading = picture::shading(overrides, QUALITY)?;
    let mut wish = CameraWish::default();
    if let Some((toward_eye, up)) = broadside(&groups, width >= height) {
        (wish.toward_eye, wish.up) = (Some(toward_eye), Some(up));
    }
    if overrides.eye.is_some() {
        // who says where to look from has the world's up in mind
        wish.up = None;
    }
    let camera = wish
        .overridden(overrides)?
        .camera(&groups, (width, height))
        .map_err(|message| Error::input(file, None, message))?;
    let background = Background::Solid(overrides.background.unwrap_or(Srgba8::WHITE));
    let view = View { width, height, background, camera };
    Ok(Scene::Spheres(SphereScene { view, groups, lights: Vec::new(), shading }))
}

/// `--color-by` for atoms: a name, a column or a colour.
fn color_by(text: &str) -> Result<ColorBy> {
    if !text.starts_with('#') {
        return Ok(atoms::color_by(text, ColorMap::VIRIDIS, BLUE));
    }
    let refuse = |_| Error::Setting {
        name: "color_by",
        message: format!(
            "must be element, chain, residue, index, constant, a column, #rgb, #rrggbb or #rrggbbaa, got {:?}",
            shortened(text)
        ),
    };
    text.parse().map(ColorBy::Constant).map_err(refuse)
}

/// `--radius`: what is no number is a column.
fn radius_by(text: &str) -> Result<RadiusBy> {
    if text == "vdw" {
        return Ok(RadiusBy::Vdw);
    }
    match text.parse::<f32>() {
        Ok(radius) if radius.is_finite() && radius >= 0.0 => Ok(RadiusBy::Constant(radius)),
        Ok(_) => {
            Err(Error::Setting { name: "radius", message: format!("must be finite and not negative, got {text}") })
        }
        Err(_) => Ok(RadiusBy::Column(text.to_owned())),
    }
}
