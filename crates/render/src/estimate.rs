//! Estimates the memory for drawing a scene from its numbers of shapes and pixels, before anything is allocated.
//!
//! `benches/memory.rs` holds the estimates against a counting allocator; docs/memory.md has them as a table. They are
//! upper bounds, except for circles over many tiles: in scenes of more than [`ALL_COUNTED`] shapes, one in sixteen is
//! sampled to estimate the number of tiles that they reach.

use rayon::prelude::*;

use crate::budget::Budget;
use crate::error::{Resource, Result};
use crate::geom::single;
use crate::scene::circles::{CircleScene, Layer, PaintedCircle, PaintedEllipse, PaintedSegment};
use crate::scene::spheres::{AmbientOcclusion, Pose, SphereScene};
use crate::scene::{Opacity, PlacedShapes, Scene};
use crate::tiles::{Culling, circles, sphere_bins};
use crate::trace;

/// bound: `circles_take_8_bytes_for_each_tile_they_reach`. A circle's entry in a tile's list, twice: lists that are
/// kept between pictures may have grown by doubling.
const CIRCLE_ENTRY: u64 = 8;

/// Bytes per circle of a chunk that a thread is binning.
const CIRCLE_WORK: u64 = 8;

/// In scenes of up to this many circles all are counted; larger ones are sampled.
const ALL_COUNTED: usize = 1 << 20;

/// Of each group of this many circles, the first [`SAMPLED`] are sampled.
const SAMPLE_GROUP: usize = 1 << 10;
const SAMPLED: usize = 1 << 6;

/// A shape that is not a sphere: itself, its entries in the tiles' lists, and in the hierarchy while that is built.
const SHAPE: u64 = 48 + 32 + 40;

/// Bytes per sphere of a chunk that a thread is binning.
const SPHERE_WORK: u64 = 32;

/// bound: `spheres_take_16_bytes_and_pixels_40`. A sphere's entries in the tiles' lists: 8 bytes each, rarely more than
/// one.
const SPHERE_LISTS: u64 = 16;

/// bound: `ray_tree_keeps_to_its_bytes`. A sphere in the hierarchy, while it is built.
const SPHERE_BVH: u64 = 24;

/// bound: `ray_tree_keeps_to_its_bytes`. A sphere of a piece of the hierarchy that a thread is halving.
const SPHERE_HALVED: u64 = 24;

/// bound: `smooth_occlusion_keeps_to_24_bytes`. Bytes per sphere in the clusters of the hierarchy.
const SPHERE_CLUSTERS: u64 = 5;

/// bound: `light_buffers_keep_to_their_bytes`. A sphere in a finished light buffer and in the next one: more
/// than in the hierarchy that may replace it.
const SPHERE_LIGHT: u64 = 52;
const SPHERE_BINNED: u64 = 64;

/// A sample that waits for its shadows: a run and a sphere (in the worst case each sample shows another sphere), the
/// coverage by outlines, and the bounds per light.
const SAMPLE_KEPT: u64 = 36;
const SAMPLE_COVERED: u64 = 4;
const SAMPLE_BOUNDS: u64 = 24;

/// With small spheres shaded as one surface: the depths and the lightness of a pixel, and a sample whose hit is kept
/// until these are known.
const PIXEL_DEPTHS: u64 = 16;
const SAMPLE_FOUND: u64 = 16;

/// A run of spheres with one pose during binning.
const RUN: u64 = 80;

/// A sphere that clip planes leave in a copy, and the copy's group.
const SPHERE_KEPT: u64 = 24;
const GROUP_KEPT: u64 = 160;

/// A pixel of the frame.
const PIXEL: u64 = 4;

/// A tile, and one of its rows.
const TILE: u64 = 80;
const TILE_ROW: u64 = 16;

/// A sample of the tile that a thread works on: ray, hit, light, sphere, its colour, and a run.
const SAMPLE: u64 = 56 + 2 * SAMPLE_KEPT;

/// A translucent sphere of a tile that is being composited.
const TRANSLUCENT_SPHERE: u64 = 52;

/// Spheres per group that are sampled for their opacity.
const OPACITY_SAMPLES: usize = 1 << 12;

/// The settings that affect memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryEstimate {
    /// Side of a tile in pixels.
    pub tile: u32,
    pub culling: Culling,
    pub threads: usize,
    /// Bytes per pixel of the buffers beside the frame.
    pub beside: u64,
    /// Rows of the frame that are held at a time, at most.
    pub rows: u32,
}

impl MemoryEstimate {
    /// Returns an error for a scene over the budget.
    pub(super) fn check(&self, scene: &Scene<'_>, budget: &Budget) -> Result<()> {
        let size = scene.size();
        budget.check_picture("", size)?;
        let shapes = shapes(scene);
        budget.check(Resource::Shapes, shapes, || format!("the scene has {shapes} shapes"))?;
        let memory = match scene {
            Scene::Circles(scene) => self.circles(scene, shapes, budget),
            Scene::Spheres(scene) => self.spheres(scene, shapes),
        };
        let (width, height) = size;
        let beside = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(self.beside);
        let memory = memory.saturating_add(beside);
        budget.check(Resource::Memory, memory, || {
            let takes = Resource::Memory.amount(memory);
            format!("drawing {shapes} shapes on {width}x{height} pixels takes {takes}")
        })
    }

    fn circles(&self, scene: &CircleScene<'_>, shapes: u64, budget: &Budget) -> u64 {
        let (width, height) = (scene.canvas.width, scene.canvas.height);
        let own = scene.layers.iter().map(|layer| match layer {
            Layer::Circles(circles) => size_of_val::<[PaintedCircle]>(circles) as u64,
            Layer::Ellipses(ellipses) => size_of_val::<[PaintedEllipse]>(ellipses) as u64,
            Layer::Segments(segments) => size_of_val::<[PaintedSegment]>(segments) as u64,
        });
        let plain = own.sum::<u64>().saturating_add(self.frame(width, height));
        if self.culling == Culling::Off {
            return plain;
        }
        let tiles = self.tiles(width, height);
        // chunks have at least a sixteenth of a layer, or 256 shapes
        let chunk = circles::CHUNK as u64;
        let chunks = shapes.div_ceil(chunk) + 16 * scene.layers.len() as u64;
        let starts = chunks.saturating_mul(4 * (tiles + 1));
        let plain = plain.saturating_add(starts).saturating_add(self.threads as u64 * chunk * CIRCLE_WORK);
        let most = plain.saturating_add(shapes.saturating_mul(tiles).saturating_mul(CIRCLE_ENTRY));
        if most <= budget.memory {
            return most;
        }
        plain.saturating_add(self.pairs(scene).saturating_mul(CIRCLE_ENTRY))
    }

    /// Number of pairs of a shape and a tile that its bounding box reaches.
    fn pairs(&self, scene: &CircleScene<'_>) -> u64 {
        let canvas = [scene.canvas.width, scene.canvas.height];
        let counts = scene.layers.iter().map(|layer| match layer {
            Layer::Circles(circles) => {
                estimated_sum(circles, |circle| self.reached(canvas, circle.center, [circle.radius; 2]))
            }
            Layer::Ellipses(ellipses) => estimated_sum(ellipses, |ellipse| {
                self.reached(canvas, ellipse.center, ellipse.outer_radii().map(single))
            }),
            Layer::Segments(segments) => estimated_sum(segments, |segment| {
                let PaintedSegment { start, end, width, .. } = segment;
                let radii = [0, 1].map(|axis| 0.5 * ((end[axis] - start[axis]).abs() + width));
                self.reached(canvas, [0, 1].map(|axis| 0.5 * (start[axis] + end[axis])), radii)
            }),
        });
        counts.fold(0, u64::saturating_add)
    }

    /// Number of tiles that a box reaches.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    fn reached(&self, canvas: [u32; 2], center: [f32; 2], radii: [f32; 2]) -> u64 {
        let along = |axis: usize| {
            let (center, radius) = (f64::from(center[axis]), f64::from(radii[axis]));
            let first = (center - radius).floor() as u32;
            let end = ((center + radius).ceil() as u32).min(canvas[axis]);
            if first < end { u64::from((end - 1) / self.tile - first / self.tile + 1) } else { 0 }
        };
        along(0) * along(1)
    }

    fn spheres(&self, scene: &SphereScene<'_>, shapes: u64) -> u64 {
        let parts = [
            primitives(scene, shapes),
            self.frame(scene.view.width, scene.view.height),
            self.structures(scene, shapes),
            self.cloud(scene),
            self.waiting_samples(scene),
            (self.threads as u64).saturating_mul(self.scratch(scene, shapes)),
        ];
        parts.into_iter().fold(0, u64::saturating_add)
    }

    /// The tiles' lists of spheres, light buffers, the hierarchy and its clusters.
    fn structures(&self, scene: &SphereScene<'_>, shapes: u64) -> u64 {
        // each coarser level has a sixteenth of the cells, at least one
        let tiles = self.tiles(scene.view.width, scene.view.height);
        let cells = tiles + tiles / 8 + 32;
        let starts = shapes.div_ceil(sphere_bins::chunk_length(shapes) as u64).saturating_mul(4 * cells);
        let is_soft = scene.shadow_angles().any(|angle| angle > 0.0);
        let bvh = match scene.shading.ambient_occlusion {
            _ if is_soft => SPHERE_BVH + SPHERE_CLUSTERS,
            AmbientOcclusion::Smooth => SPHERE_BVH + SPHERE_CLUSTERS,
            off_or_rays => SPHERE_BVH * u64::from(off_or_rays.rays() > 0),
        };
        // one hierarchy of opaque shapes, and one per layer of translucent ones
        let layers = if has_translucent(scene) { 1 + trace::MOST_LAYERS as u64 } else { 1 };
        let bvh = bvh * layers;
        let lights = hard_lights(scene);
        let binned = if lights > 0 { SPHERE_BINNED } else { 0 };
        let each = lights.saturating_mul(SPHERE_LIGHT).saturating_add(SPHERE_LISTS + bvh + binned);
        let halved = (self.threads as u64).saturating_mul(trace::piece_limit(shapes)).min(shapes);
        let halved = if bvh > 0 { halved.saturating_mul(SPHERE_HALVED) } else { 0 };
        starts.saturating_add(shapes.saturating_mul(each)).saturating_add(halved)
    }

    /// The depths of a picture with small spheres shaded as one surface, and the hits that are kept until these are
    /// known.
    fn cloud(&self, scene: &SphereScene<'_>) -> u64 {
        let SphereScene { view, shading, .. } = scene;
        // such a picture is never drawn in bands
        let is_whole = self.rows >= view.height;
        if !is_whole || shading.splat_radius.is_nan() || shading.splat_radius <= 0.0 {
            return 0;
        }
        let tiles = self.tiles(view.width, view.height);
        let samples = tiles.saturating_mul(self.pixels_with_margin(scene) * u64::from(shading.samples.max(1)));
        let hits = if samples <= 2 * trace::SAMPLES_KEPT as u64 { samples * SAMPLE_FOUND } else { 0 };
        let around = 2 * u64::from(trace::CLOUD_MARGIN);
        let pixels = (u64::from(view.width) + around) * (u64::from(view.height) + around);
        pixels.saturating_mul(PIXEL_DEPTHS).saturating_add(hits)
    }

    /// The samples of a batch of tiles that wait for the light buffers of hard shadows.
    fn waiting_samples(&self, scene: &SphereScene<'_>) -> u64 {
        let SphereScene { view, shading, .. } = scene;
        let lights = hard_lights(scene);
        let bounds = lights.saturating_mul(SAMPLE_BOUNDS);
        let each = if lights > 0 { bounds.saturating_add(SAMPLE_KEPT + covered(scene)) } else { 0 };
        let samples = u64::from(view.width) * u64::from(view.height) * u64::from(shading.samples.max(1));
        let tile = self.pixels_with_margin(scene) * u64::from(shading.samples.max(1));
        let at_once = (trace::SAMPLES_KEPT as u64).max((self.threads as u64).saturating_mul(tile));
        samples.min(at_once).saturating_mul(each)
    }

    /// Memory of a thread: the samples of its tile, and a chunk of spheres that it bins.
    fn scratch(&self, scene: &SphereScene<'_>, shapes: u64) -> u64 {
        let samples = u64::from(scene.shading.samples.max(1)) * self.pixels_with_margin(scene);
        let length = sphere_bins::chunk_length(shapes) as u64;
        let opaque = samples * (SAMPLE + covered(scene)) + length * SPHERE_WORK;
        if !has_translucent(scene) {
            return opaque;
        }
        let [of_sample, of_thread] = trace::TRANSLUCENT_BYTES;
        opaque.saturating_add(samples * of_sample + of_thread + length * TRANSLUCENT_SPHERE)
    }

    /// Pixels of a tile with the margin for outlines, padded for the last group of lanes.
    fn pixels_with_margin(&self, scene: &SphereScene<'_>) -> u64 {
        let margin = 16 + 2 * u64::from(trace::margin(&scene.shading, &scene.view));
        let side = |length: u32| u64::from(length.min(self.tile)) + margin;
        side(scene.view.width) * side(scene.view.height)
    }

    fn tiles(&self, width: u32, height: u32) -> u64 {
        u64::from(width.div_ceil(self.tile)) * u64::from(height.div_ceil(self.tile))
    }

    /// The frame, and its tiles.
    fn frame(&self, width: u32, height: u32) -> u64 {
        let rows = height.min(self.rows);
        let pixels = u64::from(width).saturating_mul(u64::from(rows));
        let tile = TILE + TILE_ROW * u64::from(self.tile);
        pixels.saturating_mul(PIXEL).saturating_add(self.tiles(width, rows).saturating_mul(tile))
    }
}

/// The spheres and other shapes of a scene with their poses, the runs of spheres during binning, and copies of the
/// spheres that clip planes leave.
fn primitives(scene: &SphereScene<'_>, shapes: u64) -> u64 {
    let own = scene.groups.iter().map(|group| {
        let shapes = group.spheres.slice().size() as u64 + size_of_val(&group.parts[..]) as u64;
        let shapes = shapes + size_of_val(&group.gloss[..]) as u64;
        shapes + group.poses.len() as u64 * size_of::<Pose>() as u64
    });
    let runs = scene.groups.iter().map(|group| {
        let each = 1 + group.spheres.len() as u64 / sphere_bins::chunk_length(0) as u64;
        group.poses.len() as u64 * each * RUN
    });
    let copies: u64 = scene.groups.iter().map(|group| group.poses.len() as u64).sum();
    let kept = shapes.saturating_mul(SPHERE_KEPT).saturating_add(copies.saturating_mul(GROUP_KEPT));
    let kept = if scene.is_cut() { kept } else { 0 };
    // shapes other than spheres, their entries in the tiles' lists, and their hierarchy
    let others = scene.shapes.count().saturating_mul(SHAPE);
    [own.sum(), runs.sum(), kept, others].into_iter().fold(0, u64::saturating_add)
}

/// The number of lights with hard shadows.
fn hard_lights(scene: &SphereScene<'_>) -> u64 {
    scene.shadow_angles().filter(|&angle| angle <= 0.0).count() as u64
}

/// Bytes per sample for the coverage by outlines; 0 without outlines.
fn covered(scene: &SphereScene<'_>) -> u64 {
    if trace::margin(&scene.shading, &scene.view) > 0 { SAMPLE_COVERED } else { 0 }
}

/// Whether a scene has translucent shapes, from a sample of large groups.
fn has_translucent(scene: &SphereScene<'_>) -> bool {
    let has_sphere = scene.groups.iter().any(|group| {
        let spheres = group.spheres.slice();
        let count = group.spheres.len();
        (0..count).step_by((count / OPACITY_SAMPLES).max(1)).any(|index| spheres.color(index).a < u8::MAX)
    });
    has_sphere || PlacedShapes::new(&scene.shapes, [0.0; 3], 0).only(Opacity::Translucent).has_some(OPACITY_SAMPLES)
}

/// Shapes of a scene, copies counted.
fn shapes(scene: &Scene<'_>) -> u64 {
    let count = |count: usize| count as u64;
    match scene {
        Scene::Circles(scene) => scene.layers.iter().map(|layer| count(layer.len())).sum(),
        Scene::Spheres(scene) => scene
            .groups
            .iter()
            .fold(0, |sum: u64, group| {
                sum.saturating_add(count(group.spheres.len()).saturating_mul(count(group.poses.len())))
            })
            .saturating_add(scene.shapes.count()),
    }
}

/// The sum of `tiles` over all shapes, estimated from a sample for very many shapes.
fn estimated_sum<T: Sync>(shapes: &[T], tiles: impl Fn(&T) -> u64 + Sync) -> u64 {
    let sampled = if shapes.len() <= ALL_COUNTED { SAMPLE_GROUP } else { SAMPLED };
    let sum = |group: &[T]| {
        let part = &group[..group.len().min(sampled)];
        let found = part.iter().map(&tiles).sum::<u64>();
        found * (group.len() / part.len()) as u64
    };
    shapes.par_chunks(SAMPLE_GROUP).map(sum).reduce(|| 0, u64::saturating_add)
}
