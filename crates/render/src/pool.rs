//! The threads of a renderer.

use std::error::Error as _;
use std::io;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// A thread pool of its own, or only the caller's thread on systems without threads, such as WebAssembly.
#[derive(Debug)]
pub(super) struct RenderPool(Option<ThreadPool>);

impl RenderPool {
    /// Starts this many threads; `None` for one per processor.
    pub(super) fn new(threads: Option<usize>) -> Result<Self, ThreadPoolBuildError> {
        match ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build() {
            Err(error) if is_unsupported(&error) => {
                // this makes the caller the only thread of rayon's global pool
                rayon::current_num_threads();
                Ok(Self(None))
            }
            pool => pool.map(|pool| Self(Some(pool))),
        }
    }

    /// Runs work, and all parallel work that it starts, on these threads.
    pub(super) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    pub(super) fn current_num_threads(&self) -> usize {
        self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }
}

fn is_unsupported(error: &ThreadPoolBuildError) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::Unsupported)
}
