//! The bodies: boxes, spheres, ellipsoids, and whether a body is meant filled or as its boundary alone.

/// An axis-aligned box: all points with `min ≤ p ≤ max` on every axis, faces included.
///
/// Zero extent along an axis is allowed: a rectangle in space, a segment, a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const N: usize> {
    /// The least coordinate on each axis.
    pub min: [f32; N],
    /// The greatest coordinate on each axis.
    pub max: [f32; N],
}

impl<const N: usize> Aabb<N> {
    /// Reports whether no point is in the box: `min > max` on some axis, or a coordinate that is not finite.
    ///
    /// ```
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

/// A sphere in N dimensions (Arvo): a pair of points, a [`Circle`], a sphere.
///
/// Radius 0 is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere<const N: usize> {
    /// The middle.
    pub center: [f32; N],
    /// Distance from the centre to the boundary.
    pub radius: f32,
}

/// A sphere in the plane.
pub type Circle = Sphere<2>;

impl<const N: usize> Sphere<N> {
    /// Reports whether no point is in the sphere: a radius that is negative or not finite, a centre that is not finite.
    ///
    /// ```
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
/// A radius of 0 flattens it: every point has the centre's coordinate on that axis. A flat ellipsoid has no
/// interior, so its boundary is itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<const N: usize> {
    /// The middle.
    pub center: [f32; N],
    /// Half the length of each axis.
    pub radii: [f32; N],
}

impl<const N: usize> Ellipsoid<N> {
    /// Reports whether no point is in the ellipsoid: a radius that is negative or not finite, a centre that is not finite.
    ///
    /// ```
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

/// Which points of a body are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// Boundary and interior.
    Solid,
    /// The boundary alone: the faces of a box, the surface of a sphere. In one dimension that is two points.
    Hollow,
}

fn is_length(number: f32) -> bool {
    (0.0..=f32::MAX).contains(&number)
}

pub(super) fn are_finite<const N: usize>(numbers: &[f32; N]) -> bool {
    let mut finite = true;
    for number in numbers {
        finite &= number.abs() <= f32::MAX;
    }
    finite
}
