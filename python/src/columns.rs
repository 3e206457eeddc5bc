//! Arrays of rows: centres, radii and colours.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use roundel::Srgba8;
use roundel::spheres::{SphereColors, SphereRadii};

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

impl Column<'_, f32> {
    /// A copy for a scene.
    pub(crate) fn into_owned(self) -> SphereRadii<'static> {
        match self {
            Self::One(radius) => SphereRadii::One(radius),
            Self::Each(each) => SphereRadii::Each(each.to_vec().into()),
        }
    }
}

impl<'a> From<Column<'a, f32>> for SphereRadii<'a> {
    fn from(radii: Column<'a, f32>) -> Self {
        match radii {
            Column::One(radius) => Self::One(radius),
            Column::Each(each) => each.into(),
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

    /// A copy for a scene.
    pub(crate) fn into_owned(self) -> SphereColors<'static> {
        match self {
            Self::One(color) => SphereColors::One(color),
            Self::Rgb(each) => SphereColors::Rgb(each.to_vec().into()),
            Self::Rgba(each) => SphereColors::Rgba(each.to_vec().into()),
        }
    }
}

impl<'a> From<ColorColumn<'a>> for SphereColors<'a> {
    fn from(colors: ColorColumn<'a>) -> Self {
        match colors {
            ColorColumn::One(color) => Self::One(color),
            ColorColumn::Rgb(each) => each.into(),
            ColorColumn::Rgba(each) => each.into(),
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

/// Refuses the first row with a number that is not finite, or a negative radius.
pub(crate) fn check<const N: usize>(py: Python<'_>, centers: &[[f32; N]], radii: &Column<'_, f32>) -> PyResult<()> {
    let is_bad = |center: &[f32; N]| !center.iter().all(|part| part.is_finite());
    let is_wrong = |radius: f32| !is_length(radius);
    let (row, radius) = py.detach(|| {
        pool::install(|| {
            if are_sound(centers, radii) {
                return (None, None);
            }
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

/// Whether all numbers are finite and no radius is negative: one branchless pass on all threads.
fn are_sound<const N: usize>(centers: &[[f32; N]], radii: &Column<'_, f32>) -> bool {
    let are_lengths = |radii: &[f32]| radii.iter().fold(true, |all, &radius| all & is_length(radius));
    match radii {
        Column::One(radius) => is_length(*radius) && centers.par_chunks(CHUNK).all(are_finite),
        Column::Each(radii) => {
            let rows = centers.par_chunks(CHUNK).zip(radii.par_chunks(CHUNK));
            rows.all(|(centers, radii)| are_finite(centers) & are_lengths(radii))
        }
    }
}

/// Whether all numbers are finite.
pub(crate) fn are_finite<const N: usize>(rows: &[[f32; N]]) -> bool {
    rows.as_flattened().iter().fold(true, |all, number| all & number.is_finite())
}

/// Whether a radius is finite and not negative.
fn is_length(radius: f32) -> bool {
    (0.0..f32::INFINITY).contains(&radius)
}

/// A mask of rows with finite centres, and radii that are finite and not negative; `None` if all have. A single radius
/// is not checked.
#[pyfunction]
pub(crate) fn sound_rows<'py>(
    py: Python<'py>,
    centers: PyReadonlyArray2<'_, f32>,
    radii: Radii<'_>,
) -> PyResult<Option<Bound<'py, PyArray1<bool>>>> {
    let centers = rows::<3>(&centers)?;
    let radii = match self::radii(&radii, centers.len())? {
        Column::One(_) => Column::One(0.0),
        each => each,
    };
    let sound = py.detach(|| {
        pool::install(|| {
            let is_sound = |row: usize| centers[row].iter().all(|part| part.is_finite()) && is_length(radii.get(row));
            (!are_sound(centers, &radii)).then(|| shapes(centers.len(), is_sound))
        })
    });
    Ok(sound.map(|sound| sound.into_pyarray(py)))
}

/// The index of the first value with a property.
fn first<T: Sync>(values: &[T], holds: impl Fn(&T) -> bool + Sync) -> Option<usize> {
    let chunk = values.par_chunks(CHUNK).position_first(|chunk| chunk.iter().any(&holds))?;
    values[chunk * CHUNK..].iter().position(holds).map(|at| chunk * CHUNK + at)
}
