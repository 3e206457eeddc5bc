//! Scene files: text, to a tree of values with their places, to the tables of the format, to a scene.

mod decode;
mod text;
mod tree;
mod values;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use glam::Vec3;
use serde::Deserialize;

use super::atoms::{self, ColorBy, RadiusBy, Wanted};
use super::bare;
use super::describe::Source;
use super::ledger::Ledger;
use super::overrides::Overrides;
use super::picture::{self, CameraWish};
use super::points::{self, ColorFrom, RadiusFrom, Rows, Scale, Window};
use super::source::{Format, Input};
use super::table::Table;
use super::{Depth, Tolerance};
use crate::color::Srgba8;
use crate::color::maps::ColorMap;
use crate::error::{Error, Result};
use crate::scene::{
    Background, Blend, Canvas, CircleScene, Layer, Light, PaintedCircle, PaintedEllipse, PaintedSphere, Pattern, Pose,
    Quality, Scene, SphereGroup, SphereScene, Style, View, generate_circles, generate_spheres,
};
use decode::Located;
use text::{
    BlendText, CanvasText, CircleText, ColorColumn, GenerateText, LightText, PointsText, RenderText, ScaleText,
    SceneText, SphereText, SpheresText,
};
use values::{BackgroundText, ColorByText, Numbers, PointColor, PointRadius, RadiusByText};

/// Spheres, circles and points that say no colour.
const COLOR: Srgba8 = Srgba8::from_rgb(0x44_77_aa);

/// Points that say no radius, pixels.
const POINT_RADIUS: f32 = 1.5;

/// Reads the scene of a TOML or JSON file, and the files it names.
pub(super) fn read(
    input: Input,
    format: Format,
    overrides: &Overrides,
    depth: Depth,
) -> Result<(Scene<'static>, Vec<Source>)> {
    let (folder, ledger) = (input.folder(), input.ledger);
    let (file, text) = input.text()?;
    let scene = parse(&file, &text, format)?;
    let mut builder = Builder { file, text, folder, overrides, depth, sources: Vec::new(), ledger };
    let scene = builder.scene(scene)?;
    Ok((scene, builder.sources))
}

/// What a scene file says of golden comparisons.
pub(super) fn tolerance(input: Input, format: Format) -> Result<Option<Tolerance>> {
    let (file, text) = input.text()?;
    let Some(tolerance) = parse(&file, &text, format)?.tolerance else { return Ok(None) };
    if tolerance.reason.trim().is_empty() {
        return Err(Error::input(&file, None, "tolerance.reason must say why the picture may differ"));
    }
    Ok(Some(Tolerance { difference: tolerance.difference.u32(), pixels: tolerance.pixels.0 }))
}

/// The tables of a scene's text.
fn parse(file: &str, text: &str, format: Format) -> Result<SceneText> {
    let at = |offset, message| Error::input(file, line(text, offset), message);
    let tree = if format == Format::Json { tree::json(text) } else { tree::toml(text) };
    let tree = tree.map_err(|error| at(error.offset, error.message))?;
    SceneText::deserialize(&tree).map_err(|refusal| at(refusal.offset(), refusal.to_string()))
}

/// The line, from 1, on which a byte of the text stands.
fn line(text: &str, offset: usize) -> u64 {
    text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count() as u64 + 1
}

/// A scene in the making, and what its errors need to know.
struct Builder<'a> {
    file: String,
    text: String,
    folder: PathBuf,
    overrides: &'a Overrides,
    depth: Depth,
    sources: Vec<Source>,
    ledger: Ledger,
}

/// A circle or a table of them, in the order of the file.
enum Item<'a> {
    Circle(&'a CircleText),
    Points(usize, &'a PointsText),
    Generated(&'a GenerateText),
}

impl Builder<'_> {
    /// What is said of a place of the scene file, with its line.
    fn at(&self, offset: usize, subject: &str) -> String {
        format!("{}:{}: {subject}", self.file, line(&self.text, offset))
    }

    /// Notes spheres that are read.
    fn hold(&mut self, groups: &[SphereGroup<'_>]) {
        for group in groups {
            let (spheres, poses) = (group.spheres.len() as u64, group.poses.len() as u64);
            let memory = spheres * size_of::<PaintedSphere>() as u64 + poses * size_of::<Pose>() as u64;
            self.ledger.hold(spheres.saturating_mul(poses), memory);
        }
    }

    /// Notes shapes that the scene file has itself, the last of them at `offset`.
    fn single_shapes(&mut self, count: usize, offset: Option<usize>) -> Result<()> {
        /// More than any shape is.
        const EACH: u64 = 64;
        let count = count as u64;
        self.ledger.check(count, EACH, || self.at(offset.unwrap_or(0), &format!("{count} shapes up to here")))?;
        self.ledger.hold(count, count * EACH);
        Ok(())
    }

    /// Notes circles that are there.
    fn hold_circles(&mut self, count: usize) {
        self.ledger.hold(count as u64, count as u64 * size_of::<PaintedCircle>() as u64);
    }

    /// What to make, how many and from which seed, if the budget has room for it.
    fn recipe(&self, offset: usize, text: &GenerateText, each: usize) -> Result<(Pattern, usize, u64)> {
        let count = text.count.0;
        self.ledger.check(count, each as u64, || self.at(offset, &format!("generate.count is {count}")))?;
        let shapes = usize::try_from(count).expect("32 bits fit an address space");
        Ok((text.kind.0, shapes, text.seed.map_or(1, |seed| seed.0)))
    }

    /// An error at a place of the scene file.
    fn refuse(&self, offset: usize, message: impl Into<String>) -> Error {
        Error::input(&self.file, line(&self.text, offset), message)
    }

    fn scene(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        let file = self.file.clone();
        let given = [
            ("x", self.overrides.x.is_some()),
            ("y", self.overrides.y.is_some()),
            ("r", self.overrides.r.is_some()),
            ("color", self.overrides.color.is_some()),
            ("color_by", self.overrides.color_by.is_some()),
            ("radius", self.overrides.radius.is_some()),
            ("assembly", self.overrides.assembly.is_some()),
            ("frame", self.overrides.frame.is_some()),
        ];
        picture::refuse(&given, || format!("is for bare data; the scene {file} says it itself"))?;
        let first = |offsets: [Option<usize>; 4]| offsets.into_iter().flatten().min();
        let flat = first([
            scene.canvas.as_ref().map(|canvas| canvas.offset),
            scene.circle.first().map(|circle| circle.offset),
            scene.points.first().map(|points| points.offset),
            None,
        ]);
        let solid = first([
            scene.camera.as_ref().map(|camera| camera.offset),
            scene.light.first().map(|light| light.offset),
            scene.sphere.first().map(|sphere| sphere.offset),
            scene.spheres.first().map(|spheres| spheres.offset),
        ]);
        match (flat, solid) {
            (Some(flat), Some(solid)) => Err(self.refuse(
                flat.max(solid),
                "a scene has either a canvas with circle and points or a camera with light, sphere and spheres, not both",
            )),
            (None, None) if !scene.generate.is_empty() => self.spheres(scene),
            (None, None) => Err(Error::input(
                &self.file,
                None,
                "the scene is empty: it must have a canvas, circle or points, or a camera, sphere or spheres",
            )),
            (Some(_), None) => self.circles(scene),
            (None, Some(_)) => self.spheres(scene),
        }
    }

    // Circles

    fn circles(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        if let Some(render) = &scene.render {
            return Err(self.refuse(render.offset, "render is for scenes of spheres; this one has circles"));
        }
        picture::refuse_for_circles(&self.file, self.overrides)?;
        let (place, canvas) = scene.canvas.map_or_else(Default::default, |canvas| (canvas.offset, canvas.value));
        let size =
            self.size("canvas", place, canvas.width.map(values::Whole::u32), canvas.height.map(values::Whole::u32))?;
        let window = window(&canvas, size);
        let circles = scene.circle.iter().map(|circle| (circle.offset, Item::Circle(&circle.value)));
        let points = scene.points.iter().enumerate();
        let points = points.map(|(index, points)| (points.offset, Item::Points(index, &points.value)));
        let generated = scene.generate.iter().map(|text| (text.offset, Item::Generated(&text.value)));
        let mut items: Vec<_> = circles.chain(points).chain(generated).collect();
        items.sort_by_key(|(offset, _)| *offset);
        let shapes = |circle: &Located<CircleText>| {
            usize::from(circle.value.fill.is_some()) + usize::from(circle.value.stroke.is_some())
        };
        let single = scene.circle.iter().map(shapes).sum();
        self.single_shapes(single, scene.circle.last().map(|circle| circle.offset))?;
        let mut layers = Vec::new();
        let mut circle_index = 0;
        for (offset, item) in items {
            match item {
                Item::Circle(circle) => {
                    self.circle(offset, circle_index, circle, &window, &mut layers)?;
                    circle_index += 1;
                }
                Item::Points(index, points) => {
                    let rows = self.points(index, points)?;
                    let circles = rows.circles(&window);
                    self.hold_circles(circles.len());
                    layers.push(Layer::Circles(Cow::Owned(circles)));
                }
                Item::Generated(text) => {
                    let (kind, count, seed) = self.recipe(offset, text, size_of::<PaintedCircle>())?;
                    self.hold_circles(count);
                    let mut circles = generate_circles(kind, count, seed);
                    for PaintedCircle { center, radius, .. } in &mut circles {
                        *center = window.place(center.map(f64::from));
                        *radius = window.length(f64::from(*radius));
                    }
                    layers.push(Layer::Circles(Cow::Owned(circles)));
                }
            }
        }
        let background = self.overrides.background.or(canvas.background.map(|color| color.0)).unwrap_or(Srgba8::WHITE);
        let blend = match canvas.blend {
            BlendText::Srgb => Blend::Srgb,
            BlendText::Linear => Blend::Linear,
        };
        let canvas = Canvas { width: size.0, height: size.1, background, blend };
        Ok(Scene::Circles(CircleScene { canvas, layers }))
    }

    /// The picture's size: the scene's where nothing overrides it, the default where the scene is silent.
    fn size(&self, table: &str, offset: usize, width: Option<u32>, height: Option<u32>) -> Result<(u32, u32)> {
        let size = (width.unwrap_or(picture::SIZE.0), height.unwrap_or(picture::SIZE.1));
        let own = self.overrides.width.is_none() && self.overrides.height.is_none();
        picture::size(self.overrides, size).map_err(|error| match error {
            Error::Setting { name, message } if own => self.refuse(offset, format!("{table}.{name} {message}")),
            Error::Budget { subject, resource, limit } if own => {
                Error::Budget { subject: self.at(offset, &subject), resource, limit }
            }
            other => other,
        })
    }

    /// Adds a circle's inside, then its outline.
    fn circle(
        &self,
        offset: usize,
        index: usize,
        circle: &CircleText,
        window: &Window,
        layers: &mut Vec<Layer<'static>>,
    ) -> Result<()> {
        let refuse = |rule: &str| Err(self.refuse(offset, format!("circle[{index}] {rule}")));
        let radii = match (circle.radius, circle.radii) {
            (Some(radius), None) => [radius.f64(); 2],
            (None, Some(radii)) => radii.f64(),
            (Some(_), Some(_)) => return refuse("must have radius or radii, not both"),
            (None, None) => return refuse("must have the key \"radius\" or \"radii\""),
        };
        if circle.fill.is_none() && circle.stroke.is_none() {
            return refuse("must have the key \"fill\" or \"stroke\", or both");
        }
        let center = window.place(circle.center.f64());
        let radii = radii.map(|radius| window.length(radius));
        if let Some(fill) = circle.fill {
            if circle.radius.is_some() {
                push_circle(layers, PaintedCircle { center, radius: radii[0], color: fill.0 });
            } else {
                push_ellipse(layers, PaintedEllipse { center, radii, style: Style::Fill, color: fill.0 });
            }
        }
        if let Some(stroke) = &circle.stroke {
            let style = Style::Stroke { width: window.length(stroke.width.f64()) };
            push_ellipse(layers, PaintedEllipse { center, radii, style, color: stroke.color.0 });
        }
        Ok(())
    }

    /// Reads a table's rows.
    fn points(&mut self, index: usize, points: &PointsText) -> Result<Rows<2>> {
        let input = self.open(&points.file.value)?;
        let format = input.format()?;
        if format != Format::Csv {
            let rule = format!("points[{index}].file must be a table (.csv or .tsv), got a file of {format}");
            return Err(self.refuse(points.file.offset, rule));
        }
        let table = Table::open(input)?;
        let find = |key: &str, offset: usize, name: &str| {
            table.find(name).map_err(|rule| self.refuse(offset, format!("points[{index}].{key} {rule}")))
        };
        let axes = match (&points.x, &points.y) {
            (Some(x), Some(y)) => [find("x", x.offset, &x.value)?, find("y", y.offset, &y.value)?],
            (None, None) => points::usual_axes(&table)?,
            (Some(x), None) => {
                return Err(self.refuse(x.offset, format!("points[{index}] must have y too when it has x")));
            }
            (None, Some(y)) => {
                return Err(self.refuse(y.offset, format!("points[{index}] must have x too when it has y")));
            }
        };
        let radius = match &points.radius {
            None => RadiusFrom::Constant(POINT_RADIUS),
            Some(Located { value: PointRadius::Constant(radius), .. }) => RadiusFrom::Constant(*radius),
            Some(Located { offset, value: PointRadius::Column(radius) }) => {
                find("radius.column", *offset, &radius.column)?;
                let column = radius.column.clone();
                match (radius.range, radius.scale) {
                    (None, None) => RadiusFrom::Column(column),
                    (None, Some(_)) => {
                        let rule = format!("points[{index}].radius must have a range when it has a scale");
                        return Err(self.refuse(*offset, rule));
                    }
                    (Some(range), scale) => {
                        let scale = match scale {
                            None | Some(ScaleText::Linear) => Scale::Linear,
                            Some(ScaleText::Sqrt) => Scale::Sqrt,
                            Some(ScaleText::Log) => Scale::Log,
                        };
                        RadiusFrom::Scaled { column, range: range.f32(), scale }
                    }
                }
            }
        };
        let color = match &points.color {
            None => ColorFrom::Constant(COLOR),
            Some(Located { value: PointColor::Constant(color), .. }) => ColorFrom::Constant(*color),
            Some(Located { offset, value: PointColor::Column(color) }) => {
                find("color.column", *offset, &color.column)?;
                ColorFrom::Column {
                    column: color.column.clone(),
                    map: color.map.map(|map| map.0),
                    range: self.range(color, &format!("points[{index}].color"))?,
                    alpha: opacity(color),
                }
            }
        };
        let mut source = Source::new(table.file.clone(), Format::Csv, 0);
        source.columns.clone_from(&table.columns);
        let rows: Rows<2> = points::read(table, axes, &radius, &color)?;
        source.records = rows.centers.len() as u64;
        self.sources.push(source);
        Ok(rows)
    }

    /// The numbers at a map's ends, in order.
    fn range(&self, color: &ColorColumn, path: &str) -> Result<Option<[f64; 2]>> {
        let Some(Located { offset, value }) = &color.range else { return Ok(None) };
        let [least, most] = value.f64();
        if least < most {
            return Ok(Some([least, most]));
        }
        let rule = format!("{path}.range must be two numbers, the lesser first, got [{least}, {most}]");
        Err(self.refuse(*offset, rule))
    }

    /// Opens a file named in the scene.
    fn open(&self, path: &Path) -> Result<Input> {
        Input::file(&self.folder.join(path), self.ledger)
    }

    // Spheres

    fn spheres(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        let (place, camera) = scene.camera.map_or_else(Default::default, |camera| (camera.offset, camera.value));
        let size =
            self.size("camera", place, camera.width.map(values::Whole::u32), camera.height.map(values::Whole::u32))?;
        if let (Some(fov), Some(_)) = (&camera.fov, camera.ortho_height) {
            return Err(self.refuse(fov.offset, "camera must have fov or ortho_height, not both"));
        }
        let quality =
            picture::quality(self.overrides, scene.render.map_or_else(Quality::default, |text| quality(&text.value)))?;
        self.single_shapes(scene.sphere.len(), scene.sphere.last().map(|sphere| sphere.offset))?;
        let mut groups = self.groups(&scene.sphere, &scene.spheres)?;
        for text in &scene.generate {
            let (kind, count, seed) = self.recipe(text.offset, &text.value, size_of::<PaintedSphere>())?;
            let made = atoms::plain(generate_spheres(kind, count, seed));
            self.hold(std::slice::from_ref(&made));
            groups.push(made);
        }
        let vector = |numbers: Option<Numbers<3>>| numbers.map(|numbers| Vec3::from(numbers.f32()));
        let wish = CameraWish {
            eye: vector(camera.eye),
            target: vector(camera.target),
            up: camera.up.map(|up| up.0),
            fov: camera.fov.map(|fov| fov.value.f32()),
            ortho: camera.ortho_height.is_some(),
            ortho_height: camera.ortho_height.map(values::Number::f32),
            toward_eye: None,
        };
        let camera_of = wish.overridden(self.overrides)?.camera(&groups, size);
        let background = match (self.overrides.background, camera.background) {
            (Some(color), _) | (None, Some(BackgroundText::Solid(color))) => Background::Solid(color),
            (None, Some(BackgroundText::Gradient { bottom, top })) => Background::Gradient { bottom, top },
            (None, None) => Background::Solid(Srgba8::WHITE),
        };
        let camera = camera_of.map_err(|rule| self.refuse(place, format!("camera: {rule}")))?;
        let view = View { width: size.0, height: size.1, background, camera };
        let lights = scene.light.into_iter().map(|text| light(&text.value)).collect();
        Ok(Scene::Spheres(SphereScene { view, groups, lights, quality }))
    }

    /// Single spheres and files of them, in the order of the scene file.
    fn groups(
        &mut self,
        single: &[Located<SphereText>],
        files: &[Located<SpheresText>],
    ) -> Result<Vec<SphereGroup<'static>>> {
        let mut groups = Vec::new();
        let mut single = single.iter().peekable();
        let mut single_before = |offset: usize| {
            let mut run = Vec::new();
            while let Some(text) = single.next_if(|text| text.offset < offset) {
                run.push(sphere(&text.value));
            }
            (!run.is_empty()).then(|| atoms::plain(run))
        };
        let mut files: Vec<_> = files.iter().enumerate().collect();
        files.sort_by_key(|(_, text)| text.offset);
        for (index, text) in files {
            groups.extend(single_before(text.offset));
            groups.extend(self.file_of_spheres(index, &text.value)?);
        }
        groups.extend(single_before(usize::MAX));
        Ok(groups)
    }

    /// Atoms or particles.
    fn file_of_spheres(&mut self, index: usize, text: &SpheresText) -> Result<Vec<SphereGroup<'static>>> {
        let input = self.open(&text.file.value)?;
        let constant = text.color.map_or(COLOR, |color| color.0);
        match input.format()? {
            Format::Csv => self.particles(index, text, input, constant),
            Format::Xyz | Format::Pdb => self.atoms(index, text, input, constant),
            other @ (Format::Toml | Format::Json) => {
                let rule =
                    format!("spheres[{index}].file must be atoms (.xyz or .pdb) or a table (.csv), got a {other}");
                Err(self.refuse(text.file.offset, rule))
            }
        }
    }

    fn atoms(
        &mut self,
        index: usize,
        text: &SpheresText,
        input: Input,
        constant: Srgba8,
    ) -> Result<Vec<SphereGroup<'static>>> {
        let color = match &text.color_by {
            // a colour alone is wanted everywhere
            None if text.color.is_some() => ColorBy::Constant(constant),
            None => ColorBy::Element,
            Some(Located { value: ColorByText::Name(name), .. }) => atoms::color_by(name, ColorMap::VIRIDIS, constant),
            Some(Located { value: ColorByText::Column(color), .. }) => {
                let map = color.map.map_or(ColorMap::VIRIDIS, |map| map.0);
                let range = self.range(color, &format!("spheres[{index}].color_by"))?;
                match color.column.as_str() {
                    "index" => ColorBy::Index(map),
                    name => ColorBy::Column { name: name.to_owned(), map, range },
                }
            }
        };
        let radius = match &text.radius {
            None => RadiusBy::Vdw,
            Some(Located { value: RadiusByText::Constant(radius), .. }) => RadiusBy::Constant(*radius),
            Some(Located { value: RadiusByText::Name(name), .. }) if name == "vdw" => RadiusBy::Vdw,
            Some(Located { value: RadiusByText::Name(name), .. }) => RadiusBy::Column(name.clone()),
        };
        let count_models = self.depth == Depth::Describe;
        let wanted = Wanted { color: color.column(), radius: radius.column(), count_models, frame: 0, note: None };
        let atoms = bare::read_atoms(input, &wanted)?;
        let spheres = atoms::spheres(&atoms, &color, &radius)?;
        let groups = match &text.assembly {
            None => vec![atoms::plain(spheres)],
            Some(Located { offset, value }) => {
                let refuse = |rule| self.refuse(*offset, format!("spheres[{index}].assembly {rule}"));
                let assembly = atoms::assembly(&atoms, value.u32()).map_err(refuse)?;
                let subject = || self.at(*offset, &format!("assembly {} of {}", value.u32(), atoms.file));
                atoms::check_copies(&atoms, assembly, &self.ledger, subject)?;
                atoms::groups(&atoms, &spheres, assembly)
            }
        };
        self.hold(&groups);
        self.sources.push(atoms::describe(&atoms));
        Ok(groups)
    }

    fn particles(
        &mut self,
        index: usize,
        text: &SpheresText,
        input: Input,
        constant: Srgba8,
    ) -> Result<Vec<SphereGroup<'static>>> {
        if let Some(assembly) = &text.assembly {
            let rule = format!("spheres[{index}].assembly is for molecules; {} is a table", text.file.value.display());
            return Err(self.refuse(assembly.offset, rule));
        }
        let table = Table::open(input)?;
        let find = |key: &str, offset: usize, name: &str| {
            table.find(name).map_err(|rule| self.refuse(offset, format!("spheres[{index}].{key} {rule}")))
        };
        let axis = |name| find("file", text.file.offset, name);
        let axes = [axis("x")?, axis("y")?, axis("z")?];
        let column = |color: ColorColumn, range| ColorFrom::Column {
            alpha: opacity(&color),
            map: color.map.map(|map| map.0),
            column: color.column,
            range,
        };
        let color = match &text.color_by {
            None => match table.column("color").filter(|_| text.color.is_none()) {
                Some(column) => points::color_column(&table, column),
                None => ColorFrom::Constant(constant),
            },
            Some(Located { value: ColorByText::Name(name), .. }) if name == "constant" => ColorFrom::Constant(constant),
            Some(Located { offset, value: ColorByText::Name(name) }) => {
                let column = find("color_by", *offset, name)?;
                points::color_column(&table, column)
            }
            Some(Located { offset, value: ColorByText::Column(color) }) => {
                find("color_by.column", *offset, &color.column)?;
                column(color.clone(), self.range(color, &format!("spheres[{index}].color_by"))?)
            }
        };
        let radius = match &text.radius {
            None => table
                .column("radius")
                .or_else(|| table.column("r"))
                .map(|column| RadiusFrom::DataUnits(table.columns[column].clone())),
            Some(Located { value: RadiusByText::Constant(radius), .. }) => Some(RadiusFrom::Constant(*radius)),
            Some(Located { offset, value: RadiusByText::Name(name) }) => {
                find("radius", *offset, name)?;
                Some(RadiusFrom::DataUnits(name.clone()))
            }
        };
        let mut source = Source::new(table.file.clone(), Format::Csv, 0);
        source.columns.clone_from(&table.columns);
        let rows: Rows<3> = points::read(table, axes, radius.as_ref().unwrap_or(&RadiusFrom::Constant(0.0)), &color)?;
        source.records = rows.centers.len() as u64;
        self.sources.push(source);
        let spacing = radius.is_none().then(|| rows.spacing());
        let groups = vec![atoms::plain(rows.with(spacing, 255).spheres())];
        self.hold(&groups);
        Ok(groups)
    }
}

/// The canvas's window on the plane; pixels where it has none.
fn window(canvas: &CanvasText, (width, height): (u32, u32)) -> Window {
    let middle = [0.5 * f64::from(width), 0.5 * f64::from(height)];
    let (center, scale, flipped) = match &canvas.view {
        Some(view) => (view.center.f64(), f64::from(height) / view.height.f64(), view.flip_y),
        None => (middle, 1.0, false),
    };
    let y_sign = if flipped || canvas.flip_y { -1.0 } else { 1.0 };
    Window { center, scale, y_sign, middle }
}

fn push_circle(layers: &mut Vec<Layer<'static>>, circle: PaintedCircle) {
    match layers.last_mut() {
        Some(Layer::Circles(circles)) => circles.to_mut().push(circle),
        _ => layers.push(Layer::Circles(Cow::Owned(vec![circle]))),
    }
}

fn push_ellipse(layers: &mut Vec<Layer<'static>>, ellipse: PaintedEllipse) {
    match layers.last_mut() {
        Some(Layer::Ellipses(ellipses)) => ellipses.to_mut().push(ellipse),
        _ => layers.push(Layer::Ellipses(Cow::Owned(vec![ellipse]))),
    }
}

/// 8 bits of opacity, rounded half up.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255 by the format's rule")]
fn opacity(color: &ColorColumn) -> u8 {
    color.alpha.map_or(255, |alpha| (alpha.f64() * 255.0 + 0.5) as u8)
}

/// What `[render]` says, and the defaults for what it does not.
fn quality(text: &RenderText) -> Quality {
    let silent = Quality::default();
    Quality {
        samples: text.samples.map_or(silent.samples, values::Whole::u32),
        ao_rays: text.ao.map_or(silent.ao_rays, values::Whole::u32),
        ao_distance: text.ao_distance.map_or(silent.ao_distance, values::Number::f32),
        shadows: text.shadows.unwrap_or(silent.shadows),
        ambient: text.ambient.map_or(silent.ambient, values::Number::f32),
        seed: text.seed.map_or(silent.seed, |seed| seed.0),
    }
}

fn light(text: &LightText) -> Light {
    Light {
        direction: text.direction.0,
        color: text.color.map_or(Srgba8::WHITE, |color| color.0),
        intensity: text.intensity.map_or(1.0, values::Number::f32),
    }
}

fn sphere(text: &SphereText) -> PaintedSphere {
    PaintedSphere {
        center: text.center.f32(),
        radius: text.radius.f32(),
        color: text.color.map_or(COLOR, |color| color.0),
    }
}
