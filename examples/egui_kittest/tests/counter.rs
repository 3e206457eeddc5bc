//! The harness of egui_kittest draws; roundel compares, and keeps the goldens. What takes its place are the lines
//! `harness.snapshot("name")`, the threshold of dify, and `UPDATE_SNAPSHOTS=1`.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use egui_software_backend::{ColorFieldOrder, EguiSoftwareRender};
use roundel::compare::Metric;
use roundel::golden::Golden;
use roundel_with_egui_kittest::counter;

#[test]
fn counter_counts() {
    let mut harness = Harness::builder()
        .with_size([160.0, 96.0])
        .renderer(EguiSoftwareRender::new(ColorFieldOrder::Rgba))
        .build_ui_state(|ui, count| counter(ui, count), 0_u32);
    let picture = |harness: &mut Harness<'_, u32>| harness.render().expect("the interface is drawn");

    // glyphs may be rounded otherwise on another machine: what looks the same passes
    let alike = |name: &str| Golden::new(name).metric(Metric::YIQ).ignore_antialiasing();
    alike("counter").assert_matches(&picture(&mut harness));
    harness.get_by_label("Count").click();
    harness.run();
    alike("counter-1").assert_matches(&picture(&mut harness));
}
