//! What to draw: circles on a canvas or spheres before a camera, in painter's order, ready for the tiles.
//!
//! Shapes live in slices, owned or borrowed: a caller with its own arrays draws them without a copy.

mod camera;
mod circles;
mod framing;
mod generate;
mod roster;
mod spheres;
mod window;

pub(crate) use camera::Rays;
pub(crate) use roster::{Roster, Run, Seen};

pub use circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Style};
pub use framing::Framing;
#[cfg(feature = "scene-files")]
pub(crate) use framing::bounds;
pub use generate::{Pattern, generate_circles, generate_spheres};
pub use spheres::{
    Background, Camera, Light, PaintedSphere, Pose, Projection, Quality, SphereGroup, SphereScene, View,
};
pub use window::Window;

/// A picture to draw: flat circles on a canvas, or spheres in space.
#[derive(Clone, Debug, PartialEq)]
pub enum Scene<'a> {
    /// Circles and ellipses on a canvas.
    Circles(CircleScene<'a>),
    /// Spheres before a camera.
    Spheres(SphereScene<'a>),
}

impl Scene<'_> {
    /// Width and height of the picture in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        match self {
            Self::Circles(scene) => (scene.canvas.width, scene.canvas.height),
            Self::Spheres(scene) => (scene.view.width, scene.view.height),
        }
    }
}
