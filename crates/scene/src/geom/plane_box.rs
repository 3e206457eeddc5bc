//! Convex solids between six planes: boxes, oriented boxes and view frusta, against spheres.

use glam::{DMat3, DVec3, DVec4, Mat4, Quat, Vec3};

use super::plane::{Plane, Side};
use super::shapes::{Aabb, Sphere};

/// A convex solid: the points inside all six planes. Normals point outward.
///
/// Sides are named as the viewer sees them in a right-handed frame: `right` is +x, `top` is +y, `front` is +z, toward
/// the eye. A frustum's `front` is the near plane.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Aabb, PlaneBox, Side, Sphere};
///
/// let room = PlaneBox::from_aabb(&Aabb::new([0.0; 3], [4.0; 3]));
/// assert_eq!(room.side_of(&Sphere::new([2.0; 3], 1.0)), Side::Inside);
/// assert_eq!(room.side_of(&Sphere::new([9.0; 3], 1.0)), Side::Outside);
/// ```
#[doc(alias = "Frustum")]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PlaneBox {
    /// Toward the viewer, +z; the near plane of a frustum.
    pub front: Plane,
    /// Away from the viewer, −z; the far plane of a frustum.
    pub back: Plane,
    /// Up, +y.
    pub top: Plane,
    /// Down, −y.
    pub bottom: Plane,
    /// To the left, −x.
    pub left: Plane,
    /// To the right, +x.
    pub right: Plane,
}

impl PlaneBox {
    /// The box as six planes, without rounding. Every sphere is outside the solid of an empty box.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::{Aabb, PlaneBox, Side, Sphere};
    ///
    /// let room = PlaneBox::from_aabb(&Aabb { min: [0.0; 3], max: [4.0; 3] });
    /// assert_eq!(room.right.offset, 4.0);
    /// assert_eq!(room.left.offset, 0.0);
    /// // past an edge: the sphere reaches both planes, but not the edge
    /// let bulb = Sphere { center: [4.8, 4.8, 2.0], radius: 1.0 };
    /// assert_eq!(room.side_of(&bulb), Side::Intersecting);
    /// assert_eq!(room.side_of_exact(&bulb), Side::Outside);
    /// ```
    #[must_use]
    pub fn from_aabb(b: &Aabb<3>) -> Self {
        let empty = b.is_empty();
        let side = |normal: Vec3, offset: f32| Plane { normal, offset: if empty { f32::NEG_INFINITY } else { offset } };
        Self {
            front: side(Vec3::Z, b.max[2]),
            back: side(Vec3::NEG_Z, -b.min[2]),
            top: side(Vec3::Y, b.max[1]),
            bottom: side(Vec3::NEG_Y, -b.min[1]),
            left: side(Vec3::NEG_X, -b.min[0]),
            right: side(Vec3::X, b.max[0]),
        }
    }

    /// The box with these half-extents, rotated about its centre.
    ///
    /// The rotation need not have unit length. Half-extents may be 0; a negative or NaN one makes the solid empty.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::glam::{Quat, Vec3};
    /// use roundel::geom::{PlaneBox, Side, Sphere};
    ///
    /// // rotated by 45° about z: its corners are on the x and y axes
    /// let eighth = Quat::from_xyzw(0.0, 0.0, 0.382_683_43, 0.923_879_5);
    /// let diamond = PlaneBox::oriented(Vec3::ZERO, Vec3::ONE, eighth);
    /// let dot = |x, y| Sphere { center: [x, y, 0.0], radius: 0.01 };
    /// assert_eq!(diamond.side_of(&dot(1.3, 0.0)), Side::Inside);
    /// assert_eq!(diamond.side_of(&dot(0.9, 0.9)), Side::Outside);
    /// ```
    #[must_use]
    pub fn oriented(center: Vec3, half_extent: Vec3, rotation: Quat) -> Self {
        let axes = DMat3::from_quat(rotation.as_dquat().normalize());
        let center = center.as_dvec3();
        let side = |direction: DVec3, extent: f32| {
            if extent >= 0.0 {
                Plane::outward(direction, |unit| unit.dot(center) + f64::from(extent))
            } else {
                Plane { normal: direction.as_vec3(), offset: f32::NEG_INFINITY }
            }
        };
        Self {
            front: side(axes.z_axis, half_extent.z),
            back: side(-axes.z_axis, half_extent.z),
            top: side(axes.y_axis, half_extent.y),
            bottom: side(-axes.y_axis, half_extent.y),
            left: side(-axes.x_axis, half_extent.x),
            right: side(axes.x_axis, half_extent.x),
        }
    }

    /// The part of the world that a view-projection matrix maps into view: right-handed, −w ≤ x, y ≤ w with y up, depth
    /// 0 ≤ z ≤ w.
    ///
    /// The matrix may have no far plane, and depth may be reversed: the missing plane is [`Plane::UNBOUNDED`], and
    /// `front` is the plane toward the eye. A far plane so distant that the matrix stores it with less than two bits
    /// (far / near over about 10⁶) counts as missing. Coefficients that are not finite give unbounded planes too; such
    /// a solid accepts too much, never too little.
    ///
    /// Source: G. Gribb, K. Hartmann, "Fast Extraction of Viewing Frustum Planes from the World-View-Projection
    /// Matrix", 2001, in the form for depths from 0 to 1. Ours: outward normals, evaluation in `f64`.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::glam::Vec3;
    /// use roundel::glam::camera::rh::{proj::directx::orthographic, view::look_at_mat4};
    /// use roundel::geom::{PlaneBox, Side, Sphere};
    ///
    /// let look = look_at_mat4(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, Vec3::Y);
    /// let view = PlaneBox::from_view_projection(orthographic(-2.0, 2.0, -1.0, 1.0, 1.0, 9.0) * look);
    /// let ball = |x, z| Sphere { center: [x, 0.0, z], radius: 0.5 };
    /// assert_eq!(view.side_of(&ball(0.0, 0.0)), Side::Inside);
    /// assert_eq!(view.side_of(&ball(2.0, 0.0)), Side::Intersecting, "the right plane");
    /// assert_eq!(view.side_of(&ball(0.0, 6.0)), Side::Outside, "behind the eye");
    /// ```
    #[must_use]
    pub fn from_view_projection(view_projection: Mat4) -> Self {
        let rows = view_projection.as_dmat4().transpose();
        let (x, y, z, w) = (rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis);
        let magnitude = |row: DVec4| row.truncate().length();
        let planes = Self {
            front: bound(z, magnitude(z)),
            back: bound(w - z, magnitude(w) + magnitude(z)),
            top: bound(w - y, magnitude(w) + magnitude(y)),
            bottom: bound(w + y, magnitude(w) + magnitude(y)),
            left: bound(w + x, magnitude(w) + magnitude(x)),
            right: bound(w - x, magnitude(w) + magnitude(x)),
        };
        // w grows along the view: a front plane that points the same way is a far plane, and depth is reversed
        let reversed = planes.front.normal.as_dvec3().dot(w.truncate()) > 0.0
            || planes.back.normal.as_dvec3().dot(w.truncate()) < 0.0;
        if reversed { Self { front: planes.back, back: planes.front, ..planes } } else { planes }
    }

    /// The six planes: front, back, top, bottom, left, right.
    #[must_use]
    pub fn planes(&self) -> [Plane; 6] {
        [self.front, self.back, self.top, self.bottom, self.left, self.right]
    }

    /// The side of the sphere, tested plane by plane.
    ///
    /// [`Side::Inside`] and [`Side::Outside`] are always right. A sphere beyond an edge or a corner that no single
    /// plane separates from the solid is [`Side::Intersecting`]; [`PlaneBox::side_of_exact`] finds it outside. An empty
    /// sphere is outside.
    ///
    /// Source: the six-plane test of box against sphere. As published it never tests the plane opposite to a face, and
    /// so finds spheres behind the eye of a frustum intersecting. Ours: a sphere outside any plane is outside.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::{Aabb, PlaneBox, Side, Sphere};
    ///
    /// let room = PlaneBox::from_aabb(&Aabb { min: [0.0; 3], max: [4.0; 3] });
    /// let bulb = |x, radius| Sphere { center: [x, 2.0, 2.0], radius };
    /// assert_eq!(room.side_of(&bulb(2.0, 1.0)), Side::Inside);
    /// assert_eq!(room.side_of(&bulb(2.0, 2.0)), Side::Intersecting, "touching from within");
    /// assert_eq!(room.side_of(&bulb(5.0, 1.0)), Side::Intersecting, "touching from without");
    /// assert_eq!(room.side_of(&bulb(5.5, 1.0)), Side::Outside);
    /// ```
    #[must_use]
    pub fn side_of(&self, s: &Sphere<3>) -> Side {
        let mut side = Side::Inside;
        for plane in self.planes() {
            match plane.side(s) {
                Side::Inside => {}
                Side::Intersecting => side = Side::Intersecting,
                Side::Outside => return Side::Outside,
            }
        }
        side
    }

    /// The side of the sphere by its distance from the solid, beyond edges and corners too.
    ///
    /// The solid is defined by the planes as stored. [`Side::Inside`] and [`Side::Outside`] are always right. Within
    /// 10⁻¹² of the largest coordinate of touching, and at edges so sharp that their position depends on rounding, the
    /// result may be [`Side::Intersecting`] instead. An empty sphere is outside.
    ///
    /// The distance from a convex solid is the largest signed distance from any plane that has the solid behind it.
    /// Such planes are the six and their sums with weights ≥ 0, and the largest distance needs at most three of them.
    /// So each face, edge and corner gives a plane to test. A sphere beyond such a plane is outside, however roughly
    /// the weights were computed.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::{Aabb, PlaneBox, Side, Sphere};
    ///
    /// let room = PlaneBox::from_aabb(&Aabb { min: [0.0; 3], max: [4.0; 3] });
    /// // (2, 3, 6) from the corner: 7 away
    /// let bulb = Sphere { center: [6.0, 7.0, 10.0], radius: 7.0 };
    /// assert_eq!(room.side_of_exact(&bulb), Side::Intersecting);
    /// assert_eq!(room.side_of_exact(&Sphere { radius: 6.999, ..bulb }), Side::Outside);
    /// ```
    #[must_use]
    pub fn side_of_exact(&self, s: &Sphere<3>) -> Side {
        let side = self.side_of(s);
        if side != Side::Intersecting {
            return side;
        }
        let center = Vec3::from(s.center).as_dvec3();
        // an unbounded plane bounds nothing, and NaN proves nothing
        let bounds: Vec<Bound> =
            self.planes().iter().filter(|p| p.is_finite()).map(|p| Bound::new(p, center)).collect();
        let radius = f64::from(s.radius);
        for (index, first) in bounds.iter().enumerate() {
            for (next, second) in bounds.iter().enumerate().skip(index + 1) {
                if apart(&[*first, *second], edge_weights(first, second), radius) {
                    return Side::Outside;
                }
                for third in bounds.iter().skip(next + 1) {
                    if apart(&[*first, *second, *third], corner_weights(first, second, third), radius) {
                        return Side::Outside;
                    }
                }
            }
        }
        Side::Intersecting
    }
}

/// The half-space q · (p, 1) ≥ 0 as a plane, normal outward. `magnitude` is that of the matrix rows that form q.
fn bound(q: DVec4, magnitude: f64) -> Plane {
    // two bits above the rounding of the f32 matrix: a shorter direction is noise
    let noise = 4.0 * f64::from(f32::EPSILON) * magnitude;
    let direction = -q.truncate();
    if direction.length() > noise {
        let length = direction.length();
        return Plane::outward(direction, |_| q.w / length);
    }
    // no direction: everything is inside, or nothing
    if q.w < 0.0 { Plane { offset: f32::NEG_INFINITY, ..Plane::UNBOUNDED } } else { Plane::UNBOUNDED }
}

/// A plane and the signed distance of the sphere's centre from it.
#[derive(Clone, Copy)]
struct Bound {
    normal: DVec3,
    distance: f64,
    /// Bound on the error of `distance`.
    doubt: f64,
}

impl Bound {
    fn new(plane: &Plane, center: DVec3) -> Self {
        let (distance, doubt) = plane.distance(center);
        Self { normal: plane.normal.as_dvec3(), distance, doubt }
    }
}

/// Reports whether all weights are ≥ 0 and the whole sphere is outside the weighted sum of the planes.
fn apart<const K: usize>(bounds: &[Bound; K], weights: [f64; K], radius: f64) -> bool {
    let mut normal = DVec3::ZERO;
    let (mut distance, mut doubt, mut total) = (0.0, 0.0, 0.0);
    for (bound, weight) in bounds.iter().zip(weights) {
        if weight.is_nan() || weight < 0.0 {
            return false;
        }
        normal += bound.normal * weight;
        distance += bound.distance * weight;
        doubt += (bound.doubt + f64::EPSILON * bound.distance.abs()) * weight;
        total += weight;
    }
    // at most six roundings in each sum, of unit normals
    let doubt = 8.0 * (doubt + f64::EPSILON * radius * total);
    distance - radius * normal.length() > doubt
}

/// The weights of the plane through the edge of two planes, perpendicular to the line from the edge to the centre.
fn edge_weights(a: &Bound, b: &Bound) -> [f64; 2] {
    let (aa, ab, bb) = (a.normal.dot(a.normal), a.normal.dot(b.normal), b.normal.dot(b.normal));
    [bb * a.distance - ab * b.distance, aa * b.distance - ab * a.distance]
}

/// The weights of the plane through the corner of three planes, perpendicular to the line from the corner to the
/// centre.
fn corner_weights(a: &Bound, b: &Bound, c: &Bound) -> [f64; 3] {
    let (bc, ca, ab) = (b.normal.cross(c.normal), c.normal.cross(a.normal), a.normal.cross(b.normal));
    // from the corner to the centre, times the determinant
    let offset = a.distance * bc + b.distance * ca + c.distance * ab;
    [offset.dot(bc), offset.dot(ca), offset.dot(ab)]
}
