//! Drawing without the interpreter's lock, interruptible by Python's signals.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::exception;
use crate::pool;

/// How often a long call checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` in a thread of its own, without the interpreter's lock, while this thread waits for signals.
///
/// A signal whose handler raises sets the flag given to `work`, and its exception is returned once `work` has ended. A
/// panic in `work` becomes a `RuntimeError`.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> roundel::Result<T> + Send,
) -> PyResult<T> {
    let cancelled = AtomicBool::new(false);
    let (outcome, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let cancelled = &cancelled;
            scope.spawn(move || {
                let outcome = catch_unwind(AssertUnwindSafe(|| pool::install(|| work(cancelled))));
                // the receiver waits until something is sent
                let _ = sender.send(outcome);
            });
            let mut raised = None;
            loop {
                match receiver.recv_timeout(SIGNAL_INTERVAL) {
                    Ok(outcome) => return (Some(outcome), raised),
                    Err(RecvTimeoutError::Disconnected) => return (None, raised),
                    Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        raised = Python::attach(|py| py.check_signals().err());
                        cancelled.store(raised.is_some(), Ordering::Relaxed);
                    }
                }
            }
        })
    });
    match (raised, outcome) {
        (Some(raised), _) => Err(raised),
        (None, Some(Ok(result))) => result.map_err(exception),
        (None, Some(Err(panic))) => Err(broken(panic.as_ref())),
        (None, None) => Err(PyRuntimeError::new_err("the drawing thread ended without a result")),
    }
}

/// Runs `work` in a thread of its own, without the interpreter's lock, while this thread waits for signals.
///
/// The exception of a signal handler is returned at once: `work` goes on with the threads that it has, and its result
/// is dropped.
pub(crate) fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> roundel::Result<T> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        // nobody may be waiting any more
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| pool::install(work))));
    });
    // a channel's end is not to be shared, but may be moved
    let waited: PyResult<_> = py.detach(move || {
        loop {
            match receiver.recv_timeout(SIGNAL_INTERVAL) {
                Ok(outcome) => return Ok(Some(outcome)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    Python::attach(|py| py.check_signals()).inspect_err(|_| pool::leave())?
                }
            }
        }
    });
    match waited? {
        Some(Ok(result)) => result.map_err(exception),
        Some(Err(panic)) => Err(broken(panic.as_ref())),
        None => Err(PyRuntimeError::new_err("the reading thread ended without a result")),
    }
}

/// A panic as an exception: an error in roundel, or arrays that another thread changed while they were drawn.
fn broken(panic: &(dyn Any + Send)) -> PyErr {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    let message = message.unwrap_or("no message");
    PyRuntimeError::new_err(format!(
        "drawing failed ({message}): unless another thread changed the arrays meanwhile, this is an error in roundel"
    ))
}
