//! Scenes of spheres: the camera, the shading and the lights.

use serde::Deserialize;

use crate::scene::spheres::{StandardView, Transparency};
use crate::scene_file::decode::{Located, NumbersText};
use crate::scene_file::names::{Name, SceneLook};
use crate::scene_file::values::{
    Angle, BackgroundText, ClipText, Color, Degrees, Direction, Length, LightAngle, NamedAnchor, Numbers,
    OcclusionReach, OcclusionText, OnlyStudio, OutlineColor, Pixels, Positive, SampleCount, Seed, Share, ZoomLevel,
};
#[cfg(test)]
use schemars::JsonSchema;

/// `[camera]`
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct CameraText {
    /// Position of the eye.
    /// - Unit: world units
    /// - Default: where everything is in the picture
    /// - Example: `eye = [12, 6, 17]`
    pub(crate) eye: Option<Numbers<3>>,
    /// The point in the middle of the picture.
    /// - Unit: world units
    /// - Default: the middle of everything
    /// - Example: `target = [0, -0.5, 0]`
    pub(crate) target: Option<Numbers<3>>,
    /// The direction that is up in the picture.
    /// - Default: `[0, 1, 0]`, or that of `view`
    /// - Example: `up = [0, 0, 1]`
    pub(crate) up: Option<Direction>,
    /// Angle between the bottom and the top of the picture.
    /// - Unit: degrees
    /// - Default: `30.0`
    /// - Example: `fov = 32.0`
    pub(crate) fov: Option<Located<Degrees>>,
    /// Height of the picture with parallel rays. A camera has either `fov` or `ortho_height`.
    /// - Unit: world units
    /// - Default: rays are not parallel
    /// - Example: `ortho_height = 12.0`
    pub(crate) ortho_height: Option<Positive>,
    /// The side to look from, in place of an `eye`. `"broadside"` is the side from which the data shows most of itself.
    /// Of files of particles, simulations and membranes z is up and the front faces −y; of molecules and of scenes
    /// without files y is up and the front faces +z.
    /// - Default: `"front"`
    /// - Example: `view = "top"`
    pub(crate) view: Option<Located<Name<StandardView>>>,
    /// Moves the eye around to the right.
    /// - Unit: degrees
    /// - Default: `0.0`
    /// - Example: `azimuth = 30`
    pub(crate) azimuth: Option<Angle>,
    /// Then moves the eye up.
    /// - Unit: degrees
    /// - Default: `0.0`
    /// - Example: `elevation = 20`
    pub(crate) elevation: Option<Angle>,
    /// Then turns the picture counter-clockwise.
    /// - Unit: degrees
    /// - Default: `0.0`
    /// - Example: `roll = 90`
    pub(crate) roll: Option<Angle>,
    /// Draws everything this many times as large.
    /// - Default: `1.0`
    /// - Example: `zoom = 1.5`
    pub(crate) zoom: Option<ZoomLevel>,
    /// Numbers of the camera at times of a film, one table each: `roundel film` moves the camera smoothly from one to
    /// the next. Without a film the first numbers count.
    /// - Default: none
    /// - Example: `key = [{ time = 0, azimuth = 0 }, { time = 4, azimuth = 90, zoom = 1.5 }]`
    #[serde(default)]
    pub(crate) key: Vec<Located<CameraKeyText>>,
    /// Planes that cut spheres; the other side is not drawn.
    /// - Default: none
    /// - Example: `clip = ["x<12", "z>-3.5"]`
    pub(crate) clip: Vec<ClipText>,
    /// Two planes that face the camera, between which spheres are drawn: shares of the depth, from 0 at the front of
    /// the spheres to 1 at their back.
    /// - Default: all depths
    /// - Example: `slab = [0.5, 1.0]`
    pub(crate) slab: Option<Located<Numbers<2>>>,
    /// Width of the picture.
    /// - Unit: pixels
    /// - Default: 1280, or what keeps the shape 4:3 if there is a height
    /// - Example: `width = 480`
    pub(crate) width: Option<Pixels>,
    /// Height of the picture.
    /// - Unit: pixels
    /// - Default: 960, or what keeps the shape 4:3 if there is a width
    /// - Example: `height = 360`
    pub(crate) height: Option<Pixels>,
    /// Colour behind everything: one, or a sky of two that are mixed by the height of the ray's direction in the world:
    /// `bottom` straight down along y, `top` straight up, and both in equal parts at the horizon. Parallel rays see one
    /// mixture.
    /// - Default: `"white"`
    /// - Example: `background = { bottom = "white", top = "#80b3ff" }`
    pub(crate) background: Option<BackgroundText>,
}

/// `[[camera.key]]`: numbers of the camera at a time of a film. Those that are left out are not bound to this time.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with a time")]
pub(crate) struct CameraKeyText {
    /// The time from the start of the film, later than that of the key before.
    /// - Unit: seconds
    /// - Example: `time = 2.5`
    pub(crate) time: Length,
    /// Position of the eye.
    /// - Unit: world units
    /// - Example: `eye = [12, 6, 17]`
    pub(crate) eye: Option<Numbers<3>>,
    /// The point in the middle of the picture.
    /// - Unit: world units
    /// - Example: `target = [0, -0.5, 0]`
    pub(crate) target: Option<Numbers<3>>,
    /// The direction that is up in the picture.
    /// - Example: `up = [0, 0, 1]`
    pub(crate) up: Option<Direction>,
    /// Angle between the bottom and the top of the picture.
    /// - Unit: degrees
    /// - Example: `fov = 32.0`
    pub(crate) fov: Option<Degrees>,
    /// Height of the picture with parallel rays.
    /// - Unit: world units
    /// - Example: `ortho_height = 12.0`
    pub(crate) ortho_height: Option<Positive>,
    /// Moves the eye around to the right.
    /// - Unit: degrees
    /// - Example: `azimuth = 30`
    pub(crate) azimuth: Option<Angle>,
    /// Then moves the eye up.
    /// - Unit: degrees
    /// - Example: `elevation = 20`
    pub(crate) elevation: Option<Angle>,
    /// Then turns the picture counter-clockwise.
    /// - Unit: degrees
    /// - Example: `roll = 90`
    pub(crate) roll: Option<Angle>,
    /// Draws everything this many times as large.
    /// - Example: `zoom = 1.5`
    pub(crate) zoom: Option<ZoomLevel>,
}

/// `[render]`
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct RenderText {
    /// The kind of shading; there is one.
    /// - Default: `"studio"`
    /// - Example: `shading = "studio"`
    #[serde(rename = "shading")]
    pub(crate) _shading: Option<OnlyStudio>,
    /// Samples a pixel.
    /// - Default: `1`
    /// - Example: `samples = 4`
    pub(crate) samples: Option<SampleCount>,
    /// The look: where the numbers below come from that the scene does not set. `"auto"` draws files as they are drawn
    /// without a scene: the look, the samples, the colours, the side to look from and the shape of the picture, as far
    /// as the scene does not set them.
    /// - Default: `"headlight"`
    /// - Example: `look = "illustrative"`
    pub(crate) look: Option<Name<SceneLook>>,
    /// Ambient occlusion: `"smooth"` finds it without rays, a number is that of rays a sample.
    /// - Default: `"off"`; `"smooth"` in the looks `illustrative`, `studio` and `glossy`
    /// - Example: `ao = "smooth"`
    pub(crate) ao: Option<OcclusionText>,
    /// Spheres farther away than this do not occlude.
    /// - Unit: world units
    /// - Default: no limit
    /// - Example: `ao_distance = 32.0`
    pub(crate) ao_distance: Option<OcclusionReach>,
    /// Whether lights cast shadows.
    /// - Default: `false`; `true` in the looks `studio` and `glossy`
    /// - Example: `shadows = true`
    pub(crate) shadows: Option<bool>,
    /// Light from everywhere.
    /// - Default: `0.2`; 1.0 in the looks `illustrative` and `flat`, 0.6 in `studio`, 0.5 in `glossy`
    /// - Example: `ambient = 0.3`
    pub(crate) ambient: Option<Share>,
    /// Numbers with keys of their own, which are defined with the shading.
    #[cfg_attr(test, schemars(skip))]
    pub(crate) numbers: NumbersText,
    /// Colour of outlines, which is opaque; `outline_width = 0` draws none.
    /// - Default: `"black"`
    /// - Example: `outline_color = "#333333"`
    pub(crate) outline_color: Option<OutlineColor>,
    /// How translucent spheres are composed: `"shell"`, the outer surface of the touching spheres of a part;
    /// `"front"`, of these the first surface alone; `"surfaces"`, the front and the back of every sphere; `"solid"`, a
    /// medium that absorbs light along the way through.
    /// - Default: `"shell"`
    /// - Example: `transparency = "solid"`
    pub(crate) transparency: Option<Name<Transparency>>,
    /// Seed of every random number in the picture.
    /// - Default: `0`
    /// - Example: `seed = 7`
    pub(crate) seed: Option<Seed>,
}

/// `[[light]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct LightText {
    /// The direction in which the light travels.
    /// - Example: `direction = [-1, -2, -1]`
    pub(crate) direction: Direction,
    /// Colour of the light.
    /// - Default: `"white"`
    /// - Example: `color = "#ffeedd"`
    pub(crate) color: Option<Color>,
    /// Brightness.
    /// - Default: `1.0`
    /// - Example: `intensity = 0.8`
    pub(crate) intensity: Option<Length>,
    /// Angle across the light: how soft its shadows are.
    /// - Unit: degrees
    /// - Default: `0.0`
    /// - Example: `angle = 10`
    pub(crate) angle: Option<LightAngle>,
    /// Whether the direction is one of the world, or moves with the camera.
    /// - Default: `"world"`
    /// - Example: `anchor = "camera"`
    pub(crate) anchor: Option<NamedAnchor>,
}
