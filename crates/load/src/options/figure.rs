//! The marks of a figure that a scene and the caller ask for.

use std::fmt;
use std::str::FromStr;

use crate::color::{Category, ColorKey, Srgba8};
use crate::data::Cell;
use crate::did_you_mean;
use crate::error::{Error, Result};
use crate::figure::{AxesPlace, CellEdges, Figure, LegendPart, LegendPlace, PlaneAxes, PrintSize, ScaleBar, decimal};
use crate::formats::facts::FrameTimes;
use crate::options::joined_legend::{joined, set_part};
use crate::options::panels::FigureGrid;
use crate::options::paper::{FigureWidth, FontSize, PRINT_DPI};

/// The caller's figure options; `None` keeps the scene's value, or the default for bare data.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FigureOptions {
    /// Text above the picture; an empty one takes the scene's away.
    pub title: Option<String>,
    /// The frame of a trajectory, or its time, above the picture.
    pub stamp: Option<Stamp>,
    /// The meaning of the colours, beside the picture.
    pub legend: Option<LegendChoice>,
    /// The name above the colours, in place of that of the column.
    pub legend_title: Option<String>,
    /// The unit of the coloured numbers, which stands behind their name in brackets.
    pub legend_unit: Option<String>,
    /// The order of categories.
    pub legend_order: Option<LegendOrder>,
    /// Entries of the legend, and what they are called.
    pub legend_name: Vec<(String, String)>,
    /// The width of the picture and the marks beside it.
    pub figure_width: Option<FigureWidth>,
    /// A bar of a known length below the picture.
    pub scale_bar: Option<ScaleBarChoice>,
    /// Selections of rows and the texts beside them, in which `{column}` stands for a value; bare data only.
    pub label: Vec<(String, String)>,
    /// How many pictures of files or frames stand side by side and below each other.
    pub grid: Option<FigureGrid>,
    /// The titles of the panels of a grid: none, one for all, or one for each, in which `{name}`, `{frame}`, `{time}` and
    /// `{step}` stand for what the panel shows.
    pub panel_title: Vec<String>,
    /// The column of a table in the plane whose categories are panels.
    pub panel_by: Option<String>,
    /// Degrees between the directions from which two eyes see each panel; negative with the right eye's picture at the
    /// left.
    pub stereo: Option<f32>,
    /// The axes of the world below a picture of spheres; axes around a picture of a table in the plane.
    pub axes: Option<bool>,
    /// The name of the x axis, in place of the column's name; circles only.
    pub x_label: Option<String>,
    /// The name of the y axis, in place of the column's name; circles only.
    pub y_label: Option<String>,
    /// The edges of the periodic box; spheres only.
    pub cell: Option<bool>,
    /// Trim the picture to its content plus this margin in pixels.
    pub trim: Option<u32>,
    /// Dots per inch, which sizes of type and lines follow.
    pub dpi: Option<f32>,
    /// How many times as many pixels everything has, each way.
    pub scale: Option<f32>,
    /// The size of text, in proportion to which lines and gaps are drawn.
    pub font_size: Option<FontSize>,
    /// The colour of text and lines, in place of black or white, whichever stands out from the background.
    pub ink: Option<Srgba8>,
    /// The parts of legends that all frames of a film share.
    #[doc(hidden)]
    pub film_legend: Option<Vec<LegendPart>>,
}

/// The number that a picture of a trajectory states about its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// Its time, in the file's unit.
    Time,
    /// Its number in the file, from 0.
    Frame,
    /// Its step of the simulation.
    Step,
}

impl Stamp {
    /// All, with their names.
    pub const ALL: [(Self, &str); 3] = [(Self::Time, "time"), (Self::Frame, "frame"), (Self::Step, "step")];

    /// The text of a frame, or the message about what is missing.
    pub(crate) fn text(self, file: &str, times: Option<FrameTimes>) -> Result<String> {
        let refuse = |message| Err(Error::setting("stamp", message));
        let Some(FrameTimes { read, frame, unit, .. }) = times else {
            return refuse(format!("is for one file with frames, which {file} is not"));
        };
        match (self, read.time, read.step) {
            (Self::Frame, ..) => Ok(format!("frame {frame}")),
            (Self::Time, Some(time), _) => Ok(format!("{} {unit}", time_written(time)).trim_end().to_owned()),
            (Self::Step, _, Some(step)) => Ok(format!("step {step}")),
            (Self::Time, None, _) | (Self::Step, _, None) => {
                let known = if read.time.is_some() {
                    "time and frame"
                } else if read.step.is_some() {
                    "step and frame"
                } else {
                    "frame alone"
                };
                refuse(format!("{self} is not in {file}, which has {known}"))
            }
        }
    }
}

/// A time with seven digits, as times of 32 bits are not exact, or with four decimals if it has more digits before
/// them.
pub(crate) fn time_written(time: f64) -> String {
    let size = time.abs();
    if size > 0.0 && !(1e-4..1e15).contains(&size) {
        return decimal(time);
    }
    let decimals = if size > 0.0 { (6.0 - libm::floor(libm::log10(size))).max(4.0) } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10")]
    let text = format!("{time:.*}", decimals as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::ALL.iter().find(|(stamp, _)| stamp == self);
        f.write_str(named.map_or("", |(_, name)| name))
    }
}

impl FromStr for Stamp {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let named = Self::ALL.iter().find(|(_, name)| *name == text);
        named.map(|(stamp, _)| *stamp).ok_or_else(|| "must be time, frame or step".to_owned())
    }
}

/// Whether there is a legend, and where.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::{LegendChoice, LegendPlace};
///
/// let below = LegendChoice::On { counts: true, place: Some(LegendPlace::Below) };
/// assert_eq!("below,counts".parse(), Ok(below));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendChoice {
    /// None.
    Off,
    /// One, which may say how many shapes each category has. Without a place it is to the right of the picture, or below a
    /// figure of a given width if it would take more than a fifth of that.
    On { counts: bool, place: Option<LegendPlace> },
}

impl LegendChoice {
    /// A legend without counts.
    pub const ON: Self = Self::On { counts: false, place: None };

    /// A legend with counts.
    pub const COUNTS: Self = Self::On { counts: true, place: None };

    /// The words that say more than that there is a legend.
    pub(crate) const WORDS: [&'static str; 7] =
        ["counts", "right", "below", "inside", "right,counts", "below,counts", "inside,counts"];

    /// Whether it says how many shapes each category has.
    #[doc(hidden)]
    #[must_use]
    pub fn counts(self) -> bool {
        matches!(self, Self::On { counts: true, .. })
    }

    /// Its place, if that is chosen.
    pub(crate) fn place(self) -> Option<LegendPlace> {
        if let Self::On { place, .. } = self { place } else { None }
    }

    /// A legend in the same place, without counts.
    pub(crate) fn without_counts(self) -> Self {
        Self::On { counts: false, place: self.place() }
    }
}

impl fmt::Display for LegendChoice {
    /// Writes `off`, `on`, `counts` or `below,counts`, as the command line takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = LegendPlace::ALL.iter().find(|(place, _)| self.place() == Some(*place)).map(|(_, name)| *name);
        f.write_str(match (self, place) {
            (Self::Off, _) => "off",
            (_, None) => {
                if self.counts() {
                    "counts"
                } else {
                    "on"
                }
            }
            (_, Some(place)) => return write!(f, "{place}{}", if self.counts() { ",counts" } else { "" }),
        })
    }
}

impl FromStr for LegendChoice {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let refuse = || "must be on, off, counts, right, below or inside, or two such as below,counts".to_owned();
        let at = |word: &str, counts| {
            let place = LegendPlace::ALL.iter().find(|(_, name)| *name == word).map(|(place, _)| *place);
            if place.is_some() { Ok(Self::On { counts, place }) } else { Err(refuse()) }
        };
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        match words[..] {
            ["off" | "false"] => Ok(Self::Off),
            ["on" | "true"] => Ok(Self::ON),
            ["counts"] => Ok(Self::COUNTS),
            [word] => at(word, false),
            ["counts", word] | [word, "counts"] => at(word, true),
            _ => Err(refuse()),
        }
    }
}

/// Whether a legend counts each row once, or each of its copies in the picture, which is slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    Rows,
    Copies,
}

/// The order of the categories of a legend.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::LegendOrder;
///
/// assert_eq!("count".parse::<LegendOrder>()?, LegendOrder::Count);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LegendOrder {
    /// As they come in the file.
    File,
    /// By name; numbers in names by their value.
    Name,
    /// The most frequent first.
    Count,
}

impl LegendOrder {
    /// All orders.
    pub const ALL: [Self; 3] = [Self::File, Self::Name, Self::Count];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Name => "name",
            Self::Count => "count",
        }
    }

    fn sort(self, items: &mut [Category]) {
        match self {
            Self::File => {}
            Self::Name => items.sort_by(|a, b| match (a.name.parse::<f64>(), b.name.parse::<f64>()) {
                (Ok(a), Ok(b)) => a.total_cmp(&b),
                _ => a.name.cmp(&b.name),
            }),
            Self::Count => items.sort_by_key(|item| std::cmp::Reverse(item.count)),
        }
    }
}

impl fmt::Display for LegendOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for LegendOrder {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        Self::ALL.into_iter().find(|order| order.name() == text).ok_or_else(|| "must be file, name or count".to_owned())
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

/// Greatest margin of a trimmed picture, in pixels.
pub(crate) const MOST_TRIM: u32 = u16::MAX as u32;

/// The meaning of colours, sizes or arrows in a file.
#[derive(Clone, Debug)]
pub struct FileKey {
    /// The file's name; empty without one.
    pub file: String,
    pub key: LegendPart,
}

#[derive(Debug, Default)]
pub struct FigureFacts {
    pub keys: Vec<FileKey>,
    pub cell: Option<Cell>,
    /// The time of the frame, for one file with frames.
    pub times: Option<FrameTimes>,
    pub is_solid: bool,
    /// The unit of lengths, if it is known.
    pub unit: &'static str,
    /// Pixels a unit, of circles.
    pub pixels: f64,
    /// The latitude at the centre of a map in degrees.
    pub latitude: Option<f64>,
    /// The length of a unit of x in units of y, if that is not 1.
    pub stretch: Option<f64>,
    /// The axes around a picture of the plane.
    pub plane: Option<PlaneAxes>,
}

/// The edges of a periodic box.
pub(crate) fn cell_edges(Cell { origin, edges, .. }: &Cell) -> CellEdges {
    CellEdges { origin: *origin, edges: [edges.x_axis, edges.y_axis, edges.z_axis] }
}

impl FigureOptions {
    /// Overrides a scene's value or a default.
    #[doc(hidden)]
    pub fn over(&self, base: &Self) -> Self {
        Self {
            title: self.title.clone().or_else(|| base.title.clone()),
            stamp: self.stamp.or(base.stamp),
            legend: self.legend.or(base.legend),
            legend_title: self.legend_title.clone().or_else(|| base.legend_title.clone()),
            legend_unit: self.legend_unit.clone().or_else(|| base.legend_unit.clone()),
            legend_order: self.legend_order.or(base.legend_order),
            legend_name: if self.legend_name.is_empty() { base.legend_name.clone() } else { self.legend_name.clone() },
            figure_width: self.figure_width.or(base.figure_width),
            scale_bar: self.scale_bar.or(base.scale_bar),
            label: if self.label.is_empty() { base.label.clone() } else { self.label.clone() },
            grid: self.grid.or(base.grid),
            panel_title: if self.panel_title.is_empty() { base.panel_title.clone() } else { self.panel_title.clone() },
            panel_by: self.panel_by.clone().or_else(|| base.panel_by.clone()),
            stereo: self.stereo.or(base.stereo),
            axes: self.axes.or(base.axes),
            x_label: self.x_label.clone().or_else(|| base.x_label.clone()),
            y_label: self.y_label.clone().or_else(|| base.y_label.clone()),
            cell: self.cell.or(base.cell),
            trim: self.trim.or(base.trim),
            dpi: self.dpi.or(base.dpi),
            scale: self.scale.or(base.scale),
            font_size: self.font_size.or(base.font_size),
            ink: self.ink.or(base.ink),
            film_legend: self.film_legend.clone(),
        }
    }

    /// The panels across and down: of a stereo pair two, unless there are more.
    #[doc(hidden)]
    #[must_use]
    pub fn panels(&self) -> Option<FigureGrid> {
        self.grid.or(self.stereo.map(|_| FigureGrid { columns: 2, rows: 1 }))
    }

    /// The resolution that is written into the file.
    #[doc(hidden)]
    pub fn resolution(&self) -> Option<f32> {
        self.dpi.or_else(|| self.figure_width.filter(FigureWidth::is_on_paper).map(|_| PRINT_DPI))
    }

    /// The size in print, and of type.
    #[doc(hidden)]
    pub fn print_size(&self) -> PrintSize {
        PrintSize {
            dpi: self.resolution(),
            millimeters: self.figure_width.and_then(|width| width.millimeters()),
            suited_dpi: None,
            scale: f64::from(self.scale.unwrap_or(1.0)),
            font_size: self.font_size.map(|size| size.points),
        }
    }

    /// Pixels of the whole figure's width, if it is given.
    pub(crate) fn pixels(&self) -> Result<Option<u32>> {
        let Some(width) = self.figure_width else { return Ok(None) };
        if self.trim.is_some() || self.scale.is_some() {
            let name = if self.trim.is_some() { "trim" } else { "scale" };
            return Err(Error::setting(name, "and figure_width both say the size; give one"));
        }
        Ok(Some(width.pixels(self.resolution().unwrap_or(PRINT_DPI))))
    }

    /// Applies the requested title, unit, order and names to a legend.
    fn rename(&self, legend: &mut [LegendPart]) -> Result<()> {
        // a note says that there is none
        if !self.has_legend() {
            return Ok(());
        }
        if let (Some(title), Some(key)) = (&self.legend_title, legend.first_mut()) {
            key.name_mut().clone_from(title);
        }
        let numbers = legend.iter_mut().find_map(|key| match key {
            LegendPart::Colors(ColorKey::Numbers { name, .. }) => Some(name),
            _ => None,
        });
        match (&self.legend_unit, numbers) {
            (Some(unit), Some(name)) => *name = format!("{name} ({unit})"),
            (Some(_), None) => {
                return Err(Error::setting("legend_unit", "is for a legend of numbers; this one has none"));
            }
            (None, _) => {}
        }
        let mut items: Vec<&mut Category> = Vec::new();
        for key in legend.iter_mut() {
            if let LegendPart::Colors(ColorKey::Categories { items: more, .. }) = key {
                self.legend_order.iter().for_each(|order| order.sort(more));
                items.extend(more);
            }
        }
        let known: Vec<String> = items.iter().map(|item| item.name.clone()).collect();
        for (entry, new) in &self.legend_name {
            let mut is_found = false;
            for (item, _) in items.iter_mut().zip(&known).filter(|(_, known)| *known == entry) {
                item.name.clone_from(new);
                is_found = true;
            }
            if !is_found {
                let known = match did_you_mean::list(known.iter().map(String::as_str)) {
                    names if names.is_empty() => ", which has no categories".to_owned(),
                    names => format!(" ({names})"),
                };
                let message = format!("must name an entry of the legend{known}, got {entry:?}");
                return Err(Error::setting("legend_name", message));
            }
        }
        Ok(())
    }

    /// The keys of files with the parts that all frames of a film share, so that files agree on these.
    fn as_in_film(&self, keys: &[FileKey]) -> Vec<FileKey> {
        let mut keys = keys.to_vec();
        for FileKey { key, .. } in &mut keys {
            self.film_legend.iter().flatten().for_each(|part| set_part(std::slice::from_mut(key), part));
        }
        keys
    }

    /// These options without a legend, which may have to wait for the camera.
    pub(crate) fn without_legend(&self) -> Self {
        Self { legend: None, legend_title: None, legend_unit: None, legend_name: Vec::new(), ..self.clone() }
    }

    pub(crate) fn has_legend(&self) -> bool {
        self.legend.is_some_and(|legend| legend != LegendChoice::Off)
    }

    /// How the legend counts.
    pub(crate) fn counting(&self) -> Counting {
        let needs_counts =
            self.legend.is_some_and(LegendChoice::counts) || self.legend_order == Some(LegendOrder::Count);
        if needs_counts { Counting::Copies } else { Counting::Rows }
    }

    #[doc(hidden)]
    pub fn figure(&self, file: &str, facts: &FigureFacts) -> Result<Figure> {
        let refuse = |name, message: String| Err(Error::setting(name, message));
        let has_axes = self.axes == Some(true);
        if has_axes && !facts.is_solid && facts.plane.is_none() {
            return refuse("axes", format!("is for spheres and for tables; {file} is neither"));
        }
        let cell = match (self.cell, facts.cell) {
            (Some(true), None) => return refuse("cell", format!("is for a periodic box, which {file} does not have")),
            (Some(true), Some(cell)) => Some(cell_edges(&cell)),
            _ => None,
        };
        let mut legend = if self.has_legend() { joined(&self.as_in_film(&facts.keys)) } else { Vec::new() };
        if self.has_legend() && legend.is_empty() {
            let message = format!(
                "is for colours that mean something, such as those of a column that color_by names; the picture of {file} has none"
            );
            return refuse("legend", message);
        }
        self.rename(&mut legend)?;
        self.film_legend.iter().flatten().for_each(|part| set_part(&mut legend, part));
        let (unit, pixels, latitude) = (facts.unit, facts.pixels, facts.latitude);
        let bar = |length| ScaleBar { length, unit, pixels, latitude, stretch: facts.stretch.unwrap_or(1.0) };
        let scale_bar = match self.scale_bar {
            None | Some(ScaleBarChoice::Off) => None,
            Some(ScaleBarChoice::Suited) => Some(bar(None)),
            Some(ScaleBarChoice::Length(length)) if length > 0.0 && length.is_finite() => Some(bar(Some(length))),
            Some(ScaleBarChoice::Length(length)) => {
                return refuse("scale_bar", format!("must be a positive length, got {length}"));
            }
        };
        if let Some(pixels) = self.trim.filter(|pixels| *pixels > MOST_TRIM) {
            return refuse("trim", format!("must be 0 to {MOST_TRIM}, got {pixels}"));
        }
        if let Some(dpi) = self.dpi.filter(|dpi| !(1.0..=4800.0).contains(dpi)) {
            return refuse("dpi", format!("must be 1 to 4800, got {dpi}"));
        }
        if let Some(scale) = self.scale.filter(|scale| !(0.1..=16.0).contains(scale)) {
            return refuse("scale", format!("must be 0.1 to 16, got {scale}"));
        }
        if let Some(size) = self.font_size.filter(|size| !(1.0..=144.0).contains(&size.points)) {
            return refuse("font_size", format!("must be 1 to 144 points, got {}", size.points));
        }
        Ok(Figure {
            title: self.title.clone().filter(|title| !title.is_empty()),
            stamp: self.stamp.map(|stamp| stamp.text(file, facts.times)).transpose()?,
            legend,
            legend_place: self.legend.and_then(LegendChoice::place),
            is_one_of_many: self.film_legend.is_some(),
            counts: self.legend.is_some_and(LegendChoice::counts),
            scale_bar,
            axes: (has_axes && facts.is_solid).then_some(AxesPlace::Below),
            plane: facts.plane.clone().filter(|_| has_axes && !facts.is_solid),
            cell,
            trim: self.trim,
            print: self.print_size(),
            ink: self.ink,
            ..Figure::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_close_to_one_another_differ() {
        for (time, text) in [
            (0.0, "0"),
            (12.5, "12.5"),
            (f64::from(0.1_f32 * 3.0), "0.3"),
            (1.999_999_97, "2"),
            (0.001_01, "0.00101"),
            (2_460_000.51, "2460000.51"),
            (1_700_000_000.25, "1700000000.25"),
            (1_700_000_000.0, "1700000000"),
            (1.000_000_01e-9, "1.00000001e-9"),
            (-40.0, "-40"),
        ] {
            assert_eq!(time_written(time), text);
        }
    }
}
