//! Rows of fields, separated by a byte or by blanks: tables, XYZ, LAMMPS and others.
//!
//! Numbers are parsed in place, before the end of their field is known; unwanted fields are skipped. Quotes, blanks,
//! missing values and mistakes take a slower path.

use std::borrow::Cow;

use glam::{DAffine3, DVec3};

use super::columns::{ColumnBuilder, DATE, PartBuilder, PositionsBuilder};
use super::date::date;
use super::decimal::{may_be_thousands, with_point};
use super::number::{is_missing, leading, narrowed, number};
use super::piece::{Flaw, Piece};
use crate::data::{Kind, TablePart};
use crate::did_you_mean::shortened;
use crate::geom::single;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// This byte; a field may be quoted. All lines but empty ones have the same number of fields.
    Byte(u8),
    /// Any number of blanks. Lines may have more fields than wanted.
    Blanks,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberSink {
    /// The index of the field in the line.
    pub(crate) field: usize,
    pub(crate) to: To,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum To {
    Axis(usize),
    /// A coordinate that is a date.
    DateAxis(usize),
    Column(usize),
    /// A column in which text that is no number counts as missing.
    LenientColumn(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowPosition {
    None,
    Plane,
    Space,
    /// In space, transformed from the file's coordinates.
    Moved(DAffine3),
}

/// Maps a name in a file to the stored name.
pub(crate) type NameMeaning = fn(&str) -> &str;

/// Describes how lines become rows of columns.
pub(crate) struct RowParser<'a> {
    pub(crate) separator: Separator,
    /// Number of fields of every line; 0 if lines separated by blanks may have any number.
    pub(crate) fields: usize,
    /// Lines that begin with this byte are comments.
    pub(crate) comment: Option<u8>,
    /// Empty lines are skipped and rows without a position left out, instead of being mistakes.
    pub(crate) has_gaps: bool,
    /// The start of the message about a line with too few fields.
    pub(crate) short: &'static str,
    pub(crate) dimensions: RowPosition,
    /// In the order of the fields.
    pub(crate) sinks: Vec<NumberSink>,
    pub(crate) kinds: Vec<Kind>,
    /// A column whose names are replaced by their meanings.
    pub(crate) meaning: Option<(usize, NameMeaning)>,
    /// The name of a field, for messages.
    pub(crate) name: &'a (dyn Fn(usize) -> String + Sync),
}

/// A row under construction.
struct RowInProgress {
    /// Its start in the text.
    start: usize,
    place: [f64; 3],
    /// Whether the row has all of its coordinates.
    placed: bool,
}

impl RowParser<'_> {
    /// Parses the rows of a piece; more than `room` rows are an error.
    pub(crate) fn parse(&self, piece: &Piece, room: u64) -> Result<TablePart, Flaw> {
        let text = &piece.bytes;
        let mut builder = self.empty();
        match self.separator {
            Separator::Byte(separator) => self.separated(text, separator, room, &mut builder)?,
            Separator::Blanks => self.blank_separated(text, room, &mut builder)?,
        }
        Ok(builder.finish())
    }

    fn empty(&self) -> PartBuilder {
        let positions = match self.dimensions {
            RowPosition::None => PositionsBuilder::Unknown(0),
            RowPosition::Plane => PositionsBuilder::Plane(Vec::new()),
            RowPosition::Space | RowPosition::Moved(_) => PositionsBuilder::Space(Vec::new()),
        };
        let mut columns: Vec<_> = self.kinds.iter().map(|&kind| ColumnBuilder::new(kind)).collect();
        if let Some((column, meaning)) = self.meaning
            && let ColumnBuilder::Names(names) = &mut columns[column]
        {
            names.means(meaning);
        }
        PartBuilder { positions, columns, alternates: Vec::new(), unplaced: 0 }
    }

    fn separated(&self, text: &[u8], separator: u8, room: u64, builder: &mut PartBuilder) -> Result<(), Flaw> {
        let mut at = 0;
        while at < text.len() {
            match text[at] {
                b'\n' => {
                    at += 1;
                    continue;
                }
                b'\r' if text.get(at + 1).is_none_or(|&next| next == b'\n') => {
                    at += 2;
                    continue;
                }
                first if Some(first) == self.comment => {
                    at = line_end(text, at) + 1;
                    continue;
                }
                _ => {}
            }
            builder.check_room(room, at)?;
            let mut row = RowInProgress::new(at);
            let (mut field, mut ended) = (0, false);
            // the field read last: two columns may come from one field
            let mut last: Cow<'_, [u8]> = Cow::Borrowed(&[]);
            for sink in &self.sinks {
                while field < sink.field && !ended {
                    (at, ended) = after_field(text, at, separator);
                    field += 1;
                }
                if field > sink.field {
                    self.take(&last, sink, &mut row, builder)?;
                    continue;
                }
                if ended {
                    return Err(self.uneven(text, row.start, separator));
                }
                let plain = leading(&text[at..]).filter(|&(value, length)| {
                    let end = text.get(at + length).copied();
                    value.is_finite() && end.is_none_or(|end| end == separator || end == b'\n')
                });
                match plain {
                    Some((value, length)) if self.take_number(value, &text[at..], sink, &mut row, builder) => {
                        last = Cow::Borrowed(&text[at..at + length]);
                        ended = text.get(at + length) != Some(&separator);
                        at += length + 1;
                    }
                    _ => {
                        (last, at, ended) = next_field(text, at, separator);
                        self.take(&last, sink, &mut row, builder)?;
                    }
                }
                field += 1;
            }
            while !ended {
                (at, ended) = after_field(text, at, separator);
                field += 1;
            }
            if field != self.fields {
                return Err(self.uneven(text, row.start, separator));
            }
            self.finish_row(&row, builder)?;
        }
        Ok(())
    }

    fn blank_separated(&self, text: &[u8], room: u64, builder: &mut PartBuilder) -> Result<(), Flaw> {
        let mut at = 0;
        while at < text.len() {
            let mut row = RowInProgress::new(at);
            at = after_blanks(text, at);
            let is_empty = text.get(at).is_none_or(|&byte| byte == b'\n');
            if self.has_gaps && (is_empty || text.get(at).copied() == self.comment) {
                at = line_end(text, at) + 1;
                continue;
            }
            builder.check_room(room, row.start)?;
            let mut field = 0;
            let mut last: &[u8] = &[];
            for sink in &self.sinks {
                while field < sink.field {
                    at = after_blanks(text, after_word(text, at));
                    field += 1;
                }
                if field > sink.field {
                    self.take(last, sink, &mut row, builder)?;
                    continue;
                }
                let plain = leading(&text[at..]).filter(|&(value, length)| {
                    value.is_finite() && text.get(at + length).is_none_or(u8::is_ascii_whitespace)
                });
                let end = match plain {
                    Some((value, length)) if self.take_number(value, &text[at..], sink, &mut row, builder) => {
                        at + length
                    }
                    _ => {
                        let end = after_word(text, at);
                        if end == at {
                            return Err(self.too_short(text, row.start));
                        }
                        self.take(&text[at..end], sink, &mut row, builder)?;
                        end
                    }
                };
                last = &text[at..end];
                at = after_blanks(text, end);
                field += 1;
            }
            if self.fields > 0 {
                while text.get(at).is_some_and(|&byte| byte != b'\n') {
                    at = after_blanks(text, after_word(text, at));
                    field += 1;
                }
                if field != self.fields {
                    let message = format!("must have {} fields, got {field}", self.fields);
                    return Err(Flaw { at: row.start, message });
                }
            }
            at = line_end(text, at) + 1;
            self.finish_row(&row, builder)?;
        }
        Ok(())
    }

    /// Stores a plain number at its destination; false if another type is wanted.
    #[inline(always)]
    fn take_number(
        &self,
        value: f64,
        text: &[u8],
        sink: &NumberSink,
        row: &mut RowInProgress,
        builder: &mut PartBuilder,
    ) -> bool {
        match sink.to {
            To::Axis(axis) => {
                row.place[axis] = value;
                self.dimensions != RowPosition::Space || is_in_range(value)
            }
            To::DateAxis(_) => false,
            To::Column(column) | To::LenientColumn(column) => match &mut builder.columns[column] {
                ColumnBuilder::F32(values) => {
                    values.push(narrowed(value, text));
                    true
                }
                ColumnBuilder::F64(values) => {
                    values.push(value);
                    true
                }
                _ => false,
            },
        }
    }

    /// Stores a field of any kind at its destination.
    fn take(
        &self,
        field: &[u8],
        sink: &NumberSink,
        row: &mut RowInProgress,
        builder: &mut PartBuilder,
    ) -> Result<(), Flaw> {
        let is_first = builder.rows() == 0;
        let refuse = |accepted: &str| {
            let Flaw { at, message } = self.refuse(row.start, sink.field, accepted, field);
            Err(Flaw { at, message: message + self.hint(field, sink.to, is_first) })
        };
        match sink.to {
            To::Axis(_) | To::DateAxis(_) if self.has_gaps && (is_missing(field) || is_not_finite(field)) => {
                row.placed = false
            }
            To::Axis(axis) => {
                let Some(value) = number(field).filter(|value| value.is_finite()) else {
                    return refuse("a finite number");
                };
                if self.dimensions != RowPosition::Plane && !is_in_range(value) {
                    return refuse("between -3.4e38 and 3.4e38");
                }
                row.place[axis] = value;
            }
            To::DateAxis(axis) => match date(field) {
                Some(value) => row.place[axis] = value,
                None => return refuse(DATE),
            },
            To::Column(column) | To::LenientColumn(column) => {
                let values = &mut builder.columns[column];
                if let Err(accepted) = values.push(field) {
                    if matches!(sink.to, To::Column(_)) && !is_not_finite(field) {
                        return refuse(accepted);
                    }
                    values.push(b"").or_else(refuse)?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn finish_row(&self, row: &RowInProgress, builder: &mut PartBuilder) -> Result<(), Flaw> {
        if !row.placed {
            builder.take_back();
            builder.unplaced += 1;
            return Ok(());
        }
        match (&mut builder.positions, self.dimensions) {
            (PositionsBuilder::Plane(places), _) => places.push([row.place[0], row.place[1]]),
            (PositionsBuilder::Space(places), RowPosition::Moved(way)) => {
                let place = way.transform_point3(DVec3::from(row.place)).to_array();
                if !place.iter().all(|value| is_in_range(*value)) {
                    let message = format!("the position must be finite, got {:?}", row.place);
                    return Err(Flaw { at: row.start, message });
                }
                places.push(place);
            }
            (PositionsBuilder::Space(places), _) => places.push(row.place),
            (PositionsBuilder::Unknown(rows), _) => *rows += 1,
        }
        Ok(())
    }

    #[cold]
    fn refuse(&self, at: usize, field: usize, accepted: &str, found: &[u8]) -> Flaw {
        let (name, found) = ((self.name)(field), quoted(&String::from_utf8_lossy(found)));
        Flaw { at, message: format!("{} must be {accepted}, got {found}", shortened(&name)) }
    }

    /// What may read a field that is refused.
    #[cold]
    fn hint(&self, found: &[u8], to: To, is_first: bool) -> &'static str {
        match () {
            () if self.has_gaps && may_be_thousands(found) => "; commas between thousands are not read",
            () if self.has_gaps && with_point(found).is_some() => "; --decimal , reads decimal commas",
            () if looks_like_date(found) => "; dates are read where every row has one, as 2024-01-31",
            // texts from the first row on are what the column holds
            () if self.has_gaps && !is_first => match to {
                To::Axis(_) | To::DateAxis(_) => "; --missing TEXT names what stands for no value",
                _ => "; --missing TEXT names what stands for no value, --palette colours by numbers and texts",
            },
            () => "",
        }
    }

    /// The mistake that a line has fewer or more fields than the others.
    #[cold]
    fn uneven(&self, text: &[u8], start: usize, separator: u8) -> Flaw {
        let (mut at, mut ended, mut fields) = (start, false, 0);
        while !ended {
            (at, ended) = after_field(text, at, separator);
            fields += 1;
        }
        Flaw { at: start, message: format!("must have {} fields as the lines before, got {fields}", self.fields) }
    }

    #[cold]
    fn too_short(&self, text: &[u8], start: usize) -> Flaw {
        let line = String::from_utf8_lossy(&text[start..line_end(text, start)]);
        Flaw { at: start, message: format!("{}, got {}", self.short, quoted(line.trim())) }
    }
}

/// Whether a field is `nan` or `inf`, which are missing values.
#[cold]
fn is_not_finite(field: &[u8]) -> bool {
    number(field).is_some_and(|value| !value.is_finite())
}

impl RowInProgress {
    #[inline]
    fn new(start: usize) -> Self {
        Self { start, place: [0.0; 3], placed: true }
    }
}

/// Whether a coordinate is finite as an `f32`, too.
#[inline]
pub(crate) fn is_in_range(value: f64) -> bool {
    single(value).is_finite()
}

/// A text of a file for a message: quoted, or `nothing` if it is blank.
pub(crate) fn quoted(text: &str) -> String {
    if text.trim().is_empty() { "nothing".to_owned() } else { format!("{:?}", shortened(text)) }
}

/// The position of the next line end, or the end of the text.
#[inline]
fn line_end(text: &[u8], at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end)
}

#[inline]
fn is_blank(byte: u8) -> bool {
    byte != b'\n' && byte.is_ascii_whitespace()
}

#[inline]
fn after_blanks(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|&byte| is_blank(byte)) {
        at += 1;
    }
    at
}

#[inline]
fn after_word(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
        at += 1;
    }
    at
}

/// The start of the next field, and whether this one is the last of its line.
#[inline]
fn after_field(text: &[u8], at: usize, separator: u8) -> (usize, bool) {
    if text.get(at) == Some(&b'"') {
        let (_, next, ended) = next_field(text, at, separator);
        return (next, ended);
    }
    let rest = text.get(at..).unwrap_or_default();
    let end = memchr::memchr2(separator, b'\n', rest).map_or(text.len(), |end| at + end);
    (end + 1, text.get(end) != Some(&separator))
}

/// The field that starts here, the start of the next one, and whether this one is the last of its line.
///
/// Inside quotes, two quotes stand for one, and separators and line ends are text; text after the closing quote is part
/// of the field, as in other programs.
pub(crate) fn next_field(text: &[u8], at: usize, separator: u8) -> (Cow<'_, [u8]>, usize, bool) {
    let rest = text.get(at..).unwrap_or_default();
    let Some(quoted) = rest.strip_prefix(b"\"") else {
        let (field, next, ended) = plain_field(rest, 0, separator);
        return (Cow::Borrowed(field), at + next, ended);
    };
    let mut field = Vec::new();
    let mut from = 0;
    loop {
        let end = memchr::memchr(b'"', &quoted[from..]).map_or(quoted.len(), |end| from + end);
        field.extend_from_slice(&quoted[from..end]);
        if quoted.get(end + 1) != Some(&b'"') {
            let (tail, next, ended) = plain_field(quoted, quoted.len().min(end + 1), separator);
            field.extend_from_slice(tail);
            return (Cow::Owned(field), at + 1 + next, ended);
        }
        field.push(b'"');
        from = end + 2;
    }
}

/// [`next_field`] without quotes: a plain field, or the text between a closing quote and the next separator.
fn plain_field(text: &[u8], at: usize, separator: u8) -> (&[u8], usize, bool) {
    let end = memchr::memchr2(separator, b'\n', &text[at..]).map_or(text.len(), |end| at + end);
    let ended = text.get(end) != Some(&separator);
    let field = &text[at..end];
    (if ended { field.strip_suffix(b"\r").unwrap_or(field) } else { field }, end + 1, ended)
}

/// Whether a field may be meant as a date, as 2024-01-31, 31/01/2024 or 31.01.2024.
fn looks_like_date(field: &[u8]) -> bool {
    let is_mark = |byte: &&u8| matches!(byte, b'-' | b'/' | b'.');
    let date = field.split(|byte| matches!(byte, b' ' | b'T')).next().unwrap_or_default();
    let has_digits = date.iter().all(|byte| byte.is_ascii_digit() || is_mark(&byte));
    has_digits && date.iter().filter(is_mark).count() == 2 && date.len() >= 6
}
