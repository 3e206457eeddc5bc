//! The density of a table's rows: what falls into each pixel, as numbers and as a picture.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::budget::Budget;
use crate::color::maps::ColorMap;
use crate::color::{ColorKey, ColorRange, ColorScale, MISSING_COLOR, Scale, Srgba8};
use crate::data::share;
use crate::error::{Error, Resource, Result};
use crate::figure::{DensityFrame, LegendPart};
use crate::geom::{Circle, PixelSum, bytes_of_pixel_sums, masses_of_discs, sums_of_points};
use crate::options::density_choice::DensityChoice;
use crate::options::figure::FileKey;
use crate::options::ranges::ends;
use crate::options::visible_share::is_outside;
use crate::rows::overlap::Disc;
use crate::scales::ranks::NumberRanks;
use crate::scene::CanvasZoom;

/// Rows that a thread takes at least.
const ROWS: usize = 1 << 16;

/// Logarithms are the default for numbers that spread at least this far.
const WIDE: f64 = 30.0;

/// Pixels with fewer rows than this, of those with any, are dust: squares of several pixels are counted instead.
const DUST: usize = 2;

/// Rows in such a square, of those with any.
const ROWS_OF_BIN: usize = 4;

/// Squares along the shorter side of a picture, at least.
const BINS: u32 = 16;

/// Numbers of pixels, or of squares of pixels, the first row on top; NaN where nothing is.
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

/// Squares of a picture, `side` pixels wide and high, from its upper left corner on.
#[derive(Clone, Copy)]
struct DensityBins {
    side: u32,
    picture: [u32; 2],
    /// Columns and rows of squares.
    bins: [u32; 2],
}

impl DensityBins {
    fn new((width, height): (u32, u32), side: u32) -> Self {
        let (side, picture) = (side.max(1), [width, height]);
        Self { side, picture, bins: picture.map(|pixels| pixels.div_ceil(side)) }
    }

    /// The column and the row of the square that holds a point, if the picture does.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the picture")]
    fn of(self, point: [f32; 2]) -> Option<[u32; 2]> {
        let place = [0, 1].map(|axis| f64::from(point[axis]));
        let is_inside = (0..2).all(|axis| (0.0..f64::from(self.picture[axis])).contains(&place[axis]));
        is_inside.then(|| [0, 1].map(|axis| place[axis] as u32 / self.side))
    }
}

/// The side in pixels of the squares that show few rows best: 1 where pixels with rows have enough of them.
pub(crate) fn suited_bin(choice: &DensityChoice, discs: &[Disc], (width, height): (u32, u32)) -> u32 {
    const SIDES: [u32; 17] = [2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 30, 32, 40, 48, 64];
    let pixels = u64::from(width) * u64::from(height);
    // circles spread their masses over pixels; and so many rows would fill even all pixels
    if matches!(choice, DensityChoice::Mass(_)) || discs.len() as u64 >= 2 * DUST as u64 * pixels {
        return 1;
    }
    let rows_of_bin = |side: u32| {
        let bins = DensityBins::new((width, height), side);
        let mut has_rows = vec![false; bins.bins[0] as usize * bins.bins[1] as usize];
        let (mut filled, mut inside) = (0_usize, 0);
        for [x, y] in discs.iter().filter_map(|(center, _)| bins.of(*center)) {
            let has_rows = &mut has_rows[y as usize * bins.bins[0] as usize + x as usize];
            filled += usize::from(!*has_rows);
            inside += 1;
            *has_rows = true;
        }
        inside / filled.max(1)
    };
    if rows_of_bin(1) >= DUST {
        return 1;
    }
    let sides = || SIDES.into_iter().take_while(|side| *side <= width.min(height) / BINS);
    sides().find(|side| rows_of_bin(*side) >= ROWS_OF_BIN).or(sides().last()).unwrap_or(1)
}

/// Checks the memory for the sums of all threads and the numbers of so many pictures.
pub(crate) fn check_memory(
    (width, height): (u32, u32),
    pictures: usize,
    colors: &DensityColors,
    budget: &Budget,
) -> Result<()> {
    const OF_PIXEL: u64 = (size_of::<f64>() + size_of::<Srgba8>()) as u64;
    let of_rank = if colors.scale == Some(ColorScale::Equalize) { NumberRanks::BYTES } else { 0 };
    let of_pixel = bytes_of_pixel_sums() + (OF_PIXEL + of_rank) * pictures as u64;
    let bytes = u64::from(width) * u64::from(height) * of_pixel;
    let subject = || format!("the density of {width}x{height} pixels takes {}", Resource::Memory.amount(bytes));
    budget.check(Resource::Memory, bytes, subject)
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
    let numbers = if matches!(choice, DensityChoice::Mass(_)) {
        let disc = |row: usize| (Circle { center: discs[row].0, radius: discs[row].1 }, weight(row));
        let mut masses = masses_of_discs(discs.len(), disc, [width, height]);
        // pixels without mass show the background, unless discs are in the picture whose weights are all 0
        let sides = [width, height].map(f64::from);
        let is_reached = |row: usize| {
            let (center, radius) = discs[row];
            weight(row).is_finite()
                && radius >= 0.0
                && !is_outside(Some((center.map(f64::from), [f64::from(radius); 2])), sides)
        };
        if masses.iter().any(|mass| *mass != 0.0) || !(0..discs.len()).any(is_reached) {
            masses.iter_mut().filter(|mass| **mass == 0.0).for_each(|mass| *mass = f64::NAN);
        }
        masses
    } else {
        let number = |sum: PixelSum| match (sum.points, choice) {
            (0, _) => f64::NAN,
            (points, DensityChoice::Mean(_)) => sum.weight / f64::from(points),
            _ => sum.weight,
        };
        let point = |row: usize| (discs[row].0, weight(row));
        sums_of_points(discs.len(), point, [width, height]).into_iter().map(number).collect()
    };
    DensityGrid { width, height, numbers }
}

/// The note on rows without a number to sum up.
pub(crate) fn note_of_weights(file: &str, weights: Option<&[f64]>) -> Option<String> {
    let weights = weights?;
    let missing = weights.iter().filter(|weight| !weight.is_finite()).count();
    let note =
        || format!("{file}: {missing} of {} rows have no number for --density: they count nothing", weights.len());
    (missing > 0).then(note)
}

/// The note on numbers of pixels that are grey because they have no place on a scale.
pub(crate) fn note_off_scale(file: &str, key: &FileKey) -> Option<String> {
    let LegendPart::Colors(ColorKey::Numbers { missing, scale, .. }) = &key.key else { return None };
    let note = || {
        let name = scale.name();
        format!(
            "{file}: {missing} numbers of the density have no place on the {name} scale and are grey; --color-scale linear shows them"
        )
    };
    (*missing > 0).then(note)
}

/// How rows become numbers of squares, and these colours.
pub(crate) struct DensityColors {
    pub(crate) map: Option<ColorMap>,
    pub(crate) range: Option<ColorRange>,
    pub(crate) scale: Option<ColorScale>,
    /// The side in pixels of the squares whose rows are summed up; else one that suits the rows.
    pub(crate) bin: Option<u32>,
}

/// Rows whose density is one picture.
pub(crate) struct PointRows<'a> {
    /// Their circles, in pixels.
    pub(crate) discs: Vec<Disc>,
    /// Their numbers in the column that is summed up, if there is one.
    pub(crate) weights: Option<Cow<'a, [f64]>>,
}

/// The pictures of numbers, and the legend of all. Pixels without rows show the background.
fn painted(
    grids: Vec<DensityGrid>,
    choice: &DensityChoice,
    colors: &DensityColors,
    bin: u32,
) -> (Vec<DensityFrame>, ColorKey) {
    let known = || grids.iter().flat_map(|grid| grid.numbers.iter().copied()).filter(|number| !number.is_nan());
    let (least, most) =
        known().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), number| (a.min(number), b.max(number)));
    let is_wide = least > 0.0 && most >= WIDE * least && !matches!(choice, DensityChoice::Mean(_));
    let map = colors.map.unwrap_or(ColorMap::VIRIDIS);
    let nothing = if matches!(choice, DensityChoice::Mean(_)) { f64::NAN } else { 0.0 };
    let scale = match colors.scale {
        Some(ColorScale::Equalize) => {
            let ranks = NumberRanks::new(known().collect());
            let key = ranks.key(choice.name(bin), map);
            let color = |number| map.number(ranks.share(number));
            return (grids.into_iter().map(|grid| grid.colored(bin, color, nothing)).collect(), key);
        }
        Some(ColorScale::By(scale)) => scale,
        None if is_wide => Scale::Log,
        None => Scale::Linear,
    };
    // rims of discs leave slivers in pixels, down to nothing
    let least = if matches!((choice, scale), (DensityChoice::Mass(_), Scale::Log)) { 2.0 } else { 0.0 };
    let range = colors.range.unwrap_or(ColorRange::Percentiles([least, 100.0]));
    let ends = ends(known(), Some(range), scale);
    let on_scale = |number: f64| Some(scale.of(number)).filter(|place| place.is_finite());
    let color =
        |number: f64| on_scale(number).map_or(MISSING_COLOR, |place| map.number(share(place, ends.least, ends.most)));
    let mut key = ends.key(choice.name(bin), map, scale, u8::MAX);
    if let ColorKey::Numbers { missing, .. } = &mut key {
        *missing = known().filter(|number| on_scale(*number).is_none()).count() as u64;
    }
    (grids.into_iter().map(|grid| grid.colored(bin, color, nothing)).collect(), key)
}

impl DensityGrid {
    /// The picture in which each number has its colour; pixels without rows have the number `nothing`.
    fn colored(self, side: u32, color: impl Fn(f64) -> Srgba8 + Sync, nothing: f64) -> DensityFrame {
        let of = |number: &f64| if number.is_nan() { Srgba8::TRANSPARENT } else { color(*number) };
        let pixels: Vec<Srgba8> = self.numbers.par_iter().with_min_len(ROWS).map(of).collect();
        let Self { width, height, mut numbers } = self;
        numbers.iter_mut().filter(|number| number.is_nan()).for_each(|number| *number = nothing);
        DensityFrame { width, height, side, pixels: pixels.into(), numbers: numbers.into() }
    }
}

/// The pictures of the densities of these rows, with one legend.
pub(crate) fn drawn(
    choice: &DensityChoice,
    parts: &[PointRows<'_>],
    size: (u32, u32),
    colors: &DensityColors,
) -> Result<(Vec<DensityFrame>, ColorKey)> {
    let largest = parts.iter().map(|part| &part.discs[..]).max_by_key(|discs| discs.len()).unwrap_or_default();
    let bin = colors.bin.unwrap_or_else(|| suited_bin(choice, largest, size)).max(1);
    let bins = DensityBins::new(size, bin);
    let summed = |PointRows { discs, weights }: &PointRows<'_>| {
        let weights = weights.as_deref();
        if bin == 1 {
            return grid(choice, discs, weights, size);
        }
        // the middle of the square, in squares; what lies outside of the picture stays outside
        let middle = |center: [f32; 2]| bins.of(center).map_or([-1.0; 2], |bin| bin.map(|along| along as f32 + 0.5));
        let discs: Vec<Disc> = discs.iter().map(|(center, _)| (middle(*center), 0.0)).collect();
        grid(choice, &discs, weights, bins.bins.into())
    };
    let grids: Vec<DensityGrid> = parts.iter().map(summed).collect();
    if grids.iter().flat_map(|grid| &grid.numbers).all(|number| number.is_nan()) {
        return Err(Error::setting("density", "has no row with a number inside of the picture"));
    }
    Ok(painted(grids, choice, colors, bin))
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
    fn squares_of_pixels_hold_the_rows_of_a_loop() {
        let size = (41, 30);
        let discs = discs(900);
        let colors = DensityColors { map: None, range: None, scale: None, bin: Some(4) };
        let parts = [PointRows { discs: discs.clone(), weights: None }];
        let (frames, _) = drawn(&DensityChoice::Count, &parts, size, &colors).expect("rows");
        let frame = &frames[0];
        assert_eq!((frame.width, frame.height, frame.side), (11, 8, 4));
        let mut counts = vec![0.0; 88];
        for ([x, y], _) in &discs {
            counts[(y / 4.0) as usize * 11 + (x / 4.0) as usize] += 1.0;
        }
        assert_eq!(frame.numbers[..], counts);
    }

    #[test]
    fn few_rows_take_larger_squares_and_many_take_pixels() {
        let side = |count: u16, size: (u32, u32)| {
            let scale = size.0 as f32 / 40.0;
            let discs: Vec<Disc> =
                discs(count).into_iter().map(|(center, radius)| (center.map(|along| scale * along), radius)).collect();
            suited_bin(&DensityChoice::Count, &discs, size)
        };
        assert_eq!(side(9000, (40, 30)), 1);
        let [many, few] = [9000, 900].map(|count| side(count, (640, 480)));
        assert!((8..=16).contains(&many) && few > many && few <= 30, "{many} {few}");
        assert_eq!(suited_bin(&DensityChoice::Mass(None), &discs(9), (640, 480)), 1);
        assert_eq!(suited_bin(&DensityChoice::Count, &[], (640, 480)), 30);
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
        let [expected, found]: [f64; 2] =
            [&weights, &one].map(|all| all.iter().filter(|number| !number.is_nan()).sum());
        // each pixel's number has 53 bits of the 62 of its sum
        assert!((found - expected).abs() < 1e-14 * expected, "{found} {expected}");
    }
}
