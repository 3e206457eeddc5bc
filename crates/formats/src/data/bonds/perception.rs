//! All bonds of a table: from the file, the dictionary of residues, and distances.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::covalent::bonding;
use super::dictionary::{plain, standard};
use super::distance::Atoms;
use super::{AtomName, Bond, BondOrder, FileBonds};
use crate::color::elements::{Atomic, symbol_of_species};
use crate::data::cell::Cell;
use crate::data::residues::Residue;
use crate::data::table::Table;
use crate::error::{Error, Result};

/// Where the bonds of atoms come from.
///
/// ```
/// # use roundel_formats as roundel;
/// use roundel::io::BondRule;
///
/// assert_eq!("distance".parse::<BondRule>()?, BondRule::Distance);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BondRule {
    /// From the file, from the dictionary of standard residues, and by distance where these say nothing.
    #[default]
    Auto,
    /// The bonds that the file lists.
    File,
    /// By distance alone.
    Distance,
    /// There are none.
    None,
}

impl BondRule {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Auto, Self::File, Self::Distance, Self::None];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::File => "file",
            Self::Distance => "distance",
            Self::None => "none",
        }
    }
}

impl std::fmt::Display for BondRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for BondRule {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name() == name)
            .ok_or_else(|| Error::setting("bonds", format!("must be auto, file, distance or none, got {name:?}")))
    }
}

/// The columns of a table from which bonds are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtomKeys {
    pub elements: Option<usize>,
    pub names: Option<usize>,
    pub residues: Option<usize>,
    pub chains: Option<usize>,
    pub numbers: Option<usize>,
    pub insertions: Option<usize>,
    pub serials: Option<usize>,
    /// Alternate locations: atoms in two of them are never there together.
    pub alternates: Option<usize>,
    /// The assemblies and groups of a crystal's disorder: likewise for two groups of one assembly.
    pub assemblies: Option<usize>,
    pub groups: Option<usize>,
}

/// Bonds longer than this many times the sum of the radii are not taken from the dictionary: the residue is broken.
const BROKEN: f64 = 2.0;

/// The bonds of a table, in order.
pub fn perceive(
    table: &Table<'_>,
    keys: &AtomKeys,
    file: &FileBonds,
    rule: BondRule,
    context: &BondContext<'_>,
) -> Vec<Bond> {
    if rule == BondRule::None || u32::try_from(table.rows()).is_err() {
        return Vec::new();
    }
    let molecule = Molecule::new(table, keys, context.cell);
    let mut bonds = if rule == BondRule::Distance { Vec::new() } else { molecule.of_file(file, context.rows) };
    let is_described = match rule {
        BondRule::Auto if !file.is_complete || bonds.is_empty() => {
            molecule.of_residues(file, Dictionary::FileAndStandard, &mut bonds)
        }
        BondRule::File => {
            molecule.of_residues(file, Dictionary::File, &mut bonds);
            return united(bonds);
        }
        BondRule::Distance => vec![false; table.rows()],
        _ => return united(bonds),
    };
    bonds.extend(molecule.by_distance(&is_described, context.images));
    united(bonds)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dictionary {
    File,
    /// The file, or the standard dictionary for residues that the file does not describe.
    FileAndStandard,
}

/// The periodic box and the numbering of the rows to connect.
#[derive(Clone, Copy, Debug)]
pub struct BondContext<'a> {
    /// The periodic box.
    pub cell: Option<&'a Cell>,
    /// For each row of the file its row in the table, or `u32::MAX`; empty if the table has the file's rows.
    pub rows: &'a [u32],
    /// For each row of the table, which symmetry image it belongs to; 0 for rows that bond to all images. Empty if all
    /// do.
    pub images: &'a [u32],
}

/// Each bond once, with its greatest order, sorted.
fn united(mut bonds: Vec<Bond>) -> Vec<Bond> {
    bonds.iter_mut().for_each(|bond| *bond = bond.sorted());
    bonds.sort_unstable_by_key(|bond| (bond.key(), std::cmp::Reverse(bond.order)));
    bonds.dedup_by_key(|bond| bond.key());
    bonds.retain(|bond| bond.key() != ([bond.atoms[0]; 2], [0; 3]));
    bonds
}

struct Molecule<'a> {
    table: &'a Table<'a>,
    keys: &'a AtomKeys,
    cell: Option<&'a Cell>,
    places: Vec<[f64; 3]>,
    elements: Vec<Atomic>,
    /// The number of each row's residue, as [`residues_by_row`] has it.
    residues: Vec<u32>,
}

/// The code of each row in a column of names; empty without a column.
fn codes(table: &Table<'_>, column: Option<usize>) -> Vec<u32> {
    let Some(column) = column else { return Vec::new() };
    table.codes(column).flatten().collect()
}

/// The name of a row in a column of names; empty without one.
fn name<'a>(table: &'a Table<'_>, column: Option<usize>, codes: &[u32], row: usize) -> &'a str {
    let (Some(column), Some(&code)) = (column, codes.get(row)) else { return "" };
    table.columns[column].names.iter().nth(code as usize).unwrap_or_default()
}

/// Numbers the residue of each row: consecutive rows with the same chain, number and name form one. Without columns of
/// residues each row is one.
pub fn residues_by_row(table: &Table<'_>, keys: &AtomKeys) -> Vec<u32> {
    let AtomKeys { residues, chains, numbers, insertions, .. } = *keys;
    let mut starts = vec![residues.is_none() && numbers.is_none(); table.rows()];
    let mut mark = |is_same: &dyn Fn(usize) -> bool| {
        starts.iter_mut().enumerate().skip(1).for_each(|(row, start)| *start |= !is_same(row));
    };
    for codes in [residues, chains, insertions].map(|column| codes(table, column)) {
        if !codes.is_empty() {
            mark(&|row| codes[row] == codes[row - 1]);
        }
    }
    if let Some(column) = numbers {
        let numbers: Vec<f64> = table.numbers(column).collect();
        mark(&|row| numbers[row].to_bits() == numbers[row - 1].to_bits());
    }
    let mut residue = 0;
    let number = |start: bool| {
        residue += u32::from(start);
        residue
    };
    starts.into_iter().map(number).collect()
}

/// The element of each row; of all rows unknown without a column of elements.
pub fn elements_by_row(table: &Table<'_>, keys: &AtomKeys) -> Vec<Atomic> {
    let known: Vec<Atomic> = keys.elements.map_or_else(Vec::new, |column| {
        let element = |name: &str| Atomic::from_symbol(symbol_of_species(name).as_bytes());
        table.columns[column].names.iter().map(|name| element(name).unwrap_or(Atomic::UNKNOWN)).collect()
    });
    let elements: Vec<Atomic> = codes(table, keys.elements).iter().map(|&code| known[code as usize]).collect();
    if elements.len() == table.rows() { elements } else { vec![Atomic::UNKNOWN; table.rows()] }
}

impl<'a> Molecule<'a> {
    fn new(table: &'a Table<'a>, keys: &'a AtomKeys, cell: Option<&'a Cell>) -> Self {
        let elements = elements_by_row(table, keys);
        let mut molecule = Self { table, keys, cell, places: table.space().collect(), elements, residues: Vec::new() };
        molecule.residues = residues_by_row(table, keys);
        molecule
    }

    /// The bond between two rows in their nearest periodic images.
    fn nearest(&self, first: u32, second: u32, order: BondOrder) -> Bond {
        let mut bond = Bond::new(first, second, order);
        if let Some(cell) = self.cell {
            let place = |row: u32| DVec3::from(self.places[row as usize]);
            let steps = cell.edges.inverse() * (place(first) - place(second));
            for axis in (0..3).filter(|&axis| cell.periodic[axis]) {
                #[expect(clippy::cast_possible_truncation, reason = "clamped")]
                let step = steps[axis].round().clamp(-1e4, 1e4) as i16;
                bond.image[axis] = step;
            }
        }
        bond
    }

    fn length(&self, bond: &Bond) -> f64 {
        let [a, b] = bond.atoms.map(|row| DVec3::from(self.places[row as usize]));
        let shift = self.cell.map_or(DVec3::ZERO, |cell| cell.edges * DVec3::from(bond.image.map(f64::from)));
        (b + shift - a).length()
    }

    /// The bonds that the file lists between atoms.
    fn of_file(&self, file: &FileBonds, rows: &[u32]) -> Vec<Bond> {
        let count = self.places.len();
        let place = |row: u32| {
            let row = if rows.is_empty() { row } else { rows.get(row as usize).copied().unwrap_or(u32::MAX) };
            ((row as usize) < count).then_some(row)
        };
        let by_row = file.rows.iter().filter_map(|bond| {
            let [first, second] = bond.atoms.map(place);
            let nearest = self.nearest(first?, second?, bond.order);
            Some(if bond.image == [0; 3] { nearest } else { Bond { image: bond.image, ..nearest } })
        });
        let mut bonds: Vec<Bond> = by_row.collect();
        if let (Some(column), false) = (self.keys.serials, file.serials.is_empty()) {
            let mut known: Vec<(i64, u32)> = Vec::with_capacity(count);
            #[expect(clippy::cast_possible_truncation, reason = "serials are whole numbers")]
            known.extend(self.table.numbers(column).map(|serial| serial as i64).zip(0..));
            known.sort_unstable();
            let find = |serial: i64| {
                let at = known.partition_point(|(known, _)| *known < serial);
                known.get(at).filter(|(known, _)| *known == serial).map(|(_, row)| *row)
            };
            let bond = |([first, second], order): &([i64; 2], BondOrder)| {
                Some(self.nearest(find(*first)?, find(*second)?, *order))
            };
            bonds.extend(file.serials.iter().filter_map(bond));
        }
        if !file.named.is_empty() {
            let rows = self.rows_by_name(&file.named);
            let bond = |(names, order): &([AtomName; 2], BondOrder)| {
                Some(self.nearest(*rows.get(&names[0])?, *rows.get(&names[1])?, *order))
            };
            bonds.extend(file.named.iter().filter_map(bond));
        }
        bonds
    }

    /// The rows of some named atoms.
    fn rows_by_name<'n>(&self, named: &'n [([AtomName; 2], BondOrder)]) -> BTreeMap<&'n AtomName, u32> {
        let wanted: BTreeSet<&AtomName> = named.iter().flat_map(|(names, _)| names).collect();
        let AtomKeys { names, residues, chains, numbers, insertions, .. } = *self.keys;
        let [name_codes, residue_codes, chain_codes, insertion_codes] =
            [names, residues, chains, insertions].map(|column| codes(self.table, column));
        // early out: most rows have the number of no wanted residue
        let numbers: Vec<f64> = numbers.map_or_else(Vec::new, |column| self.table.numbers(column).collect());
        let mut found = BTreeMap::new();
        let is_wanted = |number: i64| wanted.iter().any(|name| name.number == number);
        let mut last = (f64::NAN, false);
        for row in 0..self.places.len() {
            let number = numbers.get(row).copied().unwrap_or(f64::NAN);
            #[expect(clippy::cast_possible_truncation, reason = "numbers of residues are whole")]
            let whole = if number.is_nan() { AtomName::NO_NUMBER } else { number as i64 };
            if last.0.to_bits() != number.to_bits() {
                last = (number, is_wanted(whole));
            }
            if !last.1 {
                continue;
            }
            let text = |column, codes: &[u32]| name(self.table, column, codes, row).to_owned();
            let atom = AtomName {
                chain: text(chains, &chain_codes),
                number: whole,
                insertion: text(insertions, &insertion_codes),
                residue: text(residues, &residue_codes),
                atom: text(names, &name_codes),
            };
            if let Some(name) = wanted.get(&atom) {
                found.entry(*name).or_insert(u32::try_from(row).unwrap_or(u32::MAX));
            }
        }
        found
    }

    /// Adds bonds within residues that the dictionary describes. Returns whether each row is described.
    fn of_residues(&self, file: &FileBonds, dictionary: Dictionary, bonds: &mut Vec<Bond>) -> Vec<bool> {
        let mut is_described = vec![false; self.places.len()];
        let (Some(names), Some(residues)) = (self.keys.names, self.keys.residues) else { return is_described };
        let templates = self.templates(names, residues, file, dictionary);
        let (name_codes, residue_codes) = (codes(self.table, Some(names)), codes(self.table, Some(residues)));
        let mut start = 0;
        for residue in self.residues.chunk_by(|a, b| a == b) {
            let rows = start..start + residue.len();
            start = rows.end;
            let template = &templates[residue_codes[rows.start] as usize];
            let find =
                |code: u32| rows.clone().find(|&row| name_codes[row] == code).and_then(|row| u32::try_from(row).ok());
            for &([first, second], order) in template {
                let [Some(first), Some(second)] = [find(first), find(second)] else { continue };
                let bond = self.nearest(first, second, order);
                let radius = |row: u32| f64::from(bonding(self.elements[row as usize]).0);
                if self.length(&bond) <= BROKEN * (radius(first) + radius(second)) {
                    bonds.push(bond);
                }
            }
            for row in rows {
                let code = name_codes[row];
                is_described[row] = template.iter().any(|(codes, _)| codes.contains(&code));
            }
        }
        is_described
    }

    /// The code of each row in a column of names; `None` for rows whose name says nothing.
    fn named_codes(&self, column: Option<usize>) -> Vec<Option<u32>> {
        let Some(column) = column else { return Vec::new() };
        let names = &self.table.columns[column].names;
        let is_named: Vec<bool> = names.iter().map(|name| !matches!(name, "" | "." | "?" | "0")).collect();
        if !is_named.contains(&true) {
            return Vec::new();
        }
        codes(self.table, Some(column)).into_iter().map(|code| is_named[code as usize].then_some(code)).collect()
    }

    /// The bonds of each name of residues, as codes of atom names.
    fn templates(
        &self,
        names: usize,
        residues: usize,
        file: &FileBonds,
        dictionary: Dictionary,
    ) -> Vec<Vec<([u32; 2], BondOrder)>> {
        let atoms: Vec<&str> = self.table.columns[names].names.iter().collect();
        let code =
            |atom: &str| atoms.iter().position(|known| plain(known) == atom).and_then(|at| u32::try_from(at).ok());
        let of = |residue: &str| {
            let mut own = file.residues.iter().filter(|bond| bond.residue == residue).peekable();
            if own.peek().is_some() {
                let pair =
                    |bond: &super::ResidueBond| Some(([code(&bond.atoms[0])?, code(&bond.atoms[1])?], bond.order));
                return own.filter_map(pair).collect();
            }
            let known = standard(residue).filter(|_| dictionary == Dictionary::FileAndStandard).unwrap_or_default();
            known
                .into_iter()
                .filter_map(|(first, second, order)| Some(([code(first)?, code(second)?], order)))
                .collect()
        };
        self.table.columns[residues].names.iter().map(of).collect()
    }

    /// Bonds by distance. Two described atoms bond only across residues, as chains and disulfides do.
    fn by_distance(&self, is_described: &[bool], images: &[u32]) -> Vec<Bond> {
        let name_codes = codes(self.table, self.keys.names);
        let names =
            |column: Option<usize>| column.into_iter().flat_map(|column| self.table.columns[column].names.iter());
        let kinds: Vec<Residue> = names(self.keys.residues).map(Residue::of).collect();
        let residue_codes = codes(self.table, self.keys.residues);
        let kind = |row: u32| residue_codes.get(row as usize).map_or(Residue::Other, |&code| kinds[code as usize]);
        let links: Vec<Link> = names(self.keys.names).map(Link::of).collect();
        let link = |row: u32| links[name_codes[row as usize] as usize];
        let [alternates, groups] = [self.keys.alternates, self.keys.groups].map(|column| self.named_codes(column));
        let assemblies = codes(self.table, self.keys.assemblies);
        let differ = |codes: &[Option<u32>], [first, second]: [usize; 2]| matches!((codes.get(first), codes.get(second)), (Some(Some(one)), Some(Some(other))) if one != other);
        let may_bond = |first: u32, second: u32| {
            let rows = [first, second].map(|row| row as usize);
            let assembly = rows.map(|row| assemblies.get(row));
            if differ(&alternates, rows) || (assembly[0] == assembly[1] && differ(&groups, rows)) {
                return false;
            }
            // a group on an element of symmetry, and the other group that this makes of it
            if let [Some(&one), Some(&other)] = rows.map(|row| images.get(row))
                && one != other
                && one > 0
                && other > 0
                && assembly[0] == assembly[1]
            {
                return false;
            }
            let is_same = self.residues[first as usize] == self.residues[second as usize];
            let kinds = [kind(first), kind(second)];
            if kinds.contains(&Residue::Ion) || (kinds.contains(&Residue::Water) && !is_same) {
                return false;
            }
            if !is_described[first as usize] || !is_described[second as usize] {
                return true;
            }
            !is_same
                && matches!(
                    (link(first), link(second)),
                    (Link::C, Link::N)
                        | (Link::N, Link::C)
                        | (Link::O3, Link::P)
                        | (Link::P, Link::O3)
                        | (Link::Sulfur, Link::Sulfur)
                )
        };
        let atoms = Atoms { places: &self.places, elements: &self.elements, cell: self.cell };
        atoms.bonds_by_distance(may_bond)
    }
}

/// Atoms of residues that bond to other residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    C,
    N,
    O3,
    P,
    Sulfur,
    None,
}

impl Link {
    fn of(name: &str) -> Self {
        match name {
            "C" => Self::C,
            "N" => Self::N,
            "O3'" | "O3*" => Self::O3,
            "P" => Self::P,
            "SG" => Self::Sulfur,
            _ => Self::None,
        }
    }
}
