//! Columnar data: every reader fills it; colours, sizes, selections and descriptions are computed from it.
//!
//! A [`Table`] is a list of columns and a list of [`Block`]s, each with the positions and the values of some rows. A
//! file becomes many blocks, in order; arrays in memory one block that borrows them; a stream never has more than a
//! few. All work on tables is done block by block.

mod bonds;
mod cell;
mod cubes;
mod formula;
mod residues;
mod select;
mod summary;
mod table;
mod values;

pub use bonds::{
    AtomKeys, Bond, BondContext, BondOrder, BondRule, Contact, ContactSearch, FileBonds, HydrogenBondRule,
    MOST_CONTACTS, elements_by_row, neighbor_counts, perceive, residues_by_row,
};
pub(crate) use bonds::{AtomName, ResidueBond};
pub use cell::Cell;
pub use formula::Formula;
pub use residues::Residue;
pub use select::{Class, Expression, ListItem, RESIDUE};
pub use summary::{Summary, extremes, share};
pub(crate) use table::TablePart;
pub use table::{Alternate, Block, NumberSource, Positions, Table};
pub use values::{Kind, Names, Values};
