//! Frames of the viewer with its overlay: recorded sessions, replayed without a window.

use roundel::viewer::{Viewer, parse_events};
use roundel::{Frame, RenderSettings, Result, Scene, SimdLevel};

use super::configurations::THREADS;

/// Zooms in, clicks on a circle and shows the tiles, in a window large enough for large text.
pub(super) const OVER_CIRCLES: &str = "\
0 resize 960 600
10 move 420 310
20 wheel 3
30 press left
40 release left
50 key-down T
60 key-up T
";

/// Orbits, zooms in, clicks on a sphere and shows the tiles and the help, in small text.
pub(super) const OVER_SPHERES: &str = "\
0 resize 420 300
10 move 200 150
20 press left
30 move 260 190
40 release left
50 key-down Ctrl
60 wheel 2
70 key-up Ctrl
80 press left
90 release left
100 key-down T
110 key-up T
120 key-down H
130 key-up H
";

/// Returns the window's last picture of a session, without times.
pub(super) fn replay(scene: &Scene<'static>, events: &str, settings: &RenderSettings) -> Result<Frame> {
    let mut viewer = Viewer::new(scene.clone(), settings)?;
    for event in parse_events("session", events)? {
        viewer.handle(&event)?;
    }
    viewer.render_still()
}

/// Returns every instruction set with every number of threads, for pictures that show their tiles.
pub(super) fn with_visible_tiles(levels: &[SimdLevel]) -> Vec<RenderSettings> {
    let threaded = |&level: &SimdLevel| {
        THREADS.map(|threads| visible_tiles(RenderSettings::default().with_simd(level).with_threads(threads)))
    };
    levels.iter().flat_map(threaded).collect()
}

/// Returns the settings with the tile size that pictures with visible tiles have in the manifest.
pub(super) fn visible_tiles(settings: RenderSettings) -> RenderSettings {
    settings.with_tile_size(64)
}
