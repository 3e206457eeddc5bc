//! How the cameras of panels go together: one for all, or one for each at one scale.

use glam::DVec3;

use crate::options::load_options::LoadOptions;
use crate::pictures::several::PanelPart;
use crate::scene::bounds;
use crate::scene::spheres::{Camera, Projection, SphereScene};

/// Files lie far apart if the diagonal of their common bounding box is more than this many times the largest file's:
/// superposed ones are nearer.
const APART: f64 = 1.3;

/// Whether parts lie so far apart that each is small in a picture of all.
pub fn lie_apart(all: &SphereScene<'_>, parts: &[PanelPart]) -> bool {
    let boxes: Vec<[DVec3; 2]> = parts.iter().filter_map(|part| bounds(&all.groups[part.groups.clone()])).collect();
    let largest = boxes.iter().copied().map(diagonal).fold(0.0, f64::max);
    let join = |a: [DVec3; 2], b: [DVec3; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    boxes.into_iter().reduce(join).is_some_and(|whole| diagonal(whole) > APART * largest)
}

/// Whether each panel may look at its own part: the options place neither the camera nor clip planes, and no part is in
/// a periodic box.
pub fn may_look_at_own(options: &LoadOptions, parts: &[PanelPart]) -> bool {
    is_free(options) && parts.iter().all(|part| part.cell.is_none())
}

/// The diagonal of a box.
pub fn diagonal([least, most]: [DVec3; 2]) -> f64 {
    (most - least).length()
}

/// Whether the options place neither the camera nor clip planes.
pub fn is_free(options: &LoadOptions) -> bool {
    let LoadOptions { eye, target, focus, zoom, ortho_height, slab, slab_thickness, clip, .. } = options;
    let has_camera = eye.is_some() || target.is_some() || focus.is_some() || zoom.is_some() || ortho_height.is_some();
    !has_camera && slab.is_none() && slab_thickness.is_none() && clip.is_empty()
}

/// Width over height of panels in which everything fits that these cameras show in pictures of these sizes, at one scale.
pub fn common_aspect(pictures: &[(Camera, (u32, u32))]) -> f64 {
    let sizes = pictures.iter().map(|(camera, (width, height))| {
        let across = f64::from(reach(camera));
        [f64::from(*width) / f64::from(*height) * across, across]
    });
    let [width, height] =
        sizes.fold([0.0, 0.0], |[across, up], [width, height]: [f64; 2]| [width.max(across), height.max(up)]);
    if height > 0.0 { width / height } else { 1.0 }
}

/// How much a camera shows: the height of what parallel rays show, or the distance of the eye from the target.
pub fn reach(camera: &Camera) -> f32 {
    match camera.projection {
        Projection::Orthographic { height } => height,
        Projection::Perspective { .. } => (camera.eye - camera.target).length(),
    }
}

/// The growth of a camera's reach for each unit that it must show beyond one side of the picture.
pub fn reach_of_side(camera: &Camera) -> f32 {
    match camera.projection {
        Projection::Orthographic { .. } => 2.0,
        Projection::Perspective { fov_y_radians } => 1.0 / libm::tanf(0.5 * fov_y_radians),
    }
}

/// Moves a camera to and fro, or changes the height that it shows, until it has this reach.
pub fn set_reach(camera: &mut Camera, wanted: f32) {
    match &mut camera.projection {
        Projection::Orthographic { height } => *height = wanted,
        Projection::Perspective { .. } => {
            camera.eye = camera.target + (camera.eye - camera.target).normalize_or_zero() * wanted;
        }
    }
}

/// Moves cameras away, so that all show things at the scale at which the largest fits.
pub fn share_scale<'a>(cameras: impl Iterator<Item = &'a mut Camera>) {
    let cameras: Vec<&mut Camera> = cameras.collect();
    let most = cameras.iter().map(|camera| reach(camera)).fold(0.0, f32::max);
    cameras.into_iter().for_each(|camera| set_reach(camera, most));
}
