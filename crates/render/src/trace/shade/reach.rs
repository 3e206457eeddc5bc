//! The samples of a tile within reach of a primitive: a bit each.
//!
//! The samples that show a primitive come as runs. Each run, widened, is added to the rows within reach of its own, so that
//! the time follows the length of the silhouette times the reach, not its square times the number of samples.

use std::ops::Range;

use crate::lanes::LANES;
use crate::trace::find::sample_rays::SampleGrid;

/// A disc of samples.
#[derive(Clone, Debug)]
pub(super) struct LineReach {
    /// Half the width of the disc, as many rows up or down as the index says.
    half_widths: Vec<usize>,
}

impl LineReach {
    /// The samples at most `radius` from the middle.
    pub(super) fn new(radius: u32) -> Self {
        let half_width = |row: u32| (radius * radius - row * row).isqrt() as usize;
        Self { half_widths: (0..=radius).map(half_width).collect() }
    }
}

/// Bits for the samples of a tile, without its margin.
#[derive(Debug, Default)]
pub(super) struct ReachMask {
    grid: SampleGrid,
    /// Words of a row.
    across: usize,
    words: Vec<u64>,
    /// The rows that may have bits.
    rows: Range<usize>,
}

/// Bits of a word.
const WORD: usize = u64::BITS as usize;

impl ReachMask {
    /// Begins without bits.
    pub(super) fn begin(&mut self, grid: SampleGrid) {
        let height = (grid.height - 2 * grid.margin) as usize;
        let across = grid.inner_width().div_ceil(WORD);
        if self.grid != grid {
            (self.grid, self.across) = (grid, across);
            self.words.clear();
        } else {
            let used = self.rows.start * across..self.rows.end.max(self.rows.start) * across;
            self.words[used].fill(0);
        }
        self.words.resize(height * across, 0);
        self.rows = height..0;
    }

    /// Adds the samples within reach of a run: its offset in a plane, in which the margin counts, and its length.
    #[inline(always)]
    pub(super) fn add(&mut self, reach: &LineReach, start: usize, length: usize) {
        let (stride, margin) = (self.grid.stride(), self.grid.margin as usize);
        let (row, column) = (start / stride, start % stride);
        let (height, width) = (self.words.len() / self.across, self.grid.inner_width());
        let radius = reach.half_widths.len() - 1;
        let rows = (row.saturating_sub(radius)).max(margin)..(row + radius + 1).min(height + margin);
        if rows.is_empty() {
            return;
        }
        self.rows = self.rows.start.min(rows.start - margin)..self.rows.end.max(rows.end - margin);
        for other in rows {
            let half_width = reach.half_widths[other.abs_diff(row)];
            let first = column.saturating_sub(half_width + margin);
            let end = (column + length + half_width).saturating_sub(margin).min(width);
            let words = &mut self.words[(other - margin) * self.across..][..self.across];
            for_words(first..end, |word, bits| words[word] |= bits);
        }
    }

    /// Removes the samples of a run.
    #[inline(always)]
    pub(super) fn remove(&mut self, start: usize, length: usize) {
        let (stride, margin) = (self.grid.stride(), self.grid.margin as usize);
        let (row, column) = (start / stride, start % stride);
        let (height, width) = (self.words.len() / self.across, self.grid.inner_width());
        if !(margin..margin + height).contains(&row) {
            return;
        }
        let first = column.saturating_sub(margin);
        let end = (column + length).saturating_sub(margin).min(width);
        let words = &mut self.words[(row - margin) * self.across..][..self.across];
        for_words(first..end, |word, bits| words[word] &= !bits);
    }

    /// Groups of eight samples with some bits: the offset of the first one in a plane, and the bits.
    #[inline(always)]
    pub(super) fn groups(&self) -> impl Iterator<Item = (usize, u64)> {
        let (stride, margin) = (self.grid.stride(), self.grid.margin as usize);
        let across = self.across;
        self.rows.clone().flat_map(move |row| {
            let start = (row + margin) * stride + margin;
            let words = &self.words[row * across..][..across];
            words.iter().enumerate().filter(|(_, bits)| **bits != 0).flat_map(move |(word, &bits)| {
                let first = start + word * WORD;
                let groups = (0..WORD).step_by(LANES).map(move |shift| (first + shift, bits >> shift & 0xff));
                groups.filter(|(_, lanes)| *lanes != 0)
            })
        })
    }
}

/// Calls `change` for each word that holds some columns, with their bits.
#[inline(always)]
fn for_words(columns: Range<usize>, mut change: impl FnMut(usize, u64)) {
    let mut first = columns.start;
    while first < columns.end {
        let (word, bit) = (first / WORD, first % WORD);
        let count = (columns.end - first).min(WORD - bit);
        change(word, (u64::MAX >> (WORD - count)) << bit);
        first += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_samples_within_reach_of_some_run() {
        for (width, height, margin, radius) in [(64, 64, 3, 3), (70, 20, 17, 17), (200, 10, 4, 4), (5, 3, 2, 2)] {
            let (width, height) = (width + 2 * margin, height + 2 * margin);
            let grid = SampleGrid { x: -3, y: 5, width, height, margin, abreast: 1 };
            let mut mask = ReachMask::default();
            let shown = |turn: u32, row: u32, column: u32| (row * 7 + column / 5 * 3 + turn).is_multiple_of(23);
            for turn in 0..3 {
                mask.begin(grid);
                let runs: Vec<_> = (0..height)
                    .flat_map(|row| (0..width).map(move |column| (row, column)))
                    .filter(|&(row, column)| shown(turn, row, column))
                    .map(|(row, column)| row as usize * grid.stride() + column as usize)
                    .collect();
                runs.iter().for_each(|&start| mask.add(&LineReach::new(radius), start, 1));
                runs.iter().for_each(|&start| mask.remove(start, 1));
                let mut found = vec![false; grid.plane()];
                for (at, lanes) in mask.groups() {
                    (0..LANES).filter(|lane| lanes >> lane & 1 == 1).for_each(|lane| found[at + lane] = true);
                }
                for row in 0..height {
                    for column in 0..width {
                        let is_inner =
                            (margin..width - margin).contains(&column) && (margin..height - margin).contains(&row);
                        let near = |(other, along): (u32, u32)| {
                            let (down, right) = (other.abs_diff(row), along.abs_diff(column));
                            shown(turn, other, along) && down * down + right * right <= radius * radius
                        };
                        let around = |at: u32, count: u32| at.saturating_sub(radius)..(at + radius + 1).min(count);
                        let is_near =
                            around(row, height).any(|other| around(column, width).any(|along| near((other, along))));
                        let wanted = is_inner && is_near && !shown(turn, row, column);
                        assert_eq!(found[row as usize * grid.stride() + column as usize], wanted, "{row} {column}");
                    }
                }
            }
        }
    }
}
