//! Keyword arguments as the options of the command line, by the same names.

use std::str::FromStr;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use roundel::circles::ViewBox;
use roundel::io::{LegendChoice, Overrides, RawLayout, ScaleBarChoice};
use roundel::spheres::ClipPlane;
use roundel::{Budget, Culling, Error, RenderSettings, Srgba8};

use crate::error::exception;

/// Options that name the picture. Python code has checked that there are no others.
pub(crate) fn overrides(options: Option<&Bound<'_, PyDict>>, budget: Budget) -> PyResult<Overrides> {
    let mut overrides = Overrides { budget, ..Overrides::default() };
    for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
        if !value.is_none() {
            set(&mut overrides, &name.extract::<String>()?, &value)?;
        }
    }
    Ok(overrides)
}

fn set(overrides: &mut Overrides, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match name {
        "width" => overrides.width = Some(whole(name, value)?),
        "height" => overrides.height = Some(whole(name, value)?),
        "background" => overrides.background = Some(color(name, value)?),
        "view_box" => {
            let [x, y, height] = numbers(name, value)?;
            overrides.view_box = Some(ViewBox { center: [x, y], height });
        }
        "samples" => overrides.samples = Some(whole(name, value)?),
        "look" if value.extract::<&str>().is_ok_and(|name| name == "auto") => overrides.auto_look = true,
        "look" => overrides.look = Some(word(name, value)?),
        "ao_strength" => overrides.look_numbers.ao_strength = Some(number(name, value)?),
        "key" => overrides.look_numbers.key = Some(number(name, value)?),
        "fill" => overrides.look_numbers.fill = Some(number(name, value)?),
        "key_angle" => overrides.look_numbers.key_angle = Some(number(name, value)?),
        "fog" => overrides.look_numbers.fog = Some(number(name, value)?),
        "fog_start" => overrides.look_numbers.fog_start = Some(number(name, value)?),
        "outline_width" => overrides.look_numbers.outline_width = Some(number(name, value)?),
        "outline_depth" => overrides.look_numbers.outline_depth = Some(number(name, value)?),
        "cloud_radius" => overrides.look_numbers.cloud_radius = Some(number(name, value)?),
        "view" => overrides.view = Some(word(name, value)?),
        "azimuth" => overrides.azimuth = Some(number(name, value)?),
        "elevation" => overrides.elevation = Some(number(name, value)?),
        "roll" => overrides.roll = Some(number(name, value)?),
        "zoom" => overrides.zoom = Some(number(name, value)?),
        "palette" => overrides.palette = Some(text(name, value)?),
        "colormap" => overrides.colormap = Some(text(name, value)?),
        "color_range" => overrides.color_range = Some(word(name, value)?),
        "color_scale" => overrides.color_scale = Some(word(name, value)?),
        "outline_color" => overrides.outline_color = Some(color(name, value)?),
        "ao" => overrides.ao = Some(word(name, value)?),
        "ao_distance" => overrides.ao_distance = Some(number(name, value)?),
        "shadows" => overrides.shadows = Some(switch(name, value)?),
        "ambient" => overrides.ambient = Some(number(name, value)?),
        "clip" => overrides.clip = clip_planes(name, value)?,
        "slab" => overrides.slab = Some(pair(name, value)?),
        "seed" => overrides.seed = Some(whole(name, value)?),
        "eye" => overrides.eye = Some(vector(name, value)?),
        "target" => overrides.target = Some(vector(name, value)?),
        "up" => overrides.up = Some(vector(name, value)?),
        "fov" => overrides.fov = Some(number(name, value)?),
        "ortho" => overrides.ortho = Some(switch(name, value)?),
        "ortho_height" => overrides.ortho_height = Some(number(name, value)?),
        "x" => overrides.x = Some(text(name, value)?),
        "y" => overrides.y = Some(text(name, value)?),
        "r" => overrides.r = Some(text(name, value)?),
        "color" => overrides.color = Some(text(name, value)?),
        "color_by" => overrides.color_by = Some(text(name, value)?),
        "radius" => overrides.radius = Some(shown(value)?),
        "assembly" => overrides.assembly = Some(whole(name, value)?),
        "frame" => overrides.frame = Some(whole(name, value)?),
        "wrap" => overrides.wrap = Some(switch(name, value)?),
        "replicate" => overrides.replicate = Some(copies(name, value)?),
        "symmetry" => overrides.symmetry = Some(word(name, value)?),
        "only" => overrides.only = Some(text(name, value)?),
        "hide" => overrides.hide = Some(text(name, value)?),
        "highlight" => overrides.highlight = highlights(name, value)?,
        "title" => overrides.figure.title = Some(text(name, value)?),
        "legend" => overrides.figure.legend = Some(legend(name, value)?),
        "scale_bar" => overrides.figure.scale_bar = Some(scale_bar(name, value)?),
        "axes" => overrides.figure.axes = Some(switch(name, value)?),
        "cell" => overrides.figure.cell = Some(switch(name, value)?),
        "trim" => overrides.figure.trim = trim(name, value)?,
        "scale" => overrides.figure.scale = Some(number(name, value)?),
        "dpi" => overrides.figure.dpi = Some(number(name, value)?),
        "format" => match text(name, value)?.strip_prefix("raw:") {
            Some(_) => overrides.raw = Some(raw_layout(name, value)?),
            None => overrides.format = Some(word(name, value)?),
        },
        _ => return Err(PyTypeError::new_err(format!("unknown option {name}"))),
    }
    Ok(())
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

/// The exception for a value that an option does not take: of its type if `kind` is a `TypeError`, of its value otherwise.
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

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32; the core refuses infinity")]
fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f32> {
    let number: f64 = value.extract().map_err(|kind| refused(value.py(), name, "a number", value, &kind))?;
    Ok(number as f32)
}

/// How often a periodic box is copied along each edge.
fn copies(name: &str, value: &Bound<'_, PyAny>) -> PyResult<[u32; 3]> {
    value.extract().map_err(|kind| refused(value.py(), name, "three whole numbers from 1", value, &kind))
}

/// The columns behind `raw:`.
fn raw_layout(name: &str, value: &Bound<'_, PyAny>) -> PyResult<RawLayout> {
    let text = text(name, value)?;
    let layout = text.strip_prefix("raw:").unwrap_or_default();
    layout.parse().map_err(|error: roundel::Error| PyValueError::new_err(error.to_string()))
}

fn numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    let parts =
        value.try_iter().and_then(|parts| parts.map(|part| part?.extract::<f64>()).collect::<PyResult<Vec<_>>>());
    let refuse = |kind: &PyErr| refused(value.py(), name, "three numbers", value, kind);
    let parts = parts.map_err(|kind| refuse(&kind))?;
    <[f64; 3]>::try_from(parts).map_err(|_| refuse(&PyValueError::new_err("length")))
}

/// Two numbers.
#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32; the core refuses infinity")]
fn pair(name: &str, value: &Bound<'_, PyAny>) -> PyResult<[f32; 2]> {
    let parts: (f64, f64) = value.extract().map_err(|kind| refused(value.py(), name, "two numbers", value, &kind))?;
    Ok([parts.0 as f32, parts.1 as f32])
}

/// One plane or several, as text.
fn clip_planes(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<ClipPlane>> {
    let accepted = "a string such as 'x<12', or a list of such";
    let texts = match value.extract::<String>() {
        Ok(text) => vec![text],
        Err(_) => value.extract::<Vec<String>>().map_err(|kind| refused(value.py(), name, accepted, value, &kind))?,
    };
    texts.iter().map(|text| text.parse().map_err(|error| renamed(name, error))).collect()
}

/// On, off, or with counts.
fn legend(name: &str, value: &Bound<'_, PyAny>) -> PyResult<LegendChoice> {
    match (value.extract::<bool>(), value.extract::<String>().as_deref()) {
        (Ok(true), _) | (_, Ok("on")) => Ok(LegendChoice::On),
        (Ok(false), _) | (_, Ok("off")) => Ok(LegendChoice::Off),
        (_, Ok("counts")) => Ok(LegendChoice::Counts),
        (Err(kind), found) => {
            let kind = if found.is_ok() { PyValueError::new_err("word") } else { kind };
            Err(refused(value.py(), name, "True, False or 'counts'", value, &kind))
        }
    }
}

/// On, off, or a length.
fn scale_bar(name: &str, value: &Bound<'_, PyAny>) -> PyResult<ScaleBarChoice> {
    match (value.extract::<bool>(), value.extract::<f64>()) {
        (Ok(true), _) => Ok(ScaleBarChoice::Suited),
        (Ok(false), _) => Ok(ScaleBarChoice::Off),
        (Err(_), Ok(length)) => Ok(ScaleBarChoice::Length(length)),
        (Err(_), Err(kind)) => Err(refused(value.py(), name, "True, False or a length", value, &kind)),
    }
}

/// On without a margin, off, or a margin in pixels.
fn trim(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    match value.extract::<bool>() {
        Ok(is_trimmed) => Ok(is_trimmed.then_some(0)),
        Err(_) => whole(name, value).map(Some),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32; the core refuses infinity")]
fn vector(name: &str, value: &Bound<'_, PyAny>) -> PyResult<[f32; 3]> {
    numbers(name, value).map(|parts| parts.map(|part| part as f32))
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

pub(crate) fn color(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Srgba8> {
    text(name, value)?.parse::<Srgba8>().map_err(|error| renamed(name, error))
}

/// The exception for an error of a setting, under the argument's own name.
fn renamed(name: &str, error: Error) -> PyErr {
    match error {
        Error::Setting { message, .. } => PyValueError::new_err(format!("{name} {message}")),
        other => exception(other),
    }
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
