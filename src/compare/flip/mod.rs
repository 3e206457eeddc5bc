//! FLIP: how visible the difference is when an observer flips between two pictures, per pixel, 0 to 1.
//!
//! Both pictures are blurred as the eye blurs them at the given distance and their colours compared (the colour
//! pipeline); edges and points that one has and the other lacks add to it (the feature pipeline).
//!
//! Source: P. Andersson, J. Nilsson, T. Akenine-Möller, M. Oskarsson, K. Åström, M. D. Fairchild, "FLIP: A Difference
//! Evaluator for Alternating Images", *Proc. ACM Comput. Graph. Interact. Tech.* 3(2), 2020, for low dynamic range, with the
//! separated filters of the reference implementation, version 1.2. Ours: the mean is summed in `f64` (the reference's sum in
//! `f32` loses 3 % over 8 million pixels); translucent pixels, which FLIP does not know, are
//! laid over black and over white, and the larger error counts; roots and powers are sums of a few terms, the same on every
//! machine, so that means are within 2e-5 of the reference's.

mod filters;
mod lanes;
mod powers;

use std::ops::Range;
use std::sync::LazyLock;

use fearless_simd::{Level, dispatch};
use rayon::prelude::*;

use super::picture::{Picture, Samples};
use crate::color::linear_from_srgb8;
use filters::Filters;
use lanes::Strip;

/// Rows that one task works on: many times the filters' reach, whose rows are filtered twice, and yet many tasks.
const BAND: usize = 128;
/// Columns that it works on at once: 0.6 MB of filtered rows, in a processor's second cache.
const STRIP: usize = 512;

/// The error of every pixel, reading as a page. The pictures have one size.
pub(super) fn errors(expected: &Picture<'_>, actual: &Picture<'_>, pixels_per_degree: f32) -> Vec<f32> {
    let opaque = is_opaque(expected) && is_opaque(actual);
    let mut errors = errors_over(0.0, expected, actual, pixels_per_degree);
    if !opaque {
        let over_white = errors_over(1.0, expected, actual, pixels_per_degree);
        for (error, white) in errors.iter_mut().zip(over_white) {
            *error = error.max(white);
        }
    }
    errors
}

/// The errors over a background of this linear grey.
fn errors_over(background: f32, expected: &Picture<'_>, actual: &Picture<'_>, pixels_per_degree: f32) -> Vec<f32> {
    let (width, height) = expected.size();
    let (width, height) = (width as usize, height as usize);
    let filters = Filters::new(pixels_per_degree);
    let level = Level::new();
    let mut errors = vec![0.0; width * height];
    errors.par_chunks_mut(BAND * width).enumerate().for_each(|(number, part)| {
        let read = |number: usize, y, columns, row: &mut [Vec<f32>; 3]| {
            linear_row([expected, actual][number], y, columns, background, row);
        };
        let start = number * BAND;
        let rows = start..start + part.len() / width;
        for left in (0..width).step_by(STRIP) {
            let mut strip = Strip::new((width, height), left..(left + STRIP).min(width), &filters);
            dispatch!(level, _ => strip.errors(rows.clone(), read, part));
        }
    });
    errors
}

fn is_opaque(picture: &Picture<'_>) -> bool {
    match &picture.samples {
        Samples::Eight(samples) => samples.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == u8::MAX),
        Samples::Sixteen(samples) => samples.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == u16::MAX),
    }
}

/// Sets red, green and blue of some columns of a row in linear light, laid over the background's sRGB grey 0 or 1.
fn linear_row(picture: &Picture<'_>, y: usize, columns: Range<usize>, background: f32, row: &mut [Vec<f32>; 3]) {
    let row_start = y * picture.size().0 as usize;
    let (at, end) = (4 * (row_start + columns.start), 4 * (row_start + columns.end));
    match &picture.samples {
        Samples::Eight(samples) => {
            let pixels = samples[at..end].as_chunks::<4>().0;
            for (channel, plane) in row.iter_mut().enumerate() {
                for (value, pixel) in plane.iter_mut().zip(pixels) {
                    *value = linear_from_srgb8(over(pixel[channel], pixel[3], background));
                }
            }
        }
        Samples::Sixteen(samples) => {
            let pixels = samples[at..end].as_chunks::<4>().0;
            for (channel, plane) in row.iter_mut().enumerate() {
                for (value, pixel) in plane.iter_mut().zip(pixels) {
                    let sample = u64::from(pixel[channel]);
                    let alpha = u64::from(pixel[3]);
                    let top = u64::from(u16::MAX);
                    let ground = if background > 0.0 { top } else { 0 };
                    let mixed = (sample * alpha + ground * (top - alpha) + top / 2) / top;
                    *value = LINEAR_16[usize::try_from(mixed).expect("at most 65535")];
                }
            }
        }
    }
}

/// An 8-bit sample laid over black or white in sRGB, rounded.
fn over(sample: u8, alpha: u8, background: f32) -> u8 {
    let ground = if background > 0.0 { 255 } else { 0 };
    let mixed = (u32::from(sample) * u32::from(alpha) + ground * u32::from(255 - alpha) + 127) / 255;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}

/// Linear light of the 16-bit sRGB values.
#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
static LINEAR_16: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let linear = |value: f64| if value <= 0.040_45 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) };
    (0..=u16::MAX).map(|value| linear(f64::from(value) / 65535.0) as f32).collect()
});
