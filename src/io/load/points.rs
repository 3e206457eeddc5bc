//! A table's rows as circles, or as spheres where it has a third coordinate.

use std::collections::BTreeMap;

use super::atoms::{extremes, share};
use super::nearest;
use super::table::{Table, number};
use crate::color::Srgba8;
use crate::color::maps::ColorMap;
use crate::error::{Error, Result};
use crate::scene::circles::PaintedCircle;
use crate::scene::spheres::PaintedSphere;

/// What a row's radius comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RadiusFrom {
    /// Pixels, or world units for spheres.
    Constant(f32),
    /// A column in pixels, or in world units for spheres.
    Column(String),
    /// A column in the units of the coordinates.
    DataUnits(String),
    /// A column spread over a range of radii.
    Scaled { column: String, range: [f32; 2], scale: Scale },
}

/// How a column's numbers become radii.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    /// Areas in proportion to the numbers.
    Sqrt,
    Log,
}

/// What a row's colour comes from.
#[derive(Clone, Debug)]
pub(super) enum ColorFrom {
    Constant(Srgba8),
    Column {
        column: String,
        /// Left out: literal colours, viridis for numbers, tab10 for anything else, as the first row has it.
        map: Option<ColorMap>,
        /// The numbers at the map's ends; left out: the column's least and greatest.
        range: Option<[f64; 2]>,
        alpha: u8,
    },
}

/// Coloured by a column, as its values suggest.
pub(super) fn color_column(table: &Table, column: usize) -> ColorFrom {
    ColorFrom::Column { column: table.columns[column].clone(), map: None, range: None, alpha: 255 }
}

/// Rows read from a table: coordinates still as the table has them.
pub(super) struct Rows<const N: usize> {
    pub(super) centers: Vec<[f64; N]>,
    radii: Radii,
    colors: Colors,
}

enum Radii {
    Constant(f32),
    Pixels(Vec<f32>),
    DataUnits(Vec<f32>),
}

enum Colors {
    Constant(Srgba8),
    /// As the table has them.
    Literal(Vec<Srgba8>),
    /// From a colour map.
    Mapped(Vec<Srgba8>),
}

/// Reads the named columns of all rows.
pub(super) fn read<const N: usize>(
    mut table: Table,
    axes: [usize; N],
    radius: &RadiusFrom,
    color: &ColorFrom,
) -> Result<Rows<N>> {
    let find = |name: &str| table.find(name).map_err(|rule| Error::input(&table.file, 1, format!("a column {rule}")));
    let radius_column = match radius {
        RadiusFrom::Constant(_) => None,
        RadiusFrom::Column(name) | RadiusFrom::DataUnits(name) => Some(find(name)?),
        RadiusFrom::Scaled { column, .. } => Some(find(column)?),
    };
    let color_column = match color {
        ColorFrom::Constant(_) => None,
        ColorFrom::Column { column, .. } => Some(find(column)?),
    };
    let mut centers = Vec::new();
    let mut radii = Vec::new();
    let mut colors = None;
    while table.next_row()? {
        let mut center = [0.0; N];
        for (value, &column) in center.iter_mut().zip(&axes) {
            *value = table.number(column)?;
        }
        table.admit(centers.len())?;
        centers.push(center);
        if let Some(column) = radius_column {
            radii.push(radius_value(&table, column, radius)?);
        }
        if let (Some(column), ColorFrom::Column { map, .. }) = (color_column, color) {
            colors.get_or_insert_with(|| ColorColumn::new(table.field(column), *map)).push(&table, column)?;
        }
    }
    let radii = match radius {
        RadiusFrom::Constant(radius) => Radii::Constant(*radius),
        RadiusFrom::Column(_) => Radii::Pixels(radii.into_iter().map(single).collect()),
        RadiusFrom::DataUnits(_) => Radii::DataUnits(radii.into_iter().map(single).collect()),
        RadiusFrom::Scaled { range: [small, large], .. } => {
            let (least, most) = extremes(radii.iter().copied());
            let [small, large] = [*small, *large].map(f64::from);
            let spread = |value| if most > least { small + share(value, least, most) * (large - small) } else { large };
            Radii::Pixels(radii.into_iter().map(|value| single(spread(value))).collect())
        }
    };
    let colors = match (color, colors) {
        (ColorFrom::Column { range, alpha, .. }, Some(colors)) => colors.finish(*range, *alpha),
        (ColorFrom::Column { .. }, None) => Colors::Mapped(Vec::new()),
        (ColorFrom::Constant(color), _) => Colors::Constant(*color),
    };
    Ok(Rows { centers, radii, colors })
}

/// A radius in its unit, or on its scale.
fn radius_value(table: &Table, column: usize, radius: &RadiusFrom) -> Result<f64> {
    match radius {
        RadiusFrom::Scaled { scale: Scale::Linear, .. } => table.number(column),
        RadiusFrom::Scaled { scale: Scale::Sqrt, .. } => Ok(table.length(column)?.sqrt()),
        RadiusFrom::Scaled { scale: Scale::Log, .. } => {
            let value = table.number(column)?;
            if value > 0.0 { Ok(libm::log(value)) } else { Err(table.refuse(column, "positive on a log scale")) }
        }
        _ => {
            let value = table.length(column)?;
            if value <= f64::from(f32::MAX) { Ok(value) } else { Err(table.refuse(column, "at most 3.4e38")) }
        }
    }
}

/// A column that gives colours, while it is read.
enum ColorColumn {
    Literal(Vec<Srgba8>),
    Numbers(Vec<f64>, ColorMap),
    Categories { indices: Vec<u32>, names: BTreeMap<Box<[u8]>, u32>, map: ColorMap },
}

/// Categories a column may have: a column with more is no category.
const MOST_CATEGORIES: usize = 1 << 20;

impl ColorColumn {
    fn new(first: &[u8], map: Option<ColorMap>) -> Self {
        let literal = std::str::from_utf8(first).is_ok_and(|text| text.trim().starts_with('#'));
        let categories = |map| Self::Categories { indices: Vec::new(), names: BTreeMap::new(), map };
        match map {
            Some(map @ ColorMap::Categories(..)) => categories(map),
            Some(map) => Self::Numbers(Vec::new(), map),
            None if literal => Self::Literal(Vec::new()),
            None if number(first).is_some() => Self::Numbers(Vec::new(), ColorMap::VIRIDIS),
            None => categories(ColorMap::TAB10),
        }
    }

    fn push(&mut self, table: &Table, column: usize) -> Result<()> {
        match self {
            Self::Literal(colors) => {
                let text = std::str::from_utf8(table.field(column)).ok();
                let color = text.and_then(|text| text.trim().parse().ok());
                colors.push(
                    color.ok_or_else(|| table.refuse(column, "a colour, #rrggbb or #rrggbbaa, as in the first row"))?,
                );
            }
            Self::Numbers(values, _) => values.push(table.number(column)?),
            Self::Categories { indices, names, .. } => {
                let name = table.field(column);
                let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
                let index = match names.get(name) {
                    Some(&index) => index,
                    None if names.len() == MOST_CATEGORIES => {
                        return Err(table.refuse(column, "one of 2^20 categories at most"));
                    }
                    None => *names.entry(name.into()).or_insert(next),
                };
                indices.push(index);
            }
        }
        Ok(())
    }

    fn finish(self, range: Option<[f64; 2]>, alpha: u8) -> Colors {
        match self {
            Self::Literal(colors) => Colors::Literal(colors),
            Self::Numbers(values, map) => {
                let (least, most) =
                    range.map_or_else(|| extremes(values.iter().copied()), |[least, most]| (least, most));
                let color = |&value: &f64| map.number(share(value, least, most)).with_alpha(alpha);
                Colors::Mapped(values.iter().map(color).collect())
            }
            Self::Categories { indices, map, .. } => {
                Colors::Mapped(indices.iter().map(|&index| map.category(index as usize).with_alpha(alpha)).collect())
            }
        }
    }
}

/// From data coordinates to pixels, with the same scale on both axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CanvasTransform {
    /// What stands in the middle of the picture.
    pub(super) center: [f64; 2],
    /// Pixels a unit.
    pub(super) scale: f64,
    /// −1 where y grows upwards.
    pub(super) y_sign: f64,
    /// The middle of the picture, pixels.
    pub(super) middle: [f64; 2],
}

impl CanvasTransform {
    /// Pixels from the top-left corner.
    pub(super) fn place(&self, point: [f64; 2]) -> [f32; 2] {
        let x = self.middle[0] + (point[0] - self.center[0]) * self.scale;
        let y = self.middle[1] + (point[1] - self.center[1]) * self.scale * self.y_sign;
        [single(x), single(y)]
    }

    /// A length in pixels.
    pub(super) fn length(&self, length: f64) -> f32 {
        single(length * self.scale)
    }
}

/// The nearest `f32`; beyond its range, its greatest number, far outside of any picture.
#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
fn single(value: f64) -> f32 {
    (value as f32).clamp(f32::MIN, f32::MAX)
}

impl<const N: usize> Rows<N> {
    /// With another radius, and another opacity where the colours are this crate's own choice.
    pub(super) fn with(mut self, radius: Option<f32>, alpha: u8) -> Self {
        if let Some(radius) = radius {
            self.radii = Radii::Constant(radius);
        }
        match &mut self.colors {
            Colors::Constant(color) if color.a == 255 => color.a = alpha,
            Colors::Constant(_) | Colors::Literal(_) => {}
            Colors::Mapped(colors) => colors.iter_mut().for_each(|color| color.a = alpha),
        }
        self
    }
}

impl Rows<2> {
    /// As circles on the picture.
    pub(super) fn circles(&self, transform: &CanvasTransform) -> Vec<PaintedCircle> {
        let circle = |(index, &center): (usize, &[f64; 2])| PaintedCircle {
            center: transform.place(center),
            radius: match &self.radii {
                Radii::Constant(radius) => *radius,
                Radii::Pixels(radii) => radii[index],
                Radii::DataUnits(radii) => transform.length(f64::from(radii[index])),
            },
            color: self.colors.color(index),
        };
        self.centers.iter().enumerate().map(circle).collect()
    }

    /// The box of the centres, grown by radii in data units: least and greatest corner.
    pub(super) fn bounds(&self) -> [[f64; 2]; 2] {
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (index, center) in self.centers.iter().enumerate() {
            let radius = if let Radii::DataUnits(radii) = &self.radii { f64::from(radii[index]) } else { 0.0 };
            for axis in 0..2 {
                least[axis] = least[axis].min(center[axis] - radius);
                most[axis] = most[axis].max(center[axis] + radius);
            }
        }
        [least, most]
    }

    /// Whether the rows are circles of the plane, not marks on the paper.
    pub(super) fn has_extents(&self) -> bool {
        matches!(self.radii, Radii::DataUnits(_))
    }

    /// The greatest radius in pixels, of radii that are.
    pub(super) fn largest_pixels(&self) -> f64 {
        match &self.radii {
            Radii::Constant(radius) => f64::from(*radius),
            Radii::Pixels(radii) => radii.iter().copied().map(f64::from).fold(0.0, f64::max),
            Radii::DataUnits(_) => 0.0,
        }
    }
}

impl Rows<3> {
    /// A radius at which particles spread evenly over their box would just touch.
    pub(super) fn spacing(&self) -> f32 {
        let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for center in &self.centers {
            for axis in 0..3 {
                least[axis] = least[axis].min(center[axis]);
                most[axis] = most[axis].max(center[axis]);
            }
        }
        let longest = (0..3).map(|axis| most[axis] - least[axis]).fold(0.0, f64::max);
        // a plane or a line of particles is a box as thick as a hundredth of its length
        let volume: f64 = (0..3).map(|axis| (most[axis] - least[axis]).max(0.01 * longest)).product();
        let radius = 0.5 * libm::cbrt(volume / self.centers.len().max(1) as f64);
        if radius > 0.0 && radius.is_finite() { single(radius) } else { 1.0 }
    }

    /// As spheres in the world.
    pub(super) fn spheres(&self) -> Vec<PaintedSphere> {
        let sphere = |(index, center): (usize, &[f64; 3])| PaintedSphere {
            center: center.map(single),
            radius: match &self.radii {
                Radii::Constant(radius) => *radius,
                Radii::Pixels(radii) | Radii::DataUnits(radii) => radii[index],
            },
            color: self.colors.color(index),
        };
        self.centers.iter().enumerate().map(sphere).collect()
    }
}

impl Colors {
    fn color(&self, index: usize) -> Srgba8 {
        match self {
            Self::Constant(color) => *color,
            Self::Literal(colors) | Self::Mapped(colors) => colors[index],
        }
    }
}

/// Finds the columns of the coordinates by their usual names.
pub(super) fn usual_axes(table: &Table) -> Result<[usize; 2]> {
    const USUAL: [[&str; 2]; 7] = [
        ["x", "y"],
        ["longitude", "latitude"],
        ["lon", "lat"],
        ["long", "lat"],
        ["lng", "lat"],
        ["easting", "northing"],
        ["x_coord", "y_coord"],
    ];
    let pair = |[x, y]: &[&str; 2]| Some([table.column(x)?, table.column(y)?]);
    if let Some(axes) = USUAL.iter().find_map(pair) {
        return Ok(axes);
    }
    if table.columns == ["1", "2"] {
        return Ok([0, 1]);
    }
    let columns = table.columns.iter().map(String::as_str);
    let message = format!(
        "which columns are the coordinates? none have the usual names, such as x and y or longitude and latitude; \
         name them as x and y (columns: {})",
        nearest::list(columns)
    );
    Err(Error::input(&table.file, 1, message))
}
