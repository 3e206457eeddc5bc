//! Folders of scenes, each beside its golden.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use super::cases::{self, Files};
use super::rules::{self, Rules};
use crate::color::Srgba8;
use crate::compare::{CompareOptions, Comparison, Picture, Sequence, Verdict};
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::io::{LoadOptions, OutputKind, Overwriting, load};
use roundel_golden::inner::{self, Approval, Check, Found, Output, Stale, base_of_variant, quoted};
use roundel_golden::{ReportCase, ReportPicture, ReportStatus, write_report};
use roundel_load::read::read_tolerance;
use roundel_render::{RenderSettings, Renderer};

/// The name of the report that [`SceneFolder::check`] leaves.
pub const REPORT: &str = "report.html";

/// A folder of scenes, each beside its golden: NAME.toml or NAME.json beside NAME.png.
///
/// Pictures must agree exactly, unless `golden.toml` in the folder or `[tolerance]` in the scene says otherwise.
/// NAME@2.png to NAME@9.png, NAME.linux.png and the like are variants that are accepted, too.
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
    /// The scene has no golden, and this PNG without a scene has the same pixels: the scene was renamed. Blessing renames
    /// the golden, too.
    Moved(PathBuf),
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
            Outcome::Moved(from) => format!("no golden beside the scene; {} has moved", from.display()),
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
    /// `output`, and a report of them to [`REPORT`]. Files that an earlier check left for cases that pass now, or that are
    /// gone, are removed.
    ///
    /// A scene that cannot be read or drawn, or a golden that cannot be read, is [`Outcome::Failed`]; the other cases
    /// are still compared.
    ///
    /// # Errors
    /// If the folder cannot be read, a scene exceeds the budget, `golden.toml` is invalid or names a case that does not
    /// exist, a filter matches no case, or an output path holds a file that this program did not write.
    pub fn check(&self, output: impl AsRef<Path>) -> Result<Vec<Case>> {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let run = format!("process {} {}", process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
        let (root, folder) = (self.path.clone(), output.as_ref().to_owned());
        let output = Output { root, package: String::new(), folder, run, overwriting: self.overwriting };
        let mut cases = Vec::new();
        for examined in self.examine(|_| true)? {
            cases.push(self.record(examined, &output)?);
        }
        let goldens: Vec<(&str, &Path)> = cases.iter().map(|case| (&*case.name, &*case.golden)).collect();
        inner::add(&output, &goldens)?;
        if self.filters.is_empty() {
            let names: BTreeSet<&str> = cases.iter().map(|case| &*case.name).collect();
            inner::remove_unless(&output, |failure| names.contains(&*failure.path))?;
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

    /// Writes the files of a failing case, or removes those of a passing one.
    fn record(&self, examined: Examined, output: &Output) -> Result<Case> {
        let Examined { mut case, drawn } = examined;
        if case.is_same() {
            inner::remove(output, &case.name, Stale::All)?;
            return Ok(case);
        }
        let mut report = self.report_case(&case);
        let mut approval = Approval { golden: case.golden.clone(), keeps_transparent: false };
        if let Some(drawn) = &drawn {
            let check = self.check_of(&case.name, &drawn.options);
            let shown = check.case(&drawn.found, &case.name, &drawn.picture)?;
            let approve = std::mem::replace(&mut report, shown).approve;
            (report.approve, report.summary) = (approve, case.found());
            approval = check.approval();
        }
        let files = inner::write(output, &case.name, &report, &approval)?;
        case.actual = drawn.map(|_| files.actual);
        case.difference = files.difference;
        Ok(case)
    }

    /// Writes the goldens of the chosen cases that fail, and returns these cases. Filters are ignored.
    ///
    /// # Errors
    /// As [`SceneFolder::check`], and if a name belongs to no case, to a PNG without a scene or to a scene that cannot
    /// be drawn. In these cases nothing is written.
    pub fn bless(&self, choice: &Choice) -> Result<Vec<Case>> {
        // cases, and the variant that is written
        let named: BTreeMap<&str, &str> = match choice {
            Choice::All => BTreeMap::new(),
            Choice::Named(names) => {
                let cases = cases::find(&self.path)?;
                let names = names.iter().map(|name| case_name(name));
                let case = |name| base_of_variant(name).filter(|_| !cases.contains_key(name)).unwrap_or(name);
                names.map(|name| (case(name), name)).collect()
            }
        };
        let chosen = |name: &str| *choice == Choice::All || named.contains_key(name);
        let examined = Self { filters: Vec::new(), ..self.clone() }.examine(chosen)?;
        for (case, name) in &named {
            let found = examined.iter().find(|examined| examined.case.name == *case);
            let wrong = match found.map(|examined| (&examined.case.outcome, &examined.drawn)) {
                None => "is no case".to_owned(),
                Some((Outcome::NoScene, _)) => "has no scene to draw".to_owned(),
                Some((Outcome::Failed(reason), None)) => format!("cannot be drawn: {reason}"),
                Some(_) => continue,
            };
            let message = format!("must name scenes in {}; {name:?} {wrong}", self.path.display());
            return Err(Error::setting("bless", message));
        }
        let mut blessed = Vec::new();
        for Examined { case, drawn } in examined {
            let Some(drawn) = drawn.filter(|_| !case.is_same()) else { continue };
            let check = self.check_of(&case.name, &drawn.options);
            let variant = named.get(&*case.name).filter(|name| **name != case.name);
            let name = variant.map_or_else(|| check.blessed_name(), |name| (*name).to_owned());
            let png = check.blessed_png(&drawn.found, &drawn.picture)?;
            check.write(&name, &png, OutputKind::Picture, self.overwriting)?;
            if let Outcome::Moved(from) = &case.outcome {
                fs::remove_file(from).map_err(|source| Error::Io { action: "remove", path: from.clone(), source })?;
            }
            blessed.push(case);
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
            Outcome::NoGolden | Outcome::Moved(_) | Outcome::Failed(_) => (ReportStatus::New, Vec::new()),
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
        let rules = rules::read(&self.path, cases.keys().map(String::as_str))?;
        if let Some(filter) = self.filters.iter().find(|filter| !cases.keys().any(|name| name.contains(&***filter))) {
            let message = format!("must be part of the name of a case in {}, got {filter:?}", self.path.display());
            return Err(Error::setting("filter", message));
        }
        let matches =
            |name: &str| self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(&**filter));
        let strays: BTreeSet<PathBuf> =
            cases.values().filter(|files| files.scene.is_none()).filter_map(|files| files.image.clone()).collect();
        let chosen = cases.iter().filter(|(name, _)| chosen(name) && matches(name));
        chosen.map(|(name, files)| self.examine_case(files, &rules, name, &strays)).collect()
    }

    fn draw(&self, scene: &Path) -> Result<Frame> {
        let options = LoadOptions { budget: self.settings.budget, ..LoadOptions::default() };
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        load(scene, &options)?.draw(&mut Renderer::new(&self.settings)?, &mut frame)?;
        Ok(frame)
    }

    /// The golden of a case, and what may differ.
    fn check_of<'a>(&'a self, name: &'a str, options: &'a CompareOptions) -> Check<'a> {
        Check { folder: &self.path, name, options }
    }

    fn examine_case(&self, files: &Files, rules: &Rules, name: &str, strays: &BTreeSet<PathBuf>) -> Result<Examined> {
        let golden = files.image.clone().unwrap_or_else(|| self.path.join(format!("{name}.png")));
        let case = Case { name: name.to_owned(), golden, outcome: Outcome::NoScene, actual: None, difference: None };
        let Some(scene) = &files.scene else { return Ok(Examined { case, drawn: None }) };
        let frame = match self.draw(scene) {
            Ok(frame) => frame,
            // the caller set the limits and can raise them
            Err(error @ Error::Budget { .. }) => return Err(error),
            Err(error) => {
                return Ok(Examined {
                    case: Case { outcome: Outcome::Failed(error.to_string()), ..case },
                    drawn: None,
                });
            }
        };
        let rule = rules.of_case(name);
        let tolerance = read_tolerance(scene)?;
        if tolerance.is_some() && rules.names(name) {
            let message = format!("of {name:?} must stand in {} or in the scene, not in both", rules::FILE_NAME);
            return Err(Error::setting("tolerance", message));
        }
        let options = rule.unwrap_or_default().with_budget(self.settings.budget);
        let picture = Sequence::from(Picture::from(&frame));
        let found = self.check_of(name, &options).compare(&picture)?;
        let outcome = match &found {
            Found::Same => Outcome::Same,
            Found::Missing { twin: Some(twin) } if strays.contains(twin) => Outcome::Moved(twin.clone()),
            Found::Missing { .. } => Outcome::NoGolden,
            Found::Unreadable(reason) => Outcome::Failed(reason.clone()),
            Found::Differs { comparison, .. } => {
                let tolerated = comparison.verdict == Verdict::Different
                    && tolerance.is_some_and(|tolerance| {
                        comparison.differing <= tolerance.pixels
                            && comparison.largest <= f64::from(tolerance.difference)
                    });
                if tolerated { Outcome::Same } else { Outcome::Changed(comparison.clone()) }
            }
        };
        Ok(Examined { case: Case { outcome, ..case }, drawn: Some(Drawn { picture, options, found }) })
    }
}

/// Strips the ending of the scene or of the picture from a name.
fn case_name(name: &str) -> &str {
    [".toml", ".json", ".png"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// A case, and what was drawn for it, if it has a scene that can be drawn.
struct Examined {
    case: Case,
    drawn: Option<Drawn>,
}

struct Drawn {
    picture: Sequence<'static>,
    /// What may differ.
    options: CompareOptions,
    found: Found,
}
