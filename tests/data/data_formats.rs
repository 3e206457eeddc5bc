//! Data formats other than tables, XYZ and PDB: the same rows from each format, and the messages for broken files.

use super::cif_files::{counts, elements, notes, scene_spheres};
use crate::files::{self, Folder, centers, color, only_spheres, overrides, sample, shared, small};
use roundel::io::{Description, Format, LoadOptions, describe, load, read_scene};
use roundel::spheres::{PaintedSphere, SphereScene};
use roundel::{Budget, Scene};

pub(crate) fn spheres(folder: &Folder, name: &str, sample_name: &str, overrides: &LoadOptions) -> SphereScene<'static> {
    folder.spheres(name, sample(sample_name), overrides)
}

pub(crate) fn described(folder: &Folder, name: &str, sample_name: &str) -> Description {
    describe(folder.file(name, sample(sample_name)), &LoadOptions::default()).expect(name)
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
