//! Scene files: text, to a tree of values with their places, to the tables of the format, to a scene.

mod builder;
mod circles;
mod columns;
mod decode;
mod figure;
mod spheres;
mod text;
mod tree;
mod values;
mod write;

pub use write::scene_to_toml;

use serde::Deserialize;

use super::formats::Format;
use super::load::bare_data::Drawing;
use super::load::data_file::Depth;
use super::load::figure::{FigureFacts, FigureOverrides, LegendChoice, ScaleBarChoice};
use super::load::overrides::Overrides;
use super::load::picture;
use super::source::input::Input;
use crate::error::{Error, Result};
use crate::scene::Scene;
use builder::{Builder, line};
use figure::{Choice, LegendWord};
use text::{FigureText, SceneText};
use values::Number;

/// Reads the scene of a TOML or JSON file, and the files it names.
pub(super) fn read(input: Input, format: Format, overrides: &Overrides, depth: Depth) -> Result<Drawing> {
    let (folder, quota) = (input.folder(), input.quota);
    let (file, text) = input.scene_text()?;
    let scene = parse(&file, &text, format)?;
    let wanted = overrides.figure.over(&scene.figure.as_ref().map(wanted).unwrap_or_default());
    let facts = FigureFacts::default();
    let (sources, notes) = (Vec::new(), Vec::new());
    let mut builder = Builder { file, text, folder, overrides, depth, sources, quota, notes, wanted, facts };
    let scene = builder.scene(scene)?;
    let facts = FigureFacts { is_solid: matches!(scene, Scene::Spheres(_)), ..builder.facts };
    let figure = builder.wanted.figure(&builder.file, &facts)?;
    Ok(Drawing { scene, sources: builder.sources, notes: builder.notes, figure })
}

/// The tolerance that a scene file allows its golden: the largest difference of a channel, and the most pixels that may differ.
pub(super) fn tolerance(input: Input, format: Format) -> Result<Option<(u32, u64)>> {
    let (file, text) = input.scene_text()?;
    let Some(tolerance) = parse(&file, &text, format)?.tolerance else { return Ok(None) };
    if tolerance.reason.trim().is_empty() {
        return Err(Error::input(&file, None, "tolerance.reason must say why the picture may differ"));
    }
    Ok(Some((tolerance.difference.u32(), tolerance.pixels.0)))
}

/// The tables of a scene's text.
fn parse(file: &str, text: &str, format: Format) -> Result<SceneText> {
    let at = |offset, message| Error::input(file, line(text, offset), message);
    let tree = if format == Format::Json { tree::json(text) } else { tree::toml(text) };
    let tree = tree.map_err(|error| at(error.offset, error.message))?;
    SceneText::deserialize(&tree).map_err(|refusal| at(refusal.offset(), refusal.to_string()))
}

/// The marks that a scene asks for.
fn wanted(text: &FigureText) -> FigureOverrides {
    FigureOverrides {
        title: text.title.clone(),
        legend: text.legend.map(|choice| match choice {
            Choice::Off => LegendChoice::Off,
            Choice::On => LegendChoice::On,
            Choice::Is(LegendWord::Counts) => LegendChoice::Counts,
        }),
        scale_bar: text.scale_bar.map(|choice| match choice {
            Choice::Off => ScaleBarChoice::Off,
            Choice::On => ScaleBarChoice::Suited,
            Choice::Is(length) => ScaleBarChoice::Length(length.f64()),
        }),
        axes: text.axes,
        cell: text.cell,
        trim: text.trim.and_then(|choice| match choice {
            Choice::Off => None,
            Choice::On => Some(0),
            Choice::Is(margin) => Some(margin.u32()),
        }),
        dpi: text.dpi.map(Number::f32),
        scale: text.scale.map(Number::f32),
    }
}

impl Builder<'_> {
    fn scene(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        let file = self.file.clone();
        let given = [
            ("x", self.overrides.x.is_some()),
            ("y", self.overrides.y.is_some()),
            ("r", self.overrides.r.is_some()),
            ("color", self.overrides.color.is_some()),
            ("color_by", self.overrides.color_by.is_some()),
            ("palette", self.overrides.palette.is_some()),
            ("colormap", self.overrides.colormap.is_some()),
            ("color_range", self.overrides.color_range.is_some()),
            ("color_scale", self.overrides.color_scale.is_some()),
            ("radius", self.overrides.radius.is_some()),
            ("assembly", self.overrides.assembly.is_some()),
            ("frame", self.overrides.frame.is_some()),
            ("wrap", self.overrides.wrap.is_some()),
            ("replicate", self.overrides.replicate.is_some()),
            ("only", self.overrides.only.is_some()),
            ("hide", self.overrides.hide.is_some()),
            ("highlight", !self.overrides.highlight.is_empty()),
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
}
