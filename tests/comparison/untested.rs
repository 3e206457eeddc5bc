//! `roundel golden untested`.

use std::process::Command;

use crate::crate_under_test::{Crate, finish};

#[test]
fn goldens_without_a_test_are_listed() {
    let crate_ = Crate::new();
    for name in ["chart", "old"] {
        assert!(finish(crate_.test("1", name, 0).env("ROUNDEL_BLESS", "all")).0);
    }
    // in the next run, one test is gone
    assert!(crate_.run("2", "chart", 0).0);
    let mut command = Command::new(env!("CARGO_BIN_EXE_roundel"));
    command.current_dir(crate_.path("")).args(["golden", "untested", "charts/tests/golden", "--output", "output"]);
    let output = command.output().expect("roundel starts");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "charts/tests/golden/old.png\n");
}
