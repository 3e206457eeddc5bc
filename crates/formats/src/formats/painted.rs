//! Converts rows to spheres as soon as they are read, without a table in between.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::color::Srgba8;
use crate::data::Block;
use crate::error::Result;
use crate::geom::Origin;
use crate::scene::spheres::PaintedSphere;
use crate::source::file_rows::{CHUNK, FileRows};
use crate::source::piece::{Flaw, Piece};

/// Appends the spheres of a block's rows to a list.
type PaintBlock = dyn Fn(&Block<'_>, Origin, &mut Vec<PaintedSphere>) + Send + Sync;

/// Converts rows to spheres, if the look of a row depends on no other row.
#[derive(Clone)]
pub struct Painter {
    paint: Arc<PaintBlock>,
    /// Their colour and radii, if the spheres have one colour.
    pub one_color: Option<OneColor>,
}

#[derive(Clone, Copy, Debug)]
pub struct OneColor {
    pub color: Srgba8,
    pub radius: OneColorRadius,
}

/// The radii of spheres of one colour: one for all, or a column of lengths.
#[derive(Clone, Copy, Debug)]
pub enum OneColorRadius {
    All(f32),
    Column(usize),
}

impl Painter {
    /// `paint` appends one sphere for each row of a block, relative to an origin.
    pub fn new(paint: impl Fn(&Block<'_>, Origin, &mut Vec<PaintedSphere>) + Send + Sync + 'static) -> Self {
        Self { paint: Arc::new(paint), one_color: None }
    }

    /// Appends the spheres of a block's rows, relative to an origin.
    pub(crate) fn paint(&self, block: &Block<'_>, origin: Origin, spheres: &mut Vec<PaintedSphere>) {
        (self.paint)(block, origin, spheres);
    }
}

impl fmt::Debug for Painter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Painter")
    }
}

/// Marks a row that is left out.
const FILLER: PaintedSphere = PaintedSphere { center: [f32::NAN; 3], radius: 0.0, color: Srgba8::TRANSPARENT };

/// Spheres that all threads write straight into the final array.
#[derive(Debug, Default)]
pub struct PaintedRows {
    chunks: Vec<[PaintedSphere; CHUNK]>,
    /// The number of spheres, which come first.
    count: usize,
}

impl PaintedRows {
    /// Reads rows of a file as spheres, and replaces those held so far.
    ///
    /// `make` appends the spheres of a piece to a list, without rows that have no place.
    pub(super) fn read(
        &mut self,
        file: &FileRows,
        rows: Range<u64>,
        make: impl Fn(&Piece, &mut Vec<PaintedSphere>) -> Result<(), Flaw> + Sync,
    ) -> Result<()> {
        self.count = usize::try_from(rows.end - rows.start).expect("rows are in memory");
        let missing = file.make(rows, &mut self.chunks, FILLER, make)?;
        if missing > 0 {
            self.close_gaps();
        }
        Ok(())
    }

    /// Moves all spheres to the front.
    fn close_gaps(&mut self) {
        let spheres = self.chunks.as_flattened_mut();
        let mut kept = 0;
        for index in 0..spheres.len() {
            if !spheres[index].center[0].is_nan() {
                spheres[kept] = spheres[index];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The spheres, in the order of their rows.
    pub fn spheres(&self) -> &[PaintedSphere] {
        &self.chunks.as_flattened()[..self.count]
    }

    /// Moves the spheres to the end of a list.
    pub(super) fn append_to(self, spheres: &mut Vec<PaintedSphere>) {
        if spheres.is_empty() {
            *spheres = self.chunks.into_flattened();
            spheres.truncate(self.count);
        } else {
            spheres.extend_from_slice(self.spheres());
        }
    }
}
