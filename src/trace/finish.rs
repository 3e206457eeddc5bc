//! What a tile shows, as finished pixels: spheres are shaded one after another, samples are averaged, light is encoded.

#![expect(clippy::cast_possible_truncation, reason = "samples of a tile are counted in 32 bits")]

use fearless_simd::{dispatch, f32x4, prelude::*};

use super::Stage;
use crate::color::{ENCODER, Encoder, Srgba8, linear_from_srgb8};
use crate::frame::TileMut;
use crate::tiles::spheres::LANES;
use crate::trace::crossing::Target;
use crate::trace::lit::{self, Batch};
use crate::trace::shade::{Hit, Linear, Occluders};
use crate::trace::shown::{Shown, Visible};
use crate::trace::vicinity::Vicinity;
use crate::trace::visibility::{Area, Layer, Paths, Sight};

/// What a thread needs to shade.
#[derive(Debug, Default)]
pub(super) struct Easel {
    batch: Batch,
    vicinity: Vicinity,
    /// What every sample shows, laid out as layers one after another; 0 where that is no sphere.
    lights: Vec<Linear>,
}

impl Stage<'_> {
    /// Finishes a tile that is lit from the eye alone; answers how many rays that took.
    pub(super) fn finish_headlit(&self, tile: &mut TileMut<'_>, (sight, paths): (&Sight, &[Paths])) -> u64 {
        let encoder = &*ENCODER;
        dispatch!(self.level, simd => for (pixels, start) in tile.rows.iter_mut().zip((0..).step_by(sight.stride)) {
            if let ([layer], Some(backdrop)) = (&sight.layers[..], self.backdrop) {
                self.headlit_row(simd, layer, start, pixels, backdrop);
                continue;
            }
            for (pixel, at) in pixels.iter_mut().zip(start..) {
                let light = |layer: &Layer| self.headlight(layer, at);
                *pixel = self.mean(simd, encoder, sight.layers.iter().map(light).zip(paths), at);
            }
        });
        Area::of(tile).pixels() as u64 * self.offsets.len() as u64
    }

    /// What a sample shows that is lit from the eye alone; 0 where that is no sphere.
    #[inline(always)]
    fn headlight(&self, layer: &Layer, at: usize) -> Linear {
        if layer.distance[at] == f32::INFINITY {
            return [0.0; 4];
        }
        let light = self.studio.headlight(layer.cosine[at]);
        let [r, g, b] = linear(self.roster.color(layer.index[at]));
        [r * light, g * light, b * light, 1.0]
    }

    /// The commonest row: one sample a pixel, lit from the eye, before one colour.
    #[inline(always)]
    fn headlit_row<S: Simd>(&self, simd: S, layer: &Layer, start: usize, pixels: &mut [Srgba8], backdrop: Srgba8) {
        let places = start..start + pixels.len();
        let (distances, cosines) = (&layer.distance[places.clone()], &layer.cosine[places.clone()]);
        let encoder = &*ENCODER;
        let mut last = (u32::MAX, [0.0; 4]);
        for (((pixel, &distance), &cosine), &index) in
            pixels.iter_mut().zip(distances).zip(cosines).zip(&layer.index[places])
        {
            *pixel = backdrop;
            if distance < f32::INFINITY {
                if last.0 != index {
                    let [r, g, b] = linear(self.roster.color(index));
                    last = (index, [r, g, b, 1.0]);
                }
                *pixel = encoder.opaque(f32x4::load_array(simd, last.1) * self.studio.headlight(cosine));
            }
        }
    }

    /// Finishes a tile, the rays of which are laid out; answers how many rays that took.
    pub(super) fn finish(
        &self,
        easel: &mut Easel,
        tile: &mut TileMut<'_>,
        (shown, paths): (&Shown, &[Paths]),
        occluders: &Occluders<'_>,
    ) -> u64 {
        let area = Area::of(tile);
        easel.lights.clear();
        easel.lights.resize(area.room() * paths.len(), [0.0; 4]);
        let mut rays = area.pixels() as u64 * self.offsets.len() as u64;
        dispatch!(self.level, simd => {
            self.shade(simd, easel, area, (shown, paths), (occluders, &mut rays));
            self.encode(simd, tile, &easel.lights, paths);
        });
        rays
    }

    /// Shades what an area shows, sphere by sphere.
    #[inline(always)]
    fn shade<S: Simd>(
        &self,
        simd: S,
        easel: &mut Easel,
        area: Area,
        seen: (&Shown, &[Paths]),
        (occluders, rays): (&Occluders<'_>, &mut u64),
    ) {
        let (shown, _) = seen;
        for sphere in &shown.spheres {
            if self.studio.is_lit() && lit::is_plain(sphere.seen) {
                self.shade_together(simd, easel, (area, sphere), seen, (occluders, rays));
            } else {
                self.shade_each(simd, easel, (area, sphere), seen, (occluders, rays));
            }
        }
    }

    /// Shades the hits of a sphere batch by batch.
    #[inline(always)]
    fn shade_together<S: Simd>(
        &self,
        simd: S,
        Easel { batch, lights, .. }: &mut Easel,
        (area, sphere): (Area, &Visible),
        (shown, paths): (&Shown, &[Paths]),
        (occluders, rays): (&Occluders<'_>, &mut u64),
    ) {
        for run in shown.runs(sphere) {
            let (layer, at) = area.place(run.start);
            let (mut taken, length) = (0, run.length as usize);
            while taken < length {
                let sample = run.start + taken as u32;
                taken += batch.take(simd, &paths[layer], at + taken, sample, length - taken);
                if batch.is_full() {
                    self.reflect(simd, sphere, batch, lights, (occluders, rays));
                }
            }
        }
        self.reflect(simd, sphere, batch, lights, (occluders, rays));
    }

    /// Shades the hits of a sphere one after another.
    #[inline(always)]
    fn shade_each<S: Simd>(
        &self,
        simd: S,
        Easel { vicinity, lights, .. }: &mut Easel,
        (area, sphere): (Area, &Visible),
        (shown, paths): (&Shown, &[Paths]),
        (occluders, rays): (&Occluders<'_>, &mut u64),
    ) {
        let target = Target::new(sphere.seen);
        if let (true, Some(tree)) = (self.studio.is_occluded(), occluders.tree) {
            vicinity.list(simd, tree, sphere.seen);
        }
        for run in shown.runs(sphere) {
            let (layer, first) = area.place(run.start);
            let paths = &paths[layer];
            let [x, y] = [area.x + (first % area.stride()) as u32, area.y + (first / area.stride()) as u32];
            for (step, at) in (0..run.length).zip(first..) {
                let hit = Hit { sphere: *sphere, target, start: paths.start(at), direction: paths.direction(at) };
                let place = [x + step, y, layer as u32];
                lights[(run.start + step) as usize] = self.studio.shade(simd, (occluders, vicinity), &hit, place, rays);
            }
        }
    }

    /// Shades a batch, and empties it.
    #[inline(always)]
    fn reflect<S: Simd>(
        &self,
        simd: S,
        sphere: &Visible,
        batch: &mut Batch,
        lights: &mut [Linear],
        (occluders, rays): (&Occluders<'_>, &mut u64),
    ) {
        batch.meet(simd, sphere.seen);
        self.studio.shade_lit(simd, occluders, sphere, batch, rays);
        for ([r, g, b], samples) in batch.light.iter().zip(batch.samples[..batch.count].chunks(LANES)) {
            for (((&sample, &r), &g), &b) in samples.iter().zip(r).zip(g).zip(b) {
                lights[sample as usize] = [r, g, b, 1.0];
            }
        }
        batch.count = 0;
    }

    /// Makes pixels of what a tile's samples show.
    #[inline(always)]
    fn encode<S: Simd>(&self, simd: S, tile: &mut TileMut<'_>, lights: &[Linear], paths: &[Paths]) {
        let area = Area::of(tile);
        let encoder = &*ENCODER;
        for (row, pixels) in tile.rows.iter_mut().enumerate() {
            for (pixel, at) in pixels.iter_mut().zip(row * area.stride()..) {
                *pixel = match lights[at] {
                    [r, g, b, 1.0] if paths.len() == 1 => encoder.opaque(f32x4::load_array(simd, [r, g, b, 1.0])),
                    _ => self.mean(simd, encoder, lights[at..].iter().step_by(area.room()).copied().zip(paths), at),
                };
            }
        }
    }

    /// A pixel of some samples.
    #[inline(always)]
    fn mean<'a, S: Simd>(
        &self,
        simd: S,
        encoder: &Encoder,
        samples: impl Iterator<Item = (Linear, &'a Paths)> + Clone,
        at: usize,
    ) -> Srgba8 {
        if let Some(color) = self.backdrop
            && samples.clone().all(|(light, _)| light[3] == 0.0)
        {
            return color;
        }
        let mut sum: Linear = [0.0; 4];
        for (light, paths) in samples {
            let light = if light[3] == 0.0 { self.studio.background(paths.direction(at)) } else { light };
            for (sum, light) in sum.iter_mut().zip(light) {
                *sum += light;
            }
        }
        encoded(simd, encoder, sum, 1.0 / self.offsets.len() as f32)
    }
}

/// A colour in linear light.
#[inline(always)]
pub(super) fn linear(color: Srgba8) -> [f32; 3] {
    [linear_from_srgb8(color.r), linear_from_srgb8(color.g), linear_from_srgb8(color.b)]
}

/// The mean of samples that weigh `share` each, as a finished pixel.
#[inline(always)]
fn encoded<S: Simd>(simd: S, encoder: &Encoder, sum: Linear, share: f32) -> Srgba8 {
    let [r, g, b, a] = sum.map(|channel| channel * share);
    if a <= 0.0 {
        return Srgba8::TRANSPARENT;
    }
    let [r, g, b] = if a < 1.0 { [r / a, g / a, b / a] } else { [r, g, b] };
    // `as` takes the rounded opacity into 0 to 255
    encoder.opaque(f32x4::load_array(simd, [r, g, b, a])).with_alpha((a * 255.0 + 0.5) as u8)
}
