//! The hits of a whole picture, tile by tile, without shading.
#![expect(clippy::cast_possible_truncation, reason = "a picture has at most as many rows as fit into 32 bits")]

use rayon::prelude::*;

use super::find::sample_rays::SampleGrid;
use super::{Scratch, Stage};

impl Stage<'_> {
    /// Finds the hits of tiles of that side. `keep` gets those of each tile with its row of tiles, from `rows`.
    pub(super) fn sweep<R: Send>(
        &self,
        [width, height]: [u32; 2],
        side: u32,
        rows: impl IndexedParallelIterator<Item = R>,
        keep: impl Fn(&mut R, SampleGrid, &Scratch) + Sync,
    ) {
        rows.enumerate().for_each_init(Scratch::default, |scratch, (row, mut kept)| {
            let y = row as u32 * side;
            for x in (0..width).step_by(side as usize) {
                let (width, height) = (side.min(width - x), side.min(height - y));
                let grid = SampleGrid { x: x.cast_signed(), y: y.cast_signed(), width, height, margin: 0, abreast: 1 };
                self.find_nearest(scratch, grid);
                keep(&mut kept, grid, scratch);
            }
        });
    }
}
