//! The perceived difference of two colours, in OKLab.
//!
//! Sources: B. Ottosson, "A perceptual color space for image processing", 2020, and "Okhsv and Okhsl", 2021, for the
//! lightness that spreads dark colours less; S. Abasi, M. Amani Tehran and M. D. Fairchild, "Distance metrics for very
//! large color differences", *Color Research & Application* 45(2), 2020, for adding the difference in lightness to the
//! distance in hue and chroma. pixelmatch 8 uses the same measure, with tables that are off by up to 1e-5. Ours is the
//! background of translucent pixels: black and white are both tried, and the larger difference counts.

use std::sync::LazyLock;

use roundel_image::color::{decode, oklab};

/// The distance of two colours: 0 to a little more than 1, the distance of black and white. Channels, alpha included,
/// are 0 to 255.
pub(super) fn distance(p: [f64; 4], q: [f64; 4]) -> f64 {
    let over = |background: f64| {
        let [p, q] = [p, q].map(|color| {
            let alpha = color[3] / 255.0;
            toed_oklab([0, 1, 2].map(|channel| color[channel] * alpha + background * (1.0 - alpha)))
        });
        let [lightness, a, b] = [0, 1, 2].map(|axis| p[axis] - q[axis]);
        lightness.abs() + (a * a + b * b).sqrt()
    };
    if p[3] == 255.0 && q[3] == 255.0 { over(0.0) } else { over(0.0).max(over(255.0)) }
}

/// OKLab of a colour, with the toe applied to its lightness.
fn toed_oklab(color: [f64; 3]) -> [f64; 3] {
    let [lightness, a, b] = oklab::from_linear(color.map(linear));
    [with_toe(lightness), a, b]
}

/// The lightness with a toe that moves dark colours as close together as they look on a screen. Black and white stay 0
/// and 1.
fn with_toe(lightness: f64) -> f64 {
    const K1: f64 = 0.206;
    const K2: f64 = 0.03;
    const K3: f64 = (1.0 + K1) / (1.0 + K2);
    let x = K3 * lightness - K1;
    0.5 * (x + (x * x + 4.0 * K2 * K3 * lightness).sqrt())
}

/// Linear light of a channel from 0 to 255. Whole numbers, the usual case, are looked up.
fn linear(value: f64) -> f64 {
    static WHOLE: LazyLock<[f64; 256]> = LazyLock::new(|| std::array::from_fn(|value| decode(value as f64 / 255.0)));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let index = value as usize;
    if index as f64 == value { WHOLE[index.min(255)] } else { decode(value / 255.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances of pixelmatch 8.0.0 from npm, found by bisection of its threshold.
    #[test]
    fn distances_are_those_of_pixelmatch() {
        let color = |[r, g, b]: [u8; 3]| [r, g, b, 255].map(f64::from);
        for (p, q, expected) in [
            ([0, 0, 0], [255, 255, 255], 1.000_000),
            ([0, 255, 0], [0, 0, 255], 1.008_700),
            ([255, 0, 0], [250, 10, 5], 0.014_321),
            ([12, 12, 12], [20, 20, 20], 0.029_351),
            ([200, 180, 160], [190, 185, 170], 0.023_398),
            ([255, 255, 0], [255, 255, 40], 0.007_588),
        ] {
            let found = distance(color(p), color(q));
            assert!((found - expected).abs() < 5e-5, "{p:?} and {q:?}: {found} and {expected}");
            assert_eq!(found.to_bits(), distance(color(q), color(p)).to_bits());
        }
    }

    #[test]
    fn translucent_colours_are_laid_over_black_and_white() {
        let clear = |value: f64| [value, value, value, 0.0];
        assert_eq!(distance(clear(0.0), clear(255.0)), 0.0, "both are invisible");
        assert!((distance(clear(0.0), [255.0; 4]) - 1.0).abs() < 1e-6, "seen over black");
        assert!((distance(clear(0.0), [0.0, 0.0, 0.0, 255.0]) - 1.0).abs() < 1e-6, "seen over white");
    }
}
