//! Topologies in PSF, as CHARMM, NAMD and X-PLOR write them: the atoms of `!NATOM`, without positions, and the bonds of
//! `!NBOND`.
//!
//! Source: NAMD, "PSF files". A line has the atom's number, segment, number and name of the residue, name and type of
//! the atom, charge, mass.

use super::elements::{element_of_simulated, is_virtual_site};
use super::masses::element_of_mass;
use super::reading::Reading;
use super::virtual_sites::SITE;
use super::wanted::{Field, Header, Wanted};
use crate::data::{Bond, BondOrder, Kind, TablePart};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::source::columns::{ColumnBuilder, PartBuilder, PositionsBuilder};
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::piece::{Flaw, Piece};
use crate::source::pieces::{Text, lines, words};
use crate::source::until::Until;

#[rustfmt::skip]
const FIELDS: [(&str, Kind); 10] = [
    ("serial", Kind::Integer), ("segment", Kind::Name), ("resid", Kind::Integer), ("resname", Kind::Name),
    ("name", Kind::Name), ("type", Kind::Name), ("charge", Kind::F32), ("mass", Kind::F32), ("chain", Kind::Name),
    ("element", Kind::Name),
];
const CHAIN: usize = 8;

/// Smaller masses belong to Drude particles. A mass of 0 means a lone pair, or a file without masses.
const LIGHTEST: f64 = 0.9;

pub(super) fn sniff(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.split_ascii_whitespace().next() == Some("PSF"))
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    text.skip_until(|line| line.windows(6).any(|word| word == b"!NATOM"))?;
    let count = text.text_line()?.unwrap_or_default();
    let atoms = count.split_ascii_whitespace().next().and_then(|count| count.parse::<u64>().ok());
    let Some(atoms) = atoms.filter(|&atoms| atoms > 0) else {
        return Err(text.refuse(format!("must be the number of atoms before !NATOM, got {:?}", shortened(&count))));
    };
    let promised = format!("{}:{}: the file promises {atoms} atoms", text.file, text.number());
    let fields = FIELDS.map(|(name, kind)| Field::new(name, kind)).into();
    reading.begin(Header { fields, has_positions: false, chains: Some(CHAIN) })?;
    reading.check_rows(atoms, || promised.clone())?;
    reading.parse(&mut text, Until::Lines(atoms), &parse)?;
    if reading.rows() < atoms {
        return Err(text.refuse(format!("{atoms} atoms are promised, but the file ends after {}", reading.rows())));
    }
    if reading.extent.bonds {
        read_bonds(&mut text, reading, atoms)?;
    }
    Ok(())
}

/// Reads the bonds, if there are any: pairs of numbers of atoms, from 1, four pairs a line.
fn read_bonds(text: &mut Text, reading: &mut Reading<'_>, atoms: u64) -> Result<()> {
    text.skip_until(|line| line.windows(6).any(|word| word == b"!NBOND"))?;
    let Some(line) = text.line()? else { return Ok(()) };
    let count =
        String::from_utf8_lossy(line).split_ascii_whitespace().next().and_then(|count| count.parse::<u64>().ok());
    let Some(count) = count else { return Err(text.refuse("must be the number of bonds before !NBOND")) };
    reading.check_texts(count, || format!("{}: bonds", text.file))?;
    let mut ends = Vec::new();
    while (ends.len() as u64) < count.saturating_mul(2) {
        let Some(line) = text.line()? else {
            let read = ends.len() / 2;
            return Err(text.refuse(format!("{count} bonds are promised, but the file ends after {read}")));
        };
        let numbers: Option<Vec<u32>> = words(line).map(|word| std::str::from_utf8(word).ok()?.parse().ok()).collect();
        match numbers.filter(|numbers| numbers.iter().all(|&number| (1..=atoms).contains(&u64::from(number)))) {
            Some(numbers) => ends.extend(numbers.into_iter().map(|number| number - 1)),
            None => return Err(text.refuse(format!("bonds must be pairs of numbers from 1 to {atoms}"))),
        }
    }
    let pairs = ends.chunks_exact(2).map(|pair| Bond::new(pair[0], pair[1], BondOrder::Single));
    reading.facts.bonds.rows.extend(pairs);
    reading.facts.bonds.is_complete = count > 0;
    Ok(())
}

/// The words of a line, from the number to the mass; the segment may be missing.
fn atom_words(line: &[u8]) -> Option<[&[u8]; 8]> {
    let words: Vec<&[u8]> = words(line).collect();
    let is_number = |index: usize| words.get(index).is_some_and(|word| number(word).is_some());
    let is_residue = |index: usize| words.get(index).is_some_and(|word| word[0].is_ascii_digit() || word[0] == b'-');
    match *words.as_slice() {
        [serial, segment, resid, resname, name, kind, charge, mass, ..] if is_residue(2) && is_number(7) => {
            Some([serial, segment, resid, resname, name, kind, charge, mass])
        }
        [serial, resid, resname, name, kind, charge, mass, ..] if is_residue(1) && is_number(6) => {
            Some([serial, b"", resid, resname, name, kind, charge, mass])
        }
        _ => None,
    }
}

fn parse(piece: &Piece, wanted: &Wanted, room: u64) -> Result<TablePart, Flaw> {
    let columns = wanted.kinds().into_iter().map(ColumnBuilder::new).collect();
    let mut builder =
        PartBuilder { positions: PositionsBuilder::Unknown(0), columns, alternates: Vec::new(), unplaced: 0 };
    for (at, line) in lines(&piece.bytes) {
        let refuse = |message| Flaw { at, message };
        builder.check_room(room, at)?;
        let shown = || shortened(&String::from_utf8_lossy(line));
        let Some(words) = atom_words(line) else {
            return Err(refuse(format!("must be an atom of eight values, got {:?}", shown())));
        };
        let [_, segment, resid, resname, name, _, _, mass] = words;
        // without an insertion code
        let end = resid.iter().rposition(u8::is_ascii_digit).map_or(0, |last| last + 1);
        let element = match number(mass) {
            Some(mass) if mass > 0.0 && mass < LIGHTEST => SITE,
            Some(0.0) if name.starts_with(b"LP") || is_virtual_site(b"", name, resname) => SITE,
            mass => mass.and_then(element_of_mass).unwrap_or_else(|| element_of_simulated(name, resname)),
        };
        for (column, want) in builder.columns.iter_mut().zip(&wanted.columns) {
            let value = match want.field {
                2 => &resid[..end],
                CHAIN => segment,
                9 => element.as_bytes(),
                field => words[field],
            };
            want.push(column, value).map_err(|accepted| {
                refuse(format!("{} must be {accepted}, got {:?}", FIELDS[want.field].0, shown()))
            })?;
        }
        if let PositionsBuilder::Unknown(rows) = &mut builder.positions {
            *rows += 1;
        }
    }
    Ok(builder.finish())
}
