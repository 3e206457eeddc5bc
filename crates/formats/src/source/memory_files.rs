//! Where files are: on disk, or in memory for programs without a file system.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::compression::Compression;
use super::frame_places::FramePlace;
use super::input::{ByteSource, Input};
use crate::error::{Error, Result};
use crate::memory_quota::Quota;

/// The bytes of files by path, without detours such as `./`. Clones share the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMap(BTreeMap<PathBuf, MemoryFile>);

/// The bytes of a file, and the places of the frames that readers have passed. Clones share both.
#[derive(Clone, Debug)]
pub(crate) struct MemoryFile {
    bytes: Arc<[u8]>,
    places: Arc<Mutex<BTreeMap<u64, FramePlace>>>,
}

impl From<Vec<u8>> for MemoryFile {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes: bytes.into(), places: Arc::default() }
    }
}

impl PartialEq for MemoryFile {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for MemoryFile {}

impl MemoryFile {
    /// A reader from a byte on.
    pub(crate) fn reader(&self, byte: u64) -> Cursor<Arc<[u8]>> {
        let mut reader = Cursor::new(Arc::clone(&self.bytes));
        reader.set_position(byte);
        reader
    }

    /// The last known frame up to this one, and its place.
    pub(crate) fn last_place(&self, wanted: u64) -> Option<(u64, FramePlace)> {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.range(..=wanted).next_back().map(|(frame, place)| (*frame, *place))
    }

    /// Remembers the places of frames that a reader has passed.
    pub(crate) fn remember(&self, found: impl IntoIterator<Item = (u64, FramePlace)>) {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
    }
}

impl FileMap {
    /// Adds a file, which takes the place of one with the same name.
    pub fn insert(&mut self, name: &Path, bytes: Vec<u8>) {
        self.0.insert(normal(name), bytes.into());
    }

    /// The names of the files, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }

    /// The name of a file without detours, and its content.
    pub fn get(&self, name: &Path) -> Option<(&Path, &[u8])> {
        self.0.get_key_value(&normal(name)).map(|(name, file)| (&**name, &*file.bytes))
    }

    /// A file by the name that it was opened by.
    pub(crate) fn file(&self, name: &Path) -> Option<&MemoryFile> {
        self.0.get(&normal(name))
    }

    /// Replaces zstd and bzip2 by gzip, which builds without the feature `all-formats` read.
    pub fn compress_for_basic_builds(&mut self) {
        for file in self.0.values_mut() {
            if Compression::of(&file.bytes).is_some_and(|compression| !compression.is_basic())
                && let Some(zipped) = gzip_of(&file.bytes)
            {
                *file = zipped.into();
            }
        }
    }

    fn open(&self, path: &Path, quota: Quota) -> Result<Input> {
        let file = self.file(path).ok_or_else(|| {
            let names: Vec<_> = self.names().map(|name| name.display().to_string()).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let message = format!("no such file in memory, where there is {names}");
            unread(path, io::Error::new(io::ErrorKind::NotFound, message))
        })?;
        Input::of_memory(path, Arc::clone(&file.bytes), FileSystem::Memory(self.clone()), quota)
    }
}

/// The content of a compressed file, compressed by gzip instead; `None` if it is damaged.
fn gzip_of(bytes: &Arc<[u8]>) -> Option<Vec<u8>> {
    let mut plain = Compression::of(bytes)?.decoder(Box::new(Cursor::new(Arc::clone(bytes))));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    io::copy(&mut plain, &mut encoder).ok()?;
    encoder.finish().ok()
}

fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(normal.components().next_back(), Some(Component::Normal(_))) => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// The source of files.
#[derive(Clone, Debug)]
pub enum FileSystem {
    /// The system's files; `-` is standard input.
    Disk,
    Memory(FileMap),
    /// The system's files; each stays in memory after the first read.
    Copied(Arc<Mutex<FileMap>>),
}

impl FileSystem {
    /// Whether these are the system's files. Browsers have none, and their library leaves out what is for them alone.
    pub fn is_disk(&self) -> bool {
        !cfg!(target_family = "wasm") && matches!(self, Self::Disk)
    }

    /// Opens a file that the caller names, and reads its beginning.
    pub fn open(&self, path: &Path, quota: Quota) -> Result<Input> {
        match self {
            Self::Disk => Input::open(path, quota),
            Self::Memory(files) => files.open(path, quota),
            Self::Copied(files) if path.as_os_str() == "-" => {
                self.copied(files, path, || Ok(Box::new(io::stdin())), quota)
            }
            Self::Copied(_) => self.file(path, quota),
        }
    }

    /// Opens a file that a scene names, which is never standard input.
    pub fn file(&self, path: &Path, quota: Quota) -> Result<Input> {
        match self {
            Self::Disk => Input::file(path, quota),
            Self::Memory(files) => files.open(path, quota),
            Self::Copied(files) => {
                let open = || File::open(path).map(|file| Box::new(file) as Box<dyn Read>);
                self.copied(files, path, open, quota)
            }
        }
    }

    fn copied(
        &self,
        files: &Mutex<FileMap>,
        path: &Path,
        // called once for each file: nobody writes to a pipe a second time
        open: impl FnOnce() -> io::Result<Box<dyn Read>>,
        quota: Quota,
    ) -> Result<Input> {
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        let key = normal(path);
        let bytes = match files.0.get(&key) {
            Some(file) => Arc::clone(&file.bytes),
            None => {
                let mut bytes = Vec::new();
                let limit = quota.budget.memory;
                open()
                    .and_then(|source| source.take(limit.saturating_add(1)).read_to_end(&mut bytes))
                    .map_err(|source| unread(path, source))?;
                quota.check_memory(bytes.len() as u64, || path.display().to_string())?;
                let file = MemoryFile::from(bytes);
                let bytes = Arc::clone(&file.bytes);
                files.0.insert(key, file);
                bytes
            }
        };
        Input::of_memory(path, bytes, self.clone(), quota)
    }

    /// Whether the file can be read more than once.
    pub fn reads_again(&self, path: &Path) -> bool {
        !self.is_disk() || path.is_file()
    }

    /// The file, if it can be read from any byte on.
    pub(crate) fn source(&self, path: PathBuf) -> Option<ByteSource> {
        match self {
            Self::Memory(files) => files.file(&path).cloned().map(ByteSource::Memory),
            Self::Disk | Self::Copied(_) => {
                Some(path).filter(|path| self.is_disk() && path.is_file()).map(ByteSource::Disk)
            }
        }
    }

    /// Whether the file can be read only once: standard input or a pipe.
    pub fn reads_once(&self, path: &Path) -> bool {
        self.is_disk() && (path.as_os_str() == "-" || (path.exists() && !path.is_file()))
    }
}

fn unread(path: &Path, source: io::Error) -> Error {
    Error::Io { action: "read", path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_detours() {
        for (written, normal_form) in
            [("a.csv", "a.csv"), ("./a.csv", "a.csv"), ("b/../a.csv", "a.csv"), ("../a", "../a")]
        {
            assert_eq!(normal(Path::new(written)), Path::new(normal_form), "{written}");
        }
    }
}
