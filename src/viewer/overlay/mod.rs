//! Overlays on the picture: text, a scale bar, and tiles with their numbers of shapes.

pub(super) mod hud;
mod screen;
pub(super) mod tiles;

pub(super) use screen::Screen;
