//! Commands that make sense for a file: colourings, selections and films that its columns allow.

use std::cmp::Reverse;
use std::path::Path;

use crate::data::Residue;
use crate::dataset::describe::DataSource;
use crate::formats::FormatKind;
use crate::options::command_line::{flags, quote, quote_path};
use crate::options::load_options::LoadOptions;
use crate::options::option_table::LoadOption;

/// Most commands that are listed.
const MOST: usize = 10;

/// Most frames that are suggested for one picture.
const FEW_FRAMES: u64 = 60;

/// The commands for a file of data that is drawn in space, or in the plane, with the given options wherever a command
/// says nothing else.
pub(crate) fn commands(path: &Path, source: &DataSource, is_solid: bool, given: &LoadOptions) -> Vec<String> {
    let mut suggestions = Suggestions { source, file: quote_path(path), given, found: Vec::new() };
    if is_solid {
        suggestions.structures();
        suggestions.columns();
        suggestions.boxes();
        suggestions.frames();
    } else {
        suggestions.planes();
    }
    suggestions.found.truncate(MOST);
    suggestions.found
}

struct Suggestions<'a> {
    source: &'a DataSource,
    /// The path, quoted for a shell.
    file: String,
    given: &'a LoadOptions,
    found: Vec<String>,
}

impl Suggestions<'_> {
    fn render(&mut self, arguments: &str) {
        let given = self.given_beside(arguments);
        self.found.push(format!("roundel render {}{given} {arguments}", self.file));
    }

    /// The given options as flags, but those that the arguments say, and those of colours if the arguments colour.
    fn given_beside(&self, arguments: &str) -> String {
        const COLORS: [&str; 11] = [
            "color",
            "color_by",
            "palette",
            "colormap",
            "color_range",
            "color_center",
            "color_scale",
            "categories",
            "legend_categories",
            "legend_title",
            "legend_unit",
        ];
        let names = arguments.split_whitespace().filter_map(|word| word.strip_prefix("--"));
        let mut said: Vec<String> = names.map(|name| name.replace('-', "_")).collect();
        if said.iter().any(|name| name.starts_with("color")) {
            said.extend(COLORS.map(str::to_owned));
        }
        let mut options = self.given.clone();
        for option in LoadOption::all().iter().filter(|option| said.iter().any(|name| *name == option.name)) {
            option.clear(&mut options);
        }
        flags(&options)
    }

    fn has(&self, name: &str) -> bool {
        self.source.columns.iter().any(|column| column == name)
    }

    fn varies(&self, name: &str) -> bool {
        self.source.ranges.iter().any(|(column, [least, most])| column == name && most > least)
    }

    fn has_residue(&self, kind: Residue) -> bool {
        self.source.residues.iter().any(|name| Residue::of(name) == kind)
    }

    fn is_polymer(&self) -> bool {
        self.has_residue(Residue::Protein) || self.has_residue(Residue::Nucleic)
    }

    /// Colours and radii of points in the plane.
    fn planes(&mut self) {
        // coordinates and row numbers make no useful colours
        #[rustfmt::skip]
        const PLACES: [&str; 12] = [
            "x", "y", "longitude", "latitude", "lon", "lat", "long", "lng", "easting", "northing", "x_coord",
            "y_coord",
        ];
        // numbers that only name a row
        const NAMES: [&str; 4] = ["id", "code", "zip", "index"];
        const KINDS: [&str; 10] =
            ["type", "kind", "class", "category", "species", "group", "state", "country", "region", "continent"];
        let is_in = |names: &[&str], name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let mut columns = self.source.columns.iter().filter(|name| !is_in(&PLACES, name));
        let is_measure = |name: &&String| self.varies(name) && !name.split('_').any(|word| is_in(&NAMES, word));
        let measure = columns.clone().find(is_measure);
        let kind = columns.find(|name| is_in(&KINDS, name));
        if let Some(name) = measure {
            self.render(&format!("--color {} --legend", quote(name)));
            if !self.source.dates.contains(name) {
                self.render(&format!("--r {}", quote(name)));
            }
        }
        if let Some(name) = kind {
            self.render(&format!("--color {} --legend", quote(name)));
        }
    }

    fn structures(&mut self) {
        let (source, is_polymer) = (self.source, self.is_polymer());
        if source.chains.len() > 1 {
            self.render("--color-by chain --legend");
        }
        if let Some(ligand) = ligand(source).filter(|_| is_polymer) {
            let ligand = quote(&format!("resname {}", quoted_name(ligand)));
            self.render(&format!("--focus {ligand} --highlight {ligand} gold"));
            let around = quote(&format!("byres (within 4 of {})", ligand.trim_matches('\'')));
            self.render(&format!(
                "--only {around} --style sticks --color-by element --label {around} '{{resname}} {{resid}}'"
            ));
        }
        if self.has("structure") && is_polymer {
            self.render("--color-by structure --legend");
        }
        if self.varies("b_factor") {
            self.render("--color-by b_factor --legend --legend-title 'B factor (Å²)'");
        }
        if is_polymer && self.has("resid") && source.chains.len() <= 1 {
            self.render("--color-by resid --colormap turbo");
        }
        if let Some((number, _)) = source.assemblies.iter().find(|(_, copies)| *copies > 1) {
            self.render(&format!("--assembly {number}"));
        }
    }

    /// Colours by columns of particles.
    fn columns(&mut self) {
        if self.has("type") {
            self.render("--color-by type --legend");
        }
        for (columns, name) in [(["vx", "vy", "vz"], "speed"), (["fx", "fy", "fz"], "force")] {
            if columns.iter().all(|column| self.varies(column)) {
                self.render(&format!("--color-by {name} --colormap inferno --legend"));
            }
        }
        #[rustfmt::skip]
        const KNOWN: [&str; 25] = [
            "x", "y", "z", "vx", "vy", "vz", "fx", "fy", "fz", "id", "serial", "type", "mol", "element", "b_factor",
            "occupancy", "resid", "ix", "iy", "iz", "r", "radius", "index", "label_seq", "charge",
        ];
        let mut names = self.source.ranges.iter().map(|(name, _)| name);
        if let Some(name) = names.find(|name| !KNOWN.contains(&name.as_str()) && self.varies(name)) {
            self.render(&format!("--color-by {} --legend", quote(name)));
        }
        if self.varies("charge") {
            self.render("--color-by charge --color-center 0 --legend");
        }
    }

    /// Periodic boxes, and the water in them.
    fn boxes(&mut self) {
        let (source, is_polymer) = (self.source, self.is_polymer());
        let is_periodic = source.cell.is_some() && source.periodic.contains(&true);
        if source.cell.is_some() && source.chains.is_empty() && is_polymer {
            self.render("--center protein");
        } else if is_periodic && !is_polymer && !self.has_residue(Residue::Lipid) {
            let copies = source.periodic.map(|repeats| if repeats { "2" } else { "1" });
            self.render(&format!("--replicate {}", copies.join(",")));
        }
        let is_membrane = self.has_residue(Residue::Lipid);
        if is_membrane {
            self.render("--color-by resname --legend");
            self.render("--only lipid --view top");
        }
        if self.has_residue(Residue::Water) && (is_polymer || is_membrane) {
            self.render("--hide none");
        }
    }

    fn frames(&mut self) {
        let source = self.source;
        if source.models > 1 && source.format.kind() == FormatKind::Atoms {
            let moves = LoadOptions { frame: None, ..self.given.clone() };
            if source.models <= FEW_FRAMES && source.bonds > 0 {
                self.found.push(format!("roundel render {}{} --frames all", self.file, flags(&moves)));
            }
            self.render("--frame -1");
            self.found.push(format!("roundel film {}{} -o film.webp", self.file, flags(&moves)));
        }
    }
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
    // the first of equal ones
    others.min_by_key(|(name, atoms)| Reverse((rank(name), **atoms))).map(|(name, _)| name)
}

/// A name quoted for a selection if it is not a plain word.
pub(crate) fn quoted_name(name: &str) -> String {
    let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric());
    if is_plain { name.to_owned() } else { format!("\"{name}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Format;

    #[test]
    fn membranes_are_colored_by_residue_and_seen_from_above() {
        let mut source = DataSource::new(String::new(), Format::Gro, 9);
        source.residues = ["POPC", "SOL"].map(str::to_owned).to_vec();
        let commands = |options| commands(Path::new("m.gro"), &source, true, &options);
        let arguments = ["--color-by resname --legend", "--only lipid --view top", "--hide none"];
        assert_eq!(
            commands(LoadOptions::default()),
            arguments.map(|arguments| format!("roundel render m.gro {arguments}"))
        );
        let mut given = LoadOptions { width: Some(300), only: Some("lipid".to_owned()), ..LoadOptions::default() };
        (given.color_by, given.colormap) = (Some("x".to_owned()), Some("magma".to_owned()));
        let colors = "--color-by=x --colormap=magma";
        assert_eq!(
            commands(given),
            [
                format!("roundel render m.gro --width=300 --only=lipid {}", arguments[0]),
                format!("roundel render m.gro --width=300 {colors} {}", arguments[1]),
                format!("roundel render m.gro --width=300 {colors} --only=lipid {}", arguments[2]),
            ]
        );
    }

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
