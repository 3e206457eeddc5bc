//! Boxes, spheres and ellipsoids, solid or hollow.

/// An axis-aligned box: all points with `min ≤ p ≤ max` on every axis, faces included.
///
/// Zero extent along an axis is allowed: a rectangle in space, a segment, a point.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::Aabb;
/// use roundel::glam::Vec3;
///
/// let room = Aabb::new(Vec3::ZERO, Vec3::splat(4.0));
/// assert_eq!(room, Aabb { min: [0.0; 3], max: [4.0; 3] });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(bound(serialize = "[f32; N]: serde::Serialize", deserialize = "[f32; N]: serde::Deserialize<'de>"))]
pub struct Aabb<const N: usize> {
    /// The least coordinate on each axis.
    pub min: [f32; N],
    /// The greatest coordinate on each axis.
    pub max: [f32; N],
}

impl<const N: usize> Aabb<N> {
    /// The box between two corners, given as arrays or as glam's vectors.
    #[must_use]
    pub fn new(min: impl Into<[f32; N]>, max: impl Into<[f32; N]>) -> Self {
        Self { min: min.into(), max: max.into() }
    }

    /// Reports whether no point is in the box: `min > max` on some axis, or a coordinate that is not finite.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::Aabb;
    ///
    /// assert!(!Aabb { min: [2.0], max: [2.0] }.is_empty(), "one point");
    /// assert!(Aabb { min: [2.0], max: [1.0] }.is_empty());
    /// assert!(Aabb { min: [0.0], max: [f32::INFINITY] }.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let mut ordered = true;
        for axis in 0..N {
            // false for NaN and for infinities on either side
            ordered &= -f32::MAX <= self.min[axis] && self.min[axis] <= self.max[axis] && self.max[axis] <= f32::MAX;
        }
        !ordered
    }
}

/// A sphere in N dimensions: a pair of points, a [`Circle`], a sphere.
///
/// A sphere of radius 0 is a point.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::Sphere;
/// use roundel::glam::Vec3;
///
/// let bulb = Sphere::new(Vec3::new(1.0, 2.0, 3.0), 0.5);
/// assert_eq!(bulb, Sphere { center: [1.0, 2.0, 3.0], radius: 0.5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(bound(serialize = "[f32; N]: serde::Serialize", deserialize = "[f32; N]: serde::Deserialize<'de>"))]
pub struct Sphere<const N: usize> {
    /// The centre.
    pub center: [f32; N],
    /// Distance from the centre to the boundary.
    pub radius: f32,
}

/// A sphere in two dimensions.
pub type Circle = Sphere<2>;

impl<const N: usize> Sphere<N> {
    /// The sphere with this centre, given as an array or as one of glam's vectors, and radius.
    #[must_use]
    pub fn new(center: impl Into<[f32; N]>, radius: f32) -> Self {
        Self { center: center.into(), radius }
    }

    /// Reports whether no point is in the sphere: a radius that is negative or not finite, a centre that is not finite.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::Circle;
    ///
    /// assert!(!Circle { center: [1.0, 2.0], radius: 0.0 }.is_empty(), "one point");
    /// assert!(Circle { center: [1.0, 2.0], radius: -1.0 }.is_empty());
    /// assert!(Circle { center: [f32::NAN, 2.0], radius: 1.0 }.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !(is_length(self.radius) & are_finite(&self.center))
    }
}

/// An axis-aligned ellipsoid: all points with Σ ((pᵢ − centerᵢ) / radiiᵢ)² ≤ 1.
///
/// A radius of 0 makes it flat: every point has the centre's coordinate on that axis. A flat ellipsoid has no interior,
/// so it is its own boundary.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::Ellipsoid;
///
/// let leaf = Ellipsoid::new([22.0, 20.0], [10.0, 5.0]);
/// assert_eq!(leaf, Ellipsoid { center: [22.0, 20.0], radii: [10.0, 5.0] });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(bound(serialize = "[f32; N]: serde::Serialize", deserialize = "[f32; N]: serde::Deserialize<'de>"))]
pub struct Ellipsoid<const N: usize> {
    /// The centre.
    pub center: [f32; N],
    /// Half the length of each axis.
    pub radii: [f32; N],
}

impl<const N: usize> Ellipsoid<N> {
    /// The ellipsoid with this centre and radii, given as arrays or as glam's vectors.
    #[must_use]
    pub fn new(center: impl Into<[f32; N]>, radii: impl Into<[f32; N]>) -> Self {
        Self { center: center.into(), radii: radii.into() }
    }

    /// Reports whether no point is in the ellipsoid: a radius that is negative or not finite, a centre that is not
    /// finite.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::Ellipsoid;
    ///
    /// assert!(!Ellipsoid { center: [0.0, 0.0], radii: [3.0, 0.0] }.is_empty(), "a segment");
    /// assert!(Ellipsoid { center: [0.0, 0.0], radii: [3.0, -1.0] }.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !(self.radii.iter().all(|&radius| is_length(radius)) & are_finite(&self.center))
    }
}

/// Which points belong to a body.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Aabb, Body, Circle, box_sphere};
///
/// let tile = Aabb::new([0.0, 0.0], [16.0, 16.0]);
/// let around = Circle::new([8.0, 8.0], 12.0);
/// assert!(box_sphere(&tile, Body::Solid, &around, Body::Solid));
/// assert!(!box_sphere(&tile, Body::Solid, &around, Body::Hollow), "the rim runs around the tile");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Boundary and interior.
    Solid,
    /// The boundary alone: the faces of a box, the surface of a sphere. In one dimension these are two points.
    Hollow,
}

#[inline]
pub(super) fn is_length(number: f32) -> bool {
    (0.0..=f32::MAX).contains(&number)
}

#[inline]
pub(super) fn are_finite<const N: usize>(numbers: &[f32; N]) -> bool {
    let mut finite = true;
    for number in numbers {
        finite &= number.abs() <= f32::MAX;
    }
    finite
}

impl Sphere<3> {
    /// No sphere; never drawn.
    #[doc(hidden)]
    pub const EMPTY: Self = Self { center: [0.0; 3], radius: -1.0 };

    /// Whether there is anything to draw: finite numbers, a positive radius.
    #[inline(always)]
    #[doc(hidden)]
    pub fn is_drawable(&self) -> bool {
        self.radius > 0.0 && self.extent() < f32::INFINITY
    }

    /// The largest magnitude of its numbers.
    #[inline(always)]
    #[doc(hidden)]
    pub fn size(&self) -> f32 {
        let [x, y, z] = self.center;
        x.abs().max(y.abs()).max(z.abs()).max(self.radius)
    }

    /// Sum of the magnitudes of centre and radius: no point of the sphere is farther from the eye.
    #[inline(always)]
    #[doc(hidden)]
    pub fn extent(&self) -> f32 {
        let [x, y, z] = self.center;
        (x.abs() + y.abs()) + (z.abs() + self.radius)
    }
}
