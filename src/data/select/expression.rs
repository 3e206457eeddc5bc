//! Selections as trees of conditions.

use crate::data::residues::Residue;

/// A selection of rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    All,
    Nothing,
    /// Kinds of atoms.
    Class(Class),
    /// A column has one of these values.
    Items {
        column: String,
        items: Vec<ListItem>,
    },
    /// A column's number compares so.
    Compare {
        column: String,
        comparison: Comparator,
        number: f64,
    },
    /// Rows within this distance of a selected row.
    Within {
        distance: f64,
        of: Box<Self>,
    },
    /// One row of every N, the first included.
    Every(u64),
    Not(Box<Self>),
    /// Lists, not pairs of pairs: a chain of any length is no deeper than its terms.
    And(Vec<Self>),
    Or(Vec<Self>),
}

/// A kind of atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Protein,
    Nucleic,
    /// Protein or nucleic.
    Polymer,
    Water,
    Ion,
    /// Neither polymer, water nor ion.
    Ligand,
    Hydrogen,
}

/// A value that a column may have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ListItem {
    /// A name, in which `*` is any text; a number, too, where the column has those.
    Name(String),
    /// From one number to another, both included.
    Range(f64, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparator {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

impl Class {
    /// Words for the kinds.
    pub(super) const WORDS: [(&'static str, Self); 10] = [
        ("protein", Self::Protein),
        ("nucleic", Self::Nucleic),
        ("polymer", Self::Polymer),
        ("water", Self::Water),
        ("ion", Self::Ion),
        ("ions", Self::Ion),
        ("ligand", Self::Ligand),
        ("ligands", Self::Ligand),
        ("hydrogen", Self::Hydrogen),
        ("hydrogens", Self::Hydrogen),
    ];

    /// The column by which atoms of this kind are known.
    pub(crate) fn column(self) -> &'static str {
        if self == Self::Hydrogen { "element" } else { "resname" }
    }

    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, class)| *class == self).map_or("", |(word, _)| word)
    }
}

impl Comparator {
    pub(super) fn holds(self, value: f64, number: f64) -> bool {
        match self {
            Self::Less => value < number,
            Self::AtMost => value <= number,
            Self::More => value > number,
            Self::AtLeast => value >= number,
            Self::Equal => value == number,
            // a missing number is unequal to none
            Self::Unequal => !value.is_nan() && value != number,
        }
    }
}

impl Expression {
    /// Whether the selection says something about water: it names it, or selects nothing at all.
    pub(crate) fn decides_on_water(&self) -> bool {
        *self == Self::Nothing || self.names_water()
    }

    fn names_water(&self) -> bool {
        match self {
            Self::Class(class) => *class == Class::Water,
            Self::Items { items, .. } => {
                items.iter().any(|item| matches!(item, ListItem::Name(name) if Residue::of(name) == Residue::Water))
            }
            Self::All | Self::Nothing | Self::Every(_) | Self::Compare { .. } => false,
            Self::Within { of, .. } | Self::Not(of) => of.names_water(),
            Self::And(terms) | Self::Or(terms) => terms.iter().any(Self::names_water),
        }
    }

    /// Calls `each` for every part that tests a column: its name, and what tests it.
    pub(crate) fn columns<E>(&self, each: &mut impl FnMut(&str, &Self) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::All | Self::Nothing | Self::Every(_) => Ok(()),
            Self::Class(class) => each(class.column(), self),
            Self::Items { column, .. } | Self::Compare { column, .. } => each(column, self),
            Self::Within { of, .. } | Self::Not(of) => of.columns(each),
            Self::And(terms) | Self::Or(terms) => terms.iter().try_for_each(|term| term.columns(each)),
        }
    }
}
