//! The scene format: one structure per table, one field per key, each checked as it is read.
//!
//! The comments of the fields are the reference of the format: docs/scene.md and docs/scene.schema.json are made of them (see
//! `reference`). Lines that begin with `- Unit:`, `- Default:` and `- Example:` become columns of the page's tables.

use std::path::PathBuf;

use serde::Deserialize;

use super::columns::{
    ColorByText, GlossByText, GlossText, OpacityText, PointColor, PointRadius, RadiusByText, StyleText,
};
use super::decode::{Located, NumbersText};
use super::figure::{LegendWord, PixelMargin, SwitchOr};
use super::names::{Name, SceneLook};
use super::tables::{ArrowsText, CylindersText, EllipsoidsText, SegmentsText};
use super::values::{
    Angle, BackgroundText, CapsName, Channel, ClipText, Color, Copies, Degrees, Direction, FrameCount, FrameIndex,
    Lambert, Length, LightAngle, NamedAnchor, NamedFormat, NotNegative, Numbers, OcclusionReach, OcclusionText,
    OnlyStudio, Ordinal, PixelCount, Pixels, Positive, SampleCount, Seed, ShapeCount, Share, ZoomLevel,
};
use crate::data::BondRule;
use crate::io::formats::{AtomStyle, Symmetry};
use crate::io::load::figure::{LegendOrder, Stamp};
use crate::scene::generate::Pattern;
use crate::scene::spheres::{StandardView, Transparency};
#[cfg(test)]
use schemars::JsonSchema;

/// A scene of roundel: a canvas with circles, or a camera with lights and spheres.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table of tables")]
pub(crate) struct SceneText {
    /// The picture of a scene of circles: its size, its background, and the part of the plane that it shows.
    pub(crate) canvas: Option<Located<CanvasText>>,
    /// Circles and ellipses, one a table. Later ones lie over earlier ones.
    pub(crate) circle: Vec<Located<CircleText>>,
    /// Straight lines with round ends, one a table: edges of graphs, pieces of tracks. They lie over and under circles in the order of the
    /// file.
    pub(crate) segment: Vec<Located<SegmentText>>,
    /// Tables of straight lines: one line a row of a file, such as the edges of a graph.
    pub(crate) segments: Vec<Located<SegmentsText>>,
    /// Tables of circles: one circle a row of a file.
    pub(crate) points: Vec<Located<PointsText>>,
    /// The picture of a scene of spheres: its size, its background, and from where it is seen. What is left out is chosen so that
    /// everything is in the picture.
    pub(crate) camera: Option<Located<CameraText>>,
    /// How spheres are sampled and shaded. A look is a set of these numbers; each can be set alone.
    pub(crate) render: Option<Located<RenderText>>,
    /// Lights, each from one direction. They take the place of the look's own lights.
    pub(crate) light: Vec<Located<LightText>>,
    /// Spheres, one a table.
    pub(crate) sphere: Vec<Located<SphereText>>,
    /// Cylinders, one a table.
    pub(crate) cylinder: Vec<Located<CylinderText>>,
    /// Ellipsoids, one a table.
    pub(crate) ellipsoid: Vec<Located<EllipsoidText>>,
    /// Arrows, one a table.
    pub(crate) arrow: Vec<Located<ArrowText>>,
    /// Tables of cylinders: one cylinder a row of a file.
    pub(crate) cylinders: Vec<Located<CylindersText>>,
    /// Tables of ellipsoids: one ellipsoid a row of a file.
    pub(crate) ellipsoids: Vec<Located<EllipsoidsText>>,
    /// Tables of arrows: one arrow a row of a file.
    pub(crate) arrows: Vec<Located<ArrowsText>>,
    /// Files of spheres: one sphere an atom, a particle or a row.
    pub(crate) spheres: Vec<Located<SpheresText>>,
    /// Shapes made by a rule: circles if the scene has a canvas, otherwise spheres.
    pub(crate) generate: Vec<Located<GenerateText>>,
    /// Marks around the picture and on it.
    pub(crate) figure: Option<FigureText>,
    /// How far `roundel golden` lets the picture be from its golden. It is no part of the picture.
    pub(crate) tolerance: Option<ToleranceText>,
    /// The JSON Schema for editors of this file. In TOML the comment `#:schema` names it.
    #[serde(rename = "$schema")]
    pub(crate) _schema: Option<String>,
}

/// `[canvas]`
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct CanvasText {
    /// Width of the picture.
    /// - Unit: pixels
    /// - Default: 1280, or what keeps the shape 4:3 if there is a height
    /// - Example: `width = 800`
    pub(crate) width: Option<Pixels>,
    /// Height of the picture.
    /// - Unit: pixels
    /// - Default: 960, or what keeps the shape 4:3 if there is a width
    /// - Example: `height = 600`
    pub(crate) height: Option<Pixels>,
    /// Colour below everything.
    /// - Default: `"white"`
    /// - Example: `background = "#eeeeee"`
    pub(crate) background: Option<Color>,
    /// Whether colours are mixed as they are encoded, as in browsers, or as amounts of light.
    /// - Default: `"srgb"`
    /// - Example: `blend = "linear"`
    pub(crate) blend: BlendText,
    /// The part of the plane that the picture shows. With it, coordinates and radii of `circle` are in units of the plane; without
    /// it, they are pixels from the top-left corner.
    /// - Example: `view = { center = [12.0, 49.0], height = 34.0 }`
    pub(crate) view: Option<Located<ViewText>>,
    /// Whether the picture shows all rows of `points`, with y upwards, but for a few that lie far off; coordinates of `circle` are in the
    /// units of the plane then.
    /// - Default: `true` if there are `points`, and neither a `view` nor a `circle`
    /// - Example: `fit = false`
    pub(crate) fit: Option<bool>,
    /// Whether y grows upwards.
    /// - Default: `false`
    /// - Example: `flip_y = true`
    pub(crate) flip_y: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum BlendText {
    #[default]
    Srgb,
    Linear,
}

/// `view = { … }`: the part of the plane that is seen.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with center and height")]
pub(crate) struct ViewText {
    /// The point in the middle of the picture.
    /// - Unit: units of the plane
    /// - Example: `center = [12.0, 49.0]`
    pub(crate) center: Numbers<2>,
    /// From the bottom of the picture to its top. A view has either `height` or `scale`.
    /// - Unit: units of the plane
    /// - Example: `height = 34.0`
    pub(crate) height: Option<Positive>,
    /// Size of a unit of the plane.
    /// - Unit: pixels
    /// - Example: `scale = 17.5`
    pub(crate) scale: Option<Positive>,
    /// Whether y grows upwards; the same as `flip_y` of the canvas.
    /// - Default: `false`
    /// - Example: `flip_y = true`
    #[serde(default)]
    pub(crate) flip_y: bool,
}

/// `[[circle]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct CircleText {
    /// The centre.
    /// - Unit: pixels, or those of `canvas.view`
    /// - Example: `center = [120.0, 80.0]`
    pub(crate) center: Numbers<2>,
    /// The radius. A circle has either `radius` or `radii`.
    /// - Unit: pixels, or those of `canvas.view`
    /// - Example: `radius = 40.0`
    pub(crate) radius: Option<Length>,
    /// The radii of an ellipse along x and y.
    /// - Unit: pixels, or those of `canvas.view`
    /// - Example: `radii = [40.0, 25.0]`
    pub(crate) radii: Option<Numbers<2, NotNegative>>,
    /// Colour of the inside. A circle has `fill`, `stroke` or both.
    /// - Default: nothing is filled
    /// - Example: `fill = "#d62728cc"`
    pub(crate) fill: Option<Color>,
    /// The outline, half of it inside and half of it outside of the circle.
    /// - Default: no outline
    /// - Example: `stroke = { color = "black", width = 2.0 }`
    pub(crate) stroke: Option<StrokeText>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with color and width")]
pub(crate) struct StrokeText {
    /// Colour of the outline.
    /// - Example: `color = "black"`
    pub(crate) color: Color,
    /// Width of the outline.
    /// - Unit: pixels, or those of `canvas.view`
    /// - Example: `width = 2.0`
    pub(crate) width: Length,
}

/// `[[segment]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct SegmentText {
    /// One end.
    /// - Unit: pixels, or those of `canvas.view`
    /// - Example: `start = [10, 10]`
    pub(crate) start: Numbers<2>,
    /// The other end.
    /// - Unit: pixels, or those of `canvas.view`
    /// - Example: `end = [90, 40]`
    pub(crate) end: Numbers<2>,
    /// Width of the line.
    /// - Unit: pixels, or those of `canvas.view`
    /// - Example: `width = 3.0`
    pub(crate) width: Length,
    /// The colour.
    /// - Default: `"#4477aa"`
    /// - Example: `color = "black"`
    pub(crate) color: Option<Color>,
}

/// `[[points]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct PointsText {
    /// The file, relative to the scene: CSV, TSV, columns between blanks, PLY or NumPy, which may be compressed.
    /// - Example: `file = "places.csv"`
    pub(crate) file: Located<PathBuf>,
    /// Format of the file.
    /// - Default: known by its content and its name
    /// - Example: `format = "csv"`
    pub(crate) format: Option<NamedFormat>,
    /// Column of x coordinates; has `y` beside it.
    /// - Default: the column `x`, `longitude`, `lon`, `long`, `lng`, `easting` or `x_coord`
    /// - Example: `x = "lon"`
    pub(crate) x: Option<Located<String>>,
    /// Column of y coordinates; has `x` beside it.
    /// - Default: the column `y`, `latitude`, `lat`, `northing` or `y_coord`
    /// - Example: `y = "lat"`
    pub(crate) y: Option<Located<String>>,
    /// Radius of the circles, whatever `canvas.view` is: a number, or a column.
    /// - Unit: pixels
    /// - Default: `1.5`
    /// - Example: `radius = { column = "people", range = [3, 24], scale = "sqrt" }`
    pub(crate) radius: Option<Located<PointRadius>>,
    /// One colour, or a column of colours, of categories or of numbers.
    /// - Default: `"#4477aa"`
    /// - Example: `color = "#1f77b420"`
    pub(crate) color: Option<Located<PointColor>>,
    /// Column that sets the colours: the same as `color` with a table.
    /// - Example: `color_by = { column = "people", map = "viridis", scale = "log" }`
    pub(crate) color_by: Option<Located<ColorByText>>,
    /// Columns that are computed from others, each a name and a formula.
    /// - Default: none
    /// - Example: `compute = ["density = people / area"]`
    #[serde(default)]
    pub(crate) compute: Vec<Located<String>>,
    /// Rows that are drawn, by a selection.
    /// - Default: all
    /// - Example: `only = "people > 1e6"`
    pub(crate) only: Option<Located<String>>,
    /// Rows that are not drawn, by a selection.
    /// - Default: none
    /// - Example: `hide = "country FR ES"`
    pub(crate) hide: Option<Located<String>>,
    /// Rows with a colour of their own; where several select a row, the last one counts.
    /// - Default: none
    /// - Example: `highlight = [{ select = "people > 1e7", color = "gold" }]`
    #[serde(default)]
    pub(crate) highlight: Vec<Located<HighlightText>>,
}

/// `highlight = [{ select = "…", color = "…" }]`: rows with a colour of their own.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with select and color")]
pub(crate) struct HighlightText {
    /// The rows, by a selection.
    /// - Example: `select = "people > 1e7"`
    pub(crate) select: String,
    /// Their colour.
    /// - Example: `color = "gold"`
    pub(crate) color: Color,
    /// Their name in the legend.
    /// - Default: the selection
    /// - Example: `label = "large cities"`
    pub(crate) label: Option<String>,
}

/// `label = [{ select = "…", text = "…" }]`: texts beside rows.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with select and text")]
pub(crate) struct LabelEntryText {
    /// The rows, by a selection.
    /// - Example: `select = "ligand"`
    pub(crate) select: String,
    /// The text, with columns in braces.
    /// - Example: `text = "{resname} {resid}"`
    pub(crate) text: String,
}

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
    /// The side to look from, in place of an `eye`. `"broadside"` is the side from which the data shows most of itself. Of files of
    /// particles, simulations and membranes z is up and the front faces −y; of molecules and of scenes without files y is up and the
    /// front faces +z.
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
    /// Numbers of the camera at times of a film, one table each: `roundel film` moves the camera smoothly from one to the next. Without a
    /// film the first numbers count.
    /// - Default: none
    /// - Example: `key = [{ time = 0, azimuth = 0 }, { time = 4, azimuth = 90, zoom = 1.5 }]`
    #[serde(default)]
    pub(crate) key: Vec<Located<CameraKeyText>>,
    /// Planes at which spheres are cut; what lies on the other side is not drawn.
    /// - Default: none
    /// - Example: `clip = ["x<12", "z>-3.5"]`
    pub(crate) clip: Vec<ClipText>,
    /// Two planes that face the camera, between which spheres are drawn: shares of the depth, from 0 at the front of the spheres to 1 at
    /// their back.
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
    /// Colour behind everything: one, or two from the bottom of the picture to its top.
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
    /// The look: where the numbers below come from that the scene does not set. `"auto"` draws files as they are drawn without a scene:
    /// the look, the samples, the colours, the side to look from and the shape of the picture, as far as the scene does not set them.
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
    /// Colour of outlines.
    /// - Default: `"black"`
    /// - Example: `outline_color = "#333333"`
    pub(crate) outline_color: Option<Color>,
    /// How translucent spheres are composed: `"shell"`, the outer surface of the touching spheres of a part; `"surfaces"`, the front and the back of
    /// every sphere; `"solid"`, a medium that absorbs light along the way through.
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

/// `[[sphere]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct SphereText {
    /// The centre.
    /// - Unit: world units
    /// - Example: `center = [0, -104.5, 0]`
    pub(crate) center: Numbers<3>,
    /// The radius.
    /// - Unit: world units
    /// - Example: `radius = 100.0`
    pub(crate) radius: Length,
    /// The colour.
    /// - Default: `"#4477aa"`
    /// - Example: `color = "#dddddd"`
    pub(crate) color: Option<Color>,
    /// The opacity, in the place of the colour's alpha.
    /// - Default: the alpha of the colour
    /// - Example: `opacity = 0.5`
    pub(crate) opacity: Option<Share>,
    /// Strength of highlights, in the place of `specular` of the shading, or a strength and a roughness.
    /// - Default: those of the shading
    /// - Example: `gloss = [0.8, 0.2]`
    pub(crate) gloss: Option<GlossText>,
    /// The material; there is one.
    /// - Default: `"lambert"`
    /// - Example: `material = "lambert"`
    #[serde(rename = "material")]
    pub(crate) _material: Option<Lambert>,
}

/// `[[cylinder]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct CylinderText {
    /// One end of the axis.
    /// - Unit: world units
    /// - Example: `start = [0, 0, 0]`
    pub(crate) start: Numbers<3>,
    /// The other end.
    /// - Unit: world units
    /// - Example: `end = [1, 0, 0]`
    pub(crate) end: Numbers<3>,
    /// The radius.
    /// - Unit: world units
    /// - Example: `radius = 0.2`
    pub(crate) radius: Length,
    /// How it ends: `"flat"`, in discs, or `"round"`, in half spheres.
    /// - Default: `"flat"`
    /// - Example: `caps = "round"`
    pub(crate) caps: Option<CapsName>,
    /// The colour; its alpha is the opacity.
    /// - Default: `"#4477aa"`
    /// - Example: `color = "#888888"`
    pub(crate) color: Option<Color>,
    /// The colour of the half at `end`.
    /// - Default: the colour of the half at `start`
    /// - Example: `color2 = "#d62728"`
    pub(crate) color2: Option<Color>,
    /// Strength of highlights, in the place of `specular` of the shading, or a strength and a roughness.
    /// - Default: those of the shading
    /// - Example: `gloss = [0.8, 0.2]`
    pub(crate) gloss: Option<GlossText>,
}

/// `[[ellipsoid]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct EllipsoidText {
    /// The centre.
    /// - Unit: world units
    /// - Example: `center = [0, 0, 0]`
    pub(crate) center: Numbers<3>,
    /// Half the length of each axis; one of them may be 0, which makes a disc.
    /// - Unit: world units
    /// - Example: `radii = [1, 0.5, 0.3]`
    pub(crate) radii: Numbers<3, NotNegative>,
    /// The rotation that turns its axes from x, y and z to where they are: a quaternion x, y, z, w.
    /// - Default: `[0, 0, 0, 1]`
    /// - Example: `rotation = [0, 0, 0.6, 0.8]`
    pub(crate) rotation: Option<Located<Numbers<4>>>,
    /// Strength of highlights, in the place of `specular` of the shading, or a strength and a roughness.
    /// - Default: those of the shading
    /// - Example: `gloss = [0.8, 0.2]`
    pub(crate) gloss: Option<GlossText>,
    /// The colour; its alpha is the opacity.
    /// - Default: `"#4477aa"`
    /// - Example: `color = "#888888"`
    pub(crate) color: Option<Color>,
}

/// `[[arrow]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct ArrowText {
    /// Where it begins.
    /// - Unit: world units
    /// - Example: `start = [0, 0, 0]`
    pub(crate) start: Numbers<3>,
    /// From there to its tip.
    /// - Unit: world units
    /// - Example: `vector = [0, 0, 2]`
    pub(crate) vector: Numbers<3>,
    /// The radius of its shaft; its head is two times as thick and five times as long.
    /// - Unit: world units
    /// - Example: `radius = 0.1`
    pub(crate) radius: Length,
    /// The colour; its alpha is the opacity.
    /// - Default: `"#4477aa"`
    /// - Example: `color = "#d62728"`
    pub(crate) color: Option<Color>,
}

/// `[[spheres]]`
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct SpheresText {
    /// The file, relative to the scene: molecules, particles or a trajectory in any format that is read, or a table with columns
    /// x, y and z; it may be compressed.
    /// - Example: `file = "caffeine.xyz"`
    pub(crate) file: Located<PathBuf>,
    /// Format of the file.
    /// - Default: known by its content and its name
    /// - Example: `format = "xyz"`
    pub(crate) format: Option<NamedFormat>,
    /// Frame or model of several, counted from 0; -1 is the last. Left out, a film plays all of them, and `--frame` says which is drawn.
    /// - Default: `0`
    /// - Example: `frame = 3`
    pub(crate) frame: Option<Located<FrameIndex>>,
    /// Frames around it over which positions are averaged; periodic boxes are respected.
    /// - Default: `1`
    /// - Example: `smooth = 5`
    pub(crate) smooth: Option<Located<FrameCount>>,
    /// The file with names, elements and residues of a trajectory's atoms, relative to the scene: PSF, PRMTOP, or any format of
    /// molecules.
    /// - Default: none; a trajectory alone is drawn as particles
    /// - Example: `topology = "adk.psf"`
    pub(crate) topology: Option<Located<PathBuf>>,
    /// Columns of LAMMPS data that does not name its atom style.
    /// - Default: the style that the file names, or else the one that its atoms allow
    /// - Example: `atom_style = "full"`
    pub(crate) atom_style: Option<Located<Name<AtomStyle>>>,
    /// Number of the biological assembly to build.
    /// - Default: the atoms as they are in the file
    /// - Example: `assembly = 1`
    pub(crate) assembly: Option<Located<Ordinal>>,
    /// Source of the colours: `"element"`, `"chain"`, `"residue"`, `"index"`, `"constant"` (the key `color`), the name of a column,
    /// or a table with column.
    /// - Default: the colours that the file has, else those of the elements
    /// - Example: `color_by = "chain"`
    pub(crate) color_by: Option<Located<ColorByText>>,
    /// One colour for all, if there is no `color_by`.
    /// - Default: `"#4477aa"`, where the file has neither colours nor elements
    /// - Example: `color = "steelblue"`
    pub(crate) color: Option<Color>,
    /// Radius of the spheres: a number, a column, or `"vdw"` for the van der Waals radii of atoms.
    /// - Unit: world units
    /// - Default: the radii that the file has, else those of the elements, else one at which evenly spread spheres would touch
    /// - Example: `radius = 0.4`
    pub(crate) radius: Option<Located<RadiusByText>>,
    /// Whether what lies outside of the periodic box is moved into it.
    /// - Default: `false`
    /// - Example: `wrap = true`
    pub(crate) wrap: Option<Located<bool>>,
    /// Whether molecules that the boundary of the periodic box breaks are joined, by their bonds, or else by residue.
    /// - Default: `false`
    /// - Example: `whole = true`
    pub(crate) whole: Option<Located<bool>>,
    /// Whether particles are moved by their image flags ix, iy and iz, so that none jumps from frame to frame.
    /// - Default: `false`
    /// - Example: `unwrap = true`
    pub(crate) unwrap: Option<Located<bool>>,
    /// Rows that are moved to the middle of the periodic box, and everything else, molecule by molecule, around them.
    /// - Default: none
    /// - Example: `center = "protein"`
    pub(crate) center: Option<Located<String>>,
    /// How many copies of the periodic box are drawn along its edges a, b and c.
    /// - Default: `[1, 1, 1]`
    /// - Example: `replicate = [2, 2, 1]`
    pub(crate) replicate: Option<Located<Copies>>,
    /// Whether the operators of the space group fill the cell of a crystal (`"cell"`), or atoms are drawn as they are listed
    /// (`"off"`): of CIF with fractions of the cell's edges.
    /// - Default: `"cell"`
    /// - Example: `symmetry = "off"`
    pub(crate) symmetry: Option<Located<Name<Symmetry>>>,
    /// Columns that are computed from others, each a name and a formula. Ready-made are `speed`, `force`,
    /// `distance`, `coordination`, `depth` and `frame`.
    /// - Default: none
    /// - Example: `compute = ["energy = c_pe + c_ke"]`
    #[serde(default)]
    pub(crate) compute: Vec<Located<String>>,
    /// Atoms or rows that are drawn, by a selection.
    /// - Default: all
    /// - Example: `only = "chain A and not water"`
    pub(crate) only: Option<Located<String>>,
    /// Atoms or rows that are not drawn, by a selection.
    /// - Default: none
    /// - Example: `hide = "hydrogen"`
    pub(crate) hide: Option<Located<String>>,
    /// Atoms or rows with a colour of their own; where several select one, the last one counts.
    /// - Default: none
    /// - Example: `highlight = [{ select = "element N", color = "gold" }]`
    #[serde(default)]
    pub(crate) highlight: Vec<Located<HighlightText>>,
    /// Texts beside rows, in which a column in braces stands for the value of a row.
    /// - Default: none
    /// - Example: `label = [{ select = "ligand", text = "{resname} {resid}" }]`
    #[serde(default)]
    pub(crate) label: Vec<Located<LabelEntryText>>,
    /// Opacity of all spheres, or of selections, of which the last one that selects a row counts.
    /// - Default: the alpha of the colours
    /// - Example: `opacity = [{ select = "all", opacity = 0.25 }, { select = "chain A", opacity = 1.0 }]`
    pub(crate) opacity: Option<Located<OpacityText>>,
    /// A column with an opacity from 0 to 1 for each row.
    /// - Example: `opacity_by = "occupancy"`
    pub(crate) opacity_by: Option<Located<String>>,
    /// Style of all atoms, or of selections, of which the last one that selects an atom counts: spheres of their radii
    /// (`"spacefill"`), small balls joined by cylinders (`"ball-and-stick"`), cylinders with round joints (`"sticks"`), or dots
    /// (`"points"`).
    /// - Default: `"spacefill"`
    /// - Example: `style = [{ select = "protein", style = "points" }, { select = "ligand", style = "sticks" }]`
    pub(crate) style: Option<Located<StyleText>>,
    /// Strength of highlights of all spheres, in the place of `specular` of the shading, or those of selections, of which the last one
    /// that selects a row counts; a roughness may follow the strength there.
    /// - Default: those of the shading
    /// - Example: `gloss = [{ select = "protein", gloss = 0 }, { select = "ligand", gloss = [0.8, 0.2] }]`
    pub(crate) gloss: Option<Located<GlossByText>>,
    /// Where bonds come from: the file, the dictionary of residues and distances (`"auto"`), or one of them.
    /// - Default: `"auto"`
    /// - Example: `bonds = "distance"`
    pub(crate) bonds: Option<Name<BondRule>>,
    /// Radius of sticks.
    /// - Unit: world units
    /// - Default: 0.14 between balls, 0.2 of sticks alone
    /// - Example: `bond_radius = 0.1`
    pub(crate) bond_radius: Option<Positive>,
    /// Radius of balls, in radii of their atoms.
    /// - Default: `0.25`
    /// - Example: `ball_scale = 0.3`
    pub(crate) ball_scale: Option<Positive>,
    /// Probability that an atom is inside of its thermal ellipsoid: ellipsoids take the place of the spheres of atoms whose file has
    /// anisotropic displacements.
    /// - Example: `ellipsoids = 0.5`
    pub(crate) ellipsoids: Option<Share>,
    /// Three columns of vectors, or what their names begin with, which are drawn as arrows from the surfaces of particles; `force`
    /// and `velocity` have the other usual names, too.
    /// - Example: `vectors = "vx,vy,vz"`
    pub(crate) vectors: Option<Located<String>>,
    /// Length of arrows, per unit of their vectors.
    /// - Unit: world units
    /// - Default: the longest arrow is six radii long
    /// - Example: `vector_scale = 0.5`
    pub(crate) vector_scale: Option<Positive>,
    /// Colour of arrows: `"particle"`, `"length"`, which goes by viridis, or a colour.
    /// - Default: `"particle"`
    /// - Example: `vector_color = "length"`
    pub(crate) vector_color: Option<Located<String>>,
}

/// `[[generate]]`: shapes made by rule, circles on a canvas and spheres before a camera.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with kind and count")]
pub(crate) struct GenerateText {
    /// The rule.
    /// - Example: `kind = "sphereflake"`
    pub(crate) kind: Name<Pattern>,
    /// How many shapes.
    /// - Example: `count = 820`
    pub(crate) count: ShapeCount,
    /// Seed of the random numbers of `uniform` and `gaussian`.
    /// - Default: `1`
    /// - Example: `seed = 7`
    pub(crate) seed: Option<Seed>,
}

/// `[figure]`: marks around the picture and on it.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct FigureText {
    /// Text above the picture.
    /// - Default: none
    /// - Example: `title = "Caffeine"`
    pub(crate) title: Option<String>,
    /// The time, the number or the step of a trajectory's frame, above the picture.
    /// - Default: none
    /// - Example: `stamp = "time"`
    pub(crate) stamp: Option<Name<Stamp>>,
    /// The meaning of the colours, of radii and opacities by a column, and of the length of arrows, to the right of the picture; `"counts"` also counts the shapes of each category.
    /// - Default: `false`
    /// - Example: `legend = true`
    pub(crate) legend: Option<SwitchOr<LegendWord>>,
    /// The name above the colours, in place of that of the column.
    /// - Default: the name of the column
    /// - Example: `legend_title = "B factor (Å²)"`
    pub(crate) legend_title: Option<String>,
    /// The unit of the coloured numbers, which stands behind their name.
    /// - Default: none
    /// - Example: `legend_unit = "Å²"`
    pub(crate) legend_unit: Option<String>,
    /// The order of categories in the legend: as they come in the file (`"file"`), by name (`"name"`), or the most frequent first
    /// (`"count"`).
    /// - Default: `"file"`
    /// - Example: `legend_order = "count"`
    pub(crate) legend_order: Option<LegendOrderText>,
    /// Names of entries of the legend.
    /// - Default: those of the file
    /// - Example: `legend_name = [{ entry = "A", name = "Gαs" }]`
    #[serde(default)]
    pub(crate) legend_name: Vec<LegendNameText>,
    /// A bar of a known length below the picture: `true`, or the length.
    /// - Unit: units of the data
    /// - Default: `false`
    /// - Example: `scale_bar = 5.0`
    pub(crate) scale_bar: Option<SwitchOr<Positive>>,
    /// The axes of the world below the picture; spheres only.
    /// - Default: `false`
    /// - Example: `axes = true`
    pub(crate) axes: Option<bool>,
    /// The edges of the file's periodic box; spheres only.
    /// - Default: `false`
    /// - Example: `cell = true`
    pub(crate) cell: Option<bool>,
    /// Cuts the picture to what it shows: `true`, or pixels to leave around.
    /// - Unit: pixels
    /// - Default: `false`
    /// - Example: `trim = 10`
    pub(crate) trim: Option<SwitchOr<PixelMargin>>,
    /// Resolution, which is written into the file: type of 10 points has its size on paper. From 1 to 4800.
    /// - Unit: dots per inch
    /// - Default: 96, and none is written
    /// - Example: `dpi = 300`
    pub(crate) dpi: Option<Positive>,
    /// This many times as many pixels each way; type and lines grow, too. From 0.1 to 16.
    /// - Default: `1.0`
    /// - Example: `scale = 2`
    pub(crate) scale: Option<Positive>,
}

/// `legend_order = "…"`
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum LegendOrderText {
    File,
    Name,
    Count,
}

impl From<LegendOrderText> for LegendOrder {
    fn from(text: LegendOrderText) -> Self {
        match text {
            LegendOrderText::File => Self::File,
            LegendOrderText::Name => Self::Name,
            LegendOrderText::Count => Self::Count,
        }
    }
}

/// A name of an entry of the legend.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with entry and name")]
pub(crate) struct LegendNameText {
    /// The entry, as the file has it.
    /// - Example: `entry = "A"`
    pub(crate) entry: String,
    /// What it is called.
    /// - Example: `name = "Gαs"`
    pub(crate) name: String,
}

/// `[tolerance]`: how far a golden comparison may be off, and why.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with difference, pixels and reason")]
pub(crate) struct ToleranceText {
    /// The largest difference of a channel.
    /// - Unit: steps of 255
    /// - Example: `difference = 1`
    pub(crate) difference: Channel,
    /// The most pixels that may differ.
    /// - Example: `pixels = 12`
    pub(crate) pixels: PixelCount,
    /// Why the picture may differ.
    /// - Example: `reason = "the reference machine rounds the other way"`
    pub(crate) reason: String,
}
