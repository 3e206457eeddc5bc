//! Tables of segments, cylinders, ellipsoids and arrows in scene files.

use std::fs;
use std::path::Path;

use roundel::arrows::PaintedArrow;
use roundel::circles::{CircleScene, Layer, PaintedSegment};
use roundel::cylinders::{Caps, PaintedCylinder};
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::io::{LoadOptions, describe, read_scene};
use roundel::spheres::{Shapes, SphereScene};
use roundel::{Result, Scene, Srgba8};

const RODS: &str = "x,y,z,x2,y2,z2,size,kind\n0,0,0,1,0,0,0.1,a\n0,1,0,1,2,0.5,0.2,b\n0,0,2,0,0,nan,0.2,b\n";

fn read(folder: &Path, scene: &str, table: &str) -> Result<Scene<'static>> {
    fs::write(folder.join("scene.toml"), scene).expect("a writable folder");
    fs::write(folder.join("table.csv"), table).expect("a writable folder");
    read_scene(folder.join("scene.toml"), &LoadOptions::default())
}

fn solid(scene: &str, table: &str) -> SphereScene<'static> {
    let folder = tempfile::tempdir().expect("a folder");
    match read(folder.path(), scene, table).expect("a good scene") {
        Scene::Spheres(scene) => scene,
        Scene::Circles(_) => panic!("in space"),
    }
}

fn flat(scene: &str, table: &str) -> CircleScene<'static> {
    let folder = tempfile::tempdir().expect("a folder");
    match read(folder.path(), scene, table).expect("a good scene") {
        Scene::Circles(scene) => scene,
        Scene::Spheres(_) => panic!("in the plane"),
    }
}

fn segments(scene: &CircleScene<'_>) -> Vec<PaintedSegment> {
    let of_layer = |layer: &Layer<'_>| match layer {
        Layer::Segments(segments) => segments.to_vec(),
        _ => Vec::new(),
    };
    scene.layers.iter().flat_map(of_layer).collect()
}

#[test]
fn rows_of_cylinders_are_cylinders() {
    let scene = "[[cylinders]]\nfile = \"table.csv\"\nend = \"x2,y2,z2\"\nradius = \"size\"\ncaps = \"round\"\ncolor = \"red\"\n";
    let red = Srgba8::rgb(255, 0, 0);
    let rod =
        |start: [f32; 3], end: [f32; 3], radius| PaintedCylinder::new(start, end, radius, red).with_caps(Caps::Round);
    let expected = [rod([0.0; 3], [1.0, 0.0, 0.0], 0.1), rod([0.0, 1.0, 0.0], [1.0, 2.0, 0.5], 0.2)];
    let found = solid(scene, RODS);
    assert_eq!(&*found.shapes.cylinders[0].shapes, expected, "a row without an end is left out");
    assert!(found.groups.iter().flat_map(|group| group.spheres.iter()).all(|sphere| sphere.radius == 0.0));
    let some = solid(&format!("{scene}only = \"kind a\"\n"), RODS);
    assert_eq!(&*some.shapes.cylinders[0].shapes, &expected[..1]);
}

#[test]
fn rows_of_ellipsoids_are_ellipsoids() {
    let table = "x,y,z,a,b,c,qx,qy,qz,qw\n0,0,0,1,0.5,0.3,0,0,0,1\n1,2,3,0.4,0.5,0.6,0,0,0.6,0.8\n";
    let scene =
        "[[ellipsoids]]\nfile = \"table.csv\"\nradii = \"a,b,c\"\nrotation = \"qx,qy,qz,qw\"\ncolor = \"#888888\"\n";
    let grey = Srgba8::rgb(0x88, 0x88, 0x88);
    let expected = [
        PaintedEllipsoid::new([0.0; 3], [1.0, 0.5, 0.3], grey),
        PaintedEllipsoid::new([1.0, 2.0, 3.0], [0.4, 0.5, 0.6], grey).with_rotation([0.0, 0.0, 0.6, 0.8]),
    ];
    assert_eq!(&*solid(scene, table).shapes.ellipsoids[0].shapes, expected);
}

#[test]
fn rows_of_arrows_are_arrows() {
    let table = "x,y,z,fx,fy,fz\n0,0,0,1,0,0\n1,2,3,0,0,-2\n";
    let scene = "[[arrows]]\nfile = \"table.csv\"\nvector = \"f\"\nscale = 3\nradius = 0.1\ncolor = \"#d62728\"\n";
    let red = Srgba8::rgb(0xd6, 0x27, 0x28);
    let arrows = [
        PaintedArrow::new([0.0; 3], [3.0, 0.0, 0.0], 0.1, red),
        PaintedArrow::new([1.0, 2.0, 3.0], [0.0, 0.0, -6.0], 0.1, red),
    ];
    let (found, expected) = (solid(scene, table).shapes, Shapes::default().with_arrows(&arrows));
    assert_eq!(found.cylinders[0].shapes, expected.cylinders[0].shapes);
    assert_eq!(found.cones[0].shapes, expected.cones[0].shapes);
}

#[test]
fn rows_of_segments_are_segments_among_points() {
    let table = "x,y,x2,y2,w\n10,20,30,20,2\n0,0,5,5,1\n";
    let scene = "[canvas]\nwidth = 40\nheight = 30\nview = { center = [20, 15], height = 15 }\n[[points]]\nfile = \"table.csv\"\n\
                 [[segments]]\nfile = \"table.csv\"\nend = [\"x2\", \"y2\"]\nwidth = { column = \"w\" }\ncolor = \"black\"\n";
    let found = flat(scene, table);
    let expected = [
        PaintedSegment::new([0.0, 25.0], [40.0, 25.0], 2.0, Srgba8::BLACK),
        PaintedSegment::new([-20.0, -15.0], [-10.0, -5.0], 1.0, Srgba8::BLACK),
    ];
    assert_eq!(segments(&found), expected);
    assert!(matches!(found.layers[..], [Layer::Circles(_), Layer::Segments(_)]), "in the order of the file");
}

#[test]
fn a_canvas_fits_both_ends_of_segments() {
    let scene = "[canvas]\nwidth = 100\nheight = 100\n[[segments]]\nfile = \"table.csv\"\nend = [\"x2\", \"y2\"]\n";
    let found = segments(&flat(scene, "x,y,x2,y2\n0,0,90,10\n1,1,2,80\n3,4,,\n"));
    assert_eq!(found.len(), 2, "a row without an end is left out");
    let inside = |point: [f32; 2]| point.iter().all(|along| (0.0..=100.0).contains(along));
    assert!(found.iter().all(|line| inside(line.start) && inside(line.end)), "{found:?}");
    assert!(found[0].end[0] > 90.0, "and fill it: {found:?}");
}

#[test]
fn single_segments_are_counted_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = "[canvas]\n[[segment]]\nstart = [1, 2]\nend = [3, 4]\nwidth = 2\n";
    let found = read(folder.path(), scene, "").expect("a good scene");
    let Scene::Circles(found) = found else { panic!("in the plane") };
    assert_eq!(segments(&found), [PaintedSegment::new([1.0, 2.0], [3.0, 4.0], 2.0, Srgba8::rgb(0x44, 0x77, 0xaa))]);
    let described = describe(folder.path().join("scene.toml"), &LoadOptions::default()).expect("a good scene");
    assert_eq!((described.segments, described.circles), (1, 0));
    for (scene, message) in [
        ("[canvas]\n[[segment]]\nstart = [1, 2]\nend = [3, 4]\nwidth = -1\n", "segment[0].width must be"),
        ("[canvas]\n[[segment]]\nstart = [1, 2]\nwidth = 1\n", "segment[0] must have the key \"end\""),
        ("[[segments]]\nfile = \"table.csv\"\nend = [\"x2\", \"y3\"]\n", "segments[0].end must name columns of"),
        ("[[cylinders]]\nfile = \"table.csv\"\nend = \"x2,y2\"\n", "cylinders[0].end must be three columns"),
        ("[[ellipsoids]]\nfile = \"table.csv\"\nradii = \"a\"\n", "ellipsoids[0].radii must name columns of"),
        (
            "[[ellipsoids]]\nfile = \"table.csv\"\nradii = \"x,y,z\"\nrotation = \"x,y\"\n",
            "ellipsoids[0].rotation must be the four",
        ),
        ("[[arrows]]\nfile = \"table.csv\"\nvector = \"vv\"\n", "arrows[0].vector must name columns of"),
        ("[[arrows]]\nfile = \"table.csv\"\n", "arrows[0] must have the key \"vector\""),
    ] {
        let error = read(folder.path(), scene, RODS).expect_err(scene).to_string();
        assert!(error.contains(message), "{error}");
    }
}
