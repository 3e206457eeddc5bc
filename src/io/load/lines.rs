//! A text file line by line, each with its number.

use std::io::BufRead;

use super::ledger::Room;
use crate::error::{Error, Result};

/// Lines with their numbers, their ends taken off.
pub(super) struct Lines<R> {
    /// What messages call the file.
    pub(super) file: String,
    reader: R,
    line: Vec<u8>,
    number: u64,
    /// For how many more shapes.
    room: Room,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(file: String, reader: R, room: Room) -> Self {
        Self { file, reader, line: Vec::new(), number: 0, room }
    }

    /// Moves to the next line; false at the end.
    pub(super) fn next(&mut self) -> Result<bool> {
        self.line.clear();
        let cannot = |source| Error::Io { action: "read", path: self.file.clone().into(), source };
        if self.reader.read_until(b'\n', &mut self.line).map_err(cannot)? == 0 {
            return Ok(false);
        }
        while self.line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line.pop();
        }
        self.number += 1;
        Ok(true)
    }

    /// The current line, without its end.
    pub(super) fn line(&self) -> &[u8] {
        &self.line
    }
}

impl<R> Lines<R> {
    /// The current line's number, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Refuses one shape more than `held` when the budget has no room for it.
    #[inline]
    pub(super) fn admit(&self, held: usize) -> Result<()> {
        self.room.admit(held, || format!("{}:{}", self.file, self.number))
    }

    /// An error at the current line.
    pub(super) fn refuse(&self, message: String) -> Error {
        Error::input(&self.file, self.number, message)
    }
}
