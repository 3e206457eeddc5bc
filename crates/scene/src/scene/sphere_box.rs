//! Bounding boxes of a few spheres each, which reject most spheres without a test of their own.

use fearless_simd::{f32x16, prelude::*};

use super::spheres::PaintedSphere;

/// Spheres per box: few enough that in random order hardly any box reaches as far as the outermost sphere.
pub const BOX: usize = 128;

/// Spheres per vector of lanes.
pub(super) const ROWS: usize = 4;

/// Twice the rounding error of a support in `f32`, relative to the sum of the magnitudes of a sphere's numbers.
pub(super) const SLACK: f32 = 8.0 * f32::EPSILON;

/// Bounds of some spheres: the least and the greatest coordinates of their centres, and radii.
#[derive(Clone, Copy, Debug)]
pub struct SphereBox {
    pub(super) least: [f32; 4],
    pub(super) most: [f32; 4],
}

impl SphereBox {
    /// The box of no spheres.
    pub(super) const EMPTY: Self = Self { least: [f32::INFINITY; 4], most: [f32::NEG_INFINITY; 4] };

    /// The box of spheres in lanes, four lanes each.
    #[inline(always)]
    pub(super) fn of_lanes<S: Simd>(least: f32x16<S>, most: f32x16<S>) -> Self {
        let end = |lanes: f32x16<S>, end: fn(f32, f32) -> f32| {
            let rows: &[[f32; 4]] = lanes.as_slice().as_chunks().0;
            rows.iter().fold(rows[0], |some, row| std::array::from_fn(|axis| end(some[axis], row[axis])))
        };
        Self { least: end(least, f32::min), most: end(most, f32::max) }
    }

    /// The box of at least one sphere; `None` if a number is not finite.
    #[inline(always)]
    pub(super) fn around<S: Simd>(simd: S, spheres: &[PaintedSphere]) -> Option<Self> {
        let mut least = f32x16::splat(simd, f32::INFINITY);
        let mut most = f32x16::splat(simd, f32::NEG_INFINITY);
        let zeros = f32x16::splat(simd, 0.0);
        // 0 times a number that is not finite is NaN
        let mut products = zeros;
        let (whole, rest) = spheres.as_chunks();
        let last = rest.first().map(|first| std::array::from_fn(|index| *rest.get(index).unwrap_or(first)));
        for spheres in whole.iter().chain(&last) {
            let spheres: &[PaintedSphere; ROWS] = spheres;
            let rows = spheres.map(|PaintedSphere { center: [x, y, z], radius, .. }| [x, y, z, radius]);
            let row = f32x16::from_slice(simd, rows.as_flattened());
            (least, most) = (least.min(row), most.max(row));
            products = row.mul_add(zeros, products);
        }
        products.simd_eq(zeros).all_true().then(|| Self::of_lanes(least, most))
    }

    /// An upper bound on the support, direction · center + radius, of the spheres in the box, for a unit direction, in
    /// `f32`.
    #[inline(always)]
    pub(super) fn reach(&self, direction: [f32; 3]) -> f32 {
        let size = |axis: usize| self.least[axis].abs().max(self.most[axis].abs());
        let slack = ((size(0) + size(1)) + (size(2) + size(3))) * SLACK + f32::MIN_POSITIVE;
        let far = |axis: usize| {
            let [least, most] = [self.least, self.most].map(|corner| direction[axis] * corner[axis]);
            if least > most { least } else { most }
        };
        ((far(0) + far(1)) + far(2)) + (self.most[3] + slack)
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;
    use crate::scene::generate::{self, Pattern};
    use crate::simd::levels;

    #[test]
    fn boxes_hold_their_spheres_and_no_more() {
        for count in [1, 3, 4, 7, 128] {
            let spheres = generate::spheres(Pattern::Uniform, count, 5);
            let ends = |axis: usize| {
                let numbers = spheres.iter().map(|sphere| if axis < 3 { sphere.center[axis] } else { sphere.radius });
                [numbers.clone().fold(f32::INFINITY, f32::min), numbers.fold(f32::NEG_INFINITY, f32::max)]
            };
            for level in levels() {
                let found = dispatch!(level, simd => SphereBox::around(simd, &spheres)).expect("finite numbers");
                for axis in 0..4 {
                    assert_eq!([found.least[axis], found.most[axis]], ends(axis), "{count} spheres, {level:?}");
                }
            }
        }
    }

    #[test]
    fn there_is_no_box_around_what_is_not_finite() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for (index, axis) in [(0, 0), (5, 1), (6, 2), (6, 3)] {
                let mut spheres = generate::spheres(Pattern::Uniform, 7, 5);
                if axis < 3 {
                    spheres[index].center[axis] = bad;
                } else {
                    spheres[index].radius = bad;
                }
                for level in levels() {
                    assert!(dispatch!(level, simd => SphereBox::around(simd, &spheres)).is_none(), "{bad}, {level:?}");
                }
            }
        }
    }

    #[test]
    fn no_sphere_reaches_farther_than_its_box() {
        let spheres = generate::spheres(Pattern::Uniform, 12_800, 7);
        for direction in [[0.6, 0.0, 0.8], [-0.6, 0.48, 0.64], [0.0, -1.0, 0.0]] {
            for spheres in spheres.chunks(BOX) {
                let limit = dispatch!(Level::new(), simd => SphereBox::around(simd, spheres))
                    .map(|found| found.reach(direction));
                let reach = spheres.iter().map(|sphere| {
                    let along = |axis: usize| f64::from(direction[axis]) * f64::from(sphere.center[axis]);
                    along(0) + along(1) + along(2) + f64::from(sphere.radius)
                });
                assert!(reach.fold(f64::NEG_INFINITY, f64::max) <= f64::from(limit.expect("finite numbers")));
            }
        }
    }
}
