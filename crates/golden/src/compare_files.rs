//! Comparisons of image files.
//!
//! Files with equal bytes are not decoded. PNGs of 8 bits a channel are decoded in chunks of rows, by one thread for
//! each file, and compared chunk by chunk, so that neither is in memory whole. Other files are decoded frame by frame, both
//! at once.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope};

use crate::compare::{
    CONTEXT, CompareOptions, Comparer, Comparison, Difference, DifferingPictures, Metric, RowPair, Sequence,
    compare_sources, compare_with_difference,
};
use roundel_image::error::Result;
use roundel_image::frame::Frame;
use roundel_image::pictures::{open, open_frames, read_size};
use roundel_image::png::unreadable;
use roundel_image::png_rows::PngRows;

/// Rows of a chunk: 32 rows of a 4K picture are half a megabyte, which fits a cache. Tuned: `benches/compare.rs
/// exact`.
const CHUNK_ROWS: u32 = 32;
/// Chunks decoded ahead of the comparison.
const AHEAD: usize = 2;

/// Compares two image files, of the formats that [`read_picture`](crate::read_picture) reads. Files with equal bytes
/// are not decoded.
///
/// ```no_run
/// use roundel_golden::compare::CompareOptions;
/// use roundel_golden::compare_files;
///
/// let found = compare_files("before.png", "after.png", &CompareOptions::default())?;
/// println!("{}", found.summary());
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// If a file cannot be read or is not an image, or an option is out of range.
pub fn compare_files(
    expected: impl AsRef<Path>,
    actual: impl AsRef<Path>,
    options: &CompareOptions,
) -> Result<Comparison> {
    let (expected, actual) = (expected.as_ref(), actual.as_ref());
    if are_regular([expected, actual]) {
        let depends_on_pixels = options.mask.has_transparent_parts();
        if !depends_on_pixels && let Some(comparison) = compare_bytes(expected, actual, options)? {
            return Ok(comparison);
        }
        if let Some([a, b]) = row_readers(expected, actual, options)? {
            return compare_rows([a, b], options, None);
        }
    }
    compare_each(expected, actual, options, |_| Ok(()))
}

/// Compares two image files and draws where they differ, as [`compare_with_difference`] does; of films, the first frame
/// that differs. Pictures without a difference are drawn, too, and films are not.
///
/// ```no_run
/// use roundel_golden::compare::CompareOptions;
/// use roundel_golden::compare_files_with_difference;
///
/// let (found, difference) = compare_files_with_difference("before.png", "after.png", &CompareOptions::default())?;
/// if let (false, Some(difference)) = (found.is_same(), difference) {
///     difference.save_png("difference.png")?;
/// }
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// As [`compare_files`].
pub fn compare_files_with_difference(
    expected: impl AsRef<Path>,
    actual: impl AsRef<Path>,
    options: &CompareOptions,
) -> Result<(Comparison, Option<Frame>)> {
    let (expected, actual) = (expected.as_ref(), actual.as_ref());
    if are_regular([expected, actual])
        && let Some([a, b]) = row_readers(expected, actual, options)?
        && a.size() == b.size()
    {
        let mut difference = Difference::new(a.size())?;
        let comparison = compare_rows([a, b], options, Some(&mut difference))?;
        return Ok((comparison, Some(difference.finish())));
    }
    let mut difference = None;
    let comparison = compare_each(expected, actual, options, |pair| {
        if difference.is_none() {
            difference = Some(compare_with_difference(pair.expected.clone(), pair.actual.clone(), options)?.1);
        }
        Ok(())
    })?;
    Ok((comparison, difference.flatten()))
}

/// Compares two image files, and passes the two pictures to `each` if they differ; of films, each two frames that do.
///
/// ```no_run
/// use roundel_golden::compare::CompareOptions;
/// use roundel_golden::compare_each;
///
/// compare_each("before.png", "after.png", &CompareOptions::default(), |pair| {
///     pair.actual.save_png(format!("frame-{}.png", pair.frame))
/// })?;
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// As [`compare_files`], and if `each` fails.
pub fn compare_each(
    expected: impl AsRef<Path>,
    actual: impl AsRef<Path>,
    options: &CompareOptions,
    mut each: impl FnMut(DifferingPictures<'_>) -> Result<()>,
) -> Result<Comparison> {
    let (expected, actual, budget) = (expected.as_ref(), actual.as_ref(), &options.budget);
    compare_sources(|| open_frames(expected, budget), || open_frames(actual, budget), options, &mut each)
}

/// Compares an image file with pictures in memory, and passes pairs that differ to `each`.
pub(crate) fn compare_with_file(
    expected: &Path,
    actual: &Sequence<'_>,
    options: &CompareOptions,
    each: &mut dyn FnMut(DifferingPictures<'_>) -> Result<()>,
) -> Result<Comparison> {
    compare_sources(|| open_frames(expected, &options.budget), || Ok(actual.source()), options, each)
}

/// Whether both files can be opened several times: a pipe is opened and read once.
fn are_regular(files: [&Path; 2]) -> bool {
    files.iter().all(|file| std::fs::metadata(file).map_or(true, |found| found.is_file()))
}

/// The result for files with equal bytes; `None` if their bytes differ.
fn compare_bytes(expected: &Path, actual: &Path, options: &CompareOptions) -> Result<Option<Comparison>> {
    let (mut a, mut b) = (open(expected)?, open(actual)?);
    let about = |file: &BufReader<File>, path| file.get_ref().metadata().map_err(|source| unreadable(path, source));
    let (about_a, about_b) = (about(&a, expected)?, about(&b, actual)?);
    if about_a.len() != about_b.len() {
        return Ok(None);
    }
    loop {
        let left = a.fill_buf().map_err(|source| unreadable(expected, source))?;
        let right = b.fill_buf().map_err(|source| unreadable(actual, source))?;
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
    Comparison::identical(read_size(expected)?, options).map(Some)
}

/// Readers of both files, if both can be read by rows and the metric does not need whole pictures.
fn row_readers<'p>(
    expected: &'p Path,
    actual: &'p Path,
    options: &'p CompareOptions,
) -> Result<Option<[PngRows<'p>; 2]>> {
    if matches!(options.metric, Metric::Flip { .. }) {
        return Ok(None);
    }
    let (a, b) = (PngRows::open(expected, &options.budget)?, PngRows::open(actual, &options.budget)?);
    Ok(a.zip(b).map(|(a, b)| [a, b]))
}

/// A buffer for the context rows above and a chunk of rows.
fn chunk_buffer(width: u32) -> Vec<u8> {
    vec![0; width as usize * 4 * (2 * CONTEXT + CHUNK_ROWS) as usize]
}

/// Compares two files row by row. A thread decodes each; this thread compares.
fn compare_rows(
    [expected, actual]: [PngRows<'_>; 2],
    options: &CompareOptions,
    mut difference: Option<&mut Difference>,
) -> Result<Comparison> {
    let sizes = [expected.size(), actual.size()];
    if sizes[0] != sizes[1] {
        return Ok(Comparison::size_mismatch(sizes));
    }
    let (width, height) = sizes[0];
    options.check_for(sizes[0])?;
    let mut comparer = Comparer::new(width, height, options);
    let row = width as usize * 4;
    let above = 2 * CONTEXT as usize * row;
    thread::scope(|scope| {
        let (mut a, mut b) = (RowChunks::spawn(expected, scope), RowChunks::spawn(actual, scope));
        let (mut decoded, mut compared) = (0, 0);
        while decoded < height {
            let end = above + decoded.min(CHUNK_ROWS) as usize * row;
            a.advance(end - above..end)?;
            b.advance(end - above..end)?;
            let rows = CHUNK_ROWS.min(height - decoded);
            // above the first chunk there is no context
            let known = above + rows as usize * row;
            let missing = (2 * CONTEXT).saturating_sub(decoded);
            let skip = missing as usize * row;
            let first = decoded + missing - 2 * CONTEXT;
            decoded += rows;
            let ready = if decoded == height { height } else { decoded - CONTEXT.min(decoded) };
            let pair = RowPair { expected: &a.current[skip..known], actual: &b.current[skip..known], first };
            comparer.compare_rows(pair, compared..ready.max(compared), |row, marks| {
                difference.iter_mut().for_each(|difference| difference.push_row(row, marks));
            });
            compared = ready.max(compared);
        }
        comparer.finish()
    })
}

/// The chunks of a picture, decoded by another thread. Used buffers return to it.
struct RowChunks {
    /// The current chunk, below the last rows of the previous one.
    current: Vec<u8>,
    full: Receiver<Result<Vec<u8>>>,
    empty: SyncSender<Vec<u8>>,
}

impl RowChunks {
    fn spawn<'scope, 'p: 'scope>(mut file: PngRows<'p>, scope: &'scope Scope<'scope, '_>) -> Self {
        let width = file.size().0;
        let (send_full, full) = sync_channel(AHEAD);
        let (empty, take_empty) = sync_channel(AHEAD + 1);
        for _ in 0..=AHEAD {
            empty.send(chunk_buffer(width)).expect("the other end is held");
        }
        scope.spawn(move || decode_chunks(&mut file, &take_empty, &send_full));
        Self { current: chunk_buffer(width), full, empty }
    }

    /// Moves to the next chunk. The given bytes of the current one, its last rows, become the context above it.
    fn advance(&mut self, context: Range<usize>) -> Result<()> {
        let mut next = self.full.recv().expect("one message for every chunk")?;
        next[..context.len()].copy_from_slice(&self.current[context]);
        // fails once the last chunk is decoded
        let _ = self.empty.send(std::mem::replace(&mut self.current, next));
        Ok(())
    }
}

/// Decodes chunk after chunk into empty buffers until no rows are left, one cannot be read, or the receiver is gone.
fn decode_chunks(file: &mut PngRows<'_>, empty: &Receiver<Vec<u8>>, full: &SyncSender<Result<Vec<u8>>>) {
    while file.rows_left() > 0 {
        let Ok(mut buffer) = empty.recv() else { return };
        let context = 2 * CONTEXT as usize * 4 * file.size().0 as usize;
        let chunk = file.read(&mut buffer[context..]).map(|()| buffer);
        let failed = chunk.is_err();
        if full.send(chunk).is_err() || failed {
            return;
        }
    }
}
