//! The tables of docs/scene.md.

use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::scene_file::text::SceneText;
use crate::scene_file::tree;

/// The parts of a schema that may be a table: itself, an item of it, and its choices.
fn parts_of(schema: &Json) -> impl Iterator<Item = &Json> {
    let choices = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
    std::iter::once(schema).chain(schema.get("items")).chain(choices)
}

fn table(schema: &Json) -> Option<&Map<String, Json>> {
    parts_of(schema).filter_map(|part| part.get("properties")).find_map(Json::as_object)
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
    // a table or an array of tables, with a table or a list of tables inside
    let one = text.replace("[[", "[").replace("]]", "]");
    let listed = |text: &str| text.replace("= {", "= [{").replace('}', "}]");
    let messages = [&*text, &one, &listed(&text), &listed(&one)].map(read);
    let list = messages.iter().find_map(|message| message.split_once("(keys: ")).map(|(_, list)| list);
    let list = list.unwrap_or_else(|| panic!("{messages:?}"));
    list.trim_end_matches(')').split(", ").map(str::to_owned).collect()
}

pub(crate) fn tables(schema: &Json) -> String {
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

fn rows(page: &mut String, path: &[&str], schema: &Json) -> Vec<(String, Json)> {
    let properties = table(schema).unwrap_or_else(|| panic!("{path:?} is no table"));
    let required = required(schema);
    let mut inner = Vec::new();
    let known = keys(path);
    page.push_str("| key | value | default | meaning | example |\n|---|---|---|---|---|\n");
    for key in &known {
        let part = properties.get(key).unwrap_or_else(|| panic!("{path:?} has no {key} in the schema"));
        let description = part["description"].as_str().unwrap_or_else(|| panic!("{path:?}.{key} has no comment"));
        let (text, unit, default) = split(description);
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
    let lists = parts_of(schema).filter_map(|part| part.get("required")?.as_array());
    lists.flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

/// Splits a description into its text, unit and default.
fn split(description: &str) -> (&str, Option<&str>, Option<&str>) {
    let (text, default) = match description.split_once(" Default: ") {
        Some((text, default)) => (text, Some(default.trim_end_matches('.'))),
        None => (description, None),
    };
    match text.split_once(" Unit: ") {
        Some((text, unit)) => (text, Some(unit.trim_end_matches('.')), default),
        None => (text, None, default),
    }
}

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

/// Checks that the parser accepts the example of a key, and refuses a date.
fn check(path: &[&str], example: &str) {
    let read = |line: &str| {
        let text = match path {
            [table] => format!("[{table}]\n{line}\n"),
            [table, key] => format!("[{table}]\n{key} = {{ {line} }}\n"),
            _ => unreachable!("tables are nested twice"),
        };
        let many = text.replacen('[', "[[", 1).replacen(']', "]]", 1);
        let listed = |text: &str| text.replacen("= {", "= [{", 1).replace(" }\n", " }]\n");
        let read = |text: &str| SceneText::deserialize(&tree::toml(text).ok()?).err().map(|error| error.to_string());
        [listed(&text), listed(&many), text, many].map(|text| read(&text).unwrap_or_default())
    };
    // other keys of the table may be missing
    let fits = |message: &String| message.is_empty() || message.contains("must have the key");
    assert!(read(example).iter().any(fits), "{path:?}: {example}: {:?}", read(example));
    let (key, _) = example.split_once(" = ").expect("a key and a value");
    assert!(!read(&format!("{key} = 2000-01-01")).iter().any(fits), "{path:?}.{key} takes a date");
}

/// The kind of value that a schema accepts, in words.
pub(crate) fn words(schema: &Json) -> String {
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
