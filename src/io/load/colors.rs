//! The colours of rows: of elements, of chains, of categories, of numbers.

use super::column_plan::{Coloring, NumberSource};
use super::ranges::{Ends, ends};
use crate::color::elements::Atomic;
use crate::color::lightness::lightened;
use crate::color::maps::ColorMap;
use crate::color::{Category, ColorKey, Scale, Srgba8};
use crate::data::{Block, Table, Values, share};

/// Colour of missing numbers.
const MISSING: Srgba8 = Srgba8::hex(0x80_80_80);

/// By how much L* of a chain's carbons is lighter than of its other atoms.
///
/// Source: the theme "illustrative" of Mol*.
const CARBON_STEPS: f64 = 14.4;

/// Colours of rows, all that depends on the whole table worked out.
pub(super) enum Colors {
    Constant(Srgba8),
    Literal(usize),
    /// By the index of the row's name.
    ByName(usize, Vec<Srgba8>),
    /// By the indices of two names: the first picks a pair of colours, the second says which of the pair it is.
    ByTwoNames {
        columns: [usize; 2],
        colors: Vec<[Srgba8; 2]>,
        is_second: Vec<bool>,
    },
    Numbers {
        source: NumberSource,
        map: ColorMap,
        scale: Scale,
        ends: Ends,
        alpha: u8,
    },
}

impl Colors {
    pub(super) fn new(table: &Table<'_>, color: &Coloring) -> Self {
        let by_name = |column: usize, color: &dyn Fn(usize, &str) -> Srgba8| {
            let names = table.columns[column].names.iter();
            Self::ByName(column, names.enumerate().map(|(index, name)| color(index, name)).collect())
        };
        match color {
            Coloring::Constant(color) => Self::Constant(*color),
            Coloring::Literal(column) => Self::Literal(*column),
            Coloring::Chains { chains, elements, map } => chain_colors(table, *chains, *elements, *map),
            Coloring::ChainsOrElements { chains, elements, map, constant } => {
                if present(table, *chains).iter().filter(|&&count| count > 0).count() > 1 {
                    chain_colors(table, *chains, Some(*elements), *map)
                } else {
                    Self::new(table, &Coloring::Elements(*elements, Some(*constant)))
                }
            }
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
            Coloring::Numbers { source, map, range, scale, alpha } => {
                let ends = match *source {
                    NumberSource::Column(column) => ends(table.numbers(column), *range, *scale),
                    NumberSource::Axis(axis) => {
                        let blocks = table.blocks.iter();
                        let places = blocks
                            .flat_map(|block| (0..block.rows()).map(move |row| block.positions.coordinate(row, axis)));
                        ends(places, *range, *scale)
                    }
                    NumberSource::Index => ends((0..table.rows()).map(|row| row as f64), *range, *scale),
                };
                Self::Numbers { source: *source, map: *map, scale: *scale, ends, alpha: *alpha }
            }
        }
    }

    /// With this opacity where the colours are this crate's own choice and opaque.
    pub(super) fn with_alpha(mut self, alpha: Option<u8>) -> Self {
        if let Some(new) = alpha {
            match &mut self {
                Self::Literal(_) => {}
                Self::Constant(color) => color.a = if color.a == 255 { new } else { color.a },
                Self::ByName(_, colors) => colors.iter_mut().for_each(|color| color.a = new),
                Self::ByTwoNames { colors, .. } => colors.iter_mut().flatten().for_each(|color| color.a = new),
                Self::Numbers { alpha, .. } => *alpha = new,
            }
        }
        self
    }

    /// The colour of a row; `first` rows are before the block.
    #[inline]
    pub(super) fn color(&self, block: &Block<'_>, row: usize, first: usize) -> Srgba8 {
        match self {
            Self::Constant(color) => *color,
            Self::Literal(column) => match &block.values[*column] {
                Values::Colors(colors) => colors[row],
                _ => MISSING,
            },
            Self::ByName(column, colors) => {
                block.values[*column].code(row).map_or(MISSING, |code| colors[code as usize])
            }
            Self::ByTwoNames { columns, colors, is_second } => {
                let code = |column: usize| block.values[column].code(row).map(|code| code as usize);
                let second = code(columns[1]).is_some_and(|code| is_second[code]);
                code(columns[0]).map_or(MISSING, |code| colors[code][usize::from(second)])
            }
            Self::Numbers { source, map, scale, ends, alpha } => {
                let value = match *source {
                    NumberSource::Column(column) => block.values[column].number(row),
                    NumberSource::Axis(axis) => block.positions.coordinate(row, axis),
                    NumberSource::Index => (first + row) as f64,
                };
                let value = scale.of(value);
                let color = if value.is_nan() { MISSING } else { map.number(share(value, ends.least, ends.most)) };
                color.with_alpha(*alpha)
            }
        }
    }

    /// The meaning of the colours; `None` for one colour, and for colours written in the file.
    pub(super) fn key(&self, table: &Table<'_>) -> Option<ColorKey> {
        let categories = |column: usize, color: &dyn Fn(usize) -> Srgba8| {
            let counts = present(table, column);
            let named = table.columns[column].names.iter().zip(counts).enumerate().filter(|(_, (_, count))| *count > 0);
            let items = named.map(|(index, (name, count))| Category::new(name.to_owned(), color(index), count));
            ColorKey::Categories { name: table.columns[column].name.clone(), items: items.collect() }
        };
        match self {
            Self::Constant(_) | Self::Literal(_) => None,
            Self::ByName(column, colors) => Some(categories(*column, &|index| colors[index])),
            Self::ByTwoNames { columns, colors, .. } => Some(categories(columns[0], &|index| colors[index][0])),
            Self::Numbers { source, map, scale, ends, .. } => {
                let name = match source {
                    NumberSource::Column(column) => table.columns[*column].name.clone(),
                    NumberSource::Axis(axis) => ["x", "y", "z"][*axis].to_owned(),
                    NumberSource::Index => "index".to_owned(),
                };
                let (least, most) = (scale.inverse(ends.least), scale.inverse(ends.most));
                Some(ColorKey::Numbers { name, map: map.name(), scale: *scale, least, most, beyond: ends.beyond })
            }
        }
    }
}

/// Each chain that is there in its own colour, and its carbons lighter.
fn chain_colors(table: &Table<'_>, chains: usize, elements: Option<usize>, map: ColorMap) -> Colors {
    // colours are not spent on chains of which no atom is drawn
    let mut next = 0;
    let each = present(table, chains).into_iter().map(|count| {
        let color = map.category(next);
        next += usize::from(count > 0);
        [color, lightened(color, CARBON_STEPS)]
    });
    let colors: Vec<[Srgba8; 2]> = each.collect();
    match elements {
        Some(column) => {
            let carbon = Atomic::from_symbol(b"C");
            let is_second = table.columns[column].names.iter().map(|name| Some(element(name)) == carbon).collect();
            Colors::ByTwoNames { columns: [chains, column], colors, is_second }
        }
        None => Colors::ByName(chains, colors.into_iter().map(|[color, _]| color).collect()),
    }
}

/// How many rows have each name of a column.
fn present(table: &Table<'_>, column: usize) -> Vec<u64> {
    let mut counts = vec![0; table.columns[column].names.len()];
    for values in table.values(column) {
        (0..values.len()).filter_map(|row| values.code(row)).for_each(|code| counts[code as usize] += 1);
    }
    counts
}

/// The element that a name of the column of elements means.
pub(crate) fn element(name: &str) -> Atomic {
    Atomic::from_symbol(name.as_bytes()).unwrap_or(Atomic::UNKNOWN)
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
