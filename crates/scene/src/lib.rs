//! Scenes of circles, spheres and other shapes, and the tests between bodies. Internal to roundel; no stability.
//!
//! In: numbers, owned or borrowed. Out: a [`Scene`] for a renderer, answers about bodies, and [`Frame`]s with marks
//! around them.
//!
//! - [`geom`]: tests between boxes, spheres, ellipsoids, planes and rays.
//! - [`Scene`]: [`circles`] on a canvas, or [`spheres`] and other solids in front of a camera.
//! - [`Figure`]: title, legend, scale bar and other marks around a picture.
//! - [`SimdLevel`]: instruction sets of the lane kernels.
//!
//! Hidden modules are for the other crates of roundel.
//!
//! ```
//! use roundel_image::Srgba8;
//! use roundel_scene::Scene;
//! use roundel_scene::circles::{CircleScene, PaintedCircle};
//!
//! let coin = vec![PaintedCircle::new([16.0, 12.0], 8.0, Srgba8::BLACK)];
//! let scene = Scene::from(CircleScene::new(32, 24).with_layer(coin));
//! assert_eq!(scene.size(), (32, 24));
//! ```
//!
//! [`Frame`]: roundel_image::Frame

#[doc(hidden)]
pub mod calendar;
#[doc(hidden)]
pub mod color;
#[doc(hidden)]
pub mod figure;
pub mod geom;
#[doc(hidden)]
pub mod lanes;
#[doc(hidden)]
pub mod scene;
#[doc(hidden)]
pub mod simd;

pub use figure::Figure;
pub use scene::{Scene, arrows, circles, cylinders, ellipsoids, generate, spheres};
pub use simd::SimdLevel;

#[doc(hidden)]
pub use glam;
#[doc(hidden)]
pub use roundel_image::{Budget, Error, Frame, Result, Srgba8};
use roundel_image::{budget, error, frame};
