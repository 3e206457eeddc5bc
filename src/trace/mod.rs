//! Spheres before a camera, tile by tile: the nearest sphere of every sample, its shading, finished pixels.
//!
//! [`Stage::new`] lists the spheres by tile and builds what ambient-occlusion rays need, [`Stage::draw`] finishes all
//! tiles. A light's shadows are looked for where something is seen: tiles are looked at first, then what stands between
//! that and the light is listed, then they are shaded. Nothing is kept: a stage lives for one picture.

mod crossing;
mod light_buffer;
mod lit;
mod patches;
mod sampling;
mod shade;
mod tree;
mod vicinity;
mod visibility;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fearless_simd::{Level, dispatch, prelude::*};
use rayon::prelude::*;

use crate::color::{Srgba8, linear_from_srgb8, srgb8_from_linear};
use crate::error::{Error, Result};
use crate::frame::TileMut;
use crate::scene::{Background, Rays, Roster, SphereScene};
use crate::tiles::Culling;
use crate::tiles::spheres::{LANES, Lens, SphereBins};
use crossing::Target;
use light_buffer::LightBuffer;
use lit::{Last, Spheres};
use patches::{Axes, Patch, patches};
use shade::{Hit, Linear, Occluders, Studio};
use tree::Tree;
use vicinity::Vicinities;
use visibility::{Area, Layer, Paths, Search, Sight};

/// A scene made ready for its tiles.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    roster: Roster<'a>,
    rays: Rays,
    lens: Lens,
    bins: SphereBins,
    studio: Studio,
    tree: OnceLock<Tree>,
    /// Of each light whose shadows are listed where something is seen; empty where the tree finds them.
    axes: Vec<Axes>,
    offsets: Vec<[f32; 2]>,
    level: Level,
    /// The solid background, which needs no shading.
    backdrop: Option<Srgba8>,
}

/// Spheres of a scene, copies counted: an index is 32 bits, and one is kept for "none".
const MAX_SPHERES: u64 = u32::MAX as u64 - 1;

/// Side of a tile when nobody says otherwise.
pub(crate) const TILE: u32 = 64;

/// Samples that are kept until the shadows on them are known, and a tile for each thread where that is more.
pub(crate) const KEPT: usize = 1 << 24;

/// What a thread keeps from tile to tile.
#[derive(Debug, Default)]
struct Desk {
    search: Search,
    vicinities: Vicinities,
}

/// What a tile shows before it is shaded.
#[derive(Debug, Default)]
struct View {
    sight: Sight,
    /// Where that lies, as each light sees it.
    patches: Vec<Vec<Patch>>,
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
        let is_listed = roster.count() >= light_buffer::LEAST;
        let axes = if is_listed { studio.shadowing().map(light_buffer::axes).collect() } else { Vec::new() };
        let backdrop = match view.background {
            Background::Solid(color) => Some(color),
            Background::Gradient { .. } => None,
        };
        let stage = Self { roster, rays, lens, bins, studio, tree: OnceLock::new(), axes, offsets, level, backdrop };
        if stage.studio.is_occluded() || stage.axes.len() < stage.studio.shadowing().len() {
            stage.tree();
        }
        Ok(stage)
    }

    /// The tree over all spheres, built when it is first asked for.
    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| Tree::new(&self.roster))
    }

    pub(crate) fn census(&self) -> Census {
        Census { spheres: self.roster.count(), visible: self.bins.visible, binned: self.bins.binned }
    }

    /// How many spheres the tile around a pixel looks at.
    #[cfg(feature = "viewer")]
    pub(crate) fn kept(&self, x: u32, y: u32) -> u64 {
        self.bins.lists(x, y).iter().map(|list| list.len() as u64).sum()
    }

    /// Draws tiles, unless it is `cancelled`; answers how many rays that took, and how long the listing of what stands before
    /// lights.
    pub(crate) fn draw(&self, tiles: &mut [TileMut<'_>], cancelled: &AtomicBool) -> (u64, Duration) {
        let goes_on = || !cancelled.load(Ordering::Relaxed);
        if self.axes.is_empty() {
            let occluders = Occluders { tree: self.tree.get(), buffers: Vec::new() };
            let paint = |(desk, view): &mut (Desk, View), tile: &mut TileMut<'_>| {
                if !goes_on() {
                    return 0;
                }
                self.look(desk, Area::of(tile), view);
                self.shade(desk, tile, &view.sight, &occluders)
            };
            return (tiles.par_iter_mut().map_init(Default::default, paint).sum(), Duration::ZERO);
        }
        let samples = tiles.first().map_or(1, |tile| Area::of(tile).pixels()) * self.offsets.len();
        let (mut rays, mut listing) = (0, Duration::ZERO);
        for tiles in tiles.chunks_mut((KEPT / samples).max(rayon::current_num_threads())) {
            let look = |desk: &mut Desk, tile: &TileMut<'_>| {
                let mut view = View::default();
                if goes_on() {
                    self.look(desk, Area::of(tile), &mut view);
                }
                view
            };
            let views: Vec<View> = tiles.par_iter().map_init(Desk::default, look).collect();
            if !goes_on() {
                break;
            }
            let start = Instant::now();
            let occluders = self.occluders(&views);
            listing += start.elapsed();
            let shade = |desk: &mut Desk, (tile, view): (&mut TileMut<'_>, &View)| {
                if !goes_on() {
                    return 0;
                }
                let area = Area::of(tile);
                dispatch!(self.level, simd => desk.search.lay(simd, &self.rays, area, &self.offsets));
                self.shade(desk, tile, &view.sight, &occluders)
            };
            rays += tiles.par_iter_mut().zip(&views).map_init(Desk::default, shade).sum::<u64>();
        }
        (rays, listing)
    }

    /// What stands between what is seen and the lights.
    fn occluders(&self, views: &[View]) -> Occluders<'_> {
        if views.iter().all(|view| view.patches.iter().all(Vec::is_empty)) {
            return Occluders { tree: self.tree.get(), buffers: Vec::new() };
        }
        let buffers = self.axes.iter().enumerate().map(|(light, &axes)| {
            let patches = views.iter().map(|view| &view.patches[light][..]).filter(|patches| !patches.is_empty());
            let patches: Vec<_> = patches.collect();
            LightBuffer::new(self.level, &self.roster, axes, &patches)
        });
        let buffers: Vec<_> = buffers.collect();
        let tree = if buffers.iter().any(Option::is_none) { Some(self.tree()) } else { self.tree.get() };
        Occluders { tree, buffers }
    }

    /// Looks at what a tile shows.
    fn look(&self, Desk { search, .. }: &mut Desk, area: Area, View { sight, patches: found }: &mut View) {
        let lists = self.bins.lists(area.x, area.y);
        dispatch!(self.level, simd => search.find(
            simd, &self.roster, (&self.rays, &self.lens), (area, &self.offsets), &lists, sight
        ));
        found.resize_with(self.axes.len(), Vec::new);
        for (axes, found) in self.axes.iter().zip(found) {
            for pair in sight.layers.iter().zip(&search.paths) {
                dispatch!(self.level, simd => patches(simd, pair, (sight.stride, axes), found));
            }
        }
    }

    /// Shades what a tile shows, the rays of which are laid out; answers how many rays that took.
    fn shade(&self, desk: &mut Desk, tile: &mut TileMut<'_>, sight: &Sight, occluders: &Occluders<'_>) -> u64 {
        dispatch!(self.level, simd => self.finish(simd, desk, tile, sight, occluders))
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        simd: S,
        Desk { search, vicinities }: &mut Desk,
        tile: &mut TileMut<'_>,
        sight: &Sight,
        occluders: &Occluders<'_>,
    ) -> u64 {
        let area = Area::of(tile);
        let mut rays = area.pixels() as u64 * self.offsets.len() as u64;
        // most hits are of the sphere that was hit before
        let (mut last, mut neighbour) = (None, Last::NONE);
        for (row, (pixels, y)) in tile.rows.iter_mut().zip(area.y..).enumerate() {
            let start = row * sight.stride;
            if let ([layer], Some(backdrop), true) = (&sight.layers[..], self.backdrop, self.studio.is_headlight()) {
                self.headlit_row(layer, start, pixels, backdrop);
                continue;
            }
            let seen = (sight, &search.paths[..]);
            for ((pixels, at), x) in
                pixels.chunks_mut(LANES).zip((start..).step_by(LANES)).zip((area.x..).step_by(LANES))
            {
                if self.studio.is_lit()
                    && self.lit(simd, seen, occluders, (at, &mut *pixels), (&mut neighbour, &mut rays))
                {
                    continue;
                }
                for ((pixel, at), x) in pixels.iter_mut().zip(at..).zip(x..) {
                    let place = [x, y];
                    *pixel = self.pixel(simd, seen, (occluders, vicinities), at, (place, &mut last, &mut rays));
                }
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

    /// Up to eight neighbouring pixels that lights alone shine on; whether they could be done at once.
    #[inline(always)]
    fn lit<S: Simd>(
        &self,
        simd: S,
        (sight, paths): (&Sight, &[Paths]),
        occluders: &Occluders<'_>,
        (at, pixels): (usize, &mut [Srgba8]),
        (last, rays): (&mut Last, &mut u64),
    ) -> bool {
        let lanes = at..at + pixels.len();
        if let Some(color) = self.backdrop
            && sight.layers.iter().all(|layer| layer.distance[lanes.clone()].iter().all(|d| *d == f32::INFINITY))
        {
            pixels.fill(color);
            return true;
        }
        let mut sums = [[0.0; 4]; LANES];
        let (mut hits, mut cast) = (0, 0);
        for (layer, paths) in sight.layers.iter().zip(paths) {
            let spheres = Spheres::of(&self.roster, layer, lanes.clone(), last);
            let Some(surfaces) = spheres.surfaces(simd, paths, at) else { return false };
            hits |= spheres.hits;
            let [r, g, b] = self.studio.shade_eight(simd, occluders, &surfaces, &mut cast);
            let (r, g, b) = (r.to_array(), g.to_array(), b.to_array());
            for lane in 0..LANES {
                let light = match spheres.hits >> lane & 1 {
                    1 => [r[lane], g[lane], b[lane], 1.0],
                    _ => self.studio.background(paths.direction(at + lane)),
                };
                for (sum, light) in sums[lane].iter_mut().zip(light) {
                    *sum += light;
                }
            }
        }
        *rays += cast;
        for (lane, pixel) in pixels.iter_mut().enumerate() {
            *pixel = match self.backdrop {
                Some(color) if hits >> lane & 1 == 0 => color,
                _ => encoded(sums[lane], 1.0 / self.offsets.len() as f32),
            };
        }
        true
    }

    #[inline(always)]
    fn pixel<S: Simd>(
        &self,
        simd: S,
        (sight, paths): (&Sight, &[Paths]),
        (occluders, vicinities): (&Occluders<'_>, &mut Vicinities),
        at: usize,
        ([x, y], last, rays): ([u32; 2], &mut Option<Hit<'a>>, &mut u64),
    ) -> Srgba8 {
        if let Some(color) = self.backdrop
            && sight.layers.iter().all(|layer| layer.distance[at] == f32::INFINITY)
        {
            return color;
        }
        let mut sum: Linear = [0.0; 4];
        for ((layer, paths), sample) in sight.layers.iter().zip(paths).zip(0..) {
            let direction = paths.direction(at);
            let index = layer.index[at];
            let light = if layer.distance[at] == f32::INFINITY {
                self.studio.background(direction)
            } else if self.studio.is_headlight() {
                let light = self.studio.headlight(layer.cosine[at]);
                let [r, g, b] = linear(self.roster.color(index));
                [r * light, g * light, b * light, 1.0]
            } else {
                let (start, cosine) = (paths.start(at), layer.cosine[at]);
                let hit = match *last {
                    Some(hit) if hit.index == index => Hit { start, direction, cosine, ..hit },
                    _ => {
                        let (seen, sphere) = self.roster.sphere(index);
                        Hit { index, sphere, seen, target: Target::new(seen), start, direction, cosine }
                    }
                };
                *last = Some(hit);
                self.studio.shade(simd, (occluders, vicinities), &hit, [x, y, sample], rays)
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
