//! Golden images in the tests of any crate.

mod outcome;

use std::path::PathBuf;

use crate::bless;
use crate::compare::{Antialiasing, CompareOptions, Limits, Mask, Metric, Picture, Rectangle, Sequence};
use roundel_image::error::{Error, Result};

pub use self::outcome::AssertOutcome;

/// Asserts that a picture equals, pixel for pixel, the golden `tests/golden/NAME.png` of the crate under test.
///
/// The picture may come from any renderer; see [`Picture`]. A [`Sequence`] of pictures is compared with an animated PNG,
/// frame by frame. A missing golden is a failure. `ROUNDEL_BLESS=NAME cargo
/// test` writes it, once you have looked at the picture that the message names. [`Golden`] allows for differences.
///
/// ```no_run
/// use roundel_golden::{Frame, Srgba8};
///
/// let frame = Frame::new(64, 64, Srgba8::WHITE)?;
/// roundel_golden::assert_matches("blank", &frame);
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Panics
/// If the picture differs from the golden, or there is no golden. The message says how they differ and names the files
/// to look at and the command that approves the picture.
#[track_caller]
pub fn assert_matches<'a>(name: &str, picture: impl Into<Sequence<'a>>) {
    Golden::new(name).assert_matches(picture);
}

/// A golden image, and how much a picture may differ from it: not at all by default.
///
/// ```no_run
/// use roundel_golden::compare::Metric;
/// use roundel_golden::Golden;
/// use roundel_golden::{Frame, Srgba8};
///
/// let frame = Frame::new(64, 64, Srgba8::WHITE)?;
/// Golden::new("dashboard").tolerance(2.0).pixels(20).mask(0, 0, 64, 12).assert_matches(&frame);
/// Golden::new("photo").metric(Metric::YIQ).ignore_antialiasing().assert_matches(&frame);
/// # Ok::<(), roundel_golden::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is compared before `assert_matches`"]
pub struct Golden {
    name: String,
    folder: PathBuf,
    tolerance: Option<f64>,
    metric: Option<Metric>,
    antialiasing: Antialiasing,
    pixels: Option<u64>,
    share: Option<f64>,
    window: Option<u32>,
    mask: Mask,
}

impl Golden {
    /// The golden with this name, with or without the ending `.png`. `/` separates folders.
    pub fn new(name: &str) -> Self {
        Self {
            name: bless::stem(name).to_owned(),
            folder: PathBuf::from(FOLDER),
            tolerance: None,
            metric: None,
            antialiasing: Antialiasing::Counts,
            pixels: None,
            share: None,
            window: None,
            mask: Mask::new(),
        }
    }

    /// Sets the folder of the golden, relative to the crate under test. The default is `tests/golden`.
    ///
    /// Subfolders of `tests/golden` are part of the golden's name: `theme` in `tests/golden/dark` is approved as
    /// `dark/theme`.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Sets the largest difference of a channel that passes, in steps of 1/255.
    ///
    /// The same as [`Golden::metric`] with [`Metric::Channels`]. Only one of the two can be set.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// Sets the metric that decides when two pixels differ.
    pub fn metric(mut self, metric: Metric) -> Self {
        self.metric = Some(metric);
        self
    }

    /// Ignores differing pixels that are only the anti-aliasing of an edge.
    pub fn ignore_antialiasing(mut self) -> Self {
        self.antialiasing = Antialiasing::Ignored;
        self
    }

    /// Sets the largest number of differing pixels that passes. If [`Golden::share`] is set too, both must hold.
    pub fn pixels(mut self, pixels: u64) -> Self {
        self.pixels = Some(pixels);
        self
    }

    /// Sets the largest share of differing pixels that passes, 0 to 1. If [`Golden::pixels`] is set too, both must
    /// hold.
    pub fn share(mut self, share: f64) -> Self {
        self.share = Some(share);
        self
    }

    /// Applies [`Golden::pixels`] and [`Golden::share`] to every square window of this side instead of the picture, as
    /// pixelmatch 8 does; see [`Limits::window`].
    pub fn window(mut self, side: u32) -> Self {
        self.window = Some(side);
        self
    }

    /// Leaves out the parts of the golden that are fully transparent. They stay so when the golden is blessed.
    pub fn mask_transparent(mut self) -> Self {
        self.mask = self.mask.with_transparent_parts();
        self
    }

    /// Leaves out a rectangle. Can be called several times.
    pub fn mask(mut self, x: u32, y: u32, width: u32, height: u32) -> Self {
        self.mask = self.mask.with_rectangle(Rectangle { x, y, width, height });
        self
    }

    /// Leaves out the pixels where this picture is neither black nor fully transparent.
    pub fn mask_picture<'a>(mut self, picture: impl Into<Picture<'a>>) -> Self {
        self.mask = self.mask.with_picture(picture);
        self
    }

    /// Asserts that the picture, or each picture of a [`Sequence`], equals the golden within the limits.
    ///
    /// `NAME@2.png` to `NAME@9.png` beside the golden are variants that are accepted, too, and so is `NAME.linux.png` on
    /// one system or `NAME.linux-aarch64.png` on one kind of machine, as [`std::env::consts`] name them.
    ///
    /// # Panics
    /// If it differs, there is no golden, or an option is out of range. The message says how they differ and names the
    /// files to look at and the command that approves the picture.
    #[track_caller]
    pub fn assert_matches<'a>(&self, picture: impl Into<Sequence<'a>>) {
        if let Err(message) = self.compare(&picture.into()) {
            panic!("{message}");
        }
    }

    fn options(&self) -> Result<CompareOptions> {
        let metric = match (self.tolerance, self.metric) {
            (Some(tolerance), None) => Metric::Channels { tolerance },
            (None, metric) => metric.unwrap_or_default(),
            (Some(_), Some(metric)) => {
                let message = format!("and the metric {} both say when pixels differ; give one", metric.name());
                return Err(Error::setting("tolerance", message));
            }
        };
        let options = CompareOptions::default()
            .with_metric(metric)
            .with_antialiasing(self.antialiasing)
            .with_limits(Limits { window: self.window, ..Limits::of(self.pixels, self.share) })
            .with_mask(self.mask.clone());
        options.check()?;
        Ok(options)
    }
}

/// The default folder of goldens.
const FOLDER: &str = "tests/golden";
