//! The inner loops of FLIP: rows of both pictures in, rows of errors out, many pixels at a time.
//!
//! The filters are separable: across each row, then down a ring buffer of the last rows. Edge pixels are repeated
//! beyond the picture.

use std::ops::Range;

use super::filters::Filters;
use super::powers::{cube_root, power};

/// Pixels processed at once, in loops that the compiler turns into vector instructions. Tuned: `benches/compare.rs
/// flip`.
const LANES: usize = 16;
type Lane = [f32; LANES];

/// CIE XYZ of the reference white, D65, by [`XYZ_FROM_RGB`].
const WHITE: [f32; 3] = [0.950_428_54, 1.0, 1.088_900_4];
/// Linear sRGB to XYZ.
const XYZ_FROM_RGB: [[f32; 3]; 3] = [
    [10_135_552.0 / 24_577_794.0, 8_788_810.0 / 24_577_794.0, 4_435_075.0 / 24_577_794.0],
    [2_613_072.0 / 12_288_897.0, 8_788_810.0 / 12_288_897.0, 887_015.0 / 12_288_897.0],
    [1_425_312.0 / 73_733_382.0, 8_788_810.0 / 73_733_382.0, 70_074_185.0 / 73_733_382.0],
];
/// XYZ to linear sRGB, the inverse of [`XYZ_FROM_RGB`].
const RGB_FROM_XYZ: [[f32; 3]; 3] = [
    [3.241_003_3, -1.537_398_9, -0.498_615_86],
    [-0.969_224_33, 1.875_930_1, 0.041_554_224],
    [0.055_639_423, -0.204_011_2, 1.057_148_9],
];
/// The power that compresses colour differences: q_c of the paper.
const COLOR_POWER: f32 = 0.7;
/// The share of the largest difference at which the error's slope changes: p_c of the paper.
const KNEE: f32 = 0.4;
/// The error at [`KNEE`]: p_t of the paper.
const KNEE_ERROR: f32 = 0.95;

/// A ring buffer of rows of one picture, filtered across; as high as the filters.
#[derive(Debug)]
struct Ring {
    /// One plane of rows each: the blurs of Y, Cx, Cz and Cz, then Gaussian, first and second derivative of Y.
    planes: [Vec<f32>; 7],
}

/// The buffers for a strip of columns, narrow enough that its rings stay in the cache.
#[derive(Debug)]
pub(super) struct Strip<'f> {
    filters: &'f Filters,
    /// Width and height of the pictures.
    size: (usize, usize),
    columns: Range<usize>,
    /// Row length in the rings, a multiple of [`LANES`].
    stride: usize,
    /// Number of rows in a ring.
    depth: usize,
    /// Number of pixels that the filters reach on each side.
    reach: usize,
    rings: [Ring; 2],
    linear: [Vec<f32>; 3],
    /// Y, Cx and Cz of a row, and Y scaled to 0 to 1, padded by the reach of the filters on both sides.
    padded: [Vec<f32>; 4],
    largest_distance: f32,
}

impl<'f> Strip<'f> {
    pub(super) fn new(size: (usize, usize), columns: Range<usize>, filters: &'f Filters) -> Self {
        let reach = filters.blur_radius.max(filters.feature_radius);
        let (stride, depth) = (columns.len().next_multiple_of(LANES), 2 * reach + 1);
        let ring = || Ring { planes: std::array::from_fn(|_| vec![0.0; stride * depth]) };
        Self {
            filters,
            size,
            stride,
            depth,
            reach,
            rings: [ring(), ring()],
            linear: std::array::from_fn(|_| vec![0.0; columns.len() + 2 * reach]),
            padded: std::array::from_fn(|_| vec![0.0; stride + 2 * reach]),
            columns,
            largest_distance: largest_distance(),
        }
    }

    /// Sets the errors of the strip's columns in the given rows.
    ///
    /// `read` takes the number of a picture, a row and columns, and writes these pixels in linear light. `errors` holds
    /// whole rows from `rows.start` on.
    #[inline(always)]
    pub(super) fn errors(
        &mut self,
        rows: Range<usize>,
        read: impl Fn(usize, usize, Range<usize>, &mut [Vec<f32>; 3]),
        errors: &mut [f32],
    ) {
        let (width, height) = self.size;
        let (start, end) = (rows.start.saturating_sub(self.reach), (rows.end + self.reach).min(height));
        let seen = self.columns.start.saturating_sub(self.reach)..(self.columns.end + self.reach).min(width);
        let mut next = start;
        for y in rows.clone() {
            while next < (y + self.reach + 1).min(end) {
                for picture in 0..2 {
                    read(picture, next, seen.clone(), &mut self.linear);
                    self.pad_row(seen.clone());
                    self.filter_across(picture, next);
                }
                next += 1;
            }
            let row = (y - rows.start) * width;
            self.filter_down(y, &mut errors[row + self.columns.start..row + self.columns.end]);
        }
    }

    /// Converts the part of a row in `linear` to YCxCz and repeats the outermost pixels beyond the picture's edges.
    #[inline(always)]
    fn pad_row(&mut self, seen: Range<usize>) {
        // index in `padded` of the first pixel that the picture has
        let first = self.reach - (self.columns.start - seen.start);
        let count = seen.len();
        let [red, green, blue] = &self.linear;
        let (red, green, blue) = (&red[..count], &green[..count], &blue[..count]);
        let [y, cx, cz, share] = &mut self.padded;
        let (y_row, cx_row) = (&mut y[first..first + count], &mut cx[first..first + count]);
        let (cz_row, share_row) = (&mut cz[first..first + count], &mut share[first..first + count]);
        for x in 0..count {
            let [x_share, y_share, z_share] = relative_xyz([red[x], green[x], blue[x]]);
            y_row[x] = 116.0 * y_share - 16.0;
            cx_row[x] = 500.0 * (x_share - y_share);
            cz_row[x] = 200.0 * (y_share - z_share);
            share_row[x] = y_share;
        }
        for plane in &mut self.padded {
            let (left, right) = (plane[first], plane[first + count - 1]);
            plane[..first].fill(left);
            plane[first + count..].fill(right);
        }
    }

    /// Filters the row in `padded` into the ring of a picture.
    #[inline(always)]
    fn filter_across(&mut self, picture: usize, y: usize) {
        /// The row of `padded` that each plane is computed from.
        const SOURCES: [usize; 7] = [0, 1, 2, 2, 3, 3, 3];
        let row = (y % self.depth) * self.stride;
        for (plane, (weights, source)) in
            self.rings[picture].planes.iter_mut().zip(self.filters.across().into_iter().zip(SOURCES))
        {
            let source = &self.padded[source][self.reach - weights.len() / 2..];
            for (x, out) in plane[row..row + self.stride].as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let source = &source[x * LANES..x * LANES + weights.len() + LANES - 1];
                let mut sum = [0.0; LANES];
                for (tap, weight) in weights.iter().enumerate() {
                    add_weighted(&mut sum, *weight, source[tap..].first_chunk().expect("one lane for every tap"));
                }
                *out = sum;
            }
        }
    }

    /// Filters the rings down at row `y` and sets that row's errors.
    #[inline(always)]
    fn filter_down(&self, y: usize, errors: &mut [f32]) {
        let [blur_y, blur_cx, blur_cz1, blur_cz2] = &self.filters.blur;
        let [smooth, first, second] = &self.filters.feature;
        for (errors, x) in errors.chunks_mut(LANES).zip((0..).step_by(LANES)) {
            let mut filtered = [Filtered::default(); 2];
            for (filtered, ring) in filtered.iter_mut().zip(&self.rings) {
                let [luma, red_green, blue_yellow1, blue_yellow2, gaussian, derivative, curvature] = &ring.planes;
                filtered.y = self.down(luma, blur_y, y, x);
                filtered.cx = self.down(red_green, blur_cx, y, x);
                filtered.cz1 = self.down(blue_yellow1, blur_cz1, y, x);
                filtered.cz2 = self.down(blue_yellow2, blur_cz2, y, x);
                filtered.edge_x = self.down(derivative, smooth, y, x);
                filtered.edge_y = self.down(gaussian, first, y, x);
                filtered.point_x = self.down(curvature, smooth, y, x);
                filtered.point_y = self.down(gaussian, second, y, x);
            }
            let [expected, actual] = &filtered;
            let mut out = [0.0; LANES];
            for (lane, out) in out.iter_mut().enumerate() {
                *out = error(expected, actual, lane, self.largest_distance);
            }
            errors.copy_from_slice(&out[..errors.len()]);
        }
    }

    /// The weighted sum over the rows around row `y`, for a group of pixels from column `x` on.
    #[inline(always)]
    fn down(&self, plane: &[f32], weights: &[f32], y: usize, x: usize) -> Lane {
        let (radius, last) = (weights.len() / 2, self.size.1 - 1);
        let mut sum = [0.0; LANES];
        // the ring row of the topmost tap; the picture's first and last row repeat beyond its edges
        let mut ring_row = y.saturating_sub(radius) % self.depth;
        for (tap, weight) in weights.iter().enumerate() {
            let taps = plane[ring_row * self.stride + x..].first_chunk::<LANES>().expect("rows are whole lanes");
            add_weighted(&mut sum, *weight, taps);
            if y + tap >= radius && y + tap - radius < last {
                ring_row = if ring_row + 1 == self.depth { 0 } else { ring_row + 1 };
            }
        }
        sum
    }
}

#[inline(always)]
fn add_weighted(sum: &mut Lane, weight: f32, taps: &Lane) {
    for (sum, tap) in sum.iter_mut().zip(taps) {
        *sum += weight * tap;
    }
}

/// The filtered values of some pixels of one picture.
#[derive(Clone, Copy, Default)]
struct Filtered {
    y: Lane,
    cx: Lane,
    cz1: Lane,
    cz2: Lane,
    edge_x: Lane,
    edge_y: Lane,
    point_x: Lane,
    point_y: Lane,
}

/// The FLIP error of one pixel.
#[inline(always)]
fn error(expected: &Filtered, actual: &Filtered, lane: usize, largest_distance: f32) -> f32 {
    let distance = distance(seen_color(expected, lane), seen_color(actual, lane));
    let compressed = if distance > 0.0 { power(distance.max(f32::MIN_POSITIVE), COLOR_POWER) } else { 0.0 };
    // small differences get most of the range, large ones are compressed into the rest
    let knee = KNEE * largest_distance;
    let color = if compressed < knee {
        compressed * (KNEE_ERROR / knee)
    } else {
        KNEE_ERROR + (compressed - knee) / (largest_distance - knee) * (1.0 - KNEE_ERROR)
    };

    let (p, q) = (expected, actual);
    let edge = (length(p.edge_x[lane], p.edge_y[lane]) - length(q.edge_x[lane], q.edge_y[lane])).abs();
    let point = (length(p.point_x[lane], p.point_y[lane]) - length(q.point_x[lane], q.point_y[lane])).abs();
    let larger = if edge > point { edge } else { point };
    // q_f is ½
    let feature = (larger * std::f32::consts::FRAC_1_SQRT_2).sqrt();

    if color > 0.0 { power(color.max(f32::MIN_POSITIVE), 1.0 - feature) } else { 0.0 }
}

/// The perceived colour of a blurred pixel.
#[inline(always)]
fn seen_color(picture: &Filtered, lane: usize) -> [f32; 3] {
    hunt_lab(clamped_rgb(picture.y[lane], picture.cx[lane], picture.cz1[lane] + picture.cz2[lane]))
}

#[inline(always)]
fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// XYZ relative to the reference white.
#[inline(always)]
fn relative_xyz(rgb: [f32; 3]) -> [f32; 3] {
    let xyz = times(&XYZ_FROM_RGB, rgb);
    [xyz[0] * (1.0 / WHITE[0]), xyz[1], xyz[2] * (1.0 / WHITE[2])]
}

#[inline(always)]
fn times([a, b, c]: &[[f32; 3]; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a[0] * x + a[1] * y + a[2] * z, b[0] * x + b[1] * y + b[2] * z, c[0] * x + c[1] * y + c[2] * z]
}

/// YCxCz to linear RGB, clamped to 0 to 1.
#[inline(always)]
fn clamped_rgb(y: f32, cx: f32, cz: f32) -> [f32; 3] {
    let y = (y + 16.0) * (1.0 / 116.0);
    let xyz = [(y + cx * (1.0 / 500.0)) * WHITE[0], y, (y - cz * (1.0 / 200.0)) * WHITE[2]];
    let [red, green, blue] = times(&RGB_FROM_XYZ, xyz);
    [clamped(red), clamped(green), clamped(blue)]
}

#[inline(always)]
fn clamped(channel: f32) -> f32 {
    let channel = if channel > 0.0 { channel } else { 0.0 };
    if channel < 1.0 { channel } else { 1.0 }
}

/// CIELAB with the Hunt effect: the lighter a colour, the more chromatic it looks.
#[inline(always)]
fn hunt_lab(rgb: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = relative_xyz(rgb);
    let (x, y, z) = (lab_curve(x), lab_curve(y), lab_curve(z));
    let lightness = 116.0 * y - 16.0;
    [lightness, 0.01 * lightness * (500.0 * (x - y)), 0.01 * lightness * (200.0 * (y - z))]
}

/// CIELAB's transfer function: a cube root, linear near black.
#[inline(always)]
fn lab_curve(share: f32) -> f32 {
    const DELTA: f32 = 6.0 / 29.0;
    // below the limit the root is not used, but its argument must be valid
    let root = cube_root(if share > DELTA * DELTA * DELTA { share } else { 1.0 });
    let line = share * (1.0 / (3.0 * DELTA * DELTA)) + 4.0 / 29.0;
    if share > DELTA * DELTA * DELTA { root } else { line }
}

/// HyAB: the difference in lightness plus the Euclidean distance in chroma.
#[inline(always)]
fn distance(p: [f32; 3], q: [f32; 3]) -> f32 {
    let (a, b) = (p[1] - q[1], p[2] - q[2]);
    (p[0] - q[0]).abs() + (a * a + b * b).sqrt()
}

/// The largest compressed distance: between green and blue.
fn largest_distance() -> f32 {
    power(distance(hunt_lab([0.0, 1.0, 0.0]), hunt_lab([0.0, 0.0, 1.0])), COLOR_POWER)
}
