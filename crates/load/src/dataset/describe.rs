//! Descriptions of a file and the picture it makes, for people and as JSON.

use glam::DVec3;
use std::fmt;
use std::path::Path;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::calendar::written;
use crate::color::{Category, ColorKey, Scale};
use crate::did_you_mean::shortened;
use crate::figure::decimal;
use crate::formats::facts::FrameTime;
use crate::formats::{Format, FormatKind};
use crate::geom::single;
use crate::options::visible_share;
use crate::rows::canvas::Corners;
use crate::scene::circles::{CircleScene, Layer, PaintedSegment};
use crate::scene::spheres::{Projection, SphereScene};
use crate::scene::{Scene, bounds};

/// Categories that are listed with their colours.
const MOST_CATEGORIES: usize = 24;

/// The content of a file and the picture that would be drawn of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Description {
    /// As it was named.
    pub file: String,
    /// Its format.
    pub format: Format,
    /// The data files that it reads; a data file lists itself.
    pub sources: Vec<DataSource>,
    /// Circles without outline that would be drawn.
    pub circles: u64,
    /// Ellipses and outlines that would be drawn.
    pub ellipses: u64,
    /// Straight lines with round ends.
    pub segments: u64,
    /// Spheres that would be drawn, copies included.
    pub spheres: u64,
    /// Cylinders, copies counted.
    pub cylinders: u64,
    /// Ellipsoids, copies counted.
    pub ellipsoids: u64,
    /// Cones, copies counted: the heads of arrows.
    pub cones: u64,
    /// Bonds between atoms that are drawn, whatever their style, without copies.
    pub bonds: u64,
    /// Shapes that would not be drawn, because they lie outside of the picture.
    pub outside: u64,
    /// How far the shapes reach: pixels of the picture for circles, world units for spheres.
    pub bounds: Option<Bounds>,
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// The picture that would be drawn, in words.
    pub drawn: String,
    /// Notes, such as rows that are left out, and why.
    pub notes: Vec<String>,
    /// Commands that make sense for the file: colourings, selections and films that its columns allow.
    pub suggestions: Vec<String>,
    /// The scene file that draws the same picture; `None` for part of a picture, for circles in another size than the
    /// scene has, and for standard input.
    pub scene: Option<SceneData>,
}

/// A scene file as data: the camera, every number of the shading, the marks, the files with their columns, frames and
/// selections.
///
/// Displayed or serialized it is the text of a scene file, in JSON, whose files are found from the current folder.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneData(Vec<(String, Value)>);

impl SceneData {
    /// These tables, in their order.
    pub(crate) fn new(tables: Vec<(String, Value)>) -> Self {
        Self(tables)
    }
}

impl Serialize for SceneData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, table)| (name, table)))
    }
}

impl fmt::Display for SceneData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string_pretty(self).expect("tables have names for keys"))
    }
}

/// A file of data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DataSource {
    /// As messages name it.
    pub file: String,
    /// Its format.
    pub format: Format,
    /// Rows of a table, or atoms of the first model.
    pub records: u64,
    /// Names of the columns there are to choose from.
    pub columns: Vec<String>,
    /// Models or frames; the first is drawn.
    pub models: u64,
    /// Steps and times of the frames, as far as the file says them; of the first ones where there are very many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<FrameTime>,
    /// The unit of times; empty if it is unknown.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub time_unit: &'static str,
    /// Names of residues.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub residues: Vec<String>,
    /// How many atoms they have.
    #[serde(skip)]
    pub(crate) residue_atoms: Vec<u64>,
    /// Chains by name.
    pub chains: Vec<String>,
    /// Atoms by element, most frequent first.
    pub elements: Vec<(String, u64)>,
    /// Biological assemblies that can be built: number and copies.
    pub assemblies: Vec<(u32, u64)>,
    /// Atoms that are not drawn because they are another place of one that is.
    pub alternates: u64,
    /// Bonds between atoms that are drawn.
    pub bonds: u64,
    /// Rings around the file's ellipsoids, each drawn as a flat ellipsoid; copies count.
    #[serde(skip)]
    pub(crate) rings: u64,
    /// The least and the greatest number of each column of numbers.
    pub ranges: Vec<(String, [f64; 2])>,
    /// Names of the columns that hold dates, whose numbers are seconds since 1970-01-01 UTC.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dates: Vec<String>,
    /// The least and the greatest corner of the box of all positions, in the file's units (ångström for molecules).
    pub bounds: Option<[Vec<f64>; 2]>,
    /// Whether the coordinates along each axis are dates.
    #[serde(skip)]
    pub(crate) date_axes: [bool; 3],
    /// The periodic box.
    pub cell: Option<CellShape>,
    /// Along which of its edges it repeats.
    #[serde(skip)]
    pub(crate) periodic: [bool; 3],
    /// The meaning of the colours of the rows, if they have one.
    pub colors: Option<ColorKey>,
    /// Highlighted rows, which have colours of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub highlights: Vec<Category>,
}

/// Edges and angles of a periodic box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CellShape {
    /// Lengths of the edges a, b and c.
    pub lengths: [f64; 3],
    /// Degrees between b and c, a and c, a and b.
    pub angles: [f64; 3],
}

impl From<([f64; 3], [f64; 3])> for CellShape {
    fn from((lengths, angles): ([f64; 3], [f64; 3])) -> Self {
        Self { lengths, angles }
    }
}

/// An axis-aligned box: two numbers a corner for circles, three for spheres.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// Least corner.
    pub min: Vec<f64>,
    /// Greatest corner.
    pub max: Vec<f64>,
}

impl DataSource {
    /// A file with this number of records, and nothing else known.
    pub(crate) fn new(file: String, format: Format, records: usize) -> Self {
        Self {
            file,
            format,
            records: records as u64,
            columns: Vec::new(),
            models: 1,
            times: Vec::new(),
            time_unit: "",
            residues: Vec::new(),
            residue_atoms: Vec::new(),
            chains: Vec::new(),
            elements: Vec::new(),
            assemblies: Vec::new(),
            alternates: 0,
            bonds: 0,
            rings: 0,
            ranges: Vec::new(),
            dates: Vec::new(),
            date_axes: [false; 3],
            bounds: None,
            cell: None,
            periodic: [false; 3],
            colors: None,
            highlights: Vec::new(),
        }
    }

    /// A column with its least and greatest number, if it has any.
    fn column(&self, name: &str) -> String {
        match self.ranges.iter().find(|(known, _)| known == name) {
            Some((_, range)) if self.dates.iter().any(|known| known == name) => {
                let [first, last] = written(*range);
                format!("{name} ({first} to {last})")
            }
            Some((_, [least, greatest])) => format!("{name} ({} to {})", decimal(*least), decimal(*greatest)),
            None => name.to_owned(),
        }
    }
}

impl Description {
    #[doc(hidden)]
    pub fn new(path: &Path, format: Format, sources: Vec<DataSource>, scene: &Scene<'_>) -> Self {
        let (width, height) = scene.size();
        let mut description = Self {
            file: if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() },
            format,
            circles: 0,
            ellipses: 0,
            segments: 0,
            spheres: 0,
            cylinders: 0,
            ellipsoids: 0,
            cones: 0,
            bonds: sources.iter().map(|source| source.bonds).sum(),
            outside: 0,
            bounds: None,
            width,
            height,
            drawn: String::new(),
            notes: Vec::new(),
            suggestions: Vec::new(),
            scene: None,
            sources,
        };
        match scene {
            Scene::Circles(scene) => description.add_circles(scene),
            Scene::Spheres(scene) => description.add_spheres(scene),
        }
        description
    }

    fn add_circles(&mut self, scene: &CircleScene<'_>) {
        let mut reach = ShapeReach::new([self.width, self.height]);
        for layer in &scene.layers {
            match layer {
                Layer::Circles(circles) => {
                    self.circles += circles.len() as u64;
                    circles.iter().for_each(|circle| reach.add(circle.center, [circle.radius; 2]));
                }
                Layer::Ellipses(ellipses) => {
                    self.ellipses += ellipses.len() as u64;
                    ellipses.iter().for_each(|ellipse| reach.add(ellipse.center, ellipse.radii.map(single)));
                }
                Layer::Segments(segments) => {
                    self.segments += segments.len() as u64;
                    for PaintedSegment { start, end, .. } in segments.iter() {
                        let center = [0, 1].map(|axis| 0.5 * (start[axis] + end[axis]));
                        reach.add(center, [0, 1].map(|axis| 0.5 * (end[axis] - start[axis]).abs()));
                    }
                }
            }
        }
        self.bounds = reach.bounds();
        self.outside = reach.outside;
        self.drawn = format!("circles on {}", scene.canvas.background);
    }

    fn add_spheres(&mut self, scene: &SphereScene<'_>) {
        self.spheres = scene.count() - scene.stand_ins();
        [self.cylinders, self.ellipsoids, self.cones] = scene.shapes.counts();
        // rings are no ellipsoids of the file
        let rings = self.sources.iter().map(|source| source.rings).sum();
        self.ellipsoids = self.ellipsoids.saturating_sub(rings);
        self.outside = visible_share::spheres_outside(scene);
        self.bounds = bounds(&scene.framed())
            .map(|corners| corners.map(|corner| (corner + DVec3::from(scene.origin)).to_array().to_vec()))
            .map(|[min, max]| Bounds { min, max });
        let camera = &scene.view.camera;
        let lens = match camera.projection {
            Projection::Perspective { fov_y_radians } => {
                format!("perspective, {:.1} degrees", fov_y_radians.to_degrees())
            }
            Projection::Orthographic { height } => format!("orthographic, {height:.3} high"),
        };
        let [x, y, z] = scene.in_data(camera.eye);
        let shading = &scene.shading;
        let rays = if shading.ambient_occlusion.rays() > 0 { " rays" } else { "" };
        self.drawn = format!(
            "look {}, seen from {x:.3}, {y:.3}, {z:.3} ({lens}), {} {}, ambient occlusion {}{rays}, shadows {}",
            shading.look,
            shading.samples,
            if shading.samples == 1 { "sample" } else { "samples" },
            shading.ambient_occlusion,
            if shading.shadows { "on" } else { "off" },
        );
    }
}

/// The bounding box of circles, as they are added.
struct ShapeReach {
    corners: Corners,
    size: [f64; 2],
    /// Shapes that miss the picture.
    outside: u64,
}

impl ShapeReach {
    fn new(size: [u32; 2]) -> Self {
        Self { corners: Corners::NONE, size: size.map(f64::from), outside: 0 }
    }

    fn add(&mut self, center: [f32; 2], radii: [f32; 2]) {
        self.corners.add(center.map(f64::from), radii.map(f64::from));
        self.outside += u64::from(visible_share::is_outside(visible_share::shown(center, radii), self.size));
    }

    fn bounds(&self) -> Option<Bounds> {
        let [min, max] = self.corners.extent();
        (min[0] <= max[0]).then(|| Bounds { min: min.to_vec(), max: max.to_vec() })
    }
}

/// The steps and times of frames, in words.
fn spans(times: &[FrameTime], unit: &str) -> String {
    let span = |name: &str, numbers: Option<Vec<f64>>| {
        let numbers = numbers.filter(|numbers| numbers.len() > 1)?;
        let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
        let every = (last - first) / (numbers.len() - 1) as f64;
        let is_even = numbers.windows(2).all(|pair| (pair[1] - pair[0] - every).abs() <= 1e-3 * every.abs());
        let every = if is_even { format!(" every {}", decimal(every)) } else { String::new() };
        Some(format!(", {name} {} to {}{every}", decimal(first), decimal(last)))
    };
    let steps = span("steps", times.iter().map(|time| time.step.map(|step| step as f64)).collect());
    let times = span("times", times.iter().map(|time| time.time).collect());
    let unit = if unit.is_empty() || times.is_none() { String::new() } else { format!(" {unit}") };
    steps.unwrap_or_default() + &times.unwrap_or_default() + &unit
}

fn describe_colors(key: &ColorKey) -> String {
    match key {
        ColorKey::Categories { name, items } => {
            let shown =
                items.iter().take(MOST_CATEGORIES).map(|item| format!("{} {}", shortened(&item.name), item.color));
            let more = items.len().saturating_sub(MOST_CATEGORIES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("by {}: {}{more}", shortened(name), shown.collect::<Vec<_>>().join(", "))
        }
        ColorKey::Numbers { name, map, scale, least, most, beyond, dates, missing, quantiles, .. } => {
            let missing = if *missing > 0 { format!("; {missing} missing, grey") } else { String::new() };
            let scale = match scale {
                _ if !quantiles.is_empty() => ", by rank".to_owned(),
                Scale::Linear => String::new(),
                scale => format!(", {scale} scale"),
            };
            let beyond = match beyond {
                [false, false] => "",
                [true, false] => "; lesser numbers have the first colour",
                [false, true] => "; greater numbers have the last colour",
                [true, true] => "; numbers beyond have the first and the last colour",
            };
            let ends = [*least, *most];
            let [least, most] = if *dates { written(ends) } else { ends.map(decimal) };
            format!("by {name} from {least} to {most} ({map}{scale}){beyond}{missing}")
        }
        _ => String::new(),
    }
}

/// The corners of a box, with three decimals or as many as small boxes need.
fn corners(min: &[f64], max: &[f64], dates: [bool; 3]) -> String {
    let is_date = |axis: usize| dates.get(axis) == Some(&true);
    let lengths = min.iter().zip(max).enumerate().filter(|(axis, _)| !is_date(*axis));
    let size = lengths.map(|(_, (min, max))| max - min).fold(0.0, f64::max);
    let wanted = if size > 0.0 { 3.0 - libm::floor(libm::log10(size)) } else { 3.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "3 to 17")]
    let decimals = wanted.clamp(3.0, 17.0) as usize;
    let ends = min.iter().zip(max).enumerate().map(|(axis, (min, max))| {
        let ends = [*min, *max];
        if is_date(axis) { written(ends) } else { ends.map(|value| format!("{value:.decimals$}")) }
    });
    let (min, max): (Vec<String>, Vec<String>) = ends.map(|[min, max]| (min, max)).unzip();
    format!("from {} to {}", min.join(", "), max.join(", "))
}

/// Numbers with commas between.
fn place(numbers: &[f64], decimals: usize) -> String {
    numbers.iter().map(|value| format!("{value:.decimals$}")).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.file, self.format)?;
        for source in &self.sources {
            let kind = if source.format.kind() == FormatKind::Table { "rows" } else { "atoms" };
            writeln!(f, "  {}: {}, {} {kind}", source.file, source.format, source.records)?;
            if source.models > 1 {
                writeln!(f, "    frames      {}{}", source.models, spans(&source.times, source.time_unit))?;
            }
            let mut list = |name: &str, items: Vec<String>| match items.is_empty() {
                true => Ok(()),
                false => writeln!(f, "    {name:<11} {}", items.join(", ")),
            };
            list("columns", source.columns.iter().map(|name| source.column(name)).collect())?;
            if let Some([min, max]) = &source.bounds {
                list("positions", vec![corners(min, max, source.date_axes)])?;
            }
            if let Some(CellShape { lengths, angles }) = &source.cell {
                list("cell", vec![format!("edges {}, angles {}", place(lengths, 3), place(angles, 3))])?;
            }
            list("chains", source.chains.clone())?;
            list("elements", source.elements.iter().map(|(symbol, count)| format!("{symbol} {count}")).collect())?;
            let copies = |&(number, copies): &(u32, u64)| match copies {
                1 => format!("{number} (1 copy)"),
                _ => format!("{number} ({copies} copies)"),
            };
            list("colours", source.colors.iter().map(describe_colors).collect())?;
            let marked = |item: &Category| format!("{} {} ({})", item.name, item.color, item.count);
            list("highlights", source.highlights.iter().map(marked).collect())?;
            list("assemblies", source.assemblies.iter().map(copies).collect())?;
        }
        for (count, name) in [
            (self.circles, "circles"),
            (self.ellipses, "ellipses and outlines"),
            (self.segments, "segments"),
            (self.spheres, "spheres"),
            (self.cylinders, "cylinders"),
            (self.ellipsoids, "ellipsoids"),
            (self.cones, "cones"),
            (self.bonds, "bonds"),
        ] {
            match count {
                0 => {}
                1 if !name.contains(" and ") => writeln!(f, "  1 {}", name.trim_end_matches('s'))?,
                _ => writeln!(f, "  {count} {name}")?,
            }
        }
        if self.outside > 0 {
            writeln!(f, "  {} of them outside of the picture", self.outside)?;
        }
        if let Some(Bounds { min, max }) = &self.bounds {
            writeln!(f, "  {}", corners(min, max, [false; 3]))?;
        }
        writeln!(f, "  {} x {} pixels, {}", self.width, self.height, self.drawn)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "  note: {note}"))?;
        if !self.suggestions.is_empty() {
            writeln!(f, "  try")?;
        }
        self.suggestions.iter().try_for_each(|command| writeln!(f, "    {command}"))
    }
}
