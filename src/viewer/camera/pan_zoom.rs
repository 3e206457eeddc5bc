//! The camera over circles: pans and zooms in `f64`.

use glam::DVec2;

use crate::scene::circles::ViewBox;

/// Shows a part of a circle scene in a window.
#[derive(Clone, Debug)]
pub(super) struct PanZoomCamera {
    /// Size of the scene's canvas, in its own pixels.
    canvas: DVec2,
    /// Size of the window, in pixels.
    window: DVec2,
    pub(super) position: PanZoomPosition,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::viewer) struct PanZoomPosition {
    /// The scene's point at the window's centre.
    center: DVec2,
    /// Window pixels per scene pixel.
    pub(super) scale: f64,
}

/// Range of the scale in window pixels per scene pixel: at either end the whole canvas is far smaller than a pixel, or
/// the gap between neighbouring `f32`s far larger than the window.
const SCALE_RANGE: [f64; 2] = [1e-9, 1e15];

impl PanZoomCamera {
    pub(super) fn new(canvas: (u32, u32), window: (u32, u32)) -> Self {
        let position = PanZoomPosition { center: DVec2::ZERO, scale: 1.0 };
        let mut camera = Self { canvas: dvec2(canvas), window: dvec2(window), position };
        camera.fit();
        camera
    }

    /// Shows the whole canvas as large as the window allows.
    pub(super) fn fit(&mut self) {
        let scale = (self.window / self.canvas).min_element();
        self.position = PanZoomPosition { center: 0.5 * self.canvas, scale };
    }

    /// Sets the window's size. A fitted view stays fitted; any other keeps its centre and scale.
    pub(super) fn resize(&mut self, window: (u32, u32)) {
        let fitted = self.is_fitted();
        self.window = dvec2(window);
        if fitted {
            self.fit();
        }
    }

    /// Takes over the canvas of another scene. A fitted view stays fitted; any other keeps its centre and scale.
    pub(super) fn set_home(&mut self, canvas: (u32, u32)) {
        let fitted = self.is_fitted();
        self.canvas = dvec2(canvas);
        if fitted {
            self.fit();
        }
    }

    fn is_fitted(&self) -> bool {
        let mut fitted = self.clone();
        fitted.fit();
        fitted.position == self.position
    }

    pub(super) fn view_box(&self) -> ViewBox {
        ViewBox { center: self.position.center.to_array(), height: self.window.y / self.position.scale }
    }

    /// Moves the scene by a drag since `start`, in window pixels.
    pub(super) fn pan(&mut self, start: &PanZoomPosition, drag: DVec2) {
        self.position.center = start.center - drag / self.position.scale;
    }

    /// Enlarges the scene by `factor` around the point under `cursor`, in pixels from the window's top-left corner.
    pub(super) fn zoom(&mut self, factor: f64, cursor: DVec2) {
        let offset = cursor - 0.5 * self.window;
        let before = self.position.scale;
        self.position.scale = (before * factor).clamp(SCALE_RANGE[0], SCALE_RANGE[1]);
        self.position.center += offset / before - offset / self.position.scale;
    }

    /// Returns the scene's point under `cursor`.
    #[cfg(test)]
    fn point_under(&self, cursor: DVec2) -> DVec2 {
        self.position.center + (cursor - 0.5 * self.window) / self.position.scale
    }
}

fn dvec2((width, height): (u32, u32)) -> DVec2 {
    DVec2::new(f64::from(width), f64::from(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canvas_fits_the_window_by_width_and_height() {
        let camera = PanZoomCamera::new((640, 480), (640, 480));
        assert_eq!(camera.view_box(), ViewBox { center: [320.0, 240.0], height: 480.0 });
        assert_eq!(
            PanZoomCamera::new((640, 480), (1280, 480)).view_box(),
            camera.view_box(),
            "wider: limited by the height"
        );
        assert_eq!(
            PanZoomCamera::new((640, 480), (320, 480)).view_box().height,
            960.0,
            "narrower: limited by the width"
        );
    }

    #[test]
    fn zoom_keeps_the_point_under_the_cursor() {
        let mut camera = PanZoomCamera::new((640, 480), (800, 600));
        let cursor = DVec2::new(711.0, 90.0);
        let point = camera.point_under(cursor);
        for _ in 0..100 {
            camera.zoom(1.25, cursor);
        }
        assert!(camera.position.scale > 1e9, "{}", camera.position.scale);
        let off = (camera.point_under(cursor) - point) * camera.position.scale;
        assert!(off.length() < 0.01, "{off} pixels off after a zoom of 10^9");
    }

    #[test]
    fn dragged_point_follows_the_mouse() {
        let mut camera = PanZoomCamera::new((640, 480), (640, 480));
        camera.zoom(3.0, DVec2::new(1.0, 2.0));
        let start = camera.position;
        let point = camera.point_under(DVec2::new(100.0, 100.0));
        camera.pan(&start, DVec2::new(-30.0, 7.0));
        assert!((camera.point_under(DVec2::new(70.0, 107.0)) - point).length() < 1e-9);
        camera.pan(&start, DVec2::ZERO);
        assert_eq!(camera.position, start);
    }

    #[test]
    fn resize_refits_only_a_fitted_view() {
        let mut camera = PanZoomCamera::new((640, 480), (640, 480));
        camera.resize((320, 240));
        assert_eq!(camera.view_box(), ViewBox { center: [320.0, 240.0], height: 480.0 });
        camera.zoom(2.0, DVec2::new(160.0, 120.0));
        camera.resize((320, 480));
        assert_eq!(
            camera.view_box(),
            ViewBox { center: [320.0, 240.0], height: 480.0 },
            "same scale, twice the height"
        );
    }
}
