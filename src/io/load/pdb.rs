//! Molecules in the Protein Data Bank's format (version 3.3): fixed columns, one record a line.
//!
//! Read are the ATOM and HETATM records of one model, the first unless another is wanted, of alternate locations the
//! first in each residue, and the BIOMT operators of REMARK 350, which say how copies stand together in the biological
//! assembly. Serial and residue numbers are never parsed, so files that number beyond their columns (hybrid-36 and the
//! like) are read as well.

use std::io::BufRead;

use glam::{Mat3, Vec3};

use super::atoms::{Assembly, AssemblyPart, Atoms, Wanted, no_frame};
use super::ledger::ATOM;
use super::lines::Lines;
use super::nearest::shortened;
use super::source::{Format, Input};
use super::table::number;
use crate::color::elements::Atomic;
use crate::error::{Error, Result};
use crate::scene::spheres::Pose;

/// Columns beside the coordinates that hold a number: name, first column, one past the last, from 0.
const COLUMNS: [(&str, usize, usize); 2] = [("occupancy", 54, 60), ("b_factor", 60, 66)];

/// Columns that say what an atom is: name, first column, one past the last, from 0.
const NOTED: [(&str, usize, usize); 7] = [
    ("record", 0, 6),
    ("serial", 6, 11),
    ("atom", 12, 16),
    ("element", 76, 78),
    ("residue", 17, 20),
    ("residue number", 22, 27),
    ("chain", 21, 22),
];

/// How far a rotation read with six decimals may be from one.
const RIGID: f32 = 1e-3;

/// Reads the wanted model.
pub(super) fn read(input: Input, wanted: &Wanted<'_>) -> Result<Atoms> {
    let ledger = input.ledger;
    let (file, lines) = input.lines();
    let mut lines = Lines::new(file, lines, ledger.room(ATOM));
    let mut atoms = Atoms::new(lines.file.clone(), Format::Pdb);
    atoms.columns = COLUMNS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let picks = wanted.pick(&atoms)?;
    let mut alternates = Alternates::default();
    let mut operators = Operators::default();
    let mut models = 0_u64;
    let mut done = false;
    while lines.next()? {
        let line = lines.line();
        if line.starts_with(b"MODEL ") {
            models += 1;
        } else if line.starts_with(b"ENDMDL") || (line.trim_ascii_end() == b"END" && models == 0) {
            if !atoms.centers.is_empty() {
                if !wanted.count_models {
                    break;
                }
                done = true;
            }
        } else if done {
        } else if line.starts_with(b"ATOM  ") || line.starts_with(b"HETATM") {
            if models.saturating_sub(1) != wanted.frame || !alternates.keeps(line) {
                continue;
            }
            let center = [coordinate(&lines, 30, "x")?, coordinate(&lines, 38, "y")?, coordinate(&lines, 46, "z")?];
            atoms.push(element(line), center, &lines)?;
            chain(&mut atoms, line)?;
            atoms.residues.push(std::array::from_fn(|index| line.get(17 + index).copied().unwrap_or(b' ')));
            if atoms.notes(wanted) {
                let value = |(name, from, to): (&str, usize, usize)| {
                    let text = String::from_utf8_lossy(field(line, from, to)?.trim_ascii()).into_owned();
                    (!text.is_empty()).then(|| (name.to_owned(), text))
                };
                atoms.noted = NOTED.into_iter().chain(COLUMNS).filter_map(value).collect();
            }
            for pick in &picks {
                let (name, from, to) = COLUMNS[pick.column];
                let value = field(line, from, to).and_then(number).filter(|value| value.is_finite());
                let found = || shown(line, from, to);
                let value =
                    value.ok_or_else(|| lines.refuse(format!("{name} must be a finite number, got {}", found())))?;
                atoms.push_value(pick, value, &lines)?;
            }
        } else if line.starts_with(b"REMARK 350") {
            operators.read(&lines)?;
        }
    }
    if atoms.centers.is_empty() && wanted.frame > 0 {
        return Err(no_frame(wanted.frame, models.max(1), &lines.file));
    }
    if atoms.centers.is_empty() {
        let message = "no atoms: not one line starts with ATOM or HETATM";
        return Err(Error::input(&lines.file, None, message));
    }
    atoms.models = models.max(1);
    atoms.assemblies = operators.finish(&lines)?;
    Ok(atoms)
}

/// The bytes of some columns, counted from 0; `None` when the line is too short to have any.
fn field(line: &[u8], from: usize, to: usize) -> Option<&[u8]> {
    line.get(from..to.min(line.len()))
}

/// The same, for a message.
fn shown(line: &[u8], from: usize, to: usize) -> String {
    match field(line, from, to).map(<[u8]>::trim_ascii) {
        None | Some(b"") => "nothing".to_owned(),
        Some(text) => format!("{:?}", shortened(&String::from_utf8_lossy(text))),
    }
}

/// The coordinate in the eight columns from `from`.
fn coordinate<R: BufRead>(lines: &Lines<R>, from: usize, name: &str) -> Result<f64> {
    let line = lines.line();
    field(line, from, from + 8).and_then(number).filter(|value| value.is_finite()).ok_or_else(|| {
        let found = shown(line, from, from + 8);
        lines.refuse(format!("{name} (columns {} to {}) must be a finite number, got {found}", from + 1, from + 8))
    })
}

/// Notes the chain of the last atom.
fn chain(atoms: &mut Atoms, line: &[u8]) -> Result<()> {
    let name = line.get(21).copied().unwrap_or(b' ');
    let same = |known: &String| known.as_bytes() == [name];
    let recent = atoms.chains.last().copied().filter(|&index| same(&atoms.chain_names[usize::from(index)]));
    let index = match recent {
        Some(index) => index,
        None => {
            let place = atoms.chain_names.iter().position(same).unwrap_or(atoms.chain_names.len());
            if place == atoms.chain_names.len() {
                atoms.chain_names.push(char::from(name).to_string());
            }
            u16::try_from(place).expect("a byte names at most 256 chains")
        }
    };
    atoms.chains.push(index);
    Ok(())
}

/// Which alternate location of the current residue is kept.
#[derive(Default)]
struct Alternates {
    residue: [u8; 6],
    kept: Option<u8>,
}

impl Alternates {
    /// Whether an atom is to be drawn: those without alternates, and of alternates those of the residue's first kind.
    fn keeps(&mut self, line: &[u8]) -> bool {
        let alternate = line.get(16).copied().unwrap_or(b' ');
        if alternate == b' ' {
            return true;
        }
        // chain, number and insertion code; not the name, which may be what alternates
        let residue = std::array::from_fn(|index| line.get(21 + index).copied().unwrap_or(b' '));
        if residue != self.residue {
            (self.residue, self.kept) = (residue, None);
        }
        *self.kept.get_or_insert(alternate) == alternate
    }
}

/// The element in columns 77 and 78, or what the atom's name says.
fn element(line: &[u8]) -> Atomic {
    let stated = field(line, 76, 78).map(<[u8]>::trim_ascii).and_then(Atomic::from_symbol);
    stated.unwrap_or_else(|| element_from_name(line))
}

/// Residues whose atoms are hydrogen, carbon, nitrogen, oxygen, phosphorus and sulphur, and nothing else.
const ORGANIC: [&[u8]; 32] = [
    b"ALA", b"ARG", b"ASN", b"ASP", b"CYS", b"GLN", b"GLU", b"GLY", b"HIS", b"ILE", b"LEU", b"LYS", b"MET", b"PHE",
    b"PRO", b"SER", b"THR", b"TRP", b"TYR", b"VAL", b"HOH", b"WAT", b"A", b"C", b"G", b"U", b"DA", b"DC", b"DG", b"DT",
    b"DU", b"TIP",
];

/// The usual rule: the symbol is right-aligned in columns 13 and 14, so ` CA ` is a carbon and `CA  ` is calcium; but names
/// of hydrogens with four letters begin in column 13, and careless programs align everything to the left.
fn element_from_name(line: &[u8]) -> Atomic {
    let Some(name) = field(line, 12, 16) else { return Atomic::UNKNOWN };
    let letters: Vec<u8> = name.iter().copied().filter(u8::is_ascii_alphabetic).collect();
    let Some(&first) = letters.first() else { return Atomic::UNKNOWN };
    let residue = field(line, 17, 20).unwrap_or_default().trim_ascii();
    let single = ORGANIC.contains(&residue)
        || !name[0].is_ascii_alphabetic()
        || name.get(1).is_none_or(|second| !second.is_ascii_alphabetic())
        || (matches!(first, b'H' | b'D') && !name.contains(&b' ') && name.len() == 4);
    let double = (!single).then(|| Atomic::from_symbol(&name[..2])).flatten();
    double.or_else(|| Atomic::from_symbol(&[first])).unwrap_or(Atomic::UNKNOWN)
}

/// REMARK 350, while it is read.
#[derive(Default)]
struct Operators {
    /// The last one is under way.
    assemblies: Vec<Assembly>,
    /// The line of chains may go on.
    naming: bool,
    /// Rows of the operator that is under way.
    rows: Vec<[f32; 4]>,
}

impl Operators {
    fn read<R: BufRead>(&mut self, lines: &Lines<R>) -> Result<()> {
        let text = String::from_utf8_lossy(&lines.line()[10..]);
        let text = text.trim();
        if let Some(numbers) = text.strip_prefix("BIOMOLECULE:") {
            let numbers = numbers.split(',').map(str::trim).filter(|number| !number.is_empty());
            let refuse = |number| lines.refuse(format!("BIOMOLECULE must be a number, got {:?}", shortened(number)));
            let numbers: Result<_> = numbers.map(|number| number.parse().map_err(|_| refuse(number))).collect();
            self.assemblies.push(Assembly { numbers: numbers?, parts: Vec::new() });
            self.naming = false;
        } else if let Some((_, chains)) = text.split_once("CHAINS:") {
            let Some(assembly) = self.assemblies.last_mut() else { return Ok(()) };
            if !self.naming {
                assembly.parts.push(AssemblyPart::default());
            }
            self.naming = true;
            // NULL stands for the chain without a name in old files
            let names = chains.split(',').map(str::trim).filter(|chain| !chain.is_empty());
            let names = names.map(|chain| if chain == "NULL" { " " } else { chain }.to_owned());
            if let Some(part) = assembly.parts.last_mut() {
                part.chains.extend(names);
            }
        } else if let Some(row) = text.strip_prefix("BIOMT") {
            self.naming = false;
            self.row(row, lines)?;
        }
        Ok(())
    }

    /// One of an operator's three rows: its number, the operator's number, three factors and a shift.
    fn row<R: BufRead>(&mut self, row: &str, lines: &Lines<R>) -> Result<()> {
        let mut words = row.split_whitespace();
        let expected = (self.rows.len() + 1).to_string();
        let found = words.next().unwrap_or_default();
        if found != expected {
            return Err(lines.refuse(format!("must be BIOMT{expected}, got BIOMT{}", shortened(found))));
        }
        let values: Vec<f32> =
            words.skip(1).filter_map(|word| word.parse().ok()).filter(|value: &f32| value.is_finite()).collect();
        let refuse =
            |_| lines.refuse(format!("BIOMT must have a number and four finite values, got {:?}", shortened(row)));
        self.rows.push(<[f32; 4]>::try_from(values).map_err(refuse)?);
        if let [x, y, z] = *self.rows {
            self.rows.clear();
            let rotation =
                Mat3::from_cols_array_2d(&[[x[0], x[1], x[2]], [y[0], y[1], y[2]], [z[0], z[1], z[2]]]).transpose();
            let identity = rotation * rotation.transpose();
            if !identity.abs_diff_eq(Mat3::IDENTITY, RIGID) {
                return Err(
                    lines.refuse("BIOMT must be a rotation: its rows have unit length and right angles".to_owned())
                );
            }
            let pose = Pose { rotation, translation: Vec3::new(x[3], y[3], z[3]) };
            let Some(assembly) = self.assemblies.last_mut() else {
                return Err(lines.refuse("BIOMT must follow a line with BIOMOLECULE".to_owned()));
            };
            match assembly.parts.last_mut() {
                Some(part) => part.poses.push(pose),
                // no chains are named: all of them
                None => assembly.parts.push(AssemblyPart { chains: Vec::new(), poses: vec![pose] }),
            }
        }
        Ok(())
    }

    fn finish<R: BufRead>(mut self, lines: &Lines<R>) -> Result<Vec<Assembly>> {
        if !self.rows.is_empty() {
            let message = format!("REMARK 350 ends in the middle of an operator, after BIOMT{}", self.rows.len());
            return Err(Error::input(&lines.file, None, message));
        }
        for assembly in &mut self.assemblies {
            assembly.parts.retain(|part| !part.poses.is_empty());
        }
        self.assemblies.retain(|assembly| !assembly.parts.is_empty());
        Ok(self.assemblies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The symbol read from a record with this atom name, residue and element field.
    fn symbol(name: &str, residue: &str, element_field: &str) -> &'static str {
        let line = format!(
            "HETATM    1 {name:<4} {residue:>3} A   1       0.000   0.000   0.000  1.00  0.00          {element_field:>2}"
        );
        element(line.as_bytes()).element().symbol
    }

    #[test]
    fn element_is_told_by_its_columns_first() {
        assert_eq!(symbol(" CA ", "ALA", "C"), "C");
        assert_eq!(symbol("CA  ", " CA", "CA"), "Ca");
        assert_eq!(symbol(" C1 ", "LIG", "CL"), "Cl");
    }

    #[test]
    fn element_is_told_by_the_name_where_its_columns_are_blank() {
        for (name, residue, expected) in [
            (" CA ", "ALA", "C"),
            ("CA  ", "CA", "Ca"),
            ("FE  ", "HEM", "Fe"),
            ("1HB ", "LIG", "H"),
            ("HG11", "VAL", "H"),
            ("HG11", "LIG", "H"),
            ("HG  ", "HG", "Hg"),
            ("CA  ", "ALA", "C"),
            ("ZN  ", "ZN", "Zn"),
            (" N9 ", "LIG", "N"),
            ("C12 ", "LIG", "C"),
            (" QA ", "LIG", "Xx"),
            ("    ", "LIG", "Xx"),
            ("1234", "LIG", "Xx"),
        ] {
            assert_eq!(symbol(name, residue, ""), expected, "{name:?} in {residue}");
        }
    }

    #[test]
    fn alternates_keep_the_first_of_each_residue() {
        let line = |alternate: char, residue: u32| format!("ATOM      1  CB {alternate}SER A{residue:>4}    ");
        let mut alternates = Alternates::default();
        let mut keeps = |alternate, residue| alternates.keeps(line(alternate, residue).as_bytes());
        assert!(keeps(' ', 1) && keeps('B', 1) && !keeps('C', 1) && keeps('B', 1) && keeps(' ', 1));
        assert!(keeps('C', 2) && !keeps('B', 2), "each residue has its own first");
    }
}
