//! Point clouds in PCD, as the Point Cloud Library writes them: text, binary, or binary compressed by LZF.
//!
//! Source: Point Cloud Library, "The PCD (Point Cloud Data) file format", version 0.7. Colours packed into `rgb` or
//! `rgba` become the column `color`; points with NaN coordinates are left out.

use super::reading::Reading;
use super::records::{self, FieldContent, FieldPlace, RecordColumn, TextRows, fill, with_color};
use super::scalar::{Endian, Scalar};
use super::wanted::{Field, Wanted};
use crate::data::{Kind, TablePart};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::source::input::Stream;
use crate::source::piece::{Flaw, Piece};
use crate::source::pieces::{Text, words};
use crate::source::until::Until;

/// The most numbers of a point.
const MOST_NUMBERS: usize = 1 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PcdEncoding {
    Ascii,
    Binary,
    Compressed,
}

#[derive(Debug)]
struct PcdHeader {
    numbers: Vec<(String, Scalar)>,
    points: u64,
    encoding: PcdEncoding,
    /// Index of the number with red, green and blue in its bytes.
    packed: Option<usize>,
}

pub(super) fn sniff(bytes: &[u8]) -> bool {
    let first =
        bytes.split(|&byte| byte == b'\n').find(|line| !line.starts_with(b"#") && !line.trim_ascii().is_empty());
    bytes.starts_with(b"# .PCD")
        || first.is_some_and(|line| {
            line.starts_with(b"VERSION ") && bytes.windows(8).take(200).any(|word| word == b"\nFIELDS ")
        })
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    reading.only_first_frame()?;
    let header = header(&mut text)?;
    let columns = columns(&header);
    reading.begin(records::header(&columns))?;
    let promised = format!("{}: the header promises {} points", text.file, header.points);
    reading.check_rows(header.points, || promised.clone())?;
    match header.encoding {
        PcdEncoding::Ascii => {
            let parse = |piece: &Piece, wanted: &Wanted, room: u64| ascii(piece, &header, &columns, wanted, room);
            reading.parse(&mut text, Until::Lines(header.points), &parse)?;
        }
        PcdEncoding::Binary => {
            text.begin_binary();
            records::read(&mut text, reading, &columns, &places(&header, 1), Endian::Little, header.points)?;
        }
        PcdEncoding::Compressed => {
            text.begin_binary();
            compressed(&mut text, reading, &header, &columns)?;
        }
    }
    if reading.records() < header.points {
        let (promised, read) = (header.points, reading.records());
        return Err(text.refuse(format!("the header promises {promised} points, but the file ends after {read}")));
    }
    Ok(())
}

fn header(text: &mut Text) -> Result<PcdHeader> {
    let (mut names, mut sizes, mut types, mut counts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut width, mut height, mut points) = (None, None, None);
    loop {
        let Some(line) = text.text_line()? else {
            return Err(text.refuse("the file ends in the middle of its header"));
        };
        let words: Vec<String> = line.split_ascii_whitespace().map(str::to_owned).collect();
        let Some((key, values)) = words.split_first() else { continue };
        let whole = || values.first().and_then(|value| value.parse::<u64>().ok());
        match key.as_str() {
            "FIELDS" | "COLUMNS" => names = values.to_vec(),
            "SIZE" => sizes = values.to_vec(),
            "TYPE" => types = values.to_vec(),
            "COUNT" => counts = values.to_vec(),
            "WIDTH" => width = whole(),
            "HEIGHT" => height = whole(),
            "POINTS" => points = whole(),
            "DATA" => {
                let encoding = match values.first().map(String::as_str) {
                    Some("ascii") => PcdEncoding::Ascii,
                    Some("binary") => PcdEncoding::Binary,
                    Some("binary_compressed") => PcdEncoding::Compressed,
                    _ => {
                        return Err(text.refuse(format!(
                            "must be ascii, binary or binary_compressed, got {:?}",
                            shortened(&line)
                        )));
                    }
                };
                let area = width.zip(height).and_then(|(width, height): (u64, u64)| width.checked_mul(height));
                let Some(points) = points.or(area).filter(|&points| points > 0) else {
                    return Err(text.refuse("the header must have the number of points, 1 or more"));
                };
                let numbers = numbers(&names, &sizes, &types, &counts).map_err(|message| text.refuse(message))?;
                let packed = numbers
                    .iter()
                    .position(|(name, scalar)| matches!(name.as_str(), "rgb" | "rgba") && scalar.size() == 4);
                return Ok(PcdHeader { numbers, points, encoding, packed });
            }
            _ => {}
        }
    }
}

fn numbers(
    names: &[String],
    sizes: &[String],
    types: &[String],
    counts: &[String],
) -> Result<Vec<(String, Scalar)>, String> {
    if names.is_empty() || sizes.len() != names.len() || types.len() != names.len() {
        return Err("the header must have FIELDS, and as many of SIZE and of TYPE".to_owned());
    }
    let mut numbers = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let (kind, size) = (types[place].as_str(), sizes[place].as_str());
        let scalar = size.parse().ok().and_then(|size| Scalar::of(kind, size));
        let scalar = scalar
            .ok_or_else(|| format!("the type {:?} of {:?} bytes is not read", shortened(kind), shortened(size)))?;
        let count = counts.get(place).map_or(Ok(1), |count| count.parse::<usize>());
        let count =
            count.ok().filter(|&count| count <= MOST_NUMBERS).ok_or("COUNT must be whole numbers up to 1024")?;
        for item in 0..count {
            let name = if count == 1 { name.clone() } else { format!("{name}{}", item + 1) };
            numbers.push((name, scalar));
        }
        if numbers.len() > MOST_NUMBERS {
            return Err(format!("a point may have {MOST_NUMBERS} numbers"));
        }
    }
    Ok(numbers)
}

/// The columns of the file, then the colour packed into one of them; its channels follow the file's numbers.
fn columns(header: &PcdHeader) -> Vec<RecordColumn> {
    let numbers = header.numbers.iter().enumerate();
    let own = numbers.map(|(index, (name, scalar))| RecordColumn::number(name.clone(), scalar.kind(), index));
    match header.packed {
        None => with_color(own.collect(), |index| header.numbers[index].1 == Scalar::U8),
        Some(packed) => {
            let first = header.numbers.len();
            let content = FieldContent::Color { channels: [first, first + 1, first + 2], alpha: None, full: 255.0 };
            let color = RecordColumn { field: Field::new("color", Kind::Color), content };
            let mut all: Vec<RecordColumn> = own.collect();
            // as a number it has no meaning
            all[packed].field.name = "packed_color".to_owned();
            all.push(color);
            all
        }
    }
}

/// The places of the numbers of a binary point, then of the channels of its colour, which is stored as blue, green,
/// red. Offsets are multiplied by `stride`: 1 for points row by row, or the number of points for columns.
fn places(header: &PcdHeader, stride: usize) -> Vec<FieldPlace> {
    let mut places = records::places(header.numbers.iter().map(|(_, scalar)| *scalar));
    places.iter_mut().for_each(|place| place.offset *= stride);
    if let Some(packed) = header.packed {
        let offset = places[packed].offset;
        places.extend([2, 1, 0].map(|byte| FieldPlace { scalar: Scalar::U8, offset: offset + byte }));
    }
    places
}

/// A channel of a colour packed into the bits of a number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "32 bits")]
fn channel(value: f64, scalar: Scalar, channel: usize) -> f64 {
    let bits = match scalar {
        Scalar::F32 => (value as f32).to_bits(),
        Scalar::I32 => (value as i32).cast_unsigned(),
        _ => value as u32,
    };
    f64::from((bits >> (16 - 8 * channel)) & 0xff)
}

fn ascii(
    piece: &Piece,
    header: &PcdHeader,
    columns: &[RecordColumn],
    wanted: &Wanted,
    room: u64,
) -> Result<TablePart, Flaw> {
    let width = header.numbers.len();
    let name = |index: usize| header.numbers[index].0.as_str();
    let rows = TextRows::parse(piece, width, |line| words(line).take(width), name)?;
    let number = |row: usize, index: usize| match (index.checked_sub(width), header.packed) {
        (Some(color), Some(packed)) => channel(rows.number(row, packed), header.numbers[packed].1, color),
        _ => rows.number(row, index),
    };
    rows.fill(columns, wanted, room, number)
}

/// Reads compressed points, which are stored column by column.
fn compressed(text: &mut Text, reading: &mut Reading<'_>, header: &PcdHeader, columns: &[RecordColumn]) -> Result<()> {
    let sizes = text.exactly(8, "the sizes of the points")?;
    let size = |at: usize| u32::from_le_bytes(*sizes[at..].first_chunk().expect("four bytes")) as usize;
    let (packed, unpacked) = (size(0), size(4));
    let row: usize = header.numbers.iter().map(|(_, scalar)| scalar.size()).sum();
    if header.points.checked_mul(row as u64) != Some(unpacked as u64) {
        let expected = header.points.saturating_mul(row as u64);
        return Err(text.refuse(format!("{} points take {expected} bytes, the file says {unpacked}", header.points)));
    }
    reading.check_held(unpacked as u64, 1, || format!("{}: the points unpacked", text.file))?;
    let bytes = text.exactly(packed, "the points")?;
    let Some(bytes) = decompressed(bytes, unpacked) else {
        return Err(text.refuse("the points are not compressed as they should be"));
    };
    let rows = usize::try_from(header.points).unwrap_or(usize::MAX);
    let firsts = places(header, rows);
    let number = |row: usize, index: usize| {
        let FieldPlace { scalar, offset } = firsts[index];
        let step = if index < header.numbers.len() { scalar.size() } else { 4 };
        scalar.read(&bytes[offset + row * step..], Endian::Little)
    };
    let wanted = reading.wanted_of_next(header.points);
    let part = fill(columns, &wanted, rows, u64::MAX, number).map_err(|bad| bad.error(&text.file, "point", 0))?;
    reading.push(part)
}

/// Decompresses LZF: runs of literal bytes, and references back. `None` unless the result has exactly `length` bytes.
///
/// Source: M. Lehmann, "LibLZF", `lzf_d.c` (the format).
fn decompressed(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    // a byte expands to 264 at most
    let mut all = Vec::with_capacity(length.min(bytes.len().saturating_mul(264)));
    let mut bytes = bytes.iter().copied();
    while let Some(control) = bytes.next() {
        let control = usize::from(control);
        if control < 32 {
            for _ in 0..=control {
                all.push(bytes.next()?);
            }
        } else {
            let mut run = control >> 5;
            if run == 7 {
                run += usize::from(bytes.next()?);
            }
            let back = ((control & 0x1f) << 8 | usize::from(bytes.next()?)) + 1;
            let from = all.len().checked_sub(back)?;
            for place in from..from + run + 2 {
                all.push(all[place]);
            }
        }
        if all.len() > length {
            return None;
        }
    }
    (all.len() == length).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_references_are_decompressed() {
        // "abc", then five bytes from three before
        assert_eq!(decompressed(&[2, b'a', b'b', b'c', 3 << 5, 2], 8).as_deref(), Some(&b"abcabcab"[..]));
        // a long run
        assert_eq!(decompressed(&[0, b'x', 7 << 5, 11, 0], 21).as_deref(), Some(&[b'x'; 21][..]));
        assert_eq!(decompressed(&[0, b'x', 1 << 5, 1], 4), None, "before the first");
        assert_eq!(decompressed(&[3, b'x'], 4), None, "cut short");
        assert_eq!(decompressed(&[0, b'x'], 4), None, "too few");
    }
}
