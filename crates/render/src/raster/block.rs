//! A block of pixels painted together: rows of colour planes, with padding for groups of lanes that overhang.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a block; float casts saturate")]

use fearless_simd::f32x16;
use fearless_simd::prelude::*;

/// Maximum side in pixels: the planes stay in the L2 cache. Larger tiles are painted in several blocks.
///
/// Tuned: benches/circles.rs W5, W6.
pub(super) const SIDE: usize = 128;

/// Padding at a block's right edge: the width of the widest group of lanes.
const OVERHANG: usize = 16;

/// Padding at a block's lower edge: the rows of a tiny shape.
const UNDERHANG: usize = 4;

/// A row of pixels: accumulated colour, premultiplied, and remaining transmittance.
///
/// A group of lanes that starts at a multiple of its width lies in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct PlaneRow {
    pub(super) red: [f32; SIDE + OVERHANG],
    pub(super) green: [f32; SIDE + OVERHANG],
    pub(super) blue: [f32; SIDE + OVERHANG],
    pub(super) transmittance: [f32; SIDE + OVERHANG],
}

impl PlaneRow {
    const EMPTY: Self = Self {
        red: [0.0; SIDE + OVERHANG],
        green: [0.0; SIDE + OVERHANG],
        blue: [0.0; SIDE + OVERHANG],
        transmittance: [0.0; SIDE + OVERHANG],
    };

    /// Whether something below still shows in any pixel of the group of lanes at `column`.
    #[inline(always)]
    pub(super) fn shows_through<S: Simd, V: SimdFloat<S, Element = f32>>(&self, simd: S, column: usize) -> bool {
        V::from_slice(simd, &self.transmittance[column..column + V::LEN]).simd_gt(0.0).any_true()
    }
}

/// At most [`SIDE`]² pixels of the canvas.
#[derive(Debug)]
pub(super) struct PixelBlock {
    /// Canvas position of the top-left pixel.
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rows: Box<[PlaneRow; SIDE + UNDERHANG]>,
    /// All rows before this one are finished.
    finished: usize,
}

impl Default for PixelBlock {
    fn default() -> Self {
        Self { x: 0, y: 0, width: 0, height: 0, rows: Box::new([PlaneRow::EMPTY; SIDE + UNDERHANG]), finished: 0 }
    }
}

impl PixelBlock {
    /// Starts a block: no light, everything shows through. The padding is finished from the start.
    pub(super) fn start(&mut self, x: i32, y: i32, width: usize, height: usize) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height);
        self.finished = 0;
        for PlaneRow { red, green, blue, transmittance } in &mut self.rows[..height] {
            for plane in [red, green, blue] {
                plane.fill(0.0);
            }
            transmittance[..width].fill(1.0);
            transmittance[width..].fill(0.0);
        }
        for row in &mut self.rows[height..height + UNDERHANG] {
            row.transmittance.fill(0.0);
        }
    }

    /// Whether no pixel lets anything through.
    ///
    /// Resumes at the row where the last call stopped, so that finished rows are read once.
    #[inline(always)]
    pub(super) fn is_finished<S: Simd>(&mut self, simd: S) -> bool {
        while self.finished < self.height {
            let row = &self.rows[self.finished];
            for column in (0..self.width).step_by(16) {
                if row.shows_through::<S, f32x16<S>>(simd, column) {
                    return false;
                }
            }
            self.finished += 1;
        }
        true
    }

    /// Whether something below still shows in the rows of `rect`, in a group of lanes from its left edge on.
    #[inline(always)]
    pub(super) fn shows_through<S: Simd, V: SimdFloat<S, Element = f32>>(&self, simd: S, rect: PixelRect) -> bool {
        let mut most = V::splat(simd, 0.0);
        for row in &self.rows[rect.top..rect.bottom] {
            most = most.max(V::from_slice(simd, &row.transmittance[rect.left..rect.left + V::LEN]));
        }
        most.simd_gt(0.0).any_true()
    }
}

/// Pixels of a block, counted from its left and top edges, half-open.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelRect {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) top: usize,
    pub(super) bottom: usize,
}

impl PixelRect {
    /// The block's pixels that the ellipse's bounding box touches; `None` if there are none.
    #[inline(always)]
    pub(super) fn touched(block: &PixelBlock, center: [f32; 2], radii: [f64; 2]) -> Option<Self> {
        let range = |axis: usize, start: i32, length: usize| {
            let (center, radius) = (f64::from(center[axis]), radii[axis]);
            let clip = |edge: f64| (edge as i32).saturating_sub(start).clamp(0, length as i32) as usize;
            (clip((center - radius).floor()), clip((center + radius).ceil()))
        };
        let (left, right) = range(0, block.x, block.width);
        let (top, bottom) = range(1, block.y, block.height);
        (left < right && top < bottom).then_some(Self { left, right, top, bottom })
    }

    pub(super) fn width(&self) -> usize {
        self.right - self.left
    }

    pub(super) fn height(&self) -> usize {
        self.bottom - self.top
    }
}
