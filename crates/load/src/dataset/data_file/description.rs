//! Describes the rows of a file, for `roundel info`.

use crate::color::elements::Atomic;
use crate::data::{Cell, Positions, Summary, Table};
use crate::dataset::describe::DataSource;
use crate::formats::wanted::Field;
use crate::rows::colors::element;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NamedColumns {
    pub(crate) chains: Option<usize>,
    pub(crate) residues: Option<usize>,
    pub(crate) elements: Option<usize>,
}

impl DataSource {
    /// Describes the rows of a file: names, bounding box and periodic box.
    pub(crate) fn describe_rows(&mut self, table: &Table<'_>, cell: Option<Cell>, columns: NamedColumns) {
        let counted = |column: Option<usize>| column.map(|column| present(table, column)).unwrap_or_default();
        self.bounds = bounds(table);
        self.chains = counted(columns.chains).into_iter().map(|(name, _)| name).collect();
        (self.residues, self.residue_atoms) = counted(columns.residues).into_iter().unzip();
        self.elements = columns.elements.map(|column| element_counts(table, column)).unwrap_or_default();
        self.periodic = cell.map_or([false; 3], |cell| cell.periodic);
        self.cell = cell.map(|cell| cell.lengths_and_angles().into());
    }
}

/// The names in a column, in the order of their first rows, and the number of rows of each.
fn present(table: &Table<'_>, column: usize) -> Vec<(String, u64)> {
    let named = table.columns[column].names.iter().map(str::to_owned).zip(table.name_counts(column));
    named.filter(|(_, count)| *count > 0).collect()
}

/// Atoms by element, the most frequent first.
fn element_counts(table: &Table<'_>, column: usize) -> Vec<(String, u64)> {
    let mut counts = vec![0_u64; 256];
    for (name, count) in present(table, column) {
        counts[usize::from(element(&name).0)] += count;
    }
    let present = (0..=u8::MAX).zip(counts).filter(|(_, count)| *count > 0);
    let mut elements: Vec<_> = present.map(|(number, count)| (Atomic(number).symbol().to_owned(), count)).collect();
    elements.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    elements
}

/// The least and the greatest number of columns that have some.
pub(crate) fn ranges(fields: &[Field], summaries: &[Summary]) -> Vec<(String, [f64; 2])> {
    let range = |(field, summary): (&Field, &Summary)| match summary {
        Summary::Numbers { least, greatest, .. } if least <= greatest => {
            Some((field.name.clone(), [*least, *greatest]))
        }
        _ => None,
    };
    fields.iter().zip(summaries).filter_map(range).collect()
}

/// The box of all positions, least and greatest corner.
fn bounds(table: &Table<'_>) -> Option<[Vec<f64>; 2]> {
    let dimensions = match &table.blocks.first()?.positions {
        Positions::Plane(_) => 2,
        Positions::Space(_) => 3,
        Positions::Unknown(_) => return None,
    };
    let (mut least, mut greatest) = (vec![f64::INFINITY; dimensions], vec![f64::NEG_INFINITY; dimensions]);
    for block in &table.blocks {
        for axis in 0..dimensions {
            for row in 0..block.rows() {
                let value = block.positions.coordinate(row, axis);
                least[axis] = least[axis].min(value);
                greatest[axis] = greatest[axis].max(value);
            }
        }
    }
    Some([least, greatest])
}
