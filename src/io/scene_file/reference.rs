//! The reference of the scene format, made of the types that the parser reads: docs/scene.schema.json, and the tables of
//! docs/scene.md. A test compares both with the files; `ROUNDEL_BLESS=all` writes them.
//!
//! schemars derives the schemas of tables. Those of values are here; what a value may be is said in the parser's own words.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::columns::{ColorByText, ColorColumn, PointColor, PointRadius, RadiusByText, RadiusColumn, RangeText};
use super::decode::Located;
use super::figure::Choice;
use super::text::SceneText;
use super::tree::{self, Node, Value};
use super::values::{
    BackgroundText, Clip, Color, Direction, GradientText, Kind, Lambert, Map as MapName, NamedFormat, NamedLook,
    Number, Numbers, Occlusion, Rule, Studio, ViewName, Whole,
};
use crate::color::Scale;
use crate::color::maps::ColorMap;
use crate::io::formats::Format;
use crate::io::load::picture::MOST_AO_RAYS;
use crate::scene::generate::Pattern;
use crate::scene::spheres::StandardView;

/// What a type accepts, in the words of its parser.
fn accepted<T: for<'de> Deserialize<'de>>() -> String {
    let nothing = Node { offset: 0, value: Value::Other("nothing") };
    let refusal = T::deserialize(&nothing).err().expect("nothing is no value").to_string();
    refusal.trim_start_matches("the scene must be ").trim_end_matches(", got nothing").to_owned()
}

/// A schema that says in words, too, what is accepted.
fn titled<T: for<'de> Deserialize<'de>>(mut schema: Json) -> Schema {
    schema["title"] = accepted::<T>().into();
    Schema::try_from(schema).expect("an object")
}

/// One of some names.
fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> Schema {
    let names: Vec<&str> = names.collect();
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    Schema::try_from(json!({ "title": quoted.join(", "), "enum": names })).expect("an object")
}

fn number<R: Rule>() -> Json {
    let [least, most] = R::RANGE;
    let mut schema = json!({ "type": "number" });
    match least {
        // above 0
        least if least > 0.0 && least < 1e-30 => schema["exclusiveMinimum"] = 0.into(),
        least if least > f64::from(f32::MIN) => schema["minimum"] = least.into(),
        _ => {}
    }
    if most < f64::from(f32::MAX) {
        schema["maximum"] = most.into();
    }
    schema
}

/// Colours that are written out; names are not checked.
const COLORS: &str = "^(#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[A-Za-z]+)$";

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Located{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<R: Rule> JsonSchema for Number<R> {
    fn schema_name() -> Cow<'static, str> {
        R::ACCEPTED.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(number::<R>())
    }
}

impl<const N: usize, R: Rule> JsonSchema for Numbers<N, R> {
    fn schema_name() -> Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "type": "array", "items": number::<R>(), "minItems": N, "maxItems": N }))
    }
}

impl<const LEAST: u64, const MOST: u64> JsonSchema for Whole<LEAST, MOST> {
    fn schema_name() -> Cow<'static, str> {
        "Whole".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "type": "integer", "minimum": LEAST, "maximum": MOST }))
    }
}

impl JsonSchema for Direction {
    fn schema_name() -> Cow<'static, str> {
        "Direction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Numbers::<3>::json_schema(generator);
        schema.insert("title".to_owned(), "an array of 3 numbers, not all 0".into());
        schema
    }
}

impl JsonSchema for Clip {
    fn schema_name() -> Cow<'static, str> {
        "Clip".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let title = "a plane such as \"x<12\"";
        Schema::try_from(json!({ "title": title, "type": "string", "pattern": "^[^<>]+[<>][^<>]+$" }))
            .expect("an object")
    }
}

impl JsonSchema for Occlusion {
    fn schema_name() -> Cow<'static, str> {
        "Occlusion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let rays = json!({ "type": "integer", "minimum": 0, "maximum": MOST_AO_RAYS });
        titled::<Self>(json!({ "anyOf": [{ "enum": ["smooth", "off"] }, rays] }))
    }
}

impl JsonSchema for NamedLook {
    fn schema_name() -> Cow<'static, str> {
        "Look".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(Self::names())
    }
}

impl JsonSchema for NamedFormat {
    fn schema_name() -> Cow<'static, str> {
        "Format".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let message = "".parse::<Format>().expect_err("no name").to_string();
        let (_, list) = message.split_once("(formats: ").expect("a list");
        let names = list.trim_end_matches(')').split(", ").filter(|name| !["toml", "json", "raw"].contains(name));
        let Json::Object(mut schema) = one_of(names).to_value() else { unreachable!("a schema with names") };
        let title = format!("{}, or raw:COLUMNS:TYPE", words(&schema.clone().into()));
        let raw = json!({ "type": "string", "pattern": "^raw:" });
        let names = schema.remove("enum");
        let schema = json!({ "title": title, "anyOf": [{ "enum": names }, raw] });
        Schema::try_from(schema).expect("an object")
    }
}

impl JsonSchema for Color {
    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "type": "string", "pattern": COLORS }))
    }
}

impl JsonSchema for MapName {
    fn schema_name() -> Cow<'static, str> {
        "ColorMap".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(ColorMap::names())
    }
}

impl JsonSchema for ViewName {
    fn schema_name() -> Cow<'static, str> {
        "StandardView".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(StandardView::ALL.into_iter().map(StandardView::name))
    }
}

impl JsonSchema for Kind {
    fn schema_name() -> Cow<'static, str> {
        "Pattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(Pattern::ALL.into_iter().map(Pattern::name))
    }
}

impl JsonSchema for Scale {
    fn schema_name() -> Cow<'static, str> {
        "Scale".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(Self::ALL.into_iter().map(Self::name))
    }
}

impl JsonSchema for Studio {
    fn schema_name() -> Cow<'static, str> {
        "Studio".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(["studio"].into_iter())
    }
}

impl JsonSchema for Lambert {
    fn schema_name() -> Cow<'static, str> {
        "Lambert".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(["lambert"].into_iter())
    }
}

impl JsonSchema for BackgroundText {
    fn schema_name() -> Cow<'static, str> {
        "Background".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let gradient = generator.subschema_for::<GradientText>();
        titled::<Self>(json!({ "anyOf": [{ "type": "string", "pattern": COLORS }, gradient] }))
    }
}

impl JsonSchema for RangeText {
    fn schema_name() -> Cow<'static, str> {
        "Range".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let numbers = generator.subschema_for::<Numbers<2>>();
        let percentiles = json!({ "type": "string", "pattern": r"^p[0-9]+(\.[0-9]+)?,p[0-9]+(\.[0-9]+)?$" });
        titled::<Self>(json!({ "anyOf": [numbers, percentiles] }))
    }
}

impl JsonSchema for PointRadius {
    fn schema_name() -> Cow<'static, str> {
        "PointRadius".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let column = generator.subschema_for::<RadiusColumn>();
        titled::<Self>(json!({ "anyOf": [{ "type": "number", "minimum": 0 }, column] }))
    }
}

impl JsonSchema for PointColor {
    fn schema_name() -> Cow<'static, str> {
        "PointColor".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let column = generator.subschema_for::<ColorColumn>();
        titled::<Self>(json!({ "anyOf": [{ "type": "string", "pattern": COLORS }, column] }))
    }
}

impl JsonSchema for ColorByText {
    fn schema_name() -> Cow<'static, str> {
        "ColorBy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let column = generator.subschema_for::<ColorColumn>();
        titled::<Self>(json!({ "anyOf": [{ "type": "string" }, column] }))
    }
}

impl JsonSchema for RadiusByText {
    fn schema_name() -> Cow<'static, str> {
        "RadiusBy".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "anyOf": [{ "type": "number", "minimum": 0 }, { "type": "string" }] }))
    }
}

impl<T: JsonSchema> JsonSchema for Choice<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Choice{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        let words = words(&value.clone().to_value());
        let schema = json!({ "title": format!("true, false or {words}"), "anyOf": [{ "type": "boolean" }, value] });
        Schema::try_from(schema).expect("an object")
    }
}

/// The schema of scene files.
fn schema() -> Json {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<SceneText>().to_value();
    schema["title"] = "roundel scene".into();
    tidy(&mut schema);
    schema
}

/// Keys that may be left out are not null then; and unit, default and example go from descriptions to where editors look for them.
fn tidy(schema: &mut Json) {
    if let Some(members) = schema.get("anyOf").and_then(Json::as_array)
        && let [value, null] = &members[..]
        && *null == json!({ "type": "null" })
    {
        let value = value.clone();
        let map = schema.as_object_mut().expect("an object");
        map.remove("anyOf");
        for (key, part) in value.as_object().expect("an object") {
            map.entry(key.clone()).or_insert_with(|| part.clone());
        }
    }
    match schema {
        Json::Object(map) => {
            if let Some(Json::Array(types)) = map.get_mut("type") {
                types.retain(|name| name != "null");
                if let [one] = &types[..] {
                    let one = one.clone();
                    map.insert("type".to_owned(), one);
                }
            }
            if let Some(Json::Array(names)) = map.get_mut("enum") {
                names.retain(|name| !name.is_null());
            }
            // the value of the type, which need not be the format's default
            map.remove("default");
            if let Some(Json::String(text)) = map.get("description") {
                let comment = Comment::of(text);
                let mut description = comment.text.clone();
                for (name, part) in [("Unit", &comment.unit), ("Default", &comment.default)] {
                    if let Some(part) = part {
                        let _ = write!(description, " {name}: {part}.");
                    }
                }
                if let Some(default) = comment.default.as_deref().and_then(single_code).and_then(value) {
                    map.insert("default".to_owned(), default);
                }
                if let Some(example) = comment.example.as_deref().and_then(single_code) {
                    let (_, example) = example.split_once('=').expect("a key and a value");
                    map.insert("examples".to_owned(), json!([value(example.trim()).expect("a value")]));
                }
                map.insert("description".to_owned(), description.into());
            }
            map.values_mut().for_each(tidy);
        }
        Json::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// The comment of a field.
struct Comment {
    text: String,
    unit: Option<String>,
    default: Option<String>,
    example: Option<String>,
}

impl Comment {
    fn of(text: &str) -> Self {
        let mut comment = Self { text: String::new(), unit: None, default: None, example: None };
        for line in text.lines() {
            let line = line.trim();
            let part = |name: &str| line.strip_prefix("- ")?.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned);
            match (part("Unit"), part("Default"), part("Example")) {
                (Some(unit), ..) => comment.unit = Some(unit),
                (_, Some(default), _) => comment.default = Some(default),
                (.., Some(example)) => comment.example = Some(example),
                _ => {
                    comment.text += if comment.text.is_empty() { "" } else { " " };
                    comment.text += line;
                }
            }
        }
        comment
    }
}

/// The code of a text that begins with code: "`1.0`; 0.8 in the look …".
fn single_code(text: &str) -> Option<&str> {
    text.strip_prefix('`')?.split('`').next()
}

/// A value of TOML as JSON; infinity has none.
fn value(text: &str) -> Option<Json> {
    let table: toml::Table = format!("value = {text}").parse().expect("TOML");
    serde_json::to_value(&table["value"]).ok().filter(|value| !value.is_null())
}

/// The kind of value that a schema accepts, in words.
fn words(schema: &Json) -> String {
    if let Some(title) = schema.get("title").and_then(Json::as_str) {
        return title.to_owned();
    }
    if let Some(names) = schema.get("enum").and_then(Json::as_array) {
        return names.iter().map(Json::to_string).collect::<Vec<_>>().join(", ");
    }
    match schema.get("type").and_then(Json::as_str) {
        Some("boolean") => "true or false".to_owned(),
        Some("string") => "text".to_owned(),
        Some("array") => match (&schema["items"], &schema["minItems"]) {
            (items, Json::Number(count)) => format!("an array of {count}, each {}", words(items)),
            (items, _) if items.get("properties").is_none() => format!("an array, each {}", words(items)),
            _ => "an array of tables".to_owned(),
        },
        Some("object") => "a table".to_owned(),
        other => panic!("no words for {other:?} of {schema}"),
    }
}

/// The part of a schema that is a table: itself, an item of it, or one of the choices.
fn table(schema: &Json) -> Option<&Map<String, Json>> {
    let choices = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
    let parts = std::iter::once(schema).chain(schema.get("items")).chain(choices);
    parts.filter_map(|part| part.get("properties")).find_map(Json::as_object)
}

/// The keys of a table, in the order of the parser, which lists them when a key is unknown.
fn keys(path: &[&str]) -> Vec<String> {
    let text = match path {
        [] => "no_such_key = 1".to_owned(),
        [table] => format!("[[{table}]]\nno_such_key = 1\n"),
        [table, key] => format!("[[{table}]]\n{key} = {{ no_such_key = 1 }}\n"),
        _ => unreachable!("tables are nested twice"),
    };
    let read = |text: &str| {
        let tree = tree::toml(text).unwrap_or_else(|error| panic!("{text}: {}", error.message));
        SceneText::deserialize(&tree).expect_err("the key is unknown").to_string()
    };
    let mut message = read(&text);
    if !message.contains("(keys: ") {
        // one table, not several; or several where one was tried
        let text = text.replace("[[", "[").replace("]]", "]");
        message = read(&text);
        if !message.contains("(keys: ") {
            message = read(&text.replace("[", "[[").replace("]", "]]").replace("= {", "= [{").replace("}", "}]"));
        }
    }
    let (_, list) = message.split_once("(keys: ").unwrap_or_else(|| panic!("{message}"));
    list.trim_end_matches(')').split(", ").map(str::to_owned).collect()
}

/// Keys that the parser knows in order to say that they are not supported yet.
const LATER: [&str; 3] = ["aperture", "focus_distance", "max_depth"];

/// The tables of the page.
fn tables(schema: &Json) -> String {
    let mut page = String::new();
    let top = schema["properties"].as_object().expect("tables");
    let mut written: Vec<(String, Json)> = Vec::new();
    for name in keys(&[]).into_iter().filter(|name| name != "$schema") {
        let part = &top[&name];
        let brackets = if part["type"] == "array" { ["[[", "]]"] } else { ["[", "]"] };
        let _ = writeln!(page, "## `{}{name}{}`\n", brackets[0], brackets[1]);
        let _ = writeln!(page, "{}\n", part["description"].as_str().expect("a comment"));
        let inner = rows(&mut page, &[&name], part);
        for (key, part) in inner {
            let title = format!("`{key}` of `{}{name}{}`", brackets[0], brackets[1]);
            let _ = writeln!(page, "### {title}\n");
            let same = written.iter().find(|(_, keys)| keys.as_object() == table(&part));
            if let Some((other, _)) = same {
                let _ = writeln!(page, "The keys are those of {other}.\n");
                continue;
            }
            written.push((title, table(&part).cloned().into()));
            assert!(rows(&mut page, &[&name, &key], &part).is_empty(), "tables are nested twice");
        }
    }
    page
}

/// Writes the keys of a table; returns those that are tables themselves.
fn rows(page: &mut String, path: &[&str], schema: &Json) -> Vec<(String, Json)> {
    let properties = table(schema).unwrap_or_else(|| panic!("{path:?} is no table"));
    let required = required(schema);
    let mut inner = Vec::new();
    let known = keys(path);
    page.push_str("| key | value | default | meaning | example |\n|---|---|---|---|---|\n");
    for key in known.iter().filter(|key| !LATER.contains(&key.as_str())) {
        let part = properties.get(key).unwrap_or_else(|| panic!("{path:?} has no {key} in the schema"));
        let description = part["description"].as_str().unwrap_or_else(|| panic!("{path:?}.{key} has no comment"));
        let (text, unit, default) = parts(description);
        let words = words(part);
        let unit = unit.filter(|unit| !words.contains(unit)).map(|unit| format!("; {unit}")).unwrap_or_default();
        let default = match default {
            Some(default) => default.to_owned(),
            None if required.contains(key) => "must be given".to_owned(),
            None => "none".to_owned(),
        };
        let example = &part["examples"][0];
        assert!(!example.is_null(), "{path:?}.{key} has no example");
        let example = format!("{key} = {}", toml_text(example));
        check(path, &example);
        let _ = writeln!(page, "| `{key}` | {words}{unit} | {default} | {text} | `{example}` |");
        if table(part).is_some() {
            inner.push((key.clone(), part.clone()));
        }
    }
    page.push('\n');
    let missing: Vec<_> = properties.keys().filter(|key| !known.contains(key)).collect();
    assert!(missing.is_empty(), "the parser does not know {missing:?} of {path:?}");
    inner
}

fn required(schema: &Json) -> Vec<String> {
    let choices = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
    let parts = std::iter::once(schema).chain(schema.get("items")).chain(choices);
    let lists = parts.filter_map(|part| part.get("required")?.as_array());
    lists.flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

/// Text, unit and default of a description.
fn parts(description: &str) -> (&str, Option<&str>, Option<&str>) {
    let (text, default) = match description.split_once(" Default: ") {
        Some((text, default)) => (text, Some(default.trim_end_matches('.'))),
        None => (description, None),
    };
    match text.split_once(" Unit: ") {
        Some((text, unit)) => (text, Some(unit.trim_end_matches('.')), default),
        None => (text, None, default),
    }
}

/// JSON as a value of TOML.
fn toml_text(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(toml_text).collect::<Vec<_>>().join(", ")),
        Json::Object(map) => {
            let pairs: Vec<_> = map.iter().map(|(key, value)| format!("{key} = {}", toml_text(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        other => other.to_string(),
    }
}

/// The parser accepts the example of a key, and nothing but a fitting value.
fn check(path: &[&str], example: &str) {
    let read = |line: &str| {
        let text = match path {
            [table] => format!("[{table}]\n{line}\n"),
            [table, key] => format!("[{table}]\n{key} = {{ {line} }}\n"),
            _ => unreachable!("tables are nested twice"),
        };
        let many = text.replacen('[', "[[", 1).replacen(']', "]]", 1);
        let list = many.replacen("= {", "= [{", 1).replace(" }\n", " }]\n");
        let read = |text: &str| SceneText::deserialize(&tree::toml(text).ok()?).err().map(|error| error.to_string());
        [text, many, list].map(|text| read(&text).unwrap_or_default())
    };
    // other keys of the table may be missing
    let fits = |message: &String| message.is_empty() || message.contains("must have the key");
    assert!(read(example).iter().any(fits), "{path:?}: {example}: {:?}", read(example));
    let (key, _) = example.split_once(" = ").expect("a key and a value");
    assert!(!read(&format!("{key} = 2000-01-01")).iter().any(fits), "{path:?}.{key} takes a date");
}

/// Compares a file with what it must be, or writes it.
fn compare(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name);
    if env::var("ROUNDEL_BLESS").is_ok_and(|names| names == "all") {
        fs::write(&path, text).expect("the folder is writable");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{name} is out of date: ROUNDEL_BLESS=all cargo test --lib reference");
}

/// Where the tables of the page begin and end.
const MARKS: [&str; 2] = ["<!-- tables: made by src/io/scene_file/reference.rs -->\n\n", "<!-- end of tables -->"];

#[test]
fn schema_and_page_say_what_the_parser_reads() {
    let schema = schema();
    let text = serde_json::to_string_pretty(&schema).expect("JSON");
    compare("docs/scene.schema.json", &format!("{text}\n"));
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scene.md")).expect("the page");
    let (before, rest) = page.split_once(MARKS[0]).expect("tables begin");
    let (_, after) = rest.split_once(MARKS[1]).expect("tables end");
    compare("docs/scene.md", &[before, MARKS[0], &tables(&schema), MARKS[1], after].concat());
}

#[test]
fn defaults_of_the_reference_are_those_of_looks() {
    let schema = schema();
    let default = |key: &str| schema["properties"]["render"]["properties"][key]["default"].as_f64();
    let shading = crate::scene::spheres::Shading::default();
    let expected = [
        ("samples", f64::from(shading.samples)),
        ("ao_strength", shading.ao_strength.into()),
        ("key", shading.key.into()),
        ("fog_start", shading.fog_start.into()),
        ("outline_depth", shading.outline_depth.into()),
        ("cloud_radius", shading.cloud_radius.into()),
    ];
    for (key, expected) in expected {
        assert_eq!(default(key), Some(expected), "{key}");
    }
}
