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

use crate::scene::{Rays, Roster};
use crate::tiles::spheres::{Entry, Group, LANES, Lens, Reach};
use crate::trace::crossing::{Beams, Target, is_nearer};

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
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
    /// Unit directions of the rays, one plane an axis.
    direction: [Vec<f32>; 3],
    /// Where parallel rays start, one plane an axis; empty in perspective.
    start: [Vec<f32>; 3],
}

/// The nearest hits of an area, and the room to find them.
#[derive(Debug, Default)]
pub(crate) struct Sight {
    /// One layer a sample.
    pub layers: Vec<Layer>,
    /// From one row of a plane to the next.
    pub stride: usize,
    sorted: Vec<Entry>,
    counts: Vec<u32>,
}

impl Layer {
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

    /// Empties the layer and lays out its rays.
    #[inline(always)]
    fn begin(&mut self, rays: &Rays, area: Area, stride: usize, [sx, sy]: [f32; 2]) {
        let length = stride * area.height as usize;
        self.distance.clear();
        self.distance.resize(length, f32::INFINITY);
        self.index.clear();
        self.index.resize(length, 0);
        self.cosine.resize(length, 0.0);
        let place = |planes: &mut [Vec<f32>; 3], ray: &dyn Fn(f32, f32) -> [f32; 3]| {
            for plane in planes.iter_mut() {
                plane.resize(length, 0.0);
            }
            for row in 0..area.height {
                let y = (area.y + row) as f32 + sy;
                for column in 0..stride as u32 {
                    let at = row as usize * stride + column as usize;
                    let components = ray((area.x + column) as f32 + sx, y);
                    for (plane, component) in planes.iter_mut().zip(components) {
                        plane[at] = component;
                    }
                }
            }
        };
        place(&mut self.direction, &|x, y| rays.direction(x, y));
        if rays.parallel {
            place(&mut self.start, &|x, y| rays.start(x, y));
        } else {
            self.start = Default::default();
        }
    }
}

/// Depth slabs of a list: enough that a slab is a small part of it.
const SLABS: usize = 256;

/// Slabs are sorted together until this many entries are at hand.
const BATCH: usize = 512;

impl Sight {
    /// Finds what the samples of `area` see among the spheres of `lists`.
    #[inline(always)]
    pub(crate) fn find<'a, S: Simd>(
        &mut self,
        simd: S,
        roster: &Roster<'_>,
        (rays, lens): (&Rays, &Lens),
        (area, offsets): (Area, &[[f32; 2]]),
        lists: impl Iterator<Item = &'a [Entry]> + Clone,
    ) {
        self.stride = (area.width as usize).next_multiple_of(LANES) + LANES;
        self.layers.resize_with(offsets.len(), Layer::default);
        for (layer, &offset) in self.layers.iter_mut().zip(offsets) {
            layer.begin(rays, area, self.stride, offset);
        }
        let slabs = Slabs::of(lists.clone());
        self.counts.clear();
        self.counts.resize(SLABS + 1, 0);
        for entry in lists.clone().flatten() {
            self.counts[slabs.slab(entry) + 1] += 1;
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
            if done > 0 && farthest_of(simd, &self.layers, self.stride, area) < slabs.start(first) {
                break;
            }
            self.sort(&slabs, first..end, count, lists.clone());
            self.see(simd, roster, lens, area);
            done += count;
            first = end;
        }
    }

    /// Counting sort of the entries of some slabs into `sorted`.
    #[inline(always)]
    fn sort<'a>(
        &mut self,
        slabs: &Slabs,
        range: std::ops::Range<usize>,
        count: usize,
        lists: impl Iterator<Item = &'a [Entry]>,
    ) {
        let mut places = [0u32; SLABS];
        let mut place = 0;
        for slab in range.clone() {
            places[slab] = place;
            place += self.counts[slab + 1];
        }
        self.sorted.resize(count.max(self.sorted.len()), Entry { index: 0, near: 0.0 });
        self.sorted.truncate(count);
        for entry in lists.flatten() {
            let slab = slabs.slab(entry);
            if range.contains(&slab) {
                self.sorted[places[slab] as usize] = *entry;
                places[slab] += 1;
            }
        }
    }

    /// Looks at the spheres of `sorted`.
    #[inline(always)]
    fn see<S: Simd>(&mut self, simd: S, roster: &Roster<'_>, lens: &Lens, area: Area) {
        let Self { layers, stride, sorted, .. } = self;
        let mut group = Group::EMPTY;
        let mut targets =
            [Target { center: [0.0; 3], radius_squared: 0.0, power: 0.0, inverse_radius: 0.0, unit: 1.0 }; LANES];
        let mut farthest = f32::INFINITY;
        let mut last = None;
        for (round, entries) in sorted.chunks(LANES).enumerate() {
            if round % 8 == 0 {
                farthest = farthest_of(simd, layers, *stride, area);
            }
            for (lane, entry) in entries.iter().enumerate() {
                let (seen, _) = roster.sphere(entry.index);
                [group.x[lane], group.y[lane], group.z[lane]] = seen.center;
                group.radius[lane] = seen.radius;
                targets[lane] = Target::new(seen);
            }
            let reach = lens.reach(simd, &group);
            for (lane, entry) in entries.iter().enumerate() {
                let target = &targets[lane];
                // a copy in the same place as the sphere before it, of higher index, is never seen
                let copy = last.is_some_and(|(sphere, index)| sphere == *target && index < entry.index);
                if reach.near[lane] > farthest || copy {
                    continue;
                }
                last = Some((*target, entry.index));
                if let Some(part) = Part::of(&reach, lane, area) {
                    for layer in layers.iter_mut() {
                        look(simd, layer, *stride, part, (entry.index, reach.near[lane]), target);
                    }
                }
            }
        }
    }
}

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
fn look<S: Simd>(simd: S, layer: &mut Layer, stride: usize, part: Part, (index, near): (u32, f32), target: &Target) {
    for row in part.top..part.bottom {
        let end = row * stride + part.right;
        let mut at = row * stride + part.left;
        while at < end {
            let lanes = at..at + LANES;
            let load = |plane: &[f32]| f32x8::from_slice(simd, &plane[lanes.clone()]);
            let seen = load(&layer.distance);
            if seen.simd_ge(near).any_true() {
                let parallel = !layer.start[0].is_empty();
                let beams = Beams {
                    direction: [&layer.direction[0], &layer.direction[1], &layer.direction[2]].map(|plane| load(plane)),
                    start: parallel
                        .then(|| [&layer.start[0], &layer.start[1], &layer.start[2]].map(|plane| load(plane))),
                };
                let (b, disc) = target.lines(simd, &beams);
                if disc.simd_ge(0.0).any_true() {
                    let crossing = target.nearest(simd, &beams, b, disc);
                    let indices = u32x8::from_slice(simd, &layer.index[lanes.clone()]);
                    let nearer = is_nearer(crossing.distance, seen, || u32x8::splat(simd, index).simd_lt(indices));
                    if nearer.any_true() {
                        let cosine = crossing.depth * target.inverse_radius;
                        nearer.select(crossing.distance, seen).store_slice(&mut layer.distance[lanes.clone()]);
                        nearer.select(u32x8::splat(simd, index), indices).store_slice(&mut layer.index[lanes.clone()]);
                        let before = f32x8::from_slice(simd, &layer.cosine[lanes.clone()]);
                        nearer.select(cosine, before).store_slice(&mut layer.cosine[lanes]);
                    }
                }
            }
            at += LANES;
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
    fn of<'a>(lists: impl Iterator<Item = &'a [Entry]>) -> Self {
        let (mut least, mut greatest) = (u32::MAX, 0);
        for entry in lists.flatten() {
            // depths are ≥ 0, where bits are in the order of values
            let bits = entry.near.to_bits();
            least = least.min(bits);
            greatest = greatest.max(bits);
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
