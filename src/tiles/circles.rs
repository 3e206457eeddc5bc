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

/// What binning looks at: an ellipse's box and, for a ring, its hole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) center: [f32; 2],
    /// Pixels; positive and finite.
    pub(crate) outer: [f32; 2],
    /// A radius of 0 when there is no hole.
    pub(crate) inner: [f32; 2],
    /// Whether a tile within the outer ellipse is covered wholly.
    pub(crate) filled: bool,
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

    /// Shape–tile pairs.
    pub(crate) fn pairs(&self) -> usize {
        self.entries.len()
    }
}

/// Sorts shapes by tile. `extent` gives a shape's reach, `None` for an empty one.
pub(crate) fn bin<T: Sync>(
    level: Level,
    shapes: &[T],
    grid: Grid,
    extent: impl Fn(&T) -> Option<Extent> + Sync,
) -> Vec<Chunk> {
    let chunks = shapes.par_chunks(CHUNK).enumerate();
    chunks
        .map(|(i, shapes)| Chunk {
            first: i * CHUNK,
            ..dispatch!(level, simd => bin_chunk(simd, shapes, grid, &extent))
        })
        .collect()
}

#[inline(always)]
fn bin_chunk<S: Simd, T>(_: S, shapes: &[T], grid: Grid, extent: &impl Fn(&T) -> Option<Extent>) -> Chunk {
    let mut visible = 0;
    let mut starts = vec![0u32; grid.count() + 1];
    for shape in shapes {
        let mut seen = false;
        if let Some(extent) = extent(shape) {
            each_tile(&extent, grid, |tile, _| {
                starts[tile] += 1;
                seen = true;
            });
        }
        visible += u64::from(seen);
    }
    let mut total = 0;
    for start in &mut starts {
        total += std::mem::replace(start, total);
    }
    let mut entries = vec![Entry(0); total as usize];
    let mut next = starts.clone();
    for (index, shape) in shapes.iter().enumerate() {
        if let Some(extent) = extent(shape) {
            each_tile(&extent, grid, |tile, whole| {
                entries[next[tile] as usize] = Entry(index as u32 | if whole { Entry::WHOLE } else { 0 });
                next[tile] += 1;
            });
        }
    }
    Chunk { starts, entries, first: 0, visible }
}

/// Calls `found` with each tile that the shape may reach, and whether it covers all of it.
#[inline(always)]
fn each_tile(extent: &Extent, grid: Grid, mut found: impl FnMut(usize, bool)) {
    let range = |center: f32, radius: f32, length: u32| {
        // casts saturate: what lies beyond the canvas comes out empty
        let first = ((center - radius).floor() as i32).clamp(0, length as i32);
        let last = ((center + radius).ceil() as i32).clamp(0, length as i32);
        (first as u32, last as u32)
    };
    let (left, right) = range(extent.center[0], extent.outer[0], grid.width);
    let (top, bottom) = range(extent.center[1], extent.outer[1], grid.height);
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
    inner: [f32; 2],
    filled: bool,
}

/// Slack of the tests: more than their rounding, so that they err towards [`Reach::Crossed`], which is always right.
const SLACK: f32 = 1e-5;

impl Test {
    #[inline(always)]
    fn new(extent: &Extent) -> Self {
        let inverse = |radii: [f32; 2]| radii.map(|radius| if radius > 0.0 { 1.0 / radius } else { f32::INFINITY });
        Self {
            center: extent.center,
            outer: inverse(extent.outer),
            inner: inverse(extent.inner),
            filled: extent.filled,
        }
    }

    #[inline(always)]
    fn tile(&self, min: [f32; 2], max: [f32; 2]) -> Reach {
        let mut near = 0.0;
        let (mut far, mut far_inner) = (0.0, 0.0);
        for axis in 0..2 {
            let (before, behind) = (min[axis] - self.center[axis], self.center[axis] - max[axis]);
            let nearest = before.max(behind).max(0.0) * self.outer[axis];
            near += nearest * nearest;
            let farthest = before.abs().max(behind.abs());
            far += (farthest * self.outer[axis]) * (farthest * self.outer[axis]);
            far_inner += (farthest * self.inner[axis]) * (farthest * self.inner[axis]);
        }
        if near > 1.0 + SLACK || far_inner < 1.0 - SLACK {
            Reach::Missed
        } else if self.filled && far < 1.0 - SLACK {
            Reach::Covered
        } else {
            Reach::Crossed
        }
    }
}
