//! Spheres as a structure of arrays: centres, radii and colours, borrowed from the caller where possible.

use std::borrow::Cow;
use std::sync::Arc;

use super::sphere_summary::SphereSummary;
use super::sphere_writer::WrittenSpheres;
use crate::color::Srgba8;
use crate::error::{Error, Result};

/// Spheres as separate arrays of centres, radii and colours, each owned or borrowed. A caller's arrays are drawn
/// without a copy.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::spheres::{Camera, PaintedSphere, SphereColumns, SphereScene};
///
/// let numbers: &[f32] = &[-1.0, 0.0, 0.0, 1.0, 0.0, 0.0]; // x, y, z, x, y, z
/// let (centers, _) = numbers.as_chunks::<3>();
/// let red_and_blue = [[255, 0, 0], [0, 0, 255]];
/// let spheres = SphereColumns::new(centers, 0.9, &red_and_blue[..])?;
/// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 8.0], [0.0; 3]), 64, 64).with_spheres(spheres);
/// let first = scene.groups[0].spheres.iter().next();
/// assert_eq!(first, Some(PaintedSphere::new([-1.0, 0.0, 0.0], 0.9, Srgba8::rgb(255, 0, 0))));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SphereColumns<'a> {
    bodies: ColumnStorage<'a>,
    colors: SphereColors<'a>,
}

/// Centres and radii.
#[derive(Clone, Debug)]
enum ColumnStorage<'a> {
    Given(Cow<'a, [[f32; 3]]>, SphereRadii<'a>),
    Written(Arc<WrittenSpheres>),
}

/// The radii of [`SphereColumns`], in world units.
#[derive(Clone, Debug)]
pub enum SphereRadii<'a> {
    /// The same for all spheres.
    One(f32),
    /// One for each sphere.
    Each(Cow<'a, [f32]>),
}

/// The colours of [`SphereColumns`]. Their alpha is the spheres' opacity.
#[derive(Clone, Debug)]
pub enum SphereColors<'a> {
    /// The same for all spheres.
    One(Srgba8),
    /// One for each sphere.
    Each(Cow<'a, [Srgba8]>),
    /// Red, green and blue of each sphere.
    Rgb(Cow<'a, [[u8; 3]]>),
    /// Red, green, blue and alpha of each sphere.
    Rgba(Cow<'a, [[u8; 4]]>),
}

impl<'a> SphereColumns<'a> {
    /// Spheres around `centers`, in world units, with one radius and one colour for all or one for each.
    ///
    /// # Errors
    /// If radii or colours are given for each sphere, but for another number of spheres than there are centres.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::Srgba8;
    /// use roundel::spheres::SphereColumns;
    ///
    /// let centers = vec![[0.0; 3], [1.0; 3]];
    /// let error = SphereColumns::new(centers, vec![0.5], Srgba8::BLACK).unwrap_err();
    /// assert_eq!(error.to_string(), "radii must be one or 2, as there are centers, got 1");
    /// ```
    pub fn new(
        centers: impl Into<Cow<'a, [[f32; 3]]>>,
        radii: impl Into<SphereRadii<'a>>,
        colors: impl Into<SphereColors<'a>>,
    ) -> Result<Self> {
        let (centers, radii, colors) = (centers.into(), radii.into(), colors.into());
        let radius_count = match &radii {
            SphereRadii::One(_) => None,
            SphereRadii::Each(each) => Some(each.len()),
        };
        let color_count = match &colors {
            SphereColors::One(_) => None,
            SphereColors::Each(each) => Some(each.len()),
            SphereColors::Rgb(each) => Some(each.len()),
            SphereColors::Rgba(each) => Some(each.len()),
        };
        for (name, count) in [("radii", radius_count), ("colors", color_count)] {
            if let Some(count) = count.filter(|&count| count != centers.len()) {
                let message = format!("must be one or {}, as there are centers, got {count}", centers.len());
                return Err(Error::setting(name, message));
            }
        }
        Ok(Self { bodies: ColumnStorage::Given(centers, radii), colors })
    }

    /// The spheres of a [`SphereWriter`](super::sphere_writer::SphereWriter).
    pub(super) fn written(spheres: WrittenSpheres, color: Srgba8) -> Self {
        Self { bodies: ColumnStorage::Written(Arc::new(spheres)), colors: SphereColors::One(color) }
    }

    /// The centres, in world units.
    #[must_use]
    pub fn centers(&self) -> &[[f32; 3]] {
        self.slices().centers
    }

    /// The radii, in world units.
    #[must_use]
    pub fn radii(&self) -> SphereRadii<'_> {
        match self.slices().radii {
            RadiusSlice::One(radius) => SphereRadii::One(radius),
            RadiusSlice::Each(each) => each.into(),
        }
    }

    /// The colours.
    #[must_use]
    pub fn colors(&self) -> &SphereColors<'a> {
        &self.colors
    }

    /// Sets the alpha of all spheres if they have one colour; returns whether they do.
    pub(super) fn set_alpha(&mut self, alpha: u8) -> bool {
        if let SphereColors::One(color) = &mut self.colors {
            color.a = alpha;
            return true;
        }
        false
    }

    /// The same arrays, borrowed.
    pub(super) fn borrowed(&self) -> SphereColumns<'_> {
        let bodies = match &self.bodies {
            ColumnStorage::Given(centers, _) => ColumnStorage::Given(Cow::Borrowed(centers), self.radii()),
            ColumnStorage::Written(spheres) => ColumnStorage::Written(Arc::clone(spheres)),
        };
        let colors = match &self.colors {
            SphereColors::One(color) => SphereColors::One(*color),
            SphereColors::Each(each) => SphereColors::Each(Cow::Borrowed(each)),
            SphereColors::Rgb(each) => SphereColors::Rgb(Cow::Borrowed(each)),
            SphereColors::Rgba(each) => SphereColors::Rgba(Cow::Borrowed(each)),
        };
        SphereColumns { bodies, colors }
    }

    /// The summary of the spheres, if one was made when they were written.
    pub(super) fn summary(&self) -> Option<&SphereSummary> {
        match &self.bodies {
            ColumnStorage::Given(..) => None,
            ColumnStorage::Written(spheres) => Some(&spheres.summary),
        }
    }

    #[inline(always)]
    pub(super) fn slices(&self) -> ArraySlices<'_> {
        let (centers, radii) = match &self.bodies {
            ColumnStorage::Given(centers, SphereRadii::One(radius)) => (&centers[..], RadiusSlice::One(*radius)),
            ColumnStorage::Given(centers, SphereRadii::Each(each)) => (&centers[..], RadiusSlice::Each(each)),
            ColumnStorage::Written(spheres) => {
                let bodies = &spheres.bodies;
                (bodies.centers(), bodies.radius.map_or(RadiusSlice::Each(bodies.radii()), RadiusSlice::One))
            }
        };
        let colors = match &self.colors {
            SphereColors::One(color) => ColorSlice::One(*color),
            SphereColors::Each(each) => ColorSlice::Each(each),
            SphereColors::Rgb(each) => ColorSlice::Rgb(each),
            SphereColors::Rgba(each) => ColorSlice::Rgba(each),
        };
        ArraySlices { centers, radii, colors }
    }
}

/// A range of [`SphereColumns`].
#[derive(Clone, Copy, Debug)]
pub struct ArraySlices<'a> {
    pub(super) centers: &'a [[f32; 3]],
    pub(super) radii: RadiusSlice<'a>,
    colors: ColorSlice<'a>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum RadiusSlice<'a> {
    One(f32),
    Each(&'a [f32]),
}

#[derive(Clone, Copy, Debug)]
enum ColorSlice<'a> {
    One(Srgba8),
    Each(&'a [Srgba8]),
    Rgb(&'a [[u8; 3]]),
    Rgba(&'a [[u8; 4]]),
}

impl<'a> ArraySlices<'a> {
    /// Splits off the first `count` spheres.
    pub(super) fn split_at(self, count: usize) -> (Self, Self) {
        let (centers, centers_behind) = self.centers.split_at(count);
        let (radii, radii_behind) = match self.radii {
            RadiusSlice::One(_) => (self.radii, self.radii),
            RadiusSlice::Each(each) => split(each, count, RadiusSlice::Each),
        };
        let (colors, colors_behind) = match self.colors {
            ColorSlice::One(_) => (self.colors, self.colors),
            ColorSlice::Each(each) => split(each, count, ColorSlice::Each),
            ColorSlice::Rgb(each) => split(each, count, ColorSlice::Rgb),
            ColorSlice::Rgba(each) => split(each, count, ColorSlice::Rgba),
        };
        let behind = Self { centers: centers_behind, radii: radii_behind, colors: colors_behind };
        (Self { centers, radii, colors }, behind)
    }

    #[inline(always)]
    pub(super) fn radius(&self, index: usize) -> f32 {
        match self.radii {
            RadiusSlice::One(radius) => radius,
            RadiusSlice::Each(each) => each[index],
        }
    }

    #[inline(always)]
    pub(super) fn color(&self, index: usize) -> Srgba8 {
        match self.colors {
            ColorSlice::One(color) => color,
            ColorSlice::Each(each) => each[index],
            ColorSlice::Rgb(each) => {
                let [r, g, b] = each[index];
                Srgba8::rgb(r, g, b)
            }
            ColorSlice::Rgba(each) => each[index].into(),
        }
    }

    /// The least and the greatest alpha of all colours.
    pub(super) fn alphas(&self) -> [u8; 2] {
        match self.colors {
            ColorSlice::One(color) => [color.a; 2],
            ColorSlice::Each(each) => alpha_range(each.iter().map(|color| color.a)),
            ColorSlice::Rgb(_) => [u8::MAX; 2],
            ColorSlice::Rgba(each) => alpha_range(each.iter().map(|color| color[3])),
        }
    }

    /// Size of the slices in bytes.
    pub(super) fn size(&self) -> usize {
        let radii = match self.radii {
            RadiusSlice::One(_) => 0,
            RadiusSlice::Each(each) => size_of_val(each),
        };
        let colors = match self.colors {
            ColorSlice::One(_) => 0,
            ColorSlice::Each(each) => size_of_val(each),
            ColorSlice::Rgb(each) => size_of_val(each),
            ColorSlice::Rgba(each) => size_of_val(each),
        };
        size_of_val(self.centers) + radii + colors
    }
}

/// The least and the greatest alpha; the least is greater if there are none.
#[inline(always)]
pub(super) fn alpha_range(alphas: impl Iterator<Item = u8>) -> [u8; 2] {
    alphas.fold([u8::MAX, 0], |[least, greatest], alpha| [least.min(alpha), greatest.max(alpha)])
}

/// Splits a slice and wraps both parts.
fn split<'a, T, S>(slice: &'a [T], count: usize, wrap: impl Fn(&'a [T]) -> S) -> (S, S) {
    let (front, behind) = slice.split_at(count);
    (wrap(front), wrap(behind))
}

impl From<f32> for SphereRadii<'_> {
    /// The same for all spheres.
    fn from(radius: f32) -> Self {
        Self::One(radius)
    }
}

impl From<Vec<f32>> for SphereRadii<'_> {
    /// One for each sphere.
    fn from(radii: Vec<f32>) -> Self {
        Self::Each(radii.into())
    }
}

impl<'a> From<&'a [f32]> for SphereRadii<'a> {
    /// One for each sphere.
    fn from(radii: &'a [f32]) -> Self {
        Self::Each(radii.into())
    }
}

impl From<Srgba8> for SphereColors<'_> {
    /// The same for all spheres.
    fn from(color: Srgba8) -> Self {
        Self::One(color)
    }
}

impl From<Vec<Srgba8>> for SphereColors<'_> {
    /// One for each sphere.
    fn from(colors: Vec<Srgba8>) -> Self {
        Self::Each(colors.into())
    }
}

impl<'a> From<&'a [Srgba8]> for SphereColors<'a> {
    /// One for each sphere.
    fn from(colors: &'a [Srgba8]) -> Self {
        Self::Each(colors.into())
    }
}

impl<'a> From<&'a [[u8; 3]]> for SphereColors<'a> {
    /// Red, green and blue of each sphere.
    fn from(colors: &'a [[u8; 3]]) -> Self {
        Self::Rgb(colors.into())
    }
}

impl<'a> From<&'a [[u8; 4]]> for SphereColors<'a> {
    /// Red, green, blue and alpha of each sphere.
    fn from(colors: &'a [[u8; 4]]) -> Self {
        Self::Rgba(colors.into())
    }
}
