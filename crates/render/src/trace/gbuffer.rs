//! The G-buffer and depths of a picture: its nearest hits, tile by tile, without shading.
#![expect(clippy::cast_possible_truncation, reason = "a picture has at most as many rows as fit into 32 bits")]

use rayon::prelude::*;

use super::draw::Scratch;
use super::find::primary::HitLayer;
use super::find::sample_rays::{SampleGrid, SampleRays};
use super::prepared::PreparedSpheres;
use crate::lanes::{dot, point_at};
use crate::scene::{DepthMap, PrimitiveId};
use crate::shapes::{HitSide, Primitive, ShapeVisitor, Surface, Target, VastSphere, visit_shape};

/// The surface in the middle of each pixel, row by row from the top: the first one, however translucent it is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GBuffer {
    /// Distances from the eye along the line of sight, in world units; infinite where there is no sphere.
    pub depths: Vec<f32>,
    /// Unit normals in world coordinates that face the eye; 0 where there is no sphere.
    pub normals: Vec<[f32; 3]>,
    /// Indices of the spheres in the scene, through groups, then poses, then spheres, and then of its cylinders,
    /// ellipsoids and cones; [`GBuffer::NONE`] where there is nothing.
    pub spheres: Vec<u32>,
}

impl GBuffer {
    /// The index of no sphere.
    pub const NONE: u32 = u32::MAX;
}

impl PreparedSpheres<'_> {
    /// The surfaces at the first sample of every pixel, which is its centre.
    pub(crate) fn gbuffer(&self) -> GBuffer {
        let [width, height] = self.projector.size();
        let stride = width as usize;
        let count = stride * height as usize;
        let mut depths = vec![f32::INFINITY; count];
        let mut normals = vec![[0.0; 3]; count];
        let mut spheres = vec![GBuffer::NONE; count];
        let rows = stride * self.tile as usize;
        let rows = depths.par_chunks_mut(rows).zip(normals.par_chunks_mut(rows)).zip(spheres.par_chunks_mut(rows));
        self.sweep(rows, |((depths, normals), spheres), grid, scratch| {
            let (layer, rays) = (&scratch.hits.layers[0], &scratch.search.rays[0]);
            for_each_hit(grid, layer, stride, |pixel, at| {
                depths[pixel] = layer.distance[at] * dot(rays.direction(at), self.rays.forward) + self.rays.advance;
                spheres[pixel] = self.instances.shapes.number(layer.index[at]);
                normals[pixel] = self.normal(layer, rays, at);
            });
        });
        GBuffer { depths, normals, spheres }
    }

    /// The primitives at the first sample of every pixel, row-major from the top; [`GBuffer::NONE`] stands for none.
    pub(crate) fn primitive_map(&self) -> Vec<u32> {
        let [width, height] = self.projector.size();
        let stride = width as usize;
        let mut primitives = vec![GBuffer::NONE; stride * height as usize];
        let rows = primitives.par_chunks_mut(stride * self.tile as usize);
        self.sweep(rows, |primitives, grid, scratch| {
            let layer = &scratch.hits.layers[0];
            for_each_hit(grid, layer, stride, |pixel, at| primitives[pixel] = layer.index[at]);
        });
        primitives
    }

    /// The depths at every sample of every pixel.
    pub(crate) fn depths(&self) -> DepthMap {
        let samples = self.positions.len();
        let mut map = DepthMap::new(self.projector.size(), 0, samples);
        let stride = map.width * samples;
        let rows = map.depths.par_chunks_mut(stride * self.tile as usize);
        self.sweep(rows, |depths, grid, scratch| {
            for (sample, (layer, rays)) in scratch.hits.layers.iter().zip(&scratch.search.rays).enumerate() {
                for (row, start) in depths.chunks_mut(stride).zip(grid.rows()) {
                    let first = grid.x as usize * samples + sample;
                    let row = row[first..].iter_mut().step_by(samples);
                    for (depth, at) in row.zip(start..start + grid.inner_width()) {
                        let distance = layer.distance[at];
                        if distance < f32::INFINITY {
                            *depth = distance * dot(self.rays.forward, rays.direction(at)) + self.rays.advance;
                        }
                    }
                }
            }
        });
        map
    }

    /// The primitive at the centre of a pixel.
    pub(crate) fn primitive_at(&self, [x, y]: [u32; 2]) -> Option<PrimitiveId> {
        let mut scratch = Scratch::default();
        let grid = SampleGrid { x: x.cast_signed(), y: y.cast_signed(), width: 1, height: 1, margin: 0, abreast: 1 };
        self.find_nearest(&mut scratch, grid);
        let layer = &scratch.hits.layers[0];
        (layer.distance[0] < f32::INFINITY).then(|| PrimitiveId(layer.index[0]))
    }

    /// Finds the hits of every tile. `keep` receives each tile's hits with its row of tiles, taken from `rows`.
    fn sweep<R: Send>(
        &self,
        rows: impl IndexedParallelIterator<Item = R>,
        keep: impl Fn(&mut R, SampleGrid, &Scratch) + Sync,
    ) {
        let ([width, height], side) = (self.projector.size(), self.tile);
        rows.enumerate().for_each_init(Scratch::default, |scratch, (row, mut kept)| {
            let y = row as u32 * side;
            for x in (0..width).step_by(side as usize) {
                let (width, height) = (side.min(width - x), side.min(height - y));
                let grid = SampleGrid { x: x.cast_signed(), y: y.cast_signed(), width, height, margin: 0, abreast: 1 };
                self.find_nearest(scratch, grid);
                keep(&mut kept, grid, scratch);
            }
        });
    }

    /// The surface of the primitive with this index where a ray hits it.
    fn surface(&self, index: u32, origin: [f32; 3], direction: [f32; 3]) -> Surface {
        let (instances, first) = (&self.instances, FirstSurface { origin, direction });
        if instances.shapes.has(PrimitiveId(index)) {
            visit_shape(instances.shapes.shape(index), first)
        } else {
            let sphere = instances.sphere(index).0;
            match VastSphere::of(sphere, &self.rays, instances, index) {
                Some(vast) => first.visit(vast),
                None => first.visit(sphere),
            }
        }
    }

    /// The normal where a sample hits a sphere or a cap, turned to the eye.
    fn normal(&self, layer: &HitLayer, rays: &SampleRays, at: usize) -> [f32; 3] {
        let (origin, direction) = (rays.origin(at), rays.direction(at));
        let point = point_at(origin, direction, layer.distance[at]);
        // caps store a power instead of the cosine
        let cap = self.clip.as_ref().filter(|_| layer.cosine[at] < 0.0);
        match cap.and_then(|clip| clip.normal_at(point)) {
            Some(normal) if dot(normal, direction) > 0.0 => normal.map(|along| -along),
            Some(normal) => normal,
            None => self.surface(layer.index[at], origin, direction).normal,
        }
    }
}

/// Calls `found` for each hit of a tile: with its pixel in the row of tiles, which is `stride` pixels wide, and with its
/// offset in the layer.
fn for_each_hit(grid: SampleGrid, layer: &HitLayer, stride: usize, mut found: impl FnMut(usize, usize)) {
    for (row, start) in grid.rows().enumerate() {
        let first = row * stride + grid.x as usize;
        for (pixel, at) in (first..).zip(start..start + grid.inner_width()) {
            if layer.distance[at] < f32::INFINITY {
                found(pixel, at);
            }
        }
    }
}

/// The surface where a ray enters a primitive, or leaves it if it starts inside.
struct FirstSurface {
    origin: [f32; 3],
    direction: [f32; 3],
}

impl ShapeVisitor for FirstSurface {
    type Output = Surface;

    fn visit<P: Primitive>(self, shape: P) -> Surface {
        shape.target().surface(self.origin, self.direction, HitSide::Near)
    }
}
