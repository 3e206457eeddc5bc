//! Streams say of their rows what files in memory say, counted once over all rows.

use std::path::PathBuf;

use crate::files::{Folder, drawn, npy, overrides};
use roundel::io::{LoadOptions, StreamedScene, load};
use roundel::spheres::{AmbientOcclusion, ShadingPreset};
use roundel::{Frame, RenderSettings, Renderer, Srgba8};

const TABLE: &str = "x,y,z,radius,color,num,cat\n0,0,0,0.5,red,1,a\n1,0,0,0.5,zork,nan,b\n2,0,0,nan,blue,0,\n\
                     3,0,0,0.5,,5,NA\nnan,1,0,0.5,red,3,a\n0,2,1,0.5,#00ff00,-4,b\n0,3,1,0,green,40,c\n";

/// The notes on the rows of a file in memory, and on those of a stream of the files.
fn notes(files: &[PathBuf], options: &LoadOptions) -> [Vec<String>; 2] {
    let mut options = options.clone();
    (options.width, options.look, options.ao) = (Some(40), Some(ShadingPreset::Headlight), Some(AmbientOcclusion::Off));
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let is_of_rows = |note: &String| names.iter().any(|name| note.starts_with(name)) || note.contains("left out");
    let of_rows = |notes: Vec<String>| notes.into_iter().filter(is_of_rows).collect::<Vec<_>>();
    let streamed = || {
        let scene = StreamedScene::files(files, &options).expect("rows of spheres");
        let renderer = Renderer::new(&RenderSettings::default()).expect("settings");
        let visible = scene.visible(&renderer).expect("drawn");
        of_rows(scene.notes(&visible))
    };
    let first = streamed();
    assert_eq!(streamed(), first, "with the facts of the first pass");
    [of_rows(load(&files[0], &options).expect("rows of spheres").notes), first]
}

#[track_caller]
fn alike(file: PathBuf, options: &LoadOptions, expected: &[&str]) {
    let [whole, streamed] = notes(&[file], options);
    assert_eq!(streamed, whole);
    assert!(expected.len() == whole.len(), "{whole:#?}");
    assert!(expected.iter().zip(&whole).all(|(part, note)| note.contains(part)), "{whole:#?}");
}

fn by(column: &str, range: [f64; 2], scale: &str) -> LoadOptions {
    overrides(|o| {
        o.color_by = Some(column.to_owned());
        o.color_range = Some(roundel::color::ColorRange::Numbers(range));
        o.color_scale = Some(scale.parse().expect("a scale"));
    })
}

#[test]
fn rows_of_a_table_that_lack_something_are_noted() {
    let folder = Folder::new();
    let table = || folder.file("t.csv", TABLE);
    let (unplaced, sizeless) = ("1 row has no coordinates and is left out", "2 of 6 spheres have no radius above 0");
    alike(table(), &LoadOptions::default(), &[unplaced, "2 of 6 rows have no colour and are grey", sizeless]);
    let number = "1 of 6 rows has no number in num and is grey";
    alike(table(), &by("num", [0.0, 10.0], "linear"), &[unplaced, number, sizeless]);
    let beyond = "4 of 5 numbers of num are outside of the range 10 to 40 and have the colours of its ends";
    alike(table(), &by("num", [10.0, 40.0], "linear"), &[unplaced, number, beyond, sizeless]);
    let positive = "3 of 6 rows have no number above 0 in num and are grey";
    alike(table(), &by("num", [1.0, 50.0], "log"), &[unplaced, positive, sizeless]);
    let places = "3 of 6 rows have no number above 0 in x and are grey";
    alike(table(), &by("x", [1.0, 50.0], "log"), &[unplaced, places, sizeless]);
    let categories = overrides(|o| (o.color_by, o.categories) = (Some("cat".into()), vec!["d".into()]));
    let category = "2 of 6 rows have no category in cat and are grey";
    alike(table(), &categories, &[unplaced, category, sizeless]);
    let points = overrides(|o| (o.radius, o.color_by) = (Some("0".into()), Some("#ff0000".into())));
    alike(table(), &points, &[unplaced, "6 of 6 spheres have no radius above 0"]);
}

#[test]
fn rows_of_arrays_that_lack_something_are_noted() {
    let folder = Folder::new();
    let number = |index: u16| f32::from(index % 97) * if index % 4 == 3 { 0.01 } else { 1.0 } + 0.5;
    let mut rows: Vec<f32> = (0..40_000).map(number).collect();
    (rows[5], rows[11], rows[20_003], rows[30_003]) = (f32::NAN, f32::NAN, f32::NAN, 0.0);
    let bytes: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
    let expected = ["1 row has no coordinates and is left out", "3 of 9999 spheres have no radius above 0"];
    alike(folder.file("a.npy", npy("<f4", "(10000, 4)", &bytes)), &LoadOptions::default(), &expected);
    let doubles: Vec<u8> = rows.iter().flat_map(|number| f64::from(*number).to_le_bytes()).collect();
    let names = "[('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('radius', '<f8')]";
    let number = "2 of 9999 rows have no number in radius and are grey";
    let beyond = "numbers of radius are outside of the range 0.9 to 0.95 and have the colours of its ends";
    let file = folder.file("b.npy", npy(names, "(10000,)", &doubles));
    alike(file, &by("radius", [0.9, 0.95], "linear"), &[expected[0], number, beyond, expected[1]]);
    let mut levels = vec![100.0_f32; 600];
    (levels[9], levels[60]) = (f32::NAN, f32::NAN);
    let levels: Vec<u8> = levels.iter().flat_map(|number| number.to_le_bytes()).collect();
    let expected = ["1 row has no coordinates", "1 of 99 rows has no colour and is grey", "are colours from 0 to 255"];
    alike(folder.file("c.npy", npy("<f4", "(100, 6)", &levels)), &LoadOptions::default(), &expected);
}

#[test]
fn atoms_and_incomplete_frames_are_noted() {
    let folder = Folder::new();
    let ghosts = folder.file("g.xyz", "4\n\nH 0 0 0\nBq 1 0 0\nBq 2 0 0\nO 3 0 0\n");
    alike(ghosts, &LoadOptions::default(), &["2 ghost atoms"]);
    let frame = |step: u32| {
        let head =
            format!("ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n0 4\n");
        head + "ITEM: ATOMS id type x y z\n1 1 1 1 1\n"
    };
    let dump = folder.file("k.dump", frame(0) + "2 2 2 2 2\n" + &frame(1));
    let last = overrides(|o| (o.frame, o.figure.cell) = (Some(-1), Some(false)));
    alike(dump, &last, &["incomplete"]);
}

#[test]
fn rows_of_several_files_are_counted_file_by_file() {
    let folder = Folder::new();
    let whole = "x,y,z,cat,radius\n0,0,0,z,0.5\n1,0,0,a,0.5\n";
    let few = "x,y,z,cat,radius\n0,5,0,b,0.5\n1,5,0,,0.5\nnan,0,0,q,0.5\n";
    let files = [folder.file("a.csv", TABLE), folder.file("b.csv", whole), folder.file("c.csv", few)];
    let [_, streamed] = notes(&files, &overrides(|o| o.color_by = Some("cat".into())));
    let expected = [
        "a.csv: 1 row has no coordinates and is left out",
        "a.csv: 2 of 6 rows have no category in cat and are grey",
        "a.csv: 2 of 6 spheres have no radius above 0: counted and framed, they draw nothing",
        "c.csv: 1 row has no coordinates and is left out",
        "c.csv: 1 of 2 rows has no category in cat and is grey",
    ];
    assert!(streamed.len() == expected.len(), "{streamed:#?}");
    assert!(streamed.iter().zip(expected).all(|(note, end)| note.ends_with(end)), "{streamed:#?}");
    let files: Vec<PathBuf> = (0..11).map(|index| folder.file(&format!("{index}.csv"), few)).collect();
    let [_, streamed] = notes(&files, &overrides(|o| o.color_by = Some("cat".into())));
    assert_eq!(streamed.len(), 17, "{streamed:#?}");
    assert_eq!(streamed[16], "notes on the rows of 3 more files are left out");
}

#[test]
fn categories_have_the_same_colours_in_a_stream() {
    let folder = Folder::new();
    let options = overrides(|o| {
        (o.color_by, o.categories) = (Some("cat".into()), vec!["c".into(), "b".into()]);
        (o.width, o.height, o.look, o.ao) =
            (Some(40), Some(40), Some(ShadingPreset::Headlight), Some(AmbientOcclusion::Off));
        o.view = Some(roundel::spheres::StandardView::Front);
    });
    let file = folder.file("t.csv", TABLE);
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("settings");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
    let scene = StreamedScene::files(std::slice::from_ref(&file), &options).expect("rows of spheres");
    scene.draw(&mut renderer, &mut frame).expect("drawn");
    assert!(frame == drawn(&load(&file, &options).expect("rows of spheres")));
}
