//! Planes, and the sides of spheres relative to them.

use glam::{DVec3, Vec3};

use super::shapes::{Sphere, are_finite};
use super::single;

/// A plane with an outer side: the signed distance of a point is `normal · p − offset`, positive outside.
///
/// `normal` has unit length, except in [`Plane::UNBOUNDED`].
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Plane, Side, Sphere};
/// use roundel::glam::Vec3;
///
/// let wall = Plane::through(Vec3::new(5.0, 0.0, 0.0), Vec3::X);
/// assert_eq!(wall.signed_distance(Vec3::new(7.0, 1.0, 1.0)), 2.0);
/// assert_eq!(wall.side(&Sphere::new([3.0, 0.0, 0.0], 1.0)), Side::Inside);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Plane {
    /// The unit vector that points to the outside.
    pub normal: Vec3,
    /// The signed distance of the plane from the origin along `normal`.
    pub offset: f32,
}

/// The side of a sphere relative to a plane or a solid. Touching counts as intersecting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Entirely inside, without touching the boundary.
    Inside,
    /// Partly inside, or touching the boundary.
    Intersecting,
    /// No point in common.
    Outside,
}

impl Plane {
    /// The plane at infinity: everything is inside. It serves as the far plane of a view without one.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::{Plane, Side, Sphere};
    ///
    /// assert_eq!(Plane::UNBOUNDED.side(&Sphere::new([1e30, 0.0, 0.0], 1e30)), Side::Inside);
    /// ```
    pub const UNBOUNDED: Self = Self { normal: Vec3::ZERO, offset: f32::INFINITY };

    /// The plane through a point, with an outward normal of any length.
    ///
    /// The unit normal is rounded to `f32`, then the offset, so that the plane passes through `point` to within an ulp
    /// of the offset. A normal without direction (zero, or not finite) gives [`Plane::UNBOUNDED`].
    ///
    /// ```
    /// # use roundel_scene as roundel;
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

    /// The plane with this outward direction; `offset` computes the offset from the rounded unit normal.
    pub(super) fn outward(direction: DVec3, offset: impl FnOnce(DVec3) -> f64) -> Self {
        // no square of an f32 overflows or underflows here
        let length = direction.length();
        if !(length > 0.0 && length.is_finite()) {
            return Self::UNBOUNDED;
        }
        let normal = (direction / length).as_vec3();
        Self { normal, offset: single(offset(normal.as_dvec3())) }
    }

    /// The signed distance of a point, positive outside.
    ///
    /// Evaluated in `f64` and rounded once. The error is at most half an ulp of the result plus 2⁻⁵¹ of the largest
    /// term.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::glam::Vec3;
    /// use roundel::geom::Plane;
    ///
    /// let floor = Plane::through(Vec3::new(7.0, -2.0, 7.0), Vec3::NEG_Y);
    /// assert_eq!(floor.signed_distance(Vec3::new(100.0, 3.0, 0.0)), -5.0);
    /// ```
    #[must_use]
    pub fn signed_distance(&self, p: Vec3) -> f32 {
        single(self.distance(p.as_dvec3()).0)
    }

    /// The side of the sphere relative to the plane.
    ///
    /// [`Side::Inside`] and [`Side::Outside`] are always right; within 10⁻¹⁵ of the largest term of touching, the
    /// result may be [`Side::Intersecting`] instead. The length of the normal is taken into account. An empty sphere is
    /// outside.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::glam::Vec3;
    /// use roundel::geom::{Plane, Side, Sphere};
    ///
    /// let floor = Plane::through(Vec3::ZERO, Vec3::NEG_Y);
    /// let ball = |height| Sphere { center: [4.0, height, 4.0], radius: 1.0 };
    /// assert_eq!(floor.side(&ball(1.5)), Side::Inside);
    /// assert_eq!(floor.side(&ball(1.0)), Side::Intersecting, "it touches the floor");
    /// assert_eq!(floor.side(&ball(-1.5)), Side::Outside);
    /// ```
    #[must_use]
    #[inline]
    pub fn side(&self, s: &Sphere<3>) -> Side {
        if s.is_empty() {
            return Side::Outside;
        }
        if self.offset.is_infinite() {
            return if self.offset > 0.0 { Side::Inside } else { Side::Outside };
        }
        let (distance, doubt) = self.distance(Vec3::from(s.center).as_dvec3());
        // in multiples of the normal's length, as the distance is
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

    /// The signed distance and a bound on its rounding error: products of two `f32` are exact in `f64`, and each of
    /// three additions rounds by at most 2⁻⁵³ of the sum of all magnitudes.
    pub(super) fn distance(&self, p: DVec3) -> (f64, f64) {
        let products = self.normal.as_dvec3() * p;
        let offset = f64::from(self.offset);
        let distance = products.x + products.y + products.z - offset;
        let magnitude = products.x.abs() + products.y.abs() + products.z.abs() + offset.abs();
        (distance, 2.0 * f64::EPSILON * magnitude)
    }

    /// Reports whether all coefficients are finite.
    pub(super) fn is_finite(&self) -> bool {
        are_finite(&[self.normal.x, self.normal.y, self.normal.z, self.offset])
    }
}
