//! One-line summaries of columns: the range of numbers, or names and how often each occurs.

use std::collections::BTreeMap;

use super::values::Values;

#[derive(Clone, Debug, PartialEq)]
pub enum Summary {
    /// The least and the greatest number, and how many are missing; least > greatest if all are.
    Numbers { least: f64, greatest: f64, missing: u64 },
    /// Each different name, and how many rows have it.
    Names(BTreeMap<Box<str>, u64>),
    /// More different names than are counted.
    ManyNames,
    /// Colours written out.
    Colors,
}

impl Summary {
    /// The most different names that are counted.
    const MOST: usize = 1 << 16;

    /// Summarizes some rows; their indices refer to `names`.
    pub(crate) fn of(values: &Values<'_>, names: &[Box<str>]) -> Self {
        match values {
            Values::Names(codes) => {
                let mut counts = vec![0_u64; names.len()];
                codes.iter().for_each(|&code| counts[code as usize] += 1);
                let present = names.iter().zip(counts).filter(|(_, count)| *count > 0);
                Self::Names(present.map(|(name, count)| (name.clone(), count)).collect()).limited()
            }
            Values::Colors(_) => Self::Colors,
            _ => {
                let (mut least, mut greatest, mut missing) = (f64::INFINITY, f64::NEG_INFINITY, 0);
                for value in values.numbers() {
                    missing += u64::from(value.is_nan());
                    // comparisons with NaN are false
                    least = if value < least { value } else { least };
                    greatest = if value > greatest { value } else { greatest };
                }
                Self::Numbers { least, greatest, missing }
            }
        }
    }

    #[must_use]
    pub(crate) fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Numbers { least, greatest, missing }, Self::Numbers { least: l, greatest: g, missing: m }) => {
                Self::Numbers { least: least.min(l), greatest: greatest.max(g), missing: missing + m }
            }
            (Self::Names(mut counts), Self::Names(more)) => {
                more.into_iter().for_each(|(name, count)| *counts.entry(name).or_default() += count);
                Self::Names(counts).limited()
            }
            (Self::Colors, Self::Colors) => Self::Colors,
            _ => Self::ManyNames,
        }
    }

    fn limited(self) -> Self {
        match self {
            Self::Names(counts) if counts.len() > Self::MOST => Self::ManyNames,
            other => other,
        }
    }
}

/// The least and the greatest number, without missing ones; 0 and 0 if there are none.
pub fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let present = values.filter(|value| !value.is_nan()).map(|value| (value, value));
    present.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default()
}

/// The position of a value between least (0) and greatest (1); 0.5 when they are the same.
#[inline]
pub fn share(value: f64, least: f64, most: f64) -> f64 {
    // halves, which are exact, because the distance of ±1e308 is no f64
    if most > least { ((0.5 * value - 0.5 * least) / (0.5 * most - 0.5 * least)).clamp(0.0, 1.0) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_of_parts_is_that_of_the_whole() {
        let values = [3.0, f64::NAN, -1.0, 7.5, f64::NAN];
        let of = |values: &[f64]| Summary::of(&Values::F64(values.to_vec().into()), &[]);
        assert_eq!(of(&values), Summary::Numbers { least: -1.0, greatest: 7.5, missing: 2 });
        for middle in 0..=values.len() {
            assert_eq!(of(&values[..middle]).with(of(&values[middle..])), of(&values));
        }
        let names: Vec<Box<str>> = vec!["A".into(), "B".into()];
        let of = |codes: &[u32]| Summary::of(&Values::Names(codes.to_vec().into()), &names);
        let both = [("A".into(), 2), ("B".into(), 1)];
        assert_eq!(of(&[0]).with(of(&[1, 0])), Summary::Names(both.into_iter().collect()));
        assert_eq!(of(&[0]).with(of(&[])), of(&[0]), "names without rows do not count");
    }

    #[test]
    fn extremes_leave_missing_numbers_out() {
        assert_eq!(extremes([2.0, f64::NAN, -3.0].into_iter()), (-3.0, 2.0));
        assert_eq!(extremes([f64::NAN].into_iter()), (0.0, 0.0));
        assert_eq!((share(5.0, 0.0, 10.0), share(-1.0, 0.0, 10.0), share(3.0, 3.0, 3.0)), (0.5, 0.0, 0.5));
        assert_eq!(share(0.0, -1e308, 1e308), 0.5);
    }
}
