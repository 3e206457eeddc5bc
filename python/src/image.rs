//! Finished pictures as Python objects.

use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray3, PyArrayMethods, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use roundel::compare::Picture;
use roundel::{Frame, Statistics};

use crate::drawing::interruptible;
use crate::error::exception;

/// A finished picture: (height, width, 4) uint8, straight-alpha sRGB. Immutable.
#[pyclass(frozen, weakref, module = "roundel")]
pub(crate) struct Image {
    pixels: Py<PyArray3<u8>>,
    width: u32,
    height: u32,
    statistics: Option<Statistics>,
}

impl Image {
    /// A picture in the memory of the frame.
    pub(crate) fn of_frame(py: Python<'_>, frame: Frame, statistics: Option<Statistics>) -> PyResult<Self> {
        let (width, height) = (frame.width(), frame.height());
        let bytes = frame.into_rgba_bytes().into_pyarray(py);
        let pixels = bytes.reshape([height as usize, width as usize, 4])?;
        Self::of_array(&pixels, statistics)
    }

    fn of_array(pixels: &Bound<'_, PyArray3<u8>>, statistics: Option<Statistics>) -> PyResult<Self> {
        let &[height, width, _] = pixels.shape() else {
            return Err(PyValueError::new_err("pixels must have three axes"));
        };
        let side = |side: usize| u32::try_from(side).map_err(|_| PyValueError::new_err("the picture is too large"));
        pixels.call_method1("setflags", (false,))?;
        Ok(Self { pixels: pixels.clone().unbind(), width: side(width)?, height: side(height)?, statistics })
    }

    /// Runs `work` on the picture without the interpreter's lock.
    pub(crate) fn with_picture<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Picture<'_>) -> roundel::Result<T> + Send,
    ) -> PyResult<T> {
        let pixels = self.pixels.bind(py).try_readonly()?;
        let bytes = pixels.as_slice()?;
        let (width, height) = (self.width, self.height);
        py.detach(|| Picture::from_rgba8(width, height, bytes).and_then(work)).map_err(exception)
    }
}

#[pymethods]
impl Image {
    /// A copy of an array of pixels, (height, width, 4) uint8.
    #[new]
    fn new(pixels: PyReadonlyArray3<'_, u8>) -> PyResult<Self> {
        let own = pixels.as_array().to_owned().into_pyarray(pixels.py());
        if own.shape().contains(&0) || own.shape()[2] != 4 {
            return Err(PyValueError::new_err(format!("pixels must be (height, width, 4), got {:?}", own.shape())));
        }
        Self::of_array(&own, None)
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

    /// The pixels, (height, width, 4) uint8, read-only.
    #[getter]
    fn pixels(&self, py: Python<'_>) -> Py<PyArray3<u8>> {
        self.pixels.clone_ref(py)
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

    /// The bytes of a PNG of the picture.
    fn to_png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with_picture(py, |picture| picture.encode_png())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the picture as PNG. The file is replaced whole, or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        if !is_png {
            let message = format!("path must end in .png, got {:?}; to_pil() writes other formats", path.display());
            return Err(PyValueError::new_err(message));
        }
        let pixels = self.pixels.bind(py).try_readonly()?;
        let bytes = pixels.as_slice()?;
        let (width, height) = (self.width, self.height);
        interruptible(py, |_| Picture::from_rgba8(width, height, bytes)?.save_png(&path))
    }

    /// The picture as a `PIL.Image.Image`, which needs the package pillow.
    fn to_pil<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let pil = slf.py().import("PIL.Image")?;
        pil.call_method1("fromarray", (slf.get().pixels.clone_ref(slf.py()),))
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
        let pixels = self.pixels.bind(py).clone().into_any();
        let is_other = match &dtype {
            Some(dtype) => !pixels.getattr("dtype")?.eq(dtype)?,
            None => false,
        };
        match (is_other, copy) {
            (true, Some(false)) => Err(PyValueError::new_err("the pixels are uint8: another dtype needs a copy")),
            (true, _) => pixels.call_method1("astype", (dtype,)),
            (false, Some(true)) => pixels.call_method0("copy"),
            (false, _) => Ok(pixels),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let pixels = slf.get().pixels.clone_ref(py);
        Ok((slf.get_type().into_any(), PyTuple::new(py, [pixels])?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.get();
        if (self.width, self.height) != (other.width, other.height) {
            return Ok(false);
        }
        let (own, others) = (self.pixels.bind(py).try_readonly()?, other.pixels.bind(py).try_readonly()?);
        Ok(own.as_slice()? == others.as_slice()?)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
        // equal pictures have equal hashes; few are ever hashed
        slf.get().pixels.bind(slf.py()).call_method0("tobytes")?.hash()
    }

    fn __repr__(&self) -> String {
        format!("<roundel.Image of {}x{} pixels>", self.width, self.height)
    }
}
