//! The share of light that arrives at the hits of a batch: openness for the ambient light, visibility for lights with
//! soft shadows and for lights behind translucent shapes.
//!
//! Openness is the cosine-weighted share of the hemisphere over a point that nothing near occludes. It comes from rays
//! ([`crate::trace::light::ao_rays`]) or, without rays, from the shapes around ([`crate::trace::light::smooth`]), once
//! for each primitive that a pixel shows. Hard shadows are bits of a batch's lanes: [`crate::trace::light::shadows`].

use fearless_simd::prelude::*;

use super::faint::interpolate_share;
use super::lighting::{ShadeContext, Studio};
use super::medium::MediumSphere;
use super::surface_batch::{Sharing, SurfaceBatch};
use crate::geom::Sphere;
use crate::lanes::{LANES, Rows3, norm, point_at, sub};
use crate::scene::{PlacedShape, PrimitiveId, SphereInstances};
use crate::shapes::OcclusionRay;
use crate::statistics::Statistics;
use crate::trace::accel::bvh::EyeBvh;
use crate::trace::find::sample_rays::SampleGrid;
use crate::trace::find::sampling::Directions;
use crate::trace::light::ao_rays::{FarWall, Neighbors, RayStart};
use crate::trace::light::directional::PreparedLight;
use crate::trace::light::smooth::{
    LEAST_RADIUS, LightNet, NearPlanes, ShadedPoint, ShadedShape, SmoothOcclusion, SmoothScratch, SoftLight,
};
use crate::trace::light::translucent_shadows::{LightCrossing, LitPoint, TranslucentShadows};

/// The method for openness.
#[derive(Debug)]
pub(crate) enum Occlusion {
    None,
    Smooth { distance: f32 },
    Rays { directions: Directions, distance: f32 },
}

/// Occluders that count as opaque, and the weight of the openness among them.
pub(crate) struct OccluderLayer<'a> {
    pub share: f32,
    /// The least alpha of its shapes.
    pub least_alpha: u8,
    /// Present if openness is found by rays.
    pub bvh: Option<EyeBvh<'a>>,
    /// Present if openness or soft shadows are found without rays.
    pub smooth: Option<SmoothOcclusion<'a>>,
}

/// Scratch of one layer for the current primitive.
#[derive(Debug, Default)]
pub(super) struct LayerScratch {
    neighbors: Neighbors,
    pub(super) smooth: SmoothScratch,
    /// Whether the primitive is one of the occluders.
    pub(super) has_own: bool,
    /// Whether the primitive is so translucent that coarse openness is enough.
    is_faint: bool,
}

/// Shapes of less alpha are faint: less than half of an error in their openness is visible.
pub(crate) const FAINT: u8 = 128;

/// Memory for the openness of surfaces, kept by a thread.
#[derive(Debug, Default)]
pub(crate) struct OpennessScratch {
    /// One for each layer of occluders.
    pub(super) layers: Vec<LayerScratch>,
    /// The primitive, if it is not a sphere and rays find its openness.
    pub(super) shape: Option<PlacedShape>,
    pub(super) medium: MediumSphere,
    /// The primitive whose surroundings are not known yet.
    pub(super) unseen: Option<UnseenShape>,
    /// For openness and each light, its shares at vertices of the primitive.
    nets: Vec<LightNet>,
    /// The primitive relative to the eye, if it is a sphere whose light is interpolated between vertices; its radius in
    /// pixels and its least feature.
    pub(super) meshed: Option<(Sphere<3>, [f32; 2])>,
    /// For openness and each light, a cache by pixel of the tile: the last primitive and its share. Samples of a pixel
    /// that show the same primitive have one share.
    found: Vec<Vec<(PrimitiveId, f32)>>,
    /// The crossings of one ray to a light.
    pub(super) crossings: Vec<LightCrossing>,
    pub(super) work: Statistics,
}

impl OpennessScratch {
    /// Clears the results of the previous tile.
    pub(crate) fn clear(&mut self) {
        self.found.iter_mut().for_each(Vec::clear);
    }

    /// Takes the counts.
    pub(crate) fn take_work(&mut self) -> Statistics {
        let occluders = self.layers.iter_mut().map(|layer| std::mem::take(&mut layer.smooth.occluders)).sum();
        Statistics { occluders, ..std::mem::take(&mut self.work) }
    }
}

impl Studio {
    /// Prepares for the openness of hits on a primitive, and sets the viewpoint of its batch.
    pub(crate) fn prepare_openness<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        scratch: &mut OpennessScratch,
        batch: &mut SurfaceBatch,
        instances: &SphereInstances<'_>,
        id: PrimitiveId,
    ) {
        scratch.layers.resize_with(context.layers.len().max(scratch.layers.len()), LayerScratch::default);
        scratch.medium.begin(None);
        scratch.meshed = None;
        let casts_rays = matches!(self.occlusion, Occlusion::Rays { .. });
        if !casts_rays && context.layers.iter().all(|layer| layer.smooth.is_none()) {
            return;
        }
        let (shaded, eye) = (shaded_shape(instances, id), instances.eye);
        let is_shape = shaded.shape.is_some();
        batch.viewpoint = is_shape.then(|| {
            let is_exact =
                context.layers.iter().any(|layer| layer.smooth.as_ref().is_some_and(SmoothOcclusion::is_exact));
            sub(if is_exact { shaded.around.center } else { shaded.stand_in.center }, eye)
        });
        scratch.shape = (is_shape && casts_rays).then(|| instances.shapes.shape(id.0));
        let alpha = instances.color(id.0).a;
        for (layer, scratch) in context.layers.iter().zip(&mut scratch.layers) {
            scratch.has_own = alpha >= layer.least_alpha;
            scratch.is_faint = alpha < FAINT;
            if let Some(bvh) = layer.bvh.filter(|_| casts_rays) {
                scratch.neighbors.gather(simd, bvh, instances.sphere_around(id.0));
            }
        }
        let opacity = f32::from(alpha) * (1.0 / 255.0);
        look_around(simd, context, &mut scratch.layers, &UnseenShape { shaded, opacity });
        scratch.meshed = meshed(context, &scratch.layers, instances, id);
        if let Some((_, [pixels, feature])) = scratch.meshed {
            scratch.nets.resize_with(scratch.nets.len().max(1 + self.lights.len()), LightNet::default);
            scratch.nets.iter_mut().for_each(|net| net.begin(pixels, feature));
        }
    }

    /// Finds the openness of a batch's hits; returns the rays cast.
    #[inline(always)]
    pub(super) fn find_openness<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        scratch: &mut OpennessScratch,
        grid: SampleGrid,
        batch: &mut SurfaceBatch,
    ) -> u64 {
        let is_meshed = scratch.meshed.is_some() && !batch.is_far;
        let is_interpolated = is_meshed || scratch.medium.interpolated().is_some();
        for (layer, scratch) in context.layers.iter().zip(&mut scratch.layers) {
            if let Some(smooth) = layer.smooth.as_ref().filter(|_| !is_interpolated) {
                smooth.face(simd, &mut scratch.smooth, batch);
            }
        }
        match &self.occlusion {
            Occlusion::None => 0,
            Occlusion::Smooth { .. } => {
                find_smooth_share(simd, context, scratch, grid, SmoothShare::Openness, batch);
                0
            }
            Occlusion::Rays { directions, distance } => {
                cast_openness_rays(simd, context, scratch, grid, batch, directions, *distance)
            }
        }
    }
}

/// A primitive relative to the eye, if it is a sphere whose light is interpolated between vertices; its radius in pixels
/// and its least feature.
fn meshed(
    context: &ShadeContext<'_>,
    layers: &[LayerScratch],
    instances: &SphereInstances<'_>,
    id: PrimitiveId,
) -> Option<(Sphere<3>, [f32; 2])> {
    let sphere = context.whole_sphere(instances, id)?;
    let pixels = sphere.radius / context.pixel_at(sphere.center);
    let is_outside = context.rays.parallel || norm(sphere.center) > sphere.radius;
    if !(is_outside && pixels >= LEAST_RADIUS) {
        return None;
    }
    let smooth =
        context.layers.iter().zip(layers).filter_map(|(layer, scratch)| Some((layer.smooth.as_ref()?, scratch)));
    let feature = smooth.map(|(smooth, scratch)| smooth.least_feature(&scratch.smooth)).fold(1.0, f32::min);
    (feature > 0.0).then_some((sphere, [pixels, feature]))
}

/// A primitive of some opacity, as smooth occlusion sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnseenShape {
    pub shaded: ShadedShape,
    pub opacity: f32,
}

/// Finds the surroundings of a primitive in each layer.
pub(super) fn look_around<S: Simd>(
    simd: S,
    context: &ShadeContext<'_>,
    layers: &mut [LayerScratch],
    UnseenShape { shaded, opacity }: &UnseenShape,
) {
    for (layer, scratch) in context.layers.iter().zip(layers) {
        if let Some(smooth) = &layer.smooth {
            smooth.with_share(layer.share * opacity).prepare(simd, &mut scratch.smooth, shaded);
        }
    }
}

/// A primitive as smooth occlusion sees it.
pub(super) fn shaded_shape(instances: &SphereInstances<'_>, id: PrimitiveId) -> ShadedShape {
    let stand_in = instances.stand_in(id.0);
    if !instances.shapes.has(id) {
        return ShadedShape { around: stand_in, stand_in, shape: None };
    }
    let shape = instances.shapes.whole(id.0);
    let around = instances.shapes.seen_from([0.0; 3]).shape(shape).extent().around();
    ShadedShape { around, stand_in, shape: Some(shape) }
}

/// Finds the openness of a batch's hits by rays; returns the rays cast.
#[inline(always)]
fn cast_openness_rays<S: Simd>(
    simd: S,
    context: &ShadeContext<'_>,
    scratch: &OpennessScratch,
    grid: SampleGrid,
    batch: &mut SurfaceBatch,
    directions: &Directions,
    distance: f32,
) -> u64 {
    let mut rays = 0;
    for index in 0..batch.count {
        let mut openness = 0.0;
        if let Some(of_cap) = batch.openness_of_cap(index) {
            openness = of_cap;
        } else {
            let (plane, offset) = grid.plane_and_offset(batch.samples[index]);
            let [x, y] = grid.pixel(offset);
            #[expect(clippy::cast_possible_truncation, reason = "samples of a pixel are at most 4096")]
            let directions = directions.of([x, y, plane as u32]);
            let start = ray_start(batch, index, scratch.shape);
            for (layer, scratch) in context.layers.iter().zip(&scratch.layers) {
                openness += layer.share * open_rays(simd, layer, scratch, &start, directions, distance);
                rays += layer.bvh.map_or(0, |_| directions.len() as u64);
            }
        }
        batch.openness[index / LANES][index % LANES] = openness;
        batch.closed[index / LANES] |= u64::from(openness == 0.0 && !batch.is_far) << (index % LANES);
    }
    rays
}

/// A share of light that smooth occlusion finds at hits.
#[derive(Clone, Copy)]
pub(super) enum SmoothShare<'a> {
    Openness,
    /// The visible share of a light with soft shadows.
    Light(&'a SoftLight),
}

impl SmoothShare<'_> {
    /// Index of its results in caches.
    pub(super) fn number(self) -> usize {
        match self {
            Self::Openness => 0,
            Self::Light(light) => 1 + light.number,
        }
    }

    /// The share at the point with this normal.
    #[inline(always)]
    pub(super) fn at<S: Simd>(
        self,
        simd: S,
        smooth: &SmoothOcclusion<'_>,
        scratch: &mut SmoothScratch,
        normal: [f32; 3],
        point: &ShadedPoint,
    ) -> f32 {
        match self {
            Self::Openness => smooth.openness(simd, scratch, normal, point),
            Self::Light(light) => smooth.light(simd, scratch, normal, point, light),
        }
    }

    /// Its rows in a batch, and the batch's normals.
    #[inline(always)]
    pub(super) fn rows(self, batch: &mut SurfaceBatch) -> (&mut [[f32; LANES]], &[Rows3]) {
        let groups = batch.groups();
        let rows = match self {
            Self::Openness => &mut batch.openness,
            Self::Light(..) => &mut batch.lit,
        };
        (&mut rows[..groups], &batch.normals[..groups])
    }
}

/// Finds a share at a batch's hits without rays: once for each pixel, or, on a sphere of a medium, once for each of
/// three directions.
#[inline(always)]
pub(super) fn find_smooth_share<S: Simd>(
    simd: S,
    context: &ShadeContext<'_>,
    scratch: &mut OpennessScratch,
    grid: SampleGrid,
    share: SmoothShare<'_>,
    batch: &mut SurfaceBatch,
) {
    if let Some(sphere) = scratch.medium.interpolated() {
        interpolate_share(simd, context, scratch, sphere, share, batch);
        return;
    }
    let OpennessScratch { layers, found, nets, meshed, work, .. } = scratch;
    let meshed = meshed.filter(|_| !batch.is_far);
    found.resize_with(found.len().max(share.number() + 1), Vec::new);
    let found = &mut found[share.number()];
    found.resize(grid.plane(), (PrimitiveId::NONE, 0.0));
    for index in 0..batch.count {
        let (_, offset) = grid.plane_and_offset(batch.samples[index]);
        let arriving = if let Some(of_cap) = batch.openness_of_cap(index) {
            of_cap
        } else {
            let (owner, shared) = found[offset];
            if owner == batch.id && batch.sharing != Sharing::Canonical && !shared.is_nan() {
                shared
            } else {
                let normal = batch.normal(index);
                let mut interpolated = None;
                if let Some((sphere, _)) = meshed {
                    let is_inside = batch.inside[index / LANES] >> (index % LANES) & 1 == 1;
                    if !is_inside {
                        interpolated = nets[share.number()].share(
                            normal,
                            #[inline(always)]
                            |vertex| {
                                work.lit += 1;
                                share_at_vertex(simd, context, layers, sphere, vertex, share)
                            },
                        );
                    }
                    if interpolated.is_none() {
                        face_point(simd, context, layers, (!is_inside).then_some(normal));
                    }
                }
                let (mean, is_closed) = interpolated.map(|mean| (mean, false)).unwrap_or_else(
                    #[inline(always)]
                    || {
                        work.lit += 1;
                        mean_over_layers(
                            context,
                            layers,
                            batch,
                            index,
                            #[inline(always)]
                            |smooth, scratch, point| share.at(simd, smooth, scratch, normal, point),
                        )
                    },
                );
                match batch.sharing {
                    Sharing::Pixel => found[offset] = (batch.id, mean),
                    Sharing::Canonical => found[offset] = (batch.id, if is_closed { f32::NAN } else { mean }),
                    Sharing::Individual => {}
                }
                batch.closed[index / LANES] |= u64::from(is_closed) << (index % LANES);
                mean
            }
        };
        share.rows(batch).0[index / LANES][index % LANES] = arriving;
    }
}

/// Drops the near spheres below the horizon of a point that is seen from outside; `None` keeps all.
#[inline(always)]
fn face_point<S: Simd>(simd: S, context: &ShadeContext<'_>, layers: &mut [LayerScratch], outward: Option<[f32; 3]>) {
    for (layer, scratch) in context.layers.iter().zip(layers) {
        match (&layer.smooth, outward) {
            (Some(smooth), Some(outward)) => smooth.face_point(simd, &mut scratch.smooth, outward),
            (Some(smooth), None) => smooth.face_all(&mut scratch.smooth),
            (None, _) => {}
        }
    }
}

/// The share of light that arrives at a vertex of a sphere's meshes: a mean over the layers. NaN where a layer leaves
/// nothing, as inside of another sphere. Not inlined, so that points between vertices have the smaller kernel.
#[inline(never)]
fn share_at_vertex<S: Simd>(
    simd: S,
    context: &ShadeContext<'_>,
    layers: &mut [LayerScratch],
    sphere: Sphere<3>,
    normal: [f32; 3],
    share: SmoothShare<'_>,
) -> f32 {
    let planes = NearPlanes::new(context.clip, point_at(sphere.center, normal, sphere.radius));
    // vertices are as exact as points close to the eye
    let pixel = sphere.radius * 1e-3;
    simd.vectorize(
        #[inline(always)]
        || {
            face_point(simd, context, layers, Some(normal));
            let mut mean = 0.0;
            for (layer, scratch) in context.layers.iter().zip(layers.iter_mut()) {
                let mut open = 1.0;
                if let Some(smooth) = &layer.smooth {
                    let (is_faint, point) = (scratch.is_faint, None);
                    let place = ShadedPoint { is_inside: false, is_enclosed: false, is_faint, pixel, point, planes };
                    open = share.at(simd, smooth, &mut scratch.smooth, normal, &place);
                    if open == 0.0 && matches!(share, SmoothShare::Openness) {
                        return f32::NAN;
                    }
                }
                mean += layer.share * open;
            }
            mean
        },
    )
}

/// Where rays from a hit start; `shape` is its primitive, unless that is a sphere.
#[inline(always)]
fn ray_start(batch: &SurfaceBatch, index: usize, shape: Option<PlacedShape>) -> RayStart {
    let (surface, exclude) = (batch.surface(index), batch.own);
    let sphere = FarWall::Sphere { diameter: 2.0 * exclude.sphere.radius };
    let is_within = surface.is_inside || batch.is_far;
    RayStart { surface, exclude, far_wall: is_within.then(|| shape.map_or(sphere, FarWall::Shape)) }
}

/// The share of rays from a hit that no occluder of a layer blocks.
#[inline(always)]
fn open_rays<S: Simd>(
    simd: S,
    layer: &OccluderLayer<'_>,
    scratch: &LayerScratch,
    start: &RayStart,
    directions: &[[f32; 3]],
    distance: f32,
) -> f32 {
    let Some(bvh) = layer.bvh else { return 1.0 };
    let start = RayStart { far_wall: start.far_wall.filter(|_| scratch.has_own), ..*start };
    let open = scratch.neighbors.open_rays(simd, bvh, &start, directions, distance);
    open as f32 / directions.len() as f32
}

/// The mean over the layers of the share that smooth occlusion finds for a hit, and whether a layer leaves nothing though
/// the hit is not inside its own shape. All of the light comes through a layer without shapes.
#[inline(always)]
fn mean_over_layers(
    context: &ShadeContext<'_>,
    scratch: &mut [LayerScratch],
    batch: &SurfaceBatch,
    index: usize,
    find: impl Fn(&SmoothOcclusion<'_>, &mut SmoothScratch, &ShadedPoint) -> f32,
) -> (f32, bool) {
    let (mut mean, mut is_closed) = (0.0, false);
    for (layer, scratch) in context.layers.iter().zip(scratch) {
        let mut open = 1.0;
        if let Some(smooth) = &layer.smooth {
            let point = shaded_point(context, scratch, batch, index);
            open = find(smooth, &mut scratch.smooth, &point);
            is_closed |= open == 0.0 && !point.is_enclosed;
        }
        mean += layer.share * open;
    }
    (mean, is_closed)
}

/// A hit as smooth occlusion sees it in a layer.
#[inline(always)]
fn shaded_point(context: &ShadeContext<'_>, layer: &LayerScratch, batch: &SurfaceBatch, index: usize) -> ShadedPoint {
    let surface = batch.surface(index);
    let (is_inside, pixel) = (surface.is_inside || batch.is_far, context.pixel_at(surface.point));
    let is_enclosed = is_inside && (surface.is_inside || layer.has_own);
    let (point, planes) = (batch.relative_to_viewpoint(index), NearPlanes::new(context.clip, surface.point));
    ShadedPoint { is_inside, is_enclosed, is_faint: layer.is_faint, pixel, point, planes }
}

/// Translucent shapes, and their shadows.
#[derive(Clone, Copy)]
pub(crate) struct TranslucentOccluders<'a> {
    pub shadows: &'a TranslucentShadows,
    pub instances: &'a SphereInstances<'a>,
}

/// Finds the share of a light that passes translucent shapes on its way to each hit of a batch with a bit in `open`;
/// returns the rays cast.
pub(super) fn find_light_through(
    context: &ShadeContext<'_>,
    translucent: TranslucentOccluders<'_>,
    crossings: &mut Vec<LightCrossing>,
    index: usize,
    light: &PreparedLight,
    batch: &mut SurfaceBatch,
    open: &[u64],
) -> u64 {
    let mut rays = 0;
    for sample in 0..batch.count {
        let (group, lane) = (sample / LANES, sample % LANES);
        batch.lit[group][lane] = 0.0;
        if open[group] >> lane & 1 == 0 {
            continue;
        }
        let point = batch.surface(sample).point;
        let (toward, length) = light.toward(point);
        let own = batch.own;
        let ray = OcclusionRay { origin: point, direction: toward, begin: 0.0, length, exclude: own };
        let length = context.clip.map_or(length, |clip| clip.shortened(&ray).length);
        let lit = LitPoint { point, own, is_far: batch.is_far, toward, length };
        batch.lit[group][lane] = translucent.shadows.pass(translucent.instances, index, &lit, crossings);
        rays += 1;
    }
    rays
}
