//! The numbers at the ends of a colour map.

use std::fmt;
use std::str::FromStr;

use crate::color::maps::ColorMap;
use crate::color::{ColorKey, ColorRange, Scale};
use crate::did_you_mean::shortened;
use crate::error::Error;
use crate::source::date::date;

/// Values that lie beyond the quartiles by more than this multiple of their distance are outliers (J. W. Tukey,
/// *Exploratory Data Analysis*, 1977: "far out").
const FAR_OUT: f64 = 3.0;

/// Outliers are left out only if that widens the others' share of the map by this factor.
const WORTH: f64 = 1.5;

/// Most values for percentiles; of more, an evenly spaced sample.
const PERCENTILES_OF: usize = 1 << 22;

/// Most values for quartiles, which need not be exact; of more, an evenly spaced sample.
const QUARTILES_OF: usize = 1 << 14;

/// The range between two different dates with a comma or two points between them, in seconds since 1970-01-01 UTC.
pub(crate) fn range_of_dates(text: &str) -> Option<ColorRange> {
    let ends = two(text, |text| date(text.as_bytes()))?;
    (ends[0] != ends[1]).then_some(ColorRange::Numbers(ends))
}

/// Reads two numbers with a comma or two points between them.
fn two(text: &str, number: impl Fn(&str) -> Option<f64>) -> Option<[f64; 2]> {
    let (first, last) = text.split_once("..").or_else(|| text.split_once(','))?;
    Some([number(first.trim())?, number(last.trim())?])
}

/// The numbers that an axis shows at least, the first below the second.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::AxisRange;
///
/// assert_eq!("0,60".parse::<AxisRange>()?, AxisRange::new(0.0, 60.0)?);
/// assert_eq!("1970-01-02,1970-01-03".parse::<AxisRange>()?, AxisRange::new(86_400.0, 172_800.0)?);
/// # Ok::<(), roundel_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisRange([f64; 2]);

impl AxisRange {
    /// From one number to another.
    ///
    /// # Errors
    /// [`Error::Setting`] unless both are finite and the first is below the second.
    pub fn new(first: f64, last: f64) -> Result<Self, Error> {
        let is_range = first < last && (last - first).is_finite();
        is_range.then_some(Self([first, last])).ok_or_else(|| Self::refused(&format!("{first},{last}")))
    }

    /// The first and the last number.
    #[must_use]
    pub fn ends(self) -> [f64; 2] {
        self.0
    }

    fn refused(found: &str) -> Error {
        let message = "must be two numbers or dates, the first below the second, such as 0,60 or 2024-01-01,2024-06-30";
        Error::setting("axis_range", format!("{message}, got {:?}", shortened(found)))
    }
}

impl FromStr for AxisRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let number = |text: &str| text.parse().ok().or_else(|| date(text.as_bytes()));
        let [first, last] = two(text, number).ok_or_else(|| Self::refused(text))?;
        Self::new(first, last).map_err(|_| Self::refused(text))
    }
}

impl fmt::Display for AxisRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0[0], self.0[1])
    }
}

/// The ends of a colour map, after the scale, and whether numbers lie beyond them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ends {
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// Of a map that is centred on a number, the part that has numbers.
    pub(crate) shown: Option<[f64; 2]>,
    /// Whether numbers lie below `least`, and above `most`.
    pub(crate) beyond: [bool; 2],
    /// The least and the greatest number.
    pub(crate) extremes: [f64; 2],
}

/// Numbers of the other sign that reach less than this share of the greater reach are noise around zero.
const LEAST_SIDE: f64 = 1e-3;

impl Ends {
    /// Whether the map reaches to both sides of zero.
    pub(crate) fn are_signed(&self) -> bool {
        self.least < 0.0 && self.most > 0.0 && (-self.least).min(self.most) >= LEAST_SIDE * (-self.least).max(self.most)
    }

    /// The same ends for more values.
    pub(crate) fn beside(self, values: impl Iterator<Item = f64>, scale: Scale) -> Self {
        let values = values.map(|value| scale.of(value)).filter(|value| value.is_finite());
        let extremes = values.fold(self.extremes, |[low, high], value| [low.min(value), high.max(value)]);
        Self { beyond: [extremes[0] < self.least, extremes[1] > self.most], extremes, ..self }
    }

    pub(crate) fn key(self, name: String, map: ColorMap, scale: Scale, alpha: u8) -> ColorKey {
        let [least, most] = [self.least, self.most].map(|end| scale.inverse(end));
        let shown = self.shown.map(|shown| shown.map(|end| scale.inverse(end)));
        let extremes = self.extremes.map(|number| scale.inverse(number));
        ColorKey::Numbers {
            name,
            map: map.name(),
            scale,
            least,
            most,
            shown,
            beyond: self.beyond,
            extremes,
            alpha,
            dates: false,
            missing: 0,
            counts: Vec::new(),
            alphas: Vec::new(),
            quantiles: Vec::new(),
        }
    }
}

/// The ends for values, after their scale; missing ones are NaN. Without a range, all values but outliers.
pub(crate) fn ends(values: impl Iterator<Item = f64> + Clone, range: Option<ColorRange>, scale: Scale) -> Ends {
    let spread = values.map(|value| scale.of(value)).filter(|value| value.is_finite());
    let (mut least, mut most, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0_usize);
    for value in spread.clone() {
        least = least.min(value);
        most = most.max(value);
        count += 1;
    }
    if count == 0 {
        (least, most) = (0.0, 0.0);
    }
    let sorted = |at_most: usize| {
        let mut some: Vec<f64> = spread.clone().step_by(count / at_most + 1).collect();
        some.sort_unstable_by(f64::total_cmp);
        some
    };
    let [low, high] = match range {
        Some(ColorRange::Numbers(ends)) => ends.map(|end| scale.of(end)),
        Some(ColorRange::Percentiles(shares)) => {
            let some = sorted(PERCENTILES_OF);
            // the extremes are exact even if percentiles are sampled
            let percentile = |share: f64| match share {
                0.0 => least,
                100.0 => most,
                _ => quantile(&some, 0.01 * share),
            };
            shares.map(percentile)
        }
        None => without_outliers(&sorted(QUARTILES_OF), spread.clone(), [least, most]),
        Some(ColorRange::Around(middle)) => {
            let ends = without_outliers(&sorted(QUARTILES_OF), spread.clone(), [least, most]);
            around(scale.of(middle), ends)
        }
        Some(ColorRange::Within { middle, ends }) => around(scale.of(middle), ends.map(|end| scale.of(end))),
    };
    // numbers beyond have the colours of the ends
    let part = [least.max(low).min(high), most.max(low).min(high)];
    let shown = match range {
        Some(ColorRange::Around(_)) => Some(part),
        Some(ColorRange::Within { ends, .. }) => {
            let [first, last] = ends.map(|end| scale.of(end));
            Some([first.min(part[0]), last.max(part[1])])
        }
        _ => None,
    };
    Ends { least: low, most: high, shown, beyond: [least < low, most > high], extremes: [least, most] }
}

/// The numbers at the ends of a colour map for numbers of a table: the least and the greatest of all but outliers, or
/// percentiles. Numbers that have no place on the scale are left out; zeros without any.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::color_ends;
/// use roundel_scene::color::Scale;
///
/// let mut values: Vec<f64> = (0..100).map(f64::from).collect();
/// values.push(1e6);
/// assert_eq!(color_ends(&values, Scale::Linear, None), [0.0, 99.0]);
/// assert_eq!(color_ends(&values, Scale::Linear, Some([0.0, 100.0])), [0.0, 1e6]);
/// ```
#[must_use]
pub fn color_ends(values: &[f64], scale: Scale, percentiles: Option<[f64; 2]>) -> [f64; 2] {
    let found = ends(values.iter().copied(), percentiles.map(ColorRange::Percentiles), scale);
    let has_place = |value: &&f64| scale.of(**value).is_finite();
    let extremes = values
        .iter()
        .filter(has_place)
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &value| [low.min(value), high.max(value)]);
    // the inverse of a scale rounds
    let number = |end: f64| match found.extremes.iter().position(|&extreme| extreme == end) {
        Some(side) if extremes[side].is_finite() => extremes[side],
        _ => scale.inverse(end),
    };
    if extremes[0] > extremes[1] { [0.0; 2] } else { [number(found.least), number(found.most)] }
}

/// The smallest range around a middle that contains both ends.
fn around(middle: f64, [low, high]: [f64; 2]) -> [f64; 2] {
    let reach = (middle - low).abs().max((high - middle).abs());
    [middle - reach, middle + reach]
}

/// The union of two ranges.
pub(crate) fn union(range: Option<[f64; 2]>, other: Option<[f64; 2]>) -> Option<[f64; 2]> {
    let Some([low, high]) = range else { return other };
    Some(other.map_or([low, high], |[least, most]| [low.min(least), high.max(most)]))
}

/// Share of values at either end that is left out, too, if the rest spans much less.
const TAIL: f64 = 0.01;

/// Numbers of one sign are outliers only if they are fewer than this share, and this many times farther from zero than
/// all others.
const FEW: f64 = 0.01;
const FARTHER: f64 = 100.0;

/// The range without outliers and long tails if that is much narrower, else the given full range. Of numbers of both
/// signs, neither sign is left out.
fn without_outliers(sorted: &[f64], values: impl Iterator<Item = f64> + Clone, [least, most]: [f64; 2]) -> [f64; 2] {
    if least >= 0.0 || most <= 0.0 {
        return bulk(sorted, values, [least, most]);
    }
    // from the nearest to zero
    let sides: [Vec<f64>; 2] = [
        sorted.iter().rev().filter(|value| **value < 0.0).map(|value| -value).collect(),
        sorted.iter().copied().filter(|value| *value > 0.0).collect(),
    ];
    let reaches = [-least, most];
    let is_outlier = |side: usize| {
        let few = sides[side].len() <= 1 || (sides[side].len() as f64) < FEW * sorted.len() as f64;
        few && reaches[side] > FARTHER * reaches[1 - side]
    };
    if is_outlier(0) || is_outlier(1) {
        return bulk(sorted, values, [least, most]);
    }
    let mut sizes: Vec<f64> = sides.iter().flatten().copied().collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let nearest = sizes.first().copied().unwrap_or_default();
    let all = values.clone().map(f64::abs).filter(|size| *size > 0.0);
    let mut reach = bulk(&sizes, all, [nearest, reaches[0].max(reaches[1])])[1];
    for (side, sign) in sides.iter().zip([-1.0, 1.0]) {
        if quantile(side, 0.5) > reach {
            let own = values.clone().map(|value| sign * value).filter(|size| *size > 0.0);
            let farthest = side.last().copied().unwrap_or_default();
            reach = bulk(side, own, [side.first().copied().unwrap_or_default(), farthest])[1];
        }
    }
    [least.max(-reach), most.min(reach)]
}

/// The range without outliers and long tails if that is much narrower, else the given full range.
fn bulk(sorted: &[f64], values: impl Iterator<Item = f64>, [least, most]: [f64; 2]) -> [f64; 2] {
    let [first, third] = [0.25, 0.75].map(|share| quantile(sorted, share));
    let reach = FAR_OUT * (third - first);
    let fences = [first - reach, third + reach];
    if reach <= 0.0 {
        return [least, most];
    }
    let is_inside = |value: &f64| (fences[0]..=fences[1]).contains(value);
    let [low, high] =
        values.filter(is_inside).fold([most, least], |[low, high], value| [low.min(value), high.max(value)]);
    let some: Vec<f64> = sorted.iter().copied().filter(is_inside).collect();
    let bulk = [TAIL, 1.0 - TAIL].map(|share| quantile(&some, share));
    let [low, high] = if high - low > WORTH * (bulk[1] - bulk[0]) { bulk } else { [low, high] };
    if most - least > WORTH * (high - low) { [low, high] } else { [least, most] }
}

/// The quantile of sorted values, interpolated linearly; 0 without values.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place among values in memory")]
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share * last as f64;
    let index = (place as usize).min(last);
    let next = sorted[(index + 1).min(last)];
    sorted[index] + (next - sorted[index]) * (place - index as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn robust(values: &[f64]) -> ([f64; 2], [bool; 2]) {
        let Ends { least, most, beyond, .. } = ends(values.iter().copied(), None, Scale::Linear);
        ([least, most], beyond)
    }

    #[test]
    fn values_without_outliers_span_the_whole_map() {
        assert_eq!(robust(&[]), ([0.0, 0.0], [false; 2]));
        assert_eq!(robust(&[5.0]), ([5.0, 5.0], [false; 2]));
        assert_eq!(robust(&[3.0, f64::NAN, 1.0, 2.0]), ([1.0, 3.0], [false; 2]));
        let even: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(robust(&even), ([0.0, 999.0], [false; 2]));
        let mut mostly_zero = vec![0.0; 100];
        mostly_zero[7] = 9.0;
        assert_eq!(robust(&mostly_zero), ([0.0, 9.0], [false; 2]), "then the rare is what there is to see");
    }

    #[test]
    fn one_outlier_does_not_take_the_map() {
        let mut values: Vec<f64> = (0..20).map(f64::from).collect();
        values.push(1e6);
        assert_eq!(robust(&values), ([0.0, 19.0], [false, true]));
        values.push(-1e9);
        assert_eq!(robust(&values), ([0.0, 19.0], [true, true]));
        assert_eq!(robust(&[1.0, 2.0, 3.0, 4.0, 5.0, 20.0]).1, [false, true]);
    }

    #[test]
    fn neither_sign_is_left_out() {
        let repeated = |groups: &[(f64, usize)]| -> Vec<f64> {
            groups.iter().flat_map(|(value, count)| std::iter::repeat_n(*value, *count)).collect()
        };
        // partial charges of a protein with a few ions
        let charges = [(-0.5, 6), (-0.165, 94), (-0.12, 87), (-0.03, 4), (0.06, 402), (0.5, 4), (1.0, 3)];
        assert_eq!(robust(&repeated(&charges)), ([-0.165, 0.165], [true, true]));
        assert_eq!(robust(&repeated(&[(-0.1, 900), (-0.12, 60), (4.0, 20), (5.0, 20)])), ([-0.12, 5.0], [false; 2]));
        assert_eq!(robust(&repeated(&[(-5.0, 10), (0.1, 500), (0.2, 490)])), ([-5.0, 0.2], [false; 2]));
        assert_eq!(robust(&repeated(&[(-9999.0, 2), (1.0, 500), (2.0, 500)])).0, [1.0, 2.0], "no number, but a mark");
    }

    #[test]
    fn a_few_of_many_values_do_not_take_the_map() {
        // B factors of a protein with a few loose atoms, which are not beyond Tukey's fences
        let mut values: Vec<f64> = (0..1000_u32).map(|i| 50.0 + f64::from(i * 37 % 101)).collect();
        values.extend([260.0, 270.0, 280.0, 300.0]);
        let ([least, most], beyond) = robust(&values);
        assert!(least >= 50.0 && (148.0..155.0).contains(&most), "{least} to {most}");
        assert!(beyond[1]);
    }

    #[test]
    fn ranges_that_are_given_are_taken() {
        let values = || [1.0, 10.0, 100.0, f64::NAN, 1000.0].into_iter();
        let of = |range, scale| ends(values(), Some(range), scale);
        let numbers = of(ColorRange::Numbers([5.0, 2000.0]), Scale::Linear);
        assert_eq!(
            numbers,
            Ends { least: 5.0, most: 2000.0, shown: None, beyond: [true, false], extremes: [1.0, 1000.0] }
        );
        let log = of(ColorRange::Numbers([1.0, 100.0]), Scale::Log);
        assert_eq!((log.least, log.beyond), (0.0, [false, true]));
        let all = of(ColorRange::Percentiles([0.0, 100.0]), Scale::Linear);
        assert_eq!(all, Ends { least: 1.0, most: 1000.0, shown: None, beyond: [false; 2], extremes: [1.0, 1000.0] });
        let middle = of(ColorRange::Percentiles([50.0, 100.0]), Scale::Linear);
        assert_eq!(middle.least, 55.0, "between the second and the third of four");
    }

    #[test]
    fn centered_ranges_show_the_part_that_has_numbers() {
        let of = |range: &str, values: &[f64]| {
            let range = Some(range.parse().expect("a range"));
            let Ends { least, most, shown, beyond, .. } = ends(values.iter().copied(), range, Scale::Linear);
            ([least, most], shown.expect("a part"), beyond)
        };
        assert_eq!(of("around 0", &[-1.0, 0.0, 4.0]), ([-4.0, 4.0], [-1.0, 4.0], [false; 2]));
        assert_eq!(of("around 0", &[2.0, 3.0]), ([-3.0, 3.0], [2.0, 3.0], [false; 2]));
        let mut outlier: Vec<f64> = (0..20).map(f64::from).collect();
        outlier.push(-1e6);
        assert_eq!(of("around 0", &outlier), ([-19.0, 19.0], [-19.0, 19.0], [true, false]));
        // frames of a film have one bar, whatever their numbers
        assert_eq!(of("around 0 within -1,4", &[0.0, 2.0]), ([-4.0, 4.0], [-1.0, 4.0], [false; 2]));
        assert_eq!(of("around 0 within -1,4", &[-9.0, -3.0]), ([-4.0, 4.0], [-4.0, 4.0], [true, false]));
    }
}
