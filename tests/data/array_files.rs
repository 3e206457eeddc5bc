//! Arrays of numbers: NumPy's archives, and raw columns.

use crate::files::{Folder, color, gzip, npy, only_spheres, overrides, sample};
use roundel::Budget;
use roundel::io::{LoadOptions, describe, load, read_record};

const CENTERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 2.25, -1.0]];

#[test]
fn arrays_of_an_archive_are_columns_of_one_table() {
    let folder = Folder::new();
    let stored = only_spheres(&folder.spheres("a.npz", sample("npz/stored.npz"), &LoadOptions::default()));
    let found: Vec<_> = stored.iter().map(|sphere| (sphere.center, sphere.radius, sphere.color)).collect();
    let expected = [(0.5, "#ff0000"), (0.25, "#00ff00"), (1.0, "#0000ff")];
    let expected: Vec<_> =
        CENTERS.iter().zip(expected).map(|(&center, (radius, text))| (center, radius, color(text))).collect();
    assert_eq!(found, expected, "positions, radii and colors");
    for name in ["deflated", "by-column"] {
        let scene = folder.spheres("a.npz", sample(&format!("npz/{name}.npz")), &LoadOptions::default());
        assert_eq!(only_spheres(&scene).iter().map(|sphere| sphere.center).collect::<Vec<_>>(), CENTERS, "{name}");
    }
    let single = only_spheres(&folder.spheres("c.npy", sample("npy/by-column.npy"), &LoadOptions::default()));
    let found: Vec<_> = single.iter().map(|sphere| (sphere.center, sphere.radius)).collect();
    assert_eq!(found, [(CENTERS[0], 0.5), (CENTERS[1], 0.25), (CENTERS[2], 1.0)], "columns one after the other");
    let cut = &sample("npy/by-column.npy")[..170];
    assert_eq!(
        folder.refusal("c.npy", cut),
        "c.npy: the array in the file is cut short: its header promises more rows"
    );
    let structured = only_spheres(&folder.spheres("s.npz", sample("npz/structured.npz"), &LoadOptions::default()));
    let found: Vec<_> = structured.iter().map(|sphere| (sphere.center, sphere.radius)).collect();
    assert_eq!(found, [([1.0, 2.0, 3.0], 0.5), ([4.0, 5.0, 6.0], 0.75)], "the only array that fits");
    let path = folder.file("a.npz", sample("npz/stored.npz"));
    let description = describe(&path, &LoadOptions::default()).expect("described");
    let source = &description.sources[0];
    assert_eq!((source.records, source.bounds.clone()), (3, Some([vec![0.0, 0.0, -1.0], vec![1.5, 2.25, 0.0]])));
    let range = |name: &str| source.ranges.iter().find(|(known, _)| known == name).map(|(_, range)| *range);
    assert_eq!(
        (range("mass"), range("radius"), range("box3")),
        (Some([1.0, 3.0]), Some([0.25, 1.0]), Some([0.0, 9.0]))
    );
    assert!(source.columns.iter().any(|name| name == "name"), "an array of texts: {:?}", source.columns);
    let record = read_record(&path, &LoadOptions::default(), 2).expect("read again");
    let found = |name: &str| record.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
    assert_eq!([found("y"), found("mass"), found("radius")], [Some("2.25"), Some("3"), Some("1")]);
}

#[test]
fn archives_say_what_is_wrong() {
    let folder = Folder::new();
    let two = npz(&[("a", "<f4", "(2, 3)", &[0; 24]), ("b", "<f4", "(2, 3)", &[0; 24])]);
    assert_eq!(
        folder.refusal("two.npz", &two),
        "two.npz: which array has the positions? several have 2 to 4 numbers a row; name one positions or xyz, or three of \
         them x, y and z (arrays: a (2 x 3), b (2 x 3))"
    );
    let none = npz(&[("mass", "<f4", "(2,)", &[0; 8]), ("names", "<U1", "(2,)", &[0; 8])]);
    let message = folder.refusal("none.npz", &none);
    assert!(message.contains("none has 2 to 4 numbers a row") && message.contains("mass (2), names (2)"), "{message}");
    let short = npz(&[("xyz", "<f4", "(9, 3)", &[0; 24])]);
    assert_eq!(
        folder.refusal("short.npz", &short),
        "short.npz: the array xyz is cut short: its header promises more rows"
    );
    let mut damaged = sample("npz/stored.npz");
    let place = damaged.windows(4).position(|bytes| bytes == 2.25_f32.to_le_bytes()).expect("a coordinate");
    damaged[place] ^= 1;
    let message = folder.refusal("damaged.npz", &damaged);
    assert_eq!(message, "cannot read damaged.npz: the checksum of a member of the archive is wrong");
    let cut = &sample("npz/stored.npz")[..900];
    assert_eq!(folder.refusal("cut.npz", cut), "cut.npz: the archive has no directory: the file is cut short");
    // a promise of two thousand million rows allocates nothing
    let promised = npz(&[("xyz", "<f4", "(2000000000, 3)", &[0; 24])]);
    let budget = overrides(|o| o.budget = Budget { memory: 1 << 30, shapes: u64::MAX, ..Budget::default() });
    let message = folder.refusal_with("bomb.npz", &promised, &budget);
    assert!(message.starts_with("bomb.npz: the array xyz has 2000000000 rows, which takes "), "{message}");
}

#[test]
fn archives_are_read_from_compressed_files() {
    let folder = Folder::new();
    let scene = folder.spheres("a.npz.gz", gzip(&sample("npz/deflated.npz")), &LoadOptions::default());
    assert_eq!(only_spheres(&scene).iter().map(|sphere| sphere.center).collect::<Vec<_>>(), CENTERS);
}

#[test]
fn raw_columns_are_read_as_they_are_named() {
    let folder = Folder::new();
    let raw = |layout: &str| overrides(|o| o.raw = Some(layout.parse().expect(layout)));
    let three = sample("raw/three.bin");
    let scene = folder.spheres("a.bin", &three, &raw("x,y,z,r:f32le"));
    let found: Vec<_> = only_spheres(&scene).iter().map(|sphere| (sphere.center, sphere.radius)).collect();
    assert_eq!(found, [(CENTERS[0], 0.5), (CENTERS[1], 0.25), (CENTERS[2], 1.0)]);
    let mut rows = Vec::new();
    for (place, id) in [([1.0, 2.0, 3.0], 7_u16), ([4.0, 5.0, 6.0], 9)] {
        place.iter().for_each(|value: &f64| rows.extend(value.to_be_bytes()));
        rows.extend(id.to_be_bytes());
    }
    let mixed = raw("x,y,z:f64be,id:u16be");
    let path = folder.file("b.bin", &rows);
    assert_eq!(describe(&path, &mixed).expect("read").sources[0].ranges[3], ("id".to_owned(), [7.0, 9.0]));
    let pairs = read_record(&path, &mixed, 1).expect("read again");
    assert_eq!(pairs.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["4", "5", "6", "9"]);
    // the byte-order mark of UTF-8 is a number here
    let mark = [b"\xef\xbb\xbf\x3f".as_slice(), &2.0_f32.to_le_bytes(), &3.0_f32.to_le_bytes()].concat();
    let scene = folder.spheres("c.bin", &mark, &raw("x,y,z:f32"));
    assert_eq!(only_spheres(&scene)[0].center, [f32::from_le_bytes(*b"\xef\xbb\xbf\x3f"), 2.0, 3.0]);
    let message = folder.refusal_with("d.bin", &three[..30], &raw("x,y,z,r:f32le"));
    assert_eq!(message, "d.bin: byte 16: a row has 16 bytes, but the file ends after 14 of one");
    let named = overrides(|o| o.format = Some("raw".parse().expect("a format")));
    let message = folder.refusal_with("e.bin", &three, &named);
    assert_eq!(message, "format raw must be followed by columns and their type, as raw:x,y,z,r:f32le");
}

#[test]
fn archives_cut_anywhere_are_refused_in_a_line() {
    let folder = Folder::new();
    for name in ["stored", "deflated"] {
        let whole = sample(&format!("npz/{name}.npz"));
        for end in (1..whole.len()).step_by(23) {
            let message = folder.refusal("a.npz", &whole[..end]);
            assert!(message.contains("a.npz") && !message.contains('\n'), "{end}: {message}");
        }
    }
}

#[test]
fn archives_of_many_arrays_are_read_and_members_that_overlap_are_not() {
    let folder = Folder::new();
    let places: Vec<u8> = CENTERS.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    let names: Vec<String> = (0..1500).map(|array| format!("column{array}")).collect();
    let mut arrays: Vec<(&str, &str, &str, &[u8])> = vec![("positions", "<f4", "(3, 3)", &places)];
    arrays.extend(names.iter().map(|name| (name.as_str(), "<f4", "(3,)", &places[..12])));
    let path = folder.file("many.npz", npz(&arrays));
    let description = describe(&path, &LoadOptions::default()).expect("more arrays than files may be open");
    assert!(description.sources[0].columns.len() > 1500);

    let header = "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 1024), }\n";
    let length = u16::try_from(header.len()).expect("short").to_le_bytes();
    let numbers: Vec<u8> = (0..3 * 1024_u16).flat_map(|value| f32::from(value).to_le_bytes()).collect();
    let wide = [b"\x93NUMPY\x01\0".as_slice(), &length, header.as_bytes(), &numbers].concat();
    let wide = folder.file("wide.npy", wide);
    let _ = describe(&wide, &LoadOptions::default()).map_err(|error| {
        assert!(!error.to_string().contains("open files"), "{error}");
    });

    let mut overlapping = npz(&[("xyz", "<f4", "(3, 3)", &places), ("mass", "<f4", "(3,)", &places[..12])]);
    let second = overlapping.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("an entry");
    overlapping[second + 42..second + 46].copy_from_slice(&[0; 4]);
    assert_eq!(folder.refusal("o.npz", &overlapping), "o.npz: members of the archive overlap");

    let large = format!("[{}]", "('a', '<f4'), ".repeat(4000));
    let names: Vec<String> = (0..100).map(|array| format!("a{array}")).collect();
    let arrays: Vec<(&str, &str, &str, &[u8])> =
        names.iter().map(|name| (name.as_str(), large.as_str(), "(0,)", [].as_slice())).collect();
    let message = folder.refusal("h.npz", npz(&arrays));
    assert_eq!(message, "h.npz: the headers of its arrays have more than 4 MiB, which are not read");
}

#[test]
fn archives_that_unpack_to_more_than_they_promise_or_may_take_are_refused_at_once() {
    let folder = Folder::new();
    let long = npz(&[("xyz", "<f4", "(1, 3)", &[0; 24])]);
    let message = folder.refusal("long.npz", &long);
    assert!(message.starts_with("long.npz: the array xyz must have ") && message.ends_with(", got 152"), "{message}");
    let unused = npz(&[("xyz", "<f4", "(1, 3)", &[0; 12]), ("other", "<f4", "(2,)", &[0; 4000])]);
    assert!(folder.refusal("unused.npz", &unused).contains("the array other must have "), "also unless it is used");
    // each column of an array that is stored by columns is unpacked on its own, after all before it
    let columns = [0; 1 << 18];
    let mut archive =
        npz(&[("xyz", "<f4", "(4096, 3)", &columns[..4096 * 12]), ("more", "<f4", "(4096, 16)", &columns)]);
    let orders: Vec<usize> = (0..archive.len()).filter(|at| archive[*at..].starts_with(b"False")).collect();
    orders.into_iter().for_each(|at| archive[at..at + 5].copy_from_slice(b"True "));
    let path = folder.file("columns.npz", &archive);
    let budget = overrides(|o| o.budget.memory = 3 << 19);
    let message = describe(&path, &budget).expect_err("too much").to_string();
    assert!(message.contains("bytes when decompressed, which takes "), "{message}");
}

/// An archive of arrays that are stored: name, type, shape and bytes.
fn npz(arrays: &[(&str, &str, &str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, descr, shape, bytes) in arrays {
        let content = npy(descr, shape, bytes);
        let mut crc = flate2::Crc::new();
        crc.update(&content);
        let name = format!("{name}.npy");
        let size = u32::try_from(content.len()).expect("short").to_le_bytes();
        let start = u32::try_from(file.len()).expect("short").to_le_bytes();
        let name_length = u16::try_from(name.len()).expect("short").to_le_bytes();
        let common = [&[0; 8][..], &crc.sum().to_le_bytes(), &size, &size, &name_length, &[0, 0]].concat();
        file.extend([b"PK\x03\x04\x14\0".as_slice(), &common, name.as_bytes(), &content].concat());
        directory.extend([b"PK\x01\x02\x14\0\x14\0".as_slice(), &common, &[0; 10], &start, name.as_bytes()].concat());
    }
    let count = u16::try_from(arrays.len()).expect("few").to_le_bytes();
    let size = u32::try_from(directory.len()).expect("short").to_le_bytes();
    let start = u32::try_from(file.len()).expect("short").to_le_bytes();
    file.extend(directory);
    file.extend([b"PK\x05\x06\0\0\0\0".as_slice(), &count, &count, &size, &start, &[0, 0]].concat());
    file
}

#[test]
fn texts_of_an_archive_are_columns_and_others_are_noted() {
    let folder = Folder::new();
    let wide = |text: &str| -> Vec<u8> { text.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect() };
    let symbols = wide("C\0Cl");
    let places = [0.0_f32, 0.0, 0.0, 4.0, 0.0, 0.0].map(f32::to_le_bytes).concat();
    let archive = npz(&[
        ("positions", "<f4", "(2, 3)", &places),
        ("symbols", "<U2", "(2,)", &symbols),
        ("label", "|S3", "(2,)", b"a\0\0bcd"),
        ("z", "<c8", "(2,)", &[0; 16]),
    ]);
    let path = folder.file("t.npz", archive);
    let loaded = load(&path, &overrides(|o| o.color_by = Some("element".into()))).expect("read");
    let note = "these arrays are not read: z (numbers of the type \"<c8\"";
    assert!(loaded.notes.iter().any(|found| found.contains(note)), "{:?}", loaded.notes);
    let one = overrides(|o| o.only = Some("label bcd".into()));
    assert_eq!(only_spheres(&crate::files::spheres(&path, &one)).len(), 1);
    let colors = crate::files::spheres(&path, &overrides(|o| o.color_by = Some("element".into())));
    let [carbon, chlorine] = only_spheres(&colors)[..] else { panic!("two rows") };
    assert_ne!(carbon.color, chlorine.color);
}

#[test]
fn texts_of_a_structured_array_are_columns() {
    let folder = Folder::new();
    let row = |name: &[u8; 3], x: f32| [&name[..], &[0.0, x, 0.0].map(f32::to_le_bytes).concat()].concat();
    let rows = [row(b"ab\0", 0.0), row(b"cde", 4.0)].concat();
    let header = "{'descr': [('name', '|S3'), ('pos', '<f4', (3,))], 'fortran_order': False, 'shape': (2,), }";
    let length = u16::try_from(header.len() + 1).expect("short").to_le_bytes();
    let array = [b"\x93NUMPY\x01\x00".as_slice(), &length, header.as_bytes(), b"\n", &rows].concat();
    let path = folder.file("t.npy", array);
    let [one] = only_spheres(&crate::files::spheres(&path, &overrides(|o| o.only = Some("name cde".into()))))[..]
    else {
        panic!("one row")
    };
    assert_eq!(one.center[1], 4.0);
}
