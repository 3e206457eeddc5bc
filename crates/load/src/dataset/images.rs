//! Periodic images: rows moved into their box, and copies of the box side by side.

use glam::DVec3;

use crate::data::{Cell, Table};
use crate::error::Result;
use crate::memory_quota::Quota;
use crate::scene::spheres::{Pose, SphereGroup};

const MOST_COPIES: u64 = 1 << 22;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Images {
    /// Rows outside of the box are moved into it.
    pub(crate) wrap: bool,
    /// Molecules that the boundary breaks are joined.
    pub(crate) whole: bool,
    /// Rows are moved by their image flags.
    pub(crate) unwrap: bool,
    /// A selection is moved to the middle of the box.
    pub(crate) is_centered: bool,
    /// Copies along each edge of the box, the original included.
    pub(crate) counts: [u32; 3],
}

/// A request that cannot be granted: the message continues after the name of the flag or key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BadImages {
    pub(crate) key: &'static str,
    pub(crate) rule: String,
}

impl Default for Images {
    fn default() -> Self {
        Self { wrap: false, whole: false, unwrap: false, is_centered: false, counts: [1; 3] }
    }
}

impl Images {
    pub(crate) fn check(&self) -> Result<(), BadImages> {
        let copies = self.counts.iter().fold(1_u64, |all, &count| all.saturating_mul(u64::from(count)));
        if (1..=MOST_COPIES).contains(&copies) {
            return Ok(());
        }
        let rule = format!("must be three whole numbers from 1 with a product of at most 2^22, got {:?}", self.counts);
        Err(BadImages { key: "replicate", rule })
    }

    pub(crate) fn joins_molecules(&self) -> bool {
        self.whole || self.is_centered
    }

    pub(crate) fn copies(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).product()
    }

    /// The box for wrapping and replication, if requested; an error if the file has no suitable periodic box.
    pub(crate) fn cell(&self, file: &str, cell: Option<Cell>) -> Result<Option<Cell>, BadImages> {
        let moves = [
            ("wrap", self.wrap),
            ("whole", self.whole),
            ("unwrap", self.unwrap),
            ("center", self.is_centered),
            ("replicate", self.copies() > 1),
        ];
        let Some((key, _)) = moves.into_iter().find(|(_, is_asked)| *is_asked) else { return Ok(None) };
        let refuse = |key, rule| Err(BadImages { key, rule });
        let Some(cell) = cell else {
            return refuse(key, format!("is for a periodic box, which {file} does not have"));
        };
        if cell.periodic == [false; 3] {
            return refuse(key, format!("is for a periodic box; that of {file} has walls"));
        }
        let axes = self.counts.iter().zip(cell.periodic).zip(["a", "b", "c"]);
        for ((&count, periodic), edge) in axes {
            if count > 1 && !periodic {
                let rule = format!("must be 1 along {edge}, where the box of {file} has walls, got {count}");
                return refuse("replicate", rule);
            }
        }
        Ok(Some(cell))
    }

    /// The number of the box that lies `steps` along the edges from a box, and how often the way there leaves all boxes
    /// and comes in on the other side. Boxes are numbered along c first.
    pub(crate) fn beside(&self, index: usize, steps: [i16; 3]) -> (usize, [i16; 3]) {
        let [_, b, c] = self.counts.map(|count| count as usize);
        let at = [index / (b * c), index / c % b, index % c];
        let (mut place, mut image) = ([0_usize; 3], [0_i16; 3]);
        for axis in 0..3 {
            let count = i64::from(self.counts[axis]);
            let along = at[axis] as i64 + i64::from(steps[axis]);
            place[axis] = usize::try_from(along.rem_euclid(count)).expect("not negative");
            image[axis] = i16::try_from(along.div_euclid(count)).expect("no farther than the step");
        }
        ((place[0] * b + place[1]) * c + place[2], image)
    }

    /// The box around all copies.
    pub(crate) fn around(&self, cell: Cell) -> Cell {
        let [a, b, c] = self.counts.map(f64::from);
        let mut edges = cell.edges;
        edges.x_axis *= a;
        edges.y_axis *= b;
        edges.z_axis *= c;
        Cell { edges, ..cell }
    }

    /// The groups, repeated once for each copy of the box; the first copy is the original. `subject` begins the message
    /// about too many spheres.
    pub(crate) fn replicate(
        &self,
        groups: Vec<SphereGroup<'static>>,
        cell: Option<Cell>,
        quota: &Quota,
        subject: impl Fn() -> String,
    ) -> Result<Vec<SphereGroup<'static>>> {
        let (Some(cell), 2..) = (cell, self.copies()) else { return Ok(groups) };
        let (mut spheres, mut poses) = (0_u64, 0_u64);
        for group in &groups {
            let copies = (group.poses.len() as u64).saturating_mul(self.copies());
            spheres = spheres.saturating_add((group.spheres.len() as u64).saturating_mul(copies));
            poses = poses.saturating_add(copies);
        }
        let takes = || format!("{} has {spheres} spheres in {} periodic images", subject(), self.copies());
        quota.check(spheres, 0, takes)?;
        quota.check_memory(poses.saturating_mul(size_of::<Pose>() as u64), takes)?;
        let shifts = self.shifts(&cell);
        let replicated = |group: SphereGroup<'static>| {
            let moved = |shift: &DVec3, pose: &Pose| Pose {
                rotation: pose.rotation,
                translation: (pose.translation.as_dvec3() + *shift).as_vec3(),
            };
            let poses: Vec<Pose> =
                shifts.iter().flat_map(|shift| group.poses.iter().map(move |pose| moved(shift, pose))).collect();
            SphereGroup { poses: poses.into(), ..group }
        };
        Ok(groups.into_iter().map(replicated).collect())
    }

    /// The translations of the copies, c fastest.
    pub(crate) fn shifts(&self, cell: &Cell) -> Vec<DVec3> {
        let [a, b, c] = self.counts;
        let places = (0..a).flat_map(|i| (0..b).flat_map(move |j| (0..c).map(move |k| [i, j, k])));
        places.map(|place| cell.edges * DVec3::from(place.map(f64::from))).collect()
    }
}

/// Moves rows into the box; returns whether any was outside of it.
pub(crate) fn wrap(table: &mut Table<'static>, cell: &Cell) -> bool {
    let inverse = cell.edges.inverse();
    let mut has_moved = false;
    for block in &mut table.blocks {
        block.move_in_space(|place| {
            let moved = cell.wrapped(&inverse, place);
            has_moved |= moved != place;
            moved
        });
    }
    has_moved
}
