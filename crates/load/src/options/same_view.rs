//! The camera of another picture, from a scene file or the output of `roundel info --json`.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::geom::single;
use crate::memory_quota::Quota;
use crate::options::load_options::LoadOptions;
use crate::options::picture_settings;
use crate::source::input::Input;

/// The options, completed by the camera of the file that `same_view` names.
///
/// # Errors
/// When the file cannot be read, or has no camera; when the options say another view.
pub fn applied(options: &LoadOptions) -> Result<Cow<'_, LoadOptions>> {
    let Some(path) = &options.same_view else { return Ok(Cow::Borrowed(options)) };
    let message = || "and same_view both say from where to look; give one".to_owned();
    picture_settings::refuse_given(["view", "eye", "target", "focus"], options, message)?;
    let input = Input::open(Path::new(path), Quota::new(options.budget))?;
    let file = input.name.clone();
    let refuse = |found: &str| {
        let accepted =
            "same_view takes a scene file, or what `roundel info FILE --json` prints with the options of the picture";
        Error::input(&file, None, format!("{found}; {accepted}"))
    };
    if is_picture(input.head()) {
        return Err(refuse("is a picture, which does not keep its camera"));
    }
    let (_, text) = input.scene_text()?;
    let value: Option<Value> =
        if text.trim_start().starts_with('{') { serde_json::from_str(&text).ok() } else { toml::from_str(&text).ok() };
    let value = value.ok_or_else(|| refuse("is neither TOML nor JSON"))?;
    let camera = value.get("scene").and_then(|scene| scene.get("camera")).or(value.get("camera"));
    let Some(camera) = camera else {
        let is_unwritten = value.get("scene").is_some_and(Value::is_null);
        let unwritten = "describes a picture that no scene file draws, as one with a focus, and states no camera";
        return Err(refuse(if is_unwritten { unwritten } else { "has no camera" }));
    };
    let number = |key: &str| camera.get(key).and_then(Value::as_f64);
    let place = |key: &str| numbers::<3>(camera.get(key)?);
    let side = |key: &str| camera.get(key).and_then(Value::as_u64).and_then(|side| u32::try_from(side).ok());
    let (Some(eye), Some(target)) = (place("eye"), place("target")) else {
        return Err(refuse("has a camera without eye and target, which depends on what it shows"));
    };
    let mut same = LoadOptions { same_view: None, eye: Some(eye), target: Some(target), ..options.clone() };
    same.up = same.up.or(place("up").map(|up| up.map(single)));
    let keeps_lens = options.fov.is_none() && options.ortho_height.is_none() && options.ortho.is_none();
    if keeps_lens {
        (same.fov, same.ortho_height) = (number("fov").map(single), number("ortho_height").map(single));
    }
    let turns = [
        ("azimuth", &mut same.azimuth),
        ("elevation", &mut same.elevation),
        ("roll", &mut same.roll),
        ("zoom", &mut same.zoom),
    ];
    for (key, own) in turns {
        *own = own.or(number(key).map(single));
    }
    if let (Some(width), Some(height), None) = (side("width"), side("height"), options.figure.figure_width) {
        (same.width, same.height) = in_proportion([options.width, options.height], [width, height]);
    }
    if same.slab.is_none() && same.slab_thickness.is_none() {
        same.slab = camera.get("slab").and_then(numbers).map(|slab| slab.map(single));
    }
    if same.clip.is_empty() {
        let planes = camera.get("clip").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        same.clip = planes.map(str::parse).collect::<Result<_>>()?;
    }
    Ok(Cow::Owned(same))
}

/// The sides of a picture: those that are given, and others in the proportion of the sides of another picture.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and `as` saturates")]
fn in_proportion(given: [Option<u32>; 2], [width, height]: [u32; 2]) -> (Option<u32>, Option<u32>) {
    let scaled = |side: u32, from: u32, to: u32| {
        let length = f64::from(side) * f64::from(to) / f64::from(from.max(1));
        ((length + 0.5) as u32).max(1)
    };
    match given {
        [None, None] => (Some(width), Some(height)),
        [Some(across), None] => (Some(across), Some(scaled(across, width, height))),
        [None, Some(down)] => (Some(scaled(down, height, width)), Some(down)),
        [across, down] => (across, down),
    }
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    numbers?.try_into().ok()
}

/// Whether a file that begins like this is a picture.
fn is_picture(head: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 6] = [b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"%PDF"];
    let is_webp = head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP");
    is_webp || BEGINNINGS.iter().any(|beginning| head.starts_with(beginning))
}
