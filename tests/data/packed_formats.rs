//! DL_POLY and VTK's XML: counts, positions and columns in every encoding.

use crate::files::{Folder, centers, overrides, small, spheres};
use roundel::io::{Description, LoadOptions, describe};

fn described(name: &str) -> Description {
    describe(small(name), &LoadOptions::default()).expect(name)
}

/// Atoms by element, in the order of the symbols.
fn elements(description: &Description) -> Vec<(&str, u64)> {
    let mut elements: Vec<_> =
        description.sources[0].elements.iter().map(|(symbol, count)| (symbol.as_str(), *count)).collect();
    elements.sort_unstable();
    elements
}

#[test]
fn configurations_and_histories_of_dl_poly_are_read() {
    let salt = described("salt.config");
    assert_eq!(elements(&salt), [("Cl", 1), ("H", 1), ("Na", 1), ("O", 1)]);
    assert_eq!(salt.sources[0].bounds, Some([vec![-3.0, -3.0, -3.5], vec![0.9, 0.0, -3.0]]));
    assert_eq!(salt.sources[0].cell.expect("a cell").lengths, [8.0; 3]);
    assert!(salt.sources[0].ranges.iter().any(|(name, range)| name == "vz" && *range == [0.0, 1.0]));
    let history = described("argon.history");
    assert_eq!((history.sources[0].models, history.sources[0].records), (2, 2));
    let second = spheres(&small("argon.history"), &overrides(|o| o.frame = Some(1)));
    assert_eq!(centers(&second), [[1.5, 0.0, 0.0], [-1.5, 0.0, 1.0]]);
    let folder = Folder::new();
    let text = std::fs::read_to_string(small("salt.config")).expect("a file");
    let message = folder.refusal("s.config", &text[..text.len() - 60]);
    assert!(message.contains("must be three numbers of the atom \"HW\""), "{message}");
}

#[test]
fn vtk_files_in_xml_are_the_same_in_every_encoding() {
    for name in ["ascii.vtp", "inline.vtp", "inline-zlib.vtp", "appended.vtp", "raw.vtp", "grid-raw-zlib.vtu"] {
        let found = described(name);
        let source = &found.sources[0];
        assert_eq!(source.bounds, Some([vec![0.0; 3], vec![3.0, 2.0, 1.0]]), "{name}");
        assert_eq!(source.columns, ["x", "y", "z", "charge", "vx", "vy", "vz", "type"], "{name}");
        let range = |name: &str| source.ranges.iter().find(|(known, _)| known == name).map(|(_, range)| *range);
        assert_eq!(
            [range("charge"), range("vz"), range("type")],
            [Some([-1.0, 2.5]), Some([2.0, 11.0]), Some([1.0, 2.0])],
            "{name}"
        );
    }
    let folder = Folder::new();
    let bytes = std::fs::read(small("raw.vtp")).expect("a file");
    let message = folder.refusal("short.vtp", &bytes[..bytes.len() - 80]);
    assert!(message.contains("is shorter than it says"), "{message}");
    let text = std::fs::read_to_string(small("ascii.vtp"))
        .expect("text")
        .replace("NumberOfPoints=\"4\"", "NumberOfPoints=\"5\"");
    let message = folder.refusal("more.vtp", text);
    assert!(message.contains("must have 15 numbers, got 12"), "{message}");
}

/// A file of the fuzzer's corpus.
#[cfg(feature = "heavy-formats")]
fn scan(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/las").join(name)
}

#[cfg(feature = "heavy-formats")]
#[test]
fn points_of_laser_scanners_are_placed_by_scale_and_offset() {
    for name in ["scan.las", "scan.laz", "scan-1.4.las", "scan-1.4.laz"] {
        let path = scan(name);
        let found = describe(&path, &LoadOptions::default()).expect(name);
        let source = &found.sources[0];
        assert_eq!(source.bounds, Some([vec![1000.0, 2000.0, -2.5], vec![1003.25, 2002.0, 1.0]]), "{name}");
        let range = |name: &str| source.ranges.iter().find(|(known, _)| known == name).map(|(_, range)| *range);
        assert_eq!(
            [range("intensity"), range("classification"), range("return")],
            [Some([10.0, 65_535.0]), Some([2.0, 6.0]), Some([1.0, 2.0])]
        );
        assert_eq!(range("gps_time"), name.contains("1.4").then_some([1.5, 3.5]));
        let scene = spheres(&path, &LoadOptions::default());
        let colors: Vec<_> = crate::files::only_spheres(&scene).iter().map(|sphere| sphere.color.to_string()).collect();
        assert_eq!(colors, ["#ff0000", "#00ff00", "#000080"], "{name}");
    }
    let folder = Folder::new();
    let bytes = std::fs::read(scan("scan.las")).expect("a file");
    let message = folder.refusal("short.las", &bytes[..bytes.len() - 30]);
    assert!(message.starts_with("short.las: "), "{message}");
}
