//! Converts batches of Parquet and Arrow, which are decoded column by column, to the wanted columns.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::calendar::DAY;
use crate::data::{Kind, TablePart};
use crate::did_you_mean;
use crate::error::{Resource, Result};
use crate::formats::held_atoms;
use crate::formats::reading::Reading;
use crate::formats::records::{self, BadRow, FieldContent, RecordColumn, with_color};
use crate::formats::wanted::{Field, Header, ValueRule, Want, Wanted};
use crate::memory_quota::Quota;
use crate::source::columns::{self, ColumnBuilder, Interner, holds_colors};

pub(super) const ROWS: usize = 1 << 18;

/// Rows examined to tell whether a column of text holds colours.
pub(super) const SNIFFED: usize = 1000;

/// The columns of a file with supported types.
#[derive(Debug)]
pub(super) struct ColumnLayout {
    /// The file's columns first, then derived ones.
    columns: Vec<RecordColumn>,
}

impl ColumnLayout {
    /// Columns of these names and types, in the order of the file.
    pub(super) fn new(fields: impl Iterator<Item = Field>) -> Self {
        let column = |(index, field)| RecordColumn { field, content: FieldContent::Number(index) };
        Self { columns: with_color(fields.enumerate().map(column).collect(), |_| false) }
    }

    pub(super) fn header(&self) -> Header {
        records::header(&self.columns)
    }

    pub(super) fn needed(&self, wanted: &Wanted, all: bool) -> Vec<bool> {
        let mut needed = vec![all; self.columns.len()];
        wanted.fields().flat_map(|field| self.columns[field].numbers()).for_each(|index| needed[index] = true);
        needed
    }

    /// Adds rows, given the columns of the file that are needed.
    pub(super) fn push(&self, reading: &mut Reading<'_>, rows: usize, cells: &[Option<ColumnBuilder>]) -> Result<()> {
        let before = reading.records();
        let wanted = reading.wanted_of_next(rows as u64);
        let part = self.part(&wanted, rows, cells).map_err(|bad| bad.error(&reading.file, "row", before))?;
        reading.push(part)
    }

    fn part(&self, wanted: &Wanted, rows: usize, cells: &[Option<ColumnBuilder>]) -> Result<TablePart, BadRow> {
        let mut dates: BTreeMap<usize, ColumnBuilder> = BTreeMap::new();
        for &axis in wanted.axes.fields() {
            let RecordColumn { field, content } = &self.columns[axis];
            if let (Kind::Time, FieldContent::Number(index)) = (field.kind, content)
                && let Some(own @ ColumnBuilder::Names(_)) = &cells[*index]
            {
                let want = Want { field: axis, kind: Kind::Time, rule: ValueRule::Any };
                dates.insert(*index, held_atoms::converted(own, &field.name, &want, rows)?);
            }
        }
        let sources: Vec<Option<&ColumnBuilder>> =
            cells.iter().enumerate().map(|(index, cells)| dates.get(&index).or(cells.as_ref())).collect();
        let number = |row: usize, index: usize| match sources[index] {
            Some(cells) => cells.number(row),
            None => f64::NAN,
        };
        let mut axes = wanted.axes.fields().iter().map(|&axis| &self.columns[axis].field);
        if let Some(text) = axes.find(|field| matches!(field.kind, Kind::Name | Kind::Color)) {
            let message = format!("{} must be numbers, got text", did_you_mean::shortened(&text.name));
            return Err(BadRow { row: 0, message });
        }
        let grow = |want: &Want| {
            let column = &self.columns[want.field];
            let own = match column.content {
                FieldContent::Number(index) => cells[index].as_ref(),
                FieldContent::Color { .. } | FieldContent::Text(_) => None,
            };
            match own {
                Some(own) => held_atoms::converted(own, &column.field.name, want, rows),
                None => records::column(column, want, rows, number),
            }
        };
        records::fill_with(&self.columns, wanted, rows, u64::MAX, number, grow)
    }
}

/// The kind of a column of text, by its name and its first texts.
pub(super) fn kind_of_texts(name: &str, texts: &ColumnBuilder, rows: usize) -> Kind {
    let texts = (0..rows).filter_map(|row| texts.name(row)).map(str::as_bytes);
    if holds_colors(name, texts.clone()) { Kind::Color } else { columns::kind_of_texts(texts) }
}

/// The most bytes that the texts of a column may decode to in a batch, if this many columns are decoded at a time.
pub(super) fn most_text(quota: &Quota, columns: usize) -> usize {
    /// No table of shapes has more.
    const MOST: usize = 1 << 28;
    /// Texts are decoded, gathered and converted, and their table grows.
    const COPIES: usize = 4;
    (quota.memory_left() / (COPIES * columns.max(1))).min(MOST)
}

/// Collects a column of names. Long names may be slices of the same bytes; each slice is read once. Overlapping slices
/// let a short file expand to any size: more than `most` bytes of distinct slices are an error.
pub(super) fn names<'v>(rows: impl Iterator<Item = Option<&'v [u8]>>, most: usize) -> Result<ColumnBuilder, String> {
    /// Shorter names are compared faster than they are looked up.
    const LONG: usize = 64;
    let mut names = Interner::default();
    let (mut known, mut bytes) = (BTreeMap::new(), 0_usize);
    for name in rows {
        // a missing name is the empty one
        let name = name.unwrap_or_default();
        if name.len() <= LONG {
            names.push(name);
            continue;
        }
        // all slices outlive this call, so the address identifies the bytes
        match known.entry((name.as_ptr().addr(), name.len())) {
            Entry::Occupied(code) => names.push_code(*code.get()),
            Entry::Vacant(place) => {
                bytes = bytes.saturating_add(name.len());
                if bytes > most {
                    let most = Resource::Memory.amount(most as u64);
                    return Err(format!("the texts of a column stand for more than {most}"));
                }
                let code = names.code(name);
                names.push_code(*place.insert(code));
            }
        }
    }
    Ok(ColumnBuilder::Names(Box::new(names)))
}

/// The name of a nested column; the columns of a position are named as coordinates.
pub(super) fn name(path: &[&str]) -> String {
    const POSITIONS: [&str; 6] = ["position", "positions", "pos", "xyz", "center", "geometry"];
    match path {
        [outer, axis @ ("x" | "y" | "z")] if POSITIONS.contains(outer) => (*axis).to_owned(),
        path => path.join("."),
    }
}

/// Seconds since 1970-01-01 of a date that is a whole number of these units.
pub(super) fn seconds(value: i64, unit: DateUnit) -> f64 {
    match unit {
        DateUnit::Days => value as f64 * DAY,
        // whole seconds and the rest are exact, their sum is rounded once
        DateUnit::Parts(parts) => value.div_euclid(parts) as f64 + value.rem_euclid(parts) as f64 / parts as f64,
    }
}

/// The unit of whole numbers that are dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateUnit {
    Days,
    /// So many are a second.
    Parts(i64),
}

/// 10 to the power of a decimal's scale, by multiplication: `powi` of std differs between platforms.
pub(super) fn power_of_ten(scale: i32) -> f64 {
    (0..scale.clamp(0, 64)).fold(1.0, |power, _| power * 10.0)
}

/// A note on columns with unsupported types, if there are any.
pub(super) fn left_out(file: &str, names: &[String]) -> Option<String> {
    let are = if names.len() == 1 { "column is" } else { "columns are" };
    let list = || did_you_mean::list(names.iter().map(String::as_str));
    (!names.is_empty())
        .then(|| format!("{file}: {} {are} left out, being neither numbers nor text: {}", names.len(), list()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn texts_of_a_batch_stay_within_the_budget() {
        let quota = |memory: u64| Quota::new(Budget { memory, ..Budget::default() });
        assert_eq!(most_text(&quota(32 << 20), 4), 2 << 20);
        assert_eq!(most_text(&quota(u64::MAX), 1), 1 << 28, "whatever the budget");
        // slices of the same bytes that overlap
        let bytes = vec![b'x'; 1 << 20];
        let slices = || (0..8).map(|start| Some(&bytes[start..]));
        let most = most_text(&quota(32 << 20), 4);
        let message = names(slices(), most).expect_err("eight times a MiB");
        assert_eq!(message, "the texts of a column stand for more than 2 MiB");
        assert!(names(slices().take(2).chain(slices().take(2)), most).is_ok(), "each is read once");
    }
}
