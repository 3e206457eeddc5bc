//! Trajectories in DCD, as CHARMM, NAMD and LAMMPS write them: records between their lengths, in either order of bytes.
//!
//! Coordinates are ångström, for each frame all x, then all y, then all z. There are no names: a frame is drawn as
//! particles. Files with fixed atoms have all of them in the first frame alone, which is the one that is read of those.

use glam::{DMat3, DVec3};

use super::reading::Reading;
use super::scalar::{Endian, Scalar};
use super::trajectory;
use crate::data::Cell;
use crate::error::Result;
use crate::io::source::input::Stream;
use crate::io::source::pieces::Text;

/// Bytes of the first record: a mark, twenty numbers.
const HEADER: usize = 84;

/// The file's header.
struct DcdHeader {
    endian: Endian,
    atoms: u64,
    /// A record with the box comes before the coordinates.
    has_cell: bool,
    /// A fourth coordinate comes after them.
    has_fourth: bool,
    fixed: u64,
}

/// Whether a file is DCD: the length of the header in either order of bytes, then its mark.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    matches!(bytes, [84, 0, 0, 0, b'C', b'O', b'R', b'D', ..] | [0, 0, 0, 84, b'C', b'O', b'R', b'D', ..])
}

/// Reads the wanted frame.
pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    text.begin_binary();
    let header = header(&mut text)?;
    let DcdHeader { endian, atoms, has_cell, has_fourth, fixed } = header;
    if atoms == 0 {
        return Err(text.refuse("must be the number of atoms, 1 or more, got 0"));
    }
    let wanted = reading.extent.frame;
    if fixed > 0 && wanted > 0 {
        return Err(text.refuse("frames after the first are not read where atoms are fixed"));
    }
    let keeps = trajectory::begin(&text, reading, atoms)?;
    let records = u64::from(has_cell) + 3 + u64::from(has_fourth);
    for passed in 0..wanted {
        if text.is_at_end()? {
            return Err(reading.no_frame(passed));
        }
        for _ in 0..records {
            skip_record(&mut text, endian)?;
        }
    }
    if text.is_at_end()? {
        return Err(reading.no_frame(wanted));
    }
    let cell = if has_cell { cell(&mut text, endian)? } else { None };
    let mut positions: Vec<[f32; 3]> = Vec::new();
    for axis in 0..3 {
        let length = begin_record(&mut text, endian)?;
        if length != atoms * 4 {
            return Err(text.refuse(format!("must be {} bytes of coordinates, got a record of {length}", atoms * 4)));
        }
        coordinates(&mut text, endian, atoms, axis, &mut positions)?;
        end_record(&mut text, endian, length)?;
    }
    trajectory::finish(&text, reading, positions, cell, keeps)?;
    if has_fourth {
        skip_record(&mut text, endian)?;
    }
    if reading.extent.count_frames {
        reading.facts.frames = wanted + 1;
        // a last frame that is cut short counts
        while fixed == 0 && !text.is_at_end()? {
            reading.facts.frames += 1;
            text.skip_bytes((atoms * 4 + 8) * (3 + u64::from(has_fourth)) + if has_cell { 56 } else { 0 })?;
        }
    }
    Ok(())
}

fn header(text: &mut Text) -> Result<DcdHeader> {
    let mark = text.exactly(8, "the header")?;
    let endian = if mark[0] == 84 { Endian::Little } else { Endian::Big };
    if !sniff(mark) {
        return Err(
            text.refuse("must begin with a record of 84 bytes marked CORD; files of 64-bit records are not read")
        );
    }
    let numbers = text.exactly(HEADER - 4, "the header")?;
    let number = |index: usize| Scalar::U32.read(&numbers[4 * index..], endian);
    // the last number is CHARMM's version, 0 for X-PLOR, which has neither box nor fourth coordinate
    let is_charmm = number(19) != 0.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "32 bits")]
    let fixed = number(8) as u64;
    let (has_cell, has_fourth) = (is_charmm && number(10) == 1.0, is_charmm && number(11) == 1.0);
    end_record(text, endian, HEADER as u64)?;
    // titles
    skip_record(text, endian)?;
    let length = begin_record(text, endian)?;
    if length != 4 {
        return Err(text.refuse(format!("must be the number of atoms in 4 bytes, got a record of {length}")));
    }
    let atoms = length_in(text, endian)?;
    end_record(text, endian, length)?;
    Ok(DcdHeader { endian, atoms, has_cell, has_fourth, fixed })
}

/// A whole number of 32 bits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "32 bits")]
fn length_in(text: &mut Text, endian: Endian) -> Result<u64> {
    Ok(Scalar::U32.read(text.exactly(4, "a record")?, endian) as u64)
}

fn begin_record(text: &mut Text, endian: Endian) -> Result<u64> {
    length_in(text, endian)
}

fn end_record(text: &mut Text, endian: Endian, length: u64) -> Result<()> {
    let found = length_in(text, endian)?;
    if found == length {
        return Ok(());
    }
    Err(text.refuse(format!("a record of {length} bytes must end with its length, got {found}")))
}

fn skip_record(text: &mut Text, endian: Endian) -> Result<()> {
    let length = begin_record(text, endian)?;
    text.skip_bytes(length)?;
    end_record(text, endian, length)
}

/// Reads one coordinate of all atoms; the first axis creates the list.
fn coordinates(text: &mut Text, endian: Endian, atoms: u64, axis: usize, positions: &mut Vec<[f32; 3]>) -> Result<()> {
    /// Atoms read at a time, so that a wrong count in a file allocates no memory.
    const STEP: u64 = 1 << 16;
    let mut atom = 0;
    let mut left = atoms;
    while left > 0 {
        let count = usize::try_from(left.min(STEP)).expect("a few");
        let bytes = text.exactly(count * 4, "coordinates")?;
        for bytes in bytes.chunks_exact(4) {
            #[expect(clippy::cast_possible_truncation, reason = "was an f32")]
            let value = Scalar::F32.read(bytes, endian) as f32;
            if axis == 0 {
                positions.push([value, 0.0, 0.0]);
            } else {
                positions[atom][axis] = value;
                atom += 1;
            }
        }
        left -= count as u64;
    }
    Ok(())
}

/// The box: A, γ, B, β, α, C, the angles in degrees or as their cosines.
fn cell(text: &mut Text, endian: Endian) -> Result<Option<Cell>> {
    let length = begin_record(text, endian)?;
    if length != 48 {
        text.skip_bytes(length)?;
        end_record(text, endian, length)?;
        return Ok(None);
    }
    let bytes = text.exactly(48, "the box")?;
    let number = |index: usize| Scalar::F64.read(&bytes[8 * index..], endian);
    let (lengths, angles) = ([number(0), number(2), number(5)], [number(4), number(3), number(1)]);
    end_record(text, endian, length)?;
    if !lengths.iter().chain(&angles).all(|value| value.is_finite()) {
        return Ok(None);
    }
    let is_cosines = angles.iter().all(|angle| angle.abs() <= 1.0);
    if is_cosines && angles == [0.0; 3] {
        return Ok(Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::from(lengths))));
    }
    let degrees = angles.map(|angle| if is_cosines { libm::acos(angle).to_degrees() } else { angle });
    Ok(Cell::from_lengths_and_angles(lengths, degrees))
}
