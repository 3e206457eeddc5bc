//! The command line as a user meets it: exit statuses, messages and the files written.
#![cfg(feature = "cli")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::files::{names, text};
use crate::running::{COIN, assert_refused, roundel, run, start};
use roundel::SimdLevel;
use roundel::io::read_png;
use serde_json::Value;
use tempfile::TempDir;

/// Creates a folder that holds `coin.toml`.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("coin.toml"), COIN).expect("the scene is written");
    folder
}

/// Runs a command in a folder, which must end with status 2 and a message with all of these parts.
pub(crate) fn refused(folder: &Path, arguments: &[&str], parts: &[&str]) -> String {
    assert_refused(&run(folder, arguments), &arguments.join(" "), parts)
}

/// Asserts that a command ends with status 2 and one message that contains the parts, prints nothing to standard output
/// and writes no file.
pub(crate) fn refuses(arguments: &[&str], parts: &[&str]) {
    let folder = folder();
    let output = run(folder.path(), arguments);
    let message = assert_refused(&output, &arguments.join(" "), parts);
    assert!(message.starts_with("roundel: "), "{arguments:?}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(names(folder.path()), ["coin.toml"], "{arguments:?}");
}

pub(crate) fn succeeds(folder: &Path, arguments: &[&str]) -> (String, String) {
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
    assert_eq!(
        keys(&stats["counts"]),
        ["binned", "culled", "edges", "lit", "occluders", "rays", "shaded", "shapes", "tiles", "visible"]
    );
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
    for name in ["fig.eps", "fig.jpg", "fig.png.bak"] {
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
    let frames = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenes/argon.xyz.gz");
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
fn a_number_for_transparency_leads_to_opacity() {
    refuses(&["render", "coin.toml", "--transparency", "0.5"], &["--transparency", "--opacity 0.5"]);
    refuses(&["render", "coin.toml", "--transparency=50%"], &["--transparency", "--opacity 0.5"]);
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
fn scene_from_standard_input_is_drawn_to_roundel_png() {
    let folder = folder();
    let mut child =
        roundel(folder.path(), &["render", "-q", "-"]).stdin(Stdio::piped()).spawn().expect("roundel starts");
    child.stdin.take().expect("piped").write_all(COIN.as_bytes()).expect("read whole");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(names(folder.path()), ["coin.toml", "roundel.png"]);
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
