//! LAMMPS data files: a header with counts and the box, then sections; `Atoms` is read.
//!
//! The atom style determines the columns: it follows `Atoms #`, or else is guessed from the first atoms.

use std::fmt;
use std::str::FromStr;

use glam::{DMat3, DVec3};

use super::lammps::{AtomLines, BoxBounds};
use super::reading::Reading;
use super::wanted::Header;
use crate::data::{BondOrder, Cell};
use crate::did_you_mean::{self, shortened};
use crate::error::{Error, Result};
use crate::source::input::{HEAD, Stream};
use crate::source::number::{integer, number};
use crate::source::pieces::{Text, words};

/// Image flags, which may stand behind the columns of any style.
const FLAGS: [&str; 3] = ["ix", "iy", "iz"];

/// Columns of the atom styles, without image flags.
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

/// The atom style of a LAMMPS data file: the columns of its section `Atoms`.
///
/// ```
/// # use roundel_formats as roundel;
/// use roundel::io::AtomStyle;
///
/// assert_eq!("full".parse::<AtomStyle>()?.name(), "full");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomStyle(usize);

impl AtomStyle {
    /// The names of all styles that are read.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        STYLES.iter().map(|(name, _)| *name)
    }

    /// Its name in LAMMPS.
    #[must_use]
    pub fn name(self) -> &'static str {
        STYLES[self.0].0
    }

    fn columns(self) -> &'static [&'static str] {
        STYLES[self.0].1
    }
}

impl FromStr for AtomStyle {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let place = STYLES.iter().position(|(known, _)| *known == name);
        place.map(Self).ok_or_else(|| {
            let hint = did_you_mean::hint(name, Self::names(), "styles");
            Error::setting("atom_style", format!("must be an atom style, got {:?}{hint}", shortened(name)))
        })
    }
}

impl fmt::Display for AtomStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a text of unknown format is a data file: a comment, then the number of atoms and the bounds or edges of the
/// box.
pub(super) fn sniff(text: &str) -> bool {
    let mut header = text.lines().skip(1).take(60).map(|line| line.split('#').next().unwrap_or_default());
    let ends_with = |line: &str, words: &[&str]| {
        let found: Vec<&str> = line.split_ascii_whitespace().collect();
        found.len() > words.len() && found.ends_with(words) && number(found[0].as_bytes()).is_some()
    };
    header.clone().any(|line| ends_with(line, &["atoms"]))
        && header.any(|line| ends_with(line, &["xlo", "xhi"]) || ends_with(line, &["avec"]))
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    reading.only_first_frame()?;
    let (mut atoms, mut line_of_atoms) = (None, 0);
    let (mut bonds, mut has_read) = (0, false);
    let mut hints = Hints::default();
    let mut header_box = HeaderBox::default();
    // the first line is always a comment
    text.line()?;
    while let Some(line) = text.text_line()? {
        let (line, comment) = line.split_once('#').unwrap_or((line.as_str(), ""));
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            [count, "atoms"] => {
                let refuse = |_| text.refuse(format!("must be the number of atoms, got {:?}", shortened(count)));
                atoms = Some(count.parse::<u64>().map_err(refuse)?);
                line_of_atoms = text.number();
            }
            [count, "atom", "types"] => hints.types = integer(count.as_bytes()).filter(|&types| types > 0),
            [count, "bonds"] => {
                bonds = integer(count.as_bytes()).unwrap_or(0);
                hints.has_bonds = bonds > 0;
            }
            _ if !has_read
                && header_box
                    .read(&words)
                    .map_err(|what| text.refuse(format!("must be {what}, got {:?}", shortened(line))))? => {}
            ["Masses"] => read_masses(&mut text, reading)?,
            ["Atoms"] => {
                let Some(atoms) = atoms.filter(|&atoms| atoms > 0) else {
                    return Err(text.refuse("the header says no number of atoms"));
                };
                let promised = format!("{}:{line_of_atoms}: the file promises {atoms} atoms", text.file);
                reading.facts.cell = header_box.cell();
                read_atoms(&mut text, reading, comment.trim(), &hints, atoms, &promised)?;
                has_read = true;
            }
            ["Bonds"] => {
                reading.check_texts(u64::try_from(bonds).unwrap_or(0), || format!("{}: Bonds", reading.file))?;
                read_bonds(&mut text, reading, bonds)?;
            }
            _ => {}
        }
        if has_read && (!reading.extent.bonds || bonds == 0 || reading.facts.bonds.is_complete) {
            return Ok(());
        }
    }
    if has_read { Ok(()) } else { Err(Error::input(&text.file, None, "has no section Atoms")) }
}

/// The box as the lines of a header give it: by bounds and how it leans, or by edges and origin (general triclinic).
#[derive(Debug, Default)]
struct HeaderBox {
    bounds: [Option<[f64; 2]>; 3],
    tilt: [f64; 3],
    edges: [Option<DVec3>; 3],
    origin: DVec3,
}

impl HeaderBox {
    /// Reads a line, and returns whether it is one of the box; an error says what its numbers must be.
    fn read(&mut self, words: &[&str]) -> Result<bool, &'static str> {
        let names = words.iter().position(|word| number(word.as_bytes()).is_none()).unwrap_or(words.len());
        let (numbers, names) = words.split_at(names);
        let numbers: Vec<f64> = numbers.iter().filter_map(|word| number(word.as_bytes())).collect();
        let axis = |names: [&str; 3], name: &str| names.iter().position(|known| *known == name);
        match (names, numbers.as_slice()) {
            ([low, high], bounds) if low.ends_with("lo") && high.ends_with("hi") => {
                match (axis(["xlo", "ylo", "zlo"], low), bounds) {
                    (Some(axis), &[least, greatest]) => self.bounds[axis] = Some([least, greatest]),
                    _ => return Err("bounds of the box"),
                }
            }
            (["xy", "xz", "yz"], &[xy, xz, yz]) => self.tilt = [xy, xz, yz],
            (["xy", "xz", "yz"], _) => return Err("how the box leans"),
            ([name @ ("avec" | "bvec" | "cvec")], &[x, y, z]) => {
                let axis = axis(["avec", "bvec", "cvec"], name);
                axis.into_iter().for_each(|axis| self.edges[axis] = Some(DVec3::new(x, y, z)));
            }
            (["avec" | "bvec" | "cvec"], _) => return Err("an edge of the box"),
            (["abc", "origin"], &[x, y, z]) => self.origin = DVec3::new(x, y, z),
            (["abc", "origin"], _) => return Err("the origin of the box"),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The cell; `None` if no line gave a part of it. Axes without bounds go from -0.5 to 0.5, as in LAMMPS.
    fn cell(&self) -> Option<Cell> {
        if let [Some(a), Some(b), Some(c)] = self.edges {
            return Cell::new(self.origin, DMat3::from_cols(a, b, c));
        }
        if self.bounds == [None; 3] {
            return None;
        }
        let bounds = self.bounds.map(|bounds| bounds.unwrap_or([-0.5, 0.5]));
        BoxBounds {
            least: bounds.map(|[least, _]| least),
            greatest: bounds.map(|[_, greatest]| greatest),
            tilt: self.tilt,
        }
        .cell()
    }
}

/// The words of a line before its comment.
fn words_of(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    words(line.split(|&byte| byte == b'#').next().unwrap_or_default())
}

/// Reads the bonds: on each line a number, a type and the numbers of two atoms.
fn read_bonds(text: &mut Text, reading: &mut Reading<'_>, count: i64) -> Result<()> {
    let mut read = 0;
    while read < count {
        let Some(line) = text.line()? else {
            return Err(text.refuse(format!("{count} bonds are promised, but the file ends after {read}")));
        };
        let numbers: Vec<Option<i64>> = words_of(line).take(4).map(integer).collect();
        let atoms = match *numbers {
            [] => continue,
            [Some(_), _, Some(first), Some(second)] => [first, second],
            _ => return Err(text.refuse("a bond must have a number, a type and the numbers of two atoms")),
        };
        reading.facts.bonds.serials.push((atoms, BondOrder::Single));
        read += 1;
    }
    reading.facts.bonds.is_complete = true;
    Ok(())
}

/// Reads the masses of the types: on each line a type and a number, up to the next section.
fn read_masses(text: &mut Text, reading: &mut Reading<'_>) -> Result<()> {
    while let Some(line) = text.peek()? {
        let words: Vec<&[u8]> = words_of(line).take(2).collect();
        match words[..] {
            [] => {}
            [kind, mass] => match (integer(kind), number(mass)) {
                (Some(kind), Some(mass)) => reading.facts.type_masses.push((kind, mass)),
                _ => break,
            },
            _ => break,
        }
        text.line()?;
    }
    Ok(())
}

/// Atoms examined to guess the style.
const SNIFFED: usize = 1000;

/// Facts from the header that distinguish styles.
#[derive(Debug, Default)]
struct Hints {
    types: Option<i64>,
    has_bonds: bool,
}

fn read_atoms(
    text: &mut Text,
    reading: &mut Reading<'_>,
    style: &str,
    hints: &Hints,
    atoms: u64,
    promised: &str,
) -> Result<()> {
    let is_gap = |line: &[u8]| line.trim_ascii().is_empty() || line.trim_ascii_start().starts_with(b"#");
    while text.peek()?.is_some_and(is_gap) {
        text.line()?;
    }
    let first = text.peek_text()?;
    let mut styles = style.split_ascii_whitespace();
    let mut columns = match styles.next() {
        Some("hybrid") => hybrid_columns(styles).map_err(|message| text.refuse(message))?,
        style => match style.and_then(|style| style.parse::<AtomStyle>().ok()).or(reading.hints.atom_style) {
            Some(style) => style.columns().to_vec(),
            None => guessed(text, reading, hints, atoms)?.to_vec(),
        },
    };
    let rest: Vec<&[u8]> = words_of(first.as_bytes()).skip(columns.len()).collect();
    if rest.len() == FLAGS.len() && rest.iter().all(|word| is_whole(word)) {
        columns.extend(FLAGS);
    }
    let names: Vec<String> = columns.iter().map(|&name| name.to_owned()).collect();
    let place = |name: &str| names.iter().position(|column| column == name).expect("every style has coordinates");
    let lines = AtomLines::new(&names, &first, [place("x"), place("y"), place("z")], None);
    reading.begin(Header { fields: lines.fields.clone(), has_positions: true, chains: None })?;
    reading.check_rows(atoms, || promised.to_owned())?;
    lines.read(text, reading, atoms)
}

/// The columns of a hybrid style: number, type and position, then those of each style that no earlier one has.
fn hybrid_columns<'a>(styles: impl Iterator<Item = &'a str>) -> Result<Vec<&'static str>, String> {
    let mut columns = vec!["id", "type", "x", "y", "z"];
    for name in styles {
        let style = name.parse::<AtomStyle>().map_err(|_| {
            let known = did_you_mean::list(AtomStyle::names());
            format!("the styles of a hybrid must be atom styles, got {:?} (styles: {known})", shortened(name))
        })?;
        let new: Vec<&str> = style.columns().iter().copied().filter(|column| !columns.contains(column)).collect();
        columns.extend(new);
    }
    Ok(columns)
}

/// The columns of the style that the first atoms allow; if they allow another, too, a note says so.
fn guessed(text: &mut Text, reading: &mut Reading<'_>, hints: &Hints, atoms: u64) -> Result<&'static [&'static str]> {
    text.fill(HEAD)?;
    let lines = text.ahead().split(|&byte| byte == b'\n').take(SNIFFED.min(usize::try_from(atoms).unwrap_or(SNIFFED)));
    let rows: Vec<Vec<&[u8]>> = lines.map(|line| words_of(line).collect()).collect();
    // the read-ahead may end inside the last line
    let whole = if rows.len() > 1 && text.ahead().len() >= HEAD { &rows[..rows.len() - 1] } else { &rows[..] };
    let allowed = allowed(whole, hints);
    if let Some((style, _)) = allowed.first()
        && allowed.iter().all(|(_, columns)| place_of_x(columns) == place_of_x(allowed[0].1))
    {
        if let Some((other, _)) = allowed.get(1) {
            let note = format!(
                "{}: the atom style is taken to be {style}, but may be {other}; --atom-style {other} says so",
                text.file
            );
            reading.facts.notes.push(note);
        }
        return Ok(allowed[0].1);
    }
    let first = text.text_line()?.unwrap_or_default();
    let message = format!(
        "the atom style is not known from {:?}; --atom-style names it, as does Atoms # full in the file (styles: {})",
        shortened(first.trim()),
        AtomStyle::names().collect::<Vec<_>>().join(", ")
    );
    Err(text.refuse(message))
}

fn place_of_x(columns: &[&str]) -> Option<usize> {
    columns.iter().position(|&column| column == "x")
}

/// Whether a word is written as a whole number.
fn is_whole(word: &[u8]) -> bool {
    !word.iter().any(|byte| b".eE".contains(byte)) && integer(word).is_some()
}

/// The usual styles that these lines of atoms allow, the likeliest first.
fn allowed(rows: &[Vec<&[u8]>], hints: &Hints) -> Vec<(&'static str, &'static [&'static str])> {
    /// The styles to choose from; styles without bonds come first.
    const USUAL: [&str; 6] = ["atomic", "molecular", "full", "charge", "dipole", "sphere"];
    let Some(width) = rows.first().map(Vec::len) else { return Vec::new() };
    if rows.iter().any(|row| row.len() != width) {
        return Vec::new();
    }
    let column_is = |place: usize, is: &dyn Fn(&[u8]) -> bool| rows.iter().all(|row| is(row[place]));
    let fits = |columns: &[&str], flags: usize| {
        let values = columns.iter().enumerate().all(|(place, &name)| {
            column_is(place, &|word| match name {
                "id" => is_whole(word),
                "type" => {
                    is_whole(word)
                        && integer(word).is_some_and(|kind| kind > 0 && hints.types.is_none_or(|types| kind <= types))
                }
                "molecule" => is_whole(word) && integer(word).is_some_and(|molecule| molecule >= 0),
                "diameter" => number(word).is_some_and(|value| value >= 0.0),
                "density" => number(word).is_some_and(|value| value > 0.0),
                _ => number(word).is_some(),
            })
        });
        values && (columns.len()..columns.len() + flags).all(|place| column_is(place, &is_whole))
    };
    // prefer styles whose coordinates have decimal points in some row
    let has_point = |columns: &[&str]| {
        let x = place_of_x(columns).unwrap_or_default();
        !(x..x + 3).all(|place| column_is(place, &is_whole))
    };
    let mut found: Vec<_> = USUAL
        .iter()
        .filter_map(|usual| STYLES.iter().find(|(name, _)| name == usual))
        .filter(|(_, columns)| {
            [0, FLAGS.len()].iter().any(|&flags| columns.len() + flags == width && fits(columns, flags))
        })
        .copied()
        .collect();
    if found.iter().any(|(_, columns)| has_point(columns)) {
        found.retain(|(_, columns)| has_point(columns));
    }
    // with bonds, prefer styles with molecules
    let of_molecules = |columns: &[&str]| columns.contains(&"molecule");
    if hints.has_bonds && found.iter().any(|(_, columns)| of_molecules(columns)) {
        found.retain(|(_, columns)| of_molecules(columns));
    }
    // a dipole moment of whole numbers in every row is image flags instead
    if found.len() > 1 && width == 9 && (6..9).all(|place| column_is(place, &is_whole)) {
        found.retain(|(name, _)| *name != "dipole");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styles(text: &str, types: i64, has_bonds: bool) -> Vec<&'static str> {
        let rows: Vec<Vec<&[u8]>> =
            text.lines().map(|line| line.split_ascii_whitespace().map(str::as_bytes).collect()).collect();
        let hints = Hints { types: Some(types), has_bonds };
        allowed(&rows, &hints).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn styles_are_told_by_all_atoms_and_the_header() {
        for (text, types, bonds, expected) in [
            ("1 1 0.5 0 0", 1, false, &["atomic"][..]),
            ("1 1 0 0 0\n2 1 1 1 1", 1, false, &["atomic"]),
            ("1 1 0.5 0 0 0 0 -1", 1, false, &["atomic"]),
            ("1 1 -1 0.5 0 0", 2, false, &["charge"]),
            ("1 1 1 0.5 0 0\n2 2 -1 0.5 0 0", 2, false, &["charge"]),
            ("1 1 1 0.5 0 0\n2 7 2 0.5 0 0", 2, false, &["molecular"]),
            ("1 1 1 0.5 0 0\n2 1 2 0.5 0 0", 2, false, &["molecular", "charge"]),
            ("1 1 1 0.5 0 0\n2 1 2 0.5 0 0", 2, true, &["molecular"]),
            ("1 1 1 0 0.5 0 0\n2 1 1 0 0.5 0 0", 1, false, &["full"]),
            ("1 1 1 1 0.5 0 0\n2 1 1 -1 0.5 0 0 ", 1, false, &["full"]),
            ("1 1 1.0 2.0 0.5 0 0", 1, false, &["sphere"]),
            ("1 1 1 1 0.5 0 0 1 0 0", 1, true, &["full"]),
            ("1 1 0.5 0.5 0 0 0 0 0", 1, false, &["charge"]),
            ("1 1 0.5 0.5 0 0 0.1 0 0", 1, false, &["dipole"]),
            ("1 1 1 1 1 1 1 1 1 1 1 1 1", 1, false, &[]),
            ("1 9 0.5 0 0", 1, false, &[]),
        ] {
            assert_eq!(styles(text, types, bonds), expected, "{text}");
        }
    }
}
