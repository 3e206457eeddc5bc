//! Runs of residues that a file lists as helices or strands.

/// A run of residues of a chain, ends included.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ResidueRange {
    pub(crate) chain: String,
    /// Number and insertion code of the first residue.
    pub(crate) first: (i64, u8),
    /// The same for the last residue.
    pub(crate) last: (i64, u8),
    pub(crate) structure: Structure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Structure {
    Helix,
    Strand,
    /// Neither.
    Coil,
}

/// The names in the column `structure`, in the order of their colours in all files.
pub const STRUCTURES: [&str; 3] = ["coil", "helix", "strand"];

impl Structure {
    /// The name in the column.
    pub(crate) fn name(self) -> &'static str {
        let [coil, helix, strand] = STRUCTURES;
        match self {
            Self::Helix => helix,
            Self::Strand => strand,
            Self::Coil => coil,
        }
    }
}

pub(crate) fn structure_of(ranges: &[ResidueRange], chain: &str, residue: (i64, u8)) -> Structure {
    let range = ranges.iter().find(|range| range.chain == chain && range.first <= residue && residue <= range.last);
    range.map_or(Structure::Coil, |range| range.structure)
}
