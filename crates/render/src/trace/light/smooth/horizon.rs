//! Drops near spheres below the horizon of every point of a batch: they block nothing there.

use fearless_simd::{f32x8, prelude::*};

use super::surroundings::SphereGroups;
use crate::lanes::{Sphere8, dot, dot3, dot3_with, next_lane};
use crate::trace::shade::surface_batch::SurfaceBatch;

/// Bound on the rounding error of heights, as a share of the lengths from which they are computed.
const MARGIN: f32 = 1e-5;

/// A cone that contains some normals.
struct NormalCone {
    axis: [f32; 3],
    cosine: f32,
    sine: f32,
}

impl NormalCone {
    /// The cone that contains a batch's normals; `None` if it is as wide as a hemisphere.
    fn around(batch: &SurfaceBatch) -> Option<Self> {
        let normals = || (0..batch.count).map(|index| batch.normal(index));
        let mut sum = [0.0; 3];
        for normal in normals() {
            for (sum, along) in sum.iter_mut().zip(normal) {
                *sum += along;
            }
        }
        let length = dot(sum, sum).sqrt();
        let axis = sum.map(|along| along / length);
        let cosine = normals().map(|normal| dot(normal, axis)).fold(1.0, f32::min) - MARGIN;
        (length > 0.0 && cosine > 0.0).then(|| Self { axis, cosine, sine: (1.0 - cosine * cosine).sqrt() })
    }
}

/// Keeps the near spheres that are above the horizon of some point of a batch; the points are a radius away from the
/// viewpoint.
#[inline(always)]
pub(super) fn keep_above<S: Simd>(
    simd: S,
    near: &[Sphere8],
    radius: f32,
    batch: &SurfaceBatch,
    facing: &mut SphereGroups,
) {
    let is_outside = !batch.is_far && batch.inside[..batch.groups()].iter().all(|&inside| inside == 0);
    let is_worth_it = is_outside && near.len() > 1;
    let cone = is_worth_it.then(|| NormalCone::around(batch)).flatten();
    keep_above_cone(simd, near, radius, cone, facing);
}

/// The same for one point with this outward normal.
#[inline(always)]
pub(super) fn keep_above_point<S: Simd>(
    simd: S,
    near: &[Sphere8],
    radius: f32,
    normal: [f32; 3],
    facing: &mut SphereGroups,
) {
    let cosine = 1.0 - MARGIN;
    let cone = NormalCone { axis: normal, cosine, sine: (1.0 - cosine * cosine).sqrt() };
    keep_above_cone(simd, near, radius, (near.len() > 1).then_some(cone), facing);
}

#[inline(always)]
fn keep_above_cone<S: Simd>(
    simd: S,
    near: &[Sphere8],
    radius: f32,
    cone: Option<NormalCone>,
    facing: &mut SphereGroups,
) {
    for spheres in near {
        let Some(NormalCone { axis, cosine, sine }) = cone else {
            facing.groups.push(*spheres);
            continue;
        };
        let (center, radii) = spheres.load(simd);
        let squared = dot3(center, center);
        let (distance, height) = (squared.sqrt(), dot3_with(center, axis));
        // the greatest height over any plane through the middle of the sphere with a normal in the cone
        let edge = height * cosine + (squared - height * height).max(0.0).sqrt() * sine;
        let highest = height.simd_ge(distance * cosine).select(distance, edge);
        let margin = (distance + radii + radius) * MARGIN;
        let mut lanes = (highest + radii + margin).simd_gt(f32x8::splat(simd, radius)).to_bitmask();
        while let Some(lane) = next_lane(&mut lanes) {
            let (center, radius) = spheres.get(lane);
            facing.push(center, radius);
        }
    }
}
