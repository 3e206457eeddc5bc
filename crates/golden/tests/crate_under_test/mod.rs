//! A crate under test: a folder, and a golden test that runs in a process of its own.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use roundel_golden::Golden;
use roundel_golden::{Frame, Srgba8};
use tempfile::TempDir;

/// The variables that tell the process which golden to compare with, and how many of its pixels to change.
const NAME: &str = "ROUNDEL_TEST_NAME";
const CHANGED: &str = "ROUNDEL_TEST_CHANGED";

/// The name of [`golden_test`].
const TEST: &str = "crate_under_test::golden_test";

/// The golden test of the crate under test; does nothing in this process.
#[test]
fn golden_test() {
    let (Ok(name), Ok(changed)) = (env::var(NAME), env::var(CHANGED)) else { return };
    Golden::new(&name).assert_matches(&picture(changed.parse().expect("a count")));
}

/// A gray 20 × 10 picture with some pixels a step lighter.
pub(crate) fn picture(changed: usize) -> Frame {
    let mut frame = Frame::new(20, 10, Srgba8::rgb(90, 90, 90)).expect("small");
    frame.pixels_mut().iter_mut().take(changed).for_each(|pixel| pixel.g += 1);
    frame
}

/// A package in a workspace, and the output folder of its tests.
pub(crate) struct Crate {
    pub(crate) folder: TempDir,
}

impl Crate {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir_all(folder.path().join("charts")).expect("made");
        Self { folder }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// The test of a golden as a process of run `run`.
    pub(crate) fn test(&self, run: &str, name: &str, changed: usize) -> Command {
        let mut command = Command::new(env::current_exe().expect("this program"));
        command
            .args(["--exact", TEST])
            .current_dir(self.path("charts"))
            .env(NAME, name)
            .env(CHANGED, changed.to_string())
            .env("CARGO_MANIFEST_DIR", self.path("charts"))
            .env("CARGO_PKG_NAME", "charts")
            .env("NEXTEST_RUN_ID", run)
            .env("ROUNDEL_OUTPUT", self.path("output"))
            .env_remove("ROUNDEL_BLESS")
            // with CI set, goldens are not approved
            .env_remove("CI")
            .env_remove("NEXTEST")
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the test; returns whether it passes, standard output and standard error.
    pub(crate) fn run(&self, run: &str, name: &str, changed: usize) -> (bool, String, String) {
        finish(&mut self.test(run, name, changed))
    }
}

/// Runs a test; returns whether it passes, standard output and standard error.
pub(crate) fn finish(command: &mut Command) -> (bool, String, String) {
    let output = command.output().expect("the test starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}
