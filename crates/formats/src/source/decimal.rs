//! Numbers with decimal commas.

use std::fmt;
use std::str::FromStr;

use crate::did_you_mean::shortened;
use crate::error::Error;

/// The decimal mark of the numbers in a table of text.
///
/// ```
/// # use roundel_formats as roundel;
/// use roundel::io::DecimalMark;
///
/// assert_eq!(",".parse::<DecimalMark>()?, DecimalMark::Comma);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecimalMark {
    /// As in `1234.5`.
    #[default]
    Point,
    /// As in `1234,5` and `1.234,5`.
    Comma,
}

impl DecimalMark {
    /// Both marks.
    pub const ALL: [Self; 2] = [Self::Point, Self::Comma];

    /// The mark as text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => ".",
            Self::Comma => ",",
        }
    }
}

impl fmt::Display for DecimalMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DecimalMark {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|mark| mark.name() == text)
            .ok_or_else(|| Error::setting("decimal", format!("must be . or a comma, got {:?}", shortened(text))))
    }
}

/// A number with a decimal comma or with points between thousands, in the usual notation; `None` for any other text.
pub(crate) fn with_point(field: &[u8]) -> Option<Vec<u8>> {
    let field = field.trim_ascii();
    let (sign, rest) = match field {
        [sign @ (b'-' | b'+'), rest @ ..] => (Some(*sign), rest),
        rest => (None, rest),
    };
    let end = rest.iter().position(|byte| *byte == b',').unwrap_or(rest.len());
    let (whole, fraction) = (&rest[..end], rest.get(end + 1..));
    let mut number: Vec<u8> = sign.into_iter().collect();
    let has_groups = push_whole(whole, &mut number)?;
    let Some(fraction) = fraction else {
        return has_groups.then_some(number);
    };
    let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let exponent = &fraction[digits..];
    let is_exponent = match exponent {
        [] => true,
        [b'e' | b'E', b'-' | b'+', power @ ..] | [b'e' | b'E', power @ ..] => {
            !power.is_empty() && power.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    };
    if !is_exponent || digits == 0 {
        return None;
    }
    number.push(b'.');
    number.extend_from_slice(fraction);
    Some(number)
}

/// Whether a number with a comma may be thousands, such as `1,000`.
pub(crate) fn may_be_thousands(field: &[u8]) -> bool {
    let mut groups = field.trim_ascii().split(|byte| *byte == b',');
    let first = groups.next().unwrap_or_default();
    matches!(first, [b'1'..=b'9', rest @ ..] if rest.len() < 3) && groups.all(|group| group.len() == 3)
}

/// Adds the digits before the comma; thousands may have points, blanks or apostrophes between them. Returns whether they
/// have.
fn push_whole(whole: &[u8], number: &mut Vec<u8>) -> Option<bool> {
    let text = std::str::from_utf8(whole).ok()?;
    let mut groups = text.split(['.', ' ', '\'', '\u{a0}', '\u{202f}']);
    let first = groups.next().filter(|first| !first.is_empty())?;
    let mut has_groups = false;
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(first) {
        return None;
    }
    number.extend_from_slice(first.as_bytes());
    for group in groups {
        if group.len() != 3 || !is_digits(group) || first.len() > 3 || first.starts_with('0') {
            return None;
        }
        has_groups = true;
        number.extend_from_slice(group.as_bytes());
    }
    Some(has_groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_commas_get_points_and_other_texts_stay() {
        for (text, expected) in [
            ("20,33", Some("20.33")),
            ("-0,5", Some("-0.5")),
            ("1.000,92", Some("1000.92")),
            ("10 237,65", Some("10237.65")),
            ("1.234.567", Some("1234567")),
            ("2,5E-3", Some("2.5E-3")),
            ("12", None),
            ("1.5", None),
            ("0.125", None),
            ("1,2,3", None),
            ("Smith, J", None),
            ("1,", None),
            (",5", None),
            ("1234.567,8", None),
        ] {
            let found = with_point(text.as_bytes()).map(|found| String::from_utf8(found).expect("digits"));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        assert!(["1,000", "12,345", "1,234,567"].iter().all(|text| may_be_thousands(text.as_bytes())));
        assert!(["0,125", "1,5", "1234,567", "1,2345"].iter().all(|text| !may_be_thousands(text.as_bytes())));
    }
}
