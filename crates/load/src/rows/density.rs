//! The density of a table's rows: what falls into each pixel, as numbers and as a picture.

use rayon::prelude::*;

use crate::color::maps::ColorMap;
use crate::color::{ColorKey, ColorRange, Scale, Srgba8};
use crate::data::share;
use crate::error::{Error, Result};
use crate::figure::DensityFrame;
use crate::geom::{Circle, WeightUnit, spread_disc};
use crate::options::density_choice::DensityChoice;
use crate::options::ranges::ends;
use crate::rows::overlap::Disc;
use crate::scene::CanvasZoom;

/// Rows that a thread takes at least.
const ROWS: usize = 1 << 16;

/// Logarithms are the default for numbers that spread at least this far.
const WIDE: f64 = 30.0;

/// Numbers of pixels, the first row on top; NaN where nothing is.
pub(crate) struct DensityGrid {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) numbers: Vec<f64>,
}

/// The pixels that a density counts: of a whole picture, or of a part.
pub(crate) struct DensityPart {
    pub(crate) size: (u32, u32),
    pub(crate) zoom: Option<CanvasZoom>,
}

impl DensityPart {
    /// A disc of the whole picture, in pixels of the part.
    pub(crate) fn disc(&self, (center, radius): Disc) -> Disc {
        self.zoom.map_or((center, radius), |zoom| zoom.disc(center, radius))
    }
}

/// Sums of units and numbers of rows by pixel.
struct Sums {
    units: Vec<i64>,
    rows: Vec<u32>,
}

impl Sums {
    fn new(pixels: usize) -> Self {
        Self { units: vec![0; pixels], rows: vec![0; pixels] }
    }

    fn joined(mut self, other: Self) -> Self {
        self.units.iter_mut().zip(other.units).for_each(|(sum, more)| *sum += more);
        self.rows.iter_mut().zip(other.rows).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        self
    }
}

/// Bytes that the sums of all threads and the numbers of a picture take.
pub(crate) fn bytes((width, height): (u32, u32)) -> u64 {
    const OF_SUM: u64 = (size_of::<i64>() + size_of::<u32>()) as u64;
    const OF_PIXEL: u64 = (size_of::<f64>() + size_of::<Srgba8>()) as u64;
    u64::from(width) * u64::from(height) * (OF_SUM * rayon::current_num_threads() as u64 + OF_PIXEL)
}

/// Sums up rows by pixel. `discs` are their circles in pixels, `weights` their numbers in the column, if there is one; rows
/// whose number is missing count nothing. Sums are exact, and the same on any number of threads.
pub(crate) fn grid(
    choice: &DensityChoice,
    discs: &[Disc],
    weights: Option<&[f64]>,
    (width, height): (u32, u32),
) -> DensityGrid {
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let total: f64 = (0..discs.len()).map(|row| weight(row).abs()).filter(|weight| weight.is_finite()).sum();
    let total = total.min(f64::MAX);
    let unit = WeightUnit::of_total(total);
    let pixels = width as usize * height as usize;
    let is_spread = matches!(choice, DensityChoice::Mass(_));
    let add_rows = |mut sums: Sums, rows: std::ops::Range<usize>| {
        for row in rows {
            let (weight, (center, radius)) = (weight(row), discs[row]);
            if !weight.is_finite() {
                continue;
            }
            let disc = Circle { center, radius: if is_spread { radius } else { 0.0 } };
            spread_disc(&disc, unit.units(weight), [width, height], |[x, y], units| {
                let pixel = y as usize * width as usize + x as usize;
                sums.units[pixel] += units;
                sums.rows[pixel] = sums.rows[pixel].saturating_add(1);
            });
        }
        sums
    };
    let each = discs.len().div_ceil(rayon::current_num_threads()).max(ROWS);
    let parts = (0..discs.len().div_ceil(each)).into_par_iter();
    let parts = parts.map(|part| add_rows(Sums::new(pixels), part * each..((part + 1) * each).min(discs.len())));
    let sums = parts.collect::<Vec<_>>().into_iter().reduce(Sums::joined).unwrap_or_else(|| Sums::new(pixels));
    let number = |(units, rows): (&i64, &u32)| match (rows, choice) {
        (0, _) => f64::NAN,
        (rows, DensityChoice::Mean(_)) => unit.number(*units) / f64::from(*rows),
        _ => unit.number(*units),
    };
    let numbers = sums.units.iter().zip(&sums.rows).map(number).collect();
    DensityGrid { width, height, numbers }
}

/// How numbers become colours.
pub(crate) struct DensityColors {
    pub(crate) map: Option<ColorMap>,
    pub(crate) range: Option<ColorRange>,
    pub(crate) scale: Option<Scale>,
}

impl DensityGrid {
    /// The picture of the numbers, and their legend. Pixels without rows show the background.
    pub(crate) fn painted(self, choice: &DensityChoice, colors: &DensityColors) -> (DensityFrame, ColorKey) {
        let known = || self.numbers.iter().copied().filter(|number| !number.is_nan());
        let (least, most) =
            known().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), number| (a.min(number), b.max(number)));
        let is_wide = least > 0.0 && most >= WIDE * least && !matches!(choice, DensityChoice::Mean(_));
        let scale = colors.scale.unwrap_or(if is_wide { Scale::Log } else { Scale::Linear });
        let map = colors.map.unwrap_or(ColorMap::VIRIDIS);
        // rims of discs leave slivers in pixels, down to nothing
        let least = if matches!((choice, scale), (DensityChoice::Mass(_), Scale::Log)) { 2.0 } else { 0.0 };
        let range = colors.range.unwrap_or(ColorRange::Percentiles([least, 100.0]));
        let ends = ends(known(), Some(range), scale);
        let color = |number: &f64| {
            let on_scale = scale.of(*number);
            if on_scale.is_nan() { Srgba8::TRANSPARENT } else { map.number(share(on_scale, ends.least, ends.most)) }
        };
        let pixels: Vec<Srgba8> = self.numbers.iter().map(color).collect();
        let key = ends.key(choice.name(), map, scale, u8::MAX);
        (
            DensityFrame {
                width: self.width,
                height: self.height,
                pixels: pixels.into(),
                numbers: self.numbers.into(),
            },
            key,
        )
    }
}

/// The picture of a table's density, and its legend.
pub(crate) fn drawn(
    choice: &DensityChoice,
    discs: &[Disc],
    weights: Option<&[f64]>,
    size: (u32, u32),
    colors: &DensityColors,
) -> Result<(DensityFrame, ColorKey)> {
    let grid = grid(choice, discs, weights, size);
    if grid.numbers.iter().all(|number| number.is_nan()) {
        return Err(Error::setting("density", "has no row with a number inside of the picture"));
    }
    Ok(grid.painted(choice, colors))
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a small picture")]
mod tests {
    use super::*;

    fn discs(count: u16) -> Vec<Disc> {
        let along = |index: u16, step: f32| (f32::from(index) * step).fract();
        (0..count)
            .map(|i| ([2.0 + 36.0 * along(i, 0.754_877), 2.0 + 26.0 * along(i, 0.569_84)], 1.9 * along(i, 0.438_579)))
            .collect()
    }

    #[test]
    fn counts_and_sums_are_those_of_a_loop_over_rows() {
        let discs = discs(5000);
        let weights: Vec<f64> =
            (0..5000).map(|row| if row % 7 == 0 { f64::NAN } else { f64::from(row) - 900.0 }).collect();
        let mut counts = vec![0_u32; 40 * 30];
        let mut sums = vec![0.0; 40 * 30];
        for (([x, y], _), weight) in discs.iter().zip(&weights).filter(|(_, weight)| !weight.is_nan()) {
            let pixel = *y as usize * 40 + *x as usize;
            counts[pixel] += 1;
            sums[pixel] += weight;
        }
        let found = |text: &str| grid(&text.parse().expect(text), &discs, Some(&weights), (40, 30)).numbers;
        let (sum, mean) = (found("sum w"), found("mean w"));
        for pixel in 0..40 * 30 {
            if counts[pixel] == 0 {
                assert!(sum[pixel].is_nan() && mean[pixel].is_nan());
            } else {
                assert_eq!(sum[pixel], sums[pixel]);
                assert_eq!(mean[pixel], sums[pixel] / f64::from(counts[pixel]));
            }
        }
        let plain = grid(&DensityChoice::Count, &discs, None, (40, 30)).numbers;
        assert_eq!(plain.iter().filter(|number| !number.is_nan()).sum::<f64>(), 5000.0);
    }

    #[test]
    fn mass_of_all_pixels_is_the_mass_of_all_circles_whatever_the_threads() {
        let discs = discs(4000);
        let weights: Vec<f64> = (0..4000).map(|row| 1.0 / f64::from(row + 1)).collect();
        let choice = DensityChoice::Mass(Some("w".to_owned()));
        let of_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| grid(&choice, &discs, Some(&weights), (40, 30)).numbers)
        };
        let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        let one = of_threads(1);
        assert_eq!(bits(&one), bits(&of_threads(3)));
        let unit = WeightUnit::of_total(weights.iter().sum());
        let expected: i64 = weights.iter().map(|weight| unit.units(*weight)).sum();
        let found: i64 = one.iter().filter(|number| !number.is_nan()).map(|number| unit.units(*number)).sum();
        // each pixel's number has 53 bits of the 62 of its sum
        assert!((found - expected).abs() < 1 << 18, "{found} {expected}");
    }
}
