//! Hard shadows of a stream: shadow rays from the visible surfaces and blocks of spheres in, the spheres that block a
//! ray out.
//!
//! Rays to a light are parallel: each stays in one column of a grid in the plane across it. Spheres come a block at a
//! time. A blocked ray is dropped, and a sphere is tested only if it extends beyond the lowest remaining ray of some
//! column that it reaches: in a crowd few do after the first blocks. Answers equal the other shadow structures' bit for
//! bit, so that a picture with the spheres found here has the shadows of the whole scene.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "columns are counted from 0; a block has fewer spheres than there are indices"
)]

use std::ops::Range;
use std::sync::Mutex;

use fearless_simd::{Level, dispatch, f32x8, mask32x8, prelude::*};
use rayon::prelude::*;

use super::light_grid::{ColumnGrid, Shadows8};
use super::light_space::{LightFrame, MARGIN};
use crate::geom::Sphere;
use crate::lanes::{LANES, Rows3, Sphere8, load3, next_lane, splat3, sub};
use crate::scene::spheres::PaintedSphere;
use crate::shapes::{Exclude, OcclusionRay, RayLanes, crossed};
use crate::trace::find::clip::ClipRegion;
use crate::trace::find::visibility_buffer::NumberedSphere;

/// Collects the rays that drawing a picture casts to a light.
#[derive(Debug)]
pub(crate) struct RayRecorder<'a> {
    /// One list per thread, which is the only one to lock it.
    rays: Vec<Mutex<Vec<ShadowRay>>>,
    /// The part of space that is drawn: rays end at its border.
    clip: Option<&'a ClipRegion>,
}

/// A ray to a light.
#[derive(Clone, Copy, Debug)]
struct ShadowRay {
    /// Relative to the eye.
    origin: [f32; 3],
    length: f32,
    /// The sphere that it leaves, which is not in its way.
    exclude: Exclude,
}

/// The rays of a picture to all of its lights.
#[derive(Debug)]
pub(crate) struct ShadowRays {
    level: Level,
    eye: [f32; 3],
    lights: Vec<LightRays>,
}

/// The rays to one light.
#[derive(Debug)]
struct LightRays {
    grid: ColumnGrid,
    /// The rays in each column that no sphere has blocked so far.
    columns: Vec<Vec<RayGroup>>,
    floors: FloorPyramid,
}

/// Up to eight rays.
#[derive(Clone, Debug)]
struct RayGroup {
    origins: Rows3,
    lengths: [f32; LANES],
    /// Centre and radius of the sphere that each leaves.
    exclude: Sphere8,
    /// A bit for each ray that no sphere has blocked so far.
    open: u64,
}

/// A min pyramid: the lowest ray of each column, along the light (infinite without rays); then the minima of 2 × 2
/// columns, of 4 × 4, and so on.
#[derive(Debug, Default)]
struct FloorPyramid {
    /// Columns per row, and row-major floors.
    levels: Vec<(usize, Vec<f32>)>,
}

/// Bytes per ray, including temporary bytes while rays are sorted by column.
pub(crate) const SHADOW_RAY: u64 = (size_of::<ShadowRay>() + size_of::<RayGroup>() / LANES + 16) as u64;

/// tuned: "Larger than memory" in docs/performance.md. Mean number of rays per column, and maximum number of columns.
const RAYS_PER_COLUMN: usize = 32;
const COLUMNS: usize = 1 << 18;

/// A column and the position of a sphere that reaches it.
type ColumnEntry = (u32, u32);

/// tuned: "Larger than memory" in docs/performance.md. Spheres of a batch, which a thread bins at a time; entries after
/// which it stops; and batches that are binned before rays are tested, which leaves fewer rays for the next ones.
const CHUNK: usize = 1 << 13;
const ENTRIES: usize = 1 << 16;
const CHUNKS: usize = 32;

impl<'a> RayRecorder<'a> {
    pub(crate) fn new(clip: Option<&'a ClipRegion>) -> Self {
        let rays = (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect();
        Self { rays, clip }
    }

    /// Records a ray.
    pub(crate) fn record(&self, ray: &OcclusionRay) {
        let shortened = self.clip.map(|clip| clip.shortened(ray));
        let OcclusionRay { origin, length, exclude, .. } = shortened.unwrap_or(*ray);
        let list = &self.rays[rayon::current_thread_index().unwrap_or(0)];
        list.lock().expect("a panic while drawing ends it").push(ShadowRay { origin, length, exclude });
    }

    fn into_rays(self) -> Vec<ShadowRay> {
        self.rays.into_iter().flat_map(|list| list.into_inner().expect("a panic while drawing ends it")).collect()
    }
}

impl ShadowRays {
    /// The rays of some lights, relative to an eye.
    pub(crate) fn new<'a>(
        level: Level,
        eye: [f32; 3],
        lights: impl Iterator<Item = (LightFrame, RayRecorder<'a>)>,
    ) -> Self {
        let lights = lights.map(|(frame, recorder)| (frame, recorder.into_rays()));
        let lights = lights.filter(|(_, rays)| !rays.is_empty());
        Self { level, eye, lights: lights.map(|(frame, rays)| LightRays::new(level, frame, rays)).collect() }
    }

    /// Whether no ray is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.lights.iter().all(|light| light.floors.lowest() == f32::INFINITY)
    }

    /// Appends the spheres that may block a ray to `kept`; they have consecutive numbers from `first` on.
    pub(crate) fn cull(&self, spheres: &[PaintedSphere], first: u64, kept: &mut Vec<NumberedSphere>) {
        dispatch!(self.level, simd => self.cull_with(simd, spheres, first, kept));
    }

    #[inline(always)]
    fn cull_with<S: Simd>(&self, simd: S, spheres: &[PaintedSphere], first: u64, kept: &mut Vec<NumberedSphere>) {
        let [x, y, z] = self.eye;
        for (eight, number) in spheres.chunks(LANES).zip((first..).step_by(LANES)) {
            let mut group = Sphere8::EMPTY;
            for (lane, PaintedSphere { center, radius, .. }) in eight.iter().enumerate() {
                group.set(lane, [center[0] - x, center[1] - y, center[2] - z], *radius);
            }
            let mut in_way = 0;
            for light in &self.lights {
                let reached = light.grid.shadows(simd, &group, light.floors.lowest(), [light.grid.margin, 0.0]);
                let mut rest = reached.in_front & !in_way;
                while let Some(lane) = next_lane(&mut rest) {
                    in_way |= u64::from(light.floors.least(&reached, lane) <= reached.top[lane]) << lane;
                }
            }
            while let Some(lane) = next_lane(&mut in_way) {
                kept.push(NumberedSphere { sphere: eight[lane], part: 0, number: number + lane as u64 });
            }
        }
    }

    /// Finds spheres that block remaining rays, at least one for each ray that any of them blocks. Returns their
    /// positions in ascending order.
    pub(crate) fn block(&mut self, spheres: &[NumberedSphere]) -> Vec<u32> {
        let Self { level, eye, lights } = self;
        let placed = |named: &NumberedSphere| {
            let PaintedSphere { center, radius, .. } = named.sphere;
            Sphere { center: sub(center, *eye), radius }
        };
        let spheres: Vec<Sphere<3>> = spheres.par_iter().map(placed).collect();
        let mut found: Vec<u32> = lights.iter_mut().flat_map(|light| light.block(*level, &spheres)).collect();
        found.par_sort_unstable();
        found.dedup();
        found
    }
}

impl LightRays {
    fn new(level: Level, frame: LightFrame, rays: Vec<ShadowRay>) -> Self {
        let grid = ColumnGrid::around(frame, &rays);
        let column_of = |origin: [f32; 3]| {
            let [u, v, _] = frame.project(origin);
            grid.position([grid.cell(0, u), grid.cell(1, v)]) as u32
        };
        let mut order: Vec<(u32, u32)> =
            rays.par_iter().enumerate().map(|(index, ray)| (column_of(ray.origin), index as u32)).collect();
        order.par_sort_unstable();
        let mut columns = vec![Vec::new(); grid.count()];
        for of_column in order.chunk_by(|a, b| a.0 == b.0) {
            let group = |eight: &[(u32, u32)]| RayGroup::new(eight.iter().map(|&(_, index)| rays[index as usize]));
            columns[of_column[0].0 as usize] = of_column.chunks(LANES).map(group).collect();
        }
        let mut light = Self { grid, columns, floors: FloorPyramid::default() };
        light.set_floors(level);
        light
    }

    /// Recomputes the min pyramid over the remaining rays.
    fn set_floors(&mut self, level: Level) {
        let Self { grid, columns, floors } = self;
        let floor = |groups: &Vec<RayGroup>| dispatch!(level, simd => grid.floor(simd, groups));
        floors.build(grid.size[0] as usize, columns.par_iter().map(floor));
    }

    /// The positions of spheres that block remaining rays; a position may occur more than once.
    fn block(&mut self, level: Level, spheres: &[Sphere<3>]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut waiting: Vec<Range<usize>> =
            (0..spheres.len()).step_by(CHUNK).map(|first| first..spheres.len().min(first + CHUNK)).collect();
        waiting.reverse();
        while !waiting.is_empty() {
            let next = waiting.split_off(waiting.len().saturating_sub(CHUNKS));
            let list = |range: Range<usize>| dispatch!(level, simd => self.list(simd, spheres, range));
            let (listed, left): (Vec<_>, Vec<_>) = next.into_par_iter().map(list).unzip();
            waiting.extend(left.into_iter().filter(|range| !range.is_empty()));
            let mut entries = listed.concat();
            entries.par_sort_unstable();
            found.extend(self.block_listed(level, spheres, &entries));
        }
        found
    }

    /// Bins spheres of a range into the columns where they extend beyond a ray, until the batch is full; also returns
    /// the remaining range.
    #[inline(always)]
    fn list<S: Simd>(&self, simd: S, spheres: &[Sphere<3>], range: Range<usize>) -> (Vec<ColumnEntry>, Range<usize>) {
        let mut entries = Vec::new();
        for first in range.clone().step_by(LANES) {
            let mut group = Sphere8::EMPTY;
            for (lane, sphere) in spheres[first..range.end].iter().take(LANES).enumerate() {
                group.set(lane, sphere.center, sphere.radius);
            }
            let reached = self.grid.shadows(simd, &group, self.floors.lowest(), [self.grid.margin, 0.0]);
            let mut above = reached.in_front;
            while let Some(lane) = next_lane(&mut above) {
                // a large sphere reaches all columns
                if entries.len() > ENTRIES {
                    return (entries, first + lane..range.end);
                }
                if self.floors.least(&reached, lane) > reached.top[lane] {
                    continue;
                }
                for row in reached.rows(lane) {
                    let start = row * self.grid.size[0];
                    for column in reached.columns(lane).map(|column| start + column) {
                        if self.floors.of_column(column) <= reached.top[lane] {
                            entries.push((column, (first + lane) as u32));
                        }
                    }
                }
            }
        }
        (entries, range.end..range.end)
    }

    /// The positions of listed spheres that block rays; entries are in the order of their columns.
    fn block_listed(&mut self, level: Level, spheres: &[Sphere<3>], entries: &[ColumnEntry]) -> Vec<u32> {
        let direction = self.grid.frame.toward();
        let block = |(column, groups): (usize, &mut Vec<RayGroup>)| {
            let start = entries.partition_point(|entry| (entry.0 as usize) < column);
            let own = entries[start..].iter().take_while(|entry| entry.0 as usize == column);
            let blocking: Vec<u32> = dispatch!(level, simd => {
                let blocks = |index: &u32| block_rays(simd, groups, direction, spheres[*index as usize]);
                own.map(|entry| entry.1).filter(blocks).collect()
            });
            if !blocking.is_empty() {
                groups.retain(|group| group.open != 0);
            }
            blocking
        };
        let found: Vec<u32> = self.columns.par_iter_mut().enumerate().flat_map_iter(block).collect();
        if !found.is_empty() {
            self.set_floors(level);
        }
        found
    }
}

/// Whether a sphere blocks any remaining ray; blocked rays are dropped.
#[inline(always)]
fn block_rays<S: Simd>(simd: S, groups: &mut [RayGroup], direction: [f32; 3], sphere: Sphere<3>) -> bool {
    simd.vectorize(
        #[inline(always)]
        || {
            let splat = |number: f32| f32x8::splat(simd, number);
            let [x, y, z] = sphere.center.map(splat);
            let r = splat(sphere.radius);
            let mut blocks = false;
            for group in groups {
                let rays = RayLanes {
                    origin: load3(simd, &group.origins),
                    direction: splat3(simd, direction),
                    length: f32x8::load_array_ref(simd, &group.lengths),
                    exclude: Exclude::NONE,
                };
                let is_crossed = crossed(simd, [x, y, z, r], &rays);
                let ([left_x, left_y, left_z], left_r) = group.exclude.load(simd);
                let is_own = x.simd_eq(left_x) & y.simd_eq(left_y) & z.simd_eq(left_z) & r.simd_eq(left_r);
                let blocked = (is_crossed & !is_own).to_bitmask() & group.open;
                group.open &= !blocked;
                blocks |= blocked != 0;
            }
            blocks
        },
    )
}

impl ColumnGrid {
    /// Columns around the origins of rays.
    fn around(frame: LightFrame, rays: &[ShadowRay]) -> Self {
        let (mut start, mut end, mut extent) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2], 0.0_f32);
        for ray in rays {
            let along = frame.project(ray.origin);
            for axis in 0..2 {
                start[axis] = start[axis].min(along[axis]);
                end[axis] = end[axis].max(along[axis]);
            }
            let [x, y, z] = ray.origin.map(f32::abs);
            extent = extent.max(x + y + z);
        }
        let [length, height] = [0, 1].map(|axis| f64::from(end[axis]) - f64::from(start[axis]));
        let count = (rays.len() / RAYS_PER_COLUMN).clamp(1, COLUMNS) as f64;
        let side = (length * height / count).sqrt().max(length.max(height) / count);
        let inverse_side = (1.0 / side) as f32;
        let size = [length, height].map(|length| (length / side).ceil().max(1.0) as u32);
        // rays with origins nearly in one place share a column
        let (inverse_side, size) =
            if side > 0.0 && inverse_side.is_finite() { (inverse_side, size) } else { (0.0, [1, 1]) };
        Self { frame, start, end, inverse_side, size, margin: extent * MARGIN }
    }

    /// The least coordinate along the light of the rays in a column.
    #[inline(always)]
    fn floor<S: Simd>(&self, simd: S, groups: &[RayGroup]) -> f32 {
        let mut floor = f32x8::splat(simd, f32::INFINITY);
        for group in groups {
            let [_, _, along] = self.frame.project8(load3(simd, &group.origins));
            floor = mask32x8::from_bitmask(simd, group.open).select(floor.min(along), floor);
        }
        floor.reduce_min() - self.margin
    }
}

impl RayGroup {
    fn new(rays: impl Iterator<Item = ShadowRay>) -> Self {
        let mut group = Self { origins: [[0.0; LANES]; 3], lengths: [0.0; LANES], exclude: Sphere8::EMPTY, open: 0 };
        for (lane, ShadowRay { origin, length, exclude }) in rays.enumerate() {
            (0..3).for_each(|axis| group.origins[axis][lane] = origin[axis]);
            group.lengths[lane] = length;
            group.exclude.set(lane, exclude.sphere.center, exclude.sphere.radius);
            group.open |= 1 << lane;
        }
        group
    }
}

impl FloorPyramid {
    /// Sets the floors of all columns, row by row.
    fn build(&mut self, columns: usize, floors: impl IndexedParallelIterator<Item = f32>) {
        self.levels.truncate(1);
        let mut level = self.levels.pop().unwrap_or_default();
        level.0 = columns;
        floors.collect_into_vec(&mut level.1);
        while level.1.len() > 1 {
            let (columns, floors) = &level;
            let mut above = Vec::with_capacity(floors.len().div_ceil(2));
            for rows in floors.chunks(2 * columns) {
                let least = |column: usize| {
                    let rows = rows.chunks(*columns).flat_map(|row| &row[column..(column + 2).min(*columns)]);
                    rows.fold(f32::INFINITY, |least, floor| least.min(*floor))
                };
                above.extend((0..*columns).step_by(2).map(least));
            }
            let next = (columns.div_ceil(2), above);
            self.levels.push(std::mem::replace(&mut level, next));
        }
        self.levels.push(level);
    }

    /// The floor of the lowest ray.
    fn lowest(&self) -> f32 {
        self.levels.last().and_then(|(_, floors)| floors.first()).copied().unwrap_or(f32::INFINITY)
    }

    #[inline(always)]
    fn of_column(&self, column: u32) -> f32 {
        self.levels[0].1[column as usize]
    }

    /// A lower bound on the lowest rays of all columns that a sphere reaches.
    #[inline(always)]
    fn least(&self, reached: &Shadows8, lane: usize) -> f32 {
        let [left, right, first, last] =
            [reached.left, reached.right, reached.first, reached.last].map(|cells| cells[lane]);
        // at this level it reaches two columns and two rows at most
        let farthest = (right - left).max(last - first);
        let level = farthest.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1);
        let (columns, floors) = &self.levels[(level as usize).min(self.levels.len() - 1)];
        let mut least = f32::INFINITY;
        for row in [first >> level, last >> level] {
            for column in [left >> level, right >> level] {
                least = least.min(floors[row as usize * columns + column as usize]);
            }
        }
        least
    }
}
