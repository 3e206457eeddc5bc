//! Chains of residues as round tubes through their CA or P atoms.

use glam::DVec3;

use crate::data::{AtomKeys, Residue, Table};
use crate::dataset::sticks::Stick;
use crate::geom::single;
use crate::scene::spheres::PaintedSphere;

/// The radius of a tube in ångström, unless radii are given.
pub(crate) const RADIUS: f32 = 0.5;

/// Cylinders from one residue to the next.
const STEPS: u32 = 5;

/// The most ångström from one residue to the next: where their numbers follow each other, and where numbers are missing,
/// which alone is no gap. A CA is 3.8 Å from the next, a P at most 7.3.
const APART: [f64; 2] = [5.0, 9.0];
const APART_WITHOUT_NUMBERS: [f64; 2] = [4.2, 7.5];

/// The rows of the CA or P atoms of each chain without gaps, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backbone(Vec<Vec<u32>>);

#[derive(Clone, Copy, PartialEq)]
struct Guide {
    row: u32,
    place: DVec3,
    chain: Option<u32>,
    /// 0 for CA, 1 for P.
    kind: usize,
    number: f64,
    is_polymer: bool,
}

impl Guide {
    /// Whether the tube goes on to the next one.
    fn leads_to(&self, next: &Self) -> bool {
        let follows = !(next.number - self.number).is_finite() || (0.0..=1.0).contains(&(next.number - self.number));
        let most = if follows { APART } else { APART_WITHOUT_NUMBERS }[self.kind];
        self.kind == next.kind && self.chain == next.chain && self.place.distance(next.place) <= most
    }
}

impl Backbone {
    /// Finds chains of the kept rows by the names of atoms and residues.
    pub(crate) fn new(table: &Table<'_>, keys: &AtomKeys, kept: &[bool]) -> Self {
        let Some(names) = keys.names else { return Self::default() };
        let guide: Vec<Option<usize>> =
            table.columns[names].names.iter().map(|name| ["CA", "P"].iter().position(|known| *known == name)).collect();
        let kinds: Vec<Residue> =
            keys.residues.map_or_else(Vec::new, |column| table.columns[column].names.iter().map(Residue::of).collect());
        let of_rows =
            |column: Option<usize>| column.map_or_else(Vec::new, |column| table.codes(column).collect::<Vec<_>>());
        let [residues, chains, elements] = [keys.residues, keys.chains, keys.elements].map(of_rows);
        let numbers: Vec<f64> = keys.numbers.map_or_else(Vec::new, |column| table.numbers(column).collect());
        let symbols: Vec<&str> =
            keys.elements.map_or_else(Vec::new, |column| table.columns[column].names.iter().collect());
        let code = |codes: &[Option<u32>], row: usize| codes.get(row).copied().flatten();
        let atoms = (0_u32..).zip(table.codes(names)).zip(table.space()).zip(kept).filter(|(_, kept)| **kept);
        let found = atoms.filter_map(|(((row, name), place), _)| {
            let kind = guide[name? as usize]?;
            let at = row as usize;
            let residue = code(&residues, at).map_or(Residue::Other, |code| kinds[code as usize]);
            let is_polymer = residue == [Residue::Protein, Residue::Nucleic][kind];
            // calcium is no CA, and a modified residue has a name of its own
            let is_element =
                code(&elements, at).is_none_or(|code| symbols[code as usize].eq_ignore_ascii_case(["C", "P"][kind]));
            let number = numbers.get(at).copied().unwrap_or(f64::NAN);
            let guide = Guide { row, place: place.into(), chain: code(&chains, at), kind, number, is_polymer };
            (is_polymer || residue == Residue::Other && is_element).then_some(guide)
        });
        let guides: Vec<Guide> = found.collect();
        let runs = guides.chunk_by(|guide, next| guide.leads_to(next));
        // an atom of that name alone may be of a ligand
        let runs = runs.filter(|run| run.len() > 1 || run[0].is_polymer);
        Self(runs.map(|run| run.iter().map(|guide| guide.row).collect()).collect())
    }

    /// For each row, whether a tube goes through it.
    pub(crate) fn rows(&self, count: usize) -> Vec<bool> {
        let mut rows = vec![false; count];
        self.0.iter().flatten().for_each(|row| rows[*row as usize] = true);
        rows
    }

    /// The chains of the rows that are tubes, by their new numbers in `places`.
    pub(crate) fn of_tubes(&self, is_tube: impl Fn(u32) -> bool, places: &[u32]) -> Self {
        let runs = self.0.iter().flat_map(|run| run.chunk_by(|a, b| is_tube(*a) == is_tube(*b)));
        let tubes = runs.filter(|run| is_tube(run[0]));
        Self(tubes.map(|run| run.iter().map(|row| places[*row as usize]).collect()).collect())
    }

    /// Adds the cylinders of tubes along curves through the centres of spheres. They have the radii of the spheres, which
    /// change evenly from one to the next, and the colour of the nearer one.
    pub(crate) fn add_tubes(&self, sticks: &mut Vec<Stick>, spheres: &[PaintedSphere]) {
        for run in self.0.iter().filter(|run| run.len() > 1) {
            let place = |at: usize| DVec3::from(spheres[run[at.min(run.len() - 1)] as usize].center.map(f64::from));
            // half the way from the one before to the one after, as in the curves of Catmull and Rom
            let slope = |at: usize| match at {
                0 => place(1) - place(0),
                at => (place(at + 1) - place(at - 1)) * if at + 1 < run.len() { 0.5 } else { 1.0 },
            };
            for (at, ends) in run.windows(2).enumerate() {
                let curve = |t: f64| {
                    let (from, to) = (place(at), place(at + 1));
                    let (rest, u) = (1.0 - t, t * t * (3.0 - 2.0 * t));
                    from * (1.0 - u) + to * u + slope(at) * (t * rest * rest) - slope(at + 1) * (t * t * rest)
                };
                let radii = [ends[0], ends[1]].map(|row| spheres[row as usize].radius);
                for step in 0..STEPS {
                    let share = |step: u32| f64::from(step) / f64::from(STEPS);
                    let line = [share(step), share(step + 1)].map(|t| curve(t).to_array().map(single));
                    let middle = single(share(step) + 0.5 / f64::from(STEPS));
                    let radius = radii[0] + (radii[1] - radii[0]) * middle;
                    let nearer = ends[usize::from(2 * step + 1 > STEPS)];
                    sticks.push(Stick::free([ends[0], ends[1]], line, radius).with_color_of(nearer).rounded());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;
    use crate::data::{Block, Kind, Positions, Values};

    /// Atoms by name, residue, number and x.
    fn table(atoms: &[(&'static str, &'static str, i64, f64)]) -> (Table<'static>, AtomKeys) {
        let kinds = [("name", Kind::Name), ("resname", Kind::Name), ("resid", Kind::Integer), ("element", Kind::Name)];
        let mut table = Table::new(kinds.map(|(name, kind)| (name.to_owned(), kind)));
        let places: Vec<[f64; 3]> = atoms.iter().map(|atom| [atom.3, 0.0, 0.0]).collect();
        let mut coded = |column: usize, text: &dyn Fn(usize) -> &'static str| {
            let names = &mut table.columns[column].names;
            Values::Names((0..atoms.len()).map(|row| names.intern(text(row)).expect("few names")).collect())
        };
        let name = coded(0, &|row| atoms[row].0);
        let residue = coded(1, &|row| atoms[row].1);
        let element = coded(3, &|row| if atoms[row].1 == "CA" { "Ca" } else { &atoms[row].0[..1] });
        let numbers = Values::Integers(atoms.iter().map(|atom| atom.2).collect());
        let block = Block { positions: Positions::Space(places.into()), values: vec![name, residue, numbers, element] };
        table.blocks.push(block);
        let keys =
            AtomKeys { names: Some(0), residues: Some(1), numbers: Some(2), elements: Some(3), ..AtomKeys::default() };
        (table, keys)
    }

    #[test]
    fn tubes_break_where_residues_are_missing() {
        let (table, keys) = table(&[
            ("CA", "ALA", 1, 0.0),
            ("CB", "ALA", 1, 1.5),
            ("CA", "GLY", 2, 3.8),
            // two are missing
            ("CA", "ALA", 5, 10.0),
            // numbers jump, and the chain goes on
            ("CA", "ALA", 9, 13.8),
            ("CA", "SEP", 10, 17.6),
            // numbers go on, and the chain does not
            ("CA", "ALA", 11, 24.0),
            ("CA", "CA", 12, 27.8),
        ]);
        let kept = [true; 8];
        assert_eq!(Backbone::new(&table, &keys, &kept).0, [vec![0, 2], vec![3, 4, 5], vec![6]]);
        let without = [0, 1, 2, 3, 4, 5, 6, 7].map(|row| row != 4);
        assert_eq!(Backbone::new(&table, &keys, &without).0, [vec![0, 2], vec![3], vec![6]]);
    }

    #[test]
    fn tubes_of_nucleic_acids_go_through_phosphorus() {
        let (table, keys) =
            table(&[("P", "DA", 1, 0.0), ("P", "DT", 2, 6.9), ("P", "DG", 4, 14.8), ("P", "POPC", 5, 20.0)]);
        assert_eq!(Backbone::new(&table, &keys, &[true; 4]).0, [vec![0, 1], vec![2]]);
    }

    #[test]
    fn tubes_pass_through_their_atoms_and_change_evenly() {
        let places = [[0.0, 0.0, 0.0], [3.0, 2.0, 0.0], [6.0, 0.0, 1.0]];
        let spheres: Vec<_> = places
            .iter()
            .zip([0.2, 0.6, 0.2])
            .map(|(place, radius)| PaintedSphere::new(*place, radius, Srgba8::WHITE))
            .collect();
        let mut sticks = Vec::new();
        Backbone(vec![vec![0, 1, 2]]).add_tubes(&mut sticks, &spheres);
        assert_eq!(sticks.len(), 10);
        assert!(sticks.windows(2).all(|pair| pair[0].ends()[1] == pair[1].ends()[0]), "without gaps");
        assert_eq!([sticks[0].ends()[0], sticks[5].ends()[0], sticks[9].ends()[1]], places);
        let painted = |at: usize| sticks[at].painted(|_| Srgba8::WHITE).radius;
        assert!((painted(0) - 0.24).abs() < 1e-6 && (painted(4) - 0.56).abs() < 1e-6);
        // row 2 is not drawn as a tube, and row 0 is left out
        let tubes = Backbone(vec![vec![1, 2, 3, 4]]).of_tubes(|row| row != 2, &[u32::MAX, 0, 1, 2, 3]);
        assert_eq!(tubes.0, [vec![0], vec![2, 3]]);
    }
}
