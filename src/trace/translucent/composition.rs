//! Front-to-back compositing: crossings become surfaces, or stretches inside a medium, and are composed front to
//! back.
//!
//! A surface of opacity a shows a share a of what still passes, and lets 1 − a of it through. Where light depends on the
//! cosine to the ray alone, it is added at once. Otherwise a fragment is noted: its share is known, its light is found later.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::crossings::{CAP, Crossings8, EXIT, HIDDEN, SLOT};
use crate::geom::Sphere;
use crate::lanes::LANES;
use crate::scene::spheres::Transparency;

/// Transmittance below which a sample is finished: the rest changes no 8-bit value by more than a half, however dark it is.
const LEAST_PASS: f32 = 1.0 / 8192.0;

/// A sample whose channels are all at least as bright as this is done when less than that passes: the transfer function is
/// flatter there, so that a half of a step is more light.
const BRIGHT: f32 = 0.075;
const LEAST_PASS_BRIGHT: f32 = 1.0 / 1024.0;

/// The properties of a sphere that compositing needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// Linear colour and opacity.
    pub paints: Vec<[f32; 4]>,
    /// Indices among all instances, which break ties.
    pub numbers: Vec<u32>,
    pub spheres: Vec<Sphere<3>>,
    /// The number of the group in this tile.
    pub groups: Vec<u32>,
    /// Absorption over a unit of length.
    pub absorption: Vec<f32>,
}

/// A visible surface, or part of a medium, whose light is not known yet.
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

/// Partial composition of a tile's samples.
#[derive(Debug, Default)]
pub(in crate::trace) struct Composition {
    model: Transparency,
    /// Distance up to which a sample is open: to its opaque hit, or less than 0 once it is done.
    pub limit: Vec<f32>,
    /// Transmittance.
    pub pass: Vec<f32>,
    /// Premultiplied light and opacity, one plane a channel.
    pub light: [Vec<f32>; 4],
    /// Fragments in the order of composition.
    pub fragments: Vec<Fragment>,
    /// Of `shell`: for each group of the tile how many of its spheres each sample is in.
    inside: Vec<Vec<[u32; LANES]>>,
    /// Of `solid`: the medium that each eight samples are in.
    media: Vec<Medium8>,
    /// Of `solid` with deferred light: the spheres that each sample is in, and the sides on which rays entered them.
    open: Vec<Vec<u32>>,
    /// The first surface of each sample, if it is asked for.
    pub first: Option<FirstSurfaces>,
}

/// The first surface of each sample: its distance, infinite without one, and its slot with flags.
#[derive(Debug, Default)]
pub(super) struct FirstSurfaces {
    pub distance: Vec<f32>,
    pub tag: Vec<u32>,
    pub cosine: Vec<f32>,
}

/// Sums over the spheres that eight samples are in.
#[derive(Clone, Copy, Debug)]
struct Medium8 {
    /// Distance up to which the medium is composed.
    begin: [f32; LANES],
    count: [f32; LANES],
    absorption: [f32; LANES],
    /// Absorption times light.
    light: [[f32; LANES]; 3],
}

impl Medium8 {
    const EMPTY: Self =
        Self { begin: [0.0; LANES], count: [0.0; LANES], absorption: [0.0; LANES], light: [[0.0; LANES]; 3] };
}

impl Slots {
    pub(super) fn clear(&mut self) {
        self.paints.clear();
        self.numbers.clear();
        self.spheres.clear();
        self.groups.clear();
        self.absorption.clear();
    }
}

impl Composition {
    /// Begins a tile of so many samples, which are open.
    pub(super) fn clear(&mut self, model: Transparency, samples: usize, has_first: bool) {
        self.model = model;
        let fill = |plane: &mut Vec<f32>, value: f32| {
            plane.clear();
            plane.resize(samples, value);
        };
        fill(&mut self.limit, f32::INFINITY);
        fill(&mut self.pass, 1.0);
        self.light.iter_mut().for_each(|plane| fill(plane, 0.0));
        self.fragments.clear();
        self.inside.clear();
        self.media.clear();
        self.open.iter_mut().for_each(Vec::clear);
        if model == Transparency::Solid {
            self.media.resize(samples / LANES, Medium8::EMPTY);
            self.open.resize(samples, Vec::new());
        }
        self.first = has_first.then(|| {
            let mut first = self.first.take().unwrap_or_default();
            fill(&mut first.distance, f32::INFINITY);
            first.tag.resize(samples, 0);
            first.cosine.resize(samples, 0.0);
            first
        });
    }

    /// Makes room for this many groups.
    pub(super) fn make_groups(&mut self, groups: usize) {
        let lists = self.limit.len() / LANES;
        self.inside.resize_with(groups.max(self.inside.len()), || vec![[0; LANES]; lists]);
    }

    /// Closes samples behind waiting surfaces that let hardly anything pass: whatever else comes before them lets even less
    /// pass. Of `surfaces` only, where no other crossing changes whether a surface shows.
    pub(super) fn lower_limit(&mut self, list: usize, levels: &[Crossings8], slots: &Slots) {
        if self.model != Transparency::Surfaces {
            return;
        }
        for lane in 0..LANES {
            let limit = &mut self.limit[list * LANES + lane];
            let mut pass = self.pass[list * LANES + lane];
            for level in levels.iter().take_while(|level| level.distance[lane] < f32::INFINITY) {
                if level.tag[lane] & HIDDEN == 0 {
                    pass *= 1.0 - slots.paints[(level.tag[lane] & SLOT) as usize][3];
                }
                if pass < LEAST_PASS {
                    *limit = limit.min(level.distance[lane]);
                    break;
                }
            }
        }
    }

    /// Composes those crossings of a level that are nearer than `end`; returns whether there are any.
    #[inline(always)]
    pub(super) fn compose<S: Simd>(
        &mut self,
        simd: S,
        list: usize,
        level: &Crossings8,
        end: f32,
        (slots, lighting): (&Slots, Lighting),
    ) -> bool {
        let distance = f32x8::load_array_ref(simd, &level.distance);
        let is_ready = distance.simd_lt(f32x8::splat(simd, end));
        if !is_ready.any_true() {
            return false;
        }
        let at = list * LANES;
        let limit = f32x8::from_slice(simd, &self.limit[at..at + LANES]);
        let is_open = is_ready & limit.simd_ge(0.0);
        if is_open.any_true() {
            match self.model {
                Transparency::Solid => self.cross_medium(simd, list, level, is_open, (slots, lighting)),
                _ => self.add_surfaces(simd, list, level, is_open, (slots, lighting)),
            }
        }
        true
    }

    /// Composes surfaces.
    #[inline(always)]
    fn add_surfaces<S: Simd>(
        &mut self,
        simd: S,
        list: usize,
        level: &Crossings8,
        is_open: mask32x8<S>,
        (slots, lighting): (&Slots, Lighting),
    ) {
        let at = list * LANES;
        let mut shown = is_open.to_bitmask();
        if self.model == Transparency::Shell {
            for lane in (0..LANES).filter(|lane| is_open.to_bitmask() >> lane & 1 == 1) {
                let tag = level.tag[lane];
                let inside = &mut self.inside[slots.groups[(tag & SLOT) as usize] as usize][list][lane];
                let others = if tag & EXIT == 0 { *inside } else { inside.saturating_sub(1) };
                *inside = if tag & EXIT == 0 { *inside + 1 } else { others };
                if others > 0 {
                    shown &= !(1 << lane);
                }
            }
        }
        for lane in 0..LANES {
            if level.tag[lane] & HIDDEN != 0 {
                shown &= !(1 << lane);
            }
        }
        if shown == 0 {
            return;
        }
        let is_shown = mask32x8::from_bitmask(simd, shown);
        let mut channels = [[0.0; LANES]; 4];
        for lane in 0..LANES {
            let paint = slots.paints[(level.tag[lane] & SLOT) as usize];
            for (row, channel) in channels.iter_mut().zip(paint) {
                row[lane] = channel;
            }
        }
        let [red, green, blue, opacity] = channels.map(|row| f32x8::load_array(simd, row));
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let opacity = is_shown.select(opacity, zero);
        let pass = f32x8::from_slice(simd, &self.pass[at..at + LANES]);
        let share = pass * opacity;
        let pass = pass * (one - opacity);
        self.note_first(simd, at, level, shown);
        pass.store_slice(&mut self.pass[at..at + LANES]);
        match lighting {
            Lighting::Cosine { base, slope } => {
                let light = share * (f32x8::load_array_ref(simd, &level.cosine) * slope + base);
                for (plane, channel) in self.light.iter_mut().zip([light * red, light * green, light * blue, share]) {
                    let sum = f32x8::from_slice(simd, &plane[at..at + LANES]) + channel;
                    sum.store_slice(&mut plane[at..at + LANES]);
                }
            }
            Lighting::Deferred => {
                let share = share.to_array();
                for lane in (0..LANES).filter(|lane| shown >> lane & 1 == 1) {
                    self.fragments.push(Fragment {
                        sample: sample_number(at + lane),
                        tag: level.tag[lane],
                        share: share[lane],
                    });
                }
            }
        }
        self.end_dense(simd, at, is_shown, lighting);
    }

    /// Ends samples through which hardly anything passes any more.
    #[inline(always)]
    fn end_dense<S: Simd>(&mut self, simd: S, at: usize, is_changed: mask32x8<S>, lighting: Lighting) {
        let load = |plane: &Vec<f32>| f32x8::from_slice(simd, &plane[at..at + LANES]);
        let pass = load(&self.pass);
        if !pass.simd_lt(f32x8::splat(simd, LEAST_PASS_BRIGHT)).any_true() {
            return;
        }
        let [red, green, blue, _] = &self.light;
        // what of deferred light is already there depends on the tile
        let is_known = if let Lighting::Deferred = lighting { 0.0 } else { 1.0 };
        let darkest = load(red).min(load(green)).min(load(blue)) * is_known;
        let is_bright = darkest.simd_ge(f32x8::splat(simd, BRIGHT));
        let least = is_bright.select(f32x8::splat(simd, LEAST_PASS_BRIGHT), f32x8::splat(simd, LEAST_PASS));
        let is_done = is_changed & pass.simd_lt(least);
        let limits = &mut self.limit[at..at + LANES];
        is_done.select(f32x8::splat(simd, -1.0), f32x8::from_slice(simd, limits)).store_slice(limits);
    }

    #[inline(always)]
    fn note_first<S: Simd>(&mut self, _simd: S, at: usize, level: &Crossings8, shown: u64) {
        let Some(first) = &mut self.first else { return };
        for lane in (0..LANES).filter(|lane| shown >> lane & 1 == 1) {
            if first.distance[at + lane] == f32::INFINITY {
                first.distance[at + lane] = level.distance[lane];
                first.tag[at + lane] = level.tag[lane];
                first.cosine[at + lane] = level.cosine[lane];
            }
        }
    }

    /// Composes the stretches of medium that end at crossings, and enters or leaves their spheres.
    #[inline(always)]
    fn cross_medium<S: Simd>(
        &mut self,
        simd: S,
        list: usize,
        level: &Crossings8,
        is_open: mask32x8<S>,
        (slots, lighting): (&Slots, Lighting),
    ) {
        let at = list * LANES;
        self.absorb(simd, list, f32x8::load_array_ref(simd, &level.distance), is_open, (slots, lighting));
        let open = is_open.to_bitmask();
        self.note_first(simd, at, level, open);
        let medium = &mut self.media[list];
        for lane in (0..LANES).filter(|lane| open >> lane & 1 == 1) {
            let tag = level.tag[lane];
            let slot = (tag & SLOT) as usize;
            let absorption = slots.absorption[slot];
            let light = match lighting {
                Lighting::Cosine { base, slope } => base + slope * level.cosine[lane],
                Lighting::Deferred => 0.0,
            };
            let paint = slots.paints[slot];
            medium.begin[lane] = level.distance[lane];
            if tag & EXIT == 0 {
                medium.count[lane] += 1.0;
                medium.absorption[lane] += absorption;
                for (sum, channel) in medium.light.iter_mut().zip(paint) {
                    sum[lane] += absorption * (channel * light);
                }
            } else {
                medium.count[lane] -= 1.0;
                medium.absorption[lane] -= absorption;
                for (sum, channel) in medium.light.iter_mut().zip(paint) {
                    sum[lane] -= absorption * (channel * light);
                }
                if medium.count[lane] <= 0.0 {
                    (medium.count[lane], medium.absorption[lane]) = (0.0, 0.0);
                    medium.light.iter_mut().for_each(|sum| sum[lane] = 0.0);
                }
            }
            if let Lighting::Deferred = lighting {
                let inside = &mut self.open[at + lane];
                if tag & EXIT == 0 {
                    inside.push(tag);
                } else {
                    inside.retain(|other| other & SLOT != tag & SLOT);
                }
            }
        }
    }

    /// Composes the medium between where it was composed to and these distances.
    #[inline(always)]
    fn absorb<S: Simd>(
        &mut self,
        simd: S,
        list: usize,
        end: f32x8<S>,
        is_open: mask32x8<S>,
        (slots, lighting): (&Slots, Lighting),
    ) {
        let at = list * LANES;
        let medium = &self.media[list];
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let count = f32x8::load_array_ref(simd, &medium.count);
        let is_inside = is_open & count.simd_gt(zero);
        if !is_inside.any_true() {
            return;
        }
        let absorption = f32x8::load_array_ref(simd, &medium.absorption).max(f32x8::splat(simd, f32::MIN_POSITIVE));
        let length = (end - f32x8::load_array_ref(simd, &medium.begin)).max(zero);
        let through = exp_of_minus(simd, is_inside.select(absorption / count * length, zero));
        let pass = f32x8::from_slice(simd, &self.pass[at..at + LANES]);
        let share = pass * (one - through);
        let lights = medium.light;
        (pass * through).store_slice(&mut self.pass[at..at + LANES]);
        match lighting {
            Lighting::Cosine { .. } => {
                let each = is_inside.select(share / absorption, zero);
                let [r, g, b] = lights.map(|row| f32x8::load_array(simd, row).max(zero) * each);
                for (plane, channel) in self.light.iter_mut().zip([r, g, b, share]) {
                    let sum = f32x8::from_slice(simd, &plane[at..at + LANES]) + channel;
                    sum.store_slice(&mut plane[at..at + LANES]);
                }
            }
            Lighting::Deferred => {
                let (inside, share) = (is_inside.to_bitmask(), share.to_array());
                for lane in (0..LANES).filter(|lane| inside >> lane & 1 == 1) {
                    let open = &self.open[at + lane];
                    let of = |tag: &u32| slots.absorption[(tag & SLOT) as usize];
                    let sum: f32 = open.iter().map(of).sum();
                    for tag in open {
                        // a ray that begins inside the sphere sees its far side
                        let side = if tag & HIDDEN == 0 { tag & (SLOT | CAP) } else { tag & SLOT | EXIT };
                        self.fragments.push(Fragment {
                            sample: sample_number(at + lane),
                            tag: side,
                            share: share[lane] * (of(tag) / sum),
                        });
                    }
                }
            }
        }
        self.end_dense(simd, at, is_inside, lighting);
    }

    /// Ends all samples of a list: an opaque hit may end a medium.
    #[inline(always)]
    pub(super) fn finish<S: Simd>(&mut self, simd: S, list: usize, (slots, lighting): (&Slots, Lighting)) {
        if self.model != Transparency::Solid {
            return;
        }
        let at = list * LANES;
        let limit = f32x8::from_slice(simd, &self.limit[at..at + LANES]);
        let is_open = limit.simd_ge(0.0) & limit.simd_lt(f32x8::splat(simd, f32::INFINITY));
        if is_open.any_true() {
            self.absorb(simd, list, limit, is_open, (slots, lighting));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a tile has fewer than 2³² samples")]
fn sample_number(index: usize) -> u32 {
    index as u32
}

/// e to the power of minus eight numbers, which are at least 0: within 2⁻²¹ of it, from + and × alone.
///
/// The whole part of the binary exponent moves the exponent of the result; a polynomial has the rest.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a whole number from -125 to 0")]
fn exp_of_minus<S: Simd>(simd: S, x: f32x8<S>) -> f32x8<S> {
    let binary = (x * -std::f32::consts::LOG2_E).max(-125.0);
    let whole = (binary + 0.5).floor();
    let part = (binary - whole) * std::f32::consts::LN_2;
    // Taylor's series of e^p, |p| ≤ ln 2 / 2, to the sixth power
    let mut sum = f32x8::splat(simd, 1.0 / 720.0);
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * part + coefficient;
    }
    let scale = whole.to_array().map(|exponent| f32::from_bits(((exponent as i32 + 127) as u32) << 23));
    sum * f32x8::load_array(simd, scale)
}
