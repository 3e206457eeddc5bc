//! Atoms in mmCIF, in CIF of small molecules and in definitions of chemical components: tags and values, and a loop
//! with one row per atom.
//!
//! All threads parse Cartesian coordinates. Atoms with fractional coordinates are few: they are read as text to the end
//! of their block, and the operators of the space group fill the cell (`crystal.rs`). Cell, assemblies, helices and
//! strands are read, too.

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::DVec3;

use super::atom_site::{Alternative, AtomSite, NO_COORDINATES};
use super::cif_bonds;
use super::cif_models::{CifModels, ModelRows};
use super::cif_syntax::{ends_loop, first_word, is_comment, loop_items, pair, ranges, skip_loop, split, values};
use super::crystal::{self, AsymmetricSite, Filled, GroupCategories, SiteImage, SpaceGroup};
use super::macromolecule::{self, CifCategory, uncertain};
use super::reading::Reading;
use super::symmetry::Symmetry;
use super::virtual_sites::{self, VirtualSites};
use super::wanted::Wanted;
use crate::data::{Alternate, Cell, Kind, TablePart};
use crate::did_you_mean::{self, shortened};
use crate::error::{Error, Result};
use crate::source::columns::PartBuilder;
use crate::source::input::Stream;
use crate::source::number::{is_missing, leading, narrowed, number};
use crate::source::piece::{Flaw, Piece};
use crate::source::pieces::{Text, lines};
use crate::source::rows::is_in_range;
use crate::source::until::Until;

/// Categories that are kept; the constants below are indices of this list.
#[rustfmt::skip]
pub(super) const KEPT: [&str; 17] = [
    "_cell", "_struct_conf", "_struct_sheet_range", "_pdbx_struct_assembly_gen", "_pdbx_struct_oper_list",
    "_atom_site", "_space_group_symop", "_symmetry_equiv", "_space_group_symop_magn_operation",
    "_space_group_symop_magn_centering", "_space_group", "_symmetry", "_chem_comp_atom",
    // not atoms
    "_atom_site_aniso",
    "_struct_conn", "_chem_comp_bond", "_atom_site_anisotrop",
];

pub(super) const ATOMS: usize = 5;

/// Symmetry operators, symbols of the space group, and the atoms of a chemical component.
const OPERATORS: [usize; 3] = [6, 7, 8];
const CENTERINGS: usize = 9;
const GROUPS: [usize; 2] = [10, 11];
const COMPONENT: usize = 12;
/// Displacements, which may share a loop with the atoms.
pub(super) const DISPLACEMENTS: usize = 13;
/// Bonds between residues, and within them.
pub(super) const CONNECTIONS: usize = 14;
pub(super) const COMPONENT_BONDS: usize = 15;
/// Displacements of macromolecules.
pub(super) const ANISOTROPIC: usize = 16;

/// Bytes examined to see how the rows of atoms are written.
const LOOK_AHEAD: usize = 1 << 16;

/// Rows of a block, for atoms that are not parsed in pieces.
const ROWS: usize = 1 << 16;

/// The most values of a kept category other than the atoms. No real file has more.
pub(super) const MOST_VALUES: usize = 1 << 22;

/// Whether a text of unknown format is CIF: a data block with tags.
pub(super) fn sniff(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_block = |line: &str| line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data_"));
    lines.next().is_some_and(is_block)
        && lines
            .next()
            .is_none_or(|line| line.starts_with('_') || line.eq_ignore_ascii_case("loop_") || line.starts_with(';'))
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let mut kept: Vec<CifCategory> = vec![CifCategory::default(); KEPT.len()];
    let mut atoms = false;
    while let Some(line) = text.peek()? {
        let line = line.trim_ascii();
        if first_word(line).eq_ignore_ascii_case(b"loop_") {
            let (category, items) = loop_items(&mut text)?;
            match KEPT.iter().position(|known| *known == category) {
                Some(ATOMS) if atoms || has_coordinates(&kept[ATOMS].items) => skip_loop(&mut text)?,
                Some(ATOMS) if is_row_by_row(&mut text, &items)? => {
                    atoms = true;
                    read_atoms(&mut text, reading, &items, &kept)?;
                }
                Some(ANISOTROPIC) if !reading.extent.displacements => skip_loop(&mut text)?,
                Some(index) => {
                    let check = |count| reading.check_texts(count, || format!("{}: {category}", reading.file));
                    kept[index] = CifCategory { values: values(&mut text, &check)?, items };
                }
                None => skip_loop(&mut text)?,
            }
        } else if line.starts_with(b"_") {
            pair(&mut text, &mut kept)?;
        } else if line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"data_")) {
            if atoms || listed(&kept).is_some() {
                // another structure
                let others = later_structures(&mut text)?;
                reading.facts.notes.extend(note_of_structures(&text.file, &others));
                break;
            }
            kept.fill(CifCategory::default());
            text.line()?;
        } else {
            text.line()?;
        }
    }
    if !atoms {
        let Some(listed) = listed(&kept) else {
            let message = if kept[ATOMS].rows() > 0 { NO_COORDINATES } else { "no atoms: there is no _atom_site" };
            return Err(Error::input(&text.file, None, message));
        };
        read_listed(&text.file, reading, &listed, &kept)?;
    }
    reading.facts.cell = macromolecule::cell(&kept[0]);
    reading.facts.displacements = macromolecule::displacements(&kept[ANISOTROPIC]);
    reading.facts.bonds = cif_bonds::bonds(&kept[CONNECTIONS], &kept[COMPONENT_BONDS]);
    let refuse = |message| Error::input(&text.file, None, message);
    reading.facts.assemblies = macromolecule::assemblies(&kept[3], &kept[4]).map_err(refuse)?;
    Ok(())
}

/// The names of the data blocks from the next line on that have coordinates of atoms.
fn later_structures(text: &mut Text) -> Result<Vec<String>> {
    let (mut names, mut name) = (Vec::new(), None);
    while let Some(line) = text.line()? {
        let word = first_word(line.trim_ascii()).to_ascii_lowercase();
        if let Some(block) = word.strip_prefix(b"data_") {
            name = Some(String::from_utf8_lossy(&line.trim_ascii()[5..5 + block.len()]).into_owned());
        } else if word.starts_with(b"_atom_site") && (word.ends_with(b"cartn_x") || word.ends_with(b"fract_x")) {
            names.extend(name.take());
        }
    }
    Ok(names)
}

/// A note on structures that are not drawn.
fn note_of_structures(file: &str, others: &[String]) -> Option<String> {
    let list = did_you_mean::list(others.iter().map(String::as_str));
    let blocks = if others.len() == 1 { "data block" } else { "data blocks" };
    (!others.is_empty()).then(|| format!("{file}: the first structure is drawn, and not the {blocks} {list}"))
}

/// Whether the items of `_atom_site` include coordinates.
pub(super) fn has_coordinates(items: &[String]) -> bool {
    let has = |item: &str| items.iter().any(|known| known.eq_ignore_ascii_case(item));
    has("Cartn_x") || has("fract_x")
}

/// The atoms that were read as text: of the structure, or of a chemical component.
fn listed(kept: &[CifCategory]) -> Option<Cow<'_, CifCategory>> {
    if has_coordinates(&kept[ATOMS].items) && kept[ATOMS].rows() > 0 {
        return Some(Cow::Borrowed(&kept[ATOMS]));
    }
    macromolecule::component_atoms(&kept[COMPONENT]).map(Cow::Owned)
}

struct CifAtoms {
    /// Values of a row.
    items: usize,
    site: AtomSite,
    wanted: Vec<u8>,
    virtual_sites: VirtualSites,
}

/// Whether the rows of atoms can be parsed in pieces: coordinates are Cartesian, the first row is on one line, and no
/// value spans several lines.
fn is_row_by_row(text: &mut Text, items: &[String]) -> Result<bool> {
    while text.peek()?.is_some_and(is_comment) {
        text.line()?;
    }
    text.fill(LOOK_AHEAD)?;
    let places = ranges(text.peek()?.unwrap_or_default());
    let rows = lines(text.ahead()).take_while(|(_, line)| !ends_loop(line));
    let has_text = rows.into_iter().any(|(_, line)| line.starts_with(b";"));
    let is_cartesian = items.iter().any(|item| item.eq_ignore_ascii_case("Cartn_x"));
    Ok(is_cartesian && places.len() == items.len() && !has_text)
}

/// Whether a line has exactly this many values.
fn is_row(line: &[u8], values: usize) -> bool {
    ranges(line).len() == values
}

fn read_atoms(text: &mut Text, reading: &mut Reading<'_>, items: &[String], kept: &[CifCategory]) -> Result<()> {
    let first = text.peek()?.map(<[u8]>::to_vec).unwrap_or_default();
    let places = ranges(&first);
    let value = |place: usize| places.get(place).map_or(&[][..], |&(from, to)| &first[from..to]);
    let ranges = macromolecule::residue_ranges(&kept[1], &kept[2]);
    let site = AtomSite::new(items, |place| is_number(value(place)), macromolecule::cell(&kept[0]), ranges)
        .map_err(|message| text.refuse(message))?;
    let first_model = site.model.map(|place| value(place).to_vec()).unwrap_or_default();
    let wanted = site.wanted_model(&first_model, reading.extent.frame).ok_or_else(|| reading.no_frame(1))?;
    reading.begin(site.header())?;
    let atoms = CifAtoms { items: items.len(), site, wanted, virtual_sites: VirtualSites::new(reading) };
    let models = CifModels::new(&text.file);
    let until = Until::LineAfterRows { stops: ends_loop, is_row, values: items.len() };
    reading.parse(text, until, &|piece, wanted, room| atoms.parse(piece, wanted, room, &models))?;
    let models = models.whole(reading, text.is_at_end()?)?;
    reading.facts.notes.extend(virtual_sites::note(&text.file, atoms.virtual_sites.count()));
    finish(&text.file, reading, models)
}

/// Whether a value is a number, with or without an uncertainty.
fn is_number(value: &[u8]) -> bool {
    number(without_uncertainty(value)).is_some()
}

/// Whether a coordinate is missing. Fast path: most begin with a digit.
#[inline]
fn is_gap(value: &[u8]) -> bool {
    !matches!(value, [b'0'..=b'9', ..] | [b'-', _, ..]) && is_missing(value)
}

/// A number without its uncertainty: `5.4307` of `5.4307(2)`.
fn without_uncertainty(value: &[u8]) -> &[u8] {
    value.iter().position(|&byte| byte == b'(').map_or(value, |end| &value[..end])
}

/// Converts atoms that were read as text: a single atom without a loop, rows over several lines, chemical components,
/// and crystals, whose cell is filled.
fn read_listed(file: &str, reading: &mut Reading<'_>, listed: &CifCategory, kept: &[CifCategory]) -> Result<()> {
    let CifCategory { items, values } = listed;
    let refuse = |message: String| Error::input(file, None, format!("_atom_site: {message}"));
    if !values.len().is_multiple_of(items.len()) {
        return Err(refuse(format!(
            "must have {} values in each row, got {} values in all",
            items.len(),
            values.len()
        )));
    }
    let cell = macromolecule::cell(&kept[0]);
    let ranges = macromolecule::residue_ranges(&kept[1], &kept[2]);
    let is_column_number = |place: usize| {
        let column = values.iter().skip(place).step_by(items.len());
        column.map(String::as_bytes).find(|value| !is_missing(value)).is_some_and(is_number)
    };
    let site = AtomSite::new(items, is_column_number, cell, ranges).map_err(|message| refuse(message.to_owned()))?;
    let rows: Vec<&[String]> = values.chunks_exact(items.len()).collect();
    let model = |row: &[String]| site.model.map(|place| row[place].as_bytes().to_vec()).unwrap_or_default();
    let wanted_model = site.wanted_model(&model(rows[0]), reading.extent.frame).ok_or_else(|| reading.no_frame(1))?;
    let models: BTreeSet<Vec<u8>> = rows.iter().map(|row| model(row)).collect();
    reading.begin(site.header())?;
    let mut atoms: Vec<ListedAtom> = Vec::new();
    let mut unplaced = 0;
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| model(row) == wanted_model) {
        if site.axes.iter().any(|&axis| is_missing(row[axis].as_bytes())) {
            unplaced += 1;
        } else {
            atoms.push((index, None));
        }
    }
    let asymmetric = |row: usize| asymmetric_site(&site, rows[row]);
    let element = |row: usize| {
        let place = site.fields.iter().find(|(field, _)| field.name == "element").map(|(_, place)| *place);
        place.map_or("", |place| (site.symbol)(rows[row][place].as_bytes()))
    };
    let mut shared = None;
    if let (Some(cell), Some(_), Symmetry::Cell) = (cell, site.way, reading.extent.symmetry) {
        shared = fill_cell(file, reading, &cell, kept, asymmetric, &mut atoms)?;
    }
    let shared = match shared {
        Some(shared) => shared,
        None if reading.extent.symmetry == Symmetry::Cell => {
            drop_shared(&site, asymmetric, element, &mut atoms).map_err(refuse)?
        }
        // as listed
        None => Vec::new(),
    };
    reading.facts.notes.extend(note_of_sites(file, &shared, element));
    reading.check_rows(atoms.len() as u64, || format!("{file}: has {} atoms", atoms.len()))?;
    let reader = CifAtoms { items: items.len(), site, wanted: wanted_model, virtual_sites: VirtualSites::new(reading) };
    let mut structure = None;
    for chunk in atoms.chunks(ROWS) {
        let wanted = reading.wanted_of_next(chunk.len() as u64);
        let mut builder = wanted.builder(0);
        builder.unplaced = std::mem::take(&mut unplaced);
        for &(row, image) in chunk {
            let value = |item: usize| rows[row][item].as_bytes();
            if reader.leaves_out(&value) {
                continue;
            }
            reader.push(&value, image, &wanted, &mut builder, &mut structure).map_err(refuse)?;
        }
        reading.push(builder.finish())?;
    }
    reading.facts.notes.extend(virtual_sites::note(file, reader.virtual_sites.count()));
    finish(file, reading, models.len() as u64)
}

/// The row of an atom, and its image if the cell is filled.
type ListedAtom = (usize, Option<SiteImage>);

/// Rows of the file whose atoms share a place: the one that is drawn, and another.
type SharedSite = [usize; 2];

/// Of listed atoms of two elements at one place, keeps the one with the greatest occupancy; of equals, the first.
fn drop_shared(
    site: &AtomSite,
    asymmetric: impl Fn(usize) -> Result<AsymmetricSite, String>,
    element: impl Fn(usize) -> &'static str,
    atoms: &mut Vec<ListedAtom>,
) -> Result<Vec<SharedSite>, String> {
    let sites = atoms.iter().map(|(row, _)| asymmetric(*row)).collect::<Result<Vec<_>, String>>()?;
    let places: Vec<DVec3> =
        sites.iter().map(|found| site.way.map_or(found.place, |way| way.transform_point3(found.place))).collect();
    let (mut is_lost, mut shared) = (vec![false; atoms.len()], Vec::new());
    for [first, second] in crystal::pairs_at_one_place(&places) {
        let rows = [first, second].map(|atom| atoms[atom].0);
        if is_lost[first] || is_lost[second] || element(rows[0]) == element(rows[1]) {
            continue;
        }
        let is_second = sites[second].occupancy > sites[first].occupancy;
        is_lost[if is_second { first } else { second }] = true;
        shared.push(if is_second { [rows[1], rows[0]] } else { rows });
    }
    let mut lost = is_lost.into_iter();
    atoms.retain(|_| !lost.next().unwrap_or(false));
    Ok(shared)
}

/// A note on sites that atoms of two elements share.
fn note_of_sites(file: &str, shared: &[SharedSite], element: impl Fn(usize) -> &'static str) -> Option<String> {
    let pairs: BTreeSet<[&str; 2]> =
        shared.iter().map(|rows| rows.map(&element)).filter(|[drawn, other]| drawn != other).collect();
    let texts: Vec<String> = pairs.iter().map(|[drawn, other]| format!("{drawn} for {drawn} and {other}")).collect();
    let list = did_you_mean::list(texts.iter().map(String::as_str));
    (!pairs.is_empty()).then(|| format!("{file}: elements share a site, of which the most occupied is drawn: {list}"))
}

/// Replaces the atoms of the asymmetric unit by the atoms of the whole cell. Returns the sites that share a place, or
/// `None` if there is nothing to fill.
fn fill_cell(
    file: &str,
    reading: &mut Reading<'_>,
    cell: &Cell,
    kept: &[CifCategory],
    site: impl Fn(usize) -> Result<AsymmetricSite, String>,
    atoms: &mut Vec<ListedAtom>,
) -> Result<Option<Vec<SharedSite>>> {
    let operators = OPERATORS.map(|place| &kept[place]);
    let categories =
        GroupCategories { operators, centerings: &kept[CENTERINGS], names: GROUPS.map(|place| &kept[place]) };
    let group = SpaceGroup::new(&categories, cell);
    if group.operators.len() > 1 {
        let images = (atoms.len() as u64).saturating_mul(group.operators.len() as u64);
        reading.check_rows(images, || format!("{file}: the cell has up to {images} atoms"))?;
        let sites = atoms.iter().map(|(row, _)| site(*row)).collect::<Result<Vec<_>, String>>();
        let sites = sites.map_err(|message| Error::input(file, None, format!("_atom_site: {message}")))?;
        let filled = crystal::fill(&sites, &group.operators, cell);
        reading.facts.notes.push(note_of_cell(file, atoms.len(), &filled, &group));
        let place = |atom: &crystal::Atom| (atoms[atom.site].0, Some(atom.image(cell)));
        let shared = filled.shared_sites.iter().map(|sites| sites.map(|site| atoms[site].0)).collect();
        *atoms = filled.atoms.iter().map(place).collect();
        return Ok(Some(shared));
    }
    if let Some(flaw) = &group.flaw {
        reading.facts.notes.push(format!("{file}: {flaw}; atoms are drawn as they are listed"));
    }
    Ok(None)
}

/// The place and the occupancy of the atom of a row.
fn asymmetric_site(site: &AtomSite, row: &[String]) -> Result<AsymmetricSite, String> {
    let value = |place: usize| row[place].as_bytes();
    let occupancy = site.occupancy.and_then(|place| number(without_uncertainty(value(place))));
    Ok(AsymmetricSite { place: coordinates(site, value)?.into(), occupancy: occupancy.unwrap_or(1.0) })
}

/// The note on a filled cell.
fn note_of_cell(file: &str, listed: usize, filled: &Filled, group: &SpaceGroup) -> String {
    let symbol = group.symbol.as_ref().map_or(String::new(), |symbol| format!(" of {}", shortened(symbol)));
    let shared = match filled.shared {
        0 => String::new(),
        shared => format!("; of atoms at the same place one is drawn ({shared} left out)"),
    };
    format!(
        "{file}: the cell is filled by {} operators{symbol}: {} atoms from {listed}{shared}; --symmetry off draws those listed",
        group.operators.len(),
        filled.atoms.len(),
    )
}

fn coordinates<'a>(site: &AtomSite, value: impl Fn(usize) -> &'a [u8]) -> Result<[f64; 3], String> {
    let mut place = [0.0; 3];
    for axis in 0..3 {
        let text = value(site.axes[axis]);
        let plain = leading(text).filter(|&(value, length)| value.is_finite() && length == text.len());
        let found = plain.map(|(value, _)| value).or_else(|| uncertain(&String::from_utf8_lossy(text)));
        place[axis] = found.ok_or_else(|| {
            let text = String::from_utf8_lossy(text);
            format!("{} must be a finite number, got {:?}", ["x", "y", "z"][axis], shortened(&text))
        })?;
    }
    Ok(place)
}

/// Checks that there are atoms, and records the number of models.
pub(super) fn finish(file: &str, reading: &mut Reading<'_>, models: u64) -> Result<()> {
    if reading.rows() == 0 && reading.extent.frame > 0 {
        return Err(reading.no_frame(models));
    }
    if reading.rows() == 0 {
        return Err(Error::input(file, None, "no atoms: _atom_site has no rows"));
    }
    reading.note_frames(models);
    Ok(())
}

/// Joins rows that span several lines.
struct CifRows<'p> {
    piece: &'p Piece,
    /// Values of a row.
    items: usize,
    /// The start of the row's first line.
    start: usize,
    /// The ranges of a row's values: in its line, or in the piece for a row of several lines.
    row: Vec<(usize, usize)>,
    /// The ranges so far of a row of several lines.
    wrapped: Vec<(usize, usize)>,
}

impl<'p> CifRows<'p> {
    fn new(piece: &'p Piece, items: usize) -> Self {
        Self { piece, items, start: 0, row: Vec::new(), wrapped: Vec::new() }
    }

    /// Adds a line; once a row is complete, returns the bytes to which the ranges of `row` refer.
    fn next(&mut self, at: usize, line: &'p [u8]) -> Result<Option<&'p [u8]>, Flaw> {
        let Self { items, start, row, wrapped, .. } = self;
        split(line, row);
        if row.is_empty() {
            return Ok(None);
        }
        if wrapped.is_empty() {
            *start = at;
            if row.len() == *items {
                return Ok(Some(line));
            }
        }
        wrapped.extend(row.iter().map(|&(from, to)| (at + from, at + to)));
        if line.starts_with(b";") || wrapped.len() > *items {
            return Err(self.incomplete());
        }
        if wrapped.len() < *items {
            return Ok(None);
        }
        row.clear();
        row.append(wrapped);
        Ok(Some(&self.piece.bytes))
    }

    fn incomplete(&self) -> Flaw {
        let message = format!("must have {} values in a row, got {}", self.items, self.wrapped.len());
        Flaw { at: self.start, message }
    }

    /// Refuses an incomplete last row.
    fn finish(&self) -> Result<(), Flaw> {
        if self.wrapped.is_empty() { Ok(()) } else { Err(self.incomplete()) }
    }
}

impl CifAtoms {
    fn parse(&self, piece: &Piece, wanted: &Wanted, room: u64, models: &CifModels) -> Result<TablePart, Flaw> {
        let mut builder = wanted.builder(0);
        let mut rows = CifRows::new(piece, self.items);
        let mut of_models = ModelRows::default();
        let mut structure = None;
        let without_end = piece.line_without_end();
        let site = &self.site;
        for (at, line) in lines(&piece.bytes) {
            let Some(bytes) = rows.next(at, line)? else { continue };
            let CifRows { start, row, .. } = &rows;
            let refuse = |message| Flaw { at: *start, message };
            let value = |place: usize| {
                let (from, to) = row[place];
                &bytes[from..to]
            };
            if let Some(place) = site.model {
                let model = value(place);
                if without_end == Some(*start) && of_models.begins(model) {
                    models.cut_name(piece, *start);
                    continue;
                }
                of_models.add(model);
                if model != self.wanted {
                    continue;
                }
            }
            if site.axes.iter().any(|&axis| is_gap(value(axis))) {
                builder.unplaced += 1;
                continue;
            }
            if self.leaves_out(&value) {
                continue;
            }
            builder.check_room(room, *start)?;
            self.push(&value, None, wanted, &mut builder, &mut structure).map_err(refuse)?;
        }
        if let Err(flaw) = rows.finish() {
            models.cut_values(piece, flaw);
        }
        models.add(piece, of_models);
        Ok(builder.finish())
    }

    /// The stated element, the atom's name and its residue's name.
    fn names<'v>(&self, value: &impl Fn(usize) -> &'v [u8]) -> [&'v [u8]; 3] {
        self.site.names.map(|place| place.map(value).filter(|text| !is_missing(text)).unwrap_or_default())
    }

    /// Whether a row is a virtual site, which is counted and not drawn.
    #[inline]
    fn leaves_out<'v>(&self, value: &impl Fn(usize) -> &'v [u8]) -> bool {
        let [stated, name, residue] = self.names(value);
        self.virtual_sites.leave_out(stated, name, residue)
    }

    /// Adds an atom with these values, at the place of an image or at its coordinates.
    #[inline]
    fn push<'v>(
        &self,
        value: &impl Fn(usize) -> &'v [u8],
        image: Option<SiteImage>,
        wanted: &Wanted,
        builder: &mut PartBuilder,
        structure: &mut Option<(Vec<u8>, &'static str)>,
    ) -> Result<(), String> {
        let site = &self.site;
        if let Some(Alternative { together: residue, place, overlaps_images }) = site.alternative(value) {
            builder.alternates.push(Alternate {
                row: builder.rows(),
                residue,
                place,
                image: image.filter(|_| overlaps_images).map_or(0, |image| image.number),
                occupancy: site
                    .occupancy
                    .and_then(|at| number(without_uncertainty(value(at))))
                    .map_or(1.0, |value| narrowed(value, b"")),
            });
        }
        for (column, want) in builder.columns.iter_mut().zip(&wanted.columns) {
            let (field, place) = &site.fields[want.field];
            let pushed = match field.name.as_str() {
                "structure" if *place == AtomSite::NO_ITEM => {
                    let residue = site.residue.map(|at| at.map_or(&[][..], value));
                    column.push(site.structure(residue, structure).as_bytes())
                }
                "element" => {
                    let [stated, name, residue] = self.names(value);
                    let kept = self.virtual_sites.kept(stated, name, residue);
                    column.push(kept.unwrap_or_else(|| (site.symbol)(value(*place))).as_bytes())
                }
                _ if want.kind == Kind::Name => {
                    let text = value(*place);
                    column.push(if is_missing(text) { b"" } else { text })
                }
                _ => column.push(value(*place)).or_else(|_| want.push(column, without_uncertainty(value(*place)))),
            };
            pushed.map_err(|accepted| {
                let name = shortened(&field.name);
                let found = String::from_utf8_lossy(value(*place)).into_owned();
                format!("{name} must be {accepted}, got {:?}", shortened(&found))
            })?;
        }
        builder.place(|| image.map_or_else(|| self.place(value), |image| Ok(image.place)))
    }

    fn place<'a>(&self, value: impl Fn(usize) -> &'a [u8]) -> Result<[f64; 3], String> {
        let mut place = coordinates(&self.site, &value)?;
        if let Some(way) = self.site.way {
            place = way.transform_point3(DVec3::from(place)).to_array();
        }
        if place.iter().all(|value| is_in_range(*value)) {
            Ok(place)
        } else {
            Err(format!("the position must be between -3.4e38 and 3.4e38, got {place:?}"))
        }
    }
}
