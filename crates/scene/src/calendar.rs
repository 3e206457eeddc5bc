//! Dates of the Gregorian calendar as seconds since 1970-01-01 UTC, and their texts.

/// Seconds of a day.
pub const DAY: f64 = 86_400.0;

/// Seconds beyond which numbers are no dates: about 300 000 years.
const MOST: f64 = 1e13;

/// The parts of a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    pub year: i64,
    /// From 1.
    pub month: i64,
    /// Of the month, from 1.
    pub day: i64,
    /// Whole seconds since midnight.
    pub second: i64,
    /// Millionths of a second.
    pub micros: i64,
}

impl Moment {
    /// The parts of a number of seconds, to the nearest millionth; `None` for numbers that are no dates.
    pub fn of(seconds: f64) -> Option<Self> {
        if seconds.is_nan() || seconds.abs() >= MOST {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most 1e13")]
        let (mut whole, mut micros) = (seconds.floor() as i64, libm::round((seconds - seconds.floor()) * 1e6) as i64);
        (whole, micros) = (whole + micros / 1_000_000, micros % 1_000_000);
        let [year, month, day] = civil(whole.div_euclid(86_400));
        Some(Self { year, month, day, second: whole.rem_euclid(86_400), micros })
    }

    /// The time of the day with these parts, such as `12:00`.
    pub fn time(&self, precision: DatePrecision) -> String {
        let (hour, minute, second) = (self.second / 3600, self.second / 60 % 60, self.second % 60);
        match precision {
            DatePrecision::Day | DatePrecision::Minute => format!("{hour:02}:{minute:02}"),
            DatePrecision::Second => format!("{hour:02}:{minute:02}:{second:02}"),
            DatePrecision::Fraction => {
                let micros = format!("{:06}", self.micros);
                let fraction = micros.trim_end_matches('0');
                format!("{hour:02}:{minute:02}:{second:02}.{}", if fraction.is_empty() { "0" } else { fraction })
            }
        }
    }
}

/// The least part of a date that a text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DatePrecision {
    Day,
    Minute,
    Second,
    /// Up to six decimals of a second.
    Fraction,
}

impl DatePrecision {
    /// The precision that tells these dates apart from others.
    pub fn of(dates: impl IntoIterator<Item = f64>) -> Self {
        let own = |Moment { second, micros, .. }: Moment| match (second, micros) {
            (0, 0) => Self::Day,
            (second, 0) if second % 60 == 0 => Self::Minute,
            (_, 0) => Self::Second,
            _ => Self::Fraction,
        };
        dates.into_iter().filter_map(Moment::of).map(own).max().unwrap_or(Self::Day)
    }

    /// A date as text of ISO 8601, with a blank before the time: `2024-01-31 12:00`.
    pub fn written(self, seconds: f64) -> String {
        let Some(moment) = Moment::of(seconds) else { return seconds.to_string() };
        let Moment { year, month, day, .. } = moment;
        let date = format!("{year:04}-{month:02}-{day:02}");
        if self == Self::Day { date } else { format!("{date} {}", moment.time(self)) }
    }
}

/// Dates as texts of one precision.
pub fn written<const N: usize>(dates: [f64; N]) -> [String; N] {
    let precision = DatePrecision::of(dates);
    dates.map(|date| precision.written(date))
}

/// Days from 1970-01-01 to a date.
///
/// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013: years begin in March, eras have 400 years.
pub fn days([year, month, day]: [i64; 3]) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The year, month and day that are so many days after 1970-01-01, the inverse of [`days`].
fn civil(days: i64) -> [i64; 3] {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * years + years / 4 - years / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    [years + era * 400 + i64::from(month <= 2), month, day]
}

/// The number of days of a month.
pub fn month_days(year: i64, month: i64) -> i64 {
    let next = if month == 12 { [year + 1, 1, 1] } else { [year, month + 1, 1] };
    days(next) - days([year, month, 1])
}

/// The seconds of the start of a day.
pub fn midnight(date: [i64; 3]) -> f64 {
    days(date) as f64 * DAY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_each_other_for_eight_hundred_years() {
        let mut date = [1599, 12, 31];
        for day in days(date) + 1..=days([2400, 1, 1]) {
            let [year, month, last] = date;
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            let index = usize::try_from(month - 1).expect("a month");
            date = match (last < length[index], month) {
                (true, _) => [year, month, last + 1],
                (false, 12) => [year + 1, 1, 1],
                (false, _) => [year, month + 1, 1],
            };
            assert_eq!((civil(day), days(date)), (date, day));
            assert_eq!(month_days(year, month), length[index]);
        }
        assert_eq!((days([1970, 1, 1]), days([2024, 2, 29]), civil(-1)), (0, 19_782, [1969, 12, 31]));
    }

    #[test]
    fn texts_have_the_precision_that_the_dates_need() {
        let noon = 1_706_702_400.0;
        assert_eq!(written([noon - 43_200.0, 0.0]), ["2024-01-31", "1970-01-01"]);
        assert_eq!(written([noon, -86_400.0]), ["2024-01-31 12:00", "1969-12-31 00:00"]);
        assert_eq!(written([noon + 1.0]), ["2024-01-31 12:00:01"]);
        assert_eq!(written([noon + 0.25, noon]), ["2024-01-31 12:00:00.25", "2024-01-31 12:00:00.0"]);
        assert_eq!(written([noon + 0.999_999_9]), ["2024-01-31 12:00:01"]);
        assert_eq!(written([f64::NAN, 1e300]), ["NaN".to_owned(), 1e300_f64.to_string()]);
    }
}
