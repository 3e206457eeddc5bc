//! Periodic boxes: wrapped rows and copies, at positions computed by hand.

use crate::files::{Folder, overrides};
use roundel::Budget;
use roundel::Scene;
use roundel::io::{LoadOptions, describe, load, read_record, read_scene};
use roundel::spheres::SphereScene;

/// Edges (10, 0, 0), (4, 8, 0) and (0, 0, 5); the second atom is outside, at fractions 0.25, 1.5 and -0.5.
const LEANING: &str = "2\nLattice=\"10 0 0 4 8 0 0 0 5\" Properties=species:S:1:pos:R:3\nO 1 1 1\nC 8.5 12 -2.5\n";

/// The centres of all spheres, copies included.
fn centers(scene: &SphereScene<'_>) -> Vec<[f32; 3]> {
    let mut centers = Vec::new();
    for group in &scene.groups {
        for pose in group.poses.iter() {
            centers.extend(group.spheres.iter().map(|sphere| {
                (pose.rotation * roundel::glam::Vec3::from(sphere.center) + pose.translation).to_array()
            }));
        }
    }
    centers
}

fn assert_near(found: &[[f32; 3]], expected: &[[f32; 3]]) {
    let near = |(a, b): (&[f32; 3], &[f32; 3])| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(near), "{found:?}, expected {expected:?}");
}

#[test]
fn atoms_are_wrapped_into_a_leaning_box() {
    let folder = Folder::new();
    let plain = folder.spheres("a.xyz", LEANING, &LoadOptions::default());
    assert_near(&centers(&plain), &[[1.0, 1.0, 1.0], [8.5, 12.0, -2.5]]);
    let wrapped = folder.spheres("a.xyz", LEANING, &overrides(|o| o.wrap = Some(true)));
    // 0.25 a + 0.5 b + 0.5 c
    assert_near(&centers(&wrapped), &[[1.0, 1.0, 1.0], [4.5, 4.0, 2.5]]);
    let walls = LEANING.replace("Properties", "pbc=\"T T F\" Properties");
    let wrapped = folder.spheres("a.xyz", walls, &overrides(|o| o.wrap = Some(true)));
    assert_near(&centers(&wrapped), &[[1.0, 1.0, 1.0], [4.5, 4.0, -2.5]]);
}

#[test]
fn moves_that_move_nothing_are_noted() {
    let folder = Folder::new();
    let notes = |text: &str, options: LoadOptions| {
        let path = folder.file("m.xyz", text);
        load(&path, &options).expect("drawn").notes
    };
    let inside = "2\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3\nO 1 1 1\nH 1.9 1 1\n";
    let broken = inside.replace("O 1", "O 9.9").replace("H 1.9", "H 0.8");
    let outside = inside.replace("O 1", "O 11").replace("H 1.9", "H 11.9");
    let wrap = || overrides(|o| o.wrap = Some(true));
    let whole = || overrides(|o| o.whole = Some(true));
    let is_idle =
        |notes: &[String], flag: &str| notes.iter().any(|note| note.contains(&format!("--{flag} changes nothing: ")));
    assert!(is_idle(&notes(inside, wrap()), "wrap") && is_idle(&notes(inside, whole()), "whole"));
    assert!(!is_idle(&notes(&outside, wrap()), "wrap") && !is_idle(&notes(&broken, whole()), "whole"));
    let flags = |ix: i32| {
        let head = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n";
        let path = folder.file("f.dump", format!("{head}ITEM: ATOMS id type x y z ix iy iz\n1 1 1 1 1 {ix} 0 0\n"));
        load(&path, &overrides(|o| o.unwrap = Some(true))).expect("drawn").notes
    };
    assert!(is_idle(&flags(0), "unwrap") && !is_idle(&flags(1), "unwrap"));
}

#[test]
fn boxes_are_copied_along_their_edges() {
    let folder = Folder::new();
    let copies = overrides(|o| (o.wrap, o.replicate) = (Some(true), Some([2, 2, 1])));
    let scene = folder.spheres("a.xyz", LEANING, &copies);
    let expected = [
        [1.0, 1.0, 1.0],
        [4.5, 4.0, 2.5],
        [5.0, 9.0, 1.0],
        [8.5, 12.0, 2.5],
        [11.0, 1.0, 1.0],
        [14.5, 4.0, 2.5],
        [15.0, 9.0, 1.0],
        [18.5, 12.0, 2.5],
    ];
    assert_near(&centers(&scene), &expected);
    let path = folder.file("a.xyz", LEANING);
    let description = describe(&path, &copies).expect("described");
    assert_eq!((description.spheres, description.sources[0].records), (8, 2));
    // a click on any copy finds the atom
    for (index, element) in [(0, "O"), (5, "C"), (7, "C")] {
        assert_eq!(read_record(&path, &copies, index).expect("read again")[0].1, element);
    }
    assert_eq!(read_record(&path, &copies, 8).expect("read again"), []);
}

#[test]
fn assemblies_are_copied_too() {
    let folder = Folder::new();
    let pdb = format!("CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 1           1\n{}", crate::files::PDB);
    let one = overrides(|o| o.assembly = Some(1));
    let two = overrides(|o| (o.assembly, o.replicate) = (Some(1), Some([1, 1, 2])));
    let single = centers(&folder.spheres("a.pdb", &pdb, &one));
    let double = centers(&folder.spheres("a.pdb", &pdb, &two));
    let moved = single.iter().map(|&[x, y, z]| [x, y, z + 60.0]);
    assert_near(&double, &single.iter().copied().chain(moved).collect::<Vec<_>>());
    let path = folder.file("a.pdb", &pdb);
    let count = double.len() as u64;
    for index in 0..count {
        let (of_two, of_one) = (read_record(&path, &two, index), read_record(&path, &one, index % (count / 2)));
        assert_eq!(of_two.expect("an atom"), of_one.expect("an atom"), "{index}");
    }
}

#[test]
fn scenes_have_the_same_keys() {
    let folder = Folder::new();
    folder.file("a.xyz", LEANING);
    let scene = |keys: &str| {
        let path = folder.file("s.toml", format!("[[spheres]]\nfile = \"a.xyz\"\n{keys}\n"));
        read_scene(path, &LoadOptions::default()).map_err(|error| folder.message(&error))
    };
    let Ok(Scene::Spheres(found)) = scene("wrap = true\nreplicate = [1, 2, 1]") else { panic!("a scene") };
    assert_near(&centers(&found), &[[1.0, 1.0, 1.0], [4.5, 4.0, 2.5], [5.0, 9.0, 1.0], [8.5, 12.0, 2.5]]);
    let error = scene("replicate = [1, 0, 1]").expect_err("none");
    assert!(error.starts_with("s.toml:3: spheres[0].replicate"), "{error}");
    folder.file("a.xyz", "1\n\nO 0 0 0\n");
    assert_eq!(
        scene("replicate = [2, 1, 1]").expect_err("no box"),
        "s.toml:3: spheres[0].replicate is for a periodic box, which a.xyz does not have"
    );
}

#[test]
fn copies_that_cannot_be_made_are_refused() {
    let folder = Folder::new();
    let with = |text: &str, change: fn(&mut LoadOptions)| folder.refusal_with("a.xyz", text, &overrides(change));
    let plain = "1\n\nO 0 0 0\n";
    assert_eq!(with(plain, |o| o.wrap = Some(true)), "wrap is for a periodic box, which a.xyz does not have");
    let walls = LEANING.replace("Properties", "pbc=\"T F F\" Properties");
    assert_eq!(
        with(&walls, |o| o.replicate = Some([2, 2, 1])),
        "replicate must be 1 along b, where the box of a.xyz has walls, got 2"
    );
    let none = LEANING.replace("Properties", "pbc=\"F F F\" Properties");
    assert_eq!(with(&none, |o| o.wrap = Some(true)), "wrap is for a periodic box; that of a.xyz has walls");
    assert_eq!(
        with(LEANING, |o| o.replicate = Some([u32::MAX; 3])),
        "replicate must be three whole numbers from 1 with a product of at most 2^22, got \
         [4294967295, 4294967295, 4294967295]"
    );
    let small = |o: &mut LoadOptions| {
        (o.replicate, o.budget) = (Some([10, 10, 10]), Budget { shapes: 100, ..Budget::default() });
    };
    assert_eq!(with(LEANING, small), "a.xyz has 2000 spheres in 1000 periodic images, over the limit of 100 shapes");
    let table = overrides(|o| o.wrap = Some(true));
    assert_eq!(folder.refusal_with("t.csv", "x,y\n1,2\n", &table), "wrap is for spheres; t.csv is drawn as circles");
}
