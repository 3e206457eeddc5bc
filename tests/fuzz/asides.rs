//! Fuzzes figures, selections and the indexes beside data files.

use std::fs;

use roundel::io::{LoadOptions, StreamedScene, load};
use roundel::spheres::AmbientOcclusion;
use roundel::{Budget, Frame, RenderSettings, Renderer, Srgba8};

use super::engine::{Input, fuzz};
use super::scenes::with_file;

/// Pictures that take next to nothing to draw.
fn budget() -> Budget {
    Budget { pixels: 1 << 18, shapes: 1 << 12, memory: 1 << 26 }
}

fn renderer() -> Renderer {
    Renderer::new(&RenderSettings::default().with_budget(budget())).expect("threads")
}

#[test]
fn figures_survive_mutated_marks_and_cameras() {
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
    let renderer = std::cell::RefCell::new(renderer());
    let frame = std::cell::RefCell::new(&mut frame);
    fuzz("figures", Input::Text, |input| {
        with_file("toml", input, |path| {
            fs::write(path.with_file_name("input.csv"), "a,b,c\n1,2,3\n4,5,6\n").expect("a temporary file");
            let wanted = LoadOptions { budget: budget(), ..LoadOptions::default() };
            let Ok(loaded) = load(path, &wanted) else { return };
            // what does not fit into the budget is refused
            let _ = loaded.draw(&mut renderer.borrow_mut(), &mut frame.borrow_mut());
        });
    });
}

#[test]
fn selections_survive_mutation() {
    let molecule = "ATOM      1  CA  GLY A   1       1.000   2.000   3.000  1.00  0.00           C\n";
    fuzz("selections", Input::Text, |input| {
        with_file("pdb", molecule.as_bytes(), |path| {
            let only = Some(String::from_utf8_lossy(input).into_owned());
            drop(load(path, &LoadOptions { only, budget: budget(), ..LoadOptions::default() }));
        });
    });
}

#[test]
fn indexes_beside_data_survive_mutation() {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }";
    let mut array = format!("\u{1}{header:<117}\n").into_bytes();
    array.splice(0..1, *b"\x93NUMPY\x01\x00\x76\x00");
    array.extend([0.0_f32, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0, 1.0].iter().flat_map(|value| value.to_le_bytes()));
    let renderer = std::cell::RefCell::new(renderer());
    fuzz("index", Input::Text, |input| {
        with_file("npy", &array, |path| {
            let wanted = LoadOptions {
                width: Some(24),
                height: Some(16),
                ao: Some(AmbientOcclusion::Off),
                budget: budget(),
                ..LoadOptions::default()
            };
            // one that is right, whose parts are changed
            let index = path.with_file_name("input.npy.roundel-index");
            drop(StreamedScene::files(&[path.to_owned()], &wanted));
            let mut known = fs::read(&index).unwrap_or_default();
            let place = input.iter().map(|&byte| usize::from(byte)).sum::<usize>() % known.len().max(1);
            let end = known.len().min(place + input.len() % 24);
            known.splice(place..end, input.iter().copied().take(input.len() % 32));
            fs::write(&index, known).expect("a temporary file");
            let Ok(scene) = StreamedScene::files(&[path.to_owned()], &wanted) else { return };
            let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
            let _ = scene.draw(&mut renderer.borrow_mut(), &mut frame);
        });
    });
}
