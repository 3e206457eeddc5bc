//! Boxes, spheres, ellipsoids, planes and rays, and every test between them.
//!
//! Shapes are plain arrays of `f32` in any dimension; planes and what is made of them are 3D and speak
//! [`glam`]. All bodies are closed sets, so touching counts. Three kinds of answer:
//!
//! - **exact**: [`box_sphere`], [`box_ellipsoid`] and the case that [`ray_sphere`] names decide as rational
//!   arithmetic on the inputs would; `f64` decides all but near-ties, big integers decide those;
//! - **conservative**: [`overlap`], [`Plane::side`], [`PlaneBox`] never drop what touches, and keep too much only
//!   within rounding of tangency;
//! - **measured**: [`pixel_coverage`] and distances along rays state the error they have.
//!
//! A body that is no point set (a negative, NaN or infinite radius, a coordinate that is not finite, `min > max`) is
//! empty: it overlaps nothing, lies outside of everything, no ray meets it, and it covers no pixel.

mod box_ellipsoid;
mod box_sphere;
mod exact;
pub mod overlap;
mod pixel_coverage;
mod plane;
mod plane_box;
mod ray_sphere;
mod shapes;

pub use box_ellipsoid::box_ellipsoid;
pub use box_sphere::box_sphere;
pub use pixel_coverage::pixel_coverage;
pub use plane::{Plane, Side};
pub use plane_box::PlaneBox;
pub use ray_sphere::{Ray, RaySphere, ray_sphere};
pub use shapes::{Aabb, Body, Circle, Ellipsoid, Sphere};
