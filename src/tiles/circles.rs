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
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) tile: u32,
}

impl Grid {
    pub(crate) fn columns(&self) -> u32 {
        self.width.div_ceil(self.tile)
    }

    pub(crate) fn count(&self) -> usize {
        self.columns() as usize * self.height.div_ceil(self.tile) as usize
    }
}

/// What binning looks at: an ellipse's box and its hole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) center: [f32; 2],
    /// Pixels; positive and finite.
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

    /// Sorts a layer's shapes by tile. `extent` gives a shape's reach, `None` for one that paints nothing.
    pub(crate) fn fill<T: Sync>(
        &mut self,
        level: Level,
        layer: usize,
        shapes: &[T],
        grid: Grid,
        extent: impl Fn(&T) -> Option<Extent> + Sync,
    ) {
        let size = (shapes.len() / FEWEST_CHUNKS).clamp(SMALLEST_CHUNK, CHUNK);
        let chunks = &mut self.layers[layer];
        chunks.resize_with(shapes.len().div_ceil(size), Chunk::default);
        chunks.par_iter_mut().zip(shapes.par_chunks(size)).enumerate().for_each(|(i, (chunk, shapes))| {
            chunk.first = i * size;
            dispatch!(level, simd => chunk.fill(simd, shapes, grid, &extent));
        });
    }
}

impl Chunk {
    #[inline(always)]
    fn fill<S: Simd, T>(&mut self, _: S, shapes: &[T], grid: Grid, extent: &impl Fn(&T) -> Option<Extent>) {
        self.starts.clear();
        self.starts.resize(grid.count() + 1, 0);
        for shape in shapes {
            let mut seen = false;
            if let Some(extent) = extent(shape) {
                each_tile(&extent, grid, |tile, _| {
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
        for (index, shape) in shapes.iter().enumerate().rev() {
            if let Some(extent) = extent(shape) {
                each_tile(&extent, grid, |tile, whole| {
                    self.starts[tile] -= 1;
                    self.entries[self.starts[tile] as usize] =
                        Entry(index as u32 | if whole { Entry::WHOLE } else { 0 });
                });
            }
        }
    }
}

/// Calls `found` with each tile that the shape may reach, and whether it covers all of it.
#[inline(always)]
fn each_tile(extent: &Extent, grid: Grid, mut found: impl FnMut(usize, bool)) {
    let range = |axis: usize, length: u32| {
        let (center, radius) = (f64::from(extent.center[axis]), f64::from(extent.outer[axis]));
        // casts saturate: what lies beyond the canvas comes out empty
        let first = ((center - radius).floor() as i32).clamp(0, length as i32);
        let last = ((center + radius).ceil() as i32).clamp(0, length as i32);
        (first as u32, last as u32)
    };
    let (left, right) = range(0, grid.width);
    let (top, bottom) = range(1, grid.height);
    if left >= right || top >= bottom {
        return;
    }
    let (first_column, last_column) = (left / grid.tile, (right - 1) / grid.tile);
    let (first_row, last_row) = (top / grid.tile, (bottom - 1) / grid.tile);
    let columns = grid.columns();
    if first_column == last_column && first_row == last_row {
        return found((first_row * columns + first_column) as usize, false);
    }
    let test = Test::new(extent);
    for row in first_row..=last_row {
        for column in first_column..=last_column {
            let min = [(column * grid.tile) as f32, (row * grid.tile) as f32];
            match test.tile(min, [min[0] + grid.tile as f32, min[1] + grid.tile as f32]) {
                Reach::Missed => {}
                Reach::Crossed => found((row * columns + column) as usize, false),
                Reach::Covered => found((row * columns + column) as usize, true),
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
