//! Points in PLY: the properties of the element `vertex`, as text or binary in either byte order.
//!
//! Source: G. Turk, "The PLY Polygon File Format", 1994. Faces, other elements and lists of vertices are skipped; red,
//! green and blue make the column `color`. Lines of the header with unknown keywords count as comments, and a note says
//! so.

use super::reading::Reading;
use super::records::{self, RecordColumn, TextRows, fill, with_color};
use super::scalar::{Endian, Scalar};
use super::wanted::Wanted;
use crate::data::TablePart;
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::piece::{Flaw, Piece};
use crate::source::pieces::{Text, words};
use crate::source::until::Until;

/// The most properties of an element. No real file has more.
const MOST_PROPERTIES: usize = 1 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlyEncoding {
    Ascii,
    Binary(Endian),
}

/// An element: rows of the same properties.
#[derive(Clone, Debug, PartialEq)]
struct PlyElement {
    name: String,
    rows: u64,
    properties: Vec<PlyProperty>,
}

#[derive(Clone, Debug, PartialEq)]
struct PlyProperty {
    name: String,
    scalar: Scalar,
    /// The type of a list's length; `None` for a scalar.
    count: Option<Scalar>,
}

pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r\n") || bytes.starts_with(b"ply\r")
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    reading.only_first_frame()?;
    let (encoding, elements, ignored) = header(&mut text)?;
    if let Some(line) = ignored {
        let note = format!("{}:{line}: a line of the header that is no comment is passed over", text.file);
        reading.facts.notes.push(note);
    }
    if let PlyEncoding::Binary(_) = encoding {
        text.begin_binary();
    }
    for element in elements {
        if element.name == "vertex" {
            return vertices(&mut text, reading, encoding, &element);
        }
        match encoding {
            PlyEncoding::Ascii => drop(text.skip(element.rows)?),
            PlyEncoding::Binary(endian) => skip(&mut text, &element, endian)?,
        }
    }
    Err(Error::input(&text.file, None, "has no element vertex"))
}

/// A note on Gaussian splats, whose colours and shapes are not those of balls.
fn note_of_splats(file: &str, element: &PlyElement) -> Option<String> {
    let has = |name: &str| element.properties.iter().any(|property| property.name == name);
    let are_splats = ["f_dc_0", "opacity", "scale_0", "rot_0"].into_iter().all(has);
    are_splats.then(|| {
        format!(
            "{file}: these are Gaussian splats, drawn as balls at their centres without their colours (f_dc), opacities and \
             shapes (scale, rot); a viewer of splats, such as SuperSplat, draws them, and CloudCompare or 3dgsconverter writes \
             them as points with red, green and blue"
        )
    })
}

/// Reads the header: the encoding, the elements, and the number of the first unknown line.
fn header(text: &mut Text) -> Result<(PlyEncoding, Vec<PlyElement>, Option<u64>)> {
    let mut encoding = None;
    let mut ignored = None;
    let mut elements: Vec<PlyElement> = Vec::new();
    text.line()?;
    while let Some(line) = text.text_line()? {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            ["format", "ascii", _] => encoding = Some(PlyEncoding::Ascii),
            ["format", "binary_little_endian", _] => encoding = Some(PlyEncoding::Binary(Endian::Little)),
            ["format", "binary_big_endian", _] => encoding = Some(PlyEncoding::Binary(Endian::Big)),
            ["element", name, rows] => {
                let refuse = |_| text.refuse(format!("must be the number of rows, got {:?}", shortened(rows)));
                let rows = rows.parse().map_err(refuse)?;
                elements.push(PlyElement { name: (*name).to_owned(), rows, properties: Vec::new() });
            }
            ["property", kind, name] => push(text, &mut elements, None, kind, name)?,
            ["property", "list", count, kind, name] => push(text, &mut elements, Some(count), kind, name)?,
            ["end_header"] => {
                let encoding = encoding.ok_or_else(|| text.refuse("the header must name its format"))?;
                return Ok((encoding, elements, ignored));
            }
            ["comment" | "obj_info", ..] | [] => {}
            ["format" | "element" | "property", ..] => {
                let accepted = "format, element, property, comment or end_header";
                return Err(text.refuse(format!("must be {accepted}, got {:?}", shortened(line.trim()))));
            }
            _ => ignored = ignored.or_else(|| Some(text.number())),
        }
    }
    Err(text.refuse("the file ends in the middle of its header"))
}

fn push(text: &Text, elements: &mut [PlyElement], count: Option<&str>, kind: &str, name: &str) -> Result<()> {
    let scalar = |kind: &str| {
        scalar(kind).ok_or_else(|| {
            let types = "char, uchar, short, ushort, int, uint, float or double";
            text.refuse(format!("the type of a property must be {types}, got {:?}", shortened(kind)))
        })
    };
    let property = PlyProperty { name: name.to_owned(), scalar: scalar(kind)?, count: count.map(scalar).transpose()? };
    let Some(element) = elements.last_mut() else { return Err(text.refuse("a property must follow an element")) };
    element.properties.push(property);
    if element.properties.len() > MOST_PROPERTIES {
        return Err(text.refuse(format!("an element may have {MOST_PROPERTIES} properties")));
    }
    Ok(())
}

fn scalar(kind: &str) -> Option<Scalar> {
    Some(match kind {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        _ => return None,
    })
}

fn skip(text: &mut Text, element: &PlyElement, endian: Endian) -> Result<()> {
    let fixed: usize = element.properties.iter().map(|property| property.scalar.size()).sum();
    if element.properties.iter().all(|property| property.count.is_none()) {
        return text.skip_bytes(element.rows.saturating_mul(fixed as u64)).map(drop);
    }
    for _ in 0..element.rows {
        for property in &element.properties {
            let items = match property.count {
                None => 1.0,
                Some(count) => count.read(text.exactly(count.size(), "a list")?, endian),
            };
            skip_items(text, items, property.scalar)?;
        }
        if text.is_at_end()? {
            break;
        }
    }
    Ok(())
}

fn vertices(text: &mut Text, reading: &mut Reading<'_>, encoding: PlyEncoding, element: &PlyElement) -> Result<()> {
    reading.facts.notes.extend(note_of_splats(&text.file, element));
    let line = text.number();
    let PlyElement { rows, properties, .. } = element;
    if *rows == 0 {
        return Err(Error::input(&text.file, line, "the element vertex has no rows"));
    }
    let single: Vec<&PlyProperty> = properties.iter().filter(|property| property.count.is_none()).collect();
    let column = |(index, of): (usize, &&PlyProperty)| RecordColumn::number(of.name.clone(), of.scalar.kind(), index);
    let columns =
        with_color(single.iter().enumerate().map(column).collect(), |index| single[index].scalar == Scalar::U8);
    reading.begin(records::header(&columns))?;
    let promised = format!("{}: the header promises {rows} vertices", text.file);
    reading.check_rows(*rows, || promised.clone())?;
    match encoding {
        PlyEncoding::Ascii => {
            let parse = |piece: &Piece, wanted: &Wanted, room: u64| ascii(piece, properties, &columns, wanted, room);
            reading.parse(text, Until::Lines(*rows), &parse)?;
        }
        PlyEncoding::Binary(endian) if single.len() < properties.len() => {
            uneven(text, reading, properties, &columns, endian, *rows)?;
        }
        PlyEncoding::Binary(endian) => {
            let places = records::places(properties.iter().map(|property| property.scalar));
            records::read(text, reading, &columns, &places, endian, *rows)?;
        }
    }
    if reading.records() < *rows {
        let message = format!("the header promises {rows} vertices, but the file ends after {}", reading.records());
        return Err(text.refuse(message));
    }
    Ok(())
}

/// Reads vertices of a binary file with lists, which make rows of different sizes.
fn uneven(
    text: &mut Text,
    reading: &mut Reading<'_>,
    properties: &[PlyProperty],
    columns: &[RecordColumn],
    endian: Endian,
    rows: u64,
) -> Result<()> {
    /// Rows of a block.
    const ROWS: u64 = 1 << 16;
    let width = properties.iter().filter(|property| property.count.is_none()).count();
    let mut left = rows;
    while left > 0 && !text.is_at_end()? {
        let mut numbers = Vec::new();
        let mut count = 0;
        while count < left.min(ROWS) && !text.is_at_end()? {
            for property in properties {
                match property.count {
                    None => {
                        numbers.push(property.scalar.read(text.exactly(property.scalar.size(), "a vertex")?, endian))
                    }
                    Some(items) => {
                        let items = items.read(text.exactly(items.size(), "a list")?, endian);
                        skip_items(text, items, property.scalar)?;
                    }
                }
            }
            count += 1;
        }
        let wanted = reading.wanted_of_next(count);
        let number = |row: usize, index: usize| numbers[row * width + index];
        let block = usize::try_from(count).expect("a few");
        let part = fill(columns, &wanted, block, u64::MAX, number)
            .map_err(|bad| bad.error(&text.file, "vertex", reading.records()))?;
        reading.push(part)?;
        left -= count;
    }
    Ok(())
}

fn skip_items(text: &mut Text, items: f64, scalar: Scalar) -> Result<()> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a negative number is none")]
    text.skip_bytes((items as u64).saturating_mul(scalar.size() as u64)).map(drop)
}

fn ascii(
    piece: &Piece,
    properties: &[PlyProperty],
    columns: &[RecordColumn],
    wanted: &Wanted,
    room: u64,
) -> Result<TablePart, Flaw> {
    let single: Vec<&PlyProperty> = properties.iter().filter(|property| property.count.is_none()).collect();
    let name = |index: usize| single.get(index).map_or("a property", |property| property.name.as_str());
    let rows = TextRows::parse(piece, single.len(), |line| without_lists(words(line), properties), name)?;
    rows.fill(columns, wanted, room, |row, index| rows.number(row, index))
}

/// The words of a line without the lengths and items of lists.
fn without_lists<'a>(
    mut words: impl Iterator<Item = &'a [u8]>,
    properties: &[PlyProperty],
) -> impl Iterator<Item = &'a [u8]> {
    let mut properties = properties.iter();
    std::iter::from_fn(move || {
        loop {
            let property = properties.next()?;
            let word = words.next()?;
            if property.count.is_none() {
                return Some(word);
            }
            // the caller refuses a length that is not a number
            let Some(items) = number(word) else { return Some(word) };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
            for _ in 0..items as u64 {
                words.next()?;
            }
        }
    })
}
