//! Folders of scenes, each beside its golden.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::cases::{self, Files};
use super::report::{ReportCase, ReportPicture, ReportStatus, write_report};
use super::{rules, summary};
use crate::compare::{CompareOptions, Comparison, Verdict, compare_with_difference};
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::io::{Overrides, read_picture_within, read_scene, read_tolerance};
use crate::render::{RenderSettings, render};

/// A scene, its golden, and how they compare.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Case {
    /// Path of scene and golden from the folder, without the ending.
    pub name: String,
    /// The golden, there or not.
    pub golden: PathBuf,
    /// How they compare.
    pub outcome: Outcome,
    /// What was drawn, when it is not the golden.
    pub actual: Option<PathBuf>,
    /// Where it differs, when that can be drawn.
    pub difference: Option<PathBuf>,
}

/// How a scene and its golden compare.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// They agree.
    Same,
    /// They differ, in pixels or in size.
    Changed(Comparison),
    /// The scene has no golden.
    NoGolden,
    /// The PNG has no scene.
    NoScene,
}

impl Case {
    /// Whether the picture is its golden.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.outcome == Outcome::Same
    }

    /// One line: name, and what is wrong with it.
    #[must_use]
    pub fn summary(&self) -> String {
        format!("{}: {}", self.name, self.found())
    }

    fn found(&self) -> String {
        match &self.outcome {
            Outcome::Same => "same".to_owned(),
            Outcome::Changed(comparison) => summary(comparison),
            Outcome::NoGolden => "no golden beside the scene".to_owned(),
            Outcome::NoScene => "a PNG without a scene".to_owned(),
        }
    }

    /// The case as the report shows it.
    fn reported(&self, folder: &Path) -> ReportCase {
        let (status, regions) = match &self.outcome {
            Outcome::Same => (ReportStatus::Same, Vec::new()),
            Outcome::Changed(comparison) => (ReportStatus::Changed, comparison.regions.clone()),
            Outcome::NoGolden => (ReportStatus::New, Vec::new()),
            Outcome::NoScene => (ReportStatus::Missing, Vec::new()),
        };
        let approve = !matches!(status, ReportStatus::Same | ReportStatus::Missing);
        let file = |path: &PathBuf| ReportPicture::File(path.clone());
        ReportCase {
            name: self.name.clone(),
            summary: self.found(),
            status,
            approve: approve.then(|| command("bless", folder, &[&self.name])),
            expected: (status != ReportStatus::New).then(|| file(&self.golden)),
            actual: self.actual.as_ref().map(file),
            difference: self.difference.as_ref().map(file),
            regions,
        }
    }
}

/// Which failing cases are approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Those of these names.
    Named(Vec<String>),
    /// Every one.
    All,
}

/// Name of the report that [`check`] leaves.
pub const REPORT: &str = "report.html";

/// Draws every scene of a folder and compares it with the PNG beside it, exactly unless the folder's `golden.toml` or the
/// scene's `[tolerance]` says otherwise.
///
/// What was drawn in failing cases, and where it differs, is left under `output` as `NAME.actual.png` and
/// `NAME.diff.png`, and when any fails a report on all as [`REPORT`]; what an earlier check left there of passing ones is
/// removed.
///
/// # Errors
/// When a scene cannot be read or drawn, a golden cannot be read, or `golden.toml` is wrong or names no case.
pub fn check(folder: &Path, output: &Path, settings: &RenderSettings) -> Result<Vec<Case>> {
    let examined = examine(folder, settings, |_| true)?;
    let cases: Vec<Case> = examined.into_iter().map(|examined| examined.leave(output)).collect::<Result<_>>()?;
    let report = output.join(REPORT);
    if cases.iter().all(Case::is_same) {
        // not there, most of the time
        let _ = fs::remove_file(report);
    } else {
        let reported: Vec<ReportCase> = cases.iter().map(|case| case.reported(folder)).collect();
        create_folder(output)?;
        write_report(&report, &format!("Goldens of {}", folder.display()), &reported)?;
    }
    Ok(cases)
}

/// The command line that checks or blesses, as a POSIX shell reads it.
#[must_use]
pub fn command(action: &str, folder: &Path, names: &[&str]) -> String {
    let folder = folder.display().to_string();
    let words = std::iter::once(&*folder).chain(names.iter().copied()).map(quoted);
    format!("roundel golden {action} {}", words.collect::<Vec<String>>().join(" "))
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Compares as [`check`] does, and leaves nothing.
///
/// # Errors
/// As [`check`].
pub fn status(folder: &Path, settings: &RenderSettings) -> Result<Vec<Case>> {
    Ok(examine(folder, settings, |_| true)?.into_iter().map(|examined| examined.case).collect())
}

/// Approves what is drawn now: writes the goldens of the chosen cases that fail, and of no others. Returns these.
///
/// # Errors
/// As [`check`], and when a name is no case or is a PNG without a scene; then nothing is written.
pub fn bless(folder: &Path, choice: &Choice, settings: &RenderSettings) -> Result<Vec<Case>> {
    let chosen = |name: &str| match choice {
        Choice::Named(names) => names.iter().any(|named| named == name),
        Choice::All => true,
    };
    let examined = examine(folder, settings, chosen)?;
    if let Choice::Named(names) = choice {
        for name in names {
            let found = examined.iter().find(|examined| examined.case.name == *name);
            let wrong = match found.map(|examined| &examined.case.outcome) {
                None => "is no case",
                Some(Outcome::NoScene) => "has no scene to draw",
                Some(_) => continue,
            };
            let message = format!("must name scenes in {}; {name:?} {wrong}", folder.display());
            return Err(Error::Setting { name: "bless", message });
        }
    }
    let mut blessed = Vec::new();
    for Examined { case, actual, .. } in examined {
        if let (false, Some(actual)) = (case.is_same(), actual) {
            actual.save_png(&case.golden)?;
            blessed.push(case);
        }
    }
    Ok(blessed)
}

/// A case with the pictures of a failing one.
struct Examined {
    case: Case,
    actual: Option<Frame>,
    difference: Option<Frame>,
}

fn examine(folder: &Path, settings: &RenderSettings, chosen: impl Fn(&str) -> bool) -> Result<Vec<Examined>> {
    let cases = cases::find(folder)?;
    let rules = rules::read(folder)?;
    if let Some(name) = rules.keys().find(|name| !cases.contains_key(*name)) {
        let message = format!("in {} must be a scene's, got {name:?}", folder.join(rules::FILE_NAME).display());
        return Err(Error::Setting { name: "case name", message });
    }
    let exact = CompareOptions::default();
    let chosen = cases.into_iter().filter(|(name, _)| chosen(name));
    chosen.map(|(name, files)| Examined::of(folder, &name, files, &rules, &exact, settings)).collect()
}

impl Examined {
    fn of(
        folder: &Path,
        name: &str,
        files: Files,
        rules: &BTreeMap<String, CompareOptions>,
        exact: &CompareOptions,
        settings: &RenderSettings,
    ) -> Result<Self> {
        let golden = files.image.clone().unwrap_or_else(|| folder.join(format!("{name}.png")));
        let case = |outcome| Case { name: name.to_owned(), golden, outcome, actual: None, difference: None };
        let Some(scene) = files.scene else {
            return Ok(Self { case: case(Outcome::NoScene), actual: None, difference: None });
        };
        let budget = settings.budget;
        let actual = render(&read_scene(&scene, &Overrides { budget, ..Overrides::default() })?, settings)?;
        let Some(image) = files.image else {
            return Ok(Self { case: case(Outcome::NoGolden), actual: Some(actual), difference: None });
        };
        let tolerance = read_tolerance(&scene)?;
        if tolerance.is_some() && rules.contains_key(name) {
            let message = format!("of {name:?} must stand in {} or in the scene, not in both", rules::FILE_NAME);
            return Err(Error::Setting { name: "tolerance", message });
        }
        let options = rules.get(name).unwrap_or(exact);
        let (comparison, difference) =
            compare_with_difference(read_picture_within(&image, &budget)?, &actual, options)?;
        let tolerated = comparison.verdict == Verdict::Different
            && tolerance.is_some_and(|tolerance| {
                comparison.differing <= tolerance.pixels && comparison.largest <= f64::from(tolerance.difference)
            });
        if comparison.is_same() || tolerated {
            return Ok(Self { case: case(Outcome::Same), actual: None, difference: None });
        }
        Ok(Self { case: case(Outcome::Changed(comparison)), actual: Some(actual), difference })
    }

    /// Writes the pictures of a failing case, and removes those of a passing one.
    fn leave(mut self, output: &Path) -> Result<Case> {
        let place = |ending: &str| output.join(format!("{}{ending}", self.case.name));
        let write = |frame: Option<&Frame>, path: PathBuf| {
            let Some(frame) = frame else {
                // not there, most of the time
                let _ = fs::remove_file(&path);
                return Ok(None);
            };
            path.parent().map_or(Ok(()), create_folder)?;
            frame.save_png(&path).map(|()| Some(path))
        };
        self.case.actual = write(self.actual.as_ref(), place(".actual.png"))?;
        self.case.difference = write(self.difference.as_ref(), place(".diff.png"))?;
        Ok(self.case)
    }
}

fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|source| Error::Io { action: "create", path: path.to_owned(), source })
}
