//! The last passage of each ray through a shape, until it is composed.
//!
//! Shapes come roughly front to back, and most leave a gap before the next one on a ray: a passage that ends before the
//! next shape can begin is composed, eight samples at a time, without touching their crossing lists. One that the next
//! shape overlaps moves to the list of its sample. With `shell` a passage is a stretch inside a group of shapes that
//! touch: it grows with every shape of its group that overlaps it, and only its ends show.

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::crossings::{Crossings8, EXIT, OrderedCrossing, SLOT, nearer};
use crate::lanes::{LANES, Vec3x8};

/// A passage for each sample.
#[derive(Debug, Default)]
pub(super) struct PendingPassages {
    columns: PendingColumns,
    groups: Vec<u32>,
    enters: EndColumns,
    /// Distances less than 0 where nothing is pending.
    exits: EndColumns,
}

/// The columns of passages that a tile needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PendingColumns {
    /// Light is added while surfaces are composed, which takes colours.
    pub paints: bool,
    /// The ends of a passage may be on shapes of different colours, or on planes.
    pub ends_differ: bool,
    /// Passages belong to groups.
    pub groups: bool,
}

/// Where eight rays enter or leave shapes, and the paint there.
#[derive(Clone, Copy)]
pub(super) struct Ends8<S: Simd> {
    pub crossing: Crossings8<S>,
    /// Opacity, or with `solid` absorption over a unit of length.
    pub opacity: f32x8<S>,
    /// Linear colour.
    pub paint: Vec3x8<S>,
}

/// Passages of eight rays through a shape or group.
#[derive(Clone, Copy)]
pub(super) struct Passages8<S: Simd> {
    pub group: u32,
    pub enter: Ends8<S>,
    pub exit: Ends8<S>,
}

/// Where the ray of each sample enters or leaves.
#[derive(Debug, Default)]
struct EndColumns {
    distance: Vec<f32>,
    cosine: Vec<f32>,
    tag: Vec<u32>,
    opacity: Vec<f32>,
    paint: [Vec<f32>; 3],
}

/// Bytes per sample.
pub(super) const BYTES: usize = size_of::<u32>() + 2 * (size_of::<OrderedCrossing>() + size_of::<[f32; 4]>());

impl PendingPassages {
    /// Begins a tile of this many samples.
    pub(super) fn clear(&mut self, samples: usize, columns: PendingColumns) {
        self.columns = columns;
        if columns.groups {
            self.groups.resize(samples, 0);
        }
        self.enters.resize(samples, true, columns.paints);
        self.exits.resize(samples, columns.ends_differ, columns.paints);
        self.exits.distance.fill(NOTHING);
    }

    /// Extends each pending stretch that overlaps the new one and is of the same group. Returns the remaining samples:
    /// another group, a gap, or about equal distances, which need the tie rule.
    #[inline(always)]
    pub(super) fn grow<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        is_entered: mask32x8<S>,
        new: &Passages8<S>,
    ) -> mask32x8<S> {
        let (enter, exit) = (new.enter.crossing.distance, new.exit.crossing.distance);
        let begin = load(simd, &self.enters.distance, sample);
        let end = self.exit_distances(simd, sample);
        let is_of_group = load_u32(simd, &self.groups, sample).simd_eq(u32x8::splat(simd, new.group));
        let less = f32x8::splat(simd, nearer(1.0));
        let overlaps = is_entered & is_of_group & begin.simd_lt(enter * less) & enter.simd_lt(end * less);
        let is_longer = overlaps & end.simd_lt(exit * less);
        if is_longer.any_true() {
            self.exits.set(simd, sample, is_longer, &new.exit);
        }
        let is_shorter = overlaps & exit.simd_lt(end * less);
        is_entered & !(is_longer | is_shorter)
    }

    /// Where the pending passages of eight samples end; less than 0 where there are none.
    #[inline(always)]
    pub(super) fn exit_distances<S: Simd>(&self, simd: S, sample: usize) -> f32x8<S> {
        load(simd, &self.exits.distance, sample)
    }

    /// Where the pending passages of eight samples begin.
    #[inline(always)]
    pub(super) fn enter_distances<S: Simd>(&self, simd: S, sample: usize) -> f32x8<S> {
        load(simd, &self.enters.distance, sample)
    }

    /// Where the pending passage of a sample begins.
    #[inline(always)]
    pub(super) fn entry(&self, sample: usize) -> OrderedCrossing {
        let EndColumns { distance, cosine, tag, .. } = &self.enters;
        OrderedCrossing { distance: distance[sample], tag: tag[sample], cosine: cosine[sample] }
    }

    /// Whether a sample has a pending passage that begins before a distance.
    #[inline(always)]
    pub(super) fn begins_before(&self, sample: usize, distance: f32) -> bool {
        self.exits.distance[sample] >= 0.0 && self.enters.distance[sample] < distance
    }

    /// The pending passages of eight samples, without their groups.
    ///
    /// Loads a column at a time: a structure chosen by a branch would go through memory.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, sample: usize) -> Passages8<S> {
        let (enters, exits) = (&self.enters, &self.exits);
        let tag = load_u32(simd, &enters.tag, sample);
        let opacity = load(simd, &enters.opacity, sample);
        let (mut r, mut g, mut b) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 0.0), f32x8::splat(simd, 0.0));
        if self.columns.paints {
            r = load(simd, &enters.paint[0], sample);
            g = load(simd, &enters.paint[1], sample);
            b = load(simd, &enters.paint[2], sample);
        }
        let mut exit_tag = tag & u32x8::splat(simd, SLOT) | u32x8::splat(simd, EXIT);
        let (mut exit_opacity, mut exit_r, mut exit_g, mut exit_b) = (opacity, r, g, b);
        if self.columns.ends_differ {
            exit_tag = load_u32(simd, &exits.tag, sample);
            exit_opacity = load(simd, &exits.opacity, sample);
            if self.columns.paints {
                exit_r = load(simd, &exits.paint[0], sample);
                exit_g = load(simd, &exits.paint[1], sample);
                exit_b = load(simd, &exits.paint[2], sample);
            }
        }
        let crossing = |columns: &EndColumns, tag| Crossings8 {
            distance: load(simd, &columns.distance, sample),
            tag,
            cosine: load(simd, &columns.cosine, sample),
        };
        Passages8 {
            group: 0,
            enter: Ends8 { crossing: crossing(enters, tag), opacity, paint: [r, g, b] },
            exit: Ends8 { crossing: crossing(exits, exit_tag), opacity: exit_opacity, paint: [exit_r, exit_g, exit_b] },
        }
    }

    /// Replaces the passages of some of eight samples.
    #[inline(always)]
    pub(super) fn set<S: Simd>(&mut self, simd: S, sample: usize, lanes: mask32x8<S>, new: &Passages8<S>) {
        if self.columns.groups {
            store_u32(simd, &mut self.groups, sample, lanes, u32x8::splat(simd, new.group));
        }
        self.enters.set(simd, sample, lanes, &new.enter);
        self.exits.set(simd, sample, lanes, &new.exit);
    }

    /// Removes the passages of some of eight samples.
    #[inline(always)]
    pub(super) fn remove<S: Simd>(&mut self, simd: S, sample: usize, lanes: mask32x8<S>) {
        store(simd, &mut self.exits.distance, sample, lanes, f32x8::splat(simd, NOTHING));
    }

    /// Removes the passage of a sample and returns its ends.
    #[inline(always)]
    pub(super) fn take(&mut self, sample: usize) -> [OrderedCrossing; 2] {
        let (enters, exits) = (&self.enters, &self.exits);
        let tag = if self.columns.ends_differ { exits.tag[sample] } else { enters.tag[sample] & SLOT | EXIT };
        let ends = [
            self.entry(sample),
            OrderedCrossing { distance: exits.distance[sample], tag, cosine: exits.cosine[sample] },
        ];
        self.close(sample);
        ends
    }

    /// Removes the passage of a sample.
    #[inline(always)]
    pub(super) fn close(&mut self, sample: usize) {
        self.exits.distance[sample] = NOTHING;
    }
}

impl EndColumns {
    fn resize(&mut self, samples: usize, has_own: bool, has_paint: bool) {
        self.distance.resize(samples, 0.0);
        self.cosine.resize(samples, 0.0);
        self.tag.resize(if has_own { samples } else { 0 }, 0);
        self.opacity.resize(if has_own { samples } else { 0 }, 0.0);
        for channel in &mut self.paint {
            channel.resize(if has_own && has_paint { samples } else { 0 }, 0.0);
        }
    }

    #[inline(always)]
    fn set<S: Simd>(&mut self, simd: S, sample: usize, lanes: mask32x8<S>, new: &Ends8<S>) {
        store(simd, &mut self.distance, sample, lanes, new.crossing.distance);
        store(simd, &mut self.cosine, sample, lanes, new.crossing.cosine);
        if self.tag.is_empty() {
            return;
        }
        store_u32(simd, &mut self.tag, sample, lanes, new.crossing.tag);
        store(simd, &mut self.opacity, sample, lanes, new.opacity);
        let [r, g, b] = &mut self.paint;
        if !r.is_empty() {
            store(simd, r, sample, lanes, new.paint[0]);
            store(simd, g, sample, lanes, new.paint[1]);
            store(simd, b, sample, lanes, new.paint[2]);
        }
    }
}

/// The distance of the exit where nothing is pending.
const NOTHING: f32 = -1.0;

#[inline(always)]
fn load<S: Simd>(simd: S, column: &[f32], sample: usize) -> f32x8<S> {
    f32x8::from_slice(simd, &column[sample..sample + LANES])
}

#[inline(always)]
fn load_u32<S: Simd>(simd: S, column: &[u32], sample: usize) -> u32x8<S> {
    u32x8::from_slice(simd, &column[sample..sample + LANES])
}

#[inline(always)]
fn store<S: Simd>(simd: S, column: &mut [f32], sample: usize, lanes: mask32x8<S>, new: f32x8<S>) {
    let column = &mut column[sample..sample + LANES];
    lanes.select(new, f32x8::from_slice(simd, column)).store_slice(column);
}

#[inline(always)]
fn store_u32<S: Simd>(simd: S, column: &mut [u32], sample: usize, lanes: mask32x8<S>, new: u32x8<S>) {
    let column = &mut column[sample..sample + LANES];
    lanes.select(new, u32x8::from_slice(simd, column)).store_slice(column);
}
