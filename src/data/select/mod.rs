//! Selections of rows: `chain A and not water`, `within 5 of resname HEM`, `mass > 10`.
//!
//! The language is that of MDAnalysis and VMD, as far as columns of a table go. A text is parsed once, its columns are
//! looked up in a file's header, and the rows of a table are tested column by column.

mod evaluate;
mod expression;
mod parse;

pub(crate) use expression::{Class, Expression, ListItem};
