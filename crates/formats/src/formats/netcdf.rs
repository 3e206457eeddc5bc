//! AMBER's trajectories and restarts in NetCDF (classic, 64-bit offsets and 64-bit data).
//!
//! Source: UCAR, "NetCDF Classic Format Specification"; "AMBER NetCDF Trajectory/Restart Convention", version 1.0. The
//! crate `netcdf3` allocates memory for the counts that a header claims before it reads that many bytes, so headers are
//! parsed here.

use std::io::{Read as _, Seek as _, SeekFrom};

use super::facts::FrameTime;
use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use super::scalar::{Endian, Scalar};
use crate::data::{Cell, Kind};
use crate::did_you_mean;
use crate::error::{Error, Result};
use crate::source::input::Stream;
use crate::source::seekable_file::SeekableFile;

const LONGEST_HEADER: u64 = 1 << 20;

/// Numbers read at a time.
const STEP: u64 = 1 << 14;

/// Whether a file is NetCDF of a classic kind.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    matches!(bytes, [b'C', b'D', b'F', 1 | 2 | 5, ..])
}

#[derive(Debug)]
struct NcVariable {
    name: String,
    /// Lengths of its axes, without the axis of records.
    shape: Vec<u64>,
    has_records: bool,
    scalar: Scalar,
    /// Factor for all numbers.
    factor: f64,
    begin: u64,
}

impl NcVariable {
    fn count(&self) -> u64 {
        self.shape.iter().fold(1, |product, &length| product.saturating_mul(length))
    }

    /// Bytes of a record, or of all numbers.
    fn bytes(&self) -> u64 {
        self.count().saturating_mul(self.scalar.size() as u64)
    }
}

#[derive(Debug)]
struct NcHeader {
    /// `None` if they follow from the file's length.
    records: Option<u64>,
    variables: Vec<NcVariable>,
}

impl NcHeader {
    fn variable(&self, name: &str) -> Option<&NcVariable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    /// Bytes between records.
    fn stride(&self) -> u64 {
        let sizes = self.variables.iter().filter(|variable| variable.has_records).map(NcVariable::bytes);
        let padded = sizes.clone().fold(0_u64, |sum, bytes| sum.saturating_add(bytes.saturating_add(3) / 4 * 4));
        // a single variable is not padded
        if sizes.clone().count() == 1 { sizes.sum() } else { padded }
    }
}

/// Parses the bytes of a header in order; `None` past their end.
struct HeaderBytes<'a> {
    rest: &'a [u8],
    /// Whether counts have 64 bits.
    is_wide: bool,
    /// Whether offsets have 64 bits.
    has_wide_offsets: bool,
}

impl<'a> HeaderBytes<'a> {
    fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(usize::try_from(count).ok()?)?;
        self.rest = rest;
        Some(bytes)
    }

    fn number(&mut self, is_wide: bool) -> Option<u64> {
        let bytes = self.take(if is_wide { 8 } else { 4 })?;
        Some(Endian::Big.whole(bytes))
    }

    fn word(&mut self) -> Option<u64> {
        self.number(false)
    }

    fn count(&mut self) -> Option<u64> {
        self.number(self.is_wide)
    }

    fn padded(&mut self, count: u64) -> Option<&'a [u8]> {
        let bytes = self.take(count)?;
        self.take(count.wrapping_neg() % 4)?;
        Some(bytes)
    }

    fn name(&mut self) -> Option<String> {
        let length = self.count()?;
        self.padded(length).map(|name| String::from_utf8_lossy(name).into_owned())
    }

    /// The number of items of a list with this mark.
    fn list(&mut self, mark: u64) -> Option<u64> {
        let (found, count) = (self.word()?, self.count()?);
        (found == mark || (found == 0 && count == 0)).then_some(count)
    }

    fn scalar(&mut self) -> Option<Scalar> {
        Some(match self.word()? {
            1 => Scalar::I8,
            2 | 7 => Scalar::U8,
            3 => Scalar::I16,
            4 => Scalar::I32,
            5 => Scalar::F32,
            6 => Scalar::F64,
            8 => Scalar::U16,
            9 => Scalar::U32,
            10 => Scalar::I64,
            11 => Scalar::U64,
            _ => return None,
        })
    }

    /// Skips attributes; returns `scale_factor`.
    fn attributes(&mut self) -> Option<f64> {
        let mut factor = 1.0;
        for _ in 0..self.list(12)? {
            let (name, scalar, count) = (self.name()?, self.scalar()?, self.count()?);
            let values = self.padded(count.checked_mul(scalar.size() as u64)?)?;
            if name == "scale_factor" && count > 0 {
                factor = scalar.read(values, Endian::Big);
            }
        }
        Some(factor)
    }

    /// The header after its mark.
    fn header(&mut self) -> Option<NcHeader> {
        let unknown = if self.is_wide { u64::MAX } else { u64::from(u32::MAX) };
        let records = self.count().map(|records| (records != unknown).then_some(records))?;
        let mut lengths = Vec::new();
        for _ in 0..self.list(10)? {
            self.name()?;
            lengths.push(self.count()?);
        }
        self.attributes()?;
        let mut variables = Vec::new();
        for _ in 0..self.list(11)? {
            let name = self.name()?;
            let (mut shape, mut has_records) = (Vec::new(), false);
            for axis in 0..self.count()? {
                let length = *lengths.get(usize::try_from(self.count()?).ok()?)?;
                // the axis of records has the length 0
                if axis == 0 && length == 0 { has_records = true } else { shape.push(length) }
            }
            let factor = self.attributes()?;
            let scalar = self.scalar()?;
            self.count()?;
            let begin = self.number(self.has_wide_offsets)?;
            variables.push(NcVariable { name, shape, has_records, scalar, factor, begin });
        }
        Some(NcHeader { records, variables })
    }
}

struct NcFile {
    file: SeekableFile,
    header: NcHeader,
    stride: u64,
}

impl NcFile {
    fn open(stream: Stream) -> Result<Self> {
        let file = SeekableFile::new(stream)?;
        let bytes = file.bytes(0, LONGEST_HEADER)?;
        let version = bytes.get(3).copied().unwrap_or_default();
        let rest = bytes.get(4..).unwrap_or_default();
        let mut header = HeaderBytes { rest, is_wide: version == 5, has_wide_offsets: version != 1 };
        let Some(header) = header.header() else {
            return Err(Error::input(&file.file, None, "the header is cut short, wrong, or longer than 1 MiB"));
        };
        let stride = header.stride();
        Ok(Self { file, header, stride })
    }

    fn refuse(&self, message: impl Into<String>) -> Error {
        Error::input(&self.file.file, None, message.into())
    }

    fn records(&self) -> Result<u64> {
        if let Some(records) = self.header.records {
            return Ok(records);
        }
        let length = self.file.length()?;
        let begins =
            self.header.variables.iter().filter(|variable| variable.has_records).map(|variable| variable.begin);
        Ok(begins.min().map_or(0, |begin| length.saturating_sub(begin) / self.stride.max(1)))
    }

    /// The number of records that are in the file as a whole.
    fn whole_records(&self) -> Result<u64> {
        let length = self.file.length()?;
        let whole = |variable: &NcVariable| {
            let rest = length.checked_sub(variable.begin.saturating_add(variable.bytes()))?;
            Some(rest / self.stride.max(1) + 1)
        };
        let variables = self.header.variables.iter().filter(|variable| variable.has_records);
        Ok(variables.map(|variable| whole(variable).unwrap_or(0)).min().unwrap_or(0))
    }

    /// The number of records before the last ones whose numbers of a variable were never written: holes in the file, or
    /// the library's fill value.
    fn written_records(&self, variable: &NcVariable, records: u64) -> Result<u64> {
        /// `NC_FILL_FLOAT` and `NC_FILL_DOUBLE`.
        const FILL: f64 = 9.969_209_968_386_869e36;
        let mut written = records;
        while written > 0 {
            let (mut is_hole, mut is_fill) = (true, true);
            self.numbers(variable, written - 1, |number| {
                is_hole &= number == 0.0;
                is_fill &= number == FILL * variable.factor;
            })?;
            if !is_hole && !is_fill {
                break;
            }
            written -= 1;
        }
        Ok(written)
    }

    /// Passes the numbers of a variable in a record to `take`.
    #[expect(clippy::cast_possible_truncation, reason = "steps are short")]
    fn numbers(&self, variable: &NcVariable, record: u64, mut take: impl FnMut(f64)) -> Result<()> {
        let record = if variable.has_records { record } else { 0 };
        let at = record.checked_mul(self.stride).and_then(|bytes| bytes.checked_add(variable.begin));
        let cut = || self.refuse(format!("the file ends in the middle of {}", did_you_mean::shortened(&variable.name)));
        let mut reader = self.file.reader();
        reader.seek(SeekFrom::Start(at.ok_or_else(cut)?)).map_err(|source| self.file.io_error(source))?;
        let (count, size) = (variable.count(), variable.scalar.size());
        let mut bytes = vec![0; (STEP.min(count) as usize) * size];
        let mut left = count;
        while left > 0 {
            let some = left.min(STEP);
            let bytes = &mut bytes[..some as usize * size];
            reader.read_exact(bytes).map_err(|_| cut())?;
            bytes
                .chunks_exact(size)
                .for_each(|number| take(variable.scalar.read(number, Endian::Big) * variable.factor));
            left -= some;
        }
        Ok(())
    }

    /// A vector for each atom.
    fn vectors(&self, variable: &NcVariable, frame: u64) -> Result<Vec<[f64; 3]>> {
        let (mut vectors, mut vector, mut axis) = (Vec::new(), [0.0; 3], 0);
        self.numbers(variable, frame, |number| {
            vector[axis] = number;
            axis = (axis + 1) % 3;
            if axis == 0 {
                vectors.push(vector);
            }
        })?;
        Ok(vectors)
    }

    fn time(&self, frame: u64) -> Result<FrameTime> {
        let mut time = FrameTime::default();
        if let Some(variable) = self.header.variable("time").filter(|variable| variable.count() == 1) {
            self.numbers(variable, frame, |number| time.time = Some(number).filter(|number| number.is_finite()))?;
        }
        Ok(time)
    }

    /// Three numbers of a frame; `None` if the file has no such variable.
    fn three(&self, name: &str, frame: u64) -> Result<Option<[f64; 3]>> {
        let Some(variable) = self.header.variable(name).filter(|variable| variable.count() == 3) else {
            return Ok(None);
        };
        let mut numbers = Vec::new();
        self.numbers(variable, frame, |number| numbers.push(number))?;
        Ok(numbers.try_into().ok())
    }
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let file = NcFile::open(stream)?;
    let Some(coordinates) = file.header.variable("coordinates") else {
        let names = did_you_mean::list(file.header.variables.iter().map(|variable| variable.name.as_str()));
        return Err(file.refuse(format!("has no variable coordinates, as NetCDF of AMBER has (variables: {names})")));
    };
    let &[atoms, 3] = coordinates.shape.as_slice() else {
        return Err(
            file.refuse(format!("coordinates must be 3 numbers for each atom, got shape {:?}", coordinates.shape))
        );
    };
    let promised = if coordinates.has_records { file.records()? } else { 1 };
    if atoms == 0 {
        return Err(file.refuse("must have atoms, 1 or more, got 0"));
    }
    let mut whole = if coordinates.has_records { file.whole_records()? } else { 1 };
    let may_be_unwritten = atoms > 1 && promised > 1;
    if may_be_unwritten {
        whole = file.written_records(coordinates, whole.min(promised))?;
    }
    let frames = reading.whole_frames(promised, whole)?;
    if may_be_unwritten && frames == 0 && file.written_records(coordinates, 1).is_ok_and(|written| written == 0) {
        return Err(reading.none_written(promised));
    }
    let frame = reading.extent.frame;
    // Å/ps, and kcal/(mol·Å)
    let vectors = ["velocities", "forces"]
        .map(|name| file.header.variable(name).filter(|variable| variable.shape == coordinates.shape));
    let names = [["vx", "vy", "vz"], ["fx", "fy", "fz"]];
    let fields: Vec<(&str, Kind)> = names
        .into_iter()
        .zip(&vectors)
        .filter(|(_, variable)| variable.is_some())
        .flat_map(|(names, _)| names.map(|name| (name, Kind::F32)))
        .collect();
    let announced = held_atoms::begin(reading, atoms, &fields, &file.file.file)?;
    let cell = match (file.three("cell_lengths", frame)?, file.three("cell_angles", frame)?) {
        (Some(lengths), Some(angles)) => Cell::from_lengths_and_angles(lengths, angles),
        _ => None,
    };
    let mut held = HeldAtoms { positions: file.vectors(coordinates, frame)?, cell, ..HeldAtoms::default() };
    for variable in vectors.into_iter().flatten() {
        held.push_vectors(&announced, reading, || file.vectors(variable, frame))?;
    }
    announced.finish(reading, held)?;
    reading.facts.times.unit = "ps";
    frames::note_all(reading, frames, |frame| file.time(frame))
}
