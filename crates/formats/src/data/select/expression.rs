//! Selections as trees of conditions.

use crate::data::formula::Formula;
use crate::data::residues::Residue;

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    All,
    Nothing,
    Class(Class),
    /// A column has one of these values.
    Items {
        column: String,
        items: Vec<ListItem>,
    },
    /// The numbers of two formulas compare this way.
    Compare {
        left: Formula,
        comparison: Comparator,
        right: Formula,
    },
    /// Rows within this distance of a selected row.
    Within {
        distance: f64,
        of: Box<Self>,
    },
    /// Rows that share the value of a column, or the residue, with a selected row.
    Same {
        /// The column; `None` for the residue.
        column: Option<String>,
        of: Box<Self>,
    },
    /// One row of every N, the first included.
    Every(u64),
    First(u64),
    Not(Box<Self>),
    /// A list instead of nested pairs: a chain of any length is no deeper than its terms.
    And(Vec<Self>),
    Or(Vec<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Protein,
    Nucleic,
    /// Protein or nucleic.
    Polymer,
    Water,
    Ion,
    /// Neither polymer, water nor ion.
    Ligand,
    Lipid,
    Hydrogen,
    Metal,
    /// The atoms of a chain that link its residues.
    Backbone,
    /// The other atoms of a protein or nucleic acid.
    Sidechain,
    Helix,
    /// Strands of sheets.
    Sheet,
}

/// A value that a column may have.
#[derive(Clone, Debug, PartialEq)]
pub enum ListItem {
    /// A name, in which `*` is any text; or a number, if the column has numbers.
    Name(String),
    /// From one number to another, both included.
    Range(f64, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparator {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

impl Class {
    /// Keywords.
    pub(super) const WORDS: [(&'static str, Self); 20] = [
        ("protein", Self::Protein),
        ("nucleic", Self::Nucleic),
        ("polymer", Self::Polymer),
        ("water", Self::Water),
        ("ion", Self::Ion),
        ("ions", Self::Ion),
        ("ligand", Self::Ligand),
        ("ligands", Self::Ligand),
        ("lipid", Self::Lipid),
        ("lipids", Self::Lipid),
        ("hydrogen", Self::Hydrogen),
        ("hydrogens", Self::Hydrogen),
        ("metal", Self::Metal),
        ("metals", Self::Metal),
        ("backbone", Self::Backbone),
        ("sidechain", Self::Sidechain),
        ("sidechains", Self::Sidechain),
        ("helix", Self::Helix),
        ("sheet", Self::Sheet),
        ("strand", Self::Sheet),
    ];

    /// The columns that tell atoms of this kind.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Hydrogen | Self::Metal => &["element"],
            Self::Backbone | Self::Sidechain => &[Self::RESIDUES, "name"],
            Self::Helix | Self::Sheet => &["structure"],
            _ => &[Self::RESIDUES],
        }
    }

    pub const RESIDUES: &'static str = "resname";

    /// Its first keyword.
    pub fn word(self) -> &'static str {
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
    pub fn decides_on_water(&self) -> bool {
        *self == Self::Nothing || self.names_water()
    }

    fn names_water(&self) -> bool {
        match self {
            Self::Class(class) => *class == Class::Water,
            Self::Items { items, .. } => {
                items.iter().any(|item| matches!(item, ListItem::Name(name) if Residue::of(name) == Residue::Water))
            }
            Self::All | Self::Nothing | Self::Every(_) | Self::First(_) | Self::Compare { .. } => false,
            Self::Within { of, .. } | Self::Same { of, .. } | Self::Not(of) => of.names_water(),
            Self::And(terms) | Self::Or(terms) => terms.iter().any(Self::names_water),
        }
    }

    /// Calls `each` for every test of a column, with the column's name and the part of the expression that tests it.
    pub fn columns<E>(&self, each: &mut impl FnMut(&str, &Self) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::All | Self::Nothing | Self::Every(_) | Self::First(_) => Ok(()),
            Self::Class(class) => class.columns().iter().try_for_each(|column| each(column, self)),
            Self::Items { column, .. } => each(column, self),
            Self::Compare { left, right, .. } => {
                left.columns().chain(right.columns()).try_for_each(|column| each(column, self))
            }
            Self::Same { column: Some(column), of } => each(column, self).and_then(|()| of.columns(each)),
            Self::Same { column: None, of } => {
                RESIDUE.iter().try_for_each(|column| each(column, self)).and_then(|()| of.columns(each))
            }
            Self::Within { of, .. } | Self::Not(of) => of.columns(each),
            Self::And(terms) | Self::Or(terms) => terms.iter().try_for_each(|term| term.columns(each)),
        }
    }

    /// Turns words with signs in them, such as `T-eff`, into columns where these exist.
    pub fn settle(&mut self, is_column: &dyn Fn(&str) -> bool) {
        match self {
            Self::Compare { left, right, .. } => {
                left.settle(is_column);
                // a number on the right stays one, even if a column has that name
                if !right.is_constant() {
                    right.settle(is_column);
                }
            }
            Self::Within { of, .. } | Self::Same { of, .. } | Self::Not(of) => of.settle(is_column),
            Self::And(terms) | Self::Or(terms) => terms.iter_mut().for_each(|term| term.settle(is_column)),
            _ => {}
        }
    }
}

/// The columns that identify a residue. A file must have the first one.
pub const RESIDUE: [&str; 5] = ["resid", "chain", "icode", "segment", "resname"];
