//! The picture that a viewer draws of a scene.

use super::camera::Viewpoint;
use crate::geom::single;
use crate::scene::Scene;
use crate::scene::circles::ViewBox;
use crate::scene::spheres::{Projection, Shading, View};

/// Everything besides the scene that determines the pixels of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PictureSpec {
    pub(super) viewpoint: Viewpoint,
    /// How spheres are shaded; circles ignore it.
    pub(super) shading: Shading,
    /// Width and height in pixels.
    pub(super) size: (u32, u32),
}

impl PictureSpec {
    /// Returns the scene with this viewpoint, shading and size, as [`render`](crate::render()) takes it. Spheres are
    /// borrowed.
    pub(super) fn apply<'a>(&self, scene: &'a Scene<'_>) -> Scene<'a> {
        let (width, height) = self.size;
        match (scene, &self.viewpoint) {
            (Scene::Circles(scene), Viewpoint::ViewBox(view_box)) => {
                Scene::Circles(scene.in_view_box(view_box, self.size))
            }
            (Scene::Spheres(scene), Viewpoint::Camera(camera)) => {
                let view = View::new(*camera, width, height).with_background(scene.view.background);
                Scene::Spheres(scene.borrowed(view).with_shading(self.shading))
            }
            _ => unreachable!("circles are seen through a view box and spheres through a camera"),
        }
    }

    /// Returns the same picture with one pixel for each square of `divisor` by `divisor` pixels.
    ///
    /// The squares are centred on the picture and cover it; where they extend beyond it, the view is widened to match.
    pub(super) fn reduced(&self, divisor: u32) -> Self {
        if divisor == 1 {
            return *self;
        }
        let size = (self.size.0.div_ceil(divisor), self.size.1.div_ceil(divisor));
        let widening = f64::from(size.1 * divisor) / f64::from(self.size.1);
        let viewpoint = match self.viewpoint {
            Viewpoint::ViewBox(view_box) => {
                Viewpoint::ViewBox(ViewBox { height: view_box.height * widening, ..view_box })
            }
            Viewpoint::Camera(mut camera) => {
                camera.projection = match camera.projection {
                    Projection::Orthographic { height } => {
                        Projection::Orthographic { height: single(f64::from(height) * widening) }
                    }
                    Projection::Perspective { fov_y_radians } => {
                        let tangent = libm::tan(0.5 * f64::from(fov_y_radians)) * widening;
                        Projection::Perspective { fov_y_radians: single(2.0 * libm::atan(tangent)) }
                    }
                };
                Viewpoint::Camera(camera)
            }
        };
        Self { viewpoint, size, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduced_picture_covers_the_window_evenly() {
        let view_box = |height| Viewpoint::ViewBox(ViewBox { center: [5.0, 6.0], height });
        let full = PictureSpec { viewpoint: view_box(100.0), shading: Shading::default(), size: (101, 50) };
        let reduced = full.reduced(4);
        assert_eq!(reduced.size, (26, 13));
        assert_eq!(reduced.viewpoint, view_box(104.0), "52 rows in place of 50");
        assert_eq!(full.reduced(1), full);
    }
}
