//! The plane across a directional light, cut into columns along it: which of them spheres and hits lie in.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "columns and slabs are counted from 0")]

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI64, Ordering};

use fearless_simd::{f32x8, prelude::*, u32x8};

use crate::scene::{EyeSphere, InstanceRun, SphereInstances};
use crate::tiles::spheres::{Group, LANES};
use crate::trace::patches::{Axes, Patch};

/// A grid of columns along the light.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub axes: Axes,
    /// The least of all points along each axis, the greatest along the two across the light.
    start: [f32; 3],
    end: [f32; 2],
    /// Columns a unit of length, and slabs.
    inverse: f32,
    /// Columns across and down.
    pub cells: [u32; 2],
    /// Binary logarithm of the rows in a stripe.
    pub shift: u32,
    /// More than rounding misplaces any point by.
    pub margin: f32,
    /// Spheres list in other columns than that of their centre only where they reach farther; who asks looks as far around.
    reach: f32,
}

/// A sphere in a slab of a stripe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub slab: u32,
    pub seen: EyeSphere,
}

/// The spheres of a stretch.
#[derive(Debug)]
pub(super) struct Dealt {
    /// Those of each stripe.
    pub stripes: Vec<Vec<Entry>>,
    /// Those in too many columns to be listed in each.
    pub large: Vec<EyeSphere>,
}

/// How many columns spheres may still reach, and be listed in, those of all stretches together.
#[derive(Debug)]
pub(super) struct Allowance {
    left: [AtomicI64; 2],
}

/// Side of a column in radii of the usual sphere: smaller ones are more to look into, larger ones list more that is not in
/// the way.
const SIDE: f32 = 4.0;

/// Columns that a sphere is listed in, on average, at most: usual ones are in one, large ones among small ones in very many.
const LISTED: f32 = 2.25;

/// Columns that a few spheres may reach and be listed in beside.
const ROOM: u64 = 1 << 13;

/// Columns that are reached between two looks at what is left.
const CHUNK: u64 = 1 << 10;

/// A sphere in more columns than these is in the way everywhere.
const WIDE: u64 = 256;

/// Such spheres, at most.
pub(super) const LARGE: usize = 64;

/// Radii of the usual sphere that a sphere may have to be listed in one column alone: like sizes differ by less.
const REACH: f32 = 1.25;

/// Slabs of a column, as thick as it is wide; the last has no end.
pub(super) const SLABS: u32 = 64;

/// Stripes are filled side by side.
const STRIPES: u32 = 32;

/// Rounding misplaces a crossing, and where it lies in the plane, by some dozens of these of the scene's extent.
pub(super) const MARGIN: f32 = 256.0 * f32::EPSILON;

/// Below this squares have no bits left.
const NEAREST: f64 = 1e-20;

impl Plane {
    pub(super) fn new(axes: Axes, whole: &Patch, radius: f32, columns: u64) -> Option<Self> {
        let margin = whole.extent * MARGIN;
        let start = whole.min.map(|least| least - margin);
        let end = whole.max.map(|most| most + margin);
        let [length, height] = [0, 1].map(|axis| f64::from(end[axis] - start[axis]));
        let columns = columns as f64;
        let least = (length * height / columns).sqrt().max(length.max(height) / columns);
        let side = f64::from(SIDE * radius).max(f64::from(8.0 * margin)).max(least);
        if side < NEAREST {
            return None;
        }
        let cells = [length, height].map(|length| (length / side).ceil().max(1.0) as u32);
        let shift = cells[1].div_ceil(STRIPES).next_power_of_two().ilog2();
        let reach = if radius > 0.0 { (REACH * radius).min(side as f32) } else { 0.0 };
        Some(Self { axes, start, end, inverse: (1.0 / side) as f32, cells, shift, margin, reach })
    }

    /// The cell along an axis; what lies beyond belongs to the first and the last. Never decreases.
    #[inline(always)]
    fn cell(&self, axis: usize, along: f32) -> u32 {
        (((along - self.start[axis]) * self.inverse) as u32).min(self.cells[axis] - 1)
    }

    /// The slab along the light in a column of that floor.
    #[inline(always)]
    pub(super) fn slab(&self, along: f32, floor: f32) -> u32 {
        (((along - floor) * self.inverse) as u32).min(SLABS - 1)
    }

    /// The cells along an axis that list what may be in the way of points of that range.
    #[inline(always)]
    pub(super) fn around(&self, axis: usize, min: f32, max: f32) -> RangeInclusive<u32> {
        let beyond = self.reach + self.margin;
        self.cell(axis, min - beyond)..=self.cell(axis, max + beyond)
    }

    /// As [`Plane::cell`], of eight places at once.
    #[inline(always)]
    fn cells<S: Simd>(&self, axis: usize, along: f32x8<S>) -> [u32; LANES] {
        let cells = (along - self.start[axis]) * self.inverse;
        cells.max(0.0).min((self.cells[axis] - 1) as f32).to_int::<u32x8<S>>().to_array()
    }

    /// The stripe of a row of columns, and its place there.
    #[inline(always)]
    pub(super) fn stripe(&self, row: u32) -> (usize, u32) {
        ((row >> self.shift) as usize, row & ((1 << self.shift) - 1))
    }

    pub(super) fn stripes(&self) -> usize {
        self.cells[1].div_ceil(1 << self.shift) as usize
    }

    /// The first slab of a column, both counted in a stripe.
    #[inline(always)]
    pub(super) fn first_slab(&self, [column, row]: [u32; 2]) -> u32 {
        (row * self.cells[0] + column) * SLABS
    }

    #[inline(always)]
    pub(super) fn column(&self, [column, row]: [u32; 2]) -> usize {
        row as usize * self.cells[0] as usize + column as usize
    }

    /// How far down the patches lie in each column.
    pub(super) fn floors(&self, patches: &[&[Patch]]) -> Vec<f32> {
        let mut floors = vec![f32::INFINITY; self.cells[0] as usize * self.cells[1] as usize];
        for Patch { min, max, .. } in patches.iter().copied().flatten() {
            for row in self.around(1, min[1], max[1]) {
                for column in self.around(0, min[0], max[0]) {
                    let floor = &mut floors[self.column([column, row])];
                    *floor = floor.min(min[2] - self.margin);
                }
            }
        }
        floors
    }

    /// Lists the spheres of a stretch; `None` when all stretches together take more than they may.
    #[inline(always)]
    pub(super) fn deal<S: Simd>(
        &self,
        simd: S,
        roster: &SphereInstances<'_>,
        runs: &[InstanceRun<'_>],
        floors: &[f32],
        allowance: &Allowance,
    ) -> Option<Dealt> {
        let mut dealt = Dealt { stripes: vec![Vec::new(); self.stripes()], large: Vec::new() };
        let mut taken = [0; 2];
        for run in runs {
            for spheres in run.spheres.chunks(LANES) {
                let mut group = Group::EMPTY;
                for (lane, sphere) in spheres.iter().enumerate() {
                    let seen = roster.seen(sphere, run.pose);
                    [group.x[lane], group.y[lane], group.z[lane]] = seen.center;
                    group.radius[lane] = seen.radius;
                }
                let shades = self.shades(simd, &group);
                let mut inside = shades.inside;
                while inside != 0 {
                    let lane = inside.trailing_zeros() as usize;
                    inside &= inside - 1;
                    let seen =
                        EyeSphere { center: [group.x[lane], group.y[lane], group.z[lane]], radius: group.radius[lane] };
                    self.list(&shades, lane, seen, floors, (&mut dealt, &mut taken));
                }
                if taken[0] > CHUNK {
                    allowance.take(&mut taken)?;
                }
            }
            if dealt.large.len() > LARGE {
                return None;
            }
        }
        allowance.take(&mut taken)?;
        // many short lists are kept for a while
        dealt.stripes.iter_mut().for_each(Vec::shrink_to_fit);
        Some(dealt)
    }

    /// Where the shades of eight spheres fall.
    #[inline(always)]
    fn shades<S: Simd>(&self, simd: S, group: &Group) -> Shades {
        let x = f32x8::load_array_ref(simd, &group.x);
        let y = f32x8::load_array_ref(simd, &group.y);
        let z = f32x8::load_array_ref(simd, &group.z);
        let r = f32x8::load_array_ref(simd, &group.radius);
        let along = |axis: [f32; 3]| (x * axis[0] + y * axis[1]) + z * axis[2];
        let [u, v, w] = [along(self.axes[0]), along(self.axes[1]), along(self.axes[2])];
        let extent = (x.abs() + y.abs()) + (z.abs() + r);
        let reach = r + extent * MARGIN;
        let beyond = (reach - self.reach).max(0.0);
        let top = w + reach;
        let drawn = r.simd_gt(0.0) & extent.simd_lt(f32::INFINITY);
        let inside = drawn
            & (u + reach).simd_ge(self.start[0])
            & (u - reach).simd_le(self.end[0])
            & (v + reach).simd_ge(self.start[1])
            & (v - reach).simd_le(self.end[1])
            & top.simd_ge(self.start[2]);
        Shades {
            inside: inside.to_bitmask(),
            left: self.cells(0, u - beyond),
            right: self.cells(0, u + beyond),
            first: self.cells(1, v - beyond),
            last: self.cells(1, v + beyond),
            top: top.to_array(),
        }
    }

    /// Lists one sphere in the columns where something lies behind it; counts how many it reaches, and in how many it is listed.
    #[inline(always)]
    fn list(
        &self,
        shades: &Shades,
        lane: usize,
        seen: EyeSphere,
        floors: &[f32],
        (dealt, [reached, listed]): (&mut Dealt, &mut [u64; 2]),
    ) {
        let (columns, rows) = (shades.left[lane]..=shades.right[lane], shades.first[lane]..=shades.last[lane]);
        let count = u64::from(columns.end() - columns.start() + 1) * u64::from(rows.end() - rows.start() + 1);
        if count > WIDE {
            dealt.large.push(seen);
            return;
        }
        *reached += count;
        for row in rows {
            let (stripe, place) = self.stripe(row);
            for column in columns.clone() {
                let (floor, top) = (floors[self.column([column, row])], shades.top[lane]);
                if floor <= top {
                    let slab = self.first_slab([column, place]) + self.slab(top, floor);
                    dealt.stripes[stripe].push(Entry { slab, seen });
                    *listed += 1;
                }
            }
        }
    }
}

impl Allowance {
    /// For so many spheres.
    pub(super) fn new(spheres: u64) -> Self {
        let counts = [16 * spheres, (spheres as f32 * LISTED) as u64].map(|count| (count + ROOM) as i64);
        Self { left: counts.map(AtomicI64::new) }
    }

    /// Takes from what is left; `None` when that is less.
    fn take(&self, taken: &mut [u64; 2]) -> Option<()> {
        let enough = |(left, taken): (&AtomicI64, &mut u64)| {
            let taken = std::mem::take(taken) as i64;
            left.fetch_sub(taken, Ordering::Relaxed) >= taken
        };
        let [reached, listed] = taken;
        let is_enough = enough((&self.left[0], reached)) & enough((&self.left[1], listed));
        is_enough.then_some(())
    }
}

/// Where eight spheres stand in the way of a light: columns, and how far they reach towards it.
struct Shades {
    /// A bit for each that any point may lie behind.
    inside: u64,
    left: [u32; LANES],
    right: [u32; LANES],
    first: [u32; LANES],
    last: [u32; LANES],
    top: [f32; LANES],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::light_buffer::axes;

    #[test]
    fn columns_stay_few_at_any_scale() {
        let mut told = 0;
        for scale in [1e-37, 1e-25, 1e-19, 1e-6, 1.0, 1e10, 1e14] {
            let whole = Patch { min: [-scale, -scale, 0.0], max: [scale, 1e-9 * scale], extent: 3.0 * scale };
            for radius in [0.0, 1e-9 * scale, scale, f32::MAX, f32::NAN, -1.0] {
                if let Some(Plane { cells, inverse, .. }) = Plane::new(axes([0.0, 0.0, 1.0]), &whole, radius, 1000) {
                    assert!(u64::from(cells[0]) * u64::from(cells[1]) <= 3000, "{cells:?}");
                    assert!(inverse < f32::INFINITY);
                    told += 1;
                }
            }
        }
        assert!(told > 20, "{told} tell nothing");
    }
}
