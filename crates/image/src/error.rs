//! The crate's error type. A message names the place, the value found and the values accepted.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The errors of this crate.
///
/// ```
/// # use roundel_image as roundel;
/// let error = roundel::io::read_png("no/such.png").unwrap_err();
/// assert!(matches!(error, roundel::Error::Io { action: "read", .. }));
/// assert!(error.to_string().starts_with("cannot read no/such.png: "));
///
/// let error = "reddish".parse::<roundel::Srgba8>().unwrap_err();
/// assert!(matches!(error, roundel::Error::Setting { name: "color", .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read, written or created.
    #[error("cannot {action} {}: {source}", brief_path(path))]
    Io {
        /// The verb: `read`, `write`, `create`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The content of a file is not accepted.
    #[error("{}{}: {}", brief(file), line.map(|line| format!(":{line}")).unwrap_or_default(), brief(message))]
    Input {
        /// The file as the caller named it; `<stdin>` for standard input.
        file: String,
        /// Counted from 1; `None` if the message concerns the whole file.
        line: Option<u64>,
        /// Key, value and rule, in lower case, without a full stop.
        message: String,
    },
    /// An image file could not be decoded.
    #[error("cannot decode {}: {source}", brief_path(path))]
    Image {
        /// The file.
        path: PathBuf,
        /// The decoder's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A setting is out of range.
    #[error("{name} {}", brief(message))]
    Setting {
        /// The setting's name.
        name: &'static str,
        /// The value found and the values accepted.
        message: String,
    },
    /// A request exceeds the caller's [`Budget`](crate::Budget). Nothing was allocated for it.
    #[error("{}, over the limit of {}", brief(subject), resource.amount(*limit))]
    Budget {
        /// The request, with file and line if it comes from a file.
        subject: String,
        /// The resource that it exceeds.
        resource: Resource,
        /// The limit that was exceeded.
        limit: u64,
    },
    /// The output path holds a file that this program did not write. It is not replaced.
    #[error("{} {found}; it is not replaced", brief_path(path))]
    Occupied {
        /// The file.
        path: PathBuf,
        /// The reason, to follow the name: `exists and is not a PNG`.
        found: &'static str,
    },
    /// The worker threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(Box<dyn std::error::Error + Send + Sync>),
    /// The viewer's window could not be opened or drawn to, for example without a display.
    #[error("cannot show a window: {0}")]
    Window(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// An [`Error::Input`] at a line of a file, or about the whole file.
    #[doc(hidden)]
    pub fn input(file: &str, line: impl Into<Option<u64>>, message: impl Into<String>) -> Self {
        Self::Input { file: file.to_owned(), line: line.into(), message: message.into() }
    }

    /// An [`Error::Setting`] of this name.
    #[doc(hidden)]
    pub fn setting(name: &'static str, message: impl Into<String>) -> Self {
        Self::Setting { name, message: message.into() }
    }

    /// The rule that a setting breaks, without its name; the whole message of other errors.
    #[doc(hidden)]
    pub fn rule(self) -> String {
        match self {
            Self::Setting { message, .. } => brief(&message).into_owned(),
            other => other.to_string(),
        }
    }
}

/// The longest quoted text that messages show whole, and the start of a longer one that they show, in letters.
const LONGEST_QUOTE: usize = 80;
const START_OF_QUOTE: usize = 60;

/// The longest word that messages show whole: one of a path, perhaps.
const LONGEST_WORD: usize = 300;

/// A message whose long quotes and words are shortened to their start and `…`: input may have any length.
///
/// ```
/// use roundel_image::error::brief;
///
/// assert_eq!(brief("must be a colour, got \"red\""), "must be a colour, got \"red\"");
/// let message = format!("must be a colour, got {:?}, in css", "x".repeat(129_000));
/// assert_eq!(brief(&message), format!("must be a colour, got \"{}…\", in css", "x".repeat(60)));
/// ```
#[doc(hidden)]
#[must_use]
pub fn brief(message: &str) -> Cow<'_, str> {
    if message.chars().count() <= LONGEST_QUOTE {
        return Cow::Borrowed(message);
    }
    let mut brief = String::new();
    let mut rest = message;
    while let Some(first) = rest.chars().next() {
        let quote = if first == '"' { quoted(rest) } else { None };
        let length = match quote {
            Some(length) => length,
            None if first.is_whitespace() => first.len_utf8(),
            // a quote without an end is a word
            None => {
                let is_end = |(at, letter): &(usize, char)| letter.is_whitespace() || *letter == '"' && *at > 0;
                rest.char_indices().find(is_end).map_or(rest.len(), |(at, _)| at)
            }
        };
        let (part, after) = rest.split_at(length);
        let most = if quote.is_some() { LONGEST_QUOTE + 2 } else { LONGEST_WORD };
        if part.chars().count() > most {
            brief.extend(part.chars().take(START_OF_QUOTE + usize::from(quote.is_some())));
            brief.push('…');
            brief.extend(quote.map(|_| '"'));
        } else {
            brief.push_str(part);
        }
        rest = after;
    }
    Cow::Owned(brief)
}

/// The length in bytes of the quoted text at the start, with its quotes.
fn quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn brief_path(path: &Path) -> String {
    brief(&path.to_string_lossy()).into_owned()
}

/// A resource that a [`Budget`](crate::Budget) limits.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::{Budget, Resource};
///
/// assert_eq!(Budget::default().limit(Resource::Memory), 16 << 30);
/// assert_eq!(Resource::Memory.name(), "memory");
/// ```
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
    /// The name of the field in [`Budget`](crate::Budget).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pixels => "pixels",
            Self::Shapes => "shapes",
            Self::Memory => "memory",
        }
    }

    /// An amount with its unit: `12 pixels`, `1.5 GiB`.
    #[doc(hidden)]
    pub fn amount(self, value: u64) -> String {
        match self {
            Self::Pixels | Self::Shapes => format!("{value} {}", self.name()),
            Self::Memory => bytes(value),
        }
    }
}

/// A readable number of bytes: exact below 1 MiB, with at most one decimal above.
fn bytes(value: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20)];
    match UNITS.into_iter().find(|(_, size)| value >= *size) {
        None => format!("{value} bytes"),
        Some((name, size)) if value.is_multiple_of(size) => format!("{} {name}", value / size),
        Some((name, size)) => format!("{:.1} {name}", value as f64 / size as f64),
    }
}

/// A `Result` with this crate's [`Error`].
///
/// ```
/// # use roundel_image as roundel;
/// fn mean_red(path: &str) -> roundel::Result<f64> {
///     let frame = roundel::io::read_png(path)?;
///     let sum: f64 = frame.pixels().iter().map(|pixel| f64::from(pixel.r)).sum();
///     Ok(sum / frame.pixels().len() as f64)
/// }
/// mean_red("no/such.png").unwrap_err();
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_show_the_start_of_long_input() {
        let long = "x".repeat(100_000);
        let blanks = "x ".repeat(50_000);
        let start = &long[..60];
        for (message, shown) in [
            (format!("got {long}, none"), format!("got {start}… none")),
            (format!("got {blanks:?}, none"), format!("got \"{}…\", none", &blanks[..60])),
            (format!("key \"a\\\"{long}\": no"), format!("key \"a\\\"{}…\": no", &long[..57])),
            (format!("5\" of {long}"), format!("5\" of {start}…")),
            (format!("\"{long}"), format!("\"{}…", &long[..59])),
        ] {
            assert_eq!(Error::setting("k", message).to_string(), format!("k {shown}"));
        }
        let path = Path::new(&long).to_owned();
        let error = Error::Io { action: "read", path, source: std::io::ErrorKind::NotFound.into() };
        assert!(error.to_string().len() < 150, "{error}");
        let usual = "must be one of these, got \"a\" (accepted: a long list of names, each of them short, that says what is known)";
        assert_eq!(brief(usual), usual);
    }

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
