//! Comparisons of two 3840 × 2160 PNGs with 3 % differing pixels, from files to the result.
//!
//! Run with `cargo bench --bench compare`, or `cargo bench --bench compare -- flip` for one metric. The pictures show
//! discs with hard edges on a shaded background. In the second, some discs have another colour and 2 % of the pixels
//! differ by one step. Results are in `docs/performance.md`.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use image::{Rgba, RgbaImage};
use roundel::compare::{Antialiasing, CompareOptions, Metric};
use roundel::io::compare_files;

const SIZE: (u32, u32) = (3840, 2160);
const DISCS: u32 = 20_000;

/// A 32-bit hash of a number.
fn hash(value: u32) -> u32 {
    let value = (value ^ (value >> 16)).wrapping_mul(0x21f0_aaad);
    let value = (value ^ (value >> 15)).wrapping_mul(0x735a_2d97);
    value ^ (value >> 15)
}

/// Which of the two pictures.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Expected,
    /// One disc of fifty has another colour, and 2 % of the pixels differ by one step.
    Changed,
}

/// Discs on a dark background.
fn picture(version: Version) -> RgbaImage {
    let changed = version == Version::Changed;
    let (width, height) = SIZE;
    let mut image = RgbaImage::from_pixel(width, height, Rgba([16, 18, 24, 255]));
    for disc in 0..DISCS {
        let random = |dimension: u32| hash(disc * 8 + dimension);
        let (x, y) = (random(0) % width, random(1) % height);
        let radius = 2 + (random(2) % 16 + random(3) % 16) / 2;
        let [r, g, b, _] = random(4).to_le_bytes();
        let dimmed = changed && random(5).is_multiple_of(50);
        let [r, g, b] = [r, g, b].map(|channel| if dimmed { channel / 2 } else { 30 + channel / 2 });
        for row in y.saturating_sub(radius)..(y + radius).min(height) {
            for column in x.saturating_sub(radius)..(x + radius).min(width) {
                if row.abs_diff(y).pow(2) + column.abs_diff(x).pow(2) < radius * radius {
                    image.put_pixel(column, row, Rgba([r, g, b, 255]));
                }
            }
        }
    }
    for (index, pixel) in (0_u32..).zip(image.pixels_mut()) {
        // a gradient over the picture, so that rows do not repeat
        let shade = u8::try_from(index / width * 24 / height + index % width * 24 / width).expect("at most 46");
        let stepped = changed && hash(index).is_multiple_of(50);
        for channel in &mut pixel.0[..3] {
            *channel = channel.saturating_add(shade).saturating_add(u8::from(stepped));
        }
    }
    image
}

fn compare(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name);
    let (a, b) = (picture(Version::Expected), picture(Version::Changed));
    a.save(file("a.png")).expect("saved");
    a.save(file("copy.png")).expect("saved");
    b.save(file("b.png")).expect("saved");
    let differing = a.pixels().zip(b.pixels()).filter(|(p, q)| p != q).count();
    println!("{:.2} % of the pixels differ", differing as f64 * 100.0 / f64::from(SIZE.0 * SIZE.1));

    let mut group = criterion.benchmark_group("compare");
    group.sample_size(10);
    let exact = CompareOptions::default();
    let yiq = exact.clone().with_metric(Metric::YIQ);
    let antialiasing = yiq.clone().with_antialiasing(Antialiasing::Ignored);
    let flip = exact.clone().with_metric(Metric::FLIP);
    for (name, actual, options) in [
        ("exact", "b.png", &exact),
        ("yiq", "b.png", &yiq),
        ("yiq, anti-aliasing ignored", "b.png", &antialiasing),
        ("flip", "b.png", &flip),
        ("equal files", "copy.png", &exact),
    ] {
        let run = |expected: &Path, actual: &Path| compare_files(expected, actual, options).expect("two pictures");
        let (expected, actual) = (file("a.png"), file(actual));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(run(&expected, &actual))));
    }
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
