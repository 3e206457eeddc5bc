//! Draws a scene file (docs/scenes/spheres.toml by default) into draw_scene.png, or into the file named as last
//! argument.
//!
//!     cargo run --release --example draw_scene [-- SCENE.toml [OUT.png]]

use std::error::Error;
use std::path::PathBuf;

use roundel::io::{LoadOptions, load};
use roundel::{Frame, RenderSettings, Renderer, Srgba8};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let spheres = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenes/spheres.toml");
    let file = arguments.next().unwrap_or(spheres.into());
    let path = arguments.next().unwrap_or("draw_scene.png".into());
    // options are the flags of `roundel render`
    let loaded = load(&file, &LoadOptions { samples: Some(9), ..LoadOptions::default() })?;
    loaded.notes.iter().for_each(|note| eprintln!("note: {note}"));
    let mut renderer = Renderer::new(&RenderSettings::default())?;
    let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
    // the scene with its legend, scale bar and title, if any
    loaded.draw(&mut renderer, &mut frame)?;
    frame.save_png(&path)?;
    println!("wrote {}", path.display());
    Ok(())
}
