//! Descriptions hold the picture as data: the scene in them draws the same bytes.

use std::fs;
use std::path::Path;

use crate::files::{Folder, PDB, color, drawn};
use roundel::Frame;
use roundel::color::{ColorRange, Scale};
use roundel::io::{
    FigureOptions, LegendChoice, LoadOption, LoadOptions, MoleculeStyle, ScaleBarChoice, describe, load,
};
use roundel::spheres::{AmbientOcclusion, ShadingOverrides, ShadingPreset, StandardView};
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn draw(path: &Path, overrides: &LoadOptions) -> Frame {
    drawn(&load(path, overrides).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Draws the scene of a description in another folder; whether there is one.
fn reproduces(path: &Path, overrides: &LoadOptions) -> bool {
    let Some(scene) = describe(path, overrides).expect("described").scene else { return false };
    let folder = Folder::new();
    let copy = folder.file("scene.json", scene.to_string());
    let (expected, found) = (draw(path, overrides), draw(&copy, &LoadOptions::default()));
    assert!(expected == found, "{} with {overrides:?}:\n{scene}", path.display());
    true
}

fn small(change: impl FnOnce(&mut LoadOptions)) -> LoadOptions {
    let mut overrides = LoadOptions { width: Some(96), ..LoadOptions::default() };
    change(&mut overrides);
    overrides
}

#[test]
fn descriptions_of_scenes_draw_the_same() {
    let mut count = 0;
    for folder in ["golden/raster", "golden/trace", "docs/scenes"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                count += usize::from(reproduces(&path, &LoadOptions::default()));
            }
        }
    }
    assert!(count > 60, "only {count} scenes");
}

#[test]
fn descriptions_of_molecules_draw_the_same() {
    let folder = Folder::new();
    let water = "HETATM    9  O   HOH W   1       5.000   2.000   3.000  1.00 10.00           O\n";
    let peptide = fs::read_to_string(root().join("golden/trace/peptides.pdb")).expect("readable");
    let wet = folder.file("wet.pdb", peptide.replacen("END", &format!("{water}END"), 1));
    let chains = folder.file("chains.pdb", PDB);
    let figure = FigureOptions::default();
    let mut marks = figure;
    (marks.title, marks.legend) = (Some("Two chains".to_owned()), Some(LegendChoice::COUNTS));
    (marks.scale_bar, marks.axes, marks.trim) = (Some(ScaleBarChoice::Suited), Some(true), Some(4));
    let numbers = |numbers: &[(&str, f32)]| {
        let with = |all: ShadingOverrides, &(name, number): &(&str, f32)| all.with(name, number).expect(name);
        numbers.iter().fold(ShadingOverrides::default(), with)
    };
    let cases = [
        small(|_| {}),
        small(|o| o.look = Some(ShadingPreset::Studio)),
        small(|o| o.shading = numbers(&[("key_angle", 7.3), ("fog", 0.1)])),
        small(|o| (o.ao, o.shadows, o.samples) = (Some(AmbientOcclusion::Rays(3)), Some(true), Some(3))),
        small(|o| (o.color_by, o.palette) = (Some("chain".into()), Some("set2".into()))),
        small(|o| o.color_by = Some("element".into())),
        small(|o| o.color_by = Some("residue".into())),
        small(|o| o.color_by = Some("#12345678".into())),
        small(|o| {
            (o.color_by, o.colormap) = (Some("b_factor".into()), Some("plasma".into()));
            o.color_range = Some(ColorRange::Percentiles([10.0, 90.0]));
        }),
        small(|o| (o.color_by, o.color_scale) = (Some("index".into()), Some(Scale::Sqrt.into()))),
        small(|o| (o.only, o.highlight) = (Some("chain A".into()), vec![("element N".into(), color("#ffd700"))])),
        small(|o| (o.hide, o.radius) = (Some("none".into()), Some("0.7".into()))),
        small(|o| (o.view, o.azimuth, o.zoom) = (Some(StandardView::Top), Some(31.0), Some(1.3))),
        small(|o| (o.eye, o.fov, o.background) = (Some([40.0, 1.0, 3.0]), Some(17.3), Some(color("#102030")))),
        small(|o| (o.ortho, o.height) = (Some(true), Some(123))),
        small(|o| o.figure = marks),
    ];
    for overrides in &cases {
        assert!(reproduces(&wet, overrides));
        assert!(reproduces(&chains, overrides));
    }
    assert!(reproduces(&chains, &small(|o| o.assembly = Some(1))));
    assert!(reproduces(&chains, &small(|o| o.frame = Some(1))));
}

#[test]
fn descriptions_of_particles_draw_the_same() {
    for name in ["docs/scenes/salt.dump", "docs/scenes/caffeine.xyz", "golden/trace/particles.csv"] {
        assert!(reproduces(&root().join(name), &small(|_| {})), "{name}");
    }
    let salt = root().join("docs/scenes/salt.dump");
    assert!(reproduces(&salt, &small(|o| (o.wrap, o.replicate) = (Some(true), Some([2, 1, 1])))));
    let folder = Folder::new();
    let numbers = [[0.0_f32, 0.0, 0.0, 1.0], [3.0, 1.0, 0.0, 0.5]].concat();
    let raw = folder.file("raw.bin", numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>());
    assert!(reproduces(&raw, &small(|o| o.raw = Some("x,y,z,r:f32le".parse().expect("a layout")))));
    let sized = folder.file("sized.csv", "x,y,z,m\n0,0,0,1\n3,0,0,4\n0,3,0,9\n");
    assert!(reproduces(&sized, &small(|o| (o.r, o.radius_range) = (Some("m".into()), Some([0.2, 1.1])))));
    let kinds = folder.file("kinds.xyz", "3\n\nA1 0 0 0\nB1 3 0 0\nA1 0 3 1\n");
    let alike = folder.file("alike.xyz", "3\n\nA1 0 0 0\nA1 3 0 0\nA1 0 3 1\n");
    let energy = small(|o| o.color_by = Some("x".into()));
    assert!([&kinds, &alike].into_iter().all(|path| reproduces(path, &small(|_| {})) && reproduces(path, &energy)));
}

#[test]
fn descriptions_of_maps_draw_the_same() {
    let folder = Folder::new();
    let places = root().join("docs/scenes/places.csv");
    let circles =
        folder.file("circles.csv", "x;y;r;kind;hex\n0;0;1;a;#ff0000\n3;1;0.5;b;#00ff0080\n-2;2;0.25;a;#00f\n");
    let one = folder.file("one.csv", "x,y\n3,4\n");
    let numbered = folder.file("numbered.txt", "0 0\n1 3\n2 1\n");
    for path in [&places, &circles, &one, &numbered] {
        assert!(reproduces(path, &small(|_| {})));
        assert!(reproduces(path, &small(|o| (o.height, o.color_by) = (Some(77), Some("#336699".into())))));
    }
    assert!(reproduces(&places, &small(|o| o.r = Some("people".into()))));
    assert!(reproduces(&places, &small(|o| (o.x, o.y) = (Some("lat".into()), Some("lon".into())))));
    let solid = |o: &mut LoadOptions| {
        (o.x, o.y, o.z) = (Some("lat".into()), Some("lon".into()), Some("people".into()));
    };
    assert!(reproduces(&places, &small(solid)));
    assert!(reproduces(
        &places,
        &small(|o| {
            (o.color_by, o.color_scale) = (Some("people".into()), Some(Scale::Log.into()));
            (o.only, o.hide) = (Some("people > 1e6".into()), Some("lon < 0".into()));
        })
    ));
    assert!(reproduces(&circles, &small(|o| o.color_by = Some("kind".into()))));
    assert!(reproduces(&circles, &small(|o| o.color_by = Some("hex".into()))));
    // twice the pixels, beside type of its own size
    assert!(reproduces(&places, &small(|o| (o.figure.scale, o.figure.title) = (Some(2.0), Some("Cities".into())))));
}

#[test]
fn descriptions_say_camera_look_colors_and_cell_as_data() {
    let of = |name: &str, overrides: &LoadOptions| -> Value {
        let found = describe(root().join(name), overrides).expect("described");
        serde_json::to_value(&found).expect("JSON")
    };
    let molecule = of("docs/scenes/caffeine.xyz", &LoadOptions::default());
    let (camera, render) = (&molecule["scene"]["camera"], &molecule["scene"]["render"]);
    assert_eq!(
        (&render["look"], &render["samples"], &render["ao"]),
        (&"illustrative".into(), &4.into(), &"smooth".into())
    );
    for key in ["ao_strength", "ambient", "key", "fill", "key_angle", "fog", "fog_start", "outline_depth", "seed"] {
        assert!(render[key].is_number(), "{key}: {render}");
    }
    for key in ["eye", "target", "up"] {
        assert_eq!(camera[key].as_array().map(Vec::len), Some(3), "{key}: {camera}");
    }
    assert_eq!((&camera["fov"], &camera["background"]), (&30.0.into(), &"#ffffff".into()));
    assert!(
        molecule["drawn"]
            .as_str()
            .is_some_and(|text| text.contains("look illustrative") && text.contains("occlusion smooth"))
    );
    let salt = of("docs/scenes/salt.dump", &small(|o| o.color_by = Some("energy".into())));
    assert!(salt["sources"][0]["cell"]["lengths"].is_array(), "{salt}");
    assert!(salt["sources"][0]["colors"]["numbers"]["least"].is_number(), "{salt}");
    assert_eq!(salt["scene"]["figure"]["cell"], true);
}

#[test]
fn scenes_of_a_file_alone_may_look_as_the_file_does() {
    let folder = Folder::new();
    let data = root().display();
    for (name, change) in [
        ("golden/trace/peptides.pdb", ""),
        ("docs/scenes/caffeine.xyz", "[camera]\nheight = 70\nzoom = 1.5\nview = \"top\"\n[figure]\nscale_bar = true\n"),
        ("docs/scenes/salt.dump", "[camera]\nwidth = 99\nbackground = \"#eeeeee\"\n"),
        ("golden/trace/particles.csv", "[camera]\nheight = 50\nazimuth = 20\n"),
    ] {
        let text = format!("[render]\nlook = \"auto\"\n{change}[[spheres]]\nfile = \"{data}/{name}\"\n");
        let scene = folder.file("auto.toml", &text);
        let mut overrides = LoadOptions::default();
        match change.lines().nth(1) {
            None => {}
            Some("height = 70") => {
                (overrides.height, overrides.zoom, overrides.view) = (Some(70), Some(1.5), Some(StandardView::Top));
                overrides.figure.scale_bar = Some(ScaleBarChoice::Suited);
            }
            Some("width = 99") => (overrides.width, overrides.background) = (Some(99), Some(color("#eeeeee"))),
            _ => (overrides.height, overrides.azimuth) = (Some(50), Some(20.0)),
        }
        assert!(draw(&scene, &LoadOptions::default()) == draw(&root().join(name), &overrides), "{name}");
        assert!(reproduces(&scene, &small(|_| {})), "{name}");
        let silent = folder.file("silent.toml", text.replace("look = \"auto\"\n", ""));
        let auto = LoadOptions { auto_look: true, ..LoadOptions::default() };
        assert!(draw(&silent, &auto) == draw(&scene, &LoadOptions::default()), "{name}: the caller may ask for it");
        let flat = small(|o| o.look = Some(ShadingPreset::Flat));
        assert!(draw(&scene, &flat) != draw(&scene, &small(|_| {})), "flags take the place of the look");
    }
}

#[test]
fn pictures_that_show_little_are_noted() {
    let folder = Folder::new();
    let note = |text: &str| {
        let loaded = load(folder.file("s.toml", text), &LoadOptions::default()).expect(text);
        loaded.notes.join("\n")
    };
    folder.file("t.csv", "x,y\n-120,40\n-110,41\n-100,42\n2,50\n");
    let points = "[[points]]\nfile = \"t.csv\"\n";
    let outside = "lie outside of the picture; fit = true in canvas, or a view, shows them";
    assert_eq!(note(points), "");
    assert_eq!(note(&format!("[canvas]\nfit = false\n{points}")), "");
    let far = "[canvas]\nview = { center = [500, 500], height = 10 }\n";
    assert_eq!(note(&format!("{far}{points}")), format!("4 of 4 circles {outside}"));
    let wide = "[canvas]\nview = { center = [0, 0], height = 1e9 }\n";
    let pixel = "lie within one pixel; fit = true in canvas, or a view, shows them";
    let small = "[[points]]\nfile = \"t.csv\"\nradius = 0.1\n";
    assert_eq!(note(&format!("{wide}{small}")), format!("all 4 circles {pixel}"));
    let sphere = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1.0\n[[sphere]]\ncenter = [9, 0, 0]\nradius = 1.0\n";
    assert_eq!(note(sphere), "");
    let shows = "a camera without eye and target shows them";
    let away = "[camera]\neye = [0, 0, 9]\ntarget = [0, 0, 20]\n";
    assert_eq!(note(&format!("{away}{sphere}")), format!("2 of 2 spheres lie outside of the picture; {shows}"));
    let parallel = format!("{away}ortho_height = 4\n");
    assert_eq!(note(&format!("{parallel}{sphere}")), format!("2 of 2 spheres lie outside of the picture; {shows}"));
    let distant = "[camera]\neye = [0, 0, 1e7]\ntarget = [0, 0, 0]\n";
    assert_eq!(note(&format!("{distant}{sphere}")), format!("all 2 spheres lie within one pixel; {shows}"));
    let inside = "[camera]\neye = [0, 0, 0]\ntarget = [0, 0, 20]\n";
    assert_eq!(note(&format!("{inside}{sphere}")), "", "an eye inside of a sphere sees it");
    let found = describe(folder.file("a.toml", format!("{away}{sphere}")), &LoadOptions::default()).expect("described");
    assert_eq!(found.outside, 2);
    assert!(found.to_string().contains("2 of them outside of the picture"), "{found}");
}

#[test]
fn parts_that_show_nothing_are_noted() {
    let folder = Folder::new();
    let part = |center: [f64; 2]| LoadOptions {
        view_box: Some(roundel::circles::ViewBox { center, height: 2.0 }),
        ..LoadOptions::default()
    };
    let table = folder.file("t.csv", "x,y\n0,0\n9,9\n");
    let notes = |path: &Path, options: &LoadOptions| load(path, options).expect("a picture").notes;
    let nothing = |what: &str| [format!("no {what} lies in this part of the picture")];
    assert_eq!(notes(&table, &part([640.0, 300.0])), nothing("circle"));
    let sphere = "[[sphere]]\ncenter = [9, 0, 0]\nradius = 1.0\n";
    let scene = folder.file("s.toml", format!("{sphere}{}", sphere.replace("9", "-9")));
    let zoomed = |zoom: f32| LoadOptions { zoom: Some(zoom), ..LoadOptions::default() };
    assert_eq!(notes(&scene, &zoomed(8.0)), nothing("sphere"));
    assert_eq!(notes(&scene, &zoomed(1.1)), [] as [&str; 0]);
    let mut cut = LoadOptions::default();
    LoadOption::named("clip").expect("an option").set(&mut cut, "x<-20").expect("a plane");
    assert_eq!(notes(&scene, &cut), ["the planes cut away all spheres"]);
}

#[test]
fn descriptions_of_parts_have_no_scene() {
    let part = LoadOptions {
        view_box: Some(roundel::circles::ViewBox { center: [10.0, 10.0], height: 5.0 }),
        ..LoadOptions::default()
    };
    assert!(!reproduces(&root().join("docs/scenes/places.csv"), &part));
}

#[test]
fn bonds_are_counted_within_the_limit_of_memory() {
    let folder = Folder::new();
    let atoms: String = (0..1000).map(|row| format!("C {:.1} 0.0 0.0\n", 1.5 * f64::from(row))).collect();
    let path = folder.file("chain.xyz", format!("1000\n\n{atoms}"));
    let mut options = LoadOptions::default();
    assert_eq!(describe(&path, &options).expect("described").sources[0].bonds, 999);
    options.budget.memory = 250_000;
    let described = describe(&path, &options).expect("described without bonds");
    assert_eq!((described.sources[0].records, described.sources[0].bonds), (1000, 0));
    let note = "the bonds of 1000 atoms are not counted: more memory than the limit would be taken";
    assert!(described.notes.iter().any(|found| found.contains(note)), "{:?}", described.notes);
    options.style = vec![(None, MoleculeStyle::Sticks)];
    let message = load(&path, &options).expect_err("too much").to_string();
    assert!(message.contains("finding the bonds of 1000 atoms, which takes "), "{message}");
}
