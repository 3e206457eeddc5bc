//! A part of a file that one thread parses, and mistakes in it.

use crate::error::Error;

/// Whole lines of a text file, or whole rows of a binary one.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The last line may lack its end.
    pub(crate) bytes: Vec<u8>,
    pub(super) start: Place,
}

/// A place in a file, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A line, from 1.
    Line(u64),
    /// A byte of a binary file, from 0.
    Byte(u64),
}

/// A mistake at a byte of a piece.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Piece {
    fn place_of(&self, at: usize) -> Place {
        match self.start {
            Place::Line(line) => Place::Line(line + memchr::memchr_iter(b'\n', &self.bytes[..at]).count() as u64),
            Place::Byte(byte) => Place::Byte(byte + at as u64),
        }
    }

    /// File and line of a byte of the piece, or file and byte in a binary file.
    pub(crate) fn describe(&self, file: &str, at: usize) -> String {
        match self.place_of(at) {
            Place::Line(line) => format!("{file}:{line}"),
            Place::Byte(byte) => format!("{file}: byte {byte}"),
        }
    }

    /// Makes an error of a mistake in this piece, with file and line.
    pub(crate) fn refuse(&self, file: &str, flaw: Flaw) -> Error {
        self.place_of(flaw.at).refuse(file, flaw.message)
    }
}

impl Place {
    pub(super) fn refuse(self, file: &str, message: String) -> Error {
        match self {
            Self::Line(line) => Error::input(file, line, message),
            Self::Byte(byte) => Error::input(file, None, format!("byte {byte}: {message}")),
        }
    }
}
