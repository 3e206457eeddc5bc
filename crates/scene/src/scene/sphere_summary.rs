//! Summaries of many spheres: bounding boxes of runs of them, and the approximate spread of their centres.
//!
//! They are made while the spheres are written or read and are in a core's first-level cache. They save later passes
//! through all of memory.

use fearless_simd::{Level, dispatch, f32x16, prelude::*};

use super::sphere_box::{BOX, ROWS, SphereBox};
use super::spheres::PaintedSphere;

/// The summary of all spheres of a list.
#[derive(Clone, Debug)]
pub(crate) struct SphereSummary {
    /// One box per [`BOX`] spheres; the last one may have fewer.
    pub(super) boxes: Vec<SphereBox>,
    /// The spread of the centres.
    pub(super) spread: RoughSpread,
}

/// The first and second moments of points, accurate to a few millionths.
#[derive(Clone, Copy, Debug)]
pub struct RoughSpread {
    count: f64,
    /// Sum of the offsets from an origin that all parts of a scene share.
    sum: [f64; 3],
    /// Sums of the products xx, yy, zz, xy, xz, yz of the offsets.
    products: [f64; 6],
}

impl RoughSpread {
    /// Error bound of the moments, relative to the mean squared distance. At most some thousand products are summed in
    /// `f32` lanes.
    const ERROR: f64 = 1e-3;

    /// The spread of these points and of others with the same origin.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        self.count += other.count;
        self.sum.iter_mut().zip(other.sum).for_each(|(sum, other)| *sum += other);
        self.products.iter_mut().zip(other.products).for_each(|(product, other)| *product += other);
        self
    }

    /// The covariance xx, yy, zz, xy, xz, yz, and an upper bound of the error of its eigenvalues.
    pub fn covariance(&self) -> ([f64; 6], f64) {
        let [x, y, z] = self.sum.map(|sum| sum / self.count);
        let [xx, yy, zz, xy, xz, yz] = self.products.map(|product| product / self.count);
        let covariance = [xx - x * x, yy - y * y, zz - z * z, xy - x * y, xz - x * z, yz - y * z];
        (covariance, Self::ERROR * (xx + yy + zz))
    }
}

/// Sums over at most some thousand spheres, given as rows of centre and radius.
///
/// Lanes hold rows unshuffled, as x, y, z, radius, x, …: each number is multiplied by itself, by the next of its row
/// and by the one after that. Products with radii only serve to detect radii that are not finite.
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

    /// Adds spheres and returns their box.
    #[inline(always)]
    pub(super) fn add(&mut self, rows: &[[f32; 4]]) -> SphereBox {
        let origin = f32x16::load_array(self.simd, std::array::from_fn(|lane| self.origin[lane % 4]));
        let mut least = f32x16::splat(self.simd, f32::INFINITY);
        let mut most = f32x16::splat(self.simd, f32::NEG_INFINITY);
        let (whole, rest) = rows.as_chunks();
        // missing rows are the origin, which is one of the centres
        let missing = self.origin;
        let row = |index: usize| rest.get(index).copied().unwrap_or(missing);
        let last: Option<[[f32; 4]; ROWS]> = (!rest.is_empty()).then(|| std::array::from_fn(row));
        for rows in whole.iter().chain(&last) {
            let row = f32x16::from_slice(self.simd, rows.as_flattened());
            let away = row - origin;
            (least, most) = (least.min(row), most.max(row));
            self.sums += away;
            self.squares = away.mul_add(away, self.squares);
            self.next = away.mul_add(away.slide_within_blocks::<1>(away), self.next);
            self.after = away.mul_add(away.slide_within_blocks::<2>(away), self.after);
        }
        self.count += rows.len();
        // NaN needs no test here: `spread` detects it
        let sphere_box = SphereBox::of_lanes(least, most);
        self.has_negative_radius |= sphere_box.least[3] < 0.0;
        sphere_box
    }

    /// The spread of the centres around the given origin.
    ///
    /// `None` if a number is not finite, a radius is negative, or squares overflow.
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

/// One box per [`BOX`] spheres; the last one may have fewer. `None` if a number is not finite.
pub fn sphere_boxes(spheres: &[PaintedSphere]) -> Vec<Option<SphereBox>> {
    #[inline(always)]
    fn boxes<S: Simd>(simd: S, spheres: &[PaintedSphere]) -> Vec<Option<SphereBox>> {
        let mut boxes = Vec::with_capacity(spheres.len().div_ceil(BOX));
        // `collect` would compile each lane operation as a call
        for spheres in spheres.chunks(BOX) {
            boxes.push(SphereBox::around(simd, spheres));
        }
        boxes
    }
    dispatch!(Level::new(), simd => boxes(simd, spheres))
}

/// The bounding box of all centres, least and greatest corner; `None` if any number is not finite.
pub fn box_of_centers(boxes: &[Option<SphereBox>]) -> Option<[[f32; 3]; 2]> {
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
