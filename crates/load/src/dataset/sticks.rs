//! Bonds as cylinders.

use glam::DVec3;

use crate::color::Srgba8;
use crate::data::{Bond, BondOrder, Cell};
use crate::geom::single;
use crate::options::molecule_style::MoleculeStyle;
use crate::scene::cylinders::{Caps, PaintedCylinder};
use crate::scene::spheres::PaintedSphere;

/// Radii of sticks in ångström.
const STICK: f32 = 0.2;
const THIN_STICK: f32 = 0.14;

/// The radius of a ball, in radii of its atom.
const BALL: f32 = 0.25;

/// The radius of a dot, in radii of its atom.
const DOT: f32 = 0.1;

/// Sticks of particles that are no atoms, in radii of the smaller ball.
const STICK_OF_BALL: f32 = 0.4;

/// Cylinders of a double and a triple bond: radius and distance from the axis, in radii of a single bond.
const DOUBLE: [f64; 2] = [0.55, 1.0];
const TRIPLE: [f64; 2] = [0.45, 1.35];
/// The inner one of an aromatic bond.
const INNER: [f64; 2] = [0.4, 1.4];

/// How bonds and balls are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StickSizes {
    /// The radius of all sticks.
    pub(crate) bond_radius: Option<f32>,
    /// The radius of balls, in radii of atoms.
    pub(crate) ball_scale: Option<f32>,
    /// Whether lengths are in ångström.
    pub(crate) of_atoms: bool,
    /// Whether the caller chooses the radii of spheres.
    pub(crate) has_own_radii: bool,
}

/// A cylinder between two spheres of a group; its halves have colours of spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stick {
    /// The spheres at its ends.
    atoms: [u32; 2],
    /// The spheres that its halves take their colours from.
    colored: [u32; 2],
    ends: [[f32; 3]; 2],
    radius: f32,
    caps: Caps,
    /// A colour of its own.
    color: Option<Srgba8>,
}

/// Gives spheres the radii of their styles, and returns the sticks of bonds. `styles` has an entry for each sphere, or
/// one for all.
pub(crate) fn styled(
    spheres: &mut [PaintedSphere],
    styles: &[MoleculeStyle],
    bonds: &[Bond],
    sizes: &StickSizes,
    cell: Option<&Cell>,
) -> Vec<Stick> {
    let style = |row: u32| styles.get(row as usize).or(styles.first()).copied().unwrap_or_default();
    let ball_scale = sizes.ball_scale.unwrap_or(BALL);
    let drawn: Vec<&Bond> = bonds.iter().filter(|bond| is_drawn(bond.atoms.map(style))).collect();
    let neighbours = Neighbours::new(&drawn, spheres.len());
    let mut joints = vec![0.0_f32; spheres.len()];
    let mut sticks = Vec::with_capacity(drawn.len());
    for bond in &drawn {
        let [first, second] = bond.atoms.map(style);
        let is_thin = first == MoleculeStyle::BallAndStick || second == MoleculeStyle::BallAndStick;
        let smaller = bond.atoms.map(|row| spheres[row as usize].radius).into_iter().fold(f32::INFINITY, f32::min);
        let default = match (sizes.of_atoms, is_thin) {
            (true, true) => THIN_STICK,
            (true, false) => STICK,
            (false, _) => STICK_OF_BALL * ball_scale * smaller,
        };
        let radius = sizes.bond_radius.unwrap_or(default);
        for row in bond.atoms {
            let joint = &mut joints[row as usize];
            *joint = joint.max(radius);
        }
        let order = if first == second && is_thin { bond.order } else { BondOrder::Single };
        let shift = cell.map_or(DVec3::ZERO, |cell| cell.edges * DVec3::from(bond.image.map(f64::from)));
        for (offset, share) in parallel(order, &neighbours, bond, spheres, shift) {
            let offset = offset * f64::from(radius);
            let radius = single(f64::from(radius) * share);
            add(&mut sticks, bond, spheres, offset, shift, radius);
        }
    }
    for (row, (sphere, joint)) in (0..).zip(spheres.iter_mut().zip(joints)) {
        sphere.radius = match style(row) {
            // tubes have the radii of their spheres
            MoleculeStyle::Spacefill | MoleculeStyle::Trace => sphere.radius,
            MoleculeStyle::Points => sphere.radius * DOT,
            MoleculeStyle::None => 0.0,
            MoleculeStyle::Sticks if joint > 0.0 => joint,
            MoleculeStyle::BallAndStick | MoleculeStyle::Sticks => sphere.radius * ball_scale,
        };
    }
    sticks
}

/// Whether a bond between atoms of these styles is drawn.
fn is_drawn(styles: [MoleculeStyle; 2]) -> bool {
    let is_apart = |style: &MoleculeStyle| matches!(style, MoleculeStyle::Points | MoleculeStyle::None);
    styles.iter().any(|style| style.has_sticks()) && !styles.iter().any(is_apart)
}

/// Adds the stick of a bond; a bond across the periodic boundary is two halves, each at its own atom.
fn add(sticks: &mut Vec<Stick>, bond: &Bond, spheres: &[PaintedSphere], offset: DVec3, shift: DVec3, radius: f32) {
    let [a, b] = bond.atoms.map(|row| center(&spheres[row as usize]));
    let place = |point: DVec3| (point + offset).to_array().map(single);
    let mut push = |from: DVec3, to: DVec3, colored| {
        sticks.push(Stick { colored, ..Stick::free(bond.atoms, [place(from), place(to)], radius) });
    };
    let [first, second] = bond.atoms;
    if bond.image == [0; 3] {
        push(a, b, bond.atoms);
        return;
    }
    push(a, (a + (b + shift)) * 0.5, [first; 2]);
    push(((a - shift) + b) * 0.5, b, [second; 2]);
}

/// The cylinders of a bond: offset from the axis and radius of each, in radii of a single bond.
fn parallel(
    order: BondOrder,
    neighbours: &Neighbours,
    bond: &Bond,
    spheres: &[PaintedSphere],
    shift: DVec3,
) -> Vec<(DVec3, f64)> {
    let side = if order == BondOrder::Single { DVec3::ZERO } else { neighbours.side(bond, spheres, shift) };
    match order {
        BondOrder::Single => vec![(side, 1.0)],
        BondOrder::Double => [-1.0, 1.0].map(|sign| (side * (sign * DOUBLE[1]), DOUBLE[0])).to_vec(),
        BondOrder::Triple => [-1.0, 0.0, 1.0].map(|sign| (side * (sign * TRIPLE[1]), TRIPLE[0])).to_vec(),
        BondOrder::Aromatic => vec![(DVec3::ZERO, 0.8), (side * INNER[1], INNER[0])],
    }
}

struct Neighbours {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Neighbours {
    fn new(bonds: &[&Bond], atoms: usize) -> Self {
        if bonds.iter().all(|bond| bond.order == BondOrder::Single) {
            return Self { starts: Vec::new(), rows: Vec::new() };
        }
        let inner = bonds.iter().filter(|bond| bond.image == [0; 3]).map(|bond| bond.atoms);
        let mut pairs: Vec<[u32; 2]> = inner.flat_map(|[first, second]| [[first, second], [second, first]]).collect();
        pairs.sort_unstable();
        let mut starts = vec![0; atoms + 1];
        pairs.iter().for_each(|pair| starts[pair[0] as usize + 1] += 1);
        (1..starts.len()).for_each(|row| starts[row] += starts[row - 1]);
        Self { starts, rows: pairs.into_iter().map(|pair| pair[1]).collect() }
    }

    fn of(&self, row: u32) -> &[u32] {
        let range = |row: usize| Some(*self.starts.get(row)? as usize);
        match (range(row as usize), range(row as usize + 1)) {
            (Some(start), Some(end)) => &self.rows[start..end],
            _ => &[],
        }
    }

    /// A direction across a bond, in the plane of its atoms' other bonds and toward most of these.
    fn side(&self, bond: &Bond, spheres: &[PaintedSphere], shift: DVec3) -> DVec3 {
        let [a, b] = bond.atoms.map(|row| center(&spheres[row as usize]));
        let axis = (b + shift - a).normalize_or_zero();
        let across = |vector: DVec3| vector - axis * vector.dot(axis);
        let (mut sum, mut first) = (DVec3::ZERO, DVec3::ZERO);
        for (own, other) in [(0, 1), (1, 0)] {
            let row = bond.atoms[own];
            for &next in self.of(row).iter().filter(|next| **next != bond.atoms[other]) {
                let vector = across(center(&spheres[next as usize]) - center(&spheres[row as usize]));
                if first.length_squared() < 1e-4 {
                    first = vector;
                }
                sum += vector;
            }
        }
        // substituents that cancel out leave the plane of the first
        let side = if sum.length_squared() > 0.04 { sum } else { first };
        if side.length_squared() > 1e-4 {
            return side.normalize();
        }
        let least = axis.abs().min_element();
        let other = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().find(|other| axis.dot(*other).abs() <= least);
        across(other.unwrap_or(DVec3::X)).normalize_or_zero()
    }
}

fn center(sphere: &PaintedSphere) -> DVec3 {
    DVec3::from(sphere.center.map(f64::from))
}

impl Stick {
    /// A stick of two spheres, in their colours, between any two places.
    pub(crate) fn free(atoms: [u32; 2], ends: [[f32; 3]; 2], radius: f32) -> Self {
        Self { atoms, colored: atoms, ends, radius, caps: Caps::Flat, color: None }
    }

    /// The same stick between other places.
    pub(crate) fn between(self, ends: [[f32; 3]; 2]) -> Self {
        Self { ends, ..self }
    }

    /// The same stick in a colour of its own.
    pub(crate) fn with_color(self, color: Srgba8) -> Self {
        Self { color: Some(color), ..self }
    }

    /// The same stick in the colour of a sphere.
    pub(crate) fn with_color_of(self, sphere: u32) -> Self {
        Self { colored: [sphere; 2], ..self }
    }

    /// The same stick with round ends.
    pub(crate) fn rounded(self) -> Self {
        Self { caps: Caps::Round, ..self }
    }

    /// The places of its ends.
    #[cfg(test)]
    pub(crate) fn ends(&self) -> [[f32; 3]; 2] {
        self.ends
    }

    /// The spheres at its ends.
    pub(crate) fn atoms(&self) -> [u32; 2] {
        self.atoms
    }

    /// The sphere at its start.
    pub(crate) fn first(&self) -> u32 {
        self.atoms[0]
    }

    /// The stick between spheres with other numbers; `None` if one of them is gone.
    pub(crate) fn renumbered(&self, place: impl Fn(u32) -> Option<u32>) -> Option<Self> {
        let places = |rows: [u32; 2]| Some([place(rows[0])?, place(rows[1])?]);
        Some(Self { atoms: places(self.atoms)?, colored: places(self.colored)?, ..*self })
    }

    /// The stick in the colours of its spheres.
    pub(crate) fn painted(&self, color: impl Fn(u32) -> Srgba8) -> PaintedCylinder {
        let ([start, end], colors) = (self.ends, self.colored.map(color));
        let [first, second] = self.color.map_or(colors, |own| [own; 2]);
        PaintedCylinder::new(start, end, self.radius, first).with_end_color(second).with_caps(self.caps)
    }
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;

    fn atoms(places: &[[f32; 3]]) -> Vec<PaintedSphere> {
        places.iter().map(|&place| PaintedSphere::new(place, 1.6, Srgba8::WHITE)).collect()
    }

    const SIZES: StickSizes = StickSizes { bond_radius: None, ball_scale: None, of_atoms: true, has_own_radii: false };

    #[test]
    fn sticks_follow_the_styles_of_their_ends() {
        use MoleculeStyle::{BallAndStick, Points, Spacefill, Sticks};
        let bond = [Bond::new(0, 1, BondOrder::Double)];
        for (styles, radii, expected) in [
            ([Spacefill, Spacefill], [1.6, 1.6], &[][..]),
            ([Sticks, Sticks], [0.2, 0.2], &[0.2]),
            ([Sticks, Spacefill], [0.2, 1.6], &[0.2]),
            ([BallAndStick, BallAndStick], [0.4, 0.4], &[0.077, 0.077]),
            ([BallAndStick, Sticks], [0.4, 0.14], &[0.14]),
            ([Points, Sticks], [0.16, 0.4], &[]),
            ([MoleculeStyle::None, Sticks], [0.0, 0.4], &[]),
        ] {
            let mut spheres = atoms(&[[0.0; 3], [1.2, 0.0, 0.0]]);
            let sticks = styled(&mut spheres, &styles, &bond, &SIZES, None);
            let found: Vec<f32> = spheres.iter().map(|sphere| sphere.radius).collect();
            assert!(found.iter().zip(radii).all(|(a, b)| (a - b).abs() < 1e-6), "{styles:?}: {found:?}");
            let found: Vec<f32> = sticks.iter().map(|stick| stick.radius).collect();
            assert_eq!(found.len(), expected.len(), "{styles:?}");
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{styles:?}: {found:?}");
        }
    }

    #[test]
    fn double_bonds_lie_in_the_plane_of_their_neighbours() {
        // formaldehyde's plane is x, y
        let mut spheres = atoms(&[[0.0; 3], [1.2, 0.0, 0.0], [-0.5, 0.9, 0.0], [-0.5, -0.9, 0.0]]);
        let bonds = [
            Bond::new(0, 1, BondOrder::Double),
            Bond::new(0, 2, BondOrder::Single),
            Bond::new(0, 3, BondOrder::Single),
        ];
        let sticks = styled(&mut spheres, &[MoleculeStyle::BallAndStick], &bonds, &SIZES, None);
        assert_eq!(sticks.len(), 4);
        for stick in &sticks[..2] {
            assert!(stick.ends.iter().all(|end| (end[1].abs() - 0.14).abs() < 1e-6 && end[2] == 0.0), "{stick:?}");
        }
    }

    #[test]
    fn bonds_across_a_boundary_are_two_halves() {
        let cell = Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(10.0))).expect("a volume");
        let mut spheres = atoms(&[[0.5, 0.0, 0.0], [9.5, 0.0, 0.0]]);
        let bond = [Bond { image: [-1, 0, 0], ..Bond::new(0, 1, BondOrder::Single) }];
        let sticks = styled(&mut spheres, &[MoleculeStyle::Sticks], &bond, &SIZES, Some(&cell));
        let ends: Vec<_> = sticks.iter().map(|stick| stick.ends.map(|end| end[0])).collect();
        assert_eq!(ends, [[0.5, 0.0], [10.0, 9.5]]);
        assert_eq!([sticks[0].colored, sticks[1].colored], [[0, 0], [1, 1]]);
    }

    #[test]
    fn sticks_of_a_part_have_its_numbers() {
        let mut spheres = atoms(&[[0.0; 3], [1.4, 0.0, 0.0], [2.8, 0.0, 0.0]]);
        let bonds = [Bond::new(0, 1, BondOrder::Single), Bond::new(1, 2, BondOrder::Single)];
        let sticks = styled(&mut spheres, &[MoleculeStyle::Sticks], &bonds, &SIZES, None);
        let part = sticks.iter().filter_map(|stick| stick.renumbered(|row| row.checked_sub(1)));
        assert_eq!(part.map(|stick| stick.atoms).collect::<Vec<_>>(), [[0, 1]]);
    }
}
