//! Finds the passages of a tile's rays through its translucent shapes, front to back, and has them composed.
//!
//! Shapes come in the order of the least depth of a hit, a batch at a time. All crossings nearer than the next shape
//! are known, and are composed when their list is full or the batch ends. Once hardly anything passes anywhere in the
//! tile, the rest of the shapes is never touched.
#![expect(clippy::cast_possible_truncation, reason = "shapes of a tile are counted in 32 bits; slabs are few")]

use std::collections::BTreeMap;
use std::ops::Range;

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::candidate::{Candidate, Passage8, Rays8};
use super::composition::{Appearance, Composition, Lighting, SlotPaint, Slots};
use super::crossings::{CAP, CrossingLists, Crossings8, EXIT, HIDDEN, WholeShape, nearer};
use super::pending::{Passages8, PendingColumns, PendingPassages};
use super::twins::Ties;
use crate::geom::Sphere;
use crate::lanes::{LANES, next_lane};
use crate::scene::PrimitiveId;
use crate::scene::spheres::Transparency;
use crate::shapes::{Primitive, ShapeVisitor, Target, VastSphere, visit_shape};
use crate::tiles::shape_bounds::Projected;
use crate::tiles::sphere_bins::SphereEntry;
use crate::trace::find::primary::{HitBuffer, PrimaryScene, SLABS, Slabs, TilePart, next_batch};
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};
use crate::trace::shade::material::linear;

/// Spheres loaded together.
const ROUND: usize = 64;

/// Finds and composes crossings; keeps its memory from tile to tile.
#[derive(Debug, Default)]
pub(super) struct TranslucentSearch {
    pub lists: CrossingLists,
    pub pending: PendingPassages,
    pub composition: Composition,
    pub slots: Slots,
    pub sorted: Vec<SphereEntry>,
    /// With `front`: the entries with their groups.
    pub grouped: Vec<(u32, SphereEntry)>,
    /// With `front`: samples whose rays enter the group that is searched.
    pub entered: Vec<usize>,
    counts: Vec<u32>,
    /// The tile's numbers for the groups met so far.
    groups: BTreeMap<u32, u32>,
}

/// The scene, and how its translucent shapes are composed.
#[derive(Clone, Copy)]
pub(super) struct TranslucentTile<'a> {
    pub scene: PrimaryScene<'a>,
    pub grid: SampleGrid,
    pub rays: &'a [SampleRays],
    /// Nearest hits on opaque shapes.
    pub hits: &'a HitBuffer,
    /// Entries hold indices among all instances.
    pub lists: &'a [&'a [SphereEntry]],
    /// Whether some are not spheres.
    pub has_shapes: bool,
    pub model: Transparency,
    /// −ln(1 − a) of every alpha.
    pub densities: &'a [f32; 256],
    pub lighting: Lighting,
    /// Whether first surfaces are wanted.
    pub has_first: bool,
}

impl TranslucentTile<'_> {
    fn pending_columns(&self) -> PendingColumns {
        let groups = self.model == Transparency::Shell;
        let are_clipped = self.rays.iter().any(SampleRays::are_clipped);
        PendingColumns {
            paints: matches!(self.lighting, Lighting::Cosine { .. }),
            ends_differ: groups || are_clipped || self.has_shapes,
            groups,
        }
    }

    /// The samples of some rows, a range for each plane.
    fn samples(&self, rows: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let (stride, plane, rows) = (self.grid.stride(), self.grid.plane(), rows.clone());
        (0..self.rays.len()).map(move |first| first * plane + rows.start * stride..first * plane + rows.end * stride)
    }
}

impl TranslucentSearch {
    /// Composes a tile; `light` is called with fragments after each batch and at the end, and returns whether to go on.
    #[inline(always)]
    pub(super) fn compose<S: Simd>(
        &mut self,
        simd: S,
        tile: &TranslucentTile<'_>,
        mut light: impl FnMut(&mut Composition, &Slots) -> bool,
    ) {
        let samples = tile.grid.plane() * tile.rays.len();
        self.composition.resize(tile.model, samples, tile.has_first);
        // rows with more crossings than a tile may keep are composed again in halves
        let mut parts = Vec::from([(0, tile.grid.height as usize)]);
        while let Some((begin, end)) = parts.pop() {
            let composed = if tile.model == Transparency::Front {
                self.compose_fronts(simd, tile, &(begin..end), &mut light)
            } else {
                self.compose_rows(simd, tile, &(begin..end), &mut light)
            };
            match composed {
                Composed::Done => {}
                Composed::Cancelled => return,
                Composed::TooMany => {
                    let middle = begin.midpoint(end);
                    parts.extend([(begin, middle), (middle, end)]);
                }
            }
        }
    }

    /// Composes some rows of a tile.
    #[inline(always)]
    fn compose_rows<S: Simd>(
        &mut self,
        simd: S,
        tile: &TranslucentTile<'_>,
        rows: &Range<usize>,
        light: &mut impl FnMut(&mut Composition, &Slots) -> bool,
    ) -> Composed {
        self.begin(tile, rows);
        let slabs = Slabs::of(tile.lists, &mut self.counts);
        let (mut first, mut done) = (0, 0);
        while first < SLABS {
            let (end, count) = next_batch(&self.counts, first, done);
            if count == 0 || self.farthest(simd, tile, rows) < slabs.start(first) {
                break;
            }
            self.sorted.clear();
            let is_next = |entry: &&SphereEntry| (first..end).contains(&slabs.slab(entry));
            // list by list: the iterator of all lists would be a call for each entry
            for list in tile.lists {
                self.sorted.extend(list.iter().filter(is_next));
            }
            // depths are at least 0, where bits are in the order of values
            self.sorted.sort_unstable_by_key(|entry| u64::from(entry.near.to_bits()) << 32 | u64::from(entry.index));
            self.cross(simd, tile, rows);
            if self.lists.are_too_long() && rows.len() > 1 {
                self.composition.fragments.clear();
                return Composed::TooMany;
            }
            let next = if end < SLABS { slabs.start(end) } else { f32::INFINITY };
            self.flush_all(simd, tile, rows, next);
            if !light(&mut self.composition, &self.slots) {
                return Composed::Cancelled;
            }
            done += count;
            first = end;
        }
        self.flush_all(simd, tile, rows, f32::INFINITY);
        for sample in tile.samples(rows).flatten() {
            let appearance = Appearance { slots: &self.slots, lighting: tile.lighting };
            self.composition.finish(simd, sample, appearance);
        }
        if light(&mut self.composition, &self.slots) { Composed::Done } else { Composed::Cancelled }
    }

    pub(super) fn begin(&mut self, tile: &TranslucentTile<'_>, rows: &Range<usize>) {
        let plane = tile.grid.plane();
        self.slots.clear();
        self.groups.clear();
        self.lists.clear(plane * tile.rays.len());
        self.pending.clear(plane * tile.rays.len(), tile.pending_columns());
        let stride = tile.grid.stride();
        for (samples, layer) in tile.samples(rows).zip(&tile.hits.layers) {
            self.composition.clear(samples.clone());
            let distances = &layer.distance[rows.start * stride..rows.end * stride];
            let Composition { limit, pass, .. } = &mut self.composition;
            let limits = limit[samples.clone()].chunks_exact_mut(stride);
            let passes = pass[samples].chunks_exact_mut(stride);
            for (row, ((limits, passes), distances)) in
                rows.clone().zip(limits.zip(passes).zip(distances.chunks_exact(stride)))
            {
                let (inner, padding) = limits.split_at_mut(tile.grid.row_length());
                inner.copy_from_slice(&distances[..inner.len()]);
                padding.fill(-1.0);
                // margins need the first surface alone: a sample with nothing left to pass is done behind it
                let shown = tile.grid.resolved_columns(row);
                passes[..shown.start].fill(0.0);
                passes[shown.end..].fill(0.0);
            }
        }
    }

    /// The greatest distance at which a sample of some rows is open.
    #[inline(always)]
    fn farthest<S: Simd>(&self, simd: S, tile: &TranslucentTile<'_>, rows: &Range<usize>) -> f32 {
        let mut most = f32x8::splat(simd, -1.0);
        for samples in tile.samples(rows) {
            let (eights, _) = self.composition.limit[samples].as_chunks::<LANES>();
            for limits in eights {
                most = most.max(f32x8::load_array_ref(simd, limits));
            }
        }
        most.reduce_max()
    }

    /// Whether a sample of a part of the tile is open up to a distance.
    #[inline(always)]
    fn is_open<S: Simd>(&self, simd: S, tile: &TranslucentTile<'_>, part: TilePart, near: f32) -> bool {
        let (stride, near) = (tile.grid.stride(), f32x8::splat(simd, near));
        for plane in 0..tile.rays.len() {
            for row in part.top..part.bottom {
                let start = plane * tile.grid.plane() + row * stride;
                for sample in (start + part.left..start + part.right).step_by(LANES) {
                    let limits = f32x8::from_slice(simd, &self.composition.limit[sample..sample + LANES]);
                    if near.simd_le(limits).any_true() {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Gives a primitive a slot; `across` is its diameter.
    fn add(&mut self, tile: &TranslucentTile<'_>, number: u32, across: f32) -> u32 {
        let instances = tile.scene.instances;
        let color = instances.color(number);
        let slots = &mut self.slots;
        let slot = slots.numbers.len() as u32;
        let [r, g, b] = linear(color);
        slots.paints.push([r, g, b, 1.0]);
        slots.opacities.push(f32::from(color.a) / 255.0);
        slots.numbers.push(number);
        let (whole, kind) = (instances.shapes.whole(number), instances.shapes.first_of_kind(number));
        slots.wholes.push(WholeShape { number: whole, kind });
        if tile.model == Transparency::Shell {
            let next = self.groups.len() as u32;
            let group = *self.groups.entry(instances.part(number)).or_insert(next);
            slots.groups.push(group);
        }
        if tile.model == Transparency::Solid {
            slots.absorption.push(tile.densities[usize::from(color.a)] / across.max(LEAST_ACROSS));
        }
        slot
    }

    /// Finds the crossings of the sorted shapes.
    #[inline(always)]
    pub(super) fn cross<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, rows: &Range<usize>) {
        let sorted = std::mem::take(&mut self.sorted);
        let scene = &tile.scene;
        let is_sphere = |entry: &SphereEntry| !scene.instances.shapes.has(PrimitiveId(entry.index));
        // in `surfaces` every sphere shows
        let may_be_twin = tile.model != Transparency::Surfaces;
        let is_tied = |at: usize| {
            let near = |at: usize| sorted.get(at).map(|entry| entry.near);
            near(at) == near(at + 1) || at > 0 && near(at) == near(at - 1)
        };
        let mut ties = Ties::default();
        for (first, entries) in (0..).step_by(ROUND).zip(sorted.chunks(ROUND)) {
            // spheres are scattered in memory: load a whole round first, so that cache misses overlap
            let mut round = [Sphere::EMPTY; ROUND];
            for (sphere, entry) in round.iter_mut().zip(entries) {
                if is_sphere(entry) {
                    *sphere = scene.instances.sphere(entry.index).0;
                }
            }
            for (first, (entries, spheres)) in
                (first..).step_by(LANES).zip(entries.chunks(LANES).zip(round.chunks(LANES)))
            {
                let bounds = Sphere::bounds8(simd, scene.projector, spheres);
                for (lane, &entry) in entries.iter().enumerate() {
                    if !is_sphere(&entry) {
                        self.cross_shape(simd, tile, entry, rows);
                        continue;
                    }
                    let Some(part) = TilePart::of(&bounds, lane, tile.grid).and_then(|part| part.of_rows(rows)) else {
                        continue;
                    };
                    let sphere = spheres[lane];
                    if may_be_twin && is_tied(first + lane) && ties.have_twin(tile, entry, sphere) {
                        continue;
                    }
                    if !self.is_open(simd, tile, part, entry.near) {
                        continue;
                    }
                    let slot = self.add(tile, entry.index, 2.0 * sphere.radius);
                    let group = self.slots.group(slot);
                    let paints = [SlotPaint::new(&self.slots, slot, tile.model); 2];
                    if let Some(target) = VastSphere::of(sphere, scene.rays, scene.instances, entry.index) {
                        let candidate = Candidate { target, entry, slot, paints, group, is_split: false, part };
                        self.cross_vast(simd, tile, &candidate);
                        continue;
                    }
                    let target = sphere.target();
                    let candidate = Candidate { target, entry, slot, paints, group, is_split: false, part };
                    for plane in 0..tile.rays.len() {
                        self.cross_one(simd, tile, plane, &candidate);
                    }
                }
            }
        }
        self.sorted = sorted;
    }

    /// Finds the crossings of a primitive other than a sphere; not inlined, so that spheres have the smaller kernel.
    fn cross_shape<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, entry: SphereEntry, rows: &Range<usize>) {
        let shape = tile.scene.instances.shapes.shape(entry.index);
        simd.vectorize(
            #[inline(always)]
            || visit_shape(shape, CrossSolid { simd, search: self, tile, entry, rows }),
        );
    }

    /// Finds the crossings of a vast sphere; not inlined, so that other spheres have the smaller kernel.
    #[cold]
    fn cross_vast<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, candidate: &Candidate<VastSphere>) {
        simd.vectorize(
            #[inline(always)]
            || {
                for plane in 0..tile.rays.len() {
                    self.cross_one(simd, tile, plane, candidate);
                }
            },
        );
    }

    /// Inserts the crossings of a shape with the rays of one plane.
    #[inline(always)]
    fn cross_one<S: Simd, T: Target>(
        &mut self,
        simd: S,
        tile: &TranslucentTile<'_>,
        plane: usize,
        candidate: &Candidate<T>,
    ) {
        let Candidate { target, entry, part, .. } = candidate;
        let (rays, layer, grid) = (&tile.rays[plane], &tile.hits.layers[plane], tile.grid);
        let near = f32x8::splat(simd, entry.near);
        for row in part.top..part.bottom {
            let start = row * grid.stride();
            for at in (start + part.left..start + part.right).step_by(LANES) {
                let sample = plane * grid.plane() + at;
                let limit = f32x8::from_slice(simd, &self.composition.limit[sample..sample + LANES]);
                if !near.simd_le(limit).any_true() {
                    continue;
                }
                let origins = rays.are_parallel().then(|| rays.origins8(simd, at));
                let approach = target.approach(simd, rays.directions8(simd, at), origins);
                if !T::meets(approach).any_true() {
                    continue;
                }
                let eight = Rays8 { rays, layer, at, limit };
                let Some(passage) = candidate.passage(simd, tile.model, eight, approach) else { continue };
                let Passage8 { is_entered, ends, halves } = passage;
                let new = candidate.painted(simd, ends);
                let begins = match tile.model {
                    Transparency::Shell => self.pending.grow(simd, sample, is_entered, &new),
                    Transparency::Front => {
                        self.keep_nearest(simd, sample, is_entered, &new);
                        continue;
                    }
                    _ => is_entered,
                };
                if begins.any_true() {
                    self.begin_passages(simd, tile, sample, begins, &new, entry.near);
                }
                if let Some(slots) = halves {
                    let distance = target.seam(simd, approach).max(ends[0].distance).min(ends[1].distance);
                    let is_crossed = is_entered & !slots[0].simd_eq(slots[1]);
                    // the far half is lit where the ray enters the shape, too
                    let flags = ends[0].tag & u32x8::splat(simd, CAP | HIDDEN);
                    let slots = [slots[0], slots[1] | flags];
                    let seam = Seam8 { is_crossed, distance, slots, cosine: ends[0].cosine };
                    self.insert_seam(simd, tile, sample, seam, entry.near);
                }
            }
        }
    }

    /// Inserts where eight rays pass from one half of a medium to the other.
    #[inline(always)]
    fn insert_seam<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, sample: usize, seam: Seam8<S>, near: f32) {
        let Seam8 { is_crossed, distance, slots, cosine } = seam;
        let limit = f32x8::from_slice(simd, &self.composition.limit[sample..sample + LANES]);
        let mut lanes = (is_crossed & distance.simd_lt(limit)).to_bitmask();
        if lanes == 0 {
            return;
        }
        let from = Crossings8 { distance, tag: slots[0] | u32x8::splat(simd, EXIT), cosine }.lanes();
        let to = Crossings8 { distance, tag: slots[1], cosine }.lanes();
        while let Some(lane) = next_lane(&mut lanes) {
            if self.has_room(simd, tile, sample + lane, near) {
                self.lists.insert(sample + lane, to.get(lane), &self.slots.wholes);
                self.lists.insert(sample + lane, from.get(lane), &self.slots.wholes);
            }
        }
    }

    /// Begins passages in some of eight samples. The passages before them are composed if they end before the next
    /// shape can begin, and move to the crossing lists otherwise.
    #[inline(always)]
    fn begin_passages<S: Simd>(
        &mut self,
        simd: S,
        tile: &TranslucentTile<'_>,
        sample: usize,
        begins: mask32x8<S>,
        new: &Passages8<S>,
        near: f32,
    ) {
        let (is_pending, is_complete) = self.pending_before(simd, sample, near);
        if (begins & is_complete).any_true() {
            self.compose_pending(simd, tile, sample, is_complete);
        }
        let mut waiting = (begins & is_pending & !is_complete).to_bitmask();
        while let Some(lane) = next_lane(&mut waiting) {
            self.list_pending(simd, tile, sample + lane, near);
        }
        let limits = f32x8::from_slice(simd, &self.composition.limit[sample..sample + LANES]);
        let is_open = limits.simd_ge(f32x8::splat(simd, 0.0));
        self.pending.set(simd, sample, begins & is_open, new);
    }

    /// Which of eight samples have a pending passage, and which of these are complete: nothing nearer than `near` can
    /// be found any more.
    #[inline(always)]
    fn pending_before<S: Simd>(&self, simd: S, sample: usize, near: f32) -> (mask32x8<S>, mask32x8<S>) {
        let exits = self.pending.exit_distances(simd, sample);
        let is_pending = exits.simd_ge(f32x8::splat(simd, 0.0));
        // crossings of the next shape may tie with those just in front of it
        let is_nearer = exits.simd_lt(f32x8::splat(simd, nearer(near)));
        (is_pending, is_pending & is_nearer & self.lists.are_empty(simd, sample))
    }

    /// Composes the pending passages of some of eight samples.
    #[inline(always)]
    fn compose_pending<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, sample: usize, lanes: mask32x8<S>) {
        let appearance = Appearance { slots: &self.slots, lighting: tile.lighting };
        let passages = self.pending.load(simd, sample);
        self.composition.add_passages(simd, sample, lanes, &passages, appearance);
        self.pending.remove(simd, sample, lanes);
    }

    /// Moves the pending passage of a sample to its crossing list, and composes the list if the next shape begins
    /// behind it. Keeps room for two crossings.
    fn list_pending<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, sample: usize, near: f32) {
        self.list_before(sample, f32::INFINITY);
        if self.lists.end_before(sample, near) || !self.lists.has_room(sample) {
            self.make_room(simd, tile, sample, near);
        }
    }

    /// Moves the pending passage of a sample to its crossing list if it begins before a distance.
    #[inline(always)]
    fn list_before(&mut self, sample: usize, distance: f32) {
        if self.pending.begins_before(sample, distance) {
            let ends = self.pending.take(sample);
            self.lists.insert_passage(self.composition.model, sample, ends, &self.slots);
        }
    }

    /// Makes room for two crossings of a sample with the next shape; returns whether the sample is still open.
    #[inline(always)]
    fn has_room<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, sample: usize, near: f32) -> bool {
        if self.lists.has_room(sample) {
            return true;
        }
        self.make_room(simd, tile, sample, near);
        self.composition.limit[sample] >= 0.0
    }

    /// Composes the crossings in front of the next shape, and grows the list if it is still full.
    fn make_room<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, sample: usize, near: f32) {
        simd.vectorize(
            #[inline(always)]
            || self.flush(simd, sample, near, tile.lighting),
        );
        if !self.lists.has_room(sample) {
            // crossings behind opaque ones never show
            self.composition.lower_limit(sample, self.lists.waiting(sample), &self.slots);
            self.lists.grow(sample);
        }
    }

    /// Composes the crossings of some rows that are nearer than `end`; not inlined, so that it is compiled once per
    /// instruction set.
    pub(super) fn flush_all<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>, rows: &Range<usize>, end: f32) {
        simd.vectorize(
            #[inline(always)]
            || {
                for sample in tile.samples(rows).flat_map(|samples| samples.step_by(LANES)) {
                    let (is_pending, is_complete) = self.pending_before(simd, sample, end);
                    if is_complete.any_true() {
                        self.compose_pending(simd, tile, sample, is_complete);
                    }
                    let is_last = is_pending & !is_complete & mask32x8::splat(simd, end == f32::INFINITY);
                    let mut others = (is_last | !self.lists.are_empty(simd, sample)).to_bitmask();
                    while let Some(lane) = next_lane(&mut others) {
                        self.flush(simd, sample + lane, end, tile.lighting);
                    }
                }
            },
        );
    }

    /// Composes the crossings of a sample that are nearer than `end`.
    #[inline(always)]
    fn flush<S: Simd>(&mut self, simd: S, sample: usize, end: f32, lighting: Lighting) {
        self.list_before(sample, end);
        let Self { lists, composition, slots, pending, .. } = self;
        let waiting = lists.waiting(sample);
        let mut ready = 0;
        while ready < waiting.len() && waiting[ready].distance < nearer(end) {
            ready += 1;
        }
        if ready == 0 {
            return;
        }
        let (crossings, rest) = waiting.split_at(ready);
        composition.compose(simd, sample, crossings, Appearance { slots, lighting });
        let is_done = composition.limit[sample] < 0.0;
        let removed = if is_done { ready + rest.len() } else { ready };
        lists.remove(sample, removed);
        if is_done {
            pending.close(sample);
        }
    }
}

/// Finds the crossings of a primitive other than a sphere.
struct CrossSolid<'a, S> {
    simd: S,
    search: &'a mut TranslucentSearch,
    tile: &'a TranslucentTile<'a>,
    entry: SphereEntry,
    rows: &'a Range<usize>,
}

impl<S: Simd> ShapeVisitor for CrossSolid<'_, S> {
    type Output = ();

    #[inline(always)]
    fn visit<P: Primitive>(self, solid: P) {
        let Self { simd, search, tile, entry, rows } = self;
        let bounds = P::bounds8(simd, tile.scene.projector, &[solid]);
        let part = TilePart::of(&bounds, 0, tile.grid).and_then(|part| part.of_rows(rows));
        let Some(part) = part else { return };
        let instances = tile.scene.instances;
        let across = 2.0 * instances.shapes.shape(entry.index).extent().radius_across();
        let slot = search.add(tile, entry.index, across);
        // the halves of a cylinder have neighbouring indices
        let other = entry.index + 1;
        let is_split = instances.shapes.is_same_shape(entry.index, other)
            && instances.color(other) != instances.color(entry.index);
        if is_split {
            search.add(tile, other, across);
        }
        let group = search.slots.group(slot);
        let other = if is_split { slot + 1 } else { slot };
        let paints = [slot, other].map(|slot| SlotPaint::new(&search.slots, slot, tile.model));
        let candidate = Candidate { target: solid.target(), entry, slot, paints, group, is_split, part };
        for plane in 0..tile.rays.len() {
            search.cross_one(simd, tile, plane, &candidate);
        }
    }
}

/// Where eight rays pass from one half of a medium to the other.
#[derive(Clone, Copy)]
struct Seam8<S: Simd> {
    is_crossed: mask32x8<S>,
    distance: f32x8<S>,
    /// The slots of the halves in front of it and behind it, the latter with flags.
    slots: [u32x8<S>; 2],
    cosine: f32x8<S>,
}

/// How composing a part of a tile ended.
pub(super) enum Composed {
    Done,
    /// Too many crossings wait: compose fewer samples at a time.
    TooMany,
    Cancelled,
}

/// Less than any diameter that shows: thinner shapes absorb as if they had this one.
const LEAST_ACROSS: f32 = 1e-24;
