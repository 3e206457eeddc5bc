//! PNG files from frames and pictures, and back.
//!
//! The encoder's settings are fixed, and nothing except size and pixels is written: the same pixels give the same file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use png::{
    BitDepth, ColorType, Compression, DecodingError, EncodingError, Filter, Limits, PixelDimensions, Transformations,
    Unit,
};

use super::output::write_file;
use super::png_frames::PngFrames;
use crate::budget::Budget;
use crate::error::{Error, Resource, Result};
use crate::frame::Frame;
use crate::picture::{Picture, Samples};
use crate::sequence::Sequence;

pub const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The largest number of bytes for a pixel that is decoded whole: 16 bits a channel, as decoded and as compared.
pub const BYTES_PER_PIXEL: u64 = 16;

/// Reads a PNG of any kind as 8 bits a channel with alpha. 16-bit channels are rounded. `-` is standard input.
///
/// ```no_run
/// # use roundel_image as roundel;
/// let frame = roundel::io::read_png("chart.png")?;
/// println!("{} x {}", frame.width(), frame.height());
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// If the file cannot be read, is not a PNG, or is larger than the default [`Budget`] allows.
pub fn read_png(path: impl AsRef<Path>) -> Result<Frame> {
    let path = path.as_ref();
    let budget = Budget::default();
    let picture = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(|source| unreadable(path, source))?;
        let length = bytes.len() as u64;
        decode_png(path, io::Cursor::new(bytes), Some(length), &budget, BYTES_PER_PIXEL)
    } else {
        let file = File::open(path).map_err(|source| unreadable(path, source))?;
        let about = file.metadata().map_err(|source| unreadable(path, source))?;
        let length = about.is_file().then_some(about.len());
        decode_png(path, BufReader::with_capacity(1 << 16, file), length, &budget, BYTES_PER_PIXEL)
    };
    picture?.to_frame()
}

/// Decodes a PNG after checking its header, of an animation the first frame; `length` is the number of bytes, if known.
pub fn decode_png(
    path: &Path,
    source: impl BufRead + Seek,
    length: Option<u64>,
    budget: &Budget,
    bytes_per_pixel: u64,
) -> Result<Picture<'static>> {
    let mut frames = PngFrames::open(path, source, length, budget, bytes_per_pixel)?;
    let first = frames.next().unwrap_or_else(|| Err(undecodable(path, "it has no frames")))?;
    Ok(first.picture)
}

/// A decoder that gives every pixel alpha, and 8 or 16 bits a channel.
pub fn png_decoder<R: BufRead + Seek>(source: R, budget: &Budget) -> png::Decoder<R> {
    let bytes = usize::try_from(budget.memory).unwrap_or(usize::MAX);
    let mut decoder = png::Decoder::new_with_limits(source, Limits { bytes });
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
    decoder
}

/// Refuses a palette that is not a whole number of colours. The `png` crate, up to 0.18.1, panics on one
/// (<https://github.com/image-rs/image-png/issues/694>).
pub fn check_palette(path: &Path, info: &png::Info<'_>) -> Result<()> {
    match &info.palette {
        Some(palette) if palette.len() % 3 != 0 => {
            Err(undecodable(path, "its palette is not a whole number of colours"))
        }
        _ => Ok(()),
    }
}

/// Gray and alpha as red, green, blue and alpha.
pub(super) fn gray_to_rgba<T: Copy>(samples: &[T]) -> Vec<T> {
    samples.as_chunks::<2>().0.iter().flat_map(|&[gray, alpha]| [gray, gray, gray, alpha]).collect()
}

pub fn unreadable(path: &Path, source: io::Error) -> Error {
    Error::Io { action: "read", path: path.to_owned(), source }
}

pub fn undecodable(path: &Path, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Image { path: path.to_owned(), source: source.into() }
}

pub fn png_error(path: &Path, source: DecodingError, budget: &Budget) -> Error {
    match source {
        DecodingError::IoError(source) => unreadable(path, source),
        DecodingError::LimitsExceeded => {
            let subject = format!("{}: the picture as it is decoded", path.display());
            Error::Budget { subject, resource: Resource::Memory, limit: budget.memory }
        }
        other => undecodable(path, other),
    }
}

impl Frame {
    /// Writes the frame as PNG: the same bytes for the same pixels, without a time stamp.
    ///
    /// An opaque frame is written without alpha. The file is replaced whole, or left as it was if writing fails. `-` is
    /// standard output.
    ///
    /// # Errors
    /// If the file cannot be written.
    ///
    /// ```no_run
    /// # use roundel_image as roundel;
    /// use roundel::{Frame, Srgba8};
    ///
    /// Frame::new(64, 48, Srgba8::WHITE)?.save_png("white.png")?;
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<()> {
        write_file(path, |file| encode_frame(self, None, file))
    }

    /// Writes the frame as [`Frame::save_png`] does, with a resolution in dots per inch for printing.
    ///
    /// # Errors
    /// As [`Frame::save_png`].
    ///
    /// ```no_run
    /// # use roundel_image as roundel;
    /// use roundel::{Frame, Srgba8};
    ///
    /// // two inches wide
    /// Frame::new(600, 300, Srgba8::WHITE)?.save_png_with_dpi("white.png", 300.0)?;
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn save_png_with_dpi(&self, path: impl AsRef<Path>, dpi: f32) -> Result<()> {
        write_file(path, |file| encode_frame(self, Some(dpi), file))
    }

    /// The bytes that [`Frame::save_png`] writes.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// use roundel::{Frame, Srgba8};
    ///
    /// assert!(Frame::new(64, 48, Srgba8::WHITE)?.encode_png().starts_with(b"\x89PNG"));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    #[must_use]
    pub fn encode_png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode_frame(self, None, &mut bytes).expect("a frame's size is valid, and memory can be written to");
        bytes
    }
}

impl Picture<'_> {
    /// Writes the picture as [`Frame::save_png`] does a frame, with 16 bits a channel if it has them.
    ///
    /// # Errors
    /// If the picture has no pixels, or the file cannot be written.
    ///
    /// ```no_run
    /// # use roundel_image as roundel;
    /// # use roundel::Picture;
    /// Picture::from_rgba8(1, 1, vec![255, 0, 0, 255])?.save_png("red.png")?;
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<()> {
        let bytes = self.encode_png()?;
        write_file(path, |file| file.write_all(&bytes))
    }

    /// Writes the picture as [`Picture::save_png`] does, with a resolution in dots per inch for printing.
    ///
    /// # Errors
    /// As [`Picture::save_png`].
    ///
    /// ```no_run
    /// # use roundel_image as roundel;
    /// # use roundel::Picture;
    /// Picture::from_rgba16(1, 1, vec![65535, 0, 0, 65535])?.save_png_with_dpi("red.png", 300.0)?;
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn save_png_with_dpi(&self, path: impl AsRef<Path>, dpi: f32) -> Result<()> {
        let bytes = encode_picture(self, Some(dpi))?;
        write_file(path, |file| file.write_all(&bytes))
    }

    /// The bytes that [`Picture::save_png`] writes.
    ///
    /// # Errors
    /// If the picture has no pixels.
    pub fn encode_png(&self) -> Result<Vec<u8>> {
        encode_picture(self, None)
    }
}

impl Sequence<'_> {
    /// The bytes of a PNG: of a picture alone as [`Picture::save_png`] writes it, else an animated PNG.
    ///
    /// Delays are exact for whole milliseconds up to a minute, and for 1/n seconds.
    ///
    /// # Errors
    /// If there are no frames, or frames of several sizes.
    pub fn encode_png(&self) -> Result<Vec<u8>> {
        let frames = self.frames();
        let [first, rest @ ..] = frames else { return Err(Error::setting("a sequence", "must have frames")) };
        if rest.is_empty() {
            return encode_picture(&first.picture, None);
        }
        let size = first.picture.size();
        if let Some(other) = rest.iter().map(|frame| frame.picture.size()).find(|other| *other != size) {
            let message =
                format!("must have frames of one size, got {}x{} and {}x{}", size.0, size.1, other.0, other.1);
            return Err(Error::setting("a sequence", message));
        }
        let is_wide = frames.iter().any(|frame| frame.picture.rgba16().is_some());
        let samples = |picture: &Picture<'_>| -> Vec<u8> {
            match picture.samples() {
                Samples::Eight(samples) if !is_wide => samples.to_vec(),
                _ => picture.to_sixteen().iter().flat_map(|sample| sample.to_be_bytes()).collect(),
            }
        };
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(if is_wide { BitDepth::Sixteen } else { BitDepth::Eight });
        encoder.set_compression(Compression::Fast);
        encoder.set_filter(Filter::Adaptive);
        let encoded = (|| {
            encoder.set_animated(u32::try_from(frames.len()).unwrap_or(u32::MAX), self.plays())?;
            let mut writer = encoder.write_header()?;
            for frame in frames {
                let (numerator, denominator) = fraction(frame.delay);
                writer.set_frame_delay(numerator, denominator)?;
                writer.write_image_data(&samples(&frame.picture))?;
            }
            writer.finish()
        })();
        encoded.map_err(|error| Error::Io {
            action: "encode",
            path: "<sequence>".into(),
            source: encoding_error(error),
        })?;
        Ok(bytes)
    }
}

/// Encodes a picture as [`Frame::save_png`] does a frame, with 16 bits a channel if it has them.
pub fn encode_picture(picture: &Picture<'_>, dpi: Option<f32>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoded = match picture.samples() {
        Samples::Eight(_) => encode_frame(&picture.to_frame()?, dpi, &mut bytes),
        Samples::Sixteen(samples) => {
            let is_opaque = samples.iter().skip(3).step_by(4).all(|opacity| *opacity == u16::MAX);
            let (color, channels) = if is_opaque { (ColorType::Rgb, 3) } else { (ColorType::Rgba, 4) };
            let samples = samples.chunks_exact(4).flat_map(|pixel| &pixel[..channels]);
            let big_endian: Vec<u8> = samples.flat_map(|sample| sample.to_be_bytes()).collect();
            encode(&big_endian, picture.size(), color, BitDepth::Sixteen, dpi, &mut bytes)
        }
    };
    encoded.map_err(|source| Error::Io { action: "encode", path: "<picture>".into(), source })?;
    Ok(bytes)
}

/// A time as a fraction of seconds, exact for whole milliseconds up to a minute and for 1/n seconds.
fn fraction(time: Duration) -> (u16, u16) {
    let seconds = time.as_secs_f64();
    let near = |denominator: u16| {
        let numerator = (seconds * f64::from(denominator) + 0.5).min(f64::from(u16::MAX));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 65535")]
        let numerator = numerator as u16;
        (numerator, denominator, (seconds - f64::from(numerator) / f64::from(denominator)).abs())
    };
    let best = (1..=1000).rev().map(near).fold(near(1000), |best, next| if next.2 < best.2 { next } else { best });
    (best.0, best.1)
}

pub fn encode_frame(frame: &Frame, dpi: Option<f32>, file: &mut dyn Write) -> io::Result<()> {
    if frame.is_opaque() { encode_opaque_frame(frame, dpi, file) } else { encode_frame_with_alpha(frame, dpi, file) }
}

/// Encodes a frame with alpha, whether it is opaque or not.
pub fn encode_frame_with_alpha(frame: &Frame, dpi: Option<f32>, file: &mut dyn Write) -> io::Result<()> {
    encode(&frame.to_rgba_bytes(), (frame.width(), frame.height()), ColorType::Rgba, BitDepth::Eight, dpi, file)
}

pub fn encode_opaque_frame(frame: &Frame, dpi: Option<f32>, file: &mut dyn Write) -> io::Result<()> {
    encode(&frame.to_rgb_bytes(), (frame.width(), frame.height()), ColorType::Rgb, BitDepth::Eight, dpi, file)
}

/// Encodes a picture of this size from bands of whole rows, from the top: `bands` hands each of them to the function it
/// gets. [`encode_frame`] compresses the same pixels to other bytes.
pub fn encode_bands(
    size: (u32, u32),
    is_opaque: bool,
    dpi: Option<f32>,
    file: &mut dyn Write,
    bands: impl FnOnce(&mut dyn FnMut(&Frame) -> io::Result<()>) -> io::Result<()>,
) -> io::Result<()> {
    /// Bytes of a piece of the file.
    const PIECE: usize = 1 << 16;
    let color = if is_opaque { ColorType::Rgb } else { ColorType::Rgba };
    let mut writer = encoder(size, color, BitDepth::Eight, dpi, file).write_header().map_err(encoding_error)?;
    let mut rows = writer.stream_writer_with_size(PIECE).map_err(encoding_error)?;
    bands(&mut |band| rows.write_all(&if is_opaque { band.to_rgb_bytes() } else { band.to_rgba_bytes() }))?;
    rows.finish().map_err(encoding_error)?;
    writer.finish().map_err(encoding_error)
}

fn encode(
    bytes: &[u8],
    size: (u32, u32),
    color: ColorType,
    depth: BitDepth,
    dpi: Option<f32>,
    file: &mut dyn Write,
) -> io::Result<()> {
    let encoded = encoder(size, color, depth, dpi, file).write_header().and_then(|mut writer| {
        writer.write_image_data(bytes)?;
        writer.finish()
    });
    encoded.map_err(encoding_error)
}

fn encoder<'a>(
    (width, height): (u32, u32),
    color: ColorType,
    depth: BitDepth,
    dpi: Option<f32>,
    file: &'a mut dyn Write,
) -> png::Encoder<'a, &'a mut dyn Write> {
    let mut encoder = png::Encoder::new(file, width, height);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let dots_per_meter = dpi.map(|dpi| (f64::from(dpi) / 0.0254 + 0.5) as u32);
    encoder.set_pixel_dims(dots_per_meter.map(|dots| PixelDimensions { xppu: dots, yppu: dots, unit: Unit::Meter }));
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Adaptive);
    encoder
}

fn encoding_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(source) => source,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;

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
    fn sixteen_bit_png_comes_back_sample_for_sample() {
        let samples: Vec<u16> = (0..4 * 12).map(|i| i * 1361).collect();
        let bytes = encode_picture(&Picture::from_rgba16(4, 3, samples.clone()).unwrap(), None).unwrap();
        let length = bytes.len() as u64;
        let picture = decode_png(Path::new("p"), io::Cursor::new(bytes), Some(length), &Budget::default(), 16).unwrap();
        assert!(matches!(picture.samples(), Samples::Sixteen(back) if **back == samples));
    }

    /// Every kind of PNG, as the `image` crate writes and reads it.
    #[test]
    fn png_kinds_are_read_as_the_image_crate_reads_them() {
        use image::{DynamicImage, ImageFormat};

        let wide = image::ImageBuffer::from_fn(9, 7, |x, y| {
            let sample = |factor: u32| u16::try_from((x * 7 + y * 131) * factor % 65_536).unwrap();
            image::Rgba([sample(977), sample(1511), sample(71), sample(499)])
        });
        let wide = DynamicImage::ImageRgba16(wide);
        let kinds = [
            DynamicImage::from(wide.to_luma8()),
            wide.to_luma_alpha8().into(),
            wide.to_rgb8().into(),
            wide.to_rgba8().into(),
            wide.to_luma16().into(),
            wide.to_luma_alpha16().into(),
            wide.to_rgb16().into(),
            wide,
        ];
        for image in kinds {
            let mut bytes = io::Cursor::new(Vec::new());
            image.write_to(&mut bytes, ImageFormat::Png).unwrap();
            bytes.set_position(0);
            let picture = decode_png(Path::new("p"), bytes, None, &Budget::default(), 16).unwrap();
            match picture.samples() {
                Samples::Eight(samples) => assert_eq!(**samples, **image.to_rgba8().as_raw(), "{:?}", image.color()),
                Samples::Sixteen(samples) => {
                    assert_eq!(**samples, **image.to_rgba16().as_raw(), "{:?}", image.color());
                    assert!(image.color().bytes_per_pixel() / image.color().channel_count() > 1);
                }
            }
        }
    }

    #[test]
    fn png_contains_pixels_and_nothing_else() {
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
    fn read_png_names_a_bad_file() {
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
