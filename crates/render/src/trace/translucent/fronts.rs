//! The model `front`: of each group, the surface where a ray first enters it.
//!
//! Groups come one after the other, each as if it were opaque: its shapes front to back, and of each sample the nearest
//! entry alone. The entries of all groups wait in the crossing lists, and are composed once every group is known.

use std::ops::Range;

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::composition::{Composition, Slots};
use super::crossings::{HIDDEN, nearer};
use super::pending::Passages8;
use super::search::{Composed, TranslucentSearch, TranslucentTile};
use crate::lanes::{LANES, next_lane};
use crate::tiles::sphere_bins::SphereEntry;

/// Bytes per sample of a group's entries.
pub(super) const BYTES: usize = size_of::<usize>();

impl TranslucentSearch {
    /// Composes the first surface of each group in some rows of a tile.
    #[inline(always)]
    pub(super) fn compose_fronts<S: Simd>(
        &mut self,
        simd: S,
        tile: &TranslucentTile<'_>,
        rows: &Range<usize>,
        light: &mut impl FnMut(&mut Composition, &Slots) -> bool,
    ) -> Composed {
        self.begin(tile, rows);
        let group = |entry: &SphereEntry| tile.scene.instances.part(entry.index);
        let mut grouped = std::mem::take(&mut self.grouped);
        grouped.clear();
        for list in tile.lists {
            grouped.extend(list.iter().map(|entry| (group(entry), *entry)));
        }
        // depths are at least 0, where bits are in the order of values
        grouped.sort_unstable_by_key(|(group, entry)| (*group, entry.near.to_bits(), entry.index));
        for entries in grouped.chunk_by(|(one, _), (other, _)| one == other) {
            self.sorted.clear();
            self.sorted.extend(entries.iter().map(|(_, entry)| *entry));
            self.cross(simd, tile, rows);
            self.list_fronts(tile);
            if self.lists.are_too_long() && rows.len() > 1 {
                self.grouped = grouped;
                return Composed::TooMany;
            }
        }
        self.grouped = grouped;
        self.flush_all(simd, tile, rows, f32::INFINITY);
        if light(&mut self.composition, &self.slots) { Composed::Done } else { Composed::Cancelled }
    }

    /// Keeps the nearest entries of eight rays into the group, and closes their samples behind these.
    #[inline(always)]
    pub(super) fn keep_nearest<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        is_entered: mask32x8<S>,
        new: &Passages8<S>,
    ) {
        let crossing = new.enter.crossing;
        let is_seen = (crossing.tag & u32x8::splat(simd, HIDDEN)).simd_eq(u32x8::splat(simd, 0));
        let is_new = is_entered & is_seen;
        let is_pending = self.pending.exit_distances(simd, sample).simd_ge(f32x8::splat(simd, 0.0));
        let known = self.pending.enter_distances(simd, sample);
        let less = f32x8::splat(simd, nearer(1.0));
        let mut is_first = is_new & (!is_pending | crossing.distance.simd_lt(known * less));
        // about equal distances need the tie rule
        let is_tied = is_new & !is_first & (crossing.distance * less).simd_le(known);
        if is_tied.any_true() {
            let (mut lanes, crossings) = (is_tied.to_bitmask(), crossing.lanes());
            let mut is_before = 0;
            while let Some(lane) = next_lane(&mut lanes) {
                let known = self.pending.entry(sample + lane);
                is_before |= u64::from(crossings.get(lane).is_before(known, &self.slots.wholes)) << lane;
            }
            is_first |= mask32x8::from_bitmask(simd, is_before);
        }
        self.pending.set(simd, sample, is_first, new);
        let limits = &mut self.composition.limit[sample..sample + LANES];
        let limit = f32x8::from_slice(simd, limits);
        let mut new_lanes = (is_first & !is_pending).to_bitmask();
        while let Some(lane) = next_lane(&mut new_lanes) {
            self.entered.push(sample + lane);
        }
        // those at about the same distance are still asked
        let behind = limit.min(crossing.distance * (1.0 / nearer(1.0)));
        is_first.select(behind, limit).store_slice(limits);
    }

    /// Moves the entries into a group to the crossing lists, and opens their samples again up to opaque hits.
    fn list_fronts(&mut self, tile: &TranslucentTile<'_>) {
        let plane = tile.grid.plane();
        let mut entered = std::mem::take(&mut self.entered);
        for sample in entered.drain(..) {
            if !self.lists.has_room(sample) {
                self.lists.grow(sample);
            }
            self.lists.insert(sample, self.pending.entry(sample), &self.slots.wholes);
            self.pending.close(sample);
            self.composition.limit[sample] = tile.hits.layers[sample / plane].distance[sample % plane];
        }
        self.entered = entered;
    }
}
