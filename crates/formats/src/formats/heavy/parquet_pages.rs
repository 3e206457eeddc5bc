//! The pages of a Parquet file, decompressed here rather than by the crate `parquet`: zstd without C, and memory that
//! is limited by a page's own bytes and the budget.

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{CompressionCodec, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use crate::error::Error;
use crate::source::seekable_file::{Reader, SeekableFile};

/// Bytes read at a time to find a page's header.
const HEADER: usize = 1 << 12;

/// The most bytes that a byte of Snappy or LZ4 expands to.
const LARGEST_RATIO: usize = 256;

/// A file with random access from any thread.
pub(super) struct Chunks {
    whole: SeekableFile,
    length: u64,
}

impl Chunks {
    pub(super) fn new(whole: SeekableFile) -> Result<Self, Error> {
        Ok(Self { length: whole.length()?, whole })
    }

    fn reader(&self, start: u64) -> Result<Reader> {
        let mut reader = self.whole.reader();
        reader.seek(SeekFrom::Start(start))?;
        Ok(reader)
    }
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Chunks {
    type T = BufReader<Reader>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::with_capacity(HEADER, self.reader(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let end = start.checked_add(length as u64).filter(|&end| end <= self.length);
        if end.is_none() {
            return Err(wrong("the file is shorter than it says"));
        }
        let mut bytes = vec![0; length];
        self.reader(start)?.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// Whether pages with this compression are supported.
pub(super) fn is_read(codec: CompressionCodec) -> bool {
    use CompressionCodec as C;
    matches!(codec, C::UNCOMPRESSED | C::SNAPPY | C::GZIP | C::ZSTD | C::LZ4_RAW)
}

/// The pages of a column chunk.
pub(super) struct ParquetPages {
    inner: SerializedPageReader<Chunks>,
    codec: CompressionCodec,
    /// The most bytes of a page.
    most: usize,
    /// Whether values can be missing.
    has_levels: bool,
    /// Whether a dictionary has been read; without one the decoder panics.
    has_dictionary: bool,
}

impl ParquetPages {
    pub(super) fn new(chunks: &Arc<Chunks>, column: &ColumnChunkMetaData, rows: usize, most: usize) -> Result<Self> {
        let raw = column.clone().into_builder().set_compression_codec(CompressionCodec::UNCOMPRESSED).build()?;
        let inner = SerializedPageReader::new(Arc::clone(chunks), &raw, rows, None)?;
        let has_levels = column.column_descr().max_def_level() > 0;
        Ok(Self { inner, codec: column.compression_codec(), most, has_levels, has_dictionary: false })
    }

    fn page(&mut self, mut page: Page) -> Result<Page> {
        self.has_dictionary |= page.is_dictionary_page();
        let needs_dictionary = matches!(page.encoding(), Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY);
        if needs_dictionary && !self.has_dictionary {
            return Err(wrong("a page has no dictionary"));
        }
        match &mut page {
            Page::DictionaryPage { buf, num_values, .. } => {
                *buf = self.decompressed(buf)?;
                // the decoder allocates all values at once, and each has at least one byte
                if *num_values as usize > buf.len() {
                    return Err(wrong("a dictionary is shorter than it says"));
                }
            }
            Page::DataPage { buf, num_values, encoding, def_level_encoding, .. } => {
                *buf = self.decompressed(buf)?;
                if has_lengths(*encoding) {
                    let values = if self.has_levels { after_levels(buf, *def_level_encoding)? } else { buf };
                    check_lengths(values, *encoding, *num_values)?;
                }
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed,
                ..
            } => {
                let levels = (*def_levels_byte_len as usize).saturating_add(*rep_levels_byte_len as usize);
                let Some((levels, values)) = buf.split_at_checked(levels) else {
                    return Err(wrong("a page is shorter than its levels"));
                };
                let values =
                    if *is_compressed { self.decompressed(&buf.slice_ref(values))? } else { buf.slice_ref(values) };
                if has_lengths(*encoding) {
                    check_lengths(&values, *encoding, *num_values)?;
                }
                *buf = if levels.is_empty() { values } else { [levels, &values].concat().into() };
            }
        }
        Ok(page)
    }

    fn decompressed(&self, bytes: &Bytes) -> Result<Bytes> {
        let damaged = |error: &dyn std::fmt::Display| ParquetError::General(format!("a page is damaged: {error}"));
        let too_much = || wrong("a page has more bytes than the budget allows");
        let most = self.most.min(bytes.len().saturating_mul(LARGEST_RATIO));
        let limited = |decoder: &mut dyn Read| -> Result<Vec<u8>> {
            let mut all = Vec::new();
            let limit = self.most as u64;
            decoder.take(limit.saturating_add(1)).read_to_end(&mut all).map_err(|error| damaged(&error))?;
            if all.len() as u64 > limit { Err(too_much()) } else { Ok(all) }
        };
        // a page without values
        if bytes.is_empty() {
            return Ok(bytes.clone());
        }
        let all = match self.codec {
            CompressionCodec::UNCOMPRESSED => return Ok(bytes.clone()),
            CompressionCodec::SNAPPY => {
                let size = snap::raw::decompress_len(bytes).map_err(|error| damaged(&error))?;
                if size > most {
                    return Err(too_much());
                }
                snap::raw::Decoder::new().decompress_vec(bytes).map_err(|error| damaged(&error))?
            }
            CompressionCodec::GZIP => limited(&mut flate2::read::MultiGzDecoder::new(&bytes[..]))?,
            CompressionCodec::ZSTD => {
                let decoder = ruzstd::decoding::StreamingDecoder::new(&bytes[..]);
                limited(&mut decoder.map_err(|error| damaged(&error))?)?
            }
            CompressionCodec::LZ4_RAW => {
                // the decompressed size is not stored
                let mut all = Vec::new();
                loop {
                    let size = (2 * all.len()).max(4 * bytes.len()).min(most);
                    let is_last = size <= all.len() || size == most;
                    all.resize(size, 0);
                    match lz4_flex::block::decompress_into(bytes, &mut all) {
                        Ok(size) => break all.truncate(size),
                        Err(lz4_flex::block::DecompressError::OutputTooSmall { .. }) if !is_last => {}
                        Err(error) => return Err(damaged(&error)),
                    }
                }
                all
            }
            codec => return Err(ParquetError::General(format!("{codec:?} is not read"))),
        };
        Ok(all.into())
    }
}

impl Iterator for ParquetPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for ParquetPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.inner.get_next_page()?;
        page.map(|page| self.page(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.inner.skip_next_page()
    }
}

fn has_lengths(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY)
}

/// The values of a page of the first version, after its definition levels.
fn after_levels(bytes: &[u8], encoding: Encoding) -> Result<&[u8]> {
    let after = |&size: &[u8; 4]| bytes.get(4..)?.get(u32::from_le_bytes(size) as usize..);
    let values = bytes.first_chunk().and_then(after).filter(|_| encoding == Encoding::RLE);
    values.ok_or_else(|| wrong("a page is shorter than its levels"))
}

/// Refuses more lengths than values: the decoder would allocate all of them at once.
fn check_lengths(bytes: &[u8], encoding: Encoding, values: u32) -> Result<()> {
    let few = |deltas: &Deltas<'_>| deltas.count <= u64::from(values);
    let lengths = Deltas::new(bytes).filter(few);
    // texts with shared prefixes: the lengths of prefixes, then the lengths of suffixes
    let is_plausible = match lengths {
        Some(lengths) if encoding == Encoding::DELTA_BYTE_ARRAY => {
            lengths.end().and_then(Deltas::new).is_some_and(|ends| few(&ends))
        }
        lengths => lengths.is_some(),
    };
    if is_plausible { Ok(()) } else { Err(wrong("a page has more lengths than texts")) }
}

/// Delta-encoded integers (`DELTA_BINARY_PACKED`): blocks of `parts` miniblocks with `each` values.
///
/// Source: Apache Parquet, "Parquet encoding definitions", delta encoding.
struct Deltas<'a> {
    count: u64,
    parts: usize,
    each: u64,
    blocks: &'a [u8],
}

impl<'a> Deltas<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let (block, rest) = number(bytes)?;
        let (parts, rest) = number(rest)?;
        let (count, rest) = number(rest)?;
        let (_, blocks) = number(rest)?;
        let each = block.checked_div(parts)?;
        Some(Self { count, parts: usize::try_from(parts).ok()?, each, blocks })
    }

    /// The bytes after the blocks.
    fn end(self) -> Option<&'a [u8]> {
        let mut bytes = self.blocks;
        let mut left = self.count.saturating_sub(1);
        while left > 0 && self.each > 0 {
            let (_, rest) = number(bytes)?;
            let (widths, rest) = rest.split_at_checked(self.parts)?;
            bytes = rest;
            for &width in widths {
                // miniblocks after the last number have no bytes
                if left == 0 {
                    break;
                }
                bytes = bytes.get(usize::try_from(self.each.checked_mul(u64::from(width))? / 8).ok()?..)?;
                left = left.saturating_sub(self.each);
            }
        }
        Some(bytes)
    }
}

/// A variable-length number with seven bits a byte, and the bytes after it.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (&byte, place) in bytes.iter().zip(0..10) {
        value |= u64::from(byte & 0x7f).checked_shl(7 * place)?;
        if byte < 0x80 {
            return bytes.get(place as usize + 1..).map(|rest| (value, rest));
        }
    }
    None
}

fn wrong(message: &str) -> ParquetError {
    ParquetError::General(message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_lengths_than_texts_are_refused() {
        // 128 numbers a block of 4 parts: three lengths, 5, 5 and 5
        let three = [128, 1, 4, 3, 10, 0, 0, 0, 0, 0];
        let deltas = Deltas::new(&three).expect("a header");
        assert_eq!((deltas.count, deltas.each), (3, 32));
        assert_eq!(deltas.end(), Some(&[][..]));
        let (lengths, both) = (Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY);
        check_lengths(&three, lengths, 3).expect("as many");
        check_lengths(&three, lengths, 2).expect_err("too many");
        check_lengths(&three, both, 3).expect_err("nothing behind");
        let twice = [three, three].concat();
        check_lengths(&twice, both, 3).expect("as many, twice");
        let huge = [&three[..], &[128, 1, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0]].concat();
        check_lengths(&huge, both, 3).expect_err("room for 2^42 lengths");
        assert!(number(&[0x80; 12]).is_none(), "a number without end");
    }
}
