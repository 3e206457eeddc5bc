//! Figures of shapes: SVG and PDF.
#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use crate::files::text;
use crate::running::{COIN, assert_refused, run};

/// Runs a command that succeeds; returns its notes.
fn succeeds(folder: &Path, arguments: &str) -> String {
    let output = run(folder, &arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", text(&output.stderr));
    text(&output.stderr).to_string()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("coin.toml"), COIN).expect("written");
    fs::write(folder.path().join("points.csv"), "x,y,kind\n1,2,a\n3,1,b\n2,2,a\n").expect("written");
    fs::write(folder.path().join("water.xyz"), "3\n\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n").expect("written");
    folder
}

#[test]
fn circles_and_marks_are_shapes() {
    let folder = folder();
    succeeds(folder.path(), "render coin.toml -o coin.svg");
    let svg = fs::read_to_string(folder.path().join("coin.svg")).expect("written");
    assert!(svg.contains("viewBox=\"0 0 24 16\""), "{svg}");
    assert!(svg.contains("<circle cx=\"12\" cy=\"8\" r=\"6\" fill=\"#d62728\"/>"), "{svg}");

    let notes = succeeds(folder.path(), "render points.csv --color-by kind --legend --figure-width 85mm -o points.svg");
    assert!(!notes.contains("picture inside"), "{notes}");
    let svg = fs::read_to_string(folder.path().join("points.svg")).expect("written");
    assert!(svg.contains(" width=\"85mm\"") && !svg.contains("<image") && svg.contains("<path d=\"M"), "{svg}");
    succeeds(folder.path(), "render points.csv --color-by kind --legend --figure-width 85mm -o points.pdf");
    let pdf = fs::read(folder.path().join("points.pdf")).expect("written");
    let start = String::from_utf8_lossy(&pdf);
    // 85 mm in points
    assert!(start.starts_with("%PDF-1.7") && start.contains("/MediaBox [0 0 240.9448"), "{start}");
}

#[test]
fn flat_spheres_are_shapes_and_shaded_ones_a_picture() {
    let folder = folder();
    let notes = succeeds(
        folder.path(),
        "render water.xyz --style spacefill --look flat --outline-width 0 --title Water -o flat.svg",
    );
    assert!(!notes.contains("picture inside"), "{notes}");
    let svg = fs::read_to_string(folder.path().join("flat.svg")).expect("written");
    assert!(!svg.contains("<image"), "{svg}");
    let notes = succeeds(folder.path(), "render water.xyz --title Water -o shaded.svg");
    assert!(notes.contains("the scene is a picture inside of the figure: its surfaces are shaded"), "{notes}");
    let svg = fs::read_to_string(folder.path().join("shaded.svg")).expect("written");
    assert!(svg.contains("data:image/png;base64,") && svg.contains("<path d=\"M"), "the title is a shape");
    let notes = succeeds(folder.path(), "render water.xyz water.xyz --grid 2x1 -W 200 -o grid.pdf");
    assert!(notes.contains("panels are pictures inside of the figure"), "{notes}");
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let folder = folder();
    for name in ["a.svg", "a.pdf"] {
        let [one, four] = [1, 4].map(|threads| {
            let flags =
                format!("render water.xyz --look flat --outline-width 0 --legend --threads {threads} -o {name}");
            succeeds(folder.path(), &flags);
            fs::read(folder.path().join(name)).expect("written")
        });
        assert!(one == four, "{name}: a figure of roundel's is replaced by the same bytes");
    }
}

#[test]
fn figures_of_other_programs_stay() {
    let folder = folder();
    for (name, content) in [("b.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), ("b.pdf", "%PDF-1.4\n")] {
        fs::write(folder.path().join(name), content).expect("written");
        let output = run(folder.path(), &["render", "coin.toml", "-o", name]);
        assert_refused(&output, name, &["is not a figure of roundel's; --force overwrites it"]);
    }
    let output = run(folder.path(), &["render", "coin.toml", "--bits", "16", "-o", "c.svg"]);
    assert_refused(&output, "bits", &["--bits is for PNG"]);
    let output = run(folder.path(), &["render", "coin.toml", "-o", "frame_{frame}.svg"]);
    assert_refused(&output, "frames", &["--output has a place for the number of a frame, which is for .png"]);
    let output = run(folder.path(), &["render", "-o", "demo.svg"]);
    assert_refused(&output, "demo", &["drawn as a PNG"]);
}
