//! PNG files, alone and two of them compared.

use std::path::Path;

use roundel::compare::{Antialiasing, CompareOptions, Comparison, Metric, Verdict};
use roundel::io::{compare_files, compare_files_with_difference, read_picture, read_png};

use super::engine::{Input, fuzz};
use super::scenes::with_file;

/// A PNG's last bytes: the end chunk's name and checksum.
const END: &[u8] = b"IEND\xaeB`\x82";

#[test]
fn png_reader_survives_mutated_images() {
    fuzz("png", Input::Text, |input| {
        for input in [input, &mended(input)] {
            with_file("png", input, |path| {
                drop(read_png(path));
                drop(read_picture(path));
            });
        }
    });
}

/// An input is one PNG after the other.
#[test]
fn comparison_survives_two_mutated_images() {
    let ways = ways();
    fuzz("compare", Input::Text, |input| {
        let end = input.windows(END.len()).position(|bytes| bytes == END).map_or(input.len() / 2, |at| at + END.len());
        let (first, second) = input.split_at(end);
        let options = &ways[input.len() % ways.len()];
        with_file("png", &mended(first), |first| {
            with_file("png", &mended(second), |second| {
                let Ok(quick) = compare_files(first, second, options) else { return };
                match compare_files_with_difference(first, second, options) {
                    Ok((drawn, _)) => assert_eq!(quick.verdict, drawn.verdict, "{options:?}"),
                    Err(error) => assert!(is_known_from_headers(&quick, first, second), "{options:?}: {error}"),
                }
            });
        });
    });
}

/// Whether no pixel had to be decoded: the sizes differ, or the bytes of the files are equal.
fn is_known_from_headers(found: &Comparison, first: &Path, second: &Path) -> bool {
    match found.verdict {
        Verdict::SizeMismatch => true,
        Verdict::Same => std::fs::read(first).expect("written") == std::fs::read(second).expect("written"),
        Verdict::Different => false,
    }
}

fn ways() -> [CompareOptions; 4] {
    let exact = CompareOptions::default();
    [
        exact.clone(),
        exact.clone().with_metric(Metric::Channels { tolerance: 2.5 }).with_antialiasing(Antialiasing::Ignored),
        exact.clone().with_metric(Metric::Yiq { threshold: 0.1 }).with_antialiasing(Antialiasing::Ignored),
        exact.with_metric(Metric::Flip { largest_mean: 0.1, pixels_per_degree: 67.0 }),
    ]
}

/// The file with correct checksums, so that the content of its chunks is decoded.
fn mended(png: &[u8]) -> Vec<u8> {
    const SIGNATURE: usize = 8;
    let mut png = png.to_vec();
    let mut at = SIGNATURE;
    while let Some(header) = png.get(at..at + 8) {
        let length = u32::from_be_bytes(header[..4].try_into().expect("four bytes")) as usize;
        let end = at.saturating_add(8).saturating_add(length);
        let Some(body) = png.get(at + 4..end) else { break };
        let sum = checksum(body);
        let Some(place) = png.get_mut(end..end + 4) else { break };
        place.copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
    png
}

/// CRC-32 as PNG has it.
fn checksum(bytes: &[u8]) -> u32 {
    let shifted = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), shifted))
}

#[test]
fn samples_are_mended_already() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/png/");
    let png = std::fs::read(format!("{folder}rgba.png")).expect("a sample");
    assert_eq!(mended(&png), png);
    assert!(png.ends_with(END));
}
