//! Sums over the pixels of a picture that are exact: weights in fixed point, spread over the area of discs.

use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::Range;

use rayon::prelude::*;

use super::Circle;

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
    let [width, pixels] = [size[0] as usize, size[0] as usize * size[1] as usize];
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
        let mut batch = TileOrder::new(size);
        for first in range.clone().step_by(TileOrder::BATCH) {
            for (disc, weight) in batch.sorted(first..range.end.min(first + TileOrder::BATCH), &disc) {
                spread_disc(disc, unit.units(*weight), size, |[x, y], units| {
                    add(&mut sums[y as usize * width + x as usize], units);
                });
            }
        }
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
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    fn tile(&self, [x, y]: [f32; 2]) -> usize {
        let [column, row] =
            [(x as u32).min(self.size[0] - 1), (y as u32).min(self.size[1] - 1)].map(|at| at >> Self::SIDE);
        row as usize * self.columns() + column as usize
    }

    fn columns(&self) -> usize {
        (self.size[0] >> Self::SIDE) as usize + 1
    }

    /// The discs of a range with finite weights.
    fn sorted(&mut self, range: Range<usize>, disc: &impl Fn(usize) -> (Circle, f64)) -> &[(Circle, f64)] {
        let discs = || range.clone().map(disc).filter(|(_, weight)| weight.is_finite());
        let tiles = self.columns() * ((self.size[1] >> Self::SIDE) as usize + 1);
        self.starts.clear();
        self.starts.resize(tiles + 1, 0);
        discs().for_each(|(disc, _)| {
            let tile = self.tile(disc.center);
            self.starts[tile + 1] += 1;
        });
        for tile in 0..tiles {
            self.starts[tile + 1] += self.starts[tile];
        }
        let nothing = Circle { center: [0.0; 2], radius: 0.0 };
        self.discs.clear();
        self.discs.resize(self.starts[tiles] as usize, (nothing, 0.0));
        discs().for_each(|(disc, weight)| {
            let tile = self.tile(disc.center);
            self.discs[self.starts[tile] as usize] = (disc, weight);
            self.starts[tile] += 1;
        });
        &self.discs
    }
}

/// Parts of a disc below this are rounding: eight areas of at most π, and their differences.
const LEAST_PART: f64 = 4e-15;

/// Spreads whole units evenly over a disc: `add` gets each pixel that the disc covers, as column and row, and its units, in
/// proportion to the covered area. Pixels outside of a picture of `size` get none.
///
/// The units of a disc inside of the picture sum to exactly `units`: the pixel that holds the centre gets the remainder of
/// rounding. Areas are off by less than 4·10⁻¹⁵ of the disc's. A disc without a radius is a point. A disc with a NaN or
/// infinite number gets none.
#[inline]
fn spread_disc(disc: &Circle, units: i64, size: [u32; 2], mut add: impl FnMut([u32; 2], i64)) {
    let Circle { center, radius } = *disc;
    let center = center.map(f64::from);
    let radius = f64::from(radius).max(0.0);
    if !(center.iter().all(|along| along.is_finite()) && radius.is_finite()) {
        return;
    }
    let pixel_of = |along: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
        let toward_zero = along as i64;
        toward_zero.saturating_sub(i64::from(along < toward_zero as f64))
    };
    let first = center.map(|along| pixel_of(along - radius));
    let last = center.map(|along| pixel_of(along + radius));
    let sizes = size.map(i64::from);
    if (0..2).any(|axis| last[axis] < 0 || first[axis] >= sizes[axis]) {
        return;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the picture")]
    let pixel = |column: i64, row: i64| [column as u32, row as u32];
    if first == last {
        add(pixel(first[0], first[1]), units);
        return;
    }
    let is_inside = (0..2).all(|axis| first[axis] >= 0 && last[axis] < sizes[axis]);
    let ranges = [0, 1].map(|axis| first[axis].max(0)..last[axis].min(sizes[axis] - 1) + 1);
    let mut given = 0;
    let of_area = units as f64 / PI;
    let add_area = |[column, row]: [i64; 2], area: f64| {
        if area > 0.0 {
            #[expect(clippy::cast_possible_truncation, reason = "at most the units of the disc")]
            let part = (of_area * area) as i64;
            add(pixel(column, row), part);
            given += part;
        }
    };
    match (is_inside, last[0] - first[0], last[1] - first[1]) {
        (true, ..=1, ..=1) => areas_of_small::<1>(center, radius, first, add_area),
        (true, ..=2, ..=2) => areas_of_small::<2>(center, radius, first, add_area),
        (true, ..=4, ..=4) => areas_of_small::<4>(center, radius, first, add_area),
        _ => areas(center, radius, ranges, add_area),
    }
    if is_inside {
        add(pixel(pixel_of(center[0]), pixel_of(center[1])), units - given);
    }
}

/// Finds the areas that a disc, scaled to radius 1, has in common with a square of pixels that holds it; `first` is the pixel in
/// its corner. `LINES` lines lie between the columns, and between the rows; a disc may need fewer.
#[inline(always)]
fn areas_of_small<const LINES: usize>(
    center: [f64; 2],
    radius: f64,
    first: [i64; 2],
    mut add: impl FnMut([i64; 2], f64),
) {
    let left = HalfPlanes::<LINES>::new(first[0] + 1, center[0], radius);
    let below = HalfPlanes::<LINES>::new(first[1] + 1, center[1], radius);
    let (mut above, mut all_above) = ([0.0; LINES], 0.0);
    for down in 0..=LINES {
        let is_last = down == LINES;
        let quarters = if is_last { left.areas } else { left.quarters(&below, down) };
        let all = if is_last { PI } else { below.areas[down] };
        let row = first[1] + down as i64;
        let mut before = 0.0;
        for across in 0..LINES {
            let area = quarters[across] - above[across];
            add([first[0] + across as i64, row], known(area - before));
            before = area;
        }
        add([first[0] + LINES as i64, row], known((all - all_above) - before));
        (above, all_above) = (quarters, all);
    }
}

/// Finds the areas that a disc, scaled to radius 1, has in common with pixels of these columns and rows, tile by tile.
#[inline(always)]
fn areas(center: [f64; 2], radius: f64, [columns, rows]: [Range<i64>; 2], mut add: impl FnMut([i64; 2], f64)) {
    const LINES: usize = 8;
    let step = LINES - 1;
    for row in rows.clone().step_by(step) {
        let below = HalfPlanes::<LINES>::new(row, center[1], radius);
        for column in columns.clone().step_by(step) {
            let left = HalfPlanes::<LINES>::new(column, center[0], radius);
            let columns = || (column..columns.end).take(step);
            let rows = (row..rows.end).take(step);
            if left.farthest_squared() + below.farthest_squared() < 1.0 {
                // pixels inside of the disc have the same area to the last bit, however large the disc is
                let whole = 1.0 / (radius * radius);
                rows.for_each(|row| columns().for_each(|column| add([column, row], whole)));
                continue;
            }
            let mut above = left.quarters(&below, 0);
            for (down, row) in rows.enumerate() {
                let quarters = left.quarters(&below, down + 1);
                for (across, column) in columns().enumerate() {
                    let area = (quarters[across + 1] - quarters[across]) - (above[across + 1] - above[across]);
                    add([column, row], known(area));
                }
                above = quarters;
            }
        }
    }
}

/// Half planes that end at successive lines of pixels, and their common areas with a disc, which is scaled to radius 1.
struct HalfPlanes<const LINES: usize> {
    /// Where they end, from the centre.
    ends: [f64; LINES],
    /// 0 to π.
    areas: [f64; LINES],
}

impl<const LINES: usize> HalfPlanes<LINES> {
    #[inline(always)]
    fn new(first: i64, center: f64, radius: f64) -> Self {
        let first = first as f64 - center;
        let ends: [f64; LINES] = std::array::from_fn(|line| (first + line as f64) / radius);
        Self { ends, areas: ends.map(half_plane) }
    }

    /// The square of the distance of the farthest end.
    #[inline(always)]
    fn farthest_squared(&self) -> f64 {
        let farthest = self.ends[0].abs().max(self.ends[LINES - 1].abs());
        farthest * farthest
    }

    /// Areas of the disc in quarter planes: to the left of each of these lines, and above one of `below`.
    #[inline(always)]
    fn quarters(&self, below: &Self, line: usize) -> [f64; LINES] {
        /// The number, or 0: without a branch, which no processor could foresee.
        fn only_if(is_so: bool, number: f64) -> f64 {
            f64::from_bits(number.to_bits() & u64::from(is_so).wrapping_neg())
        }
        let (y, above) = (below.ends[line], below.areas[line]);
        let is_lower_half = f64::from(u8::from(y >= 0.0));
        std::array::from_fn(|line| {
            let (x, left) = (self.ends[line], self.areas[line]);
            let inside = (left + above - FRAC_PI_2) * 0.5 + x * y;
            // the corner is outside of the disc: the quarter plane has nothing of it, or all but the caps beyond its lines
            let outside = left * is_lower_half + only_if(x >= 0.0, above - PI * is_lower_half);
            outside + only_if(x * x + y * y < 1.0, inside - outside)
        })
    }
}

/// A part of the disc's area; 0 if it is as small as rounding errors.
#[inline(always)]
fn known(part: f64) -> f64 {
    if part > LEAST_PART { part } else { 0.0 }
}

/// The area that the unit disc has in common with the half plane up to `end`.
#[inline(always)]
fn half_plane(end: f64) -> f64 {
    /// ∫ √s √(2 − s) ds from 0 to z, divided by z √z: half a cap of height z. A polynomial through 15 zeros of Chebyshev's, off
    /// by less than 3·10⁻¹⁵ up to z = 1.
    const CAP: [f64; 15] = [
        0.942_809_041_582_062,
        -0.141_421_356_236_716_92,
        -0.012_626_906_850_930_738,
        -0.002_455_230_593_528_571,
        -0.000_627_777_717_156_922,
        -0.000_185_734_619_344_875_24,
        -6.147_628_438_726_633e-5,
        -1.670_286_996_491_558_4e-5,
        -1.954_698_851_558_244_8e-5,
        2.091_556_905_958_459_6e-5,
        -3.464_905_998_982_304e-5,
        3.240_792_779_930_658_3e-5,
        -2.159_132_870_633_601e-5,
        8.378_638_148_514_3e-6,
        -1.607_770_376_059_029_7e-6,
    ];
    let height = (1.0 - end.abs()).max(0.0);
    // in pairs, so that few factors wait for others
    let (squared, to_fourth) = (height * height, (height * height) * (height * height));
    let two = |first: usize| CAP[first] + CAP[first + 1] * height;
    let four = |first: usize| two(first) + two(first + 2) * squared;
    let last = two(12) + CAP[14] * squared;
    let sum = (four(0) + four(4) * to_fourth) + (four(8) + last * to_fourth) * (to_fourth * to_fourth);
    let cap = 2.0 * height * height.sqrt() * sum;
    FRAC_PI_2 + (FRAC_PI_2 - cap).copysign(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(center: [f32; 2], radius: f32, units: i64, size: [u32; 2]) -> Vec<i64> {
        let mut pixels = vec![0; (size[0] * size[1]) as usize];
        spread_disc(&Circle { center, radius }, units, size, |[x, y], part| {
            pixels[(y * size[0] + x) as usize] += part;
        });
        pixels
    }

    #[test]
    fn discs_inside_the_picture_keep_every_unit() {
        for units in [1, 7, -9, 1 << 40, (1 << 61) + 1, i64::MAX / 2] {
            for (center, radius) in
                [([5.3, 6.1], 0.2), ([5.0, 6.0], 1.0), ([9.7, 8.2], 7.9), ([0.5, 0.5], 0.5), ([3.0, 3.0], 0.0)]
            {
                let sum: i128 = spread(center, radius, units, [20, 20]).into_iter().map(i128::from).sum();
                assert_eq!(sum, i128::from(units), "{center:?} {radius}");
            }
        }
    }

    #[test]
    fn units_are_in_proportion_to_the_covered_area() {
        let units = 1_i64 << 50;
        let (center, radius) = ([7.3_f32, 5.9_f32], 4.2_f32);
        let pixels = spread(center, radius, units, [16, 16]);
        for (index, found) in pixels.iter().enumerate() {
            // points on a fine grid inside of the pixel
            let (x, y) = ((index % 16) as f64, (index / 16) as f64);
            let inside = |i: u32| {
                let (dx, dy) = (
                    x + (f64::from(i % 64) + 0.5) / 64.0 - f64::from(center[0]),
                    y + (f64::from(i / 64) + 0.5) / 64.0 - f64::from(center[1]),
                );
                dx * dx + dy * dy < f64::from(radius) * f64::from(radius)
            };
            let share = (0..4096).filter(|i| inside(*i)).count() as f64 / 4096.0;
            let expected = share / (PI * f64::from(radius) * f64::from(radius));
            assert!((*found as f64 / units as f64 - expected).abs() < 4e-4, "{index}");
        }
    }

    #[test]
    fn parts_are_those_of_the_coverage_of_pixels() {
        let units = 1_i64 << 60;
        for (center, radius) in [
            ([20.3_f32, 18.9_f32], 14.2_f32),
            ([16.0, 16.0], 9.0),
            ([7.0, 31.5], 3.5),
            ([9.1, 9.2], 0.4),
            ([9.0, 9.0], 1e-3),
            ([9.5, 9.0], 0.5),
            ([-300.0, 20.0], 310.0),
            ([3e4, 2e4], 36_060.0),
        ] {
            let disc = Circle { center, radius };
            let area = PI * f64::from(radius) * f64::from(radius);
            let parts = spread(center, radius, units, [40, 40]);
            for (index, part) in (0..).zip(&parts) {
                let covered = crate::geom::pixel_coverage(&disc, index % 40, index / 40);
                let found = *part as f64 / units as f64 * area;
                assert!((found - covered).abs() < 1e-13 + 1e-14 * area, "{disc:?} {index}: {found} {covered}");
                assert!(
                    (covered == 0.0) == (*part == 0) || covered < 1e-13 + 1e-14 * area,
                    "{disc:?} {index}: {part} {covered}"
                );
            }
        }
    }

    #[test]
    fn pixels_in_a_vast_disc_have_equal_parts() {
        let units = 1_i64 << 60;
        for radius in [1e3_f32, 1e6, 1e8] {
            let parts = spread([23.7, -11.4], radius, units, [40, 30]);
            let expected = units as f64 / (PI * f64::from(radius) * f64::from(radius));
            let is_expected = |part: &i64| (*part as f64 - expected).abs() <= 1.0 + 1e-12 * expected;
            assert!(parts.iter().all(|part| *part == parts[0] && is_expected(part)), "{radius}: {expected} {parts:?}");
        }
    }

    #[test]
    fn parts_outside_of_the_picture_are_lost() {
        let half = spread([0.0, 8.0], 4.0, 1 << 40, [16, 16]).iter().sum::<i64>();
        assert!((half as f64 / (1_u64 << 40) as f64 - 0.5).abs() < 1e-9);
        assert!(spread([-9.0, 8.0], 4.0, 1 << 40, [16, 16]).iter().all(|&part| part == 0));
        assert!(spread([f32::NAN, 8.0], 4.0, 1 << 40, [16, 16]).iter().all(|&part| part == 0));
        assert!(spread([8.0, 8.0], f32::INFINITY, 1 << 40, [16, 16]).iter().all(|&part| part == 0));
    }

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
