//! Bonds between atoms: listed in files, known from the names of residues, and found by distance.
//!
//! [`perceive`] combines the three. The rules, also in `docs/molecules.md`:
//!
//! - A file that lists all bonds (SDF, MOL2, a LAMMPS data file) has these and no others.
//! - Otherwise the bonds that the file lists (`CONECT`, `_struct_conn`) are added to the bonds of residues that the
//!   file (`_chem_comp_bond`) or the dictionary of standard residues describes, and to those found by distance. Two
//!   atoms that are both described bond by distance only across residues, and only as chains do (C–N, O3'–P) or as
//!   disulfides (SG–SG).
//! - By distance, two atoms bond if they are at most r₁ + r₂ + 0.45 Å and at least 0.4 Å apart; see `distance`.

mod contacts;
mod covalent;
mod dictionary;
mod distance;
mod grid;
mod neighbors;
mod perception;

pub use contacts::{Contact, ContactSearch, HydrogenBondRule, MOST_CONTACTS};
pub(crate) use dictionary::ResidueBond;
pub use neighbors::neighbor_counts;
pub use perception::BondRule;
pub use perception::{AtomKeys, BondContext, elements_by_row, perceive, residues_by_row};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bond {
    /// The rows of its atoms.
    pub atoms: [u32; 2],
    pub order: BondOrder,
    /// The periodic image of the second atom relative to the first, in steps along the edges.
    pub image: [i16; 3],
}

impl Bond {
    /// A bond within one box.
    pub fn new(first: u32, second: u32, order: BondOrder) -> Self {
        Self { atoms: [first, second], order, image: [0; 3] }
    }

    /// The same bond, its lower row first.
    fn sorted(self) -> Self {
        let Self { atoms: [first, second], order, image } = self;
        let flipped = image.map(i16::wrapping_neg);
        if (second, flipped) < (first, image) { Self { atoms: [second, first], order, image: flipped } } else { self }
    }

    /// Sort key: bonds with equal keys are the same bond.
    fn key(&self) -> ([u32; 2], [i16; 3]) {
        (self.atoms, self.image)
    }
}

/// The number of electron pairs of a bond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BondOrder {
    #[default]
    Single,
    /// Between a single and a double bond.
    Aromatic,
    Double,
    Triple,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileBonds {
    /// Bonds by row of the file.
    pub(crate) rows: Vec<Bond>,
    /// Bonds by the numbers that a column (`serial` of PDB, `id` of LAMMPS) gives to atoms.
    pub(crate) serials: Vec<([i64; 2], BondOrder)>,
    /// Bonds by the names of atoms and their residues.
    pub(crate) named: Vec<([AtomName; 2], BondOrder)>,
    /// Bonds within each residue of a name.
    pub(crate) residues: Vec<ResidueBond>,
    /// Whether the list is complete.
    pub(crate) is_complete: bool,
}

/// An atom by its name and residue.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AtomName {
    pub(crate) chain: String,
    pub(crate) number: i64,
    pub(crate) insertion: String,
    pub(crate) residue: String,
    pub(crate) atom: String,
}

impl AtomName {
    /// The number of a residue that has none.
    pub(crate) const NO_NUMBER: i64 = i64::MIN;
}
