//! Scenes of circles: the canvas, circles and straight lines, and tables of them.

use std::path::PathBuf;

use serde::Deserialize;

use crate::scene_file::columns::{ColorByText, OpacityText, PointColor, PointRadius};
use crate::scene_file::decode::Located;
use crate::scene_file::names::Name;
use crate::scene_file::text::{LabelEntryText, RowsText};
use crate::scene_file::values::{Color, Length, NamedFormat, NotNegative, Numbers, Pixels, Positive, Seed};
use crate::source::decimal::DecimalMark;
#[cfg(test)]
use schemars::JsonSchema;

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
    /// The part of the plane that the picture shows. With it, coordinates and radii of `circle` are in units of the
    /// plane; without it, they are pixels from the top-left corner.
    /// - Example: `view = { center = [12.0, 49.0], height = 34.0 }`
    pub(crate) view: Option<Located<ViewText>>,
    /// Whether the picture shows all rows of `points`, with y upwards, but for a few that lie far off; coordinates of
    /// `circle` are in the units of the plane then.
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
    /// Length of a unit of x in units of y, such as the cosine of the latitude on a map in degrees.
    /// - Default: `1.0`
    /// - Example: `stretch = 0.62`
    pub(crate) stretch: Option<Positive>,
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
    /// - Unit: pixels, or units of `canvas.view`
    /// - Example: `center = [120.0, 80.0]`
    pub(crate) center: Numbers<2>,
    /// The radius. A circle has either `radius` or `radii`.
    /// - Unit: pixels, or units of `canvas.view`
    /// - Example: `radius = 40.0`
    pub(crate) radius: Option<Length>,
    /// The radii of an ellipse along x and y.
    /// - Unit: pixels, or units of `canvas.view`
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
    /// - Unit: pixels, or units of `canvas.view`
    /// - Example: `width = 2.0`
    pub(crate) width: Length,
}

/// `[[segment]]`
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct SegmentText {
    /// One end.
    /// - Unit: pixels, or units of `canvas.view`
    /// - Example: `start = [10, 10]`
    pub(crate) start: Numbers<2>,
    /// The other end.
    /// - Unit: pixels, or units of `canvas.view`
    /// - Example: `end = [90, 40]`
    pub(crate) end: Numbers<2>,
    /// Width of the line.
    /// - Unit: pixels, or units of `canvas.view`
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
    /// Decimal mark of the numbers in a table of text: `,` reads 1234,5 and 1.234,5.
    /// - Default: `"."`
    /// - Example: `decimal = ","`
    pub(crate) decimal: Option<Located<Name<DecimalMark>>>,
    /// Texts that stand for no value in a table of text.
    /// - Default: none but NA, nan, null and empty fields
    /// - Example: `missing = ["n. d."]`
    pub(crate) missing: Option<Located<Vec<String>>>,
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
    /// Opacity of all circles, or of selections; the last selection that matches a row counts.
    /// - Default: the alpha of the colours
    /// - Example: `opacity = [{ select = "all", opacity = 0.25 }, { select = "kind new", opacity = 1.0 }]`
    pub(crate) opacity: Option<Located<OpacityText>>,
    /// A column with an opacity from 0 to 1 for each row.
    /// - Example: `opacity_by = "share"`
    pub(crate) opacity_by: Option<Located<String>>,
    /// The outlines of circles, half of them inside and half outside.
    /// - Default: no outlines
    /// - Example: `stroke = { color = "black", width = 0.5 }`
    pub(crate) stroke: Option<OutlineText>,
    /// Order in which circles are drawn: `"random"`, by `seed`; a column, its greatest numbers on top; or `-` and a column,
    /// its least on top.
    /// - Default: the order of the file
    /// - Example: `draw_order = "-people"`
    pub(crate) draw_order: Option<Located<String>>,
    /// Seed of a random order.
    /// - Default: `1`
    /// - Example: `seed = 7`
    pub(crate) seed: Option<Seed>,
    /// Texts beside circles, the largest circle first, in which a column in braces stands for the value of a row.
    /// - Default: none
    /// - Example: `label = [{ select = "people > 1e6", text = "{name}" }]`
    #[serde(default)]
    pub(crate) label: Vec<Located<LabelEntryText>>,
    /// The rows that are drawn.
    #[cfg_attr(test, schemars(flatten))]
    pub(crate) rows: RowsText,
}

/// `stroke = { color = "…" }`: the outlines of circles in a table.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with color and perhaps width")]
pub(crate) struct OutlineText {
    /// Colour of the outlines.
    /// - Example: `color = "black"`
    pub(crate) color: Color,
    /// Width of the outlines, whatever `canvas.view` is.
    /// - Unit: pixels
    /// - Default: `1.0`
    /// - Example: `width = 0.5`
    pub(crate) width: Option<Length>,
}

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
    /// The rows that are drawn.
    #[cfg_attr(test, schemars(flatten))]
    pub(crate) rows: RowsText,
}
