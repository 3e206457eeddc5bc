//! The scene format: one structure per table, one field per key, each checked as it is read.
//!
//! The comments of the fields are the reference of the format: docs/scene.md and docs/scene.schema.json are made of
//! them (see `reference`). Lines that begin with `- Unit:`, `- Default:` and `- Example:` become columns of the page's
//! tables.

mod camera;
mod figure;
mod plane;
mod solids;
mod spheres;

use serde::Deserialize;

use crate::scene::generate::Pattern;
use crate::scene_file::columns::ContactByText;
use crate::scene_file::decode::Located;
use crate::scene_file::names::Name;
use crate::scene_file::values::{Channel, Color, PixelCount, Seed, ShapeCount};
#[cfg(test)]
use schemars::JsonSchema;

pub(crate) use camera::{CameraKeyText, CameraText, LightText, RenderText};
pub(crate) use figure::FigureText;
pub(crate) use plane::{BlendText, CanvasText, CircleText, PointsText, SegmentText, SegmentsText};
pub(crate) use solids::{
    ArrowText, ArrowsText, CylinderText, CylindersText, EllipsoidText, EllipsoidsText, SphereText,
};
pub(crate) use spheres::SpheresText;

/// A scene of roundel: a canvas with circles, or a camera with lights and spheres.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table of tables")]
pub(crate) struct SceneText {
    /// The picture of a scene of circles: its size, its background, and the part of the plane that it shows.
    pub(crate) canvas: Option<Located<CanvasText>>,
    /// Circles and ellipses, one a table. Later ones lie over earlier ones.
    pub(crate) circle: Vec<Located<CircleText>>,
    /// Straight lines with round ends, one a table: edges of graphs, pieces of tracks. They lie over and under circles
    /// in the order of the file.
    pub(crate) segment: Vec<Located<SegmentText>>,
    /// Tables of straight lines: one line a row of a file, such as the edges of a graph.
    pub(crate) segments: Vec<Located<SegmentsText>>,
    /// Tables of circles: one circle a row of a file.
    pub(crate) points: Vec<Located<PointsText>>,
    /// The picture of a scene of spheres: its size, its background, and from where it is seen. What is left out is
    /// chosen so that everything is in the picture.
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

impl SceneText {
    /// The offset of the first table that only a scene of circles has.
    pub(crate) fn first_flat(&self) -> Option<usize> {
        let offsets = [
            self.canvas.as_ref().map(|canvas| canvas.offset),
            self.circle.first().map(|circle| circle.offset),
            self.segment.first().map(|segment| segment.offset),
            self.segments.first().map(|segments| segments.offset),
            self.points.first().map(|points| points.offset),
        ];
        offsets.into_iter().flatten().min()
    }

    /// The offset of the first table that only a scene in space has.
    pub(crate) fn first_solid(&self) -> Option<usize> {
        let offsets = [
            self.camera.as_ref().map(|camera| camera.offset),
            self.light.first().map(|light| light.offset),
            self.sphere.first().map(|sphere| sphere.offset),
            self.spheres.first().map(|spheres| spheres.offset),
            self.cylinder.first().map(|cylinder| cylinder.offset),
            self.ellipsoid.first().map(|ellipsoid| ellipsoid.offset),
            self.arrow.first().map(|arrow| arrow.offset),
            self.cylinders.first().map(|cylinders| cylinders.offset),
            self.ellipsoids.first().map(|ellipsoids| ellipsoids.offset),
            self.arrows.first().map(|arrows| arrows.offset),
        ];
        offsets.into_iter().flatten().min()
    }
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

/// Keys that all tables of files share. A table has a field `rows`, which takes them (`ROWS` in `decode`).
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RowsText {
    /// Columns that are computed from others, each a name and a formula. For `spheres`, `speed`, `force`, `distance`,
    /// `coordination`, `depth` and `frame` are ready-made.
    /// - Default: none
    /// - Example: `compute = ["load = force / area"]`
    pub(crate) compute: Vec<Located<String>>,
    /// Rows (or atoms) that are drawn, by a selection.
    /// - Default: all
    /// - Example: `only = "load > 2"`
    pub(crate) only: Option<Located<String>>,
    /// Rows (or atoms) that are not drawn, by a selection.
    /// - Default: none
    /// - Example: `hide = "kind old"`
    pub(crate) hide: Option<Located<String>>,
    /// Rows (or atoms) with a colour of their own; where several select a row, the last one counts.
    /// - Default: none
    /// - Example: `highlight = [{ select = "load > 9", color = "gold" }]`
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

/// `contacts = [{ select = "…", with = "…", by = … }]`: lines between rows.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with select and with")]
pub(crate) struct ContactEntryText {
    /// The rows, by a selection.
    /// - Example: `select = "ligand"`
    pub(crate) select: String,
    /// The rows with which they have contacts.
    /// - Example: `with = "protein"`
    pub(crate) with: String,
    /// The greatest distance, or the rule of hydrogen bonds: `"hbonds"`, `"baker-hubbard"` or `"wernet-nilsson"`.
    /// - Default: `4`
    /// - Example: `by = 3.5`
    pub(crate) by: Option<ContactByText>,
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
