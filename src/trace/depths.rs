//! Depths of the nearest hits, without shading.

use rayon::prelude::*;

use super::Stage;
use crate::lanes::dot;

impl Stage<'_> {
    /// Depths along the line of sight at every sample of every pixel, row by row, the samples of a pixel together;
    /// infinite without a hit.
    pub(crate) fn depths(&self, width: u32, height: u32, side: u32) -> Vec<f32> {
        let samples = self.positions.len();
        let stride = width as usize * samples;
        let mut depths = vec![f32::INFINITY; stride * height as usize];
        let rows = depths.par_chunks_mut(stride * side as usize);
        self.sweep([width, height], side, rows, |depths, grid, scratch| {
            for (sample, (layer, rays)) in scratch.hits.layers.iter().zip(&scratch.search.rays).enumerate() {
                for (row, start) in depths.chunks_mut(stride).zip(grid.rows()) {
                    let first = grid.x as usize * samples + sample;
                    let row = row[first..].iter_mut().step_by(samples);
                    for (depth, at) in row.zip(start..start + grid.inner_width()) {
                        let distance = layer.distance[at];
                        if distance < f32::INFINITY {
                            *depth = distance * dot(self.rays.forward, rays.direction(at));
                        }
                    }
                }
            }
        });
        depths
    }
}
