//! Openness under few spheres: each covers an exact share of the hemisphere. Sampled directions only measure how far
//! caps overlap.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::caps::{CAPS, CapTable, NO_CAP};
use super::near_planes::SeenSpheres;
use super::near_spheres::directions_in_cap;
use super::openness::{EIGHTH_TURN, turned};
use crate::lanes::{LANES, Rows3, dot3_with, load3, next_lane, scale3};
use crate::trace::find::sampling::tangents;

/// Maximum number of caps: in a scene where each is tested, and beside a large sphere.
pub(super) const FEW: usize = 32;
pub(super) const FEW_NEAR: usize = 16;

/// The caps of the hemisphere about a normal that spheres cover.
#[derive(Debug)]
pub(super) struct FewCaps {
    /// Unit vectors to the middles; NaN in lanes without a cap.
    axes: [Rows3; FEW / LANES],
    /// Cosines and sines of the angular radii.
    cosines: [[f32; LANES]; FEW / LANES],
    sines: [[f32; LANES]; FEW / LANES],
    /// The cosine-weighted shares of the hemisphere that they cover.
    shares: [[f32; LANES]; FEW / LANES],
    /// A bit for each lane whose sphere a plane cuts.
    cut: [u64; FEW / LANES],
    groups: usize,
}

/// Numbers of rotations of the directions about the normal: with the caps themselves, and with the table of caps.
const TURNS: [u32; 2] = [8, 4];

impl FewCaps {
    pub(super) const NONE: Self = Self {
        axes: [[[f32::NAN; LANES]; 3]; FEW / LANES],
        cosines: [[f32::NAN; LANES]; FEW / LANES],
        sines: [[0.0; LANES]; FEW / LANES],
        shares: [[0.0; LANES]; FEW / LANES],
        cut: [0; FEW / LANES],
        groups: 0,
    };

    /// Adds the caps of up to eight spheres with these cosines of their angular radii.
    #[inline(always)]
    pub(super) fn push<S: Simd>(
        &mut self,
        simd: S,
        SeenSpheres { toward, distance, .. }: &SeenSpheres<S>,
        cosine: f32x8<S>,
        [is_cap, is_cut]: [mask32x8<S>; 2],
        normal: [f32; 3],
    ) {
        let group = self.groups;
        if group == FEW / LANES {
            return;
        }
        self.groups += 1;
        if !is_cap.any_true() {
            return;
        }
        let (one, missing) = (f32x8::splat(simd, 1.0), f32x8::splat(simd, f32::NAN));
        let axis = scale3(*toward, one / *distance);
        for (row, along) in self.axes[group].iter_mut().zip(axis) {
            is_cap.select(along, missing).store_array(row);
        }
        let cosine = cosine.min(one);
        cosine.store_array(&mut self.cosines[group]);
        (one - cosine * cosine).max(0.0).sqrt().store_array(&mut self.sines[group]);
        let share = covered_share(simd, dot3_with(axis, normal), cosine);
        is_cap.select(share, f32x8::splat(simd, 0.0)).store_array(&mut self.shares[group]);
        self.cut[group] = is_cut.to_bitmask();
    }

    /// The share of the hemisphere that the caps leave open. Overlaps, and what `leaving` removes of cut spheres, are found
    /// by directions, with the caps themselves or with the table of caps. `leaving` gets the number of a group and a frame
    /// of directions; it returns the directions whose rays leave the drawn space before they reach each sphere.
    #[inline(always)]
    pub(super) fn open_share<S: Simd>(
        &self,
        simd: S,
        normal: [f32; 3],
        is_exact: bool,
        leaving: impl Fn(usize, [[f32; 3]; 3]) -> [u64; LANES],
    ) -> f32 {
        let mut tangled = [0u64; FEW / LANES];
        let mut covered = 0.0;
        for (group, shares) in self.shares[..self.groups].iter().enumerate() {
            for (lane, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                if self.cut[group] >> lane & 1 == 1 || self.overlaps(simd, group, lane) {
                    tangled[group] |= 1 << lane;
                } else {
                    covered += share;
                }
            }
        }
        if tangled != [0; FEW / LANES] {
            let mut frame = tangents(normal);
            let turns = TURNS[usize::from(!is_exact)];
            let share = 1.0 / turns as f32;
            for _ in 0..turns {
                covered += self.joint_share(simd, &tangled, [frame[0], frame[1], normal], is_exact, &leaving) * share;
                frame = turned(frame, EIGHTH_TURN);
            }
        }
        (1.0 - covered).max(0.0)
    }

    /// Whether a cap overlaps another.
    #[inline(always)]
    fn overlaps<S: Simd>(&self, simd: S, group: usize, lane: usize) -> bool {
        let axis = std::array::from_fn(|along| self.axes[group][along][lane]);
        let (cosine, sine) = (self.cosines[group][lane], self.sines[group][lane]);
        let mut others = 0;
        for other in 0..self.groups {
            let along = dot3_with(load3(simd, &self.axes[other]), axis);
            let cosines = f32x8::load_array_ref(simd, &self.cosines[other]);
            let sines = f32x8::load_array_ref(simd, &self.sines[other]);
            let lanes = along.simd_gt(cosines * cosine - sines * sine).to_bitmask();
            others += lanes.count_ones();
        }
        // it overlaps itself
        others > 1
    }

    /// The share that caps cover together: each adds the part of its directions that are not leaving and that no earlier
    /// cap covers.
    #[inline(always)]
    fn joint_share<S: Simd>(
        &self,
        simd: S,
        tangled: &[u64; FEW / LANES],
        frame: [[f32; 3]; 3],
        is_exact: bool,
        leaving: &impl Fn(usize, [[f32; 3]; 3]) -> [u64; LANES],
    ) -> f32 {
        let (mut covered, mut share) = (0u64, 0.0);
        for (group, &lanes) in tangled.iter().enumerate() {
            let mut lanes = lanes;
            if lanes == 0 {
                continue;
            }
            let axes = load3(simd, &self.axes[group]);
            let axes = [dot3_with(axes, frame[0]), dot3_with(axes, frame[1]), dot3_with(axes, frame[2])];
            let leaving = if lanes & self.cut[group] == 0 { [0; LANES] } else { leaving(group, frame) };
            let mut positions = [NO_CAP; LANES];
            if !is_exact {
                positions = CapTable::positions(axes, f32x8::load_array_ref(simd, &self.cosines[group])).to_array();
            }
            let axes = [axes[0].to_array(), axes[1].to_array(), axes[2].to_array()];
            while let Some(lane) = next_lane(&mut lanes) {
                let word = if is_exact {
                    let axis = [axes[0][lane], axes[1][lane], axes[2][lane]];
                    directions_in_cap(simd, &CAPS.directions, axis, self.cosines[group][lane])
                } else {
                    CAPS.word(positions[lane])
                };
                let (all, kept) = (word.count_ones(), word & !leaving[lane]);
                let part = if all == 0 { 1.0 } else { (kept & !covered).count_ones() as f32 / all as f32 };
                share += part * self.shares[group][lane];
                covered |= kept;
            }
        }
        share
    }
}

/// The cosine-weighted share of a hemisphere that caps cover, given the cosines of the angles between their middles and
/// the normal and of their angular radii; the horizon cuts them. The form factor of a sphere: J. Hamilton and W.
/// Morgan, *Radiation-Interchange Configuration Factors*, NACA TN 2836, 1952.
#[inline(always)]
fn covered_share<S: Simd>(simd: S, height: f32x8<S>, cosine: f32x8<S>) -> f32x8<S> {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let sine_squared = (one - cosine * cosine).max(0.0);
    let whole = sine_squared * height;
    // cosine of the middle's angle to the horizon
    let level = (one - height * height).max(0.0).sqrt();
    let half_chord = (sine_squared - height * height).max(0.0).sqrt();
    let turn = acos(simd, (height * cosine / (sine_squared.sqrt() * level) * -1.0).max(-1.0).min(one));
    let rise = acos(simd, (cosine / level).min(one));
    let cut = ((whole * turn - cosine * half_chord) + rise) * std::f32::consts::FRAC_1_PI;
    let is_cut = half_chord.simd_gt(zero);
    is_cut.select(cut.max(0.0), height.simd_gt(zero).select(whole, zero))
}

/// The arc cosine within 7e-5: M. Abramowitz and I. Stegun, *Handbook of Mathematical Functions*, 4.4.45.
#[inline(always)]
fn acos<S: Simd>(simd: S, cosine: f32x8<S>) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let x = cosine.abs();
    let series = ((x * -0.018_729_3 + 0.074_261) * x - 0.212_114_4) * x + 1.570_728_8;
    let angle = (f32x8::splat(simd, 1.0) - x).max(0.0).sqrt() * series;
    cosine.simd_lt(zero).select(f32x8::splat(simd, std::f32::consts::PI) - angle, angle)
}

#[cfg(test)]
mod tests {
    use fearless_simd::dispatch;

    use super::*;
    use crate::simd::levels;

    /// The share of many directions about +z that are in a cap.
    fn counted(height: f64, cosine: f64) -> f64 {
        const COUNT: u32 = 200_000;
        let side = (1.0 - height * height).sqrt();
        let in_cap = |index: &u32| {
            let squared = (f64::from(*index) + 0.5) / f64::from(COUNT);
            let x = squared.sqrt() * libm::cos(f64::from(*index) * 2.399_963_229_728_653);
            x * side + (1.0 - squared).sqrt() * height >= cosine
        };
        f64::from(u32::try_from((0..COUNT).filter(in_cap).count()).expect("few")) / f64::from(COUNT)
    }

    #[test]
    fn shares_are_those_of_many_directions() {
        for cosine in [0.0, 0.1, 0.5, 0.8, 0.95, 0.999] {
            for step in -10..=10 {
                let height = f64::from(step) / 10.0;
                let wanted = counted(height, cosine);
                for level in levels() {
                    #[expect(clippy::cast_possible_truncation, reason = "rounds")]
                    let found = dispatch!(level, simd => {
                        let splat = |number: f64| f32x8::splat(simd, number as f32);
                        covered_share(simd, splat(height), splat(cosine)).to_array()[0]
                    });
                    assert!((f64::from(found) - wanted).abs() < 1e-3, "{height} {cosine}: {found}, wanted {wanted}");
                }
            }
        }
    }
}
