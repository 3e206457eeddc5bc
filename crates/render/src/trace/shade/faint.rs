//! Light on faint spheres, interpolated between three directions: finds it where errors do not show.

use fearless_simd::prelude::*;

use super::lighting::{ShadeContext, Studio};
use super::medium::{self, LightAxes, Received};
use super::occlusion::{LayerScratch, Occlusion, OpennessScratch, SmoothShare, UnseenShape, look_around, shaded_shape};
use super::surface_batch::SurfaceBatch;
use crate::geom::Sphere;
use crate::lanes::dot;
use crate::scene::spheres::Transparency;
use crate::scene::{PrimitiveId, SphereInstances};
use crate::trace::light::smooth::{NearPlanes, ShadedPoint, SmoothOcclusion, SmoothScratch};

/// Light on the spheres of a medium is interpolated below this alpha: less than a fifth of an error in it is visible.
const INTERPOLATED: u8 = 48;

/// Light on a faint surface is interpolated below this product of its opacity and the share of light that occluders take:
/// no more than that share of an error in openness is visible.
const UNNOTICED: f32 = 1.0 / 64.0;

/// A primitive of a model of transparency.
pub(crate) struct TranslucentShape<'a> {
    pub instances: &'a SphereInstances<'a>,
    pub id: PrimitiveId,
    pub model: Transparency,
}

impl Studio {
    /// Prepares for the openness of hits on a primitive of this model of transparency. Its shares are interpolated, and kept
    /// by the thread, if it is a whole sphere, so faint that errors do not show, and they are found without rays.
    pub(crate) fn prepare_translucent<S: Simd>(
        &self,
        simd: S,
        context: &ShadeContext<'_>,
        scratch: &mut OpennessScratch,
        batch: &mut SurfaceBatch,
        shape: &TranslucentShape<'_>,
    ) {
        let &TranslucentShape { instances, id, .. } = shape;
        let Some(sphere) = self.interpolated(context, shape) else {
            self.prepare_openness(simd, context, scratch, batch, instances, id);
            return;
        };
        let alpha = instances.color(id.0).a;
        scratch.layers.resize_with(context.layers.len().max(scratch.layers.len()), LayerScratch::default);
        for (layer, scratch) in context.layers.iter().zip(&mut scratch.layers) {
            scratch.has_own = alpha >= layer.least_alpha;
        }
        (scratch.meshed, scratch.shape, batch.viewpoint) = (None, None, None);
        scratch.unseen =
            Some(UnseenShape { shaded: shaded_shape(instances, id), opacity: f32::from(alpha) * (1.0 / 255.0) });
        scratch.medium.begin(Some((id, sphere)));
    }

    /// A primitive relative to the eye, if its shares are interpolated between three directions.
    fn interpolated(
        &self,
        context: &ShadeContext<'_>,
        &TranslucentShape { instances, id, model }: &TranslucentShape<'_>,
    ) -> Option<Sphere<3>> {
        if matches!(self.occlusion, Occlusion::Rays { .. }) {
            return None;
        }
        let alpha = instances.color(id.0).a;
        let is_faint = if model == Transparency::Solid {
            alpha < INTERPOLATED
        } else {
            let occluded = context.layers.iter().filter(|layer| layer.smooth.is_some()).map(|layer| layer.share);
            occluded.sum::<f32>() * f32::from(alpha) < 255.0 * UNNOTICED
        };
        let whole = context.whole_sphere(instances, id).filter(|_| is_faint);
        whole.filter(|&Sphere { center, radius }| {
            let is_outside = context.rays.parallel || dot(center, center) > radius * radius;
            is_outside && !context.layers.iter().flat_map(|layer| &layer.smooth).any(|smooth| smooth.is_large(radius))
        })
    }
}

/// Finds a share in three directions of a sphere of a medium, and interpolates it at a batch's hits. Not inlined, so
/// that other shapes have the smaller kernel.
pub(super) fn interpolate_share<S: Simd>(
    simd: S,
    context: &ShadeContext<'_>,
    scratch: &mut OpennessScratch,
    sphere: Sphere<3>,
    share: SmoothShare<'_>,
    batch: &mut SurfaceBatch,
) {
    let OpennessScratch { layers, medium, work, unseen, .. } = scratch;
    let axes = medium.axes(context.rays.parallel.then(|| batch.direction(0)));
    simd.vectorize(
        #[inline(always)]
        || {
            let received = medium.received(share.number(), batch.is_far).get_or_insert_with(
                #[inline(always)]
                || {
                    work.lit += axes.len() as u64;
                    if let Some(shaded) = unseen.take() {
                        look_around(simd, context, layers, &shaded);
                    }
                    received(
                        context,
                        layers,
                        &MediumSide { sphere, axes, is_far: batch.is_far },
                        #[inline(always)]
                        |smooth, scratch, axis, point| share.at(simd, smooth, scratch, axis, point),
                    )
                },
            );
            let (rows, normals) = share.rows(batch);
            medium::interpolate(simd, &axes, *received, normals, rows);
        },
    );
}

/// The near or the far side of a sphere of a medium, which is relative to the eye, and its three directions.
struct MediumSide {
    sphere: Sphere<3>,
    axes: LightAxes,
    is_far: bool,
}

/// The share of light that arrives at a side of a sphere from its three directions: a mean over the layers.
#[inline(always)]
fn received(
    context: &ShadeContext<'_>,
    layers: &mut [LayerScratch],
    &MediumSide { sphere, ref axes, is_far }: &MediumSide,
    find: impl Fn(&SmoothOcclusion<'_>, &mut SmoothScratch, [f32; 3], &ShadedPoint) -> f32,
) -> Received {
    let mut mean = [0.0; 3];
    for (layer, scratch) in context.layers.iter().zip(layers) {
        let Some(smooth) = &layer.smooth else {
            mean.iter_mut().for_each(|sum| *sum += layer.share);
            continue;
        };
        smooth.face_all(&mut scratch.smooth);
        let is_enclosed = is_far && scratch.has_own;
        let radius = if is_far { -sphere.radius } else { sphere.radius };
        for (sum, &axis) in mean.iter_mut().zip(axes) {
            let at = [0, 1, 2].map(|along| sphere.center[along] + radius * axis[along]);
            let (point, planes) = (None, NearPlanes::new(context.clip, at));
            let point = ShadedPoint { is_inside: is_far, is_enclosed, is_faint: true, pixel: 1.0, point, planes };
            *sum += layer.share * find(smooth, &mut scratch.smooth, axis, &point);
        }
    }
    mean
}
