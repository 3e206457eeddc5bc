//! The perceived difference of two colours, in YIQ.
//!
//! Source: Y. Kotsarenko and F. Ramos, "Measuring perceived color difference using YIQ NTSC transmission color space in
//! mobile applications", *Programación Matemática y Software* 2(2), 2010, with the coefficients of pixelmatch 7 and
//! odiff. Ours is the background of translucent pixels: black and white are both tried, and the larger difference
//! counts. pixelmatch 7 uses a pattern that depends on the pixel's position; odiff uses white, on which white is
//! invisible.

/// The largest squared distance, about that of black and white.
pub(super) const LARGEST: f64 = 35215.0;

/// The squared distance of two colours, 0 to [`LARGEST`]. Channels, alpha included, are 0 to 255.
pub(super) fn distance_squared(p: [f64; 4], q: [f64; 4]) -> f64 {
    over_backgrounds(p, q, |[r, g, b]| {
        let y = luma([r, g, b]);
        let i = r * 0.595_977_99 - g * 0.274_176_10 - b * 0.321_801_89;
        let q = r * 0.211_470_17 - g * 0.522_617_11 + b * 0.311_146_94;
        0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
    })
}

/// The luma of `p` minus that of `q`, −255 to 255.
pub(super) fn brightness_difference(p: [f64; 4], q: [f64; 4]) -> f64 {
    over_backgrounds(p, q, luma)
}

/// The luma of a colour, or of a difference of colours.
fn luma([r, g, b]: [f64; 3]) -> f64 {
    r * 0.298_895_31 + g * 0.586_622_47 + b * 0.114_482_23
}

/// Measures the difference of two colours. If one is translucent, measures it over black and over white and returns the
/// value of larger magnitude.
fn over_backgrounds(p: [f64; 4], q: [f64; 4], measure: impl Fn([f64; 3]) -> f64) -> f64 {
    if p[3] == 255.0 && q[3] == 255.0 {
        return measure([p[0] - q[0], p[1] - q[1], p[2] - q[2]]);
    }
    let over = |background: f64| {
        measure(std::array::from_fn(|channel| {
            (p[channel] * p[3] - q[channel] * q[3] - background * (p[3] - q[3])) / 255.0
        }))
    };
    let (black, white) = (over(0.0), over(255.0));
    if black.abs() >= white.abs() { black } else { white }
}
