//! Molecules made whole, views along axes of the data, labels, and what a description proposes.

#[cfg(feature = "cli")]
use std::process::Command;

use crate::files::{Folder, centers, color, only_spheres, overrides};
use roundel::color::ColorKey;
use roundel::glam::{DMat3, DVec3, Vec3};
use roundel::io::{LegendChoice, LegendPlace, LoadOptions, describe, load};
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8};

/// Two water molecules in a box of 10 ångström, the first broken by its boundary; in nanometres.
const WATERS: &str = "\
water t= 1.5 step= 3
6
    1SOL     OW    1   0.990   0.500   0.500
    1SOL    HW1    2   0.030   0.580   0.500
    1SOL    HW2    3   0.030   0.420   0.500
    2SOL     OW    4   0.500   0.500   0.500
    2SOL    HW1    5   0.540   0.580   0.500
    2SOL    HW2    6   0.540   0.420   0.500
   1.00000   1.00000   1.00000
";

/// A row of four particles along x with image flags, in a tilted box of 10.
pub(crate) const ROW: &str = "ITEM: TIMESTEP\n500\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS xy xz yz pp pp pp\n0 12 2\n0 10 0\n0 5 0\n\
                   ITEM: ATOMS id type x y z ix iy iz q\n1 1 1 1 1 0 0 0 1\n2 1 3 1 1 1 0 0 2\n3 2 5 1 1 0 -1 0 3\n4 2 9 1 1 0 0 2 400\n";

fn near(found: &[[f32; 3]], expected: &[[f32; 3]]) -> bool {
    let apart = |(a, b): (&[f32; 3], &[f32; 3])| (0..3).map(|axis| (a[axis] - b[axis]).abs()).fold(0.0, f32::max);
    found.len() == expected.len() && found.iter().zip(expected).map(apart).fold(0.0, f32::max) < 1e-3
}

#[test]
fn molecules_are_joined_and_centered() {
    let folder = Folder::new();
    let drawn = |change: fn(&mut LoadOptions)| {
        let given = overrides(|o| (o.hide = Some("none".into()), change(o)).0);
        centers(&folder.spheres("w.gro", WATERS, &given))
    };
    let apart = drawn(|_| {});
    assert!(near(&apart[..2], &[[9.9, 5.0, 5.0], [0.3, 5.8, 5.0]]), "{apart:?}");
    let whole = drawn(|o| o.whole = Some(true));
    let step = if whole[0][0] < 0.0 { -10.0 } else { 0.0 };
    assert!(near(&whole[..2], &[[9.9 + step, 5.0, 5.0], [10.3 + step, 5.8, 5.0]]), "{whole:?}");
    assert_eq!(whole[3..], apart[3..], "what is whole stays");
    // without bonds, by residue
    let by_residue = drawn(|o| (o.whole, o.bonds) = (Some(true), Some(roundel::io::BondRule::None)));
    assert!(near(&by_residue, &whole));
    let centered = drawn(|o| o.center = Some("resid 1".into()));
    let middle = [0, 1, 2].map(|axis| centered[..3].iter().map(|place| place[axis]).sum::<f32>() / 3.0);
    assert!(near(&[middle], &[[5.0; 3]]), "{middle:?}");
    let free = "3\n\nO 0 0 0\nH 1 0 0\nH 0 1 0\n";
    for change in [(|o| o.whole = Some(true)) as fn(&mut LoadOptions), |o| o.center = Some("all".into())] {
        let refused = folder.refusal_with("m.xyz", free, &overrides(change));
        assert!(refused.contains("is for a periodic box, which"), "{refused}");
    }
    let refused = folder.refusal_with("w.gro", WATERS, &overrides(|o| o.center = Some("resid 9".into())));
    assert!(refused.contains("center must select a row"), "{refused}");
}

/// A chain of eight carbons in GROMACS' rhombic dodecahedron, across the middle of a face to the next box.
fn in_dodecahedron(wrap: impl Fn(DVec3, DMat3) -> DVec3) -> (String, Vec<DVec3>) {
    let edges = DMat3::from_cols(DVec3::X * 40.0, DVec3::Y * 40.0, DVec3::new(20.0, 20.0, 28.28427));
    // along the third edge, from inside of the box to the next one
    let along = edges.z_axis.normalize();
    let middle = edges * DVec3::splat(0.5);
    let whole: Vec<DVec3> = (0..8).map(|i| middle + along * (15.0 + 1.54 * f64::from(i))).collect();
    let atom = |(index, place): (usize, &DVec3)| {
        let [x, y, z] = (wrap(*place, edges) * 0.1).to_array();
        format!("{:>5}{:<5}{:>5}{:>5}{x:8.3}{y:8.3}{z:8.3}\n", 1, "LIG", format!("C{index}"), index + 1)
    };
    let atoms: String = whole.iter().enumerate().map(atom).collect();
    (format!("chain\n    8\n{atoms}   4.00000   4.00000   2.82843   0 0 0 0   2.00000   2.00000\n"), whole)
}

#[test]
fn molecules_are_joined_in_a_dodecahedron() {
    let folder = Folder::new();
    let in_cell = |place: DVec3, edges: DMat3| {
        let fraction = edges.inverse() * place;
        edges * (fraction - fraction.floor())
    };
    // the image nearest to the centre of the box, as `trjconv -ur compact` writes it
    let compact = |place: DVec3, edges: DMat3| {
        let middle = edges * DVec3::splat(0.5);
        let steps = (0..125).map(|i| DVec3::from([i % 5, i / 5 % 5, i / 25].map(|step| f64::from(step) - 2.0)));
        let images = steps.map(|step| place + edges * step);
        images.min_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle))).expect("images")
    };
    for (name, (text, whole)) in [("cell", in_dodecahedron(in_cell)), ("compact", in_dodecahedron(compact))] {
        let lengths = |change: fn(&mut LoadOptions)| -> (f32, Vec<[f32; 3]>) {
            let places = centers(&folder.spheres("d.gro", &text, &overrides(change)));
            let apart = places.windows(2).map(|pair| Vec3::from(pair[0]).distance(Vec3::from(pair[1])));
            (apart.fold(0.0, f32::max), places)
        };
        assert!(lengths(|_| {}).0 > 10.0, "{name}: broken as it is");
        for change in [
            (|o| o.whole = Some(true)) as fn(&mut LoadOptions),
            |o| o.center = Some("resname LIG".into()),
            |o| (o.whole, o.bonds) = (Some(true), Some(roundel::io::BondRule::None)),
        ] {
            let (longest, places) = lengths(change);
            assert!((longest - 1.54).abs() < 0.01, "{name}: {longest} {places:?}");
        }
        let (_, centered) = lengths(|o| o.center = Some("resname LIG".into()));
        let middle = centered.iter().map(|place| DVec3::from(place.map(f64::from))).sum::<DVec3>() / 8.0;
        assert!(middle.distance(DVec3::new(30.0, 30.0, 14.142)) < 0.01, "{name}: {middle}");
        assert_eq!(whole.len(), centered.len());
    }
}

#[test]
fn frames_are_selected_by_number() {
    let folder = Folder::new();
    let path = folder.file("t.xyz", "1\n\nC 0 0 0\n1\n\nC 5 0 0\n1\n\nC 9 0 0\n");
    let marked = |frame: i64| {
        let given = overrides(|o| {
            (o.frame, o.highlight) = (Some(frame), vec![("frame 1:2".into(), color("#ff0000"))]);
        });
        let loaded = load(&path, &given).expect("a frame");
        assert_eq!(loaded.notes, [""; 0]);
        let roundel::Scene::Spheres(scene) = loaded.scene else { panic!("circles") };
        scene.groups[0].spheres.at(0).color == color("#ff0000")
    };
    assert_eq!([0, 1, 2, -1].map(marked), [false, true, true, true]);
}

#[test]
fn residues_of_polymers_decide_the_range_of_numbers() {
    let folder = Folder::new();
    let atom = |serial: usize, name: &str, residue: &str, number: usize| {
        format!(
            "HETATM{serial:>5}  {name:<3} {residue} A{number:>4}    {:8.3}   0.000   0.000  1.00  0.00           {}\n",
            serial as f32,
            &name[..1]
        )
    };
    let text: String = (1..=9).map(|i| atom(i, "CA", "ALA", i)).collect::<String>() + &atom(10, "C1", "LIG", 900);
    let range = |text: &str, only: Option<&str>| {
        let path = folder.file("r.pdb", text);
        let given = overrides(|o| (o.color_by, o.only) = (Some("resid".into()), only.map(str::to_owned)));
        match &describe(&path, &given).expect("atoms").sources[0].colors {
            Some(ColorKey::Numbers { least, most, beyond, .. }) => ([*least, *most], *beyond),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(range(&text, None), ([1.0, 9.0], [false, true]));
    assert_eq!(range(&text, Some("ligand")), ([900.0, 900.0], [false; 2]));
}

#[test]
fn a_described_scene_joins_the_same_molecules() {
    let folder = Folder::new();
    let path = folder.file("w.gro", WATERS);
    let given = overrides(|o| (o.whole, o.hide) = (Some(true), Some("none".into())));
    let scene = describe(&path, &given).expect("water").scene.expect("a scene").to_string();
    let again = folder.spheres("s.json", scene, &LoadOptions::default());
    assert_eq!(centers(&again), centers(&folder.spheres("w.gro", WATERS, &given)));
}

#[test]
fn image_flags_move_particles_along_the_edges() {
    let folder = Folder::new();
    let moved = centers(&folder.spheres("r.dump", ROW, &overrides(|o| o.unwrap = Some(true))));
    // the edges are 10 along x, 2 and 10 in the plane, 5 along z
    assert!(near(&moved, &[[1.0; 3], [13.0, 1.0, 1.0], [3.0, -9.0, 1.0], [9.0, 1.0, 11.0]]), "{moved:?}");
    let refused = folder.refusal_with("w.gro", WATERS, &overrides(|o| o.unwrap = Some(true)));
    assert!(refused.contains("unwrap is for image flags") && refused.contains("--whole"), "{refused}");
}

#[test]
fn views_follow_edges_and_principal_axes() {
    let folder = Folder::new();
    let toward_eye = |axis: &str| {
        let given = overrides(|o| o.look_along = Some(axis.parse().expect("an axis")));
        let camera = folder.spheres("r.dump", ROW, &given).view.camera;
        ((camera.eye - camera.target).normalize(), camera.up.normalize())
    };
    let b = glam::Vec3::new(2.0, 10.0, 0.0).normalize();
    assert!(toward_eye("b").0.dot(b) > 0.9999 && toward_eye("a").0.x > 0.9999 && toward_eye("c").0.z > 0.9999);
    // z is up, unless the view is along z
    assert!(toward_eye("b").1.z > 0.9999 && toward_eye("a").1.z > 0.9999 && toward_eye("c").1.y > 0.9999);
    // the row lies along x
    assert!(toward_eye("axis 1").0.x.abs() > 0.9999);
    assert!(toward_eye("axis 3 of type 1").0.x.abs() < 1e-3);
    let refused = folder.refusal_with("m.xyz", "1\n\nO 0 0 0\n", &overrides(|o| o.look_along = "a".parse().ok()));
    assert!(refused.contains("which") && refused.contains("periodic box"), "{refused}");
}

#[test]
fn a_slab_of_a_thickness_is_around_the_focus() {
    let folder = Folder::new();
    let given = overrides(|o| (o.focus, o.slab_thickness) = (Some("id 3".into()), Some(4.0)));
    let scene = folder.spheres("r.dump", ROW, &given);
    let toward_eye = (scene.view.camera.eye - scene.view.camera.target).normalize();
    let target = glam::Vec3::new(5.0, 1.0, 1.0);
    let distances: Vec<f32> = scene.clip_planes.iter().map(|plane| plane.boundary.signed_distance(target)).collect();
    assert!(distances.len() == 2 && distances.iter().all(|distance| (distance + 2.0).abs() < 1e-4), "{distances:?}");
    assert!(scene.clip_planes[0].boundary.normal.dot(toward_eye) > 0.9999);
    assert!(scene.clip_planes[1].boundary.normal.dot(toward_eye) < -0.9999);
}

#[test]
fn nothing_hides_the_focus() {
    let folder = Folder::new();
    // a wall of balls before a ball, seen from the front
    let mut table = "x,y,z,r\n0,0,0,1\n".to_owned();
    (0..25).for_each(|at| table += &format!("{},{},3,1\n", at % 5 - 2, at / 5 - 2));
    let given = overrides(|o| {
        (o.focus, o.view, o.focus_margin) = (Some("index 0".into()), Some("front".parse().unwrap()), Some(9.0));
    });
    let path = folder.file("wall.csv", &table);
    let loaded = load(&path, &given).expect("balls");
    let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
    let radii: Vec<f32> = only_spheres(scene).iter().map(|sphere| sphere.radius).collect();
    // z is up: the front faces −y, where the wall is edge-on; from the top it hides the ball
    let top = overrides(|o| {
        (o.focus, o.view, o.focus_margin) = (Some("index 0".into()), Some("top".parse().unwrap()), Some(9.0));
    });
    let opened = load(&path, &top).expect("balls");
    let Scene::Spheres(scene) = &opened.scene else { panic!("spheres") };
    let left: Vec<f32> = only_spheres(scene).iter().map(|sphere| sphere.radius).collect();
    let count = |radii: &[f32]| radii.iter().filter(|radius| **radius == 0.0).count();
    assert!(radii[0] == 1.0 && left[0] == 1.0 && count(&left) >= 5 && count(&left) < 20, "{left:?}");
    let renderer = Renderer::new(&RenderSettings::default()).expect("a renderer");
    let middle = [scene.view.width / 2, scene.view.height / 2];
    assert_eq!(renderer.sphere_at(scene, middle).expect("few"), Some(0));
    let note = format!("{} spheres are left out in front of the focus", count(&left));
    assert!(opened.notes.iter().any(|found| found.contains(&note)), "{:?}", opened.notes);
    let mut labelled = top;
    labelled.figure.label = vec![("all".to_owned(), "{index}".to_owned())];
    let labels = load(&path, &labelled).expect("balls").figure.labels;
    assert_eq!(labels.len(), left.len() - count(&left), "what is left out has no label");
}

#[test]
fn a_focus_on_several_ligands_says_how_to_look_at_one() {
    let folder = Folder::new();
    let atom = |(serial, name, chain, number): (usize, &str, &str, u32)| {
        format!(
            "HETATM{serial:>5}  C1  {name} {chain}{number:>4}    {:>8.3}   0.000   0.000  1.00 20.00           C\n",
            serial as f32 * 2.0
        )
    };
    let ligands =
        [(1, "RET", "A", 296), (2, "RET", "A", 296), (3, "RET", "B", 296), (4, "BNG", "B", 401), (5, "BNG", "B", 402)];
    let path = folder.file("m.pdb", ligands.map(atom).concat());
    let notes = |focus: &str| load(&path, &overrides(|o| o.focus = Some(focus.into()))).expect("atoms").notes;
    for (focus, one) in [
        ("resname RET", "on 2 residues; --focus 'resname RET and chain A' looks at one"),
        ("resname BNG", "on 2 residues; --focus 'resname BNG and resid 401' looks at one"),
        // of two atoms, not of one
        ("chain A or resid 401", "on 2 residues; --focus 'resname RET' looks at one"),
    ] {
        assert!(notes(focus).iter().any(|note| note.contains(one)), "{focus}: {:?}", notes(focus));
    }
    let one = notes("resname RET and chain A");
    assert!(one.iter().all(|note| !note.contains("looks at one")), "{one:?}");
}

#[test]
fn the_same_view_is_that_of_the_other_picture() {
    let folder = Folder::new();
    let path = folder.file("r.dump", ROW);
    let given = overrides(|o| (o.azimuth, o.width, o.clip) = (Some(33.0), Some(200), vec!["x<8".parse().unwrap()]));
    let described = describe(&path, &given).expect("particles");
    let json = folder.file("p.json", serde_json::to_string(&described).expect("JSON"));
    let scene = folder.file("s.json", described.scene.expect("a scene").to_string());
    let first = folder.spheres("r.dump", ROW, &given);
    for file in [json, scene] {
        let same = overrides(|o| o.same_view = Some(file.display().to_string()));
        let second = folder.spheres("w.gro", WATERS, &same);
        assert_eq!((second.view, second.clip_planes), (first.view, first.clip_planes.clone()));
        let both = overrides(|o| (o.same_view, o.azimuth) = (Some(file.display().to_string()), Some(1.0)));
        assert_ne!(folder.spheres("w.gro", WATERS, &both).view, first.view, "turned on");
    }
    let none = folder.file("n.toml", "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    let refused = folder.refusal_with("w.gro", WATERS, &overrides(|o| o.same_view = Some(none.display().to_string())));
    assert!(refused.contains("has no camera"), "{refused}");
    for picture in ["golden/trace/all-together.png", "golden/trace/ambient.png"] {
        let picture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(picture);
        let same = overrides(|o| o.same_view = Some(picture.display().to_string()));
        let refused = folder.refusal_with("w.gro", WATERS, &same);
        let expected =
            "is a picture, which does not keep its camera; same_view takes a scene file, or what `roundel info";
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn each_part_of_a_scene_has_a_range_of_radii_of_its_own() {
    let folder = Folder::new();
    folder.file("a.csv", "x,y,z,m\n0,0,0,1\n2,0,0,2\n4,0,0,3\n");
    folder.file("b.csv", "x,y,z,m\n0,3,0,10\n3,3,0,20\n6,3,0,50\n");
    let part = |file: &str, radius: &str| format!("[[spheres]]\nfile = \"{file}\"\nradius = {radius}\n");
    let two = part("a.csv", "{ column = \"m\", range = [0.1, 0.5] }")
        + &part("b.csv", "{ column = \"m\", range = [2, 1], scale = \"sqrt\" }");
    let Scene::Spheres(scene) = folder.scene("s.toml", &two, &LoadOptions::default()) else { panic!("spheres") };
    let radii: Vec<f32> = scene.groups.iter().flat_map(|group| group.spheres.iter().map(|s| s.radius)).collect();
    let share = (20_f32.sqrt() - 10_f32.sqrt()) / (50_f32.sqrt() - 10_f32.sqrt());
    let expected = [0.1, 0.3, 0.5, 2.0, 2.0 - share, 1.0];
    assert!(radii.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{radii:?}");
    for (radius, message) in [
        ("{ column = \"m\" }", "range"),
        ("{ column = \"m\", range = [1, 1] }", "spheres[0].radius.range must be two different radii, got 1 twice"),
        ("{ column = \"m\", range = [-1, 1] }", "spheres[0].radius.range must not be negative"),
        ("{ column = \"n\", range = [1, 2] }", "spheres[0].radius must be a column of a.csv, got \"n\""),
        ("true", "or a table with column and range"),
    ] {
        let refused = folder.refusal_with("s.toml", part("a.csv", radius), &LoadOptions::default());
        assert!(refused.contains(message), "{refused}");
    }
}

#[test]
fn radii_spread_over_a_range_and_giants_are_noted() {
    let folder = Folder::new();
    let given = overrides(|o| (o.radius, o.radius_range) = (Some("q".into()), Some([0.5, 2.5])));
    let radii: Vec<f32> = only_spheres(&folder.spheres("r.dump", ROW, &given)).iter().map(|s| s.radius).collect();
    // square roots of 1, 2, 3 and 400 over 1 to 20
    let expected = [1.0_f32, 2.0, 3.0, 400.0].map(|q| 0.5 + (q.sqrt() - 1.0) / 19.0 * 2.0);
    assert!(radii.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{radii:?}");
    let refused = folder.refusal_with("r.dump", ROW, &overrides(|o| o.radius_range = Some([1.0, 2.0])));
    assert!(refused.contains("radius_range is for radii by a column"), "{refused}");
    // a reversed range: the smallest number has the largest radius, as for magnitudes of stars
    let reversed = overrides(|o| (o.radius, o.radius_range) = (Some("q".into()), Some([2.5, 0.5])));
    let radii: Vec<f32> = only_spheres(&folder.spheres("r.dump", ROW, &reversed)).iter().map(|s| s.radius).collect();
    assert!(radii.iter().zip(expected).all(|(a, b)| (a - (3.0 - b)).abs() < 1e-5), "{radii:?}");
    let equal = overrides(|o| (o.radius, o.radius_range) = (Some("q".into()), Some([2.0, 2.0])));
    let refused = folder.refusal_with("r.dump", ROW, &equal);
    assert!(refused.contains("radius_range must be two different radii, got 2 twice"), "{refused}");
    let mut table = "x,y,z,m\n".to_owned();
    (0..20).for_each(|at| table += &format!("{at},0,0,{}\n", if at == 9 { 50 } else { 1 }));
    let loaded = load(folder.file("m.csv", &table), &overrides(|o| o.r = Some("m".into()))).expect("a table");
    let note = loaded.notes.iter().find(|note| note.contains("holds 19 of 19 others")).expect("a note");
    assert!(note.contains("--radius-range "), "{note}");
}

#[test]
fn neighbors_and_distances_are_columns() {
    let folder = Folder::new();
    let only = |text: &str, computed: &str| {
        let given = overrides(|o| {
            o.compute = if computed.is_empty() { Vec::new() } else { vec![computed.into()] };
            o.only = Some(text.into());
        });
        only_spheres(&folder.spheres("r.dump", ROW, &given)).len()
    };
    // 1, 3, 5 and 9 along x, and their copies 10 on
    assert_eq!(only("n = 2", "n = coordination within 2.5"), 2);
    assert_eq!(only("n = 3", "n = coordination within 4.5"), 4);
    assert_eq!(only("d <= 2", "d = distance to id 2 3"), 2);
    assert_eq!(only("depth >= 0 and coordination > 0", ""), 4);
    let refused = |text: &str| folder.refusal_with("r.dump", ROW, &overrides(|o| o.compute = vec![text.into()]));
    assert!(
        refused("n = coordination within x").contains("positive distance"),
        "{}",
        refused("n = coordination within x")
    );
    let by = overrides(|o| o.color_by = Some("distance to type 7".into()));
    assert!(folder.refusal_with("r.dump", ROW, &by).contains("none is selected"));
}

#[test]
fn labels_name_residues_once_and_atoms_each() {
    let folder = Folder::new();
    let path = folder.file("w.gro", WATERS);
    let texts = |rows: &str, text: &str| {
        let mut given = overrides(|o| o.hide = Some("none".into()));
        given.figure.label = vec![(rows.into(), text.into())];
        let loaded = load(&path, &given)?;
        let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
        let mut renderer = Renderer::new(&RenderSettings::default())?;
        let never = std::sync::atomic::AtomicBool::new(false);
        let report = loaded.draw_unless_cancelled(&mut renderer, &mut frame, &never)?.expect("drawn");
        let plain = load(&path, &overrides(|o| o.hide = Some("none".into())))?;
        let mut without = Frame::new(1, 1, Srgba8::WHITE)?;
        plain.draw(&mut renderer, &mut without)?;
        let changed = frame.pixels().iter().zip(without.pixels()).filter(|(a, b)| a != b).count();
        Ok::<_, roundel::Error>((report.hidden_labels + report.crowded_labels, changed))
    };
    let (left_out, one) = texts("resid 2", "{resname} {resid}").expect("a label");
    let (_, each) = texts("resid 2", "{name} {resid}").expect("labels");
    assert!(left_out == 0 && one > 50 && each > 2 * one, "{left_out} {one} {each}");
    let refused = texts("resid 2", "{colour}").expect_err("no column").to_string();
    assert!(refused.contains("label must name columns of") && refused.contains("colour"), "{refused}");
    assert!(texts("all", "{").expect_err("open").to_string().contains("columns in braces"));
    let mut given = LoadOptions::default();
    given.figure.label = vec![("resid 7".into(), "here".into())];
    let notes = load(&path, &given).expect("water").notes;
    assert!(notes.iter().any(|note| note.contains("a label names nothing that is drawn")), "{notes:?}");
}

#[test]
fn frames_have_steps_and_times() {
    let folder = Folder::new();
    let two = format!("{WATERS}{}", WATERS.replace("t= 1.5 step= 3", "t= 2.5 step= 5"));
    let described = describe(folder.file("w.gro", two), &LoadOptions::default()).expect("water");
    let times: Vec<_> = described.sources[0].times.iter().map(|time| (time.step, time.time)).collect();
    assert_eq!(times, [(Some(3), Some(1.5)), (Some(5), Some(2.5))]);
    let text = described.to_string();
    assert!(text.contains("frames      2, steps 3 to 5 every 2, times 1.5 to 2.5 every 1"), "{text}");
    let dump = format!("{ROW}{}", ROW.replace("\n500\n", "\n700\n"));
    let described = describe(folder.file("r.dump", dump), &LoadOptions::default()).expect("particles");
    assert!(described.to_string().contains("steps 500 to 700 every 200"), "{described}");
}

#[test]
fn colors_by_other_words_for_copies_are_answered() {
    let folder = Folder::new();
    let wanted = overrides(|o| (o.color_by, o.replicate) = (Some("replica".into()), Some([2, 1, 1])));
    let refused = folder.refusal_with("a.dump", ROW, &wanted);
    assert!(refused.contains("got \"replica\"; copy numbers copies of --assembly and --replicate"), "{refused}");
}

#[test]
#[cfg(feature = "cli")]
fn suggested_commands_work() {
    let folder = Folder::new();
    let root = env!("CARGO_MANIFEST_DIR");
    let mut count = 0;
    let named =
        ["docs/scenes/opsin.pdb.gz", "docs/scenes/salt.dump", "docs/scenes/places.csv", "golden/trace/peptides.pdb"];
    let named = named.map(|file| std::path::Path::new(root).join(file));
    let samples = std::fs::read_dir(std::path::Path::new(root).join("tests/files/data")).expect("samples");
    for path in named.into_iter().chain(samples.map(|entry| entry.expect("a sample").path())) {
        // some samples are topologies, or are refused
        let Ok(found) = describe(&path, &LoadOptions::default()) else { continue };
        for command in found.suggestions {
            if command.contains(" film ") {
                continue;
            }
            let program = env!("CARGO_BIN_EXE_roundel");
            let line = command.replacen("roundel", program, 1) + " -W 32 --force -o out.png";
            let done = Command::new("sh").args(["-c", &line]).current_dir(folder.0.path()).output().expect("a shell");
            assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_focus_leaves_no_half_residues_and_no_loose_sticks() {
    let folder = Folder::new();
    // a ligand, a residue whose first atom alone is in front of it, and one at the side; both are bonded to each other
    let text = "\
HETATM    1  C1  LIG A   1       0.000   0.000   0.000  1.00  0.00           C
ATOM      2  N   GLY A   2       0.000   0.000   5.000  1.00  0.00           N
ATOM      3  CA  GLY A   2       1.400   0.000   5.600  1.00  0.00           C
ATOM      4  C   GLY A   2       2.800   0.000   5.000  1.00  0.00           C
ATOM      5  N   ALA A   3       4.000   0.000   5.600  1.00  0.00           N
ATOM      6  CA  ALA A   3       5.300   0.000   5.000  1.00  0.00           C
";
    let path = folder.file("front.pdb", text);
    let shown = |focus: &str| {
        let options = overrides(|o| {
            (o.focus, o.focus_margin) = (Some(focus.into()), Some(9.0));
            o.view = Some("front".parse().expect("a side"));
            o.style = vec![(None, roundel::io::MoleculeStyle::BallAndStick)];
        });
        let loaded = load(&path, &options).expect("a molecule");
        let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
        let spheres = only_spheres(scene).iter().filter(|sphere| sphere.radius > 0.0).count();
        (spheres, scene.shapes.cylinders.iter().map(|group| group.shapes.len()).sum::<usize>())
    };
    // the ligand and one bond of the last residue stay
    assert_eq!(shown("ligand"), (3, 1));
    assert_eq!(shown("ligand or resid 2 and name C"), (6, 4), "a residue that is looked at stays whole");
}

#[test]
fn a_legend_on_shapes_is_noted() {
    let folder = Folder::new();
    let path = folder.file("w.gro", WATERS);
    let note = |place: LegendPlace, zoom: f32| {
        let mut given = overrides(|o| (o.hide, o.zoom, o.width) = (Some("none".into()), Some(zoom), Some(300)));
        given.figure.legend = Some(LegendChoice::On { counts: false, place: Some(place) });
        let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
        let mut renderer = Renderer::new(&RenderSettings::default()).expect("a renderer");
        let never = std::sync::atomic::AtomicBool::new(false);
        let drawn = load(&path, &given).expect("water").draw_unless_cancelled(&mut renderer, &mut frame, &never);
        drawn.expect("drawn").expect("nothing cancels it").note()
    };
    let covers = Some("the legend covers shapes; --legend=below stands beside them".to_owned());
    assert_eq!(note(LegendPlace::Inside, 20.0), covers);
    assert_eq!((note(LegendPlace::Inside, 0.2), note(LegendPlace::Below, 20.0)), (None, None));
}
