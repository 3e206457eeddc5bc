//! A map of a table: the places, sizes and opacities of its rows in the picture.

use crate::color::Scale;
use crate::data::Table;
use crate::error::{Error, Result};
use crate::geom::single;
use crate::options::picture_settings::ASPECT;
use crate::options::ranges::AxisRange;
use crate::rows::canvas::{CanvasTransform, Corners, on_scales};
use crate::rows::column_plan::Sizing;
use crate::rows::row_panels::RowPanels;
use crate::scales::outliers::{PlaneExtent, extent_without_outliers};

/// Margin around a map, as a share of the picture's shorter side.
const MARGIN: f64 = 0.03;

/// The box of all rows on the scales of the axes, perhaps without a few points far off, unless these are all that a panel has.
pub(crate) fn extent(table: &Table<'_>, size: &Sizing, scales: [Scale; 2], panels: Option<&RowPanels>) -> PlaneExtent {
    let whole = bounds(table, size, scales);
    // circles with radii in data units are all shown, marks of some pixels need not be
    if matches!(size, Sizing::DataUnits(_)) {
        return whole;
    }
    let places = || table.blocks.iter().flat_map(|block| block.plane().iter()).map(|place| on_scales(scales, *place));
    let bulk @ [least, most] = extent_without_outliers(places(), whole, ASPECT);
    let Some(panels) = panels else { return bulk };
    let is_inside = |place: [f64; 2]| (0..2).all(|axis| (least[axis]..=most[axis]).contains(&place[axis]));
    let inside: Vec<bool> = places().map(is_inside).collect();
    let is_empty = |panel: usize| !panels.rows(panel).any(|row| inside[row]);
    if (0..panels.names.len()).any(is_empty) { whole } else { bulk }
}

/// Replaces the sides of an extent by the given ranges, on the scales of the axes.
///
/// # Errors
/// Refuses ranges without a place on the scales.
pub(crate) fn ranged(
    [mut least, mut most]: PlaneExtent,
    scales: [Scale; 2],
    ranges: [Option<AxisRange>; 2],
) -> Result<PlaneExtent> {
    for (axis, name) in ["x_range", "y_range"].into_iter().enumerate() {
        let Some(range) = ranges[axis] else { continue };
        [least[axis], most[axis]] = range.ends().map(|end| scales[axis].of(end));
        if !(least[axis].is_finite() && most[axis].is_finite()) {
            let message = format!("must be positive on the scale {}, got {range}", scales[axis].name());
            return Err(Error::setting(name, message));
        }
    }
    Ok([least, most])
}

/// The surroundings of a number on a scale: a factor of 3 on logarithmic ones, and some percent of it on others.
fn surroundings(number: f64, scale: Scale) -> [f64; 2] {
    let around = if scale == Scale::Log { 0.5 } else { 0.05 * number.abs() };
    let around = if around > 0.0 { around } else { 0.5 };
    let least = if scale == Scale::Sqrt { (number - around).max(0.0) } else { number - around };
    [least, number + around]
}

/// Width over height of an extent; NaN of a point.
pub(crate) fn aspect([least, most]: PlaneExtent) -> f64 {
    (most[0] - least[0]) / (most[1] - least[1])
}

/// The transform that shows an extent: north up, with room for a circle of radius `largest`, in pixels. `stretch` is the
/// length of a unit of x in units of y; without it, each axis fills the picture.
pub(crate) fn transform(
    [mut least, mut most]: PlaneExtent,
    scales: [Scale; 2],
    stretch: Option<f64>,
    largest: f64,
    (width, height): (u32, u32),
) -> CanvasTransform {
    let (width, height) = (f64::from(width), f64::from(height));
    let shorter = width.min(height);
    let margin = MARGIN * shorter + largest.min(0.25 * shorter);
    let room = [width - 2.0 * margin, height - 2.0 * margin];
    let is_single = |axis: usize| least[axis] == most[axis];
    if stretch.is_none() || is_single(0) && is_single(1) {
        for axis in 0..2 {
            if least[axis] == most[axis] {
                [least[axis], most[axis]] = surroundings(least[axis], scales[axis]);
            }
        }
    }
    let extent = [most[0] - least[0], most[1] - least[1]];
    // an extent that overflows
    let usable = |scale: f64| if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
    let (scale, stretch) = match stretch {
        Some(stretch) => (usable((room[0] / (extent[0] * stretch)).min(room[1] / extent[1])), stretch),
        None => {
            let [x, y] = [0, 1].map(|axis| usable(room[axis] / extent[axis]));
            (y, usable(x / y))
        }
    };
    CanvasTransform {
        center: [least[0] + 0.5 * extent[0], least[1] + 0.5 * extent[1]],
        scale,
        stretch,
        scales,
        y_sign: -1.0,
        middle: [0.5 * width, 0.5 * height],
    }
}

/// The radius in pixels that suits a number of points in a picture of that size.
pub(crate) fn suited_radius(count: usize, (width, height): (u32, u32)) -> f32 {
    let room = f64::from(width) * f64::from(height) / count.max(1) as f64;
    // by eye: crowds of small points, a few large ones
    single((0.42 * libm::pow(room, 0.35)).clamp(0.75, 8.0))
}

/// The box of the centres, grown by radii in data units: least and greatest corner.
fn bounds(table: &Table<'_>, size: &Sizing, scales: [Scale; 2]) -> PlaneExtent {
    let mut corners = Corners::NONE;
    for block in &table.blocks {
        for (row, center) in block.plane().iter().enumerate() {
            let radius = if let Sizing::DataUnits(column) = size { block.values[*column].number(row) } else { 0.0 };
            corners.add(on_scales(scales, *center), [if radius.is_nan() { 0.0 } else { radius }; 2]);
        }
    }
    corners.extent()
}
