//! Tables that other crates decode: Parquet, and Arrow's files and streams.
#![cfg(feature = "heavy-formats")]

use std::process::{Command, Stdio};

use crate::files::{Folder, only_spheres, overrides, sample, text};
use roundel::Budget;
use roundel::io::{DataSource, LoadOptions, describe, read_record};

/// The samples whose rows are the first of the same table: in each of them `x` is half the row's number.
const TABLES: [(&str, usize); 10] = [
    ("parquet/none.parquet", 20),
    ("parquet/snappy.parquet", 20),
    ("parquet/gzip.parquet", 20),
    ("parquet/zstd.parquet", 20),
    ("parquet/lz4.parquet", 20),
    ("parquet/types.parquet", 40),
    ("parquet/polars.parquet", 40),
    ("arrow/lz4.feather", 40),
    ("arrow/plain.arrow", 20),
    ("arrow/stream.arrows", 40),
];

fn source(folder: &Folder, name: &str) -> DataSource {
    let path = folder.file("t", sample(name));
    describe(&path, &LoadOptions::default()).expect(name).sources.remove(0)
}

#[test]
fn rows_are_the_same_whatever_their_encoding() {
    let folder = Folder::new();
    for (name, rows) in TABLES {
        let by_kind = overrides(|o| o.color_by = Some("kind".into()));
        let spheres = only_spheres(&folder.spheres("t", sample(name), &by_kind));
        assert_eq!(spheres.len(), rows, "{name}");
        for (row, sphere) in spheres.iter().enumerate() {
            let number = f32::from(u8::try_from(row).expect("few"));
            let x = 0.5 * number;
            assert_eq!(sphere.center, [x, x * x % 7.0, number % 5.0], "{name}, row {row}");
            // a missing radius draws nothing
            #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32, as radii are")]
            let radius = if row % 7 == 3 { 0.0 } else { (0.1 + 0.01 * f64::from(number)) as f32 };
            assert_eq!(sphere.radius, radius, "{name}, row {row}");
            assert_eq!(sphere.color, spheres[row % 4].color, "{name}, row {row}: wood, stone, none, water");
        }
        assert_ne!(spheres[0].color, spheres[1].color, "{name}");
        // red, green and blue make the colour of each row
        let colored = only_spheres(&folder.spheres("t", sample(name), &LoadOptions::default()));
        let row = u8::try_from(rows - 1).expect("few");
        assert_eq!(colored[rows - 1].color, roundel::Srgba8::rgb(6 * row, row, 255 - row), "{name}");
    }
}

#[test]
fn texts_that_are_colors_color_their_rows() {
    let folder = Folder::new();
    for (name, column) in [("parquet/colors.parquet", "hexcolumn"), ("arrow/colors.feather", "color")] {
        let options = overrides(|o| o.color_by = Some(column.into()));
        let spheres = only_spheres(&folder.spheres("t", sample(name), &options));
        let colors: Vec<String> = spheres.iter().map(|sphere| sphere.color.to_string()).collect();
        assert_eq!(colors, ["#ff0000", "#00ff00", "#0000ff", "#ffff0080"], "{name}");
        // a palette asks for categories
        let mapped = overrides(|o| (o.color_by, o.palette) = (Some(column.into()), Some("distinct".into())));
        let mapped = only_spheres(&folder.spheres("t", sample(name), &mapped));
        assert_ne!(mapped[0].color.to_string(), "#ff0000", "{name}");
    }
    // the column of that name does so by itself
    let spheres = only_spheres(&folder.spheres("t", sample("arrow/colors.feather"), &LoadOptions::default()));
    assert_eq!(spheres[1].color.to_string(), "#00ff00");
    // other texts are category names
    let by_kind = overrides(|o| o.color_by = Some("kind".into()));
    assert_eq!(only_spheres(&folder.spheres("t", sample("parquet/none.parquet"), &by_kind)).len(), 20);
}

#[test]
fn columns_of_every_type_are_described() {
    let folder = Folder::new();
    for name in ["parquet/types.parquet", "arrow/lz4.feather", "arrow/stream.arrows"] {
        let source = source(&folder, name);
        let range = |column: &str| source.ranges.iter().find(|(name, _)| name == column).map(|(_, range)| *range);
        let radii = [0.1_f32, 0.49].map(f64::from);
        assert_eq!(range("radius"), Some(radii), "{name}: missing ones left out");
        assert_eq!(range("small"), Some([2_147_483_648.0, 2_147_483_687.0]), "{name}: 32 bits without a sign");
        assert_eq!(range("id"), Some([9_223_372_036_854_775_808.0, 9_223_372_036_854_775_847.0]), "{name}: 64 bits");
        assert_eq!(range("price"), Some([0.0, 39.39]), "{name}: decimals");
        assert_eq!(range("velocity.y"), Some([0.0, 78.0]), "{name}: inside of a structure");
        assert_eq!(range("when"), Some([1_577_836_800.0, 1_581_206_400.0]), "{name}: seconds");
        assert!(source.dates.iter().any(|name| name == "when"), "{name}: dates");
        assert!(["kind", "flag"].iter().all(|text| source.columns.iter().any(|column| column == text)), "{name}");
    }
    let lists = source(&folder, "arrow/lists.arrow");
    assert_eq!(lists.columns, ["x", "y", "z", "radius", "name", "view"]);
    assert_eq!(lists.bounds, Some([vec![0.0, 1.0, 2.0], vec![117.0, 118.0, 119.0]]));
    let path = folder.file("t", sample("parquet/types.parquet"));
    let description = describe(&path, &LoadOptions::default()).expect("described");
    let note = "1 column is left out, being neither numbers nor text: tags.list.element";
    assert!(description.notes.iter().any(|found| found.ends_with(note)), "{:?}", description.notes);
}

#[test]
fn texts_of_every_encoding_select_rows() {
    let folder = Folder::new();
    for name in ["parquet/delta.parquet", "parquet/lengths.parquet", "arrow/polars.arrow", "arrow/lz4.feather"] {
        let stone = overrides(|o| o.only = Some("kind stone".into()));
        let spheres = only_spheres(&folder.spheres("t", sample(name), &stone));
        let found: Vec<f32> = spheres.iter().map(|sphere| sphere.center[0]).collect();
        let expected: Vec<f32> = (0..10_u8).map(|row| 0.5 * f32::from(4 * row + 1)).collect();
        assert_eq!(found, expected, "{name}");
    }
    for (name, only) in [("parquet/types.parquet", "flag true"), ("arrow/stream.arrows", "flag true")] {
        let flagged = overrides(|o| o.only = Some(only.into()));
        assert_eq!(only_spheres(&folder.spheres("t", sample(name), &flagged)).len(), 14, "{name}");
    }
    let path = folder.file("t", sample("arrow/lz4.feather"));
    let record = read_record(&path, &LoadOptions::default(), 37).expect("read again");
    let value = |name: &str| record.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
    assert_eq!((value("x"), value("kind"), value("flag")), (Some("18.5"), Some("stone"), Some("false")));
}

#[test]
fn tables_are_read_from_standard_input_and_in_blocks() {
    let folder = Folder::new();
    for name in ["parquet/zstd.parquet", "arrow/plain.arrow", "arrow/stream.arrows"] {
        let path = folder.file("t", sample(name));
        let info = |argument: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_roundel"));
            command.args(["info", "--json", argument]).stdin(std::fs::File::open(&path).expect("written"));
            let output = command.stderr(Stdio::inherit()).output().expect("runs");
            let found: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
            found["sources"][0]["ranges"].clone()
        };
        assert_eq!(info("-"), info(path.to_str().expect("UTF-8")), "{name}");
        let draw = |flags: &[&str], picture: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_roundel"));
            command.arg("render").arg(&path).args(["--view", "front", "--look", "flat", "-W", "64", "-q"]).args(flags);
            let output = folder.0.path().join(picture);
            assert!(command.arg("-o").arg(&output).status().expect("runs").success(), "{name}");
            std::fs::read(output).expect("a picture")
        };
        assert!(draw(&[], "a.png") == draw(&["--stream"], "b.png"), "{name}");
    }
}

#[test]
fn files_cut_anywhere_are_refused_in_a_line() {
    let folder = Folder::new();
    for name in ["parquet/types.parquet", "parquet/delta.parquet", "arrow/lz4.feather"] {
        let whole = sample(name);
        for end in (1..whole.len()).step_by(61) {
            let file = if name.starts_with("parquet") { "t.parquet" } else { "t.arrow" };
            let message = folder.refusal(file, &whole[..end]);
            assert!(message.starts_with(file) && !message.contains('\n'), "{name}, {end}: {message}");
        }
    }
    // a stream may end after any batch
    let stream = sample("arrow/stream.arrows");
    for end in (1..stream.len()).step_by(61) {
        let path = folder.file("t.arrows", &stream[..end]);
        if let Err(error) = describe(&path, &LoadOptions::default()) {
            assert!(!error.to_string().contains('\n'), "{end}: {error}");
        }
    }
}

#[test]
fn sizes_that_a_file_claims_meet_the_budget() {
    let folder = Folder::new();
    for name in ["parquet/none.parquet", "arrow/plain.arrow", "arrow/stream.arrows"] {
        let small = overrides(|o| o.budget = Budget { shapes: 7, ..Budget::default() });
        let message = folder.refusal_with("t", sample(name), &small);
        assert!(message.contains("7 shapes"), "{name}: {message}");
    }
}

#[test]
fn text_is_no_position() {
    let folder = Folder::new();
    let named = overrides(|o| (o.x, o.y) = (Some("kind".into()), Some("y".into())));
    for name in ["parquet/none.parquet", "arrow/plain.arrow"] {
        let message = folder.refusal_with("t", sample(name), &named);
        assert_eq!(message, "t: row 1: kind must be numbers, got text", "{name}");
    }
}
