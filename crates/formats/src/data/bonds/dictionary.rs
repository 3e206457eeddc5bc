//! Bonds of standard residues: amino acids and nucleotides, with their orders.
//!
//! Heavy atoms only, under the names of the wwPDB's Chemical Component Dictionary and of force fields; hydrogens bond
//! by distance. `CA-CB` is a single bond, `C=O` a double one; rings have alternating bonds.

use super::BondOrder;

/// A bond within each residue of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResidueBond {
    pub(crate) residue: String,
    pub(crate) atoms: [String; 2],
    pub(crate) order: BondOrder,
}

/// Names of residues with the same bonds, and these bonds without the backbone's.
type ResidueRow = (&'static str, &'static str);

const PROTEIN_BACKBONE: &str = "N-CA CA-C C=O C-OXT C-OT1 C-OT2 C-O1 C-O2 C=OT";

#[rustfmt::skip]
const PROTEIN: [ResidueRow; 22] = [
    ("ALA", "CA-CB"),
    ("ARG ARGN", "CA-CB CB-CG CG-CD CD-NE NE-CZ CZ-NH1 CZ=NH2"),
    ("ASN", "CA-CB CB-CG CG=OD1 CG-ND2"),
    ("ASP ASH", "CA-CB CB-CG CG=OD1 CG-OD2"),
    ("CYS CYX CYM CYS2", "CA-CB CB-SG"),
    ("GLN", "CA-CB CB-CG CG-CD CD=OE1 CD-NE2"),
    ("GLU GLH", "CA-CB CB-CG CG-CD CD=OE1 CD-OE2"),
    ("GLY", ""),
    ("HIS HID HIE HIP HSD HSE HSP HISA HISB HISH HISD HISE", "CA-CB CB-CG CG-ND1 CG=CD2 ND1=CE1 CD2-NE2 CE1-NE2"),
    ("ILE", "CA-CB CB-CG1 CB-CG2 CG1-CD1 CG1-CD"),
    ("LEU", "CA-CB CB-CG CG-CD1 CG-CD2"),
    ("LYS LYN", "CA-CB CB-CG CG-CD CD-CE CE-NZ"),
    ("MET", "CA-CB CB-CG CG-SD SD-CE"),
    ("MSE", "CA-CB CB-CG CG-SE SE-CE"),
    ("PHE", "CA-CB CB-CG CG=CD1 CG-CD2 CD1-CE1 CD2=CE2 CE1=CZ CE2-CZ"),
    ("PRO", "CA-CB CB-CG CG-CD CD-N"),
    ("SEC", "CA-CB CB-SE"),
    ("SER", "CA-CB CB-OG"),
    ("THR", "CA-CB CB-OG1 CB-CG2"),
    ("TRP", "CA-CB CB-CG CG=CD1 CG-CD2 CD1-NE1 NE1-CE2 CD2=CE2 CD2-CE3 CE3=CZ3 CZ3-CH2 CE2-CZ2 CZ2=CH2"),
    ("TYR", "CA-CB CB-CG CG=CD1 CG-CD2 CD1-CE1 CD2=CE2 CE1=CZ CE2-CZ CZ-OH"),
    ("VAL", "CA-CB CB-CG1 CB-CG2"),
];

const NUCLEIC_BACKBONE: &str = "P=OP1 P-OP2 P-OP3 P=O1P P-O2P P-O3P P-O5' O5'-C5' C5'-C4' C4'-O4' C4'-C3' C3'-O3' C3'-C2' \
    C2'-O2' C2'-C1' C1'-O4'";

#[rustfmt::skip]
const NUCLEIC: [ResidueRow; 5] = [
    ("A DA RA ADE", "C1'-N9 N9-C8 N9-C4 C8=N7 N7-C5 C5=C4 C5-C6 C6-N6 C6=N1 N1-C2 C2=N3 N3-C4"),
    ("G DG RG GUA", "C1'-N9 N9-C8 N9-C4 C8=N7 N7-C5 C5=C4 C5-C6 C6=O6 C6-N1 N1-C2 C2-N2 C2=N3 N3-C4"),
    ("C DC RC CYT", "C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3=C4 C4-N4 C4-C5 C5=C6"),
    ("U DU RU URA", "C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3-C4 C4=O4 C4-C5 C5=C6"),
    ("T DT RT THY", "C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3-C4 C4=O4 C4-C5 C5=C6 C5-C7 C5-C5M"),
];

/// The bonds of a residue of this name as pairs of names of atoms; `None` if it is not in the dictionary.
pub(super) fn standard(residue: &str) -> Option<Vec<(&'static str, &'static str, BondOrder)>> {
    let find = |rows: &[ResidueRow], backbone| {
        let is_named = |(names, _): &&ResidueRow| names.split(' ').any(|name| name.eq_ignore_ascii_case(residue));
        rows.iter().find(is_named).map(|(_, bonds)| [backbone, *bonds])
    };
    let texts = find(&PROTEIN, PROTEIN_BACKBONE).or_else(|| find(&NUCLEIC, NUCLEIC_BACKBONE))?;
    let bond = |text: &'static str| {
        let double = text.split_once('=').map(|(a, b)| (a, b, BondOrder::Double));
        double.or_else(|| text.split_once('-').map(|(a, b)| (a, b, BondOrder::Single)))
    };
    Some(texts.iter().flat_map(|text| text.split(' ')).filter_map(bond).collect())
}

/// The dictionary's name of an atom: old files write `C1*` for `C1'`.
pub(super) fn plain(name: &str) -> std::borrow::Cow<'_, str> {
    if name.contains('*') { name.replace('*', "'").into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionary_bonds_respect_valences() {
        for (names, _) in PROTEIN.iter().chain(&NUCLEIC) {
            for name in names.split(' ') {
                let bonds = standard(name).expect(name);
                let mut valences = std::collections::BTreeMap::new();
                // other names of the same atoms
                let is_usual = |atom: &str| {
                    let others = ["OXT", "OT1", "OT2", "O1", "O2", "OT", "OP3", "O3P", "O1P", "O2P", "C5M"];
                    !(others.contains(&atom) || name == "ILE" && atom == "CD")
                };
                for (a, b, order) in bonds.iter().filter(|(a, b, _)| is_usual(a) && is_usual(b)) {
                    assert_ne!(a, b);
                    for atom in [a, b] {
                        *valences.entry(*atom).or_insert(0) += if *order == BondOrder::Double { 2 } else { 1 };
                    }
                }
                for (atom, valence) in valences {
                    let most = match atom.as_bytes()[0] {
                        b'C' => 4,
                        b'N' => 3,
                        b'P' => 5,
                        _ => 2,
                    };
                    // a charged nitrogen of histidine or arginine has four with its hydrogen
                    assert!(valence <= most, "{name} {atom} {valence}");
                }
            }
        }
        assert_eq!(standard("HOH"), None);
        assert_eq!(standard("GLY").map(|bonds| bonds.len()), Some(9));
        assert_eq!(plain("C1*"), "C1'");
    }
}
