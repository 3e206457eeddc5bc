//! Atoms in GROMACS' format: a title, the number of atoms, one line per atom in fixed columns, and the box.
//!
//! Nanometres are converted to ångström. The width of a coordinate follows from its decimal points; velocities may
//! follow. One frame is read. Virtual sites of water models are left out.

use glam::{DMat3, DVec3};

use super::elements::element_of_simulated;
use super::facts::FrameTime;
use super::frames;
use super::reading::Reading;
use super::trr::NANOMETRE;
use super::virtual_sites::{self, VirtualSites};
use super::wanted::{Field, Header, Wanted};
use super::xyz::is_count;
use crate::data::{Cell, Kind, TablePart};
use crate::did_you_mean::shortened;
use crate::error::Result;
use crate::geom::single;
use crate::source::columns::ColumnBuilder;
use crate::source::frame_places::ends_line;
use crate::source::input::Stream;
use crate::source::number::number;
use crate::source::piece::{Flaw, Piece};
use crate::source::pieces::{Text, lines};
use crate::source::rows::{is_in_range, quoted};
use crate::source::until::Until;

/// The fields of an atom before its coordinates: name, type, first column, and end column, from 0.
const FIELDS: [(&str, Kind, usize, usize); 4] = [
    ("resid", Kind::Integer, 0, 5),
    ("resname", Kind::Name, 5, 10),
    ("name", Kind::Name, 10, 15),
    ("serial", Kind::Integer, 15, 20),
];

/// Index of the element, which is guessed from the names.
const ELEMENT: usize = FIELDS.len();

/// Index of the first of three velocities.
const VELOCITY: usize = ELEMENT + 1;

/// The column in which coordinates begin.
const COORDINATES: usize = 20;

/// Whether a text of unknown format is GROMACS': the second line is a number, and the third has the columns of an atom.
pub(super) fn sniff(text: &str) -> bool {
    let mut lines = text.lines().skip(1);
    let has_count = lines.next().is_some_and(is_count);
    let atom = lines.next().unwrap_or_default().as_bytes();
    let is_number = |from, to| atom.get(from..to).is_some_and(|field| number(field).is_some());
    has_count && is_number(0, 5) && is_number(15, 20) && width(atom).is_some()
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    let wanted = reading.extent.frame;
    let marks = frames::seek(&mut text, reading, ends_line, |text, _| skip_frame(text))?;
    let head = next_count(&mut text).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    let Some((count, time)) = head else { return Err(reading.no_frame(wanted)) };
    reading.facts.times.unit = "ps";
    reading.note_time(wanted, time);
    read_frame(&mut text, reading, count).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    frames::count(&mut text, reading, marks, |text, _| skip_frame(text))
}

/// Reads the atoms and the box of a frame.
fn read_frame(text: &mut Text, reading: &mut Reading<'_>, count: u64) -> Result<()> {
    let promised = format!("{}:{}: the frame promises {count} atoms", text.file, text.number());
    reading.facts.is_empty_frame = count == 0;
    let first = text.peek()?.map(<[u8]>::to_vec).filter(|_| count > 0);
    let width = match &first {
        None if count > 0 => {
            return Err(text.refuse(format!("{count} atoms are promised, but the file ends before them")));
        }
        None => 0,
        Some(first) => match width(first) {
            Some(width) => width,
            None => {
                text.line()?;
                return Err(text.refuse(atom_expected(first)));
            }
        },
    };
    let has_velocities = first.is_some_and(|first| first.len() >= COORDINATES + 6 * width);
    let velocities = ["vx", "vy", "vz"].into_iter().filter(|_| has_velocities);
    let fields = FIELDS.iter().map(|&(name, kind, ..)| Field::new(name, kind));
    let fields =
        fields.chain([Field::new("element", Kind::Name)]).chain(velocities.map(|name| Field::new(name, Kind::F32)));
    reading.begin(Header { fields: fields.collect(), has_positions: true, chains: None })?;
    reading.check_rows(count, || promised.clone())?;
    let sites = VirtualSites::new(reading);
    let layout = GroLayout { width, sites: &sites };
    reading.parse(text, Until::Lines(count), &|piece, wanted, room| parse(piece, wanted, room, &layout))?;
    let read = reading.rows() + sites.count();
    if read < count {
        return Err(text.refuse(format!("the frame promises {count} atoms, but the file ends after {read}")));
    }
    reading.facts.notes.extend(virtual_sites::note(&text.file, sites.count()));
    reading.facts.cell = match box_line(text) {
        Ok(edges) => cell(&edges),
        // the only frame may lack its box
        Err(_) if reading.extent.frame == 0 => None,
        Err(error) => return Err(error),
    };
    Ok(())
}

/// The line of the box, the last of a frame.
fn box_line(text: &mut Text) -> Result<String> {
    let edges = text.text_line()?;
    let is_box = |edges: &String| {
        let words = edges.split_ascii_whitespace().count();
        text.last_without_end().is_none() || matches!(words, 3 | 9) || touching(edges).is_some()
    };
    edges.filter(is_box).ok_or_else(|| text.refuse("the file ends before the box of the frame"))
}

/// Skips a frame, and returns its time; `None` at the end of the file.
fn skip_frame(text: &mut Text) -> Result<Option<FrameTime>> {
    let Some((count, time)) = next_count(text)? else { return Ok(None) };
    frames::skip_rows(text, count, None)?;
    box_line(text)?;
    Ok(Some(time))
}

/// The number of atoms of the frame that starts here, and its time; `None` at the end of the file.
fn next_count(text: &mut Text) -> Result<Option<(u64, FrameTime)>> {
    let Some(title) = text.line()? else { return Ok(None) };
    let time = FrameTime::of_text(&String::from_utf8_lossy(title));
    // a title alone may be blank lines at the end; with a time, it begins a frame
    let time_is_known = time != FrameTime::default();
    let Some(line) = text.text_line()?.or_else(|| time_is_known.then(String::new)) else { return Ok(None) };
    let line = line.trim();
    let count = line.parse::<u64>().map(|count| Some((count, time)));
    count.map_err(|_| text.refuse(format!("must be the number of atoms, got {:?}", shortened(line))))
}

/// Width of a coordinate in columns: the distance from one decimal point to the next.
fn width(line: &[u8]) -> Option<usize> {
    let mut points = (COORDINATES..line.len()).filter(|&at| line[at] == b'.');
    let width = points.next().zip(points.next()).map(|(first, second)| second - first)?;
    (line.len() >= COORDINATES + 2 * width + 2).then_some(width)
}

fn atom_expected(line: &[u8]) -> String {
    format!("must be an atom in GROMACS' columns, got {}", quoted(String::from_utf8_lossy(line).trim()))
}

struct GroLayout<'a> {
    /// Width of a coordinate in columns.
    width: usize,
    sites: &'a VirtualSites,
}

fn parse(piece: &Piece, wanted: &Wanted, room: u64, layout: &GroLayout<'_>) -> Result<TablePart, Flaw> {
    let &GroLayout { width, sites } = layout;
    let mut builder = wanted.builder(piece.bytes.len() / 45 + 1);
    for (at, line) in lines(&piece.bytes) {
        let refuse = |message| Flaw { at, message };
        let field = |from: usize, to: usize| line.get(from..to.min(line.len())).unwrap_or_default();
        let (residue, name) = (field(5, 10).trim_ascii(), field(10, 15).trim_ascii());
        if sites.leave_out(b"", name, residue) {
            continue;
        }
        builder.check_room(room, at)?;
        for (column, want) in builder.columns.iter_mut().zip(&wanted.columns) {
            let pushed = match want.field {
                ELEMENT => {
                    let site = sites.kept(b"", name, residue);
                    column.push(site.unwrap_or_else(|| element_of_simulated(name, residue)).as_bytes())
                }
                velocity @ VELOCITY.. => {
                    let from = COORDINATES + (3 + velocity - VELOCITY) * width;
                    let text = field(from, from + width);
                    match column {
                        ColumnBuilder::F32(_) => {
                            column.push_f32(number(text).map(angstrom).filter(|value| value.is_finite()));
                            Ok(())
                        }
                        _ => want.push(column, text),
                    }
                }
                plain => {
                    let (_, _, from, to) = FIELDS[plain];
                    want.push(column, field(from, to))
                }
            };
            let known = || FIELDS.get(want.field).map_or("a velocity", |(name, ..)| name);
            pushed.map_err(|accepted| refuse(format!("{} must be {accepted}", known())))?;
        }
        builder.place(|| {
            let mut place = [0.0; 3];
            for (axis, coordinate) in place.iter_mut().enumerate() {
                let from = COORDINATES + axis * width;
                let value = number(field(from, from + width))
                    .map(|value| value * NANOMETRE)
                    .filter(|value| is_in_range(*value));
                *coordinate = value.ok_or_else(|| refuse(atom_expected(line)))?;
            }
            Ok(place)
        })?;
    }
    Ok(builder.finish())
}

fn angstrom(nanometres: f64) -> f32 {
    single(nanometres * NANOMETRE)
}

/// The lengths of a box so large that its numbers touch: each has five digits after its point.
fn touching(line: &str) -> Option<Vec<f64>> {
    let (mut numbers, mut rest) = (Vec::new(), line.trim());
    while !rest.is_empty() {
        let end = rest.find('.')? + 6;
        numbers.push(number(rest.get(..end)?.as_bytes())? * NANOMETRE);
        rest = rest[end..].trim_start();
    }
    Some(numbers)
}

/// The box: three lengths, or the nine components v1x v2y v3z v1y v1z v2x v2z v3x v3y of its edges.
fn cell(line: &str) -> Option<Cell> {
    let numbers: Option<Vec<f64>> =
        line.split_ascii_whitespace().map(|word| number(word.as_bytes()).map(|value| value * NANOMETRE)).collect();
    let edges = match *numbers.or_else(|| touching(line))?.as_slice() {
        [x, y, z] => DMat3::from_diagonal(DVec3::new(x, y, z)),
        [ax, by, cz, ay, az, bx, bz, cx, cy] => {
            DMat3::from_cols(DVec3::new(ax, ay, az), DVec3::new(bx, by, bz), DVec3::new(cx, cy, cz))
        }
        _ => return None,
    };
    Cell::new(DVec3::ZERO, edges)
}
