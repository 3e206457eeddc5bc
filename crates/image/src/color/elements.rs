//! The chemical elements: symbols, van der Waals radii in ångström, and the colours chemists expect.
//!
//! Radii: A. Bondi, "van der Waals Volumes and Radii", *J. Phys. Chem.* 68, 1964, for the elements in his table
//! (viewers use them for carbon, nitrogen and oxygen), and S. Alvarez, "A cartography of the van der Waals
//! territories", *Dalton Trans.* 42, 2013, for the rest. Elements in neither get [`UNKNOWN_RADIUS`]. Colours: the Jmol
//! table, itself after Corey, Pauling and Koltun. It ends at meitnerium; heavier elements share its colour.

use std::sync::LazyLock;

use super::srgba8::Srgba8;

/// A chemical element as it is drawn.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::color::Element;
///
/// let oxygen = Element::from_symbol("O").expect("an element");
/// assert_eq!((oxygen.radius, oxygen.color.to_string()), (1.52, "#ff0d0d".to_owned()));
/// assert_eq!(Element::from_number(8), Some(oxygen));
/// assert_eq!(Element::from_symbol("Q"), None);
/// ```
// its index in `ELEMENTS` is its atomic number − 1
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Element {
    /// The IUPAC symbol: `H`, `He`.
    pub symbol: &'static str,
    /// The van der Waals radius in ångström; 2 for elements that neither Bondi nor Alvarez lists.
    pub radius: f32,
    /// Jmol's colour.
    pub color: Srgba8,
}

impl Element {
    /// Stands for an unknown element: 2 ångström, Jmol's deep pink.
    pub const UNKNOWN: Self = Self { symbol: "Xx", radius: UNKNOWN_RADIUS, color: Srgba8::rgb(0xff, 0x14, 0x93) };

    /// The element with this symbol, in any case; deuterium and tritium are hydrogen.
    #[must_use]
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Atomic::from_symbol(symbol.as_bytes()).map(Atomic::element)
    }

    /// The element with this atomic number, from 1 to 118.
    #[must_use]
    pub fn from_number(number: u64) -> Option<Self> {
        Atomic::from_number(number).map(Atomic::element)
    }
}

/// The radius, in ångström, of elements that neither table lists and of unknown elements.
pub const UNKNOWN_RADIUS: f32 = 2.0;

/// An atomic number, 0 for an unknown element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atomic(pub u8);

impl Atomic {
    /// Not an element.
    pub const UNKNOWN: Self = Self(0);

    /// The element with this symbol, in any case; deuterium and tritium are hydrogen.
    pub fn from_symbol(symbol: &[u8]) -> Option<Self> {
        /// Atomic numbers, indexed by first letter and by second letter + 1 (0 without a second letter); 0 for no
        /// element.
        static NUMBERS: LazyLock<[[u8; 27]; 26]> = LazyLock::new(|| {
            let mut numbers = [[0; 27]; 26];
            let symbols = ELEMENTS.iter().map(|element| element.symbol.as_bytes());
            for (symbol, number) in symbols.zip(1..).chain([(&b"D"[..], 1), (b"T", 1)]) {
                let second = symbol.get(1).and_then(letter).map_or(0, |second| second + 1);
                numbers[letter(&symbol[0]).unwrap_or_default()][second] = number;
            }
            numbers
        });
        let number = match symbol {
            [first] => NUMBERS[letter(first)?][0],
            [first, second] => NUMBERS[letter(first)?][letter(second)? + 1],
            _ => 0,
        };
        (number > 0).then_some(Self(number))
    }

    pub fn from_number(number: u64) -> Option<Self> {
        let number = u8::try_from(number).ok()?;
        (1..=ELEMENTS.len()).contains(&usize::from(number)).then_some(Self(number))
    }

    /// The IUPAC symbol, `Xx` for an unknown element.
    pub fn symbol(self) -> &'static str {
        self.element().symbol
    }

    /// Symbol, radius and colour.
    pub fn element(self) -> Element {
        usize::from(self.0).checked_sub(1).map_or(Element::UNKNOWN, |index| ELEMENTS[index])
    }
}

/// The place of a letter in the alphabet, in any case.
fn letter(byte: &u8) -> Option<usize> {
    byte.is_ascii_alphabetic().then(|| usize::from(byte.to_ascii_uppercase() - b'A'))
}

/// The element symbol for an atom name of a simulation: a symbol, optionally with a trailing number (`C12`), or an
/// atomic number. Other names are returned unchanged.
pub fn symbol_of_species(species: &str) -> &str {
    let letters = species.trim_end_matches(|end: char| !end.is_ascii_alphabetic());
    let element = match letters {
        "" => species.parse().ok().and_then(Atomic::from_number),
        letters => Atomic::from_symbol(letters.as_bytes()),
    };
    element.map_or(species, |element| element.symbol())
}

/// An element with its radius from Bondi's table.
const fn bondi(symbol: &'static str, radius: f32, color: u32) -> Element {
    Element { symbol, radius, color: Srgba8::hex(color) }
}

/// An element with its radius from Alvarez' table.
const fn alvarez(symbol: &'static str, radius: f32, color: u32) -> Element {
    bondi(symbol, radius, color)
}

/// An element in neither table.
const fn neither(symbol: &'static str, color: u32) -> Element {
    bondi(symbol, UNKNOWN_RADIUS, color)
}

/// Hydrogen to oganesson.
#[rustfmt::skip]
pub const ELEMENTS: [Element; 118] = [
    bondi("H", 1.20, 0xffffff), bondi("He", 1.40, 0xd9ffff),
    bondi("Li", 1.82, 0xcc80ff), alvarez("Be", 1.98, 0xc2ff00),
    alvarez("B", 1.91, 0xffb5b5), bondi("C", 1.70, 0x909090),
    bondi("N", 1.55, 0x3050f8), bondi("O", 1.52, 0xff0d0d),
    bondi("F", 1.47, 0x90e050), bondi("Ne", 1.54, 0xb3e3f5),
    bondi("Na", 2.27, 0xab5cf2), bondi("Mg", 1.73, 0x8aff00),
    alvarez("Al", 2.25, 0xbfa6a6), bondi("Si", 2.10, 0xf0c8a0),
    bondi("P", 1.80, 0xff8000), bondi("S", 1.80, 0xffff30),
    bondi("Cl", 1.75, 0x1ff01f), bondi("Ar", 1.88, 0x80d1e3),
    bondi("K", 2.75, 0x8f40d4), alvarez("Ca", 2.62, 0x3dff00),
    alvarez("Sc", 2.58, 0xe6e6e6), alvarez("Ti", 2.46, 0xbfc2c7),
    alvarez("V", 2.42, 0xa6a6ab), alvarez("Cr", 2.45, 0x8a99c7),
    alvarez("Mn", 2.45, 0x9c7ac7), alvarez("Fe", 2.44, 0xe06633),
    alvarez("Co", 2.40, 0xf090a0), bondi("Ni", 1.63, 0x50d050),
    bondi("Cu", 1.40, 0xc88033), bondi("Zn", 1.39, 0x7d80b0),
    bondi("Ga", 1.87, 0xc28f8f), alvarez("Ge", 2.29, 0x668f8f),
    bondi("As", 1.85, 0xbd80e3), bondi("Se", 1.90, 0xffa100),
    bondi("Br", 1.85, 0xa62929), bondi("Kr", 2.02, 0x5cb8d1),
    alvarez("Rb", 3.21, 0x702eb0), alvarez("Sr", 2.84, 0x00ff00),
    alvarez("Y", 2.75, 0x94ffff), alvarez("Zr", 2.52, 0x94e0e0),
    alvarez("Nb", 2.56, 0x73c2c9), alvarez("Mo", 2.45, 0x54b5b5),
    alvarez("Tc", 2.44, 0x3b9e9e), alvarez("Ru", 2.46, 0x248f8f),
    alvarez("Rh", 2.44, 0x0a7d8c), bondi("Pd", 1.63, 0x006985),
    bondi("Ag", 1.72, 0xc0c0c0), bondi("Cd", 1.58, 0xffd98f),
    bondi("In", 1.93, 0xa67573), bondi("Sn", 2.17, 0x668080),
    alvarez("Sb", 2.47, 0x9e63b5), bondi("Te", 2.06, 0xd47a00),
    bondi("I", 1.98, 0x940094), bondi("Xe", 2.16, 0x429eb0),
    alvarez("Cs", 3.48, 0x57178f), alvarez("Ba", 3.03, 0x00c900),
    alvarez("La", 2.98, 0x70d4ff), alvarez("Ce", 2.88, 0xffffc7),
    alvarez("Pr", 2.92, 0xd9ffc7), alvarez("Nd", 2.95, 0xc7ffc7),
    neither("Pm", 0xa3ffc7), alvarez("Sm", 2.90, 0x8fffc7),
    alvarez("Eu", 2.87, 0x61ffc7), alvarez("Gd", 2.83, 0x45ffc7),
    alvarez("Tb", 2.79, 0x30ffc7), alvarez("Dy", 2.87, 0x1fffc7),
    alvarez("Ho", 2.81, 0x00ff9c), alvarez("Er", 2.83, 0x00e675),
    alvarez("Tm", 2.79, 0x00d452), alvarez("Yb", 2.80, 0x00bf38),
    alvarez("Lu", 2.74, 0x00ab24), alvarez("Hf", 2.63, 0x4dc2ff),
    alvarez("Ta", 2.53, 0x4da6ff), alvarez("W", 2.57, 0x2194d6),
    alvarez("Re", 2.49, 0x267dab), alvarez("Os", 2.48, 0x266696),
    alvarez("Ir", 2.41, 0x175487), bondi("Pt", 1.75, 0xd0d0e0),
    bondi("Au", 1.66, 0xffd123), bondi("Hg", 1.55, 0xb8b8d0),
    bondi("Tl", 1.96, 0xa6544d), bondi("Pb", 2.02, 0x575961),
    alvarez("Bi", 2.54, 0x9e4fb5), neither("Po", 0xab5c00),
    neither("At", 0x754f45), neither("Rn", 0x428296),
    neither("Fr", 0x420066), neither("Ra", 0x007d00),
    alvarez("Ac", 2.80, 0x70abfa), alvarez("Th", 2.93, 0x00baff),
    alvarez("Pa", 2.88, 0x00a1ff), bondi("U", 1.86, 0x008fff),
    alvarez("Np", 2.82, 0x0080ff), alvarez("Pu", 2.81, 0x006bff),
    alvarez("Am", 2.83, 0x545cf2), alvarez("Cm", 3.05, 0x785ce3),
    alvarez("Bk", 3.40, 0x8a4fe3), alvarez("Cf", 3.05, 0xa136d4),
    alvarez("Es", 2.70, 0xb31fd4), neither("Fm", 0xb31fba),
    neither("Md", 0xb30da6), neither("No", 0xbd0d87),
    neither("Lr", 0xc70066), neither("Rf", 0xcc0059),
    neither("Db", 0xd1004f), neither("Sg", 0xd90045),
    neither("Bh", 0xe00038), neither("Hs", 0xe6002e),
    neither("Mt", 0xeb0026), neither("Ds", 0xeb0026),
    neither("Rg", 0xeb0026), neither("Cn", 0xeb0026),
    neither("Nh", 0xeb0026), neither("Fl", 0xeb0026),
    neither("Mc", 0xeb0026), neither("Lv", 0xeb0026),
    neither("Ts", 0xeb0026), neither("Og", 0xeb0026),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_at_their_atomic_numbers() {
        for (number, symbol) in
            [(1, "H"), (6, "C"), (8, "O"), (26, "Fe"), (57, "La"), (79, "Au"), (92, "U"), (118, "Og")]
        {
            assert_eq!(Atomic(number).element().symbol, symbol);
            assert_eq!(Atomic::from_symbol(symbol.as_bytes()), Some(Atomic(number)));
            assert_eq!(Atomic::from_symbol(symbol.to_uppercase().as_bytes()), Some(Atomic(number)));
            assert_eq!(Atomic::from_number(u64::from(number)), Some(Atomic(number)));
        }
    }

    #[test]
    fn elements_have_distinct_symbols_and_plausible_radii() {
        for (index, element) in ELEMENTS.iter().enumerate() {
            assert!(ELEMENTS[..index].iter().all(|other| other.symbol != element.symbol), "{}", element.symbol);
            assert!((1.2..3.5).contains(&element.radius), "{}", element.symbol);
        }
    }

    #[test]
    fn unknown_symbols_and_numbers_are_no_element() {
        for symbol in [&b""[..], b"Xx", b"Carbon", b"?", b"\xff\xff"] {
            assert_eq!(Atomic::from_symbol(symbol), None);
        }
        assert_eq!([0, 119, u64::MAX].map(Atomic::from_number), [None; 3]);
        assert_eq!(Atomic::UNKNOWN.element(), Element::UNKNOWN);
    }

    #[test]
    fn element_deuterium_is_hydrogen() {
        assert_eq!(Atomic::from_symbol(b"D"), Some(Atomic(1)));
    }
}
