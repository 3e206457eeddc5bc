//! Regular files, opened without waiting for a pipe or a device in their place.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for reading; `None` if it is not a regular one. The open file is checked, as its name may meanwhile
/// lead elsewhere.
pub fn open_if_regular(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true);
    if !returns_at_once(&mut options) && !path.metadata()?.is_file() {
        return Ok(None);
    }
    let file = options.open(path)?;
    Ok(file.metadata()?.is_file().then_some(file))
}

/// Opens a pipe without waiting for a writer; regular files are read as ever. Returns whether the system can.
#[cfg(unix)]
fn returns_at_once(options: &mut OpenOptions) -> bool {
    use std::os::unix::fs::OpenOptionsExt;

    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    true
}

#[cfg(not(unix))]
fn returns_at_once(_: &mut OpenOptions) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_pipe_that_takes_the_place_of_a_file_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        assert!(Command::new("mkfifo").arg(at("pipe")).status().expect("mkfifo").success());
        assert!(open_if_regular(&at("pipe")).expect("no error").is_none());
        assert!(open_if_regular(folder.path()).expect("no error").is_none());
        assert!(open_if_regular(&at("none")).is_err());
        let (ended, name) = (AtomicBool::new(false), at("a"));
        fs::write(&name, "content").expect("written");
        let (done, heard) = channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    for kind in ["pipe", "file"] {
                        fs::write(at("file"), "content").expect("written");
                        fs::hard_link(at(kind), at("next")).expect("a link");
                        fs::rename(at("next"), &name).expect("renamed");
                        // renaming one link over another of the same file leaves both
                        let _ = fs::remove_file(at("next"));
                    }
                }
            });
            let name = name.clone();
            thread::spawn(move || {
                (0..2000).for_each(|_| drop(open_if_regular(&name)));
                done.send(())
            });
            let is_done = heard.recv_timeout(Duration::from_secs(60)).is_ok();
            ended.store(true, Ordering::Relaxed);
            assert!(is_done, "waits for the pipe");
        });
    }
}
