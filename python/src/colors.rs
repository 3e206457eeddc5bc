//! Colours of values and of elements.

use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rayon::prelude::*;
use roundel::Srgba8;
use roundel::color::{ColorMap, Element};

use crate::columns::{are_finite, rows};
use crate::error::exception;
use crate::pool;

/// The names of all colour maps.
#[pyfunction]
pub(crate) fn colormaps() -> Vec<&'static str> {
    ColorMap::names().collect()
}

/// Colours, (n, 4) uint8, of numbers between `least` and `greatest`.
#[pyfunction]
pub(crate) fn map_colors<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    colormap: &str,
    least: f64,
    greatest: f64,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let map: ColorMap = colormap.parse().map_err(exception)?;
    let values = values.as_slice()?;
    let color = |value: &f64| {
        // in the middle where all are the same
        let share = if greatest > least { (value - least) / (greatest - least) } else { 0.5 };
        <[u8; 4]>::from(map.number(if value.is_nan() { f64::NAN } else { share }))
    };
    let colors: Vec<[u8; 4]> =
        py.detach(|| pool::install(|| values.par_iter().with_min_len(1 << 12).map(color).collect()));
    let count = colors.len();
    colors.into_flattened().into_pyarray(py).reshape([count, 4])
}

/// Red, green, blue and alpha of a colour: `#rgb`, `#rrggbb`, `#rrggbbaa` or a name of CSS; `None` for other text.
#[pyfunction]
pub(crate) fn color_channels(text: &str) -> Option<(u8, u8, u8, u8)> {
    text.parse().ok().map(|Srgba8 { r, g, b, a }| (r, g, b, a))
}

/// Symbols, van der Waals radii in ångström and colours (red, green, blue) of elements, each a symbol or an atomic number.
#[pyfunction]
pub(crate) fn element_looks(elements: Vec<ElementName>) -> Vec<(&'static str, f32, (u8, u8, u8))> {
    let look = |name: ElementName| {
        let element = match name {
            ElementName::Number(number) => Element::from_number(number),
            ElementName::Symbol(symbol) => Element::from_symbol(symbol.trim()),
        };
        let Element { symbol, radius, color, .. } = element.unwrap_or(Element::UNKNOWN);
        (symbol, radius, (color.r, color.g, color.b))
    };
    elements.into_iter().map(look).collect()
}

/// An element as programs name it.
#[derive(FromPyObject)]
pub(crate) enum ElementName {
    Number(u64),
    Symbol(String),
}

/// The radius for spheres of which only the centres are given; those that are not finite are left out.
#[pyfunction]
pub(crate) fn default_radius(py: Python<'_>, centers: PyReadonlyArray2<'_, f32>) -> PyResult<f32> {
    let centers = rows::<3>(&centers)?;
    let is_finite = |center: &[f32; 3]| are_finite(std::slice::from_ref(center));
    Ok(py.detach(|| match are_finite(centers) {
        true => roundel::io::default_radius(centers),
        false => {
            let finite: Vec<[f32; 3]> = centers.iter().copied().filter(is_finite).collect();
            roundel::io::default_radius(&finite)
        }
    }))
}
