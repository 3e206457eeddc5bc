//! Golden images in the tests of any crate.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::bless::{self, Bless};
use super::failures::{self, FailureFiles, Stale};
use super::gone;
use super::output::Output;
use super::report::{ReportCase, ReportPicture, ReportStatus};
use super::shell::quoted;
use super::untested;
use crate::compare::{
    Antialiasing, CompareOptions, Comparison, Limits, Mask, Metric, Picture, Rectangle, compare,
    compare_with_difference,
};
use roundel_image::error::{Error, Result};
use roundel_image::io::{FileBelow, OutputKind, read_picture};
use roundel_image::png::encode_picture;

/// Asserts that a picture equals, pixel for pixel, the golden `tests/golden/NAME.png` of the crate under test.
///
/// The picture may come from any renderer; see [`Picture`]. A missing golden is a failure. `ROUNDEL_BLESS=NAME cargo
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
pub fn assert_matches<'a>(name: &str, picture: impl Into<Picture<'a>>) {
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

    /// Asserts that the picture equals the golden within the limits.
    ///
    /// # Panics
    /// If it differs, there is no golden, or an option is out of range. The message says how they differ and names the
    /// files to look at and the command that approves the picture.
    #[track_caller]
    pub fn assert_matches<'a>(&self, picture: impl Into<Picture<'a>>) {
        if let Err(message) = self.compare(&picture.into()) {
            panic!("{message}");
        }
    }

    /// Compares the picture with the golden of the running test, and writes the golden if it is approved. Returns the
    /// message of a failure.
    pub(super) fn compare(&self, picture: &Picture<'_>) -> Result<(), String> {
        let (output, bless) = (Output::of_this_test(), Bless::from_environment());
        gone::forget_once(&output);
        match self.check(picture, &output, &bless) {
            Ok(AssertOutcome::Same) => Ok(()),
            Ok(AssertOutcome::Blessed(message)) => {
                // not `eprintln!`, which the test harness captures
                let _ = writeln!(io::stderr(), "{message}");
                Ok(())
            }
            Ok(AssertOutcome::Failed(message)) => Err(message),
            Err(error) => Err(format!("golden {}: {error}", self.name)),
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

    /// Compares the picture with the golden. If they differ, blesses the golden or writes the files of the failure.
    fn check(&self, picture: &Picture<'_>, output: &Output, bless: &Bless) -> Result<AssertOutcome> {
        bless::check_name(&self.name)?;
        let options = self.options()?;
        let name = self.full_name();
        let golden = output.root.join(&self.folder).join(format!("{}.png", self.name));
        // errors in bookkeeping do not fail the test
        let _ = untested::record(output, &golden);
        let found = GoldenState::compare(&golden, picture, &options)?;
        if matches!(&found, GoldenState::Compared { comparison, .. } if comparison.is_same()) {
            let _ = failures::remove(output, &name, Stale::EarlierRuns);
            return Ok(AssertOutcome::Same);
        }
        let summary = found.summary();
        if bless.approves(&output.package, &name) {
            let png = encode_picture(picture, None)?;
            bless::record(&output.run, &golden, &png)?;
            let (folder, file) = (output.root.join(&self.folder), format!("{}.png", self.name));
            FileBelow::new(&folder, &file, OutputKind::Notes).write(|file| file.write_all(&png))?;
            let _ = failures::remove(output, &name, Stale::All);
            return Ok(AssertOutcome::Blessed(format!("golden {name}: {summary}; blessed {}", golden.display())));
        }
        let case = self.case(&name, found, picture, &options, output);
        let written = case.and_then(|case| failures::write(output, &name, &case));
        Ok(AssertOutcome::Failed(message(&name, &summary, &options, &golden, written, bless)))
    }

    /// The name with the folders below `tests/golden`, which keeps goldens of the same name in several folders apart.
    fn full_name(&self) -> String {
        let inner = self.folder.strip_prefix(FOLDER).ok().and_then(Path::to_str).filter(|inner| !inner.is_empty());
        match inner {
            Some(inner) => format!("{}/{}", inner.replace('\\', "/"), self.name),
            None => self.name.clone(),
        }
    }

    fn case(
        &self,
        name: &str,
        found: GoldenState,
        actual: &Picture<'_>,
        options: &CompareOptions,
        output: &Output,
    ) -> Result<ReportCase> {
        let package = &output.package;
        let status = if let GoldenState::Compared { .. } = found { ReportStatus::Changed } else { ReportStatus::New };
        let case = ReportCase::new(format!("{package}/{name}"), status, found.summary())
            .with_actual(ReportPicture::Png(encode_picture(actual, None)?))
            .with_approve(command(&[name], Some(package)));
        let GoldenState::Compared { file, expected, comparison } = found else { return Ok(case) };
        let (_, difference) = compare_with_difference(expected, actual.clone(), options)?;
        let case = case.with_expected(ReportPicture::File(file)).with_regions(comparison.regions);
        Ok(ReportCase { difference: difference.as_ref().map(ReportPicture::from), ..case })
    }
}

/// If more goldens failed, only the report lists their names.
const MOST_NAMES: usize = 20;

fn message(
    name: &str,
    summary: &str,
    options: &CompareOptions,
    golden: &Path,
    written: Result<FailureFiles>,
    bless: &Bless,
) -> String {
    let mut message = format!("golden {name}: {summary}");
    let mut line = |label: &str, text: &dyn std::fmt::Display| {
        // writing to a String cannot fail
        let _ = write!(message, "\n  {label:<12}{text}");
    };
    if let Some(allowed) = options.allowed() {
        line("allowed:", &allowed);
    }
    line("expected:", &golden.display());
    let mut failed = Vec::new();
    match written {
        Ok(files) => {
            line("actual:", &files.actual.display());
            if let Some(difference) = files.difference {
                line("difference:", &difference.display());
            }
            line("report:", &files.report.display());
            failed = files.failed;
        }
        Err(error) => line("not saved:", &error),
    }
    if let Some(complaint) = bless.complaint() {
        line("not blessed:", &format!(" {complaint}"));
    }
    let _ = write!(message, "\nif the new picture is right: {}", command(&[name], None));
    if (2..=MOST_NAMES).contains(&failed.len()) {
        let names: Vec<&str> = failed.iter().map(String::as_str).collect();
        let _ = write!(message, "\nif all {} that failed so far are: {}", names.len(), command(&names, None));
    } else if failed.len() > MOST_NAMES {
        let _ = write!(message, "\n{} failed so far; the report lists them", failed.len());
    }
    message
}

/// The default folder of goldens.
const FOLDER: &str = "tests/golden";

#[derive(Debug)]
enum GoldenState {
    Nothing,
    /// The file cannot be read, for this reason.
    Unreadable(String),
    Compared {
        file: PathBuf,
        expected: Picture<'static>,
        comparison: Box<Comparison>,
    },
}

impl GoldenState {
    fn compare(golden: &Path, actual: &Picture<'_>, options: &CompareOptions) -> Result<Self> {
        if !golden.exists() {
            return Ok(Self::Nothing);
        }
        let expected = match read_picture(golden) {
            Ok(expected) => expected,
            Err(error) => return Ok(Self::Unreadable(error.to_string())),
        };
        let comparison = compare(expected.clone(), actual.clone(), options)?;
        Ok(Self::Compared { file: golden.to_owned(), expected, comparison: Box::new(comparison) })
    }

    fn summary(&self) -> String {
        match self {
            Self::Nothing => "there is none yet".to_owned(),
            Self::Unreadable(reason) => reason.clone(),
            Self::Compared { comparison, .. } => comparison.summary(),
        }
    }
}

/// How a picture compares with its golden.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AssertOutcome {
    Same,
    /// They differed and the golden was replaced: a message.
    Blessed(String),
    /// They differ: a message.
    Failed(String),
}

/// The command that approves goldens, for the tool that runs the test.
fn command(names: &[&str], package: Option<&str>) -> String {
    let tool = if std::env::var_os("NEXTEST").is_some() { "cargo nextest run" } else { "cargo test" };
    let package = package.map_or(String::new(), |package| format!(" -p {package}"));
    format!("{}={} {tool}{package}", bless::VARIABLE, quoted(&names.join(",")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use roundel_image::color::Srgba8;
    use roundel_image::frame::Frame;

    /// An 8×6 picture with one pixel whose green differs.
    fn picture(green: u8) -> Frame {
        let mut frame = Frame::new(8, 6, Srgba8::rgb(10, 200, 30)).unwrap();
        frame.pixels_mut()[2 * 8 + 3].g = green;
        frame
    }

    fn check(golden: &Golden, frame: &Frame, output: &Output, bless: &Bless) -> AssertOutcome {
        golden.check(&frame.into(), output, bless).unwrap()
    }

    fn failure(golden: &Golden, frame: &Frame, output: &Output) -> String {
        failure_with(golden, frame, output, &Bless::None)
    }

    fn failure_with(golden: &Golden, frame: &Frame, output: &Output, bless: &Bless) -> String {
        match check(golden, frame, output, bless) {
            AssertOutcome::Failed(message) => message,
            other => panic!("{other:?}"),
        }
    }

    /// A folder with the golden `deep/leaf`.
    fn blessed() -> (tempfile::TempDir, Output, Golden) {
        let folder = tempfile::tempdir().unwrap();
        let (output, golden) = (Output::in_folder(folder.path(), "1"), Golden::new("deep/leaf"));
        assert!(matches!(check(&golden, &picture(200), &output, &Bless::All), AssertOutcome::Blessed(_)));
        (folder, output, golden)
    }

    #[test]
    fn golden_fails_until_blessed_and_when_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (output, golden) = (Output::in_folder(folder.path(), "1"), Golden::new("deep/leaf"));
        let at = |path: &str| folder.path().join(path);

        let missing = failure(&golden, &picture(200), &output);
        assert!(missing.starts_with("golden deep/leaf: there is none yet\n"), "{missing}");
        assert!(missing.ends_with("\nif the new picture is right: ROUNDEL_BLESS=deep/leaf cargo test"), "{missing}");
        assert!(at("target/golden/charts/deep/leaf.actual.png").exists() && !at("tests").exists());
        let AssertOutcome::Blessed(message) =
            check(&golden, &picture(200), &output, &Bless::Named(vec!["deep/leaf".into()]))
        else {
            panic!("not blessed")
        };
        assert!(message.contains("there is none yet; blessed") && message.ends_with("tests/golden/deep/leaf.png"));
        assert!(!at("target/golden/charts/deep/leaf.actual.png").exists() && !at("target/golden/report.html").exists());
        assert_eq!(check(&golden, &picture(200), &output, &Bless::None), AssertOutcome::Same);

        let changed = failure(&golden, &picture(204), &output);
        for line in [
            "golden deep/leaf: 1 of 48 pixels differ, by up to 4, first at 3,2",
            &format!("  expected:   {}", at("tests/golden/deep/leaf.png").display()),
            &format!("  actual:     {}", at("target/golden/charts/deep/leaf.actual.png").display()),
            &format!("  difference: {}", at("target/golden/charts/deep/leaf.diff.png").display()),
            &format!("  report:     {}", at("target/golden/report.html").display()),
        ] {
            assert!(changed.lines().any(|found| found == line), "{line:?} is not in {changed}");
        }
        assert!(at("target/golden/charts/deep/leaf.diff.png").exists());
        let small = failure(&golden, &Frame::new(4, 4, Srgba8::WHITE).unwrap(), &output);
        assert!(small.contains("4x4 pixels instead of 8x6") && small.contains("difference:"), "{small}");
        let next = Output { run: "2".to_owned(), ..output };
        assert!(matches!(check(&golden, &picture(204), &next, &Bless::All), AssertOutcome::Blessed(_)));
        assert_eq!(check(&golden, &picture(204), &next, &Bless::None), AssertOutcome::Same);
    }

    #[test]
    fn golden_passes_what_may_differ_and_nothing_more() {
        let (_folder, output, golden) = blessed();
        let passes = |golden: Golden| check(&golden, &picture(204), &output, &Bless::None) == AssertOutcome::Same;
        for (golden, expected) in [
            (golden.clone(), false),
            (golden.clone().tolerance(4.0), true),
            (golden.clone().tolerance(3.0), false),
            (golden.clone().metric(Metric::YIQ), true),
            (golden.clone().pixels(1), true),
            (golden.clone().pixels(0), false),
            (golden.clone().share(0.03), true),
            (golden.clone().share(0.02), false),
            (golden.clone().pixels(1).share(0.03), true),
            (golden.clone().pixels(1).share(0.02), false),
            (golden.clone().share(0.03).pixels(0), false),
            (golden.clone().mask(3, 2, 1, 1), true),
            (golden.clone().mask(3, 3, 1, 1), false),
            (golden.clone().mask(0, 0, 1, 1).mask(3, 2, 1, 1), true),
        ] {
            let text = format!("{golden:?}");
            assert_eq!(passes(golden), expected, "{text}");
        }
    }

    #[test]
    fn goldens_that_cannot_be_read_are_replaced_by_approved_ones() {
        let (folder, output, golden) = blessed();
        let file = folder.path().join("tests/golden/deep/leaf.png");
        for (content, part) in [
            ("no picture", "cannot decode"),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n", "`git lfs pull` fetches"),
        ] {
            fs::write(&file, content).unwrap();
            let message = failure(&golden, &picture(200), &output);
            assert!(message.contains(part) && message.contains("\n  actual: "), "{message}");
            assert!(matches!(check(&golden, &picture(200), &output, &Bless::All), AssertOutcome::Blessed(_)));
            assert_eq!(check(&golden, &picture(200), &output, &Bless::None), AssertOutcome::Same);
        }
    }

    #[test]
    fn goldens_of_one_name_in_two_folders_are_kept_apart() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::in_folder(folder.path(), "1");
        let [light, dark] = ["light", "dark"].map(|theme| Golden::new("page").folder(format!("tests/golden/{theme}")));
        let message = failure(&light, &picture(200), &output);
        assert!(message.ends_with("ROUNDEL_BLESS=light/page cargo test"), "{message}");
        failure(&dark, &picture(204), &output);
        assert!(output.file("light/page", ".actual.png").exists() && output.file("dark/page", ".actual.png").exists());
        let named = Bless::Named(vec!["dark/page".to_owned()]);
        failure_with(&light, &picture(200), &output, &named);
        assert!(matches!(check(&dark, &picture(204), &output, &named), AssertOutcome::Blessed(_)));
    }

    #[test]
    fn two_pictures_cannot_be_approved_for_one_golden() {
        let (_folder, output, golden) = blessed();
        assert_eq!(check(&golden, &picture(200), &output, &Bless::All), AssertOutcome::Same);
        let error = golden.check(&(&picture(204)).into(), &output, &Bless::All).unwrap_err().to_string();
        assert!(error.contains("is used by two tests"), "{error}");
        assert_eq!(check(&golden, &picture(200), &output, &Bless::None), AssertOutcome::Same, "nothing is written");
    }

    #[test]
    fn message_says_what_would_have_passed() {
        let (_folder, output, golden) = blessed();
        let message = failure(&golden.clone().tolerance(2.0).share(0.001), &picture(210), &output);
        assert!(
            message.contains("\n  allowed:    channels that differ by up to 2, a share of 0.001 of the pixels\n"),
            "{message}"
        );
        assert!(!failure(&golden, &picture(210), &output).contains("allowed"));
    }

    #[test]
    fn many_failures_are_counted_and_not_listed() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::in_folder(folder.path(), "1");
        let mut last = String::new();
        for number in 0..21 {
            last = failure(&Golden::new(&format!("n{number}")), &picture(1), &output);
        }
        assert!(last.ends_with("\n21 failed so far; the report lists them"), "{last}");
    }

    #[test]
    fn options_that_exclude_each_other_are_refused() {
        let (_folder, output, golden) = blessed();
        let refused = |golden: Golden| golden.check(&(&picture(200)).into(), &output, &Bless::All).unwrap_err();
        for golden in
            [golden.clone().metric(Metric::YIQ).tolerance(2.0), golden.clone().tolerance(2.0).metric(Metric::YIQ)]
        {
            let message = refused(golden).to_string();
            assert!(message.starts_with("tolerance and the metric YIQ both say"), "{message}");
        }
        for golden in [golden.clone().pixels(3), golden.clone().share(0.1), golden.clone().ignore_antialiasing()] {
            let message = refused(golden.metric(Metric::FLIP)).to_string();
            assert!(message.starts_with("FLIP judges by the mean error"), "{message}");
        }
        assert!(refused(golden.tolerance(256.0)).to_string().contains("must be 0 to 255, got 256"));
    }

    #[test]
    fn golden_name_may_end_in_png() {
        let (folder, output, _) = blessed();
        assert_eq!(check(&Golden::new("deep/leaf.png"), &picture(200), &output, &Bless::None), AssertOutcome::Same);
        let failed = failure(&Golden::new("big.png"), &picture(200), &output);
        assert!(failed.starts_with("golden big: ") && failed.contains("ROUNDEL_BLESS=big cargo"), "{failed}");
        let bless = Bless::Named(vec!["big".to_owned()]);
        assert!(matches!(check(&Golden::new("big.png"), &picture(200), &output, &bless), AssertOutcome::Blessed(_)));
        assert!(folder.path().join("tests/golden/big.png").exists());
    }

    #[test]
    fn golden_names_stay_inside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["", "../secret", "/etc/passwd", "a/../b", ".png"] {
            let error = Golden::new(name)
                .check(&(&picture(0)).into(), &Output::in_folder(folder.path(), "1"), &Bless::All)
                .unwrap_err();
            assert!(error.to_string().starts_with("name must be a path inside the folder"), "{name}: {error}");
        }
    }

    #[test]
    fn bless_that_does_not_name_a_failure_is_answered_with_all_that_failed() {
        let (_folder, output, golden) = blessed();
        failure(&Golden::new("other"), &picture(200), &output);
        for (value, complaint) in [
            ("1", "not blessed: ROUNDEL_BLESS must be names with commas between them, or all, got \"1\""),
            ("deep/laef", "not blessed: ROUNDEL_BLESS names \"deep/laef\", not this golden"),
        ] {
            let bless = Bless::Named(vec![value.to_owned()]);
            let AssertOutcome::Failed(message) = check(&golden, &picture(204), &output, &bless) else {
                panic!("{value}")
            };
            assert!(message.contains(complaint), "{message}");
            assert!(
                message.ends_with("\nif all 2 that failed so far are: ROUNDEL_BLESS=deep/leaf,other cargo test"),
                "{message}"
            );
        }
    }

    #[test]
    fn failure_that_cannot_be_saved_still_says_how_the_pictures_differ() {
        let (folder, output, golden) = blessed();
        fs::remove_dir_all(folder.path().join("target")).unwrap();
        fs::write(folder.path().join("target"), "a file").unwrap();
        assert_eq!(check(&golden, &picture(200), &output, &Bless::None), AssertOutcome::Same);
        let failed = failure(&golden, &picture(204), &output);
        assert!(failed.contains("1 of 48 pixels differ") && failed.contains("not saved:  cannot create"), "{failed}");
    }
}
