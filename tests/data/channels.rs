//! Colours that stand in columns: red, green and blue as numbers, and texts.

use crate::files::{Folder, color, npy, only_circles, only_spheres, overrides};
use roundel::Srgba8;
use roundel::io::{LoadOptions, load};

/// The colours and radii of the spheres of a file.
fn spheres(name: &str, contents: impl AsRef<[u8]>, options: &LoadOptions) -> Vec<(Srgba8, f32)> {
    let scene = Folder::new().spheres(name, contents, options);
    only_spheres(&scene).iter().map(|sphere| (sphere.color, sphere.radius)).collect()
}

fn colors(name: &str, contents: impl AsRef<[u8]>) -> Vec<Srgba8> {
    spheres(name, contents, &LoadOptions::default()).into_iter().map(|(color, _)| color).collect()
}

fn notes(name: &str, contents: impl AsRef<[u8]>, options: &LoadOptions) -> String {
    load(Folder::new().file(name, contents), options).expect(name).notes.join("\n")
}

/// Red, half green, blue.
fn primaries() -> Vec<Srgba8> {
    ["#ff0000", "#008000", "#0000ff"].map(color).to_vec()
}

/// Three points and their colours, of which `full` is the greatest number.
fn rows(full: f64, separator: &str) -> String {
    let half = if full > 1.0 { (full * 128.0 / 255.0).round() } else { 0.5 };
    let rows = [[0.0, 0.0, 0.0, full, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, half, 0.0], [0.0, 1.0, 1.0, 0.0, 0.0, full]];
    let text = |row: [f64; 6]| row.map(|number| number.to_string()).join(separator) + "\n";
    rows.into_iter().map(text).collect()
}

#[test]
fn columns_of_red_green_and_blue_are_colors_of_any_range() {
    for (names, full) in [("red,green,blue", 255.0), ("r,g,b", 255.0), ("R,G,B", 1.0), ("Red,Green,Blue", 65_535.0)] {
        let text = format!("x,y,z,{names}\n{}", rows(full, ","));
        assert_eq!(colors("t.csv", &text), primaries(), "{names} to {full}");
        let note = format!("are colours from 0 to {full}");
        assert!(notes("t.csv", &text, &LoadOptions::default()).contains(&note), "{names} to {full}");
        let drawn = spheres("t.csv", &text, &LoadOptions::default());
        assert!(drawn.iter().all(|(_, radius)| *radius == drawn[0].1 && *radius < 100.0), "r is no radius");
    }
    let flat = "x,y,r,g,b\n0,0,255,0,0\n1,0,0,128,0\n0,1,0,0,255\n";
    let circles = only_circles(&Folder::new().circles("t.csv", flat, &LoadOptions::default()));
    assert_eq!(circles.iter().map(|circle| circle.color).collect::<Vec<_>>(), primaries());
    let radii = spheres("t.csv", "x,y,z,r\n0,0,0,2\n5,0,0,3\n", &LoadOptions::default());
    assert_eq!(radii.iter().map(|(_, radius)| *radius).collect::<Vec<_>>(), [2.0, 3.0], "alone it is one");
}

#[test]
fn the_fourth_channel_is_opacity() {
    for (alpha, half) in [("1", "0.5"), ("255", "128")] {
        let text = format!("x,y,z,red,green,blue,alpha\n0,0,0,255,0,0,{alpha}\n1,0,0,0,255,0,{half}\n");
        assert_eq!(colors("t.csv", text), ["#ff0000", "#00ff0080"].map(color));
    }
}

#[test]
fn six_numbers_are_points_and_colors() {
    for full in [1.0, 255.0, 65_535.0] {
        for name in ["t.xyz", "t.csv", "t.txt"] {
            let separator = if name == "t.csv" { "," } else { " " };
            assert_eq!(colors(name, rows(full, separator)), primaries(), "{name} to {full}");
        }
        let numbers: Vec<u8> = rows(full, " ")
            .split_ascii_whitespace()
            .flat_map(|word| word.parse::<f64>().expect("a number").to_le_bytes())
            .collect();
        assert_eq!(colors("t.npy", npy("<f8", "(3, 6)", &numbers)), primaries(), "an array to {full}");
    }
    let normals = "0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n";
    assert!(!notes("t.xyz", normals, &LoadOptions::default()).contains("colours"), "a floor");
    let moving = "x,y,z,r,g,b\n0,0,0,-1,0,0\n1,0,0,0,3,0\n";
    assert!(notes("t.csv", moving, &LoadOptions::default()).contains("r, g and b are no colours"));
}

#[test]
fn seven_numbers_are_points_colors_and_opacity() {
    for full in [1.0, 255.0] {
        let text: String = rows(full, " ").lines().map(|row| format!("{row} {full}\n")).collect();
        assert_eq!(colors("t.xyz", &text), primaries(), "to {full}");
        let half: String = rows(full, " ").lines().map(|row| format!("{row} {}\n", full * 0.2)).collect();
        let numbers: Vec<u8> = half
            .split_ascii_whitespace()
            .flat_map(|word| word.parse::<f64>().expect("a number").to_le_bytes())
            .collect();
        let wanted: Vec<Srgba8> = primaries().into_iter().map(|color| color.with_alpha(51)).collect();
        assert_eq!(colors("t.npy", npy("<f8", "(3, 7)", &numbers)), wanted, "an array to {full}");
    }
    // an intensity in front of a colour
    let rows = "0 0 0 7 255 0 0\n1 0 0 30 0 128 0\n0 1 1 9 0 0 255\n";
    assert_eq!(colors("t.xyz", rows), primaries());
}

#[test]
fn every_format_has_channels() {
    let folder = Folder::new();
    let ply = |kind: &str, rows: &str| {
        let channels: String = ["r", "g", "b"].iter().map(|name| format!("property {kind} {name}\n")).collect();
        let axes = "property float x\nproperty float y\nproperty float z\n";
        format!("ply\nformat ascii 1.0\nelement vertex 3\n{axes}{channels}end_header\n{rows}")
    };
    for (kind, full) in [("uchar", 255.0), ("ushort", 65_535.0), ("float", 1.0), ("float", 255.0)] {
        let scene = folder.spheres("t.ply", ply(kind, &rows(full, " ")), &LoadOptions::default());
        let found: Vec<Srgba8> = only_spheres(&scene).iter().map(|sphere| sphere.color).collect();
        assert_eq!(found, primaries(), "{kind} to {full}");
        assert!(only_spheres(&scene).iter().all(|sphere| sphere.radius < 100.0));
    }
    let atoms: String = rows(1.0, " ").lines().map(|row| format!("C {row}\n")).collect();
    for name in ["color", "Color", "rgb"] {
        let text = format!("3\nProperties=species:S:1:pos:R:3:{name}:R:3\n{atoms}");
        assert_eq!(colors("m.xyz", text), primaries(), "{name}");
    }
}

#[test]
fn colors_by_columns_that_the_caller_names() {
    let text = format!("x,y,z,u,v,w\n{}", rows(255.0, ","));
    let by = |columns: &str| overrides(|o| o.color_by = Some(columns.into()));
    let found: Vec<Srgba8> = spheres("t.csv", &text, &by("u,v,w")).into_iter().map(|(color, _)| color).collect();
    assert_eq!(found, primaries());
    let swapped = spheres("t.csv", &text, &by("w, v, u"));
    assert_eq!(swapped[0].0, color("#0000ff"));
    let folder = Folder::new();
    assert!(folder.refusal_with("t.csv", &text, &by("u,v")).contains("must name three columns, red, green and blue"));
    assert!(folder.refusal_with("t.csv", &text, &by("u,v,q")).contains("must be a column of t.csv, got \"q\""));
    folder.file("t.csv", &text);
    let scene = "[[spheres]]\nfile = \"t.csv\"\ncolor_by = \"u,v,w\"\nradius = 1\n";
    let scene = folder.spheres("s.toml", scene, &LoadOptions::default());
    assert_eq!(only_spheres(&scene).iter().map(|sphere| sphere.color).collect::<Vec<_>>(), primaries());
}

#[test]
fn a_column_of_colors_may_begin_with_any_text() {
    for (text, wanted) in [
        ("x,y,color\n0,0,red\n1,0,#00ff00\n2,0,blue\n", ["#ff0000", "#00ff00", "#0000ff"]),
        ("x,y,Colour\n0,0,\n1,0,lime\n2,0,rebeccapurple\n", ["#808080", "#00ff00", "#663399"]),
        ("x,y,color\n0,0,what\n1,0,lime\n2,0,#00f\n", ["#808080", "#00ff00", "#0000ff"]),
    ] {
        let circles = only_circles(&Folder::new().circles("t.csv", text, &LoadOptions::default()));
        let found: Vec<Srgba8> = circles.iter().map(|circle| circle.color).collect();
        assert_eq!(found, wanted.map(color), "{text}");
        let is_noted = notes("t.csv", text, &LoadOptions::default()).contains("1 of 3 rows has no colour and is grey");
        assert_eq!(is_noted, wanted[0] == "#808080", "{text}");
    }
    let grades = "x,y,color\n0,0,E\n1,0,I\n2,0,J\n3,0,tan\n";
    let circles = only_circles(&Folder::new().circles("t.csv", grades, &LoadOptions::default()));
    assert_ne!(circles[3].color, color("tan"), "categories, of which one has the name of a colour");
    let solid = "x,y,z,color\n0,0,0,red\n1,0,0,nothing\n";
    assert!(notes("t.csv", solid, &LoadOptions::default()).contains("1 of 2 rows has no colour and is grey"));
}
