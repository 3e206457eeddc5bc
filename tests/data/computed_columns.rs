//! Computed columns, the focus, radii of selections, and several files in one picture.

use std::path::PathBuf;

use crate::files::{Folder, PDB, XYZ, color, drawn, only_circles, only_spheres, overrides};
use roundel::color::{ColorKey, ColorMap, Scale};
use roundel::io::{FrameChoice, FrameList, LegendChoice, LoadOptions, describe, load, load_several};
use roundel::spheres::SphereScene;
use roundel::{Scene, Srgba8};

/// Three particles with velocities.
const GAS: &str = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n\
                   ITEM: ATOMS id type x y z vx vy vz\n1 1 0 0 0 3 4 0\n2 2 3 0 0 0 0 13\n3 2 9 0 0 0 0 0\n";

fn colors(scene: &SphereScene<'_>) -> Vec<Srgba8> {
    only_spheres(scene).iter().map(|sphere| sphere.color).collect()
}

#[test]
fn colors_of_speeds_are_those_of_lengths_of_velocities() {
    let folder = Folder::new();
    let by = |change: &dyn Fn(&mut LoadOptions)| {
        colors(&folder.spheres(
            "g.dump",
            GAS,
            &overrides(|o| (o.color_range = Some("0,13".parse().unwrap()), change(o)).1),
        ))
    };
    let map: ColorMap = "viridis".parse().expect("a map");
    let expected: Vec<Srgba8> = [5.0, 13.0, 0.0].map(|speed| map.number(speed / 13.0)).to_vec();
    for name in ["speed", "velocity", "v", "sqrt(vx^2+vy^2+vz^2)"] {
        assert_eq!(by(&|o| o.color_by = Some(name.into())), expected, "{name}");
    }
    let computed = by(&|o| {
        o.compute = vec!["fast = 2 * abs(vx) + vy".into()];
        o.color_by = Some("fast".into());
    });
    assert_eq!(computed, [10.0, 0.0, 0.0].map(|value| map.number(value / 13.0)));
    let only =
        overrides(|o| (o.compute, o.only) = (vec!["e = vx*vx + vz".into()], Some("e > 10 and speed < 20".into())));
    assert_eq!(only_spheres(&folder.spheres("g.dump", GAS, &only)).len(), 1);
    for name in ["velocity_magnitude", "vmag"] {
        let by = overrides(|o| o.color_by = Some(name.into()));
        let refused = folder.refusal_with("g.dump", GAS, &by);
        assert!(refused.contains("; did you mean \"speed\"? (columns: id"), "{refused}");
        let none = folder.refusal_with("n.dump", GAS.replace(" vx vy vz", " a b c"), &by);
        assert!(none.contains("the length of velocities (vx, vy, vz) that it does not have"), "{none}");
        let only = overrides(|o| o.only = Some(format!("{name} > 2")));
        let refused = folder.refusal_with("g.dump", GAS, &only);
        assert!(refused.contains("did you mean \"speed\"?"), "{refused}");
    }
    let refused = |text: &str| folder.refusal_with("g.dump", GAS, &overrides(|o| o.compute = vec![text.into()]));
    assert!(refused("vx").contains("compute must be a name, =, and a formula"), "{}", refused("vx"));
    assert!(
        refused("a = vx +").contains("column 6: expected a number, a column or a bracket"),
        "{}",
        refused("a = vx +")
    );
    assert!(refused("a = vq").contains("must name columns of"), "{}", refused("a = vq"));
    assert!(refused("vx = vy").contains("must be a new name"), "{}", refused("vx = vy"));
    let xyz = |texts: &[&str]| {
        let compute = texts.iter().map(|&text| text.to_owned()).collect();
        folder.refusal_with("m.xyz", XYZ, &overrides(|o| o.compute = compute))
    };
    assert!(xyz(&["x = 1"]).contains("must be a new name; x is a coordinate"), "{}", xyz(&["x = 1"]));
    assert!(xyz(&["a = x", "a = y"]).contains("must name each column once, got a twice"));
}

#[test]
fn formulas_name_columns_that_are_computed() {
    let folder = Folder::new();
    const TABLE: &str = "x,y,z,vx,vy,vz\n0,0,0,3,4,0\n3,0,0,0,0,13\n9,0,0,0,0,0\n";
    let radii = |compute: &[&str], radius: &str| {
        let compute = compute.iter().map(|&text| text.to_owned()).collect();
        let given = overrides(|o| (o.compute, o.r) = (compute, Some(radius.into())));
        only_spheres(&folder.spheres("g.csv", TABLE, &given)).iter().map(|s| s.radius).collect::<Vec<_>>()
    };
    let plain = radii(&[], "2 * (vx^2 + 1) + 3");
    assert_eq!(radii(&["a = vx^2 + 1", "b = 2*a", "c = b + 3"], "c"), plain);
    assert_eq!(radii(&["a = vx^2 + 1"], "2*a + 3"), plain);
    // ready-made lengths, too
    assert_eq!(radii(&["e = 0.5 * speed^2"], "2*e"), radii(&[], "speed * speed"));
    let notes = |compute: &[&str]| {
        let compute = compute.iter().map(|&text| text.to_owned()).collect();
        let given = overrides(|o| (o.compute, o.color_by) = (compute, Some("b".into())));
        load(folder.file("g.dump", GAS), &given).expect("particles").notes
    };
    assert_eq!(notes(&["a = vx^2", "b = a + 1"]), [""; 0]);
    // a formula names those before it
    let refused = |compute: Vec<String>| folder.refusal_with("g.dump", GAS, &overrides(|o| o.compute = compute));
    let found = refused(vec!["b = a + 1".into(), "a = vx".into()]);
    assert!(found.contains("must name columns of") && found.contains("got \"a\""), "{found}");
    let doubled = (1..64).map(|at| format!("a{at} = a{0} + a{0}", at - 1));
    let found = refused(std::iter::once("a0 = vx".to_owned()).chain(doubled).collect());
    assert!(found.contains("at most 1000 steps"), "{found}");
}

#[test]
fn a_described_scene_computes_the_same_columns() {
    let folder = Folder::new();
    let path = folder.file("g.dump", GAS);
    let given = overrides(|o| (o.compute, o.color_by) = (vec!["e = vx*vx + vz".into()], Some("e".into())));
    let scene = describe(&path, &given).expect("particles").scene.expect("a scene").to_string();
    let again = folder.spheres("s.json", scene, &LoadOptions::default());
    assert_eq!(colors(&again), colors(&folder.spheres("g.dump", GAS, &given)));
}

#[test]
fn radii_of_selections_and_reversed_ranges_are_as_given() {
    let folder = Folder::new();
    let given = overrides(|o| o.radius_of = vec![("type 2".into(), 0.8), ("x > 5".into(), 2.0)]);
    let radii: Vec<f32> = only_spheres(&folder.spheres("g.dump", GAS, &given)).iter().map(|s| s.radius).collect();
    assert_eq!(radii[1..], [0.8, 2.0]);
    let ramp = |range: &str, map: &str| {
        let given = overrides(|o| {
            (o.color_by, o.colormap) = (Some("x".into()), Some(map.into()));
            o.color_range = Some(range.parse().expect("a range"));
        });
        colors(&folder.spheres("g.dump", GAS, &given))
    };
    assert_eq!(ramp("9,0", "viridis"), ramp("0,9", "viridis_r"));
    assert_ne!(ramp("9,0", "viridis"), ramp("0,9", "viridis"));
    let table = "x,y,q\n0,0,-1\n1,0,0\n2,0,4\n";
    let center = overrides(|o| (o.color_by, o.color_center) = (Some("q".into()), Some(0.0)));
    let map: ColorMap = "coolwarm".parse().expect("a map");
    let found: Vec<Srgba8> =
        only_circles(&folder.circles("t.csv", table, &center)).iter().map(|c| c.color.with_alpha(255)).collect();
    assert_eq!(found, [0.375, 0.5, 1.0].map(|share| map.number(share)));
    let shown =
        |given: &LoadOptions| match describe(folder.file("t.csv", table), given).expect("a table").sources[0].colors {
            Some(ColorKey::Numbers { least, most, shown, .. }) => ([least, most], shown),
            ref other => panic!("no numbers: {other:?}"),
        };
    assert_eq!(shown(&center), ([-4.0, 4.0], Some([-1.0, 4.0])));
    let within = LoadOptions { color_range: Some("-2,8".parse().expect("a range")), ..center.clone() };
    assert_eq!(shown(&within), ([-8.0, 8.0], Some([-2.0, 8.0])));
    let percentiles = LoadOptions { color_range: Some("p2,p98".parse().expect("a range")), ..center.clone() };
    let refused = load(folder.file("t.csv", table), &percentiles).expect_err("percentiles").to_string();
    assert!(refused.contains("color_center takes a color_range of two numbers beside it, got p2,p98"), "{refused}");
    let logarithms = LoadOptions { color_scale: Some(Scale::Log.into()), ..center };
    let refused = load(folder.file("t.csv", table), &logarithms).expect_err("no logarithm").to_string();
    assert!(refused.contains("color_center must be positive for the scale log, got 0"), "{refused}");
    for number in [f64::NAN, f64::INFINITY] {
        let refused = load(
            folder.file("t.csv", table),
            &overrides(|o| (o.color_by, o.color_center) = (Some("q".into()), Some(number))),
        );
        let refused = refused.expect_err("no number").to_string();
        assert!(refused.contains("color_center must be finite"), "{refused}");
    }
}

#[test]
fn a_focus_is_in_the_middle_and_nothing_is_in_front_of_it() {
    let folder = Folder::new();
    let given = overrides(|o| (o.focus, o.focus_margin) = (Some("id 2".into()), Some(1.0)));
    let scene = folder.spheres("g.dump", GAS, &given);
    assert!(scene.view.camera.target.distance([3.0, 0.0, 0.0].into()) < 1e-12, "{}", scene.view.camera.target);
    assert_eq!((scene.clip_planes.len(), scene.view.width), (1, scene.view.height));
    let toward_eye = (scene.view.camera.eye - scene.view.camera.target).normalize();
    let plane = scene.clip_planes[0].boundary;
    assert!(
        (plane.signed_distance(scene.view.camera.target) + 1.0).abs() < 1e-5 && plane.normal.dot(toward_eye) > 0.999
    );
    let lone = folder.refusal_with("g.dump", GAS, &overrides(|o| o.focus_margin = Some(1.0)));
    assert!(lone.contains("focus_margin is for a focus"), "{lone}");
}

#[test]
fn computed_columns_are_radii_only_where_they_are_named() {
    let folder = Folder::new();
    let radii = |change: fn(&mut LoadOptions)| -> Vec<f32> {
        let scene = folder.spheres("g.dump", GAS, &overrides(change));
        only_spheres(&scene).iter().map(|sphere| sphere.radius).collect()
    };
    let usual = radii(|_| {});
    let colored = |o: &mut LoadOptions| (o.compute, o.color_by) = (vec!["r = 4 + x".into()], Some("r".into()));
    assert_eq!(radii(colored), usual);
    let sized = |o: &mut LoadOptions| (o.compute, o.radius) = (vec!["r = 4 + x".into()], Some("r".into()));
    assert_eq!(radii(sized), [4.0, 7.0, 13.0]);
    let missing = |name: &str| folder.refusal_with("a.xyz", XYZ, &overrides(|o| o.color_by = Some(name.into())));
    assert!(missing("speed").contains("the length of velocities (vx, vy, vz) that it does not have"));
    assert!(missing("force").contains("the length of forces (fx, fy, fz) that it does not have"));
}

#[test]
fn several_files_and_all_frames_share_a_picture() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.xyz", XYZ), folder.file("b.dump", GAS));
    let both = load_several(&[a.clone(), b], &FrameChoice::One, &LoadOptions::default()).expect("two files");
    let Scene::Spheres(scene) = &both.scene else { panic!("spheres") };
    let colors: Vec<_> = scene.groups.iter().map(|group| group.spheres.iter().next().expect("one").color).collect();
    assert_eq!((scene.groups.len(), colors[0] != colors[1]), (2, true));
    let all = load_several(&[a], &FrameChoice::All, &LoadOptions::default()).expect("two frames");
    let Scene::Spheres(scene) = &all.scene else { panic!("spheres") };
    let counts: Vec<usize> = scene.groups.iter().map(|group| group.spheres.len()).collect();
    assert_eq!(counts, [3, 2]);
    let table = folder.file("t.csv", "x,y\n1,2\n");
    load_several(&[table.clone(), table], &FrameChoice::One, &LoadOptions::default()).expect_err("maps");
}

#[test]
fn several_files_and_frames_share_a_ramp() {
    let folder = Folder::new();
    let row = |x: u32, y: u32| format!("1\n\nHe {x} {y} 0\n");
    let files = [folder.file("a.xyz", row(0, 0)), folder.file("b.xyz", row(90, 0)), folder.file("c.xyz", row(45, 9))];
    let film = folder.file("film.xyz", row(0, 0) + &row(90, 0) + &row(45, 9));
    for (paths, frames, key) in [(&files[..], FrameChoice::One, "x"), (&[film], FrameChoice::All, "frame")] {
        let options = overrides(|o| o.color_by = Some(key.into()));
        let loaded = load_several(paths, &frames, &options).expect("three spheres");
        let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
        let colors: Vec<_> = scene.groups.iter().map(|group| group.spheres.iter().next().expect("one").color).collect();
        assert!(colors[0] != colors[1] && colors[1] != colors[2] && colors[0] != colors[2], "{key}: {colors:?}");
    }
}

#[test]
fn arrows_of_several_files_have_one_scale() {
    let folder = Folder::new();
    let file = |name: &str, speed: u32| {
        let head = "1\nProperties=species:S:1:pos:R:3:vel:R:3\n";
        folder.file(name, format!("{head}He {speed} 0 0 0 {speed} 0\n"))
    };
    let files = [file("slow.xyz", 2), file("fast.xyz", 8)];
    for color in ["particle", "length"] {
        let options = overrides(|o| (o.vectors, o.vector_color) = (Some("vel".into()), Some(color.into())));
        let loaded = load_several(&files, &FrameChoice::One, &options).expect("two arrows");
        let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
        let shapes: Vec<_> = scene.shapes.cylinders.iter().map(|group| group.shapes[0]).collect();
        let tips: Vec<f32> = scene.shapes.cones.iter().map(|group| group.shapes[0].apex[1]).collect();
        let radius = scene.groups[0].spheres.iter().next().expect("one").radius;
        assert!((tips[1] - radius) / (tips[0] - radius) > 3.9, "four times as long: {tips:?}");
        if color == "length" {
            assert_ne!(shapes[0].colors, shapes[1].colors);
        }
    }
}

#[test]
fn several_files_have_the_box_that_is_filled() {
    let folder = Folder::new();
    let crystal = "CRYST1  300.000  300.000  300.000  90.00  90.00  90.00 P 1           1\n";
    let molecule = folder.file("m.pdb", format!("{crystal}{PDB}"));
    let boxed = |name: &str, side: u32| {
        let text = format!("1\nLattice=\"{side} 0 0 0 {side} 0 0 0 {side}\"\nHe 1 1 1\n");
        folder.file(name, text)
    };
    let files = [molecule, boxed("a.xyz", 9), boxed("b.xyz", 12)];
    let distance = |files: &[PathBuf]| {
        let loaded = load_several(files, &FrameChoice::One, &LoadOptions::default()).expect("files");
        let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
        let camera = scene.view.camera;
        ((camera.eye - camera.target).length(), loaded.notes)
    };
    let (near, notes) = distance(&files[..2]);
    assert!(near < 200.0, "the picture has no room for the cell of a crystal: {near}");
    assert!(notes.iter().all(|note| note.contains("1 of the 2 copies in assembly 1 is drawn")), "{notes:?}");
    let (_, notes) = distance(&files);
    assert!(notes.iter().any(|note| note.contains("1 other differs from it")), "{notes:?}");
}

#[test]
fn legends_of_several_frames_agree_with_their_highlights() {
    let folder = Folder::new();
    let a = folder.file("a.xyz", XYZ);
    let entries_of = |frames: FrameChoice, selection: &str| {
        let mut given = overrides(|o| o.highlight = vec![(selection.into(), color("#ff0000"))]);
        given.figure.legend = Some(LegendChoice::ON);
        // the message lists those that there are
        given.figure.legend_name = vec![("none".into(), "some".into())];
        load_several(std::slice::from_ref(&a), &frames, &given).expect_err("no such entry").to_string()
    };
    let entries = |selection: &str| entries_of(FrameChoice::All, selection);
    assert!(entries("frame 0").contains("(1, frame 0)"), "{}", entries("frame 0"));
    assert!(entries("element H").contains("(0, 1, element H)"), "{}", entries("element H"));
    // a list names frames in the same way
    let listed = FrameChoice::from("0,1".parse::<FrameList>().expect("two frames"));
    assert_eq!(entries_of(listed, "element H"), entries("element H"));
}

#[test]
fn entries_of_legends_are_named_and_figures_have_their_width() {
    let folder = Folder::new();
    let path = folder.file("g.dump", GAS);
    let mut given = overrides(|o| o.color_by = Some("type".into()));
    given.figure.legend = Some(LegendChoice::ON);
    given.figure.legend_name = vec![("3".into(), "gold".into())];
    let refused = load(&path, &given).expect_err("no such entry").to_string();
    assert!(refused.contains("legend_name must name an entry of the legend (1, 2), got \"3\""), "{refused}");
    let mut named = overrides(|_| {});
    named.figure.legend_name = vec![("2".into(), "gold".into())];
    named.figure.legend_unit = Some("Å".into());
    let notes = load(&path, &named).expect("particles").notes;
    for option in ["legend-name", "legend-unit"] {
        assert!(notes.iter().any(|note| note.starts_with(&format!("--{option} changes nothing: "))), "{notes:?}");
    }
    let centered = overrides(|o| o.color_center = Some(1.0));
    let refused = load(&path, &centered).expect_err("categories").to_string();
    assert!(refused.starts_with("color_center is for numbers"), "{refused}");
    let doubled = folder.refusal_with("g.dump", GAS, &overrides(|o| o.color_by = Some("nothing".into())));
    assert!(doubled.contains("(columns: id, type, x, y, z, vx, vy, vz, index)"), "{doubled}");
    given.figure.legend_name = vec![("2".into(), "gold".into())];
    given.figure.legend_title = Some("metal".into());
    given.figure.figure_width = Some("20mm".parse().expect("a width"));
    let frame = drawn(&load(&path, &given).expect("particles"));
    assert!((235..=237).contains(&frame.width()), "{} pixels", frame.width());
    let found = describe(&path, &given).expect("particles").sources[0].colors.clone();
    assert!(matches!(found, Some(ColorKey::Categories { name, .. }) if name == "type"), "data keeps its names");
}

#[test]
fn figures_are_as_high_as_their_legends() {
    let folder = Folder::new();
    let rows = |kinds: usize| (0..60).map(|row| format!("{row},0,{}\n", row % kinds)).collect::<String>();
    let size = |kinds: usize, width: &str, color: &str| {
        let path = folder.file("k.csv", format!("x,y,kind,n\n{}", rows(kinds).replace('\n', ",1.5\n")));
        let mut given = overrides(|o| (o.width, o.height, o.color_by) = (Some(400), Some(60), Some(color.into())));
        given.figure.legend = Some(LegendChoice::ON);
        if width.is_empty() {
            given.figure.dpi = Some(100.0);
        } else {
            (given.width, given.height) = (None, None);
            given.figure.figure_width = Some(width.parse().expect("a width"));
        }
        let frame = drawn(&load(&path, &given).expect("points"));
        (frame.width(), frame.height())
    };
    let [few, many] = [3, 30].map(|kinds| size(kinds, "", "kind").1);
    assert!(many >= few && few > 60 && many < 240, "{few} and {many} pixels of legend beside 60 of picture");
    assert!(size(3, "", "n").1 < 120, "a colour bar gets as low as its ticks allow");
    for (width, pixels) in [("120mm", 1417), ("85mm", 1004), ("60mm", 709)] {
        assert_eq!(size(30, width, "kind").0, pixels);
    }
}

#[test]
fn refusals_name_the_option_that_asks_for_a_column() {
    let folder = Folder::new();
    let text = "1\n\nC 0 0 0\n1\n\nC 1 0 0\n";
    let since = "displacement since 9";
    for (options, start) in [
        (overrides(|o| o.color_by = Some(since.to_owned())), "color_by displacement since 9 is not in"),
        (overrides(|o| o.color_by = Some("distance to name X".to_owned())), "color_by must name columns"),
        (
            overrides(|o| (o.compute, o.color_by) = (vec![format!("d = {since}")], Some("d".to_owned()))),
            "compute displacement since 9 is not in",
        ),
    ] {
        let message = folder.refusal_with("t.xyz", text, &options);
        assert!(message.contains(start), "{message}");
    }
}

#[test]
fn computed_columns_are_coordinates() {
    let folder = Folder::new();
    let text = "name,lon,lat\na,0,0\nb,90,45\nc,180,90\n";
    let placed = |compute: &[&str]| {
        let options = overrides(|o| {
            (o.width, o.height, o.radius) = (Some(400), Some(400), Some("2".into()));
            (o.compute, o.x, o.y) =
                (compute.iter().map(ToString::to_string).collect(), Some("x".into()), Some("y".into()));
        });
        load(folder.file("t.csv", text), &options)
    };
    let loaded = placed(&["x = lon", "y = 2 * lat"]).expect("a table");
    let Scene::Circles(scene) = &loaded.scene else { panic!("circles") };
    let centers: Vec<[f32; 2]> = only_circles(scene).iter().map(|circle| circle.center).collect();
    let side = centers[2][0] - centers[0][0];
    assert!((centers[1][0] - 200.0).abs() < 1e-3 && (centers[1][1] - 200.0).abs() < 1e-3, "{centers:?}");
    assert!((centers[0][1] - centers[2][1] - side).abs() < 1e-3, "one scale on both axes: {centers:?}");
    let loaded = placed(&["x = lon", "y = log(lat)"]).expect("a table");
    let Scene::Circles(scene) = &loaded.scene else { panic!("circles") };
    assert_eq!(only_circles(scene).len(), 2, "log(0) is no place");
    assert!(loaded.notes.iter().any(|note| note.contains("1 row has no coordinates")), "{:?}", loaded.notes);
    let solid = overrides(|o| {
        o.compute = vec!["x = lon".into(), "y = lat".into(), "z = lon + lat".into()];
        (o.x, o.y, o.z) = (Some("x".into()), Some("y".into()), Some("z".into()));
    });
    assert_eq!(only_spheres(&folder.spheres("t.csv", text, &solid)).len(), 3);
    let refused = placed(&["x = lon", "y = distance"]).expect_err("a distance");
    assert!(refused.to_string().contains("compute must name columns of"), "{refused}");
}

#[test]
fn computed_coordinates_are_named_and_described() {
    let folder = Folder::new();
    let path = folder.file("t.csv", "when,v\n2024-01-01,1\n2024-03-01,2\n");
    let options = overrides(|o| {
        (o.compute, o.x, o.y) = (vec!["twice = 2 * v".into()], Some("when".into()), Some("twice".into()));
    });
    let plane = load(&path, &options).expect("a table").figure.plane.expect("axes");
    assert_eq!(plane.axes.map(|axis| axis.name), ["when", "twice"]);
    let described = describe(&path, &options).expect("a table");
    let bounds = described.sources[0].bounds.as_ref().expect("places");
    assert_eq!([bounds[0][1], bounds[1][1]], [2.0, 4.0]);
}
