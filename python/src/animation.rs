//! Films of pictures that Python code draws.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roundel::film::FrameRate;

use crate::drawing::interruptible;
use crate::error::exception;
use crate::image::Image;

/// A film that is being written. Its file appears when it is finished, and not at all otherwise.
#[pyclass(frozen, module = "roundel._roundel")]
pub(crate) struct FilmWriter {
    writer: Mutex<Option<roundel::film::FilmWriter>>,
}

#[pymethods]
impl FilmWriter {
    /// Begins a film of the size of the sample's pictures; the colours of a GIF are chosen from them.
    #[new]
    fn new(py: Python<'_>, path: PathBuf, fps: f64, sample: Vec<Bound<'_, Image>>) -> PyResult<Self> {
        let rate = FrameRate::new(fps).map_err(exception)?;
        let frames = sample.iter().map(|image| image.get().to_frame(py)).collect::<PyResult<Vec<_>>>()?;
        let writer = interruptible(py, |_| roundel::film::FilmWriter::begin(path, rate, &frames))?;
        Ok(Self { writer: Mutex::new(Some(writer)) })
    }

    /// Adds a picture.
    fn push(&self, py: Python<'_>, image: &Bound<'_, Image>) -> PyResult<()> {
        let frame = image.get().to_frame(py)?;
        interruptible(py, |_| {
            let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            writer.as_mut().map_or(Ok(()), |writer| writer.push(frame))
        })
    }

    /// Finishes the file; returns the number of frames.
    fn finish(&self, py: Python<'_>) -> PyResult<u64> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let writer = writer.ok_or_else(|| PyValueError::new_err("the film is finished"))?;
        interruptible(py, |_| writer.finish())
    }

    /// Gives the film up: no file is left.
    fn abandon(&self) {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
