//! Files larger than memory: when they are streamed, and that streams draw the bytes of memory.
#![cfg(feature = "cli")]

use std::fs;

use super::cli::{folder, refused, refuses, succeeds};
use roundel::io::read_png;
use serde_json::Value;

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
