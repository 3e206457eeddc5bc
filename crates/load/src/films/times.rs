//! Films of a table, whose rows have times: the moments that its frames show, and the opacity of every row at each.

use std::cell::Cell;
use std::path::Path;

use crate::calendar::DatePrecision;
use crate::data::Kind;
use crate::dataset::option_requests;
use crate::error::{Error, Result};
use crate::formats::reading::Reading;
use crate::formats::request::{ColumnChoice, FrameRequest};
use crate::formats::wanted::{Axes, Header, ValueRule, Wanted};
use crate::formats::{format_wanted, read as read_format};
use crate::memory_quota::Quota;
use crate::options::figure::time_written;
use crate::options::load_options::LoadOptions;
use crate::rows::column_plan::field_named;
use crate::source::input::Input;

/// The most different times that each get a frame.
const MOST_TIMES: usize = 1000;

/// Frames of a table with more times, evenly spaced over their range.
const EVEN_FRAMES: u32 = 250;

/// Steps in which rows fade.
const FADE_STEPS: u32 = 8;

/// The times of a table's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeColumn {
    name: String,
    times: Times,
    /// Rows without a time.
    missing: usize,
    /// How long a row is shown in full, and how long it fades after that, in the column's unit.
    window: Option<f64>,
    fade: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum Times {
    /// Different numbers in order, how many rows are up to each, and the times of frames. For dates, which are in seconds,
    /// with their precision.
    Numbers { times: Vec<f64>, rows: Vec<usize>, frames: Vec<f64>, dates: Option<DatePrecision> },
    /// Different names in order; each is a frame. The share of the rows that the most frequent one has.
    Names(Vec<String>, f64),
}

impl TimeColumn {
    /// Reads the times of a table.
    ///
    /// # Errors
    /// If there is no such column or it is empty, a span is not positive, or a span is given for names.
    pub fn read(
        path: &Path,
        options: &LoadOptions,
        name: &str,
        window: Option<f64>,
        fade: Option<f64>,
    ) -> Result<Self> {
        for (option, span) in [("time_window", window), ("time_fade", fade)] {
            if let Some(span) = span.filter(|span| !(*span > 0.0 && span.is_finite())) {
                return Err(Error::setting(
                    option,
                    format!("must be above 0, in the unit of {name}, seconds for dates, got {span}"),
                ));
            }
        }
        let (times, missing) = times(path, options, name)?;
        if matches!(times, Times::Names(..)) && (window.is_some() || fade.is_some()) {
            let option = if window.is_some() { "time_window" } else { "time_fade" };
            return Err(Error::setting(option, format!("is for times that are numbers; {name} has names")));
        }
        Ok(Self { name: name.to_owned(), times, missing, window, fade: fade.unwrap_or(0.0) })
    }

    /// The note on rows that no frame shows.
    pub fn note(&self) -> Option<String> {
        let Self { name, missing, .. } = self;
        match missing {
            0 => None,
            1 => Some(format!("1 row has no time in {name} and is in no frame")),
            _ => Some(format!("{missing} rows have no time in {name} and are in no frame")),
        }
    }

    /// The number of frames.
    pub fn frames(&self) -> u64 {
        let count = match &self.times {
            Times::Numbers { frames, .. } => frames.len(),
            Times::Names(names, _) => names.len(),
        };
        count as u64
    }

    /// The text that says when a frame is.
    pub fn stamp(&self, frame: u64) -> String {
        match &self.times {
            Times::Numbers { frames, dates: Some(precision), .. } => precision.written(frames[index(frame)]),
            Times::Numbers { frames, .. } => format!("{} {}", self.name, time_written(frames[index(frame)])),
            Times::Names(names, _) => names[index(frame)].clone(),
        }
    }

    /// The times between which rows are shown in full in a frame.
    fn whole(&self, frames: &[f64], index: usize) -> [f64; 2] {
        let now = frames[index];
        let first = match self.window {
            Some(window) => now - window,
            None => index.checked_sub(1).map_or(f64::NEG_INFINITY, |before| frames[before]),
        };
        [first, now]
    }

    /// The largest share of the rows that one frame shows.
    pub fn largest_share(&self) -> f64 {
        let (times, rows, frames) = match &self.times {
            Times::Numbers { times, rows, frames, .. } => (times, rows, frames),
            Times::Names(_, share) => return *share,
        };
        let up_to =
            |time: f64| times.partition_point(|known| *known <= time).checked_sub(1).map_or(0, |last| rows[last]);
        let shown = (0..frames.len()).map(|index| {
            let [first, now] = self.whole(frames, index);
            up_to(now) - up_to(first - self.fade)
        });
        shown.max().unwrap_or(0) as f64 / rows.last().copied().unwrap_or(1).max(1) as f64
    }

    /// Returns selections of rows and their opacities in a frame: 0 for hidden rows, a share of `alpha` for fading rows.
    /// Rows shown in full, of opacity `alpha`, are in none.
    pub fn opacities(&self, frame: u64, alpha: f32) -> Vec<(Option<String>, f32)> {
        let quote = if self.name.contains('\'') { '"' } else { '\'' };
        let column = format!("{quote}{}{quote}", self.name);
        let (times, frames) = match &self.times {
            Times::Numbers { times, frames, .. } => (times, frames),
            Times::Names(names, _) => {
                let name = &names[index(frame)];
                let quote = if name.contains('\'') { '"' } else { '\'' };
                return vec![(Some(format!("not {column} {quote}{name}{quote}")), 0.0)];
            }
        };
        // rows after the first of two times, and up to the second
        let between = |from: f64, to: f64| {
            let first = times.partition_point(|time| *time <= from);
            let end = times.partition_point(|time| *time <= to);
            (first < end).then(|| format!("{column} {}:{}", times[first], times[end - 1]))
        };
        let [full, now] = self.whole(frames, index(frame));
        let shown = between(full - self.fade, now).map_or_else(|| "all".to_owned(), |rows| format!("not {rows}"));
        let mut opacities = vec![(Some(shown), 0.0)];
        for step in 0..if self.fade > 0.0 { FADE_STEPS } else { 0 } {
            let age = |step: u32| full - self.fade * f64::from(step) / f64::from(FADE_STEPS);
            let left = (f64::from(FADE_STEPS - step) - 0.5) / f64::from(FADE_STEPS);
            if let Some(rows) = between(age(step + 1), age(step)) {
                #[expect(clippy::cast_possible_truncation, reason = "a share")]
                opacities.push((Some(rows), alpha * left as f32));
            }
        }
        opacities
    }
}

fn index(frame: u64) -> usize {
    usize::try_from(frame).unwrap_or(usize::MAX)
}

/// The different times of a table, in order, and the number of rows without one.
fn times(path: &Path, options: &LoadOptions, name: &str) -> Result<(Times, usize)> {
    let quota = Quota::new(options.budget);
    let input = Input::open(path, quota)?;
    let format = format_wanted(&input, options.format, options.raw.as_ref())?;
    let file = input.name.clone();
    let kind = Cell::new(Kind::F64);
    let choose = |header: &Header| {
        let field = field_named(header, name).ok_or_else(|| {
            let names = crate::did_you_mean::list(header.names());
            Error::setting("time", format!("must be a column of {file}, which has {names}, got {name:?}"))
        })?;
        kind.set(header.fields[field].kind);
        let mut wanted = Wanted::only(Axes::None);
        wanted.column(field, if kind.get() == Kind::Name { Kind::Name } else { Kind::F64 }, ValueRule::Any);
        Ok(ColumnChoice { wanted, painter: None, names: None })
    };
    let mut reading = Reading::table(&file, FrameRequest::default(), quota, choose);
    reading.hints = option_requests::hints(&input, format, options)?;
    read_format(format, input, &mut reading)?;
    let table = reading.finish().table;
    let none = || Error::setting("time", format!("must be a column with times, and {name} of {file} has none"));
    if kind.get() == Kind::Name {
        let mut names: Vec<String> = table.columns[0].names.iter().map(str::to_owned).collect();
        names.retain(|name| !name.is_empty());
        names.sort_unstable();
        let mut counts = vec![0_usize; table.columns[0].names.iter().count()];
        table.codes(0).flatten().for_each(|code| counts[code as usize] += 1);
        let most = counts.into_iter().max().unwrap_or(0) as f64 / table.rows().max(1) as f64;
        let empty: Vec<bool> = table.columns[0].names.iter().map(str::is_empty).collect();
        let is_missing = |code: Option<u32>| code.is_none_or(|code| empty[code as usize]);
        let missing = table.codes(0).filter(|code| is_missing(*code)).count();
        return if names.is_empty() { Err(none()) } else { Ok((Times::Names(names, most), missing)) };
    }
    let mut times: Vec<f64> = table.numbers(0).filter(|time| time.is_finite()).collect();
    let missing = table.rows() - times.len();
    times.sort_unstable_by(f64::total_cmp);
    let all = times.clone();
    times.dedup();
    let rows = times.iter().map(|time| all.partition_point(|other| other <= time)).collect();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Err(none()) };
    let frames: Vec<f64> = if times.len() <= MOST_TIMES {
        times.clone()
    } else {
        let step = (last - first) / f64::from(EVEN_FRAMES);
        (1..EVEN_FRAMES).map(|frame| first + step * f64::from(frame)).chain([*last]).collect()
    };
    let dates = (kind.get() == Kind::Time).then(|| DatePrecision::of(times.iter().copied()));
    Ok((Times::Numbers { times, rows, frames, dates }, missing))
}
