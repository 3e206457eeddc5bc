//! Image files other than PNG, decoded by the `image` crate.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use image::codecs::gif::GifDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::LoopCount;
use image::{AnimationDecoder, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader};

use super::limits::check_size;
use super::png::{undecodable, unreadable};
use crate::budget::Budget;
use crate::error::{Error, Resource, Result};
use crate::sequence::{FrameSource, TimedPicture};

/// Opens an image file that is no PNG: the frames of a GIF and of a WebP, one picture of other formats.
pub(super) fn other_frames(
    path: &Path,
    mut file: BufReader<File>,
    budget: &Budget,
    bytes_per_pixel: u64,
) -> Result<FrameSource<'static>> {
    let (owned, limit) = (path.to_owned(), budget.memory);
    let failed = move |source| match source {
        ImageError::Limits(_) => {
            let subject = format!("{}: the picture as it is decoded", owned.display());
            Error::Budget { subject, resource: Resource::Memory, limit }
        }
        source => image_error(&owned, source),
    };
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(budget.memory);
    let check = |size| check_size(path, size, budget, bytes_per_pixel);
    let format = format_of(path, &mut file)?;
    if format == ImageFormat::Gif {
        let mut decoder = GifDecoder::new(file).map_err(&failed)?;
        check(decoder.dimensions())?;
        decoder.set_limits(limits).map_err(&failed)?;
        return Ok(animation(decoder, failed));
    }
    if format == ImageFormat::WebP {
        let mut decoder = WebPDecoder::new(file).map_err(&failed)?;
        check(decoder.dimensions())?;
        decoder.set_limits(limits).map_err(&failed)?;
        if decoder.has_animation() {
            return Ok(animation(decoder, failed));
        }
        return still(decoder, None, failed);
    }
    let left_out = more_pictures(format, &mut file).map_err(|source| unreadable(path, source))?;
    let left_out = left_out.map(|left_out| format!("{left_out} of {}", path.display()));
    let mut reader = ImageReader::with_format(file, format);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(&failed)?;
    check(decoder.dimensions())?;
    still(decoder, left_out, failed)
}

fn still(
    decoder: impl ImageDecoder,
    left_out: Option<String>,
    failed: impl Fn(ImageError) -> Error,
) -> Result<FrameSource<'static>> {
    let picture = DynamicImage::from_decoder(decoder).map_err(failed)?.into();
    let frame = TimedPicture { picture, delay: Duration::ZERO };
    Ok(FrameSource { frames: Box::new(std::iter::once(Ok(frame))), plays: 0, left_out })
}

fn animation<'a>(
    decoder: impl AnimationDecoder<'a>,
    failed: impl Fn(ImageError) -> Error + Send + 'static,
) -> FrameSource<'a> {
    let plays = match decoder.loop_count() {
        LoopCount::Infinite => 0,
        LoopCount::Finite(plays) => plays.get(),
    };
    let frames = decoder.into_frames().map(move |frame| {
        let frame = frame.map_err(&failed)?;
        let delay = Duration::from(frame.delay());
        Ok(TimedPicture { picture: DynamicImage::from(frame.into_buffer()).into(), delay })
    });
    FrameSource { frames: Box::new(frames), plays, left_out: None }
}

/// The pictures that a file holds beside the one that is read, in words.
fn more_pictures(format: ImageFormat, file: &mut BufReader<File>) -> io::Result<Option<String>> {
    match format {
        ImageFormat::Ico => {
            // 0, kind, count
            let count = match file.fill_buf()? {
                [_, _, _, _, low, high, ..] => u16::from_le_bytes([*low, *high]),
                _ => 1,
            };
            Ok((count > 1).then(|| format!("all but the largest of the {count} pictures")))
        }
        ImageFormat::Tiff => {
            let has_more = has_second_page(file).unwrap_or(false);
            file.rewind()?;
            Ok(has_more.then(|| "all pages but the first".to_owned()))
        }
        _ => Ok(None),
    }
}

/// Whether a second directory follows the first one of a TIFF.
fn has_second_page(file: &mut BufReader<File>) -> io::Result<bool> {
    let mut start = [0; 16];
    file.read_exact(&mut start)?;
    let is_big = start.starts_with(b"MM");
    let number = |file: &mut BufReader<File>, length: usize| -> io::Result<u64> {
        let mut bytes = [0; 8];
        let place = if is_big { 8 - length..8 } else { 0..length };
        file.read_exact(&mut bytes[place])?;
        Ok(if is_big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    };
    file.seek(SeekFrom::Start(2))?;
    // the lengths of an offset, of the number of entries and of an entry
    let (offset, count, entry) = if number(file, 2)? == 43 { (8, 8, 20) } else { (4, 2, 12) };
    file.seek(SeekFrom::Start(if offset == 8 { 8 } else { 4 }))?;
    let first = number(file, offset)?;
    file.seek(SeekFrom::Start(first))?;
    let entries = number(file, count)?.min(1 << 16);
    file.seek(SeekFrom::Start(first + count as u64 + entries * entry))?;
    Ok(number(file, offset)? != 0)
}

pub(super) fn other_size(path: &Path, mut file: BufReader<File>) -> Result<(u32, u32)> {
    let format = format_of(path, &mut file)?;
    ImageReader::with_format(file, format).into_dimensions().map_err(|source| image_error(path, source))
}

fn format_of(path: &Path, file: &mut BufReader<File>) -> Result<ImageFormat> {
    // from the buffered bytes: guessing through the reader seeks, which devices do not allow
    let start = file.fill_buf().map_err(|source| unreadable(path, source))?;
    match (image::guess_format(start), ImageFormat::from_path(path)) {
        (Ok(format), _) => Ok(format),
        (Err(_), Ok(format)) if format != ImageFormat::Png => Ok(format),
        _ => Err(undecodable(path, "it is not an image of a supported format")),
    }
}

fn image_error(path: &Path, source: ImageError) -> Error {
    match source {
        ImageError::IoError(source) => unreadable(path, source),
        source => undecodable(path, source),
    }
}
