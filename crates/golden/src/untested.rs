//! Goldens that no test compares with.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::failures::lock;
use super::output::Output;
use roundel_image::error::{Error, Result};
use roundel_image::io::{FileBelow, OutputKind};
use roundel_image::output::create_folder;
use roundel_image::regular_file::open_if_regular;

/// The file in a package's output folder that lists the goldens its tests compared with: the run in the first line,
/// then paths.
const TESTED: &str = "tested.txt";

pub(super) fn record(output: &Output, golden: &Path) -> Result<()> {
    /// The goldens that this process has noted.
    static NOTED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !NOTED.lock().unwrap_or_else(PoisonError::into_inner).insert(golden.to_owned()) {
        return Ok(());
    }
    add(output, golden)
}

/// The text of a regular file.
fn text_of(path: &Path) -> Option<String> {
    open_if_regular(path).ok().flatten().and_then(|file| io::read_to_string(file).ok())
}

/// Adds a golden to the list. The first test of a new run begins a new list.
fn add(output: &Output, golden: &Path) -> Result<()> {
    create_folder(&output.folder)?;
    let _lock = lock(&output.folder);
    let name = Path::new(&output.package).join(TESTED);
    let file = FileBelow::new(&output.folder, &name, OutputKind::Notes);
    let path = file.path();
    let text = text_of(&path).unwrap_or_default();
    let listed: BTreeSet<&str> = match text.split_once('\n') {
        Some((run, rest)) if run == output.run => rest.lines().collect(),
        _ => BTreeSet::new(),
    };
    let golden = golden.to_string_lossy();
    if listed.contains(&*golden) {
        return Ok(());
    }
    file.write(|file| {
        writeln!(file, "{}", output.run)?;
        listed.iter().chain([&&*golden]).try_for_each(|line| writeln!(file, "{line}"))
    })
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
    let (mut tested, mut runs) = (BTreeSet::new(), 0);
    for package in packages(output)? {
        if let Some(text) = text_of(&package.join(TESTED)) {
            runs += 1;
            tested.extend(text.lines().skip(1).map(|line| canonical(Path::new(line))));
        }
    }
    if runs == 0 {
        let message = format!(
            "must be the folder in which a test run left its output, got {}, which has none; run the tests, or name the folder",
            output.display()
        );
        return Err(Error::setting("output", message));
    }
    let mut found = Vec::new();
    let mut queue = vec![goldens.to_owned()];
    while let Some(folder) = queue.pop() {
        for path in entries(&folder)? {
            if path.is_dir() {
                queue.push(path);
            } else if path.extension().is_some_and(|ending| ending == "png") && !tested.contains(&canonical(&path)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The packages whose tests compared with goldens in a folder in their last test run.
pub(super) fn packages_of(goldens: &Path, output: &Path) -> Result<Vec<String>> {
    let goldens = canonical(goldens);
    let is_inside = |line: &str| canonical_parent(Path::new(line)).is_some_and(|golden| golden.starts_with(&goldens));
    let mut names = Vec::new();
    for folder in packages(output)? {
        let text = text_of(&folder.join(TESTED)).unwrap_or_default();
        if text.lines().skip(1).any(is_inside)
            && let Some(name) = folder.file_name().and_then(|name| name.to_str())
        {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// The nearest existing folder above a golden, canonicalized. The golden need not exist.
fn canonical_parent(golden: &Path) -> Option<PathBuf> {
    golden.ancestors().skip(1).find(|folder| folder.is_dir()).map(canonical)
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
        for name in ["deep/a", "b", "c"] {
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

        for name in ["deep/a.png", "b.png", "b.png"] {
            add(&output("1"), &goldens.join(name)).unwrap();
        }
        assert_eq!(untested(), ["c.png"]);
        add(&output("2"), &goldens.join("c.png")).unwrap();
        assert_eq!(untested(), ["b.png", "deep/a.png"]);
    }
}
