//! Planes, and on which side of one a sphere lies.

use glam::{DVec3, Vec3};

use super::Sphere;
use super::shapes::are_finite;

/// A plane with an outer side: the signed distance of a point is `normal · p − offset`, positive outside.
///
/// `normal` has unit length, but for one that bounds nothing ([`Plane::UNBOUNDED`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit vector that points to the outside.
    pub normal: Vec3,
    /// Signed distance of the plane from the origin along `normal`.
    pub offset: f32,
}

/// Where a sphere lies, seen from a plane or a solid. Touching is intersecting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Wholly inside, without touching the boundary.
    Inside,
    /// Partly inside, or touching the boundary.
    Intersecting,
    /// No point in common.
    Outside,
}

impl Plane {
    /// The plane at infinity: everything is inside. The far side of an endless view.
    pub const UNBOUNDED: Self = Self { normal: Vec3::ZERO, offset: f32::INFINITY };

    /// The plane through a point, with an outward normal of any length.
    ///
    /// `normal` is rounded to `f32`, then `offset` is rounded so that the plane passes `point` within an ulp of the
    /// offset. A normal without direction (zero, or not finite) gives [`Plane::UNBOUNDED`].
    ///
    /// ```
    /// use roundel::glam::Vec3;
    /// use roundel::geom::Plane;
    ///
    /// let wall = Plane::through(Vec3::new(5.0, 1.0, 2.0), Vec3::new(1e-30, 0.0, 0.0));
    /// assert_eq!((wall.normal, wall.offset), (Vec3::X, 5.0));
    /// ```
    #[must_use]
    pub fn through(point: Vec3, normal: Vec3) -> Self {
        Self::outward(normal.as_dvec3(), |unit| unit.dot(point.as_dvec3()))
    }

    /// The plane with this outward direction; `offset` is asked for the rounded unit normal.
    pub(super) fn outward(direction: DVec3, offset: impl FnOnce(DVec3) -> f64) -> Self {
        // no square of an f32 overflows or underflows here
        let length = direction.length();
        if !(length > 0.0 && length.is_finite()) {
            return Self::UNBOUNDED;
        }
        let normal = (direction / length).as_vec3();
        Self { normal, offset: round(offset(normal.as_dvec3())) }
    }

    /// The signed distance of a point, positive outside; evaluated in `f64` and rounded once.
    ///
    /// The error is half an ulp of the result and 2⁻⁵¹ of the largest term.
    ///
    /// ```
    /// use roundel::glam::Vec3;
    /// use roundel::geom::Plane;
    ///
    /// let floor = Plane::through(Vec3::new(7.0, -2.0, 7.0), Vec3::NEG_Y);
    /// assert_eq!(floor.signed_distance(Vec3::new(100.0, 3.0, 0.0)), -5.0);
    /// ```
    #[must_use]
    pub fn signed_distance(&self, p: Vec3) -> f32 {
        round(self.distance(p.as_dvec3()).0)
    }

    /// On which side of the plane the sphere lies.
    ///
    /// Never [`Side::Inside`] or [`Side::Outside`] wrongly: within 10⁻¹⁵ of the largest term the answer is
    /// [`Side::Intersecting`], as it is for a sphere that touches. A normal that is not quite of unit length is
    /// reckoned with. An empty sphere is outside.
    ///
    /// ```
    /// use roundel::glam::Vec3;
    /// use roundel::geom::{Plane, Side, Sphere};
    ///
    /// let floor = Plane::through(Vec3::ZERO, Vec3::NEG_Y);
    /// let ball = |height| Sphere { center: [4.0, height, 4.0], radius: 1.0 };
    /// assert_eq!(floor.side(&ball(1.5)), Side::Inside);
    /// assert_eq!(floor.side(&ball(1.0)), Side::Intersecting, "it lies on the floor");
    /// assert_eq!(floor.side(&ball(-1.5)), Side::Outside);
    /// ```
    #[must_use]
    pub fn side(&self, s: &Sphere<3>) -> Side {
        if s.is_empty() {
            return Side::Outside;
        }
        if self.offset.is_infinite() {
            return if self.offset > 0.0 { Side::Inside } else { Side::Outside };
        }
        let (distance, doubt) = self.distance(Vec3::from(s.center).as_dvec3());
        // the plane's own unit of length
        let reach = f64::from(s.radius) * self.normal.as_dvec3().length();
        let doubt = doubt + 4.0 * f64::EPSILON * reach;
        if distance - reach > doubt {
            Side::Outside
        } else if distance + reach < -doubt {
            Side::Inside
        } else {
            Side::Intersecting
        }
    }

    /// The signed distance, and a bound of its rounding error: products of two `f32` are exact in `f64`, and three
    /// additions round by at most 2⁻⁵³ of the sum of all magnitudes each.
    pub(super) fn distance(&self, p: DVec3) -> (f64, f64) {
        let products = self.normal.as_dvec3() * p;
        let offset = f64::from(self.offset);
        let distance = products.x + products.y + products.z - offset;
        let magnitude = products.x.abs() + products.y.abs() + products.z.abs() + offset.abs();
        (distance, 2.0 * f64::EPSILON * magnitude)
    }

    /// Whether any coefficient is NaN or infinite, so that there is no plane to compute with.
    pub(super) fn is_finite(&self) -> bool {
        are_finite(&[self.normal.x, self.normal.y, self.normal.z, self.offset])
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
fn round(number: f64) -> f32 {
    number as f32
}
