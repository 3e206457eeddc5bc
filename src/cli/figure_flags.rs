//! `--title`, `--legend` and the like: marks around a picture and on it.

use clap::Args;
use roundel::io::{FigureOptions, LegendChoice, ScaleBarChoice};

use super::numbers::{number, whole_u32};

/// Marks around the picture and on it. Title, legend, scale bar and axes enlarge the picture and cover none of it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Figure")]
pub(super) struct FigureFlags {
    /// Text above the picture
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Meaning of the colours, to the right of the picture; --legend=counts also counts the shapes of each category
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "on", value_name = "on|off|counts")]
    #[arg(value_parser = legend)]
    legend: Option<LegendChoice>,
    /// Bar of a known length below the picture, which has parallel rays then; --scale-bar=20 is 20 units of the data long
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "on", value_name = "LENGTH")]
    #[arg(value_parser = scale_bar)]
    scale_bar: Option<ScaleBarChoice>,
    /// Axes of the world below the picture (spheres only)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(hide_possible_values = true)]
    axes: Option<bool>,
    /// Edges of the periodic box, which are drawn unless they are those of a macromolecule's crystal; --cell=false leaves
    /// them out (spheres only)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(hide_possible_values = true)]
    cell: Option<bool>,
    /// Cut the picture to what it shows; --trim=10 leaves 10 pixels around
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "0", value_name = "PIXELS")]
    #[arg(value_parser = whole_u32)]
    trim: Option<u32>,
    /// So many times as many pixels each way; type and lines grow, too
    #[arg(long, value_name = "FACTOR", value_parser = number, allow_hyphen_values = true)]
    scale: Option<f32>,
    /// Resolution in dots per inch, which is written into the file: type of 10 points has its size on paper [default: 96]
    #[arg(long, value_name = "DPI", value_parser = number, allow_hyphen_values = true)]
    dpi: Option<f32>,
}

impl FigureFlags {
    /// Returns the flags as the library takes them.
    pub(super) fn overrides(&self) -> FigureOptions {
        let mut overrides = FigureOptions::default();
        overrides.title.clone_from(&self.title);
        overrides.legend = self.legend;
        overrides.scale_bar = self.scale_bar;
        overrides.axes = self.axes;
        overrides.cell = self.cell;
        overrides.trim = self.trim;
        overrides.scale = self.scale;
        overrides.dpi = self.dpi;
        overrides
    }
}

fn legend(text: &str) -> Result<LegendChoice, String> {
    match text {
        "off" | "false" => Ok(LegendChoice::Off),
        "on" | "true" => Ok(LegendChoice::On),
        "counts" => Ok(LegendChoice::Counts),
        _ => Err("must be on, off or counts".to_owned()),
    }
}

fn scale_bar(text: &str) -> Result<ScaleBarChoice, String> {
    match text {
        "off" | "false" => Ok(ScaleBarChoice::Off),
        "on" | "true" => Ok(ScaleBarChoice::Suited),
        _ => match text.parse::<f64>() {
            Ok(length) => Ok(ScaleBarChoice::Length(length)),
            Err(_) => Err("must be a length, on or off".to_owned()),
        },
    }
}
