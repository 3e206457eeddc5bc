//! What a tile shows, sphere by sphere: neighbouring samples show the same, and what shading asks of a sphere it asks once.

#![expect(clippy::cast_possible_truncation, reason = "samples of a tile and the spheres there are counted in 32 bits")]

use crate::color::Srgba8;
use crate::scene::{EyeSphere, SphereInstances};
use crate::trace::visibility::{Area, Sight};

/// The spheres that an area shows, and where.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Seldom one twice.
    pub spheres: Vec<Visible>,
    runs: Vec<Run>,
    /// The roster's indices of the spheres while they are noted, and the places of those that were noted last.
    indices: Vec<u32>,
    slots: Vec<(u32, u32)>,
}

/// A sphere that is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visible {
    pub seen: EyeSphere,
    pub color: Srgba8,
    last_run: u32,
}

/// Neighbours in a row that show one sphere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The sample where it starts, counted through layers as they are laid out.
    pub start: u32,
    pub length: u32,
    /// The run before it of the same sphere.
    previous: u32,
}

const NONE: u32 = u32::MAX;

/// Twice as many spheres as a tile of small ones shows, and more.
const SLOTS: usize = 1 << 10;

impl Shown {
    /// Notes what an area shows.
    pub(super) fn note(&mut self, roster: &SphereInstances<'_>, sight: &Sight, area: Area) {
        let Self { spheres, runs, indices, slots } = self;
        spheres.clear();
        indices.clear();
        runs.clear();
        slots.clear();
        slots.resize(SLOTS, (NONE, NONE));
        let mut first = 0;
        for layer in &sight.layers {
            let rows = layer.distance.chunks(sight.stride).zip(layer.index.chunks(sight.stride));
            for (row_distances, row_indices) in rows.take(area.height as usize) {
                let row = row_distances.iter().zip(row_indices).take(area.width as usize);
                let mut last = NONE;
                for ((&distance, &index), sample) in row.zip(first..) {
                    let index = if distance < f32::INFINITY { index } else { NONE };
                    if index == last {
                        continue;
                    }
                    end(runs, last, sample);
                    last = index;
                    if index == NONE {
                        continue;
                    }
                    let slot = &mut slots[index as usize % SLOTS];
                    if slot.0 != index {
                        *slot = (index, spheres.len() as u32);
                        indices.push(index);
                        spheres.push(Visible { seen: EyeSphere::EMPTY, color: Srgba8::TRANSPARENT, last_run: NONE });
                    }
                    let sphere = &mut spheres[slot.1 as usize];
                    let previous = std::mem::replace(&mut sphere.last_run, runs.len() as u32);
                    runs.push(Run { start: sample, length: 0, previous });
                }
                end(runs, last, first + area.width);
                first += sight.stride as u32;
            }
        }
        // looked up in a row, loads do not wait for one another
        for (sphere, &index) in spheres.iter_mut().zip(&*indices) {
            let (seen, painted) = roster.sphere(index);
            (sphere.seen, sphere.color) = (seen, painted.color);
        }
    }

    /// Where a sphere is shown.
    #[inline(always)]
    pub(super) fn runs(&self, sphere: &Visible) -> impl Iterator<Item = Run> {
        let mut next = sphere.last_run;
        std::iter::from_fn(move || {
            let run = *self.runs.get(next as usize)?;
            next = run.previous;
            Some(run)
        })
    }

    /// The same without the room to note more.
    pub(super) fn kept(&self) -> Self {
        let (spheres, runs) = (self.spheres.clone(), self.runs.clone());
        Self { spheres, runs, ..Self::default() }
    }
}

/// Ends the last run, of a sphere of that index, before a sample.
#[inline(always)]
fn end(runs: &mut [Run], index: u32, sample: u32) {
    if index != NONE
        && let Some(run) = runs.last_mut()
    {
        run.length = sample - run.start;
    }
}
