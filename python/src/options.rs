//! Keyword arguments as the options of the command line, by the same names.

use std::str::FromStr;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use roundel::io::{LoadOption, LoadOptions, MoleculeStyle, OptionGroup, OptionKind};
use roundel::spheres::Gloss;
use roundel::{Budget, Culling, Error, RenderSettings, Srgba8};

use crate::error::exception;

/// Options that name the picture. Python code has checked that there are no others.
pub(crate) fn overrides(options: Option<&Bound<'_, PyDict>>, budget: Budget) -> PyResult<LoadOptions> {
    let mut overrides = LoadOptions { budget, ..LoadOptions::default() };
    for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
        if !value.is_none() {
            set(&mut overrides, &name.extract::<String>()?, &value)?;
        }
    }
    Ok(overrides)
}

/// Every option of a picture: its name, its group and its description.
#[pyfunction]
pub(crate) fn option_table() -> Vec<(&'static str, &'static str, &'static str)> {
    let group = |group| match group {
        OptionGroup::Shading => "shading",
        OptionGroup::Camera => "camera",
        OptionGroup::Data => "data",
        OptionGroup::Figure => "figure",
        _ => "picture",
    };
    LoadOption::all().iter().map(|option| (option.name, group(option.group), &*option.help)).collect()
}

/// Sets an option by its name in [`LoadOption`], in the words of Python.
fn set(options: &mut LoadOptions, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match name {
        "highlight" => options.highlight = highlights(name, value)?,
        "opacity" => options.opacity = opacities(name, value)?,
        "style" => options.style = styles(name, value)?,
        "gloss" => options.gloss = glosses(name, value)?,
        _ => set_text(options, name, value)?,
    }
    Ok(())
}

/// Sets an option that the command line has as text.
fn set_text(options: &mut LoadOptions, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let option = LoadOption::named(name).ok_or_else(|| PyTypeError::new_err(format!("unknown option {name}")))?;
    for text in texts(option, value)? {
        option.set(options, &text).map_err(|rule| {
            let found = shown(value).unwrap_or_default();
            let found = if rule.contains(", got ") { String::new() } else { format!(", got {found}") };
            PyValueError::new_err(format!("{name} {rule}{found}"))
        })?;
    }
    Ok(())
}

/// The values of an option as the command line has them; none if it is off.
fn texts(option: &LoadOption, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let name = option.name;
    let refuse = |accepted: &str, kind: &PyErr| refused(value.py(), name, accepted, value, kind);
    let one = match option.kind() {
        OptionKind::Switch => switch(name, value)?.to_string(),
        OptionKind::Whole if name == "trim" => match value.extract::<bool>() {
            Ok(false) => return Ok(Vec::new()),
            Ok(true) => "0".to_owned(),
            Err(_) => whole::<u64>(name, value)?.to_string(),
        },
        OptionKind::Whole => whole::<u64>(name, value)?.to_string(),
        OptionKind::Integer => value.extract::<i64>().map_err(|kind| refuse("a whole number", &kind))?.to_string(),
        OptionKind::Number => number(name, value)?.to_string(),
        // one number is a thickness
        OptionKind::Numbers(2) if name == "slab" && value.extract::<f64>().is_ok() => number(name, value)?.to_string(),
        OptionKind::Numbers(2) => {
            let (near, far): (f64, f64) = value.extract().map_err(|kind| refuse("two numbers", &kind))?;
            joined(&[near, far].map(single))
        }
        OptionKind::Numbers(_) => joined(&numbers(name, value)?.map(single)),
        OptionKind::ViewBox => joined(&numbers(name, value)?),
        OptionKind::Counts => {
            let counts: [u32; 3] = value.extract().map_err(|kind| refuse("three whole numbers from 1", &kind))?;
            joined(&counts)
        }
        OptionKind::Text if name == "radius" => shown(value)?,
        OptionKind::Color | OptionKind::Text => text(name, value)?,
        kind @ (OptionKind::Plane | OptionKind::Texts) => {
            let example = if kind == OptionKind::Plane { " such as 'x<12'" } else { "" };
            let accepted = &format!("a string{example}, or a list of such");
            return match value.extract::<String>() {
                Ok(text) => Ok(vec![text]),
                Err(_) => value.extract().map_err(|kind| refuse(accepted, &kind)),
            };
        }
        OptionKind::Pair if name == "contacts" => {
            let accepted = "a list of two selections and perhaps a distance or a rule";
            let refuse = |kind: &PyErr| refuse(accepted, kind);
            let rows: Vec<Vec<Bound<'_, PyAny>>> = value.extract().map_err(|kind| refuse(&kind))?;
            let text = |parts: &Vec<Bound<'_, PyAny>>| {
                let parts: PyResult<Vec<String>> = parts.iter().map(shown).collect();
                let parts = parts?;
                if !(2..=3).contains(&parts.len()) {
                    return Err(refuse(&PyValueError::new_err("count")));
                }
                Ok(parts.join(&LoadOption::PAIR_SEPARATOR.to_string()))
            };
            return rows.iter().map(text).collect();
        }
        OptionKind::Name if name == "hbonds" && value.extract::<bool>().is_ok() => {
            return Ok(if switch(name, value)? { vec!["baker-hubbard".to_owned()] } else { Vec::new() });
        }
        OptionKind::Pair => {
            let accepted = "a list of pairs of a string and a value";
            let pairs: Vec<(String, Bound<'_, PyAny>)> = value.extract().map_err(|kind| refuse(accepted, &kind))?;
            return pairs
                .iter()
                .map(|(first, second)| Ok(format!("{first}{}{}", LoadOption::PAIR_SEPARATOR, shown(second)?)))
                .collect();
        }
        OptionKind::Legend => match (value.extract::<bool>(), value.extract::<String>()) {
            (Ok(is_on), _) => is_on.to_string(),
            // the rule of the option says which words there are
            (_, Ok(word)) => word,
            (Err(kind), _) => return Err(refuse("True, False or a word such as 'counts' or 'below'", &kind)),
        },
        OptionKind::ScaleBar => match value.extract::<bool>() {
            Ok(is_on) => is_on.to_string(),
            Err(_) => {
                let length: f64 = value.extract().map_err(|kind| refuse("True, False or a length", &kind))?;
                length.to_string()
            }
        },
        // the rule of the option says what it takes
        _ if value.is_instance_of::<PyString>() || value.extract::<f64>().is_ok() => shown(value)?,
        _ => return Err(refuse("a string or a whole number", &PyTypeError::new_err("type"))),
    };
    Ok(vec![one])
}

fn joined(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32; the core refuses infinity")]
fn single(number: f64) -> f32 {
    number as f32
}

/// Options that change time and memory, and no pixel.
pub(crate) fn settings(options: Option<&Bound<'_, PyDict>>) -> PyResult<RenderSettings> {
    let mut settings = RenderSettings::default();
    for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
        let name = name.extract::<String>()?;
        if value.is_none() {
            continue;
        }
        match &*name {
            "threads" => {
                let threads: usize = whole(&name, &value)?;
                if !(1..=4096).contains(&threads) {
                    return Err(PyValueError::new_err(format!("threads must be 1 to 4096, got {threads}")));
                }
                settings.threads = Some(threads);
            }
            "tile" => settings.tile_size = Some(whole(&name, &value)?),
            "simd" => settings.simd = word(&name, &value)?,
            "no_cull" => settings.culling = if switch(&name, &value)? { Culling::Off } else { Culling::On },
            "limit_pixels" => settings.budget.pixels = whole(&name, &value)?,
            "limit_shapes" => settings.budget.shapes = whole(&name, &value)?,
            "limit_memory" => settings.budget.memory = whole(&name, &value)?,
            _ => return Err(PyTypeError::new_err(format!("unknown option {name}"))),
        }
    }
    Ok(settings)
}

/// The exception for a value that an option does not take: about its type if `kind` is a `TypeError`, about its value
/// otherwise.
fn refused(py: Python<'_>, name: &str, accepted: &str, value: &Bound<'_, PyAny>, kind: &PyErr) -> PyErr {
    let found = value.repr().map_or_else(|_| "another object".to_owned(), |text| text.to_string());
    let found =
        if found.chars().count() > 80 { format!("{} …", found.chars().take(80).collect::<String>()) } else { found };
    let message = format!("{name} must be {accepted}, got {found}");
    if kind.is_instance_of::<PyTypeError>(py) { PyTypeError::new_err(message) } else { PyValueError::new_err(message) }
}

fn whole<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract().map_err(|kind| refused(value.py(), name, "a whole number that is not negative", value, &kind))
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f32> {
    value.extract().map(single).map_err(|kind| refused(value.py(), name, "a number", value, &kind))
}

fn numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    let parts =
        value.try_iter().and_then(|parts| parts.map(|part| part?.extract::<f64>()).collect::<PyResult<Vec<_>>>());
    let wanted = if name == "view_box" { "x, y and height in pixels" } else { "three numbers" };
    let refuse = |kind: &PyErr| refused(value.py(), name, wanted, value, kind);
    let parts = parts.map_err(|kind| refuse(&kind))?;
    <[f64; 3]>::try_from(parts).map_err(|_| refuse(&PyValueError::new_err("length")))
}

fn switch(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|kind| refused(value.py(), name, "True or False", value, &kind))
}

fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract().map_err(|kind| refused(value.py(), name, "a string", value, &kind))
}

/// A string, or a number as its text.
fn shown(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.str().map(|text| text.to_string())
}

/// A word or a number as the command line takes it: `"smooth"`, `16`.
fn word<T: FromStr>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T>
where
    T::Err: Into<Error>,
{
    if !(value.is_instance_of::<PyString>() || value.extract::<u64>().is_ok()) {
        let kind = PyTypeError::new_err("type");
        return Err(refused(value.py(), name, "a string or a whole number", value, &kind));
    }
    shown(value)?.parse::<T>().map_err(|error| renamed(name, error.into()))
}

/// The exception for an error of a setting, under the argument's own name.
fn renamed(name: &str, error: Error) -> PyErr {
    match error {
        Error::Setting { message, .. } => PyValueError::new_err(format!("{name} {message}")),
        other => exception(other),
    }
}

/// One opacity, or pairs of a selection and an opacity.
fn opacities(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<(Option<String>, f32)>> {
    if let Ok(opacity) = value.extract() {
        return Ok(vec![(None, opacity)]);
    }
    let pairs: Vec<(String, f32)> = value.extract().map_err(|kind| {
        refused(value.py(), name, "a number from 0 to 1, or a list of pairs of a selection and a number", value, &kind)
    })?;
    Ok(pairs.into_iter().map(|(selection, opacity)| (Some(selection), opacity)).collect())
}

/// One style, or pairs of a selection and a style.
fn styles(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<(Option<String>, MoleculeStyle)>> {
    let pairs: Vec<(Option<String>, String)> = match value.extract::<String>() {
        Ok(style) => vec![(None, style)],
        Err(_) => {
            let pairs: Vec<(String, String)> = value.extract().map_err(|kind| {
                refused(value.py(), name, "a style, or a list of pairs of a selection and a style", value, &kind)
            })?;
            pairs.into_iter().map(|(selection, style)| (Some(selection), style)).collect()
        }
    };
    let parsed = pairs.into_iter().map(|(selection, style)| {
        let style = style.parse().map_err(|error| renamed(name, error))?;
        Ok((selection, style))
    });
    parsed.collect()
}

/// One strength of highlights, a pair with their roughness, or pairs of a selection and one of these.
fn glosses(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<(Option<String>, Gloss)>> {
    #[derive(FromPyObject)]
    enum Given {
        One(f32),
        Two((f32, f32)),
    }
    let gloss = |given: Given| {
        let text = match given {
            Given::One(specular) => specular.to_string(),
            Given::Two((specular, roughness)) => format!("{specular},{roughness}"),
        };
        text.parse::<Gloss>().map_err(|error| renamed(name, error))
    };
    if let Ok(given) = value.extract::<Given>() {
        return Ok(vec![(None, gloss(given)?)]);
    }
    let pairs: Vec<(String, Given)> = value.extract().map_err(|kind| {
        let accepted =
            "a number from 0 to 1, a strength and a roughness, or a list of pairs of a selection and one of these";
        refused(value.py(), name, accepted, value, &kind)
    })?;
    pairs.into_iter().map(|(selection, given)| Ok((Some(selection), gloss(given)?))).collect()
}

/// Pairs of a selection and a colour.
fn highlights(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Srgba8)>> {
    let pairs: Vec<(String, String)> = value
        .extract()
        .map_err(|kind| refused(value.py(), name, "a list of pairs of a selection and a colour", value, &kind))?;
    let pair = |(selection, color): (String, String)| {
        color.parse().map(|color| (selection, color)).map_err(|error| renamed(name, error))
    };
    pairs.into_iter().map(pair).collect()
}
