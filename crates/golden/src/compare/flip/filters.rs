//! The filters of FLIP: the eye's blur of each channel of YCxCz, and the detectors of edges and points.

#![expect(clippy::cast_possible_truncation, reason = "weights are rounded to f32, and no radius passes 100 million")]

use std::f64::consts::PI;

/// The weights of every filter, from the leftmost tap to the rightmost.
#[derive(Debug)]
pub(super) struct Filters {
    /// Number of taps of the widest blur on each side of the middle.
    pub(super) blur_radius: usize,
    /// Luma, red–green, and the two Gaussians whose sum is blue–yellow.
    pub(super) blur: [Vec<f32>; 4],
    /// Number of taps of the detectors on each side of the middle.
    pub(super) feature_radius: usize,
    /// A Gaussian, and its first and second derivatives.
    pub(super) feature: [Vec<f32>; 3],
}

/// Height and width of the Gaussians of contrast sensitivity: Y, Cx and the two of Cz (paper, table 1).
const SENSITIVITY: [(f64, f64); 4] = [(1.0, 0.0047), (1.0, 0.0053), (34.1, 0.04), (13.5, 0.025)];
/// Width of the edge and point detectors in degrees (paper, section 4.2).
const FEATURE_WIDTH: f64 = 0.082;

impl Filters {
    pub(super) fn new(pixels_per_degree: f32) -> Self {
        let per_degree = f64::from(pixels_per_degree);
        let widest = SENSITIVITY.iter().map(|&(_, width)| width).fold(0.0, f64::max);
        let blur_radius = (3.0 * (widest / (2.0 * PI * PI)).sqrt() * per_degree).ceil() as i32;
        let [y, cx, cz1, cz2] = SENSITIVITY.map(|(height, width)| {
            let gaussian = |tap: i32| {
                let degrees = f64::from(tap) / per_degree;
                // the square root of the height, because the filter is applied once across and once down
                (height * (PI / width).sqrt()).sqrt() * libm::exp(-PI * PI * degrees * degrees / width)
            };
            (-blur_radius..=blur_radius).map(gaussian).collect::<Vec<f64>>()
        });
        let sum = |weights: &[f64]| weights.iter().sum::<f64>();
        // the two parts of Cz together sum to 1 over both directions
        let cz_sum = (sum(&cz1) * sum(&cz1) + sum(&cz2) * sum(&cz2)).sqrt();
        let (y_sum, cx_sum) = (sum(&y), sum(&cx));
        let blur = [(y, y_sum), (cx, cx_sum), (cz1, cz_sum), (cz2, cz_sum)]
            .map(|(weights, sum)| trimmed(weights).into_iter().map(|weight| (weight / sum) as f32).collect());

        let deviation = 0.5 * FEATURE_WIDTH * per_degree;
        let feature_radius = (3.0 * deviation).ceil() as i32;
        let taps = || (-feature_radius..=feature_radius).map(f64::from);
        let gaussian = |x: f64| libm::exp(-x * x / (2.0 * deviation * deviation));
        let feature = [
            signed_unit(taps().map(gaussian).collect()),
            signed_unit(taps().map(|x| -x * gaussian(x)).collect()),
            signed_unit(taps().map(|x| (x * x / (deviation * deviation) - 1.0) * gaussian(x)).collect()),
        ];
        Self {
            blur_radius: blur_radius.unsigned_abs() as usize,
            blur,
            feature_radius: feature_radius.unsigned_abs() as usize,
            feature,
        }
    }

    /// The filters that run across rows, in the order of their planes: the blurs, then the detectors.
    pub(super) fn across(&self) -> [&[f32]; 7] {
        let ([y, cx, cz1, cz2], [smooth, first, second]) = (&self.blur, &self.feature);
        [y, cx, cz1, cz2, smooth, first, second]
    }
}

/// Trims the outer taps of a symmetric filter that are too small to change a rounded sum.
fn trimmed(weights: Vec<f64>) -> Vec<f64> {
    let least = weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs())) * f64::from(f32::EPSILON) / 64.0;
    let lost = weights.iter().take_while(|weight| weight.abs() < least).count();
    weights[lost..weights.len() - lost].to_vec()
}

/// Scales the positive weights to sum to 1 and the negative ones to −1.
fn signed_unit(weights: Vec<f64>) -> Vec<f32> {
    let positive: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
    let negative: f64 = -weights.iter().filter(|weight| **weight < 0.0).sum::<f64>();
    weights
        .iter()
        .map(|&weight| (weight / if weight > 0.0 { positive } else { negative.max(f64::MIN_POSITIVE) }) as f32)
        .collect()
}
