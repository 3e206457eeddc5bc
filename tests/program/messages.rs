//! Messages name what the user has given, and a way that works.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::files::text;
use crate::shell::{refuses, roundel, succeeds};

/// A folder with two atoms, a trajectory of three frames with steps, and tables in space and in the plane.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("h.xyz", "1\n\nH 0 0 0\n");
    write("o.xyz", "1\n\nO 0 0 0\n");
    let frame = |step: i32| format!("3\nstep={step}\nC 0 {step} 0\nC 1 0 0\nO 2.5 0 {step}\n");
    write("steps.xyz", &[0, 1, 2].map(frame).concat());
    write("space.csv", "x,y,z,v\n0,0,0,1\n1,0,0,2\n0,1,1,3\n");
    write("plane.csv", "x,y,v\n0,0,1\n1,0,2\n");
    folder
}

/// What a command that succeeds says on standard error.
fn notes(folder: &Path, arguments: &str) -> String {
    text(&succeeds(folder, arguments).stderr)
}

#[test]
fn wrong_arguments_are_quoted_in_part() {
    let folder = folder();
    let long = "A".repeat(50_000);
    for arguments in [
        format!("render plane.csv --format {long}"),
        format!("render plane.csv --{long}"),
        format!("render h.xyz --clip {long}"),
        format!("render h.xyz --highlight all {long}"),
    ] {
        let output = roundel(folder.path(), &arguments);
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.ends_with('\n') && message.contains('…'), "{message:.300}");
        assert!(message.len() < 2000, "{} bytes: {message:.300}", message.len());
    }
}

#[test]
fn refusals_name_the_option_that_was_given_and_another_that_works() {
    let folder = folder();
    for (arguments, parts) in [
        ("render steps.xyz --color-by coordination --palette set2", ["--palette is for categories", "colormap"]),
        ("render steps.xyz -w 300", ["-w", "tip: -W is --width"]),
        ("render steps.xyz --color-by element --palette colorblind", ["--palette has no colorblind", "okabe-ito"]),
        ("render steps.xyz -o x.gif", ["got x.gif", "`roundel film`"]),
        ("render steps.xyz -o x.html", ["got x.html", "`roundel export`"]),
        ("film plane.csv -o x.gif", ["plane.csv is a table, which is one frame", "--turntable"]),
        (
            "render steps.xyz --stamp step --frames 0,1 --grid 2x1",
            ["--stamp is for one picture, not for the panels of a grid", "--panel-title '{time}'"],
        ),
        ("render steps.xyz --stamp step --frames all", ["--stamp is for one frame of one file", "has several"]),
        ("render steps.xyz --view a,b --grid 2x1", ["must be several sides", "or one edge or axis alone"]),
        ("film h.xyz -o x.gif", ["the data has one frame", "--turntable"]),
        ("render steps.xyz --only 'element C within 1 of element O'", ["column 11", "expected and within"]),
    ] {
        refuses(folder.path(), arguments, &parts);
    }
    // a list of one frame is one picture
    succeeds(folder.path(), "render steps.xyz --frames 1 --stamp step -W 40 -o listed.png");
    succeeds(folder.path(), "render steps.xyz --frame 1 --stamp step -W 40 -o one.png");
    let [listed, one] = ["listed.png", "one.png"].map(|name| fs::read(folder.path().join(name)).expect("a picture"));
    assert!(listed == one);
    refuses(folder.path(), "render steps.xyz --frames 7 -o x.png", &["--frames"]);
    let unknown = text(&roundel(folder.path(), "render h.xyz -w 300").stderr);
    assert!(!unknown.contains("'-- -w'"), "{unknown}");
}

#[test]
fn flip_takes_no_limits_on_pixels_not_even_their_defaults() {
    let folder = folder();
    succeeds(folder.path(), "render h.xyz -W 40 -o a.png");
    for limit in ["--pixels 0", "--share 1", "--window 4", "--ignore-antialiasing"] {
        refuses(folder.path(), &format!("compare a.png a.png --flip 0.1 {limit}"), &["judges by the mean error"]);
    }
    succeeds(folder.path(), "compare a.png a.png --flip 0.1");
}

#[test]
fn a_picture_says_how_far_its_occlusion_is_from_rays() {
    let folder = folder();
    // the inside of a box of spheres without a front and a lid, seen from −y with z up
    let walls = (0..625).flat_map(|index: u16| {
        let [a, b] = [index % 25, index / 25].map(|along| f32::from(along) / 12.0 - 1.0);
        [[-1.0, a, b], [1.0, a, b], [a, b, -1.0], [a, 1.0, b]]
    });
    let rows: String = walls.map(|[x, y, z]| format!("{x},{y},{z},0.06\n")).collect();
    fs::write(folder.path().join("room.csv"), "x,y,z,radius\n".to_owned() + &rows).expect("a file");
    let drawn = |ao: &str| notes(folder.path(), &format!("render room.csv -W 80 -H 60 --view front {ao} --force"));
    let smooth = drawn("--ao smooth --ao-distance 100");
    assert!(smooth.contains("of the surfaces open, and rays 0.") && smooth.contains("--ao 64"), "{smooth}");
    assert_eq!(drawn("--ao 16"), "");
    let film = "film room.csv -o room.gif --turntable 10 --seconds 0.1";
    for command in ["render room.csv room.csv --grid 2x1 -o grid.png", film] {
        let said = notes(folder.path(), &format!("{command} -W 80 -H 60 --view front --ao smooth --ao-distance 100"));
        assert!(said.contains("of the surfaces open, and rays 0."), "{said}");
    }
}

#[test]
fn panels_of_elements_note_no_option_that_nobody_gave() {
    let folder = folder();
    assert_eq!(notes(folder.path(), "render h.xyz o.xyz --grid 2x1 -W 80 -o grid.png"), "");
}

#[test]
fn turns_say_which_frames_they_leave_out() {
    let folder = folder();
    let film = |arguments: &str| {
        notes(folder.path(), &format!("film {arguments} --turntable 90 --seconds 0.1 -W 40 -o turn.gif --force"))
    };
    let says = |arguments: &str| film(arguments).contains("steps.xyz has several frames");
    assert!(says("steps.xyz") && says("h.xyz steps.xyz"));
    for arguments in
        ["h.xyz", "space.csv", "steps.xyz --frame 1", "steps.xyz --frames all", "steps.xyz --turn-then-play"]
    {
        assert!(!says(arguments), "{arguments}");
    }
    fs::write(folder.path().join("scene.toml"), "[[spheres]]\nfile = \"steps.xyz\"\n").expect("a scene");
    assert!(film("scene.toml").contains("scene.toml has several frames"));
}

#[test]
fn suggestions_keep_the_options_that_were_given() {
    let folder = folder();
    let said = text(&succeeds(folder.path(), "info space.csv --view top --radius 0.2 --color-by x").stdout);
    assert!(said.contains("roundel render space.csv --view=top --radius=0.2 --color-by v --legend\n"), "{said}");
    let said = text(&succeeds(folder.path(), "info steps.xyz --only 'element C' --frame 1").stdout);
    for line in ["--only='element C' --frame -1\n", "roundel film steps.xyz --only='element C' -o film.webp\n"] {
        assert!(said.contains(line), "{line}: {said}");
    }
}
