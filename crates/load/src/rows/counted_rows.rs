//! Counts of the rows of a stream, taken as they are drawn, for the notes that a file in memory gets.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::data::Table;
use crate::rows::colors::Colors;
use crate::rows::column_plan::{Coloring, Plan};
use crate::rows::row_notes::{FileNotes, RowLooks};
use crate::rows::row_tally::RowTally;

/// Files whose rows have notes of their own; those of others are counted.
const MOST_NAMED: usize = 8;

/// Counts that all threads add to.
#[derive(Debug, Default)]
pub struct CountedRows(Mutex<Counts>);

/// The counts of one file.
#[derive(Clone, Debug)]
pub(crate) struct FileCounts {
    pub(crate) rows: Arc<CountedRows>,
    /// The index of the file among all.
    pub(crate) file: usize,
}

#[derive(Debug, Default)]
struct Counts {
    of_files: BTreeMap<usize, RowCounts>,
    /// The plan of each file that was read, and its table without rows and names.
    looks: BTreeMap<usize, (Arc<Plan>, Table<'static>)>,
    /// The columns of the last file that was read, with the names of all files.
    columns: Table<'static>,
}

/// Counts and notes that processes exchange.
#[derive(Debug, Default, Serialize, Deserialize)]
struct RowCounts {
    tally: RowTally,
    /// Notes of the reader of the file.
    notes: Vec<String>,
}

impl FileCounts {
    /// Adds the counts of some rows.
    pub(crate) fn add(&self, part: RowTally) {
        let mut counts = self.rows.lock();
        let RowCounts { tally, .. } = counts.of_files.entry(self.file).or_default();
        *tally = std::mem::take(tally).join(part);
    }

    /// Adds the notes of the file once it has been read, its plan, and the columns and names of its table.
    pub(crate) fn finish(&self, notes: Vec<String>, plan: Arc<Plan>, table: &Table<'static>) {
        let named = Table { columns: table.columns.clone(), blocks: Vec::new() };
        let mut columns = table.columns.clone();
        columns.iter_mut().for_each(|column| column.names = Default::default());
        let mut counts = self.rows.lock();
        counts.of_files.entry(self.file).or_default().notes.extend(notes);
        counts.looks.insert(self.file, (plan, Table { columns, blocks: Vec::new() }));
        counts.columns = named;
    }
}

impl CountedRows {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all counts.
    pub fn clear(&self) {
        *self.lock() = Counts::default();
    }

    /// Returns the counts as bytes for [`CountedRows::add_bytes`] of another process.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&self.lock().of_files).unwrap_or_default()
    }

    /// Adds the counts of another process.
    pub fn add_bytes(&self, bytes: &[u8]) {
        let Ok(others) = serde_json::from_slice::<BTreeMap<usize, RowCounts>>(bytes) else { return };
        let of_files = &mut self.lock().of_files;
        for (file, RowCounts { tally, notes }) in others {
            let counts = of_files.entry(file).or_default();
            counts.tally = std::mem::take(&mut counts.tally).join(tally);
            counts.notes.extend(notes);
        }
    }

    /// Returns the notes on the rows of each file, which `name` names; `resolved` has the colours that all rows decide.
    pub(crate) fn notes(
        &self,
        name: impl Fn(usize) -> String,
        resolved: impl Fn(&Coloring) -> Coloring,
    ) -> Vec<String> {
        let Counts { of_files, looks, columns } = &*self.lock();
        let of_file = |(file, RowCounts { tally, notes }): (&usize, &RowCounts)| {
            let mut notes = FileNotes { file: name(*file), list: notes.clone() };
            notes.add_unplaced(tally.unplaced);
            // files that other processes have read have the plan of this one's
            if let Some((plan, table)) = looks.get(file).or_else(|| Some(looks.last_key_value()?.1)) {
                let mut table = table.clone();
                for (column, named) in table.columns.iter_mut().zip(&columns.columns) {
                    column.names.clone_from(&named.names);
                }
                let colors = Colors::new(&table, &resolved(&plan.color));
                let looks = RowLooks { plan, table: &table, colors: &colors, tally };
                looks.note_colors(&mut notes);
                looks.note_range(&mut notes);
                looks.note_sizes(&mut notes);
            }
            notes.list
        };
        let mut of_files = of_files.iter().map(of_file).filter(|notes| !notes.is_empty());
        let mut notes: Vec<String> = of_files.by_ref().take(MOST_NAMED).flatten().collect();
        let others = of_files.count();
        if others > 0 {
            let of_others = if others == 1 { "1 more file".to_owned() } else { format!("{others} more files") };
            notes.push(format!("notes on the rows of {of_others} are left out"));
        }
        notes
    }
}
