//! Bonds of molecules: which are found, by which rule, and how styles draw them.

use std::path::Path;

use crate::files::{Folder, overrides, spheres};
use roundel::cylinders::PaintedCylinder;
use roundel::io::{BondRule, LoadOptions, MoleculeStyle, describe, load, read_scene};
use roundel::spheres::{Gloss, SphereScene};

/// Ethene beside a lithium ion, whose double bond CONECT lists twice from either end.
const ETHENE: &str = "\
HETATM    1  C1  ETH A   1       0.667   0.000   0.000  1.00  0.00           C
HETATM    2  C2  ETH A   1      -0.667   0.000   0.000  1.00  0.00           C
HETATM    3  H1  ETH A   1       1.230   0.930   0.000  1.00  0.00           H
HETATM    4  H2  ETH A   1       1.230  -0.930   0.000  1.00  0.00           H
HETATM    5  H3  ETH A   1      -1.230   0.930   0.000  1.00  0.00           H
HETATM    6  H4  ETH A   1      -1.230  -0.930   0.000  1.00  0.00           H
HETATM    7 LI    LI B   2       0.000   0.000   1.900  1.00  0.00          LI
CONECT    1    2    2    3    4
CONECT    2    1    1    5    6
END
";

/// Two residues of glycine and a water that nearly touches the chain.
const PEPTIDE: &str = "\
ATOM      1  N   GLY A   1       0.000   0.000   0.000  1.00  0.00           N
ATOM      2  CA  GLY A   1       1.450   0.000   0.000  1.00  0.00           C
ATOM      3  C   GLY A   1       2.000   1.420   0.000  1.00  0.00           C
ATOM      4  O   GLY A   1       1.250   2.400   0.000  1.00  0.00           O
ATOM      5  N   GLY A   2       3.330   1.540   0.000  1.00  0.00           N
ATOM      6  CA  GLY A   2       3.970   2.840   0.000  1.00  0.00           C
HETATM    7  O   HOH A 101       4.900   3.900   0.000  1.00  0.00           O
END
";

fn cylinders(scene: &SphereScene<'_>) -> Vec<PaintedCylinder> {
    scene.shapes.cylinders.iter().flat_map(|group| group.shapes.iter().copied()).collect()
}

fn bonds(path: &Path, rule: BondRule) -> u64 {
    describe(path, &overrides(|o| (o.bonds, o.hide) = (Some(rule), Some("none".into())))).expect("a molecule").bonds
}

#[test]
fn bonds_come_from_where_the_rule_says() {
    let folder = Folder::new();
    let ethene = folder.file("ethene.pdb", ETHENE);
    for (rule, expected) in [(BondRule::Auto, 5), (BondRule::File, 5), (BondRule::Distance, 5), (BondRule::None, 0)] {
        assert_eq!(bonds(&ethene, rule), expected, "{rule}");
    }
    // the water is near enough, but bonds to nothing else; only the rule `file` uses no dictionary
    let peptide = folder.file("peptide.pdb", PEPTIDE);
    for (rule, expected) in [(BondRule::Auto, 5), (BondRule::File, 0), (BondRule::Distance, 5)] {
        assert_eq!(bonds(&peptide, rule), expected, "{rule}");
    }
}

#[test]
fn bonds_of_hybrid_36_serials_are_found() {
    let folder = Folder::new();
    let text = "\
HETATMA0000  C1  LIG A   1       0.000   0.000   0.000  1.00  0.00           C
HETATMA0001  C2  LIG A   1       5.000   0.000   0.000  1.00  0.00           C
CONECTA0000A0001
";
    assert_eq!(bonds(&folder.file("far.pdb", text), BondRule::Auto), 1, "as far as the file says");
}

#[test]
fn small_molecules_are_balls_and_sticks() {
    let folder = Folder::new();
    let ethene = folder.file("ethene.pdb", ETHENE);
    let scene = spheres(&ethene, &LoadOptions::default());
    // the double bond is two sticks
    let found = cylinders(&scene);
    assert_eq!(found.len(), 6);
    let double: Vec<_> = found.iter().filter(|stick| stick.radius < 0.1).collect();
    assert_eq!(double.len(), 2);
    // both in the plane of the molecule, one on each side
    assert!(double.iter().all(|stick| stick.start[2] == 0.0 && stick.start[1].abs() > 0.1));
    assert!((double[0].start[1] + double[1].start[1]).abs() < 1e-6);
    let radii: Vec<f32> = scene.groups[0].spheres.iter().map(|sphere| sphere.radius).collect();
    assert!((radii[0] - 1.7 * 0.25).abs() < 1e-6 && (radii[2] - 1.2 * 0.25).abs() < 1e-6, "{radii:?}");
    for change in [
        overrides(|o| o.style = vec![(None, MoleculeStyle::Spacefill)]),
        overrides(|o| o.bonds = Some(BondRule::None)),
        overrides(|o| o.radius = Some("vdw".into())),
    ] {
        let scene = spheres(&ethene, &change);
        assert!(scene.shapes.is_empty() && scene.groups[0].spheres.at(0).radius == 1.7);
    }
}

#[test]
fn styles_of_selections_follow_the_last_that_holds() {
    let folder = Folder::new();
    let ethene = folder.file("ethene.pdb", ETHENE);
    let scene = spheres(
        &ethene,
        &overrides(|o| {
            let of = |text: &str, style| (Some(text.to_owned()), style);
            o.style = vec![
                (None, MoleculeStyle::Sticks),
                of("hydrogen", MoleculeStyle::Points),
                of("name H1", MoleculeStyle::Spacefill),
            ];
            o.bond_radius = Some(0.3);
            o.highlight = vec![("name C2".into(), "gold".parse().expect("a colour"))];
        }),
    );
    let radii: Vec<f32> = scene.groups[0].spheres.iter().map(|sphere| sphere.radius).collect();
    assert!(radii[..3] == [0.3, 0.3, 1.2] && (radii[3] - 0.12).abs() < 1e-6, "{radii:?}");
    // points have no bonds; the ion has none and is a ball
    let found = cylinders(&scene);
    assert_eq!(found.len(), 2);
    assert!((radii[6] - 1.82 * 0.25).abs() < 1e-6);
    let gold = "gold".parse().expect("a colour");
    assert_eq!(found[0].colors[1], gold, "half of the bond has the colour of its atom");
    assert_ne!(found[0].colors[0], gold);
}

#[test]
fn highlights_of_selections_follow_the_last_that_holds() {
    let folder = Folder::new();
    let ethene = folder.file("ethene.pdb", ETHENE);
    let strong = Gloss::new(0.8).with_roughness(0.2);
    let options = overrides(|o| {
        o.style = vec![(None, MoleculeStyle::Sticks)];
        o.gloss = vec![(Some("element C".into()), Gloss::new(0.5)), (Some("name C2".into()), strong)];
    });
    let scene = spheres(&ethene, &options);
    assert_eq!(scene.groups[0].gloss[..3], [Some(Gloss::new(0.5)), Some(strong), None]);
    let bonds = &scene.shapes.cylinders[0];
    assert_eq!(bonds.gloss.len(), bonds.shapes.len(), "a bond has the highlights of its first atom");
    assert_eq!(bonds.gloss[0], Some(Gloss::new(0.5)));
    let scene = "[camera]\nview = \"front\"\n[[spheres]]\nfile = \"ethene.pdb\"\nstyle = \"sticks\"\n\
                 gloss = [{ select = \"element C\", gloss = 0.5 }, { select = \"name C2\", gloss = [0.8, 0.2] }]\n";
    let described = spheres(&folder.file("scene.toml", scene), &LoadOptions::default());
    assert_eq!(described.groups[0].gloss[..3], [Some(Gloss::new(0.5)), Some(strong), None]);
    let bad = folder.file("bad.toml", scene.replace("[0.8, 0.2]", "[0.8, 2]"));
    let error = read_scene(&bad, &LoadOptions::default()).expect_err("a roughness of 2").to_string();
    assert!(error.contains("gloss") && error.contains("got 2"), "{error}");
}

#[test]
fn bonds_of_hidden_atoms_are_not_drawn() {
    let folder = Folder::new();
    let ethene = folder.file("ethene.pdb", ETHENE);
    let hidden = overrides(|o| o.hide = Some("name C2 or hydrogen and name H1".into()));
    let scene = spheres(&ethene, &hidden);
    assert_eq!(cylinders(&scene).len(), 1, "a hydrogen is left at the first carbon");
    assert_eq!(describe(&ethene, &hidden).expect("a molecule").bonds, 1);
}

#[test]
fn described_scenes_have_the_styles_of_bare_data() {
    let folder = Folder::new();
    let ethene = folder.file("ethene.pdb", ETHENE);
    for change in [
        LoadOptions::default(),
        overrides(|o| {
            o.style = vec![(Some("name C1".into()), MoleculeStyle::Sticks), (None, MoleculeStyle::Points)];
            o.ball_scale = Some(0.4);
        }),
        overrides(|o| (o.style, o.bonds) = (vec![(None, MoleculeStyle::Sticks)], Some(BondRule::Distance))),
    ] {
        let described = describe(&ethene, &change).expect("a molecule").scene.expect("a file").to_string();
        let scene = folder.file("scene.json", described);
        assert_eq!(spheres(&scene, &LoadOptions::default()).shapes, spheres(&ethene, &change).shapes);
    }
}

#[test]
fn copies_of_an_assembly_have_their_bonds() {
    let folder = Folder::new();
    let operators = "\
REMARK 350 BIOMOLECULE: 1
REMARK 350 APPLY THE FOLLOWING TO CHAINS: A
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000
REMARK 350   BIOMT1   2  1.000000  0.000000  0.000000       10.00000
REMARK 350   BIOMT2   2  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000
";
    let path = folder.file("two.pdb", format!("{operators}{ETHENE}"));
    let scene = spheres(&path, &overrides(|o| o.assembly = Some(1)));
    assert_eq!(scene.groups[0].spheres.len(), 6, "the ion is in another chain");
    let group = &scene.shapes.cylinders[0];
    assert_eq!((group.shapes.len(), group.poses.len(), group.companion), (6, 2, 0));
    // if the colour depends on the position, every copy has its own cylinders
    let by_place = overrides(|o| (o.assembly, o.color_by) = (Some(1), Some("x".into())));
    let placed = spheres(&path, &by_place);
    let [first, second] = &placed.shapes.cylinders[..] else { panic!("a group for each copy") };
    assert_eq!((first.shapes.len(), second.shapes.len(), second.companion), (6, 6, 0));
    assert_eq!(second.poses[0].translation.x, 10.0);
    assert_ne!(first.shapes[0].colors, second.shapes[0].colors);
}

#[test]
fn bonds_of_mmcif_are_those_that_it_lists() {
    let folder = Folder::new();
    let text = "\
data_t
loop_
_atom_site.group_PDB
_atom_site.id
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.label_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
HETATM 1 C C1 LIG A 1 0 0 0
HETATM 2 O O1 LIG A 1 1.2 0 0
HETATM 3 ZN ZN ZN B 2 9 0 0
loop_
_struct_conn.id
_struct_conn.conn_type_id
_struct_conn.ptnr1_label_asym_id
_struct_conn.ptnr1_label_comp_id
_struct_conn.ptnr1_auth_seq_id
_struct_conn.ptnr1_label_atom_id
_struct_conn.ptnr2_label_asym_id
_struct_conn.ptnr2_label_comp_id
_struct_conn.ptnr2_auth_seq_id
_struct_conn.ptnr2_label_atom_id
metalc1 metalc A LIG 1 O1 B ZN 2 ZN
hydrog1 hydrog A LIG 1 C1 B ZN 2 ZN
loop_
_chem_comp_bond.comp_id
_chem_comp_bond.atom_id_1
_chem_comp_bond.atom_id_2
_chem_comp_bond.value_order
LIG C1 O1 DOUB
";
    let path = folder.file("t.cif", text);
    assert_eq!([BondRule::Auto, BondRule::File, BondRule::Distance].map(|rule| bonds(&path, rule)), [2, 2, 1]);
    let found = cylinders(&spheres(&path, &LoadOptions::default()));
    assert_eq!(found.len(), 3, "a double bond and a long one");
}

#[test]
fn bonds_of_lammps_cross_the_boundary() {
    let folder = Folder::new();
    let text = "\
made for this test

3 atoms
2 bonds
1 atom types
0 10 xlo xhi
0 10 ylo yhi
0 10 zlo zhi

Atoms # bond

7 1 1 0.5 5 5
8 1 1 9.5 5 5
9 1 1 8.0 5 5

Bonds

1 1 7 8
2 1 8 9
";
    let path = folder.file("t.data", text);
    assert_eq!(bonds(&path, BondRule::Auto), 2);
    let scene = spheres(&path, &overrides(|o| o.style = vec![(None, MoleculeStyle::Sticks)]));
    let mut ends: Vec<_> = cylinders(&scene).iter().map(|stick| [stick.start[0], stick.end[0]]).collect();
    ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
    assert_eq!(ends, [[0.5, 0.0], [9.5, 8.0], [10.0, 9.5]]);
    let short = folder.file("short.data", text.replace("2 bonds", "5 bonds"));
    let refused = describe(&short, &LoadOptions::default()).expect_err("too few").to_string();
    assert!(refused.contains("5 bonds are promised"), "{refused}");
    let wrong = folder.file("wrong.data", text.replace("2 1 8 9", "2 1 8"));
    let refused = describe(&wrong, &LoadOptions::default()).expect_err("no bond").to_string();
    assert!(refused.contains("wrong.data:19") && refused.contains("a bond must have"), "{refused}");
}

#[test]
fn bonds_of_molfiles_are_those_that_they_list() {
    let folder = Folder::new();
    // no two of these are near enough to bond by distance
    let plain = "\
made for this test
  test

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0
    3.0000    0.0000    0.0000 N   0  0
    6.0000    0.0000    0.0000 C   0  0
  1  2  3  0
  2  3  1  0
M  END
";
    let path = folder.file("t.sdf", plain);
    assert_eq!([BondRule::Auto, BondRule::File, BondRule::Distance].map(|rule| bonds(&path, rule)), [2, 2, 0]);
    assert_eq!(cylinders(&spheres(&path, &LoadOptions::default())).len(), 4, "a triple bond and a single one");
    let extended = "\
made for this test
  test

  0  0  0     0  0            999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 3 2 0 0 0
M  V30 BEGIN ATOM
M  V30 1 C 0 0 0 0
M  V30 2 N 3 0 0 0
M  V30 3 C 6 0 0 0
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 3 1 2
M  V30 2 1 2 3
M  V30 END BOND
M  V30 END CTAB
M  END
";
    assert_eq!(bonds(&folder.file("e.sdf", extended), BondRule::Auto), 2);
    let wrong = folder.file("wrong.sdf", plain.replace("  2  3  1  0", "  2  9  1  0"));
    let refused = describe(&wrong, &LoadOptions::default()).expect_err("no such atom").to_string();
    assert!(refused.contains("wrong.sdf:9") && refused.contains("from 1 to 3"), "{refused}");
    let mol2 = "\
@<TRIPOS>MOLECULE
made for this test
3 2
SMALL
NO_CHARGES
@<TRIPOS>ATOM
11 C1 0 0 0 C.ar
12 N1 3 0 0 N.ar
13 C2 6 0 0 C.ar
@<TRIPOS>BOND
1 11 12 ar
2 12 13 nc
";
    assert_eq!(bonds(&folder.file("t.mol2", mol2), BondRule::Auto), 1, "nc is not connected");
}

#[test]
fn options_that_sticks_do_not_have_say_so() {
    let folder = Folder::new();
    let bonded: String = ETHENE.lines().filter(|line| !line.contains("LI")).map(|line| format!("{line}\n")).collect();
    let (bonded, with_ion) = (folder.file("e.pdb", &bonded), folder.file("i.pdb", ETHENE));
    let sticks = overrides(|o| o.style = vec![(None, MoleculeStyle::Sticks)]);
    let notes = |path: &Path, options: &LoadOptions| load(path, options).expect("a molecule").notes;
    assert_eq!(notes(&bonded, &sticks), [""; 0]);
    let given: [(&str, LoadOptions); 3] = [
        ("--ball-scale", LoadOptions { ball_scale: Some(2.0), ..sticks.clone() }),
        ("--radius", LoadOptions { radius: Some("2".into()), ..sticks.clone() }),
        ("--radius", LoadOptions { radius_of: vec![("element C".into(), 2.0)], ..sticks.clone() }),
    ];
    for (flag, options) in &given {
        let found = notes(&bonded, options);
        assert!(matches!(&found[..], [note] if note.contains(&format!("{flag} changes nothing: "))), "{found:?}");
        let mixed = LoadOptions { style: vec![(None, MoleculeStyle::BallAndStick)], ..options.clone() };
        assert_eq!(notes(&bonded, &mixed), [""; 0], "{flag}");
    }
    // an atom without bonds is a ball
    assert_eq!(notes(&with_ion, &given[0].1), [""; 0]);
    let ellipsoids = notes(&folder.file("a.xyz", "1\n\nC 0 0 0\n"), &overrides(|o| o.ellipsoids = Some(0.5)));
    assert!(ellipsoids[0].contains("has no displacements of atoms"), "{ellipsoids:?}");
    let smooth = notes(&folder.file("a.xyz", "1\n\nC 0 0 0\n"), &overrides(|o| o.smooth = Some(3)));
    assert!(smooth[0].contains("--smooth changes nothing: there are no frames around it"), "{smooth:?}");
}

#[test]
fn values_that_a_later_one_replaces_say_so() {
    let folder = Folder::new();
    let path = folder.file("t.csv", "x,y,z,share,kind\n0,0,0,0.5,A\n4,0,0,0.2,B\n");
    let notes = |options: LoadOptions| load(&path, &options).expect("a table").notes.join("\n");
    let both = overrides(|o| (o.opacity_by, o.opacity) = (Some("share".into()), vec![(None, 0.5)]));
    assert!(notes(both).contains("--opacity-by changes nothing: "));
    let some: (Option<String>, f32) = (Some("kind A".into()), 0.5);
    let later = overrides(|o| o.opacity = vec![some.clone(), (None, 0.2)]);
    assert!(notes(later).contains("--opacity 0.5 of a selection changes nothing: "));
    let before = overrides(|o| (o.opacity_by, o.opacity) = (Some("share".into()), vec![some]));
    assert_eq!(notes(before), "");
    let style = |rows: Option<&str>, style| (rows.map(str::to_owned), style);
    let (points, balls) = (style(Some("kind A"), MoleculeStyle::Points), style(None, MoleculeStyle::Spacefill));
    assert!(
        notes(overrides(|o| o.style = vec![points, balls])).contains("--style points of a selection changes nothing: ")
    );
}
