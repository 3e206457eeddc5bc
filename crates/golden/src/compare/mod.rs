//! Two pictures in, numbers and a difference image out.
//!
//! Pictures are compared row by row: pixels that differ under the chosen [`Metric`] are marked, marks are counted and
//! grouped into [`Region`]s, and the counts are checked against the [`Limits`]. Pictures of different sizes are
//! reported as such, never resized. Films are compared frame by frame ([`compare_sequences`]). Files are compared by
//! [`compare_files`](crate::compare_files).
//!
//! ```
//! use roundel_golden::compare::{CompareOptions, Metric, compare};
//! use roundel_golden::{Frame, Srgba8};
//!
//! let expected = Frame::new(8, 8, Srgba8::WHITE)?;
//! let actual = Frame::new(8, 8, Srgba8::rgb(254, 255, 255))?;
//! assert!(!compare(&expected, &actual, &CompareOptions::default())?.is_same());
//! let tolerant = CompareOptions::default().with_metric(Metric::Channels { tolerance: 1.0 });
//! assert!(compare(&expected, &actual, &tolerant)?.is_same());
//! # Ok::<(), roundel_golden::Error>(())
//! ```

mod antialiasing;
mod comparer;
mod comparison;
mod difference;
mod flip;
mod mask;
mod oklab;
mod options;
mod regions;
mod sequence;
mod unequal_sizes;
mod window;
mod yiq;

pub use comparison::{Comparison, Verdict};
pub use mask::{Mask, Rectangle};
pub use options::{Antialiasing, CompareOptions, Limits, Metric};
pub use regions::Region;
#[doc(inline)]
pub use roundel_image::{Picture, Sequence, TimedPicture};
pub use sequence::{DelayDifference, DifferingPictures, SequenceComparison, compare_sequences};

pub(crate) use comparer::{CONTEXT, Comparer, RowPair};
pub(crate) use difference::Difference;
pub(crate) use sequence::compare_sources;

use roundel_image::picture::Samples;
use roundel_image::{Frame, Result};

/// Compares two pictures.
///
/// ```
/// use roundel_golden::compare::{CompareOptions, compare};
/// use roundel_golden::{Frame, Srgba8};
///
/// let white = Frame::new(8, 8, Srgba8::WHITE)?;
/// let mut spoiled = white.clone();
/// spoiled.pixels_mut()[10] = Srgba8::rgb(255, 255, 252);
/// let found = compare(&white, &spoiled, &CompareOptions::default())?;
/// assert!(!found.is_same());
/// assert_eq!((found.differing, found.largest, found.first), (1, 3.0, Some((2, 1))));
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// If an option is out of range, the mask picture has another size, a rectangle of the mask is entirely outside of the
/// pictures, or the mask leaves no pixel.
pub fn compare<'a, 'b>(
    expected: impl Into<Picture<'a>>,
    actual: impl Into<Picture<'b>>,
    options: &CompareOptions,
) -> Result<Comparison> {
    compare_pictures(&expected.into(), &actual.into(), options, None).map(|(comparison, _)| comparison)
}

/// Compares two pictures and draws where they differ.
///
/// The difference image is the expected picture in faint grey, with differing pixels in red, anti-aliasing in yellow
/// and masked pixels in blue. Under FLIP it is the error map in magma colours. Pictures of different sizes are laid over
/// one another at their top left corners; pixels that only one of them has are purple, and those that neither has are
/// transparent. There is no difference image if the area of both together is more than four times that of the larger.
///
/// ```
/// use roundel_golden::compare::{CompareOptions, compare_with_difference};
/// use roundel_golden::{Frame, Srgba8};
///
/// let white = Frame::new(2, 1, Srgba8::WHITE)?;
/// let mut spoiled = white.clone();
/// spoiled.pixels_mut()[1] = Srgba8::BLACK;
/// let (_, difference) = compare_with_difference(&white, &spoiled, &CompareOptions::default())?;
/// let difference = difference.expect("the sizes agree");
/// assert_eq!(difference.pixels(), [Srgba8::WHITE, Srgba8::rgb(255, 0, 0)]);
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// As [`compare`].
pub fn compare_with_difference<'a, 'b>(
    expected: impl Into<Picture<'a>>,
    actual: impl Into<Picture<'b>>,
    options: &CompareOptions,
) -> Result<(Comparison, Option<Frame>)> {
    let (expected, actual) = (expected.into(), actual.into());
    if expected.size() != actual.size() {
        let (comparison, _) = compare_pictures(&expected, &actual, options, None)?;
        return Ok((comparison, unequal_sizes::difference(&expected, &actual, options)?));
    }
    let mut difference = Difference::new(expected.size())?;
    let (comparison, errors) = compare_pictures(&expected, &actual, options, Some(&mut difference))?;
    let image = match errors {
        Some(errors) => difference::error_map(expected.size(), &errors)?,
        None => difference.finish(),
    };
    Ok((comparison, Some(image)))
}

/// Compares two pictures, draws into `difference` if it is given, and returns FLIP's errors if FLIP is the metric.
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
    let depends_on_pixels = options.mask.has_transparent_parts();
    if difference.is_none() && !depends_on_pixels && expected.samples() == actual.samples() {
        return Comparison::identical(sizes[0], options).map(|comparison| (comparison, None));
    }
    let errors = if let Metric::Flip { pixels_per_degree, .. } = options.metric {
        Some(flip::errors(expected, actual, pixels_per_degree))
    } else {
        None
    };
    let mut comparer = Comparer::new(width, height, options);
    comparer.errors = errors.as_deref();
    match (expected.samples(), actual.samples()) {
        (Samples::Eight(a), Samples::Eight(b)) => {
            comparer.compare_rows(RowPair { expected: a, actual: b, first: 0 }, 0..height, |row, marks| {
                difference.iter_mut().for_each(|difference| difference.push_row(row, marks));
            });
        }
        _ => {
            let (a, b) = (expected.to_sixteen(), actual.to_sixteen());
            comparer.compare_rows(RowPair { expected: &a, actual: &b, first: 0 }, 0..height, |row, marks| {
                difference.iter_mut().for_each(|difference| difference.push_row(row, marks));
            });
        }
    }
    Ok((comparer.finish()?, errors))
}
