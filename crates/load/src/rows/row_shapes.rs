//! Rows of a table as shapes: their colours and radii, and their places.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use crate::color::elements::{Atomic, UNKNOWN_RADIUS};
use crate::color::{ColorRange, Scale};
use crate::data::{Block, Kind, NumberSource, Positions, Table, Values, extremes, share};
use crate::error::Result;
use crate::formats::painted::{OneColor, OneColorRadius, Painter};
use crate::geom::{Origin, finite_single};
use crate::rows::canvas::CanvasTransform;
use crate::rows::colors::{Colors, element};
use crate::rows::column_plan::{Coloring, Sizing};
use crate::rows::counted_rows::FileCounts;
use crate::rows::overlap::Disc;
use crate::rows::row_tally::RowTally;
use crate::scene::circles::{PaintedCircle, VAST_RADIUS};
use crate::scene::spheres::{PaintedSphere, SphereStore};
use crate::scene::{FillSpheres, SphereSink, in_chunks};

/// Least number of rows for a thread.
const LEAST: usize = 1 << 14;

/// The rows as spheres relative to an origin, in order.
pub(crate) fn spheres(table: &Table<'_>, origin: Origin, colors: &Colors, radii: &Radii) -> Vec<PaintedSphere> {
    let sphere = |block: &Block<'_>, row: usize, first: usize| PaintedSphere {
        center: origin.subtracted(block.space()[row]),
        radius: radii.radius(block, row),
        color: colors.color(block, row, first),
    };
    shapes(table, sphere)
}

/// Paints rows in space as soon as they are read, as [`spheres`] does, and adds them to `counted`; `None` if a row's look
/// depends on other rows.
pub(crate) fn painter(color: &Coloring, size: &Sizing, counted: Option<FileCounts>) -> Option<Painter> {
    let is_own_color = match color {
        Coloring::Constant(_) | Coloring::Literal(_) | Coloring::Channels { ranges: Some(_), .. } => true,
        Coloring::Numbers { source: NumberSource::Column(_) | NumberSource::Axis(_), range, .. } => {
            matches!(range, Some(ColorRange::Numbers(_)))
        }
        _ => false,
    };
    let is_own_size = matches!(size, Sizing::Constant(_) | Sizing::Column(_) | Sizing::DataUnits(_));
    if !(is_own_color && is_own_size) {
        return None;
    }
    // neither depends on the whole table: an empty one is enough
    let table = Table::default();
    let (colors, radii) = (Colors::new(&table, color), Radii::new(&table, size));
    let one_color = match (&colors, &radii) {
        (&Colors::Constant(color), Radii::Constant(radius)) => {
            Some(OneColor { color, radius: OneColorRadius::All(*radius) })
        }
        (&Colors::Constant(color), Radii::Column(column) | Radii::DataUnits(column)) => {
            Some(OneColor { color, radius: OneColorRadius::Column(*column) })
        }
        _ => None,
    };
    let mut painter = Painter::new(move |block, origin, spheres| {
        if let Some(counted) = &counted {
            counted.add(RowTally::of_block(block, 0, &colors, &radii));
        }
        if let (&Colors::Constant(color), Radii::Column(column) | Radii::DataUnits(column)) = (&colors, &radii)
            && let Values::F32(radii) = &block.values[*column]
        {
            // nearly all files: decided before the loop
            let sphere = |(&place, &radius): (&[f64; 3], &f32)| {
                let center = origin.subtracted(place);
                PaintedSphere { center, radius: drawn_radius(radius), color }
            };
            spheres.par_extend(block.space().par_iter().zip(&radii[..]).with_min_len(LEAST).map(sphere));
            return;
        }
        let sphere = |(row, &place): (usize, &[f64; 3])| PaintedSphere {
            center: origin.subtracted(place),
            radius: radii.radius(block, row),
            color: colors.color(block, row, 0),
        };
        spheres.par_extend(block.space().par_iter().enumerate().with_min_len(LEAST).map(sphere));
    });
    painter.one_color = one_color;
    Some(painter)
}

/// The rows as circles, in order. Colours of this crate's own choice get the opacity that suits their number.
pub(crate) fn circles(
    table: &Table<'_>,
    colors: &Colors,
    radii: &Radii,
    look: &CircleLook,
    transform: &CanvasTransform,
) -> Vec<PaintedCircle> {
    let (colors, radii) = (colors.clone().with_alpha(look.alpha), radii.clone().or_suited(look.radius));
    let circle = |block: &Block<'_>, row: usize, first: usize| {
        let radius = radii.radius(block, row);
        PaintedCircle {
            center: transform.place(block.plane()[row]),
            radius: if radii.is_in_data_units() { transform.length(f64::from(radius)) } else { radius },
            color: colors.color(block, row, first),
        }
    };
    shapes(table, circle)
}

/// A circle whose rim needs more digits than the numbers of a [`PaintedCircle`] have: a radius in pixels that suits the
/// rounded centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VastCircle {
    pub(crate) center: [f32; 2],
    pub(crate) radius: f64,
}

/// The vast ones among the circles of rows, by their indices.
pub(crate) fn vast_circles(
    table: &Table<'_>,
    radii: &Radii,
    circles: &[PaintedCircle],
    transform: &CanvasTransform,
) -> BTreeMap<usize, VastCircle> {
    let mut vast = BTreeMap::new();
    let mut first = 0;
    for block in &table.blocks {
        let of_block = circles[first..first + block.rows()].iter().enumerate();
        for (row, circle) in of_block.filter(|(_, circle)| f64::from(circle.radius) > VAST_RADIUS) {
            let length = match radii {
                Radii::DataUnits(column) => block.values[*column].number(row),
                Radii::Column(column) => block.values[*column].number(row) / transform.scale,
                _ => f64::from(circle.radius) / transform.scale,
            };
            let (center, radius) = transform.circle(block.plane()[row], length);
            vast.insert(first + row, VastCircle { center, radius });
        }
        first += block.rows();
    }
    vast
}

/// The places and radii of every so many rows, in pixels.
pub(crate) fn discs(
    table: &Table<'_>,
    radii: &Radii,
    look: &CircleLook,
    transform: &CanvasTransform,
    every: usize,
) -> Vec<Disc> {
    let radii = radii.clone().or_suited(look.radius);
    let mut discs = Vec::new();
    let mut next = 0;
    for block in &table.blocks {
        while next < block.rows() {
            let radius = radii.radius(block, next);
            let radius = if radii.is_in_data_units() { transform.length(f64::from(radius)) } else { radius };
            discs.push((transform.place(block.plane()[next]), radius));
            next += every;
        }
        next -= block.rows();
    }
    discs
}

/// Whether a column has radii, by its name.
fn is_radius(name: &str) -> bool {
    ["r", "radius"].iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Whether radii come from a column that means something else, by its name.
pub(crate) fn sized_by_meaning<'a>(size: &Sizing, name: impl Fn(usize) -> &'a str) -> bool {
    matches!(size, Sizing::Column(column) | Sizing::DataUnits(column) if !is_radius(name(*column)))
}

/// Default radius in pixels and opacity of circles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CircleLook {
    pub(crate) radius: f32,
    /// `None` leaves colours as they are.
    pub(crate) alpha: Option<u8>,
}

/// Paints rows on all threads; `paint` is given a block, a row of it, and how many rows come before the block.
fn shapes<T: Send>(table: &Table<'_>, paint: impl Fn(&Block<'_>, usize, usize) -> T + Sync) -> Vec<T> {
    let start = |next: &mut usize, block: &Block<'_>| {
        *next += block.rows();
        Some(*next - block.rows())
    };
    let starts: Vec<usize> = table.blocks.iter().scan(0, start).collect();
    // `current` is the block of the row before
    let painted = |current: &mut usize, row: usize| {
        let within = |index: usize| starts[index] <= row && row - starts[index] < table.blocks[index].rows();
        if !within(*current) {
            *current = starts.partition_point(|&start| start <= row) - 1;
        }
        paint(&table.blocks[*current], row - starts[*current], starts[*current])
    };
    let mut shapes = Vec::new();
    (0..table.rows()).into_par_iter().with_min_len(LEAST).map_init(|| 0, painted).collect_into_vec(&mut shapes);
    shapes
}

/// The greatest radius in pixels; 0 for radii in data units.
pub(crate) fn largest_pixels(table: &Table<'_>, radii: &Radii, suited: f32) -> f64 {
    if let Radii::Suited = radii {
        return f64::from(suited);
    }
    if radii.is_in_data_units() {
        return 0.0;
    }
    let rows = table.blocks.iter().flat_map(|block| (0..block.rows()).map(|row| radii.radius(block, row)));
    f64::from(rows.fold(0.0, f32::max))
}

/// Radii of rows, with all that depends on the whole table resolved.
#[derive(Clone, Debug)]
pub(crate) enum Radii {
    /// One that suits the picture, which is not known yet.
    Suited,
    Constant(f32),
    /// By the index of the row's name.
    ByName(usize, Vec<f32>),
    Column(usize),
    DataUnits(usize),
    Scaled {
        column: usize,
        scale: Scale,
        least: f64,
        most: f64,
        small: f64,
        large: f64,
    },
}

impl Radii {
    /// Radii of a table before rows are left out, so that a row's radius does not depend on which others are drawn.
    pub(crate) fn new(table: &Table<'_>, size: &Sizing) -> Self {
        let suited = || match table.blocks.first().map(|block| &block.positions) {
            Some(Positions::Plane(_)) => Self::Suited,
            _ => Self::Constant(spacing(table.space())),
        };
        match *size {
            Sizing::Constant(radius) => Self::Constant(radius),
            Sizing::Suited | Sizing::Vdw { elements: None, or_suited: true } => suited(),
            Sizing::Vdw { elements: None, or_suited: false } => Self::Constant(UNKNOWN_RADIUS),
            Sizing::Column(column) => Self::Column(column),
            Sizing::DataUnits(column) => Self::DataUnits(column),
            Sizing::Vdw { elements: Some(column), or_suited } => {
                let names = &table.columns[column].names;
                if or_suited && names.iter().all(|name| element(name) == Atomic::UNKNOWN) {
                    return suited();
                }
                Self::ByName(column, names.iter().map(|name| element(name).element().radius).collect())
            }
            Sizing::Scaled { column, range: [small, large], scale } => {
                let (least, most) =
                    extremes(table.numbers(column).map(|value| scale.of(value)).filter(|value| value.is_finite()));
                let [small, large] = [small, large].map(f64::from);
                // no radius is for the number 0, not for the least one
                let is_in_proportion = small == 0.0 && scale != Scale::Log && table.columns[column].kind != Kind::Time;
                let least = if is_in_proportion { least.min(0.0) } else { least };
                Self::Scaled { column, scale, least, most, small, large }
            }
        }
    }

    /// Replaces [`Radii::Suited`] by this radius.
    fn or_suited(self, radius: f32) -> Self {
        if let Self::Suited = self { Self::Constant(radius) } else { self }
    }

    /// The column of radii if it means something else, by its name: for plain radii a scale bar says more.
    pub(crate) fn meaning<'a>(&self, table: &'a Table<'_>) -> Option<(usize, &'a str)> {
        let (Self::Column(column) | Self::DataUnits(column) | Self::Scaled { column, .. }) = self else { return None };
        let name = table.columns.get(*column)?.name.as_str();
        (!is_radius(name)).then_some((*column, name))
    }

    /// The radius of a number, if numbers have one.
    pub(crate) fn of_number(&self, number: f64) -> f64 {
        match self {
            Self::Column(_) | Self::DataUnits(_) => number,
            Self::Scaled { scale, least, most, small, large, .. } if most > least => {
                small + share(scale.of(number), *least, *most) * (large - small)
            }
            Self::Scaled { large, .. } => *large,
            Self::Suited | Self::Constant(_) | Self::ByName(..) => 0.0,
        }
    }

    pub(crate) fn is_in_data_units(&self) -> bool {
        matches!(self, Self::DataUnits(_))
    }

    /// The radius of a row; 0, which draws nothing, where it is missing.
    #[inline]
    fn radius(&self, block: &Block<'_>, row: usize) -> f32 {
        match self {
            Self::Suited => 0.0,
            Self::Constant(radius) => *radius,
            Self::ByName(column, radii) => {
                block.values[*column].code(row).map_or(UNKNOWN_RADIUS, |code| radii[code as usize])
            }
            Self::Column(column) | Self::DataUnits(column) => match &block.values[*column] {
                Values::F32(values) => drawn_radius(values[row]),
                values => drawn_radius(finite_single(values.number(row))),
            },
            Self::Scaled { column, scale, least, most, small, large } => {
                let value = scale.of(block.values[*column].number(row));
                if !value.is_finite() {
                    return 0.0;
                }
                finite_single(if most > least { small + share(value, *least, *most) * (large - small) } else { *large })
            }
        }
    }
}

/// The radius for a value of a column: 0, which draws nothing, where it is missing.
#[inline]
fn drawn_radius(radius: f32) -> f32 {
    if radius.is_nan() { 0.0 } else { radius }
}

/// A radius at which particles spread evenly over their box would just touch.
pub fn spacing(places: impl Iterator<Item = [f64; 3]>) -> f32 {
    Spread::of_places(places).spacing()
}

/// A note if the largest of many spheres contains the centres of most others, and so hides them.
pub(crate) fn overgrown(file: &str, spheres: &SphereStore<'_>) -> Option<String> {
    /// Fewer spheres may be drawn so on purpose.
    const MANY: usize = 10;
    /// Spheres that are looked at before all are.
    const SOME: usize = 1 << 12;
    if spheres.len() < MANY {
        return None;
    }
    // of equal radii the last
    let larger = |a: usize, b: usize| {
        if spheres.at(a.min(b)).radius > spheres.at(a.max(b)).radius { a.min(b) } else { a.max(b) }
    };
    let largest = spheres.at((0..spheres.len()).into_par_iter().with_min_len(LEAST).reduce(|| 0, larger));
    let square = |a: [f32; 3], b: [f32; 3]| -> f64 {
        [0, 1, 2].map(|axis| f64::from(a[axis]) - f64::from(b[axis])).map(|apart| apart * apart).iter().sum()
    };
    let reach = f64::from(largest.radius) * f64::from(largest.radius);
    let is_inside = |index: &usize| square(spheres.at(*index).center, largest.center) < reach;
    let step = spheres.len().div_ceil(SOME);
    let of_some = (0..spheres.len()).step_by(step).filter(is_inside).count();
    if 4 * of_some * step < spheres.len() {
        return None;
    }
    let inside = (0..spheres.len()).into_par_iter().with_min_len(LEAST).filter(is_inside).count() - 1;
    let rest = spheres.len() - 1;
    let spacing = f64::from(spacing(spheres.iter().map(|sphere| sphere.center.map(f64::from))));
    // two digits are plenty for a proposal
    let digits = libm::pow(10.0, libm::floor(libm::log10(spacing)) - 1.0);
    let round = |value: f64| (value / digits).round() * digits;
    let [least, most] = [0.2, 1.5].map(|factor| finite_single(round(factor * spacing)));
    (2 * inside > rest).then(|| {
        format!(
            "{file}: one sphere, of radius {}, holds {inside} of {rest} others; --radius-range {least},{most} spreads radii over a range",
            largest.radius
        )
    })
}

/// The number of points, and their bounding box.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    least: [f64; 3],
    most: [f64; 3],
    pub(crate) count: u64,
}

impl Default for Spread {
    fn default() -> Self {
        Self { least: [f64::INFINITY; 3], most: [f64::NEG_INFINITY; 3], count: 0 }
    }
}

impl Spread {
    pub(crate) fn of_places(places: impl Iterator<Item = [f64; 3]>) -> Self {
        let mut spread = Self::default();
        for place in places {
            spread.count += 1;
            for (axis, along) in place.into_iter().enumerate() {
                (spread.least[axis], spread.most[axis]) = (spread.least[axis].min(along), spread.most[axis].max(along));
            }
        }
        spread
    }

    fn of_centers(centers: impl Iterator<Item = [f32; 3]>) -> Self {
        let (mut least, mut most, mut count) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3], 0);
        for center in centers {
            count += 1;
            for axis in 0..3 {
                (least[axis], most[axis]) = (least[axis].min(center[axis]), most[axis].max(center[axis]));
            }
        }
        Self { least: least.map(f64::from), most: most.map(f64::from), count }
    }

    pub(crate) fn of(spheres: &[PaintedSphere]) -> Self {
        Self::of_centers(spheres.iter().map(|sphere| sphere.center))
    }

    pub(crate) fn extend(&mut self, spheres: &[PaintedSphere]) {
        *self = self.join(spheres.par_chunks(LEAST).map(Self::of).reduce(Self::default, Self::join));
    }

    /// The spread of these points and of others.
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.count += other.count;
        for axis in 0..3 {
            self.least[axis] = self.least[axis].min(other.least[axis]);
            self.most[axis] = self.most[axis].max(other.most[axis]);
        }
        self
    }

    /// The least and the greatest corner of the box.
    pub(crate) fn corners(&self) -> [[f64; 3]; 2] {
        [self.least, self.most]
    }

    /// This many points in a box.
    pub(crate) fn of_box(count: u64, [least, most]: [[f64; 3]; 2]) -> Self {
        Self { least, most, count }
    }

    /// A radius at which particles spread evenly over the box would just touch.
    pub(crate) fn spacing(&self) -> f32 {
        let Self { least, most, count } = self;
        let longest = (0..3).map(|axis| most[axis] - least[axis]).fold(0.0, f64::max);
        // a plane or a line of particles is a box as thick as a hundredth of its length
        let volume: f64 = (0..3).map(|axis| (most[axis] - least[axis]).max(0.01 * longest)).product();
        let radius = 0.5 * libm::cbrt(volume / (*count).max(1) as f64);
        if radius > 0.0 && radius.is_finite() { finite_single(radius) } else { 1.0 }
    }
}

impl SphereSink for Spread {
    fn add_at(&mut self, _: u64, spheres: &[PaintedSphere]) -> Result<()> {
        self.extend(spheres);
        Ok(())
    }

    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()> {
        let found = in_chunks(numbers, |numbers, spheres| {
            fill(numbers, spheres);
            Self::of(spheres)
        });
        *self = found.into_iter().fold(*self, Self::join);
        Ok(())
    }
}
