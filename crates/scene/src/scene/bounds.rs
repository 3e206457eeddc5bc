//! The support of spheres along given directions, and their bounding box.

use fearless_simd::{Level, dispatch, prelude::*};
use glam::DVec3;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use super::extents::{SphereExtents, forward};
use super::rays::Rays;
use super::sphere_box::{BOX, SLACK, SphereBox};
use super::sphere_list::{RowBuffer, SphereSlice};
use super::sphere_summary::SphereSummary;
use super::spheres::{PaintedSphere, Pose, SphereGroup};
use crate::lanes::{LANES, Sphere8, dot3_with};

/// Spheres of one parallel task.
const RUN: usize = 1 << 16;

/// The fewest boxes of one parallel task.
const BOXES: usize = RUN / BOX;

/// The bounding box of all spheres, least and greatest corner; `None` without spheres.
pub fn bounds(groups: &[SphereGroup<'_>]) -> Option<[DVec3; 2]> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let some = groups.iter().any(|group| !group.spheres.is_empty() && !group.poses.is_empty());
    let [x, y, z, less_x, less_y, less_z] = extent(groups, axes);
    some.then_some([-DVec3::new(less_x, less_y, less_z), DVec3::new(x, y, z)])
}

/// The extents of all spheres along the line of sight.
pub fn sphere_extents(groups: &[SphereGroup<'_>], rays: &Rays) -> SphereExtents {
    let forward = forward(rays);
    let filled = groups.iter().filter(|group| !group.poses.is_empty());
    let radii = filled.map(|group| radii_range(group.spheres.slice()));
    let radii =
        radii.fold(SphereExtents::NONE.radii, |[least, most], [small, large]| [least.min(small), most.max(large)]);
    SphereExtents { reach: extent(groups, [-forward, forward]), radii }
}

/// As [`sphere_extents`], on one thread.
pub fn extents_of_rows(spheres: &[PaintedSphere], rays: &Rays) -> SphereExtents {
    let forward = forward(rays);
    dispatch!(Level::new(), simd => extents_with(simd, spheres, &[-forward, forward]))
}

#[inline(always)]
fn extents_with<S: Simd>(simd: S, spheres: &[PaintedSphere], directions: &[DVec3; 2]) -> SphereExtents {
    let mut reach = Reach::new(directions, &[0.0; 2]);
    let mut radii = SphereExtents::NONE.radii;
    for spheres in spheres.chunks(BOX) {
        let sphere_box = SphereBox::around(simd, spheres);
        let own = match &sphere_box {
            // all radii are positive, so all spheres are drawn
            Some(SphereBox { least: [.., least], most: [.., most] }) if *least > 0.0 => [*least, *most],
            _ => radii_range(SphereSlice::Rows(spheres)),
        };
        radii = [radii[0].min(own[0]), radii[1].max(own[1])];
        if !sphere_box.is_some_and(|sphere_box| reach.holds(&sphere_box)) {
            reach.add(simd, SphereSlice::Rows(spheres));
        }
    }
    SphereExtents { reach: reach.found, radii }
}

/// The least and the greatest radius of the spheres that are drawn, as in [`SphereExtents::radii`].
fn radii_range(mut spheres: SphereSlice<'_>) -> [f32; 2] {
    let [none_less, none_more] = SphereExtents::NONE.radii;
    let (mut least, mut most) = ([none_less; LANES], [none_more; LANES]);
    let mut buffer = RowBuffer::EMPTY;
    while !spheres.is_empty() {
        for eight in spheres.take_rows(&mut buffer).chunks(LANES) {
            for ((sphere, least), most) in eight.iter().zip(&mut least).zip(&mut most) {
                let is_drawn = sphere.radius > 0.0 && sphere.radius < f32::INFINITY;
                *least = least.min(if is_drawn { sphere.radius } else { none_less });
                *most = most.max(if is_drawn { sphere.radius } else { none_more });
            }
        }
    }
    [least.into_iter().fold(none_less, f32::min), most.into_iter().fold(none_more, f32::max)]
}

/// The support of the spheres in each direction: the greatest of direction · center + radius. Directions have unit
/// length.
///
/// Most poses of an assembly lie inside it and are skipped: the bounding sphere of the posed group does not extend
/// beyond the current maxima.
pub fn extent<const N: usize>(groups: &[SphereGroup<'_>], directions: [DVec3; N]) -> [f64; N] {
    let mut reach = [f64::NEG_INFINITY; N];
    for group in groups {
        if let [pose] = *group.poses {
            extend_posed(group, &pose, &directions, &mut reach);
            continue;
        }
        let (center, radius) = bounding_sphere(group);
        for (direction, reach) in directions.iter().zip(&mut reach) {
            let mut limits: Vec<(f64, &Pose)> = group
                .poses
                .iter()
                .map(|pose| {
                    let center = pose.rotation.as_dmat3() * center + pose.translation.as_dvec3();
                    (direction.dot(center) + radius, pose)
                })
                .collect();
            limits.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (limit, pose) in limits {
                if limit <= *reach {
                    break;
                }
                extend_posed(group, pose, &[*direction], std::array::from_mut(reach));
            }
        }
    }
    reach
}

fn extend_posed<const N: usize>(group: &SphereGroup<'_>, pose: &Pose, directions: &[DVec3; N], reach: &mut [f64; N]) {
    let back = pose.rotation.as_dmat3().transpose();
    let turned = directions.map(|direction| back * direction);
    let shift = directions.map(|direction| direction.dot(pose.translation.as_dvec3()));
    if let Some(summary) = group.spheres.summary() {
        *reach = greatest(*reach, summarized_reach(summary, group.spheres.slice(), &turned, &shift));
        return;
    }
    let level = Level::new();
    let run = |run: SphereSlice<'_>| dispatch!(level, simd => reached(simd, run, &turned, &shift));
    *reach = group.spheres.slice().par_chunks(RUN).map(run).reduce(|| *reach, greatest);
}

/// The greater of two numbers for each direction.
fn greatest<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    std::array::from_fn(|index| a[index].max(b[index]))
}

/// The greatest of direction · center + shift + radius over the spheres added so far, for each direction, to the last
/// bit.
///
/// Nearly all spheres lie within the current maxima. Eight at a time are tested in `f32` with a margin for rounding;
/// only the others are measured in `f64`.
struct Reach<'a, const N: usize> {
    directions: &'a [DVec3; N],
    narrow: [[f32; 3]; N],
    shifts: &'a [f64; N],
    found: [f64; N],
    /// A sphere with a support of at most this, without the shift, raises no maximum.
    limits: [f32; N],
}

impl<'a, const N: usize> Reach<'a, N> {
    fn new(directions: &'a [DVec3; N], shifts: &'a [f64; N]) -> Self {
        let narrow = directions.map(|direction| direction.as_vec3().to_array());
        Self { directions, narrow, shifts, found: [f64::NEG_INFINITY; N], limits: [f32::NEG_INFINITY; N] }
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, mut spheres: SphereSlice<'_>) {
        let mut buffer = RowBuffer::EMPTY;
        while !spheres.is_empty() {
            for rows in spheres.take_rows(&mut buffer).chunks(LANES) {
                let mut group = Sphere8::EMPTY;
                for (lane, sphere) in rows.iter().enumerate() {
                    group.set(lane, sphere.center, sphere.radius);
                }
                let (center, radius) = group.load(simd);
                let [x, y, z] = center;
                let size = (x.abs() + y.abs()) + (z.abs() + radius.abs());
                let radius = radius + (size * SLACK + f32::MIN_POSITIVE);
                let mut is_within = size.simd_lt(f32::INFINITY);
                for (direction, &limit) in self.narrow.iter().zip(&self.limits) {
                    is_within &= (dot3_with(center, *direction) + radius).simd_le(limit);
                }
                if !is_within.all_true() {
                    self.measure(rows);
                }
            }
        }
    }

    /// Reports whether no sphere in a box can raise a maximum.
    #[inline(always)]
    fn holds(&self, sphere_box: &SphereBox) -> bool {
        let mut limits = self.narrow.iter().zip(&self.limits);
        limits.all(|(direction, limit)| sphere_box.reach(*direction) <= *limit)
    }

    /// Adds spheres in `f64`.
    #[expect(clippy::cast_possible_truncation, reason = "rounded to an f32 with a margin")]
    fn measure(&mut self, rows: &[PaintedSphere]) {
        for sphere in rows {
            let center = DVec3::from(sphere.center.map(f64::from));
            for ((direction, shift), found) in self.directions.iter().zip(self.shifts).zip(&mut self.found) {
                *found = found.max(direction.dot(center) + shift + f64::from(sphere.radius));
            }
        }
        for ((limit, shift), found) in self.limits.iter_mut().zip(self.shifts).zip(self.found) {
            let found = found - shift;
            let rounding = found.abs() * f64::from(f32::EPSILON) + shift.abs() * (8.0 * f64::EPSILON);
            // spheres with values that overflow `f32` are always measured
            *limit = ((found - rounding) as f32).min(f32::MAX);
        }
    }
}

/// The greatest of direction · center + shift + radius over some spheres, for each direction.
#[inline(always)]
fn reached<S: Simd, const N: usize>(
    simd: S,
    spheres: SphereSlice<'_>,
    directions: &[DVec3; N],
    shifts: &[f64; N],
) -> [f64; N] {
    let mut reach = Reach::new(directions, shifts);
    reach.add(simd, spheres);
    reach.found
}

/// A bounding sphere of the whole group: the centre of the centres' bounding box, and the distance to the far side of
/// the farthest sphere.
pub(super) fn bounding_sphere(group: &SphereGroup<'_>) -> (DVec3, f64) {
    let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    group.spheres.iter().for_each(|sphere| {
        let center = DVec3::from(sphere.center.map(f64::from));
        (least, most) = (least.min(center), most.max(center));
    });
    let center = 0.5 * (least + most);
    let farthest =
        |sphere: PaintedSphere| DVec3::from(sphere.center.map(f64::from)).distance(center) + f64::from(sphere.radius);
    // a pose preserves lengths only to a few parts in a million
    (center, group.spheres.iter().map(farthest).fold(0.0, f64::max) * 1.001)
}

/// The greatest of direction · center + shift + radius over summarized spheres, for each direction, to the last bit.
fn summarized_reach<const N: usize>(
    summary: &SphereSummary,
    spheres: SphereSlice<'_>,
    directions: &[DVec3; N],
    shifts: &[f64; N],
) -> [f64; N] {
    // long runs: the higher the maxima found so far, the fewer boxes need their spheres tested
    let run = summary.boxes.len().div_ceil(2 * rayon::current_num_threads()).max(BOXES);
    let runs = summary.boxes.par_chunks(run).zip(spheres.par_chunks(run * BOX));
    let level = Level::new();
    let reached =
        runs.map(|(boxes, spheres)| dispatch!(level, simd => reach_of_run(simd, boxes, spheres, directions, shifts)));
    reached.reduce(|| [f64::NEG_INFINITY; N], greatest)
}

/// As [`summarized_reach`], for one run. Only boxes that reach beyond the maxima so far have their spheres tested.
#[inline(always)]
fn reach_of_run<S: Simd, const N: usize>(
    simd: S,
    boxes: &[SphereBox],
    mut spheres: SphereSlice<'_>,
    directions: &[DVec3; N],
    shifts: &[f64; N],
) -> [f64; N] {
    let mut reach = Reach::new(directions, shifts);
    for sphere_box in boxes {
        let (front, behind) = spheres.split_at(spheres.len().min(BOX));
        spheres = behind;
        if !reach.holds(sphere_box) {
            reach.add(simd, front);
        }
    }
    reach.found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;
    use crate::scene::generate::{self, Pattern};
    use crate::scene::spheres::{Camera, SphereColumns, View};
    use crate::simd::levels;

    /// The definition, one sphere after another.
    fn slowly<const N: usize>(spheres: SphereSlice<'_>, directions: &[DVec3; N], shifts: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|index| {
            spheres.iter().fold(f64::NEG_INFINITY, |reach, sphere| {
                let along = directions[index].dot(DVec3::from(sphere.center.map(f64::from)));
                reach.max(along + shifts[index] + f64::from(sphere.radius))
            })
        })
    }

    #[test]
    fn spheres_are_measured_to_the_last_bit() {
        let directions = [DVec3::new(0.6, 0.0, 0.8), DVec3::new(-0.6, 0.48, 0.64), DVec3::NEG_Y];
        let mut scenes = Vec::new();
        for (scale, place, shift) in [(1.0, 0.0, 0.0), (1e-3, 1e4, -7e3), (3e38, 0.0, 0.0), (1e-40, 0.0, 1e12)] {
            let mut rows = generate::spheres(Pattern::Uniform, 3001, 5);
            for row in &mut rows {
                row.center = row.center.map(|along| along * scale + place);
                row.radius *= scale;
            }
            scenes.push((rows, [0.0, shift, 0.5 * shift]));
        }
        let mut broken = scenes[0].0.clone();
        broken[17].center[1] = f32::NAN;
        broken[18].radius = f32::NAN;
        broken[2000].center[2] = f32::INFINITY;
        scenes.push((broken, [0.0; 3]));
        for (rows, shifts) in &scenes {
            let (centers, radii): (Vec<_>, Vec<_>) = rows.iter().map(|row| (row.center, row.radius)).unzip();
            let arrays = SphereColumns::new(centers, radii, Srgba8::BLACK).expect("as many of each");
            let groups = [SphereGroup::from(&rows[..]), SphereGroup::from(arrays)];
            let rays = Rays::new(&View::new(Camera::look_at([0.3, 0.4, 5.0], [0.0; 3]), 8, 8));
            assert_eq!(extents_of_rows(rows, &rays), sphere_extents(&groups[..1], &rays));
            let expected = slowly(groups[0].spheres.slice(), &directions, shifts);
            for spheres in groups.iter().map(|group| group.spheres.slice()) {
                for level in levels() {
                    let found = dispatch!(level, simd => reached(simd, spheres, &directions, shifts));
                    assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{level:?}, {shifts:?}");
                }
            }
        }
    }
}
