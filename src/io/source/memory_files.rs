//! Files in memory, for programs without a file system.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(feature = "all-formats")]
use super::compression::Compression;
use super::input::Input;
use crate::error::{Error, Result};
use crate::io::memory_quota::Quota;

/// Files in memory, by name: data, or a scene and the files that it names. Nothing else is read.
///
/// A name is a path such as `points/places.csv`; a scene finds its files relative to its own name. Clones share the
/// bytes.
///
/// ```
/// use roundel::io::{LoadOptions, MemoryFiles};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let scene = "
///     canvas = { width = 64, height = 48 }
///     [[points]]
///     file = \"places.csv\"
///     radius = 8
///     color = \"#000000\"
/// ";
/// let files = MemoryFiles::new().with("map.toml", scene).with("places.csv", "x,y\n32,24\n");
/// let loaded = files.load("map.toml", &LoadOptions::default())?;
///
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// loaded.draw(&mut Renderer::new(&RenderSettings::default())?, &mut frame)?;
/// assert_eq!(frame.pixel(32, 24), Some(Srgba8::BLACK));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(BTreeMap<PathBuf, Arc<[u8]>>);

impl MemoryFiles {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same files and one more, which takes the place of one with the same name.
    #[must_use]
    pub fn with(mut self, name: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.insert(normal(name.as_ref()), bytes.into().into());
        self
    }

    /// The names of the files, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }

    /// The name of a file without detours, as [`MemoryFiles::names`] has it.
    #[must_use]
    pub fn name_of(&self, path: impl AsRef<Path>) -> Option<&Path> {
        self.0.get_key_value(&normal(path.as_ref())).map(|(name, _)| &**name)
    }

    /// The content of a file.
    #[must_use]
    pub fn get(&self, name: impl AsRef<Path>) -> Option<&[u8]> {
        self.0.get(&normal(name.as_ref())).map(|bytes| &**bytes)
    }

    /// The same files for builds without the feature `all-formats`: zstd and bzip2 are replaced by gzip.
    #[cfg(feature = "all-formats")]
    #[must_use]
    pub fn for_basic_builds(mut self) -> Self {
        for bytes in self.0.values_mut() {
            if Compression::of(bytes).is_some_and(|compression| !compression.is_basic())
                && let Some(zipped) = gzip_of(bytes)
            {
                *bytes = zipped.into();
            }
        }
        self
    }

    fn open(&self, path: &Path, quota: Quota) -> Result<Input> {
        let bytes = self.0.get(&normal(path)).ok_or_else(|| {
            let names: Vec<_> = self.names().map(|name| name.display().to_string()).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let message = format!("no such file in memory, where there is {names}");
            unread(path, io::Error::new(io::ErrorKind::NotFound, message))
        })?;
        Input::of_memory(path, Arc::clone(bytes), FileSystem::Memory(self.clone()), quota)
    }
}

/// The content of a compressed file, compressed by gzip instead; `None` if it is damaged.
#[cfg(feature = "all-formats")]
fn gzip_of(bytes: &Arc<[u8]>) -> Option<Vec<u8>> {
    let mut plain = Compression::of(bytes)?.decoder(Box::new(io::Cursor::new(Arc::clone(bytes))));
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
pub(crate) enum FileSystem {
    /// The system's files; `-` is standard input.
    Disk,
    Memory(MemoryFiles),
    /// The system's files; each stays in memory after the first read.
    Copied(Arc<Mutex<MemoryFiles>>),
}

impl FileSystem {
    /// Opens a file that the caller names, and reads its beginning.
    pub(crate) fn open(&self, path: &Path, quota: Quota) -> Result<Input> {
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
    pub(crate) fn file(&self, path: &Path, quota: Quota) -> Result<Input> {
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
        files: &Mutex<MemoryFiles>,
        path: &Path,
        // called once for each file: nobody writes to a pipe a second time
        open: impl FnOnce() -> io::Result<Box<dyn Read>>,
        quota: Quota,
    ) -> Result<Input> {
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        let key = normal(path);
        let bytes = match files.0.get(&key) {
            Some(bytes) => Arc::clone(bytes),
            None => {
                let mut bytes = Vec::new();
                let limit = quota.budget.memory;
                open()
                    .and_then(|source| source.take(limit.saturating_add(1)).read_to_end(&mut bytes))
                    .map_err(|source| unread(path, source))?;
                quota.check_memory(bytes.len() as u64, || path.display().to_string())?;
                let bytes: Arc<[u8]> = bytes.into();
                files.0.insert(key, Arc::clone(&bytes));
                bytes
            }
        };
        Input::of_memory(path, bytes, self.clone(), quota)
    }

    /// Whether the file can be read more than once.
    pub(crate) fn reads_again(&self, path: &Path) -> bool {
        !matches!(self, Self::Disk) || path.is_file()
    }

    /// Whether the file can be read only once: standard input or a pipe.
    pub(crate) fn reads_once(&self, path: &Path) -> bool {
        matches!(self, Self::Disk) && (path.as_os_str() == "-" || (path.exists() && !path.is_file()))
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
