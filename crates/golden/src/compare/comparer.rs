//! Compares two pictures row by row: whole pictures, or chunks of rows as they are decoded.

use std::ops::Range;

use super::antialiasing::Rows;
use super::comparison::{Comparison, Verdict};
use super::difference::Mark;
use super::oklab;
use super::options::{Antialiasing, CompareOptions, Metric};
use super::regions::Regions;
use super::window::DensestWindow;
use super::yiq;
use roundel_image::error::Result;
use roundel_image::sample::Sample;

/// The rows above and below that a row's comparison reads: the anti-aliasing test reads the neighbours of a pixel's
/// neighbours.
pub(crate) const CONTEXT: u32 = 2;

/// The least FLIP error that is visible in an 8-bit error map.
const VISIBLE_ERROR: f32 = 0.5 / 255.0;

/// Pixels tested for equality at once: 64 bytes of 8-bit RGBA, a cache line.
const EQUALITY_CHUNK: usize = 16;

/// The same consecutive rows of two pictures, as RGBA samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPair<'w, T> {
    pub(crate) expected: &'w [T],
    pub(crate) actual: &'w [T],
    /// Row number of the topmost row.
    pub(crate) first: u32,
}

/// A comparison in progress.
#[derive(Debug)]
pub(crate) struct Comparer<'o> {
    width: u32,
    height: u32,
    options: &'o CompareOptions,
    /// FLIP's errors, if FLIP decides.
    pub(super) errors: Option<&'o [f32]>,
    error_sum: f64,
    marks: Vec<Mark>,
    /// The runs of differing pixels in the current row: first column, and the one after the last.
    runs: Vec<(u32, u32)>,
    /// The mask of the current row.
    masked: Vec<bool>,
    compared: u64,
    differing: u64,
    antialiased: u64,
    largest: f64,
    /// The sum of the differences of all channels, in steps of 1/65535.
    sum: u64,
    first: Option<(u32, u32)>,
    regions: Regions,
    window: Option<DensestWindow>,
}

impl<'o> Comparer<'o> {
    pub(crate) fn new(width: u32, height: u32, options: &'o CompareOptions) -> Self {
        Self {
            width,
            height,
            options,
            errors: None,
            error_sum: 0.0,
            marks: vec![Mark::Same; width as usize],
            runs: Vec::new(),
            masked: vec![false; width as usize],
            compared: 0,
            differing: 0,
            antialiased: 0,
            largest: 0.0,
            sum: 0,
            first: None,
            regions: Regions::default(),
            window: options.limits.window.map(|side| DensestWindow::new(side, (width, height))),
        }
    }

    /// Compares the next rows and passes each expected row with its marks to `each_row`.
    ///
    /// Rows are compared in order. `pair` contains them and, where the picture has them, [`CONTEXT`] rows above and
    /// below.
    pub(crate) fn compare_rows<T: Sample>(
        &mut self,
        pair: RowPair<'_, T>,
        rows: Range<u32>,
        mut each_row: impl FnMut(&[[T; 4]], &[Mark]),
    ) {
        let (a, b) = (pair.expected.as_chunks::<4>().0, pair.actual.as_chunks::<4>().0);
        let (width, height, first) = (self.width, self.height, pair.first);
        let around = [a, b].map(|pixels| Rows { pixels, width, height, first });
        for y in rows {
            let start = (y - first) as usize * width as usize;
            let row = start..start + width as usize;
            self.marks.fill(Mark::Same);
            if self.options.mask.row(y, &a[row.clone()], &mut self.masked) {
                for (mark, _) in self.marks.iter_mut().zip(&self.masked).filter(|(_, masked)| **masked) {
                    *mark = Mark::Masked;
                }
                self.compared += self.masked.iter().filter(|masked| !**masked).count() as u64;
            } else {
                self.compared += u64::from(width);
            }
            self.compare_row(&a[row.clone()], &b[row.clone()], y, &around);
            if let Some(errors) = self.errors {
                self.judge_row(errors, y);
            }
            self.collect(y);
            each_row(&a[row], &self.marks);
        }
    }

    /// Measures and marks one row.
    fn compare_row<T: Sample>(&mut self, a: &[[T; 4]], b: &[[T; 4]], y: u32, around: &[Rows<'_, T>; 2]) {
        let chunks = a.chunks(EQUALITY_CHUNK).zip(b.chunks(EQUALITY_CHUNK)).zip((0u32..).step_by(EQUALITY_CHUNK));
        for ((a, b), left) in chunks.filter(|((a, b), _)| a != b) {
            for (x, (&p, &q)) in (left..).zip(a.iter().zip(b)) {
                if p == q || self.marks[x as usize] == Mark::Masked {
                    continue;
                }
                let gaps: [u16; 4] = std::array::from_fn(|channel| p[channel].value().abs_diff(q[channel].value()));
                let largest = gaps.into_iter().max().map_or(0.0, |gap| f64::from(gap) / f64::from(T::PER_STEP));
                self.largest = self.largest.max(largest);
                self.sum += gaps.into_iter().map(u64::from).sum::<u64>() * u64::from(257 / T::PER_STEP);
                let differs = match self.options.metric {
                    Metric::Channels { tolerance } => largest > tolerance,
                    Metric::Yiq { threshold } => {
                        let limit = yiq::LARGEST * threshold * threshold;
                        yiq::distance_squared(p.map(Sample::steps), q.map(Sample::steps)) > limit
                    }
                    Metric::Oklab { threshold } => {
                        oklab::distance(p.map(Sample::steps), q.map(Sample::steps)) > threshold
                    }
                    Metric::Flip { .. } => false,
                };
                if differs && self.options.antialiasing == Antialiasing::Ignored && is_antialiasing(around, x, y) {
                    self.marks[x as usize] = Mark::Antialiased;
                    self.antialiased += 1;
                } else if differs {
                    self.mark_differing(x);
                }
            }
        }
    }

    /// Marks one row by FLIP's errors.
    fn judge_row(&mut self, errors: &[f32], y: u32) {
        let start = y as usize * self.width as usize;
        for (x, &error) in (0..self.width).zip(&errors[start..]) {
            if self.marks[x as usize] != Mark::Masked {
                self.error_sum += f64::from(error);
                if error > VISIBLE_ERROR {
                    self.mark_differing(x);
                }
            }
        }
    }

    /// Marks a pixel of the current row that differs. Pixels are marked in order.
    fn mark_differing(&mut self, x: u32) {
        self.marks[x as usize] = Mark::Differs;
        match self.runs.last_mut() {
            Some((_, end)) if *end == x => *end += 1,
            _ => self.runs.push((x, x + 1)),
        }
    }

    /// Counts the differing runs of one row and adds them to the regions.
    fn collect(&mut self, y: u32) {
        self.first = self.first.or(self.runs.first().map(|&(start, _)| (start, y)));
        for &(start, end) in &self.runs {
            self.differing += u64::from(end - start);
            self.regions.add(y, start, end);
        }
        if let Some(window) = &mut self.window {
            window.add(self.runs.clone());
        }
        self.runs.clear();
    }

    /// Judges what has been compared.
    ///
    /// # Errors
    /// If the mask leaves no pixel.
    pub(crate) fn finish(self) -> Result<Comparison> {
        self.options.mask.check_count(self.compared, (self.width, self.height))?;
        let over_compared = |sum: f64| if self.compared == 0 { 0.0 } else { sum / self.compared as f64 };
        let flip_mean = self.errors.map(|_| over_compared(self.error_sum));
        let limits = self.options.limits;
        let side = limits.window.map(|side| u64::from(side.min(self.width).min(self.height)));
        let densest = self.window.and_then(DensestWindow::finish);
        // pixels that are counted, and of how many
        let (counted, all) = match side {
            Some(side) => (densest.map_or(0, |window| window.pixels), side * side),
            None => (self.differing, self.compared),
        };
        let same = match (self.options.metric, flip_mean) {
            (Metric::Flip { largest_mean, .. }, Some(mean)) => mean <= largest_mean,
            _ => counted <= limits.pixels && counted as f64 <= limits.share * all as f64,
        };
        Ok(Comparison {
            verdict: if same { Verdict::Same } else { Verdict::Different },
            compared: self.compared,
            differing: self.differing,
            antialiased: self.antialiased,
            largest: self.largest,
            mean: over_compared(self.sum as f64 / (4.0 * 257.0)),
            flip_mean,
            first: self.first,
            regions: self.regions.finish(),
            densest,
            ..Comparison::empty((self.width, self.height))
        })
    }
}

fn is_antialiasing<T: Sample>([a, b]: &[Rows<'_, T>; 2], x: u32, y: u32) -> bool {
    a.is_antialiasing(x, y, b) || b.is_antialiasing(x, y, a)
}
