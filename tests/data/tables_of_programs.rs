//! Tables and files as other programs write them: decimal commas, spreadsheets, Fortran; and files that are named for
//! what they are.

use crate::files::{Folder, centers, only_circles, overrides};
use roundel::Scene;
use roundel::io::{DecimalMark, LoadOptions, describe, load};

fn comma() -> LoadOptions {
    overrides(|o| o.decimal = Some(DecimalMark::Comma))
}

fn places(folder: &Folder, name: &str, text: impl AsRef<[u8]>, options: &LoadOptions) -> Vec<[f64; 2]> {
    let path = folder.file(name, text);
    let source = describe(&path, options).unwrap_or_else(|error| panic!("{name}: {error}")).sources.remove(0);
    let bounds = source.bounds.expect(name);
    vec![[bounds[0][0], bounds[0][1]], [bounds[1][0], bounds[1][1]]]
}

const GERMAN: &str =
    "Name;X;Y;Pop\n\"A, b\";20,33;40,21;1.000,92\n\"B\";40,21;10,5;2.500,00\n\"C\";88,9821;0,4;10 237,65\n";

#[test]
fn texts_that_stand_for_missing_values_are_named() {
    let folder = Folder::new();
    let text = "x,y,v\n0,0,1\n1,1,defekt\n2,0,3\nkaputt,1,4\n";
    let message = folder.refusal_with("t.csv", text, &overrides(|o| o.color_by = Some("y".into())));
    assert!(message.contains("got \"kaputt\"; --missing TEXT names what stands for no value"), "{message}");
    let named = overrides(|o| (o.color_by, o.missing) = (Some("v".into()), vec!["defekt".into(), "kaputt".into()]));
    let loaded = load(folder.file("t.csv", text), &named).expect("a table");
    let Scene::Circles(scene) = &loaded.scene else { panic!("circles") };
    assert_eq!(only_circles(scene).len(), 3, "one row has no place");
    let scene = "[[points]]\nfile = \"t.csv\"\ncolor_by = \"v\"\nmissing = [\"defekt\", \"kaputt\"]\n";
    let of_scene = load(folder.file("s.toml", scene), &LoadOptions::default()).expect("a scene");
    let Scene::Circles(scene) = &of_scene.scene else { panic!("circles") };
    assert_eq!(only_circles(scene).len(), 3);
    let idle = load(folder.file("t.csv", "x,y\n0,1\n"), &named_only("defekt")).expect("a table");
    assert!(idle.notes[0].contains("--missing changes nothing: no field is defekt"), "{:?}", idle.notes);
    let refused = load(folder.file("a.xyz", "1\n\nC 0 0 0\n"), &named_only("defekt")).expect_err("atoms");
    assert!(refused.to_string().contains("missing is for tables"), "{refused}");
}

fn named_only(text: &str) -> LoadOptions {
    overrides(|o| o.missing = vec![text.to_owned()])
}

#[test]
fn points_that_cannot_be_between_thousands_are_decimal_points() {
    let folder = Folder::new();
    let decimal = "x;y\n0.125;1\n0.5;2\n";
    assert_eq!(places(&folder, "decimal.csv", decimal, &comma()), [[0.125, 1.0], [0.5, 2.0]]);
    let thousands = "x;y\n1.234;1\n12.345.678;2\n";
    assert_eq!(places(&folder, "thousands.csv", thousands, &comma()), [[1234.0, 1.0], [12_345_678.0, 2.0]]);
    let message = folder.refusal_with("both.csv", "x;y\n1.5;1\n2.125;2\n", &comma());
    assert!(
        message.contains("takes the point of 2.125 as one between thousands, but 1.5 has a decimal point"),
        "{message}"
    );
}

#[test]
fn what_a_table_says_in_another_way_is_noted() {
    let folder = Folder::new();
    let notes = |name: &str, text: &[u8], change: &dyn Fn(&mut LoadOptions)| {
        load(folder.file(name, text), &overrides(|o| change(o))).expect(name).notes
    };
    let by_city = |o: &mut LoadOptions| o.color_by = Some("city".into());
    let latin = notes("latin.csv", b"x,y,city\n1,2,Z\xfcrich\n2,3,Bern\n", &by_city);
    assert!(latin[0].contains("some text is not UTF-8"), "{latin:?}");
    assert!(notes("utf8.csv", "x,y,city\n1,2,Zürich\n2,3,Bern\n".as_bytes(), &by_city).is_empty());
    let by_time = |o: &mut LoadOptions| (o.x, o.y) = (Some("when".into()), Some("y".into()));
    let winter = notes("winter.csv", b"when,y\n2024-03-10T01:30:00-05:00,2\n2024-03-10T02:30:00-05:00,3\n", &by_time);
    assert!(winter[0].ends_with("winter.csv: times of when are shown in UTC"), "{winter:?}");
    for utc in ["2024-03-10T01:30:00Z", "2024-03-10T01:30:00+00:00", "2024-03-10 01:30", "2024-03-10"] {
        assert!(notes("utc.csv", format!("when,y\n{utc},2\n").as_bytes(), &by_time).is_empty(), "{utc}");
    }
}

#[test]
fn columns_of_one_name_are_told_apart() {
    let folder = Folder::new();
    let path = folder.file("t.csv", "m,a,m\n1,1,100\n2,2,200\n");
    let options = overrides(|o| (o.x, o.y) = (Some("m".into()), Some("m.1".into())));
    let described = describe(&path, &options).expect("a table");
    let ranges = &described.sources[0].ranges;
    let names: Vec<&str> = ranges.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["m", "a", "m.1"]);
    assert_eq!(ranges[2].1, [100.0, 200.0]);
    let loaded = load(&path, &options).expect("a table");
    assert!(loaded.notes[0].contains("another column is named m, too, and is read as m.1"), "{:?}", loaded.notes);
}

#[test]
fn decimal_commas_are_read_when_asked_for_and_hinted_at() {
    let folder = Folder::new();
    let message = folder.refusal("semi.csv", GERMAN);
    assert!(message.contains("got \"20,33\"; --decimal , reads decimal commas"), "{message}");
    assert_eq!(places(&folder, "semi.csv", GERMAN, &comma()), [[20.33, 0.4], [88.9821, 40.21]]);
    let source = describe(folder.file("semi.csv", GERMAN), &comma()).expect("a table").sources.remove(0);
    let range = source.ranges.iter().find(|(name, _)| name == "Pop").map(|(_, range)| *range);
    assert_eq!(range, Some([1000.92, 10_237.65]));
    let quoted = "POLYID,X,Y\n1,\"0,7777\",\"1,2\"\n2,\"1001,3\",\"0,4\"\n";
    assert_eq!(places(&folder, "quoted.csv", quoted, &comma()), [[0.7777, 0.4], [1001.3, 1.2]]);
    assert_eq!(places(&folder, "tabs.tsv", "x\ty\n1,5\t2\n3\t-4,25\n", &comma()), [[1.5, -4.25], [3.0, 2.0]]);
    assert_eq!(places(&folder, "blanks.csv", "x y\n1,5 2\n3 -4,25\n", &comma()), [[1.5, -4.25], [3.0, 2.0]]);
    // a column that is no coordinate is text without the option, which a note says
    let other = "x;y;v\n1;2;3,5\n2;3;4,5\n";
    let notes = load(folder.file("v.csv", other), &LoadOptions::default()).expect("a table").notes;
    assert!(
        notes.iter().any(|note| note.contains("the numbers of v have decimal commas and are read as text")),
        "{notes:?}"
    );
    let scene = "[[points]]\nfile = \"v.csv\"\ndecimal = \",\"\n";
    assert!(load(folder.file("s.toml", scene), &LoadOptions::default()).is_ok());
    let message = folder.refusal_with("a.xyz", "1\n\nC 0 0 0\n", &comma());
    assert!(message.contains("is for tables of text"), "{message}");
}

#[test]
fn a_spreadsheet_may_name_its_separator_and_write_utf16() {
    let folder = Folder::new();
    for text in [
        "sep=;\nx;y;v\n1;2;3\n2;3;4\n4;1;2\n",
        "sep=;\r\nx;y;v\r\n1;2;3\r\n2;3;4\r\n4;1;2\r\n",
        "SEP=|\nx|y\n1|1\n4|3\n",
    ] {
        assert_eq!(places(&folder, "excel.csv", text, &LoadOptions::default()), [[1.0, 1.0], [4.0, 3.0]], "{text}");
    }
    let text = "\u{feff}x y name\n1 2 ä\n4 3 b\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        let found = folder.circles("wide.csv", &bytes, &LoadOptions::default());
        assert_eq!(only_circles(&found).len(), 2);
        assert_eq!(places(&folder, "wide.csv", &bytes, &LoadOptions::default()), [[1.0, 2.0], [4.0, 3.0]]);
    }
}

#[test]
fn exponents_of_fortran_are_read() {
    let folder = Folder::new();
    let atoms =
        centers(&folder.spheres("d.xyz", "2\n\nC 0.0D+00 1.0d0 0\nO 1.2D+00 1.0d0 -2.5D-1\n", &LoadOptions::default()));
    assert_eq!(atoms, [[0.0, 1.0, 0.0], [1.2, 1.0, -0.25]]);
    assert_eq!(
        places(&folder, "d.csv", "x,y\n1.5D+1,2.0D0\n2.0d1,-1D+0\n", &LoadOptions::default()),
        [[15.0, -1.0], [20.0, 2.0]]
    );
}

#[test]
fn files_that_are_not_read_are_named_for_what_they_are() {
    let folder = Folder::new();
    let feature =
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[8.5,47.4]},\"properties\":{}}\n";
    let local = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ENTRIES\n1\nITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n0 4\nITEM: ENTRIES index c_1[1]\n1 1\n";
    for (name, text, what, way) in [
        ("rows.jsonl", "{\"x\":1,\"y\":2}\n{\"x\":2,\"y\":3}\n".to_owned(), "a file of JSON lines", ".csv"),
        ("one.ndjson", "{\"x\":1,\"y\":2}\n".to_owned(), "a file of JSON lines", ".csv"),
        ("rows.json", "{\"x\":1,\"y\":2}\n{\"x\":2,\"y\":3}\n".to_owned(), "a file of JSON lines", ".csv"),
        ("places.geojsonl", feature.repeat(2), "GeoJSON", "ogr2ogr"),
        ("places.json", format!("{{\"type\":\"FeatureCollection\",\"features\":[{feature}]}}"), "GeoJSON", "ogr2ogr"),
        (
            "dump.yaml",
            "---\ncreator: LAMMPS\ntimestep: 0\nkeywords: [ id, x, ]\n...\n".to_owned(),
            "dump yaml",
            "dump custom",
        ),
        ("local.dump", local.to_owned(), "dump local", "--topology"),
    ] {
        let message = folder.refusal(name, text);
        assert!(
            message.contains(what) && message.contains("not supported") && message.contains(way),
            "{name}: {message}"
        );
    }
}

#[test]
fn gaussian_splats_are_noted() {
    let folder = Folder::new();
    let names =
        ["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1"];
    let head: String = names.map(|name| format!("property float {name}\n")).concat();
    let row = "0 0 0 1 1 1 0 0 0 0 1 0\n";
    let ply = format!("ply\nformat ascii 1.0\nelement vertex 1\n{head}end_header\n{row}");
    let notes = load(folder.file("splats.ply", ply), &LoadOptions::default()).expect("points").notes;
    assert!(
        notes.iter().any(|note| note.contains("Gaussian splats") && note.contains("red, green and blue")),
        "{notes:?}"
    );
}

#[test]
fn places_on_both_sides_of_the_antimeridian_are_noted() {
    let folder = Folder::new();
    let notes = |rows: &str| {
        load(folder.file("p.csv", format!("lon,lat,v\n{rows}")), &LoadOptions::default()).expect("a map").notes
    };
    let has = |notes: &[String]| notes.iter().any(|note| note.contains("both sides of the antimeridian"));
    let fiji = notes("170,-17,1\n175,-18,2\n179.5,-17,3\n-179.5,-16,4\n-175,-18,5\n-170,-17,6\n");
    assert!(has(&fiji), "{fiji:?}");
    assert!(!has(&notes("170,-17,1\n175,-18,2\n")));
    assert!(!has(&notes("-120,40,1\n-70,45,2\n10,50,3\n100,20,4\n")), "the whole world");
}
