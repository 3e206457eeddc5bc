//! Image files to comparisons.
//!
//! Equal files are settled by their bytes. PNGs of 8 bits a channel are decoded and compared band by band, one thread for
//! each file, so that neither is ever whole in memory; other files are decoded whole, both at once.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope};

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader};
use png::{BitDepth, ColorType, Transformations};

use super::png::{check_palette, has_whole_palette};
use crate::budget::Budget;
use crate::compare::{
    CONTEXT, CompareOptions, Comparer, Comparison, Difference, Metric, Picture, Window, compare,
    compare_with_difference,
};
use crate::error::{Error, Resource, Result};
use crate::frame::Frame;

/// Rows decoded before they are compared: 64 rows of 4K are 1 MB, which stays in the cache.
const BAND: u32 = 64;
/// Bands decoded ahead of the comparison.
const AHEAD: usize = 2;
/// Wider pictures are decoded whole, within the `image` crate's limits: a header alone must not make us hold 64 such rows.
const WIDEST: u32 = 1 << 16;
const BUFFER: usize = 1 << 18;

/// Reads an image file of any format that the `image` crate was built with, within the usual [`Budget`].
///
/// # Errors
/// As [`read_picture_within`].
pub fn read_picture(path: impl AsRef<Path>) -> Result<Picture<'static>> {
    let path = path.as_ref();
    read_picture_within(path, &Budget::default())
}

/// Bytes a pixel that is decoded whole takes at most: 16 bits a channel, as decoded and as compared.
const PIXEL: u64 = 16;

/// Reads an image file of any format that the `image` crate was built with.
///
/// # Errors
/// When the file cannot be read, is no such image, or its header tells a picture over the budget.
pub fn read_picture_within(path: impl AsRef<Path>, budget: &Budget) -> Result<Picture<'static>> {
    let path = path.as_ref();
    decode(path, budget, PIXEL)
}

/// Decodes a whole picture that takes so many bytes a pixel.
fn decode(path: &Path, budget: &Budget, each: u64) -> Result<Picture<'static>> {
    let mut file = open(path)?;
    check_palette(&mut file).map_err(|source| undecodable(path, source))?;
    let mut reader = ImageReader::new(file).with_guessed_format().map_err(unreadable(path))?;
    if reader.format().is_none()
        && let Ok(format) = image::ImageFormat::from_path(path)
    {
        reader.set_format(format);
    }
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(budget.memory);
    reader.limits(limits);
    let failed = |source| match source {
        ImageError::Limits(_) => {
            let subject = format!("{}: the picture as it is decoded", path.display());
            Error::Budget { subject, resource: Resource::Memory, limit: budget.memory }
        }
        source => undecodable(path, source),
    };
    let decoder = reader.into_decoder().map_err(failed)?;
    check_size(path, decoder.dimensions(), budget, each)?;
    let image = DynamicImage::from_decoder(decoder).map_err(failed)?;
    Ok(image.into())
}

/// Compares two image files. Files of the same bytes are not decoded.
///
/// # Errors
/// When a file cannot be read or is no image, or an option is out of range.
pub fn compare_files(
    expected: impl AsRef<Path>,
    actual: impl AsRef<Path>,
    options: &CompareOptions,
) -> Result<Comparison> {
    let (expected, actual) = (expected.as_ref(), actual.as_ref());
    if let Some(comparison) = compare_bytes(expected, actual, options)? {
        return Ok(comparison);
    }
    if let Some([a, b]) = streams(expected, actual, options)? {
        return compare_streams([a, b], options, None);
    }
    let (a, b) = read_both(expected, actual, &options.budget)?;
    compare(a, b, options)
}

/// Compares two image files and draws where they differ, as [`compare_with_difference`] does.
///
/// # Errors
/// As [`compare_files`].
pub fn compare_files_with_difference(
    expected: impl AsRef<Path>,
    actual: impl AsRef<Path>,
    options: &CompareOptions,
) -> Result<(Comparison, Option<Frame>)> {
    let (expected, actual) = (expected.as_ref(), actual.as_ref());
    if let Some([a, b]) = streams(expected, actual, options)? {
        if a.size != b.size {
            return Ok((Comparison::size_mismatch([a.size, b.size]), None));
        }
        let mut difference = Difference::new(a.size)?;
        let comparison = compare_streams([a, b], options, Some(&mut difference))?;
        return Ok((comparison, Some(difference.finish())));
    }
    let (a, b) = read_both(expected, actual, &options.budget)?;
    compare_with_difference(a, b, options)
}

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).map_err(unreadable(path))?;
    if file.metadata().map_err(unreadable(path))?.is_dir() {
        return Err(unreadable(path)(io::ErrorKind::IsADirectory.into()));
    }
    Ok(BufReader::with_capacity(BUFFER, file))
}

/// Refuses a picture by its header, before its pixels are decoded into so many bytes each.
pub(super) fn check_size(path: &Path, size: (u32, u32), budget: &Budget, each: u64) -> Result<()> {
    let place = format!("{}: ", path.display());
    let pixels = u64::from(size.0) * u64::from(size.1);
    if pixels > Frame::MAX_PIXELS {
        let most = Frame::MAX_PIXELS;
        let message = format!("{place}must have at most {most} pixels, got {}x{}", size.0, size.1);
        return Err(Error::Setting { name: "a picture", message });
    }
    budget.check_picture(&place, size)?;
    budget.check(Resource::Memory, pixels * each, || {
        let takes = Resource::Memory.amount(pixels * each);
        format!("{place}the picture is {}x{}, which takes {takes}", size.0, size.1)
    })
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Io { action: "read", path: path.to_owned(), source }
}

fn undecodable(path: &Path, source: image::ImageError) -> Error {
    match source {
        image::ImageError::IoError(source) => unreadable(path)(source),
        source => Error::Image { path: path.to_owned(), source },
    }
}

fn read_both(expected: &Path, actual: &Path, budget: &Budget) -> Result<(Picture<'static>, Picture<'static>)> {
    // the other is as large, or is not compared
    let each = 2 * PIXEL;
    let (a, b) = rayon::join(|| decode(expected, budget, each), || decode(actual, budget, each));
    Ok((a?, b?))
}

/// The comparison of files of the same bytes, which need not be decoded; `None` when they differ.
fn compare_bytes(expected: &Path, actual: &Path, options: &CompareOptions) -> Result<Option<Comparison>> {
    let (mut a, mut b) = (open(expected)?, open(actual)?);
    let length = |file: &BufReader<File>, path| Ok(file.get_ref().metadata().map_err(unreadable(path))?.len());
    let (length_a, length_b): (Result<u64>, Result<u64>) = (length(&a, expected), length(&b, actual));
    // a pipe has no length, and cannot be read twice: it goes the slow way
    if length_a? != length_b? || !a.get_ref().metadata().is_ok_and(|file| file.is_file()) {
        return Ok(None);
    }
    loop {
        let (left, right) = (a.fill_buf().map_err(unreadable(expected))?, b.fill_buf().map_err(unreadable(actual))?);
        let count = left.len().min(right.len());
        if left[..count] != right[..count] || left.is_empty() != right.is_empty() {
            return Ok(None);
        }
        if count == 0 {
            break;
        }
        a.consume(count);
        b.consume(count);
    }
    let reader = ImageReader::new(open(expected)?).with_guessed_format().map_err(unreadable(expected))?;
    let size = reader.into_dimensions().map_err(|source| undecodable(expected, source))?;
    Ok(Some(options.identical(size)?))
}

/// A PNG whose rows can be read one by one as 8-bit RGBA.
struct Stream<'p> {
    path: &'p Path,
    reader: png::Reader<BufReader<File>>,
    size: (u32, u32),
    rows_left: u32,
}

/// Both files as streams, if both can be read so and the metric needs no whole picture.
fn streams<'p>(expected: &'p Path, actual: &'p Path, options: &CompareOptions) -> Result<Option<[Stream<'p>; 2]>> {
    if matches!(options.metric, Metric::Flip { .. }) {
        return Ok(None);
    }
    Ok(match (Stream::open(expected, &options.budget)?, Stream::open(actual, &options.budget)?) {
        (Some(a), Some(b)) => Some([a, b]),
        _ => None,
    })
}

impl<'p> Stream<'p> {
    /// `None` for what is decoded whole: other formats, grey, 16 bits, interlaced or animated, or no good PNG at all.
    fn open(path: &'p Path, budget: &Budget) -> Result<Option<Self>> {
        let mut file = open(path)?;
        if !file.fill_buf().map_err(unreadable(path))?.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Ok(None);
        }
        let mut decoder = png::Decoder::new(file);
        decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
        let Ok(reader) = decoder.read_info() else { return Ok(None) };
        let info = reader.info();
        if !has_whole_palette(info) {
            return Ok(None);
        }
        let size = (info.width, info.height);
        // a difference image at most: the rows are read band by band
        check_size(path, size, budget, 4)?;
        let fits = size.0 <= WIDEST && u64::from(size.0) * u64::from(size.1) <= Frame::MAX_PIXELS;
        let colored = matches!(info.color_type, ColorType::Rgb | ColorType::Rgba | ColorType::Indexed);
        let plain = info.bit_depth != BitDepth::Sixteen && !info.interlaced && info.animation_control.is_none();
        let four = reader.output_color_type() == (ColorType::Rgba, BitDepth::Eight);
        Ok((fits && colored && plain && four).then_some(Self { path, reader, size, rows_left: size.1 }))
    }

    /// Reads up to a band of rows behind the context at the start of the buffer; returns how many.
    fn read_band(&mut self, buffer: &mut [u8]) -> Result<u32> {
        let length = self.size.0 as usize * 4;
        let rows = self.rows_left.min(BAND);
        for row in buffer[2 * CONTEXT as usize * length..].chunks_exact_mut(length).take(rows as usize) {
            let read = self.reader.read_row(row).map_err(|source| self.error(source))?;
            if read.is_none() {
                return Err(unreadable(self.path)(io::ErrorKind::UnexpectedEof.into()));
            }
        }
        self.rows_left -= rows;
        if self.rows_left == 0 {
            // the last checksum and the end mark
            self.reader.finish().map_err(|source| self.error(source))?;
        }
        Ok(rows)
    }

    fn error(&self, source: png::DecodingError) -> Error {
        match source {
            png::DecodingError::IoError(source) => unreadable(self.path)(source),
            other => {
                let hint = image::error::ImageFormatHint::Exact(image::ImageFormat::Png);
                let source = image::ImageError::Decoding(image::error::DecodingError::new(hint, other));
                Error::Image { path: self.path.to_owned(), source }
            }
        }
    }
}

/// A buffer with room for the context above and a band of rows.
fn band_buffer(width: u32) -> Vec<u8> {
    vec![0; width as usize * 4 * (2 * CONTEXT + BAND) as usize]
}

/// Compares two streams: a thread decodes each, this one compares.
fn compare_streams(
    [expected, actual]: [Stream<'_>; 2],
    options: &CompareOptions,
    mut difference: Option<&mut Difference>,
) -> Result<Comparison> {
    if expected.size != actual.size {
        return Ok(Comparison::size_mismatch([expected.size, actual.size]));
    }
    let (width, height) = actual.size;
    options.check_for(actual.size)?;
    let mut comparer = Comparer::new(width, height, options);
    let row = width as usize * 4;
    let above = 2 * CONTEXT as usize * row;
    thread::scope(|scope| {
        let (mut a, mut b) = (Bands::of(expected, scope), Bands::of(actual, scope));
        let (mut decoded, mut compared) = (0, 0);
        while decoded < height {
            let end = above + decoded.min(BAND) as usize * row;
            a.advance(end - above..end)?;
            b.advance(end - above..end)?;
            let rows = BAND.min(height - decoded);
            // above the first band there is no context
            let known = above + rows as usize * row;
            let missing = (2 * CONTEXT).saturating_sub(decoded);
            let skip = missing as usize * row;
            let first = decoded + missing - 2 * CONTEXT;
            decoded += rows;
            let ready = if decoded == height { height } else { decoded - CONTEXT.min(decoded) };
            let window = Window { a: &a.current[skip..known], b: &b.current[skip..known], first };
            comparer.compare_rows(window, compared..ready.max(compared), |row, marks| {
                difference.iter_mut().for_each(|difference| difference.push_row(row, marks));
            });
            compared = ready.max(compared);
        }
        Ok(comparer.finish())
    })
}

/// A picture's bands as another thread decodes them; buffers go back to it when they are done with.
struct Bands {
    /// The band under work, below the last rows of the one before.
    current: Vec<u8>,
    full: Receiver<Result<Vec<u8>>>,
    empty: SyncSender<Vec<u8>>,
}

impl Bands {
    /// Starts the thread.
    fn of<'scope, 'p: 'scope>(mut stream: Stream<'p>, scope: &'scope Scope<'scope, '_>) -> Self {
        let width = stream.size.0;
        let (send_full, full) = sync_channel(AHEAD);
        let (empty, take_empty) = sync_channel(AHEAD + 1);
        for _ in 0..=AHEAD {
            empty.send(band_buffer(width)).expect("the other end is held");
        }
        scope.spawn(move || decode_bands(&mut stream, &take_empty, &send_full));
        Self { current: band_buffer(width), full, empty }
    }

    /// Goes to the next band; the given bytes of this one, its last rows, become the context above it.
    fn advance(&mut self, context: Range<usize>) -> Result<()> {
        let mut next = self.full.recv().expect("one answer for every band")?;
        next[..context.len()].copy_from_slice(&self.current[context]);
        // no one takes it once the last band is decoded
        let _ = self.empty.send(std::mem::replace(&mut self.current, next));
        Ok(())
    }
}

/// Decodes band after band into empty buffers, until there are no more rows or no one wants them.
fn decode_bands(stream: &mut Stream<'_>, empty: &Receiver<Vec<u8>>, full: &SyncSender<Result<Vec<u8>>>) {
    while stream.rows_left > 0 {
        let Ok(mut buffer) = empty.recv() else { return };
        let band = stream.read_band(&mut buffer).map(|_| buffer);
        let failed = band.is_err();
        if full.send(band).is_err() || failed {
            return;
        }
    }
}
