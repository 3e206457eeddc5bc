//! How two pictures are compared, and how much may differ.

use super::mask::Mask;
use roundel_image::budget::Budget;
use roundel_image::error::{Error, Result};

/// How two pictures are compared, and how much may differ. The default: every channel of every pixel must be equal.
///
/// ```
/// use roundel_golden::compare::{Antialiasing, CompareOptions, Limits, Metric};
///
/// let options = CompareOptions::default()
///     .with_metric(Metric::YIQ)
///     .with_antialiasing(Antialiasing::Ignored)
///     .with_limits(Limits::pixels(20));
/// assert_eq!(options.limits.pixels, 20);
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct CompareOptions {
    /// When two pixels differ.
    pub metric: Metric,
    /// Whether pixels that are only the anti-aliasing of an edge count.
    pub antialiasing: Antialiasing,
    /// How many pixels may differ.
    pub limits: Limits,
    /// Pixels that are left out.
    pub mask: Mask,
    /// The largest pictures that are read from files; not applied to pictures in memory.
    pub budget: Budget,
}

impl CompareOptions {
    /// The same options with another metric.
    #[must_use]
    pub fn with_metric(self, metric: Metric) -> Self {
        Self { metric, ..self }
    }

    /// The same options, anti-aliasing counted or ignored.
    #[must_use]
    pub fn with_antialiasing(self, antialiasing: Antialiasing) -> Self {
        Self { antialiasing, ..self }
    }

    /// The same options with other limits on differing pixels.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same options with another mask.
    #[must_use]
    pub fn with_mask(self, mask: Mask) -> Self {
        Self { mask, ..self }
    }

    /// The same options with another budget for files.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The differences that pass, in words; `None` if no difference passes.
    #[doc(hidden)]
    pub fn allowed(&self) -> Option<String> {
        let metric = match self.metric {
            Metric::Channels { tolerance } if tolerance > 0.0 => {
                Some(format!("channels that differ by up to {tolerance}"))
            }
            Metric::Channels { .. } => None,
            Metric::Yiq { threshold } => Some(format!("colours that differ by up to {threshold} in YIQ")),
            Metric::Oklab { threshold } => Some(format!("colours that differ by up to {threshold} in OKLab")),
            Metric::Flip { largest_mean, .. } => Some(format!("a mean FLIP error of {largest_mean}")),
        };
        let antialiasing = (self.antialiasing == Antialiasing::Ignored).then(|| "anti-aliasing".to_owned());
        let Limits { pixels, share, window } = self.limits;
        let place = window.map_or(String::new(), |side| format!(" in any {side}x{side}"));
        let pixels = (pixels > 0 && pixels < u64::MAX).then(|| format!("{pixels} differing pixels{place}"));
        let share = (share > 0.0 && share < 1.0).then(|| format!("a share of {share} of the pixels{place}"));
        let all: Vec<String> = [metric, antialiasing, pixels, share].into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// Checks every option for pictures of this size.
    pub(crate) fn check_for(&self, size: (u32, u32)) -> Result<()> {
        self.check()?;
        self.mask.check(size)
    }

    /// Checks the range of every number, and that no option is set that the metric ignores.
    #[doc(hidden)]
    pub fn check(&self) -> Result<()> {
        in_range("share", self.limits.share, 1.0)?;
        if self.limits.window == Some(0) {
            return Err(Error::setting("window", "must have a side of at least 1 pixel, got 0"));
        }
        match self.metric {
            Metric::Channels { tolerance } => in_range("tolerance", tolerance, 255.0),
            Metric::Yiq { threshold } => in_range("threshold", threshold, 1.0),
            Metric::Oklab { threshold } => in_range("oklab", threshold, 1.0),
            Metric::Flip { largest_mean, pixels_per_degree } => {
                in_range("flip", largest_mean, 1.0)?;
                if self.limits != Limits::default() || self.antialiasing == Antialiasing::Ignored {
                    return Err(judged_by_mean());
                }
                // at 500 pixels per degree the filters are 139 pixels wide
                if (1.0..=500.0).contains(&pixels_per_degree) {
                    return Ok(());
                }
                Err(Error::setting("pixels_per_degree", format!("must be 1 to 500, got {pixels_per_degree}")))
            }
        }
    }
}

/// The error for limits beside FLIP.
fn judged_by_mean() -> Error {
    let message = "judges by the mean error: pixels, share, window and anti-aliasing have no effect on it";
    Error::Setting { name: "FLIP", message: message.to_owned() }
}

fn in_range(name: &'static str, value: f64, most: f64) -> Result<()> {
    if (0.0..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::Setting { name, message: format!("must be 0 to {most}, got {value}") })
}

/// When two pixels differ.
///
/// ```
/// use roundel_golden::compare::Metric;
///
/// assert_eq!(Metric::default(), Metric::EXACT);
/// assert_eq!(Metric::EXACT, Metric::Channels { tolerance: 0.0 });
/// assert_eq!(Metric::YIQ, Metric::Yiq { threshold: 0.1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Metric {
    /// Two pixels differ when a channel, alpha included, differs by more than the tolerance, in steps of 1/255.
    Channels {
        /// 0 is exact. 16-bit channels are measured in the same steps, 257 of theirs to one.
        tolerance: f64,
    },
    /// Two pixels differ when they look different: by the weighted distance of their luma and chroma. Translucent
    /// pixels are laid over black and over white, and the larger distance counts.
    ///
    /// Source: Y. Kotsarenko and F. Ramos, "Measuring perceived color difference using YIQ NTSC transmission color
    /// space in mobile applications", 2010, as pixelmatch 7 and odiff use it.
    Yiq {
        /// 0 to 1; pixelmatch 7's default is 0.1.
        threshold: f64,
    },
    /// Two pixels differ when they look different: by their difference in lightness plus their distance in hue and
    /// chroma, in OKLab. It agrees with perception better than YIQ, most of all for dark colours and large differences.
    /// Translucent pixels are laid over black and over white, and the larger distance counts.
    ///
    /// Source: B. Ottosson, "A perceptual color space for image processing", 2020, with the sum of S. Abasi et al.,
    /// "Distance metrics for very large color differences", 2020, as pixelmatch 8 uses it.
    Oklab {
        /// 0 to 1, which is black and white; pixelmatch 8's default is 0.1.
        threshold: f64,
    },
    /// Pictures differ when an observer who flips between the two would notice: FLIP's error, averaged over the
    /// picture. Translucent pixels are laid over black and over white, and the larger error counts.
    /// [`CompareOptions::limits`] and [`CompareOptions::antialiasing`] must be left at their defaults.
    ///
    /// Source: P. Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", HPG 2020, for low dynamic
    /// range, with the separated filters of its reference implementation.
    Flip {
        /// The largest mean error that passes, 0 to 1.
        largest_mean: f64,
        /// Pixels per degree of the observer's view, 1 to 500; 67 is a 4K screen of 0.7 m seen from 0.7 m.
        pixels_per_degree: f32,
    },
}

impl Default for Metric {
    fn default() -> Self {
        Self::EXACT
    }
}

impl Metric {
    /// The name in messages.
    #[doc(hidden)]
    pub fn name(self) -> &'static str {
        match self {
            Self::Channels { .. } => "of channels",
            Self::Yiq { .. } => "YIQ",
            Self::Oklab { .. } => "OKLab",
            Self::Flip { .. } => "FLIP",
        }
    }

    /// Every channel must be equal.
    pub const EXACT: Self = Self::Channels { tolerance: 0.0 };
    /// YIQ at pixelmatch 7's default threshold.
    pub const YIQ: Self = Self::Yiq { threshold: 0.1 };
    /// OKLab at pixelmatch 8's default threshold.
    pub const OKLAB: Self = Self::Oklab { threshold: 0.1 };
    /// FLIP at its default distance, with no error allowed.
    pub const FLIP: Self = Self::Flip { largest_mean: 0.0, pixels_per_degree: 67.0 };
}

/// Whether pixels that are only the anti-aliasing of an edge count as differing.
///
/// ```
/// assert_eq!(roundel_golden::compare::Antialiasing::default(), roundel_golden::compare::Antialiasing::Counts);
/// ```
///
/// Source: V. Vyšniauskas, "Anti-aliased Pixel and Intensity Slope Detector", 2009, as pixelmatch implements it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Antialiasing {
    /// They count like any other pixel.
    #[default]
    Counts,
    /// They are detected and do not count.
    Ignored,
}

/// How many pixels may differ before the pictures do. Both limits must hold.
///
/// ```
/// use roundel_golden::compare::Limits;
///
/// assert_eq!(Limits::default(), Limits::pixels(0));
/// assert_eq!(Limits::of(Some(100), Some(0.01)), Limits { share: 0.01, ..Limits::pixels(100) });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Largest number of differing pixels.
    pub pixels: u64,
    /// Largest share of the compared pixels, 0 to 1.
    pub share: f64,
    /// The side of a square window. If it is set, the limits hold for each window of that size and not for the picture:
    /// noise that is scattered passes, and as many pixels in one place do not. A window is never larger than the
    /// picture.
    ///
    /// Source: pixelmatch 8, `windowSize`.
    pub window: Option<u32>,
}

impl Limits {
    /// At most this number of pixels.
    #[must_use]
    pub fn pixels(pixels: u64) -> Self {
        Self { pixels, share: 1.0, window: None }
    }

    /// At most this share of the compared pixels.
    #[must_use]
    pub fn share(share: f64) -> Self {
        Self { pixels: u64::MAX, share, window: None }
    }

    /// The limits from two optional numbers. Without either no pixel may differ; if both are given, both must hold.
    ///
    /// ```
    /// use roundel_golden::compare::Limits;
    ///
    /// assert_eq!(Limits::of(None, None), Limits::default());
    /// assert_eq!(Limits::of(None, Some(0.01)), Limits::share(0.01));
    /// ```
    #[must_use]
    pub fn of(pixels: Option<u64>, share: Option<f64>) -> Self {
        match (pixels, share) {
            (None, None) => Self::default(),
            (pixels, share) => Self { pixels: pixels.unwrap_or(u64::MAX), share: share.unwrap_or(1.0), window: None },
        }
    }

    /// The limits that a caller gives beside a metric.
    ///
    /// # Errors
    /// If any is given beside FLIP, which judges by the mean error, be it the default.
    #[doc(hidden)]
    pub fn given(metric: Metric, pixels: Option<u64>, share: Option<f64>, window: Option<u32>) -> Result<Self> {
        let is_any = pixels.is_some() || share.is_some() || window.is_some();
        if is_any && matches!(metric, Metric::Flip { .. }) {
            return Err(judged_by_mean());
        }
        Ok(Self { window, ..Self::of(pixels, share) })
    }

    /// The same limits for every window of this side.
    ///
    /// ```
    /// use roundel_golden::compare::{CompareOptions, Limits, compare};
    /// use roundel_golden::{Frame, Srgba8};
    ///
    /// let white = Frame::new(64, 64, Srgba8::WHITE)?;
    /// let mut noise = white.clone();
    /// noise.pixels_mut().iter_mut().step_by(100).for_each(|pixel| *pixel = Srgba8::BLACK);
    /// let options = CompareOptions::default().with_limits(Limits::pixels(4).with_window(16));
    /// let found = compare(&white, &noise, &options)?;
    /// assert!(found.is_same() && found.differing == 41);
    /// assert_eq!(found.densest.expect("pixels differ").pixels, 4);
    /// # Ok::<(), roundel_golden::Error>(())
    /// ```
    #[must_use]
    pub fn with_window(self, side: u32) -> Self {
        Self { window: Some(side), ..self }
    }
}

impl Default for Limits {
    /// No pixel may differ.
    fn default() -> Self {
        Self::pixels(0)
    }
}
