//! Members of ZIP archives, stored or deflated.
//!
//! Source: PKWARE, "APPNOTE.TXT, .ZIP File Format Specification", version 6.3: the directory at the end of the file
//! (4.3.12), its ends (4.3.14 to 4.3.16), and sizes of 64 bits (4.5.3). Archives in several files and encrypted members
//! are not read.
//!
//! The crate `zip` (9.8) borrows the archive for one member at a time. Rows are read from several members side by side,
//! so decoding and checksums would stay here, and six more crates would come for the directory alone.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::seekable_file::{Reader, SeekableFile};
use crate::error::{Error, Result};

/// First bytes of an archive.
pub(crate) const MARK: &[u8] = b"PK\x03\x04";

/// Signature and size of the end-of-directory record, without its comment.
const END: (&[u8], usize) = (b"PK\x05\x06", 22);

/// Signatures and sizes for ZIP64: the end record's locator, and the record.
const LOCATOR: (&[u8], usize) = (b"PK\x06\x07", 20);
const LARGE_END: (&[u8], usize) = (b"PK\x06\x06", 56);

/// Signatures and sizes of a directory entry and of a local file header.
const ENTRY: (&[u8], usize) = (b"PK\x01\x02", 46);
const LOCAL: (&[u8], usize) = (MARK, 30);

/// The longest comment of an archive.
const LONGEST_COMMENT: u64 = u16::MAX as u64;

const LARGEST_DIRECTORY: u64 = 1 << 24;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Decompressed size in bytes, from the directory.
    pub(crate) size: u64,
    /// 0 for stored, 8 for deflated.
    method: u16,
    encrypted: bool,
    /// Checksum of its content.
    checksum: u32,
    compressed: u64,
    /// Offset of its local header in the archive.
    start: u64,
}

/// The members of an archive, in the order of its directory.
pub(crate) fn members(archive: &SeekableFile) -> Result<Vec<Member>> {
    let wrong = |message: &str| Error::input(&archive.file, None, message.to_owned());
    let length = archive.length()?;
    let tail = (END.1 as u64 + LONGEST_COMMENT).min(length);
    let bytes = archive.bytes(length - tail, tail)?;
    let at = memchr::memmem::rfind(&bytes, END.0).filter(|at| bytes.len() - at >= END.1);
    let at = at.ok_or_else(|| wrong("the archive has no directory: the file is cut short"))?;
    let end = &bytes[at..];
    let (mut size, mut start) = (u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
    let end_place = length - tail + at as u64;
    if let Some(place) = end_place.checked_sub(LOCATOR.1 as u64) {
        let locator = archive.bytes(place, LOCATOR.1 as u64)?;
        if locator.starts_with(LOCATOR.0) {
            let large = archive.bytes(u64_at(&locator, 8), LARGE_END.1 as u64)?;
            if !large.starts_with(LARGE_END.0) || large.len() < LARGE_END.1 {
                return Err(wrong("the archive's directory is damaged"));
            }
            (size, start) = (u64_at(&large, 40), u64_at(&large, 48));
        }
    }
    if size > LARGEST_DIRECTORY {
        return Err(wrong("the archive's directory is larger than 16 MiB"));
    }
    let directory = archive.bytes(start, size)?;
    let mut members: Vec<Member> = Vec::new();
    let mut rest = directory.as_slice();
    while !rest.is_empty() {
        let (member, after) = entry(rest).ok_or_else(|| wrong("the archive's directory is damaged"))?;
        members.push(member);
        rest = after;
    }
    // members must not overlap: a few shared bytes could expand to any size
    let mut places: Vec<(u64, u64)> = members.iter().map(|member| (member.start, member.compressed)).collect();
    places.sort_unstable();
    let ends = places.iter().map(|(start, size)| start.saturating_add(LOCAL.1 as u64).saturating_add(*size));
    if ends.zip(&places[1.min(places.len())..]).any(|(end, (next, _))| end > *next) {
        return Err(wrong("members of the archive overlap"));
    }
    Ok(members)
}

/// The member of a directory entry, and the bytes after the entry.
fn entry(bytes: &[u8]) -> Option<(Member, &[u8])> {
    if !bytes.starts_with(ENTRY.0) || bytes.len() < ENTRY.1 {
        return None;
    }
    let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(bytes, at)));
    let rest = &bytes[ENTRY.1..];
    let (name, rest) = rest.split_at_checked(name)?;
    let (extra, rest) = rest.split_at_checked(extra)?;
    let (_, rest) = rest.split_at_checked(comment)?;
    let [compressed, size, start] = [20, 24, 42].map(|at| u64::from(u32_at(bytes, at)));
    // an extra field holds the numbers that do not fit into 32 bits, in this order
    let mut large = large_numbers(extra);
    let mut whole = |number: u64| if number == u64::from(u32::MAX) { large.next() } else { Some(number) };
    let member = Member {
        name: String::from_utf8_lossy(name).into_owned(),
        size: whole(size)?,
        method: u16_at(bytes, 10),
        encrypted: u16_at(bytes, 8) & 1 != 0,
        checksum: u32_at(bytes, 16),
        compressed: whole(compressed)?,
        start: whole(start)?,
    };
    Some((member, rest))
}

/// The numbers of 64 bits among the extra fields of an entry.
fn large_numbers(mut extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut numbers: &[u8] = &[];
    while extra.len() >= 4 {
        let (kind, size) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let Some((content, rest)) = extra[4..].split_at_checked(size) else { break };
        if kind == 1 {
            numbers = content;
        }
        extra = rest;
    }
    numbers.chunks_exact(8).map(|bytes| u64_at(bytes, 0))
}

/// Opens a member for reading, decompressed; a wrong checksum is an error at its end.
pub(crate) fn open(archive: &SeekableFile, member: &Member) -> Result<MemberReader> {
    let refuse = |what: &str| {
        Error::input(&archive.file, None, format!("{} {what}", crate::did_you_mean::shortened(&member.name)))
    };
    if member.encrypted {
        return Err(refuse("is encrypted"));
    }
    let mut reader = archive.reader();
    reader.seek(SeekFrom::Start(member.start)).map_err(|source| archive.io_error(source))?;
    let mut local = [0; LOCAL.1];
    let found = reader.read_exact(&mut local).is_ok() && local.starts_with(LOCAL.0);
    if !found {
        return Err(refuse("is not where the archive's directory has it"));
    }
    let names = i64::from(u16_at(&local, 26)) + i64::from(u16_at(&local, 28));
    reader.seek(SeekFrom::Current(names)).map_err(|source| archive.io_error(source))?;
    let bytes = reader.take(member.compressed);
    let decoder = match member.method {
        0 => MemberDecoder::Stored(bytes),
        8 => MemberDecoder::Deflated(DeflateDecoder::new(BufReader::with_capacity(1 << 14, bytes))),
        method => return Err(refuse(&format!("is compressed by method {method}; stored and deflated are read"))),
    };
    Ok(MemberReader { decoder, left: member.size, checksum: member.checksum, found: Crc::new() })
}

pub(crate) struct MemberReader {
    decoder: MemberDecoder,
    /// Bytes left.
    left: u64,
    checksum: u32,
    found: Crc,
}

enum MemberDecoder {
    Stored(Take<Reader>),
    Deflated(DeflateDecoder<BufReader<Take<Reader>>>),
}

impl Read for MemberReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let buffer = &mut buffer[..most];
        if buffer.is_empty() {
            return Ok(0);
        }
        let count = match &mut self.decoder {
            MemberDecoder::Stored(bytes) => bytes.read(buffer)?,
            MemberDecoder::Deflated(bytes) => bytes.read(buffer)?,
        };
        self.found.update(&buffer[..count]);
        self.left -= count as u64;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if self.left == 0 && self.found.sum() != self.checksum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum of a member of the archive is wrong"));
        }
        Ok(count)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
