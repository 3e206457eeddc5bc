//! `roundel render` without arguments: the built-in picture.
#![cfg(feature = "cli")]

use std::fs;

use std::process::Stdio;

use super::cli::{folder, refused, refuses, succeeds};
use crate::files::text;
use crate::running::{roundel, start};
use roundel::io::read_png;

#[test]
fn demo_is_drawn_without_arguments_and_names_its_file() {
    let folder = folder();
    let (stdout, stderr) = succeeds(folder.path(), &["render"]);
    assert!(stdout.starts_with("wrote roundel-demo.png: 1280 x 960 pixels, "), "{stdout}");
    assert_eq!(stderr, "");
    let frame = read_png(folder.path().join("roundel-demo.png")).expect("a PNG");
    assert_eq!((frame.width(), frame.height()), (1280, 960));
    // paper in the corner, the dark blue of the flake's largest sphere, the yellow of the disc
    let corner = frame.pixel(0, 0).expect("inside");
    assert_eq!((corner.r, corner.g, corner.b, corner.a), (0xfa, 0xf6, 0xee, 255));
    let blue = frame.pixels().iter().filter(|pixel| pixel.b > pixel.r.saturating_add(20)).count();
    let yellow = frame.pixels().iter().filter(|pixel| pixel.r > pixel.b.saturating_add(80)).count();
    assert!(blue > 20_000 && yellow > 50_000, "{blue} blue, {yellow} yellow");
}

#[test]
fn demo_accepts_sizes_and_refuses_flags_for_files() {
    let folder = folder();
    succeeds(folder.path(), &["render", "-W", "64", "-H", "48", "--samples", "1", "--ao", "0", "-o", "small.png"]);
    let frame = read_png(folder.path().join("small.png")).expect("a PNG");
    assert_eq!((frame.width(), frame.height()), (64, 48));
    refuses(&["render", "--eye", "0,0,5"], &["the demo accepts only --width"]);
}

#[test]
fn demo_checks_options_as_scenes_do() {
    let scene = "[camera]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
    for (flag, number, message) in [
        ("--samples", "0", "--samples must be 1 to 4096, got 0"),
        ("--samples", "5000", "--samples must be 1 to 4096, got 5000"),
        ("--ao", "5000", "--ao must be 0 to 4096, got 5000"),
        ("--ao", "4294967295", "--ao must be 0 to 4096, got 4294967295"),
        ("--width", "0", "--width must be 1 pixel or more, got 0"),
        ("--height", "0", "--height must be 1 pixel or more, got 0"),
    ] {
        refuses(&["render", flag, number], &[message]);
        let folder = folder();
        fs::write(folder.path().join("ball.toml"), scene).expect("a folder of the test");
        refused(folder.path(), &["render", "ball.toml", flag, number], &[message]);
    }
}

#[test]
fn the_demo_notes_input_that_it_does_not_read() {
    let folder = folder();
    let mut child = start(roundel(folder.path(), &["render", "-W", "32", "-H", "24"]).stdin(Stdio::piped()));
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("ends");
    assert!(text(&output.stderr).contains("`roundel render -` reads standard input"), "{}", text(&output.stderr));
}
