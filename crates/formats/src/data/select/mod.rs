//! Selections of rows: `chain A and not water`, `byres (within 5 of resname HEM)`, `vx^2 + vy^2 > 4`.
//!
//! The language of MDAnalysis and VMD, limited to columns of a table. A text is parsed once, its columns are looked up
//! in a file's header, and the rows of a table are tested column by column.

mod evaluate;
mod expression;
mod parse;

pub use expression::{Class, Expression, ListItem, RESIDUE};
