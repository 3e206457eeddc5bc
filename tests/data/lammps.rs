//! Files of LAMMPS: their boxes, coordinates and atom styles.

use super::data_formats::{described, spheres};
use crate::files::{Folder, XYZ, centers, color, only_spheres, overrides, sample};
use roundel::io::{AtomStyle, CellShape, Format, LoadOptions, describe, load};

const TILTED: &str = "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 15 5\n0 10 0\n0 10 0\n";

fn cell(folder: &Folder, name: &str, text: &str) -> Option<CellShape> {
    folder.source(name, text).cell
}

#[test]
fn unwrapped_coordinates_are_not_unwrapped_again() {
    let folder = Folder::new();
    let dump = |columns: &str, row: &str| {
        format!("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n{TILTED}ITEM: ATOMS id {columns}\n1 {row}\n")
    };
    for (columns, row, moves) in [
        ("xu yu zu ix iy iz", "22.5 15 -5 1 1 -1", false),
        ("xsu ysu zsu ix iy iz", "1.5 1.5 -0.5 1 1 -1", false),
        // without flags there is nothing to add either
        ("xu yu zu", "22.5 15 -5", false),
        ("x y z ix iy iz", "7.5 5 5 1 1 -1", true),
        ("xs ys zs ix iy iz", "0.5 0.5 0.5 1 1 -1", true),
        // both are there: the wrapped ones are read
        ("xu yu zu x y z ix iy iz", "22.5 15 -5 7.5 5 5 1 1 -1", true),
    ] {
        let unwrapped = overrides(|o| o.unwrap = Some(true));
        let path = folder.file("u.dump", dump(columns, row));
        let loaded = load(&path, &unwrapped).expect(columns);
        let note = "--unwrap changes nothing: the coordinates of the file are unwrapped";
        assert_eq!(loaded.notes.iter().any(|found| found.contains(note)), !moves, "{columns}: {:?}", loaded.notes);
        assert_eq!(
            centers(&folder.spheres("u.dump", dump(columns, row), &unwrapped)),
            [[22.5, 15.0, -5.0]],
            "{columns}"
        );
    }
    let message = folder.refusal_with("u.dump", dump("x y z", "1 1 1"), &overrides(|o| o.unwrap = Some(true)));
    assert!(message.contains("image flags ix, iy and iz, which u.dump does not have"), "{message}");
}

#[test]
fn image_flags_of_data_files_unwrap_their_atoms() {
    let folder = Folder::new();
    let unwrapped = overrides(|o| o.unwrap = Some(true));
    let data = |style: &str, rows: &str| {
        format!("made\n\n2 atoms\n2 atom types\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\nAtoms{style}\n\n{rows}")
    };
    for (style, rows) in [
        (" # atomic", "1 1 1.5 2 3 1 0 0\n2 2 9.5 6 7 -1 0 2 # the last\n"),
        ("", "1 1 1.5 2 3 1 0 0\n2 2 9.5 6 7 -1 0 2\n"),
        (" # full", "1 1 1 0.5 1.5 2 3 1 0 0\n2 1 2 0.5 9.5 6 7 -1 0 2\n"),
        (" # hybrid charge molecular", "1 1 1.5 2 3 0.5 7 1 0 0\n2 2 9.5 6 7 0.5 7 -1 0 2\n"),
    ] {
        let scene = folder.spheres("f.data", data(style, rows), &unwrapped);
        assert_eq!(centers(&scene), [[11.5, 2.0, 3.0], [-0.5, 6.0, 27.0]], "{style}");
    }
    let message = folder.refusal_with("f.data", data(" # atomic", "1 1 1.5 2 3\n2 2 9.5 6 7\n"), &unwrapped);
    assert!(message.contains("image flags ix, iy and iz, which f.data does not have"), "{message}");
}

#[test]
fn boxes_of_data_files_are_those_of_their_headers() {
    let folder = Folder::new();
    let data = |lines: &str| format!("made\n\n1 atoms\n1 atom types\n{lines}\nAtoms # atomic\n\n1 1 0.5 0.5 0.5\n");
    let edges = "3 0 0 avec\n-1.5 2 0 bvec # leans\n0.2 0.3 3 cvec\n1 -2 0.5 abc origin\n";
    let found = cell(&folder, "general.data", &data(edges)).expect("a cell");
    assert_eq!((found.lengths[0], found.lengths[1], found.angles[2] > 90.0), (3.0, 2.5, true));
    // the middle of the box is 1.85, -0.85, 2; the atom is one edge a away from it
    let away = data(edges).replace("0.5 0.5 0.5\n", "4.85 -0.85 2\n");
    let wrapped = centers(&folder.spheres("general.data", away, &overrides(|o| o.wrap = Some(true))))[0];
    assert!(wrapped.iter().zip([1.85, -0.85, 2.0]).all(|(a, b)| (a - b).abs() < 1e-5), "{wrapped:?}");
    let bounds = cell(&folder, "box.data", &data("0 4 xlo xhi\n0 5 ylo yhi\n")).expect("a cell");
    assert_eq!(bounds.lengths, [4.0, 5.0, 1.0], "an axis without bounds goes from -0.5 to 0.5, as in LAMMPS");
    let options = overrides(|o| o.format = Some(Format::LammpsData));
    let alone = folder.file("none.data", data(""));
    let described = describe(&alone, &options).expect("atoms");
    assert!(described.sources[0].cell.is_none(), "no line of the header has a box");
    assert!(load(&alone, &options).is_ok());
    let message = folder.refusal("general.data", data("3 0 avec\n-1.5 2 0 bvec\n0 0 3 cvec\n"));
    assert_eq!(message, "general.data:5: must be an edge of the box, got \"3 0 avec\"");
}

#[test]
fn hybrid_styles_have_the_columns_of_their_parts() {
    let folder = Folder::new();
    let data = |styles: &str, rows: &str| {
        format!(
            "made\n\n2 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms # hybrid {styles}\n\n{rows}"
        )
    };
    let found = folder
        .source("h.data", data("sphere bond", "1 1 1.0 2.0 3.0 0.8 2.6 1 0 0 0\n2 1 4.0 2.0 3.0 0.4 2.6 1 0 0 0\n"));
    assert_eq!(
        found.columns,
        ["id", "type", "x", "y", "z", "diameter", "density", "molecule", "ix", "iy", "iz"],
        "image flags are last"
    );
    assert_eq!(found.bounds.map(|bounds| bounds[1][0]), Some(4.0));
    let once = folder.source("h.data", data("full dipole", "1 1 1 2 3 7 0.5 0 0 1\n2 1 2 2 3 7 -0.5 0 0 1\n"));
    assert_eq!(
        once.columns,
        ["id", "type", "x", "y", "z", "molecule", "charge", "mux", "muy", "muz"],
        "the charge stands once"
    );
    let message = folder.refusal("h.data", data("sphere spline", "1 1 1 2 3 1 1\n2 1 2 2 3 1 1\n"));
    assert!(message.contains("the styles of a hybrid must be atom styles, got \"spline\""), "{message}");
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
fn diameters_are_twice_the_radii() {
    let folder = Folder::new();
    let data = "made\n\n2 atoms\n1 atom types\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\nAtoms # sphere\n\n\
                1 1 1 2.5 1 5 5\n2 1 4 2.5 6 5 5\n";
    let dump = format!(
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\n{TILTED}ITEM: ATOMS id diameter x y z\n1 1 1 5 5\n2 4 6 5 5\n"
    );
    for (name, text, radii) in [
        ("s.data", data, [0.5, 2.0]),
        ("s.dump", &*dump, [0.5, 2.0]),
        ("s.csv", "x,y,z,Diameter\n1,5,5,1\n6,5,5,4\n", [0.5, 2.0]),
        ("r.csv", "x,y,z,diameter,radius\n1,5,5,1,3\n6,5,5,4,7\n", [3.0, 7.0]),
    ] {
        let scene = folder.spheres(name, text, &LoadOptions::default());
        assert_eq!(only_spheres(&scene).iter().map(|sphere| sphere.radius).collect::<Vec<_>>(), radii, "{name}");
    }
}
