//! Golden images in the tests of any crate.

use std::env;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use super::summary;
use crate::compare::{Antialiasing, CompareOptions, Limits, Mask, Metric, Picture, Rectangle, compare_with_difference};
use crate::error::Result;
use crate::io::{read_picture, write_picture};

/// Set to names with commas between, or to `all`: these goldens are written instead of compared, where they differ.
const BLESS: &str = "ROUNDEL_BLESS";

/// Asserts that a picture is, pixel for pixel, the golden `tests/golden/NAME.png` of the crate under test.
///
/// The picture may come from any renderer: a [`crate::Frame`] or a buffer of the `image` crate. A missing golden is a
/// failure. `ROUNDEL_BLESS=NAME cargo test` writes it, once you have looked at the picture that the message names.
///
/// # Panics
/// When the picture is not the golden.
#[track_caller]
pub fn assert_matches<'a>(name: &str, image: impl Into<Picture<'a>>) {
    Golden::new(name).assert_matches(image);
}

/// A golden image and what may differ from it: nothing, unless said.
///
/// ```no_run
/// use roundel::golden::Golden;
///
/// let image = image::RgbaImage::new(64, 64);
/// Golden::new("dashboard").tolerance(2.0).pixels(20).mask(0, 0, 64, 12).assert_matches(&image);
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is compared before `assert_matches`"]
pub struct Golden {
    name: String,
    folder: PathBuf,
    options: CompareOptions,
}

impl Golden {
    /// The golden of this name; `/` makes folders.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), folder: PathBuf::from("tests/golden"), options: CompareOptions::default() }
    }

    /// Where goldens are, relative to the crate under test; `tests/golden` unless said.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Largest channel difference that passes, in steps of 1/255.
    pub fn tolerance(self, tolerance: f64) -> Self {
        self.metric(Metric::Channels { tolerance })
    }

    /// When two pixels differ.
    pub fn metric(mut self, metric: Metric) -> Self {
        self.options.metric = metric;
        self
    }

    /// Lets pixels pass that are only an edge's anti-aliasing.
    pub fn ignore_antialiasing(mut self) -> Self {
        self.options.antialiasing = Antialiasing::Ignored;
        self
    }

    /// Largest number of differing pixels that passes.
    pub fn pixels(mut self, pixels: u64) -> Self {
        self.options.limits = Limits::pixels(pixels);
        self
    }

    /// Largest share of differing pixels that passes, 0 to 1.
    pub fn share(mut self, share: f64) -> Self {
        self.options.limits = Limits::share(share);
        self
    }

    /// Leaves a rectangle out.
    pub fn mask(mut self, x: u32, y: u32, width: u32, height: u32) -> Self {
        let mask = std::mem::take(&mut self.options.mask);
        self.options.mask = mask.with_rectangle(Rectangle { x, y, width, height });
        self
    }

    /// Leaves out, as well, the pixels where this picture is neither black nor transparent.
    pub fn mask_picture<'a>(mut self, picture: impl Into<Picture<'a>>) -> Self {
        let mask: Mask = std::mem::take(&mut self.options.mask);
        self.options.mask = mask.with_picture(picture);
        self
    }

    /// Asserts that the picture is the golden, within what may differ.
    ///
    /// # Panics
    /// When it is not, or there is no golden. The message names the pictures to look at and the command that approves.
    #[track_caller]
    pub fn assert_matches<'a>(&self, image: impl Into<Picture<'a>>) {
        let blessed = env::var(BLESS).unwrap_or_default();
        let bless = blessed.split(',').any(|name| name == "all" || name == self.name);
        let root = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        match self.compare(&image.into(), &root.join(&self.folder), &target.join("golden"), bless) {
            Ok(None) => {}
            Ok(Some(failure)) => panic!("{failure}"),
            Err(error) => panic!("golden {}: {error}", self.name),
        }
    }

    /// Compares, leaves what differs under `output`, and says what is wrong; when blessing, writes the golden instead.
    fn compare(&self, image: &Picture<'_>, folder: &Path, output: &Path, bless: bool) -> Result<Option<String>> {
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        assert!(!self.name.is_empty() && Path::new(&self.name).components().all(plain), "{:?} is no name", self.name);
        let file = |folder: &Path, ending: &str| folder.join(format!("{}{ending}", self.name));
        let golden = file(folder, ".png");
        let mut failure = format!("golden {}: ", self.name);
        let difference = if golden.exists() {
            let (comparison, difference) =
                compare_with_difference(read_picture(&golden)?, image.clone(), &self.options)?;
            if comparison.is_same() {
                return Ok(None);
            }
            failure += &summary(&comparison);
            difference
        } else {
            failure += "there is none yet";
            None
        };
        if bless {
            write_picture(&golden, image)?;
            return Ok(None);
        }
        let (actual, drawn) = (file(output, ".actual.png"), file(output, ".diff.png"));
        write_picture(&actual, image)?;
        // writing to a String cannot fail
        let _ = write!(failure, "\n  expected:   {}\n  actual:     {}", golden.display(), actual.display());
        if let Some(difference) = difference {
            difference.save_png(&drawn)?;
            let _ = write!(failure, "\n  difference: {}", drawn.display());
        }
        let _ = write!(failure, "\nlook at them, and if the new picture is right: {BLESS}={} cargo test", self.name);
        Ok(Some(failure))
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgba, RgbaImage};

    use super::*;

    #[test]
    fn golden_fails_until_blessed_and_when_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (goldens, output) = (folder.path().join("golden"), folder.path().join("target/golden"));
        let mut image = RgbaImage::from_pixel(8, 6, Rgba([10, 200, 30, 255]));
        let golden = Golden::new("deep/leaf");
        let run = |golden: &Golden, image: &RgbaImage, bless| {
            golden.compare(&image.into(), &goldens, &output, bless).unwrap()
        };

        let missing = run(&golden, &image, false).unwrap();
        assert!(missing.contains("none yet") && missing.contains("ROUNDEL_BLESS=deep/leaf cargo test"), "{missing}");
        assert!(output.join("deep/leaf.actual.png").exists() && !goldens.exists());
        assert_eq!(run(&golden, &image, true), None);
        assert_eq!(run(&golden, &image, false), None);

        image.put_pixel(3, 2, Rgba([10, 204, 30, 255]));
        let changed = run(&golden, &image, false).unwrap();
        assert!(changed.contains("1 of 48 pixels differ, by up to 4, first at 3,2"), "{changed}");
        assert!(output.join("deep/leaf.diff.png").exists());
        assert_eq!(run(&golden.clone().tolerance(4.0), &image, false), None);
        assert_eq!(run(&golden.clone().pixels(1), &image, false), None);
        assert_eq!(run(&golden.clone().share(0.03), &image, false), None);
        assert_eq!(run(&golden.clone().mask(3, 2, 1, 1), &image, false), None);
        assert!(run(&golden.clone().tolerance(3.0), &image, false).is_some());
        let small = run(&golden, &RgbaImage::new(4, 4), false).unwrap();
        assert!(small.contains("4x4 pixels instead of 8x6"), "{small}");
        assert_eq!(run(&golden, &image, true), None, "blessed");
        assert_eq!(run(&golden, &image, false), None);
    }

    #[test]
    #[should_panic(expected = "is no name")]
    fn golden_names_stay_inside_the_folder() {
        let _ =
            Golden::new("../secret").compare(&(&RgbaImage::new(1, 1)).into(), Path::new("a"), Path::new("b"), false);
    }
}
