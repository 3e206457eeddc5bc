//! Point clouds: PLY, PCD, VTK, arrays of NumPy, and rows of numbers in files named .xyz.

use super::data_formats::spheres;
use crate::files::{self, Folder, centers, color, only_spheres, overrides, sample};
use roundel::Scene;
use roundel::io::{Format, LoadOptions, describe, load};

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
