//! Box against axis-aligned ellipsoid, each solid or hollow, decided exactly.

use super::box_sphere::meets;
use super::exact::{ExactDifference, compare_scaled_distance};
use super::shapes::{Aabb, Body, Ellipsoid};

/// Reports whether the box and the ellipsoid share at least one point, each of them solid or hollow.
///
/// Any dimension, both in the same units; touching counts. The result agrees with rational arithmetic for all finite
/// inputs, including subnormals and [`f32::MAX`]. An empty body shares nothing. A radius of 0 makes the ellipsoid flat
/// along that axis; a flat ellipsoid has no interior, so hollow and solid are the same. With equal radii the results
/// are the same as for [`box_sphere`](super::box_sphere).
///
/// Source: J. Arvo, "A Simple Method for Box-Sphere Intersection Testing", *Graphics Gems*, 1990, fig. 4 (solid
/// against solid). Ours: the exact decision, the hollow bodies after his figures 2 and 3, and flat ellipsoids, for
/// which the figure divides 0 by 0.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Aabb, Body, Ellipsoid, box_ellipsoid};
///
/// let tile = Aabb { min: [0.0, 0.0], max: [16.0, 16.0] };
/// // (6/10)² + (4/5)² = 1: the corner lies on the ellipse
/// let leaf = Ellipsoid { center: [22.0, 20.0], radii: [10.0, 5.0] };
/// assert!(box_ellipsoid(&tile, Body::Solid, &leaf, Body::Solid));
/// let thinner = Ellipsoid { radii: [10.0, 5.0_f32.next_down()], ..leaf };
/// assert!(!box_ellipsoid(&tile, Body::Solid, &thinner, Body::Solid));
///
/// let bar = Ellipsoid { center: [8.0, 8.0], radii: [8.0, 0.0] };
/// assert!(box_ellipsoid(&tile, Body::Hollow, &bar, Body::Solid), "flat; its ends touch the sides");
/// ```
#[inline]
#[must_use]
pub fn box_ellipsoid<const N: usize>(
    region: &Aabb<N>,
    box_body: Body,
    ellipsoid: &Ellipsoid<N>,
    ellipsoid_body: Body,
) -> bool {
    if region.is_empty() || ellipsoid.is_empty() {
        return false;
    }
    let flat = ellipsoid.radii.contains(&0.0);
    let surface = if flat { Body::Solid } else { ellipsoid_body };
    let measure = |spans: &[ExactDifference; N]| compare_scaled_distance(spans, &ellipsoid.radii);
    let reach = |axis: usize| ellipsoid.radii[axis];
    meets(region, box_body, ellipsoid.center, surface, measure, reach)
}
