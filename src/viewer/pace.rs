//! How much detail there is time for while something moves, learnt from how long the last pictures took.

use std::time::Duration;

use crate::scene::spheres::Shading;

/// A moving frame may take this long from event to finished pixels: 30 frames a second leave 33 ms, and showing the
/// pixels takes its share.
pub(super) const BUDGET: Duration = Duration::from_millis(28);

/// How a moving frame is made cheaper than the picture at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    /// How much of the quality is kept.
    pub(super) effects: Effects,
    /// Window pixels to the side of a drawn pixel.
    pub(super) divisor: u32,
    /// Of the thinner scenes, 0 for the scene itself.
    pub(super) level: usize,
}

/// What of the scene's quality a moving frame has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effects {
    /// All.
    Full,
    /// All samples, but no shadows nor ambient occlusion.
    Smooth,
    /// One sample, no shadows nor ambient occlusion.
    Plain,
}

impl Effects {
    /// The quality of such a frame.
    pub(super) fn of(self, shading: Shading) -> Shading {
        match self {
            Self::Full => shading,
            Self::Smooth => Shading { ao_rays: 0, shadows: false, ..shading },
            Self::Plain => Shading { samples: 1, ao_rays: 0, shadows: false, ..shading },
        }
    }
}

/// From all to next to nothing.
const LADDER: [(Effects, u32); 8] = [
    (Effects::Full, 1),
    (Effects::Smooth, 1),
    (Effects::Plain, 1),
    (Effects::Plain, 2),
    (Effects::Plain, 3),
    (Effects::Plain, 4),
    (Effects::Plain, 6),
    (Effects::Plain, 8),
];

/// The rung of one plain sample for each window pixel: where a new scene begins.
const PLAIN: usize = 2;

/// Climbs a ladder of detail, finest first: down as soon as a frame is late, up when the next finer one promises to be in time.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    rung: usize,
    level: usize,
    levels: usize,
}

impl Pace {
    /// For a scene with so many levels of thinning: starts with the first thinned one where there is one.
    pub(super) fn new(levels: usize) -> Self {
        Self { rung: PLAIN, level: usize::from(levels > 1), levels }
    }

    /// How many levels of thinning there are.
    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// For the next moving frame.
    pub(super) fn detail(&self) -> Detail {
        let (effects, divisor) = LADDER[self.rung];
        Detail { effects, divisor, level: self.level }
    }

    /// Learns from a moving frame: how long its shapes took to prepare, and all of it.
    pub(super) fn learn(&mut self, shading: Shading, prepare: Duration, total: Duration) {
        let cost = |rung: usize| {
            let (effects, divisor) = LADDER[rung];
            rays(effects.of(shading)) / f64::from(divisor * divisor)
        };
        let (prepare, total, budget) = (prepare.as_secs_f64(), total.as_secs_f64(), BUDGET.as_secs_f64());
        let draw = (total - prepare).max(0.0);
        if total > budget {
            // fewer pixels help against drawing, fewer shapes against preparing
            let coarser = (self.rung + 1..LADDER.len())
                .find(|&rung| prepare + draw * cost(rung) / cost(self.rung) <= budget)
                .unwrap_or(LADDER.len() - 1);
            if (prepare > 0.5 * budget || self.rung == LADDER.len() - 1) && self.level + 1 < self.levels {
                self.level += 1;
            } else {
                self.rung = coarser;
            }
            return;
        }
        // as pessimistic as can be: what does not grow with the pixels is taken to
        let finer = self.rung.checked_sub(1).filter(|&rung| prepare + draw * cost(rung) / cost(self.rung) <= budget);
        if let Some(rung) = finer {
            self.rung = rung;
        } else if self.level > 0 && 2.2 * total <= budget {
            // twice the shapes, and a little for what is not in proportion
            self.level -= 1;
        }
    }
}

/// Rays a pixel.
fn rays(shading: Shading) -> f64 {
    f64::from(shading.samples.max(1)) * (1.0 + f64::from(shading.ao_rays) + f64::from(u8::from(shading.shadows)))
}

/// Qualities on the way from one plain sample to the picture at rest: each about doubles the work of the one before, so
/// that all of them together cost about as much again as the last.
pub(super) fn passes(shading: Shading) -> Vec<Shading> {
    let plain = Effects::Plain.of(shading);
    let shaded = Shading { samples: 1, ao_rays: shading.ao_rays.min(4), ..shading };
    let mut passes = vec![plain, shaded];
    passes.push(Shading { samples: 1, ..shading });
    let doubled = (1..).map(|step| 1_u32 << step).take_while(|&samples| samples < shading.samples);
    passes.extend(doubled.map(|samples| Shading { samples, ..shading }));
    passes.push(shading);
    passes.dedup();
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    const RICH: Shading =
        Shading { samples: 4, ao_rays: 16, ao_distance: f32::INFINITY, shadows: false, ambient: 0.2, seed: 0 };

    /// Plays a machine on which a shape takes `shape` and a ray `ray` nanoseconds, until the pace settles.
    fn settle(levels: usize, shapes: f64, shape: f64, ray: f64) -> (Detail, Duration) {
        let mut pace = Pace::new(levels);
        let mut last = Duration::MAX;
        for _ in 0..50 {
            let detail = pace.detail();
            let prepare = shapes / f64::from(1 << detail.level) * shape * 1e-9;
            let pixels = 921_600.0 / f64::from(detail.divisor * detail.divisor);
            let draw = pixels * rays(detail.effects.of(RICH)) * ray * 1e-9;
            last = Duration::from_secs_f64(prepare + draw);
            pace.learn(RICH, Duration::from_secs_f64(prepare), last);
        }
        (pace.detail(), last)
    }

    #[test]
    fn light_scenes_move_with_all_their_effects() {
        let (detail, _) = settle(1, 1e3, 10.0, 0.1);
        assert_eq!(detail, Detail { effects: Effects::Full, divisor: 1, level: 0 });
    }

    #[test]
    fn every_scene_settles_within_the_budget() {
        for (levels, shapes) in [(1, 1e3), (1, 1e6), (5, 1e7), (8, 1e8)] {
            for ray in [0.1, 1.0, 10.0, 100.0, 500.0] {
                let (detail, time) = settle(levels, shapes, 15.0, ray);
                assert!(time <= BUDGET, "{shapes} shapes, {ray} ns a ray: {time:?} with {detail:?}");
            }
        }
    }

    #[test]
    fn slow_pixels_lose_resolution_and_many_shapes_are_thinned() {
        assert!(settle(1, 1e3, 10.0, 100.0).0.divisor > 1);
        let (detail, _) = settle(8, 1e8, 10.0, 1.0);
        assert!(detail.level > 1 && detail.divisor <= 2, "{detail:?}");
    }

    #[test]
    fn passes_grow_to_the_full_quality() {
        let passes = passes(RICH);
        assert_eq!(passes.last(), Some(&RICH));
        let samples: Vec<_> = passes.iter().map(|pass| (pass.samples, pass.ao_rays)).collect();
        assert_eq!(samples, [(1, 0), (1, 4), (1, 16), (2, 16), (4, 16)]);
        assert_eq!(super::passes(Shading::default()), [Shading::default()], "nothing on the way to one plain sample");
    }
}
