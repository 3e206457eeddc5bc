//! rayon for one thread: the part of its interface that roundel uses, as plain iterators.
//!
//! A worker in a browser is one thread. There the code that splits work, and rayon's own threads, queues and latches,
//! would be a tenth of what a page downloads, and would never run.

pub mod iter;
pub mod slice;

pub mod prelude {
    pub use crate::iter::{
        IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator,
        ParallelBridge, ParallelExtend, ParallelIterator,
    };
    pub use crate::slice::{ParallelSlice, ParallelSliceMut};
}

use std::convert::Infallible;

/// Runs both, one after the other.
pub fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
    (a(), b())
}

pub fn current_num_threads() -> usize {
    1
}

pub fn current_thread_index() -> Option<usize> {
    Some(0)
}

/// The error that never comes.
pub type ThreadPoolBuildError = Infallible;

/// Makes pools of the caller's thread.
#[derive(Debug, Default)]
pub struct ThreadPoolBuilder;

impl ThreadPoolBuilder {
    pub fn new() -> Self {
        Self
    }

    #[must_use]
    pub fn num_threads(self, _: usize) -> Self {
        self
    }

    pub fn build(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        Ok(ThreadPool)
    }
}

/// The caller's thread.
#[derive(Debug)]
pub struct ThreadPool;

impl ThreadPool {
    pub fn install<R>(&self, work: impl FnOnce() -> R) -> R {
        work()
    }

    pub fn current_num_threads(&self) -> usize {
        1
    }
}
