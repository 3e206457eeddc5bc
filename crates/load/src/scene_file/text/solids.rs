//! Spheres, cylinders, ellipsoids and arrows, one a table, and tables of the last three.

use std::path::PathBuf;

use serde::Deserialize;

use crate::scene_file::columns::{ColorByText, GlossText, RadiusByText};
use crate::scene_file::decode::Located;
use crate::scene_file::text::RowsText;
use crate::scene_file::values::{CapsName, Color, Lambert, Length, NamedFormat, NotNegative, Numbers, Positive, Share};
#[cfg(test)]
use schemars::JsonSchema;

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
    /// - Default: the shading's
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
    /// - Default: the shading's
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
    /// - Default: the shading's
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

/// `[[cylinders]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with file and end")]
pub(crate) struct CylindersText {
    /// The file, relative to the scene: a table with columns x, y and z of one end; it may be compressed.
    /// - Example: `file = "rods.csv"`
    pub(crate) file: Located<PathBuf>,
    /// Format of the file.
    /// - Default: known by its content and its name
    /// - Example: `format = "csv"`
    pub(crate) format: Option<NamedFormat>,
    /// Columns of the other end, with commas between, or what their names begin with.
    /// - Unit: world units
    /// - Example: `end = "x2,y2,z2"`
    pub(crate) end: Located<String>,
    /// Radius: a number, or a column.
    /// - Unit: world units
    /// - Default: the radii that the file has, else one that suits the number of rows
    /// - Example: `radius = 0.1`
    pub(crate) radius: Option<Located<RadiusByText>>,
    /// How cylinders end: `"flat"`, in discs, or `"round"`, in half spheres.
    /// - Default: `"flat"`
    /// - Example: `caps = "round"`
    pub(crate) caps: Option<CapsName>,
    /// One colour for all, if there is no `color_by`.
    /// - Default: `"#4477aa"`, where the file has no colours
    /// - Example: `color = "steelblue"`
    pub(crate) color: Option<Color>,
    /// Source of the colours: the name of a column, or a table with column.
    /// - Default: the colours that the file has
    /// - Example: `color_by = "load"`
    pub(crate) color_by: Option<Located<ColorByText>>,
    /// The rows that are drawn.
    #[cfg_attr(test, schemars(flatten))]
    pub(crate) rows: RowsText,
}

/// `[[ellipsoids]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with file and radii")]
pub(crate) struct EllipsoidsText {
    /// The file, relative to the scene: a table with columns x, y and z of the centres; it may be compressed.
    /// - Example: `file = "grains.csv"`
    pub(crate) file: Located<PathBuf>,
    /// Format of the file.
    /// - Default: known by its content and its name
    /// - Example: `format = "csv"`
    pub(crate) format: Option<NamedFormat>,
    /// Columns of half the lengths of the axes, with commas between, or what their names begin with.
    /// - Unit: world units
    /// - Example: `radii = "a,b,c"`
    pub(crate) radii: Located<String>,
    /// Columns of the rotations that turn axes from x, y and z to where they are: quaternions x, y, z, w.
    /// - Default: along the axes
    /// - Example: `rotation = "qx,qy,qz,qw"`
    pub(crate) rotation: Option<Located<String>>,
    /// One colour for all, if there is no `color_by`.
    /// - Default: `"#4477aa"`, where the file has no colours
    /// - Example: `color = "steelblue"`
    pub(crate) color: Option<Color>,
    /// Source of the colours: the name of a column, or a table with column.
    /// - Default: the colours that the file has
    /// - Example: `color_by = "load"`
    pub(crate) color_by: Option<Located<ColorByText>>,
    /// The rows that are drawn.
    #[cfg_attr(test, schemars(flatten))]
    pub(crate) rows: RowsText,
}

/// `[[arrows]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with file and vector")]
pub(crate) struct ArrowsText {
    /// The file, relative to the scene: a table with columns x, y and z of where arrows begin; it may be compressed.
    /// - Example: `file = "forces.csv"`
    pub(crate) file: Located<PathBuf>,
    /// Format of the file.
    /// - Default: known by its content and its name
    /// - Example: `format = "csv"`
    pub(crate) format: Option<NamedFormat>,
    /// Columns from there to the tips, with commas between, or what their names begin with.
    /// - Example: `vector = "fx,fy,fz"`
    pub(crate) vector: Located<String>,
    /// Length of arrows, per unit of their vectors.
    /// - Unit: world units
    /// - Default: `1.0`
    /// - Example: `scale = 0.5`
    pub(crate) scale: Option<Positive>,
    /// Radius of the shafts: a number, or a column.
    /// - Unit: world units
    /// - Default: the radii that the file has, else one that suits the number of rows
    /// - Example: `radius = 0.05`
    pub(crate) radius: Option<Located<RadiusByText>>,
    /// One colour for all, if there is no `color_by`.
    /// - Default: `"#4477aa"`, where the file has no colours
    /// - Example: `color = "steelblue"`
    pub(crate) color: Option<Color>,
    /// Source of the colours: the name of a column, or a table with column.
    /// - Default: the colours that the file has
    /// - Example: `color_by = "load"`
    pub(crate) color_by: Option<Located<ColorByText>>,
    /// The rows that are drawn.
    #[cfg_attr(test, schemars(flatten))]
    pub(crate) rows: RowsText,
}
