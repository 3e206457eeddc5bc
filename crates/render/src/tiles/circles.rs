//! Bins circles and ellipses: layers of shapes in, a list of entries per tile out, in painter's order.
//!
//! Chunks of shapes are binned in parallel, each into lists of its own, so that threads share nothing and the order is
//! kept. A shape whose bounding box touches several tiles is tested against each (box–circle tests): tiles that it
//! misses, or that lie in its hole, do not list it, and entries of tiles that it covers wholly are marked.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "tiles of a frame; float casts saturate")]

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16, i32x16, mask32x16};
use rayon::prelude::*;

use super::counting_sort::sort_by_tile;
use super::segments::{self, SegmentExtent};
use crate::lanes::next_lane;

/// Maximum size of a chunk: its tile counts and indices stay in the L2 cache.
///
/// Tuned: benches/circles.rs W1, W5.
pub(crate) const CHUNK: usize = 1 << 16;

/// Minimum size of a chunk: fewer shapes are not worth a list per tile.
const MIN_CHUNK: usize = 256;

/// Minimum number of chunks per layer, to balance threads, unless they would be smaller than [`MIN_CHUNK`].
const MIN_CHUNKS: usize = 16;

#[derive(Clone, Copy, Debug)]
pub(crate) struct TileGrid {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tile: u32,
    pub(super) columns: u32,
    rows: u32,
}

impl TileGrid {
    pub(crate) fn new(width: u32, height: u32, tile: u32) -> Self {
        Self { width, height, tile, columns: width.div_ceil(tile), rows: height.div_ceil(tile) }
    }

    fn count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }
}

/// The region that a shape may paint: an ellipse without its hole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) center: [f32; 2],
    /// Pixels; positive and finite, or NaN when the shape paints nothing.
    pub(crate) radii: [f32; 2],
    /// Radii of the hole, smaller and positive.
    pub(crate) hole: Option<[f32; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CircleEntry(u32);

impl CircleEntry {
    const COVERS_TILE: u32 = 1 << 31;

    /// An entry for a shape that may cover only part of the tile, by its index in the chunk.
    #[inline(always)]
    pub(crate) fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// Index of the shape in its chunk.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        (self.0 & !Self::COVERS_TILE) as usize
    }

    /// Whether the shape covers all of the tile.
    #[inline(always)]
    pub(crate) fn covers_tile(self) -> bool {
        self.0 & Self::COVERS_TILE != 0
    }
}

/// A chunk of shapes, sorted by tile.
#[derive(Debug, Default)]
pub(crate) struct BinnedChunk {
    /// Start of each tile's entries, and the end of the last.
    starts: Vec<u32>,
    entries: Vec<CircleEntry>,
    /// Index of the chunk's first shape.
    pub(crate) first: usize,
    /// Shapes that reach the canvas.
    visible: u64,
}

impl BinnedChunk {
    /// The entries of a tile, in painter's order.
    #[inline(always)]
    pub(crate) fn tile(&self, tile: usize) -> &[CircleEntry] {
        &self.entries[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

/// The tile lists of all layers; keeps its memory from picture to picture.
#[derive(Debug, Default)]
pub(crate) struct CircleBins {
    layers: Vec<Vec<BinnedChunk>>,
}

impl CircleBins {
    /// Clears all lists and resizes to `layers` layers.
    pub(crate) fn clear(&mut self, layers: usize) {
        self.layers.resize_with(layers, Vec::new);
        for layer in &mut self.layers {
            for chunk in layer {
                chunk.entries.clear();
                chunk.visible = 0;
            }
        }
    }

    /// A layer's chunks, in painter's order.
    pub(crate) fn layer(&self, layer: usize) -> &[BinnedChunk] {
        &self.layers[layer]
    }

    /// Number of shapes that reach the canvas.
    pub(crate) fn visible(&self) -> u64 {
        self.layers.iter().flatten().map(|chunk| chunk.visible).sum()
    }

    pub(crate) fn entries(&self) -> u64 {
        self.layers.iter().flatten().map(|chunk| chunk.entries.len() as u64).sum()
    }

    /// Sorts a layer's shapes by tile.
    pub(crate) fn fill<T: Sync>(
        &mut self,
        level: Level,
        layer: usize,
        shapes: &[T],
        grid: TileGrid,
        extent: impl Fn(&T) -> Extent + Sync,
    ) {
        self.fill_chunks(
            layer,
            shapes,
            grid,
            |pairs, shapes| dispatch!(level, simd => pairs.find(simd, shapes, &grid, &extent)),
        );
    }

    /// Sorts a layer's line segments by tile.
    pub(crate) fn fill_segments<T: Sync>(
        &mut self,
        layer: usize,
        shapes: &[T],
        grid: TileGrid,
        extent: impl Fn(&T) -> SegmentExtent + Sync,
    ) {
        self.fill_chunks(layer, shapes, grid, |pairs, shapes| pairs.find_segments(shapes, &grid, &extent));
    }

    /// Sorts a layer's shapes by tile, chunk by chunk. `find` appends the pairs of a chunk's shapes and returns the
    /// number of visible shapes.
    fn fill_chunks<T: Sync>(
        &mut self,
        layer: usize,
        shapes: &[T],
        grid: TileGrid,
        find: impl Fn(&mut TilePairs, &[T]) -> u64 + Sync,
    ) {
        let size = (shapes.len() / MIN_CHUNKS).clamp(MIN_CHUNK, CHUNK);
        let chunks = &mut self.layers[layer];
        chunks.resize_with(shapes.len().div_ceil(size), BinnedChunk::default);
        let chunks = chunks.par_iter_mut().zip(shapes.par_chunks(size)).enumerate();
        chunks.for_each_init(TilePairs::default, |pairs, (index, (chunk, shapes))| {
            pairs.0.clear();
            (chunk.first, chunk.visible) = (index * size, find(pairs, shapes));
            sort_by_tile(&pairs.0, grid.count(), &mut chunk.starts, &mut chunk.entries);
        });
    }
}

/// (tile, entry) pairs of a chunk, in painter's order; a thread keeps their memory from chunk to chunk.
#[derive(Default)]
struct TilePairs(Vec<(u32, CircleEntry)>);

/// Instead of a tile index: the bounding box touches several tiles, or none.
const SEVERAL: i32 = -1;

/// Bounding boxes stored before the first is loaded: a vector load right after scalar stores would stall.
///
/// Tuned: benches/circles.rs W1.
const GATHERED: usize = 256;

impl TilePairs {
    /// Appends the pairs of some shapes; returns the number of shapes that reach the canvas.
    #[inline(always)]
    fn find<S: Simd, T>(&mut self, simd: S, shapes: &[T], grid: &TileGrid, extent: &impl Fn(&T) -> Extent) -> u64 {
        let mut visible = 0;
        let mut boxes = BoundingBoxes { center: [[0.0; GATHERED]; 2], radii: [[0.0; GATHERED]; 2] };
        for (group, shapes) in shapes.chunks(GATHERED).enumerate() {
            for (lane, shape) in shapes.iter().enumerate() {
                let Extent { center, radii, .. } = extent(shape);
                (boxes.center[0][lane], boxes.center[1][lane]) = (center[0], center[1]);
                (boxes.radii[0][lane], boxes.radii[1][lane]) = (radii[0], radii[1]);
            }
            for first in (0..shapes.len()).step_by(16) {
                let (mut reaching, tiles) = boxes.tiles(simd, first, grid);
                // the last group may be short
                reaching &= u64::MAX >> (64 - (shapes.len() - first).min(16));
                while let Some(lane) = next_lane(&mut reaching) {
                    let index = (group * GATHERED + first + lane) as u32;
                    if tiles[lane] != SEVERAL {
                        self.0.push((tiles[lane] as u32, CircleEntry(index)));
                        visible += 1;
                        continue;
                    }
                    let before = self.0.len();
                    for_each_tile(&extent(&shapes[first + lane]), grid, |tile, covers| {
                        let mark = if covers { CircleEntry::COVERS_TILE } else { 0 };
                        self.0.push((tile as u32, CircleEntry(index | mark)));
                    });
                    visible += u64::from(self.0.len() > before);
                }
            }
        }
        visible
    }

    /// The same for line segments.
    fn find_segments<T>(&mut self, shapes: &[T], grid: &TileGrid, extent: &impl Fn(&T) -> SegmentExtent) -> u64 {
        let mut visible = 0;
        for (index, shape) in shapes.iter().enumerate() {
            let before = self.0.len();
            segments::for_each_tile(&extent(shape), grid, |tile| self.0.push((tile, CircleEntry::new(index))));
            visible += u64::from(self.0.len() > before);
        }
        visible
    }
}

/// The bounding boxes of some shapes, a lane each: sixteen lie in one cache line.
#[repr(align(64))]
struct BoundingBoxes {
    center: [[f32; GATHERED]; 2],
    radii: [[f32; GATHERED]; 2],
}

impl BoundingBoxes {
    /// For sixteen boxes: a mask of the boxes that reach the canvas, and for these the only tile that they touch, or
    /// [`SEVERAL`].
    #[inline(always)]
    fn tiles<S: Simd>(&self, simd: S, start: usize, grid: &TileGrid) -> (u64, [i32; 16]) {
        let tile = 1.0 / grid.tile as f32;
        let across = TileRange::new(simd, &self.center[0], &self.radii[0], start, grid.width, tile);
        let down = TileRange::new(simd, &self.center[1], &self.radii[1], start, grid.height, tile);
        let (last_column, last_row) = (across.last.min(grid.columns as i32 - 1), down.last.min(grid.rows as i32 - 1));
        let is_single = across.first.simd_eq(last_column) & down.first.simd_eq(last_row);
        let tile = down.first * grid.columns as i32 + across.first;
        let tile = is_single.select(tile, i32x16::splat(simd, SEVERAL));
        ((across.reaches & down.reaches).to_bitmask(), tile.to_array())
    }
}

/// Sixteen boxes along one axis: whether they reach the canvas, and the first and last tile that they touch.
struct TileRange<S: Simd> {
    reaches: mask32x16<S>,
    first: i32x16<S>,
    last: i32x16<S>,
}

impl<S: Simd> TileRange<S> {
    /// `tile` is the reciprocal of a tile's side.
    #[inline(always)]
    fn new(simd: S, center: &[f32], radius: &[f32], start: usize, length: u32, tile: f32) -> Self {
        // both ends move out by more than two roundings, so that rounding puts neither on the wrong side of a tile's
        // edge
        const OUT: f32 = 4.0 * f32::EPSILON;
        let center = f32x16::from_slice(simd, &center[start..start + 16]);
        let radius = f32x16::from_slice(simd, &radius[start..start + 16]);
        let (start, end, length) = (center - radius, center + radius, length as f32);
        Self {
            // sums are not rounded to 0, nor past a whole number; comparisons with NaN are false
            reaches: end.simd_gt(0.0) & start.simd_le(length),
            first: (start.max(0.0) * (tile * (1.0 - OUT))).to_int(),
            last: (end.min(length) * (tile * (1.0 + OUT))).to_int(),
        }
    }
}

/// Calls `found` with each tile that the shape may touch, and whether it covers all of it.
#[inline(always)]
fn for_each_tile(extent: &Extent, grid: &TileGrid, mut found: impl FnMut(usize, bool)) {
    let range = |axis: usize, length: u32| {
        let (center, radius) = (f64::from(extent.center[axis]), f64::from(extent.radii[axis]));
        // casts saturate: beyond the canvas the range is empty
        let first = ((center - radius).floor() as i32).clamp(0, length as i32);
        let end = ((center + radius).ceil() as i32).clamp(0, length as i32);
        (first as u32, end as u32)
    };
    let (left, right) = range(0, grid.width);
    let (top, bottom) = range(1, grid.height);
    if left >= right || top >= bottom {
        return;
    }
    let test = TileTest::new(extent);
    for row in top / grid.tile..=(bottom - 1) / grid.tile {
        for column in left / grid.tile..=(right - 1) / grid.tile {
            let min = [(column * grid.tile) as f32, (row * grid.tile) as f32];
            match test.coverage(min, [min[0] + grid.tile as f32, min[1] + grid.tile as f32]) {
                TileCoverage::None => {}
                TileCoverage::Partial => found((row * grid.columns + column) as usize, false),
                TileCoverage::Full => found((row * grid.columns + column) as usize, true),
            }
        }
    }
}

/// How much of a tile a shape covers.
enum TileCoverage {
    None,
    Partial,
    Full,
}

/// A shape's box–ellipse tests, in units of its radii.
struct TileTest {
    center: [f32; 2],
    /// Reciprocals of the radii.
    inverse: [f32; 2],
    /// Reciprocals of the hole's radii.
    hole: Option<[f32; 2]>,
}

/// Slack of the tests: more than their rounding, so that they err towards [`TileCoverage::Partial`], which is always
/// right.
///
/// Bound: `bytes_do_not_depend_on_threads_tiles_culling_or_lanes`.
const SLACK: f32 = 1e-5;

impl TileTest {
    #[inline(always)]
    fn new(extent: &Extent) -> Self {
        let inverse = |radii: [f32; 2]| radii.map(|radius| 1.0 / radius);
        Self { center: extent.center, inverse: inverse(extent.radii), hole: extent.hole.map(inverse) }
    }

    #[inline(always)]
    fn coverage(&self, min: [f32; 2], max: [f32; 2]) -> TileCoverage {
        let mut nearest = 0.0;
        let mut offset = [0.0f32; 2];
        for axis in 0..2 {
            let (before, behind) = (min[axis] - self.center[axis], self.center[axis] - max[axis]);
            let gap = before.max(behind).max(0.0) * self.inverse[axis];
            nearest += gap * gap;
            offset[axis] = before.abs().max(behind.abs());
        }
        let farthest = |inverse: [f32; 2]| {
            let [x, y] = [offset[0] * inverse[0], offset[1] * inverse[1]];
            x * x + y * y
        };
        match self.hole {
            _ if nearest > 1.0 + SLACK => TileCoverage::None,
            Some(hole) if farthest(hole) < 1.0 - SLACK => TileCoverage::None,
            None if farthest(self.inverse) < 1.0 - SLACK => TileCoverage::Full,
            _ => TileCoverage::Partial,
        }
    }
}
