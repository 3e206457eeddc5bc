//! The command line as a user meets it: exit statuses, messages and the files written.
#![cfg(feature = "cli")]

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::files::{names, text};
use crate::running::{COIN, assert_refused, roundel, run, start};
use roundel::SimdLevel;
use roundel::io::read_png;
use serde_json::Value;
use tempfile::TempDir;

/// Creates a folder that holds `coin.toml`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("coin.toml"), COIN).expect("the scene is written");
    folder
}

/// Runs a command in a folder, which must end with status 2 and a message with all of these parts.
fn refused(folder: &Path, arguments: &[&str], parts: &[&str]) -> String {
    assert_refused(&run(folder, arguments), &arguments.join(" "), parts)
}

/// Asserts that a command ends with status 2 and one message that contains the parts, prints nothing to standard output
/// and writes no file.
fn refuses(arguments: &[&str], parts: &[&str]) {
    let folder = folder();
    let output = run(folder.path(), arguments);
    let message = assert_refused(&output, &arguments.join(" "), parts);
    assert!(message.starts_with("roundel: "), "{arguments:?}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(names(folder.path()), ["coin.toml"], "{arguments:?}");
}

fn succeeds(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn both_sides_in_the_place_of_one_are_told_apart() {
    refuses(&["render", "coin.toml", "-W", "800x600"], &["--width 800 --height 600 says both sides"]);
    refuses(&["render", "coin.toml", "--show", "cartoon"], &["cartoons and surfaces are not drawn"]);
}

#[test]
fn flags_of_two_values_take_no_flag_for_one() {
    refuses(&["render", "coin.toml", "--label", "name CA", "--title", "x"], &["2 values required for '--label"]);
    refuses(&["render", "coin.toml", "--label", "name CA", "-o", "a.png"], &["2 values required for '--label"]);
}

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
fn render_writes_the_named_file_or_the_inputs_name() {
    let folder = folder();
    let (stdout, _) = succeeds(folder.path(), &["render", "coin.toml", "-o", "a.png"]);
    assert!(stdout.starts_with("wrote a.png: 24 x 16 pixels, 1 shape, "), "{stdout}");
    let (stdout, _) = succeeds(folder.path(), &["render", "coin.toml"]);
    assert!(stdout.starts_with("wrote coin.png: "), "{stdout}");
    assert_eq!(names(folder.path()), ["a.png", "coin.png", "coin.toml"]);
    let [a, coin] = ["a.png", "coin.png"].map(|name| fs::read(folder.path().join(name)).expect("written"));
    assert_eq!(a, coin, "the same scene gives the same bytes");
    let middle = read_png(folder.path().join("a.png")).expect("a PNG").pixel(12, 8).expect("inside");
    assert_eq!((middle.r, middle.g, middle.b), (0xd6, 0x27, 0x28));
}

#[test]
fn quiet_prints_nothing_and_verbose_each_step() {
    let folder = folder();
    assert_eq!(succeeds(folder.path(), &["render", "-q", "coin.toml"]), (String::new(), String::new()));
    let (_, stderr) = succeeds(folder.path(), &["render", "-v", "coin.toml"]);
    for step in ["read coin.toml in ", "drew 1 shape in ", "wrote coin.png in "] {
        assert!(stderr.contains(step), "{stderr}");
    }
    refuses(&["render", "-q", "-v", "coin.toml"], &["--quiet", "--verbose"]);
}

#[test]
fn dashes_are_standard_input_and_output() {
    let folder = folder();
    succeeds(folder.path(), &["render", "coin.toml"]);
    let mut child = start(roundel(folder.path(), &["render", "-", "-o", "-"]).stdin(Stdio::piped()));
    child.stdin.take().expect("piped").write_all(COIN.as_bytes()).expect("read");
    let output = child.wait_with_output().expect("ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(output.stdout, fs::read(folder.path().join("coin.png")).expect("written"));
}

#[test]
fn flags_that_change_no_pixel_change_no_byte() {
    let folder = folder();
    succeeds(folder.path(), &["render", "coin.toml"]);
    let plain = fs::read(folder.path().join("coin.png")).expect("written");
    let mut cases = vec![
        vec!["--threads", "1"],
        vec!["--threads", "3"],
        vec!["--tile", "8"],
        vec!["--tile", "1024"],
        vec!["--no-cull"],
    ];
    cases.extend(SimdLevel::available().into_iter().map(|level| vec!["--simd", level.name()]));
    for flags in cases {
        succeeds(folder.path(), &[&["render", "coin.toml", "-o", "other.png"], &*flags].concat());
        assert_eq!(fs::read(folder.path().join("other.png")).expect("written"), plain, "{flags:?}");
    }
}

#[test]
fn stats_json_is_one_object_with_all_keys() {
    let folder = folder();
    let (_, stderr) = succeeds(folder.path(), &["render", "--stats=json", "coin.toml"]);
    let stats: Value = serde_json::from_str(&stderr).expect("only JSON");
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&stats), ["counts", "peak_memory_bytes", "times_ms"]);
    assert_eq!(keys(&stats["counts"]), ["binned", "culled", "rays", "shapes", "tiles", "visible"]);
    assert_eq!(keys(&stats["times_ms"]), ["draw", "encode", "load", "prepare", "total"]);
    assert_eq!(stats["counts"]["shapes"], 1);
    assert_eq!(stats["counts"]["visible"], 1);
    let time = |name: &str| stats["times_ms"][name].as_f64().expect("a number");
    let steps = time("load") + time("prepare") + time("draw") + time("encode");
    assert!(steps > 0.0 && steps <= time("total"), "{stats}");
    if cfg!(target_os = "linux") {
        assert!(stats["peak_memory_bytes"].as_u64().expect("a number") > 1 << 20);
    }
    let (_, stderr) = succeeds(folder.path(), &["render", "--stats", "coin.toml"]);
    assert!(stderr.lines().any(|line| line.starts_with("shapes") && line.ends_with(" 1")), "{stderr}");
}

#[test]
fn wrong_arguments_are_refused_with_accepted_ones() {
    refuses(&["render", "coin.toml", "--circles"], &["--circles", "--generate"]);
    refuses(&["rendr"], &["rendr", "'render'"]);
    refuses(&["render", "--widht", "5", "coin.toml"], &["--widht", "'--width'"]);
    let levels = SimdLevel::compiled().into_iter().map(SimdLevel::name);
    let levels: Vec<&str> = std::iter::once("auto").chain(levels).collect();
    refuses(&["render", "--simd", "avx", "coin.toml"], &["'avx'", &levels.join(", ")]);
    refuses(&["render", "--eye", "1,2", "coin.toml"], &["--eye", "1,2", "three finite numbers"]);
    refuses(&["render", "--eye", "1,2,NaN", "coin.toml"], &["three finite numbers"]);
    refuses(&["render", "--background", "redd", "coin.toml"], &["--background", "redd", "CSS colour name", "#rrggbb"]);
    refuses(
        &["render", "--view", "tob", "coin.toml"],
        &["'tob'", "broadside, front, back, left, right, top, bottom, iso"],
    );
    refuses(&["render", "--view", "top", "--eye", "1,2,3", "coin.toml"], &["--view", "--eye"]);
    refuses(&["render", "--view", "top", "coin.toml"], &["--view is for spheres"]);
    refuses(&["render", "--no-orient", "--view", "top", "coin.toml"], &["--no-orient", "--view"]);
    refuses(&["render", "--transparent", "--background", "red", "coin.toml"], &["--transparent", "--background"]);
    for name in ["fig.pdf", "fig.jpg", "fig.png.bak"] {
        refuses(&["render", "coin.toml", "-o", name], &["--output must end in .png", name]);
    }
    refuses(&["render", "--width", "wide", "coin.toml"], &["--width", "wide", "a whole number from 0 to 4294967295"]);
    refuses(&["render", "--ao", "-1", "coin.toml"], &["must be smooth, off or a whole number from 0"]);
    for flag in ["--width", "--samples", "--seed", "--limit-pixels"] {
        refuses(&["render", flag, "-1", "coin.toml"], &[flag, "'-1'", "must be a whole number from 0"]);
    }
    for flag in ["--frame", "--seed"] {
        let parts = [flag, "must be a whole number from ", "to 2^6"];
        refuses(&["render", flag, "99999999999999999999", "coin.toml"], &parts);
    }
    refuses(&["render", "-5"], &["unexpected argument '-5'"]);
    refuses(&["render", "--fov", "wide", "coin.toml"], &["--fov", "wide", "must be a number"]);
    refuses(&["render", "--ao-distance", "-1", "coin.toml"], &["--ao-distance is for spheres"]);
    for view_box in ["1,2", "1,2,0", "1,2,-3", "1,inf,3", "1,2,3,4", "x"] {
        let parts = ["--view-box", view_box, "three numbers separated by commas, the last positive"];
        refuses(&["render", "--view-box", view_box, "coin.toml"], &parts);
    }
    refuses(&["render", "--stats=xml", "coin.toml"], &["xml", "json"]);
    refuses(&["render", "coin.toml", "more.toml"], &["coin.toml", "a scene draws several"]);
    refuses(&["render", "coin.toml", "--legend", "counts"], &["got counts too", "as in --legend=counts"]);
    refuses(&["render", "--scale-bar", "20", "coin.toml"], &["as in --scale-bar=20"]);
    let twice = ["render", "--width", "200", "--figure-width", "85mm", "coin.toml"];
    refuses(&twice, &["--width and --figure-width both say the width"]);
    refuses(&["generate", "unifrom", "-n", "5", "-o", "a.csv"], &["unifrom", "uniform"]);
    refuses(&["generate", "uniform", "-o", "a.csv"], &["--count <N>"]);
    refuses(&["generate", "uniform", "-n", "-5", "-o", "a.csv"], &["'-5'", "must be a whole number from 1"]);
    refuses(&["generate", "uniform", "-n", "5", "-o", "a.csv", "--seed", "x"], &["--seed", "'x'", "a whole number"]);
}

#[test]
fn arguments_in_the_wrong_order_are_told_the_right_one() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenes/caffeine.xyz");
    refuses(&[file], &["`roundel render ", "draws it"]);
    for (arguments, order) in [
        (["--opacity", "0.5", "element C"], "--opacity takes the selection first, as in --opacity 'element C' 0.5"),
        (["--radius", "2", "element C"], "--radius takes the selection first, as in --radius 'element C' 2"),
        (["--style", "sticks", "element C"], "--style takes the selection first, as in --style 'element C' sticks"),
        (["--highlight", "gold", "element N"], "as in --highlight 'element N' gold"),
        (
            ["--opacity", "50%", "--trim"],
            "--opacity must be a number from 0 to 1, perhaps after a selection, got \"50%\"",
        ),
    ] {
        refuses(&[&["render", file][..], &arguments].concat(), &[order]);
    }
    refuses(&["render", file, "--look", "cartoon"], &["cartoons and surfaces are not drawn"]);
    for arguments in [&["--style", "stiks"][..], &["--style", "stiks", "-W", "40"], &["--style=stiks"]] {
        refuses(&[&["render", file][..], arguments].concat(), &["style", "got \"stiks\"; did you mean \"sticks\"?"]);
    }
    refuses(&["render", file, "--look", "studi"], &["'studio'"]);
    let frames = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenes/argon.xyz");
    refuses(&["render", frames, "--frames", "0..99"], &["--frames 20 is not in", "frames 0 to 19"]);
}

#[test]
fn wrong_flags_are_known_by_their_meaning() {
    for (flag, tip) in [
        ("--chain", "--only 'chain A'"),
        ("--size", "--width and --height"),
        ("--resolution", "--width and --height"),
        ("--colour", "--color-by"),
        ("--colors", "--color-by"),
        ("--fps", "--frame N"),
        ("--background-color", "--background"),
        ("--ssaa", "--samples"),
        ("--antialias", "--samples"),
        ("--quality", "--samples"),
        ("--point-size=3", "--radius"),
        ("--Field_Of_View", "--fov"),
    ] {
        refuses(&["render", "coin.toml", flag], &[flag.split('=').next().expect("a name"), "tip: ", tip]);
    }
    refuses(&["info", "coin.toml", "--chain", "A"], &["--only 'chain A'"]);
    refuses(&["render", "coin.toml", "--turntable"], &["--azimuth DEGREES"]);
    refuses(&["render", "coin.toml", "--widht", "3"], &["'--width'"]);
    refuses(&["render", "coin.toml", "--shading", "path"], &["'path' for '--shading <studio>'"]);
    for flag in ["--cartoonish", "--xyzzy", "--select"] {
        let output = run(folder().path(), &["render", "coin.toml", flag]);
        let message = text(&output.stderr);
        let nearest = message.contains("a similar argument exists") || message.contains("Usage:");
        assert!(!nearest, "{flag} is like no other: {message}");
    }
    refuses(&["compare", "a.png", "b.png", "--output", "d.png"], &["--diff PATH"]);
    refuses(&["compare", "a.png", "b.png", "--fuzz", "3"], &["--tolerance"]);
    refuses(&["compare", "a.png", "b.png", "--dpi", "3"], &["unexpected argument '--dpi' found"]);
    refuses(&["golden", "check", "golden", "--update"], &["roundel golden bless"]);
}

#[test]
fn pictures_are_not_drawn_and_empty_pictures_are_said() {
    let folder = folder();
    succeeds(folder.path(), &["render", "coin.toml", "-o", "coin.png"]);
    for arguments in [&["render", "coin.png"][..], &["render", "coin.png", "--force"]] {
        let message = text(&run(folder.path(), arguments).stderr).to_owned();
        assert!(message.contains("got the picture coin.png") && message.contains("roundel compare"), "{message}");
        assert!(!message.contains("--force"), "{message}");
    }
    let (_, stderr) = succeeds(folder.path(), &["render", "coin.toml"]);
    assert_eq!(stderr, "");
    fs::write(folder.path().join("a.xyz"), "2\n\nC 0 0 0\nC 1 0 0\n").expect("a file");
    for flags in [["--radius", "0"], ["--clip", "x<-100"]] {
        let (_, stderr) = succeeds(folder.path(), &["render", "a.xyz", flags[0], flags[1]]);
        assert!(stderr.contains("every pixel of the picture is #ffffff"), "{flags:?}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn options_that_change_nothing_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("a.pdb"),
        "ATOM      1  CA  ALA A   1       1.000   2.000   3.000  1.00  0.00           C\n",
    )
    .expect("a file");
    let notes = |flags: &[&str]| {
        let arguments = [&["render", "a.pdb", "-W", "20", "-o", "a.png"], flags].concat();
        succeeds(folder.path(), &arguments).1
    };
    let idle: [(&[&str], &str); 25] = [
        (&["--shading", "studio"], "--shading studio"),
        (&["--slab", "0,1"], "--slab 0,1"),
        (&["--slab", "99"], "--slab 99"),
        (&["--clip", "x<90"], "--clip 'x<90'"),
        (&["--clip", "y>-90", "--clip", "z<3"], "--clip 'y>-90'"),
        (&["--transparency", "solid"], "--transparency"),
        (&["--legend-title", "B"], "--legend-title"),
        (&["--look", "flat", "--key", "0.3"], "--key"),
        (&["--palette", "set2"], "--palette"),
        (&["--compute", "w = x * 2"], "the computed column w"),
        (&["--shadows"], "--shadows"),
        (&["--look", "flat", "--shadows"], "--shadows"),
        (&["--key-angle", "5"], "--key-angle"),
        (&["--key", "0.4", "--key-angle", "5"], "--key-angle"),
        (&["--ao", "off", "--ao-distance", "5"], "--ao-distance"),
        (&["--look", "flat", "--ao-strength", "0.5"], "--ao-strength"),
        (&["--ambient", "0", "--ao", "smooth"], "--ao"),
        (&["--fog-start", "0.2"], "--fog-start"),
        (&["--look", "studio", "--outline-depth", "3"], "--outline-depth"),
        (&["--outline-width", "0", "--outline-color", "red"], "--outline-color"),
        (&["--seed", "3"], "--seed"),
        (&["--specular", "0.5"], "--specular"),
        (&["--look", "flat", "--specular", "0.5"], "--specular"),
        (&["--look", "studio", "--roughness", "0.5"], "--roughness"),
        (&["--look", "studio", "--outline-color", "red"], "--outline-color"),
    ];
    for (flags, option) in idle {
        let notes = notes(flags);
        let wanted = format!("{option} changes nothing: ");
        assert!(notes.lines().count() == 1 && notes.contains(&wanted), "{flags:?}: {notes}");
    }
    let busy: [&[&str]; 12] = [
        &[],
        &["--slab", "0,0.5"],
        &["--slab", "1"],
        &["--shadows=false"],
        &["--look", "studio", "--shadows", "--key-angle", "5", "--key", "0.3", "--fill", "0.1"],
        &["--key", "0.4", "--shadows"],
        &["--ao-distance", "5", "--ao-strength", "0.5"],
        &["--fog", "0.3", "--fog-start", "0.2"],
        &["--outline-color", "red", "--outline-depth", "3"],
        &["--ao", "4", "--seed", "3"],
        &["--look", "glossy", "--roughness", "0.5"],
        &["--key", "0.4", "--specular", "0.5", "--gloss", "element C", "0.2,0.6"],
    ];
    for flags in busy {
        assert_eq!(notes(flags), "", "{flags:?}");
    }
}

#[test]
fn texts_that_are_no_numbers_are_refused_in_plain_words() {
    let folder = folder();
    for (flags, rule) in [(["--threads", "many"], "must be a whole number"), (["--limit-pixels", ""], "must be")] {
        let message = refused(folder.path(), &["render", "coin.toml", flags[0], flags[1]], &[rule]);
        assert!(!message.contains("literal") && !message.contains("digit found"), "{message}");
    }
    let some = ["compare", "a.png", "b.png", "--tolerance", "some"];
    refused(folder.path(), &some, &["'--tolerance <STEPS>': must be a number\n"]);
}

#[test]
fn shading_that_spheres_are_too_small_for_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: String = (0..90).map(|row| format!("C {} {} {row}\n", row * row % 89, row * 7 % 83)).collect();
    std::fs::write(folder.path().join("a.xyz"), format!("90\n\n{rows}")).expect("a file");
    let draw = |flags: &[&str]| {
        let own: &[&str] = &["render", "a.xyz", "-W", "90", "-o", "a.png"];
        let notes = succeeds(folder.path(), &[own, flags].concat()).1;
        (notes, std::fs::read(folder.path().join("a.png")).expect("a picture"))
    };
    for look in ["illustrative", "studio"] {
        let base = ["--style", "points", "--bonds", "none", "--look", look, "--samples", "1", "--outline-width", "1"];
        let plain = draw(&base).1;
        let options: [&[&str]; 9] = [
            &["--ao", "8"],
            &["--ao", "smooth", "--ao-strength", "0.3"],
            &["--ambient", "0.4"],
            &["--key", "0.9"],
            &["--fill", "0.7"],
            &["--rim", "0.4"],
            &["--specular", "0.5"],
            &["--key", "0.4", "--shadows"],
            &["--outline-depth", "3"],
        ];
        for flags in options {
            let (notes, picture) = draw(&[&base[..], flags].concat());
            let option = flags[flags.len() - 2 + usize::from(flags.last() == Some(&"--shadows"))];
            assert!(notes.contains(&format!("{option} changes nothing: ")) && picture == plain, "{flags:?}: {notes}");
            let (notes, _) = draw(&[&base[2..], flags].concat());
            assert!(!notes.contains("as small as pixels"), "{flags:?}: {notes}");
        }
    }
}

#[test]
fn keys_of_scenes_that_change_nothing_are_named_with_their_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = "[render]\nshadows = true\nseed = 7\nlook = \"illustrative\"\n[figure]\nlegend_title = \"B\"\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
    std::fs::write(folder.path().join("s.toml"), scene).expect("a file");
    let notes = succeeds(folder.path(), &["render", "s.toml", "-W", "20", "-o", "a.png"]).1;
    let expected = ["s.toml:2: render.shadows", "s.toml:3: render.seed", "s.toml:6: figure.legend_title"];
    for place in expected {
        assert!(notes.contains(&format!("{place} changes nothing: ")), "{place}: {notes}");
    }
    assert_eq!(notes.lines().count(), expected.len(), "{notes}");
    // an option takes the place of its key
    let notes = succeeds(folder.path(), &["render", "s.toml", "-W", "20", "-o", "a.png", "--seed", "3"]).1;
    assert!(notes.contains("--seed changes nothing: ") && !notes.contains("render.seed"), "{notes}");
    let lit = "[[light]]\ndirection = [0, -1, 0]\nangle = 5\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
    std::fs::write(folder.path().join("l.toml"), lit).expect("a file");
    let notes = succeeds(folder.path(), &["render", "l.toml", "-W", "20", "-o", "l.png"]).1;
    assert!(notes.contains("l.toml:3: light[0].angle changes nothing: "), "{notes}");
}

#[test]
fn streams_note_options_that_change_nothing_and_refuse_those_of_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let drawn = |flags: &[&str]| {
        let arguments = [
            &["render", "--generate", "uniform:100", "-W", "20", "-o", "g.png", "--look", "headlight", "--ao", "off"],
            flags,
        ]
        .concat();
        succeeds(folder.path(), &arguments).1
    };
    assert!(drawn(&["--fog-start", "0.2"]).contains("--fog-start changes nothing: "));
    assert_eq!(drawn(&["--fog", "0.2", "--fog-start", "0.2"]), "");
    refuses(
        &["render", "--generate", "uniform:100", "--color-by", "x"],
        &["--color-by is for bare data; the pattern uniform"],
    );
    refuses(
        &["render", "--generate", "uniform:100", "--opacity", "0.5"],
        &["`roundel generate uniform -n 100 -o - | roundel render -` keeps them in memory"],
    );
}

#[test]
fn a_number_for_transparency_leads_to_opacity() {
    refuses(&["render", "coin.toml", "--transparency", "0.5"], &["--transparency", "--opacity 0.5"]);
    refuses(&["render", "coin.toml", "--transparency=50%"], &["--transparency", "--opacity 0.5"]);
}

#[test]
fn the_demo_notes_input_that_it_does_not_read() {
    let folder = folder();
    let mut child = start(roundel(folder.path(), &["render", "-W", "32", "-H", "24"]).stdin(Stdio::piped()));
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("ends");
    assert!(text(&output.stderr).contains("`roundel render -` reads standard input"), "{}", text(&output.stderr));
}

#[test]
fn settings_out_of_range_are_refused() {
    refuses(&["render", "coin.toml", "--threads", "0"], &["--threads", "0"]);
    refuses(&["render", "coin.toml", "--tile", "7"], &["--tile must be 8 to 1024 pixels, got 7"]);
    refuses(&["render", "coin.toml", "--tile", "1025"], &["--tile", "1025"]);
    refuses(&["render", "coin.toml", "-W", "0"], &["--width", "got 0"]);
    refuses(&["render", "coin.toml", "-W", "1000000", "-H", "1000000"], &["1000000"]);
    refuses(&["render", "coin.toml", "--samples", "4"], &["--samples", "spheres", "coin.toml"]);
}

#[test]
fn numbers_that_are_not_finite_are_refused_by_every_option() {
    use roundel::io::{FrameChoice, LoadOption, LoadOptions, OptionKind, load, load_several};
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for name in ["a.xyz", "b.xyz"] {
        fs::write(at(name), "2\n\nHe 0 0 0\nNe 3 0 0\n").expect("written");
    }
    let of_words = ["slab", "gloss", "replicate", "figure_width", "text_size"];
    for option in LoadOption::all() {
        let count = match option.kind() {
            OptionKind::Whole | OptionKind::Integer | OptionKind::Number | OptionKind::ScaleBar => 1,
            OptionKind::Numbers(count) => count,
            OptionKind::ViewBox | OptionKind::Counts => 3,
            _ if of_words.contains(&option.name) => 1,
            _ => continue,
        };
        for value in ["nan", "inf", "-inf", "1e999"] {
            // the reach of occlusion may be infinite
            if option.name == "ao_distance" && !value.starts_with(['n', '-']) {
                continue;
            }
            let text = vec![value; count].join(",");
            let mut options = LoadOptions { color_by: Some("x".to_owned()), ..LoadOptions::default() };
            if option.set(&mut options, &text).is_ok() {
                let found = load(at("a.xyz"), &options).err().map(|error| error.to_string());
                assert!(found.is_some(), "{} {text}", option.name);
                let several = load_several(&[at("a.xyz"), at("b.xyz")], &FrameChoice::One, &options);
                assert!(several.is_err(), "{} {text} of several", option.name);
            }
        }
    }
    let [same, film] = ["compare a.png a.png", "film a.xyz -o a.gif"];
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/raster/strokes.png"), at("a.png")).expect("copied");
    for (command, flag) in [
        (same, "--tolerance"),
        (same, "--threshold"),
        (same, "--oklab"),
        (same, "--flip"),
        (same, "--share"),
        ("compare a.png a.png --flip 0.1", "--pixels-per-degree"),
        (film, "--turntable"),
        (film, "--rock"),
        ("film a.xyz -o a.gif --turntable 90", "--seconds"),
        ("film a.xyz -o a.gif --turntable 90", "--fps"),
    ] {
        for value in ["nan", "inf", "-inf", "1e999"] {
            let flag_and_value = format!("{flag}={value}");
            let arguments: Vec<&str> = command.split(' ').chain([&*flag_and_value]).collect();
            refused(folder.path(), &arguments, &[flag, "must be "]);
        }
    }
    assert!(!at("a.gif").exists());
}

#[test]
fn the_legend_of_a_part_says_that_it_counts_the_whole() {
    let folder = folder();
    fs::write(folder.path().join("k.csv"), "x,y,k\n1,2,a\n2,3,b\n50,1,a\n").expect("written");
    let draw = ["render", "k.csv", "--color-by", "k", "-W", "99", "--force", "-o", "k.png"];
    let says = |more: &[&str]| succeeds(folder.path(), &[&draw[..], more].concat()).1;
    let note = "note: k.csv: the legend counts all that the whole picture shows, not the part";
    let part = "--view-box=50,50,60";
    assert!(says(&["--legend=counts", part]).contains(note));
    for others in [&["--legend=counts"][..], &[part], &["--legend=on", part]] {
        assert!(!says(others).contains("the legend counts"), "{others:?}");
    }
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    refuses(&["render", "none.toml"], &["cannot read none.toml"]);
    refuses(&["info", "none.pdb"], &["cannot read none.pdb"]);
    refuses(&["render", "coin.toml", "-o", "none/a.png"], &["cannot write none/a.png"]);
    refuses(&["render", "coin.toml", "-o", "."], &["cannot write ."]);
    refuses(&["render", "."], &["cannot read ."]);
    refuses(&["selftest", "--manifest", "none.toml"], &["cannot read none.toml"]);
    refuses(&["selftest", "--manifest", "coin.toml"], &["coin.toml:1: unknown field `canvas`"]);
    refuses(&["generate", "uniform", "-n", "5", "-o", "none/a.csv"], &["cannot write none/a.csv"]);
}

#[test]
fn scene_from_standard_input_is_drawn_to_roundel_png() {
    let folder = folder();
    let mut child =
        roundel(folder.path(), &["render", "-q", "-"]).stdin(Stdio::piped()).spawn().expect("roundel starts");
    child.stdin.take().expect("piped").write_all(COIN.as_bytes()).expect("read whole");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(names(folder.path()), ["coin.toml", "roundel.png"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    refuses(&["render", "coin.toml", "-o", "/dev/full"], &["cannot write /dev/full"]);
    refuses(&["generate", "uniform", "-n", "5", "-o", "/dev/full"], &["--output must end in .csv, .xyz or .npy"]);
    for arguments in [
        &["render", "coin.toml", "-o", "-"][..],
        &["generate", "uniform", "-n", "1e5", "-o", "-"],
        &["info", "coin.toml"],
    ] {
        let folder = folder();
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("there on Linux");
        let output = roundel(folder.path(), arguments).stdout(full).output().expect("roundel starts");
        let message = assert_refused(&output, &arguments.join(" "), &["roundel: cannot write "]);
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

/// Limits files to 512 bytes, as a disk that fills up does; unlike permissions this also stops root.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_old_files_unchanged() {
    let folder = folder();
    let shell = |command: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 1; exec \"$ROUNDEL\" {command}");
        let mut shell = Command::new("sh");
        shell.current_dir(folder.path()).env("ROUNDEL", env!("CARGO_BIN_EXE_roundel")).args(["-c", &script]);
        shell.stdin(Stdio::null()).output().expect("a shell starts")
    };
    succeeds(folder.path(), &["render", "coin.toml", "-o", "old.png"]);
    let old = fs::read(folder.path().join("old.png")).expect("written");
    fs::write(folder.path().join("old.csv"), "mine").expect("written");
    for command in ["render -W 320 -H 240 -o old.png", "generate uniform -n 1e5 -o old.csv --force"] {
        assert_refused(&shell(command), command, &["roundel: cannot write old."]);
    }
    assert_eq!(fs::read(folder.path().join("old.png")).expect("there"), old);
    assert_eq!(fs::read_to_string(folder.path().join("old.csv")).expect("there"), "mine");
    assert_eq!(names(folder.path()), ["coin.toml", "old.csv", "old.png"]);
}

#[test]
fn places_that_cannot_be_written_are_named() {
    // a file in place of a folder
    refuses(&["render", "coin.toml", "-o", "coin.toml/a.png"], &["cannot write coin.toml/a.png"]);
    refuses(&["generate", "uniform", "-n", "5", "-o", "coin.toml/a.csv"], &["cannot write coin.toml/a.csv"]);
    // a folder that not even root can write to
    #[cfg(target_os = "linux")]
    refuses(&["render", "coin.toml", "-o", "/proc/a.png"], &["cannot write /proc/a.png"]);
}

#[cfg(unix)]
#[test]
fn read_only_folders_and_files_stay_unchanged() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder();
    succeeds(folder.path(), &["render", "coin.toml", "-o", "old.png"]);
    let old = folder.path().join("old.png");
    let before = fs::read(&old).expect("written");
    fs::set_permissions(&old, fs::Permissions::from_mode(0o444)).expect("permitted to the owner");
    let small = ["render", "-W", "64", "-H", "48", "-o", "old.png"];
    refused(folder.path(), &small, &["roundel: cannot write old.png: "]);
    assert_eq!(fs::read(&old).expect("there"), before);
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).expect("made");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).expect("permitted to the owner");
    // root can write there
    if fs::write(locked.join("probe"), "").is_err() {
        let draw = ["render", "coin.toml", "-o", "locked/a.png"];
        refused(folder.path(), &draw, &["roundel: cannot write locked/a.png: "]);
        assert_eq!(names(&locked), [""; 0]);
    }
}

#[test]
fn render_overwrites_only_pictures_without_force() {
    let folder = folder();
    fs::write(folder.path().join("notes.png"), "mine").expect("written");
    for (output, rule) in [
        ("notes.png", "exists and is not a PNG"),
        ("coin.toml", "must end in .png"),
        ("./coin.toml", "must end in .png"),
    ] {
        refused(folder.path(), &["render", "coin.toml", "-o", output], &[rule]);
    }
    assert_eq!(fs::read_to_string(folder.path().join("notes.png")).expect("there"), "mine");
    assert_eq!(fs::read_to_string(folder.path().join("coin.toml")).expect("there"), COIN);
    succeeds(folder.path(), &["render", "coin.toml", "-o", "notes.png", "--force"]);
    succeeds(folder.path(), &["render", "coin.toml", "-o", "notes.png"]);
    read_png(folder.path().join("notes.png")).expect("a PNG now");
}

#[test]
fn generate_refuses_existing_files_and_unknown_extensions() {
    let folder = folder();
    succeeds(folder.path(), &["generate", "lattice", "-n", "8", "-o", "a.csv"]);
    let again = ["generate", "lattice", "-n", "27", "-o", "a.csv"];
    refused(folder.path(), &again, &["--output a.csv exists; --force overwrites it"]);
    succeeds(folder.path(), &["generate", "lattice", "-n", "27", "-o", "a.csv", "--force"]);
    assert_eq!(fs::read_to_string(folder.path().join("a.csv")).expect("written").lines().count(), 28);
    refuses(
        &["generate", "lattice", "-n", "8", "-o", "a.pdb"],
        &["--output must end in .csv, .xyz or .npy, got a.pdb"],
    );
    refuses(
        &["generate", "lattice", "-n", "8", "-o", "a.xyz", "--circles"],
        &["--output must end in .csv for circles"],
    );
    for count in ["0", "-1", "1.5", "1e30", "many", "1e12"] {
        refuses(&["generate", "lattice", "-n", count, "-o", "a.csv"], &[count]);
    }
}

#[test]
fn generated_files_hold_the_librarys_shapes_and_draw() {
    let folder = folder();
    let (csv, _) = succeeds(folder.path(), &["generate", "gaussian", "-n", "40_000", "--seed", "3", "-o", "-"]);
    let spheres = roundel::generate::spheres(roundel::generate::Pattern::Gaussian, 40_000, 3);
    assert_eq!(csv.lines().count(), 40_001);
    for (line, sphere) in csv.lines().skip(1).zip(&spheres) {
        let mut parts = line.split(',');
        let mut number = || parts.next().expect("a field").parse::<f32>().expect("a number");
        assert_eq!(([number(), number(), number()], number()), (sphere.center, sphere.radius));
        assert_eq!(parts.next(), Some(sphere.color.to_string().as_str()));
    }
    succeeds(folder.path(), &["generate", "sunflower", "-n", "1e3", "--circles", "-o", "flat.csv"]);
    succeeds(folder.path(), &["generate", "sphereflake", "-n", "91", "-o", "flake.xyz"]);
    for (file, shapes) in [("flat.csv", "1000 shapes"), ("flake.xyz", "91 shapes")] {
        let (stdout, _) = succeeds(folder.path(), &["render", file, "-W", "40", "-H", "30"]);
        assert!(stdout.contains(shapes), "{stdout}");
    }
}

#[test]
fn info_prints_text_and_json() {
    let folder = folder();
    let (stdout, _) = succeeds(folder.path(), &["info", "coin.toml"]);
    assert!(stdout.contains("TOML scene") && stdout.contains("24 x 16 pixels"), "{stdout}");
    let (stdout, _) = succeeds(folder.path(), &["info", "coin.toml", "--json"]);
    let description: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(description["format"], "toml");
    assert_eq!(description["circles"], 1);
    assert_eq!((&description["width"], &description["height"]), (&Value::from(24), &Value::from(16)));
    // the scene in it draws the same from any file
    let (drawn, again) = (folder.path().join("coin.png"), folder.path().join("scene.png"));
    succeeds(folder.path(), &["render", "coin.toml"]);
    fs::write(folder.path().join("scene.json"), description["scene"].to_string()).expect("written");
    succeeds(folder.path(), &["render", "scene.json"]);
    assert_eq!(fs::read(drawn).expect("drawn"), fs::read(again).expect("drawn"));
}

#[test]
fn schema_is_printed_as_in_the_documentation() {
    let (schema, _) = succeeds(folder().path(), &["schema"]);
    assert_eq!(schema, include_str!("../../docs/scene.schema.json"));
}

#[test]
fn help_goes_to_standard_output_and_has_examples_of_80_columns() {
    let folder = folder();
    let (help, _) = succeeds(folder.path(), &["--help"]);
    let mut subcommands =
        vec!["render", "export", "info", "compare", "golden", "generate", "schema", "selftest", "completions", "man"];
    if cfg!(feature = "viewer") {
        subcommands.push("view");
    }
    for subcommand in subcommands {
        assert!(help.contains(&format!("\n  {subcommand}")), "{help}");
        let (help, stderr) = succeeds(folder.path(), &[subcommand, "--help"]);
        assert!(help.contains("Examples:") && help.contains("Usage: roundel"), "{help}");
        assert_eq!(stderr, "");
        // as in the source, not wrapped
        let output = roundel(folder.path(), &[subcommand, "--help"]).env("COLUMNS", "200").output().expect("starts");
        let help = text(&output.stdout);
        let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  roundel ")).collect();
        assert!(!examples.is_empty() && examples.iter().all(|line| line.len() <= 80), "{examples:#?}");
    }
    let (version, _) = succeeds(folder.path(), &["--version"]);
    assert_eq!(version, format!("roundel {}\n", env!("CARGO_PKG_VERSION")));
    refused(folder.path(), &[], &["Usage: roundel"]);
}

#[test]
fn completions_and_manual_cover_every_subcommand() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (script, _) = succeeds(folder.path(), &["completions", shell]);
        assert!(script.contains("generate") && script.contains("no-cull"), "{shell}");
    }
    let (page, _) = succeeds(folder.path(), &["man"]);
    assert!(page.contains(".TH roundel 1") && page.contains("roundel\\-render(1)"), "{page}");
    succeeds(folder.path(), &["man", "-o", "pages/man1"]);
    let pages = names(&folder.path().join("pages/man1"));
    for page in ["roundel.1", "roundel-render.1", "roundel-info.1", "roundel-golden-check.1"] {
        assert!(pages.iter().any(|name| name == page), "{pages:?}");
    }
    let render = fs::read_to_string(folder.path().join("pages/man1/roundel-render.1")).expect("written");
    assert!(render.contains(".TH roundel-render 1") && render.contains(".SH EXAMPLES"), "{render}");
}

#[test]
fn a_closed_pipe_ends_silently_with_status_2() {
    let folder = folder();
    let mut child = start(&mut roundel(folder.path(), &["generate", "uniform", "-n", "1e7", "-o", "-"]));
    let mut head = [0; 17];
    let mut stdout = child.stdout.take().expect("piped");
    stdout.read_exact(&mut head).expect("a beginning");
    assert_eq!(&head, b"x,y,z,radius,colo");
    drop(stdout);
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_pipe_closed_under_a_picture_ends_silently_with_status_2() {
    let folder = folder();
    // more bytes than a pipe holds
    let size = ["-W", "1500", "-H", "1500", "--samples", "1", "--ao", "1"];
    let mut child = start(&mut roundel(folder.path(), &[&["render", "-o", "-"], &size[..]].concat()));
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), String::new()));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_generate_and_leaves_no_file() {
    use std::os::unix::process::ExitStatusExt;

    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let folder = folder();
        let mut child = roundel(folder.path(), &["generate", "uniform", "-n", "1e9", "-o", "big.csv"])
            .spawn()
            .expect("roundel starts");
        // until it writes its temporary file
        while names(folder.path()).len() < 2 {
            assert!(child.try_wait().expect("asked").is_none(), "ended before the signal");
            std::thread::yield_now();
        }
        assert!(!folder.path().join("big.csv").exists());
        let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill starts");
        assert!(sent.success());
        assert_eq!(child.wait().expect("ends").signal(), Some(number));
        assert_eq!(names(folder.path()), ["coin.toml"], "{name}");
    }
}

/// Sends two signals while a scene is read and while it is drawn: each ends the run, and the old picture stays.
#[cfg(unix)]
#[test]
fn a_signal_ends_render_and_leaves_the_old_picture() {
    use std::os::unix::process::ExitStatusExt;

    let folder = folder();
    succeeds(folder.path(), &["render", "coin.toml", "-o", "old.png"]);
    let old = fs::read(folder.path().join("old.png")).expect("written");
    // would take a day to draw
    let endless = "[camera]\nwidth = 1280\nheight = 960\n[render]\nsamples = 4096\nao = 4096\n\
                   [[generate]]\nkind = \"uniform\"\ncount = 1000\n";
    fs::write(folder.path().join("endless.toml"), endless).expect("written");
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        for (stage, input) in [("reading", "-"), ("drawing", "endless.toml")] {
            let arguments = ["render", "-v", input, "-o", "old.png"];
            let mut child = roundel(folder.path(), &arguments)
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("roundel starts");
            let mut stdin = child.stdin.take().expect("piped");
            if stage == "reading" {
                // more bytes than a pipe holds: once they are written, the run is reading and waits for more
                stdin.write_all("# comment\n".repeat(50_000).as_bytes()).expect("read");
            } else {
                let mut stderr = std::io::BufReader::new(child.stderr.take().expect("piped"));
                let mut line = String::new();
                std::io::BufRead::read_line(&mut stderr, &mut line).expect("a line");
                assert!(line.starts_with("read endless.toml in "), "{line}");
            }
            let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill starts");
            assert!(sent.success());
            assert_eq!(child.wait().expect("ends").signal(), Some(number), "{name} while {stage}");
            assert_eq!(fs::read(folder.path().join("old.png")).expect("there"), old, "{name} while {stage}");
            assert_eq!(names(folder.path()), ["coin.toml", "endless.toml", "old.png"], "{name} while {stage}");
        }
    }
}

#[test]
fn concurrent_runs_leave_one_complete_picture() {
    let folder = folder();
    let draw = |radius: &str| {
        let scene = COIN.replace("radius = 6", radius);
        let name = format!("{}.toml", radius.replace(' ', ""));
        fs::write(folder.path().join(&name), scene).expect("written");
        roundel(folder.path(), &["render", "-q", "-o", "same.png", &name]).spawn().expect("roundel starts")
    };
    let mut runs: Vec<_> = (1..=7).map(|radius| draw(&format!("radius = {radius}"))).collect();
    assert!(runs.iter_mut().all(|run| run.wait().expect("ends").success()));
    let same = read_png(folder.path().join("same.png")).expect("whole");
    let is_one_of_them = (1..=7).any(|radius| {
        succeeds(folder.path(), &["render", "-q", "-o", "alone.png", &format!("radius={radius}.toml")]);
        read_png(folder.path().join("alone.png")).expect("a PNG") == same
    });
    assert!(is_one_of_them, "a mixture of several");
    assert!(names(folder.path()).iter().all(|name| !name.ends_with(".tmp")));
}

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

#[test]
fn generated_shapes_need_no_file() {
    let folder = folder();
    let write = |name: &str, scene: &str| fs::write(folder.path().join(name), scene).expect("written");
    let generate = "[[generate]]\nkind = \"uniform\"\ncount = 500\nseed = 9\n";
    write("space.toml", &format!("[camera]\nwidth = 40\nheight = 30\n{generate}"));
    write(
        "plane.toml",
        &format!("[canvas]\nwidth = 40\nheight = 30\nview = {{ center = [0, 0], height = 2 }}\n{generate}"),
    );
    for scene in ["space.toml", "plane.toml"] {
        let (stdout, _) = succeeds(folder.path(), &["render", scene]);
        assert!(stdout.contains("500 shapes"), "{stdout}");
    }
    // the same shapes from a file
    succeeds(folder.path(), &["generate", "uniform", "-n", "500", "--seed", "9", "-o", "made.csv"]);
    let by_file = "[camera]\nwidth = 40\nheight = 30\n[[spheres]]\nfile = \"made.csv\"\ncolor_by = \"color\"\n";
    write("by_file.toml", by_file);
    succeeds(folder.path(), &["render", "by_file.toml"]);
    let [made, by_file] = ["space.png", "by_file.png"].map(|name| read_png(folder.path().join(name)).expect("a PNG"));
    assert_eq!(made, by_file);
    write("bad.toml", &generate.replace("uniform", "unifrom"));
    refused(folder.path(), &["render", "bad.toml"], &["bad.toml:2", "did you mean \"uniform\"?"]);
}

#[test]
fn files_over_a_limit_are_streamed_in_looks_that_streams_can_draw() {
    let folder = folder();
    succeeds(folder.path(), &["generate", "gaussian", "-n", "5000", "-o", "a.npy"]);
    // a limit that a stream keeps, and one that it does not
    let (_, note) = succeeds(folder.path(), &["render", "a.npy", "--limit-memory", "300M", "-W", "800", "-o", "c.png"]);
    assert!(!note.contains("block at a time"), "{note}");
    succeeds(folder.path(), &["generate", "uniform", "-n", "1e6", "-o", "many.npy"]);
    let (_, note) =
        succeeds(folder.path(), &["render", "many.npy", "--limit-memory", "50M", "-W", "99", "-o", "d.png"]);
    assert!(note.contains("drawn a block at a time, as with --stream: ") && note.contains("over the limit"), "{note}");
    succeeds(folder.path(), &["render", "many.npy", "--stream", "-W", "99", "-o", "e.png"]);
    let [streamed, asked] = ["d.png", "e.png"].map(|name| fs::read(folder.path().join(name)).expect("a picture"));
    assert!(streamed == asked);
    let limited = ["render", "many.npy", "--limit-memory", "5M", "-o", "f.png"];
    refused(folder.path(), &limited, &["--limit-memory raises it"]);
    // the default look is simplified, a requested one is refused
    let (_, note) = succeeds(folder.path(), &["render", "a.npy", "--stream", "-W", "2000", "-o", "g.png"]);
    assert!(note.contains("without ambient occlusion"), "{note}");
    let shadows = ["--look", "studio", "--ao", "off", "--key-angle", "0", "--cloud-radius", "0", "-W", "300", "-o"];
    succeeds(folder.path(), &[&["render", "a.npy", "--stream"], &shadows[..], &["h.png"]].concat());
    succeeds(folder.path(), &[&["render", "a.npy", "--view", "top"], &shadows[..], &["i.png"]].concat());
    let [streamed, whole] = ["h.png", "i.png"].map(|name| fs::read(folder.path().join(name)).expect("a picture"));
    assert!(streamed == whole);
    let studio = ["render", "a.npy", "--stream", "--look", "studio", "-W", "2000"];
    refused(folder.path(), &studio, &["--stream forgets hidden spheres"]);
}

#[test]
fn streams_note_the_turn_that_shows_a_long_cloud_broadside() {
    let folder = folder();
    let at = folder.path();
    // along z, and a little along y
    let place = |index: u32| (f64::from(index % 7) * 0.2, f64::from(index) * 0.01, f64::from(index) * 0.1);
    let rows = |head: &str, before: &str| {
        let row = |index| {
            let (x, y, z) = place(index);
            format!("{before}{x:.3} {y:.3} {z:.3}\n")
        };
        head.to_owned() + &(0..400).map(row).collect::<String>()
    };
    fs::write(at.join("long.txt"), rows("x y z\n", "")).expect("a table");
    fs::write(at.join("long.xyz"), rows("400\n\n", "Ar ")).expect("atoms");
    fs::write(at.join("box.xyz"), rows("400\nLattice=\"5 0 0 0 5 0 0 0 50\"\n", "Ar ")).expect("atoms in a box");
    let small = ["--look", "headlight", "--ao", "off", "-W", "100", "--samples", "1", "-o", "out.png", "--force"];
    let draw = |arguments: &[&str]| {
        succeeds(at, &[&["render"], &small[..], arguments].concat());
        read_png(at.join("out.png")).expect("a picture")
    };
    let noted = |arguments: &[&str]| {
        let (_, said) = succeeds(at, &[&["render", "--stream"], &small[..], arguments].concat());
        let turn = said.split_once("a stream is seen from the front, not broadside; ")?.1.split_once(" turns")?.0;
        Some(turn.split(' ').map(str::to_owned).collect::<Vec<_>>())
    };
    for file in ["long.txt", "long.xyz"] {
        let turn = noted(&[file]).expect("a note");
        assert_eq!(noted(&[file]).as_ref(), Some(&turn), "kept beside {file}");
        let turn: Vec<&str> = turn.iter().map(String::as_str).collect();
        let streamed = draw(&[&[file, "--stream"], &turn[..]].concat());
        let whole = draw(&[file]);
        let [streamed, whole] = [streamed, whole].map(|frame| (frame.width(), frame.height()));
        assert!(streamed.0 == whole.0 && streamed.1.abs_diff(whole.1) < 4, "{streamed:?} and {whole:?}");
        assert_eq!(noted(&[&[file], &turn[..]].concat()), None);
        assert_eq!(noted(&[file, "--view", "iso"]), None);
    }
    assert_eq!(noted(&["box.xyz"]), None);
    succeeds(at, &["generate", "uniform", "-n", "5000", "-o", "round.npy"]);
    assert_eq!(noted(&["round.npy"]), None);
}

#[test]
fn streamed_arrays_are_drawn_as_if_they_were_in_memory() {
    let folder = folder();
    let draw = |arguments: &[&str]| {
        let plain = ["--look", "headlight", "--ao", "off", "-W", "80", "-o"];
        succeeds(folder.path(), &[&["render"], arguments, &plain, &["out.png"]].concat());
        fs::read(folder.path().join("out.png")).expect("a picture")
    };
    succeeds(folder.path(), &["generate", "gaussian", "-n", "5000", "-o", "a.npy"]);
    let whole = draw(&["a.npy", "--view", "top"]);
    assert!(draw(&["a.npy", "--stream"]) == whole);
    assert!(draw(&["a.npy", "--stream", "--threads", "1", "--tile", "16"]) == whole);
    let bytes = fs::read(folder.path().join("a.npy")).expect("an array");
    assert_eq!(bytes.len(), 128 + 5000 * 16);
    let (_, statistics) =
        succeeds(folder.path(), &["render", "--generate", "uniform:1e5", "-W", "80", "--stats=json", "-o", "b.png"]);
    let statistics: Value = serde_json::from_str(&statistics).expect("JSON");
    assert_eq!(statistics["counts"]["shapes"], 100_000);
    // several files are one scene, without the colours that each has in memory
    for (look, lacks) in [
        (&["--look", "illustrative"][..], "no colours and no legend of files, no lines between files"),
        (&["--look", "illustrative", "--color-by", "#cc4422"], "no lines between files"),
        (&["--look", "headlight"], "no colours and no legend of files"),
        (&["--look", "headlight", "--color-by", "#cc4422"], ""),
    ] {
        let two = ["render", "--stream", "a.npy", "a.npy", "--ao", "off", "-W", "40", "-o", "two.png"];
        let (_, said) = succeeds(folder.path(), &[&two[..], look].concat());
        let note = said.split_once("a stream draws several files as one: ").map_or("", |(_, lacks)| lacks.trim_end());
        assert_eq!(note, lacks, "{look:?}");
    }
    fs::write(folder.path().join("cut.npy"), &bytes[..1000]).expect("a file");
    refused(folder.path(), &["render", "--stream", "a.npy", "cut.npy", "-o", "cut.png"], &["cut.npy", "5000 rows"]);
    assert!(!folder.path().join("cut.png").exists());
    if cfg!(target_os = "linux") {
        let full = ["render", "--stream", "a.npy", "--look", "headlight", "--ao", "off", "-W", "80", "-o", "/dev/full"];
        refused(folder.path(), &full, &["cannot write /dev/full"]);
    }
    // refused before any work begins
    for translucent in [["--opacity", "0.5"], ["--color", "#ff000080"], ["--opacity-by", "x"]] {
        let draw = [&["render", "--stream", "a.npy", "-o", "ghost.png"], &translucent[..]].concat();
        let message = refused(folder.path(), &draw, &[translucent[0], "streamed"]);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!folder.path().join("ghost.png").exists());
    }
    refuses(&["render", "--stream"], &["--stream", "is for files"]);
    refuses(&["render", "coin.toml", "coin.toml"], &["a scene draws several"]);
    refuses(&["render", "--stream", "coin.toml"], &["is for tables, arrays"]);
    refuses(&["render", "--generate", "uniform"], &["uniform:1e9:1"]);
    refuses(&["render", "--generate", "uniform:10", "--circles", "--ao", "off"], &["is for spheres"]);
}
