//! MessagePack values, the container of BinaryCIF. Long values stay in the file until they are needed.
//!
//! Source: the specification of MessagePack, <https://github.com/msgpack/msgpack/blob/master/spec.md>.

use std::io::{self, BufReader, Read};

use rmp::Marker;

use super::seekable_file::{Reader, SeekableFile};
use crate::error::{Error, Result};

/// Deepest nesting of values.
const DEEPEST: usize = 32;

/// Most values of a file: BinaryCIF stores long lists of numbers as bytes.
const MOST_VALUES: usize = 1 << 20;

/// Texts of more bytes than this stay in the file.
const LONGEST_TEXT: u64 = 256;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PackedValue {
    Nil,
    Number(f64),
    Text(String),
    /// Bytes, or a long text.
    Bytes(ByteSpan),
    List(Vec<PackedValue>),
    Map(Vec<(String, PackedValue)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteSpan {
    pub(crate) start: u64,
    pub(crate) length: u64,
}

impl PackedValue {
    /// The value of a key; [`PackedValue::Nil`] if there is none.
    pub(crate) fn get(&self, key: &str) -> &Self {
        let Self::Map(entries) = self else { return &Self::Nil };
        entries.iter().find(|(known, _)| known == key).map_or(&Self::Nil, |(_, value)| value)
    }

    /// The values of a list; empty for other values.
    pub(crate) fn list(&self) -> &[Self] {
        if let Self::List(values) = self { values } else { &[] }
    }

    /// The text, if it is a short one.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// Reads the single value of a file.
pub(crate) fn read(file: &SeekableFile) -> Result<PackedValue> {
    let (reader, length) = (BufReader::with_capacity(1 << 16, file.reader()), file.length()?);
    let mut decoder = Decoder { reader, at: 0, length, values: 0 };
    decoder.value(0).map_err(|wrong| match wrong {
        Wrong::Io(source) => file.io_error(source),
        Wrong::Content(message) => Error::input(&file.file, None, format!("byte {}: {message}", decoder.at)),
    })
}

pub(crate) fn load(file: &SeekableFile, span: ByteSpan) -> Result<Vec<u8>> {
    let bytes = file.bytes(span.start, span.length)?;
    if (bytes.len() as u64) < span.length {
        return Err(Error::input(&file.file, None, format!("byte {}: the file has become shorter", span.start)));
    }
    Ok(bytes)
}

struct Decoder {
    reader: BufReader<Reader>,
    /// Bytes read.
    at: u64,
    /// Bytes of the file.
    length: u64,
    values: usize,
}

enum Wrong {
    Io(io::Error),
    Content(&'static str),
}

impl From<io::Error> for Wrong {
    fn from(source: io::Error) -> Self {
        Self::Io(source)
    }
}

impl Decoder {
    fn value(&mut self, depth: usize) -> Result<PackedValue, Wrong> {
        if depth > DEEPEST {
            return Err(Wrong::Content("values are nested more than 32 deep"));
        }
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(Wrong::Content("more than 2^20 values outside of arrays of bytes"));
        }
        let [first] = self.bytes()?;
        let marker = Marker::from_u8(first);
        let length = self.length(marker)?;
        Ok(match marker {
            Marker::Null => PackedValue::Nil,
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => self.string(length)?,
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => PackedValue::Bytes(self.span(length)?),
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                // the least size of the iterator is 0: a wrong length allocates no memory
                PackedValue::List((0..length).map(|_| self.value(depth + 1)).collect::<Result<_, _>>()?)
            }
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => self.map(length, depth)?,
            marker => PackedValue::Number(self.number(marker)?),
        })
    }

    /// The length of a text or of bytes, or the number of values in a list or a map; 0 for other values.
    fn length(&mut self, marker: Marker) -> Result<u64, Wrong> {
        Ok(match marker {
            Marker::FixStr(length) | Marker::FixArray(length) | Marker::FixMap(length) => length.into(),
            Marker::Str8 | Marker::Bin8 => u8::from_be_bytes(self.bytes()?).into(),
            Marker::Str16 | Marker::Bin16 | Marker::Array16 | Marker::Map16 => u16::from_be_bytes(self.bytes()?).into(),
            Marker::Str32 | Marker::Bin32 | Marker::Array32 | Marker::Map32 => u32::from_be_bytes(self.bytes()?).into(),
            _ => 0,
        })
    }

    fn number(&mut self, marker: Marker) -> Result<f64, Wrong> {
        Ok(match marker {
            Marker::False => 0.0,
            Marker::True => 1.0,
            Marker::FixPos(number) => number.into(),
            Marker::FixNeg(number) => number.into(),
            Marker::U8 => u8::from_be_bytes(self.bytes()?).into(),
            Marker::U16 => u16::from_be_bytes(self.bytes()?).into(),
            Marker::U32 => u32::from_be_bytes(self.bytes()?).into(),
            Marker::U64 => u64::from_be_bytes(self.bytes()?) as f64,
            Marker::I8 => i8::from_be_bytes(self.bytes()?).into(),
            Marker::I16 => i16::from_be_bytes(self.bytes()?).into(),
            Marker::I32 => i32::from_be_bytes(self.bytes()?).into(),
            Marker::I64 => i64::from_be_bytes(self.bytes()?) as f64,
            Marker::F32 => f32::from_be_bytes(self.bytes()?).into(),
            Marker::F64 => f64::from_be_bytes(self.bytes()?),
            _ => return Err(Wrong::Content("a value of a type that BinaryCIF does not use")),
        })
    }

    fn map(&mut self, count: u64, depth: usize) -> Result<PackedValue, Wrong> {
        let mut entries = Vec::new();
        for _ in 0..count {
            let PackedValue::Text(key) = self.value(depth + 1)? else {
                return Err(Wrong::Content("a key must be a short text"));
            };
            entries.push((key, self.value(depth + 1)?));
        }
        Ok(PackedValue::Map(entries))
    }

    fn string(&mut self, length: u64) -> Result<PackedValue, Wrong> {
        if length > LONGEST_TEXT {
            return Ok(PackedValue::Bytes(self.span(length)?));
        }
        let mut bytes = Vec::new();
        let found = self.reader.by_ref().take(length).read_to_end(&mut bytes)? as u64;
        self.at += found;
        if found < length { Err(CUT) } else { Ok(PackedValue::Text(String::from_utf8_lossy(&bytes).into_owned())) }
    }

    fn span(&mut self, length: u64) -> Result<ByteSpan, Wrong> {
        let span = ByteSpan { start: self.at, length };
        if self.length - self.at < length {
            return Err(CUT);
        }
        self.at += length;
        self.reader.seek_relative(i64::try_from(length).unwrap_or(i64::MAX))?;
        Ok(span)
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Wrong> {
        let mut bytes = [0; N];
        match self.reader.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(CUT),
            result => result?,
        }
        self.at += N as u64;
        Ok(bytes)
    }
}

const CUT: Wrong = Wrong::Content("the file ends in the middle of a value");
