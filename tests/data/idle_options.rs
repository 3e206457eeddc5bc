//! No option is silently idle: it changes a pixel, is refused, or has a note.

use std::path::{Path, PathBuf};

use crate::files::{self, Folder, PDB};
use roundel::generate::Pattern;
use roundel::io::{FrameChoice, LoadOption, LoadOptions, MoleculeStyle, StreamedScene, load, load_grid};
use roundel::{Frame, RenderSettings, Renderer, Srgba8};

/// Atoms of alanines along a helix; chains change after `length` residues.
pub(crate) fn helix(length: usize) -> String {
    let atom = |index: usize| {
        let (residue, turn) = (index / 5, 0.7 * index as f64);
        let (name, element) = [("N", "N"), ("CA", "C"), ("C", "C"), ("O", "O"), ("CB", "C")][index % 5];
        let (sine, cosine) = libm::sincos(turn);
        let (x, y, z) = (4.0 * cosine, 4.0 * sine, 0.35 * index as f64);
        let chain = if residue < length { 'A' } else { 'B' };
        format!(
            "ATOM  {:5}  {name:<3} ALA {chain}{:4}    {x:8.3}{y:8.3}{z:8.3}  1.00{:6.2}          {element:>2}\n",
            index + 1,
            residue + 1,
            5.0 + 3.0 * (index % 7) as f64
        )
    };
    (0..60).map(atom).collect()
}

/// A pseudo-random number from 0 to 1.
fn scattered(index: usize, axis: usize) -> f64 {
    (index as f64 * [0.754_877, 0.569_840, 0.430_159][axis]).fract()
}

/// Ions in a periodic box, some outside of it.
pub(crate) fn ions() -> String {
    let ion = |index: usize| {
        let [x, y, z] = [0, 1, 2].map(|axis| 19.0 * scattered(index, axis));
        let (symbol, charge) = if index.is_multiple_of(2) { ("Na", 1.0) } else { ("Cl", -0.5) };
        format!("{symbol} {x:.3} {y:.3} {z:.3} {:.2} 0.5 {:.2} {}\n", z - x, y - 3.0, charge * (1 + index % 3) as f64)
    };
    let head = "Lattice=\"18 0 0 0 18 0 0 0 18\" Properties=species:S:1:pos:R:3:vel:R:3:charge:R:1";
    format!("40\n{head}\n{}", (0..40).map(ion).collect::<String>())
}

pub(crate) fn particles(axes: usize) -> String {
    let row = |index: usize| {
        let place: String = (0..axes).map(|axis| format!("{:.3},", 9.0 * scattered(index, axis))).collect();
        format!("{place}{:.2},{}\n", 0.5 + (index % 9) as f64, ["a", "b", "c"][index % 3])
    };
    format!("{}v,kind\n{}", ["", "", "x,y,", "x,y,z,"][axes], (0..50).map(row).collect::<String>())
}

/// Spheres in a heap.
pub(crate) fn heap() -> String {
    let sphere = |index: usize| {
        let [x, y, z] = [0, 1, 2].map(|axis| 5.0 * scattered(index, axis));
        format!("[[sphere]]\ncenter = [{x:.2}, {y:.2}, {z:.2}]\nradius = 0.9\ncolor = \"#cc6677\"\n")
    };
    (1..20).map(sphere).collect()
}

pub(crate) const CIRCLES: &str = "\
[canvas]
width = 40
height = 30
[[circle]]
center = [20, 15]
radius = 8
fill = \"#4477aa\"
";

/// Values of an option; one of them at least is no default.
pub(crate) fn values(option: &LoadOption) -> Vec<&'static str> {
    match option.name {
        "width" => vec!["37"],
        "height" => vec!["23"],
        "background" => vec!["#123456"],
        "view_box" => vec!["20,15,12"],
        "samples" => vec!["2"],
        "look" => vec!["studio", "flat", "headlight", "illustrative"],
        "ao" => vec!["smooth", "off", "8"],
        "ao_distance" => vec!["0.7"],
        "shadows" => vec!["true", "false"],
        "ambient" => vec!["0.35"],
        "cloud_radius" => vec!["0.01", "200"],
        "outline_color" => vec!["#ff0000"],
        "transparency" => vec!["solid"],
        "seed" => vec!["9"],
        "key" | "fill" => vec!["0.33"],
        "key_angle" => vec!["33"],
        "ao_strength" | "rim" => vec!["0.45"],
        "fog_start" => vec!["0.2"],
        "outline_width" => vec!["3"],
        "outline_depth" => vec!["0.5"],
        "view" => vec!["left", "bottom"],
        "azimuth" | "elevation" | "roll" => vec!["33"],
        "zoom" => vec!["0.6"],
        "focus" => vec!["index 0", "element N"],
        "clip" => vec!["x<1.3"],
        "slab" => vec!["0.4,0.6"],
        "eye" => vec!["3,4,9"],
        "target" => vec!["1,0.5,0.3"],
        "up" => vec!["1,1,0.3"],
        "fov" => vec!["70"],
        "ortho" => vec!["true"],
        "ortho_height" => vec!["9"],
        "x" => vec!["v"],
        "y" | "z" => vec!["v"],
        "r" => vec!["v"],
        "color" => vec!["v", "kind", "element"],
        "color_by" => vec!["v", "kind", "b_factor", "charge", "chain", "x", "#aabbcc"],
        "palette" => vec!["set2"],
        "categories" => vec!["c", "B"],
        "legend_categories" => vec!["a", "no such"],
        "colormap" => vec!["plasma"],
        "color_range" => vec!["1,2"],
        "color_center" => vec!["1"],
        "color_scale" => vec!["log", "sqrt", "equalize"],
        "compute" => vec!["w = x * 2"],
        "radius" => vec!["0.4", "v", "vdw"],
        "radius_of" => vec!["index 0=0.4"],
        "assembly" => vec!["1", "2"],
        "frame" => vec!["1", "0"],
        "atom_style" => vec!["atomic"],
        "decimal" => vec![","],
        "missing" => vec!["1", "defekt"],
        "wrap" => vec!["true"],
        "replicate" => vec!["2,1,1"],
        "symmetry" => vec!["off"],
        "bonds" => vec!["distance", "none"],
        "bond_radius" => vec!["0.3"],
        "ball_scale" => vec!["0.4"],
        "contacts" => vec!["index 0=all", "all\u{1f}all\u{1f}6"],
        "hbonds" => vec!["baker-hubbard", "wernet-nilsson"],
        "ellipsoids" => vec!["0.4"],
        "ellipsoid_rings" => vec!["true"],
        "vectors" => vec!["vel", "vx,vy,vz"],
        "vector_scale" => vec!["0.7"],
        "vector_color" => vec!["length"],
        "only" | "hide" => vec!["index 0", "element C", "kind a"],
        "opacity_by" => vec!["charge", "v"],
        "density" => vec!["count"],
        "density_bin" => vec!["3"],
        "stroke" => vec!["#ff0000"],
        "stroke_width" => vec!["3"],
        "draw_order" => vec!["random", "-v"],
        "x_scale" | "y_scale" => vec!["log"],
        "x_range" | "y_range" => vec!["-2,30"],
        "x_label" | "y_label" => vec!["A name"],
        "title" => vec!["A title"],
        "legend" => vec!["on", "off", "counts", "below", "inside,counts"],
        "legend_title" => vec!["Charge"],
        "legend_name" => vec!["A=chain one", "a=one"],
        "figure_width" => vec!["300px"],
        "scale_bar" => vec!["on", "1"],
        "axes" => vec!["true"],
        "cell" => vec!["true", "false"],
        "trim" => vec!["0", "30"],
        "scale" => vec!["2"],
        "font_size" => vec!["7pt"],
        "ink" => vec!["blue"],
        _ => Vec::new(),
    }
}

/// Options that may be idle without a note, and why.
pub(crate) const SILENT: [(&str, &str); 7] = [
    ("draw_order", "shows where circles of several colours overlap, and these do not"),
    ("fog", "begins at a depth behind which nothing may be"),
    ("dpi", "is written into the file"),
    ("format", "names what is recognized"),
    ("topology", "is a file of its own, and refused elsewhere"),
    ("focus_margin", "is refused without a focus"),
    ("decimal", "makes thousands of all numbers with three decimals, and the picture stays"),
];

/// Sets options by their names.
pub(crate) fn set(options: &mut LoadOptions, given: &[(&str, &str)]) {
    for (name, value) in given {
        LoadOption::named(name).expect(name).set(options, value).expect(value);
    }
}

/// A picture and its notes.
type Drawn = (Frame, Vec<String>);

/// Draws a file; `None` if it is refused.
fn drawn(path: &Path, options: &LoadOptions, renderer: &mut Renderer) -> Option<Drawn> {
    let loaded = load(path, options).ok()?;
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a size");
    loaded.draw(renderer, &mut frame).ok()?;
    Some((frame, loaded.notes))
}

/// Whether no value of an option changes a pixel or adds a note; false if none can be set.
fn is_silent(
    path: &Path,
    base: &LoadOptions,
    (plain, plain_notes): &Drawn,
    option: &LoadOption,
    renderer: &mut Renderer,
) -> bool {
    let changed = values(option).into_iter().filter_map(|value| {
        let mut options = base.clone();
        option.set(&mut options, value).ok()?;
        (options != *base).then_some(options)
    });
    let silent = changed.map(|mut options| {
        if option.name == "figure_width" {
            (options.width, options.height) = (None, None);
        }
        drawn(path, &options, renderer).is_some_and(|(frame, notes)| {
            let is_same_size = (frame.width(), frame.height()) == (plain.width(), plain.height());
            is_same_size && frame.pixels() == plain.pixels() && notes == *plain_notes
        })
    });
    let silent: Vec<bool> = silent.collect();
    !silent.is_empty() && !silent.contains(&false)
}

#[test]
fn options_change_a_pixel_or_say_why_not() {
    let folder = Folder::new();
    let files: Vec<PathBuf> = [
        ("models.pdb", PDB.to_owned()),
        ("two.pdb", helix(6)),
        ("one.pdb", helix(99)),
        ("box.xyz", ions()),
        ("particles.csv", particles(3)),
        ("map.csv", particles(2)),
        ("spheres.toml", heap()),
        ("circles.toml", CIRCLES.to_owned()),
    ]
    .map(|(name, text)| folder.file(name, text))
    .into();
    let contexts: [&[(&str, &str)]; 6] = [
        &[],
        &[("look", "studio")],
        &[("look", "flat")],
        &[("color_by", "charge"), ("legend", "on")],
        &[("color_by", "b_factor")],
        &[("color_by", "kind"), ("legend", "on")],
    ];
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
    let mut silent = Vec::new();
    for file in &files {
        for context in contexts {
            let mut base = LoadOptions { width: Some(80), height: Some(60), ..LoadOptions::default() };
            set(&mut base, context);
            let Some(plain) = drawn(file, &base, &mut renderer) else { continue };
            for option in LoadOption::all() {
                let is_known = SILENT.iter().any(|(name, _)| *name == option.name);
                // the file of three atoms is for its models and assemblies
                let is_elsewhere = file.ends_with("models.pdb") && !matches!(option.name, "assembly" | "frame");
                if !is_known && !is_elsewhere && is_silent(file, &base, &plain, option, &mut renderer) {
                    let file = file.file_name().unwrap_or_default().to_string_lossy();
                    silent.push(format!("{file} {context:?}: {} {:?}", option.name, values(option)));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{} options are idle without a word: {silent:#?}", silent.len());
}

#[test]
fn panels_say_what_changes_nothing() {
    let folder = Folder::new();
    let files = [folder.file("a.pdb", helix(6)), folder.file("b.pdb", helix(6))];
    let notes = |name: &str, value: &str| {
        let mut options = LoadOptions { width: Some(160), ..LoadOptions::default() };
        options.figure.grid = Some("2x1".parse().expect("a grid"));
        set(&mut options, &[(name, value)]);
        load_grid(&files, &FrameChoice::One, &options).map(|grid| grid.notes)
    };
    for (name, value) in [
        ("shadows", "true"),
        ("seed", "9"),
        ("transparency", "solid"),
        ("legend_title", "Chain"),
        ("clip", "x<1000"),
        ("slab", "1000"),
        ("roughness", "0.4"),
    ] {
        let notes = notes(name, value).expect(name);
        assert!(matches!(&notes[..], [note] if note.contains(" changes nothing: ")), "{name}: {notes:?}");
    }
    assert_eq!(notes("clip", "x<1").expect("a cut"), Vec::<String>::new());
    let sight = notes("eye", "900,0,0").expect("an eye that looks past");
    assert!(sight.is_empty() || sight[0].starts_with("a.pdb: "), "{sight:?}");
    assert!(notes("view_box", "20,15,12").is_err(), "a part is for circles");
}

#[test]
fn streams_refuse_what_they_do_not_draw() {
    let folder = Folder::new();
    let file = folder.file("box.xyz", ions());
    let given = |name: &str, value: &str| {
        let mut options = LoadOptions { width: Some(80), height: Some(60), ..LoadOptions::default() };
        set(&mut options, &[(name, value)]);
        options
    };
    let of_data = [
        ("bonds", "distance"),
        ("bond_radius", "0.3"),
        ("ball_scale", "0.4"),
        ("contacts", "index 0=all"),
        ("hbonds", "baker-hubbard"),
        ("ellipsoids", "0.5"),
        ("ellipsoid_rings", "true"),
        ("vectors", "vel"),
        ("vector_scale", "2"),
        ("vector_color", "length"),
        ("grid", "2x1"),
        ("stereo", "6"),
        ("view_box", "20,15,12"),
        ("legend", "on"),
        ("legend_title", "Charge"),
        ("cell", "true"),
        ("stamp", "step"),
        ("figure_width", "85mm"),
    ];
    for (name, value) in of_data {
        let options = given(name, value);
        let streamed = StreamedScene::files(std::slice::from_ref(&file), &options);
        assert!(streamed.is_err_and(|error| error.to_string().contains("in memory")), "{name}");
        let generated = StreamedScene::generated(Pattern::Uniform, 100, 1, &options);
        assert!(generated.is_err(), "{name} of a pattern");
    }
    for (name, value) in [("legend", "off"), ("cell", "false")] {
        assert!(StreamedScene::files(std::slice::from_ref(&file), &given(name, value)).is_ok(), "{name} {value}");
    }
    let styled = |style| LoadOptions { style: vec![(None, style)], ..LoadOptions::default() };
    let streamed = |options: &LoadOptions| StreamedScene::files(std::slice::from_ref(&file), options);
    assert!(streamed(&styled(MoleculeStyle::Sticks)).is_err());
    assert!(streamed(&styled(MoleculeStyle::Spacefill)).is_ok());
}

#[test]
fn streams_say_what_changes_nothing() {
    let folder = Folder::new();
    // a wall before a row that leads away from the eye
    let wall = (0..900).map(|index| format!("{},{},9,0.8\n", index % 30, index / 30));
    let row = (0..9).map(|index| format!("15,15,{index},0.3\n"));
    let file = folder.file("wall.csv", format!("x,y,z,radius\n{}", wall.chain(row).collect::<String>()));
    let renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
    let notes = |given: &[(&str, &str)]| {
        let mut options = LoadOptions { width: Some(80), height: Some(60), ..LoadOptions::default() };
        set(&mut options, &[("look", "headlight"), ("ao", "off"), ("ortho", "true"), ("view", "top")]);
        set(&mut options, given);
        let scene = StreamedScene::files(std::slice::from_ref(&file), &options).expect("a table");
        let visible = scene.visible(&renderer).expect("a picture");
        scene.notes(&visible)
    };
    for (name, value) in [("clip", "x<1000"), ("clip", "z>-3"), ("slab", "1000")] {
        let notes = notes(&[(name, value)]);
        assert!(
            matches!(&notes[..], [note] if note.contains(" changes nothing: all spheres lie ")),
            "{value}: {notes:?}"
        );
    }
    for (name, value) in [("clip", "x<10"), ("clip", "z>0"), ("slab", "5")] {
        assert_eq!(notes(&[(name, value)]), Vec::<String>::new(), "{name} {value}");
    }
    let fog = |start: &str| notes(&[("fog", "0.8"), ("fog_start", start)]);
    assert!(fog("0.5")[0].starts_with("--fog changes nothing: what shows lies in front"));
    assert!(fog("1")[0].starts_with("--fog changes nothing: "));
    assert_eq!(fog("0.05"), Vec::<String>::new());
    assert!(notes(&[("cloud_radius", "0.001")])[0].starts_with("--cloud-radius changes nothing: "));
}

#[test]
fn frames_and_slabs_that_change_nothing_say_so() {
    let folder = Folder::new();
    folder.file("ions.xyz", ions());
    let scene = folder.file("still.toml", "[[spheres]]\nfile = \"ions.xyz\"\n");
    let notes = load(&scene, &LoadOptions { frame: Some(3), ..LoadOptions::default() }).expect("a scene").notes;
    assert!(matches!(&notes[..], [note] if note.contains("--frame 3 changes nothing")), "{notes:?}");
    // a flat molecule that lies across the axes, seen from its broad side
    let flat: String = (0..25).map(|index| format!("C {} {} {}\n", index / 5, index % 5, index / 5)).collect();
    let flat = folder.file("flat.xyz", format!("25\n\n{flat}"));
    let options = LoadOptions { slab_thickness: Some(3.6), ..LoadOptions::default() };
    let notes = load(&flat, &options).expect("a molecule").notes;
    assert!(notes.iter().any(|note| note.starts_with("--slab 3.6 changes nothing")), "{notes:?}");
}

/// The notes of a scene under these options.
fn scene_notes(scene: &str, given: &[(&str, &str)]) -> Vec<String> {
    let folder = Folder::new();
    let mut options = LoadOptions::default();
    set(&mut options, given);
    load(folder.file("scene.toml", scene), &options).expect("a scene").notes
}

#[test]
fn transparency_is_used_by_translucent_shapes_of_all_kinds() {
    let shapes = [
        "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n",
        "[[ellipsoid]]\ncenter = [0, 0, 0]\nradii = [1, 2, 1]\n",
        "[[cylinder]]\nstart = [0, 0, 0]\nend = [1, 0, 0]\nradius = 0.5\n",
        "[[arrow]]\nstart = [0, 0, 0]\nvector = [1, 0, 0]\nradius = 0.2\n",
    ];
    for shape in shapes {
        let notes =
            |color: &str| scene_notes(&format!("{shape}color = \"{color}\"\n"), &[("transparency", "surfaces")]);
        assert_eq!(notes("#cc222266"), Vec::<String>::new(), "{shape}");
        let opaque = notes("#cc2222");
        assert!(
            matches!(&opaque[..], [note] if note.contains("--transparency changes nothing: nothing in the picture")),
            "{opaque:?}"
        );
    }
}

#[test]
fn lights_and_shadows_of_clouds_change_nothing_and_say_so() {
    let scene = |radius: f64, look: &str| {
        let spheres: String = (0..9)
            .map(|index| format!("[[sphere]]\ncenter = [{index}, {}, 0]\nradius = {radius}\n", index % 3))
            .collect();
        format!(
            "[camera]\nwidth = 40\nheight = 30\n[render]\nlook = \"{look}\"\n[[light]]\ndirection = [1, 0, 0]\n{spheres}"
        )
    };
    let notes = |radius, look, given: &[(&str, &str)]| scene_notes(&scene(radius, look), given);
    let cloud = notes(0.001, "studio", &[("shadows", "false")]);
    let says = |start: &str| cloud.iter().filter(|note| note.contains(start)).count();
    assert_eq!(says("--shadows changes nothing: spheres as small as pixels"), 1, "{cloud:?}");
    assert_eq!(says("scene.toml:6: light[0] changes nothing: spheres as small as pixels"), 1, "{cloud:?}");
    assert_eq!(notes(0.8, "studio", &[("shadows", "false")]), Vec::<String>::new());
    // a look without shadows needs no note
    let flat = notes(0.001, "headlight", &[("shadows", "false"), ("cloud_radius", "1.5")]);
    assert!(!flat.iter().any(|note| note.starts_with("--shadows")), "{flat:?}");
}

#[test]
fn fog_behind_what_shows_and_in_front_of_it_is_noted() {
    let folder = Folder::new();
    let drawn = |table: &str, given: &[(&str, &str)]| {
        let mut options = LoadOptions { width: Some(40), height: Some(40), ..LoadOptions::default() };
        set(&mut options, &[("look", "headlight"), ("ortho", "true")]);
        set(&mut options, given);
        let loaded = load(folder.file("t.csv", table), &options).expect("particles");
        (loaded.notes.clone(), files::drawn(&loaded))
    };
    // only the front half of the farthest sphere shows, at most half as deep as its back
    let table = "x,y,z,radius\n0,0,0,3\n1,0,1,1\n0,1,2,1\n";
    let (top, fog) = (("view", "top"), ("fog", "0.8"));
    let plain = drawn(table, &[top]).1;
    let (notes, pixels) = drawn(table, &[top, fog, ("fog_start", "0.6")]);
    assert!(notes[0].contains("--fog changes nothing: what shows lies in front"), "{notes:?}");
    assert!(pixels == plain, "nothing changes");
    let (notes, pixels) = drawn(table, &[top, fog, ("fog_start", "0.3")]);
    assert!(notes.is_empty() && pixels != plain, "{notes:?}");
    // a sphere out of sight is far in front
    let table = "x,y,z,radius\n0,0,0,1\n0,1,0,1\n60,0,100,1\n";
    let camera = [("eye", "0,0,200"), ("target", "0,0,0"), ("ortho_height", "4"), ("fog_start", "0")];
    let notes = |fog: &'static str| drawn(table, &[&camera[..], &[("fog", fog)]].concat()).0;
    assert!(notes("1").iter().any(|note| note.contains("fog hides 98 % or more of all that shows")));
    assert!(notes("0.5").iter().all(|note| !note.contains("fog")));
}
