//! Copies of a file's atoms: biological assemblies.

use crate::color::maps::ColorMap;
use crate::color::{ColorRange, Scale};
use crate::data::{Table, share};
use crate::error::Result;
use crate::formats::facts::{Assembly, AssemblyPart, Facts};
use crate::geom::Origin;
use crate::memory_quota::Quota;
use crate::options::ranges::{Ends, ends};
use crate::scene::spheres::{Gloss, PaintedSphere, Pose, SphereGroup};

/// The chains of rows: a name each, by index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chains {
    /// The chain of each row, as a number.
    pub(crate) codes: Vec<u32>,
    names: Vec<String>,
}

impl Chains {
    pub(crate) fn new(table: &Table<'_>, column: usize) -> Self {
        let codes = table.codes(column).flatten();
        Self { codes: codes.collect(), names: table.columns[column].names.iter().map(str::to_owned).collect() }
    }

    /// Whether a part of an assembly has each chain.
    fn kept(&self, part: &AssemblyPart) -> Vec<bool> {
        self.names.iter().map(|chain| part.chains.is_empty() || part.chains.contains(chain)).collect()
    }

    /// The rows of a part of an assembly.
    fn rows(&self, part: &AssemblyPart) -> impl Iterator<Item = usize> {
        let kept = self.kept(part);
        self.codes.iter().enumerate().filter(move |(_, chain)| kept[**chain as usize]).map(|(row, _)| row)
    }

    fn count(&self, part: &AssemblyPart) -> u64 {
        self.rows(part).count() as u64
    }

    /// The row of a sphere of [`groups`], counted through groups, poses and spheres, with this number of periodic
    /// images.
    pub(crate) fn row_of(&self, assembly: &Assembly, images: u64, index: u64) -> Option<u64> {
        let mut start = 0;
        for part in &assembly.parts {
            let count = self.count(part);
            let end = start + count * part.poses.len() as u64 * images;
            if index < end {
                return self.rows(part).nth(usize::try_from((index - start) % count).ok()?).map(|row| row as u64);
            }
            start = end;
        }
        None
    }
}

/// The assembly of that number, which must have atoms.
pub(crate) fn assembly<'a>(file: &str, facts: &'a Facts, chains: &Chains, number: u32) -> Result<&'a Assembly, String> {
    let Some(assembly) = facts.assemblies.iter().find(|assembly| assembly.numbers.contains(&number)) else {
        let there: Vec<_> =
            facts.assemblies.iter().flat_map(|assembly| &assembly.numbers).map(u32::to_string).collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        return Err(format!("must be one that {file} has ({there}), got {number}"));
    };
    if assembly.parts.iter().all(|part| chains.count(part) == 0) {
        return Err(format!("{number} of {file} names no chain that has atoms"));
    }
    Ok(assembly)
}

/// Refuses an assembly over the budget, before it is built; `subject` names it.
pub(crate) fn check(chains: &Chains, assembly: &Assembly, quota: &Quota, subject: impl Fn() -> String) -> Result<()> {
    const SPHERE: u64 = size_of::<PaintedSphere>() as u64;
    let (mut spheres, mut memory) = (0_u64, chains.codes.len() as u64 * SPHERE);
    for part in &assembly.parts {
        let (count, poses) = (chains.count(part), part.poses.len() as u64);
        spheres = spheres.saturating_add(count.saturating_mul(poses));
        // besides the rows that were read, each part holds its atoms once, whatever the number of copies
        memory = memory.saturating_add(count * SPHERE).saturating_add(poses * size_of::<Pose>() as u64);
    }
    quota.check(spheres, 0, || format!("{} has {spheres} spheres", subject()))?;
    quota.check_memory(memory, || format!("{} has {spheres} spheres", subject()))
}

/// The rows of each group of [`groups`], in order.
pub(crate) fn rows(chains: &Chains, assembly: &Assembly) -> Vec<Vec<usize>> {
    assembly.parts.iter().map(|part| chains.rows(part).collect()).collect()
}

/// For each group of [`groups`], whether it has each row.
pub(crate) fn rows_kept(chains: &Chains, assembly: &Assembly) -> Vec<Vec<bool>> {
    let of_part = |part: &AssemblyPart| {
        let kept = chains.kept(part);
        chains.codes.iter().map(|chain| kept[*chain as usize]).collect()
    };
    assembly.parts.iter().map(of_part).collect()
}

/// The number that colours a copy of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceSource {
    Axis(usize),
    /// Its index among all copies.
    Index,
    /// Its distance to the middle of all copies.
    Distance,
}

/// Colours by the position of each copy of a row, or by its index among all copies.
pub(crate) struct ColorsByPlace {
    pub(crate) source: PlaceSource,
    pub(crate) map: ColorMap,
    pub(crate) range: Option<ColorRange>,
    pub(crate) scale: Scale,
    /// Whether rows are highlighted, and keep their colours; empty if none is.
    pub(crate) marks: Vec<bool>,
    /// The rows of each group; empty: all, in order.
    pub(crate) rows: Vec<Vec<usize>>,
    /// The origin that has been subtracted from positions.
    pub(crate) origin: Origin,
}

impl ColorsByPlace {
    /// The groups with a sphere for each copy, in its own colour, and the ends of the colour map. `subject` begins the
    /// message about too much memory.
    pub(crate) fn paint(
        &self,
        groups: &[SphereGroup<'_>],
        quota: &Quota,
        subject: impl Fn() -> String,
    ) -> Result<(Vec<SphereGroup<'static>>, Ends)> {
        let count = |group: &SphereGroup<'_>| (group.spheres.len() as u64).saturating_mul(group.poses.len() as u64);
        let total = groups.iter().map(count).fold(0_u64, u64::saturating_add);
        let each = (size_of::<PaintedSphere>() + size_of::<u32>()) as u64;
        let takes = || format!("{} has {total} spheres of separate colours", subject());
        quota.check_memory(total.saturating_mul(each), takes)?;
        let mut placed: Vec<(Vec<PaintedSphere>, Vec<u32>)> = groups.iter().map(in_place).collect();
        let all =
            || placed.iter().flat_map(|(spheres, _)| spheres.iter()).map(|sphere| self.origin.added(sphere.center));
        let sum = all().fold([0.0; 3], |sum, center| [0, 1, 2].map(|axis| sum[axis] + center[axis]));
        let middle = sum.map(|sum| sum / total.max(1) as f64);
        let distance = |center: [f64; 3]| {
            let squares = [0, 1, 2].map(|axis| (center[axis] - middle[axis]) * (center[axis] - middle[axis]));
            (squares[0] + squares[1] + squares[2]).sqrt()
        };
        let ends = match self.source {
            PlaceSource::Axis(axis) => ends(all().map(|center| center[axis]), self.range, self.scale),
            PlaceSource::Distance => ends(all().map(distance), self.range, self.scale),
            PlaceSource::Index => ends((0..total).map(|index| index as f64), self.range, self.scale),
        };
        let mut index = 0_u64;
        for (group, ((spheres, _), source)) in placed.iter_mut().zip(groups).enumerate() {
            let length = source.spheres.len();
            for (place, sphere) in spheres.iter_mut().enumerate() {
                let value = match self.source {
                    PlaceSource::Axis(axis) => self.origin.added(sphere.center)[axis],
                    PlaceSource::Distance => distance(self.origin.added(sphere.center)),
                    PlaceSource::Index => index as f64,
                };
                let row = self.rows.get(group).map_or(place % length, |rows| rows[place % length]);
                if self.marks.get(row) != Some(&true) {
                    let color = self.map.number(share(self.scale.of(value), ends.least, ends.most));
                    sphere.color = color.with_alpha(sphere.color.a);
                }
                index += 1;
            }
        }
        let pose = [Pose::IDENTITY];
        let copies = |group: &SphereGroup<'_>| -> Vec<Option<Gloss>> {
            group.poses.iter().flat_map(|_| group.gloss.iter().copied()).collect()
        };
        let groups = placed.into_iter().zip(groups).map(|((spheres, parts), group)| {
            SphereGroup::new(spheres, pose.to_vec()).with_parts(parts).with_gloss(copies(group))
        });
        Ok((groups.collect(), ends))
    }
}

/// The spheres of all copies of a group in place, and their parts, numbered separately for each copy.
fn in_place(group: &SphereGroup<'_>) -> (Vec<PaintedSphere>, Vec<u32>) {
    let count = group.spheres.len() * group.poses.len();
    let of_copy = group.parts.iter().max().map_or(1, |most| most.saturating_add(1));
    let (mut spheres, mut parts) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (pose, first) in group.poses.iter().zip((0_u32..).map(|copy| copy.wrapping_mul(of_copy))) {
        for (place, sphere) in group.spheres.iter().enumerate() {
            spheres.push(PaintedSphere { center: pose.apply(sphere.center), ..sphere });
            parts.push(first.wrapping_add(group.parts.get(place).copied().unwrap_or(0)));
        }
    }
    (spheres, parts)
}

/// The groups of an assembly: chains that are copied together share a group.
pub(crate) fn groups(
    spheres: &[PaintedSphere],
    parts: &[u32],
    gloss: &[Option<Gloss>],
    chains: &Chains,
    assembly: &Assembly,
) -> Vec<SphereGroup<'static>> {
    let group = |part: &AssemblyPart| {
        let rows: Vec<usize> = chains.rows(part).collect();
        let group = SphereGroup::new(picked(spheres, &rows), part.poses.clone());
        group.with_parts(picked(parts, &rows)).with_gloss(picked(gloss, &rows))
    };
    assembly.parts.iter().map(group).collect()
}

/// The values of some rows; rows may have none.
fn picked<T: Copy>(values: &[T], rows: &[usize]) -> Vec<T> {
    let mut picked = Vec::with_capacity(rows.len().min(values.len()));
    picked.extend(rows.iter().filter_map(|&row| values.get(row)));
    picked
}
