//! The pixels that are painted at a time: four planes a row, wide enough for a last group of lanes to overhang.

use fearless_simd::f32x16;
use fearless_simd::prelude::*;

/// Most pixels along a side: the planes then stay in the second-level cache. Larger tiles are painted in blocks.
pub(super) const SIDE: usize = 128;

/// Lanes that a group may reach past a block's right edge.
const OVERHANG: usize = 16;

/// Rows that a tiny shape may reach past a block's lower edge.
const UNDERHANG: usize = 4;

/// A row's light gathered, red, green and blue, and its transmittance left.
///
/// Lanes that start at a multiple of their number lie in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Planes(pub(super) [[f32; SIDE + OVERHANG]; 4]);

/// Light gathered and transmittance left of a block of at most [`SIDE`]² pixels.
#[derive(Debug)]
pub(super) struct Block {
    /// Canvas position of the top-left pixel.
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rows: Box<[Planes; SIDE + UNDERHANG]>,
    /// All rows before this one are finished.
    finished: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            x: 0,
            y: 0,
            width: 0,
            height: 0,
            rows: Box::new([Planes([[0.0; SIDE + OVERHANG]; 4]); SIDE + UNDERHANG]),
            finished: 0,
        }
    }
}

impl Block {
    /// Starts a block: no light, everything shows through. What overhangs is finished from the start.
    pub(super) fn start(&mut self, x: i32, y: i32, width: usize, height: usize) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height);
        self.finished = 0;
        for Planes([red, green, blue, rest]) in &mut self.rows[..height] {
            for plane in [red, green, blue] {
                plane.fill(0.0);
            }
            rest[..width].fill(1.0);
            rest[width..].fill(0.0);
        }
        for Planes([.., rest]) in &mut self.rows[height..height + UNDERHANG] {
            rest.fill(0.0);
        }
    }

    /// Whether no pixel lets anything through.
    ///
    /// Goes on from the row that still did when last asked, so each is looked at but a few times, however often this is.
    #[inline(always)]
    pub(super) fn is_finished<S: Simd>(&mut self, simd: S) -> bool {
        while self.finished < self.height {
            let Planes([.., rest]) = &self.rows[self.finished];
            for column in (0..self.width).step_by(16) {
                if f32x16::from_slice(simd, &rest[column..column + 16]).simd_gt(0.0).any_true() {
                    return false;
                }
            }
            self.finished += 1;
        }
        true
    }
}
