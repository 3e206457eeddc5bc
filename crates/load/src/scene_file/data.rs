//! Scenes as data: a scene file in JSON that draws the same picture.

use serde_json::{Map, Value, json};

use crate::dataset::describe::SceneData;
use crate::geom::Origin;
use crate::options::figure::{FigureOptions, LegendChoice, ScaleBarChoice};
use crate::pictures::bare_data::{Drawing, SceneKeys};
use crate::pictures::scene_table::{short, shorts};
use crate::scene::circles::{Blend, CircleScene};
use crate::scene::spheres::{AmbientOcclusion, Background, Camera, Projection, Shading, SphereScene};
use crate::scene::{NUMBERS, Scene, degrees};
use crate::scene_file::tree::{TreeNode, Value as TreeValue};

/// The scene file of a drawing; `None` if no scene file draws it.
pub(crate) fn scene_data(drawing: &Drawing) -> Option<SceneData> {
    let SceneKeys { tables, canvas, figure, is_auto } = drawing.scene_keys.as_ref()?;
    let mut all = match &drawing.scene {
        Scene::Circles(scene) => vec![("canvas".to_owned(), Value::from(canvas_table(scene, canvas.clone())))],
        Scene::Spheres(scene) => {
            let mut render = render_table(&scene.shading);
            if *is_auto {
                render.insert("look".to_owned(), "auto".into());
            }
            let tables = [("camera", camera_table(scene)), ("render", render)];
            tables.map(|(name, table)| (name.to_owned(), Value::from(table))).into()
        }
    };
    let figure = figure_table(figure);
    all.extend((!figure.is_empty()).then(|| ("figure".to_owned(), figure.into())));
    all.extend(tables.iter().cloned());
    Some(SceneData::new(all))
}

fn canvas_table(scene: &CircleScene<'_>, mut table: Map<String, Value>) -> Map<String, Value> {
    table.insert("width".to_owned(), scene.canvas.width.into());
    table.insert("height".to_owned(), scene.canvas.height.into());
    table.insert("background".to_owned(), scene.canvas.background.to_string().into());
    let blend = if scene.canvas.blend == Blend::Linear { "linear" } else { "srgb" };
    table.insert("blend".to_owned(), blend.into());
    table
}

fn camera_table(scene: &SphereScene<'_>) -> Map<String, Value> {
    let Camera { eye, target, up, projection, .. } = scene.view.camera;
    let projection = match projection {
        Projection::Perspective { fov_y_radians } => ("fov", degrees(fov_y_radians)),
        Projection::Orthographic { height } => ("ortho_height", height),
    };
    let background = match scene.view.background {
        Background::Solid(color) => color.to_string().into(),
        Background::Gradient { bottom, top } => json!({ "bottom": bottom.to_string(), "top": top.to_string() }),
    };
    let planes: Vec<String> =
        scene.clip_planes.iter().map(|plane| plane.in_data(Origin::at(scene.origin)).to_string()).collect();
    let mut table = table([
        ("eye", json!(scene.in_data(eye))),
        ("target", json!(scene.in_data(target))),
        ("up", shorts(&up.to_array())),
        (projection.0, short(projection.1)),
        ("width", scene.view.width.into()),
        ("height", scene.view.height.into()),
        ("background", background),
        ("slab", scene.depth_range.map_or(Value::Null, |slab| shorts(&slab))),
        ("clip", planes.into()),
    ]);
    table.retain(|_, value| !value.is_null());
    table
}

/// All numbers of the shading; an infinite distance and an automatic width of outlines are left out.
fn render_table(shading: &Shading) -> Map<String, Value> {
    let Shading { samples, look, ambient_occlusion, ao_distance, shadows, ambient, .. } = *shading;
    let Shading { outline_color, transparency, seed, .. } = *shading;
    let ao = match ambient_occlusion {
        AmbientOcclusion::Rays(rays) => rays.into(),
        named => named.to_string().into(),
    };
    let mut table = table([
        ("look", look.name().into()),
        ("samples", samples.into()),
        ("ao", ao),
        ("ao_distance", short(ao_distance)),
        ("shadows", shadows.into()),
        ("ambient", short(ambient)),
        ("outline_color", outline_color.to_string().into()),
        ("transparency", transparency.to_string().into()),
        ("seed", seed.into()),
    ]);
    table.extend(NUMBERS.iter().filter_map(|number| Some((number.name.to_owned(), short((number.get)(shading)?)))));
    table.retain(|_, value| !value.is_null());
    table
}

fn figure_table(wanted: &FigureOptions) -> Map<String, Value> {
    let legend = wanted.legend.map(|legend| match legend {
        LegendChoice::Off => json!(false),
        LegendChoice::ON => json!(true),
        choice => json!(choice.to_string()),
    });
    let scale_bar = wanted.scale_bar.map(|bar| match bar {
        ScaleBarChoice::Off => json!(false),
        ScaleBarChoice::Suited => json!(true),
        ScaleBarChoice::Length(length) => json!(length),
    });
    let name = |(entry, name): &(String, String)| json!({ "entry": entry, "name": name });
    let names: Vec<Value> = wanted.legend_name.iter().map(name).collect();
    let keys = [
        ("title", wanted.title.clone().map(Value::from)),
        ("stamp", wanted.stamp.map(|stamp| stamp.to_string().into())),
        ("legend", legend),
        ("legend_title", wanted.legend_title.clone().map(Value::from)),
        ("legend_unit", wanted.legend_unit.clone().map(Value::from)),
        ("legend_order", wanted.legend_order.map(|order| order.name().into())),
        ("legend_name", (!names.is_empty()).then(|| names.into())),
        ("scale_bar", scale_bar),
        ("axes", wanted.axes.map(Value::from)),
        ("x_label", wanted.x_label.clone().map(Value::from)),
        ("y_label", wanted.y_label.clone().map(Value::from)),
        ("cell", wanted.cell.map(Value::from)),
        ("trim", wanted.trim.map(Value::from)),
        ("dpi", wanted.dpi.map(short)),
        ("scale", wanted.scale.map(short)),
        ("font_size", wanted.font_size.map(|size| short(size.points))),
        ("ink", wanted.ink.map(|ink| ink.to_string().into())),
    ];
    keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

fn table<const N: usize>(keys: [(&str, Value); N]) -> Map<String, Value> {
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The value of a node as JSON; infinity becomes null.
pub(crate) fn json_value(node: &TreeNode) -> Value {
    match &node.value {
        TreeValue::Table(entries) => entries.iter().map(|entry| (entry.key.clone(), json_value(&entry.node))).collect(),
        TreeValue::Array(items) => items.iter().map(json_value).collect(),
        TreeValue::Text(text) => text.clone().into(),
        TreeValue::Integer(value) => (*value).into(),
        TreeValue::Float(value) => (*value).into(),
        TreeValue::Boolean(value) => (*value).into(),
        TreeValue::Other(_) => Value::Null,
    }
}
