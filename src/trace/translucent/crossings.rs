//! Where rays enter and leave translucent spheres, in order.
//!
//! Eight neighbouring samples share a list. Its levels hold a crossing of each sample, in the order of distances along each ray:
//! of a sample, the first crossing is in the first level. Spheres come roughly front to back, so that a new crossing finds its
//! place a few levels below the end.
#![expect(clippy::cast_possible_truncation, reason = "levels of a list are counted in 32 bits")]

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use crate::lanes::LANES;

/// The crossing is where the ray leaves the sphere.
pub(super) const EXIT: u32 = 1 << 31;
/// The crossing shows nothing: it is where a ray begins inside the sphere.
pub(super) const HIDDEN: u32 = 1 << 30;
/// The crossing is on a plane that cuts the sphere.
pub(super) const CAP: u32 = 1 << 29;
/// The bits of a tag that name a sphere of the tile.
pub(super) const SLOT: u32 = CAP - 1;

/// A level of a list: a crossing of each of eight samples.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Crossings8 {
    /// World units; infinite where the sample has no crossing at this level.
    pub distance: [f32; LANES],
    /// The sphere, and flags.
    pub tag: [u32; LANES],
    /// Cosine between normal and ray; on a cap the power of the sphere there, less than 0.
    pub cosine: [f32; LANES],
}

impl Crossings8 {
    const NONE: Self = Self { distance: [f32::INFINITY; LANES], tag: [0; LANES], cosine: [0.0; LANES] };
}

/// Crossings of eight rays in registers.
#[derive(Clone, Copy)]
pub(super) struct CrossingLanes<S: Simd> {
    /// Infinite where there is none.
    pub distance: f32x8<S>,
    pub tag: u32x8<S>,
    pub cosine: f32x8<S>,
}

impl<S: Simd> CrossingLanes<S> {
    #[inline(always)]
    fn load(simd: S, level: &Crossings8) -> Self {
        Self {
            distance: f32x8::load_array_ref(simd, &level.distance),
            tag: u32x8::load_array_ref(simd, &level.tag),
            cosine: f32x8::load_array_ref(simd, &level.cosine),
        }
    }

    #[inline(always)]
    fn store(self, level: &mut Crossings8) {
        self.distance.store_array(&mut level.distance);
        self.tag.store_array(&mut level.tag);
        self.cosine.store_array(&mut level.cosine);
    }

    #[inline(always)]
    fn select(mask: mask32x8<S>, yes: Self, no: Self) -> Self {
        Self {
            distance: mask.select(yes.distance, no.distance),
            tag: mask.select(yes.tag, no.tag),
            cosine: mask.select(yes.cosine, no.cosine),
        }
    }
}

/// The crossings of a tile that are not composed yet.
#[derive(Debug, Default)]
pub(super) struct CrossingLists {
    levels: Vec<Crossings8>,
    counts: Vec<u32>,
    /// Levels that each list has room for.
    room: usize,
}

/// tuned: benches/spheres.rs T1. Levels of a list to begin with.
const ROOM: usize = 16;

/// Levels of a list at the most: of surfaces with the least opacity, 1/255, so many let less light pass than a sample shows.
const MOST: usize = 2304;

impl CrossingLists {
    /// Begins a tile with so many empty lists.
    pub(super) fn clear(&mut self, lists: usize) {
        self.room = ROOM;
        self.counts.clear();
        self.counts.resize(lists, 0);
        self.levels.resize(lists * ROOM, Crossings8::NONE);
    }

    /// Whether a list has room for the crossings of one more sphere.
    #[inline(always)]
    pub(super) fn has_room(&self, list: usize) -> bool {
        self.counts[list] as usize + 2 <= self.room
    }

    /// Makes room in a list for the crossings of one more sphere: doubles the capacity of all lists, or drops the farthest crossings of
    /// a list of maximal length.
    #[cold]
    pub(super) fn grow(&mut self, list: usize) {
        if self.room >= MOST {
            self.counts[list] -= 2;
            return;
        }
        let room = 2 * self.room;
        let mut levels = vec![Crossings8::NONE; self.counts.len() * room];
        for ((from, to), &count) in self.levels.chunks(self.room).zip(levels.chunks_mut(room)).zip(&self.counts) {
            to[..count as usize].copy_from_slice(&from[..count as usize]);
        }
        (self.levels, self.room) = (levels, room);
    }

    /// The levels of a list that are in use.
    #[inline(always)]
    pub(super) fn levels(&self, list: usize) -> &[Crossings8] {
        let first = list * self.room;
        &self.levels[first..first + self.counts[list] as usize]
    }

    /// Inserts a crossing of each sample into a list with room for it. Of equal distances the lower number comes first.
    #[inline(always)]
    pub(super) fn insert<S: Simd>(&mut self, simd: S, list: usize, new: CrossingLanes<S>, numbers: &[u32]) {
        let count = self.counts[list] as usize;
        let first = list * self.room;
        let levels = &mut self.levels[first..=first + count];
        let infinite = f32x8::splat(simd, f32::INFINITY);
        let mut new = new;
        let mut is_longer = false;
        for at in (0..count).rev() {
            let old = CrossingLanes::load(simd, &levels[at]);
            let mut is_before = new.distance.simd_lt(old.distance);
            let is_tie = new.distance.simd_eq(old.distance) & new.distance.simd_lt(infinite);
            if is_tie.any_true() {
                is_before = break_ties(simd, is_before, is_tie, new, old, numbers);
            }
            let later = CrossingLanes::select(is_before, old, new);
            if at + 1 < count || later.distance.simd_lt(infinite).any_true() {
                is_longer |= at + 1 == count;
                later.store(&mut levels[at + 1]);
            }
            if !is_before.any_true() {
                self.counts[list] += u32::from(is_longer);
                return;
            }
            new = CrossingLanes::select(is_before, new, old);
        }
        is_longer |= count == 0;
        new.store(&mut levels[0]);
        self.counts[list] += u32::from(is_longer);
    }

    /// Removes crossings nearer than `end`, which are the first of each sample.
    #[inline(always)]
    pub(super) fn remove(&mut self, list: usize, end: f32) {
        let count = self.counts[list] as usize;
        let first = list * self.room;
        let levels = &mut self.levels[first..first + count];
        let mut longest = 0;
        if end < f32::INFINITY {
            for lane in 0..LANES {
                let (mut kept, mut at) = (0, 0);
                while at < count && levels[at].distance[lane] < end {
                    at += 1;
                }
                while at < count && levels[at].distance[lane] < f32::INFINITY {
                    levels[kept].distance[lane] = levels[at].distance[lane];
                    levels[kept].tag[lane] = levels[at].tag[lane];
                    levels[kept].cosine[lane] = levels[at].cosine[lane];
                    kept += 1;
                    at += 1;
                }
                for level in &mut levels[kept..] {
                    level.distance[lane] = f32::INFINITY;
                }
                longest = longest.max(kept);
            }
        }
        self.counts[list] = longest as u32;
    }
}

/// Which of the new crossings come before old ones, those at equal distances included: of caps that of the sphere in which the
/// point lies deepest, or else the lower number.
#[cold]
fn break_ties<S: Simd>(
    simd: S,
    is_before: mask32x8<S>,
    is_tie: mask32x8<S>,
    new: CrossingLanes<S>,
    old: CrossingLanes<S>,
    numbers: &[u32],
) -> mask32x8<S> {
    let mut before = is_before.to_bitmask();
    let ties = is_tie.to_bitmask();
    let (new_tags, old_tags) = (new.tag.to_array(), old.tag.to_array());
    let (new_cosines, old_cosines) = (new.cosine.to_array(), old.cosine.to_array());
    for lane in (0..LANES).filter(|lane| ties >> lane & 1 == 1) {
        let (a, b) = (new_tags[lane], old_tags[lane]);
        let [slot_a, slot_b] = [a, b].map(|tag| (tag & SLOT) as usize);
        let power = |tag: u32, cosine: f32| if tag & CAP == 0 { 0.0 } else { cosine };
        let powers = power(a, new_cosines[lane]).total_cmp(&power(b, old_cosines[lane]));
        // a ray enters a sphere before it leaves it
        let is_first = if slot_a == slot_b {
            a & EXIT < b & EXIT
        } else {
            powers.then(numbers[slot_a].cmp(&numbers[slot_b])).is_lt()
        };
        if is_first {
            before |= 1 << lane;
        }
    }
    mask32x8::from_bitmask(simd, before)
}
