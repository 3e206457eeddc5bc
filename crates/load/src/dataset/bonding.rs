//! Bonds of the atoms of a file.

use crate::data::{AtomKeys, Bond, BondContext, BondRule, Cell, FileBonds, Kind, Table, perceive};
use crate::formats::wanted::{Header, ValueRule, Wanted};

/// Adds the columns that decide bonds to the wanted ones.
pub(crate) fn keys(header: &Header, wanted: &mut Wanted) -> AtomKeys {
    if !header.has_positions {
        return AtomKeys::default();
    }
    let mut column = |names: &[&str], kind| {
        let field = names.iter().find_map(|name| header.find(name))?;
        let rule = if kind == Kind::Integer { ValueRule::Lenient } else { ValueRule::Any };
        Some(wanted.column(field, kind, rule))
    };
    AtomKeys {
        elements: column(&["element"], Kind::Name),
        names: column(&["name"], Kind::Name),
        residues: column(&["resname"], Kind::Name),
        chains: column(&["chain"], Kind::Name),
        numbers: column(&["resid"], Kind::Integer),
        insertions: column(&["icode"], Kind::Name),
        serials: column(&["serial", "id"], Kind::Integer),
        alternates: column(&["altloc"], Kind::Name),
        assemblies: column(&["disorder_assembly"], Kind::Name),
        groups: column(&["disorder_group"], Kind::Name),
    }
}

/// The bonds of the rows of a table: `kept` says which rows of the file these are, `images` which symmetry images rows
/// of the file belong to, as in [`BondContext::images`], and `cell` is their periodic box.
pub(crate) fn bonds(
    table: &Table<'_>,
    keys: &AtomKeys,
    listed: &FileBonds,
    kept: &[bool],
    images: &[u32],
    rule: BondRule,
    cell: Option<&Cell>,
) -> Vec<Bond> {
    let rows = if kept.contains(&false) { places(kept) } else { Vec::new() };
    let images: Vec<u32> = images.iter().zip(kept).filter(|(_, kept)| **kept).map(|(image, _)| *image).collect();
    perceive(table, keys, listed, rule, &BondContext { cell, rows: &rows, images: &images })
}

/// The bonds between rows that are kept, by their new numbers.
pub(crate) fn retain(bonds: &mut Vec<Bond>, kept: &[bool]) {
    if kept.contains(&false) {
        let places = places(kept);
        for bond in &mut *bonds {
            bond.atoms = bond.atoms.map(|row| places[row as usize]);
        }
        bonds.retain(|bond| !bond.atoms.contains(&u32::MAX));
    }
}

/// The new number of each kept row; `u32::MAX` for rows that are dropped.
pub(crate) fn places(kept: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let place = |&kept: &bool| {
        let place = if kept { next } else { u32::MAX };
        next += u32::from(kept);
        place
    };
    kept.iter().map(place).collect()
}
