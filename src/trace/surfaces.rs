//! The nearest surface in the middle of every pixel: depth, normal and sphere, without shading.

use rayon::prelude::*;

use super::Stage;
use super::find::intersect::Target;
use super::find::primary::HitLayer;
use super::find::sample_rays::SampleRays;
use super::surface_map::SurfaceMap;
use crate::lanes::dot;

impl Stage<'_> {
    /// The surfaces at the first sample of every pixel, which is its middle.
    pub(crate) fn gbuffer(&self, width: u32, height: u32, side: u32) -> SurfaceMap {
        let stride = width as usize;
        let count = stride * height as usize;
        let mut depths = vec![f32::INFINITY; count];
        let mut normals = vec![[0.0; 3]; count];
        let mut spheres = vec![u32::MAX; count];
        let rows = stride * side as usize;
        let rows = depths.par_chunks_mut(rows).zip(normals.par_chunks_mut(rows)).zip(spheres.par_chunks_mut(rows));
        self.sweep([width, height], side, rows, |((depths, normals), spheres), grid, scratch| {
            let (layer, rays) = (&scratch.hits.layers[0], &scratch.search.rays[0]);
            for (row, start) in grid.rows().enumerate() {
                let first = row * stride + grid.x as usize;
                for (pixel, at) in (first..).zip(start..start + grid.inner_width()) {
                    let distance = layer.distance[at];
                    if distance < f32::INFINITY {
                        depths[pixel] = distance * dot(rays.direction(at), self.rays.forward);
                        spheres[pixel] = layer.index[at];
                        normals[pixel] = self.normal(layer, rays, at);
                    }
                }
            }
        });
        SurfaceMap { depths, normals, spheres }
    }

    /// The normal where a sample hits a sphere or a cap, turned to the eye.
    fn normal(&self, layer: &HitLayer, rays: &SampleRays, at: usize) -> [f32; 3] {
        let (origin, direction) = (rays.origin(at), rays.direction(at));
        let point = std::array::from_fn(|axis| origin[axis] + direction[axis] * layer.distance[at]);
        // caps have a power in the place of the cosine
        let cap = self.clip.as_ref().filter(|_| layer.cosine[at] < 0.0);
        match cap.and_then(|clip| clip.normal_at(point)) {
            Some(normal) if dot(normal, direction) > 0.0 => normal.map(|along| -along),
            Some(normal) => normal,
            None => Target::new(self.instances.sphere(layer.index[at]).0).surface(origin, direction).normal,
        }
    }
}
