//! Circles of scene files whose rims cross the picture although their centres are thousands of pictures away.
#![expect(clippy::disallowed_methods, reason = "an oracle with a tolerance")]

use crate::files::Folder;
use roundel::io::{LoadOptions, load};
use roundel::{RenderSettings, render};

/// The area of a disc in a pixel, from strips in `f64`: the power of points is summed from the pixel, so that no digit
/// of a vast radius is lost.
fn share([x, y]: [f64; 2], center: [f64; 2], radius: f64) -> f64 {
    const STRIPS: u32 = 64;
    // strips across the rim
    let is_upright = (center[0] - x).abs() > (center[1] - y).abs();
    let ([x, y], center) = if is_upright { ([y, x], [center[1], center[0]]) } else { ([x, y], center) };
    let (strips, mut sum) = (f64::from(STRIPS), 0.0);
    for strip in 0..STRIPS {
        let along = x + (f64::from(strip) + 0.5) / strips - center[0];
        // heights where the strip enters and leaves the disc, relative to the pixel
        let half = (radius - along) * (radius + along);
        if half <= 0.0 {
            continue;
        }
        let half = half.sqrt();
        let [low, high] = [(center[1] - half) - y, (center[1] + half) - y].map(|edge| edge.clamp(0.0, 1.0));
        sum += (high - low) / strips;
    }
    sum
}

#[test]
fn rims_of_vast_circles_are_within_a_512th() {
    let folder = Folder::new();
    for (index, radius) in [3e4, 4e5, 1_889_992.25, 7.3e7, 2.2e9].into_iter().enumerate() {
        for (turn, scale) in [(0.0_f64, 1.0), (1.3, 3.6), (2.2, 0.7), (4.1, 1.0)] {
            // the rim passes the middle of the picture at a tenth of a pixel
            let [x, y] = [turn.cos(), turn.sin()].map(|along| along * (radius - 0.31));
            for stroke in [None, Some(7.3)] {
                let style = match stroke {
                    None => "fill = \"#ffffff\"".to_owned(),
                    Some(width) => format!("stroke = {{ color = \"#ffffff\", width = {:?} }}", width / scale),
                };
                let text = format!(
                    "[canvas]\nwidth = 48\nheight = 40\nbackground = \"#000000\"\nview = {{ center = [0.0, 0.0], height = {:?} }}\n\n\
                     [[circle]]\ncenter = [{x:?}, {y:?}]\nradius = {radius:?}\n{style}\n",
                    40.0 / scale
                );
                let loaded = load(folder.file("vast.toml", text), &LoadOptions::default()).expect("a scene");
                let frame = render(&loaded.scene, &RenderSettings::default()).expect("drawn");
                let center = [24.0 + x * scale, 20.0 + y * scale];
                let rims = match stroke {
                    None => [radius * scale, 0.0],
                    Some(width) => [radius * scale + 0.5 * width, radius * scale - 0.5 * width],
                };
                let mut rim = 0;
                for (at, pixel) in frame.pixels().iter().enumerate() {
                    let corner = [(at % 48) as f64, (at / 48) as f64];
                    let [outer, hole] = rims.map(|radius| share(corner, center, radius));
                    let wanted = 255.0 * (outer - hole);
                    rim += usize::from((1.0..254.0).contains(&wanted));
                    // half a level of rounding, 1/512, and the error of the strips
                    let gap = (f64::from(pixel.r) - wanted).abs();
                    assert!(gap < 1.3, "radius {index}, turn {turn}, {stroke:?}, {corner:?}: {} for {wanted}", pixel.r);
                }
                assert!(rim > 20, "the rim is in the picture: {rim}");
            }
        }
    }
}
