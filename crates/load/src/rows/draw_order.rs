//! The order in which the rows of a table are drawn as circles: later ones lie on top.

use crate::scene::generate;

/// The order that the caller asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DrawOrder {
    /// Shuffled, by this seed.
    Random(u64),
    /// By the numbers of a column: the greatest on top, or the least.
    Column { name: String, is_descending: bool },
}

impl DrawOrder {
    /// Reads `random`, `COLUMN` or `-COLUMN`.
    pub(crate) fn parse(text: &str, seed: u64) -> Self {
        match (text, text.strip_prefix('-')) {
            ("random", _) => Self::Random(seed),
            (_, Some(name)) => Self::Column { name: name.to_owned(), is_descending: true },
            (name, None) => Self::Column { name: name.to_owned(), is_descending: false },
        }
    }

    /// The column that it takes.
    pub(crate) fn column(&self) -> Option<&str> {
        match self {
            Self::Random(_) => None,
            Self::Column { name, .. } => Some(name),
        }
    }

    /// The places of rows, the lowest first. `rows` are their numbers in the file, `numbers` their values in the column.
    /// Rows without a value lie below all others; rows of equal values keep the order of the file.
    pub(crate) fn places(&self, rows: &[usize], numbers: &[f64]) -> Vec<usize> {
        let mut places: Vec<usize> = (0..rows.len()).collect();
        match self {
            // by the number of a row in the file, so that leaving out rows does not change the order of others
            Self::Random(seed) => {
                let keys: Vec<f64> = rows.iter().map(|row| generate::random(*seed, *row as u64)).collect();
                places.sort_by(|a, b| keys[*a].total_cmp(&keys[*b]));
            }
            Self::Column { is_descending, .. } => {
                let key = |place: usize| match (numbers[place], is_descending) {
                    (number, _) if number.is_nan() => f64::NEG_INFINITY,
                    (number, true) => -number,
                    (number, false) => number,
                };
                places.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greatest_numbers_lie_on_top_and_missing_ones_below() {
        let numbers = [3.0, f64::NAN, 1.0, 3.0, 2.0];
        let places = |text: &str| DrawOrder::parse(text, 1).places(&[0, 1, 2, 3, 4], &numbers);
        assert_eq!(places("mass"), [1, 2, 4, 0, 3]);
        assert_eq!(places("-mass"), [1, 0, 3, 4, 2]);
    }

    #[test]
    fn random_order_is_that_of_the_seed_whatever_rows_are_left_out() {
        let all: Vec<usize> = (0..100).collect();
        let order = |rows: &[usize], seed| -> Vec<usize> {
            DrawOrder::parse("random", seed).places(rows, &[]).into_iter().map(|place| rows[place]).collect()
        };
        let whole = order(&all, 7);
        let mut sorted = whole.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, all);
        assert_ne!(whole, all);
        assert_ne!(whole, order(&all, 8));
        let even: Vec<usize> = (0..50).map(|row| 2 * row).collect();
        let kept: Vec<usize> = whole.iter().copied().filter(|row| row % 2 == 0).collect();
        assert_eq!(order(&even, 7), kept);
    }
}
