//! The interactive camera: an orbit around spheres, or panning and zooming over circles.
//!
//! A drag is measured from its start, so that the camera depends on the mouse's position only, not on how many events
//! arrive on the way: a recording replays to the same camera on every machine.

mod orbit;
mod pan_zoom;

use glam::{DVec2, DVec3};

use crate::scene::circles::ViewBox;
use crate::scene::spheres::{Camera, Shading};
use crate::scene::{Scene, bounds};
pub(super) use orbit::{AxisView, BoundingSphere};
use orbit::{OrbitCamera, OrbitPosition};
use pan_zoom::{PanZoomCamera, PanZoomPosition};

/// The part of a scene that a viewer shows.
///
/// ```
/// use roundel::RenderSettings;
/// use roundel::circles::{CircleScene, ViewBox};
/// use roundel::viewer::{Viewer, Viewpoint};
///
/// let viewer = Viewer::new(CircleScene::new(32, 24).into(), &RenderSettings::default())?;
/// assert_eq!(viewer.viewpoint(), Viewpoint::ViewBox(ViewBox { center: [16.0, 12.0], height: 24.0 }));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Viewpoint {
    /// Spheres through this camera.
    Camera(Camera),
    /// This part of a circle scene.
    ViewBox(ViewBox),
}

/// The view that a loaded scene asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HomeView {
    Spheres {
        camera: Camera,
        shading: Shading,
        bounds: BoundingSphere,
    },
    Circles {
        /// Size of the scene's canvas.
        size: (u32, u32),
    },
}

impl HomeView {
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        match scene {
            Scene::Circles(scene) => Self::Circles { size: (scene.canvas.width, scene.canvas.height) },
            Scene::Spheres(scene) => {
                let [min, max] = bounds(&scene.framed()).unwrap_or([DVec3::NEG_ONE, DVec3::ONE]);
                let radius = 0.5 * (max - min).length();
                let radius = if radius > 0.0 { radius } else { 1.0 };
                let bounds = BoundingSphere { center: 0.5 * (min + max), radius };
                Self::Spheres { camera: scene.view.camera, shading: scene.shading, bounds }
            }
        }
    }

    /// Returns the scene's shading, which circles have none of.
    pub(super) fn shading(&self) -> Shading {
        match *self {
            Self::Spheres { shading, .. } => shading,
            Self::Circles { .. } => Shading::default(),
        }
    }
}

/// The camera of a viewer, and the window it looks through.
#[derive(Clone, Debug)]
pub(super) struct CameraController {
    /// The window's size in pixels.
    pub(super) window: (u32, u32),
    camera: InteractiveCamera,
}

#[derive(Clone, Debug)]
enum InteractiveCamera {
    Orbit(OrbitCamera),
    PanZoom(PanZoomCamera),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DragMode {
    /// Orbits around spheres; circles pan.
    Orbit,
    Pan,
}

/// The point that zooming keeps in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ZoomAnchor {
    /// The camera's target.
    Target,
    /// The point under the cursor; among spheres, as far away as the target.
    Cursor,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum DragStart {
    Orbit(OrbitPosition),
    OrbitPan(OrbitPosition),
    PanZoom(PanZoomPosition),
}

impl CameraController {
    pub(super) fn new(home: &HomeView, window: (u32, u32)) -> Self {
        let camera = match *home {
            HomeView::Spheres { camera, bounds, .. } => InteractiveCamera::Orbit(OrbitCamera::new(camera, bounds)),
            HomeView::Circles { size } => InteractiveCamera::PanZoom(PanZoomCamera::new(size, window)),
        };
        Self { window, camera }
    }

    /// Takes over the home view of another scene. A camera that the user has moved stays where it is, unless circles
    /// replace spheres or spheres circles.
    pub(super) fn set_home(&mut self, home: &HomeView) {
        match (&mut self.camera, *home) {
            (InteractiveCamera::Orbit(orbit), HomeView::Spheres { camera, bounds, .. }) => {
                orbit.set_home(camera, bounds);
            }
            (InteractiveCamera::PanZoom(pan_zoom), HomeView::Circles { size }) => pan_zoom.set_home(size),
            _ => *self = Self::new(home, self.window),
        }
    }

    pub(super) fn resize(&mut self, window: (u32, u32)) {
        self.window = window;
        if let InteractiveCamera::PanZoom(pan_zoom) = &mut self.camera {
            pan_zoom.resize(window);
        }
    }

    pub(super) fn start_drag(&self, mode: DragMode) -> DragStart {
        match (&self.camera, mode) {
            (InteractiveCamera::Orbit(orbit), DragMode::Orbit) => DragStart::Orbit(orbit.position),
            (InteractiveCamera::Orbit(orbit), DragMode::Pan) => DragStart::OrbitPan(orbit.position),
            (InteractiveCamera::PanZoom(pan_zoom), _) => DragStart::PanZoom(pan_zoom.position),
        }
    }

    /// Moves the camera to where a drag of this many pixels since `start` takes it.
    pub(super) fn drag(&mut self, start: &DragStart, pixels: DVec2) {
        let heights = pixels / f64::from(self.window.1);
        match (&mut self.camera, start) {
            (InteractiveCamera::Orbit(orbit), DragStart::Orbit(start)) => orbit.orbit(start, heights),
            (InteractiveCamera::Orbit(orbit), DragStart::OrbitPan(start)) => orbit.pan(start, heights),
            (InteractiveCamera::PanZoom(pan_zoom), DragStart::PanZoom(start)) => pan_zoom.pan(start, pixels),
            _ => unreachable!("a drag ends when another kind of scene is loaded"),
        }
    }

    /// Zooms in by `factor`. Over circles the anchor is always the cursor.
    pub(super) fn zoom(&mut self, factor: f64, cursor: DVec2, anchor: ZoomAnchor) {
        match &mut self.camera {
            InteractiveCamera::Orbit(orbit) => {
                let (width, height) = (f64::from(self.window.0), f64::from(self.window.1));
                let heights = match anchor {
                    ZoomAnchor::Cursor => (cursor - 0.5 * DVec2::new(width, height)) / height,
                    ZoomAnchor::Target => DVec2::ZERO,
                };
                orbit.zoom(factor, heights);
            }
            InteractiveCamera::PanZoom(pan_zoom) => pan_zoom.zoom(factor, cursor),
        }
    }

    pub(super) fn fit(&mut self) {
        match &mut self.camera {
            InteractiveCamera::Orbit(orbit) => orbit.fit(f64::from(self.window.0) / f64::from(self.window.1)),
            InteractiveCamera::PanZoom(pan_zoom) => pan_zoom.fit(),
        }
    }

    pub(super) fn reset(&mut self) {
        match &mut self.camera {
            InteractiveCamera::Orbit(orbit) => orbit.reset(),
            InteractiveCamera::PanZoom(pan_zoom) => pan_zoom.fit(),
        }
    }

    /// Returns the camera around spheres; `None` for circles.
    pub(super) fn orbit_mut(&mut self) -> Option<&mut OrbitCamera> {
        match &mut self.camera {
            InteractiveCamera::Orbit(orbit) => Some(orbit),
            InteractiveCamera::PanZoom(_) => None,
        }
    }

    pub(super) fn viewpoint(&self) -> Viewpoint {
        match &self.camera {
            InteractiveCamera::Orbit(orbit) => Viewpoint::Camera(orbit.camera()),
            InteractiveCamera::PanZoom(pan_zoom) => Viewpoint::ViewBox(pan_zoom.view_box()),
        }
    }

    /// Size of a window pixel: in world units at the target, or in pixels of the circle scene.
    pub(super) fn units_per_pixel(&self) -> f64 {
        match &self.camera {
            InteractiveCamera::Orbit(orbit) => orbit.height() / f64::from(self.window.1),
            InteractiveCamera::PanZoom(pan_zoom) => 1.0 / pan_zoom.position.scale,
        }
    }
}
