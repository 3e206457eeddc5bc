//! Copies of assemblies and of periodic boxes that a column `copy` tells apart.

use crate::files::{Folder, overrides};
use roundel::Scene;
use roundel::io::{LegendChoice, LoadOptions, MoleculeStyle, describe, load, read_record};
use roundel::spheres::SphereScene;

/// An atom of chain A and a bonded pair of chain B; the second operator is a quarter turn about z, 10 up; both parts have
/// it.
const TURNED: &str = "\
REMARK 350 BIOMOLECULE: 1
REMARK 350 APPLY THE FOLLOWING TO CHAINS: A
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000
REMARK 350   BIOMT1   2  0.000000 -1.000000  0.000000        0.00000
REMARK 350   BIOMT2   2  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000       10.00000
REMARK 350 APPLY THE FOLLOWING TO CHAINS: B
REMARK 350   BIOMT1   1  0.000000 -1.000000  0.000000        0.00000
REMARK 350   BIOMT2   1  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000       10.00000
ATOM      1  CA  ALA A   1       3.000   0.000   0.000  1.00  5.00           C
ATOM      2  CA  GLY B   1       6.000   0.000   0.000  1.00  7.00           C
ATOM      3  C   GLY B   1       7.500   0.000   0.000  1.00  7.00           C
END
";

/// Two atoms whose bond crosses the wall of a box along x.
const BOX: &str =
    "2\nLattice=\"6 0 0 0 6 0 0 0 6\" Properties=species:S:1:pos:R:3:velo:R:3\nC 0.5 3 3 1 0 0\nC 5.2 3 3 1 0 0\n";

/// Centres in tenths and alphas of all spheres, sorted.
#[expect(clippy::cast_possible_truncation, reason = "coordinates are small")]
fn placed(scene: &SphereScene<'_>) -> Vec<([i32; 3], u8)> {
    let mut placed = Vec::new();
    for group in &scene.groups {
        for pose in group.poses.iter() {
            placed.extend(group.spheres.iter().map(|sphere| {
                let place = pose.rotation * roundel::glam::Vec3::from(sphere.center) + pose.translation;
                (place.to_array().map(|along| (along * 10.0).round() as i32), sphere.color.a)
            }));
        }
    }
    placed.sort_unstable();
    placed
}

fn assembly(change: impl FnOnce(&mut LoadOptions)) -> LoadOptions {
    let mut options = overrides(|o| o.assembly = Some(1));
    change(&mut options);
    options
}

#[test]
fn copies_are_selected_by_number() {
    let folder = Folder::new();
    let all = placed(&folder.spheres("a.pdb", TURNED, &assembly(|_| {})));
    assert_eq!(all.len(), 4);
    let chosen = |only: &str| placed(&folder.spheres("a.pdb", TURNED, &assembly(|o| o.only = Some(only.to_owned()))));
    assert_eq!(chosen("copy 1:2"), all, "copies as rows stand where others do");
    assert_eq!(chosen("copy 1"), [([30, 0, 0], 255)], "chain B has the second operator alone");
    assert_eq!(chosen("copy 2"), [([0, 30, 100], 255), ([0, 60, 100], 255), ([0, 75, 100], 255)]);
    assert_eq!(chosen("copy > 1 and chain A"), [([0, 30, 100], 255)]);
    assert_eq!(chosen("copy 2 and y > 5"), [([0, 60, 100], 255), ([0, 75, 100], 255)], "places are those of copies");
    let faint = assembly(|o| o.opacity = vec![(Some("copy 2".to_owned()), 0.4)]);
    let alphas: Vec<u8> = placed(&folder.spheres("a.pdb", TURNED, &faint)).iter().map(|(_, alpha)| *alpha).collect();
    assert_eq!(alphas, [102, 102, 102, 255]);
    let record = read_record(folder.file("a.pdb", TURNED), &assembly(|o| o.only = Some("copy 2".to_owned())), 1);
    let record = record.expect("a row");
    assert!(record.contains(&("serial".to_owned(), "2".to_owned())), "{record:?}");
}

#[test]
fn copies_are_categories_with_a_legend() {
    let folder = Folder::new();
    let path = folder.file("a.pdb", TURNED);
    let wanted = assembly(|o| (o.color_by, o.figure.legend) = (Some("copy".into()), Some(LegendChoice::COUNTS)));
    let described = describe(&path, &wanted).expect("an assembly");
    let colors = format!("{:?}", described.sources[0].colors);
    assert!(colors.contains("\"copy\"") && colors.contains("\"1\"") && colors.contains("\"2\""), "{colors}");
    let loaded = load(&path, &wanted).expect("an assembly");
    let Scene::Spheres(scene) = &loaded.scene else { panic!("circles") };
    let mut colors: Vec<_> = scene.groups.iter().flat_map(|group| group.spheres.iter()).map(|of| of.color).collect();
    colors.dedup();
    assert_eq!(colors.len(), 2, "{colors:?}");
    let ramp = assembly(|o| (o.color_by, o.colormap) = (Some("copy".into()), Some("viridis".into())));
    assert_ne!(folder.spheres("a.pdb", TURNED, &ramp), *scene, "numbers for a ramp");
    let labels = assembly(|o| o.figure.label = vec![("all".to_owned(), "copy {copy}".to_owned())]);
    assert!(load(&path, &labels).expect("labels").notes.is_empty(), "one label for each copy");
}

#[test]
fn copies_have_bonds_and_turned_arrows() {
    let folder = Folder::new();
    let shapes = |options: &LoadOptions| {
        let scene = folder.spheres("b.xyz", BOX, options);
        let count = |groups: usize, shapes: usize| groups * shapes;
        let cylinders = scene.shapes.cylinders.iter().map(|group| count(group.poses.len(), group.shapes.len()));
        cylinders.sum::<usize>()
    };
    let boxes = |only: Option<&str>| {
        overrides(|o| {
            (o.replicate, o.style) = (Some([2, 1, 1]), vec![(None, MoleculeStyle::Sticks)]);
            o.only = only.map(str::to_owned);
        })
    };
    assert_eq!(shapes(&boxes(None)), 4, "two halves in each box");
    assert_eq!(shapes(&boxes(Some("copy 1:2"))), 3, "one bond between the boxes, and two halves at the walls");
    assert_eq!(shapes(&boxes(Some("copy 1"))), 0, "the other atom of the bond is in the next box");
    let velocities = overrides(|o| {
        (o.replicate, o.vectors) = (Some([2, 1, 1]), Some("velo".into()));
        o.only = Some("copy 2".into());
    });
    assert_eq!(
        folder.spheres("b.xyz", BOX, &velocities).shapes.cones.iter().map(|of| of.shapes.len()).sum::<usize>(),
        2
    );
    let scene = "[[spheres]]\nfile = \"b.xyz\"\nreplicate = [1, 2, 1]\ncolor_by = \"copy\"\nonly = \"copy 2\"\n";
    folder.file("b.xyz", BOX);
    assert_eq!(placed(&folder.spheres("s.toml", scene, &LoadOptions::default())).len(), 2);
}

#[test]
fn copies_that_there_are_not_are_refused() {
    let folder = Folder::new();
    let by_copy = overrides(|o| o.color_by = Some("copy".into()));
    let refused = folder.refusal_with("a.pdb", TURNED, &by_copy);
    assert!(refused.contains("got \"copy\", which numbers copies of --assembly and --replicate"), "{refused}");
    let formula = assembly(|o| (o.color_by, o.compute) = (Some("copy".into()), vec!["odd = copy - 1".to_owned()]));
    let refused = folder.refusal_with("a.pdb", TURNED, &formula);
    assert!(refused.contains("must name columns of"), "formulas are computed before there are copies: {refused}");
    let missing = overrides(|o| (o.assembly, o.only) = (Some(3), Some("copy 1".into())));
    let refused = folder.refusal_with("a.pdb", TURNED, &missing);
    assert!(refused.contains("assembly must be one that a.pdb has (1), got 3"), "{refused}");
}

#[test]
fn copies_that_are_not_drawn_are_noted() {
    let folder = Folder::new();
    let noted = |options: &LoadOptions| {
        let notes = load(folder.file("a.pdb", TURNED), options).expect("atoms").notes;
        notes.iter().any(|note| note.contains("1 of the 2 copies in assembly 1 is drawn; --assembly 1 draws all"))
    };
    assert!(noted(&LoadOptions::default()));
    assert!(!noted(&assembly(|_| {})) && !noted(&overrides(|o| o.only = Some("chain A".to_owned()))));
}
