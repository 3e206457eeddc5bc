//! Round numbers for ticks and lengths, and their text.

use crate::color::Scale;
use crate::geom::single;

/// Most digits after the point of a number that is multiplied by a power of ten, instead of all digits.
const SHORT: f64 = 3.0;

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
        return vec![(least, number_written(least))];
    }
    if scale == Scale::Log && most / least >= 10.0 {
        return decades([least, most], wanted);
    }
    let size = least.abs().max(most.abs());
    // the ends are too far apart or too close together for steps between them
    if !((most - least).is_finite() && most - least > 1e-12 * size && most - least > 1e-300) {
        return [least, most].map(|end| (end, exactly_written(end))).to_vec();
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
            let write = if is_plain(most.max(1.0 / least)) { plain } else { scientific };
            numbers.extend(values.map(|value| (value, write(value, power))));
        }
        exponent += 1.0;
    }
    numbers
}

/// The whole numbers that 64 bits hold exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number without rounding errors: whole numbers stay, numbers of 32 bits have the digits that tell them apart, and
/// others up to 15.
fn significant(value: f64) -> f64 {
    let rounded = match value {
        _ if value.fract() == 0.0 && value.abs() < EXACT => return value,
        _ if f64::from(single(value)) == value => single(value).to_string(),
        _ => format!("{value:.14e}"),
    };
    // the greatest numbers would be rounded up to infinity
    rounded.parse().ok().filter(|rounded: &f64| rounded.is_finite()).unwrap_or(value)
}

/// A number in digits alone, or with an exponent if it is very large or small, such as `1.5e-9`.
pub fn decimal(value: f64) -> String {
    /// Whole numbers below it, such as identities, have all their digits.
    const LONG: f64 = 1e19;
    if value.fract() == 0.0 && value.abs() < LONG {
        return value.to_string();
    }
    let value = significant(value);
    let is_short = value == 0.0 || (1e-4..EXACT).contains(&value.abs());
    if is_short { value.to_string() } else { format!("{value:e}") }
}

/// A single number, with no more digits than it needs.
pub(super) fn number_written(value: f64) -> String {
    exactly_written(significant(value))
}

/// A single number, with the digits that tell it from all others.
fn exactly_written(value: f64) -> String {
    // the shortest text that is read back as the number, such as 1.25e-7
    let shortest = format!("{:e}", value.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits = mantissa.len().saturating_sub(2) as f64;
    written(value, libm::pow(10.0, exponent.parse().unwrap_or(0.0) - digits), value.abs())
}

/// A number with enough digits for steps of `step`; `size` is the largest magnitude in the list.
fn written(value: f64, step: f64, size: f64) -> String {
    // a power of ten shortens large round numbers alone
    let is_plain = is_plain(size) || (1e6..1e15).contains(&size) && libm::log10(size) - last_digit(step) > SHORT + 1.0;
    if is_plain || value.abs() < 1e-9 * step { plain(value, step) } else { scientific(value, step) }
}

/// Whether numbers up to this magnitude are written without a power of ten.
fn is_plain(size: f64) -> bool {
    (1e-3..1e6).contains(&size)
}

/// The power of ten of the last digit that steps of this size need.
fn last_digit(step: f64) -> f64 {
    libm::floor(libm::log10(step.abs().max(f64::MIN_POSITIVE)) + 1e-9)
}

fn plain(value: f64, step: f64) -> String {
    if value.abs() < 1e-9 * step {
        return "0".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 17")]
    let decimals = (-last_digit(step)).clamp(0.0, 17.0) as usize;
    signed(&format!("{:.decimals$}", value.abs()), value)
}

fn scientific(value: f64, step: f64) -> String {
    let exponent = libm::floor(libm::log10(value.abs()) + 1e-12);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 17")]
    let decimals = (exponent - last_digit(step)).clamp(0.0, 17.0) as usize;
    let text = format!("{:.decimals$e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let raised: String = exponent.chars().map(superscript).collect();
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
    use std::collections::BTreeSet;

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
    fn ticks_of_narrow_ranges_have_the_digits_of_their_steps() {
        // ids, Julian days, metres of UTM, seconds since 1970, and small numbers
        assert_eq!(
            texts([10_000_001.0, 10_000_009.0], Scale::Linear),
            ["10000002", "10000004", "10000006", "10000008"]
        );
        assert_eq!(
            texts([2_460_000.51, 2_460_002.5], Scale::Linear),
            ["2460001.0", "2460001.5", "2460002.0", "2460002.5"]
        );
        assert_eq!(
            texts([4_649_776.5, 4_649_800.0], Scale::Linear),
            ["4649780", "4649785", "4649790", "4649795", "4649800"]
        );
        assert_eq!(texts([1.7e9, 1.7e9 + 30.0], Scale::Log)[1], "1700000005");
        assert_eq!(texts([1.000_000_01e-9, 1.000_000_09e-9], Scale::Linear)[0], "1.00000002×10⁻⁹");
        assert_eq!(texts([-1e12 - 0.5, -1e12], Scale::Linear)[0], "−1000000000000.5");
        assert_eq!(texts([1e17, 1e17 + 16.0], Scale::Linear), ["10¹⁷", "1.0000000000000002×10¹⁷"]);
        for size in [1.0, 1e3, 1e6, 1e9, 1e14, 1e15, 1e-3, 1e-6, 1e-30] {
            for span in [1e-2, 1e-4, 1e-7, 1e-10] {
                let found = texts([size, size * (1.0 + span)], Scale::Linear);
                let distinct: BTreeSet<&String> = found.iter().collect();
                assert!(distinct.len() == found.len() && found.len() > 1, "{size} {span}: {found:?}");
            }
        }
    }

    #[test]
    fn single_numbers_have_all_their_digits() {
        for (value, expected) in [
            (10_000_001.0, "10000001"),
            (2_460_000.51, "2460000.51"),
            (f64::from(0.3_f32), "0.3"),
            (0.1 + 0.2, "0.3"),
            (1.000_000_01e-9, "1.00000001×10⁻⁹"),
            (-7.0, "−7"),
            (3.0e6, "3×10⁶"),
            (f64::MAX, "1.7976931348623157×10³⁰⁸"),
        ] {
            assert_eq!(number_written(value), expected);
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
            assert_eq!(number_written(value), expected);
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
