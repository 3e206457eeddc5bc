//! Notes on rows that are not drawn as the file says, and on options that do not suit them: the same for files in memory
//! and for streams.

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::calendar::written;
use crate::color::elements::Atomic;
use crate::color::{ColorRange, MISSING_NAME, Scale};
use crate::data::{Kind, NumberSource, Table};
use crate::did_you_mean::shortened;
use crate::figure::decimal;
use crate::rows::colors;
use crate::rows::colors::Colors;
use crate::rows::column_plan::{CategoryNames, Coloring, Plan};
use crate::rows::row_tally::{RowTally, element_column};

pub(crate) struct FileNotes {
    /// The name of the file, which begins each note.
    pub(crate) file: String,
    pub(crate) list: Vec<String>,
}

impl FileNotes {
    pub(crate) fn add(&mut self, note: impl Display) {
        self.list.push(format!("{}: {note}", self.file));
    }

    /// Notes rows without the numbers of their shape.
    pub(crate) fn add_shapeless(&mut self, rows: usize, numbers: &str, is_sphere: bool) {
        let (rows, have, are) =
            if rows == 1 { ("1 row".to_owned(), "has", "is") } else { (format!("{rows} rows"), "have", "are") };
        let rest = if is_sphere { ", and no arrow".to_owned() } else { format!(" and {are} left out") };
        self.add(format_args!("{rows} {have} no {numbers}{rest}"));
    }

    /// Notes rows that have no position.
    pub(crate) fn add_unplaced(&mut self, rows: u64) {
        match rows {
            0 => {}
            1 => self.add("1 row has no coordinates and is left out"),
            rows => self.add(format_args!("{rows} rows have no coordinates and are left out")),
        }
    }

    /// Notes rows that are grey because they lack something.
    fn add_missing(&mut self, missing: u64, rows: u64, what: impl Display) {
        let (have, are) = if missing == 1 { ("has", "is") } else { ("have", "are") };
        if missing > 0 {
            self.add(format_args!("{missing} of {rows} rows {have} no {what} and {are} grey"));
        }
    }

    /// Notes that an option has no effect.
    pub(crate) fn add_idle(&mut self, flag: &str, reason: &str) {
        self.add(format_args!("--{flag} changes nothing: {reason}"));
    }
}

/// The looks of all rows that are drawn.
pub(crate) struct RowLooks<'a> {
    pub(crate) plan: &'a Plan,
    /// The names of columns, with all their names; rows only where a range of colours is not given.
    pub(crate) table: &'a Table<'a>,
    pub(crate) colors: &'a Colors,
    pub(crate) tally: &'a RowTally,
}

impl RowLooks<'_> {
    /// Why an order of categories changes nothing.
    fn why_unordered(&self) -> Option<&'static str> {
        let Plan { color, categories, .. } = self.plan;
        if categories.order.is_empty() {
            return None;
        }
        let (Colors::ByName(column, ..) | Colors::ByTwoNames { columns: [column, _], .. }) = self.colors else {
            return Some("the colours are not of categories; --color-by names a column");
        };
        let names = || self.table.columns[*column].names.iter();
        let has_elements = || names().any(|name| Atomic::from_symbol(name.as_bytes()).is_some());
        if color.names() != Some(*column) || matches!(color, Coloring::Elements { .. }) && has_elements() {
            return Some("elements have colours of their own");
        }
        names().all(|name| name.parse::<usize>().is_ok()).then_some("numbers have the colours of their places")
    }

    /// Notes spheres or circles without size.
    pub(crate) fn note_sizes(&self, notes: &mut FileNotes) {
        let RowTally { rows, sizeless, .. } = self.tally;
        if *sizeless > 0 {
            let shapes = if self.plan.is_solid() { "spheres" } else { "circles" };
            notes.add(format_args!(
                "{sizeless} of {rows} {shapes} have no radius above 0: counted and framed, they draw nothing"
            ));
        }
    }

    /// Notes numbers that the default range of colours leaves out, and a given range that leaves most out.
    pub(crate) fn note_range(&self, notes: &mut FileNotes) {
        let (Coloring::Numbers { source, range, scale, .. }, Colors::Numbers { ends, .. }) =
            (&self.plan.color, self.colors)
        else {
            return;
        };
        let given = match range {
            Some(ColorRange::Numbers(given)) => Some(*given),
            None | Some(ColorRange::Around(_)) => None,
            Some(ColorRange::Percentiles(_) | ColorRange::Within { .. }) => return,
        };
        let RowTally { rows, colorless, beyond, .. } = self.tally;
        let all = rows - colorless;
        let name = shortened(colors::source_name(self.table, *source));
        let colors = "have the colours of its ends";
        let is_date = matches!(source, NumberSource::Column(column) if self.table.columns[*column].kind == Kind::Time);
        if let Some(given) = given.filter(|_| 2 * beyond > all) {
            let [least, most] = if is_date { written(given) } else { given.map(|end| end.to_string()) };
            notes.add(format_args!(
                "{beyond} of {all} numbers of {name} are outside of the range {least} to {most} and {colors}"
            ));
        } else if given.is_none() && *beyond > 0 {
            let [least, most] = [ends.least, ends.most].map(|end| scale.inverse(end));
            let [least, most] = if is_date { written([least, most]) } else { rounded([least, most]) };
            let help = if *scale == Scale::Linear && is_skewed(self.table.source_numbers(*source)) {
                "--color-scale log spreads them"
            } else {
                "--color-range p0,p100 leaves out none"
            };
            notes.add(format_args!(
                "{beyond} of {all} numbers of {name} are outside of the range {least} to {most}, which leaves out \
                 outliers, and {colors}; {help}"
            ));
        }
    }

    /// Notes the ghost atoms of quantum chemistry, which have basis functions and no nucleus.
    fn note_ghosts(&self, notes: &mut FileNotes) {
        let Some(column) = element_column(self.table) else { return };
        let names = &self.table.columns[column].names;
        let Some(ghost) = names.iter().find(|name| is_ghost(name)) else { return };
        let ghosts = names.iter().enumerate().filter(|(_, name)| is_ghost(name));
        let drawn = match ghosts.map(|(code, _)| self.tally.of_name(column, code)).sum() {
            1_u64 => "1 ghost atom, which has no nucleus, is drawn".to_owned(),
            rows => format!("{rows} ghost atoms, which have no nucleus, are drawn"),
        };
        notes.add(format_args!("{drawn}; --hide 'element {ghost}' leaves out {ghost}"));
    }

    /// Notes rows without a colour, and colours that do not tell rows apart.
    pub(crate) fn note_colors(&self, notes: &mut FileNotes) {
        self.note_ghosts(notes);
        let Self { plan, table, colors, tally } = *self;
        let (color, rows) = (&plan.color, tally.rows);
        let shared = colors::shared_colors(table, color, colors, tally);
        shared.into_iter().for_each(|shared| notes.add(shared));
        if let Coloring::Numbers { source, scale, .. } = *color {
            let name = shortened(colors::source_name(table, source));
            let wanted = match scale {
                Scale::Linear => "number",
                Scale::Sqrt => "number of 0 or more",
                Scale::Log => "number above 0",
            };
            if tally.colorless == rows && rows > 0 {
                notes.add(format_args!("{name} has no {wanted} for what is drawn, which is grey"));
            } else {
                notes.add_missing(tally.colorless, rows, format_args!("{wanted} in {name}"));
            }
        } else {
            notes.add_missing(tally.colorless, rows, "colour");
        }
        if let Coloring::Channels { channels, .. } = color {
            let [red, green, blue] = channels.map(|column| shortened(&table.columns[column].name));
            match colors {
                Colors::Channels { full: [full, _], .. } => notes.add(format_args!(
                    "{red}, {green} and {blue} are colours from 0 to {full}; --color-by constant draws one"
                )),
                _ => notes.add(format_args!(
                    "{red}, {green} and {blue} are no colours: these go from 0 to 1, to 255 or to 65535"
                )),
            }
        }
        if let Colors::ByName(column, ..) = colors {
            let name = shortened(&table.columns[*column].name);
            notes.add_missing(colors.missing_categories(tally), rows, format_args!("category in {name}"));
        }
        if let Some(reason) = self.why_unordered() {
            notes.add_idle("categories", reason);
        }
        if let Colors::ByName(column, ..) | Colors::ByTwoNames { columns: [column, _], .. } = colors {
            let CategoryNames { order, listed } = &plan.categories;
            let names: BTreeSet<&str> = table.columns[*column].names.iter().collect();
            let is_unknown = |name: &&String| !names.contains(name.as_str()) && *name != MISSING_NAME;
            if let Some(unknown) = listed.iter().find(is_unknown) {
                let help = "--categories gives it a colour";
                notes.add(format_args!("the legend lists no {unknown}, which no row has; {help}"));
            }
            if let Some((name, other)) = colors::misspelt(table, *column, order, tally) {
                notes.add(format_args!("no row has {name:?} of --categories; did you mean {other:?}?"));
            }
        }
    }
}

/// The ends of a range as text, rounded to a thousandth of it.
fn rounded([least, most]: [f64; 2]) -> [String; 2] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 300")]
    let decimals = (3.0 - libm::floor(libm::log10(most - least))).clamp(0.0, 300.0) as usize;
    [least, most].map(|end| decimal(format!("{end:.decimals$}").parse().unwrap_or(end)))
}

/// Whether a name of an element is that of a ghost atom: `Bq`, with a number or an element behind it, or `Gh`.
fn is_ghost(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.trim_start_matches("x-").trim_start_matches('@');
    name == "gh" || name.strip_prefix("bq").is_some_and(|rest| rest.len() <= 3)
}

/// Whether the finite numbers, of which there is one, are positive and most of them are close to the least.
fn is_skewed(mut numbers: Vec<f64>) -> bool {
    /// The median is this many times closer to the least than to the greatest number.
    const CLOSER: f64 = 10.0;
    numbers.retain(|number| number.is_finite());
    let middle = numbers.len() / 2;
    let (_, median, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    let median = *median;
    let [least, most] =
        numbers.iter().fold([f64::INFINITY, 0.0_f64], |[least, most], number| [least.min(*number), most.max(*number)]);
    least > 0.0 && most - median > CLOSER * (median - least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_ranges_have_no_more_digits_than_tell_them_apart() {
        assert_eq!(rounded([27.045_999_679_565_4, 115.7]), ["27.05", "115.7"]);
        assert_eq!(rounded([0.089_161_426_637_307_7, 0.110_354_564_925_969]), ["0.08916", "0.11035"]);
        assert_eq!(rounded([0.0, 39.0]), ["0", "39"]);
        assert_eq!(rounded([-12_345_678.9, 5e20]), ["-12345679", "5e20"]);
        assert_eq!(rounded([7.25, 7.25]), ["7.25", "7.25"], "without a span");
        assert_eq!(rounded([1e-300, 2e-300]), ["1e-300", "2e-300"]);
    }
}
