//! A golden test as any crate would have it: the picture of any renderer held against the approved PNG.
//!
//! Run with `cargo run --release --example golden_test`. In a crate of your own the function `chart` is what you test and
//! the rest is the test; the golden is `tests/golden/chart.png`. Here golden and picture are made in the working folder.

use std::env;

use image::{Rgb, RgbImage};
use roundel::golden::Golden;

/// What is tested: bars as high as their numbers. `image` buffers of any renderer will do.
fn chart(numbers: &[u32]) -> RgbImage {
    RgbImage::from_fn(160, 100, |x, y| match numbers.get(x as usize / 20) {
        Some(number) if 100 - y <= *number && x % 20 > 2 => Rgb([0x1f, 0x77, 0xb4]),
        _ => Rgb([255, 255, 255]),
    })
}

fn main() {
    let image = chart(&[20, 35, 60, 90, 75, 40, 30, 10]);
    let folder = env::current_dir().expect("a working folder");
    // approve: in a test you say ROUNDEL_BLESS=golden_test cargo test, once, and commit the PNG
    image.save(folder.join("golden_test.png")).expect("saved");

    let golden = Golden::new("golden_test").folder(&folder);
    golden.assert_matches(&image);
    println!("the chart is its golden");

    // a pixel that nobody meant: fails, unless the test says that it may
    let mut spoiled = image.clone();
    spoiled.put_pixel(90, 50, Rgb([0x1f, 0x77, 0xb8]));
    golden.clone().tolerance(4.0).assert_matches(&spoiled);
    golden.clone().pixels(1).assert_matches(&spoiled);
    golden.mask(90, 50, 1, 1).assert_matches(&spoiled);
    println!("and a pixel may differ where the test says so");
}
