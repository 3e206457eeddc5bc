//! Films from pictures that Python code hands over one after another.

use std::path::PathBuf;
use std::sync::Mutex;

use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roundel::film::{FilmWriter as Writer, FrameRate};
use roundel::{Error, Frame, Srgba8};

use crate::drawing::interruptible;
use crate::error::exception;
use crate::pool::locked;

/// A film that is being written.
#[pyclass(frozen, module = "roundel._roundel")]
pub(crate) struct FilmWriter(Mutex<Option<Writer>>);

#[pymethods]
impl FilmWriter {
    /// Begins a film. The sample's frames give its size and the palette of a GIF.
    #[new]
    fn new(py: Python<'_>, path: PathBuf, fps: f64, sample: Vec<PyReadonlyArray3<'_, u8>>) -> PyResult<Self> {
        let rate = FrameRate::new(fps).map_err(exception)?;
        let sample = sample.iter().map(frame).collect::<PyResult<Vec<Frame>>>()?;
        let writer = interruptible(py, |_| Writer::begin(&path, rate, &sample))?;
        Ok(Self(Mutex::new(Some(writer))))
    }

    /// Adds a frame, (height, width, 4) uint8.
    fn push(&self, py: Python<'_>, pixels: PyReadonlyArray3<'_, u8>) -> PyResult<()> {
        let frame = frame(&pixels)?;
        interruptible(py, |_| match &mut *locked(&self.0) {
            Some(writer) => writer.push(frame),
            None => Err(is_finished()),
        })
    }

    /// Finishes the film and gives its file its name; returns the number of frames.
    fn finish(&self, py: Python<'_>) -> PyResult<u64> {
        let writer = locked(&self.0).take();
        interruptible(py, |_| writer.ok_or_else(is_finished)?.finish())
    }

    /// Removes the unfinished film.
    fn abandon(&self) {
        drop(locked(&self.0).take());
    }
}

fn is_finished() -> Error {
    Error::Setting { name: "film", message: "is finished".to_owned() }
}

/// A frame of an array.
fn frame(pixels: &PyReadonlyArray3<'_, u8>) -> PyResult<Frame> {
    let shape = pixels.shape();
    let side = |side: usize| u32::try_from(side).ok().filter(|&side| side > 0 && shape[2] == 4);
    let (Some(height), Some(width)) = (side(shape[0]), side(shape[1])) else {
        return Err(PyValueError::new_err(format!("a frame must be (height, width, 4), got {shape:?}")));
    };
    let mut frame = Frame::new(width, height, Srgba8::TRANSPARENT).map_err(exception)?;
    for (to, &[r, g, b, a]) in frame.pixels_mut().iter_mut().zip(pixels.as_slice()?.as_chunks::<4>().0) {
        *to = Srgba8 { r, g, b, a };
    }
    Ok(frame)
}
