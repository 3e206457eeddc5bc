//! Data far from 0: places keep 64 bits until the origin of the scene is subtracted, and users see the file's coordinates.

use crate::files::{Folder, centers, drawn, npy, only_spheres, overrides};
use roundel::film::{Film, FilmOptions};
use roundel::io::{FrameChoice, LoadOptions, StreamedScene, describe, load, load_several, read_scene, scene_to_toml};
use roundel::spheres::{AmbientOcclusion, SphereScene, StandardView};
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8, render};

/// A plane of points 0.1 apart, as a survey has them in metres.
const ROWS: u32 = 20;
const CORNER: [f64; 3] = [652_300.0, 5_437_100.0, 100.0];

fn places() -> Vec<[f64; 3]> {
    let place = |index: u32| {
        let [i, j] = [index % ROWS, index / ROWS].map(f64::from);
        [0.1 * i, 0.1 * j, 0.0].map(|along| (along * 10.0).round() / 10.0)
    };
    (0..ROWS * ROWS).map(place).collect()
}

/// The points with this corner as text, three decimals each, between other columns.
fn lines(corner: [f64; 3], before: &str, after: &str) -> String {
    let line = |[x, y, z]: [f64; 3]| {
        format!("{before}{:.3} {:.3} {:.3}{after}\n", x + corner[0], y + corner[1], z + corner[2])
    };
    places().into_iter().map(line).collect()
}

/// The points in all formats that can say them.
fn files(corner: [f64; 3]) -> Vec<(&'static str, Vec<u8>)> {
    let places = places();
    let count = places.len();
    let moved = || places.iter().flat_map(|place| [0, 1, 2].map(|axis| place[axis] + corner[axis]));
    let doubles: Vec<u8> = moved().flat_map(f64::to_le_bytes).collect();
    let ply = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {count}\nproperty double x\nproperty double y\nproperty double z\nend_header\n"
    );
    let cif = "data_a\nloop_\n_atom_site.group_PDB\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n";
    let bounds = corner.map(|start| format!("\n{start} {}", start + 2.0));
    let dump = format!(
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{count}\nITEM: BOX BOUNDS pp pp pp{}\nITEM: ATOMS id type x y z\n",
        bounds.concat()
    );
    vec![
        ("a.csv", format!("x,y,z\n{}", lines(corner, "", "").replace(' ', ",")).into_bytes()),
        ("a.npy", npy("<f8", &format!("({count}, 3)"), &doubles)),
        ("a.ply", [ply.as_bytes(), &doubles].concat()),
        ("cloud.xyz", lines(corner, "", "").into_bytes()),
        ("atoms.xyz", format!("{count}\nAr\n{}", lines(corner, "Ar ", "")).into_bytes()),
        ("a.cif", format!("{cif}{}", lines(corner, "ATOM Ar ", "")).into_bytes()),
        ("a.dump", format!("{dump}{}", lines(corner, "1 1 ", "")).into_bytes()),
        ("a.pcd", format!("# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nCOUNT 1 1 1\nWIDTH {count}\nHEIGHT 1\nPOINTS {count}\nDATA ascii\n{}", lines(corner, "", "")).into_bytes()),
    ]
}

fn read(folder: &Folder, name: &str, contents: &[u8], options: &LoadOptions) -> SphereScene<'static> {
    folder.spheres(name, contents, options)
}

fn plain() -> LoadOptions {
    overrides(|o| {
        o.radius = Some("0.04".to_owned());
        o.bonds = None;
        (o.width, o.height) = (Some(60), Some(60));
        // a square has no broadside of its own
        o.view = Some(StandardView::Top);
    })
}

#[test]
fn far_rows_are_told_apart_in_every_format() {
    let folder = Folder::new();
    for (name, contents) in files(CORNER) {
        // one colour takes the fast path of readers, a column the table
        for color in ["#336699", "y"] {
            let mut options = plain();
            options.color_by = Some(color.to_owned());
            let scene = read(&folder, name, &contents, &options);
            let found: Vec<[f64; 3]> = centers(&scene).into_iter().map(|center| scene.in_data(center)).collect();
            let expected: Vec<[f64; 3]> =
                places().iter().map(|place| [0, 1, 2].map(|axis| place[axis] + CORNER[axis])).collect();
            assert_eq!(found.len(), expected.len(), "{name}");
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                assert!((found - expected).abs() < 1e-6, "{name}, {color}: {found}, expected {expected}");
            }
        }
    }
}

#[test]
fn far_data_is_drawn_as_near_data() {
    let folder = Folder::new();
    for ((name, far), (_, near)) in files(CORNER).into_iter().zip(files([0.0; 3])) {
        let [far, near] = [far, near].map(|contents| {
            let scene = Scene::Spheres(read(&folder, name, &contents, &plain()));
            render(&scene, &RenderSettings::default()).expect("drawn")
        });
        let off = far.pixels().iter().zip(near.pixels()).filter(|(a, b)| a.r.abs_diff(b.r) > 8).count();
        assert!(off < 40, "{name}: {off} of 3600 pixels differ");
    }
}

#[test]
fn near_data_has_no_origin() {
    let folder = Folder::new();
    for (name, contents) in files([3.0, -5.0, 0.5]) {
        assert_eq!(read(&folder, name, &contents, &plain()).origin, [0.0; 3], "{name}");
    }
}

#[test]
fn cameras_and_planes_are_in_the_coordinates_of_the_file() {
    let folder = Folder::new();
    let [x, y, z] = CORNER;
    let options = overrides(|o| {
        o.radius = Some("0.04".to_owned());
        (o.eye, o.target) = (Some([x + 1.05, y + 0.95, z + 4.0]), Some([x + 1.05, y + 0.95, z]));
        o.clip = vec![format!("x<{}", x + 1.25).parse().expect("a plane")];
        (o.width, o.height) = (Some(40), Some(40));
    });
    for (name, contents) in files(CORNER) {
        let scene = read(&folder, name, &contents, &options);
        let camera = &scene.view.camera;
        let [eye, target] = [camera.eye, camera.target].map(|place| scene.in_data(place));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(near(eye[0], x + 1.05) && near(eye[1], y + 0.95) && near(eye[2], z + 4.0), "{name}: {eye:?}");
        assert!(near(target[0], x + 1.05) && near(target[2], z), "{name}: {target:?}");
        let plane = scene.clip_planes[0].boundary;
        let kept = only_spheres(&scene).iter().filter(|sphere| sphere.center[0] < plane.offset).count();
        assert_eq!(kept, 13 * 20, "{name}: 0 to 1.2");
    }
}

#[test]
fn info_speaks_in_the_coordinates_of_the_file() {
    let folder = Folder::new();
    let [x, y, z] = CORNER;
    for (name, contents) in files(CORNER) {
        let described = describe(folder.file(name, contents), &plain()).expect(name);
        let bounds = described.bounds.as_ref().expect("spheres");
        let expected = [x - 0.04, y - 0.04, z - 0.04, x + 1.94, y + 1.94, z + 0.04];
        for (found, expected) in bounds.min.iter().chain(&bounds.max).zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{name}: {found}, expected {expected}");
        }
        let text = described.to_string();
        assert!(text.contains("seen from 652300.9") || text.contains("seen from 652301."), "{name}: {text}");
    }
}

#[test]
fn selections_compare_all_digits() {
    let folder = Folder::new();
    for (name, contents) in files(CORNER) {
        let mut options = plain();
        options.only = Some("y < 5437100.25 and x >= 652301.3".to_owned());
        let path = folder.file(name, contents);
        let Ok(Scene::Spheres(scene)) = read_scene(&path, &options) else { panic!("{name}") };
        assert_eq!(only_spheres(&scene).len(), 3 * 7, "{name}");
    }
}

/// A scene file with every shape at this corner, and a file of rows.
fn scene_text(corner: [f64; 3]) -> String {
    let at = |x: f64, y: f64| format!("[{}, {}, {}]", corner[0] + x, corner[1] + y, corner[2]);
    format!(
        "[camera]\neye = [{}, {}, {}]\ntarget = {}\northo_height = 3.0\nwidth = 60\nheight = 60\nclip = [\"x<{}\"]\n\
         [[sphere]]\ncenter = {}\nradius = 0.2\n[[cylinder]]\nstart = {}\nend = {}\nradius = 0.05\n\
         [[ellipsoid]]\ncenter = {}\nradii = [0.1, 0.2, 0.3]\n[[arrow]]\nstart = {}\nvector = [0.4, 0.3, 0.0]\nradius = 0.05\n\
         [[spheres]]\nfile = \"rows.csv\"\nradius = 0.04\nopacity = [{{ select = \"x > {}\", opacity = 0.5 }}]\n\
         [[cylinders]]\nfile = \"rods.csv\"\nend = \"x2,y2,z2\"\nradius = 0.03\n",
        corner[0] + 1.0,
        corner[1] + 1.0,
        corner[2] + 5.0,
        at(1.0, 1.0),
        corner[0] + 1.85,
        at(0.3, 0.3),
        at(0.3, 0.9),
        at(0.9, 0.6),
        at(1.2, 0.4),
        at(1.3, 1.2),
        corner[0] + 0.95,
    )
}

fn loaded_scene(folder: &Folder, corner: [f64; 3]) -> SphereScene<'static> {
    folder.file("rows.csv", format!("x,y,z\n{}", lines(corner, "", "").replace(' ', ",")));
    let [x, y, z] = corner;
    let rods = format!("x,y,z,x2,y2,z2\n{x},{y},{z},{},{y},{z}\n{x},{},{z},{x},{},{z}\n", x + 0.5, y + 0.1, y + 0.7);
    folder.file("rods.csv", rods);
    folder.spheres("a.toml", scene_text(corner), &LoadOptions::default())
}

#[test]
fn scenes_subtract_one_origin_from_all_their_shapes() {
    let folder = Folder::new();
    let near = loaded_scene(&folder, [0.0; 3]);
    assert_eq!(near.origin, [0.0; 3]);
    let far = loaded_scene(&folder, CORNER);
    assert!(far.origin[0] > 652_000.0);
    let [far, near] =
        [far, near].map(|scene| render(&Scene::Spheres(scene), &RenderSettings::default()).expect("drawn"));
    let off = far.pixels().iter().zip(near.pixels()).filter(|(a, b)| a.r.abs_diff(b.r) > 8).count();
    assert!(off < 40, "{off} of 3600 pixels differ");
}

#[test]
fn a_file_in_a_scene_decides_where_single_shapes_do_not() {
    let folder = Folder::new();
    folder.file("rows.csv", format!("x,y,z\n{}", lines(CORNER, "", "").replace(' ', ",")));
    let text = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n[[spheres]]\nfile = \"rows.csv\"\nradius = 0.04\n";
    let scene = folder.spheres("a.toml", text, &LoadOptions::default());
    assert_eq!(scene.groups[0].spheres.at(0).center.map(f64::from), scene.origin.map(|along| -along));
    let steps = [0, 1].map(|row| scene.groups[1].spheres.at(row).center[0]);
    assert!((steps[1] - steps[0] - 0.1).abs() < 1e-6, "{steps:?}");
}

#[test]
fn written_scenes_and_descriptions_are_read_back() {
    let folder = Folder::new();
    let mut scene = loaded_scene(&folder, CORNER);
    scene.shapes.cones.clear();
    scene.shading.outline_width = Some(0.0);
    let text = scene_to_toml(&Scene::Spheres(scene.clone())).expect("no cones");
    assert!(text.contains("clip = [\"x<652301.85\"]") && text.contains("eye = [652301.0, 5437101.0, 105.0]"), "{text}");
    let again = folder.spheres("again.toml", text, &LoadOptions::default());
    let places = |scene: &SphereScene<'_>| -> Vec<[f64; 3]> {
        let spheres = scene.groups.iter().flat_map(|group| group.spheres.to_vec());
        // rods have spheres without a radius, which are not written
        spheres.filter(|sphere| sphere.radius > 0.0).map(|sphere| scene.in_data(sphere.center)).collect()
    };
    let mut wanted = places(&scene);
    let mut found = places(&again);
    assert_eq!(found.len(), wanted.len());
    wanted.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
    found.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
    for (found, wanted) in found.iter().flatten().zip(wanted.iter().flatten()) {
        assert!((found - wanted).abs() < 1e-6, "{found}, expected {wanted}");
    }
    let json = describe(folder.file("b.toml", scene_text(CORNER)), &LoadOptions::default()).expect("described");
    let json = serde_json::to_value(&json).expect("a description");
    let camera = json.pointer("/scene/camera").expect("a camera");
    assert_eq!(camera["target"], serde_json::json!([652_301.0, 5_437_101.0, 100.0]));
    assert_eq!(camera["clip"], serde_json::json!(["x<652301.85"]));
    let kept = folder.file("view.json", json.to_string());
    let same = overrides(|o| o.same_view = Some(kept.display().to_string()));
    let seen = folder.spheres("a.csv", format!("x,y,z\n{}", lines(CORNER, "", "").replace(' ', ",")), &same);
    let [first, second] = [&seen, &scene].map(|scene| scene.in_data(scene.view.camera.eye));
    assert!(first.iter().zip(second).all(|(a, b)| (a - b).abs() < 1e-6), "{first:?} and {second:?}");
}

#[test]
fn several_files_have_one_origin() {
    let folder = Folder::new();
    let table = |corner: [f64; 3]| format!("x,y,z\n{}", lines(corner, "", "").replace(' ', ","));
    let [x, y, z] = CORNER;
    let paths = [folder.file("a.csv", table(CORNER)), folder.file("b.csv", table([x + 300.05, y, z]))];
    let loaded = load_several(&paths, &FrameChoice::One, &plain()).expect("read");
    let Scene::Spheres(scene) = loaded.scene else { panic!("spheres") };
    let firsts: Vec<f32> = scene.groups.iter().map(|group| group.spheres.at(0).center[0]).collect();
    assert!((firsts[1] - firsts[0] - 300.05).abs() < 1e-4, "{firsts:?}");
}

#[test]
fn streams_draw_far_files_as_memory_does() {
    let folder = Folder::new();
    for (name, contents) in files(CORNER) {
        if !["a.csv", "a.npy", "a.ply", "cloud.xyz"].contains(&name) {
            continue;
        }
        let mut options = plain();
        (options.ao, options.shadows) = (Some(AmbientOcclusion::Off), Some(false));
        options.color_by = Some("#336699".to_owned());
        let path = folder.file(name, contents);
        let mut renderer = Renderer::new(&RenderSettings::default()).expect("threads");
        let mut streamed = Frame::new(1, 1, Srgba8::WHITE).expect("small");
        let stream = StreamedScene::files(std::slice::from_ref(&path), &options).expect("streamed");
        stream.draw(&mut renderer, &mut streamed).expect("drawn");
        let memory = drawn(&load(&path, &options).expect("read"));
        assert_eq!(streamed.pixels(), memory.pixels(), "{name}");
    }
}

#[test]
fn frames_of_a_film_have_the_origin_of_the_first() {
    let folder = Folder::new();
    // each frame moves by 40
    let frame = |step: u32| {
        let [x, y, z] = CORNER;
        format!("{}\nstep\n{}", ROWS * ROWS, lines([x + 40.0 * f64::from(step), y, z], "Ar ", ""))
    };
    let path = folder.file("a.xyz", frame(0) + &frame(1) + &frame(2));
    let mut options = FilmOptions::default();
    options.frames = Some("all".parse().expect("a list"));
    let film = Film::plan(std::slice::from_ref(&path), &plain(), &options, |_| Ok(())).expect("planned");
    let mut first: Option<SphereScene<'static>> = None;
    for index in 0..3 {
        let (path, options) = film.frame(index).expect("three frames");
        let Ok(Scene::Spheres(scene)) = read_scene(path, &options) else { panic!("frame {index}") };
        let start = scene.groups[0].spheres.at(0).center;
        let first = first.get_or_insert_with(|| scene.clone());
        assert_eq!((scene.origin, scene.view.camera), (first.origin, first.view.camera), "frame {index}");
        let moved = f64::from(start[0] - first.groups[0].spheres.at(0).center[0]);
        assert!((moved - 40.0 * f64::from(u32::try_from(index).expect("small"))).abs() < 1e-4, "{moved}");
    }
}

#[test]
fn copies_stand_where_the_box_puts_them() {
    let folder = Folder::new();
    let (_, dump) = files(CORNER).into_iter().find(|(name, _)| *name == "a.dump").expect("a dump");
    let mut options = plain();
    options.replicate = Some([2, 1, 1]);
    options.color_by = Some("x".to_owned());
    let scene = read(&folder, "a.dump", &dump, &options);
    let xs = only_spheres(&scene).iter().map(|sphere| scene.in_data(sphere.center)[0]).collect::<Vec<_>>();
    let least = xs.iter().copied().fold(f64::INFINITY, f64::min);
    let most = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!((least - 652_300.0).abs() < 1e-6 && (most - 652_303.9).abs() < 1e-6, "{least} to {most}");
}

#[test]
fn focus_labels_and_cells_are_near_their_atoms() {
    let folder = Folder::new();
    let (_, dump) = files(CORNER).into_iter().find(|(name, _)| *name == "a.dump").expect("a dump");
    let mut options = plain();
    options.view = None;
    options.focus = Some("x < 652300.25 and y < 5437100.25".to_owned());
    let scene = read(&folder, "a.dump", &dump, &options);
    let target = scene.in_data(scene.view.camera.target);
    assert!((target[0] - 652_300.1).abs() < 1e-6 && (target[1] - 5_437_100.1).abs() < 1e-6, "{target:?}");
    let mut options = plain();
    options.figure.cell = Some(true);
    options.figure.label = vec![("index 0".to_owned(), "first".to_owned())];
    let loaded = load(folder.file("a.dump", &dump), &options).expect("read");
    let bare = load(folder.file("a.dump", &dump), &plain()).expect("read");
    assert!(drawn(&loaded) != drawn(&bare), "edges and a label");
}

#[test]
fn a_note_says_the_smallest_step_where_digits_run_out() {
    let folder = Folder::new();
    let notes = |name: &str, contents: &[u8]| load(folder.file(name, contents), &plain()).expect(name).notes;
    let singles: Vec<u8> = places()
        .iter()
        .flat_map(|place| [0, 1, 2].map(|axis| place[axis] + CORNER[axis]))
        .flat_map(|along| {
            #[expect(clippy::cast_possible_truncation, reason = "the file has 32 bits")]
            let single = along as f32;
            single.to_le_bytes()
        })
        .collect();
    let said = notes("single.npy", &npy("<f4", "(400, 3)", &singles));
    assert!(said.iter().any(|note| note.contains("in steps of 0.5: 32 bits")), "{said:?}");
    let wide = "x,y,z\n0,0,0\n0.1,0,0\n5437100.1,0,0\n";
    let said = notes("wide.csv", wide.as_bytes());
    assert!(said.iter().any(|note| note.contains("in steps of 0.5: 32 bits")), "{said:?}");
    let far = "x,y,z\n1e17,0,0\n1.0000000000000002e17,0,0\n";
    let said = notes("far.csv", far.as_bytes());
    assert!(said.iter().any(|note| note.contains("in steps of 16: 64 bits")), "{said:?}");
    for (name, contents) in files(CORNER) {
        let said = notes(name, &contents);
        assert!(!said.iter().any(|note| note.contains("in steps")), "{name}: {said:?}");
    }
}

#[test]
fn a_plane_through_far_data_is_not_said_to_cut_nothing() {
    let folder = Folder::new();
    let file = folder.file("a.csv", &files(CORNER)[0].1);
    let notes = |plane: &str| {
        let options = LoadOptions { clip: vec![plane.parse().expect("a plane")], ..plain() };
        load(&file, &options).expect("read").notes.join("\n")
    };
    assert_eq!(notes("y<5437101"), "");
    assert!(notes("y<5437105").contains("--clip 'y<5437105' changes nothing"));
}

#[cfg(feature = "viewer")]
#[test]
fn the_window_says_where_in_the_file_a_shape_is() {
    use roundel::viewer::{Event, MouseButton, TimedEvent, Viewer, ViewerOptions};
    let folder = Folder::new();
    let [x, y, z] = CORNER;
    let text = format!("x,y,z\n{},{},{z}\n{},{},{z}\n", x + 0.5, y + 0.25, x + 0.75, y + 0.25);
    let file = folder.file("a.csv", text);
    let options = ViewerOptions::new([&file]).with_overrides(overrides(|o| {
        o.radius = Some("0.3".to_owned());
        (o.width, o.height) = (Some(60), Some(60));
    }));
    let mut viewer = Viewer::open(&options).expect("a file");
    let left = MouseButton::Left;
    for event in [Event::Move { x: 30.0, y: 30.0 }, Event::Press(left), Event::Release(left)] {
        viewer.handle(&TimedEvent::new(0, event)).expect("handled");
    }
    let picked = viewer.picked().expect("a sphere in the middle");
    let along = if picked.index == 0 { 0.5 } else { 0.75 };
    assert_eq!(picked.middle, [x + along, y + 0.25, z]);
    let message = viewer.drain_messages().concat();
    assert!(message.contains(&format!("at {}, {}, {z}, radius 0.3", x + along, y + 0.25)), "{message}");
}
