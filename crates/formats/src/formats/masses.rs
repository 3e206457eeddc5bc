//! Finds elements by the masses of their atoms.

use crate::color::elements::Atomic;

/// Standard atomic weights from hydrogen to lawrencium, in daltons.
///
/// Source: IUPAC, "Atomic weights of the elements 2016".
#[rustfmt::skip]
const MASSES: [f64; 103] = [
    1.008, 4.003, 6.940, 9.012, 10.810, 12.011, 14.007, 15.999, 18.998, 20.180, 22.990, 24.305, 26.982, 28.085, 30.974,
    32.060, 35.450, 39.948, 39.098, 40.078, 44.956, 47.867, 50.941, 51.996, 54.938, 55.845, 58.933, 58.693, 63.546, 65.380,
    69.723, 72.630, 74.922, 78.971, 79.904, 83.798, 85.468, 87.620, 88.906, 91.224, 92.906, 95.950, 97.907, 101.070,
    102.906, 106.420, 107.868, 112.414, 114.818, 118.710, 121.760, 127.600, 126.904, 131.293, 132.905, 137.327, 138.905,
    140.116, 140.908, 144.242, 144.913, 150.360, 151.964, 157.250, 158.925, 162.500, 164.930, 167.259, 168.934, 173.054,
    174.967, 178.490, 180.948, 183.840, 186.207, 190.230, 192.217, 195.084, 196.967, 200.592, 204.380, 207.200, 208.980,
    208.982, 209.987, 222.018, 223.020, 226.025, 227.028, 232.038, 231.036, 238.029, 237.048, 244.064, 243.061, 247.070,
    247.070, 251.080, 252.083, 257.095, 258.098, 259.101, 262.110,
];

/// Tolerance for the masses of force fields, in daltons.
const TOLERANCE: f64 = 0.019;

/// The element of an atom of this mass; `None` for united atoms and repartitioned masses.
pub(super) fn element_of_mass(mass: f64) -> Option<&'static str> {
    const DEUTERIUM: f64 = 2.014;
    if (mass - DEUTERIUM).abs() < TOLERANCE {
        return Some("H");
    }
    let distance = |(_, known): &(usize, &f64)| (*known - mass).abs();
    let nearest = MASSES.iter().enumerate().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    let number = u64::try_from(nearest.0 + 1).ok()?;
    (distance(&nearest) < TOLERANCE).then(|| Atomic::from_number(number)).flatten().map(Atomic::symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_of_force_fields_are_elements() {
        for (mass, element) in [
            (1.008, Some("H")),
            (1.00797, Some("H")),
            (12.011, Some("C")),
            (12.01, Some("C")),
            (14.0067, Some("N")),
            (15.9994, Some("O")),
            (32.06, Some("S")),
            (22.98977, Some("Na")),
            (35.45, Some("Cl")),
            (39.0983, Some("K")),
            (40.08, Some("Ca")),
            (65.37, Some("Zn")),
            (4.032, None),
            (14.027, None),
            (0.0, None),
            (f64::NAN, None),
        ] {
            assert_eq!(element_of_mass(mass), element, "{mass}");
        }
    }
}
