//! Trajectories in DCD, as CHARMM, NAMD and LAMMPS write them: records between their lengths, in either byte order.
//!
//! Coordinates are in ångström: for each frame all x, then all y, then all z. There are no names: a frame is drawn as
//! particles. If atoms are fixed, the first frame has all atoms, and later frames only the moving ones. Lengths of
//! records have 32 or 64 bits.

use glam::{DMat3, DVec3};

use super::facts::FrameTime;
use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use super::scalar::{Endian, Scalar};
use crate::data::Cell;
use crate::error::Result;
use crate::source::frame_places::{FrameMarks, ends_anywhere};
use crate::source::input::Stream;
use crate::source::pieces::Text;

/// Bytes of the first record: a mark and twenty numbers.
const HEADER: usize = 84;

/// AKMA's unit of time, the unit of steps, in picoseconds.
const PICOSECONDS: f64 = 0.048_888_21;

/// The longest title in bytes, some two hundred lines.
const LONGEST_TITLE: u64 = 1 << 14;

/// The format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    endian: Endian,
    /// Bytes of a record's length.
    mark: usize,
}

struct DcdHeader {
    atoms: u64,
    /// A record with the box comes before the coordinates.
    has_cell: bool,
    /// A fourth coordinate follows the others.
    has_fourth: bool,
    /// The atoms that move, if some are fixed; frames after the first have only these.
    moving: Option<Vec<u32>>,
    /// CHARMM's version, which other programs claim, too.
    version: f64,
    /// The step of the first frame, and steps between frames; 0 if unknown.
    first_step: i64,
    steps: i64,
    /// Length of a step in picoseconds.
    step_time: f64,
}

impl DcdHeader {
    /// The time of a frame, if the header has steps.
    fn time(&self, frame: u64) -> FrameTime {
        if self.steps <= 0 {
            return FrameTime::default();
        }
        let passed = i64::try_from(frame).ok().and_then(|frame| frame.checked_mul(self.steps));
        let step = passed.and_then(|passed| passed.checked_add(self.first_step));
        let time =
            step.map(|step| step as f64 * self.step_time).filter(|time| time.is_finite() && self.step_time > 0.0);
        FrameTime { time, step }
    }

    /// Bytes of a frame after the first.
    fn frame_bytes(&self, layout: Layout) -> u64 {
        let atoms = self.moving.as_ref().map_or(self.atoms, |moving| moving.len() as u64);
        let marks = 2 * layout.mark as u64;
        (atoms * 4 + marks) * (3 + u64::from(self.has_fourth)) + if self.has_cell { 48 + marks } else { 0 }
    }
}

/// Whether a file is DCD: the length of the header in either byte order, then its mark.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    layout(bytes).is_some()
}

/// The byte order and the size of lengths, from the start of the first record.
fn layout(bytes: &[u8]) -> Option<Layout> {
    let (endian, mark) = match bytes {
        [84, 0, 0, 0, b'C', b'O', b'R', b'D', ..] => (Endian::Little, 4),
        [0, 0, 0, 84, b'C', b'O', b'R', b'D', ..] => (Endian::Big, 4),
        [84, 0, 0, 0, 0, 0, 0, 0, b'C', b'O', b'R', b'D', ..] => (Endian::Little, 8),
        [0, 0, 0, 0, 0, 0, 0, 84, b'C', b'O', b'R', b'D', ..] => (Endian::Big, 8),
        _ => return None,
    };
    Some(Layout { endian, mark })
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    text.begin_binary();
    let (layout, header) = header(&mut text)?;
    if header.atoms == 0 {
        return Err(text.refuse("must be the number of atoms, 1 or more, got 0"));
    }
    let wanted = reading.extent.frame;
    let announced = held_atoms::begin(reading, header.atoms, &[], &text.file)?;
    let mut positions: Vec<[f32; 3]> = Vec::new();
    let mut cell = None;
    let (mut marks, mut frame) = (FrameMarks::of(&text), 0);
    // only the first frame has the places of fixed atoms
    if header.moving.is_some() && wanted > 0 {
        if text.is_at_end()? {
            return Err(reading.no_frame(0));
        }
        read_frame(&mut text, layout, &header, &mut positions)?;
        frame = 1;
        marks.begin(&text, frame);
    }
    frame = frame.max(marks.seek(&mut text, wanted, ends_anywhere)?);
    while frame <= wanted {
        if text.is_at_end()? {
            return Err(reading.no_frame(frame));
        }
        if frame == wanted {
            let read = read_frame(&mut text, layout, &header, &mut positions);
            cell = read.map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
        } else {
            let skipped = skip_frame(&mut text, layout, &header);
            skipped.map_err(|error| frames::cut_off(&mut text, reading, frame, error))?;
        }
        frame += 1;
        marks.begin(&text, frame);
    }
    reading.facts.times.unit = "ps";
    reading.note_time(wanted, header.time(wanted));
    let positions = positions.into_iter().map(|place| place.map(f64::from)).collect();
    announced.finish(reading, HeldAtoms { positions, cell, ..HeldAtoms::default() })?;
    frames::count(&mut text, reading, marks, |text, reading| {
        if text.is_at_end()? {
            return Ok(None);
        }
        let bytes = header.frame_bytes(layout);
        // the last frame may lack its fourth coordinate
        let fourth = if header.has_fourth { bytes / 4 } else { 0 };
        if text.skip_bytes(bytes)? < bytes - fourth {
            return Err(text.refuse("the file ends in the middle of a frame"));
        }
        Ok(Some(header.time(reading.facts.frames)))
    })
}

/// Reads a frame; if atoms are fixed, `positions` has their places from an earlier frame.
fn read_frame(
    text: &mut Text,
    layout: Layout,
    header: &DcdHeader,
    positions: &mut Vec<[f32; 3]>,
) -> Result<Option<Cell>> {
    let cell = if header.has_cell { cell(text, layout, header.version)? } else { None };
    let moving = header.moving.as_deref().filter(|_| !positions.is_empty());
    let atoms = moving.map_or(header.atoms, |moving| moving.len() as u64);
    for axis in 0..3 {
        let length = mark(text, layout)?;
        if length != atoms * 4 {
            return Err(text.refuse(format!("must be {} bytes of coordinates, got a record of {length}", atoms * 4)));
        }
        coordinates(text, layout, atoms, &mut |atom, value| match moving {
            Some(moving) => positions[moving[atom] as usize][axis] = value,
            None if axis == 0 => positions.push([value, 0.0, 0.0]),
            None => positions[atom][axis] = value,
        })?;
        end_record(text, layout, length)?;
    }
    if header.has_fourth && !text.is_at_end()? {
        skip_record(text, layout)?;
    }
    Ok(cell)
}

fn skip_frame(text: &mut Text, layout: Layout, header: &DcdHeader) -> Result<()> {
    for _ in 0..u64::from(header.has_cell) + 3 + u64::from(header.has_fourth) {
        skip_record(text, layout)?;
    }
    Ok(())
}

fn header(text: &mut Text) -> Result<(Layout, DcdHeader)> {
    text.fill(16)?;
    let Some(layout) = layout(text.ahead()) else {
        return Err(text.refuse("must begin with a record of 84 bytes marked CORD"));
    };
    text.exactly(layout.mark + 4, "the header")?;
    let numbers = text.exactly(HEADER - 4, "the header")?;
    let number = |index: usize| Scalar::U32.read(&numbers[4 * index..], layout.endian);
    // the last number is CHARMM's version, 0 for X-PLOR, which has neither box nor fourth coordinate
    let version = number(19);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "32 bits")]
    let fixed = number(8) as u64;
    #[expect(clippy::cast_possible_truncation, reason = "32 bits")]
    let [first_step, steps] = [1, 2].map(|index| number(index) as i64);
    // the length of a step has 64 bits in X-PLOR, 32 in CHARMM
    let step_time = match version {
        0.0 => Scalar::F64.read(&numbers[4 * 9..], layout.endian),
        _ => Scalar::F32.read(&numbers[4 * 9..], layout.endian),
    } * PICOSECONDS;
    let (has_cell, has_fourth) = (version != 0.0 && number(10) == 1.0, version != 0.0 && number(11) == 1.0);
    end_record(text, layout, HEADER as u64)?;
    skip_title(text, layout)?;
    let length = mark(text, layout)?;
    if length != 4 {
        return Err(text.refuse(format!("must be the number of atoms in 4 bytes, got a record of {length}")));
    }
    let atoms = whole(text, layout.endian)?;
    end_record(text, layout, length)?;
    let moving = if fixed > 0 { Some(moving(text, layout, atoms, fixed)?) } else { None };
    Ok((layout, DcdHeader { atoms, has_cell, has_fourth, moving, version, first_step, steps, step_time }))
}

/// Skips the title: lines of 80 letters. Some programs write a wrong length for its record.
fn skip_title(text: &mut Text, layout: Layout) -> Result<()> {
    let length = mark(text, layout)?;
    let most = usize::try_from(LONGEST_TITLE).expect("a few") + 4 + layout.mark;
    text.fill(most)?;
    let ahead = text.ahead();
    let number = |at: u64, bytes: usize| {
        let at = usize::try_from(at).ok()?;
        Some(layout.endian.whole(ahead.get(at..at.checked_add(bytes)?)?))
    };
    let ends_after = |bytes: &u64| number(*bytes, layout.mark) == Some(length);
    let lines = number(0, 4).and_then(|lines| lines.checked_mul(80)?.checked_add(4));
    let stated = Some(length).filter(|length| ends_after(length));
    text.skip_bytes(stated.or_else(|| lines.filter(ends_after)).unwrap_or(length))?;
    end_record(text, layout, length)
}

/// The file's list of moving atoms.
fn moving(text: &mut Text, layout: Layout, atoms: u64, fixed: u64) -> Result<Vec<u32>> {
    let Some(count) = atoms.checked_sub(fixed) else {
        return Err(text.refuse(format!("{fixed} fixed atoms must be among the {atoms} atoms")));
    };
    let length = mark(text, layout)?;
    if length != count * 4 {
        return Err(text.refuse(format!("must be the {count} atoms that move, got a record of {length} bytes")));
    }
    let mut moving = Vec::new();
    for _ in 0..count {
        // counted from 1
        let number = whole(text, layout.endian)?;
        if !(1..=atoms).contains(&number) {
            return Err(text.refuse(format!("must be one of the atoms 1 to {atoms}, got {number}")));
        }
        moving.push(u32::try_from(number - 1).expect("32 bits"));
    }
    end_record(text, layout, length)?;
    Ok(moving)
}

/// A whole number of 32 bits.
fn whole(text: &mut Text, endian: Endian) -> Result<u64> {
    Ok(endian.whole(text.exactly(4, "a record")?))
}

/// The length of a record, before it or after it.
fn mark(text: &mut Text, layout: Layout) -> Result<u64> {
    Ok(layout.endian.whole(text.exactly(layout.mark, "a record")?))
}

fn end_record(text: &mut Text, layout: Layout, length: u64) -> Result<()> {
    let found = mark(text, layout)?;
    if found == length {
        return Ok(());
    }
    Err(text.refuse(format!("a record of {length} bytes must end with its length, got {found}")))
}

fn skip_record(text: &mut Text, layout: Layout) -> Result<()> {
    let length = mark(text, layout)?;
    text.skip_bytes(length)?;
    end_record(text, layout, length)
}

/// Reads one coordinate of all atoms.
fn coordinates(text: &mut Text, layout: Layout, atoms: u64, take: &mut dyn FnMut(usize, f32)) -> Result<()> {
    /// Atoms read at a time, so that a wrong count in a file allocates no memory.
    const STEP: u64 = 1 << 16;
    let mut atom = 0;
    let mut left = atoms;
    while left > 0 {
        let count = usize::try_from(left.min(STEP)).expect("a few");
        let bytes = text.exactly(count * 4, "coordinates")?;
        for bytes in bytes.chunks_exact(4) {
            #[expect(clippy::cast_possible_truncation, reason = "was an f32")]
            take(atom, Scalar::F32.read(bytes, layout.endian) as f32);
            atom += 1;
        }
        left -= count as u64;
    }
    Ok(())
}

/// The box: A, γ, B, β, α, C, with angles in degrees or as cosines; or, from CHARMM, the lower triangle of a symmetric
/// matrix with the edges as columns.
///
/// Source: MDAnalysis' DCDReader, which tells them apart in nearly the same way.
fn cell(text: &mut Text, layout: Layout, version: f64) -> Result<Option<Cell>> {
    let length = mark(text, layout)?;
    if length != 48 {
        text.skip_bytes(length)?;
        end_record(text, layout, length)?;
        return Ok(None);
    }
    let bytes = text.exactly(48, "the box")?;
    let numbers: [f64; 6] = std::array::from_fn(|index| Scalar::F64.read(&bytes[8 * index..], layout.endian));
    end_record(text, layout, length)?;
    Ok(cell_of(numbers, version))
}

fn cell_of(numbers: [f64; 6], version: f64) -> Option<Cell> {
    /// The version claimed by NAMD, LAMMPS and OpenMM, which write angles. CHARMM itself is newer.
    const CLAIMED: f64 = 24.0;
    /// Angles of real boxes in degrees.
    const ANGLES: std::ops::RangeInclusive<f64> = 30.0..=150.0;
    if !numbers.iter().all(|value| value.is_finite()) {
        return None;
    }
    let [a, gamma, b, beta, alpha, c] = numbers;
    let (lengths, angles) = ([a, b, c], [alpha, beta, gamma]);
    if angles == [0.0; 3] {
        return Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::from(lengths)));
    }
    let is_cosines = angles.iter().all(|angle| angle.abs() <= 1.0);
    if angles.iter().all(|angle| ANGLES.contains(angle)) {
        return Cell::from_lengths_and_angles(lengths, angles);
    }
    if is_cosines && version <= CLAIMED {
        return Cell::from_lengths_and_angles(lengths, angles.map(|angle| libm::acos(angle).to_degrees()));
    }
    let edges = DMat3::from_cols(DVec3::new(a, gamma, beta), DVec3::new(gamma, b, alpha), DVec3::new(beta, alpha, c));
    // a box is positive definite: Sylvester's criterion
    let is_box = a > 0.0 && a * b - gamma * gamma > 0.0 && edges.determinant() > 0.0;
    if is_box { Cell::new(DVec3::ZERO, edges) } else { Cell::from_lengths_and_angles(lengths, angles) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_angles_cosines_or_a_matrix() {
        let shape = |numbers, version| {
            let (lengths, angles) = cell_of(numbers, version).expect("a box").lengths_and_angles();
            lengths.into_iter().chain(angles).map(|value| (value * 1e3).round() / 1e3).collect::<Vec<f64>>()
        };
        // angles stand in the order γ, β, α
        assert_eq!(shape([20.0, 75.0, 25.0, 90.0, 90.0, 30.0], 24.0), [20.0, 25.0, 30.0, 90.0, 90.0, 75.0]);
        assert_eq!(shape([20.0, 0.5, 25.0, 0.0, 0.0, 30.0], 24.0), [20.0, 25.0, 30.0, 90.0, 90.0, 60.0]);
        assert_eq!(shape([20.0, 0.0, 25.0, 0.0, 0.0, 30.0], 36.0), [20.0, 25.0, 30.0, 90.0, 90.0, 90.0]);
        // the first frame of MDAnalysis' tip125_tric_C36.dcd and the dimensions that MDAnalysis reads from it
        let charmm = [30.841_836, 14.578_635, 31.780_088, 9.626_323, -2.608_150, 32.670_090];
        let expected = [35.446, 35.062, 34.159, 91.328, 61.735, 44.407];
        let found = shape(charmm, 36.0);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 2e-3), "{found:?}");
        // a matrix that leans by less than an ångström is no cosine where CHARMM itself wrote it
        let slight = shape([20.0, 0.5, 25.0, 0.0, 0.0, 30.0], 36.0);
        assert!((slight[5] - 87.4).abs() < 0.1, "{slight:?}");
        assert_eq!(cell_of([20.0, f64::NAN, 25.0, 0.0, 0.0, 30.0], 36.0), None);
        assert_eq!(cell_of([0.0, -3.0, 25.0, 0.0, 0.0, 30.0], 36.0), None);
    }
}
