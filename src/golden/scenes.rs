//! Folders of scenes, each beside its golden.

use std::path::{Path, PathBuf};

use super::cases::{self, Files};
use super::rules;
use crate::color::Srgba8;
use crate::compare::{CompareOptions, Comparison, Verdict, compare_with_difference};
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::io::{
    FileBelow, LoadOptions, OutputKind, Overwriting, encode_picture, load, read_picture_within, read_tolerance,
};
use crate::render::{RenderSettings, Renderer};
use roundel_golden::inner::{ACTUAL, DIFFERENCE, quoted, write_report_below};
use roundel_golden::{ReportCase, ReportPicture, ReportStatus, write_report};

/// The name of the report that [`SceneFolder::check`] leaves.
pub const REPORT: &str = "report.html";

/// A folder of scenes, each beside its golden: NAME.toml or NAME.json beside NAME.png.
///
/// Pictures must agree exactly, unless `golden.toml` in the folder or `[tolerance]` in the scene says otherwise.
///
/// ```no_run
/// use roundel::golden::{REPORT, SceneFolder};
///
/// let cases = SceneFolder::new("golden").with_filter("strokes").check("target/golden")?;
/// for case in cases.iter().filter(|case| !case.is_same()) {
///     println!("{}", case.summary());
/// }
/// println!("see target/golden/{REPORT}");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneFolder {
    path: PathBuf,
    settings: RenderSettings,
    filters: Vec<String>,
    overwriting: Overwriting,
}

/// A scene, its golden, and how they compare.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Case {
    /// The path of scene and golden relative to the folder, without the ending.
    pub name: String,
    /// The golden, whether it exists or not.
    pub golden: PathBuf,
    /// How scene and golden compare.
    pub outcome: Outcome,
    /// The new picture, if it differs from the golden and was written.
    pub actual: Option<PathBuf>,
    /// The difference image, if there is one and it was written.
    pub difference: Option<PathBuf>,
}

/// How a scene and its golden compare.
///
/// ```no_run
/// use roundel::golden::{Choice, Outcome, SceneFolder};
///
/// let folder = SceneFolder::new("golden");
/// let cases = folder.status()?;
/// let new = cases.into_iter().filter(|case| case.outcome == Outcome::NoGolden);
/// folder.bless(&Choice::Named(new.map(|case| case.name).collect()))?;
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// They agree.
    Same,
    /// They differ, in pixels or in size.
    Changed(Box<Comparison>),
    /// The scene has no golden.
    NoGolden,
    /// The PNG has no scene.
    NoScene,
    /// The scene cannot be drawn, or the golden cannot be read, for this reason.
    Failed(String),
}

/// A choice of failing cases to approve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The cases with these names.
    Named(Vec<String>),
    /// All failing cases.
    All,
}

impl Case {
    /// Reports whether the picture agrees with its golden.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.outcome == Outcome::Same
    }

    fn examined(self, outcome: Outcome, actual: Option<Frame>, difference: Option<Frame>) -> Examined {
        Examined { case: Self { outcome, ..self }, actual, difference }
    }

    /// One line with the name and the result of the comparison.
    #[must_use]
    pub fn summary(&self) -> String {
        format!("{}: {}", self.name, self.found())
    }

    /// The result of the comparison, without the name.
    #[must_use]
    pub fn found(&self) -> String {
        match &self.outcome {
            Outcome::Same => "same".to_owned(),
            Outcome::Changed(comparison) => comparison.summary(),
            Outcome::NoGolden => "no golden beside the scene".to_owned(),
            Outcome::NoScene => "a PNG without a scene".to_owned(),
            Outcome::Failed(reason) => reason.clone(),
        }
    }
}

impl SceneFolder {
    /// The folder at this path, drawn with default settings.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let (settings, overwriting) = (RenderSettings::default(), Overwriting::Own);
        Self { path: path.into(), settings, filters: Vec::new(), overwriting }
    }

    /// The same folder, drawn with other settings.
    #[must_use]
    pub fn with_settings(self, settings: RenderSettings) -> Self {
        Self { settings, ..self }
    }

    /// The same folder with one more filter. A case is kept if its name contains the text of any filter.
    #[must_use]
    pub fn with_filter(mut self, text: impl Into<String>) -> Self {
        self.filters.push(text.into());
        self
    }

    /// The same folder with another rule for replacing files. The default is [`Overwriting::Own`].
    #[must_use]
    pub fn with_overwriting(self, overwriting: Overwriting) -> Self {
        Self { overwriting, ..self }
    }

    /// Draws every scene and compares it with the PNG beside it.
    ///
    /// For failing cases, the new picture and the difference are written to NAME.actual.png and NAME.diff.png in
    /// `output`. If any case fails, a report of all cases is written to [`REPORT`]. Files that an earlier check left
    /// for cases that pass now are removed.
    ///
    /// A scene that cannot be read or drawn, or a golden that cannot be read, is [`Outcome::Failed`]; the other cases
    /// are still compared.
    ///
    /// # Errors
    /// If the folder cannot be read, a scene exceeds the budget, `golden.toml` is invalid or names a case that does not
    /// exist, a filter matches no case, or an output path holds a file that this program did not write.
    pub fn check(&self, output: impl AsRef<Path>) -> Result<Vec<Case>> {
        let output = output.as_ref();
        let examined = self.examine(|_| true)?;
        let cases: Vec<Case> =
            examined.into_iter().map(|examined| examined.write(output, self.overwriting)).collect::<Result<_>>()?;
        let report = FileBelow::new(output, REPORT, OutputKind::Page).with_overwriting(self.overwriting);
        if cases.iter().all(Case::is_same) {
            // absent, unless a case failed before
            report.remove();
        } else {
            let (title, cases) = self.report(&cases);
            write_report_below(&report, &title, &cases)?;
        }
        Ok(cases)
    }

    /// Compares as [`SceneFolder::check`] does, without writing files.
    ///
    /// # Errors
    /// As [`SceneFolder::check`].
    pub fn status(&self) -> Result<Vec<Case>> {
        Ok(self.examine(|_| true)?.into_iter().map(|examined| examined.case).collect())
    }

    /// Writes the goldens of the chosen cases that fail, and returns these cases. Filters are ignored.
    ///
    /// # Errors
    /// As [`SceneFolder::check`], and if a name belongs to no case, to a PNG without a scene or to a scene that cannot
    /// be drawn. In these cases nothing is written.
    pub fn bless(&self, choice: &Choice) -> Result<Vec<Case>> {
        let chosen = |name: &str| match choice {
            Choice::Named(names) => names.iter().any(|named| case_name(named) == name),
            Choice::All => true,
        };
        let all = Self { filters: Vec::new(), ..self.clone() };
        let examined = all.examine(chosen)?;
        if let Choice::Named(names) = choice {
            for name in names {
                let found = examined.iter().find(|examined| examined.case.name == case_name(name));
                let wrong = match found.map(|examined| (&examined.case.outcome, &examined.actual)) {
                    None => "is no case".to_owned(),
                    Some((Outcome::NoScene, _)) => "has no scene to draw".to_owned(),
                    Some((Outcome::Failed(reason), None)) => format!("cannot be drawn: {reason}"),
                    Some(_) => continue,
                };
                let message = format!("must name scenes in {}; {name:?} {wrong}", self.path.display());
                return Err(Error::setting("bless", message));
            }
        }
        let mut blessed = Vec::new();
        for Examined { case, actual, .. } in examined {
            if let (false, Some(actual)) = (case.is_same(), actual) {
                save(&actual, &self.path, &format!("{}.png", case.name), self.overwriting)?;
                blessed.push(case);
            }
        }
        Ok(blessed)
    }

    /// Writes a report of checked cases; see [`write_report`].
    ///
    /// # Errors
    /// As [`write_report`].
    pub fn write_report(&self, path: impl AsRef<Path>, cases: &[Case]) -> Result<()> {
        let (title, cases) = self.report(cases);
        write_report(path, &title, &cases)
    }

    /// The title and the cases of a report.
    fn report(&self, cases: &[Case]) -> (String, Vec<ReportCase>) {
        let title = format!("Golden images of {}", self.path.display());
        (title, cases.iter().map(|case| self.report_case(case)).collect())
    }

    /// The command line of `roundel golden` for this folder, as a POSIX shell reads it.
    ///
    /// ```
    /// use roundel::golden::SceneFolder;
    ///
    /// let command = SceneFolder::new("my goldens").command("bless", &["raster/strokes"]);
    /// assert_eq!(command, "roundel golden bless 'my goldens' raster/strokes");
    /// ```
    #[must_use]
    pub fn command(&self, action: &str, names: &[&str]) -> String {
        let folder = self.path.display().to_string();
        let words: Vec<&str> = std::iter::once(&*folder).chain(names.iter().copied()).collect();
        // a name may look like a flag
        let separator = if words.iter().any(|word| word.starts_with('-')) { "-- " } else { "" };
        let words: Vec<String> = words.into_iter().map(quoted).collect();
        format!("roundel golden {action} {separator}{}", words.join(" "))
    }

    /// The case as a report shows it.
    fn report_case(&self, case: &Case) -> ReportCase {
        let (status, regions) = match &case.outcome {
            Outcome::Same => (ReportStatus::Same, Vec::new()),
            Outcome::Changed(comparison) => (ReportStatus::Changed, comparison.regions.clone()),
            // the golden of a failed case cannot be shown
            Outcome::NoGolden | Outcome::Failed(_) => (ReportStatus::New, Vec::new()),
            Outcome::NoScene => (ReportStatus::Missing, Vec::new()),
        };
        let is_drawn = !matches!(case.outcome, Outcome::Failed(_)) || case.actual.is_some();
        let can_be_approved = matches!(status, ReportStatus::Changed | ReportStatus::New) && is_drawn;
        let file = |path: &PathBuf| ReportPicture::File(path.clone());
        let mut shown = ReportCase::new(&case.name, status, case.found()).with_regions(regions);
        shown.approve = can_be_approved.then(|| self.command("bless", &[&case.name]));
        shown.expected = (status != ReportStatus::New).then(|| file(&case.golden));
        shown.actual = case.actual.as_ref().map(file);
        shown.difference = case.difference.as_ref().map(file);
        shown
    }

    /// Draws and compares the chosen cases that match a filter.
    fn examine(&self, chosen: impl Fn(&str) -> bool) -> Result<Vec<Examined>> {
        let cases = cases::find(&self.path)?;
        let mut rules = rules::read(&self.path)?;
        if let Some(name) = rules.keys().find(|name| !cases.contains_key(*name)) {
            let message = format!("in {} must be a scene's, got {name:?}", self.path.join(rules::FILE_NAME).display());
            return Err(Error::setting("case name", message));
        }
        if let Some(filter) = self.filters.iter().find(|filter| !cases.keys().any(|name| name.contains(&***filter))) {
            let message = format!("must be part of the name of a case in {}, got {filter:?}", self.path.display());
            return Err(Error::setting("filter", message));
        }
        let matches =
            |name: &str| self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(&**filter));
        let chosen = cases.into_iter().filter(|(name, _)| chosen(name) && matches(name));
        chosen.map(|(name, files)| self.examine_case(files, rules.remove(&name), name)).collect()
    }

    fn draw(&self, scene: &Path) -> Result<Frame> {
        let options = LoadOptions { budget: self.settings.budget, ..LoadOptions::default() };
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        load(scene, &options)?.draw(&mut Renderer::new(&self.settings)?, &mut frame)?;
        Ok(frame)
    }

    fn examine_case(&self, files: Files, rule: Option<CompareOptions>, name: String) -> Result<Examined> {
        let golden = files.image.clone().unwrap_or_else(|| self.path.join(format!("{name}.png")));
        let case = Case { name, golden, outcome: Outcome::NoScene, actual: None, difference: None };
        let Some(scene) = files.scene else { return Ok(case.examined(Outcome::NoScene, None, None)) };
        let actual = match self.draw(&scene) {
            Ok(actual) => actual,
            // the caller set the limits and can raise them
            Err(error @ Error::Budget { .. }) => return Err(error),
            Err(error) => return Ok(case.examined(Outcome::Failed(error.to_string()), None, None)),
        };
        let Some(image) = files.image else { return Ok(case.examined(Outcome::NoGolden, Some(actual), None)) };
        let tolerance = read_tolerance(&scene)?;
        if tolerance.is_some() && rule.is_some() {
            let message = format!("of {:?} must stand in {} or in the scene, not in both", case.name, rules::FILE_NAME);
            return Err(Error::setting("tolerance", message));
        }
        let options = rule.unwrap_or_default();
        let golden = match read_picture_within(&image, &self.settings.budget) {
            Ok(golden) => golden,
            Err(error) => return Ok(case.examined(Outcome::Failed(error.to_string()), Some(actual), None)),
        };
        let (comparison, difference) = compare_with_difference(golden, &actual, &options)?;
        let tolerated = comparison.verdict == Verdict::Different
            && tolerance.is_some_and(|tolerance| {
                comparison.differing <= tolerance.pixels && comparison.largest <= f64::from(tolerance.difference)
            });
        if comparison.is_same() || tolerated {
            return Ok(case.examined(Outcome::Same, None, None));
        }
        Ok(case.examined(Outcome::Changed(Box::new(comparison)), Some(actual), difference))
    }
}

/// Strips the ending of the scene or of the picture from a name.
fn case_name(name: &str) -> &str {
    [".toml", ".json", ".png"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// A case with the pictures of a failure.
struct Examined {
    case: Case,
    actual: Option<Frame>,
    difference: Option<Frame>,
}

impl Examined {
    /// Writes the pictures of a failing case, or removes the pictures of a passing case.
    fn write(mut self, output: &Path, overwriting: Overwriting) -> Result<Case> {
        let write = |frame: Option<&Frame>, ending: &str| {
            let name = format!("{}{ending}", self.case.name);
            let Some(frame) = frame else {
                // absent, unless the case failed before
                FileBelow::new(output, &name, OutputKind::Picture).remove();
                return Ok(None);
            };
            save(frame, output, &name, overwriting).map(Some)
        };
        self.case.actual = write(self.actual.as_ref(), ACTUAL)?;
        self.case.difference = write(self.difference.as_ref(), DIFFERENCE)?;
        Ok(self.case)
    }
}

fn save(frame: &Frame, folder: &Path, name: &str, overwriting: Overwriting) -> Result<PathBuf> {
    let place = FileBelow::new(folder, name, OutputKind::Picture).with_overwriting(overwriting);
    let png = encode_picture(&frame.into(), None)?;
    place.write(|file| file.write_all(&png)).map(|()| place.path())
}
