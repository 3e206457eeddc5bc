//! DL_POLY's configurations (`CONFIG`, `REVCON`) and trajectories (`HISTORY`), in text.
//!
//! Source: I. T. Todorov and W. Smith, "The DL_POLY 4 User Manual", chapter "Data Files". A title; the level of
//! content, the kind of box and perhaps the number of atoms; three edges; then for each atom its name, position,
//! velocity and force, one line each. The origin is the centre of the box.

use glam::{DMat3, DVec3};

use super::elements::element_of_simulated;
use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use crate::color::elements::{Atomic, symbol_of_species};
use crate::data::{Cell, Kind};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::geom::single;
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::Text;

/// All fields; a file of level 0 has only the first two.
#[rustfmt::skip]
const FIELDS: [(&str, Kind); 8] = [
    ("element", Kind::Name), ("name", Kind::Name), ("vx", Kind::F32), ("vy", Kind::F32), ("vz", Kind::F32),
    ("fx", Kind::F32), ("fy", Kind::F32), ("fz", Kind::F32),
];

/// Most bytes of memory per atom.
const EACH: u64 = 64;

/// The element of an atom from its name: a symbol, perhaps with a number, or the start of a name from a simulation.
fn element(name: &str) -> &str {
    let symbol = symbol_of_species(name);
    let is_known = Atomic::from_symbol(symbol.as_bytes()).is_some();
    if is_known { symbol } else { element_of_simulated(name.as_bytes(), b"") }
}

fn numbers(line: &str) -> Option<Vec<f64>> {
    line.split_ascii_whitespace().map(|word| number(word.as_bytes())).collect()
}

/// The level of content and the kind of box.
fn settings(line: &str) -> Option<(usize, u32)> {
    let whole = |word: &str| word.parse::<u32>().ok();
    let mut words = line.split_ascii_whitespace();
    let (level, shape) = (whole(words.next()?)?, whole(words.next()?)?);
    let rest = words.clone().count() <= 3 && words.all(|word| number(word.as_bytes()).is_some());
    (level <= 2 && shape <= 7 && rest).then_some((level as usize, shape))
}

pub(super) fn sniff(text: &str) -> bool {
    let mut lines = text.lines().skip(1);
    let line = |lines: &mut std::iter::Skip<std::str::Lines<'_>>| lines.next().unwrap_or_default().to_owned();
    let Some((_, shape)) = settings(&line(&mut lines)) else { return false };
    let mut next = line(&mut lines);
    if next.starts_with("timestep") {
        return true;
    }
    if shape > 0 {
        let rest = [next, line(&mut lines), line(&mut lines)];
        if !rest.iter().all(|edge| numbers(edge).is_some_and(|edge| edge.len() == 3)) {
            return false;
        }
        next = line(&mut lines);
    }
    let is_name =
        next.split_ascii_whitespace().next().is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    is_name && numbers(&line(&mut lines)).is_some_and(|place| place.len() == 3)
}

/// The head of a frame.
struct DlPolyFrame {
    /// The promised number of atoms; the atoms of a configuration may end with the file instead.
    atoms: Option<u64>,
    cell: Option<Cell>,
}

struct DlPolyText {
    text: Text,
    /// 0: positions alone; 1: velocities, too; 2: forces, too.
    level: usize,
    is_history: bool,
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    text.line()?;
    let line = text.text_line()?.unwrap_or_default();
    let Some((level, _)) = settings(&line) else {
        let found = shortened(line.trim());
        return Err(text.refuse(format!("must be a level of 0 to 2 and a kind of box of 0 to 7, got {found:?}")));
    };
    let is_history = text.peek()?.is_some_and(|line| line.starts_with(b"timestep"));
    let mut file = DlPolyText { text, level, is_history };
    let wanted = reading.extent.frame;
    for passed in 0..wanted {
        let skipped = file.skip_frame();
        if !skipped.map_err(|error| frames::cut_off(&mut file.text, reading, passed, error))? {
            return Err(reading.no_frame(passed.max(1)));
        }
    }
    let head = file.head().map_err(|error| frames::cut_off(&mut file.text, reading, wanted, error))?;
    let Some(head) = head else { return Err(reading.no_frame(wanted)) };
    file.atoms(&head, reading).map_err(|error| frames::cut_off(&mut file.text, reading, wanted, error))?;
    frames::count_each(&mut file, |file| &mut file.text, reading, |file, _| file.skip_frame())
}

impl DlPolyText {
    /// Skips a frame of a trajectory; false at the end of the file.
    fn skip_frame(&mut self) -> Result<bool> {
        if !self.is_history {
            return Ok(false);
        }
        let Some(DlPolyFrame { atoms, .. }) = self.head()? else { return Ok(false) };
        frames::skip_rows(&mut self.text, atoms.unwrap_or(0).saturating_mul(self.level as u64 + 2), Some(3))?;
        Ok(true)
    }

    /// The head of the next frame; `None` at the end of a trajectory. The lines of the box are recognized by their
    /// numbers, because the stated kind may be wrong.
    fn head(&mut self) -> Result<Option<DlPolyFrame>> {
        let mut atoms = None;
        if self.is_history {
            let Some(line) = self.text.text_line()?.filter(|line| !line.trim().is_empty()) else { return Ok(None) };
            let mut words = line.split_ascii_whitespace();
            let is_step = words.next() == Some("timestep");
            atoms = words.nth(1).and_then(|count| count.parse::<u64>().ok()).filter(|_| is_step);
            if atoms.is_none() {
                let found = shortened(line.trim());
                return Err(self
                    .text
                    .refuse(format!("must be timestep, its number and that of its atoms, got {found:?}")));
            }
        }
        let next = self.text.peek_text()?;
        let has_cell = numbers(&next).is_some_and(|edge| edge.len() == 3);
        let cell = if has_cell { self.cell()? } else { None };
        Ok(Some(DlPolyFrame { atoms, cell }))
    }

    /// The box around the origin.
    fn cell(&mut self) -> Result<Option<Cell>> {
        let mut edges = [DVec3::ZERO; 3];
        for edge in &mut edges {
            let line = self.text.text_line()?.unwrap_or_default();
            let Some(&[x, y, z]) = numbers(&line).as_deref() else {
                let found = shortened(line.trim());
                return Err(self.text.refuse(format!("must be an edge of the box, three numbers, got {found:?}")));
            };
            *edge = DVec3::new(x, y, z);
        }
        let edges = DMat3::from_cols(edges[0], edges[1], edges[2]);
        Ok(Cell::new(edges * DVec3::splat(-0.5), edges))
    }

    fn atoms(&mut self, head: &DlPolyFrame, reading: &mut Reading<'_>) -> Result<()> {
        let fields = &FIELDS[..2 + 3 * self.level];
        let mut held = HeldAtoms::with_columns(fields);
        held.cell = head.cell;
        while head.atoms.is_none_or(|atoms| (held.positions.len() as u64) < atoms) {
            let line = self.text.text_line()?.filter(|line| !line.trim().is_empty());
            let Some(line) = line else {
                if let Some(atoms) = head.atoms {
                    let found = held.positions.len();
                    let message = format!("{atoms} atoms are promised, but the file ends after {found}");
                    return Err(self.text.refuse(message));
                }
                break;
            };
            let name = line.split_ascii_whitespace().next().unwrap_or_default();
            held.put(0, element(name).as_bytes()).map_err(|accepted| self.text.refuse(accepted))?;
            held.put(1, name.as_bytes()).map_err(|accepted| self.text.refuse(accepted))?;
            for row in 0..=self.level {
                let line = self.text.text_line()?.unwrap_or_default();
                let found = numbers(&line).filter(|found| found.len() >= 3);
                let Some(found) = found else {
                    let found = shortened(line.trim());
                    return Err(self.text.refuse(format!("must be three numbers of the atom {name:?}, got {found:?}")));
                };
                let place = [found[0], found[1], found[2]];
                if row == 0 {
                    held.positions.push(place);
                    continue;
                }
                for (axis, value) in place.into_iter().enumerate() {
                    if let Some(Some(ColumnBuilder::F32(values))) = held.columns.get_mut(3 * row - 1 + axis) {
                        values.push(single(value));
                    }
                }
            }
            let count = held.positions.len();
            if count.is_power_of_two() {
                reading.check_held(2 * count as u64, EACH, || format!("{}: {count} atoms and more", self.text.file))?;
            }
        }
        let atoms = held.positions.len() as u64;
        if atoms == 0 {
            return Err(self.text.refuse("has no atoms"));
        }
        held_atoms::begin(reading, atoms, fields, &self.text.file.clone())?.finish(reading, held)
    }
}
