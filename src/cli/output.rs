//! Where results go: what may be overwritten, and what happens to a half-written file.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use roundel::{Error, Result};

/// What may be overwritten without `--force`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replaceable {
    /// Pictures, which are drawn again and again.
    Png,
    /// Nothing that is there.
    Nothing,
}

/// Refuses to overwrite what may be somebody's work: the input, and what is not [`Replaceable`]. Empty files, devices
/// and pipes are written to.
pub(super) fn check(output: &Path, input: Option<&Path>, replaceable: Replaceable) -> Result<()> {
    if output == Path::new("-") {
        return Ok(());
    }
    let refuse = |rule: &str| {
        let message = format!("{} {rule}; --force overwrites it", output.display());
        Err(Error::Setting { name: "output", message })
    };
    let same_file =
        |input: &Path| fs::canonicalize(input).ok().is_some_and(|at| fs::canonicalize(output).ok() == Some(at));
    if input.is_some_and(same_file) {
        return refuse("is the input");
    }
    // what cannot be looked at, and a folder, fail in the system's own words when written to
    let Ok(found) = fs::metadata(output) else { return Ok(()) };
    if !found.is_file() || found.len() == 0 {
        return Ok(());
    }
    match replaceable {
        Replaceable::Png if starts_as_png(output) => Ok(()),
        Replaceable::Png => refuse("is there already and is no PNG"),
        Replaceable::Nothing => refuse("is there already"),
    }
}

fn starts_as_png(path: &Path) -> bool {
    const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
    let mut start = [0; 8];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == SIGNATURE
}

/// From now on Ctrl-C and termination remove half-written files before they end the program as they always do.
#[cfg(unix)]
pub(super) fn discard_on_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // without the handler everything works but this cleaning up
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            roundel::io::discard_unfinished_files();
            // dies of the signal, so that the shell sees a true status
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Elsewhere the system ends the program, and a hidden temporary file may stay.
#[cfg(not(unix))]
pub(super) fn discard_on_signals() {}
