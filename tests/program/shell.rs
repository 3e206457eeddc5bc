//! Runs of the program by a shell.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::files::{names, text};
use crate::running::assert_refused;

/// Runs the program in a folder, with arguments as a shell reads them.
pub(crate) fn roundel(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new("sh");
    let line = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_roundel"));
    command.args(["-c", &line]).current_dir(folder).stdin(Stdio::null()).output().expect("a shell")
}

/// Runs the program, which must end with status 0.
pub(crate) fn succeeds(folder: &Path, arguments: &str) -> Output {
    let output = roundel(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", text(&output.stderr));
    output
}

/// Runs the program, which must end with status 2, name all of these parts, and leave no files.
pub(crate) fn refuses(folder: &Path, arguments: &str, parts: &[&str]) {
    let before = names(folder);
    assert_refused(&roundel(folder, arguments), arguments, parts);
    assert_eq!(names(folder), before, "{arguments} leaves files");
}
