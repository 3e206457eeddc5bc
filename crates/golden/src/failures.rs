//! The files of failing goldens, and the report of all of them.
//!
//! Each failure has its own files, NAME.actual.png, NAME.diff.png and NAME.report.js, so that tests in any number of
//! threads and processes write them independently. The script holds the failure's entry in the report and its pictures,
//! which the report loads when they are shown. The report lists the failures that have files at the moment. It is
//! rewritten under a lock whenever these change.

use std::cell::LazyCell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::gone::{self, Sources};
use super::output::Output;
use super::record::Record;
use super::report::{ReportCase, ReportPicture, entry_of_script, write_index, write_script};
use roundel_image::error::Result;
use roundel_image::io::{FileBelow, OutputKind};
use roundel_image::output::create_folder;

/// The report's name in the output folder.
const REPORT: &str = "report.html";
/// The ending of the new picture's file.
pub const ACTUAL: &str = ".actual.png";
/// The ending of the difference image's file.
pub const DIFFERENCE: &str = ".diff.png";
pub(super) const SCRIPT: &str = ".report.js";

/// The files of a failure.
#[derive(Clone, Debug)]
pub struct FailureFiles {
    /// The new picture.
    pub actual: PathBuf,
    /// The difference image, if there is one.
    pub difference: Option<PathBuf>,
    /// The report of all failures.
    pub report: PathBuf,
    /// The names of all goldens of the package that failed in this run so far.
    pub failed: Vec<String>,
}

/// Where approval writes a picture.
#[derive(Clone, Debug)]
pub struct Approval {
    /// The golden, or a variant of it.
    pub golden: PathBuf,
    /// Whether transparent parts of the golden stay.
    pub keeps_transparent: bool,
}

/// Writes the files of a failure; `case` has encoded pictures.
///
/// # Errors
/// If a file cannot be written.
pub fn write(output: &Output, name: &str, case: &ReportCase, approval: &Approval) -> Result<FailureFiles> {
    let write_picture = |ending, picture: &Option<ReportPicture>| match picture {
        Some(ReportPicture::Png(bytes)) => {
            with_file(output, name, ending, |file| file.write(|to| to.write_all(bytes)))?;
            Ok(Some(output.file(name, ending)))
        }
        _ => {
            // absent, unless an earlier failure left it
            with_file(output, name, ending, |file| file.remove());
            Ok(None)
        }
    };
    let difference = write_picture(DIFFERENCE, &case.difference)?;
    write_picture(ACTUAL, &case.actual)?;
    let golden = std::path::absolute(&approval.golden).unwrap_or_else(|_| approval.golden.clone());
    let record = Record {
        run: output.run.clone(),
        test: gone::running_test(&output.root).unwrap_or_default(),
        in_repository: in_repository(&golden).unwrap_or_default(),
        golden,
        keeps_transparent: approval.keeps_transparent,
        status: case.status.name().to_owned(),
        summary: case.summary.clone(),
        approve: case.approve.clone().unwrap_or_default(),
        share: case.share,
        entry: entry_of_script(case),
    };
    with_file(output, name, SCRIPT, |file| write_script(file, &record.head(), case))?;
    let failures = update(output)?;
    let own = failures.into_iter().filter(|failure| failure.record.run == output.run);
    let failed = own.filter_map(|failure| Some(failure.name_in(&output.package)?.to_owned())).collect();
    let (actual, report) = (output.file(name, ACTUAL), output.folder.join(REPORT));
    Ok(FailureFiles { actual, difference, report, failed })
}

/// The path of a golden relative to the repository that it is in, which `.git` marks.
fn in_repository(golden: &Path) -> Option<PathBuf> {
    let root = golden.ancestors().skip(1).find(|folder| folder.join(".git").exists())?;
    Some(golden.strip_prefix(root).ok()?.to_owned())
}

/// Calls `with` with a file of a failure.
fn with_file<T>(output: &Output, name: &str, ending: &str, with: impl FnOnce(&FileBelow<'_>) -> T) -> T {
    let kind = if ending == SCRIPT { OutputKind::Script } else { OutputKind::Picture };
    let path = Path::new(&output.package).join(format!("{name}{ending}"));
    with(&FileBelow::new(&output.folder, &path, kind).with_overwriting(output.overwriting))
}

/// The failures of a golden to remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    /// Only files of earlier runs: in this run another test may have failed on the same golden.
    EarlierRuns,
    /// All, because the golden was replaced.
    All,
}

/// Removes the files of a failure.
///
/// # Errors
/// If the report cannot be rewritten.
pub fn remove(output: &Output, name: &str, stale: Stale) -> Result<()> {
    let script = output.file(name, SCRIPT);
    let Ok(record) = Record::read(&script) else { return Ok(()) };
    if stale == Stale::EarlierRuns && record.run == output.run {
        return Ok(());
    }
    remove_files(output, name);
    update(output).map(|_| ())
}

fn remove_files(output: &Output, name: &str) {
    for ending in [ACTUAL, DIFFERENCE, SCRIPT] {
        // another process may have removed it already
        with_file(output, name, ending, |file| file.remove());
    }
}

/// Removes the files of earlier runs whose tests no longer exist.
pub(super) fn remove_gone(output: &Output) -> Result<()> {
    let is_stale = |failure: &Failure| failure.record.run != output.run && !failure.record.test.is_empty();
    let sources = LazyCell::new(|| Sources::of(&output.root));
    remove_unless(output, |failure| !is_stale(failure) || sources.is_empty() || sources.have(&failure.record.test))
}

/// Removes the files of failures in the package that are not kept.
///
/// # Errors
/// If the report cannot be rewritten.
pub fn remove_unless(output: &Output, keeps: impl Fn(&Failure) -> bool) -> Result<()> {
    let own = find(&output.folder).into_iter().filter(|failure| failure.name_in(&output.package).is_some());
    let gone: Vec<Failure> = own.filter(|failure| !keeps(failure)).collect();
    if gone.is_empty() {
        return Ok(());
    }
    gone.iter().filter_map(|failure| failure.name_in(&output.package)).for_each(|name| remove_files(output, name));
    update(output).map(|_| ())
}

/// A failure that has files.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The path of its files relative to the output folder, without their endings: PACKAGE/NAME.
    pub path: String,
    pub(super) record: Record,
}

impl Failure {
    /// The name of the golden, if the failure is of this package. A package without a name has all.
    pub(super) fn name_in(&self, package: &str) -> Option<&str> {
        if package.is_empty() { Some(&self.path) } else { self.path.strip_prefix(package)?.strip_prefix('/') }
    }
}

/// Rewrites the report after a change, or removes it if nothing fails. Returns all failures, sorted by package and
/// name.
fn update(output: &Output) -> Result<Vec<Failure>> {
    create_folder(&output.folder)?;
    let _lock = lock(&output.folder);
    let failures = find(&output.folder);
    let report = FileBelow::new(&output.folder, REPORT, OutputKind::Page).with_overwriting(output.overwriting);
    if failures.is_empty() {
        // absent, unless something failed before
        report.remove();
    } else {
        let scripts: Vec<String> = failures.iter().map(|failure| format!("{}{SCRIPT}", failure.path)).collect();
        let records = failures.iter().map(|failure| &failure.record);
        write_index(
            &report,
            &output.run,
            records.zip(&scripts).map(|(record, script)| (&*record.entry, &*record.run, &**script)),
        )?;
    }
    Ok(failures)
}

/// All failures that have files below a folder, sorted by path.
pub(super) fn find(folder: &Path) -> Vec<Failure> {
    let mut failures = Vec::new();
    collect(folder, "", &mut failures);
    failures.sort_by(|a, b| a.path.cmp(&b.path));
    failures
}

/// Adds the failures in a folder and in its subfolders. `prefix` is empty or ends in `/`.
fn collect(output: &Path, prefix: &str, failures: &mut Vec<Failure>) {
    for entry in fs::read_dir(output.join(prefix)).into_iter().flatten().flatten() {
        let (Ok(file), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
        if kind.is_dir() {
            collect(output, &format!("{prefix}{file}/"), failures);
        } else if kind.is_file()
            // a file that is being written has a hidden name
            && let Some(stem) = file.strip_suffix(SCRIPT).filter(|stem| !stem.starts_with('.'))
            && let Ok(record) = Record::read(&entry.path())
        {
            failures.push(Failure { path: format!("{prefix}{stem}"), record });
        }
    }
}

/// Locks the output folder until the lock is dropped. File systems without locks are not locked: the report may then
/// lack a failure of another process.
pub(super) fn lock(folder: &Path) -> Option<File> {
    let path = folder.join(".lock");
    // opening a pipe or a device would block
    fs::symlink_metadata(&path).map_or(Some(()), |found| found.is_file().then_some(()))?;
    let file = File::options().create(true).truncate(false).write(true).open(path).ok()?;
    file.lock().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::super::report::ReportStatus;
    use super::*;

    /// Writes the files of a failure.
    fn fail(output: &Output, name: &str, case: &ReportCase) -> FailureFiles {
        let golden = output.root.join(format!("tests/golden/{name}.png"));
        write(output, name, case, &Approval { golden, keeps_transparent: false }).expect("written")
    }

    fn case(name: &str) -> ReportCase {
        let picture = Some(ReportPicture::Png(b"\x89PNG\r\n\x1a\n".to_vec()));
        let case = ReportCase::new(name, ReportStatus::Changed, "1 of 4 pixels differ");
        ReportCase { actual: picture.clone(), difference: picture, ..case }
    }

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn failures_are_listed_until_they_pass() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (Output::in_folder(folder.path(), "1"), Output::in_folder(folder.path(), "2"));
        fail(&first, "a", &case("a"));
        let left = fail(&first, "deep/b", &case("deep/b"));
        assert_eq!(left.failed, ["a", "deep/b"]);
        assert_eq!(files(&first.folder.join("charts/deep")), ["b.actual.png", "b.diff.png", "b.report.js"]);
        let report = fs::read_to_string(&left.report).unwrap();
        assert!(report.contains("charts/a.report.js") && report.contains("charts/deep/b.report.js"), "{report}");

        // another test of the same run passes: the failure stays
        remove(&first, "a", Stale::EarlierRuns).unwrap();
        assert!(first.file("a", ACTUAL).exists());
        // the next run: it passes
        remove(&second, "a", Stale::EarlierRuns).unwrap();
        assert_eq!(files(&first.folder.join("charts")), ["deep"]);
        let report = fs::read_to_string(&left.report).unwrap();
        assert!(!report.contains("charts/a.report.js") && report.contains("charts/deep/b.report.js"), "{report}");
        assert_eq!(fail(&second, "c", &case("c")).failed, ["c"], "of this run");

        remove(&second, "c", Stale::All).unwrap();
        remove(&second, "deep/b", Stale::All).unwrap();
        assert_eq!(files(&first.folder), [".lock", "charts"], "no report");
    }

    #[test]
    fn failures_of_tests_that_are_gone_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (Output::in_folder(folder.path(), "1"), Output::in_folder(folder.path(), "2"));
        let source = folder.path().join("tests/chart.rs");
        let sources = |text: &str| {
            fs::create_dir_all(source.parent().unwrap()).unwrap();
            fs::write(&source, text).unwrap();
        };
        // without sources, the test is unknown
        fail(&first, "unknown", &case("unknown"));
        sources("fn failures_of_tests_that_are_gone_are_removed() {}");
        fail(&first, "deep/a", &case("deep/a"));
        remove_gone(&second).unwrap();
        assert!(first.file("deep/a", ACTUAL).exists(), "the test is there");
        fs::remove_file(&source).unwrap();
        remove_gone(&second).unwrap();
        assert!(first.file("deep/a", ACTUAL).exists(), "the sources are elsewhere");
        sources("fn another() {}");
        remove_gone(&first).unwrap();
        assert!(first.file("deep/a", ACTUAL).exists(), "of this run");
        remove_gone(&second).unwrap();
        assert!(files(&first.folder.join("charts/deep")).is_empty());
        assert_eq!(
            files(&first.folder.join("charts")),
            ["deep", "unknown.actual.png", "unknown.diff.png", "unknown.report.js"]
        );
        let report = fs::read_to_string(first.folder.join(REPORT)).unwrap();
        assert!(!report.contains("deep/a") && report.contains("unknown"), "{report}");
    }

    #[test]
    fn failure_without_a_difference_image_leaves_none() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::in_folder(folder.path(), "1");
        assert!(fail(&output, "a", &case("a")).difference.is_some());
        let left = fail(&output, "a", &ReportCase { difference: None, ..case("a") });
        assert_eq!(left.difference, None);
        assert_eq!(files(&output.folder.join("charts")), ["a.actual.png", "a.report.js"]);
    }

    /// One thread per test and one output per process, all at once.
    #[test]
    fn every_failure_of_many_at_once_is_in_the_report() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for number in 0..40 {
                let folder = folder.path();
                scope.spawn(move || {
                    let name = format!("n{number}");
                    fail(&Output::in_folder(folder, "1"), &name, &case(&name));
                });
            }
        });
        let report = fs::read_to_string(folder.path().join("target/golden/report.html")).unwrap();
        for number in 0..40 {
            assert!(report.contains(&format!("charts/n{number}.report.js")), "{number}");
        }
    }
}
