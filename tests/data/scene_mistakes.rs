//! Mistakes in scenes: each is named with its line and key.

use super::scene_files::{CIRCLES, SPHERES};
use crate::files::{Folder, PDB, XYZ};
use roundel::Scene;
use roundel::io::{LoadOptions, StreamedScene};
use roundel::spheres::AmbientOcclusion;

/// The part after `s.toml:` of the message about a scene, which names files `p.csv` and `m.pdb`.
pub(crate) fn said(folder: &Folder, text: &str) -> String {
    let message = folder.refusal("s.toml", text);
    message.strip_prefix("s.toml:").unwrap_or(&message).trim_start().to_owned()
}

#[test]
fn scene_mistakes_in_circles_are_named_with_line_and_key() {
    let folder = Folder::new();
    let length = "must be a finite number that is not negative, got";
    let with = |keys: &str| said(&folder, &format!("[[circle]]\ncenter = [1, 2]\n{keys}"));
    assert_eq!(
        with("radus = 3\nfill = \"#fff\""),
        "3: circle[0] has no key \"radus\"; did you mean \"radius\"? (keys: center, radius, radii, fill, stroke)"
    );
    assert_eq!(with("radius = -3"), format!("3: circle[0].radius {length} -3"));
    assert_eq!(with("radius = inf"), format!("3: circle[0].radius {length} inf"));
    assert_eq!(with("radius = 1e39"), "3: circle[0].radius must be at most 3.4e38, got 1e39");
    assert_eq!(with("radius = \"big\""), format!("3: circle[0].radius {length} \"big\""));
    assert_eq!(with("radii = [1, -1]\nfill = \"#fff\""), format!("3: circle[0].radii[1] {length} -1"));
    assert_eq!(with("radius = 1\nradii = [1, 2]"), "1: circle[0] must have radius or radii, not both");
    assert_eq!(with("fill = \"#fff\""), "1: circle[0] must have the key \"radius\" or \"radii\"");
    assert_eq!(with("radius = 1"), "1: circle[0] must have the key \"fill\" or \"stroke\", or both");
    assert_eq!(
        with("radius = 1\nfill = \"redd\""),
        "4: circle[0].fill must be a CSS colour name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa, got \"redd\""
    );
    assert_eq!(
        with("radius = 1\nstroke = { color = \"#fff\", widht = 1 }"),
        "4: circle[0].stroke has no key \"widht\"; did you mean \"width\"? (keys: color, width)"
    );
    assert_eq!(with("radius = 1\nstroke = { color = \"#fff\" }"), "4: circle[0].stroke must have the key \"width\"");
    let cases = [
        ("[[circle]]\nradius = 1", "1: circle[0] must have the key \"center\""),
        ("[[circle]]\ncenter = [1, 2, 3]", "2: circle[0].center must be an array of 2 numbers, got 3 of them"),
        ("[[circle]]\ncenter = [1,\nnan]", "3: circle[0].center[1] must be a finite number, got NaN"),
        ("circle = { center = [0, 0] }", "1: circle must be an array of tables, got a table"),
        ("[canvas]\nwidth = 0", "2: canvas.width must be a whole number from 1 to 1073741824, got 0"),
        ("[canvas]\nwidth = 12.5", "2: canvas.width must be a whole number from 1 to 1073741824, got 12.5"),
        (
            "\n[canvas]\nwidth = 1000000\nheight = 1000000",
            "2: canvas.width times height must be at most 2^32 pixels, got 1000000x1000000",
        ),
        (
            "[canvas]\nblend = \"liner\"",
            "2: canvas.blend has no choice \"liner\"; did you mean \"linear\"? (accepted: srgb, linear)",
        ),
        (
            "[canvas]\nbackground = 5",
            "2: canvas.background must be a CSS colour name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa, got 5",
        ),
        (
            "[canvas]\nview = { center = [0, 0], height = 0 }",
            "2: canvas.view.height must be a finite number above 0, got 0",
        ),
        ("[canvas]\nflip_y = 1", "2: canvas.flip_y must be true or false, got 1"),
        ("canvas = 3", "1: canvas must be a table, got 3"),
        ("canvas = 1979-05-27", "1: canvas must be a table, got a date"),
        (
            "[canvs]",
            "1: the scene has no key \"canvs\"; did you mean \"canvas\"? (keys: canvas, circle, segment, segments, \
             points, camera, render, light, sphere, cylinder, ellipsoid, arrow, cylinders, ellipsoids, arrows, spheres, \
             generate, figure, tolerance, $schema)",
        ),
        (
            "[canvas]\n[camera]",
            "2: a scene has either a canvas with circle, segment, points and segments or a camera with light, sphere, spheres \
             and other shapes in space, not both",
        ),
        (
            "[render]\nsamples = 4",
            "the scene is empty: it must have a canvas, circle, points, segment or segments, or a camera, sphere, spheres, \
             cylinder, ellipsoid, arrow, or a table of such",
        ),
        ("[canvas]\n\n[render]\nsamples = 4", "3: render is for scenes of spheres; this one has circles"),
        (
            "[tolerance]\ndifference = 300\npixels = 1\nreason = \"\"",
            "2: tolerance.difference must be a whole number from 0 to 255, got 300",
        ),
        ("[canvas]\nwidth = 3\nwidth = 4", "3: not TOML: duplicate key"),
        ("[canvas]\nwidth 3", "2: not TOML: key with no value, expected `=`"),
        ("a = [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]", "1: values are nested deeper than 16 levels"),
    ];
    for (text, expected) in cases {
        assert_eq!(said(&folder, text), expected, "in:\n{text}");
    }
}

#[test]
fn unknown_keys_are_named_together() {
    let folder = Folder::new();
    let text = "[[circle]]\ncenter = [1, 2]\nradus = 3\nfill = \"#fff\"\n[[circle]]\ncentre = [1, 2]\nradius = 3\n\
                stroke = { color = \"#fff\", widht = 1 }\n[canvs]\nwidth = 5\nqqq = 1";
    let others = "; line 6: circle[1] has no key \"centre\"; did you mean \"center\"?; line 8: circle[1].stroke has no key \
                  \"widht\"; did you mean \"width\"?; line 9: the scene has no key \"canvs\"; did you mean \"canvas\"?; \
                  line 11: canvas has no key \"qqq\"";
    let message = said(&folder, text);
    assert!(message.starts_with("3: circle[0] has no key \"radus\""), "{message}");
    assert!(message.ends_with(&format!("fill, stroke){others}")), "{message}");
    let many: String = (0..9).map(|number| format!("qqq{number} = 1\n")).collect();
    assert_eq!(said(&folder, &many).matches("has no key").count(), 5);
    let twice = said(&folder, "[canvas]\nwidth = 3\nwidht = 4\nwidt = 5");
    assert_eq!(twice.matches("did you mean \"width\"").count(), 2, "{twice}");
}

#[test]
fn scene_mistakes_in_spheres_are_named_with_line_and_key() {
    let folder = Folder::new();
    let with = |keys: &str| said(&folder, &format!("[[sphere]]\ncenter = [1, 2, 3]\nradius = 1\n{keys}"));
    assert_eq!(with("material = { metal = { fuzz = 0.1 } }"), "4: sphere[0].material must be \"lambert\", got a table");
    assert_eq!(with("material = \"lambart\""), "4: sphere[0].material must be \"lambert\", got \"lambart\"");
    assert_eq!(with("[render]\nshading = \"path\""), "5: render.shading must be \"studio\", got \"path\"");
    assert_eq!(with("[render]\nshading = \"toon\""), "5: render.shading must be \"studio\", got \"toon\"");
    let unknown = with("[render]\nkey_angel = 8");
    assert!(
        unknown.starts_with("5: render has no key \"key_angel\"; did you mean \"key_angle\"? (keys: "),
        "{unknown}"
    );
    assert!(unknown.contains("shadows, ambient, ao_strength, key, "), "{unknown}");
    assert!(with("[render]\nnumbers = {}").starts_with("5: render has no key \"numbers\""));
    assert_eq!(with("[render]\n\nfog = 2"), "6: render.fog must be a number from 0 to 1, got 2");
    assert_eq!(with("[render]\nfog = \"x\""), "5: render.fog must be a number from 0 to 1, got \"x\"");
    assert_eq!(
        with("[render]\noutline_width = 17"),
        "5: render.outline_width must be a number of pixels from 0 to 16, got 17"
    );
    assert_eq!(with("[render]\nsamples = 0"), "5: render.samples must be a whole number from 1 to 4096, got 0");
    assert_eq!(
        with("[render]\nao = -1"),
        "5: render.ao must be \"smooth\", \"off\" or a whole number from 0 to 4096, got -1"
    );
    assert_eq!(with("[render]\nambient = 1.5"), "5: render.ambient must be a number from 0 to 1, got 1.5");
    assert_eq!(with("[render]\nao_distance = 0"), "5: render.ao_distance must be a number above 0, or inf, got 0");
    assert_eq!(
        with("[[light]]\ndirection = [0, 0, 0]"),
        "5: light[0].direction must be a direction, got 0 along every axis"
    );
    assert_eq!(
        with("[[light]]\ndirection = [0, 0, 1]\nintensity = -1"),
        "6: light[0].intensity must be a finite number that is not negative, got -1"
    );
    let camera = |keys: &str| said(&folder, &format!("[camera]\n{keys}"));
    assert_eq!(camera("fov = 180"), "2: camera.fov must be an angle from 0.01 to 179 degrees, got 180");
    assert_eq!(camera("fov = 40\northo_height = 3"), "2: camera must have fov or ortho_height, not both");
    assert_eq!(camera("up = [0, 0, 0]"), "2: camera.up must be a direction, got 0 along every axis");
    assert_eq!(
        camera("eye = [1, 2, 3]\ntarget = [1, 2, 3]"),
        "1: camera: eye and target must be two points, both are [1.0, 2.0, 3.0]"
    );
    assert_eq!(
        camera("eye = [0, 9, 0]\ntarget = [0, 0, 0]"),
        "1: camera: up must not be 0 nor point along the line of sight, got [0.0, 1.0, 0.0]"
    );
    assert!(camera("aperture = 0.1").starts_with("2: camera has no key \"aperture\""));
    assert_eq!(camera("background = { bottom = \"#fff\" }"), "2: camera.background must have the key \"top\"");
    let far = "[[sphere]]\ncenter = [3e38, 0, 0]\nradius = 1e38\n[[sphere]]\ncenter = [-3e38, 0, 0]\nradius = 1e38";
    assert_eq!(said(&folder, far), "1: camera: the shapes reach too far for a camera; give it an eye and a target");
}

#[test]
fn scene_mistakes_about_its_files_are_named_with_line_and_key() {
    let folder = Folder::new();
    folder.file("p.csv", "longitude,latitude,state\n1,2,NY\n");
    folder.file("m.pdb", PDB);
    let columns = "(columns: longitude, latitude, state)";
    let points = |keys: &str| said(&folder, &format!("[[points]]\nfile = \"p.csv\"\n{keys}"));
    // keys that all tables share
    assert_eq!(points("only = 3"), "3: points[0].only must be a string, got 3");
    assert_eq!(
        points("x = \"longitude\"\nhighlight = [{ select = \"all\" }]"),
        "4: points[0].highlight[0] must have the key \"color\""
    );
    assert!(
        points("hid = \"state NY\"")
            .starts_with("3: points[0] has no key \"hid\"; did you mean \"hide\"? (keys: file, ")
    );
    assert!(points("rows = {}").starts_with("3: points[0] has no key \"rows\""));
    assert_eq!(
        points("x = \"lon\"\ny = \"latitude\""),
        format!("3: points[0].x must be a column of p.csv, got \"lon\"; did you mean \"longitude\"? {columns}")
    );
    assert_eq!(points("x = \"longitude\""), "3: points[0] must have y too when it has x");
    assert_eq!(
        points("radius = -1"),
        "3: points[0].radius must be a number of pixels, not negative, or a table with column, got -1"
    );
    assert_eq!(
        points("radius = { column = \"pop\" }"),
        format!("3: points[0].radius.column must be a column of p.csv, got \"pop\" {columns}")
    );
    assert_eq!(points("radius = { column = \"state\" }"), "p.csv:2: state must be a finite number, got \"NY\"");
    assert_eq!(
        points("radius = { column = \"state\", scale = \"sqrt\" }"),
        "3: points[0].radius must have a range when it has a scale"
    );
    assert_eq!(
        points("radius = { column = \"state\", scale = \"sqr\" }"),
        "3: points[0].radius.scale has no choice \"sqr\"; did you mean \"sqrt\"? (accepted: linear, sqrt, log)"
    );
    assert_eq!(
        points("color = { column = \"state\", map = \"vridis\" }"),
        "3: points[0].color.map must be a colour map, got \"vridis\"; did you mean \"viridis\"? (maps: tab10, tab20, \
         tab20b, tab20c, accent, dark2, paired, pastel1, pastel2, set1, set2, set3, tableau10, okabe-ito, distinct, jmol, soft, viridis, inferno, \
         magma, plasma, cividis, turbo, blues, greens, greys, oranges, purples, reds, ylorrd, ylgnbu, rdbu, rdylbu, rdylgn, piyg, puor and 94 \
         more)"
    );
    assert_eq!(
        points("color_by = \"stat\""),
        format!(
            "3: points[0].color_by must be a column of p.csv or a colour, got \"stat\"; did you mean \"state\"? {columns}"
        )
    );
    assert_eq!(points("color = \"red\"\ncolor_by = \"state\""), "4: points[0] must have color or color_by, not both");
    assert_eq!(
        points("radius = { column = \"longitude\", range = [1, 2], units = \"data\" }"),
        "3: points[0].radius must have range or units, not both"
    );
    let said_of_format = points("format = \"cvs\"");
    let begin = "3: points[0].format must be a format, got \"cvs\"; did you mean \"vasp\"? (formats: pqr, pdb, vasp, ";
    assert!(
        said_of_format.starts_with(begin) && said_of_format.ends_with(", csv, las, parquet, arrow)"),
        "{said_of_format}"
    );
    let file = |keys: &str| said(&folder, keys);
    let said_of_file = file("[[points]]\nfile = \"m.pdb\"");
    assert!(said_of_file.starts_with("2: points[0].file must be a table (.ply, .pcd, .vtk, .vtp, "), "{said_of_file}");
    let end = ", .csv, .las, .parquet, .arrow), got a file of PDB atoms";
    assert!(said_of_file.ends_with(end), "{said_of_file}");
    for (table, key) in [("points", "points[0].file"), ("spheres", "spheres[0].file")] {
        let said = file(&format!("[[{table}]]\nfile = \"gone.csv\""));
        assert_eq!(said, format!("2: {key}: cannot read gone.csv: No such file or directory (os error 2)"));
    }
    assert_eq!(
        file("[[spheres]]\nfile = \"m.pdb\"\nassembly = 3"),
        "3: spheres[0].assembly must be one that m.pdb has (1, 2), got 3"
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"m.pdb\"\ncolor_by = \"chian\""),
        "3: spheres[0].color_by must be a column of m.pdb or a colour, got \"chian\"; did you mean \"chain\"? (columns: \
         record, serial, name, altloc, resname, chain, resid, icode, occupancy, b_factor, segment, element, charge, x, y, \
         z, index)"
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"m.pdb\"\nradius = \"bfactor\""),
        "3: spheres[0].radius must be a column of m.pdb, got \"bfactor\"; did you mean \"b_factor\"? (columns: record, \
         serial, name, altloc, resname, chain, resid, icode, occupancy, b_factor, segment, element, charge)"
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"p.csv\""),
        format!("2: spheres[0].file must have columns x, y and z {columns}")
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"p.csv\"\nassembly = 1"),
        "3: spheres[0].assembly is for molecules; p.csv is a table"
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"p.csv\"\nframe = 1"),
        "3: spheres[0].frame is for molecules; p.csv is a table"
    );
}

#[test]
fn scene_json_mistakes_are_named_with_line_and_key() {
    let folder = Folder::new();
    let cases = [
        (
            "{\n\"circle\": [\n{\"center\": [1, 2], \"radius\": 3, \"fil\": \"#fff\"}]}",
            "s.json:3: circle[0] has no key \"fil\"; did you mean \"fill\"? (keys: center, radius, radii, fill, stroke)",
        ),
        (
            "{\"circle\": [{\"center\": [1, 2],\n\"radius\": 3,\n\"radius\": 4}]}",
            "s.json:3: not JSON: duplicate key \"radius\"",
        ),
        (
            "{\"circle\": [{\"center\": [1, 2],\n\"radius\": null}]}",
            "s.json:2: circle[0].radius must be a finite number that is not negative, got null",
        ),
        ("{\n\"circle\": [}", "s.json:2: not JSON: expected value"),
        ("{\n\"canvas\": {\"width\": 3", "s.json:2: not JSON: EOF while parsing an object"),
        ("[1, 2]", "s.json:1: the scene must be a table of tables, got an array"),
        ("{} {}", "s.json:1: not JSON: trailing characters"),
    ];
    for (text, expected) in cases {
        assert_eq!(folder.refusal("s.json", text), expected, "in:\n{text}");
    }
}

#[test]
fn scene_refuses_overrides_that_mean_nothing_for_it() {
    let folder = Folder::new();
    folder.file("points.csv", "x,y\n1,2\n");
    let with = |text: &str, change: fn(&mut LoadOptions)| {
        let mut overrides = LoadOptions::default();
        change(&mut overrides);
        folder.refusal_with("s.toml", text, &overrides)
    };
    let bare = "is for bare data; s.toml is a scene, whose tables have keys for it";
    assert_eq!(with(CIRCLES, |o| o.x = Some("a".into())), format!("x {bare}"));
    assert_eq!(with(SPHERES, |o| o.color_by = Some("a".into())), format!("color_by {bare}"));
    assert_eq!(with(SPHERES, |o| o.assembly = Some(1)), format!("assembly {bare}"));
    assert_eq!(with(CIRCLES, |o| o.eye = Some([0.0; 3])), "eye is for spheres; s.toml is drawn as circles");
    assert_eq!(with(CIRCLES, |o| o.samples = Some(4)), "samples is for spheres; s.toml is drawn as circles");
    assert_eq!(with(SPHERES, |o| o.samples = Some(0)), "samples must be 1 to 4096, got 0");
    assert_eq!(with(SPHERES, |o| o.ao = Some(AmbientOcclusion::Rays(5000))), "ao must be 0 to 4096, got 5000");
    assert_eq!(with(SPHERES, |o| o.ao_distance = Some(f32::NAN)), "ao_distance must be positive, got NaN");
    assert_eq!(with(SPHERES, |o| o.ambient = Some(-0.5)), "ambient must be 0 to 1, got -0.5");
    assert_eq!(with(SPHERES, |o| o.fov = Some(0.0)), "fov must be 0.01 to 179 degrees, got 0");
    assert_eq!(
        with(SPHERES, |o| (o.fov, o.ortho) = (Some(30.0), Some(true))),
        "fov is for perspective; an orthographic camera has no angle of view"
    );
    assert_eq!(with(SPHERES, |o| o.up = Some([f32::NAN; 3])), "up must be three finite numbers, got [NaN, NaN, NaN]");
    assert_eq!(with(SPHERES, |o| o.width = Some(0)), "width must be 1 pixel or more, got 0");
    assert_eq!(
        with(SPHERES, |o| o.width = Some(u32::MAX)),
        "width times height must be at most 2^32 pixels, got 4294967295x2415919103"
    );
    assert!(matches!(folder.scene("s.toml", SPHERES, &LoadOptions::default()), Scene::Spheres(_)));
}

#[test]
fn numbers_that_are_refused_are_shown_as_they_stand() {
    let folder = Folder::new();
    let camera = |keys: &str| said(&folder, &format!("[camera]\n{keys}"));
    let whole = "must be a whole number from 1 to 1073741824, got";
    assert_eq!(camera("width = 10.0"), format!("2: camera.width {whole} 10.0"));
    assert_eq!(camera("width = 0"), format!("2: camera.width {whole} 0"));
    assert_eq!(
        camera("[render]\nao = 4.0"),
        "3: render.ao must be \"smooth\", \"off\" or a whole number from 0 to 4096, got 4.0"
    );
    let sphere = |x: &str, radius: &str| said(&folder, &format!("[[sphere]]\ncenter = [{x}, 0, 0]\nradius = {radius}"));
    assert_eq!(sphere("0", "1e39"), "3: sphere[0].radius must be at most 3.4e38, got 1e39");
    assert_eq!(sphere("0", "-1"), "3: sphere[0].radius must be a finite number that is not negative, got -1");
    assert_eq!(sphere("-1e39", "1"), "2: sphere[0].center[0] must be at least -3.4e38, got -1e39");
    assert_eq!(
        camera("ortho_height = 1e-50"),
        "2: camera.ortho_height must be at least 1.2e-38, got 0.00000000000000000000000000000000000000000000000001"
    );
}

#[test]
fn files_of_unknown_formats_are_named_with_the_key() {
    let folder = Folder::new();
    folder.file("noise", "\u{1}\u{2}\u{3}");
    for (text, start) in [
        ("[camera]\n[[spheres]]\nfile = \"noise\"", "3: spheres[0].file: noise: the format is not known"),
        (
            "[canvas]\n[[points]]\nfile = \"noise\"\nx = \"a\"\ny = \"b\"",
            "3: points[0].file: noise: the format is not known",
        ),
    ] {
        let message = said(&folder, text);
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn outlines_must_be_opaque() {
    let folder = Folder::new();
    let rule = |color: &str| format!("must be an opaque colour, got {color}; an outline width of 0 draws no lines");
    for (text, color) in [("transparent", "#00000000"), ("#ff000000", "#ff000000"), ("#abc8", "#aabbcc88")] {
        let scene = format!("[render]\noutline_color = \"{text}\"\n{SPHERES_ALONE}");
        assert_eq!(said(&folder, &scene), format!("2: render.outline_color {}", rule(color)));
        let options = LoadOptions { outline_color: text.parse().ok(), ..LoadOptions::default() };
        let expected = format!("outline_color {}", rule(color));
        assert_eq!(folder.refusal_with("s.toml", SPHERES_ALONE, &options), expected);
        assert_eq!(folder.refusal_with("a.xyz", XYZ, &options), expected);
        let path = folder.file("a.xyz", XYZ);
        let Err(streamed) = StreamedScene::files(&[path], &options) else { panic!("refused") };
        assert_eq!(streamed.to_string(), expected);
    }
    for text in ["black", "#f00", "#f00f", "#ff0000ff"] {
        let scene = format!("[render]\noutline_color = \"{text}\"\n{SPHERES_ALONE}");
        folder.scene("s.toml", scene, &LoadOptions::default());
    }
}

const SPHERES_ALONE: &str = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
