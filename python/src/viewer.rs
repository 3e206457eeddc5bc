//! A viewer without a window, for notebooks: events in, pictures out.

use std::sync::{Mutex, MutexGuard};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use roundel::viewer::{PickedShape, ViewerOptions, parse_events};

use crate::drawing::interruptible;
use crate::error::exception;
use crate::image::Image;
use crate::options;
use crate::pool::locked;
use crate::scene::Scene;

/// A viewer of a scene. Mouse and keys mean what they mean in the window of `roundel view`.
#[pyclass(frozen, module = "roundel._roundel")]
pub(crate) struct Viewer {
    viewer: Mutex<roundel::viewer::Viewer>,
}

/// A shape that was picked: its index, its kind, its centre, its radii, and names and values that its file has for it.
type Picked = (u64, &'static str, Vec<f64>, Vec<f32>, Vec<(String, String)>);

#[pymethods]
impl Viewer {
    /// A scene of arrays is copied, that of a file read again: its frames can be stepped through.
    #[new]
    fn new(py: Python<'_>, scene: &Bound<'_, Scene>, performance: &Bound<'_, PyDict>) -> PyResult<Self> {
        let settings = options::settings(Some(performance))?;
        let scene = scene.get();
        let viewer = interruptible(py, |_| match &scene.source {
            Some(source) => {
                let options = ViewerOptions::new([&source.path]).with_overrides(source.overrides.clone());
                roundel::viewer::Viewer::open(&options.with_settings(settings))
            }
            None => roundel::viewer::Viewer::new(scene.loaded.scene.clone(), &settings),
        })?;
        Ok(Self { viewer: Mutex::new(viewer) })
    }

    /// Takes events, a line each as in the recordings of `roundel view`: `120 move 300.5 200`.
    fn handle(&self, py: Python<'_>, events: &str) -> PyResult<()> {
        let events = parse_events("<events>", events).map_err(exception)?;
        interruptible(py, |_| {
            let mut viewer = self.locked();
            events.iter().try_for_each(|event| viewer.handle(event))
        })
    }

    /// Draws the next frame: coarse while the view changes, finer at rest; `None` if nothing changed. It may be smaller
    /// than the window.
    fn draw(&self, py: Python<'_>) -> PyResult<Option<Image>> {
        let frame = interruptible(py, |_| {
            let mut viewer = self.locked();
            Ok(viewer.draw()?.then(|| viewer.frame().clone()))
        })?;
        frame.map(|frame| Image::of_frame(py, frame)).transpose()
    }

    /// Waits for the final picture with the marks of its figure: the pixels of `render`.
    fn finish(&self, py: Python<'_>) -> PyResult<Image> {
        let frame = interruptible(py, |_| self.locked().finish().cloned())?;
        Image::of_frame(py, frame)
    }

    /// Whether nothing is left to draw until the next event.
    #[getter]
    fn is_idle(&self) -> bool {
        self.locked().is_idle()
    }

    /// Whether frames of the file are playing, so that ticks are needed.
    #[getter]
    fn is_playing(&self) -> bool {
        self.locked().is_playing()
    }

    /// How good the last frame is: `finished`, `refining`, `thinned` or `1/2 size`.
    #[getter]
    fn quality(&self) -> String {
        self.locked().quality()
    }

    /// The shape that was clicked on or is under the mouse.
    #[getter]
    fn picked(&self) -> Option<Picked> {
        self.locked().picked().map(|PickedShape { index, shape, middle, record, .. }| {
            (*index, shape.kind(), middle.clone(), shape.radii(), record.clone())
        })
    }

    /// The command that draws the picture into a file.
    fn command(&self, output: &str) -> String {
        self.locked().render_command(output)
    }
}

impl Viewer {
    /// After a panic, too: the viewer is drawn anew from its state.
    fn locked(&self) -> MutexGuard<'_, roundel::viewer::Viewer> {
        locked(&self.viewer)
    }
}
