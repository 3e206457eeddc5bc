//! Kinds of residues, known by their names.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residue {
    Protein,
    Nucleic,
    Water,
    Ion,
    /// Lipids of membranes.
    Lipid,
    /// Ligands and all else.
    Other,
}

/// Amino acids: the usual ones, and their charged and bound forms in force fields.
const PROTEIN: [&str; 46] = [
    "ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE", "LEU", "LYS", "MET", "PHE", "PRO", "SER",
    "THR", "TRP", "TYR", "VAL", "ASX", "GLX", "SEC", "PYL", "MSE", "UNK", "HID", "HIE", "HIP", "HSD", "HSE", "HSP",
    "HISA", "HISB", "HISH", "HISD", "HISE", "CYX", "CYM", "CYS2", "ASH", "GLH", "LYN", "ARGN", "ACE", "NME",
];

const NUCLEIC: [&str; 26] = [
    "A", "C", "G", "U", "T", "I", "N", "DA", "DC", "DG", "DT", "DU", "DI", "DN", "RA", "RC", "RG", "RU", "ADE", "CYT",
    "GUA", "THY", "URA", "PSU", "5MC", "7MG",
];

const WATER: [&str; 19] = [
    "HOH", "H2O", "WAT", "DOD", "SOL", "TIP", "TIP2", "TIP3", "TIP4", "TIP5", "TP3", "TP4", "TP5", "T3P", "T4P", "T5P",
    "SPC", "SPCE", "OPC",
];

const IONS: [&str; 40] = [
    "NA", "NA+", "CL", "CL-", "K", "K+", "MG", "MG2", "MG2+", "CA", "CA2", "CA2+", "ZN", "ZN2", "ZN2+", "FE", "FE2",
    "FE3", "MN", "CU", "CU1", "CO", "NI", "CD", "HG", "BR", "BR-", "IOD", "F", "LI", "LI+", "RB", "CS", "SOD", "CLA",
    "POT", "CAL", "CES", "BA", "SR",
];

/// Phospholipids, sphingomyelins and sterols, by their usual names in CHARMM, AMBER, GROMOS and MARTINI.
const LIPIDS: [&str; 51] = [
    "POPC", "POPE", "POPG", "POPS", "POPA", "POPI", "DPPC", "DPPE", "DPPG", "DPPS", "DPPA", "DOPC", "DOPE", "DOPG",
    "DOPS", "DOPA", "DMPC", "DMPE", "DMPG", "DMPS", "DMPA", "DLPC", "DLPE", "DLPG", "DLPS", "DSPC", "DSPE", "DSPG",
    "DSPS", "DAPC", "DUPC", "DIPC", "DFPC", "PLPC", "SOPC", "SLPC", "PAPC", "PIPC", "PUPC", "POP", "DPP", "DOP", "PSM",
    "DPSM", "POSM", "CHOL", "CHL1", "TOCL1", "TOCL2", "CDL2", "POP2",
];

impl Residue {
    /// The kind of a residue of this name, in any case.
    pub fn of(name: &str) -> Self {
        let known = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        // AMBER has names of its own for the first and the last residue of a chain
        let inner = name.strip_prefix(['N', 'C']).filter(|inner| inner.len() == 3).unwrap_or(name);
        let is_end = PROTEIN.iter().any(|known| known.eq_ignore_ascii_case(inner));
        if known(&PROTEIN) || is_end {
            Self::Protein
        } else if known(&WATER) {
            Self::Water
        } else if known(&NUCLEIC) {
            Self::Nucleic
        } else if known(&IONS) {
            Self::Ion
        } else if known(&LIPIDS) {
            Self::Lipid
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_of_all_models_of_water_are_water() {
        for name in ["HOH", "wat", "TIP2", "TIP4", "T4P", "SPCE", "OPC"] {
            assert_eq!(Residue::of(name), Residue::Water, "{name}");
        }
        assert_eq!(Residue::of("OPE"), Residue::Other);
    }
}
