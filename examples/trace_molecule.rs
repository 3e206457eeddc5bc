//! Draws a molecule (caffeine by default) into trace_molecule.png, or into the file named as last argument.
//!
//!     cargo run --release --example trace_molecule [-- MOLECULE.pdb [OUT.png]]

use std::error::Error;
use std::path::PathBuf;

use roundel::io::{LoadOptions, read_scene};
use roundel::{RenderSettings, render};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let caffeine = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenes/caffeine.xyz");
    let molecule = arguments.next().unwrap_or(caffeine.into());
    let path = arguments.next().unwrap_or("trace_molecule.png".into());
    // a small molecule is framed and drawn as balls and sticks; options replace single defaults
    let options = LoadOptions { width: Some(480), height: Some(360), samples: Some(9), ..LoadOptions::default() };
    let scene = read_scene(&molecule, &options)?;
    render(&scene, &RenderSettings::default())?.save_png(&path)?;
    println!("wrote {}", path.display());
    Ok(())
}
