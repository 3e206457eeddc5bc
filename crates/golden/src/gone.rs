//! Detects deleted tests: a failure is dropped once no source file of the package has the function of its test.
//!
//! The test harness does not say which tests a program has, but names a test's thread after it. A failure records that
//! name if the sources have a function of that name. Tests that macros name differently, and threads that a test
//! starts, never count as deleted.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::failures;
use super::output::Output;

/// Folders of a package where cargo looks for tests.
const FOLDERS: [&str; 2] = ["src", "tests"];

/// The text of a package's source files.
#[derive(Debug)]
pub(super) struct Sources(Vec<String>);

impl Sources {
    /// Reads the sources of the package in this folder; unreadable files are left out.
    pub(super) fn of(package: &Path) -> Self {
        let mut texts = Vec::new();
        let mut queue: Vec<PathBuf> = FOLDERS.iter().map(|folder| package.join(folder)).collect();
        while let Some(folder) = queue.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                    queue.push(path);
                } else if kind.is_ok_and(|kind| kind.is_file()) && path.extension().is_some_and(|ending| ending == "rs")
                {
                    texts.extend(fs::read_to_string(path).ok());
                }
            }
        }
        Self(texts)
    }

    /// Whether there are no sources: the tests run elsewhere than they were built.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a file has a function of this name.
    pub(super) fn have(&self, function: &str) -> bool {
        let head = format!("fn {function}");
        let is_name = |letter: char| letter == '_' || letter.is_alphanumeric();
        self.0.iter().any(|text| text.match_indices(&head).any(|(at, _)| !text[at + head.len()..].starts_with(is_name)))
    }
}

/// The function of the running test, if the package's sources have it.
pub(super) fn running_test(package: &Path) -> Option<String> {
    let thread = thread::current();
    let function = thread.name()?.rsplit("::").next()?;
    // a documentation test, or a program without the harness
    let is_test = function != "main" && Sources::of(package).have(function);
    is_test.then(|| function.to_owned())
}

/// Drops failures of deleted tests, once per process.
pub(super) fn forget_once(output: &Output) {
    static DONE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if DONE.lock().unwrap_or_else(PoisonError::into_inner).insert(output.root.clone()) {
        // errors in bookkeeping do not fail the test
        let _ = failures::remove_gone(output);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_their_whole_names() {
        let package = tempfile::tempdir().unwrap();
        assert!(Sources::of(package.path()).is_empty());
        fs::create_dir_all(package.path().join("tests/deep")).unwrap();
        fs::write(package.path().join("tests/deep/chart.rs"), "#[test]\nfn chart_is_drawn() {}\nfn pie<T>() {}")
            .unwrap();
        fs::write(package.path().join("tests/notes.txt"), "fn notes() {}").unwrap();
        let sources = Sources::of(package.path());
        let have = |function: &str| sources.have(function);
        assert!(have("chart_is_drawn") && have("pie"));
        assert!(!have("chart_is") && !have("is_drawn") && !have("notes"));
        // this very thread
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(running_test(own).as_deref(), Some("functions_are_found_by_their_whole_names"));
        assert_eq!(running_test(package.path()), None);
        assert_eq!(thread::spawn(|| running_test(own)).join().unwrap(), None, "without a name");
    }
}
