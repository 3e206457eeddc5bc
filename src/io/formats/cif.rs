//! Atoms in mmCIF, and in CIF of small molecules: tags and values, and a loop with a row an atom.
//!
//! Rows of atoms are read by all threads, so each must be on a line of its own, as every program writes them. Coordinates
//! are Cartesian, or fractions of the cell's edges; the latter are drawn as listed, without symmetric copies. Cell,
//! assemblies, helices and strands are read, too.

use std::collections::BTreeSet;
use std::sync::Mutex;

use glam::{DAffine3, DVec3};

use super::macromolecule::{self, ATOM_ITEMS, Category, POSITION_ITEMS, uncertain};
use super::reading::{Axes, Field, Header, Reading, Wanted};
use super::residue_ranges::{ResidueRange, structure_of};
use crate::color::elements::Atomic;
use crate::data::{Alternate, Kind, Part};
use crate::error::{Error, Result};
use crate::io::source::columns::{Filling, Growing, GrowingPositions};
use crate::io::source::input::Stream;
use crate::io::source::number::{integer, is_missing, leading, narrowed, number};
use crate::io::source::pieces::{Flaw, Piece, Text, Until, lines};
use crate::io::suggest::shortened;

/// Categories that are kept.
const KEPT: [&str; 6] = [
    "_cell",
    "_struct_conf",
    "_struct_sheet_range",
    "_pdbx_struct_assembly_gen",
    "_pdbx_struct_oper_list",
    "_atom_site",
];

/// The largest number of values of a kept category other than the atoms. No real file has more.
const MOST_VALUES: usize = 1 << 22;

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
    let mut kept: Vec<Category> = vec![Category::default(); KEPT.len()];
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
                Some(index) => kept[index] = Category { values: values(&mut text)?, items },
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
        return Err(Error::input(&text.file, None, "a single atom outside of a loop is not read"));
    }
    if !atoms {
        return Err(Error::input(&text.file, None, "no atoms: there is no loop of _atom_site"));
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
fn pair(text: &mut Text, kept: &mut [Category]) -> Result<()> {
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

/// The ranges of the values of a line, without their quotes.
fn split(line: &[u8], places: &mut Vec<(usize, usize)>) {
    places.clear();
    let mut at = 0;
    loop {
        while line.get(at).is_some_and(u8::is_ascii_whitespace) {
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
                while line.get(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
                    at += 1;
                }
                places.push((start, at));
            }
        }
    }
}

/// The columns of the loop of atoms.
struct Atoms {
    /// Values of a row.
    items: usize,
    /// The available columns, and their places in the row.
    fields: Vec<(Field, usize)>,
    /// Places of the coordinates.
    axes: [usize; 3],
    /// From fractions of the cell's edges to space.
    way: Option<DAffine3>,
    /// Places of the items that name alternates.
    alternate: Option<usize>,
    residue: [Option<usize>; 3],
    occupancy: Option<usize>,
    model: Option<usize>,
    /// The model that is read.
    wanted: Vec<u8>,
    /// Helices and strands; their field is the last.
    ranges: Vec<ResidueRange>,
}

fn read_atoms(text: &mut Text, reading: &mut Reading<'_>, items: &[String], kept: &[Category]) -> Result<()> {
    let first = text.peek()?.map(<[u8]>::to_vec).unwrap_or_default();
    let mut places = Vec::new();
    split(&first, &mut places);
    let value = |place: usize| places.get(place).map_or(&[][..], |&(from, to)| &first[from..to]);
    let place = |item: &str| items.iter().position(|known| known.eq_ignore_ascii_case(item));
    let cell = macromolecule::cell(&kept[0]);
    let three = |items: [&str; 3]| Some([place(items[0])?, place(items[1])?, place(items[2])?]);
    let cartesian = three(["Cartn_x", "Cartn_y", "Cartn_z"]);
    let fractional = three(["fract_x", "fract_y", "fract_z"]).zip(cell);
    let (axes, way) = match (cartesian, fractional) {
        (Some(axes), _) => (axes, None),
        (None, Some((axes, cell))) => (axes, Some(DAffine3::from_mat3_translation(cell.edges, DVec3::ZERO))),
        (None, None) => {
            let message =
                "_atom_site must have Cartn_x, Cartn_y and Cartn_z, or a cell and fract_x, fract_y and fract_z";
            return Err(text.refuse(message));
        }
    };
    let mut fields: Vec<(Field, usize)> = Vec::new();
    for (item, name, kind) in ATOM_ITEMS {
        if let Some(place) = place(item).filter(|_| fields.iter().all(|(field, _)| field.name != name)) {
            fields.push((Field::new(name, kind), place));
        }
    }
    let taken: BTreeSet<usize> = fields.iter().map(|(_, place)| *place).collect();
    for (place, item) in items.iter().enumerate().filter(|(place, _)| !taken.contains(place)) {
        let known = POSITION_ITEMS.contains(&item.as_str()) || ATOM_ITEMS.iter().any(|(known, ..)| known == item);
        if !known {
            let kind = if number(value(place)).is_some() { Kind::F32 } else { Kind::Name };
            fields.push((Field::new(item.clone(), kind), place));
        }
    }
    if place("type_symbol").is_none()
        && let Some(label) = place("label")
    {
        fields.push((Field::new("element", Kind::Name), label));
    }
    let ranges = macromolecule::residue_ranges(&kept[1], &kept[2]);
    if !ranges.is_empty() {
        fields.push((Field::new("structure", Kind::Name), usize::MAX));
    }
    let find = |name: &str| fields.iter().position(|(field, _)| field.name == name);
    let chains = find("label_chain").or_else(|| find("chain"));
    let at = |name: &str| find(name).map(|field| fields[field].1);
    let (alternate, occupancy, model) = (at("altloc"), at("occupancy"), at("model"));
    let residue = [at("chain").or_else(|| at("label_chain")), at("resid"), at("icode")];
    let first_model = model.map(|place| value(place).to_vec()).unwrap_or_default();
    let wanted = match (reading.extent.frame, integer(&first_model)) {
        (0, _) => first_model,
        // models are numbered one after the other
        (frame, Some(first)) => first.saturating_add_unsigned(frame).to_string().into_bytes(),
        (_, None) => return Err(reading.no_frame(1)),
    };
    let header = fields.iter().map(|(field, _)| field.clone()).collect();
    let atoms = Atoms { items: items.len(), fields, axes, way, alternate, residue, occupancy, model, wanted, ranges };
    reading.begin(Header { fields: header, has_positions: true, chains })?;
    let models = Mutex::new(BTreeSet::new());
    reading.parse(text, Until::Line(ends_loop), |piece, wanted, room| atoms.parse(piece, wanted, room, &models))?;
    let models = models.into_inner().unwrap_or_default().len().max(1) as u64;
    if reading.rows() == 0 && reading.extent.frame > 0 {
        return Err(reading.no_frame(models));
    }
    if reading.rows() == 0 {
        return Err(Error::input(&text.file, None, "no atoms: the loop of _atom_site has no rows"));
    }
    reading.facts.frames = if reading.extent.count_frames { models } else { 1 };
    Ok(())
}

impl Atoms {
    /// Reads the atoms of a piece.
    fn parse(
        &self,
        piece: &Piece,
        wanted: &Wanted,
        room: u64,
        models: &Mutex<BTreeSet<Vec<u8>>>,
    ) -> Result<Part, Flaw> {
        let positions = match wanted.axes {
            Axes::None => GrowingPositions::Unknown(0),
            _ => GrowingPositions::Space(Vec::new()),
        };
        let columns = wanted.kinds().into_iter().map(Growing::new).collect();
        let mut filling = Filling { positions, columns, alternates: Vec::new(), unplaced: 0 };
        let mut places = Vec::new();
        let mut last_model: Vec<u8> = Vec::new();
        let mut structure = None;
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
            if let Some(place) = self.model {
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
            if let Some(place) = self.alternate.map(value).filter(|place| !is_missing(place)) {
                let residue: Vec<&[u8]> = self.residue.iter().map(|at| at.map_or(&[][..], value)).collect();
                filling.alternates.push(Alternate {
                    row: filling.rows(),
                    residue: residue.join(&b' ').into(),
                    place: place[0],
                    occupancy: self
                        .occupancy
                        .and_then(|at| number(value(at)))
                        .map_or(1.0, |value| narrowed(value, b"")),
                });
            }
            for (column, want) in filling.columns.iter_mut().zip(&wanted.columns) {
                let (field, place) = &self.fields[want.field];
                let pushed = match field.name.as_str() {
                    "structure" if *place == usize::MAX => {
                        let residue = self.residue.map(|at| at.map_or(&[][..], value));
                        column.push(self.structure(residue, &mut structure).as_bytes())
                    }
                    "element" => column.push(symbol(value(*place)).as_bytes()),
                    _ if want.kind == Kind::Name => {
                        let text = value(*place);
                        column.push(if is_missing(text) { b"" } else { text })
                    }
                    _ => column.push(value(*place)),
                };
                let name = shortened(&field.name);
                pushed.map_err(|accepted| {
                    let found = String::from_utf8_lossy(value(*place)).into_owned();
                    refuse(format!("{name} must be {accepted}, got {:?}", shortened(&found)))
                })?;
            }
            match &mut filling.positions {
                GrowingPositions::Unknown(rows) => *rows += 1,
                GrowingPositions::Plane(_) => unreachable!("atoms are in space"),
                GrowingPositions::Space(places) => places.push(self.place(value).map_err(refuse)?),
            }
        }
        Ok(filling.finish())
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    fn place<'a>(&self, value: impl Fn(usize) -> &'a [u8]) -> Result<[f32; 3], String> {
        let mut place = [0.0; 3];
        let mut single = [0.0; 3];
        for axis in 0..3 {
            let text = value(self.axes[axis]);
            let plain = leading(text).filter(|&(value, length)| value.is_finite() && length == text.len());
            let found = plain.map(|(value, _)| value).or_else(|| uncertain(&String::from_utf8_lossy(text)));
            let Some(found) = found else {
                let text = String::from_utf8_lossy(text);
                return Err(format!("{} must be a finite number, got {:?}", ["x", "y", "z"][axis], shortened(&text)));
            };
            (place[axis], single[axis]) = (found, narrowed(found, text));
        }
        if let Some(way) = self.way {
            single = way.transform_point3(DVec3::from(place)).to_array().map(|value| value as f32);
        }
        if single.iter().all(|value| value.is_finite()) {
            Ok(single)
        } else {
            Err(format!("the position must be between -3.4e38 and 3.4e38, got {place:?}"))
        }
    }

    /// The structure of a residue; `last` is that of the last one.
    fn structure(&self, residue: [&[u8]; 3], last: &mut Option<(Vec<u8>, &'static str)>) -> &'static str {
        let key = residue.join(&b' ');
        if let Some((known, structure)) = last
            && *known == key
        {
            return structure;
        }
        let chain = String::from_utf8_lossy(residue[0]).into_owned();
        let code = residue[2].first().copied().filter(|_| !is_missing(residue[2])).unwrap_or(b' ');
        let structure =
            integer(residue[1]).map_or("coil", |number| structure_of(&self.ranges, &chain, (number, code)).name());
        *last = Some((key, structure));
        structure
    }
}

/// The symbol of an element, which in files of small molecules may have a charge or a number behind it.
fn symbol(text: &[u8]) -> &'static str {
    let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let element = Atomic::from_symbol(&text[..letters]);
    element.or_else(|| Atomic::from_symbol(text.get(..1)?)).unwrap_or(Atomic::UNKNOWN).symbol()
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
