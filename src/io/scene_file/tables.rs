//! Tables of shapes in scene files: one segment, cylinder, ellipsoid or arrow a row.

use std::path::PathBuf;

use serde::Deserialize;

use super::columns::{ColorByText, PointColor, PointRadius, RadiusByText};
use super::decode::Located;
use super::text::{HighlightText, PointsText, SpheresText};
use super::values::{CapsName, Color, NamedFormat, Positive};
use crate::geom::Caps;
use crate::io::load::glyphs::RowShape;
#[cfg(test)]
use schemars::JsonSchema;

/// `[[segments]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with file and end")]
pub(crate) struct SegmentsText {
    /// The file, relative to the scene: a table with a line a row; it may be compressed.
    /// - Example: `file = "edges.csv"`
    pub(crate) file: Located<PathBuf>,
    /// Format of the file.
    /// - Default: known by its content and its name
    /// - Example: `format = "csv"`
    pub(crate) format: Option<NamedFormat>,
    /// Column of x coordinates at the start; has `y` beside it.
    /// - Default: the usual columns of coordinates, as in `points`
    /// - Example: `x = "x1"`
    pub(crate) x: Option<Located<String>>,
    /// Column of y coordinates at the start; has `x` beside it.
    /// - Default: the usual columns of coordinates, as in `points`
    /// - Example: `y = "y1"`
    pub(crate) y: Option<Located<String>>,
    /// Columns of the x and the y coordinates at the other end.
    /// - Example: `end = ["x2", "y2"]`
    pub(crate) end: Located<[String; 2]>,
    /// Width of the lines, whatever `canvas.view` is: a number, or a column.
    /// - Unit: pixels
    /// - Default: `1.5`
    /// - Example: `width = { column = "trips", range = [0.5, 6] }`
    pub(crate) width: Option<Located<PointRadius>>,
    /// One colour, or a column of colours, of categories or of numbers.
    /// - Default: `"#4477aa"`
    /// - Example: `color = "#1f77b420"`
    pub(crate) color: Option<Located<PointColor>>,
    /// Column that sets the colours: the same as `color` with a table.
    /// - Example: `color_by = { column = "trips", map = "viridis", scale = "log" }`
    pub(crate) color_by: Option<Located<ColorByText>>,
    /// Columns that are computed from others, each a name and a formula.
    /// - Default: none
    /// - Example: `compute = ["load = force / area"]`
    #[serde(default)]
    pub(crate) compute: Vec<Located<String>>,
    /// Rows that are drawn, by a selection.
    /// - Default: all
    /// - Example: `only = "load > 2"`
    pub(crate) only: Option<Located<String>>,
    /// Rows that are not drawn, by a selection.
    /// - Default: none
    /// - Example: `hide = "kind old"`
    pub(crate) hide: Option<Located<String>>,
    /// Rows with a colour of their own; where several select a row, the last one counts.
    /// - Default: none
    /// - Example: `highlight = [{ select = "load > 9", color = "gold" }]`
    #[serde(default)]
    pub(crate) highlight: Vec<Located<HighlightText>>,
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
    /// Columns that are computed from others, each a name and a formula.
    /// - Default: none
    /// - Example: `compute = ["load = force / area"]`
    #[serde(default)]
    pub(crate) compute: Vec<Located<String>>,
    /// Rows that are drawn, by a selection.
    /// - Default: all
    /// - Example: `only = "load > 2"`
    pub(crate) only: Option<Located<String>>,
    /// Rows that are not drawn, by a selection.
    /// - Default: none
    /// - Example: `hide = "kind old"`
    pub(crate) hide: Option<Located<String>>,
    /// Rows with a colour of their own; where several select a row, the last one counts.
    /// - Default: none
    /// - Example: `highlight = [{ select = "load > 9", color = "gold" }]`
    #[serde(default)]
    pub(crate) highlight: Vec<Located<HighlightText>>,
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
    /// Columns that are computed from others, each a name and a formula.
    /// - Default: none
    /// - Example: `compute = ["load = force / area"]`
    #[serde(default)]
    pub(crate) compute: Vec<Located<String>>,
    /// Rows that are drawn, by a selection.
    /// - Default: all
    /// - Example: `only = "load > 2"`
    pub(crate) only: Option<Located<String>>,
    /// Rows that are not drawn, by a selection.
    /// - Default: none
    /// - Example: `hide = "kind old"`
    pub(crate) hide: Option<Located<String>>,
    /// Rows with a colour of their own; where several select a row, the last one counts.
    /// - Default: none
    /// - Example: `highlight = [{ select = "load > 9", color = "gold" }]`
    #[serde(default)]
    pub(crate) highlight: Vec<Located<HighlightText>>,
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
    /// Columns that are computed from others, each a name and a formula.
    /// - Default: none
    /// - Example: `compute = ["load = force / area"]`
    #[serde(default)]
    pub(crate) compute: Vec<Located<String>>,
    /// Rows that are drawn, by a selection.
    /// - Default: all
    /// - Example: `only = "load > 2"`
    pub(crate) only: Option<Located<String>>,
    /// Rows that are not drawn, by a selection.
    /// - Default: none
    /// - Example: `hide = "kind old"`
    pub(crate) hide: Option<Located<String>>,
    /// Rows with a colour of their own; where several select a row, the last one counts.
    /// - Default: none
    /// - Example: `highlight = [{ select = "load > 9", color = "gold" }]`
    #[serde(default)]
    pub(crate) highlight: Vec<Located<HighlightText>>,
}

/// A table of spheres, or of shapes that are read as spheres are.
pub(super) struct SolidTable {
    pub(super) offset: usize,
    /// The table in messages, such as `arrows[0]`.
    pub(super) path: String,
    pub(super) text: SpheresText,
    pub(super) rows: RowShape,
}

/// A table of circles, or of segments that are read as circles are.
pub(super) struct PlaneTable {
    pub(super) offset: usize,
    /// The table in messages, such as `segments[0]`.
    pub(super) path: String,
    pub(super) text: PointsText,
    /// The columns of the other ends of segments.
    pub(super) end: Option<Located<[String; 2]>>,
}

impl PlaneTable {
    pub(super) fn of_points((index, Located { offset, value }): (usize, Located<PointsText>)) -> Self {
        Self { offset, path: format!("points[{index}]"), text: value, end: None }
    }

    pub(super) fn of_segments((index, Located { offset, value }): (usize, Located<SegmentsText>)) -> Self {
        let SegmentsText { file, format, x, y, end, width, color, color_by, compute, only, hide, highlight } = value;
        let text = PointsText { file, format, x, y, radius: width, color, color_by, compute, only, hide, highlight };
        Self { offset, path: format!("segments[{index}]"), text, end: Some(end) }
    }
}

impl SolidTable {
    pub(super) fn of_spheres((index, Located { offset, value }): (usize, Located<SpheresText>)) -> Self {
        Self { offset, path: format!("spheres[{index}]"), text: value, rows: RowShape::Sphere }
    }

    pub(super) fn of_cylinders((index, Located { offset, value }): (usize, Located<CylindersText>)) -> Self {
        let CylindersText { file, format, end, radius, caps, color, color_by, compute, only, hide, highlight } = value;
        let rows = RowShape::Cylinder { end: end.value, caps: caps.map_or(Caps::Flat, Caps::from) };
        let text = SpheresText {
            file,
            format,
            radius,
            color,
            color_by,
            compute,
            only,
            hide,
            highlight,
            ..SpheresText::default()
        };
        Self { offset, path: format!("cylinders[{index}]"), text, rows }
    }

    pub(super) fn of_ellipsoids((index, Located { offset, value }): (usize, Located<EllipsoidsText>)) -> Self {
        let EllipsoidsText { file, format, radii, rotation, color, color_by, compute, only, hide, highlight } = value;
        let rows = RowShape::Ellipsoid { radii: radii.value, rotation: rotation.map(|columns| columns.value) };
        let text =
            SpheresText { file, format, color, color_by, compute, only, hide, highlight, ..SpheresText::default() };
        Self { offset, path: format!("ellipsoids[{index}]"), text, rows }
    }

    pub(super) fn of_arrows((index, Located { offset, value }): (usize, Located<ArrowsText>)) -> Self {
        let ArrowsText { file, format, vector, scale, radius, color, color_by, compute, only, hide, highlight } = value;
        let text = SpheresText {
            file,
            format,
            vectors: Some(vector),
            vector_scale: scale.or(Positive::of(1.0)),
            radius,
            color,
            color_by,
            compute,
            only,
            hide,
            highlight,
            ..SpheresText::default()
        };
        Self { offset, path: format!("arrows[{index}]"), text, rows: RowShape::Arrow }
    }
}
