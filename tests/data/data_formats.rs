//! Data formats other than tables, XYZ and PDB: the same rows from each format, and the messages for broken files.

use crate::files::{self, Folder, PDB, XYZ, centers, color, npy, only_spheres, overrides, sample, shared, small};
use roundel::io::{AtomStyle, Description, Format, LoadOptions, Symmetry, describe, load, read_scene};
use roundel::spheres::{PaintedSphere, SphereScene};
use roundel::{Budget, Scene};

fn spheres(folder: &Folder, name: &str, sample_name: &str, overrides: &LoadOptions) -> SphereScene<'static> {
    folder.spheres(name, sample(sample_name), overrides)
}

fn described(folder: &Folder, name: &str, sample_name: &str) -> Description {
    describe(folder.file(name, sample(sample_name)), &LoadOptions::default()).expect(name)
}

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

fn elements(name: &str, overrides: &LoadOptions) -> Vec<(String, u64)> {
    let mut elements = describe(small(name), overrides).expect(name).sources[0].elements.clone();
    elements.sort();
    elements
}

fn counts(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|&(symbol, count)| (symbol.to_owned(), count)).collect()
}

/// The notes about a small file, without its folder.
fn notes(name: &str) -> Vec<String> {
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

#[test]
fn values_that_cannot_be_read_are_missing_and_uncertainties_are_no_part_of_numbers() {
    let description = describe(small("uncertain-columns.cif"), &LoadOptions::default()).expect("atoms");
    let range =
        |name: &str| description.sources[0].ranges.iter().find(|(known, _)| known == name).map(|(_, range)| *range);
    let near = |found: Option<[f64; 2]>, expected: [f64; 2]| {
        found.is_some_and(|found| (0..2).all(|end| (found[end] - expected[end]).abs() < 1e-6))
    };
    assert!(near(range("u_iso"), [0.0229; 2]), "{:?}", range("u_iso"));
    assert!(near(range("occupancy"), [0.5, 1.0]), "{:?}", range("occupancy"));
    let by_column = overrides(|o| o.color_by = Some("occupancy".into()));
    load(small("uncertain-columns.cif"), &by_column).expect("numbers");
    let description = describe(small("unreadable-columns.pdb"), &LoadOptions::default()).expect("atoms");
    assert!(description.sources[0].ranges.iter().all(|(name, _)| name != "b_factor"));
}

#[test]
fn values_that_are_no_numbers_are_missing_in_every_format() {
    let folder = Folder::new();
    let words = ["nan", "inf", "-inf", "NaN", "****", "*****", "0.5"];
    let rows = |row: &dyn Fn(usize, &str) -> String| -> String {
        words.iter().enumerate().map(|(index, word)| row(index, word)).collect()
    };
    let pdb = rows(&|index, word| {
        format!("ATOM  {index:>5}  C   LIG A   1    {index:>8.3}   0.000   0.000{word:>6}{word:>6}           C\n")
    });
    let xyz = rows(&|index, word| format!("C {index} 0 0 {word} {word}\n"));
    let xyz = format!("7\nProperties=species:S:1:pos:R:3:charge:R:1:q:R:1\n{xyz}");
    let gro = rows(&|index, word| {
        format!("    1LIG      C{index:>5}{:>8.3}   0.000   0.000{word:>8}{word:>8}  0.5000\n", 0.1 * index as f64)
    });
    let dump = rows(&|index, word| format!("{index} 1 {index} 0 0 {word} {word}\n"));
    let dump = format!(
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n7\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id type x y z a b\n{dump}"
    );
    for (name, content, columns) in [
        ("a.pdb", format!("{pdb}END\n"), ["occupancy", "b_factor"]),
        ("a.xyz", xyz, ["charge", "q"]),
        ("a.gro", format!("t\n    7\n{gro}   2 2 2\n"), ["vx", "vy"]),
        ("a.dump", dump, ["a", "b"]),
    ] {
        let path = folder.file(name, content);
        for column in columns {
            let description = describe(&path, &LoadOptions::default()).expect(name);
            let ranges = &description.sources[0].ranges;
            let range = ranges.iter().find(|(known, _)| known == column).map(|(_, range)| *range);
            let unit = if name == "a.gro" { 5.0 } else { 0.5 };
            assert!(range.is_some_and(|range| range == [unit; 2]), "{name} {column}: {range:?}");
            let by_column = overrides(|o| o.color_by = Some(column.into()));
            load(&path, &by_column).unwrap_or_else(|error| panic!("{name} {column}: {error}"));
            let above = overrides(|o| o.only = Some(format!("{column} > 0")));
            assert_eq!(read_scene(&path, &above).map(|scene| scene_spheres(&scene)).expect(name), 1, "{name} {column}");
        }
    }
}

#[test]
fn pdb_elements_are_told_from_names_of_force_fields() {
    let expected = counts(&[
        ("C", 5),
        ("Cl", 1),
        ("H", 1),
        ("N", 4),
        ("Na", 2),
        ("O", 1),
        ("P", 1),
        ("S", 1),
        ("Se", 1),
        ("Zn", 1),
    ]);
    assert_eq!(elements("force-field-names.pdb", &LoadOptions::default()), expected);
}

#[test]
fn pdb_virtual_sites_are_left_out_and_cells_behind_atoms_count() {
    assert_eq!(elements("virtual-sites.pdb", &LoadOptions::default()), counts(&[("H", 2), ("O", 2)]));
    assert!(notes("virtual-sites.pdb").contains(&"virtual-sites.pdb: 3 virtual sites are not drawn".to_owned()));
    for name in ["cell-behind-atoms.pdb", "cell-after-atoms.pdb"] {
        let cell = describe(small(name), &LoadOptions::default()).expect(name).sources[0].cell.expect(name);
        assert!((cell.lengths[2] - 12.0).abs() < 1e-9, "{name}");
        let copies = overrides(|o| o.replicate = Some([2, 1, 1]));
        assert_eq!(read_scene(small(name), &copies).map(|scene| scene_spheres(&scene)).expect(name), 4, "{name}");
    }
    let cell = describe(small("huge-box.gro"), &LoadOptions::default()).expect("atoms").sources[0].cell;
    assert!(cell.is_some_and(|cell| cell.lengths.iter().all(|length| (length - 4e5).abs() < 1e-6)), "{cell:?}");
}

/// Spheres with all their copies.
fn scene_spheres(scene: &Scene<'_>) -> usize {
    match scene {
        Scene::Circles(_) => 0,
        Scene::Spheres(scene) => scene.groups.iter().map(|group| group.spheres.len() * group.poses.len()).sum(),
    }
}

#[test]
fn gro_is_drawn_in_angstrom() {
    let folder = Folder::new();
    let found = only_spheres(&spheres(&folder, "w.gro", "gro/water.gro", &LoadOptions::default()));
    let expected = [
        // balls of a quarter of the radius
        ([1.26, 16.24, 16.79], 0.38, "#ff0d0d"),
        ([1.9, 16.61, 17.47], 0.3, "#ffffff"),
        ([1.77, 15.68, 16.13], 0.3, "#ffffff"),
    ];
    let expected = expected.map(|(center, radius, text)| PaintedSphere { center, radius, color: color(text) });
    assert_eq!(found, expected);
    let description = described(&folder, "w.gro", "gro/water.gro");
    assert_eq!((description.format, description.sources[0].models), (Format::Gro, 2));
    let ion = only_spheres(&spheres(&folder, "w.gro", "gro/water.gro", &overrides(|o| o.frame = Some(1))));
    assert_eq!((ion[0].center, ion[0].color), ([1.0, 2.0, 3.0], color("#ab5cf2")));
    let cut = String::from_utf8(sample("gro/water.gro")).expect("text").replace("0.190", "0.l90");
    assert!(folder.refusal("w.gro", &cut).starts_with("w.gro:4: must be an atom in GROMACS' columns, got "));
    assert_eq!(
        folder.refusal_with("w.gro", sample("gro/water.gro"), &overrides(|o| o.frame = Some(2))),
        "frame 2 is not in w.gro, which has frames 0 to 1"
    );
}

#[test]
fn lammps_dump_is_scaled_by_its_leaning_box() {
    let folder = Folder::new();
    let scene = spheres(&folder, "d.dump", "lammps-dump/scaled.dump", &LoadOptions::default());
    // the file states the bounding box of the tilted box: its own x runs from −1 to 8, and y = 4 shifts it by 1
    assert_eq!(centers(&scene), [[-1.0, 0.0, 0.0], [4.0, 2.0, 1.0]]);
    assert_eq!(only_spheres(&scene)[1].color, color("#ff0d0d"), "the column of elements is used");
    let by_charge =
        spheres(&folder, "d.dump", "lammps-dump/scaled.dump", &overrides(|o| o.color_by = Some("q".into())));
    // charges of both signs, around zero
    assert_eq!(only_spheres(&by_charge).iter().map(|s| s.color).collect::<Vec<_>>(), ["#3b4cc0", "#f4997a"].map(color));
    let description = described(&folder, "d.dump", "lammps-dump/scaled.dump");
    assert_eq!((description.format, description.sources[0].models), (Format::LammpsDump, 2));
    assert_eq!(description.sources[0].cell.expect("a box").lengths[0], 9.0);
    let text = String::from_utf8(sample("lammps-dump/scaled.dump")).expect("text");
    assert_eq!(
        folder.refusal(
            "d.dump",
            text.replacen("\n2\nITEM: BOX", "\n3\nITEM: BOX", 1).split("ITEM: TIMESTEP\n10").next().expect("a frame")
        ),
        "d.dump:11: 3 atoms are promised, but the file ends after 2"
    );
}

#[test]
fn lammps_data_is_read_by_its_style() {
    let folder = Folder::new();
    let named = String::from_utf8(sample("lammps-data/full.data")).expect("text");
    let guessed = named.replace("Atoms # full", "Atoms");
    for (name, text) in [("named.data", named), ("guessed.data", guessed)] {
        let scene = folder.spheres(name, text, &overrides(|o| o.color_by = Some("charge".into())));
        assert_eq!(centers(&scene), [[1.0, 2.0, 3.0], [1.5, 2.0, 3.0]], "{name}");
    }
}

#[test]
fn lammps_data_is_read_by_what_its_atoms_allow() {
    let folder = Folder::new();
    let data = |types: u32, atoms: &str| {
        let count = atoms.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())).count();
        format!("made\n\n{count} atoms\n{types} atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms\n\n{atoms}")
    };
    for (text, expected) in [
        ("# id type x y z\n\n1 1 0.5 2 3\n", [0.5, 2.0, 3.0]),
        ("1 1 1 0 0.5 2 3\n2 1 1 -1 1 1 1\n", [0.5, 2.0, 3.0]),
        ("1 1 0 0.5 2 3\n", [0.5, 2.0, 3.0]),
        ("1 1 0.5 2 3 0 0 -1\n", [0.5, 2.0, 3.0]),
        ("1 1 -1 0.5 2 3 0 0 0\n", [0.5, 2.0, 3.0]),
    ] {
        assert_eq!(centers(&folder.spheres("a.data", data(1, text), &LoadOptions::default()))[0], expected, "{text}");
    }
    let charged = data(1, "1 1 1 0 0.5 2 3\n2 1 1 -1 1 1 1\n");
    let columns = folder.source("a.data", charged).columns;
    assert_eq!(columns, ["id", "molecule", "type", "charge", "x", "y", "z"]);
    let either = folder.file("a.data", data(1, "1 1 1 0.5 2 3\n"));
    let notes = load(&either, &LoadOptions::default()).expect("read").notes;
    assert!(notes.iter().any(|note| note.contains("taken to be molecular, but may be charge")), "{notes:?}");
    let message = folder.refusal("a.data", data(1, "1 1 1 1 1 1 1 1 1 1 1 1 1\n"));
    assert!(message.starts_with("a.data:11: the atom style is not known from"), "{message}");
}

#[test]
fn lammps_dump_with_more_fields_than_names_is_refused() {
    let folder = Folder::new();
    let dump = |row: &str| {
        format!(
            "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id type x y z\n1 1 1 2 3\n{row}\n"
        )
    };
    let found = folder.spheres("a.dump", dump("2 1 4 5 6  \t"), &LoadOptions::default());
    assert_eq!(centers(&found), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(folder.refusal("a.dump", dump("2 1 7 4 5 6")), "a.dump:11: must have 5 fields, got 6");
}

#[test]
fn ply_may_have_lists_in_vertices_and_lines_that_are_no_comments() {
    let folder = Folder::new();
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment made\nCreated by a scanner\nelement vertex 2\nproperty float x\nproperty list uchar int near\nproperty float y\nproperty float z\nend_header\n"
        )
    };
    let text = header("ascii") + "1 2 8 9 2 3\n4 0 5 6\n";
    let mut little = header("binary_little_endian").into_bytes();
    for (x, near, y, z) in [(1.0_f32, &[8_i32, 9][..], 2.0_f32, 3.0_f32), (4.0, &[], 5.0, 6.0)] {
        little.extend(x.to_le_bytes());
        little.push(u8::try_from(near.len()).expect("a few"));
        little.extend(near.iter().flat_map(|index| index.to_le_bytes()));
        little.extend([y, z].iter().flat_map(|value| value.to_le_bytes()));
    }
    for file in [text.as_bytes(), &little] {
        let path = folder.file("a.ply", file);
        let loaded = load(&path, &LoadOptions::default()).expect("read");
        let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
        assert_eq!(centers(scene), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert!(loaded.notes[0].ends_with("a.ply:4: a line of the header that is no comment is passed over"));
        let columns = describe(&path, &LoadOptions::default()).expect("read").sources.remove(0).columns;
        assert_eq!(columns, ["x", "y", "z"], "a list is no column");
    }
    let cut = folder.refusal("a.ply", &little[..little.len() - 3]);
    assert!(cut.contains("the file ends in the middle of a vertex"), "{cut}");
    assert!(folder.refusal("a.ply", text.replace("4 0 5 6", "4 two 5 6")).starts_with("a.ply:12: "));
}

#[test]
fn xyz_lattice_may_have_commas() {
    let folder = Folder::new();
    let text = "1\nLattice=\"9, 0,0, 0,8,0 0,0,7\" pbc=\"T,T,F\" Properties=species:S:1:pos:R:3\nH 1 2 3\n";
    let cell = folder.source("a.xyz", text).cell;
    assert_eq!(cell.expect("a box").lengths, [9.0, 8.0, 7.0]);
}

#[test]
fn tinker_files_are_known_by_content() {
    let folder = Folder::new();
    let frame = |x: u32| {
        format!(
            "     3  a title\n  18.6 18.6 18.6 90.0 90.0 90.0\n  1  OW {x}.0 2.0 3.0 1 2 3\n  2  HW 1.5 2.5 3.5 2 1\n  3  Na+ 9.0 9.0 9.0 7\n"
        )
    };
    let text = frame(1) + &frame(5);
    // the extension of XYZ, of Tinker's archives, and none
    for name in ["a.xyz", "a.arc", "a"] {
        let scene = folder.spheres(name, &text, &LoadOptions::default());
        assert_eq!(centers(&scene), [[1.0, 2.0, 3.0], [1.5, 2.5, 3.5], [9.0; 3]], "{name}");
        let colors: Vec<_> = only_spheres(&scene).iter().map(|sphere| sphere.color).collect();
        assert_eq!(colors, ["#ff0d0d", "#ffffff", "#ab5cf2"].map(color), "oxygen, hydrogen, sodium");
        let second = folder.spheres(name, &text, &overrides(|o| o.frame = Some(1)));
        assert_eq!(centers(&second)[0], [5.0, 2.0, 3.0]);
        let source = folder.source(name, &text);
        assert_eq!((source.models, source.cell.expect("a box").lengths), (2, [18.6; 3]));
        assert_eq!(
            folder.refusal_with(name, &text, &overrides(|o| o.frame = Some(2))),
            format!("frame 2 is not in {name}, which has frames 0 to 1")
        );
    }
}

#[test]
fn point_clouds_may_be_named_xyz() {
    let folder = Folder::new();
    for (text, columns) in [
        ("1 2 3\n4 5 6\n", &["x", "y", "z"][..]),
        ("1.0,2.0,3.0,255,0,0\n4,5,6,0,0,255\n", &["x", "y", "z", "red", "green", "blue"]),
        ("1 2 3 0 0 1 0.5\n4 5 6 0 0 1 0.25\n", &["x", "y", "z", "nx", "ny", "nz", "7"]),
    ] {
        let path = folder.file("scan.xyz", text);
        let found = describe(&path, &LoadOptions::default()).expect(text);
        assert_eq!(
            (found.format, found.sources[0].columns.as_slice()),
            (Format::PointCloud, columns.iter().map(|&name| name.to_owned()).collect::<Vec<_>>().as_slice())
        );
        let scene = files::spheres(&path, &LoadOptions::default());
        assert_eq!(centers(&scene), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    }
}

#[test]
fn tables_may_end_lines_with_carriage_returns() {
    let folder = Folder::new();
    let expected = folder.spheres("a.csv", "x,y,z\n1,2,3\n4,5,6\n", &LoadOptions::default());
    assert_eq!(folder.spheres("a.csv", "x,y,z\r1,2,3\r4,5,6\r", &LoadOptions::default()), expected);
    let long: String = (0..60_000).map(|row| format!("{row},0,0\r")).collect();
    let found = folder.spheres("a.csv", format!("x,y,z\r{long}"), &LoadOptions::default());
    assert_eq!((centers(&found).len(), centers(&found)[59_999]), (60_000, [59_999.0, 0.0, 0.0]));
}

#[test]
fn numbers_that_are_not_finite_are_missing_and_counted() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "x,y,z,q\n1,2,3,nan\n4,5,6,1\nnan,0,0,2\n7,8,9,-inf\n1,1,Inf,3\n2,2,2,Infinity\n");
    for by in [None, Some("q".into())] {
        let counts_values = by.is_some();
        let loaded = load(&path, &overrides(|o| o.color_by = by)).expect("read");
        let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
        assert_eq!(centers(scene), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [2.0; 3]]);
        let notes = loaded.notes.join("\n");
        assert!(notes.contains("a.csv: 2 rows have no coordinates and are left out"), "{notes}");
        let counted = notes.contains("a.csv: 3 of 4 rows have no number in q and are grey");
        assert!(counted == counts_values, "{notes}");
    }
    assert_eq!(describe(&path, &LoadOptions::default()).expect("read").spheres, 4, "info agrees");
    // other text is still a mistake
    assert!(folder.refusal("b.csv", "x,y,z\n1,2,3\n1,2,infinite\n").contains("must be a finite number"));
}

#[test]
fn gromacs_ions_are_no_nitrogen() {
    let folder = Folder::new();
    let text = "ions\n    3\n    1NA+     NA    1   0.100   0.200   0.300\n    2ION    NA+    2   0.400   0.500   0.600\n    3ION     CL    3   0.700   0.800   0.900\n   2.0   2.0   2.0\n";
    let found = folder.source("a.gro", text).elements;
    assert_eq!(found, [("Na".to_owned(), 2), ("Cl".to_owned(), 1)]);
}

#[test]
fn ply_is_read_as_text_and_in_both_byte_orders() {
    let folder = Folder::new();
    let ascii = only_spheres(&spheres(&folder, "a.ply", "ply/ascii.ply", &LoadOptions::default()));
    let found: Vec<_> = ascii.iter().map(|sphere| (sphere.center, sphere.color)).collect();
    assert_eq!(found, [([0.0, 0.5, -10.0], color("#ff0000")), ([1.0, 2.0, 3.0], color("#0080ff"))]);
    for name in ["ply/little.ply", "ply/big.ply"] {
        let found = only_spheres(&spheres(&folder, "b.ply", name, &LoadOptions::default()));
        let found: Vec<_> = found.iter().map(|sphere| (sphere.center, sphere.radius)).collect();
        assert_eq!(found, [([1.0, 2.0, 3.0], 0.5), ([4.0, 5.0, 6.0], 0.25)], "{name}: faces are passed over");
    }
    let mut cut = sample("ply/little.ply");
    let whole = cut.len();
    cut.truncate(whole - 1);
    let message = format!("b.ply: byte {}: the header promises 2 vertices, but the file ends after 1", whole - 24);
    assert_eq!(folder.refusal("b.ply", &cut), message);
    let text = String::from_utf8(sample("ply/ascii.ply")).expect("text");
    assert_eq!(
        folder.refusal("a.ply", text.replace("1 2 3 0", "1 2 3 q")),
        "a.ply:15: red must be a number, got \"q\""
    );
    assert_eq!(
        folder.refusal("a.ply", text.replace("vertex 2", "vertex 99999999999")),
        "a.ply: the header promises 99999999999 vertices, over the limit of 268435456 shapes"
    );
}

#[test]
fn npy_is_read_plain_and_structured() {
    let folder = Folder::new();
    let plain = spheres(&folder, "a.npy", "npy/plain.npy", &LoadOptions::default());
    assert_eq!(centers(&plain), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]);
    let big = only_spheres(&spheres(&folder, "b.npy", "npy/big.npy", &LoadOptions::default()));
    assert_eq!((big[0].center, big[0].radius, big[1].radius), ([0.0, 1.0, 2.0], 0.5, 0.0), "no radius draws nothing");
    let by_kind = overrides(|o| o.color_by = Some("kind".into()));
    let structured = only_spheres(&spheres(&folder, "c.npy", "npy/structured.npy", &by_kind));
    let found: Vec<_> = structured.iter().map(|sphere| (sphere.center, sphere.radius, sphere.color)).collect();
    assert_eq!(found, [([1.0, 2.0, 3.0], 0.5, color("#440154")), ([4.0, 5.0, 6.0], 0.25, color("#fde725"))]);
    let mut cut = sample("npy/plain.npy");
    cut.truncate(cut.len() - 5);
    assert_eq!(folder.refusal("a.npy", &cut), "a.npy: byte 152: the header promises 3 rows, but the file ends after 2");
    let mut infinite = sample("npy/plain.npy");
    let end = infinite.len();
    infinite[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let message = "a.npy: byte 152: the position must be finite, and between -3.4e38 and 3.4e38";
    assert_eq!(folder.refusal("a.npy", &infinite), message);
}

/// Files that MDAnalysis wrote, with the positions that it reads from them.
#[test]
fn trajectories_are_read_as_mdanalysis_reads_them() {
    let folder = Folder::new();
    let first = [[10.236, 19.009, 2.883], [11.196, 19.009, 2.883], [9.996, 19.939, 2.883], [5.298, 4.143, 19.399]];
    let second = [[10.321, 2.317, 12.47], [11.281, 2.317, 12.47], [10.081, 3.247, 12.47], [16.986, 18.461, 9.438]];
    // XTC stores hundredths of an ångström
    for (name, sample_name, precision) in [("w.xtc", "xtc/water.xtc", 0.0051), ("w.dcd", "dcd/water.dcd", 0.0006)] {
        for (frame, expected) in [(0, first), (1, second)] {
            let found = centers(&spheres(&folder, name, sample_name, &overrides(|o| o.frame = Some(frame))));
            assert_eq!(found.len(), 30);
            for (atom, expected) in [0, 1, 2, 29].into_iter().zip(expected) {
                let near = |axis: usize| (found[atom][axis] - expected[axis]).abs() < precision;
                assert!((0..3).all(near), "{name}, frame {frame}, atom {atom}: {:?} and {expected:?}", found[atom]);
            }
        }
        let description = described(&folder, name, sample_name);
        let cell = description.sources[0].cell.expect("a box");
        assert_eq!((description.sources[0].records, description.sources[0].models), (30, 2));
        let expected = [20.0, 25.0, 30.0, 90.0, 90.0, 75.0];
        let found = cell.lengths.into_iter().chain(cell.angles);
        assert!(found.zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-4), "{name}: {cell:?}");
        let no_frame = folder.refusal_with(name, sample(sample_name), &overrides(|o| o.frame = Some(2)));
        assert_eq!(no_frame, format!("frame 2 is not in {name}, which has frames 0 to 1"));
        let mut cut = sample(sample_name);
        cut.truncate(cut.len() / 2 - 40);
        let message = folder.refusal(name, &cut);
        assert!(
            message.starts_with(&format!("{name}: byte ")) && message.contains("the file ends in the middle"),
            "{message}"
        );
    }
    let few = centers(&spheres(&folder, "few.xtc", "xtc/three.xtc", &LoadOptions::default()));
    assert_eq!(few, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, 0.5, 20.0]], "few atoms are not compressed");
}

/// A DCD file with this title: three atoms, `fixed` of them fixed, and two frames. Record lengths take `mark` bytes, 4 or
/// 8.
fn dcd(mark: usize, fixed: u32, title: (&[u8], u64), box_numbers: [f64; 6]) -> Vec<u8> {
    let mut file = Vec::new();
    let record = |file: &mut Vec<u8>, length: u64, content: &[u8]| {
        file.extend(&length.to_le_bytes()[..mark]);
        file.extend(content);
        file.extend(&length.to_le_bytes()[..mark]);
    };
    let mut header = [0_u32; 20];
    (header[0], header[8], header[10], header[19]) = (2, fixed, 1, 36);
    let header = [b"CORD".to_vec(), header.iter().flat_map(|number| number.to_le_bytes()).collect()].concat();
    record(&mut file, 84, &header);
    record(&mut file, title.1, title.0);
    record(&mut file, 4, &3_u32.to_le_bytes());
    if fixed > 0 {
        record(&mut file, 4, &2_u32.to_le_bytes());
    }
    let cell: Vec<u8> = box_numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let second: &[f32] = if fixed > 0 { &[9.0] } else { &[7.0, 9.0, 8.0] };
    for places in [&[1.0_f32, 2.0, 3.0][..], second] {
        record(&mut file, 48, &cell);
        for _ in 0..3 {
            let bytes: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
            record(&mut file, bytes.len() as u64, &bytes);
        }
    }
    file
}

#[test]
fn dcd_of_every_writer_is_read() {
    let folder = Folder::new();
    let cube = [20.0, 0.0, 20.0, 0.0, 0.0, 20.0];
    let line = |lines: u32, bytes: usize| [lines.to_le_bytes().to_vec(), vec![b'x'; bytes]].concat();
    let plain = (line(1, 80), 84);
    // an odd length; a record length of three lines for two, and of two for three
    for (mark, title) in [
        (4, &plain),
        (8, &plain),
        (4, &(line(1, 61), 65)),
        (8, &(line(0, 0), 4)),
        (4, &(line(2, 160), 244)),
        (4, &(line(3, 240), 164)),
    ] {
        let file = dcd(mark, 0, (&title.0, title.1), cube);
        for (frame, expected) in [(0, [1.0, 2.0, 3.0]), (1, [7.0, 9.0, 8.0])] {
            let found = folder.spheres("a.dcd", &file, &overrides(|o| o.frame = Some(frame)));
            assert_eq!(centers(&found), expected.map(|place| [place; 3]), "{mark} bytes, title of {}", title.1);
        }
        let source = folder.source("a", &file);
        assert_eq!((source.models, source.cell.expect("a box").lengths), (2, [20.0; 3]));
    }
    let fixed = dcd(4, 2, (&plain.0, plain.1), cube);
    for (frame, expected) in [(0, [1.0, 2.0, 3.0]), (1, [1.0, 9.0, 3.0])] {
        let found = folder.spheres("fixed.dcd", &fixed, &overrides(|o| o.frame = Some(frame)));
        assert_eq!(centers(&found), expected.map(|place| [place; 3]), "atom 2 moves");
    }
    assert_eq!(folder.source("fixed.dcd", &fixed).models, 2);
    // CHARMM's symmetric matrix of edges
    let matrix = [30.841_836, 14.578_635, 31.780_088, 9.626_323, -2.608_150, 32.670_090];
    let file = dcd(4, 0, (&plain.0, plain.1), matrix);
    let cell = folder.source("c36.dcd", &file).cell.expect("a box");
    let expected = [35.446, 35.062, 34.159, 91.328, 61.735, 44.407];
    let near =
        cell.lengths.iter().chain(&cell.angles).zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-3);
    assert!(near, "as MDAnalysis reads its tip125_tric_C36.dcd: {cell:?}");
    let wrong = dcd(4, 5, (&plain.0, plain.1), cube);
    assert!(folder.refusal("a.dcd", &wrong).ends_with("5 fixed atoms must be among the 3 atoms"));
}

#[test]
fn compressed_files_are_known_by_content() {
    let folder = Folder::new();
    let plain = folder.spheres("t.csv", "x,y,z\n1,2,3\n4,5,6\n7,8,9\n", &LoadOptions::default());
    for name in ["t.csv.gz", "t.csv", "t"] {
        assert_eq!(spheres(&folder, name, "compressed/table.csv.gz", &LoadOptions::default()), plain, "{name}");
    }
    for name in ["compressed/table.csv.bz2", "compressed/table.csv.zst"] {
        let scene = spheres(&folder, "u.csv", name, &LoadOptions::default());
        assert_eq!(centers(&scene), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "{name}");
    }
    let mut cut = sample("compressed/table.csv.gz");
    cut.truncate(40);
    assert!(folder.refusal("t.csv.gz", &cut).starts_with("cannot read t.csv.gz: "));
}

#[test]
fn decompressed_bytes_count_against_the_budget() {
    let folder = Folder::new();
    let small = overrides(|o| o.budget = Budget { memory: 12, ..Budget::default() });
    let message = folder.refusal_with("t.csv.gz", sample("compressed/table.csv.gz"), &small);
    assert_eq!(message, "t.csv.gz: has more than 12 bytes when decompressed, over the limit of 12 bytes");
}

#[test]
fn rows_without_coordinates_are_left_out_and_said() {
    let folder = Folder::new();
    let path = folder.file("t.csv", "x,y\n1,2\n3,\nNA,4\n5,6\n");
    let loaded = load(&path, &LoadOptions::default()).expect("two places");
    let notes: Vec<_> = loaded.notes.iter().map(|note| note.replace(&*path.to_string_lossy(), "t.csv")).collect();
    assert_eq!(notes, ["t.csv: 2 rows have no coordinates and are left out"]);
    assert_eq!(describe(&path, &LoadOptions::default()).expect("two places").circles, 2);
}

#[test]
fn format_that_is_named_counts_more_than_name_and_content() {
    let folder = Folder::new();
    let csv = overrides(|o| o.format = Some(Format::Csv));
    let spheres = folder.spheres("t.xyz", "x,y,z\n1,2,3\n", &csv);
    assert_eq!(centers(&spheres), [[1.0, 2.0, 3.0]]);
    assert_eq!("lammpstrj".parse::<Format>().expect("a format"), Format::LammpsDump);
    let message = "csvv".parse::<Format>().expect_err("no format").to_string();
    assert!(message.starts_with("format must be a format, got \"csvv\"; did you mean \"csv\"?"), "{message}");
}

#[test]
fn formats_that_are_not_read_get_advice() {
    let folder = Folder::new();
    assert_eq!(
        folder.refusal("a.cml", "<molecule/>"),
        "a.cml: this format of molecules is not supported; convert it to .pdb or .xyz, as with Open Babel"
    );
    assert!(folder.refusal("a.maegz", "{\n  s_m_m2io_version\n").contains("a Maestro file is not supported"));
    assert!(folder.refusal("a", b"\x89HDF\r\n\x1a\n\0\0\0\0").starts_with("a: the file is damaged: "));
}

#[test]
fn shared_files_of_every_format_are_drawn() {
    for (name, atoms) in [
        ("1M4X.cif", 9_693),
        ("3SN6.cif", 10_274),
        ("popc.gro", 63_565),
        // without the 11,084 virtual sites of its water
        ("adk_oplsaa.gro", 36_597),
        ("albite_triclinic.dump", 17),
        ("airports.csv", 3_376),
    ] {
        let Some(path) = shared(name) else { continue };
        let all = overrides(|o| o.hide = Some("none".into()));
        let description = describe(&path, &all).expect(name);
        assert_eq!(description.sources[0].records, atoms, "{name}");
        let drawn = match read_scene(&path, &all).expect(name) {
            Scene::Circles(_) => description.circles,
            Scene::Spheres(scene) => scene.groups.iter().map(|group| group.spheres.len() as u64).sum(),
        };
        assert_eq!(drawn, atoms, "{name}");
    }
}

#[test]
fn descriptions_for_people_have_ranges_positions_and_cells() {
    let folder = Folder::new();
    let text = described(&folder, "w.gro", "gro/water.gro").to_string();
    for line in [
        "    frames      2, times 0 to 1 every 1 ps",
        "    columns     resid (1 to 1), resname, name, serial (1 to 3), element, vx (-9.045 to 8.085), vy (-26.469 to 3.191), vz \
         (-7.791 to 13.18)",
        "    positions   from 1.260, 15.680, 16.130 to 1.900, 16.610, 17.470",
        "    cell        edges 18.206, 18.206, 18.206, angles 90.000, 90.000, 90.000",
        "    elements    H 2, O 1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line:?} is not in\n{text}");
    }
}

#[test]
fn steps_that_are_taken_for_frames_are_named() {
    let folder = Folder::new();
    let frame = |step: u32| {
        format!(
            "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n\
             ITEM: ATOMS id type x y z fx fy fz\n1 1 1 2 3 0 0 2\n"
        )
    };
    let path = folder.file("t.dump", [0, 1000, 2000].map(frame).concat());
    let refused =
        |frame: &str| load(&path, &overrides(|o| o.frame = frame.parse().ok())).expect_err("refused").to_string();
    let message = refused("2000");
    assert!(message.ends_with("which has frames 0 to 2; step 2000 is frame 2"), "{message}");
    let message = refused("500");
    assert!(message.ends_with("which has frames 0 to 2"), "{message}");
}

#[test]
fn frames_are_counted_from_the_end() {
    let folder = Folder::new();
    let model = |number: u32, x: u32| {
        format!(
            "MODEL     {number:>4}\nATOM      1  N   MET A   1      1{x}.000  12.000  13.000  1.00 20.00           N\nENDMDL\n"
        )
    };
    let models = model(1, 1) + &model(2, 2);
    for (name, content) in [
        ("m.pdb", models.into_bytes()),
        ("w.gro", sample("gro/water.gro")),
        ("w.dcd", sample("dcd/water.dcd")),
        ("w.xtc", sample("xtc/water.xtc")),
    ] {
        let frame = |frame| folder.spheres(name, &content, &overrides(|o| o.frame = Some(frame)));
        assert_eq!((frame(-1), frame(-2)), (frame(1), frame(0)), "{name}");
        assert_ne!(frame(-1), frame(-2), "{name}");
        let refused = folder.refusal_with(name, &content, &overrides(|o| o.frame = Some(-3)));
        assert_eq!(refused, format!("frame -3 is not in {name}, which has frames 0 to 1"));
        let scene = |frame: i64| format!("[[spheres]]\nfile = \"{name}\"\nframe = {frame}\n");
        let [last, second] = [-1, 1].map(|frame| folder.spheres("s.toml", scene(frame), &LoadOptions::default()));
        assert_eq!(last, second, "{name}");
    }
}

#[test]
fn virtual_sites_of_mmcif_and_mol2_are_not_drawn() {
    let folder = Folder::new();
    let rows = [("O", "OW"), ("H", "HW1"), ("H", "HW2"), (".", "MW"), ("EP", "EPW")];
    let row = |(index, (element, name)): (usize, &(&str, &str))| {
        format!("ATOM {} {element} {name} WAT A 1 {index}.0 0.0 0.0\n", index + 1)
    };
    let items = ["group_PDB", "id", "type_symbol", "label_atom_id", "label_comp_id", "label_asym_id", "label_seq_id"];
    let items: Vec<&str> = items.into_iter().chain(["Cartn_x", "Cartn_y", "Cartn_z"]).collect();
    let loop_of = |rows: &str| {
        let items: String = items.iter().map(|item| format!("_atom_site.{item}\n")).collect();
        format!("data_W\nloop_\n{items}{rows}#\n")
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    // files with one row per line are streamed, others read whole
    let wrapped = rows.replace(" WAT", "\nWAT");
    let mol2 = "@<TRIPOS>MOLECULE\nw\n 5 4\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n\
                1 O1 0 0 0 O.3 1 WAT\n2 H1 1 0 0 H 1 WAT\n3 LP1 0 1 0 LP 1 WAT\n4 H2 0 0 1 H 1 WAT\n5 MW 0 0 2 Du 1 WAT\n\
                @<TRIPOS>BOND\n1 1 2 1\n2 1 3 1\n3 1 4 1\n4 1 5 1\n";
    for (name, text, bonds) in
        [("w.cif", loop_of(&rows), None), ("v.cif", loop_of(&wrapped), None), ("w.mol2", mol2.to_owned(), Some(2))]
    {
        let found = describe(folder.file(name, &text), &LoadOptions::default()).expect(name);
        assert_eq!(found.spheres, 3, "{name}");
        assert!(found.notes.iter().any(|note| note.ends_with("2 virtual sites are not drawn")), "{:?}", found.notes);
        assert!(bonds.is_none_or(|bonds| found.bonds == bonds), "{name}: {}", found.bonds);
    }
}

#[test]
fn virtual_sites_of_gromacs_are_not_drawn() {
    let folder = Folder::new();
    let atom = |number: u32, residue: &str, name: &str| {
        format!("{:>5}{residue:<5}{name:>5}{number:>5}{:8.3}{:8.3}{:8.3}\n", 1, f64::from(number) * 0.1, 0.0, 0.0)
    };
    let atoms =
        [atom(1, "SOL", "OW"), atom(2, "SOL", "HW1"), atom(3, "SOL", "HW2"), atom(4, "SOL", "MW"), atom(5, "XX", "MW")];
    let text = format!("water\n    5\n{}   2.0   2.0   2.0\n", atoms.concat());
    let found = describe(folder.file("w.gro", &text), &LoadOptions::default()).expect("read");
    assert_eq!(found.sources[0].records, 3);
    assert!(found.notes[0].ends_with("w.gro: 2 virtual sites are not drawn"), "{:?}", found.notes);
    assert_eq!(
        centers(&folder.spheres("w.gro", &text, &LoadOptions::default())),
        [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]
    );
    let cut = text.replace("    1XX      MW    5   0.500   0.000   0.000\n   2.0   2.0   2.0\n", "");
    assert!(folder.refusal("cut.gro", cut).contains("promises 5 atoms, but the file ends after 4"));
}

#[test]
fn atom_styles_of_lammps_may_be_named() {
    let folder = Folder::new();
    let text = "a\n\n2 atoms\n2 atom types\n\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms\n\n1 1 1 1 1 1 1 1 1 1 1\n2 1 2 2 2 2 2 2 2 2 2\n";
    assert!(folder.refusal("a.data", text).contains("--atom-style names it"));
    let style = |style: &str| overrides(|o| o.atom_style = Some(style.parse().expect(style)));
    assert_eq!(centers(&folder.spheres("a.data", text, &style("full"))), [[1.0; 3], [2.0; 3]]);
    let scene = "[[spheres]]\nfile = \"a.data\"\natom_style = \"full\"\n";
    assert_eq!(centers(&folder.spheres("s.toml", scene, &LoadOptions::default())), [[1.0; 3], [2.0; 3]]);
    // the file's own style counts
    let named = text.replace("Atoms\n", "Atoms # full\n");
    assert_eq!(centers(&folder.spheres("b.data", &named, &style("atomic"))), [[1.0; 3], [2.0; 3]]);
    assert!("fully".parse::<AtomStyle>().unwrap_err().to_string().contains("did you mean \"full\""));
    assert!(folder.refusal_with("a.xyz", XYZ, &style("full")).contains("atom_style is for LAMMPS data"));
}

#[test]
fn trajectories_take_names_from_a_topology() {
    let folder = Folder::new();
    let names = folder.file("names.gro", sample("gro/water.gro"));
    let topology = |path: &std::path::Path| overrides(|o| o.topology = Some(path.display().to_string()));
    let own = describe(&names, &LoadOptions::default()).expect("read").sources.remove(0);
    let trajectory = folder.file("w.trr", sample("trr/water.trr"));
    let found = describe(&trajectory, &topology(&names)).expect("read").sources.remove(0);
    assert_eq!((found.records, &found.elements, &found.columns[..5]), (own.records, &own.elements, &own.columns[..5]));
    let scene = "[[spheres]]\nfile = \"w.trr\"\ntopology = \"names.gro\"\nonly = \"element O\"\n";
    let oxygens = own.elements.iter().find(|(name, _)| name == "O").map(|(_, count)| *count);
    let scene = folder.spheres("s.toml", scene, &LoadOptions::default());
    assert_eq!(Some(only_spheres(&scene).len() as u64), oxygens);
    let other = folder.file("other.pdb", PDB);
    let refused =
        |name: &str, wanted: &LoadOptions| read_scene(folder.0.path().join(name), wanted).expect_err(name).to_string();
    assert!(refused("w.trr", &topology(&other)).contains("must have the atoms of"));
    folder.file("table.csv", "x,y\n1,2\n");
    assert!(refused("table.csv", &topology(&names)).contains("is for trajectories"));
    assert!(refused("w.trr", &topology(&trajectory)).contains("must be a PSF"));
}

#[test]
fn molecules_of_chemists_are_read() {
    let folder = Folder::new();
    for (name, format, frames) in [
        ("glycine.sdf", "sdf", 2),
        ("glycine-v3000.mol", "sdf", 1),
        ("glycine.mol2", "mol2", 2),
        ("glycine.pqr", "pqr", 1),
    ] {
        let found = describe(small(name), &LoadOptions::default()).expect(name).sources.remove(0);
        assert_eq!((found.format.id(), found.records, found.models), (format, 10, frames), "{name}");
        let expected = counts(&[("C", 2), ("H", 5), ("N", 1), ("O", 2)]);
        assert_eq!(elements(name, &LoadOptions::default()), expected, "{name}");
    }
    let plain =
        centers(&folder.spheres("a.sdf", std::fs::read(small("glycine.sdf")).expect("read"), &LoadOptions::default()));
    for name in ["glycine-v3000.mol", "glycine.mol2", "glycine.pqr"] {
        let found = centers(&files::spheres(&small(name), &LoadOptions::default()));
        let distance = found.iter().flatten().zip(plain.iter().flatten()).map(|(a, b)| (a - b).abs());
        assert!(distance.fold(0.0, f32::max) < 2e-3, "{name}");
    }
    // the radii of PQR are drawn, and charges are a column
    let scene = files::spheres(&small("glycine.pqr"), &LoadOptions::default());
    assert_eq!(only_spheres(&scene)[0].radius, 0.25 * 1.824);
    let charged = overrides(|o| o.only = Some("charge > 0.5".into()));
    for name in ["glycine.sdf", "glycine-v3000.mol"] {
        assert_eq!(only_spheres(&files::spheres(&small(name), &charged)).len(), 1, "{name}");
    }
}

#[test]
fn crystals_of_vasp_are_read() {
    let folder = Folder::new();
    let direct =
        "Na Cl\n2.0\n2 0 0\n0 2 0\n0 0 2\nNa Cl\n1 1\nSelective dynamics\nDirect\n0 0 0 T T F\n0.5 0.5 0.25 F F F\n";
    let expected = [[0.0; 3], [2.0, 2.0, 1.0]];
    let older = "Na Cl\n2.0\n2 0 0\n0 2 0\n0 0 2\n1 1\nCartesian\n0 0 0\n1 1 0.5\n";
    let volume = "Na Cl\n-64\n2 0 0\n0 2 0\n0 0 2\nNa Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.25\n";
    for text in [direct, older, volume] {
        let scene = folder.spheres("POSCAR", text, &LoadOptions::default());
        let found = centers(&scene);
        assert!(
            found.iter().flatten().zip(expected.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-5),
            "{text}: {found:?}"
        );
        let source = folder.source("POSCAR", text);
        assert_eq!(source.elements, [("Na".to_owned(), 1), ("Cl".to_owned(), 1)]);
        assert!(source.cell.expect("a cell").lengths.iter().all(|length| (length - 4.0).abs() < 1e-6));
    }
    let head = "salt\n1\n4 0 0\n0 4 0\n0 0 4\nNa Cl\n1 1\n";
    let step = |step: u32| format!("Direct configuration= {step:>5}\n0 0 0\n0.5 0.5 0.{step}\n");
    for steps in [format!("{head}{}{}", step(1), step(2)), format!("{head}{}{head}{}", step(1), step(2))] {
        let z = |frame: i64| centers(&folder.spheres("XDATCAR", &steps, &overrides(|o| o.frame = Some(frame))))[1][2];
        assert_eq!((z(0), z(1), z(-1)), (0.4, 0.8, 0.8));
        assert!(folder.refusal_with("XDATCAR", &steps, &overrides(|o| o.frame = Some(2))).contains("frames 0 to 1"));
    }
    assert!(folder.refusal("POSCAR", &direct[..direct.len() - 22]).contains("2 atoms are promised"));
}

#[test]
fn restarts_of_amber_are_read() {
    for (name, atoms, has_cell) in [("amber.inpcrd", 3, false), ("amber.rst7", 2, false), ("amber-box.rst7", 2, true)] {
        let found = describe(small(name), &LoadOptions::default()).expect(name).sources.remove(0);
        assert_eq!((found.format.id(), found.records, found.cell.is_some()), ("rst7", atoms, has_cell), "{name}");
    }
}

#[test]
fn frames_of_trr_and_netcdf_are_read() {
    let folder = Folder::new();
    for (name, content) in [("w.trr", sample("trr/water.trr")), ("w.nc", sample("netcdf/water.nc"))] {
        let frame = |frame| centers(&folder.spheres(name, &content, &overrides(|o| o.frame = Some(frame))));
        assert_eq!(frame(0), [[1.0, 2.0, 3.0], [1.5, 2.0, 3.0], [1.0, 2.5, 3.0]], "{name}");
        assert_eq!(frame(1), [[2.0, 2.0, 3.0], [2.5, 2.0, 3.0], [2.0, 2.5, 3.0]], "{name}");
        assert_eq!(frame(-1), frame(1), "{name}");
        let found = folder.source(name, &content);
        let lengths = found.cell.expect("a box").lengths;
        assert!(
            found.models == 2 && (0..3).all(|axis| (lengths[axis] - [20.0, 21.0, 22.0][axis]).abs() < 1e-5),
            "{name}"
        );
        let quick = overrides(|o| o.only = Some("vx > 0.5".into()));
        assert_eq!(only_spheres(&folder.spheres(name, &content, &quick)).len(), 2, "{name}");
        assert!(folder.refusal_with(name, &content, &overrides(|o| o.frame = Some(2))).contains("frames 0 to 1"));
        let cut = folder.refusal(name, &content[..content.len() / 2 - 20]);
        assert!(cut.contains("the file ends in the middle of") || cut.contains("is cut short"), "{name}: {cut}");
    }
}

#[test]
fn topologies_name_atoms_and_have_no_positions() {
    let folder = Folder::new();
    let trajectory = folder.file("w.trr", sample("trr/water.trr"));
    for name in ["psf/water.psf", "prmtop/water.prmtop"] {
        let path = folder.file(name.split_once('/').expect("two parts").1, sample(name));
        let wanted = overrides(|o| o.topology = Some(path.display().to_string()));
        let found = describe(&trajectory, &wanted).expect(name).sources.remove(0);
        assert_eq!(found.elements, [("H".to_owned(), 2), ("O".to_owned(), 1)], "{name}");
        assert!(
            ["name", "resname", "charge", "mass"].iter().all(|column| found.columns.iter().any(|name| name == column))
        );
        let listed = overrides(|o| {
            (o.topology, o.bonds) = (Some(path.display().to_string()), Some(roundel::io::BondRule::File));
        });
        assert_eq!(describe(&trajectory, &listed).expect(name).sources.remove(0).bonds, 2, "{name}");
        let alone = read_scene(&path, &LoadOptions::default()).expect_err(name).to_string();
        assert!(alone.contains("has no positions; draw the trajectory, with --topology"), "{alone}");
    }
}

#[test]
fn point_clouds_in_pcd_are_read_in_every_encoding() {
    let folder = Folder::new();
    for name in ["ascii.pcd", "binary.pcd", "compressed.pcd"] {
        let content = sample(&format!("pcd/{name}"));
        let scene = folder.spheres(name, &content, &LoadOptions::default());
        assert_eq!(
            centers(&scene),
            [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]],
            "{name}: the point without a place is left out"
        );
        let colors: Vec<_> = only_spheres(&scene).iter().map(|sphere| sphere.color).collect();
        assert_eq!(colors, ["#ff8000", "#0010ff"].map(color), "{name}");
        let bright = overrides(|o| o.only = Some("intensity > 0.5".into()));
        assert_eq!(only_spheres(&folder.spheres(name, &content, &bright)).len(), 1, "{name}");
        let notes = load(folder.file(name, &content), &LoadOptions::default()).expect(name).notes;
        assert!(notes[0].contains("1 row has no coordinates"), "{name}");
        let cut = folder.refusal(name, &content[..content.len() - 12]);
        assert!(cut.contains("the file ends") || cut.contains("must have 5 numbers"), "{name}: {cut}");
    }
}

#[test]
fn frames_of_hdf5_are_read() {
    let folder = Folder::new();
    // h5py wrote these: chunks in gzip with shuffle; the latest layout, large endian; AMBER's variables; half floats
    for (name, unit) in [("box.h5md", "ps"), ("names.h5md", ""), ("amber.nc", "ps")] {
        let content = sample(&format!("h5md/{name}"));
        let frame = |frame| folder.spheres(name, &content, &overrides(|o| o.frame = Some(frame)));
        assert_eq!(centers(&frame(0)), [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]], "{name}");
        assert_eq!(centers(&frame(1)), [[1.5, 2.0, 3.0], [-1.5, -2.0, -3.0]], "{name}");
        assert_eq!(centers(&frame(-1)), centers(&frame(1)), "{name}");
        let source = folder.source(name, &content);
        assert_eq!((source.models, source.times[1].time, source.time_unit), (2, Some(0.5), unit), "{name}");
        for length in [600, content.len() / 2] {
            let said = folder.refusal(name, &content[..length]);
            assert!(said.contains("the file is damaged"), "{name}: {said}");
        }
    }
    let cell = |name: &str, frame| {
        let options = overrides(|o| o.frame = Some(frame));
        let path = folder.file(name, sample(&format!("h5md/{name}")));
        describe(path, &options).expect("read").sources.remove(0).cell.expect("a box")
    };
    assert_eq!(cell("box.h5md", 0).lengths, [10.0, 11.0, 12.0], "nanometres are ten ångström");
    assert_eq!((cell("box.h5md", 1).lengths, cell("amber.nc", 1).lengths), ([20.0, 21.0, 22.0], [10.0, 11.0, 13.0]));
    let skew = cell("names.h5md", 1);
    assert!((skew.angles[2] - 65.556).abs() < 0.01 && (skew.lengths[1] - 146.0_f64.sqrt()).abs() < 1e-9, "{skew:?}");
    let only = |text: &str| overrides(|o| o.only = Some(text.into()));
    let [first, second] = [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]];
    assert_eq!(centers(&folder.spheres("box.h5md", sample("h5md/box.h5md"), &only("type 7 and vz 3"))), [second]);
    assert_eq!(centers(&folder.spheres("names.h5md", sample("h5md/names.h5md"), &only("type Kr"))), [first]);
    let notes =
        describe(folder.file("names.h5md", sample("h5md/names.h5md")), &LoadOptions::default()).expect("read").notes;
    assert!(notes.iter().any(|note| note.ends_with("of several groups particles/a is read, not b")), "{notes:?}");
    // 16-bit floats are ambiguous: they could be bfloat16
    let half = folder.refusal("half.h5md", sample("h5md/half.h5md"));
    assert!(half.contains("numbers of neither 32 nor 64 bits; numpy's astype('f4') converts them"), "{half}");
}

#[test]
fn frames_of_gsd_are_read() {
    let folder = Folder::new();
    let content = sample("gsd/particles.gsd");
    let frame = |frame| folder.spheres("p.gsd", &content, &overrides(|o| o.frame = Some(frame)));
    assert_eq!(centers(&frame(0)), [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]]);
    assert_eq!(centers(&frame(1)), [[1.5, 2.0, 3.0], [-1.5, -2.0, -3.0]]);
    assert_eq!(centers(&frame(-1)), centers(&frame(1)));
    let radii: Vec<f32> = only_spheres(&frame(1)).iter().map(|sphere| sphere.radius).collect();
    assert_eq!(radii, [0.5, 1.0], "those of the first frame");
    let source = folder.source("p.gsd", &content);
    assert_eq!((source.models, source.cell.expect("a box").lengths), (2, [10.0, 11.0, 12.0]));
    let only = overrides(|o| o.only = Some("type B".into()));
    assert_eq!(centers(&folder.spheres("p.gsd", &content, &only)), [[-1.0, -2.0, -3.0]]);
    assert!(folder.refusal("p.gsd", &content[..300]).contains("the file ends in the middle of"));
}

#[test]
fn arrays_of_three_axes_have_frames() {
    let folder = Folder::new();
    let numbers: Vec<u8> = (0_u8..18).flat_map(|value| f32::from(value).to_le_bytes()).collect();
    let array = npy("<f4", "(3, 2, 3)", &numbers);
    let frame = |frame| folder.spheres("a.npy", &array, &overrides(|o| o.frame = Some(frame)));
    assert_eq!(centers(&frame(0)), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    assert_eq!(centers(&frame(2)), [[12.0, 13.0, 14.0], [15.0, 16.0, 17.0]]);
    assert_eq!(centers(&frame(-1)), centers(&frame(2)));
    assert!(folder.refusal_with("a.npy", &array, &overrides(|o| o.frame = Some(3))).contains("frames 0 to 2"));
    assert_eq!(folder.source("a.npy", &array).models, 3);
}

#[test]
fn chains_of_pdb_may_have_two_letters() {
    let folder = Folder::new();
    let atom = |residue: &str, chain: &str, number: u32| {
        format!(
            "ATOM  {number:>5}  CA  {residue}{chain:>2}{number:>4}    {number:>8.3}  12.000  13.000  1.00 20.00           C\n"
        )
    };
    let wide = atom("MET", "AA", 1) + &atom("GLY", "AB", 2) + &atom("ALA", "AB", 3);
    let source = folder.source("w.pdb", wide);
    assert_eq!(source.chains, ["AA", "AB"]);
    let narrow = "ATOM      1  P   POPCA   1      11.000  12.000  13.000  1.00 20.00           P\n";
    let source = folder.source("n.pdb", narrow);
    assert_eq!(source.chains, ["A"]);
    let popc = overrides(|o| o.only = Some("resname POPC".into()));
    assert_eq!(only_spheres(&folder.spheres("n.pdb", narrow, &popc)).len(), 1);
}

#[test]
fn points_of_vtk_are_read_with_their_data() {
    let folder = Folder::new();
    for name in ["ascii.vtk", "binary.vtk", "grid5.vtk"] {
        let content = sample(&format!("vtk/{name}"));
        let scene = folder.spheres(name, &content, &LoadOptions::default());
        assert_eq!(centers(&scene), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5], [7.0, 8.0, 9.0]], "{name}");
        let hot = overrides(|o| o.only = Some("temperature > 15 and vz > 0".into()));
        assert_eq!(centers(&folder.spheres(name, &content, &hot)), [[4.0, 5.0, 6.5]], "{name}");
        let source = folder.source(name, &content);
        assert_eq!(
            source.columns,
            ["x", "y", "z", "temperature", "vx", "vy", "vz", "mass"],
            "{name}: not the cells' data"
        );
        assert!(
            folder.refusal(name, &content[..content.len() / 2]).contains("the file ends in the middle of"),
            "{name}"
        );
    }
}
