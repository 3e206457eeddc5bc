//! Copies of what a file holds: biological assemblies.

use crate::data::Table;
use crate::error::Result;
use crate::io::formats::facts::{Assembly, AssemblyPart, Facts};
use crate::io::memory_quota::Quota;
use crate::scene::spheres::{PaintedSphere, Pose, SphereGroup};

/// The chains of rows: a name each, by index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chains {
    codes: Vec<u32>,
    names: Vec<String>,
}

impl Chains {
    /// Those in a column of the table.
    pub(crate) fn new(table: &Table<'_>, column: usize) -> Self {
        let codes = table.values(column).flat_map(|values| (0..values.len()).filter_map(|row| values.code(row)));
        Self { codes: codes.collect(), names: table.columns[column].names.iter().map(str::to_owned).collect() }
    }

    /// The chain of each row, as a number.
    pub(crate) fn into_codes(self) -> Vec<u32> {
        self.codes
    }

    /// Whether a part of an assembly has each chain.
    fn kept(&self, part: &AssemblyPart) -> Vec<bool> {
        self.names.iter().map(|chain| part.chains.is_empty() || part.chains.contains(chain)).collect()
    }

    /// The number of rows in a part of an assembly.
    fn count(&self, part: &AssemblyPart) -> u64 {
        let kept = self.kept(part);
        self.codes.iter().filter(|&&chain| kept[chain as usize]).count() as u64
    }

    /// The row that a sphere of [`groups`] shows, counted through groups, poses and spheres, for this number of periodic images.
    pub(crate) fn row_of(&self, assembly: &Assembly, images: u64, index: u64) -> Option<u64> {
        let mut start = 0;
        for part in &assembly.parts {
            let kept = self.kept(part);
            let count = self.count(part);
            let end = start + count * part.poses.len() as u64 * images;
            if index < end {
                let rows = (0..).zip(&self.codes).filter(|(_, chain)| kept[**chain as usize]).map(|(row, _)| row);
                return rows.into_iter().nth(usize::try_from((index - start) % count).ok()?);
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

/// Refuses an assembly over the budget, before it is built; `subject` says which.
pub(crate) fn check(chains: &Chains, assembly: &Assembly, quota: &Quota, subject: impl Fn() -> String) -> Result<()> {
    const SPHERE: u64 = size_of::<PaintedSphere>() as u64;
    let (mut spheres, mut memory) = (0_u64, chains.codes.len() as u64 * SPHERE);
    for part in &assembly.parts {
        let (count, poses) = (chains.count(part), part.poses.len() as u64);
        spheres = spheres.saturating_add(count.saturating_mul(poses));
        // each part has its atoms once, whatever the copies, beside what was read
        memory = memory.saturating_add(count * SPHERE).saturating_add(poses * size_of::<Pose>() as u64);
    }
    quota.check(spheres, 0, || format!("{} has {spheres} spheres", subject()))?;
    quota.check_memory(memory, || format!("{} has {spheres} spheres", subject()))
}

/// The spheres as often as the assembly says: chains that are copied together share a group.
pub(crate) fn groups(spheres: &[PaintedSphere], chains: &Chains, assembly: &Assembly) -> Vec<SphereGroup<'static>> {
    let group = |part: &AssemblyPart| {
        let kept = chains.kept(part);
        let kept = |chain: &&u32| kept[**chain as usize];
        let count = usize::try_from(chains.count(part)).expect("counted in memory");
        let (mut copies, mut codes) = (Vec::with_capacity(count), Vec::with_capacity(count));
        copies.extend(spheres.iter().zip(&chains.codes).filter(|(_, chain)| kept(chain)).map(|(sphere, _)| *sphere));
        codes.extend(chains.codes.iter().filter(kept));
        SphereGroup::new(copies, part.poses.clone()).with_parts(codes)
    };
    assembly.parts.iter().map(group).collect()
}
