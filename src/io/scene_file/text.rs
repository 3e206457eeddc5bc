//! The scene format: one structure per table, one field per key, each checked as it is read.

use std::path::PathBuf;

use serde::Deserialize;

use super::columns::{ColorByText, PointColor, PointRadius, RadiusByText};
use super::decode::Located;
use super::figure::{Choice, LegendWord, PixelMargin};
use super::values::{
    Angle, BackgroundText, Channel, Clip, Color, Copies, Degrees, Direction, Kind, Lambert, Length, LightAngle,
    LineWidth, NamedAnchor, NamedLook, NotNegative, NotYet, Numbers, Occlusion, Ordinal, PixelCount, Pixels, Positive,
    Reach, Samples, Seed, ShapeCount, Share, Studio, ViewName, Zoom,
};

/// A scene file: a canvas with circles and points, or a camera with lights and spheres.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table of tables")]
pub(crate) struct SceneText {
    pub(crate) canvas: Option<Located<CanvasText>>,
    pub(crate) circle: Vec<Located<CircleText>>,
    pub(crate) points: Vec<Located<PointsText>>,
    pub(crate) camera: Option<Located<CameraText>>,
    pub(crate) render: Option<Located<RenderText>>,
    pub(crate) light: Vec<Located<LightText>>,
    pub(crate) sphere: Vec<Located<SphereText>>,
    pub(crate) spheres: Vec<Located<SpheresText>>,
    pub(crate) generate: Vec<Located<GenerateText>>,
    pub(crate) figure: Option<FigureText>,
    /// For golden comparisons, and no part of the picture.
    pub(crate) tolerance: Option<ToleranceText>,
}

/// `[canvas]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct CanvasText {
    pub(crate) width: Option<Pixels>,
    pub(crate) height: Option<Pixels>,
    pub(crate) background: Option<Color>,
    pub(crate) blend: BlendText,
    pub(crate) view: Option<ViewText>,
    pub(crate) flip_y: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BlendText {
    #[default]
    Srgb,
    Linear,
}

/// `view = { … }`: the part of the plane that is seen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with center and height")]
pub(crate) struct ViewText {
    pub(crate) center: Numbers<2>,
    pub(crate) height: Positive,
    #[serde(default)]
    pub(crate) flip_y: bool,
}

/// `[[circle]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct CircleText {
    pub(crate) center: Numbers<2>,
    pub(crate) radius: Option<Length>,
    pub(crate) radii: Option<Numbers<2, NotNegative>>,
    pub(crate) fill: Option<Color>,
    pub(crate) stroke: Option<StrokeText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with color and width")]
pub(crate) struct StrokeText {
    pub(crate) color: Color,
    pub(crate) width: Length,
}

/// `[[points]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct PointsText {
    pub(crate) file: Located<PathBuf>,
    pub(crate) x: Option<Located<String>>,
    pub(crate) y: Option<Located<String>>,
    pub(crate) radius: Option<Located<PointRadius>>,
    pub(crate) color: Option<Located<PointColor>>,
    pub(crate) only: Option<Located<String>>,
    pub(crate) hide: Option<Located<String>>,
    #[serde(default)]
    pub(crate) highlight: Vec<Located<HighlightText>>,
}

/// `highlight = [{ select = "…", color = "…" }]`: rows with a colour of their own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with select and color")]
pub(crate) struct HighlightText {
    pub(crate) select: String,
    pub(crate) color: Color,
}

/// `[camera]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct CameraText {
    pub(crate) eye: Option<Numbers<3>>,
    pub(crate) target: Option<Numbers<3>>,
    pub(crate) up: Option<Direction>,
    pub(crate) fov: Option<Located<Degrees>>,
    pub(crate) ortho_height: Option<Positive>,
    pub(crate) view: Option<Located<ViewName>>,
    pub(crate) azimuth: Option<Angle>,
    pub(crate) elevation: Option<Angle>,
    pub(crate) roll: Option<Angle>,
    pub(crate) zoom: Option<Zoom>,
    pub(crate) clip: Vec<Clip>,
    pub(crate) slab: Option<Located<Numbers<2>>>,
    pub(crate) width: Option<Pixels>,
    pub(crate) height: Option<Pixels>,
    pub(crate) background: Option<BackgroundText>,
    #[serde(rename = "aperture")]
    pub(crate) _aperture: Option<NotYet>,
    #[serde(rename = "focus_distance")]
    pub(crate) _focus_distance: Option<NotYet>,
}

/// `[render]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct RenderText {
    #[serde(rename = "shading")]
    pub(crate) _shading: Option<Studio>,
    pub(crate) samples: Option<Samples>,
    pub(crate) look: Option<NamedLook>,
    pub(crate) ao: Option<Occlusion>,
    pub(crate) ao_distance: Option<Reach>,
    pub(crate) ao_strength: Option<Share>,
    pub(crate) shadows: Option<bool>,
    pub(crate) ambient: Option<Share>,
    pub(crate) key: Option<Length>,
    pub(crate) fill: Option<Length>,
    pub(crate) key_angle: Option<LightAngle>,
    pub(crate) fog: Option<Share>,
    pub(crate) fog_start: Option<Share>,
    pub(crate) outline_width: Option<LineWidth>,
    pub(crate) outline_depth: Option<Length>,
    pub(crate) outline_color: Option<Color>,
    pub(crate) cloud_radius: Option<Length>,
    pub(crate) seed: Option<Seed>,
    #[serde(rename = "max_depth")]
    pub(crate) _max_depth: Option<NotYet>,
}

/// `[[light]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct LightText {
    pub(crate) direction: Direction,
    pub(crate) color: Option<Color>,
    pub(crate) intensity: Option<Length>,
    pub(crate) angle: Option<LightAngle>,
    pub(crate) anchor: Option<NamedAnchor>,
}

/// `[[sphere]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct SphereText {
    pub(crate) center: Numbers<3>,
    pub(crate) radius: Length,
    pub(crate) color: Option<Color>,
    #[serde(rename = "material")]
    pub(crate) _material: Option<Lambert>,
}

/// `[[spheres]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct SpheresText {
    pub(crate) file: Located<PathBuf>,
    pub(crate) assembly: Option<Located<Ordinal>>,
    pub(crate) color_by: Option<Located<ColorByText>>,
    pub(crate) color: Option<Color>,
    pub(crate) radius: Option<Located<RadiusByText>>,
    pub(crate) wrap: Option<Located<bool>>,
    pub(crate) replicate: Option<Located<Copies>>,
    pub(crate) only: Option<Located<String>>,
    pub(crate) hide: Option<Located<String>>,
    #[serde(default)]
    pub(crate) highlight: Vec<Located<HighlightText>>,
}

/// `[[generate]]`: shapes made by rule, circles on a canvas and spheres before a camera.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with kind and count")]
pub(crate) struct GenerateText {
    pub(crate) kind: Kind,
    pub(crate) count: ShapeCount,
    pub(crate) seed: Option<Seed>,
}

/// `[figure]`: marks around the picture and on it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct FigureText {
    pub(crate) title: Option<String>,
    pub(crate) legend: Option<Choice<LegendWord>>,
    pub(crate) scale_bar: Option<Choice<Positive>>,
    pub(crate) axes: Option<bool>,
    pub(crate) cell: Option<bool>,
    pub(crate) trim: Option<Choice<PixelMargin>>,
    pub(crate) dpi: Option<Positive>,
    pub(crate) scale: Option<Positive>,
}

/// `[tolerance]`: how far a golden comparison may be off, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with difference, pixels and reason")]
pub(crate) struct ToleranceText {
    pub(crate) difference: Channel,
    pub(crate) pixels: PixelCount,
    pub(crate) reason: String,
}
