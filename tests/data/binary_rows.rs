//! Rows of fixed size: each thread reads its own part of a file straight into the final spheres.

use crate::files::{self, Folder, gzip, overrides};
use roundel::Scene;
use roundel::io::{LoadOptions, RawLayout, load};
use roundel::spheres::PaintedSphere;

/// Several chunks of rows, the last one partial.
const ROWS: usize = 40_007;

/// Numbers of threads that read.
const THREADS: [usize; 2] = [1, 2];

/// A type of numbers: its name in `.npy`, in raw layouts and in PLY, and its bytes.
struct Kind {
    npy: &'static str,
    raw: &'static str,
    ply: [&'static str; 2],
    bytes: fn(f32) -> Vec<u8>,
}

#[expect(clippy::cast_possible_truncation, reason = "whole numbers below a thousand")]
const KINDS: [Kind; 6] = [
    Kind { npy: "<f4", raw: "f32le", ply: ["little", "float"], bytes: |value| value.to_le_bytes().to_vec() },
    Kind { npy: ">f4", raw: "f32be", ply: ["big", "float"], bytes: |value| value.to_be_bytes().to_vec() },
    Kind {
        npy: "<f8",
        raw: "f64le",
        ply: ["little", "double"],
        bytes: |value| f64::from(value).to_le_bytes().to_vec(),
    },
    Kind { npy: ">f8", raw: "f64be", ply: ["big", "double"], bytes: |value| f64::from(value).to_be_bytes().to_vec() },
    Kind { npy: "<i2", raw: "i16le", ply: ["little", "short"], bytes: |value| (value as i16).to_le_bytes().to_vec() },
    Kind { npy: ">i4", raw: "i32be", ply: ["big", "int"], bytes: |value| (value as i32).to_be_bytes().to_vec() },
];

/// Whole numbers, all rows different.
fn rows(count: usize) -> Vec<[f32; 4]> {
    let number = |index: usize| index as f32;
    (0..count).map(|row| [number(row % 199), number(row / 199), number(row % 7) - 3.0, number(row % 5)]).collect()
}

fn npy(kind: &Kind, rows: &[[f32; 4]]) -> Vec<u8> {
    let numbers: Vec<u8> = rows.as_flattened().iter().flat_map(|&value| (kind.bytes)(value)).collect();
    files::npy(kind.npy, &format!("({}, 4)", rows.len()), &numbers)
}

/// Reads a file with this number of threads.
fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("some threads");
    pool.install(work)
}

/// The spheres of a file, and the notes about it.
fn read(folder: &Folder, name: &str, bytes: &[u8], overrides: &LoadOptions) -> (Vec<[f32; 4]>, Vec<String>) {
    let path = folder.file(name, bytes);
    let loaded = load(&path, overrides).unwrap_or_else(|error| panic!("{}", folder.message(&error)));
    let Scene::Spheres(scene) = loaded.scene else { panic!("{name} is drawn as circles") };
    let numbers = |sphere: PaintedSphere| {
        let [x, y, z] = sphere.center;
        [x, y, z, sphere.radius]
    };
    let notes = loaded.notes.into_iter().map(|note| note.replace(&format!("{}/", folder.0.path().display()), ""));
    (scene.groups[0].spheres.iter().map(numbers).collect(), notes.collect())
}

#[test]
fn rows_of_any_type_and_order_are_spheres() {
    let (folder, rows) = (Folder::new(), rows(ROWS));
    for kind in &KINDS {
        let array = npy(kind, &rows);
        let numbers = &array[128..];
        let raw: RawLayout = format!("x,y,z,radius:{}", kind.raw).parse().expect(kind.raw);
        let raw = overrides(|o| o.raw = Some(raw));
        let [order, scalar] = kind.ply;
        let mut ply =
            format!("ply\nformat binary_{order}_endian 1.0\nelement other 3\nproperty uchar a\n").into_bytes();
        ply.extend(format!("element vertex {ROWS}\n").bytes());
        for name in ["x", "y", "z", "radius"] {
            ply.extend(format!("property {scalar} {name}\n").bytes());
        }
        ply.extend(b"end_header\nabc");
        ply.extend(numbers);
        for threads in THREADS {
            with_threads(threads, || {
                assert!(read(&folder, "a.npy", &array, &LoadOptions::default()).0 == rows, "{} npy", kind.npy);
                assert!(read(&folder, "a.bin", numbers, &raw).0 == rows, "{} raw", kind.npy);
                assert!(read(&folder, "a.ply", &ply, &LoadOptions::default()).0 == rows, "{} ply", kind.npy);
            });
        }
        // which is read from its beginning to its end
        let compressed = read(&folder, "a.npy.gz", &gzip(&array), &LoadOptions::default());
        assert!(compressed.0 == rows, "{} gzip", kind.npy);
    }
}

#[test]
fn rows_are_painted_by_columns_of_their_own() {
    let (folder, rows) = (Folder::new(), rows(ROWS));
    let layout: RawLayout = "x,y,z,radius:f32,red:u8,green:u8,blue:u8".parse().expect("a layout");
    let mut bytes = Vec::new();
    for (row, index) in rows.iter().zip(0_u8..=255) {
        row.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        bytes.extend([index, 7, 255 - index]);
    }
    let path = folder.file("a.bin", &bytes);
    let loaded = load(&path, &overrides(|o| o.raw = Some(layout))).expect("read");
    let Scene::Spheres(scene) = loaded.scene else { panic!("spheres") };
    let colors: Vec<_> = scene.groups[0].spheres.iter().map(|sphere| sphere.color).map(|c| [c.r, c.g, c.b]).collect();
    assert_eq!(colors, (0..=255).map(|index| [index, 7, 255 - index]).collect::<Vec<_>>());
    // coloured by a number, with an explicit range equal to the automatic one
    let array = npy(&KINDS[0], &rows);
    let colored = |range: Option<[f64; 2]>| {
        let overrides = overrides(|o| {
            o.color_by = Some("x".to_owned());
            o.color_range = range.map(roundel::color::ColorRange::Numbers);
        });
        let loaded = load(folder.file("a.npy", &array), &overrides).expect("read");
        let Scene::Spheres(scene) = loaded.scene else { panic!("spheres") };
        scene.groups[0].spheres.to_vec()
    };
    assert!(colored(Some([0.0, 198.0])) == colored(None));
}

#[test]
fn rows_without_a_place_are_left_out() {
    let (folder, mut rows) = (Folder::new(), rows(ROWS));
    // at the ends of chunks and of the file, and one whole chunk
    let missing: Vec<usize> =
        [0, 1023, 1024, 30_000, ROWS - 1].into_iter().chain(4096..5120).chain(20_000..20_100).collect();
    for (&row, axis) in missing.iter().zip([0, 1, 2].into_iter().cycle()) {
        rows[row][axis] = f32::NAN;
    }
    // a missing radius draws nothing, and leaves nothing out
    rows[77][3] = f32::NAN;
    let mut placed: Vec<_> = rows.iter().copied().filter(|row| !row[..3].iter().any(|value| value.is_nan())).collect();
    let unsized_row = placed.iter().position(|row| row[3].is_nan()).expect("one");
    placed[unsized_row][3] = 0.0;
    let note = format!("{} rows have no coordinates and are left out", missing.len());
    for kind in &KINDS[..4] {
        let array = npy(kind, &rows);
        for threads in THREADS {
            let (found, notes) = with_threads(threads, || read(&folder, "a.npy", &array, &LoadOptions::default()));
            assert!(found == placed, "{}, {threads} threads", kind.npy);
            assert_eq!(notes[0], format!("a.npy: {note}"));
        }
        let (found, notes) = read(&folder, "a.npy.gz", &gzip(&array), &LoadOptions::default());
        assert!(found == placed, "{} gzip", kind.npy);
        assert_eq!(notes[0], format!("a.npy.gz: {note}"));
    }
    let none = vec![[f32::NAN; 4]; 3000];
    assert_eq!(folder.refusal("none.npy", npy(&KINDS[0], &none)), "none.npy: no row has coordinates");
}

#[test]
fn the_first_bad_row_is_named_whatever_the_threads() {
    let folder = Folder::new();
    let infinite = "the position must be finite, and between -3.4e38 and 3.4e38";
    for (axis, value, message) in [
        (1, f32::INFINITY, infinite),
        (2, f32::NEG_INFINITY, infinite),
        (3, -2.5, "radius must be a number that is not negative, got -2.5"),
        (3, f32::INFINITY, "radius must be at most 3.4e38, got inf"),
    ] {
        for (first, kind) in [(1, &KINDS[0]), (31_234, &KINDS[1]), (31_234, &KINDS[2]), (ROWS - 1, &KINDS[3])] {
            let mut rows = rows(ROWS);
            rows[first][axis] = value;
            rows[ROWS - 1][axis] = value;
            let array = npy(kind, &rows);
            let byte = 128 + first * (array.len() - 128) / ROWS;
            for threads in THREADS {
                let found = with_threads(threads, || folder.refusal("a.npy", &array));
                assert_eq!(found, format!("a.npy: byte {byte}: {message}"));
            }
            assert_eq!(folder.refusal("a.npy.gz", gzip(&array)), format!("a.npy.gz: byte {byte}: {message}"));
        }
    }
}

#[test]
fn files_that_end_early_say_after_which_row() {
    let (folder, rows) = (Folder::new(), rows(ROWS));
    let array = npy(&KINDS[0], &rows);
    for (missing, left) in [(1, ROWS - 1), (16, ROWS - 1), (17, ROWS - 2), (16 * (ROWS - 1), 1), (16 * ROWS, 0)] {
        let cut = &array[..array.len() - missing];
        let byte = 128 + 16 * left;
        let expected =
            |name| format!("{name}: byte {byte}: the header promises {ROWS} rows, but the file ends after {left}");
        assert_eq!(folder.refusal("a.npy", cut), expected("a.npy"));
        assert_eq!(folder.refusal("a.npy.gz", gzip(cut)), expected("a.npy.gz"));
    }
    let raw = overrides(|o| o.raw = Some("x,y,z,r:f32".parse().expect("a layout")));
    let message = folder.refusal_with("a.bin", &array[128..array.len() - 3], &raw);
    let byte = 16 * (ROWS - 1);
    assert_eq!(message, format!("a.bin: byte {byte}: a row has 16 bytes, but the file ends after 13 of one"));
}
