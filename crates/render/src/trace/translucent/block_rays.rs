//! One ray for each block of 2 × 2 pixels, which finds the light of large, faint spheres.
//!
//! Blocks lie in the picture, not in the tile, so that no byte depends on where tiles are cut.

use fearless_simd::prelude::*;

use crate::geom::Sphere;
use crate::lanes::norm;
use crate::scene::Rays;
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};

/// The rays through the middles of blocks of 2 × 2 pixels that a tile touches; kept by a thread.
#[derive(Debug, Default)]
pub(super) struct BlockRays {
    pub rays: SampleRays,
    pub grid: SampleGrid,
    /// Size of a pixel: world units for parallel rays, otherwise at a distance of 1.
    pixel: f32,
}

/// Least radius in pixels of spheres that are lit by blocks: openness changes little across two of their pixels.
const LEAST_RADIUS: f32 = 8.0;

/// Bytes for each sample of a tile: a block, of at least eight samples, has a direction, an origin and a place of its light.
pub(super) const BYTES: usize = (6 * size_of::<f32>() + size_of::<(u32, u32)>()) / 8;

impl BlockRays {
    /// Computes the rays of the blocks that a tile touches.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "tiles are at most 1024 pixels a side")]
    pub(super) fn fill<S: Simd>(&mut self, simd: S, rays: &Rays, tile: SampleGrid) {
        let (x, y) = (tile.x >> 1, tile.y >> 1);
        let length = |first: i32, start: i32, length: u32| (((start + length as i32 + 1) >> 1) - first).cast_unsigned();
        let (width, height) = (length(x, tile.x, tile.width), length(y, tile.y, tile.height));
        self.grid = SampleGrid { x, y, width, height, margin: 0, abreast: 1 };
        self.pixel = rays.step;
        self.rays.fill(simd, &rays.of_blocks(), self.grid, [0.5; 2]);
    }

    /// Whether openness hardly changes from one pixel of a sphere to the next.
    #[inline(always)]
    pub(super) fn are_fine_on(&self, Sphere { center, radius }: Sphere<3>) -> bool {
        let away = if self.rays.are_parallel() { 1.0 } else { norm(center) };
        radius >= LEAST_RADIUS * self.pixel * away
    }

    /// The offset of the ray of a pixel's block.
    #[inline(always)]
    #[expect(clippy::cast_sign_loss, reason = "the tile touches the block")]
    pub(super) fn offset(&self, pixel: [u32; 2]) -> usize {
        let column = ((pixel[0].cast_signed() >> 1) - self.grid.x) as usize;
        let row = ((pixel[1].cast_signed() >> 1) - self.grid.y) as usize;
        row * self.grid.stride() + column
    }
}
