//! Files that are bytes in memory, for programs without a file system.

use std::collections::BTreeMap;
use std::io::{self, Cursor};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::input::Input;
use crate::error::{Error, Result};
use crate::io::memory_quota::Quota;

/// Files in memory, by name: data, or a scene and the files that it names. Nothing else is read.
///
/// A name is a path such as `points/places.csv`; a scene finds its files relative to its own name. Clones share the bytes.
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

    fn open(&self, path: &Path, quota: Quota) -> Result<Input> {
        let bytes = self.0.get(&normal(path)).ok_or_else(|| {
            let names: Vec<_> = self.names().map(|name| name.display().to_string()).collect();
            let message = format!("no such file in memory, where there is {}", names.join(", "));
            let message =
                if names.is_empty() { "no such file in memory, where there is none".to_owned() } else { message };
            let source = io::Error::new(io::ErrorKind::NotFound, message);
            Error::Io { action: "read", path: path.to_owned(), source }
        })?;
        Input::of_memory(path, Cursor::new(Arc::clone(bytes)), (self.clone(), quota))
    }
}

/// The path without `.`, and without `folder/..`.
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

/// Where files are read from.
#[derive(Clone, Debug)]
pub(crate) enum FileSystem {
    /// The system's files; `-` is standard input.
    Disk,
    Memory(MemoryFiles),
}

impl FileSystem {
    /// Opens the file that the caller names, and reads its beginning.
    pub(crate) fn open(&self, path: &Path, quota: Quota) -> Result<Input> {
        match self {
            Self::Disk => Input::open(path, quota),
            Self::Memory(files) => files.open(path, quota),
        }
    }

    /// Opens the file that a scene names, which is never standard input.
    pub(crate) fn file(&self, path: &Path, quota: Quota) -> Result<Input> {
        match self {
            Self::Disk => Input::file(path, quota),
            Self::Memory(files) => files.open(path, quota),
        }
    }

    /// Whether the path is a file that can be read more than once.
    pub(crate) fn reads_again(&self, path: &Path) -> bool {
        matches!(self, Self::Memory(_)) || path.is_file()
    }

    /// Whether the path is read once only: standard input or a pipe.
    pub(crate) fn reads_once(&self, path: &Path) -> bool {
        matches!(self, Self::Disk) && (path.as_os_str() == "-" || (path.exists() && !path.is_file()))
    }
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
