//! The openness of points on spheres that are large in the picture: a hemisphere of directions in rows.
//!
//! Seen along the normal, cosine-distributed directions fill a disk evenly. A row across the disk is half of a circle on
//! the hemisphere, and a cap covers an arc of it: two ends, whatever the number of directions in the row.
#![expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rows and columns are few")]

use std::f64::consts::PI;
use std::sync::LazyLock;

use fearless_simd::{f32x8, i32x8, mask32x8, prelude::*, u32x8};

use super::lookups::cells_about;
use super::near_planes::NearSpheres;
use super::near_spheres::NearGroup;
use super::openness::{SmoothOcclusion, TURNS, turned};
use super::surroundings::Surroundings;
use crate::lanes::{LANES, Rows3, Vec3x8, dot3, next_lane, splat3};
use crate::trace::find::sampling::{PLASTIC, plastic, tangents};

/// Vectors of eight rows.
const VECTORS: usize = 3;

/// Directions in a row, a bit each, and in a group that shares its far light.
const COLUMNS: usize = 32;
const GROUP: usize = 4;

/// Directions of the hemisphere.
const DIRECTIONS: f32 = (VECTORS * LANES * COLUMNS) as f32;

/// The rows of the hemisphere about +z, eight side by side.
struct HemisphereRows {
    /// Height in the disk, half of the width, and its inverse.
    height: [[f32; LANES]; VECTORS],
    inverse_width: [[f32; LANES]; VECTORS],
    /// The column in the middle of a row; rows are shifted so that no columns form.
    middle: [[f32; LANES]; VECTORS],
    /// A direction of each group, at another place in each.
    places: [[Rows3; VECTORS]; COLUMNS / GROUP],
}

static ROWS: LazyLock<HemisphereRows> = LazyLock::new(HemisphereRows::new);

impl HemisphereRows {
    fn new() -> Self {
        let mut rows = Self {
            height: [[0.0; LANES]; VECTORS],
            inverse_width: [[0.0; LANES]; VECTORS],
            middle: [[0.0; LANES]; VECTORS],
            places: [[[[0.0; LANES]; 3]; VECTORS]; COLUMNS / GROUP],
        };
        for row in 0..VECTORS * LANES {
            let (vector, lane) = (row / LANES, row % LANES);
            let height = height_under((row as f64 + 0.5) / (VECTORS * LANES) as f64);
            let width = (1.0 - height * height).sqrt();
            rows.height[vector][lane] = height as f32;
            rows.inverse_width[vector][lane] = (1.0 / width) as f32;
            rows.middle[vector][lane] = (0.5 * COLUMNS as f64 + spread(row)[0]) as f32;
            for (group, places) in rows.places.iter_mut().enumerate() {
                let number = row * COLUMNS / GROUP + group;
                let [in_row, in_group] = spread(number);
                let share = (row as f64 + in_row) / (VECTORS * LANES) as f64;
                let along = 2.0 * (group as f64 + in_group) / (COLUMNS / GROUP) as f64 - 1.0;
                let height = height_under(share);
                let width = (1.0 - height * height).sqrt();
                let up = width * (1.0 - along * along).sqrt();
                for (row, along) in places[vector].iter_mut().zip([width * along, height, up]) {
                    row[lane] = along as f32;
                }
            }
        }
        rows
    }
}

/// A point of the plastic sequence, half a step on: no row begins at an edge.
fn spread(number: usize) -> [f64; 2] {
    plastic(number as u32, PLASTIC.map(|step| 0.5 * step))
}

/// The height in the unit disk under which this share of its area lies.
fn height_under(share: f64) -> f64 {
    let (mut low, mut high) = (-1.0f64, 1.0f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let area = middle * (1.0 - middle * middle).sqrt() + libm::asin(middle);
        if area / PI + 0.5 < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

impl SmoothOcclusion<'_> {
    /// The share of light that arrives at a point with this normal, relative to the viewpoint, past near and far spheres;
    /// `None` if planes may cut them, or directions may leave one that contains the point. `shift` corrects far directions.
    #[inline(always)]
    pub(super) fn open_in_rows<S: Simd>(
        &self,
        simd: S,
        surroundings: &Surroundings,
        near: NearSpheres<'_>,
        point: [f32; 3],
        normal: [f32; 3],
        shift: [f32; 3],
    ) -> Option<f32> {
        if !near.planes.is_empty() {
            return None;
        }
        let frame = turned(tangents(normal), TURNS[2]);
        let Some(blocked) = self.blocked_in_rows(simd, near, point, frame, normal) else {
            return (!self.has_stand_ins && self.reach == f32::INFINITY).then_some(0.0);
        };
        let zero = f32x8::splat(simd, 0.0);
        let mut counts = [u32x8::splat(simd, 0); VECTORS];
        for (counts, blocked) in counts.iter_mut().zip(blocked) {
            // open directions of each group, in four bits
            let open = !blocked;
            let pairs = open - ((open >> 1) & 0x5555_5555);
            *counts = (pairs & 0x3333_3333) + ((pairs >> 2) & 0x3333_3333);
        }
        // all are stored before any is loaded: a vector load right after scalar stores would stall
        let mut lights = [[[1.0; LANES]; VECTORS]; COLUMNS / GROUP];
        if !surroundings.is_clear {
            for (lights, places) in lights.iter_mut().zip(&ROWS.places) {
                for (lights, places) in lights.iter_mut().zip(places) {
                    let cells = cells_about(simd, places, frame, normal, shift).to_array();
                    for (light, cell) in lights.iter_mut().zip(cells) {
                        *light = surroundings.far[cell.cast_unsigned() as usize];
                    }
                }
            }
        }
        let mut sum = zero;
        for lights in &lights {
            for (lights, counts) in lights.iter().zip(&mut counts) {
                sum += (*counts & 15).to_float::<f32x8<S>>() * f32x8::load_array_ref(simd, lights);
                *counts >>= 4;
            }
        }
        let [a, b, c, d, e, f, g, h] = sum.to_array();
        Some((((a + b) + (c + d)) + ((e + f) + (g + h))) * (1.0 / DIRECTIONS))
    }

    /// The directions in rows that near spheres block, from the least column on; `None` if one contains the point.
    #[inline(always)]
    fn blocked_in_rows<S: Simd>(
        &self,
        simd: S,
        near: NearSpheres<'_>,
        point: [f32; 3],
        [tangent, bitangent]: [[f32; 3]; 2],
        normal: [f32; 3],
    ) -> Option<[u32x8<S>; VECTORS]> {
        let (tangent, bitangent) = (splat3(simd, tangent), splat3(simd, bitangent));
        let mut blocked = [u32x8::splat(simd, 0); VECTORS];
        for spheres in near.groups {
            let seen = NearGroup::new(simd, spheres, point, normal);
            if seen.is_around(simd).any_true() {
                return None;
            }
            let is_cap = seen.is_cap(simd, self.reach);
            if !is_cap.any_true() {
                continue;
            }
            let axis = [dot3(seen.toward, tangent), dot3(seen.toward, bitangent), seen.height];
            let arcs = CapArcs::new(simd, axis, seen.cosine(simd, self.reach) * seen.distance);
            let mut lanes = is_cap.to_bitmask();
            while let Some(lane) = next_lane(&mut lanes) {
                for (vector, blocked) in blocked.iter_mut().enumerate() {
                    *blocked |= arcs.directions(simd, lane, vector);
                }
            }
        }
        Some(blocked)
    }
}

/// The arcs of rows in eight caps.
///
/// In the plane of a row, a cap holds the directions whose cosine to the direction under its axis is at least a slope. If
/// the axis lies below the horizon, it holds all but those around the opposite.
struct CapArcs {
    /// Sine and cosine of the angle between the normal and the direction under the axis, or its opposite.
    sine: [f32; LANES],
    cosine: [f32; LANES],
    /// The slope in the row through the middle, and how it falls with the height of the row; times its half width.
    slope: [f32; LANES],
    tilt: [f32; LANES],
    /// A bit for each axis below the horizon.
    below: u64,
}

impl CapArcs {
    /// The caps with axes of any length, of directions with a product of at least `least`.
    #[inline(always)]
    fn new<S: Simd>(simd: S, [across, along, up]: Vec3x8<S>, least: f32x8<S>) -> Self {
        let one = f32x8::splat(simd, 1.0);
        let is_below = up.simd_lt(f32x8::splat(simd, 0.0));
        let flat = (across * across + up * up).max(f32::MIN_POSITIVE).sqrt();
        let inverse = is_below.select(f32x8::splat(simd, -1.0), one) / flat;
        Self {
            sine: (across * inverse).to_array(),
            cosine: (up * inverse).to_array(),
            slope: (least * inverse).to_array(),
            tilt: (along * inverse).to_array(),
            below: is_below.to_bitmask(),
        }
    }

    /// The directions of eight rows in one of the caps.
    #[inline(always)]
    fn directions<S: Simd>(&self, simd: S, cap: usize, vector: usize) -> u32x8<S> {
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let load = |rows: &[[f32; LANES]; VECTORS]| f32x8::load_array_ref(simd, &rows[vector]);
        let (height, inverse_width, middle) = (load(&ROWS.height), load(&ROWS.inverse_width), load(&ROWS.middle));
        let steep = (f32x8::splat(simd, self.slope[cap]) - height * self.tilt[cap]) * inverse_width;
        let slope = steep.max(-1.0).min(1.0);
        let aside = (one - slope * slope).max(0.0).sqrt();
        let (along, down) = (slope * self.sine[cap], aside * self.sine[cap]);
        let (up, across) = (slope * self.cosine[cap], aside * self.cosine[cap]);
        // below the horizon an arc ends with its row
        let (half, last) = (0.5 * COLUMNS as f32, f32x8::splat(simd, (COLUMNS + 1) as f32));
        let first = (up + down).simd_lt(zero).select(zero, (along - across) * half + middle);
        let end = (up - down).simd_lt(zero).select(last, (along + across) * half + middle);
        let arc = from_column(simd, first) & !from_column(simd, end);
        let arc = steep.simd_le(f32x8::splat(simd, -1.0)).select(u32x8::splat(simd, u32::MAX), arc);
        if self.below >> cap & 1 == 1 { !arc } else { arc }
    }
}

/// The directions from a column on.
#[inline(always)]
fn from_column<S: Simd>(simd: S, column: f32x8<S>) -> u32x8<S> {
    let most = (COLUMNS - 1) as i32;
    let column = column.to_int::<i32x8<S>>();
    let beyond: mask32x8<S> = column.simd_gt(i32x8::splat(simd, most));
    let shift = column.max(i32x8::splat(simd, 0)).min(i32x8::splat(simd, most));
    let from = (i32x8::splat(simd, -1) << shift).bitcast::<u32x8<S>>();
    beyond.select(u32x8::splat(simd, 0), from)
}

#[cfg(test)]
mod tests {
    use fearless_simd::dispatch;

    use super::*;
    use crate::simd::levels;

    /// The share of directions in a cap about a unit axis.
    fn share(axis: [f32; 3], cosine: f32) -> [f32; 2] {
        let mut shares = levels().into_iter().map(|level| {
            dispatch!(level, simd => {
                let axis = splat3(simd, axis);
                let arcs = CapArcs::new(simd, axis, f32x8::splat(simd, cosine));
                let words = (0..VECTORS).flat_map(|vector| arcs.directions(simd, 5, vector).to_array());
                words.map(u32::count_ones).sum::<u32>() as f32 / DIRECTIONS
            })
        });
        let first = shares.next().expect("a level");
        shares.for_each(|share| assert_eq!(share, first));
        [first, wanted(axis, cosine)]
    }

    /// The same by many directions.
    fn wanted([x, y, z]: [f32; 3], cosine: f32) -> f32 {
        let side = 400;
        let (mut within, mut all) = (0, 0);
        for step in 0..side * side {
            let at = |step: i32| (2 * step + 1) as f32 / side as f32 - 1.0;
            let [u, v] = [at(step % side), at(step / side)];
            let square = u * u + v * v;
            if square < 1.0 {
                all += 1;
                within += i32::from(x * u + y * v + z * (1.0 - square).sqrt() >= cosine);
            }
        }
        within as f32 / all as f32
    }

    #[test]
    fn caps_hold_their_share_of_directions() {
        let mut squares = 0.0;
        let mut count = 0.0;
        for step in 0..300u16 {
            let height = 1.0 - 1.6 * (f32::from(step) + 0.5) / 300.0;
            let (turn, flat) = (f32::from(step) * 2.399_963_1, (1.0 - height * height).sqrt());
            let axis = [flat * libm::cosf(turn), flat * libm::sinf(turn), height];
            for cosine in [0.0, 0.1, 0.4, 0.7, 0.9, 0.97] {
                let [found, wanted] = share(axis, cosine);
                assert!((found - wanted).abs() < 0.03, "{axis:?} {cosine}: {found} instead of {wanted}");
                squares += (found - wanted) * (found - wanted);
                count += 1.0;
            }
        }
        let rms = (squares / count).sqrt();
        assert!(rms < 0.006, "{rms}");
    }

    #[test]
    fn caps_along_the_axes_have_no_gaps() {
        for (axis, cosine) in
            [([0.0, 0.0, 1.0], 0.5), ([1.0, 0.0, 0.0], 0.0), ([0.0, 1.0, 0.0], 0.0), ([0.0, -1.0, 0.0], 0.3)]
        {
            let [found, wanted] = share(axis, cosine);
            assert!((found - wanted).abs() < 0.03, "{axis:?} {cosine}: {found} instead of {wanted}");
        }
        assert_eq!(share([0.0, 0.0, 1.0], 1.0)[0], 0.0);
        assert_eq!(share([0.0, 0.0, 1.0], -1.0)[0], 1.0);
        assert_eq!(share([0.0, 0.0, -1.0], 0.1)[0], 0.0);
    }
}
