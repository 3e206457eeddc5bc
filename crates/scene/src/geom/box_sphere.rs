//! Box against sphere, each solid or hollow, decided exactly.
//!
//! Arvo's method: clamping the centre to the box axis by axis gives the box's nearest point, and taking the farther
//! face of each axis gives its farthest corner. A solid box meets a solid sphere if the nearest point is within the
//! radius. It meets the surface if, besides, the farthest corner is not within it. A hollow box is met from inside if
//! the sphere reaches a face. Squared distances are compared in `f64` with an error bound, and near-ties in integers
//! ([`super::exact`]).

use std::cmp::Ordering;

use super::exact::{ExactDifference, compare_distance};
use super::shapes::{Aabb, Body, Sphere};

/// Reports whether the box and the sphere share at least one point, each of them solid or hollow.
///
/// Any dimension, both in the same units; touching counts. The result agrees with rational arithmetic for all finite
/// inputs, including subnormals and [`f32::MAX`]. An empty body shares nothing. A sphere of radius 0 is a point, hollow
/// or not; a box without extent on some axis is its own boundary; in one dimension the hollow bodies are pairs of
/// points. For solid bodies in a culling loop, [`overlap`](super::overlap) is faster and conservative.
///
/// Source: J. Arvo, "A Simple Method for Box-Sphere Intersection Testing", *Graphics Gems*, 1990, figs. 1–3. Ours: the
/// exact decision; figure 3 counts touching (its text says "less", its code ≤); hollow against hollow combines the
/// lower bound of figure 3 with the upper bound of figure 2, which suffices because both boundaries are connected in
/// two and more dimensions.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Aabb, Body, Circle, box_sphere};
///
/// let tile = Aabb { min: [0.0, 0.0], max: [16.0, 16.0] };
/// let coin = Circle { center: [19.0, 20.0], radius: 5.0 };
/// assert!(box_sphere(&tile, Body::Solid, &coin, Body::Solid), "3-4-5: the rim touches the corner");
/// assert!(!box_sphere(&tile, Body::Solid, &Circle { radius: 5.0_f32.next_down(), ..coin }, Body::Solid));
///
/// let ring = Circle { center: [8.0, 8.0], radius: 12.0 };
/// assert!(!box_sphere(&tile, Body::Solid, &ring, Body::Hollow), "the rim runs around the tile");
/// let dot = Circle { center: [8.0, 8.0], radius: 7.0 };
/// assert!(!box_sphere(&tile, Body::Hollow, &dot, Body::Solid), "it is entirely inside");
/// ```
#[inline]
#[must_use]
pub fn box_sphere<const N: usize>(region: &Aabb<N>, box_body: Body, sphere: &Sphere<N>, sphere_body: Body) -> bool {
    if region.is_empty() || sphere.is_empty() {
        return false;
    }
    let measure = |spans: &[ExactDifference; N]| compare_distance(spans, sphere.radius);
    let reach = |_: usize| sphere.radius;
    meets(region, box_body, sphere.center, sphere_body, measure, reach)
}

/// The decision shared by spheres and ellipsoids, for bodies that are not empty. `measure` compares the offset of a
/// point from the centre with the surface; `reach` is the body's extent from the centre along an axis.
#[inline]
pub(super) fn meets<const N: usize>(
    region: &Aabb<N>,
    box_body: Body,
    center: [f32; N],
    surface: Body,
    measure: impl Fn(&[ExactDifference; N]) -> Ordering,
    reach: impl Fn(usize) -> f32,
) -> bool {
    // the point of the box nearest to the centre is beyond the surface
    if measure(&nearest(region, center)).is_gt() {
        return false;
    }
    if N == 1 && box_body == Body::Hollow && surface == Body::Hollow {
        // two pairs of points, the only boundaries that are not connected
        let ends = [ExactDifference::new(region.min[0], center[0]), ExactDifference::new(center[0], region.max[0])];
        return ends.into_iter().any(|end| measure(&[end; N]).is_eq());
    }
    // figure 3: a body whose centre is strictly inside touches the box's boundary if it reaches the nearest face
    if box_body == Body::Hollow && strictly_inside(region, center) {
        let reaches_face = |axis| {
            let depth = ExactDifference::new(region.min[axis], center[axis])
                .min(ExactDifference::new(center[axis], region.max[axis]));
            depth.compare(ExactDifference::new(0.0_f32, reach(axis))).is_le()
        };
        if !(0..N).any(reaches_face) {
            return false;
        }
    }
    // figure 2: a surface beyond the farthest corner surrounds the box
    surface == Body::Solid || measure(&farthest(region, center)).is_ge()
}

/// From the centre to the nearest point of the solid box, axis by axis. The point is exact; signs do not matter.
#[inline]
fn nearest<const N: usize>(region: &Aabb<N>, center: [f32; N]) -> [ExactDifference; N] {
    std::array::from_fn(|axis| {
        ExactDifference::new(center[axis], center[axis].max(region.min[axis]).min(region.max[axis]))
    })
}

/// From the centre to the farthest corner, axis by axis.
fn farthest<const N: usize>(region: &Aabb<N>, center: [f32; N]) -> [ExactDifference; N] {
    std::array::from_fn(|axis| {
        ExactDifference::new(region.min[axis], center[axis]).max(ExactDifference::new(center[axis], region.max[axis]))
    })
}

fn strictly_inside<const N: usize>(region: &Aabb<N>, center: [f32; N]) -> bool {
    (0..N).all(|axis| region.min[axis] < center[axis] && center[axis] < region.max[axis])
}
