//! LAMMPS dumps: frames with a box and one line per atom, with columns chosen by the simulation.
//!
//! CoordinateColumns are plain, scaled by the box, unwrapped, or both; the box may be tilted. One frame is read, in the units
//! of the simulation.

use glam::{DAffine3, DMat3, DVec3};

use super::facts::FrameTime;
use super::frames;
use super::lammps::{AtomLines, BoxBounds};
use super::reading::Reading;
use super::unsupported;
use super::wanted::Header;
use crate::data::Cell;
use crate::did_you_mean::{self, shortened};
use crate::error::Result;
use crate::source::frame_places::ends_line;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::pieces::Text;

/// A triple of columns that may hold the coordinates.
struct CoordinateColumns {
    names: [&'static str; 3],
    /// Whether they are fractions of the box's edges.
    is_scaled: bool,
    is_unwrapped: bool,
}

/// All of them, wrapped ones first.
const COORDINATES: [CoordinateColumns; 4] = [
    CoordinateColumns { names: ["x", "y", "z"], is_scaled: false, is_unwrapped: false },
    CoordinateColumns { names: ["xs", "ys", "zs"], is_scaled: true, is_unwrapped: false },
    CoordinateColumns { names: ["xu", "yu", "zu"], is_scaled: false, is_unwrapped: true },
    CoordinateColumns { names: ["xsu", "ysu", "zsu"], is_scaled: true, is_unwrapped: true },
];

/// Units of time for the simulation's style of units.
const TIME_UNITS: [(&str, &str); 6] =
    [("real", "fs"), ("metal", "ps"), ("si", "s"), ("cgs", "s"), ("electron", "fs"), ("nano", "ns")];

pub(super) fn sniff(text: &str) -> bool {
    ["ITEM: TIMESTEP", "ITEM: UNITS", "ITEM: TIME"].iter().any(|item| text.trim_start().starts_with(item))
}

/// The head of a frame.
struct DumpFrame {
    atoms: u64,
    line: u64,
    cell: Option<Cell>,
    time: FrameTime,
    columns: Vec<String>,
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let wanted = reading.extent.frame;
    let marks = frames::seek(&mut text, reading, ends_line, skip_frame)?;
    let head = next_frame(&mut text, reading).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    let Some(frame) = head else { return Err(reading.no_frame(wanted)) };
    reading.note_time(wanted, frame.time);
    read_frame(&mut text, reading, &frame).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    frames::count(&mut text, reading, marks, skip_frame)
}

/// Reads the atoms of a frame.
fn read_frame(text: &mut Text, reading: &mut Reading<'_>, frame: &DumpFrame) -> Result<()> {
    let file = text.file.clone();
    reading.facts.is_empty_frame = frame.atoms == 0;
    let place = |name: &str| frame.columns.iter().position(|column| column == name);
    let found = COORDINATES.iter().find_map(|coordinates| {
        let [x, y, z] = coordinates.names.map(place);
        Some(([x?, y?, z?], coordinates))
    });
    let Some((axes, &CoordinateColumns { is_scaled, is_unwrapped, .. })) = found else {
        let columns = did_you_mean::list(frame.columns.iter().map(String::as_str));
        let message = format!("must have columns x y z, xs ys zs, xu yu zu or xsu ysu zsu (columns: {columns})");
        return Err(text.refuse(message));
    };
    let way = match frame.cell {
        Some(cell) if is_scaled => Some(DAffine3::from_mat3_translation(cell.edges, cell.origin)),
        None if is_scaled => return Err(text.refuse("the coordinates are scaled, but no box is given")),
        _ => None,
    };
    let first = if frame.atoms > 0 { text.peek_text()? } else { String::new() };
    let mut lines = AtomLines::new(&frame.columns, &first, axes, way);
    // if lines had more fields than names, their order would be unknown
    lines.is_exact = true;
    reading.facts.cell = frame.cell;
    reading.facts.is_unwrapped = is_unwrapped;
    reading.begin(Header { fields: lines.fields.clone(), has_positions: true, chains: None })?;
    reading.check_rows(frame.atoms, || format!("{file}:{}: the frame promises {} atoms", frame.line, frame.atoms))?;
    lines.read(text, reading, frame.atoms)
}

/// Skips a frame, and returns its time; `None` at the end of the file.
fn skip_frame(text: &mut Text, reading: &mut Reading<'_>) -> Result<Option<FrameTime>> {
    let Some(frame) = next_frame(text, reading)? else { return Ok(None) };
    frames::skip_rows(text, frame.atoms, Some(frame.columns.len()))?;
    Ok(Some(frame.time))
}

/// Reads the head of the next frame; `None` at the end of the file.
fn next_frame(text: &mut Text, reading: &mut Reading<'_>) -> Result<Option<DumpFrame>> {
    let mut frame = DumpFrame { atoms: 0, line: 0, cell: None, time: FrameTime::default(), columns: Vec::new() };
    let mut begun = false;
    while let Some(line) = text.text_line()? {
        let line = line.trim();
        let Some(item) = line.strip_prefix("ITEM:").map(str::trim) else {
            if line.is_empty() {
                continue;
            }
            return Err(text.refuse(format!("must be an ITEM, got {:?}", shortened(line))));
        };
        begun = true;
        if let Some(columns) = item.strip_prefix("ATOMS") {
            frame.columns = columns.split_ascii_whitespace().map(str::to_owned).collect();
            return Ok(Some(frame));
        } else if item.starts_with("NUMBER OF ATOMS") {
            let count = text.text_line()?.unwrap_or_default().trim().to_owned();
            frame.line = text.number();
            frame.atoms = count
                .parse()
                .map_err(|_| text.refuse(format!("must be the number of atoms, got {:?}", shortened(&count))))?;
        } else if item.starts_with("NUMBER OF ENTRIES") || item.starts_with("GRID ") {
            return Err(text.refuse(unsupported::dump_without_atoms(item)));
        } else if let Some(kind) = item.strip_prefix("BOX BOUNDS") {
            frame.cell = cell(text, kind)?;
        } else {
            let value = text.text_line()?.unwrap_or_default().trim().to_owned();
            match item {
                "TIMESTEP" => frame.time.step = value.parse().ok(),
                "TIME" => frame.time.time = value.parse().ok().filter(|time: &f64| time.is_finite()),
                "UNITS" => {
                    let known = TIME_UNITS.iter().find(|(style, _)| *style == value);
                    reading.facts.times.unit = known.map_or(reading.facts.times.unit, |(_, unit)| *unit);
                }
                _ => {}
            }
        }
    }
    if begun {
        return Err(text.refuse("the file ends in the middle of a frame"));
    }
    Ok(None)
}

/// The box: three lines of bounds, with tilt factors if it is tilted; or of edges and origin (`abc origin`).
fn cell(text: &mut Text, kind: &str) -> Result<Option<Cell>> {
    let mut rows = [[0.0; 4]; 3];
    for row in &mut rows {
        let line = text.text_line()?.unwrap_or_default();
        let mut words = line.split_ascii_whitespace().map(|word| number(word.as_bytes()));
        for (index, value) in row.iter_mut().enumerate() {
            match words.next() {
                Some(Some(word)) if word.is_finite() => *value = word,
                None if index >= 2 => {}
                _ => return Err(text.refuse(format!("must be bounds of the box, got {:?}", shortened(line.trim())))),
            }
        }
    }
    let mut words: Vec<&str> = kind.split_ascii_whitespace().collect();
    let mut cell = if words.starts_with(&["abc", "origin"]) {
        words.drain(..2);
        let edge = |row: [f64; 4]| DVec3::new(row[0], row[1], row[2]);
        let origin = DVec3::from(rows.map(|row| row[3]));
        Cell::new(origin, DMat3::from_cols(edge(rows[0]), edge(rows[1]), edge(rows[2])))
    } else {
        let leans = words.starts_with(&["xy", "xz", "yz"]);
        words.drain(..if leans { 3 } else { 0 });
        let tilt = if leans { rows.map(|row| row[2]) } else { [0.0; 3] };
        let bounds = BoxBounds { least: rows.map(|row| row[0]), greatest: rows.map(|row| row[1]), tilt };
        bounds.of_bounding_box().cell()
    };
    if let Some(cell) = &mut cell {
        // p: periodic; f, s and m: walls
        for (periodic, word) in cell.periodic.iter_mut().zip(words) {
            *periodic = word.starts_with('p');
        }
    }
    Ok(cell)
}
