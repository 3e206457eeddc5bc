//! Serial numbers of atoms in PDB files: five digits, which go on in letters (hybrid-36) or in hexadecimal digits.

use super::pdb::{field, is_atom};
use crate::source::pieces::lines;

/// Parses a whole number of `width` columns; larger numbers have letters as digits (hybrid-36).
///
/// Source: R. W. Grosse-Kunstleve, "Hybrid-36", cci.lbl.gov/hybrid_36.
pub(super) fn hybrid36(text: &[u8], width: usize) -> Option<i64> {
    let digits = std::str::from_utf8(text).ok()?;
    let (first, width) = (*text.first()?, u32::try_from(width).ok()?);
    if !first.is_ascii_alphabetic() {
        return digits.parse().ok();
    }
    if text.len() != width as usize {
        return None;
    }
    let is_lower = first.is_ascii_lowercase();
    let same_case = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_lowercase() == is_lower;
    let value = i64::from_str_radix(digits, 36).ok().filter(|_| text.iter().all(same_case))?;
    let block = 36_i64.pow(width - 1);
    let offset = if is_lower { 16 * block } else { -10 * block };
    Some(value + offset + 10_i64.pow(width))
}

/// The serial numbers of the atoms of a piece. Beyond 99999, some programs go on in hexadecimal digits.
pub(super) struct Serials {
    is_hexadecimal: bool,
}

impl Serials {
    /// Finds out how the piece begins: as its first number does that can be written in one way only.
    pub(super) fn new(piece: &[u8]) -> Self {
        let telling = lines(piece).filter(|(_, line)| is_atom(line)).find_map(|(_, line)| tells(serial_field(line)));
        Self { is_hexadecimal: telling == Some(SerialDigits::Hexadecimal) }
    }

    /// The number of the next atom.
    pub(super) fn next(&mut self, line: &[u8]) -> Option<i64> {
        let text = serial_field(line);
        match tells(text) {
            Some(digits) if text != LAST_DECIMAL => self.is_hexadecimal = digits == SerialDigits::Hexadecimal,
            _ => {}
        }
        if self.is_hexadecimal { hexadecimal(text) } else { None }.or_else(|| hybrid36(text, 5))
    }
}

/// The greatest serial number of five decimal digits.
const MOST_SERIAL: i64 = 99_999;

/// Its text: the numbers before it are decimal.
const LAST_DECIMAL: &[u8] = b"99999";

/// The digits of serial numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SerialDigits {
    Decimal,
    Hexadecimal,
}

fn serial_field(line: &[u8]) -> &[u8] {
    field(line, 6, 11).unwrap_or_default().trim_ascii()
}

/// The digits of a serial number, unless it can be read in both ways.
fn tells(text: &[u8]) -> Option<SerialDigits> {
    match text {
        _ if text.len() < 5 || text == LAST_DECIMAL => Some(SerialDigits::Decimal),
        [b'1'..=b'9', ..] if text.iter().any(u8::is_ascii_alphabetic) => {
            hexadecimal(text).map(|_| SerialDigits::Hexadecimal)
        }
        _ => None,
    }
}

/// Parses five hexadecimal digits that are a number beyond 99999.
fn hexadecimal(text: &[u8]) -> Option<i64> {
    let digits = std::str::from_utf8(text).ok().filter(|text| text.len() == 5 && !text.starts_with(['+', '-']))?;
    i64::from_str_radix(digits, 16).ok().filter(|number| *number > MOST_SERIAL)
}

/// Parses a serial number of a bond, in hybrid-36 or in base 16: five digits may be either, and the number nearer to `near`,
/// another atom's, is taken.
pub(super) fn serial_near(text: &[u8], near: i64) -> Option<i64> {
    let is_nearer =
        |number: i64, other: Option<i64>| other.is_none_or(|other| number.abs_diff(near) < other.abs_diff(near));
    let usual = hybrid36(text, 5);
    hexadecimal(text).filter(|number| is_nearer(*number, usual)).or(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hybrid36_counts_on_past_the_digits() {
        for (text, width, value) in [
            ("-999", 4, Some(-999)),
            ("9999", 4, Some(9999)),
            ("A000", 4, Some(10_000)),
            ("A001", 4, Some(10_001)),
            ("ZZZZ", 4, Some(1_223_055)),
            ("a000", 4, Some(1_223_056)),
            ("zzzz", 4, Some(2_436_111)),
            ("A0000", 5, Some(100_000)),
            ("ZZZZZ", 5, Some(43_770_015)),
            ("a0000", 5, Some(43_770_016)),
            ("zzzzz", 5, Some(87_440_031)),
            ("A00", 4, None),
            ("A0a0", 4, None),
            ("****", 4, None),
            ("", 4, None),
        ] {
            assert_eq!(hybrid36(text.as_bytes(), width), value, "{text}");
        }
    }

    #[test]
    fn serial_numbers_go_on_in_hexadecimal_digits() {
        let numbers = |texts: &[&str]| {
            let piece: String = texts.iter().map(|text| format!("ATOM  {text:>5}  CA  ALA A   1\n")).collect();
            let mut serials = Serials::new(piece.as_bytes());
            lines(piece.as_bytes()).map(|(_, line)| serials.next(line)).collect::<Vec<_>>()
        };
        let some = |numbers: &[i64]| numbers.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(
            numbers(&["99998", "99999", "186a0", "186a1", "18700"]),
            some(&[99_998, 99_999, 100_000, 100_001, 100_096])
        );
        assert_eq!(numbers(&["18700", "1870a"]), some(&[100_096, 100_106]), "a piece may begin with digits alone");
        assert_eq!(numbers(&["18700", "18701", "    9"]), some(&[18_700, 18_701, 9]));
        assert_eq!(numbers(&["18700", "18701"]), some(&[18_700, 18_701]));
        assert_eq!(numbers(&["99999", "A0000", "A0001"]), some(&[99_999, 100_000, 100_001]), "hybrid-36");
        assert_eq!(serial_near(b"18701", 100_096), Some(100_097));
        assert_eq!(serial_near(b"18701", 18_700), Some(18_701));
    }
}
