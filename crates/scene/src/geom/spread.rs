//! Sums over the pixels of a picture that are exact: weights in fixed point, spread over the area of discs.

use std::f64::consts::PI;
use std::ops::Range;

use super::{Circle, pixel_coverage};

/// The unit of weights in fixed point: a power of two.
///
/// Sums of whole units have no rounding, so that they are the same in any order and on any number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightUnit {
    /// The binary logarithm of the unit.
    exponent: i32,
}

impl WeightUnit {
    /// Bits of a sum besides the sign, less one: the greatest sum in either direction is half of what `i64` holds.
    const BITS: i32 = 62;

    /// The finest unit at which sums of weights do not overflow; `total` is the sum of their magnitudes.
    pub fn of_total(total: f64) -> Self {
        let exponent = if total > 0.0 { libm::ilogb(total) } else { 0 };
        // numbers below 2^-1022 have fewer bits
        Self { exponent: (exponent + 1 - Self::BITS).max(-1022) }
    }

    /// Rounds a weight to a whole number of units; NaN and infinities are 0.
    pub fn units(self, weight: f64) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "below 2^62")]
        let units = libm::rint(scaled(weight, -self.exponent)) as i64;
        units
    }

    /// The number that is nearest to a sum of units.
    pub fn number(self, units: i64) -> f64 {
        scaled(units as f64, self.exponent)
    }
}

/// A number times a power of two.
fn scaled(number: f64, exponent: i32) -> f64 {
    // in two steps, as the power alone may overflow
    let half = exponent / 2;
    libm::scalbn(libm::scalbn(number, half), exponent - half)
}

/// Spreads whole units evenly over a disc: `add` gets each pixel that the disc covers, as column and row, and its
/// units, in proportion to the covered area. Pixels outside of a picture of `size` get none.
///
/// The units of a disc inside of the picture sum to exactly `units`: the remainder of rounding goes to the pixel with the
/// greatest part. A disc without a radius is a point. A disc with a NaN or infinite number gets none.
pub fn spread_disc(disc: &Circle, units: i64, size: [u32; 2], mut add: impl FnMut([u32; 2], i64)) {
    let Circle { center, radius } = *disc;
    let [x, y] = center.map(f64::from);
    let r = f64::from(radius).max(0.0);
    if !(x.is_finite() && y.is_finite() && r.is_finite()) {
        return;
    }
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
    let first = [x, y].map(|along| libm::floor(along - r) as i64);
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
    let last = [x, y].map(|along| libm::floor(along + r) as i64);
    let sizes = size.map(i64::from);
    if (0..2).any(|axis| last[axis] < 0 || first[axis] >= sizes[axis]) {
        return;
    }
    let is_inside = (0..2).all(|axis| first[axis] >= 0 && last[axis] < sizes[axis]);
    let range = |axis: usize| first[axis].max(0)..last[axis].min(sizes[axis] - 1) + 1;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the picture")]
    let pixel = |column: i64, row: i64| [column as u32, row as u32];
    if first == last {
        add(pixel(first[0], first[1]), units);
        return;
    }
    let area = PI * r * r;
    #[expect(clippy::cast_possible_truncation, reason = "at most the units of the disc")]
    let part_of = |covered: f64| (units as f64 * (covered / area)) as i64;
    let whole = part_of(1.0);
    let (mut given, mut greatest) = (0_i64, ([0; 2], -1.0));
    for row in range(1) {
        let (touched, inner) = columns([x, y], r, row);
        let columns = range(0);
        for column in columns.start.max(touched.start)..columns.end.min(touched.end) {
            let (covered, part) = if inner.contains(&column) {
                (1.0, whole)
            } else {
                #[expect(clippy::cast_possible_truncation, reason = "inside the picture")]
                let covered = pixel_coverage(disc, column as i32, row as i32);
                (covered, part_of(covered))
            };
            if covered > greatest.1 {
                greatest = (pixel(column, row), covered);
            }
            if part != 0 {
                add(pixel(column, row), part);
                given += part;
            }
        }
    }
    if is_inside {
        add(greatest.0, units - given);
    }
}

/// The columns of a row of pixels that a disc may touch, and the columns that it covers wholly.
fn columns([x, y]: [f64; 2], radius: f64, row: i64) -> (Range<i64>, Range<i64>) {
    /// More than rounding moves an edge by, in pixels.
    const MARGIN: f64 = 1e-6;
    let (top, bottom) = (row as f64 - y, row as f64 + 1.0 - y);
    let nearest = if top > 0.0 { top } else { bottom.min(0.0) };
    let half = |dy: f64| (radius * radius - dy * dy).max(0.0).sqrt();
    let outer = half(nearest) + MARGIN;
    let farthest = top.abs().max(bottom.abs());
    let inner = if farthest < radius { half(farthest) - MARGIN } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
    let column = |along: f64| along as i64;
    let touched = column(libm::floor(x - outer))..column(libm::floor(x + outer)).saturating_add(1);
    (touched, column(libm::ceil(x - inner))..column(libm::floor(x + inner)))
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
    fn only_pixels_that_the_rim_may_cross_need_their_area() {
        for (center, radius) in
            [([20.3_f32, 18.9_f32], 14.2_f32), ([16.0, 16.0], 9.0), ([7.0, 31.5], 3.5), ([9.1, 9.2], 0.4)]
        {
            let disc = Circle { center, radius };
            let mut whole = 0;
            for row in 0..40_i32 {
                let (touched, inner) = columns(center.map(f64::from), f64::from(radius), i64::from(row));
                for column in 0..40_i32 {
                    let covered = pixel_coverage(&disc, column, row);
                    assert!(touched.contains(&column.into()) || covered == 0.0, "{disc:?} touches {column} {row}");
                    let is_inner = inner.contains(&column.into());
                    assert!(!is_inner || covered == 1.0, "{disc:?} covers {column} {row}: {covered}");
                    whole += u32::from(is_inner);
                }
            }
            assert!(radius < 3.0 || whole > 9, "{whole} pixels of {disc:?}");
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
