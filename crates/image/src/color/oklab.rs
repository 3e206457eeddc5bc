//! The perceptual colour space OKLab, in which colours are compared and softened.
//!
//! Source: B. Ottosson, "A perceptual color space for image processing", 2020.

/// Lightness, a and b of linear red, green and blue.
pub fn from_linear([r, g, b]: [f64; 3]) -> [f64; 3] {
    let [l, m, s] = [
        0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b,
        0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b,
        0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b,
    ]
    .map(libm::cbrt);
    [
        0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
    ]
}

/// The inverse of [`from_linear`]; channels of colours outside of sRGB are below 0 or above 1.
pub(super) fn to_linear([lightness, a, b]: [f64; 3]) -> [f64; 3] {
    let [l, m, s] = [
        lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b,
        lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b,
        lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b,
    ]
    .map(|root| root * root * root);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oklab_is_read_back() {
        for color in [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.2, 0.9, 0.05], [0.0, 0.0, 1.0]] {
            let again = to_linear(from_linear(color));
            assert!((0..3).all(|channel| (again[channel] - color[channel]).abs() < 1e-6), "{color:?}: {again:?}");
        }
        // of Ottosson's table, by X, Y and Z: white has no hue
        let [lightness, a, b] = from_linear([1.0; 3]);
        assert!((lightness - 1.0).abs() < 1e-6 && a.abs() < 1e-6 && b.abs() < 1e-6);
    }
}
