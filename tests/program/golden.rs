//! Goldens: the project's own, and `roundel golden` from the command line.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files::{names, text};
use crate::running::{assert_refused, roundel, run};
use image::{Rgba, RgbaImage};
use roundel::golden::{Case, SceneFolder};
use roundel::io::read_png;
use tempfile::TempDir;

/// An empty white canvas of 300 × 256. Differences are painted into its golden.
const WHITE: &str = "[canvas]\nwidth = 300\nheight = 256\n";
const COIN: &str = "[canvas]\nwidth = 24\nheight = 16\n[[circle]]\ncenter = [12, 8]\nradius = 6\nfill = \"#d62728\"\n";

/// Runs `roundel golden …` in a folder, without a terminal; returns its exit status and its output.
fn says(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder.path(), &[&["golden"], arguments].concat());
    (output.status.code(), text(&[output.stdout, output.stderr].concat()))
}

/// A folder `golden` with two blessed cases, `coin` and `deep/white`.
fn blessed() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir_all(folder.path().join("golden/deep")).expect("a folder");
    write(&folder, "golden/coin.toml", COIN);
    write(&folder, "golden/deep/white.toml", WHITE);
    let (status, text) = says(&folder, &["bless", "golden", "coin", "deep/white"]);
    assert_eq!((status, &*text), (Some(0), "blessed coin\nblessed deep/white\n"));
    folder
}

fn write(folder: &TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).expect("written");
}

/// Makes the first `count` pixels of the white golden slightly darker.
fn spoil(folder: &TempDir, count: usize) {
    let mut image = RgbaImage::from_pixel(300, 256, Rgba([255; 4]));
    image.pixels_mut().take(count).for_each(|pixel| *pixel = Rgba([254, 255, 255, 255]));
    image.save(folder.path().join("golden/deep/white.png")).expect("saved");
}

#[test]
fn project_goldens_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let output = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("golden");
    let cases = SceneFolder::new(&folder).check(&output).expect("the folder is complete");
    let failing: Vec<String> = cases.iter().filter(|case| !case.is_same()).map(Case::summary).collect();
    let hint = "if the new pictures are right: cargo run --release -- golden bless golden NAME…";
    assert!(failing.is_empty(), "{}\nsee {}\n{hint}", failing.join("\n"), output.display());
    assert!(cases.len() > 50, "{}", cases.len());
    assert!(cases.iter().all(|case| case.name.starts_with("raster/") || case.name.starts_with("trace/")));
}

/// Every golden is small, and no two are equal.
#[test]
fn project_goldens_are_small_and_distinct() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut frames: Vec<(PathBuf, roundel::Frame)> = Vec::new();
    for path in ["raster", "trace"].iter().flat_map(|part| {
        let part = folder.join(part);
        names(&part).into_iter().filter(|name| name.ends_with(".png")).map(move |name| part.join(name))
    }) {
        let frame = read_png(&path).expect("a PNG");
        assert!(frame.width().max(frame.height()) <= 128, "{}", path.display());
        let twin = frames.iter().find(|(_, other)| *other == frame);
        assert!(twin.is_none(), "{} equals {}", path.display(), twin.unwrap().0.display());
        frames.push((path, frame));
    }
}

/// `roundel selftest` expects the hashes of the approved pictures.
#[test]
fn manifest_has_the_hash_of_every_project_golden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let text = fs::read_to_string(folder.join("manifest.toml")).expect("the manifest is there");
    let manifest: toml::Table = text.parse().expect("TOML");
    let mut entries: Vec<(&str, &str)> = manifest["frame"]
        .as_array()
        .expect("frames")
        .iter()
        .map(|frame| (frame["name"].as_str().expect("a name"), frame["hash"].as_str().expect("a hash")))
        .filter_map(|(name, hash)| Some((name.strip_prefix("golden/")?, hash)))
        .collect();
    entries.sort_unstable();
    let cases = SceneFolder::new(&folder).status().expect("the folder is complete");
    let goldens: Vec<(&str, String)> =
        cases.iter().map(|case| (&*case.name, hash(&read_png(&case.golden).expect("a PNG")))).collect();
    let goldens: Vec<(&str, &str)> = goldens.iter().map(|(name, hash)| (*name, &**hash)).collect();
    assert_eq!(entries, goldens, "a new one: cargo run --release -- selftest --print > golden/manifest.toml");
}

/// FNV-1a of red, green, blue and alpha, pixel by pixel.
fn hash(frame: &roundel::Frame) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for pixel in frame.pixels() {
        for channel in [pixel.r, pixel.g, pixel.b, pixel.a] {
            hash = (hash ^ u64::from(channel)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// Tools that exit with the number of differing pixels lose all but eight bits: 256 pixels look like success.
#[test]
fn exit_status_is_1_for_any_number_of_pixels() {
    let folder = blessed();
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
    for count in [1, 255, 256, 257, 65_536] {
        spoil(&folder, count);
        let (status, text) = says(&folder, &["check", "golden"]);
        let line = format!("deep/white: {count} of 76800 pixels differ, by up to 1, first at 0,0");
        assert!(status == Some(1) && text.contains(&line), "{status:?} {text}");
        assert_eq!(says(&folder, &["status", "golden"]).0, Some(1));
    }
    spoil(&folder, 0);
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
}

#[test]
fn check_writes_pictures_of_failures_and_prints_what_to_run() {
    let folder = blessed();
    spoil(&folder, 300);
    let (status, text) = says(&folder, &["check", "golden"]);
    assert_eq!(status, Some(1));
    for part in [
        "1 of 2 cases agree",
        "report: target/golden/scenes/report.html\n",
        "to repeat: roundel golden check golden\n",
        "if the new pictures are right: roundel golden bless golden deep/white\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let left = folder.path().join("target/golden/scenes/deep");
    assert_eq!(names(&left), ["white.actual.png", "white.diff.png", "white.report.js"]);
    let difference = read_png(left.join("white.diff.png")).expect("a PNG");
    let marked = difference.pixels().iter().filter(|pixel| (pixel.r, pixel.g, pixel.b) == (255, 0, 0)).count();
    assert_eq!(marked, 300);
    let report = folder.path().join("target/golden/scenes/report.html");
    let page = fs::read_to_string(&report).expect("a report");
    assert!(page.contains("roundel golden bless golden deep/white") && page.contains("deep/white.report.js"));
    // a check that passes removes them
    assert_eq!(says(&folder, &["bless", "golden", "deep/white"]).0, Some(0));
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
    assert!(names(&left).is_empty() && !report.exists());
    // status writes nothing
    spoil(&folder, 300);
    assert_eq!(says(&folder, &["status", "golden"]).0, Some(1));
    assert!(names(&left).is_empty());
}

/// The folder of scenes may hold the output of checks, and cargo's target folder.
#[test]
fn check_of_the_current_folder_does_not_read_its_own_output() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(&folder, "coin.toml", COIN);
    fs::create_dir_all(folder.path().join("target/debug")).expect("a folder");
    write(&folder, "target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    write(&folder, "target/debug/dep.json", "{}");
    for (arguments, status) in [
        (&["check", "."][..], 1),
        (&["check", "."], 1),
        (&["bless", ".", "coin"], 0),
        (&["check", "."], 0),
        (&["status", "."], 0),
        (&["check", ".", "--output", "left"], 0),
    ] {
        let (found, text) = says(&folder, arguments);
        assert_eq!(found, Some(status), "{arguments:?}: {text}");
    }
    // pictures and reports of a folder elsewhere
    fs::remove_file(folder.path().join("coin.png")).expect("blessed");
    assert_eq!(says(&folder, &["check", ".", "--output", "left"]).0, Some(1));
    let (status, text) = says(&folder, &["check", ".", "--output", "left"]);
    assert!(status == Some(1) && text.contains("0 of 1 cases agree"), "{text}");
}

#[test]
fn missing_extra_and_mis_sized_pictures_fail() {
    let folder = blessed();
    let golden_folder = folder.path().join("golden");
    fs::remove_file(golden_folder.join("coin.png")).unwrap();
    RgbaImage::new(300, 255).save(golden_folder.join("deep/white.png")).unwrap();
    RgbaImage::new(3, 2).save(golden_folder.join("stray.png")).unwrap();
    let expected = "coin: no golden beside the scene\n\
                    deep/white: 300x256 pixels instead of 300x255\n\
                    stray: a PNG without a scene\n";
    let (status, text) = says(&folder, &["status", "golden"]);
    assert_eq!((status, &*text), (Some(1), expected));
    let (status, text) = says(&folder, &["check", "golden"]);
    assert!(status == Some(1) && text.starts_with(expected) && text.contains("0 of 3 cases agree"), "{text}");
    // the first has an actual picture, the second a difference image, too, the third has no scene to draw
    assert!(folder.path().join("target/golden/scenes/coin.actual.png").exists());
    let left = folder.path().join("target/golden/scenes/deep");
    assert_eq!(names(&left), ["white.actual.png", "white.diff.png", "white.report.js"]);
    let difference = read_png(left.join("white.diff.png")).expect("a PNG");
    assert_eq!((difference.width(), difference.height()), (300, 256));
    assert!(text.ends_with("roundel golden bless golden coin deep/white\n"), "{text}");
    let (status, text) = says(&folder, &["bless", "golden", "stray", "coin"]);
    assert!(status == Some(2) && text.contains("\"stray\" has no scene to draw"), "{text}");
    assert!(!golden_folder.join("coin.png").exists(), "nothing is blessed when a name is wrong");
}

#[test]
fn bless_in_continuous_integration_is_refused_unless_it_is_forced() {
    let folder = blessed();
    spoil(&folder, 5);
    let bless = |more: &[&str]| {
        let arguments = [&["golden", "bless", "golden", "deep/white"], more].concat();
        roundel(folder.path(), &arguments).env("CI", "true").output().expect("roundel starts")
    };
    assert_refused(&bless(&[]), "golden bless", &["the variable CI is set"]);
    assert!(bless(&["--force"]).status.success());
}

#[test]
fn review_needs_a_terminal_and_something_to_review() {
    let folder = blessed();
    let (status, text) = says(&folder, &["review", "golden"]);
    assert_eq!((status, &*text), (Some(0), "nothing to review\n"));
    spoil(&folder, 5);
    let (status, text) = says(&folder, &["review", "golden"]);
    assert!(status == Some(2) && text.contains("review needs a terminal to ask at"), "{text}");
}

#[test]
fn bless_writes_named_failing_goldens_and_nothing_else() {
    let folder = blessed();
    let coin = folder.path().join("golden/coin.png");
    let before = fs::metadata(&coin).unwrap().modified().unwrap();
    spoil(&folder, 5);
    write(&folder, "golden/third.toml", COIN);
    let (status, text) = says(&folder, &["bless", "golden", "coin", "deep/white"]);
    assert_eq!((status, &*text), (Some(0), "blessed deep/white\n"));
    assert_eq!(fs::metadata(&coin).unwrap().modified().unwrap(), before, "what agrees is not touched");
    assert_eq!(names(&folder.path().join("golden")), ["coin.png", "coin.toml", "deep", "third.toml"]);
    let (status, text) = says(&folder, &["bless", "golden", "coin"]);
    assert!(status == Some(0) && text.starts_with("nothing to bless"), "{text}");
    for (arguments, part) in [
        (&["bless", "golden", "cion"][..], "\"cion\" is no case"),
        (&["bless", "golden", "--all"], "--yes approves without asking"),
        (&["check", "nowhere"], "nowhere"),
        (&["check", "target"], "target"),
    ] {
        let (status, text) = says(&folder, arguments);
        assert!(status == Some(2) && text.contains(part), "{arguments:?}: {text}");
    }
    let (status, text) = says(&folder, &["bless", "golden", "--all", "--yes"]);
    assert_eq!((status, &*text), (Some(0), "blessed third\n"));
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
    // no name: all that fail
    spoil(&folder, 5);
    let (status, text) = says(&folder, &["bless", "golden"]);
    assert_eq!((status, &*text), (Some(0), "blessed deep/white\n"));
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
}

#[test]
fn variants_of_a_golden_are_accepted_and_blessed_by_name() {
    let folder = blessed();
    spoil(&folder, 5);
    let (status, text) = says(&folder, &["bless", "golden", "deep/white@2"]);
    assert_eq!((status, &*text), (Some(0), "blessed deep/white\n"));
    assert_eq!(names(&folder.path().join("golden/deep")), ["white.png", "white.toml", "white@2.png"]);
    // the golden and its variant
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
    fs::remove_file(folder.path().join("golden/deep/white@2.png")).expect("written");
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(1));
    let system = format!("deep/white.{}", std::env::consts::OS);
    assert_eq!(says(&folder, &["bless", "golden", &system]).0, Some(0));
    assert_eq!(says(&folder, &["status", "golden"]).1, "coin: same\ndeep/white: same\n");
    let (status, text) = says(&folder, &["bless", "golden", "deep/black@2"]);
    assert!(status == Some(2) && text.contains("\"deep/black@2\" is no case"), "{text}");
}

#[test]
fn golden_of_a_renamed_scene_has_moved() {
    let folder = blessed();
    fs::create_dir(folder.path().join("golden/money")).expect("a folder");
    fs::rename(folder.path().join("golden/coin.toml"), folder.path().join("golden/money/penny.toml")).expect("renamed");
    let (status, text) = says(&folder, &["check", "golden"]);
    assert!(
        status == Some(1) && text.contains("money/penny: no golden beside the scene; golden/coin.png has moved"),
        "{text}"
    );
    let (status, text) = says(&folder, &["bless", "golden", "money/penny"]);
    assert_eq!((status, &*text), (Some(0), "blessed money/penny\n"));
    assert_eq!(names(&folder.path().join("golden")), ["deep", "money"]);
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
}

#[test]
fn golden_that_is_a_film_is_not_compared_in_part() {
    let folder = blessed();
    let path = folder.path().join("golden/coin.png");
    let frame = read_png(&path).expect("a PNG");
    let delay = std::time::Duration::from_millis(40);
    let film = roundel::compare::Sequence::new().with_frame(&frame, delay).with_frame(&frame, delay);
    fs::write(&path, film.encode_png().expect("frames")).expect("written");
    let (status, text) = says(&folder, &["check", "golden"]);
    assert!(status == Some(1) && text.contains("coin: 1 frame instead of 2\n"), "{text}");
}

#[test]
fn golden_toml_sets_what_may_differ_in_a_folder() {
    let folder = blessed();
    fs::create_dir_all(folder.path().join("golden/deep/est")).expect("a folder");
    for name in ["golden/deep/est/far.toml", "golden/top.toml"] {
        write(&folder, name, WHITE);
    }
    assert_eq!(says(&folder, &["bless", "golden", "deep/est/far", "top"]).0, Some(0));
    let mut image = RgbaImage::from_pixel(300, 256, Rgba([255; 4]));
    image.pixels_mut().take(40).for_each(|pixel| *pixel = Rgba([254, 255, 255, 255]));
    for name in ["deep/white", "deep/est/far", "top"] {
        image.save(folder.path().join(format!("golden/{name}.png"))).expect("saved");
    }
    let failing = |rules: &str| -> Vec<String> {
        let rules = rules.replace("]\n", "]\nreason = \"an old printer\"\n");
        write(&folder, "golden/golden.toml", &format!("{rules}\n"));
        let text = says(&folder, &["status", "golden"]).1;
        text.lines()
            .filter(|line| !line.ends_with(": same"))
            .map(|line| line.split(':').next().unwrap().to_owned())
            .collect()
    };
    for (rules, expected) in [
        ("[folder.deep]\npixels = 40", &["top"][..]),
        ("[folder.\"deep/\"]\npixels = 39", &["deep/est/far", "deep/white", "top"]),
        ("[folder.\".\"]\npixels = 40", &[]),
        // the innermost folder decides, and the case before all folders
        ("[folder.\".\"]\npixels = 40\n[folder.\"deep/est\"]\npixels = 1", &["deep/est/far"]),
        ("[folder.deep]\npixels = 40\n[case.\"deep/white\"]\npixels = 1", &["deep/white", "top"]),
        ("[folder.deep]\npixels = 16\nwindow = 16", &["top"]),
        ("[folder.deep]\npixels = 15\nwindow = 16", &["deep/est/far", "deep/white", "top"]),
    ] {
        assert_eq!(failing(rules), expected, "{rules}");
    }
    write(&folder, "golden/golden.toml", "[folder.shallow]\npixels = 1\nreason = \"none\"\n");
    let (status, text) = says(&folder, &["check", "golden"]);
    assert!(status == Some(2) && text.contains("golden.toml: folder \"shallow\" must have cases in golden"), "{text}");
}

#[test]
fn transparent_parts_of_a_golden_may_be_left_out() {
    let folder = blessed();
    let mut image = RgbaImage::from_pixel(300, 256, Rgba([255; 4]));
    image.put_pixel(7, 7, Rgba([0; 4]));
    let path = folder.path().join("golden/deep/white.png");
    image.save(&path).expect("saved");
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(1));
    let rule = "[case.\"deep/white\"]\nmask_transparent = true\nreason = \"a clock\"\n";
    write(&folder, "golden/golden.toml", rule);
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
    write(&folder, "golden/deep/white.toml", &format!("{WHITE}background = \"#000\"\n"));
    assert_eq!(says(&folder, &["bless", "golden", "deep/white"]).0, Some(0));
    let golden = image::open(&path).expect("a picture").into_rgba8();
    assert_eq!([golden.get_pixel(7, 7).0, golden.get_pixel(6, 7).0], [[0; 4], [0, 0, 0, 255]]);
}

#[test]
fn golden_toml_sets_what_may_differ_and_why() {
    let folder = blessed();
    spoil(&folder, 40);
    let with = |rule: &str| {
        write(&folder, "golden/golden.toml", rule);
        says(&folder, &["check", "golden"])
    };
    let reason = "reason = \"an old printer\"";
    for (rule, status) in [
        (format!("[case.\"deep/white\"]\ntolerance = 1\n{reason}"), 0),
        (format!("[case.\"deep/white\"]\ntolerance = 0.5\n{reason}"), 1),
        (format!("[case.\"deep/white\"]\npixels = 40\n{reason}"), 0),
        (format!("[case.\"deep/white\"]\npixels = 39\n{reason}"), 1),
        (format!("[case.\"deep/white\"]\nshare = 0.001\n{reason}"), 0),
        (format!("[case.\"deep/white\"]\nthreshold = 0.05\n{reason}"), 0),
        (format!("[case.\"deep/white\"]\nflip = 0.001\n{reason}"), 0),
        (format!("[case.\"deep/white\"]\nflip = 0\n{reason}"), 1),
        (format!("[case.\"deep/white\"]\nmask = [[0, 0, 40, 1]]\n{reason}"), 0),
        (format!("[case.\"deep/white\"]\nmask = [[0, 0, 39, 1]]\n{reason}"), 1),
        (format!("[case.coin]\ntolerance = 1\n{reason}"), 1),
    ] {
        let (found, text) = with(&rule);
        assert_eq!(found, Some(status), "{rule}\n{text}");
    }
    for (rule, part) in [
        ("[case.coin]\ntolerance = 1", "reason"),
        ("[case.coin]\ntolerance = 1\nreason = \" \"", "reason must say why"),
        ("[case.coin]\ntolerance = 1\nflip = 0.1\nreason = \"x\"", "only one of"),
        ("[case.coin]\ntolerance = 300\nreason = \"x\"", "must be 0 to 255"),
        ("[case.coin]\ntollerance = 1\nreason = \"x\"", "tollerance"),
        ("[case.nothing]\ntolerance = 1\nreason = \"x\"", "\"nothing\""),
        ("[case.coin", "golden.toml:1"),
    ] {
        let (found, text) = with(rule);
        assert!(found == Some(2) && text.contains(part) && text.contains("golden.toml"), "{rule}\n{text}");
    }
}

#[test]
fn scene_may_set_how_many_of_its_pixels_differ_and_by_how_much() {
    let folder = blessed();
    spoil(&folder, 40);
    let with = |tolerance: &str| {
        write(&folder, "golden/deep/white.toml", &format!("{WHITE}[tolerance]\n{tolerance}"));
        says(&folder, &["check", "golden"])
    };
    for (tolerance, status, part) in [
        ("difference = 1\npixels = 40\nreason = \"an old printer\"", 0, "2 of 2 cases agree"),
        ("difference = 1\npixels = 39\nreason = \"an old printer\"", 1, "40 of 76800 pixels differ"),
        ("difference = 0\npixels = 40\nreason = \"an old printer\"", 1, "by up to 1"),
        ("difference = 1\npixels = 40\nreason = \" \"", 2, "reason must say why"),
        ("difference = 1\npixels = 40", 2, "reason"),
        ("difference = 256\npixels = 40\nreason = \"x\"", 2, "255"),
    ] {
        let (found, text) = with(tolerance);
        assert!(found == Some(status) && text.contains(part), "{tolerance}\n{text}");
    }
    write(&folder, "golden/golden.toml", "[case.\"deep/white\"]\ntolerance = 1\nreason = \"x\"");
    let (found, text) = with("difference = 1\npixels = 40\nreason = \"x\"");
    assert!(found == Some(2) && text.contains("not in both"), "{text}");
}

#[test]
fn scenes_and_pictures_that_cannot_be_read_are_errors_beside_which_others_are_compared() {
    let folder = blessed();
    spoil(&folder, 3);
    write(&folder, "golden/coin.toml", &COIN.replace("radius", "raduis"));
    let (status, text) = says(&folder, &["check", "golden", "--junit", "results.xml"]);
    assert!(status == Some(2) && text.contains("coin.toml:6") && text.contains("radius"), "{text}");
    assert!(text.contains("deep/white: 3 of 76800") && text.contains("bless golden deep/white\n"), "{text}");
    let xml = fs::read_to_string(folder.path().join("results.xml")).expect("written");
    assert!(xml.contains("tests=\"2\" failures=\"2\"") && xml.contains("coin.toml:6"), "{xml}");
    let (status, text) = says(&folder, &["bless", "golden", "coin", "deep/white"]);
    assert!(status == Some(2) && text.contains("\"coin\" cannot be drawn: "), "{text}");
    write(&folder, "golden/coin.toml", COIN);
    write(&folder, "golden/coin.png", "no picture");
    let (status, text) = says(&folder, &["check", "golden"]);
    assert!(status == Some(2) && text.contains("coin.png") && text.contains("deep/white: 3 of 76800"), "{text}");
    // a file that is not a picture may be a user's
    let (status, text) = says(&folder, &["bless", "golden", "coin.toml", "deep/white.png"]);
    assert!(status == Some(2) && text.contains("golden/coin.png exists and is not a PNG; --force"), "{text}");
    let (status, text) = says(&folder, &["bless", "golden", "coin.toml", "deep/white.png", "--force"]);
    assert_eq!((status, &*text), (Some(0), "blessed coin\nblessed deep/white\n"));
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
    write(&folder, "golden/coin.json", "{}");
    let (status, text) = says(&folder, &["check", "golden"]);
    assert!(status == Some(2) && text.contains("have one image"), "{text}");
}

#[test]
fn check_takes_filters_and_writes_report_and_junit() {
    let folder = blessed();
    spoil(&folder, 3);
    let outputs = ["--junit", "results.xml", "--report", "all.html"];
    let (status, text) = says(&folder, &[&["check", "golden"], &outputs[..]].concat());
    assert!(status == Some(1) && text.contains("1 of 2 cases agree"), "{text}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    let xml = read("results.xml");
    assert!(xml.contains("<testsuite name=\"roundel golden\" tests=\"2\" failures=\"1\">"), "{xml}");
    assert!(xml.contains("name=\"deep/white\"><failure message=\"3 of 76800 pixels differ"), "{xml}");
    assert!(read("all.html").contains("\"name\":\"coin\""), "cases that agree too");

    let (status, text) = says(&folder, &["check", "golden", "coi", "--report", "coin.html", "--junit", "results.xml"]);
    assert!(status == Some(0) && text == "1 of 1 cases agree\n", "{text}");
    assert!(read("coin.html").contains("coin") && !read("coin.html").contains("deep/white"));
    assert!(read("results.xml").contains("tests=\"1\" failures=\"0\""));
    let (status, text) = says(&folder, &["check", "golden", "coin", "whit"]);
    assert!(status == Some(1) && text.contains("to repeat: roundel golden check golden coin whit\n"), "{text}");
    assert_eq!(says(&folder, &["status", "golden", "coin"]), (Some(0), "coin: same\n".to_owned()));
    let (status, text) = says(&folder, &["check", "golden", "coin", "shadow"]);
    let message = "filter must be part of the name of a case in golden, got \"shadow\"";
    assert!(status == Some(2) && text.contains(message), "{text}");
}

#[cfg(unix)]
#[test]
fn hints_can_be_pasted_whatever_the_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let golden_folder = "-it's a \"$HOME\"";
    fs::create_dir(folder.path().join(golden_folder)).expect("a folder");
    let names = ["a b", "it's", "$(touch x)", "\u{1b}[31mred", "\u{61c}mark", "ü"];
    for name in names {
        write(&folder, &format!("{golden_folder}/{name}.toml"), COIN);
    }
    let (status, text) = says(&folder, &["check", "--", golden_folder]);
    assert_eq!(status, Some(1), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{61c}']), "{text:?}");
    let hint = text.lines().find_map(|line| line.strip_prefix("if the new pictures are right: roundel "));
    let program = env!("CARGO_BIN_EXE_roundel");
    let pasted = format!("'{program}' {}", hint.expect("a hint"));
    let mut shell = Command::new("bash");
    let Ok(output) = shell.current_dir(&folder).env_remove("CI").args(["-c", &pasted]).output() else { return };
    assert!(output.status.success(), "{pasted}: {}", String::from_utf8_lossy(&output.stderr));
    for name in names {
        assert!(folder.path().join(golden_folder).join(format!("{name}.png")).exists(), "{name:?}");
    }
    assert!(!folder.path().join("x").exists());
}

#[cfg(unix)]
#[test]
fn rules_and_masks_are_regular_files() {
    use std::os::unix::fs::symlink;
    let folder = blessed();
    let rules = folder.path().join("golden/golden.toml");
    symlink("/dev/zero", &rules).expect("a link");
    let (status, text) = says(&folder, &["check", "golden"]);
    assert!(status == Some(2) && text.contains("golden/golden.toml: must be a regular file"), "{text}");
    fs::remove_file(&rules).expect("there");
    assert!(Command::new("mkfifo").arg(folder.path().join("golden/pipe")).status().expect("mkfifo starts").success());
    for (mask, found) in [("pipe", "golden/pipe: must be a regular file"), ("none.png", "cannot read golden/none.png")]
    {
        let rule = format!("[case.coin]\nreason = \"noise\"\nmask_image = \"{mask}\"\n");
        write(&folder, "golden/golden.toml", &rule);
        let (status, text) = says(&folder, &["check", "golden"]);
        assert!(status == Some(2) && text.contains(found), "{text}");
    }
    write(&folder, "golden/golden.toml", &"# long\n".repeat(1 << 22));
    let (status, text) = says(&folder, &["check", "golden"]);
    assert!(status == Some(2) && text.contains("golden.toml: must have less than"), "{}", &text[..text.len().min(300)]);
}
