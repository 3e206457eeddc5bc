//! The marks of a figure in a window. The picture leaves enough room for them in any view of the scene.

use crate::error::Result;
use crate::figure::{Figure, LegendPlace, Room};
use crate::frame::Frame;
use crate::scene::Scene;

/// The least side in pixels of a picture with marks beside it.
const LEAST_SIDE: u32 = 64;

/// How often type and picture are fitted to each other; each changes the other by a fifth at most.
const FITTINGS: usize = 4;

/// Where the picture and the marks of a figure are in a window.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    figure: Figure,
    /// Whether the scene is one of spheres.
    is_solid: bool,
    pub(super) window: (u32, u32),
    room: Room,
}

/// Puts a legend to the right that would be below: the height that it takes there depends on the width of the window.
fn place_beside(figure: &mut Figure) {
    if figure.legend_place == Some(LegendPlace::Below) {
        figure.legend_place = Some(LegendPlace::Right);
    }
}

impl Marks {
    /// The marks around a picture of this size, in a window that has room for both.
    pub(super) fn around(mut figure: Figure, scene: &Scene<'_>, (width, height): (u32, u32)) -> Self {
        let is_solid = matches!(scene, Scene::Spheres(_));
        figure.suit_type((width, height));
        place_beside(&mut figure);
        let room = figure.room(height, is_solid);
        let window = (width.saturating_add(room.right), height.saturating_add(room.top).saturating_add(room.bottom));
        Self { figure, is_solid, window, room }
    }

    /// Replaces the figure in the same window, and returns the size of the picture.
    pub(super) fn replace(&mut self, mut figure: Figure, scene: &Scene<'_>) -> (u32, u32) {
        place_beside(&mut figure);
        (self.figure, self.is_solid) = (figure, matches!(scene, Scene::Spheres(_)));
        self.resize(self.window)
    }

    /// Takes over the size of the window, and returns the size of the picture in it.
    pub(super) fn resize(&mut self, window: (u32, u32)) -> (u32, u32) {
        let (width, height) = window;
        let mut inner = if window == self.window { self.inner() } else { window };
        self.window = window;
        // the size of type follows the size of the picture, which follows the room that type takes
        for _ in 0..FITTINGS {
            self.figure.suit_type(inner);
            let Room { top, bottom, .. } = self.figure.room(inner.1, self.is_solid);
            inner.1 = height.saturating_sub(top).saturating_sub(bottom);
            self.room = self.figure.room(inner.1, self.is_solid);
            inner.0 = width.saturating_sub(self.room.right);
            if inner.0.min(inner.1) < LEAST_SIDE {
                self.room = Room::default();
                return window;
            }
        }
        self.figure.suit_type(inner);
        inner
    }

    /// The size of the picture in the window.
    fn inner(&self) -> (u32, u32) {
        let Room { top, right, bottom } = self.room;
        (self.window.0.saturating_sub(right), self.window.1.saturating_sub(top).saturating_sub(bottom))
    }

    /// Rows of the window above the picture.
    pub(super) fn top(&self) -> u32 {
        self.room.top
    }

    /// Rows of the window above the picture and below it.
    pub(super) fn rows_beside(&self) -> [u32; 2] {
        [self.room.top, self.room.bottom]
    }

    /// The figure, unless the window has no room for it.
    pub(super) fn figure(&self) -> Option<&Figure> {
        let has_room = self.room != Room::default() || self.figure.room(LEAST_SIDE, self.is_solid) == self.room;
        Some(&self.figure).filter(|figure| has_room && !figure.is_empty())
    }

    /// A picture with its marks in the top-left corner of the window.
    pub(super) fn in_window(&self, marked: &Frame, scene: &Scene<'_>) -> Result<Frame> {
        let (width, height) = self.window;
        let mut whole = Frame::new(width, height, Figure::background(scene))?;
        let rows = whole.pixels_mut().chunks_mut(width as usize).zip(marked.rows());
        rows.for_each(|(to, from)| {
            let length = to.len().min(from.len());
            to[..length].copy_from_slice(&from[..length]);
        });
        Ok(whole)
    }
}
