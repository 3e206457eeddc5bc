//! Trajectories in GROMACS' TRR: frames of positions, velocities and forces in full precision.
//!
//! Source: GROMACS, `src/gromacs/fileio/trrio.cpp` (the order of the numbers). Numbers are big-endian, with 32 or 64
//! bits. Nanometres are converted to ångström, also in velocities (Å/ps) and forces (kJ/(mol·Å)).

use glam::{DMat3, DVec3};

use super::facts::FrameTime;
use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use super::scalar::{Endian, Scalar};
use crate::data::{Cell, Kind};
use crate::error::Result;
use crate::source::frame_places::ends_anywhere;
use crate::source::input::Stream;
use crate::source::pieces::Text;

/// A nanometre in ångström.
pub(super) const NANOMETRE: f64 = 10.0;

/// The first bytes of a frame: a number, the length of the text that follows, and the text with its own length.
const MARK: &[u8] = b"\x00\x00\x07\xc9\x00\x00\x00\x0d\x00\x00\x00\x0cGMX_trn_file";

const FIELDS: [(&str, Kind); 6] =
    [("vx", Kind::F32), ("vy", Kind::F32), ("vz", Kind::F32), ("fx", Kind::F32), ("fy", Kind::F32), ("fz", Kind::F32)];

pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// The sizes of a frame's parts in bytes.
struct TrrFrame {
    atoms: u64,
    scalar: Scalar,
    cell: u64,
    /// Parts between the cell and the positions.
    passed: u64,
    positions: u64,
    velocities: u64,
    forces: u64,
    time: FrameTime,
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    text.begin_binary();
    let wanted = reading.extent.frame;
    let marks = frames::seek(&mut text, reading, ends_anywhere, |text, _| skip_frame(text))?;
    let head = begin_frame(&mut text).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    let Some(frame) = head else { return Err(reading.no_frame(wanted)) };
    if frame.positions == 0 {
        return Err(
            text.refuse(format!("frame {wanted} has no positions, as the simulation wrote velocities or forces alone"))
        );
    }
    reading.facts.times.unit = "ps";
    reading.note_time(wanted, frame.time);
    read_frame(&mut text, reading, &frame).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    frames::count(&mut text, reading, marks, |text, _| skip_frame(text))
}

/// Reads the atoms of a frame.
fn read_frame(text: &mut Text, reading: &mut Reading<'_>, frame: &TrrFrame) -> Result<()> {
    let (velocities, forces) = (frame.velocities > 0, frame.forces > 0);
    let fields: Vec<(&str, Kind)> = FIELDS
        .into_iter()
        .enumerate()
        .filter(|(place, _)| if *place < 3 { velocities } else { forces })
        .map(|(_, field)| field)
        .collect();
    let announced = held_atoms::begin(reading, frame.atoms, &fields, &text.file)?;
    let cell = cell(text, frame)?;
    frames::skip_bytes(text, frame.passed)?;
    let positions = vectors(text, frame, NANOMETRE)?;
    let mut held = HeldAtoms { positions, cell, ..HeldAtoms::default() };
    for (is_there, factor) in [(velocities, NANOMETRE), (forces, 1.0 / NANOMETRE)] {
        if is_there {
            held.push_axes(&vectors(text, frame, factor)?);
        }
    }
    announced.finish(reading, held)
}

/// Reads a frame up to its cell; `None` at the end of the file.
fn begin_frame(text: &mut Text) -> Result<Option<TrrFrame>> {
    if text.is_at_end()? {
        return Ok(None);
    }
    if text.exactly(MARK.len(), "a frame")? != MARK {
        return Err(text.refuse("a frame must begin with 1993 and GMX_trn_file"));
    }
    let head = text.exactly(13 * 4, "a frame")?.to_vec();
    let number = |index: usize| i32::from_be_bytes([0, 1, 2, 3].map(|byte| head[4 * index + byte]));
    let size = |index: usize| u64::try_from(number(index)).ok();
    let sizes: Option<Vec<u64>> = (0..11).map(size).collect();
    let Some(sizes) = sizes else { return Err(text.refuse("the sizes of a frame must not be negative")) };
    let atoms = sizes[10];
    if atoms == 0 {
        return Err(text.refuse("must be the number of atoms, 1 or more, got 0"));
    }
    let (cell, positions, velocities, forces) = (sizes[2], sizes[7], sizes[8], sizes[9]);
    // any part that is present tells the size of a number
    let numbers = [(cell, 9), (positions, 3 * atoms), (velocities, 3 * atoms), (forces, 3 * atoms)];
    let widths: Vec<u64> = numbers.iter().filter(|(bytes, _)| *bytes > 0).map(|(bytes, count)| bytes / count).collect();
    let is_whole = numbers.iter().all(|(bytes, count)| bytes % count == 0);
    let scalar = match widths.first() {
        Some(4) => Scalar::F32,
        Some(8) => Scalar::F64,
        _ => return Err(text.refuse("numbers must have 32 or 64 bits")),
    };
    if !is_whole || widths.iter().any(|&width| width != widths[0]) {
        return Err(text.refuse(format!("the sizes of a frame must suit its {atoms} atoms")));
    }
    // time and lambda
    let time = scalar.read(text.exactly(2 * scalar.size(), "a frame")?, Endian::Big);
    let time = FrameTime { time: Some(time).filter(|time| time.is_finite()), step: Some(i64::from(number(11))) };
    let before = [0, 1, 3, 4, 5, 6].map(|index| sizes[index]);
    if before[0] + before[1] > 0 {
        return Err(text.refuse("a frame with records of the input or of energies is not read"));
    }
    Ok(Some(TrrFrame { atoms, scalar, cell, passed: before.iter().sum(), positions, velocities, forces, time }))
}

/// Skips a frame, and returns its time; `None` at the end of the file.
fn skip_frame(text: &mut Text) -> Result<Option<FrameTime>> {
    let Some(frame) = begin_frame(text)? else { return Ok(None) };
    frames::skip_bytes(text, frame.cell + frame.passed + frame.positions + frame.velocities + frame.forces)?;
    Ok(Some(frame.time))
}

fn cell(text: &mut Text, frame: &TrrFrame) -> Result<Option<Cell>> {
    if frame.cell == 0 {
        return Ok(None);
    }
    let bytes = text.exactly(9 * frame.scalar.size(), "a frame")?;
    Ok(cell_of(bytes, frame.scalar))
}

/// The box, from nine numbers.
pub(super) fn cell_of(bytes: &[u8], scalar: Scalar) -> Option<Cell> {
    let edge = |row: usize| {
        let number = |column: usize| scalar.read(&bytes[scalar.size() * (3 * row + column)..], Endian::Big) * NANOMETRE;
        DVec3::new(number(0), number(1), number(2))
    };
    Cell::new(DVec3::ZERO, DMat3::from_cols(edge(0), edge(1), edge(2)))
}

/// Reads a vector for each atom, some thousands at a time.
fn vectors(text: &mut Text, frame: &TrrFrame, factor: f64) -> Result<Vec<[f64; 3]>> {
    const STEP: usize = 1 << 14;
    let (size, mut vectors) = (frame.scalar.size(), Vec::new());
    for first in (0..frame.atoms).step_by(STEP) {
        let count = (frame.atoms - first).min(STEP as u64);
        let bytes = text.exactly(usize::try_from(count).expect("a few") * 3 * size, "a frame")?;
        vectors.extend(
            bytes
                .chunks_exact(3 * size)
                .map(|vector| [0, 1, 2].map(|axis| frame.scalar.read(&vector[axis * size..], Endian::Big) * factor)),
        );
    }
    Ok(vectors)
}
