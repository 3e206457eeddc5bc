//! The part of a map worth framing: all of it, unless a few far points would shrink the rest to a stamp.

use crate::rows::canvas::Corners;

/// A box in the plane: least and greatest corner.
pub(crate) type PlaneExtent = [[f64; 2]; 2];

/// Points that may be left outside, as a share of all.
const OUTSIDE: f64 = 0.02;

/// Points are left out only beyond an empty strip of this width, relative to the extent of the rest.
const GAP: f64 = 0.08;

/// All points are shown unless leaving some out enlarges the rest by at least this factor.
const WORTH: f64 = 1.5;

/// Slots of the histogram that finds empty strips; a strip of [`GAP`] is some forty of them.
const SLOTS: usize = 512;

/// The extent to frame for points of the extent `whole`, with a picture's `width / height`.
///
/// All of it, unless leaving out at most 2 % of the points, beyond empty strips, enlarges the rest by half: islands at
/// the other end of the world, a row of typing errors. Linear in the number of points.
pub(crate) fn extent_without_outliers(
    points: impl Iterator<Item = [f64; 2]> + Clone,
    whole: PlaneExtent,
    aspect: f64,
) -> PlaneExtent {
    let size = |extent: PlaneExtent| {
        let [least, most] = extent;
        ((most[0] - least[0]) / aspect).max(most[1] - least[1])
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
    let mut allowance = (OUTSIDE * points.clone().count() as f64) as usize;
    let mut kept = whole;
    // each round cuts at least one strip; further rounds gain nothing
    for _ in 0..16 {
        let before = kept;
        for axis in 0..2 {
            kept = cut(points.clone(), kept, axis, &mut allowance);
        }
        if kept == before {
            break;
        }
    }
    if size(whole) >= WORTH * size(kept) { kept } else { whole }
}

/// Removes small groups beyond an empty gap at either end of an axis.
fn cut(
    points: impl Iterator<Item = [f64; 2]> + Clone,
    extent: PlaneExtent,
    axis: usize,
    allowance: &mut usize,
) -> PlaneExtent {
    let [least, most] = extent;
    let width = most[axis] - least[axis];
    if *allowance == 0 || !(width > 0.0 && width.is_finite()) {
        return extent;
    }
    let inside = || points.clone().filter(|&point| contains(extent, point));
    let mut counts = [0_usize; SLOTS];
    for point in inside() {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to SLOTS")]
        let slot = ((point[axis] - least[axis]) / width * SLOTS as f64) as usize;
        counts[slot.min(SLOTS - 1)] += 1;
    }
    let (mut first, mut last) = (0, SLOTS - 1);
    let high = strip(counts.iter().rev().copied(), *allowance);
    if let Some((slots, cost)) = high {
        last -= slots;
        *allowance -= cost;
    }
    let low = strip(counts.iter().take(last + 1).copied(), *allowance);
    if let Some((slots, cost)) = low {
        first += slots;
        *allowance -= cost;
    }
    if (first, last) == (0, SLOTS - 1) {
        return extent;
    }
    // cut in the middle of empty slots, then shrink to the remaining rows
    let edge = |slot: usize| least[axis] + width * slot as f64 / SLOTS as f64;
    let mut cut = extent;
    cut[0][axis] = if first > 0 { edge(first) } else { least[axis] };
    cut[1][axis] = if last < SLOTS - 1 { edge(last + 1) } else { most[axis] };
    let tight = extent_of(inside().filter(|&point| contains(cut, point)));
    if tight[0][0] <= tight[1][0] { tight } else { extent }
}

/// The box around points.
fn extent_of(points: impl Iterator<Item = [f64; 2]>) -> PlaneExtent {
    let mut corners = Corners::NONE;
    points.for_each(|point| corners.add(point, [0.0; 2]));
    corners.extent()
}

/// Slots to cut from the start, and the points in them: up to the last empty strip that is wide enough and has few
/// enough points before it.
fn strip(counts: impl ExactSizeIterator<Item = usize>, allowance: usize) -> Option<(usize, usize)> {
    let slots = counts.len();
    let (mut before, mut empty, mut found) = (0, 0, None);
    for (slot, count) in counts.enumerate() {
        if count == 0 {
            empty += 1;
            continue;
        }
        let rest = (slots - slot) as f64;
        if before > 0 && before <= allowance && empty as f64 >= GAP * rest {
            found = Some((slot, before));
        }
        before += count;
        if before > allowance {
            break;
        }
        empty = 0;
    }
    found
}

/// Whether a point lies in a box, edges included.
fn contains([least, most]: PlaneExtent, point: [f64; 2]) -> bool {
    (0..2).all(|axis| (least[axis]..=most[axis]).contains(&point[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(points: &[[f64; 2]]) -> PlaneExtent {
        extent_of(points.iter().copied())
    }

    fn square() -> Vec<[f64; 2]> {
        (0..1000_u32).map(|i| [f64::from(i % 32) / 31.0, f64::from(i / 32) / 31.0]).collect()
    }

    #[test]
    fn bulk_leaves_a_few_far_points_out() {
        let mut points = square();
        let near = extent(&points);
        points.extend([[40.0, 0.5], [-1e30, 0.5], [0.5, 1e300], [3.0, -7.0]]);
        assert_eq!(extent_without_outliers(points.iter().copied(), extent(&points), 1.0), near);
    }

    #[test]
    fn bulk_keeps_many_far_points() {
        let mut points = square();
        points.extend(square().into_iter().take(30).map(|[x, y]| [x + 40.0, y]));
        assert_eq!(extent_without_outliers(points.iter().copied(), extent(&points), 1.0), extent(&points));
    }

    #[test]
    fn bulk_keeps_what_is_not_worth_cutting() {
        let mut points = square();
        points.push([1.3, 0.5]);
        assert_eq!(extent_without_outliers(points.iter().copied(), extent(&points), 1.0), extent(&points));
    }

    #[test]
    fn bulk_of_few_or_equal_points_is_all() {
        for points in [vec![[3.0, 4.0]], vec![[3.0, 4.0]; 500], vec![[0.0, 0.0], [1e9, 1.0]], vec![]] {
            assert_eq!(extent_without_outliers(points.iter().copied(), extent(&points), 1.0), extent(&points));
        }
    }
}
