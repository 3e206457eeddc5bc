//! egui_kittest clicks and draws, roundel compares. With the feature `wgpu` of egui_kittest, leave `renderer` out; then
//! machines round differently, and `Golden::new("panel").tolerance(2.0)` says what may differ.

mod painter;

use egui_example::{Settings, panel};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use painter::Painter;

#[test]
fn panel_is_drawn() {
    let settings = Settings { grid: false, size: 3.0 };
    let mut harness = Harness::builder()
        .with_size(egui::vec2(200.0, 110.0))
        .with_render_cursor(false)
        .renderer(Painter::default())
        .build_ui_state(panel, settings);
    harness.get_by_label("Grid").click();
    harness.run();
    assert!(harness.state().grid);

    // instead of harness.snapshot("panel")
    let picture = harness.render().expect("a picture");
    roundel_golden::assert_matches("panel", &picture);
}
