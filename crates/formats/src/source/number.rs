//! Numbers in text, correctly rounded.

use crate::color::MISSING_NAME;
use crate::data::Values;

/// Parses a number, with blanks around it allowed.
pub fn number(field: &[u8]) -> Option<f64> {
    let text = field.trim_ascii();
    let plain = plain(text).filter(|&(_, length)| length == text.len());
    plain.map(|(value, _)| value).or_else(|| fast_float2::parse(text).ok()).or_else(|| fortran(text))
}

/// A number with the exponent of Fortran's double precision, such as `1.2D+00`; the digits have a point, or the exponent
/// a sign, so that labels such as `2D1` are none.
#[cold]
fn fortran(text: &[u8]) -> Option<f64> {
    let at = text.iter().position(|byte| matches!(byte, b'd' | b'D'))?;
    let is_told = text[..at].contains(&b'.') || matches!(text.get(at + 1), Some(b'+' | b'-'));
    if !is_told || !text[..at].iter().any(u8::is_ascii_digit) || text.len() > 64 {
        return None;
    }
    let mut usual = text.to_vec();
    usual[at] = b'e';
    fast_float2::parse(&usual).ok()
}

/// Parses a whole number, with blanks around it allowed; `3.0` is accepted.
pub(crate) fn integer(field: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(field.trim_ascii()).ok()?;
    text.parse().ok().filter(|&value| value != Values::NO_INTEGER).or_else(|| {
        let value = number(field)?;
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
        (value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0).then_some(value as i64)
    })
}

/// The number at the start of the text, and its length in bytes.
#[inline(always)]
pub(crate) fn leading(text: &[u8]) -> Option<(f64, usize)> {
    // infinities and NaN are spelled as words
    let begins =
        text.first().is_some_and(|first| matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.' | b'i' | b'I' | b'n' | b'N'));
    if !begins {
        return None;
    }
    plain(text).or_else(|| general(text))
}

/// [`leading`] for any notation.
#[cold]
fn general(text: &[u8]) -> Option<(f64, usize)> {
    fast_float2::parse_partial(text).ok()
}

/// The most digits that are always exact in an `f64`.
const MOST_DIGITS: usize = 15;

/// Powers of ten, exact in both types.
const POWERS: [f64; MOST_DIGITS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
const WHOLE_POWERS: [u64; 16] = {
    let mut powers = [1; 16];
    let mut index = 1;
    while index < powers.len() {
        powers[index] = powers[index - 1] * 10;
        index += 1;
    }
    powers
};

/// Fast path of [`leading`] for the usual notation: at most 15 digits, perhaps with a point, and no exponent.
///
/// Source: W. D. Clinger, "How to Read Floating Point Numbers Accurately", *PLDI*, 1990: a whole number below 2⁵³ and a
/// power of ten up to 10²² are exact as `f64`, so their quotient is rounded once.
#[inline(always)]
fn plain(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let (mut at, mut whole) = digits(text, start, 0);
    let (mut count, mut fraction) = (at - start, 0);
    if count == 0 {
        return None;
    }
    if text.get(at) == Some(&b'.') {
        let point = at;
        (at, whole) = many_digits(text, point + 1, whole);
        fraction = at - point - 1;
        count += fraction;
    }
    if count > MOST_DIGITS || matches!(text.get(at), Some(b'e' | b'E')) {
        return None;
    }
    let value = whole as f64 / POWERS[fraction];
    // without a branch: signs are unpredictable
    Some((f64::from_bits(value.to_bits() | u64::from(negative) << 63), at))
}

/// Appends the digits from a place on to a number, which wraps; returns their end and the number.
#[inline(always)]
fn digits(text: &[u8], mut at: usize, mut whole: u64) -> (usize, u64) {
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        whole = whole.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (at, whole)
}

/// [`digits`] for longer runs of unpredictable length: up to 15 at once.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "halves")]
fn many_digits(text: &[u8], at: usize, whole: u64) -> (usize, u64) {
    let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<16>()) else {
        return digits(text, at, whole);
    };
    let values = u128::from_le_bytes(*bytes) ^ (ZEROS as u128) << 64 ^ ZEROS as u128;
    let first = leading_digits(values as u64);
    let count = first + if first == 8 { leading_digits((values >> 64) as u64) } else { 0 };
    if count == 16 {
        return digits(text, at, whole);
    }
    // align the digits with the end of the 16 bytes, zeros before them
    let values = values << (8 * (15 - count)) << 8;
    let part = of_eight(values as u64).wrapping_mul(100_000_000).wrapping_add(of_eight((values >> 64) as u64));
    (at + count, whole.wrapping_mul(WHOLE_POWERS[count]).wrapping_add(part))
}

/// The text `00000000`.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// The number of leading digits among eight bytes, the first byte lowest.
#[inline(always)]
fn leading_digits(bytes: u64) -> usize {
    // a byte of 10 or more sets its highest bit; carries only reach later bytes
    let others = (bytes.wrapping_add(0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080;
    (others.trailing_zeros() / 8) as usize
}

/// The number that eight digits form, each a byte from 0 to 9, the first lowest.
///
/// Source: D. Lemire, "Number Parsing at a Gigabyte per Second", *Software: Practice and Experience*, 2021, section 5:
/// neighbours are joined to pairs, pairs to fours, fours to eight.
#[inline(always)]
fn of_eight(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let first = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let second = (pairs >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    first.wrapping_add(second) >> 32
}

/// The `f32` nearest to the decimal number at the start of the text; `value` is its nearest `f64`.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
pub(crate) fn narrowed(value: f64, text: &[u8]) -> f32 {
    /// The bits of an `f64` that an `f32` lacks.
    const REST: u64 = (1 << 29) - 1;
    let nearest = value as f32;
    // rounding twice is wrong only where the first ends half-way between two f32s, or below their normal range
    if value.to_bits() & REST != 1 << 28 && (nearest.is_normal() || value == 0.0) {
        return nearest;
    }
    let has_own_exponent = text.iter().take_while(|byte| !byte.is_ascii_whitespace()).any(|byte| b"dD".contains(byte));
    if has_own_exponent {
        return nearest;
    }
    fast_float2::parse_partial(text).map_or(nearest, |(exact, _)| exact)
}

/// Whether a field states that its value is missing.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    const WORDS: [&[u8]; 15] = [
        b"", b"NA", b"<NA>", b"N/A", b"n/a", b"#N/A", b"NaT", b"NULL", b"Null", b"null", b"None", b"none", b"-", b"?",
        b".",
    ];
    WORDS.contains(&field.trim_ascii())
}

/// Whether a name in a table states that its category is missing.
pub fn is_missing_name(name: &str) -> bool {
    let is_word = |word: &&str| name.trim().eq_ignore_ascii_case(word);
    // a minus may be a sign, as of the strand of a gene
    name.trim() != "-" && is_missing(name.as_bytes()) || ["na", "nan", "none", "null", MISSING_NAME].iter().any(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, value) in [
            ("1", 1.0),
            (" -1.5 ", -1.5),
            ("+4.5", 4.5),
            (".5", 0.5),
            ("6.", 6.0),
            ("-1e1", -10.0),
            ("1E-3", 0.001),
            ("\t7\r", 7.0),
            ("1.2D+00", 1.2),
            ("-0.25d1", -2.5),
            ("3D-2", 0.03),
            ("1e999", f64::INFINITY),
        ] {
            assert_eq!(number(text.as_bytes()), Some(value), "{text}");
        }
        for text in ["", "-", "1,5", "1 5", "0x10", "one", "1e", "\u{ff11}", "2D1", "1.5dd", "D+1", "1.0D"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
        assert_eq!(["12", " -3 ", "4.0", "1e3"].map(|text| integer(text.as_bytes())), [12, -3, 4, 1000].map(Some));
        assert_eq!(["1.5", "x", "", "1e300"].map(|text| integer(text.as_bytes())), [None; 4]);
    }

    #[test]
    fn plain_numbers_are_those_of_the_general_parser() {
        let mut random = 1_u64;
        let mut below = |limit: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % limit
        };
        let mut plain_ones = 0;
        for _ in 0..200_000 {
            let sign = ["", "-", "+"][usize::try_from(below(3)).expect("small")];
            let most = 10_u64.pow(1 + u32::try_from(below(9)).expect("small"));
            let (whole, places) = (below(most), below(20));
            let fraction: String =
                (0..places).map(|_| char::from(b'0' + u8::try_from(below(10)).expect("a digit"))).collect();
            let tail = ["", ".", "e3", "E-2", ",5", " 7", "x", ",0.123456789012345678", "\n-4.25,0.5,77,12345"];
            let tail = tail[usize::try_from(below(9)).expect("small")];
            let text =
                if places > 0 { format!("{sign}{whole}.{fraction}{tail}") } else { format!("{sign}{whole}{tail}") };
            let general: Option<(f64, usize)> = fast_float2::parse_partial(text.as_bytes()).ok();
            if let Some((value, length)) = plain(text.as_bytes()) {
                plain_ones += 1;
                let exact: f64 = text[..length].parse().expect(&text);
                assert_eq!(value.to_bits(), exact.to_bits(), "{text}: std's parser is exact");
                let (expected, expected_length) = general.expect(&text);
                assert_eq!((value.to_bits(), length), (expected.to_bits(), expected_length), "{text}");
            }
            assert_eq!(
                leading(text.as_bytes()).map(|(value, _)| value.to_bits()),
                general.map(|(value, _)| value.to_bits())
            );
        }
        assert!(plain_ones > 20_000, "{plain_ones}");
        assert_eq!(plain(b"9999999999999999"), None, "more digits than are exact");
    }

    #[test]
    fn narrowed_numbers_are_the_nearest() {
        // half-way between 1 and the next f32, and a hair more: as f64 they are the same number
        let half = "1.000000059604644775390625";
        let above = "1.00000005960464477539062500000001";
        for text in [half, above, "1e-46", "0.7e-45", "1.1754943e-38", "3.4028236e38", "0", "-0.0", "0.1", "1e39"] {
            let (value, length) = leading(text.as_bytes()).expect(text);
            assert_eq!(length, text.len());
            let exact: f32 = text.parse().expect("a number");
            assert_eq!(narrowed(value, text.as_bytes()).to_bits(), exact.to_bits(), "{text}");
        }
    }

    #[test]
    fn missing_values_are_known() {
        assert!(["", "  ", "NA", "NaT", "null", "?"].into_iter().all(|text| is_missing(text.as_bytes())));
        assert!(!["0", "nan", "Na", "none of it"].into_iter().any(|text| is_missing(text.as_bytes())));
        assert!(["", "nan", "NaN", "NA", "None", "null", "<NA>"].into_iter().all(is_missing_name));
        assert!(!["0", "-", "Nancy", "no", "nan 1"].into_iter().any(is_missing_name));
    }
}
