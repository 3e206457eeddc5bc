//! Spheres in NFF, the Neutral File Format, with the file's viewpoint and background.
//!
//! Cones, polygons, lights and gloss are left out, and counted in notes; lights and gloss come from the look. Without a
//! background it is black, as the format is defined. The numbers of cones and polygons may be on the line of their
//! letter or on the lines below.
//!
//! Source: E. Haines, "A Proposal for Standard Graphics Environments", *IEEE Computer Graphics and Applications*, 1987,
//! and the file NFF.TXT of the Standard Procedural Databases.

use super::facts::FileViewpoint;
use super::reading::Reading;
use super::wanted::{Field, Header, Wanted};
use crate::color::Srgba8;
use crate::data::Kind;
use crate::error::{Error, Result};
use crate::geom::single;
use crate::io::did_you_mean::shortened;
use crate::io::source::columns::PartBuilder;
use crate::io::source::input::Stream;
use crate::io::source::number::number;
use crate::io::source::pieces::{Text, words};
use crate::io::source::rows::is_in_range;

/// Indices of the columns.
const RADIUS: usize = 0;
const COLOR: usize = 1;

/// Spheres of a block.
const ROWS: usize = 1 << 16;

const MOST_CORNERS: f64 = 1e6;

/// Whether a text of unknown format is NFF: a viewpoint comes first, or after a background, lights and a colour.
pub(super) fn sniff(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_global = |line: &&str| {
        let mut words = line.split_ascii_whitespace();
        matches!(words.next(), Some("b" | "l" | "f"))
            && words.clone().count() >= 3
            && words.all(|word| number(word.as_bytes()).is_some())
    };
    let mut lines = lines.skip_while(is_global);
    lines.next() == Some("v") && lines.next().is_none_or(|line| line.starts_with("from"))
}

#[derive(Debug, Default)]
struct LeftOut {
    shapes: u64,
    lights: u64,
    /// Colours with `Ks` or `Shine`, and with `T`.
    shiny: u64,
    clear: u64,
}

impl LeftOut {
    fn notes(&self, file: &str) -> Vec<String> {
        let colors = |count| if count == 1 { "1 colour".to_owned() } else { format!("{count} colours") };
        let Self { shapes, lights, shiny, clear } = *self;
        let notes = [
            (shapes > 0).then(|| format!("{shapes} cones and polygons are left out; only spheres are drawn")),
            (lights == 1).then(|| "1 light is left out; the picture has the light of its look".to_owned()),
            (lights > 1).then(|| format!("{lights} lights are left out; the picture has the light of its look")),
            (shiny > 0).then(|| format!("highlights (Ks, Shine) of {} are not drawn", colors(shiny))),
            (clear > 0).then(|| format!("transparency (T) of {} is not drawn", colors(clear))),
        ];
        notes.into_iter().flatten().map(|note| format!("{file}: {note}")).collect()
    }
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    reading.only_first_frame()?;
    let fields = vec![Field::new("radius", Kind::F32), Field::new("color", Kind::Color)];
    reading.begin(Header { fields, has_positions: true, chains: None })?;
    let mut objects =
        NffObjects { color: Srgba8::WHITE, builder: None, left_out: LeftOut::default(), background: Srgba8::BLACK };
    while let Some(line) = text.text_line()? {
        let mut words = line.split_ascii_whitespace();
        let Some(word) = words.next().filter(|word| !word.starts_with('#')) else { continue };
        let count = words.clone().count() as u64;
        let numbers: Vec<Option<f64>> =
            words.take(16).map(|word| number(word.as_bytes()).filter(|value| value.is_finite())).collect();
        objects.read(&mut text, reading, &NffLine { word, numbers, count })?;
        if objects.builder.as_ref().is_some_and(|(builder, _)| builder.rows() == ROWS) {
            push(reading, &mut objects.builder)?;
        }
    }
    push(reading, &mut objects.builder)?;
    if reading.rows == 0 {
        return Err(Error::input(&text.file, None, "the file has no spheres"));
    }
    reading.facts.viewpoint.get_or_insert_default().background = Some(objects.background);
    reading.facts.notes.extend(objects.left_out.notes(&text.file));
    Ok(())
}

/// A line: its first word, the numbers that may follow, and the number of words that follow.
struct NffLine<'a> {
    word: &'a str,
    numbers: Vec<Option<f64>>,
    count: u64,
}

struct NffObjects {
    /// The colour of the objects that follow.
    color: Srgba8,
    builder: Option<(PartBuilder, Wanted)>,
    left_out: LeftOut,
    /// The definition: "if no background color is set, assume RGB = {0,0,0}".
    background: Srgba8,
}

impl NffObjects {
    /// Reads the entity that begins with this line.
    fn read(&mut self, text: &mut Text, reading: &mut Reading<'_>, line: &NffLine<'_>) -> Result<()> {
        let Self { color, builder, left_out, background } = self;
        let &NffLine { word, ref numbers, count } = line;
        match word {
            "v" => reading.facts.viewpoint = Some(viewpoint(text)?),
            "b" => *background = rgb(all(text, word, numbers, "red, green and blue")?),
            "f" => {
                *color = rgb(all(text, word, numbers, "red, green and blue")?);
                // Kd, Ks, Shine, T and the index of refraction follow
                let is_set = |place: usize| numbers.get(place).copied().flatten().is_some_and(|value| value > 0.0);
                left_out.shiny += u64::from(is_set(4));
                left_out.clear += u64::from(is_set(6));
            }
            "s" => {
                let [x, y, z, radius] = all(text, word, numbers, "a centre and a radius")?;
                let (builder, wanted) = builder.get_or_insert_with(|| {
                    let wanted = reading.wanted_of_next(ROWS as u64);
                    (wanted.builder(0), wanted)
                });
                let rows = reading.rows + builder.rows() as u64 + 1;
                reading.check_rows(rows, || format!("{}:{}: sphere {rows}", text.file, text.number()))?;
                add(builder, wanted, [x, y, z], radius, *color).map_err(|message| text.refuse(message))?;
            }
            "l" => left_out.lights += 1,
            "c" => {
                left_out.shapes += 1;
                // two ends, each with a place and a radius
                skip_numbers(text, 8_u64.saturating_sub(count))?;
            }
            "p" | "pp" => {
                let [corners] = all(text, word, numbers, "the number of its corners")?;
                if !(0.0..=MOST_CORNERS).contains(&corners) || corners.fract() != 0.0 {
                    return Err(text.refuse(format!("a polygon must have a whole number of corners, got {corners}")));
                }
                left_out.shapes += 1;
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
                let numbers = corners as u64 * if word == "pp" { 6 } else { 3 };
                skip_numbers(text, (numbers + 1).saturating_sub(count))?;
            }
            word => {
                let accepted = "v, b, l, f, s, c, p or pp";
                return Err(text.refuse(format!("must begin with {accepted}, got {:?}", shortened(word))));
            }
        }
        Ok(())
    }
}

/// Skips lines of numbers until `count` numbers have been skipped.
fn skip_numbers(text: &mut Text, count: u64) -> Result<()> {
    let mut left = count;
    while left > 0 {
        let Some(line) = text.peek()? else { break };
        let first = words(line).next();
        match first {
            Some(word) if number(word).is_some() => left = left.saturating_sub(words(line).count() as u64),
            Some(word) if !word.starts_with(b"#") => break,
            _ => {}
        }
        text.line()?;
    }
    Ok(())
}

/// Reads the lines after `v`; the resolution is the last.
fn viewpoint(text: &mut Text) -> Result<FileViewpoint> {
    let mut found = FileViewpoint::default();
    for _ in 0..6 {
        let Some(line) = text.text_line()? else { break };
        let mut words = line.split_ascii_whitespace();
        let word = words.next().unwrap_or_default();
        let numbers: Vec<Option<f64>> =
            words.take(4).map(|word| number(word.as_bytes()).filter(|value| value.is_finite())).collect();
        let point = |text: &Text| -> Result<[f64; 3]> {
            let point = all(text, word, &numbers, "three numbers")?;
            let finite = point.iter().all(|value| is_in_range(*value));
            if finite { Ok(point) } else { Err(text.refuse(format!("{word} must be between -3.4e38 and 3.4e38"))) }
        };
        match word {
            "from" => found.eye = Some(point(text)?),
            "at" => found.target = Some(point(text)?),
            "up" => found.up = Some(point(text)?.map(single)),
            "angle" => {
                let [angle] = all(text, word, &numbers, "an angle")?;
                if !(0.01..=179.0).contains(&angle) {
                    return Err(text.refuse(format!("angle must be 0.01 to 179 degrees, got {angle}")));
                }
                found.fov = Some(single(angle));
            }
            // there is no near clipping plane
            "hither" => {}
            "resolution" => {
                let sides: [f64; 2] = all(text, word, &numbers, "two whole numbers")?;
                let whole = |side: &f64| (1.0..=f64::from(u32::MAX)).contains(side) && side.fract() == 0.0;
                if !sides.iter().all(whole) {
                    return Err(text.refuse(format!("resolution must be two whole numbers, got {sides:?}")));
                }
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
                {
                    found.size = Some((sides[0] as u32, sides[1] as u32));
                }
                return Ok(found);
            }
            word => {
                let accepted = "from, at, up, angle, hither or resolution";
                return Err(text.refuse(format!("must be {accepted}, got {:?}", shortened(word))));
            }
        }
    }
    Ok(found)
}

/// The first `N` numbers; an error if there are fewer.
fn all<const N: usize>(text: &Text, word: &str, numbers: &[Option<f64>], what: &str) -> Result<[f64; N]> {
    let found = numbers.get(..N).and_then(|numbers| numbers.iter().copied().collect::<Option<Vec<f64>>>());
    let found = found.and_then(|numbers| <[f64; N]>::try_from(numbers).ok());
    found.ok_or_else(|| text.refuse(format!("{} must be followed by {what}", shortened(word))))
}

/// A colour of channels from 0 to 1.
fn rgb([r, g, b]: [f64; 3]) -> Srgba8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let channel = |value: f64| (value * 255.0).clamp(0.0, 255.0).round() as u8;
    Srgba8 { r: channel(r), g: channel(g), b: channel(b), a: 255 }
}

fn add(builder: &mut PartBuilder, wanted: &Wanted, place: [f64; 3], radius: f64, color: Srgba8) -> Result<(), String> {
    for (growing, want) in builder.columns.iter_mut().zip(&wanted.columns) {
        let text = match want.field {
            // a negative radius turns the sphere inside out, which looks the same
            RADIUS => radius.abs().to_string(),
            COLOR => color.to_string(),
            _ => String::new(),
        };
        growing.push(text.as_bytes()).map_err(|accepted| format!("must be {accepted}, got {text:?}"))?;
    }
    if !place.iter().all(|value| is_in_range(*value)) {
        return Err(format!("the position must be between -3.4e38 and 3.4e38, got {place:?}"));
    }
    builder.place(|| Ok(place))
}

fn push(reading: &mut Reading<'_>, builder: &mut Option<(PartBuilder, Wanted)>) -> Result<()> {
    builder.take().map_or(Ok(()), |(builder, _)| reading.push(builder.finish()))
}
