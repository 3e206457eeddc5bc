//! A part of a file for one thread to parse, and mistakes in it.

use crate::error::Error;

/// Whole lines of a text file, or whole rows of a binary one.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The last line may lack its end.
    pub(crate) bytes: Vec<u8>,
    pub(super) start: PiecePlace,
}

/// A place in a file, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PiecePlace {
    /// A line, from 1.
    Line(u64),
    /// A byte of a binary file, from 0.
    Byte(u64),
}

#[derive(Debug)]
pub(crate) struct Flaw {
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Piece {
    /// The number of its first line, or of its first byte in a binary file: greater than those of pieces before it.
    pub(crate) fn start(&self) -> u64 {
        match self.start {
            PiecePlace::Line(start) | PiecePlace::Byte(start) => start,
        }
    }

    /// The start of a last line that lacks its end.
    pub(crate) fn line_without_end(&self) -> Option<usize> {
        let is_ended = self.bytes.last().is_none_or(|last| *last == b'\n');
        (!is_ended).then(|| memchr::memrchr(b'\n', &self.bytes).map_or(0, |end| end + 1))
    }

    fn place_of(&self, at: usize) -> PiecePlace {
        match self.start {
            PiecePlace::Line(line) => {
                PiecePlace::Line(line + memchr::memchr_iter(b'\n', &self.bytes[..at]).count() as u64)
            }
            PiecePlace::Byte(byte) => PiecePlace::Byte(byte + at as u64),
        }
    }

    /// The file and line of a byte of the piece; for a binary file, the file and byte.
    pub(crate) fn describe(&self, file: &str, at: usize) -> String {
        match self.place_of(at) {
            PiecePlace::Line(line) => format!("{file}:{line}"),
            PiecePlace::Byte(byte) => format!("{file}: byte {byte}"),
        }
    }

    /// Converts a mistake in this piece into an error with file and line.
    pub(crate) fn refuse(&self, file: &str, flaw: Flaw) -> Error {
        self.place_of(flaw.at).refuse(file, flaw.message)
    }
}

impl PiecePlace {
    pub(super) fn refuse(self, file: &str, message: String) -> Error {
        match self {
            Self::Line(line) => Error::input(file, line, message),
            Self::Byte(byte) => Error::input(file, None, format!("byte {byte}: {message}")),
        }
    }
}
