//! Ray against sphere: the crossings of a ray with the surface.

use std::cmp::Ordering;

use super::exact::{ExactDifference, compare_discriminant, compare_distance, compare_projection, power};
use super::shapes::{Sphere, are_finite};
use super::single;

/// A ray: the points `origin + t · direction` with t ≥ 0. `direction` has unit length.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Ray, Sphere, ray_sphere};
/// use roundel::glam::Vec3;
///
/// let ray = Ray::toward(Vec3::new(0.0, 0.0, 10.0), Vec3::ZERO);
/// assert_eq!(ray, Ray::new([0.0, 0.0, 10.0], [0.0, 0.0, -1.0]));
/// assert_eq!(ray_sphere(&ray, &Sphere::new(Vec3::ZERO, 4.0)).nearest(), Some(6.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(bound(serialize = "[f32; N]: serde::Serialize", deserialize = "[f32; N]: serde::Deserialize<'de>"))]
pub struct Ray<const N: usize> {
    /// The starting point.
    pub origin: [f32; N],
    /// The unit vector along the ray.
    pub direction: [f32; N],
}

impl<const N: usize> Ray<N> {
    /// The ray with this origin and unit direction, given as arrays or as glam's vectors.
    #[must_use]
    pub fn new(origin: impl Into<[f32; N]>, direction: impl Into<[f32; N]>) -> Self {
        Self { origin: origin.into(), direction: direction.into() }
    }

    /// The ray from one point through another. Its direction is computed in `f64` and rounded; it is zero, and the ray
    /// hits nothing, if the points are equal or not finite.
    #[must_use]
    pub fn toward(origin: impl Into<[f32; N]>, target: impl Into<[f32; N]>) -> Self {
        let (origin, target) = (origin.into(), target.into());
        let offset: [f64; N] = std::array::from_fn(|axis| f64::from(target[axis]) - f64::from(origin[axis]));
        let length = dot(&offset, &offset).sqrt();
        let has_direction = length > 0.0 && length.is_finite();
        Self { origin, direction: offset.map(|component| if has_direction { single(component / length) } else { 0.0 }) }
    }
}

/// The crossings of a ray with the surface of a sphere. Distances are measured along the ray, t ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RaySphere {
    /// No crossing: the ray passes the sphere, or the sphere is behind its origin.
    Miss,
    /// One point of contact, without entering. The only kind of hit for a sphere of radius 0.
    Tangent {
        /// Distance to the point of contact.
        t: f32,
    },
    /// Two crossings: the origin is outside, or on the surface with the ray pointing inward (`enter` is 0).
    Outside {
        /// Distance to the first crossing.
        enter: f32,
        /// Distance to the second crossing.
        exit: f32,
    },
    /// One crossing: the origin is inside, or on the surface with the ray pointing outward (`exit` is 0).
    Inside {
        /// Distance to the crossing.
        exit: f32,
    },
}

impl RaySphere {
    /// The smallest distance t ≥ 0 at which the ray is on the surface.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::RaySphere;
    ///
    /// assert_eq!(RaySphere::Outside { enter: 2.0, exit: 4.0 }.nearest(), Some(2.0));
    /// assert_eq!(RaySphere::Inside { exit: 1.0 }.nearest(), Some(1.0));
    /// assert_eq!(RaySphere::Miss.nearest(), None);
    /// ```
    #[must_use]
    pub fn nearest(&self) -> Option<f32> {
        match *self {
            Self::Miss => None,
            Self::Tangent { t } => Some(t),
            Self::Outside { enter, .. } => Some(enter),
            Self::Inside { exit } => Some(exit),
        }
    }
}

/// Returns where the ray crosses the sphere's surface.
///
/// The case agrees with rational arithmetic on the inputs. [`RaySphere::Tangent`] is exact contact, which is common for
/// rays along an axis and rare for others, because their directions are rounded. Contact behind the origin is a miss.
/// An origin on the surface with a ray perpendicular to the radius is a tangent at 0.
///
/// Distances are computed in `f64` and rounded once. They are within an ulp, next to the surface too, unless the ray
/// grazes: if the chord is shorter than a thousandth of the sum of the radius and the distance to the centre, they are
/// within 2⁻²² of that sum. The direction is not normalized: distances are multiples of its length. A distance beyond
/// [`f32::MAX`] is infinite. A ray that is not finite or has no direction, and an empty sphere, miss.
///
/// Source: E. Haines, J. Günther, T. Akenine-Möller, "Precision Improvements for Ray/Sphere Intersection", *Ray
/// Tracing Gems*, 2019, ch. 7: the discriminant from the remainder perpendicular to the ray, the roots in the stable
/// form. Ours: the exact decision, the test for a centre behind the origin, (c − p) · d < 0, and both crossings for an
/// origin on the surface looking inward, the first at 0; common descriptions return the far crossing alone.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Ray, RaySphere, Sphere, ray_sphere};
///
/// let ray = |x: f32, z: f32| Ray { origin: [x, 0.0, z], direction: [0.0, 0.0, -1.0] };
/// let ball = Sphere { center: [0.0; 3], radius: 5.0 };
/// assert_eq!(ray_sphere(&ray(3.0, 10.0), &ball), RaySphere::Outside { enter: 6.0, exit: 14.0 });
/// assert_eq!(ray_sphere(&ray(3.0, 4.0), &ball), RaySphere::Outside { enter: 0.0, exit: 8.0 }, "on it, looking inward");
/// assert_eq!(ray_sphere(&ray(3.0, -4.0), &ball), RaySphere::Inside { exit: 0.0 }, "on it, looking outward");
/// assert_eq!(ray_sphere(&ray(5.0, 10.0), &ball), RaySphere::Tangent { t: 10.0 });
/// assert_eq!(ray_sphere(&ray(3.0, -10.0), &ball), RaySphere::Miss, "behind");
/// ```
#[must_use]
pub fn ray_sphere<const N: usize>(ray: &Ray<N>, sphere: &Sphere<N>) -> RaySphere {
    if sphere.is_empty() || !are_finite(&ray.origin) || !are_finite(&ray.direction) {
        return RaySphere::Miss;
    }
    let to_center: [ExactDifference; N] =
        std::array::from_fn(|axis| ExactDifference::new(ray.origin[axis], sphere.center[axis]));
    let offset = to_center.map(ExactDifference::length);
    let direction = ray.direction.map(f64::from);
    let radius = f64::from(sphere.radius);
    let length_squared = dot(&direction, &direction);
    if length_squared == 0.0 {
        return RaySphere::Miss;
    }

    // the point of the line nearest to the centre, and the offset from it to the centre
    let nearest = dot(&offset, &direction) / length_squared;
    let remainder: [f64; N] = std::array::from_fn(|axis| offset[axis] - nearest * direction[axis]);
    let discriminant = radius * radius - dot(&remainder, &remainder);
    let offset_squared = dot(&offset, &offset);

    // with u = 2⁻⁵³: the error of the remainder is at most (4 N + 7) u |offset|, that of its square (9 N + 15) u |offset|²
    let doubt = (6 * N + 10) as f64 * f64::EPSILON * (offset_squared + radius * radius);
    let crosses = if discriminant.abs() > doubt {
        discriminant.total_cmp(&0.0)
    } else {
        compare_discriminant(&to_center, &direction, radius)
    };
    let ahead = ahead(&to_center, &direction, nearest * length_squared, offset_squared * length_squared);
    match crosses {
        Ordering::Less => return RaySphere::Miss,
        Ordering::Equal if ahead.is_lt() => return RaySphere::Miss,
        Ordering::Equal => return RaySphere::Tangent { t: single(nearest.max(0.0)) },
        Ordering::Greater => {}
    }

    // the root farther from 0 first, whose two terms have the same sign; the other from the product of both
    let half = (discriminant.max(0.0) / length_squared).sqrt();
    let power = power(&to_center, radius) / length_squared;
    let (near, far) = if nearest >= 0.0 {
        let far = nearest + half;
        (power / far, far)
    } else {
        let near = nearest - half;
        (near, power / near)
    };
    match compare_distance(&to_center, sphere.radius) {
        // inside
        Ordering::Less => RaySphere::Inside { exit: single(far.max(0.0)) },
        // on the surface
        Ordering::Equal if ahead.is_gt() => RaySphere::Outside { enter: 0.0, exit: single(far) },
        Ordering::Equal => RaySphere::Inside { exit: 0.0 },
        // outside
        Ordering::Greater if ahead.is_gt() => RaySphere::Outside { enter: single(near.max(0.0)), exit: single(far) },
        Ordering::Greater => RaySphere::Miss,
    }
}

/// Compares the centre's position along the ray with the origin's: the sign of `projection`, whose error is at most (N + 4) u
/// times √`magnitude_squared`.
fn ahead<const N: usize>(
    to_center: &[ExactDifference; N],
    direction: &[f64; N],
    projection: f64,
    magnitude_squared: f64,
) -> Ordering {
    let doubt = (N + 4) as f64 * f64::EPSILON;
    if projection * projection > doubt * doubt * magnitude_squared {
        projection.total_cmp(&0.0)
    } else {
        compare_projection(to_center, direction)
    }
}

/// Σ aᵢ bᵢ, first axis first.
fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for axis in 0..N {
        sum += a[axis] * b[axis];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ray_toward_a_point_has_unit_length_at_any_scale() {
        for scale in [f32::from_bits(1), 1e-30, 1.0, 1e30] {
            let ray = Ray::toward([0.0; 2], [3.0 * scale, 4.0 * scale]);
            assert!((ray.direction[0] - 0.6).abs() < 1e-7 && (ray.direction[1] - 0.8).abs() < 1e-7, "{scale}: {ray:?}");
        }
        assert_eq!(Ray::toward([-f32::MAX; 1], [f32::MAX]).direction, [1.0]);
        for nowhere in [1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(Ray::toward([1.0], [nowhere]).direction, [0.0]);
        }
    }
}
