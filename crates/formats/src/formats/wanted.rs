//! The columns of a file, and the wanted columns.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::Kind;
use crate::did_you_mean::shortened;
use crate::scene::circles::PaintedCircle;
use crate::scene::spheres::PaintedSphere;
use crate::source::columns::{ColumnBuilder, PartBuilder, PositionsBuilder};
use crate::source::number::number;
use crate::source::rows::{NumberSink, To};

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    /// The type of its values, guessed from the start of the file.
    pub kind: Kind,
    /// Whether it is computed from other fields, instead of read from the file.
    pub is_computed: bool,
}

impl Field {
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind, is_computed: false }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    pub fields: Vec<Field>,
    /// Whether the format defines positions; a table has coordinates among its columns.
    pub has_positions: bool,
    /// The column of chains to which assemblies refer.
    pub chains: Option<usize>,
}

impl Header {
    /// The column of this name; case is ignored unless a column matches exactly.
    pub fn find(&self, name: &str) -> Option<usize> {
        let exact = self.fields.iter().position(|field| field.name == name);
        exact.or_else(|| self.fields.iter().position(|field| field.name.eq_ignore_ascii_case(name)))
    }

    /// Gives columns names of their own: a second `m` becomes `m.1`. Returns a sentence on the first that is renamed.
    pub(super) fn name_apart(&mut self) -> Option<String> {
        let mut taken: BTreeSet<String> = self.fields.iter().map(|field| field.name.clone()).collect();
        let (mut seen, mut next) = (BTreeSet::new(), BTreeMap::<String, u64>::new());
        let mut note = None;
        for field in self.fields.iter_mut().filter(|field| !field.name.is_empty()) {
            if seen.insert(field.name.clone()) {
                continue;
            }
            let number = next.entry(field.name.clone()).or_default();
            let apart = loop {
                *number += 1;
                let apart = format!("{}.{number}", field.name);
                if taken.insert(apart.clone()) {
                    break apart;
                }
            };
            note.get_or_insert_with(|| {
                let name = shortened(&field.name);
                format!("another column is named {name}, too, and is read as {}", shortened(&apart))
            });
            field.name = apart;
        }
        note
    }

    /// The names of all columns of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.fields.iter().filter(|field| !field.is_computed).map(|field| field.name.as_str())
    }
}

/// The source of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Positions are not wanted.
    None,
    /// The positions of the format.
    Own,
    Plane([usize; 2]),
    Space([usize; 3]),
}

impl Axes {
    /// The fields of the coordinates; none if the format defines positions.
    pub fn fields(&self) -> &[usize] {
        match self {
            Self::None | Self::Own => &[],
            Self::Plane(fields) => fields,
            Self::Space(fields) => fields,
        }
    }
}

/// The numbers that a field accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRule {
    Any,
    /// A length: not negative, and finite as an `f32`.
    Length,
    /// Not negative.
    NotNegative,
    /// Any number; text counts as missing. For summaries only.
    Lenient,
}

impl ValueRule {
    #[inline]
    pub fn accepts(self, value: f64) -> bool {
        match self {
            Self::Any | Self::Lenient => true,
            // a missing number breaks no rule
            Self::Length => value.is_nan() || (0.0..=f64::from(f32::MAX)).contains(&value),
            Self::NotNegative => value.is_nan() || value >= 0.0,
        }
    }

    /// Describes the accepted values, for the message that refuses `value`.
    pub fn accepted(self, value: f64) -> &'static str {
        match self {
            Self::Any | Self::Lenient => "a number",
            Self::Length if value > 0.0 => "at most 3.4e38",
            Self::Length | Self::NotNegative => "a number that is not negative",
        }
    }
}

/// A wanted column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    pub field: usize,
    pub kind: Kind,
    pub rule: ValueRule,
}

impl Want {
    /// The kind of the column if the field has this one: dates stay dates where numbers are wanted.
    #[must_use]
    pub(super) fn of_kind(self, field: Kind) -> Self {
        let is_number = matches!(self.kind, Kind::F32 | Kind::F64 | Kind::Integer);
        if field == Kind::Time && is_number { Self { kind: Kind::Time, ..self } } else { self }
    }

    /// Adds a field's value to its column. For a summary, an unreadable value counts as missing.
    pub(super) fn push(&self, column: &mut ColumnBuilder, field: &[u8]) -> Result<(), &'static str> {
        match column.push(field) {
            // as in tables, `nan` and `inf` are missing values
            Err(_) if self.rule == ValueRule::Lenient || number(field).is_some_and(|value| !value.is_finite()) => {
                column.push(b"")
            }
            pushed => pushed,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub axes: Axes,
    pub columns: Vec<Want>,
}

impl Wanted {
    /// These coordinates and no columns.
    pub fn only(axes: Axes) -> Self {
        Self { axes, columns: Vec::new() }
    }

    /// Adds a column for a field, unless it is there; returns its index.
    pub fn column(&mut self, field: usize, kind: Kind, rule: ValueRule) -> usize {
        let want = Want { field, kind, rule };
        self.columns.iter().position(|&known| known == want).unwrap_or_else(|| {
            self.columns.push(want);
            self.columns.len() - 1
        })
    }

    /// The destinations of fields, in the order of the line: `place_of` maps a field of the header to its index in a
    /// line; `axes` are the indices of the coordinates.
    pub(crate) fn sinks(&self, place_of: impl Fn(usize) -> usize, axes: &[usize]) -> Vec<NumberSink> {
        let column = |(index, want): (usize, &Want)| {
            let to = if want.rule == ValueRule::Lenient { To::LenientColumn(index) } else { To::Column(index) };
            NumberSink { field: place_of(want.field), to }
        };
        let axes = axes.iter().enumerate().map(|(axis, &field)| NumberSink { field, to: To::Axis(axis) });
        let mut sinks: Vec<_> = axes.chain(self.columns.iter().enumerate().map(column)).collect();
        sinks.sort_by_key(|sink| sink.field);
        sinks
    }

    /// Empty columns for rows in space, with capacity for the places of `rows` rows.
    pub(super) fn builder(&self, rows: usize) -> PartBuilder {
        let positions = match self.axes {
            Axes::None => PositionsBuilder::Unknown(0),
            _ => PositionsBuilder::Space(Vec::with_capacity(rows)),
        };
        let columns = self.kinds().into_iter().map(ColumnBuilder::new).collect();
        PartBuilder { positions, columns, alternates: Vec::new(), unplaced: 0 }
    }

    pub(crate) fn kinds(&self) -> Vec<Kind> {
        self.columns.iter().map(|want| want.kind).collect()
    }

    /// The fields of the coordinates and of the columns.
    pub(super) fn fields(&self) -> impl Iterator<Item = usize> {
        self.axes.fields().iter().copied().chain(self.columns.iter().map(|want| want.field))
    }

    /// The index of the column of a field.
    pub(crate) fn find(&self, field: usize) -> Option<usize> {
        self.columns.iter().position(|want| want.field == field)
    }

    /// Bytes of a row: its position, its columns, and its shape.
    pub(super) fn row_bytes(&self) -> u64 {
        let column = |want: &Want| match want.kind {
            Kind::F32 | Kind::Name | Kind::Color => 4,
            Kind::F64 | Kind::Integer | Kind::Time => 8,
        };
        let place = match self.axes {
            Axes::None => 0,
            Axes::Own | Axes::Space(_) => size_of::<[f32; 3]>() + size_of::<PaintedSphere>(),
            Axes::Plane(_) => size_of::<[f64; 2]>() + size_of::<PaintedCircle>(),
        };
        place as u64 + self.columns.iter().map(column).sum::<u64>()
    }
}
