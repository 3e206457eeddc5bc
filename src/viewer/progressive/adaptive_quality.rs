//! The quality of moving frames, adapted to the time that the last frames took.

use std::time::Duration;

use crate::scene::spheres::{AmbientOcclusion, Shading};

/// The longest that a moving frame may take from event to finished pixels. At 30 frames per second a frame has 33 ms,
/// and showing the pixels takes some of it.
const FRAME_BUDGET: Duration = Duration::from_millis(28);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameQuality {
    pub(super) effects: Effects,
    /// Side in window pixels of the square that each drawn pixel fills.
    pub(super) divisor: u32,
    /// Level of detail of the scene; 0 is the whole scene.
    pub(super) level: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effects {
    /// Everything the final picture has.
    All,
    /// All samples, no shadows, and ambient occlusion only without rays.
    Samples,
    /// As `Samples`, with one sample.
    Occlusion,
    /// One sample, neither shadows nor ambient occlusion.
    None,
}

impl Effects {
    /// Reduces a shading to these effects.
    pub(super) fn reduce(self, shading: Shading) -> Shading {
        match self {
            Self::All => shading,
            Self::Samples => {
                let is_on = shading.ambient_occlusion.is_on();
                let ambient_occlusion = if is_on { AmbientOcclusion::Smooth } else { AmbientOcclusion::Off };
                let mut reduced = shading.with_ambient_occlusion(ambient_occlusion);
                reduced.shadows = false;
                reduced
            }
            Self::Occlusion => Self::Samples.reduce(shading).with_samples(1),
            Self::None => Self::Occlusion.reduce(shading).with_ambient_occlusion(AmbientOcclusion::Off),
        }
    }
}

/// Effects and divisors, finest first.
const STEPS: [(Effects, u32); 9] = [
    (Effects::All, 1),
    (Effects::Samples, 1),
    (Effects::Occlusion, 1),
    (Effects::None, 1),
    (Effects::None, 2),
    (Effects::None, 3),
    (Effects::None, 4),
    (Effects::None, 6),
    (Effects::None, 8),
];

/// The step of a scene's first frame: one sample per window pixel.
const FIRST_STEP: usize = 3;

/// Chooses the quality of the next moving frame: coarser as soon as a frame is late, finer when the next finer step is
/// expected to be in time.
#[derive(Clone, Debug)]
pub(super) struct AdaptiveQuality {
    /// Index into [`STEPS`].
    step: usize,
    level: usize,
    pub(super) level_count: usize,
}

impl AdaptiveQuality {
    /// Starts for a scene with this many levels of detail.
    pub(super) fn new(level_count: usize) -> Self {
        Self { step: FIRST_STEP, level: usize::from(level_count > 1), level_count }
    }

    pub(super) fn quality(&self) -> FrameQuality {
        let (effects, divisor) = STEPS[self.step];
        FrameQuality { effects, divisor, level: self.level }
    }

    /// Adapts to the times that a frame of the current quality took. `shading` is the final picture's; `prepare` is the
    /// part of `total` that grows with the shapes instead of the pixels.
    pub(super) fn adapt(&mut self, shading: Shading, prepare: Duration, total: Duration) {
        let (prepare, total, budget) = (prepare.as_secs_f64(), total.as_secs_f64(), FRAME_BUDGET.as_secs_f64());
        let draw = (total - prepare).max(0.0);
        let work = |step: usize| {
            let (effects, divisor) = STEPS[step];
            rays_per_pixel(effects.reduce(shading)) / f64::from(divisor * divisor)
        };
        let current = self.step;
        let is_in_time = |&step: &usize| prepare + draw * work(step) / work(current) <= budget;
        if total > budget {
            // fewer pixels shorten drawing, fewer shapes preparing
            if (prepare > 0.5 * budget || self.step == STEPS.len() - 1) && self.level + 1 < self.level_count {
                self.level += 1;
            } else {
                self.step = (self.step + 1..STEPS.len()).find(is_in_time).unwrap_or(STEPS.len() - 1);
            }
        } else if let Some(finer) = self.step.checked_sub(1).filter(is_in_time) {
            self.step = finer;
        } else if self.level > 0 && 2.2 * total <= budget {
            // twice the shapes, and a tenth more for costs that grow faster
            self.level -= 1;
        }
    }
}

/// The cost of ambient occlusion without rays, in primary rays.
const SMOOTH_OCCLUSION: f64 = 4.0;

fn rays_per_pixel(shading: Shading) -> f64 {
    let rays = f64::from(shading.ambient_occlusion.rays()) + f64::from(u8::from(shading.shadows));
    // smooth occlusion is computed once for all samples of a pixel
    let shared = if shading.ambient_occlusion == AmbientOcclusion::Smooth { SMOOTH_OCCLUSION } else { 0.0 };
    f64::from(shading.samples.max(1)) * (1.0 + rays) + shared
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times of a simulated machine, in nanoseconds.
    struct Machine {
        per_shape: f64,
        per_ray: f64,
    }

    /// Simulates frames of 1280×720 until the quality settles. Returns it and the time of a frame.
    fn settle(level_count: usize, shapes: f64, machine: &Machine) -> (FrameQuality, Duration) {
        let shading = Shading::default().with_samples(4).with_ao_rays(16);
        let mut adaptive = AdaptiveQuality::new(level_count);
        let mut last = Duration::MAX;
        for _ in 0..50 {
            let quality = adaptive.quality();
            let prepare = shapes / f64::from(1 << quality.level) * machine.per_shape * 1e-9;
            let pixels = 921_600.0 / f64::from(quality.divisor * quality.divisor);
            let draw = pixels * rays_per_pixel(quality.effects.reduce(shading)) * machine.per_ray * 1e-9;
            last = Duration::from_secs_f64(prepare + draw);
            adaptive.adapt(shading, Duration::from_secs_f64(prepare), last);
        }
        (adaptive.quality(), last)
    }

    #[test]
    fn light_scene_moves_with_all_effects() {
        let (quality, _) = settle(1, 1e3, &Machine { per_shape: 10.0, per_ray: 0.1 });
        assert_eq!(quality, FrameQuality { effects: Effects::All, divisor: 1, level: 0 });
    }

    #[test]
    fn every_scene_settles_within_the_budget() {
        for (level_count, shapes) in [(1, 1e3), (1, 1e6), (5, 1e7), (8, 1e8)] {
            for per_ray in [0.1, 1.0, 10.0, 100.0, 500.0] {
                let (quality, time) = settle(level_count, shapes, &Machine { per_shape: 15.0, per_ray });
                assert!(time <= FRAME_BUDGET, "{shapes} shapes, {per_ray} ns per ray: {time:?} with {quality:?}");
            }
        }
    }

    #[test]
    fn slow_rays_lower_the_resolution_and_many_shapes_the_level_of_detail() {
        assert!(settle(1, 1e3, &Machine { per_shape: 10.0, per_ray: 100.0 }).0.divisor > 1);
        let (quality, _) = settle(8, 1e8, &Machine { per_shape: 10.0, per_ray: 1.0 });
        assert!(quality.level > 1 && quality.divisor <= 2, "{quality:?}");
    }
}
