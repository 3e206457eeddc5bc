//! A map of a table: the places, sizes and opacities of its rows in the picture.

use super::canvas::{CanvasTransform, Corners};
use super::column_plan::Sizing;
use super::outliers::{PlaneExtent, extent_without_outliers};
use super::picture_settings::ASPECT;
use super::row_shapes::CircleLook;
use crate::data::Table;
use crate::geom::single;

/// Margin around a map, as a share of the picture's shorter side.
const MARGIN: f64 = 0.03;

/// The part of the plane to show: all rows, perhaps without a few points far off.
pub(crate) fn extent(table: &Table<'_>, size: &Sizing) -> PlaneExtent {
    let whole = bounds(table, size);
    // circles with radii in data units are all shown, marks of some pixels need not be
    if matches!(size, Sizing::DataUnits(_)) {
        return whole;
    }
    extent_without_outliers(table.blocks.iter().flat_map(|block| block.plane().iter().copied()), whole, ASPECT)
}

/// Width over height of an extent; NaN of a point.
pub(super) fn aspect([least, most]: PlaneExtent) -> f64 {
    (most[0] - least[0]) / (most[1] - least[1])
}

/// A note on a map in degrees that is stretched from west to east, as degrees of longitude get shorter towards the
/// poles.
pub(super) fn too_wide(file: &str, [least, most]: PlaneExtent) -> Option<String> {
    /// Maps at least this many times too wide get the note.
    const NOTED: f64 = 1.1;
    let latitude = 0.5 * (least[1] + most[1]);
    let times = 1.0 / libm::cos(latitude.to_radians());
    // beyond the poles there are no degrees of latitude
    let is_noted = times >= NOTED && latitude.abs() < 90.0;
    is_noted.then(|| {
        format!(
            "{file}: degrees of longitude are drawn as long as those of latitude, {times:.1} times too wide at {latitude:.0}° of \
             latitude; projected coordinates are not"
        )
    })
}

/// The transform that shows an extent: equal scale, north up, with room for a circle of radius `largest`, in pixels.
pub(crate) fn transform([least, most]: PlaneExtent, largest: f64, (width, height): (u32, u32)) -> CanvasTransform {
    let (width, height) = (f64::from(width), f64::from(height));
    let shorter = width.min(height);
    let margin = MARGIN * shorter + largest.min(0.25 * shorter);
    let room = [width - 2.0 * margin, height - 2.0 * margin];
    let extent = [most[0] - least[0], most[1] - least[1]];
    let scale = (room[0] / extent[0]).min(room[1] / extent[1]);
    // a single point, or an extent that overflows
    let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
    CanvasTransform {
        center: [least[0] + 0.5 * extent[0], least[1] + 0.5 * extent[1]],
        scale,
        y_sign: -1.0,
        middle: [0.5 * width, 0.5 * height],
    }
}

/// Radius and opacity that suit a number of points in a picture of that size.
pub(crate) fn suited_look(count: usize, (width, height): (u32, u32)) -> CircleLook {
    let room = f64::from(width) * f64::from(height) / count.max(1) as f64;
    // by eye: crowds of small points, a few large ones
    let radius = (0.42 * libm::pow(room, 0.35)).clamp(0.75, 8.0);
    // points that would cover the picture many times over are transparent, so that they add up
    let covered = std::f64::consts::PI * radius * radius / room;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let alpha = (255.0 * (0.25 / covered).clamp(0.02, 0.65)).round() as u8;
    CircleLook { radius: single(radius), alpha: Some(alpha) }
}

/// The box of the centres, grown by radii in data units: least and greatest corner.
fn bounds(table: &Table<'_>, size: &Sizing) -> PlaneExtent {
    let mut corners = Corners::NONE;
    for block in &table.blocks {
        for (row, center) in block.plane().iter().enumerate() {
            let radius = if let Sizing::DataUnits(column) = size { block.values[*column].number(row) } else { 0.0 };
            corners.add(*center, [if radius.is_nan() { 0.0 } else { radius }; 2]);
        }
    }
    corners.extent()
}
