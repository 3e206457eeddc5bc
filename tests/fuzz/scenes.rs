//! Files of scenes and data: read, described, and drawn if valid.

use std::path::Path;

use roundel::io::{LoadOptions, describe, read_scene};
use roundel::{RenderSettings, Scene, render};

use super::engine::{Input, fuzz};

#[test]
fn csv_reader_survives_mutated_tables() {
    fuzz("csv", Input::Text, |input| draw_file("csv", input));
}

#[test]
fn xyz_reader_survives_mutated_molecules() {
    fuzz("xyz", Input::Text, |input| draw_file("xyz", input));
}

#[test]
fn pdb_reader_survives_mutated_molecules() {
    fuzz("pdb", Input::Text, |input| draw_file("pdb", input));
}

#[test]
fn pdb_assemblies_survive_mutation() {
    fuzz("assembly", Input::Text, |input| {
        with_file("pdb", input, |path| {
            for assembly in [1, 2] {
                draw_if_read(path, &LoadOptions { assembly: Some(assembly), ..small() });
            }
        });
    });
}

#[test]
fn cif_reader_survives_mutated_molecules() {
    fuzz("cif", Input::Text, |input| draw_file("cif", input));
}

#[test]
fn binary_cif_reader_survives_mutated_molecules() {
    fuzz("bcif", Input::Text, |input| draw_file("bcif", input));
}

#[test]
fn gro_reader_survives_mutated_frames() {
    fuzz("gro", Input::Text, |input| draw_file("gro", input));
}

#[test]
fn lammps_readers_survive_mutated_particles() {
    fuzz("lammps-dump", Input::Text, |input| draw_file("dump", input));
    fuzz("lammps-data", Input::Text, |input| draw_file("data", input));
}

#[test]
fn readers_of_molecules_survive_mutation() {
    for (corpus, ending) in [("sdf", "sdf"), ("mol2", "mol2"), ("pqr", "pqr"), ("vasp", "vasp"), ("rst7", "rst7")] {
        fuzz(corpus, Input::Text, |input| draw_file(ending, input));
    }
}

#[test]
fn readers_of_trajectories_survive_mutation() {
    fuzz("trr", Input::Text, |input| draw_file("trr", input));
    fuzz("netcdf", Input::Text, |input| draw_file("nc", input));
    fuzz("gsd", Input::Text, |input| draw_file("gsd", input));
    fuzz("h5md", Input::Text, |input| draw_file("h5md", input));
    fuzz("dlpoly", Input::Text, |input| draw_file("config", input));
}

#[test]
fn topologies_survive_mutation() {
    let trajectory =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/trr/water.trr")).expect("a sample");
    for corpus in ["psf", "prmtop"] {
        fuzz(corpus, Input::Text, |input| {
            with_file(corpus, input, |path| {
                let data = path.with_file_name("input.trr");
                std::fs::write(&data, &trajectory).expect("a temporary file");
                let topology = Some(path.display().to_string());
                draw_if_read(&data, &LoadOptions { topology, ..small() });
            });
        });
    }
}

#[test]
fn readers_of_points_survive_mutation() {
    fuzz("pcd", Input::Text, |input| draw_file("pcd", input));
    fuzz("vtk", Input::Text, |input| draw_file("vtk", input));
    fuzz("vtp", Input::Text, |input| draw_file("vtp", input));
}

#[test]
fn ply_reader_survives_mutated_points() {
    fuzz("ply", Input::Text, |input| draw_file("ply", input));
}

#[test]
fn npy_reader_survives_mutated_arrays() {
    fuzz("npy", Input::Text, |input| draw_file("npy", input));
}

#[test]
fn npz_reader_survives_mutated_archives() {
    fuzz("npz", Input::Text, |input| draw_file("npz", input));
}

#[cfg(feature = "heavy-formats")]
#[test]
fn las_reader_survives_mutated_points() {
    fuzz("las", Input::Text, |input| draw_file("las", input));
}

#[cfg(feature = "heavy-formats")]
#[test]
fn parquet_reader_survives_mutated_tables() {
    fuzz("parquet", Input::Text, |input| draw_file("parquet", input));
}

#[cfg(feature = "heavy-formats")]
#[test]
fn arrow_reader_survives_mutated_tables() {
    fuzz("arrow", Input::Text, |input| draw_file("arrow", input));
}

#[test]
fn raw_reader_survives_mutated_rows() {
    fuzz("raw", Input::Text, |input| {
        with_file("bin", input, |path| {
            for layout in ["x,y,z,r:f32le", "x,y:i16be,color:u8"] {
                draw_if_read(path, &LoadOptions { raw: Some(layout.parse().expect(layout)), ..small() });
            }
        });
    });
}

#[test]
fn trajectory_readers_survive_mutated_frames() {
    fuzz("xtc", Input::Text, |input| draw_file("xtc", input));
    fuzz("dcd", Input::Text, |input| draw_file("dcd", input));
}

#[test]
fn decompression_survives_mutated_files() {
    fuzz("compressed", Input::Text, |input| draw_file("csv", input));
}

#[test]
fn toml_scenes_survive_mutation() {
    fuzz("toml", Input::Text, |input| draw_file("toml", input));
}

#[test]
fn json_scenes_survive_mutation() {
    fuzz("json", Input::Text, |input| draw_file("json", input));
}

#[cfg(feature = "viewer")]
#[test]
fn recorded_events_survive_mutation() {
    fuzz("events", Input::Text, |input| {
        drop(roundel::viewer::parse_events("events.txt", &String::from_utf8_lossy(input)));
    });
}

/// Options that keep pictures small, whatever a file asks for.
fn small() -> LoadOptions {
    LoadOptions { width: Some(24), height: Some(16), ..LoadOptions::default() }
}

/// Reads a file of this format and draws it; errors are fine.
fn draw_file(ending: &str, input: &[u8]) {
    with_file(ending, input, |path| {
        drop(describe(path, &LoadOptions::default()));
        draw_if_read(path, &small());
    });
}

fn draw_if_read(path: &Path, overrides: &LoadOptions) {
    let Ok(scene) = read_scene(path, overrides) else { return };
    let rays = match &scene {
        Scene::Circles(_) => 1,
        Scene::Spheres(scene) => {
            u64::from(scene.shading.samples) * (1 + u64::from(scene.shading.ambient_occlusion.rays()))
        }
    };
    // a million rays per pixel are slow, but no hang
    if rays <= 256 {
        render(&scene, &RenderSettings::default()).expect("a scene that was read can be drawn");
    }
}

pub(crate) fn with_file(ending: &str, input: &[u8], action: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("input").with_extension(ending);
    std::fs::write(&path, input).expect("a temporary file");
    action(&path);
}
