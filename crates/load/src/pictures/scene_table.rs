//! Bare data as a scene file has it: the table `[[spheres]]` or `[[points]]` that draws the same shapes.

use serde_json::{Map, Value, json};

use crate::color::elements::Atomic;
use crate::color::{ColorMap, ColorRange, Scale, Srgba8};
use crate::data::Table;
use crate::dataset::data_file::DataFile;
use crate::options::contact_rule::{ContactRule, ContactsWith};
use crate::options::load_options::LoadOptions;
use crate::options::molecule_style::MoleculeStyle;
use crate::rows::canvas::CanvasTransform;
use crate::rows::circle_outline::CircleOutline;
use crate::rows::colors::{Colors, element, source_name};
use crate::rows::column_plan::{Coloring, Sizing};
use crate::rows::row_shapes::{CircleLook, Radii};
use crate::scene::spheres::Gloss;

/// A table of a scene file: its keys and their values.
pub(crate) type SceneTable = Map<String, Value>;

/// A number of 32 bits in the fewest digits that are read back as the same; infinity has none.
pub(crate) fn short(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// Numbers of 32 bits.
pub(crate) fn shorts(numbers: &[f32]) -> Value {
    numbers.iter().map(|&number| short(number)).collect()
}

/// A table `[[spheres]]` for a file whose rows are in space.
pub(crate) fn spheres(data: &DataFile, options: &LoadOptions) -> SceneTable {
    let mut entry = file(data, options);
    let text = |text: &Option<String>| text.clone().map(Value::from);
    let labels = labels(options);
    let given = [
        ("x", text(&options.x)),
        ("y", text(&options.y)),
        ("z", text(&options.z)),
        ("topology", options.topology.clone().map(Value::from)),
        ("decimal", options.decimal.map(|mark| mark.name().into())),
        ("missing", (!options.missing.is_empty()).then(|| options.missing.clone().into())),
        ("atom_style", options.atom_style.map(|style| style.name().into())),
        ("assembly", options.assembly.map(Value::from)),
        ("frame", options.frame.map(Value::from)),
        ("smooth", options.smooth.map(Value::from)),
        ("wrap", options.wrap.map(Value::from)),
        ("whole", options.whole.map(Value::from)),
        ("unwrap", options.unwrap.map(Value::from)),
        ("center", text(&options.center)),
        ("replicate", options.replicate.map(|counts| json!(counts))),
        ("symmetry", options.symmetry.map(|symmetry| symmetry.name().into())),
        ("label", (!labels.is_empty()).then(|| labels.into())),
        ("style", styles(data, options)),
        ("gloss", gloss(options)),
        ("contacts", contacts(options)),
        ("hbonds", options.hbonds.map(|rule| rule.name().into())),
        ("bonds", options.bonds.map(|bonds| bonds.name().into())),
        ("bond_radius", options.bond_radius.map(short)),
        ("ball_scale", options.ball_scale.map(short)),
        ("ellipsoids", options.ellipsoids.map(short)),
        ("ellipsoid_rings", options.ellipsoid_rings.map(Value::from)),
        ("vectors", text(&options.vectors)),
        ("vector_scale", options.vector_scale.map(short)),
        ("vector_color", text(&options.vector_color)),
        ("vector_radius", options.vector_radius.map(short)),
    ];
    entry.extend(given.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    let (key, value) = color(data, None);
    entry.insert(key.to_owned(), value);
    let suited = || match data.radii {
        Radii::Constant(radius) => short(radius),
        _ => Value::Null,
    };
    let radius = match data.plan.size {
        Sizing::Constant(radius) => short(radius),
        Sizing::Vdw { elements: Some(column), or_suited } if !or_suited || names_elements(&data.table, column) => {
            "vdw".into()
        }
        Sizing::Vdw { elements: None, or_suited: false } => "vdw".into(),
        Sizing::Column(column) | Sizing::DataUnits(column) => name(data, column),
        Sizing::Scaled { column, range, scale } => column_of_range(data, column, &range, scale),
        Sizing::Suited | Sizing::Vdw { .. } => suited(),
    };
    // a radius would make spheres of the rows
    if !data.has_shapes() {
        entry.insert("radius".to_owned(), radius);
    }
    entry
}

/// The texts beside rows.
fn labels(options: &LoadOptions) -> Vec<Value> {
    let label = |(rows, text): &(String, String)| json!({ "select": rows, "text": text });
    options.figure.label.iter().map(label).collect()
}

fn contacts(options: &LoadOptions) -> Option<Value> {
    let by = |rule: ContactRule| match rule {
        ContactRule::Distance(distance) => short(distance),
        ContactRule::HydrogenBond(rule) => rule.name().into(),
    };
    let each =
        |(rows, with): &(String, ContactsWith)| json!({ "select": rows, "with": with.select, "by": by(with.rule) });
    (!options.contacts.is_empty()).then(|| options.contacts.iter().map(each).collect())
}

/// The highlights of rows, if they have some of their own.
fn gloss(options: &LoadOptions) -> Option<Value> {
    let value = |gloss: &Gloss| match gloss.roughness {
        None => short(gloss.specular),
        Some(roughness) => shorts(&[gloss.specular, roughness]),
    };
    match &options.gloss[..] {
        [] => None,
        [(None, gloss)] if gloss.roughness.is_none() => Some(value(gloss)),
        given => {
            let given = given.iter().map(|(rows, gloss)| (rows.as_deref().unwrap_or("all"), value(gloss)));
            Some(given.map(|(rows, gloss)| json!({ "select": rows, "gloss": gloss })).collect())
        }
    }
}

fn styles(data: &DataFile, options: &LoadOptions) -> Option<Value> {
    let guessed = data.molecule.is_ball_and_stick.then_some(MoleculeStyle::BallAndStick);
    match (&options.style[..], guessed) {
        ([], guessed) => guessed.map(|style| style.name().into()),
        ([(None, style)], _) => Some(style.name().into()),
        (given, guessed) => {
            let given = given.iter().map(|(rows, style)| (rows.as_deref().unwrap_or("all"), *style));
            let all = guessed.map(|style| ("all", style)).into_iter().chain(given);
            Some(all.map(|(rows, style)| json!({ "select": rows, "style": style.name() })).collect())
        }
    }
}

/// A table `[[points]]` for a file whose rows are in the plane.
pub(crate) fn points(data: &DataFile, look: &CircleLook, options: &LoadOptions) -> SceneTable {
    let mut entry = file(data, options);
    for (key, name) in ["x", "y"].into_iter().zip(data.axis_names()) {
        entry.insert(key.to_owned(), name.clone().into());
    }
    if let Some(mark) = options.decimal {
        entry.insert("decimal".to_owned(), mark.name().into());
    }
    if !options.missing.is_empty() {
        entry.insert("missing".to_owned(), options.missing.clone().into());
    }
    let (key, value) = color(data, look.alpha);
    entry.insert(key.to_owned(), value);
    let radius = match data.plan.size {
        Sizing::Constant(radius) => short(radius),
        Sizing::Suited | Sizing::Vdw { .. } => short(look.radius),
        Sizing::Column(column) => json!({ "column": name(data, column) }),
        Sizing::DataUnits(column) => json!({ "column": name(data, column), "units": "data" }),
        Sizing::Scaled { column, range, scale } => column_of_range(data, column, &range, scale),
    };
    entry.insert("radius".to_owned(), radius);
    let labels = labels(options);
    if !labels.is_empty() {
        entry.insert("label".to_owned(), labels.into());
    }
    if let Ok(Some(CircleOutline { color, width })) = CircleOutline::of(options) {
        entry.insert("stroke".to_owned(), json!({ "color": color.to_string(), "width": short(width) }));
    }
    if let Some(order) = &options.draw_order {
        entry.insert("draw_order".to_owned(), order.clone().into());
        entry.extend(options.seed.map(|seed| ("seed".to_owned(), seed.into())));
    }
    entry
}

fn column_of_range(data: &DataFile, column: usize, range: &[f32], scale: Scale) -> Value {
    json!({ "column": name(data, column), "range": shorts(range), "scale": scale.name() })
}

/// The view of a canvas that shows the plane by this transform.
pub(crate) fn view(transform: &CanvasTransform, height: u32) -> Value {
    let pixels = f64::from(height);
    let near = pixels / transform.scale;
    let candidates = [near, near.next_up(), near.next_down(), near.next_up().next_up(), near.next_down().next_down()];
    // a division reaches most scales, not all
    let exact = candidates.into_iter().find(|height| pixels / height == transform.scale);
    let size = exact.map_or(("scale", transform.scale), |height| ("height", height));
    let mut view = json!({ "center": transform.center, size.0: size.1, "flip_y": transform.y_sign < 0.0 });
    if transform.stretch != 1.0 {
        view["stretch"] = transform.stretch.into();
    }
    view
}

/// The keys that both tables have: the file, and which rows are drawn.
fn file(data: &DataFile, options: &LoadOptions) -> SceneTable {
    let mut entry = SceneTable::new();
    let mut insert = |key: &str, value: Value| drop(entry.insert(key.to_owned(), value));
    insert("file", data.source.file.clone().into());
    let format = options.raw.as_ref().map(|layout| format!("raw:{layout}"));
    insert("format", format.unwrap_or_else(|| data.source.format.id().to_owned()).into());
    if !options.compute.is_empty() {
        insert("compute", options.compute.clone().into());
    }
    if let Some(only) = &options.only {
        insert("only", only.clone().into());
    }
    match &options.hide {
        Some(hide) if data.hides_water() => insert("hide", format!("({hide}) or water").into()),
        Some(hide) => insert("hide", hide.clone().into()),
        None if data.hides_water() => insert("hide", "water".into()),
        None => {}
    }
    if !options.highlight.is_empty() {
        let mark = |(index, (rows, color)): (usize, &(String, Srgba8))| {
            let mut mark = json!({ "select": rows, "color": color.to_string() });
            if let Some(label) = options.highlight_labels.get(index).filter(|label| !label.is_empty()) {
                mark["label"] = label.clone().into();
            }
            mark
        };
        insert("highlight", options.highlight.iter().enumerate().map(mark).collect());
    }
    if let Some(column) = &options.opacity_by {
        insert("opacity_by", column.clone().into());
    }
    match &options.opacity[..] {
        [] => {}
        [(None, opacity)] => insert("opacity", short(*opacity)),
        rows => {
            let all = |(rows, opacity): &(Option<String>, f32)| json!({ "select": rows.as_deref().unwrap_or("all"), "opacity": short(*opacity) });
            insert("opacity", rows.iter().map(all).collect());
        }
    }
    entry
}

/// The colour key; `alpha` is the opacity of default colours.
fn color(data: &DataFile, alpha: Option<u8>) -> (&'static str, Value) {
    let constant = |color: Srgba8| {
        let color = match alpha {
            Some(alpha) if color.a == 255 => color.with_alpha(alpha),
            _ => color,
        };
        ("color", color.to_string().into())
    };
    let opacity = |own: u8| alpha.unwrap_or(own);
    let chains = |column, map: &str| json!({ "column": name(data, column), "map": map, "lighter_carbons": true });
    let by_element = |column: usize, map: ColorMap, by_chain: Option<Value>| match (&data.colors, by_chain) {
        (Colors::Constant(color), _) => constant(*color),
        (Colors::ByTwoNames { .. }, Some(by_chain)) => ("color_by", by_chain),
        // particles of several kinds
        _ if !names_elements(&data.table, column) => ("color_by", column_with(name(data, column), "distinct", 255)),
        _ if map.name() == ColorMap::JMOL.name() => ("color_by", name(data, column)),
        _ => ("color_by", column_with(name(data, column), map.name(), 255)),
    };
    match &data.plan.color {
        Coloring::Constant(color) => constant(*color),
        Coloring::Literal(column) | Coloring::Residues(column) => ("color_by", name(data, *column)),
        Coloring::Channels { channels, alpha: opacity, .. } => {
            let names = channels.iter().chain(opacity).map(|column| data.table.columns[*column].name.as_str());
            ("color_by", names.collect::<Vec<_>>().join(",").into())
        }
        Coloring::Categories { column, map, alpha, .. } => {
            ("color_by", column_with(name(data, *column), map.name(), opacity(*alpha)))
        }
        Coloring::Numbers { source, map, signed_map, range, scale, alpha, .. } => {
            let column = source_name(&data.table, *source);
            let mut value = column_with(column.into(), map.name(), opacity(*alpha));
            if let (Some(_), Value::Object(keys)) = (signed_map, &mut value) {
                // the numbers choose it
                keys.remove("map");
            }
            value["scale"] = scale.name().into();
            match range {
                Some(ColorRange::Numbers(ends)) => value["range"] = json!(ends),
                Some(other) => value["range"] = other.to_string().into(),
                None => {}
            }
            ("color_by", value)
        }
        Coloring::Chains { chains: column, map, .. } => ("color_by", chains(*column, map.name())),
        Coloring::ChainsOrElements { elements, chains: column, map, .. } => {
            by_element(*elements, ColorMap::JMOL, Some(chains(*column, map.name())))
        }
        Coloring::Elements { column, map, .. } => by_element(*column, *map, None),
    }
}

/// A table with a column and its map.
fn column_with(column: Value, map: &str, alpha: u8) -> Value {
    let mut value = json!({ "column": column, "map": map });
    if alpha != 255 {
        value["alpha"] = (f64::from(alpha) / 255.0).into();
    }
    value
}

/// A column of the table by its name.
fn name(data: &DataFile, column: usize) -> Value {
    data.table.columns[column].name.clone().into()
}

/// Whether a column names elements that are known.
fn names_elements(table: &Table<'_>, column: usize) -> bool {
    table.columns[column].names.iter().any(|name| element(name) != Atomic::UNKNOWN)
}
