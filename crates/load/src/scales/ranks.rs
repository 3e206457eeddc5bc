//! Colours by rank: each colour of a ramp stands for as many numbers.

use rayon::prelude::*;

use crate::color::maps::ColorMap;
use crate::color::{ColorKey, Scale};

/// Numbers beside a legend, at most.
const TICKS: u32 = 5;

/// The ranks of numbers: the share of a number is the count of lesser ones over the count of those that are less than the
/// greatest, from 0 to 1. Shares are quotients of whole numbers, the same on any number of threads.
pub(crate) struct NumberRanks {
    /// In ascending order, equal ones repeated.
    sorted: Vec<f64>,
}

impl NumberRanks {
    /// Bytes for each number.
    pub(crate) const BYTES: u64 = size_of::<f64>() as u64;

    /// The ranks of numbers that are not NaN.
    pub(crate) fn new(mut numbers: Vec<f64>) -> Self {
        numbers.par_sort_unstable_by(f64::total_cmp);
        Self { sorted: numbers }
    }

    /// How many numbers are less.
    fn below(&self, number: f64) -> usize {
        self.sorted.partition_point(|other| *other < number)
    }

    /// The share of a number; one half if all are the same.
    pub(crate) fn share(&self, number: f64) -> f64 {
        match self.sorted.last().map_or(0, |greatest| self.below(*greatest)) {
            0 => 0.5,
            all => self.below(number).min(all) as f64 / all as f64,
        }
    }

    /// Few numbers with their shares: those whose shares are nearest to equal steps, each once.
    fn quantiles(&self) -> Vec<[f64; 2]> {
        let (Some(&least), Some(&greatest)) = (self.sorted.first(), self.sorted.last()) else { return Vec::new() };
        let mut found: Vec<[f64; 2]> = Vec::new();
        let greatest_below = self.below(greatest);
        for step in 0..TICKS {
            let wanted = f64::from(step) / f64::from(TICKS - 1);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a place among numbers in memory"
            )]
            let place = (wanted * greatest_below as f64) as usize;
            let number = self.sorted[place];
            // of equal numbers at this place, these or the next greater ones
            let next = self.sorted.get(self.sorted.partition_point(|other| *other <= number)).copied();
            let distance = |number: f64| (self.share(number) - wanted).abs();
            let nearest = next.filter(|next| distance(*next) < distance(number)).unwrap_or(number);
            let quantile = [short(nearest), self.share(nearest)];
            // rounding may make two numbers one
            if found.last().is_none_or(|[last, _]| *last < quantile[0]) {
                found.push(quantile);
            } else if let (true, Some(last)) = (nearest == greatest && least < greatest, found.last_mut()) {
                *last = quantile;
            }
        }
        found
    }

    /// The legend of a ramp for these numbers.
    pub(crate) fn key(&self, name: String, map: ColorMap) -> ColorKey {
        let end = |number: Option<&f64>| number.copied().unwrap_or_default();
        let [least, most] = [end(self.sorted.first()), end(self.sorted.last())];
        ColorKey::Numbers {
            name,
            map: map.name(),
            scale: Scale::Linear,
            least,
            most,
            shown: None,
            beyond: [false; 2],
            extremes: [least, most],
            alpha: u8::MAX,
            dates: false,
            missing: 0,
            counts: Vec::new(),
            alphas: Vec::new(),
            quantiles: self.quantiles(),
        }
    }
}

/// The shares of numbers that are not NaN by rank, from 0 for the least to 1 for the greatest; and a few of them with their
/// shares, in ascending order, for a legend.
///
/// ```
/// # use roundel_load as roundel;
/// let (shares, quantiles) = roundel::io::color_ranks(&[1.0, 8.0, 1.0, 3.0]);
/// assert_eq!(shares, [0.0, 1.0, 0.0, 2.0 / 3.0]);
/// assert_eq!(quantiles, [[1.0, 0.0], [3.0, 2.0 / 3.0], [8.0, 1.0]]);
/// ```
#[must_use]
pub fn color_ranks(values: &[f64]) -> (Vec<f64>, Vec<[f64; 2]>) {
    let ranks = NumberRanks::new(values.to_vec());
    (values.par_iter().map(|value| ranks.share(*value)).collect(), ranks.quantiles())
}

/// A number of three digits; whole numbers keep all.
fn short(number: f64) -> f64 {
    if number.fract() == 0.0 { number } else { format!("{number:.2e}").parse().unwrap_or(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counts_of_lesser_numbers() {
        // 6 ones, 2 twos, a five and a nine
        let ranks = NumberRanks::new(vec![9.0, 1.0, 1.0, 2.0, 1.0, 5.0, 1.0, 2.0, 1.0, 1.0]);
        assert_eq!([1.0, 2.0, 5.0, 9.0].map(|number| ranks.share(number)), [0.0, 6.0 / 9.0, 8.0 / 9.0, 1.0]);
        assert_eq!(ranks.quantiles(), [[1.0, 0.0], [2.0, 6.0 / 9.0], [9.0, 1.0]]);
        let all: Vec<f64> = (0..101).rev().map(f64::from).collect();
        let ranks = NumberRanks::new(all.clone());
        assert!(all.iter().all(|number| (ranks.share(*number) - number / 100.0).abs() < 1e-15));
        let quantiles = [0.0, 25.0, 50.0, 75.0, 100.0].map(|number| [number, number / 100.0]);
        assert_eq!(ranks.quantiles(), quantiles);
    }

    #[test]
    fn one_number_has_the_middle_of_the_ramp() {
        let ranks = NumberRanks::new(vec![2.5; 7]);
        assert_eq!((ranks.share(2.5), ranks.quantiles()), (0.5, vec![[2.5, 0.5]]));
        assert!(NumberRanks::new(Vec::new()).quantiles().is_empty());
    }

    #[test]
    fn numbers_of_a_legend_ascend_and_reach_both_ends() {
        let numbers: Vec<f64> =
            (0..997).map(|i| f64::from(i * 373 % 997) / 997.0).map(|share| share * share * share * share).collect();
        let quantiles = NumberRanks::new(numbers).quantiles();
        assert_eq!((quantiles.first().map(|q| q[1]), quantiles.last().map(|q| q[1])), (Some(0.0), Some(1.0)));
        assert!(quantiles.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] < pair[1][1]), "{quantiles:?}");
    }
}
