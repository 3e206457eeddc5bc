//! Tables of values separated by commas, semicolons, tabs, bars or blanks, with or without a line of column names.
//!
//! Quoting follows RFC 4180. Lines that begin with `#` are comments if the file begins with one; the last of these may
//! name the columns, as numpy and gnuplot write it. A number may be missing: nothing, `NA`, `null` and the like, or
//! `nan` and `inf`. Rows without coordinates are left out, and counted. Lines may end with a
//! carriage return alone, as on old Macs.

use std::io::Read;

use super::reading::Reading;
use super::wanted::{Axes, Field, Header, Wanted};
use crate::color::Srgba8;
use crate::data::Kind;
use crate::error::{Error, Result};
use crate::io::source::input::{HEAD, Stream};
use crate::io::source::number::{is_missing, number};
use crate::io::source::piece::Piece;
use crate::io::source::pieces::{Text, lines};
use crate::io::source::rows::{RowParser, RowPosition, Separator, next_field};
use crate::io::source::until::Until;

/// Rows examined to guess the types of columns without a value in the first row.
const SNIFFED: usize = 100;

/// Most bytes examined to guess the types.
const LONGEST_HEAD: usize = 1 << 23;

struct Dialect {
    separator: Separator,
    comment: Option<u8>,
    names: Vec<String>,
    kinds: Vec<Kind>,
    /// Bytes before the first row.
    head: usize,
}

pub(super) fn sniff(text: &str) -> bool {
    has_separators(text) || has_columns(text)
}

fn has_separators(text: &str) -> bool {
    if text.contains(|letter: char| letter.is_control() && !letter.is_whitespace()) {
        return false;
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let separator = lines.next().and_then(|first| [',', ';', '\t', '|'].into_iter().find(|&c| first.contains(c)));
    // prose has commas here and there; a quoted name may span lines
    let goes_on = |separator| text.contains('"') || lines.next().is_none_or(|second| second.contains(separator));
    separator.is_some_and(goes_on)
}

/// Whether lines are columns of numbers separated by blanks.
fn has_columns(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut rows = lines.skip(1).take(5).map(|line| {
        let numbers = line.split_ascii_whitespace().filter(|word| number(word.as_bytes()).is_some()).count();
        numbers >= 2
    });
    rows.next() == Some(true) && rows.all(|row| row)
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(with_newlines(stream));
    let dialect = dialect(&mut text)?;
    read_rows(&mut text, dialect, reading)
}

/// Reads a point cloud: rows of x, y, z and perhaps more numbers, without names.
pub(super) fn read_cloud(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(with_newlines(stream));
    let mut dialect = dialect(&mut text)?;
    let is_numbered = dialect.names.iter().enumerate().all(|(index, name)| *name == (index + 1).to_string());
    if is_numbered {
        let first = record(text.ahead(), dialect.head, dialect.separator).0;
        dialect.names = cloud_names(&first);
    }
    read_rows(&mut text, dialect, reading)
}

/// The names of a point cloud's columns: three whole numbers up to 255 are named as a colour, three of unit length as a
/// normal.
fn cloud_names(first: &[String]) -> Vec<String> {
    let numbers: Vec<f64> = first.iter().map(|word| number(word.as_bytes()).unwrap_or(f64::NAN)).collect();
    let is_color = |at: usize| {
        let channels = numbers.get(at..at + 3).unwrap_or_default();
        channels.len() == 3 && channels.iter().all(|value| (0.0..=255.0).contains(value) && value.fract() == 0.0)
    };
    let is_normal = |at: usize| {
        let normal = numbers.get(at..at + 3).unwrap_or_default();
        let length: f64 = normal.iter().map(|value| value * value).sum();
        normal.len() == 3 && (0.9..=1.1).contains(&length)
    };
    let mut names: Vec<String> = Vec::new();
    while names.len() < first.len() {
        let at = names.len();
        let known = |group: &str| names.iter().any(|name| name == group);
        let group: &[&str] = if at == 0 && first.len() >= 3 {
            &["x", "y", "z"]
        } else if is_normal(at) && !known("nx") {
            &["nx", "ny", "nz"]
        } else if is_color(at) && !known("red") {
            &["red", "green", "blue"]
        } else {
            names.push((at + 1).to_string());
            continue;
        };
        names.extend(group.iter().map(|&name| name.to_owned()));
    }
    names
}

/// Turns carriage returns into line ends if the beginning of the stream has no others.
fn with_newlines(stream: Stream) -> Stream {
    let has = |byte| memchr::memchr(byte, &stream.head).is_some();
    if has(b'\n') || !has(b'\r') {
        return stream;
    }
    let Stream { name, mut head, rest, quota, .. } = stream;
    turn(&mut head);
    // the bytes differ from the file's
    Stream { name, head, rest: Box::new(Newlines(rest)), quota, path: None }
}

/// Turns carriage returns into line ends.
struct Newlines(Box<dyn Read + Send>);

impl Read for Newlines {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(buffer)?;
        turn(&mut buffer[..count]);
        Ok(count)
    }
}

fn turn(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
}

fn read_rows(text: &mut Text, dialect: Dialect, reading: &mut Reading<'_>) -> Result<()> {
    let Dialect { separator, comment, names, kinds, head } = dialect;
    let fields = names.len();
    let header = names.iter().zip(kinds).map(|(name, kind)| Field::new(name.clone(), kind));
    reading.begin(Header { fields: header.collect(), has_positions: false, chains: None })?;
    text.pass(head);
    let name = |field: usize| names[field].clone();
    let parse = |piece: &Piece, wanted: &Wanted, room: u64| {
        let dimensions = match wanted.axes {
            Axes::None | Axes::Own => RowPosition::None,
            Axes::Plane(_) => RowPosition::Plane,
            Axes::Space(_) => RowPosition::Space,
        };
        let rows = RowParser {
            separator,
            fields,
            comment,
            has_gaps: true,
            short: "must have as many fields as the lines before",
            dimensions,
            sinks: wanted.sinks(|field| field, wanted.axes.fields()),
            kinds: wanted.kinds(),
            meaning: None,
            name: &name,
        };
        rows.parse(piece, room)
    };
    let until = if let Separator::Byte(byte) = separator { Until::Records(byte) } else { Until::End };
    reading.parse(text, until, &parse)
}

fn dialect(text: &mut Text) -> Result<Dialect> {
    let file = text.file.clone();
    let refuse = |message: &str| Error::input(&file, None, message);
    // read ahead to the end of the names and the first row
    let mut size = HEAD;
    loop {
        text.fill(size)?;
        let lines = memchr::memchr_iter(b'\n', text.ahead()).take(3).count();
        if lines == 3 || text.ahead().len() < size || size >= LONGEST_HEAD {
            break;
        }
        size *= 2;
    }
    let ahead = text.ahead();
    let (start, noted) = after_comments(ahead);
    let comment = noted.map(|_| b'#');
    if start == ahead.len() {
        return Err(refuse("the table is empty"));
    }
    let separator = separator(&ahead[start..]);
    let (first, second) = record(ahead, start, separator);
    let is_data = |fields: &[String]| fields.iter().all(|field| number(field.as_bytes()).is_some());
    let (names, head) = if !is_data(&first) {
        (first, after_empty(ahead, second))
    } else {
        let noted = noted.map(|at| record(ahead, at, separator).0).map(|mut names| {
            // `#` may be followed by blanks, or be a word of its own
            names[0] = names[0].trim_start_matches(['#', ' ']).to_owned();
            if names[0].is_empty() && names.len() > first.len() {
                names.remove(0);
            }
            names
        });
        let numbered = || (1..=first.len()).map(|column| column.to_string()).collect();
        (noted.filter(|names| names.len() == first.len()).unwrap_or_else(numbered), start)
    };
    if head >= ahead.len() {
        return Err(refuse("the table has names of columns, but no rows"));
    }
    let kinds = kinds(ahead, head, separator, names.len());
    Ok(Dialect { separator, comment, names, kinds, head })
}

/// The position of the first line that is neither empty nor a comment, and of the last comment before it.
fn after_comments(text: &[u8]) -> (usize, Option<usize>) {
    let mut noted = None;
    for (at, line) in lines(text) {
        let line = line.trim_ascii();
        let is_color = || {
            let word = line.split(|byte| b",;\t| ".contains(byte)).next().unwrap_or_default();
            std::str::from_utf8(word).is_ok_and(|word| word.parse::<Srgba8>().is_ok())
        };
        if line.starts_with(b"#") && !is_color() {
            noted = Some(at);
        } else if !line.is_empty() {
            return (at, noted);
        }
    }
    (text.len(), noted)
}

fn after_empty(text: &[u8], at: usize) -> usize {
    let first = lines(&text[at..]).find(|(_, line)| !line.trim_ascii().is_empty());
    first.map_or(text.len(), |(start, _)| at + start)
}

/// The fields of the record that starts here, without blanks around them, and the start of the next record.
fn record(text: &[u8], at: usize, separator: Separator) -> (Vec<String>, usize) {
    let Separator::Byte(byte) = separator else {
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        let line = String::from_utf8_lossy(&text[at..end]);
        return (line.split_ascii_whitespace().map(str::to_owned).collect(), end);
    };
    let (mut fields, mut at, mut ended) = (Vec::new(), at, false);
    while !ended {
        let (field, next, last) = next_field(text, at, byte);
        fields.push(String::from_utf8_lossy(&field).trim().to_owned());
        (at, ended) = (next, last);
    }
    (fields, at.min(text.len()))
}

/// The separator of the first line: the most frequent of comma, semicolon, tab and bar outside quotes, or else blanks.
fn separator(text: &[u8]) -> Separator {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut quoted = false;
    for &byte in text {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            _ if quoted => {}
            _ => counts.iter_mut().filter(|(separator, _)| *separator == byte).for_each(|(_, count)| *count += 1),
        }
    }
    // `max_by_key` returns the last of equal counts, so the comma goes last
    match counts.into_iter().rev().max_by_key(|&(_, count)| count) {
        Some((separator, 1..)) => Separator::Byte(separator),
        _ if lines(text.trim_ascii()).next().is_some_and(|(_, line)| line.trim_ascii().contains(&b' ')) => {
            Separator::Blanks
        }
        _ => Separator::Byte(b','),
    }
}

/// The types of the columns, guessed from their first values.
fn kinds(text: &[u8], mut at: usize, separator: Separator, fields: usize) -> Vec<Kind> {
    let mut kinds = vec![None; fields];
    let mut has_nan = vec![false; fields];
    for _ in 0..SNIFFED {
        if at >= text.len() || kinds.iter().all(Option::is_some) {
            break;
        }
        let (row, next) = record(text, at, separator);
        for ((kind, has_nan), field) in kinds.iter_mut().zip(&mut has_nan).zip(row) {
            if kind.is_none() && !is_missing(field.as_bytes()) {
                // names may be missing as well
                let is_nan = number(field.as_bytes()).is_some_and(f64::is_nan);
                *has_nan |= is_nan;
                *kind = (!is_nan).then(|| kind_of(&field));
            }
        }
        at = after_empty(text, next);
    }
    let unknown = |has_nan| if has_nan { Kind::F64 } else { Kind::Name };
    kinds.into_iter().zip(has_nan).map(|(kind, has_nan)| kind.unwrap_or(unknown(has_nan))).collect()
}

fn kind_of(field: &str) -> Kind {
    if field.starts_with('#') {
        Kind::Color
    } else if number(field.as_bytes()).is_some() {
        Kind::F64
    } else {
        Kind::Name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_bytes_are_no_table() {
        for table in ["a,b\n1,2", "x;y", "# note\n\na\tb\n1\t2", "\"a,\nb\",c\n1,2"] {
            assert!(sniff(table), "{table:?}");
        }
        for other in ["", "words", "Draws circles, and spheres\nas well", "a,b\u{1}\n1,2"] {
            assert!(!sniff(other), "{other:?}");
        }
    }
}
