//! Which sample points of a picture are covered: spheres behind others are found by it.

use crate::Point;

/// A bit for each of a grid of points in the picture.
pub(super) struct CoverMask {
    /// Points per pixel, along each axis.
    density: f64,
    /// Columns and rows of points.
    size: [usize; 2],
    /// Words of a row.
    stride: usize,
    words: Vec<u64>,
    /// Least and greatest place of each row in a polygon, in points.
    spans: Vec<[f64; 2]>,
}

/// The most points of a mask.
const MOST_POINTS: u64 = 1 << 29;

impl CoverMask {
    pub(super) fn new(size: [u32; 2]) -> Self {
        let points = |density: u64| u64::from(size[0]) * u64::from(size[1]) * density * density;
        let density = [8_u32, 4, 2].into_iter().find(|density| points(u64::from(*density)) <= MOST_POINTS).unwrap_or(1);
        let size = size.map(|side| side as usize * density as usize);
        let stride = size[0].div_ceil(64);
        Self { density: f64::from(density), size, stride, words: vec![0; stride * size[1]], spans: Vec::new() }
    }

    /// Whether a convex polygon contains a point that is not covered.
    pub(super) fn shows(&mut self, polygon: &[Point]) -> bool {
        let first = self.find_spans(polygon);
        let mut spans = self.spans.iter().enumerate();
        spans.any(|(row, span)| {
            words(*span, self.size[0]).any(|(word, bits)| !self.words[(first + row) * self.stride + word] & bits != 0)
        })
    }

    /// Covers the points in a convex polygon; returns whether any of them was not covered before.
    pub(super) fn cover(&mut self, polygon: &[Point]) -> bool {
        let first = self.find_spans(polygon);
        let mut is_new = false;
        for (row, span) in self.spans.iter().enumerate() {
            for (word, bits) in words(*span, self.size[0]) {
                let word = &mut self.words[(first + row) * self.stride + word];
                is_new |= !*word & bits != 0;
                *word |= bits;
            }
        }
        is_new
    }

    /// Finds the extent of a polygon in each row of points; returns the first row.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the mask")]
    fn find_spans(&mut self, polygon: &[Point]) -> usize {
        self.spans.clear();
        let density = self.density;
        let row = |y: f64| libm::ceil(y * density - 0.5).clamp(0.0, self.size[1] as f64) as usize;
        let least = polygon.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
        let most = polygon.iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max);
        let (first, end) = (row(least), row(most));
        if first >= end {
            return 0;
        }
        self.spans.resize(end - first, [f64::INFINITY, f64::NEG_INFINITY]);
        for (from, to) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
            let (upper, lower) = if from[1] < to[1] { (from, to) } else { (to, from) };
            if upper[1] == lower[1] {
                continue;
            }
            let slope = (lower[0] - upper[0]) / (lower[1] - upper[1]);
            for row in row(upper[1]).max(first)..row(lower[1]).min(end) {
                let y = (row as f64 + 0.5) / density;
                let x = (upper[0] + (y - upper[1]) * slope) * density;
                let span = &mut self.spans[row - first];
                *span = [span[0].min(x), span[1].max(x)];
            }
        }
        first
    }
}

/// The words of a row that contain points of a span, with their bits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the mask")]
fn words([from, to]: [f64; 2], columns: usize) -> impl Iterator<Item = (usize, u64)> {
    let column = |x: f64| libm::ceil(x - 0.5).clamp(0.0, columns as f64) as usize;
    let (first, end) = if from <= to { (column(from), column(to)) } else { (0, 0) };
    let range = if first < end { first / 64..end.div_ceil(64) } else { 0..0 };
    range.map(move |word| {
        let low = first.saturating_sub(word * 64);
        let high = (end - word * 64).min(64);
        (word, (u64::MAX << low) & (u64::MAX >> (64 - high)))
    })
}
