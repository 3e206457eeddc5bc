//! The broadside view of a cloud of spheres.

use glam::{DMat3, DVec3, Vec3};
use rayon::iter::ParallelIterator;

use crate::scene::SphereSlice;
use crate::scene::spheres::{PaintedSphere, Pose, SphereGroup};

/// Clouds whose least variance exceeds this share of the greatest are round: they have no broadside view.
const ROUND: f64 = 0.85;

/// Spheres per partial sum.
const RUN: usize = 1 << 16;

/// Directions towards the eye and up. The cloud's longest axis is horizontal in a wide picture and vertical in a tall
/// one, and its shortest points to the eye. `None` for a round or empty cloud: the view along z is as good.
///
/// Of the two ways round, the one nearer the plain view along z is taken. Mirror images never arise: the two
/// directions fix the third by the right-hand rule.
pub(crate) fn broadside(groups: &[SphereGroup<'_>], wide: bool) -> Option<[Vec3; 2]> {
    if let [group] = groups
        && is_surely_round(group)
    {
        return None;
    }
    let ([greatest, _, least], [longest, middle, shortest]) = sorted_eigen(spread(groups)?);
    (least <= ROUND * greatest).then(|| facing_front(shortest, if wide { middle } else { longest }))
}

/// Directions towards the eye and up along two axes: of the two ways along each, the one nearer the view along z.
pub(crate) fn facing_front(toward_eye: DVec3, up: DVec3) -> [Vec3; 2] {
    let facing = |axis: DVec3, way: DVec3| if axis.dot(way) < 0.0 { -axis } else { axis };
    [facing(toward_eye, DVec3::new(1e-6, 1e-3, 1.0)).as_vec3(), facing(up, DVec3::new(1e-6, 1.0, 1e-3)).as_vec3()]
}

/// Azimuth, elevation and roll, in whole degrees, that turn a view along z to [`broadside`]; `None` if they are so small
/// that nobody sees them.
pub(crate) fn turn_to_broadside(groups: &[SphereGroup<'_>], wide: bool) -> Option<[f64; 3]> {
    const SMALL: f64 = 5.0;
    let [toward_eye, up] = broadside(groups, wide)?.map(Vec3::as_dvec3);
    let azimuth = libm::atan2(toward_eye.x, toward_eye.z);
    let (sine, cosine) = libm::sincos(azimuth);
    let level = libm::hypot(toward_eye.x, toward_eye.z);
    let right = DVec3::new(cosine, 0.0, -sine);
    let angles =
        [azimuth, libm::atan2(toward_eye.y, level), libm::atan2(up.dot(right), up.dot(toward_eye.cross(right)))];
    let degrees = angles.map(|angle| libm::round(angle.to_degrees()));
    degrees.iter().any(|degrees| degrees.abs() >= SMALL).then_some(degrees)
}

/// The principal axes of some places, the longest first; `None` if they lie in one place.
pub(crate) fn principal_axes(places: impl Iterator<Item = [f64; 3]> + Clone) -> Option<[DVec3; 3]> {
    let place = DVec3::from;
    let (sum, count) = places.clone().fold((DVec3::ZERO, 0.0), |(sum, count), at| (sum + place(at), count + 1.0));
    let mean = sum / count;
    let spread = places.map(|at| outer(place(at) - mean)).fold(DMat3::ZERO, |sum, part| sum + part);
    let (values, axes) = sorted_eigen(spread);
    (count > 1.0 && values[0] > 0.0).then_some(axes)
}

/// Whether the known summary of the spheres already tells that their cloud is round.
fn is_surely_round(group: &SphereGroup<'_>) -> bool {
    let Some(spread) = group.spheres.rough_spread().filter(|_| *group.poses == [Pose::IDENTITY]) else { return false };
    let (covariance, error) = spread.covariance();
    let (values, _) = eigen(symmetric(covariance));
    let [least, most] = [values.into_iter().fold(f64::INFINITY, f64::min), values.into_iter().fold(0.0, f64::max)];
    least - error > ROUND * (most + error)
}

/// The covariance of the centres, copies included.
fn spread(groups: &[SphereGroup<'_>]) -> Option<DMat3> {
    let mut parts = Vec::new();
    for group in groups {
        let count = group.spheres.len() as f64;
        // runs have a fixed length, so that sums do not depend on the number of threads
        let runs = || group.spheres.slice().par_chunks(RUN);
        let center = |sphere: PaintedSphere| DVec3::from(sphere.center.map(f64::from));
        let sums: Vec<DVec3> = runs().map(|run| run.iter().map(center).sum()).collect();
        let mean = sums.into_iter().sum::<DVec3>() / count;
        let spread = |run: SphereSlice<'_>| {
            let parts = run.iter().map(|sphere| half_outer(center(sphere) - mean));
            parts.fold([0.0; 6], |sum: [f64; 6], part| std::array::from_fn(|at| sum[at] + part[at]))
        };
        let spreads: Vec<[f64; 6]> = runs().map(spread).collect();
        let spread = spreads.into_iter().map(symmetric).fold(DMat3::ZERO, |sum, part| sum + part) * (1.0 / count);
        for pose in group.poses.iter().filter(|_| count > 0.0) {
            let turn = pose.rotation.as_dmat3();
            parts.push((count, turn * mean + pose.translation.as_dvec3(), turn * spread * turn.transpose()));
        }
    }
    let total: f64 = parts.iter().map(|(count, ..)| count).sum();
    let mean = parts.iter().map(|(count, mean, _)| *mean * *count).sum::<DVec3>() / total;
    let of_part = |(count, center, spread): &(f64, DVec3, DMat3)| (*spread + outer(*center - mean)) * (*count / total);
    let covariance = parts.iter().map(of_part).fold(DMat3::ZERO, |sum, part| sum + part);
    (total > 1.0 && covariance.is_finite()).then_some(covariance)
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The entries of [`outer`] on the diagonal and above it: the matrix is symmetric, so that the others are the same.
fn half_outer(v: DVec3) -> [f64; 6] {
    [v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z]
}

/// The symmetric matrix with these entries on the diagonal, and above it: xy, xz, yz.
pub(crate) fn symmetric([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> DMat3 {
    DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
}

/// Eigenvalues of a symmetric matrix and their unit vectors, the greatest first.
fn sorted_eigen(matrix: DMat3) -> ([f64; 3], [DVec3; 3]) {
    let (values, axes) = eigen(matrix);
    let mut order = [0, 1, 2];
    order.sort_by(|&a: &usize, &b| values[b].total_cmp(&values[a]));
    (order.map(|axis| values[axis]), order.map(|axis| axes.col(axis)))
}

/// Eigenvalues of a symmetric matrix, and their unit vectors as columns, by Jacobi's rotations.
pub(crate) fn eigen(mut matrix: DMat3) -> ([f64; 3], DMat3) {
    let mut axes = DMat3::IDENTITY;
    // each sweep squares the off-diagonal remainder: eight are plenty
    for _ in 0..8 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = matrix.col(q)[p];
            if off == 0.0 {
                continue;
            }
            // the smaller angle that makes the entry 0: t = tan, from t² + 2 t θ − 1 = 0
            let theta = (matrix.col(q)[q] - matrix.col(p)[p]) / (2.0 * off);
            let tangent = if theta >= 0.0 { 1.0 } else { -1.0 } / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cosine;
            turn.col_mut(q)[q] = cosine;
            turn.col_mut(q)[p] = sine;
            turn.col_mut(p)[q] = -sine;
            matrix = turn.transpose() * matrix * turn;
            axes *= turn;
        }
    }
    ([matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z], axes)
}
