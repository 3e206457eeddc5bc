//! Sorted lists of crossings: where rays enter and leave translucent shapes.
//!
//! Each sample has a sorted list of the ends of passages that overlap along its ray. Shapes come roughly front to back,
//! so that a new crossing finds its place near the end. Lists are short: crossings nearer than the next shape are
//! composed and removed. The few lists that outgrow their room move elsewhere.

#![expect(clippy::cast_possible_truncation, reason = "crossings of a list are counted in 32 bits")]

use std::collections::BTreeMap;

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::composition::Slots;
use crate::lanes::LANES;
use crate::scene::spheres::Transparency;
use crate::shapes::TIE;

/// The crossing is where the ray leaves the shape.
pub(super) const EXIT: u32 = 1 << 31;
/// The crossing is not visible: the ray begins inside the shape.
pub(super) const HIDDEN: u32 = 1 << 30;
/// The crossing is on a plane that cuts the shape.
pub(super) const CAP: u32 = 1 << 29;
/// The bits of a tag that name a shape of the tile.
pub(super) const SLOT: u32 = CAP - 1;

/// Where a ray enters or leaves a shape.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OrderedCrossing {
    /// World units.
    pub distance: f32,
    /// The shape, and flags.
    pub tag: u32,
    /// Cosine between normal and ray; on a cap the depth in the shape there, less than 0.
    pub cosine: f32,
}

impl OrderedCrossing {
    /// The index of the shape in the tile's list.
    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        (self.tag & SLOT) as usize
    }

    #[inline(always)]
    pub(super) fn is_exit(self) -> bool {
        self.tag & EXIT != 0
    }

    /// Whether this comes before another crossing of the same ray.
    #[inline(always)]
    pub(super) fn is_before(self, other: Self, wholes: &[WholeShape]) -> bool {
        self.distance < nearer(other.distance)
            || (nearer(self.distance) <= other.distance && self.is_first_of_tied(other, wholes))
    }

    /// Breaks ties: the cap deepest inside its shape comes first, otherwise the shape of the lower number. A ray enters a
    /// shape before it leaves it. Surfaces of one kind tie at the same distance, those of two kinds at about the same.
    #[cold]
    fn is_first_of_tied(self, other: Self, wholes: &[WholeShape]) -> bool {
        let [a, b] = [self, other].map(|crossing| wholes[crossing.slot()]);
        let has_cap = (self.tag | other.tag) & CAP != 0;
        if self.distance != other.distance && (a.kind == b.kind || has_cap) {
            return self.distance < other.distance;
        }
        if a == b {
            return self.tag & EXIT < other.tag & EXIT;
        }
        let depth = |crossing: Self| if crossing.tag & CAP == 0 { 0.0 } else { crossing.cosine };
        depth(self).total_cmp(&depth(other)).then(a.number.cmp(&b.number)).is_lt()
    }
}

/// A shape as a whole: halves of a cylinder have one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WholeShape {
    /// Its index among all instances.
    pub number: u32,
    /// The first index of its kind: kinds round differently.
    pub kind: u32,
}

/// The least distance that ties with this one or is behind it.
#[inline(always)]
pub(super) fn nearer(distance: f32) -> f32 {
    distance * (1.0 - TIE)
}

/// Crossings of eight rays.
#[derive(Clone, Copy)]
pub(super) struct Crossings8<S: Simd> {
    pub distance: f32x8<S>,
    pub tag: u32x8<S>,
    pub cosine: f32x8<S>,
}

/// Crossings of eight rays, to be taken one by one.
pub(super) struct CrossingLanes {
    pub distances: [f32; LANES],
    pub tags: [u32; LANES],
    cosines: [f32; LANES],
}

impl<S: Simd> Crossings8<S> {
    #[inline(always)]
    pub(super) fn lanes(self) -> CrossingLanes {
        let Self { distance, tag, cosine } = self;
        CrossingLanes { distances: distance.to_array(), tags: tag.to_array(), cosines: cosine.to_array() }
    }
}

impl CrossingLanes {
    /// The crossing of a ray.
    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> OrderedCrossing {
        OrderedCrossing { distance: self.distances[lane], tag: self.tags[lane], cosine: self.cosines[lane] }
    }
}

/// The crossings of a tile that are not composed yet.
#[derive(Debug, Default)]
pub(super) struct CrossingLists {
    /// [`ROOM`] for each sample.
    short: Vec<[OrderedCrossing; ROOM]>,
    /// Waiting crossings of each sample; [`LONG`] if they are in `long`.
    counts: Vec<u32>,
    /// The distance of the last crossing; −∞ in an empty list.
    last: Vec<f32>,
    /// The lists of samples that outgrew their room.
    long: BTreeMap<usize, Vec<OrderedCrossing>>,
    /// Crossings in `long`.
    in_long: usize,
}

/// tuned: benches/spheres.rs T1. Crossings that a sample has room for.
const ROOM: usize = 16;

const LONG: u32 = u32::MAX;

/// Maximum number of crossings of a sample: this many surfaces of the least opacity, 1/255, let less light pass than a
/// sample can show.
const MOST: usize = 2304;

/// Maximum number of crossings in all long lists of a tile.
const MOST_IN_LONG: usize = 1 << 20;

/// Bytes of a tile's lists: per sample, and for all long lists.
pub(super) const LIST_BYTES: [usize; 2] =
    [size_of::<[OrderedCrossing; ROOM]>() + size_of::<[u32; 2]>(), 2 * MOST_IN_LONG * size_of::<OrderedCrossing>()];

impl CrossingLists {
    /// Begins a tile with this many empty lists.
    pub(super) fn clear(&mut self, samples: usize) {
        self.counts.clear();
        self.counts.resize(samples, 0);
        self.last.clear();
        self.last.resize(samples, f32::NEG_INFINITY);
        if self.short.len() < samples {
            self.short.resize(samples, [OrderedCrossing::default(); ROOM]);
        }
        self.long.clear();
        self.in_long = 0;
    }

    /// Whether the long lists hold more than a tile may.
    pub(super) fn are_too_long(&self) -> bool {
        self.in_long > MOST_IN_LONG
    }

    /// Whether a sample has room for two crossings, without growing.
    #[inline(always)]
    pub(super) fn has_room(&self, sample: usize) -> bool {
        let count = self.counts[sample];
        count <= ROOM as u32 - 2 || count == LONG && self.long_has_room(sample)
    }

    #[cold]
    fn long_has_room(&self, sample: usize) -> bool {
        self.long.get(&sample).is_some_and(|list| list.len() + 2 <= list.capacity().min(2 * MOST))
    }

    /// Which of eight samples have no waiting crossings.
    #[inline(always)]
    pub(super) fn are_empty<S: Simd>(&self, simd: S, sample: usize) -> mask32x8<S> {
        f32x8::from_slice(simd, &self.last[sample..sample + LANES]).simd_eq(f32x8::splat(simd, f32::NEG_INFINITY))
    }

    /// Whether all crossings of a sample are nearer than a distance.
    #[inline(always)]
    pub(super) fn end_before(&self, sample: usize, distance: f32) -> bool {
        self.last[sample] < distance
    }

    /// Makes room in a full list: moves it to `long`, doubles its room there, or drops the farthest crossings of a list
    /// of twice the maximum length.
    #[cold]
    pub(super) fn grow(&mut self, sample: usize) {
        if self.counts[sample] != LONG {
            let list = self.waiting(sample).to_vec();
            self.in_long += list.len();
            self.long.insert(sample, list);
            self.counts[sample] = LONG;
        }
        if let Some(list) = self.long.get_mut(&sample) {
            if list.len() + 2 > 2 * MOST {
                self.in_long -= list.len() - MOST;
                list.truncate(MOST);
                self.last[sample] = last_of(list);
            }
            list.reserve_exact(list.len());
        }
    }

    /// The waiting crossings of a sample, in order.
    #[inline(always)]
    pub(super) fn waiting(&self, sample: usize) -> &[OrderedCrossing] {
        let count = self.counts[sample];
        if count == LONG {
            return &self.long[&sample];
        }
        &self.short[sample][..count as usize]
    }

    /// Inserts a crossing of a sample with room for it, or with a long list.
    #[inline(always)]
    pub(super) fn insert(&mut self, sample: usize, new: OrderedCrossing, wholes: &[WholeShape]) {
        let count = self.counts[sample];
        if count >= ROOM as u32 {
            return self.insert_in_long(sample, new, wholes);
        }
        let list = &mut self.short[sample];
        let mut at = count as usize;
        while at > 0 && new.is_before(list[at - 1], wholes) {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = new;
        self.counts[sample] = count + 1;
        self.last[sample] = self.last[sample].max(new.distance);
    }

    #[cold]
    fn insert_in_long(&mut self, sample: usize, new: OrderedCrossing, wholes: &[WholeShape]) {
        let list = self.long.entry(sample).or_default();
        let mut at = list.partition_point(|old| nearer(old.distance) <= new.distance);
        while at > 0 && new.is_before(list[at - 1], wholes) {
            at -= 1;
        }
        list.insert(at, new);
        self.in_long += 1;
        self.last[sample] = self.last[sample].max(new.distance);
    }

    /// Inserts the ends of a passage.
    #[inline(always)]
    pub(super) fn insert_passage(
        &mut self,
        model: Transparency,
        sample: usize,
        ends: [OrderedCrossing; 2],
        slots: &Slots,
    ) {
        if !self.has_room(sample) {
            self.grow(sample);
        }
        if model == Transparency::Shell {
            return self.insert_stretch(sample, ends, &slots.wholes, &slots.groups);
        }
        self.insert(sample, ends[0], &slots.wholes);
        // an exit behind an opaque hit shows nothing, but keeps a medium open
        if ends[1].distance < f32::INFINITY || model == Transparency::Solid {
            self.insert(sample, ends[1], &slots.wholes);
        }
    }

    /// Inserts the interval of a ray inside a shape, and merges it with overlapping intervals of its group: only the
    /// ends of the union stay. `wholes` and `groups` have the shape in each slot and its group.
    #[inline(always)]
    fn insert_stretch(&mut self, sample: usize, ends: [OrderedCrossing; 2], wholes: &[WholeShape], groups: &[u32]) {
        let count = self.counts[sample] as usize;
        if count + 2 > ROOM {
            return self.insert_stretch_in_long(sample, ends, wholes, groups);
        }
        let list = &mut self.short[sample];
        // shapes come roughly front to back: most stretches are behind all others
        let count = if self.last[sample] < nearer(ends[0].distance) {
            list[count..count + 2].copy_from_slice(&ends);
            count + 2
        } else {
            merge(list, count, ends, wholes, groups)
        };
        self.counts[sample] = count as u32;
        self.last[sample] = self.last[sample].max(ends[1].distance);
    }

    #[cold]
    fn insert_stretch_in_long(
        &mut self,
        sample: usize,
        ends: [OrderedCrossing; 2],
        wholes: &[WholeShape],
        groups: &[u32],
    ) {
        let list = self.long.entry(sample).or_default();
        let before = list.len();
        list.resize(before + 2, OrderedCrossing::default());
        let count = merge(list, before, ends, wholes, groups);
        list.truncate(count);
        self.in_long = self.in_long - before + count;
        self.last[sample] = self.last[sample].max(ends[1].distance);
    }

    /// Removes the first crossings of a sample.
    #[inline(always)]
    pub(super) fn remove(&mut self, sample: usize, crossings: usize) {
        let count = self.counts[sample];
        if count == LONG {
            return self.remove_from_long(sample, crossings);
        }
        if crossings < count as usize {
            self.short[sample].copy_within(crossings..count as usize, 0);
        }
        self.counts[sample] = count - crossings as u32;
        if self.counts[sample] == 0 {
            self.last[sample] = f32::NEG_INFINITY;
        }
    }

    #[cold]
    fn remove_from_long(&mut self, sample: usize, crossings: usize) {
        let Some(list) = self.long.get_mut(&sample) else { return };
        list.drain(..crossings);
        self.in_long -= crossings;
        self.last[sample] = last_of(list);
        let count = list.len();
        if count <= ROOM / 2 {
            self.short[sample][..count].copy_from_slice(list);
            self.counts[sample] = count as u32;
            self.in_long -= count;
            self.long.remove(&sample);
        }
    }
}

/// The distance of the last crossing; −∞ without one.
fn last_of(list: &[OrderedCrossing]) -> f32 {
    list.last().map_or(f32::NEG_INFINITY, |crossing| crossing.distance)
}

/// Merges an interval into the first `count` crossings of a list that has room for two more; returns the new count.
///
/// The crossings of each group alternate: enter, exit, enter, exit. A point is inside a group where the group's next
/// crossing is an exit.
#[inline(always)]
fn merge(
    list: &mut [OrderedCrossing],
    count: usize,
    [enter, exit]: [OrderedCrossing; 2],
    wholes: &[WholeShape],
    groups: &[u32],
) -> usize {
    let group = groups[enter.slot()];
    let is_of_group = |crossing: OrderedCrossing| groups[crossing.slot()] == group;
    let mut is_inside = false;
    let mut last = count;
    while last > 0 && exit.is_before(list[last - 1], wholes) {
        last -= 1;
        if is_of_group(list[last]) {
            is_inside = list[last].is_exit();
        }
    }
    let ends_inside = is_inside;
    let mut first = last;
    while first > 0 && enter.is_before(list[first - 1], wholes) {
        first -= 1;
        if is_of_group(list[first]) {
            is_inside = list[first].is_exit();
        }
    }
    let begins_inside = is_inside;
    if first == last && begins_inside {
        return count;
    }
    // between the ends only crossings of other groups stay
    let mut end = first;
    for at in first..last {
        if !is_of_group(list[at]) {
            list[end] = list[at];
            end += 1;
        }
    }
    let behind = end + usize::from(!begins_inside) + usize::from(!ends_inside);
    list.copy_within(last..count, behind);
    if !begins_inside {
        list.copy_within(first..end, first + 1);
        list[first] = enter;
    }
    if !ends_inside {
        list[behind - 1] = exit;
    }
    behind + count - last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What shows of crossings in order: where a ray enters the first shape of a group, and leaves the last.
    fn ends_of_unions(crossings: &[OrderedCrossing], groups: &[u32]) -> Vec<(f32, u32)> {
        let mut inside = [0; 3];
        let shows = |crossing: &&OrderedCrossing| {
            let inside = &mut inside[groups[crossing.slot()] as usize];
            *inside = if crossing.is_exit() { *inside - 1 } else { *inside + 1 };
            *inside == u32::from(!crossing.is_exit())
        };
        crossings.iter().filter(shows).map(|crossing| (crossing.distance, crossing.tag)).collect()
    }

    #[test]
    fn merged_stretches_are_the_ends_of_unions() {
        let mut state = 1_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for round in 0..20_000 {
            let (count, grid) = (1 + random(7), if round % 2 == 0 { 8 } else { 1000 });
            let groups: Vec<u32> = (0..count).map(|_| random(3)).collect();
            // numbers in another order than slots, which decide between equal distances
            let wholes: Vec<WholeShape> = (0..count).map(|slot| WholeShape { number: slot ^ 5, kind: 0 }).collect();
            let mut sorted = CrossingLists::default();
            sorted.clear(1);
            let (mut merged, mut length) = ([OrderedCrossing::default(); ROOM], 0);
            for slot in 0..count {
                let enter = random(grid) as f32;
                let exit = enter + random(grid) as f32;
                let ends = [(enter, slot), (exit, slot | EXIT)].map(|(distance, tag)| OrderedCrossing {
                    distance,
                    tag,
                    cosine: 0.0,
                });
                ends.into_iter().for_each(|crossing| sorted.insert(0, crossing, &wholes));
                length = merge(&mut merged, length, ends, &wholes, &groups);
            }
            let merged: Vec<_> = merged[..length].iter().map(|crossing| (crossing.distance, crossing.tag)).collect();
            assert_eq!(merged, ends_of_unions(sorted.waiting(0), &groups), "round {round}");
        }
    }
}
