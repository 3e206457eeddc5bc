//! Ellipsoids and arrows of data.

use crate::files::{Folder, drawn, overrides, spheres};
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::io::{LegendChoice, LoadOptions, MoleculeStyle, describe, load};
use roundel::spheres::SphereScene;

fn ellipsoids(scene: &SphereScene<'_>) -> Vec<PaintedEllipsoid> {
    scene.shapes.ellipsoids.iter().flat_map(|group| group.shapes.iter().copied()).collect()
}

const ANISOTROPIC: &str = "\
ATOM      1  N   GLY A   1       0.000   0.000   0.000  1.00 10.00           N
ANISOU    1  N   GLY A   1      100    400    900      0      0      0       N
ATOM      2  CA  GLY A   1       1.450   0.000   0.000  1.00 78.9568352        C
";

#[test]
fn thermal_ellipsoids_have_the_axes_of_the_tensor() {
    let folder = Folder::new();
    let path = folder.file("t.pdb", ANISOTROPIC);
    assert!(ellipsoids(&spheres(&path, &LoadOptions::default())).is_empty());
    let half = overrides(|o| o.ellipsoids = Some(0.5));
    let scene = spheres(&path, &half);
    let found = ellipsoids(&scene);
    assert_eq!(found.len(), 1);
    // standard deviations of 0.1, 0.2 and 0.3
    for (found, expected) in found[0].radii.iter().zip([0.153_82, 0.307_64, 0.461_46]) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
    assert_eq!(found[0].rotation.map(f32::abs), [0.0, 0.0, 0.0, 1.0]);
    let radii: Vec<f32> = scene.groups[0].spheres.iter().map(|sphere| sphere.radius).collect();
    // a B factor of 78.96 is a standard deviation of 1
    assert!(radii[0] == 0.0 && (radii[1] - 1.5382).abs() < 1e-3, "{radii:?}");
    assert_eq!(scene.shapes.cylinders[0].shapes.len(), 1, "joined by a stick");
    for wrong in [0.0, 1.0, -0.5, f32::NAN] {
        let refused = load(&path, &overrides(|o| o.ellipsoids = Some(wrong))).expect_err("no probability");
        assert!(refused.to_string().contains("must be a probability between 0 and 1"));
    }
}

#[test]
fn rings_are_dark_lines_in_the_principal_planes() {
    let folder = Folder::new();
    let path = folder.file("t.pdb", ANISOTROPIC);
    let ringed = overrides(|o| (o.ellipsoids, o.ellipsoid_rings) = (Some(0.5), Some(true)));
    let plain = ellipsoids(&spheres(&path, &overrides(|o| o.ellipsoids = Some(0.5))));
    let found = ellipsoids(&spheres(&path, &ringed));
    assert_eq!(found.len(), 4 * plain.len());
    let counted = describe(&path, &ringed).expect("a molecule").ellipsoids;
    assert_eq!(counted, plain.len() as u64, "info counts what the file has");
    assert_eq!(found[..plain.len()], plain);
    // a disc is thin along one axis, and just protrudes along the others
    for (ring, axis) in found[plain.len()..].iter().zip((0..3).cycle()) {
        let of = plain.iter().find(|of| of.center == ring.center).expect("its ellipsoid");
        for other in 0..3 {
            let share = ring.radii[other] / of.radii[other];
            assert!(if other == axis { share <= 0.5 } else { (share - 1.003).abs() < 1e-6 }, "{share}");
        }
    }
    let faint = LoadOptions { opacity: vec![(None, 0.5)], ..ringed.clone() };
    let loaded = load(&path, &faint).expect("atoms");
    assert!(
        loaded.notes.iter().any(|note| note.starts_with("--ellipsoid-rings changes nothing")),
        "{:?}",
        loaded.notes
    );
    // on a sphere seen along the third axis, two rings form a cross
    let table = folder.file("e.csv", "x,y,z,rx,ry,rz\n0,0,0,1,1,1\n");
    let scene = "[camera]\neye = [0, 0, 9]\ntarget = [0, 0, 0]\northo_height = 2.5\nwidth = 100\nheight = 100\n\
                 [render]\nlook = \"flat\"\noutline_width = 0\n\
                 [[spheres]]\nfile = \"e.csv\"\ncolor = \"#ffffff\"\nellipsoid_rings = true\n";
    assert!(table.exists());
    let frame = drawn(&load(folder.file("e.toml", scene), &LoadOptions::default()).expect("an ellipsoid"));
    let is_dark = |x: u32, y: u32| frame.pixel(x, y).expect("inside").r < 128;
    for step in 15..85 {
        assert!(is_dark(step, 50) || is_dark(step, 49), "across, {step}");
        assert!(is_dark(50, step) || is_dark(49, step), "down, {step}");
    }
    for (x, y) in [(40, 40), (60, 40), (30, 65), (70, 70)] {
        assert!(!is_dark(x, y), "{x}, {y}");
    }
}

#[test]
fn thermal_ellipsoids_of_mmcif_are_those_of_pdb() {
    let folder = Folder::new();
    let text = "\
data_t
loop_
_atom_site.group_PDB
_atom_site.id
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
ATOM 1 N N GLY 0 0 0
ATOM 2 C CA GLY 1.45 0 0
loop_
_atom_site_anisotrop.id
_atom_site_anisotrop.type_symbol
_atom_site_anisotrop.U[1][1]
_atom_site_anisotrop.U[2][2]
_atom_site_anisotrop.U[3][3]
_atom_site_anisotrop.U[1][2]
_atom_site_anisotrop.U[1][3]
_atom_site_anisotrop.U[2][3]
1 N 0.01 0.04 0.09 0 0 0
";
    let half = overrides(|o| o.ellipsoids = Some(0.5));
    let found = ellipsoids(&spheres(&folder.file("t.cif", text), &half));
    let expected = ellipsoids(&spheres(&folder.file("t.pdb", ANISOTROPIC), &half));
    assert_eq!(found.iter().map(|of| of.radii).collect::<Vec<_>>(), [expected[0].radii]);
}

#[test]
fn columns_of_radii_make_ellipsoids() {
    let folder = Folder::new();
    let dump = "\
ITEM: TIMESTEP
0
ITEM: NUMBER OF ATOMS
2
ITEM: BOX BOUNDS pp pp pp
0 10
0 10
0 10
ITEM: ATOMS id type x y z c_shape[1] c_shape[2] c_shape[3] c_orient[1] c_orient[2] c_orient[3] c_orient[4]
1 1 1 2 3 2 1 1 0 0 0.6 0.8
2 1 5 5 5 0 0 0 0 0 0 0
";
    let path = folder.file("t.dump", dump);
    let scene = spheres(&path, &LoadOptions::default());
    let found = ellipsoids(&scene);
    assert_eq!(found.len(), 1, "a point stays a sphere");
    assert_eq!((found[0].center, found[0].radii), ([1.0, 2.0, 3.0], [1.0, 0.5, 0.5]), "diameters");
    assert_eq!(found[0].rotation, [0.0, 0.0, 0.6, 0.8]);
    let radii: Vec<f32> = scene.groups[0].spheres.iter().map(|sphere| sphere.radius).collect();
    assert!(radii[0] == 0.0 && radii[1] > 0.0);
    let round = spheres(&path, &overrides(|o| o.radius = Some("0.3".into())));
    assert!(round.shapes.is_empty());
    let xyz = "1\nProperties=species:S:1:pos:R:3:aspherical_shape:R:3:orientation:R:4\nX 0 0 0 3 2 1 0 0 0 1\n";
    let found = ellipsoids(&spheres(&folder.file("t.xyz", xyz), &LoadOptions::default()));
    assert_eq!(found[0].radii, [3.0, 2.0, 1.0]);
    let csv = "x,y,z,rx,ry,rz,qx,qy,qz,qw\n0,0,0,3,2,1,0,0,0,1\n4,0,0,1,1,2,0,0,0,1\n";
    assert_eq!(ellipsoids(&spheres(&folder.file("t.csv", csv), &LoadOptions::default())).len(), 2);
}

#[test]
fn vectors_are_arrows_from_the_surfaces() {
    let folder = Folder::new();
    let xyz = "3\nProperties=species:S:1:pos:R:3:forces:R:3\nC 0 0 0 2 0 0\nC 5 0 0 0 -1 0\nC 0 9 0 0 0 0\n";
    let path = folder.file("t.xyz", xyz);
    let scaled = overrides(|o| (o.vectors, o.vector_scale) = (Some("forces".into()), Some(3.0)));
    let scene = spheres(&path, &scaled);
    let (shafts, heads) = (&scene.shapes.cylinders[0].shapes, &scene.shapes.cones[0].shapes);
    assert_eq!((shafts.len(), heads.len()), (2, 2), "no force, no arrow");
    assert_eq!((shafts[0].start, heads[0].apex, heads[1].apex), ([1.7, 0.0, 0.0], [7.7, 0.0, 0.0], [5.0, -4.7, 0.0]));
    assert_eq!(heads[0].color, scene.groups[0].spheres.at(0).color);
    let named = overrides(|o| o.vectors = Some("forces1, forces2, forces3".into()));
    let long = spheres(&path, &named).shapes.cones[0].shapes[0].apex[0];
    assert!((long - 7.0 * 1.7).abs() < 1e-5, "six radii beyond the surface: {long}");
    let by_length = overrides(|o| (o.vectors, o.vector_color) = (Some("forces".into()), Some("length".into())));
    let scene = spheres(&path, &by_length);
    let heads = &scene.shapes.cones[0].shapes;
    assert_ne!(heads[0].color, heads[1].color);
    for name in ["force", "f"] {
        let other = overrides(|o| (o.vectors, o.vector_scale) = (Some(name.into()), Some(3.0)));
        assert_eq!(spheres(&path, &other).shapes.cones, spheres(&path, &scaled).shapes.cones, "{name}");
    }
    for (change, expected) in [
        (overrides(|o| o.vectors = Some("forces1".into())), "must be three columns"),
        (overrides(|o| o.vectors = Some("forces1,forces2".into())), "must be three columns"),
        (overrides(|o| o.vector_scale = Some(2.0)), "is for arrows"),
        (overrides(|o| o.vector_radius = Some(2.0)), "is for arrows"),
        (overrides(|o| (o.vectors, o.vector_radius) = (Some("forces".into()), Some(0.0))), "must be a number above 0"),
        (overrides(|o| (o.vectors, o.vector_color) = (Some("forces".into()), Some("blu".into()))), "must be particle"),
    ] {
        let refused = load(&path, &change).expect_err("refused").to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    let alone = overrides(|o| {
        (o.vectors, o.vector_radius) = (Some("forces".into()), Some(0.3));
        o.style = vec![(None, MoleculeStyle::None)];
    });
    let scene = spheres(&path, &alone);
    let (shaft, head) = (&scene.shapes.cylinders[0].shapes[0], &scene.shapes.cones[0].shapes[0]);
    assert!(scene.groups[0].spheres.iter().all(|sphere| sphere.radius == 0.0));
    assert_eq!((shaft.start, shaft.radius, head.radius), ([0.0; 3], 0.3, 0.6));
    assert!((head.apex[0] - 6.0 * 1.7).abs() < 1e-5, "as long as beside their particles: {:?}", head.apex);
    let balls = overrides(|o| {
        (o.vectors, o.style) = (Some("forces".into()), vec![(None, MoleculeStyle::BallAndStick)]);
    });
    let with_balls = spheres(&path, &balls);
    let ball = with_balls.groups[0].spheres.at(0);
    let shaft = &with_balls.shapes.cylinders.last().expect("arrows").shapes[0];
    assert_eq!(shaft.start[0], ball.radius);
    assert!((shaft.radius - 0.15 * ball.radius).abs() < 1e-6, "balls, not atoms, say how thick: {}", shaft.radius);
    let described = describe(&path, &alone).expect("readable").scene.expect("a file").to_string();
    assert_eq!(spheres(&folder.file("alone.json", described), &LoadOptions::default()).shapes, scene.shapes);
    let described = describe(&path, &scaled).expect("readable").scene.expect("a file").to_string();
    let again = spheres(&folder.file("scene.json", described), &LoadOptions::default());
    assert_eq!(again.shapes, spheres(&path, &scaled).shapes);
}

#[test]
fn arrows_of_ellipsoids_begin_on_them() {
    let folder = Folder::new();
    let xyz = "1\nProperties=species:S:1:pos:R:3:aspherical_shape:R:3:orientation:R:4:forces:R:3\n\
               X 1 1 1 3 2 1 0 0 0.7071067811865476 0.7071067811865476 0 1 0\n";
    let path = folder.file("t.xyz", xyz);
    let scaled = overrides(|o| (o.vectors, o.vector_scale) = (Some("forces".into()), Some(9.0)));
    // turned by a quarter, the longest axis lies along y
    let start = spheres(&path, &scaled).shapes.cylinders[0].shapes[0].start;
    assert!((start[1] - 4.0).abs() < 1e-5 && start[0] == 1.0 && start[2] == 1.0, "{start:?}");
}

#[test]
fn a_legend_names_the_colors_that_arrows_leave() {
    let folder = Folder::new();
    let text = "2\nProperties=species:S:1:pos:R:3:forces:R:3\nC 0 0 0 1 0 0\nN 3 0 0 0 2 0\n";
    let path = folder.file("f.xyz", text);
    let legend = |change: &dyn Fn(&mut LoadOptions)| {
        let given = overrides(|o| {
            (o.vectors, o.figure.legend) = (Some("forces".into()), Some(LegendChoice::COUNTS));
            change(o);
        });
        format!("{:?}", load(&path, &given).expect("arrows").figure.legend)
    };
    let bare = |color: Option<&'static str>| {
        legend(&|o| (o.style, o.vector_color) = (vec![(None, MoleculeStyle::None)], color.map(str::to_owned)))
    };
    for own in ["red", "length"] {
        let shown = bare(Some(own));
        assert!(!shown.contains("\"C\"") && shown.contains("force"), "{own}: {shown}");
    }
    assert!(bare(None).contains("\"C\""), "arrows have the colours of elements");
    let two = legend(&|o| (o.color_by, o.vector_color) = (Some("force".into()), Some("length".into())));
    assert!(two.contains("\"force\"") && two.contains("\"length of force\"") && !two.contains("f.xyz"), "{two}");
}
