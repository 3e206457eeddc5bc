//! Golden tests as in a dependent crate: in separate processes, with cargo's variables, many at once.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::crate_under_test::{Crate, finish, picture};
use roundel_golden::read_png;
use roundel_golden::untested;

/// All files below a folder, relative to it.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut queue = vec![folder.to_owned()];
    while let Some(at) = queue.pop() {
        for entry in fs::read_dir(at).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                queue.push(path);
            } else {
                found.push(path.strip_prefix(folder).expect("below it").to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn golden_is_missing_then_blessed_then_compared() {
    let crate_ = Crate::new();
    let (passes, stdout, _) = crate_.run("1", "chart", 0);
    assert!(!passes && stdout.contains("golden chart: there is none yet"), "{stdout}");
    assert!(stdout.contains("if the new picture is right: ROUNDEL_BLESS=chart cargo test"), "{stdout}");

    // bypasses the harness, which captures the output of passing tests
    let (passes, _, stderr) = finish(crate_.test("2", "chart", 0).env("ROUNDEL_BLESS", "chart"));
    let golden = crate_.path("charts/tests/golden/chart.png");
    let blessed = format!("golden chart: there is none yet; blessed {}\n", golden.display());
    assert!(passes && stderr == blessed, "{stderr}");
    assert_eq!(read_png(&golden).expect("a PNG"), picture(0));
    assert_eq!(files(&crate_.path("output")), [".lock", "charts/tested.txt"]);

    assert_eq!((crate_.run("3", "chart", 0).0, crate_.run("4", "chart.png", 0).0), (true, true));
    let (passes, stdout, _) = crate_.run("5", "chart", 3);
    assert!(!passes && stdout.contains("golden chart: 3 of 200 pixels differ, by up to 1, first at 0,0"), "{stdout}");
    let left = ["charts/chart.actual.png", "charts/chart.diff.png", "charts/chart.report.js"];
    let all = [&[".lock"], &left[..], &["charts/tested.txt", "report.html"]].concat();
    assert_eq!(files(&crate_.path("output")), all);
    for file in ["charts/chart.actual.png", "charts/chart.diff.png", "report.html"] {
        let path = crate_.path("output").join(file);
        assert!(stdout.contains(&path.display().to_string()), "{file} is not in {stdout}");
    }
    assert_eq!(read_png(crate_.path("output/charts/chart.actual.png")).expect("a PNG"), picture(3));

    // it passes again
    assert!(crate_.run("6", "chart", 0).0);
    assert_eq!(files(&crate_.path("output")), [".lock", "charts/tested.txt"]);
}

#[test]
fn failure_of_a_test_that_is_gone_leaves_the_report() {
    let crate_ = Crate::new();
    fs::create_dir_all(crate_.path("charts/tests")).expect("made");
    let source = crate_.path("charts/tests/chart.rs");
    fs::write(&source, "#[test]\nfn golden_test() {}").expect("written");
    assert!(!crate_.run("1", "chart", 0).0);
    let is_left = || crate_.path("output/charts/chart.actual.png").exists();
    assert!(!crate_.run("2", "legend", 0).0 && is_left(), "its test did not run");
    fs::write(&source, "#[test]\nfn other_test() {}").expect("written");
    assert!(!crate_.run("3", "legend", 0).0 && !is_left());
    let report = fs::read_to_string(crate_.path("output/report.html")).expect("written");
    assert!(report.contains("charts/legend.report.js") && !report.contains("charts/chart.report.js"), "{report}");
}

#[test]
fn failures_of_processes_at_once_are_in_one_report() {
    let crate_ = Crate::new();
    let names: Vec<String> = (0..12).map(|number| format!("deep/chart-{number}")).collect();
    let started = names.iter().map(|name| crate_.test("1", name, 0).spawn().expect("the test starts"));
    let started: Vec<_> = started.collect();
    for process in started {
        assert!(!process.wait_with_output().expect("it ends").status.success());
    }
    let report = fs::read_to_string(crate_.path("output/report.html")).expect("written");
    for name in &names {
        assert!(report.contains(&format!("\"charts/{name}.report.js\"")), "{name}");
        assert!(report.contains(&format!("ROUNDEL_BLESS={name} cargo test -p charts")), "{name}");
    }
    // a thirteenth names them all
    let (_, stdout, _) = crate_.run("1", "last", 0);
    let command = format!("if all 13 that failed so far are: ROUNDEL_BLESS={},last cargo test", {
        let mut sorted = names.clone();
        sorted.sort();
        sorted.join(",")
    });
    assert!(stdout.contains(&command), "{command} is not in {stdout}");
}

#[test]
fn bless_that_names_no_failing_golden_is_an_error_with_all_that_failed() {
    let crate_ = Crate::new();
    for name in ["chart", "legend"] {
        assert!(finish(crate_.test("1", name, 0).env("ROUNDEL_BLESS", "all")).0);
        assert!(!crate_.run("2", name, 5).0);
    }
    let before = fs::read(crate_.path("charts/tests/golden/chart.png")).expect("there");
    for (value, complaint) in [
        ("1", "ROUNDEL_BLESS must be names with commas between them, or all, got \"1\""),
        ("true", "ROUNDEL_BLESS must be names with commas between them, or all, got \"true\""),
        ("cahrt", "ROUNDEL_BLESS names \"cahrt\", not this golden"),
    ] {
        let (passes, stdout, _) = finish(crate_.test("2", "chart", 5).env("ROUNDEL_BLESS", value));
        assert!(!passes && stdout.contains(complaint), "{stdout}");
        assert!(stdout.contains("if all 2 that failed so far are: ROUNDEL_BLESS=chart,legend cargo test"), "{stdout}");
    }
    assert_eq!(fs::read(crate_.path("charts/tests/golden/chart.png")).expect("there"), before);
    let (passes, _, stderr) = finish(crate_.test("2", "chart", 5).env("ROUNDEL_BLESS", "legend, chart.png"));
    assert!(passes && stderr.contains("golden chart: 5 of 200 pixels differ"), "{stderr}");
}

#[test]
fn nothing_is_blessed_in_continuous_integration_unless_it_is_forced() {
    let crate_ = Crate::new();
    let golden = crate_.path("charts/tests/golden/chart.png");
    let (passes, stdout, _) = finish(crate_.test("1", "chart", 0).env("CI", "true").env("ROUNDEL_BLESS", "all"));
    assert!(!passes && stdout.contains("not blessed: the variable CI is set; ROUNDEL_FORCE=1"), "{stdout}");
    assert!(!golden.exists());
    let mut forced = crate_.test("1", "chart", 0);
    assert!(finish(forced.env("CI", "true").env("ROUNDEL_BLESS", "charts/chart").env("ROUNDEL_FORCE", "1")).0);
    assert!(golden.exists(), "by the name that the report shows");
    fs::write(&golden, "no picture").expect("written");
    let (passes, stdout, _) = finish(&mut crate_.test("2", "chart", 0));
    assert!(!passes && stdout.contains("golden chart: cannot decode "), "{stdout}");
}

#[test]
fn nextest_is_named_in_commands() {
    let crate_ = Crate::new();
    let (_, stdout, _) = finish(crate_.test("1", "chart", 0).env("NEXTEST", "1"));
    assert!(stdout.contains("ROUNDEL_BLESS=chart cargo nextest run"), "{stdout}");
}

/// The target folder is found from this program's own path.
#[test]
fn output_is_in_the_target_folder_of_the_build() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let crate_ = Crate::new();
    let package = format!("roundel-test-{}", std::process::id());
    let mut test = crate_.test("1", "chart", 0);
    test.env_remove("ROUNDEL_OUTPUT").env("CARGO_PKG_NAME", &package).env("CARGO_TARGET_DIR", "/nowhere");
    let (passes, stdout, _) = finish(&mut test);
    let actual: PathBuf = target.join("golden").join(&package).join("chart.actual.png");
    let found = actual.exists();
    fs::remove_dir_all(target.join("golden").join(&package)).expect("it was made");
    assert!(!passes && found && stdout.contains(&actual.display().to_string()), "{stdout}");
}

#[test]
fn goldens_without_a_test_are_listed() {
    let crate_ = Crate::new();
    for name in ["chart", "deep/legend", "old"] {
        assert!(finish(crate_.test("1", name, 0).env("ROUNDEL_BLESS", "all")).0);
    }
    let goldens = crate_.path("charts/tests/golden");
    let listed = || untested(&goldens, crate_.path("output")).expect("a run is recorded");
    assert!(listed().is_empty());
    // in the next run, one test is gone
    assert!(crate_.run("2", "chart", 0).0 && crate_.run("2", "deep/legend", 0).0);
    assert_eq!(listed(), [goldens.join("old.png")]);
}
