//! Crystals in CIF: fills the cell from the asymmetric unit.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::macromolecule::CifCategory;
use super::symmetry::{self, MOST_OPERATORS, SymmetryOperator};
use crate::data::Cell;
use crate::did_you_mean::shortened;

/// Images of one site that are nearer to each other than this, in ångström, are one atom on a symmetry element.
const SAME_ATOM: f64 = 0.4;

/// Atoms of two sites that are nearer to each other than this, in ångström, share a place; one of them is drawn.
const SAME_PLACE: f64 = 0.05;

/// Fractions less than this below 1 are on the face at 0.
const FACE: f64 = 1e-4;

/// Categories of operators, of symbols of the space group, and of the group of CIF's older dictionary.
pub(super) struct GroupCategories<'a> {
    /// Operators as triplets such as `-x,y,z`.
    pub(super) operators: [&'a CifCategory; 3],
    pub(super) centerings: &'a CifCategory,
    pub(super) names: [&'a CifCategory; 2],
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct SpaceGroup {
    /// Empty if the space group is unknown.
    pub(super) operators: Vec<SymmetryOperator>,
    /// The symbol, if the file has one.
    pub(super) symbol: Option<String>,
    /// The reason why the cell is not filled.
    pub(super) flaw: Option<String>,
}

impl SpaceGroup {
    /// The operators from the file, or else from its Hall symbol, its Hermann–Mauguin symbol or its group number.
    pub(super) fn new(categories: &GroupCategories<'_>, cell: &Cell) -> Self {
        let name = |items: &[&str]| {
            let find = |category: &&CifCategory| items.iter().find_map(|item| category.get(0, item)).map(str::to_owned);
            categories.names.iter().find_map(find)
        };
        let hermann_mauguin = name(&["name_H-M_alt", "space_group_name_H-M", "name_H-M_full", "name_H-M_ref"]);
        let hall = name(&["name_Hall", "space_group_name_Hall"]);
        let number = name(&["IT_number", "Int_Tables_number"]).and_then(|number| number.parse().ok());
        let symbol = hermann_mauguin.clone().or_else(|| hall.clone());
        let unknown = |flaw: String| Self { operators: Vec::new(), symbol: symbol.clone(), flaw: Some(flaw) };
        let listed = match listed(categories) {
            Ok(listed) => listed,
            Err(flaw) => return unknown(flaw),
        };
        let operators = if listed.is_empty() {
            let (lengths, angles) = cell.lengths_and_angles();
            let alike = |[a, b, c]: [f64; 3]| (a - b).abs() < 1e-3 * a && (a - c).abs() < 1e-3 * a;
            let is_rhombohedral = alike(lengths) && alike(angles) && (angles[0] - 90.0).abs() > 1e-2;
            let by_name = |symbol: &String| symmetry::hall_of(symbol, is_rhombohedral).and_then(symmetry::hall);
            let by_number = || symmetry::hall(symmetry::hall_of_number(number?, is_rhombohedral)?);
            let found = hall.as_deref().and_then(symmetry::hall).or_else(|| hermann_mauguin.as_ref().and_then(by_name));
            match (found.or_else(by_number), &symbol) {
                (Some(operators), _) => operators,
                (None, None) => Vec::new(),
                (None, Some(symbol)) => {
                    return unknown(format!("the space group {:?} is not known", shortened(symbol)));
                }
            }
        } else {
            listed
        };
        if operators.iter().any(|operator| !operator.keeps_lengths(&cell.edges)) {
            return unknown("the operators of the space group do not fit the cell".to_owned());
        }
        Self { operators, symbol, flaw: None }
    }
}

/// The operators that the file lists, combined with the lattice centrings if these are listed apart.
fn listed(categories: &GroupCategories<'_>) -> Result<Vec<SymmetryOperator>, String> {
    const ITEMS: [&str; 4] = ["operation_xyz", "pos_as_xyz", "xyz", "magn_operation_xyz"];
    let read = |category: &CifCategory| -> Result<Vec<SymmetryOperator>, String> {
        let triplet = |row| ITEMS.iter().find_map(|item| category.get(row, item));
        let parse = |text: &str| {
            SymmetryOperator::parse(text).ok_or_else(|| format!("the operator {:?} is not understood", shortened(text)))
        };
        (0..category.rows()).filter_map(triplet).map(parse).collect()
    };
    let mut operators = Vec::new();
    for category in categories.operators {
        if operators.is_empty() {
            operators = read(category)?;
        }
    }
    let centerings = read(categories.centerings)?;
    if operators.len().saturating_mul(centerings.len().max(1)) > MOST_OPERATORS {
        return Err(format!("there are more than {MOST_OPERATORS} operators"));
    }
    if centerings.is_empty() {
        return Ok(operators);
    }
    let moved =
        |centering: &SymmetryOperator| operators.iter().map(|operator| centering.after(operator)).collect::<Vec<_>>();
    Ok(centerings.iter().flat_map(moved).collect())
}

/// An atom of the asymmetric unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsymmetricSite {
    /// Fractions of the cell's edges.
    pub(super) place: DVec3,
    pub(super) occupancy: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Atom {
    /// Index of its site.
    pub(super) site: usize,
    pub(super) place: DVec3,
    /// Index of the operator that makes it.
    pub(super) operator: usize,
}

impl Atom {
    pub(super) fn image(&self, cell: &Cell) -> SiteImage {
        let number = u32::try_from(self.operator + 1).unwrap_or(u32::MAX);
        SiteImage { place: (cell.edges * self.place).to_array(), number }
    }
}

/// One of the symmetry images of a site.
#[derive(Clone, Copy)]
pub(super) struct SiteImage {
    pub(super) place: [f64; 3],
    /// The operator that makes it, counted from 1.
    pub(super) number: u32,
}

#[derive(Debug, Default)]
pub(super) struct Filled {
    pub(super) atoms: Vec<Atom>,
    /// Number of atoms left out because an atom of another site has the same place.
    pub(super) shared: u64,
    /// Pairs of sites that share a place, the one that remains first.
    pub(super) shared_sites: BTreeSet<[usize; 2]>,
}

/// The images of all sites in the cell, site by site.
///
/// Fractions are in [0, 1): an atom on a face, an edge or a corner occurs once, so that copies of the cell continue it.
/// Of atoms at one place, the one with the greatest occupancy remains; of equals, the first.
pub(super) fn fill(sites: &[AsymmetricSite], operators: &[SymmetryOperator], cell: &Cell) -> Filled {
    let mut filled = Filled::default();
    let mut bins = AtomBins::new(cell);
    // pairs of an atom and a site that shares its place: images of one site count once
    let mut shared = BTreeSet::new();
    for (index, site) in sites.iter().enumerate() {
        for (number, operator) in operators.iter().enumerate() {
            let place = into_cell(operator.apply(site.place));
            let is_near = |&(atom, distance): &(usize, f64)| {
                let most = if filled.atoms[atom].site == index { SAME_ATOM } else { SAME_PLACE };
                distance < most
            };
            let found = bins.near(place, cell, &filled.atoms).find(is_near);
            let Some((atom, _)) = found else {
                bins.insert(place, filled.atoms.len());
                filled.atoms.push(Atom { site: index, place, operator: number });
                continue;
            };
            let other = filled.atoms[atom].site;
            if other != index {
                shared.insert((atom, index));
            }
            let is_more = site.occupancy > sites[other].occupancy;
            if is_more {
                (filled.atoms[atom].site, filled.atoms[atom].operator) = (index, number);
            }
            if other != index {
                filled.shared_sites.insert(if is_more { [index, other] } else { [other, index] });
            }
        }
    }
    filled.shared = shared.len() as u64;
    filled
}

/// Pairs of places, the earlier first, that are nearer to each other than atoms that share a place.
pub(super) fn pairs_at_one_place(places: &[DVec3]) -> Vec<[usize; 2]> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].x.total_cmp(&places[*b].x));
    let mut pairs = Vec::new();
    for (at, &first) in order.iter().enumerate() {
        let beside = order[at + 1..].iter().take_while(|&&other| places[other].x - places[first].x < SAME_PLACE);
        let near = beside.filter(|&&other| places[other].distance(places[first]) < SAME_PLACE);
        pairs.extend(near.map(|&other| [first.min(other), first.max(other)]));
    }
    pairs.sort_unstable();
    pairs
}

/// Moves fractions into the cell.
fn into_cell(place: DVec3) -> DVec3 {
    let inside = place - place.floor();
    DVec3::from(inside.to_array().map(|value| if value > 1.0 - FACE { value - 1.0 } else { value }))
}

/// Atoms in bins at least [`SAME_ATOM`] wide.
struct AtomBins {
    counts: [i64; 3],
    atoms: BTreeMap<[i64; 3], Vec<usize>>,
}

impl AtomBins {
    /// Most bins along an edge.
    const MOST: f64 = 1e6;

    #[expect(clippy::cast_possible_truncation, reason = "whole and limited")]
    fn new(cell: &Cell) -> Self {
        let edges = cell.edges;
        let volume = edges.determinant().abs();
        let faces =
            [edges.y_axis.cross(edges.z_axis), edges.z_axis.cross(edges.x_axis), edges.x_axis.cross(edges.y_axis)];
        let counts = faces.map(|face| (volume / face.length() / SAME_ATOM).floor().clamp(1.0, Self::MOST) as i64);
        Self { counts, atoms: BTreeMap::new() }
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole and limited")]
    fn key(&self, place: DVec3) -> [i64; 3] {
        let [x, y, z] = place.to_array();
        let bin = |value: f64, count: i64| ((value * count as f64).floor() as i64).rem_euclid(count);
        [bin(x, self.counts[0]), bin(y, self.counts[1]), bin(z, self.counts[2])]
    }

    fn insert(&mut self, place: DVec3, atom: usize) {
        self.atoms.entry(self.key(place)).or_default().push(atom);
    }

    /// Atoms in the bins around a place, and their distances in ångström.
    fn near<'a>(&'a self, place: DVec3, cell: &'a Cell, atoms: &'a [Atom]) -> impl Iterator<Item = (usize, f64)> + 'a {
        let [x, y, z] = self.key(place);
        let around = |at: i64, count: i64| {
            let mut bins = [at - 1, at, at + 1].map(|bin| bin.rem_euclid(count)).to_vec();
            bins.sort_unstable();
            bins.dedup();
            bins
        };
        let [xs, ys, zs] = [around(x, self.counts[0]), around(y, self.counts[1]), around(z, self.counts[2])];
        let mut keys = Vec::with_capacity(27);
        for x in xs {
            for &y in &ys {
                keys.extend(zs.iter().map(|&z| [x, y, z]));
            }
        }
        keys.into_iter().filter_map(|key| self.atoms.get(&key)).flatten().map(move |&atom| {
            let apart = atoms[atom].place - place;
            (atom, (cell.edges * (apart - apart.round())).length())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(edge: f64) -> Cell {
        Cell::from_lengths_and_angles([edge; 3], [90.0; 3]).expect("a cell")
    }

    fn site(place: [f64; 3], occupancy: f64) -> AsymmetricSite {
        AsymmetricSite { place: DVec3::from(place), occupancy }
    }

    #[test]
    fn salt_fills_its_cell() {
        let operators = symmetry::hall("-F 4 2 3").expect("a group");
        let filled = fill(&[site([0.0; 3], 1.0), site([0.5; 3], 1.0)], &operators, &cube(5.64));
        assert_eq!((filled.atoms.len(), filled.shared), (8, 0));
        assert!(filled.atoms.iter().all(|atom| atom.place.to_array().iter().all(|value| [0.0, 0.5].contains(value))));
        // rounded thirds are still on their axis
        let operators = symmetry::hall("P 3").expect("a group");
        let hexagon = Cell::from_lengths_and_angles([4.0, 4.0, 6.0], [90.0, 90.0, 120.0]).expect("a cell");
        assert_eq!(fill(&[site([0.3333, 0.6667, 0.99999], 1.0)], &operators, &hexagon).atoms.len(), 1);
    }

    #[test]
    fn atoms_at_one_place_are_one() {
        let operators = symmetry::hall("P 1").expect("a group");
        let sites = [site([0.1; 3], 0.3), site([0.1; 3], 0.7), site([0.1, 0.1, 0.9], 1.0), site([1.1, 0.1, -0.1], 0.5)];
        let filled = fill(&sites, &operators, &cube(4.0));
        assert_eq!(filled.atoms.iter().map(|atom| atom.site).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(filled.shared, 2);
    }

    #[test]
    fn operators_come_from_lists_symbols_and_numbers() {
        let category = |items: &[&str], values: &[&str]| CifCategory {
            items: items.iter().map(|&item| item.to_owned()).collect(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
        };
        let none = CifCategory::default();
        let group = |operators: &CifCategory, names: &CifCategory| {
            let categories =
                GroupCategories { operators: [operators, &none, &none], centerings: &none, names: [names, &none] };
            SpaceGroup::new(&categories, &cube(5.0))
        };
        let two = category(&["pos_as_xyz"], &["x,y,z", "-x,-y,-z"]);
        let salt = category(&["space_group_name_H-M"], &["F m -3 m"]);
        assert_eq!(group(&two, &salt).operators.len(), 2, "a list counts more than a symbol");
        assert_eq!(group(&none, &salt).operators.len(), 192);
        assert_eq!(group(&none, &category(&["space_group_name_Hall"], &["-P 1"])).operators.len(), 2);
        assert_eq!(group(&none, &category(&["Int_Tables_number"], &["221"])).operators.len(), 48);
        assert_eq!(group(&none, &none), SpaceGroup::default());
        for wrong in [
            group(&category(&["pos_as_xyz"], &["x,y,u"]), &salt),
            group(&none, &category(&["space_group_name_H-M"], &["Q 17"])),
            group(&none, &category(&["space_group_name_H-M"], &["P 6"])),
        ] {
            assert!(wrong.operators.is_empty() && wrong.flaw.is_some(), "{wrong:?}");
        }
    }
}
