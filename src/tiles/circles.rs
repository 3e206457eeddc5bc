//! Circles and ellipses by viewport tile.
//!
//! Shapes are taken in chunks, each sorted by tile on its own, so that threads share nothing and order is kept. A shape
//! that reaches several tiles is held against each by the box–circle tests: tiles that it misses (or that lie in a ring's
//! hole) are left out, tiles that it covers wholly are told from those on its rim.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "tiles of a frame; float casts saturate")]

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16, i32x16, mask32x16};
use rayon::prelude::*;

/// Shapes in a chunk: their tile counts and indices stay in the second-level cache.
pub(crate) const CHUNK: usize = 1 << 16;

/// Shapes in a chunk of a scene of few: less is not worth a list of all tiles.
const SMALLEST_CHUNK: usize = 256;

/// Chunks that a scene of few shapes is cut into, to share among threads.
const FEWEST_CHUNKS: usize = 16;

/// The grid of tiles over a canvas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    width: u32,
    height: u32,
    tile: u32,
    columns: u32,
    rows: u32,
}

impl Grid {
    pub(crate) fn new(width: u32, height: u32, tile: u32) -> Self {
        Self { width, height, tile, columns: width.div_ceil(tile), rows: height.div_ceil(tile) }
    }

    pub(crate) fn count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }
}

/// What binning looks at: an ellipse's box and its hole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) center: [f32; 2],
    /// Pixels; positive and finite, or not numbers when the shape paints nothing.
    pub(crate) outer: [f32; 2],
    /// The radii of the hole; smaller and positive.
    pub(crate) inner: Option<[f32; 2]>,
}

/// One shape in one tile's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry(u32);

impl Entry {
    const WHOLE: u32 = 1 << 31;

    /// The shape, counted from the start of its chunk.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        (self.0 & !Self::WHOLE) as usize
    }

    /// Whether the shape covers all of the tile.
    #[inline(always)]
    pub(crate) fn is_whole(self) -> bool {
        self.0 & Self::WHOLE != 0
    }
}

/// A chunk of shapes, sorted by tile.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    /// Where each tile's entries start; one more than there are tiles.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// The chunk's first shape.
    pub(crate) first: usize,
    /// Shapes that reach the canvas.
    pub(crate) visible: u64,
}

impl Chunk {
    /// The entries of a tile, in painter's order.
    #[inline(always)]
    pub(crate) fn tile(&self, tile: usize) -> &[Entry] {
        &self.entries[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

/// The lists of every layer's shapes; keeps its memory from picture to picture.
#[derive(Debug, Default)]
pub(crate) struct Bins {
    layers: Vec<Vec<Chunk>>,
}

impl Bins {
    /// Forgets all lists, and makes room for those of some layers.
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
    pub(crate) fn layer(&self, layer: usize) -> &[Chunk] {
        &self.layers[layer]
    }

    /// Shapes that reach the canvas.
    pub(crate) fn visible(&self) -> u64 {
        self.layers.iter().flatten().map(|chunk| chunk.visible).sum()
    }

    /// Shape–tile pairs.
    pub(crate) fn pairs(&self) -> u64 {
        self.layers.iter().flatten().map(|chunk| chunk.entries.len() as u64).sum()
    }

    /// Sorts a layer's shapes by tile. `extent` gives a shape's reach.
    pub(crate) fn fill<T: Sync>(
        &mut self,
        level: Level,
        layer: usize,
        shapes: &[T],
        grid: Grid,
        extent: impl Fn(&T) -> Extent + Sync,
    ) {
        let size = (shapes.len() / FEWEST_CHUNKS).clamp(SMALLEST_CHUNK, CHUNK);
        let chunks = &mut self.layers[layer];
        chunks.resize_with(shapes.len().div_ceil(size), Chunk::default);
        let chunks = chunks.par_iter_mut().zip(shapes.par_chunks(size)).enumerate();
        chunks.for_each_init(Pairs::default, |pairs, (index, (chunk, shapes))| {
            chunk.first = index * size;
            dispatch!(level, simd => chunk.fill(simd, pairs, shapes, &grid, &extent));
        });
    }
}

/// Shape–tile pairs of a chunk in painter's order: what a thread keeps from chunk to chunk.
#[derive(Default)]
struct Pairs(Vec<(u32, Entry)>);

/// A shape that reaches several tiles, or none after all.
const SEVERAL: i32 = -1;

/// Shapes whose boxes are gathered before any is looked at: a lane's load must not wait for stores under way.
const GATHERED: usize = 256;

impl Chunk {
    /// Lists the shapes by tile: pairs those that reach the canvas with their tiles, and deals the pairs out.
    #[inline(always)]
    fn fill<S: Simd, T>(
        &mut self,
        simd: S,
        pairs: &mut Pairs,
        shapes: &[T],
        grid: &Grid,
        extent: &impl Fn(&T) -> Extent,
    ) {
        self.visible = pairs.find(simd, shapes, grid, extent);
        self.starts.clear();
        self.starts.resize(grid.count() + 1, 0);
        for &(tile, _) in &pairs.0 {
            self.starts[tile as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.entries.resize(total as usize, Entry(0));
        // from the last pair to the first, each list from its end: the ends come down to the starts
        for &(tile, entry) in pairs.0.iter().rev() {
            let start = &mut self.starts[tile as usize];
            *start -= 1;
            self.entries[*start as usize] = entry;
        }
    }
}

impl Pairs {
    /// Pairs the shapes that reach the canvas with the tiles that they reach; answers how many shapes do.
    #[inline(always)]
    fn find<S: Simd, T>(&mut self, simd: S, shapes: &[T], grid: &Grid, extent: &impl Fn(&T) -> Extent) -> u64 {
        self.0.clear();
        let mut visible = 0;
        let mut boxes = Boxes { center: [[0.0; GATHERED]; 2], radii: [[0.0; GATHERED]; 2] };
        for (group, shapes) in shapes.chunks(GATHERED).enumerate() {
            for (lane, shape) in shapes.iter().enumerate() {
                let Extent { center, outer, .. } = extent(shape);
                (boxes.center[0][lane], boxes.center[1][lane]) = (center[0], center[1]);
                (boxes.radii[0][lane], boxes.radii[1][lane]) = (outer[0], outer[1]);
            }
            for first in (0..shapes.len()).step_by(16) {
                let (mut reach, tiles) = boxes.tiles(simd, first, grid);
                // the last group may be short
                reach &= u64::MAX >> (64 - (shapes.len() - first).min(16));
                while reach != 0 {
                    let lane = reach.trailing_zeros() as usize;
                    reach &= reach - 1;
                    let index = (group * GATHERED + first + lane) as u32;
                    if tiles[lane] != SEVERAL {
                        self.0.push((tiles[lane] as u32, Entry(index)));
                        visible += 1;
                        continue;
                    }
                    let before = self.0.len();
                    each_tile(&extent(&shapes[first + lane]), grid, |tile, whole| {
                        self.0.push((tile as u32, Entry(index | if whole { Entry::WHOLE } else { 0 })));
                    });
                    visible += u64::from(self.0.len() > before);
                }
            }
        }
        visible
    }
}

/// The boxes of some shapes, a lane each.
struct Boxes {
    center: [[f32; GATHERED]; 2],
    radii: [[f32; GATHERED]; 2],
}

impl Boxes {
    /// Which of sixteen boxes reach the canvas, a bit each, and for those the tile that holds all of the box, or
    /// [`SEVERAL`].
    #[inline(always)]
    fn tiles<S: Simd>(&self, simd: S, start: usize, grid: &Grid) -> (u64, [i32; 16]) {
        let tile = 1.0 / grid.tile as f32;
        let across = Span::new(simd, &self.center[0], &self.radii[0], start, grid.width, tile);
        let down = Span::new(simd, &self.center[1], &self.radii[1], start, grid.height, tile);
        let (last_column, last_row) = (across.last.min(grid.columns as i32 - 1), down.last.min(grid.rows as i32 - 1));
        let single = across.first.simd_eq(last_column) & down.first.simd_eq(last_row);
        let tile = down.first * grid.columns as i32 + across.first;
        let tile = single.select(tile, i32x16::splat(simd, SEVERAL));
        ((across.reaches & down.reaches).to_bitmask(), tile.to_array())
    }
}

/// Sixteen boxes along one axis: whether they reach the canvas, and the first and last tile that they reach.
struct Span<S: Simd> {
    reaches: mask32x16<S>,
    first: i32x16<S>,
    last: i32x16<S>,
}

impl<S: Simd> Span<S> {
    /// `tile` is one over a tile's side.
    #[inline(always)]
    fn new(simd: S, center: &[f32], radius: &[f32], start: usize, length: u32, tile: f32) -> Self {
        // a tile's edge is not passed by rounding: ends are taken as farther out than two roundings put them
        const OUT: f32 = 4.0 * f32::EPSILON;
        let center = f32x16::from_slice(simd, &center[start..start + 16]);
        let radius = f32x16::from_slice(simd, &radius[start..start + 16]);
        let (start, end, length) = (center - radius, center + radius, length as f32);
        Self {
            // a sum is not rounded to 0, nor past a whole number; what is not a number fails
            reaches: end.simd_gt(0.0) & start.simd_le(length),
            first: (start.max(0.0) * (tile * (1.0 - OUT))).to_int(),
            last: (end.min(length) * (tile * (1.0 + OUT))).to_int(),
        }
    }
}

/// Calls `found` with each tile that the shape may reach, and whether it covers all of it.
#[inline(always)]
fn each_tile(extent: &Extent, grid: &Grid, mut found: impl FnMut(usize, bool)) {
    let range = |axis: usize, length: u32| {
        let (center, radius) = (f64::from(extent.center[axis]), f64::from(extent.outer[axis]));
        // casts saturate: what lies beyond the canvas comes out empty
        let first = ((center - radius).floor() as i32).clamp(0, length as i32);
        let end = ((center + radius).ceil() as i32).clamp(0, length as i32);
        (first as u32, end as u32)
    };
    let (left, right) = range(0, grid.width);
    let (top, bottom) = range(1, grid.height);
    if left >= right || top >= bottom {
        return;
    }
    let test = Test::new(extent);
    for row in top / grid.tile..=(bottom - 1) / grid.tile {
        for column in left / grid.tile..=(right - 1) / grid.tile {
            let min = [(column * grid.tile) as f32, (row * grid.tile) as f32];
            match test.tile(min, [min[0] + grid.tile as f32, min[1] + grid.tile as f32]) {
                Reach::Missed => {}
                Reach::Crossed => found((row * grid.columns + column) as usize, false),
                Reach::Covered => found((row * grid.columns + column) as usize, true),
            }
        }
    }
}

enum Reach {
    Missed,
    Crossed,
    Covered,
}

/// A shape's box–ellipse tests, in units of its radii.
struct Test {
    center: [f32; 2],
    outer: [f32; 2],
    inner: Option<[f32; 2]>,
}

/// Slack of the tests: more than their rounding, so that they err towards [`Reach::Crossed`], which is always right.
const SLACK: f32 = 1e-5;

impl Test {
    #[inline(always)]
    fn new(extent: &Extent) -> Self {
        let inverse = |radii: [f32; 2]| radii.map(|radius| 1.0 / radius);
        Self { center: extent.center, outer: inverse(extent.outer), inner: extent.inner.map(inverse) }
    }

    #[inline(always)]
    fn tile(&self, min: [f32; 2], max: [f32; 2]) -> Reach {
        let mut near = 0.0;
        let mut farthest = [0.0f32; 2];
        for axis in 0..2 {
            let (before, behind) = (min[axis] - self.center[axis], self.center[axis] - max[axis]);
            let nearest = before.max(behind).max(0.0) * self.outer[axis];
            near += nearest * nearest;
            farthest[axis] = before.abs().max(behind.abs());
        }
        let far = |inverse: [f32; 2]| {
            let [x, y] = [farthest[0] * inverse[0], farthest[1] * inverse[1]];
            x * x + y * y
        };
        match self.inner {
            _ if near > 1.0 + SLACK => Reach::Missed,
            Some(inner) if far(inner) < 1.0 - SLACK => Reach::Missed,
            None if far(self.outer) < 1.0 - SLACK => Reach::Covered,
            _ => Reach::Crossed,
        }
    }
}
