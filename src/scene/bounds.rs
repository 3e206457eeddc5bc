//! How far spheres extend: along given directions, and the box around them.

use fearless_simd::{Level, dispatch, f64x8, prelude::*};
use glam::DVec3;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use super::extents::{SphereExtents, forward};
use super::rays::Rays;
use super::spheres::{PaintedSphere, Pose, SphereGroup};

/// Spheres that a thread looks at in one go.
const RUN: usize = 1 << 16;

/// The box around all spheres, least and greatest corner; `None` without spheres.
#[cfg(feature = "scene-files")]
pub(crate) fn bounds(groups: &[SphereGroup<'_>]) -> Option<[DVec3; 2]> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let some = groups.iter().any(|group| !group.spheres.is_empty() && !group.poses.is_empty());
    let [x, y, z, less_x, less_y, less_z] = extent(groups, axes);
    some.then_some([-DVec3::new(less_x, less_y, less_z), DVec3::new(x, y, z)])
}

/// The extents of some spheres along the line of sight.
pub(crate) fn sphere_extents(groups: &[SphereGroup<'_>], rays: &Rays) -> SphereExtents {
    let forward = forward(rays);
    let filled = groups.iter().filter(|group| !group.poses.is_empty());
    let radii = filled.flat_map(|group| &group.spheres[..]).map(|sphere| sphere.radius);
    let radii = radii.filter(|&radius| radius > 0.0 && radius < f32::INFINITY);
    let radii = radii.fold(SphereExtents::NONE.radii, |[least, most], radius| [least.min(radius), most.max(radius)]);
    SphereExtents { reach: extent(groups, [-forward, forward]), radii }
}

/// How far the spheres extend in each direction: the greatest of direction · center + radius. Directions have unit
/// length.
///
/// Most poses of an assembly lie inside it and are skipped: the ball around the posed group does not extend beyond
/// what has been found already.
pub(super) fn extent<const N: usize>(groups: &[SphereGroup<'_>], directions: [DVec3; N]) -> [f64; N] {
    let mut reach = [f64::NEG_INFINITY; N];
    for group in groups {
        if let [pose] = *group.poses {
            extend_posed(group, &pose, &directions, &mut reach);
            continue;
        }
        let (center, radius) = ball(group);
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
    let runs = group.spheres.par_chunks(RUN).map(|run| {
        let of_run = ExtentOfRun { directions: &turned, shift: &shift, spheres: run };
        dispatch!(Level::new(), simd => of_run.extent(simd))
    });
    let greatest = |a: [f64; N], b: [f64; N]| std::array::from_fn(|index| a[index].max(b[index]));
    *reach = runs.reduce(|| *reach, greatest);
}

/// Spheres, and directions in which their extent is asked for.
struct ExtentOfRun<'a, const N: usize> {
    directions: &'a [DVec3; N],
    /// Added to the distance in each direction.
    shift: &'a [f64; N],
    spheres: &'a [PaintedSphere],
}

impl<const N: usize> ExtentOfRun<'_, N> {
    /// How far the spheres extend in each direction, a lane a direction. Numbers that are NaN do not count.
    #[inline(always)]
    fn extent<S: Simd>(&self, simd: S) -> [f64; N] {
        const { assert!(N <= 8, "a lane a direction") };
        let lane = |of: &dyn Fn(usize) -> f64| {
            f64x8::load_array(simd, std::array::from_fn(|lane| if lane < N { of(lane) } else { 0.0 }))
        };
        let directions = self.directions;
        let [x, y, z] = [lane(&|at| directions[at].x), lane(&|at| directions[at].y), lane(&|at| directions[at].z)];
        let shift = lane(&|at| self.shift[at]);
        let mut reach = f64x8::splat(simd, f64::NEG_INFINITY);
        for sphere in self.spheres {
            let [center_x, center_y, center_z] = sphere.center.map(f64::from);
            let along = (x * center_x + y * center_y) + z * center_z;
            let distance = (along + shift) + f64::from(sphere.radius);
            reach = distance.simd_gt(reach).select(distance, reach);
        }
        let reach = reach.to_array();
        std::array::from_fn(|direction| reach[direction])
    }
}

/// A ball around the whole group: the centre of its box, and the distance of the farthest sphere from there.
pub(super) fn ball(group: &SphereGroup<'_>) -> (DVec3, f64) {
    let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for sphere in group.spheres.iter() {
        let center = DVec3::from(sphere.center.map(f64::from));
        (least, most) = (least.min(center), most.max(center));
    }
    let center = 0.5 * (least + most);
    let farthest =
        |sphere: &PaintedSphere| DVec3::from(sphere.center.map(f64::from)).distance(center) + f64::from(sphere.radius);
    // a pose preserves lengths only to a few parts in a million
    (center, group.spheres.iter().map(farthest).fold(0.0, f64::max) * 1.001)
}
