//! Spheres before a camera, tile by tile: the nearest sphere of every sample, its shading, finished pixels.
//!
//! [`Stage::new`] lists the spheres by tile and builds what shadow and ambient-occlusion rays need;
//! [`Stage::paint`] finishes one tile. Neither keeps anything: a stage lives for one picture.

mod crossing;
mod light_buffer;
mod sampling;
mod shade;
mod tree;
mod vicinity;
mod visibility;

use fearless_simd::{Level, dispatch, prelude::*};

use crate::color::{Srgba8, linear_from_srgb8, srgb8_from_linear};
use crate::error::{Error, Result};
use crate::frame::TileMut;
use crate::scene::{Background, Rays, Roster, SphereScene};
use crate::tiles::Culling;
use crate::tiles::spheres::{Lens, SphereBins};
use crossing::Target;
use shade::{Hit, Linear, Occluders, Studio};
use vicinity::Vicinities;
use visibility::{Area, Layer, Sight};

/// A scene made ready for its tiles.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    roster: Roster<'a>,
    rays: Rays,
    lens: Lens,
    bins: SphereBins,
    studio: Studio,
    occluders: Occluders,
    offsets: Vec<[f32; 2]>,
    level: Level,
    /// The solid background, which needs no shading.
    backdrop: Option<Srgba8>,
}

/// Spheres of a scene, copies counted: an index is 32 bits, and one is kept for "none".
const MAX_SPHERES: u64 = u32::MAX as u64 - 1;

/// Side of a tile when nobody says otherwise.
pub(crate) const TILE: u32 = 64;

/// What a thread keeps from tile to tile.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    sight: Sight,
    vicinities: Vicinities,
}

/// What was looked at before painting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census {
    /// Spheres, copies counted.
    pub spheres: u64,
    /// Those that reach the picture.
    pub visible: u64,
    /// Entries in the tiles' lists.
    pub binned: u64,
}

impl<'a> Stage<'a> {
    /// Lists spheres for tiles of that side. Without culling every tile looks at every sphere.
    ///
    /// # Errors
    /// When there are more spheres than indices.
    pub(crate) fn new(level: Level, scene: &'a SphereScene<'a>, tile: u32, culling: Culling) -> Result<Self> {
        let view = &scene.view;
        let rays = Rays::new(view);
        let roster = Roster::new(&scene.groups, rays.eye);
        if roster.count() > MAX_SPHERES {
            let message = format!("must be at most {MAX_SPHERES}, copies counted, got {}", roster.count());
            return Err(Error::Setting { name: "number of spheres", message });
        }
        let offsets = sampling::offsets(scene.quality.samples.max(1));
        let range = offsets.iter().flatten().fold([1.0f32, 0.0f32], |[a, b], &v| [a.min(v), b.max(v)]);
        let lens = Lens::new(&rays, [view.width, view.height], range, culling == Culling::On);
        let bins = SphereBins::new(level, &roster, &lens, tile);
        let studio = Studio::new(&scene.lights, &scene.quality, view.background);
        let occluders = studio.occluders(&roster);
        let backdrop = match view.background {
            Background::Solid(color) => Some(color),
            Background::Gradient { .. } => None,
        };
        Ok(Self { roster, rays, lens, bins, studio, occluders, offsets, level, backdrop })
    }

    pub(crate) fn census(&self) -> Census {
        Census { spheres: self.roster.count(), visible: self.bins.visible, binned: self.bins.binned }
    }

    /// How many spheres the tile around a pixel looks at.
    #[cfg(feature = "viewer")]
    pub(crate) fn kept(&self, x: u32, y: u32) -> u64 {
        self.bins.lists(x, y).iter().map(|list| list.len() as u64).sum()
    }

    /// Finishes one tile; answers how many rays that took.
    pub(crate) fn paint(&self, desk: &mut Desk, tile: &mut TileMut<'_>) -> u64 {
        let width = tile.rows.first().map_or(0, |row| u32::try_from(row.len()).expect("a tile is at most 1024 wide"));
        let height = u32::try_from(tile.rows.len()).expect("a tile is at most 1024 high");
        let area = Area { x: tile.x, y: tile.y, width, height };
        dispatch!(self.level, simd => self.trace(simd, desk, area, tile))
    }

    #[inline(always)]
    fn trace<S: Simd>(&self, simd: S, desk: &mut Desk, area: Area, tile: &mut TileMut<'_>) -> u64 {
        let lists = self.bins.lists(area.x, area.y);
        let Desk { sight, vicinities } = desk;
        sight.find(simd, &self.roster, (&self.rays, &self.lens), (area, &self.offsets), &lists);
        let mut rays = u64::from(area.width) * u64::from(area.height) * self.offsets.len() as u64;
        // most hits are of the sphere that was hit before
        let mut last = None;
        for (row, (pixels, y)) in tile.rows.iter_mut().zip(area.y..).enumerate() {
            let start = row * sight.stride;
            if let ([layer], Some(backdrop), true) = (&sight.layers[..], self.backdrop, self.studio.is_headlight()) {
                self.headlit_row(layer, start, pixels, backdrop);
                continue;
            }
            for (column, (pixel, x)) in pixels.iter_mut().zip(area.x..).enumerate() {
                *pixel = self.pixel(simd, (sight, vicinities, &mut last), start + column, [x, y], &mut rays);
            }
        }
        rays
    }

    /// The commonest row: one sample a pixel, lit from the eye, before one colour.
    #[inline(always)]
    fn headlit_row(&self, layer: &Layer, start: usize, pixels: &mut [Srgba8], backdrop: Srgba8) {
        let places = start..start + pixels.len();
        let (distances, cosines) = (&layer.distance[places.clone()], &layer.cosine[places.clone()]);
        let mut last = (u32::MAX, [0.0; 3]);
        for (((pixel, &distance), &cosine), &index) in
            pixels.iter_mut().zip(distances).zip(cosines).zip(&layer.index[places])
        {
            *pixel = backdrop;
            if distance < f32::INFINITY {
                if last.0 != index {
                    last = (index, linear(self.roster.color(index)));
                }
                let light = self.studio.headlight(cosine);
                let [r, g, b] = last.1;
                *pixel = opaque([r * light, g * light, b * light]);
            }
        }
    }

    #[inline(always)]
    fn pixel<S: Simd>(
        &self,
        simd: S,
        (sight, vicinities, last): (&Sight, &mut Vicinities, &mut Option<Hit<'a>>),
        at: usize,
        [x, y]: [u32; 2],
        rays: &mut u64,
    ) -> Srgba8 {
        if let Some(color) = self.backdrop
            && sight.layers.iter().all(|layer| layer.distance[at] == f32::INFINITY)
        {
            return color;
        }
        let mut sum: Linear = [0.0; 4];
        for (layer, sample) in sight.layers.iter().zip(0..) {
            let direction = layer.direction(at);
            let index = layer.index[at];
            let light = if layer.distance[at] == f32::INFINITY {
                self.studio.background(direction)
            } else if self.studio.is_headlight() {
                let light = self.studio.headlight(layer.cosine[at]);
                let [r, g, b] = linear(self.roster.color(index));
                [r * light, g * light, b * light, 1.0]
            } else {
                let (start, cosine) = (layer.start(at), layer.cosine[at]);
                let hit = match *last {
                    Some(hit) if hit.index == index => Hit { start, direction, cosine, ..hit },
                    _ => {
                        let (seen, sphere) = self.roster.sphere(index);
                        Hit { index, sphere, seen, target: Target::new(seen), start, direction, cosine }
                    }
                };
                *last = Some(hit);
                self.studio.shade(simd, (&self.occluders, vicinities), &hit, [x, y, sample], rays)
            };
            for (sum, light) in sum.iter_mut().zip(light) {
                *sum += light;
            }
        }
        encoded(sum, 1.0 / self.offsets.len() as f32)
    }
}

/// A colour in linear light.
#[inline(always)]
fn linear(color: Srgba8) -> [f32; 3] {
    [linear_from_srgb8(color.r), linear_from_srgb8(color.g), linear_from_srgb8(color.b)]
}

/// Light as an opaque pixel. Written out: `map` over the array stays a call.
#[inline(always)]
fn opaque([r, g, b]: [f32; 3]) -> Srgba8 {
    Srgba8 { r: srgb8_from_linear(r), g: srgb8_from_linear(g), b: srgb8_from_linear(b), a: 255 }
}

/// The mean of samples that weigh `share` each, as a finished pixel.
#[inline(always)]
fn encoded(sum: Linear, share: f32) -> Srgba8 {
    let [r, g, b, a] = sum.map(|channel| channel * share);
    if a <= 0.0 {
        return Srgba8::TRANSPARENT;
    }
    let [r, g, b] = if a < 1.0 { [r / a, g / a, b / a] } else { [r, g, b] };
    let color = opaque([r, g, b]);
    #[expect(clippy::cast_possible_truncation, reason = "`as` takes the rounded opacity into 0 to 255")]
    let alpha = (a * 255.0 + 0.5) as u8;
    Srgba8 { a: alpha, ..color }
}
