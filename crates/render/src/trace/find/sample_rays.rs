//! The rays of a tile: one plane of directions for each sample of a pixel, or one plane with the samples of a pixel
//! side by side; padded so that lanes may run past a row's end.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "tiles are at most 1024 pixels a side"
)]

use std::ops::Range;

use fearless_simd::{f32x8, prelude::*};

use super::clip::ClipRegion;
use crate::frame::TileMut;
use crate::lanes::{LANES, Vec3x8, load3_at};
use crate::scene::Rays;

/// The layout of the samples of a tile, with a margin around it, in planes with padded rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SampleGrid {
    /// Column and row of the first pixel, which is outside the picture where the margin is.
    pub x: i32,
    pub y: i32,
    /// Columns and rows, with the margin on both sides.
    pub width: u32,
    pub height: u32,
    pub margin: u32,
    /// Samples of a pixel stored side by side in a row: 1 if each sample has its own plane, else all.
    pub abreast: u32,
}

impl SampleGrid {
    /// The pixels of a tile, with a margin of this many pixels.
    pub(crate) fn of(tile: &TileMut<'_>, margin: u32) -> Self {
        let width = tile.rows.first().map_or(0, |row| row.len() as u32);
        let start = |start: u32| start.cast_signed() - margin.cast_signed();
        let (x, y) = (start(tile.x), start(tile.y));
        Self { x, y, width: width + 2 * margin, height: tile.rows.len() as u32 + 2 * margin, margin, abreast: 1 }
    }

    /// Columns of the tile itself.
    pub(crate) fn inner_width(self) -> usize {
        (self.width - 2 * self.margin) as usize
    }

    /// Offsets of the tile's own rows in a plane.
    pub(crate) fn rows(self) -> impl Iterator<Item = usize> {
        let rows = self.margin as usize..(self.height - self.margin) as usize;
        rows.map(move |row| row * self.stride() + self.margin as usize)
    }

    /// The samples of a row of a plane that belong to the tile, not to its margin.
    pub(crate) fn resolved_columns(self, row: usize) -> Range<usize> {
        let (margin, abreast) = (self.margin as usize, self.abreast as usize);
        let is_inside = (margin..self.height as usize - margin).contains(&row);
        if is_inside { margin * abreast..self.row_length() - margin * abreast } else { 0..0 }
    }

    /// Number of pixels, with the margin.
    pub(crate) fn pixels(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Samples in a row of a plane, without padding.
    #[inline(always)]
    pub(crate) fn row_length(self) -> usize {
        self.width as usize * self.abreast as usize
    }

    /// Distance from one row of a plane to the next.
    #[inline(always)]
    pub(crate) fn stride(self) -> usize {
        self.row_length().next_multiple_of(LANES) + LANES
    }

    /// Length of a plane.
    pub(crate) fn plane(self) -> usize {
        self.stride() * self.height as usize
    }

    /// The plane of a sample and its offset there; samples are numbered plane by plane.
    #[inline(always)]
    pub(crate) fn plane_and_offset(self, sample: u32) -> (usize, usize) {
        (sample as usize / self.plane(), sample as usize % self.plane())
    }

    /// Column and row in the picture of an offset in a plane of one sample of every pixel.
    #[inline(always)]
    pub(crate) fn pixel(self, offset: usize) -> [u32; 2] {
        let (column, row) = (offset % self.stride(), offset / self.stride());
        [self.x + column as i32, self.y + row as i32].map(i32::cast_unsigned)
    }
}

/// The rays of one sample of every pixel.
#[derive(Debug, Default)]
pub(crate) struct SampleRays {
    /// Unit directions, one plane an axis.
    direction: [Vec<f32>; 3],
    /// Origins of parallel rays relative to the eye, one plane an axis; empty in perspective.
    origin: [Vec<f32>; 3],
    /// The clipped interval of each ray, from begin to end; empty without planes.
    kept: [Vec<f32>; 2],
}

impl SampleRays {
    /// Computes the rays of a grid for samples at a sub-pixel position.
    #[inline(always)]
    pub(crate) fn fill<S: Simd>(&mut self, simd: S, rays: &Rays, grid: SampleGrid, position: [f32; 2]) {
        self.fill_abreast(simd, rays, grid, &[position]);
    }

    /// Computes the rays of a grid for the samples of a pixel that lie side by side.
    #[inline(always)]
    pub(crate) fn fill_abreast<S: Simd>(&mut self, simd: S, rays: &Rays, grid: SampleGrid, positions: &[[f32; 2]]) {
        self.direction.iter_mut().for_each(|plane| plane.resize(grid.plane(), 0.0));
        let parallel = if rays.parallel { grid.plane() } else { 0 };
        self.origin.iter_mut().for_each(|plane| plane.resize(parallel, 0.0));
        for column in (0..grid.stride()).step_by(LANES) {
            let (mut x, mut below) = ([0.0; LANES], [0.0; LANES]);
            for lane in 0..LANES {
                let (pixel, [right, down]) =
                    ((column + lane) / positions.len(), positions[(column + lane) % positions.len()]);
                let first = pixel - pixel % LANES;
                x[lane] = ((pixel % LANES) as f32 + (grid.x + first as i32) as f32) + right;
                below[lane] = down;
            }
            let (x, below) = (f32x8::load_array(simd, x), f32x8::load_array(simd, below));
            for row in 0..grid.height {
                let y = below + (grid.y + row.cast_signed()) as f32;
                let at = row as usize * grid.stride() + column;
                store(&mut self.direction, at, rays.directions(x, y));
                if rays.parallel {
                    store(&mut self.origin, at, rays.starts(x, y));
                }
            }
        }
    }

    /// Clips each ray by the planes.
    #[inline(always)]
    pub(crate) fn clip<S: Simd>(&mut self, simd: S, clip: &ClipRegion) {
        let length = self.direction[0].len();
        self.kept.iter_mut().for_each(|plane| plane.resize(length, 0.0));
        for at in (0..length).step_by(LANES) {
            let kept = clip.kept8(simd, self.origins8(simd, at), self.directions8(simd, at));
            for (plane, kept) in self.kept.iter_mut().zip(kept) {
                kept.store_slice(&mut plane[at..at + LANES]);
            }
        }
    }

    /// The clipped intervals of eight rays; `None` without planes.
    #[inline(always)]
    pub(crate) fn kept8<S: Simd>(&self, simd: S, at: usize) -> Option<[f32x8<S>; 2]> {
        let load = |plane: &Vec<f32>| f32x8::from_slice(simd, &plane[at..at + LANES]);
        (!self.kept[0].is_empty()).then(|| self.kept.each_ref().map(load))
    }

    /// Whether planes cut some of the rays.
    #[inline(always)]
    pub(crate) fn are_clipped(&self) -> bool {
        !self.kept[0].is_empty()
    }

    /// Whether rays are parallel and start in the plane of the eye.
    #[inline(always)]
    pub(crate) fn are_parallel(&self) -> bool {
        !self.origin[0].is_empty()
    }

    /// The planes of directions.
    #[inline(always)]
    pub(crate) fn direction_planes(&self) -> [&[f32]; 3] {
        [&self.direction[0], &self.direction[1], &self.direction[2]]
    }

    /// Unit direction of the ray at an offset.
    #[inline(always)]
    pub(crate) fn direction(&self, at: usize) -> [f32; 3] {
        [self.direction[0][at], self.direction[1][at], self.direction[2][at]]
    }

    /// Origin relative to the eye of the ray at an offset.
    #[inline(always)]
    pub(crate) fn origin(&self, at: usize) -> [f32; 3] {
        if self.are_parallel() { [self.origin[0][at], self.origin[1][at], self.origin[2][at]] } else { [0.0; 3] }
    }

    /// Directions of eight rays.
    #[inline(always)]
    pub(crate) fn directions8<S: Simd>(&self, simd: S, at: usize) -> Vec3x8<S> {
        load3_at(simd, self.direction_planes(), at)
    }

    /// Origins of eight rays relative to the eye.
    #[inline(always)]
    pub(crate) fn origins8<S: Simd>(&self, simd: S, at: usize) -> Vec3x8<S> {
        if self.are_parallel() {
            load3_at(simd, [&self.origin[0], &self.origin[1], &self.origin[2]], at)
        } else {
            [f32x8::splat(simd, 0.0); 3]
        }
    }
}

#[inline(always)]
fn store<S: Simd>(planes: &mut [Vec<f32>; 3], at: usize, vectors: Vec3x8<S>) {
    for axis in 0..3 {
        vectors[axis].store_slice(&mut planes[axis][at..at + LANES]);
    }
}
