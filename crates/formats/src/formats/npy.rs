//! Arrays in NumPy's `.npy`: rows of coordinates and more, plain or structured.
//!
//! Source: "NEP 1, A Simple File Format for NumPy Arrays". The columns of a plain array of two axes are named x, y, z
//! and radius; the columns of a structured array have names. The first of three axes counts frames.

use super::reading::Reading;
use super::records::{self, FieldContent, FieldPlace, RecordColumn, with_color};
use super::scalar::{Endian, Scalar};
use super::wanted::Field;
use crate::data::Kind;
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::source::input::Stream;
use crate::source::pieces::Text;

/// The first bytes of every file.
const MARK: &[u8] = b"\x93NUMPY";

const LONGEST_HEADER: usize = 1 << 20;

pub(super) const MOST_NUMBERS: usize = 1 << 10;

/// Names of the columns of a plain array.
const NAMES: [&str; 4] = ["x", "y", "z", "radius"];

/// Names of the columns of a plain array of six or seven: points and their colours, with opacity.
const NAMES_OF_COLORED: [&str; 7] = ["x", "y", "z", "red", "green", "blue", "alpha"];

#[derive(Debug, PartialEq)]
struct NpyArray {
    endian: Endian,
    /// The first of three axes; 1 for other arrays.
    frames: u64,
    /// Rows of a frame.
    rows: u64,
    columns: Vec<RecordColumn>,
    places: Vec<FieldPlace>,
}

/// Whether a file is a NumPy array.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    // standard input and compressed files show their length at their end only
    let length = stream.file_length();
    let mut text = Text::new(stream);
    text.begin_binary();
    let mut head = 0;
    let header = header(|count| {
        head += count as u64;
        text.exactly(count, "the header").map(<[u8]>::to_vec)
    })?;
    let NpyArray { endian, frames, rows, columns, places } =
        header.and_then(|header| array(&header)).map_err(|message| Error::input(&text.file, None, message))?;
    let size = rows.saturating_mul(records::row_size(&places) as u64);
    let whole = length.map_or(u64::MAX, |length| length.saturating_sub(head) / size.max(1));
    let frames = reading.whole_frames(frames, whole)?;
    let frame = reading.extent.frame;
    reading.note_frames(frames);
    reading.begin(records::header(&columns))?;
    reading.check_rows(rows, || format!("{}: the header promises {rows} rows", text.file))?;
    let before = size.saturating_mul(frame);
    if text.skip_bytes(before)? < before {
        return Err(text.refuse(format!("the header promises {frames} frames, but the file ends before frame {frame}")));
    }
    let share = reading.share.map_or(0..rows, |share| share.rows(rows));
    let skipped = text.skip_bytes(share.start * records::row_size(&places) as u64)? / records::row_size(&places) as u64;
    records::read(&mut text, reading, &columns, &places, endian, share.end - share.start)?;
    let read = skipped + reading.records();
    if read < share.end {
        return Err(text.refuse(format!("the header promises {rows} rows, but the file ends after {read}")));
    }
    Ok(())
}

/// The text of a header; `take` returns its bytes in order. The inner error is a mistake in it.
pub(super) fn header(mut take: impl FnMut(usize) -> Result<Vec<u8>>) -> Result<Result<String, String>> {
    let start = take(8)?;
    if !sniff(&start) {
        return Ok(Err("not an array of NumPy's".to_owned()));
    }
    let length = if start[6] < 2 {
        let bytes = take(2)?;
        usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    } else {
        let bytes = take(4)?;
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
    };
    if length > LONGEST_HEADER {
        return Ok(Err(format!("a header of {length} bytes is not read; at most 1 MiB are")));
    }
    Ok(Ok(String::from_utf8_lossy(&take(length)?).into_owned()))
}

/// Whether a file with this head is no sequence of numbers row by row: a column-major array of two axes, or a structured array
/// with texts.
pub(super) fn is_no_stream(head: &[u8]) -> bool {
    let mut rest = head;
    let header = header(|count| {
        let (bytes, after) = rest.split_at_checked(count).ok_or_else(|| Error::input("", None, "cut short"))?;
        rest = after;
        Ok(bytes.to_vec())
    });
    let shaped = header.ok().and_then(Result::ok).and_then(|header| shaped(&header).ok());
    shaped.is_some_and(|Shaped { items, shape, by_column }| match items {
        NpyItems::Numbers(..) => by_column && shape.len() == 2,
        NpyItems::Rows(rows) => !rows.texts.is_empty(),
        NpyItems::Texts(_) => false,
    })
}

/// The types and the shape of an array.
#[derive(Debug, PartialEq)]
pub(super) struct Shaped {
    pub(super) items: NpyItems,
    pub(super) shape: Vec<u64>,
    /// Column-major (Fortran) order.
    pub(super) by_column: bool,
}

#[derive(Debug, PartialEq)]
pub(super) enum NpyItems {
    Numbers(Scalar, Endian),
    Rows(StructuredRows),
    Texts(TextItems),
}

impl NpyItems {
    /// Bytes of an item.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Numbers(scalar, _) => scalar.size(),
            Self::Rows(rows) => rows.size,
            Self::Texts(texts) => texts.size(),
        }
    }
}

/// The rows of a structured array: its named columns, and where their numbers and texts stand.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StructuredRows {
    pub(super) columns: Vec<RecordColumn>,
    pub(super) places: Vec<FieldPlace>,
    /// Each with its offset in bytes from the start of the row.
    pub(super) texts: Vec<(usize, TextItems)>,
    pub(super) endian: Endian,
    /// Bytes of a row.
    pub(super) size: usize,
}

/// Texts of a fixed length, filled up with zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TextItems {
    letters: usize,
    /// The byte order of letters of four bytes; `None` for letters of one byte.
    wide: Option<Endian>,
}

impl TextItems {
    /// Parses a type such as `<U2` or `|S4`.
    fn parse(descr: &str) -> Option<Self> {
        /// Letters of the longest text that is read.
        const MOST: usize = 1 << 12;
        let kind = descr.trim_start_matches(['<', '>', '|', '=']);
        let letters = kind.get(1..)?.parse().ok().filter(|letters| (1..=MOST).contains(letters))?;
        let endian = if descr.starts_with('>') { Endian::Big } else { Endian::Little };
        match kind.as_bytes()[0] {
            b'U' => Some(Self { letters, wide: Some(endian) }),
            b'S' | b'a' => Some(Self { letters, wide: None }),
            _ => None,
        }
    }

    /// Bytes of a text.
    pub(super) fn size(self) -> usize {
        self.letters * if self.wide.is_some() { 4 } else { 1 }
    }

    /// Decodes a text of [`TextItems::size`] bytes.
    pub(super) fn decode(self, bytes: &[u8]) -> String {
        let text = match self.wide {
            None => String::from_utf8_lossy(bytes).into_owned(),
            Some(endian) => {
                let letter = |bytes: &[u8]| {
                    let code = u32::try_from(endian.whole(bytes)).ok().and_then(char::from_u32);
                    code.unwrap_or(char::REPLACEMENT_CHARACTER)
                };
                bytes.chunks_exact(4).map(letter).collect()
            }
        };
        text.trim_end_matches('\0').to_owned()
    }
}

/// Parses the header: a Python dictionary with `descr`, `fortran_order` and `shape`.
pub(super) fn shaped(header: &str) -> Result<Shaped, String> {
    let descr = value_of(header, "descr").ok_or("the header has no descr")?;
    let by_column = value_of(header, "fortran_order") == Some("True");
    let shape = value_of(header, "shape").ok_or("the header has no shape")?;
    let shape: Option<Vec<u64>> = shape
        .trim_matches(['(', ')'])
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().ok())
        .collect();
    let shape = shape.ok_or("shape must be a tuple of whole numbers")?;
    let items = if descr.starts_with('[') {
        NpyItems::Rows(structured(descr)?)
    } else if let Some(texts) = TextItems::parse(descr) {
        NpyItems::Texts(texts)
    } else {
        let (scalar, endian) = scalar(descr)?;
        NpyItems::Numbers(scalar, endian)
    };
    Ok(Shaped { items, shape, by_column })
}

fn array(header: &str) -> Result<NpyArray, String> {
    let Shaped { items, shape, by_column } = shaped(header)?;
    if by_column && shape.len() > 1 {
        return Err("columns stand one after the other (fortran_order); save np.ascontiguousarray(array)".to_owned());
    }
    let array = match (items, shape.as_slice()) {
        (NpyItems::Rows(StructuredRows { columns, places, endian, .. }), &[rows]) => {
            NpyArray { endian, frames: 1, rows, columns, places }
        }
        (NpyItems::Rows(_), shape) => {
            return Err(format!("a structured array must have one axis, got shape {shape:?}"));
        }
        (NpyItems::Numbers(scalar, endian), &[rows, width]) => {
            let (columns, places) = plain(scalar, width).ok_or_else(|| wrong_width(&shape))?;
            NpyArray { endian, frames: 1, rows, columns, places }
        }
        (NpyItems::Numbers(scalar, endian), &[frames, rows, width]) => {
            let (columns, places) = plain(scalar, width).ok_or_else(|| wrong_width(&shape))?;
            NpyArray { endian, frames, rows, columns, places }
        }
        (NpyItems::Texts(_), _) => {
            return Err("texts alone are no rows; in an .npz, they may stand beside an array of positions".to_owned());
        }
        (NpyItems::Numbers(..), shape) => {
            return Err(format!(
                "the array must have two axes, rows and columns, or three, frames first, got shape {shape:?}"
            ));
        }
    };
    if array.rows == 0 || array.frames == 0 {
        return Err("the array has no rows".to_owned());
    }
    Ok(array)
}

fn wrong_width(shape: &[u64]) -> String {
    format!("a row must have from 2 to {MOST_NUMBERS} numbers, got shape {shape:?}")
}

/// The text of a key's value, up to the next comma outside brackets.
fn value_of<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let start = header.find(&format!("'{key}'"))?;
    let value = header[start..].split_once(':')?.1.trim_start();
    let mut depth = 0_i32;
    let mut quoted = false;
    for (at, letter) in value.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' | '}' if depth == 0 => return Some(value[..at].trim().trim_matches('\'')),
            _ => {}
        }
    }
    None
}

/// The columns of rows of `width` numbers of one type; `None` if there are too few or too many.
pub(super) fn plain(scalar: Scalar, width: u64) -> Option<(Vec<RecordColumn>, Vec<FieldPlace>)> {
    let width = usize::try_from(width).ok().filter(|width| (2..=MOST_NUMBERS).contains(width))?;
    let names = if matches!(width, 6 | 7) { &NAMES_OF_COLORED[..] } else { &NAMES[..] };
    let name =
        |index: usize| names.get(index).map_or_else(|| format!("column{}", index + 1), |name| (*name).to_owned());
    let column = |index| RecordColumn::number(name(index), scalar.kind(), index);
    let places = records::places(std::iter::repeat_n(scalar, width));
    Some((with_color((0..width).map(column).collect(), |_| scalar == Scalar::U8), places))
}

/// The columns of a structured array: `[('x', '<f4'), ('velocity', '<f8', (3,)), ('name', '<U8'), …]`.
fn structured(descr: &str) -> Result<StructuredRows, String> {
    let wrong = || format!("descr is not understood: {}", shortened(descr));
    let inner = descr.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).ok_or_else(wrong)?;
    let (mut columns, mut places, mut texts, mut size) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut order = None;
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (tuple, after) = tuple(rest).ok_or_else(wrong)?;
        rest = after.trim_start().trim_start_matches(',').trim_start();
        let (name, kind) = tuple.split_once(',').ok_or_else(wrong)?;
        let name = name.trim().trim_matches('\'');
        let (kind, shape) = kind.trim().split_once(',').unwrap_or((kind.trim(), ""));
        let kind = kind.trim().trim_matches('\'');
        if let Some(items) = TextItems::parse(kind).filter(|_| shape.trim().is_empty()) {
            let content = FieldContent::Text(texts.len());
            columns.push(RecordColumn { field: Field::new(name, Kind::Name), content });
            texts.push((size, items));
            size += items.size();
            continue;
        }
        let (scalar, endian) = scalar(kind)?;
        if scalar.size() > 1 && *order.get_or_insert(endian) != endian {
            return Err("numbers of both byte orders are in a row".to_owned());
        }
        let count = shape.trim().trim_matches(['(', ')']).split(',').map(str::trim).filter(|word| !word.is_empty());
        let count =
            count.map(|word| word.parse::<usize>().ok()).try_fold(1_usize, |all, count| all.checked_mul(count?));
        let count = count.filter(|count| (1..=MOST_NUMBERS).contains(count)).ok_or_else(wrong)?;
        for item in 0..count {
            let name = match (count, name) {
                (1, name) => name.to_owned(),
                (3, "position" | "positions" | "pos" | "xyz" | "center") => ["x", "y", "z"][item].to_owned(),
                (3, "velocity" | "velocities" | "vel") => ["vx", "vy", "vz"][item].to_owned(),
                (_, name) => format!("{name}{}", item + 1),
            };
            columns.push(RecordColumn::number(name, scalar.kind(), places.len()));
            places.push(FieldPlace { scalar, offset: size });
            size += scalar.size();
        }
        if places.len() + texts.len() > MOST_NUMBERS {
            return Err(format!("a row may have {MOST_NUMBERS} numbers and texts"));
        }
    }
    if places.is_empty() {
        return Err(wrong());
    }
    let columns = with_color(columns, |index| places[index].scalar == Scalar::U8);
    Ok(StructuredRows { columns, places, texts, endian: order.unwrap_or(Endian::Little), size })
}

/// The content of the tuple at the start of the text, and the text after it.
fn tuple(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    let mut depth = 1_i32;
    for (at, letter) in inner.char_indices() {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some((&inner[..at], &inner[at + 1..]));
        }
    }
    None
}

/// Parses a type such as `<f4`: byte order, kind, size.
fn scalar(descr: &str) -> Result<(Scalar, Endian), String> {
    let (endian, kind) = match descr.as_bytes() {
        [b'<' | b'|' | b'=', kind @ ..] => (Endian::Little, kind),
        [b'>', kind @ ..] => (Endian::Big, kind),
        kind => (Endian::Little, kind),
    };
    let scalar = match *kind {
        [b'b', b'1'] => Some(Scalar::U8),
        [b'i', size] => Scalar::of("I", usize::from(size.wrapping_sub(b'0'))),
        [b'u', size] => Scalar::of("U", usize::from(size.wrapping_sub(b'0'))),
        [b'f', size] => Scalar::of("F", usize::from(size.wrapping_sub(b'0'))),
        _ => None,
    };
    let accepted = "integers, float32 and float64 are read";
    let wrong = || format!("numbers of the type {:?} are not read; {accepted}", shortened(descr));
    Ok((scalar.ok_or_else(wrong)?, endian))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(array: &NpyArray) -> Vec<&str> {
        array.columns.iter().map(|column| column.field.name.as_str()).collect()
    }

    #[test]
    fn headers_of_plain_arrays_are_read() {
        let header = "{'descr': '>f8', 'fortran_order': False, 'shape': (7, 5), }          \n";
        let array = array(header).expect("a header");
        assert_eq!((array.rows, array.endian, array.places[4].offset), (7, Endian::Big, 32));
        assert_eq!(names(&array), ["x", "y", "z", "radius", "column5"]);
    }

    #[test]
    fn headers_of_structured_arrays_are_read() {
        let header = "{'descr': [('pos', '<f4', (3,)), ('r', '<f8'), ('red', '|u1'), ('green', '|u1'), ('blue', '|u1')], \
                      'fortran_order': False, 'shape': (2,), }";
        let array = array(header).expect("a header");
        assert_eq!(names(&array), ["x", "y", "z", "r", "red", "green", "blue", "color"]);
        assert_eq!(array.places[6], FieldPlace { scalar: Scalar::U8, offset: 22 });
        let rows = structured("[('name', '<U2'), ('pos', '<f8', (2,)), ('kind', '|S3')]").expect("columns");
        assert_eq!(
            rows.texts.iter().map(|(offset, items)| (*offset, items.size())).collect::<Vec<_>>(),
            [(0, 8), (24, 3)]
        );
        assert_eq!((rows.size, rows.places[1].offset), (27, 16));
    }

    #[test]
    fn headers_that_are_not_read_say_why() {
        for (header, part) in [
            ("{'descr': '<c16', 'fortran_order': False, 'shape': (7, 3), }", "\"<c16\""),
            ("{'descr': '<f4', 'fortran_order': True, 'shape': (7, 3), }", "ascontiguousarray"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }", "got shape [7]"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }", "no rows"),
            ("{'descr': [('x', '<f4'), 'fortran_order': False, 'shape': (7, 3), }", "no descr"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (7, 9999999999), }", "from 2 to 1024"),
        ] {
            let message = array(header).expect_err(header);
            assert!(message.contains(part), "{message}");
        }
    }
}
