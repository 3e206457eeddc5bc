//! Where files are written, and which existing files are replaced.
//!
//! One rule holds for everything that this program writes. A file is written whole or not at all: under a temporary
//! name in the same folder, then renamed. Only regular files are replaced, and only if their first bytes show that this
//! program wrote them; [`Overwriting::Any`] lifts that. Links are followed in paths that the user gave, and nowhere
//! below.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Write};
use std::io::{Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::regular_file::open_if_regular;
use crate::error::{Error, Result};

/// Names of standard output. If it is a file, opening it again would write at its start.
const STANDARD_OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// A kind of file that this program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputKind {
    /// A PNG or OpenEXR picture, or the pointer file of Git LFS in its place.
    Picture,
    /// A figure of shapes: SVG or PDF.
    Vector,
    /// A page of HTML.
    Page,
    /// Test results as JUnit XML.
    TestResults,
    /// A manual page.
    Manual,
    /// Data. A file of data is never replaced unasked: any program may have written it.
    Data,
    /// A film: GIF, WebP, animated PNG, MP4 or Y4M.
    Film,
    /// Results of a first pass over a file of data.
    Index,
    /// The pictures of a failed test, for a report.
    Script,
    /// Recorded events of a window.
    Session,
    /// Lists that a test run keeps.
    Notes,
}

/// Which regular files may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwriting {
    /// Empty ones, and files of the same kind written by this program.
    #[default]
    Own,
    /// Any; links that the user did not name are replaced, too.
    Any,
}

/// Bytes at the start of a file that tell its kind.
const START: u64 = 1024;

impl OutputKind {
    /// Describes a file that does not begin as this kind; `None` if it does.
    fn mistaken(self, start: &[u8]) -> Option<&'static str> {
        let begins = |marks: &[&[u8]]| marks.iter().any(|mark| start.starts_with(mark));
        let has = |mark: &[u8]| start.windows(mark.len()).any(|part| part == mark);
        let (is_own, found) = match self {
            Self::Picture => {
                let marks: [&[u8]; 3] = [b"\x89PNG\r\n\x1a\n", b"\x76\x2f\x31\x01", b"version https://git-lfs."];
                (begins(&marks), "exists and is not a PNG")
            }
            Self::Vector => {
                let is_own = has(b"<!-- roundel -->") || begins(&[b"%PDF-"]) && has(b"/Producer (roundel)");
                (is_own, "exists and is not a figure of roundel's")
            }
            Self::Film => {
                let marks: [&[u8]; 3] = [b"\x89PNG\r\n\x1a\n", b"GIF8", b"YUV4MPEG2 "];
                // sound is RIFF, too
                let is_webp = begins(&[b"RIFF"]) && start.get(8..12) == Some(b"WEBP");
                (begins(&marks) || is_webp || start.get(4..8) == Some(b"ftyp"), "exists and is not a film")
            }
            Self::Page => {
                (has(b"<meta name=\"generator\" content=\"roundel\">"), "exists and is not a page of roundel's")
            }
            Self::TestResults => {
                (has(b"<testsuite name=\"roundel "), "exists and does not have test results of roundel's")
            }
            Self::Manual => (has(b".TH roundel"), "exists and is not a manual page of roundel's"),
            Self::Data => (false, "exists"),
            Self::Index => {
                (begins(&[b"{\"roundel-index\":", b"{\"known\":{"]), "exists and is not an index of roundel's")
            }
            Self::Script => (begins(&[b"// "]), "exists and is not a script of a report"),
            Self::Session => (begins(&[b"# roundel events"]), "exists and has no recorded events"),
            Self::Notes => (true, ""),
        };
        (!is_own && !start.is_empty()).then_some(found)
    }
}

/// Returns an error if a file that the user names cannot be written, or would replace one that is not of this kind.
///
/// Links are followed. Devices and pipes may always be written to.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::io::{OutputKind, Overwriting, check_output};
///
/// let folder = std::env::temp_dir();
/// check_output(folder.join("roundel-new.png"), OutputKind::Picture, Overwriting::Own)?;
/// assert!(check_output(folder.join("none/a.png"), OutputKind::Picture, Overwriting::Any).is_err());
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// [`Error::Occupied`] for a file that is not replaced, [`Error::Io`] for a place that cannot be written.
pub fn check_output(path: impl AsRef<Path>, kind: OutputKind, overwriting: Overwriting) -> Result<()> {
    let path = path.as_ref();
    if STANDARD_OUTPUT.iter().any(|name| path == Path::new(name)) {
        return Ok(());
    }
    let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
    let target = behind_links(path).map_err(failed)?;
    match fs::metadata(&target) {
        Ok(found) if found.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(found) if !found.is_file() => return Ok(()),
        Ok(found) if found.permissions().readonly() => return Err(failed(io::ErrorKind::PermissionDenied.into())),
        Ok(_) if overwriting == Overwriting::Own => {
            if let Some(found) = kind.mistaken(&start_of(&target).map_err(failed)?) {
                return Err(Error::Occupied { path: path.to_owned(), found });
            }
        }
        _ => {}
    }
    Unfinished::beside(&target, None).map(drop).map_err(failed)
}

/// Returns an error if no files can be written to a folder that the user names, whether it exists or not.
///
/// # Errors
/// If it is no folder, or no file can be made in it or, if it is missing, in its nearest existing ancestor.
pub fn check_output_folder(folder: impl AsRef<Path>) -> Result<()> {
    let folder = folder.as_ref();
    let existing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let probe = Unfinished::beside(&existing.join("probe"), None);
    probe.map(drop).map_err(|source| Error::Io { action: "write to", path: folder.to_owned(), source })
}

/// The first bytes of a regular file.
fn start_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let file = open_if_regular(path)?.ok_or_else(|| io::Error::other("is not a regular file"))?;
    file.take(START).read_to_end(&mut start)?;
    Ok(start)
}

/// A file that the user did not name, below a folder that they did.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::io::{FileBelow, OutputKind};
///
/// let folder = std::env::temp_dir().join("roundel-pages");
/// let page = "<!doctype html>\n<meta name=\"generator\" content=\"roundel\">\n";
/// let file = FileBelow::new(&folder, "deep/index.html", OutputKind::Page);
/// file.write(|file| file.write_all(page.as_bytes()))?;
/// // another kind of file would not be replaced
/// let picture = FileBelow::new(&folder, "deep/index.html", OutputKind::Picture);
/// assert!(matches!(picture.write(|_| Ok(())), Err(roundel::Error::Occupied { .. })));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FileBelow<'a> {
    folder: &'a Path,
    /// Relative to the folder.
    name: &'a Path,
    kind: OutputKind,
    overwriting: Overwriting,
}

impl<'a> FileBelow<'a> {
    /// A file, by its path relative to the folder, that replaces only what this program has written.
    pub fn new(folder: &'a Path, name: &'a (impl AsRef<Path> + ?Sized), kind: OutputKind) -> Self {
        Self { folder, name: name.as_ref(), kind, overwriting: Overwriting::Own }
    }

    /// The same file, which may replace these.
    #[must_use]
    pub fn with_overwriting(self, overwriting: Overwriting) -> Self {
        Self { overwriting, ..self }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(self.name)
    }

    /// Returns an error if another file is in its place, or a link or anything else that is not a regular file.
    ///
    /// # Errors
    /// [`Error::Occupied`] for a file that stays, [`Error::Io`] for a file that cannot be read.
    pub fn check(&self) -> Result<()> {
        self.occupied().map(drop)
    }

    /// Writes the file, and makes its folder. No link below the folder that the user named is followed.
    ///
    /// # Errors
    /// If it cannot be written, a link leads to it, or another file is in its place.
    pub fn write(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        create_folder(self.folder)?;
        if let Some(inner) = self.name.parent() {
            let mut folder = self.folder.to_owned();
            for part in inner.components() {
                folder.push(part);
                self.check_step(part, &folder)?;
                create_folder(&folder)?;
            }
        }
        let path = self.path();
        let failed = |source| Error::Io { action: "write", path: path.clone(), source };
        let permissions = match self.occupied()? {
            Some(found) if !found.is_file() => None,
            Some(found) if found.permissions().readonly() => {
                return Err(failed(io::ErrorKind::PermissionDenied.into()));
            }
            found => found.map(|found| found.permissions()),
        };
        let written = Unfinished::beside(&path, permissions).and_then(|(unfinished, file)| {
            fill_and_flush(&file, fill)?;
            fs::rename(&unfinished.0, &path)
        });
        written.map_err(failed)
    }

    /// Removes the file if this program has written it.
    #[doc(hidden)]
    pub fn remove(&self) {
        let is_own = matches!(self.occupied(), Ok(Some(found)) if found.is_file());
        // a failure shows in the next report
        let _ = is_own.then(|| fs::remove_file(self.path()));
    }

    /// Refuses symbolic links, `..` and the like on the way to the file.
    fn check_step(&self, part: Component<'_>, folder: &Path) -> Result<()> {
        let found = match part {
            Component::Normal(_) => fs::symlink_metadata(folder),
            _ => Err(io::Error::other("not a name of a file below the folder")),
        };
        match found {
            Ok(found) if found.is_symlink() && self.overwriting == Overwriting::Own => {
                Err(Error::Occupied { path: folder.to_owned(), found: "is a symbolic link, which is not followed" })
            }
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(Error::Io { action: "write", path: self.path(), source })
            }
            _ => Ok(()),
        }
    }

    /// The file in its place; an error if that must stay.
    fn occupied(&self) -> Result<Option<fs::Metadata>> {
        let path = self.path();
        let refuse = |found| Err(Error::Occupied { path: path.clone(), found });
        let failed = |source| Error::Io { action: "write", path: path.clone(), source };
        let found = match fs::symlink_metadata(&path) {
            Ok(found) => found,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(other) => return Err(failed(other)),
        };
        if self.overwriting == Overwriting::Own {
            if found.is_symlink() {
                return refuse("is a symbolic link, which is not followed");
            }
            if !found.is_file() {
                return refuse("is not a regular file");
            }
            if let Some(found) = self.kind.mistaken(&start_of(&path).map_err(failed)?) {
                return refuse(found);
            }
        }
        Ok(Some(found))
    }
}

/// Writes a file with `fill`. Readers see the old content or the new, never a part.
///
/// `-` and `/dev/stdout` are standard output. A symbolic link is kept, and its target replaced. Anything but a regular
/// file (`/dev/null`, a pipe) is opened and written. The new file keeps the old one's permissions; a read-only file is
/// not replaced.
///
/// ```no_run
/// # use roundel_image as roundel;
/// roundel::io::write_file("counts.txt", |file| write!(file, "{} shapes", 42))?;
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// If the file cannot be written, or `fill` fails.
pub fn write_file(path: impl AsRef<Path>, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let path = path.as_ref();
    let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
    if STANDARD_OUTPUT.iter().any(|name| path == Path::new(name)) {
        return fill_and_flush(io::stdout().lock(), fill).map_err(failed);
    }
    let written = begin(path).and_then(|(file, place)| {
        fill_and_flush(&file, fill)?;
        place.map_or(Ok(()), |(unfinished, target)| fs::rename(&unfinished.0, target))
    });
    written.map_err(failed)
}

/// Begins a file under a temporary name, which is returned with its final name. A device or a pipe is opened in place.
fn begin(path: &Path) -> io::Result<(File, Option<(Unfinished, PathBuf)>)> {
    let target = behind_links(path)?;
    let permissions = match fs::metadata(&target) {
        Ok(found) if found.permissions().readonly() => return Err(io::ErrorKind::PermissionDenied.into()),
        Ok(found) if found.is_file() => Some(found.permissions()),
        Ok(_) => return Ok((OpenOptions::new().write(true).open(path)?, None)),
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => None,
        Err(other) => return Err(other),
    };
    let (unfinished, file) = Unfinished::beside(&target, permissions)?;
    Ok((file, Some((unfinished, target))))
}

/// A file that is written over a longer time: it appears, whole, with [`PendingFile::commit`].
#[derive(Debug)]
pub struct PendingFile {
    /// A file that the user named.
    name: PathBuf,
    file: File,
    /// The temporary and the final name; `None` for devices and pipes.
    place: Option<(Unfinished, PathBuf)>,
}

impl PendingFile {
    pub fn begin(name: &Path) -> Result<Self> {
        let failed = |source| Error::Io { action: "write", path: name.to_owned(), source };
        let (file, place) = begin(name).map_err(failed)?;
        Ok(Self { name: name.to_owned(), file, place })
    }

    /// The path under which it can be written until it is committed.
    pub fn temporary(&self) -> &Path {
        self.place.as_ref().map_or(&self.name, |(unfinished, _)| &unfinished.0)
    }

    /// Overwrites bytes that have been written before.
    pub fn patch(&mut self, place: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place))?;
        self.file.write_all(bytes)?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    /// Gives the file its name.
    pub fn commit(self) -> Result<()> {
        let failed = |source| Error::Io { action: "write", path: self.name.clone(), source };
        match &self.place {
            Some((unfinished, target)) => fs::rename(&unfinished.0, target).map_err(failed),
            None => Ok(()),
        }
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn fill_and_flush(file: impl Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 16, file);
    fill(&mut file)?;
    file.flush()
}

/// The end of a chain of symbolic links, whether it exists or not; the path itself if it is not a link.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// The limit of Linux.
    const LONGEST_CHAIN: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..LONGEST_CHAIN {
        match fs::symlink_metadata(&target) {
            // the target of a link such as /proc/self/fd/3 may have no name: only opening the link reaches it
            Ok(found) if found.file_type().is_symlink() && fs::metadata(&target).is_ok_and(|end| !end.is_file()) => {
                return Ok(target);
            }
            // a relative target starts from the link's own folder; `join` keeps an absolute one
            Ok(found) if found.file_type().is_symlink() => {
                target = target.parent().unwrap_or(Path::new("")).join(fs::read_link(&target)?);
            }
            _ => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that [`write_file`] has begun and not finished, and keeps it from beginning more. For a program
/// that is about to end, for instance after Ctrl-C.
///
/// ```no_run
/// # use roundel_image as roundel;
/// // in a handler for Ctrl-C
/// roundel::io::discard_unfinished_files();
/// std::process::exit(130);
/// ```
pub fn discard_unfinished_files() {
    let paths = unfinished();
    for path in paths.iter() {
        // nothing can be done about a failure
        let _ = fs::remove_file(path);
    }
    // the lock is never released, so that no writer begins a file
    std::mem::forget(paths);
}

/// Start and end of temporary names; the process and a number stand between.
const TEMPORARY: (&str, &str) = (".roundel-", ".tmp");

/// The temporary name of a file being written; the file is removed unless it was renamed.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl Unfinished {
    /// Begins a file with these permissions, or the usual ones; it is locked for as long as it is open.
    fn beside(target: &Path, permissions: Option<fs::Permissions>) -> io::Result<(Self, File)> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        target.file_name().ok_or_else(|| io::Error::other("no file name"))?;
        remove_abandoned(target.parent().unwrap_or(Path::new("")));
        loop {
            // shorter than any limit, whatever the name of the file
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = target.with_file_name(format!("{}{}-{number}{}", TEMPORARY.0, process::id(), TEMPORARY.1));
            let mut unfinished = unfinished();
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    // some file systems have no locks
                    let _ = file.lock();
                    // before the lock, another process may have removed it as abandoned
                    if path.exists() {
                        unfinished.push(path.clone());
                        drop(unfinished);
                        let begun = Self(path);
                        if let Some(permissions) = permissions {
                            file.set_permissions(permissions)?;
                        }
                        return Ok((begun, file));
                    }
                }
                Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => {}
                Err(other) => return Err(other),
            }
        }
    }
}

/// Removes unlocked temporary files, left by killed processes. Each folder is scanned once.
fn remove_abandoned(folder: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let is_temporary = |name: &str| {
        let inner = name.strip_prefix(TEMPORARY.0).and_then(|rest| rest.strip_suffix(TEMPORARY.1));
        inner
            .and_then(|inner| inner.split_once('-'))
            .is_some_and(|(process, number)| [process, number].iter().all(|part| part.parse::<u32>().is_ok()))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if !entry.file_name().to_str().is_some_and(is_temporary) || !is_file() {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        match file.try_lock() {
            // removed under the lock, so that its maker notices
            Ok(()) => drop(fs::remove_file(entry.path())),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // fails, harmlessly, after the rename
        let _ = fs::remove_file(&self.0);
        unfinished().retain(|path| *path != self.0);
    }
}

pub fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|source| Error::Io { action: "create", path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> Result<()> {
        write_file(path, |file| file.write_all(text.as_bytes()))
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn write_file_replaces_the_whole_file_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, "a longer first text").unwrap();
        write(&path, "second").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn write_file_that_fails_half_way_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, "first").unwrap();
        let half = write_file(&path, |file| {
            file.write_all(&[b'x'; 1 << 20])?;
            Err(io::ErrorKind::StorageFull.into())
        });
        let message = half.unwrap_err().to_string();
        assert!(message.starts_with("cannot write") && message.contains("a.txt"), "{message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn write_file_into_a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("none/a.txt"), "text").is_err());
        assert!(write(folder.path(), "text").is_err(), "a folder is not a file");
        assert!(write(Path::new(""), "text").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn write_file_replaces_the_target_of_a_link_and_keeps_the_link() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("middle", at("link")).unwrap();
        symlink("end", at("middle")).unwrap();
        write(&at("link"), "made").unwrap();
        write(&at("link"), "replaced").unwrap();
        assert_eq!(fs::read_to_string(at("end")).unwrap(), "replaced");
        assert_eq!(names(folder.path()), ["end", "link", "middle"]);
        assert!(at("link").is_symlink() && at("middle").is_symlink() && !at("end").is_symlink());
        symlink("loop", at("loop")).unwrap();
        assert!(write(&at("loop"), "text").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn write_file_keeps_permissions_and_writes_devices_in_place() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, "first").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, "second").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(write(&path, "third").is_err(), "read-only");
        write(Path::new("/dev/null"), "gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }
}
