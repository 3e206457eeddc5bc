//! Counts of rows that are not drawn as the file says: rows without a position, a colour or a radius, numbers beyond the
//! colours.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::data::{Block, Table, Values};
use crate::rows::colors::{Colors, source_number};
use crate::rows::row_shapes::Radii;
use crate::scene::spheres::{PaintedSphere, SphereStore};

/// Counts over the rows of a table, of a block of it or of several files; counts of parts are joined.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RowTally {
    /// Rows that have a position.
    pub(crate) rows: u64,
    /// Rows that have none, and are left out.
    pub(crate) unplaced: u64,
    /// Rows without a colour, or without a number that the scale of colours takes.
    pub(crate) colorless: u64,
    /// Numbers beyond the ends of the colours.
    pub(crate) beyond: u64,
    /// Rows without a radius above 0.
    pub(crate) sizeless: u64,
    /// For each column of names that notes look at, the number of rows of each name.
    names: BTreeMap<usize, Vec<u64>>,
}

impl RowTally {
    /// Counts rows that have no position.
    pub(crate) fn of_unplaced(rows: u64) -> Self {
        Self { unplaced: rows, ..Self::default() }
    }

    /// Counts the rows of a table.
    pub(crate) fn of_table(table: &Table<'_>, colors: &Colors, radii: &Radii) -> Self {
        let columns = named_columns(table, colors);
        let start = |next: &mut usize, block: &Block<'_>| {
            *next += block.rows();
            Some(*next - block.rows())
        };
        let starts: Vec<usize> = table.blocks.iter().scan(0, start).collect();
        let of_block = |(block, first): (&Block<'_>, usize)| Self {
            names: columns.iter().map(|column| (*column, block.values[*column].name_counts())).collect(),
            ..Self::of_block(block, first, colors, radii)
        };
        table.blocks.par_iter().zip(starts).map(of_block).reduce(Self::default, Self::join)
    }

    /// Counts the rows of a block, which `first` rows of the table precede; no names.
    pub(crate) fn of_block(block: &Block<'_>, first: usize, colors: &Colors, radii: &Radii) -> Self {
        let rows = block.rows();
        let count = |is_counted: &dyn Fn(usize) -> bool| (0..rows).filter(|row| is_counted(*row)).count() as u64;
        let (colorless, beyond) = match colors {
            Colors::Literal(column) => match &block.values[*column] {
                Values::Colors(colors) => (count(&|row| colors[row] == Values::NO_COLOR), 0),
                _ => (0, 0),
            },
            Colors::Channels { channels, alpha, .. } => {
                let is_missing = |row, column: &usize| block.values[*column].number(row).is_nan();
                (count(&|row| channels.iter().chain(alpha).any(|column| is_missing(row, column))), 0)
            }
            Colors::Numbers { source, scale, ends, .. } => {
                let (mut colorless, mut beyond) = (0, 0);
                for row in 0..rows {
                    let number = scale.of(source_number(block, row, first, *source));
                    if !number.is_finite() {
                        colorless += 1;
                    } else if !(ends.least..=ends.most).contains(&number) {
                        beyond += 1;
                    }
                }
                (colorless, beyond)
            }
            Colors::Constant(_) | Colors::ByName(..) | Colors::ByTwoNames { .. } => (0, 0),
        };
        let sizeless = match radii {
            Radii::Suited | Radii::ByName(..) => 0,
            Radii::Constant(radius) => {
                if *radius > 0.0 {
                    0
                } else {
                    rows as u64
                }
            }
            Radii::Column(column) | Radii::DataUnits(column) => {
                let values = &block.values[*column];
                count(&|row| values.number(row).is_nan() || values.number(row) <= 0.0)
            }
            Radii::Scaled { column, scale, .. } => {
                count(&|row| !scale.of(block.values[*column].number(row)).is_finite())
            }
        };
        Self { rows: rows as u64, colorless, beyond, sizeless, ..Self::default() }
    }

    /// Counts spheres whose colours lack nothing.
    pub(crate) fn of_spheres(spheres: &[PaintedSphere]) -> Self {
        let sizeless = spheres.iter().filter(|sphere| sphere.radius <= 0.0).count() as u64;
        Self { rows: spheres.len() as u64, sizeless, ..Self::default() }
    }

    /// Counts rows that became spheres as they were read, because their looks depend on no other row.
    pub(crate) fn of_painted(spheres: &SphereStore<'_>, radii: &Radii) -> Self {
        let rows = spheres.len() as u64;
        let sizeless = match radii {
            Radii::Constant(radius) if *radius > 0.0 => 0,
            Radii::Constant(_) => rows,
            _ => {
                let rows = (0..spheres.len()).into_par_iter().with_min_len(1 << 16);
                rows.filter(|row| spheres.at(*row).radius <= 0.0).count() as u64
            }
        };
        Self { rows, sizeless, ..Self::default() }
    }

    /// Returns the counts of these rows and of others, whose names have the same codes.
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.rows += other.rows;
        self.unplaced += other.unplaced;
        self.colorless += other.colorless;
        self.beyond += other.beyond;
        self.sizeless += other.sizeless;
        for (column, counts) in other.names {
            let sums = self.names.entry(column).or_default();
            sums.resize(sums.len().max(counts.len()), 0);
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self
    }

    /// Returns the number of rows of a name in a column.
    pub(crate) fn of_name(&self, column: usize, code: usize) -> u64 {
        self.names.get(&column).and_then(|counts| counts.get(code)).copied().unwrap_or_default()
    }
}

/// The column whose names have colours, and that of elements.
fn named_columns(table: &Table<'_>, colors: &Colors) -> BTreeSet<usize> {
    let of_colors = match colors {
        Colors::ByName(column, ..) | Colors::ByTwoNames { columns: [column, _], .. } => Some(*column),
        _ => None,
    };
    of_colors.into_iter().chain(element_column(table)).collect()
}

/// The column of elements.
pub(crate) fn element_column(table: &Table<'_>) -> Option<usize> {
    table.columns.iter().position(|column| column.name == "element")
}
