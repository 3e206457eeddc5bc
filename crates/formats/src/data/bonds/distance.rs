//! Bonds by distance.
//!
//! Two atoms bond if they are at most r₁ + r₂ + 0.45 Å and at least 0.4 Å apart, r being covalent radii (Cordero 2008);
//! the tolerance is from E. C. Meng and R. A. Lewis, *J. Comput. Chem.* 12, 1991; RDKit and Open Babel use it, too.
//! Besides:
//!
//! - A hydrogen bonds once, to the nearest nonmetal; to the nearest metal if there is none, or else to the nearest
//!   hydrogen.
//! - Noble gases, alkali and alkaline-earth metals and atoms of unknown elements do not bond; metals do not bond to
//!   metals.
//!
//! In a periodic box, distances are measured to the nearest images.

use glam::DVec3;
use rayon::prelude::*;

use super::covalent::{Bonding, bonding};
use super::grid::{MOST_IN_CUBE, Site, pairs};
use super::{Bond, BondOrder};
use crate::color::elements::Atomic;
use crate::data::cell::Cell;

/// Bonded atoms may be this much farther apart than the sum of their radii, in ångström.
const TOLERANCE: f64 = 0.45;

/// Atoms nearer to each other than this, in ångström, are alternative places of one atom.
const LEAST: f64 = 0.4;

/// Periodic images searched to each side. A box so thin that it needs more holds no molecule.
const MOST_COPIES: i16 = 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct Atoms<'a> {
    pub(super) places: &'a [[f64; 3]],
    pub(super) elements: &'a [Atomic],
    /// The periodic box.
    pub(super) cell: Option<&'a Cell>,
}

/// Two atoms near enough to bond.
#[derive(Clone, Copy, Debug)]
struct CloseAtoms {
    rows: [u32; 2],
    image: [i16; 3],
    square: f64,
}

impl Atoms<'_> {
    /// Bonds between atoms near enough, in order; `may_bond` says whether two rows may bond.
    pub(super) fn bonds_by_distance(&self, may_bond: impl Fn(u32, u32) -> bool + Sync) -> Vec<Bond> {
        let classes: Vec<(f32, Bonding)> = (0..=u8::MAX).map(|number| bonding(Atomic(number))).collect();
        let class = |row: u32| classes[usize::from(self.elements[row as usize].0)];
        let [mut nonmetal, mut metal] = [0.0_f64; 2];
        for element in self.elements {
            let (radius, bonding) = classes[usize::from(element.0)];
            let greatest = match bonding {
                Bonding::None => continue,
                Bonding::Metal => &mut metal,
                Bonding::Hydrogen | Bonding::Nonmetal => &mut nonmetal,
            };
            *greatest = greatest.max(radius.into());
        }
        if nonmetal == 0.0 {
            return Vec::new();
        }
        let reach = nonmetal + nonmetal.max(metal) + TOLERANCE;
        let (sites, shifts) = self.sites(reach, &|row| class(row).1 != Bonding::None);
        let contact = |a: &Site, b: &Site, square: f64| {
            let bond = bond_between(a, b, &shifts)?;
            let ((r1, first), (r2, second)) = (class(bond.atoms[0]), class(bond.atoms[1]));
            let limit = f64::from(r1) + f64::from(r2) + TOLERANCE;
            let is_near = square <= limit * limit && square >= LEAST * LEAST;
            if !is_near || (first == Bonding::Metal && second == Bonding::Metal) {
                return None;
            }
            may_bond(bond.atoms[0], bond.atoms[1]).then_some(CloseAtoms { rows: bond.atoms, image: bond.image, square })
        };
        let mut contacts = pairs(&sites, reach, MOST_IN_CUBE, contact);
        // the order of equal contacts must not depend on threads
        contacts.par_sort_unstable_by_key(|contact| (contact.rows, contact.image, contact.square.to_bits()));
        contacts.dedup_by_key(|contact| (contact.rows, contact.image));
        once_for_hydrogens(&mut contacts, self.places.len(), |row| class(row).1);
        let bond = |CloseAtoms { rows, image, .. }: CloseAtoms| Bond { atoms: rows, order: BondOrder::Single, image };
        contacts.into_iter().map(bond).collect()
    }

    /// The atoms that bond with their periodic images within reach of the box, and the number of edges by which each
    /// atom was moved into the box.
    #[expect(clippy::cast_possible_truncation, reason = "places beyond 2^15 boxes are left where they are")]
    pub(super) fn sites(&self, reach: f64, bonds: &dyn Fn(u32) -> bool) -> (Vec<Site>, Vec<[i16; 3]>) {
        let rows = (0..).zip(self.places).filter(|(row, _)| bonds(*row));
        let place = |place: &[f64; 3]| *place;
        let Some(cell) = self.cell.filter(|cell| cell.periodic != [false; 3]) else {
            return (rows.map(|(row, at)| Site { place: place(at), row, image: [0; 3] }).collect(), Vec::new());
        };
        let inverse = cell.edges.inverse();
        // the rows of the inverse have length 1 / height of the box
        let margin = DVec3::from([0, 1, 2].map(|axis| inverse.row(axis).length() * reach));
        let mut sites = Vec::with_capacity(self.places.len());
        let mut shifts = vec![[0_i16; 3]; self.places.len()];
        for (row, at) in rows {
            let from = DVec3::from(place(at)) - cell.origin;
            let fraction = inverse * from;
            let shift = [0, 1, 2].map(|axis| {
                let steps = -fraction[axis].floor();
                if cell.periodic[axis] && steps.abs() < f64::from(i16::MAX / 2) { steps as i16 } else { 0 }
            });
            shifts[row as usize] = shift;
            let inside = fraction + DVec3::from(shift.map(f64::from));
            let copies = [0, 1, 2].map(|axis| {
                // an atom left far outside has no images
                if !cell.periodic[axis] || !(0.0..=1.0).contains(&inside[axis]) {
                    return 0..=0;
                }
                let reach = |value: f64| (value.floor() as i16).clamp(-MOST_COPIES, MOST_COPIES);
                // images at fractions from -margin to 1 + margin
                -reach(inside[axis] + margin[axis])..=reach(1.0 + margin[axis] - inside[axis])
            });
            for i in copies[0].clone() {
                for j in copies[1].clone() {
                    for k in copies[2].clone() {
                        let image = [i, j, k];
                        let steps = DVec3::from([0, 1, 2].map(|axis| f64::from(shift[axis] + image[axis])));
                        sites.push(Site { place: (from + cell.edges * steps).to_array(), row, image });
                    }
                }
            }
        }
        (sites, shifts)
    }
}

/// The bond between two sites; `None` if neither is in the box: such a pair of images repeats another one.
pub(super) fn bond_between(a: &Site, b: &Site, shifts: &[[i16; 3]]) -> Option<Bond> {
    let (one, other) = if (a.row, a.image) <= (b.row, b.image) { (a, b) } else { (b, a) };
    if one.image != [0; 3] && other.image != [0; 3] {
        return None;
    }
    let rows = [one.row, other.row];
    let step = |axis: usize| {
        let shift = |row: u32| shifts.get(row as usize).map_or(0, |shift| shift[axis]);
        (other.image[axis] - one.image[axis]).wrapping_add(shift(rows[1])).wrapping_sub(shift(rows[0]))
    };
    Some(Bond { atoms: rows, order: BondOrder::Single, image: [step(0), step(1), step(2)] }.sorted())
}

/// Keeps one contact of every hydrogen: with the nearest nonmetal, or else metal, or else hydrogen. A tie goes to the
/// first.
fn once_for_hydrogens(contacts: &mut Vec<CloseAtoms>, rows: usize, class: impl Fn(u32) -> Bonding) {
    let rank = |bonding: Bonding| -> u8 {
        match bonding {
            Bonding::Nonmetal => 0,
            Bonding::Metal => 1,
            Bonding::Hydrogen | Bonding::None => 2,
        }
    };
    // for each hydrogen, its best contact: rank, square, index
    let mut best = vec![(u8::MAX, f64::INFINITY, 0); rows];
    for (index, contact) in contacts.iter().enumerate() {
        for (own, other) in [(0, 1), (1, 0)] {
            let row = contact.rows[own];
            if class(row) == Bonding::Hydrogen {
                let new = (rank(class(contact.rows[other])), contact.square, index);
                let known = &mut best[row as usize];
                if (new.0, new.1) < (known.0, known.1) {
                    *known = new;
                }
            }
        }
    }
    let mut index = 0;
    contacts.retain(|contact| {
        let is_best = |row: &u32| class(*row) != Bonding::Hydrogen || best[*row as usize].2 == index;
        let kept = contact.rows.iter().all(is_best);
        index += 1;
        kept
    });
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;

    fn elements(symbols: &[&str]) -> Vec<Atomic> {
        symbols.iter().map(|symbol| Atomic::from_symbol(symbol.as_bytes()).unwrap_or(Atomic::UNKNOWN)).collect()
    }

    fn bonds(symbols: &[&str], places: &[[f64; 3]], cell: Option<&Cell>) -> Vec<([u32; 2], [i16; 3])> {
        let atoms = Atoms { places, elements: &elements(symbols), cell };
        atoms.bonds_by_distance(|_, _| true).iter().map(Bond::key).collect()
    }

    fn along_x(xs: &[f64]) -> Vec<[f64; 3]> {
        xs.iter().map(|&x| [x, 0.0, 0.0]).collect()
    }

    #[test]
    fn bonds_reach_as_far_as_radii_and_tolerance() {
        // two carbons: 0.76 + 0.76 + 0.45
        for (distance, bonded) in [(1.969, true), (1.971, false), (0.41, true), (0.39, false)] {
            assert_eq!(bonds(&["C", "C"], &along_x(&[0.0, distance]), None).len(), usize::from(bonded), "{distance}");
        }
        let none: [&[&str]; 4] = [&["Na", "Cl"], &["Ar", "C"], &["Fe", "Fe"], &["Xx", "C"]];
        for symbols in none {
            assert!(bonds(symbols, &along_x(&[0.0, 1.5]), None).is_empty(), "{symbols:?}");
        }
        assert_eq!(bonds(&["Fe", "N"], &along_x(&[0.0, 2.0]), None), [([0, 1], [0; 3])]);
    }

    #[test]
    fn hydrogens_bond_once() {
        // the middle hydrogen is between two oxygens, nearer to the first
        assert_eq!(bonds(&["O", "H", "O"], &along_x(&[0.0, 1.0, 2.3]), None), [([0, 1], [0; 3])]);
        // nearer to a hydrogen than to its carbon
        let places = along_x(&[0.0, 1.1, 1.6]);
        assert_eq!(bonds(&["C", "H", "H"], &places, None), [([0, 1], [0; 3])]);
        assert_eq!(bonds(&["H", "H"], &along_x(&[0.0, 0.74]), None), [([0, 1], [0; 3])]);
    }

    #[test]
    fn bonds_cross_periodic_boundaries() {
        let cube = Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(10.0))).expect("a volume");
        let across = along_x(&[0.4, 9.6]);
        assert_eq!(bonds(&["C", "O"], &across, Some(&cube)), [([0, 1], [-1, 0, 0])]);
        // the same, the second atom not wrapped into the box
        assert_eq!(bonds(&["C", "O"], &along_x(&[0.4, -0.4]), Some(&cube)), [([0, 1], [0; 3])]);
        assert_eq!(bonds(&["C", "O"], &along_x(&[20.4, 9.6]), Some(&cube)), [([0, 1], [1, 0, 0])]);
        let walls = Cell { periodic: [false, true, true], ..cube };
        assert!(bonds(&["C", "O"], &across, Some(&walls)).is_empty());
        // diamond's primitive cell: four bonds between two atoms
        let half = 3.567 / 2.0;
        let edges =
            DMat3::from_cols(DVec3::new(0.0, half, half), DVec3::new(half, 0.0, half), DVec3::new(half, half, 0.0));
        let primitive = Cell::new(DVec3::ZERO, edges).expect("a volume");
        let places = [[0.0; 3], [0.25 * 3.567; 3]];
        let found = bonds(&["C", "C"], &places, Some(&primitive));
        assert_eq!(found.len(), 4, "{found:?}");
        // a chain of one atom bonds to its own copies, once
        let thin = DMat3::from_diagonal(DVec3::new(1.5, 20.0, 20.0));
        let thin = Cell::new(DVec3::ZERO, thin).expect("a volume");
        assert_eq!(bonds(&["C"], &along_x(&[0.3]), Some(&thin)), [([0, 0], [-1, 0, 0])]);
    }

    #[test]
    fn bonds_in_boxes_are_those_of_all_copies() {
        let edges = DMat3::from_cols(DVec3::new(7.0, 0.0, 0.0), DVec3::new(3.0, 6.0, 0.0), DVec3::new(-2.0, 1.0, 5.0));
        let cell = Cell::new(DVec3::new(-1.0, 2.0, 0.5), edges).expect("a volume");
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        let symbols: Vec<&str> = (0..30).map(|index| ["C", "N", "O", "S", "Fe"][index % 5]).collect();
        // some of them far outside of the box
        let places: Vec<[f64; 3]> = symbols.iter().map(|_| [0, 1, 2].map(|_| random() * 24.0 - 12.0)).collect();
        let mut expected = Vec::new();
        let of = elements(&symbols);
        let steps = || (-5_i16..=5).flat_map(|i| (-5..=5).flat_map(move |j| (-5..=5).map(move |k| [i, j, k])));
        for a in 0..places.len() {
            for b in a..places.len() {
                for image in steps() {
                    let to = |row: usize| DVec3::from(places[row]);
                    let distance = (to(b) + edges * DVec3::from(image.map(f64::from)) - to(a)).length();
                    let ((r1, first), (r2, second)) = (bonding(of[a]), bonding(of[b]));
                    let near = distance <= f64::from(r1) + f64::from(r2) + 0.45 && distance >= 0.4;
                    if near && !(first == Bonding::Metal && second == Bonding::Metal) && (a < b || image < [0; 3]) {
                        let pair = [a, b].map(|row| u32::try_from(row).expect("few"));
                        expected.push((pair, image));
                    }
                }
            }
        }
        expected.sort_unstable();
        assert!(expected.len() > 30);
        assert_eq!(bonds(&symbols, &places, Some(&cell)), expected);
    }
}
