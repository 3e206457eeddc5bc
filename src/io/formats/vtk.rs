//! Points of VTK's legacy files: `POINTS` of any data set, and the scalars, vectors and fields of `POINT_DATA`.
//!
//! Source: Kitware, "VTK File Formats", simple legacy formats, versions 2 to 5. Numbers are text, or binary with the highest byte
//! first. Cells are passed over.

use super::held_atoms::converted;
use super::reading::Reading;
use super::records::{self, RecordColumn, fill_with};
use super::scalar::{Endian, Scalar};
use super::wanted::Want;
use crate::data::Kind;
use crate::error::{Error, Result};
use crate::io::did_you_mean::shortened;
use crate::io::source::columns::GrowingColumn;
use crate::io::source::input::Stream;
use crate::io::source::number::number;
use crate::io::source::pieces::Text;

/// The most columns of a file.
pub(super) const MOST_COLUMNS: usize = 1 << 10;

/// Whether a file is VTK's legacy format.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"# vtk DataFile")
}

/// A column of numbers, one a point.
pub(super) struct VtkColumn {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) values: Vec<f64>,
}

/// The file as it is read.
struct VtkFile {
    text: Text,
    is_binary: bool,
    /// Words of a line of text that are not used yet, the last one first.
    words: Vec<String>,
}

impl VtkFile {
    fn refuse(&self, message: impl Into<String>) -> Error {
        self.text.refuse(message)
    }

    /// The words of the next line that has some; `None` at the end of the file.
    fn line(&mut self) -> Result<Option<Vec<String>>> {
        self.words.clear();
        while let Some(line) = self.text.line()? {
            let words: Vec<String> =
                String::from_utf8_lossy(line).split_ascii_whitespace().map(str::to_owned).collect();
            if !words.is_empty() {
                return Ok(Some(words));
            }
        }
        Ok(None)
    }

    /// This many numbers.
    fn numbers(&mut self, count: u64, scalar: Scalar) -> Result<Vec<f64>> {
        let mut numbers = Vec::new();
        self.each_number(count, scalar, |number| numbers.push(number))?;
        Ok(numbers)
    }

    fn each_number(&mut self, count: u64, scalar: Scalar, mut take: impl FnMut(f64)) -> Result<()> {
        /// Numbers that are read at a time.
        const STEP: u64 = 1 << 14;
        if self.is_binary {
            let size = scalar.size();
            let mut left = count;
            while left > 0 {
                let some = usize::try_from(left.min(STEP)).expect("a few");
                let bytes = self.text.exactly(some * size, "numbers")?;
                bytes.chunks_exact(size).for_each(|bytes| take(scalar.read(bytes, Endian::Big)));
                left -= some as u64;
            }
            return Ok(());
        }
        for _ in 0..count {
            if self.words.is_empty() {
                self.words = self.line()?.ok_or_else(|| self.refuse("the file ends in the middle of numbers"))?;
                self.words.reverse();
            }
            let word = self.words.pop().unwrap_or_default();
            take(
                number(word.as_bytes())
                    .ok_or_else(|| self.refuse(format!("must be a number, got {:?}", shortened(&word))))?,
            );
        }
        Ok(())
    }
}

/// The type of numbers of this name.
fn scalar(name: &str) -> Option<Scalar> {
    Some(match name.to_ascii_lowercase().as_str() {
        "char" | "signed_char" => Scalar::I8,
        "unsigned_char" => Scalar::U8,
        "short" => Scalar::I16,
        "unsigned_short" => Scalar::U16,
        "int" => Scalar::I32,
        "unsigned_int" => Scalar::U32,
        "long" | "vtktypeint64" | "vtkidtype" => Scalar::I64,
        "unsigned_long" | "vtktypeuint64" => Scalar::U64,
        "float" => Scalar::F32,
        "double" => Scalar::F64,
        _ => return None,
    })
}

/// Reads the points.
pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    reading.only_first_frame()?;
    let mut file = VtkFile { text: Text::new(stream), is_binary: false, words: Vec::new() };
    file.text.line()?;
    file.text.line()?;
    let encoding = file.line()?.unwrap_or_default();
    file.is_binary = match encoding.first().map(String::as_str) {
        Some("ASCII") => false,
        Some("BINARY") => true,
        _ => return Err(file.refuse("must be ASCII or BINARY")),
    };
    let mut columns: Vec<VtkColumn> = Vec::new();
    let (mut points, mut is_point_data) = (0, false);
    while let Some(words) = file.line()? {
        let word = |index: usize| words.get(index).map(String::as_str).unwrap_or_default();
        let whole = |index: usize| word(index).parse::<u64>().ok();
        let of_type = |file: &VtkFile, index: usize| {
            scalar(word(index))
                .ok_or_else(|| file.refuse(format!("numbers of the type {:?} are not read", shortened(word(index)))))
        };
        match word(0).to_ascii_uppercase().as_str() {
            "POINTS" => {
                let scalar = of_type(&file, 2)?;
                points = whole(1)
                    .filter(|&points| points > 0)
                    .ok_or_else(|| file.refuse("must be the number of points, 1 or more"))?;
                reading.check_held(points, 24, || format!("{}: the file promises {points} points", file.text.file))?;
                let (mut axes, mut axis) = ([Vec::new(), Vec::new(), Vec::new()], 0);
                file.each_number(points.saturating_mul(3), scalar, |number| {
                    axes[axis].push(number);
                    axis = (axis + 1) % 3;
                })?;
                let kind = if scalar == Scalar::F64 { Kind::F64 } else { Kind::F32 };
                columns.extend(["x", "y", "z"].into_iter().zip(axes).map(|(name, values)| VtkColumn {
                    name: name.to_owned(),
                    kind,
                    values,
                }));
            }
            "POINT_DATA" => is_point_data = whole(1) == Some(points),
            "CELL_DATA" => is_point_data = false,
            // number of cells, and of all their numbers; in version 5 of offsets and of points, each with a line of its own
            "VERTICES" | "LINES" | "POLYGONS" | "TRIANGLE_STRIPS" | "CELLS" => {
                let (first, second) = (whole(1).unwrap_or(0), whole(2).unwrap_or(0));
                let next = file.text.peek()?.unwrap_or_default();
                if next.starts_with(b"OFFSETS") {
                    for count in [first, second] {
                        let head = file.line()?.unwrap_or_default();
                        let scalar = scalar(head.get(1).map(String::as_str).unwrap_or_default()).unwrap_or(Scalar::I64);
                        file.each_number(count, scalar, drop)?;
                    }
                } else {
                    file.each_number(second, Scalar::I32, drop)?;
                }
            }
            "CELL_TYPES" => file.each_number(whole(1).unwrap_or(0), Scalar::I32, drop)?,
            "SCALARS" => {
                let (scalar, width) = (of_type(&file, 2)?, whole(3).unwrap_or(1));
                let name = word(1).to_owned();
                if file.text.peek()?.is_some_and(|line| line.starts_with(b"LOOKUP_TABLE")) {
                    file.line()?;
                }
                array(&mut file, reading, (&name, scalar, width), (points, is_point_data), &mut columns)?;
            }
            "VECTORS" | "NORMALS" => {
                let (name, scalar) = (word(1).to_owned(), of_type(&file, 2)?);
                array(&mut file, reading, (&name, scalar, 3), (points, is_point_data), &mut columns)?;
            }
            "FIELD" => {
                for _ in 0..whole(2).unwrap_or(0) {
                    let Some(head) = file.line()? else { break };
                    let part = |index: usize| head.get(index).map(String::as_str).unwrap_or_default();
                    let (width, rows) = (part(1).parse::<u64>().unwrap_or(0), part(2).parse::<u64>().unwrap_or(0));
                    let Some(scalar) = scalar(part(3)) else {
                        return Err(file.refuse(format!("arrays of the type {:?} are not read", shortened(part(3)))));
                    };
                    let is_wanted = is_point_data && rows == points;
                    array(&mut file, reading, (part(0), scalar, width), (rows, is_wanted), &mut columns)?;
                }
            }
            "COLOR_SCALARS" => {
                let (name, width) = (word(1).to_owned(), whole(2).unwrap_or(3));
                // bytes, or shares as text
                array(&mut file, reading, (&name, Scalar::U8, width), (points, is_point_data), &mut columns)?;
            }
            "LOOKUP_TABLE" => file.each_number(whole(2).unwrap_or(0).saturating_mul(4), Scalar::U8, drop)?,
            "METADATA" => while file.text.line()?.is_some_and(|line| !line.trim_ascii().is_empty()) {},
            "DATASET" if matches!(word(1), "STRUCTURED_POINTS" | "RECTILINEAR_GRID") => {
                return Err(
                    file.refuse(format!("{} has no list of points; save it as polydata or as a table", word(1)))
                );
            }
            _ => {}
        }
    }
    if columns.is_empty() {
        return Err(file.refuse("has no POINTS"));
    }
    push(&file.text.file, reading, points, &columns)
}

/// Reads an array of `rows` rows of numbers; keeps it if it belongs to points.
fn array(
    file: &mut VtkFile,
    reading: &Reading<'_>,
    (name, scalar, width): (&str, Scalar, u64),
    (rows, is_wanted): (u64, bool),
    columns: &mut Vec<VtkColumn>,
) -> Result<()> {
    let count = rows.saturating_mul(width);
    if !is_wanted || width == 0 || columns.len() as u64 + width > MOST_COLUMNS as u64 {
        return file.each_number(count, scalar, drop);
    }
    reading.check_held(count, 8 * (columns.len() as u64 + 1), || format!("{}: the arrays", file.text.file))?;
    let values = file.numbers(count, scalar)?;
    columns.extend(columns_of(name, scalar.kind(), usize::try_from(width).expect("few columns"), &values));
    Ok(())
}

/// The columns of an array with so many numbers a point.
pub(super) fn columns_of(name: &str, kind: Kind, step: usize, values: &[f64]) -> Vec<VtkColumn> {
    let column = |axis: usize| {
        let name = match (step, name) {
            (1, name) => name.to_owned(),
            (3, "velocity" | "velocities" | "Velocity" | "vel") => ["vx", "vy", "vz"][axis].to_owned(),
            (_, name) => format!("{name}{}", axis + 1),
        };
        VtkColumn { name, kind, values: values.iter().skip(axis).step_by(step).copied().collect() }
    };
    (0..step).map(column).collect()
}

/// Hands the columns over.
pub(super) fn push(file: &str, reading: &mut Reading<'_>, points: u64, columns: &[VtkColumn]) -> Result<()> {
    let numbered = columns.iter().enumerate();
    let named = numbered.map(|(index, column)| RecordColumn::number(column.name.clone(), column.kind, index));
    let records: Vec<RecordColumn> = named.collect();
    reading.begin(records::header(&records))?;
    reading.check_rows(points, || format!("{file}: the file has {points} points"))?;
    let wanted = reading.wanted_of_next(points);
    let rows = columns[0].values.len();
    let number = |row: usize, index: usize| columns[index].values[row];
    let grow = |want: &Want| {
        let column = &columns[want.field];
        converted(&GrowingColumn::F64(column.values.clone()), &column.name, want, rows)
    };
    let part = fill_with(&records, &wanted, rows, u64::MAX, number, grow)
        .map_err(|bad| Error::input(file, None, format!("point {}: {}", bad.row + 1, bad.message)))?;
    reading.push(part)
}
