//! Covalent radii, and the elements that bond by distance.

use crate::color::elements::Atomic;

/// Covalent radii of hydrogen to curium in picometres: B. Cordero et al., "Covalent radii revisited", *Dalton Trans.*
/// 2008, 2832; carbon as sp³, manganese, iron and cobalt in their low-spin states.
#[rustfmt::skip]
const RADII: [u8; 96] = [
    31, 28,
    128, 96, 84, 76, 71, 66, 57, 58,
    166, 141, 121, 111, 107, 105, 102, 106,
    203, 176, 170, 160, 153, 139, 139, 132, 126, 124, 132, 122, 122, 120, 119, 120, 120, 116,
    220, 195, 190, 175, 164, 154, 147, 146, 142, 139, 145, 144, 142, 139, 139, 138, 139, 140,
    244, 215, 207, 204, 203, 201, 199, 198, 198, 196, 194, 192, 192, 189, 190, 187, 187, 175, 170, 162, 151, 144, 141, 136,
    136, 132, 145, 146, 148, 140, 150, 150,
    // francium's 260 does not fit and it bonds to nothing
    255, 221, 215, 206, 200, 196, 190, 187, 180, 169,
];

/// How an element bonds by distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bonding {
    /// Never: noble gases, alkali and alkaline-earth metals, whose salts are ionic, and atoms of unknown elements.
    None,
    /// Once, to the nearest atom.
    Hydrogen,
    /// To all atoms that bond, except metals.
    Metal,
    /// To all atoms that bond.
    Nonmetal,
}

/// The covalent radius of an element in ångström, and how it bonds.
pub(super) fn bonding(element: Atomic) -> (f32, Bonding) {
    let Some(&radius) = usize::from(element.0).checked_sub(1).and_then(|index| RADII.get(index)) else {
        return (0.0, Bonding::None);
    };
    let bonding = match element.0 {
        1 => Bonding::Hydrogen,
        2 | 10 | 18 | 36 | 54 | 86 => Bonding::None,
        3 | 11 | 19 | 37 | 55 | 87 => Bonding::None,
        12 | 20 | 38 | 56 | 88 => Bonding::None,
        4 | 13 | 21..=31 | 39..=50 | 57..=83 | 89.. => Bonding::Metal,
        _ => Bonding::Nonmetal,
    };
    (f32::from(radius) / 100.0, bonding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covalent_radii_are_at_their_elements() {
        let of = |symbol: &str| bonding(Atomic::from_symbol(symbol.as_bytes()).expect("an element"));
        for (symbol, radius, class) in [
            ("H", 0.31, Bonding::Hydrogen),
            ("C", 0.76, Bonding::Nonmetal),
            ("Na", 1.66, Bonding::None),
            ("Ar", 1.06, Bonding::None),
            ("Si", 1.11, Bonding::Nonmetal),
            ("Fe", 1.32, Bonding::Metal),
            ("Zn", 1.22, Bonding::Metal),
            ("Br", 1.20, Bonding::Nonmetal),
            ("Xe", 1.40, Bonding::None),
            ("La", 2.07, Bonding::Metal),
            ("Lu", 1.87, Bonding::Metal),
            ("Pt", 1.36, Bonding::Metal),
            ("Rn", 1.50, Bonding::None),
            ("U", 1.96, Bonding::Metal),
            ("Cm", 1.69, Bonding::Metal),
        ] {
            assert_eq!(of(symbol), (radius, class), "{symbol}");
        }
        assert_eq!(of("Og").1, Bonding::None);
        assert_eq!(bonding(Atomic::UNKNOWN).1, Bonding::None);
    }
}
