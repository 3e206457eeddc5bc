//! SVG pictures as scenes of circles.

use serde_json::{Value, json};

use super::bare_data::{Drawing, SceneKeys};
use super::column_plan::CategoryNames;
use super::data_file::Depth;
use super::figure::FigureFacts;
use super::options::LoadOptions;
use super::picture_settings;
use super::routes::Route;
use super::scene_table::{SceneTable, short, shorts};
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::io::formats::svg::{self, Refused, SvgPicture, SvgSize};
use crate::io::memory_quota::SCENE_TEXT;
use crate::io::source::input::Input;
use crate::scene::Scene;
use crate::scene::circles::{Blend, Canvas, CircleScene, Layer, Style, ViewBox};

/// Upper bound of the bytes of an element while a picture is read.
const EACH: u64 = 2048;

/// Upper bound of the bytes for each byte of an attribute: the segments of paths are copied for each use.
const EACH_BYTE: u64 = 16;

/// Reads a picture as circles and ellipses on a canvas of its size.
pub(in crate::io) fn read(input: Input, options: &LoadOptions, depth: Depth) -> Result<Drawing> {
    let quota = input.quota;
    let (file, text) = input.scene_text()?;
    Route::Svg(&file).check(options)?;
    Route::Circles(&file).check(options)?;
    let expanded = svg::expanded_bytes(&text);
    let subject = || format!("{file}: a picture of {expanded} bytes once its entities are replaced");
    quota.check_memory(expanded.saturating_mul(SCENE_TEXT), subject)?;
    let check = |SvgSize { elements, bytes }: SvgSize| {
        let subject = |what: String| format!("{file}: a picture of {what}, those used several times counted as often");
        quota.check(elements, EACH, || subject(format!("{elements} elements")))?;
        quota.check_memory(bytes.saturating_mul(EACH_BYTE), || subject(format!("{bytes} bytes of attributes")))
    };
    let SvgPicture { size, background, layers, notes } = svg::read(&text, check).map_err(|refused| match refused {
        Refused::Mistake((line, message)) => Error::input(&file, line, message),
        Refused::Budget(error) => error,
    })?;
    if layers.is_empty() {
        let why = notes.first().map_or(String::new(), |note| format!(": {note}"));
        return Err(Error::input(&file, None, format!("the picture has no circles or ellipses{why}")));
    }
    // a part of a pixel counts as a pixel
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and `as` saturates")]
    let own = size.map(|side| (side.ceil() as u32).max(1));
    let drawn = picture_settings::checked_size(options, (own[0], own[1]))?;
    let background = options.background.or(background).unwrap_or(Srgba8::WHITE);
    let canvas = Canvas { width: own[0], height: own[1], background, blend: Blend::Srgb };
    let mut scene = CircleScene { canvas, layers };
    let facts = FigureFacts { pixels: f64::from(drawn.1) / f64::from(own[1]), ..FigureFacts::default() };
    let figure = options.figure.figure(&file, &facts)?;
    if drawn != (own[0], own[1]) {
        let center = own.map(|side| 0.5 * f64::from(side));
        scene = scene.in_view_box(&ViewBox { center, height: f64::from(own[1]) }, drawn);
    }
    let scene_keys = (depth == Depth::Describe).then(|| SceneKeys {
        tables: vec![("circle".to_owned(), scene.layers.iter().flat_map(entries).collect())],
        figure: options.figure.clone(),
        ..SceneKeys::default()
    });
    let notes = notes.into_iter().map(|note| format!("{file}: {note}")).collect();
    let (scene, sources) = (Scene::Circles(scene), Vec::new());
    let (categories, tables) = (CategoryNames::default(), Vec::new());
    Ok(Drawing { scene, sources, notes, figure, categories, tables, scene_keys, data: None })
}

fn entries(layer: &Layer<'_>) -> Vec<Value> {
    let entry = |center: [f32; 2], size: (&str, Value), paint: (&str, Value)| {
        let keys = [("center", shorts(&center)), size, paint];
        Value::from(SceneTable::from_iter(keys.map(|(key, value)| (key.to_owned(), value))))
    };
    match layer {
        Layer::Circles(circles) => circles
            .iter()
            .map(|circle| {
                entry(circle.center, ("radius", short(circle.radius)), ("fill", circle.color.to_string().into()))
            })
            .collect(),
        Layer::Ellipses(ellipses) => ellipses
            .iter()
            .map(|ellipse| {
                let color = ellipse.color.to_string();
                let paint = match ellipse.style {
                    Style::Fill => ("fill", color.into()),
                    Style::Stroke(stroke) => ("stroke", json!({ "color": color, "width": short(stroke.width) })),
                };
                entry(ellipse.center, ("radii", shorts(&ellipse.radii)), paint)
            })
            .collect(),
        // pictures are read for their circles
        Layer::Segments(_) => Vec::new(),
    }
}
