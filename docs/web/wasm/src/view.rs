//! The part of a scene that a picture shows, as JavaScript states it.

use roundel::glam::DVec3;
use roundel::io::LoadOptions;
use roundel::spheres::{AmbientOcclusion, Camera, Projection, Shading, SphereScene};
use serde::{Deserialize, Serialize};

/// A view: size, camera and quality.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct View {
    /// Columns of pixels.
    pub(crate) width: u32,
    /// Rows of pixels.
    pub(crate) height: u32,
    /// Where spheres are seen from; left out: the scene's own.
    pub(crate) camera: Option<CameraText>,
    /// The part of a canvas; left out: all of it.
    pub(crate) view_box: Option<[f64; 3]>,
    /// A frame of a trajectory; left out: the one that was drawn last.
    pub(crate) frame: Option<u64>,
    /// How good the picture is.
    #[serde(default)]
    pub(crate) quality: Quality,
}

/// The quality of a picture, as `roundel view` lowers it while the view moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Quality {
    /// The final picture.
    #[default]
    Final,
    /// One sample a pixel.
    OneSample,
    /// One sample a pixel, without shadows and occlusion.
    Plain,
}

/// A camera by the names of options.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct CameraText {
    /// In the coordinates of the data, as the target is.
    eye: [f64; 3],
    target: [f64; 3],
    up: [f32; 3],
    /// Degrees; left out with parallel rays.
    #[serde(skip_serializing_if = "Option::is_none")]
    fov: Option<f32>,
    /// World units; left out in perspective.
    #[serde(skip_serializing_if = "Option::is_none")]
    ortho_height: Option<f32>,
}

impl CameraText {
    /// A camera of this scene.
    pub(crate) fn new(scene: &SphereScene<'_>, camera: &Camera) -> Self {
        let (fov, ortho_height) = match camera.projection {
            Projection::Perspective { fov_y_radians } => (Some(degrees(fov_y_radians)), None),
            Projection::Orthographic { height } => (None, Some(height)),
        };
        let [eye, target] = [camera.eye, camera.target].map(|place| scene.in_data(place));
        Self { eye, target, up: camera.up.to_array(), fov, ortho_height }
    }

    /// The camera in a scene with this origin.
    pub(crate) fn camera(&self, origin: [f64; 3]) -> Camera {
        let projection = match (self.ortho_height, self.fov) {
            (Some(height), _) => Projection::Orthographic { height },
            (None, fov) => Projection::perspective_degrees(fov.unwrap_or(40.0)),
        };
        let [eye, target] = [self.eye, self.target].map(|place| (DVec3::from(place) - DVec3::from(origin)).as_vec3());
        Camera::look_at(eye, target).with_up(self.up).with_projection(projection)
    }
}

impl Quality {
    /// The shading without what this quality leaves out.
    pub(crate) fn reduce(self, mut shading: Shading) -> Shading {
        if self != Self::Final {
            (shading.samples, shading.shadows) = (1, false);
            let is_lit = self == Self::OneSample && shading.ambient_occlusion.is_on();
            shading.ambient_occlusion = if is_lit { AmbientOcclusion::Smooth } else { AmbientOcclusion::Off };
        }
        shading
    }
}

/// Degrees that give the same radians back.
fn degrees(radians: f32) -> f32 {
    let nearest = radians.to_degrees();
    let (mut below, mut above) = (nearest, nearest);
    for _ in 0..8 {
        if let Some(found) = [below, above].into_iter().find(|degrees| degrees.to_radians() == radians) {
            return found;
        }
        (below, above) = (below.next_down(), above.next_up());
    }
    nearest
}

impl CameraText {
    /// Sets the options of the command line that state this camera, and takes back those that move one.
    pub(crate) fn set(self, options: &mut LoadOptions) {
        let Self { eye, target, up, fov, ortho_height } = self;
        (options.eye, options.target, options.up) = (Some(eye), Some(target), Some(up));
        (options.fov, options.ortho_height) = (fov, ortho_height);
        (options.view, options.azimuth, options.elevation, options.roll) = (None, None, None, None);
        (options.look_along, options.same_view) = (None, None);
        (options.zoom, options.focus, options.focus_margin, options.ortho) = (None, None, None, None);
    }
}
