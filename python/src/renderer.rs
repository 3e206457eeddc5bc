//! Renderers that keep their threads and buffers.

use std::borrow::Cow;
use std::process;
use std::sync::Mutex;

use numpy::{
    IntoPyArray, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke};
use roundel::io::{FigureInfo, LoadOptions, LoadedScene, SphereKind, figure_of_circles, figure_of_spheres};
use roundel::spheres::{SphereColumns, SphereGroup};
use roundel::{Error, Frame, RenderSettings, Srgba8};

use crate::columns::{self, ColorColumn, Colors, Column, Radii, check, rows, shapes};
use crate::drawing::interruptible;
use crate::error::exception;
use crate::facts::Facts;
use crate::image::Image;
use crate::markers::Markers;
use crate::options;
use crate::output::{Output, OutputOptions};
use crate::pool::locked;
use crate::scene::Scene;
use crate::shapes::Picture;

/// Draws pictures with the same threads and buffers. Several Python threads may use one.
#[pyclass(frozen, weakref, module = "roundel._roundel")]
pub(crate) struct Renderer {
    pub(crate) settings: RenderSettings,
    /// Idle renderers, and the process that started their threads, which a fork does not have.
    idle: Mutex<Vec<(u32, roundel::Renderer)>>,
}

impl Renderer {
    /// Draws what `loaded` makes.
    pub(crate) fn draw<'a>(
        &self,
        py: Python<'_>,
        output: &Output<'_>,
        loaded: impl FnOnce() -> roundel::Result<Cow<'a, LoadedScene<'a>>> + Send,
    ) -> PyResult<Image> {
        let finished = interruptible(py, |cancelled| {
            self.with_renderer(|renderer| loaded().and_then(|loaded| output.draw(renderer, &loaded, cancelled)))
        })?;
        // only a signal cancels, and its exception is raised above
        Image::of_finished(py, finished.ok_or_else(|| PyRuntimeError::new_err("the drawing was cancelled"))?)
    }

    /// Runs `work` with a renderer that nobody else uses.
    fn with_renderer<T>(&self, work: impl FnOnce(&mut roundel::Renderer) -> roundel::Result<T>) -> roundel::Result<T> {
        let mut renderer = self.take()?;
        let drawn = work(&mut renderer);
        locked(&self.idle).push((process::id(), renderer));
        drawn
    }

    fn take(&self) -> roundel::Result<roundel::Renderer> {
        let mut idle = locked(&self.idle);
        while let Some((process, renderer)) = idle.pop() {
            if process == process::id() {
                return Ok(renderer);
            }
            // its threads exist only in the parent process, and must not be joined
            std::mem::forget(renderer);
        }
        drop(idle);
        roundel::Renderer::new(&self.settings)
    }
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
    fn render(&self, py: Python<'_>, scene: &Bound<'_, Scene>, output: OutputOptions) -> PyResult<Image> {
        let scene = scene.get();
        self.draw(py, &output.with_rows(None), || Ok(Cow::Borrowed(&scene.loaded)))
    }

    /// Draws a scene from the camera that options ask for; `None` if its file must be read again for it.
    fn render_from(
        &self,
        py: Python<'_>,
        scene: &Bound<'_, Scene>,
        picture: &Bound<'_, PyDict>,
        output: OutputOptions,
    ) -> PyResult<Option<Image>> {
        let Some(seen) = scene.get().seen_with(py, picture)? else { return Ok(None) };
        self.draw(py, &output.with_rows(None), || Ok(Cow::Owned(seen))).map(Some)
    }

    /// Draws spheres: centres (n, 3) float32 in C order, a radius or (n,) float32, colours, numbers of parts, and the
    /// rows of which these are, if some were left out. The arrays are borrowed until the picture is finished.
    #[pyo3(signature = (centers, radii, colors, parts, are_atoms, facts, picture, output, kept))]
    #[expect(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
    fn spheres(
        &self,
        py: Python<'_>,
        centers: PyReadonlyArray2<'_, f32>,
        radii: Radii<'_>,
        colors: Colors<'_>,
        parts: Option<PyReadonlyArray1<'_, u32>>,
        are_atoms: bool,
        facts: Facts,
        picture: &Bound<'_, PyDict>,
        output: OutputOptions,
        kept: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Image> {
        let overrides = options::overrides(Some(picture), self.settings.budget)?;
        let facts = facts.shape_facts()?;
        let kind = if are_atoms { SphereKind::Atoms } else { SphereKind::Particles };
        let parts = parts.as_ref().map(|parts| parts.as_slice()).transpose()?.unwrap_or_default();
        let (centers, radii, colors) = sphere_columns(py, &centers, &radii, &colors, parts)?;
        let spheres = SphereColumns::new(centers, radii, colors).map_err(exception)?;
        let group = SphereGroup::from(spheres).with_parts(parts);
        // rows of the caller's arrays, if some were left out
        let kept = kept.as_ref().map(|kept| kept.as_slice()).transpose()?;
        self.draw(py, &output.with_rows(kept), || {
            figure_of_spheres(vec![group], kind, &facts, &overrides).map(Cow::Owned)
        })
    }

    /// A scene of the same spheres, which holds a copy of the arrays.
    #[expect(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
    fn sphere_scene(
        &self,
        py: Python<'_>,
        centers: PyReadonlyArray2<'_, f32>,
        radii: Radii<'_>,
        colors: Colors<'_>,
        parts: Option<PyReadonlyArray1<'_, u32>>,
        are_atoms: bool,
        facts: Facts,
        picture: &Bound<'_, PyDict>,
    ) -> PyResult<Scene> {
        let overrides = options::overrides(Some(picture), self.settings.budget)?;
        let facts = facts.shape_facts()?;
        let kind = if are_atoms { SphereKind::Atoms } else { SphereKind::Particles };
        let parts = parts.as_ref().map(|parts| parts.as_slice()).transpose()?.unwrap_or_default();
        let (centers, radii, colors) = sphere_columns(py, &centers, &radii, &colors, parts)?;
        let spheres =
            SphereColumns::new(centers.to_vec(), radii.into_owned(), colors.into_owned()).map_err(exception)?;
        let group = SphereGroup::from(spheres).with_parts(parts.to_vec());
        let loaded = interruptible(py, |_| figure_of_spheres(vec![group], kind, &facts, &overrides))?;
        Ok(Scene::new(loaded, None))
    }

    /// Draws circles or ellipses: centres (n, 2) float32 in pixels, a radius, (n,) or (n, 2) float32, colours.
    #[pyo3(signature = (centers, radii, colors, stroke, blend, facts, picture, output))]
    #[expect(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
    fn circles(
        &self,
        py: Python<'_>,
        centers: PyReadonlyArray2<'_, f32>,
        radii: Radii<'_>,
        colors: Colors<'_>,
        stroke: Option<f32>,
        blend: &str,
        facts: Facts,
        picture: &Bound<'_, PyDict>,
        output: OutputOptions,
    ) -> PyResult<Image> {
        let overrides = options::overrides(Some(picture), self.settings.budget)?;
        let facts = facts.shape_facts()?;
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
        self.draw(py, &output.with_rows(None), || {
            let layer: Layer<'_> = if axes.is_none() && stroke.is_none() {
                shapes(count, |row| PaintedCircle::new(centers[row], radii.get(row), colors.get(row))).into()
            } else {
                let ellipse = |row: usize| {
                    let radii = axes.map_or([radii.get(row); 2], |axes| axes[row]);
                    match stroke {
                        None => PaintedEllipse::new(centers[row], radii.map(f64::from), colors.get(row)),
                        Some(width) => PaintedEllipse::ring(
                            centers[row],
                            radii.map(f64::from),
                            Stroke::new(width),
                            colors.get(row),
                        ),
                    }
                };
                shapes(count, ellipse).into()
            };
            circle_figure(layer, blend, facts, &overrides).map(Cow::Owned)
        })
    }

    /// Draws cylinders: both ends (n, 3) float32 in C order, a radius or (n,) float32, colours of either half.
    #[pyo3(signature = (starts, ends, radii, colors, end_colors, is_round, picture))]
    #[expect(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
    fn cylinders(
        &self,
        py: Python<'_>,
        starts: PyReadonlyArray2<'_, f32>,
        ends: PyReadonlyArray2<'_, f32>,
        radii: Radii<'_>,
        colors: Colors<'_>,
        end_colors: Colors<'_>,
        is_round: bool,
        picture: Picture<'_>,
    ) -> PyResult<Image> {
        self.draw_cylinders(py, [starts, ends], (radii, [colors, end_colors]), is_round, picture)
    }

    /// Draws ellipsoids: centres and radii (n, 3) float32 in C order, quaternions (n, 4) float32, colours.
    #[pyo3(signature = (centers, radii, rotations, colors, picture))]
    fn ellipsoids(
        &self,
        py: Python<'_>,
        centers: PyReadonlyArray2<'_, f32>,
        radii: PyReadonlyArray2<'_, f32>,
        rotations: Option<PyReadonlyArray2<'_, f32>>,
        colors: Colors<'_>,
        picture: Picture<'_>,
    ) -> PyResult<Image> {
        self.draw_ellipsoids(py, [centers, radii], rotations, colors, picture)
    }

    /// Draws arrows: where they begin and their vectors (n, 3) float32 in C order, a radius or (n,) float32, colours.
    #[pyo3(signature = (starts, vectors, radii, colors, picture))]
    fn arrows(
        &self,
        py: Python<'_>,
        starts: PyReadonlyArray2<'_, f32>,
        vectors: PyReadonlyArray2<'_, f32>,
        radii: Radii<'_>,
        colors: Colors<'_>,
        picture: Picture<'_>,
    ) -> PyResult<Image> {
        self.draw_arrows(py, [starts, vectors], (radii, colors), picture)
    }

    /// Puts the marks of a figure around pixels of a density: (height, width, 4) uint8, the number by pixel, and their
    /// edges.
    fn density(
        &self,
        py: Python<'_>,
        pixels: PyReadonlyArray3<'_, u8>,
        values: Py<PyArray2<f64>>,
        extent: [f64; 4],
        facts: Facts,
        picture: &Bound<'_, PyDict>,
    ) -> PyResult<Image> {
        let overrides = options::overrides(Some(picture), self.settings.budget)?;
        let facts = facts.shape_facts()?;
        let sides = pixels.shape();
        let side = |side: usize| u32::try_from(side).map_err(|_| PyValueError::new_err("a side must be below 2^32"));
        let canvas = Canvas::new(side(sides[1])?, side(sides[0])?);
        let canvas = canvas.with_background(overrides.background.unwrap_or(Srgba8::WHITE));
        let (colors, width): (&[[u8; 4]], _) = (pixels.as_slice()?.as_chunks().0, sides[1]);
        let (frame, dpi) = interruptible(py, |cancelled| {
            let loaded = figure_of_circles(CircleScene::from(canvas), &facts, &marks(&overrides))?;
            let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
            let drawn = self.with_renderer(|renderer| loaded.draw_unless_cancelled(renderer, &mut frame, cancelled))?;
            let [right, down] = drawn.map_or([0; 2], |report| report.offset.map(|by| usize::try_from(by).unwrap_or(0)));
            let whole = frame.width() as usize;
            for (row, to) in colors.chunks_exact(width).zip(frame.pixels_mut().chunks_exact_mut(whole).skip(down)) {
                to[right..][..width].iter_mut().zip(row).for_each(|(to, &from)| *to = from.into());
            }
            Ok((frame, loaded.figure.dpi()))
        })?;
        Image::of_frame(py, frame)?.with_density(py, &values, extent, dpi)
    }

    /// Draws round markers on a transparent canvas: (height, width, 4) uint8, straight alpha. The first row is that of
    /// y = 0.
    fn markers<'py>(&self, py: Python<'py>, markers: Markers<'_>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let markers = markers.borrowed()?;
        let frame = interruptible(py, |cancelled| {
            let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
            self.with_renderer(|renderer| markers.draw(renderer, &mut frame, cancelled))?;
            Ok(frame)
        })?;
        let shape = [frame.height() as usize, frame.width() as usize, 4];
        frame.into_rgba_bytes().into_pyarray(py).reshape(shape)
    }
}

/// Centres, radii and colours of spheres, checked.
type SphereParts<'a> = (&'a [[f32; 3]], Column<'a, f32>, ColorColumn<'a>);

fn sphere_columns<'a>(
    py: Python<'_>,
    centers: &'a PyReadonlyArray2<'_, f32>,
    radii: &'a Radii<'_>,
    colors: &'a Colors<'_>,
    parts: &[u32],
) -> PyResult<SphereParts<'a>> {
    let centers = rows::<3>(centers)?;
    let radii = columns::radii(radii, centers.len())?;
    let colors = columns::colors(colors, centers.len())?;
    if !(parts.is_empty() || parts.len() == centers.len()) {
        return Err(PyValueError::new_err(format!("parts must be ({},)", centers.len())));
    }
    check(py, centers, &radii)?;
    Ok((centers, radii, colors))
}

/// The options of the figure, without those of its canvas.
fn marks(overrides: &LoadOptions) -> LoadOptions {
    LoadOptions { figure: overrides.figure.clone(), budget: overrides.budget, ..LoadOptions::default() }
}

/// A canvas with one layer, or the part of it that is asked for, and its marks.
fn circle_figure<'a>(
    layer: Layer<'a>,
    blend: Blend,
    facts: FigureInfo,
    overrides: &LoadOptions,
) -> roundel::Result<LoadedScene<'a>> {
    let whole = Canvas::default();
    let size = (overrides.width.unwrap_or(whole.width), overrides.height.unwrap_or(whole.height));
    let canvas = Canvas::new(size.0, size.1).with_blend(blend);
    let canvas = canvas.with_background(overrides.background.unwrap_or(Srgba8::WHITE));
    let scene = CircleScene::from(canvas).with_layer(layer);
    match &overrides.view_box {
        None => figure_of_circles(scene, &facts, &marks(overrides)),
        Some(view_box) if view_box.center.iter().all(|place| place.is_finite()) && view_box.height > 0.0 => {
            let enlarged = f64::from(size.1) / view_box.height;
            let pixels = facts.pixels_per_unit * enlarged;
            figure_of_circles(scene.in_view_box(view_box, size), &facts.with_pixels_per_unit(pixels), &marks(overrides))
        }
        Some(view_box) => {
            let message = format!("must be two finite numbers and a positive height, got {view_box:?}");
            Err(Error::Setting { name: "view_box", message })
        }
    }
}
