//! Options and keys that change nothing are noted, in memory and in streams.
#![cfg(feature = "cli")]

use std::fs;

use super::cli::{folder, refuses, succeeds};
use crate::files::text;
use crate::running::run;

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
