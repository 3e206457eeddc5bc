//! Files written whole or not at all: under a temporary name in the same folder, then renamed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};

/// Names of standard output. If it is a file, opening it again would write at its start.
const STANDARD_OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Writes a file with `fill`. Readers see the old content or the new, never a part.
///
/// `-` and `/dev/stdout` are standard output. A symbolic link is kept, and its target replaced. Anything but a regular file
/// (`/dev/null`, a pipe) is opened and written. The new file keeps the old one's permissions; a read-only file is not
/// replaced.
///
/// ```no_run
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
    let target = behind_links(path).map_err(failed)?;
    match fs::metadata(&target) {
        Ok(found) if found.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        Ok(found) if found.is_file() => replace(&target, Some(found.permissions()), fill),
        Ok(_) => OpenOptions::new().write(true).open(path).and_then(|file| fill_and_flush(file, fill)),
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => replace(&target, None, fill),
        Err(other) => Err(other),
    }
    .map_err(failed)
}

fn fill_and_flush(file: impl Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 16, file);
    fill(&mut file)?;
    file.flush()
}

fn replace(
    target: &Path,
    permissions: Option<fs::Permissions>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let (unfinished, file) = Unfinished::beside(target)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    fill_and_flush(file, fill)?;
    fs::rename(&unfinished.0, target)
}

/// The end of a chain of symbolic links, whether it exists or not; the path itself if it is not a link.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// Linux follows as many.
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

/// The files being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that [`write_file`] has begun and not finished, and keeps it from beginning more. For a program that is
/// about to end, for instance after Ctrl-C.
///
/// ```no_run
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

/// The temporary name of a file being written; the file is removed unless it was renamed.
struct Unfinished(PathBuf);

impl Unfinished {
    fn beside(target: &Path) -> io::Result<(Self, File)> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = target.file_name().ok_or_else(|| io::Error::other("no file name"))?;
        loop {
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{}.tmp", process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
            let path = target.with_file_name(hidden);
            let mut unfinished = unfinished();
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    unfinished.push(path.clone());
                    return Ok((Self(path), file));
                }
                Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => {}
                Err(other) => return Err(other),
            }
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

/// Creates a folder and the folders above it.
pub(crate) fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|source| Error::Io { action: "create", path: path.to_owned(), source })
}

/// Writes bytes as [`write_file`] does, and creates the file's folder.
pub(crate) fn write_with_folder(path: &Path, bytes: &[u8]) -> Result<()> {
    path.parent().map_or(Ok(()), create_folder)?;
    write_file(path, |file| file.write_all(bytes))
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
