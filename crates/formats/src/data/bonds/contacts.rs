//! Atoms that are near each other without a bond between them: by distance, and as hydrogen bonds.
//!
//! Two atoms that three bonds or fewer join are no contact: these bonds alone bring them near. Of several periodic images
//! of a pair the nearest counts.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;

use super::Bond;
use super::distance::{Atoms, bond_between};
use super::grid::{is_crowded, pairs};
use crate::color::elements::Atomic;
use crate::data::cell::Cell;
use crate::error::Error;

/// The geometry by which two atoms and a hydrogen between them are a hydrogen bond. Donors and acceptors are nitrogen and
/// oxygen.
///
/// ```
/// # use roundel_formats as roundel;
/// use roundel::io::HydrogenBondRule;
///
/// assert_eq!("wernet-nilsson".parse::<HydrogenBondRule>()?, HydrogenBondRule::WernetNilsson);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HydrogenBondRule {
    /// Less than 2.5 Å from the hydrogen to the acceptor, and more than 120° between both bonds of the hydrogen: E. N.
    /// Baker and R. E. Hubbard, *Prog. Biophys. Mol. Biol.* 44, 1984.
    #[default]
    BakerHubbard,
    /// Less than 3.3 Å − 0.00044 Å δ² from donor to acceptor, δ being the degrees at the donor between hydrogen and
    /// acceptor: Ph. Wernet et al., *Science* 304, 2004.
    WernetNilsson,
}

impl HydrogenBondRule {
    /// All rules.
    pub const ALL: [Self; 2] = [Self::BakerHubbard, Self::WernetNilsson];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BakerHubbard => "baker-hubbard",
            Self::WernetNilsson => "wernet-nilsson",
        }
    }
}

impl fmt::Display for HydrogenBondRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HydrogenBondRule {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|rule| rule.name() == name);
        known.ok_or_else(|| Error::setting("hbonds", format!("must be baker-hubbard or wernet-nilsson, got {name:?}")))
    }
}

/// Most contacts of one search; a picture of more shows nothing.
pub const MOST_CONTACTS: usize = 100_000;

/// Most points in a cube as wide as the reach of a search.
const MOST_IN_CUBE: usize = 4096;

/// Ångström and degrees of the rules.
const BAKER_HUBBARD: (f64, f64) = (2.5, 120.0);
const WERNET_NILSSON: (f64, f64) = (3.3, 0.00044);

/// Without hydrogens: the greatest distance of donor and acceptor in ångström; the angles at both are at least 90°, as in
/// I. K. McDonald and J. M. Thornton, *J. Mol. Biol.* 238, 1994.
const WITHOUT_HYDROGENS: f64 = 3.5;

/// The longest distance of a donor and an acceptor that a rule may accept, in ångström.
const REACH: f64 = 3.8;

/// An oxygen nearer than this to its only neighbour has a double bond, and no hydrogen.
const CARBONYL: f64 = 1.3;

/// Atoms that are searched for contacts.
pub struct ContactSearch<'a> {
    places: Vec<[f64; 3]>,
    cell: Option<&'a Cell>,
    /// The start of each row's bonds, and all bonds, each from the row.
    starts: Vec<usize>,
    bonds: Vec<(u32, [i16; 3])>,
}

/// A contact, or a hydrogen bond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// From the one row to the other: from the donor to the acceptor.
    pub heavy: Bond,
    /// From the hydrogen to the acceptor, if the hydrogen is known.
    pub light: Option<Bond>,
    /// Whether the hydrogen is known, drawn or not.
    pub has_hydrogen: bool,
}

impl<'a> ContactSearch<'a> {
    /// `places` are the places of all rows, `bonds` all bonds between them.
    pub fn new(places: Vec<[f64; 3]>, cell: Option<&'a Cell>, bonds: &[Bond]) -> Self {
        let mut starts = vec![0; places.len() + 1];
        bonds.iter().flat_map(|bond| bond.atoms).for_each(|row| starts[row as usize + 1] += 1);
        (0..places.len()).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = starts.clone();
        let mut ends = vec![(0, [0; 3]); 2 * bonds.len()];
        for &Bond { atoms: [first, second], image, .. } in bonds {
            for (row, end) in [(first, (second, image)), (second, (first, image.map(i16::wrapping_neg)))] {
                ends[next[row as usize]] = end;
                next[row as usize] += 1;
            }
        }
        Self { places, cell, starts, bonds: ends }
    }

    /// The contacts between two selections of rows at most `reach` apart, in order; `None` if there are more than
    /// [`MOST_CONTACTS`].
    pub fn within(&self, selections: [&[bool]; 2], reach: f64) -> Option<Vec<Contact>> {
        let contact = |heavy| Contact { heavy, light: None, has_hydrogen: false };
        Some(self.near(selections, reach, &|_| true)?.into_iter().map(contact).collect())
    }

    /// The pairs of a row of each selection that may be a contact, at most `reach` apart and more than three bonds from
    /// each other.
    fn near(&self, [of, with]: [&[bool]; 2], reach: f64, may_touch: &dyn Fn(u32) -> bool) -> Option<Vec<Bond>> {
        let joins = |[a, b]: [u32; 2]| {
            let [a, b] = [a as usize, b as usize];
            of[a] && with[b] || of[b] && with[a]
        };
        let atoms = Atoms { places: &self.places, elements: &[], cell: self.cell };
        let (sites, shifts) =
            atoms.sites(reach, &|row: u32| (of[row as usize] || with[row as usize]) && may_touch(row));
        if is_crowded(&sites, reach, MOST_IN_CUBE) {
            return None;
        }
        let count = AtomicUsize::new(0);
        let mut found = pairs(&sites, reach, MOST_IN_CUBE, |a, b, square| {
            let bond = bond_between(a, b, &shifts)?;
            let [first, second] = bond.atoms;
            if first == second || !joins(bond.atoms) || self.is_joined(first, second) {
                return None;
            }
            // each is found again from the other side of the box
            let is_kept = count.fetch_add(1, Ordering::Relaxed) <= 2 * MOST_CONTACTS;
            is_kept.then_some((bond, square))
        });
        if count.into_inner() > 2 * MOST_CONTACTS {
            return None;
        }
        found.sort_unstable_by(|(a, one), (b, other)| {
            a.atoms.cmp(&b.atoms).then(one.total_cmp(other)).then(a.image.cmp(&b.image))
        });
        found.dedup_by_key(|(bond, _)| bond.atoms);
        let found: Vec<Bond> = found.into_iter().map(|(bond, _)| bond).collect();
        (found.len() <= MOST_CONTACTS).then_some(found)
    }

    fn ends(&self, row: u32) -> &[(u32, [i16; 3])] {
        &self.bonds[self.starts[row as usize]..self.starts[row as usize + 1]]
    }

    /// Whether three bonds or fewer join two rows.
    fn is_joined(&self, first: u32, second: u32) -> bool {
        let next = |row: u32| self.ends(row).iter().map(|(row, _)| *row);
        next(first).any(|a| a == second || next(a).any(|b| b == second || next(b).any(|c| c == second)))
    }

    /// The place of a row in an image of the box.
    fn place(&self, row: u32, image: [i16; 3]) -> DVec3 {
        let shift = self.cell.map_or(DVec3::ZERO, |cell| cell.edges * DVec3::from(image.map(f64::from)));
        DVec3::from(self.places[row as usize]) + shift
    }

    /// The hydrogen bonds between two selections of rows, by donors and acceptors; `None` if there are more than
    /// [`MOST_CONTACTS`]. `residues` has the number of the residue of each row: where none of its atoms is a hydrogen,
    /// donors and acceptors are within 3.5 Å, with angles of 90° or more to the atoms that they are bonded to.
    pub fn hydrogen_bonds(
        &self,
        elements: &[Atomic],
        residues: &[u32],
        selections: [&[bool]; 2],
        rule: HydrogenBondRule,
    ) -> Option<Vec<Contact>> {
        let mut has_hydrogens = vec![false; residues.last().map_or(0, |last| *last as usize + 1)];
        for (element, residue) in elements.iter().zip(residues) {
            has_hydrogens[*residue as usize] |= element.0 == HYDROGEN;
        }
        let is_polar = |row: u32| matches!(elements[row as usize].0, NITROGEN | OXYGEN);
        let atoms = PolarAtoms { search: self, elements, residues, has_hydrogens: &has_hydrogens };
        let near = self.near(selections, REACH, &is_polar)?;
        let bond = |bond: Bond| {
            let back = Bond { atoms: [bond.atoms[1], bond.atoms[0]], image: bond.image.map(i16::wrapping_neg), ..bond };
            atoms.bond(bond, rule).or_else(|| atoms.bond(back, rule))
        };
        Some(near.into_iter().filter_map(bond).collect())
    }
}

const HYDROGEN: u8 = 1;
const NITROGEN: u8 = 7;
const OXYGEN: u8 = 8;

struct PolarAtoms<'a> {
    search: &'a ContactSearch<'a>,
    elements: &'a [Atomic],
    residues: &'a [u32],
    /// By residue.
    has_hydrogens: &'a [bool],
}

impl PolarAtoms<'_> {
    fn element(&self, row: u32) -> u8 {
        self.elements[row as usize].0
    }

    /// The hydrogen bond of a donor to an acceptor, if it is one.
    fn bond(&self, heavy: Bond, rule: HydrogenBondRule) -> Option<Contact> {
        let [donor, acceptor] = heavy.atoms;
        let (from, to) = (self.search.place(donor, [0; 3]), self.search.place(acceptor, heavy.image));
        let hydrogens = self.search.ends(donor).iter().filter(|(row, _)| self.element(*row) == HYDROGEN);
        let nearest = hydrogens
            .map(|(row, image)| (*row, *image, self.search.place(*row, *image)))
            .min_by(|a, b| a.2.distance_squared(to).total_cmp(&b.2.distance_squared(to)));
        if let Some((row, image, place)) = nearest {
            let is_bond = match rule {
                HydrogenBondRule::BakerHubbard => {
                    let (length, angle) = BAKER_HUBBARD;
                    place.distance(to) < length && degrees(from - place, to - place) > angle
                }
                HydrogenBondRule::WernetNilsson => {
                    let (length, less) = WERNET_NILSSON;
                    let angle = degrees(place - from, to - from);
                    from.distance(to) < length - less * angle * angle
                }
            };
            let steps = [0, 1, 2].map(|axis| heavy.image[axis].wrapping_sub(image[axis]));
            let light = Bond { atoms: [row, acceptor], image: steps, ..heavy };
            return is_bond.then_some(Contact { heavy, light: Some(light), has_hydrogen: true });
        }
        let is_known = self.has_hydrogens[self.residues[donor as usize] as usize];
        let is_bond = !is_known
            && from.distance(to) <= WITHOUT_HYDROGENS
            && self.may_give(donor)
            && self.may_take(acceptor)
            && self.is_open(donor, to - from)
            && self.is_open(acceptor, from - to);
        is_bond.then_some(Contact { heavy, light: None, has_hydrogen: false })
    }

    /// Whether an atom without known hydrogens may have one.
    fn may_give(&self, row: u32) -> bool {
        let ends = self.search.ends(row);
        match (self.element(row), ends) {
            (OXYGEN, []) => true,
            (OXYGEN, [(to, image)]) => {
                let length = self.search.place(row, [0; 3]).distance(self.search.place(*to, *image));
                // carbon or silicon: of nitro groups, phosphates and sulfates no oxygen has one
                matches!(self.element(*to), 6 | 14) && length > CARBONYL
            }
            (NITROGEN, ends) => ends.len() <= 2,
            _ => false,
        }
    }

    /// Whether an atom has a pair of electrons to take a hydrogen.
    fn may_take(&self, row: u32) -> bool {
        self.element(row) == OXYGEN || self.search.ends(row).len() <= 2
    }

    /// Whether a direction leads away from all atoms that a row is bonded to.
    fn is_open(&self, row: u32, direction: DVec3) -> bool {
        let from = self.search.place(row, [0; 3]);
        self.search.ends(row).iter().all(|(to, image)| (self.search.place(*to, *image) - from).dot(direction) <= 0.0)
    }
}

/// The angle between two directions.
fn degrees(a: DVec3, b: DVec3) -> f64 {
    libm::acos((a.dot(b) / (a.length() * b.length())).clamp(-1.0, 1.0)).to_degrees()
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::data::bonds::BondOrder;

    fn elements(symbols: &[&str]) -> Vec<Atomic> {
        symbols.iter().map(|symbol| Atomic::from_symbol(symbol.as_bytes()).unwrap_or(Atomic::UNKNOWN)).collect()
    }

    fn single(pairs: &[[u32; 2]]) -> Vec<Bond> {
        pairs.iter().map(|[a, b]| Bond::new(*a, *b, BondOrder::Single)).collect()
    }

    #[test]
    fn contacts_are_near_and_more_than_three_bonds_apart() {
        let places: Vec<[f64; 3]> = (0..6).map(|step| [f64::from(step), 0.0, 0.0]).collect();
        let bonds = single(&[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]);
        let search = ContactSearch::new(places, None, &bonds);
        let all = [true; 6];
        let found = |reach| search.within([&all, &all], reach).expect("few").iter().map(|of| of.heavy.atoms).collect();
        let four: Vec<[u32; 2]> = found(4.0);
        assert_eq!(four, [[0, 4], [1, 5]]);
        let five: Vec<[u32; 2]> = found(5.0);
        assert_eq!(five, [[0, 4], [0, 5], [1, 5]]);
        let first = [true, false, false, false, false, false];
        let of_one = search.within([&all, &first], 5.0).expect("few");
        assert_eq!(of_one.len(), 2, "either may be the first");
        assert_eq!(search.within([&first, &first], 9.0), Some(Vec::new()));
    }

    #[test]
    fn contacts_go_by_the_shortest_image() {
        let cell = Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(10.0))).expect("a volume");
        // 1 apart through the wall, and one of them three boxes away
        let search = ContactSearch::new(vec![[0.5, 5.0, 5.0], [39.5, 5.0, 5.0]], Some(&cell), &[]);
        let found = search.within([&[true; 2], &[true; 2]], 9.5).expect("few");
        let heavy = Bond { image: [-4, 0, 0], ..Bond::new(0, 1, BondOrder::Single) };
        assert_eq!(found, [Contact { heavy, light: None, has_hydrogen: false }]);
    }

    #[test]
    fn too_many_contacts_are_none() {
        let search = ContactSearch::new(vec![[1.0; 3]; 1000], None, &[]);
        assert_eq!(search.within([&[true; 1000], &[true; 1000]], 2.0), None);
        let search = ContactSearch::new(vec![[1.0; 3]; 5000], None, &[]);
        assert_eq!(search.within([&[true; 5000], &[true; 5000]], 2.0), None);
    }

    /// The hydrogen bonds of N–H at the origin, along x, with an oxygen at a distance and an angle from the hydrogen.
    fn of_oxygen(distance: f64, angle: f64, rule: HydrogenBondRule) -> usize {
        let (sine, cosine) = libm::sincos(angle.to_radians());
        let oxygen = [1.0 - distance * cosine, distance * sine, 0.0];
        let places = vec![[0.0; 3], [1.0, 0.0, 0.0], oxygen];
        let search = ContactSearch::new(places, None, &single(&[[0, 1]]));
        let found = search.hydrogen_bonds(&elements(&["N", "H", "O"]), &[0, 0, 1], [&[true; 3]; 2], rule);
        found.expect("few").len()
    }

    #[test]
    fn hydrogen_bonds_follow_their_rules() {
        use HydrogenBondRule::{BakerHubbard, WernetNilsson};
        for (distance, angle, rule, expected) in [
            (2.4, 121.0, BakerHubbard, 1),
            (2.51, 170.0, BakerHubbard, 0),
            (2.0, 119.0, BakerHubbard, 0),
            (2.29, 180.0, WernetNilsson, 1),
            (2.31, 180.0, WernetNilsson, 0),
            // 30° at the donor leave 2.904 Å
            (1.948, 134.6, WernetNilsson, 1),
            (2.1, 120.0, WernetNilsson, 0),
        ] {
            assert_eq!(of_oxygen(distance, angle, rule), expected, "{distance} Å, {angle}°, {rule}");
        }
    }

    #[test]
    fn hydrogens_that_are_not_known_leave_distance_and_angles() {
        // C=O at the left, N–C at the right
        let found = |oxygen: f64, nitrogen: f64, behind: f64| {
            let places = vec![[-oxygen, 0.0, 0.0], [0.0; 3], [nitrogen, 0.0, 0.0], [nitrogen + behind, 0.5, 0.0]];
            let search = ContactSearch::new(places, None, &single(&[[0, 1], [2, 3]]));
            let all = [&[true; 4][..]; 2];
            let of = search.hydrogen_bonds(
                &elements(&["C", "O", "N", "C"]),
                &[0, 0, 1, 1],
                all,
                HydrogenBondRule::default(),
            );
            of.expect("few").len()
        };
        assert_eq!([found(1.23, 3.4, 1.3), found(1.23, 3.6, 1.3), found(1.23, 3.4, -0.2)], [1, 0, 0]);
        // two carbonyl oxygens have no hydrogen
        let places = vec![[-1.23, 0.0, 0.0], [0.0; 3], [2.9, 0.0, 0.0], [2.9 + 1.23, 0.0, 0.0]];
        let search = ContactSearch::new(places, None, &single(&[[0, 1], [2, 3]]));
        let of = search.hydrogen_bonds(
            &elements(&["C", "O", "O", "C"]),
            &[0, 0, 1, 1],
            [&[true; 4]; 2],
            HydrogenBondRule::default(),
        );
        assert_eq!(of, Some(Vec::new()));
    }
}
