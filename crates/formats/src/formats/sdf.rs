//! Molecules in MDL's molfiles (V2000 and V3000), one after the other in an SDF.
//!
//! Source: BIOVIA, "CTfile Formats", 2020. Elements, charges and coordinates are read; each molecule is a frame.

use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use crate::color::elements::symbol_of_species;
use crate::data::{Bond, BondOrder, FileBonds, Kind};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::Text;
use crate::source::rows::is_in_range;

const FIELDS: [(&str, Kind); 2] = [("element", Kind::Name), ("charge", Kind::F32)];
const ELEMENT: usize = 0;
const CHARGE: usize = 1;

/// Lines of a molecule's header; the last has the counts.
const HEADER: usize = 4;

/// The ends of the columns of an atom's symbol, and of a bond's type.
const SYMBOL_END: usize = 32;
const BOND_END: usize = 9;

/// The line between molecules.
const END: &str = "$$$$";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// Numbers in columns.
    V2000,
    V3000,
}

/// Whether a text of unknown format is a molfile: the fourth line ends with its version.
pub(super) fn sniff(text: &str) -> bool {
    let counts = text.lines().nth(3).map(str::trim_end).unwrap_or_default();
    counts.ends_with(" V2000") || counts.ends_with(" V3000")
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let wanted = reading.extent.frame;
    let mut passed = 0;
    let counts = loop {
        let Some(counts) = next_counts(&mut text)? else { return Err(reading.no_frame(passed)) };
        if passed == wanted {
            break counts;
        }
        skip_rest(&mut text)?;
        passed += 1;
    };
    read_molecule(&mut text, reading, &counts).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    frames::count_each(&mut text, |text| text, reading, |text, _| pass_molecule(text))
}

/// Reads the molecule with this line of counts.
fn read_molecule(text: &mut Text, reading: &mut Reading<'_>, counts: &str) -> Result<()> {
    let version = if counts.trim_end().ends_with("V3000") { Version::V3000 } else { Version::V2000 };
    let (atoms, bonds) = match version {
        Version::V2000 => sizes(text, [counts.get(..3), counts.get(3..6)])?,
        Version::V3000 => extended_counts(text)?,
    };
    if atoms == 0 {
        return Err(text.refuse("must be the number of atoms, 1 or more, got 0"));
    }
    let place = format!("{}:{}", text.file, text.number());
    let announced = held_atoms::begin(reading, atoms, &FIELDS, &place)?;
    let mut held = HeldAtoms::with_columns(&FIELDS);
    let bonds = match version {
        Version::V2000 => plain_atoms(text, &mut held, atoms, bonds)?,
        Version::V3000 => {
            extended_atoms(text, &mut held, atoms)?;
            extended_bonds(text, atoms, bonds)?
        }
    };
    announced.finish(reading, held)?;
    reading.facts.bonds = FileBonds { is_complete: !bonds.is_empty(), rows: bonds, ..FileBonds::default() };
    Ok(())
}

/// Passes the atoms and bonds of the next molecule; false if there is none.
///
/// # Errors
/// If the file ends before or within the last of them.
fn pass_molecule(text: &mut Text) -> Result<bool> {
    let cut = "the file ends in the middle of a molecule";
    skip_rest(text)?;
    let (mut is_blank, mut counts) = (true, String::new());
    for _ in 0..HEADER {
        match text.text_line()? {
            Some(line) => {
                is_blank &= line.trim().is_empty();
                counts = line;
            }
            None if is_blank => return Ok(false),
            None => return Err(text.refuse(cut)),
        }
    }
    if is_blank {
        // nothing but empty lines behind the last molecule
        text.skip_until(|line| !line.trim_ascii().is_empty())?;
        return Ok(!text.is_at_end()?);
    }
    let is_cut = if counts.trim_end().ends_with("V3000") {
        text.skip_until(|line| line.starts_with(b"M  END") || line.starts_with(END.as_bytes()))?;
        text.peek()?.is_none()
    } else if let Ok((atoms, bonds)) = sizes(text, [counts.get(..3), counts.get(3..6)]) {
        let least = if bonds > 0 { BOND_END } else { SYMBOL_END };
        text.skip(atoms + bonds)? < atoms + bonds || text.last_without_end().is_some_and(|line| line.len() < least)
    } else {
        // its reader says what is wrong
        false
    };
    if is_cut { Err(text.refuse(cut)) } else { Ok(true) }
}

/// The line of counts of the next molecule, the fourth of its header; `None` at the end of the file.
fn next_counts(text: &mut Text) -> Result<Option<String>> {
    for _ in 1..HEADER {
        if text.line()?.is_none() {
            return Ok(None);
        }
    }
    text.text_line()
}

fn skip_rest(text: &mut Text) -> Result<()> {
    text.skip_until(|line| line.starts_with(END.as_bytes()))?;
    text.line().map(drop)
}

/// The next line as text; an error at the end of the file.
fn line(text: &mut Text, what: &str) -> Result<String> {
    let line = text.text_line()?;
    line.ok_or_else(|| text.refuse(format!("the file ends in the middle of {what}")))
}

/// Numbers of atoms and bonds.
fn sizes(text: &Text, fields: [Option<&str>; 2]) -> Result<(u64, u64)> {
    let [atoms, bonds] = fields.map(|field| field.and_then(|field| field.trim().parse::<u64>().ok()));
    match (atoms, bonds) {
        (Some(atoms), Some(bonds)) => Ok((atoms, bonds)),
        _ => {
            let found = fields.map(|field| shortened(field.unwrap_or_default().trim()));
            Err(text.refuse(format!("must be the numbers of atoms and bonds, got {:?} and {:?}", found[0], found[1])))
        }
    }
}

fn coordinate(field: &str) -> Option<f64> {
    number(field.as_bytes()).filter(|value| is_in_range(*value))
}

fn push(text: &Text, held: &mut HeldAtoms, axes: [&str; 3], symbol: &str) -> Result<()> {
    let [Some(x), Some(y), Some(z)] = axes.map(coordinate) else {
        let found = axes.map(|axis| shortened(axis.trim())).join(" ");
        return Err(text.refuse(format!("must be the coordinates of an atom, got {found:?}")));
    };
    held.positions.push([x, y, z]);
    held.put(ELEMENT, symbol_of_species(symbol.trim()).as_bytes()).map_err(|accepted| text.refuse(accepted))
}

/// Parses a bond: its type, and the numbers of its atoms, from 1.
fn bond(text: &Text, [order, first, second]: [&str; 3], atoms: u64) -> Result<Bond> {
    let atom = |field: &str| {
        let number = field.trim().parse::<u32>().ok().filter(|&number| (1..=atoms).contains(&u64::from(number)));
        number.map(|number| number - 1).ok_or_else(|| {
            text.refuse(format!(
                "a bond must have numbers of atoms from 1 to {atoms}, got {:?}",
                shortened(field.trim())
            ))
        })
    };
    let order = match order.trim() {
        "2" => BondOrder::Double,
        "3" => BondOrder::Triple,
        "4" => BondOrder::Aromatic,
        _ => BondOrder::Single,
    };
    Ok(Bond::new(atom(first)?, atom(second)?, order))
}

/// Reads atoms and bonds in columns, then charges from the properties.
fn plain_atoms(text: &mut Text, held: &mut HeldAtoms, atoms: u64, bonds: u64) -> Result<Vec<Bond>> {
    let mut charges: Vec<f32> = Vec::new();
    for _ in 0..atoms {
        let line = line(text, "the atoms")?;
        let field = |from: usize, to: usize| line.get(from..to.min(line.len())).unwrap_or_default();
        push(text, held, [field(0, 10), field(10, 20), field(20, 30)], field(31, 34))?;
        // a code: 4 is a radical
        charges.push(match field(36, 39).trim() {
            "1" => 3.0,
            "2" => 2.0,
            "3" => 1.0,
            "5" => -1.0,
            "6" => -2.0,
            "7" => -3.0,
            _ => 0.0,
        });
    }
    let mut found = Vec::new();
    for _ in 0..bonds {
        let line = line(text, "the bonds")?;
        let field = |from: usize, to: usize| line.get(from..to.min(line.len())).unwrap_or_default();
        found.push(bond(text, [field(6, 9), field(0, 3), field(3, 6)], atoms)?);
    }
    let mut is_first = true;
    while let Some(line) = text.peek()? {
        if line.starts_with(END.as_bytes()) || line.starts_with(b"M  END") {
            break;
        }
        let line = String::from_utf8_lossy(line).into_owned();
        if let Some(pairs) = line.strip_prefix("M  CHG") {
            if std::mem::take(&mut is_first) {
                charges.fill(0.0);
            }
            let numbers: Vec<i64> =
                pairs.split_ascii_whitespace().skip(1).map_while(|word| word.parse().ok()).collect();
            for pair in numbers.chunks_exact(2) {
                if let (Ok(atom @ 1..), Ok(charge)) = (usize::try_from(pair[0]), i16::try_from(pair[1]))
                    && let Some(known) = charges.get_mut(atom - 1)
                {
                    *known = f32::from(charge);
                }
            }
        }
        text.line()?;
    }
    held.columns[CHARGE] = Some(ColumnBuilder::F32(charges));
    Ok(found)
}

/// Skips past the first line of a block of an extended molfile; false if the molecule has none.
fn skip_to_block(text: &mut Text, block: &str) -> Result<bool> {
    while let Some(line) = extended_line(text)? {
        if line.split_ascii_whitespace().eq(["BEGIN", block]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The bonds of an extended molfile, after its atoms.
fn extended_bonds(text: &mut Text, atoms: u64, bonds: u64) -> Result<Vec<Bond>> {
    let mut found = Vec::new();
    if bonds == 0 || !skip_to_block(text, "BOND")? {
        return Ok(found);
    }
    for _ in 0..bonds {
        let line = extended_line(text)?.unwrap_or_default();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let &[_, order, first, second, ..] = words.as_slice() else {
            return Err(text.refuse(format!("must be a bond with two atoms, got {:?}", shortened(&line))));
        };
        found.push(bond(text, [order, first, second], atoms)?);
    }
    Ok(found)
}

/// A line of an extended molfile without its mark, joined with its continuation lines; `None` after the end of the
/// molecule.
fn extended_line(text: &mut Text) -> Result<Option<String>> {
    let mut all = String::new();
    loop {
        let next = line(text, "the molecule")?;
        let Some(part) = next.strip_prefix("M  V30 ") else {
            if next.starts_with("M  END") || next.starts_with(END) {
                return Ok(None);
            }
            continue;
        };
        match part.trim_end().strip_suffix('-') {
            Some(part) if all.len() < 1 << 16 => all.push_str(part),
            _ => {
                all.push_str(part.trim_end());
                return Ok(Some(all));
            }
        }
    }
}

fn extended_counts(text: &mut Text) -> Result<(u64, u64)> {
    while let Some(line) = extended_line(text)? {
        if let Some(counts) = line.trim_start().strip_prefix("COUNTS ") {
            let mut words = counts.split_ascii_whitespace();
            return sizes(text, [words.next(), words.next()]);
        }
    }
    Err(text.refuse("the molecule has no line COUNTS"))
}

fn extended_atoms(text: &mut Text, held: &mut HeldAtoms, atoms: u64) -> Result<()> {
    if !skip_to_block(text, "ATOM")? {
        return Err(text.refuse("the molecule has no atoms"));
    }
    let mut charges: Vec<f32> = Vec::new();
    for _ in 0..atoms {
        let line = extended_line(text)?.unwrap_or_default();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let &[_, symbol, x, y, z, ..] = words.as_slice() else {
            return Err(text.refuse(format!("must be an atom with its coordinates, got {:?}", shortened(&line))));
        };
        push(text, held, [x, y, z], symbol)?;
        let charge = words.iter().find_map(|word| word.strip_prefix("CHG=")?.parse::<i16>().ok());
        charges.push(charge.map_or(0.0, f32::from));
    }
    held.columns[CHARGE] = Some(ColumnBuilder::F32(charges));
    Ok(())
}
