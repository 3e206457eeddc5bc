//! Builders of columns, to which values are appended one at a time.

use std::collections::BTreeMap;

use crate::color::Srgba8;
use crate::data::{Alternate, Block, Kind, Positions, TablePart, Values};

use super::date::date;
use super::number::{integer, is_missing, narrowed, number};
use super::piece::Flaw;

/// A column under construction.
#[derive(Clone, Debug)]
pub(crate) enum ColumnBuilder {
    F32(Vec<f32>),
    F64(Vec<f64>),
    Integers(Vec<i64>),
    /// Seconds since 1970-01-01 UTC.
    Times(Vec<f64>),
    Names(Box<Interner>),
    Colors(Vec<Srgba8>),
}

impl ColumnBuilder {
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::F32 => Self::F32(Vec::new()),
            Kind::F64 => Self::F64(Vec::new()),
            Kind::Integer => Self::Integers(Vec::new()),
            Kind::Time => Self::Times(Vec::new()),
            Kind::Name => Self::Names(Box::default()),
            Kind::Color => Self::Colors(Vec::new()),
        }
    }

    /// Adds the value of a field; the error describes the accepted values.
    pub(crate) fn push(&mut self, field: &[u8]) -> Result<(), &'static str> {
        let missing = || is_missing(field) || is_overflow(field);
        match self {
            Self::F32(values) => {
                let value = finite(field).map(|value| narrowed(value, field.trim_ascii_start()));
                values.push(value.or_else(|| missing().then_some(f32::NAN)).ok_or("a finite number")?);
            }
            Self::F64(values) => {
                values.push(finite(field).or_else(|| missing().then_some(f64::NAN)).ok_or("a finite number")?);
            }
            Self::Integers(values) => {
                let value = integer(field).or_else(|| missing().then_some(Values::NO_INTEGER));
                values.push(value.ok_or("a whole number")?);
            }
            Self::Times(values) => {
                let value = date(field).or_else(|| missing().then_some(f64::NAN));
                values.push(value.ok_or(DATE)?);
            }
            Self::Names(names) => names.push(field.trim_ascii()),
            // notes count other texts as missing
            Self::Colors(values) => values.push(color(field.trim_ascii()).unwrap_or(Values::NO_COLOR)),
        }
        Ok(())
    }

    /// Adds a number, or a missing one, to a column of numbers.
    pub(crate) fn push_f32(&mut self, value: Option<f32>) {
        if let Self::F32(values) = self {
            values.push(value.unwrap_or(f32::NAN));
        }
    }

    /// Adds a whole number, or a missing one, to a column of whole numbers.
    pub(crate) fn push_integer(&mut self, value: Option<i64>) {
        if let Self::Integers(values) = self {
            values.push(value.unwrap_or(Values::NO_INTEGER));
        }
    }

    /// The number in a row; NaN where there is none, and in columns of names and colours.
    #[inline]
    pub(crate) fn number(&self, row: usize) -> f64 {
        match self {
            Self::F32(values) => f64::from(values[row]),
            Self::F64(values) | Self::Times(values) => values[row],
            Self::Integers(values) if values[row] != Values::NO_INTEGER => values[row] as f64,
            Self::Integers(_) | Self::Names(_) | Self::Colors(_) => f64::NAN,
        }
    }

    /// The name in a row of a column of names.
    pub(crate) fn name(&self, row: usize) -> Option<&str> {
        if let Self::Names(names) = self { Some(&names.names[names.codes[row] as usize]) } else { None }
    }

    pub(crate) fn truncate(&mut self, rows: usize) {
        match self {
            Self::F32(values) => values.truncate(rows),
            Self::F64(values) | Self::Times(values) => values.truncate(rows),
            Self::Integers(values) => values.truncate(rows),
            Self::Names(names) => names.codes.truncate(rows),
            Self::Colors(values) => values.truncate(rows),
        }
    }

    /// The values, and the distinct names of a column of names.
    pub(crate) fn finish(self) -> (Values<'static>, Vec<Box<str>>) {
        match self {
            Self::F32(values) => (Values::F32(fitted(values).into()), Vec::new()),
            Self::F64(values) | Self::Times(values) => (Values::F64(fitted(values).into()), Vec::new()),
            Self::Integers(values) => (Values::Integers(fitted(values).into()), Vec::new()),
            Self::Names(names) => (Values::Names(fitted(names.codes).into()), names.names),
            Self::Colors(values) => (Values::Colors(fitted(values).into()), Vec::new()),
        }
    }
}

/// The accepted texts of dates, for messages.
pub(crate) const DATE: &str = "a date such as 2024-01-31 or 2024-01-31T12:00:00Z";

/// The kind of a column of text by its first texts: dates, if all are.
pub(crate) fn kind_of_texts<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Kind {
    let mut kind = Kind::Name;
    // `nan` is a missing date, too
    let is_told = |text: &&[u8]| !is_missing(text) && !number(text).is_some_and(f64::is_nan);
    for text in texts.filter(is_told) {
        if date(text).is_none() {
            return Kind::Name;
        }
        kind = Kind::Time;
    }
    kind
}

/// Gives spare capacity back, which may be as large as the values.
fn fitted<T>(mut values: Vec<T>) -> Vec<T> {
    values.shrink_to_fit();
    values
}

/// Whether a column holds colours, by its name and its first texts: all are written as `#rrggbb`, or the column has the
/// name of colours and most of its texts are any.
pub(crate) fn holds_colors<'a>(name: &str, texts: impl Iterator<Item = &'a [u8]>) -> bool {
    let is_named = ["color", "colour"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let (mut all, mut colors, mut is_first, mut is_hex) = (0_usize, 0_usize, false, false);
    for text in texts.filter(|text| !is_missing(text)) {
        let is_color = color(text.trim_ascii()).is_some();
        if all == 0 {
            (is_first, is_hex) = (is_color, is_color && text.starts_with(b"#"));
        }
        (all, colors) = (all + 1, colors + usize::from(is_color));
    }
    is_hex || is_named && 2 * colors + usize::from(is_first) > all
}

/// Whether a field is all asterisks: Fortran writes them where a number does not fit.
fn is_overflow(field: &[u8]) -> bool {
    let field = field.trim_ascii();
    !field.is_empty() && field.iter().all(|&byte| byte == b'*')
}

fn finite(field: &[u8]) -> Option<f64> {
    number(field).filter(|value| value.is_finite())
}

/// Fast path for `#rrggbb`, then every other notation.
fn color(field: &[u8]) -> Option<Srgba8> {
    if let [b'#', digits @ ..] = field
        && digits.len() == 6
    {
        let mut value = 0;
        for &digit in digits {
            value = value * 16 + char::from(digit).to_digit(16)?;
        }
        return Some(Srgba8::hex(value));
    }
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// A column of names; each distinct name is stored once.
#[derive(Clone, Debug)]
pub(crate) struct Interner {
    codes: Vec<u32>,
    names: Vec<Box<str>>,
    /// Codes by spelling in the file.
    known: BTreeMap<Box<[u8]>, u32>,
    /// Cache of short names, indexed by hash: nearly every row hits it.
    recent: [(u64, u32); 64],
    /// Maps a spelling in the file to the stored name. There are few spellings.
    meaning: Option<fn(&str) -> &str>,
}

impl Default for Interner {
    fn default() -> Self {
        let (codes, names) = (Vec::new(), Vec::new());
        Self { codes, names, known: BTreeMap::new(), recent: [(0, 0); 64], meaning: None }
    }
}

impl Interner {
    /// Replaces names by their meanings from now on.
    pub(crate) fn means(&mut self, meaning: fn(&str) -> &str) {
        self.meaning = Some(meaning);
    }

    /// Adds a row with this name.
    #[inline]
    pub(crate) fn push(&mut self, name: &[u8]) {
        let code = self.code(name);
        self.push_code(code);
    }

    /// Adds a row with the name of this code.
    #[inline]
    pub(crate) fn push_code(&mut self, code: u32) {
        self.codes.push(code);
    }

    /// The code of a name, which is stored if it is new.
    #[inline]
    pub(crate) fn code(&mut self, name: &[u8]) -> u32 {
        let Some(key) = packed(name) else { return self.look_up(name) };
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
        let (known, code) = self.recent[slot];
        if known == key {
            return code;
        }
        let code = self.look_up(name);
        self.recent[slot] = (key, code);
        code
    }

    fn look_up(&mut self, name: &[u8]) -> u32 {
        if let Some(&code) = self.known.get(name) {
            return code;
        }
        let text = String::from_utf8_lossy(name);
        let stored = self.meaning.map_or(&*text, |meaning| meaning(&text));
        // without meanings, a new spelling is a new name
        let place = self.meaning.and_then(|_| self.names.iter().position(|known| **known == *stored));
        let place = place.unwrap_or_else(|| {
            self.names.push(stored.into());
            self.names.len() - 1
        });
        let code = u32::try_from(place).expect("a piece of text has fewer names than bytes");
        self.known.insert(name.into(), code);
        code
    }
}

/// Packs a name of up to seven bytes into a number, never 0.
#[inline]
fn packed(name: &[u8]) -> Option<u64> {
    if name.len() > 7 {
        return None;
    }
    let mut bytes = [0; 8];
    bytes[..name.len()].copy_from_slice(name);
    // the length distinguishes names that end in zeros
    bytes[7] = u8::try_from(name.len() + 1).unwrap_or(u8::MAX);
    Some(u64::from_le_bytes(bytes))
}

/// Positions under construction.
#[derive(Clone, Debug)]
pub(crate) enum PositionsBuilder {
    Plane(Vec<[f64; 2]>),
    Space(Vec<[f64; 3]>),
    Unknown(usize),
}

/// A part of a table under construction, row by row.
#[derive(Clone, Debug)]
pub(crate) struct PartBuilder {
    pub(crate) positions: PositionsBuilder,
    pub(crate) columns: Vec<ColumnBuilder>,
    /// Rows that hold one of several places of an atom.
    pub(crate) alternates: Vec<Alternate>,
    /// Number of rows left out because they have no position.
    pub(crate) unplaced: u64,
}

impl PartBuilder {
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        match &self.positions {
            PositionsBuilder::Plane(places) => places.len(),
            PositionsBuilder::Space(places) => places.len(),
            PositionsBuilder::Unknown(rows) => *rows,
        }
    }

    /// Adds the place of a row in space, if places are requested.
    #[inline]
    pub(crate) fn place<E>(&mut self, place: impl FnOnce() -> Result<[f64; 3], E>) -> Result<(), E> {
        match &mut self.positions {
            PositionsBuilder::Unknown(rows) => *rows += 1,
            PositionsBuilder::Plane(_) => unreachable!("atoms and spheres are in space"),
            PositionsBuilder::Space(places) => places.push(place()?),
        }
        Ok(())
    }

    /// Refuses a row at this place of a piece if there are `room` rows; the caller makes the message.
    #[inline]
    pub(crate) fn check_room(&self, room: u64, at: usize) -> Result<(), Flaw> {
        if self.rows() as u64 == room { Err(Flaw { at, message: String::new() }) } else { Ok(()) }
    }

    /// Removes the values of an incomplete row.
    pub(crate) fn take_back(&mut self) {
        let rows = self.rows();
        self.columns.iter_mut().for_each(|column| column.truncate(rows));
    }

    pub(crate) fn finish(self) -> TablePart {
        let positions = match self.positions {
            PositionsBuilder::Plane(places) => Positions::Plane(fitted(places).into()),
            PositionsBuilder::Space(places) => Positions::Space(fitted(places).into()),
            PositionsBuilder::Unknown(rows) => Positions::Unknown(rows),
        };
        let (values, names) = self.columns.into_iter().map(ColumnBuilder::finish).unzip();
        TablePart { block: Block { positions, values }, names, alternates: self.alternates, unplaced: self.unplaced }
    }
}
