//! How far spheres reach, and the camera that sees all of them.
//!
//! Everything rests on one question, asked of all spheres at once: how far do they reach in a direction? Six answers
//! are a box; four, along the normals of a view frustum's sides, say where its apex has to be.

use glam::{DMat3, DVec3};

use super::{Camera, Pose, Projection, SphereGroup};

/// The part of the picture, from middle to edge, that framed spheres fill; the rest is margin.
const FILLED: f64 = 0.94;

/// How an automatic camera is turned and what it must still leave to the caller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framing {
    /// From the spheres towards the eye; any length but 0.
    pub toward_eye: glam::Vec3,
    /// The direction that is up in the picture; any length but 0.
    pub up: glam::Vec3,
    /// Width of the picture over its height.
    pub aspect: f32,
}

impl Camera {
    /// A perspective camera that shows all of the spheres, as large as the picture allows, with a small margin.
    ///
    /// The frustum touches the outermost spheres themselves, not a ball around them. With no sphere at all, the unit
    /// ball is framed.
    #[must_use]
    pub fn framing_perspective(groups: &[SphereGroup<'_>], framing: &Framing, fov_y_radians: f32) -> Self {
        let basis = basis(framing);
        let tangent_y = libm::tan(0.5 * f64::from(fov_y_radians));
        // normals of the sides, outward, in the camera's own frame (x right, y up, z towards the eye)
        let sides = [tangent_y * f64::from(framing.aspect), tangent_y].map(|tangent| {
            let tangent = tangent * FILLED;
            let length = (1.0 + tangent * tangent).sqrt();
            (1.0 / length, tangent / length)
        });
        let [(across_x, along_x), (across_y, along_y)] = sides;
        let normals = [
            DVec3::new(across_x, 0.0, along_x),
            DVec3::new(-across_x, 0.0, along_x),
            DVec3::new(0.0, across_y, along_y),
            DVec3::new(0.0, -across_y, along_y),
            DVec3::Z,
            DVec3::NEG_Z,
        ];
        let [right, left, top, bottom, front, back] =
            extent(groups, normals.map(|normal| basis * normal), [along_x, along_y]);
        // the eye is where opposite sides meet, as far back as the wider pair asks for
        let x = (right - left) / (2.0 * across_x);
        let y = (top - bottom) / (2.0 * across_y);
        let z = ((right + left) / (2.0 * along_x)).max((top + bottom) / (2.0 * along_y)).max(front);
        let middle = 0.5 * (front - back);
        Self {
            eye: (basis * DVec3::new(x, y, z)).as_vec3(),
            target: (basis * DVec3::new(x, y, middle)).as_vec3(),
            up: framing.up,
            projection: Projection::Perspective { fov_y_radians },
        }
    }

    /// An orthographic camera that shows all of the spheres, as large as the picture allows, with a small margin.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    pub fn framing_orthographic(groups: &[SphereGroup<'_>], framing: &Framing) -> Self {
        let basis = basis(framing);
        let axes = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
        let [right, left, top, bottom, front, back] = extent(groups, axes.map(|axis| basis * axis), [0.0; 2]);
        let height = (top + bottom).max((right + left) / f64::from(framing.aspect)) / FILLED;
        let (x, y) = (0.5 * (right - left), 0.5 * (top - bottom));
        Self {
            // one depth of the spheres in front of them, so that no rounding cuts the nearest
            eye: (basis * DVec3::new(x, y, front + (front + back).max(1e-6 * height))).as_vec3(),
            target: (basis * DVec3::new(x, y, 0.5 * (front - back))).as_vec3(),
            up: framing.up,
            projection: Projection::Orthographic { height: (height as f32).max(f32::MIN_POSITIVE) },
        }
    }
}

/// Columns: right, up, towards the eye.
fn basis(framing: &Framing) -> DMat3 {
    let back = framing.toward_eye.as_dvec3().normalize_or(DVec3::Z);
    let right = framing.up.as_dvec3().cross(back);
    let right = if right.length_squared() > 1e-12 { right.normalize() } else { back.any_orthonormal_vector() };
    DMat3::from_cols(right, back.cross(right), back)
}

/// [`reach`], made wide enough to be looked at: of nothing, or of a single point, a ball around it is shown.
///
/// `along` is the part of the first and of the second pair of directions that points to the eye.
fn extent(groups: &[SphereGroup<'_>], directions: [DVec3; 6], along: [f64; 2]) -> [f64; 6] {
    /// Narrower than this, as a share of the distance from the origin, `f32` cannot tell the eye from its target.
    const NARROW: f64 = 1e-7;
    let reach = reach(groups, directions).map(|distance| if distance.is_finite() { distance } else { 0.0 });
    let [right, left, top, bottom, front, back] = reach;
    let farthest = reach.iter().fold(0.0, |most: f64, distance| most.max(distance.abs()));
    let width = (right + left - 2.0 * along[0] * front).max(top + bottom - 2.0 * along[1] * front);
    if width.max(front + back) > NARROW * farthest {
        return reach;
    }
    reach.map(|distance| distance + if farthest > 0.0 { 1e-3 * farthest } else { 1.0 })
}

/// The box around all spheres, least and greatest corner; `None` when there is no sphere.
#[cfg(feature = "scene-files")]
pub(crate) fn bounds(groups: &[SphereGroup<'_>]) -> Option<[DVec3; 2]> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let some = groups.iter().any(|group| !group.spheres.is_empty() && !group.poses.is_empty());
    let [x, y, z, less_x, less_y, less_z] = reach(groups, axes);
    some.then_some([-DVec3::new(less_x, less_y, less_z), DVec3::new(x, y, z)])
}

/// How far the spheres reach in each direction: the greatest of direction · center + radius. Directions have unit length.
///
/// Most poses of an assembly lie inside it and are passed over: a ball around the group, posed, says that they
/// cannot reach further than what has been found already.
fn reach<const N: usize>(groups: &[SphereGroup<'_>], directions: [DVec3; N]) -> [f64; N] {
    let mut reach = [f64::NEG_INFINITY; N];
    for group in groups {
        if let [pose] = *group.poses {
            reach_posed(group, &pose, &directions, &mut reach);
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
                reach_posed(group, pose, &[*direction], std::array::from_mut(reach));
            }
        }
    }
    reach
}

fn reach_posed<const N: usize>(group: &SphereGroup<'_>, pose: &Pose, directions: &[DVec3; N], reach: &mut [f64; N]) {
    let back = pose.rotation.as_dmat3().transpose();
    let turned = directions.map(|direction| back * direction);
    let shift = directions.map(|direction| direction.dot(pose.translation.as_dvec3()));
    for sphere in group.spheres.iter() {
        let center = DVec3::from(sphere.center.map(f64::from));
        for ((direction, shift), reach) in turned.iter().zip(shift).zip(reach.iter_mut()) {
            *reach = reach.max(direction.dot(center) + shift + f64::from(sphere.radius));
        }
    }
}

/// A ball that holds the whole group: the middle of its box, and the farthest sphere from there.
fn ball(group: &SphereGroup<'_>) -> (DVec3, f64) {
    let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for sphere in group.spheres.iter() {
        let center = DVec3::from(sphere.center.map(f64::from));
        (least, most) = (least.min(center), most.max(center));
    }
    let center = 0.5 * (least + most);
    let farthest = |sphere: &super::PaintedSphere| {
        DVec3::from(sphere.center.map(f64::from)).distance(center) + f64::from(sphere.radius)
    };
    // a posed rotation keeps lengths only to a few parts in a million
    (center, group.spheres.iter().map(farthest).fold(0.0, f64::max) * 1.001)
}
