//! Frames to PNG files and back.
//!
//! The encoder's settings are pinned, and nothing but size and pixels is written: the same pixels give the same file.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::Path;

use image::codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder};
use image::error::{DecodingError, ImageFormatHint};
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, ImageFormat, ImageResult};

use super::output::write_file;
use super::pictures::check_size;
use crate::budget::Budget;
use crate::color::Srgba8;
use crate::compare::Picture;
use crate::error::{Error, Result};
use crate::frame::Frame;

/// Reads a PNG of any kind as 8 bits a channel with alpha; `-` is standard input. 16-bit channels are rounded.
///
/// # Errors
/// When the file cannot be read, is no PNG, or its header tells a picture over the usual [`Budget`].
pub fn read_png(path: impl AsRef<Path>) -> Result<Frame> {
    let path = path.as_ref();
    let unreadable = |source| Error::Io { action: "read", path: path.to_owned(), source };
    let decoded = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map_err(unreadable)?;
        let length = bytes.len() as u64;
        decode(path, io::Cursor::new(bytes), Some(length))
    } else {
        let file = File::open(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        decode(path, BufReader::with_capacity(1 << 16, file), about.is_file().then_some(about.len()))
    };
    let image = decoded?.into_rgba8();
    let mut frame = Frame::new(image.width(), image.height(), Srgba8::TRANSPARENT)?;
    for (pixel, &[r, g, b, a]) in frame.pixels_mut().iter_mut().zip(image.as_chunks::<4>().0) {
        *pixel = Srgba8 { r, g, b, a };
    }
    Ok(frame)
}

/// Decodes a PNG of this many bytes, which nothing that cannot be started again has, once its header has told its size.
fn decode(path: &Path, mut bytes: impl BufRead + Seek, length: Option<u64>) -> Result<DynamicImage> {
    /// As decoded, as 8 bits a channel, and as a frame.
    const PIXEL: u64 = 16;
    let bad = |source| match source {
        ImageError::IoError(source) => Error::Io { action: "read", path: path.to_owned(), source },
        source => Error::Image { path: path.to_owned(), source },
    };
    if length.is_some() {
        check_palette(&mut bytes).map_err(bad)?;
    }
    let decoder = PngDecoder::new(bytes).map_err(bad)?;
    check_size(path, decoder.dimensions(), &Budget::default(), PIXEL)?;
    if length.is_some_and(|length| decoder.total_bytes() / BEST_COMPRESSION > length) {
        return Err(bad(undecodable("promises more pixels than it can hold")));
    }
    DynamicImage::from_decoder(decoder).map_err(bad)
}

/// Deflate's 1 to 1032, rounded up.
const BEST_COMPRESSION: u64 = 1 << 11;

/// Refuses a palette that is no whole number of colours, and goes back to the start. The `png` crate, up to 0.18.1, panics
/// on one (<https://github.com/image-rs/image-png/issues/694>).
pub(super) fn check_palette(source: &mut (impl BufRead + Seek)) -> ImageResult<()> {
    // what is no PNG is told by whoever decodes it
    if let Ok(reader) = png::Decoder::new(&mut *source).read_info()
        && !has_whole_palette(reader.info())
    {
        return Err(undecodable("its palette is no whole number of colours"));
    }
    Ok(source.rewind()?)
}

pub(super) fn has_whole_palette(info: &png::Info<'_>) -> bool {
    info.palette.as_ref().is_none_or(|palette| palette.len() % 3 == 0)
}

fn undecodable(message: &str) -> ImageError {
    ImageError::Decoding(DecodingError::new(ImageFormatHint::Exact(ImageFormat::Png), message))
}

impl Frame {
    /// Writes the frame as PNG: the same bytes for the same pixels, without a time stamp.
    ///
    /// An opaque frame is written without alpha. The file is replaced whole or, on failure, left as it was; `-` is standard
    /// output.
    ///
    /// # Errors
    /// When the file cannot be written.
    ///
    /// ```no_run
    /// use roundel::{Frame, Srgba8};
    ///
    /// Frame::new(64, 48, Srgba8::WHITE)?.save_png("white.png")?;
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<()> {
        write_file(path, |file| encode_png(self, file))
    }

    /// The bytes that [`Frame::save_png`] writes.
    #[must_use]
    pub fn encode_png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode_png(self, &mut bytes).expect("a frame's size is valid, and memory can be written to");
        bytes
    }
}

/// Writes any picture as [`Frame::save_png`] does a frame, 16 bits a channel where it has them, and makes its folder.
pub(crate) fn write_picture(path: &Path, picture: &Picture<'_>) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|source| Error::Io { action: "create", path: parent.to_owned(), source })?;
    }
    write_file(path, |file| match picture.wide() {
        Some(samples) => {
            let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_ne_bytes()).collect();
            encode(&bytes, picture.size(), ExtendedColorType::Rgba16, file)
        }
        None => encode_png(&picture.to_frame().map_err(io::Error::other)?, file),
    })
}

/// Encodes a frame as [`Frame::save_png`] does.
pub(crate) fn encode_png(frame: &Frame, file: &mut dyn Write) -> io::Result<()> {
    let (bytes, kind) = if frame.pixels().iter().all(|pixel| pixel.a == 255) {
        (
            frame.pixels().iter().flat_map(|&Srgba8 { r, g, b, .. }| [r, g, b]).collect::<Vec<u8>>(),
            ExtendedColorType::Rgb8,
        )
    } else {
        (frame.pixels().iter().flat_map(|&Srgba8 { r, g, b, a }| [r, g, b, a]).collect(), ExtendedColorType::Rgba8)
    };
    encode(&bytes, (frame.width(), frame.height()), kind, file)
}

fn encode(bytes: &[u8], (width, height): (u32, u32), kind: ExtendedColorType, file: &mut dyn Write) -> io::Result<()> {
    let mut watched = Watched { inner: file, failed: None };
    let encoder = PngEncoder::new_with_quality(&mut watched, CompressionType::Fast, FilterType::Adaptive);
    encoder.write_image(bytes, width, height, kind).map_err(|error| match error {
        ImageError::IoError(source) if source.raw_os_error().is_some() => source,
        other => io::Error::new(watched.failed.unwrap_or(io::ErrorKind::Other), other),
    })
}

/// A writer that remembers how it failed: the encoder hands on words alone.
struct Watched<'a> {
    inner: &'a mut dyn Write,
    failed: Option<io::ErrorKind>,
}

impl Watched<'_> {
    fn watch<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &done {
            self.failed = Some(error.kind());
        }
        done
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.inner.write(bytes);
        self.watch(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.inner.flush();
        self.watch(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(alpha: impl Fn(usize) -> u8) -> Frame {
        let mut frame = Frame::new(37, 21, Srgba8::WHITE).unwrap();
        for (i, pixel) in frame.pixels_mut().iter_mut().enumerate() {
            let [r, g, b, _] = u32::try_from(i * 77_777).unwrap().to_le_bytes();
            *pixel = Srgba8 { r, g, b, a: alpha(i) };
        }
        frame
    }

    #[test]
    fn png_comes_back_pixel_for_pixel() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frame.png");
        for frame in [gradient(|_| 255), gradient(|i| u8::try_from(i % 256).unwrap())] {
            frame.save_png(&path).unwrap();
            assert_eq!(read_png(&path).unwrap(), frame);
        }
    }

    #[test]
    fn png_holds_pixels_and_nothing_else() {
        let bytes = gradient(|_| 255).encode_png();
        let mut kinds = Vec::new();
        let mut rest = &bytes[8..];
        while let Some((length, tail)) = rest.split_first_chunk::<4>() {
            kinds.push(std::str::from_utf8(&tail[..4]).unwrap());
            rest = &tail[4 + usize::try_from(u32::from_be_bytes(*length)).unwrap() + 4..];
        }
        kinds.dedup();
        assert_eq!(kinds, ["IHDR", "IDAT", "IEND"]);
    }

    #[test]
    fn read_png_says_which_file_is_bad() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.png");
        let bytes = gradient(|_| 255).encode_png();
        for length in [0, 7, 30, bytes.len() / 2] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let message = read_png(&path).unwrap_err().to_string();
            assert!(message.contains("cut.png"), "{message}");
        }
        let message = read_png(folder.path().join("none.png")).unwrap_err().to_string();
        assert!(message.contains("none.png"), "{message}");
    }
}
