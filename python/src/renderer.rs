//! Renderers that keep their threads and buffers.

use std::borrow::Cow;
use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke};
use roundel::io::{Overrides, SphereKind, scene_of_spheres};
use roundel::spheres::{PaintedSphere, SphereGroup};
use roundel::{Error, Frame, RenderSettings, Srgba8, Statistics};

use crate::columns::{self, Colors, Column, Radii, check, rows, shapes};
use crate::drawing::interruptible;
use crate::error::exception;
use crate::image::Image;
use crate::options;
use crate::scene::Scene;

/// Draws pictures with the same threads and buffers. Several Python threads may use one.
#[pyclass(frozen, weakref, module = "roundel._roundel")]
pub(crate) struct Renderer {
    settings: RenderSettings,
    /// Those that draw nothing at the moment, and the process that started their threads: a fork has none of these.
    idle: Mutex<Vec<(u32, roundel::Renderer)>>,
}

impl Renderer {
    /// Draws what `scene` makes, with a renderer that nobody else uses.
    fn draw<'a>(
        &self,
        py: Python<'_>,
        scene: impl FnOnce() -> roundel::Result<Cow<'a, roundel::Scene<'a>>> + Send,
    ) -> PyResult<Image> {
        let (frame, statistics) = interruptible(py, |cancelled| {
            let mut renderer = self.take()?;
            let drawn = scene().and_then(|scene| draw(&mut renderer, &scene, cancelled));
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((process::id(), renderer));
            drawn
        })?;
        Image::of_frame(py, frame, statistics)
    }

    fn take(&self) -> roundel::Result<roundel::Renderer> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((process, renderer)) = idle.pop() {
            if process == process::id() {
                return Ok(renderer);
            }
            // its threads are in the parent process, and must not be waited for
            std::mem::forget(renderer);
        }
        drop(idle);
        roundel::Renderer::new(&self.settings)
    }
}

fn draw(
    renderer: &mut roundel::Renderer,
    scene: &roundel::Scene<'_>,
    cancelled: &AtomicBool,
) -> roundel::Result<(Frame, Option<Statistics>)> {
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
    let statistics = renderer.render_unless_cancelled(scene, &mut frame, cancelled)?;
    Ok((frame, statistics))
}

#[pymethods]
impl Renderer {
    #[new]
    #[pyo3(signature = (**performance))]
    fn new(performance: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = options::settings(performance)?;
        let renderer = roundel::Renderer::new(&settings).map_err(exception)?;
        Ok(Self { settings, idle: Mutex::new(vec![(process::id(), renderer)]) })
    }

    /// Draws a scene that was read.
    fn render(&self, py: Python<'_>, scene: &Bound<'_, Scene>) -> PyResult<Image> {
        let scene = scene.get();
        self.draw(py, || Ok(Cow::Borrowed(&scene.scene)))
    }

    /// Draws spheres: centres (n, 3) float32 in C order, a radius or (n,) float32, colours, and numbers of parts.
    #[pyo3(signature = (centers, radii, colors, parts, are_atoms, picture))]
    #[expect(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
    fn spheres(
        &self,
        py: Python<'_>,
        centers: PyReadonlyArray2<'_, f32>,
        radii: Radii<'_>,
        colors: Colors<'_>,
        parts: Option<PyReadonlyArray1<'_, u32>>,
        are_atoms: bool,
        picture: &Bound<'_, PyDict>,
    ) -> PyResult<Image> {
        let overrides = options::overrides(Some(picture), self.settings.budget)?;
        let kind = if are_atoms { SphereKind::Atoms } else { SphereKind::Particles };
        let centers = rows::<3>(&centers)?;
        let radii = columns::radii(&radii, centers.len())?;
        let colors = columns::colors(&colors, centers.len())?;
        check(py, centers, &radii)?;
        let parts = parts.as_ref().map(|parts| parts.as_slice()).transpose()?.unwrap_or_default();
        if !(parts.is_empty() || parts.len() == centers.len()) {
            return Err(PyValueError::new_err(format!("parts must be ({},)", centers.len())));
        }
        self.draw(py, || {
            let sphere = |row: usize| PaintedSphere::new(centers[row], radii.get(row), colors.get(row));
            let spheres = shapes(centers.len(), sphere);
            let group = SphereGroup::from(spheres).with_parts(parts);
            scene_of_spheres(vec![group], kind, &overrides).map(|scene| Cow::Owned(scene.into()))
        })
    }

    /// Draws circles or ellipses: centres (n, 2) float32 in pixels, a radius, (n,) or (n, 2) float32, colours.
    #[pyo3(signature = (centers, radii, colors, stroke, blend, picture))]
    #[expect(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
    fn circles(
        &self,
        py: Python<'_>,
        centers: PyReadonlyArray2<'_, f32>,
        radii: Radii<'_>,
        colors: Colors<'_>,
        stroke: Option<f32>,
        blend: &str,
        picture: &Bound<'_, PyDict>,
    ) -> PyResult<Image> {
        let overrides = options::overrides(Some(picture), self.settings.budget)?;
        let blend = match blend {
            "srgb" => Blend::Srgb,
            "linear" => Blend::Linear,
            other => return Err(PyValueError::new_err(format!("blend must be 'srgb' or 'linear', got {other:?}"))),
        };
        let centers = rows::<2>(&centers)?;
        let count = centers.len();
        let colors = columns::colors(&colors, count)?;
        let axes = match &radii {
            Radii::Axes(axes) => Some(rows::<2>(axes)?),
            _ => None,
        };
        if axes.is_some_and(|axes| axes.len() != count) {
            return Err(PyValueError::new_err(format!("radii must have {count} rows as centers has")));
        }
        let radii = if axes.is_some() { Column::One(0.0) } else { columns::radii(&radii, count)? };
        check(py, centers, &radii)?;
        self.draw(py, || {
            let layer: Layer<'_> = if axes.is_none() && stroke.is_none() {
                shapes(count, |row| PaintedCircle::new(centers[row], radii.get(row), colors.get(row))).into()
            } else {
                let ellipse = |row: usize| {
                    let radii = axes.map_or([radii.get(row); 2], |axes| axes[row]);
                    match stroke {
                        None => PaintedEllipse::new(centers[row], radii, colors.get(row)),
                        Some(width) => PaintedEllipse::ring(centers[row], radii, Stroke::new(width), colors.get(row)),
                    }
                };
                shapes(count, ellipse).into()
            };
            circle_scene(layer, blend, &overrides).map(|scene| Cow::Owned(scene.into()))
        })
    }
}

/// A canvas with one layer, or the part of it that is asked for.
fn circle_scene<'a>(layer: Layer<'a>, blend: Blend, overrides: &Overrides) -> roundel::Result<CircleScene<'a>> {
    let whole = Canvas::default();
    let size = (overrides.width.unwrap_or(whole.width), overrides.height.unwrap_or(whole.height));
    let canvas = Canvas::new(size.0, size.1).with_blend(blend);
    let canvas = canvas.with_background(overrides.background.unwrap_or(Srgba8::WHITE));
    let scene = CircleScene::from(canvas).with_layer(layer);
    match &overrides.view_box {
        None => Ok(scene),
        Some(view_box) if view_box.center.iter().all(|place| place.is_finite()) && view_box.height > 0.0 => {
            Ok(scene.in_view_box(view_box, size))
        }
        Some(view_box) => {
            let message = format!("must be two finite numbers and a positive height, got {view_box:?}");
            Err(Error::Setting { name: "view_box", message })
        }
    }
}
