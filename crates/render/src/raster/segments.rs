//! Paints line segments with round ends into a block, with exact coverage.
//!
//! Between its ends a segment is a strip, the difference of two half-planes: their areas in a pixel have a closed form,
//! computed for sixteen pixels at a time. The few pixels at the ends are computed one at a time in `f64`. Which method
//! a pixel takes depends on the segment alone.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "pixels of a block; float casts saturate; rounded to the nearest f32"
)]

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16, f64x8};

use super::blend::{BlendSpace, Ink};
use super::block::PixelBlock;
use super::coverage::weight::{SLACK, STRETCH, weight};
use super::shape::RasterShape;
use crate::color::Srgba8;
use crate::geom::Stroke2;
use crate::lanes::next_lane;
use crate::scene::circles::PaintedSegment;

/// Pixels computed at a time.
const LANES: usize = 16;

/// A segment prepared for its pixels.
#[derive(Clone, Copy, Debug)]
struct StraightStroke {
    stroke: Stroke2,
    /// Half the extent of a pixel across the line, which equals its extent along the line.
    reach: f64,
    color: Srgba8,
}

impl StraightStroke {
    fn new(segment: &PaintedSegment) -> Option<Self> {
        let stroke = Stroke2::new(segment.start, segment.end, segment.width)?;
        let reach = 0.5 * (stroke.along.x.abs() + stroke.along.y.abs());
        (segment.color.a > 0).then_some(Self { stroke, reach, color: segment.color })
    }
}

/// Paints segments below the content of a block, the last first; returns whether the block is finished.
pub(super) fn paint<'a>(
    level: Level,
    block: &mut PixelBlock,
    segments: impl Iterator<Item = &'a PaintedSegment>,
    space: &BlendSpace,
) -> bool {
    dispatch!(level, simd => {
        for line in segments.filter_map(StraightStroke::new) {
            paint_line(simd, block, &line, space);
        }
        block.is_finished(simd)
    })
}

#[inline(always)]
fn paint_line<S: Simd>(simd: S, block: &mut PixelBlock, line: &StraightStroke, space: &BlendSpace) {
    let Stroke2 { start, along, length, half } = line.stroke;
    let end = start + along * length;
    let clip =
        |edge: f64, from: i32, length: usize| (edge as i32).saturating_sub(from).clamp(0, length as i32) as usize;
    let [left, top] = [start.x.min(end.x) - half, start.y.min(end.y) - half].map(f64::floor);
    let [right, bottom] = [start.x.max(end.x) + half, start.y.max(end.y) + half].map(f64::ceil);
    let (left, right) = (clip(left, block.x, block.width), clip(right, block.x, block.width));
    let (top, bottom) = (clip(top, block.y, block.height), clip(bottom, block.y, block.height));
    if left >= right {
        return;
    }
    let shape = RasterShape { color: line.color, alpha: f32::from(line.color.a) * (1.0 / 255.0), ..RasterShape::EMPTY };
    let ink = Ink::<f32x16<S>>::new(simd, &shape, space);
    for row in top..bottom {
        let y = block.y + row as i32;
        let (mut first, mut last) = (left, right);
        // columns with centres within reach of the line, and one more at either side
        let down = f64::from(y) + 0.5 - start.y;
        let (middle, wide) = (down * along.x / along.y, (half + line.reach) / along.y.abs() + 1.5);
        if wide < 1e9 {
            first = first.max(clip((start.x + middle - wide).floor(), block.x, block.width));
            last = last.min(clip((start.x + middle + wide).ceil(), block.x, block.width));
        } else if (down * along.x).abs() > half + line.reach + 1.0 {
            continue;
        }
        if first >= last {
            continue;
        }
        for column in (first - first % LANES..last).step_by(LANES) {
            let pixels = &mut block.rows[row];
            if pixels.shows_through::<S, f32x16<S>>(simd, column) {
                let weight = weights(simd, line, &ink, [block.x + column as i32, y]);
                ink.blend(simd, pixels, column, weight);
            }
        }
    }
}

/// The weights of sixteen pixels from (x, y) to the right.
#[inline(always)]
fn weights<S: Simd>(simd: S, line: &StraightStroke, ink: &Ink<f32x16<S>>, [x, y]: [i32; 2]) -> f32x16<S> {
    let Stroke2 { start, along: direction, length, half } = line.stroke;
    let (splat, down) = (|number: f64| f32x16::splat(simd, number as f32), f64::from(y) + 0.5 - start.y);
    let mut edges = [[f64x8::splat(simd, 0.0); 4]; 2];
    // loops: closures handed to `map` are compiled without the instructions of the level
    for (edges, step) in edges.iter_mut().zip([0, 8]) {
        let steps = f64x8::load_array(simd, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]);
        let right = steps + (f64::from(x + step) - start.x);
        let along = right * direction.x + down * direction.y;
        let across = right * -direction.y + down * direction.x;
        // distances from the edges: small at the rim, where rounding to `f32` must not matter
        *edges = [across + half, -across + half, along - line.reach, -along + (length - line.reach)];
    }
    let [first, last] = edges;
    let mut narrow = [f32x16::splat(simd, 0.0); 4];
    for (narrow, (first, last)) in narrow.iter_mut().zip(first.into_iter().zip(last)) {
        *narrow = first.narrow(last);
    }
    let [left, right, start, end] = narrow;
    let inner = HalfPlane::new(direction.to_array());
    let (one, zero) = (splat(1.0), splat(0.0));
    let covered = inner.area(simd, left) + inner.area(simd, right) - one;
    // pixels that lie between the ends
    let is_between = start.simd_ge(zero) & end.simd_ge(zero);
    let (aside, beyond) = (splat(-line.reach), splat(-half - 2.0 * line.reach));
    let is_near = left.simd_ge(aside) & right.simd_ge(aside) & start.simd_ge(beyond) & end.simd_ge(beyond);
    let is_end = is_near & !is_between;
    let mut coverage = is_between.select(covered.max(zero), zero);
    let mut ends = is_end.to_bitmask();
    if ends != 0 {
        let mut lanes = coverage.to_array();
        while let Some(lane) = next_lane(&mut ends) {
            lanes[lane] = line.stroke.pixel_coverage(x + lane as i32, y) as f32;
        }
        coverage = f32x16::load_array(simd, lanes);
    }
    weight(coverage * (ink.opacity * STRETCH), ink.opacity * SLACK, ink.opacity)
}

/// Area of a half-plane in a pixel, by the distance of its edge from the pixel's centre.
///
/// The length of the edge inside the pixel, as a function of that distance, is a trapezoid: constant in the middle,
/// then falling to 0.
#[derive(Clone, Copy, Debug)]
struct HalfPlane {
    /// Distances up to which the area is linear, and from which it is complete.
    bend: f32,
    end: f32,
    /// Slope of the linear part.
    slope: f32,
    /// Half the curvature beyond it; finite for axis-parallel edges, which have no such part.
    curve: f32,
}

impl HalfPlane {
    /// For edges in this direction.
    #[inline(always)]
    fn new([x, y]: [f64; 2]) -> Self {
        let (most, least) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
        let curve = 0.5 / (most * least.max(1e-9));
        Self {
            bend: (0.5 * (most - least)) as f32,
            end: (0.5 * (most + least)) as f32,
            slope: (1.0 / most) as f32,
            curve: curve as f32,
        }
    }

    /// Areas in pixels with centres this far inside.
    #[inline(always)]
    fn area<S: Simd>(self, simd: S, inside: f32x16<S>) -> f32x16<S> {
        let (half, one) = (f32x16::splat(simd, 0.5), f32x16::splat(simd, 1.0));
        let distance = inside.abs();
        let rest = (f32x16::splat(simd, self.end) - distance).max(0.0);
        let outer = (rest * rest * self.curve).min(half);
        let missing = distance.simd_le(self.bend).select(half - distance * self.slope, outer);
        inside.simd_ge(0.0).select(one - missing, missing)
    }
}
