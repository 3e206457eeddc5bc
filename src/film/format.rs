//! The formats of films, and how fast they play.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::{Error, Result};

/// The format of a film, which the name of its file decides.
///
/// ```
/// use roundel::film::FilmFormat;
///
/// assert_eq!(FilmFormat::of("turn.gif".as_ref())?, FilmFormat::Gif);
/// assert_eq!(FilmFormat::of("frame_{frame:04}.png".as_ref())?, FilmFormat::Pngs);
/// assert!(FilmFormat::of("turn.avi".as_ref()).is_err());
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilmFormat {
    /// One PNG a frame: a name with `{frame}` in it.
    Pngs,
    /// An animated PNG, lossless.
    Apng,
    /// A GIF with one palette of 256 colours.
    Gif,
    /// An animated WebP, lossless.
    WebP,
    /// H.264 in MP4, through `ffmpeg`.
    Mp4,
    /// Y4M with 4:4:4 chroma: a name that ends in `.y4m`, or `-` for standard output.
    Y4m,
}

impl FilmFormat {
    /// The format that a name states.
    ///
    /// # Errors
    /// If there is no such format.
    pub fn of(output: &Path) -> Result<Self> {
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        if output.as_os_str() == "-" {
            return Ok(Self::Y4m);
        }
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        match (&*ending, name.contains("{frame")) {
            ("png", true) => Ok(Self::Pngs),
            ("png" | "apng", false) => Ok(Self::Apng),
            ("gif", false) => Ok(Self::Gif),
            ("webp", false) => Ok(Self::WebP),
            ("mp4", false) => Ok(Self::Mp4),
            ("y4m", false) => Ok(Self::Y4m),
            _ => {
                let hint = match &*ending {
                    "rgba" => "; `-o - | ffmpeg -i - -f rawvideo -pix_fmt rgba film.rgba` writes raw pixels",
                    _ => "",
                };
                let message = format!(
                    "must end in .png, .gif, .webp, .mp4 or .y4m, be - for Y4M, or name pictures, such as frame_{{frame:04}}.png, got {}{hint}",
                    output.display()
                );
                Err(Error::setting("output", message))
            }
        }
    }

    /// Returns an error if the file is a pipe or a device, and the format needs a seekable file.
    ///
    /// # Errors
    /// For WebP and MP4, whose first bytes are written last.
    pub fn check_output(self, output: &Path) -> Result<()> {
        let is_stream = || std::fs::metadata(output).is_ok_and(|found| !found.is_file() && !found.is_dir());
        if matches!(self, Self::WebP | Self::Mp4) && !is_standard_output(output) && is_stream() {
            let message = format!(
                "must be a regular file for WebP and MP4, whose first bytes are written last; {} is a pipe or a device, which takes .gif, .y4m or -",
                output.display()
            );
            return Err(Error::setting("output", message));
        }
        Ok(())
    }
}

/// Whether a name stands for standard output.
///
/// ```
/// assert!(roundel::film::is_standard_output("-".as_ref()));
/// ```
#[must_use]
pub fn is_standard_output(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// The name of one frame's file: `{frame}`, or `{frame:04}` with zeros, stands for its number.
pub(super) fn frame_name(pattern: &str, number: u64) -> Result<String> {
    let refuse = || {
        let message = format!("must have {{frame}} or {{frame:04}} once in the name of the file, got {pattern}");
        Error::setting("output", message)
    };
    let (before, rest) = pattern.split_once("{frame").ok_or_else(refuse)?;
    let (inner, after) = rest.split_once('}').ok_or_else(refuse)?;
    let width = match inner.strip_prefix(':') {
        None if inner.is_empty() => 0,
        Some(width) => width.parse::<usize>().ok().filter(|width| *width <= 20).ok_or_else(refuse)?,
        None => return Err(refuse()),
    };
    if before.contains(['{', '}']) || after.contains(['{', '}']) {
        return Err(refuse());
    }
    Ok(format!("{before}{number:0width$}{after}"))
}

/// Frames a second, a fraction in lowest terms.
///
/// ```
/// use roundel::film::FrameRate;
///
/// let rate: FrameRate = "29.97".parse()?;
/// assert_eq!((rate.to_string(), rate.frames_in(2.0)), ("2997/100".to_owned(), 60));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRate {
    frames: u64,
    seconds: u64,
}

impl FrameRate {
    /// 25 frames a second, which all formats state exactly.
    pub const DEFAULT: Self = Self { frames: 25, seconds: 1 };

    /// The nearest rate in thousandths.
    ///
    /// # Errors
    /// Unless it is 0.001 to 1000 frames a second.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1,000,000")]
    pub fn new(frames_a_second: f64) -> Result<Self> {
        if !(0.001..=1000.0).contains(&frames_a_second) {
            return Err(Error::setting("fps", format!("must be 0.001 to 1000 frames a second, got {frames_a_second}")));
        }
        let (frames, seconds) = ((frames_a_second * 1000.0 + 0.5) as u64, 1000);
        let (mut divisor, mut rest) = (frames, seconds);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Ok(Self { frames: frames / divisor, seconds: seconds / divisor })
    }

    /// The number of frames in this many seconds, at least one.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    pub fn frames_in(self, seconds: f64) -> u64 {
        ((seconds * self.per_second() + 0.5) as u64).max(1)
    }

    /// Frames a second.
    #[must_use]
    pub fn per_second(self) -> f64 {
        self.frames as f64 / self.seconds as f64
    }

    /// The duration of a frame in units of 1/`units` seconds. Rounding errors do not add up over the film.
    pub(super) fn duration(self, index: u64, units: u64) -> u64 {
        let end = |index: u64| (index * self.seconds * units + self.frames / 2) / self.frames;
        end(index + 1) - end(index)
    }

    /// The fraction of frames and seconds, if both are below 2^16.
    pub(super) fn fraction_u16(self) -> Option<[u16; 2]> {
        Some([u16::try_from(self.frames).ok()?, u16::try_from(self.seconds).ok()?])
    }

    /// The fraction of frames and seconds.
    pub(super) fn fraction(self) -> [u64; 2] {
        [self.frames, self.seconds]
    }
}

impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seconds == 1 { write!(f, "{}", self.frames) } else { write!(f, "{}/{}", self.frames, self.seconds) }
    }
}

impl FromStr for FrameRate {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refuse = |_| Error::setting("fps", format!("must be a number of frames a second, got {text:?}"));
        Self::new(text.parse().map_err(refuse)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_numbered() {
        assert_eq!(frame_name("a_{frame:04}.png", 7).unwrap(), "a_0007.png");
        assert_eq!(frame_name("{frame}.png", 12345).unwrap(), "12345.png");
        for pattern in
            ["{frame:x}.png", "{frame", "{frame}{frame}.png", "{frames}.png", "{x}{frame}.png", "{frame:99}.png"]
        {
            frame_name(pattern, 0).expect_err(pattern);
        }
    }

    #[test]
    fn durations_sum_to_the_length_of_the_film() {
        for text in ["25", "24", "30", "29.97", "60", "7.5", "0.3"] {
            let rate: FrameRate = text.parse().unwrap();
            let sum: u64 = (0..300).map(|index| rate.duration(index, 100)).sum();
            let exact = 300.0 * 100.0 / rate.per_second();
            assert!((sum as f64 - exact).abs() <= 0.51, "{text}: {sum} for {exact}");
        }
        "0".parse::<FrameRate>().expect_err("no frames");
        "nan".parse::<FrameRate>().expect_err("no number");
    }
}
