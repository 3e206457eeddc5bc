//! FLIP: how visible the difference of two pictures is to an observer who flips between them, per pixel, 0 to 1.
//!
//! Both pictures are blurred like the eye does at the given distance, and their colours are compared (the colour
//! pipeline). Edges and points in only one of them add to the error (the feature pipeline).
//!
//! Source: P. Andersson, J. Nilsson, T. Akenine-Möller, M. Oskarsson, K. Åström, M. D. Fairchild, "FLIP: A Difference
//! Evaluator for Alternating Images", *Proc. ACM Comput. Graph. Interact. Tech.* 3(2), 2020, for low dynamic range,
//! with the separated filters of the reference implementation, version 1.2. Ours:
//!
//! - the mean is summed in `f64`; the reference sums in `f32` and loses 3 % over 8 million pixels;
//! - translucent pixels, which FLIP does not define, are laid over black and over white, and the larger error counts;
//! - roots and powers are short series, the same on every machine; means are within 2e-5 of the reference's.

mod filters;
mod lanes;
mod powers;

use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

#[cfg(feature = "simd")]
use fearless_simd::{Level, dispatch};

use filters::Filters;
use lanes::Strip;
use roundel_image::color::linear_from_srgb8;
use roundel_image::picture::{Picture, Samples};

/// Rows per task: many times the filters' reach, because adjacent tasks filter the rows around their border twice, and
/// few enough for many tasks.
const TASK_ROWS: usize = 128;
/// Columns per strip: 0.6 MB of filtered rows, which fit a second-level cache.
const STRIP_COLUMNS: usize = 512;

/// The error of every pixel, in reading order. The pictures have the same size.
pub(super) fn errors(expected: &Picture<'_>, actual: &Picture<'_>, pixels_per_degree: f32) -> Vec<f32> {
    let opaque = is_opaque(expected) && is_opaque(actual);
    let mut errors = errors_over(Underlay::Black, expected, actual, pixels_per_degree);
    if !opaque {
        let over_white = errors_over(Underlay::White, expected, actual, pixels_per_degree);
        for (error, white) in errors.iter_mut().zip(over_white) {
            *error = error.max(white);
        }
    }
    errors
}

/// The background that translucent pixels are laid over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Underlay {
    Black,
    White,
}

fn errors_over(background: Underlay, expected: &Picture<'_>, actual: &Picture<'_>, pixels_per_degree: f32) -> Vec<f32> {
    let (width, height) = expected.size();
    let (width, height) = (width as usize, height as usize);
    let filters = Filters::new(pixels_per_degree);
    let mut errors = vec![0.0; width * height];
    for_each_task(&mut errors, TASK_ROWS * width, |number, part| {
        let read = |picture: usize, y, columns, row: &mut [Vec<f32>; 3]| {
            linear_row([expected, actual][picture], y, columns, background, row);
        };
        let start = number * TASK_ROWS;
        let rows = start..start + part.len() / width;
        for left in (0..width).step_by(STRIP_COLUMNS) {
            let columns = left..(left + STRIP_COLUMNS).min(width);
            let mut strip = Strip::new((width, height), columns, &filters);
            strip_errors(&mut strip, rows.clone(), read, part);
        }
    });
    errors
}

/// [`Strip::errors`] at the processor's best instruction set, or without `simd` the target's own instruction set.
fn strip_errors(
    strip: &mut Strip<'_>,
    rows: Range<usize>,
    read: impl Fn(usize, usize, Range<usize>, &mut [Vec<f32>; 3]),
    errors: &mut [f32],
) {
    #[cfg(feature = "simd")]
    dispatch!(Level::new(), _ => strip.errors(rows.clone(), &read, errors));
    #[cfg(not(feature = "simd"))]
    strip.errors(rows, &read, errors);
}

/// Calls `work` with the index and the items of every chunk, on one thread per processor.
fn for_each_task<T: Send>(items: &mut [T], chunk: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len().div_ceil(chunk));
    let tasks = Mutex::new(items.chunks_mut(chunk).enumerate());
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((number, part)) = next() {
            work(number, part);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

fn is_opaque(picture: &Picture<'_>) -> bool {
    match picture.samples() {
        Samples::Eight(samples) => samples.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == u8::MAX),
        Samples::Sixteen(samples) => samples.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == u16::MAX),
    }
}

/// Writes red, green and blue of some columns of row `y`, over the background and in linear light, to `row`.
fn linear_row(picture: &Picture<'_>, y: usize, columns: Range<usize>, background: Underlay, row: &mut [Vec<f32>; 3]) {
    let row_start = y * picture.size().0 as usize;
    let (at, end) = (4 * (row_start + columns.start), 4 * (row_start + columns.end));
    match picture.samples() {
        Samples::Eight(samples) => {
            let pixels = samples[at..end].as_chunks::<4>().0;
            for (channel, plane) in row.iter_mut().enumerate() {
                for (value, pixel) in plane.iter_mut().zip(pixels) {
                    *value = linear_from_srgb8(over8(pixel[channel], pixel[3], background));
                }
            }
        }
        Samples::Sixteen(samples) => {
            let pixels = samples[at..end].as_chunks::<4>().0;
            for (channel, plane) in row.iter_mut().enumerate() {
                for (value, pixel) in plane.iter_mut().zip(pixels) {
                    *value = LINEAR_16[usize::from(over16(pixel[channel], pixel[3], background))];
                }
            }
        }
    }
}

/// An 8-bit sample laid over the background in sRGB, rounded.
fn over8(sample: u8, alpha: u8, background: Underlay) -> u8 {
    let ground = if background == Underlay::White { 255 } else { 0 };
    let mixed = (u32::from(sample) * u32::from(alpha) + ground * u32::from(255 - alpha) + 127) / 255;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}

/// A 16-bit sample laid over the background in sRGB, rounded.
fn over16(sample: u16, alpha: u16, background: Underlay) -> u16 {
    const MOST: u64 = u16::MAX as u64;
    let ground = if background == Underlay::White { MOST } else { 0 };
    let mixed = (u64::from(sample) * u64::from(alpha) + ground * (MOST - u64::from(alpha)) + MOST / 2) / MOST;
    u16::try_from(mixed).unwrap_or(u16::MAX)
}

/// The linear light of every 16-bit sRGB value.
#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
static LINEAR_16: LazyLock<Vec<f32>> = LazyLock::new(|| {
    (0..=u16::MAX).map(|value| roundel_image::color::decode(f64::from(value) / f64::from(u16::MAX)) as f32).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_runs_once_with_its_own_items() {
        for (items, chunk) in [(0, 3), (1, 3), (3, 3), (1000, 7), (1001, 1000)] {
            let mut counts = vec![0; items];
            for_each_task(&mut counts, chunk, |number, part| {
                for (place, count) in part.iter_mut().enumerate() {
                    *count += 1 + number * chunk + place;
                }
            });
            assert!(counts.iter().enumerate().all(|(index, count)| *count == 1 + index), "{items} by {chunk}");
        }
    }
}
