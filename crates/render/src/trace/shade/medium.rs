//! Interpolated shading of the spheres of a medium: openness and light are found in three directions for each side of a
//! sphere.
//!
//! A ray through a medium crosses many spheres, and little of each one's light reaches the eye. The three directions
//! are at right angles to each other and at equal angles to the direction to the eye. The squares of a normal's cosines
//! to them add up to 1 and are the weights (G. McTaggart, "Half-Life 2/Valve Source Shading", GDC 2004).

use std::f32::consts::FRAC_1_SQRT_2;

use fearless_simd::{f32x8, prelude::*};

use crate::geom::Sphere;
use crate::lanes::{LANES, Rows3, dot3_with, load3, norm};
use crate::scene::PrimitiveId;
use crate::trace::find::sampling::tangents;

/// Three directions.
pub(super) type LightAxes = [[f32; 3]; 3];

/// The share of light that arrives from each of three directions at a side of a sphere.
pub(super) type Received = [f32; 3];

/// A faint sphere: openness and light on its near and its far side.
#[derive(Debug, Default)]
pub(super) struct MediumSphere {
    /// The sphere, relative to the eye; `None` if nothing is interpolated.
    sphere: Option<Sphere<3>>,
    /// The three directions, once they are needed.
    axes: Option<LightAxes>,
    /// A direct-mapped cache of light by primitive: a sphere shows in several tiles, and in several parts of a tile.
    kept: Vec<(PrimitiveId, SideLights)>,
    /// The place of the sphere in it.
    place: usize,
}

/// For openness and each light, on the near and the far side.
type SideLights = Vec<[Option<Received>; 2]>;

/// Spheres whose light is kept.
const KEPT: usize = 1 << 13;

impl MediumSphere {
    /// Begins another sphere, relative to the eye; `None` if nothing is interpolated.
    pub(super) fn begin(&mut self, sphere: Option<(PrimitiveId, Sphere<3>)>) {
        (self.sphere, self.axes) = (sphere.map(|(_, sphere)| sphere), None);
        if let Some((id, _)) = sphere {
            self.kept.resize_with(KEPT, || (PrimitiveId::NONE, Vec::new()));
            self.place = id.0 as usize % KEPT;
            let (kept, lights) = &mut self.kept[self.place];
            if *kept != id {
                *kept = id;
                lights.fill([None; 2]);
            }
        }
    }

    /// The interpolated sphere, relative to the eye.
    pub(super) fn interpolated(&self) -> Option<Sphere<3>> {
        self.sphere
    }

    /// The three directions; `parallel` is the direction of parallel rays, `None` for rays from the eye.
    #[inline(always)]
    pub(super) fn axes(&mut self, parallel: Option<[f32; 3]>) -> LightAxes {
        let from_eye = parallel.or(self.sphere.map(|sphere| sphere.center)).unwrap_or([0.0, 0.0, 1.0]);
        *self.axes.get_or_insert_with(|| axes_about(from_eye))
    }

    /// The share with this number at a side.
    #[inline(always)]
    pub(super) fn received(&mut self, number: usize, is_far: bool) -> &mut Option<Received> {
        let (_, lights) = &mut self.kept[self.place];
        if lights.len() <= number {
            lights.resize(number + 1, [None; 2]);
        }
        &mut lights[number][usize::from(is_far)]
    }
}

/// Three unit vectors at right angles to each other and at equal angles to a direction's opposite.
fn axes_about(from_eye: [f32; 3]) -> LightAxes {
    /// √(1/3) toward the eye; across it, √(2/3) in three directions of a circle.
    const HEIGHT: f32 = 0.577_350_3;
    const ACROSS: [[f32; 2]; 3] = [[0.816_496_6, 0.0], [-0.408_248_3, FRAC_1_SQRT_2], [-0.408_248_3, -FRAC_1_SQRT_2]];
    let length = norm(from_eye);
    let up = from_eye.map(|along| -along / length);
    let [tangent, bitangent] = tangents(up);
    ACROSS.map(|[along, across]| std::array::from_fn(|i| (tangent[i] * along + bitangent[i] * across) + up[i] * HEIGHT))
}

/// Interpolates the light of three directions for each normal of a batch.
#[inline(always)]
pub(super) fn interpolate<S: Simd>(
    simd: S,
    axes: &LightAxes,
    received: Received,
    normals: &[Rows3],
    found: &mut [[f32; LANES]],
) {
    let zero = f32x8::splat(simd, 0.0);
    for (normals, found) in normals.iter().zip(found) {
        let normal = load3(simd, normals);
        // normals at the rim may face away from a direction
        let (mut sum, mut weights) = (zero, f32x8::splat(simd, f32::MIN_POSITIVE));
        for (axis, received) in axes.iter().zip(received) {
            let cosine = dot3_with(normal, *axis).max(0.0);
            let weight = cosine * cosine;
            sum += weight * received;
            weights += weight;
        }
        (sum / weights).store_array(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::dot;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn directions_are_at_right_angles_and_face_the_eye() {
        for from_eye in [[0.0, 0.0, -3.0], [1.0, 2.0, 3.0], [-0.1, 5.0, 0.2]] {
            let axes = axes_about(from_eye);
            for (index, &axis) in axes.iter().enumerate() {
                assert!(dot(axis, from_eye) < 0.0);
                for (other, &wanted) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][index].iter().enumerate() {
                    assert!((dot(axis, axes[other]) - wanted).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn directions_get_their_own_openness_and_what_is_between_the_mean() {
        let axes = axes_about([1.0, 2.0, 3.0]);
        let mut normals = [[0.0; LANES]; 3];
        for (lane, &axis) in axes.iter().enumerate() {
            for (row, along) in normals.iter_mut().zip(axis) {
                row[lane] = along;
            }
        }
        for (row, along) in normals.iter_mut().zip([-1.0, -2.0, -3.0]) {
            row[3] = along / 14.0f32.sqrt();
        }
        let mut found = [[0.0; LANES]];
        dispatch!(Level::new(), simd => interpolate(simd, &axes, [0.25, 0.5, 1.0], &[normals], &mut found));
        for (found, wanted) in found[0].into_iter().zip([0.25, 0.5, 1.0, 1.75 / 3.0]) {
            assert!((found - wanted).abs() < 1e-5, "{found} {wanted}");
        }
    }
}
