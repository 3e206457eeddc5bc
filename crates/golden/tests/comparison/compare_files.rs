//! Comparisons of files: decoded in chunks of rows or whole, they give the result of the pictures.
#![cfg(feature = "image")]

use std::fs;
use std::path::{Path, PathBuf};

use image::{DynamicImage, Rgba, RgbaImage};
use roundel_golden::compare::{
    Antialiasing, CompareOptions, Mask, Metric, Rectangle, Verdict, compare, compare_with_difference,
};
use roundel_golden::{compare_files, compare_files_with_difference};
use tempfile::TempDir;

/// A picture with soft edges, flats and noise, and one like it with a shift, a blot and some single pixels changed.
fn pair(width: u32, height: u32) -> [RgbaImage; 2] {
    let soft = |x: u32, y: u32, shift: u32| {
        let away = (x * 4 + shift).abs_diff(width * 2) + (y * 4).abs_diff(height * 2);
        let shade = u8::try_from((away.saturating_sub(width / 2) * 40).min(255)).unwrap();
        Rgba([shade, shade, 200, 255])
    };
    let a = RgbaImage::from_fn(width, height, |x, y| soft(x, y, 0));
    let b = RgbaImage::from_fn(width, height, |x, y| match (x, y) {
        (5..9, 60..70) => Rgba([255, 0, 0, 255]),
        _ if (x * 31 + y * 17) % 997 == 0 => Rgba([1, 2, 3, 250]),
        _ => soft(x, y, 1),
    });
    [a, b]
}

fn save(folder: &TempDir, name: &str, image: impl Into<DynamicImage>) -> PathBuf {
    let path = folder.path().join(name);
    image.into().save(&path).unwrap();
    path
}

/// Heights around the size of a chunk, and its multiples; every way of marking pixels.
#[test]
fn chunks_of_rows_compare_as_whole_pictures_do() {
    let folder = tempfile::tempdir().unwrap();
    for height in [1, 2, 3, 4, 5, 63, 64, 65, 66, 67, 68, 127, 128, 129, 130, 131, 200] {
        let [a, b] = pair(90, height);
        let (path_a, path_b) = (save(&folder, "a.png", a.clone()), save(&folder, "b.png", b.clone()));
        let mask = Mask::new().with_rectangle(Rectangle { x: 30, y: height.min(10) - 1, width: 20, height: 150 });
        let metrics = [Metric::EXACT, Metric::Channels { tolerance: 3.0 }, Metric::Yiq { threshold: 0.02 }];
        for metric in metrics {
            for antialiasing in [Antialiasing::Counts, Antialiasing::Ignored] {
                for mask in [Mask::new(), mask.clone()] {
                    let options =
                        CompareOptions::default().with_metric(metric).with_antialiasing(antialiasing).with_mask(mask);
                    let whole = compare_with_difference(&a, &b, &options).unwrap();
                    assert_eq!(compare_files(&path_a, &path_b, &options).unwrap(), whole.0, "{height} {options:?}");
                    let files = compare_files_with_difference(&path_a, &path_b, &options).unwrap();
                    assert!(files == whole, "{height} {options:?}");
                }
            }
        }
    }
}

/// Files that are decoded whole.
#[test]
fn every_format_has_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let opaque = pair(70, 90).map(|image| DynamicImage::from(image).into_rgb8());
    let expected = compare(&opaque[0], &opaque[1], &CompareOptions::default()).unwrap();
    let gray = opaque.clone().map(|image| DynamicImage::from(image).into_luma8());
    let expected_gray = compare(&gray[0], &gray[1], &CompareOptions::default()).unwrap();
    assert!(expected.differing > 10 && expected_gray.differing > 10);
    let formats: &[&str] =
        if cfg!(feature = "image-formats") { &["png", "bmp", "tiff", "webp", "qoi", "ppm"] } else { &["png"] };
    for format in formats {
        let [a, b] = [0, 1].map(|i| save(&folder, &format!("{i}.{format}"), opaque[i].clone()));
        assert_eq!(compare_files(&a, &b, &CompareOptions::default()).unwrap(), expected, "{format}");
    }
    let [a, b] = [0, 1].map(|i| save(&folder, &format!("gray{i}.png"), gray[i].clone()));
    assert_eq!(compare_files(&a, &b, &CompareOptions::default()).unwrap(), expected_gray);
    let [a, b] =
        [0, 1].map(|i| save(&folder, &format!("wide{i}.png"), DynamicImage::from(opaque[i].clone()).into_rgb16()));
    assert_eq!(compare_files(&a, &b, &CompareOptions::default()).unwrap(), expected, "16 bits");
    let narrow = save(&folder, "narrow.png", opaque[0].clone());
    assert_eq!(compare_files(&narrow, &b, &CompareOptions::default()).unwrap(), expected, "8 and 16 bits");
    assert!(compare_files(&narrow, &a, &CompareOptions::default()).unwrap().is_same());
}

#[test]
fn equal_bytes_are_the_same_and_counted_without_decoding() {
    let folder = tempfile::tempdir().unwrap();
    let [a, _] = pair(50, 40);
    let path = save(&folder, "a.png", a);
    let copy = folder.path().join("copy.png");
    fs::copy(&path, &copy).unwrap();
    let mask = Mask::new().with_rectangle(Rectangle { x: 0, y: 0, width: 10, height: 10 });
    for metric in [Metric::EXACT, Metric::FLIP] {
        let options = CompareOptions::default().with_metric(metric).with_mask(mask.clone());
        let found = compare_files(&path, &copy, &options).unwrap();
        assert_eq!((found.verdict, found.compared, found.sizes), (Verdict::Same, 1900, [(50, 40); 2]));
    }
    // truncated pixels: only a decoder notices
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 40]).unwrap();
    fs::write(&copy, &bytes[..bytes.len() - 40]).unwrap();
    let options = CompareOptions::default();
    assert!(compare_files(&path, &copy, &options).unwrap().is_same());
    // a difference image needs the pixels
    let error = compare_files_with_difference(&path, &copy, &options).unwrap_err().to_string();
    assert!(error.contains("a.png") || error.contains("copy.png"), "{error}");
}

#[test]
fn bad_files_are_errors_that_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = pair(90, 200);
    let (good, cut) = (save(&folder, "good.png", a), save(&folder, "cut.png", b));
    let bytes = fs::read(&cut).unwrap();
    let failure = |a: &Path, b: &Path| compare_files(a, b, &CompareOptions::default()).unwrap_err().to_string();
    for length in [0, 5, 20, 33, 60, bytes.len() / 2, bytes.len() - 20] {
        fs::write(&cut, &bytes[..length]).unwrap();
        assert!(failure(&good, &cut).contains("cut.png"), "{}", failure(&good, &cut));
        assert!(failure(&cut, &good).contains("cut.png"), "{}", failure(&cut, &good));
    }
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 0x10;
    fs::write(&cut, &flipped).unwrap();
    assert!(failure(&good, &cut).contains("cut.png"), "a bad checksum");
    // a header that promises a billion pixels in one row
    let mut vast = bytes.clone();
    vast[16..24].copy_from_slice(&[0x3f, 0xff, 0xff, 0xff, 0, 0, 0, 1]);
    fs::write(&cut, &vast).unwrap();
    assert!(failure(&good, &cut).contains("cut.png"));
    assert!(failure(&good, &folder.path().join("none.png")).contains("none.png"));
    assert!(failure(&good, folder.path()).contains("directory"), "{}", failure(&good, folder.path()));
}
