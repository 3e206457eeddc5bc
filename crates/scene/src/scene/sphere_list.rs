//! The spheres of a group, as rows or as arrays.

use std::borrow::Cow;
use std::iter::FusedIterator;
use std::ops::Range;

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::sphere_arrays::{ArraySlices, RadiusSlice, SphereColumns, alpha_range};
use super::sphere_summary::{RoughSpread, SphereSummary};
use super::spheres::PaintedSphere;
use crate::color::Srgba8;

/// The spheres of a [`SphereGroup`](crate::spheres::SphereGroup), as an array of structures or as a structure of
/// arrays.
///
/// Both draw the same picture. Lists with equal spheres are equal in either form, and both forms are serialized as
/// rows.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::spheres::{PaintedSphere, SphereColumns, SphereGroup, SphereStore};
///
/// let centers = [[0.0; 3], [1.0; 3]];
/// let group = SphereGroup::from(SphereColumns::new(&centers[..], 0.5, Srgba8::WHITE)?);
/// assert_eq!(group.spheres.len(), 2);
/// assert_eq!(group.spheres.at(1), PaintedSphere::new([1.0; 3], 0.5, Srgba8::WHITE));
/// assert_eq!(group.spheres.get(2), None);
/// let rows: Vec<PaintedSphere> = group.spheres.iter().collect();
/// assert_eq!(group.spheres, SphereStore::from(rows));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum SphereStore<'a> {
    /// A row for each sphere.
    Rows(Cow<'a, [PaintedSphere]>),
    /// Arrays of centres, radii and colours.
    Arrays(SphereColumns<'a>),
}

impl<'a> SphereStore<'a> {
    /// The number of spheres.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Arrays(arrays) => arrays.centers().len(),
        }
    }

    /// Whether there are no spheres.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sphere with this index; `None` past the end.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<PaintedSphere> {
        (index < self.len()).then(|| self.at(index))
    }

    /// The sphere with this index.
    ///
    /// # Panics
    /// If the index is past the end.
    #[must_use]
    #[inline]
    pub fn at(&self, index: usize) -> PaintedSphere {
        self.slice().sphere(index)
    }

    /// All spheres in order.
    #[must_use]
    #[inline]
    pub fn iter(&self) -> SphereIter<'_> {
        self.slice().iter()
    }

    /// All spheres as rows.
    #[must_use]
    pub fn to_vec(&self) -> Vec<PaintedSphere> {
        match self {
            Self::Rows(rows) => rows.to_vec(),
            Self::Arrays(_) => self.iter().collect(),
        }
    }

    /// Mutable rows. Arrays and borrowed rows are copied first.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::Srgba8;
    /// use roundel::spheres::{PaintedSphere, SphereStore};
    ///
    /// let row = [PaintedSphere::new([0.0; 3], 1.0, Srgba8::BLACK)];
    /// let mut spheres = SphereStore::from(&row[..]);
    /// spheres.to_mut()[0].radius = 2.0;
    /// spheres.to_mut().push(row[0]);
    /// assert_eq!(spheres.iter().map(|sphere| sphere.radius).collect::<Vec<_>>(), [2.0, 1.0]);
    /// ```
    pub fn to_mut(&mut self) -> &mut Vec<PaintedSphere> {
        if let Self::Arrays(_) = self {
            *self = self.to_vec().into();
        }
        match self {
            Self::Rows(rows) => rows.to_mut(),
            Self::Arrays(_) => unreachable!("arrays became rows"),
        }
    }

    /// Sets the alpha of all spheres. Arrays of one colour stay arrays.
    #[doc(hidden)]
    pub fn set_alpha(&mut self, alpha: u8) {
        let is_set = if let Self::Arrays(arrays) = self { arrays.set_alpha(alpha) } else { false };
        if !is_set {
            self.to_mut().iter_mut().for_each(|sphere| sphere.color.a = alpha);
        }
    }

    /// The same spheres, borrowed.
    #[doc(hidden)]
    pub fn borrowed(&self) -> SphereStore<'_> {
        match self {
            Self::Rows(rows) => SphereStore::Rows(Cow::Borrowed(rows)),
            Self::Arrays(arrays) => SphereStore::Arrays(arrays.borrowed()),
        }
    }

    /// The summary of the spheres, if one was made when they were written.
    pub(crate) fn summary(&self) -> Option<&SphereSummary> {
        match self {
            Self::Rows(_) => None,
            Self::Arrays(arrays) => arrays.summary(),
        }
    }

    /// The approximate spread of the centres, if the spheres have a summary.
    #[doc(hidden)]
    pub fn rough_spread(&self) -> Option<&RoughSpread> {
        self.summary().map(|summary| &summary.spread)
    }

    #[inline(always)]
    #[doc(hidden)]
    pub fn slice(&self) -> SphereSlice<'_> {
        match self {
            Self::Rows(rows) => SphereSlice::Rows(rows),
            Self::Arrays(arrays) => SphereSlice::Arrays(arrays.slices()),
        }
    }
}

impl PartialEq for SphereStore<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Default for SphereStore<'_> {
    fn default() -> Self {
        Self::Rows(Cow::Borrowed(&[]))
    }
}

impl From<Vec<PaintedSphere>> for SphereStore<'_> {
    fn from(rows: Vec<PaintedSphere>) -> Self {
        Self::Rows(Cow::Owned(rows))
    }
}

impl<'a> From<&'a [PaintedSphere]> for SphereStore<'a> {
    fn from(rows: &'a [PaintedSphere]) -> Self {
        Self::Rows(Cow::Borrowed(rows))
    }
}

impl<'a, const N: usize> From<&'a [PaintedSphere; N]> for SphereStore<'a> {
    fn from(rows: &'a [PaintedSphere; N]) -> Self {
        Self::Rows(Cow::Borrowed(rows))
    }
}

impl<'a> From<&'a Vec<PaintedSphere>> for SphereStore<'a> {
    fn from(rows: &'a Vec<PaintedSphere>) -> Self {
        Self::Rows(Cow::Borrowed(rows))
    }
}

impl<'a> From<Cow<'a, [PaintedSphere]>> for SphereStore<'a> {
    fn from(rows: Cow<'a, [PaintedSphere]>) -> Self {
        Self::Rows(rows)
    }
}

impl<'a> From<SphereColumns<'a>> for SphereStore<'a> {
    fn from(arrays: SphereColumns<'a>) -> Self {
        Self::Arrays(arrays)
    }
}

impl<'a> IntoIterator for &'a SphereStore<'_> {
    type Item = PaintedSphere;
    type IntoIter = SphereIter<'a>;

    fn into_iter(self) -> SphereIter<'a> {
        self.iter()
    }
}

impl serde::Serialize for SphereStore<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de> serde::Deserialize<'de> for SphereStore<'_> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<PaintedSphere>::deserialize(deserializer).map(Self::from)
    }
}

/// An iterator over the spheres of a [`SphereStore`].
#[derive(Clone, Debug)]
pub struct SphereIter<'a> {
    spheres: SphereSlice<'a>,
    range: Range<usize>,
}

impl Iterator for SphereIter<'_> {
    type Item = PaintedSphere;

    #[inline]
    fn next(&mut self) -> Option<PaintedSphere> {
        self.range.next().map(|index| self.spheres.sphere(index))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<PaintedSphere> {
        self.range.nth(n).map(|index| self.spheres.sphere(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }

    /// Branches once on rows or arrays, not for each sphere.
    #[inline]
    fn fold<B, F: FnMut(B, PaintedSphere) -> B>(self, init: B, f: F) -> B {
        match self.spheres {
            SphereSlice::Rows(rows) => rows[self.range].iter().copied().fold(init, f),
            SphereSlice::Arrays(arrays) => {
                let sphere = |index| SphereSlice::Arrays(arrays).sphere(index);
                self.range.map(sphere).fold(init, f)
            }
        }
    }
}

impl DoubleEndedIterator for SphereIter<'_> {
    fn next_back(&mut self) -> Option<PaintedSphere> {
        self.range.next_back().map(|index| self.spheres.sphere(index))
    }
}

impl ExactSizeIterator for SphereIter<'_> {}

impl FusedIterator for SphereIter<'_> {}

/// A range of the spheres of a list.
#[derive(Clone, Copy, Debug)]
pub enum SphereSlice<'a> {
    Rows(&'a [PaintedSphere]),
    Arrays(ArraySlices<'a>),
}

impl<'a> SphereSlice<'a> {
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Arrays(arrays) => arrays.centers.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Centre and radius of the sphere with this index.
    #[inline(always)]
    pub fn body(&self, index: usize) -> ([f32; 3], f32) {
        match self {
            Self::Rows(rows) => (rows[index].center, rows[index].radius),
            Self::Arrays(arrays) => (arrays.centers[index], arrays.radius(index)),
        }
    }

    #[inline(always)]
    pub fn radius(&self, index: usize) -> f32 {
        match self {
            Self::Rows(rows) => rows[index].radius,
            Self::Arrays(arrays) => arrays.radius(index),
        }
    }

    #[inline(always)]
    pub fn color(&self, index: usize) -> Srgba8 {
        match self {
            Self::Rows(rows) => rows[index].color,
            Self::Arrays(arrays) => arrays.color(index),
        }
    }

    #[inline(always)]
    pub fn sphere(&self, index: usize) -> PaintedSphere {
        match self {
            Self::Rows(rows) => rows[index],
            Self::Arrays(arrays) => {
                let (center, radius, color) = (arrays.centers[index], arrays.radius(index), arrays.color(index));
                PaintedSphere { center, radius, color }
            }
        }
    }

    #[inline]
    pub fn iter(self) -> SphereIter<'a> {
        SphereIter { spheres: self, range: 0..self.len() }
    }

    /// Splits off the first `count` spheres.
    #[inline]
    pub fn split_at(self, count: usize) -> (Self, Self) {
        match self {
            Self::Rows(rows) => {
                let (front, behind) = rows.split_at(count);
                (Self::Rows(front), Self::Rows(behind))
            }
            Self::Arrays(arrays) => {
                let (front, behind) = arrays.split_at(count);
                (Self::Arrays(front), Self::Arrays(behind))
            }
        }
    }

    /// Chunks of `length` spheres for parallel tasks; the last one may be shorter.
    pub fn par_chunks(self, length: usize) -> impl IndexedParallelIterator<Item = Self> {
        let count = self.len();
        (0..count.div_ceil(length)).into_par_iter().map(move |chunk| {
            let first = chunk * length;
            self.split_at(first).1.split_at(length.min(count - first)).0
        })
    }

    /// Size of the spheres in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Rows(rows) => size_of_val(*rows),
            Self::Arrays(arrays) => arrays.size(),
        }
    }

    /// Takes spheres from the front as rows: all of them if they are rows, otherwise as many as the buffer holds,
    /// without their colours.
    ///
    /// Loops over all spheres work on rows. Gathering some hundred rows at a time from arrays stays in the first-level
    /// cache and is cheap beside the work on them.
    #[inline(always)]
    pub fn take_rows<'b>(&mut self, buffer: &'b mut RowBuffer) -> &'b [PaintedSphere]
    where
        'a: 'b,
    {
        match self {
            Self::Rows(rows) => std::mem::take(rows),
            Self::Arrays(arrays) => {
                let (front, behind) = arrays.split_at(arrays.centers.len().min(RowBuffer::LENGTH));
                *arrays = behind;
                buffer.gather(&front)
            }
        }
    }
}

impl SphereSlice<'_> {
    /// The least and the greatest alpha of all colours.
    pub fn alphas(&self) -> [u8; 2] {
        match self {
            Self::Rows(rows) => alpha_range(rows.iter().map(|row| row.color.a)),
            Self::Arrays(arrays) => arrays.alphas(),
        }
    }

    /// Takes some spheres from the front as rows without colours. Spheres of other colours get a radius that is not
    /// drawn.
    pub(crate) fn take_rows_with<'b>(
        &mut self,
        is_wanted: impl Fn(Srgba8) -> bool,
        buffer: &'b mut RowBuffer,
    ) -> &'b [PaintedSphere] {
        let (front, behind) = self.split_at(self.len().min(RowBuffer::LENGTH));
        *self = behind;
        let rows = &mut buffer.0[..front.len()];
        for (index, row) in rows.iter_mut().enumerate() {
            let PaintedSphere { center, radius, color } = front.sphere(index);
            (row.center, row.radius) = (center, if is_wanted(color) { radius } else { -1.0 });
        }
        rows
    }
}

/// Room for some spheres as rows.
#[derive(Clone, Debug)]
pub struct RowBuffer([PaintedSphere; Self::LENGTH]);

impl RowBuffer {
    /// 5 KiB; a multiple of the lanes.
    const LENGTH: usize = 256;

    #[doc(hidden)]
    pub const EMPTY: Self =
        Self([PaintedSphere { center: [0.0; 3], radius: -1.0, color: Srgba8::BLACK }; Self::LENGTH]);

    fn gather(&mut self, arrays: &ArraySlices<'_>) -> &[PaintedSphere] {
        let rows = &mut self.0[..arrays.centers.len()];
        match arrays.radii {
            RadiusSlice::One(radius) => {
                for (row, center) in rows.iter_mut().zip(arrays.centers) {
                    (row.center, row.radius) = (*center, radius);
                }
            }
            RadiusSlice::Each(radii) => {
                for ((row, center), radius) in rows.iter_mut().zip(arrays.centers).zip(radii) {
                    (row.center, row.radius) = (*center, *radius);
                }
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same spheres in rows and in arrays.
    fn both(count: u8) -> [SphereStore<'static>; 2] {
        let rows: Vec<_> = (0..count)
            .map(|i| {
                let number = f32::from(i);
                PaintedSphere::new([number, -number, 0.5], number * 0.25, Srgba8::rgb(i, 1, 255 - i))
            })
            .collect();
        let centers: Vec<_> = rows.iter().map(|row| row.center).collect();
        let radii: Vec<_> = rows.iter().map(|row| row.radius).collect();
        let colors: Vec<_> = rows.iter().map(|row| row.color).collect();
        [rows.into(), SphereColumns::new(centers, radii, colors).expect("as many of each").into()]
    }

    #[test]
    fn arrays_and_rows_hold_the_same_spheres() {
        let [rows, arrays] = both(100);
        assert_eq!(rows, arrays);
        assert_eq!(arrays.get(99), rows.get(99));
        assert_eq!((arrays.get(100), arrays.len()), (None, 100));
        assert_eq!(arrays.iter().rev().nth(7), rows.iter().nth(92));
        let sum = |spheres: &SphereStore<'_>| spheres.iter().skip(3).map(|sphere| sphere.radius).sum::<f32>();
        assert_eq!(sum(&arrays), sum(&rows));
        let mut changed = arrays.clone();
        changed.to_mut()[42].radius = 7.0;
        assert_ne!(changed, arrays);
        assert_ne!(both(99)[1], arrays);
    }

    #[test]
    fn pieces_make_up_the_whole() {
        for spheres in both(100) {
            let pieces: Vec<SphereSlice<'_>> = spheres.slice().par_chunks(33).collect();
            assert_eq!(pieces.iter().map(SphereSlice::len).collect::<Vec<_>>(), [33, 33, 33, 1]);
            assert_eq!(pieces.into_iter().flat_map(SphereSlice::iter).collect::<Vec<_>>(), spheres.to_vec());
        }
        assert_eq!(both(0)[1].slice().par_chunks(33).count(), 0);
    }

    #[test]
    fn rows_are_taken_from_arrays_some_at_a_time() {
        let centers: Vec<_> = (0..600_u16).map(|i| [f32::from(i), 1.0, 2.0]).collect();
        let radii: Vec<_> = centers.iter().map(|center| center[0] + 0.5).collect();
        for (arrays, radius) in [
            (SphereColumns::new(&centers[..], &radii[..], Srgba8::WHITE), None),
            (SphereColumns::new(&centers[..], 3.0, Srgba8::WHITE), Some(3.0)),
        ] {
            let spheres = SphereStore::from(arrays.expect("as many of each"));
            let (mut rest, mut buffer, mut taken) = (spheres.slice(), RowBuffer::EMPTY, Vec::new());
            while !rest.is_empty() {
                taken.extend(rest.take_rows(&mut buffer).iter().map(|row| (row.center, row.radius)));
            }
            let expected = centers.iter().zip(&radii).map(|(center, each)| (*center, radius.unwrap_or(*each)));
            assert_eq!(taken, expected.collect::<Vec<_>>());
        }
    }
}
