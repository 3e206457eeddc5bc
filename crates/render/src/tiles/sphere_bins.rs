//! Bins primitives in front of a camera: instances in, a list of indices with least depths per tile out.
//!
//! Each chunk of instances is projected in lanes and has a counting sort of its own, so that threads share nothing. A
//! sphere that covers many tiles is listed once on a coarser level of a grid pyramid (cells of four times the side, and
//! so on up to the whole picture) instead of once per tile: no sphere takes more than a few entries, however large. An
//! entry is 8 bytes: the sphere's index and the least depth of a hit.
#![expect(
    clippy::cast_possible_truncation,
    reason = "canvas positions are clamped to the picture, at most 2^30, before they are truncated"
)]

use std::ops::Range;

use fearless_simd::{Level, dispatch, prelude::*};
use rayon::prelude::*;

use super::counting_sort::sort_by_tile;
use super::shape_bounds::Projected;
use super::sphere_projector::SphereProjector;
use crate::geom::Sphere;
use crate::lanes::{LANES, Sphere8};
use crate::scene::spheres::Pose;
use crate::scene::{InstanceRun, Placeable, PlacedList, RowBuffer, SphereInstances};

#[derive(Clone, Copy, Debug)]
pub(crate) struct SphereEntry {
    /// Index among all instances.
    pub index: u32,
    /// The least depth of a hit.
    pub near: f32,
}

/// The primitives of one kind that each tile has to test.
#[derive(Debug, Default)]
pub(crate) struct SphereBins {
    levels: Vec<GridLevel>,
    chunks: Vec<ChunkBins>,
    /// Padding around the picture that tiles cover, too, in pixels: a multiple of a tile's side.
    border: u32,
    /// Spheres that reach the picture.
    pub visible: u64,
    /// Entries in all lists.
    pub binned: u64,
    /// For spheres: whether all are opaque, including those outside the picture.
    pub is_opaque: bool,
    /// For other shapes: whether none was left out for its opacity.
    pub has_all: bool,
}

/// A grid of square cells over the picture; each level is coarser than the one before, the last has a single cell.
#[derive(Clone, Copy, Debug)]
struct GridLevel {
    /// Size of the picture.
    width: u32,
    height: u32,
    /// Side of a cell in pixels, and 2⁶⁴ divided by it, rounded up.
    side: u32,
    inverse: u64,
    columns: u32,
    /// Number of cells of all finer levels.
    first_cell: u32,
}

/// The lists of one chunk of instances: cell `c` has `entries[starts[c]..starts[c + 1]]`.
#[derive(Debug, Default)]
struct ChunkBins {
    starts: Vec<u32>,
    entries: Vec<SphereEntry>,
    visible: u64,
    visited: u64,
    /// Bitwise AND of the alphas of all spheres.
    alpha: u8,
}

/// Half-open ranges of pixels that a sphere can touch, as `f32`.
#[derive(Clone, Copy)]
struct PixelRange {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

/// tuned: benches/spheres.rs S1. A sphere smaller than this share of a tile crosses a corner so seldom that four
/// entries cost less than a coarser level.
const SMALL: f32 = 0.125;

/// tuned: benches/spheres.rs S1. Ratio of the sides of cells on adjacent levels.
const STEP: u32 = 4;

/// tuned: benches/spheres.rs S1 and S4. Instances per chunk: large enough that a tile's lists are worth visiting, small
/// enough to balance threads.
pub(crate) fn chunk_length(instances: u64) -> usize {
    (instances / 32).clamp(1 << 12, 1 << 18) as usize
}

impl SphereBins {
    /// Bins all instances into tiles of this side, replacing the old lists; reuses the memory. A tile's list includes
    /// the spheres within `margin` pixels of the tile; tiles cover at least `around` pixels around the picture.
    pub(crate) fn fill(
        &mut self,
        level: Level,
        instances: &SphereInstances<'_>,
        projector: &SphereProjector,
        tile: u32,
        [margin, around]: [u32; 2],
    ) {
        let border = around.next_multiple_of(tile);
        let levels = GridLevel::pyramid(projector.size().map(|side| side.saturating_add(2 * border)), tile);
        let length = chunk_length(instances.count);
        let runs = instances.chunks(length);
        self.chunks.resize_with(runs.len(), ChunkBins::default);
        self.chunks.par_iter_mut().zip(&runs).for_each_init(
            || Vec::with_capacity(length + length / 4),
            |pairs, (chunk, runs)| {
                pairs.clear();
                let find = SphereListing { instances, projector, levels: &levels, border, margin };
                (chunk.visible, chunk.alpha) = dispatch!(level, simd => find.pairs(simd, runs, pairs));
                sort_by_tile(pairs, GridLevel::cells(&levels), &mut chunk.starts, &mut chunk.entries);
            },
        );
        self.is_opaque = self.chunks.iter().all(|bins| bins.alpha == u8::MAX);
        self.finish(levels, border);
    }

    /// Bins all shapes of one kind other than spheres, as [`SphereBins::fill`] bins spheres. Entries hold indices into
    /// `list`.
    pub(crate) fn of_shapes<T: Placeable<Solid: Projected>>(
        level: Level,
        list: &PlacedList<'_, T>,
        projector: &SphereProjector,
        tile: u32,
        [margin, around]: [u32; 2],
    ) -> Self {
        let border = around.next_multiple_of(tile);
        let levels = GridLevel::pyramid(projector.size().map(|side| side.saturating_add(2 * border)), tile);
        let length = chunk_length(u64::from(list.count)) as u32;
        let starts: Vec<u32> = (0..list.count).step_by(length as usize).collect();
        let find = ShapeListing { projector, levels: &levels, border: border as f32, margin: margin as f32 };
        let fill = |pairs: &mut Vec<(u32, SphereEntry)>, &start: &u32| {
            pairs.clear();
            let mut chunk = ChunkBins::default();
            let numbers = start..list.count.min(start.saturating_add(length));
            [chunk.visible, chunk.visited] = dispatch!(level, simd => find.pairs(simd, list, numbers, pairs));
            sort_by_tile(pairs, GridLevel::cells(&levels), &mut chunk.starts, &mut chunk.entries);
            chunk
        };
        let chunks: Vec<ChunkBins> = starts.par_iter().map_init(Vec::new, fill).collect();
        let visited: u64 = chunks.iter().map(|bins| bins.visited).sum();
        let mut bins = Self { chunks, has_all: visited == u64::from(list.count), ..Self::default() };
        bins.finish(levels, border);
        bins
    }

    fn finish(&mut self, levels: Vec<GridLevel>, border: u32) {
        self.visible = self.chunks.iter().map(|bins| bins.visible).sum();
        self.binned = self.chunks.iter().map(|bins| bins.entries.len() as u64).sum();
        (self.levels, self.border) = (levels, border);
    }

    /// The non-empty lists for the tile that contains a pixel.
    pub(crate) fn lists(&self, x: i32, y: i32) -> Vec<&[SphereEntry]> {
        let [x, y] = [x, y].map(|place| place.saturating_add_unsigned(self.border).max(0).cast_unsigned());
        let cells = self.levels.iter().map(|level| level.cell(x, y) as usize);
        let lists = cells.flat_map(|cell| self.chunks.iter().map(move |bins| bins.list(cell)));
        lists.filter(|list| !list.is_empty()).collect()
    }
}

impl GridLevel {
    fn pyramid([width, height]: [u32; 2], tile: u32) -> Vec<Self> {
        let mut levels: Vec<Self> = Vec::new();
        let (mut side, mut first_cell) = (tile, 0);
        loop {
            let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
            levels.push(Self { width, height, side, inverse: u64::MAX / u64::from(side) + 1, columns, first_cell });
            first_cell += columns * rows;
            if columns * rows == 1 {
                return levels;
            }
            side = side.saturating_mul(STEP);
        }
    }

    /// Pixels divided by the side of a cell, rounded down, without a division; exact for all 32-bit numbers.
    ///
    /// Source: D. Lemire, O. Kaser, N. Kurz, "Faster remainder by direct computation", *Software: Practice and
    /// Experience* 49(6), 2019.
    #[inline(always)]
    fn over_side(&self, pixels: u32) -> u32 {
        ((u128::from(pixels) * u128::from(self.inverse)) >> 64) as u32
    }

    fn cell(&self, x: u32, y: u32) -> u32 {
        self.first_cell + y / self.side * self.columns + x / self.side
    }

    /// Number of cells of all levels.
    fn cells(levels: &[Self]) -> usize {
        // the coarsest level has one cell
        levels.last().map_or(0, |level| level.first_cell as usize + 1)
    }
}

struct SphereListing<'a> {
    instances: &'a SphereInstances<'a>,
    projector: &'a SphereProjector,
    levels: &'a [GridLevel],
    /// Pixels around the picture, and around each tile.
    border: u32,
    margin: u32,
}

impl SphereListing<'_> {
    /// Appends a (cell, entry) pair for each cell that lists a sphere of `runs`; returns the number of visible spheres
    /// and the bitwise AND of all alphas.
    #[inline(always)]
    fn pairs<S: Simd>(&self, simd: S, runs: &[InstanceRun<'_>], pairs: &mut Vec<(u32, SphereEntry)>) -> (u64, u8) {
        let (border, margin) = (self.border as f32, self.margin as f32);
        let (mut visible, mut alpha) = (0, u8::MAX);
        let mut group = Sphere8::EMPTY;
        let mut buffer = RowBuffer::EMPTY;
        for &(mut run) in runs {
            if run.has_arrays() {
                alpha &= run.alphas()[0];
            }
            while let Some((start, rows)) = run.take_rows(&mut buffer) {
                for (spheres, start) in rows.chunks(LANES).zip((start..).step_by(LANES)) {
                    for (lane, sphere) in spheres.iter().enumerate() {
                        let Sphere { center, radius } = self.instances.place(sphere, run.pose);
                        group.set(lane, center, radius);
                        alpha &= sphere.color.a;
                    }
                    let bounds = self.projector.bounds(simd, &group);
                    // a sphere in the margin of a tile is listed there, too
                    let outset = |ends: [f32; LANES], by: f32| ends.map(|end| (end + by) + border);
                    let (lefts, rights) = (outset(bounds.left, -margin), outset(bounds.right, margin));
                    let (tops, bottoms) = (outset(bounds.top, -margin), outset(bounds.bottom, margin));
                    for lane in 0..spheres.len() {
                        if bounds.left[lane] < bounds.right[lane] && bounds.top[lane] < bounds.bottom[lane] {
                            visible += 1;
                            let entry = SphereEntry { index: start + lane as u32, near: bounds.near[lane] };
                            let (left, right) = (lefts[lane], rights[lane]);
                            let (top, bottom) = (tops[lane], bottoms[lane]);
                            push(self.levels, PixelRange { left, top, right, bottom }, entry, pairs);
                        }
                    }
                }
            }
        }
        (visible, alpha)
    }
}

struct ShapeListing<'a> {
    projector: &'a SphereProjector,
    levels: &'a [GridLevel],
    border: f32,
    margin: f32,
}

impl ShapeListing<'_> {
    /// Appends a (cell, entry) pair for each cell that lists a shape; returns the numbers of visible and of visited
    /// shapes.
    #[inline(always)]
    fn pairs<S: Simd, T: Placeable<Solid: Projected>>(
        &self,
        simd: S,
        list: &PlacedList<'_, T>,
        numbers: Range<u32>,
        pairs: &mut Vec<(u32, SphereEntry)>,
    ) -> [u64; 2] {
        let [mut visible, mut visited] = [0; 2];
        let mut group = Vec::with_capacity(LANES);
        list.for_each_posed(
            numbers,
            #[inline(always)]
            |number, shape, pose| {
                visited += 1;
                group.push((number, shape, pose));
                if group.len() == LANES {
                    visible += self.list_group(simd, list, &group, pairs);
                    group.clear();
                }
            },
        );
        if !group.is_empty() {
            visible += self.list_group(simd, list, &group, pairs);
        }
        [visible, visited]
    }

    /// Lists at most eight shapes; returns the number of visible ones.
    #[inline(always)]
    fn list_group<S: Simd, T: Placeable<Solid: Projected>>(
        &self,
        simd: S,
        list: &PlacedList<'_, T>,
        group: &[(u32, &T, &Pose)],
        pairs: &mut Vec<(u32, SphereEntry)>,
    ) -> u64 {
        let mut visible = 0;
        let solids = list.solids(simd, group.len(), |at| (group[at].1, group[at].2));
        let bounds = T::Solid::bounds8(simd, self.projector, &solids[..group.len()]);
        for (lane, &(index, ..)) in group.iter().enumerate() {
            if bounds.left[lane] < bounds.right[lane] && bounds.top[lane] < bounds.bottom[lane] {
                visible += 1;
                let (low, high) = (self.border - self.margin, self.border + self.margin);
                let (left, right) = (bounds.left[lane] + low, bounds.right[lane] + high);
                let (top, bottom) = (bounds.top[lane] + low, bounds.bottom[lane] + high);
                let entry = SphereEntry { index, near: bounds.near[lane] };
                push(self.levels, PixelRange { left, top, right, bottom }, entry, pairs);
            }
        }
        visible
    }
}

/// Lists one primitive on the finest level where it needs few entries.
#[inline(always)]
fn push(levels: &[GridLevel], pixels: PixelRange, entry: SphereEntry, pairs: &mut Vec<(u32, SphereEntry)>) {
    let finest = levels[0];
    let PixelRange { left, top, right, bottom } = pixels;
    // casts take negative numbers to 0; `f32` rounds pictures wider than 2²⁴ pixels
    let (last_x, last_y) = ((right as u32).min(finest.width) - 1, (bottom as u32).min(finest.height) - 1);
    let (left, top) = ((left as u32).min(last_x), (top as u32).min(last_y));
    let is_small = (last_x - left).max(last_y - top) as f32 <= SMALL * finest.side as f32;
    let (mut x0, mut x1) = (finest.over_side(left), finest.over_side(last_x));
    let (mut y0, mut y1) = (finest.over_side(top), finest.over_side(last_y));
    for level in levels {
        let cells = u64::from(x1 - x0 + 1) * u64::from(y1 - y0 + 1);
        if cells <= 2 || (is_small && cells <= 4) {
            for y in y0..=y1 {
                for x in x0..=x1 {
                    pairs.push((level.first_cell + y * level.columns + x, entry));
                }
            }
            return;
        }
        (x0, x1, y0, y1) = (x0 / STEP, x1 / STEP, y0 / STEP, y1 / STEP);
    }
}

impl ChunkBins {
    fn list(&self, cell: usize) -> &[SphereEntry] {
        &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}
