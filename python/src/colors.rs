//! Colours of values and of elements.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use roundel::Srgba8;
use roundel::color::{ColorKey, ColorMap, Element, Scale};

use crate::columns::{are_finite, rows};
use crate::error::exception;
use crate::pool;

/// The names of all colour maps.
#[pyfunction]
pub(crate) fn colormaps() -> Vec<&'static str> {
    ColorMap::names().collect()
}

/// The names of palettes for categories of any kind.
#[pyfunction]
pub(crate) fn palettes() -> Vec<&'static str> {
    let is_palette = |map: ColorMap| map.has_categories() && !map.has_elements();
    ColorMap::names().filter(|name| name.parse().is_ok_and(is_palette)).collect()
}

/// The name in use of a colour map, or `None` if there is none by this name; in any case, with `_r` at the end of
/// ramps.
#[pyfunction]
pub(crate) fn colormap_name(name: &str) -> Option<&'static str> {
    name.parse().ok().map(ColorMap::name)
}

/// Adds a colour map between colours at equal distances, (n, 3) uint8, and returns the name that it has.
#[pyfunction]
pub(crate) fn add_colormap(name: &str, colors: Vec<[u8; 3]>) -> PyResult<&'static str> {
    ColorMap::add(name, &colors).map(ColorMap::name).map_err(exception)
}

/// Adds colours of categories, (n, 3) uint8, and returns the name that they have.
#[pyfunction]
pub(crate) fn add_palette(name: &str, colors: Vec<[u8; 3]>) -> PyResult<&'static str> {
    ColorMap::add_palette(name, &colors).map(ColorMap::name).map_err(exception)
}

/// Red, green and blue of the first `count` categories.
#[pyfunction]
pub(crate) fn category_colors(palette: &str, count: usize) -> PyResult<Vec<(u8, u8, u8)>> {
    let map: ColorMap = palette.parse().map_err(exception)?;
    if map.has_elements() {
        let message = format!("palette {palette:?} has the colours of elements; colors=\"element\" takes them");
        return Err(PyValueError::new_err(message));
    }
    Ok((0..count).map(|index| map.category(index)).map(|color| (color.r, color.g, color.b)).collect())
}

/// Colours, (n, 4) uint8, of numbers between `least` and `greatest`, spread `linear`, by `log` or `sqrt`. NaN, and numbers
/// that have no logarithm or square root where one is taken, are grey.
#[pyfunction]
pub(crate) fn map_colors<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    colormap: &str,
    scale: &str,
    least: f64,
    greatest: f64,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let map: ColorMap = colormap.parse().map_err(exception)?;
    // `libm`, as std's logarithm differs between platforms
    let spread: fn(f64) -> f64 = match scale.parse().map_err(exception)? {
        Scale::Linear => |value| value,
        Scale::Log => |value| if value > 0.0 { libm::log(value) } else { f64::NAN },
        Scale::Sqrt => |value| if value < 0.0 { f64::NAN } else { value.sqrt() },
    };
    let (least, greatest) = (spread(least), spread(greatest));
    let values = values.as_slice()?;
    let color = |&value: &f64| {
        let value = spread(value);
        // in the middle where all are the same
        let share = if greatest > least { (value - least) / (greatest - least) } else { 0.5 };
        <[u8; 4]>::from(map.number(if value.is_nan() { f64::NAN } else { share }))
    };
    let colors: Vec<[u8; 4]> =
        py.detach(|| pool::install(|| values.par_iter().with_min_len(1 << 12).map(color).collect()));
    let count = colors.len();
    colors.into_flattened().into_pyarray(py).reshape([count, 4])
}

/// The numbers at the ends of a colour map where none are given, as of a file: the least and the greatest of all but
/// outliers; or the percentiles `shares`. Numbers that have no place on the scale are left out; 0 twice without any.
#[pyfunction]
#[pyo3(signature = (values, scale, shares = None))]
pub(crate) fn value_range(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
    scale: &str,
    shares: Option<[f64; 2]>,
) -> PyResult<[f64; 2]> {
    let scale: Scale = scale.parse().map_err(exception)?;
    let values = values.as_slice()?;
    Ok(py.detach(|| roundel::io::color_ends(values, scale, shares)))
}

/// Shares of numbers, and a few numbers with their shares.
type Ranks<'py> = (Bound<'py, PyArray1<f64>>, Vec<[f64; 2]>);

/// The shares of numbers by rank, 0 to 1; and a few numbers with their shares, for a legend.
#[pyfunction]
pub(crate) fn color_ranks<'py>(py: Python<'py>, values: PyReadonlyArray1<'py, f64>) -> PyResult<Ranks<'py>> {
    let values = values.as_slice()?;
    let (shares, quantiles) = py.detach(|| roundel::io::color_ranks(values));
    Ok((shares.into_pyarray(py), quantiles))
}

/// The number of values for each whole number between the ends of a legend that lists them; empty for a ramp.
#[pyfunction]
pub(crate) fn count_whole(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
    scale: &str,
    ends: [f64; 2],
) -> PyResult<Vec<u64>> {
    let scale: Scale = scale.parse().map_err(exception)?;
    let values = values.as_slice()?;
    Ok(py.detach(|| ColorKey::count_whole(scale, ends, values.iter().map(|value| (*value, 1)))))
}

/// Red, green, blue and alpha of a colour: `#rgb`, `#rrggbb`, `#rrggbbaa` or a name of CSS; `None` for other text.
#[pyfunction]
pub(crate) fn color_channels(text: &str) -> Option<(u8, u8, u8, u8)> {
    text.parse().ok().map(|Srgba8 { r, g, b, a }| (r, g, b, a))
}

/// Symbol, van der Waals radius in ångström and colour (red, green, blue) of an element.
type ElementLook = (&'static str, f32, (u8, u8, u8));

/// The looks of elements, each a symbol or an atomic number, in the colours of a palette of elements.
#[pyfunction]
#[pyo3(signature = (elements, palette = "jmol"))]
pub(crate) fn element_looks(elements: Vec<ElementName>, palette: &str) -> PyResult<Vec<ElementLook>> {
    let map = palette.parse().ok().filter(|map: &ColorMap| map.has_elements());
    let map =
        map.ok_or_else(|| PyValueError::new_err(format!("palette of elements must be jmol or soft, got {palette:?}")))?;
    let look = |name: ElementName| {
        let element = match name {
            ElementName::Number(number) => Element::from_number(number),
            ElementName::Symbol(symbol) => Element::from_symbol(symbol.trim()),
        };
        let element = element.unwrap_or(Element::UNKNOWN);
        let (Element { symbol, radius, .. }, color) = (element, map.element(element));
        (symbol, radius, (color.r, color.g, color.b))
    };
    Ok(elements.into_iter().map(look).collect())
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
