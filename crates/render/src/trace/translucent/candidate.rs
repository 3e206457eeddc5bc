//! How eight rays pass through a shape: entry and exit, clipped by the cut planes and by the opaque hits.

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::composition::SlotPaint;
use super::crossings::{CAP, Crossings8, EXIT, HIDDEN, SLOT};
use super::pending::{Ends8, Passages8};
use crate::lanes::{LANES, select3};
use crate::scene::spheres::Transparency;
use crate::shapes::Target;
use crate::tiles::sphere_bins::SphereEntry;
use crate::trace::find::primary::{HitLayer, TilePart};
use crate::trace::find::sample_rays::SampleRays;

/// A primitive and the part of the tile that it can touch.
pub(super) struct Candidate<T> {
    pub target: T,
    pub entry: SphereEntry,
    /// The slot of its first index; its second index has the next slot if the colours differ.
    pub slot: u32,
    /// The paints of both indices.
    pub paints: [SlotPaint; 2],
    /// With `shell`: the tile's number for its group.
    pub group: u32,
    pub is_split: bool,
    pub part: TilePart,
}

/// Eight rays of a plane, and their opaque hits.
#[derive(Clone, Copy)]
pub(super) struct Rays8<'a, S: Simd> {
    pub rays: &'a SampleRays,
    pub layer: &'a HitLayer,
    /// Offset of the first ray.
    pub at: usize,
    /// Distances up to which the rays are open.
    pub limit: f32x8<S>,
}

/// How eight rays pass through a shape.
#[derive(Clone, Copy)]
pub(super) struct Passage8<S: Simd> {
    /// Whether the ray is in the shape in front of its opaque hit.
    pub is_entered: mask32x8<S>,
    /// Where it enters and leaves; at an infinite distance if the opaque hit is in front.
    pub ends: [Crossings8<S>; 2],
    /// For a medium in two colours: the slots of the halves where the ray enters and leaves.
    pub halves: Option<[u32x8<S>; 2]>,
}

impl<T> Candidate<T> {
    /// Passages through the shape, with its paint.
    #[inline(always)]
    pub(super) fn painted<S: Simd>(&self, simd: S, ends: [Crossings8<S>; 2]) -> Passages8<S> {
        let [first, second] = &self.paints;
        let (mut enter, mut exit) = (first.at(simd, ends[0]), first.at(simd, ends[1]));
        if self.is_split {
            enter = self.select_half(simd, enter, second.at(simd, ends[0]));
            exit = self.select_half(simd, exit, second.at(simd, ends[1]));
        }
        Passages8 { group: self.group, enter, exit }
    }

    /// The paint of the half that each crossing is on.
    #[inline(always)]
    fn select_half<S: Simd>(&self, simd: S, first: Ends8<S>, second: Ends8<S>) -> Ends8<S> {
        let slots = first.crossing.tag & u32x8::splat(simd, SLOT);
        let is_first = slots.simd_eq(u32x8::splat(simd, self.slot));
        Ends8 {
            crossing: first.crossing,
            opacity: is_first.select(first.opacity, second.opacity),
            paint: select3(is_first, first.paint, second.paint),
        }
    }
}

/// What ends eight rays: the opaque hits, and the distances up to which crossings are wanted.
struct PassageEnd<S: Simd> {
    hit: f32x8<S>,
    hit_depth: f32x8<S>,
    /// Where the shape has a lower number than the one that is hit.
    is_lower: mask32x8<S>,
    limit: f32x8<S>,
}

impl<S: Simd> PassageEnd<S> {
    /// Which rays are open at a distance, where the shape is this deep.
    #[inline(always)]
    fn is_open(&self, simd: S, t: f32x8<S>, depth: f32x8<S>) -> mask32x8<S> {
        let is_first = depth.simd_lt(self.hit_depth) | (depth.simd_eq(self.hit_depth) & self.is_lower);
        // the limit may be nearer than the hit
        let is_tie = t.simd_eq(self.hit) & t.simd_le(self.limit) & t.simd_lt(f32x8::splat(simd, f32::INFINITY));
        t.simd_lt(self.limit) | (is_tie & is_first)
    }
}

impl<T: Target> Candidate<T> {
    /// How eight rays pass through the shape; `None` if no open ray does.
    #[inline(always)]
    pub(super) fn passage<S: Simd>(
        &self,
        simd: S,
        model: Transparency,
        eight: Rays8<'_, S>,
        approach: T::Approach<S>,
    ) -> Option<Passage8<S>> {
        let Rays8 { rays, layer, at, limit } = eight;
        let Self { target, entry, slot, is_split, .. } = self;
        let (zero, infinite) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
        let [enter, exit] = target.crossings(simd, approach, rays.are_parallel());
        let [begin, end] = rays.kept8(simd, at).unwrap_or([zero, infinite]);
        // false for NaN; planes may clip all of a ray
        let is_met = T::meets(approach) & exit.simd_ge(begin) & enter.simd_le(end) & begin.simd_le(end);
        let is_inside = enter.simd_lt(begin);
        let first = enter.max(begin);
        // rounding must not let a ray leave a shape before it enters it
        let last = exit.min(end).max(first);
        let (has_first_cap, has_last_cap) = (is_inside & begin.simd_gt(zero), exit.simd_gt(end));
        // ties with the opaque hit: the deeper cap comes first, otherwise the lower number
        let [mut first_depth, mut last_depth, mut hit_depth] = [zero; 3];
        if rays.are_clipped() {
            first_depth = has_first_cap.select(target.depth_at(simd, approach, begin), zero);
            last_depth = has_last_cap.select(target.depth_at(simd, approach, end), zero);
            hit_depth = f32x8::from_slice(simd, &layer.cosine[at..at + LANES]);
        }
        let hit = f32x8::from_slice(simd, &layer.distance[at..at + LANES]);
        let owners = u32x8::from_slice(simd, &layer.index[at..at + LANES]);
        let is_lower = u32x8::splat(simd, entry.index).simd_lt(owners);
        let end = PassageEnd { hit, hit_depth, is_lower, limit };
        let is_entered = is_met & end.is_open(simd, first, first_depth);
        if !is_entered.any_true() {
            return None;
        }
        let is_left = is_met & end.is_open(simd, last, last_depth);
        let mut tags = [u32x8::splat(simd, *slot); 2];
        if *is_split {
            tags = [target.owners(simd, *slot, approach, first), target.owners(simd, *slot, approach, last)];
        }
        let halves = (*is_split && model == Transparency::Solid).then_some(tags);
        tags[1] |= u32x8::splat(simd, EXIT);
        let mut cosines = target.cosines(approach);
        if model == Transparency::Solid {
            // the exit takes away the light that the entry added: both need the same cosine
            cosines = [is_inside.select(cosines[1], cosines[0]); 2];
        }
        if is_inside.any_true() {
            let flag = has_first_cap.select(u32x8::splat(simd, CAP), u32x8::splat(simd, HIDDEN));
            tags[0] = is_inside.select(tags[0] | flag, tags[0]);
            cosines[0] = has_first_cap.select(first_depth, cosines[0]);
        }
        if has_last_cap.any_true() {
            tags[1] = has_last_cap.select(tags[1] | u32x8::splat(simd, CAP), tags[1]);
            cosines[1] = has_last_cap.select(last_depth, cosines[1]);
        }
        let ends = [
            Crossings8 { distance: first, tag: tags[0], cosine: cosines[0] },
            Crossings8 { distance: is_left.select(last, infinite), tag: tags[1], cosine: cosines[1] },
        ];
        Some(Passage8 { is_entered, ends, halves })
    }
}
