//! The golden scenes and the files they name, embedded in the program: an installed program has no folder of them.

use roundel::Result;
use roundel::io::{LoadOptions, LoadedScene, MemoryFiles};

/// Names and contents of every scene in `golden/` and every file that a scene names. A test compares the list with the
/// folder.
const GOLDEN: [(&str, &str); 90] = [
    ("raster/alpha.toml", include_str!("../../../golden/raster/alpha.toml")),
    ("raster/axes.toml", include_str!("../../../golden/raster/axes.toml")),
    ("raster/background-transparent.toml", include_str!("../../../golden/raster/background-transparent.toml")),
    ("raster/blend-linear.toml", include_str!("../../../golden/raster/blend-linear.toml")),
    ("raster/blend-srgb.toml", include_str!("../../../golden/raster/blend-srgb.toml")),
    ("raster/bullseye.toml", include_str!("../../../golden/raster/bullseye.toml")),
    ("raster/circles-huge.toml", include_str!("../../../golden/raster/circles-huge.toml")),
    ("raster/circles-tiny.toml", include_str!("../../../golden/raster/circles-tiny.toml")),
    ("raster/edges.csv", include_str!("../../../golden/raster/edges.csv")),
    ("raster/edges.toml", include_str!("../../../golden/raster/edges.toml")),
    ("raster/ellipses.toml", include_str!("../../../golden/raster/ellipses.toml")),
    ("raster/figure.toml", include_str!("../../../golden/raster/figure.toml")),
    ("raster/fills.toml", include_str!("../../../golden/raster/fills.toml")),
    ("raster/generate-gaussian.toml", include_str!("../../../golden/raster/generate-gaussian.toml")),
    ("raster/generate-lattice.toml", include_str!("../../../golden/raster/generate-lattice.toml")),
    ("raster/generate-sphereflake.toml", include_str!("../../../golden/raster/generate-sphereflake.toml")),
    ("raster/generate-sunflower.toml", include_str!("../../../golden/raster/generate-sunflower.toml")),
    ("raster/generate-uniform.toml", include_str!("../../../golden/raster/generate-uniform.toml")),
    ("raster/legend-inside.toml", include_str!("../../../golden/raster/legend-inside.toml")),
    ("raster/off-canvas.toml", include_str!("../../../golden/raster/off-canvas.toml")),
    ("raster/order.toml", include_str!("../../../golden/raster/order.toml")),
    ("raster/places.csv", include_str!("../../../golden/raster/places.csv")),
    ("raster/points-categories.toml", include_str!("../../../golden/raster/points-categories.toml")),
    ("raster/points-log.toml", include_str!("../../../golden/raster/points-log.toml")),
    ("raster/points-map.toml", include_str!("../../../golden/raster/points-map.toml")),
    ("raster/scene-json.json", include_str!("../../../golden/raster/scene-json.json")),
    ("raster/segments.toml", include_str!("../../../golden/raster/segments.toml")),
    ("raster/strokes.toml", include_str!("../../../golden/raster/strokes.toml")),
    ("raster/view-window.toml", include_str!("../../../golden/raster/view-window.toml")),
    ("trace/all-together.toml", include_str!("../../../golden/trace/all-together.toml")),
    ("trace/ambient.toml", include_str!("../../../golden/trace/ambient.toml")),
    ("trace/arrows.toml", include_str!("../../../golden/trace/arrows.toml")),
    ("trace/auto-framing.toml", include_str!("../../../golden/trace/auto-framing.toml")),
    ("trace/background-gradient.toml", include_str!("../../../golden/trace/background-gradient.toml")),
    ("trace/background-transparent.toml", include_str!("../../../golden/trace/background-transparent.toml")),
    ("trace/bonds.toml", include_str!("../../../golden/trace/bonds.toml")),
    ("trace/camera-inside.toml", include_str!("../../../golden/trace/camera-inside.toml")),
    ("trace/camera-roll.toml", include_str!("../../../golden/trace/camera-roll.toml")),
    ("trace/clip.toml", include_str!("../../../golden/trace/clip.toml")),
    ("trace/cloud.toml", include_str!("../../../golden/trace/cloud.toml")),
    ("trace/contacts.toml", include_str!("../../../golden/trace/contacts.toml")),
    ("trace/cylinders.toml", include_str!("../../../golden/trace/cylinders.toml")),
    ("trace/ellipsoids.toml", include_str!("../../../golden/trace/ellipsoids.toml")),
    ("trace/ethanol.xyz", include_str!("../../../golden/trace/ethanol.xyz")),
    ("trace/far.toml", include_str!("../../../golden/trace/far.toml")),
    ("trace/figure.toml", include_str!("../../../golden/trace/figure.toml")),
    ("trace/fog.toml", include_str!("../../../golden/trace/fog.toml")),
    ("trace/generate-lattice.toml", include_str!("../../../golden/trace/generate-lattice.toml")),
    ("trace/generate-sphereflake.toml", include_str!("../../../golden/trace/generate-sphereflake.toml")),
    ("trace/generate-sunflower.toml", include_str!("../../../golden/trace/generate-sunflower.toml")),
    ("trace/generate-uniform.toml", include_str!("../../../golden/trace/generate-uniform.toml")),
    ("trace/headlight.toml", include_str!("../../../golden/trace/headlight.toml")),
    ("trace/intersecting.toml", include_str!("../../../golden/trace/intersecting.toml")),
    ("trace/lights.toml", include_str!("../../../golden/trace/lights.toml")),
    ("trace/look-flat.toml", include_str!("../../../golden/trace/look-flat.toml")),
    ("trace/look-glossy.toml", include_str!("../../../golden/trace/look-glossy.toml")),
    ("trace/look-illustrative.toml", include_str!("../../../golden/trace/look-illustrative.toml")),
    ("trace/look-studio.toml", include_str!("../../../golden/trace/look-studio.toml")),
    ("trace/molecule-assembly-smooth.toml", include_str!("../../../golden/trace/molecule-assembly-smooth.toml")),
    ("trace/molecule-assembly.toml", include_str!("../../../golden/trace/molecule-assembly.toml")),
    ("trace/molecule-copies.toml", include_str!("../../../golden/trace/molecule-copies.toml")),
    ("trace/molecule-pdb-chain.toml", include_str!("../../../golden/trace/molecule-pdb-chain.toml")),
    ("trace/molecule-pdb-residue.toml", include_str!("../../../golden/trace/molecule-pdb-residue.toml")),
    ("trace/molecule-pdb.toml", include_str!("../../../golden/trace/molecule-pdb.toml")),
    ("trace/molecule-xyz-small.toml", include_str!("../../../golden/trace/molecule-xyz-small.toml")),
    ("trace/molecule-xyz.toml", include_str!("../../../golden/trace/molecule-xyz.toml")),
    ("trace/near-eye.toml", include_str!("../../../golden/trace/near-eye.toml")),
    ("trace/occlusion-distance.toml", include_str!("../../../golden/trace/occlusion-distance.toml")),
    ("trace/occlusion-smooth-distance.toml", include_str!("../../../golden/trace/occlusion-smooth-distance.toml")),
    ("trace/occlusion-smooth.toml", include_str!("../../../golden/trace/occlusion-smooth.toml")),
    ("trace/occlusion.toml", include_str!("../../../golden/trace/occlusion.toml")),
    ("trace/orthographic.toml", include_str!("../../../golden/trace/orthographic.toml")),
    ("trace/particles.csv", include_str!("../../../golden/trace/particles.csv")),
    ("trace/particles.toml", include_str!("../../../golden/trace/particles.toml")),
    ("trace/peptides.pdb", include_str!("../../../golden/trace/peptides.pdb")),
    ("trace/perspective.toml", include_str!("../../../golden/trace/perspective.toml")),
    ("trace/points-small.toml", include_str!("../../../golden/trace/points-small.toml")),
    ("trace/samples.toml", include_str!("../../../golden/trace/samples.toml")),
    ("trace/shadows.toml", include_str!("../../../golden/trace/shadows.toml")),
    ("trace/shapes-table.toml", include_str!("../../../golden/trace/shapes-table.toml")),
    ("trace/shapes.csv", include_str!("../../../golden/trace/shapes.csv")),
    ("trace/soft-shadows.toml", include_str!("../../../golden/trace/soft-shadows.toml")),
    ("trace/specular.toml", include_str!("../../../golden/trace/specular.toml")),
    ("trace/ties.toml", include_str!("../../../golden/trace/ties.toml")),
    ("trace/trace-putty.toml", include_str!("../../../golden/trace/trace-putty.toml")),
    ("trace/transparency-front.toml", include_str!("../../../golden/trace/transparency-front.toml")),
    ("trace/transparency-medium.toml", include_str!("../../../golden/trace/transparency-medium.toml")),
    ("trace/transparency-shell.toml", include_str!("../../../golden/trace/transparency-shell.toml")),
    ("trace/transparency-solid.toml", include_str!("../../../golden/trace/transparency-solid.toml")),
    ("trace/transparency-surfaces.toml", include_str!("../../../golden/trace/transparency-surfaces.toml")),
];

/// Returns the golden scenes and their names in the manifest, such as `golden/raster/alpha`.
pub(super) fn golden_scenes() -> Result<Vec<(String, LoadedScene<'static>)>> {
    let files = GOLDEN.iter().fold(MemoryFiles::new(), |files, (name, text)| files.with(name, *text));
    let scenes = GOLDEN.iter().filter_map(|(file, _)| Some((*file, scene_name(file)?)));
    scenes.map(|(file, name)| Ok((name, files.load(file, &LoadOptions::default())?))).collect()
}

/// Returns the name in the manifest of a file's scene; `None` for a file that is not a scene.
fn scene_name(file: &str) -> Option<String> {
    let stem = file.strip_suffix(".toml").or_else(|| file.strip_suffix(".json"))?;
    Some(format!("golden/{stem}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_golden_scene_and_its_files_are_embedded() {
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
        let embedded: BTreeSet<String> = GOLDEN.iter().map(|(file, _)| (*file).to_owned()).collect();
        assert_eq!(embedded, found, "the list in {} differs from the folder", file!());
    }
}
