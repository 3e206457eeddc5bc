//! The nearest sphere of every sample of a tile, from the tile's lists.
//!
//! Entries are taken front to back in slabs of depth, by counting, only as far as the eye can reach: once
//! everything in the tile is nearer than the next slab, the rest of the list is never touched. Within a slab the
//! order does not matter, because nearest hits and their tie rule do not depend on it.
#![expect(
    clippy::cast_possible_truncation,
    reason = "tiles are at most 1024 pixels a side, and counts fit the lists they come from"
)]

use fearless_simd::{f32x8, prelude::*, u32x8};

use crate::frame::TileMut;
use crate::scene::{EyeSphere, Rays, SphereInstances};
use crate::tiles::spheres::{Entry, Group, LANES, Lens, Reach};
use crate::trace::crossing::{Target, is_nearer};

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Area {
    pub(crate) fn of(tile: &TileMut<'_>) -> Self {
        let width = tile.rows.first().map_or(0, |row| u32::try_from(row.len()).expect("a tile is at most 1024 wide"));
        let height = u32::try_from(tile.rows.len()).expect("a tile is at most 1024 high");
        Self { x: tile.x, y: tile.y, width, height }
    }

    pub(crate) fn pixels(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// From one row of a plane to the next.
    pub(crate) fn stride(self) -> usize {
        (self.width as usize).next_multiple_of(LANES) + LANES
    }

    /// Places in a plane.
    pub(crate) fn room(self) -> usize {
        self.stride() * self.height as usize
    }

    /// The layer of a sample, and its place there, where layers are laid out one after another.
    #[inline(always)]
    pub(crate) fn place(self, sample: u32) -> (usize, usize) {
        (sample as usize / self.room(), sample as usize % self.room())
    }
}

/// What one sample of every pixel of an area sees. Rows are padded, so that lanes may run past their end.
#[derive(Debug, Default)]
pub(crate) struct Layer {
    /// Distance to the nearest hit; infinite where there is none.
    pub distance: Vec<f32>,
    /// The roster's index of the sphere that is hit.
    pub index: Vec<u32>,
    /// Cosine between the hit's normal and the ray.
    pub cosine: Vec<f32>,
}

/// The rays of one sample of every pixel of an area, laid out as a [`Layer`].
#[derive(Debug, Default)]
pub(crate) struct Paths {
    /// Unit directions, one plane an axis.
    direction: [Vec<f32>; 3],
    /// Where parallel rays start, one plane an axis; empty in perspective.
    start: [Vec<f32>; 3],
}

/// The nearest hits of an area.
#[derive(Debug, Default)]
pub(crate) struct Sight {
    /// One layer a sample.
    pub layers: Vec<Layer>,
    /// From one row of a plane to the next.
    pub stride: usize,
}

/// The room to find hits.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// The rays of each sample.
    pub paths: Vec<Paths>,
    sorted: Vec<Entry>,
    counts: Vec<u32>,
}

impl Paths {
    /// Direction of the ray at a place in the planes.
    #[inline(always)]
    pub(crate) fn direction(&self, at: usize) -> [f32; 3] {
        [self.direction[0][at], self.direction[1][at], self.direction[2][at]]
    }

    /// Start of the ray at a place in the planes, relative to the eye.
    #[inline(always)]
    pub(crate) fn start(&self, at: usize) -> [f32; 3] {
        if self.start[0].is_empty() { [0.0; 3] } else { [self.start[0][at], self.start[1][at], self.start[2][at]] }
    }

    /// Eight rays: their starts and directions.
    #[inline(always)]
    pub(crate) fn lanes<S: Simd>(&self, simd: S, at: usize) -> [[f32x8<S>; 3]; 2] {
        let load = |[x, y, z]: &[Vec<f32>; 3]| {
            let lanes = at..at + LANES;
            [
                f32x8::from_slice(simd, &x[lanes.clone()]),
                f32x8::from_slice(simd, &y[lanes.clone()]),
                f32x8::from_slice(simd, &z[lanes]),
            ]
        };
        let start = if self.start[0].is_empty() { [f32x8::splat(simd, 0.0); 3] } else { load(&self.start) };
        [start, load(&self.direction)]
    }

    /// Lays out an area's rays.
    #[inline(always)]
    fn lay<S: Simd>(&mut self, simd: S, rays: &Rays, area: Area, offset: [f32; 2]) {
        lay(simd, &mut self.direction, rays, area, offset, Side::Direction);
        if rays.parallel {
            lay(simd, &mut self.start, rays, area, offset, Side::Start);
        } else {
            self.start.iter_mut().for_each(Vec::clear);
        }
    }
}

impl Layer {
    fn clear(&mut self, room: usize) {
        self.distance.clear();
        self.distance.resize(room, f32::INFINITY);
        self.index.clear();
        self.index.resize(room, 0);
        self.cosine.resize(room, 0.0);
    }
}

/// Which half of a ray.
#[derive(Clone, Copy)]
enum Side {
    Direction,
    Start,
}

/// Lays out the directions or the starts of an area's rays.
#[inline(always)]
fn lay<S: Simd>(simd: S, planes: &mut [Vec<f32>; 3], rays: &Rays, area: Area, [sx, sy]: [f32; 2], side: Side) {
    let stride = area.stride();
    for plane in planes.iter_mut() {
        plane.resize(stride * area.height as usize, 0.0);
    }
    let steps = f32x8::load_array(simd, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    for row in 0..area.height {
        let y = f32x8::splat(simd, (area.y + row) as f32 + sy);
        for column in (0..stride).step_by(LANES) {
            let x = (steps + (area.x + column as u32) as f32) + sx;
            let ray = match side {
                Side::Direction => rays.directions(x, y),
                Side::Start => rays.starts(x, y),
            };
            let at = row as usize * stride + column;
            ray[0].store_slice(&mut planes[0][at..at + LANES]);
            ray[1].store_slice(&mut planes[1][at..at + LANES]);
            ray[2].store_slice(&mut planes[2][at..at + LANES]);
        }
    }
}

/// Depth slabs of a list: enough that a slab is a small part of it.
const SLABS: usize = 256;

/// Slabs are sorted together until this many entries are at hand.
const BATCH: usize = 512;

impl Search {
    /// Lays out the rays of an area.
    #[inline(always)]
    pub(crate) fn lay<S: Simd>(&mut self, simd: S, rays: &Rays, area: Area, offsets: &[[f32; 2]]) {
        self.paths.resize_with(offsets.len(), Paths::default);
        for (paths, &offset) in self.paths.iter_mut().zip(offsets) {
            paths.lay(simd, rays, area, offset);
        }
    }

    /// Finds what the samples of `area` see among the spheres of `lists`.
    #[inline(always)]
    pub(crate) fn find<S: Simd>(
        &mut self,
        simd: S,
        roster: &SphereInstances<'_>,
        (rays, lens): (&Rays, &Lens),
        (area, offsets): (Area, &[[f32; 2]]),
        lists: &[&[Entry]],
        sight: &mut Sight,
    ) {
        self.lay(simd, rays, area, offsets);
        sight.stride = area.stride();
        sight.layers.resize_with(offsets.len(), Layer::default);
        sight.layers.iter_mut().for_each(|layer| layer.clear(area.room()));
        let slabs = Slabs::of(lists);
        self.counts.clear();
        self.counts.resize(SLABS + 1, 0);
        for list in lists {
            for entry in *list {
                self.counts[slabs.slab(entry) + 1] += 1;
            }
        }
        let mut first = 0;
        let mut done = 0;
        while first < SLABS {
            // the next slabs that make a batch, a larger one each time
            let (mut end, mut count) = (first, 0);
            while end < SLABS && count < BATCH.max(done) {
                count += self.counts[end + 1] as usize;
                end += 1;
            }
            if count == 0 {
                break;
            }
            if done > 0 && farthest_of(simd, &sight.layers, sight.stride, area) < slabs.start(first) {
                break;
            }
            self.sort(&slabs, first..end, count, lists);
            self.see(simd, roster, lens, area, sight);
            done += count;
            first = end;
        }
    }

    /// Counting sort of the entries of some slabs into `sorted`.
    #[inline(always)]
    fn sort(&mut self, slabs: &Slabs, range: std::ops::Range<usize>, count: usize, lists: &[&[Entry]]) {
        let mut places = [0u32; SLABS];
        let mut place = 0;
        for slab in range.clone() {
            places[slab] = place;
            place += self.counts[slab + 1];
        }
        self.sorted.resize(count.max(self.sorted.len()), Entry { index: 0, near: 0.0 });
        self.sorted.truncate(count);
        for list in lists {
            for entry in *list {
                let slab = slabs.slab(entry);
                if range.contains(&slab) {
                    self.sorted[places[slab] as usize] = *entry;
                    places[slab] += 1;
                }
            }
        }
    }

    /// Looks at the spheres of `sorted`.
    #[inline(always)]
    fn see<S: Simd>(&mut self, simd: S, roster: &SphereInstances<'_>, lens: &Lens, area: Area, sight: &mut Sight) {
        let Self { paths, sorted, .. } = self;
        let Sight { layers, stride } = sight;
        let mut last = (Target::NONE, u32::MAX);
        for entries in sorted.chunks(ROUND) {
            let farthest = farthest_of(simd, layers, *stride, area);
            // all loads of a round first: spheres lie anywhere in memory, and their waits overlap
            let mut round = [(0, EyeSphere::EMPTY); ROUND];
            let mut filled = 0;
            for entry in entries.iter().filter(|entry| entry.near <= farthest) {
                round[filled] = (entry.index, roster.sphere(entry.index).0);
                filled += 1;
            }
            for spheres in round[..filled].chunks(LANES) {
                let mut group = Group::EMPTY;
                for (lane, (_, seen)) in spheres.iter().enumerate() {
                    [group.x[lane], group.y[lane], group.z[lane]] = seen.center;
                    group.radius[lane] = seen.radius;
                }
                let reach = lens.reach(simd, &group);
                for (lane, &(index, seen)) in spheres.iter().enumerate() {
                    let Some(part) = Part::of(&reach, lane, area) else { continue };
                    let target = Target::new(seen);
                    // a copy in the place of the sphere before it, of higher index, is never seen
                    if last.0 == target && last.1 < index {
                        continue;
                    }
                    last = (target, index);
                    for (layer, paths) in layers.iter_mut().zip(&*paths) {
                        let near = reach.near[lane];
                        if paths.start[0].is_empty() {
                            look::<S, false>(simd, (layer, paths), *stride, part, (index, near), &target);
                        } else {
                            look::<S, true>(simd, (layer, paths), *stride, part, (index, near), &target);
                        }
                    }
                }
            }
        }
    }
}

/// Spheres that are looked up together, between two looks at the farthest distance.
const ROUND: usize = 64;

/// The greatest distance seen in the area; infinite when a sample sees nothing yet.
#[inline(always)]
fn farthest_of<S: Simd>(simd: S, layers: &[Layer], stride: usize, area: Area) -> f32 {
    let mut farthest = f32x8::splat(simd, 0.0);
    for layer in layers {
        for row in layer.distance.chunks_exact(stride) {
            let (lanes, rest) = row[..area.width as usize].as_chunks::<LANES>();
            for distance in lanes {
                farthest = farthest.max(f32x8::load_array_ref(simd, distance));
            }
            for &distance in rest {
                farthest = farthest.max(f32x8::splat(simd, distance));
            }
        }
    }
    farthest.reduce_max()
}

/// Columns and rows of an area that a sphere can touch.
#[derive(Clone, Copy)]
struct Part {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Part {
    #[inline(always)]
    fn of(reach: &Reach, lane: usize, area: Area) -> Option<Self> {
        let clip = |value: f32, start: u32, length: u32| (value as u32).clamp(start, start + length) - start;
        let part = Self {
            left: clip(reach.left[lane], area.x, area.width) as usize,
            right: clip(reach.right[lane], area.x, area.width) as usize,
            top: clip(reach.top[lane], area.y, area.height) as usize,
            bottom: clip(reach.bottom[lane], area.y, area.height) as usize,
        };
        (part.left < part.right && part.top < part.bottom).then_some(part)
    }
}

/// Looks for one sphere in its part of a layer.
#[inline(always)]
fn look<S: Simd, const PARALLEL: bool>(
    simd: S,
    (layer, paths): (&mut Layer, &Paths),
    stride: usize,
    part: Part,
    (index, near): (u32, f32),
    target: &Target,
) {
    let near = f32x8::splat(simd, near);
    let length = (part.right - part.left).next_multiple_of(LANES);
    let [dx, dy, dz] = &paths.direction;
    for row in part.top..part.bottom {
        let start = row * stride + part.left;
        let end = start + length;
        let (distances, _) = layer.distance[start..end].as_chunks_mut::<LANES>();
        let (dx, _) = dx[start..end].as_chunks::<LANES>();
        let (dy, _) = dy[start..end].as_chunks::<LANES>();
        let (dz, _) = dz[start..end].as_chunks::<LANES>();
        for (((distance, dx), dy), (dz, at)) in
            distances.iter_mut().zip(dx).zip(dy).zip(dz.iter().zip((start..end).step_by(LANES)))
        {
            let seen = f32x8::load_array_ref(simd, distance);
            if !near.simd_le(seen).any_true() {
                continue;
            }
            let direction =
                [f32x8::load_array_ref(simd, dx), f32x8::load_array_ref(simd, dy), f32x8::load_array_ref(simd, dz)];
            let origin = if PARALLEL {
                let [x, y, z] = &paths.start;
                let lanes = at..at + LANES;
                Some([
                    f32x8::from_slice(simd, &x[lanes.clone()]),
                    f32x8::from_slice(simd, &y[lanes.clone()]),
                    f32x8::from_slice(simd, &z[lanes]),
                ])
            } else {
                None
            };
            let pass = target.pass(simd, direction, origin);
            if !pass.disc.simd_ge(0.0).any_true() {
                continue;
            }
            let (crossing, depth) = target.nearest(simd, pass, PARALLEL);
            let indices = &mut layer.index[at..at + LANES];
            let owners = u32x8::from_slice(simd, indices);
            let mine = u32x8::splat(simd, index);
            let nearer = is_nearer(crossing, seen, mine.simd_lt(owners));
            if nearer.any_true() {
                nearer.select(crossing, seen).store_array(distance);
                nearer.select(mine, owners).store_slice(indices);
                let cosines = &mut layer.cosine[at..at + LANES];
                let cosine = nearer.select(depth * target.inverse_radius, f32x8::from_slice(simd, cosines));
                cosine.store_slice(cosines);
            }
        }
    }
}

/// Equal slabs in the order of `f32` bits between the least and greatest depth of a list.
#[derive(Clone, Copy, Debug)]
struct Slabs {
    least: u32,
    shift: u32,
}

impl Slabs {
    #[inline(always)]
    fn of(lists: &[&[Entry]]) -> Self {
        let (mut least, mut greatest) = (u32::MAX, 0);
        for list in lists {
            for entry in *list {
                // depths are ≥ 0, where bits are in the order of values
                let bits = entry.near.to_bits();
                least = least.min(bits);
                greatest = greatest.max(bits);
            }
        }
        let range = greatest.saturating_sub(least);
        let shift = (u32::BITS - range.leading_zeros()).saturating_sub(SLABS.ilog2());
        Self { least, shift }
    }

    #[inline(always)]
    fn slab(&self, entry: &Entry) -> usize {
        ((entry.near.to_bits() - self.least) >> self.shift) as usize
    }

    /// The least depth in a slab.
    #[inline(always)]
    fn start(&self, slab: usize) -> f32 {
        f32::from_bits(self.least + ((slab as u32) << self.shift))
    }
}
