//! Summaries of many spheres, found in passing: boxes around runs of them, and roughly how their centres are spread.
//!
//! They are found while the spheres are written or read, when they are in a core's nearest cache, and save passes
//! through all of memory later.

use fearless_simd::{Level, dispatch, f32x16, prelude::*};

use super::sphere_box::{BOX, ROWS, SphereBox};
use super::spheres::PaintedSphere;

/// The summary of all spheres of a list.
#[derive(Clone, Debug)]
pub(crate) struct SphereSummary {
    /// One box per [`BOX`] spheres; the last holds the rest.
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

impl RoughSpread {
    /// Error bound of the moments, relative to the mean squared distance. At most some thousand products are summed in
    /// `f32` lanes.
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

/// Sums over some thousand spheres at most, each a row of centre and radius.
///
/// Rows stay as they are, x, y, z, radius, x, …: each number is multiplied by itself, by the next of its row and by the
/// one after that. Products with radii only serve to detect radii that are not finite.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSums<S: Simd> {
    simd: S,
    /// A point near the spheres, and 0 for the radius.
    origin: [f32; 4],
    count: usize,
    sums: f32x16<S>,
    squares: f32x16<S>,
    next: f32x16<S>,
    after: f32x16<S>,
    has_negative_radius: bool,
}

impl<S: Simd> RowSums<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, [x, y, z]: [f32; 3]) -> Self {
        let zeros = f32x16::splat(simd, 0.0);
        let (sums, squares, next, after) = (zeros, zeros, zeros, zeros);
        Self { simd, origin: [x, y, z, 0.0], count: 0, sums, squares, next, after, has_negative_radius: false }
    }

    /// Adds spheres, and returns the box around them.
    #[inline(always)]
    pub(super) fn add(&mut self, rows: &[[f32; 4]]) -> SphereBox {
        let origin = f32x16::load_array(self.simd, std::array::from_fn(|lane| self.origin[lane % 4]));
        let mut least = f32x16::splat(self.simd, f32::INFINITY);
        let mut most = f32x16::splat(self.simd, f32::NEG_INFINITY);
        let mut add = |rows: &[[f32; 4]; ROWS]| {
            let row = f32x16::from_slice(self.simd, rows.as_flattened());
            let away = row - origin;
            (least, most) = (least.min(row), most.max(row));
            self.sums += away;
            self.squares = away.mul_add(away, self.squares);
            self.next = away.mul_add(away.slide_within_blocks::<1>(away), self.next);
            self.after = away.mul_add(away.slide_within_blocks::<2>(away), self.after);
        };
        let (whole, rest) = rows.as_chunks();
        whole.iter().for_each(&mut add);
        if !rest.is_empty() {
            // made up by that point, which is one of the spheres' centres
            add(&std::array::from_fn(|index| rest.get(index).copied().unwrap_or(self.origin)));
        }
        self.count += rows.len();
        // NaN needs no test: nothing is computed from it
        let sphere_box = SphereBox::of_lanes(least, most);
        self.has_negative_radius |= sphere_box.least[3] < 0.0;
        sphere_box
    }

    /// The spread of the centres, seen from the point that was given.
    ///
    /// `None` if a number is not finite or a radius negative, or if numbers are too large for sums of their squares.
    #[inline(always)]
    pub(super) fn spread(&self) -> Option<RoughSpread> {
        let [sums, squares, next, after] = [self.sums, self.squares, self.next, self.after].map(|lanes| {
            let rows = lanes.as_slice().as_chunks::<4>().0;
            std::array::from_fn::<_, 4, _>(|column| rows.iter().map(|row| f64::from(row[column])).sum::<f64>())
        });
        let products = [squares[0], squares[1], squares[2], next[0], after[0], next[1]];
        let is_finite = (products.iter().sum::<f64>() + squares[3]).is_finite();
        let spread = RoughSpread { count: self.count as f64, sum: [sums[0], sums[1], sums[2]], products };
        (is_finite && !self.has_negative_radius).then_some(spread)
    }
}

/// One box per [`BOX`] spheres, the last for the rest; `None` where a number is not finite.
pub(crate) fn sphere_boxes(spheres: &[PaintedSphere]) -> Vec<Option<SphereBox>> {
    #[inline(always)]
    fn boxes<S: Simd>(simd: S, spheres: &[PaintedSphere]) -> Vec<Option<SphereBox>> {
        let mut boxes = Vec::with_capacity(spheres.len().div_ceil(BOX));
        // collecting them would compile each operation as a call
        for spheres in spheres.chunks(BOX) {
            boxes.push(SphereBox::around(simd, spheres));
        }
        boxes
    }
    dispatch!(Level::new(), simd => boxes(simd, spheres))
}

/// The box around the centres of all spheres, least and greatest corner; `None` if one of their numbers is not finite.
pub(crate) fn box_of_centers(boxes: &[Option<SphereBox>]) -> Option<[[f32; 3]; 2]> {
    let [mut least, mut most] = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for sphere_box in boxes {
        let sphere_box = (*sphere_box)?;
        for axis in 0..3 {
            least[axis] = least[axis].min(sphere_box.least[axis]);
            most[axis] = most[axis].max(sphere_box.most[axis]);
        }
    }
    Some([least, most])
}
