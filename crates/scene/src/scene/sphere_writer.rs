//! Writes spheres of one colour into their final arrays, on all threads.

use fearless_simd::{Level, dispatch, prelude::*};

use super::pages::Pages;
use super::sphere_arrays::SphereColumns;
use super::sphere_box::{BOX, SphereBox};
use super::sphere_summary::{RoughSpread, RowSums, SphereSummary};
use crate::color::Srgba8;

/// The spheres and the summary of a [`SphereWriter`].
#[derive(Debug)]
pub(super) struct WrittenSpheres {
    pub(super) bodies: Bodies,
    pub(super) summary: SphereSummary,
}

/// Centres and radii.
#[derive(Debug)]
pub(super) struct Bodies {
    /// All centres, then all radii, unless all spheres share one.
    pub(super) numbers: Pages,
    pub(super) count: usize,
    pub(super) radius: Option<f32>,
}

impl Bodies {
    pub(super) fn centers(&self) -> &[[f32; 3]] {
        self.numbers.as_slice()[..3 * self.count].as_chunks().0
    }

    /// The radii; empty if all spheres share one.
    pub(super) fn radii(&self) -> &[f32] {
        let each = if self.radius.is_some() { 0 } else { self.count };
        &self.numbers.as_slice()[3 * self.count..][..each]
    }
}

/// Arrays for spheres, which are filled in chunks.
#[derive(Debug)]
pub struct SphereWriter {
    bodies: Bodies,
    boxes: Vec<SphereBox>,
}

/// A part of the arrays of a [`SphereWriter`].
#[derive(Debug)]
pub struct SphereChunk<'a> {
    centers: &'a mut [[f32; 3]],
    /// Empty if all spheres share a radius.
    radii: &'a mut [f32],
    boxes: &'a mut [SphereBox],
}

impl SphereWriter {
    /// Allocates `count` spheres, which share `radius` if it is given.
    pub fn new(count: usize, radius: Option<f32>) -> Self {
        let each = if radius.is_some() { 3 } else { 4 };
        let bodies = Bodies { numbers: Pages::new(each * count), count, radius };
        Self { bodies, boxes: vec![SphereBox::EMPTY; count.div_ceil(BOX)] }
    }

    /// Splits the arrays into chunks of `length` spheres, a multiple of [`BOX`].
    pub fn chunks(&mut self, length: usize) -> Vec<SphereChunk<'_>> {
        debug_assert!(length.is_multiple_of(BOX), "a box belongs to one chunk");
        let Bodies { numbers, count, radius } = &mut self.bodies;
        let (centers, mut radii) = numbers.as_mut_slice().split_at_mut(3 * *count);
        let mut chunks = Vec::with_capacity(count.div_ceil(length));
        let centers = centers.as_chunks_mut().0.chunks_mut(length);
        for (centers, boxes) in centers.zip(self.boxes.chunks_mut(length / BOX)) {
            let own = if radius.is_some() { 0 } else { centers.len() };
            let (own, others) = std::mem::take(&mut radii).split_at_mut(own);
            radii = others;
            chunks.push(SphereChunk { centers, radii: own, boxes });
        }
        chunks
    }

    /// Returns the spheres after all chunks are written. `spread` joins the results of [`SphereChunk::write`].
    pub fn finish(self, spread: RoughSpread, color: Srgba8) -> SphereColumns<'static> {
        let summary = SphereSummary { boxes: self.boxes, spread };
        SphereColumns::written(WrittenSpheres { bodies: self.bodies, summary }, color)
    }
}

impl SphereChunk<'_> {
    /// Writes rows of centre and radius and summarizes them. `origin` is one of the centres of all spheres.
    ///
    /// `None` if a number is not finite, a radius is negative, or squares overflow.
    pub fn write(&mut self, rows: &[[f32; 4]], origin: [f32; 3]) -> Option<RoughSpread> {
        dispatch!(Level::new(), simd => self.write_with(simd, rows, origin))
    }

    #[inline(always)]
    fn write_with<S: Simd>(&mut self, simd: S, rows: &[[f32; 4]], origin: [f32; 3]) -> Option<RoughSpread> {
        let mut sums = RowSums::new(simd, origin);
        let centers = self.centers.chunks_mut(BOX);
        let mut radii = self.radii.chunks_mut(BOX);
        for ((rows, centers), sphere_box) in rows.chunks(BOX).zip(centers).zip(&mut *self.boxes) {
            *sphere_box = sums.add(rows);
            rows.iter().zip(centers).for_each(|([x, y, z, _], center)| *center = [*x, *y, *z]);
            rows.iter().zip(radii.next().unwrap_or_default()).for_each(|([.., r], radius)| *radius = *r);
        }
        sums.spread()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::generate::{self, Pattern};
    use crate::scene::spheres::{PaintedSphere, SphereGroup, SphereRadii, SphereStore};
    use crate::scene::{bounds, framing_directions};

    /// The spheres, written in chunks of 256; `None` if a chunk has no summary.
    fn written(rows: &[PaintedSphere], radius: Option<f32>) -> Option<SphereColumns<'static>> {
        let mut writer = SphereWriter::new(rows.len(), radius);
        let mut spread: Option<RoughSpread> = None;
        for (mut chunk, rows) in writer.chunks(256).into_iter().zip(rows.chunks(256)) {
            let row = |row: &PaintedSphere| {
                let [x, y, z] = row.center;
                [x, y, z, radius.unwrap_or(row.radius)]
            };
            let found = chunk.write(&rows.iter().map(row).collect::<Vec<_>>(), rows[0].center.map(|_| 0.25))?;
            spread = Some(spread.map_or(found, |spread| spread.join(&found)));
        }
        Some(writer.finish(spread?, Srgba8::BLACK))
    }

    #[test]
    fn written_spheres_are_those_of_the_rows() {
        for count in [1, 7, 128, 131, 3001] {
            let rows: Vec<_> = generate::spheres(Pattern::Uniform, count, 3)
                .into_iter()
                .map(|row| PaintedSphere { color: Srgba8::BLACK, ..row })
                .collect();
            let arrays = written(&rows, None).expect("good spheres");
            assert_eq!(SphereStore::from(arrays), SphereStore::from(&rows));
            let arrays = written(&rows, Some(0.5)).expect("good spheres");
            assert!(matches!(arrays.radii(), SphereRadii::One(0.5)));
            assert_eq!(arrays.centers().len(), rows.len());
        }
    }

    #[test]
    fn boxes_bound_spheres_to_the_last_bit() {
        let framing = crate::scene::spheres::Framing {
            toward_eye: glam::Vec3::new(0.3, -0.2, 0.9),
            up: glam::Vec3::Y,
            aspect: 1.3,
        };
        for (count, scale, place) in [(5, 1.0, 0.0), (9001, 1.0, -0.3), (9001, 1e-3, 1e4), (70_000, 1e6, 3.0)] {
            let mut rows = generate::spheres(Pattern::Uniform, count, 11);
            for row in &mut rows {
                row.center = row.center.map(|along| along * scale + place);
            }
            let arrays = SphereGroup::from(written(&rows, None).expect("good spheres"));
            let rows = SphereGroup::from(rows);
            assert!(arrays.spheres.summary().is_some());
            let groups = [std::slice::from_ref(&arrays), std::slice::from_ref(&rows)];
            let [by_boxes, one_by_one] = groups.map(|groups| bounds(groups).map(|ends| ends.map(|end| end.to_array())));
            assert_eq!(by_boxes, one_by_one);
            let directions = framing_directions(&framing, Some(0.5));
            let [by_boxes, one_by_one] =
                groups.map(|groups| crate::scene::bounds::extent(groups, directions).map(f64::to_bits));
            assert_eq!(by_boxes, one_by_one);
        }
    }

    #[test]
    fn spreads_are_as_near_as_they_say() {
        for stretch in [1.0, 0.2] {
            let mut rows = generate::spheres(Pattern::Uniform, 5000, 7);
            rows.iter_mut().for_each(|row| row.center[1] = row.center[1] * stretch + 0.5 * row.center[0]);
            let arrays = SphereStore::from(written(&rows, None).expect("good spheres"));
            let (found, error) = arrays.rough_spread().expect("a summary").covariance();
            let mean = |of: &dyn Fn([f64; 3]) -> f64| {
                rows.iter().map(|row| of(row.center.map(f64::from))).sum::<f64>() / rows.len() as f64
            };
            let axes = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            let means = [0, 1, 2].map(|axis| mean(&|center| center[axis]));
            for (found, (a, b)) in found.into_iter().zip(axes) {
                let exact = mean(&|center| (center[a] - means[a]) * (center[b] - means[b]));
                assert!((found - exact).abs() < 0.03 * error, "{a} {b}: {found}, {exact}");
            }
        }
    }

    #[test]
    fn spheres_with_bad_numbers_have_no_summary() {
        let good = generate::spheres(Pattern::Uniform, 1000, 7);
        for at in [0, 500, 999] {
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                for axis in 0..3 {
                    let mut rows = good.clone();
                    rows[at].center[axis] = bad;
                    assert!(written(&rows, None).is_none(), "{bad} at {at}");
                }
            }
            for bad in [f32::NAN, f32::INFINITY, -1.0] {
                let mut rows = good.clone();
                rows[at].radius = bad;
                assert!(written(&rows, None).is_none(), "radius {bad} at {at}");
            }
        }
        assert!(written(&good, Some(f32::NAN)).is_none());
    }
}
