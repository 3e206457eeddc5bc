//! BinaryCIF, in files that Biotite encoded from the text that is read beside them.
#![cfg(feature = "scene-files")]

mod files;

use files::{Folder, PDB, overrides, sample};
use roundel::io::{Format, LoadOptions, describe, read_record};

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
