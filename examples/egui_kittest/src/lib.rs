//! A small interface, whose picture `tests/counter.rs` compares with a golden.

/// A button that counts.
pub fn counter(ui: &mut egui::Ui, count: &mut u32) {
    ui.heading("Counter");
    if ui.button("Count").clicked() {
        *count += 1;
    }
    ui.label(format!("{count} so far"));
}
