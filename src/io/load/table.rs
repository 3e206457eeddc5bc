//! Tables of comma-, semicolon- or tab-separated values with a line of column names, read row by row.

use std::io::Read;

use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};

use super::ledger::{Room, TABLE_ROW};
use super::nearest::{self, shortened};
use super::source::Input;
use crate::error::{Error, Result};

/// A table, read down to its column names and then row by row.
pub(super) struct Table {
    /// What messages call the file.
    pub(super) file: String,
    /// In the file's order. A table without names has its columns numbered from 1.
    pub(super) columns: Vec<String>,
    reader: Reader<Box<dyn Read>>,
    row: ByteRecord,
    /// The first row is waiting in `row`: it was read to look at.
    waiting: bool,
    /// For how many more shapes.
    room: Room,
}

impl Table {
    /// Finds the separator and reads the names of the columns, and the first row.
    pub(super) fn open(input: Input) -> Result<Self> {
        let separator = separator(input.head());
        let room = input.ledger.room(TABLE_ROW);
        let (file, lines) = input.lines();
        let reader = ReaderBuilder::new().delimiter(separator).has_headers(false).from_reader(Box::new(lines) as _);
        let mut table = Self { file, columns: Vec::new(), reader, row: ByteRecord::new(), waiting: false, room };
        if !table.advance()? {
            return Err(Error::input(&table.file, None, "the table is empty"));
        }
        if table.row.iter().all(|field| number(field).is_some()) {
            // numbers all along: no names
            table.columns = (1..=table.row.len()).map(|column| column.to_string()).collect();
            table.waiting = true;
            return Ok(table);
        }
        let names = table.row.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned());
        table.columns = names.collect();
        if let Some(first) = table.columns.first_mut() {
            // numpy and gnuplot write the names as a comment
            *first = first.trim_start_matches(['#', ' ']).to_owned();
        }
        if !table.advance()? {
            return Err(Error::input(&table.file, None, "the table has names of columns, but no rows"));
        }
        table.waiting = true;
        Ok(table)
    }

    /// The column of this name, in any case if none has it to the letter.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        let exact = self.columns.iter().position(|column| column == name);
        exact.or_else(|| self.columns.iter().position(|column| column.eq_ignore_ascii_case(name)))
    }

    /// The column of this name, or what to say when there is none.
    pub(super) fn find(&self, name: &str) -> Result<usize, String> {
        self.column(name).ok_or_else(|| {
            let columns = self.columns.iter().map(String::as_str);
            format!(
                "must be a column of {}, got {:?}{}",
                self.file,
                shortened(name),
                nearest::hint(name, columns, "columns")
            )
        })
    }

    /// Moves to the next row, the first one to begin with; false at the end.
    pub(super) fn next_row(&mut self) -> Result<bool> {
        if std::mem::take(&mut self.waiting) { Ok(true) } else { self.advance() }
    }

    fn advance(&mut self) -> Result<bool> {
        self.reader.read_byte_record(&mut self.row).map_err(|error| {
            let line = error.position().map(csv::Position::line);
            match error.into_kind() {
                ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    let message = format!("must have {expected_len} fields as the lines before, got {len}");
                    Error::input(&self.file, line, message)
                }
                ErrorKind::Io(source) => Error::Io { action: "read", path: self.file.clone().into(), source },
                other => Error::input(&self.file, line, format!("not a table: {other:?}")),
            }
        })
    }

    /// Refuses one shape more than `held` when the budget has no room for it.
    #[inline]
    pub(super) fn admit(&self, held: usize) -> Result<()> {
        self.room.admit(held, || match self.row.position() {
            Some(position) => format!("{}:{}", self.file, position.line()),
            None => self.file.clone(),
        })
    }

    /// The field of the current row in this column.
    pub(super) fn field(&self, column: usize) -> &[u8] {
        self.row.get(column).unwrap_or_default()
    }

    /// The finite number in this column of the current row.
    pub(super) fn number(&self, column: usize) -> Result<f64> {
        let field = self.field(column);
        number(field).filter(|value| value.is_finite()).ok_or_else(|| self.refuse(column, "a finite number"))
    }

    /// The finite number, not below 0, in this column of the current row.
    pub(super) fn length(&self, column: usize) -> Result<f64> {
        let value = self.number(column)?;
        if value < 0.0 { Err(self.refuse(column, "a number that is not negative")) } else { Ok(value) }
    }

    /// Says that this column of the current row is not as it must be.
    pub(super) fn refuse(&self, column: usize, accepted: &str) -> Error {
        let field = String::from_utf8_lossy(self.field(column));
        let found = if field.trim().is_empty() { "nothing".to_owned() } else { format!("{:?}", shortened(&field)) };
        let message = format!("{} must be {accepted}, got {found}", shortened(&self.columns[column]));
        Error::input(&self.file, self.row.position().map(csv::Position::line), message)
    }
}

/// A number as people and programs write it, blanks around it allowed.
pub(super) fn number(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.trim().parse().ok()
}

/// The most frequent of comma, semicolon and tab outside quotes in the first line.
fn separator(head: &[u8]) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    let mut quoted = false;
    for &byte in head {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            _ if quoted => {}
            _ => counts.iter_mut().filter(|(separator, _)| *separator == byte).for_each(|(_, count)| *count += 1),
        }
    }
    // of equals the last is the greatest, so the comma goes last
    counts.into_iter().rev().max_by_key(|&(_, count)| count).map_or(b',', |(separator, _)| separator)
}
