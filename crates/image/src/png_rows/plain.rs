//! Rows of PNGs of 8-bit RGB and RGBA without anything that changes a pixel.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crc32fast::Hasher;
use fdeflate::Decompressor;

use super::PIXEL;
use super::unfilter::unfilter;
use crate::error::Error;
use crate::png::{SIGNATURE, undecodable, unreadable};

/// How far back a compressed stream refers.
const WINDOW: usize = 1 << 15;

/// Bytes of a chunk before and after its content: length and kind, checksum.
const HEAD: usize = 8;
const TAIL: usize = 4;

/// Kinds of chunks that do not change how a picture is read by us; unknown ones begin with a small letter.
fn changes_nothing(kind: [u8; 4]) -> bool {
    // transparency by colour, and animations
    kind[0].is_ascii_lowercase() && !matches!(&kind, b"tRNS" | b"acTL" | b"fcTL")
}

/// A file whose pixels are being decoded.
pub(super) struct PlainRows {
    file: BufReader<File>,
    /// Bytes of the chunk of pixels that have not been read.
    left: usize,
    checksum: Hasher,
    inflate: Box<Decompressor>,
    /// The last window of what was decompressed, and the rows with their filters that are decompressed next.
    inflated: Vec<u8>,
    /// How much of it is the window.
    window: usize,
    /// Samples of a pixel, 3 or 4.
    samples: usize,
    width: usize,
    /// The last row without its filter, and the rows after it.
    rows: Vec<u8>,
}

/// Why rows cannot be read.
pub(super) enum Failure {
    Io(io::Error),
    Corrupt(&'static str),
}

impl Failure {
    pub(super) fn of(self, path: &Path) -> Error {
        match self {
            Self::Io(source) => unreadable(path, source),
            Self::Corrupt(reason) => undecodable(path, reason),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(source: io::Error) -> Self {
        Self::Io(source)
    }
}

type Found<T> = Result<T, Failure>;

impl PlainRows {
    /// Reads up to the first pixels; `None` if the file is of another kind, or anything before the pixels is wrong.
    pub(super) fn open(mut file: BufReader<File>) -> io::Result<Option<Self>> {
        let mut signature = [0; SIGNATURE.len()];
        file.read_exact(&mut signature)?;
        let (length, kind) = head(&mut file)?;
        let mut header = [0; 13];
        if &kind != b"IHDR" || length != header.len() {
            return Ok(None);
        }
        file.read_exact(&mut header)?;
        let [w0, w1, w2, w3, _, _, _, _, depth, color, compression, filter, interlace] = header;
        let samples = match color {
            2 => 3,
            6 => 4,
            _ => return Ok(None),
        };
        if depth != 8 || compression != 0 || filter != 0 || interlace != 0 || !is_checked(&mut file, kind, &header)? {
            return Ok(None);
        }
        let left = loop {
            let (length, kind) = head(&mut file)?;
            if &kind == b"IDAT" {
                break length;
            }
            if !changes_nothing(kind) {
                return Ok(None);
            }
            skip(&mut file, length + TAIL)?;
        };
        let mut inflate = Box::new(Decompressor::new());
        // chunks have checksums of their own
        inflate.ignore_adler32();
        let width = u32::from_be_bytes([w0, w1, w2, w3]) as usize;
        Ok(Some(Self {
            file,
            left,
            checksum: begun(*b"IDAT"),
            inflate,
            inflated: Vec::new(),
            window: 0,
            samples,
            width,
            rows: vec![0; width * samples],
        }))
    }

    /// Fills whole rows of RGBA.
    pub(super) fn read(&mut self, rgba: &mut [u8]) -> Found<()> {
        let (length, count) = (self.width * self.samples, rgba.len() / (self.width * PIXEL));
        let end = self.window + count * (1 + length);
        if self.inflated.len() < end {
            self.inflated.resize(end, 0);
        }
        self.inflate(end)?;
        // the row above stays
        self.rows.resize((1 + count) * length, 0);
        let filtered = &self.inflated[self.window..end];
        for (row, filtered) in self.rows[length..].chunks_exact_mut(length).zip(filtered.chunks_exact(1 + length)) {
            row.copy_from_slice(&filtered[1..]);
        }
        let filters: Vec<u8> = filtered.iter().step_by(1 + length).copied().collect();
        let is_known = if self.samples == 4 {
            unfilter::<4>(&mut self.rows, length, &filters)
        } else {
            unfilter::<3>(&mut self.rows, length, &filters)
        };
        if !is_known {
            return Err(Failure::Corrupt("a row has an unknown filter"));
        }
        let rows = &self.rows[length..];
        if self.samples == 4 {
            rgba.copy_from_slice(rows);
        } else {
            let pixels = rgba.as_chunks_mut::<PIXEL>().0.iter_mut().zip(rows.as_chunks::<3>().0);
            pixels.for_each(|(pixel, &[r, g, b])| *pixel = [r, g, b, u8::MAX]);
        }
        self.rows.copy_within(count * length.., 0);
        let kept = end.min(WINDOW);
        self.inflated.copy_within(end - kept..end, 0);
        self.window = kept;
        Ok(())
    }

    /// Decompresses up to a place in `inflated`.
    fn inflate(&mut self, end: usize) -> Found<()> {
        let mut filled = self.window;
        while filled < end {
            while self.left == 0 {
                if &self.next_chunk()? != b"IDAT" {
                    return Err(Failure::Corrupt("its pixels end early"));
                }
            }
            let bytes = self.file.fill_buf()?;
            if bytes.is_empty() {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            let bytes = &bytes[..bytes.len().min(self.left)];
            let (read, written) = self
                .inflate
                .read(bytes, &mut self.inflated[..end], filled, false)
                .map_err(|_| Failure::Corrupt("its pixels cannot be decompressed"))?;
            if read == 0 && written == 0 {
                return Err(Failure::Corrupt("its pixels end early"));
            }
            self.checksum.update(&bytes[..read]);
            self.file.consume(read);
            self.left -= read;
            filled += written;
        }
        Ok(())
    }

    /// Ends a chunk and begins the next; returns its kind.
    fn next_chunk(&mut self) -> Found<[u8; 4]> {
        self.check()?;
        let (length, kind) = head(&mut self.file)?;
        (self.left, self.checksum) = (length, begun(kind));
        Ok(kind)
    }

    /// Reads the checksum of a chunk.
    fn check(&mut self) -> Found<()> {
        let mut stored = [0; TAIL];
        self.file.read_exact(&mut stored)?;
        let found = std::mem::take(&mut self.checksum).finalize();
        if u32::from_be_bytes(stored) == found { Ok(()) } else { Err(Failure::Corrupt("a checksum is wrong")) }
    }

    /// Reads on to the end mark, and checks the checksums on the way. Bytes after the last pixel are ignored, as libpng
    /// does.
    pub(super) fn finish(&mut self) -> Found<()> {
        let mut kind = *b"IDAT";
        loop {
            while self.left > 0 {
                let bytes = self.file.fill_buf()?;
                if bytes.is_empty() {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                }
                let read = bytes.len().min(self.left);
                self.checksum.update(&bytes[..read]);
                self.file.consume(read);
                self.left -= read;
            }
            if &kind == b"IEND" {
                return self.check();
            }
            kind = self.next_chunk()?;
        }
    }
}

/// The length and the kind of the next chunk.
fn head(file: &mut BufReader<File>) -> io::Result<(usize, [u8; 4])> {
    let mut head = [0; HEAD];
    file.read_exact(&mut head)?;
    let [l0, l1, l2, l3, kind @ ..] = head;
    Ok((u32::from_be_bytes([l0, l1, l2, l3]) as usize, kind))
}

/// A checksum that has seen the kind of its chunk.
fn begun(kind: [u8; 4]) -> Hasher {
    let mut checksum = Hasher::new();
    checksum.update(&kind);
    checksum
}

/// Reads the checksum of a chunk, and reports whether it is right.
fn is_checked(file: &mut BufReader<File>, kind: [u8; 4], content: &[u8]) -> io::Result<bool> {
    let mut stored = [0; TAIL];
    file.read_exact(&mut stored)?;
    let mut checksum = begun(kind);
    checksum.update(content);
    Ok(u32::from_be_bytes(stored) == checksum.finalize())
}

fn skip(file: &mut BufReader<File>, length: usize) -> io::Result<()> {
    let skipped = io::copy(&mut file.take(length as u64), &mut io::sink())?;
    if skipped == length as u64 { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
