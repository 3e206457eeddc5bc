//! Requests to readers and their results: the frame, rows and columns to read; and the contents, at the end or in
//! batches of rows.

use std::ops::Range;
use std::sync::Arc;

use super::facts::Facts;
use super::lammps_data::AtomStyle;
use super::painted::{PaintedRows, Painter};
use super::placing::UnreadRows;
use super::raw_layout::RawLayout;
use super::symmetry::Symmetry;
use super::topology::Topology;
use super::wanted::{Header, Wanted};
use crate::data::{Alternate, Summary, Table};
use crate::error::Result;
use crate::geom::Origin;
use crate::scene::spheres::SphereStore;
use crate::source::decimal::DecimalMark;

/// The part of a file to read.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameRequest {
    /// The frame or model, from 0.
    pub frame: u64,
    /// The frame counted from the end, 1 being the last. [`super::read`] counts frames and sets `frame` before a reader
    /// sees it.
    pub from_end: Option<u64>,
    /// Whether to read to the end and count frames or models.
    pub count_frames: bool,
    /// How atoms of an asymmetric unit are drawn.
    pub symmetry: Symmetry,
    /// Whether to read on to bonds listed after the atoms.
    pub bonds: bool,
    /// Whether to read anisotropic displacements.
    pub displacements: bool,
}

impl FrameRequest {
    /// A frame by its index; negative ones count from the end, -1 being the last.
    pub fn of(frame: i64) -> Self {
        let from_end = (frame < 0).then(|| frame.unsigned_abs());
        Self { frame: u64::try_from(frame).unwrap_or(0), from_end, ..Self::default() }
    }
}

/// Facts that the file lacks and the caller adds.
#[derive(Clone, Debug, Default)]
pub struct FileHints {
    pub raw: Option<RawLayout>,
    /// Names of the atoms of a trajectory.
    pub topology: Option<Arc<Topology>>,
    /// The columns of LAMMPS data.
    pub atom_style: Option<AtomStyle>,
    /// The decimal mark of tables of text.
    pub decimal: Option<DecimalMark>,
    /// Texts that stand for missing values in tables of text.
    pub missing: Vec<String>,
}

/// The rows that one of several processes reads.
#[derive(Clone, Copy, Debug)]
pub struct RowShare {
    /// From 0.
    pub process: u64,
    pub count: u64,
}

impl RowShare {
    /// The range of rows that this process reads.
    pub(super) fn rows(self, total: u64) -> Range<u64> {
        let end = |process: u64| {
            let end = u128::from(total) * u128::from(process) / u128::from(self.count);
            u64::try_from(end).expect("a share of a number is no greater")
        };
        end(self.process)..end(self.process + 1)
    }
}

#[derive(Debug)]
pub struct Contents {
    pub header: Header,
    pub facts: Facts,
    /// The rows; only their number if they are painted.
    pub table: Table<'static>,
    /// The rows as spheres, if they are painted and not handed over.
    pub spheres: SphereStore<'static>,
    /// The origin that has been subtracted from positions of painted rows.
    pub origin: Origin,
    /// One for each field of the header, if requested.
    pub summaries: Vec<Summary>,
    /// Rows that hold one of several places of an atom.
    pub alternates: Vec<Alternate>,
    /// Number of rows left out because they have no position.
    pub unplaced: u64,
    /// Names and texts of the fields of the requested row.
    pub record: Vec<(String, String)>,
}

/// Selects the requested columns.
#[derive(Clone, Debug)]
pub struct ColumnChoice {
    pub wanted: Wanted,
    /// Converts rows to spheres as soon as they are read, instead of a table; rows in blocks only where that saves
    /// work.
    pub painter: Option<Painter>,
    /// The first names of a column, even if no row has them.
    pub names: Option<(usize, Vec<String>)>,
}

pub(super) type Choose<'a> = dyn FnMut(&Header) -> Result<ColumnChoice> + 'a;

/// Rows that are handed over.
#[derive(Debug)]
pub enum RowBatch {
    Table(Table<'static>),
    Painted(PaintedRows),
    /// Rows that the receiver reads.
    Unread(UnreadRows),
}

/// Takes the rows that have been read so far; returns painted rows whose memory can be reused.
pub(super) type TakeRows<'a> = dyn FnMut(RowBatch) -> Result<PaintedRows> + 'a;
