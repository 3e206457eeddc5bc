//! Rows of a table as shapes: their colours and radii, and their places.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::canvas::CanvasTransform;
use super::plan::{Coloring, Scale, Sizing, Source};
use crate::color::Srgba8;
use crate::color::elements::{Atomic, UNKNOWN_RADIUS};
use crate::color::maps::ColorMap;
use crate::data::{Block, Table, Values, extremes, share};
use crate::scene::circles::PaintedCircle;
use crate::scene::spheres::PaintedSphere;

/// Of numbers that are missing.
const MISSING: Srgba8 = Srgba8::hex(0x80_80_80);

/// Blocks that are painted before they are put together: little memory, and enough for all threads.
const BLOCKS: usize = 64;

/// The rows as spheres, in order; their columns are given up on the way.
pub(crate) fn spheres(table: Table<'_>, color: &Coloring, size: &Sizing) -> Vec<PaintedSphere> {
    let colors = Colors::new(&table, color);
    let radii = Radii::new(&table, size, || spacing(table.space()));
    let sphere = |block: &Block<'_>, first: usize| -> Vec<PaintedSphere> {
        let places = block.space().iter().enumerate();
        let sphere = |(row, &center): (usize, &[f32; 3])| PaintedSphere {
            center,
            radius: radii.radius(block, row),
            color: colors.color(block, row, first),
        };
        places.map(sphere).collect()
    };
    shapes(table, sphere)
}

/// The rows as circles, in order. Colours of this crate's own choice get the opacity that suits their number.
pub(crate) fn circles(
    table: Table<'_>,
    color: &Coloring,
    size: &Sizing,
    look: &CircleLook,
    transform: &CanvasTransform,
) -> Vec<PaintedCircle> {
    let colors = Colors::new(&table, color).with_alpha(look.alpha);
    let radii = Radii::new(&table, size, || look.radius);
    let circle = |block: &Block<'_>, first: usize| -> Vec<PaintedCircle> {
        let places = block.plane().iter().enumerate();
        let circle = |(row, &place): (usize, &[f64; 2])| {
            let radius = radii.radius(block, row);
            PaintedCircle {
                center: transform.place(place),
                radius: if radii.is_in_data_units() { transform.length(f64::from(radius)) } else { radius },
                color: colors.color(block, row, first),
            }
        };
        places.map(circle).collect()
    };
    shapes(table, circle)
}

/// Radius in pixels and opacity for circles of which nobody says these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CircleLook {
    pub(crate) radius: f32,
    /// `None` leaves colours as they are.
    pub(crate) alpha: Option<u8>,
}

/// Paints blocks on all threads, some at a time, and drops them.
fn shapes<T: Send>(mut table: Table<'_>, paint: impl Fn(&Block<'_>, usize) -> Vec<T> + Sync) -> Vec<T> {
    let mut shapes = Vec::with_capacity(table.rows());
    let mut blocks = std::mem::take(&mut table.blocks).into_iter();
    let mut first = 0;
    loop {
        let some: Vec<_> = blocks
            .by_ref()
            .take(BLOCKS)
            .map(|block| {
                let start = first;
                first += block.rows();
                (block, start)
            })
            .collect();
        if some.is_empty() {
            return shapes;
        }
        let painted: Vec<Vec<T>> = some.par_iter().map(|(block, first)| paint(block, *first)).collect();
        painted.into_iter().for_each(|mut part| shapes.append(&mut part));
    }
}

/// The greatest radius in pixels, of radii that are; 0 for those in the units of the data.
pub(crate) fn largest_pixels(table: &Table<'_>, size: &Sizing, suited: f32) -> f64 {
    let radii = Radii::new(table, size, || suited);
    if radii.is_in_data_units() {
        return 0.0;
    }
    let rows = table.blocks.iter().flat_map(|block| (0..block.rows()).map(|row| radii.radius(block, row)));
    f64::from(rows.fold(0.0, f32::max))
}

/// Colours of rows, all that depends on the whole table worked out.
enum Colors {
    Constant(Srgba8),
    Literal(usize),
    /// By the index of the row's name.
    ByName(usize, Vec<Srgba8>),
    Numbers {
        source: Source,
        map: ColorMap,
        least: f64,
        most: f64,
        alpha: u8,
    },
}

impl Colors {
    fn new(table: &Table<'_>, color: &Coloring) -> Self {
        let by_name = |column: usize, color: &dyn Fn(usize, &str) -> Srgba8| {
            let names = table.columns[column].names.iter();
            Self::ByName(column, names.enumerate().map(|(index, name)| color(index, name)).collect())
        };
        match color {
            Coloring::Constant(color) => Self::Constant(*color),
            Coloring::Literal(column) => Self::Literal(*column),
            Coloring::Elements(column, constant) => {
                let names = &table.columns[*column].names;
                match constant {
                    Some(constant) if names.iter().all(|name| element(name) == Atomic::UNKNOWN) => {
                        // particles that are no atoms: kinds, or all of one
                        let kind = |index, _: &str| ColorMap::TAB10.category(index);
                        if names.len() == 1 { Self::Constant(*constant) } else { by_name(*column, &kind) }
                    }
                    _ => by_name(*column, &|_, name| element(name).element().color),
                }
            }
            Coloring::Residues(column) => by_name(*column, &|_, name| residue_color(name)),
            Coloring::Categories { column, map, alpha } => {
                by_name(*column, &|index, _| map.category(index).with_alpha(*alpha))
            }
            Coloring::Numbers { source, map, range, alpha } => {
                let (least, most) = match (range, *source) {
                    (Some([least, most]), _) => (*least, *most),
                    (None, Source::Column(column)) => extremes(table.numbers(column)),
                    (None, Source::Axis(axis)) => {
                        let block = |block: &Block<'_>| {
                            extremes((0..block.rows()).map(|row| block.positions.coordinate(row, axis)))
                        };
                        extremes(table.blocks.iter().flat_map(|of| <[f64; 2]>::from(block(of))))
                    }
                    (None, Source::Index) => (0.0, table.rows().saturating_sub(1).max(1) as f64),
                };
                Self::Numbers { source: *source, map: *map, least, most, alpha: *alpha }
            }
        }
    }

    /// With this opacity where the colours are this crate's own choice and opaque.
    fn with_alpha(mut self, alpha: Option<u8>) -> Self {
        if let Some(new) = alpha {
            match &mut self {
                Self::Literal(_) => {}
                Self::Constant(color) => color.a = if color.a == 255 { new } else { color.a },
                Self::ByName(_, colors) => colors.iter_mut().for_each(|color| color.a = new),
                Self::Numbers { alpha, .. } => *alpha = new,
            }
        }
        self
    }

    /// The colour of a row; `first` rows are before the block.
    #[inline]
    fn color(&self, block: &Block<'_>, row: usize, first: usize) -> Srgba8 {
        match self {
            Self::Constant(color) => *color,
            Self::Literal(column) => match &block.values[*column] {
                Values::Colors(colors) => colors[row],
                _ => MISSING,
            },
            Self::ByName(column, colors) => {
                block.values[*column].code(row).map_or(MISSING, |code| colors[code as usize])
            }
            Self::Numbers { source, map, least, most, alpha } => {
                let value = match *source {
                    Source::Column(column) => block.values[column].number(row),
                    Source::Axis(axis) => block.positions.coordinate(row, axis),
                    Source::Index => (first + row) as f64,
                };
                let color = if value.is_nan() { MISSING } else { map.number(share(value, *least, *most)) };
                color.with_alpha(*alpha)
            }
        }
    }
}

/// Radii of rows, all that depends on the whole table worked out.
enum Radii {
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
    fn new(table: &Table<'_>, size: &Sizing, suited: impl Fn() -> f32) -> Self {
        match *size {
            Sizing::Constant(radius) => Self::Constant(radius),
            Sizing::Suited => Self::Constant(suited()),
            Sizing::Column(column) => Self::Column(column),
            Sizing::DataUnits(column) => Self::DataUnits(column),
            Sizing::Vdw { elements: None, or_suited } => {
                Self::Constant(if or_suited { suited() } else { UNKNOWN_RADIUS })
            }
            Sizing::Vdw { elements: Some(column), or_suited } => {
                let names = &table.columns[column].names;
                if or_suited && names.iter().all(|name| element(name) == Atomic::UNKNOWN) {
                    return Self::Constant(suited());
                }
                Self::ByName(column, names.iter().map(|name| element(name).element().radius).collect())
            }
            Sizing::Scaled { column, range: [small, large], scale } => {
                let (least, most) = extremes(table.numbers(column).map(|value| scale.of(value)));
                let [small, large] = [small, large].map(f64::from);
                Self::Scaled { column, scale, least, most, small, large }
            }
        }
    }

    fn is_in_data_units(&self) -> bool {
        matches!(self, Self::DataUnits(_))
    }

    /// The radius of a row; 0, which draws nothing, where it is missing.
    #[inline]
    fn radius(&self, block: &Block<'_>, row: usize) -> f32 {
        match self {
            Self::Constant(radius) => *radius,
            Self::ByName(column, radii) => {
                block.values[*column].code(row).map_or(UNKNOWN_RADIUS, |code| radii[code as usize])
            }
            Self::Column(column) | Self::DataUnits(column) => match &block.values[*column] {
                Values::F32(values) if !values[row].is_nan() => values[row],
                _ => 0.0,
            },
            Self::Scaled { column, scale, least, most, small, large } => {
                let value = scale.of(block.values[*column].number(row));
                if value.is_nan() {
                    return 0.0;
                }
                single(if most > least { small + share(value, *least, *most) * (large - small) } else { *large })
            }
        }
    }
}

impl Scale {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Sqrt => value.sqrt(),
            Self::Log => libm::log(value),
        }
    }
}

/// The element that a name of the column of elements means.
pub(crate) fn element(name: &str) -> Atomic {
    Atomic::from_symbol(name.as_bytes()).unwrap_or(Atomic::UNKNOWN)
}

/// A radius at which particles spread evenly over their box would just touch.
pub(crate) fn spacing(centers: impl Iterator<Item = [f32; 3]>) -> f32 {
    let (mut least, mut most, mut count) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3], 0_u64);
    for center in centers {
        count += 1;
        for axis in 0..3 {
            least[axis] = least[axis].min(f64::from(center[axis]));
            most[axis] = most[axis].max(f64::from(center[axis]));
        }
    }
    let longest = (0..3).map(|axis| most[axis] - least[axis]).fold(0.0, f64::max);
    // a plane or a line of particles is a box as thick as a hundredth of its length
    let volume: f64 = (0..3).map(|axis| (most[axis] - least[axis]).max(0.01 * longest)).product();
    let radius = 0.5 * libm::cbrt(volume / count.max(1) as f64);
    if radius > 0.0 && radius.is_finite() { single(radius) } else { 1.0 }
}

/// The nearest `f32`; beyond its range, its greatest number.
#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
fn single(value: f64) -> f32 {
    (value as f32).clamp(f32::MIN, f32::MAX)
}

/// Jmol's colours of amino acids ("amino") and nucleotides ("shapely").
fn residue_color(name: &str) -> Srgba8 {
    let base = name.strip_prefix('D').filter(|base| base.len() == 1).unwrap_or(name);
    Srgba8::hex(match base {
        "ASP" | "GLU" => 0xe6_0a_0a,
        "CYS" | "MET" => 0xe6_e6_00,
        "LYS" | "ARG" => 0x14_5a_ff,
        "SER" | "THR" => 0xfa_96_00,
        "PHE" | "TYR" => 0x32_32_aa,
        "ASN" | "GLN" => 0x00_dc_dc,
        "GLY" => 0xeb_eb_eb,
        "LEU" | "VAL" | "ILE" => 0x0f_82_0f,
        "ALA" => 0xc8_c8_c8,
        "TRP" => 0xb4_5a_b4,
        "HIS" => 0x82_82_d2,
        "PRO" => 0xdc_96_82,
        "A" => 0xa0_a0_ff,
        "C" => 0xff_8c_4b,
        "G" => 0xff_70_70,
        "T" => 0xa0_ff_a0,
        "U" => 0xff_80_80,
        _ => 0xbe_a0_6e,
    })
}
