//! Atoms in XYZ: a line with their number, a comment line, then one line per atom with element and coordinates.
//!
//! One frame is read, by default the first. More columns may follow the coordinates; the "extended" form names them in
//! the comment, as in `Properties=species:S:1:pos:R:3:charge:R:1`, otherwise they are named `column5` and so on.
//! `Lattice="…"` in the comment is the periodic box.
//!
//! Tinker's files have the same extension: the number of atoms before a title, then perhaps the box, then one line per
//! atom with number, name, coordinates, type and bonds.

use super::elements::element_of_simulated;
use super::facts::FrameTime;
use super::frames;
use super::reading::Reading;
use super::wanted::{Axes, Field, Header, Wanted};
use super::xyz_comment::{self, Property, lattice};
use crate::color::elements::{Atomic, symbol_of_species};
use crate::data::{Cell, Kind};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::source::frame_places::ends_line;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::piece::Piece;
use crate::source::pieces::Text;
use crate::source::rows::{RowParser, RowPosition, Separator};
use crate::source::until::Until;

/// Names of properties that hold red, green, blue and perhaps alpha.
const COLORS: [&str; 5] = ["color", "colour", "colors", "rgb", "rgba"];

/// The columns of a line, with indices from 0.
struct XyzLayout {
    /// The first coordinate.
    position: usize,
    /// Whether there are two coordinates, which are fields as well.
    is_plane: bool,
    /// The least number of words of a line.
    width: usize,
    /// All other columns and their indices, the element first.
    fields: Vec<(Field, usize)>,
    /// Maps the element's name in the file to a symbol.
    symbol: fn(&str) -> &str,
}

/// The fewest words of an atom of Tinker's: number, name, coordinates and type. Bonds may follow.
const TINKER_WORDS: usize = 6;

/// Whether a file named `.xyz` is a point cloud: its first row has three or more numbers and no words.
pub(super) fn is_cloud(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '/']));
    let words = |line: &str| -> Vec<String> {
        line.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    lines.next().is_some_and(|line| {
        let words = words(line);
        words.len() >= 3 && words.iter().all(|word| number(word.as_bytes()).is_some())
    })
}

fn is_tinker(text: &str) -> bool {
    let mut lines = text.lines();
    let count = lines.next().and_then(|line| line.split_ascii_whitespace().next()?.parse::<u64>().ok());
    let mut first = lines.next().unwrap_or_default();
    if tinker_cell(first).is_some() {
        first = lines.next().unwrap_or_default();
    }
    let words: Vec<&str> = first.split_ascii_whitespace().collect();
    let is_number = |word: &str| number(word.as_bytes()).is_some();
    let is_whole = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    count.is_some()
        && words.len() >= 6
        && is_whole(words[0])
        && !is_number(words[1])
        && words[2..5].iter().all(|word| is_number(word))
        && words[5..].iter().all(|word| is_whole(word))
}

/// Whether a line is a single whole number.
pub(super) fn is_count(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text of unknown format is XYZ: a line with a single number, and two lines below it a name with three
/// numbers.
pub(super) fn sniff(text: &str) -> bool {
    let mut lines = text.lines();
    let has_count = lines.next().is_some_and(is_count);
    // GROMACS has its count on the second line
    is_tinker(text) || has_count && lines.nth(1).is_none_or(|atom| atom.split_ascii_whitespace().count() >= 4)
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    if is_tinker(&String::from_utf8_lossy(&stream.head)) {
        return read_tinker(stream, reading);
    }
    let mut text = Text::new(stream);
    let wanted = reading.extent.frame;
    let marks = frames::seek(&mut text, reading, ends_line, |text, _| skip_frame(text))?;
    let Some(count) = next_count(&mut text)? else { return Err(reading.no_frame(wanted)) };
    reading.facts.is_empty_frame = count == 0;
    let promised = format!("{}:{}: the frame promises {count} atoms", text.file, text.number());
    let comment = text.text_line()?.unwrap_or_default();
    let first = if count > 0 { text.peek_text()? } else { String::new() };
    let layout = layout(&comment, &first).map_err(|message| text.refuse(message))?;
    let words = first.split_ascii_whitespace().count();
    if (1..layout.width).contains(&words) && layout.width > 4 {
        let message = format!("Properties has {} columns, but the first atom has {words}", layout.width);
        let error = text.refuse(message);
        text.line()?;
        return Err(frames::cut_off(&mut text, reading, wanted, error));
    }
    let mut notes = Vec::new();
    reading.facts.cell = lattice(&comment, &mut notes);
    let noted = notes.into_iter().map(|note| format!("{}:{}: {note}", text.file, text.number()));
    reading.facts.notes.extend(noted);
    reading.note_time(wanted, FrameTime::of_text(&comment));
    read_frame(&mut text, reading, &layout, count, &promised)
        .map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    frames::count(&mut text, reading, marks, |text, _| skip_frame(text))
}

/// Skips a frame, and returns the time in its comment; `None` at the end of the file.
fn skip_frame(text: &mut Text) -> Result<Option<FrameTime>> {
    let Some(count) = next_count(text)? else { return Ok(None) };
    let comment = text.text_line()?;
    frames::skip_rows(text, count, None)?;
    Ok(Some(comment.map(|comment| FrameTime::of_text(&comment)).unwrap_or_default()))
}

fn read_tinker(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let wanted = reading.extent.frame;
    let mut frame = 0;
    let count = loop {
        let Some(count) = next_tinker_count(&mut text)? else { return Err(reading.no_frame(frame)) };
        reading.facts.cell = tinker_cell(&text.peek_text()?);
        if reading.facts.cell.is_some() {
            text.line()?;
        }
        if frame == wanted {
            break count;
        }
        let skipped = frames::skip_rows(&mut text, count, Some(TINKER_WORDS));
        skipped.map_err(|error| frames::cut_off(&mut text, reading, frame, error))?;
        frame += 1;
    };
    reading.facts.is_empty_frame = count == 0;
    let promised = format!("{}:{}: the frame promises {count} atoms", text.file, text.number());
    let columns = [("element", Kind::Name, 1), ("name", Kind::Name, 1), ("type", Kind::Integer, 5)];
    let fields = columns.map(|(name, kind, place)| (Field::new(name, kind), place)).into();
    let layout = XyzLayout { position: 2, is_plane: false, width: 5, fields, symbol: symbol_of_tinker };
    read_frame(&mut text, reading, &layout, count, &promised)
        .map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    frames::count_each(
        &mut text,
        |text| text,
        reading,
        |text, _| {
            let Some(count) = next_tinker_count(text)? else { return Ok(false) };
            if tinker_cell(&text.peek_text()?).is_some() {
                text.line()?;
            }
            frames::skip_rows(text, count, Some(TINKER_WORDS))?;
            Ok(true)
        },
    )
}

/// The number of atoms before a title; `None` at the end of the file.
fn next_tinker_count(text: &mut Text) -> Result<Option<u64>> {
    loop {
        let Some(line) = text.text_line()? else { return Ok(None) };
        if let Some(count) = line.split_ascii_whitespace().next() {
            let refuse = |_| text.refuse(format!("must be the number of atoms, got {:?}", shortened(count)));
            return count.parse().map(Some).map_err(refuse);
        }
    }
}

/// The box, on a line of its own: three lengths and three angles.
fn tinker_cell(line: &str) -> Option<Cell> {
    let numbers: Option<Vec<f64>> = line.split_ascii_whitespace().map(|word| number(word.as_bytes())).collect();
    let [a, b, c, alpha, beta, gamma] = <[f64; 6]>::try_from(numbers?).ok()?;
    Cell::from_lengths_and_angles([a, b, c], [alpha, beta, gamma])
}

/// The symbol of a Tinker atom from the name of its kind: one letter in `CA`, `HN` and `OW`, two in `Na+`.
fn symbol_of_tinker(name: &str) -> &str {
    let is_ion = name.as_bytes().get(1).is_some_and(u8::is_ascii_lowercase);
    match name.get(..2).filter(|_| is_ion).and_then(|symbol| Atomic::from_symbol(symbol.as_bytes())) {
        Some(element) => element.symbol(),
        None => element_of_simulated(name.as_bytes(), b""),
    }
}

/// Announces the columns of a frame and reads its atoms; `promised` begins the message for a frame that does not fit
/// the budget.
fn read_frame(
    text: &mut Text,
    reading: &mut Reading<'_>,
    layout: &XyzLayout,
    count: u64,
    promised: &str,
) -> Result<()> {
    let fields = layout.fields.iter().map(|(field, _)| field.clone()).collect();
    reading.begin(Header { fields, has_positions: !layout.is_plane, chains: None })?;
    reading.check_rows(count, || promised.to_owned())?;
    read_atoms(text, reading, layout, count)?;
    if reading.rows() < count {
        let message = format!("the frame promises {count} atoms, but the file ends after {}", reading.rows());
        return Err(text.refuse(message));
    }
    Ok(())
}

fn read_atoms(text: &mut Text, reading: &mut Reading<'_>, layout: &XyzLayout, count: u64) -> Result<()> {
    let at = layout.position;
    let axes: &[usize] = &[at, at + 1, at + 2][..if layout.is_plane { 2 } else { 3 }];
    let element = layout.fields.iter().position(|(field, _)| field.name == "element");
    let name = |place: usize| match axes.iter().position(|&axis| axis == place) {
        Some(axis) => ["x", "y", "z"][axis].to_owned(),
        None => {
            let field = layout.fields.iter().find(|(_, at)| *at == place);
            field.map(|(field, _)| field.name.clone()).unwrap_or_default()
        }
    };
    let parse = |piece: &Piece, wanted: &Wanted, room: u64| {
        let axes = if wanted.axes == Axes::None { &[] } else { axes };
        let rows = RowParser {
            separator: Separator::Blanks,
            fields: 0,
            comment: None,
            has_gaps: false,
            short: "must be an element and its coordinates",
            dimensions: match axes.len() {
                0 => RowPosition::None,
                2 => RowPosition::Plane,
                _ => RowPosition::Space,
            },
            sinks: wanted.sinks(|field| layout.fields[field].1, axes),
            kinds: wanted.kinds(),
            meaning: element.and_then(|field| wanted.find(field)).map(|column| (column, layout.symbol)),
            name: &name,
        };
        rows.parse(piece, room)
    };
    reading.parse(text, Until::Lines(count), &parse)
}

/// The number of atoms at the start of a frame; `None` at the end of the file.
fn next_count(text: &mut Text) -> Result<Option<u64>> {
    loop {
        let Some(line) = text.text_line()? else { return Ok(None) };
        let line = line.trim();
        if !line.is_empty() {
            let refuse = || text.refuse(format!("must be the number of atoms, got {:?}", shortened(line)));
            return line.parse().map(Some).map_err(|_| refuse());
        }
    }
}

/// The columns: the plain ones, unless the comment names others.
fn layout(comment: &str, first: &str) -> std::result::Result<XyzLayout, String> {
    if let Some(properties) = xyz_comment::properties(comment) {
        return extended(&properties?);
    }
    let mut fields = vec![(Field::new("element", Kind::Name), 0)];
    for (place, word) in first.split_ascii_whitespace().enumerate().skip(4) {
        let kind = if number(word.as_bytes()).is_some() { Kind::F32 } else { Kind::Name };
        fields.push((Field::new(format!("column{}", place + 1), kind), place));
    }
    Ok(XyzLayout { position: 1, is_plane: false, width: 4, fields, symbol: symbol_of_species })
}

/// The columns named in the comment of an extended XYZ file.
fn extended(properties: &[Property]) -> std::result::Result<XyzLayout, String> {
    let (mut species, mut position, mut others, mut place) = (None, None, Vec::new(), 0_usize);
    for Property { name, letter, width } in properties {
        let (name, letter, width) = (name.as_str(), *letter, *width);
        let kind = match letter {
            'R' => Kind::F32,
            'I' => Kind::Integer,
            // colours are written as text
            _ if matches!(name, "color" | "colour") => Kind::Color,
            _ => Kind::Name,
        };
        match (name, letter, width) {
            ("species", _, 1) => species = Some(place),
            ("Z", 'I', 1) if species.is_none() => species = Some(place),
            ("pos", 'R' | 'I', 2 | 3) => position = Some((place, width == 2)),
            (name, _, 1) => others.push((Field::new(name, kind), place)),
            // as tables call the channels of colours
            (name, 'R' | 'I', 3 | 4) if COLORS.iter().any(|known| name.eq_ignore_ascii_case(known)) => {
                let channels = ["red", "green", "blue", "alpha"].into_iter().take(width).enumerate();
                others.extend(channels.map(|(channel, name)| (Field::new(name, kind), place + channel)));
            }
            // velocities as other formats call them
            ("velo" | "vel" | "velocity" | "velocities", 'R', 3) => {
                let axes = ["vx", "vy", "vz"].into_iter().enumerate();
                others.extend(axes.map(|(axis, name)| (Field::new(name, kind), place + axis)));
            }
            (name, _, _) => {
                others
                    .extend((0..width).map(|index| (Field::new(format!("{name}{}", index + 1), kind), place + index)));
            }
        }
        place += width;
    }
    let Some((position, is_plane)) = position else {
        return Err("Properties must have positions, pos:R:3 or pos:R:2 in the plane".to_owned());
    };
    let mut fields: Vec<_> = species.map(|place| (Field::new("element", Kind::Name), place)).into_iter().collect();
    fields.extend(others);
    if is_plane {
        let axes = ["x", "y"].into_iter().enumerate();
        fields.extend(axes.map(|(axis, name)| (Field::new(name, Kind::F64), position + axis)));
    }
    Ok(XyzLayout { position, is_plane, width: place, fields, symbol: symbol_of_species })
}
