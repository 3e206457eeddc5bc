//! CIF, of small molecules, crystals and macromolecules: atoms, cells, chains and symmetry.

use super::data_formats::{described, spheres};
use crate::files::{self, Folder, PDB, centers, color, only_spheres, overrides, small};
use roundel::Scene;
use roundel::io::{Format, LoadOptions, Symmetry, describe, load, read_scene};
use roundel::spheres::SphereScene;

#[test]
fn mmcif_is_drawn_like_pdb() {
    let folder = Folder::new();
    for by in ["element", "chain", "resname", "b_factor"] {
        let by = overrides(|o| o.color_by = Some(by.into()));
        let cif = spheres(&folder, "m.cif", "cif/two-models.cif", &by);
        assert_eq!(cif, folder.spheres("m.pdb", PDB, &by));
    }
    let second = overrides(|o| o.frame = Some(1));
    assert_eq!(centers(&spheres(&folder, "m.cif", "cif/two-models.cif", &second)), [[9.0; 3]]);
    let assembly = overrides(|o| o.assembly = Some(1));
    let groups = |scene: SphereScene<'static>| scene.groups;
    assert_eq!(
        groups(spheres(&folder, "m.cif", "cif/two-models.cif", &assembly)),
        groups(folder.spheres("m.pdb", PDB, &assembly))
    );
    let description = described(&folder, "m.cif", "cif/two-models.cif");
    let source = &description.sources[0];
    assert_eq!((description.format, source.records, source.models, source.alternates), (Format::Cif, 3, 2, 1));
    assert_eq!(source.assemblies, [(1, 2)]);
    let cell = source.cell.expect("a cell");
    assert!((cell.angles[1] - 101.5).abs() < 1e-9 && cell.lengths == [10.0, 12.5, 8.0], "{cell:?}");
}

#[test]
fn cif_of_a_small_molecule_is_placed_by_its_cell() {
    let folder = Folder::new();
    let scene = spheres(&folder, "salt.cif", "cif/small-molecule.cif", &LoadOptions::default());
    let found = only_spheres(&scene);
    assert_eq!(found.len(), 2);
    for (sphere, expected) in found.iter().zip([0.0, 2.82]) {
        assert!(sphere.center.iter().all(|value| (value - expected).abs() < 1e-5), "{sphere:?}");
    }
    assert_eq!([found[0].color, found[1].color], ["#ab5cf2", "#1ff01f"].map(color), "sodium and chlorine");
}

pub(crate) fn elements(name: &str, overrides: &LoadOptions) -> Vec<(String, u64)> {
    let mut elements = describe(small(name), overrides).expect(name).sources[0].elements.clone();
    elements.sort();
    elements
}

pub(crate) fn counts(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|&(symbol, count)| (symbol.to_owned(), count)).collect()
}

/// The notes about a small file, without its folder.
pub(crate) fn notes(name: &str) -> Vec<String> {
    let path = small(name);
    let found = load(&path, &LoadOptions::default()).expect(name).notes;
    found.iter().map(|note| note.replace(&*path.to_string_lossy(), name)).collect()
}

#[test]
fn cif_rows_may_have_comments_between_them_and_take_several_lines() {
    for name in ["loop-with-comments.cif", "rows-over-lines.cif", "some-rows-over-lines.cif"] {
        let scene = files::spheres(&small(name), &LoadOptions::default());
        assert_eq!(centers(&scene), [[1.0, 2.0, 3.0], [2.0, 2.0, 3.0], [3.0, 2.0, 3.0]], "{name}");
        assert_eq!(elements(name, &LoadOptions::default()), counts(&[("C", 1), ("N", 1), ("O", 1)]), "{name}");
    }
    let cell = describe(small("loop-with-comments.cif"), &LoadOptions::default()).expect("atoms").sources[0].cell;
    assert_eq!(cell.map(|cell| cell.lengths), Some([20.0; 3]));
    let message =
        read_scene(small("refused-row-too-short.cif"), &LoadOptions::default()).expect_err("too short").to_string();
    assert!(message.ends_with(":9: must have 5 values in a row, got 4"), "{message}");
}

#[test]
fn cif_rows_over_lines_are_read_across_pieces() {
    let folder = Folder::new();
    let mut text = "data_long\nloop_\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n\
                    _atom_site.Cartn_z\n"
        .to_owned();
    for row in 0..100_000 {
        let end = if row % 3 == 1 { '\n' } else { ' ' };
        text.push_str(&format!("{row} C{end}{row} 0.5{end}# comment\n1.5\n"));
        if row % 7 == 0 {
            text.push_str("# a line\n");
        }
    }
    // a prefix with one row per line, which is read in pieces
    let whole = text.replace("# comment\n", "");
    let (head, rest) = whole.split_once("0 C 0 0.5 1.5\n").expect("the first row");
    let head = format!("{head}{}", "0 C 0 0.5 1.5\n".repeat(20_000));
    let scene = folder.spheres("long.cif", format!("{head}{rest}"), &LoadOptions::default());
    let found = centers(&scene);
    assert_eq!(found.len(), 119_999);
    assert!(found[20_000..].iter().zip(1_u32..).all(|(place, row)| place[0] == row as f32));
    assert_eq!(folder.spheres("all.cif", text, &LoadOptions::default()).groups[0].spheres.len(), 100_000);
}

#[test]
fn cif_displacements_and_gaps_are_no_atoms() {
    let all = elements("displacements-first.cif", &LoadOptions::default());
    assert_eq!(all, counts(&[("C", 1), ("N", 1), ("O", 1)]));
    assert_eq!(notes("unknown-places.cif"), ["unknown-places.cif: 2 rows have no coordinates and are left out"]);
    assert_eq!(
        notes("unknown-places-in-cell.cif"),
        ["unknown-places-in-cell.cif: 1 row has no coordinates and is left out"]
    );
    assert_eq!(elements("unknown-places.cif", &LoadOptions::default()), counts(&[("C", 1), ("O", 1)]));
}

#[test]
fn cif_crystals_fill_their_cell() {
    let off = overrides(|o| o.symmetry = Some(Symmetry::Off));
    for (name, filled, listed) in [
        ("salt-by-symbol.cif", counts(&[("Cl", 4), ("Na", 4)]), counts(&[("Cl", 1), ("Na", 1)])),
        ("salt-by-hall-symbol.cif", counts(&[("Cl", 4), ("Na", 4)]), counts(&[("Cl", 1), ("Na", 1)])),
        ("quartz-by-operators.cif", counts(&[("O", 6), ("Si", 3)]), counts(&[("O", 1), ("Si", 1)])),
        ("shared-sites.cif", counts(&[("Mg", 4), ("Si", 4)]), counts(&[("Fe", 1), ("Mg", 1), ("Si", 1)])),
    ] {
        assert_eq!(elements(name, &LoadOptions::default()), filled, "{name}");
        assert_eq!(elements(name, &off), listed, "{name}");
        assert!(load(small(name), &off).expect(name).notes.is_empty(), "{name}");
    }
    assert_eq!(
        notes("salt-by-symbol.cif"),
        [
            "salt-by-symbol.cif: the cell is filled by 192 operators of F m -3 m: 8 atoms from 2; --symmetry off draws those listed"
        ]
    );
    assert!(notes("shared-sites.cif")[0].contains("of atoms at the same place one is drawn (4 left out)"));
    assert_eq!(
        notes("unknown-group.cif"),
        ["unknown-group.cif: the space group \"Q 17\" is not known; atoms are drawn as they are listed"]
    );
    let copies = overrides(|o| o.replicate = Some([2, 1, 3]));
    assert_eq!(describe(small("salt-by-symbol.cif"), &copies).expect("a cell").spheres, 48);
    let folder = Folder::new();
    let scene = |symmetry: &str| {
        let file = small("salt-by-symbol.cif");
        format!("[camera]\nwidth = 9\nheight = 9\n[[spheres]]\nfile = {file:?}\nsymmetry = {symmetry:?}\n")
    };
    assert_eq!(only_spheres(&folder.spheres("a.toml", scene("off"), &LoadOptions::default())).len(), 2);
    assert_eq!(only_spheres(&folder.spheres("b.toml", scene("cell"), &LoadOptions::default())).len(), 8);
    let message = folder.refusal("c.toml", scene("on"));
    assert!(message.contains("must be a way to draw crystals, got \"on\" (ways: cell, off)"), "{message}");
    let message = folder.refusal_with("m.pdb", PDB, &off);
    assert!(message.starts_with("symmetry is for crystals in CIF; "), "{message}");
}

#[test]
fn cif_of_a_chemical_component_is_read() {
    assert_eq!(elements("component.cif", &LoadOptions::default()), counts(&[("C", 2), ("N", 1), ("O", 1)]));
    let scene = files::spheres(&small("component.cif"), &LoadOptions::default());
    assert_eq!(centers(&scene)[0], [25.463, 35.609, 47.047], "the model's places count more than ideal ones");
    assert_eq!(elements("component-of-one-atom.cif", &LoadOptions::default()), counts(&[("Zn", 1)]));
}

#[test]
fn mmcif_chains_are_those_of_the_authors() {
    let both = describe(small("chains-of-both-names.cif"), &LoadOptions::default()).expect("atoms");
    assert_eq!(both.sources[0].chains, ["R", "L"]);
    let spheres = |selection: &str| {
        let only = overrides(|o| o.only = Some(selection.into()));
        describe(small("chains-of-both-names.cif"), &only).expect(selection).spheres
    };
    assert_eq!([spheres("chain R"), spheres("label_chain A"), spheres("label_chain C")], [2, 1, 1]);
    let scene = files::spheres(&small("chains-of-both-names.cif"), &LoadOptions::default());
    let parts = &scene.groups[0].parts;
    assert!(parts[0] == parts[1] && parts[1] != parts[2], "lines stand between chains R and L: {parts:?}");
    let one = describe(small("chains-of-one-name.cif"), &LoadOptions::default()).expect("atoms");
    assert_eq!(one.sources[0].chains, ["A", "B", "C"]);
    assert!(one.sources[0].columns.contains(&"chain".to_owned()), "a name that all selections accept");
}

/// Spheres with all their copies.
pub(crate) fn scene_spheres(scene: &Scene<'_>) -> usize {
    match scene {
        Scene::Circles(_) => 0,
        Scene::Spheres(scene) => scene.groups.iter().map(|group| group.spheres.len() * group.poses.len()).sum(),
    }
}
