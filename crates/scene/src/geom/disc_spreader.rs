//! Whole units spread over the pixels that a disc covers, in proportion to the covered areas.
//!
//! Lines between pixels cut a disc. Its area in a pixel is a difference of its areas in four quarter planes, and its area in a
//! quarter plane follows from its areas in two half planes: a cap each.

use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::Range;

use super::Circle;

/// Parts of a disc below this are rounding: eight areas of at most π, and their differences.
const LEAST_PART: f64 = 4e-15;

/// Numbers that are found side by side: of discs, or of lines between pixels.
const LANES: usize = 8;
type Lanes = [f64; LANES];

/// Spreads units over discs, one after the other; small discs wait for others of their size, with which they are cut.
///
/// The parts of a disc inside of the picture sum to exactly its units: the pixel that holds the centre gets the remainder of
/// rounding. Areas are off by less than 4·10⁻¹⁵ of the disc's. A disc without a radius is a point. A disc with a NaN or
/// infinite number gets none, and neither do pixels outside of the picture.
pub(super) struct DiscSpreader {
    size: [u32; 2],
    /// Discs by the number of lines that cut them.
    one_line: WaitingDiscs<1>,
    two_lines: WaitingDiscs<2>,
    four_lines: WaitingDiscs<4>,
}

impl DiscSpreader {
    pub(super) fn new(size: [u32; 2]) -> Self {
        let (one_line, two_lines, four_lines) = (WaitingDiscs::new(), WaitingDiscs::new(), WaitingDiscs::new());
        Self { size, one_line, two_lines, four_lines }
    }

    /// Spreads units over a disc: `add` gets the index of each pixel that it covers, now or later, and the units there.
    #[inline]
    pub(super) fn spread(&mut self, disc: &Circle, units: i64, add: &mut impl FnMut(usize, i64)) {
        let center = [f64::from(disc.center[0]), f64::from(disc.center[1])];
        if !(center[0].is_finite() && center[1].is_finite() && disc.radius.is_finite()) {
            return;
        }
        let radius = f64::from(disc.radius).max(0.0);
        let first = [pixel_of(center[0] - radius), pixel_of(center[1] - radius)];
        let last = [pixel_of(center[0] + radius), pixel_of(center[1] + radius)];
        let [width, height] = [i64::from(self.size[0]), i64::from(self.size[1])];
        if last[0] < 0 || last[1] < 0 || first[0] >= width || first[1] >= height {
            return;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the picture")]
        let index = |x: i64, y: i64| (y * width + x) as usize;
        let lines = (last[0] - first[0]).max(last[1] - first[1]);
        if lines == 0 {
            add(index(first[0], first[1]), units);
            return;
        }
        let is_inside = first[0] >= 0 && first[1] >= 0 && last[0] < width && last[1] < height;
        let middle = [pixel_of(center[0]), pixel_of(center[1])];
        if is_inside && lines <= 4 {
            let disc = SmallDisc {
                corner: index(first[0], first[1]),
                middle: index(middle[0], middle[1]),
                begin: [(first[0] + 1) as f64 - center[0], (first[1] + 1) as f64 - center[1]],
                radius,
                units,
            };
            let stride = self.size[0] as usize;
            match lines {
                1 => self.one_line.push(disc, stride, add),
                2 => self.two_lines.push(disc, stride, add),
                _ => self.four_lines.push(disc, stride, add),
            }
            return;
        }
        let (columns, rows) =
            (first[0].max(0)..last[0].min(width - 1) + 1, first[1].max(0)..last[1].min(height - 1) + 1);
        let (mut given, of_area) = (0, units as f64 / PI);
        areas(center, radius, [columns, rows], |[column, row], area| {
            let part = whole(of_area * area);
            if part != 0 {
                add(index(column, row), part);
                given += part;
            }
        });
        if is_inside {
            add(index(middle[0], middle[1]), units - given);
        }
    }

    /// Spreads the units of the discs that still wait.
    pub(super) fn finish(mut self, add: &mut impl FnMut(usize, i64)) {
        let stride = self.size[0] as usize;
        self.one_line.spread(stride, add);
        self.two_lines.spread(stride, add);
        self.four_lines.spread(stride, add);
    }
}

/// The pixel along an axis that holds a place.
#[inline(always)]
fn pixel_of(along: f64) -> i64 {
    let toward_zero = whole(along);
    toward_zero.saturating_sub(i64::from(along < toward_zero as f64))
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
fn whole(number: f64) -> i64 {
    number as i64
}

/// A disc inside of the picture that few lines cut.
struct SmallDisc {
    /// The first pixel of its first row.
    corner: usize,
    /// The pixel that holds its centre.
    middle: usize,
    /// The first lines after the corner, from the centre.
    begin: [f64; 2],
    radius: f64,
    units: i64,
}

/// Up to eight discs that at most `LINES` lines cut between columns, and between rows.
struct WaitingDiscs<const LINES: usize> {
    count: usize,
    corner: [usize; LANES],
    middle: [usize; LANES],
    begin: [Lanes; 2],
    radius: Lanes,
    units: [i64; LANES],
}

impl<const LINES: usize> WaitingDiscs<LINES> {
    fn new() -> Self {
        let (corner, middle) = ([0; LANES], [0; LANES]);
        Self { count: 0, corner, middle, begin: [[0.0; LANES]; 2], radius: [1.0; LANES], units: [0; LANES] }
    }

    #[inline(always)]
    fn push(&mut self, disc: SmallDisc, stride: usize, add: &mut impl FnMut(usize, i64)) {
        let lane = self.count;
        let SmallDisc { corner, middle, begin, radius, units } = disc;
        (self.corner[lane], self.middle[lane], self.units[lane]) = (corner, middle, units);
        (self.begin[0][lane], self.begin[1][lane], self.radius[lane]) = (begin[0], begin[1], radius);
        self.count += 1;
        if self.count == LANES {
            self.spread(stride, add);
        }
    }

    /// Spreads the units of all discs that wait. Rows of the picture are `stride` pixels apart.
    #[inline(never)]
    fn spread(&mut self, stride: usize, add: &mut impl FnMut(usize, i64)) {
        let [x, left] = half_planes::<LINES>(&self.begin[0], &self.radius);
        let [y, below] = half_planes::<LINES>(&self.begin[1], &self.radius);
        let of_area = self.units.map(|units| units as f64 / PI);
        let mut given = [0; LANES];
        // areas above the row: to the left of each line, and of all columns
        let (mut above, mut all_above) = ([[0.0; LANES]; LINES], [0.0; LANES]);
        for down in 0..=LINES {
            let is_last = down == LINES;
            let all = if is_last { [PI; LANES] } else { below[down] };
            // the area of the row before the pixel
            let mut before = [0.0; LANES];
            for across in 0..=LINES {
                let mut part = [0.0; LANES];
                if across == LINES {
                    for lane in 0..LANES {
                        part[lane] = known((all[lane] - all_above[lane]) - before[lane]);
                    }
                } else {
                    let mut quarter = left[across];
                    for lane in 0..LANES {
                        if !is_last {
                            let corner = [x[across][lane], y[down][lane]];
                            quarter[lane] = quarter_plane(corner, left[across][lane], below[down][lane]);
                        }
                        let area = quarter[lane] - above[across][lane];
                        part[lane] = known(area - before[lane]);
                        before[lane] = area;
                    }
                    above[across] = quarter;
                }
                for lane in 0..self.count {
                    let part = whole(of_area[lane] * part[lane]);
                    if part != 0 {
                        add(self.corner[lane] + down * stride + across, part);
                        given[lane] += part;
                    }
                }
            }
            all_above = all;
        }
        for (lane, given) in given.into_iter().enumerate().take(self.count) {
            add(self.middle[lane], self.units[lane] - given);
        }
        self.count = 0;
    }
}

/// Half planes of eight discs, which are scaled to radius 1, that end at successive lines: where they end, from the centres, and
/// their areas.
#[inline(always)]
fn half_planes<const LINES: usize>(begin: &Lanes, radius: &Lanes) -> [[Lanes; LINES]; 2] {
    let (mut ends, mut areas) = ([[0.0; LANES]; LINES], [[0.0; LANES]; LINES]);
    for line in 0..LINES {
        for lane in 0..LANES {
            let end = (begin[lane] + line as f64) / radius[lane];
            (ends[line][lane], areas[line][lane]) = (end, half_plane(end));
        }
    }
    [ends, areas]
}

/// Finds the areas that a disc, scaled to radius 1, has in common with pixels of these columns and rows, tile by tile.
#[inline(always)]
fn areas(center: [f64; 2], radius: f64, [columns, rows]: [Range<i64>; 2], mut add: impl FnMut([i64; 2], f64)) {
    let step = LANES - 1;
    for row in rows.clone().step_by(step) {
        let [y, below] = lines(row, center[1], radius);
        for column in columns.clone().step_by(step) {
            let [x, left] = lines(column, center[0], radius);
            let columns = || (column..columns.end).take(step);
            let rows = (row..rows.end).take(step);
            if farthest_squared(&x) + farthest_squared(&y) < 1.0 {
                // pixels inside of the disc have the same area to the last bit, however large the disc is
                let whole = 1.0 / (radius * radius);
                rows.for_each(|row| columns().for_each(|column| add([column, row], whole)));
                continue;
            }
            let quarters = |down: usize| {
                let mut quarters = [0.0; LANES];
                for across in 0..LANES {
                    quarters[across] = quarter_plane([x[across], y[down]], left[across], below[down]);
                }
                quarters
            };
            let mut above = quarters(0);
            for (down, row) in rows.enumerate() {
                let quarters = quarters(down + 1);
                for (across, column) in columns().enumerate() {
                    let area = (quarters[across + 1] - quarters[across]) - (above[across + 1] - above[across]);
                    add([column, row], known(area));
                }
                above = quarters;
            }
        }
    }
}

/// Half planes of a disc, scaled to radius 1, that end at successive lines of pixels: where they end, from its centre, and their
/// areas.
#[inline(always)]
fn lines(first: i64, center: f64, radius: f64) -> [Lanes; 2] {
    let first = first as f64 - center;
    let (mut ends, mut areas) = ([0.0; LANES], [0.0; LANES]);
    for line in 0..LANES {
        let end = (first + line as f64) / radius;
        (ends[line], areas[line]) = (end, half_plane(end));
    }
    [ends, areas]
}

/// The square of the distance of the farthest line.
#[inline(always)]
fn farthest_squared(ends: &Lanes) -> f64 {
    let farthest = ends[0].abs().max(ends[LANES - 1].abs());
    farthest * farthest
}

/// Computes the area of the unit disc to the left of `x` and above `y` from its areas `left` and `above` in the two half planes.
/// Has no branches, which no processor could foresee.
#[inline(always)]
fn quarter_plane([x, y]: [f64; 2], left: f64, above: f64) -> f64 {
    let inside = (left + above - FRAC_PI_2) * 0.5 + x * y;
    // the corner is outside of the disc: the quarter plane has nothing of it, or all but the caps beyond its lines
    let is_lower_half = if y >= 0.0 { 1.0 } else { 0.0 };
    let beyond = above - PI * is_lower_half;
    let outside = left * is_lower_half + if x >= 0.0 { beyond } else { 0.0 };
    outside + if x * x + y * y < 1.0 { inside - outside } else { 0.0 }
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
        let mut add = |pixel: usize, part: i64| pixels[pixel] += part;
        let mut spreader = DiscSpreader::new(size);
        spreader.spread(&Circle { center, radius }, units, &mut add);
        spreader.finish(&mut add);
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
        for radius in [f32::INFINITY, f32::NAN] {
            assert!(spread([8.0, 8.0], radius, 1 << 40, [16, 16]).iter().all(|&part| part == 0));
        }
    }
}
