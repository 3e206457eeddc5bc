//! The code under test: a panel of egui.

use egui::{Color32, RichText, Ui};

/// What the panel shows.
#[derive(Debug, Default)]
pub struct Settings {
    /// Whether the grid is drawn.
    pub grid: bool,
    /// Size of markers in points.
    pub size: f32,
}

/// Draws the panel, and changes the settings as the user does.
pub fn panel(ui: &mut Ui, settings: &mut Settings) {
    ui.heading("Plot");
    ui.checkbox(&mut settings.grid, "Grid");
    ui.add(egui::Slider::new(&mut settings.size, 1.0..=9.0).text("size"));
    ui.label(RichText::new(format!("{:.0} points", settings.size)).color(Color32::from_rgb(0xd6, 0x27, 0x28)));
}
