//! Failing pictures that are to be accepted as goldens or rejected.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::failures::{self, ACTUAL, DIFFERENCE, Failure, SCRIPT, Stale};
use super::output::Output;
use super::untested;
use crate::check::with_transparent_parts;
use crate::report::picture_of_script;
use roundel_image::error::{Error, Result};
use roundel_image::io::{FileBelow, OutputKind, Overwriting};
use roundel_image::pictures::read_sequence;
use roundel_image::regular_file::open_if_regular;

/// A picture that differs from its golden, or has none yet.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pending {
    /// The path of its files below the output folder, without their endings: PACKAGE/NAME, or NAME of scenes.
    pub name: String,
    /// The golden that accepting writes, whether it exists or not.
    pub golden: PathBuf,
    /// The golden's path in the repository that it is in, if it is in one.
    pub golden_in_repository: Option<PathBuf>,
    /// The new picture.
    pub actual: PathBuf,
    /// The difference image, if there is one.
    pub difference: Option<PathBuf>,
    /// `changed`, `new` or `missing`.
    pub status: String,
    /// One line on how the two compare.
    pub summary: String,
    /// The command that approves it.
    pub approve: String,
    /// The share of pixels that differ, 0 to 1: 1 if there is nothing to compare with.
    pub share: f64,
    /// Whether it failed in an earlier run than the last one of its package, in which its test did not run.
    pub is_earlier: bool,
    keeps_transparent: bool,
    output: PathBuf,
}

/// The failing pictures that tests and checks of scenes left in a folder, sorted by name. `output` is `target/golden`
/// unless `ROUNDEL_OUTPUT` was set.
///
/// ```no_run
/// for picture in roundel_golden::pending("target/golden")? {
///     println!("{} waits for a decision: see {}", picture.name, picture.actual.display());
/// }
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// If the folder cannot be read.
pub fn pending(output: impl AsRef<Path>) -> Result<Vec<Pending>> {
    let output = output.as_ref();
    let lists = untested::tested(output)?;
    let found = failures::find(output).into_iter().map(|Failure { path, record }| {
        let file = |ending: &str| output.join(format!("{path}{ending}"));
        // that of the output folder itself comes first
        let list =
            lists.iter().rfind(|list| list.package.is_empty() || path.starts_with(&format!("{}/", list.package)));
        Pending {
            golden: record.golden,
            golden_in_repository: Some(record.in_repository).filter(|path| !path.as_os_str().is_empty()),
            actual: file(ACTUAL),
            difference: Some(file(DIFFERENCE)).filter(|difference| difference.is_file()),
            status: record.status,
            summary: record.summary,
            approve: record.approve,
            share: record.share,
            is_earlier: list.is_some_and(|list| list.run != record.run),
            keeps_transparent: record.keeps_transparent,
            output: output.to_owned(),
            name: path,
        }
    });
    Ok(found.collect())
}

impl Pending {
    /// The golden that the new picture was compared with, as an encoded picture; of a film, its first frame that differs. None if
    /// there was no golden. It needs no file but those of the output folder.
    ///
    /// # Errors
    /// If the files of the failure cannot be read.
    pub fn expected(&self) -> Result<Option<Vec<u8>>> {
        let path = self.output.join(format!("{}{SCRIPT}", self.name));
        let unreadable = |source| Error::Io { action: "read", path: path.clone(), source };
        let file = open_if_regular(&path).map_err(unreadable)?;
        let script = file.map_or_else(|| Ok(String::new()), io::read_to_string).map_err(unreadable)?;
        Ok(picture_of_script(&script, "expected"))
    }

    /// Makes the new picture the golden.
    ///
    /// # Errors
    /// If it cannot be read, or the golden cannot be written.
    pub fn accept(&self) -> Result<()> {
        let (folder, file) = (self.golden.parent(), self.golden.file_name());
        let (Some(folder), Some(file)) = (folder, file) else {
            return Err(Error::setting("a golden", format!("must have a name, got {}", self.golden.display())));
        };
        self.accept_as(folder, Path::new(file))
    }

    /// Makes the new picture the golden at a path relative to a folder, which no link on the way leaves.
    ///
    /// # Errors
    /// If the picture cannot be read, or the golden cannot be written.
    pub fn accept_as(&self, folder: &Path, golden: &Path) -> Result<()> {
        let actual = read_sequence(&self.actual)?;
        let path = folder.join(golden);
        let png = if self.keeps_transparent && path.exists() {
            with_transparent_parts(&path, &actual)?.encode_png()?
        } else {
            fs::read(&self.actual).map_err(|source| Error::Io { action: "read", path: self.actual.clone(), source })?
        };
        // a golden that is corrupt is replaced, too
        FileBelow::new(folder, golden, OutputKind::Notes).write(|to| to.write_all(&png))?;
        self.reject()
    }

    /// Discards the new picture and keeps the golden.
    ///
    /// # Errors
    /// If the report cannot be rewritten.
    pub fn reject(&self) -> Result<()> {
        let (root, folder) = (self.output.clone(), self.output.clone());
        let output = Output { root, folder, package: String::new(), run: String::new(), overwriting: Overwriting::Own };
        failures::remove(&output, &self.name, Stale::All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failures::{Approval, write};
    use crate::report::{ReportCase, ReportPicture, ReportStatus};
    use roundel_image::{Frame, Srgba8};

    #[test]
    fn pictures_that_failed_are_accepted_or_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir(at(".git")).unwrap();
        let output = |run: &str| Output::in_folder(folder.path(), run);
        let frame = Frame::new(4, 4, Srgba8::BLACK).unwrap();
        for (name, status) in [("deep/leaf", ReportStatus::Changed), ("coin", ReportStatus::New)] {
            let case = ReportCase::new(name, status, format!("about {name}")).with_share(0.25).with_approve("approve");
            let case = case.with_actual(ReportPicture::from(&frame));
            let white = ReportPicture::from(&Frame::new(4, 4, Srgba8::WHITE).unwrap());
            let case = if status == ReportStatus::Changed { case.with_expected(white) } else { case };
            let golden = at(&format!("tests/golden/{name}.png"));
            untested::add(&output("1"), &[(name, &golden)]).unwrap();
            write(&output("1"), name, &case, &Approval { golden, keeps_transparent: false }).unwrap();
        }
        let pending = || super::pending(at("target/golden")).unwrap();
        let [coin, leaf] = &pending()[..] else { panic!("two") };
        assert_eq!((&*coin.name, &*coin.status, &*coin.summary), ("charts/coin", "new", "about coin"));
        assert_eq!((&*leaf.name, &*leaf.approve, leaf.share), ("charts/deep/leaf", "approve", 0.25));
        assert!(!leaf.is_earlier && leaf.difference.is_none());
        assert_eq!(leaf.golden_in_repository.as_deref(), Some(Path::new("tests/golden/deep/leaf.png")));
        let white = Frame::new(4, 4, Srgba8::WHITE).unwrap().encode_png();
        assert_eq!((leaf.expected().unwrap(), coin.expected().unwrap()), (Some(white), None));
        untested::add(&output("2"), &[("other", &at("other.png"))]).unwrap();
        assert!(pending()[0].is_earlier, "its test did not run in the last run");
        leaf.accept().unwrap();
        assert_eq!(roundel_image::io::read_png(at("tests/golden/deep/leaf.png")).unwrap(), frame);
        coin.accept_as(&at("elsewhere"), Path::new("some/coin.png")).unwrap();
        assert!(at("elsewhere/some/coin.png").exists() && !at("tests/golden/coin.png").exists());
        assert!(coin.accept_as(&at("elsewhere"), Path::new("../coin.png")).is_err(), "outside");
        assert!(pending().is_empty() && !at("target/golden/report.html").exists());
    }
}
