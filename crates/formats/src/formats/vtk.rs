//! Points of VTK's legacy files: `POINTS` of any data set, and the scalars, vectors and fields of `POINT_DATA`.
//!
//! Source: Kitware, "VTK File Formats", simple legacy formats, versions 2 to 5. Numbers are text or big-endian. Cells
//! are skipped.

use super::held_atoms::converted;
use super::reading::Reading;
use super::records::{self, RecordColumn, fill_with};
use super::scalar::{Endian, Scalar};
use super::wanted::Want;
use crate::data::Kind;
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::Text;

pub(super) const MOST_COLUMNS: usize = 1 << 10;

pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"# vtk DataFile")
}

/// A column with one number per point.
pub(super) struct VtkColumn {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) values: Vec<f64>,
}

/// The header of an array; each row has `width` numbers.
#[derive(Clone, Copy)]
struct VtkArray<'a> {
    name: &'a str,
    scalar: Scalar,
    width: u64,
}

/// A file, read in order.
struct VtkFile {
    text: Text,
    is_binary: bool,
    /// Words left of a line of text, in reverse order.
    words: Vec<String>,
}

impl VtkFile {
    fn refuse(&self, message: impl Into<String>) -> Error {
        self.text.refuse(message)
    }

    /// The words of the next line that is not blank; `None` at the end of the file.
    fn line(&mut self) -> Result<Option<Words>> {
        self.words.clear();
        while let Some(line) = self.text.line()? {
            let words: Vec<String> =
                String::from_utf8_lossy(line).split_ascii_whitespace().map(str::to_owned).collect();
            if !words.is_empty() {
                return Ok(Some(Words(words)));
            }
        }
        Ok(None)
    }

    /// Reads `count` numbers.
    fn numbers(&mut self, count: u64, scalar: Scalar) -> Result<Vec<f64>> {
        let mut numbers = Vec::new();
        self.each_number(count, scalar, |number| numbers.push(number))?;
        Ok(numbers)
    }

    fn scalar_of(&self, name: &str) -> Result<Scalar> {
        scalar(name).ok_or_else(|| self.refuse(format!("numbers of the type {:?} are not read", shortened(name))))
    }

    /// Skips cells. Their line has the number of cells and the count of their integers; in version 5, of offsets and
    /// points, each after a line of its own.
    fn skip_cells(&mut self, line: &Words) -> Result<()> {
        let (first, second) = (line.whole(1).unwrap_or(0), line.whole(2).unwrap_or(0));
        if !self.text.peek()?.unwrap_or_default().starts_with(b"OFFSETS") {
            return self.each_number(second, Scalar::I32, drop);
        }
        for count in [first, second] {
            let head = self.line()?.unwrap_or_default();
            self.each_number(count, scalar(head.word(1)).unwrap_or(Scalar::I64), drop)?;
        }
        Ok(())
    }

    fn each_number(&mut self, count: u64, scalar: Scalar, mut take: impl FnMut(f64)) -> Result<()> {
        /// Numbers read at a time.
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
                let line = self.line()?.ok_or_else(|| self.refuse("the file ends in the middle of numbers"))?;
                self.words = line.0.into_iter().rev().collect();
            }
            let word = self.words.pop().unwrap_or_default();
            let wrong = || self.refuse(format!("must be a number, got {:?}", shortened(&word)));
            take(number(word.as_bytes()).ok_or_else(wrong)?);
        }
        Ok(())
    }
}

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

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    reading.only_first_frame()?;
    let mut file = VtkFile { text: Text::new(stream), is_binary: false, words: Vec::new() };
    file.text.line()?;
    file.text.line()?;
    file.is_binary = match file.line()?.unwrap_or_default().word(0) {
        "ASCII" => false,
        "BINARY" => true,
        _ => return Err(file.refuse("must be ASCII or BINARY")),
    };
    let mut points = VtkPoints { file, count: 0, is_point_data: false, columns: Vec::new() };
    while let Some(line) = points.file.line()? {
        points.read(&line, reading)?;
    }
    if points.columns.is_empty() {
        return Err(points.file.refuse("has no POINTS"));
    }
    push(&points.file.text.file, reading, points.count, &points.columns)
}

#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn word(&self, index: usize) -> &str {
        self.0.get(index).map(String::as_str).unwrap_or_default()
    }

    fn whole(&self, index: usize) -> Option<u64> {
        self.word(index).parse().ok()
    }
}

/// The points and their arrays.
struct VtkPoints {
    file: VtkFile,
    count: u64,
    /// Whether arrays have a row for each point.
    is_point_data: bool,
    columns: Vec<VtkColumn>,
}

impl VtkPoints {
    /// Reads the section that begins with this line.
    fn read(&mut self, line: &Words, reading: &Reading<'_>) -> Result<()> {
        let Self { file, count: points, is_point_data, .. } = self;
        match line.word(0).to_ascii_uppercase().as_str() {
            "POINTS" => return self.points(line, reading),
            "POINT_DATA" => *is_point_data = line.whole(1) == Some(*points),
            "CELL_DATA" => *is_point_data = false,
            "VERTICES" | "LINES" | "POLYGONS" | "TRIANGLE_STRIPS" | "CELLS" => file.skip_cells(line)?,
            "CELL_TYPES" => file.each_number(line.whole(1).unwrap_or(0), Scalar::I32, drop)?,
            "SCALARS" => {
                let (scalar, width) = (file.scalar_of(line.word(2))?, line.whole(3).unwrap_or(1));
                if file.text.peek()?.is_some_and(|line| line.starts_with(b"LOOKUP_TABLE")) {
                    file.line()?;
                }
                return self.point_array(reading, VtkArray { name: line.word(1), scalar, width });
            }
            "VECTORS" | "NORMALS" => {
                let scalar = file.scalar_of(line.word(2))?;
                return self.point_array(reading, VtkArray { name: line.word(1), scalar, width: 3 });
            }
            "FIELD" => {
                for _ in 0..line.whole(2).unwrap_or(0) {
                    let Some(head) = self.file.line()? else { break };
                    let (width, rows) = (head.whole(1).unwrap_or(0), head.whole(2).unwrap_or(0));
                    let Some(scalar) = scalar(head.word(3)) else {
                        let message = format!("arrays of the type {:?} are not read", shortened(head.word(3)));
                        return Err(self.file.refuse(message));
                    };
                    let is_wanted = self.is_point_data && rows == self.count;
                    self.array(reading, VtkArray { name: head.word(0), scalar, width }, rows, is_wanted)?;
                }
            }
            // bytes, or fractions as text
            "COLOR_SCALARS" => {
                let width = line.whole(2).unwrap_or(3);
                return self.point_array(reading, VtkArray { name: line.word(1), scalar: Scalar::U8, width });
            }
            "LOOKUP_TABLE" => {
                file.each_number(line.whole(2).unwrap_or(0).saturating_mul(4), Scalar::U8, drop)?;
            }
            "METADATA" => while file.text.line()?.is_some_and(|line| !line.trim_ascii().is_empty()) {},
            "DATASET" if matches!(line.word(1), "STRUCTURED_POINTS" | "RECTILINEAR_GRID") => {
                let message = format!("{} has no list of points; save it as polydata or as a table", line.word(1));
                return Err(file.refuse(message));
            }
            _ => {}
        }
        Ok(())
    }

    fn points(&mut self, line: &Words, reading: &Reading<'_>) -> Result<()> {
        let file = &mut self.file;
        let scalar = file.scalar_of(line.word(2))?;
        let points = line.whole(1).filter(|&points| points > 0);
        let points = points.ok_or_else(|| file.refuse("must be the number of points, 1 or more"))?;
        self.count = points;
        reading.check_held(points, 24, || format!("{}: the file promises {points} points", file.text.file))?;
        let (mut axes, mut axis) = ([Vec::new(), Vec::new(), Vec::new()], 0);
        file.each_number(points.saturating_mul(3), scalar, |number| {
            axes[axis].push(number);
            axis = (axis + 1) % 3;
        })?;
        let kind = if scalar == Scalar::F64 { Kind::F64 } else { Kind::F32 };
        let column = |(name, values): (&str, _)| VtkColumn { name: name.to_owned(), kind, values };
        self.columns.extend(["x", "y", "z"].into_iter().zip(axes).map(column));
        Ok(())
    }

    fn point_array(&mut self, reading: &Reading<'_>, array: VtkArray<'_>) -> Result<()> {
        self.array(reading, array, self.count, self.is_point_data)
    }

    /// Reads an array of `rows` rows of numbers; keeps it if it belongs to points.
    fn array(&mut self, reading: &Reading<'_>, array: VtkArray<'_>, rows: u64, is_wanted: bool) -> Result<()> {
        let (Self { file, columns, .. }, VtkArray { name, scalar, width }) = (self, array);
        let count = rows.saturating_mul(width);
        if !is_wanted || width == 0 || columns.len() as u64 + width > MOST_COLUMNS as u64 {
            return file.each_number(count, scalar, drop);
        }
        reading.check_held(count, 8 * (columns.len() as u64 + 1), || format!("{}: the arrays", file.text.file))?;
        let values = file.numbers(count, scalar)?;
        columns.extend(columns_of(name, scalar.kind(), usize::try_from(width).expect("few columns"), &values));
        Ok(())
    }
}

/// The columns of an array with `step` numbers per point.
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
        converted(&ColumnBuilder::F64(column.values.clone()), &column.name, want, rows)
    };
    let part = fill_with(&records, &wanted, rows, u64::MAX, number, grow).map_err(|bad| bad.error(file, "point", 0))?;
    reading.push(part)
}
