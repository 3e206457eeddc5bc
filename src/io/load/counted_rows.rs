//! Counts of the rows of a stream, taken as they are drawn, for the notes that a file in memory gets.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::colors::Colors;
use super::column_plan::{Coloring, Plan};
use super::row_notes::{FileNotes, RowLooks};
use super::row_tally::RowTally;
use crate::data::Table;

/// Counts that all threads add to.
#[derive(Debug, Default)]
pub(crate) struct CountedRows(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    of_rows: RowCounts,
    /// The plan of the last file that was read, and its table without rows: columns and all names.
    looks: Option<(Arc<Plan>, Table<'static>)>,
}

/// Counts and notes that processes exchange.
#[derive(Debug, Default, Serialize, Deserialize)]
struct RowCounts {
    tally: RowTally,
    /// Notes of the readers of files.
    notes: Vec<String>,
}

impl CountedRows {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all counts.
    pub(crate) fn clear(&self) {
        *self.lock() = Counts::default();
    }

    /// Adds the counts of some rows.
    pub(super) fn add(&self, part: RowTally) {
        let RowCounts { tally, .. } = &mut self.lock().of_rows;
        *tally = std::mem::take(tally).join(part);
    }

    /// Adds the notes of a file that has been read, its plan, and the columns and names of its table.
    pub(super) fn add_file(&self, notes: Vec<String>, plan: Arc<Plan>, table: &Table<'static>) {
        let mut counts = self.lock();
        counts.of_rows.notes.extend(notes);
        counts.looks = Some((plan, Table { columns: table.columns.clone(), blocks: Vec::new() }));
    }

    /// Returns the counts as bytes for [`CountedRows::add_bytes`] of another process.
    #[cfg(feature = "mpi")]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&self.lock().of_rows).unwrap_or_default()
    }

    /// Adds the counts of another process.
    #[cfg(feature = "mpi")]
    pub(crate) fn add_bytes(&self, bytes: &[u8]) {
        let Ok(RowCounts { tally, notes }) = serde_json::from_slice(bytes) else { return };
        self.add(tally);
        self.lock().of_rows.notes.extend(notes);
    }

    /// Returns the notes on the rows of `file`, which may stand for several; `resolved` has the colours that all rows
    /// decide.
    pub(super) fn notes(&self, file: String, resolved: impl Fn(&Coloring) -> Coloring) -> Vec<String> {
        let Counts { of_rows: RowCounts { tally, notes }, looks } = &*self.lock();
        let mut notes = FileNotes { file, list: notes.clone() };
        notes.add_unplaced(tally.unplaced);
        if let Some((plan, table)) = looks {
            let colors = Colors::new(table, &resolved(&plan.color));
            let looks = RowLooks { plan, table, colors: &colors, tally };
            looks.note_colors(&mut notes);
            looks.note_range(&mut notes);
            looks.note_sizes(&mut notes);
        }
        notes.list
    }
}
