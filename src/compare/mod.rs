//! Two pictures in, plain numbers and a difference image out.
//!
//! Pictures are compared row by row: pixels that differ under the chosen [`Metric`] are marked, marks are counted and
//! grouped into [`Region`]s, and the counts are held against the [`Limits`]. A size mismatch is reported, never resized
//! away. Nothing here reads or writes a file.

mod antialiasing;
mod difference;
mod flip;
mod mask;
mod picture;
mod regions;
mod rows;
mod yiq;

pub use mask::{Mask, Rectangle};
pub use picture::Picture;
pub use regions::Region;

pub(crate) use difference::Difference;
pub(crate) use rows::{CONTEXT, Comparer, Window};

use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::frame::Frame;
use picture::Samples;

/// How two pictures are compared and what may differ. The default: every channel of every pixel is the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompareOptions {
    /// When two pixels differ.
    pub metric: Metric,
    /// Whether a pixel that is only an edge's anti-aliasing counts; not used by [`Metric::Flip`].
    pub antialiasing: Antialiasing,
    /// How many pixels may differ; not used by [`Metric::Flip`].
    pub limits: Limits,
    /// Pixels that are left out.
    pub mask: Mask,
    /// What the pictures may take when they are read from files; pictures in memory are there already.
    pub budget: Budget,
}

/// When two pixels differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Metric {
    /// When a channel, alpha included, is further apart than the tolerance, in steps of 1/255.
    Channels {
        /// 0 is exact. 16-bit channels are measured in the same steps, 257 to one.
        tolerance: f64,
    },
    /// When they look apart: the weighted distance of their luma and chroma, translucent pixels over black or over white,
    /// whichever shows more.
    ///
    /// Source: Y. Kotsarenko and F. Ramos, "Measuring perceived color difference using YIQ NTSC transmission color space
    /// in mobile applications", 2010, as pixelmatch and odiff use it.
    Yiq {
        /// 0 to 1; pixelmatch's default is 0.1.
        threshold: f64,
    },
    /// When an observer flipping between the two would see it; the verdict is on the mean over the picture. Colours are
    /// laid over black where they are translucent.
    ///
    /// Source: P. Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", HPG 2020, for low dynamic
    /// range, with the separated filters of its reference implementation.
    Flip {
        /// The largest mean error that passes, 0 to 1.
        largest_mean: f64,
        /// Pixels per degree of the observer's view; 67 is a 4K screen of 0.7 m seen from 0.7 m.
        pixels_per_degree: f32,
    },
}

impl Default for Metric {
    fn default() -> Self {
        Self::EXACT
    }
}

impl Metric {
    /// Every channel the same.
    pub const EXACT: Self = Self::Channels { tolerance: 0.0 };
    /// Looks apart to pixelmatch, at its default threshold.
    pub const YIQ: Self = Self::Yiq { threshold: 0.1 };
    /// FLIP at its default distance, with no error at all.
    pub const FLIP: Self = Self::Flip { largest_mean: 0.0, pixels_per_degree: 67.0 };
}

/// Whether pixels that are only an edge's anti-aliasing count as differing.
///
/// Source: V. Vyšniauskas, "Anti-aliased Pixel and Intensity Slope Detector", 2009, as pixelmatch has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Antialiasing {
    /// They count as any other.
    #[default]
    Counts,
    /// They are told apart and do not count.
    Ignored,
}

/// How many pixels may differ before the pictures do. Both limits must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Largest number of differing pixels.
    pub pixels: u64,
    /// Largest share of the compared pixels, 0 to 1.
    pub share: f64,
}

impl Limits {
    /// At most so many pixels.
    #[must_use]
    pub fn pixels(pixels: u64) -> Self {
        Self { pixels, share: 1.0 }
    }

    /// At most this share of the compared pixels.
    #[must_use]
    pub fn share(share: f64) -> Self {
        Self { pixels: u64::MAX, share }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::pixels(0)
    }
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Whether the pictures agree under the options.
    pub verdict: Verdict,
    /// Width and height of both.
    pub sizes: [(u32, u32); 2],
    /// Pixels looked at: all that are not masked; 0 on a size mismatch.
    pub compared: u64,
    /// Pixels that differ under the metric. Under FLIP those whose error shows in an 8-bit error map.
    pub differing: u64,
    /// Pixels that would differ, but are an edge's anti-aliasing.
    pub antialiased: u64,
    /// Largest difference of a channel of any compared pixel, in steps of 1/255, the metric's tolerance aside.
    pub largest: f64,
    /// Mean difference of a channel over all compared pixels, in steps of 1/255.
    pub mean: f64,
    /// Mean FLIP error, 0 to 1, when that is the metric.
    pub flip_mean: Option<f64>,
    /// Column and row of the first differing pixel, reading as a page.
    pub first: Option<(u32, u32)>,
    /// The differing pixels by connected region, largest first.
    pub regions: Vec<Region>,
}

/// Whether two pictures agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Within the limits.
    Same,
    /// Beyond them.
    Different,
    /// Not of the same size, and so not compared.
    SizeMismatch,
}

impl Comparison {
    /// Whether the pictures agree under the options.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.verdict == Verdict::Same
    }

    pub(crate) fn size_mismatch(sizes: [(u32, u32); 2]) -> Self {
        Self { verdict: Verdict::SizeMismatch, sizes, ..Self::identical((0, 0), 0) }
    }

    /// What comparing a picture with itself gives.
    pub(crate) fn identical(size: (u32, u32), compared: u64) -> Self {
        Self {
            verdict: Verdict::Same,
            sizes: [size; 2],
            compared,
            differing: 0,
            antialiased: 0,
            largest: 0.0,
            mean: 0.0,
            flip_mean: None,
            first: None,
            regions: Vec::new(),
        }
    }
}

/// Compares two pictures.
///
/// ```
/// use roundel::compare::{CompareOptions, compare};
/// use roundel::{Frame, Srgba8};
///
/// let white = Frame::new(8, 8, Srgba8::WHITE)?;
/// let mut spoiled = white.clone();
/// spoiled.pixels_mut()[10] = Srgba8::rgb(255, 255, 252);
/// let found = compare(&white, &spoiled, &CompareOptions::default())?;
/// assert!(!found.is_same());
/// assert_eq!((found.differing, found.largest, found.first), (1, 3.0, Some((2, 1))));
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// When an option is out of range, or the mask is a picture of another size.
pub fn compare<'a, 'b>(
    expected: impl Into<Picture<'a>>,
    actual: impl Into<Picture<'b>>,
    options: &CompareOptions,
) -> Result<Comparison> {
    compare_pictures(&expected.into(), &actual.into(), options, None).map(|(comparison, _)| comparison)
}

/// Compares two pictures and draws where they differ: the expected one in faint grey, differing pixels red, anti-aliasing
/// yellow, masked ones blue; under FLIP its error map in the magma colours. `None` when the sizes differ.
///
/// # Errors
/// As [`compare`].
pub fn compare_with_difference<'a, 'b>(
    expected: impl Into<Picture<'a>>,
    actual: impl Into<Picture<'b>>,
    options: &CompareOptions,
) -> Result<(Comparison, Option<Frame>)> {
    let (expected, actual) = (expected.into(), actual.into());
    let mut difference = Difference::new(expected.size())?;
    let (comparison, errors) = compare_pictures(&expected, &actual, options, Some(&mut difference))?;
    let image = match (comparison.verdict, errors) {
        (Verdict::SizeMismatch, _) => None,
        (_, Some(errors)) => Some(difference::error_map(expected.size(), &errors)?),
        (_, None) => Some(difference.finish()),
    };
    Ok((comparison, image))
}

/// What became of one pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mark {
    Same,
    Antialiased,
    Differs,
    Masked,
}

/// Compares, draws the difference if there is something to draw it on, and returns FLIP's errors when that is the metric.
fn compare_pictures(
    expected: &Picture<'_>,
    actual: &Picture<'_>,
    options: &CompareOptions,
    mut difference: Option<&mut Difference>,
) -> Result<(Comparison, Option<Vec<f32>>)> {
    options.check()?;
    let sizes = [expected.size(), actual.size()];
    if sizes[0] != sizes[1] {
        return Ok((Comparison::size_mismatch(sizes), None));
    }
    let (width, height) = sizes[0];
    options.check_for(sizes[0])?;
    let errors = if let Metric::Flip { pixels_per_degree, .. } = options.metric {
        Some(flip::errors(expected, actual, pixels_per_degree))
    } else {
        None
    };
    let mut comparer = Comparer::new(width, height, options);
    if let Some(errors) = &errors {
        comparer.judge_by(errors);
    }
    match (&expected.samples, &actual.samples) {
        (Samples::Eight(a), Samples::Eight(b)) => {
            comparer.compare_rows(Window { a, b, first: 0 }, 0..height, |row, marks| {
                difference.iter_mut().for_each(|difference| difference.push_row(row, marks));
            });
        }
        _ => {
            let (a, b) = (expected.to_sixteen(), actual.to_sixteen());
            comparer.compare_rows(Window { a: &a, b: &b, first: 0 }, 0..height, |row, marks| {
                difference.iter_mut().for_each(|difference| difference.push_row(row, marks));
            });
        }
    }
    Ok((comparer.finish(), errors))
}

impl CompareOptions {
    /// What comparing a picture of this size with itself gives.
    pub(crate) fn identical(&self, size: (u32, u32)) -> Result<Comparison> {
        self.check_for(size)?;
        let compared = u64::from(size.0) * u64::from(size.1) - self.mask.count(size);
        let flip_mean = matches!(self.metric, Metric::Flip { .. }).then_some(0.0);
        Ok(Comparison { flip_mean, ..Comparison::identical(size, compared) })
    }

    /// Checks every option for pictures of this size.
    pub(crate) fn check_for(&self, (width, height): (u32, u32)) -> Result<()> {
        self.check()?;
        self.mask.check(width, height)
    }

    /// Checks every number that has a range.
    pub(crate) fn check(&self) -> Result<()> {
        let in_range = |name, value: f64, most: f64| {
            if (0.0..=most).contains(&value) {
                return Ok(());
            }
            Err(Error::Setting { name, message: format!("must be 0 to {most}, got {value}") })
        };
        in_range("share", self.limits.share, 1.0)?;
        match self.metric {
            Metric::Channels { tolerance } => in_range("tolerance", tolerance, 255.0),
            Metric::Yiq { threshold } => in_range("threshold", threshold, 1.0),
            Metric::Flip { largest_mean, pixels_per_degree } => {
                in_range("largest mean", largest_mean, 1.0)?;
                // the filters of 500 pixels a degree are 139 pixels wide
                if (1.0..=500.0).contains(&pixels_per_degree) {
                    return Ok(());
                }
                let message = format!("must be 1 to 500, got {pixels_per_degree}");
                Err(Error::Setting { name: "pixels per degree", message })
            }
        }
    }
}
