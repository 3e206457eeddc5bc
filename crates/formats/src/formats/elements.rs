//! Guesses the element of an atom from the names of atom and residue.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::color::elements::Atomic;
use crate::data::Residue;

/// Residues of hydrogen, carbon, nitrogen, oxygen, phosphorus, sulphur and selenium alone: amino acids under all names
/// of force fields, caps, nucleotides, water, the usual sugars and lipids.
const ORGANIC: &str = "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL \
    HSD HSE HSP HID HIE HIP HISA HISB HISD HISE HISH HISP HIS1 HIS2 CYX CYM CYS1 CYS2 CYSH CYSS ASH ASPH ASPP GLH GLUH GLUP \
    LYN LYSH LSN ARGN MSE SEC CSE SEP TPO PTR S1P S2P T1P T2P Y1P Y2P MLY MLZ M3L ALY HYP KCX CSO CME CSD OCS PCA FME SAC TYS \
    ORN NLE DAB AIB CSS ACE ACEX NME NMA NH2 NHE FOR ASX GLX UNK \
    HOH WAT SOL H2O DOD TIP TIP3 TIP4 TIP5 TP3 TP4 TP5 T3P T4P T5P SPC SPCE OPC \
    A C G U T DA DC DG DT DU DI RA RC RG RU ADE CYT GUA URA THY ADP ATP AMP GDP GTP GMP NAD NAP FAD FMN COA PSU 5MC 5MU H2U \
    NAG NDG BMA MAN GAL GLC BGC FUC FUL SIA XYP GLA \
    POPC POPE POPG POPS POPA POPI DPPC DPPE DPPG DOPC DOPE DOPG DOPS DMPC DMPE DMPG DSPC DLPC DLPE CHL1 CHOL CLR PSM OLEO \
    PALM PAL LAUR MYR GOL EDO PEG ACT ACY MPD DMS EOH MOH URE SO4 PO4 H2PO4";

fn is_water(residue: &[u8]) -> bool {
    std::str::from_utf8(residue).is_ok_and(|name| Residue::of(name) == Residue::Water)
}

/// Whether a residue is organic, including AMBER's names for the ends of chains (`NALA`, `DA5`).
pub(super) fn is_organic(residue: &[u8]) -> bool {
    static NAMES: LazyLock<BTreeSet<&[u8]>> =
        LazyLock::new(|| ORGANIC.split_ascii_whitespace().map(str::as_bytes).collect());
    let is_listed = |name: &[u8]| NAMES.contains(name);
    is_listed(residue)
        || matches!(residue, [b'N' | b'C', inner @ ..] if inner.len() == 3 && is_listed(inner))
        || matches!(residue, [inner @ .., b'3' | b'5' | b'N'] if inner.len() <= 2 && is_listed(inner))
}

/// The alignment of atom names in their columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Alignment {
    /// As the format demands: the symbol of the element is right-aligned in the first two columns.
    #[default]
    Columns,
    /// All names begin in the first column.
    Left,
}

/// The first run of letters of a name, in upper case.
fn letters(text: &[u8]) -> Vec<u8> {
    let text = text.iter().skip_while(|byte| !byte.is_ascii_alphabetic());
    text.take_while(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_uppercase).collect()
}

/// Whether an atom of a file is a massless site: of a water model, or a lone pair.
pub(super) fn is_virtual_site(stated: &[u8], name: &[u8], residue: &[u8]) -> bool {
    let stated = stated.trim_ascii();
    if Atomic::from_symbol(stated).is_some() {
        return false;
    }
    let name = letters(name);
    matches!(stated.to_ascii_uppercase().as_slice(), b"EP" | b"MW" | b"XX" | b"VS" | b"LP")
        || matches!(name.as_slice(), b"EP" | b"EPW" | b"MW" | b"LP" | b"LPA" | b"LPB")
        || (matches!(name.as_slice(), b"M" | b"OM") && is_water(residue))
}

/// The symbol of ghost atoms: places of basis functions without a nucleus.
const GHOST: &str = "Bq";

/// Whether a symbol or the letters of a name are those of a ghost atom.
fn is_ghost(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.eq_ignore_ascii_case(GHOST.as_bytes()) || text.eq_ignore_ascii_case(b"Gh")
}

/// The element of an atom of a PDB file: the stated one, or else from the four columns of its name.
///
/// The usual rule: the symbol is right-aligned in the first two columns, so ` CA ` is a carbon and `CA  ` is calcium.
/// But names of hydrogens with four letters begin in the first column, and careless programs left-align all names.
/// Therefore atoms of known residues are organic, an atom named like its residue is an ion, and a name that fills all
/// four columns or is left-aligned has a symbol of two letters only if these are unambiguous.
pub(super) fn element_of_atom(stated: &[u8], name: &[u8], residue: &[u8], alignment: Alignment) -> &'static str {
    if let Some(element) = Atomic::from_symbol(stated.trim_ascii()) {
        return element.symbol();
    }
    let all = letters(name);
    if is_ghost(stated) || stated.trim_ascii().is_empty() && is_ghost(&all) {
        return GHOST;
    }
    let Some(&first) = all.first() else { return Atomic::UNKNOWN.symbol() };
    if let Some(symbol) = ion(&all, residue) {
        return symbol;
    }
    if is_organic(residue) {
        let found = match (all.as_slice(), first) {
            (b"SE", _) => Atomic::from_symbol(b"SE"),
            (_, b'H' | b'D' | b'C' | b'N' | b'O' | b'P' | b'S') => Atomic::from_symbol(&[first]),
            _ => None,
        };
        return found.unwrap_or(Atomic::UNKNOWN).symbol();
    }
    let pair = name.get(..2).filter(|pair| pair.iter().all(u8::is_ascii_alphabetic));
    let is_full = name.len() == 4 && !name.contains(&b' ');
    let is_plain = pair.is_some_and(|pair| PLAIN.contains(&pair.to_ascii_uppercase().as_slice()));
    let double =
        pair.filter(|_| is_plain || (alignment == Alignment::Columns && !is_full)).and_then(Atomic::from_symbol);
    double.or_else(|| Atomic::from_symbol(&[first])).unwrap_or(Atomic::UNKNOWN).symbol()
}

/// The symbol of an ion: an atom named like its residue (`SOD`, `NA+`, `ZN2`), or in a residue `ION`.
fn ion(name: &[u8], residue: &[u8]) -> Option<&'static str> {
    let residue = letters(residue);
    if name != residue && residue != b"ION" {
        return None;
    }
    let known = IONS.iter().find(|(ion, _)| *ion == name).map(|(_, symbol)| *symbol);
    let double = || (name.len() == 2).then(|| Atomic::from_symbol(name)).flatten().map(Atomic::symbol);
    known.or_else(double)
}

#[rustfmt::skip]
const IONS: [(&[u8], &str); 11] = [
    (b"SOD", "Na"), (b"CLA", "Cl"), (b"POT", "K"), (b"CAL", "Ca"), (b"CES", "Cs"), (b"LIT", "Li"), (b"RUB", "Rb"),
    (b"BAR", "Ba"), (b"CAD", "Cd"), (b"CIO", "Cs"), (b"CLJ", "Cl"),
];

/// Two letters that are always one symbol, never a light atom followed by another letter.
pub(super) const PLAIN: [&[u8]; 12] =
    [b"FE", b"ZN", b"MG", b"MN", b"CU", b"NI", b"CL", b"BR", b"LI", b"SI", b"AL", b"SE"];

/// The symbol of an atom of a simulation, in which alignment means nothing. It is an ion if residue and atom have the
/// same name, the residue is `ION`, or the name has a charge, as in `NA+`; otherwise the first letter counts, as in
/// `CA` of a protein.
pub(super) fn element_of_simulated(name: &[u8], residue: &[u8]) -> &'static str {
    let is_charged = name.iter().any(|byte| b"+-".contains(byte)) || matches!(residue.trim_ascii(), b"ION" | b"IONS");
    let name = letters(name);
    if is_ghost(&name) {
        return GHOST;
    }
    if let Some(symbol) = ion(&name, residue) {
        return symbol;
    }
    let double = || Atomic::from_symbol(name.get(..2)?);
    let found = if name.len() == 2 && (is_charged || PLAIN.contains(&name.as_slice())) {
        double().or_else(|| Atomic::from_symbol(&name[..1]))
    } else {
        name.get(..1).and_then(Atomic::from_symbol).or_else(double)
    };
    found.unwrap_or(Atomic::UNKNOWN).symbol()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, residue: &str, stated: &str) -> &'static str {
        aligned(name, residue, stated, Alignment::Columns)
    }

    fn aligned(name: &str, residue: &str, stated: &str, alignment: Alignment) -> &'static str {
        element_of_atom(stated.as_bytes(), format!("{name:<4}").as_bytes(), residue.as_bytes(), alignment)
    }

    #[test]
    fn element_is_told_by_its_columns_first() {
        assert_eq!(symbol(" CA ", "ALA", " C"), "C");
        assert_eq!(symbol("CA  ", "CA", "CA"), "Ca");
        assert_eq!(symbol(" C1 ", "LIG", "CL"), "Cl");
        assert_eq!(symbol(" C1 ", "LIG", "BQ"), "Bq", "a ghost atom");
    }

    #[test]
    fn element_is_told_by_the_name_where_its_columns_are_blank() {
        for (name, residue, expected) in [
            (" CA ", "ALA", "C"),
            ("CA  ", "CA", "Ca"),
            ("FE  ", "HEM", "Fe"),
            ("1HB ", "LIG", "H"),
            ("HG11", "VAL", "H"),
            ("HG11", "LIG", "H"),
            ("HG  ", "HG", "Hg"),
            ("CA  ", "ALA", "C"),
            ("ZN  ", "ZN", "Zn"),
            (" N9 ", "LIG", "N"),
            ("C12 ", "LIG", "C"),
            (" QA ", "LIG", "Xx"),
            ("BQ1 ", "LIG", "Bq"),
            ("    ", "LIG", "Xx"),
            ("1234", "LIG", "Xx"),
        ] {
            assert_eq!(symbol(name, residue, ""), expected, "{name:?} in {residue}");
        }
    }

    #[test]
    fn element_of_names_of_force_fields_is_light() {
        let residues = [
            "HSD", "HSE", "HSP", "HID", "HIE", "HIP", "CYX", "CYM", "ASH", "GLH", "LYN", "MSE", "SEP", "TPO", "NALA",
            "CHIE", "DA5", "RU3", "ADE", "POPC",
        ];
        for residue in residues {
            for (name, element) in [
                ("CA  ", "C"),
                ("NE2 ", "N"),
                ("CD2 ", "C"),
                ("HE  ", "H"),
                ("CE  ", "C"),
                ("SG  ", "S"),
                ("PB  ", "P"),
                ("ND  ", "N"),
            ] {
                assert_eq!(symbol(name, residue, ""), element, "{name} in {residue}");
            }
        }
        assert_eq!(symbol("SE  ", "MSE", ""), "Se");
        for (name, residue, element) in [
            (" NA ", "NA+", "Na"),
            ("NA  ", "NA+", "Na"),
            ("Na+ ", "Na+", "Na"),
            ("CL  ", "CL-", "Cl"),
            ("K   ", "K", "K"),
            ("SOD ", "SOD", "Na"),
            ("CAL ", "CAL", "Ca"),
            ("ZN  ", "ZN2", "Zn"),
            ("MG  ", "ION", "Mg"),
            (" CA ", "CA", "Ca"),
        ] {
            assert_eq!(symbol(name, residue, ""), element, "{name} in {residue}");
        }
        // a ligand of a file whose names all begin in the first column
        for (name, columns, left) in
            [("CA  ", "Ca", "C"), ("HO  ", "Ho", "H"), ("CLA ", "Cl", "Cl"), ("CAA1", "C", "C"), ("BR  ", "Br", "Br")]
        {
            let found = [Alignment::Columns, Alignment::Left].map(|alignment| aligned(name, "LIG", "", alignment));
            assert_eq!(found, [columns, left], "{name}");
        }
    }

    #[test]
    fn virtual_sites_are_told_by_element_name_and_water() {
        let is = |stated: &str, name: &str, residue: &str| {
            is_virtual_site(stated.as_bytes(), name.as_bytes(), residue.as_bytes())
        };
        assert!(is("EP", " EP ", "LIG") && is("Xx", " X1 ", "LIG") && is("MW", " MW ", "SOL") && is("", " MW ", "SOL"));
        assert!(is("", "EPW ", "WAT") && is(" M", " M  ", "TIP4") && is("", " LP1", "CYS"));
        assert!(
            !is("", " M  ", "LIG") && !is(" O", " OM ", "WAT") && !is(" C", " EP ", "LIG") && !is("", " CA ", "ALA")
        );
    }

    #[test]
    fn element_of_simulated_atoms_goes_by_residue_and_letter() {
        for (name, residue, expected) in [
            ("CA", "ALA", "C"),
            ("CA", "CA", "Ca"),
            ("NA", "NA", "Na"),
            ("NA+", "NA+", "Na"),
            ("NA", "NA+", "Na"),
            ("NA+", "ION", "Na"),
            ("NA", "ION", "Na"),
            ("CA2+", "CAL", "Ca"),
            ("K+", "ION", "K"),
            ("NA", "HEM", "N"),
            ("CL", "CL", "Cl"),
            ("SOD", "SOD", "Na"),
            ("HW1", "SOL", "H"),
            ("1HB", "ALA", "H"),
            ("OW", "SOL", "O"),
            ("MW", "SOL", "Xx"),
            ("FE", "HEM", "Fe"),
            ("H12A", "POPC", "H"),
            ("P", "POPC", "P"),
            ("AU", "GLD", "Au"),
            ("", "ALA", "Xx"),
        ] {
            assert_eq!(element_of_simulated(name.as_bytes(), residue.as_bytes()), expected, "{name} in {residue}");
        }
    }
}
