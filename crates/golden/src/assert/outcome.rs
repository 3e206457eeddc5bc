//! The outcome of a golden test: the picture agrees, becomes the golden, or fails with a message.

use std::io::{self, Write as _};
use std::path::Path;

use super::{FOLDER, Golden};
use crate::bless::{self, Approved, Bless};
use crate::check::Check;
use crate::compare::{CompareOptions, Sequence};
use crate::failures::{self, Stale};
use crate::gone;
use crate::message::{Approver, Message};
use crate::output::Output;
use crate::untested;
use roundel_image::error::Result;
use roundel_image::io::{OutputKind, Overwriting};
/// How a picture compares with its golden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssertOutcome {
    /// They agree.
    Same,
    /// They differed and the golden was replaced: a message.
    Blessed(String),
    /// They differ: a message.
    Failed(String),
}

impl Golden {
    /// Compares the picture with the golden of the running test, and writes the golden if it is approved. Returns the
    /// message of a failure.
    pub(crate) fn compare(&self, picture: &Sequence<'_>) -> Result<(), String> {
        let (output, bless) = (Output::of_this_test(), Bless::from_environment());
        gone::forget_once(&output);
        match self.check(picture, &output, &bless, &Approver::CargoTest) {
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

    /// Compares the picture for another program's tests, as [`Golden::assert_matches`] does for those of cargo, but by
    /// these options instead of the golden's own. `output` says where the goldens are and where failures go, `approve`
    /// is a command that approves a golden with `{}` in place of its name.
    ///
    /// # Errors
    /// If a golden cannot be written.
    pub fn check_in(
        &self,
        options: &CompareOptions,
        picture: &Sequence<'_>,
        output: &Output,
        approve: &str,
    ) -> Result<AssertOutcome> {
        self.check_by(options, picture, output, &Bless::from_environment(), &Approver::Command(approve))
    }

    /// Compares the picture with the golden. If they differ, blesses the golden or writes the files of the failure.
    fn check(
        &self,
        picture: &Sequence<'_>,
        output: &Output,
        bless: &Bless,
        approver: &Approver<'_>,
    ) -> Result<AssertOutcome> {
        self.check_by(&self.options()?, picture, output, bless, approver)
    }

    fn check_by(
        &self,
        options: &CompareOptions,
        picture: &Sequence<'_>,
        output: &Output,
        bless: &Bless,
        approver: &Approver<'_>,
    ) -> Result<AssertOutcome> {
        bless::check_name(&self.name)?;
        let (name, folder) = (self.full_name(), output.root.join(&self.folder));
        let check = Check { folder: &folder, name: &self.name, options };
        // errors in bookkeeping do not fail the test
        let _ = untested::record(output, &name, &folder.join(format!("{}.png", self.name)));
        let found = check.compare(picture)?;
        let written = match bless.approval(&output.package, &name) {
            _ if found.is_same() => {
                let _ = failures::remove(output, &name, Stale::EarlierRuns);
                return Ok(AssertOutcome::Same);
            }
            Approved::Golden => check.blessed_name(),
            // a variant's name has the folders of the golden's
            Approved::Variant(variant) => format!("{}{}", self.name, &variant[name.len()..]),
            Approved::Nothing => {
                let case = check.case(&found, &format!("{}/{name}", output.package), picture);
                let approve = approver.command(&[&name], Some(&output.package));
                let written = case
                    .and_then(|case| failures::write(output, &name, &case.with_approve(approve), &check.approval()));
                let text = Message { name: &name, found: &found, check: &check, bless, approver }.text(written);
                return Ok(AssertOutcome::Failed(text));
            }
        };
        let png = check.blessed_png(&found, picture)?;
        bless::record(&output.run, &folder.join(format!("{written}.png")), &png)?;
        // a file that is no picture is replaced, too
        let golden = check.write(&written, &png, OutputKind::Notes, Overwriting::Own)?;
        let _ = failures::remove(output, &name, Stale::All);
        Ok(AssertOutcome::Blessed(format!("golden {name}: {}; blessed {}", found.summary(), golden.display())))
    }

    /// The name with the folders below `tests/golden`, which keeps goldens of the same name in several folders apart.
    fn full_name(&self) -> String {
        let inner = self.folder.strip_prefix(FOLDER).ok().and_then(Path::to_str).filter(|inner| !inner.is_empty());
        match inner {
            Some(inner) => format!("{}/{}", inner.replace('\\', "/"), self.name),
            None => self.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::compare::Metric;
    use roundel_image::color::Srgba8;
    use roundel_image::frame::Frame;

    /// An 8×6 picture with one pixel whose green differs.
    fn picture(green: u8) -> Frame {
        let mut frame = Frame::new(8, 6, Srgba8::rgb(10, 200, 30)).unwrap();
        frame.pixels_mut()[2 * 8 + 3].g = green;
        frame
    }

    fn check(golden: &Golden, frame: &Frame, output: &Output, bless: &Bless) -> AssertOutcome {
        golden.check(&frame.into(), output, bless, &Approver::CargoTest).unwrap()
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

    /// A picture that equals any of them passes; others are compared with the nearest.
    #[test]
    fn variants_of_a_golden_are_accepted() {
        let (folder, output, golden) = blessed();
        let bless = |name: &str| Bless::Named(vec![name.to_owned()]);
        let blessed = |green: u8, name: &str| {
            let output = Output { run: green.to_string(), ..output.clone() };
            match check(&golden, &picture(green), &output, &bless(name)) {
                AssertOutcome::Blessed(message) => message.rsplit('/').next().map(str::to_owned),
                _ => None,
            }
        };
        assert_eq!(blessed(90, "deep/leaf@2").as_deref(), Some("leaf@2.png"));
        for green in [200, 90] {
            assert_eq!(check(&golden, &picture(green), &output, &Bless::None), AssertOutcome::Same, "{green}");
        }
        let mut far = picture(90);
        far.pixels_mut()[0].r = 0;
        let message = failure(&golden, &far, &output);
        assert!(message.contains("1 of 48 pixels differ") && message.contains("/leaf@2.png\n"), "{message}");
        // one of this system is blessed from then on
        let system = format!("leaf.{}.png", std::env::consts::OS);
        assert_eq!(blessed(80, &format!("deep/leaf.{}", std::env::consts::OS)), Some(system.clone()));
        assert_eq!(blessed(70, "deep/leaf"), Some(system));
        assert_eq!(check(&golden, &picture(200), &output, &Bless::None), AssertOutcome::Same);
        // one of another system counts for nothing
        let other = if cfg!(windows) { "linux" } else { "windows" };
        let (from, to) = (folder.path().join("tests/golden/deep/leaf@2.png"), format!("deep/leaf.{other}.png"));
        fs::rename(from, folder.path().join("tests/golden").join(to)).unwrap();
        failure(&golden, &picture(90), &output);
        let error = Golden::new("leaf@2").check(&(&picture(0)).into(), &output, &Bless::All, &Approver::CargoTest);
        assert!(error.unwrap_err().to_string().contains("must not end as the name of an accepted variant does"));
    }

    #[test]
    fn missing_golden_with_the_pixels_of_another_has_perhaps_moved() {
        let (folder, output, _) = blessed();
        let message = failure(&Golden::new("branch/leaf"), &picture(200), &output);
        let old = folder.path().join("tests/golden/deep/leaf.png");
        let moved = format!("there is none yet, and {} has the same pixels: perhaps it has moved", old.display());
        assert!(message.contains(&moved), "{message}");
        assert!(!failure(&Golden::new("branch/leaf"), &picture(201), &output).contains("moved"));
    }

    #[test]
    fn transparent_parts_of_a_golden_stay_when_it_is_blessed() {
        let (folder, output, golden) = blessed();
        let mut erased = picture(200);
        erased.pixels_mut()[5] = Srgba8::TRANSPARENT;
        let file = folder.path().join("tests/golden/deep/leaf.png");
        erased.save_png(&file).unwrap();
        failure(&golden, &picture(200), &output);
        let golden = golden.mask_transparent();
        assert_eq!(check(&golden, &picture(200), &output, &Bless::None), AssertOutcome::Same);
        let next = Output { run: "2".to_owned(), ..output };
        assert!(matches!(check(&golden, &picture(204), &next, &Bless::All), AssertOutcome::Blessed(_)));
        let mut expected = picture(204);
        expected.pixels_mut()[5] = Srgba8::TRANSPARENT;
        assert_eq!(roundel_image::io::read_png(&file).unwrap(), expected);
    }

    #[test]
    fn goldens_of_films_are_animated() {
        use std::time::Duration;

        let folder = tempfile::tempdir().unwrap();
        let (output, golden) = (Output::in_folder(folder.path(), "1"), Golden::new("spin"));
        let film = |greens: &[u8], delay: Duration| {
            greens.iter().fold(Sequence::new(), |film, &green| film.with_frame(&picture(green), delay))
        };
        let check = |film: &Sequence<'_>, bless| golden.check(film, &output, bless, &Approver::CargoTest).unwrap();
        for delay in [Duration::from_millis(41), Duration::from_secs(1) / 30, Duration::from_secs(2) / 3] {
            let three = film(&[200, 90, 7], delay);
            let output = Output { run: format!("{delay:?}"), ..output.clone() };
            golden.check(&three, &output, &Bless::All, &Approver::CargoTest).unwrap();
            assert_eq!(check(&three, &Bless::None), AssertOutcome::Same, "{delay:?}");
        }
        let delay = Duration::from_secs(2) / 3;
        let AssertOutcome::Failed(message) = check(&film(&[200, 91, 7, 7], delay), &Bless::None) else {
            panic!("same")
        };
        let summary = "golden spin: 4 frames instead of 3; 1 of 3 frames differ, the first is frame 1: 1 of 48 pixels";
        assert!(message.starts_with(summary), "{message}");
        let left = output.file("spin", ".actual.png");
        assert_eq!(roundel_image::io::read_sequence(left).unwrap().frames().len(), 4);
        let script = fs::read_to_string(output.file("spin", ".report.js")).unwrap();
        assert_eq!(script.matches("\npicture(").count(), 3, "golden, picture and difference of one frame");
        // a picture alone is no film
        let AssertOutcome::Failed(message) = check(&film(&[200], delay), &Bless::None) else { panic!("same") };
        assert!(message.starts_with("golden spin: 1 frame instead of 3\n"), "{message}");
    }

    #[test]
    fn two_pictures_cannot_be_approved_for_one_golden() {
        let (_folder, output, golden) = blessed();
        assert_eq!(check(&golden, &picture(200), &output, &Bless::All), AssertOutcome::Same);
        let error =
            golden.check(&(&picture(204)).into(), &output, &Bless::All, &Approver::CargoTest).unwrap_err().to_string();
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
        let refused = |golden: Golden| {
            golden.check(&(&picture(200)).into(), &output, &Bless::All, &Approver::CargoTest).unwrap_err()
        };
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
                .check(&(&picture(0)).into(), &Output::in_folder(folder.path(), "1"), &Bless::All, &Approver::CargoTest)
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
