//! Random numbers as functions of a seed and an index, and rotations by the golden angle.

use std::f64::consts::TAU;
use std::ops::Range;

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The stream of a seed and a dimension.
pub(super) fn stream(seed: u64, dimension: u64) -> u64 {
    mix(seed.wrapping_add(dimension.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA)))
}

/// A number in [0, 1), a function of its arguments alone.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014 (`mix64`, as in
/// `SplitMix64`); here the counter is the index, and seed and dimension choose the stream.
#[inline(always)]
pub(super) fn random_in(stream: u64, index: u64) -> f64 {
    let bits = mix(stream.wrapping_add(index.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA)));
    // the upper 53 bits, exactly
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// Shapes per group. The random numbers of a group are computed column by column, so that the compiler vectorizes the
/// loops.
pub(super) const GROUP: usize = 64;

/// The first number and the length of each group of a range.
#[expect(clippy::cast_possible_truncation, reason = "at most the length of a group")]
pub(super) fn groups(numbers: Range<u64>) -> impl Iterator<Item = (u64, usize)> {
    let Range { start, end } = numbers;
    (start..end).step_by(GROUP).map(move |first| (first, (end - first).min(GROUP as u64) as usize))
}

/// [`random_in`] for a group of indices, one column per stream.
pub(super) struct RandomColumns([[f64; GROUP]; 4]);

impl RandomColumns {
    #[inline(always)]
    pub(super) fn new(streams: &[u64], first: u64) -> Self {
        let mut columns = [[0.0; GROUP]; 4];
        for (column, &stream) in columns.iter_mut().zip(streams) {
            for (number, index) in column.iter_mut().zip(0..) {
                *number = random_in(stream, first.wrapping_add(index));
            }
        }
        Self(columns)
    }

    #[inline(always)]
    pub(super) fn row(&self, index: usize) -> [f64; 4] {
        let Self([first, second, third, fourth]) = self;
        [first[index], second[index], third[index], fourth[index]]
    }
}

#[inline(always)]
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Two independent normal numbers from two uniform ones (Box and Muller, 1958).
pub(super) fn normal_pair(first: f64, second: f64) -> [f64; 2] {
    // 1 − u is never 0
    let length = (-2.0 * libm::log(1.0 - first)).sqrt();
    let (sine, cosine) = libm::sincos(TAU * second);
    [length * cosine, length * sine]
}

/// Sine and cosine of `index` golden angles.
pub(super) fn golden_turn(index: u64) -> (f64, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let turns = index as f64 * GOLDEN;
    libm::sincos(TAU * (turns - libm::floor(turns)))
}
