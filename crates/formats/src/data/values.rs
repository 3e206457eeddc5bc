//! The values of a column, and the distinct names of a column of text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::color::Srgba8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers of 32 bits.
    F32,
    /// Numbers of 64 bits.
    F64,
    /// Whole numbers.
    Integer,
    /// Dates and times: numbers of 64 bits, in seconds since 1970-01-01 UTC.
    Time,
    /// Text; each distinct name is stored once.
    Name,
    /// Colours written out.
    Color,
}

/// Some rows of a column.
///
/// A missing number is NaN, a missing whole number [`Values::NO_INTEGER`], a missing name the empty one, a missing colour
/// [`Values::NO_COLOR`].
#[derive(Clone, Debug, PartialEq)]
pub enum Values<'a> {
    F32(Cow<'a, [f32]>),
    F64(Cow<'a, [f64]>),
    Integers(Cow<'a, [i64]>),
    /// Indices into the column's [`Names`].
    Names(Cow<'a, [u32]>),
    Colors(Cow<'a, [Srgba8]>),
}

impl Values<'_> {
    /// Marks a missing whole number.
    pub const NO_INTEGER: i64 = i64::MIN;

    /// Marks a missing colour: one that nobody sees or writes.
    pub const NO_COLOR: Srgba8 = Srgba8 { r: 1, g: 2, b: 3, a: 0 };

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Names(values) => values.len(),
            Self::Colors(values) => values.len(),
        }
    }

    /// The number in a row; NaN where it is missing or the column has no numbers.
    #[inline]
    pub fn number(&self, row: usize) -> f64 {
        match self {
            Self::F32(values) => f64::from(values[row]),
            Self::F64(values) => values[row],
            Self::Integers(values) if values[row] != Self::NO_INTEGER => values[row] as f64,
            Self::Integers(_) | Self::Names(_) | Self::Colors(_) => f64::NAN,
        }
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> + Clone {
        (0..self.len()).map(|row| self.number(row))
    }

    /// The index of a row's name; `None` in other columns.
    #[inline]
    pub fn code(&self, row: usize) -> Option<u32> {
        if let Self::Names(codes) = self { Some(codes[row]) } else { None }
    }

    /// The number of rows of each name, by its index, up to the last one that a row has.
    pub fn name_counts(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        let Self::Names(codes) = self else { return counts };
        for code in codes.iter().map(|code| *code as usize) {
            if code >= counts.len() {
                counts.resize(code + 1, 0);
            }
            counts[code] += 1;
        }
        counts
    }

    /// Keeps the rows for which `kept` is true.
    pub(super) fn retain(&mut self, kept: &[bool]) {
        match self {
            Self::F32(values) => retain(values, kept),
            Self::F64(values) => retain(values, kept),
            Self::Integers(values) => retain(values, kept),
            Self::Names(values) => retain(values, kept),
            Self::Colors(values) => retain(values, kept),
        }
    }
}

/// Keeps the items for which `kept` is true.
pub(super) fn retain<T: Clone>(items: &mut Cow<'_, [T]>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.to_mut().retain(|_| kept.next().copied().unwrap_or(false));
}

/// The distinct names of a column, in the order of their first rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    list: Vec<Box<str>>,
    codes: BTreeMap<Box<str>, u32>,
    bytes: u64,
}

impl Names {
    /// The most distinct names that a column may have: a column with more has no categories.
    pub(crate) const MOST: usize = 1 << 20;

    /// The number of distinct names.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Memory of the names in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// All names, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.list.iter().map(|name| &**name)
    }

    /// The index of a name, which is added if it is new; `None` if the list is full.
    pub fn intern(&mut self, name: &str) -> Option<u32> {
        if let Some(&code) = self.codes.get(name) {
            return Some(code);
        }
        let code = u32::try_from(self.list.len()).ok().filter(|_| self.list.len() < Self::MOST)?;
        self.list.push(name.into());
        self.codes.insert(name.into(), code);
        self.bytes += 2 * name.len() as u64;
        Some(code)
    }
}
