//! Front-to-back compositing: sorted crossings in, light and transmittance of each sample out. Crossings become
//! surfaces, or stretches inside a medium.
//!
//! A surface of opacity a takes a share a of the transmittance, and lets 1 − a of it through. Where light depends on
//! the cosine to the ray alone, it is added at once. Otherwise a fragment is noted: its share is known, its light is
//! found later.

use std::ops::Range;

use fearless_simd::{f32x4, f32x8, mask32x8, prelude::*, u32x8};

use super::crossings::{Crossings8, HIDDEN, OrderedCrossing, WholeShape};
use super::media::{EnteredShapes, Medium};
use super::pending::{Ends8, Passages8};
use crate::lanes::{LANES, next_lane, splat3};
use crate::scene::spheres::Transparency;
use crate::trace::find::primary::HitLayer;

/// Transmittance below which a sample is finished: whatever lies behind changes no 8-bit value by more than half a
/// step, even on black.
const LEAST_PASS: f32 = 1.0 / 8192.0;

/// A sample with all channels at least this bright is finished at this larger transmittance: the transfer function is
/// flatter there, so that half a step is more light.
const BRIGHT: f32 = 0.075;
const LEAST_PASS_BRIGHT: f32 = 1.0 / 1024.0;

/// The properties of a shape that compositing needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// Linear colour, and 1.
    pub paints: Vec<[f32; 4]>,
    pub opacities: Vec<f32>,
    /// Indices among all instances.
    pub numbers: Vec<u32>,
    /// The shapes, which break ties.
    pub wholes: Vec<WholeShape>,
    /// The number of the group in this tile.
    pub groups: Vec<u32>,
    /// Absorption over a unit of length.
    pub absorption: Vec<f32>,
}

/// A visible surface, or part of a medium, that is still to be lit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    pub sample: u32,
    /// A slot, and whether its far side or a cap shows.
    pub tag: u32,
    /// The share of its light that reaches the eye.
    pub share: f32,
}

/// How the light of surfaces is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lighting {
    /// Colour times base + slope · cosine.
    Cosine { base: f32, slope: f32 },
    /// Later, from fragments.
    Deferred,
}

/// The paint of shapes, and how it is lit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Appearance<'a> {
    pub slots: &'a Slots,
    pub lighting: Lighting,
}

/// The paint of a shape.
#[derive(Clone, Copy)]
pub(super) struct SlotPaint {
    /// Linear colour.
    rgb: [f32; 3],
    /// Opacity, or with `solid` absorption over a unit of length.
    opacity: f32,
}

impl SlotPaint {
    pub(super) fn new(slots: &Slots, slot: u32, model: Transparency) -> Self {
        let slot = slot as usize;
        let [r, g, b, _] = slots.paints[slot];
        let opacities = if model == Transparency::Solid { &slots.absorption } else { &slots.opacities };
        Self { rgb: [r, g, b], opacity: opacities[slot] }
    }

    /// Crossings of a surface with this paint.
    #[inline(always)]
    pub(super) fn at<S: Simd>(&self, simd: S, crossing: Crossings8<S>) -> Ends8<S> {
        Ends8 { crossing, opacity: f32x8::splat(simd, self.opacity), paint: splat3(simd, self.rgb) }
    }
}

/// Partial composition of a tile's samples.
#[derive(Debug, Default)]
pub(in crate::trace) struct Composition {
    pub model: Transparency,
    /// Distance up to which a sample is open: to its opaque hit, or less than 0 once it is done.
    pub limit: Vec<f32>,
    /// Transmittance.
    pub pass: Vec<f32>,
    /// Premultiplied light and opacity, a column for each channel.
    pub light: [Vec<f32>; 4],
    /// Fragments in the order of composition.
    pub fragments: Vec<Fragment>,
    /// With `solid`: the medium that each sample's ray is inside of.
    pub media: Vec<Medium>,
    /// With `solid` and deferred light: the shapes that each sample's ray is inside of.
    pub inside: Vec<EnteredShapes>,
    /// The first surface of each sample, if wanted.
    pub first: Option<HitLayer>,
}

/// Bytes per sample.
pub(super) const SAMPLE_BYTES: usize = 6 * size_of::<f32>()
    + size_of::<Medium>()
    + size_of::<EnteredShapes>()
    + size_of::<Fragment>()
    + 3 * size_of::<f32>();

/// Eight samples while passages are composed.
pub(super) struct Composed8<S: Simd> {
    pub pass: f32x8<S>,
    /// Premultiplied light and opacity.
    pub light: [f32x8<S>; 4],
    /// The samples that the passages belong to, and that are not done.
    pub open: mask32x8<S>,
}

impl Slots {
    /// The number of a shape's group in this tile; 0 for models without groups.
    #[inline(always)]
    pub(super) fn group(&self, slot: u32) -> u32 {
        self.groups.get(slot as usize).copied().unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.paints.clear();
        self.opacities.clear();
        self.numbers.clear();
        self.wholes.clear();
        self.groups.clear();
        self.absorption.clear();
    }
}

impl Composition {
    /// Makes room for a tile of this many samples.
    pub(super) fn resize(&mut self, model: Transparency, samples: usize, has_first: bool) {
        self.model = model;
        self.limit.resize(samples, 0.0);
        self.pass.resize(samples, 1.0);
        for channel in &mut self.light {
            channel.resize(samples, 0.0);
        }
        if model == Transparency::Solid {
            self.media.resize(samples, Medium::EMPTY);
            self.inside.resize(samples, EnteredShapes::default());
        }
        self.first = has_first.then(|| {
            let mut first = self.first.take().unwrap_or_default();
            first.clear(samples);
            first
        });
        self.fragments.clear();
    }

    /// Begins some samples, which are open up to their limits.
    pub(super) fn clear(&mut self, samples: Range<usize>) {
        self.pass[samples.clone()].fill(1.0);
        for channel in &mut self.light {
            channel[samples.clone()].fill(0.0);
        }
        if self.model == Transparency::Solid {
            self.media[samples.clone()].fill(Medium::EMPTY);
            self.inside[samples.clone()].iter_mut().for_each(EnteredShapes::clear);
        }
        if let Some(first) = &mut self.first {
            first.distance[samples].fill(f32::INFINITY);
        }
    }

    /// Closes a sample behind waiting surfaces that let hardly anything pass: whatever else comes before them lets even
    /// less pass. Only for `surfaces`, where no other crossing changes whether a surface shows.
    pub(super) fn lower_limit(&mut self, sample: usize, waiting: &[OrderedCrossing], slots: &Slots) {
        if self.model != Transparency::Surfaces {
            return;
        }
        let limit = &mut self.limit[sample];
        let mut pass = self.pass[sample];
        for crossing in waiting.iter().filter(|crossing| crossing.tag & HIDDEN == 0) {
            pass *= 1.0 - slots.opacities[crossing.slot()];
            if pass < LEAST_PASS {
                // surfaces at the same distance may come before it
                *limit = limit.min(crossing.distance.next_up());
                return;
            }
        }
    }

    /// Premultiplied light and opacity of a sample.
    #[inline(always)]
    pub(super) fn light(&self, sample: usize) -> [f32; 4] {
        let [r, g, b, opacity] = &self.light;
        [r[sample], g[sample], b[sample], opacity[sample]]
    }

    #[inline(always)]
    pub(super) fn set_light(&mut self, sample: usize, [red, green, blue, shown]: [f32; 4]) {
        let [r, g, b, opacity] = &mut self.light;
        (r[sample], g[sample], b[sample], opacity[sample]) = (red, green, blue, shown);
    }

    /// Composes the passages of some of eight samples without waiting crossings or an open medium.
    #[inline(always)]
    pub(super) fn add_passages<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        lanes: mask32x8<S>,
        passages: &Passages8<S>,
        appearance: Appearance<'_>,
    ) {
        let samples = sample..sample + LANES;
        let [r, g, b, shown] = &self.light;
        // written out: `map` of an array would be a call
        let mut eight = Composed8 {
            pass: f32x8::from_slice(simd, &self.pass[samples.clone()]),
            light: [
                f32x8::from_slice(simd, &r[samples.clone()]),
                f32x8::from_slice(simd, &g[samples.clone()]),
                f32x8::from_slice(simd, &b[samples.clone()]),
                f32x8::from_slice(simd, &shown[samples.clone()]),
            ],
            open: lanes,
        };
        match self.model {
            Transparency::Solid => self.add_stretch8(simd, sample, &mut eight, passages, appearance),
            _ => {
                self.add_surface8(simd, sample, &mut eight, &passages.enter, appearance);
                self.add_surface8(simd, sample, &mut eight, &passages.exit, appearance);
            }
        }
        eight.pass.store_slice(&mut self.pass[samples.clone()]);
        let [r, g, b, shown] = &mut self.light;
        eight.light[0].store_slice(&mut r[samples.clone()]);
        eight.light[1].store_slice(&mut g[samples.clone()]);
        eight.light[2].store_slice(&mut b[samples.clone()]);
        eight.light[3].store_slice(&mut shown[samples.clone()]);
        let is_done = lanes & !eight.open;
        if is_done.any_true() {
            let limits = &mut self.limit[samples];
            is_done.select(f32x8::splat(simd, -1.0), f32x8::from_slice(simd, limits)).store_slice(limits);
        }
    }

    /// [`Self::add_surfaces`], for a surface of each of eight samples that are open.
    #[inline(always)]
    fn add_surface8<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        eight: &mut Composed8<S>,
        end: &Ends8<S>,
        appearance: Appearance<'_>,
    ) {
        let Ends8 { crossing, opacity, paint } = end;
        let zero = f32x8::splat(simd, 0.0);
        let is_visible = (crossing.tag & u32x8::splat(simd, HIDDEN)).simd_eq(u32x8::splat(simd, 0));
        let shown = eight.open & is_visible;
        let share = shown.select(eight.pass * *opacity, zero);
        eight.pass = shown.select(eight.pass * (1.0 - *opacity), eight.pass);
        self.note_first(sample, shown, crossing, appearance.slots);
        match appearance.lighting {
            Lighting::Cosine { base, slope } => {
                let lit = shown.select(share * (crossing.cosine * slope + base), zero);
                let [r, g, b, shown] = &mut eight.light;
                *r += lit * paint[0];
                *g += lit * paint[1];
                *b += lit * paint[2];
                *shown += share;
            }
            Lighting::Deferred => {
                let is_lit = shown & share.simd_gt(zero);
                let (mut lanes, crossings, shares) = (is_lit.to_bitmask(), crossing.lanes(), share.to_array());
                while let Some(lane) = next_lane(&mut lanes) {
                    let (tag, share) = (crossings.tags[lane], shares[lane]);
                    self.fragments.push(Fragment { sample: sample_number(sample + lane), tag, share });
                }
            }
        }
        eight.close_dense(simd, shown, appearance.lighting);
    }

    /// Notes the first surfaces of some of eight samples, if wanted.
    #[inline(always)]
    pub(super) fn note_first<S: Simd>(
        &mut self,
        sample: usize,
        lanes: mask32x8<S>,
        crossing: &Crossings8<S>,
        slots: &Slots,
    ) {
        if let Some(first) = &mut self.first {
            let (mut lanes, crossings) = (lanes.to_bitmask(), crossing.lanes());
            while let Some(lane) = next_lane(&mut lanes) {
                first.note(sample + lane, crossings.get(lane), slots);
            }
        }
    }

    /// Composes the next crossings of a sample.
    #[inline(always)]
    pub(super) fn compose<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        crossings: &[OrderedCrossing],
        appearance: Appearance<'_>,
    ) {
        match self.model {
            Transparency::Solid => self.cross_media(simd, sample, crossings, appearance),
            _ => self.add_surfaces(simd, sample, crossings, appearance),
        }
    }

    #[inline(always)]
    fn add_surfaces<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        crossings: &[OrderedCrossing],
        appearance: Appearance<'_>,
    ) {
        let Appearance { slots, lighting } = appearance;
        let mut pass = self.pass[sample];
        let mut light = f32x4::load_array(simd, self.light(sample));
        for &crossing in crossings {
            let slot = crossing.slot();
            if crossing.tag & HIDDEN != 0 {
                continue;
            }
            let opacity = slots.opacities[slot];
            let share = pass * opacity;
            pass *= 1.0 - opacity;
            if let Some(first) = &mut self.first {
                first.note(sample, crossing, slots);
            }
            let mut darkest = 0.0;
            match lighting {
                Lighting::Cosine { base, slope } => {
                    let lit = share * (crossing.cosine * slope + base);
                    let paint = f32x4::load_array_ref(simd, &slots.paints[slot]);
                    light += f32x4::load_array(simd, [lit, lit, lit, share]) * paint;
                }
                Lighting::Deferred if share > 0.0 => {
                    self.fragments.push(Fragment { sample: sample_number(sample), tag: crossing.tag, share });
                }
                Lighting::Deferred => {}
            }
            if pass < LEAST_PASS_BRIGHT {
                // the deferred light found so far depends on the tile
                if let Lighting::Cosine { .. } = lighting {
                    let [red, green, blue, _] = light.to_array();
                    darkest = red.min(green).min(blue);
                }
                if is_dense(pass, darkest) {
                    self.limit[sample] = -1.0;
                    break;
                }
            }
        }
        self.pass[sample] = pass;
        self.set_light(sample, light.to_array());
    }
}

impl<S: Simd> Composed8<S> {
    /// [`is_dense`] for eight samples: closes each sample of `lanes` where hardly anything passes any more.
    #[inline(always)]
    pub(super) fn close_dense(&mut self, simd: S, lanes: mask32x8<S>, lighting: Lighting) {
        let [bright, dark] = [f32x8::splat(simd, LEAST_PASS_BRIGHT), f32x8::splat(simd, LEAST_PASS)];
        let is_nearly_dense = lanes & self.pass.simd_lt(bright);
        if is_nearly_dense.any_true() {
            let [r, g, b, _] = self.light;
            let is_bright = match lighting {
                Lighting::Cosine { .. } => r.min(g).min(b).simd_ge(f32x8::splat(simd, BRIGHT)),
                Lighting::Deferred => mask32x8::splat(simd, false),
            };
            self.open &= !(is_nearly_dense & self.pass.simd_lt(is_bright.select(bright, dark)));
        }
    }
}

impl HitLayer {
    /// Notes a surface of a sample unless it has one.
    #[inline(always)]
    pub(super) fn note(&mut self, sample: usize, crossing: OrderedCrossing, slots: &Slots) {
        if self.distance[sample] == f32::INFINITY {
            self.distance[sample] = crossing.distance;
            self.index[sample] = slots.numbers[crossing.slot()];
            self.cosine[sample] = crossing.cosine;
        }
    }
}

/// Whether hardly anything passes any more; `darkest` is the light of the darkest channel so far.
#[inline(always)]
pub(super) fn is_dense(pass: f32, darkest: f32) -> bool {
    pass < if darkest >= BRIGHT { LEAST_PASS_BRIGHT } else { LEAST_PASS }
}

#[expect(clippy::cast_possible_truncation, reason = "a tile has fewer than 2³² samples")]
pub(super) fn sample_number(index: usize) -> u32 {
    index as u32
}
