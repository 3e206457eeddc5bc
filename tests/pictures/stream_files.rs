//! Files drawn a block at a time have the same bytes as files in memory.

use std::fs;
use std::path::{Path, PathBuf};

use super::stream::{drawn, renderer};
use roundel::generate::{self, Pattern};
use roundel::io::{LoadOptions, StreamedCircles, StreamedScene, load};
use roundel::spheres::{AmbientOcclusion, PaintedSphere, ShadingOverrides, ShadingPreset, SphereGroup, StandardView};
use roundel::{Frame, Srgba8};

fn overrides() -> LoadOptions {
    LoadOptions {
        look: Some(ShadingPreset::Headlight),
        ao: Some(AmbientOcclusion::Off),
        view: Some(StandardView::Front),
        width: Some(90),
        ..LoadOptions::default()
    }
}

/// A NumPy array with this many columns.
fn npy(rows: &[Vec<f32>]) -> Vec<u8> {
    let shape = format!("({}, {})", rows.len(), rows[0].len());
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).expect("a short header").to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(rows.iter().flatten().flat_map(|number| number.to_le_bytes()));
    bytes
}

fn rows(count: usize, columns: usize) -> Vec<Vec<f32>> {
    let row = |sphere: PaintedSphere| {
        let [x, y, z] = sphere.center;
        [x, 0.5 * y, z, sphere.radius][..columns].to_vec()
    };
    generate::spheres(Pattern::Uniform, count, 5).into_iter().map(row).collect()
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).expect("a file in a temporary folder");
    path
}

fn streamed(paths: &[PathBuf], overrides: &LoadOptions) -> Frame {
    let scene = StreamedScene::files(paths, overrides).expect("files that are streamed");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
    scene.draw(&mut renderer(), &mut frame).expect("within the budget");
    frame
}

fn loaded(path: &Path, overrides: &LoadOptions) -> Frame {
    let loaded = load(path, overrides).expect("a file of spheres");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
    loaded.draw(&mut renderer(), &mut frame).expect("within the budget");
    frame
}

#[test]
fn files_are_drawn_as_if_they_were_in_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let csv: String = std::iter::once("x,y,z,kind,mass\n".to_owned())
        .chain((0..3000).map(|i| format!("{},{},{},k{},{}\n", i % 17, i % 23, i % 29, i / 1100, i % 7)))
        .collect();
    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n0 4\n\
                ITEM: ATOMS id type x y z\n1 1 1 1 1\n2 2 2 2 2\n3 1 3 3 1\n";
    let mass = |range| LoadOptions { color_by: Some("mass".to_owned()), color_range: Some(range), ..overrides() };
    let numbers = roundel::color::ColorRange::Numbers([0.0, 5.0]);
    let kinds = LoadOptions { color_by: Some("kind".to_owned()), ..overrides() };
    let no_cell = |overrides: LoadOptions| {
        let mut figure = overrides.figure.clone();
        figure.cell = Some(false);
        LoadOptions { figure, ..overrides }
    };
    let mut cases = vec![
        ("rows.npy", npy(&rows(70_000, 4)), overrides()),
        // the radius depends on all rows
        ("centers.npy", npy(&rows(3000, 3)), overrides()),
        ("table.csv", csv.clone().into_bytes(), mass(numbers)),
        ("kinds.csv", csv.clone().into_bytes(), kinds),
        ("atoms.dump", dump.as_bytes().to_vec(), no_cell(overrides())),
    ];
    let placed = LoadOptions { eye: Some([3.0, 2.0, 4.0]), height: Some(60), ..overrides() };
    cases.push(("placed.npy", npy(&rows(5000, 4)), LoadOptions { view: None, ..placed }));
    let turned = LoadOptions { azimuth: Some(25.0), zoom: Some(1.5), ..overrides() };
    cases.push(("turned.npy", npy(&rows(5000, 4)), LoadOptions { ortho: Some(true), ..turned }));
    for (name, content, overrides) in cases {
        let path = write(folder.path(), name, content);
        assert!(streamed(std::slice::from_ref(&path), &overrides) == loaded(&path, &overrides), "{name}");
    }
}

#[test]
fn eyes_and_data_far_away_are_as_in_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let near = write(folder.path(), "near.npy", npy(&rows(4000, 4)));
    let moved = rows(4000, 4).into_iter().map(|row| vec![row[0] + 4096.0, row[1] - 8192.0, row[2] + 2048.0, row[3]]);
    let far = write(folder.path(), "far.npy", npy(&moved.collect::<Vec<_>>()));
    // oblique, a million units away
    let (eye, target) = ([601_687.06, 501_405.9, 621_743.3], [0.0; 3]);
    let from =
        |eye, target| LoadOptions { eye: Some(eye), target: Some(target), height: Some(60), view: None, ..overrides() };
    let ortho = |options| LoadOptions { ortho: Some(true), ortho_height: Some(1.2), ..options };
    let hard = ShadingOverrides::default().with("key_angle", 0.0).and_then(|hard| hard.with("cloud_radius", 0.0));
    let hard = hard.expect("numbers of looks");
    let lit = |options| LoadOptions { look: Some(ShadingPreset::Studio), shading: hard, ..options };
    let beside = ([4096.0 + 3.0, -8192.0 + 2.0, 2048.0 + 4.0], [4096.0, -8192.0, 2048.0]);
    let narrow = LoadOptions { fov: Some(0.01), ..from(eye.map(|along| 0.01 * along), target) };
    for (name, path, options) in [
        ("parallel rays", &near, ortho(from(eye, target))),
        ("shadows", &near, lit(ortho(from(eye, target)))),
        ("perspective", &near, narrow),
        ("far data", &far, from(beside.0, beside.1)),
        ("far data and parallel rays", &far, ortho(from([6e5, 5e5, 6.2e5], beside.1))),
        ("far data in full view", &far, overrides()),
    ] {
        let streamed = streamed(std::slice::from_ref(path), &options);
        assert!(streamed == loaded(path, &options), "{name}");
        let first = streamed.pixels()[0];
        assert!(streamed.pixels().iter().any(|pixel| *pixel != first), "{name}: an empty picture");
    }
}

#[test]
fn the_first_pass_is_kept_beside_the_file_while_it_is_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = write(folder.path(), "rows.npy", npy(&rows(3000, 3)));
    let index = folder.path().join("rows.npy.roundel-index");
    let first = streamed(std::slice::from_ref(&path), &overrides());
    let kept = fs::read(&index).expect("the index of the file");
    assert!(streamed(std::slice::from_ref(&path), &overrides()) == first, "with the index");
    assert_eq!(fs::read(&index).expect("the index of the file"), kept);
    // with any content of the index, or another file's, the picture is right
    for content in [b"{}".to_vec(), b"nonsense".to_vec(), kept[..kept.len() / 2].to_vec()] {
        fs::write(&index, content).expect("a file in a temporary folder");
        assert!(streamed(std::slice::from_ref(&path), &overrides()) == first);
    }
    // of the same size, name and time
    fs::write(&index, &kept).expect("a file in a temporary folder");
    let time = fs::metadata(&path).and_then(|found| found.modified()).expect("a time");
    let halved: Vec<Vec<f32>> =
        rows(3000, 3).into_iter().map(|row| row.iter().map(|place| place / 2.0).collect()).collect();
    write(folder.path(), "rows.npy", npy(&halved));
    fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("set");
    assert!(streamed(std::slice::from_ref(&path), &overrides()) == loaded(&path, &overrides()), "of the same time");
    let mut larger = rows(3000, 3);
    larger.iter_mut().flatten().for_each(|place| *place *= 3.0);
    larger.push(vec![9.0, 0.0, 0.0]);
    write(folder.path(), "rows.npy", npy(&larger));
    assert!(streamed(std::slice::from_ref(&path), &overrides()) == loaded(&path, &overrides()), "of another file");
}

#[test]
fn several_files_are_one_scene() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = rows(3000, 3);
    let whole = write(folder.path(), "whole.npy", npy(&rows));
    let parts = [&rows[..1000], &rows[1000..1001], &rows[1001..]];
    let parts: Vec<_> =
        (0..).zip(parts).map(|(index, rows)| write(folder.path(), &format!("part-{index}.npy"), npy(rows))).collect();
    assert!(streamed(&parts, &overrides()) == loaded(&whole, &overrides()));
}

#[test]
fn generated_spheres_are_those_of_a_table() {
    let count = 2000_u16;
    let scene = StreamedScene::generated(Pattern::Gaussian, count.into(), 9, &overrides()).expect("a pattern");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
    let (_, statistics) = scene.draw(&mut renderer(), &mut frame).expect("within the budget");
    assert_eq!(statistics.shapes, u64::from(count));
    let group = SphereGroup::from(generate::spheres(Pattern::Gaussian, count.into(), 9));
    let whole = roundel::io::scene_of_spheres(vec![group], roundel::io::SphereKind::Particles, &overrides());
    assert!(frame == drawn(&mut renderer(), whole.expect("spheres")));
}

#[test]
fn generated_circles_are_those_of_a_scene_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let size = LoadOptions { width: Some(120), height: Some(90), ..LoadOptions::default() };
    for pattern in [Pattern::Uniform, Pattern::Sunflower] {
        let text = format!("[canvas]\n[[generate]]\nkind = \"{}\"\ncount = 4000\nseed = 3\n", pattern.name());
        let path = write(folder.path(), "circles.toml", text);
        let scene = StreamedCircles::generated(pattern, 4000, 3, &size).expect("a pattern");
        let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
        scene.draw(&mut renderer(), &mut frame).expect("within the budget");
        assert!(frame == loaded(&path, &size), "{}", pattern.name());
    }
}

#[test]
fn what_depends_on_all_rows_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = write(folder.path(), "table.csv", "x,y,z,mass\n1,2,3,4\n5,6,7,8\n");
    let flat = write(folder.path(), "flat.csv", "x,y\n1,2\n3,4\n");
    let color = LoadOptions { color_by: Some("mass".to_owned()), ..overrides() };
    let only = LoadOptions { only: Some("mass > 3".to_owned()), ..overrides() };
    let broadside = LoadOptions { view: Some(StandardView::Broadside), ..overrides() };
    for (paths, overrides, part) in [
        (vec![path.clone()], color, "color_range"),
        (vec![path.clone()], only, "only"),
        (vec![path.clone()], broadside, "broadside"),
        (vec![flat], overrides(), "circles"),
        (vec![PathBuf::from("-")], overrides(), "standard input"),
        (vec![path, folder.path().join("none.npy")], overrides(), "none.npy"),
    ] {
        let message = StreamedScene::files(&paths, &overrides).expect_err(part).to_string();
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn truncated_files_end_in_one_message() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut bytes = npy(&rows(3000, 4));
    let whole = write(folder.path(), "whole.npy", &bytes);
    bytes.truncate(bytes.len() - 24);
    let cut = write(folder.path(), "cut.npy", &bytes);
    let error = StreamedScene::files(&[whole, cut], &overrides()).expect_err("a row is missing").to_string();
    assert!(error.contains("cut.npy") && error.contains("3000 rows"), "{error}");
}
