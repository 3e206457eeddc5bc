//! Tables of values separated by commas, semicolons, tabs, bars or blanks, with or without a line of column names.
//!
//! Quoting follows RFC 4180. Lines that begin with `#` are comments if the file begins with one; the last of these may
//! name the columns, as numpy and gnuplot write it. A number may be missing: nothing, `NA`, `null` and the like, or
//! `nan` and `inf`. Rows without coordinates are left out, and counted. Lines may end with a
//! carriage return alone, as on old Macs.

use std::io::{Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::reading::Reading;
use super::wanted::{Axes, Field, Header, Wanted};
use crate::color::Srgba8;
use crate::data::Kind;
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::source::columns::{holds_colors, kind_of_texts};
use crate::source::decimal::{DecimalMark, with_point};
use crate::source::input::{HEAD, Stream, io_error};
use crate::source::number::{is_missing, number};
use crate::source::piece::Piece;
use crate::source::pieces::{Text, lines};
use crate::source::rewritten_fields::{FieldRules, FoundFields, RewrittenFields};
use crate::source::rows::{NumberSink, RowParser, RowPosition, Separator, To, next_field};
use crate::source::until::Until;

/// Rows examined to guess the types of columns without a value in the first row.
const SNIFFED: usize = 100;

/// Bytes in which all rows are examined if these rows have no value of a column.
const GAP: usize = 1 << 20;

/// Numbers of a point and its colour.
const POINT_AND_COLOR: usize = 6;

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

impl Dialect {
    /// Whether the file names no columns.
    fn is_numbered(&self) -> bool {
        self.names.iter().enumerate().all(|(index, name)| *name == (index + 1).to_string())
    }
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
    let (stream, rewritten) = prepared(stream, reading)?;
    let mut text = Text::new(stream);
    let mut dialect = dialect(&mut text)?;
    if dialect.is_numbered() && dialect.names.len() == POINT_AND_COLOR {
        dialect.names = cloud_names(text.ahead(), &dialect);
    }
    note_commas(&text, &dialect, reading);
    note_offsets(&text, &dialect, reading);
    read_rows(&mut text, dialect, reading)?;
    check_rules(&text.file, rewritten, reading)
}

/// Refuses numbers whose points contradict each other, and notes that no field is written as the caller says.
fn check_rules(file: &str, rewritten: Option<Arc<FoundFields>>, reading: &mut Reading<'_>) -> Result<()> {
    let Some(rewritten) = rewritten else { return Ok(()) };
    if let Some([thousands, point]) = rewritten.contradiction() {
        let [thousands, point] = [shortened(thousands), shortened(point)];
        let message = format!(
            "--decimal , takes the point of {thousands} as one between thousands, but {point} has a decimal point"
        );
        return Err(Error::input(file, None, message));
    }
    let hints = &reading.hints;
    let has_none = |found: &AtomicBool| !found.load(Ordering::Relaxed);
    let no_comma = hints.decimal == Some(DecimalMark::Comma) && has_none(&rewritten.commas);
    let no_text = !hints.missing.is_empty() && has_none(&rewritten.missing);
    let missing = hints.missing.iter().map(|text| shortened(text)).collect::<Vec<_>>().join(" or ");
    let notes = [
        no_comma.then(|| format!("{file}: --decimal changes nothing: no number has a decimal comma")),
        no_text.then(|| format!("{file}: --missing changes nothing: no field is {missing}")),
    ];
    reading.facts.notes.extend(notes.into_iter().flatten());
    Ok(())
}

/// The stream with line feeds, decimal points and empty fields. If fields are rewritten: also which were, once it is read.
fn prepared(stream: Stream, reading: &Reading<'_>) -> Result<(Stream, Option<Arc<FoundFields>>)> {
    let stream = with_newlines(stream);
    let has_commas = reading.hints.decimal == Some(DecimalMark::Comma);
    let missing: Vec<Vec<u8>> = reading.hints.missing.iter().map(|text| text.trim().as_bytes().to_vec()).collect();
    if !has_commas && missing.is_empty() {
        return Ok((stream, None));
    }
    let rewritten = Arc::<FoundFields>::default();
    let (start, _) = after_comments(&stream.head);
    let (named, start) = named_separator(&stream.head, start);
    let found = if has_commas { separator_with_commas } else { separator };
    let separator = match named.unwrap_or_else(|| found(&stream.head[start..])) {
        Separator::Byte(byte) => Some(byte),
        Separator::Blanks => None,
    };
    let rules = FieldRules { has_commas, missing };
    let Stream { name, head, rest, quota, .. } = stream;
    let mut rest: Box<dyn Read + Send> =
        Box::new(RewrittenFields::new(Box::new(Cursor::new(head).chain(rest)), separator, rules, rewritten.clone()));
    let mut head = Vec::new();
    let read = rest.by_ref().take(HEAD as u64).read_to_end(&mut head);
    read.map_err(|source| io_error(&name, source))?;
    // the bytes differ from the file's
    Ok((Stream { name, head, rest, quota, again: None }, Some(rewritten)))
}

/// The separator of a table whose numbers have decimal commas: a comma only if numbers are quoted.
fn separator_with_commas(text: &[u8]) -> Separator {
    let first = lines(text).next().map_or(&[][..], |(_, line)| line);
    let count = |byte: u8| first.iter().filter(|found| **found == byte).count();
    let most = [b';', b'\t', b'|'].into_iter().max_by_key(|&byte| count(byte)).filter(|&byte| count(byte) > 0);
    match most {
        Some(byte) => Separator::Byte(byte),
        None => separator(text),
    }
}

/// Notes columns of numbers with decimal commas, which are read as text.
fn note_commas(text: &Text, dialect: &Dialect, reading: &mut Reading<'_>) {
    let (first, _) = record(text.ahead(), dialect.head, dialect.separator);
    let is_text = |index: &usize| dialect.kinds.get(*index) == Some(&Kind::Name);
    let has_comma = |index: &usize| first[*index].contains(',') && with_point(first[*index].as_bytes()).is_some();
    let columns: Vec<&str> =
        (0..first.len()).filter(is_text).filter(has_comma).map(|index| dialect.names[index].as_str()).collect();
    if let Some(column) = columns.first() {
        let column = shortened(column);
        let note = format!("the numbers of {column} have decimal commas and are read as text; --decimal , reads them");
        reading.facts.notes.push(format!("{}: {note}", text.file));
    }
}

/// Notes columns of times at an offset from UTC.
fn note_offsets(text: &Text, dialect: &Dialect, reading: &mut Reading<'_>) {
    let (first, _) = record(text.ahead(), dialect.head, dialect.separator);
    let has_offset = |field: &String| {
        let time = field.trim().split_once(['T', 't', ' ']).map_or("", |(_, time)| time);
        time.rsplit_once(['+', '-']).is_some_and(|(_, offset)| offset.bytes().any(|byte| matches!(byte, b'1'..=b'9')))
    };
    let columns = dialect.names.iter().zip(&dialect.kinds).zip(&first);
    let found =
        columns.filter(|((_, kind), field)| **kind == Kind::Time && has_offset(field)).map(|((name, _), _)| name);
    let notes = found.map(|name| format!("{}: times of {} are shown in UTC", text.file, shortened(name)));
    reading.facts.notes.extend(notes);
}

/// The separator that a first line such as `sep=;` names, and the start of the next line.
fn named_separator(text: &[u8], start: usize) -> (Option<Separator>, usize) {
    let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end + 1);
    let line = &text[start..end];
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    match line.strip_suffix(b"\r").unwrap_or(line) {
        &[b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', byte] => (Some(Separator::Byte(byte)), end),
        _ => (None, start),
    }
}

/// Reads a point cloud: rows of x, y, z and perhaps more numbers, without names.
pub(super) fn read_cloud(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let (stream, rewritten) = prepared(stream, reading)?;
    let mut text = Text::new(stream);
    let mut dialect = dialect(&mut text)?;
    if dialect.is_numbered() {
        dialect.names = cloud_names(text.ahead(), &dialect);
    }
    read_rows(&mut text, dialect, reading)?;
    check_rules(&text.file, rewritten, reading)
}

/// The names of a point cloud's columns, by its first rows: three numbers of unit length are named as a normal; three
/// whole ones that 16 bits hold, or from 0 to 1, as a colour, perhaps with opacity behind. Of six numbers the last three
/// are one of these.
fn cloud_names(ahead: &[u8], dialect: &Dialect) -> Vec<String> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut at = dialect.head;
    while rows.len() < SNIFFED && at < ahead.len() {
        let (row, next) = record(ahead, at, dialect.separator);
        // the last record may be cut
        if next >= ahead.len() && !rows.is_empty() {
            break;
        }
        rows.push(row.iter().map(|word| number(word.as_bytes()).unwrap_or(f64::NAN)).collect());
        at = after_empty(ahead, next);
    }
    let width = dialect.names.len();
    let triples =
        |at: usize| -> Vec<[f64; 3]> { rows.iter().filter_map(|row| row.get(at..at + 3)?.try_into().ok()).collect() };
    let all = |at: usize, is: &dyn Fn(f64) -> bool| {
        let triples = triples(at);
        !triples.is_empty() && triples.as_flattened().iter().all(|value| is(*value))
    };
    let is_normal = |at: usize| {
        let triples = triples(at);
        let is_unit = |normal: &[f64; 3]| {
            let length: f64 = normal.iter().map(|value| value * value).sum();
            (0.9..=1.1).contains(&length)
        };
        // pure red, green and blue have unit length, too
        let is_pure =
            all(at, &|value| value == 0.0 || value == 1.0) && triples.iter().any(|other| *other != triples[0]);
        !triples.is_empty() && triples.iter().all(is_unit) && !is_pure
    };
    let is_color = |at: usize| {
        let is_last = width == POINT_AND_COLOR && all(at, &|value| (0.0..=65_535.0).contains(&value));
        let is_whole = |value: f64| (0.0..=65_535.0).contains(&value) && value.fract() == 0.0;
        is_last || all(at, &is_whole) || all(at, &|value| (0.0..=1.0).contains(&value))
    };
    // full opacity in all rows, behind a colour that is not the same in all
    let first = |at: usize| rows.first().and_then(|row| row.get(at)).copied().unwrap_or(f64::NAN);
    let is_constant = |at: usize| rows.iter().all(|row| row.get(at) == Some(&first(at)));
    let is_alpha = |at: usize| {
        let is_full = width == at + 1 && [1.0, 255.0, 65_535.0].contains(&first(at)) && is_constant(at);
        is_full && !(is_constant(at - 1) && is_constant(at - 2))
    };
    let is_later_color = |at: usize| width == at + 4 && is_color(at + 1) && !is_alpha(at + 3);
    let mut names: Vec<String> = Vec::new();
    while names.len() < width {
        let at = names.len();
        let known = |group: &str| names.iter().any(|name| name == group);
        let group: &[&str] = if at == 0 && width >= 3 {
            &["x", "y", "z"]
        } else if is_normal(at) && !known("nx") {
            &["nx", "ny", "nz"]
        } else if is_color(at) && !known("red") && !is_later_color(at) {
            if is_alpha(at + 3) { &["red", "green", "blue", "alpha"] } else { &["red", "green", "blue"] }
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
    Stream { name, head, rest: Box::new(Newlines(rest)), quota, again: None }
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
    let header = names.iter().zip(&kinds).map(|(name, kind)| Field::new(name.clone(), *kind));
    reading.begin(Header { fields: header.collect(), has_positions: false, chains: None })?;
    text.pass(head);
    let name = |field: usize| names[field].clone();
    let of_kind = |sink: NumberSink| match sink.to {
        To::Axis(axis) if kinds[sink.field] == Kind::Time => NumberSink { to: To::DateAxis(axis), ..sink },
        _ => sink,
    };
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
            sinks: wanted.sinks(|field| field, wanted.axes.fields()).into_iter().map(of_kind).collect(),
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
    let (named, start) = named_separator(ahead, start);
    let comment = noted.map(|_| b'#');
    if start == ahead.len() {
        return Err(refuse("the table is empty"));
    }
    let separator = named.unwrap_or_else(|| separator(&ahead[start..]));
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
    let mut guesses = guesses(ahead, head, separator, &names, SNIFFED);
    if guesses.iter().any(|guess| guess.kind.is_none()) {
        text.fill(GAP)?;
        let ahead = text.ahead();
        // the read-ahead may end inside a row
        let end = if ahead.len() < GAP { ahead.len() } else { memchr::memrchr(b'\n', ahead).unwrap_or(ahead.len()) };
        guesses = self::guesses(&ahead[..end], head, separator, &names, usize::MAX);
    }
    let kinds = names.iter().zip(guesses).map(|(name, guess)| guess.of_column(name)).collect();
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

/// What the first rows say of a column.
#[derive(Clone, Debug, Default)]
struct Guess {
    /// The type of the first value.
    kind: Option<Kind>,
    /// Whether a field was `nan`, which may be a number or a missing name.
    has_nan: bool,
    /// The fields, if the column is named as one of colours or its first value is a date.
    texts: Vec<String>,
}

impl Guess {
    fn of_column(&self, name: &str) -> Kind {
        if holds_colors(name, self.texts.iter().map(String::as_bytes)) {
            return Kind::Color;
        }
        if self.kind == Some(Kind::Time) {
            return kind_of_texts(self.texts.iter().map(String::as_bytes));
        }
        self.kind.unwrap_or(if self.has_nan { Kind::F64 } else { Kind::Name })
    }
}

/// Guesses the types of the columns from so many rows, or fewer if all columns have a value before. Of dates and colours,
/// more rows are examined.
fn guesses(text: &[u8], mut at: usize, separator: Separator, names: &[String], rows: usize) -> Vec<Guess> {
    let mut guesses = vec![Guess::default(); names.len()];
    let is_named = |name: &String| ["color", "colour"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let has_colors = names.iter().any(is_named);
    for row in 0..rows {
        let is_decided = guesses.iter().all(|guess| guess.kind.is_some());
        let has_more = has_colors || guesses.iter().any(|guess| guess.kind == Some(Kind::Time));
        if at >= text.len() || is_decided && (!has_more || row >= SNIFFED) {
            break;
        }
        let (row, next) = record(text, at, separator);
        for ((guess, name), field) in guesses.iter_mut().zip(names).zip(row) {
            if guess.kind.is_none() && !is_missing(field.as_bytes()) {
                let is_nan = number(field.as_bytes()).is_some_and(f64::is_nan);
                guess.has_nan |= is_nan;
                guess.kind = (!is_nan).then(|| kind_of(&field));
            }
            if is_named(name) || guess.kind == Some(Kind::Time) {
                guess.texts.push(field);
            }
        }
        at = after_empty(text, next);
    }
    guesses
}

fn kind_of(field: &str) -> Kind {
    if field.starts_with('#') {
        Kind::Color
    } else if number(field.as_bytes()).is_some() {
        Kind::F64
    } else {
        kind_of_texts(std::iter::once(field.as_bytes()))
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
