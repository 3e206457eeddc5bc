//! Opens files: names for messages, the first bytes, and decompressed content.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::compression::Compression;
use super::memory_files::{FileSystem, MemoryFile};
use super::utf16::Utf16;
use crate::error::{Error, Resource, Result};
use crate::memory_quota::{Quota, SCENE_TEXT};

/// Bytes examined to recognize the format.
pub(crate) const HEAD: usize = 1 << 16;

/// The largest scene file in bytes. Larger data belongs into a table.
const LARGEST_SCENE: u64 = 1 << 26;

/// The mark that some programs put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An open file, at its start.
pub struct Input {
    pub name: String,
    /// Its path, or its name in memory; `None` for standard input.
    pub path: Option<PathBuf>,
    /// Its compression; `head` and `rest` are decompressed.
    pub(crate) compression: Option<Compression>,
    /// Whether it is UTF-16, which `head` and `rest` have as UTF-8.
    is_decoded: bool,
    /// The first [`HEAD`] bytes; all bytes of a shorter file.
    head: Vec<u8>,
    /// The bytes after the head.
    rest: Box<dyn Read + Send>,
    /// The memory that the scene has taken so far.
    pub quota: Quota,
    /// The source of the files that it names.
    pub files: FileSystem,
}

impl Input {
    /// Opens the file, `-` for standard input, and reads its beginning.
    pub fn open(path: &Path, quota: Quota) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Self::start("<stdin>".to_owned(), None, Box::new(io::stdin()), quota);
        }
        Self::file(path, quota)
    }

    /// Opens the file; `-` has no special meaning.
    pub fn file(path: &Path, quota: Quota) -> Result<Self> {
        let cannot = |source| Error::Io { action: "read", path: path.to_owned(), source };
        let file = File::open(path).map_err(cannot)?;
        Self::start(path.display().to_string(), Some(path.to_owned()), Box::new(file), quota)
    }

    fn start(name: String, path: Option<PathBuf>, mut rest: Box<dyn Read + Send>, quota: Quota) -> Result<Self> {
        let mut head = first_bytes(&mut rest).map_err(|source| io_error(&name, source))?;
        let compression = Compression::of(&head);
        if let Some(compression) = compression {
            let inside = compression.decoder(Box::new(Cursor::new(head).chain(rest)));
            rest = Box::new(Limited { inner: inside, left: quota.budget.memory, limit: quota.budget.memory });
            head = first_bytes(&mut rest).map_err(|source| io_error(&name, source))?;
            if let Some(again) = Compression::of(&head) {
                let message = format!("compressed twice, by {} and by {}", compression.name(), again.name());
                return Err(Error::input(&name, None, message));
            }
        }
        let mut is_decoded = false;
        if let Some(encoding) = Utf16::of(&head) {
            rest = Box::new(encoding.decoder(Box::new(Cursor::new(head).chain(rest))));
            head = first_bytes(&mut rest).map_err(|source| io_error(&name, source))?;
            is_decoded = true;
        }
        if head.len() < HEAD && text_of(&head).iter().all(u8::is_ascii_whitespace) {
            return Err(Error::input(&name, None, "the file is empty"));
        }
        Ok(Self { name, path, compression, is_decoded, head, rest, quota, files: FileSystem::Disk })
    }

    /// Bytes of a file in memory, under its name there.
    pub(crate) fn of_memory(path: &Path, bytes: Arc<[u8]>, files: FileSystem, quota: Quota) -> Result<Self> {
        let bytes = Box::new(Cursor::new(bytes));
        let input = Self::start(path.display().to_string(), Some(path.to_owned()), bytes, quota)?;
        Ok(Self { files, ..input })
    }

    /// An input of these bytes.
    pub fn of_bytes(bytes: impl Into<Vec<u8>>, quota: Quota) -> Result<Self> {
        Self::start("t".to_owned(), None, Box::new(Cursor::new(bytes.into())), quota)
    }

    /// The folder to which names in the file are relative.
    pub fn folder(&self) -> PathBuf {
        self.path.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default()
    }

    /// The first bytes, without a byte-order mark.
    pub fn head(&self) -> &[u8] {
        text_of(&self.head)
    }

    /// Whether the head holds the whole file, or the whole first of several models.
    pub fn is_short(&self) -> bool {
        self.head.len() < HEAD || self.head.windows(6).any(|word| word == b"ENDMDL")
    }

    /// The file's extension in lower case, with the compression's extension removed.
    pub(crate) fn extension(&self) -> Option<String> {
        let path = self.path.as_deref()?;
        let ending = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
        let outer = ending(path)?;
        if self.compression.is_some() && Compression::EXTENSIONS.contains(&outer.as_str()) {
            return ending(Path::new(path.file_stem()?));
        }
        Some(outer)
    }

    /// All bytes without a byte-order mark.
    pub(crate) fn text(self) -> Stream {
        let skipped = self.head.len() - text_of(&self.head).len();
        let mut stream = self.bytes();
        stream.head.drain(..skipped);
        // without the mark, offsets differ from offsets in the file
        stream.again = stream.again.filter(|_| skipped == 0);
        stream
    }

    /// All bytes.
    pub(crate) fn bytes(self) -> Stream {
        // only regular files can be read twice
        let path = self.path.filter(|_| self.compression.is_none() && !self.is_decoded);
        let again = path.and_then(|path| self.files.source(path));
        Stream { name: self.name, head: self.head, rest: self.rest, quota: self.quota, again }
    }

    /// The whole text of a scene file.
    pub fn scene_text(self) -> Result<(String, String)> {
        let Stream { name, head: mut bytes, rest, quota, .. } = self.text();
        let read = rest.take(LARGEST_SCENE + 1).read_to_end(&mut bytes);
        read.map_err(|source| io_error(&name, source))?;
        if bytes.len() as u64 > LARGEST_SCENE {
            let message = "a scene file may have 64 MiB; put the shapes into a table and name it in [[points]]";
            return Err(Error::input(&name, None, message));
        }
        let takes = || format!("{name}: a scene file of {} bytes", bytes.len());
        quota.check_memory(bytes.len() as u64 * SCENE_TEXT, takes)?;
        String::from_utf8(bytes).map(|text| (name.clone(), text)).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            Error::input(&name, line, "not UTF-8 text")
        })
    }
}

pub(crate) struct Stream {
    pub(crate) name: String,
    /// Bytes already read.
    pub(crate) head: Vec<u8>,
    /// Bytes that follow.
    pub(crate) rest: Box<dyn Read + Send>,
    /// The memory that the scene has taken so far.
    pub(crate) quota: Quota,
    /// The file in which the same bytes can be read again; `None` for standard input and compressed files.
    pub(crate) again: Option<ByteSource>,
}

/// A file that can be read from any byte on.
#[derive(Clone, Debug)]
pub(crate) enum ByteSource {
    Disk(PathBuf),
    Memory(MemoryFile),
}

impl Stream {
    /// The length of the whole file in bytes, if it is on disk.
    pub(crate) fn file_length(&self) -> Option<u64> {
        let Some(ByteSource::Disk(path)) = &self.again else { return None };
        path.metadata().ok().map(|file| file.len())
    }
}

/// Converts an error of the system or of a decoder for this file.
pub(crate) fn io_error(file: &str, source: io::Error) -> Error {
    match source.get_ref().and_then(|inner| inner.downcast_ref::<TooMuch>()) {
        Some(&TooMuch(limit)) => {
            let subject = format!("{file}: has more than {} when decompressed", Resource::Memory.amount(limit));
            Error::Budget { subject, resource: Resource::Memory, limit }
        }
        None => Error::Io { action: "read", path: file.into(), source },
    }
}

fn first_bytes(reader: &mut Box<dyn Read + Send>) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn text_of(head: &[u8]) -> &[u8] {
    head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head)
}

/// Limits decompressed bytes to the budget: a small file can expand to any size.
struct Limited<R> {
    inner: R,
    left: u64,
    limit: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| io::Error::other(TooMuch(self.limit)))?;
        Ok(count)
    }
}

/// A file decompresses to more than this many bytes.
#[derive(Debug)]
struct TooMuch(u64);

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "decompresses to more than {} bytes", self.0)
    }
}

impl std::error::Error for TooMuch {}
