//! Circles and ellipses by viewport tile.
//!
//! Shapes are taken in chunks, each sorted by tile on its own, so that threads share nothing and order is kept. A shape
//! that reaches several tiles is held against each by the box–circle tests: tiles that it misses (or that lie in a ring's
//! hole) are left out, tiles that it covers wholly are told from those on its rim.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "tiles of a frame; float casts saturate")]

use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;

/// Shapes in a chunk: their tile counts and indices stay in the second-level cache.
const CHUNK: usize = 1 << 16;

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
    /// 2⁶⁴ over the tile's side, rounded up: pixels are divided by multiplication.
    inverse: u64,
}

impl Grid {
    pub(crate) fn new(width: u32, height: u32, tile: u32) -> Self {
        let (columns, rows) = (width.div_ceil(tile), height.div_ceil(tile));
        Self { width, height, tile, columns, rows, inverse: u64::MAX / u64::from(tile) + 1 }
    }

    pub(crate) fn count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The column or row of tiles that a pixel lies in.
    #[inline(always)]
    fn tile_at(&self, pixel: u32) -> u32 {
        ((u128::from(pixel) * u128::from(self.inverse)) >> 64) as u32
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
        chunks.for_each_init(Kept::default, |kept, (index, (chunk, shapes))| {
            chunk.first = index * size;
            dispatch!(level, simd => chunk.fill(simd, kept, shapes, &grid, &extent));
        });
    }
}

/// Shapes of a chunk that reach the canvas: what a thread keeps from chunk to chunk.
#[derive(Default)]
struct Kept {
    /// Which, counted from the start of the chunk; room for all.
    shapes: Vec<u32>,
    /// The tile that holds all of the shape, or [`SEVERAL`].
    tiles: Vec<u32>,
}

/// A shape that reaches several tiles, or none after all.
const SEVERAL: u32 = u32::MAX;

impl Chunk {
    /// Lists the shapes by tile: rejects those beyond the canvas, counts the others by tile, and deals them out.
    #[inline(always)]
    fn fill<S: Simd, T>(&mut self, _: S, kept: &mut Kept, shapes: &[T], grid: &Grid, extent: &impl Fn(&T) -> Extent) {
        kept.reject(shapes, grid, extent);
        self.starts.clear();
        self.starts.resize(grid.count() + 1, 0);
        kept.tiles.clear();
        for &index in &kept.shapes {
            let extent = extent(&shapes[index as usize]);
            let tiles = Tiles::reached(&extent, grid);
            if let Some(tile) = tiles.as_ref().and_then(|tiles| tiles.single(grid)) {
                kept.tiles.push(tile);
                self.starts[tile as usize] += 1;
                self.visible += 1;
                continue;
            }
            kept.tiles.push(SEVERAL);
            let mut seen = false;
            if let Some(tiles) = tiles {
                tiles.each(&extent, grid, |tile, _| {
                    self.starts[tile] += 1;
                    seen = true;
                });
            }
            self.visible += u64::from(seen);
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.entries.resize(total as usize, Entry(0));
        // from the last shape to the first, each list from its end: the ends come down to the starts
        for (&index, &tile) in kept.shapes.iter().zip(&kept.tiles).rev() {
            let mut enter = |tile: usize, entry| {
                self.starts[tile] -= 1;
                self.entries[self.starts[tile] as usize] = entry;
            };
            if tile != SEVERAL {
                enter(tile as usize, Entry(index));
                continue;
            }
            let extent = extent(&shapes[index as usize]);
            if let Some(tiles) = Tiles::reached(&extent, grid) {
                tiles.each(&extent, grid, |tile, whole| {
                    enter(tile, Entry(index | if whole { Entry::WHOLE } else { 0 }));
                });
            }
        }
    }
}

impl Kept {
    /// Keeps the shapes whose boxes reach the canvas. No branch: whether a shape is kept is anyone's guess.
    #[inline(always)]
    fn reject<T>(&mut self, shapes: &[T], grid: &Grid, extent: &impl Fn(&T) -> Extent) {
        self.shapes.resize(shapes.len(), 0);
        let (width, height) = (grid.width as f32, grid.height as f32);
        let mut count = 0;
        for (index, shape) in shapes.iter().enumerate() {
            let Extent { center: [x, y], outer: [across, down], .. } = extent(shape);
            // a sum is not rounded to 0, nor past a whole number; what is not a number fails
            let columns = (x + across > 0.0) & (x - across <= width);
            let rows = (y + down > 0.0) & (y - down <= height);
            self.shapes[count] = index as u32;
            count += usize::from(columns & rows);
        }
        self.shapes.truncate(count);
    }
}

/// The tiles that a shape's box reaches, first and last, by column and by row.
struct Tiles {
    first: [u32; 2],
    last: [u32; 2],
}

impl Tiles {
    #[inline(always)]
    fn reached(extent: &Extent, grid: &Grid) -> Option<Self> {
        let range = |axis: usize, length: u32| {
            let (center, radius) = (f64::from(extent.center[axis]), f64::from(extent.outer[axis]));
            // casts saturate: what lies beyond the canvas comes out empty
            let first = ((center - radius).floor() as i32).clamp(0, length as i32);
            let end = ((center + radius).ceil() as i32).clamp(0, length as i32);
            (first as u32, end as u32)
        };
        let (left, right) = range(0, grid.width);
        let (top, bottom) = range(1, grid.height);
        (left < right && top < bottom).then(|| Self {
            first: [grid.tile_at(left), grid.tile_at(top)],
            last: [grid.tile_at(right - 1), grid.tile_at(bottom - 1)],
        })
    }

    /// The number of the tile, if it is one.
    #[inline(always)]
    fn single(&self, grid: &Grid) -> Option<u32> {
        (self.first == self.last).then(|| self.first[1] * grid.columns + self.first[0])
    }

    /// Calls `found` with each tile that the shape may reach, and whether it covers all of it.
    #[inline(always)]
    fn each(&self, extent: &Extent, grid: &Grid, mut found: impl FnMut(usize, bool)) {
        let test = Test::new(extent);
        for row in self.first[1]..=self.last[1] {
            for column in self.first[0]..=self.last[0] {
                let min = [(column * grid.tile) as f32, (row * grid.tile) as f32];
                match test.tile(min, [min[0] + grid.tile as f32, min[1] + grid.tile as f32]) {
                    Reach::Missed => {}
                    Reach::Crossed => found((row * grid.columns + column) as usize, false),
                    Reach::Covered => found((row * grid.columns + column) as usize, true),
                }
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
