//! Dates in text: ISO 8601, as seconds since 1970-01-01 UTC.

use crate::calendar::{midnight, month_days};

/// Parses a date, with blanks around it allowed: `2024-01-31`, perhaps with a time such as `T12:00`, ` 12:00:30.5` or
/// `T12:00:00Z`, and perhaps an offset such as `+02:00`.
pub fn date(field: &[u8]) -> Option<f64> {
    let text = field.trim_ascii();
    leading_date(text).filter(|&(_, length)| length == text.len()).map(|(seconds, _)| seconds)
}

/// The date at the start of the text, and its length in bytes.
pub(crate) fn leading_date(text: &[u8]) -> Option<(f64, usize)> {
    let mut rest = text;
    let year = digits(&mut rest, 4)?;
    let month = part(&mut rest, b'-')?;
    let day = part(&mut rest, b'-')?;
    // longer numbers are none of a date
    let ends = |rest: &[u8]| !rest.first().is_some_and(u8::is_ascii_digit);
    if !(1..=12).contains(&month) || !(1..=month_days(year, month)).contains(&day) || !ends(rest) {
        return None;
    }
    let start = midnight([year, month, day]);
    let mut after = rest;
    match time(&mut after).filter(|_| ends(after)) {
        Some(seconds) => Some((start + seconds, text.len() - after.len())),
        None => Some((start, text.len() - rest.len())),
    }
}

/// The time of the day behind a `T` or a blank, in seconds, with the offset subtracted.
fn time(rest: &mut &[u8]) -> Option<f64> {
    let (b'T' | b't' | b' ', behind) = rest.split_first()? else { return None };
    *rest = behind;
    let hour = digits(rest, 2)?;
    let minute = part(rest, b':')?;
    let mut seconds = 0.0;
    if let Some(second) = part(rest, b':') {
        let whole = u32::try_from(second).ok().filter(|second| *second <= 60)?;
        seconds = f64::from(whole) + fraction(rest);
    }
    let is_time = hour < 24 && minute < 60 || hour == 24 && minute == 0 && seconds == 0.0;
    let offset = offset(rest)?;
    is_time.then(|| (hour * 3600 + (minute - offset) * 60) as f64 + seconds)
}

/// The digits behind a decimal point or comma, as part of a second; 0 without them.
fn fraction(rest: &mut &[u8]) -> f64 {
    let [b'.' | b',', behind @ ..] = rest else { return 0.0 };
    let length = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let part = behind[..length].iter().rev().fold(0.0, |part, digit| (part + f64::from(digit - b'0')) / 10.0);
    if length > 0 {
        *rest = &behind[length..];
    }
    part
}

/// The minutes by which a time is ahead of UTC; 0 without an offset, which counts as UTC.
fn offset(rest: &mut &[u8]) -> Option<i64> {
    let (sign, mut behind) = match rest {
        [b'Z' | b'z', behind @ ..] => {
            *rest = behind;
            return Some(0);
        }
        [b'+', behind @ ..] => (1, behind),
        [b'-', behind @ ..] => (-1, behind),
        _ => return Some(0),
    };
    let hours = digits(&mut behind, 2)?;
    let minutes = part(&mut behind, b':').or_else(|| digits(&mut behind, 2)).unwrap_or(0);
    *rest = behind;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// Two digits behind this byte; the text stays where it is without them.
fn part(rest: &mut &[u8], before: u8) -> Option<i64> {
    let (first, mut behind) = rest.split_first()?;
    let value = (*first == before).then(|| digits(&mut behind, 2))??;
    *rest = behind;
    Some(value)
}

/// A number of so many digits.
fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (digits, behind) = rest.split_at_checked(count)?;
    let value = digits
        .iter()
        .try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0')))?;
    *rest = behind;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_iso_are_seconds_since_1970() {
        let noon = 1_706_702_400.0;
        for (text, expected) in [
            ("1970-01-01", 0.0),
            (" 2024-01-31 ", noon - 43_200.0),
            ("2024-01-31 12:00", noon),
            ("2024-01-31T12:00:00Z", noon),
            ("2024-01-31t12:00:01.25", noon + 1.25),
            ("2024-01-31T12:00:01,5Z", noon + 1.5),
            ("2024-01-31T14:00+02:00", noon),
            ("2024-01-31T14:00:00+0200", noon),
            ("2024-01-31 07:30:00-04:30", noon),
            ("2024-01-30T24:00", noon - 43_200.0),
            ("1969-12-31T23:59:59", -1.0),
            ("0001-01-01", -62_135_596_800.0),
        ] {
            assert_eq!(date(text.as_bytes()), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "2024",
            "2024-01",
            "2024-1-31",
            "20240131",
            "2024-13-01",
            "2024-02-30",
            "2023-02-29",
            "2024-01-311",
            "2024-01-31x",
            "2024-01-31 12",
            "2024-01-31 12:0",
            "2024-01-31T10-02",
            "2024-01-31 25:00",
            "2024-01-31T12:60",
            "2024-01-31T12:00:61",
            "2024-01-31T12:00 CET",
            "31.01.2024",
            "-2024-01-31",
        ] {
            assert_eq!(date(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_date_ends_where_other_text_begins() {
        for (text, length) in [("2024-01-31)", 10), ("2024-01-31 12:00 and", 16), ("2024-01-31 and", 10)] {
            assert_eq!(leading_date(text.as_bytes()).map(|(_, length)| length), Some(length), "{text}");
        }
    }
}
