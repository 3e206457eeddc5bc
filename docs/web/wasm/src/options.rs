//! Options as JavaScript has them: the names of the command line's flags with underscores, and plain values.

use roundel::Srgba8;
use roundel::io::{LoadOption, LoadOptions, OptionKind};
use serde_json::{Map, Value};

/// Reads options by name. `null` leaves an option alone.
pub(crate) fn parse(values: &Map<String, Value>) -> Result<LoadOptions, String> {
    let mut options = LoadOptions::default();
    for (name, value) in values.iter().filter(|(_, value)| !value.is_null()) {
        let refuse = |rule: String| format!("{name} {rule}, got {value}");
        match name.as_str() {
            "highlight" => {
                for (rows, color) in pairs(value).ok_or_else(|| refuse(PAIRS.to_owned()))? {
                    let (color, label) = color.split_once('=').unwrap_or((&color, ""));
                    let color: Srgba8 = color.parse().map_err(|error: roundel::Error| refuse(error.to_string()))?;
                    options.highlight.push((rows.unwrap_or_else(|| "all".to_owned()), color));
                    options.highlight_labels.push(label.to_owned());
                }
            }
            "opacity" => {
                for (rows, opacity) in pairs(value).ok_or_else(|| refuse(PAIRS.to_owned()))? {
                    let opacity = opacity.parse().map_err(|_| refuse("must be a number from 0 to 1".to_owned()))?;
                    options.opacity.push((rows, opacity));
                }
            }
            "style" => {
                for (rows, style) in pairs(value).ok_or_else(|| refuse(PAIRS.to_owned()))? {
                    let style = style.parse().map_err(|error: roundel::Error| error.to_string())?;
                    options.style.push((rows, style));
                }
            }
            "gloss" => {
                for (rows, gloss) in pairs(value).ok_or_else(|| refuse(PAIRS.to_owned()))? {
                    let gloss = gloss.parse().map_err(|error: roundel::Error| error.to_string())?;
                    options.gloss.push((rows, gloss));
                }
            }
            _ => {
                let option = LoadOption::named(name).ok_or_else(|| unknown(name))?;
                for text in texts(value, option).ok_or_else(|| refuse("must be text or numbers".to_owned()))? {
                    option.set(&mut options, &text).map_err(&refuse)?;
                }
            }
        }
    }
    Ok(options)
}

const PAIRS: &str = "must be a value, or a list of pairs of a selection and a value";

/// The error for an option that there is not.
fn unknown(name: &str) -> String {
    let names = LoadOption::all().iter().map(|option| option.name).chain(["highlight", "opacity", "style", "gloss"]);
    let nearest = names.max_by(|a, b| strsim::jaro(name, a).total_cmp(&strsim::jaro(name, b)));
    format!("unknown option {name}; did you mean {}?", nearest.unwrap_or_default())
}

/// The texts that the command line has for a value: several for options that may be given several times.
fn texts(value: &Value, option: &LoadOption) -> Option<Vec<String>> {
    match (value, option.kind()) {
        // `true` is the flag without a value
        (Value::Bool(true), _) => Some(vec![option.alone()?.to_owned()]),
        (Value::Bool(false), OptionKind::Legend | OptionKind::ScaleBar) => Some(vec!["off".to_owned()]),
        (Value::Array(values), OptionKind::Plane | OptionKind::Texts) => values.iter().map(text).collect(),
        (_, OptionKind::Pair) => {
            let pairs = pairs(value)?.into_iter();
            pairs.map(|(first, second)| Some(format!("{}{}{second}", first?, LoadOption::PAIR_SEPARATOR))).collect()
        }
        (Value::Array(values), _) => {
            let parts: Option<Vec<String>> = values.iter().map(text).collect();
            Some(vec![parts?.join(",")])
        }
        _ => Some(vec![text(value)?]),
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_on) => Some(is_on.to_string()),
        _ => None,
    }
}

/// Pairs of a selection and a value: `value` for all rows, `[selection, value]`, or a list of such pairs.
fn pairs(value: &Value) -> Option<Vec<(Option<String>, String)>> {
    let pair = |value: &Value| match value.as_array().map(Vec::as_slice) {
        None => Some((None, text(value)?)),
        Some([Value::Null, value]) => Some((None, text(value)?)),
        Some([rows, value]) => Some((Some(text(rows)?), text(value)?)),
        Some(_) => None,
    };
    match value.as_array() {
        Some(list) if list.iter().all(Value::is_array) => list.iter().map(pair).collect(),
        _ => Some(vec![pair(value)?]),
    }
}

/// An option as an object: name, help and what it takes.
pub(crate) fn describe(option: &LoadOption) -> Value {
    serde_json::json!({
        "name": option.name, "value": option.value, "help": option.help, "names": option.names(),
        "kind": format!("{:?}", option.kind()),
    })
}
