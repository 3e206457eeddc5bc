//! Groups a tile's samples by visible sphere: hits in, the visible spheres with their runs of samples out, so that
//! per-sphere work is done once.

#![expect(clippy::cast_possible_truncation, reason = "samples of a tile and its spheres are counted in 32 bits")]

use super::primary::HitLayer;
use super::sample_rays::SampleGrid;
use crate::geom::Sphere;
use crate::scene::SphereInstances;

/// The spheres that a tile shows, and the samples that show them.
#[derive(Debug, Default)]
pub(crate) struct VisibleSpheres {
    pub spheres: Vec<VisibleSphere>,
    runs: Vec<SampleRun>,
    /// A hash table from the spheres' indices to their positions, used while spheres are collected.
    slots: Vec<(u32, u32)>,
}

/// A sphere that at least one sample shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisibleSphere {
    /// The sphere, or one around a primitive of another shape.
    pub sphere: Sphere<3>,
    pub index: u32,
    last_run: u32,
}

/// Neighbouring samples of a row that show the same sphere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleRun {
    /// The first sample, counted through the planes of a [`SampleGrid`].
    pub start: u32,
    pub length: u32,
    /// The previous run of the same sphere.
    previous: u32,
}

const NONE: u32 = u32::MAX;

/// tuned: benches/spheres.rs S1. Initial number of slots: more than twice the spheres in a tile of small ones.
const SLOTS: usize = 1 << 10;

impl VisibleSpheres {
    /// Collects the spheres of a tile.
    pub(crate) fn collect(&mut self, instances: &SphereInstances<'_>, layers: &[HitLayer], grid: SampleGrid) {
        let Self { spheres, runs, slots } = self;
        spheres.clear();
        runs.clear();
        slots.clear();
        slots.resize(SLOTS, (NONE, NONE));
        for (layer, plane) in layers.iter().zip((0..).step_by(grid.plane())) {
            for start in grid.rows() {
                let (end, first) = (start + grid.inner_width(), (plane + start) as u32);
                let row = layer.distance[start..end].iter().zip(&layer.index[start..end]);
                let mut last = NONE;
                for ((&distance, &index), sample) in row.zip(first..) {
                    let index = if distance < f32::INFINITY { index } else { NONE };
                    if index == last {
                        continue;
                    }
                    end_run(runs, last, sample);
                    last = index;
                    if index == NONE {
                        continue;
                    }
                    let slot = slot_of(slots, index);
                    let position = if slots[slot].0 == index { slots[slot].1 } else { spheres.len() as u32 };
                    if position == spheres.len() as u32 {
                        slots[slot] = (index, position);
                        if 2 * spheres.len() >= slots.len() {
                            grow(slots);
                        }
                        spheres.push(VisibleSphere { sphere: Sphere::EMPTY, index, last_run: NONE });
                    }
                    let visible = &mut spheres[position as usize];
                    let previous = std::mem::replace(&mut visible.last_run, runs.len() as u32);
                    runs.push(SampleRun { start: sample, length: 0, previous });
                }
                end_run(runs, last, first + grid.inner_width() as u32);
            }
        }
        // loaded in a loop of its own, so that cache misses overlap
        for visible in spheres {
            visible.sphere = instances.sphere_around(visible.index);
        }
    }

    /// The samples that show a sphere.
    #[inline(always)]
    pub(crate) fn runs(&self, sphere: &VisibleSphere) -> impl Iterator<Item = SampleRun> {
        let mut next = sphere.last_run;
        std::iter::from_fn(move || {
            let run = *self.runs.get(next as usize)?;
            next = run.previous;
            Some(run)
        })
    }

    /// A copy without the memory used for collecting.
    pub(crate) fn compact(&self) -> Self {
        Self { spheres: self.spheres.clone(), runs: self.runs.clone(), ..Self::default() }
    }
}

/// The slot of an index, or the free one where it belongs.
#[inline(always)]
fn slot_of(slots: &[(u32, u32)], index: u32) -> usize {
    let mask = slots.len() - 1;
    let mut slot = index as usize & mask;
    while slots[slot].0 != index && slots[slot].0 != NONE {
        slot = (slot + 1) & mask;
    }
    slot
}

/// Doubles the slots.
#[cold]
fn grow(slots: &mut Vec<(u32, u32)>) {
    let used: Vec<_> = slots.iter().copied().filter(|slot| slot.0 != NONE).collect();
    let length = 2 * slots.len();
    slots.clear();
    slots.resize(length, (NONE, NONE));
    for entry in used {
        let slot = slot_of(slots, entry.0);
        slots[slot] = entry;
    }
}

/// Ends the last run, which shows the sphere with this index, before a sample.
#[inline(always)]
fn end_run(runs: &mut [SampleRun], index: u32, sample: u32) {
    if index != NONE
        && let Some(run) = runs.last_mut()
    {
        run.length = sample - run.start;
    }
}
