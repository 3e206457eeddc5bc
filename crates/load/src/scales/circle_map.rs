//! A map of a table: the places, sizes and opacities of its rows in the picture.

use crate::color::Scale;
use crate::data::Table;
use crate::geom::single;
use crate::options::picture_settings::ASPECT;
use crate::rows::canvas::{CanvasTransform, Corners, on_scales};
use crate::rows::column_plan::Sizing;
use crate::rows::row_panels::RowPanels;
use crate::scales::outliers::{PlaneExtent, extent_without_outliers};

/// Margin around a map, as a share of the picture's shorter side.
const MARGIN: f64 = 0.03;

/// The part of the plane to show, on the scales of the axes: all rows, perhaps without a few points far off, unless these
/// are all that a panel has.
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

/// Width over height of an extent; NaN of a point.
pub(crate) fn aspect([least, most]: PlaneExtent) -> f64 {
    (most[0] - least[0]) / (most[1] - least[1])
}

/// The transform that shows an extent: north up, with room for a circle of radius `largest`, in pixels. `stretch` is the
/// length of a unit of x in units of y; without it, each axis fills the picture.
pub(crate) fn transform(
    [least, most]: PlaneExtent,
    scales: [Scale; 2],
    stretch: Option<f64>,
    largest: f64,
    (width, height): (u32, u32),
) -> CanvasTransform {
    let (width, height) = (f64::from(width), f64::from(height));
    let shorter = width.min(height);
    let margin = MARGIN * shorter + largest.min(0.25 * shorter);
    let room = [width - 2.0 * margin, height - 2.0 * margin];
    let extent = [most[0] - least[0], most[1] - least[1]];
    // a single point, or an extent that overflows
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
