//! Molecules made whole over the boundaries of a periodic box, and the box moved so that a selection is in its middle.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::data::{AtomKeys, Bond, Cell, Kind, Residue, Table, residues_by_row};
use crate::dataset::images::Images;
use crate::formats::wanted::{Header, ValueRule, Wanted};

/// Two consecutive atoms that are farther apart than this share of an edge lie across the boundary.
const HALF: f64 = 0.5;

/// A circular mean shorter than this says nothing: the places fill the periodic edge evenly.
const EVEN: f64 = 1e-3;

/// Whole steps along the edges of a box.
type BoxSteps = [i32; 3];

/// The rows of a table as molecules in a periodic box.
#[derive(Debug)]
struct Molecules {
    /// The rows, grouped by molecule.
    rows: Vec<u32>,
    /// The end of each molecule among `rows`.
    ends: Vec<usize>,
    /// Steps that bring each row to the rest of its molecule.
    steps: Vec<BoxSteps>,
    /// Molecules that go on from one box into the next without end, and so cannot be joined.
    endless: usize,
}

/// Columns, besides bonds, that tell which rows belong together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoleculeKeys {
    /// Names and numbers of residues, where atoms fill a box: for the note on broken ones.
    residues: Option<[usize; 2]>,
    /// The numbers of molecules, for files without residues; 0 is no molecule.
    molecules: Option<usize>,
    /// The image flags that move rows.
    pub(crate) flags: Option<[usize; 3]>,
}

impl MoleculeKeys {
    /// Adds the columns to the wanted ones.
    pub(crate) fn resolve(header: &Header, images: Images, wanted: &mut Wanted) -> Self {
        let mut keys = Self::default();
        if !header.has_positions {
            return keys;
        }
        let mut number = |field: usize| wanted.column(field, Kind::Integer, ValueRule::Lenient);
        if let (Some(name), Some(resid), true) = (header.find("resname"), header.find("resid"), header.chains.is_none())
        {
            let resid = number(resid);
            keys.residues = Some([wanted.column(name, Kind::Name, ValueRule::Any), resid]);
        } else if let (Some(molecule), true) =
            (header.find("mol").or(header.find("molecule")), images.joins_molecules())
        {
            keys.molecules = Some(number(molecule));
        }
        if images.unwrap {
            let flags = ["ix", "iy", "iz"].map(|name| header.find(name));
            if let [Some(x), Some(y), Some(z)] = flags {
                keys.flags = Some([x, y, z].map(|field| wanted.column(field, Kind::Integer, ValueRule::Lenient)));
            }
        }
        keys
    }

    pub(crate) fn residues(&self, table: &Table<'_>, keys: &AtomKeys) -> Vec<u64> {
        match self.molecules {
            None => residues_by_row(table, keys).into_iter().map(u64::from).collect(),
            Some(column) => {
                let alone = |row: u64| u64::MAX - row;
                let ids = (0..).zip(table.numbers(column));
                ids.map(|(row, id)| if id == 0.0 || id.is_nan() { alone(row) } else { id.to_bits() }).collect()
            }
        }
    }

    /// A note about residues of polymers and lipids that the boundary breaks.
    pub(crate) fn broken(&self, table: &Table<'_>, cell: &Cell) -> Option<String> {
        let [names, numbers] = self.residues?;
        let kinds = table.columns[names].names.iter().map(Residue::of);
        let is_molecule = |kind| matches!(kind, Residue::Protein | Residue::Nucleic | Residue::Lipid);
        let is_molecule: Vec<bool> = kinds.map(is_molecule).collect();
        let codes = table.codes(names);
        let key = |(code, number): (Option<u32>, f64)| {
            code.filter(|code| is_molecule[*code as usize]).map(|_| number.to_bits())
        };
        let keys: Vec<Option<u64>> = codes.zip(table.numbers(numbers)).map(key).collect();
        let broken = broken_runs(table, &keys, cell);
        let residues = if broken == 1 { "residue is" } else { "residues are" };
        (broken > 0).then(|| format!("{broken} {residues} broken by the boundary of the box; --whole joins molecules"))
    }
}

/// Joins molecules, and moves the centre of the selected rows to the centre of the box; bonds follow. Returns a note
/// about molecules that cannot be joined, or if all are whole.
pub(crate) fn join(
    table: &mut Table<'static>,
    bonds: &mut [Bond],
    residues: &[u64],
    cell: &Cell,
    centered: Option<&[bool]>,
) -> Option<String> {
    let molecules = Molecules::new(table, bonds, residues, cell);
    let center = centered.and_then(|rows| center(table, rows, cell));
    let steps = molecules.place(table, cell, center);
    moved_bonds(bonds, &steps);
    let are = if molecules.endless == 1 { "molecule goes" } else { "molecules go" };
    let count = molecules.endless;
    if count > 0 {
        return Some(format!("{count} {are} on through the boundary of the box without end, and cannot be joined"));
    }
    let is_idle = centered.is_none() && steps.iter().all(|steps| *steps == [0; 3]);
    is_idle.then(|| "--whole changes nothing: the boundary of the box breaks no molecule".to_owned())
}

impl Molecules {
    /// Finds molecules by bonds; a row without bonds belongs to the row before it in the same residue. `residues` has a
    /// number for each row.
    fn new(table: &Table<'_>, bonds: &[Bond], residues: &[u64], cell: &Cell) -> Self {
        let places = places(table);
        let links = links(&places, bonds, residues, cell);
        let (starts, neighbors) = adjacency(places.len(), &links);
        let mut found = Self {
            rows: Vec::with_capacity(places.len()),
            ends: Vec::new(),
            steps: vec![[0; 3]; places.len()],
            endless: 0,
        };
        let mut is_found = vec![false; places.len()];
        for seed in 0..places.len() {
            if is_found[seed] {
                continue;
            }
            is_found[seed] = true;
            let first = found.rows.len();
            found.rows.push(index(seed));
            let (mut next, mut is_endless) = (first, false);
            while next < found.rows.len() {
                let row = found.rows[next] as usize;
                next += 1;
                for &(neighbor, image) in &neighbors[starts[row]..starts[row + 1]] {
                    let other = neighbor as usize;
                    let steps = [0, 1, 2].map(|axis| found.steps[row][axis] + image[axis]);
                    if is_found[other] {
                        is_endless |= found.steps[other] != steps;
                    } else {
                        is_found[other] = true;
                        found.steps[other] = steps;
                        found.rows.push(neighbor);
                    }
                }
            }
            if is_endless {
                found.endless += 1;
                let rows = found.rows.split_off(first);
                for row in rows {
                    found.steps[row as usize] = [0; 3];
                    found.rows.push(row);
                    found.ends.push(found.rows.len());
                }
            } else {
                found.ends.push(found.rows.len());
            }
        }
        found
    }

    /// Joins each molecule, and moves the middle of each broken one, or with a centre of each, into the box. Returns
    /// the steps of each row.
    fn place(&self, table: &mut Table<'static>, cell: &Cell, center: Option<DVec3>) -> Vec<BoxSteps> {
        let places = places(table);
        let inverse = cell.edges.inverse();
        let middle = cell.origin + cell.edges * DVec3::splat(0.5);
        let shift = center.map_or(DVec3::ZERO, |center| middle - center);
        let mut steps = self.steps.clone();
        let mut start = 0;
        for &end in &self.ends {
            let rows = &self.rows[start..end];
            start = end;
            let is_broken = rows.iter().any(|row| self.steps[*row as usize] != [0; 3]);
            if !is_broken && center.is_none() {
                continue;
            }
            let joined = |row: &u32| places[*row as usize] + along(cell, self.steps[*row as usize]);
            let mean = rows.iter().map(joined).sum::<DVec3>() / rows.len() as f64;
            let fraction = inverse * (mean + shift - cell.origin);
            for row in rows {
                for axis in (0..3).filter(|&axis| cell.periodic[axis]) {
                    steps[*row as usize][axis] -= whole(fraction[axis].floor());
                }
            }
        }
        let mut row = 0;
        for block in &mut table.blocks {
            let first = row;
            row += block.rows();
            block.move_rows(|index, place| {
                let steps = steps[first + index];
                if steps == [0; 3] && center.is_none() {
                    return place;
                }
                (DVec3::from(place) + along(cell, steps) + shift).to_array()
            });
        }
        steps
    }
}

/// Updates the images of bonds after their rows were moved by these steps.
fn moved_bonds(bonds: &mut [Bond], steps: &[BoxSteps]) {
    for bond in bonds {
        let [first, second] = bond.atoms.map(|row| steps[row as usize]);
        for axis in 0..3 {
            #[expect(clippy::cast_possible_truncation, reason = "as many steps as the bond had before, or fewer")]
            let moved = (i32::from(bond.image[axis]) + first[axis] - second[axis]) as i16;
            bond.image[axis] = moved;
        }
    }
}

/// The middle of the selected rows. Along periodic edges it is the middle of their nearest images, wherever the box
/// cuts them.
fn center(table: &Table<'_>, selected: &[bool], cell: &Cell) -> Option<DVec3> {
    let inverse = cell.edges.inverse();
    let chosen = places(table).into_iter().zip(selected).filter(|(_, selected)| **selected);
    let chosen: Vec<DVec3> = chosen.map(|(place, _)| inverse * (place - cell.origin)).collect();
    let count = chosen.len() as f64;
    let mut middle = chosen.iter().copied().sum::<DVec3>() / count;
    for axis in (0..3).filter(|&axis| cell.periodic[axis]) {
        let turn = std::f64::consts::TAU;
        let (mut sine, mut cosine) = (0.0, 0.0);
        for fraction in &chosen {
            let (s, c) = libm::sincos(turn * fraction[axis]);
            (sine, cosine) = (sine + s, cosine + c);
        }
        if sine * sine + cosine * cosine < EVEN * EVEN * count * count {
            continue;
        }
        let about = libm::atan2(sine, cosine) / turn;
        // the mean of the images nearest to the mean direction
        let off = |fraction: &DVec3| fraction[axis] - about - (fraction[axis] - about).round();
        middle[axis] = about + chosen.iter().map(off).sum::<f64>() / count;
    }
    (!chosen.is_empty()).then(|| cell.origin + cell.edges * middle)
}

/// Moves rows by their image flags, the numbers of edges that they have crossed since the start. Returns whether any
/// flag is not 0.
pub(crate) fn unwrap(table: &mut Table<'static>, cell: &Cell, flags: [usize; 3]) -> bool {
    let flags = flags.map(|column| table.numbers(column).collect::<Vec<f64>>());
    let mut row = 0;
    for block in &mut table.blocks {
        let first = row;
        row += block.rows();
        block.move_rows(|index, place| {
            let steps = DVec3::from([0, 1, 2].map(|axis| flags[axis][first + index]));
            if steps.is_nan() { place } else { (DVec3::from(place) + cell.edges * steps).to_array() }
        });
    }
    flags.iter().flatten().any(|flag| *flag != 0.0 && !flag.is_nan())
}

/// Counts runs of rows with the same key that the boundary breaks; rows without a key are passed over.
fn broken_runs(table: &Table<'_>, keys: &[Option<u64>], cell: &Cell) -> usize {
    let (places, inverse) = (places(table), cell.edges.inverse());
    let mut row = 0;
    let mut broken = 0;
    for run in keys.chunk_by(|a, b| a == b) {
        let of_run = &places[row..row + run.len()];
        row += run.len();
        let is_broken = |pair: &[DVec3]| {
            let apart = inverse * (pair[1] - pair[0]);
            (0..3).any(|axis| cell.periodic[axis] && apart[axis].abs() > HALF)
        };
        broken += usize::from(run[0].is_some() && of_run.windows(2).any(is_broken));
    }
    broken
}

/// Links between rows: their bonds, or, for a row without bonds, a link to the row before it in the same residue.
fn links(places: &[DVec3], bonds: &[Bond], residues: &[u64], cell: &Cell) -> Vec<([u32; 2], BoxSteps)> {
    let mut has_bond = vec![false; places.len()];
    let mut links: Vec<([u32; 2], BoxSteps)> = Vec::with_capacity(bonds.len());
    for bond in bonds {
        bond.atoms.iter().for_each(|row| has_bond[*row as usize] = true);
        links.push((bond.atoms, bond.image.map(i32::from)));
    }
    let inverse = cell.edges.inverse();
    let mut last: BTreeMap<u64, usize> = BTreeMap::new();
    for (row, residue) in residues.iter().enumerate() {
        let before = last.insert(*residue, row);
        let Some(before) = before.filter(|_| !has_bond[row]) else { continue };
        let apart = inverse * (places[before] - places[row]);
        let steps = [0, 1, 2].map(|axis| if cell.periodic[axis] { whole(apart[axis].round()) } else { 0 });
        links.push(([index(before), index(row)], steps));
    }
    links
}

/// Adjacency lists: the start of each row's links, and all links, each with the row at its other end and that row's
/// image.
fn adjacency(rows: usize, links: &[([u32; 2], BoxSteps)]) -> (Vec<usize>, Vec<(u32, BoxSteps)>) {
    let mut starts = vec![0; rows + 1];
    links.iter().flat_map(|(rows, _)| rows).for_each(|row| starts[*row as usize + 1] += 1);
    for row in 0..rows {
        starts[row + 1] += starts[row];
    }
    let mut next = starts.clone();
    let mut neighbors = vec![(0, [0; 3]); 2 * links.len()];
    for ([first, second], image) in links {
        for (row, other, image) in [(*first, *second, *image), (*second, *first, image.map(|step| -step))] {
            let place = &mut next[row as usize];
            neighbors[*place] = (other, image);
            *place += 1;
        }
    }
    (starts, neighbors)
}

fn places(table: &Table<'_>) -> Vec<DVec3> {
    table.space().map(DVec3::from).collect()
}

fn along(cell: &Cell, steps: BoxSteps) -> DVec3 {
    cell.edges * DVec3::from(steps.map(f64::from))
}

#[expect(clippy::cast_possible_truncation, reason = "clamped")]
fn whole(steps: f64) -> i32 {
    steps.clamp(-1e6, 1e6) as i32
}

#[expect(clippy::cast_possible_truncation, reason = "tables of more than 2^32 rows have no bonds")]
fn index(row: usize) -> u32 {
    row as u32
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::data::{Block, BondOrder, Positions};

    fn table(places: &[[f64; 3]]) -> Table<'static> {
        let positions = Positions::Space(places.to_vec().into());
        Table { columns: Vec::new(), blocks: vec![Block { positions, values: Vec::new() }] }
    }

    fn cube(side: f64) -> Cell {
        Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(side))).expect("a volume")
    }

    fn bond(first: u32, second: u32, image: [i16; 3]) -> Bond {
        Bond { image, ..Bond::new(first, second, BondOrder::Single) }
    }

    #[test]
    fn molecules_are_joined_by_bonds_and_bonds_stay_as_long() {
        let places = [[9.5, 5.0, 5.0], [0.5, 5.0, 5.0], [1.5, 5.0, 5.0], [5.0; 3]];
        let mut atoms = table(&places);
        let mut bonds = vec![bond(0, 1, [1, 0, 0]), bond(1, 2, [0; 3])];
        let cell = cube(10.0);
        let steps = Molecules::new(&atoms, &bonds, &[], &cell).place(&mut atoms, &cell, None);
        moved_bonds(&mut bonds, &steps);
        assert!(bonds.iter().all(|bond| bond.image == [0; 3]), "{bonds:?}");
        let joined: Vec<[f64; 3]> = atoms.space().collect();
        assert_eq!(joined, [[-0.5, 5.0, 5.0], [0.5, 5.0, 5.0], [1.5, 5.0, 5.0], [5.0; 3]]);
    }

    #[test]
    fn residues_join_what_has_no_bonds_and_endless_chains_stay() {
        let places = [[9.9, 1.0, 1.0], [0.2, 1.0, 1.0], [4.0, 1.0, 1.0]];
        let cell = cube(10.0);
        let mut atoms = table(&places);
        Molecules::new(&atoms, &[], &[7, 7, 8], &cell).place(&mut atoms, &cell, None);
        let joined: Vec<f64> = atoms.space().map(|place| place[0]).collect();
        assert!(joined.iter().zip([-0.1, 0.2, 4.0]).all(|(a, b)| (a - b).abs() < 1e-5), "{joined:?}");
        // a ring around the box
        let mut atoms = table(&places);
        let ring = [bond(0, 1, [1, 0, 0]), bond(1, 2, [0; 3]), bond(0, 2, [0; 3])];
        let molecules = Molecules::new(&atoms, &ring, &[], &cell);
        molecules.place(&mut atoms, &cell, None);
        assert_eq!((molecules.endless, atoms.space().collect::<Vec<_>>()), (1, places.to_vec()));
    }

    #[test]
    fn a_selection_that_the_box_cuts_has_its_middle_at_the_cut() {
        let cell = cube(10.0);
        let atoms = table(&[[9.0, 5.0, 5.0], [1.4, 5.0, 5.0], [5.0; 3]]);
        let middle = center(&atoms, &[true, true, false], &cell).expect("two rows");
        assert!((middle - DVec3::new(0.2, 5.0, 5.0)).length() < 1e-6, "{middle}");
        assert_eq!(center(&atoms, &[false; 3], &cell), None);
        let mut moved = table(&[[9.0, 5.0, 5.0], [1.4, 5.0, 5.0], [5.0; 3]]);
        Molecules::new(&moved, &[], &[], &cell).place(&mut moved, &cell, Some(middle));
        let xs: Vec<f64> = moved.space().map(|place| place[0]).collect();
        let expected = [3.8, 6.2, 9.8];
        assert!(xs.iter().zip(expected).all(|(x, expected)| (x - expected).abs() < 1e-5), "{xs:?}");
    }

    #[test]
    fn runs_across_the_boundary_are_counted() {
        let cell = cube(10.0);
        let atoms = table(&[[9.0, 5.0, 5.0], [1.4, 5.0, 5.0], [5.0; 3], [6.0; 3]]);
        assert_eq!(broken_runs(&atoms, &[Some(1), Some(1), Some(2), Some(2)], &cell), 1);
        assert_eq!(broken_runs(&atoms, &[None, None, Some(2), Some(2)], &cell), 0);
    }
}
