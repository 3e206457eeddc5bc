//! Fetches the shapes of a tile's list in batches, classifies them in lanes, and paints them into a block.
//!
//! Shapes are scattered in memory: fetching many at once overlaps the cache misses. Lanes compute their bounding boxes
//! in the block, the kernel for each, and the pixels of tiny shapes.

#![expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "pixels of a block")]

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16, i32x16};

use super::blend::{BlendSpace, Ink};
use super::block::{PixelBlock, PixelRect};
use super::coverage::tiny::{self, TinyShapes, TinyWeights};
use super::coverage::weight::scale;
use super::coverage::{float, small};
use super::fill;
use super::select::{self, Tables};
use super::shape::{Paintable, RasterShape};
use crate::lanes::next_lane;
use crate::tiles::circles::CircleEntry;

/// Shapes of a batch.
///
/// Tuned: benches/circles.rs W5.
pub(super) const BATCH: usize = 64;

/// Shapes in the order of painting, the topmost first.
#[derive(Debug)]
pub(super) struct ShapeBatch {
    shapes: [RasterShape; BATCH],
    /// Whether the shape covers all of the tile.
    covers_tile: [bool; BATCH],
    count: usize,
    center: [[f32; BATCH]; 2],
    /// NaN for shapes that have a hole or cover the tile.
    radii: [[f32; BATCH]; 2],
    alpha: [f32; BATCH],
}

impl Default for ShapeBatch {
    fn default() -> Self {
        Self {
            shapes: [RasterShape::EMPTY; BATCH],
            covers_tile: [false; BATCH],
            count: 0,
            center: [[0.0; BATCH]; 2],
            radii: [[0.0; BATCH]; 2],
            alpha: [0.0; BATCH],
        }
    }
}

impl ShapeBatch {
    /// Fetches the shapes of at most [`BATCH`] entries, given in painter's order.
    pub(super) fn fetch<T: Paintable>(&mut self, shapes: &[T], entries: &[CircleEntry]) {
        // all copies come before any conversion, so that the loads from memory overlap
        let mut copies = [T::EMPTY; BATCH];
        self.count = entries.len();
        for ((copy, covers_tile), entry) in copies.iter_mut().zip(&mut self.covers_tile).zip(entries.iter().rev()) {
            (*copy, *covers_tile) = (shapes[entry.index()], entry.covers_tile());
        }
        for (slot, copy) in self.shapes.iter_mut().zip(&copies[..self.count]) {
            *slot = copy.shape();
        }
        // pads the last sixteen with empty shapes
        for at in 0..self.count.next_multiple_of(16) {
            let shape = if at < self.count && !self.covers_tile[at] { self.shapes[at] } else { RasterShape::EMPTY };
            let radii = if shape.hole.is_none() { shape.radii } else { [f32::NAN; 2] };
            (self.center[0][at], self.center[1][at]) = (shape.center[0], shape.center[1]);
            (self.radii[0][at], self.radii[1][at]) = (radii[0], radii[1]);
            self.alpha[at] = shape.alpha;
        }
    }

    /// Classifies sixteen shapes. Bounding boxes may miss pixels that are covered by less than the slack.
    #[inline(always)]
    fn classify<S: Simd>(&self, simd: S, block: &PixelBlock, first: usize) -> Classes {
        let [x, y] = load_pair(simd, &self.center, first);
        let [across, down] = load_pair(simd, &self.radii, first);
        let is_small = across.max(down).simd_le(small::MAX_RADIUS) & across.min(down).simd_gt(0.0);
        let small = is_small & x.abs().max(y.abs()).simd_le(float::MAX_CENTER);
        let [left, right] = touched(simd, x - block.x as f32, across, block.width);
        let [top, bottom] = touched(simd, y - block.y as f32, down, block.height);
        let touches = left.simd_lt(right) & top.simd_lt(bottom);
        let most = i32x16::splat(simd, tiny::MAX_PIXELS as i32);
        let tiny = (right - left).simd_le(most) & (bottom - top).simd_le(most);
        Classes {
            left: left.to_array(),
            top: top.to_array(),
            right: right.to_array(),
            bottom: bottom.to_array(),
            small: (small & touches).to_bitmask(),
            tiny: (small & touches & tiny).to_bitmask(),
            missed: small.to_bitmask() & !touches.to_bitmask(),
        }
    }

    #[inline(always)]
    fn tiny_shapes<S: Simd>(&self, simd: S, block: &PixelBlock, classes: &Classes, first: usize) -> TinyShapes<S> {
        let corner = |edges: &[i32; 16], start: i32| (i32x16::load_array_ref(simd, edges) + start).to_float();
        let mut scales = [0.0; 16];
        for (lane, slot) in scales.iter_mut().enumerate() {
            let at = first + lane;
            *slot = scale([self.radii[0][at], self.radii[1][at]], self.alpha[at]) as f32;
        }
        TinyShapes {
            corner: [corner(&classes.left, block.x), corner(&classes.top, block.y)],
            center: load_pair(simd, &self.center, first),
            radii: load_pair(simd, &self.radii, first),
            alpha: f32x16::from_slice(simd, &self.alpha[first..first + 16]),
            scale: f32x16::load_array(simd, scales),
        }
    }
}

#[inline(always)]
fn load_pair<S: Simd>(simd: S, values: &[[f32; BATCH]; 2], first: usize) -> [f32x16<S>; 2] {
    [f32x16::from_slice(simd, &values[0][first..first + 16]), f32x16::from_slice(simd, &values[1][first..first + 16])]
}

/// Half-open pixel ranges of bounding boxes along one axis of a block.
#[inline(always)]
fn touched<S: Simd>(simd: S, center: f32x16<S>, radius: f32x16<S>, length: usize) -> [i32x16<S>; 2] {
    let (zero, length) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, length as f32));
    let first = (center - radius).floor().max(zero).min(length);
    let end = (center + radius).ceil().max(zero).min(length);
    [first.to_int(), end.to_int()]
}

/// Half-open bounding boxes of sixteen shapes, in pixels from the block's corner, and bit masks of the shapes that
/// small kernels paint.
struct Classes {
    left: [i32; 16],
    top: [i32; 16],
    right: [i32; 16],
    bottom: [i32; 16],
    /// Small and filled, in the block.
    small: u64,
    /// The tiny shapes among `small`.
    tiny: u64,
    /// Small and filled, outside the block.
    missed: u64,
}

impl Classes {
    #[inline(always)]
    fn rect(&self, lane: usize) -> PixelRect {
        PixelRect {
            left: self.left[lane] as usize,
            right: self.right[lane] as usize,
            top: self.top[lane] as usize,
            bottom: self.bottom[lane] as usize,
        }
    }
}

/// Paints batches into a block.
#[derive(Debug, Default)]
pub(super) struct BlockPainter {
    pub(super) block: PixelBlock,
    tables: Tables,
    weights: TinyWeights,
}

impl BlockPainter {
    /// Paints all shapes of a batch; returns whether the block is finished.
    pub(super) fn paint(&mut self, level: Level, batch: &ShapeBatch, space: &BlendSpace) -> bool {
        dispatch!(level, simd => self.paint_lanes(simd, batch, space))
    }

    #[inline(always)]
    fn paint_lanes<S: Simd>(&mut self, simd: S, batch: &ShapeBatch, space: &BlendSpace) -> bool {
        let Self { block, tables, weights } = self;
        for first in (0..batch.count).step_by(16) {
            let classes = batch.classify(simd, block, first);
            if classes.tiny != 0 {
                weights.fill(simd, &batch.tiny_shapes(simd, block, &classes, first));
            }
            let mut remaining = (u64::MAX >> (64 - (batch.count - first).min(16))) & !classes.missed;
            while let Some(lane) = next_lane(&mut remaining) {
                let bit = 1 << lane;
                let shape = &batch.shapes[first + lane];
                if classes.tiny & bit != 0 {
                    let corner = [classes.left[lane] as usize, classes.top[lane] as usize];
                    fill::fill_tiny(simd, &Ink::new(simd, shape, space), block, corner, weights, lane);
                } else if classes.small & bit != 0 {
                    select::fill_small(simd, tables, block, classes.rect(lane), shape, space);
                } else if batch.covers_tile[first + lane] {
                    fill::fill_block(simd, block, shape, space);
                    if block.is_finished(simd) {
                        return true;
                    }
                } else {
                    select::fill_shape(simd, tables, block, shape, space);
                }
            }
        }
        block.is_finished(simd)
    }
}
