//! Trajectories of HOOMD-blue in GSD: named chunks of numbers, found by an index.
//!
//! Source: Glotzer group, "GSD file layer" and "HOOMD schema", version 1.4. A frame without a chunk uses the chunk of
//! the first frame, if that has the same number of particles.

use glam::{DMat3, DVec3};

use super::facts::FrameTime;
use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use super::scalar::{Endian, Scalar};
use crate::data::{Cell, Kind};
use crate::error::{Error, Result};
use crate::geom::single;
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::seekable_file::SeekableFile;

const MARK: [u8; 8] = 0x65DF_65DF_65DF_65DF_u64.to_le_bytes();

/// Bytes of the header, of an index entry, and of a block of names.
const HEADER: usize = 256;
const ENTRY: usize = 32;
const NAME: usize = 64;

/// The longest list of names in bytes.
const MOST_NAMES: u64 = 1 << 22;

/// The longest list of types in bytes.
const MOST_TYPES: u64 = 1 << 20;

/// The fields of a particle: name, type, chunk, column in the chunk, and factor.
const FIELDS: [(&str, Kind, &str, usize, f64); 7] = [
    ("type", Kind::Name, "particles/typeid", 0, 1.0),
    ("mass", Kind::F32, "particles/mass", 0, 1.0),
    ("charge", Kind::F32, "particles/charge", 0, 1.0),
    ("radius", Kind::F32, "particles/diameter", 0, 0.5),
    ("vx", Kind::F32, "particles/velocity", 0, 1.0),
    ("vy", Kind::F32, "particles/velocity", 1, 1.0),
    ("vz", Kind::F32, "particles/velocity", 2, 1.0),
];

pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MARK)
}

#[derive(Clone, Debug)]
struct GsdChunk {
    frame: u64,
    rows: u64,
    at: u64,
    width: u32,
    name: u16,
    scalar: Scalar,
}

/// An open file: its names and its index.
struct GsdFile {
    file: SeekableFile,
    names: Vec<String>,
    index: Vec<GsdChunk>,
}

impl GsdFile {
    fn open(stream: Stream, reading: &Reading<'_>) -> Result<Self> {
        let mut gsd = Self { file: SeekableFile::new(stream)?, names: Vec::new(), index: Vec::new() };
        let header = gsd.bytes(0, HEADER as u64, "the header")?;
        let long = |at: usize| Endian::Little.whole(&header[at..at + 8]);
        let [index, entries, names, name_blocks] = [8, 16, 24, 32].map(long);
        let refuse = |message: &str| Error::input(&gsd.file.file, None, message);
        let name_bytes = name_blocks.checked_mul(NAME as u64).filter(|&bytes| bytes <= MOST_NAMES);
        let name_bytes = name_bytes.ok_or_else(|| refuse("the list of names is longer than 4 MiB"))?;
        reading.check_held(entries, (ENTRY + size_of::<GsdChunk>()) as u64, || {
            format!("{}: the index promises {entries} entries", gsd.file.file)
        })?;
        let version = Endian::Little.whole(&header[44..48]);
        let text = gsd.bytes(names, name_bytes, "the names")?;
        gsd.names = if version >> 16 < 2 {
            text.chunks(NAME).map(until_zero).take_while(|name| !name.is_empty()).collect()
        } else {
            text.split(|&byte| byte == 0)
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .take_while(|name| !name.is_empty())
                .collect()
        };
        let table = gsd.bytes(
            index,
            entries.checked_mul(ENTRY as u64).ok_or_else(|| refuse("the index is too long"))?,
            "the index",
        )?;
        for entry in table.chunks_exact(ENTRY) {
            let long = |at: usize| Endian::Little.whole(&entry[at..at + 8]);
            // the rest of the index is unused
            if long(16) == 0 {
                break;
            }
            let (width, name) = (
                u32::from_le_bytes(*entry[24..].first_chunk().expect("inside")),
                u16::from_le_bytes([entry[28], entry[29]]),
            );
            let Some(scalar) = scalar(entry[30]) else { continue };
            gsd.index.push(GsdChunk { frame: long(0), rows: long(8), at: long(16), width, name, scalar });
        }
        Ok(gsd)
    }

    /// All `count` bytes at an offset; `what` names them if the file ends before.
    fn bytes(&self, at: u64, count: u64, what: &str) -> Result<Vec<u8>> {
        let bytes = self.file.bytes(at, count)?;
        if (bytes.len() as u64) < count {
            return Err(Error::input(&self.file.file, None, format!("the file ends in the middle of {what}")));
        }
        Ok(bytes)
    }

    /// The frames before the first one that has a chunk beyond the end of the file.
    fn whole_frames(&self) -> Result<u64> {
        let length = self.file.length()?;
        let end = |chunk: &GsdChunk| {
            let numbers = chunk.rows.saturating_mul(u64::from(chunk.width));
            chunk.at.saturating_add(numbers.saturating_mul(chunk.scalar.size() as u64))
        };
        let cut = self.index.iter().filter(|chunk| end(chunk) > length).map(|chunk| chunk.frame);
        Ok(cut.min().unwrap_or(u64::MAX))
    }

    /// The chunk that a frame itself has.
    fn own_chunk(&self, name: &str, frame: u64) -> Option<&GsdChunk> {
        let name = self.names.iter().position(|known| known == name)?;
        self.index.iter().find(|chunk| chunk.frame == frame && usize::from(chunk.name) == name)
    }

    /// The chunk of a frame, or else of the first frame.
    fn chunk(&self, name: &str, frame: u64) -> Option<&GsdChunk> {
        self.own_chunk(name, frame).or_else(|| self.own_chunk(name, 0))
    }

    fn numbers(&self, chunk: &GsdChunk, what: &str) -> Result<Vec<f64>> {
        let size = chunk.scalar.size();
        let bytes = chunk.rows.checked_mul(u64::from(chunk.width)).and_then(|count| count.checked_mul(size as u64));
        let too_long = || Error::input(&self.file.file, None, format!("{what} is too long"));
        let bytes = self.bytes(chunk.at, bytes.ok_or_else(too_long)?, what)?;
        Ok(bytes.chunks_exact(size).map(|number| chunk.scalar.read(number, Endian::Little)).collect())
    }

    fn cell(&self, frame: u64) -> Result<Option<Cell>> {
        let Some(chunk) = self.chunk("configuration/box", frame).filter(|chunk| (chunk.rows, chunk.width) == (6, 1))
        else {
            return Ok(None);
        };
        let numbers = self.numbers(chunk, "the box")?;
        let &[x, y, z, xy, xz, yz] = numbers.as_slice() else { return Ok(None) };
        // a two-dimensional box has no height
        let z = if z == 0.0 { 1.0 } else { z };
        let edges =
            DMat3::from_cols(DVec3::new(x, 0.0, 0.0), DVec3::new(xy * y, y, 0.0), DVec3::new(xz * z, yz * z, z));
        Ok(Cell::new(edges * DVec3::splat(-0.5), edges))
    }

    fn time(&self, frame: u64) -> Result<FrameTime> {
        let numbers = self.chunk("configuration/step", frame).map(|chunk| self.numbers(chunk, "configuration/step"));
        // 0 by default
        let step = numbers.transpose()?.and_then(|numbers| numbers.first().copied()).unwrap_or(0.0);
        #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
        let step = step as i64;
        Ok(FrameTime { time: None, step: Some(step) })
    }

    fn types(&self, frame: u64) -> Result<Vec<String>> {
        let default = vec!["A".to_owned()];
        let Some(chunk) = self.chunk("particles/types", frame).filter(|chunk| chunk.width > 0) else {
            return Ok(default);
        };
        let bytes = chunk.rows.checked_mul(u64::from(chunk.width)).filter(|&bytes| bytes <= MOST_TYPES);
        let Some(bytes) = bytes else {
            return Err(Error::input(&self.file.file, None, "particles/types has more than 1 MiB"));
        };
        Ok(self.bytes(chunk.at, bytes, "particles/types")?.chunks(chunk.width as usize).map(until_zero).collect())
    }
}

fn until_zero(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).into_owned()
}

fn scalar(kind: u8) -> Option<Scalar> {
    Some(match kind {
        1 | 11 => Scalar::U8,
        2 => Scalar::U16,
        3 => Scalar::U32,
        4 => Scalar::U64,
        5 => Scalar::I8,
        6 => Scalar::I16,
        7 => Scalar::I32,
        8 => Scalar::I64,
        9 => Scalar::F32,
        10 => Scalar::F64,
        _ => return None,
    })
}

/// A column of type names, from the types' numbers; empty for unknown numbers.
fn type_names<'a>(types: &[String], numbers: impl Iterator<Item = &'a f64>) -> Result<ColumnBuilder, String> {
    let mut names = ColumnBuilder::new(Kind::Name);
    for &number in numbers {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
        let name = types.get(number as usize).map_or("", String::as_str);
        names.push(name.as_bytes()).map_err(|accepted| format!("type must be {accepted}"))?;
    }
    Ok(names)
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let gsd = GsdFile::open(stream, reading)?;
    let frames = gsd.index.iter().map(|chunk| chunk.frame.saturating_add(1)).max().unwrap_or(0);
    let frames = reading.whole_frames(frames, gsd.whole_frames()?)?;
    let frame = reading.extent.frame;
    let refuse = |message: String| Error::input(&gsd.file.file, None, message);
    let Some(position) = gsd.chunk("particles/position", frame).cloned() else {
        return Err(refuse(format!("frame {frame} has no particles/position")));
    };
    let count = match gsd.chunk("particles/N", frame) {
        Some(chunk) => gsd.numbers(chunk, "particles/N")?.first().copied().unwrap_or(0.0),
        None => position.rows as f64,
    };
    if position.rows as f64 != count || position.width != 3 || position.rows == 0 {
        let found = format!("{} rows of {}", position.rows, position.width);
        return Err(refuse(format!("particles/position must be 3 numbers for each of {count} particles, got {found}")));
    }
    let atoms = position.rows;
    let there: Vec<_> = FIELDS
        .into_iter()
        .filter_map(|(name, kind, chunk, column, factor)| {
            let chunk = gsd.chunk(chunk, frame).filter(|chunk| chunk.rows == atoms && column < chunk.width as usize);
            // without a chunk all particles are of the first type
            (chunk.is_some() || name == "type").then(|| (name, kind, chunk.cloned(), column, factor))
        })
        .collect();
    let fields: Vec<(&str, Kind)> = there.iter().map(|(name, kind, ..)| (*name, *kind)).collect();
    let announced = held_atoms::begin(reading, atoms, &fields, &gsd.file.file)?;
    let places = gsd.numbers(&position, "particles/position")?;
    let positions = places.chunks_exact(3).map(|place| [place[0], place[1], place[2]]).collect();
    let mut held = HeldAtoms { positions, cell: gsd.cell(frame)?, ..HeldAtoms::default() };
    for (field, (name, kind, chunk, column, factor)) in there.into_iter().enumerate() {
        if !announced.wants(reading, field) {
            held.columns.push(None);
            continue;
        }
        let values = match &chunk {
            Some(chunk) => gsd.numbers(chunk, name)?,
            None => vec![0.0; usize::try_from(atoms).unwrap_or(usize::MAX)],
        };
        let width = chunk.map_or(1, |chunk| chunk.width as usize);
        let values = values.iter().skip(column).step_by(width);
        held.columns.push(Some(if kind == Kind::Name {
            type_names(&gsd.types(frame)?, values).map_err(refuse)?
        } else {
            ColumnBuilder::F32(values.map(|value| single(value * factor)).collect())
        }));
    }
    announced.finish(reading, held)?;
    frames::note_all(reading, frames, |frame| gsd.time(frame))
}
