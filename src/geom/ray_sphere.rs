//! Ray against sphere: how often, and how far along, a ray crosses the surface.

use std::cmp::Ordering;

use super::Sphere;
use super::exact::{Span, compare_discriminant, compare_distance, compare_projection, power};
use super::shapes::are_finite;

/// A ray: the points `origin + t · direction` with t ≥ 0. `direction` has unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<const N: usize> {
    /// Where it begins.
    pub origin: [f32; N],
    /// Where it goes.
    pub direction: [f32; N],
}

/// Where a ray meets the surface of a sphere. Distances run along the ray, t ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RaySphere {
    /// Nowhere: the ray passes by, or the sphere is behind its origin.
    Miss,
    /// In a single point, without entering. A sphere of radius 0 can only be met so.
    Tangent {
        /// Distance to the point of contact.
        t: f32,
    },
    /// In two points: the origin is outside, or on the surface with the ray going in (`enter` is 0).
    Outside {
        /// Distance to the first crossing.
        enter: f32,
        /// Distance to the second crossing.
        exit: f32,
    },
    /// In one point: the origin is inside, or on the surface with the ray going out (`exit` is 0).
    Inside {
        /// Distance to the crossing.
        exit: f32,
    },
}

impl RaySphere {
    /// The smallest distance t ≥ 0 at which the ray is on the surface.
    ///
    /// ```
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

/// Where the ray crosses the sphere's surface.
///
/// Which case it is, is decided as in rational arithmetic on the inputs: [`RaySphere::Tangent`] is a contact without any
/// rounding, which a ray along an axis can have and a slanted one, its direction being rounded, rarely has. Contact
/// behind the origin is a miss. An origin on the surface, the ray square to the radius, is a tangent at 0.
///
/// Distances are reckoned in `f64` and rounded once: within an ulp of the true one, next to the surface too, unless the
/// ray grazes: where the way through the sphere is less than a thousandth of the distance to its centre and its radius
/// together, within 2⁻²² of these. A direction that is not quite of unit length is taken as it stands, with
/// distances in multiples of it. A distance beyond [`f32::MAX`] is infinite. A ray that is not finite or has no
/// direction, and an empty sphere, miss.
///
/// Source: E. Haines, J. Günther, T. Akenine-Möller, "Precision Improvements for Ray/Sphere Intersection", *Ray
/// Tracing Gems*, 2019, ch. 7: the discriminant from the remainder perpendicular to the ray, the roots in the stable
/// form. Ours: the exact decision. Where the common account of the geometric method leaves the "projection onto the
/// line" and the test for a centre behind the origin, (c − p) · d < 0, to the reader and returns the far crossing for an
/// origin on the surface looking in, both crossings are reported, the first at 0.
///
/// ```
/// use roundel::geom::{Ray, RaySphere, Sphere, ray_sphere};
///
/// let ray = |x: f32, z: f32| Ray { origin: [x, 0.0, z], direction: [0.0, 0.0, -1.0] };
/// let ball = Sphere { center: [0.0; 3], radius: 5.0 };
/// assert_eq!(ray_sphere(&ray(3.0, 10.0), &ball), RaySphere::Outside { enter: 6.0, exit: 14.0 });
/// assert_eq!(ray_sphere(&ray(3.0, 4.0), &ball), RaySphere::Outside { enter: 0.0, exit: 8.0 }, "on it, looking in");
/// assert_eq!(ray_sphere(&ray(3.0, -4.0), &ball), RaySphere::Inside { exit: 0.0 }, "on it, looking out");
/// assert_eq!(ray_sphere(&ray(5.0, 10.0), &ball), RaySphere::Tangent { t: 10.0 });
/// assert_eq!(ray_sphere(&ray(3.0, -10.0), &ball), RaySphere::Miss, "behind");
/// ```
#[must_use]
pub fn ray_sphere<const N: usize>(ray: &Ray<N>, sphere: &Sphere<N>) -> RaySphere {
    if sphere.is_empty() || !are_finite(&ray.origin) || !are_finite(&ray.direction) {
        return RaySphere::Miss;
    }
    let to_center: [Span; N] = std::array::from_fn(|axis| Span::new(ray.origin[axis], sphere.center[axis]));
    let offset = to_center.map(Span::length);
    let direction = ray.direction.map(f64::from);
    let radius = f64::from(sphere.radius);
    let length_squared = dot(&direction, &direction);
    if length_squared == 0.0 {
        return RaySphere::Miss;
    }

    // the point of the line nearest to the centre, and what separates the two
    let nearest = dot(&offset, &direction) / length_squared;
    let remainder: [f64; N] = std::array::from_fn(|axis| offset[axis] - nearest * direction[axis]);
    let discriminant = radius * radius - dot(&remainder, &remainder);
    let offset_squared = dot(&offset, &offset);

    // with u = 2⁻⁵³: the remainder is within (4 N + 7) u |offset|, so its square within (9 N + 15) u |offset|²
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
        Ordering::Equal => return RaySphere::Tangent { t: round(nearest.max(0.0)) },
        Ordering::Greater => {}
    }

    // the root farther from the origin first: its two terms have the same sign
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
        Ordering::Less => RaySphere::Inside { exit: round(far.max(0.0)) },
        // on the surface
        Ordering::Equal if ahead.is_gt() => RaySphere::Outside { enter: 0.0, exit: round(far) },
        Ordering::Equal => RaySphere::Inside { exit: 0.0 },
        // outside
        Ordering::Greater if ahead.is_gt() => RaySphere::Outside { enter: round(near.max(0.0)), exit: round(far) },
        Ordering::Greater => RaySphere::Miss,
    }
}

/// Whether the centre is ahead of the origin, level with it or behind: the sign of `projection`, which is within
/// (N + 4) u of √`magnitude_squared`.
fn ahead<const N: usize>(
    to_center: &[Span; N],
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

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
fn round(distance: f64) -> f32 {
    distance as f32
}
