//! Summaries of many spheres, noted while they are written: boxes around runs of them, and roughly how their centres are spread.
//!
//! It is found while the spheres are written, when they are in a core's nearest cache, and saves passes through all of memory later.

use fearless_simd::{Level, dispatch, f32x8, prelude::*};
use glam::DVec3;

use crate::lanes::LANES;

/// Spheres in a box: so few that hardly any box of spheres in random order reaches as far as the outermost sphere.
pub(crate) const BOX: usize = 128;

/// Numbers of the centres of as many spheres as there are lanes.
const NUMBERS: usize = 3 * LANES;

/// The box around the centres of some spheres, and the greatest radius among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct SphereBox {
    least: [f32; 3],
    most: [f32; 3],
    radius: f32,
}

/// The summary of all spheres of a list.
#[derive(Clone, Debug)]
pub(crate) struct SphereSummary {
    /// Around every [`BOX`] spheres; the last of them around those that are left.
    pub(super) boxes: Vec<SphereBox>,
    /// Of the centres.
    pub(super) spread: RoughSpread,
}

/// The first and second moments of points, a few millionths off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoughSpread {
    count: f64,
    /// Of the distances to a point that all parts of a whole have in common.
    sum: [f64; 3],
    /// xx, yy, zz, xy, xz, yz.
    products: [f64; 6],
}

impl SphereBox {
    pub(super) const EMPTY: Self =
        Self { least: [f32::INFINITY; 3], most: [f32::NEG_INFINITY; 3], radius: f32::NEG_INFINITY };

    /// No sphere in the box reaches farther: the greatest of direction · center + shift + radius, as it is rounded.
    ///
    /// Rounding keeps order, so that the bound holds to the last bit.
    #[inline(always)]
    pub(super) fn limit(&self, direction: DVec3, shift: f64) -> f64 {
        let far =
            |along: f64, axis: usize| along * f64::from(if along < 0.0 { self.least[axis] } else { self.most[axis] });
        far(direction.x, 0) + far(direction.y, 1) + far(direction.z, 2) + shift + f64::from(self.radius)
    }
}

impl RoughSpread {
    /// An upper bound of what the moments are off, as a share of the mean square of the distances. Some thousand products at most are
    /// summed in the lanes of `f32`.
    const ERROR: f64 = 1e-3;

    /// The spread of these points and others, as seen from the same point.
    #[must_use]
    pub(crate) fn join(mut self, other: &Self) -> Self {
        self.count += other.count;
        self.sum.iter_mut().zip(other.sum).for_each(|(sum, other)| *sum += other);
        self.products.iter_mut().zip(other.products).for_each(|(product, other)| *product += other);
        self
    }

    /// The covariance, xx, yy, zz, xy, xz, yz, and an upper bound of what its eigenvalues are off.
    #[cfg(feature = "scene-files")]
    pub(crate) fn covariance(&self) -> ([f64; 6], f64) {
        let [x, y, z] = self.sum.map(|sum| sum / self.count);
        let [xx, yy, zz, xy, xz, yz] = self.products.map(|product| product / self.count);
        let covariance = [xx - x * x, yy - y * y, zz - z * z, xy - x * y, xz - x * z, yz - y * z];
        (covariance, Self::ERROR * (xx + yy + zz))
    }
}

/// The radii of some spheres: one for all, or one for each.
#[derive(Clone, Copy, Debug)]
pub(super) enum Radii<'a> {
    One(f32),
    Each(&'a [f32]),
}

/// Finds the boxes of up to some thousand spheres, [`BOX`] spheres for each of `boxes`, and the spread of their centres from a point
/// near them.
///
/// `None` if a number is not finite or a radius negative, or if numbers are too large for sums of their squares.
pub(super) fn summarize(
    centers: &[[f32; 3]],
    radii: Radii<'_>,
    origin: [f32; 3],
    boxes: &mut [SphereBox],
) -> Option<RoughSpread> {
    dispatch!(Level::new(), simd => summarize_with(simd, centers, radii, origin, boxes))
}

/// The numbers of centres stay as they are, x, y, z, x, …: each is multiplied by itself, by the next and by the one after that. Every
/// third product is of use, and gathering the others' partners would take longer.
#[inline(always)]
fn summarize_with<S: Simd>(
    simd: S,
    centers: &[[f32; 3]],
    radii: Radii<'_>,
    origin: [f32; 3],
    boxes: &mut [SphereBox],
) -> Option<RoughSpread> {
    let zeros = [f32x8::splat(simd, 0.0); 3];
    let (mut sums, mut squares, mut next, mut after) = (zeros, zeros, zeros, zeros);
    let origins: [f32x8<S>; 3] =
        std::array::from_fn(|phase| f32x8::load_array(simd, std::array::from_fn(|lane| origin[(lane + phase) % 3])));
    let mut is_good = zeros[0].simd_ge(0.0);
    let numbers = centers.as_flattened();
    for (index, sphere_box) in boxes.iter_mut().enumerate() {
        let mut least = [f32x8::splat(simd, f32::INFINITY); 3];
        let mut most = [f32x8::splat(simd, f32::NEG_INFINITY); 3];
        let mut greatest = zeros[0];
        let first = index * BOX;
        for start in (first..centers.len().min(first + BOX)).step_by(LANES) {
            let radius = match radii {
                Radii::One(radius) => f32x8::splat(simd, radius),
                Radii::Each(radii) => {
                    let some = radii[start..].first_chunk().copied();
                    f32x8::load_array(simd, some.unwrap_or_else(|| padded(&radii[start..], |_| 0.0)))
                }
            };
            is_good &= radius.simd_ge(0.0) & radius.simd_le(f32::MAX);
            greatest = greatest.max(radius);
            // the last of a file's spheres are made up to a whole number of lanes by that point, which is one of them
            let last: [f32; NUMBERS + 2];
            let row = match numbers[3 * start..].first_chunk() {
                Some(row) => row,
                None => {
                    last = padded(&numbers[3 * start..], |lane| origin[lane % 3]);
                    &last
                }
            };
            for part in 0..3 {
                let raw = |by: usize| f32x8::from_slice(simd, &row[LANES * part + by..LANES * (part + 1) + by]);
                let away = |by: usize| raw(by) - origins[(LANES * part + by) % 3];
                least[part] = least[part].min(raw(0));
                most[part] = most[part].max(raw(0));
                let here = away(0);
                sums[part] += here;
                squares[part] = here.mul_add(here, squares[part]);
                next[part] = here.mul_add(away(1), next[part]);
                after[part] = here.mul_add(away(2), after[part]);
            }
        }
        *sphere_box = SphereBox { radius: greatest.reduce_max(), ..SphereBox::EMPTY };
        for (axis, (least, most)) in
            flat(least).into_iter().zip(flat(most)).enumerate().map(|(at, ends)| (at % 3, ends))
        {
            // without a look at NaN, of which nothing is made
            if least < sphere_box.least[axis] {
                sphere_box.least[axis] = least;
            }
            if most > sphere_box.most[axis] {
                sphere_box.most[axis] = most;
            }
        }
    }
    let mut spread = RoughSpread { count: centers.len() as f64, sum: [0.0; 3], products: [0.0; 6] };
    let (sums, squares, next, after) = (flat(sums), flat(squares), flat(next), flat(after));
    for at in (0..NUMBERS).step_by(3) {
        let products = [squares[at], squares[at + 1], squares[at + 2], next[at], after[at], next[at + 1]];
        spread.sum.iter_mut().zip(&sums[at..]).for_each(|(all, sum)| *all += f64::from(*sum));
        spread.products.iter_mut().zip(products).for_each(|(all, product)| *all += f64::from(product));
    }
    let is_finite = spread.products.iter().sum::<f64>().is_finite();
    (is_finite && is_good.all_true()).then_some(spread)
}

/// Some numbers, and others behind them.
fn padded<const N: usize>(some: &[f32], other: impl Fn(usize) -> f32) -> [f32; N] {
    std::array::from_fn(|lane| some.get(lane).copied().unwrap_or_else(|| other(lane)))
}

/// The numbers in the lanes of three vectors.
#[inline(always)]
fn flat<S: Simd>(vectors: [f32x8<S>; 3]) -> [f32; NUMBERS] {
    let mut numbers = [0.0; NUMBERS];
    for (numbers, vector) in numbers.as_chunks_mut::<LANES>().0.iter_mut().zip(vectors) {
        numbers.copy_from_slice(vector.as_slice());
    }
    numbers
}
