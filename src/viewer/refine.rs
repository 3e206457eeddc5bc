//! The picture at rest, drawn in a thread of its own, pass by pass, until it is finished or nobody wants it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::picture::{Loaded, picture};
use super::state::Aim;
use crate::color::Srgba8;
use crate::error::Result;
use crate::frame::Frame;
use crate::render::{RenderSettings, Renderer, Statistics};
use crate::scene::spheres::Shading;

/// A picture to draw in ever better quality.
#[derive(Debug)]
pub(super) struct Wish {
    pub(super) loaded: Arc<Loaded>,
    pub(super) aim: Aim,
    pub(super) size: (u32, u32),
    /// First to last.
    pub(super) passes: Vec<Shading>,
}

/// A pass that is finished.
#[derive(Debug)]
pub(super) struct Pass {
    pub(super) frame: Frame,
    pub(super) shading: Shading,
    pub(super) statistics: Statistics,
    pub(super) time: Duration,
    /// Whether this is the picture that was wished for.
    pub(super) last: bool,
}

struct Job {
    number: u64,
    wish: Wish,
    cancelled: Arc<AtomicBool>,
}

/// Draws the latest wish in the background.
#[derive(Debug)]
pub(super) struct Refiner {
    jobs: Sender<Job>,
    passes: Receiver<(u64, Result<Pass>)>,
    /// Of the latest wish; results of earlier ones are dropped.
    number: u64,
    cancelled: Arc<AtomicBool>,
    busy: bool,
}

impl Refiner {
    /// Starts the thread; it ends when this is dropped.
    pub(super) fn start(settings: &RenderSettings) -> Result<Self> {
        let renderer = Renderer::new(settings)?;
        let (jobs, wished) = channel();
        let (finished, passes) = channel();
        thread::spawn(move || work(renderer, &wished, &finished));
        Ok(Self { jobs, passes, number: 0, cancelled: Arc::default(), busy: false })
    }

    /// Starts to draw, in place of what was wished for before.
    pub(super) fn wish(&mut self, wish: Wish) {
        self.cancel();
        self.cancelled = Arc::default();
        let job = Job { number: self.number, wish, cancelled: Arc::clone(&self.cancelled) };
        self.busy = self.jobs.send(job).is_ok();
    }

    /// Nobody wants the picture any more: its thread stops at the next tile.
    pub(super) fn cancel(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.number += 1;
        self.busy = false;
    }

    /// The best pass that has been finished since last asked; `None` when there is none.
    pub(super) fn poll(&mut self) -> Option<Result<Pass>> {
        let number = self.number;
        let pass = self.passes.try_iter().filter(|(of, _)| *of == number).last().map(|(_, pass)| pass)?;
        self.busy &= pass.as_ref().is_ok_and(|pass| !pass.last);
        Some(pass)
    }

    /// Whether a wished picture is not finished yet.
    pub(super) fn busy(&self) -> bool {
        self.busy
    }
}

impl Drop for Refiner {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// What the thread does until nobody can wish for anything any more.
fn work(mut renderer: Renderer, jobs: &Receiver<Job>, finished: &Sender<(u64, Result<Pass>)>) {
    while let Ok(job) = jobs.recv() {
        let Wish { loaded, aim, size, passes } = &job.wish;
        for (index, &shading) in passes.iter().enumerate() {
            if job.cancelled.load(Ordering::Relaxed) {
                break;
            }
            let start = Instant::now();
            let scene = picture(&loaded.scene, aim, shading, *size);
            let drawn = Frame::new(size.0, size.1, Srgba8::TRANSPARENT).and_then(|mut frame| {
                let statistics = renderer.render_unless_cancelled(&scene, &mut frame, &job.cancelled)?;
                let (time, last) = (start.elapsed(), index + 1 == passes.len());
                Ok(statistics.map(|statistics| Pass { frame, shading, statistics, time, last }))
            });
            let Some(drawn) = drawn.transpose() else { break };
            let failed = drawn.is_err();
            if finished.send((job.number, drawn)).is_err() || failed {
                break;
            }
        }
    }
}
