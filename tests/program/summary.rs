//! `roundel golden summary`: what failing tests and checks left, as Markdown, JSON and JUnit XML.
#![cfg(feature = "cli")]

use std::fs;

use roundel::{Frame, Srgba8};
use serde_json::Value;
use tempfile::TempDir;

use crate::files::text;
use crate::running::run;

const COIN: &str = "[canvas]\nwidth = 40\nheight = 30\n[[circle]]\ncenter = [20, 15]\nradius = 10\nfill = \"#c42\"\n";

/// A repository with the scenes `coin`, which agrees, `changed`, `new` and a picture `gone` without a scene; checked.
fn checked() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |path: &str| folder.path().join(path);
    fs::create_dir_all(at("golden")).expect("a folder");
    fs::create_dir(at(".git")).expect("a folder");
    let scene = |name: &str, radius: u32| {
        fs::write(at("golden").join(format!("{name}.toml")), COIN.replace("10\nfill", &format!("{radius}\nfill")))
            .expect("written");
    };
    scene("coin", 10);
    scene("changed", 11);
    let (status, text) = says(&folder, &["bless", "golden", "coin", "changed"]);
    assert_eq!(status, Some(0), "{text}");
    scene("changed", 12);
    scene("new", 13);
    Frame::new(2, 2, Srgba8::WHITE).expect("small").save_png(at("golden/gone.png")).expect("written");
    let (status, text) = says(&folder, &["check", "golden"]);
    assert_eq!(status, Some(1), "{text}");
    folder
}

fn says(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder.path(), &[&["golden"], arguments].concat());
    (output.status.code(), text(&[output.stdout, output.stderr].concat()))
}

fn summary(folder: &TempDir, flags: &[&str]) -> String {
    let output = run(folder.path(), &[&["golden", "summary", "target/golden/scenes"], flags].concat());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    text(&output.stdout)
}

#[test]
fn summary_lists_what_fails_the_worst_first() {
    let folder = checked();
    let text = summary(&folder, &["--link", "https://example.org/a?b=1", "--reply", "/bless"]);
    let expected = "\
### 1 of 4 pictures agree: 1 changed, 1 new, 1 no longer drawn

| picture | | how it differs |
|---|---|---|
| <code>gone</code> | missing | a PNG without a scene |
| <code>new</code> | new | no golden beside the scene |
| <code>changed</code> | changed | 152 of 1200 pixels differ, by up to 218, first at 15,3 |

[Report with all pictures](<https://example.org/a?b=1>)

If the new pictures are right, reply with

```
/bless new changed
```

or approve by name:

```
roundel golden bless golden changed
roundel golden bless golden new
```
";
    assert_eq!(text, expected);
    assert_eq!(summary(&folder, &["--link", "https://example.org/a?b=1", "--reply", "/bless"]), text, "deterministic");
    assert!(!summary(&folder, &[]).contains("/bless"));
}

#[test]
fn summary_shows_before_after_and_difference_without_the_goldens() {
    let folder = checked();
    let at = |path: &str| folder.path().join(path);
    let golden = fs::read(at("golden/changed.png")).expect("there");
    fs::remove_dir_all(at("golden")).expect("removed");
    let text = summary(&folder, &["--pictures", "shown"]);
    let row =
        "| ![before](<shown/3-before.png>) | ![after](<shown/3-after.png>) | ![difference](<shown/3-difference.png>) |";
    assert!(text.contains(row), "{text}");
    assert!(text.contains("| none | ![after](<shown/2-after.png>) | none |"), "{text}");
    assert_eq!(fs::read(at("shown/3-before.png")).expect("there"), golden);
    let after = fs::read(at("target/golden/scenes/changed.actual.png")).expect("there");
    assert_eq!(fs::read(at("shown/3-after.png")).expect("there"), after);
}

#[test]
fn summary_is_json_and_junit() {
    let folder = checked();
    let found: Value = serde_json::from_str(&summary(&folder, &["--format", "json"])).expect("JSON");
    let counts = ["same", "changed", "new", "missing"].map(|name| found[name].as_u64());
    assert_eq!(counts, [Some(1); 4]);
    let changed = &found["pictures"][0];
    assert_eq!((changed["name"].as_str(), changed["golden"].as_str()), (Some("changed"), Some("golden/changed.png")));
    assert!(changed["share"].as_f64().is_some_and(|share| (share - 152.0 / 1200.0).abs() < 1e-9), "{changed}");
    let xml = summary(&folder, &["--format", "junit"]);
    assert!(xml.contains("<testsuite name=\"roundel golden\" tests=\"4\" failures=\"3\">"), "{xml}");
    assert!(xml.contains("<testcase classname=\"roundel golden\" name=\"coin\"/>"), "{xml}");
}

#[test]
fn summary_without_failures_says_how_many_agree() {
    let folder = checked();
    for name in ["changed.toml", "new.toml", "gone.png", "changed.png"] {
        fs::remove_file(folder.path().join("golden").join(name)).expect("removed");
    }
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(0));
    assert_eq!(summary(&folder, &["--reply", "/bless"]), "### 1 of 1 pictures agree\n");
    let (status, text) = says(&folder, &["summary", "nowhere"]);
    assert!(status == Some(2) && text.contains("nowhere"), "{text}");
}

/// A name is text and no more, whatever is in it.
#[cfg(unix)]
#[test]
fn summary_of_names_that_look_like_markup_is_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir_all(folder.path().join("golden")).expect("a folder");
    for name in ["a | b", "``` $(touch pwned) `touch pwned`", "line\nend", "<img src=x>@everyone", "quo'te\"s"] {
        fs::write(folder.path().join("golden").join(format!("{name}.toml")), COIN).expect("written");
    }
    assert_eq!(says(&folder, &["check", "golden"]).0, Some(1));
    let text = summary(&folder, &["--reply", "/bless"]);
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("|---")).skip(1).take(5).collect();
    assert!(table.len() == 5 && table.iter().all(|line| line.matches('|').count() == 4), "{text}");
    let table = table.concat();
    assert!(
        table.contains("<code>line&#92;nend</code>") && !table.contains("<img") && text.contains("\n````\n"),
        "{text}"
    );
    assert!(text.contains(r"$'line\012end'"), "{text}");
}

#[test]
fn pictures_that_a_run_left_are_blessed_by_name() {
    let folder = checked();
    let at = |path: &str| folder.path().join(path);
    let bless =
        |arguments: &[&str]| says(&folder, &[&["bless", ".", "--from", "target/golden/scenes"], arguments].concat());
    for (arguments, part) in [
        (&["changed", "other"][..], "got \"other\"; those are \"changed\", \"new\""),
        (&["gone"], "got \"gone\""),
        (&["new", "new.png"], "must name each golden once"),
        (&[], "--from needs names, --all or --reply"),
    ] {
        let (status, text) = bless(arguments);
        assert!(status == Some(2) && text.contains(part), "{arguments:?}: {text}");
    }
    assert!(!at("golden/new.png").exists(), "nothing is written if a name is wrong");
    fs::write(at("reply"), "Fine.\n/bless changed 'new@2'\n").expect("written");
    let lines = "blessed changed in golden/changed.png\nblessed new in golden/new@2.png\n";
    let actual = fs::read(at("target/golden/scenes/changed.actual.png")).expect("there");
    assert_eq!(bless(&["--reply", "reply"]), (Some(0), lines.to_owned()));
    assert_eq!(fs::read(at("golden/changed.png")).expect("there"), actual);
    assert!(at("golden/new@2.png").exists() && !at("golden/new.png").exists());
    let (status, text) = bless(&["changed"]);
    assert!(status == Some(2) && text.contains("none does"), "{text}");
    assert_eq!(bless(&["--all"]), (Some(0), "nothing to bless\n".to_owned()));
}

#[test]
fn pictures_of_any_program_are_matched_with_goldens() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |path: &str| folder.path().join(path);
    let mut frame = Frame::new(6, 4, Srgba8::WHITE).expect("small");
    frame.save_png(at("a.png")).expect("written");
    let matched = |arguments: &[&str]| says(&folder, &[&["match", "deep/it's", "a.png"], arguments].concat());
    let (status, text) = matched(&[]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.starts_with("golden deep/it's: there is none yet\n"), "{text}");
    assert!(
        text.ends_with("if the new picture is right: roundel golden bless . --from target/golden 'deep/it'\\''s'\n"),
        "{text}"
    );
    let summary = says(&folder, &["summary"]).1;
    assert!(summary.contains("| <code>pictures/deep/it&#39;s</code> | new | there is none yet |"), "{summary}");
    assert_eq!(says(&folder, &["bless", ".", "--from", "target/golden", "deep/it's"]).0, Some(0));
    assert_eq!(matched(&[]), (Some(0), "same\n".to_owned()));

    frame.pixels_mut()[7].g = 252;
    frame.save_png(at("a.png")).expect("written");
    assert_eq!(matched(&["--tolerance", "3"]).0, Some(0));
    assert_eq!(matched(&["--pixels", "1", "--mask", "0,0,1,1"]).0, Some(0));
    let (status, text) = matched(&["--approve", "npx playwright test {}", "--package", "shots"]);
    assert!(status == Some(1) && text.contains("1 of 24 pixels differ, by up to 3, first at 1,1"), "{text}");
    assert!(text.ends_with("if the new picture is right: npx playwright test 'deep/it'\\''s'\n"), "{text}");
    assert!(at("target/golden/shots/deep/it's.diff.png").exists());
    for (arguments, part) in
        [(&["--package", "../a"][..], "package must be the name of a folder"), (&["--tolerance", "-1"], "tolerance")]
    {
        let (status, text) = matched(arguments);
        assert!(status == Some(2) && text.contains(part), "{arguments:?}: {text}");
    }
}

/// What the pytest plugin writes.
#[test]
fn records_of_other_programs_are_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let left = folder.path().join("left/test_chart");
    fs::create_dir_all(&left).expect("a folder");
    let picture = Frame::new(2, 2, Srgba8::WHITE).expect("small").encode_png();
    fs::write(left.join("disc.actual.png"), &picture).expect("written");
    let record = concat!(
        "// run: \"7 1\"\n// golden: \"/some/where/golden/test_chart/disc.png\"\n// in repository: \"golden/test_chart/disc.png\"\n",
        "// status: \"changed\"\n// summary: \"1 of 4\\tpixels\"\n// approve: \"pytest --roundel-bless test_chart/disc\"\n",
        "// share: \"0.25\"\n// python: {\"name\":\"test_chart/disc\"}\n",
        "// entry: {\"name\":\"test_chart/disc\",\"expected\":\"test_chart/disc 0\",\"actual\":\"test_chart/disc 1\"}\n",
        "picture(\"test_chart/disc 0\", \"image/png\", \"iVBORw0KGgo=\");\n",
    );
    fs::write(left.join("disc.report.js"), record).expect("written");
    fs::write(
        folder.path().join("left/tested.txt"),
        "7 1\n\"test_chart/disc\"\t\"/a\"\n\"test_chart/other\"\t\"/b\"\n",
    )
    .expect("written");
    let (status, text) = says(&folder, &["summary", "left", "--pictures", "shown"]);
    assert!(status == Some(0) && text.starts_with("### 1 of 2 pictures agree: 1 changed\n"), "{text}");
    assert!(text.contains("pytest --roundel-bless test_chart/disc"), "{text}");
    assert_eq!(fs::read(folder.path().join("shown/1-before.png")).expect("there"), b"\x89PNG\r\n\x1a\n");
    assert_eq!(says(&folder, &["bless", ".", "--from", "left", "test_chart/disc"]).0, Some(0));
    assert_eq!(fs::read(folder.path().join("golden/test_chart/disc.png")).expect("there"), picture);
}
