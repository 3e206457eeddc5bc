//! Which goldens a run compared with, and which no test compares with any more.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::failures::lock;
use super::output::Output;
use super::report::json::{quoted, unquoted};
use super::variants::base_of_variant;
use roundel_image::error::{Error, Result};
use roundel_image::io::{FileBelow, OutputKind, Overwriting};
use roundel_image::output::create_folder;
use roundel_image::regular_file::open_if_regular;

/// The file in a package's output folder that lists the goldens its tests compared with: the run in the first line,
/// then name and path as JSON texts, with a tab between them.
const TESTED: &str = "tested.txt";

/// Notes that the running test compares with a golden.
pub(super) fn record(output: &Output, name: &str, golden: &Path) -> Result<()> {
    /// The goldens that this process has noted.
    static NOTED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !NOTED.lock().unwrap_or_else(PoisonError::into_inner).insert(golden.to_owned()) {
        return Ok(());
    }
    add(output, &[(name, golden)])
}

/// Adds goldens to the list. The first of a new run begin a new list.
///
/// # Errors
/// If the list cannot be written.
pub fn add(output: &Output, goldens: &[(&str, &Path)]) -> Result<()> {
    let package = output.folder.join(&output.package);
    create_folder(&package)?;
    let _lock = lock(&output.folder);
    let path = package.join(TESTED);
    let lines: String = goldens.iter().map(|(name, golden)| line(name, golden)).collect();
    let failed = |source| Error::Io { action: "write", path: path.clone(), source };
    if run_of(&path).as_ref() == Some(&output.run) {
        let mut list = File::options().append(true).open(&path).map_err(failed)?;
        return list.write_all(lines.as_bytes()).map_err(failed);
    }
    let file = FileBelow::new(&package, TESTED, OutputKind::Notes).with_overwriting(Overwriting::Own);
    file.write(|file| write!(file, "{}\n{lines}", printable(&output.run)))
}

/// A line of the list.
fn line(name: &str, golden: &Path) -> String {
    format!("{}\t{}\n", quoted(name), quoted(&golden.to_string_lossy()))
}

fn printable(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

/// The run that began a list; `None` if there is no list in a regular file.
fn run_of(path: &Path) -> Option<String> {
    let mut first = String::new();
    BufReader::new(open_if_regular(path).ok()??).read_line(&mut first).ok()?;
    first.strip_suffix('\n').map(str::to_owned)
}

/// The goldens that a package's tests compared with in their last run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestedList {
    /// The folder of its output below the output folder; empty for the output folder itself.
    pub package: String,
    /// The run.
    pub run: String,
    /// Names and paths.
    pub goldens: Vec<(String, PathBuf)>,
}

/// The lists in an output folder and in the folders in it, sorted by package.
///
/// # Errors
/// If a folder cannot be read.
pub fn tested(output: impl AsRef<Path>) -> Result<Vec<TestedList>> {
    let output = output.as_ref();
    let mut lists: Vec<TestedList> = list_of(output, "").into_iter().collect();
    for folder in packages(output)? {
        let name = folder.file_name().and_then(|name| name.to_str());
        lists.extend(name.and_then(|name| list_of(&folder, name)));
    }
    lists.sort_by(|a, b| a.package.cmp(&b.package));
    Ok(lists)
}

fn list_of(folder: &Path, package: &str) -> Option<TestedList> {
    let text = open_if_regular(&folder.join(TESTED)).ok().flatten().and_then(|file| io::read_to_string(file).ok())?;
    let mut lines = text.lines();
    let run = lines.next().unwrap_or_default().to_owned();
    let golden = |(name, path)| Some((unquoted(name)?, unquoted(path)?.into()));
    let goldens: BTreeSet<(String, PathBuf)> =
        lines.filter_map(|line| line.split_once('\t')).filter_map(golden).collect();
    Some(TestedList { package: package.to_owned(), run, goldens: goldens.into_iter().collect() })
}

/// The goldens in a folder and its subfolders that no test compared with in the last test run. `output` is the output
/// folder of the run, `target/golden` unless `ROUNDEL_OUTPUT` was set.
///
/// Run all tests first; a golden whose test was filtered out counts as untested.
///
/// ```no_run
/// // after `cargo test`
/// for golden in roundel_golden::untested("tests/golden", "target/golden")? {
///     println!("no test compares with {}", golden.display());
/// }
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// If a folder cannot be read, or no test run is recorded in `output`.
pub fn untested(goldens: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    let (goldens, output) = (goldens.as_ref(), output.as_ref());
    let lists = tested(output)?;
    if lists.is_empty() {
        let message = format!(
            "must be the folder in which a test run left its output, got {}, which has none; run the tests, or name the folder",
            output.display()
        );
        return Err(Error::setting("output", message));
    }
    let tested: BTreeSet<PathBuf> =
        lists.iter().flat_map(|list| &list.goldens).map(|(_, golden)| canonical(golden)).collect();
    let mut found = Vec::new();
    let mut queue = vec![goldens.to_owned()];
    while let Some(folder) = queue.pop() {
        for path in entries(&folder)? {
            if path.is_dir() {
                queue.push(path);
            } else if path.extension().is_some_and(|ending| ending == "png")
                && !golden_paths(&path).iter().any(|path| tested.contains(&canonical(path)))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A golden's path, and that of the golden of which it is a variant.
fn golden_paths(path: &Path) -> Vec<PathBuf> {
    let base = path.file_stem().and_then(|stem| stem.to_str()).and_then(base_of_variant);
    let base = base.map(|base| path.with_file_name(format!("{base}.png")));
    [Some(path.to_owned()), base].into_iter().flatten().collect()
}

/// The output folders of packages; none if no test has run.
fn packages(output: &Path) -> Result<Vec<PathBuf>> {
    if output.is_dir() { entries(output) } else { Ok(Vec::new()) }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |source| Error::Io { action: "read", path: folder.to_owned(), source };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(unreadable)).collect()
}

/// The canonical path, if it exists.
fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goldens_of_the_last_run_are_tested_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let goldens = folder.path().join("tests/golden");
        for name in ["deep/a", "b", "b@2", "c"] {
            let name = format!("{name}.png");
            FileBelow::new(&goldens, &name, OutputKind::Picture).write(|_| Ok(())).unwrap();
        }
        let output = |run: &str| Output::in_folder(folder.path(), run);
        let untested = || -> Vec<String> {
            let found = untested(&goldens, output("").folder).unwrap();
            found.iter().map(|path| path.strip_prefix(&goldens).unwrap().display().to_string()).collect()
        };
        let error = super::untested(&goldens, &goldens).expect_err("no run").to_string();
        assert!(error.starts_with("output must be the folder in which a test run left its output"), "{error}");
        let missing = super::untested(&goldens, folder.path().join("nowhere")).expect_err("no folder").to_string();
        assert!(missing.contains("run the tests, or name the folder"), "{missing}");

        let add = |run: &str, name: &str| add(&output(run), &[(name, &goldens.join(name))]).unwrap();
        for name in ["deep/a.png", "b.png", "b.png", "line\nend\t.png"] {
            add("1", name);
        }
        let names: Vec<String> =
            tested(output("").folder).unwrap()[0].goldens.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names, ["b.png", "deep/a.png", "line\nend\t.png"]);
        assert_eq!(untested(), ["c.png"]);
        add("2", "c.png");
        assert_eq!(untested(), ["b.png", "b@2.png", "deep/a.png"]);
        let lists = tested(output("").folder).unwrap();
        assert_eq!(lists.len(), 1);
        let expected = ("charts", "2", vec![("c.png".to_owned(), goldens.join("c.png"))]);
        assert_eq!((&*lists[0].package, &*lists[0].run, lists[0].goldens.clone()), expected);
    }
}
