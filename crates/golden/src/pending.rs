//! Failing pictures that are to be accepted as goldens or rejected.

use std::fs;
use std::path::{Path, PathBuf};

use super::failures::{self, ACTUAL, DIFFERENCE, Stale};
use super::output::Output;
use super::untested;
use roundel_image::error::{Error, Result};
use roundel_image::io::{FileBelow, OutputKind};

/// A picture that differs from its golden, or has none yet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// The path below the folder of goldens, without the ending.
    pub name: String,
    /// The golden, whether it exists or not.
    pub golden: PathBuf,
    /// The new picture.
    pub actual: PathBuf,
    /// The difference image, if both exist and have the same size.
    pub difference: Option<PathBuf>,
    folder: PathBuf,
    output: PathBuf,
    /// The package, if a test left the picture.
    package: Option<String>,
}

/// The failing pictures that a check of a folder of scenes left in `output`, sorted by name.
///
/// # Errors
/// If a folder cannot be read.
pub fn pending_scenes(folder: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<Vec<Pending>> {
    let mut found = Vec::new();
    collect(folder.as_ref(), output.as_ref(), None, "", &mut found)?;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The failing pictures that tests with goldens in `folder` left, sorted by name. `output` is `target/golden` unless
/// `ROUNDEL_OUTPUT` was set.
///
/// ```no_run
/// for picture in roundel_golden::pending_tests("tests/golden", "target/golden")? {
///     println!("{} waits for a decision: see {}", picture.name, picture.actual.display());
/// }
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// If a folder cannot be read.
pub fn pending_tests(folder: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<Vec<Pending>> {
    let (folder, output) = (folder.as_ref(), output.as_ref());
    let mut found = Vec::new();
    for package in untested::packages_of(folder, output)? {
        collect(folder, output, Some(&package), "", &mut found)?;
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Adds the failures in a folder and in its subfolders. `prefix` is empty or ends in `/`.
fn collect(goldens: &Path, output: &Path, package: Option<&str>, prefix: &str, found: &mut Vec<Pending>) -> Result<()> {
    let own = package.map_or_else(|| output.to_owned(), |package| output.join(package));
    let folder = own.join(prefix);
    if !folder.is_dir() {
        return Ok(());
    }
    let unreadable = |source| Error::Io { action: "read", path: folder.clone(), source };
    for entry in fs::read_dir(&folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let Ok(file) = entry.file_name().into_string() else { continue };
        let kind = entry.file_type().map_err(unreadable)?;
        if kind.is_dir() {
            collect(goldens, output, package, &format!("{prefix}{file}/"), found)?;
        } else if let Some(stem) = file.strip_suffix(ACTUAL).filter(|stem| kind.is_file() && !stem.starts_with('.')) {
            let name = format!("{prefix}{stem}");
            let difference = own.join(format!("{name}{DIFFERENCE}"));
            found.push(Pending {
                golden: goldens.join(format!("{name}.png")),
                actual: entry.path(),
                difference: difference.is_file().then_some(difference),
                folder: goldens.to_owned(),
                output: output.to_owned(),
                package: package.map(str::to_owned),
                name,
            });
        }
    }
    Ok(())
}

impl Pending {
    /// Makes the new picture the golden.
    ///
    /// # Errors
    /// If it cannot be read, or the golden cannot be written.
    pub fn accept(&self) -> Result<()> {
        let png = fs::read(&self.actual);
        let png = png.map_err(|source| Error::Io { action: "read", path: self.actual.clone(), source })?;
        let file = format!("{}.png", self.name);
        FileBelow::new(&self.folder, &file, OutputKind::Notes).write(|to| to.write_all(&png))?;
        self.reject()
    }

    /// Discards the new picture and keeps the golden.
    ///
    /// # Errors
    /// If the report cannot be rewritten.
    pub fn reject(&self) -> Result<()> {
        let Some(package) = &self.package else {
            for ending in [ACTUAL, DIFFERENCE] {
                FileBelow::new(&self.output, &format!("{}{ending}", self.name), OutputKind::Notes).remove();
            }
            return Ok(());
        };
        let (root, run) = (self.folder.clone(), String::new());
        let output = Output { root, package: package.clone(), folder: self.output.clone(), run };
        failures::remove(&output, &self.name, Stale::All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_a_check_are_accepted_or_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for file in
            ["out/deep/leaf.actual.png", "out/deep/leaf.diff.png", "out/coin.actual.png", "golden/deep/leaf.png"]
        {
            fs::create_dir_all(at(file).parent().unwrap()).unwrap();
            fs::write(at(file), file).unwrap();
        }
        let pending = || pending_scenes(at("golden"), at("out")).unwrap();
        let found = pending();
        assert_eq!(found.iter().map(|one| &*one.name).collect::<Vec<_>>(), ["coin", "deep/leaf"]);
        assert_eq!((&found[0].difference, &found[1].difference), (&None, &Some(at("out/deep/leaf.diff.png"))));
        found[1].accept().unwrap();
        assert_eq!(fs::read_to_string(at("golden/deep/leaf.png")).unwrap(), "out/deep/leaf.actual.png");
        found[0].reject().unwrap();
        assert!(pending().is_empty() && !at("golden/coin.png").exists() && !at("out/deep/leaf.diff.png").exists());
    }
}
