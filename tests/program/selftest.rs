//! `roundel selftest`: the manifest, filters and instruction sets.
#![cfg(feature = "cli")]

use std::fs;

use super::cli::{folder, refuses, succeeds};
use crate::files::{names, text};
use crate::running::run;
use roundel::SimdLevel;

/// Tries each instruction set once with small frames; `.ci/run` tries all settings and frames.
#[test]
fn selftest_agrees_with_the_manifest_and_with_no_other() {
    let folder = folder();
    let (stdout, _) = succeeds(folder.path(), &["selftest", "--brief", "golden", "viewer", "circles"]);
    let levels: Vec<&str> = SimdLevel::available().into_iter().map(SimdLevel::name).collect();
    let last = stdout.lines().last().expect("a verdict");
    assert!(last.starts_with("all ") && last.contains(" frames agree with the manifest"), "{stdout}");
    assert!(stdout.contains(&format!("machine: {}\n", levels.join(", "))), "{stdout}");
    for name in ["circles: 640 x 480, agrees", "golden/raster/alpha: ", "golden/trace/occlusion: ", "viewer-spheres: "]
    {
        assert!(stdout.contains(name), "{name:?} is not in {stdout}");
    }
    assert_eq!(stdout.contains("skipped"), cfg!(not(feature = "viewer")), "{stdout}");
    // change one digit of one hash
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/manifest.toml");
    let manifest = fs::read_to_string(path).expect("the manifest is there");
    let place = manifest.rfind("hash = \"").expect("a hash") + "hash = \"".len();
    let digit = if manifest.as_bytes()[place] == b'0' { "1" } else { "0" };
    let mut other = manifest.clone();
    other.replace_range(place..=place, digit);
    let unknown = "\n[[frame]]\nname = \"another\"\nsize = [3, 2]\nhash = \"0123456789abcdef\"\n";
    fs::write(folder.path().join("other.toml"), other + unknown).expect("written");
    let other = ["selftest", "--brief", "--quiet", "--manifest", "other.toml", "surfaces", "another"];
    let output = run(folder.path(), &other);
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    let lines: Vec<&str> = stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(
        lines.len() == 2
            && lines[0].starts_with("golden/trace/transparency-surfaces: ")
            && lines[0].contains("DIFFERS"),
        "{stdout}"
    );
    assert!(lines[1].starts_with("another: DIFFERS, the manifest has a frame"), "{stdout}");
    assert_eq!(names(folder.path()), ["coin.toml", "other.toml"]);
    let (stdout, _) = succeeds(folder.path(), &[&other[..5], &["alpha"]].concat());
    assert_eq!(stdout, "", "other frames are not compared");
}

#[test]
fn selftest_draws_the_frames_that_filters_choose() {
    let folder = folder();
    let (stdout, _) = succeeds(folder.path(), &["selftest", "--brief", "ellips", "raster/alpha"]);
    let frames: Vec<&str> = stdout.lines().filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(frames[..3], ["golden/raster/alpha", "golden/raster/ellipses", "golden/trace/ellipsoids"], "{stdout}");
    assert!(stdout.contains(" drawings of 3 frames agree with the manifest"), "{stdout}");
    let message = "filter must be part of the name of a frame, got \"shadovs\"; did you mean \"shadows\"?";
    refuses(&["selftest", "lit", "shadovs"], &[message]);
    refuses(&["selftest", "1234"], &["filter must be part of the name of a frame, got \"1234\"\n"]);
    refuses(&["selftest", "--print", "lit"], &["cannot be used with"]);
}

#[cfg(feature = "viewer")]
#[test]
fn selftest_prints_its_built_in_manifest() {
    let folder = folder();
    let (printed, _) = succeeds(folder.path(), &["selftest", "--print"]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/manifest.toml");
    assert_eq!(printed, fs::read_to_string(path).expect("the manifest is there"));
}
