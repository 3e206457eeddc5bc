//! Files that are read out of order: archives, and formats that say at their end what is where.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use super::input::{Stream, io_error};
use crate::error::{Error, Result};

/// A file whose content can be read from any place, any number of times.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    /// The file's name in messages.
    pub(crate) file: String,
    content: FileContent,
}

#[derive(Clone, Debug)]
enum FileContent {
    File(PathBuf),
    /// Of compressed files and of standard input, which cannot be read twice.
    Bytes(Arc<[u8]>),
}

impl Whole {
    /// The content of a stream. What cannot be read twice is kept in memory, if the budget allows.
    pub(crate) fn new(stream: Stream) -> Result<Self> {
        let Stream { name, head, rest, quota, path } = stream;
        if let Some(path) = path {
            return Ok(Self { file: name, content: FileContent::File(path) });
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

    /// Reads from the start.
    pub(crate) fn reader(&self) -> Result<Reader> {
        match &self.content {
            FileContent::File(path) => File::open(path).map(Reader::File).map_err(|source| Error::Io {
                action: "read",
                path: path.clone(),
                source,
            }),
            FileContent::Bytes(bytes) => Ok(Reader::Bytes(Cursor::new(Arc::clone(bytes)))),
        }
    }

    /// An error of the system, or of a decoder, while this file was read.
    pub(crate) fn io_error(&self, source: io::Error) -> Error {
        io_error(&self.file, source)
    }
}

/// Reads a [`Whole`].
#[derive(Debug)]
pub(crate) enum Reader {
    File(File),
    Bytes(Cursor<Arc<[u8]>>),
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Bytes(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Reader {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(place),
            Self::Bytes(bytes) => bytes.seek(place),
        }
    }
}
