//! The square window of a picture with the most differing pixels, found row by row.
//!
//! Source: pixelmatch 8, `windowSize`.

use std::collections::VecDeque;

use super::regions::Region;

/// Counts the differing pixels of every window of a picture while its rows are added.
#[derive(Debug)]
pub(super) struct DensestWindow {
    /// The side of the window: at most that of the picture.
    side: usize,
    /// Differing pixels of each column, in the last rows.
    columns: Vec<u32>,
    /// The differing runs of these rows, the oldest first.
    rows: VecDeque<Vec<(u32, u32)>>,
    /// The number of the next row.
    row: u32,
    densest: Option<Region>,
}

impl DensestWindow {
    pub(super) fn new(side: u32, (width, height): (u32, u32)) -> Self {
        let side = side.clamp(1, width.min(height).max(1));
        let (rows, columns) = (VecDeque::new(), vec![0; width as usize]);
        Self { side: side as usize, columns, rows, row: 0, densest: None }
    }

    /// Adds the next row, by the columns `start..end` of its differing runs.
    pub(super) fn add(&mut self, runs: Vec<(u32, u32)>) {
        if self.rows.len() == self.side {
            let leaving = self.rows.pop_front().unwrap_or_default();
            self.change(&leaving, |count| *count -= 1);
        }
        self.change(&runs, |count| *count += 1);
        self.rows.push_back(runs);
        // the sum over the picture's width is a bound for any window
        let most = self.densest.map_or(0, |densest| densest.pixels);
        let is_full = self.rows.len() == self.side;
        if is_full && self.columns.iter().map(|&count| u64::from(count)).sum::<u64>() > most {
            self.scan(most);
        }
        self.row += 1;
    }

    fn change(&mut self, runs: &[(u32, u32)], change: impl Fn(&mut u32)) {
        for &(start, end) in runs {
            self.columns[start as usize..end as usize].iter_mut().for_each(&change);
        }
    }

    /// Keeps the leftmost window of the last rows that has more pixels than any before.
    fn scan(&mut self, mut most: u64) {
        let mut sum: u64 = self.columns[..self.side].iter().map(|&count| u64::from(count)).sum();
        let mut best = None;
        for x in 0..=self.columns.len() - self.side {
            if x > 0 {
                sum += u64::from(self.columns[x + self.side - 1]);
                sum -= u64::from(self.columns[x - 1]);
            }
            if sum > most {
                (most, best) = (sum, Some(x));
            }
        }
        let [side, top] = [self.side, self.side - 1].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        let y = self.row - top;
        let place = |x| Region { x: u32::try_from(x).unwrap_or(u32::MAX), y, width: side, height: side, pixels: most };
        self.densest = best.map(place).or(self.densest);
    }

    /// The window with the most differing pixels, the first of several; `None` if no pixel differs.
    pub(super) fn finish(self) -> Option<Region> {
        self.densest
    }
}
