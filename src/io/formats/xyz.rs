//! Atoms in XYZ: a line with their number, a line of comment, then a line each with element and coordinates.
//!
//! Of many frames one is read, the first unless another is wanted. More columns may follow the coordinates; the
//! "extended" form names them in the comment, as `Properties=species:S:1:pos:R:3:charge:R:1`, else they are called
//! `column5` and so on. `Lattice="…"` there is the periodic box.

use glam::{DMat3, DVec3};

use super::reading::Reading;
use super::wanted::{Axes, Field, Header, Wanted};
use crate::color::elements::symbol_of_species;
use crate::data::{Cell, Kind};
use crate::error::Result;
use crate::io::did_you_mean::shortened;
use crate::io::source::input::Stream;
use crate::io::source::number::number;
use crate::io::source::piece::Piece;
use crate::io::source::pieces::{Text, Until};
use crate::io::source::rows::{RowParser, RowPosition, Separator};

/// The places of element and coordinates in a line, counted from 0.
struct XyzLayout {
    position: usize,
    /// All columns that hold one value, the element first, with their places.
    fields: Vec<(Field, usize)>,
}

/// Whether a text of unknown format is XYZ: a number alone, and two lines below it a name with three numbers.
pub(super) fn sniff(text: &str) -> bool {
    let mut lines = text.lines();
    let count = lines.next().is_some_and(|line| {
        let line = line.trim();
        !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
    });
    // GROMACS has its count on the second line
    count && lines.nth(1).is_none_or(|atom| atom.split_ascii_whitespace().count() >= 4)
}

/// Reads the wanted frame.
pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let wanted = reading.extent.frame;
    let mut count = None;
    for frame in 0..=wanted {
        count = next_count(&mut text)?;
        match count {
            None => return Err(reading.no_frame(frame)),
            Some(count) if frame < wanted => drop(text.skip(count.saturating_add(1))?),
            Some(_) => {}
        }
    }
    let count = count.unwrap_or_default();
    if count == 0 {
        return Err(text.refuse("must be the number of atoms, 1 or more, got 0"));
    }
    let promised = format!("{}:{}: the frame promises {count} atoms", text.file, text.number());
    let comment = text.line()?.map(|comment| String::from_utf8_lossy(comment).into_owned()).unwrap_or_default();
    let first = text.peek()?.map(|line| String::from_utf8_lossy(line).into_owned()).unwrap_or_default();
    let layout = layout(&comment, &first);
    reading.facts.cell = lattice(&comment);
    let fields = layout.fields.iter().map(|(field, _)| field.clone()).collect();
    reading.begin(Header { fields, has_positions: true, chains: None })?;
    reading.check_rows(count, || promised.clone())?;
    read_atoms(&mut text, reading, &layout, count)?;
    if reading.rows() < count {
        let message = format!("the frame promises {count} atoms, but the file ends after {}", reading.rows());
        return Err(text.refuse(message));
    }
    if reading.extent.count_frames {
        reading.facts.frames = 1 + wanted + following(&mut text)?;
    }
    Ok(())
}

fn read_atoms(text: &mut Text, reading: &mut Reading<'_>, layout: &XyzLayout, count: u64) -> Result<()> {
    let at = layout.position;
    let axes = [at, at + 1, at + 2];
    let name = |place: usize| match axes.iter().position(|&axis| axis == place) {
        Some(axis) => ["x", "y", "z"][axis].to_owned(),
        None => {
            let field = layout.fields.iter().find(|(_, at)| *at == place);
            field.map(|(field, _)| field.name.clone()).unwrap_or_default()
        }
    };
    let parse = |piece: &Piece, wanted: &Wanted, room: u64| {
        let positions = wanted.axes != Axes::None;
        let rows = RowParser {
            separator: Separator::Blanks,
            fields: 0,
            comment: None,
            has_gaps: false,
            short: "must be an element and its coordinates",
            dimensions: if positions { RowPosition::Space } else { RowPosition::None },
            sinks: wanted.sinks(|field| layout.fields[field].1, if positions { &axes } else { &[] }),
            kinds: wanted.kinds(),
            meaning: wanted.find(0).map(|column| (column, symbol_of_species as fn(&str) -> &str)),
            name: &name,
        };
        rows.parse(piece, room)
    };
    reading.parse(text, Until::Lines(count), &parse)
}

/// The number of atoms that a frame starts with; `None` at the end of the file.
fn next_count(text: &mut Text) -> Result<Option<u64>> {
    loop {
        let Some(line) = text.line()? else { return Ok(None) };
        let line = String::from_utf8_lossy(line).trim().to_owned();
        if !line.is_empty() {
            let refuse = || text.refuse(format!("must be the number of atoms, got {:?}", shortened(&line)));
            return line.parse().map(Some).map_err(|_| refuse());
        }
    }
}

/// The number of frames that follow, a last unfinished one included.
fn following(text: &mut Text) -> Result<u64> {
    let mut frames = 0;
    while let Some(count) = next_count(text)? {
        frames += 1;
        text.skip(count.saturating_add(1))?;
    }
    Ok(frames)
}

/// The order of columns: the plain one, unless the comment states another.
fn layout(comment: &str, first: &str) -> XyzLayout {
    extended(comment).unwrap_or_else(|| {
        let mut fields = vec![(Field::new("element", Kind::Name), 0)];
        for (place, word) in first.split_ascii_whitespace().enumerate().skip(4) {
            let kind = if number(word.as_bytes()).is_some() { Kind::F32 } else { Kind::Name };
            fields.push((Field::new(format!("column{}", place + 1), kind), place));
        }
        XyzLayout { position: 1, fields }
    })
}

/// The columns that the comment of an extended XYZ file names.
fn extended(comment: &str) -> Option<XyzLayout> {
    let properties = comment.split_once("Properties=")?.1;
    let properties = properties.trim_start_matches('"').split([' ', '"']).next()?;
    let parts: Vec<_> = properties.split(':').collect();
    let (mut species, mut position, mut others, mut place) = (None, None, Vec::new(), 0_usize);
    for part in parts.chunks_exact(3) {
        let (name, width @ 1..=64) = (part[0], part[2].parse::<usize>().ok()?) else { return None };
        let kind = match part[1] {
            "R" => Kind::F32,
            "I" => Kind::Integer,
            // colours are written as text
            _ if matches!(name, "color" | "colour") => Kind::Color,
            _ => Kind::Name,
        };
        match (name, part[1], width) {
            ("species", _, 1) => species = Some(place),
            ("Z", "I", 1) if species.is_none() => species = Some(place),
            ("pos", "R", 3) => position = Some(place),
            (name, _, 1) => others.push((Field::new(name, kind), place)),
            // velocities as other formats call them
            ("velo" | "vel" | "velocity" | "velocities", "R", 3) => {
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
    let mut fields = vec![(Field::new("element", Kind::Name), species?)];
    fields.extend(others);
    Some(XyzLayout { position: position?, fields })
}

/// The box that the comment of the extended form gives: three edges, and which of them repeat.
fn lattice(comment: &str) -> Option<Cell> {
    let quoted = |key: &str| comment.split_once(key)?.1.split('"').next();
    let numbers = |text: &str| -> Option<Vec<f64>> {
        text.split_ascii_whitespace().map(|word| number(word.as_bytes())).collect()
    };
    let edges = <[f64; 9]>::try_from(numbers(quoted("Lattice=\"")?)?).ok()?;
    let origin = quoted("Origin=\"").and_then(numbers).and_then(|origin| <[f64; 3]>::try_from(origin).ok());
    let mut cell = Cell::new(DVec3::from(origin.unwrap_or_default()), DMat3::from_cols_array(&edges))?;
    if let Some(periodic) = quoted("pbc=\"") {
        for (flag, word) in cell.periodic.iter_mut().zip(periodic.split_ascii_whitespace()) {
            *flag = matches!(word, "T" | "t" | "1" | "true" | "True");
        }
    }
    Some(cell)
}
