//! Round numbers for ticks and lengths, and their text.

use crate::color::Scale;

/// A positive number rounded down to 1, 2 or 5 times a power of ten.
pub(super) fn round_below(value: f64) -> f64 {
    let mut power = libm::pow(10.0, libm::floor(libm::log10(value)));
    // the logarithm of a power of ten may be rounded down
    if power * 10.0 <= value {
        power *= 10.0;
    }
    // with a tolerance for rounding, so that 0.2 counts as 2 × 0.1
    [5.0, 2.0].into_iter().find(|factor| factor * power <= value * (1.0 + 1e-12)).unwrap_or(1.0) * power
}

/// A positive number rounded up to two digits.
pub(super) fn round_up(value: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(value)) - 1.0);
    format!("{:.1e}", libm::ceil(value / power - 1e-9) * power).parse().unwrap_or(value)
}

/// About `wanted` round numbers from the least to the greatest, with their texts.
pub(super) fn ticks([least, most]: [f64; 2], scale: Scale, wanted: f64) -> Vec<(f64, String)> {
    if most <= least {
        return vec![(least, length_written(least))];
    }
    if scale == Scale::Log && most / least >= 10.0 {
        return decades([least, most], wanted);
    }
    let size = least.abs().max(most.abs());
    // the ends are too far apart or too close together for steps between them
    if !((most - least).is_finite() && most - least > 1e-12 * size && most - least > 1e-300) {
        return [least, most].map(|end| (end, length_written(end))).to_vec();
    }
    let mut step = round_below((most - least) / wanted);
    // rounding the step down gives up to 2.5 times as many; the next round step is 2 or 2.5 times as large
    let are_two = |step: f64| libm::floor(most / step + 1e-9) > libm::ceil(least / step - 1e-9);
    while (most - least) / step > 1.5 * wanted && are_two(round_below(2.6 * step)) {
        step = round_below(2.6 * step);
    }
    // in steps, because adding a slack to the greatest numbers would overflow
    let first = libm::ceil(least / step - 1e-9);
    let last = libm::floor(most / step + 1e-9);
    let mut numbers = Vec::new();
    let mut index = first;
    while index <= last {
        let value = index * step;
        numbers.push((value, written(value, step, size)));
        index += 1.0;
    }
    numbers
}

/// Powers of ten and, if these are few, 2 and 5 times powers of ten.
fn decades([least, most]: [f64; 2], wanted: f64) -> Vec<(f64, String)> {
    let span = libm::log10(most / least);
    let factors: &[f64] = if span < 0.6 * wanted { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = libm::ceil(span / (1.5 * wanted)).max(1.0);
    let mut numbers = Vec::new();
    let mut exponent = libm::floor(libm::log10(least)) - 1.0;
    while exponent <= libm::ceil(libm::log10(most)) {
        let power = libm::pow(10.0, exponent);
        if exponent % every == 0.0 {
            let inside = |value: &f64| (least * (1.0 - 1e-9)..=most * (1.0 + 1e-9)).contains(value);
            let values = factors.iter().map(|factor| factor * power).filter(inside);
            numbers.extend(values.map(|value| (value, written(value, power, most.max(1.0 / least)))));
        }
        exponent += 1.0;
    }
    numbers
}

/// A single number, with no more digits than it needs.
pub(super) fn length_written(value: f64) -> String {
    let size = value.abs();
    let power = if size > 0.0 { libm::pow(10.0, libm::floor(libm::log10(size) + 1e-9)) } else { 1.0 };
    // the least digits that represent it
    let is_whole = |step: f64| (value / step - libm::round(value / step)).abs() < 1e-6;
    let step =
        [1.0, 0.1, 0.01].map(|part| part * power).into_iter().find(|step| is_whole(*step)).unwrap_or(1e-3 * power);
    written(value, step, size)
}

/// A number with enough digits for steps of `step`; `size` is the largest magnitude in the list.
fn written(value: f64, step: f64, size: f64) -> String {
    if value.abs() < 1e-9 * step {
        return "0".to_owned();
    }
    if !(1e-3..1e6).contains(&size) {
        return scientific(value, step);
    }
    let decimals = (-libm::floor(libm::log10(step) + 1e-9)).clamp(0.0, 9.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 9")]
    signed(&format!("{:.*}", decimals as usize, value.abs()), value)
}

fn scientific(value: f64, step: f64) -> String {
    let exponent = libm::floor(libm::log10(value.abs()) + 1e-12);
    let mantissa = value.abs() / libm::pow(10.0, exponent);
    let digits = (exponent - libm::floor(libm::log10(step.abs().max(f64::MIN_POSITIVE)) + 1e-9)).clamp(0.0, 3.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 3")]
    let mantissa = format!("{mantissa:.*}", digits as usize);
    let raised: String = format!("{exponent}").chars().map(superscript).collect();
    let text = if mantissa == "1" { format!("10{raised}") } else { format!("{mantissa}×10{raised}") };
    signed(&text, value)
}

fn superscript(character: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    character.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])
}

/// Puts a minus sign (U+2212, as wide as a plus) before a negative value.
fn signed(text: &str, value: f64) -> String {
    if value < 0.0 { format!("−{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(range: [f64; 2], scale: Scale) -> Vec<String> {
        ticks(range, scale, 5.0).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(texts([0.0, 100.0], Scale::Linear), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts([1.0, 20.0], Scale::Linear), ["5", "10", "15", "20"]);
        assert_eq!(texts([-0.35, 0.3], Scale::Linear), ["−0.3", "−0.2", "−0.1", "0", "0.1", "0.2", "0.3"]);
        assert_eq!(
            texts([0.0, 3e6], Scale::Linear),
            ["0", "5×10⁵", "1.0×10⁶", "1.5×10⁶", "2.0×10⁶", "2.5×10⁶", "3.0×10⁶"]
        );
        assert_eq!(texts([7.0, 7.0], Scale::Linear), ["7"]);
        assert_eq!(texts([0.0, 81.0], Scale::Sqrt), ["0", "20", "40", "60", "80"]);
        for (least, most) in [(0.0, 1.0), (3.2, 4.9), (-1e-5, 1e-5), (1e8, 1.2e8), (0.1, 77.0)] {
            let found = ticks([least, most], Scale::Linear, 5.0);
            assert!((3..=8).contains(&found.len()), "{least} {most}: {found:?}");
            assert!(found.iter().all(|(value, _)| *value >= least - 1e-9 && *value <= most * (1.0 + 1e-9)));
            let mut texts: Vec<_> = found.iter().map(|(_, text)| text).collect();
            texts.dedup();
            assert_eq!(texts.len(), found.len(), "no two alike: {found:?}");
        }
    }

    #[test]
    fn ticks_of_any_numbers_are_few() {
        let ends = [0.0, 5e-324, 1e-310, 1e-300, 1e-9, 1.0, 1e15, 1e17, 1e17 + 16.0, 1e300, f64::MAX];
        for a in ends.iter().flat_map(|end| [*end, -end]) {
            for b in ends.iter().flat_map(|end| [*end, -end]) {
                for scale in [Scale::Linear, Scale::Sqrt, Scale::Log] {
                    if scale != Scale::Log || (a > 0.0 && b > 0.0) {
                        let found = ticks([a, b], scale, 5.0);
                        assert!(
                            found.len() < 40 && found.iter().all(|(value, _)| value.is_finite()),
                            "{a} {b} {scale:?}: {found:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        assert_eq!(texts([1.0, 1e4], Scale::Log), ["1", "10", "100", "1000", "10000"]);
        assert_eq!(texts([1e-8, 1e8], Scale::Log), ["10⁻⁶", "10⁻³", "10⁰", "10³", "10⁶"]);
        assert_eq!(texts([2.0, 60.0], Scale::Log), ["2", "5", "10", "20", "50"]);
        assert_eq!(texts([1e6, 1e9], Scale::Log), ["10⁶", "10⁷", "10⁸", "10⁹"]);
    }

    #[test]
    fn lengths_are_written_short() {
        for (value, expected) in [
            (20.0, "20"),
            (0.5, "0.5"),
            (2.5, "2.5"),
            (12.0, "12"),
            (1e7, "10⁷"),
            (2e-4, "2×10⁻⁴"),
            (0.0, "0"),
            (1000.0, "1000"),
        ] {
            assert_eq!(length_written(value), expected);
        }
    }

    #[test]
    fn lengths_are_rounded_down() {
        for (value, expected) in
            [(1.0, 1.0), (1.9, 1.0), (2.0, 2.0), (4.99, 2.0), (7.0, 5.0), (999.0, 500.0), (1000.0, 1000.0)]
        {
            assert!((round_below(value) / expected - 1.0).abs() < 1e-12, "{value}");
            assert!((round_below(value * 1e-5) / (expected * 1e-5) - 1.0).abs() < 1e-9, "{value}e-5");
        }
    }
}
