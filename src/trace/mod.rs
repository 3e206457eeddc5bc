//! Spheres before a camera, tile by tile: the nearest sphere of every sample, its shading, finished pixels.
//!
//! [`Stage::new`] lists the spheres by tile and builds what ambient-occlusion rays need, [`Stage::draw`] finishes all
//! tiles. A light's shadows are looked for where something is seen: tiles are looked at first, then what stands between
//! that and the light is listed, then they are shaded. Nothing is kept: a stage lives for one picture.

mod crossing;
mod finish;
mod light_buffer;
mod light_columns;
mod lit;
mod patches;
mod sampling;
mod shade;
mod shown;
mod tree;
mod vicinity;
mod visibility;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fearless_simd::{Level, dispatch};
use rayon::prelude::*;

use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::frame::TileMut;
use crate::scene::spheres::{Background, SphereScene};
use crate::scene::{Rays, SphereInstances};
use crate::tiles::Culling;
use crate::tiles::spheres::{Lens, SphereBins};
use finish::Easel;
use light_buffer::LightBuffer;
use patches::{Axes, Patch, patches};
use shade::{Occluders, Studio};
use shown::Shown;
use tree::Tree;
use visibility::{Area, Search, Sight};

/// A scene made ready for its tiles.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    roster: SphereInstances<'a>,
    rays: Rays,
    lens: Lens,
    bins: SphereBins,
    studio: Studio,
    tree: OnceLock<Tree>,
    /// Of each light whose shadows are listed where something is seen; empty where the tree finds them.
    axes: Vec<Axes>,
    /// The radius of the usual sphere, where lights are listed for.
    usual: f32,
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
pub(crate) const KEPT: usize = 1 << 23;

/// Larger spheres, in radii of the usual one, may lie behind others for the most part.
const SMALL: f32 = 4.0;

/// What a thread keeps from tile to tile.
#[derive(Debug, Default)]
struct Desk {
    search: Search,
    sight: Sight,
    shown: Shown,
    easel: Easel,
}

/// What a tile shows before it is shaded.
#[derive(Debug, Default)]
struct View {
    shown: Shown,
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
        let roster = SphereInstances::new(&scene.groups, rays.eye);
        if roster.count() > MAX_SPHERES {
            let message = format!("must be at most {MAX_SPHERES}, copies counted, got {}", roster.count());
            return Err(Error::Setting { name: "number of spheres", message });
        }
        let offsets = sampling::offsets(scene.shading.samples.max(1));
        let range = offsets.iter().flatten().fold([1.0f32, 0.0f32], |[a, b], &v| [a.min(v), b.max(v)]);
        let lens = Lens::new(&rays, [view.width, view.height], range, culling == Culling::On);
        let bins = SphereBins::new(level, &roster, &lens, tile);
        let studio = Studio::new(&scene.lights, &scene.shading, view.background);
        let is_listed = roster.count() >= light_buffer::LEAST;
        let axes = if is_listed { studio.shadowing().map(light_buffer::axes).collect() } else { Vec::new() };
        let backdrop = match view.background {
            Background::Solid(color) => Some(color),
            Background::Gradient { .. } => None,
        };
        let usual = if axes.is_empty() { 0.0 } else { light_buffer::usual_radius(&roster) };
        let tree = OnceLock::new();
        let stage = Self { roster, rays, lens, bins, studio, tree, axes, usual, offsets, level, backdrop };
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
            let paint = |desk: &mut Desk, tile: &mut TileMut<'_>| {
                if !goes_on() {
                    return 0;
                }
                let area = Area::of(tile);
                self.look(desk, area);
                let Desk { search, sight, shown, easel } = desk;
                if self.studio.is_headlight() {
                    return self.finish_headlit(tile, (sight, &search.paths));
                }
                shown.note(&self.roster, sight, area);
                self.finish(easel, tile, (shown, &search.paths), &occluders)
            };
            return (tiles.par_iter_mut().map_init(Desk::default, paint).sum(), Duration::ZERO);
        }
        let samples = tiles.first().map_or(1, |tile| Area::of(tile).pixels()) * self.offsets.len();
        let (mut rays, mut listing) = (0, Duration::ZERO);
        for tiles in tiles.chunks_mut((KEPT / samples).max(rayon::current_num_threads())) {
            let look = |desk: &mut Desk, tile: &TileMut<'_>| {
                if !goes_on() {
                    return View::default();
                }
                let area = Area::of(tile);
                self.look(desk, area);
                desk.shown.note(&self.roster, &desk.sight, area);
                View { shown: desk.shown.kept(), patches: self.patches(desk, area) }
            };
            let views: Vec<View> = tiles.par_iter().map_init(Desk::default, look).collect();
            if !goes_on() {
                break;
            }
            let start = Instant::now();
            let occluders = self.occluders(&views);
            listing += start.elapsed();
            let shade = |Desk { search, easel, .. }: &mut Desk, (tile, view): (&mut TileMut<'_>, &View)| {
                if !goes_on() {
                    return 0;
                }
                let area = Area::of(tile);
                dispatch!(self.level, simd => search.lay(simd, &self.rays, area, &self.offsets));
                self.finish(easel, tile, (&view.shown, &search.paths), &occluders)
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
            LightBuffer::new(self.level, (&self.roster, self.usual), axes, &patches)
        });
        let buffers: Vec<_> = buffers.collect();
        let tree = if buffers.iter().any(Option::is_none) { Some(self.tree()) } else { self.tree.get() };
        Occluders { tree, buffers }
    }

    /// Looks at what a tile shows.
    fn look(&self, Desk { search, sight, .. }: &mut Desk, area: Area) {
        let lists = self.bins.lists(area.x, area.y);
        dispatch!(self.level, simd => search.find(
            simd, &self.roster, (&self.rays, &self.lens), (area, &self.offsets), &lists, sight
        ));
    }

    /// Where what a tile shows lies, as each light sees it.
    fn patches(&self, Desk { search, sight, shown, .. }: &Desk, area: Area) -> Vec<Vec<Patch>> {
        let (shown, seen) = ((shown, &self.rays, SMALL * self.usual), (area, sight, &search.paths[..]));
        self.axes.iter().map(|axes| patches(self.level, shown, seen, axes)).collect()
    }
}
