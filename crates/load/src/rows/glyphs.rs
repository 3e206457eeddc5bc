//! Ellipsoids, cylinders and arrows of rows: grains, bonds, forces.

use std::str::FromStr;

use glam::{DQuat, DVec3};

use crate::color::maps::ColorMap;
use crate::color::{ColorKey, Scale, Srgba8};
use crate::data::{Kind, Table};
use crate::did_you_mean::shortened;
use crate::figure::{ArrowKey, LegendPart};
use crate::formats::facts::Displacement;
use crate::formats::wanted::{Header, ValueRule, Wanted};
use crate::geom::{Caps, Origin, TurnedEllipsoid, single};
use crate::rows::column_plan::{ColumnRefusal, Role};
use crate::rows::displacements::Displacements;
use crate::rows::vectors;
use crate::scene::arrows::PaintedArrow;
use crate::scene::cylinders::PaintedCylinder;
use crate::scene::ellipsoids::PaintedEllipsoid;
use crate::scene::spheres::PaintedSphere;

/// Columns of three radii, and the factor to a radius: LAMMPS writes diameters.
const SHAPES: [([&str; 3], f64); 6] = [
    (["c_shape[1]", "c_shape[2]", "c_shape[3]"], 0.5),
    (["shapex", "shapey", "shapez"], 0.5),
    (["aspherical_shape1", "aspherical_shape2", "aspherical_shape3"], 1.0),
    (["asphericalshapex", "asphericalshapey", "asphericalshapez"], 1.0),
    (["radius_x", "radius_y", "radius_z"], 1.0),
    (["rx", "ry", "rz"], 1.0),
];

/// Columns of a quaternion x, y, z, w.
const ORIENTATIONS: [[&str; 4]; 5] = [
    ["c_orient[1]", "c_orient[2]", "c_orient[3]", "c_orient[4]"],
    ["quati", "quatj", "quatk", "quatw"],
    ["orientation1", "orientation2", "orientation3", "orientation4"],
    ["orientationx", "orientationy", "orientationz", "orientationw"],
    ["qx", "qy", "qz", "qw"],
];

/// Radius of the shafts of arrows, in radii of their spheres.
const SHAFT: f32 = 0.15;

/// Radius of cylinders, relative to the radius that suits as many spheres.
const STICK_OF_SUITED: f32 = 0.25;

/// Length of the longest arrow from the surface of its sphere, in radii of spheres, unless a scale is given.
const LONGEST: f64 = 6.0;

/// The shapes that rows get besides spheres.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GlyphRequest {
    /// The probability that an atom is inside of its thermal ellipsoid.
    pub(crate) probability: Option<f32>,
    /// Three columns, or the prefix of their names.
    pub(crate) vectors: Option<String>,
    /// World units of an arrow per unit of its vector.
    pub(crate) vector_scale: Option<f32>,
    pub(crate) vector_color: ArrowColor,
    /// Radius of the shafts of arrows, in world units.
    pub(crate) vector_radius: Option<f32>,
    /// Whether opaque ellipsoids have rings.
    pub(crate) has_rings: bool,
    /// Whether columns of three radii make ellipsoids.
    pub(crate) guesses_ellipsoids: bool,
    pub(crate) rows: RowShape,
}

/// The shape that each row of a table becomes, with the columns that a sphere does not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum RowShape {
    #[default]
    Sphere,
    /// A line in the plane to the point of two columns.
    Segment { end: [String; 2] },
    /// A cylinder to the point of three columns.
    Cylinder { end: String, caps: Caps },
    /// An ellipsoid of three radii, turned by a quaternion.
    Ellipsoid { radii: String, rotation: Option<String> },
    /// An arrow, whose vector [`GlyphRequest::vectors`] names.
    Arrow,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct GlyphColumns {
    shape: Option<([usize; 3], f64)>,
    orientation: Option<[usize; 4]>,
    vectors: Option<[usize; 3]>,
    /// The other ends of cylinders, or of segments.
    ends: Vec<usize>,
    serials: Option<usize>,
    b_factors: Option<usize>,
}

/// An ellipsoid of a row, in the row's colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowEllipsoid {
    pub(crate) row: u32,
    pub(crate) radii: [f32; 3],
    pub(crate) rotation: [f32; 4],
}

/// A cylinder from a row's place, in the row's colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowCylinder {
    pub(crate) row: u32,
    pub(crate) end: [f32; 3],
    pub(crate) radius: f32,
    pub(crate) caps: Caps,
}

/// An arrow of a row; in the row's colour if it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowArrow {
    pub(crate) row: u32,
    /// From the place of the row to where the arrow begins, on the surface of its sphere.
    pub(crate) offset: [f32; 3],
    pub(crate) vector: [f32; 3],
    pub(crate) radius: f32,
    pub(crate) color: Option<Srgba8>,
}

/// The arrows of rows, and the legend of their lengths and colours.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowArrows {
    pub(crate) arrows: Vec<RowArrow>,
    pub(crate) legend: Vec<LegendPart>,
}

impl GlyphRequest {
    /// Adds the columns to the wanted ones.
    pub(crate) fn resolve(
        &self,
        file: &str,
        header: &Header,
        wanted: &mut Wanted,
    ) -> Result<GlyphColumns, ColumnRefusal> {
        let mut columns = GlyphColumns::default();
        let mut typed = |field, kind, rule| wanted.column(field, kind, rule);
        let refuse = |role| move |rule| ColumnRefusal { role, rule };
        match &self.rows {
            RowShape::Sphere | RowShape::Arrow => {}
            RowShape::Segment { end } => {
                let find = |name: &String| find_field(file, header, name).map_err(refuse(Role::End));
                let fields = [find(&end[0])?, find(&end[1])?];
                columns.ends = fields.map(|field| typed(field, Kind::F32, ValueRule::Any)).to_vec();
            }
            RowShape::Cylinder { end, .. } => {
                let fields = vector_fields(file, header, end).map_err(refuse(Role::End))?;
                columns.ends = fields.map(|field| typed(field, Kind::F64, ValueRule::Any)).to_vec();
            }
            RowShape::Ellipsoid { radii, rotation } => {
                let fields = vector_fields(file, header, radii).map_err(refuse(Role::Radii))?;
                columns.shape = Some((fields.map(|field| typed(field, Kind::F32, ValueRule::Length)), 1.0));
                if let Some(rotation) = rotation {
                    let fields = quaternion_fields(file, header, rotation).map_err(refuse(Role::Rotation))?;
                    columns.orientation = Some(fields.map(|field| typed(field, Kind::F32, ValueRule::Any)));
                }
            }
        }
        if let Some(names) = &self.vectors {
            let fields = vector_fields(file, header, names).map_err(refuse(Role::Vectors))?;
            columns.vectors = Some(fields.map(|field| typed(field, Kind::F32, ValueRule::Any)));
        }
        let mut number = |field: usize| typed(field, Kind::F32, ValueRule::Lenient);
        if self.guesses_ellipsoids {
            let fields = |names: &[&str]| names.iter().map(|name| header.find(name)).collect::<Option<Vec<usize>>>();
            let shape = SHAPES.iter().find_map(|(names, share)| Some((fields(names)?, *share)));
            if let Some((shape, share)) = shape {
                columns.shape = Some(([0, 1, 2].map(|axis| number(shape[axis])), share));
                let orientation = ORIENTATIONS.iter().find_map(|names| fields(names));
                columns.orientation = orientation.map(|fields| [0, 1, 2, 3].map(|part| number(fields[part])));
            }
        }
        if self.probability.is_some() {
            columns.b_factors = header.find("b_factor").map(&mut number);
            columns.serials =
                header.find("serial").map(|field| wanted.column(field, Kind::Integer, ValueRule::Lenient));
        }
        Ok(columns)
    }
}

/// Whether there is an ellipsoid of these radii: one of them may be 0.
fn has_body(radii: [f32; 3]) -> bool {
    !TurnedEllipsoid { radii, ..TurnedEllipsoid::UNIT }.is_empty()
}

fn find_field(file: &str, header: &Header, name: &str) -> Result<usize, String> {
    header.find(name).ok_or_else(|| {
        let hint = vectors::column_hint(name, header, header.names());
        format!("must name columns of {file}, got {:?}{hint}", shortened(name))
    })
}

/// The fields of four names with commas between: x, y, z and w of a quaternion.
fn quaternion_fields(file: &str, header: &Header, names: &str) -> Result<[usize; 4], String> {
    let parts: Vec<&str> = names.split(',').map(str::trim).collect();
    let find = |name: &str| find_field(file, header, name);
    match parts[..] {
        [x, y, z, w] => Ok([find(x)?, find(y)?, find(z)?, find(w)?]),
        _ => Err("must be the four columns of a quaternion with commas between, as in qx,qy,qz,qw".to_owned()),
    }
}

/// The fields of three names with commas between, or of a name with usual endings.
fn vector_fields(file: &str, header: &Header, names: &str) -> Result<[usize; 3], String> {
    let parts: Vec<&str> = names.split(',').map(str::trim).collect();
    let find = |name: &str| find_field(file, header, name);
    match parts[..] {
        [x, y, z] => Ok([find(x)?, find(y)?, find(z)?]),
        [base] => {
            let Some(names) = vectors::columns(base, |name| header.find(name).is_some()) else {
                return Err(find(base).err().unwrap_or_else(three_columns));
            };
            let [x, y, z] = names;
            Ok([find(&x)?, find(&y)?, find(&z)?])
        }
        _ => Err(three_columns()),
    }
}

fn three_columns() -> String {
    "must be three columns with commas between, as in vx,vy,vz".to_owned()
}

impl GlyphColumns {
    /// Whether columns make rows ellipsoids.
    pub(crate) fn has_shapes(&self) -> bool {
        self.shape.is_some()
    }

    /// The displacements of atoms; `tensors` are sorted by serial number.
    pub(crate) fn displacements<'a>(&self, table: &Table<'_>, tensors: &'a [(i64, Displacement)]) -> Displacements<'a> {
        let numbers = |column: Option<usize>| column.map_or_else(Vec::new, |column| table.numbers(column).collect());
        Displacements { b_factors: numbers(self.b_factors), serials: numbers(self.serials), tensors }
    }

    /// Whether all rows are plain spheres.
    pub(crate) fn is_empty(&self) -> bool {
        self.shape.is_none()
            && self.vectors.is_none()
            && self.ends.is_empty()
            && self.serials.is_none()
            && self.b_factors.is_none()
    }

    /// Whether ellipsoids, cylinders or arrows have the colours of their rows.
    pub(crate) fn have_row_colors(&self, request: &GlyphRequest) -> bool {
        let is_plain = self.vectors.is_none() || request.vector_color == ArrowColor::Particle;
        !Self { vectors: self.vectors.filter(|_| is_plain), ..self.clone() }.is_empty()
            || request.rows != RowShape::Sphere
    }

    /// The other ends of rows that are segments, in the plane of the file.
    pub(crate) fn plane_ends(&self, table: &Table<'_>) -> Vec<[f64; 2]> {
        let [x, y] = self.ends[..] else { return Vec::new() };
        table.numbers(x).zip(table.numbers(y)).map(|(x, y)| [x, y]).collect()
    }

    /// The cylinders of rows, with the radii of the rows; of a radius that was guessed for spheres a quarter.
    pub(crate) fn cylinders(
        &self,
        table: &Table<'_>,
        origin: Origin,
        request: &GlyphRequest,
        is_suited: bool,
        spheres: &[PaintedSphere],
    ) -> Vec<RowCylinder> {
        let (RowShape::Cylinder { caps, .. }, [x, y, z]) = (&request.rows, &self.ends[..]) else { return Vec::new() };
        let parts = [x, y, z].map(|column| table.numbers(*column).collect::<Vec<f64>>());
        let share = if is_suited { STICK_OF_SUITED } else { 1.0 };
        let cylinder = |(row, sphere): (usize, &PaintedSphere)| {
            let end = origin.subtracted([0, 1, 2].map(|axis| parts[axis][row]));
            let is_drawn = end.iter().all(|along| along.is_finite());
            let row = u32::try_from(row).ok().filter(|_| is_drawn)?;
            Some(RowCylinder { row, end, radius: sphere.radius * share, caps: *caps })
        };
        spheres.iter().enumerate().filter_map(cylinder).collect()
    }

    /// The ellipsoids of rows by their columns. Their spheres get a radius of 0.
    pub(crate) fn ellipsoids(&self, table: &Table<'_>, spheres: &mut [PaintedSphere]) -> Vec<RowEllipsoid> {
        let Some(lengths) = self.lengths(table) else { return Vec::new() };
        let rotation = self.orientation.map(|parts| parts.map(|column| table.numbers(column).collect::<Vec<f64>>()));
        let mut ellipsoids = Vec::new();
        for ((row, sphere), radii) in (0..).zip(spheres).zip(lengths) {
            let at = row as usize;
            let turn = rotation
                .as_ref()
                .map_or(PaintedEllipsoid::UNTURNED, |parts| [0, 1, 2, 3].map(|part| single(parts[part][at])));
            // LAMMPS writes zeros for points, which stay spheres
            if has_body(radii) {
                let turn = if turn == [0.0; 4] { PaintedEllipsoid::UNTURNED } else { turn };
                ellipsoids.push(RowEllipsoid { row, radii, rotation: turn });
                sphere.radius = 0.0;
            }
        }
        ellipsoids
    }

    /// The radii of rows that are ellipsoids by their columns.
    fn lengths(&self, table: &Table<'_>) -> Option<Vec<[f32; 3]>> {
        let (shape, share) = self.shape?;
        let radii = shape.map(|column| table.numbers(column).collect::<Vec<f64>>());
        let of_row = |row: usize| [0, 1, 2].map(|axis| single(radii[axis][row] * share));
        Some((0..table.rows()).map(of_row).collect())
    }

    /// Whether each row of a table has the numbers of its shape, and the name of these numbers.
    pub(crate) fn shaped(&self, table: &Table<'_>, request: &GlyphRequest) -> Option<(Vec<bool>, &'static str)> {
        let numbers = |columns: &[usize]| -> Vec<Vec<f64>> {
            columns.iter().map(|column| table.numbers(*column).collect()).collect()
        };
        let of_rows = |is_shaped: &dyn Fn(usize) -> bool| (0..table.rows()).map(is_shaped).collect();
        match &request.rows {
            RowShape::Ellipsoid { .. } => {
                let (lengths, turns) = (self.lengths(table)?, numbers(self.orientation.as_ref().map_or(&[], |of| of)));
                let is_turned = |row: usize| turns.iter().all(|part| part[row].is_finite());
                Some((of_rows(&|row| has_body(lengths[row]) && is_turned(row)), "radii of an ellipsoid"))
            }
            RowShape::Cylinder { caps, .. } => {
                let (ends, starts) = (numbers(&self.ends), table.space().collect::<Vec<_>>());
                let is_shaped = |row: usize| {
                    let end = [0, 1, 2].map(|axis| ends[axis][row]);
                    end.iter().all(|along| along.is_finite()) && (*caps == Caps::Round || end != starts[row])
                };
                Some((of_rows(&is_shaped), "end or no length"))
            }
            RowShape::Sphere | RowShape::Arrow => {
                let parts = numbers(&self.vectors?);
                let has_length = |row: usize| {
                    let squared: f64 = parts.iter().map(|part| part[row] * part[row]).sum();
                    squared > 0.0 && squared.is_finite()
                };
                Some((of_rows(&has_length), "vector with a length"))
            }
            RowShape::Segment { .. } => None,
        }
    }

    /// Whether each row of a table has an arrow, an ellipsoid or a cylinder.
    pub(crate) fn drawn_rows(&self, table: &Table<'_>, request: &GlyphRequest) -> Vec<bool> {
        if request.rows != RowShape::Sphere || self.shape.is_some() || request.probability.is_some() {
            return vec![true; table.rows()];
        }
        self.shaped(table, request).map_or_else(|| vec![false; table.rows()], |(has_arrow, _)| has_arrow)
    }

    /// The arrows of rows. They begin on the surfaces of their spheres, so that none hides in its own; rows that are
    /// nothing but an arrow begin at their place. `left_out` is the median radius of particles, where some are left out.
    pub(crate) fn arrows(
        &self,
        table: &Table<'_>,
        request: &GlyphRequest,
        is_suited: bool,
        spheres: &[PaintedSphere],
        left_out: Option<f32>,
    ) -> RowArrows {
        let Some(columns) = self.vectors else { return RowArrows::default() };
        let radius = median_radius(spheres).or(left_out).unwrap_or(1.0);
        let parts = columns.map(|column| table.numbers(column).collect::<Vec<f64>>());
        let vector = |row: usize| DVec3::new(parts[0][row], parts[1][row], parts[2][row]);
        let lengths: Vec<f64> = (0..spheres.len()).map(|row| vector(row).length()).collect();
        let longest = lengths.iter().copied().filter(|length| length.is_finite()).fold(0.0, f64::max);
        let usual = if longest > 0.0 { LONGEST * f64::from(radius) / longest } else { 1.0 };
        let scale = request.vector_scale.map_or(usual, f64::from);
        // the length with the last colour
        let last = if let ArrowColor::Length(Some(last)) = request.vector_color { last } else { longest };
        // rows that are nothing but arrows have their own thickness
        let has_own = request.rows == RowShape::Arrow && !is_suited;
        let shaft = request.vector_radius.unwrap_or(SHAFT * radius);
        let thick = |row: usize| if has_own { spheres[row].radius } else { shaft };
        let arrow = |(row, length): (usize, &f64)| {
            let color = match request.vector_color {
                ArrowColor::Particle => None,
                ArrowColor::One(color) => Some(color),
                ArrowColor::Length(_) => {
                    Some(ColorMap::VIRIDIS.number(if last > 0.0 { (length / last).min(1.0) } else { 0.0 }))
                }
            };
            let along = vector(row) * scale;
            let outward = if request.rows == RowShape::Arrow { 0.0 } else { f64::from(spheres[row].radius.max(0.0)) };
            Some(RowArrow {
                row: u32::try_from(row).ok().filter(|_| *length > 0.0 && length.is_finite())?,
                offset: (along.normalize_or_zero() * outward).to_array().map(single),
                vector: along.to_array().map(single),
                radius: thick(row),
                color,
            })
        };
        let arrows: Vec<RowArrow> = lengths.iter().enumerate().filter_map(arrow).collect();
        // frames of a film have one legend, whether or not anything moves
        let has_legend = !arrows.is_empty() || request.vector_scale.is_some();
        let sizes = ArrowSizes { radius, shaft, scale, longest, last };
        RowArrows { arrows, legend: if has_legend { sizes.legend(request) } else { Vec::new() } }
    }
}

struct ArrowSizes {
    /// The median radius of spheres.
    radius: f32,
    /// Radius of shafts.
    shaft: f32,
    /// Lengths of arrows, per unit of their vectors.
    scale: f64,
    /// The length of the longest vector, and the length with the last colour.
    longest: f64,
    last: f64,
}

impl ArrowSizes {
    /// The colours of arrows, if they show lengths, and an arrow.
    fn legend(&self, request: &GlyphRequest) -> Vec<LegendPart> {
        let name = vectors::name(request.vectors.as_deref().unwrap_or_default());
        let colors = matches!(request.vector_color, ArrowColor::Length(_)).then(|| {
            LegendPart::Colors(ColorKey::Numbers {
                name: name.clone(),
                map: ColorMap::VIRIDIS.name(),
                scale: Scale::Linear,
                least: 0.0,
                most: self.last,
                shown: None,
                beyond: [false, self.longest > self.last],
                extremes: [0.0, self.longest],
                alpha: u8::MAX,
                dates: false,
                missing: 0,
                counts: Vec::new(),
                alphas: Vec::new(),
                quantiles: Vec::new(),
            })
        });
        let color = if let ArrowColor::One(color) = request.vector_color { Some(color) } else { None };
        let reach = LONGEST * f64::from(self.radius);
        let longest = request.vector_scale.map_or(self.longest, |_| reach / self.scale.abs());
        let (scale, radius) = (self.scale, f64::from(self.shaft));
        colors.into_iter().chain([LegendPart::Arrows(ArrowKey { name, longest, scale, radius, color })]).collect()
    }
}

/// The median radius of the spheres that are drawn, if any is.
pub(crate) fn median_radius(spheres: &[PaintedSphere]) -> Option<f32> {
    let mut radii: Vec<f32> = spheres.iter().map(|sphere| sphere.radius).filter(|radius| *radius > 0.0).collect();
    radii.sort_unstable_by(f32::total_cmp);
    radii.get(radii.len() / 2).copied()
}

/// Moves the starts of arrows to the surfaces of their rows' ellipsoids.
pub(crate) fn begin_on_ellipsoids(arrows: &mut [RowArrow], ellipsoids: &[RowEllipsoid]) {
    for arrow in arrows {
        let Ok(place) = ellipsoids.binary_search_by_key(&arrow.row, |ellipsoid| ellipsoid.row) else { continue };
        let RowEllipsoid { radii, rotation, .. } = ellipsoids[place];
        let turn = DQuat::from_array(rotation.map(f64::from)).normalize();
        let along = DVec3::from(arrow.vector.map(f64::from)).normalize_or_zero();
        let outward = 1.0 / (turn.inverse() * along / DVec3::from(radii.map(f64::from))).length();
        arrow.offset = (along * outward).to_array().map(single);
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ArrowColor {
    #[default]
    Particle,
    /// The length, up to this one or else the longest.
    Length(Option<f64>),
    One(Srgba8),
}

impl FromStr for ArrowColor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "particle" => Ok(Self::Particle),
            "length" => Ok(Self::Length(None)),
            color if color.starts_with("length ") => {
                let longest = color["length ".len()..].trim().parse().ok();
                let longest = longest.filter(|longest: &f64| longest.is_finite() && *longest > 0.0);
                longest.map(|longest| Self::Length(Some(longest))).ok_or_else(|| {
                    format!(
                        "must have a positive length after `length`, such as length 2.5, got {:?}",
                        shortened(color)
                    )
                })
            }
            color => color
                .parse()
                .map(Self::One)
                .map_err(|_| format!("must be particle, length, or a colour, got {:?}", shortened(text))),
        }
    }
}

/// Dark rings are flat ellipsoids, larger than their ellipsoid by this share of its radii: enough to win the depth test
/// in 32 bits, too little to show as a rim.
const RING_LIFT: f32 = 0.003;

/// Half the thickness of these flat ellipsoids, relative to the longest radius, and its limit relative to the radius
/// along their axis. With this lift, a thirteenth of it shows: lines are a fiftieth of the longest diameter wide.
const RING_THICKNESS: f32 = 0.25;
const MOST_RING_THICKNESS: f32 = 0.5;

/// The colour of rings: outlines are darker, so that both can be told apart.
const RING: Srgba8 = Srgba8::rgb(0x20, 0x20, 0x20);

impl RowEllipsoid {
    /// The rings in the three principal planes.
    pub(crate) fn rings(&self, sphere: &PaintedSphere) -> [PaintedEllipsoid; 3] {
        let longest = self.radii.into_iter().fold(0.0, f32::max);
        [0, 1, 2].map(|axis| {
            let mut radii = self.radii.map(|radius| radius * (1.0 + RING_LIFT));
            radii[axis] = (RING_THICKNESS * longest).min(MOST_RING_THICKNESS * self.radii[axis]);
            PaintedEllipsoid::new(sphere.center, radii, RING).with_rotation(self.rotation)
        })
    }

    pub(crate) fn painted(&self, sphere: &PaintedSphere) -> PaintedEllipsoid {
        PaintedEllipsoid::new(sphere.center, self.radii, sphere.color).with_rotation(self.rotation)
    }
}

impl RowCylinder {
    pub(crate) fn painted(&self, sphere: &PaintedSphere) -> PaintedCylinder {
        PaintedCylinder::new(sphere.center, self.end, self.radius, sphere.color).with_caps(self.caps)
    }
}

impl RowArrow {
    pub(crate) fn painted(&self, sphere: &PaintedSphere) -> PaintedArrow {
        let start = [0, 1, 2].map(|axis| sphere.center[axis] + self.offset[axis]);
        PaintedArrow::new(start, self.vector, self.radius, self.color.unwrap_or(sphere.color))
    }
}
