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
    /// More was asked for than the caller's [`Budget`](crate::Budget) allows. Nothing was allocated for it.
    #[error("{subject}, over the limit of {}; --limit-{} raises it", resource.amount(*limit), resource.name())]
    Budget {
        /// What was asked for, with the file and line where it stands.
        subject: String,
        /// What there would be too much of.
        resource: Resource,
        /// The limit that was passed.
        limit: u64,
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

/// What a [`Budget`](crate::Budget) limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// [`Budget::pixels`](crate::Budget::pixels).
    Pixels,
    /// [`Budget::shapes`](crate::Budget::shapes).
    Shapes,
    /// [`Budget::memory`](crate::Budget::memory).
    Memory,
}

impl Resource {
    /// The field's name, and the end of the flag's.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pixels => "pixels",
            Self::Shapes => "shapes",
            Self::Memory => "memory",
        }
    }

    /// A number of it with its unit: `12 pixels`, `1.5 GiB`.
    pub(crate) fn amount(self, value: u64) -> String {
        match self {
            Self::Pixels | Self::Shapes => format!("{value} {}", self.name()),
            Self::Memory => bytes(value),
        }
    }
}

/// A number of bytes for people: whole below 1 MiB, then three digits or so.
fn bytes(value: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20)];
    match UNITS.into_iter().find(|(_, size)| value >= *size) {
        None => format!("{value} bytes"),
        Some((name, size)) if value.is_multiple_of(size) => format!("{} {name}", value / size),
        Some((name, size)) => format!("{:.1} {name}", value as f64 / size as f64),
    }
}

/// `Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_units_of_1024() {
        for (value, text) in [
            (0, "0 bytes"),
            (1_000_000, "1000000 bytes"),
            (1 << 20, "1 MiB"),
            (16 << 30, "16 GiB"),
            (3 << 29, "1.5 GiB"),
            (5 << 40, "5 TiB"),
            (u64::MAX, "16777216.0 TiB"),
        ] {
            assert_eq!(bytes(value), text);
        }
    }
}
