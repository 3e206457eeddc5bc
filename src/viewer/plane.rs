//! The camera of circles: a window onto the plane of the picture, moved and zoomed in `f64`.

use glam::DVec2;

use crate::scene::circles::ViewBox;

/// The part of the loaded picture that is seen.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    /// The loaded picture's sides in its own pixels.
    home: DVec2,
    /// The window's sides in pixels.
    size: DVec2,
    place: Place,
}

/// What dragging and zooming change; kept when a drag begins, which is then measured from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    center: DVec2,
    /// Window pixels a picture pixel.
    scale: f64,
}

/// Window pixels a picture pixel at least and at most: at either end the whole picture, or the gap between two
/// neighbouring `f32`s in it, is far beyond the window; between them zooming is free.
const SCALES: [f64; 2] = [1e-9, 1e15];

impl Plane {
    pub(super) fn new(home: (u32, u32), size: (u32, u32)) -> Self {
        let sides = |(width, height)| DVec2::new(f64::from(width), f64::from(height));
        let mut plane = Self { home: sides(home), size: sides(size), place: Place { center: DVec2::ZERO, scale: 1.0 } };
        plane.fit();
        plane
    }

    /// The whole loaded picture, as large as the window allows.
    pub(super) fn fit(&mut self) {
        let scale = (self.size / self.home).min_element();
        self.place = Place { center: 0.5 * self.home, scale };
    }

    /// Takes on the window's new size; what was fitted stays fitted, else the middle and the scale stay.
    pub(super) fn resize(&mut self, size: (u32, u32)) {
        let fitted = self.fitted();
        self.size = DVec2::new(f64::from(size.0), f64::from(size.1));
        if fitted {
            self.fit();
        }
    }

    /// Takes over another picture; what was fitted is fitted again, else the place stays.
    pub(super) fn rehome(&mut self, home: (u32, u32)) {
        let fitted = self.fitted();
        self.home = DVec2::new(f64::from(home.0), f64::from(home.1));
        if fitted {
            self.fit();
        }
    }

    fn fitted(&self) -> bool {
        let mut fitted = self.clone();
        fitted.fit();
        fitted.place == self.place
    }

    /// What is seen.
    pub(super) fn view_box(&self) -> ViewBox {
        ViewBox { center: self.place.center.to_array(), height: self.size.y / self.place.scale }
    }

    /// Window pixels a picture pixel.
    pub(super) fn scale(&self) -> f64 {
        self.place.scale
    }

    /// Where things are now, to measure a drag from.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Moves the picture by a drag since `start`, window pixels.
    pub(super) fn pan(&mut self, start: &Place, drag: DVec2) {
        self.place.center = start.center - drag / self.place.scale;
    }

    /// Enlarges `factor` times, keeping what is under `cursor` there: window pixels from the top-left corner.
    pub(super) fn zoom(&mut self, factor: f64, cursor: DVec2) {
        let offset = cursor - 0.5 * self.size;
        let before = self.place.scale;
        self.place.scale = (before * factor).clamp(SCALES[0], SCALES[1]);
        self.place.center += offset / before - offset / self.place.scale;
    }

    /// The place in the loaded picture under a place in the window.
    #[cfg(test)]
    fn under(&self, cursor: DVec2) -> DVec2 {
        self.place.center + (cursor - 0.5 * self.size) / self.place.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loaded_picture_fills_a_window_of_its_size() {
        let plane = Plane::new((640, 480), (640, 480));
        assert_eq!(plane.view_box(), ViewBox { center: [320.0, 240.0], height: 480.0 });
        assert_eq!(Plane::new((640, 480), (1280, 480)).view_box(), plane.view_box(), "wider: the height still fits");
        assert_eq!(Plane::new((640, 480), (320, 480)).view_box().height, 960.0, "narrower: the width must fit");
    }

    #[test]
    fn zoom_keeps_what_is_under_the_cursor() {
        let mut plane = Plane::new((640, 480), (800, 600));
        let cursor = DVec2::new(711.0, 90.0);
        let point = plane.under(cursor);
        for _ in 0..100 {
            plane.zoom(1.25, cursor);
        }
        assert!(plane.scale() > 1e9, "{}", plane.scale());
        let off = (plane.under(cursor) - point) * plane.scale();
        assert!(off.length() < 0.01, "{off} pixels off after a zoom of 10^9");
    }

    #[test]
    fn dragged_point_follows_the_mouse() {
        let mut plane = Plane::new((640, 480), (640, 480));
        plane.zoom(3.0, DVec2::new(1.0, 2.0));
        let start = plane.place();
        let point = plane.under(DVec2::new(100.0, 100.0));
        plane.pan(&start, DVec2::new(-30.0, 7.0));
        assert!((plane.under(DVec2::new(70.0, 107.0)) - point).length() < 1e-9);
        plane.pan(&start, DVec2::ZERO);
        assert_eq!(plane.place(), start);
    }

    #[test]
    fn resize_refits_only_what_was_fitted() {
        let mut plane = Plane::new((640, 480), (640, 480));
        plane.resize((320, 240));
        assert_eq!(plane.view_box(), ViewBox { center: [320.0, 240.0], height: 480.0 });
        plane.zoom(2.0, DVec2::new(160.0, 120.0));
        plane.resize((320, 480));
        assert_eq!(plane.view_box(), ViewBox { center: [320.0, 240.0], height: 480.0 }, "same scale, twice the height");
    }
}
