//! Shapes of a tile's list, fetched some at a time and looked at side by side before each is painted.
//!
//! Shapes lie far apart in memory: fetching many at once overlaps the waits. What they have in common, where their boxes
//! lie in the block and which kernel they go to, is worked out in lanes; so are the pixels of tiny ones.

#![expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "pixels of a block")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x16, i32x16};

use super::block::{Block, Planes};
use super::paint::{self, Area, FEW_RADIUS, Ink, SMALL_CENTER, Tables, stretch};
use super::shape::{Shape, Source, Space};
use super::tiny;

/// Shapes fetched ahead of being painted.
pub(super) const BATCH: usize = 64;

/// Shapes in the order in which they are painted, the topmost first.
#[derive(Debug)]
pub(super) struct Batch {
    shapes: [Shape; BATCH],
    /// Whether the shape covers all of the tile.
    whole: [bool; BATCH],
    count: usize,
    center: [[f32; BATCH]; 2],
    /// Of those without a hole; not numbers for the others, nor for those that cover the tile.
    radii: [[f32; BATCH]; 2],
    alpha: [f32; BATCH],
}

/// Where shapes are painted, and what painting them needs.
#[derive(Debug, Default)]
pub(super) struct Palette {
    pub(super) block: Block,
    tables: Tables,
    weights: tiny::Weights,
}

/// Where the boxes of sixteen shapes lie in a block, in pixels from its left and top edges, half-open; and which shapes
/// these are, a bit each.
struct Boxes {
    left: [i32; 16],
    top: [i32; 16],
    right: [i32; 16],
    bottom: [i32; 16],
    /// Few pixels, and some of them in the block.
    few: u64,
    /// Those of them that are tiny.
    tiny: u64,
    /// Few pixels, and none of them in the block.
    missed: u64,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            shapes: [Shape::NONE; BATCH],
            whole: [false; BATCH],
            count: 0,
            center: [[0.0; BATCH]; 2],
            radii: [[0.0; BATCH]; 2],
            alpha: [0.0; BATCH],
        }
    }
}

impl Batch {
    /// Takes at most [`BATCH`] shapes, the topmost first, each with whether it covers all of the tile.
    #[inline(always)]
    pub(super) fn fetch<T: Source>(&mut self, shapes: impl Iterator<Item = (T, bool)>) {
        // copied before anything is made of them, so that many are on their way from memory at once
        let mut copies = [T::NONE; BATCH];
        self.count = 0;
        for ((copy, whole), shape) in copies.iter_mut().zip(&mut self.whole).zip(shapes) {
            (*copy, *whole) = shape;
            self.count += 1;
        }
        for (slot, copy) in self.shapes.iter_mut().zip(&copies[..self.count]) {
            *slot = copy.shape();
        }
        // what is left of the last sixteen is none
        for at in 0..self.count.next_multiple_of(16) {
            let shape = if at < self.count && !self.whole[at] { self.shapes[at] } else { Shape::NONE };
            let radii = if shape.inner.is_none() { shape.outer } else { [f32::NAN; 2] };
            (self.center[0][at], self.center[1][at]) = (shape.center[0], shape.center[1]);
            (self.radii[0][at], self.radii[1][at]) = (radii[0], radii[1]);
            self.alpha[at] = shape.alpha;
        }
    }

    /// Paints all of them; true once the tile is finished. A call of its own, compiled once an instruction set.
    pub(super) fn paint<S: Simd>(&self, simd: S, palette: &mut Palette, space: &Space) -> bool {
        simd.vectorize(
            #[inline(always)]
            || self.paint_lanes(simd, palette, space),
        )
    }

    #[inline(always)]
    fn paint_lanes<S: Simd>(&self, simd: S, palette: &mut Palette, space: &Space) -> bool {
        let Palette { block, tables, weights } = palette;
        for first in (0..self.count).step_by(16) {
            let boxes = self.boxes(simd, block, first);
            if boxes.tiny != 0 {
                weights.fill(simd, &self.lanes(simd, block, &boxes, first));
            }
            let mut left = (u64::MAX >> (64 - (self.count - first).min(16))) & !boxes.missed;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let bit = 1 << lane;
                let shape = &self.shapes[first + lane];
                if boxes.tiny & bit != 0 {
                    let (x, y) = (boxes.left[lane] as usize, boxes.top[lane] as usize);
                    let ink = Ink::<f32x4<S>>::new(simd, shape, space);
                    paint_tiny(simd, &ink, block, weights, lane, [x, y]);
                } else if boxes.few & bit != 0 {
                    let area = Area {
                        left: boxes.left[lane] as usize,
                        right: boxes.right[lane] as usize,
                        top: boxes.top[lane] as usize,
                        bottom: boxes.bottom[lane] as usize,
                    };
                    paint::paint_few(simd, tables, block, shape, area, space);
                } else if self.whole[first + lane] {
                    paint::paint_whole(simd, block, shape, space);
                    if block.is_finished(simd) {
                        return true;
                    }
                } else {
                    paint::paint(simd, tables, block, shape, space);
                }
            }
        }
        block.is_finished(simd)
    }

    #[inline(always)]
    fn pair<S: Simd>(simd: S, values: &[[f32; BATCH]; 2], first: usize) -> [f32x16<S>; 2] {
        [
            f32x16::from_slice(simd, &values[0][first..first + 16]),
            f32x16::from_slice(simd, &values[1][first..first + 16]),
        ]
    }

    /// Looks at the boxes of sixteen shapes. Up to what the slack hides: a box may miss what covers next to nothing.
    #[inline(always)]
    fn boxes<S: Simd>(&self, simd: S, block: &Block, first: usize) -> Boxes {
        let [x, y] = Self::pair(simd, &self.center, first);
        let [across, down] = Self::pair(simd, &self.radii, first);
        let small = across.max(down).simd_le(FEW_RADIUS) & across.min(down).simd_gt(0.0);
        let few = small & x.abs().max(y.abs()).simd_le(SMALL_CENTER);
        let [left, right] = reached(simd, x - block.x as f32, across, block.width);
        let [top, bottom] = reached(simd, y - block.y as f32, down, block.height);
        let some = left.simd_lt(right) & top.simd_lt(bottom);
        let most = i32x16::splat(simd, tiny::MOST as i32);
        let tiny = (right - left).simd_le(most) & (bottom - top).simd_le(most);
        Boxes {
            left: left.to_array(),
            top: top.to_array(),
            right: right.to_array(),
            bottom: bottom.to_array(),
            few: (few & some).to_bitmask(),
            tiny: (few & some & tiny).to_bitmask(),
            missed: few.to_bitmask() & !some.to_bitmask(),
        }
    }

    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, block: &Block, boxes: &Boxes, first: usize) -> tiny::Lanes<S> {
        let corner = |edges: &[i32; 16], start: i32| (i32x16::load_array_ref(simd, edges) + start).to_float();
        let mut scale = [0.0; 16];
        for (lane, scale) in scale.iter_mut().enumerate() {
            let at = first + lane;
            *scale = stretch([self.radii[0][at], self.radii[1][at]], self.alpha[at]) as f32;
        }
        tiny::Lanes {
            corner: [corner(&boxes.left, block.x), corner(&boxes.top, block.y)],
            center: Self::pair(simd, &self.center, first),
            radii: Self::pair(simd, &self.radii, first),
            alpha: f32x16::from_slice(simd, &self.alpha[first..first + 16]),
            scale: f32x16::load_array(simd, scale),
        }
    }
}

/// First and one past the last pixel that boxes reach along an axis of a block.
#[inline(always)]
fn reached<S: Simd>(simd: S, center: f32x16<S>, radius: f32x16<S>, length: usize) -> [i32x16<S>; 2] {
    let (zero, length) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, length as f32));
    let first = (center - radius).floor().max(zero).min(length);
    let end = (center + radius).ceil().max(zero).min(length);
    [first.to_int(), end.to_int()]
}

/// Blends the pixels of a tiny shape, its corner at (x, y); pixels beyond the shape weigh nothing.
#[inline(always)]
fn paint_tiny<S: Simd>(
    simd: S,
    ink: &Ink<f32x4<S>>,
    block: &mut Block,
    weights: &tiny::Weights,
    lane: usize,
    [x, y]: [usize; 2],
) {
    // within the block and its overhang whatever they are, as the compiler can see
    let (x, y) = (x % super::block::SIDE, y % super::block::SIDE);
    let mut shows = f32x4::splat(simd, 0.0);
    for Planes([.., rest]) in &block.rows[y..y + tiny::MOST] {
        shows = shows.max(f32x4::from_slice(simd, &rest[x..x + tiny::MOST]));
    }
    if shows.simd_gt(0.0).any_true() {
        for (row, planes) in block.rows[y..y + tiny::MOST].iter_mut().enumerate() {
            ink.blend(simd, planes, x, f32x4::from_slice(simd, weights.row(row, lane)));
        }
    }
}
