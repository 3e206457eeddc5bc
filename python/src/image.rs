//! Finished pictures as Python objects.

use std::path::PathBuf;
use std::time::Duration;

use numpy::{Element, IntoPyArray, PyArray, PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use roundel::compare::Picture;
use roundel::{Frame, Statistics};

use crate::compare::Pixels;
use crate::drawing::interruptible;
use crate::error::exception;
use crate::output::{Finished, FinishedPixels, SurfaceArrays};

/// A finished picture: (height, width, 4) uint8, straight-alpha sRGB; uint16 if it was drawn with 16 bits a channel.
/// Immutable.
#[pyclass(frozen, weakref, module = "roundel")]
pub(crate) struct Image {
    pixels: PixelArray,
    width: u32,
    height: u32,
    dpi: Option<f32>,
    statistics: Option<Statistics>,
    depth: Option<Py<PyArray2<f32>>>,
    index: Option<Py<PyArray2<i64>>>,
    normal: Option<Py<PyArray3<f32>>>,
    /// Of a density: the number by pixel, and the edges of these pixels in the units of the data.
    density: Option<(Py<PyArray2<f64>>, [f64; 4])>,
}

/// Pixels with 8 or 16 bits a channel.
enum PixelArray {
    Eight(Py<PyArray3<u8>>),
    Sixteen(Py<PyArray3<u16>>),
}

impl PixelArray {
    fn clone_ref(&self, py: Python<'_>) -> Py<PyAny> {
        match self {
            Self::Eight(pixels) => pixels.clone_ref(py).into_any(),
            Self::Sixteen(pixels) => pixels.clone_ref(py).into_any(),
        }
    }
}

impl Image {
    /// A picture that keeps the memory it was drawn into.
    pub(crate) fn of_finished(py: Python<'_>, finished: Finished) -> PyResult<Self> {
        let Finished { size: (width, height), pixels, dpi, statistics, surfaces } = finished;
        let shape = [height as usize, width as usize];
        let pixels = match pixels {
            FinishedPixels::Eight(bytes) => {
                PixelArray::Eight(frozen(&bytes.into_pyarray(py).reshape([shape[0], shape[1], 4])?)?)
            }
            FinishedPixels::Sixteen(samples) => {
                PixelArray::Sixteen(frozen(&samples.into_pyarray(py).reshape([shape[0], shape[1], 4])?)?)
            }
        };
        let SurfaceArrays { depth, index, normal } = surfaces;
        let plane = |depth: Vec<f32>| frozen(&depth.into_pyarray(py).reshape(shape)?);
        let numbers = |index: Vec<i64>| frozen(&index.into_pyarray(py).reshape(shape)?);
        let vectors =
            |normal: Vec<[f32; 3]>| frozen(&normal.into_flattened().into_pyarray(py).reshape([shape[0], shape[1], 3])?);
        Ok(Self {
            pixels,
            width,
            height,
            dpi,
            statistics: Some(statistics),
            depth: depth.map(plane).transpose()?,
            index: index.map(numbers).transpose()?,
            normal: normal.map(vectors).transpose()?,
            density: None,
        })
    }

    /// A frame as a picture.
    pub(crate) fn of_frame(py: Python<'_>, frame: Frame) -> PyResult<Self> {
        let (width, height) = (frame.width(), frame.height());
        let bytes = frame.into_rgba_bytes().into_pyarray(py).reshape([height as usize, width as usize, 4])?;
        Ok(Self::bare(PixelArray::Eight(frozen(&bytes)?), width, height))
    }

    /// A picture of pixels alone.
    fn bare(pixels: PixelArray, width: u32, height: u32) -> Self {
        let (statistics, depth, index, normal) = (None, None, None, None);
        Self { pixels, width, height, dpi: None, statistics, depth, index, normal, density: None }
    }

    /// The same picture with the numbers that it shows, and the edges of their pixels.
    pub(crate) fn with_density(
        self,
        py: Python<'_>,
        values: &Py<PyArray2<f64>>,
        extent: [f64; 4],
        dpi: Option<f32>,
    ) -> PyResult<Self> {
        Ok(Self { density: Some((frozen(values.bind(py))?, extent)), dpi, ..self })
    }

    /// Runs `work` on the picture without the interpreter's lock; Ctrl-C is raised once it has ended.
    fn with_picture<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Picture<'_>) -> roundel::Result<T> + Send,
    ) -> PyResult<T> {
        let (width, height) = (self.width, self.height);
        match &self.pixels {
            PixelArray::Eight(pixels) => {
                let pixels = pixels.bind(py).try_readonly()?;
                let bytes = pixels.as_slice()?;
                interruptible(py, |_| work(&Picture::from_rgba8(width, height, bytes)?))
            }
            PixelArray::Sixteen(pixels) => {
                let pixels = pixels.bind(py).try_readonly()?;
                let samples = pixels.as_slice()?;
                interruptible(py, |_| work(&Picture::from_rgba16(width, height, samples)?))
            }
        }
    }
}

/// An array that nobody can write to any more.
fn frozen<T: Element, D: numpy::ndarray::Dimension>(array: &Bound<'_, PyArray<T, D>>) -> PyResult<Py<PyArray<T, D>>> {
    array.call_method1("setflags", (false,))?;
    Ok(array.clone().unbind())
}

/// An array that was asked for.
fn asked_for<T>(array: Option<&Py<T>>, name: &str, py: Python<'_>) -> PyResult<Py<T>> {
    array.map(|array| array.clone_ref(py)).ok_or_else(|| {
        PyAttributeError::new_err(format!("the picture has no {name}: draw it with arrays=(\"{name}\",)"))
    })
}

/// Whether two arrays have the same shape and elements.
fn same<T: Element + PartialEq, D: numpy::ndarray::Dimension>(
    py: Python<'_>,
    own: &Py<PyArray<T, D>>,
    other: &Py<PyArray<T, D>>,
) -> PyResult<bool> {
    Ok(own.bind(py).try_readonly()?.as_array() == other.bind(py).try_readonly()?.as_array())
}

/// The same for optional arrays.
fn both<T: Element + PartialEq, D: numpy::ndarray::Dimension>(
    py: Python<'_>,
    own: Option<&Py<PyArray<T, D>>>,
    other: Option<&Py<PyArray<T, D>>>,
) -> PyResult<bool> {
    match (own, other) {
        (Some(own), Some(other)) => same(py, own, other),
        (None, None) => Ok(true),
        _ => Ok(false),
    }
}

/// Writes a file, which is replaced whole or not at all.
#[pyfunction]
pub(crate) fn write_file(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    py.detach(|| roundel::io::write_file(&path, |file| file.write_all(content))).map_err(exception)
}

/// The part of the package that writes pictures.
fn pictures(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("roundel._pictures")
}

/// Arrays beside the pixels: depths, rows and normals; numbers by pixel and their edges.
type Arrays = (
    Option<Py<PyArray2<f32>>>,
    Option<Py<PyArray2<i64>>>,
    Option<Py<PyArray3<f32>>>,
    Option<(Py<PyArray2<f64>>, [f64; 4])>,
);

/// A picture as it was pickled, with counts and seconds of its render.
#[pyfunction]
pub(crate) fn restored_image(
    py: Python<'_>,
    pixels: Pixels<'_>,
    dpi: Option<f32>,
    numbers: Option<([u64; 10], [f64; 2])>,
    arrays: Arrays,
) -> PyResult<Image> {
    let statistics = numbers.map(|(counts, times)| {
        let [shapes, culled, visible, binned, tiles, rays, shaded, lit, occluders, edges] = counts;
        let [prepare, draw] = times.map(Duration::from_secs_f64);
        let mut statistics = Statistics::default();
        (statistics.shapes, statistics.culled, statistics.visible) = (shapes, culled, visible);
        (statistics.binned, statistics.tiles, statistics.rays) = (binned, tiles, rays);
        (statistics.shaded, statistics.lit) = (shaded, lit);
        (statistics.occluders, statistics.edges) = (occluders, edges);
        (statistics.prepare, statistics.draw) = (prepare, draw);
        statistics
    });
    let (depth, index, normal, density) = arrays;
    let density = density.map(|(values, extent)| Ok::<_, PyErr>((frozen(values.bind(py))?, extent))).transpose()?;
    let depth = depth.map(|array| frozen(array.bind(py))).transpose()?;
    let index = index.map(|array| frozen(array.bind(py))).transpose()?;
    let normal = normal.map(|array| frozen(array.bind(py))).transpose()?;
    Ok(Image { dpi, statistics, depth, index, normal, density, ..Image::new(py, pixels)? })
}

#[pymethods]
impl Image {
    /// A copy of an array of pixels, (height, width, 4) uint8 or uint16.
    #[new]
    fn new(py: Python<'_>, pixels: Pixels<'_>) -> PyResult<Self> {
        let shape = pixels.shape();
        let side = |side: usize| u32::try_from(side).ok().filter(|&side| side > 0 && shape[2] == 4);
        let (Some(height), Some(width)) = (side(shape[0]), side(shape[1])) else {
            return Err(PyValueError::new_err(format!("pixels must be (height, width, 4), got {shape:?}")));
        };
        let pixels = match &pixels {
            Pixels::Eight(pixels) => PixelArray::Eight(frozen(&pixels.as_array().to_owned().into_pyarray(py))?),
            Pixels::Sixteen(pixels) => PixelArray::Sixteen(frozen(&pixels.as_array().to_owned().into_pyarray(py))?),
        };
        Ok(Self::bare(pixels, width, height))
    }

    /// Pictures do not change: a copy is the same picture.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// Columns of pixels.
    #[getter]
    fn width(&self) -> u32 {
        self.width
    }

    /// Rows of pixels.
    #[getter]
    fn height(&self) -> u32 {
        self.height
    }

    /// Width and height in pixels.
    #[getter]
    fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The shape of the array of pixels: height, width, 4.
    #[getter]
    fn shape(&self) -> (u32, u32, u32) {
        (self.height, self.width, 4)
    }

    /// The pixels, (height, width, 4) uint8 or uint16, read-only.
    #[getter]
    fn pixels(&self, py: Python<'_>) -> Py<PyAny> {
        self.pixels.clone_ref(py)
    }

    /// Distances from the eye along the line of sight in the middle of each pixel, (height, width) float32 in world
    /// units; infinite where there is no sphere.
    #[getter]
    fn depth(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f32>>> {
        asked_for(self.depth.as_ref(), "depth", py)
    }

    /// The row of the sphere in the middle of each pixel, (height, width) int64; -1 where there is none.
    #[getter]
    fn index(&self, py: Python<'_>) -> PyResult<Py<PyArray2<i64>>> {
        asked_for(self.index.as_ref(), "index", py)
    }

    /// Unit normals in the middle of each pixel, (height, width, 3) float32 in world coordinates, towards the eye; 0
    /// where there is no sphere.
    #[getter]
    fn normal(&self, py: Python<'_>) -> PyResult<Py<PyArray3<f32>>> {
        asked_for(self.normal.as_ref(), "normal", py)
    }

    /// The number by pixel of a density, (height, width) float64, without the marks around the picture.
    #[getter]
    fn values(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        let density = self.density.as_ref().map(|(values, _)| values.clone_ref(py));
        density.ok_or_else(|| PyAttributeError::new_err("the picture is not a density, and has no values"))
    }

    /// The left, right, bottom and top edge of a density in the units of its data.
    #[getter]
    fn extent(&self) -> PyResult<(f64, f64, f64, f64)> {
        let density = self.density.as_ref().map(|(_, extent)| (*extent).into());
        density.ok_or_else(|| PyAttributeError::new_err("the picture is not a density, and has no extent"))
    }

    /// Dots per inch, which are written into files; `None` if they were not given.
    #[getter]
    fn dpi(&self) -> Option<f32> {
        self.dpi
    }

    /// Counts of the render as `--stats=json` names them; empty for a picture that was not drawn.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        if let Some(statistics) = self.statistics {
            for (name, count) in statistics.counts() {
                counts.set_item(name, count)?;
            }
        }
        Ok(counts)
    }

    /// Times of the render in milliseconds: `prepare` and `draw`; empty for a picture that was not drawn.
    #[getter]
    fn times_ms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let times = PyDict::new(py);
        if let Some(Statistics { prepare, draw, .. }) = self.statistics {
            times.set_item("prepare", 1e3 * prepare.as_secs_f64())?;
            times.set_item("draw", 1e3 * draw.as_secs_f64())?;
        }
        Ok(times)
    }

    /// The bytes of a PNG of the picture. The resolution is not written: `save` does.
    fn to_png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with_picture(py, |picture| picture.encode_png())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the picture to a file or a file object; see `roundel/_pictures.py`.
    #[pyo3(signature = (path, *, format=None, dpi=None, metadata=None))]
    fn save<'py>(
        slf: &Bound<'py, Self>,
        path: &Bound<'py, PyAny>,
        format: Option<&Bound<'py, PyAny>>,
        dpi: Option<&Bound<'py, PyAny>>,
        metadata: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        pictures(slf.py())?.getattr("save")?.call1((slf, path, format, dpi, metadata)).map(|_| ())
    }

    /// The picture as a `PIL.Image.Image`, which needs the package pillow; its `info` has the dpi.
    fn to_pil<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        pictures(slf.py())?.getattr("to_pil")?.call1((slf,))
    }

    /// How another picture compares with this one; the options are those of `roundel.compare`.
    #[pyo3(signature = (other, **options))]
    fn compare<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("roundel")?.getattr("compare")?.call((slf, other), options)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_png(py)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pixels = self.pixels.clone_ref(py).into_bound(py);
        let is_other = match &dtype {
            Some(dtype) => !pixels.getattr("dtype")?.eq(dtype)?,
            None => false,
        };
        match (is_other, copy) {
            (true, Some(false)) => {
                let own = pixels.getattr("dtype")?;
                Err(PyValueError::new_err(format!("the pixels are {own}: another dtype needs a copy")))
            }
            (true, _) => pixels.call_method1("astype", (dtype,)),
            (false, Some(true)) => pixels.call_method0("copy"),
            (false, _) => Ok(pixels),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let image = slf.get();
        let numbers = image
            .statistics
            .map(|of| (of.counts().map(|(_, count)| count), [of.prepare, of.draw].map(|time| time.as_secs_f64())));
        let arrays = (
            image.depth.as_ref().map(|array| array.clone_ref(py)),
            image.index.as_ref().map(|array| array.clone_ref(py)),
            image.normal.as_ref().map(|array| array.clone_ref(py)),
            image.density.as_ref().map(|(values, extent)| (values.clone_ref(py), *extent)),
        );
        let restore = py.import("roundel._roundel")?.getattr("restored_image")?;
        Ok((restore, (image.pixels.clone_ref(py), image.dpi, numbers, arrays).into_pyobject(py)?))
    }

    /// Whether pixels and arrays are the same.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.get();
        let are_same = match (&self.pixels, &other.pixels) {
            (PixelArray::Eight(own), PixelArray::Eight(others)) => same(py, own, others)?,
            (PixelArray::Sixteen(own), PixelArray::Sixteen(others)) => same(py, own, others)?,
            _ => false,
        };
        // pixels without points are NaN in both
        let are_alike = |(own, other): (&f64, &f64)| own == other || (own.is_nan() && other.is_nan());
        let are_same_values = match (&self.density, &other.density) {
            (Some((own, _)), Some((others, _))) => {
                let (own, others) = (own.bind(py).try_readonly()?, others.bind(py).try_readonly()?);
                own.shape() == others.shape() && own.as_array().iter().zip(others.as_array()).all(are_alike)
            }
            (own, others) => own.is_none() && others.is_none(),
        };
        Ok(are_same
            && are_same_values
            && both(py, self.depth.as_ref(), other.depth.as_ref())?
            && both(py, self.index.as_ref(), other.index.as_ref())?
            && both(py, self.normal.as_ref(), other.normal.as_ref())?)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
        // equal pictures have equal hashes; few are ever hashed
        slf.get().pixels.clone_ref(slf.py()).bind(slf.py()).call_method0("tobytes")?.hash()
    }

    fn __repr__(&self) -> String {
        format!("<roundel.Image of {}x{} pixels>", self.width, self.height)
    }
}
