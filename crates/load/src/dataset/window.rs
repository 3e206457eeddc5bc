//! A window to the rows in focus: spheres between them and the eye are left out.

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::DVec3;

use crate::data::{AtomKeys, Kind, Residue, Table, residues_by_row};
use crate::dataset::contacts::ContactLine;
use crate::dataset::suggest::quoted_name;
use crate::figure::{Label, LabelAnchor};
use crate::formats::wanted::{Header, ValueRule, Wanted};
use crate::options::command_line::quote;
use crate::scene::Rays;
use crate::scene::cylinders::PaintedCylinder;
use crate::scene::spheres::{Pose, ShapeGroup, SphereScene};

/// A sphere hides a row in focus if, in the picture, their centres are nearer than the sum of these shares of their
/// radii.
const HIDING: f64 = 0.9;
const HIDDEN: f64 = 0.6;

/// The rows in focus of a file, and the index of its group of spheres.
pub(crate) struct FocusRows {
    pub(crate) group: usize,
    pub(crate) rows: Vec<bool>,
    /// The residue of each row, by number; empty for files without residues.
    pub(crate) residues: Vec<u32>,
    /// The rows that each of the first cylinders of the group joins.
    pub(crate) sticks: Vec<[u32; 2]>,
    pub(crate) contacts: Vec<ContactLine>,
}

/// The columns that tell the residues in focus apart.
#[derive(Clone, Copy)]
pub(crate) struct FocusKeys {
    names: usize,
    numbers: usize,
    chains: Option<usize>,
}

impl FocusKeys {
    /// Adds the columns to the wanted ones; `None` for files without residues.
    pub(crate) fn resolve(header: &Header, wanted: &mut Wanted) -> Option<Self> {
        let (names, numbers) = (header.find("resname")?, header.find("resid")?);
        Some(Self {
            names: wanted.column(names, Kind::Name, ValueRule::Any),
            numbers: wanted.column(numbers, Kind::Integer, ValueRule::Lenient),
            chains: header.find("chain").map(|field| wanted.column(field, Kind::Name, ValueRule::Any)),
        })
    }

    /// The residue of each row, by number.
    pub(crate) fn residues(&self, table: &Table<'_>) -> Vec<u32> {
        let Self { names, numbers, chains } = *self;
        residues_by_row(
            table,
            &AtomKeys { residues: Some(names), numbers: Some(numbers), chains, ..AtomKeys::default() },
        )
    }

    /// A note on several ligands in the focus, with the option that focuses on one.
    pub(crate) fn note(&self, file: &str, table: &Table<'_>, focus: &[bool]) -> Option<String> {
        let named = |column: usize| {
            let codes = table.codes(column);
            let names: Vec<&str> = table.columns[column].names.iter().collect();
            codes.map(|code| code.map_or("", |code| names[code as usize])).collect::<Vec<&str>>()
        };
        let (names, chains) = (named(self.names), self.chains.map_or_else(Vec::new, named));
        let mut atoms: Vec<(&str, &str, f64)> = Vec::new();
        for (row, number) in table.numbers(self.numbers).enumerate().filter(|(row, _)| focus[*row]) {
            let residue = (names[row], chains.get(row).copied().unwrap_or_default(), number);
            if Residue::of(residue.0) != Residue::Other || residue.0.is_empty() || number.is_nan() {
                return None;
            }
            atoms.push(residue);
        }
        atoms.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let sizes: Vec<usize> = atoms.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
        let mut found = atoms;
        found.dedup();
        // the largest one, or the first of equals: ligands are larger than the molecules of the buffer
        let largest = sizes.iter().copied().max().unwrap_or_default();
        let place = sizes.iter().position(|size| *size == largest)?;
        let &(name, chain, number) = found.get(place).filter(|_| found.len() > 1)?;
        let mut one = format!("resname {}", quoted_name(name));
        if !chain.is_empty() && found.iter().any(|other| other.0 == name && other.1 != chain) {
            one += &format!(" and chain {}", quoted_name(chain));
        }
        if found.iter().filter(|other| (other.0, other.1) == (name, chain)).count() > 1 {
            one += &format!(" and resid {number}");
        }
        Some(format!("{file}: the focus is on {} residues; --focus {} looks at one", found.len(), quote(&one)))
    }
}

/// What is left out in front of the focus: spheres, and the contacts at them.
#[derive(Default)]
pub(crate) struct LeftOut {
    /// The number of spheres.
    pub(crate) spheres: usize,
    /// The bits of the places that labels stand beside: the centres of spheres, the middles of contacts.
    places: BTreeSet<[u32; 3]>,
}

impl LeftOut {
    fn add(&mut self, center: [f32; 3], radius: f32) {
        self.spheres += usize::from(radius > 0.0);
        self.places.insert(center.map(f32::to_bits));
    }

    /// Whether the sphere or the contact with its middle at a place is left out.
    pub(crate) fn has(&self, place: [f32; 3]) -> bool {
        self.places.contains(&place.map(f32::to_bits))
    }

    /// A note about the spheres.
    pub(crate) fn note(&self, file: &str) -> Option<String> {
        let (count, are) = (self.spheres, if self.spheres == 1 { "sphere is" } else { "spheres are" });
        (count > 0).then(|| format!("{file}: {count} {are} left out in front of the focus"))
    }

    /// Removes the labels of spheres and contacts that are left out.
    pub(crate) fn remove_labels(&self, labels: &mut Vec<Label>) {
        let is_gone = |anchor: &LabelAnchor| self.has(anchor.place.as_vec3().to_array());
        labels.retain_mut(|label| {
            let had = label.anchors.len();
            label.anchors.retain(|anchor| !is_gone(anchor));
            had == 0 || !label.anchors.is_empty()
        });
    }
}

/// A sphere projected to the plane at distance 1, or along parallel rays, and its depth.
struct ProjectedSphere {
    center: [f64; 2],
    radius: f64,
    depth: f64,
}

/// Removes the opaque spheres in front of the rows in focus, with the rest of their residues and the sticks at them, and
/// says which they were. They stay in the list with a radius of 0, which draws nothing. Copies and residues that
/// have rows in focus are left alone.
pub(crate) fn open(scene: &mut SphereScene<'_>, focus: &[FocusRows]) -> LeftOut {
    let rays = Rays::new(&scene.view);
    let axis = |axis: [f32; 3]| DVec3::from(axis.map(f64::from));
    let (eye, [right, up, forward]) = (axis(rays.eye), rays.frame);
    let is_parallel = rays.parallel;
    let shown = move |center: [f32; 3], radius: f32| {
        let place = axis(center) - eye;
        let depth = place.dot(forward);
        let scale = if is_parallel { 1.0 } else { 1.0 / depth };
        let shown = ProjectedSphere {
            center: [place.dot(right) * scale, place.dot(up) * scale],
            radius: f64::from(radius) * scale,
            depth,
        };
        (depth > 0.0).then_some(shown)
    };
    let mut wanted = Vec::new();
    for FocusRows { group, rows, .. } in focus {
        let Some(group) = scene.groups.get(*group) else { continue };
        let spheres = group.spheres.slice();
        let bodies = (0..spheres.len().min(rows.len())).filter(|row| rows[*row]).map(|row| spheres.body(row));
        wanted.extend(bodies.filter_map(|(center, radius)| shown(center, radius)));
    }
    let deepest = wanted.iter().map(|of| of.depth).fold(0.0, f64::max);
    let reach = |axis: usize, sign: f64| {
        wanted.iter().map(|of| sign * of.center[axis] + of.radius).fold(f64::NEG_INFINITY, f64::max)
    };
    let ends = [reach(0, -1.0), reach(0, 1.0), reach(1, -1.0), reach(1, 1.0)];
    let mut left_out = LeftOut::default();
    for (index, group) in scene.groups.iter_mut().enumerate() {
        if *group.poses != [Pose::IDENTITY] {
            continue;
        }
        let own = focus.iter().find(|of| of.group == index).map(|of| &of.rows[..]).unwrap_or_default();
        let spheres = group.spheres.slice();
        let hides = |&row: &usize| {
            if own.get(row) == Some(&true) || group.spheres.get(row).is_none_or(|sphere| sphere.color.a < u8::MAX) {
                return false;
            }
            let (center, radius) = spheres.body(row);
            let Some(shown) = shown(center, radius).filter(|shown| shown.depth < deepest) else { return false };
            let [x, y] = shown.center;
            let is_near = [-x, x, -y, y].iter().zip(ends).all(|(place, end)| place - shown.radius < end);
            is_near
                && radius > 0.0
                && wanted.iter().any(|of| {
                    let apart = [0, 1].map(|axis| shown.center[axis] - of.center[axis]);
                    let limit = HIDING * shown.radius + HIDDEN * of.radius;
                    shown.depth < of.depth && apart[0] * apart[0] + apart[1] * apart[1] < limit * limit
                })
        };
        let mut hiding: Vec<usize> = (0..spheres.len()).filter(hides).collect();
        let of_file = focus.iter().find(|of| of.group == index);
        if let Some(FocusRows { rows, residues, .. }) = of_file.filter(|of| !of.residues.is_empty()) {
            let looked_at: BTreeSet<u32> =
                residues.iter().zip(rows).filter(|(_, of)| **of).map(|(of, _)| *of).collect();
            let mut gone: BTreeSet<u32> = hiding.iter().map(|row| residues[*row]).collect();
            gone.retain(|residue| !looked_at.contains(residue));
            let is_gone = |row: &usize| {
                let is_opaque = group.spheres.get(*row).is_some_and(|sphere| sphere.color.a == u8::MAX);
                is_opaque && gone.contains(&residues[*row])
            };
            hiding = (0..spheres.len().min(residues.len())).filter(is_gone).collect();
        }
        if !hiding.is_empty() {
            let mut is_hidden = vec![false; spheres.len()];
            let spheres = group.spheres.to_mut();
            for row in hiding {
                left_out.add(spheres[row].center, spheres[row].radius);
                spheres[row].radius = 0.0;
                is_hidden[row] = true;
            }
            let (sticks, contacts) = of_file.map(|of| (&of.sticks[..], &of.contacts[..])).unwrap_or_default();
            let is_gone = |line: &&ContactLine| line.rows.iter().any(|row| is_hidden.get(*row as usize) == Some(&true));
            left_out.places.extend(contacts.iter().filter(is_gone).map(|line| line.place.map(f32::to_bits)));
            for cylinders in scene.shapes.cylinders.iter_mut().filter(|of| of.companion == index) {
                leave_out(cylinders, sticks, &is_hidden);
            }
        }
    }
    left_out
}

/// Removes the cylinders that join hidden rows; `sticks` are the rows of the first ones.
fn leave_out(cylinders: &mut ShapeGroup<'_, PaintedCylinder>, sticks: &[[u32; 2]], is_hidden: &[bool]) {
    let is_kept = |at: usize| {
        let rows = sticks.get(at).into_iter().flatten();
        !rows.into_iter().any(|row| is_hidden.get(*row as usize) == Some(&true))
    };
    let kept: Vec<usize> = (0..cylinders.shapes.len()).filter(|at| is_kept(*at)).collect();
    if kept.len() < cylinders.shapes.len() {
        cylinders.parts = picked(&cylinders.parts, &kept);
        cylinders.gloss = picked(&cylinders.gloss, &kept);
        cylinders.shapes = picked(&cylinders.shapes, &kept);
    }
}

/// The values at some places; none if there are none at all.
fn picked<T: Clone>(values: &[T], places: &[usize]) -> Cow<'static, [T]> {
    places.iter().filter_map(|place| values.get(*place).cloned()).collect::<Vec<T>>().into()
}
