//! What of the light behind reaches the eye: crossings become surfaces, or stretches inside a medium, and are composed front to
//! back, each sample by itself.
//!
//! A surface of opacity a shows a share a of what still passes, and lets 1 − a of it through. Where light depends on the
//! cosine to the ray alone, it is added at once. Otherwise a fragment is noted: its share is known, its light is found later.

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::crossings::{CAP, Crossing, EXIT, HIDDEN, SLOT};
use crate::geom::Sphere;
use crate::lanes::LANES;
use crate::scene::spheres::Transparency;
use crate::trace::shade::lighting::Linear;

/// Transmittance below which a sample is finished: the rest changes no 8-bit value by more than a half, however dark it is.
const LEAST_PASS: f32 = 1.0 / 8192.0;

/// A sample whose channels are all at least as bright as this is done when less than that passes: the transfer function is
/// flatter there, so that a half of a step is more light.
const BRIGHT: f32 = 0.075;
const LEAST_PASS_BRIGHT: f32 = 1.0 / 1024.0;

/// What the composition asks of a sphere of the tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// Linear colour and opacity.
    pub paints: Vec<[f32; 4]>,
    /// Indices among all instances, which break ties.
    pub numbers: Vec<u32>,
    pub spheres: Vec<Sphere<3>>,
    /// The part that each belongs to.
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

/// Spheres that wait alone to be composed, one for each sample, until all crossings before theirs are known.
#[derive(Debug, Default)]
pub(super) struct WaitingSpheres {
    /// The slot of the sphere, or the number of a list.
    pub number: Vec<u32>,
    /// Distances to the crossings. The second is less than 0 if nothing waits, and infinite if a list does.
    pub enter: Vec<f32>,
    pub exit: Vec<f32>,
    /// Cosine between normal and ray at both crossings.
    pub cosine: Vec<f32>,
    /// Linear colour and opacity.
    pub paint: [Vec<f32>; 4],
}

/// Eight spheres that wait, or the same for eight samples.
#[derive(Clone, Copy)]
pub(super) struct Waiting8<S: Simd> {
    pub number: u32,
    pub enter: f32x8<S>,
    pub exit: f32x8<S>,
    pub cosine: f32x8<S>,
}

impl WaitingSpheres {
    fn clear(&mut self, samples: usize) {
        self.number.resize(samples, 0);
        self.exit.clear();
        self.exit.resize(samples, NOTHING);
        let Self { enter, cosine, paint: [red, green, blue, opacity], .. } = self;
        for plane in [enter, cosine, red, green, blue, opacity] {
            plane.resize(samples, 0.0);
        }
    }

    /// Where the ray of a sample enters the sphere that waits, and where it leaves it.
    #[inline(always)]
    pub(super) fn crossings(&self, sample: usize) -> [Crossing; 2] {
        let (tag, cosine) = (self.number[sample], self.cosine[sample]);
        [
            Crossing { distance: self.enter[sample], tag, cosine },
            Crossing { distance: self.exit[sample], tag: tag | EXIT, cosine },
        ]
    }

    /// Lets a sphere wait for some of eight samples.
    #[inline(always)]
    pub(super) fn store<S: Simd>(
        &mut self,
        simd: S,
        at: usize,
        mask: mask32x8<S>,
        (new, paint): (Waiting8<S>, [f32; 4]),
    ) {
        let store = |plane: &mut Vec<f32>, new: f32x8<S>| {
            let plane = &mut plane[at..at + LANES];
            mask.select(new, f32x8::from_slice(simd, plane)).store_slice(plane);
        };
        store(&mut self.enter, new.enter);
        store(&mut self.exit, new.exit);
        store(&mut self.cosine, new.cosine);
        let [red, green, blue, opacity] = &mut self.paint;
        for (plane, channel) in [red, green, blue, opacity].into_iter().zip(paint) {
            store(plane, f32x8::splat(simd, channel));
        }
        let numbers = &mut self.number[at..at + LANES];
        mask.select(u32x8::splat(simd, new.number), u32x8::from_slice(simd, numbers)).store_slice(numbers);
    }
}

/// Marks a sample for which nothing waits, in the place of a distance.
pub(super) const NOTHING: f32 = -1.0;

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
    pub waiting: WaitingSpheres,
    /// Fragments in the order of composition.
    pub fragments: Vec<Fragment>,
    /// Of `shell`: the groups that each sample is in, and in how many of their spheres.
    inside: Vec<Vec<GroupCount>>,
    /// Of `solid`: the medium that each sample is in.
    media: Vec<Medium>,
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

/// How many spheres of a group a sample is in.
#[derive(Clone, Copy, Debug)]
struct GroupCount {
    group: u32,
    count: u32,
}

/// Sums over the spheres that a sample is in.
#[derive(Clone, Copy, Debug)]
struct Medium {
    /// Distance up to which the medium is composed.
    begin: f32,
    count: f32,
    absorption: f32,
    /// Absorption times light.
    light: [f32; 3],
}

impl Medium {
    const EMPTY: Self = Self { begin: 0.0, count: 0.0, absorption: 0.0, light: [0.0; 3] };
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
        self.waiting.clear(samples);
        self.fragments.clear();
        self.inside.iter_mut().for_each(Vec::clear);
        self.media.clear();
        self.open.iter_mut().for_each(Vec::clear);
        match model {
            Transparency::Shell => self.inside.resize(samples, Vec::new()),
            Transparency::Solid => {
                self.media.resize(samples, Medium::EMPTY);
                self.open.resize(samples, Vec::new());
            }
            Transparency::Surfaces => {}
        }
        self.first = has_first.then(|| {
            let mut first = self.first.take().unwrap_or_default();
            fill(&mut first.distance, f32::INFINITY);
            first.tag.resize(samples, 0);
            first.cosine.resize(samples, 0.0);
            first
        });
    }

    /// Premultiplied light and opacity of a sample so far.
    #[inline(always)]
    pub(super) fn light(&self, sample: usize) -> Linear {
        self.light.each_ref().map(|plane| plane[sample])
    }

    /// Adds to the light of a sample.
    #[inline(always)]
    pub(super) fn add(&mut self, sample: usize, channels: Linear) {
        for (plane, channel) in self.light.iter_mut().zip(channels) {
            plane[sample] += channel;
        }
    }

    /// Composes the spheres that wait alone for some of eight samples, both surfaces of each; nothing waits there any more.
    #[inline(always)]
    pub(super) fn compose_waiting<S: Simd>(
        &mut self,
        simd: S,
        at: usize,
        mask: mask32x8<S>,
        (slots, lighting): (&Slots, Lighting),
    ) {
        if let (Transparency::Surfaces, Lighting::Cosine { base, slope }) = (self.model, lighting) {
            self.add_spheres(simd, at, mask, [base, slope]);
        } else {
            let mut lanes = mask.to_bitmask();
            while lanes != 0 {
                let sample = at + lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                for crossing in self.waiting.crossings(sample) {
                    self.compose(sample, crossing, (slots, lighting));
                }
            }
        }
        let exits = &mut self.waiting.exit[at..at + LANES];
        mask.select(f32x8::splat(simd, NOTHING), f32x8::from_slice(simd, exits)).store_slice(exits);
    }

    /// Composes both surfaces of spheres; the arithmetic is that of `add_surface`.
    #[inline(always)]
    fn add_spheres<S: Simd>(&mut self, simd: S, at: usize, mask: mask32x8<S>, [base, slope]: [f32; 2]) {
        let load = |plane: &Vec<f32>| f32x8::from_slice(simd, &plane[at..at + LANES]);
        let [red, green, blue, opacity] = self.waiting.paint.each_ref().map(load);
        let level = load(&self.waiting.cosine) * slope + base;
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        if self.first.is_some() {
            for lane in (0..LANES).filter(|lane| mask.to_bitmask() >> lane & 1 == 1) {
                self.note_first(at + lane, self.waiting.crossings(at + lane)[0]);
            }
        }
        let mut open = mask;
        for _ in 0..2 {
            let opacity = open.select(opacity, zero);
            let pass = load(&self.pass);
            let share = pass * opacity;
            let pass = pass * (one - opacity);
            pass.store_slice(&mut self.pass[at..at + LANES]);
            let light = share * level;
            for (plane, channel) in self.light.iter_mut().zip([light * red, light * green, light * blue, share]) {
                let plane = &mut plane[at..at + LANES];
                (f32x8::from_slice(simd, plane) + channel).store_slice(plane);
            }
            let is_dense = open & pass.simd_lt(f32x8::splat(simd, LEAST_PASS_BRIGHT));
            if is_dense.any_true() {
                for lane in (0..LANES).filter(|lane| is_dense.to_bitmask() >> lane & 1 == 1) {
                    self.end_dense(at + lane, Lighting::Cosine { base, slope });
                }
                open &= load(&self.limit).simd_ge(zero);
            }
        }
    }

    /// Composes the next crossing of a sample, unless it is done.
    #[inline(always)]
    pub(super) fn compose(&mut self, sample: usize, crossing: Crossing, (slots, lighting): (&Slots, Lighting)) {
        if self.limit[sample] < 0.0 {
            return;
        }
        match self.model {
            Transparency::Surfaces => {}
            Transparency::Shell => {
                if self.crosses_wall(sample, crossing, slots) {
                    return;
                }
            }
            Transparency::Solid => return self.cross_medium(sample, crossing, (slots, lighting)),
        }
        if crossing.tag & HIDDEN == 0 {
            self.add_surface(sample, crossing, (slots, lighting));
        }
    }

    /// Counts the spheres that a sample is in; returns whether the crossing is inside another sphere of its group.
    #[inline(always)]
    fn crosses_wall(&mut self, sample: usize, crossing: Crossing, slots: &Slots) -> bool {
        let group = slots.groups[crossing.slot()];
        let counts = &mut self.inside[sample];
        let place = counts.iter().position(|known| known.group == group).unwrap_or_else(|| {
            counts.push(GroupCount { group, count: 0 });
            counts.len() - 1
        });
        let count = &mut counts[place].count;
        let others = if crossing.is_exit() { count.saturating_sub(1) } else { *count };
        *count = if crossing.is_exit() { others } else { *count + 1 };
        if *count == 0 {
            counts.swap_remove(place);
        }
        others > 0
    }

    /// Composes a surface.
    #[inline(always)]
    fn add_surface(&mut self, sample: usize, crossing: Crossing, (slots, lighting): (&Slots, Lighting)) {
        let [red, green, blue, opacity] = slots.paints[crossing.slot()];
        let pass = &mut self.pass[sample];
        let share = *pass * opacity;
        *pass *= 1.0 - opacity;
        let is_dense = *pass < LEAST_PASS_BRIGHT;
        match lighting {
            Lighting::Cosine { base, slope } => {
                let level = share * (crossing.cosine * slope + base);
                self.add(sample, [level * red, level * green, level * blue, share]);
            }
            Lighting::Deferred => {
                self.fragments.push(Fragment { sample: sample_number(sample), tag: crossing.tag, share });
            }
        }
        self.note_first(sample, crossing);
        if is_dense {
            self.end_dense(sample, lighting);
        }
    }

    /// Ends a sample if hardly anything passes any more.
    fn end_dense(&mut self, sample: usize, lighting: Lighting) {
        let [red, green, blue, _] = self.light(sample);
        // what of deferred light is already there depends on the tile
        let is_bright = matches!(lighting, Lighting::Cosine { .. }) && red.min(green).min(blue) >= BRIGHT;
        if self.pass[sample] < if is_bright { LEAST_PASS_BRIGHT } else { LEAST_PASS } {
            self.limit[sample] = -1.0;
        }
    }

    #[inline(always)]
    fn note_first(&mut self, sample: usize, crossing: Crossing) {
        if let Some(first) = &mut self.first
            && first.distance[sample] == f32::INFINITY
        {
            first.distance[sample] = crossing.distance;
            first.tag[sample] = crossing.tag;
            first.cosine[sample] = crossing.cosine;
        }
    }

    /// Composes the stretch of medium that ends at a crossing, and enters or leaves its sphere.
    fn cross_medium(&mut self, sample: usize, crossing: Crossing, (slots, lighting): (&Slots, Lighting)) {
        let Crossing { distance, tag, cosine } = crossing;
        self.absorb(sample, distance, (slots, lighting));
        self.note_first(sample, crossing);
        let slot = crossing.slot();
        let absorption = slots.absorption[slot];
        let light = match lighting {
            Lighting::Cosine { base, slope } => base + slope * cosine,
            Lighting::Deferred => 0.0,
        };
        let [red, green, blue, _] = slots.paints[slot].map(|channel| absorption * (channel * light));
        let medium = &mut self.media[sample];
        medium.begin = distance;
        if crossing.is_exit() {
            medium.count -= 1.0;
            medium.absorption -= absorption;
            medium.light.iter_mut().zip([red, green, blue]).for_each(|(sum, channel)| *sum -= channel);
            if medium.count <= 0.0 {
                *medium = Medium { begin: distance, ..Medium::EMPTY };
            }
        } else {
            medium.count += 1.0;
            medium.absorption += absorption;
            medium.light.iter_mut().zip([red, green, blue]).for_each(|(sum, channel)| *sum += channel);
        }
        if let Lighting::Deferred = lighting {
            let open = &mut self.open[sample];
            if crossing.is_exit() {
                open.retain(|other| other & SLOT != tag & SLOT);
            } else {
                open.push(tag);
            }
        }
    }

    /// Composes the medium between where it was composed to and this distance.
    fn absorb(&mut self, sample: usize, end: f32, (slots, lighting): (&Slots, Lighting)) {
        let medium = &self.media[sample];
        if medium.count <= 0.0 {
            return;
        }
        let absorption = medium.absorption.max(f32::MIN_POSITIVE);
        let length = (end - medium.begin).max(0.0);
        let through = exp_of_minus(absorption / medium.count * length);
        let pass = &mut self.pass[sample];
        let share = *pass * (1.0 - through);
        *pass *= through;
        let is_dense = *pass < LEAST_PASS_BRIGHT;
        match lighting {
            Lighting::Cosine { .. } => {
                let each = share / absorption;
                let [red, green, blue] = medium.light.map(|sum| sum.max(0.0) * each);
                self.add(sample, [red, green, blue, share]);
            }
            Lighting::Deferred => {
                let open = &self.open[sample];
                let of = |tag: &u32| slots.absorption[(tag & SLOT) as usize];
                let sum: f32 = open.iter().map(of).sum();
                self.fragments.extend(open.iter().map(|tag| {
                    // a ray that begins inside the sphere sees its far side
                    let side = if tag & HIDDEN == 0 { tag & (SLOT | CAP) } else { tag & SLOT | EXIT };
                    Fragment { sample: sample_number(sample), tag: side, share: share * (of(tag) / sum) }
                }));
            }
        }
        if is_dense {
            self.end_dense(sample, lighting);
        }
    }

    /// Ends a sample: an opaque hit may end a medium.
    #[inline(always)]
    pub(super) fn finish(&mut self, sample: usize, (slots, lighting): (&Slots, Lighting)) {
        let limit = self.limit[sample];
        if self.model == Transparency::Solid && (0.0..f32::INFINITY).contains(&limit) {
            self.absorb(sample, limit, (slots, lighting));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a tile has fewer than 2³² samples")]
fn sample_number(index: usize) -> u32 {
    index as u32
}

/// e to the power of minus a number that is at least 0: within 2⁻²¹ of it, from + and × alone.
///
/// The whole part of the binary exponent moves the exponent of the result; a polynomial has the rest.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a whole number from -125 to 0")]
fn exp_of_minus(x: f32) -> f32 {
    let binary = (x * -std::f32::consts::LOG2_E).max(-125.0);
    let above = binary + 0.5;
    let toward_zero = above as i32;
    let whole = toward_zero - i32::from(toward_zero as f32 > above);
    let part = (binary - whole as f32) * std::f32::consts::LN_2;
    // Taylor's series of e^p, |p| ≤ ln 2 / 2, to the sixth power
    let mut sum = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * part + coefficient;
    }
    sum * f32::from_bits(((whole + 127) as u32) << 23)
}
