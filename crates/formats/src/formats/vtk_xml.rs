//! Points of VTK's XML files: polydata (`.vtp`) and unstructured grids (`.vtu`), and the arrays of their `PointData`.
//!
//! Source: Kitware, "VTK File Formats", XML formats, versions 0.1 to 2.2. Arrays are text, base64 in their elements, or
//! appended to the file as base64 or raw bytes; blocks may be compressed by zlib. The crate `quick-xml` reads the
//! elements, which all come before the appended data.

use std::borrow::Cow;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader as XmlReader;

use super::reading::Reading;
use super::scalar::{Endian, Scalar};
use super::vtk::{self, MOST_COLUMNS, VtkColumn};
use crate::data::Kind;
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::words;
use crate::source::seekable_file::SeekableFile;

pub(super) fn sniff(text: &str) -> bool {
    text.contains("<VTKFile")
}

/// The encoding of binary arrays.
#[derive(Clone, Copy, Debug)]
struct XmlEncoding {
    endian: Endian,
    /// Bytes of a number in the header of an array.
    word: usize,
    is_compressed: bool,
}

#[derive(Debug)]
struct XmlArray {
    name: String,
    scalar: Scalar,
    width: usize,
    content: XmlContent,
}

#[derive(Debug)]
enum XmlContent {
    Text(Vec<u8>),
    Base64(Vec<u8>),
    /// Offset in the appended data.
    Appended(usize),
}

/// A part of the data set.
#[derive(Debug, Default)]
struct XmlPiece {
    points: u64,
    positions: Option<XmlArray>,
    arrays: Vec<XmlArray>,
}

struct XmlFile<'a> {
    file: &'a str,
    encoding: XmlEncoding,
    pieces: Vec<XmlPiece>,
    appended: &'a [u8],
    /// Whether appended data is base64.
    is_text: bool,
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    reading.only_first_frame()?;
    let quota = stream.quota;
    let whole = SeekableFile::new(stream)?;
    let bytes = whole.bytes(0, quota.room(1).saturating_add(1))?;
    quota.check_memory(bytes.len() as u64, || format!("{}: all of its {} bytes are kept", whole.file, bytes.len()))?;
    let file = parse(&whole.file, &bytes)?;
    let points = file.pieces.iter().fold(0_u64, |sum, piece| sum.saturating_add(piece.points));
    if points == 0 {
        return Err(Error::input(file.file, None, "has no points"));
    }
    let mut columns: Vec<VtkColumn> = Vec::new();
    for piece in file.pieces.iter().filter(|piece| piece.points > 0) {
        let more = file.columns(piece, reading)?;
        if columns.is_empty() {
            columns = more;
            continue;
        }
        // pieces have the same arrays
        columns.retain(|column| more.iter().any(|other| other.name == column.name));
        for column in &mut columns {
            let other = more.iter().find(|other| other.name == column.name);
            column.values.extend(other.iter().flat_map(|other| &other.values));
        }
    }
    vtk::push(file.file, reading, points, &columns)
}

fn attribute<'a>(element: &'a BytesStart<'_>, name: &str) -> Option<Cow<'a, str>> {
    let found = element.attributes().flatten().find(|attribute| attribute.key.as_ref() == name)?;
    Some(Cow::Owned(found.value.into_owned()))
}

/// The appended data, from its element on, and whether it is base64.
fn appended(bytes: &[u8]) -> (&[u8], bool) {
    let Some(end) = memchr::memchr(b'>', bytes) else { return (&[], false) };
    let (element, content) = bytes.split_at(end);
    let appended = memchr::memchr(b'_', content).map_or(&[][..], |mark| &content[mark + 1..]);
    (appended, memchr::memmem::find(element, b"base64").is_some())
}

fn parse<'a>(file: &'a str, bytes: &'a [u8]) -> Result<XmlFile<'a>> {
    let refuse = |message: String| Error::input(file, None, message);
    let start = memchr::memmem::find(bytes, b"<AppendedData").unwrap_or(bytes.len());
    let (elements, rest) = bytes.split_at(start);
    let (appended, is_text) = appended(rest);
    let encoding = XmlEncoding { endian: Endian::Little, word: 4, is_compressed: false };
    let parsed = XmlFile { file, encoding, pieces: Vec::new(), appended, is_text };
    let mut parser = XmlParser { parsed, place: XmlPlace::Elsewhere, open: false };
    let mut xml = XmlReader::from_reader(elements);
    loop {
        match xml.read_event().map_err(|error| refuse(format!("not XML: {error}")))? {
            Event::Start(element) => parser.start(&element, true).map_err(refuse)?,
            Event::Empty(element) => parser.start(&element, false).map_err(refuse)?,
            Event::Text(text) if parser.open => parser.add(text.as_bytes()),
            Event::End(element) => match element.name().as_ref() {
                "Points" | "PointData" => parser.place = XmlPlace::Elsewhere,
                "DataArray" => parser.open = false,
                _ => {}
            },
            Event::Eof => return Ok(parser.parsed),
            _ => {}
        }
    }
}

struct XmlParser<'a> {
    parsed: XmlFile<'a>,
    place: XmlPlace,
    /// Whether text is the content of an array.
    open: bool,
}

impl XmlParser<'_> {
    /// Handles the start of an element.
    fn start(&mut self, element: &BytesStart<'_>, has_content: bool) -> Result<(), String> {
        let Self { parsed, place, open } = self;
        match element.name().as_ref() {
            "VTKFile" => parsed.encoding = encoding(element)?,
            "ImageData" | "RectilinearGrid" | "StructuredGrid" => {
                return Err("has no list of points; save it as polydata or as a table".to_owned());
            }
            "Piece" => {
                let points = attribute(element, "NumberOfPoints").and_then(|count| count.trim().parse().ok());
                let points = points.ok_or("a Piece must have NumberOfPoints")?;
                parsed.pieces.push(XmlPiece { points, ..XmlPiece::default() });
            }
            "Points" => *place = XmlPlace::Points,
            "PointData" => *place = XmlPlace::PointData,
            "DataArray" => {
                *open = false;
                if let (Some(piece), Some(array)) = (parsed.pieces.last_mut(), array(element)) {
                    *open = has_content && *place != XmlPlace::Elsewhere;
                    match place {
                        XmlPlace::Points => piece.positions = Some(array),
                        XmlPlace::PointData => piece.arrays.push(array),
                        XmlPlace::Elsewhere => {}
                    }
                }
            }
            // metadata of the array
            _ => *open = false,
        }
        Ok(())
    }

    /// Adds text to the current array.
    fn add(&mut self, text: &[u8]) {
        let piece = self.parsed.pieces.last_mut();
        let array = piece.and_then(|piece| match self.place {
            XmlPlace::Points => piece.positions.as_mut(),
            _ => piece.arrays.last_mut(),
        });
        if let Some(XmlArray { content: XmlContent::Text(known) | XmlContent::Base64(known), .. }) = array {
            known.extend_from_slice(text);
        }
    }
}

/// The element around an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum XmlPlace {
    Points,
    PointData,
    Elsewhere,
}

fn encoding(element: &BytesStart<'_>) -> Result<XmlEncoding, String> {
    let text = |name: &str| attribute(element, name).unwrap_or_default();
    let is_compressed = match &*text("compressor") {
        "" => false,
        "vtkZLibDataCompressor" => true,
        other => {
            return Err(format!("arrays compressed by {} are not read; zlib's and plain ones are", shortened(other)));
        }
    };
    let word = if text("header_type") == "UInt64" { 8 } else { 4 };
    let endian = if text("byte_order") == "BigEndian" { Endian::Big } else { Endian::Little };
    Ok(XmlEncoding { endian, word, is_compressed })
}

/// An array of numbers; `None` for other types.
fn array(element: &BytesStart<'_>) -> Option<XmlArray> {
    let text = |name: &str| attribute(element, name).unwrap_or_default();
    let scalar = match &*text("type") {
        "Int8" => Scalar::I8,
        "UInt8" => Scalar::U8,
        "Int16" => Scalar::I16,
        "UInt16" => Scalar::U16,
        "Int32" => Scalar::I32,
        "UInt32" => Scalar::U32,
        "Int64" => Scalar::I64,
        "UInt64" => Scalar::U64,
        "Float32" => Scalar::F32,
        "Float64" => Scalar::F64,
        _ => return None,
    };
    let content = match &*text("format") {
        "binary" => XmlContent::Base64(Vec::new()),
        "appended" => XmlContent::Appended(text("offset").trim().parse().ok()?),
        _ => XmlContent::Text(Vec::new()),
    };
    let width = text("NumberOfComponents").trim().parse().unwrap_or(1);
    let name = text("Name").into_owned();
    (width > 0 && width <= MOST_COLUMNS).then_some(XmlArray { name, scalar, width, content })
}

impl XmlFile<'_> {
    fn columns(&self, piece: &XmlPiece, reading: &Reading<'_>) -> Result<Vec<VtkColumn>> {
        let refuse = |message: String| Error::input(self.file, None, message);
        let Some(positions) = piece.positions.as_ref().filter(|array| array.width == 3) else {
            return Err(refuse("Points must have an array of three numbers a point".to_owned()));
        };
        let mut columns = Vec::new();
        for array in std::iter::once(positions).chain(&piece.arrays) {
            if columns.len() + array.width > MOST_COLUMNS {
                break;
            }
            let held = (columns.len() + array.width) as u64 * 8;
            reading.check_held(piece.points, held, || {
                format!("{}: the file promises {} points", self.file, piece.points)
            })?;
            let count = usize::try_from(piece.points).ok().and_then(|points| points.checked_mul(array.width));
            let count = count.ok_or_else(|| refuse("has too many points".to_owned()))?;
            let values = self
                .numbers(array, count)
                .map_err(|message| refuse(format!("the array {:?} {message}", shortened(&array.name))))?;
            let is_places = std::ptr::eq(array, positions);
            if is_places {
                let kind = if array.scalar == Scalar::F64 { Kind::F64 } else { Kind::F32 };
                let mut axes = vtk::columns_of("", kind, 3, &values);
                axes.iter_mut().zip(["x", "y", "z"]).for_each(|(axis, name)| name.clone_into(&mut axis.name));
                columns.extend(axes);
            } else {
                columns.extend(vtk::columns_of(&array.name, array.scalar.kind(), array.width, &values));
            }
        }
        Ok(columns)
    }

    fn numbers(&self, array: &XmlArray, count: usize) -> Result<Vec<f64>, String> {
        let size = array.scalar.size();
        let bytes = match &array.content {
            XmlContent::Text(text) => {
                let value = |word: &[u8]| {
                    let wrong = || format!("must be numbers, got {:?}", shortened(&String::from_utf8_lossy(word)));
                    number(word).ok_or_else(wrong)
                };
                let numbers: Vec<f64> = words(text).map(value).collect::<Result<_, _>>()?;
                if numbers.len() != count {
                    return Err(format!("must have {count} numbers, got {}", numbers.len()));
                }
                return Ok(numbers);
            }
            XmlContent::Base64(text) => self.block(&XmlBytes::Base64(text.trim_ascii()), count * size)?,
            XmlContent::Appended(at) => {
                let data = self.appended.get(*at..).ok_or("is behind the end of the file")?;
                let data = if self.is_text { XmlBytes::Base64(data) } else { XmlBytes::Raw(data) };
                self.block(&data, count * size)?
            }
        };
        if bytes.len() != count * size {
            return Err(format!("must have {} bytes, got {}", count * size, bytes.len()));
        }
        Ok(bytes.chunks_exact(size).map(|number| array.scalar.read(number, self.encoding.endian)).collect())
    }

    /// The bytes of an array after its header, at most `most`.
    fn block(&self, data: &XmlBytes<'_>, most: usize) -> Result<Vec<u8>, String> {
        let XmlEncoding { word, endian, is_compressed } = self.encoding;
        let number = |bytes: &[u8], at: usize| -> Result<usize, String> {
            let bytes = bytes.get(at * word..(at + 1) * word).ok_or("ends in its header")?;
            usize::try_from(endian.whole(bytes)).map_err(|_| "is too long".to_owned())
        };
        if !is_compressed {
            let length = number(&data.first(word)?, 0)?;
            if length > most {
                return Err(format!("must have {most} bytes, got {length}"));
            }
            return Ok(data.first(word + length)?.split_off(word));
        }
        let blocks = number(&data.first(word)?, 0)?;
        let head = blocks.checked_add(3).and_then(|words| words.checked_mul(word)).filter(|_| blocks <= most.max(1));
        let header = data.first(head.ok_or("has too many blocks")?)?;
        let mut at = 0_usize;
        let mut bytes = Vec::new();
        let body = data.behind(header.len())?;
        for block in 0..blocks {
            let length = number(&header, 3 + block)?;
            let packed = body.get(at..at.saturating_add(length)).ok_or("ends in a block")?;
            at += length;
            let room = (most - bytes.len()) as u64;
            ZlibDecoder::new(packed)
                .take(room.saturating_add(1))
                .read_to_end(&mut bytes)
                .map_err(|error| format!("is damaged: {error}"))?;
            if bytes.len() > most {
                return Err(format!("has more than {most} bytes"));
            }
        }
        Ok(bytes)
    }
}

/// The bytes of an array and all that follow.
enum XmlBytes<'a> {
    Raw(&'a [u8]),
    Base64(&'a [u8]),
}

impl XmlBytes<'_> {
    fn first(&self, count: usize) -> Result<Vec<u8>, String> {
        let short = || "is shorter than it says".to_owned();
        match self {
            Self::Raw(bytes) => Ok(bytes.get(..count).ok_or_else(short)?.to_vec()),
            Self::Base64(text) => {
                let mut bytes = decoded(text.get(..letters(count)).ok_or_else(short)?)?;
                if bytes.len() < count {
                    return Err(short());
                }
                bytes.truncate(count);
                Ok(bytes)
            }
        }
    }

    /// All bytes after a header, which is encoded separately.
    fn behind(&self, header: usize) -> Result<Cow<'_, [u8]>, String> {
        let short = || "is shorter than it says".to_owned();
        match self {
            Self::Raw(bytes) => Ok(Cow::Borrowed(bytes.get(header..).ok_or_else(short)?)),
            Self::Base64(text) => {
                let rest = text.get(letters(header)..).ok_or_else(short)?;
                // another array may follow
                let end = rest.iter().position(|&byte| byte == b'=' || byte == b'<' || byte.is_ascii_whitespace());
                let end = end.map_or(rest.len(), |end| end.div_ceil(4) * 4);
                decoded(rest.get(..end.min(rest.len())).unwrap_or_default()).map(Cow::Owned)
            }
        }
    }
}

/// The length in base64 of this many bytes.
fn letters(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}

fn decoded(text: &[u8]) -> Result<Vec<u8>, String> {
    STANDARD.decode(text).map_err(|error| format!("is no base64: {error}"))
}
