//! The marks of a figure that a scene and the caller ask for.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::color::{Category, ColorKey};
use crate::data::Cell;
use crate::error::{Error, Result};
use crate::figure::{CellEdges, Figure, ScaleBar};

/// The caller's figure options; `None` keeps the scene's value, or the default for bare data.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FigureOptions {
    /// Text above the picture; an empty one takes the scene's away.
    pub title: Option<String>,
    /// The meaning of the colours, beside the picture.
    pub legend: Option<LegendChoice>,
    /// A bar of a known length below the picture.
    pub scale_bar: Option<ScaleBarChoice>,
    /// The axes of the world below the picture; spheres only.
    pub axes: Option<bool>,
    /// The edges of the periodic box; spheres only.
    pub cell: Option<bool>,
    /// Trim the picture to its content plus this margin in pixels.
    pub trim: Option<u32>,
    /// Dots per inch, which sizes of type and lines follow.
    pub dpi: Option<f32>,
    /// How many times as many pixels everything has, each way.
    pub scale: Option<f32>,
}

/// Whether there is a legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendChoice {
    /// None.
    Off,
    /// One.
    On,
    /// One that says how many shapes each category has.
    Counts,
}

impl fmt::Display for LegendChoice {
    /// Writes `off`, `on` or `counts`, as the command line takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Counts => "counts",
        })
    }
}

impl FromStr for LegendChoice {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "off" | "false" => Ok(Self::Off),
            "on" | "true" => Ok(Self::On),
            "counts" => Ok(Self::Counts),
            _ => Err("must be on, off or counts".to_owned()),
        }
    }
}

/// Whether there is a scale bar, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScaleBarChoice {
    /// None.
    Off,
    /// One of a round length that suits the picture.
    Suited,
    /// One of this length, in the units of the data.
    Length(f64),
}

impl fmt::Display for ScaleBarChoice {
    /// Writes `off`, `on` or the length, as the command line takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::Suited => f.write_str("on"),
            Self::Length(length) => write!(f, "{length}"),
        }
    }
}

impl FromStr for ScaleBarChoice {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "off" | "false" => Ok(Self::Off),
            "on" | "true" => Ok(Self::Suited),
            _ => text.parse().map(Self::Length).map_err(|_| "must be a length, on or off".to_owned()),
        }
    }
}

/// The meaning of colours in a file.
#[derive(Clone, Debug)]
pub(crate) struct FileKey {
    /// The file's name; empty without one.
    pub(crate) file: String,
    pub(crate) key: ColorKey,
}

/// Merges the legend entries of several files: categories and ramps that agree are joined; names that do not tell two entries
/// apart get that of the file.
fn joined(keys: &[FileKey]) -> Vec<ColorKey> {
    let mut joined: Vec<FileKey> = Vec::new();
    for FileKey { file, key } in keys {
        if !joined.iter_mut().any(|known| join(&mut known.key, key)) {
            joined.push(FileKey { file: file.clone(), key: key.clone() });
        }
    }
    let name = |key: &ColorKey| match key {
        ColorKey::Categories { name, .. } | ColorKey::Numbers { name, .. } => name.clone(),
    };
    let names: Vec<String> = joined.iter().map(|known| name(&known.key)).collect();
    for FileKey { file, key } in &mut joined {
        let (ColorKey::Categories { name, .. } | ColorKey::Numbers { name, .. }) = key;
        let is_repeated = names.iter().filter(|other| *other == name).count() > 1;
        if is_repeated && !name.is_empty() {
            let file = Path::new(file.as_str()).file_name().unwrap_or_default().to_string_lossy();
            *name = format!("{name} ({file})");
        }
    }
    joined.into_iter().map(|known| known.key).collect()
}

/// Adds a meaning of colours to another, if it says nothing else; reports whether it does.
fn join(known: &mut ColorKey, more: &ColorKey) -> bool {
    match (known, more) {
        (ColorKey::Categories { name, items }, ColorKey::Categories { name: other, items: more }) => {
            let agrees =
                |item: &Category| items.iter().all(|known| known.name != item.name || known.color == item.color);
            if name != other || !more.iter().all(agrees) {
                return false;
            }
            for item in more {
                match items.iter_mut().find(|known| known.name == item.name) {
                    Some(known) => known.count += item.count,
                    None => items.push(item.clone()),
                }
            }
            true
        }
        (
            ColorKey::Numbers { name, map, scale, least, most, beyond },
            ColorKey::Numbers { name: other, map: of, scale: by, least: from, most: to, beyond: more },
        ) => {
            let agrees = name == other && map == of && scale == by && least == from && most == to;
            if agrees {
                *beyond = [beyond[0] || more[0], beyond[1] || more[1]];
            }
            agrees
        }
        _ => false,
    }
}

/// Facts about a picture that its figure shows.
#[derive(Debug, Default)]
pub(crate) struct FigureFacts {
    /// The meaning of colours, by file.
    pub(crate) keys: Vec<FileKey>,
    pub(crate) cell: Option<Cell>,
    /// Whether the shapes are spheres.
    pub(crate) is_solid: bool,
    /// The unit of lengths, if it is known.
    pub(crate) unit: &'static str,
    /// Pixels a unit, of circles.
    pub(crate) pixels: f64,
}

impl FigureOptions {
    /// Overrides a scene's value or a default.
    pub(crate) fn over(&self, base: &Self) -> Self {
        Self {
            title: self.title.clone().or_else(|| base.title.clone()),
            legend: self.legend.or(base.legend),
            scale_bar: self.scale_bar.or(base.scale_bar),
            axes: self.axes.or(base.axes),
            cell: self.cell.or(base.cell),
            trim: self.trim.or(base.trim),
            dpi: self.dpi.or(base.dpi),
            scale: self.scale.or(base.scale),
        }
    }

    /// Whether a legend is wanted.
    pub(crate) fn has_legend(&self) -> bool {
        self.legend.is_some_and(|legend| legend != LegendChoice::Off)
    }

    /// The figure, or the message about a bad option.
    pub(crate) fn figure(&self, file: &str, facts: &FigureFacts) -> Result<Figure> {
        let refuse = |name, message: String| Err(Error::Setting { name, message });
        let has_axes = self.axes == Some(true);
        if has_axes && !facts.is_solid {
            return refuse("axes", format!("is for spheres; {file} is drawn as circles"));
        }
        let cell = match (self.cell, facts.cell) {
            (Some(true), None) => return refuse("cell", format!("is for a periodic box, which {file} does not have")),
            (Some(true), Some(cell)) => {
                let edges = [cell.edges.x_axis, cell.edges.y_axis, cell.edges.z_axis];
                Some(CellEdges { origin: cell.origin, edges })
            }
            _ => None,
        };
        let legend = if self.has_legend() { joined(&facts.keys) } else { Vec::new() };
        if self.has_legend() && legend.is_empty() {
            let message = format!("is for colours that mean something; color_by names a column of {file}");
            return refuse("legend", message);
        }
        let bar = |length| ScaleBar { length, unit: facts.unit, pixels: facts.pixels };
        let scale_bar = match self.scale_bar {
            None | Some(ScaleBarChoice::Off) => None,
            Some(ScaleBarChoice::Suited) => Some(bar(None)),
            Some(ScaleBarChoice::Length(length)) if length > 0.0 && length.is_finite() => Some(bar(Some(length))),
            Some(ScaleBarChoice::Length(length)) => {
                return refuse("scale_bar", format!("must be a positive length, got {length}"));
            }
        };
        if let Some(dpi) = self.dpi.filter(|dpi| !(1.0..=4800.0).contains(dpi)) {
            return refuse("dpi", format!("must be 1 to 4800, got {dpi}"));
        }
        if let Some(scale) = self.scale.filter(|scale| !(0.1..=16.0).contains(scale)) {
            return refuse("scale", format!("must be 0.1 to 16, got {scale}"));
        }
        Ok(Figure {
            title: self.title.clone().filter(|title| !title.is_empty()),
            legend,
            counts: self.legend == Some(LegendChoice::Counts),
            scale_bar,
            axes: has_axes,
            cell,
            trim: self.trim,
            dpi: self.dpi,
            scale: f64::from(self.scale.unwrap_or(1.0)),
        })
    }
}
