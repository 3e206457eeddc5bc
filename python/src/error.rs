//! The crate's errors as Python's exceptions.

use std::io::ErrorKind;

use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use roundel::{Error, Resource};

/// The exception that fits: an `OSError` with its number for files, a `MemoryError` for the limit of memory, a
/// `ValueError` for arguments and the contents of files.
pub(crate) fn exception(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Io { path, source, .. } => match source.raw_os_error() {
            Some(number) => {
                // an OSError of two or three arguments becomes the subclass for its number: FileNotFoundError …
                let reason = source.to_string();
                let reason = reason.split(" (os error").next().unwrap_or_default().to_owned();
                PyOSError::new_err((number, reason, path.display().to_string()))
            }
            // such as a path with a null byte
            None if source.kind() == ErrorKind::InvalidInput => PyValueError::new_err(message),
            None => PyOSError::new_err(message),
        },
        Error::Budget { resource: Resource::Memory, .. } => {
            PyMemoryError::new_err(format!("{message}; limit_memory raises it"))
        }
        Error::Budget { resource, .. } => {
            PyValueError::new_err(format!("{message}; limit_{} raises it", resource.name()))
        }
        Error::Threads(_) => PyRuntimeError::new_err(message),
        // arrays are in no file
        _ => PyValueError::new_err(message.trim_start_matches("<memory>: ").to_owned()),
    }
}
