//! Bare data: the default pictures of tables and atoms, and the message for each mistake.

use std::fs;
use std::path::Path;

use crate::files::{Folder, PDB, XYZ, color, only_circles, only_spheres, overrides, shared};
use glam::{Mat3, Vec3};
use roundel::circles::PaintedCircle;
use roundel::io::{Format, LoadOptions, describe, load, read_scene};
use roundel::spheres::{AmbientOcclusion, Background, PaintedSphere, Pose, SphereGroup};
use roundel::{Scene, Srgba8};

// Tables

#[test]
fn table_is_read_whatever_its_dialect() {
    let folder = Folder::new();
    let plain = folder.scene("plain.csv", "x,y\n1,2\n3,4.5\n", &LoadOptions::default());
    for (name, text) in [
        ("semicolon.csv", "x;y\n1;2\n3;4.5\n"),
        ("tab.tsv", "x\ty\n1\t2\n3\t4.5\n"),
        ("mark.csv", "\u{feff}x,y\n1,2\n3,4.5\n"),
        ("crlf.csv", "x,y\r\n1,2\r\n3,4.5\r\n"),
        ("quoted.csv", "\"x\",\"y\"\n\"1\",\"2\"\n3,4.5\n"),
        ("quoted_names.csv", "\"x\",\"y\",\"a;;;;b\nc\"\n1,2,\"a,b\"\n3,4.5,\"a \"\"b\"\"\"\n"),
        ("case.csv", "name,Y,X\n,2,1\nq,4.5,3\n"),
        ("blanks.csv", " x , y \n 1 , 2 \n 3,4.5"),
        ("no_names.csv", "1,2\n3,4.5"),
        ("numpy.csv", "# x,y\n1.0e0,2\n3,+4.5\n"),
        ("easting.csv", "northing,easting\n2,1\n4.5,3\n"),
        ("no_ending", "x,y\n1,2\n\n3,4.5\n"),
    ] {
        assert_eq!(folder.scene(name, text, &LoadOptions::default()), plain, "{name}");
    }
}

#[test]
fn table_is_drawn_with_equal_scale_and_north_up() {
    let folder = Folder::new();
    let scene = folder.circles("a.csv", "x,y\n0,0\n4,0\n0,1\n", &LoadOptions::default());
    assert_eq!((scene.canvas.width, scene.canvas.height, scene.canvas.background), (1280, 426, Srgba8::WHITE));
    let [origin, east, north] = only_circles(&scene)[..] else { panic!("three circles") };
    let unit = (east.center[0] - origin.center[0]) / 4.0;
    assert!(unit > 250.0, "fills the width: {unit} pixels a unit");
    assert_eq!(east.center[1], origin.center[1]);
    assert_eq!(north.center[0], origin.center[0]);
    assert!((origin.center[1] - north.center[1] - unit).abs() < 1e-3, "one unit north is as long as one unit east");
    for circle in [origin, east, north] {
        let [x, y] = circle.center;
        assert!(x > 9.0 && x < 1271.0 && y > 9.0 && y < 417.0, "a margin around {circle:?}");
    }
}

#[test]
fn table_points_are_smaller_and_thinner_the_more_there_are() {
    let folder = Folder::new();
    let scattered = |i: u32| {
        let bits = i.wrapping_mul(0x9e37_79b9);
        let bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
        let bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
        f64::from(bits ^ (bits >> 16)) / 4_294_967.296
    };
    let mut last = (f32::INFINITY, u8::MAX);
    for count in [1_u32, 1_000, 30_000, 1_000_000] {
        let rows: String =
            (0..count).map(|i| format!("{:.3},{:.3}\n", scattered(2 * i), scattered(2 * i + 1))).collect();
        let scene = folder.circles("a.csv", format!("x,y\n{rows}"), &LoadOptions::default());
        let circle = only_circles(&scene)[0];
        assert!(circle.radius <= last.0 && circle.color.a <= last.1, "{count}: {circle:?}");
        assert!(circle.radius >= 0.5 && circle.color.a >= 2, "{count}: still seen: {circle:?}");
        last = (circle.radius, circle.color.a);
    }
    assert!(last.0 < 1.0 && last.1 < 220, "a million: {last:?}");
}

#[test]
fn table_of_one_row_or_one_place_is_drawn_in_the_middle() {
    let folder = Folder::new();
    for text in ["x,y\n5,6\n", "x,y\n1e300,-1e300\n", "x,y\n7,7\n7,7\n7,7\n"] {
        let scene = folder.circles("a.csv", text, &LoadOptions::default());
        assert_eq!(only_circles(&scene)[0].center, [640.0, 480.0], "{text}");
    }
}

#[test]
fn table_radius_named_r_is_in_the_units_of_the_table() {
    let folder = Folder::new();
    let text = "x,y,r,color\n0,0,1,#ff0000\n10,0,2,#00ff0080\n";
    let circles = only_circles(&folder.circles("a.csv", text, &LoadOptions::default()));
    let unit = (circles[1].center[0] - circles[0].center[0]) / 10.0;
    assert!((circles[0].radius - unit).abs() < 1e-3 && (circles[1].radius - 2.0 * unit).abs() < 1e-3);
    assert!(circles[1].center[0] + circles[1].radius < 1280.0, "whole circles are framed, not centres");
    assert_eq!([circles[0].color, circles[1].color], [color("#ff0000"), color("#00ff0080")]);
}

#[test]
fn table_radius_of_another_name_is_a_quantity_of_areas() {
    let folder = Folder::new();
    let by_pop = overrides(|o| (o.r, o.color) = (Some("pop".into()), Some("pop".into())));
    let circles = only_circles(&folder.circles("b.csv", "x,y,pop\n0,0,0\n1,1,25\n0,1,100\n", &by_pop));
    assert_eq!(circles.iter().map(|circle| circle.radius).collect::<Vec<_>>(), [0.0, 6.0, 12.0]);
    assert_eq!(circles[2].color.with_alpha(255), color("#fde725"));
    let constant = overrides(|o| (o.radius, o.color_by) = (Some("4.5".into()), Some("#aabbcc80".into())));
    let circles = only_circles(&folder.circles("b.csv", "x,y,pop\n0,0,0\n1,1,25\n", &constant));
    assert_eq!((circles[0].radius, circles[0].color), (4.5, color("#aabbcc80")));
}

#[test]
fn table_with_x_y_z_is_spheres() {
    let folder = Folder::new();
    let scene = folder.spheres("a.csv", "x,y,z,radius\n1,2,3,0.5\n4,5,6,0.25\n", &LoadOptions::default());
    let spheres: Vec<_> = only_spheres(&scene).iter().map(|sphere| (sphere.center, sphere.radius)).collect();
    assert_eq!(spheres, [([1.0, 2.0, 3.0], 0.5), ([4.0, 5.0, 6.0], 0.25)]);
    let cube = "x,y,z\n0,0,0\n8,0,0\n0,8,0\n0,0,8\n8,8,0\n8,0,8\n0,8,8\n8,8,8\n";
    let scene = folder.spheres("b.csv", cube, &LoadOptions::default());
    assert_eq!(only_spheres(&scene)[0].radius, 2.0, "half of the mean spacing");
    let flat = overrides(|o| (o.x, o.y) = (Some("x".into()), Some("z".into())));
    let circles = only_circles(&folder.circles("a.csv", "x,y,z\n1,2,3\n", &flat));
    assert_eq!(circles.len(), 1, "axes that are named make a map");
    let table = "ra,dec,dist,m\n1,2,3,1\n4,5,6,2\n";
    let named = overrides(|o| (o.x, o.y, o.z) = (Some("ra".into()), Some("dec".into()), Some("dist".into())));
    let centers = |given: &LoadOptions| -> Vec<[f32; 3]> {
        only_spheres(&folder.spheres("d.csv", table, given)).iter().map(|sphere| sphere.center).collect()
    };
    assert_eq!(centers(&named), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "three make spheres");
    let far = LoadOptions { only: Some("distance > 1 and dist > 3".into()), ..named };
    assert_eq!(centers(&far), [[4.0, 5.0, 6.0]]);
    let keys = "[camera]\neye = [0, 0, 99]\n[[spheres]]\nfile = \"d.csv\"\nx = \"ra\"\ny = \"dec\"\nz = \"m\"\n";
    let scene = folder.spheres("d.toml", keys, &LoadOptions::default());
    assert_eq!(only_spheres(&scene)[1].center, [4.0, 5.0, 2.0]);
    let refused = folder.refusal("e.toml", keys.replace("y = \"dec\"\n", ""));
    assert!(refused.contains("spheres[0] must have x, y and z when it has one of them"), "{refused}");
    let refused = folder.refusal("e.toml", keys.replace("\"m\"", "\"mm\""));
    assert!(refused.starts_with("e.toml:7: spheres[0].z must be a column of d.csv, got \"mm\""), "{refused}");
    let refused = folder.refusal_with("d.csv", table, &overrides(|o| o.z = Some("dist".into())));
    assert_eq!(refused, "x and y must name columns too when z does");
}

#[test]
fn table_mistakes_are_named() {
    let folder = Folder::new();
    let cases: &[(&[u8], &str)] = &[
        (b"", "t.csv: the file is empty"),
        (b"\n\n \n", "t.csv: the file is empty"),
        (b"x,y\n", "t.csv: the table has names of columns, but no rows"),
        (
            b"a,b\n1,2\n",
            "t.csv:1: which columns are the coordinates? none have the usual names, such as x and y or longitude and \
             latitude; name them as x and y, and z for spheres (columns: a, b)",
        ),
        (b"x,y\n1,2\n3\n", "t.csv:3: must have 2 fields as the lines before, got 1"),
        (b"x,y\n1,2\n3,4,5\n", "t.csv:3: must have 2 fields as the lines before, got 3"),
        (
            b"x,y\n1,2\n3,abc\n",
            "t.csv:3: y must be a finite number, got \"abc\"; --missing TEXT names what stands for no value",
        ),
        (
            b"x,y\n1,2\n3,\xff\n",
            "t.csv:3: y must be a finite number, got \"\u{fffd}\"; --missing TEXT names what stands for no value",
        ),
        (b"x,y,r\n1,2,3\n1,2,-3\n", "t.csv:3: r must be a number that is not negative, got -3"),
        (b"x,y,r\n1,2,1e39\n", "t.csv:2: r must be at most 3.4e38, got 1e39"),
        (
            b"x,y,color\n1,2,3\n1,2,red\n",
            "t.csv:3: color must be a finite number, got \"red\"; --missing TEXT names what stands for no value, --palette colours by numbers and texts",
        ),
        (b"x,y\n\"1,2\n", "t.csv:2: has a quote that nothing closes"),
        (
            b"x,y\n1,\"1,234\"\n",
            "t.csv:2: y must be a finite number, got \"1,234\"; commas between thousands are not read",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(folder.refusal("t.csv", text), *expected, "in:\n{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn table_refuses_overrides_that_mean_nothing_for_it() {
    let folder = Folder::new();
    let with = |change: fn(&mut LoadOptions)| folder.refusal_with("t.csv", "x,y,state\n1,2,NY\n", &overrides(change));
    let columns = "(columns: x, y, state)";
    let near = format!("got \"stat\"; did you mean \"state\"? {columns}");
    let named = |o: &mut LoadOptions| (o.x, o.y) = (Some("stat".into()), Some("y".into()));
    assert_eq!(with(named), format!("x must be a column of t.csv, {near}"));
    assert_eq!(with(|o| o.r = Some("stat".into())), format!("r must be a column of t.csv, {near}"));
    assert_eq!(with(|o| o.color = Some("stat".into())), format!("color must be a column of t.csv or a colour, {near}"));
    assert_eq!(with(|o| o.x = Some("x".into())), "y must name a column too when x does");
    assert_eq!(with(|o| o.radius = Some("-1".into())), "radius must be 0 to 3.4e38, got -1");
    assert_eq!(with(|o| o.radius = Some("1e39".into())), "radius must be 0 to 3.4e38, got 1e39");
    assert_eq!(with(|o| o.radius = Some("vdw".into())), "radius vdw is for atoms; a table has none");
    assert_eq!(
        with(|o| (o.r, o.radius) = (Some("x".into()), Some("1".into()))),
        "r and radius both say the radius; give one"
    );
    assert_eq!(with(|o| o.assembly = Some(1)), "assembly is for spheres; t.csv is drawn as circles");
    assert_eq!(with(|o| o.fov = Some(1.0)), "fov is for spheres; t.csv is drawn as circles");
}

// Atoms

#[test]
fn xyz_first_frame_is_drawn_in_element_colours() {
    let folder = Folder::new();
    let scene = folder.spheres("w.xyz", XYZ, &LoadOptions::default());
    let expected =
        [([0.0, 0.0, 0.5], 1.52, "#ff0d0d"), ([1.0, 2.0, 3.0], 1.2, "#ffffff"), ([-10.0, 0.5, 6.0], 1.2, "#ffffff")];
    let expected = expected.map(|(center, radius, text)| PaintedSphere { center, radius, color: color(text) });
    assert_eq!(only_spheres(&scene), expected);
    let description = describe(folder.file("w.xyz", XYZ), &LoadOptions::default()).expect("valid");
    let source = &description.sources[0];
    assert_eq!((description.format, source.records, source.models), (Format::Xyz, 3, 2));
    assert_eq!(source.elements, [("H".to_owned(), 2), ("O".to_owned(), 1)]);
}

#[test]
fn xyz_further_columns_give_colour_and_radius() {
    let folder = Folder::new();
    let columns = overrides(|o| (o.color_by, o.radius) = (Some("column5".into()), Some("column6".into())));
    let text = "2\n\nC 0 0 0 1.5 3\nXx 1 1 1 2.5 4\n";
    let spheres = only_spheres(&folder.spheres("c.xyz", text, &columns));
    let found: Vec<_> = spheres.iter().map(|sphere| (sphere.radius, sphere.color)).collect();
    assert_eq!(found, [(3.0, color("#440154")), (4.0, color("#fde725"))]);
    let extended = "1\nLattice=\"1 0 0 0 1 0 0 0 1\" Properties=id:I:1:pos:R:3:species:S:1:size:R:1\n\
                    9 1 2 3 Fe 0.75\n";
    let size = overrides(|o| o.radius = Some("size".into()));
    let spheres = only_spheres(&folder.spheres("e.xyz", extended, &size));
    assert_eq!(spheres, [PaintedSphere { center: [1.0, 2.0, 3.0], radius: 0.75, color: color("#e06633") }]);
}

#[test]
fn xyz_mistakes_are_named() {
    let folder = Folder::new();
    let cases: [(&[u8], &str); 11] = [
        (b"three\n\nC 0 0 0", "a.xyz:1: must be the number of atoms, got \"three\""),
        (b"-3\n\nC 0 0 0", "a.xyz:1: must be the number of atoms, got \"-3\""),
        (b"100000000\n\nC 0 0 0", "a.xyz:3: the frame promises 100000000 atoms, but the file ends after 1"),
        (
            b"1000000000000\n\nC 0 0 0",
            "a.xyz:1: the frame promises 1000000000000 atoms, over the limit of 268435456 shapes",
        ),
        (b"99999999999999999999\n\nC", "a.xyz:1: must be the number of atoms, got \"99999999999999999999\""),
        (b"1\n", "a.xyz:1: the frame promises 1 atoms, but the file ends after 0"),
        (b"1\n\nC 0 0", "a.xyz:3: must be an element and its coordinates, got \"C 0 0\""),
        (b"2\n\nC 0 0 0\n\n", "a.xyz:4: must be an element and its coordinates, got nothing"),
        (b"1\n\nC 0 nan 0", "a.xyz:3: y must be a finite number, got \"nan\""),
        (b"1\n\nC 0 zero 0", "a.xyz:3: y must be a finite number, got \"zero\""),
        (b"1\n\nC 0 1e39 0", "a.xyz:3: y must be between -3.4e38 and 3.4e38, got \"1e39\""),
    ];
    for (text, expected) in cases {
        assert_eq!(folder.refusal("a.xyz", text), expected, "in:\n{}", String::from_utf8_lossy(text));
    }
    let radius = |text: &str| folder.refusal_with("a.xyz", text, &overrides(|o| o.radius = Some("column5".into())));
    assert_eq!(radius("1\n\nC 0 0 0 -1"), "a.xyz:3: column5 must be a number that is not negative, got -1");
    assert_eq!(radius("1\n\nC 0 0 0"), "radius must be a column of a.xyz, got \"column5\" (columns: element)");
    assert_eq!(radius("2\n\nC 0 0 0 1\nC 0 0 0"), "a.xyz:4: must be an element and its coordinates, got \"C 0 0 0\"");
    let with = |change: fn(&mut LoadOptions)| folder.refusal_with("a.xyz", XYZ, &overrides(change));
    for name in ["chain", "residue", "#12"] {
        let path = folder.file("a.xyz", XYZ);
        let by_name = overrides(|o| o.color_by = Some(name.into()));
        let message = folder.message(&read_scene(&path, &by_name).expect_err(name));
        let columns = "(columns: element, x, y, z, index)";
        assert_eq!(message, format!("color_by must be a column of a.xyz or a colour, got {name:?} {columns}"));
    }
    assert_eq!(with(|o| o.x = Some("a".into())), "x is for tables; a.xyz holds atoms");
    let path = folder.file("a.xyz", XYZ);
    let by_color = read_scene(&path, &overrides(|o| o.color = Some("element".into()))).expect("atoms");
    let by_color_by = read_scene(&path, &overrides(|o| o.color_by = Some("element".into()))).expect("atoms");
    assert_eq!(by_color, by_color_by, "color is another name of color_by");
}

#[test]
fn pdb_first_model_and_first_alternates_are_drawn() {
    let folder = Folder::new();
    let scene = folder.spheres("m.pdb", PDB, &LoadOptions::default());
    let expected =
        [([1.0, 2.0, 3.0], 1.55, "#56b4e9"), ([2.0, 2.0, 3.0], 1.7, "#83dcff"), ([-1.0, -2.0, -3.0], 1.52, "#e69f00")];
    let expected = expected.map(|(center, radius, text)| PaintedSphere { center, radius, color: color(text) });
    assert_eq!(only_spheres(&scene), expected);
    assert_eq!(scene.view.width.max(scene.view.height), 1280);
    assert_eq!(scene.view.background, Background::Solid(Srgba8::WHITE));
    assert_eq!(
        (scene.shading.samples, scene.shading.ambient_occlusion),
        (4, AmbientOcclusion::Smooth),
        "bare data is drawn to be looked at"
    );
    assert_eq!(folder.spheres("crlf.pdb", PDB.replace('\n', "\r\n"), &LoadOptions::default()), scene);
}

#[test]
fn pdb_is_coloured_by_what_is_asked() {
    let folder = Folder::new();
    let colors = |by: &str| {
        let scene = folder.spheres("m.pdb", PDB, &overrides(|o| o.color_by = Some(by.into())));
        only_spheres(&scene).iter().map(|sphere| sphere.color).collect::<Vec<_>>()
    };
    assert_eq!(colors("chain"), ["#56b4e9", "#83dcff", "#e69f00"].map(color));
    assert_eq!(colors("residue"), ["#c8c8c8", "#c8c8c8", "#bea06e"].map(color));
    assert_eq!(colors("index"), ["#440154", "#21918c", "#fde725"].map(color));
    assert_eq!(colors("b_factor"), ["#440154", "#21918c", "#fde725"].map(color));
    assert_eq!(colors("#123"), ["#112233"; 3].map(color));
}

#[test]
fn pdb_assembly_is_poses_and_never_expanded() {
    let folder = Folder::new();
    let groups = |number| {
        let wanted = overrides(|o| (o.assembly, o.color_by) = (Some(number), Some("element".into())));
        folder.spheres("m.pdb", PDB, &wanted).groups
    };
    let rotation = Mat3::from_cols(Vec3::Y, Vec3::NEG_X, Vec3::Z);
    let quarter = Pose { rotation, translation: Vec3::new(10.0, 20.0, 30.0) };
    let [both] = &groups(1)[..] else { panic!("one group") };
    assert_eq!(both.spheres.len(), 3);
    assert_eq!(*both.poses, [Pose::IDENTITY, quarter], "rows of the file are rows of the matrix: x turns to y");
    let [second] = &groups(2)[..] else { panic!("one group") };
    assert_eq!((second.spheres.len(), second.spheres.at(0).center), (1, [-1.0, -2.0, -3.0]));
    assert_eq!(*second.poses, [Pose { rotation: Mat3::IDENTITY, translation: Vec3::new(5.0, 0.0, 0.0) }]);
    let scene = "[[spheres]]\nfile = \"m.pdb\"\nassembly = 1";
    assert_eq!(folder.spheres("s.toml", scene, &LoadOptions::default()).groups, groups(1));
    let description = describe(folder.file("m.pdb", PDB), &overrides(|o| o.assembly = Some(1))).expect("valid");
    assert_eq!((description.spheres, description.sources[0].records), (6, 3));
    assert_eq!(description.sources[0].assemblies, [(1, 2), (2, 1)]);
    assert_eq!((description.sources[0].models, description.sources[0].chains.concat()), (2, "AB".to_owned()));
}

#[test]
fn pdb_mistakes_are_named() {
    let folder = Folder::new();
    let atom = "ATOM      1  N   ALA A   1       1.000   2.000   3.000  1.00 10.00           N\n";
    let number = "must be a finite number, got";
    let stretched = PDB.replace("BIOMT2   1  0.000000  1.0", "BIOMT2   1  0.000000  2.0");
    let cases = [
        ("HEADER    NOTHING\n".to_owned(), "m.pdb: no atoms: no line starts with ATOM or HETATM".to_owned()),
        (atom.replace("2.000", " two "), format!("m.pdb:1: y (columns 39 to 46) {number} \"two\"")),
        (atom.replace("2.000", "  nan"), format!("m.pdb:1: y (columns 39 to 46) {number} \"nan\"")),
        (atom[..45].to_owned(), format!("m.pdb:1: z (columns 47 to 54) {number} nothing")),
        (atom[..20].to_owned(), format!("m.pdb:1: x (columns 31 to 38) {number} nothing")),
        (
            format!("REMARK 350   BIOMT1   1  1 0 0 0\n{atom}"),
            "m.pdb: REMARK 350 ends in the middle of an operator, after BIOMT1".to_owned(),
        ),
        (format!("REMARK 350   BIOMT2   1  1 0 0 0\n{atom}"), "m.pdb:1: must be BIOMT1, got BIOMT2".to_owned()),
        (
            format!("REMARK 350   BIOMT1   1  1 0 x 0\n{atom}"),
            "m.pdb:1: BIOMT must have a number and four finite values, got \"1   1  1 0 x 0\"".to_owned(),
        ),
        (
            format!("REMARK 350 BIOMOLECULE: one\n{atom}"),
            "m.pdb:1: BIOMOLECULE must be a number, got \"one\"".to_owned(),
        ),
        (stretched, "m.pdb:7: BIOMT must be a rotation: its rows have unit length and right angles".to_owned()),
    ];
    for (text, expected) in cases {
        assert_eq!(folder.refusal("m.pdb", &text), expected, "in:\n{text}");
    }
    let with = |change: fn(&mut LoadOptions)| folder.refusal_with("m.pdb", PDB, &overrides(change));
    assert_eq!(with(|o| o.assembly = Some(7)), "assembly must be one that m.pdb has (1, 2), got 7");
    assert_eq!(
        with(|o| o.radius = Some("occupncy".into())),
        "radius must be a column of m.pdb, got \"occupncy\"; did you mean \"occupancy\"? (columns: record, serial, name, \
         altloc, resname, chain, resid, icode, occupancy, b_factor, segment, element, charge)"
    );
    let none = folder.refusal_with("n.pdb", atom, &overrides(|o| o.assembly = Some(1)));
    assert_eq!(none, "assembly must be one that n.pdb has (none), got 1");
}

// Any file

#[test]
fn file_that_cannot_be_read_is_named() {
    let folder = Folder::new();
    let message = |name: &str| match read_scene(folder.0.path().join(name), &LoadOptions::default()) {
        Ok(_) => panic!("{name} was read"),
        Err(error) => folder.message(&error),
    };
    assert_eq!(message("gone.toml"), "cannot read gone.toml: No such file or directory (os error 2)");
    fs::create_dir(folder.0.path().join("d.csv")).expect("a folder");
    assert_eq!(message("d.csv"), "cannot read d.csv: Is a directory (os error 21)");
    assert_eq!(
        folder.refusal("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        "picture.png: a picture is not supported; roundel compare reads those"
    );
    assert_eq!(folder.refusal("s.toml", b"[canvas]\n\nbackground = \"\xff\""), "s.toml:3: not UTF-8 text");
    for name in ["e.toml", "e.json", "e.csv", "e.xyz", "e.pdb", "e"] {
        assert_eq!(folder.refusal(name, ""), format!("{name}: the file is empty"));
    }
    let endless = "x".repeat(3 << 20);
    assert_eq!(folder.refusal("l.csv", &endless), "l.csv: the table has names of columns, but no rows");
    for name in ["l.xyz", "l.pdb"] {
        assert_eq!(folder.refusal(name, &endless), format!("cannot read {name}: a line is longer than 1 MiB"));
    }
}

#[test]
fn file_without_end_is_refused() {
    if !Path::new("/dev/zero").exists() {
        eprintln!("left out: there is no /dev/zero");
        return;
    }
    let folder = Folder::new();
    for name in ["zero.toml", "zero.json", "zero.csv", "zero.xyz", "zero.pdb", "zero"] {
        let path = folder.0.path().join(name);
        #[cfg(unix)]
        std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
        let error = read_scene(&path, &LoadOptions::default()).expect_err(name);
        eprintln!("{}", folder.message(&error));
    }
}

// Files made by others

#[test]
fn shared_zip_codes_are_a_map_of_the_united_states() {
    let Some(path) = shared("zipcodes.csv") else { return };
    let named = overrides(|o| (o.x, o.y) = (Some("longitude".into()), Some("latitude".into())));
    let Scene::Circles(scene) = read_scene(&path, &named).expect("valid") else { panic!("circles") };
    let guessed = read_scene(&path, &LoadOptions::default()).expect("valid");
    assert_eq!(Scene::Circles(scene.clone()), guessed);
    let circles = only_circles(&scene);
    assert_eq!(circles.len(), 42_049);
    let inside = |circle: &&PaintedCircle| {
        let [x, y] = circle.center;
        (0.0..1280.0).contains(&x) && (0.0..scene.canvas.height as f32).contains(&y)
    };
    assert!(circles.iter().filter(inside).count() * 100 > circles.len() * 98, "98 % are in the picture");
    let text = fs::read_to_string(&path).expect("valid");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let place = |zip: &str| {
        let row = rows.iter().position(|row| row[0] == zip).expect(zip);
        let degrees = |field: &str| field.parse::<f64>().expect("a number");
        (circles[row].center.map(f64::from), [degrees(rows[row][2]), degrees(rows[row][1])])
    };
    let (seattle, miami, boston, san_diego) = (place("98101"), place("33101"), place("02108"), place("92101"));
    assert!(boston.0[0] - seattle.0[0] > 900.0, "coast to coast fills the width");
    assert!(miami.0[1] - seattle.0[1] > 300.0, "north is up");
    assert!(seattle.0[0] < 200.0 && san_diego.0[0] < 300.0 && boston.0[0] > 1000.0 && miami.0[0] > 800.0);
    let across = (boston.0[0] - seattle.0[0]) / (boston.1[0] - seattle.1[0]);
    let down = (miami.0[1] - seattle.0[1]) / (seattle.1[1] - miami.1[1]);
    // a degree of longitude is as much shorter as in the middle of the map, at some 37 degrees
    assert!((across / down - 0.8).abs() < 5e-3, "{across} and {down} pixels a degree");
}

#[test]
fn shared_molecules_are_read_whole() {
    for (name, assembly, atoms, spheres) in [
        // 23 atoms of water are hidden
        ("3pqr.pdb", None, 2_881, 2_858),
        ("3sn6.pdb", Some(1), 10_274, 10_274),
        ("1RB8.pdb", Some(1), 5_112, 306_720),
        ("1M4X.pdb", Some(1), 9_693, 16_284_240),
        ("nmr_neopetrosiamide.pdb", None, 392, 392),
        ("2r9r-1b.xyz", None, 1_284, 1_284),
    ] {
        let Some(path) = shared(name) else { continue };
        let description = describe(&path, &overrides(|o| o.assembly = assembly)).expect(name);
        assert_eq!((description.sources[0].records, description.spheres), (atoms, spheres), "{name}");
        let unknown = description.sources[0].elements.iter().any(|(symbol, _)| symbol == "Xx");
        assert!(!unknown, "{name}: every atom's element is known");
    }
}

#[test]
fn info_and_render_agree_on_every_file() {
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/data");
    let folders = [Some(small), shared("")];
    let paths = folders.into_iter().flatten().flat_map(|folder| {
        crate::files::names(&folder).into_iter().map(move |name| folder.join(name)).collect::<Vec<_>>()
    });
    let paths: Vec<_> =
        paths.filter(|path| path.is_file() && path.extension().is_none_or(|ending| ending != "md")).collect();
    assert!(paths.len() > 60);
    for path in paths {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        // files that cannot be drawn say so by their names
        let is_refused = name.starts_with("refused");
        match (describe(&path, &LoadOptions::default()), load(&path, &LoadOptions::default())) {
            (Ok(info), Ok(loaded)) => {
                assert!(!is_refused, "{name} is drawn");
                let (circles, spheres) = match &loaded.scene {
                    Scene::Circles(scene) => (scene.layers.iter().map(|layer| layer.len() as u64).sum(), 0),
                    Scene::Spheres(scene) => {
                        let count = |group: &SphereGroup<'_>| (group.spheres.len() * group.poses.len()) as u64;
                        (0, scene.groups.iter().map(count).sum())
                    }
                };
                assert_eq!((info.circles + info.ellipses, info.spheres), (circles, spheres), "{name}");
                // info counts spheres outside of the box separately, and chooses no opacity
                let is_of_picture =
                    |note: &str| note.contains("outside of the picture") || note.contains("circles overlap");
                let notes: Vec<_> = loaded.notes.iter().filter(|note| !is_of_picture(note)).collect();
                assert_eq!(info.notes.iter().collect::<Vec<_>>(), notes, "{name}");
            }
            (Err(info), Err(drawn)) => {
                assert_eq!(info.to_string(), drawn.to_string(), "{name}");
                assert!(is_refused, "{info}");
            }
            (Ok(_), Err(error)) => panic!("{name}: info reads what render refuses: {error}"),
            (Err(error), Ok(_)) => panic!("{name}: render draws what info refuses: {error}"),
        }
    }
}
