//! Compressed files, recognized by their first bytes.

use std::io::{self, BufRead, BufReader, Read};

use bzip2::bufread::BzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
    Bzip2,
}

impl Compression {
    /// Recognizes a compression format by the first bytes of a file.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            // a frame, or a skippable frame
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, 0x41 | 0x72, ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// Whether builds without the feature `all-formats` decode it.
    pub(crate) fn is_basic(self) -> bool {
        self == Self::Gzip
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
        }
    }

    pub(crate) const EXTENSIONS: [&'static str; 3] = ["gz", "zst", "bz2"];

    pub(crate) fn decoder(self, file: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        match self {
            // a file often consists of several gzip members
            Self::Gzip => Box::new(flate2::read::MultiGzDecoder::new(file)),
            other if !other.is_basic() && !cfg!(feature = "all-formats") => Box::new(Absent(other)),
            Self::Bzip2 => Box::new(Bzip2 { member: Some(BzDecoder::new(BufReader::new(file))), members: 1, bytes: 0 }),
            Self::Zstd => {
                Box::new(Zstd { decoder: FrameDecoder::new(), source: BufReader::new(file), in_frame: false })
            }
        }
    }
}

/// A file whose compression this build does not decode.
struct Absent(Compression);

impl Read for Absent {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        let name = self.0.name();
        let message = format!("{name} is read by a roundel that is built with --features all-formats; this one is not");
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }
}

/// A bzip2 file with more members than this is refused if they hold fewer bytes than [`LEAST_MEMBER`] on average: the
/// decoder builds tables even for an empty member.
const MANY_MEMBERS: u64 = 4096;
const LEAST_MEMBER: u64 = 64;

/// All members of a bzip2 file, one after the other.
struct Bzip2<R> {
    member: Option<BzDecoder<BufReader<R>>>,
    members: u64,
    /// Decompressed so far.
    bytes: u64,
}

impl<R: Read> Read for Bzip2<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(current) = &mut self.member {
            let count = current.read(buffer)?;
            self.bytes += count as u64;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut source = self.member.take().map(BzDecoder::into_inner).ok_or(io::ErrorKind::Other)?;
            if !source.fill_buf()?.is_empty() {
                self.members += 1;
                if self.members > MANY_MEMBERS && self.bytes < LEAST_MEMBER * self.members {
                    let message = format!("{} members of bzip2 that hold next to nothing", self.members);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
                self.member = Some(BzDecoder::new(source));
            }
        }
        Ok(0)
    }
}

/// All frames of a zstd file, one after the other.
struct Zstd<R> {
    decoder: FrameDecoder,
    source: BufReader<R>,
    in_frame: bool,
}

impl<R: Read> Zstd<R> {
    /// Starts the next frame; false at the end of the file.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let length = u64::from(length);
                    if io::copy(&mut self.source.by_ref().take(length), &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
        Ok(false)
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wrong = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        loop {
            if !self.in_frame {
                self.in_frame = self.next_frame()?;
                if !self.in_frame {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)).map_err(wrong)?;
            }
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            self.in_frame = false;
            let stated = self.decoder.get_checksum_from_data();
            if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum of a zstd frame is wrong"));
            }
        }
    }
}
