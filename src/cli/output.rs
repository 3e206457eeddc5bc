//! Standard output, and which files may be overwritten.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use roundel::io::{OutputKind, Overwriting, check_output};
use roundel::{Error, Result};
use roundel_image::error::brief;

/// The longest message that is printed, in bytes.
const LONGEST_MESSAGE: usize = 4000;

/// Escapes control characters as JSON does: names of files and in files may contain escape sequences of terminals, and
/// JSON stays valid.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    // bidirectional marks can make a name look like another
    let is_direction = |letter: char| matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_harmless = |letter: char| (!letter.is_control() && !is_direction(letter)) || matches!(letter, '\n' | '\t');
    if text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    let shown = |letter: char| match letter {
        letter if is_harmless(letter) => letter.to_string(),
        letter => format!("\\u{:04x}", u32::from(letter)),
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Prepares a message for standard error: printable, and cut if it is too long to be read.
pub(super) fn message(text: &str) -> String {
    let text = brief(text);
    let text = printable(&text);
    let end = (0..=LONGEST_MESSAGE).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default();
    if text.len() > LONGEST_MESSAGE { format!("{} …", &text[..end]) } else { text.into_owned() }
}

/// Writes text to standard output.
pub(super) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(printable(text).as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|source| Error::Io { action: "write", path: "<stdout>".into(), source })
}

/// Returns an error if the name of an output has the ending of another format than PNG. A name without an ending is a
/// PNG.
pub(super) fn check_format(name: &'static str, output: &Path) -> Result<()> {
    check_ending(name, output, ".png, the format that can be written")
}

/// Returns an error that says which endings are right, if the name of an output has none of PNG.
fn check_ending(name: &'static str, output: &Path, endings: &str) -> Result<()> {
    let is_device = fs::metadata(output).is_ok_and(|found| !found.is_file() && !found.is_dir());
    match output.extension() {
        Some(extension) if !extension.eq_ignore_ascii_case("png") && !is_device => {
            let hint = match &*extension.to_string_lossy().to_lowercase() {
                "svg" | "pdf" => "; `roundel render` writes figures as SVG and PDF",
                "eps" | "ps" => "; `roundel render -o figure.pdf` writes vectors",
                "gif" | "webp" | "mp4" | "apng" | "y4m" => "; `roundel film` draws films",
                "html" | "htm" => "; `roundel export` writes pages",
                _ => "",
            };
            let message = format!("must end in {endings}, got {}{hint}", output.display());
            Err(Error::setting(name, message))
        }
        _ => Ok(()),
    }
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PictureFormat {
    Png,
    OpenExr,
    /// The numbers of a density.
    Npy,
    /// Shapes.
    Svg,
    Pdf,
}

impl PictureFormat {
    /// Whether it has shapes.
    pub(super) fn is_vector(self) -> bool {
        matches!(self, Self::Svg | Self::Pdf)
    }

    /// The kind of file, which existing ones are compared with.
    pub(super) fn kind(self) -> OutputKind {
        match self {
            Self::Npy => OutputKind::Data,
            Self::Svg | Self::Pdf => OutputKind::Vector,
            Self::Png | Self::OpenExr => OutputKind::Picture,
        }
    }

    /// Returns the format by the ending of a name; a name without an ending is a PNG.
    pub(super) fn of(output: &Path) -> Result<Self> {
        match output.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("exr") => {
                if cfg!(feature = "image-formats") {
                    return Ok(Self::OpenExr);
                }
                let message = format!(
                    "in the format OpenEXR needs a roundel that was built with `--features image-formats`, got {}",
                    output.display()
                );
                Err(Error::setting("output", message))
            }
            Some(extension) if extension.eq_ignore_ascii_case("npy") => Ok(Self::Npy),
            Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(Self::Svg),
            Some(extension) if extension.eq_ignore_ascii_case("pdf") => Ok(Self::Pdf),
            _ => check_ending("output", output, ".png, .svg, .pdf or, for the numbers of --density, .npy")
                .map(|()| Self::Png),
        }
    }
}

/// The head of an array of NumPy, whose bytes follow; `array` is the dictionary with its type and shape.
pub(super) fn npy_header(array: &str) -> Vec<u8> {
    [b"\x93NUMPY\x01\x00\x76\x00", format!("{array:<117}\n").as_bytes()].concat()
}

/// `--force`.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Force {
    /// Overwrite any file, even the input and files of other kinds than the output
    #[arg(long)]
    pub(super) force: bool,
}

impl Force {
    pub(super) fn overwriting(self) -> Overwriting {
        if self.force { Overwriting::Any } else { Overwriting::Own }
    }
}

/// Returns an error if the file of an option cannot be written, or would overwrite the input or a file of another kind.
/// Empty files, devices and pipes may always be written to.
pub(super) fn check_overwriting(
    name: &'static str,
    output: &Path,
    inputs: &[PathBuf],
    kind: OutputKind,
    overwriting: Overwriting,
) -> Result<()> {
    let target = fs::canonicalize(output).ok();
    let is_output = |input: &PathBuf| target.is_some() && fs::canonicalize(input).ok() == target;
    if overwriting == Overwriting::Own && inputs.iter().any(is_output) {
        return Err(occupied(name, Error::Occupied { path: output.to_owned(), found: "is the input" }));
    }
    check_output(output, kind, overwriting).map_err(|error| occupied(name, error))
}

/// Adds to the error for an existing file that `--force` overwrites it.
pub(super) fn occupied(name: &'static str, error: Error) -> Error {
    match error {
        Error::Occupied { path, found } => {
            Error::setting(name, format!("{} {found}; --force overwrites it", path.display()))
        }
        other => other,
    }
}

/// Whether a regular file begins with the signature of PNG or OpenEXR. Pipes are not tested, as they can be read only
/// once.
pub(super) fn starts_as_picture(path: &Path) -> bool {
    const PNG: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
    const OPEN_EXR: [u8; 4] = *b"\x76\x2f\x31\x01";
    let mut start = [0; 8];
    let is_read = path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    is_read && (start == PNG || start.starts_with(&OPEN_EXR))
}

/// Whether the first Ctrl-C lets the program finish its output.
static FINISHES: AtomicBool = AtomicBool::new(false);
/// Whether there was one.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C set the flag that is returned; the second one ends the program.
pub(super) fn finish_on_first_interrupt() -> &'static AtomicBool {
    FINISHES.store(true, Ordering::Relaxed);
    &INTERRUPTED
}

/// Makes Ctrl-C and termination remove unfinished files before they end the program.
#[cfg(unix)]
pub(super) fn remove_unfinished_files_on_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // without the handler unfinished files stay; everything else works
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let finishes = signal == SIGINT && FINISHES.load(Ordering::Relaxed);
            if finishes && !INTERRUPTED.swap(true, Ordering::Relaxed) {
                continue;
            }
            roundel::io::discard_unfinished_files();
            // ends the program by the signal, so that the shell sees its status
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Does nothing: elsewhere the system ends the program, and a hidden temporary file may stay.
#[cfg(not(unix))]
pub(super) fn remove_unfinished_files_on_signals() {}
