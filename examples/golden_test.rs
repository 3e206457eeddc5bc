//! A golden test: the picture of any renderer is compared with an approved PNG.
//!
//! Run with `cargo run --release --features image --example golden_test`. In your own crate the function `chart` is the
//! code under test, the rest is the test, and the golden is `tests/golden/chart.png`. Here the golden is written to the
//! working folder first.

use std::env;

use image::{Rgb, RgbImage};
use roundel::golden::Golden;

/// The code under test: bars as high as their numbers. Any renderer that fills a buffer of the `image` crate will do.
fn chart(numbers: &[u32]) -> RgbImage {
    RgbImage::from_fn(160, 100, |x, y| match numbers.get(x as usize / 20) {
        Some(number) if 100 - y <= *number && x % 20 > 2 => Rgb([0x1f, 0x77, 0xb4]),
        _ => Rgb([255, 255, 255]),
    })
}

fn main() {
    let image = chart(&[20, 35, 60, 90, 75, 40, 30, 10]);
    let folder = env::current_dir().expect("a working folder");
    // approve the picture; in a test: ROUNDEL_BLESS=golden_test cargo test, once, then commit the PNG
    image.save(folder.join("golden_test.png")).expect("saved");

    let golden = Golden::new("golden_test").folder(&folder);
    golden.assert_matches(&image);
    println!("the chart matches its golden");

    // one pixel differs: the test fails unless it allows that
    let mut spoiled = image.clone();
    spoiled.put_pixel(90, 50, Rgb([0x1f, 0x77, 0xb8]));
    golden.clone().tolerance(4.0).assert_matches(&spoiled);
    golden.clone().pixels(1).assert_matches(&spoiled);
    golden.mask(90, 50, 1, 1).assert_matches(&spoiled);
    println!("and it matches with one pixel changed, as far as the test allows");
}
