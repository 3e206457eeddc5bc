//! The crate's one error type. A message names the place, what was found and what is accepted.

use std::fmt;
use std::path::PathBuf;

/// What can go wrong between a file and its picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read, written or created.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The verb: `read`, `write`, `create`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file was read, but says something that is not accepted.
    #[error("{place}: {message}")]
    Input {
        /// File and line.
        place: Place,
        /// Key, value and rule, lower case, no full stop.
        message: String,
    },
    /// An image file could not be decoded or encoded.
    #[error("{}: {source}", path.display())]
    Image {
        /// The file.
        path: PathBuf,
        /// What the image library said.
        source: image::ImageError,
    },
    /// A setting of the caller is out of range.
    #[error("{name} {message}")]
    Setting {
        /// The setting's name.
        name: &'static str,
        /// What was found and what is accepted.
        message: String,
    },
    /// The thread pool could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Error {
    /// A file that says something that is not accepted.
    #[cfg(feature = "scene-files")]
    pub(crate) fn input(file: &str, line: impl Into<Option<u64>>, message: impl Into<String>) -> Self {
        Self::Input { place: Place { file: file.to_owned(), line: line.into() }, message: message.into() }
    }
}

/// A place in an input file, shown as `file:line`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it; `<stdin>` for standard input.
    pub file: String,
    /// Counted from 1; `None` when the whole file is meant.
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => write!(f, "{}", self.file),
        }
    }
}

/// `Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
