//! Converts rows of numbers, as in PLY, NumPy's and raw files, to columns.

use super::reading::Reading;
use super::scalar::{Endian, Scalar};
use super::wanted::{Axes, Field, Header, Want, Wanted};
use crate::color::Srgba8;
use crate::data::{Kind, TablePart};
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::geom::single;
use crate::source::columns::{ColumnBuilder, PartBuilder, PositionsBuilder};
use crate::source::number::number;
use crate::source::piece::{Flaw, Piece};
use crate::source::pieces::{Text, lines};

/// The type and the place of a number in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldPlace {
    pub(super) scalar: Scalar,
    /// Bytes from the start of the row.
    pub(super) offset: usize,
}

/// A column of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordColumn {
    pub(super) field: Field,
    pub(super) content: FieldContent,
}

impl RecordColumn {
    /// A column of the numbers at this index.
    pub(super) fn number(name: impl Into<String>, kind: Kind, index: usize) -> Self {
        Self { field: Field::new(name, kind), content: FieldContent::Number(index) }
    }

    /// The indices of its numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> + use<> {
        let (numbers, alpha) = match self.content {
            FieldContent::Number(index) => (vec![index], None),
            FieldContent::Color { channels, alpha, .. } => (channels.to_vec(), alpha),
            FieldContent::Text(_) => (Vec::new(), None),
        };
        numbers.into_iter().chain(alpha)
    }
}

/// The header of a table of these columns, among which the caller finds the coordinates.
pub(super) fn header(columns: &[RecordColumn]) -> Header {
    let fields = columns.iter().map(|column| column.field.clone()).collect();
    Header { fields, has_positions: false, chains: None }
}

/// The indices of the numbers of a row that make up a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FieldContent {
    Number(usize),
    /// Red, green, blue and perhaps opacity, from 0 to `full`.
    Color {
        channels: [usize; 3],
        alpha: Option<usize>,
        full: f64,
    },
    /// The text at this index, which the reader itself decodes.
    Text(usize),
}

pub(super) struct BadRow {
    pub(super) row: usize,
    pub(super) message: String,
}

impl BadRow {
    /// The error for a row that follows `before` others; `what` names a row.
    pub(super) fn error(&self, file: &str, what: &str, before: u64) -> Error {
        Error::input(file, None, format!("{what} {}: {}", before + self.row as u64 + 1, self.message))
    }
}

/// Places of consecutive numbers.
pub(super) fn places(scalars: impl Iterator<Item = Scalar>) -> Vec<FieldPlace> {
    let mut offset = 0;
    let place = |scalar: Scalar| {
        offset += scalar.size();
        FieldPlace { scalar, offset: offset - scalar.size() }
    };
    scalars.map(place).collect()
}

/// Bytes of a row.
pub(super) fn row_size(places: &[FieldPlace]) -> usize {
    places.iter().map(|place| place.offset + place.scalar.size()).max().unwrap_or(1)
}

/// Reads up to `rows` rows of a binary file; `places` are all numbers of a row.
pub(super) fn read(
    text: &mut Text,
    reading: &mut Reading<'_>,
    columns: &[RecordColumn],
    places: &[FieldPlace],
    endian: Endian,
    rows: u64,
) -> Result<()> {
    let size = row_size(places);
    // fast paths: nearly all files have numbers of one type
    let all = |scalar| places.iter().all(|place| place.scalar == scalar);
    let (singles, doubles) = (all(Scalar::F32), all(Scalar::F64));
    let parse = |piece: &Piece, wanted: &Wanted, room: u64| {
        let rows = piece.bytes.len() / size;
        let filled = match endian {
            Endian::Little if singles => {
                let (numbers, width) = (piece.bytes.as_chunks().0, places.len());
                let number = |row: usize, index: usize| f64::from(f32::from_le_bytes(numbers[row * width + index]));
                fill(columns, wanted, rows, room, number)
            }
            Endian::Little if doubles => {
                let (numbers, width) = (piece.bytes.as_chunks().0, places.len());
                let number = |row: usize, index: usize| f64::from_le_bytes(numbers[row * width + index]);
                fill(columns, wanted, rows, room, number)
            }
            _ => {
                let number = |row: usize, index: usize| {
                    let FieldPlace { scalar, offset } = places[index];
                    scalar.read(&piece.bytes[row * size + offset..], endian)
                };
                fill(columns, wanted, rows, room, number)
            }
        };
        filled.map_err(|BadRow { row, message }| Flaw { at: row.saturating_mul(size).min(piece.bytes.len()), message })
    };
    let numbers = columns.iter().map(|column| match column.content {
        FieldContent::Number(index) => Some(index),
        FieldContent::Color { .. } | FieldContent::Text(_) => None,
    });
    let numbers: Option<Vec<_>> = (singles && endian == Endian::Little).then(|| numbers.collect());
    reading.parse_rows(text, rows, size, numbers.as_deref(), &parse)
}

/// The wanted columns of rows; `number` returns a number by row and index.
///
/// Rows with a NaN coordinate are left out; more than `room` of the others are an error.
pub(super) fn fill(
    columns: &[RecordColumn],
    wanted: &Wanted,
    rows: usize,
    room: u64,
    number: impl Fn(usize, usize) -> f64,
) -> Result<TablePart, BadRow> {
    fill_with(columns, wanted, rows, room, &number, |want| column(&columns[want.field], want, rows, &number))
}

/// Like [`fill`], with columns other than positions from `grow`.
pub(super) fn fill_with(
    columns: &[RecordColumn],
    wanted: &Wanted,
    rows: usize,
    room: u64,
    number: impl Fn(usize, usize) -> f64,
    grow: impl Fn(&Want) -> Result<ColumnBuilder, BadRow>,
) -> Result<TablePart, BadRow> {
    let axis = |field: usize| match columns[field].content {
        FieldContent::Number(index) => Ok(index),
        FieldContent::Color { .. } => {
            Err(BadRow { row: 0, message: format!("{} must be numbers, got colours", columns[field].field.name) })
        }
        FieldContent::Text(_) => {
            Err(BadRow { row: 0, message: format!("{} must be numbers, got text", columns[field].field.name) })
        }
    };
    let (positions, kept) = match wanted.axes {
        Axes::None | Axes::Own => (PositionsBuilder::Unknown(rows), None),
        Axes::Plane(axes) => {
            let numbers = [axis(axes[0])?, axis(axes[1])?];
            let Coordinates { places, kept } = coordinates(rows, |row| numbers.map(|index| number(row, index)))?;
            (PositionsBuilder::Plane(places), kept)
        }
        Axes::Space(axes) => {
            let numbers = [axis(axes[0])?, axis(axes[1])?, axis(axes[2])?];
            let Coordinates { places, kept } = coordinates(rows, |row| numbers.map(|index| number(row, index)))?;
            if let Some(row) = places.iter().position(|place| place.iter().any(|along| along.abs() > MOST)) {
                return Err(BadRow { row, message: OUT_OF_RANGE.to_owned() });
            }
            (PositionsBuilder::Space(places), kept)
        }
    };
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    let one_too_many = match &kept {
        Some(kept) => (0..rows).filter(|&row| kept[row]).nth(room),
        None => (rows > room).then_some(room),
    };
    if let Some(row) = one_too_many {
        return Err(BadRow { row, message: String::new() });
    }
    let filled: Result<Vec<ColumnBuilder>, BadRow> = wanted.columns.iter().map(grow).collect();
    let builder = PartBuilder { positions, columns: filled?, alternates: Vec::new(), unplaced: 0 };
    let mut part = builder.finish();
    if let Some(kept) = kept {
        part.unplaced = kept.iter().filter(|&&kept| !kept).count() as u64;
        part.block.retain(&kept);
    }
    Ok(part)
}

/// Rows of numbers in text, and the places where the rows begin.
pub(super) struct TextRows {
    width: usize,
    numbers: Vec<f64>,
    starts: Vec<usize>,
}

impl TextRows {
    /// Parses rows of `width` numbers; `words` splits a line into them, and `name` names one for messages.
    pub(super) fn parse<'p, 'n, W: Iterator<Item = &'p [u8]>>(
        piece: &'p Piece,
        width: usize,
        words: impl Fn(&'p [u8]) -> W,
        name: impl Fn(usize) -> &'n str,
    ) -> Result<Self, Flaw> {
        let (mut numbers, mut starts) = (Vec::new(), Vec::new());
        for (at, line) in lines(&piece.bytes) {
            starts.push(at);
            let before = numbers.len();
            for word in words(line) {
                let value = number(word).ok_or_else(|| {
                    let (name, found) = (name(numbers.len() - before), String::from_utf8_lossy(word));
                    Flaw { at, message: format!("{} must be a number, got {:?}", shortened(name), shortened(&found)) }
                })?;
                numbers.push(value);
            }
            let count = numbers.len() - before;
            if count < width {
                return Err(Flaw { at, message: format!("must have {width} numbers, got {count}") });
            }
        }
        Ok(Self { width, numbers, starts })
    }

    pub(super) fn number(&self, row: usize, index: usize) -> f64 {
        self.numbers[row * self.width + index]
    }

    /// Like [`fill`] for these rows.
    pub(super) fn fill(
        &self,
        columns: &[RecordColumn],
        wanted: &Wanted,
        room: u64,
        number: impl Fn(usize, usize) -> f64,
    ) -> Result<TablePart, Flaw> {
        fill(columns, wanted, self.starts.len(), room, number)
            .map_err(|BadRow { row, message }| Flaw { at: self.starts.get(row).copied().unwrap_or_default(), message })
    }
}

/// The greatest coordinate in space: what rounds to no greater `f32`.
const MOST: f64 = f32::MAX as f64;

const OUT_OF_RANGE: &str = "the position must be finite, and between -3.4e38 and 3.4e38";

/// The places of rows.
struct Coordinates<const N: usize> {
    places: Vec<[f64; N]>,
    /// If some rows have none: whether each row has one.
    kept: Option<Vec<bool>>,
}

/// The places of rows, which must be finite or missing.
fn coordinates<const N: usize>(rows: usize, place: impl Fn(usize) -> [f64; N]) -> Result<Coordinates<N>, BadRow> {
    let mut all_finite = true;
    let places: Vec<[f64; N]> = (0..rows)
        .map(|row| {
            let place = place(row);
            all_finite &= place.map(f64::is_finite) == [true; N];
            place
        })
        .collect();
    if all_finite {
        return Ok(Coordinates { places, kept: None });
    }
    let is = |place: &[f64; N], what: fn(f64) -> bool| place.iter().any(|&value| what(value));
    if let Some(row) = places.iter().position(|place| is(place, f64::is_infinite)) {
        return Err(BadRow { row, message: OUT_OF_RANGE.to_owned() });
    }
    let kept = places.iter().map(|place| !is(place, f64::is_nan)).collect();
    Ok(Coordinates { places, kept: Some(kept) })
}

pub(super) fn column(
    column: &RecordColumn,
    want: &Want,
    rows: usize,
    number: impl Fn(usize, usize) -> f64,
) -> Result<ColumnBuilder, BadRow> {
    match (column.content, want.kind) {
        (FieldContent::Number(index), Kind::F32) => {
            Ok(ColumnBuilder::F32((0..rows).map(|row| single(number(row, index))).collect()))
        }
        (FieldContent::Number(index), Kind::F64) => {
            Ok(ColumnBuilder::F64((0..rows).map(|row| number(row, index)).collect()))
        }
        (FieldContent::Color { channels, alpha, full }, Kind::Color) => {
            let color = |row| {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
                let channel = |index| (number(row, index) / full * 255.0).clamp(0.0, 255.0).round() as u8;
                let [r, g, b] = channels.map(channel);
                Srgba8 { r, g, b, a: alpha.map_or(255, channel) }
            };
            Ok(ColumnBuilder::Colors((0..rows).map(color).collect()))
        }
        // rare: whole numbers, and text for categories and descriptions
        (content, kind) => {
            let mut growing = ColumnBuilder::new(kind);
            for row in 0..rows {
                let text = match content {
                    FieldContent::Number(index) => number(row, index).to_string(),
                    FieldContent::Color { channels, .. } => {
                        channels.map(|index| number(row, index).to_string()).join(" ")
                    }
                    FieldContent::Text(_) => String::new(),
                };
                let text = if text == "NaN" { "" } else { &text };
                growing.push(text.as_bytes()).map_err(|accepted| BadRow {
                    row,
                    message: format!("{} must be {accepted}, got {text}", column.field.name),
                })?;
            }
            Ok(growing)
        }
    }
}

/// Adds a column of colours if there are columns of red, green and blue, and perhaps alpha, under one of these sets of
/// names, and all are bytes: numbers of other types show by their range what is full.
pub(super) fn with_color(mut columns: Vec<RecordColumn>, is_byte: impl Fn(usize) -> bool) -> Vec<RecordColumn> {
    let find = |name: &str| {
        let known = |column: &RecordColumn| column.field.name.eq_ignore_ascii_case(name);
        match columns.iter().find(|column| known(column))?.content {
            FieldContent::Number(index) => Some(index).filter(|index| is_byte(*index)),
            FieldContent::Color { .. } | FieldContent::Text(_) => None,
        }
    };
    let channels = [["red", "green", "blue"], ["diffuse_red", "diffuse_green", "diffuse_blue"], ["r", "g", "b"]];
    let found = channels.iter().find_map(|names| Some([find(names[0])?, find(names[1])?, find(names[2])?]));
    let Some(channels) = found else { return columns };
    let alpha = find("alpha").or_else(|| find("a"));
    let content = FieldContent::Color { channels, alpha, full: 255.0 };
    columns.push(RecordColumn { field: Field::new("color", Kind::Color), content });
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_a_place_are_left_out() {
        let field = |name: &str| Field::new(name, Kind::F32);
        let column = |name, index| RecordColumn { field: field(name), content: FieldContent::Number(index) };
        let columns = [column("x", 0), column("y", 1), column("q", 2)];
        let want = Want { field: 2, kind: Kind::F64, rule: crate::formats::wanted::ValueRule::Any };
        let wanted = Wanted { axes: Axes::Plane([0, 1]), columns: vec![want] };
        let numbers = [[1.0, 2.0, 3.0], [f64::NAN, 2.0, 4.0], [5.0, 6.0, f64::NAN]];
        let read = |room| fill(&columns, &wanted, 3, room, |row, index| numbers[row][index]);
        let Ok(part) = read(3) else { panic!("finite") };
        assert_eq!(part.block.plane(), [[1.0, 2.0], [5.0, 6.0]]);
        assert_eq!((part.unplaced, part.block.values[0].number(0)), (1, 3.0));
        assert_eq!(read(1).err().map(|bad| bad.row), Some(2), "the second row with a place");
        assert!(read(2).is_ok());
    }
}
