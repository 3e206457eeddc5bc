//! Progressive refinement: a background thread draws the picture at rest in passes of increasing quality.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::super::picture::PictureSpec;
use super::adaptive_quality::Effects;
use super::level_of_detail::LevelsOfDetail;
use crate::color::Srgba8;
use crate::error::Result;
use crate::frame::Frame;
use crate::scene::spheres::{AmbientOcclusion, Shading};
use roundel_render::{RenderSettings, Renderer, Statistics};

#[derive(Debug)]
pub(super) struct RefineJob {
    pub(super) scene: Arc<LevelsOfDetail>,
    pub(super) picture: PictureSpec,
    /// The shading of each pass; the last is the picture's own.
    pub(super) passes: Vec<Shading>,
}

#[derive(Debug)]
pub(super) struct RefinedFrame {
    pub(super) frame: Frame,
    pub(super) shading: Shading,
    pub(super) statistics: Statistics,
    pub(super) time: Duration,
    /// Whether this is the last pass of its job, with the picture's own shading.
    pub(super) is_final: bool,
}

/// A job in the thread's queue.
struct QueuedJob {
    number: u64,
    job: RefineJob,
    cancelled: Arc<AtomicBool>,
}

/// Runs the latest job in a background thread.
#[derive(Debug)]
pub(super) struct Refiner {
    queue: Sender<QueuedJob>,
    finished: Receiver<(u64, Result<RefinedFrame>)>,
    /// Number of the latest job; frames of earlier ones are dropped.
    number: u64,
    cancelled: Arc<AtomicBool>,
    pub(super) is_busy: bool,
}

impl Refiner {
    /// Starts the thread, which ends when the refiner is dropped.
    pub(super) fn new(settings: &RenderSettings) -> Result<Self> {
        let renderer = Renderer::new(settings)?;
        let (queue, jobs) = channel();
        let (frames, finished) = channel();
        thread::spawn(move || run_jobs(renderer, &jobs, &frames));
        Ok(Self { queue, finished, number: 0, cancelled: Arc::default(), is_busy: false })
    }

    /// Cancels the current job and starts another.
    pub(super) fn start(&mut self, job: RefineJob) {
        self.cancel();
        self.cancelled = Arc::default();
        let job = QueuedJob { number: self.number, job, cancelled: Arc::clone(&self.cancelled) };
        self.is_busy = self.queue.send(job).is_ok();
    }

    /// Cancels the current job: the thread stops at the next tile.
    pub(super) fn cancel(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.number += 1;
        self.is_busy = false;
    }

    /// Returns the best pass of the current job that has finished since the last call.
    pub(super) fn poll(&mut self) -> Option<Result<RefinedFrame>> {
        let current = self.number;
        let (_, pass) = self.finished.try_iter().filter(|(number, _)| *number == current).last()?;
        self.is_busy &= pass.as_ref().is_ok_and(|pass| !pass.is_final);
        Some(pass)
    }
}

impl Drop for Refiner {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// The thread: runs jobs until the queue is dropped.
fn run_jobs(mut renderer: Renderer, jobs: &Receiver<QueuedJob>, frames: &Sender<(u64, Result<RefinedFrame>)>) {
    while let Ok(QueuedJob { number, job, cancelled }) = jobs.recv() {
        for &shading in &job.passes {
            let Some(pass) = draw_pass(&mut renderer, &job, shading, &cancelled).transpose() else { break };
            let failed = pass.is_err();
            if frames.send((number, pass)).is_err() || failed {
                break;
            }
        }
    }
}

/// Draws one pass of a job; `None` if it is cancelled.
fn draw_pass(
    renderer: &mut Renderer,
    job: &RefineJob,
    shading: Shading,
    cancelled: &AtomicBool,
) -> Result<Option<RefinedFrame>> {
    if cancelled.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let start = Instant::now();
    let scene = PictureSpec { shading, ..job.picture }.apply(&job.scene.scene);
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
    let statistics = renderer.render_unless_cancelled(&scene, &mut frame, cancelled)?;
    let (time, is_final) = (start.elapsed(), shading == job.picture.shading);
    Ok(statistics.map(|statistics| RefinedFrame { frame, shading, statistics, time, is_final }))
}

/// Returns the shading of each pass from one plain sample to the final picture. Each pass takes about twice as long as
/// the previous one: all of them together cost about twice the last.
pub(super) fn passes(shading: Shading) -> Vec<Shading> {
    let one_sample = shading.with_samples(1);
    let mut passes = vec![Effects::None.reduce(shading), with_few_rays(one_sample), one_sample];
    let doubled = (1..).map(|step| 1_u32 << step).take_while(|&samples| samples < shading.samples);
    passes.extend(doubled.map(|samples| shading.with_samples(samples)));
    passes.push(shading);
    passes.dedup();
    passes
}

/// Returns the shading with few ambient-occlusion rays, just enough to show where it is dark.
fn with_few_rays(shading: Shading) -> Shading {
    match shading.ambient_occlusion {
        AmbientOcclusion::Rays(rays) => shading.with_ao_rays(rays.min(4)),
        _ => shading,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_grow_to_the_final_quality() {
        let rich = Shading::default().with_samples(4).with_ao_rays(16);
        let passes = passes(rich);
        assert_eq!(passes.last(), Some(&rich));
        let quality: Vec<_> = passes.iter().map(|pass| (pass.samples, pass.ambient_occlusion.rays())).collect();
        assert_eq!(quality, [(1, 0), (1, 4), (1, 16), (2, 16), (4, 16)]);
        assert_eq!(super::passes(Shading::default()), [Shading::default()], "one plain sample needs one pass");
    }
}
