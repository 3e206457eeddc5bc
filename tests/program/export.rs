//! `roundel export`: one page with data, viewer and still picture, that needs no network and runs nothing that a name
//! or title says.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::io::Read;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use roundel::io::{LoadOption, read_png};
use serde_json::Value;

use crate::files::{names, text};
use crate::running::{assert_refused, run};

/// Exports with these arguments, and returns the page and what standard error says.
fn exported(folder: &Path, arguments: &[&str]) -> (String, String) {
    let arguments = [&["export", "-o", "page.html"], arguments].concat();
    let output = run(folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    (fs::read_to_string(folder.join("page.html")).expect("a page"), text(&output.stderr))
}

fn refuses(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let before = names(folder);
    assert_refused(&run(folder, &[&["export"], arguments].concat()), &arguments.join(" "), parts);
    assert_eq!(names(folder), before, "{arguments:?} leaves files");
}

/// The text between two marks of a page.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("no {start} in the page"));
    rest.split_once(end).expect("an end").0
}

/// The page's list of files and options.
fn facts(page: &str) -> Value {
    serde_json::from_str(between(page, "id=\"page\">", "</script>")).expect("JSON")
}

/// Names and content of the files in a page.
fn packed(page: &str) -> Vec<(String, Vec<u8>)> {
    let facts = facts(page);
    let files = facts["files"].as_array().expect("a list").iter();
    let content = |file: &Value| {
        let place = format!("id=\"{}\">", file["id"].as_str().expect("a text"));
        let bytes = STANDARD.decode(between(page, &place, "</script>")).expect("Base64");
        if file["isPacked"] == true {
            let mut content = Vec::new();
            GzDecoder::new(&bytes[..]).read_to_end(&mut content).expect("gzip");
            return content;
        }
        bytes
    };
    files.map(|file| (file["name"].as_str().expect("a text").to_owned(), content(file))).collect()
}

fn water(folder: &Path, name: &str) {
    fs::write(folder.join(name), "3\n\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n").expect("written");
}

#[test]
fn still_picture_is_the_picture_of_render() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    water(folder, "water.xyz");
    let flags = ["water.xyz", "--look", "flat", "-W", "160", "--title", "Water"];
    let (page, _) = exported(folder, &flags);
    let render = run(folder, &[&["render", "-q", "-o", "still.png"], &flags[..]].concat());
    assert_eq!(render.status.code(), Some(0), "{}", text(&render.stderr));
    let still = STANDARD.decode(between(&page, "src=\"data:image/png;base64,", "\"")).expect("Base64");
    fs::write(folder.join("page.png"), still).expect("written");
    let read = |name: &str| read_png(folder.join(name)).expect("a PNG");
    assert_eq!(read("page.png").pixels(), read("still.png").pixels());
    assert_eq!(facts(&page)["options"]["look"], "flat");
    assert_eq!(packed(&page)[0], ("water.xyz".to_owned(), fs::read(folder.join("water.xyz")).expect("there")));
}

#[test]
fn page_names_nothing_outside_of_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    water(folder.path(), "water.xyz");
    let (page, notes) = exported(folder.path(), &["water.xyz"]);
    assert_eq!(notes, "");
    let start = &page[..1024];
    assert!(start.contains("<meta name=\"generator\" content=\"roundel\">"), "{start}");
    assert!(start.contains("content=\"default-src 'none'; img-src data: blob:;"), "{start}");
    for attribute in [" src=", " href=", "url(", "@import"] {
        for value in page.split(attribute).skip(1) {
            assert!(value.starts_with("\"data:"), "{attribute}{}", value.get(..60).unwrap_or(value));
        }
    }
    assert!(!page.contains("\nimport ") && !page.contains("\nexport "), "modules are one script");
    assert!(!page.contains("{{"), "every place of the template is filled");
    let wasm = STANDARD.decode(between(&page, "id=\"wasm\">", "</script>")).expect("Base64");
    let mut start = [0; 4];
    GzDecoder::new(&wasm[..]).read_exact(&mut start).expect("gzip");
    assert_eq!(&start, b"\0asm");
}

#[test]
fn files_that_a_scene_names_are_packed_by_their_relative_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::create_dir_all(folder.join("scenes/data")).expect("a folder");
    water(folder, "scenes/data/water.xyz");
    water(folder, "scenes/other.xyz");
    let scene = "[[spheres]]\nfile = \"data/water.xyz\"\n[[spheres]]\nfile = \"other.xyz\"\n";
    fs::write(folder.join("scenes/two.toml"), scene).expect("written");
    let (page, _) = exported(folder, &["scenes/two.toml"]);
    let names: Vec<String> = packed(&page).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["two.toml", "data/water.xyz", "other.xyz"]);
    assert!(!page.contains(&*folder.to_string_lossy()), "no path of this machine");

    fs::remove_file(folder.join("scenes/other.xyz")).expect("there");
    refuses(folder, &["scenes/two.toml", "-o", "new.html"], &["scenes/other.xyz"]);
}

#[test]
fn pages_hold_what_browsers_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    for name in ["compressed/table.csv.bz2", "compressed/table.csv.zst"] {
        let (page, _) = exported(folder, &[&samples.join(name).to_string_lossy(), "--force"]);
        let (name, content) = packed(&page).swap_remove(0);
        let mut table = String::new();
        GzDecoder::new(&content[..]).read_to_string(&mut table).expect("gzip");
        assert!(name.starts_with("table.csv.") && table.contains(','), "{name}: {table}");
    }
}

#[test]
fn frames_of_rare_trajectories_are_packed_as_their_shapes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let frames = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/trr/water.trr");
    let frames = frames.to_string_lossy();
    let flags = ["--look=flat", "--frame", "1", "-W", "64", "--cell=false", "--legend=off"];
    let (page, notes) = exported(folder, &[&[&*frames, "--title", "a frame"], &flags[..]].concat());
    assert!(notes.contains("pages do not read TRR trajectory: the page holds its shapes"), "{notes}");
    let (name, scene) = packed(&page).swap_remove(0);
    assert_eq!((&*name, &facts(&page)["options"]["title"]), ("water.toml", &"a frame".into()));
    fs::write(folder.join(&name), scene).expect("written");
    for (input, flags, output) in [(&*frames, &flags[..], "file.png"), (&*name, &[], "shapes.png")] {
        let output = run(folder, &[&["render", input, "-o", output], flags].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let [file, shapes] = ["file.png", "shapes.png"].map(|name| read_png(folder.join(name)).expect("a picture"));
    assert!(file == shapes, "the shapes draw the bytes of the frame");

    // outlines between chains have no key in scenes
    let atom = |serial, chain| {
        format!("ATOM  {serial:5}  CA  GLY {chain}   1       {serial}.000   0.000   0.000  1.00  0.00           C\n")
    };
    fs::write(folder.join("chains.pdb"), atom(1, 'A') + &atom(4, 'B')).expect("written");
    let mixed =
        format!("[render]\nlook = \"flat\"\n[[spheres]]\nfile = \"chains.pdb\"\n[[spheres]]\nfile = {frames:?}\n");
    fs::write(folder.join("mixed.toml"), mixed).expect("written");
    refuses(folder, &["mixed.toml"], &["TRR trajectory is not read by pages", "has parts", "--outline-width 0"]);
    let (page, _) = exported(folder, &["mixed.toml", "--outline-width", "0", "--force"]);
    assert_eq!(packed(&page).len(), 1);
}

#[test]
fn trajectories_are_packed_whole_and_begin_with_the_picture_of_a_film() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let frame = |frame: usize| format!("2\n\nAr 0 0 0\nAr {} 0 0\n", 4 + frame);
    let run_of = (0..4).map(frame).collect::<String>();
    fs::write(folder.join("run.xyz"), &run_of).expect("written");
    let film = run(folder, &["film", "run.xyz", "-o", "film_{frame}.png", "-W", "96", "-q"]);
    assert_eq!(film.status.code(), Some(0), "{}", text(&film.stderr));
    for (flags, film) in [(&[][..], "film_0.png"), (&["--frame=2"], "film_2.png"), (&["--frame=-1"], "film_3.png")] {
        let (page, notes) = exported(folder, &[&["run.xyz", "-W", "96"], flags].concat());
        assert_eq!((&*notes, packed(&page)), ("", vec![("run.xyz".to_owned(), run_of.clone().into_bytes())]));
        let still = STANDARD.decode(between(&page, "src=\"data:image/png;base64,", "\"")).expect("Base64");
        fs::write(folder.join("still.png"), still).expect("written");
        let [still, film] = ["still.png", film].map(|name| read_png(folder.join(name)).expect("a picture"));
        assert!(still == film, "{flags:?}");
    }

    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    for (run_of, topology) in [("xtc/three.xtc", "gro/water.gro"), ("dcd/charmm.dcd", "psf/water.psf")] {
        let [run_of, topology] = [run_of, topology].map(|name| samples.join(name).to_string_lossy().into_owned());
        let (page, _) = exported(folder, &[&run_of, "--topology", &topology, "--force"]);
        let names: Vec<String> = packed(&page).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert_eq!(facts(&page)["options"]["topology"], names[1]);
    }
}

#[test]
fn names_and_titles_are_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "<img src=x onerror=alert(1)> & 'it' \"is\".xyz";
    water(folder.path(), name);
    let title = "</title><script>alert(2)</script>{{wasm}}";
    for flags in [&[name][..], &[name, "--title", title], &[name, "--only", "element O '</script><b>'"]] {
        let (page, _) = exported(folder.path(), flags);
        for tag in ["<img src=x", "<script>alert", "</script><b>"] {
            assert!(!page.contains(tag), "{flags:?}: {tag}");
        }
        assert_eq!(packed(&page)[0].0, name);
    }
}

#[test]
fn only_own_pages_are_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    water(folder, "water.xyz");
    assert_eq!(run(folder, &["export", "water.xyz"]).status.code(), Some(0));
    assert!(folder.join("water.html").exists(), "the name of the input");
    assert_eq!(run(folder, &["export", "water.xyz"]).status.code(), Some(0), "its own page is replaced");

    fs::write(folder.join("mine.html"), "<!doctype html><p>mine").expect("written");
    refuses(folder, &["water.xyz", "-o", "mine.html"], &["mine.html", "--force"]);
    refuses(folder, &["water.xyz", "-o", "water.xyz"], &["is the input"]);
    refuses(folder, &["water.xyz", "-o", "page.png"], &["--output", ".html", "page.png"]);
    refuses(folder, &["none.xyz", "-o", "page.html"], &["none.xyz"]);
    refuses(folder, &["water.xyz", "-o", "none/page.html"], &["none/page.html"]);
    assert_eq!(fs::read_to_string(folder.join("mine.html")).expect("there"), "<!doctype html><p>mine");
    assert_eq!(run(folder, &["export", "water.xyz", "-o", "mine.html", "--force"]).status.code(), Some(0));

    let printed = run(folder, &["export", "water.xyz", "-o", "-"]);
    assert!(printed.stdout.starts_with(b"<!doctype html>") && printed.stdout.ends_with(b"</html>\n"));
}

#[test]
fn every_kind_of_option_reaches_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    water(folder.path(), "water.xyz");
    let flags = [
        "water.xyz",
        "--clip",
        "x<3",
        "--clip",
        "y<3",
        "--opacity",
        "element H",
        "0.5",
        "--highlight",
        "element O",
        "gold=oxygen",
        "--radius",
        "element H",
        "0.4",
        "--eye",
        "1,2,9",
        "--ortho-height",
        "4",
        "--style",
        "all",
        "sticks",
        "--gloss",
        "element O",
        "0.5,0.2",
    ];
    let (page, _) = exported(folder.path(), &flags);
    let options = &facts(&page)["options"];
    let expected = serde_json::json!({
        "clip": ["x<3", "y<3"], "opacity": [["element H", 0.5]], "highlight": [["element O", "#ffd700=oxygen"]],
        "radius_of": [["element H", "0.4"]], "eye": "1,2,9", "ortho_height": "4", "style": [[null, "sticks"]],
        "gloss": [["element O", "0.5,0.2"]],
    });
    assert_eq!(*options, expected);
}

#[test]
fn types_of_javascript_have_each_option() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/web/roundel.d.ts");
    let text = fs::read_to_string(&file).expect("committed");
    let (_, table) = text.split_once("export interface Options {\n").expect("a table");
    let lines = table.split("\n}").next().expect("an end").lines();
    let name = |line: &str| Some(line.trim_start().split_once("?: ")?.0.to_owned());
    let mut found: Vec<String> = lines.filter(|line| !line.contains("/**")).filter_map(name).collect();
    let mut expected: Vec<String> = LoadOption::all().iter().map(|option| option.name.to_owned()).collect();
    expected.extend(["highlight", "opacity", "style", "gloss"].map(str::to_owned));
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "docs/web/roundel.d.ts, and the options of roundel render");
}
