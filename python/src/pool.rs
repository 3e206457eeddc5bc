//! The threads that read files and convert arrays. Rayon's global pool would be dead in a forked process.

use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads, and the process that started them.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs `work` in the threads of this process, or in the calling one if none can be started.
pub(crate) fn install<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Abandons the busy threads: the next call starts others.
pub(crate) fn leave() {
    locked(&POOL).take();
}

/// Locks a mutex even if it is poisoned: no panic leaves its content half changed.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pool() -> Option<Arc<ThreadPool>> {
    let mut known = locked(&POOL);
    if let Some((process, pool)) = known.take() {
        if process == process::id() {
            *known = Some((process, Arc::clone(&pool)));
            return Some(pool);
        }
        // its threads exist only in the parent process, and must not be joined
        std::mem::forget(pool);
    }
    let pool = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    *known = Some((process::id(), Arc::clone(&pool)));
    Some(pool)
}
