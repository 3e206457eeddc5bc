//! AMBER's coordinates in text (`inpcrd`, `rst7`): a title, the number of atoms and perhaps a time, then numbers in
//! fields of twelve columns.
//!
//! Source: AMBER, "AMBER file formats". Coordinates of all atoms, then perhaps velocities, then perhaps the box.

use super::facts::FrameTime;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use crate::data::{Cell, Kind};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::geom::single;
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::Text;

/// AMBER's unit of velocity in ångström per picosecond.
const VELOCITY: f64 = 20.455;

pub(super) fn sniff(text: &str) -> bool {
    let mut lines = text.lines().skip(1);
    let is_count = lines.next().is_some_and(|line| {
        let mut words = line.split_ascii_whitespace();
        words.next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
            && words.clone().count() <= 3
            && words.all(|word| word.parse::<f64>().is_ok())
    });
    let line = lines.next().unwrap_or_default().trim_end().as_bytes();
    let is_number = |field: &[u8]| field.get(4) == Some(&b'.') && number(field).is_some();
    is_count && matches!(line.len(), 36 | 72) && line.chunks(12).all(is_number)
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    const FIELDS: [(&str, Kind); 3] = [("vx", Kind::F32), ("vy", Kind::F32), ("vz", Kind::F32)];
    let mut text = Text::new(stream);
    reading.only_first_frame()?;
    text.line()?;
    let counts = text.text_line()?.unwrap_or_default();
    let atoms = counts.split_ascii_whitespace().next().and_then(|count| count.parse::<u64>().ok());
    let Some(atoms) = atoms.filter(|&atoms| atoms > 0) else {
        return Err(text.refuse(format!("must be the number of atoms, 1 or more, got {:?}", shortened(&counts))));
    };
    let time = counts.split_ascii_whitespace().nth(1).and_then(|time| time.parse().ok());
    reading.facts.times.unit = "ps";
    reading.note_time(0, FrameTime { time: time.filter(|time: &f64| time.is_finite()), step: None });
    reading.check_held(atoms, 48, || format!("{}:{}: the file promises {atoms} atoms", text.file, text.number()))?;
    let mut numbers: Vec<f64> = Vec::new();
    let least = atoms.saturating_mul(3);
    // at most coordinates, velocities and a box
    while (numbers.len() as u64) < least.saturating_mul(2).saturating_add(6) {
        let Some(line) = text.line()? else { break };
        let line = line.trim_ascii_end().to_vec();
        for field in line.chunks(12) {
            let value = number(field).ok_or_else(|| {
                let found = shortened(String::from_utf8_lossy(field).trim());
                text.refuse(format!("must be numbers of 12 columns, got {found:?}"))
            })?;
            numbers.push(value);
        }
    }
    if (numbers.len() as u64) < least {
        return Err(text.refuse(format!("{atoms} atoms are promised, but the file ends after {}", numbers.len() / 3)));
    }
    let (positions, rest) = numbers.split_at(usize::try_from(least).expect("as many were read"));
    let extra = rest.len().checked_sub(positions.len());
    // for one or two atoms, six numbers are a box
    let has_velocities = matches!(extra, Some(0 | 3 | 6)) && !(rest.len() == 6 && atoms <= 2);
    let (velocities, shape) = rest.split_at(if has_velocities { positions.len() } else { 0 });
    let fields: &[(&str, Kind)] = if has_velocities { &FIELDS } else { &[] };
    let announced = held_atoms::begin(reading, atoms, fields, &text.file)?;
    let cell = match *shape {
        [a, b, c] => Cell::from_lengths_and_angles([a, b, c], [90.0; 3]),
        [a, b, c, alpha, beta, gamma] => Cell::from_lengths_and_angles([a, b, c], [alpha, beta, gamma]),
        _ => None,
    };
    let positions = positions.chunks_exact(3).map(|place| [place[0], place[1], place[2]]).collect();
    let axis = |axis: usize| {
        let axis = velocities.iter().skip(axis).step_by(3);
        Some(ColumnBuilder::F32(axis.map(|value| single(value * VELOCITY)).collect()))
    };
    let columns = if has_velocities { (0..3).map(axis).collect() } else { Vec::new() };
    announced.finish(reading, HeldAtoms { positions, columns, cell, ..HeldAtoms::default() })
}
