//! Data far from 0: places keep 64 bits until the origin of the scene is subtracted, and users see the file's coordinates.

use crate::files::{Folder, centers, npy, only_spheres, overrides};
use roundel::io::{LoadOptions, describe, read_scene};
use roundel::spheres::{SphereScene, StandardView};
use roundel::{RenderSettings, Scene, render};

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
