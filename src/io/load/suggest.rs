//! Commands that make sense for a file: colourings, selections and films that its columns allow.

use std::path::Path;

use super::describe::DataSource;
use crate::data::Residue;
use crate::io::command_line::quote_path;
use crate::io::formats::FormatKind;

/// Commands that are listed at most.
const MOST: usize = 10;

/// Frames that are drawn in one picture at most.
const FEW_FRAMES: u64 = 60;

/// The commands for a file of data that is drawn in space, or in the plane.
pub(crate) fn commands(path: &Path, source: &DataSource, is_solid: bool) -> Vec<String> {
    let file = quote_path(path);
    let mut found: Vec<String> = Vec::new();
    let mut add = |arguments: &str| found.push(format!("roundel render {file} {arguments}"));
    let has = |name: &str| source.columns.iter().any(|column| column == name);
    let varies = |name: &str| source.ranges.iter().any(|(column, [least, most])| column == name && most > least);
    if !is_solid {
        // coordinates and row numbers make no useful colours
        #[rustfmt::skip]
        const PLACES: [&str; 12] = [
            "x", "y", "longitude", "latitude", "lon", "lat", "long", "lng", "easting", "northing", "x_coord",
            "y_coord",
        ];
        let is_quantity = |name: &&String| !PLACES.iter().any(|place| place.eq_ignore_ascii_case(name));
        let is_number = |name: &str| source.ranges.iter().any(|(column, _)| column == name);
        // numbers that only name a row
        const NAMES: [&str; 4] = ["id", "code", "zip", "index"];
        let is_name =
            |name: &str| NAMES.iter().any(|part| name.to_ascii_lowercase().split('_').any(|word| word == *part));
        const KINDS: [&str; 10] =
            ["type", "kind", "class", "category", "species", "group", "state", "country", "region", "continent"];
        let is_kind = |name: &&String| KINDS.iter().any(|kind| kind.eq_ignore_ascii_case(name));
        let is_measure = |name: &&String| is_number(name) && varies(name) && !is_name(name);
        let numbers: Vec<&String> = source.columns.iter().filter(is_quantity).filter(is_measure).collect();
        let names: Vec<&String> = source.columns.iter().filter(is_quantity).filter(is_kind).collect();
        if let Some(name) = numbers.first() {
            add(&format!("--color {} --legend", quoted(name)));
            add(&format!("--r {}", quoted(name)));
        }
        if let Some(name) = names.first() {
            add(&format!("--color {} --legend", quoted(name)));
        }
        return found;
    }
    let ligand = ligand(source);
    let of_kind = |kind: Residue| source.residues.iter().find(|name| Residue::of(name) == kind);
    let is_polymer = of_kind(Residue::Protein).or(of_kind(Residue::Nucleic)).is_some();
    if source.chains.len() > 1 {
        add("--color-by chain --legend");
    }
    if let Some(ligand) = ligand.filter(|_| is_polymer) {
        let ligand = quoted(&format!("resname {}", quoted_name(ligand)));
        add(&format!("--focus {ligand} --highlight {ligand} gold"));
        let around = quoted(&format!("byres (within 4 of {})", ligand.trim_matches('\'')));
        add(&format!("--only {around} --style sticks --color-by element --label {around} '{{resname}} {{resid}}'"));
    }
    if has("structure") && is_polymer {
        add("--color-by structure --legend");
    }
    if varies("b_factor") {
        add("--color-by b_factor --legend --legend-title 'B factor (Å²)'");
    }
    if is_polymer && has("resid") && source.chains.len() <= 1 {
        add("--color-by resid --colormap turbo");
    }
    if let Some((number, _)) = source.assemblies.iter().find(|(_, copies)| *copies > 1) {
        add(&format!("--assembly {number}"));
    }
    if has("type") {
        add("--color-by type --legend");
    }
    for (columns, name) in [(["vx", "vy", "vz"], "speed"), (["fx", "fy", "fz"], "force")] {
        if columns.iter().all(|column| varies(column)) {
            add(&format!("--color-by {name} --colormap inferno --legend"));
        }
    }
    #[rustfmt::skip]
    const KNOWN: [&str; 25] = [
        "x", "y", "z", "vx", "vy", "vz", "fx", "fy", "fz", "id", "serial", "type", "mol", "element", "b_factor",
        "occupancy", "resid", "ix", "iy", "iz", "r", "radius", "index", "label_seq", "charge",
    ];
    let is_new = |(name, _): &&(String, [f64; 2])| !KNOWN.contains(&name.as_str()) && varies(name);
    if let Some((name, _)) = source.ranges.iter().find(is_new) {
        add(&format!("--color-by {} --legend", quoted(name)));
    }
    if varies("charge") {
        add("--color-by charge --color-center 0 --legend");
    }
    if source.cell.is_some() && source.chains.is_empty() && is_polymer {
        add("--center protein");
    } else if source.cell.is_some()
        && source.periodic.contains(&true)
        && !is_polymer
        && of_kind(Residue::Lipid).is_none()
    {
        add(&format!("--replicate {}", source.periodic.map(|repeats| if repeats { "2" } else { "1" }).join(",")));
    }
    if of_kind(Residue::Water).is_some() && is_polymer {
        add("--hide none");
    }
    if source.models > 1 && source.format.kind() == FormatKind::Atoms {
        if source.models <= FEW_FRAMES && source.bonds > 0 {
            add("--frames all");
        }
        add("--frame -1");
        found.push(format!("roundel film {file} -o film.webp"));
    }
    found.truncate(MOST);
    found
}

/// Residues of crystallization media: buffers, salts, alcohols and their polymers, detergents and fats.
const BUFFERS: [&str; 48] = [
    "ACT", "ACY", "FMT", "SO4", "PO4", "NO3", "CIT", "FLC", "TLA", "MLI", "TRS", "EPE", "MES", "BTB", "GOL", "EDO",
    "PEG", "PGE", "PG4", "1PE", "P6G", "MPD", "IPA", "EOH", "MOH", "DMS", "BME", "DTT", "IMD", "CAC", "SCN", "NH4",
    "AZI", "BOG", "BNG", "LMT", "LDA", "C8E", "SDS", "OLA", "OLB", "OLC", "PLM", "MYR", "D10", "UND", "CLR", "Y01",
];

/// Sugars of glycoproteins, and residues that belong to a chain: changed amino acids and ends.
const OF_CHAINS: [&str; 31] = [
    "NAG", "NDG", "MAN", "BMA", "FUC", "FUL", "GAL", "GLC", "SIA", "XYP", "SEP", "TPO", "PTR", "CSO", "CSD", "OCS",
    "CME", "YCM", "KCX", "PCA", "MLY", "M3L", "HYP", "NLE", "ABA", "FME", "NH2", "CGU", "DAL", "AIB", "SME",
];

/// The likely subject of a structure: the residue with the most atoms that is neither part of a chain nor of the
/// buffer; of the buffer, if there is no other.
fn ligand(source: &DataSource) -> Option<&String> {
    let named = source.residues.iter().zip(source.residue_atoms.iter().chain(std::iter::repeat(&0)));
    let others = named.filter(|(name, _)| !name.is_empty() && Residue::of(name) == Residue::Other);
    let rank = |name: &str| {
        let is_in = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if is_in(&BUFFERS) {
            0
        } else if is_in(&OF_CHAINS) {
            1
        } else {
            2
        }
    };
    let mut best: Option<(u8, u64, &String)> = None;
    for (name, atoms) in others {
        // of equal ones, the first in the file
        if best.is_none_or(|(of, most, _)| (rank(name), *atoms) > (of, most)) {
            best = Some((rank(name), *atoms, name));
        }
    }
    best.map(|(_, _, name)| name)
}

/// A value quoted for a POSIX shell if it needs that.
pub(super) fn quoted(text: &str) -> String {
    crate::io::command_line::quote(text)
}

/// A name quoted for a selection if it is not a plain word.
pub(super) fn quoted_name(name: &str) -> String {
    let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric());
    if is_plain { name.to_owned() } else { format!("\"{name}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::formats::Format;

    #[test]
    fn ligands_are_what_a_structure_is_about() {
        let ligand_of = |residues: &[(&str, u64)]| {
            let mut source = DataSource::new(String::new(), Format::Pdb, 9);
            (source.residues, source.residue_atoms) =
                residues.iter().map(|(name, atoms)| ((*name).to_owned(), *atoms)).unzip();
            ligand(&source).cloned()
        };
        let usual =
            [("ALA", 500), ("HOH", 300), ("ACT", 80), ("NAG", 90), ("BOG", 60), ("HEM", 43), ("XYZ", 12), ("ZN", 1)];
        assert_eq!(ligand_of(&usual).as_deref(), Some("HEM"));
        assert_eq!(ligand_of(&[("ALA", 9), ("ACT", 4), ("GOL", 6)]).as_deref(), Some("GOL"));
        assert_eq!(ligand_of(&[("ALA", 9), ("HOH", 3)]), None);
    }
}
