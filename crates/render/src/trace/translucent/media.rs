//! The model `solid`: Beer–Lambert absorption along the stretches of medium that a ray crosses.

use fearless_simd::{f32x4, f32x8, prelude::*, u32x8};

use super::composition::{Appearance, Composed8, Composition, Fragment, Lighting, is_dense, sample_number};
use super::crossings::{CAP, EXIT, HIDDEN, OrderedCrossing, SLOT};
use super::pending::{Ends8, Passages8};
use crate::lanes::{LANES, next_lane};
use crate::scene::spheres::Transparency;

/// Sums over the shapes that a sample's ray is inside of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Medium {
    /// Distance up to which the medium is composed.
    begin: f32,
    count: f32,
    absorption: f32,
    /// Absorption times light.
    light: [f32; 3],
}

impl Medium {
    pub(super) const EMPTY: Self = Self { begin: 0.0, count: 0.0, absorption: 0.0, light: [0.0; 3] };

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

    /// Enters or leaves a shape; `light` is weighted by its absorption.
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

/// The shapes that a sample's ray is inside of. Shapes that overlap show together, each by its absorption: a shape's
/// share of the light is its absorption times the growth of `shown` from entry to exit.
#[derive(Clone, Debug, Default)]
pub(super) struct EnteredShapes {
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

impl Composition {
    /// [`Self::cross_media`], for a stretch in one shape of each of eight samples that are open.
    #[inline(always)]
    pub(super) fn add_stretch8<S: Simd>(
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

    /// Composes the stretches of medium that end at crossings, and enters or leaves their shapes.
    #[inline(always)]
    pub(super) fn cross_media<S: Simd>(
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
    pub(super) fn clear(&mut self) {
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

    fn leave_all(&mut self, sample: usize, absorption: &[f32], fragments: &mut Vec<Fragment>) {
        fragments.extend(self.shapes.drain(..).filter_map(|shape| shape.fragment(sample, self.shown, absorption)));
    }
}

impl EnteredShape {
    /// The fragment of a shape that is left where [`EnteredShapes::shown`] has this value; `None` if none of its light
    /// reaches the eye.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a share, rounded once")]
    fn fragment(self, sample: usize, shown: f64, absorption: &[f32]) -> Option<Fragment> {
        let share = (f64::from(absorption[(self.tag & SLOT) as usize]) * (shown - self.shown)) as f32;
        // a ray that begins inside the shape sees its far side
        let tag = if self.tag & HIDDEN == 0 { self.tag & (SLOT | CAP) } else { self.tag & SLOT | EXIT };
        (share > 0.0).then(|| Fragment { sample: sample_number(sample), tag, share })
    }
}

/// e^(−x) for eight numbers x ≥ 0: within 2⁻²¹ of it, from + and × alone.
///
/// The whole part of the binary exponent moves the exponent of the result; a polynomial yields the rest.
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
    // 1.5 × 2²³ + n has n in its low bits: shift nine of them into place, and add the exponent's bias
    let bits: u32x8<S> = (whole + 12_582_912.0).bitcast();
    let scale: f32x8<S> = ((bits << 23) + u32x8::splat(simd, 127 << 23)).bitcast();
    sum * scale
}
