//! Reads text line by line, or in pieces of whole lines that all threads parse at once; and binary files in pieces of
//! whole rows.
//!
//! One thread finds the lines, which is fast; the next batch of pieces is read and decompressed while the current one
//! is parsed. Results are returned in the order of the file.

use std::fs::File;
use std::io::{Read, Seek as _, SeekFrom};
use std::path::PathBuf;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::file_rows::FileRows;
use super::input::{ByteSource, Stream, io_error};
use super::piece::{Flaw, Piece, PiecePlace};
use super::until::Until;
use crate::error::{Error, Result};

/// Bytes of a piece: a piece and its rows fit a core's cache, and parse in a millisecond or less.
const PIECE: usize = 1 << 18;

/// Pieces of a batch for each thread: enough to keep all threads busy until its end.
const PIECES_PER_THREAD: usize = 8;

/// Most pieces of a batch: two batches are in memory at a time, 48 MiB.
const MOST_PIECES: usize = 96;

/// The longest line that is read, in bytes. No supported file needs longer ones.
const LONGEST_LINE: usize = 1 << 20;

/// Most bytes of 0 in a text: a few may stand in a title or a comment.
const MOST_ZEROS: usize = 4096;

/// A file that is read from its beginning to its end.
pub(crate) struct Text {
    pub(crate) file: String,
    reader: Box<dyn Read + Send>,
    /// The file that holds the same bytes, for random access; `None` for standard input and compressed files.
    pub(super) again: Option<ByteSource>,
    /// Bytes read; those from `start` on are not yet returned.
    pending: Vec<u8>,
    start: usize,
    /// Bytes of the file before `pending`.
    passed: u64,
    /// Pieces are binary: positions are counted in bytes instead of lines.
    binary: bool,
    lines: u64,
    /// Bytes of 0 in the lines returned.
    zeros: usize,
    /// The line returned last, without its end, while it is pending.
    last: (usize, usize),
    /// The whole file has been read.
    ended: bool,
}

/// The start of each line of a text, and the line without its end.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let at = start;
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr(b'\n', rest).map_or(text.len(), |end| at + end);
        start = end + 1;
        Some((at, without_end(&text[at..end])))
    })
}

/// The words of a text, separated by blanks.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

impl Text {
    pub(crate) fn new(stream: Stream) -> Self {
        let Stream { name: file, head: pending, rest: reader, again, .. } = stream;
        Self {
            file,
            reader,
            again,
            pending,
            start: 0,
            passed: 0,
            binary: false,
            lines: 0,
            zeros: 0,
            last: (0, 0),
            ended: false,
        }
    }

    /// Treats the rest of the file as binary: messages name bytes instead of lines.
    pub(crate) fn begin_binary(&mut self) {
        self.binary = true;
    }

    /// The next line without its end; `None` at the end of the file.
    pub(crate) fn line(&mut self) -> Result<Option<&[u8]>> {
        let Some((start, end)) = self.next_line()? else { return Ok(None) };
        self.start = end;
        self.lines += 1;
        self.last = (start, end);
        self.count_zeros(memchr::memchr_iter(0, &self.pending[start..end]).count())?;
        Ok(Some(self.last()))
    }

    /// The next line as text; `None` at the end of the file.
    pub(crate) fn text_line(&mut self) -> Result<Option<String>> {
        Ok(self.line()?.map(|line| String::from_utf8_lossy(line).into_owned()))
    }

    /// The line last returned by [`Text::line`], until something else is read.
    pub(crate) fn last(&self) -> &[u8] {
        let (start, end) = self.last;
        without_end(&self.pending[start..end])
    }

    /// The line that [`Text::line`] returns next.
    pub(crate) fn peek(&mut self) -> Result<Option<&[u8]>> {
        let next = self.next_line()?;
        Ok(next.map(|(start, end)| without_end(&self.pending[start..end])))
    }

    /// The line that [`Text::text_line`] returns next; empty at the end of the file.
    pub(crate) fn peek_text(&mut self) -> Result<String> {
        Ok(self.peek()?.map(|line| String::from_utf8_lossy(line).into_owned()).unwrap_or_default())
    }

    /// The number of the line returned last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.lines
    }

    /// An error at the line returned last, or at the next byte of a binary file.
    pub(crate) fn refuse(&self, message: impl Into<String>) -> Error {
        let place =
            if self.binary { PiecePlace::Byte(self.passed + self.start as u64) } else { PiecePlace::Line(self.lines) };
        place.refuse(&self.file, message.into())
    }

    /// Returns exactly `count` bytes; `what` names them in the message if the file ends before.
    pub(crate) fn exactly(&mut self, count: usize, what: &str) -> Result<&[u8]> {
        /// Bytes read at a time, so that a wrong count in a file allocates no memory.
        const STEP: usize = 1 << 20;
        while self.ahead().len() < count && !self.ended {
            let more = (count - self.ahead().len()).min(STEP);
            self.fill(self.ahead().len() + more)?;
        }
        if self.ahead().len() < count {
            let message =
                format!("the file ends in the middle of {what}: {count} bytes expected, got {}", self.ahead().len());
            let refused = self.refuse(message);
            self.start = self.pending.len();
            return Err(refused);
        }
        self.start += count;
        Ok(&self.pending[self.start - count..self.start])
    }

    /// Skips up to `count` bytes of a binary file; returns the number skipped.
    pub(crate) fn skip_bytes(&mut self, count: u64) -> Result<u64> {
        // seeking opens the file again, which does not pay for less
        if count > (self.ahead().len() + PIECE) as u64
            && let Some(bytes) = self.rows_of_file(count, 1)
        {
            self.jump(bytes.end())?;
            return Ok(bytes.rows);
        }
        let mut left = count;
        while left > 0 {
            if self.ahead().is_empty() {
                self.fill(PIECE)?;
            }
            let step = usize::try_from(left).unwrap_or(usize::MAX).min(self.ahead().len());
            if step == 0 {
                break;
            }
            self.start += step;
            left -= step as u64;
        }
        Ok(count - left)
    }

    /// The next rows of `size` bytes, up to `most`, if the file allows random access.
    pub(crate) fn rows_of_file(&self, most: u64, size: usize) -> Option<FileRows> {
        let Some(ByteSource::Disk(path)) = self.again.as_ref().filter(|_| self.binary) else { return None };
        FileRows::new(&self.file, path, self.passed + self.start as u64, most, size)
    }

    /// Seeks to a byte of a file that allows random access.
    pub(crate) fn jump(&mut self, byte: u64) -> Result<()> {
        let open = |path: &PathBuf| {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(byte)).map(|_| file)
        };
        self.reader = match &self.again {
            Some(ByteSource::Memory(file)) => Box::new(file.reader(byte)),
            Some(ByteSource::Disk(path)) => Box::new(open(path).map_err(|source| io_error(&self.file, source))?),
            None => return Ok(()),
        };
        self.pending.clear();
        (self.start, self.last, self.passed, self.ended) = (0, (0, 0), byte, false);
        Ok(())
    }

    /// Bytes and lines before the next one.
    pub(crate) fn place(&self) -> [u64; 2] {
        [self.passed + self.start as u64, self.lines]
    }

    /// Seeks to a place that [`Text::place`] returned for the same file.
    pub(crate) fn jump_to(&mut self, [byte, lines]: [u64; 2]) -> Result<()> {
        self.jump(byte)?;
        self.lines = lines;
        Ok(())
    }

    /// The bytes read ahead, from the next line on.
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.pending[self.start..]
    }

    /// Skips `bytes` pending bytes, which end with a line.
    pub(crate) fn pass(&mut self, bytes: usize) {
        self.lines += memchr::memchr_iter(b'\n', &self.ahead()[..bytes]).count() as u64;
        self.start += bytes;
    }

    /// Skips up to `lines` lines; returns the number skipped.
    pub(crate) fn skip(&mut self, lines: u64) -> Result<u64> {
        let mut left = lines;
        while left > 0 && self.next_line()?.is_some() {
            let most = usize::try_from(left).unwrap_or(usize::MAX);
            let (passed, end) = memchr::memchr_iter(b'\n', self.ahead())
                .take(most)
                .fold((0, 0), |(count, _), end| (count + 1, end + 1));
            // the last line may lack its end
            let (passed, end) = if passed == 0 { (1, self.ahead().len()) } else { (passed, end) };
            self.start += end;
            self.lines += passed;
            left -= passed;
        }
        Ok(lines - left)
    }

    /// The last line of a file that ends without a line break, once it has been passed.
    pub(crate) fn last_without_end(&self) -> Option<&[u8]> {
        let passed = &self.pending[..self.start];
        let is_last = self.ended && self.ahead().is_empty() && passed.last().is_some_and(|&last| last != b'\n');
        is_last.then(|| &passed[memchr::memrchr(b'\n', passed).map_or(0, |end| end + 1)..])
    }

    /// Skips lines before the first for which `stops` is true.
    pub(crate) fn skip_until(&mut self, stops: fn(&[u8]) -> bool) -> Result<()> {
        while self.peek()?.is_some_and(|line| !stops(line)) {
            self.line()?;
        }
        Ok(())
    }

    /// Whether nothing follows.
    pub(crate) fn is_at_end(&mut self) -> Result<bool> {
        if self.ahead().is_empty() {
            self.fill(PIECE)?;
        }
        Ok(self.ahead().is_empty())
    }

    /// Reads ahead until `least` bytes are pending, or the file ends.
    pub(crate) fn fill(&mut self, least: usize) -> Result<()> {
        if self.ahead().len() >= least || self.ended {
            return Ok(());
        }
        if self.start > 0 {
            self.passed += self.start as u64;
            self.pending.drain(..self.start);
            (self.start, self.last) = (0, (0, 0));
        }
        let missing = least - self.pending.len();
        self.pending.reserve(missing);
        let read = self.reader.by_ref().take(missing as u64).read_to_end(&mut self.pending);
        self.ended = read.map_err(|source| io_error(&self.file, source))? < missing;
        Ok(())
    }

    /// The range of the next line among the pending bytes, its end included.
    fn next_line(&mut self) -> Result<Option<(usize, usize)>> {
        loop {
            let ahead = self.ahead();
            if let Some(end) = memchr::memchr(b'\n', ahead) {
                return Ok(Some((self.start, self.start + end + 1)));
            }
            if self.ended {
                let end = self.pending.len();
                return Ok((self.start < end).then_some((self.start, end)));
            }
            self.check_line(ahead.len(), "a line")?;
            self.fill(ahead.len() + PIECE)?;
        }
    }

    /// Refuses what is no text: many formats skip lines that they do not know, and would read a device for ever.
    fn count_zeros(&mut self, more: usize) -> Result<()> {
        self.zeros += more;
        if self.zeros > MOST_ZEROS { Err(self.refuse("is no text: thousands of its bytes are 0")) } else { Ok(()) }
    }

    fn check_line(&self, length: usize, what: &str) -> Result<()> {
        if length <= LONGEST_LINE {
            return Ok(());
        }
        let message = format!("{what} is longer than 1 MiB");
        Err(io_error(&self.file, std::io::Error::new(std::io::ErrorKind::InvalidData, message)))
    }

    /// The next wanted lines, about [`PIECE`] bytes; `None` after the last.
    pub(crate) fn piece(&mut self, until: &mut Until) -> Result<Option<Piece>> {
        let mut size = match until {
            Until::Lines(0) | Until::Rows { left: 0, .. } => return Ok(None),
            Until::Rows { size, .. } => PIECE.max(*size),
            _ => PIECE,
        };
        loop {
            self.fill(size)?;
            if self.ahead().is_empty() {
                return Ok(None);
            }
            match until.cut(self.ahead(), self.ended).map_err(|quote| self.unclosed(quote))? {
                // the very next line is not wanted
                Some(0) => return Ok(None),
                Some(end) => {
                    let piece = self.take(end);
                    if !self.binary {
                        self.count_zeros(memchr::memchr_iter(0, &piece.bytes).count())?;
                    }
                    return Ok(Some(piece));
                }
                // less than a row, and the file ends
                None if self.binary => return Ok(None),
                None => {
                    let what = if matches!(until, Until::Records(_)) { "a line or a quoted field" } else { "a line" };
                    self.check_line(self.ahead().len(), what)?;
                    size = self.ahead().len() + PIECE;
                }
            }
        }
    }

    fn unclosed(&self, quote: usize) -> Error {
        let line = self.lines + memchr::memchr_iter(b'\n', &self.ahead()[..quote]).count() as u64 + 1;
        Error::input(&self.file, Some(line), "has a quote that nothing closes")
    }

    /// Returns the first `end` pending bytes.
    fn take(&mut self, end: usize) -> Piece {
        let passed = self.passed + self.start as u64;
        self.last = (0, 0);
        let bytes = if end < self.ahead().len() / 2 {
            // copy the shorter of the two parts
            self.start += end;
            self.pending[self.start - end..self.start].to_vec()
        } else {
            let end = self.start + end;
            let mut rest = Vec::with_capacity(PIECE.max(self.pending.len() - end));
            rest.extend_from_slice(&self.pending[end..]);
            let mut bytes = std::mem::replace(&mut self.pending, rest);
            bytes.truncate(end);
            bytes.drain(..self.start);
            self.passed += end as u64;
            self.start = 0;
            bytes
        };
        if self.binary {
            return Piece { bytes, start: PiecePlace::Byte(passed) };
        }
        let line = self.lines + 1;
        self.lines += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        if bytes.last().is_some_and(|&last| last != b'\n') {
            self.lines += 1;
        }
        Piece { bytes, start: PiecePlace::Line(line) }
    }

    /// The pieces of a batch, and the error that stopped it early.
    fn batch(&mut self, until: &mut Until, size: usize) -> (Vec<Piece>, Option<Error>) {
        let mut pieces = Vec::with_capacity(size);
        while pieces.len() < size {
            match self.piece(until) {
                Ok(Some(piece)) => pieces.push(piece),
                Ok(None) => break,
                Err(error) => return (pieces, Some(error)),
            }
        }
        (pieces, None)
    }

    /// Parses the lines up to an end on all threads, and takes the results in the order of the file.
    pub(crate) fn parse<T: Send>(
        &mut self,
        mut until: Until,
        parse: impl Fn(&Piece) -> Result<T, Flaw> + Sync,
        mut take: impl FnMut(&Piece, T) -> Result<()>,
    ) -> Result<()> {
        if let Until::Rows { left, size } = until
            && let Some(rows) = self.rows_of_file(left, size)
        {
            rows.parse(parse, take)?;
            return self.jump(rows.end());
        }
        let size = (PIECES_PER_THREAD * rayon::current_num_threads()).min(MOST_PIECES);
        // the first batch is small: enough for small files, and mistakes in large files are often early
        let (mut pieces, mut stopped) = self.batch(&mut until, rayon::current_num_threads().min(size));
        while !pieces.is_empty() || stopped.is_some() {
            let more = stopped.is_none();
            let next = || if more { self.batch(&mut until, size) } else { (Vec::new(), None) };
            let parsed = || pieces.par_iter().map(&parse).collect::<Vec<_>>();
            let (next, parsed) = rayon::join(next, parsed);
            for (piece, result) in pieces.iter().zip(parsed) {
                take(piece, result.map_err(|flaw| piece.refuse(&self.file, flaw))?)?;
            }
            if let Some(error) = stopped {
                return Err(error);
            }
            (pieces, stopped) = next;
        }
        Ok(())
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::budget::Budget;
    use crate::memory_quota::Quota;
    use crate::source::input::Input;

    fn text(bytes: impl Into<Vec<u8>>) -> Text {
        Text::new(Input::of_bytes(bytes, Quota::new(Budget::default())).expect("some bytes").text())
    }

    /// All results of a text, with the number of the first line of each piece.
    fn pieces(text: &mut Text, until: Until) -> Vec<(u64, String)> {
        let mut pieces = Vec::new();
        let copy = |piece: &Piece| Ok(String::from_utf8_lossy(&piece.bytes).into_owned());
        let take = |piece: &Piece, text| {
            let PiecePlace::Line(line) = piece.start else { panic!("a text") };
            pieces.push((line, text));
            Ok(())
        };
        text.parse(until, copy, take).expect("nothing is refused");
        pieces
    }

    #[test]
    fn pieces_are_the_text_in_order_with_their_lines() {
        let whole: String = (0..200_000).map(|line| format!("{line}\n")).collect();
        for end in ["", "last"] {
            let whole = format!("{whole}{end}");
            let pieces = pieces(&mut text(whole.clone()), Until::End);
            assert!(pieces.len() > 3);
            for (line, piece) in &pieces {
                assert_eq!(piece.lines().next(), Some(&*(line - 1).to_string()));
            }
            assert!(pieces.iter().map(|(_, piece)| piece.as_str()).collect::<String>() == whole);
        }
    }

    #[test]
    fn pieces_end_where_they_should() {
        let lines: String = (0..100_000).map(|line| format!("{line} abc\n")).collect();
        for count in [0, 1, 77, 60_000, 100_000, 100_001] {
            let mut text = text(lines.clone());
            let read: String = pieces(&mut text, Until::Lines(count)).into_iter().map(|(_, piece)| piece).collect();
            assert_eq!(read.lines().count() as u64, count.min(100_000));
            let next = text.line().expect("readable").map(|line| String::from_utf8_lossy(line).into_owned());
            assert_eq!(next, (count < 100_000).then(|| format!("{count} abc")));
        }
        let mut text = text(lines);
        let read: String = pieces(&mut text, Until::Line(|line| line.starts_with(b"50000")))
            .into_iter()
            .map(|(_, piece)| piece)
            .collect();
        assert_eq!(read.lines().count(), 50_000);
        assert_eq!(text.peek().expect("readable"), Some(&b"50000 abc"[..]));
    }

    #[test]
    fn lines_are_numbered_and_lose_their_ends() {
        let mut text = text("a\r\nb\n\nc");
        let mut lines = Vec::new();
        while let Some(line) = text.line().expect("readable") {
            lines.push(String::from_utf8_lossy(line).into_owned());
            assert_eq!(text.number(), lines.len() as u64);
        }
        assert_eq!(lines, ["a", "b", "", "c"]);
    }

    #[test]
    fn endless_bytes_that_are_no_text_are_refused() {
        struct Noise;
        impl std::io::Read for Noise {
            fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
                bytes.iter_mut().zip(0_u8..=255).for_each(|(to, byte)| *to = byte.wrapping_mul(77));
                Ok(bytes.len().min(256))
            }
        }
        let endless = || {
            let quota = Quota::new(Budget::default());
            Text::new(Stream { name: "t".to_owned(), head: Vec::new(), rest: Box::new(Noise), quota, again: None })
        };
        let refused = |error: Error| {
            let message = error.to_string();
            assert!(
                message.starts_with("t:") && message.ends_with(": is no text: thousands of its bytes are 0"),
                "{message}"
            );
        };
        let (mut lines, mut pieces) = (endless(), endless());
        refused((0..10_000).find_map(|_| lines.line().err()).expect("no text"));
        refused((0..10_000).find_map(|_| pieces.piece(&mut Until::End).err()).expect("no text"));
    }

    #[test]
    fn lines_without_end_are_refused() {
        let endless = || {
            let head = b"x".to_vec();
            let quota = Quota::new(Budget::default());
            Text::new(Stream { name: "t".to_owned(), head, rest: Box::new(io::repeat(b'x')), quota, again: None })
        };
        let message = "cannot read t: a line is longer than 1 MiB";
        assert_eq!(endless().line().expect_err("endless").to_string(), message);
        assert_eq!(endless().piece(&mut Until::End).expect_err("endless").to_string(), message);
    }

    #[test]
    fn mistakes_are_told_with_their_line_and_the_first_comes_first() {
        let whole: String = (0..200_000).map(|line| format!("{line}\n")).collect();
        let parse = |piece: &Piece| {
            let text = String::from_utf8_lossy(&piece.bytes).into_owned();
            match text.find("99999\n") {
                Some(at) => Err(Flaw { at, message: "must not be".to_owned() }),
                None => Ok(()),
            }
        };
        let error = text(whole).parse(Until::End, parse, |_, ()| Ok(())).expect_err("refused");
        assert_eq!(error.to_string(), "t:100000: must not be");
    }
}
