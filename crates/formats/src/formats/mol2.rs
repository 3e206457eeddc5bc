//! Molecules in Tripos' MOL2: sections that begin with `@<TRIPOS>`; molecules, atoms, bonds and the cell are read.
//!
//! Source: Tripos, "Mol2 File Format", 2005. Each molecule is a frame.

use super::elements::element_of_simulated;
use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use super::virtual_sites::{self, VirtualSites};
use crate::color::elements::Atomic;
use crate::data::{BondOrder, Cell, FileBonds, Kind};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::Text;
use crate::source::rows::is_in_range;

const FIELDS: [(&str, Kind); 7] = [
    ("serial", Kind::Integer),
    ("name", Kind::Name),
    ("type", Kind::Name),
    ("resid", Kind::Integer),
    ("resname", Kind::Name),
    ("charge", Kind::F32),
    ("element", Kind::Name),
];

const SECTION: &str = "@<TRIPOS>";
const MOLECULE: &[u8] = b"@<TRIPOS>MOLECULE";
const ATOMS: &[u8] = b"@<TRIPOS>ATOM";

/// Whether a text of unknown format is MOL2: its first line after comments begins a section.
pub(super) fn sniff(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with(SECTION))
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let wanted = reading.extent.frame;
    for frame in 0..=wanted {
        if !next_molecule(&mut text)? {
            return Err(reading.no_frame(frame));
        }
    }
    read_molecule(&mut text, reading).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    frames::count_each(&mut text, |text| text, reading, |text, _| pass_molecule(text))
}

/// The line of counts of a molecule whose first line has been read, and its number of atoms, if it has some.
fn counts(text: &mut Text) -> Result<(String, Option<u64>)> {
    // its name
    line(text)?;
    let counts = line(text)?.unwrap_or_default();
    let atoms = counts.split_ascii_whitespace().next().and_then(|count| count.parse::<u64>().ok());
    Ok((counts, atoms.filter(|&atoms| atoms > 0)))
}

/// Reads the molecule whose first line has been read.
fn read_molecule(text: &mut Text, reading: &mut Reading<'_>) -> Result<()> {
    let (counts, atoms) = counts(text)?;
    let Some(atoms) = atoms else {
        return Err(text.refuse(format!("must be the number of atoms, 1 or more, got {:?}", shortened(&counts))));
    };
    let place = format!("{}:{}", text.file, text.number());
    let announced = held_atoms::begin(reading, atoms, &FIELDS, &place)?;
    let mut held = HeldAtoms::with_columns(&FIELDS);
    let sites = VirtualSites::new(reading);
    let mut bonds = FileBonds::default();
    while let Some(next) = text.peek()? {
        if next.starts_with(MOLECULE) {
            break;
        }
        let section = String::from_utf8_lossy(next).trim_end().to_owned();
        text.line()?;
        match section.strip_prefix(SECTION) {
            Some("ATOM") => {
                for _ in 0..atoms {
                    atom(text, &mut held, &sites)?;
                }
            }
            Some("BOND") => {
                while text.peek()?.is_some_and(|next| !next.starts_with(SECTION.as_bytes())) {
                    bonds.serials.extend(bond(text)?);
                }
                bonds.is_complete = !bonds.serials.is_empty();
            }
            Some("CRYSIN") => {
                let numbers = line(text)?.unwrap_or_default();
                let numbers: Vec<f64> =
                    numbers.split_ascii_whitespace().map_while(|word| number(word.as_bytes())).collect();
                if let &[a, b, c, alpha, beta, gamma, ..] = numbers.as_slice() {
                    held.cell = Cell::from_lengths_and_angles([a, b, c], [alpha, beta, gamma]);
                }
            }
            _ => {}
        }
    }
    if held.positions.is_empty() {
        return Err(text.refuse("the molecule has no section @<TRIPOS>ATOM"));
    }
    announced.finish(reading, held)?;
    reading.facts.notes.extend(virtual_sites::note(&text.file, sites.count()));
    reading.facts.bonds = bonds;
    Ok(())
}

/// Passes the next molecule up to its last atom; false if there is none.
///
/// # Errors
/// If the file ends before or within that atom.
fn pass_molecule(text: &mut Text) -> Result<bool> {
    /// Words of an atom up to its type.
    const WORDS: usize = 6;
    if !next_molecule(text)? {
        return Ok(false);
    }
    let (_, atoms) = counts(text)?;
    text.skip_until(|line| line.starts_with(ATOMS) || line.starts_with(MOLECULE))?;
    if text.peek()?.is_none() {
        return Err(text.refuse("the molecule has no section @<TRIPOS>ATOM"));
    }
    text.line()?;
    // its reader says what is wrong with a molecule without atoms
    frames::skip_rows(text, atoms.unwrap_or(0), Some(WORDS))?;
    Ok(true)
}

/// Skips past the first line of the next molecule; false if there is none.
fn next_molecule(text: &mut Text) -> Result<bool> {
    text.skip_until(|line| line.starts_with(MOLECULE))?;
    Ok(text.line()?.is_some())
}

/// The next line after comments, joined with its continuation lines.
fn line(text: &mut Text) -> Result<Option<String>> {
    let mut all = String::new();
    while let Some(line) = text.line()? {
        if line.starts_with(b"#") {
            continue;
        }
        let part = String::from_utf8_lossy(line);
        match part.trim_end().strip_suffix('\\') {
            Some(part) if all.len() < 1 << 16 => {
                all.push_str(part);
                all.push(' ');
            }
            _ => {
                all.push_str(part.trim_end());
                return Ok(Some(all));
            }
        }
    }
    Ok((!all.is_empty()).then_some(all))
}

/// Reads a bond: its number, its atoms' numbers, and its type; `None` for a blank line and for unconnected atoms.
fn bond(text: &mut Text) -> Result<Option<([i64; 2], BondOrder)>> {
    let line = line(text)?.unwrap_or_default();
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let wrong = || text.refuse(format!("must be a bond with two atoms, got {:?}", shortened(&line)));
    let [_, first, second, kind, ..] = words[..] else {
        return if words.is_empty() { Ok(None) } else { Err(wrong()) };
    };
    let atoms = first.parse().ok().zip(second.parse().ok()).ok_or_else(wrong)?;
    let order = match kind {
        "nc" => return Ok(None),
        "2" => BondOrder::Double,
        "3" => BondOrder::Triple,
        "ar" => BondOrder::Aromatic,
        _ => BondOrder::Single,
    };
    Ok(Some((atoms.into(), order)))
}

/// Reads an atom: number, name, coordinates and type, then perhaps number and name of its residue, and its charge.
fn atom(text: &mut Text, held: &mut HeldAtoms, sites: &VirtualSites) -> Result<()> {
    let Some(line) = line(text)? else { return Err(text.refuse("the file ends in the middle of the atoms")) };
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let wrong = || text.refuse(format!("must be an atom with its coordinates and type, got {:?}", shortened(&line)));
    let &[serial, name, x, y, z, kind, ref rest @ ..] = words.as_slice() else { return Err(wrong()) };
    let coordinate = |word: &str| number(word.as_bytes()).filter(|value| is_in_range(*value));
    let [Some(x), Some(y), Some(z)] = [x, y, z].map(coordinate) else { return Err(wrong()) };
    let word = |index: usize| rest.get(index).copied().unwrap_or_default();
    let (resid, charge) = (word(0), word(2));
    // the name of residue 17 is ALA, not ALA17
    let resname = word(1).strip_suffix(resid).filter(|name| !name.is_empty()).unwrap_or(word(1));
    let symbol = element(kind, name, resname);
    // the type of a force field states no element
    let stated = match kind {
        "LP" => "LP",
        _ if symbol == Atomic::UNKNOWN.symbol() => "",
        _ => symbol,
    };
    let (stated, [of_atom, of_residue]) = (stated.as_bytes(), [name, resname].map(str::as_bytes));
    if sites.leave_out(stated, of_atom, of_residue) {
        return Ok(());
    }
    held.positions.push([x, y, z]);
    let symbol = sites.kept(stated, of_atom, of_residue).unwrap_or(symbol);
    let resid = if resid.parse::<i64>().is_ok() { resid } else { "" };
    let serial = if serial.parse::<i64>().is_ok() { serial } else { "" };
    let charge = if number(charge.as_bytes()).is_some_and(f64::is_finite) { charge } else { "" };
    let values = [serial, name, kind, resid, resname, charge, symbol];
    for (column, value) in values.into_iter().enumerate() {
        held.put(column, value.as_bytes())
            .map_err(|accepted| text.refuse(format!("{} must be {accepted}", FIELDS[column].0)))?;
    }
    Ok(())
}

/// The element of an atom: its type up to the point, in Tripos' spelling; for types of force fields, from the name.
fn element(kind: &str, name: &str, residue: &str) -> &'static str {
    let symbol = kind.split('.').next().unwrap_or_default();
    let known = Atomic::from_symbol(symbol.as_bytes()).map(Atomic::symbol).filter(|known| {
        *known == symbol || symbol == "D" || (symbol.len() == 2 && symbol.bytes().all(|byte| byte.is_ascii_uppercase()))
    });
    match (known, symbol) {
        (Some(known), _) => known,
        (None, "Du" | "LP" | "Any" | "Hal" | "Het" | "Hev") => Atomic::UNKNOWN.symbol(),
        (None, _) => element_of_simulated(name.as_bytes(), residue.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn elements_come_from_types_or_names() {
        for (kind, name, element) in [
            ("C.ar", "C1", "C"),
            ("Cl", "CL1", "Cl"),
            ("BR", "BR1", "Br"),
            ("ca", "C12", "C"),
            ("hc", "H3", "H"),
            ("oh", "O1", "O"),
            ("Du", "X", "Xx"),
            ("N.4", "N", "N"),
            ("Zn", "ZN", "Zn"),
        ] {
            assert_eq!(super::element(kind, name, "LIG"), element, "{kind}");
        }
    }
}
