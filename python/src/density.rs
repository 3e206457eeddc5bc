//! Numbers of points in the pixels of a picture.

use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::drawing::interruptible;

/// Adds up weights (1 without any) by pixel: (height, width) float64, the first row on top; or finds the greatest or
/// the least, NaN where there is none.
///
/// Pixel edges divide `left..right` and `bottom..top` evenly. Bins are those of `numpy.histogram2d`: a point on an edge
/// belongs to the pixel with the greater coordinates, and a point on the greatest edge to the last pixel; `left` may be
/// greater than `right`, and `bottom` than `top`. Points outside, and those with NaN, are left out. Points are added in
/// order, so that the sums have the same bits everywhere.
#[pyfunction]
#[pyo3(signature = (x, y, weights, extent, size, statistic = "sum"))]
pub(crate) fn count_by_pixel<'py>(
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
    let (columns, rows) = (Bins::new(left, right, width), Bins::new(top, bottom, height));
    let pixel = |x: f64, y: f64| Some(rows.slot(y)? * width + columns.slot(x)?);
    let fold = |empty: f64, join: fn(f64, f64) -> f64| {
        let mut numbers = vec![empty; count];
        for (row, (&x, &y)) in x.iter().zip(y).enumerate() {
            if let Some(pixel) = pixel(x, y) {
                numbers[pixel] = join(numbers[pixel], weights.map_or(1.0, |weights| weights[row]));
            }
        }
        numbers
    };
    let numbers = match (statistic, weights) {
        ("sum", None) => interruptible(py, |_| Ok(counts(x, y, count, pixel)))?,
        ("sum", Some(_)) => interruptible(py, |_| Ok(fold(0.0, |sum, weight| sum + weight)))?,
        // NaN loses against any number
        ("max", _) => interruptible(py, |_| Ok(fold(f64::NAN, f64::max)))?,
        ("min", _) => interruptible(py, |_| Ok(fold(f64::NAN, f64::min)))?,
        (other, _) => {
            return Err(PyValueError::new_err(format!("statistic must be 'sum', 'max' or 'min', got {other:?}")));
        }
    };
    numbers.into_pyarray(py).reshape([height, width])
}

/// Numbers of points by pixel, counted by all threads: whole numbers have the same sum in any order.
fn counts(x: &[f64], y: &[f64], pixels: usize, pixel: impl Fn(f64, f64) -> Option<usize> + Sync) -> Vec<f64> {
    let part = x.len().div_ceil(rayon::current_num_threads()).max(1 << 16);
    let parts = x.par_chunks(part).zip(y.par_chunks(part)).map(|(x, y)| {
        let mut counts = vec![0_u32; pixels];
        x.iter().zip(y).filter_map(|(&x, &y)| pixel(x, y)).for_each(|pixel| counts[pixel] += 1);
        counts
    });
    let parts: Vec<Vec<u32>> = parts.collect();
    (0..pixels).map(|pixel| parts.iter().map(|counts| f64::from(counts[pixel])).sum()).collect()
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
    fn edge(&self, bin: usize) -> f64 {
        bin as f64 * self.width + self.least
    }

    /// The slot of a number; `None` outside of all bins.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the number of bins")]
    fn slot(&self, value: f64) -> Option<usize> {
        if !(self.least..=self.greatest).contains(&value) {
            return None;
        }
        let last = self.count - 1;
        // the quotient is off by one where it is rounded across an edge
        let mut bin = (((value - self.least) / self.width) as usize).min(last);
        if value < self.edge(bin) {
            bin -= 1;
        } else if bin < last && value >= self.edge(bin + 1) {
            bin += 1;
        }
        Some(if self.descends { last - bin } else { bin })
    }
}
