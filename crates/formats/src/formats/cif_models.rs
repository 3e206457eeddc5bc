//! The models of mmCIF: how many rows each has, and whether the end of the file cuts off the last one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cif_syntax::is_comment;
use super::reading::Reading;
use crate::error::{Error, Result};
use crate::source::piece::{Flaw, Piece};

/// Why a file that ends within a model is not whole.
const ENDS_WITHIN: &str = "the file ends within this model";

/// Models that all threads count.
#[derive(Debug)]
pub(super) struct CifModels {
    file: String,
    found: Mutex<FoundModels>,
}

#[derive(Debug, Default)]
struct FoundModels {
    /// By the start of their pieces, with whether a comment ends the piece; a piece may be parsed twice.
    pieces: BTreeMap<u64, (ModelRows, bool)>,
    /// The last row of the file, if it is not whole.
    cut: Option<CutRow>,
}

#[derive(Debug)]
struct CutRow {
    error: Error,
    /// Whether only the name of its model may lack letters.
    has_all_values: bool,
}

/// The models of consecutive rows, with the number of rows of each.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelRows(Vec<(Vec<u8>, u64)>);

impl ModelRows {
    /// Adds a row.
    #[inline]
    pub(super) fn add(&mut self, model: &[u8]) {
        match self.0.last_mut() {
            Some((last, rows)) if last == model => *rows += 1,
            _ => self.0.push((model.to_vec(), 1)),
        }
    }

    /// Whether a row of this model begins another one, and models have several rows.
    pub(super) fn begins(&self, model: &[u8]) -> bool {
        self.0.last().is_some_and(|(last, _)| last != model) && self.0.iter().any(|(_, rows)| *rows > 1)
    }
}

impl CifModels {
    pub(super) fn new(file: &str) -> Self {
        Self { file: file.to_owned(), found: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, FoundModels> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the models of a piece.
    pub(super) fn add(&self, piece: &Piece, rows: ModelRows) {
        let bytes = piece.bytes.trim_ascii_end();
        let last = memchr::memrchr(b'\n', bytes).map_or(bytes, |end| &bytes[end + 1..]);
        self.lock().pieces.insert(piece.start(), (rows, is_comment(last)));
    }

    fn cut(&self, piece: &Piece, flaw: Flaw, has_all_values: bool) {
        self.lock().cut = Some(CutRow { error: piece.refuse(&self.file, flaw), has_all_values });
    }

    /// Keeps a last row that lacks values.
    pub(super) fn cut_values(&self, piece: &Piece, flaw: Flaw) {
        self.cut(piece, flaw, false);
    }

    /// Keeps a last row at `at`, whose model may lack letters.
    pub(super) fn cut_name(&self, piece: &Piece, at: usize) {
        let message = "the file may end within the number of the model".to_owned();
        self.cut(piece, Flaw { at, message }, true);
    }

    /// Returns the number of whole models, 1 at least, once all rows are read. A last one that the end of the file cuts
    /// off is noted.
    ///
    /// # Errors
    /// If that model is the wanted one; if a row of the only model is not whole.
    pub(super) fn whole(self, reading: &mut Reading<'_>, is_at_end: bool) -> Result<u64> {
        let FoundModels { pieces, cut: cut_row } = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        // a comment ends most files
        let is_at_end = is_at_end && pieces.values().next_back().is_none_or(|(_, is_ended)| !is_ended);
        let mut models: Vec<(Vec<u8>, u64)> = Vec::new();
        for (model, rows) in pieces.into_values().flat_map(|(piece, _)| piece.0) {
            match models.iter_mut().rev().find(|(known, _)| *known == model) {
                Some((_, sum)) => *sum += rows,
                None => models.push((model, rows)),
            }
        }
        let all = models.len().max(1);
        let is_short = match models.as_slice() {
            [before @ .., (_, last)] => before.first().is_some_and(|(_, rows)| last < rows),
            [] => false,
        };
        let has_equal_lengths = models.windows(2).rev().skip(1).all(|pair| pair[0].1 == pair[1].1);
        let cut = match &cut_row {
            _ if !is_at_end => None,
            Some(_) if is_short => Some(all - 1),
            // the row begins another model
            Some(row) => (all > 1 || row.has_all_values).then_some(all),
            None => (is_short && has_equal_lengths).then_some(all - 1),
        };
        let Some(cut) = cut else { return cut_row.map_or(Ok(all as u64), |row| Err(row.error)) };
        let (cut, why) = (cut as u64, cut_row.map_or_else(|| ENDS_WITHIN.to_owned(), |row| row.error.to_string()));
        if reading.extent.frame >= cut {
            return Err(reading.incomplete_frame(cut, &why));
        }
        if reading.extent.count_frames {
            reading.note_incomplete(cut, &why);
        }
        Ok(cut)
    }
}
