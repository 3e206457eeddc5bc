//! The last stretch of a ray inside a group of shapes that touch.
//!
//! `shell` shows only the ends of a group's union. Most atoms of a molecule overlap the atom before them, so that the
//! open stretch just grows, eight samples at a time, without touching their crossing lists. It moves to the list when
//! the next stretch begins.

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::crossings::{Crossings8, OrderedCrossing};
use crate::lanes::LANES;

/// A stretch for each sample.
#[derive(Debug, Default)]
pub(super) struct OpenStretches {
    groups: Vec<u32>,
    enters: Crossings,
    /// Distances less than 0 where there is no stretch.
    exits: Crossings,
}

/// Stretches of eight rays inside a group.
#[derive(Clone, Copy)]
pub(super) struct Stretches8<S: Simd> {
    pub group: u32,
    /// Where the rays enter and leave it.
    pub ends: [Crossings8<S>; 2],
}

/// A crossing for each sample.
#[derive(Debug, Default)]
struct Crossings {
    distance: Vec<f32>,
    tag: Vec<u32>,
    cosine: Vec<f32>,
}

/// Bytes of a sample.
pub(super) const BYTES: usize = size_of::<u32>() + 2 * size_of::<OrderedCrossing>();

impl OpenStretches {
    /// Begins a tile of so many samples.
    pub(super) fn clear(&mut self, samples: usize) {
        self.groups.resize(samples, 0);
        self.enters.resize(samples);
        self.exits.resize(samples);
        self.exits.distance.fill(-1.0);
    }

    /// Extends each open stretch that overlaps the shape's interval and is of the same group. Returns the samples left:
    /// another group, a gap, or equal distances, which need the tie rule.
    #[inline(always)]
    pub(super) fn grow<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        is_entered: mask32x8<S>,
        stretch: Stretches8<S>,
    ) -> mask32x8<S> {
        let Stretches8 { group, ends: [enter, exit] } = stretch;
        let samples = sample..sample + LANES;
        let begin = f32x8::from_slice(simd, &self.enters.distance[samples.clone()]);
        let end = f32x8::from_slice(simd, &self.exits.distance[samples.clone()]);
        let is_of_group = u32x8::from_slice(simd, &self.groups[samples]).simd_eq(u32x8::splat(simd, group));
        let overlaps = is_entered & is_of_group & begin.simd_lt(enter.distance) & enter.distance.simd_lt(end);
        let is_longer = overlaps & end.simd_lt(exit.distance);
        if is_longer.any_true() {
            self.exits.replace(simd, sample, is_longer, exit);
        }
        let is_shorter = overlaps & exit.distance.simd_lt(end);
        is_entered & !(is_longer | is_shorter)
    }

    /// Whether a sample has a stretch.
    #[inline(always)]
    pub(super) fn has(&self, sample: usize) -> bool {
        self.exits.distance[sample] >= 0.0
    }

    /// Which of eight samples have a stretch, and its ends.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, sample: usize) -> (mask32x8<S>, [Crossings8<S>; 2]) {
        let ends = [self.enters.load(simd, sample), self.exits.load(simd, sample)];
        (ends[1].distance.simd_ge(f32x8::splat(simd, 0.0)), ends)
    }

    /// Replaces the stretches of some of eight samples.
    #[inline(always)]
    pub(super) fn set<S: Simd>(&mut self, simd: S, sample: usize, lanes: mask32x8<S>, stretch: Stretches8<S>) {
        let Stretches8 { group, ends: [enter, exit] } = stretch;
        let groups = &mut self.groups[sample..sample + LANES];
        lanes.select(u32x8::splat(simd, group), u32x8::from_slice(simd, groups)).store_slice(groups);
        self.enters.replace(simd, sample, lanes, enter);
        self.exits.replace(simd, sample, lanes, exit);
    }

    /// Takes the stretch of a sample if it begins before a distance.
    #[inline(always)]
    pub(super) fn take(&mut self, sample: usize, before: f32) -> Option<[OrderedCrossing; 2]> {
        if !self.has(sample) || self.enters.distance[sample] >= before {
            return None;
        }
        // `map` of an array would be a call
        let ends = [self.enters.get(sample), self.exits.get(sample)];
        self.remove(sample);
        Some(ends)
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, sample: usize) {
        self.exits.distance[sample] = -1.0;
    }
}

impl Crossings {
    fn resize(&mut self, samples: usize) {
        self.distance.resize(samples, 0.0);
        self.tag.resize(samples, 0);
        self.cosine.resize(samples, 0.0);
    }

    #[inline(always)]
    fn get(&self, sample: usize) -> OrderedCrossing {
        OrderedCrossing { distance: self.distance[sample], tag: self.tag[sample], cosine: self.cosine[sample] }
    }

    #[inline(always)]
    fn load<S: Simd>(&self, simd: S, sample: usize) -> Crossings8<S> {
        let samples = sample..sample + LANES;
        Crossings8 {
            distance: f32x8::from_slice(simd, &self.distance[samples.clone()]),
            tag: u32x8::from_slice(simd, &self.tag[samples.clone()]),
            cosine: f32x8::from_slice(simd, &self.cosine[samples]),
        }
    }

    /// Replaces the crossings of some of eight samples.
    #[inline(always)]
    fn replace<S: Simd>(&mut self, simd: S, sample: usize, lanes: mask32x8<S>, new: Crossings8<S>) {
        let samples = sample..sample + LANES;
        let replace = |values: &mut [f32], new: f32x8<S>| {
            lanes.select(new, f32x8::from_slice(simd, values)).store_slice(values);
        };
        replace(&mut self.distance[samples.clone()], new.distance);
        replace(&mut self.cosine[samples.clone()], new.cosine);
        let tags = &mut self.tag[samples];
        lanes.select(new.tag, u32x8::from_slice(simd, tags)).store_slice(tags);
    }
}
