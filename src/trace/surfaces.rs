//! The nearest surface in the middle of every pixel: depth, normal and sphere, without shading.
#![expect(clippy::cast_possible_truncation, reason = "tiles are at most 1024 pixels a side")]

use fearless_simd::dispatch;
use rayon::prelude::*;

use super::intersect::Target;
use super::sample_rays::SampleGrid;
use super::surface_map::SurfaceMap;
use super::{Scratch, Stage};
use crate::lanes::dot;

impl Stage<'_> {
    /// The surfaces at the first sample of every pixel, which is its middle.
    pub(crate) fn surfaces(&self, width: u32, height: u32, side: u32) -> SurfaceMap {
        let count = width as usize * height as usize;
        let mut depths = vec![f32::INFINITY; count];
        let mut normals = vec![[0.0; 3]; count];
        let mut spheres = vec![u32::MAX; count];
        let band = width as usize * side as usize;
        let bands = depths.par_chunks_mut(band).zip(normals.par_chunks_mut(band)).zip(spheres.par_chunks_mut(band));
        bands.enumerate().for_each_init(Scratch::default, |scratch, (band, ((depths, normals), spheres))| {
            let y = band as u32 * side;
            for x in (0..width).step_by(side as usize) {
                let (columns, rows) = (side.min(width - x), side.min(height - y));
                let [left, top] = [x, y].map(u32::cast_signed);
                let grid = SampleGrid { x: left, y: top, width: columns, height: rows, margin: 0 };
                let (lists, Scratch { search, hits, .. }) = (self.bins.lists(left, top), &mut *scratch);
                dispatch!(self.level, simd => search.find(simd, &self.primary_scene(), grid, &lists, hits));
                let (layer, rays) = (&hits.layers[0], &search.rays[0]);
                for (row, column) in (0..rows as usize).flat_map(|row| (0..columns as usize).map(move |x| (row, x))) {
                    let at = row * grid.stride() + column;
                    let distance = layer.distance[at];
                    if distance < f32::INFINITY {
                        let (origin, direction) = (rays.origin(at), rays.direction(at));
                        let pixel = row * width as usize + x as usize + column;
                        depths[pixel] = distance * dot(direction, self.rays.forward);
                        spheres[pixel] = layer.index[at];
                        let point = std::array::from_fn(|axis| origin[axis] + direction[axis] * distance);
                        // caps have a power in the place of the cosine
                        let cap = self.clip.as_ref().filter(|_| layer.cosine[at] < 0.0);
                        normals[pixel] = match cap.and_then(|clip| clip.normal_at(point)) {
                            Some(normal) if dot(normal, direction) > 0.0 => normal.map(|along| -along),
                            Some(normal) => normal,
                            None => {
                                Target::new(self.instances.sphere(layer.index[at]).0).surface(origin, direction).normal
                            }
                        };
                    }
                }
            }
        });
        SurfaceMap { depths, normals, spheres }
    }
}
