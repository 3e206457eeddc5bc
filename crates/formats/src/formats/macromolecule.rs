//! The categories of mmCIF that are read besides atoms: assemblies, helices, strands, the cell and others.

use glam::{Mat3, Vec3};

use super::assembly_remarks::pose;
use super::facts::{Assembly, AssemblyPart, Displacement};
use super::residue_ranges::{ResidueRange, Structure};
use crate::data::{Cell, Kind};
use crate::did_you_mean::shortened;
use crate::geom::single;
use crate::scene::spheres::Pose;
use crate::source::number::{is_missing, number};

/// The most copies in an assembly. No real one has more.
const MOST_COPIES: usize = 1 << 22;

/// Items of `_atom_site` under the names of other formats. Of several items with one name, the first here that the file
/// has is used.
pub(super) const ATOM_ITEMS: [(&str, &str, Kind); 22] = [
    ("group_PDB", "record", Kind::Name),
    ("id", "serial", Kind::Integer),
    ("label_atom_id", "name", Kind::Name),
    ("auth_atom_id", "name", Kind::Name),
    ("label_alt_id", "altloc", Kind::Name),
    ("auth_comp_id", "resname", Kind::Name),
    ("label_comp_id", "resname", Kind::Name),
    ("auth_asym_id", "chain", Kind::Name),
    ("label_asym_id", "chain", Kind::Name),
    ("label_asym_id", "label_chain", Kind::Name),
    ("auth_seq_id", "resid", Kind::Integer),
    ("label_seq_id", "resid", Kind::Integer),
    ("label_seq_id", "label_resid", Kind::Integer),
    ("pdbx_PDB_ins_code", "icode", Kind::Name),
    ("occupancy", "occupancy", Kind::F32),
    ("B_iso_or_equiv", "b_factor", Kind::F32),
    ("label_entity_id", "entity", Kind::Name),
    ("type_symbol", "element", Kind::Name),
    ("pdbx_formal_charge", "charge", Kind::F32),
    ("pdbx_PDB_model_num", "model", Kind::Integer),
    // files of small molecules
    ("label", "name", Kind::Name),
    ("U_iso_or_equiv", "u_iso", Kind::F32),
];

/// Items of `_atom_site` that are positions, or that are never requested by name.
pub(super) const POSITION_ITEMS: [&str; 6] = ["Cartn_x", "Cartn_y", "Cartn_z", "fract_x", "fract_y", "fract_z"];

/// A category as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CifCategory {
    /// Names of the items, without the category.
    pub(super) items: Vec<String>,
    /// Row by row.
    pub(super) values: Vec<String>,
}

impl CifCategory {
    pub(super) fn rows(&self) -> usize {
        if self.items.is_empty() { 0 } else { self.values.len() / self.items.len() }
    }

    /// The value of an item in a row, unless it is missing.
    pub(super) fn get(&self, row: usize, item: &str) -> Option<&str> {
        let place = self.items.iter().position(|known| known.eq_ignore_ascii_case(item))?;
        let value = self.values.get(row * self.items.len() + place)?;
        (!is_missing(value.as_bytes())).then_some(value.as_str())
    }

    fn number(&self, row: usize, item: &str) -> Option<f64> {
        self.get(row, item).and_then(uncertain)
    }
}

/// A number, optionally followed by its uncertainty: `5.4307(2)`.
pub(super) fn uncertain(text: &str) -> Option<f64> {
    let plain = text.split_once('(').map_or(text, |(plain, _)| plain);
    number(plain.as_bytes()).filter(|value| value.is_finite())
}

/// The cell of `_cell`; `None` for a cube of 1 Å, which means no crystal.
pub(super) fn cell(category: &CifCategory) -> Option<Cell> {
    let lengths = ["length_a", "length_b", "length_c"].map(|item| category.number(0, item));
    let angles = ["angle_alpha", "angle_beta", "angle_gamma"].map(|item| category.number(0, item).unwrap_or(90.0));
    let [Some(a), Some(b), Some(c)] = lengths else { return None };
    let is_none = [a, b, c] == [1.0; 3];
    if is_none { None } else { Cell::from_lengths_and_angles([a, b, c], angles) }
}

/// The atoms of the definition of a chemical component, with items named as in `_atom_site`. Places are from its model
/// or, if these are unknown, ideal ones; `None` if there are none.
pub(super) fn component_atoms(category: &CifCategory) -> Option<CifCategory> {
    const AXES: [[&str; 3]; 3] = [
        ["model_Cartn_x", "model_Cartn_y", "model_Cartn_z"],
        ["pdbx_model_Cartn_x_ideal", "pdbx_model_Cartn_y_ideal", "pdbx_model_Cartn_z_ideal"],
        ["x", "y", "z"],
    ];
    const NAMES: [(&str, &str); 5] = [
        ("atom_id", "label_atom_id"),
        ("comp_id", "label_comp_id"),
        ("charge", "pdbx_formal_charge"),
        ("pdbx_ordinal", "id"),
        ("type_symbol", "type_symbol"),
    ];
    let is_known = |axes: &&[&str; 3]| {
        (0..category.rows()).any(|row| axes.iter().all(|item| category.number(row, item).is_some()))
    };
    let axes = AXES.iter().find(is_known)?;
    let named = |item: &String| {
        let axis = axes.iter().position(|axis| axis.eq_ignore_ascii_case(item));
        let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(item)).map(|(_, name)| *name);
        axis.map(|axis| ["Cartn_x", "Cartn_y", "Cartn_z"][axis]).or(known).unwrap_or(item).to_owned()
    };
    Some(CifCategory { items: category.items.iter().map(named).collect(), values: category.values.clone() })
}

pub(super) fn displacements(category: &CifCategory) -> Vec<(i64, Displacement)> {
    const PARTS: [&str; 6] = ["U[1][1]", "U[2][2]", "U[3][3]", "U[1][2]", "U[1][3]", "U[2][3]"];
    let displacement = |row: usize| {
        let mut tensor = [0.0; 6];
        for (part, item) in tensor.iter_mut().zip(PARTS) {
            *part = single(category.number(row, item)?);
        }
        Some((category.get(row, "id")?.parse().ok()?, tensor))
    };
    let mut found: Vec<(i64, Displacement)> = (0..category.rows()).filter_map(displacement).collect();
    found.sort_by_key(|(serial, _)| *serial);
    found.dedup_by_key(|(serial, _)| *serial);
    found
}

/// Helices of `_struct_conf` and strands of `_struct_sheet_range`.
pub(super) fn residue_ranges(conformations: &CifCategory, sheets: &CifCategory) -> Vec<ResidueRange> {
    let range = |category: &CifCategory, row: usize, structure| {
        let residue = |end: &str| {
            let number = category.get(row, &format!("{end}_auth_seq_id"))?.parse().ok()?;
            let code = category.get(row, &format!("pdbx_{end}_PDB_ins_code")).map_or(b' ', |code| code.as_bytes()[0]);
            Some((number, code))
        };
        let chain = category.get(row, "beg_auth_asym_id")?.to_owned();
        Some(ResidueRange { chain, first: residue("beg")?, last: residue("end")?, structure })
    };
    let conformation = |row: usize| {
        let structure = match conformations.get(row, "conf_type_id")? {
            helix if helix.starts_with("HELX") => Structure::Helix,
            "STRN" => Structure::Strand,
            _ => return None,
        };
        range(conformations, row, structure)
    };
    let helices = (0..conformations.rows()).filter_map(conformation);
    helices.chain((0..sheets.rows()).filter_map(|row| range(sheets, row, Structure::Strand))).collect()
}

/// The assemblies of `_pdbx_struct_assembly_gen`, whose operators are in `_pdbx_struct_oper_list`.
///
/// Assemblies whose names are not numbers are left out.
pub(super) fn assemblies(generators: &CifCategory, operators: &CifCategory) -> Result<Vec<Assembly>, String> {
    let known: Vec<(&str, Option<Pose>)> = (0..operators.rows())
        .filter_map(|row| operators.get(row, "id").map(|id| (id, operator(operators, row))))
        .collect();
    let mut assemblies: Vec<Assembly> = Vec::new();
    for row in 0..generators.rows() {
        let Some(number) = generators.get(row, "assembly_id").and_then(|id| id.parse().ok()) else { continue };
        let expression = generators.get(row, "oper_expression").unwrap_or_default();
        let chains = generators.get(row, "asym_id_list").unwrap_or_default();
        let chains = chains.split(',').map(|chain| chain.trim().to_owned()).filter(|chain| !chain.is_empty());
        let part = AssemblyPart { chains: chains.collect(), poses: poses(expression, &known)? };
        match assemblies.iter_mut().find(|assembly| assembly.numbers == [number]) {
            Some(assembly) => assembly.parts.push(part),
            None => assemblies.push(Assembly { numbers: vec![number], parts: vec![part] }),
        }
    }
    Ok(assemblies)
}

fn operator(operators: &CifCategory, row: usize) -> Option<Pose> {
    let number = |item: &str| operators.number(row, item).map(single);
    let line = |i: usize| -> Option<[f32; 4]> {
        let [a, b, c] = [1, 2, 3].map(|j| number(&format!("matrix[{i}][{j}]")));
        Some([a?, b?, c?, number(&format!("vector[{i}]"))?])
    };
    let [x, y, z] = [line(1)?, line(2)?, line(3)?];
    let rows = [x, y, z].map(|row| [row[0], row[1], row[2]]);
    pose(Mat3::from_cols_array_2d(&rows).transpose(), Vec3::new(x[3], y[3], z[3]))
}

/// The placements of an expression: `1`, `1,2`, `1-3,P`, or `(1-60)(61,62)` for each of the first group applied after
/// each of the second.
fn poses(expression: &str, operators: &[(&str, Option<Pose>)]) -> Result<Vec<Pose>, String> {
    let wrong = || format!("oper_expression {:?} is not understood", shortened(expression));
    let find = |id: &str| {
        let found = operators.iter().find(|(known, _)| *known == id);
        let (_, pose) = found.ok_or_else(|| format!("operator {:?} is not in the list", shortened(id)))?;
        pose.ok_or_else(|| format!("operator {:?} must be a rotation and a shift", shortened(id)))
    };
    let list = |text: &str| -> Result<Vec<Pose>, String> {
        let mut poses = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match part.split_once('-') {
                Some((first, last)) => {
                    let (Ok(first), Ok(last)) = (first.trim().parse::<u32>(), last.trim().parse::<u32>()) else {
                        return Err(wrong());
                    };
                    for id in first..=last {
                        poses.push(find(&id.to_string())?);
                    }
                }
                None => poses.push(find(part)?),
            }
        }
        Ok(poses)
    };
    // groups in brackets multiply; without brackets there is one group
    let mut product = vec![Pose::IDENTITY];
    let mut rest = expression.trim();
    while !rest.is_empty() {
        let group = match rest.strip_prefix('(') {
            Some(inner) => {
                let (group, after) = inner.split_once(')').ok_or_else(wrong)?;
                rest = after.trim_start().trim_start_matches(',').trim_start();
                group
            }
            None => std::mem::take(&mut rest),
        };
        let group = list(group)?;
        if product.len().saturating_mul(group.len()) > MOST_COPIES {
            return Err(format!("oper_expression {:?} makes more than 2^22 copies", shortened(expression)));
        }
        product = product.iter().flat_map(|outer| group.iter().map(move |inner| after(outer, inner))).collect();
    }
    Ok(product)
}

/// Composes two placements: first `inner`, then `outer`.
fn after(outer: &Pose, inner: &Pose) -> Pose {
    Pose {
        rotation: outer.rotation * inner.rotation,
        translation: outer.rotation * inner.translation + outer.translation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(x: f32) -> Option<Pose> {
        Some(Pose::from_translation([x, 0.0, 0.0]))
    }

    #[test]
    fn expressions_of_operators_multiply_and_list() {
        let operators = [("1", shift(1.0)), ("2", shift(2.0)), ("3", shift(4.0)), ("P", shift(8.0)), ("X", None)];
        let shifts = |expression: &str| -> Result<Vec<f32>, String> {
            Ok(poses(expression, &operators)?.iter().map(|pose| pose.translation.x).collect())
        };
        assert_eq!(shifts("1"), Ok(vec![1.0]));
        assert_eq!(shifts("1,3, P"), Ok(vec![1.0, 4.0, 8.0]));
        assert_eq!(shifts("1-3"), Ok(vec![1.0, 2.0, 4.0]));
        assert_eq!(shifts("(1-2)(3,P)"), Ok(vec![5.0, 9.0, 6.0, 10.0]));
        assert_eq!(shifts("(P)(1)(2)"), Ok(vec![11.0]));
        for wrong in ["4", "X", "1-X", "(1", "2-9"] {
            assert!(shifts(wrong).is_err(), "{wrong}");
        }
        let many: Vec<(String, Option<Pose>)> = (1..200).map(|id| (id.to_string(), shift(0.0))).collect();
        let many: Vec<(&str, Option<Pose>)> = many.iter().map(|(id, pose)| (id.as_str(), *pose)).collect();
        assert!(poses(&"(1-199)".repeat(9), &many).is_err(), "not made");
    }

    #[test]
    fn first_group_is_applied_last() {
        let quarter = Mat3::from_cols(Vec3::Y, Vec3::NEG_X, Vec3::Z);
        let turn = Pose { rotation: quarter, translation: Vec3::ZERO };
        let operators = [("1", Some(turn)), ("2", shift(1.0))];
        let found = poses("(1)(2)", &operators).expect("known");
        assert_eq!(found[0].translation, Vec3::Y, "shifted, then turned");
    }

    #[test]
    fn uncertainty_is_no_part_of_a_number() {
        assert_eq!([uncertain("5.4307(2)"), uncertain("-1"), uncertain("?")], [Some(5.4307), Some(-1.0), None]);
    }
}
