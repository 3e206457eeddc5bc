//! Arrays of rows: centres, radii and colours.

use std::sync::atomic::{AtomicBool, Ordering};

use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use roundel::Srgba8;
use roundel::spheres::PaintedSphere;

use crate::error::exception;
use crate::pool;

/// Rows that a thread checks or converts in one go.
const CHUNK: usize = 1 << 12;

/// Radii of all rows: one for all, one for each, or two for each.
#[derive(FromPyObject)]
pub(crate) enum Radii<'py> {
    One(f32),
    Each(PyReadonlyArray1<'py, f32>),
    Axes(PyReadonlyArray2<'py, f32>),
}

/// Colours of all rows: one as text, or one for each, (n, 3) or (n, 4).
#[derive(FromPyObject)]
pub(crate) enum Colors<'py> {
    One(String),
    Each(PyReadonlyArray2<'py, u8>),
}

/// A value for all rows, or one for each.
#[derive(Clone, Copy)]
pub(crate) enum Column<'a, T> {
    One(T),
    Each(&'a [T]),
}

impl<T: Copy> Column<'_, T> {
    pub(crate) fn get(&self, row: usize) -> T {
        match self {
            Self::One(value) => *value,
            Self::Each(values) => values[row],
        }
    }
}

/// A colour for all rows, or one for each.
#[derive(Clone, Copy)]
pub(crate) enum ColorColumn<'a> {
    One(Srgba8),
    Rgb(&'a [[u8; 3]]),
    Rgba(&'a [[u8; 4]]),
}

impl ColorColumn<'_> {
    pub(crate) fn get(&self, row: usize) -> Srgba8 {
        match self {
            Self::One(color) => *color,
            Self::Rgb(colors) => {
                let [r, g, b] = colors[row];
                Srgba8::rgb(r, g, b)
            }
            Self::Rgba(colors) => colors[row].into(),
        }
    }
}

/// The rows of an array with `N` columns.
pub(crate) fn rows<'a, const N: usize>(array: &'a PyReadonlyArray2<'_, f32>) -> PyResult<&'a [[f32; N]]> {
    if array.shape()[1] != N {
        return Err(PyValueError::new_err(format!("an array must be (n, {N}), got {:?}", array.shape())));
    }
    Ok(array.as_slice()?.as_chunks().0)
}

pub(crate) fn radii<'a>(radii: &'a Radii<'_>, count: usize) -> PyResult<Column<'a, f32>> {
    match radii {
        Radii::One(radius) => Ok(Column::One(*radius)),
        Radii::Each(each) if each.len() == count => Ok(Column::Each(each.as_slice()?)),
        _ => Err(PyValueError::new_err(format!("radii must be one number or ({count},)"))),
    }
}

pub(crate) fn colors<'a>(colors: &'a Colors<'_>, count: usize) -> PyResult<ColorColumn<'a>> {
    let each = match colors {
        Colors::One(text) => return text.parse().map(ColorColumn::One).map_err(exception),
        Colors::Each(each) => each,
    };
    let bytes = each.as_slice()?;
    match *each.shape() {
        [rows, 3] if rows == count => Ok(ColorColumn::Rgb(bytes.as_chunks().0)),
        [rows, 4] if rows == count => Ok(ColorColumn::Rgba(bytes.as_chunks().0)),
        _ => Err(PyValueError::new_err(format!("colors must be one or ({count}, 3 or 4)"))),
    }
}

/// Shapes of all rows.
pub(crate) fn shapes<T: Send>(count: usize, shape: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..count).into_par_iter().with_min_len(CHUNK).map(shape).collect()
}

/// Puts the spheres of all rows into `spheres`, whose memory is used again. Returns whether all can be drawn.
pub(crate) fn gather(
    spheres: &mut Vec<PaintedSphere>,
    centers: &[[f32; 3]],
    radii: Column<'_, f32>,
    colors: ColorColumn<'_>,
) -> bool {
    let has_bad = AtomicBool::new(false);
    let sphere = |row: usize| {
        let (center, radius) = (centers[row], radii.get(row));
        // a sum of finite numbers that overflows is looked at again
        if !((center[0] + center[1] + center[2]).is_finite() && (0.0..f32::INFINITY).contains(&radius)) {
            has_bad.store(true, Ordering::Relaxed);
        }
        PaintedSphere::new(center, radius, colors.get(row))
    };
    pool::install(|| (0..centers.len()).into_par_iter().with_min_len(CHUNK).map(sphere).collect_into_vec(spheres));
    !has_bad.into_inner()
}

/// Refuses the first row with a number that is not finite, or a negative radius.
pub(crate) fn check<const N: usize>(py: Python<'_>, centers: &[[f32; N]], radii: &Column<'_, f32>) -> PyResult<()> {
    let is_bad = |center: &[f32; N]| !center.iter().all(|part| part.is_finite());
    let is_wrong = |radius: f32| !(radius.is_finite() && radius >= 0.0);
    let (row, radius) = py.detach(|| {
        pool::install(|| {
            let row = first(centers, is_bad);
            let radius = match radii {
                Column::One(radius) => is_wrong(*radius).then_some(0),
                Column::Each(each) => first(each, |&radius| is_wrong(radius)),
            };
            (row, radius)
        })
    });
    if let Some(row) = row {
        let message = format!(
            "positions[{row}] is {:?}: positions must be finite; invalid='skip' leaves such rows out",
            centers[row]
        );
        return Err(PyValueError::new_err(message));
    }
    match (radius, radii) {
        (None, _) => Ok(()),
        (Some(_), Column::One(radius)) => {
            Err(PyValueError::new_err(format!("radii must be finite and not negative, got {radius}")))
        }
        (Some(row), Column::Each(each)) => {
            let message = format!(
                "radii[{row}] is {}: radii must be finite and not negative; invalid='skip' leaves such rows out",
                each[row]
            );
            Err(PyValueError::new_err(message))
        }
    }
}

/// The first value of which something holds.
fn first<T: Sync>(values: &[T], holds: impl Fn(&T) -> bool + Sync) -> Option<usize> {
    let chunk = values.par_chunks(CHUNK).position_first(|chunk| chunk.iter().any(&holds))?;
    values[chunk * CHUNK..].iter().position(holds).map(|at| chunk * CHUNK + at)
}
