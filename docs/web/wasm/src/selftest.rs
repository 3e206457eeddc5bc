//! The frames of golden/manifest.toml, drawn by WebAssembly: `roundel selftest` without the viewer's frames.

use roundel::{Frame, RenderSettings, Renderer, Result, Srgba8};

#[path = "../../../../src/cli/selftest/embedded.rs"]
mod embedded;
#[allow(dead_code, reason = "a manifest is neither read from a file nor written here")]
#[path = "../../../../src/cli/selftest/manifest.rs"]
mod manifest;
#[path = "../../../../src/cli/selftest/scenes.rs"]
mod scenes;

use manifest::{FrameHash, Manifest};

/// Draws each frame, tells its name and whether its hash is that of the manifest, and returns how many are and how many
/// are not.
///
/// # Errors
/// If a scene cannot be made or drawn.
pub fn run(mut tell: impl FnMut(&str, bool)) -> Result<[usize; 2]> {
    let manifest = Manifest::built_in();
    let mut renderer = Renderer::new(&RenderSettings::default())?;
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
    let mut counts = [0, 0];
    let mut check = |name: &str, frame: &Frame| {
        let drawn = FrameHash::new(name, frame);
        let is_same = manifest.frames.contains(&drawn);
        counts[usize::from(!is_same)] += 1;
        tell(name, is_same);
    };
    for (name, scene) in scenes::scenes()? {
        renderer.render(&scene, &mut frame)?;
        check(name, &frame);
    }
    for (name, loaded) in embedded::golden_scenes()? {
        loaded.draw(&mut renderer, &mut frame)?;
        check(&name, &frame);
    }
    Ok(counts)
}
