//! Depths of the nearest hits, without shading.
#![expect(clippy::cast_possible_truncation, reason = "tiles are at most 1024 pixels a side")]

use fearless_simd::dispatch;
use rayon::prelude::*;

use super::sample_rays::SampleGrid;
use super::{Scratch, Stage};

impl Stage<'_> {
    /// Depths along the line of sight at every sample of every pixel, row by row, the samples of a pixel together;
    /// infinite without a hit.
    pub(crate) fn depths(&self, width: u32, height: u32, side: u32) -> Vec<f32> {
        let samples = self.positions.len();
        let row = width as usize * samples;
        let mut depths = vec![f32::INFINITY; row * height as usize];
        let bands = depths.par_chunks_mut(row * side as usize).enumerate();
        bands.for_each_init(Scratch::default, |scratch, (band, depths)| {
            let y = band as u32 * side;
            for x in (0..width).step_by(side as usize) {
                let (columns, rows) = (side.min(width - x), side.min(height - y));
                let grid =
                    SampleGrid { x: x.cast_signed(), y: y.cast_signed(), width: columns, height: rows, margin: 0 };
                let (lists, Scratch { search, hits, .. }) =
                    (self.bins.lists(x.cast_signed(), y.cast_signed()), &mut *scratch);
                dispatch!(self.level, simd => search.find(simd, &self.primary_scene(), grid, &lists, hits));
                for (sample, layer) in hits.layers.iter().enumerate() {
                    for row_of_tile in 0..grid.height as usize {
                        for column in 0..grid.width as usize {
                            let at = row_of_tile * grid.stride() + column;
                            let distance = layer.distance[at];
                            if distance < f32::INFINITY {
                                let [fx, fy, fz] = self.rays.forward;
                                let [dx, dy, dz] = search.rays[sample].direction(at);
                                let along = fx * dx + fy * dy + fz * dz;
                                let pixel = (x as usize + column) * samples + sample;
                                depths[row_of_tile * row + pixel] = distance * along;
                            }
                        }
                    }
                }
            }
        });
        depths
    }
}
