//! Bins spheres into a grid of columns along a directional light. The receivers fix the grid's extent and the floor of
//! each column: a sphere is listed where it extends towards the light beyond the floor. Scenes with too many entries
//! exceed a budget, and go to the hierarchy.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "columns and slabs are counted from 0")]

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI64, Ordering};

use fearless_simd::{f32x8, prelude::*, u32x8};

use super::light_space::{LightFrame, MARGIN};
use super::receivers::ReceiverBounds;
use crate::geom::Sphere;
use crate::lanes::{LANES, Sphere8, next_lane};
use crate::scene::{InstanceRun, RowBuffer, SphereInstances};

/// Columns along a light, over some points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnGrid {
    pub frame: LightFrame,
    /// The least and the greatest coordinates of the points across the light.
    pub start: [f32; 2],
    pub end: [f32; 2],
    /// 1 / side of a column.
    pub inverse_side: f32,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Bound on the rounding error of a projected point.
    pub margin: f32,
}

/// Columns over the receivers, divided into slabs as thick as a column is wide. Rows of columns are grouped into
/// stripes, which are filled in parallel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LightGrid {
    pub columns: ColumnGrid,
    /// The least coordinate of the receivers along the light.
    lowest: f32,
    /// Binary logarithm of the rows in a stripe.
    pub stripe_shift: u32,
    /// A sphere is also listed in neighbouring columns only where it extends more than `reach` past its own; queries
    /// search that far around a point.
    reach: f32,
}

/// A sphere in a slab of a stripe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlabEntry {
    pub slab: u32,
    pub sphere: Sphere<3>,
}

/// The binned spheres of one chunk of instances.
#[derive(Debug)]
pub(crate) struct Binned {
    /// The entries of each stripe.
    pub stripes: Vec<Vec<SlabEntry>>,
    /// Spheres that reach too many columns to be listed in each.
    pub large: Vec<Sphere<3>>,
}

/// The numbers of columns that the spheres of all chunks may still reach and be listed in.
#[derive(Debug)]
pub(crate) struct EntryBudget {
    reached: AtomicI64,
    listed: AtomicI64,
}

/// Columns that some spheres reach and are listed in.
#[derive(Debug, Default)]
struct EntryCount {
    reached: u64,
    listed: u64,
}

/// tuned: benches/spheres.rs S2. Side of a column in median radii: smaller columns cost more look-ups, larger ones list
/// more spheres that are not in the way.
const SIDE: f32 = 4.0;

/// Maximum mean number of columns that list a sphere. Spheres of similar sizes take one; large ones among small ones
/// take very many.
const LISTED: f32 = 2.25;

/// Columns that may be reached and listed in addition.
const EXTRA: u64 = 1 << 13;

/// Columns reached between two checks of the budget.
const CHECKED: u64 = 1 << 10;

/// A sphere that reaches more columns is kept in a list of its own, which every query tests.
const WIDE: u64 = 256;

/// Maximum length of that list.
pub(crate) const LARGE: usize = 64;

/// tuned: benches/spheres.rs S2. Spheres of up to this many median radii are listed in one column only.
const REACH: f32 = 1.25;

/// Slabs per column, each as thick as a column is wide; the last has no end.
pub(crate) const SLABS: u32 = 64;

/// Maximum number of stripes.
const STRIPES: u32 = 32;

/// The squares of smaller sides would have no bits left.
const LEAST_SIDE: f64 = 1e-20;

impl ColumnGrid {
    /// Number of columns.
    pub(crate) fn count(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }

    /// The cell along an axis; coordinates outside belong to the first or the last. Monotonic.
    #[inline(always)]
    pub(crate) fn cell(&self, axis: usize, along: f32) -> u32 {
        (((along - self.start[axis]) * self.inverse_side) as u32).min(self.size[axis] - 1)
    }

    /// Position of a column among all.
    #[inline(always)]
    pub(crate) fn position(&self, [column, row]: [u32; 2]) -> usize {
        row as usize * self.size[0] as usize + column as usize
    }

    /// Where the shadows of eight spheres fall; only spheres that extend beyond `lowest` towards the light cast one.
    /// Spheres are widened by `slack`, and listed in neighbouring columns only where they extend more than `reach` past
    /// their own.
    #[inline(always)]
    pub(crate) fn shadows<S: Simd>(
        &self,
        simd: S,
        spheres: &Sphere8,
        lowest: f32,
        [slack, reach]: [f32; 2],
    ) -> Shadows8 {
        let (center, r) = spheres.load(simd);
        let [x, y, z] = center;
        let [u, v, w] = self.frame.project8(center);
        let extent = (x.abs() + y.abs()) + (z.abs() + r);
        let wide = r + extent * MARGIN + slack;
        let beyond = (wide - reach).max(0.0);
        let top = w + wide;
        let is_drawable = r.simd_gt(0.0) & extent.simd_lt(f32::INFINITY);
        let in_front = is_drawable
            & (u + wide).simd_ge(self.start[0])
            & (u - wide).simd_le(self.end[0])
            & (v + wide).simd_ge(self.start[1])
            & (v - wide).simd_le(self.end[1])
            & top.simd_ge(lowest);
        Shadows8 {
            in_front: in_front.to_bitmask(),
            left: self.cells8(0, u - beyond),
            right: self.cells8(0, u + beyond),
            first: self.cells8(1, v - beyond),
            last: self.cells8(1, v + beyond),
            top: top.to_array(),
        }
    }

    /// [`Self::cell`] of eight coordinates.
    #[inline(always)]
    fn cells8<S: Simd>(&self, axis: usize, along: f32x8<S>) -> [u32; LANES] {
        let cells = (along - self.start[axis]) * self.inverse_side;
        cells.max(0.0).min((self.size[axis] - 1) as f32).to_int::<u32x8<S>>().to_array()
    }
}

impl LightGrid {
    /// A grid of about `columns` columns over the receivers; `None` where they are too close together.
    pub(crate) fn new(frame: LightFrame, receivers: &ReceiverBounds, median_radius: f32, columns: u64) -> Option<Self> {
        let margin = receivers.extent * MARGIN;
        let [u, v, lowest] = receivers.min.map(|least| least - margin);
        let start = [u, v];
        let end = receivers.max.map(|most| most + margin);
        let [length, height] = [0, 1].map(|axis| f64::from(end[axis] - start[axis]));
        let columns = columns as f64;
        let least = (length * height / columns).sqrt().max(length.max(height) / columns);
        let side = f64::from(SIDE * median_radius).max(f64::from(8.0 * margin)).max(least);
        if side < LEAST_SIDE {
            return None;
        }
        let size = [length, height].map(|length| (length / side).ceil().max(1.0) as u32);
        let stripe_shift = size[1].div_ceil(STRIPES).next_power_of_two().ilog2();
        let reach = if median_radius > 0.0 { (REACH * median_radius).min(side as f32) } else { 0.0 };
        let columns = ColumnGrid { frame, start, end, inverse_side: (1.0 / side) as f32, size, margin };
        Some(Self { columns, lowest, stripe_shift, reach })
    }

    /// The slab of a coordinate along the light, in a column with this floor.
    #[inline(always)]
    pub(crate) fn slab(&self, along: f32, floor: f32) -> u32 {
        (((along - floor) * self.columns.inverse_side) as u32).min(SLABS - 1)
    }

    /// The cells along an axis that list the occluders of points in a range.
    #[inline(always)]
    pub(crate) fn cells_around(&self, axis: usize, min: f32, max: f32) -> RangeInclusive<u32> {
        let beyond = self.reach + self.columns.margin;
        self.columns.cell(axis, min - beyond)..=self.columns.cell(axis, max + beyond)
    }

    /// The stripe of a row of columns, and the row's number in it.
    #[inline(always)]
    pub(crate) fn stripe(&self, row: u32) -> (usize, u32) {
        ((row >> self.stripe_shift) as usize, row & ((1 << self.stripe_shift) - 1))
    }

    pub(crate) fn stripes(&self) -> usize {
        self.columns.size[1].div_ceil(1 << self.stripe_shift) as usize
    }

    /// The first slab of a column, both counted within a stripe.
    #[inline(always)]
    pub(crate) fn first_slab(&self, [column, row]: [u32; 2]) -> u32 {
        (row * self.columns.size[0] + column) * SLABS
    }

    /// The least coordinate of receivers in each column; infinite in columns without.
    pub(crate) fn floors(&self, receivers: &[&[ReceiverBounds]]) -> Vec<f32> {
        let mut floors = vec![f32::INFINITY; self.columns.count()];
        for ReceiverBounds { min, max, .. } in receivers.iter().copied().flatten() {
            for row in self.cells_around(1, min[1], max[1]) {
                for column in self.cells_around(0, min[0], max[0]) {
                    let floor = &mut floors[self.columns.position([column, row])];
                    *floor = floor.min(min[2] - self.columns.margin);
                }
            }
        }
        floors
    }

    /// Bins the spheres of a chunk; `None` when all chunks together exceed the budget.
    #[inline(always)]
    pub(crate) fn bin<S: Simd>(
        &self,
        simd: S,
        instances: &SphereInstances<'_>,
        runs: &[InstanceRun<'_>],
        floors: &[f32],
        budget: &EntryBudget,
    ) -> Option<Binned> {
        let mut binned = Binned { stripes: vec![Vec::new(); self.stripes()], large: Vec::new() };
        let mut count = EntryCount::default();
        let mut buffer = RowBuffer::EMPTY;
        for &(mut run) in runs {
            while let Some((_, rows)) = run.take_rows(&mut buffer) {
                for spheres in rows.chunks(LANES) {
                    let mut group = Sphere8::EMPTY;
                    for (lane, sphere) in spheres.iter().enumerate() {
                        let Sphere { center, radius } = instances.place(sphere, run.pose);
                        group.set(lane, center, radius);
                    }
                    let shadows = self.columns.shadows(simd, &group, self.lowest, [0.0, self.reach]);
                    let mut in_front = shadows.in_front;
                    while let Some(lane) = next_lane(&mut in_front) {
                        let (center, radius) = group.get(lane);
                        self.list(&shadows, lane, Sphere { center, radius }, floors, &mut binned, &mut count);
                    }
                    if count.reached > CHECKED {
                        budget.take(&mut count)?;
                    }
                }
            }
            if binned.large.len() > LARGE {
                return None;
            }
        }
        budget.take(&mut count)?;
        // lists are many and short, and kept until all chunks are binned
        binned.stripes.iter_mut().for_each(Vec::shrink_to_fit);
        Some(binned)
    }

    /// Lists one sphere in the columns that have a receiver behind it, and counts the columns.
    #[inline(always)]
    fn list(
        &self,
        shadows: &Shadows8,
        lane: usize,
        sphere: Sphere<3>,
        floors: &[f32],
        binned: &mut Binned,
        count: &mut EntryCount,
    ) {
        let (columns, rows) = (shadows.columns(lane), shadows.rows(lane));
        let reached = u64::from(columns.end() - columns.start() + 1) * u64::from(rows.end() - rows.start() + 1);
        if reached > WIDE {
            binned.large.push(sphere);
            return;
        }
        count.reached += reached;
        for row in rows {
            let (stripe, row_in_stripe) = self.stripe(row);
            for column in columns.clone() {
                let (floor, top) = (floors[self.columns.position([column, row])], shadows.top[lane]);
                if floor <= top {
                    let slab = self.first_slab([column, row_in_stripe]) + self.slab(top, floor);
                    binned.stripes[stripe].push(SlabEntry { slab, sphere });
                    count.listed += 1;
                }
            }
        }
    }
}

impl EntryBudget {
    /// A budget for this many spheres.
    pub(crate) fn new(spheres: u64) -> Self {
        let with_extra = |count: u64| AtomicI64::new((count + EXTRA) as i64);
        Self { reached: with_extra(16 * spheres), listed: with_extra((spheres as f32 * LISTED) as u64) }
    }

    /// Takes counts from the budget and resets them; `None` if less is left.
    fn take(&self, count: &mut EntryCount) -> Option<()> {
        let EntryCount { reached, listed } = std::mem::take(count);
        let has = |left: &AtomicI64, taken: u64| left.fetch_sub(taken as i64, Ordering::Relaxed) >= taken as i64;
        (has(&self.reached, reached) & has(&self.listed, listed)).then_some(())
    }
}

/// Where the shadows of eight spheres fall: ranges of columns and rows, and coordinates along the light.
pub(crate) struct Shadows8 {
    /// A bit for each sphere that may have a receiver behind it.
    pub in_front: u64,
    pub left: [u32; LANES],
    pub right: [u32; LANES],
    pub first: [u32; LANES],
    pub last: [u32; LANES],
    /// How far each sphere extends towards the light.
    pub top: [f32; LANES],
}

impl Shadows8 {
    #[inline(always)]
    pub(crate) fn columns(&self, lane: usize) -> RangeInclusive<u32> {
        self.left[lane]..=self.right[lane]
    }

    #[inline(always)]
    pub(crate) fn rows(&self, lane: usize) -> RangeInclusive<u32> {
        self.first[lane]..=self.last[lane]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stay_few_at_any_scale() {
        let mut grids = 0;
        for scale in [1e-37, 1e-25, 1e-19, 1e-6, 1.0, 1e10, 1e14] {
            let receivers =
                ReceiverBounds { min: [-scale, -scale, 0.0], max: [scale, 1e-9 * scale], extent: 3.0 * scale };
            for radius in [0.0, 1e-9 * scale, scale, f32::MAX, f32::NAN, -1.0] {
                let frame = LightFrame::new([0.0, 0.0, 1.0]);
                if let Some(grid) = LightGrid::new(frame, &receivers, radius, 1000) {
                    let ColumnGrid { size, inverse_side, .. } = grid.columns;
                    assert!(u64::from(size[0]) * u64::from(size[1]) <= 3000, "{size:?}");
                    assert!(inverse_side < f32::INFINITY);
                    grids += 1;
                }
            }
        }
        assert!(grids > 20, "{grids} say nothing");
    }
}
