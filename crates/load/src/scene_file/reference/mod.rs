//! The reference of the scene format, made of the types that the parser reads: docs/scene.schema.json, and the tables
//! of docs/scene.md; and the options of Python and JavaScript, made of the table of options. A test compares them with
//! the files; `ROUNDEL_BLESS=all` writes them.
//!
//! schemars derives the schemas of tables; the schemas of values are in [`values`].

mod javascript;
mod page;
mod python;
mod values;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use schemars::generate::SchemaSettings;
use serde_json::{Value as Json, json};

use crate::scene::NUMBERS;
use crate::scene::spheres::ShadingNumber;
use crate::scene_file::text::SceneText;

fn schema() -> Json {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<SceneText>().to_value();
    schema["title"] = "roundel scene".into();
    tidy(&mut schema);
    for number in &NUMBERS {
        let mut part = json!({
            "title": number.accepted(), "type": "number", "minimum": number.range[0], "maximum": number.range[1],
            "description": comment(number),
        });
        tidy(&mut part);
        schema["properties"]["render"]["properties"][number.name] = part;
    }
    schema
}

/// The description of a number of the shading, in the form of a field's comment.
fn comment(number: &ShadingNumber) -> String {
    let unit = number.unit().map(|unit| format!("- Unit: {unit}\n")).unwrap_or_default();
    let (name, example) = (number.name, number.example);
    format!("{}.\n{unit}- Default: {}\n- Example: `{name} = {example}`", number.meaning, number.defaults())
}

/// Drops `null` from the values of optional keys, and moves unit, default and example from comments to where editors
/// look for them.
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

/// Names in quotes, with a separator between.
fn quoted(names: &[&str], separator: &str) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(separator)
}

/// Compares a file with its generated text, or writes it.
fn compare(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    if env::var("ROUNDEL_BLESS").is_ok_and(|names| names == "all") {
        fs::write(&path, text).expect("the folder is writable");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{name} is out of date: ROUNDEL_BLESS=all cargo test --lib reference");
}

/// Marks around the tables of the page.
const MARKS: [&str; 2] =
    ["<!-- tables: made by crates/load/src/scene_file/reference/page.rs -->\n\n", "<!-- end of tables -->"];

/// Compares the part of a file between two marks with its generated text, or writes it.
fn replace(name: &str, marks: [&str; 2], text: &str) {
    let page =
        fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).expect("the page");
    let (before, rest) = page.split_once(marks[0]).expect("a mark");
    let (_, after) = rest.split_once(marks[1]).expect("a mark");
    compare(name, &[before, marks[0], text, marks[1], after].concat());
}

#[test]
fn schema_and_page_say_what_the_parser_reads() {
    let schema = schema();
    let text = serde_json::to_string_pretty(&schema).expect("JSON");
    compare("docs/scene.schema.json", &format!("{text}\n"));
    replace("docs/scene.md", MARKS, &page::tables(&schema));
    for (file, marks, text) in python::parts().into_iter().chain([javascript::part()]) {
        replace(file, marks, &text);
    }
}

#[test]
fn defaults_of_the_reference_are_those_of_looks() {
    let schema = schema();
    let default = |key: &str| schema["properties"]["render"]["properties"][key]["default"].as_f64();
    let shading = crate::scene::spheres::Shading::default();
    let expected = [("samples", f64::from(shading.samples)), ("fog_start", shading.fog_start.into())];
    for (key, expected) in expected {
        assert_eq!(default(key), Some(expected), "{key}");
    }
}
