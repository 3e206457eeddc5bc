//! Crystals of VASP: POSCAR and CONTCAR, and the steps of an XDATCAR.
//!
//! Source: VASP wiki, "POSCAR" and "XDATCAR". A title, a factor, three edges, the elements and the numbers of their
//! atoms; then positions in fractions of the edges, or in ångström.

use glam::{DMat3, DVec3};

use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use crate::color::elements::{Atomic, symbol_of_species};
use crate::data::{Cell, Kind};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::Text;

const FIELDS: [(&str, Kind); 1] = [("element", Kind::Name)];

/// The numbers at the start of a line.
fn numbers(line: &str) -> Vec<f64> {
    line.split_ascii_whitespace().map_while(|word| number(word.as_bytes())).collect()
}

/// Whether all words of a line begin with a letter.
fn are_names(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace().peekable();
    words.peek().is_some() && words.all(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic()))
}

fn are_counts(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace().peekable();
    words.peek().is_some() && words.all(|word| word.parse::<u64>().is_ok())
}

/// Whether a text of unknown format is VASP's: a title, a factor, three edges, perhaps the elements, the numbers of
/// their atoms, and the kind of coordinates.
pub(super) fn sniff(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().take(9).collect();
    let line = |index: usize| lines.get(index).copied().unwrap_or_default();
    let counts = if are_names(line(5)) { 6 } else { 5 };
    let kind = line(counts + 1).trim_start();
    matches!(numbers(line(1)).len(), 1 | 3)
        && (2..5).all(|edge| numbers(line(edge)).len() >= 3)
        && are_counts(line(counts))
        && kind.starts_with(['S', 's', 'D', 'd', 'C', 'c', 'K', 'k'])
}

/// The header of a file, or of a step.
#[derive(Clone, Debug)]
struct VaspHeader {
    edges: DMat3,
    /// Factor for Cartesian coordinates.
    factor: DVec3,
    /// Symbols, with their numbers of atoms.
    species: Vec<(String, u64)>,
}

impl VaspHeader {
    fn atoms(&self) -> u64 {
        self.species.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let mut header = header(&mut text)?;
    let is_of_steps = text.peek()?.is_some_and(is_step);
    let wanted = reading.extent.frame;
    let mut passed = 0;
    while is_of_steps && passed < wanted {
        let step = skip_step(&mut text, &mut header);
        passed += 1;
        if !step.map_err(|error| frames::cut_off(&mut text, reading, passed, error))? {
            return Err(reading.no_frame(passed));
        }
    }
    if passed < wanted {
        return Err(reading.no_frame(1));
    }
    read_step(&mut text, reading, &header).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    frames::count_each(
        &mut text,
        |text| text,
        reading,
        |text, _| {
            let has_next = is_of_steps && next_step(text, &mut header)?;
            if has_next {
                text.line()?;
                frames::skip_rows(text, header.atoms(), Some(3))?;
            }
            Ok(has_next)
        },
    )
}

/// Skips a step, and the header of the next; false at the end of the file.
fn skip_step(text: &mut Text, header: &mut VaspHeader) -> Result<bool> {
    text.line()?;
    frames::skip_rows(text, header.atoms(), Some(3))?;
    next_step(text, header)
}

/// Reads the atoms of a configuration or step.
fn read_step(text: &mut Text, reading: &mut Reading<'_>, header: &VaspHeader) -> Result<()> {
    let atoms = header.atoms();
    let place = format!("{}:{}", text.file, text.number());
    let announced = held_atoms::begin(reading, atoms, &FIELDS, &place)?;
    let mut kind = text.text_line()?.unwrap_or_default().trim().to_owned();
    if kind.starts_with(['S', 's']) {
        // skip "Selective dynamics"
        kind = text.text_line()?.unwrap_or_default().trim().to_owned();
    }
    let is_cartesian = kind.starts_with(['C', 'c', 'K', 'k']);
    if !is_cartesian && !kind.starts_with(['D', 'd']) {
        return Err(text.refuse(format!("must be Direct or Cartesian, got {:?}", shortened(&kind))));
    }
    let mut held = HeldAtoms::with_columns(&FIELDS);
    held.cell = Cell::new(DVec3::ZERO, header.edges);
    for (symbol, count) in &header.species {
        for _ in 0..*count {
            let line = text.text_line()?;
            let Some(line) = line else {
                return Err(text
                    .refuse(format!("{atoms} atoms are promised, but the file ends after {}", held.positions.len())));
            };
            let found = numbers(&line);
            let &[x, y, z, ..] = found.as_slice() else {
                return Err(text.refuse(format!("must be the position of an atom, got {:?}", shortened(line.trim()))));
            };
            let place = DVec3::new(x, y, z);
            let place = if is_cartesian { header.factor * place } else { header.edges * place };
            held.positions.push(place.into());
            held.put(0, symbol.as_bytes()).map_err(|accepted| text.refuse(accepted))?;
        }
    }
    announced.finish(reading, held)
}

fn is_step(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    line.trim_start().starts_with("direct") && line.contains('=')
}

/// Skips to the first line of the next step, past the header, which repeats if the cell changes; false at the end of
/// the file.
fn next_step(text: &mut Text, current: &mut VaspHeader) -> Result<bool> {
    while text.peek()?.is_some_and(|line| line.trim_ascii().is_empty()) {
        text.line()?;
    }
    let Some(line) = text.peek()? else { return Ok(false) };
    if !is_step(line) {
        *current = header(text)?;
    }
    Ok(text.peek()?.is_some_and(is_step))
}

fn header(text: &mut Text) -> Result<VaspHeader> {
    let mut next = |what: &str| -> Result<String> {
        let line = text.text_line()?;
        line.ok_or_else(|| text.refuse(format!("the file ends before {what}")))
    };
    let title = next("its title")?;
    let factors = numbers(&next("its factor")?);
    let mut edges = [DVec3::ZERO; 3];
    let mut is_whole = true;
    for edge in &mut edges {
        match numbers(&next("the edges of the cell")?).as_slice() {
            &[x, y, z, ..] => *edge = DVec3::new(x, y, z),
            _ => is_whole = false,
        }
    }
    let line = next("the numbers of atoms")?;
    let has_names = are_names(&line);
    let counts = if has_names { next("the numbers of atoms")? } else { line.clone() };
    let names: Vec<&str> = if has_names { &line } else { &title }.split_ascii_whitespace().collect();
    let edges = DMat3::from_cols(edges[0], edges[1], edges[2]);
    let factor = match *factors.as_slice() {
        [x, y, z] => DVec3::new(x, y, z),
        // a negative factor is the volume
        [volume, ..] if volume < 0.0 => DVec3::splat(libm::cbrt(-volume / edges.determinant().abs())),
        [factor, ..] => DVec3::splat(factor),
        [] => DVec3::ZERO,
    };
    let counts: Option<Vec<u64>> = counts.split_ascii_whitespace().map(|count| count.parse().ok()).collect();
    let counts = counts.filter(|counts| !counts.is_empty() && counts.iter().any(|&count| count > 0));
    let Some(counts) = counts else { return Err(text.refuse("must be the numbers of atoms, 1 or more in all")) };
    if !(is_whole && factor.is_finite() && factor.min_element() > 0.0) {
        return Err(text.refuse("the cell must have a factor that is not 0 and three edges of three numbers"));
    }
    let symbol = |place: usize| {
        // names such as Si_sv or Fe/4f2a
        let name = names.get(place).and_then(|name| name.split(['_', '/', '.']).next()).unwrap_or_default();
        let is_known = names.len() == counts.len();
        let element = Atomic::from_symbol(name.as_bytes()).filter(|_| is_known).map(Atomic::symbol);
        element.unwrap_or_else(|| if has_names { symbol_of_species(name) } else { Atomic::UNKNOWN.symbol() }).to_owned()
    };
    let species = counts.iter().enumerate().map(|(place, &count)| (symbol(place), count)).collect();
    Ok(VaspHeader { edges: DMat3::from_diagonal(factor) * edges, factor, species })
}
