//! The scene format: one structure per table, one field per key, each checked as it is read.

use std::path::PathBuf;

use serde::Deserialize;

use super::decode::Located;
use super::values::{
    AoRays, BackgroundText, Channel, Color, ColorByText, Degrees, Direction, Kind, Lambert, Length, Map, NotNegative,
    NotYet, Numbers, Ordinal, PixelCount, Pixels, PointColor, PointRadius, Positive, RadiusByText, Reach, Samples,
    Seed, ShapeCount, Share, Studio,
};

/// A scene file: a canvas with circles and points, or a camera with lights and spheres.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table of tables")]
pub(super) struct SceneText {
    pub(super) canvas: Option<Located<CanvasText>>,
    pub(super) circle: Vec<Located<CircleText>>,
    pub(super) points: Vec<Located<PointsText>>,
    pub(super) camera: Option<Located<CameraText>>,
    pub(super) render: Option<Located<RenderText>>,
    pub(super) light: Vec<Located<LightText>>,
    pub(super) sphere: Vec<Located<SphereText>>,
    pub(super) spheres: Vec<Located<SpheresText>>,
    pub(super) generate: Vec<Located<GenerateText>>,
    /// For golden comparisons, and no part of the picture.
    pub(super) tolerance: Option<ToleranceText>,
}

/// `[canvas]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct CanvasText {
    pub(super) width: Option<Pixels>,
    pub(super) height: Option<Pixels>,
    pub(super) background: Option<Color>,
    pub(super) blend: BlendText,
    pub(super) view: Option<ViewText>,
    pub(super) flip_y: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BlendText {
    #[default]
    Srgb,
    Linear,
}

/// `view = { … }`: the part of the plane that is seen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with center and height")]
pub(super) struct ViewText {
    pub(super) center: Numbers<2>,
    pub(super) height: Positive,
    #[serde(default)]
    pub(super) flip_y: bool,
}

/// `[[circle]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct CircleText {
    pub(super) center: Numbers<2>,
    pub(super) radius: Option<Length>,
    pub(super) radii: Option<Numbers<2, NotNegative>>,
    pub(super) fill: Option<Color>,
    pub(super) stroke: Option<StrokeText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with color and width")]
pub(super) struct StrokeText {
    pub(super) color: Color,
    pub(super) width: Length,
}

/// `[[points]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct PointsText {
    pub(super) file: Located<PathBuf>,
    pub(super) x: Option<Located<String>>,
    pub(super) y: Option<Located<String>>,
    pub(super) radius: Option<Located<PointRadius>>,
    pub(super) color: Option<Located<PointColor>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a number of pixels or a table with column")]
pub(super) struct RadiusColumn {
    pub(super) column: String,
    pub(super) range: Option<Numbers<2>>,
    pub(super) scale: Option<ScaleText>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ScaleText {
    Linear,
    Sqrt,
    Log,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a colour or a table with column")]
pub(super) struct ColorColumn {
    pub(super) column: String,
    pub(super) map: Option<Map>,
    pub(super) range: Option<Located<Numbers<2>>>,
    pub(super) alpha: Option<Share>,
}

/// `[camera]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct CameraText {
    pub(super) eye: Option<Numbers<3>>,
    pub(super) target: Option<Numbers<3>>,
    pub(super) up: Option<Direction>,
    pub(super) fov: Option<Located<Degrees>>,
    pub(super) ortho_height: Option<Positive>,
    pub(super) width: Option<Pixels>,
    pub(super) height: Option<Pixels>,
    pub(super) background: Option<BackgroundText>,
    #[serde(rename = "aperture")]
    pub(super) _aperture: Option<NotYet>,
    #[serde(rename = "focus_distance")]
    pub(super) _focus_distance: Option<NotYet>,
}

/// `[render]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct RenderText {
    #[serde(rename = "shading")]
    pub(super) _shading: Option<Studio>,
    pub(super) samples: Option<Samples>,
    pub(super) ao: Option<AoRays>,
    pub(super) ao_distance: Option<Reach>,
    pub(super) shadows: Option<bool>,
    pub(super) ambient: Option<Share>,
    pub(super) seed: Option<Seed>,
    #[serde(rename = "max_depth")]
    pub(super) _max_depth: Option<NotYet>,
}

/// `[[light]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct LightText {
    pub(super) direction: Direction,
    pub(super) color: Option<Color>,
    pub(super) intensity: Option<Length>,
}

/// `[[sphere]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct SphereText {
    pub(super) center: Numbers<3>,
    pub(super) radius: Length,
    pub(super) color: Option<Color>,
    #[serde(rename = "material")]
    pub(super) _material: Option<Lambert>,
}

/// `[[spheres]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct SpheresText {
    pub(super) file: Located<PathBuf>,
    pub(super) assembly: Option<Located<Ordinal>>,
    pub(super) color_by: Option<Located<ColorByText>>,
    pub(super) color: Option<Color>,
    pub(super) radius: Option<Located<RadiusByText>>,
}

/// `[[generate]]`: shapes made by rule, circles on a canvas and spheres before a camera.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with kind and count")]
pub(super) struct GenerateText {
    pub(super) kind: Kind,
    pub(super) count: ShapeCount,
    pub(super) seed: Option<Seed>,
}

/// `[tolerance]`: how far a golden comparison may be off, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with difference, pixels and reason")]
pub(super) struct ToleranceText {
    pub(super) difference: Channel,
    pub(super) pixels: PixelCount,
    pub(super) reason: String,
}
