//! Fixed-size rows of a regular file, read by each thread through its own handle.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::input::io_error;
use super::piece::{Flaw, Piece, PiecePlace};
use crate::error::Result;

/// Bytes of a piece: a piece and its rows fit a core's cache.
const PIECE: usize = 1 << 18;

/// Pieces of a batch for each thread: few, so that they stay in the caches.
const PIECES_PER_THREAD: usize = 4;

/// Most pieces of a batch, each with an open file.
const MOST_PIECES: usize = 64;

/// Rows of a chunk: a chunk and its spheres fit the first-level cache.
pub(crate) const CHUNK: usize = 1 << 10;

/// Fewest chunks per open file handle.
const LEAST_CHUNKS: usize = 1 << 5;

/// tuned: "Larger than memory" in docs/performance.md. Step of read-ahead hints for a file shared by threads; hints run
/// two steps ahead of the reads.
const AHEAD: u64 = 1 << 22;

/// Rows of a regular file that is not compressed.
#[derive(Clone, Debug)]
pub(crate) struct FileRows {
    file: String,
    path: PathBuf,
    /// Byte at which the rows begin.
    start: u64,
    pub(crate) rows: u64,
    /// Stride of the rows in bytes.
    size: usize,
}

impl FileRows {
    /// The complete rows of `size` bytes from a byte on, up to `most`; `None` if there are none.
    pub(super) fn new(file: &str, path: &Path, start: u64, most: u64, size: usize) -> Option<Self> {
        let bytes = path.metadata().ok()?.len().checked_sub(start)?;
        let rows = most.min(bytes / size as u64);
        (rows > 0).then(|| Self { file: file.to_owned(), path: path.to_owned(), start, rows, size })
    }

    /// The byte after the last row.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.rows * self.size as u64
    }

    /// Parses all rows on all threads, some thousands at a time, and takes the results in the order of the file.
    pub(crate) fn parse<T: Send>(
        &self,
        parse: impl Fn(&Piece) -> Result<T, Flaw> + Sync,
        mut take: impl FnMut(&Piece, T) -> Result<()>,
    ) -> Result<()> {
        let rows = self.rows_per_piece();
        let pieces = self.rows.div_ceil(rows);
        let most = (PIECES_PER_THREAD * rayon::current_num_threads()).min(MOST_PIECES);
        let most = usize::try_from(pieces).map_or(most, |pieces| most.min(pieces));
        let mut readers: Vec<RowReader> = (0..most).map(|_| RowReader::default()).collect();
        for first in (0..pieces).step_by(most.max(1)) {
            let count = usize::try_from(pieces - first).map_or(most, |left| most.min(left));
            let parse_one = |(index, reader): (usize, &mut RowReader)| {
                let piece = reader.read(self, self.part(first + index as u64, rows))?;
                parse(piece).map_err(|flaw| piece.refuse(&self.file, flaw))
            };
            let parsed: Vec<Result<T>> = readers[..count].par_iter_mut().enumerate().map(parse_one).collect();
            for (reader, result) in readers.iter().zip(parsed) {
                take(&reader.piece, result?)?;
            }
        }
        Ok(())
    }

    /// Reads some thousand rows at a time in the order of the file, until `visit` returns `None`.
    pub(crate) fn scan(&self, mut visit: impl FnMut(&Piece) -> Option<()>) -> Result<()> {
        let (rows, mut reader) = (self.rows_per_piece(), RowReader::default());
        for index in 0..self.rows.div_ceil(rows) {
            if visit(reader.read(self, self.part(index, rows))?).is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Converts rows into items on all threads, straight into `items`, in the order of the file.
    ///
    /// `make` appends the items of a piece to an empty list, at most one a row. Chunks with fewer items than rows, and
    /// the last one, are padded with `filler`. Returns the number of rows without an item.
    pub(crate) fn make<T: Copy + Send + Sync>(
        &self,
        rows: Range<u64>,
        items: &mut Vec<[T; CHUNK]>,
        filler: T,
        make: impl Fn(&Piece, &mut Vec<T>) -> Result<(), Flaw> + Sync,
    ) -> Result<u64> {
        let chunks = usize::try_from((rows.end - rows.start).div_ceil(CHUNK as u64)).expect("rows are in memory");
        let (missing, failed_chunk, failure) = (AtomicU64::new(0), AtomicU64::new(u64::MAX), Mutex::new(None));
        let of_chunk = |reader: &mut RowReader, made: &mut Vec<T>, chunk: usize| -> Result<[T; CHUNK]> {
            let start = rows.start + (chunk * CHUNK) as u64;
            let end = rows.end.min(start + CHUNK as u64);
            let piece = reader.read(self, start..end)?;
            made.clear();
            make(piece, made).map_err(|flaw| piece.refuse(&self.file, flaw))?;
            if let Ok(all) = <&[T; CHUNK]>::try_from(made.as_slice()) {
                return Ok(*all);
            }
            missing.fetch_add(end - start - made.len() as u64, Ordering::Relaxed);
            let mut some = [filler; CHUNK];
            some[..made.len()].copy_from_slice(made);
            Ok(some)
        };
        let of_chunk = |(reader, made): &mut (RowReader, Vec<T>), chunk: usize| {
            // chunks before a failed one are still made, so that any number of threads reports the first mistake
            if chunk as u64 > failed_chunk.load(Ordering::Relaxed) {
                return [filler; CHUNK];
            }
            of_chunk(reader, made, chunk).unwrap_or_else(|error| {
                let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                if (chunk as u64) < failed_chunk.fetch_min(chunk as u64, Ordering::Relaxed) {
                    *failure = Some(error);
                }
                [filler; CHUNK]
            })
        };
        let chunks = (0..chunks).into_par_iter().with_min_len(LEAST_CHUNKS);
        chunks.map_init(|| (RowReader::default(), Vec::with_capacity(CHUNK)), of_chunk).collect_into_vec(items);
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(missing.into_inner()), Err)
    }

    /// Reads all rows on all threads, `rows` for each of the `slots`, and joins the results of `take`; `None` if `take`
    /// returns `None` or a read fails.
    pub(crate) fn fill<T: Send, R: Send>(
        &self,
        rows: u64,
        slots: Vec<T>,
        take: impl Fn(&[u8], T) -> Option<R> + Sync,
        join: impl Fn(R, R) -> R + Sync,
    ) -> Option<R> {
        let filled = |reader: &mut RowReader, (index, slot): (usize, T)| {
            let piece = reader.read(self, self.part(index as u64, rows)).ok()?;
            take(&piece.bytes, slot)
        };
        let slots = slots.into_par_iter().enumerate().with_min_len(LEAST_CHUNKS);
        slots.map_init(RowReader::default, filled).try_reduce_with(|a, b| Some(join(a, b))).flatten()
    }

    /// The bytes of the first row, if they can be read.
    pub(crate) fn first(&self) -> Option<Vec<u8>> {
        let mut reader = RowReader::default();
        reader.read(self, 0..1).ok()?;
        Some(reader.piece.bytes)
    }

    fn rows_per_piece(&self) -> u64 {
        (PIECE / self.size).max(1) as u64
    }

    /// The rows of part `index`, if all parts have `rows` rows.
    fn part(&self, index: u64, rows: u64) -> Range<u64> {
        index * rows..self.rows.min((index + 1) * rows)
    }
}

#[derive(Debug)]
pub(crate) struct SharedRows {
    rows: FileRows,
    /// Idle readers.
    readers: Mutex<Vec<RowReader>>,
    /// End of the hinted range.
    told: AtomicU64,
}

impl SharedRows {
    pub(crate) fn new(rows: FileRows) -> Self {
        Self { rows, readers: Mutex::new(Vec::new()), told: AtomicU64::new(0) }
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows.rows
    }

    pub(crate) fn read<T>(&self, rows: Range<u64>, take: impl FnOnce(&[u8]) -> T) -> Result<T> {
        let readers = || self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let start = self.rows.start + rows.start * self.rows.size as u64;
        // prefer the reader whose last read ended here: the system reads ahead for it
        let reader = {
            let mut readers = readers();
            let place = readers.iter().position(|reader| reader.next == start);
            place.map(|place| readers.swap_remove(place)).or_else(|| readers.pop())
        };
        let mut reader = reader.unwrap_or_default();
        let taken = reader.read(&self.rows, rows).map(|piece| take(&piece.bytes));
        if let Some(file) = &reader.source {
            self.read_ahead(file, start);
        }
        readers().push(reader);
        taken
    }

    /// Hints to the system which bytes are needed soon: its own read-ahead does not detect threads that alternate.
    fn read_ahead(&self, file: &File, start: u64) {
        let told = self.told.load(Ordering::Relaxed);
        if told >= start + 2 * AHEAD {
            return;
        }
        let next = told.max(start);
        if self.told.compare_exchange(told, next + AHEAD, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            will_need(file, next, AHEAD);
        }
    }
}

/// Starts to read bytes of a file in the background, where the system can do that.
#[cfg(target_os = "linux")]
fn will_need(file: &File, start: u64, bytes: u64) {
    // only a hint: without it the bytes are read later
    let _ = rustix::fs::fadvise(file, start, std::num::NonZeroU64::new(bytes), rustix::fs::Advice::WillNeed);
}

#[cfg(not(target_os = "linux"))]
fn will_need(_: &File, _: u64, _: u64) {}

#[derive(Debug)]
struct RowReader {
    /// Opened on the first read.
    source: Option<File>,
    /// The byte after the last read.
    next: u64,
    /// The rows read last.
    piece: Piece,
}

impl Default for RowReader {
    fn default() -> Self {
        Self { source: None, next: 0, piece: Piece { bytes: Vec::new(), start: PiecePlace::Byte(0) } }
    }
}

impl RowReader {
    /// Reads rows; a reader always gets the same file.
    fn read(&mut self, file: &FileRows, rows: Range<u64>) -> Result<&Piece> {
        let start = file.start + rows.start * file.size as u64;
        let bytes = usize::try_from(rows.end - rows.start).expect("rows of a piece are in memory") * file.size;
        self.read_bytes(&file.path, start, bytes).map_err(|source| io_error(&file.file, source))?;
        self.piece.start = PiecePlace::Byte(start);
        Ok(&self.piece)
    }

    fn read_bytes(&mut self, path: &Path, start: u64, bytes: usize) -> io::Result<()> {
        let source = match &mut self.source {
            Some(source) => source,
            source => source.insert(File::open(path)?),
        };
        if self.next != start {
            source.seek(SeekFrom::Start(start))?;
        }
        self.next = start + bytes as u64;
        self.piece.bytes.resize(bytes, 0);
        source.read_exact(&mut self.piece.bytes)
    }
}
