//! Atoms in XYZ: a line with their number, a line of comment, then a line each with element and coordinates.
//!
//! Of many frames one is read, the first unless another is wanted. More columns may follow the coordinates; the
//! "extended" form names them in the comment, as `Properties=species:S:1:pos:R:3:charge:R:1`, else they are called
//! `column5` and so on.

use std::io::BufRead;
use std::ops::Range;

use super::atoms::{Atoms, Wanted, no_frame};
use super::ledger::ATOM;
use super::lines::Lines;
use super::nearest::shortened;
use super::source::{Format, Input};
use super::table::number;
use crate::color::elements::Atomic;
use crate::error::{Error, Result};

/// Where in a line things stand, counted from 0.
struct Layout {
    species: usize,
    position: usize,
    /// All further columns that hold one number, by name.
    others: Vec<(String, usize)>,
}

/// Reads the wanted frame.
pub(super) fn read(input: Input, wanted: &Wanted<'_>) -> Result<Atoms> {
    let ledger = input.ledger;
    let (file, lines) = input.lines();
    let mut lines = Lines::new(file, lines, ledger.room(ATOM));
    let missing = |frames: u64, file: &str| match frames {
        0 => Error::input(file, None, "the file is empty"),
        frames => no_frame(wanted.frame, frames, file),
    };
    let mut count = count(&mut lines)?.ok_or_else(|| missing(0, &lines.file))?;
    for frame in 1..=wanted.frame {
        skip(&mut lines, count)?;
        count = self::count(&mut lines)?.ok_or_else(|| missing(frame, &lines.file))?;
    }
    if count == 0 {
        return Err(lines.refuse("must be the number of atoms, 1 or more, got 0".to_owned()));
    }
    let promised = || format!("{}:{}: the frame promises {count} atoms", lines.file, lines.number());
    ledger.check(count, ATOM, promised)?;
    lines.next()?;
    let comment = String::from_utf8_lossy(lines.line()).into_owned();
    let mut layout = layout(&comment);
    let mut atoms = Atoms::new(lines.file.clone(), Format::Xyz);
    let mut picked = None;
    let mut places = Vec::new();
    for read in 0..count {
        if !lines.next()? {
            let message = format!("the frame promises {count} atoms, but the file ends after {read}");
            return Err(Error::input(&lines.file, lines.number(), message));
        }
        let line = std::str::from_utf8(lines.line()).map_err(|_| lines.refuse("not UTF-8 text".to_owned()))?;
        split(line, &mut places);
        let field = |place: usize| places.get(place).map(|part: &Range<usize>| &line[part.clone()]);
        if picked.is_none() {
            if layout.others.is_empty() {
                layout.others = (4..places.len()).map(|place| (format!("column{}", place + 1), place)).collect();
            }
            atoms.columns = layout.others.iter().map(|(name, _)| name.clone()).collect();
            picked = Some(wanted.pick(&atoms)?);
        }
        let coordinate = |place: usize, name: &str| {
            let Some(text) = field(place) else {
                let found =
                    if line.trim().is_empty() { "nothing".to_owned() } else { format!("{:?}", shortened(line)) };
                return Err(lines.refuse(format!("must be an element and its coordinates, got {found}")));
            };
            number(text.as_bytes())
                .filter(|value| value.is_finite())
                .ok_or_else(|| lines.refuse(format!("{name} must be a finite number, got {:?}", shortened(text))))
        };
        let at = layout.position;
        let center = [coordinate(at, "x")?, coordinate(at + 1, "y")?, coordinate(at + 2, "z")?];
        atoms.push(field(layout.species).map_or(Atomic::UNKNOWN, element), center, &lines)?;
        if atoms.notes(wanted) {
            let all = [("element".to_owned(), layout.species)].into_iter().chain(layout.others.iter().cloned());
            let value = |(name, place)| field(place).map(|value| (name, shortened(value)));
            atoms.noted = all.filter_map(value).collect();
        }
        for pick in picked.iter().flatten() {
            let (name, place) = &layout.others[pick.column];
            atoms.push_value(pick, coordinate(*place, name)?, &lines)?;
        }
    }
    if wanted.count_models {
        atoms.models = 1 + wanted.frame + following(&mut lines)?;
    }
    Ok(atoms)
}

/// The number of atoms that a frame starts with; `None` at the end of the file.
fn count<R: BufRead>(lines: &mut Lines<R>) -> Result<Option<u64>> {
    loop {
        if !lines.next()? {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(lines.line());
        let text = text.trim();
        if !text.is_empty() {
            let refuse = || lines.refuse(format!("must be the number of atoms, got {:?}", shortened(text)));
            return text.parse().map(Some).map_err(|_| refuse());
        }
    }
}

/// The number of frames that follow, a last unfinished one included.
fn following<R: BufRead>(lines: &mut Lines<R>) -> Result<u64> {
    let mut frames = 0;
    while let Some(count) = count(lines)? {
        frames += 1;
        skip(lines, count)?;
    }
    Ok(frames)
}

/// Passes over a frame's comment and atoms, as many of them as there are.
fn skip<R: BufRead>(lines: &mut Lines<R>, count: u64) -> Result<()> {
    for _ in 0..=count {
        if !lines.next()? {
            break;
        }
    }
    Ok(())
}

/// Where the parts of a line stand that blanks divide.
fn split(line: &str, places: &mut Vec<Range<usize>>) {
    places.clear();
    let start = line.as_ptr().addr();
    places.extend(line.split_ascii_whitespace().map(|part| {
        let from = part.as_ptr().addr() - start;
        from..from + part.len()
    }));
}

/// A symbol, perhaps with a number behind it (`C12`), or an atomic number.
fn element(species: &str) -> Atomic {
    let letters = species.trim_end_matches(|end: char| !end.is_ascii_alphabetic());
    if letters.is_empty() {
        return species.parse().ok().and_then(Atomic::from_number).unwrap_or(Atomic::UNKNOWN);
    }
    Atomic::from_symbol(letters.as_bytes()).unwrap_or(Atomic::UNKNOWN)
}

/// The order of columns: the plain one, unless the comment tells another.
fn layout(comment: &str) -> Layout {
    let plain = Layout { species: 0, position: 1, others: Vec::new() };
    let Some((_, properties)) = comment.split_once("Properties=") else { return plain };
    let properties = properties.trim_start_matches('"').split([' ', '"']).next().unwrap_or_default();
    let parts: Vec<_> = properties.split(':').collect();
    let (mut species, mut position, mut others, mut place) = (None, None, Vec::new(), 0_usize);
    for part in parts.chunks_exact(3) {
        let Ok(width @ 1..=64) = part[2].parse::<usize>() else { return plain };
        match (part[0], part[1], width) {
            ("species", _, 1) => species = Some(place),
            ("Z", "I", 1) if species.is_none() => species = Some(place),
            ("pos", "R", 3) => position = Some(place),
            (name, "R" | "I", 1) => others.push((name.to_owned(), place)),
            (name, "R" | "I", _) => {
                others.extend((0..width).map(|index| (format!("{name}{}", index + 1), place + index)))
            }
            _ => {}
        }
        place += width;
    }
    match (species, position) {
        (Some(species), Some(position)) => Layout { species, position, others },
        _ => plain,
    }
}
