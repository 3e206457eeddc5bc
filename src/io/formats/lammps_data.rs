//! LAMMPS data files: a header with counts and the box, then sections, of which `Atoms` is read.
//!
//! The columns are those of the atom style, which follows `Atoms #` or is guessed from the first atom.

use super::lammps::{AtomLines, BoxBounds};
use super::reading::Reading;
use super::wanted::Header;
use crate::error::{Error, Result};
use crate::io::did_you_mean::shortened;
use crate::io::source::input::Stream;
use crate::io::source::number::{integer, number};
use crate::io::source::pieces::Text;

/// Columns of the atom styles, image flags left out.
const STYLES: [(&str, &[&str]); 14] = [
    ("atomic", &["id", "type", "x", "y", "z"]),
    ("charge", &["id", "type", "charge", "x", "y", "z"]),
    ("molecular", &["id", "molecule", "type", "x", "y", "z"]),
    ("bond", &["id", "molecule", "type", "x", "y", "z"]),
    ("angle", &["id", "molecule", "type", "x", "y", "z"]),
    ("full", &["id", "molecule", "type", "charge", "x", "y", "z"]),
    ("sphere", &["id", "type", "diameter", "density", "x", "y", "z"]),
    ("ellipsoid", &["id", "type", "ellipsoid", "density", "x", "y", "z"]),
    ("dipole", &["id", "type", "charge", "x", "y", "z", "mux", "muy", "muz"]),
    ("body", &["id", "type", "body", "mass", "x", "y", "z"]),
    ("dpd", &["id", "type", "theta", "x", "y", "z"]),
    ("peri", &["id", "type", "volume", "density", "x", "y", "z"]),
    ("template", &["id", "type", "molecule", "template_index", "template_atom", "x", "y", "z"]),
    ("electron", &["id", "type", "charge", "spin", "eradius", "x", "y", "z"]),
];

/// Whether a text of unknown format is a data file: a comment, then a number of atoms and bounds of the box.
pub(super) fn sniff(text: &str) -> bool {
    let mut header = text.lines().skip(1).take(60).map(|line| line.split('#').next().unwrap_or_default());
    let ends_with = |line: &str, words: &[&str]| {
        let found: Vec<&str> = line.split_ascii_whitespace().collect();
        found.len() > words.len() && found.ends_with(words) && number(found[0].as_bytes()).is_some()
    };
    header.clone().any(|line| ends_with(line, &["atoms"])) && header.any(|line| ends_with(line, &["xlo", "xhi"]))
}

/// Reads the atoms.
pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    if reading.extent.frame > 0 {
        return Err(reading.no_frame(1));
    }
    let (mut atoms, mut line_of_atoms) = (None, 0);
    let mut bounds = BoxBounds { least: [-0.5; 3], greatest: [0.5; 3], tilt: [0.0; 3] };
    // the first line is always a comment
    text.line()?;
    while let Some(line) = text.line()? {
        let line = String::from_utf8_lossy(line).into_owned();
        let (line, comment) = line.split_once('#').unwrap_or((line.as_str(), ""));
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let numbers = || words.iter().map_while(|word| number(word.as_bytes())).collect::<Vec<_>>();
        match words.as_slice() {
            [count, "atoms"] => {
                let refuse = |_| text.refuse(format!("must be the number of atoms, got {:?}", shortened(count)));
                atoms = Some(count.parse::<u64>().map_err(refuse)?);
                line_of_atoms = text.number();
            }
            [_, _, low, high] if low.ends_with("lo") && high.ends_with("hi") => {
                let axis = ["xlo", "ylo", "zlo"].iter().position(|name| name == low);
                match (axis, numbers().as_slice()) {
                    (Some(axis), &[least, greatest]) => {
                        (bounds.least[axis], bounds.greatest[axis]) = (least, greatest);
                    }
                    _ => return Err(text.refuse(format!("must be bounds of the box, got {:?}", shortened(line)))),
                }
            }
            [.., "xy", "xz", "yz"] => match numbers().as_slice() {
                &[xy, xz, yz] => bounds.tilt = [xy, xz, yz],
                _ => return Err(text.refuse(format!("must be how the box leans, got {:?}", shortened(line)))),
            },
            ["Atoms"] => {
                let Some(atoms) = atoms.filter(|&atoms| atoms > 0) else {
                    return Err(text.refuse("the header says no number of atoms"));
                };
                let promised = format!("{}:{line_of_atoms}: the file promises {atoms} atoms", text.file);
                reading.facts.cell = bounds.cell();
                return read_atoms(&mut text, reading, comment.trim(), atoms, &promised);
            }
            _ => {}
        }
    }
    Err(Error::input(&text.file, None, "has no section Atoms"))
}

fn read_atoms(text: &mut Text, reading: &mut Reading<'_>, style: &str, atoms: u64, promised: &str) -> Result<()> {
    while text.peek()?.is_some_and(|line| line.trim_ascii().is_empty()) {
        text.line()?;
    }
    let first = text.peek()?.map(|line| String::from_utf8_lossy(line).into_owned()).unwrap_or_default();
    let known = STYLES.iter().find(|(name, _)| *name == style).map(|(_, columns)| *columns);
    let Some(columns) = known.or_else(|| columns_of(&first)) else {
        text.line()?;
        let styles: Vec<&str> = STYLES.iter().map(|(name, _)| *name).collect();
        let message = format!(
            "the atom style is not known from {:?}; write it behind Atoms, as in Atoms # full (styles: {})",
            shortened(first.trim()),
            styles.join(", ")
        );
        return Err(text.refuse(message));
    };
    let names: Vec<String> = columns.iter().map(|&name| name.to_owned()).collect();
    let place = |name: &str| names.iter().position(|column| column == name).expect("every style has coordinates");
    let lines = AtomLines::new(&names, &first, [place("x"), place("y"), place("z")], None);
    reading.begin(Header { fields: lines.fields.clone(), has_positions: true, chains: None })?;
    reading.check_rows(atoms, || promised.to_owned())?;
    lines.read(text, reading, atoms)
}

/// The columns of an atom of unknown style, by how many there are and which are whole numbers.
fn columns_of(first: &str) -> Option<&'static [&'static str]> {
    let line = first.split('#').next().unwrap_or_default();
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let whole = |index: usize| {
        words.get(index).is_some_and(|word| !word.contains(['.', 'e', 'E']) && integer(word.as_bytes()).is_some())
    };
    // three whole numbers at the end are image flags
    let flags = words.len() >= 8 && (words.len() - 3..words.len()).all(whole);
    let style = match (words.len() - if flags { 3 } else { 0 }, whole(2), whole(3)) {
        (5, ..) => "atomic",
        (6, true, _) => "molecular",
        (6, false, _) => "charge",
        (7, true, false) => "full",
        (7, false, _) => "sphere",
        _ => return None,
    };
    STYLES.iter().find(|(name, _)| *name == style).map(|(_, columns)| *columns)
}
