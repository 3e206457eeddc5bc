//! The element of an atom whose file names it only in passing.

use crate::color::elements::Atomic;

/// Residues whose atoms are hydrogen, carbon, nitrogen, oxygen, phosphorus and sulphur, and nothing else.
const ORGANIC: [&[u8]; 32] = [
    b"ALA", b"ARG", b"ASN", b"ASP", b"CYS", b"GLN", b"GLU", b"GLY", b"HIS", b"ILE", b"LEU", b"LYS", b"MET", b"PHE",
    b"PRO", b"SER", b"THR", b"TRP", b"TYR", b"VAL", b"HOH", b"WAT", b"A", b"C", b"G", b"U", b"DA", b"DC", b"DG", b"DT",
    b"DU", b"TIP",
];

/// The symbol of an atom of a PDB file: the stated one, or what the name in its four columns says.
///
/// The usual rule: the symbol is right-aligned in the first two columns, so ` CA ` is a carbon and `CA  ` is calcium; but
/// names of hydrogens with four letters begin in the first column, and careless programs align everything to the left.
pub(super) fn element_of_atom(stated: &[u8], name: &[u8], residue: &[u8]) -> &'static str {
    if let Some(element) = Atomic::from_symbol(stated.trim_ascii()) {
        return element.symbol();
    }
    let mut letters = name.iter().filter(|byte| byte.is_ascii_alphabetic());
    let Some(&first) = letters.next() else { return Atomic::UNKNOWN.symbol() };
    let single = ORGANIC.contains(&residue)
        || !name[0].is_ascii_alphabetic()
        || name.get(1).is_none_or(|second| !second.is_ascii_alphabetic())
        || (matches!(first, b'H' | b'D') && !name.contains(&b' ') && name.len() == 4);
    let double = (!single).then(|| Atomic::from_symbol(&name[..2])).flatten();
    double.or_else(|| Atomic::from_symbol(&[first])).unwrap_or(Atomic::UNKNOWN).symbol()
}

/// Ions as force fields call them, and their elements.
const IONS: [(&[u8], &str); 7] =
    [(b"SOD", "Na"), (b"CLA", "Cl"), (b"POT", "K"), (b"CAL", "Ca"), (b"CES", "Cs"), (b"LIT", "Li"), (b"RUB", "Rb")];

/// Two letters that are never a carbon, a nitrogen or another light atom with a letter behind.
const PLAIN: [&[u8]; 12] = [b"FE", b"ZN", b"MG", b"MN", b"CU", b"NI", b"CL", b"BR", b"LI", b"SI", b"AL", b"SE"];

/// The symbol of an atom of a simulation, whose name says nothing by its columns: that of an ion where residue and atom are
/// named alike, the residue is `ION`, or the name has a charge, as in `NA+`; else that of the first letter, as in `CA` of a protein.
pub(super) fn element_of_simulated(name: &[u8], residue: &[u8]) -> &'static str {
    let letters = |text: &[u8]| -> Vec<u8> {
        let text = text.iter().skip_while(|byte| !byte.is_ascii_alphabetic());
        text.take_while(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_uppercase).collect()
    };
    let is_charged = name.iter().any(|byte| b"+-".contains(byte)) || matches!(residue.trim_ascii(), b"ION" | b"IONS");
    let name = letters(name);
    if let Some((_, symbol)) = IONS.iter().find(|(ion, _)| *ion == name) {
        return symbol;
    }
    let double = || Atomic::from_symbol(name.get(..2)?);
    let found = if name.len() == 2 && (is_charged || name == letters(residue) || PLAIN.contains(&name.as_slice())) {
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
        element_of_atom(stated.as_bytes(), format!("{name:<4}").as_bytes(), residue.as_bytes())
    }

    #[test]
    fn element_is_told_by_its_columns_first() {
        assert_eq!(symbol(" CA ", "ALA", " C"), "C");
        assert_eq!(symbol("CA  ", "CA", "CA"), "Ca");
        assert_eq!(symbol(" C1 ", "LIG", "CL"), "Cl");
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
            ("    ", "LIG", "Xx"),
            ("1234", "LIG", "Xx"),
        ] {
            assert_eq!(symbol(name, residue, ""), expected, "{name:?} in {residue}");
        }
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
