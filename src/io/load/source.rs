//! Opening files: whose name messages show, what format they are in, and no more of them in memory than asked for.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::ledger::{Ledger, SCENE_TEXT};
use crate::error::{Error, Result};

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// A scene in TOML.
    Toml,
    /// A scene in JSON.
    Json,
    /// A table: comma, semicolon or tab separated.
    Csv,
    /// Atoms in XYZ.
    Xyz,
    /// Atoms in the Protein Data Bank's format.
    Pdb,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Toml => "TOML scene",
            Self::Json => "JSON scene",
            Self::Csv => "CSV table",
            Self::Xyz => "XYZ atoms",
            Self::Pdb => "PDB atoms",
        })
    }
}

/// Bytes looked at to tell a format, and read at a time after that.
const CHUNK: usize = 1 << 16;

/// The longest line that is read: longer ones are no text of any kind that is drawn here.
const LONGEST_LINE: usize = 1 << 20;

/// The largest scene file, bytes. What is larger belongs into a table.
const LARGEST_SCENE: u64 = 1 << 26;

/// An open file, at its start, its byte-order mark taken off.
pub(super) struct Input {
    /// What messages call it.
    pub(super) name: String,
    /// Where it is; `None` for standard input.
    path: Option<PathBuf>,
    head: Vec<u8>,
    rest: Box<dyn Read>,
    /// What the scene holds already.
    pub(super) ledger: Ledger,
}

impl Input {
    /// Opens the file, `-` for standard input, and reads its beginning.
    pub(super) fn open(path: &Path, ledger: Ledger) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Self::start("<stdin>".to_owned(), None, Box::new(io::stdin()), ledger);
        }
        Self::file(path, ledger)
    }

    /// Opens the file, whatever its name.
    pub(super) fn file(path: &Path, ledger: Ledger) -> Result<Self> {
        let cannot = |source| Error::Io { action: "read", path: path.to_owned(), source };
        let file = File::open(path).map_err(cannot)?;
        Self::start(path.display().to_string(), Some(path.to_owned()), Box::new(file), ledger)
    }

    fn start(name: String, path: Option<PathBuf>, mut rest: Box<dyn Read>, ledger: Ledger) -> Result<Self> {
        let mut head = Vec::new();
        let read = rest.by_ref().take(CHUNK as u64).read_to_end(&mut head);
        let mut input = Self { name, path, head, rest, ledger };
        read.map_err(|error| input.io(error))?;
        if input.head.starts_with(b"\xef\xbb\xbf") {
            input.head.drain(..3);
        }
        if input.head.iter().all(u8::is_ascii_whitespace) && input.head.len() < CHUNK {
            return Err(Error::input(&input.name, None, "the file is empty"));
        }
        Ok(input)
    }

    /// The folder against which files named inside are found.
    pub(super) fn folder(&self) -> PathBuf {
        self.path.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default()
    }

    /// By the name's ending, or else by what stands in it.
    pub(super) fn format(&self) -> Result<Format> {
        let ending = self.path.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("toml") => Ok(Format::Toml),
            Some("json") => Ok(Format::Json),
            Some("csv" | "tsv") => Ok(Format::Csv),
            Some("xyz" | "extxyz") => Ok(Format::Xyz),
            Some("pdb" | "ent" | "pdb1") => Ok(Format::Pdb),
            _ => self.guess(),
        }
    }

    fn guess(&self) -> Result<Format> {
        let text = String::from_utf8_lossy(&self.head);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        let record = first.split_whitespace().next().unwrap_or_default();
        if text.contains('\0') {
            // no text at all
        } else if ["HEADER", "TITLE", "REMARK", "CRYST1", "MODEL", "ATOM", "HETATM", "COMPND"].contains(&record) {
            return Ok(Format::Pdb);
        } else if first.starts_with('{') {
            return Ok(Format::Json);
        } else if first.starts_with(['[', '#']) || first.contains('=') {
            return Ok(Format::Toml);
        } else if first.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Format::Xyz);
        } else if first.contains([',', ';', '\t']) {
            return Ok(Format::Csv);
        }
        let message = "the format is not known; accepted are .toml and .json scenes, .csv, .tsv, .xyz and .pdb data";
        Err(Error::input(&self.name, None, message))
    }

    /// The whole text of a scene file.
    pub(super) fn text(self) -> Result<(String, String)> {
        let mut bytes = self.head;
        let read = self.rest.take(LARGEST_SCENE + 1).read_to_end(&mut bytes);
        read.map_err(|source| Error::Io { action: "read", path: self.name.clone().into(), source })?;
        if bytes.len() as u64 > LARGEST_SCENE {
            let message = "a scene file may have 64 MiB; put the shapes into a table and name it in [[points]]";
            return Err(Error::input(&self.name, None, message));
        }
        let name = self.name;
        let takes = || format!("{name}: a scene file of {} bytes", bytes.len());
        self.ledger.check_memory(bytes.len() as u64 * SCENE_TEXT, takes)?;
        String::from_utf8(bytes).map(|text| (name.clone(), text)).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            Error::input(&name, line, "not UTF-8 text")
        })
    }

    /// The bytes as a stream that refuses endless lines, and the name for messages.
    pub(super) fn lines(self) -> (String, impl BufRead) {
        let whole = Cursor::new(self.head).chain(self.rest);
        (self.name, BufReader::with_capacity(CHUNK, ShortLines { inner: whole, length: 0 }))
    }

    /// What the system said, at this file.
    fn io(&self, source: io::Error) -> Error {
        Error::Io { action: "read", path: self.name.clone().into(), source }
    }

    /// The first bytes, up to [`CHUNK`].
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }
}

/// Fails on a line longer than [`LONGEST_LINE`], so that no reader behind it grows without end.
struct ShortLines<R> {
    inner: R,
    length: usize,
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match buffer[..count].iter().rposition(|&byte| byte == b'\n') {
            Some(last) => self.length = count - last - 1,
            None => self.length += count,
        }
        if self.length > LONGEST_LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is longer than 1 MiB"));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    fn start(bytes: Box<dyn Read>) -> Input {
        Input::start("t".to_owned(), None, bytes, Ledger::new(Budget::default())).expect("readable")
    }

    fn input(bytes: &[u8]) -> Input {
        start(Box::new(Cursor::new(bytes.to_vec())))
    }

    #[test]
    fn format_is_told_by_content() {
        for (text, format) in [
            ("[canvas]\nwidth = 3", Format::Toml),
            ("# a scene\n[canvas]", Format::Toml),
            ("\n {\"canvas\": 1}", Format::Json),
            ("\u{feff}x,y\n1,2", Format::Csv),
            ("x;y\r\n1;2", Format::Csv),
            ("12\ncomment\nH 0 0 0", Format::Xyz),
            ("HEADER    PROTEIN", Format::Pdb),
            ("ATOM      1  N   MET A   1", Format::Pdb),
        ] {
            assert_eq!(input(text.as_bytes()).format().expect(text), format, "{text}");
        }
        input(b"\x89PNG\r\n\x1a\n\0\0").format().expect_err("a picture");
    }

    #[test]
    fn lines_without_end_are_refused() {
        let input = start(Box::new(io::repeat(b'x')));
        let (_, mut lines) = input.lines();
        let mut line = Vec::new();
        let error = lines.read_until(b'\n', &mut line).expect_err("endless");
        assert_eq!(error.to_string(), "a line is longer than 1 MiB");
        assert!(line.len() <= LONGEST_LINE + CHUNK);
    }
}
