//! Automatic cameras, which show all spheres of a scene.
//!
//! The support of the spheres along the normals of the view frustum's four sides determines the position of its apex.

use glam::{DMat3, DVec3};

use super::bounds::extent;
use super::camera::{Camera, Framing, Projection};
use super::spheres::SphereGroup;
use crate::geom::single;

/// The share of the picture, from centre to edge, that framed spheres fill; the rest is margin.
const FILLED: f64 = 0.94;

/// Right, left, top, bottom, front and back in the camera's own frame.
const AXES: [DVec3; 6] = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];

impl Camera {
    /// A perspective camera that shows all of the spheres, as large as the picture allows, with a small margin.
    ///
    /// The frustum touches the outermost spheres themselves, not their bounding sphere. Without spheres, the unit ball
    /// is framed.
    #[must_use]
    pub fn framing_perspective(groups: &[SphereGroup<'_>], framing: &Framing, fov_y_radians: f32) -> Self {
        let basis = basis(framing);
        let Frustum { across: [across_x, across_y], along: [along_x, along_y], normals } =
            Frustum::framing(framing.aspect, fov_y_radians);
        let [right, left, top, bottom, front, back] =
            visible_extent(groups, normals.map(|normal| basis * normal), [along_x, along_y]);
        // the eye is where opposite sides meet, as far back as the wider pair requires
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
    pub fn framing_orthographic(groups: &[SphereGroup<'_>], framing: &Framing) -> Self {
        let basis = basis(framing);
        let [right, left, top, bottom, front, back] = visible_extent(groups, AXES.map(|axis| basis * axis), [0.0; 2]);
        let height = (top + bottom).max((right + left) / f64::from(framing.aspect)) / FILLED;
        let (x, y) = (0.5 * (right - left), 0.5 * (top - bottom));
        Self {
            // in front of the spheres by their own depth, so that rounding cuts none
            eye: (basis * DVec3::new(x, y, front + (front + back).max(1e-6 * height))).as_vec3(),
            target: (basis * DVec3::new(x, y, 0.5 * (front - back))).as_vec3(),
            up: framing.up,
            projection: Projection::Orthographic { height: single(height).max(f32::MIN_POSITIVE) },
        }
    }
}

/// The aspect ratio (width over height) of the picture that the spheres fill both ways, seen from this side in
/// perspective with this field of view, or with parallel rays without one.
///
/// Estimated from some thousands of the spheres: an aspect ratio is not worth a pass over hundreds of millions.
pub fn filled_aspect(
    groups: &[SphereGroup<'_>],
    toward_eye: glam::Vec3,
    up: glam::Vec3,
    fov_y_radians: Option<f32>,
) -> f64 {
    let groups: Vec<SphereGroup<'_>> = groups.iter().map(sample).collect();
    let basis = basis(&Framing { toward_eye, up, aspect: 1.0 });
    let [right, left, top, bottom, ..] = visible_extent(&groups, AXES.map(|axis| basis * axis), [0.0; 2]);
    let mut aspect = (right + left) / (top + bottom);
    let Some(fov_y_radians) = fov_y_radians else { return aspect };
    // near spheres look larger in perspective: the ratio of the distances that both pairs of sides require corrects the
    // aspect
    let tangent_y = libm::tan(0.5 * f64::from(fov_y_radians)) * FILLED;
    for _ in 0..6 {
        let Frustum { along: [along_x, along_y], normals, .. } = Frustum::new([tangent_y * aspect, tangent_y]);
        let [right, left, top, bottom, front, back] =
            visible_extent(&groups, normals.map(|normal| basis * normal), [along_x, along_y]);
        let middle = 0.5 * (front - back);
        let corrected =
            aspect * ((right + left) / (2.0 * along_x) - middle) / ((top + bottom) / (2.0 * along_y) - middle);
        if !(corrected > 0.0 && corrected.is_finite()) {
            break;
        }
        aspect = corrected;
    }
    aspect
}

/// A sample of some thousands of a group's spheres, evenly spaced in index order, copies counted.
fn sample<'a>(group: &'a SphereGroup<'_>) -> SphereGroup<'a> {
    let step = sample_step(group.spheres.len().saturating_mul(group.poses.len()));
    let poses = &group.poses[..];
    if step == 1 {
        return SphereGroup::new(group.spheres.borrowed(), poses);
    }
    SphereGroup::new(group.spheres.iter().step_by(step).collect::<Vec<_>>(), poses)
}

/// The support directions that place a framing camera, which is orthographic without a field of view.
pub fn framing_directions(framing: &Framing, fov_y_radians: Option<f32>) -> [DVec3; 6] {
    let basis = basis(framing);
    let Some(fov_y_radians) = fov_y_radians else {
        return AXES.map(|axis| basis * axis);
    };
    Frustum::framing(framing.aspect, fov_y_radians).normals.map(|normal| basis * normal)
}

/// Sampling stride for choosing the aspect ratio. A power of two, so that a larger scene's samples are a subset of a
/// smaller one's and a stream can widen the stride as it goes.
pub fn sample_step(count: usize) -> usize {
    const ENOUGH: usize = 1 << 15;
    1 << (count / ENOUGH).max(1).ilog2()
}

/// The sides of a view frustum in the camera's own frame: x right, y up, z towards the eye.
struct Frustum {
    /// The normals' component across the line of sight: right and left sides, then top and bottom.
    across: [f64; 2],
    /// Their component along it.
    along: [f64; 2],
    /// Outward: right, left, top, bottom, front, back.
    normals: [DVec3; 6],
}

impl Frustum {
    /// The part of a view frustum that framed spheres fill.
    fn framing(aspect: f32, fov_y_radians: f32) -> Self {
        let tangent_y = libm::tan(0.5 * f64::from(fov_y_radians));
        Self::new([tangent_y * f64::from(aspect), tangent_y].map(|tangent| tangent * FILLED))
    }

    /// The frustum with these tangents of half the horizontal and half the vertical field of view.
    fn new(tangents: [f64; 2]) -> Self {
        let lengths = tangents.map(|tangent| (1.0 + tangent * tangent).sqrt());
        let across = lengths.map(|length| 1.0 / length);
        let along = [tangents[0] / lengths[0], tangents[1] / lengths[1]];
        let normals = [
            DVec3::new(across[0], 0.0, along[0]),
            DVec3::new(-across[0], 0.0, along[0]),
            DVec3::new(0.0, across[1], along[1]),
            DVec3::new(0.0, -across[1], along[1]),
            DVec3::Z,
            DVec3::NEG_Z,
        ];
        Self { across, along, normals }
    }
}

/// Columns: right, up, towards the eye.
fn basis(framing: &Framing) -> DMat3 {
    let back = framing.toward_eye.as_dvec3().normalize_or(DVec3::Z);
    let right = framing.up.as_dvec3().cross(back);
    let right = if right.length_squared() > 1e-12 { right.normalize() } else { back.any_orthonormal_vector() };
    DMat3::from_cols(right, back.cross(right), back)
}

/// [`extent`], widened to a visible size: an empty scene or a single point becomes a ball.
///
/// `along` holds the components towards the eye of the first and the second pair of directions.
fn visible_extent(groups: &[SphereGroup<'_>], directions: [DVec3; 6], along: [f64; 2]) -> [f64; 6] {
    /// Below this share of the distance from the origin, `f32` cannot tell the eye from its target.
    const NARROW: f64 = 1e-7;
    let reach = extent(groups, directions).map(|distance| if distance.is_finite() { distance } else { 0.0 });
    let [right, left, top, bottom, front, back] = reach;
    let farthest = reach.iter().fold(0.0, |most: f64, distance| most.max(distance.abs()));
    let width = (right + left - 2.0 * along[0] * front).max(top + bottom - 2.0 * along[1] * front);
    if width.max(front + back) > NARROW * farthest {
        return reach;
    }
    reach.map(|distance| distance + if farthest > 0.0 { 1e-3 * farthest } else { 1.0 })
}
