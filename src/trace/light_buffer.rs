//! Who stands between what a picture shows and a directional light: spheres as circles in the plane across the light.
//!
//! Rays towards such a light are parallel, so that each stays in one column of a grid in that plane. A column lists the
//! spheres whose circles reach it, by how far they reach towards the light; a ray looks at those that reach beyond its
//! start (E. Haines, D. Greenberg, "The Light Buffer: A Shadow-Testing Accelerator", *IEEE CG&A* 6(9), 1986). The grid
//! covers what is seen, and columns list nothing that lies behind all of it: of a crowd, what is near its lit surface.
//! Lists leave out only what rounding cannot bring into the way: answers are those of the tree, to the bit.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "columns and slabs are counted from 0")]

use fearless_simd::{Level, dispatch, f32x8, prelude::*, u32x8};
use rayon::prelude::*;

use crate::scene::{Roster, Run, Seen};
use crate::tiles::spheres::{Group, LANES};
use crate::trace::patches::{Axes, Patch};
use crate::trace::sampling::across;
use crate::trace::shade::dot;
use crate::trace::tree::{Line, Probe, blocks};

/// The spheres of a roster in the way of one light.
#[derive(Debug)]
pub(crate) struct LightBuffer {
    plane: Plane,
    /// How far down each column is looked at: infinite where it is not.
    floors: Vec<f32>,
    stripes: Vec<Stripe>,
}

/// A grid of columns along the light.
#[derive(Clone, Copy, Debug)]
struct Plane {
    axes: Axes,
    /// The least and the greatest of all points along each axis.
    start: [f32; 3],
    end: [f32; 3],
    /// Columns a unit of length, and slabs.
    inverse: f32,
    /// Columns across and down.
    cells: [u32; 2],
    /// Binary logarithm of the rows in a stripe.
    shift: u32,
    /// More than rounding misplaces any point by.
    margin: f32,
}

/// Some rows of columns: spheres column by column, those that reach farthest towards the light last.
#[derive(Debug)]
struct Stripe {
    octets: Vec<Octet>,
    /// Where each slab of each column starts, and the end of all.
    starts: Vec<u32>,
}

/// Eight spheres relative to the eye, side by side: x, y, z and radius. Half a leaf of the tree's, as lists are short. Places
/// that are not filled hold NaN, which no ray meets.
type Octet = [[f32; LANES]; 4];

/// Fewer spheres are left to the tree.
pub(crate) const LEAST: u64 = 4096;

/// Side of a column in radii of the usual sphere: smaller ones list spheres oftener, larger ones list more that are not in
/// the way.
const SIDE: f32 = 6.0;

/// Columns that a sphere is listed in, on average, at most: alike ones are in (1 + 2 / [`SIDE`])², large ones among small
/// ones in very many.
const LISTED: f32 = 2.25;

/// Spheres in a column, on average, at most: copies at one place are better thinned, as the tree does.
const CROWD: usize = 2048;

/// Columns, at most, and spheres a column, at least.
const COLUMNS: u64 = 1 << 18;
const THIN: u64 = 16;

/// Slabs of a column, as thick as it is wide; the last has no end.
const SLABS: u32 = 64;

/// Stripes are filled side by side.
const STRIPES: u32 = 32;

/// Rounding misplaces a crossing, and where it lies in the plane, by some dozens of these of the scene's extent.
const MARGIN: f32 = 256.0 * f32::EPSILON;

/// Beyond this squares leave the range of `f32`.
const FARTHEST: f32 = 1e15;

/// Below this they have no bits left.
const NEAREST: f64 = 1e-20;

/// The axes of a light.
pub(crate) fn axes(toward: [f32; 3]) -> Axes {
    let [u, v] = across(toward);
    [u, v, toward]
}

impl LightBuffer {
    /// Lists what stands between the points in `patches` and the light of those axes; `None` where the tree does better:
    /// large spheres among small ones, crowds, numbers near the ends of `f32`.
    pub(crate) fn new(level: Level, roster: &Roster<'_>, axes: Axes, patches: &[&[Patch]]) -> Option<Self> {
        let whole = |patches: &&[Patch]| patches.iter().fold(Patch::NONE, Patch::with);
        let whole = patches.par_iter().map(whole).reduce(|| Patch::NONE, |a, b| a.with(&b));
        if whole.extent > FARTHEST {
            return None;
        }
        let plane = Plane::new(axes, &whole, usual_radius(roster), (roster.count() / THIN).clamp(1, COLUMNS))?;
        let floors = patches.par_chunks(patches.len().div_ceil(16).max(1)).map(|patches| plane.floors(patches));
        let floors = floors.reduce(Vec::new, lowest);
        let stretches = roster.stretches(1 << 14);
        let deal = |runs: &Vec<Run<'_>>| dispatch!(level, simd => plane.deal(simd, roster, runs, &floors));
        let dealt: Vec<Vec<Vec<Entry>>> = stretches.par_iter().map(deal).collect::<Option<_>>()?;
        if dealt.iter().flatten().map(Vec::len).sum::<usize>() > CROWD * floors.len() {
            return None;
        }
        let slabs = plane.first_slab([0, 1 << plane.shift]) as usize;
        let stripes = (0..plane.stripes()).into_par_iter();
        let stripes = stripes.map(|stripe| Stripe::new(slabs, || dealt.iter().flat_map(|dealt| &dealt[stripe])));
        Some(Self { plane, stripes: stripes.collect(), floors })
    }

    /// Whether any sphere is in the way of a probe towards the light, from a point in one of the patches.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, probe: &Probe) -> bool {
        let at = |axis: usize| dot(probe.origin, self.plane.axes[axis]);
        let (column, row) = (self.plane.cell(0, at(0)), self.plane.cell(1, at(1)));
        let slab = self.plane.slab(at(2) - self.plane.margin, self.floors[self.plane.column([column, row])]);
        let (stripe, row) = self.plane.stripe(row);
        let stripe = &self.stripes[stripe];
        let first = self.plane.first_slab([column, row]) as usize;
        let (start, end) = (stripe.starts[first + slab as usize], stripe.starts[first + SLABS as usize]);
        let line = Line::<f32x8<S>>::new(simd, probe);
        // the first and the last octet may hold spheres of other columns: what they block is blocked
        for [x, y, z, radius] in &stripe.octets[start as usize / LANES..(end as usize).div_ceil(LANES)] {
            let x = f32x8::load_array_ref(simd, x);
            let y = f32x8::load_array_ref(simd, y);
            let z = f32x8::load_array_ref(simd, z);
            let radius = f32x8::load_array_ref(simd, radius);
            if blocks(simd, [x, y, z, radius], &line) {
                return true;
            }
        }
        false
    }
}

/// A sphere in a slab of a stripe.
#[derive(Clone, Copy, Debug)]
struct Entry {
    slab: u32,
    seen: Seen,
}

/// The median radius of some spheres all over the roster.
fn usual_radius(roster: &Roster<'_>) -> f32 {
    let step = (roster.count() / 255).max(1) as usize;
    let mut radii: Vec<f32> =
        (0..roster.count()).step_by(step).map(|index| roster.sphere(index as u32).0.radius).collect();
    let middle = radii.len() / 2;
    *radii.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// The lower of each two floors; none are as good as none at all.
fn lowest(mut floors: Vec<f32>, others: Vec<f32>) -> Vec<f32> {
    if floors.is_empty() {
        return others;
    }
    for (floor, other) in floors.iter_mut().zip(others) {
        *floor = floor.min(other);
    }
    floors
}

impl Plane {
    fn new(axes: Axes, whole: &Patch, radius: f32, columns: u64) -> Option<Self> {
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
        Some(Self { axes, start, end, inverse: (1.0 / side) as f32, cells, shift, margin })
    }

    /// The cell along an axis; what lies beyond belongs to the first and the last. Never decreases.
    #[inline(always)]
    fn cell(&self, axis: usize, along: f32) -> u32 {
        (((along - self.start[axis]) * self.inverse) as u32).min(self.cells[axis] - 1)
    }

    /// The slab along the light in a column of that floor.
    #[inline(always)]
    fn slab(&self, along: f32, floor: f32) -> u32 {
        (((along - floor) * self.inverse) as u32).min(SLABS - 1)
    }

    /// As [`Plane::cell`], of eight places at once.
    #[inline(always)]
    fn cells<S: Simd>(&self, axis: usize, along: f32x8<S>) -> [u32; LANES] {
        let cells = (along - self.start[axis]) * self.inverse;
        cells.max(0.0).min((self.cells[axis] - 1) as f32).to_int::<u32x8<S>>().to_array()
    }

    /// The stripe of a row of columns, and its place there.
    #[inline(always)]
    fn stripe(&self, row: u32) -> (usize, u32) {
        ((row >> self.shift) as usize, row & ((1 << self.shift) - 1))
    }

    fn stripes(&self) -> usize {
        self.cells[1].div_ceil(1 << self.shift) as usize
    }

    /// The first slab of a column, both counted in a stripe.
    #[inline(always)]
    fn first_slab(&self, [column, row]: [u32; 2]) -> u32 {
        (row * self.cells[0] + column) * SLABS
    }

    #[inline(always)]
    fn column(&self, [column, row]: [u32; 2]) -> usize {
        row as usize * self.cells[0] as usize + column as usize
    }

    /// How far down the patches lie in each column.
    fn floors(&self, patches: &[&[Patch]]) -> Vec<f32> {
        let mut floors = vec![f32::INFINITY; self.cells[0] as usize * self.cells[1] as usize];
        for Patch { min, max, .. } in patches.iter().copied().flatten() {
            let cells =
                |axis: usize| self.cell(axis, min[axis] - self.margin)..=self.cell(axis, max[axis] + self.margin);
            for row in cells(1) {
                for column in cells(0) {
                    let floor = &mut floors[self.column([column, row])];
                    *floor = floor.min(min[2] - self.margin);
                }
            }
        }
        floors
    }

    /// Lists the spheres of a stretch, stripe by stripe; `None` when they are in too many columns.
    #[inline(always)]
    fn deal<S: Simd>(&self, simd: S, roster: &Roster<'_>, runs: &[Run<'_>], floors: &[f32]) -> Option<Vec<Vec<Entry>>> {
        let mut dealt = vec![Vec::new(); self.stripes()];
        let count = runs.iter().map(|run| run.spheres.len()).sum::<usize>();
        let (mut looks, mut room) = (16 * count + ROOM, (count as f32 * LISTED) as usize + ROOM);
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
                        Seen { center: [group.x[lane], group.y[lane], group.z[lane]], radius: group.radius[lane] };
                    let [looked, listed] = self.list(&shades, lane, seen, floors, &mut dealt);
                    (looks, room) = (looks.checked_sub(looked)?, room.checked_sub(listed)?);
                }
            }
        }
        // many short lists are kept for a while
        dealt.iter_mut().for_each(Vec::shrink_to_fit);
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
            left: self.cells(0, u - reach),
            right: self.cells(0, u + reach),
            first: self.cells(1, v - reach),
            last: self.cells(1, v + reach),
            top: top.to_array(),
        }
    }

    /// Lists one sphere in the columns where something lies behind it; answers how many it reaches, and of how many lists it
    /// is.
    #[inline(always)]
    fn list(&self, shades: &Shades, lane: usize, seen: Seen, floors: &[f32], dealt: &mut [Vec<Entry>]) -> [usize; 2] {
        let (columns, rows) = (shades.left[lane]..=shades.right[lane], shades.first[lane]..=shades.last[lane]);
        let reached = (columns.end() - columns.start() + 1) as usize * (rows.end() - rows.start() + 1) as usize;
        let mut listed = 0;
        for row in rows {
            let (stripe, place) = self.stripe(row);
            for column in columns.clone() {
                let (floor, top) = (floors[self.column([column, row])], shades.top[lane]);
                if floor <= top {
                    let slab = self.first_slab([column, place]) + self.slab(top, floor);
                    dealt[stripe].push(Entry { slab, seen });
                    listed += 1;
                }
            }
        }
        [reached, listed]
    }
}

/// Columns that few large spheres may be in beside.
const ROOM: usize = 1 << 13;

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

impl Stripe {
    fn new<'a, I: Iterator<Item = &'a Entry>>(slabs: usize, entries: impl Fn() -> I) -> Self {
        let mut starts = vec![0u32; slabs + 1];
        for entry in entries() {
            starts[entry.slab as usize + 1] += 1;
        }
        let mut count = 0;
        for start in &mut starts {
            count += *start;
            *start = count;
        }
        let mut octets = vec![[[f32::NAN; LANES]; 4]; (count as usize).div_ceil(LANES)];
        let mut places = starts.clone();
        for entry in entries() {
            let place = &mut places[entry.slab as usize];
            let Seen { center: [x, y, z], radius } = entry.seen;
            let octet = &mut octets[*place as usize / LANES];
            for (row, number) in octet.iter_mut().zip([x, y, z, radius]) {
                row[*place as usize % LANES] = number;
            }
            *place += 1;
        }
        Self { octets, starts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Pattern, Pose, SphereGroup, generate_spheres};
    use crate::trace::tree::Tree;
    use std::borrow::Cow;

    /// Boxes around points, seven at a time.
    fn boxes(points: &[[f32; 3]], axes: &Axes) -> Vec<Patch> {
        let patch = |point: &[f32; 3]| {
            let along = axes.map(|axis| dot(*point, axis));
            Patch { min: along, max: along, extent: point.iter().map(|along| along.abs()).sum() }
        };
        points.chunks(7).map(|points| points.iter().map(patch).fold(Patch::NONE, |a, b| a.with(&b))).collect()
    }

    /// Every way out of a few thousand spheres' surfaces, and out of the middle, answered by the tree and by the buffer; of
    /// all of them, and of some in a corner, which lists leave most spheres out for.
    #[test]
    fn answers_are_those_of_the_tree() {
        for (pattern, scale) in [(Pattern::Uniform, 1.0), (Pattern::Gaussian, 1e-12), (Pattern::Lattice, 1e9)] {
            let mut spheres = generate_spheres(pattern, 6000, 3);
            for sphere in &mut spheres {
                sphere.center = sphere.center.map(|along| along * scale);
                sphere.radius *= scale;
            }
            let poses = [Pose::IDENTITY];
            let groups = [SphereGroup { spheres: Cow::Borrowed(&spheres[..]), poses: Cow::Borrowed(&poses[..]) }];
            let roster = Roster::new(&groups, [0.5 * scale; 3]);
            let (tree, level) = (Tree::new(&roster), Level::new());
            for toward in [[0.0, 0.0, 1.0], [0.6, 0.0, -0.8], [0.48, -0.6, 0.64]] {
                for most in [f32::INFINITY, -0.2 * scale] {
                    let mut probes = Vec::new();
                    for index in 0..6000 {
                        let (except, _) = roster.sphere(index);
                        for normal in [toward, [0.8, 0.6, 0.0], [0.0; 3]] {
                            let origin: [f32; 3] =
                                std::array::from_fn(|axis| except.center[axis] + normal[axis] * except.radius);
                            let probe = Probe { origin, direction: toward, begin: 0.0, length: f32::INFINITY, except };
                            probes.extend(origin.iter().all(|along| *along < most).then_some(probe));
                        }
                    }
                    let points: Vec<_> = probes.iter().map(|probe| probe.origin).collect();
                    let patches = boxes(&points, &axes(toward));
                    let buffer = LightBuffer::new(level, &roster, axes(toward), &[&patches]).expect("like sizes");
                    let answers = probes.iter().map(|probe| {
                        let answer = dispatch!(level, simd => buffer.blocks(simd, probe));
                        assert_eq!(answer, dispatch!(level, simd => tree.blocks(simd, probe)), "{pattern:?} {probe:?}");
                        answer
                    });
                    let blocked = answers.filter(|blocked| *blocked).count();
                    let asked = probes.len();
                    assert!(asked > 100 && (1..asked).contains(&blocked), "{blocked} of {asked} tell nothing");
                }
            }
        }
    }

    #[test]
    fn columns_stay_few_at_any_scale() {
        let mut told = 0;
        for scale in [1e-37, 1e-25, 1e-19, 1e-6, 1.0, 1e10, 1e14] {
            let whole = Patch { min: [-scale, -scale, 0.0], max: [scale, 1e-9 * scale, 0.0], extent: 3.0 * scale };
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

    #[test]
    fn crowds_and_unlike_sizes_are_left_to_the_tree() {
        let listed = |scale: f32, large: usize, largest: f32| {
            let mut spheres = generate_spheres(Pattern::Uniform, 20_000, 3);
            for sphere in &mut spheres {
                sphere.center = sphere.center.map(|along| along * scale);
            }
            spheres[..large].iter_mut().for_each(|sphere| sphere.radius = largest);
            let poses = [Pose::IDENTITY];
            let groups = [SphereGroup { spheres: Cow::Borrowed(&spheres[..]), poses: Cow::Borrowed(&poses[..]) }];
            let axes = axes([0.0, 1.0, 0.0]);
            let points: Vec<_> = spheres.iter().map(|sphere| sphere.center).collect();
            LightBuffer::new(Level::new(), &Roster::new(&groups, [0.0; 3]), axes, &[&boxes(&points, &axes)]).is_some()
        };
        assert!(listed(1.0, 0, 0.0));
        assert!(listed(1.0, 3, 0.3));
        assert!(!listed(1.0, 3000, 0.3));
        assert!(!listed(1e-4, 0, 0.0));
    }
}
