//! The code under test: a chart as a PNG file.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};

/// Bars as high as their numbers.
pub fn chart(numbers: &[u32]) -> RgbImage {
    RgbImage::from_fn(160, 100, |x, y| match numbers.get(x as usize / 20) {
        Some(number) if 100 - y <= *number && x % 20 > 2 => Rgb([0x1f, 0x77, 0xb4]),
        _ => Rgb([255, 255, 255]),
    })
}

/// The chart as a PNG file.
pub fn chart_png(numbers: &[u32]) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    chart(numbers).write_to(&mut png, ImageFormat::Png).expect("written to memory");
    png.into_inner()
}
