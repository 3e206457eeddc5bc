//! Scenes: what a file says to draw, or spheres of arrays.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use roundel::circles::Layer;
use roundel::io::{LoadOptions, LoadedScene, describe, load, scene_to_toml};
use roundel::spheres::{Camera, Projection, SphereGroup};
use roundel::{Budget, OcclusionError, RenderSettings};

use crate::drawing::{abandonable, interruptible};
use crate::options;

/// A scene, ready to be drawn.
#[pyclass(frozen, weakref, module = "roundel")]
pub(crate) struct Scene {
    pub(crate) loaded: LoadedScene<'static>,
    /// Where it was read; `None` of arrays.
    pub(crate) source: Option<Source>,
    /// How far smooth occlusion is from rays, if that is more than it promises, once it is known.
    occlusion_note: OnceLock<Option<String>>,
}

impl Scene {
    pub(crate) fn new(loaded: LoadedScene<'static>, source: Option<Source>) -> Self {
        Self { loaded, source, occlusion_note: OnceLock::new() }
    }

    /// The scene from the camera that options ask for; `None` if the file must be read again for it.
    pub(crate) fn seen_with(&self, py: Python<'_>, picture: &Bound<'_, PyDict>) -> PyResult<Option<LoadedScene<'_>>> {
        let options = options::overrides(Some(picture), Budget::default())?;
        interruptible(py, |_| self.loaded.seen_with(&options))
    }

    fn camera_of<'py>(py: Python<'py>, loaded: &LoadedScene<'_>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let roundel::Scene::Spheres(scene) = &loaded.scene else { return Ok(None) };
        let Camera { eye, target, up, projection, .. } = scene.view.camera;
        let camera = PyDict::new(py);
        for (name, place) in [("eye", eye), ("target", target)] {
            camera.set_item(name, <(f64, f64, f64)>::from(scene.in_data(place)))?;
        }
        camera.set_item("up", (up.x, up.y, up.z))?;
        match projection {
            Projection::Perspective { fov_y_radians } => camera.set_item("fov", fov_y_radians.to_degrees())?,
            Projection::Orthographic { height } => camera.set_item("ortho_height", height)?,
        }
        Ok(Some(camera))
    }
}

/// The file of a scene, and the options with which it was read, once as Python has them.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) overrides: LoadOptions,
    picture: Py<PyDict>,
    performance: Py<PyDict>,
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
    // a later working folder finds it, too
    let whole = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
    let (picture, performance) = (picture.copy()?.unbind(), performance.copy()?.unbind());
    let source = Source { path: whole, overrides: overrides.clone(), picture, performance };
    let loaded = abandonable(py, move || load(&path, &overrides))?;
    Ok(Scene::new(loaded, Some(source)))
}

/// The arguments of `read`: a file, and options of its picture and of its drawing.
type ReadArguments = (PathBuf, Py<PyDict>, Py<PyDict>);

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

    /// The notes of the command line, a sentence each: rows that are left out, and why, and options that change nothing,
    /// written as flags; and where smooth occlusion is far from rays, which is measured when this is first asked.
    #[getter]
    fn notes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let far = match self.occlusion_note.get() {
            Some(note) => note,
            None => {
                // a scene too large for rays has no note
                let found = interruptible(py, |_| {
                    let mut renderer = roundel::Renderer::new(&RenderSettings::default())?;
                    Ok(renderer.occlusion_error(&self.loaded.scene).ok().flatten())
                })?;
                let note = found.filter(OcclusionError::is_large).map(|error| format!("{error}; ao=64 casts rays"));
                self.occlusion_note.get_or_init(|| note)
            }
        };
        Ok(self.loaded.notes.iter().chain(far).cloned().collect())
    }

    /// Models or frames of its file, of which one is drawn; 1 where there is no file. The file is read for it.
    #[getter]
    fn frames(&self, py: Python<'_>) -> PyResult<u64> {
        let Some(Source { path, overrides, .. }) = &self.source else { return Ok(1) };
        let (path, overrides) = (path.clone(), overrides.clone());
        let found = abandonable(py, move || describe(&path, &overrides))?;
        Ok(found.sources.iter().map(|source| source.models).max().unwrap_or(1))
    }

    /// The camera as options have it: `eye`, `target`, `up`, and `fov` in degrees or `ortho_height`; `None` of circles.
    #[getter]
    fn camera<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        Self::camera_of(py, &self.loaded)
    }

    /// The camera that options ask for; `None` if the file must be read again for it.
    #[pyo3(name = "_camera_from")]
    fn camera_from<'py>(&self, py: Python<'py>, picture: &Bound<'py, PyDict>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.seen_with(py, picture)?.map_or(Ok(None), |seen| Self::camera_of(py, &seen))
    }

    /// Both scenes in one, as `roundel.scenes.mix` makes it.
    fn __add__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("roundel.scenes")?.getattr("mix")?.call1((slf, other))
    }

    /// The file that it was read from; `None` for spheres of arrays.
    #[getter]
    fn path(&self) -> Option<&Path> {
        self.source.as_ref().map(|source| &*source.path)
    }

    fn _repr_png_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let image = Self::render(slf, None)?;
        Ok(image.call_method0("to_png")?.cast_into()?)
    }

    /// Scenes do not change: a copy is the same scene.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// A pickle holds the name of the file and the options, with which another process reads it again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ReadArguments)> {
        let Some(source) = &self.source else {
            return Err(PyTypeError::new_err("a scene of arrays cannot be pickled: pickle the arrays"));
        };
        let read = py.import("roundel._roundel")?.getattr("read")?;
        Ok((read, (source.path.clone(), source.picture.clone_ref(py), source.performance.clone_ref(py))))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>().map(Bound::get);
        other.is_ok_and(|other| std::ptr::eq(self, other) || self.loaded == other.loaded)
    }

    fn __hash__(&self) -> usize {
        self.__len__()
    }

    /// Draws the scene; the options are those of `roundel.render`.
    #[pyo3(signature = (**options))]
    fn render<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("roundel")?.getattr("render")?.call((slf,), options)
    }

    /// Draws the scene and writes it to a file: `.svg` and `.pdf` as shapes, whose texts are outlines or in the font
    /// `vector_text`, and other formats as `Image.save` does.
    #[pyo3(signature = (path, *, vector_text=None))]
    fn save(slf: &Bound<'_, Self>, path: PathBuf, vector_text: Option<String>) -> PyResult<()> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        if ending.is_some_and(|ending| ending == "svg" || ending == "pdf") {
            let loaded = &slf.get().loaded;
            return interruptible(slf.py(), |_| {
                let figure = loaded.draw_vectors(&mut roundel::Renderer::new(&RenderSettings::default())?)?;
                let figure = match vector_text {
                    Some(font) => figure.with_text_in(&font)?,
                    None => figure,
                };
                figure.save(&path)
            });
        }
        if vector_text.is_some() {
            return Err(PyValueError::new_err("vector_text is for .svg and .pdf; other pictures have pixels"));
        }
        Self::render(slf, None)?.call_method1("save", (path,)).map(|_| ())
    }

    /// The text of a scene file that draws the same picture, with every shape written out. Marks of a figure are left
    /// out.
    fn to_toml(&self, py: Python<'_>) -> PyResult<String> {
        interruptible(py, |_| scene_to_toml(&self.loaded.scene))
    }

    /// The number of spheres or circles, copies counted; not that of cylinders, ellipsoids and cones.
    fn __len__(&self) -> usize {
        let group = |group: &SphereGroup<'_>| group.spheres.len() * group.poses.len();
        match &self.loaded.scene {
            roundel::Scene::Circles(scene) => scene.layers.iter().map(Layer::len).sum(),
            roundel::Scene::Spheres(scene) => scene.groups.iter().map(group).sum(),
        }
    }

    fn __repr__(&self) -> String {
        let (width, height) = self.size();
        let others = match &self.loaded.scene {
            roundel::Scene::Circles(_) => 0,
            roundel::Scene::Spheres(scene) => scene.shapes.count(),
        };
        let others = if others > 0 { format!(" and {others} other shapes") } else { String::new() };
        format!("<roundel.Scene of {} {}{others}, {width}x{height} pixels>", self.__len__(), self.kind())
    }
}
