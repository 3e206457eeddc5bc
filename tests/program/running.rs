//! Runs of the program.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::files::text;

/// A scene that draws quickly.
pub(crate) const COIN: &str =
    "[canvas]\nwidth = 24\nheight = 16\n\n[[circle]]\ncenter = [12, 8]\nradius = 6\nfill = \"#d62728\"\n";

/// The program in a folder, with empty standard input, and where goldens may be blessed.
pub(crate) fn roundel(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roundel"));
    command.current_dir(folder).args(arguments).env_remove("CI").stdin(Stdio::null());
    command
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    roundel(folder, arguments).output().expect("roundel starts")
}

/// Starts a command whose output and messages can be read while it runs.
pub(crate) fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("roundel starts")
}

/// Asserts that a run ended with status 2 and a message with all of these parts; returns the message.
pub(crate) fn assert_refused(output: &Output, arguments: &str, parts: &[&str]) -> String {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
    for part in parts {
        assert!(message.contains(part), "{arguments}: {part:?} is not in {message}");
    }
    message
}
