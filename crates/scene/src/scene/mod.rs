//! Scenes: circles on a canvas, or spheres in front of a camera.
//!
//! Shapes live in slices, owned or borrowed, so that a caller's own arrays are drawn without a copy. Building a scene
//! never fails: a shape with a negative radius, or a NaN or infinite number, draws nothing.

pub mod arrows;
mod bounds;
mod camera;
pub mod circles;
mod clip_plane;
mod cloud;
mod cut;
pub mod cylinders;
mod degrees;
mod depth_map;
pub mod ellipsoids;
mod extents;
mod framing;
pub mod generate;
mod gloss;
mod instances;
mod joints;
mod light;
mod look;
mod outermost;
mod pages;
mod placed_list;
mod rays;
mod shading;
mod shading_numbers;
mod shape_group;
mod shape_kinds;
mod sphere_arrays;
mod sphere_box;
mod sphere_list;
mod sphere_sink;
mod sphere_summary;
mod sphere_writer;
pub mod spheres;
mod standard_view;
mod view_box;

pub use bounds::{extents_of_rows, sphere_extents};
pub use cloud::{Cloud, has_cloud, is_cloud};
pub use cut::{is_kept, kept_groups};
pub use depth_map::DepthMap;
pub use extents::SphereExtents;
pub use instances::{InstanceRun, Opacity, PrimitiveId, SphereInstances};
pub use joints::{CylinderEnd, CylinderEnds, without_joints};
pub use look::MOST_OUTLINE_WIDTH;
pub use placed_list::{Placeable, PlacedList, SolidExtent};
pub use rays::Rays;
pub use shape_kinds::{MOST_EXACT_OCCLUDERS, PlacedShape, PlacedShapes};
pub use sphere_list::RowBuffer;
pub use sphere_sink::{FillSpheres, SphereSink, in_chunks};
pub use view_box::CanvasZoom;

pub use {
    bounds::{bounds, extent},
    degrees::degrees,
    framing::{filled_aspect, framing_directions, sample_step},
    look::MOST_LIGHT_ANGLE,
    outermost::Outermost,
    shading::check_outline_color,
    shading_numbers::NUMBERS,
    shape_kinds::framed,
    sphere_box::BOX,
    sphere_list::SphereSlice,
    sphere_summary::{RoughSpread, box_of_centers, sphere_boxes},
    sphere_writer::{SphereChunk, SphereWriter},
};

use circles::CircleScene;
use spheres::SphereScene;

/// A picture to draw: flat circles on a canvas, or spheres in space.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Scene;
/// use roundel::circles::CircleScene;
///
/// let scene = Scene::from(CircleScene::new(320, 240));
/// assert_eq!(scene.size(), (320, 240));
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a program holds few scenes, and moves them seldom")]
pub enum Scene<'a> {
    /// Circles and ellipses on a canvas.
    Circles(CircleScene<'a>),
    /// Spheres in front of a camera.
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

impl<'a> From<CircleScene<'a>> for Scene<'a> {
    fn from(scene: CircleScene<'a>) -> Self {
        Self::Circles(scene)
    }
}

impl<'a> From<SphereScene<'a>> for Scene<'a> {
    fn from(scene: SphereScene<'a>) -> Self {
        Self::Spheres(scene)
    }
}
