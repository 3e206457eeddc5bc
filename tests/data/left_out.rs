//! Rows and shapes that draw nothing are noted. Of these only rows of spheres without a radius are counted and framed.

use crate::files::{self, Folder, overrides, spheres};
use roundel::io::{LoadOptions, describe, load};

/// A scene with a table of shapes.
fn scene(kind: &str, keys: &str) -> String {
    format!("[camera]\nwidth = 60\nheight = 60\n[[{kind}]]\nfile = \"t.csv\"\n{keys}\n")
}

fn notes(folder: &Folder, name: &str, text: &str) -> Vec<String> {
    load(folder.file(name, text), &LoadOptions::default()).expect("readable").notes
}

#[test]
fn flat_ellipsoids_of_tables_are_discs() {
    let folder = Folder::new();
    folder.file("t.csv", "x,y,z,rx,ry,rz\n0,0,0,1,.5,.4\n3,0,0,0,1,1\n");
    let table = spheres(&folder.file("t.toml", scene("ellipsoids", "radii = \"rx,ry,rz\"")), &LoadOptions::default());
    let radii: Vec<[f32; 3]> = table.shapes.ellipsoids[0].shapes.iter().map(|of| of.radii).collect();
    assert_eq!(radii, [[1.0, 0.5, 0.4], [0.0, 1.0, 1.0]]);
}

#[test]
fn rows_without_a_shape_are_noted_and_not_framed() {
    let folder = Folder::new();
    let ellipsoids = "x,y,z,rx,ry,rz\n0,0,0,1,.5,.4\n9,0,0,0,0,0\n9,0,0,nan,1,1\n";
    let arrows = "x,y,z,vx,vy,vz\n0,0,0,1,0,0\n9,0,0,0,0,0\n9,0,0,0,nan,1\n9,0,0,,1,1\n";
    let cylinders = "x,y,z,x2,y2,z2\n0,0,0,1,.5,.4\n9,0,0,nan,1,1\n9,0,0,9,0,0\n";
    for (kind, keys, rows, note) in [
        (
            "ellipsoids",
            "radii = \"rx,ry,rz\"",
            ellipsoids,
            "t.csv: 2 rows have no radii of an ellipsoid and are left out",
        ),
        (
            "arrows",
            "vector = \"vx,vy,vz\"\nradius = 0.1",
            arrows,
            "t.csv: 3 rows have no vector with a length and are left out",
        ),
        (
            "cylinders",
            "end = \"x2,y2,z2\"\nradius = 0.2",
            cylinders,
            "t.csv: 2 rows have no end or no length and are left out",
        ),
    ] {
        folder.file("t.csv", rows);
        let path = folder.file("t.toml", scene(kind, keys));
        let found = describe(&path, &LoadOptions::default()).expect("readable");
        assert!(found.notes.iter().any(|found| found.ends_with(note)), "{kind}: {:?}", found.notes);
        assert_eq!(found.spheres, 0, "{kind}");
        assert!(found.bounds.expect("a box").max[0] < 2.0, "{kind}");
    }
    // particles without a vector are spheres
    let table = folder.file("v.csv", arrows);
    let with_arrows = overrides(|o| o.vectors = Some("vx,vy,vz".into()));
    let found = describe(&table, &with_arrows).expect("readable");
    assert!(
        found.notes.iter().any(|note| note.ends_with("3 rows have no vector with a length, and no arrow")),
        "{:?}",
        found.notes
    );
    assert_eq!(found.spheres, 4);
}

#[test]
fn bad_numbers_of_shapes_are_refused_as_those_of_spheres() {
    let folder = Folder::new();
    folder.file("t.csv", "x,y,z,rx,ry,rz\n0,0,0,-1,1,1\n");
    let path = folder.file("t.toml", scene("ellipsoids", "radii = \"rx,ry,rz\""));
    let refused = load(path, &LoadOptions::default()).expect_err("a negative radius").to_string();
    assert!(refused.contains("t.csv:2: rx must be a number that is not negative, got -1"), "{refused}");
    let table = folder.file("k.csv", "x,y,z,v,k\n0,0,0,1,a\n1,0,2,1,b\n");
    let refused = load(table, &overrides(|o| o.vectors = Some("v,v,k".into()))).expect_err("text").to_string();
    assert!(refused.contains("k must be a finite number"), "{refused}");
}

#[test]
fn shapes_of_scenes_that_draw_nothing_are_noted() {
    let folder = Folder::new();
    let arrow =
        |vector: &str, radius: &str| format!("[[arrow]]\nstart = [0, 0, 0]\nvector = {vector}\nradius = {radius}\n");
    let text = arrow("[0, 0, 0]", "0.1") + &arrow("[0, 1, 0]", "0") + &arrow("[0, 1, 0]", "0.1");
    let found = notes(&folder, "a.toml", &text);
    assert!(found[0].ends_with("a.toml: 2 arrows have no length or radius and are left out"), "{found:?}");
    let text = "[[cylinder]]\nstart = [0, 0, 0]\nend = [0, 0, 0]\nradius = 1\n\
                [[ellipsoid]]\ncenter = [0, 0, 0]\nradii = [0, 0, 1]\n";
    let found = notes(&folder, "c.toml", text);
    assert!(found[0].ends_with("c.toml: 1 cylinder has no length or radius and is left out"), "{found:?}");
    assert!(found[1].ends_with("c.toml: 1 ellipsoid has no two radii above 0 and is left out"), "{found:?}");
}

#[test]
fn spheres_and_circles_without_a_size_are_noted() {
    let folder = Folder::new();
    let text = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
    let found = notes(&folder, "s.toml", text);
    assert!(
        matches!(&found[..], [note] if note.ends_with("s.toml: 1 sphere has no radius and is left out")),
        "{found:?}"
    );
    let far = text.replacen("[0, 0, 0]", "[50, 0, 0]", 1);
    let found = describe(folder.file("s.toml", far), &LoadOptions::default()).expect("a scene");
    assert!(found.spheres == 1 && found.to_string().contains("\n  1 sphere\n"), "{found}");
    assert_eq!(found.bounds.expect("a sphere").max, [1.0; 3]);
    let text = "[canvas]\nwidth = 20\nheight = 20\n\
                [[circle]]\ncenter = [0, 0]\nradius = 0\nfill = \"red\"\n\
                [[circle]]\ncenter = [0, 0]\nradius = 0\nstroke = { color = \"red\", width = 2 }\n\
                [[segment]]\nstart = [0, 0]\nend = [3, 4]\nwidth = 0\n";
    let found = notes(&folder, "c.toml", text);
    assert!(found[0].ends_with("c.toml: 1 circle has no radius or width and is left out"), "{found:?}");
    assert!(found[1].ends_with("c.toml: 1 segment has no width and is left out"), "{found:?}");
    let table = folder.file("t.csv", "x,y,z,r\n0,0,0,1\n1,0,0,0\n2,0,0,0\n");
    let found = load(&table, &LoadOptions::default()).expect("particles").notes;
    assert!(
        found[0].ends_with("t.csv: 2 of 3 spheres have no radius above 0: counted and framed, they draw nothing"),
        "{found:?}"
    );
    let described = describe(&table, &LoadOptions::default()).expect("particles");
    assert_eq!((described.spheres, described.bounds.expect("a box").max[0]), (3, 2.0));
    let found = load(&table, &overrides(|o| o.radius = Some("0".into()))).expect("particles").notes;
    assert!(
        found[0].ends_with("t.csv: 3 of 3 spheres have no radius above 0: counted and framed, they draw nothing"),
        "{found:?}"
    );
    let found = load(&table, &overrides(|o| o.only = Some("r > 0".into()))).expect("particles").notes;
    assert_eq!(found, [""; 0]);
}

#[test]
fn spheres_in_whose_place_another_shape_is_are_not_counted() {
    let folder = Folder::new();
    let pdb = "\
ATOM      1  N   GLY A   1       0.000   0.000   0.000  1.00 10.00           N
ANISOU    1  N   GLY A   1      100    400    900      0      0      0       N
ATOM      2  CA  GLY A   1       1.450   0.000   0.000  1.00 78.96           C
";
    let path = folder.file("t.pdb", pdb);
    let found = describe(&path, &overrides(|o| o.ellipsoids = Some(0.5))).expect("atoms");
    assert_eq!((found.spheres, found.ellipsoids), (1, 1));
    for (size, flag) in [
        (overrides(|o| (o.ellipsoids, o.ball_scale) = (Some(0.5), Some(0.4))), "--ball-scale"),
        (overrides(|o| (o.ellipsoids, o.radius) = (Some(0.5), Some("1".into()))), "--radius"),
    ] {
        let found = load(&path, &size).expect("atoms").notes;
        let note = format!("{flag} changes nothing: every ball is an ellipsoid");
        assert!(found.iter().any(|found| found.contains(&note)), "{found:?}");
    }
}

#[test]
fn ranges_that_most_numbers_are_outside_of_are_noted() {
    let folder = Folder::new();
    let path = folder.file("t.csv", "x,y,z,v\n0,0,0,1\n1,0,0,2\n2,0,0,3\n3,0,0,11\n");
    let notes = |range: [f64; 2]| {
        let options = overrides(|o| {
            o.color_by = Some("v".into());
            o.color_range = Some(roundel::color::ColorRange::Numbers(range));
        });
        load(&path, &options).expect("particles").notes
    };
    let found = notes([10.0, 20.0]);
    assert!(found[0].contains("3 of 4 numbers of v are outside of the range 10 to 20"), "{found:?}");
    assert!(notes([2.5, 20.0]).is_empty(), "no more than half");
    let notes = |key: &str| {
        let options = overrides(|o| {
            o.color_by = Some(key.into());
            o.color_range = Some(roundel::color::ColorRange::Numbers([10.0, 20.0]));
        });
        load(&path, &options).expect("particles").notes
    };
    for key in ["x", "index"] {
        let found = notes(key);
        let note = format!("4 of 4 numbers of {key} are outside of the range 10 to 20");
        assert!(matches!(&found[..], [one] if one.contains(&note)), "{found:?}");
    }
}

#[test]
fn atoms_that_are_wholly_transparent_have_no_labels() {
    let folder = Folder::new();
    let path = folder.file("t.xyz", "2\n\nC 0 0 0\nO 9 0 0\n");
    let drawn = |labels: &[&str]| {
        let options = overrides(|o| {
            (o.width, o.height) = (Some(120), Some(60));
            o.opacity = vec![(Some("element O".into()), 0.0)];
            o.figure.label = labels.iter().map(|rows| ((*rows).to_owned(), "here".to_owned())).collect();
        });
        files::drawn(&load(&path, &options).expect("atoms"))
    };
    let plain = drawn(&[]);
    assert!(drawn(&["element C"]) != plain);
    assert!(drawn(&["element O"]) == plain);
}
