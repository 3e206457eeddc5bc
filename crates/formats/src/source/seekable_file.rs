//! Files that need random access: archives, and formats with their index at the end.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::input::{ByteSource, Stream, io_error};
use crate::error::{Error, Result};

/// A file with random access, for any number of readers.
#[derive(Clone, Debug)]
pub(crate) struct SeekableFile {
    pub(crate) file: String,
    content: FileContent,
}

#[derive(Clone, Debug)]
enum FileContent {
    /// One handle for all readers: thousands of arrays of a file may be read side by side.
    File(Arc<File>),
    /// For compressed files and standard input, which cannot be read twice.
    Bytes(Arc<[u8]>),
}

impl SeekableFile {
    /// The content of a stream. If it cannot be read twice, it is kept in memory, within the budget.
    pub(crate) fn new(stream: Stream) -> Result<Self> {
        let Stream { name, head, rest, quota, again } = stream;
        if let Some(ByteSource::Disk(path)) = again {
            let file = File::open(&path).map_err(|source| Error::Io { action: "read", path, source })?;
            return Ok(Self { file: name, content: FileContent::File(Arc::new(file)) });
        }
        let mut bytes = head;
        let most = quota.room(1);
        let read = rest.take(most.saturating_sub(bytes.len() as u64).saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|source| io_error(&name, source))?;
        quota.check_memory(bytes.len() as u64, || {
            format!("{name}: cannot be read twice, so all of its {} bytes are kept", bytes.len())
        })?;
        Ok(Self { file: name, content: FileContent::Bytes(bytes.into()) })
    }

    pub(crate) fn reader(&self) -> Reader {
        match &self.content {
            FileContent::File(file) => Reader::File { file: Arc::clone(file), at: 0 },
            FileContent::Bytes(bytes) => Reader::Bytes(Cursor::new(Arc::clone(bytes))),
        }
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> Result<u64> {
        self.reader().seek(SeekFrom::End(0)).map_err(|source| self.io_error(source))
    }

    /// Up to `count` bytes from an offset. Memory grows with the bytes that exist, whatever count is claimed.
    pub(crate) fn bytes(&self, start: u64, count: u64) -> Result<Vec<u8>> {
        let mut reader = self.reader();
        let mut bytes = Vec::new();
        let read = reader.seek(SeekFrom::Start(start)).and_then(|_| reader.take(count).read_to_end(&mut bytes));
        read.map(|_| bytes).map_err(|source| self.io_error(source))
    }

    /// Converts an error of the system or of a decoder for this file.
    pub(crate) fn io_error(&self, source: io::Error) -> Error {
        io_error(&self.file, source)
    }
}

#[derive(Debug)]
pub(crate) enum Reader {
    File {
        file: Arc<File>,
        /// The byte that is read next.
        at: u64,
    },
    Bytes(Cursor<Arc<[u8]>>),
}

/// Reads at an offset, independently of other readers of the file.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(at))?;
    file.read(buffer)
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File { file, at } => {
                let count = read_at(file, buffer, *at)?;
                *at += count as u64;
                Ok(count)
            }
            Self::Bytes(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Reader {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File { file, at } => {
                let wanted = match place {
                    SeekFrom::Start(byte) => Some(byte),
                    SeekFrom::Current(step) => at.checked_add_signed(step),
                    SeekFrom::End(step) => file.metadata()?.len().checked_add_signed(step),
                };
                *at = wanted.ok_or(io::ErrorKind::InvalidInput)?;
                Ok(*at)
            }
            Self::Bytes(bytes) => bytes.seek(place),
        }
    }
}
