//! Draws a molecule, caffeine unless one is named, into trace_molecule.png, or into the file named as last argument.
//!
//!     cargo run --release --example trace_molecule [-- MOLECULE.pdb [OUT.png]]

use std::error::Error;
use std::path::PathBuf;

use roundel::{Overrides, Settings, read_scene, render, write_png};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let caffeine = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/caffeine.xyz");
    let molecule = arguments.next().unwrap_or(caffeine.into());
    let path = arguments.next().unwrap_or("trace_molecule.png".into());
    // a bare molecule is framed and drawn space-filling; what is named here takes the place of a default
    let wishes = Overrides { width: Some(480), height: Some(360), samples: Some(9), ..Overrides::default() };
    let scene = read_scene(&molecule, &wishes)?;
    write_png(&path, &render(&scene, &Settings::default())?)?;
    println!("wrote {}", path.display());
    Ok(())
}
