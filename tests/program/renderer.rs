//! `roundel selftest --renderer`: whether another renderer draws the same bytes in any way of running it.
#![cfg(all(feature = "cli", unix))]

use std::fs;

use roundel::{Frame, Srgba8};
use tempfile::TempDir;

use crate::files::text;
use crate::running::{assert_refused, roundel, run};

/// A folder with the pictures `a.png` and `b.png`, which differ in one pixel, and `other.png`, which has the pixels of
/// `a.png` in other bytes.
fn pictures() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut frame = Frame::new(6, 4, Srgba8::WHITE).expect("small");
    frame.save_png(folder.path().join("a.png")).expect("written");
    frame.save_png_with_dpi(folder.path().join("other.png"), 300.0).expect("written");
    frame.pixels_mut()[7].g = 252;
    frame.save_png(folder.path().join("b.png")).expect("written");
    folder
}

/// Runs `roundel selftest` with these renderers where no variable sets a number of threads; returns status and output.
fn says(folder: &TempDir, renderers: &[&str]) -> (Option<i32>, String) {
    let arguments: Vec<&str> =
        ["selftest"].into_iter().chain(renderers.iter().flat_map(|command| ["--renderer", command])).collect();
    let output = roundel(folder.path(), &arguments).env_remove("OMP_NUM_THREADS").output().expect("roundel starts");
    (output.status.code(), text(&output.stdout))
}

#[test]
fn renderer_that_always_draws_the_same_is_exact() {
    let folder = pictures();
    let (status, text) = says(&folder, &["cp a.png {out}", "cp other.png {out}"]);
    assert_eq!(status, Some(0), "{text}");
    let result = |way: &str| text.lines().find_map(|line| line.strip_prefix(way)).map(str::trim);
    assert_eq!(result("7 threads"), Some("same bytes"));
    assert_eq!(result("cp other.png {out}"), Some("same pixels in other bytes"));
    let ways = text.lines().count();
    assert!(text.ends_with(&format!("exact: {ways} of {ways} pictures have the same pixels\n")), "{text}");
}

#[test]
fn renderer_that_depends_on_threads_or_processor_is_not_exact() {
    let folder = pictures();
    let threads = "if [ \"$OMP_NUM_THREADS\" = 7 ]; then cp b.png {out}; else cp a.png {out}; fi";
    let (status, text) = says(&folder, &[threads]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("7 threads        1 of 24 pixels differ, by up to 3, first at 1,1\n"), "{text}");
    assert!(text.contains("pictures differ from the first; to allow that: --tolerance 3, or --pixels 1\n"), "{text}");
    let processor = "if [ -n \"$GLIBC_TUNABLES\" ]; then cp b.png {out}; else cp a.png {out}; fi";
    let (status, text) = says(&folder, &[processor]);
    assert!(status == Some(1) && text.contains("older processor  1 of 24 pixels differ"), "{text}");
}

#[test]
fn renderer_that_draws_two_pictures_in_the_same_way_is_not_exact() {
    let folder = pictures();
    let (status, text) = says(&folder, &["if mkdir drawn 2>/dev/null; then cp a.png {out}; else cp b.png {out}; fi"]);
    assert!(status == Some(1) && text.contains("not exact: two runs in the same way differ"), "{text}");
}

#[test]
fn renderer_that_draws_nothing_is_an_error() {
    let folder = pictures();
    fs::write(folder.path().join("text"), "no picture").expect("written");
    for (command, parts) in [
        ("cp a.png b.png", &["--renderer must have {out} where the name of the picture goes"][..]),
        ("true {out}", &["must write a picture to {out}, and wrote none (first): true {out}"]),
        ("echo no display >&2; exit 3; {out}", &["fails with exit status: 3", "no display"]),
        ("cp text {out}", &["cannot decode"]),
    ] {
        assert_refused(&run(folder.path(), &["selftest", "--renderer", command]), command, parts);
    }
    assert_refused(
        &run(folder.path(), &["selftest", "--print", "--renderer", "cp a.png {out}"]),
        "print",
        &["cannot be used with"],
    );
}
