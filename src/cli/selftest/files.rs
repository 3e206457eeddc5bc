//! The golden scenes and the files they name, carried in the program: an installed one has no folder of them.

use std::fs;
use std::path::Path;

use roundel::io::{Overrides, read_scene};
use roundel::{Error, Result, Scene};

/// Files of `golden/` by name, and what is in them.
macro_rules! embedded {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../../golden/", $name)) as &[u8])),*]
    };
}

/// Every scene of `golden/` and all that these name: a test compares the list with the folder.
#[rustfmt::skip]
const GOLDEN: &[(&str, &[u8])] = &embedded![
    "raster/alpha.toml" "raster/background-transparent.toml" "raster/blend-linear.toml" "raster/blend-srgb.toml"
    "raster/bullseye.toml" "raster/circles-huge.toml" "raster/circles-tiny.toml" "raster/ellipses.toml"
    "raster/fills.toml" "raster/generate-gaussian.toml" "raster/generate-lattice.toml"
    "raster/generate-sphereflake.toml" "raster/generate-sunflower.toml" "raster/generate-uniform.toml"
    "raster/off-canvas.toml" "raster/order.toml" "raster/places.csv" "raster/points-categories.toml"
    "raster/points-log.toml" "raster/points-map.toml" "raster/scene-json.json" "raster/strokes.toml"
    "raster/view-window.toml" "trace/all-together.toml" "trace/ambient.toml" "trace/auto-framing.toml"
    "trace/background-gradient.toml" "trace/background-transparent.toml" "trace/camera-inside.toml"
    "trace/camera-roll.toml" "trace/ethanol.xyz" "trace/far.toml" "trace/generate-lattice.toml"
    "trace/generate-sphereflake.toml" "trace/generate-sunflower.toml" "trace/generate-uniform.toml"
    "trace/headlight.toml" "trace/intersecting.toml" "trace/lights.toml" "trace/molecule-assembly.toml"
    "trace/molecule-pdb-chain.toml" "trace/molecule-pdb-residue.toml" "trace/molecule-pdb.toml"
    "trace/molecule-xyz-small.toml" "trace/molecule-xyz.toml" "trace/near-eye.toml" "trace/occlusion-distance.toml"
    "trace/occlusion.toml" "trace/orthographic.toml" "trace/particles.csv" "trace/particles.toml" "trace/peptides.pdb"
    "trace/perspective.toml" "trace/points-small.toml" "trace/samples.toml" "trace/shadows.toml" "trace/ties.toml"
];

/// The golden scenes by name, `golden/raster/alpha` and so on, in the order of their names.
pub(super) fn golden_scenes() -> Result<Vec<(String, Scene<'static>)>> {
    unpacked(GOLDEN, |folder| {
        let scenes = GOLDEN.iter().filter_map(|(file, _)| Some((*file, name(file)?)));
        scenes.map(|(file, name)| Ok((name, read_scene(folder.join(file), &Overrides::default())?))).collect()
    })
}

/// What the manifest calls the scene of a file; `None` for a file that is no scene.
fn name(file: &str) -> Option<String> {
    let stem = file.strip_suffix(".toml").or_else(|| file.strip_suffix(".json"))?;
    Some(format!("golden/{stem}"))
}

/// Reads from a temporary folder with these files in it, which is gone afterwards.
pub(super) fn unpacked<T>(files: &[(&str, &[u8])], read: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let folder = tempfile::Builder::new().prefix("roundel-selftest-").tempdir();
    let folder = folder.map_err(|source| Error::Io { action: "write", path: std::env::temp_dir(), source })?;
    for (name, bytes) in files {
        let path = folder.path().join(name);
        let parent = path.parent().expect("files are in the folder");
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes));
        written.map_err(|source| Error::Io { action: "write", path, source })?;
    }
    read(folder.path())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_golden_scene_and_its_files_are_carried() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
        let mut found = BTreeSet::new();
        for part in ["raster", "trace"] {
            for entry in fs::read_dir(golden.join(part)).expect("a folder of goldens") {
                let file = entry.expect("readable").file_name().into_string().expect("an ASCII name");
                if !file.ends_with(".png") {
                    found.insert(format!("{part}/{file}"));
                }
            }
        }
        let carried: BTreeSet<String> = GOLDEN.iter().map(|(file, _)| (*file).to_owned()).collect();
        assert_eq!(carried, found, "the list in {} is not the folder", file!());
    }

    #[test]
    fn unpacked_files_are_gone_afterwards() {
        let place = unpacked(&[("deep/note", b"hello")], |folder| {
            assert_eq!(fs::read(folder.join("deep/note")).expect("there"), b"hello");
            Ok(folder.to_owned())
        });
        assert!(!place.expect("read").exists());
    }
}
