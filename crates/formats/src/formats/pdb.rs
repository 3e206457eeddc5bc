//! Molecules in the Protein Data Bank's format (version 3.3): fixed columns, one record per line.
//!
//! Reads the ATOM and HETATM records of one model, by default the first; and the cell (CRYST1), helices and strands
//! (HELIX, SHEET), biological assemblies (REMARK 350) and bonds (CONECT). Numbers too large for their columns are read
//! as hybrid-36 or hexadecimal. Chains may have two letters; without chains, segment ids take their place.

use std::sync::{Mutex, PoisonError};

use super::assembly_remarks::Operators;
use super::elements::{Alignment, element_of_atom, is_organic};
use super::facts::{Displacement, FrameTime};
use super::frames;
use super::pdb_serials::{Serials, hybrid36, serial_near};
use super::reading::Reading;
use super::residue_ranges::{ResidueRange, Structure, structure_of};
use super::shared_sites::SharedSites;
use super::virtual_sites::{self, VirtualSites};
use super::wanted::{Field, Header, Wanted};
use crate::color::elements::Atomic;
use crate::data::{Alternate, BondOrder, Cell, Kind, Residue, TablePart};
use crate::error::{Error, Result};
use crate::source::frame_places::FrameMarks;
use crate::source::input::Stream;
use crate::source::number::{narrowed, number};
use crate::source::piece::{Flaw, Piece};
use crate::source::pieces::{Text, lines};
use crate::source::rows::{is_in_range, quoted};
use crate::source::until::Until;

/// The fields of an atom: name, type, first column, and end column, from 0.
const FIELDS: [(&str, Kind, usize, usize); 13] = [
    ("record", Kind::Name, 0, 6),
    ("serial", Kind::Integer, 6, 11),
    ("name", Kind::Name, 12, 16),
    ("altloc", Kind::Name, 16, 17),
    // the fourth letter is common, although not standard
    ("resname", Kind::Name, 17, 21),
    ("chain", Kind::Name, 21, 22),
    ("resid", Kind::Integer, 22, 26),
    ("icode", Kind::Name, 26, 27),
    ("occupancy", Kind::F32, 54, 60),
    ("b_factor", Kind::F32, 60, 66),
    ("segment", Kind::Name, 72, 76),
    ("element", Kind::Name, 76, 78),
    ("charge", Kind::F32, 78, 80),
];

/// Bytes of atoms examined for the alignment of names and the columns of chains.
const LOOK_AHEAD: usize = 1 << 16;

/// The column after the coordinates.
const COORDINATES_END: usize = 54;

const SERIAL: usize = 1;
const RESNAME: usize = 4;
const CHAIN: usize = 5;
const SEGMENT: usize = 10;
const ELEMENT: usize = 11;
const CHARGE: usize = 12;
/// Follows the fields in fixed columns if the file lists helices or strands.
const STRUCTURE: usize = FIELDS.len();

pub(super) fn sniff(text: &str) -> bool {
    const RECORDS: [&str; 12] = [
        "HEADER", "TITLE", "REMARK", "CRYST1", "MODEL", "ATOM", "HETATM", "COMPND", "OBSLTE", "SPLIT", "CAVEAT",
        "NUMMDL",
    ];
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    RECORDS.iter().any(|record| first.get(..6).unwrap_or(first).trim_end() == *record)
}

/// Whether bytes end with the line that ends a model.
fn ends_model(bytes: &[u8]) -> bool {
    let Some(lines) = bytes.strip_suffix(b"\n") else { return false };
    let start = memchr::memrchr(b'\n', lines).map_or(0, |end| end + 1);
    is_end_of_model(&lines[start..])
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let mut notes = Notes::default();
    let mut begun = false;
    let wanted = reading.extent.frame;
    let reads_on = reading.extent.count_frames || reading.extent.bonds;
    // models passed, and whether the current one has atoms
    let (mut models, mut has_atoms) = (0_u64, false);
    let sites = VirtualSites::new(reading);
    let mut marks = FrameMarks::of(&text);
    let mut is_sought = false;
    let mut lengths = ModelLengths::default();
    while let Some(line) = text.peek()? {
        if is_atom(line) {
            // records before the atoms of the first model apply to all models
            if !std::mem::replace(&mut is_sought, true) {
                let known = marks.seek(&mut text, wanted, ends_model)?;
                if known > 0 {
                    models = known;
                    continue;
                }
            }
            if models > wanted && !reads_on {
                break;
            }
            has_atoms = true;
            let line_before = text.number();
            if models == wanted {
                if !begun {
                    begun = true;
                    reading.begin(header(&notes.ranges))?;
                    notes.look_ahead(&mut text)?;
                }
                read_atoms(&mut text, reading, &notes, &sites)
                    .map_err(|error| frames::cut_off(&mut text, reading, models, error))?;
            } else {
                text.skip_until(is_no_atom)?;
            }
            lengths.current += text.number() - line_before;
            continue;
        }
        let is_empty = !has_atoms && lengths.is_named && line.starts_with(b"ENDMDL");
        let ends = is_end_of_model(line) && (has_atoms || is_empty);
        if is_empty && models == wanted {
            begun = true;
            reading.begin(header(&notes.ranges))?;
            reading.facts.is_empty_frame = true;
        }
        if ends {
            models += 1;
            has_atoms = false;
            lengths.end_model();
        }
        lengths.is_named |= line.starts_with(b"MODEL ");
        // the cell may follow the atoms; there it counts only if none came before
        let is_past = models > wanted;
        if is_past && !reads_on && (notes.cell.is_some() || line.starts_with(b"MODEL ")) {
            break;
        }
        let is_cell = line.starts_with(b"CRYST1");
        let line_is_bond = line.starts_with(b"CONECT");
        if line.starts_with(b"TITLE ") {
            note_time(reading, models, line);
        }
        text.line()?;
        if ends {
            marks.begin(&text, models);
        }
        if !is_past || line_is_bond || (is_cell && notes.cell.is_none() && !has_atoms && models == wanted + 1) {
            notes.read(&text)?;
        }
    }
    reading.facts.notes.extend(virtual_sites::note(&text.file, sites.count()));
    if has_atoms && models == 0 && lengths.is_cut(&text) {
        reading
            .facts
            .notes
            .push(format!("{}: the file ends within its only model, and what it holds is drawn", text.file));
    }
    if has_atoms && models > 0 && lengths.is_cut(&text) {
        let why = "the file ends within this model";
        if models == wanted {
            return Err(reading.incomplete_frame(models, why));
        }
        has_atoms = false;
        if reading.extent.count_frames {
            reading.note_incomplete(models, why);
        }
    }
    finish(&text.file, reading, notes, models + u64::from(has_atoms))
}

/// The lines of atoms of the last models, by which a model that the end of the file cuts off is known.
#[derive(Default)]
struct ModelLengths {
    /// Of the two models before, the last first; `None` if they have not been passed.
    before: [Option<u64>; 2],
    current: u64,
    /// Whether a record MODEL began the current one.
    is_named: bool,
}

impl ModelLengths {
    fn end_model(&mut self) {
        self.before = [Some(self.current), self.before[0]];
        self.current = 0;
        self.is_named = false;
    }

    /// Whether a last model without a record at its end is incomplete: it is shorter than those before, or its last
    /// line is.
    fn is_cut(&self, text: &Text) -> bool {
        let is_short = |line: &[u8]| is_atom(line) && line.len() < COORDINATES_END;
        if text.last_without_end().is_some_and(is_short) {
            return true;
        }
        match self.before {
            [Some(last), _] if self.is_named => self.current < last,
            [Some(last), Some(other)] => self.current < last && last == other,
            _ => self.is_named,
        }
    }
}

/// Checks that there are atoms, and records facts about the whole file.
fn finish(file: &str, reading: &mut Reading<'_>, notes: Notes, models: u64) -> Result<()> {
    if models == 0 {
        return Err(Error::input(file, None, "no atoms: no line starts with ATOM or HETATM"));
    }
    if reading.extent.frame >= models {
        return Err(reading.no_frame(models));
    }
    reading.note_frames(models);
    reading.facts.cell = notes.cell;
    reading.facts.bonds.serials = bonds(notes.partners);
    reading.facts.assemblies = notes.operators.finish(file)?;
    Ok(())
}

fn note_time(reading: &mut Reading<'_>, model: u64, title: &[u8]) {
    let time = FrameTime::of_text(&String::from_utf8_lossy(title));
    if time != FrameTime::default() {
        reading.facts.times.unit = "ps";
        reading.note_time(model, time);
    }
}

fn header(ranges: &[ResidueRange]) -> Header {
    let fields = FIELDS.iter().map(|&(name, kind, ..)| Field::new(name, kind));
    let structure = (!ranges.is_empty()).then(|| Field::new("structure", Kind::Name));
    Header { fields: fields.chain(structure).collect(), has_positions: true, chains: Some(CHAIN) }
}

pub(super) fn is_atom(line: &[u8]) -> bool {
    line.starts_with(b"ATOM  ") || line.starts_with(b"HETATM")
}

/// Whether a line ends a run of atoms. Records between atoms, such as ANISOU and TER, do not.
fn is_no_atom(line: &[u8]) -> bool {
    const RECORDS: [&[u8]; 8] = [b"MODEL ", b"ENDMDL", b"END", b"REMARK", b"HELIX ", b"SHEET ", b"CRYST1", b"CONECT"];
    !matches!(line.first(), Some(b'A' | b'T')) && RECORDS.iter().any(|record| line.starts_with(record))
}

fn is_end_of_model(line: &[u8]) -> bool {
    line.starts_with(b"MODEL ") || line.starts_with(b"ENDMDL") || line.trim_ascii_end() == b"END"
}

/// The records of a file other than its atoms.
#[derive(Default)]
struct Notes {
    operators: Operators,
    cell: Option<Cell>,
    ranges: Vec<ResidueRange>,
    alignment: Alignment,
    chains: ChainColumns,
    /// Serial numbers of pairs of bonded atoms.
    partners: Vec<[i64; 2]>,
    /// The atom of the last CONECT record.
    last_bonded: i64,
}

impl Notes {
    /// Finds the columns of names and chains from the next atoms.
    fn look_ahead(&mut self, text: &mut Text) -> Result<()> {
        text.fill(LOOK_AHEAD)?;
        self.alignment = alignment(text.ahead());
        self.chains = ChainColumns::of_text(text.ahead());
        Ok(())
    }

    fn read(&mut self, text: &Text) -> Result<()> {
        let line = text.last();
        if line.starts_with(b"REMARK 350") {
            self.operators.read(text)?;
        } else if line.starts_with(b"CRYST1") {
            self.cell = cell(line);
        } else if line.starts_with(b"HELIX ") {
            self.ranges.extend(range(line, [19, 21, 33], Structure::Helix));
        } else if line.starts_with(b"SHEET ") {
            self.ranges.extend(range(line, [21, 22, 33], Structure::Strand));
        } else if line.starts_with(b"CONECT") {
            // in old files, columns from 32 on have hydrogen bonds and salt bridges
            let serial = |from: usize, near: i64| serial_near(field(line, from, from + 5)?.trim_ascii(), near);
            if let Some(first) = serial(6, self.last_bonded) {
                self.last_bonded = first;
                let seconds = [11, 16, 21, 26].into_iter().filter_map(|from| serial(from, first));
                self.partners.extend(seconds.map(|second| [first, second]));
            }
        }
        Ok(())
    }
}

/// Bonds of CONECT records: both atoms list each other, once for each electron pair of their bond.
fn bonds(mut partners: Vec<[i64; 2]>) -> Vec<([i64; 2], BondOrder)> {
    partners.sort_unstable();
    let order = |pairs: &[[i64; 2]]| {
        let order = [BondOrder::Single, BondOrder::Double, BondOrder::Triple][pairs.len().min(3) - 1];
        (pairs[0], order)
    };
    partners.chunk_by(|a, b| a == b).map(order).collect()
}

/// The cell of a crystal; `None` for a cube of 1 Å, which means no crystal.
fn cell(line: &[u8]) -> Option<Cell> {
    let value = |from: usize, to: usize| field(line, from, to).and_then(number);
    let lengths = [value(6, 15)?, value(15, 24)?, value(24, 33)?];
    let angles = [value(33, 40)?, value(40, 47)?, value(47, 54)?];
    if lengths == [1.0; 3] {
        return None;
    }
    Cell::from_lengths_and_angles(lengths, angles)
}

/// A run of residues, from the columns of the chain, of the first residue and of the last.
fn range(line: &[u8], [chain, first, last]: [usize; 3], structure: Structure) -> Option<ResidueRange> {
    let residue = |from: usize| {
        let number = hybrid36(field(line, from, from + 4)?.trim_ascii(), 4)?;
        Some((number, line.get(from + 4).copied().unwrap_or(b' ')))
    };
    let chain = String::from_utf8_lossy(field(line, chain - 1, chain + 1)?).trim().to_owned();
    Some(ResidueRange { chain, first: residue(first)?, last: residue(last)?, structure })
}

fn read_atoms(text: &mut Text, reading: &mut Reading<'_>, notes: &Notes, sites: &VirtualSites) -> Result<()> {
    let found = Mutex::new(Vec::new());
    let has_displacements = reading.extent.displacements;
    let parse = |piece: &Piece, wanted: &Wanted, room: u64| {
        if has_displacements {
            let own: Vec<_> = lines(&piece.bytes).filter_map(|(_, line)| displacement(line)).collect();
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
        }
        parse(piece, wanted, room, notes, sites)
    };
    reading.parse(text, Until::Line(is_no_atom), &parse)?;
    let known = &mut reading.facts.displacements;
    known.extend(found.into_inner().unwrap_or_else(PoisonError::into_inner));
    known.sort_by_key(|(serial, _)| *serial);
    known.dedup_by_key(|(serial, _)| *serial);
    Ok(())
}

/// The serial number and the displacements of an ANISOU record, which has them in units of 10⁻⁴ Å².
fn displacement(line: &[u8]) -> Option<(i64, Displacement)> {
    if !line.starts_with(b"ANISOU") {
        return None;
    }
    let serial = hybrid36(field(line, 6, 11)?.trim_ascii(), 5)?;
    let mut tensor = [0.0; 6];
    for (part, value) in tensor.iter_mut().enumerate() {
        *value = narrow(field(line, 28 + 7 * part, 35 + 7 * part))? / 1e4;
    }
    Some((serial, tensor))
}

/// The alignment of atom names in a text: left if more names are left-aligned than right-aligned.
fn alignment(text: &[u8]) -> Alignment {
    let (mut left, mut right) = (0, 0);
    for (_, line) in lines(text).filter(|(_, line)| is_atom(line)) {
        match field(line, 12, 16) {
            Some([b' ', second, ..]) if second.is_ascii_alphabetic() => right += 1,
            Some(&[first, second, _, b' ']) if first.is_ascii_alphabetic() => {
                // a symbol of one letter, which the standard puts after a blank
                left += usize::from(Atomic::from_symbol(&[first, second]).is_none());
            }
            _ => {}
        }
    }
    if left > right { Alignment::Left } else { Alignment::Columns }
}

/// The columns of residue names and chains, which differ from line to line once a structure has more chains than letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ChainColumns {
    /// Whether the letter after an unknown name of three letters belongs to the chain.
    are_two_usual: bool,
    /// Whether segment ids are read as chains.
    are_segments: bool,
}

impl ChainColumns {
    /// Finds the usual columns from the first atoms of a text.
    fn of_text(text: &[u8]) -> Self {
        let (mut chains, mut segments, mut two, mut narrow, mut unknown) = (false, false, false, false, false);
        for (_, line) in lines(text).filter(|(_, line)| is_atom(line)) {
            chains |= line.get(21).is_some_and(|chain| *chain != b' ');
            segments |= segment(line).is_some();
            match has_two_letters(line) {
                Some(true) => two = true,
                Some(false) => narrow |= line.get(20).is_some_and(|letter| *letter != b' '),
                None => unknown = true,
            }
        }
        Self { are_two_usual: !narrow && (two || !unknown), are_segments: !chains && segments }
    }

    /// The first column of a field of this line, and its end column.
    fn of(self, field: usize, line: &[u8]) -> (usize, usize) {
        let (_, _, from, to) = FIELDS[field];
        let is_two = || has_two_letters(line).unwrap_or(self.are_two_usual);
        match field {
            RESNAME if is_two() => (from, to - 1),
            CHAIN if self.are_segments => (FIELDS[SEGMENT].2, FIELDS[SEGMENT].3),
            CHAIN if is_two() => (from - 1, to),
            _ => (from, to),
        }
    }
}

/// Whether the chain of an atom has two letters: its residue is known by three letters, but not with the letter after
/// them. `None` if the name is known neither way.
fn has_two_letters(line: &[u8]) -> Option<bool> {
    let is_letter = |column: usize| line.get(column).is_some_and(|letter| *letter != b' ');
    if !is_letter(20) || !is_letter(21) {
        return Some(false);
    }
    let is_known = |to: usize| {
        let name = field(line, 17, to).unwrap_or_default().trim_ascii();
        Residue::of(&String::from_utf8_lossy(name)) != Residue::Other || is_organic(name)
    };
    match (is_known(20), is_known(21)) {
        (_, true) => Some(false),
        (true, false) => Some(true),
        (false, false) => None,
    }
}

/// The segment id, which is not blank.
fn segment(line: &[u8]) -> Option<&[u8]> {
    field(line, FIELDS[SEGMENT].2, FIELDS[SEGMENT].3).map(<[u8]>::trim_ascii).filter(|id| !id.is_empty())
}

/// Parses the atoms of a piece, and counts its virtual sites.
fn parse(piece: &Piece, wanted: &Wanted, room: u64, notes: &Notes, sites: &VirtualSites) -> Result<TablePart, Flaw> {
    let mut builder = wanted.builder(piece.bytes.len() / 81 + 1);
    let mut residue = PdbResidue::default();
    let mut serials = Serials::new(&piece.bytes);
    let mut shared = SharedSites::default();
    for (at, line) in lines(&piece.bytes).filter(|(_, line)| is_atom(line)) {
        let refuse = |message| Flaw { at, message };
        let serial = serials.next(line);
        let (from, to) = notes.chains.of(RESNAME, line);
        let residue_name = field(line, from, to).unwrap_or_default().trim_ascii();
        if sites.leave_out(stated(line), name(line), residue_name) {
            continue;
        }
        builder.check_room(room, at)?;
        let element = || element_of_atom(stated(line), name(line), residue_name, notes.alignment);
        let occupancy = || narrow(field(line, 54, 60)).unwrap_or(1.0);
        match line.get(16).copied().unwrap_or(b' ') {
            // nearly all
            b' ' if line.get(COORDINATES_END..60) == Some(b"  1.00") => {}
            b' ' => {
                let place = field(line, 30, COORDINATES_END).unwrap_or_default();
                shared.add(builder.rows(), place, occupancy(), element);
            }
            place => builder.alternates.push(Alternate {
                row: builder.rows(),
                residue: field(line, 20, 27).unwrap_or_default().into(),
                place,
                occupancy: occupancy(),
                image: 0,
            }),
        }
        for (column, want) in builder.columns.iter_mut().zip(&wanted.columns) {
            if want.field == STRUCTURE {
                column.push(residue.structure(line, notes).name().as_bytes()).map_err(|_| refuse(String::new()))?;
                continue;
            }
            let (key, ..) = FIELDS[want.field];
            let (from, to) = notes.chains.of(want.field, line);
            let found = field(line, from, to).unwrap_or_default();
            let pushed = match want.field {
                ELEMENT => {
                    let site = sites.kept(stated(line), name(line), residue_name);
                    column.push(site.unwrap_or_else(element).as_bytes())
                }
                CHARGE if want.kind == Kind::F32 => {
                    column.push_f32(charge(found));
                    Ok(())
                }
                SERIAL if want.kind == Kind::Integer => {
                    column.push_integer(serial);
                    Ok(())
                }
                _ if want.kind == Kind::Integer => {
                    column.push_integer(hybrid36(found.trim_ascii(), to - from));
                    Ok(())
                }
                _ => want.push(column, found),
            };
            pushed.map_err(|accepted| refuse(format!("{key} must be {accepted}, got {}", shown(line, from, to))))?;
        }
        let coordinate = |axis: usize| coordinate(line, axis).map_err(refuse);
        builder.place(|| Ok([coordinate(0)?, coordinate(1)?, coordinate(2)?]))?;
    }
    builder.alternates.extend(shared.alternates());
    Ok(builder.finish())
}

/// The bytes of columns `from` to `to`, from 0; `None` if the line ends before them.
pub(super) fn field(line: &[u8], from: usize, to: usize) -> Option<&[u8]> {
    line.get(from..to.min(line.len()))
}

/// The text of columns for a message.
fn shown(line: &[u8], from: usize, to: usize) -> String {
    quoted(&String::from_utf8_lossy(field(line, from, to).unwrap_or_default().trim_ascii()))
}

/// A finite number as `f32`, rounded once.
fn narrow(field: Option<&[u8]>) -> Option<f32> {
    let field = field?.trim_ascii();
    number(field).map(|value| narrowed(value, field)).filter(|value| value.is_finite())
}

/// The coordinate along an axis; each has eight columns.
fn coordinate(line: &[u8], axis: usize) -> Result<f64, String> {
    let from = 30 + 8 * axis;
    field(line, from, from + 8).and_then(number).filter(|value| is_in_range(*value)).ok_or_else(|| {
        let found = shown(line, from, from + 8);
        let name = ["x", "y", "z"][axis];
        format!("{name} (columns {} to {}) must be a finite number, got {found}", from + 1, from + 8)
    })
}

/// The element in columns 77 and 78.
fn stated(line: &[u8]) -> &[u8] {
    field(line, 76, 78).unwrap_or_default()
}

/// The name of the atom, in its four columns.
fn name(line: &[u8]) -> &[u8] {
    field(line, 12, 16).unwrap_or_default()
}

/// Parses a charge such as `2+` or `1-`.
fn charge(field: &[u8]) -> Option<f32> {
    match *field.trim_ascii() {
        [digit @ b'0'..=b'9', sign] | [sign @ (b'+' | b'-'), digit @ b'0'..=b'9'] => {
            let value = f32::from(digit - b'0');
            Some(if sign == b'-' { -value } else { value })
        }
        _ => None,
    }
}

#[derive(Default)]
struct PdbResidue {
    known: Vec<u8>,
    structure: Option<Structure>,
}

impl PdbResidue {
    fn structure(&mut self, line: &[u8], notes: &Notes) -> Structure {
        let residue = field(line, 20, 27).unwrap_or_default();
        if let Some(structure) = self.structure.filter(|_| self.known == residue) {
            return structure;
        }
        let (from, to) = notes.chains.of(CHAIN, line);
        let chain = String::from_utf8_lossy(field(line, from, to).unwrap_or_default()).trim().to_owned();
        let number = residue.get(2..6).and_then(|number| hybrid36(number.trim_ascii(), 4));
        let code = residue.get(6).copied().unwrap_or(b' ');
        let structure = number.map_or(Structure::Coil, |number| structure_of(&notes.ranges, &chain, (number, code)));
        self.known.clear();
        self.known.extend_from_slice(residue);
        self.structure = Some(structure);
        structure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_have_their_sign_behind() {
        for (text, charge) in [("2+", Some(2.0)), ("1-", Some(-1.0)), ("-1", Some(-1.0)), ("  ", None), ("++", None)] {
            assert_eq!(super::charge(text.as_bytes()), charge, "{text}");
        }
    }

    #[test]
    fn cell_of_no_crystal_is_none() {
        assert!(cell(b"CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1").is_none());
        let found = cell(b"CRYST1   52.000   58.600   61.900  90.00  92.50  90.00 P 21 21 21    8").expect("a cell");
        assert!((found.lengths_and_angles().1[1] - 92.5).abs() < 1e-9);
    }
}
