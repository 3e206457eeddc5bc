//! Ticks of dates at round steps: years, months, days, and times of the day.

use super::numbers::round_below;
use crate::calendar::{DAY, DatePrecision, Moment, midnight, month_days};

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The part of an axis at each end that may lie in another year or month than its name says.
const MARGIN: f64 = 0.05;

/// The mean length of a year in seconds.
const YEAR: f64 = 365.2425 * DAY;

/// The distance between ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DateStep {
    /// At most a day; a day has a whole number of them.
    Seconds(f64),
    /// Days of the month, from the first on.
    Days(i64),
    Months(i64),
    Years(i64),
}

use DateStep::{Days, Months, Seconds, Years};

/// Steps from a second to a decade.
const STEPS: [DateStep; 29] = [
    Seconds(1.0),
    Seconds(2.0),
    Seconds(5.0),
    Seconds(10.0),
    Seconds(15.0),
    Seconds(30.0),
    Seconds(60.0),
    Seconds(120.0),
    Seconds(300.0),
    Seconds(600.0),
    Seconds(900.0),
    Seconds(1800.0),
    Seconds(3600.0),
    Seconds(7200.0),
    Seconds(10_800.0),
    Seconds(21_600.0),
    Seconds(43_200.0),
    Days(1),
    Days(2),
    Days(3),
    Days(7),
    Days(14),
    Months(1),
    Months(2),
    Months(3),
    Months(6),
    Years(1),
    Years(2),
    Years(5),
];

/// Ticks of dates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DateTicks {
    /// In order, with their texts.
    pub(super) ticks: Vec<(f64, String)>,
    /// The year, month or day that all have in common and their texts leave out; perhaps empty.
    pub(super) shared: String,
}

impl DateTicks {
    /// About `wanted` round dates from the first to the last. `has_name` if [`DateTicks::shared`] is shown beside a name.
    pub(super) fn new([first, last]: [f64; 2], wanted: f64, has_name: bool) -> Self {
        let is_range = first < last && Moment::of(first).is_some() && Moment::of(last).is_some();
        let found = if is_range { round_dates(first, last, wanted) } else { None };
        let Some((step, dates)) = found else {
            let ends = if first < last { vec![first, last] } else { vec![first] };
            let precision = DatePrecision::of(ends.iter().copied());
            let ticks = ends.into_iter().map(|end| (end, precision.written(end))).collect();
            return Self { ticks, shared: String::new() };
        };
        let moments: Vec<Moment> = dates.iter().copied().filter_map(Moment::of).collect();
        // what ticks have in common is read as that of the whole axis, except for its margins
        let margin = MARGIN * (last - first);
        let ends = [first + margin, last - margin].into_iter().filter_map(Moment::of);
        let all: Vec<Moment> = ends.chain(moments.iter().copied()).collect();
        let shared = if has_name { SharedParts::of(&all, step) } else { SharedParts::default() };
        let texts = moments.iter().enumerate().map(|(index, moment)| {
            let before = index.checked_sub(1).map(|before| &moments[before]);
            step.text(moment, shared.new_parts(moment, before))
        });
        Self {
            shared: moments.first().map_or_else(String::new, |first| shared.text(first)),
            ticks: dates.iter().copied().zip(texts).collect(),
        }
    }
}

/// The longest step that gives at least two dates, of those that give few enough; none if the dates are too close.
fn round_dates(first: f64, last: f64, wanted: f64) -> Option<(DateStep, Vec<f64>)> {
    let span = last - first;
    let slack = 1e-9 * span;
    let few = |step: &DateStep| span / step.length() <= 1.5 * wanted;
    let mut steps: Vec<DateStep> = Vec::new();
    // parts of a second
    let mut part = round_below((2.6 * span / wanted).min(0.5));
    // closer dates are no longer told apart
    while part >= 1e-5 && steps.len() < 4 {
        steps.insert(0, Seconds(part));
        part = round_below(0.51 * part);
    }
    steps.extend(STEPS);
    let mut years = 10.0;
    while years <= span / YEAR {
        #[expect(clippy::cast_possible_truncation, reason = "fewer years than dates may have")]
        steps.extend([1, 2, 5].map(|factor| Years(factor * years as i64)));
        years *= 10.0;
    }
    let place = steps.iter().position(few).unwrap_or(steps.len() - 1);
    steps[..=place].iter().rev().find_map(|step| {
        let dates = step.dates(first - slack, last + slack);
        (dates.len() >= 2).then_some((*step, dates))
    })
}

impl DateStep {
    /// The mean length in seconds.
    fn length(self) -> f64 {
        match self {
            Seconds(seconds) => seconds,
            Days(days) => days as f64 * DAY,
            Months(months) => months as f64 * YEAR / 12.0,
            Years(years) => years as f64 * YEAR,
        }
    }

    /// The round dates between two.
    fn dates(self, first: f64, last: f64) -> Vec<f64> {
        let (Some(begin), Some(end)) = (Moment::of(first), Moment::of(last)) else { return Vec::new() };
        let is_inside = |date: &f64| (first..=last).contains(date);
        let months = |every: i64| {
            let months = begin.year * 12 + begin.month - 1..=end.year * 12 + end.month - 1;
            months.filter(move |month| month % every == 0).map(|month| [month.div_euclid(12), month.rem_euclid(12) + 1])
        };
        match self {
            Seconds(step) => {
                let mut index = libm::ceil(first / step);
                let mut dates = Vec::new();
                while index * step <= last {
                    dates.push(index * step);
                    index += 1.0;
                }
                dates
            }
            Days(step) => {
                let of_month = |[year, month]: [i64; 2]| {
                    let length = month_days(year, month);
                    // a last day just before the first of the next month is left out
                    let is_apart = move |day: &i64| step == 1 || 2 * (length + 1 - day) > step;
                    let days = (1..=length).filter(move |day| (day - 1) % step == 0).filter(is_apart);
                    days.map(move |day| midnight([year, month, day]))
                };
                months(1).flat_map(of_month).filter(is_inside).collect()
            }
            Months(step) => months(step).map(|[year, month]| midnight([year, month, 1])).filter(is_inside).collect(),
            Years(step) => {
                let years = (begin.year..=end.year).filter(|year| year % step == 0);
                years.map(|year| midnight([year, 1, 1])).filter(is_inside).collect()
            }
        }
    }

    /// The precision of times of the day; `None` for whole days.
    fn time(self) -> Option<DatePrecision> {
        match self {
            Seconds(60.0..) => Some(DatePrecision::Minute),
            Seconds(1.0..) => Some(DatePrecision::Second),
            Seconds(_) => Some(DatePrecision::Fraction),
            Days(_) | Months(_) | Years(_) => None,
        }
    }

    /// The text of a tick.
    fn text(self, moment: &Moment, new: NewParts) -> String {
        let Moment { year, day, .. } = *moment;
        let month = month_name(moment);
        match (self, self.time()) {
            (Years(_), _) => year.to_string(),
            (Months(_), _) => match (new.year, moment.month) {
                (true, 1) => year.to_string(),
                (true, _) => format!("{month} {year}"),
                (false, _) => month.to_owned(),
            },
            (Days(_), _) | (_, None) => match new {
                NewParts { year: true, .. } => format!("{day} {month} {year}"),
                NewParts { month: true, .. } => format!("{day} {month}"),
                NewParts { .. } => day.to_string(),
            },
            (Seconds(_), Some(precision)) => {
                let date = match new {
                    NewParts { year: true, .. } => format!("{day} {month} {year}"),
                    NewParts { day: true, .. } => format!("{day} {month}"),
                    NewParts { .. } => return moment.time(precision),
                };
                let is_midnight = moment.second == 0 && moment.micros == 0;
                if is_midnight { date } else { format!("{date} {}", moment.time(precision)) }
            }
        }
    }
}

/// The parts of a date that a text says because they are new.
#[derive(Clone, Copy, Debug)]
struct NewParts {
    year: bool,
    month: bool,
    day: bool,
}

/// The parts that all dates have in common.
#[derive(Clone, Copy, Debug, Default)]
struct SharedParts {
    year: bool,
    month: bool,
    day: bool,
}

impl SharedParts {
    fn of(moments: &[Moment], step: DateStep) -> Self {
        let Some(first) = moments.first() else { return Self::default() };
        let all = |same: &dyn Fn(&Moment) -> bool| moments.iter().all(same);
        let year = !matches!(step, Years(_)) && all(&|other| other.year == first.year);
        let month = year && !matches!(step, Months(_)) && all(&|other| other.month == first.month);
        let day = month && step.time().is_some() && all(&|other| other.day == first.day);
        // before a time, a day needs its month
        Self { year, month: if step.time().is_some() { day } else { month }, day }
    }

    fn text(self, moment: &Moment) -> String {
        let Moment { year, day, .. } = *moment;
        match self {
            Self { day: true, .. } => format!("{day} {} {year}", month_name(moment)),
            Self { month: true, .. } => format!("{} {year}", month_name(moment)),
            Self { year: true, .. } => year.to_string(),
            Self { .. } => String::new(),
        }
    }

    /// The parts that the tick before does not have, or for the first tick those that are not shared.
    fn new_parts(self, moment: &Moment, before: Option<&Moment>) -> NewParts {
        let Some(before) = before else { return NewParts { year: !self.year, month: !self.month, day: !self.day } };
        let year = moment.year != before.year;
        let month = year || moment.month != before.month;
        NewParts { year, month, day: month || moment.day != before.day }
    }
}

fn month_name(moment: &Moment) -> &'static str {
    usize::try_from(moment.month - 1).ok().and_then(|index| MONTHS.get(index)).unwrap_or(&"")
}

/// A name with what all ticks beside it have in common, such as `when (2024)`.
pub(super) fn with_shared(name: &str, shared: &str) -> String {
    if shared.is_empty() { name.to_owned() } else { format!("{name} ({shared})") }
}

/// Dates that samples show, in full.
pub(super) fn in_full(dates: &[f64]) -> Vec<String> {
    let precision = DatePrecision::of(dates.iter().copied());
    dates.iter().map(|date| precision.written(*date)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of ticks from a moment on, and what they have in common.
    fn texts(date: [i64; 3], time: f64, span: f64) -> (Vec<String>, String) {
        let first = midnight(date) + time;
        let DateTicks { ticks, shared } = DateTicks::new([first, first + span], 6.0, true);
        (ticks.into_iter().map(|(_, text)| text).collect(), shared)
    }

    #[test]
    fn ticks_are_round_at_every_span() {
        let hour = 3600.0;
        for (date, time, span, expected, shared) in [
            (
                [2024, 1, 31],
                12.0 * hour + 0.25,
                3.0,
                "12:00:00.5 12:00:01.0 12:00:01.5 12:00:02.0 12:00:02.5 12:00:03.0",
                "31 Jan 2024",
            ),
            ([2024, 1, 31], 12.0 * hour, 300.0, "12:00 12:01 12:02 12:03 12:04 12:05", "31 Jan 2024"),
            ([2024, 1, 31], 7.0 * hour, 2.0 * DAY, "31 Jan 12:00|18:00|1 Feb|06:00|12:00|18:00|2 Feb|06:00", "2024"),
            ([2024, 1, 25], 0.0, 20.0 * DAY, "25 Jan|28|1 Feb|4|7|10|13", "2024"),
            ([2024, 2, 2], 0.0, 20.0 * DAY, "4|7|10|13|16|19|22", "Feb 2024"),
            ([2023, 12, 20], 0.0, 92.0 * DAY, "1 Jan 2024|15|1 Feb|15|1 Mar|15", ""),
            ([2023, 12, 30], 0.0, 92.0 * DAY, "1 Jan|15|1 Feb|15|1 Mar|15", "2024"),
            ([2023, 11, 20], 0.0, 244.0 * DAY, "Dec 2023|2024|Feb|Mar|Apr|May|Jun|Jul", ""),
            ([2024, 1, 20], 0.0, 300.0 * DAY, "Mar May Jul Sep Nov", "2024"),
            ([2017, 3, 1], 0.0, 7.0 * YEAR, "2018 2019 2020 2021 2022 2023 2024", ""),
            ([1740, 6, 1], 0.0, 300.0 * YEAR, "1750 1800 1850 1900 1950 2000", ""),
        ] {
            let split = if expected.contains('|') { '|' } else { ' ' };
            let expected: Vec<String> = expected.split(split).map(str::to_owned).collect();
            assert_eq!(texts(date, time, span), (expected, shared.to_owned()), "{date:?} and {span} s");
        }
    }

    #[test]
    fn ticks_of_any_span_are_few_inside_and_distinct() {
        let mut span = 1e-3;
        while span < 1e12 {
            for first in [0.0, midnight([2024, 2, 28]) + 86_399.0, midnight([1899, 12, 31]), -6.2e10] {
                for has_name in [true, false] {
                    let DateTicks { ticks, .. } = DateTicks::new([first, first + span], 5.0, has_name);
                    assert!((2..=9).contains(&ticks.len()), "{first} {span}: {ticks:?}");
                    let slack = 1e-8 * span;
                    assert!(ticks.iter().all(|(date, _)| (first - slack..=first + span + slack).contains(date)));
                    assert!(ticks.windows(2).all(|pair| pair[0].1 != pair[1].1 && pair[0].0 < pair[1].0), "{ticks:?}");
                }
            }
            span *= 1.7;
        }
    }

    #[test]
    fn without_a_name_the_first_tick_says_all() {
        let first = midnight([2024, 1, 31]);
        let found = DateTicks::new([first, first + 300.0], 5.0, false);
        assert_eq!((found.ticks[0].1.as_str(), found.shared.as_str()), ("31 Jan 2024", ""));
        let one = DateTicks::new([first + 60.0, first + 60.0], 5.0, true).ticks;
        assert_eq!(one, [(first + 60.0, "2024-01-31 00:01".to_owned())]);
        assert_eq!(DateTicks::new([f64::NAN, 1.0], 5.0, true).ticks.len(), 1);
    }
}
