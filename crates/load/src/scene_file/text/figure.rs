//! Marks around the picture and on it.

use serde::Deserialize;

use crate::options::figure::{LegendChoice, LegendOrder, Stamp};
use crate::scene_file::figure::{PixelMargin, SwitchOr};
use crate::scene_file::names::Name;
use crate::scene_file::values::{Color, Positive};
#[cfg(test)]
use schemars::JsonSchema;

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
    /// The meaning of the colours, of radii and opacities by a column, and of the length of arrows: to the right of the
    /// picture, `"below"` it, or `"inside"` of it in its emptiest corner. `"counts"` also counts the shapes of each
    /// category, as does `"below,counts"`. With a figure's width on paper, a legend that would take more than a fifth of it
    /// is below, except with `"right"`.
    /// - Default: `false`
    /// - Example: `legend = true`
    pub(crate) legend: Option<SwitchOr<Name<LegendChoice>>>,
    /// The name above the colours, in place of that of the column.
    /// - Default: the name of the column
    /// - Example: `legend_title = "B factor (Å²)"`
    pub(crate) legend_title: Option<String>,
    /// The unit of the coloured numbers, which stands behind their name.
    /// - Default: none
    /// - Example: `legend_unit = "Å²"`
    pub(crate) legend_unit: Option<String>,
    /// The order of categories in the legend: as they come in the file (`"file"`), by name (`"name"`), or the most
    /// frequent first (`"count"`).
    /// - Default: `"file"`
    /// - Example: `legend_order = "count"`
    pub(crate) legend_order: Option<LegendOrderText>,
    /// Names of entries of the legend.
    /// - Default: the file's
    /// - Example: `legend_name = [{ entry = "A", name = "Gαs" }]`
    #[serde(default)]
    pub(crate) legend_name: Vec<LegendNameText>,
    /// A bar of a known length below the picture: `true`, or the length.
    /// - Unit: units of the data
    /// - Default: `false`
    /// - Example: `scale_bar = 5.0`
    pub(crate) scale_bar: Option<SwitchOr<Positive>>,
    /// The axes of the world below a picture of spheres, or the axes around one of circles.
    /// - Default: `false`
    /// - Example: `axes = true`
    pub(crate) axes: Option<bool>,
    /// The name of the x axis; circles only.
    /// - Default: the name of the column
    /// - Example: `x_label = "mass (kg)"`
    pub(crate) x_label: Option<String>,
    /// The name of the y axis; circles only.
    /// - Default: the name of the column
    /// - Example: `y_label = "distance (pc)"`
    pub(crate) y_label: Option<String>,
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
    /// Size of text, in proportion to which lines and gaps are drawn. From 1 to 144.
    /// - Unit: points
    /// - Default: 10
    /// - Example: `font_size = 7`
    pub(crate) font_size: Option<Positive>,
    /// Colour of text and lines.
    /// - Default: black, and white on dark backgrounds
    /// - Example: `ink = "white"`
    pub(crate) ink: Option<Color>,
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

#[doc(hidden)]
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
