//! Front-to-back compositing: crossings become surfaces, or stretches inside a medium, and are composed front to
//! back.
//!
//! A surface of opacity a shows a share a of what still passes, and lets 1 − a of it through. Where light depends on
//! the cosine to the ray alone, it is added at once. Otherwise a fragment is noted: its share is known, its light is
//! found later.

use std::ops::Range;

use fearless_simd::{f32x4, f32x8, mask32x8, prelude::*, u32x8};

use super::crossings::{CAP, Crossings8, EXIT, HIDDEN, OrderedCrossing, SLOT};
use super::pending::{Ends8, Passages8};
use crate::lanes::{LANES, next_lane, splat3};
use crate::scene::spheres::Transparency;

/// Transmittance below which a sample is finished: whatever lies behind changes no 8-bit value by more than half a
/// step, even on black.
const LEAST_PASS: f32 = 1.0 / 8192.0;

/// A sample whose channels are all at least this bright is finished at this larger transmittance: the transfer function
/// is flatter there, so that half a step is more light.
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
    /// Indices of the shapes as a whole, which break ties: halves of a cylinder have one.
    pub wholes: Vec<u32>,
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
    /// With `solid`: the medium that each sample is in.
    media: Vec<Medium>,
    /// With `solid` and deferred light: the shapes that each sample is in.
    inside: Vec<EnteredShapes>,
    /// The first surface of each sample, if it is asked for.
    pub first: Option<FirstSurfaces>,
}

/// Bytes of the composition of a sample.
pub(super) const SAMPLE_BYTES: usize = 6 * size_of::<f32>()
    + size_of::<Medium>()
    + size_of::<EnteredShapes>()
    + size_of::<Fragment>()
    + 3 * size_of::<f32>();

/// Eight samples while passages are composed.
struct Composed8<S: Simd> {
    pass: f32x8<S>,
    light: [f32x8<S>; 4],
    /// The samples that the passages belong to, and that are not done.
    open: mask32x8<S>,
}

/// The first surface of each sample: its distance, infinite without one, and its index among all instances.
#[derive(Debug, Default)]
pub(super) struct FirstSurfaces {
    pub distance: Vec<f32>,
    pub number: Vec<u32>,
    pub cosine: Vec<f32>,
}

/// Sums over the shapes that a sample is in.
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

    /// The stretch from where the medium is composed to a distance.
    #[inline(always)]
    fn stretch(&self, end: f32) -> Stretch {
        if self.count <= 0.0 {
            return Stretch::NONE;
        }
        let absorption = self.absorption.max(f32::MIN_POSITIVE);
        let depth = absorption / self.count * (end - self.begin).max(0.0);
        Stretch { depth, absorption, light: self.light }
    }

    /// Enters or leaves a shape of this absorption, times light.
    #[inline(always)]
    fn cross(&mut self, crossing: OrderedCrossing, absorption: f32, light: [f32; 3]) {
        self.begin = crossing.distance;
        let sign = if crossing.is_exit() { -1.0 } else { 1.0 };
        self.count += sign;
        self.absorption += sign * absorption;
        for (sum, light) in self.light.iter_mut().zip(light) {
            *sum += sign * light;
        }
        if self.count <= 0.0 {
            // remove what rounding left behind
            *self = Self { begin: crossing.distance, ..Self::EMPTY };
        }
    }
}

/// The shapes that a sample is in. Shapes that overlap show together, each by its absorption: a shape's share of the
/// light is its absorption times how much `shown` grows between where the ray enters it and where it leaves.
#[derive(Clone, Debug, Default)]
struct EnteredShapes {
    shapes: Vec<EnteredShape>,
    /// The sum of share over absorption of all stretches so far; a difference of two such sums is a share, hence 64
    /// bits.
    shown: f64,
}

/// A shape that a ray is in.
#[derive(Clone, Copy, Debug)]
struct EnteredShape {
    /// The shape, and the side on which it was entered.
    tag: u32,
    /// [`EnteredShapes::shown`] where it was entered.
    shown: f64,
}

/// A stretch of medium.
#[derive(Clone, Copy)]
struct Stretch {
    /// Absorption times length.
    depth: f32,
    absorption: f32,
    light: [f32; 3],
}

impl Stretch {
    const NONE: Self = Self { depth: 0.0, absorption: 1.0, light: [0.0; 3] };
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
    /// Makes room for a tile of so many samples.
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
            first.distance.resize(samples, f32::INFINITY);
            first.number.resize(samples, 0);
            first.cosine.resize(samples, 0.0);
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
        for crossing in waiting {
            if crossing.tag & HIDDEN == 0 {
                pass *= 1.0 - slots.opacities[crossing.slot()];
            }
            if pass < LEAST_PASS {
                *limit = limit.min(crossing.distance);
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
    fn set_light(&mut self, sample: usize, [red, green, blue, shown]: [f32; 4]) {
        let [r, g, b, opacity] = &mut self.light;
        (r[sample], g[sample], b[sample], opacity[sample]) = (red, green, blue, shown);
    }

    /// Composes the passages of some of eight samples, in which no other crossing waits and no medium is open.
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
                let (mut lanes, crossings, shares) = (shown.to_bitmask(), crossing.lanes(), share.to_array());
                while let Some(lane) = next_lane(&mut lanes) {
                    let (tag, share) = (crossings.tags[lane], shares[lane]);
                    self.fragments.push(Fragment { sample: sample_number(sample + lane), tag, share });
                }
            }
        }
        eight.close_dense(simd, shown, appearance.lighting);
    }

    /// [`Self::cross_media`], for a stretch in one shape of each of eight samples that are open.
    #[inline(always)]
    fn add_stretch8<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        eight: &mut Composed8<S>,
        passages: &Passages8<S>,
        appearance: Appearance<'_>,
    ) {
        let Appearance { slots, lighting } = appearance;
        let Ends8 { crossing: enter, opacity: absorption, paint } = &passages.enter;
        let exit = &passages.exit.crossing;
        let zero = f32x8::splat(simd, 0.0);
        let least = absorption.max(f32::MIN_POSITIVE);
        let depth = least * (exit.distance - enter.distance).max(0.0);
        let through = exp_of_minus(simd, depth);
        let is_deep = eight.open & depth.simd_gt(zero);
        let share = is_deep.select(eight.pass * (1.0 - through), zero);
        eight.pass = is_deep.select(eight.pass * through, eight.pass);
        self.note_first(sample, eight.open, enter, slots);
        match lighting {
            Lighting::Cosine { base, slope } => {
                let each = is_deep.select(share / least, zero);
                let cosine = base + slope * enter.cosine;
                let [r, g, b, shown] = &mut eight.light;
                *r += (*absorption * (paint[0] * cosine)).max(0.0) * each;
                *g += (*absorption * (paint[1] * cosine)).max(0.0) * each;
                *b += (*absorption * (paint[2] * cosine)).max(0.0) * each;
                *shown += share;
            }
            Lighting::Deferred => {
                let (mut lanes, enters) = (is_deep.to_bitmask(), enter.lanes());
                let (shares, least) = (share.to_array(), least.to_array());
                while let Some(lane) = next_lane(&mut lanes) {
                    let inside = &mut self.inside[sample + lane];
                    let entered = EnteredShape { tag: enters.tags[lane], shown: inside.shown };
                    inside.shown += f64::from(shares[lane]) / f64::from(least[lane]);
                    self.fragments.extend(entered.fragment(sample + lane, inside.shown, &slots.absorption));
                }
            }
        }
        eight.close_dense(simd, is_deep, lighting);
    }

    /// Notes the first surfaces of some of eight samples, if they are asked for.
    #[inline(always)]
    fn note_first<S: Simd>(&mut self, sample: usize, lanes: mask32x8<S>, crossing: &Crossings8<S>, slots: &Slots) {
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

    /// Composes surfaces.
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
                Lighting::Deferred => {
                    self.fragments.push(Fragment { sample: sample_number(sample), tag: crossing.tag, share });
                }
            }
            if pass < LEAST_PASS_BRIGHT {
                // how much deferred light is there already depends on the tile
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

    /// Composes the stretches of medium that end at crossings, and enters or leaves their shapes.
    #[inline(always)]
    fn cross_media<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        crossings: &[OrderedCrossing],
        appearance: Appearance<'_>,
    ) {
        let Appearance { slots, lighting } = appearance;
        // deferred light is added later
        let [base, slope] = if let Lighting::Cosine { base, slope } = lighting { [base, slope] } else { [0.0; 2] };
        for crossings in crossings.chunks(LANES) {
            let mut stretches = [Stretch::NONE; LANES];
            let mut medium = self.media[sample];
            for (stretch, &crossing) in stretches.iter_mut().zip(crossings) {
                *stretch = medium.stretch(crossing.distance);
                let slot = crossing.slot();
                let absorption = slots.absorption[slot];
                let [r, g, b, _] = slots.paints[slot];
                let light = base + slope * crossing.cosine;
                // written out: `map` of an array would be a call
                let light = [absorption * (r * light), absorption * (g * light), absorption * (b * light)];
                medium.cross(crossing, absorption, light);
            }
            self.media[sample] = medium;
            if self.absorb(simd, sample, &stretches[..crossings.len()], crossings, appearance) {
                return;
            }
        }
    }

    /// Composes up to eight stretches of medium, and the crossings at their ends if there are any; returns whether the
    /// sample is done.
    #[inline(always)]
    fn absorb<S: Simd>(
        &mut self,
        simd: S,
        sample: usize,
        stretches: &[Stretch],
        ends: &[OrderedCrossing],
        appearance: Appearance<'_>,
    ) -> bool {
        let Appearance { slots, lighting } = appearance;
        let mut depths = [0.0; LANES];
        for (depth, stretch) in depths.iter_mut().zip(stretches) {
            *depth = stretch.depth;
        }
        let through = exp_of_minus(simd, f32x8::load_array(simd, depths)).to_array();
        let mut pass = self.pass[sample];
        let mut light = f32x4::load_array(simd, self.light(sample));
        let mut is_done = false;
        for (at, stretch) in stretches.iter().enumerate() {
            if stretch.depth > 0.0 {
                let share = pass * (1.0 - through[at]);
                pass *= through[at];
                match lighting {
                    Lighting::Cosine { .. } => {
                        let each = share / stretch.absorption;
                        let [r, g, b] = stretch.light;
                        let glow = f32x4::load_array(simd, [r.max(0.0), g.max(0.0), b.max(0.0), 1.0]);
                        light += glow * f32x4::load_array(simd, [each, each, each, share]);
                    }
                    Lighting::Deferred => self.inside[sample].shown += f64::from(share) / f64::from(stretch.absorption),
                }
                let [red, green, blue, _] = light.to_array();
                let darkest = if let Lighting::Deferred = lighting { 0.0 } else { red.min(green).min(blue) };
                if is_dense(pass, darkest) {
                    is_done = true;
                    break;
                }
            }
            let Some(&crossing) = ends.get(at) else { continue };
            if let Some(first) = &mut self.first {
                first.note(sample, crossing, slots);
            }
            if let Lighting::Deferred = lighting {
                self.inside[sample].cross(sample, crossing, &slots.absorption, &mut self.fragments);
            }
        }
        self.pass[sample] = pass;
        self.set_light(sample, light.to_array());
        if is_done {
            self.limit[sample] = -1.0;
            self.inside[sample].leave_all(sample, &slots.absorption, &mut self.fragments);
        }
        is_done
    }

    /// Ends a sample: an opaque hit may end a medium.
    #[inline(always)]
    pub(super) fn finish<S: Simd>(&mut self, simd: S, sample: usize, appearance: Appearance<'_>) {
        let limit = self.limit[sample];
        if self.model == Transparency::Solid && limit >= 0.0 {
            if limit < f32::INFINITY {
                let stretch = self.media[sample].stretch(limit);
                self.absorb(simd, sample, &[stretch], &[], appearance);
            }
            self.inside[sample].leave_all(sample, &appearance.slots.absorption, &mut self.fragments);
        }
    }
}

impl EnteredShapes {
    fn clear(&mut self) {
        self.shapes.clear();
        self.shown = 0.0;
    }

    /// Enters or leaves a shape; notes the light of one that is left.
    #[inline(always)]
    fn cross(&mut self, sample: usize, crossing: OrderedCrossing, absorption: &[f32], fragments: &mut Vec<Fragment>) {
        if !crossing.is_exit() {
            self.shapes.push(EnteredShape { tag: crossing.tag, shown: self.shown });
            return;
        }
        let left = self.shapes.iter().position(|shape| shape.tag & SLOT == crossing.tag & SLOT);
        if let Some(at) = left {
            fragments.extend(self.shapes.swap_remove(at).fragment(sample, self.shown, absorption));
        }
    }

    /// Leaves all shapes.
    fn leave_all(&mut self, sample: usize, absorption: &[f32], fragments: &mut Vec<Fragment>) {
        fragments.extend(self.shapes.drain(..).filter_map(|shape| shape.fragment(sample, self.shown, absorption)));
    }
}

impl EnteredShape {
    /// The light of the shape, up to where so much of a medium has been shown; `None` if none of it reaches the eye.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a share, rounded once")]
    fn fragment(self, sample: usize, shown: f64, absorption: &[f32]) -> Option<Fragment> {
        let share = (f64::from(absorption[(self.tag & SLOT) as usize]) * (shown - self.shown)) as f32;
        // a ray that begins inside the shape sees its far side
        let tag = if self.tag & HIDDEN == 0 { self.tag & (SLOT | CAP) } else { self.tag & SLOT | EXIT };
        (share > 0.0).then(|| Fragment { sample: sample_number(sample), tag, share })
    }
}

impl<S: Simd> Composed8<S> {
    /// [`is_dense`] for eight samples: closes those of `lanes` where hardly anything passes any more.
    #[inline(always)]
    fn close_dense(&mut self, simd: S, lanes: mask32x8<S>, lighting: Lighting) {
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

impl FirstSurfaces {
    #[inline(always)]
    fn note(&mut self, sample: usize, crossing: OrderedCrossing, slots: &Slots) {
        if self.distance[sample] == f32::INFINITY {
            self.distance[sample] = crossing.distance;
            self.number[sample] = slots.numbers[crossing.slot()];
            self.cosine[sample] = crossing.cosine;
        }
    }
}

/// Whether hardly anything passes any more; `darkest` is the light of the darkest channel so far.
#[inline(always)]
fn is_dense(pass: f32, darkest: f32) -> bool {
    pass < if darkest >= BRIGHT { LEAST_PASS_BRIGHT } else { LEAST_PASS }
}

#[expect(clippy::cast_possible_truncation, reason = "a tile has fewer than 2³² samples")]
fn sample_number(index: usize) -> u32 {
    index as u32
}

/// e to the power of minus eight numbers, which are at least 0: within 2⁻²¹ of it, from + and × alone.
///
/// The whole part of the binary exponent moves the exponent of the result; a polynomial has the rest.
#[inline(always)]
fn exp_of_minus<S: Simd>(simd: S, x: f32x8<S>) -> f32x8<S> {
    let binary = (x * -std::f32::consts::LOG2_E).max(-125.0);
    let whole = (binary + 0.5).floor();
    let part = (binary - whole) * std::f32::consts::LN_2;
    // Taylor's series of e^p, |p| ≤ ln 2 / 2, to the sixth power
    let mut sum = f32x8::splat(simd, 1.0 / 720.0);
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * part + coefficient;
    }
    // the low bits of 1.5 × 2²³ + n are those of n; nine of them stay, and the bias of exponents is added
    let bits: u32x8<S> = (whole + 12_582_912.0).bitcast();
    let scale: f32x8<S> = ((bits << 23) + u32x8::splat(simd, 127 << 23)).bitcast();
    sum * scale
}
