//! Atoms in mmCIF, and in CIF of small molecules: tags and values, and a loop with a row an atom.
//!
//! Rows of atoms are read by all threads, so each must be on a line of its own, as every program writes them. Coordinates
//! are Cartesian, or fractions of the cell's edges; the latter are drawn as listed, without symmetric copies. Cell,
//! assemblies, helices and strands are read, too.

use std::collections::BTreeSet;
use std::sync::Mutex;

use glam::DVec3;

use super::atom_site::{AtomSite, symbol};
use super::macromolecule::{self, CifCategory, uncertain};
use super::reading::Reading;
use super::wanted::{Axes, Wanted};
use crate::data::{Alternate, Kind, TablePart};
use crate::error::{Error, Result};
use crate::io::did_you_mean::shortened;
use crate::io::source::columns::{Filling, GrowingColumn, GrowingPositions};
use crate::io::source::input::Stream;
use crate::io::source::number::{is_missing, leading, narrowed, number};
use crate::io::source::piece::{Flaw, Piece};
use crate::io::source::pieces::{Text, Until, lines};

/// Categories that are kept.
pub(super) const KEPT: [&str; 6] = [
    "_cell",
    "_struct_conf",
    "_struct_sheet_range",
    "_pdbx_struct_assembly_gen",
    "_pdbx_struct_oper_list",
    "_atom_site",
];

/// The largest number of values of a kept category other than the atoms. No real file has more.
pub(super) const MOST_VALUES: usize = 1 << 22;

/// Whether a text of unknown format is CIF: a block of data with tags.
pub(super) fn sniff(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_block = |line: &str| line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data_"));
    lines.next().is_some_and(is_block)
        && lines
            .next()
            .is_none_or(|line| line.starts_with('_') || line.eq_ignore_ascii_case("loop_") || line.starts_with(';'))
}

/// Reads the wanted model of the first block with atoms.
pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let mut kept: Vec<CifCategory> = vec![CifCategory::default(); KEPT.len()];
    let mut atoms = false;
    while let Some(line) = text.peek()? {
        let line = line.trim_ascii();
        if line.eq_ignore_ascii_case(b"loop_") {
            text.line()?;
            let (category, items) = loop_items(&mut text)?;
            match KEPT.iter().position(|known| *known == category) {
                Some(5) if atoms => skip_loop(&mut text)?,
                Some(5) => {
                    atoms = true;
                    read_atoms(&mut text, reading, &items, &kept)?;
                }
                Some(index) => kept[index] = CifCategory { values: values(&mut text)?, items },
                None => skip_loop(&mut text)?,
            }
        } else if line.starts_with(b"_") {
            pair(&mut text, &mut kept)?;
        } else if line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"data_")) && atoms {
            // another structure
            break;
        } else {
            text.line()?;
        }
    }
    if !atoms && kept[5].rows() > 0 {
        atoms = true;
        read_single(&text.file, reading, &kept)?;
    }
    if !atoms {
        return Err(Error::input(&text.file, None, "no atoms: there is no _atom_site"));
    }
    reading.facts.cell = macromolecule::cell(&kept[0]);
    let refuse = |message| Error::input(&text.file, None, message);
    reading.facts.assemblies = macromolecule::assemblies(&kept[3], &kept[4]).map_err(refuse)?;
    Ok(())
}

/// The category and the item of a tag: `_cell.length_a` and, of small molecules, `_cell_length_a`.
fn tag_parts(tag: &str) -> (&str, &str) {
    if let Some(parts) = tag.split_once('.') {
        return parts;
    }
    let known =
        KEPT.iter().find_map(|category| tag.strip_prefix(category)?.strip_prefix('_').map(|item| (*category, item)));
    known.unwrap_or((tag, ""))
}

/// The category and the items of a loop; all of them are of one category, or the loop is of none.
fn loop_items(text: &mut Text) -> Result<(String, Vec<String>)> {
    let (mut category, mut items) = (None, Vec::new());
    while let Some(line) = text.peek()? {
        let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let tag = line.split_ascii_whitespace().next().unwrap_or_default();
        if !tag.starts_with('_') {
            if line.is_empty() || line.starts_with('#') {
                text.line()?;
                continue;
            }
            break;
        }
        let (of, item) = tag_parts(tag);
        let same = category.get_or_insert_with(|| of.to_owned()) == of;
        if !same {
            category = Some(String::new());
        }
        items.push(item.to_owned());
        text.line()?;
    }
    Ok((category.unwrap_or_default(), items))
}

/// Whether a loop's values end before this line.
fn ends_loop(line: &[u8]) -> bool {
    match line.trim_ascii_start() {
        [] => false,
        [b'_' | b'#', ..] => true,
        line => [&b"loop_"[..], b"data_", b"save_"]
            .iter()
            .any(|word| line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(word))),
    }
}

/// Skips the values of a loop.
fn skip_loop(text: &mut Text) -> Result<()> {
    let mut in_text = false;
    while let Some(line) = text.peek()? {
        if !in_text && ends_loop(line) {
            break;
        }
        in_text ^= line.starts_with(b";");
        text.line()?;
    }
    Ok(())
}

/// The values of a loop.
fn values(text: &mut Text) -> Result<Vec<String>> {
    let mut values = Vec::new();
    while let Some(line) = text.peek()? {
        if line.starts_with(b";") {
            values.push(long_text(text)?);
            continue;
        }
        if ends_loop(line) {
            break;
        }
        let mut places = Vec::new();
        split(line, &mut places);
        values.extend(places.iter().map(|&(from, to)| String::from_utf8_lossy(&line[from..to]).into_owned()));
        if values.len() > MOST_VALUES {
            text.line()?;
            return Err(text.refuse("a category has more than 2^22 values"));
        }
        text.line()?;
    }
    Ok(values)
}

/// A value over several lines, between lines that begin with a semicolon.
fn long_text(text: &mut Text) -> Result<String> {
    const LONGEST: usize = 1 << 20;
    let mut value = String::new();
    let mut first = true;
    while let Some(line) = text.line()? {
        if !first && line.starts_with(b";") {
            return Ok(value);
        }
        let line = if first { &line[1..] } else { line };
        value.push_str(&String::from_utf8_lossy(line));
        first = false;
        if value.len() > LONGEST {
            return Err(text.refuse("a text is longer than 1 MiB"));
        }
    }
    Err(text.refuse("a text has no end: no line that begins with a semicolon follows"))
}

/// Reads a tag and its value.
fn pair(text: &mut Text, kept: &mut [CifCategory]) -> Result<()> {
    let Some(line) = text.line()? else { return Ok(()) };
    let mut places = Vec::new();
    split(line, &mut places);
    let mut words = places.iter().map(|&(from, to)| String::from_utf8_lossy(&line[from..to]).into_owned());
    let tag = words.next().unwrap_or_default();
    let value = words.next();
    let (category, item) = tag_parts(&tag);
    let value = match value {
        Some(value) => value,
        None => match text.peek()? {
            Some(line) if line.starts_with(b";") => long_text(text)?,
            // the value is alone on the next line
            Some(line) if !ends_loop(line) => {
                let mut places = Vec::new();
                split(line, &mut places);
                let value = places.first().map(|&(from, to)| String::from_utf8_lossy(&line[from..to]).into_owned());
                text.line()?;
                value.unwrap_or_default()
            }
            _ => return Ok(()),
        },
    };
    if let Some(index) = KEPT.iter().position(|known| *known == category) {
        kept[index].items.push(item.to_owned());
        kept[index].values.push(value);
    }
    Ok(())
}

/// Whether a byte separates values: one comparison, as control characters are in no value.
#[inline]
fn is_blank(byte: &u8) -> bool {
    *byte <= b' '
}

/// The ranges of the values of a line, without their quotes.
fn split(line: &[u8], places: &mut Vec<(usize, usize)>) {
    places.clear();
    let mut at = 0;
    loop {
        while line.get(at).is_some_and(is_blank) {
            at += 1;
        }
        let Some(&first) = line.get(at) else { return };
        match first {
            b'#' => return,
            quote @ (b'\'' | b'"') => {
                let start = at + 1;
                // a quote ends the value only if a blank follows
                let ends = |&end: &usize| line[end] == quote && line.get(end + 1).is_none_or(u8::is_ascii_whitespace);
                let end = (start..line.len()).find(ends).unwrap_or(line.len());
                places.push((start, end));
                at = end + 1;
            }
            _ => {
                let start = at;
                while line.get(at).is_some_and(|byte| !is_blank(byte)) {
                    at += 1;
                }
                places.push((start, at));
            }
        }
    }
}

/// The loop of atoms.
struct CifAtoms {
    /// Values of a row.
    items: usize,
    site: AtomSite,
    /// The model that is read.
    wanted: Vec<u8>,
}

fn read_atoms(text: &mut Text, reading: &mut Reading<'_>, items: &[String], kept: &[CifCategory]) -> Result<()> {
    let first = text.peek()?.map(<[u8]>::to_vec).unwrap_or_default();
    let mut places = Vec::new();
    split(&first, &mut places);
    let value = |place: usize| places.get(place).map_or(&[][..], |&(from, to)| &first[from..to]);
    let ranges = macromolecule::residue_ranges(&kept[1], &kept[2]);
    let site = AtomSite::new(items, |place| number(value(place)).is_some(), macromolecule::cell(&kept[0]), ranges)
        .map_err(|message| text.refuse(message))?;
    let first_model = site.model.map(|place| value(place).to_vec()).unwrap_or_default();
    let wanted = site.wanted_model(&first_model, reading.extent.frame).ok_or_else(|| reading.no_frame(1))?;
    reading.begin(site.header())?;
    let atoms = CifAtoms { items: items.len(), site, wanted };
    let models = Mutex::new(BTreeSet::new());
    reading.parse(text, Until::Line(ends_loop), &|piece, wanted, room| atoms.parse(piece, wanted, room, &models))?;
    let models = models.into_inner().unwrap_or_default().len().max(1) as u64;
    finish(&text.file, reading, models)
}

/// Reads the atom of a category without a loop, which is written as tags and their values.
fn read_single(file: &str, reading: &mut Reading<'_>, kept: &[CifCategory]) -> Result<()> {
    let CifCategory { items, values } = &kept[5];
    let value = |place: usize| values[place].as_bytes();
    let ranges = macromolecule::residue_ranges(&kept[1], &kept[2]);
    let refuse = |message: String| Error::input(file, None, format!("_atom_site: {message}"));
    let site = AtomSite::new(items, |place| number(value(place)).is_some(), macromolecule::cell(&kept[0]), ranges)
        .map_err(|message| refuse(message.to_owned()))?;
    if reading.extent.frame > 0 {
        return Err(reading.no_frame(1));
    }
    reading.begin(site.header())?;
    let atoms = CifAtoms { items: items.len(), site, wanted: Vec::new() };
    let wanted = reading.wanted_of_next(1);
    reading.check_rows(1, || format!("{file}: an atom"))?;
    let mut filling = empty(&wanted);
    atoms.push(&value, &wanted, &mut filling, &mut None).map_err(refuse)?;
    reading.push(filling.finish())?;
    finish(file, reading, 1)
}

/// Columns without rows.
pub(super) fn empty(wanted: &Wanted) -> Filling {
    let positions = match wanted.axes {
        Axes::None => GrowingPositions::Unknown(0),
        _ => GrowingPositions::Space(Vec::new()),
    };
    let columns = wanted.kinds().into_iter().map(GrowingColumn::new).collect();
    Filling { positions, columns, alternates: Vec::new(), unplaced: 0 }
}

/// Checks that there are atoms, and notes how many models.
pub(super) fn finish(file: &str, reading: &mut Reading<'_>, models: u64) -> Result<()> {
    if reading.rows() == 0 && reading.extent.frame > 0 {
        return Err(reading.no_frame(models));
    }
    if reading.rows() == 0 {
        return Err(Error::input(file, None, "no atoms: _atom_site has no rows"));
    }
    reading.facts.frames = if reading.extent.count_frames { models } else { 1 };
    Ok(())
}

impl CifAtoms {
    /// Reads the atoms of a piece.
    fn parse(
        &self,
        piece: &Piece,
        wanted: &Wanted,
        room: u64,
        models: &Mutex<BTreeSet<Vec<u8>>>,
    ) -> Result<TablePart, Flaw> {
        let mut filling = empty(wanted);
        let mut places = Vec::new();
        let mut last_model: Vec<u8> = Vec::new();
        let mut structure = None;
        let site = &self.site;
        for (at, line) in lines(&piece.bytes) {
            let refuse = |message| Flaw { at, message };
            split(line, &mut places);
            if places.is_empty() {
                continue;
            }
            if places.len() != self.items {
                let message = format!("must have {} values on a line, got {}", self.items, places.len());
                return Err(refuse(message));
            }
            let value = |place: usize| {
                let (from, to) = places[place];
                &line[from..to]
            };
            if let Some(place) = site.model {
                let model = value(place);
                if model != last_model {
                    models.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(model.to_vec());
                    last_model.clear();
                    last_model.extend_from_slice(model);
                }
                if model != self.wanted {
                    continue;
                }
            }
            if filling.rows() as u64 == room {
                return Err(refuse(String::new()));
            }
            self.push(&value, wanted, &mut filling, &mut structure).map_err(refuse)?;
        }
        Ok(filling.finish())
    }

    /// Adds an atom with these values.
    #[inline]
    fn push<'v>(
        &self,
        value: &impl Fn(usize) -> &'v [u8],
        wanted: &Wanted,
        filling: &mut Filling,
        structure: &mut Option<(Vec<u8>, &'static str)>,
    ) -> Result<(), String> {
        let site = &self.site;
        if let Some(place) = site.alternate.map(value).filter(|place| !is_missing(place)) {
            let residue = site.residue.map(|at| at.map_or(&[][..], value));
            filling.alternates.push(Alternate {
                row: filling.rows(),
                residue: residue.join(&b' ').into(),
                place: place[0],
                occupancy: site.occupancy.and_then(|at| number(value(at))).map_or(1.0, |value| narrowed(value, b"")),
            });
        }
        for (column, want) in filling.columns.iter_mut().zip(&wanted.columns) {
            let (field, place) = &site.fields[want.field];
            let pushed = match field.name.as_str() {
                "structure" if *place == AtomSite::NO_ITEM => {
                    let residue = site.residue.map(|at| at.map_or(&[][..], value));
                    column.push(site.structure(residue, structure).as_bytes())
                }
                "element" => column.push(symbol(value(*place)).as_bytes()),
                _ if want.kind == Kind::Name => {
                    let text = value(*place);
                    column.push(if is_missing(text) { b"" } else { text })
                }
                _ => column.push(value(*place)),
            };
            pushed.map_err(|accepted| {
                let name = shortened(&field.name);
                let found = String::from_utf8_lossy(value(*place)).into_owned();
                format!("{name} must be {accepted}, got {:?}", shortened(&found))
            })?;
        }
        match &mut filling.positions {
            GrowingPositions::Unknown(rows) => *rows += 1,
            GrowingPositions::Plane(_) => unreachable!("atoms are in space"),
            GrowingPositions::Space(places) => places.push(self.place(value)?),
        }
        Ok(())
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    fn place<'a>(&self, value: impl Fn(usize) -> &'a [u8]) -> Result<[f32; 3], String> {
        let mut place = [0.0; 3];
        let mut single = [0.0; 3];
        for axis in 0..3 {
            let text = value(self.site.axes[axis]);
            let plain = leading(text).filter(|&(value, length)| value.is_finite() && length == text.len());
            let found = plain.map(|(value, _)| value).or_else(|| uncertain(&String::from_utf8_lossy(text)));
            let Some(found) = found else {
                let text = String::from_utf8_lossy(text);
                return Err(format!("{} must be a finite number, got {:?}", ["x", "y", "z"][axis], shortened(&text)));
            };
            (place[axis], single[axis]) = (found, narrowed(found, text));
        }
        if let Some(way) = self.site.way {
            single = way.transform_point3(DVec3::from(place)).to_array().map(|value| value as f32);
        }
        if single.iter().all(|value| value.is_finite()) {
            Ok(single)
        } else {
            Err(format!("the position must be between -3.4e38 and 3.4e38, got {place:?}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_line_lose_their_quotes() {
        let split = |line: &str| {
            let mut places = Vec::new();
            super::split(line.as_bytes(), &mut places);
            places.iter().map(|&(from, to)| line[from..to].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(split("ATOM 1 C  ? ."), ["ATOM", "1", "C", "?", "."]);
        assert_eq!(split(r#"HETATM "O5'" 'a b' 'it''s' "" # comment"#), ["HETATM", "O5'", "a b", "it''s", ""]);
        assert_eq!(split("'open"), ["open"]);
        assert_eq!(split("  "), [""; 0]);
    }

    #[test]
    fn tags_are_taken_apart() {
        assert_eq!(tag_parts("_atom_site.Cartn_x"), ("_atom_site", "Cartn_x"));
        assert_eq!(tag_parts("_atom_site_fract_x"), ("_atom_site", "fract_x"));
        assert_eq!(tag_parts("_cell_length_a"), ("_cell", "length_a"));
        assert_eq!(tag_parts("_audit"), ("_audit", ""));
    }
}
