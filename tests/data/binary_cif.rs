//! BinaryCIF, in files that Biotite encoded from the text that is read beside them.

use crate::files::{Folder, PDB, overrides, sample};
use roundel::io::{Format, LoadOptions, describe, load, read_record};

/// Plain arrays of bytes; and every other encoding: fixed points, differences, runs, packed and quantized numbers.
const ENCODED: [&str; 2] = ["bcif/plain.bcif", "bcif/packed.bcif"];

#[test]
fn binary_and_text_files_are_drawn_alike() {
    let folder = Folder::new();
    for name in ENCODED {
        for by in ["element", "chain", "resname", "b_factor", "structure", "occupancy"] {
            for frame in [0, 1] {
                let wanted = overrides(|o| (o.color_by, o.frame) = (Some(by.into()), Some(frame)));
                let text = folder.spheres("m.cif", sample("cif/two-models.cif"), &wanted);
                assert_eq!(folder.spheres("m.bcif", sample(name), &wanted), text, "{name} by {by}, frame {frame}");
            }
        }
        let assembly = overrides(|o| o.assembly = Some(1));
        assert_eq!(
            folder.spheres("m.bcif", sample(name), &assembly).groups,
            folder.spheres("m.pdb", PDB, &assembly).groups
        );
        let selected = overrides(|o| o.only = Some("name CA and resid 1".into()));
        assert_eq!(
            folder.spheres("m.bcif", sample(name), &selected),
            folder.spheres("m.cif", sample("cif/two-models.cif"), &selected)
        );
    }
}

#[test]
fn binary_and_text_files_are_described_alike() {
    let folder = Folder::new();
    let text = describe(folder.file("m.cif", sample("cif/two-models.cif")), &LoadOptions::default()).expect("text");
    for name in ENCODED {
        let path = folder.file("m.bcif", sample(name));
        let found = describe(&path, &LoadOptions::default()).expect(name);
        assert_eq!((found.format, found.sources[0].format), (Format::Bcif, Format::Bcif));
        let (mut found, mut text) = (found.sources[0].clone(), text.sources[0].clone());
        (found.file, text.file) = (String::new(), String::new());
        found.format = Format::Cif;
        assert_eq!(found, text, "{name}");
        for index in 0..3 {
            let of_text =
                read_record(folder.file("m.cif", sample("cif/two-models.cif")), &LoadOptions::default(), index);
            let numbers = |record: Vec<(String, String)>| {
                let value = |text: String| text.parse::<f64>().map_or(text, |number| number.to_string());
                record.into_iter().map(|(name, text)| (name, value(text))).collect::<Vec<_>>()
            };
            let found = read_record(&path, &LoadOptions::default(), index).expect("an atom");
            assert_eq!(numbers(found), numbers(of_text.expect("an atom")), "{name}, atom {index}");
        }
    }
}

#[test]
fn binary_files_cut_or_changed_anywhere_are_read_or_refused_in_a_line() {
    let folder = Folder::new();
    for name in ENCODED {
        let whole = sample(name);
        for end in (1..whole.len()).step_by(37) {
            let message = folder.refusal("m.bcif", &whole[..end]);
            assert!(message.contains("m.bcif") && !message.contains('\n'), "{end}: {message}");
        }
        for place in (0..whole.len()).step_by(23) {
            let mut changed = whole.clone();
            changed[place] = changed[place].wrapping_add(101);
            let path = folder.file("m.bcif", &changed);
            if let Err(error) = describe(&path, &LoadOptions::default()) {
                assert!(!error.to_string().contains('\n'), "{place}: {error}");
            }
        }
    }
    assert_eq!(
        folder.refusal("m.bcif", &sample(ENCODED[0])[..200]),
        "m.bcif: byte 200: the file ends in the middle of a value"
    );
}

#[test]
fn binary_columns_say_what_is_wrong() {
    let folder = Folder::new();
    let changed = |from: &[u8], to: &[u8]| {
        let mut bytes = sample("bcif/packed.bcif");
        let place = bytes.windows(from.len()).position(|bytes| bytes == from).expect("there");
        bytes[place..place + to.len()].copy_from_slice(to);
        folder.refusal("m.bcif", bytes)
    };
    let message = changed(b"IntervalQuantization", b"IntervalQuantizatiom");
    assert!(
        message.contains("_atom_site.Cartn_z has an encoding that is not known, \"IntervalQuantizatiom\""),
        "{message}"
    );
    let message = changed(b"_atom_site", b"_atom_sitf");
    assert_eq!(message, "m.bcif: no atoms: there is no _atom_site");
    let message = changed(b"Cartn_x", b"Cartn_w");
    assert!(message.contains("_atom_site must have Cartn_x, Cartn_y and Cartn_z"), "{message}");
}

#[test]
fn a_single_atom_needs_no_loop() {
    let folder = Folder::new();
    let text = "data_ION\n_cell.length_a 9\n_cell.length_b 9\n_cell.length_c 9\n_atom_site.type_symbol ZN\n\
                _atom_site.Cartn_x 1.5\n_atom_site.Cartn_y -2\n_atom_site.Cartn_z 3.25\n_atom_site.auth_asym_id B\n";
    let path = folder.file("ion.cif", text);
    let source = &describe(&path, &LoadOptions::default()).expect("an atom").sources[0];
    assert_eq!(
        (source.records, &source.chains, &source.elements),
        (1, &vec!["B".to_owned()], &vec![("Zn".to_owned(), 1)])
    );
    assert_eq!(source.bounds, Some([vec![1.5, -2.0, 3.25], vec![1.5, -2.0, 3.25]]));
    assert!(source.cell.is_some());
    assert_eq!(
        read_record(&path, &LoadOptions::default(), 0).expect("an atom")[0],
        ("chain".to_owned(), "B".to_owned())
    );
    let message = folder.refusal("ion.cif", text.replace("-2", "two"));
    assert_eq!(message, "ion.cif: _atom_site: y must be a finite number, got \"two\"");
    let second = overrides(|o| o.frame = Some(1));
    assert_eq!(folder.refusal_with("ion.cif", text, &second), "frame 1 is not in ion.cif, which has one frame, 0");
}

/// A value of MessagePack.
enum Packed<'a> {
    Text(&'a str),
    Number(f64),
    Bytes(&'a [u8]),
    List(Vec<Packed<'a>>),
    Map(Vec<(&'a str, Packed<'a>)>),
}

fn pack(value: &Packed<'_>, file: &mut Vec<u8>) {
    let length = |count: usize| u32::try_from(count).expect("short").to_be_bytes();
    match value {
        Packed::Text(text) => file.extend([&[0xdb], &length(text.len())[..], text.as_bytes()].concat()),
        Packed::Number(number) => file.extend([&[0xcb], &number.to_be_bytes()[..]].concat()),
        Packed::Bytes(bytes) => file.extend([&[0xc6], &length(bytes.len())[..], bytes].concat()),
        Packed::List(values) => {
            file.extend([&[0xdd], &length(values.len())[..]].concat());
            values.iter().for_each(|value| pack(value, file));
        }
        Packed::Map(entries) => {
            file.extend([&[0xdf], &length(entries.len())[..]].concat());
            for (key, value) in entries {
                pack(&Packed::Text(key), file);
                pack(value, file);
            }
        }
    }
}

/// A file of atoms at these places on a diagonal, with columns of texts: name, and a text a row.
fn of_atoms(places: &[f32], texts: &[(&str, &[&str])]) -> Vec<u8> {
    use Packed::{Bytes, List, Map, Number, Text};
    let array = |kind: f64| Map(vec![("kind", Text("ByteArray")), ("type", Number(kind))]);
    let column = |name, bytes, encoding| {
        Map(vec![("name", Text(name)), ("data", Map(vec![("data", Bytes(bytes)), ("encoding", List(vec![encoding]))]))])
    };
    let rows = u8::try_from(places.len()).expect("few");
    let bytes: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
    let codes: Vec<u8> = (0..rows).collect();
    let ends = |texts: &[&str]| {
        let add = |end: &mut u8, text: &&str| {
            *end += u8::try_from(text.len()).expect("short");
            Some(*end)
        };
        [0].into_iter().chain(texts.iter().scan(0, add)).collect::<Vec<u8>>()
    };
    let all: Vec<(&str, String, Vec<u8>)> =
        texts.iter().map(|(name, texts)| (*name, texts.concat(), ends(texts))).collect();
    let names = all.iter().map(|(name, text, ends)| {
        let encoding = Map(vec![
            ("kind", Text("StringArray")),
            ("dataEncoding", List(vec![array(4.0)])),
            ("stringData", Text(text)),
            ("offsetEncoding", List(vec![array(4.0)])),
            ("offsets", Bytes(ends)),
        ]);
        column(name, &codes, encoding)
    });
    let axes = ["Cartn_x", "Cartn_y", "Cartn_z"].map(|name| column(name, &bytes, array(32.0)));
    let category = Map(vec![
        ("name", Text("_atom_site")),
        ("rowCount", Number(f64::from(rows))),
        ("columns", List(axes.into_iter().chain(names).collect())),
    ]);
    let block = Map(vec![("header", Text("a")), ("categories", List(vec![category]))]);
    let mut file = Vec::new();
    pack(&Map(vec![("dataBlocks", List(vec![block])), ("version", Text("0.3.0"))]), &mut file);
    file
}

#[test]
fn the_most_occupied_of_disordered_groups_of_binary_files_is_drawn() {
    let folder = Folder::new();
    let texts: [(&str, &[&str]); 4] = [
        ("type_symbol", &["C", "F", "Cl"]),
        ("occupancy", &["1", "0.4", "0.6"]),
        ("disorder_assembly", &[".", "A", "A"]),
        ("disorder_group", &[".", "1", "2"]),
    ];
    let path = folder.file("a.bcif", of_atoms(&[0.0, 0.7, -0.8], &texts));
    let source = &describe(&path, &LoadOptions::default()).expect("atoms").sources[0];
    assert_eq!((source.records, source.alternates), (2, 1));
    assert_eq!(source.elements, [("C".to_owned(), 1), ("Cl".to_owned(), 1)]);
}

#[test]
fn virtual_sites_of_binary_files_are_not_drawn() {
    let texts: [(&str, &[&str]); 3] =
        [("type_symbol", &["O", "X", "H"]), ("label_atom_id", &["O", "M", "H1"]), ("label_comp_id", &["HOH"; 3])];
    let file = of_atoms(&[0.0, 1.0, 2.0], &texts);
    let folder = Folder::new();
    let path = folder.file("water.bcif", file);
    let source = &describe(&path, &LoadOptions::default()).expect("atoms").sources[0];
    assert_eq!(source.elements, [("H".to_owned(), 1), ("O".to_owned(), 1)]);
    let loaded = load(&path, &LoadOptions::default()).expect("atoms");
    assert!(loaded.notes.iter().any(|note| note.ends_with("1 virtual site is not drawn")), "{:?}", loaded.notes);
}

#[test]
fn texts_that_rows_share_count_as_often_as_they_are_shared() {
    use Packed::{Bytes, List, Map, Number, Text};
    const ROWS: i32 = 1 << 20;
    let integers = |values: &[i32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let (run, offsets) = (integers(&[0, ROWS]), integers(&[0, 65_000]));
    let shared = "k".repeat(65_000);
    let array = || Map(vec![("kind", Text("ByteArray")), ("type", Number(3.0))]);
    let runs = || {
        let run =
            Map(vec![("kind", Text("RunLength")), ("srcType", Number(3.0)), ("srcSize", Number(f64::from(ROWS)))]);
        List(vec![run, array()])
    };
    let column = |name, encoding| {
        let data = Map(vec![("data", Bytes(&run)), ("encoding", encoding)]);
        Map(vec![("name", Text(name)), ("data", data)])
    };
    let texts = || {
        List(vec![Map(vec![
            ("kind", Text("StringArray")),
            ("dataEncoding", runs()),
            ("stringData", Text(&shared)),
            ("offsetEncoding", List(vec![array()])),
            ("offsets", Bytes(&offsets)),
        ])])
    };
    let atoms = ["Cartn_x", "Cartn_y", "Cartn_z"].map(|name| column(name, runs()));
    let names = ["label_asym_id", "label_comp_id", "label_alt_id"].map(|name| column(name, texts()));
    let category = Map(vec![
        ("name", Text("_atom_site")),
        ("rowCount", Number(f64::from(ROWS))),
        ("columns", List(atoms.into_iter().chain(names).collect())),
    ]);
    let block = Map(vec![("header", Text("a")), ("categories", List(vec![category]))]);
    let mut file = Vec::new();
    pack(&Map(vec![("dataBlocks", List(vec![block])), ("version", Text("0.3.0"))]), &mut file);
    let wanted = overrides(|o| o.budget.memory = 512 << 20);
    let message = Folder::new().refusal_with("shared.bcif", file, &wanted);
    assert!(message.contains("has 68157440000 bytes of text, which takes"), "{message}");
}
