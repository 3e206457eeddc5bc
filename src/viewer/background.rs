//! Work in the background: counting frames, planning films, writing them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use crate::error::{Error, Result};
use crate::film::{Film, FilmOptions, FilmPainter, Recording};
use crate::io::LoadOptions;
use roundel_render::{RenderSettings, Renderer};

#[derive(Debug, Default)]
pub(super) enum BackgroundTask<T> {
    #[default]
    Idle,
    Running(JoinHandle<Option<T>>),
    Done(Option<T>),
}

impl<T: Send + 'static> BackgroundTask<T> {
    pub(super) fn start(work: impl FnOnce() -> Option<T> + Send + 'static) -> Self {
        Self::Running(std::thread::spawn(work))
    }

    pub(super) fn is_idle(&self) -> bool {
        matches!(self, Self::Idle)
    }

    /// The value, once it has been found.
    pub(super) fn value(&self) -> Option<&T> {
        if let Self::Done(value) = self { value.as_ref() } else { None }
    }

    /// Takes over the thread's value; returns whether the thread has just ended.
    pub(super) fn poll(&mut self) -> bool {
        matches!(self, Self::Running(thread) if thread.is_finished()) && self.wait()
    }

    /// Waits for the thread; returns whether there was one.
    pub(super) fn wait(&mut self) -> bool {
        match std::mem::replace(self, Self::Idle) {
            Self::Running(thread) => {
                *self = Self::Done(thread.join().ok().flatten());
                true
            }
            before => {
                *self = before;
                false
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct FilmJob {
    pub(super) input: PathBuf,
    pub(super) output: PathBuf,
    pub(super) picture: LoadOptions,
    pub(super) options: FilmOptions,
    pub(super) settings: RenderSettings,
    /// The command that writes the same film.
    pub(super) command: String,
}

#[derive(Debug)]
pub(super) struct Export {
    thread: Option<JoinHandle<Result<u64>>>,
    pub(super) job: FilmJob,
    frames: Arc<[AtomicU64; 2]>,
    stop: Arc<AtomicBool>,
}

impl Export {
    pub(super) fn start(job: FilmJob) -> Self {
        let frames = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let stop = Arc::new(AtomicBool::new(false));
        let (to_do, progress, is_stopped) = (job.clone(), Arc::clone(&frames), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            let FilmJob { input, output, picture, options, settings, .. } = to_do;
            let given_up = |_| {
                if is_stopped.load(Ordering::Relaxed) { Err(Error::setting("film", "was given up")) } else { Ok(()) }
            };
            let film = Film::plan(&[input], &picture, &options, given_up)?;
            let recording = Recording::new(&output, &is_stopped);
            recording.run(&mut FilmPainter::new(&film, &mut Renderer::new(&settings)?), |now| {
                progress[0].store(now.drawn, Ordering::Relaxed);
                progress[1].store(now.total, Ordering::Relaxed);
            })
        });
        Self { thread: Some(thread), job, frames, stop }
    }

    /// The number of frames drawn so far, and of all frames.
    pub(super) fn progress(&self) -> [u64; 2] {
        [0, 1].map(|index| self.frames[index].load(Ordering::Relaxed))
    }

    pub(super) fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    pub(super) fn finish(mut self) -> Result<u64> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(written)) => written,
            _ => Err(Error::setting("film", "could not be written")),
        }
    }
}

impl Drop for Export {
    /// Stops after the current frame: the film has the frames so far.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // nobody is left to read its error
            drop(thread.join());
        }
    }
}
