//! Bins line segments: finds the tiles of the canvas that a segment may touch.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "tiles of a frame; float casts saturate")]

use super::circles::TileGrid;

/// The region that a segment may paint: all points within half its width of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentExtent {
    pub(crate) ends: [[f32; 2]; 2],
    /// Half the width, in pixels: positive and finite, or NaN for a segment that paints nothing.
    pub(crate) half: f32,
}

/// Slack of the test in pixels: more than its rounding for coordinates within reach of a canvas.
///
/// Bound: `segments_do_not_depend_on_threads_tiles_culling_or_lanes`.
const SLACK: f64 = 0.01;

/// Calls `found` with each tile that the segment may touch.
pub(super) fn for_each_tile(extent: &SegmentExtent, grid: &TileGrid, mut found: impl FnMut(u32)) {
    let [start, end] = extent.ends.map(|point| point.map(f64::from));
    let half = f64::from(extent.half);
    let size = [grid.width, grid.height];
    let range = |axis: usize| {
        let length = f64::from(size[axis]);
        let first = (start[axis].min(end[axis]) - half).floor().max(0.0);
        let last = (start[axis].max(end[axis]) + half).ceil().min(length);
        (first < last).then(|| (first as u32 / grid.tile, (last as u32 - 1) / grid.tile))
    };
    let (Some((left, right)), Some((top, bottom))) = (range(0), range(1)) else { return };
    let along = [end[0] - start[0], end[1] - start[1]];
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    let is_single = left == right && top == bottom;
    let side = f64::from(grid.tile);
    let reach = (half + SLACK) * length + 0.5 * side * (along[0].abs() + along[1].abs());
    for row in top..=bottom {
        for column in left..=right {
            let middle = [f64::from(column) * side + 0.5 * side, f64::from(row) * side + 0.5 * side];
            let across = along[0] * (middle[1] - start[1]) - along[1] * (middle[0] - start[0]);
            // NaN where products overflow keeps the tile
            if is_single || across.is_nan() || across.abs() <= reach {
                found(row * grid.columns + column);
            }
        }
    }
}
