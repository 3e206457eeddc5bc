//! The panels that the categories of a column make of a table.

use std::collections::BTreeMap;

use crate::color::{Category, MISSING_NAME, Srgba8, sort_categories};
use crate::data::{Kind, NumberSource, Table};
use crate::rows::labels::texts;
use crate::source::number::is_missing_name;

/// Most categories: more than any grid has panels.
const MOST: usize = 1024;

/// The panel of each row that is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RowPanels {
    /// The categories: numbers by their value, others in the order of the rows, rows without one last.
    pub(crate) names: Vec<String>,
    /// The index of each row's category.
    pub(crate) of_rows: Vec<usize>,
}

impl RowPanels {
    /// The panels of these rows by a column.
    ///
    /// # Errors
    /// The rule that the column breaks if it has too many categories.
    pub(crate) fn new(table: &Table<'_>, source: NumberSource, rows: &[usize]) -> Result<Self, String> {
        let keys = keys(table, source, rows);
        let mut places: BTreeMap<u64, usize> = BTreeMap::new();
        let mut first_rows = Vec::new();
        for (key, row) in keys.iter().zip(rows) {
            places.entry(*key).or_insert_with(|| {
                first_rows.push(*row);
                first_rows.len() - 1
            });
            if first_rows.len() > MOST {
                return Err(format!("must be a column of at most {MOST} categories"));
            }
        }
        let missing = |text: String| if is_missing_name(&text) { MISSING_NAME.to_owned() } else { text };
        let found: Vec<String> = texts(table, source, &first_rows, None).into_iter().map(missing).collect();
        let mut categories: Vec<Category> = Vec::new();
        for name in &found {
            // several numbers may have one text
            if categories.iter().all(|category| category.name != *name) {
                categories.push(Category::new(name, Srgba8::BLACK, 0));
            }
        }
        sort_categories(&mut categories);
        let names: Vec<String> = categories.into_iter().map(|category| category.name).collect();
        let panels: Vec<usize> =
            found.iter().map(|name| names.iter().position(|known| known == name).unwrap_or_default()).collect();
        let of_rows = keys.iter().map(|key| panels[places[key]]).collect();
        Ok(Self { names, of_rows })
    }

    /// The rows of a panel.
    pub(crate) fn rows(&self, panel: usize) -> impl Iterator<Item = usize> {
        self.of_rows.iter().enumerate().filter(move |(_, of)| **of == panel).map(|(row, _)| row)
    }

    /// The panel with most rows.
    pub(crate) fn fullest(&self) -> usize {
        (0..self.names.len()).max_by_key(|panel| self.rows(*panel).count()).unwrap_or_default()
    }
}

/// A number for each row that tells its value from others.
fn keys(table: &Table<'_>, source: NumberSource, rows: &[usize]) -> Vec<u64> {
    if let NumberSource::Column(column) = source
        && table.columns[column].kind == Kind::Name
    {
        let codes: Vec<Option<u32>> = table.codes(column).collect();
        return rows.iter().map(|row| codes[*row].map_or(u64::MAX, u64::from)).collect();
    }
    let numbers = table.source_numbers(source);
    rows.iter().map(|row| if numbers[*row].is_nan() { u64::MAX } else { numbers[*row].to_bits() }).collect()
}
