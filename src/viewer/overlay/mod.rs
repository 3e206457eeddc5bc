//! Overlays on the picture: text, a scale bar, and tiles with the number of shapes that each keeps.

mod font;
pub(super) mod hud;
mod screen;
pub(super) mod tiles;

pub(super) use screen::Screen;
