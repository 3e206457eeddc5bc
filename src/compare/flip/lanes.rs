//! The inner loops of FLIP: a row of each picture in, a row of errors out, sixteen pixels at a time.
//!
//! Filters run across each row first and then down the rows, of which the last few are kept in a ring. Beyond the edges the
//! outermost pixels repeat.

use std::ops::Range;

use super::filters::Filters;
use super::powers::{cube_root, power};

/// Pixels worked on at once; the compiler makes vector registers of them.
const LANES: usize = 16;
type Lane = [f32; LANES];

/// CIE XYZ of the reference white, D65, by the RGB → XYZ matrix below.
const WHITE: [f32; 3] = [0.950_428_54, 1.0, 1.088_900_4];
/// Linear sRGB to XYZ.
const XYZ_FROM_RGB: [[f32; 3]; 3] = [
    [10_135_552.0 / 24_577_794.0, 8_788_810.0 / 24_577_794.0, 4_435_075.0 / 24_577_794.0],
    [2_613_072.0 / 12_288_897.0, 8_788_810.0 / 12_288_897.0, 887_015.0 / 12_288_897.0],
    [1_425_312.0 / 73_733_382.0, 8_788_810.0 / 73_733_382.0, 70_074_185.0 / 73_733_382.0],
];
/// Its inverse.
const RGB_FROM_XYZ: [[f32; 3]; 3] = [
    [3.241_003_3, -1.537_398_9, -0.498_615_86],
    [-0.969_224_33, 1.875_930_1, 0.041_554_224],
    [0.055_639_423, -0.204_011_2, 1.057_148_9],
];
/// q_c of the paper: colour differences are compressed by this power.
const COLOR_POWER: f32 = 0.7;
/// p_c: up to this share of the largest difference …
const KNEE: f32 = 0.4;
/// p_t: … the error rises to this.
const KNEE_ERROR: f32 = 0.95;

/// Rows of one picture, filtered across, in a ring of as many as the filters reach down.
#[derive(Debug)]
struct Ring {
    /// Blurs of Y, Cx, Cz, Cz, then Gaussian, first and second derivative of Y: one plane of rows each.
    planes: [Vec<f32>; 7],
}

/// Buffers for a band of rows.
#[derive(Debug)]
pub(super) struct Band {
    width: usize,
    /// Row length in the rings: whole lanes.
    stride: usize,
    /// Rows in a ring.
    depth: usize,
    /// Pixels repeated on each side of `padded`.
    reach: usize,
    rings: [Ring; 2],
    linear: [Vec<f32>; 3],
    /// Y, Cx and Cz of a row, and Y from 0 to 1, with repeated ends.
    padded: [Vec<f32>; 4],
    largest_distance: f32,
}

impl Band {
    pub(super) fn new(width: usize, filters: &Filters) -> Self {
        let reach = filters.blur_radius.max(filters.feature_radius);
        let (stride, depth) = (width.next_multiple_of(LANES), 2 * reach + 1);
        let ring = || Ring { planes: std::array::from_fn(|_| vec![0.0; stride * depth]) };
        Self {
            width,
            stride,
            depth,
            reach,
            rings: [ring(), ring()],
            linear: std::array::from_fn(|_| vec![0.0; width]),
            padded: std::array::from_fn(|_| vec![0.0; stride + 2 * reach]),
            largest_distance: largest_distance(),
        }
    }

    /// The errors of some rows of two pictures; `read` gives a picture's row in linear light.
    #[inline(always)]
    pub(super) fn errors(
        &mut self,
        rows: Range<usize>,
        height: usize,
        filters: &Filters,
        read: impl Fn(usize, usize, &mut [Vec<f32>; 3]),
        errors: &mut [f32],
    ) {
        let needed = rows.start.saturating_sub(self.reach)..(rows.end + self.reach).min(height);
        let mut next = needed.start;
        for (y, errors) in rows.zip(errors.chunks_mut(self.width)) {
            while next <= (y + self.reach).min(needed.end - 1) {
                for picture in 0..2 {
                    read(picture, next, &mut self.linear);
                    self.pad_row();
                    self.filter_across(picture, next, filters);
                }
                next += 1;
            }
            self.filter_down(y, height, filters, errors);
        }
    }

    /// Takes the row in `linear` to YCxCz, with repeated ends.
    #[inline(always)]
    fn pad_row(&mut self) {
        let reach = self.reach;
        for x in 0..self.width {
            let rgb = [self.linear[0][x], self.linear[1][x], self.linear[2][x]];
            let [x_share, y_share, z_share] = relative_xyz(rgb);
            self.padded[0][reach + x] = 116.0 * y_share - 16.0;
            self.padded[1][reach + x] = 500.0 * (x_share - y_share);
            self.padded[2][reach + x] = 200.0 * (y_share - z_share);
            self.padded[3][reach + x] = y_share;
        }
        for plane in &mut self.padded {
            let (left, right) = (plane[reach], plane[reach + self.width - 1]);
            plane[..reach].fill(left);
            plane[reach + self.width..].fill(right);
        }
    }

    #[inline(always)]
    fn filter_across(&mut self, picture: usize, y: usize, filters: &Filters) {
        let blur = filters.blur.iter().zip([0, 1, 2, 2]);
        let feature = filters.feature.iter().zip([3, 3, 3]);
        let row = (y % self.depth) * self.stride;
        for (plane, (weights, source)) in self.rings[picture].planes.iter_mut().zip(blur.chain(feature)) {
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

    #[inline(always)]
    fn filter_down(&self, y: usize, height: usize, filters: &Filters, errors: &mut [f32]) {
        let rows = |weights: &[f32]| {
            let radius = weights.len() / 2;
            let start = move |tap: usize| ((y + tap).saturating_sub(radius).min(height - 1) % self.depth) * self.stride;
            (0..weights.len()).map(start).collect::<Vec<usize>>()
        };
        let (blur_rows, feature_rows) = (rows(&filters.blur[0]), rows(&filters.feature[0]));
        let [smooth, first, second] = &filters.feature;
        for (errors, x) in errors.chunks_mut(LANES).zip((0..).step_by(LANES)) {
            let down = |plane: &[f32], weights: &[f32], rows: &[usize]| {
                let mut sum = [0.0; LANES];
                for (weight, row) in weights.iter().zip(rows) {
                    let taps = plane[row + x..].first_chunk::<LANES>().expect("rows are whole lanes");
                    add_weighted(&mut sum, *weight, taps);
                }
                sum
            };
            let [expected, actual] = [&self.rings[0], &self.rings[1]].map(|ring| {
                let [y, cx, cz1, cz2, gaussian, derivative, curvature] = &ring.planes;
                let [blur_y, blur_cx, blur_cz1, blur_cz2] = &filters.blur;
                Filtered {
                    y: down(y, blur_y, &blur_rows),
                    cx: down(cx, blur_cx, &blur_rows),
                    cz1: down(cz1, blur_cz1, &blur_rows),
                    cz2: down(cz2, blur_cz2, &blur_rows),
                    edge_x: down(derivative, smooth, &feature_rows),
                    edge_y: down(gaussian, first, &feature_rows),
                    point_x: down(curvature, smooth, &feature_rows),
                    point_y: down(gaussian, second, &feature_rows),
                }
            });
            let mut out = [0.0; LANES];
            for (lane, out) in out.iter_mut().enumerate() {
                *out = error(&expected, &actual, lane, self.largest_distance);
            }
            errors.copy_from_slice(&out[..errors.len()]);
        }
    }
}

#[inline(always)]
fn add_weighted(sum: &mut Lane, weight: f32, taps: &Lane) {
    for (sum, tap) in sum.iter_mut().zip(taps) {
        *sum += weight * tap;
    }
}

/// What the filters made of some pixels of one picture.
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
    let [p, q] = [expected, actual].map(|picture| {
        let cz = picture.cz1[lane] + picture.cz2[lane];
        hunt_lab(clamped_rgb(picture.y[lane], picture.cx[lane], cz))
    });
    let distance = distance(p, q);
    let compressed = if distance > 0.0 { power(distance.max(f32::MIN_POSITIVE), COLOR_POWER) } else { 0.0 };
    // most of the range for small differences, the rest squeezed into what is left
    let knee = KNEE * largest_distance;
    let color = if compressed < knee {
        compressed * (KNEE_ERROR / knee)
    } else {
        KNEE_ERROR + (compressed - knee) / (largest_distance - knee) * (1.0 - KNEE_ERROR)
    };

    let length = |x: f32, y: f32| (x * x + y * y).sqrt();
    let [edge_p, edge_q] = [expected, actual].map(|picture| length(picture.edge_x[lane], picture.edge_y[lane]));
    let [point_p, point_q] = [expected, actual].map(|picture| length(picture.point_x[lane], picture.point_y[lane]));
    let (edge, point) = ((edge_p - edge_q).abs(), (point_p - point_q).abs());
    let larger = if edge > point { edge } else { point };
    // q_f is ½
    let feature = (larger * std::f32::consts::FRAC_1_SQRT_2).sqrt();

    if color > 0.0 { power(color.max(f32::MIN_POSITIVE), 1.0 - feature) } else { 0.0 }
}

/// XYZ relative to white.
#[inline(always)]
fn relative_xyz(rgb: [f32; 3]) -> [f32; 3] {
    let xyz = times(&XYZ_FROM_RGB, rgb);
    [xyz[0] * (1.0 / WHITE[0]), xyz[1], xyz[2] * (1.0 / WHITE[2])]
}

#[inline(always)]
fn times(matrix: &[[f32; 3]; 3], v: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|row| matrix[row][0] * v[0] + matrix[row][1] * v[1] + matrix[row][2] * v[2])
}

/// YCxCz to linear RGB, 0 to 1.
#[inline(always)]
fn clamped_rgb(y: f32, cx: f32, cz: f32) -> [f32; 3] {
    let y = (y + 16.0) * (1.0 / 116.0);
    let xyz = [(y + cx * (1.0 / 500.0)) * WHITE[0], y, (y - cz * (1.0 / 200.0)) * WHITE[2]];
    times(&RGB_FROM_XYZ, xyz).map(|channel| {
        let channel = if channel > 0.0 { channel } else { 0.0 };
        if channel < 1.0 { channel } else { 1.0 }
    })
}

/// CIELAB with the Hunt effect: colours seem stronger in more light.
#[inline(always)]
fn hunt_lab(rgb: [f32; 3]) -> [f32; 3] {
    const DELTA: f32 = 6.0 / 29.0;
    let [x, y, z] = relative_xyz(rgb).map(|share| {
        // below the limit the root is not used, but must be one
        let root = cube_root(if share > DELTA * DELTA * DELTA { share } else { 1.0 });
        let line = share * (1.0 / (3.0 * DELTA * DELTA)) + 4.0 / 29.0;
        if share > DELTA * DELTA * DELTA { root } else { line }
    });
    let lightness = 116.0 * y - 16.0;
    [lightness, 0.01 * lightness * (500.0 * (x - y)), 0.01 * lightness * (200.0 * (y - z))]
}

/// HyAB: lightness apart, and the rest as the crow flies.
#[inline(always)]
fn distance(p: [f32; 3], q: [f32; 3]) -> f32 {
    let (a, b) = (p[1] - q[1], p[2] - q[2]);
    (p[0] - q[0]).abs() + (a * a + b * b).sqrt()
}

/// The compressed distance of green and blue, the largest there is.
fn largest_distance() -> f32 {
    power(distance(hunt_lab([0.0, 1.0, 0.0]), hunt_lab([0.0, 0.0, 1.0])), COLOR_POWER)
}
