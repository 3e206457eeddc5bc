//! Sums over the pixels of a picture that are exact: weights in fixed point, spread over the area of discs.

use std::ops::Range;

use rayon::prelude::*;

use super::Circle;
use super::disc_spreader::DiscSpreader;

/// The unit of weights in fixed point: a power of two.
///
/// Sums of whole units have no rounding, so that they are the same in any order and on any number of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WeightUnit {
    /// The unit, and one over it, each as two factors, as one alone may be out of range.
    size: [f64; 2],
    inverse: [f64; 2],
}

impl WeightUnit {
    /// Bits of a sum besides the sign, less one: the greatest sum in either direction is half of what `i64` holds.
    const BITS: i32 = 62;

    /// The finest unit at which sums of weights do not overflow; `total` is the sum of their magnitudes.
    fn of_total(total: f64) -> Self {
        let exponent = if total > 0.0 { libm::ilogb(total) } else { 0 };
        // numbers below 2^-1022 have fewer bits
        let exponent = (exponent + 1 - Self::BITS).max(-1022);
        let half = exponent / 2;
        let powers = |sign: i32| [sign * half, sign * (exponent - half)].map(|power| libm::scalbn(1.0, power));
        Self { size: powers(1), inverse: powers(-1) }
    }

    /// Rounds a weight to a whole number of units; NaN and infinities are 0.
    #[inline(always)]
    fn units(self, weight: f64) -> i64 {
        /// From here on all numbers are whole.
        const WHOLE: f64 = (1_u64 << 52) as f64;
        let exact = weight * self.inverse[0] * self.inverse[1];
        let size = exact.abs();
        let rounded = if size < WHOLE { (size + WHOLE) - WHOLE } else { size };
        #[expect(clippy::cast_possible_truncation, reason = "below 2^62")]
        let units = rounded.copysign(exact) as i64;
        units
    }

    /// The number that is nearest to a sum of units.
    fn number(self, units: i64) -> f64 {
        units as f64 * self.size[0] * self.size[1]
    }
}

/// The points in a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PixelSum {
    /// The sum of their weights.
    pub weight: f64,
    /// The number of points.
    pub points: u32,
}

/// Sums by pixel of `count` points with weights, the first row on top; points whose weight is NaN or infinite are left out.
///
/// Sums are exact but for the rounding of weights to 2⁻⁶² of the sum of their magnitudes, and the same on any number of threads.
pub fn sums_of_points(count: usize, point: impl Fn(usize) -> ([f32; 2], f64) + Sync, size: [u32; 2]) -> Vec<PixelSum> {
    let disc = |index: usize| {
        let (center, weight) = point(index);
        (Circle { center, radius: 0.0 }, weight)
    };
    // side by side, as each point changes both
    let add = |(sum, points): &mut (i64, u32), units: i64| (*sum, *points) = (*sum + units, points.saturating_add(1));
    let sum = |parts: &[Vec<(i64, u32)>], pixel: usize, unit: WeightUnit| {
        let parts = || parts.iter().map(|part| part[pixel]);
        let points = parts().fold(0, |sum: u32, (_, points)| sum.saturating_add(points));
        PixelSum { weight: unit.number(parts().map(|(units, _)| units).sum()), points }
    };
    sums_by_pixel(count, disc, size, add, sum)
}

/// Masses by pixel of `count` discs with weights, the first row on top: each weight is spread evenly over the area of its disc.
/// Discs whose weight is NaN or infinite are left out.
///
/// Sums are as exact as [`sums_of_points`] finds them: masses of discs inside of the picture sum to their weights.
pub fn masses_of_discs(count: usize, disc: impl Fn(usize) -> (Circle, f64) + Sync, size: [u32; 2]) -> Vec<f64> {
    let sum =
        |parts: &[Vec<i64>], pixel: usize, unit: WeightUnit| unit.number(parts.iter().map(|part| part[pixel]).sum());
    sums_by_pixel(count, disc, size, |sum, units| *sum += units, sum)
}

/// Memory in bytes that the sums by pixel take for each pixel, while they are found.
pub fn bytes_of_pixel_sums() -> u64 {
    (size_of::<(i64, u32)>() * rayon::current_num_threads() + size_of::<PixelSum>()) as u64
}

/// Sums by pixel: each thread adds up the units of some of the discs, and all parts of a pixel are joined.
fn sums_by_pixel<Part: Clone + Default + Send + Sync, Sum: Send>(
    count: usize,
    disc: impl Fn(usize) -> (Circle, f64) + Sync,
    size: [u32; 2],
    add: impl Fn(&mut Part, i64) + Sync,
    sum: impl Fn(&[Vec<Part>], usize, WeightUnit) -> Sum + Sync,
) -> Vec<Sum> {
    /// Discs that a thread takes at least.
    const DISCS: usize = 1 << 16;
    let pixels = size[0] as usize * size[1] as usize;
    let ranges = |each: usize| {
        let parts = (0..count.div_ceil(each).max(1)).into_par_iter();
        parts.map(move |part| part * each..((part + 1) * each).min(count))
    };
    // the total is added up in parts of a fixed length, so that threads do not change the unit
    let magnitude = |index: usize| Some(disc(index).1.abs()).filter(|weight| weight.is_finite());
    let totals: Vec<f64> = ranges(DISCS).map(|range| range.filter_map(magnitude).sum()).collect();
    let unit = WeightUnit::of_total(totals.into_iter().sum::<f64>().min(f64::MAX));
    let sums_of = |range: Range<usize>| {
        let mut sums = vec![Part::default(); pixels];
        let mut add = |pixel: usize, units: i64| add(&mut sums[pixel], units);
        let (mut batch, mut spreader) = (TileOrder::new(size), DiscSpreader::new(size));
        for first in range.clone().step_by(TileOrder::BATCH) {
            for (disc, weight) in batch.sorted(first..range.end.min(first + TileOrder::BATCH), &disc) {
                spreader.spread(disc, unit.units(*weight), &mut add);
            }
        }
        spreader.finish(&mut add);
        sums
    };
    let parts: Vec<Vec<Part>> = ranges(count.div_ceil(rayon::current_num_threads()).max(DISCS)).map(sums_of).collect();
    (0..pixels).into_par_iter().with_min_len(1 << 14).map(|pixel| sum(&parts, pixel, unit)).collect()
}

/// Discs of a batch in the order of the tiles that hold their centres. The discs of a tile reach the same few pages of sums, which
/// stay in the cache; in random order each row of pixels would be fetched from memory.
struct TileOrder {
    size: [u32; 2],
    /// Where the discs of each tile begin.
    starts: Vec<u32>,
    discs: Vec<(Circle, f64)>,
}

impl TileOrder {
    /// Discs that are sorted at once, 24 MiB: four thousand for each tile of a million pixels.
    const BATCH: usize = 1 << 20;

    /// The binary logarithm of the side of a tile in pixels; its sums take 32 KiB.
    const SIDE: u32 = 6;

    fn new(size: [u32; 2]) -> Self {
        Self { size, starts: Vec::new(), discs: Vec::new() }
    }

    /// The tile of a place; places outside belong to the nearest one.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    fn tile(&self, [x, y]: [f32; 2]) -> usize {
        let (column, row) = ((x as u32).min(self.size[0] - 1), (y as u32).min(self.size[1] - 1));
        (row >> Self::SIDE) as usize * self.columns() + (column >> Self::SIDE) as usize
    }

    fn columns(&self) -> usize {
        (self.size[0] >> Self::SIDE) as usize + 1
    }

    /// The discs of a range with finite weights.
    fn sorted(&mut self, range: Range<usize>, disc: &impl Fn(usize) -> (Circle, f64)) -> &[(Circle, f64)] {
        let tiles = self.columns() * ((self.size[1] >> Self::SIDE) as usize + 1);
        self.starts.clear();
        self.starts.resize(tiles + 1, 0);
        for index in range.clone() {
            let (disc, weight) = disc(index);
            if weight.is_finite() {
                let tile = self.tile(disc.center);
                self.starts[tile + 1] += 1;
            }
        }
        for tile in 0..tiles {
            self.starts[tile + 1] += self.starts[tile];
        }
        let nothing = Circle { center: [0.0; 2], radius: 0.0 };
        self.discs.clear();
        self.discs.resize(self.starts[tiles] as usize, (nothing, 0.0));
        for index in range {
            let (disc, weight) = disc(index);
            if weight.is_finite() {
                let tile = self.tile(disc.center);
                self.discs[self.starts[tile] as usize] = (disc, weight);
                self.starts[tile] += 1;
            }
        }
        &self.discs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_hold_sums_of_any_size() {
        for total in [0.0, 5e-324, 1e-300, 1.0, 3.7e17, f64::MAX] {
            let unit = WeightUnit::of_total(total);
            assert!(unit.units(total) <= 1 << 62 && unit.units(-total) >= -(1 << 62), "{total}");
            let back = unit.number(unit.units(total));
            assert!((back - total).abs() <= total * 1e-15 || total < 1e-290, "{total} {back}");
        }
    }
}
