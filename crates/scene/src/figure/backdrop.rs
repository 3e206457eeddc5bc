//! The background behind the marks of a figure.

use crate::color::Srgba8;
use crate::scene::Scene;
use crate::scene::spheres::Background;

/// The background behind marks, and the colour of lines and text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backdrop {
    pub(super) top: Srgba8,
    pub(super) bottom: Srgba8,
    pub(super) ink: Srgba8,
}

impl Backdrop {
    pub(super) fn behind(scene: &Scene<'_>) -> Self {
        match scene {
            Scene::Circles(scene) => Self::solid(scene.canvas.background),
            Scene::Spheres(scene) => match scene.view.background {
                Background::Solid(color) => Self::solid(color),
                Background::Gradient { bottom, top } => Self { top, ..Self::solid(bottom) },
            },
        }
    }

    /// Whether a pixel shows the background alone.
    pub(super) fn shows_alone_in(&self, pixel: Srgba8) -> bool {
        if self.top == self.bottom {
            return pixel == self.bottom;
        }
        // a gradient is between both
        let between = |[top, bottom, own]: [u8; 3]| (top.min(bottom)..=top.max(bottom)).contains(&own);
        between([self.top.r, self.bottom.r, pixel.r])
            && between([self.top.g, self.bottom.g, pixel.g])
            && between([self.top.b, self.bottom.b, pixel.b])
    }

    /// Whether a channel of a pixel differs by more than this from a background of one colour.
    pub(super) fn differs(&self, pixel: Srgba8, most: u8) -> bool {
        let channels = |color: Srgba8| [color.r, color.g, color.b, color.a];
        channels(pixel).into_iter().zip(channels(self.top)).any(|(own, of)| own.abs_diff(of) > most)
    }

    pub(super) fn solid(color: Srgba8) -> Self {
        Self { top: color, bottom: color, ink: if color.a < 128 { Srgba8::BLACK } else { contrast(color) } }
    }
}

/// Black on light colours, white on dark ones.
pub(super) fn contrast(color: Srgba8) -> Srgba8 {
    // luma, BT.601, in 1/1000
    let light = 299 * u32::from(color.r) + 587 * u32::from(color.g) + 114 * u32::from(color.b);
    if light < 128_000 { Srgba8::WHITE } else { Srgba8::BLACK }
}
