//! Where rays enter and leave translucent shapes, in order.
//!
//! Each sample has a list of the crossings that are not composed yet. Shapes come roughly front to back, so that a new crossing finds
//! its place near the end. Lists are short: what is nearer than the next shape is composed and removed when a list is full. The few
//! that outgrow their room move elsewhere.

#![expect(clippy::cast_possible_truncation, reason = "crossings of a list are counted in 32 bits")]

use std::collections::BTreeMap;

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
    /// Cosine between normal and ray; on a cap the power of the shape there, less than 0.
    pub cosine: f32,
}

impl OrderedCrossing {
    /// Where the shape stands among those of the tile.
    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        (self.tag & SLOT) as usize
    }

    #[inline(always)]
    pub(super) fn is_exit(self) -> bool {
        self.tag & EXIT != 0
    }

    /// Whether this comes before another crossing of the same ray. `wholes` has the number of each slot's shape.
    #[inline(always)]
    fn is_before(self, other: Self, wholes: &[u32]) -> bool {
        self.distance < other.distance || (self.distance == other.distance && self.is_first_of_equal(other, wholes))
    }

    /// Of crossings at one distance: of caps that of the shape in which the point lies deepest comes first, or else that of the
    /// lower number. A ray enters a shape before it leaves it.
    #[cold]
    fn is_first_of_equal(self, other: Self, wholes: &[u32]) -> bool {
        let [a, b] = [self, other].map(|crossing| wholes[crossing.slot()]);
        if a == b {
            return self.tag & EXIT < other.tag & EXIT;
        }
        let power = |crossing: Self| if crossing.tag & CAP == 0 { 0.0 } else { crossing.cosine };
        power(self).total_cmp(&power(other)).then(a.cmp(&b)).is_lt()
    }
}

/// The crossings of a tile that are not composed yet.
#[derive(Debug, Default)]
pub(super) struct CrossingLists {
    /// [`ROOM`] for each sample.
    short: Vec<[OrderedCrossing; ROOM]>,
    /// How many wait; [`LONG`] if they are in `long`.
    counts: Vec<u32>,
    /// The lists of samples that outgrew their room.
    long: BTreeMap<usize, Vec<OrderedCrossing>>,
    /// Crossings in `long`.
    in_long: usize,
}

/// tuned: benches/spheres.rs T1. Crossings that a sample has room for.
const ROOM: usize = 16;

const LONG: u32 = u32::MAX;

/// Crossings of a sample at the most: of surfaces with the least opacity, 1/255, so many let less light pass than a sample shows.
const MOST: usize = 2304;

/// Crossings of all long lists of a tile at the most.
const MOST_IN_LONG: usize = 1 << 20;

/// Bytes of a tile's lists: of each sample, and of all long ones.
pub(super) const LIST_BYTES: [usize; 2] =
    [size_of::<[OrderedCrossing; ROOM]>() + size_of::<u32>(), 2 * MOST_IN_LONG * size_of::<OrderedCrossing>()];

impl CrossingLists {
    /// Begins a tile with so many empty lists.
    pub(super) fn clear(&mut self, samples: usize) {
        self.counts.clear();
        self.counts.resize(samples, 0);
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

    /// Whether a sample has room for so many crossings, without growing.
    #[inline(always)]
    pub(super) fn has_room(&self, sample: usize, crossings: u32) -> bool {
        self.counts[sample].saturating_add(crossings) <= ROOM as u32
    }

    /// Makes room in a full list by moving it to where it can grow, or by dropping the farthest crossings of one that is as long as any
    /// may be.
    #[cold]
    pub(super) fn grow(&mut self, sample: usize, crossings: u32) {
        if self.counts[sample] != LONG {
            let list = self.waiting(sample).to_vec();
            self.in_long += list.len();
            self.long.insert(sample, list);
            self.counts[sample] = LONG;
        }
        if let Some(list) = self.long.get_mut(&sample) {
            let kept = list.len().min(MOST - crossings as usize);
            self.in_long -= list.len() - kept;
            list.truncate(kept);
        }
    }

    /// Whether a full list should drop crossings that never show: a long list is checked only now and then.
    pub(super) fn is_to_be_thinned(&self, sample: usize) -> bool {
        self.counts[sample] != LONG || self.waiting(sample).len() % 64 < 2
    }

    /// Replaces the crossings of a sample by some of them.
    pub(super) fn thin(&mut self, sample: usize, kept: &[OrderedCrossing]) {
        if let Some(list) = self.long.get_mut(&sample) {
            self.in_long -= list.len() - kept.len();
            list.clear();
            list.extend_from_slice(kept);
            return self.remove(sample, 0);
        }
        self.short[sample][..kept.len()].copy_from_slice(kept);
        self.counts[sample] = kept.len() as u32;
    }

    /// Whether any crossing of a sample waits.
    #[inline(always)]
    pub(super) fn is_empty(&self, sample: usize) -> bool {
        self.counts[sample] == 0
    }

    /// The crossings of a sample that wait, in order.
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
    pub(super) fn insert(&mut self, sample: usize, new: OrderedCrossing, wholes: &[u32]) {
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
    }

    #[cold]
    fn insert_in_long(&mut self, sample: usize, new: OrderedCrossing, wholes: &[u32]) {
        let list = self.long.entry(sample).or_default();
        let at = list.partition_point(|old| !new.is_before(*old, wholes));
        list.insert(at, new);
        self.in_long += 1;
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
    }

    #[cold]
    fn remove_from_long(&mut self, sample: usize, crossings: usize) {
        let Some(list) = self.long.get_mut(&sample) else { return };
        list.drain(..crossings);
        self.in_long -= crossings;
        let count = list.len();
        if count <= ROOM / 2 {
            self.short[sample][..count].copy_from_slice(list);
            self.counts[sample] = count as u32;
            self.in_long -= count;
            self.long.remove(&sample);
        }
    }
}
