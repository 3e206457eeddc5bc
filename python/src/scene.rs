//! Scenes that were read from files.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use roundel::circles::Layer;
use roundel::io::{LoadedScene, load, scene_to_toml};
use roundel::spheres::SphereGroup;

use crate::drawing::{abandonable, interruptible};
use crate::options;

/// A scene that was read from a file, ready to be drawn.
#[pyclass(frozen, weakref, module = "roundel")]
pub(crate) struct Scene {
    pub(crate) loaded: LoadedScene<'static>,
}

/// Reads a scene file or a data file.
#[pyfunction]
pub(crate) fn read(
    py: Python<'_>,
    path: PathBuf,
    picture: &Bound<'_, PyDict>,
    performance: &Bound<'_, PyDict>,
) -> PyResult<Scene> {
    let budget = options::settings(Some(performance))?.budget;
    let overrides = options::overrides(Some(picture), budget)?;
    let loaded = abandonable(py, move || load(&path, &overrides))?;
    Ok(Scene { loaded })
}

#[pymethods]
impl Scene {
    /// Width and height of the picture in pixels, without the marks beside it.
    #[getter]
    fn size(&self) -> (u32, u32) {
        self.loaded.scene.size()
    }

    /// `"circles"` or `"spheres"`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.loaded.scene {
            roundel::Scene::Circles(_) => "circles",
            roundel::Scene::Spheres(_) => "spheres",
        }
    }

    /// Notes of the reader: rows that were left out, and why; a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.loaded.notes.clone()
    }

    /// Draws the scene; the options are those of `roundel.render`.
    #[pyo3(signature = (**options))]
    fn render<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("roundel")?.getattr("render")?.call((slf,), options)
    }

    /// The text of a scene file that draws the same picture, with every shape written out. Marks of a figure are left out.
    fn to_toml(&self, py: Python<'_>) -> PyResult<String> {
        interruptible(py, |_| scene_to_toml(&self.loaded.scene))
    }

    /// The number of shapes, copies counted.
    fn __len__(&self) -> usize {
        let group = |group: &SphereGroup<'_>| group.spheres.len() * group.poses.len();
        match &self.loaded.scene {
            roundel::Scene::Circles(scene) => scene.layers.iter().map(Layer::len).sum(),
            roundel::Scene::Spheres(scene) => scene.groups.iter().map(group).sum(),
        }
    }

    fn __repr__(&self) -> String {
        let (width, height) = self.size();
        format!("<roundel.Scene of {} {}, {width}x{height} pixels>", self.__len__(), self.kind())
    }
}
