//! Numbers of points in the pixels of a picture.

use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use roundel::geom::{Circle, masses_of_discs, single};

use crate::drawing::interruptible;

/// A statistic of the points in each pixel: (height, width) float64, the first row on top, NaN where there are none.
///
/// `statistic` is `"count"`, or `"sum"`, `"mean"`, `"max"` or `"min"` of weights. Pixel edges divide `left..right` and
/// `bottom..top` evenly. `numpy.histogram2d` has the same bins: a point on an edge belongs to the pixel with the greater
/// coordinates, and a point on the greatest edge to the last pixel; `left` may be greater than `right`, and `bottom` than
/// `top`. Points outside, and points with NaN, are left out. Sums have the same bits on any number of threads: points are
/// added in order, within parts that depend on their number alone, and parts in order.
#[pyfunction]
pub(crate) fn statistic_by_pixel<'py>(
    py: Python<'py>,
    x: PyReadonlyArray1<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    extent: [f64; 4],
    size: [usize; 2],
    statistic: &str,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let [left, right, bottom, top] = extent;
    let [width, height] = size;
    let (x, y) = (x.as_slice()?, y.as_slice()?);
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    if x.len() != y.len() || weights.is_some_and(|weights| weights.len() != x.len()) {
        return Err(PyValueError::new_err("x, y and weights must be of the same length"));
    }
    let count = width.checked_mul(height).filter(|&count| count > 0 && count <= 1 << 30);
    let count = count.ok_or_else(|| PyValueError::new_err("width times height must be 1 to 2^30 pixels"))?;
    let points =
        Points { x, y, columns: Bins::new(left, right, width), rows: Bins::new(top, bottom, height), pixels: count };
    let numbers = match (statistic, weights) {
        ("count", _) => interruptible(py, |_| Ok(points.counts()))?,
        ("sum" | "mean", Some(weights)) => {
            let is_mean = statistic == "mean";
            let number =
                move |tally: Tally| if is_mean { tally.number / f64::from(tally.points) } else { tally.number };
            interruptible(py, |_| Ok(points.tallies(weights, 0.0, |sum, weight| sum + weight, number)))?
        }
        // NaN loses against any number
        ("max", Some(weights)) => {
            interruptible(py, |_| Ok(points.tallies(weights, f64::NAN, f64::max, |tally| tally.number)))?
        }
        ("min", Some(weights)) => {
            interruptible(py, |_| Ok(points.tallies(weights, f64::NAN, f64::min, |tally| tally.number)))?
        }
        (other, _) => {
            let message =
                format!("statistic must be 'count', or 'sum', 'mean', 'max' or 'min' of weights, got {other:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    numbers.into_pyarray(py).reshape([height, width])
}

/// Weights (1 without any) spread over the exact areas of discs: (height, width) float64, the first row on top, NaN where no disc
/// is. `radii` are one, or as many as points, in the units of `x` and `y`; `statistic_by_pixel` has the same pixels,
/// which must be squares.
#[pyfunction]
pub(crate) fn mass_by_pixel<'py>(
    py: Python<'py>,
    x: PyReadonlyArray1<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    radii: PyReadonlyArray1<'py, f64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    extent: [f64; 4],
    size: [u32; 2],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y, radii) = (x.as_slice()?, y.as_slice()?, radii.as_slice()?);
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    if x.len() != y.len() || ![1, x.len()].contains(&radii.len()) || weights.is_some_and(|all| all.len() != x.len()) {
        return Err(PyValueError::new_err("x, y, weights and radii must be of the same length"));
    }
    if size.contains(&0) || u64::from(size[0]) * u64::from(size[1]) > 1 << 30 {
        return Err(PyValueError::new_err("width times height must be 1 to 2^30 pixels"));
    }
    let [left, right, bottom, top] = extent;
    let scales = [f64::from(size[0]) / (right - left), f64::from(size[1]) / (bottom - top)];
    let disc = |point: usize| {
        let center = [single((x[point] - left) * scales[0]), single((y[point] - top) * scales[1])];
        let radius = single(radii[if radii.len() == 1 { 0 } else { point }] * scales[0]);
        let weight = if let Some(weights) = weights { weights[point] } else { 1.0 };
        (Circle { center, radius }, weight)
    };
    let number = |mass: f64| if mass == 0.0 { f64::NAN } else { mass };
    let numbers = interruptible(py, |_| Ok(masses_of_discs(x.len(), disc, size)))?.into_iter().map(number);
    numbers.collect::<Vec<_>>().into_pyarray(py).reshape([size[1] as usize, size[0] as usize])
}

/// Points of the plane, and the pixels in which they are counted.
struct Points<'a> {
    x: &'a [f64],
    y: &'a [f64],
    columns: Bins,
    rows: Bins,
    pixels: usize,
}

/// The weights of the points in a pixel, joined, and how many they are: side by side, as each point changes both.
#[derive(Clone, Copy)]
struct Tally {
    number: f64,
    points: u32,
}

impl Points<'_> {
    /// Parts of the points, whose tallies are joined in order. Each has a picture of its own.
    const PARTS: usize = 4;

    /// Calls `add` with the pixel and the index of each point from `first` to `end` that is in a pixel.
    fn each(&self, first: usize, end: usize, mut add: impl FnMut(usize, usize)) {
        const CHUNK: usize = 256;
        let [mut columns, mut rows] = [[0_u32; CHUNK]; 2];
        for first in (first..end).step_by(CHUNK) {
            let chunk = first..(first + CHUNK).min(end);
            self.columns.slots(&self.x[chunk.clone()], &mut columns);
            self.rows.slots(&self.y[chunk.clone()], &mut rows);
            for ((index, &column), &row) in chunk.zip(&columns).zip(&rows) {
                if column != Bins::OUTSIDE && row != Bins::OUTSIDE {
                    add(row as usize * self.columns.count + column as usize, index);
                }
            }
        }
    }

    /// Pictures of parts of the points, to whose pixels `add` adds points by their index. There are as many as `wanted`, or fewer
    /// where pixels outnumber points.
    fn pictures<T: Copy + Send + Sync>(
        &self,
        wanted: usize,
        empty: T,
        add: impl Fn(&mut T, usize) + Sync,
    ) -> Vec<Vec<T>> {
        let length = self.x.len().div_ceil(wanted).max(1 << 16).max(self.pixels / 4);
        let picture = |part: usize| {
            let mut picture = vec![empty; self.pixels];
            let end = ((part + 1) * length).min(self.x.len());
            self.each(part * length, end, |pixel, index| add(&mut picture[pixel], index));
            picture
        };
        (0..self.x.len().div_ceil(length).max(1)).into_par_iter().map(picture).collect()
    }

    /// Numbers of points by pixel, counted by all threads: whole numbers have the same sum in any order.
    fn counts(&self) -> Vec<f64> {
        let parts = self.pictures(rayon::current_num_threads(), 0_u32, |count, _| *count += 1);
        self.numbers(|pixel| match parts.iter().map(|counts| counts[pixel]).sum() {
            0 => f64::NAN,
            count => f64::from(count),
        })
    }

    /// Numbers of the tallies of weights by pixel.
    fn tallies(
        &self,
        weights: &[f64],
        empty: f64,
        join: impl Fn(f64, f64) -> f64 + Sync,
        number: impl Fn(Tally) -> f64 + Sync,
    ) -> Vec<f64> {
        let both = |a: Tally, b: Tally| Tally { number: join(a.number, b.number), points: a.points + b.points };
        let parts = self.pictures(Self::PARTS, Tally { number: empty, points: 0 }, |tally, index| {
            *tally = both(*tally, Tally { number: weights[index], points: 1 });
        });
        self.numbers(|pixel| {
            let tallies = parts.iter().map(|tallies| tallies[pixel]).filter(|tally| tally.points > 0);
            tallies.reduce(both).map_or(f64::NAN, &number)
        })
    }

    /// A number for each pixel.
    fn numbers(&self, number: impl Fn(usize) -> f64 + Sync + Send) -> Vec<f64> {
        (0..self.pixels).into_par_iter().with_min_len(1 << 14).map(number).collect()
    }
}

/// Bins of equal width between two numbers. The edges are those of `numpy.linspace`, to the last bit.
struct Bins {
    least: f64,
    greatest: f64,
    width: f64,
    count: usize,
    /// Whether the first slot has the greatest numbers.
    descends: bool,
}

impl Bins {
    fn new(first: f64, last: f64, count: usize) -> Self {
        let (least, greatest) = (first.min(last), first.max(last));
        Self { least, greatest, width: (greatest - least) / count as f64, count, descends: first > last }
    }

    /// The lower edge of a bin.
    fn edge(&self, bin: f64) -> f64 {
        bin * self.width + self.least
    }

    /// The slot of numbers in no bin.
    const OUTSIDE: u32 = u32::MAX;

    /// The slots of numbers, or `OUTSIDE`: in f64 without branches, so that several are found at once.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half of a whole number below 2^33")]
    fn slots(&self, values: &[f64], slots: &mut [u32]) {
        /// Sums with it are rounded to whole numbers, which are their lower bits.
        const WHOLE: f64 = (1_u64 << 52) as f64;
        let Self { least, greatest, width, .. } = *self;
        let last = (self.count - 1) as f64;
        let (sign, first) = if self.descends { (-1.0, last) } else { (1.0, 0.0) };
        let is = |so: bool| if so { 1.0 } else { 0.0 };
        for (&value, slot) in values.iter().zip(slots) {
            // the quotient is off by one where it is rounded across an edge
            let near = ((value - least) / width - 0.5).max(0.0).min(last);
            let bin = (near + WHOLE) - WHOLE;
            let is_above = is((bin < last) & (value >= self.edge(bin + 1.0)));
            let bin = bin + is_above - is(value < self.edge(bin));
            let found =
                if (least <= value) & (value <= greatest) { bin * sign + first } else { f64::from(Self::OUTSIDE) };
            *slot = (found + WHOLE).to_bits() as u32;
        }
    }
}
