//! The translucent spheres of a tile, front to back.
//!
//! Spheres come in the order of the least depth of a hit, a batch at a time. All crossings nearer than the next sphere are known, and
//! are composed when their list is full or the batch ends. Once hardly anything passes anywhere in the tile, the rest of the
//! spheres is never touched.
#![expect(clippy::cast_possible_truncation, reason = "spheres of a tile are counted in 32 bits; slabs are few")]

use std::collections::BTreeMap;

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::composition::{Composition, Lighting, Slots};
use super::crossings::{CAP, CrossingLanes, CrossingLists, EXIT, HIDDEN};
use crate::color::Srgba8;
use crate::geom::Sphere;
use crate::lanes::{LANES, Sphere8};
use crate::scene::spheres::Transparency;
use crate::shapes::{Primitive, Target};
use crate::tiles::sphere_bins::SphereEntry;
use crate::trace::find::primary::{HitBuffer, PrimaryScene, SLABS, Slabs, TilePart};
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
    /// The numbers in the tile of the groups met.
    groups: BTreeMap<u32, u32>,
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
            for list in 0..self.composition.limit.len() / LANES {
                self.flush(simd, list, next, tile.lighting);
            }
            if !light(&mut self.composition, &self.slots) {
                return;
            }
            done += count;
            first = end;
        }
        for list in 0..self.composition.limit.len() / LANES {
            self.flush(simd, list, f32::INFINITY, tile.lighting);
            self.composition.finish(simd, list, (&self.slots, tile.lighting));
        }
        light(&mut self.composition, &self.slots);
    }

    fn begin(&mut self, tile: &TranslucentTile<'_>) {
        let plane = tile.grid.plane();
        let samples = plane * tile.rays.len();
        self.slots.clear();
        self.groups.clear();
        self.lists.clear(samples / LANES);
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
            let next = self.groups.len() as u32;
            let group = *self.groups.entry(tile.scene.instances.part(number)).or_insert(next);
            slots.groups.push(group);
            self.composition.make_groups(group as usize + 1);
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
                    let Some(part) = TilePart::of(&bounds, lane, tile.grid) else { continue };
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
            // a list holds eight samples, from a multiple of eight on
            for at in (start + part.left / LANES * LANES..start + part.right).step_by(LANES) {
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
                let is_entered = is_met & is_open(first, enter_power);
                if !is_entered.any_true() {
                    continue;
                }
                let is_left = is_met & is_open(last, exit_power);
                let [enter_cosine, exit_cosine] = target.cosines(approach);
                let mut tags = [u32x8::splat(simd, *slot), u32x8::splat(simd, *slot | EXIT)];
                let mut cosines = [enter_cosine, exit_cosine];
                if is_inside.any_true() {
                    let is_cap = is_inside & begin.simd_gt(zero);
                    tags[0] = is_cap.select(
                        u32x8::splat(simd, *slot | CAP),
                        is_inside.select(u32x8::splat(simd, *slot | HIDDEN), tags[0]),
                    );
                    cosines[0] = is_cap.select(enter_power, enter_cosine);
                }
                let is_cap = exit.simd_gt(end);
                if is_cap.any_true() {
                    tags[1] = is_cap.select(u32x8::splat(simd, *slot | EXIT | CAP), tags[1]);
                    cosines[1] = is_cap.select(exit_power, exit_cosine);
                }
                let list = sample / LANES;
                if !self.lists.has_room(list) {
                    self.flush(simd, list, entry.near, tile.lighting);
                    if !self.lists.has_room(list) {
                        // crossings behind opaque ones never show
                        self.composition.lower_limit(list, self.lists.levels(list), &self.slots);
                        self.lists.grow(list);
                    }
                }
                let crossing = |distance: f32x8<S>, is_crossed: mask32x8<S>, side: usize| CrossingLanes {
                    distance: is_crossed.select(distance, infinite),
                    tag: tags[side],
                    // NaN where the ray misses the sphere, and light is added in all lanes
                    cosine: is_crossed.select(cosines[side], zero),
                };
                self.lists.insert(simd, list, crossing(first, is_entered, 0), &self.slots.numbers);
                self.lists.insert(simd, list, crossing(last, is_left, 1), &self.slots.numbers);
            }
        }
    }

    /// Composes the crossings of a list that are nearer than `end`; a call of its own, compiled once per instruction set.
    fn flush<S: Simd>(&mut self, simd: S, list: usize, end: f32, lighting: Lighting) {
        if !self.lists.levels(list).is_empty() {
            simd.vectorize(
                #[inline(always)]
                || self.flush_inline(simd, list, end, lighting),
            );
        }
    }

    #[inline(always)]
    fn flush_inline<S: Simd>(&mut self, simd: S, list: usize, end: f32, lighting: Lighting) {
        let levels = self.lists.levels(list);
        let mut is_composed = false;
        for level in levels {
            if !self.composition.compose(simd, list, level, end, (&self.slots, lighting)) {
                break;
            }
            is_composed = true;
        }
        if is_composed {
            self.lists.remove(list, end);
        }
    }
}

/// A sphere and the part of the tile that it can touch.
struct Candidate<T> {
    target: T,
    entry: SphereEntry,
    slot: u32,
    part: TilePart,
}
