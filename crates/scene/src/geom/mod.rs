//! Boxes, spheres, ellipsoids, planes and rays, and every test between them.
//!
//! Shapes are arrays of `f32` in any dimension; planes and solids of planes are 3D and use [`glam`]. All bodies are
//! closed sets, so touching counts. There are three kinds of results:
//!
//! - **exact**: [`box_sphere`], [`box_ellipsoid`] and the case returned by [`ray_sphere`] agree with rational
//!   arithmetic on the inputs. `f64` decides all but near-ties; big integers decide those.
//! - **conservative**: [`overlap`], [`Plane::side`] and [`PlaneBox`] never reject bodies that touch, and accept bodies
//!   that do not only within rounding of tangency.
//! - **approximate**: [`pixel_coverage`] and distances along rays have a stated error.
//!
//! A body that is not a point set (a negative, NaN or infinite radius, a coordinate that is not finite, `min > max`) is
//! empty: it overlaps nothing, is outside everything, is missed by every ray and covers no pixel.
//!
//! | question | function |
//! |---|---|
//! | does this circle touch this tile, exactly | [`box_sphere`] |
//! | the same in a culling loop | [`overlap::arvo`] and its variants |
//! | does the rim of a circle, or of a box, touch | [`box_sphere`] with [`Body::Hollow`] |
//! | is this sphere in a frustum, such as that of a camera | [`PlaneBox::side_of`] |
//! | where does this ray hit this sphere | [`ray_sphere`] |
//! | how much of this pixel does this circle cover | [`pixel_coverage`] |

mod box_ellipsoid;
mod box_sphere;
mod disc_spreader;
mod exact;
mod origin;
pub mod overlap;
mod pixel_coverage;
mod plane;
mod plane_box;
mod ray_sphere;
mod segment_coverage;
mod shapes;
mod solids;
mod spread;

pub use box_ellipsoid::box_ellipsoid;
pub use box_sphere::box_sphere;
#[doc(hidden)]
pub use origin::{Origin, shortest};
#[doc(hidden)]
pub use pixel_coverage::disc_coverage;
pub use pixel_coverage::pixel_coverage;
pub use plane::{Plane, Side};
pub use plane_box::PlaneBox;
pub use ray_sphere::{Ray, RaySphere, ray_sphere};
#[doc(hidden)]
pub use segment_coverage::Stroke2;
pub use shapes::{Aabb, Body, Circle, Ellipsoid, Sphere};
pub use solids::{Caps, Cone, Cylinder, TurnedEllipsoid};
#[doc(hidden)]
pub use spread::{PixelSum, bytes_of_pixel_sums, masses_of_discs, sums_of_points};

/// The nearest `f32`.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
#[doc(hidden)]
pub fn single(value: f64) -> f32 {
    value as f32
}

/// The nearest finite `f32`: numbers beyond the range are clamped.
#[inline]
#[doc(hidden)]
pub fn finite_single(value: f64) -> f32 {
    single(value).clamp(f32::MIN, f32::MAX)
}
