//! Cube roots and powers from + − × ÷ alone: the same on every machine, and vectorizable.

use std::f32::consts::{LN_2, LOG2_E};

/// The cube root of a positive, normal number. Bound: 2 ulps, `cube_root_is_within_2_ulps`.
#[inline(always)]
pub(super) fn cube_root(x: f32) -> f32 {
    // a third of the exponent is within 4 %; each step of Halley's method triples the correct digits
    let mut root = f32::from_bits(x.to_bits() / 3 + 0x2a51_37a0);
    for _ in 0..2 {
        let cube = root * root * root;
        root = root - root * ((cube - x) / (2.0 * cube + x));
    }
    root
}

/// `x` to the power `y`, for positive normal `x`, −2 ≤ y ≤ 2 and normal results. Bound: a relative error of 1e-5,
/// `power_is_within_a_hundred_thousandth`.
#[inline(always)]
pub(super) fn power(x: f32, y: f32) -> f32 {
    exp2(y * log2(x))
}

/// The logarithm to base 2 of a positive, normal number.
#[inline(always)]
fn log2(x: f32) -> f32 {
    // x = m × 2^e with m from √½ to √2
    let shifted = x.to_bits().wrapping_sub(std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let exponent = shifted.cast_signed() >> 23;
    let mantissa = f32::from_bits(x.to_bits().wrapping_sub(exponent.cast_unsigned() << 23));
    // ln m = 2 artanh s, by its series
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let s2 = s * s;
    let series = 2.0 + s2 * (2.0 / 3.0 + s2 * (2.0 / 5.0 + s2 * (2.0 / 7.0)));
    exponent as f32 + s * series * LOG2_E
}

/// 2 to the power `x`, from −126 to 127.
#[inline(always)]
fn exp2(x: f32) -> f32 {
    let x = if x < -126.0 { -126.0 } else { x };
    let x = if x > 127.0 { 127.0 } else { x };
    // adding and subtracting 1.5 × 2²³ rounds to the nearest integer
    let whole = (x + 12_582_912.0) - 12_582_912.0;
    let t = (x - whole) * LN_2;
    let series =
        1.0 + t * (1.0 + t * (1.0 / 2.0 + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * (1.0 / 720.0))))));
    // the low bits of the shifted sum hold the integer
    let bits = (x + 12_582_912.0).to_bits().wrapping_sub(12_582_912.0_f32.to_bits()) << 23;
    f32::from_bits(series.to_bits().wrapping_add(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_root_is_within_2_ulps() {
        let mut x = 0.008_f32;
        while x < 1.2 {
            let exact = libm::cbrt(f64::from(x));
            assert!((f64::from(cube_root(x)) - exact).abs() <= 2.0 * f64::from(f32::EPSILON) * exact, "{x}");
            x *= 1.000_07;
        }
    }

    #[test]
    fn power_is_within_a_hundred_thousandth() {
        let mut x = 1e-20_f32;
        while x < 1000.0 {
            for y in [-0.5, 0.0, 0.1, 0.5, 0.7, 0.9, 1.0, 1.5] {
                let exact = libm::pow(f64::from(x), f64::from(y));
                let close = (f64::from(power(x, y)) - exact).abs() <= 1e-5 * exact;
                assert!(close, "{x} to the power {y} is {exact}, got {}", power(x, y));
            }
            x *= 1.003;
        }
    }
}
