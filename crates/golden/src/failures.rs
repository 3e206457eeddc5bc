//! The files of failing goldens, and the report of all of them.
//!
//! Each failure has its own files, NAME.actual.png, NAME.diff.png and NAME.report.js, so that tests in any number of
//! threads and processes write them independently. The script holds the failure's entry in the report and its pictures,
//! which the report loads when they are shown. The report lists the failures that have files at the moment. It is
//! rewritten under a lock whenever these change.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::gone::{self, Sources};
use super::output::Output;
use super::report::{ReportCase, ReportPicture, write_index, write_script};
use roundel_image::error::{Error, Result};
use roundel_image::io::{FileBelow, OutputKind};
use roundel_image::output::create_folder;
use roundel_image::regular_file::open_if_regular;

/// The report's name in the output folder.
const REPORT: &str = "report.html";
/// The ending of the new picture's file.
pub const ACTUAL: &str = ".actual.png";
/// The ending of the difference image's file.
pub const DIFFERENCE: &str = ".diff.png";
const SCRIPT: &str = ".report.js";

#[derive(Debug)]
pub(super) struct FailureFiles {
    pub(super) actual: PathBuf,
    pub(super) difference: Option<PathBuf>,
    pub(super) report: PathBuf,
    /// The names of all goldens of the package that failed in this run so far.
    pub(super) failed: Vec<String>,
}

/// Writes the files of a failure; `case` has encoded pictures.
pub(super) fn write(output: &Output, name: &str, case: &ReportCase) -> Result<FailureFiles> {
    let path = |ending| output.file(name, ending);
    let write_picture = |ending, picture: &Option<ReportPicture>| match picture {
        Some(ReportPicture::Png(bytes)) => {
            with_file(output, name, ending, |file| file.write(|to| to.write_all(bytes)))?;
            Ok(Some(path(ending)))
        }
        _ => {
            // absent, unless an earlier failure left it
            with_file(output, name, ending, |file| file.remove());
            Ok(None)
        }
    };
    let difference = write_picture(DIFFERENCE, &case.difference)?;
    write_picture(ACTUAL, &case.actual)?;
    let test = gone::running_test(&output.root).unwrap_or_default();
    with_file(output, name, SCRIPT, |file| write_script(file, &output.run, &test, case))?;
    let records = update(output)?;
    let own = records.into_iter().filter(|record| record.run == output.run && record.package == output.package);
    let failed = own.map(|record| record.name).collect();
    Ok(FailureFiles { actual: path(ACTUAL), difference, report: output.folder.join(REPORT), failed })
}

/// Calls `with` with a file of a failure.
fn with_file<T>(output: &Output, name: &str, ending: &str, with: impl FnOnce(&FileBelow<'_>) -> T) -> T {
    let kind = if ending == SCRIPT { OutputKind::Script } else { OutputKind::Notes };
    with(&FileBelow::new(&output.folder, &format!("{}/{name}{ending}", output.package), kind))
}

/// The failures of a golden to remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stale {
    /// Only files of earlier runs: in this run another test may have failed on the same golden.
    EarlierRuns,
    /// All, because the golden was replaced.
    All,
}

pub(super) fn remove(output: &Output, name: &str, stale: Stale) -> Result<()> {
    let script = output.file(name, SCRIPT);
    let Ok(entry) = read_entry(&script) else { return Ok(()) };
    if stale == Stale::EarlierRuns && entry.run == output.run {
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
    let mut records = Vec::new();
    collect(&output.folder, &output.package, "", &mut records);
    records.retain(|record| record.run != output.run && !record.test.is_empty());
    if records.is_empty() {
        return Ok(());
    }
    let sources = Sources::of(&output.root);
    records.retain(|record| !sources.is_empty() && !sources.have(&record.test));
    if records.is_empty() {
        return Ok(());
    }
    records.iter().for_each(|record| remove_files(output, &record.name));
    update(output).map(|_| ())
}

#[derive(Debug)]
struct Record {
    package: String,
    name: String,
    run: String,
    /// The function of its test; empty if unknown.
    test: String,
    /// Its script, relative to the report.
    script: String,
    /// Its entry as JSON.
    json: String,
}

/// Rewrites the report after a change, or removes it if nothing fails. Returns all failures, sorted by package and
/// name.
fn update(output: &Output) -> Result<Vec<Record>> {
    create_folder(&output.folder)?;
    let _lock = lock(&output.folder);
    let mut records = Vec::new();
    for package in folders(&output.folder) {
        collect(&output.folder, &package, "", &mut records);
    }
    records.sort_by(|a, b| (&a.package, &a.name).cmp(&(&b.package, &b.name)));
    let report = FileBelow::new(&output.folder, REPORT, OutputKind::Page);
    if records.is_empty() {
        // absent, unless something failed before
        report.remove();
    } else {
        let entries = records.iter().map(|record| (&*record.json, &*record.run, &*record.script));
        write_index(&report, &output.run, entries)?;
    }
    Ok(records)
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

/// The names of the folders in a folder; none if it cannot be read.
fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// Adds the failures in a folder of a package and in its subfolders. `prefix` is empty or ends in `/`.
fn collect(output: &Path, package: &str, prefix: &str, records: &mut Vec<Record>) {
    let folder = output.join(package).join(prefix);
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let Ok(file) = entry.file_name().into_string() else { continue };
        // a file that is being written has a hidden name
        if entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Some(stem) = file.strip_suffix(SCRIPT).filter(|stem| !stem.starts_with('.'))
            && let Ok(FailureEntry { run, json, test }) = read_entry(&entry.path())
        {
            let (name, script) = (format!("{prefix}{stem}"), format!("{package}/{prefix}{file}"));
            records.push(Record { package: package.to_owned(), name, run, test, script, json });
        }
    }
    for inner in folders(&folder) {
        collect(output, package, &format!("{prefix}{inner}/"), records);
    }
}

/// The first three lines of a script, without the slashes before them.
#[derive(Debug)]
struct FailureEntry {
    run: String,
    json: String,
    test: String,
}

fn read_entry(script: &Path) -> Result<FailureEntry> {
    let unreadable = |source| Error::Io { action: "read", path: script.to_owned(), source };
    let file = open_if_regular(script).and_then(|file| file.ok_or(io::ErrorKind::InvalidInput.into()));
    let mut lines = BufReader::new(file.map_err(unreadable)?).lines();
    let mut line = || -> Result<String> {
        let line = lines.next().transpose().map_err(unreadable)?.unwrap_or_default();
        Ok(line.strip_prefix("// ").unwrap_or_default().to_owned())
    };
    Ok(FailureEntry { run: line()?, json: line()?, test: line()? })
}

#[cfg(test)]
mod tests {
    use super::super::report::ReportStatus;
    use super::*;

    fn case(name: &str) -> ReportCase {
        let picture = Some(ReportPicture::Png(vec![1, 2, 3]));
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
        write(&first, "a", &case("a")).unwrap();
        let left = write(&first, "deep/b", &case("deep/b")).unwrap();
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
        assert_eq!(write(&second, "c", &case("c")).unwrap().failed, ["c"], "of this run");

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
        write(&first, "unknown", &case("unknown")).unwrap();
        sources("fn failures_of_tests_that_are_gone_are_removed() {}");
        write(&first, "deep/a", &case("deep/a")).unwrap();
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
        assert!(write(&output, "a", &case("a")).unwrap().difference.is_some());
        let left = write(&output, "a", &ReportCase { difference: None, ..case("a") }).unwrap();
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
                    write(&Output::in_folder(folder, "1"), &name, &case(&name)).unwrap();
                });
            }
        });
        let report = fs::read_to_string(folder.path().join("target/golden/report.html")).unwrap();
        for number in 0..40 {
            assert!(report.contains(&format!("charts/n{number}.report.js")), "{number}");
        }
    }
}
