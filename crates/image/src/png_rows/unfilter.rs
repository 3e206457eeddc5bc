//! Undoes the filters of a PNG's rows.
//!
//! A pixel under the Paeth filter needs the pixels to its left, above it, and between these two, so that a row is one
//! long chain. The row below can begin as soon as there is a pixel above it: eight rows are undone at once, whatever their
//! filters, each one pixel behind the row above, as the pixels of two vectors.
//!
//! Source: Portable Network Graphics (PNG) Specification, third edition, 9; the predictor in bytes: L. Versari, FPNGE,
//! 2022.

use wide::u8x16;

/// Rows that are undone at once.
const ROWS: usize = 8;

/// Four pixels, one of each row; with three bytes a pixel, every fourth lane is unused.
type Pixels = u8x16;

const NONE: u8 = 0;
const SUB: u8 = 1;
const UP: u8 = 2;
const AVERAGE: u8 = 3;
const PAETH: u8 = 4;

/// Undoes the filters of rows of `B` bytes a pixel in place. `rows` begins with the row above the first, and `length` is
/// the number of bytes of a row. Returns false for a filter that does not exist.
pub(super) fn unfilter<const B: usize>(rows: &mut [u8], length: usize, filters: &[u8]) -> bool {
    if filters.iter().any(|&filter| filter > PAETH) {
        return false;
    }
    for (group, filters) in filters.chunks(ROWS).enumerate() {
        let (above, rest) = rows[group * ROWS * length..].split_at_mut(length);
        let current = &mut rest[..filters.len() * length];
        match filters.iter().max() {
            Some(&(AVERAGE | PAETH)) if filters.contains(&AVERAGE) => undo_together::<B, true>(above, current, filters),
            Some(&PAETH) => undo_together::<B, false>(above, current, filters),
            _ => undo_simple::<B>(above, current, filters),
        }
    }
    true
}

/// Rows without the filters that depend on several pixels, one after the other.
fn undo_simple<const B: usize>(above: &[u8], rows: &mut [u8], filters: &[u8]) {
    let mut above = above;
    for (row, filter) in rows.chunks_mut(above.len()).zip(filters) {
        match *filter {
            SUB => {
                let mut left = [0; B];
                for pixel in row.as_chunks_mut::<B>().0 {
                    left = std::array::from_fn(|sample| pixel[sample].wrapping_add(left[sample]));
                    *pixel = left;
                }
            }
            UP => row.iter_mut().zip(above).for_each(|(sample, above)| *sample = sample.wrapping_add(*above)),
            _ => {}
        }
        above = row;
    }
}

/// The pixels left of, above and above left of the next ones, in two vectors of four rows each.
struct Neighbors {
    left: [Pixels; 2],
    corner: [Pixels; 2],
    choice: [Choice; 2],
}

/// All bits of the rows whose filter adds the pixel to the left, above, the mean of both, or Paeth's choice.
#[derive(Clone, Copy)]
struct Choice {
    left: Pixels,
    up: Pixels,
    mean: Pixels,
    paeth: Pixels,
}

impl Neighbors {
    /// Before the first pixels of rows with these filters, at most eight.
    fn new(filters: &[u8]) -> Self {
        let zero = Pixels::new([0; 16]);
        let choice = |half: usize| {
            let rows = |wanted: u8| {
                let lane = |lane: usize| filters.get(4 * half + lane / 4).copied().unwrap_or(NONE) == wanted;
                Pixels::new(std::array::from_fn(|index| if lane(index) { u8::MAX } else { 0 }))
            };
            Choice { left: rows(SUB), up: rows(UP), mean: rows(AVERAGE), paeth: rows(PAETH) }
        };
        Self { left: [zero; 2], corner: [zero; 2], choice: [choice(0), choice(1)] }
    }

    /// Undoes the next pixel of each row. `above` is the pixel above the first row; those above the others were undone
    /// last. `MEAN` tells whether a row has the filter that averages.
    #[inline(always)]
    fn step<const B: usize, const MEAN: bool>(&mut self, above: [u8; B], filtered: [[u8; B]; ROWS]) -> [[u8; B]; ROWS] {
        let last = self.left.map(Pixels::to_array);
        let mut up = [[0; 16]; 2];
        up[0][..B].copy_from_slice(&above);
        up[0][4..].copy_from_slice(&last[0][..12]);
        up[1][..4].copy_from_slice(&last[0][12..]);
        up[1][4..].copy_from_slice(&last[1][..12]);
        let mut lanes = [[0; 16]; 2];
        for (lane, pixel) in lanes.as_flattened_mut().as_chunks_mut::<4>().0.iter_mut().zip(filtered) {
            lane[..B].copy_from_slice(&pixel);
        }
        for half in 0..2 {
            let (left, up) = (self.left[half], Pixels::new(up[half]));
            let choice = &self.choice[half];
            let mut added =
                (paeth(left, up, self.corner[half]) & choice.paeth) | (left & choice.left) | (up & choice.up);
            if MEAN {
                added |= mean(left, up) & choice.mean;
            }
            self.left[half] = Pixels::new(lanes[half]) + added;
            self.corner[half] = up;
        }
        let found = self.left.map(Pixels::to_array);
        std::array::from_fn(|row| std::array::from_fn(|sample| found[row / 4][4 * (row % 4) + sample]))
    }

    /// Makes the pixels before the first of a row zero, for the rows that have not begun.
    fn clear_from(&mut self, row: usize) {
        for pixels in [&mut self.left, &mut self.corner] {
            let mut lanes = pixels.map(Pixels::to_array);
            lanes.as_flattened_mut()[4 * row..].fill(0);
            *pixels = lanes.map(Pixels::new);
        }
    }
}

/// The Paeth predictor: whichever of left, above and above left is nearest to left + above − above left.
#[inline(always)]
fn paeth(left: Pixels, up: Pixels, corner: Pixels) -> Pixels {
    let from_left = up.max(corner) - up.min(corner);
    let from_up = left.max(corner) - left.min(corner);
    // if the corner lies between the other two; else its distance is the largest
    let is_between = left.max(corner).simd_eq(corner) ^ up.max(corner).simd_eq(corner);
    let from_corner = (from_left.max(from_up) - from_left.min(from_up)) | !is_between;
    let rest = from_up.min(from_corner);
    let takes_left = from_left.min(rest).simd_eq(from_left);
    let takes_up = rest.simd_eq(from_up);
    takes_left.bitselect(left, takes_up.bitselect(up, corner))
}

/// The mean, rounded down.
#[inline(always)]
fn mean(left: Pixels, up: Pixels) -> Pixels {
    let (left, up) = (left.to_array(), up.to_array());
    Pixels::new(std::array::from_fn(|lane| u8::midpoint(left[lane], up[lane])))
}

/// Rows below one another, at most eight.
fn undo_together<const B: usize, const MEAN: bool>(above: &[u8], rows: &mut [u8], filters: &[u8]) {
    let above = above.as_chunks::<B>().0;
    let width = above.len();
    let mut rest = rows.as_chunks_mut::<B>().0;
    // of fewer rows, the last are empty
    let mut rows: [&mut [[u8; B]]; ROWS] = std::array::from_fn(|_| {
        let rows = std::mem::take(&mut rest);
        let (row, below) = rows.split_at_mut(width.min(rows.len()));
        rest = below;
        row
    });
    let mut neighbors = Neighbors::new(filters);
    // the upper rows begin, all go on, the lower ones end
    let all = if filters.len() == ROWS { ROWS - 1..width.max(ROWS - 1) } else { 0..0 };
    for x in 0..all.start {
        at_edge::<B, MEAN>(&mut neighbors, x, above, &mut rows);
    }
    for x in all.clone() {
        let filtered = std::array::from_fn(|row| rows[row][x - row]);
        let found = neighbors.step::<B, MEAN>(above[x], filtered);
        found.into_iter().enumerate().for_each(|(row, pixel)| rows[row][x - row] = pixel);
    }
    (all.end..width + ROWS - 1).for_each(|x| at_edge::<B, MEAN>(&mut neighbors, x, above, &mut rows));
}

/// Undoes a pixel of each row that has one where the first row is at `x`.
fn at_edge<const B: usize, const MEAN: bool>(
    neighbors: &mut Neighbors,
    x: usize,
    above: &[[u8; B]],
    rows: &mut [&mut [[u8; B]]; ROWS],
) {
    let place = |row: usize| x.checked_sub(row).filter(|&place| place < above.len());
    let filtered = std::array::from_fn(|row| place(row).and_then(|at| rows[row].get(at)).copied().unwrap_or([0; B]));
    let found = neighbors.step::<B, MEAN>(above.get(x).copied().unwrap_or([0; B]), filtered);
    for (row, pixel) in found.into_iter().enumerate() {
        if let Some(found) = place(row).and_then(|at| rows[row].get_mut(at)) {
            *found = pixel;
        }
    }
    if x + 1 < ROWS {
        neighbors.clear_from(x + 1);
    }
}
