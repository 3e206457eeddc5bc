//! The result of a comparison.

use super::options::{CompareOptions, Metric};
use super::regions::Region;
use super::sequence::SequenceComparison;
use roundel_image::error::Result;

/// The result of comparing two pictures.
///
/// ```
/// use roundel_golden::compare::{CompareOptions, Region, Verdict, compare};
/// use roundel_golden::{Frame, Srgba8};
///
/// let white = Frame::new(8, 8, Srgba8::WHITE)?;
/// let mut spoiled = white.clone();
/// spoiled.pixels_mut()[10] = Srgba8::rgb(255, 255, 252);
/// let found = compare(&white, &spoiled, &CompareOptions::default())?;
/// assert_eq!(found.verdict, Verdict::Different);
/// assert_eq!(found.regions, [Region { x: 2, y: 1, width: 1, height: 1, pixels: 1 }]);
/// assert_eq!(found.summary(), "1 of 64 pixels differ, by up to 3, first at 2,1");
/// # Ok::<(), roundel_golden::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Comparison {
    /// Whether the pictures agree under the options.
    pub verdict: Verdict,
    /// Width and height of the expected and of the actual picture.
    pub sizes: [(u32, u32); 2],
    /// The number of pixels compared: all except masked ones; 0 on a size mismatch.
    pub compared: u64,
    /// The number of pixels that differ under the metric; for FLIP, with an error that is visible in an 8-bit error
    /// map.
    pub differing: u64,
    /// The number of pixels that differ, but are only the anti-aliasing of an edge.
    pub antialiased: u64,
    /// The largest difference of a channel of any compared pixel, in steps of 1/255, whatever the metric tolerates.
    pub largest: f64,
    /// The mean difference of a channel over all compared pixels, in steps of 1/255.
    pub mean: f64,
    /// The mean FLIP error, 0 to 1, if FLIP is the metric.
    pub flip_mean: Option<f64>,
    /// Column and row of the first differing pixel in reading order.
    pub first: Option<(u32, u32)>,
    /// The connected regions of differing pixels, largest first.
    pub regions: Vec<Region>,
    /// The window with the most differing pixels, if [`Limits::window`](super::Limits::window) is set.
    pub densest: Option<Region>,
    /// How the frames compare, unless both are single pictures or files with equal bytes. The other numbers are about
    /// the first frame that differs, or else about the frame with the most differing pixels.
    pub sequence: Option<SequenceComparison>,
    /// Names parts of the files that were not compared, such as further pages of a TIFF.
    pub left_out: Option<String>,
}

/// Whether two pictures agree.
///
/// ```
/// use roundel_golden::compare::{CompareOptions, Comparison, Verdict, compare};
/// use roundel_golden::{Frame, Srgba8};
///
/// let [small, large] = [8, 9].map(|width| Frame::new(width, 8, Srgba8::WHITE).expect("a size"));
/// let found: Comparison = compare(&small, &large, &CompareOptions::default())?;
/// assert_eq!((found.verdict, found.summary()), (Verdict::SizeMismatch, "9x8 pixels instead of 8x8".to_owned()));
/// assert_eq!(compare(&small, &small, &CompareOptions::default())?.verdict, Verdict::Same);
/// # Ok::<(), roundel_golden::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The difference is within the limits.
    Same,
    /// The difference exceeds the limits.
    Different,
    /// The sizes differ, so no pixel was compared.
    SizeMismatch,
}

impl Comparison {
    /// Reports whether the pictures agree under the options.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.verdict == Verdict::Same
    }

    /// One line: `same`, the two sizes, or how many pixels differ, by how much, and the position of the first. For
    /// films, also how many frames there are and differ, and which is the first.
    #[must_use]
    pub fn summary(&self) -> String {
        let found = match &self.sequence {
            Some(sequence) if !self.is_same() => sequence.summary(&self.summary_of_picture()),
            _ => self.summary_of_picture(),
        };
        match &self.left_out {
            Some(left_out) => format!("{found}; not compared: {left_out}"),
            None => found,
        }
    }

    fn summary_of_picture(&self) -> String {
        let [(width, height), (actual_width, actual_height)] = self.sizes;
        match self.verdict {
            Verdict::Same => "same".to_owned(),
            Verdict::SizeMismatch => format!("{actual_width}x{actual_height} pixels instead of {width}x{height}"),
            Verdict::Different => {
                let flip = self.flip_mean.map_or(String::new(), |mean| format!("FLIP mean {mean:.6}, "));
                let place = self.first.map_or(String::new(), |(x, y)| format!(", first at {x},{y}"));
                let densest = self.densest.map_or(String::new(), |Region { x, y, width, pixels, .. }| {
                    format!(", {pixels} in {width}x{width} at {x},{y}")
                });
                let Self { differing, compared, largest, .. } = self;
                format!("{flip}{differing} of {compared} pixels differ{densest}, by up to {largest}{place}")
            }
        }
    }

    /// The result for two pictures of different sizes.
    pub(crate) fn size_mismatch(sizes: [(u32, u32); 2]) -> Self {
        Self { verdict: Verdict::SizeMismatch, sizes, ..Self::empty((0, 0)) }
    }

    /// The result of comparing a picture of this size with itself, by a mask that does not depend on its pixels.
    pub(crate) fn identical(size: (u32, u32), options: &CompareOptions) -> Result<Self> {
        options.check_for(size)?;
        let flip_mean = matches!(options.metric, Metric::Flip { .. }).then_some(0.0);
        let compared = u64::from(size.0) * u64::from(size.1) - options.mask.count(size);
        Ok(Self { compared, flip_mean, ..Self::empty(size) })
    }

    /// The result before any pixel is compared.
    pub(super) fn empty(size: (u32, u32)) -> Self {
        Self {
            verdict: Verdict::Same,
            sizes: [size; 2],
            compared: 0,
            differing: 0,
            antialiased: 0,
            largest: 0.0,
            mean: 0.0,
            flip_mean: None,
            first: None,
            regions: Vec::new(),
            densest: None,
            sequence: None,
            left_out: None,
        }
    }
}
