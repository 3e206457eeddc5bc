//! A lookup table of distant disks: the directions that a disk blocks, as bits.
//!
//! A light map multiplies the shares that the disks in a bin leave open, as if the disks were placed at random in the
//! bin. Spheres of one body are not: behind a silhouette that crosses a bin there are many, and all block the same part
//! of it. Therefore opaque spheres set bits of a finer grid, 4 × 4 directions to a bin, so that overlapping spheres
//! count once.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use fearless_simd::{f32x8, i32x8, prelude::*};

use super::footprints::{BINS_SIDE, LightMap};
use super::octahedron::{cells8, direction, dot, length, middle, normalized, point};
use crate::lanes::Vec3x8;

/// Directions per side of the grid and per side of a word, and words per side of the grid.
const SIDE: usize = 48;
const WORD_SIDE: usize = 8;
const WORDS_SIDE: usize = SIDE / WORD_SIDE;

/// A bit for each direction from which no light comes, in words of 8 × 8 neighbours.
pub(super) type CoverageMask = [u64; WORDS_SIDE * WORDS_SIDE];

/// No direction.
pub(super) const NOTHING: CoverageMask = [0; WORDS_SIDE * WORDS_SIDE];

/// Disks of at least this angular radius cover about one direction of the grid or more and set bits; smaller ones dim
/// bins.
pub(super) const LEAST_RADIUS: f32 = 0.042;

/// Cells per side of the table's map, its classes of size, and its largest angular radius.
const CELLS_SIDE: i32 = 32;
const CLASSES: i32 = 20;
const LARGEST: f32 = 0.8;

/// Cosine of an angle that holds the directions of the largest disk.
const WIDEST_COSINE: f64 = 0.6;

/// Patterns of bits for disks that let some light through.
const PATTERNS: usize = 32;

/// The words that each disk reaches.
#[derive(Debug)]
pub(super) struct DiskMasks {
    /// Where the entries of each cell and class begin.
    starts: Vec<u32>,
    places: Vec<u8>,
    words: Vec<u64>,
    /// A word for each pattern and each number of bits, which are spread evenly.
    dither: Vec<[u64; 65]>,
}

/// The table, built when it is first used.
pub(super) static DISK_MASKS: LazyLock<DiskMasks> = LazyLock::new(DiskMasks::new);

/// A direction of the grid.
struct GridDirection {
    toward: [f64; 3],
    solid_angle: f64,
    word: usize,
    bit: usize,
}

fn grid() -> Vec<GridDirection> {
    let step = 2.0 / SIDE as f64;
    let of = |index: usize| {
        let (row, column) = (index / SIDE, index % SIDE);
        let place = point([column, row].map(|at| middle(at, SIDE)));
        let distance = length(place);
        GridDirection {
            toward: normalized(place),
            solid_angle: step * step / (distance * distance * distance),
            word: row / WORD_SIDE * WORDS_SIDE + column / WORD_SIDE,
            bit: row % WORD_SIDE * WORD_SIDE + column % WORD_SIDE,
        }
    };
    (0..SIDE * SIDE).map(of).collect()
}

impl DiskMasks {
    /// A disk covers the directions nearest to its centre, until they add up to its solid angle.
    #[expect(clippy::cast_possible_truncation, reason = "words are few")]
    fn new() -> Self {
        let grid = grid();
        let mut table = Self { starts: vec![0], places: Vec::new(), words: Vec::new(), dither: dither() };
        let mut order: Vec<(f64, usize)> = Vec::new();
        for cell in 0..(CELLS_SIDE * CELLS_SIDE) as usize {
            let axis = direction(cell, CELLS_SIDE as usize);
            let cosines = grid.iter().map(|of| dot(axis, of.toward)).enumerate();
            order.clear();
            order.extend(cosines.filter(|(_, cosine)| *cosine > WIDEST_COSINE).map(|(index, cosine)| (-cosine, index)));
            order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut rest = order.iter().map(|&(_, index)| &grid[index]).peekable();
            let (mut mask, mut covered) = (NOTHING, 0.0);
            for class in 0..CLASSES {
                let radius = (f64::from(class) + 0.5) * f64::from(LARGEST) / f64::from(CLASSES);
                let wanted = TAU * (1.0 - libm::cos(radius));
                while let Some(next) = rest.next_if(|next| covered == 0.0 || covered + 0.5 * next.solid_angle <= wanted)
                {
                    covered += next.solid_angle;
                    mask[next.word] |= 1 << next.bit;
                }
                for (place, word) in mask.into_iter().enumerate().filter(|(_, word)| *word != 0) {
                    table.places.push(place as u8);
                    table.words.push(word);
                }
                table.starts.push(table.places.len() as u32);
            }
        }
        table
    }

    /// The positions in the table of disks in a direction of any length, with the sine of their angular radius.
    #[inline(always)]
    pub(super) fn positions<S: Simd>(axis: Vec3x8<S>, sine: f32x8<S>) -> i32x8<S> {
        let radius = sine * (sine * sine * (1.0 / 6.0) + 1.0);
        let class = (radius.min(LARGEST) * (CLASSES as f32 / LARGEST)).min((CLASSES - 1) as f32);
        cells8(axis, CELLS_SIDE) * CLASSES + class.to_int::<i32x8<S>>()
    }

    /// The places and words of an entry.
    #[inline(always)]
    fn entry(&self, position: i32) -> impl Iterator<Item = (usize, u64)> {
        let position = position as usize;
        let range = self.starts[position] as usize..self.starts[position + 1] as usize;
        let places = self.places[range.clone()].iter().map(|&place| usize::from(place));
        places.zip(self.words[range].iter().copied())
    }

    /// Blocks the directions of an opaque disk.
    #[inline(always)]
    pub(super) fn block(&self, position: i32, mask: &mut CoverageMask) {
        for (place, word) in self.entry(position) {
            mask[place] |= word;
        }
    }

    /// Blocks a share of the directions of a disk, chosen by a number that should differ from disk to disk.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 64")]
    pub(super) fn block_share(&self, position: i32, share: f32, number: u32, mask: &mut CoverageMask) {
        let level = ((share * 64.0 + 0.5) as usize).min(64);
        for (pattern, (place, word)) in (number as usize..).zip(self.entry(position)) {
            mask[place] |= word & self.dither[pattern % PATTERNS][level];
        }
    }
}

/// Words with 0 to 64 bits; each has the bits of the one before it. Four successive bits of a pattern lie in four
/// different quarters of the word.
fn dither() -> Vec<[u64; 65]> {
    /// The bits of a quarter: four rows of four.
    const PART: usize = 16;
    // xorshift64*
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |count: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        usize::try_from(state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33).unwrap_or_default() % count
    };
    let mut shuffled = |count: usize| {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, below(last + 1));
        }
        order
    };
    let mut pattern = || {
        let parts: Vec<Vec<usize>> = (0..4).map(|_| shuffled(PART)).collect();
        let (mut words, mut order) = ([0_u64; 65], Vec::new());
        for level in 0..64 {
            if level % 4 == 0 {
                order = shuffled(4);
            }
            let part = order[level % 4];
            let at = parts[part][level / 4];
            let bit = (part / 2 * 4 + at / 4) * WORD_SIDE + part % 2 * 4 + at % 4;
            words[level + 1] = words[level] | 1 << bit;
        }
        words
    };
    (0..PATTERNS).map(|_| pattern()).collect()
}

/// Removes the light of blocked directions from the light map.
#[inline(always)]
pub(super) fn darken(map: &mut LightMap, mask: &CoverageMask) {
    const ACROSS: usize = BINS_SIDE as usize;
    for (place, &word) in mask.iter().enumerate().filter(|(_, word)| **word != 0) {
        let first = place / WORDS_SIDE * 2 * ACROSS + place % WORDS_SIDE * 2;
        for (bin, shift) in [(0, 0), (1, 4), (ACROSS, 32), (ACROSS + 1, 36)] {
            let blocked = (word >> shift & 0x0f0f_0f0f).count_ones();
            map[first + bin] *= 1.0 - blocked as f32 * (1.0 / 16.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_have_the_solid_angle_of_their_disks() {
        let (grid, table) = (grid(), &*DISK_MASKS);
        let whole: f64 = grid.iter().map(|of| of.solid_angle).sum();
        assert!((whole - 2.0 * TAU).abs() < 1e-2, "{whole}");
        let largest = grid.iter().map(|of| of.solid_angle).fold(0.0, f64::max);
        for position in 0..CELLS_SIDE * CELLS_SIDE * CLASSES {
            let mut mask = NOTHING;
            table.block(position, &mut mask);
            let is_covered = |of: &&GridDirection| mask[of.word] >> of.bit & 1 == 1;
            let covered: f64 = grid.iter().filter(is_covered).map(|of| of.solid_angle).sum();
            let radius = (f64::from(position % CLASSES) + 0.5) * f64::from(LARGEST) / f64::from(CLASSES);
            let wanted = TAU * (1.0 - libm::cos(radius));
            assert!((covered - wanted).abs() <= largest, "{position}: {covered} of {wanted}");
        }
    }

    #[test]
    fn dithered_words_have_as_many_bits_as_they_should_in_every_quarter() {
        for words in dither() {
            for (level, word) in words.into_iter().enumerate() {
                assert_eq!(word.count_ones() as usize, level);
                for shift in [0, 4, 32, 36] {
                    let bits = (word >> shift & 0x0f0f_0f0f).count_ones() as usize;
                    assert!((level / 4..=level.div_ceil(4)).contains(&bits), "{level}: {word:x}");
                }
            }
        }
    }

    #[test]
    fn darkened_bins_are_those_of_the_bits() {
        for (row, column) in [(0, 0), (5, 11), (47, 47), (20, 31)] {
            let mut mask = NOTHING;
            mask[row / WORD_SIDE * WORDS_SIDE + column / WORD_SIDE] =
                1 << (row % WORD_SIDE * WORD_SIDE + column % WORD_SIDE);
            let mut map = [1.0; 256];
            darken(&mut map, &mask);
            let dark: Vec<usize> = (0..map.len()).filter(|&bin| map[bin] < 1.0).collect();
            assert_eq!(dark, [row / 4 * BINS_SIDE as usize + column / 4]);
            assert_eq!(map[dark[0]], 15.0 / 16.0);
        }
    }
}
