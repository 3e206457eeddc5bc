//! Finds the nearest hit of every sample of a tile: the tile's lists in; distances, indices and cosines out.
//!
//! Entries are processed front to back in slabs of depth, by a counting sort, with an early out: once every sample of
//! the tile has a hit nearer than the next slab, the rest of the list is never touched. Within a slab the order does
//! not matter, because nearest hits and their tie rule do not depend on it.
#![expect(clippy::cast_possible_truncation, reason = "counts fit the lists they come from; slabs are few")]

use std::ops::Range;

use fearless_simd::{Level, dispatch, f32x8, prelude::*, u32x8};

use super::clip::{ClipRegion, cut_hits};
use super::sample_rays::{SampleGrid, SampleRays};
use crate::geom::Sphere;
use crate::lanes::{LANES, Sphere8, dot};
use crate::scene::{Placeable, PlacedList, Rays, SphereInstances};
use crate::shapes::{ListVisitor, Primitive, TIE, Target, VastSphere, is_nearer, visit_lists};
use crate::tiles::shape_bounds::Projected;
use crate::tiles::sphere_bins::SphereEntry;
use crate::tiles::sphere_projector::{ScreenBounds, SphereProjector};

/// A scene as primary rays see it.
#[derive(Clone, Copy)]
pub(crate) struct PrimaryScene<'a> {
    pub level: Level,
    pub instances: &'a SphereInstances<'a>,
    pub rays: &'a Rays,
    pub projector: &'a SphereProjector,
    /// Sub-pixel positions of the samples.
    pub positions: &'a [[f32; 2]],
    pub clip: Option<&'a ClipRegion>,
}

/// A tile of a scene.
#[derive(Clone, Copy)]
pub(crate) struct PrimaryTile<'a> {
    pub scene: &'a PrimaryScene<'a>,
    pub grid: SampleGrid,
}

/// The nearest hits of a tile.
#[derive(Debug, Default)]
pub(crate) struct HitBuffer {
    /// One layer per sample of a pixel, or one with the samples of a pixel side by side.
    pub layers: Vec<HitLayer>,
}

/// Nearest hits of one sample of every pixel, or of all samples side by side, in a plane of a [`SampleGrid`].
#[derive(Debug, Default)]
pub(crate) struct HitLayer {
    /// Distance to the nearest hit; infinite without one.
    pub distance: Vec<f32>,
    /// Index of the sphere that is hit.
    pub index: Vec<u32>,
    /// Cosine between the hit's normal and the ray. In a clipped scene: 0, or on a cap the sphere's negative depth
    /// there.
    pub cosine: Vec<f32>,
}

/// Finds hits; keeps its memory from tile to tile.
#[derive(Debug, Default)]
pub(crate) struct PrimarySearch {
    /// The rays of each layer of samples.
    pub rays: Vec<SampleRays>,
    sorted: Vec<SphereEntry>,
    counts: Vec<u32>,
}

impl HitBuffer {
    /// Starts a tile with this many sample layers, without hits.
    pub(crate) fn clear(&mut self, layers: usize, grid: SampleGrid) {
        self.layers.resize_with(layers, HitLayer::default);
        self.layers.iter_mut().for_each(|layer| layer.clear(grid.plane()));
    }

    /// The nearest depth along the line of sight in each pixel of a tile; infinite for background.
    pub(crate) fn depths(&self, rays: &[SampleRays], grid: SampleGrid, forward: [f32; 3]) -> Vec<f32> {
        let mut depths = Vec::with_capacity(grid.pixels());
        for start in grid.rows() {
            depths.extend((start..start + grid.inner_width()).map(|at| {
                let depth = |(layer, rays): (&HitLayer, &SampleRays)| {
                    if layer.distance[at] == f32::INFINITY {
                        f32::INFINITY
                    } else {
                        layer.distance[at] * dot(rays.direction(at), forward)
                    }
                };
                self.layers.iter().zip(rays).map(depth).fold(f32::INFINITY, f32::min)
            }));
        }
        depths
    }
}

impl HitLayer {
    /// Starts a plane of this length, without hits.
    pub(crate) fn clear(&mut self, length: usize) {
        self.distance.clear();
        self.distance.resize(length, f32::INFINITY);
        self.index.clear();
        self.index.resize(length, 0);
        self.cosine.resize(length, 0.0);
    }
}

/// tuned: benches/spheres.rs S1. Slabs of depth: enough that a slab is a small part of a list.
pub(crate) const SLABS: usize = 256;

/// tuned: benches/spheres.rs S1 and T1. Slabs are sorted together until they hold this many entries.
const BATCH: usize = 512;

/// tuned: benches/spheres.rs S1. Spheres loaded together.
const ROUND: usize = 64;

impl PrimarySearch {
    /// Computes the rays of a tile.
    pub(crate) fn fill_rays(&mut self, tile: PrimaryTile<'_>) {
        dispatch!(tile.scene.level, simd => self.fill_rays_with(simd, tile));
    }

    #[inline(always)]
    fn fill_rays_with<S: Simd>(&mut self, simd: S, PrimaryTile { scene, grid }: PrimaryTile<'_>) {
        let layers = scene.positions.chunks(grid.abreast as usize);
        self.rays.resize_with(layers.len(), SampleRays::default);
        for (rays, positions) in self.rays.iter_mut().zip(layers) {
            rays.fill_abreast(simd, scene.rays, grid, positions);
        }
        if let Some(clip) = scene.clip {
            self.rays.iter_mut().for_each(|rays| rays.clip(simd, clip));
        }
    }

    /// Computes the rays of a tile, and finds their nearest hits among the spheres of `lists`.
    pub(crate) fn find(&mut self, tile: PrimaryTile<'_>, lists: &[&[SphereEntry]], hits: &mut HitBuffer) {
        hits.clear(tile.scene.positions.len(), tile.grid);
        self.find_nearer(tile, lists, hits);
    }

    /// Intersects the spheres of `lists` and keeps the nearer hit of each sample; at equal distances the lower index
    /// wins.
    pub(crate) fn find_nearer(&mut self, tile: PrimaryTile<'_>, lists: &[&[SphereEntry]], hits: &mut HitBuffer) {
        self.fill_rays(tile);
        // the only call site: the kernel is large, and is compiled for each
        dispatch!(tile.scene.level, simd => self.find_nearer_with(simd, tile, lists, hits, &Spheres));
    }

    /// The same for other shapes, with the rays computed before; `kinds` has the lists of each kind.
    pub(crate) fn find_shapes(&mut self, tile: PrimaryTile<'_>, kinds: &[Vec<&[SphereEntry]>], hits: &mut HitBuffer) {
        let shapes = &tile.scene.instances.shapes;
        visit_lists(shapes, &mut ShapeSearch { search: self, tile, kinds: kinds.iter(), hits });
    }

    #[inline(always)]
    fn find_nearer_with<S: Simd>(
        &mut self,
        simd: S,
        tile: PrimaryTile<'_>,
        lists: &[&[SphereEntry]],
        hits: &mut HitBuffer,
        kind: &impl Listed,
    ) {
        let slabs = Slabs::of(lists, &mut self.counts);
        let (mut first, mut done) = (0, 0);
        while first < SLABS {
            let (end, count) = next_batch(&self.counts, first, done);
            if count == 0 || farthest(simd, &hits.layers, tile.grid) < slabs.start(first) {
                break;
            }
            self.sort(&slabs, first..end, count, lists);
            kind.intersect(self, simd, tile, hits);
            done += count;
            first = end;
        }
    }

    /// Counting sort of the entries of some slabs into `sorted`.
    #[inline(always)]
    fn sort(&mut self, slabs: &Slabs, range: Range<usize>, count: usize, lists: &[&[SphereEntry]]) {
        let mut positions = [0u32; SLABS];
        let mut position = 0;
        for slab in range.clone() {
            positions[slab] = position;
            position += self.counts[slab];
        }
        self.sorted.resize(count.max(self.sorted.len()), SphereEntry { index: 0, near: 0.0 });
        self.sorted.truncate(count);
        for list in lists {
            for entry in *list {
                let slab = slabs.slab(entry);
                if range.contains(&slab) {
                    self.sorted[positions[slab] as usize] = *entry;
                    positions[slab] += 1;
                }
            }
        }
    }
}

/// A kind of primitive that a tile's lists hold.
trait Listed {
    /// Intersects the primitives of `sorted` with the tile's rays.
    fn intersect<S: Simd>(&self, search: &mut PrimarySearch, simd: S, tile: PrimaryTile<'_>, hits: &mut HitBuffer);
}

/// Spheres; entries hold indices among all instances.
struct Spheres;

impl Listed for Spheres {
    #[inline(always)]
    fn intersect<S: Simd>(&self, search: &mut PrimarySearch, simd: S, tile: PrimaryTile<'_>, hits: &mut HitBuffer) {
        let (PrimarySearch { rays, sorted, .. }, PrimaryTile { scene, grid }) = (search, tile);
        let mut last = (<Sphere<3> as Primitive>::Target::NONE, u32::MAX);
        let mut farthest_yet = f32::INFINITY;
        // looking through all samples takes longer where a plane holds more of them
        let between = grid.abreast as usize;
        for (round, entries) in sorted.chunks(ROUND).enumerate() {
            if round % between == 0 {
                farthest_yet = farthest(simd, &hits.layers, grid);
            }
            // spheres are scattered in memory: load a whole round first, so that cache misses overlap
            let mut round = [(0, Sphere::EMPTY); ROUND];
            let mut filled = 0;
            for entry in entries.iter().filter(|entry| entry.near <= farthest_yet) {
                round[filled] = (entry.index, scene.instances.sphere(entry.index).0);
                filled += 1;
            }
            for spheres in round[..filled].chunks(LANES) {
                let mut group = Sphere8::EMPTY;
                for (lane, (_, Sphere { center, radius })) in spheres.iter().enumerate() {
                    group.set(lane, *center, *radius);
                }
                let bounds = scene.projector.bounds(simd, &group);
                for (lane, &(index, sphere)) in spheres.iter().enumerate() {
                    let Some(part) = TilePart::of(&bounds, lane, grid) else { continue };
                    let near = bounds.near[lane];
                    if let Some(target) = VastSphere::of(sphere, scene.rays, scene.instances, index) {
                        PrimaryCandidate { target, index, kind_from: 0, near, part }
                            .intersect_vast(simd, hits, rays, grid);
                        continue;
                    }
                    let target = sphere.target();
                    // a coincident copy with a higher index is never seen
                    if last.0 == target && last.1 < index {
                        continue;
                    }
                    last = (target, index);
                    let candidate = PrimaryCandidate { target, index, kind_from: 0, near, part };
                    candidate.intersect_layers(simd, hits, rays, grid);
                }
            }
        }
    }
}

/// Shapes of another kind; entries hold indices into the list.
impl<T: Placeable<Solid: Primitive>> Listed for PlacedList<'_, T> {
    #[inline(always)]
    fn intersect<S: Simd>(&self, search: &mut PrimarySearch, simd: S, tile: PrimaryTile<'_>, hits: &mut HitBuffer) {
        let (PrimarySearch { rays, sorted, .. }, PrimaryTile { scene, grid }) = (search, tile);
        let mut round = Vec::with_capacity(ROUND);
        for entries in sorted.chunks(ROUND) {
            let farthest_yet = farthest(simd, &hits.layers, grid);
            // shapes are scattered in memory, like spheres
            round.clear();
            round.extend(entries.iter().filter(|entry| entry.near <= farthest_yet).map(|entry| {
                let (shape, pose) = self.posed(entry.index);
                (entry.index, shape.clone(), pose)
            }));
            for shapes in round.chunks(LANES) {
                let solids = self.solids(simd, shapes.len(), |at| (&shapes[at].1, shapes[at].2));
                let bounds = T::Solid::bounds8(simd, scene.projector, &solids[..shapes.len()]);
                for (lane, &(number, ..)) in shapes.iter().enumerate() {
                    let Some(part) = TilePart::of(&bounds, lane, grid) else { continue };
                    let (target, index, kind_from) = (solids[lane].target(), self.index(number), self.first);
                    let candidate = PrimaryCandidate { target, index, kind_from, near: bounds.near[lane], part };
                    candidate.intersect_layers(simd, hits, rays, grid);
                }
            }
        }
    }
}

/// Searches the lists of each kind of shape.
struct ShapeSearch<'a, 'b> {
    search: &'a mut PrimarySearch,
    tile: PrimaryTile<'b>,
    kinds: std::slice::Iter<'a, Vec<&'a [SphereEntry]>>,
    hits: &'a mut HitBuffer,
}

impl ListVisitor for ShapeSearch<'_, '_> {
    fn visit<T: Placeable<Solid: Primitive>>(&mut self, shapes: &PlacedList<'_, T>) {
        let Self { search, tile, kinds, hits } = self;
        if let Some(lists) = kinds.next().filter(|lists| !lists.is_empty()) {
            dispatch!(tile.scene.level, simd => search.find_nearer_with(simd, *tile, lists, hits, shapes));
        }
    }
}

/// The greatest hit distance in the tile; infinite while a sample has no hit.
#[inline(always)]
fn farthest<S: Simd>(simd: S, layers: &[HitLayer], grid: SampleGrid) -> f32 {
    // four accumulators, to hide the latency of each
    let mut farthest = [f32x8::splat(simd, 0.0); 4];
    for layer in layers {
        for row in layer.distance.chunks_exact(grid.stride()) {
            let (lanes, rest) = row[..grid.row_length()].as_chunks::<LANES>();
            let (fours, few) = lanes.as_chunks::<4>();
            for [first, second, third, fourth] in fours {
                farthest[0] = farthest[0].max(f32x8::load_array_ref(simd, first));
                farthest[1] = farthest[1].max(f32x8::load_array_ref(simd, second));
                farthest[2] = farthest[2].max(f32x8::load_array_ref(simd, third));
                farthest[3] = farthest[3].max(f32x8::load_array_ref(simd, fourth));
            }
            for distance in few {
                farthest[0] = farthest[0].max(f32x8::load_array_ref(simd, distance));
            }
            for &distance in rest {
                farthest[0] = farthest[0].max(f32x8::splat(simd, distance));
            }
        }
    }
    let [first, second, third, fourth] = farthest;
    first.max(second).max(third.max(fourth)).reduce_max()
}

/// Columns of samples and rows of a tile that a sphere can touch.
#[derive(Clone, Copy)]
pub(crate) struct TilePart {
    pub left: usize,
    pub right: usize,
    pub top: usize,
    pub bottom: usize,
}

impl TilePart {
    #[inline(always)]
    pub(crate) fn of(bounds: &ScreenBounds, lane: usize, grid: SampleGrid) -> Option<Self> {
        let clip = |value: f32, start: i32, length: u32| {
            (value as i32).clamp(start, start + length.cast_signed()).abs_diff(start) as usize
        };
        let abreast = grid.abreast as usize;
        let part = Self {
            left: clip(bounds.left[lane], grid.x, grid.width) * abreast,
            right: clip(bounds.right[lane], grid.x, grid.width) * abreast,
            top: clip(bounds.top[lane], grid.y, grid.height),
            bottom: clip(bounds.bottom[lane], grid.y, grid.height),
        };
        (part.left < part.right && part.top < part.bottom).then_some(part)
    }

    /// The part inside these rows.
    #[inline(always)]
    pub(crate) fn of_rows(self, rows: &Range<usize>) -> Option<Self> {
        let part = Self { top: self.top.max(rows.start), bottom: self.bottom.min(rows.end), ..self };
        (part.top < part.bottom).then_some(part)
    }
}

/// A primitive that may be the nearest in its part of a tile.
struct PrimaryCandidate<T> {
    target: T,
    index: u32,
    /// The least index of its kind: kinds with lower ones were intersected before.
    kind_from: u32,
    /// The least depth of a hit.
    near: f32,
    part: TilePart,
}

impl PrimaryCandidate<VastSphere> {
    /// Intersects a vast sphere with all samples; not inlined, so that other spheres have the smaller kernel.
    #[cold]
    fn intersect_vast<S: Simd>(&self, simd: S, hits: &mut HitBuffer, rays: &[SampleRays], grid: SampleGrid) {
        simd.vectorize(
            #[inline(always)]
            || self.intersect_layers(simd, hits, rays, grid),
        );
    }
}

impl<T: Target> PrimaryCandidate<T> {
    /// The distances that hits must beat, given the nearest so far: kinds round differently, so that about as near as
    /// another kind is a tie, which goes to the lower index.
    #[inline(always)]
    fn limit<S: Simd>(&self, simd: S, so_far: f32x8<S>, owners: u32x8<S>) -> f32x8<S> {
        if self.kind_from == 0 {
            return so_far;
        }
        let is_other_kind = owners.simd_lt(u32x8::splat(simd, self.kind_from));
        is_other_kind.select(so_far * (1.0 - TIE), so_far)
    }

    /// Intersects the primitive with all samples of the tile.
    #[inline(always)]
    fn intersect_layers<S: Simd>(&self, simd: S, hits: &mut HitBuffer, rays: &[SampleRays], grid: SampleGrid) {
        for (layer, rays) in hits.layers.iter_mut().zip(rays) {
            if rays.are_clipped() {
                self.intersect_cut(simd, layer, rays, grid);
            } else if rays.are_parallel() {
                self.intersect::<S, true>(simd, layer, rays, grid);
            } else {
                self.intersect::<S, false>(simd, layer, rays, grid);
            }
        }
    }

    /// Intersects the primitive with one layer of samples.
    #[inline(always)]
    fn intersect<S: Simd, const PARALLEL: bool>(
        &self,
        simd: S,
        layer: &mut HitLayer,
        rays: &SampleRays,
        grid: SampleGrid,
    ) {
        let TilePart { left, right, top, bottom } = self.part;
        let near = f32x8::splat(simd, self.near);
        let length = (right - left).next_multiple_of(LANES);
        let [dx, dy, dz] = rays.direction_planes();
        for row in top..bottom {
            let start = row * grid.stride() + left;
            let end = start + length;
            let (distances, _) = layer.distance[start..end].as_chunks_mut::<LANES>();
            let (dx, _) = dx[start..end].as_chunks::<LANES>();
            let (dy, _) = dy[start..end].as_chunks::<LANES>();
            let (dz, _) = dz[start..end].as_chunks::<LANES>();
            for (((distance, dx), dy), (dz, at)) in
                distances.iter_mut().zip(dx).zip(dy).zip(dz.iter().zip((start..end).step_by(LANES)))
            {
                let so_far = f32x8::load_array_ref(simd, distance);
                if !near.simd_le(so_far).any_true() {
                    continue;
                }
                let direction =
                    [f32x8::load_array_ref(simd, dx), f32x8::load_array_ref(simd, dy), f32x8::load_array_ref(simd, dz)];
                let origins = if PARALLEL { Some(rays.origins8(simd, at)) } else { None };
                let approach = self.target.approach(simd, direction, origins);
                if !T::meets(approach).any_true() {
                    continue;
                }
                let crossing = self.target.nearest::<S, PARALLEL>(simd, approach);
                let indices = &mut layer.index[at..at + LANES];
                let owners = u32x8::from_slice(simd, indices);
                let own = self.target.owners(simd, self.index, approach, crossing.distance);
                let limit = self.limit(simd, so_far, owners);
                let nearer = is_nearer(crossing.distance, limit, own.simd_lt(owners));
                if nearer.any_true() {
                    nearer.select(crossing.distance, so_far).store_array(distance);
                    nearer.select(own, owners).store_slice(indices);
                    let cosines = &mut layer.cosine[at..at + LANES];
                    nearer.select(crossing.cosine, f32x8::from_slice(simd, cosines)).store_slice(cosines);
                }
            }
        }
    }

    /// Intersects the primitive, cut by planes, with one layer of samples. Of caps at the same distance, the one
    /// deepest inside its primitive wins.
    fn intersect_cut<S: Simd>(&self, simd: S, layer: &mut HitLayer, rays: &SampleRays, grid: SampleGrid) {
        let TilePart { left, right, top, bottom } = self.part;
        simd.vectorize(
            #[inline(always)]
            || {
                for row in top..bottom {
                    let start = row * grid.stride() + left;
                    for at in (start..start + (right - left)).step_by(LANES) {
                        let Some(kept) = rays.kept8(simd, at) else { return };
                        let so_far = f32x8::from_slice(simd, &layer.distance[at..at + LANES]);
                        if !f32x8::splat(simd, self.near).simd_le(so_far).any_true() {
                            continue;
                        }
                        let origins = rays.are_parallel().then(|| rays.origins8(simd, at));
                        let hits = cut_hits(simd, &self.target, rays.directions8(simd, at), origins, kept);
                        if !hits.is_hit.any_true() {
                            continue;
                        }
                        let owners = u32x8::from_slice(simd, &layer.index[at..at + LANES]);
                        let depths = f32x8::from_slice(simd, &layer.cosine[at..at + LANES]);
                        let own = self.target.owners(simd, self.index, hits.approach, hits.distance);
                        // 0 on a sphere's own surface
                        let depth = hits.is_cap.select(hits.depth, f32x8::splat(simd, 0.0));
                        let is_first = depth.simd_lt(depths) | (depth.simd_eq(depths) & own.simd_lt(owners));
                        // caps of one plane are exactly as near
                        let limit = hits.is_cap.select(so_far, self.limit(simd, so_far, owners));
                        let nearer = hits.is_hit & is_nearer(hits.distance, limit, is_first);
                        nearer.select(hits.distance, so_far).store_slice(&mut layer.distance[at..at + LANES]);
                        nearer.select(own, owners).store_slice(&mut layer.index[at..at + LANES]);
                        nearer.select(depth, depths).store_slice(&mut layer.cosine[at..at + LANES]);
                    }
                }
            },
        );
    }
}

/// The end of the slabs from `first` on that fill a batch, and their number of entries. Batches grow: each has about as
/// many entries as are `done` before it.
#[inline(always)]
pub(crate) fn next_batch(counts: &[u32], first: usize, done: usize) -> (usize, usize) {
    let (mut end, mut count) = (first, 0);
    while end < SLABS && count < BATCH.max(done) {
        count += counts[end] as usize;
        end += 1;
    }
    (end, count)
}

/// Divides the depths of some lists, from least to greatest, into slabs of equal width in the order of `f32` bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slabs {
    least: u32,
    shift: u32,
}

impl Slabs {
    /// The slabs of some lists; sets `counts` to the number of entries in each.
    #[inline(always)]
    pub(crate) fn of(lists: &[&[SphereEntry]], counts: &mut Vec<u32>) -> Self {
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
        let slabs = Self { least, shift };
        counts.clear();
        counts.resize(SLABS, 0);
        for list in lists {
            for entry in *list {
                counts[slabs.slab(entry)] += 1;
            }
        }
        slabs
    }

    #[inline(always)]
    pub(crate) fn slab(&self, entry: &SphereEntry) -> usize {
        ((entry.near.to_bits() - self.least) >> self.shift) as usize
    }

    /// The least depth in a slab.
    #[inline(always)]
    pub(crate) fn start(&self, slab: usize) -> f32 {
        f32::from_bits(self.least + ((slab as u32) << self.shift))
    }
}
