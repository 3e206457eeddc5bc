//! The translucent spheres of a tile, front to back.
//!
//! Spheres come in the order of the least distance of a hit. All crossings nearer than the next sphere are known, and are composed
//! when that sphere reaches their sample, or a batch ends. Once hardly anything passes anywhere in the tile, the rest of the spheres is
//! never touched.
#![expect(clippy::cast_possible_truncation, reason = "spheres of a tile are counted in 32 bits; slabs are few")]

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::composition::{Composition, Lighting, NOTHING, Slots, Waiting8};
use super::crossings::{CAP, Crossing, CrossingLists, EXIT, HIDDEN};
use crate::color::Srgba8;
use crate::geom::Sphere;
use crate::lanes::{LANES, Sphere8};
use crate::scene::spheres::Transparency;
use crate::shapes::{Primitive, Target};
use crate::tiles::sphere_bins::SphereEntry;
use crate::trace::find::primary::{HitBuffer, Part, PrimaryScene, SLABS, Slabs};
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};
use crate::trace::shade::material::linear;

/// tuned: benches/spheres.rs T1. Slabs are sorted together until they hold this many entries.
const BATCH: usize = 512;

/// Spheres loaded together.
const ROUND: usize = 64;

/// Finds and composes crossings; keeps its memory from tile to tile.
#[derive(Debug, Default)]
pub(super) struct TranslucentSearch {
    lists: CrossingLists,
    pub composition: Composition,
    pub slots: Slots,
    sorted: Vec<SphereEntry>,
    counts: Vec<u32>,
}

/// The scene, and how its translucent spheres are composed.
#[derive(Clone, Copy)]
pub(super) struct TranslucentTile<'a> {
    pub scene: PrimaryScene<'a>,
    pub grid: SampleGrid,
    pub rays: &'a [SampleRays],
    /// Nearest hits on opaque spheres.
    pub hits: &'a HitBuffer,
    pub lists: &'a [&'a [SphereEntry]],
    pub model: Transparency,
    /// −ln(1 − a) of every alpha.
    pub densities: &'a [f32; 256],
    pub lighting: Lighting,
    /// Whether first surfaces are asked for.
    pub has_first: bool,
}

impl TranslucentSearch {
    /// Composes a tile; `light` is called with fragments whenever there are many, and at the end.
    #[inline(always)]
    pub(super) fn compose<S: Simd>(
        &mut self,
        simd: S,
        tile: &TranslucentTile<'_>,
        mut light: impl FnMut(&mut Composition, &Slots) -> bool,
    ) {
        self.begin(tile);
        let slabs = Slabs::of(tile.lists);
        self.counts.clear();
        self.counts.resize(SLABS, 0);
        for entry in tile.lists.iter().copied().flatten() {
            self.counts[slabs.slab(entry)] += 1;
        }
        let (mut first, mut done) = (0, 0);
        while first < SLABS {
            let (mut end, mut count) = (first, 0);
            while end < SLABS && count < BATCH.max(done) {
                count += self.counts[end] as usize;
                end += 1;
            }
            if count == 0 || self.farthest(simd) < slabs.start(first) {
                break;
            }
            self.sorted.clear();
            let is_next = |entry: &&SphereEntry| (first..end).contains(&slabs.slab(entry));
            self.sorted.extend(tile.lists.iter().copied().flatten().filter(is_next));
            // depths are at least 0, where bits are in the order of values
            self.sorted.sort_unstable_by_key(|entry| u64::from(entry.near.to_bits()) << 32 | u64::from(entry.index));
            self.cross(simd, tile);
            let next = if end < SLABS { slabs.start(end) } else { f32::INFINITY };
            self.flush_all(simd, next, tile.lighting);
            if !light(&mut self.composition, &self.slots) {
                return;
            }
            done += count;
            first = end;
        }
        self.flush_all(simd, f32::INFINITY, tile.lighting);
        for sample in 0..self.composition.limit.len() {
            self.composition.finish(sample, (&self.slots, tile.lighting));
        }
        light(&mut self.composition, &self.slots);
    }

    fn begin(&mut self, tile: &TranslucentTile<'_>) {
        let plane = tile.grid.plane();
        let samples = plane * tile.rays.len();
        self.slots.clear();
        self.lists.clear();
        self.composition.clear(tile.model, samples, tile.has_first);
        let stride = tile.grid.stride();
        for (limits, layer) in self.composition.limit.chunks_exact_mut(plane).zip(&tile.hits.layers) {
            for (limits, distances) in limits.chunks_exact_mut(stride).zip(layer.distance.chunks_exact(stride)) {
                let (inner, padding) = limits.split_at_mut(tile.grid.row_length());
                inner.copy_from_slice(&distances[..inner.len()]);
                padding.fill(-1.0);
            }
        }
    }

    /// The greatest distance at which a sample is open.
    #[inline(always)]
    fn farthest<S: Simd>(&self, simd: S) -> f32 {
        let (eights, _) = self.composition.limit.as_chunks::<LANES>();
        let least = f32x8::splat(simd, -1.0);
        eights.iter().fold(least, |most, limits| most.max(f32x8::load_array_ref(simd, limits))).reduce_max()
    }

    /// Gives a sphere a slot.
    fn add(&mut self, tile: &TranslucentTile<'_>, number: u32, sphere: Sphere<3>, color: Srgba8) -> u32 {
        let slots = &mut self.slots;
        let slot = slots.numbers.len() as u32;
        let [r, g, b] = linear(color);
        slots.paints.push([r, g, b, f32::from(color.a) / 255.0]);
        slots.numbers.push(number);
        slots.spheres.push(sphere);
        if tile.model == Transparency::Shell {
            slots.groups.push(tile.scene.instances.part(number));
        }
        if tile.model == Transparency::Solid {
            slots.absorption.push(tile.densities[usize::from(color.a)] / (2.0 * sphere.radius));
        }
        slot
    }

    /// Finds the crossings of the sorted spheres.
    #[inline(always)]
    fn cross<S: Simd>(&mut self, simd: S, tile: &TranslucentTile<'_>) {
        let sorted = std::mem::take(&mut self.sorted);
        let scene = &tile.scene;
        let mut last = None;
        for entries in sorted.chunks(ROUND) {
            let mut round = [(SphereEntry { index: 0, near: 0.0 }, (Sphere::EMPTY, Srgba8::TRANSPARENT)); ROUND];
            for (place, entry) in round.iter_mut().zip(entries) {
                *place = (*entry, scene.instances.sphere(entry.index));
            }
            for spheres in round[..entries.len()].chunks(LANES) {
                let mut group = Sphere8::EMPTY;
                for (lane, (_, (Sphere { center, radius }, _))) in spheres.iter().enumerate() {
                    group.set(lane, *center, *radius);
                }
                let bounds = scene.projector.bounds(simd, &group);
                for (lane, &(entry, (sphere, color))) in spheres.iter().enumerate() {
                    let Some(part) = Part::of(&bounds, lane, tile.grid) else { continue };
                    // a copy in the place of the sphere before it changes no union
                    let is_copy = match tile.model {
                        Transparency::Shell => last.is_some_and(|(number, same, _)| {
                            same == sphere && scene.instances.part(number) == scene.instances.part(entry.index)
                        }),
                        Transparency::Solid => {
                            last.is_some_and(|(_, same, same_color)| (same, same_color) == (sphere, color))
                        }
                        Transparency::Surfaces => false,
                    };
                    if is_copy {
                        continue;
                    }
                    last = Some((entry.index, sphere, color));
                    let slot = self.add(tile, entry.index, sphere, color);
                    let candidate = Candidate { target: sphere.target(), entry, slot, part };
                    for plane in 0..tile.rays.len() {
                        self.cross_one(simd, tile, plane, &candidate);
                    }
                }
            }
        }
        self.sorted = sorted;
    }

    /// Inserts the crossings of a sphere with the rays of one plane.
    #[inline(always)]
    fn cross_one<S: Simd, T: Target>(
        &mut self,
        simd: S,
        tile: &TranslucentTile<'_>,
        plane: usize,
        candidate: &Candidate<T>,
    ) {
        let Candidate { target, entry, slot, part } = candidate;
        let (rays, layer, grid) = (&tile.rays[plane], &tile.hits.layers[plane], tile.grid);
        let near = f32x8::splat(simd, entry.near);
        let infinite = f32x8::splat(simd, f32::INFINITY);
        let zero = f32x8::splat(simd, 0.0);
        let is_parallel = rays.are_parallel();
        for row in part.top..part.bottom {
            let start = row * grid.stride();
            for at in (start + part.left..start + part.right).step_by(LANES) {
                let sample = plane * grid.plane() + at;
                let limit = f32x8::from_slice(simd, &self.composition.limit[sample..sample + LANES]);
                if !near.simd_le(limit).any_true() {
                    continue;
                }
                let origins = is_parallel.then(|| rays.origins8(simd, at));
                let approach = target.approach(simd, rays.directions8(simd, at), origins);
                let meets = T::meets(approach);
                if !meets.any_true() {
                    continue;
                }
                let [enter, exit] = target.crossings(simd, approach, is_parallel);
                let [begin, end] = rays.kept8(simd, at).unwrap_or([zero, infinite]);
                // NaN is in none of these
                let is_met = meets & exit.simd_ge(begin) & enter.simd_le(end);
                let is_inside = enter.simd_lt(begin);
                let first = enter.max(begin);
                // rounding must not let a ray leave a sphere before it enters it
                let last = exit.min(end).max(first);
                let owners = u32x8::from_slice(simd, &layer.index[at..at + LANES]);
                let is_lower = u32x8::splat(simd, entry.index).simd_lt(owners);
                // at the distance of the opaque hit: of caps the deeper one, or else the lower number comes first
                let is_clipped = rays.are_clipped();
                let [enter_power, exit_power, hit_power] = if is_clipped {
                    let on_plane = |is_cap: mask32x8<S>, distance: f32x8<S>| {
                        is_cap.select(target.power_at(simd, approach, distance), zero)
                    };
                    let hit_power = f32x8::from_slice(simd, &layer.cosine[at..at + LANES]);
                    [on_plane(is_inside & begin.simd_gt(zero), begin), on_plane(exit.simd_gt(end), end), hit_power]
                } else {
                    [zero; 3]
                };
                let is_open = |t: f32x8<S>, power: f32x8<S>| {
                    let is_first = power.simd_lt(hit_power) | (power.simd_eq(hit_power) & is_lower);
                    t.simd_lt(limit) | (t.simd_eq(limit) & is_first & t.simd_lt(infinite))
                };
                let mut is_entered = is_met & is_open(first, enter_power);
                if !is_entered.any_true() {
                    continue;
                }
                let is_left = is_met & is_open(last, exit_power);
                let [enter_cosine, exit_cosine] = target.cosines(approach);
                let mut tags = [u32x8::splat(simd, *slot), u32x8::splat(simd, *slot | EXIT)];
                let mut cosines = [enter_cosine, exit_cosine];
                let mut is_plain = T::HAS_EQUAL_COSINES;
                if is_inside.any_true() {
                    is_plain = false;
                    let is_cap = is_inside & begin.simd_gt(zero);
                    tags[0] = is_cap.select(
                        u32x8::splat(simd, *slot | CAP),
                        is_inside.select(u32x8::splat(simd, *slot | HIDDEN), tags[0]),
                    );
                    cosines[0] = is_cap.select(enter_power, enter_cosine);
                }
                let is_cap = exit.simd_gt(end);
                if is_cap.any_true() {
                    is_plain = false;
                    tags[1] = is_cap.select(u32x8::splat(simd, *slot | EXIT | CAP), tags[1]);
                    cosines[1] = is_cap.select(exit_power, exit_cosine);
                }
                let waiting = f32x8::from_slice(simd, &self.composition.waiting.exit[sample..sample + LANES]);
                let is_free = waiting.simd_lt(near);
                let is_ready = is_entered & is_free & waiting.simd_ge(zero);
                if is_ready.any_true() {
                    let (slots, lighting) = (&self.slots, tile.lighting);
                    self.composition.compose_waiting(simd, sample, is_ready, (slots, lighting));
                    let limit = f32x8::from_slice(simd, &self.composition.limit[sample..sample + LANES]);
                    is_entered &= limit.simd_ge(zero);
                }
                let is_alone = is_entered & is_left & is_free & mask32x8::splat(simd, is_plain);
                if is_alone.any_true() {
                    let new = Waiting8 { number: *slot, enter: first, exit: last, cosine: enter_cosine };
                    let paint = self.slots.paints[*slot as usize];
                    self.composition.waiting.store(simd, sample, is_alone, (new, paint));
                }
                let is_listed = is_entered & !is_alone;
                if is_listed.any_true() {
                    let new = Crossings8 {
                        distances: [first, last].map(|distance| distance.to_array()),
                        tags: tags.map(|tag| tag.to_array()),
                        cosines: cosines.map(|cosine| cosine.to_array()),
                        masks: [is_listed, is_left].map(|mask| mask.to_bitmask()),
                    };
                    self.list(sample, entry.near, &new, tile.lighting);
                }
            }
        }
    }

    /// Adds the crossings of eight samples with a sphere to their lists; `near` is the least distance of this sphere and of all
    /// to come. Composes what is complete.
    #[inline(never)]
    fn list(&mut self, first: usize, near: f32, new: &Crossings8, lighting: Lighting) {
        let [mut entered, left] = new.masks;
        while entered != 0 {
            let lane = entered.trailing_zeros() as usize % LANES;
            entered &= entered - 1;
            let sample = first + lane;
            self.flush_list(sample, near, lighting);
            let Self { lists, composition: Composition { limit, waiting, .. }, slots, .. } = self;
            if limit[sample] < 0.0 {
                continue;
            }
            if waiting.exit[sample] < f32::INFINITY {
                let number = lists.begin();
                if waiting.exit[sample] >= 0.0 {
                    let crossings = waiting.crossings(sample);
                    crossings.into_iter().for_each(|crossing| lists.insert(number, crossing, &slots.numbers));
                }
                (waiting.number[sample], waiting.exit[sample]) = (number, f32::INFINITY);
            }
            for side in (0..2).filter(|side| *side == 0 || left >> lane & 1 == 1) {
                let crossing = Crossing {
                    distance: new.distances[side][lane],
                    tag: new.tags[side][lane],
                    cosine: new.cosines[side][lane],
                };
                lists.insert(waiting.number[sample], crossing, &slots.numbers);
            }
        }
    }

    /// Composes the crossings of a sample's list, if it has one, that are nearer than `end`.
    #[inline(always)]
    fn flush_list(&mut self, sample: usize, end: f32, lighting: Lighting) {
        let Self { lists, composition, slots, .. } = self;
        if composition.waiting.exit[sample] != f32::INFINITY {
            return;
        }
        let number = composition.waiting.number[sample];
        let is_empty = lists.take_before(number, end, &slots.numbers, |crossing| {
            composition.compose(sample, crossing, (slots, lighting));
        });
        let is_done = composition.limit[sample] < 0.0;
        if is_done && !is_empty {
            lists.drop_list(number);
        }
        if is_done || is_empty {
            composition.waiting.exit[sample] = NOTHING;
        }
    }

    /// Composes what waits and is nearer than `end`. Of a sphere that waits alone both crossings must be.
    #[inline(always)]
    fn flush_all<S: Simd>(&mut self, simd: S, end: f32, lighting: Lighting) {
        for at in (0..self.composition.limit.len()).step_by(LANES) {
            let exits = f32x8::from_slice(simd, &self.composition.waiting.exit[at..at + LANES]);
            let is_listed = exits.simd_eq(f32x8::splat(simd, f32::INFINITY)).to_bitmask();
            let is_ready = exits.simd_ge(0.0) & exits.simd_lt(f32x8::splat(simd, end));
            if is_listed != 0 {
                (0..LANES).filter(|lane| is_listed >> lane & 1 == 1).for_each(|lane| {
                    self.flush_list(at + lane, end, lighting);
                });
            }
            if is_ready.any_true() {
                self.composition.compose_waiting(simd, at, is_ready, (&self.slots, lighting));
            }
        }
    }
}

/// Where eight rays enter a sphere, and where they leave it.
struct Crossings8 {
    distances: [[f32; LANES]; 2],
    tags: [[u32; LANES]; 2],
    cosines: [[f32; LANES]; 2],
    /// A bit for each ray that does.
    masks: [u64; 2],
}

/// A sphere and the part of the tile that it can touch.
struct Candidate<T> {
    target: T,
    entry: SphereEntry,
    slot: u32,
    part: Part,
}
