//! Bonds listed in mmCIF: between residues (`_struct_conn`) and within each residue of a name (`_chem_comp_bond`).

use super::macromolecule::CifCategory;
use crate::data::{AtomName, BondOrder, FileBonds, ResidueBond};

pub(super) fn bonds(connections: &CifCategory, components: &CifCategory) -> FileBonds {
    let named = (0..connections.rows()).filter_map(|row| connection(connections, row)).collect();
    let residues = (0..components.rows()).filter_map(|row| component_bond(components, row)).collect();
    FileBonds { named, residues, ..FileBonds::default() }
}

/// A bond between two residues; `None` for hydrogen bonds, salt bridges, and bonds to symmetry mates, which are not
/// drawn.
fn connection(category: &CifCategory, row: usize) -> Option<([AtomName; 2], BondOrder)> {
    let kind = category.get(row, "conn_type_id")?;
    if !["covale", "disulf", "metalc", "modres"].iter().any(|known| kind.starts_with(known)) {
        return None;
    }
    let [one, two] = [1, 2].map(|end| category.get(row, &format!("ptnr{end}_symmetry")).unwrap_or("1_555"));
    let atom = |end: u8| {
        let get = |item: &str| category.get(row, &format!("ptnr{end}_{item}"));
        let number = get("auth_seq_id").or_else(|| get("label_seq_id")).and_then(|number| number.parse().ok());
        let insertion = category.get(row, &format!("pdbx_ptnr{end}_PDB_ins_code")).unwrap_or_default();
        Some(AtomName {
            chain: get("auth_asym_id").or_else(|| get("label_asym_id"))?.to_owned(),
            number: number.unwrap_or(AtomName::NO_NUMBER),
            insertion: insertion.to_owned(),
            residue: get("auth_comp_id").or_else(|| get("label_comp_id"))?.to_owned(),
            atom: get("label_atom_id")?.to_owned(),
        })
    };
    let order = category.get(row, "pdbx_value_order").map_or(BondOrder::Single, order);
    if one == two { Some(([atom(1)?, atom(2)?], order)) } else { None }
}

fn component_bond(category: &CifCategory, row: usize) -> Option<ResidueBond> {
    let get = |item: &str| category.get(row, item);
    let atoms = [get("atom_id_1")?.to_owned(), get("atom_id_2")?.to_owned()];
    let order = get("value_order").or_else(|| get("type")).map_or(BondOrder::Single, order);
    Some(ResidueBond { residue: get("comp_id")?.to_owned(), atoms, order })
}

/// Parses an order, as named by the wwPDB or by CCP4.
fn order(name: &str) -> BondOrder {
    let starts = |word: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if starts("doub") {
        BondOrder::Double
    } else if starts("trip") {
        BondOrder::Triple
    } else if starts("arom") || starts("delo") {
        BondOrder::Aromatic
    } else {
        BondOrder::Single
    }
}
