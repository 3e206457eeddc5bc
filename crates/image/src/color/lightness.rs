//! Makes colours lighter, darker or softer.

use super::decode::decode;
use super::encode::srgb8_from_linear;
use super::oklab;
use super::srgba8::Srgba8;

/// Linear light of red, green and blue to X, Y and Z relative to the white point.
///
/// Source: IEC 61966-2-1, rows divided by the white of D65 so that white is (1, 1, 1).
const TO_XYZ: [[f64; 3]; 3] = [
    [0.412_390_8 / 0.950_455_9, 0.357_584_3 / 0.950_455_9, 0.180_480_8 / 0.950_455_9],
    [0.212_639_0, 0.715_168_7, 0.072_192_3],
    [0.019_330_8 / 1.089_057_8, 0.119_194_8 / 1.089_057_8, 0.950_532_2 / 1.089_057_8],
];

/// The inverse of [`TO_XYZ`].
const FROM_XYZ: [[f64; 3]; 3] = [
    [3.240_969_9 * 0.950_455_9, -1.537_383_2, -0.498_610_8 * 1.089_057_8],
    [-0.969_243_6 * 0.950_455_9, 1.875_967_5, 0.041_555_1 * 1.089_057_8],
    [0.055_630_1 * 0.950_455_9, -0.203_977_0, 1.056_971_5 * 1.089_057_8],
];

/// The colour with `steps` added to its CIE L* and with the same a* and b*. Channels are clamped to 0 to 255.
///
/// Source: CIE 15:2004; Mol* lightens carbons in the same way, by 14.4.
pub fn lightened(color: Srgba8, steps: f64) -> Srgba8 {
    let linear = linear(color);
    // L* = 116 f(Y) − 16, a* = 500 (f(X) − f(Y)), b* = 200 (f(Y) − f(Z)): all three move alike
    let xyz = TO_XYZ.map(|row| finv(f(dot(row, linear)) + steps / 116.0));
    encoded(FROM_XYZ.map(|row| dot(row, xyz)), color.a)
}

/// The share of chroma that [`softened`] keeps, and of the distance from a middle lightness.
///
/// Chosen by eye on molecules under a key light: less leaves oxygen brown, more leaves it glaring.
const SOFT_CHROMA: f64 = 0.7;
const SOFT_CONTRAST: f64 = 0.85;
const MIDDLE_LIGHTNESS: f64 = 0.68;

/// The colour with less chroma and a lightness nearer to the middle, in the same OKLab hue. Channels are clamped to 0
/// to 255.
pub fn softened(color: Srgba8) -> Srgba8 {
    let [lightness, a, b] = oklab::from_linear(linear(color));
    let lightness = MIDDLE_LIGHTNESS + (lightness - MIDDLE_LIGHTNESS) * SOFT_CONTRAST;
    encoded(oklab::to_linear([lightness, a * SOFT_CHROMA, b * SOFT_CHROMA]), color.a)
}

/// Linear light of red, green and blue.
fn linear(color: Srgba8) -> [f64; 3] {
    [color.r, color.g, color.b].map(|channel| decode(f64::from(channel) / 255.0))
}

/// The colour of linear light.
#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32, far finer than 8 bits")]
fn encoded(light: [f64; 3], a: u8) -> Srgba8 {
    let [r, g, b] = light.map(|channel| srgb8_from_linear(channel as f32));
    Srgba8 { r, g, b, a }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Below the cube of this, CIE L* is linear.
const DELTA: f64 = 6.0 / 29.0;

fn f(ratio: f64) -> f64 {
    if ratio > DELTA * DELTA * DELTA { libm::cbrt(ratio) } else { ratio / (3.0 * DELTA * DELTA) + 4.0 / 29.0 }
}

fn finv(value: f64) -> f64 {
    if value > DELTA { value * value * value } else { 3.0 * DELTA * DELTA * (value - 4.0 / 29.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L* of a gray or of any other colour.
    fn lightness(color: Srgba8) -> f64 {
        116.0 * f(dot([0.2126, 0.7152, 0.0722], linear(color))) - 16.0
    }

    #[test]
    fn lightness_moves_by_the_steps_and_back() {
        for hex in [0x56_b4_e9, 0x00_9e_73, 0x80_80_80, 0x90_40_30, 0x20_60_40] {
            let color = Srgba8::hex(hex);
            assert_eq!(lightened(color, 0.0), color);
            for steps in [-14.4, 5.0, 14.4] {
                let moved = lightened(color, steps);
                if [moved.r, moved.g, moved.b].iter().all(|&channel| channel > 0 && channel < 255) {
                    let found = lightness(moved) - lightness(color);
                    assert!((found - steps).abs() < 0.3, "{color} {steps}: {found}");
                }
            }
        }
        assert_eq!(lightened(Srgba8::WHITE, 10.0), Srgba8::WHITE);
        assert_eq!(lightened(Srgba8::BLACK, -10.0), Srgba8::BLACK);
        // L* of 50 is gray 119
        assert_eq!(lightened(Srgba8::BLACK, 50.0), Srgba8::rgb(119, 119, 119));
        assert_eq!(lightened(Srgba8::rgb(1, 2, 3).with_alpha(7), 20.0).a, 7);
    }
}
