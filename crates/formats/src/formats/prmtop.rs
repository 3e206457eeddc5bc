//! AMBER's topologies (PRMTOP): sections that begin with `%FLAG`, with numbers and names in columns.
//!
//! Source: AMBER, "PARM file format specification". Names, elements, residues, charges, masses and bonds are read.

use std::collections::BTreeMap;

use super::elements::element_of_simulated;
use super::held_atoms;
use super::masses::element_of_mass;
use super::reading::Reading;
use super::records::BadRow;
use super::virtual_sites::SITE;
use super::wanted::{Field, Header, Want};
use crate::color::elements::Atomic;
use crate::data::{Block, Bond, BondOrder, Kind, Positions, TablePart};
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::Text;

const FIELDS: [(&str, Kind); 6] = [
    ("name", Kind::Name),
    ("resid", Kind::Integer),
    ("resname", Kind::Name),
    ("element", Kind::Name),
    ("charge", Kind::F32),
    ("mass", Kind::F32),
];

/// AMBER's factor for charges, which gives energies in kcal/mol.
const CHARGE: f64 = 18.2223;

const READ: [&str; 9] = [
    "POINTERS",
    "ATOM_NAME",
    "CHARGE",
    "ATOMIC_NUMBER",
    "MASS",
    "RESIDUE_LABEL",
    "RESIDUE_POINTER",
    BONDS[0],
    BONDS[1],
];

/// Sections of bonds: three times the number of each of two atoms, counted from 0, and a type.
const BONDS: [&str; 2] = ["BONDS_INC_HYDROGEN", "BONDS_WITHOUT_HYDROGEN"];

pub(super) fn sniff(text: &str) -> bool {
    text.starts_with("%VERSION") || text.starts_with("%FLAG")
}

/// The values of the sections in [`READ`].
fn sections(text: &mut Text, reading: &Reading<'_>) -> Result<BTreeMap<&'static str, Vec<String>>> {
    let mut sections: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let (mut section, mut width, mut held) = (None, 0, 0_u64);
    while let Some(line) = text.text_line()? {
        if let Some(name) = line.strip_prefix("%FLAG") {
            section = READ.iter().find(|known| **known == name.trim()).copied();
        } else if let Some(format) = line.strip_prefix("%FORMAT(") {
            width = column_width(format).ok_or_else(|| text.refuse(format!("is no format: {:?}", shortened(&line))))?;
        } else if let Some(section) = section.filter(|_| !line.starts_with('%') && width > 0) {
            let values = sections.entry(section).or_default();
            let is_name = matches!(section, "ATOM_NAME" | "RESIDUE_LABEL");
            let line = line.as_bytes();
            let end = if is_name { line.len().div_ceil(width) * width } else { line.trim_ascii_end().len() };
            for from in (0..end).step_by(width) {
                let field = line.get(from..(from + width).min(line.len())).unwrap_or_default();
                values.push(String::from_utf8_lossy(field).trim().to_owned());
                held += 1;
            }
            if held.is_multiple_of(1 << 16) {
                reading.check_texts(held, || text.file.clone())?;
            }
        }
    }
    reading.check_texts(held, || text.file.clone())?;
    Ok(sections)
}

/// The column width of a Fortran format: `20a4)`, `5E16.8)`.
fn column_width(format: &str) -> Option<usize> {
    let width = format.trim_start_matches(|letter: char| letter.is_ascii_digit()).get(1..)?;
    let end = width.find(|letter: char| !letter.is_ascii_digit())?;
    width[..end].parse().ok().filter(|width| (1..=80).contains(width))
}

fn bonds(sections: &BTreeMap<&'static str, Vec<String>>, atoms: u64) -> Result<Vec<Bond>, String> {
    let place = |text: &String| text.parse::<u32>().ok().map(|place| place / 3).filter(|&atom| u64::from(atom) < atoms);
    let bond = |name: &str, bond: &[String]| {
        let ends = bond.get(..2).and_then(|ends| Some([place(&ends[0])?, place(&ends[1])?]));
        let [first, second] = ends.ok_or_else(|| {
            format!("{name} must have three times the numbers of two of {atoms} atoms, and a type, got {bond:?}")
        })?;
        Ok(Bond::new(first, second, BondOrder::Single))
    };
    let sections = BONDS.into_iter().filter_map(|name| Some((name, sections.get(name)?)));
    sections.flat_map(|(name, bonds)| bonds.chunks(3).map(move |numbers| bond(name, numbers))).collect()
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let sections = sections(&mut text, reading)?;
    let refuse = |message: String| Error::input(&text.file, None, message);
    let section = |name: &str| sections.get(name).map_or(&[][..], Vec::as_slice);
    let atoms = section("POINTERS").first().and_then(|count| count.parse::<u64>().ok()).filter(|&atoms| atoms > 0);
    let Some(atoms) = atoms else { return Err(refuse("has no number of atoms in the section POINTERS".to_owned())) };
    let wanted = reading.begin(Header {
        fields: FIELDS.map(|(name, kind)| Field::new(name, kind)).into(),
        has_positions: false,
        chains: None,
    })?;
    reading.check_rows(atoms, || format!("{}: the file promises {atoms} atoms", text.file))?;
    let names = section("ATOM_NAME");
    let count = usize::try_from(atoms).unwrap_or(usize::MAX);
    // names may be blank, and blanks at the end of the last line are extra names
    let Some(names) = names.get(..count) else {
        return Err(refuse(format!("{atoms} atoms are promised, ATOM_NAME has {}", names.len())));
    };
    let (labels, pointers) = (section("RESIDUE_LABEL"), section("RESIDUE_POINTER"));
    let firsts: Vec<usize> = pointers.iter().map_while(|first| first.parse().ok()).collect();
    let (charges, masses, numbers) = (section("CHARGE"), section("MASS"), section("ATOMIC_NUMBER"));
    let value = |values: &[String], atom: usize| values.get(atom).and_then(|text| number(text.as_bytes()));
    let mut columns = FIELDS.map(|(_, kind)| ColumnBuilder::new(kind));
    let mut residue = 0;
    for (atom, name) in names.iter().enumerate() {
        // counted from 1
        while firsts.get(residue).is_some_and(|&first| first <= atom + 1) {
            residue += 1;
        }
        let label = residue.checked_sub(1).and_then(|residue| labels.get(residue)).map_or("", String::as_str);
        let mass = value(masses, atom);
        let by_number = numbers.get(atom).and_then(|number| number.parse().ok()).and_then(Atomic::from_number);
        let by_name = || element_of_simulated(name.as_bytes(), label.as_bytes());
        let element = match (by_number, mass) {
            (Some(element), _) => element.symbol(),
            (None, Some(0.0)) => SITE,
            (None, mass) => mass.and_then(element_of_mass).unwrap_or_else(by_name),
        };
        let charge = value(charges, atom).map_or_else(String::new, |charge| (charge / CHARGE).to_string());
        let mass = mass.map_or_else(String::new, |mass| mass.to_string());
        let resid = residue.to_string();
        for (column, text) in columns.iter_mut().zip([name, resid.as_str(), label, element, &charge, &mass]) {
            column
                .push(text.as_bytes())
                .map_err(|accepted| refuse(format!("atom {}: must be {accepted}", atom + 1)))?;
        }
    }
    let wanted = if reading.wants_record() { reading.wanted_of_next(atoms) } else { wanted };
    let value = |want: &Want| held_atoms::converted(&columns[want.field], FIELDS[want.field].0, want, count);
    let filled: Result<Vec<_>, BadRow> = wanted.columns.iter().map(value).collect();
    let filled = filled.map_err(|bad| bad.error(&text.file, "atom", 0))?;
    let (values, names) = filled.into_iter().map(ColumnBuilder::finish).unzip();
    if reading.extent.bonds {
        reading.facts.bonds.rows = bonds(&sections, atoms).map_err(refuse)?;
        reading.facts.bonds.is_complete = !reading.facts.bonds.rows.is_empty();
    }
    let block = Block { positions: Positions::Unknown(count), values };
    reading.push(TablePart { block, names, alternates: Vec::new(), unplaced: 0 })
}
