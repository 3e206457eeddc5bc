//! Scene files: text becomes a tree of values with offsets, then the tables of the format, then a scene.

mod builder;
mod circles;
mod columns;
mod data;
mod decode;
mod figure;
mod names;
#[cfg(test)]
mod reference;
mod scene_value;
mod shapes;
mod sphere_table;
mod spheres;
mod tables;
mod text;
mod tree;
mod values;
mod write;

pub(crate) use data::scene_data;
pub use write::scene_to_toml;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value as Json;

use crate::dataset::data_file::Depth;
use crate::dataset::window::LeftOut;
use crate::error::{Error, Result};
use crate::formats::Format;
use crate::options::camera_keys::CameraKeys;
use crate::options::figure::{FigureFacts, FigureOptions, FileKey, LegendChoice, LegendOrder, ScaleBarChoice};
use crate::options::idle;
use crate::options::idle::{GivenKey, LIGHT, LIGHT_ANGLE};
use crate::options::load_options::LoadOptions;
use crate::options::paper::FontSize;
use crate::options::routes::Route;
use crate::pictures::bare_data::{Drawing, SceneKeys, SphereKind};
use crate::rows::column_plan::{CategoryNames, FoundColors};
use crate::scene::Scene;
use crate::scene::spheres::SphereScene;
use crate::source::input::Input;
use builder::{Builder, FrameTakers, SceneFigure, SphereFiles, line};
use decode::Refusal;
use figure::SwitchOr;
use names::{Name, SceneLook};
use text::SpheresText;
use text::{FigureText, SceneText};
use tree::{KeyValue, TreeNode, Value};
use values::Number;

/// Reads the scene of a TOML or JSON file, and the files it names.
pub(crate) fn read(input: Input, format: Format, options: &LoadOptions, depth: Depth) -> Result<Drawing> {
    let (folder, quota, files) = (input.folder(), input.quota, input.files.clone());
    let (file, text) = input.scene_text()?;
    let (tree, scene) = parse(&file, &text, format)?;
    let figure_options = options.figure.over(&scene.figure.as_ref().map(figure_options).unwrap_or_default());
    let mut scene_keys = (depth == Depth::Describe).then(|| scene_keys(&tree, &folder)).flatten();
    let given = given_keys(&tree, &|offset| format!("{file}:{}", line(&text, offset)));
    // many times as large as the text
    drop(tree);
    let look = scene.render.as_ref().and_then(|render| render.value.look);
    let mut builder = Builder {
        file,
        text,
        folder,
        files,
        options,
        depth,
        sources: Vec::new(),
        quota,
        notes: Vec::new(),
        figure: SceneFigure { options: figure_options, ..SceneFigure::default() },
        is_auto: options.auto_look || matches!(look, Some(Name(SceneLook::Auto))),
        spheres: SphereFiles {
            kind: SphereKind::Particles,
            fill_cell: false,
            stance: None,
            origin: None,
            shapes: crate::scene::spheres::Shapes::default(),
            found_colors: Vec::new(),
        },
        camera: None,
        frames: FrameTakers::default(),
        is_scaled: false,
    };
    let scene = builder.scene(scene)?;
    let mut facts =
        FigureFacts { is_solid: matches!(scene, Scene::Spheres(_)), ..std::mem::take(&mut builder.figure.facts) };
    if let Scene::Spheres(scene) = &scene {
        facts.keys.extend(builder.legend_keys(scene));
    }
    let mut figure = builder.figure.options.figure(&builder.file, &facts)?;
    figure.labels = std::mem::take(&mut builder.figure.labels);
    builder.notes.extend(idle::notes_of_keys(&scene, &figure, options, &given));
    if let Some(scene_keys) = &mut scene_keys {
        (scene_keys.figure, scene_keys.is_auto) = (builder.figure.options, builder.is_auto);
    }
    let is_chosen = options.frame.is_some() || options.smooth.is_some();
    let scene_keys =
        scene_keys.filter(|_| !(builder.is_scaled || is_chosen || builder.is_auto && options.look.is_some()));
    let Builder { sources, notes, camera, spheres: SphereFiles { found_colors: tables, .. }, .. } = builder;
    let categories = CategoryNames::default();
    let (suited_radius, data) = (None, None);
    Ok(Drawing { scene, sources, notes, figure, camera, categories, tables, suited_radius, scene_keys, data })
}

/// The shapes and lights of the text, without camera, shading and size; `None` if shapes of different tables alternate,
/// an order that JSON cannot express.
fn scene_keys(tree: &TreeNode, folder: &Path) -> Option<SceneKeys> {
    let Value::Table(entries) = &tree.value else { return None };
    let mut scene_keys = SceneKeys::default();
    let mut reach = 0;
    for entry in entries {
        match (entry.key.as_str(), data::json_value(&entry.node)) {
            ("camera" | "render" | "figure" | "tolerance" | "$schema", _) => {}
            ("canvas", Json::Object(canvas)) => scene_keys.canvas = canvas,
            (name, mut tables) => {
                if let (Value::Array(items), true) = (&entry.node.value, name != "light") {
                    let (first, last) = (items.first()?.offset, items.last()?.offset);
                    if first < reach {
                        return None;
                    }
                    reach = last;
                }
                for table in tables.as_array_mut().into_iter().flatten() {
                    for key in ["file", "topology"] {
                        if let Some(Json::String(file)) = table.get_mut(key) {
                            *file = folder.join(&*file).display().to_string();
                        }
                    }
                }
                scene_keys.tables.push((entry.key.clone(), tables));
            }
        }
    }
    Some(scene_keys)
}

/// The parts of a scene that change during a film.
#[derive(Debug, Default)]
pub(crate) struct SceneFilm {
    pub(crate) keys: CameraKeys,
    /// Files of spheres that leave their frame to the caller, with their formats.
    pub(crate) trajectories: Vec<(PathBuf, Option<Format>)>,
}

/// Reads the parts of a scene that change during a film.
pub(crate) fn film(input: Input, format: Format) -> Result<SceneFilm> {
    let folder = input.folder();
    let is_on_disk = input.files.is_disk();
    let (file, content) = input.scene_text()?;
    let scene = parse(&file, &content, format)?.1;
    let trajectory = |(index, text): (usize, &SpheresText)| -> Result<_> {
        let named = text.format.as_ref().filter(|named| named.raw.is_none());
        let path = folder.join(&text.file.value);
        let refuse = |message: String| {
            Err(Error::input(&file, line(&content, text.file.offset), format!("spheres[{index}].file{message}")))
        };
        match std::fs::metadata(&path) {
            // reading says which files there are
            _ if !is_on_disk => {}
            Err(source) => return refuse(format!(": {}", Error::Io { action: "read", path, source })),
            Ok(found) if !found.is_file() => {
                let found = text.file.value.display();
                return refuse(format!(" must be a regular file, as a film reads it more than once; got {found}"));
            }
            Ok(_) => {}
        }
        Ok((path, named.map(|named| named.format)))
    };
    let entries = (0..).zip(scene.spheres.iter().map(|text| &text.value));
    let trajectories = entries.filter(|(_, text)| text.frame.is_none()).map(trajectory).collect::<Result<_>>()?;
    let keys = scene.camera.as_ref().map(|camera| spheres::camera_keys(&camera.value)).unwrap_or_default();
    Ok(SceneFilm { keys, trajectories })
}

/// The keys of the file that options could set, too, and lights and their angles.
fn given_keys(tree: &TreeNode, place: &dyn Fn(usize) -> String) -> Vec<GivenKey> {
    let Value::Table(tables) = &tree.value else { return Vec::new() };
    let key = |name: &str, offset: usize, path: String| GivenKey {
        name: name.to_owned(),
        place: format!("{}: {path}", place(offset)),
    };
    let mut given = Vec::new();
    for table in tables {
        match (table.key.as_str(), &table.node.value) {
            (name @ ("render" | "camera" | "figure"), Value::Table(entries)) => {
                let path = |entry: &KeyValue| format!("{name}.{}", entry.key);
                given.extend(entries.iter().map(|entry| key(&entry.key, entry.offset, path(entry))));
            }
            ("light", Value::Array(lights)) => {
                for (index, light) in lights.iter().enumerate() {
                    let Value::Table(entries) = &light.value else { continue };
                    given.push(key(LIGHT, light.offset, format!("light[{index}]")));
                    let angle = entries.iter().find(|entry| entry.key == "angle");
                    given.extend(angle.map(|entry| key(LIGHT_ANGLE, entry.offset, format!("light[{index}].angle"))));
                }
            }
            _ => {}
        }
    }
    given
}

/// The tolerance that a scene file allows its golden: the largest difference of a channel, and the most pixels that may
/// differ.
pub(crate) fn tolerance(input: Input, format: Format) -> Result<Option<(u32, u64)>> {
    let (file, text) = input.scene_text()?;
    let Some(tolerance) = parse(&file, &text, format)?.1.tolerance else { return Ok(None) };
    if tolerance.reason.trim().is_empty() {
        return Err(Error::input(&file, None, "tolerance.reason must say why the picture may differ"));
    }
    Ok(Some((tolerance.difference.u32(), tolerance.pixels.0)))
}

/// Unknown keys of a scene that one message names, at most.
const UNKNOWN_KEYS: usize = 5;

/// The tables of a scene's text, and the tree that they were read from.
fn parse(file: &str, text: &str, format: Format) -> Result<(TreeNode, SceneText)> {
    let at = |offset, message| Error::input(file, line(text, offset), message);
    let tree = if format == Format::Json { tree::json(text) } else { tree::toml(text) };
    let tree = tree.map_err(|error| at(error.offset, error.message))?;
    match SceneText::deserialize(&tree) {
        Ok(scene) => Ok((tree, scene)),
        Err(refusal) => {
            let (offset, message) = (refusal.offset(), refusal.to_string());
            let others = other_unknown_keys(tree, refusal, &|offset| line(text, offset));
            Err(at(offset, message + &others))
        }
    }
}

/// The end of a message about an unknown key: the unknown keys after it, found by reading each as its likely meaning.
fn other_unknown_keys(mut tree: TreeNode, first: Refusal, line: &dyn Fn(usize) -> u64) -> String {
    let mut others = String::new();
    let mut last = first;
    for _ in 1..UNKNOWN_KEYS {
        let Some(unknown) = last.unknown() else { break };
        tree.rename_key(last.offset(), unknown.meant.as_deref());
        let Err(next) = SceneText::deserialize(&tree) else { break };
        let place = next.offset();
        // the value of a renamed key may be wrong
        let Some(message) = next.brief() else { break };
        others += &format!("; line {}: {message}", line(place));
        last = next;
    }
    others
}

fn figure_options(text: &FigureText) -> FigureOptions {
    FigureOptions {
        title: text.title.clone(),
        stamp: text.stamp.map(|stamp| stamp.0),
        legend: text.legend.map(|choice| match choice {
            SwitchOr::Off => LegendChoice::Off,
            SwitchOr::On => LegendChoice::ON,
            SwitchOr::Is(Name(choice)) => choice,
        }),
        legend_title: text.legend_title.clone(),
        legend_unit: text.legend_unit.clone(),
        legend_order: text.legend_order.map(LegendOrder::from),
        legend_name: text.legend_name.iter().map(|text| (text.entry.clone(), text.name.clone())).collect(),
        scale_bar: text.scale_bar.map(|choice| match choice {
            SwitchOr::Off => ScaleBarChoice::Off,
            SwitchOr::On => ScaleBarChoice::Suited,
            SwitchOr::Is(length) => ScaleBarChoice::Length(length.f64()),
        }),
        axes: text.axes,
        x_label: text.x_label.clone(),
        y_label: text.y_label.clone(),
        cell: text.cell,
        trim: text.trim.and_then(|choice| match choice {
            SwitchOr::Off => None,
            SwitchOr::On => Some(0),
            SwitchOr::Is(margin) => Some(margin.u32()),
        }),
        dpi: text.dpi.map(Number::f32),
        scale: text.scale.map(Number::f32),
        font_size: text.font_size.map(|points| FontSize { points: points.f32() }),
        ink: text.ink.map(|ink| ink.0),
        ..FigureOptions::default()
    }
}

impl Builder<'_> {
    /// The keys of all legends; sorts the categories of each table as the legend does.
    fn legend_keys(&mut self, scene: &SphereScene<'_>) -> Vec<FileKey> {
        let (counting, mut all) = (self.figure.options.counting(), Vec::new());
        for (index, legend) in self.figure.legends.iter().enumerate() {
            let keys = legend.keys(scene, counting, &LeftOut::default());
            if let Some(FoundColors { categories, .. }) = self.spheres.found_colors.get_mut(index) {
                *categories = CategoryNames::of_picture(std::mem::take(&mut categories.order), &keys);
            }
            all.extend(keys);
        }
        all
    }

    fn scene(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        let file = self.file.clone();
        Route::Scene(&file).check(self.options)?;
        match (scene.first_flat(), scene.first_solid()) {
            (Some(flat), Some(solid)) => Err(self.refuse(
                flat.max(solid),
                "a scene has either a canvas with circle, segment, points and segments or a camera with light, sphere, spheres and other shapes in space, not both",
            )),
            (None, None) if !scene.generate.is_empty() => self.spheres(scene),
            (None, None) => Err(Error::input(
                &self.file,
                None,
                "the scene is empty: it must have a canvas, circle, points, segment or segments, or a camera, sphere, spheres, cylinder, ellipsoid, arrow, or a table of such",
            )),
            (Some(_), None) => self.circles(scene),
            (None, Some(_)) => self.spheres(scene),
        }
    }
}
